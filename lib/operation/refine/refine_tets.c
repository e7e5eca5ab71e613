/* Bisection of chosen tets. In: mesh, tables, tets. Out: each of their longest edges bisected once,
 * and whatever conformity needs first, as in refine.c. */
#include "operation/refine/refine.h"

#include <math.h>

/* The longest of the tet's edges; between equals the one that bisection takes for longer. */
static int32_t longest_edge(const ew_refiner *r, int32_t t)
{
    const int32_t *edge = r->topology->tet_to_edge + 6 * (size_t)t;
    int32_t longest = edge[0];
    double max2 = -1.0;
    for (int k = 0; k < 6; k++) {
        const int32_t *end = r->topology->pattern.pair_row + 2 * (size_t)edge[k];
        const int32_t *other = r->topology->pattern.pair_row + 2 * (size_t)longest;
        const double length2 = ew_refine_length2(r, end[0], end[1]);
        const bool after = end[0] != other[0] ? end[0] > other[0] : end[1] > other[1];
        if (length2 > max2 || (length2 == max2 && after)) {
            longest = edge[k];
            max2 = length2;
        }
    }
    return longest;
}

/* Each edge once, the one of the lowest slot on top; no shorter one can be reached. */
static ew_status list_edges(ew_refiner *r, const ew_list *tet)
{
    int32_t n = 0;
    double shortest2 = INFINITY;
    for (int32_t i = 0; i < tet->n; i++) {
        EW_TRY(ew_list_push(&r->work, longest_edge(r, tet->id[i])));
    }
    ew_list_sort(&r->work);
    for (int32_t i = 0; i < r->work.n; i++) {
        if (i == 0 || r->work.id[i] != r->work.id[i - 1]) {
            r->work.id[n++] = r->work.id[i];
        }
    }
    r->work.n = n;
    for (int32_t i = 0; i < n - 1 - i; i++) {
        const int32_t slot = r->work.id[i];
        r->work.id[i] = r->work.id[n - 1 - i];
        r->work.id[n - 1 - i] = slot;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t *end = r->topology->pattern.pair_row + 2 * (size_t)r->work.id[i];
        shortest2 = fmin(shortest2, ew_refine_length2(r, end[0], end[1]));
    }
    r->min2 = shortest2;
    return EW_OK;
}

static ew_status bisect(ew_refiner *r, const ew_list *tet)
{
    EW_TRY(ew_refine_start(r, NULL));
    EW_TRY(list_edges(r, tet));
    EW_TRY(ew_refine_cut(r));
    EW_TRY(ew_refine_queue(r));
    return ew_label_parts(r->mesh, r->topology, r->edit);
}

ew_status ew_operation_bisect_within(const ew_mesh *mesh, const ew_topology *topology,
                                     const ew_list *tet, int32_t max_tets, ew_edit *edit)
{
    ew_refiner r = {.mesh = mesh, .topology = topology, .edit = edit};
    EW_TRY(ew_need_empty("refine", edit));
    EW_TRY(ew_need_tets("refine", mesh));
    EW_TRY(ew_need_current("refine", topology, mesh));
    EW_TRY(ew_refine_set_limit(&r, max_tets));
    for (int32_t i = 0; i < tet->n; i++) {
        const int32_t t = tet->id[i];
        if (t < 0 || t >= mesh->n_tet || !ew_mesh_tet_is_live(mesh, t)) {
            return ew_fail(EW_BAD_ARGUMENT, "refine: there is no tet in slot %d of %d", t,
                           mesh->n_tet);
        }
    }
    const ew_status status = tet->n ? bisect(&r, tet) : EW_OK;
    ew_refine_free(&r);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

ew_status ew_operation_bisect(const ew_mesh *mesh, const ew_topology *topology, const ew_list *tet,
                              ew_edit *edit)
{
    return ew_operation_bisect_within(mesh, topology, tet, 0, edit);
}
