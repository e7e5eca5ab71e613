/* contact: boundary faces that meet others, and what their displacements have to do with each
 * other. Nothing of materials, matrices or solvers.
 *
 *     face codes of two sides, slave and master
 *       |  ew_face_pairs_find           by the boxes of faces: a search tree
 *     pairs of faces, ascending
 *       |  clip                         the part of a slave face that a master face covers
 *     points of quadrature, each with a place on both faces and the gap between them
 *       |  ew_contact_build_rows        weighed by dual functions of the slave vertices
 *     linear forms of displacements, one or three for each slave vertex
 *
 * Gap: from a point x of a slave face along the outward normal n of that face to the point y where
 * it meets the plane of the master face; < 0: the parts overlap. As y lies on the normal of the
 * slave face, a rigid motion of both parts changes no gap. Faces meet where the planes of their
 * corners look against each other, to 37 degrees. With curved sides the normal is that at x, and y
 * is on the curved master face; which master face is over x is told by straight lines between its
 * corners, as they are seen from the nearest places of the slave face.
 *
 * Rows: the mean over what is covered of the slave faces round a vertex j, weighed by psi_j, linear
 * on each face with
 *     int psi_j N_k = delta_jk int N_j
 * over its covered part (Wohlmuth 2000, A mortar finite element method using dual spaces for the
 * Lagrange multiplier; Cichosz & Bischoff 2011, Consistent treatment of boundaries with mortar
 * contact formulations, for faces that are covered in part).
 * Vertices of which less than a tenth is covered leave their part of psi to the other corners of a
 * face, in equal shares: psi of all corners still add up to 1, and no row tells how a gap goes on
 * where nothing is.
 *
 * Faces of one list: of two that look against each other the slave is the one whose normal without
 * displacements, where these are at less than 90 degrees to each other whose place, is farther
 * along a direction that is none of an axis. So roles depend on both faces alone, change with no
 * displacement, and are the same all over a flank of a crack.
 *
 * Faces that look against each other may share vertices, as at the front of a crack, of one list
 * and of two: such vertices have no row, since they cannot part. Of these faces, and of all of one
 * list, the other side of a wall is no overlap: what overlaps reaches into the tet behind one of
 * them. Where several layers of masters are over one another, the nearest count.
 *
 * Rigid surfaces take the place of masters: the gap at x is the signed distance of x from the
 * surface, n minus its normal, and what is covered is all of the slave faces that look at the
 * surface, to 84 degrees. */
#ifndef EW_CONTACT_H
#define EW_CONTACT_H

#include "topology/topology.h"

EW_BEGIN_API

/* Where a rigid body is: its points are turned about a point, then moved. */
typedef struct ew_rigid_motion {
    double displacement[3]; /* length unit */
    double rotation[3];     /* vector along the axis whose length is the angle, rad */
    double about[3];        /* length unit */
} ew_rigid_motion;

typedef enum ew_rigid_kind {
    EW_RIGID_NONE,
    EW_RIGID_PLANE,
    EW_RIGID_SPHERE,
    EW_RIGID_CYLINDER, /* without ends */
    EW_RIGID_SURFACE   /* triangles, closed, or with rims beyond which nothing meets them */
} ew_rigid_kind;
/* The surface of a rigid body. Zeroed: none. */
typedef struct ew_rigid_def {
    ew_rigid_kind kind;
    bool is_hollow;            /* slaves are inside: in a ball, a bore, a cavity; of triangles with
                                  rims: on the side that they do not look to */
    double point[3];           /* plane: of it; sphere: center; cylinder: of its axis */
    double direction[3];       /* plane: normal, to where slaves are; cylinder: along its axis; of
                                  any length > 0 */
    double radius;             /* sphere, cylinder: length unit, > 0 */
    const ew_surface *surface; /* borrowed: triangles that look out of the body; closed ones may all
                                  look inwards */
    ew_rigid_motion motion;
} ew_rigid_def;

/* What meets what. */
typedef struct ew_contact_def {
    const ew_list *slave, *master; /* borrowed: codes 4 * tet + face of boundary faces, ascending;
                                      the same list: faces that meet one another */
    const double *rest; /* borrowed: [n_vertex][3] of one list, length unit: where vertices are
                           without displacements; null: where the mesh has them */
    double distance; /* length unit, > 0: faces with more between them, or that overlap by more, do
                        not meet; into a rigid surface slaves may be at any depth */
    const struct ew_rigid *rigid; /* borrowed: a surface in place of masters, which are none; null:
                                     masters. Rows are to be freed before it */
    bool by_motion; /* of a rigid surface: the gap is by how much its motion has widened it */
    double depth;   /* of a rigid surface: faces that are farther inside are refused; 0: none */
    bool is_tie;    /* three rows a vertex, else one */
    bool turns;     /* of a tie: functions of curved faces follow a traction that turns with them,
                       and are not dual */
    const int32_t *edge_row; /* borrowed: [pairs of the topology] of quadratic tets the row of the
                                coefficient of each edge behind those of the vertices, which are
                                their slots; -1: none; null: linear tets */
    const double *curve; /* borrowed: [rows of edges][3] how far the middle of a side lies beyond
                            the mean of its ends; null: sides are straight */
} ew_contact_def;

/* Rows of a contact or a tie: sums of factor * u[entry], entry being 3 * row + component.
 * Contact: row i is by how much the displacements u widen the gap of vertex i, so that gap + row *
 * u is the gap of the displaced body. Tie: rows 3 i .. 3 i + 2 are by what the masters move from
 * the slaves, x, y and z, less what the slave face turns the gap. */
typedef struct ew_contact_rows {
    int32_t n;       /* slave vertices that masters cover something round */
    int32_t n_row;   /* n, of a tie 3 n */
    int32_t *vertex; /* [n] owned: slots, ascending */
    double *gap;     /* [n] owned: weighed mean, length unit */
    double *area;    /* [n] owned: the integral of psi, > 0 */
    double *normal;  /* [n][3] owned: weighed mean of the normals of the slave faces, of length
                        1 where they are one; of a rigid surface minus its normals */
    double *min_gap; /* [n] owned: of single points of the faces round it but for those that are
                      covered in a strip alone, of which it is `gap`, length unit. Far below this
                      `gap` is of faces that are wide beside the curvature of the other side */
    double *size;    /* [n] owned: of these faces, length unit: the root of twice the mean area */
    double *slid;    /* [n][3] owned: weighed mean of how far a rigid surface has moved there since
                        ew_rigid_settle, length unit; else 0 */
    int32_t *begin;  /* [n_row + 1] owned: terms of row i are begin[i] .. begin[i + 1] */
    int32_t *entry;  /* owned, ascending in each row */
    double *factor;  /* owned */
    double covered, whole; /* area of the slave faces, curved as they are: that masters cover; all
                              of it */
    double margin;         /* length unit: the distance rounded up to 5 binary digits, so that small
                              changes of it do not change pairs */
    int32_t n_pair;        /* pairs of faces whose boxes meet, those of the slaves wider by this */
    int32_t n_new;         /* of the n those that the last call made; others are as they were */
    struct contact_memory *memory; /* owned, private: faces and pairs that they are of */
    int32_t capacity, row_capacity, entry_capacity, factor_capacity, area_capacity, gap_capacity,
        normal_capacity, slid_capacity, min_gap_capacity, size_capacity;
} ew_contact_rows;

EW_END_API
#endif
