/* Selection of tets. In: a mesh and a selector. Out: live tet slots, ascending. */
#include "mesh/internal.h"

#include <math.h>

static ew_status select_inside(const ew_mesh *mesh, const ew_selector *selector, ew_list *tet)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double c[3];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        ew_mesh_tet_centroid(mesh, t, c);
        if (ew_selector_has_point(selector, c)) {
            EW_TRY(ew_list_push(tet, t));
        }
    }
    return EW_OK;
}

static ew_status select_nearest(const ew_mesh *mesh, const double center[3], ew_list *tet)
{
    int32_t best = -1;
    double min = INFINITY;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double c[3];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        ew_mesh_tet_centroid(mesh, t, c);
        const double x = c[0] - center[0], y = c[1] - center[1], z = c[2] - center[2];
        const double d2 = x * x + y * y + z * z;
        if (best < 0 || d2 < min || (d2 == min && mesh->tet_id[t] < mesh->tet_id[best])) {
            best = t;
            min = d2;
        }
    }
    return best < 0 ? EW_OK : ew_list_push(tet, best);
}

static ew_status select_region(const ew_mesh *mesh, int32_t label, ew_list *tet)
{
    int32_t region;
    EW_TRY(ew_mesh_find_region(mesh, label, &region));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && mesh->region[t] == region) {
            EW_TRY(ew_list_push(tet, t));
        }
    }
    return EW_OK;
}

static ew_status select_kind(const ew_mesh *mesh, const ew_selector *selector, ew_list *tet)
{
    switch (selector->kind) {
    case EW_SELECT_REGION:
        return select_region(mesh, selector->label, tet);
    case EW_SELECT_IDS:
        return ew_mesh_find_ids(mesh, EW_TET_IDS, selector->index, selector->id, selector->n_id,
                                tet);
    case EW_SELECT_SURFACE:
        return ew_fail(EW_BAD_ARGUMENT, "a surface selects triangles, not tets; select by place, "
                                        "region or tet id");
    case EW_SELECT_NEAREST:
        EW_TRY(ew_check_selector(selector));
        return select_nearest(mesh, selector->a, tet);
    default:
        EW_TRY(ew_check_selector(selector));
        return select_inside(mesh, selector, tet);
    }
}

ew_status ew_mesh_select_tets(const ew_mesh *mesh, const ew_selector *selector, ew_list *tet)
{
    const ew_status status = select_kind(mesh, selector, tet);
    if (status) {
        tet->n = 0;
    }
    return status;
}
