/* Private to operation: a part of a mesh that is meshed again. */
#ifndef EW_OPERATION_REMESH_H
#define EW_OPERATION_REMESH_H

#include "operation/framework/internal.h"

/* Tets of one region that hang together by faces; all lists ascending by tet_id or vertex_id, so
 * that nothing follows the slots. Zeroed is empty. */
typedef struct ew_remesh_part {
    const ew_mesh *mesh;
    const ew_topology *topology;
    ew_list tet;      /* slots, owned */
    ew_list vertex;   /* slots, owned: of the cavity, in its order */
    ew_list triangle; /* places in `vertex`, three each, owned: the boundary, then those inside */
    int32_t n_outer;  /* triangles of the boundary */
    double *xyz;      /* [vertex.n][3] owned */
    double volume, min_quality, max_volume; /* of its tets */
} ew_remesh_part;

/* Boundaries between parts of the selected tets. */
typedef struct ew_remesh_plan {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_operation_input *in;
    ew_map label;  /* owned: labeled triangles, vertices ascending, to their number */
    int32_t *part; /* [n_tet] owned: of a chosen tet its part, -2: none yet; else -1 */
    int32_t n_part;
    int32_t *place; /* [n_vertex] owned, scratch: of a vertex in the part at hand, -1 */
} ew_remesh_plan;
/* Divides the chosen tets. (remesh_part.c) */
ew_status ew_remesh_plan_init(ew_remesh_plan *plan, const ew_operation_input *in,
                              const ew_set *chosen);
void ew_remesh_plan_free(ew_remesh_plan *plan);
/* tet: of the part, ascending by tet_id; copied. */
ew_status ew_remesh_part_init(ew_remesh_part *part, ew_remesh_plan *plan, int32_t number,
                              const int32_t *tet, int32_t n_tet);
void ew_remesh_part_free(ew_remesh_part *part);

/* Adds what is asked for of the candidates (null: of all tets) and the rings around it.
 * (remesh_choose.c) */
ew_status ew_remesh_choose(const ew_operation_input *in, const ew_remesh_def *def,
                           const ew_list *tet, ew_set *chosen);

/* Turns left-handed tets of the filling, and refuses one that has not the part's boundary, its
 * vertices, its inner triangles and its volume. (remesh_check.c) */
ew_status ew_remesh_check(const ew_remesh_part *part, ew_filling *filling);

/* Finds the tets of a part that points lie in. (locate.c) */
typedef struct ew_locator {
    const ew_remesh_part *part;
    const int32_t *part_of; /* [n_tet] */
    int32_t number;
    ew_points points; /* owned: the part's vertices */
    ew_list vertex;   /* owned: all of them, slots */
} ew_locator;
ew_status ew_locator_init(ew_locator *locator, const ew_remesh_part *part, const int32_t *part_of,
                          int32_t number);
void ew_locator_free(ew_locator *locator);
/* Slot of the tet that has the point, or of the one that it lies least outside of, and the weights
 * of its corners there, all >= 0, their sum 1. */
int32_t ew_locate(const ew_locator *locator, const double x[3], double weight[4]);

#endif
