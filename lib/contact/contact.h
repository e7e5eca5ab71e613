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
 * slave face, a rigid motion of both parts changes no gap. Faces meet where they look against each
 * other, to 37 degrees. Sides are taken as plane, between their corners.
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
 * displacement, and are the same all over a flank of a crack. Faces may share vertices, as at the
 * front of a crack, which have no row: they cannot part. The other side of a wall is no overlap:
 * what overlaps reaches into the tet behind one of the faces. Where several layers of masters are
 * over one another, the nearest count. */
#ifndef EW_CONTACT_H
#define EW_CONTACT_H

#include "topology/topology.h"

EW_BEGIN_API

/* What meets what. */
typedef struct ew_contact_def {
    const ew_list *slave, *master; /* borrowed: codes 4 * tet + face of boundary faces, ascending;
                                      the same list: faces that meet one another */
    const double *rest; /* borrowed: [n_vertex][3] of one list, length unit: where vertices are
                           without displacements; null: where the mesh has them */
    double distance; /* length unit, > 0: faces with more between them, or that overlap by more, do
                        not meet */
    bool is_tie;     /* three rows a vertex, else one */
    const int32_t *edge_row; /* borrowed: [pairs of the topology] of quadratic tets the row of the
                                coefficient of each edge behind those of the vertices, which are
                                their slots; -1: none; null: linear tets */
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
                        1 where they are one */
    int32_t *begin;  /* [n_row + 1] owned: terms of row i are begin[i] .. begin[i + 1] */
    int32_t *entry;  /* owned, ascending in each row */
    double *factor;  /* owned */
    double covered, whole; /* area of the slave faces: that masters cover; all of it */
    double margin;         /* length unit: the distance rounded up to 5 binary digits, so that small
                              changes of it do not change pairs */
    int32_t n_pair;        /* pairs of faces whose boxes meet, those of the slaves wider by this */
    int32_t n_new;         /* of the n those that the last call made; others are as they were */
    struct contact_memory *memory; /* owned, private: faces and pairs that they are of */
    int32_t capacity, row_capacity, entry_capacity, factor_capacity, area_capacity, gap_capacity,
        normal_capacity;
} ew_contact_rows;

EW_END_API
#endif
