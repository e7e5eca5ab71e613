/* Removes tets by place, region or id, and small components. In: mesh and selector, or tables and
 * least count. Out: removals, ascending. */
#include "operation/internal.h"

#include <math.h>

static ew_status remove_inside(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double c[3];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        ew_tet_centroid(mesh, t, c);
        if (ew_selector_has_point(selector, c)) {
            EW_TRY(ew_edit_remove_tet(edit, t));
        }
    }
    return EW_OK;
}

static ew_status remove_nearest(const ew_mesh *mesh, const double center[3], ew_edit *edit)
{
    int32_t best = -1;
    double min = INFINITY;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double c[3];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        ew_tet_centroid(mesh, t, c);
        double x = c[0] - center[0], y = c[1] - center[1], z = c[2] - center[2];
        double d2 = x * x + y * y + z * z;
        if (best < 0 || d2 < min || (d2 == min && mesh->tet_id[t] < mesh->tet_id[best])) {
            best = t;
            min = d2;
        }
    }
    return best < 0 ? EW_OK : ew_edit_remove_tet(edit, best);
}

static ew_status remove_region(const ew_mesh *mesh, int32_t label, ew_edit *edit)
{
    int32_t region;
    EW_TRY(ew_need_region("remove", mesh, label, &region));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && mesh->region[t] == region) {
            EW_TRY(ew_edit_remove_tet(edit, t));
        }
    }
    return EW_OK;
}

static ew_status remove_ids(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit)
{
    const ew_status status = ew_mesh_find_ids(mesh, EW_TET_IDS, selector->index, selector->id,
                                              selector->n_id, &edit->remove_tet);
    return status ? ew_fail_prefix(status, "remove") : EW_OK;
}

/* Selecting from a mesh of nothing tells whether the selector's numbers are in range. */
static ew_status check_selector(const ew_selector *selector)
{
    ew_mesh nothing = {0};
    ew_list none = {0};
    ew_status status = ew_mesh_select(&nothing, selector, &none);
    ew_list_free(&none);
    return status ? ew_fail_prefix(status, "remove") : EW_OK;
}

static ew_status remove_selected(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit)
{
    switch (selector->kind) {
    case EW_SELECT_REGION:
        return remove_region(mesh, selector->label, edit);
    case EW_SELECT_IDS:
        return remove_ids(mesh, selector, edit);
    case EW_SELECT_SURFACE:
        return ew_fail(EW_BAD_ARGUMENT, "remove: a surface selects triangles, not tets; select by "
                                        "place, region or tet id");
    case EW_SELECT_NEAREST:
        EW_TRY(check_selector(selector));
        return remove_nearest(mesh, selector->a, edit);
    default:
        EW_TRY(check_selector(selector));
        return remove_inside(mesh, selector, edit);
    }
}

ew_status ew_operation_remove(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit)
{
    EW_TRY(ew_need_empty("remove", edit));
    EW_TRY(ew_need_tets("remove", mesh));
    ew_status status = remove_selected(mesh, selector, edit);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

ew_status ew_operation_remove_small(const ew_mesh *mesh, const ew_topology *topology, int32_t min,
                                    ew_edit *edit)
{
    ew_status status;
    int32_t *component = NULL, *size = NULL, n_component = 0;
    EW_TRY(ew_need_empty("remove", edit));
    EW_TRY(ew_need_tets("remove", mesh));
    EW_TRY(ew_need_current("remove", topology, mesh));
    if (min < 1) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "remove: components of fewer than %d tets; the minimum "
                       "must be >= 1",
                       min);
    }
    EW_TRY_OUT(ew_new(&component, (size_t)mesh->n_tet, sizeof *component));
    EW_TRY_OUT(ew_topology_components(topology, mesh, component, &n_component));
    EW_TRY_OUT(ew_new_zero(&size, (size_t)n_component, sizeof *size));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (component[t] >= 0) {
            size[component[t]]++;
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (component[t] >= 0 && size[component[t]] < min) {
            EW_TRY_OUT(ew_edit_remove_tet(edit, t));
        }
    }
out:
    ew_release(component);
    ew_release(size);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { TETS, PIECES, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [TETS] = {.key = "tets",
              .kind = EW_PARAMETER_TETS,
              .need = EW_ONE_OF,
              .words = "box sphere cylinder side region ids",
              .argument = "WHERE",
              .help = "by place of the centroid, region or number"},
    [PIECES] = {.key = "pieces_smaller_than",
                .kind = EW_PARAMETER_COUNT,
                .need = EW_ONE_OF,
                .low = 1,
                .high = INT32_MAX,
                .argument = "N",
                .help = "pieces (through faces) of fewer tets"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    return of[PIECES].given
               ? ew_operation_remove_small(in->mesh, in->topology, (int32_t)of[PIECES].whole, edit)
               : ew_operation_remove(in->mesh, &of[TETS].selector, edit);
}

const ew_operation ew_remove_operation = {
    .name = "remove",
    .summary = "remove tets by place, region, number or size of piece",
    .text = "Places take the tets whose centroid lies in them.",
    .example = "part.mesh --sphere 0.1,0,0,0.02 -o holed.mesh",
    .file_code = 3,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
