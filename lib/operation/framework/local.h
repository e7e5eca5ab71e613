/* operation, private: a part of a mesh that is being cut or improved, and its difference as an
 * edit.
 *
 * Tets come in by whole stars: a vertex that was opened has all its tets here. What changes a tet
 * makes another one of it. Vertices and tets are numbered in the order in which they came; all
 * choices go by names, which do not depend on slots: of the mesh's vertices and tets their ids, of
 * new ones numbers beyond, in the order in which they are made.
 *
 * Faces that must stay are marked by a record: faces of the boundary, between regions, with a
 * label, and those of the surface of a cut. Tets on both sides of one have the record. */
#ifndef EW_OPERATION_LOCAL_H
#define EW_OPERATION_LOCAL_H

#include "operation/framework/internal.h"

/* A surface that the mesh is cut along. */
typedef struct ew_cut_shape ew_cut_shape;
struct ew_cut_shape {
    /* Signed distance of x, < 0 inside; gradient [3]: its direction of ascent, length 1, or null.
     */
    double (*distance)(const ew_cut_shape *shape, const double x[3], double *gradient);
    double a[3], axis[3]; /* a point; plane: normal; cylinder, cone: axis; of length 1 */
    double radius, slope; /* at the point; of a cone: its growth along the axis */
    bool is_flat;
    const void *data; /* borrowed: what a surface file has */
};

typedef struct ew_local_vertex {
    double x[3];
    int64_t name;
    int32_t slot;           /* of the mesh; -1: a new one */
    int32_t first;          /* of its tets: 4 * tet + corner; -1: none */
    int32_t n_tet;          /* that are here */
    int32_t parent[2];      /* of a new one: vertices here that came before it */
    double fraction;        /* from the first to the second one */
    int32_t stamp;          /* scratch */
    int32_t changed, tried; /* when its star changed, and when it was last tried to improve it */
    int8_t ring;            /* 0: where it is improved first; -1: not to be touched */
    int8_t sign;            /* of a cut: -1 inside, 1 outside, 0 on its surface */
    bool is_open;           /* all its tets are here */
    bool is_fixed;          /* stays where it is */
    bool is_welded;         /* of a flat side: counts as on the surface of a cut, though beside it;
                               the faces of the cut around it are not flat */
} ew_local_vertex;

typedef struct ew_local_tet {
    int32_t v[4];    /* v[0] = -1: gone */
    int32_t next[4]; /* after it in the chain of each corner */
    int32_t face[4]; /* record of the face across from the corner; -1: none */
    int32_t slot;    /* of the mesh; -1: a new one */
    int32_t from;    /* slot of the tet of the mesh that it is or replaces */
    int32_t region;  /* index of the mesh; n_region: that of new_region */
    int8_t side;     /* of a cut, once it is made: -1 inside, 1 outside; 0: not near it */
    int64_t name;
    double quality; /* mean ratio, < 0 where it is inverted */
} ew_local_tet;

typedef struct ew_local_face {
    int32_t corner[3]; /* slots of the face of the mesh; -1: one of the cut */
    int32_t triangle;  /* its first labeled triangle, to be followed by label_next; -1: none */
    int32_t label;     /* of one of the cut */
    int32_t patch;     /* of the surface of a cut that has several, from 1; 0: none */
    const ew_cut_shape *shape; /* of that patch; null: local->shape */
    bool is_boundary, is_cut;
} ew_local_face;

/* The curve of the side between two vertices, as in ew_edit. */
typedef struct ew_local_curve {
    int32_t a, b;
    double curve[3];
} ew_local_curve;

typedef struct ew_local {
    const ew_mesh *mesh;         /* borrowed, as all that is const */
    const ew_topology *topology; /* current */
    const ew_cut_shape *shape;   /* of the faces of the cut; null: there are none */
    int32_t n_vertex, vertex_capacity;
    ew_local_vertex *vertex; /* [n_vertex] owned */
    int32_t n_tet, tet_capacity;
    ew_local_tet *tet; /* [n_tet] owned */
    int32_t n_face, face_capacity;
    ew_local_face *face; /* [n_face] owned: records */
    int32_t n_curve, curve_capacity;
    ew_local_curve *curve; /* [n_curve] owned: of sides of tets of ten nodes */
    ew_map vertex_of, tet_of, face_of, label_of; /* by slots; records and labels by corners */
    bool has_labels;                             /* label_of is filled */
    int32_t *label_next; /* [mesh->n_face] owned: the next triangle with the same corners; -1 */
    int32_t new_region;  /* label */
    int64_t next_vertex, next_tet; /* names */
    int32_t stamp, clock;
    ew_list near, star, work; /* scratch */
} ew_local;

/* `local`: zeroed. Nothing is in yet. */
ew_status ew_local_init(ew_local *local, const ew_mesh *mesh, const ew_topology *topology);
void ew_local_free(ew_local *local);
/* The vertex of a slot, which need not be open. */
ew_status ew_local_enter(ew_local *local, int32_t slot, int32_t *vertex);
ew_status ew_local_open(ew_local *local, int32_t vertex);
/* Tets of an open vertex, in the order of their names, into local->star. */
ew_status ew_local_star(ew_local *local, int32_t vertex);
/* Its neighbors, in the order of their names, into local->near. */
ew_status ew_local_neighbors(ew_local *local, int32_t vertex);

static inline bool ew_local_is_live(const ew_local *local, int32_t t)
{
    return local->tet[t].v[0] >= 0;
}
static inline int ew_local_corner(const ew_local_tet *tet, int32_t v)
{
    return tet->v[0] == v ? 0 : tet->v[1] == v ? 1 : tet->v[2] == v ? 2 : tet->v[3] == v ? 3 : -1;
}

/* Mean ratio of four points, < 0 where they are inverted. */
double ew_local_quality_of(const double *x0, const double *x1, const double *x2, const double *x3);
void ew_local_measure(ew_local *local, int32_t t);
/* Whether a tet of the mesh has a vertex that moved. */
bool ew_local_has_moved(const ew_local *local, int32_t t);
/* Moves an open vertex and measures its tets. */
void ew_local_move(ew_local *local, int32_t vertex, const double x[3]);
/* Least quality around an open vertex. */
double ew_local_min_quality(const ew_local *local, int32_t vertex);
/* Mean length of the edges of an open vertex; clobbers `near`. */
ew_status ew_local_size(ew_local *local, int32_t vertex, double *size);

/* A tet in the place of others: region and origin of `like`. */
ew_status ew_local_add_tet(ew_local *local, const int32_t v[4], const int32_t face[4], int32_t like,
                           int32_t *t);
void ew_local_remove_tet(ew_local *local, int32_t t);
/* Cuts the edge between two vertices of the mesh at x, (1 - fraction) a + fraction b; both must be
 * open. */
ew_status ew_local_split(ew_local *local, int32_t a, int32_t b, const double x[3], double fraction,
                         int32_t *middle);
/* Another vertex in the place of one, without tets. */
ew_status ew_local_copy(ew_local *local, int32_t vertex, int32_t *copy);
/* The tet across a face whose corners include an open vertex; -1: none. *corner: of its vertex
 * across from the face. */
int32_t ew_local_across(const ew_local *local, int32_t t, int corner, int *other);
ew_status ew_local_add_curve(ew_local *local, int32_t a, int32_t b, const double curve[3]);
/* The record of the faces that a cut lays open. */
ew_status ew_local_cut_record(ew_local *local, int32_t label, bool is_boundary, int32_t *record);

/* ---- what holds a vertex (local_class.c) --------------------------------- */

typedef enum ew_local_kind {
    EW_LOCAL_INNER,   /* in the body */
    EW_LOCAL_SURFACE, /* in a face, flat or curved */
    EW_LOCAL_RIDGE,   /* on an edge between two faces */
    EW_LOCAL_CORNER
} ew_local_kind;
typedef struct ew_local_class {
    ew_local_kind kind;
    bool is_exact;   /* face and edge are flat and straight: moving in them changes no volume */
    bool is_cut;     /* on the surface of the cut */
    bool has_normal; /* of other faces than the cut's */
    bool is_curved;  /* these are curved */
    double normal[3];
    int32_t ridge[2]; /* neighbors along the edge */
    int32_t rim; /* of a corner where the surface of the cut ends two flat faces: the neighbor along
                    the straight edge between these; negative: none */
    const ew_cut_shape *shape[2]; /* on the surface of the cut: of its patches there; null: of the
                                     part's own, or there is no second one */
} ew_local_class;
/* Of an open vertex. */
ew_status ew_local_classify(ew_local *local, int32_t vertex, ew_local_class *class);
/* Brings x, where the vertex shall go, to where it may be; false: nowhere near. */
bool ew_local_project(const ew_local *local, int32_t vertex, const ew_local_class *class,
                      double x[3]);
/* The surface of a face of the cut; null: there is none yet. */
static inline const ew_cut_shape *ew_local_shape(const ew_local *local, int32_t record)
{
    return local->face[record].shape ? local->face[record].shape : local->shape;
}
/* Whether two marked faces are parts of one face of the body. */
bool ew_local_same_face(const ew_local *local, int32_t record, int32_t other);
/* How far faces may leave the surface, as a share of the size. */
#define EW_LOCAL_OFF_CUT    0.08
#define EW_LOCAL_OFF_CURVED 0.03
#define EW_LOCAL_FLAT       1e-5 /* angle, radians */
#define EW_LOCAL_FEATURE    0.7  /* 40 degrees */
/* The point x of a triangle nearest to p. Returns on which part of it that lies: 0, 1, 2: the
 * corner a, b, c; 3, 4, 5: the side a-b, b-c, c-a; 6: none of these. */
int32_t ew_local_nearest(const double p[3], const double *a, const double *b, const double *c,
                         double x[3]);

/* ---- the difference (local_queue.c) --------------------------------------- */

/* Queues what the tets here have become, into an edit without moves, and which labels and origins
 * new faces have. */
ew_status ew_local_queue(ew_local *local, ew_edit *edit);

#endif
