/* operation, private: a part of a mesh with curved sides, as it was before an edit.
 *
 * Its tets of ten nodes are the images of straight ones between the same vertices: the point p of
 * weights l goes to F(p) = p + 4 sum l_a l_b c_ab over the sides of the tet, c_ab their curves
 * (zero at the vertices, continuous across faces). What an edit does to the straight tets, F takes
 * to the curved ones; a part of a tet is then exactly a part of the curved tet. */
#ifndef EW_OPERATION_CURVED_BODY_H
#define EW_OPERATION_CURVED_BODY_H

#include "operation/framework/local.h"
#include "operation/remesh/remesh.h"

/* A marked face or a sharp edge between such (v[2] = -1), of the mesh. */
typedef struct ew_curved_part {
    int32_t v[3];     /* slots */
    int32_t tet;      /* slot of one that has it */
    int32_t triangle; /* the first label of the face, as in ew_local_face; -1: none */
    bool is_boundary;
    double center[3], radius;
} ew_curved_part;

typedef struct ew_curved_parts {
    int32_t n, capacity;
    ew_curved_part *item; /* [n] owned, by their centers along x */
    double radius;        /* the largest */
} ew_curved_parts;

typedef struct ew_curved_body {
    const ew_mesh *mesh; /* borrowed */
    ew_local old;        /* owned: the part as the mesh has it */
    ew_remesh_part part; /* owned, as all below */
    int32_t *part_of;    /* [n_tet] 0, or -1 */
    ew_locator locator;
    ew_curved_parts face, edge;
    double size; /* mean length of the edges of its tets */
} ew_curved_body;

/* Constraint of a point: none, a face of the body, an edge of the body. */
typedef enum ew_curved_hold { EW_HOLD_NONE, EW_HOLD_FACE, EW_HOLD_EDGE } ew_curved_hold;
/* A place in the straight tets and where it is in the curved ones. */
typedef struct ew_curved_place {
    double p[3], x[3];
    int32_t tet; /* slot */
    double weight[4];
    double normal[3]; /* FACE: of the straight one; EDGE: its direction; of length 1 */
} ew_curved_place;

/* Whether a tet of the mesh has a curved side. */
bool ew_curved_tet(const ew_mesh *mesh, int32_t slot);
/* Tets of `local` and three rings around them. `body`: zeroed. */
ew_status ew_curved_body_init(ew_curved_body *body, const ew_local *local);
void ew_curved_body_free(ew_curved_body *body);
/* The nearest place to p that is kept by so much; of FACE among those of the record `like` of
 * `local`. */
void ew_curved_find(const ew_curved_body *body, const double p[3], ew_curved_hold hold,
                    const ew_local *local, int32_t like, ew_curved_place *place);
/* g [3], of a function of F(p) by F, to that by p. */
void ew_curved_pull(const ew_curved_body *body, const ew_curved_place *place, double g[3]);
/* Whether p lies on a sharp edge, but for so much. */
bool ew_curved_on_edge(const ew_curved_body *body, const double p[3], double tolerance);
/* Marked faces that are not the cut's and have the side between two vertices of a part: how many,
 * a record of one; whether the body is sharp there; and whether it is in a face of the cut, with
 * records of such faces of one surface and of another one (-1: none). */
typedef struct ew_side_faces {
    int32_t n, record, cut[2];
    bool is_sharp, is_cut;
} ew_side_faces;
ew_side_faces ew_faces_of_side(const ew_local *local, int32_t a, int32_t b);

#endif
