/* Removes tets by place, region or id, and small components. In: mesh and selector, or tables and
 * least count. Out: removals, ascending. */
#include "operation/framework/internal.h"

ew_status ew_operation_remove(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit)
{
    EW_TRY(ew_need_empty("remove", edit));
    EW_TRY(ew_need_tets("remove", mesh));
    const ew_status status = ew_mesh_select_tets(mesh, selector, &edit->remove_tet);
    return status ? ew_fail_prefix(status, "remove") : EW_OK;
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
