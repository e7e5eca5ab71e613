/* What a refinement knows of the mesh: which vertices are inside, which edges have names, which
 * tets were cut. In: mesh, tables, set. Out: answers, in O(1).
 *
 * Arrays over the whole mesh answer fastest where most of it is refined. Where the set is small
 * beside the mesh they would cost more than the refinement: then a hash table holds what was
 * reached. */
#include "operation/refine/refine.h"

#include <string.h>

/* A vertex costs about so much more in the hash table than in the arrays. */
enum { SHARE_OF_FEW = 16 };

ew_status ew_refine_set_limit(ew_refiner *r, int32_t max_tets)
{
    const int64_t preset = 2 * (int64_t)r->mesh->n_live_tet;
    if (max_tets < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "refine: max_tets %d must be at least 1, or 0: the preset",
                       max_tets);
    }
    const int64_t limit = max_tets                      ? max_tets
                          : preset > EW_REFINE_MAX_TETS ? preset
                                                        : EW_REFINE_MAX_TETS;
    /* Each tet more is two parts more. */
    const int64_t most = (int64_t)r->mesh->n_live_tet + EW_REFINE_MAX_PART / 2;
    const int64_t named = INT32_MAX / 4;
    const int64_t allowed = most < named ? most : named;
    r->max_tets = (int32_t)(limit < allowed ? limit : allowed);
    return EW_OK;
}

static ew_status start_few(ew_refiner *r, const ew_list *set)
{
    int32_t old;
    for (int32_t i = 0; i < set->n; i++) {
        EW_TRY(ew_map_enter(&r->known, EW_REFINE_VERTEX, set->id[i], -1, 0, &old));
    }
    return EW_OK;
}

ew_status ew_refine_start(ew_refiner *r, const ew_list *set)
{
    const ew_mesh *mesh = r->mesh;
    const ew_pattern *pattern = &r->topology->pattern;
    r->whole = !set;
    r->few = set && set->n < mesh->n_vertex / SHARE_OF_FEW;
    if (r->few) {
        return start_few(r, set);
    }
    EW_TRY(ew_new(&r->first, (size_t)pattern->n_pair, sizeof *r->first));
    EW_TRY(ew_new_zero(&r->cut, (size_t)mesh->n_tet / 64 + 1, sizeof *r->cut));
    memset(r->first, -1, (size_t)pattern->n_pair * sizeof *r->first);
    r->n_edge = r->n_table = pattern->n_pair;
    if (set) {
        EW_TRY(ew_new_zero(&r->inside, (size_t)mesh->n_vertex, sizeof *r->inside));
    }
    for (int32_t i = 0; set && i < set->n; i++) {
        r->inside[set->id[i]] = true;
    }
    return EW_OK;
}

void ew_refine_free(ew_refiner *r)
{
    ew_list_free(&r->work);
    ew_list_free(&r->around);
    ew_map_free(&r->known);
    ew_map_free(&r->spoke_at);
    ew_release(r->middle_inside);
    ew_release(r->inside);
    ew_release(r->cut);
    ew_release(r->first);
    ew_release(r->edge);
    ew_release(r->part);
    ew_list_free(&r->free_part);
    ew_release(r->spoke);
}

ew_status ew_refine_add_edge(ew_refiner *r, int32_t a, int32_t b, int32_t slot, int32_t *edge)
{
    const int32_t n = r->n_edge - r->n_table;
    if (n == r->edge_capacity) {
        EW_TRY(ew_grow(&r->edge, &r->edge_capacity, (int64_t)n + 1, sizeof *r->edge));
    }
    r->edge[n] = (ew_refine_edge){{a, b}, -1, slot};
    *edge = r->n_edge++;
    return EW_OK;
}

ew_status ew_refine_enter_edge(ew_refiner *r, int32_t slot, int32_t *edge)
{
    const int32_t *end = r->topology->pattern.pair_row + 2 * (size_t)slot;
    *edge = slot;
    if (!r->few) {
        return EW_OK;
    }
    EW_TRY(ew_map_enter(&r->known, EW_REFINE_EDGE, slot, -1, r->n_edge, edge));
    return *edge < 0 ? ew_refine_add_edge(r, end[0], end[1], slot, edge) : EW_OK;
}

ew_status ew_refine_enter_cut(ew_refiner *r, int32_t t)
{
    int32_t old;
    if (!r->few) {
        ew_bit_set(r->cut, t);
        return EW_OK;
    }
    EW_TRY(ew_map_enter(&r->known, EW_REFINE_TET, t, -1, 0, &old));
    return ew_list_push(&r->edit->remove_tet, t);
}

ew_status ew_refine_remove_cut(ew_refiner *r)
{
    if (!r->few) {
        return ew_list_push_bits(&r->edit->remove_tet, r->cut, r->mesh->n_tet / 64 + 1);
    }
    ew_list_sort(&r->edit->remove_tet);
    return EW_OK;
}
