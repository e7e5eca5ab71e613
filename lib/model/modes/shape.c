/* What a small motion on top of the displacement makes of the fields; of a linear body without
 * loads it is in the place of the displacement. */
#include "model/modes/pencil.h"

#include <string.h>

/* internal: force of the tets by which the shape is resisted. */
static ew_status recover(ew_model *model, const double *shape, const double *internal)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    double *none = model->nonlinear.vector[NONLINEAR_REST];
    ew_deformed body = model_deformed(model, model->field[0].value, 0.0);
    body.rate = shape;
    body.pressure = body.pressure ? model->mixed.p : NULL; /* of the shape, from `internal` */
    body.thermal = NULL;
    memset(none, 0, n * sizeof *none);
    ew_edge_values values;
    const ew_edge_values *edges = model_edge_values(model, &values);
    values.u = shape + 3 * (size_t)model->mesh.n_vertex;
    values.f = none + 3 * (size_t)model->mesh.n_vertex;
    EW_TRY(ew_fields_recover_nonlinear(&model->fields, &model->constraints, none,
                                       &model->nonlinear.internal_force, &body, internal, edges));
    EW_TRY(ew_partial_sums_take(&model->recovery.partial, &model->mesh, &model->materials,
                                &model->constraints, &model->fields, none, shape, NULL,
                                &model->sums));
    model_sum_states(model, &model->sums);
    if (edges) {
        EW_TRY(ew_partial_sums_add_edges(&model->recovery.partial, &model->mesh, &model->materials,
                                         &model->fields, 0, NULL, shape, edges, NULL,
                                         &model->sums));
    }
    return ew_partial_sums_check_range(&model->recovery.partial, &model->sums);
}

static ew_status recover_linear(ew_model *model, const double *shape, const ew_fields **fields,
                                const ew_sums **sums)
{
    double *none;
    EW_TRY(ew_new_zero(&none, 3 * (size_t)model_n_row(model), sizeof *none));
    memcpy(model->field[0].value, shape, model_vector_size(model));
    model_forget_row_changes(model);
    const ew_status status = model_recover_under(model, none, false, fields, sums);
    ew_release(none);
    return status;
}

ew_status ew_model_recover_shape(ew_model *model, const double *shape, const ew_fields **fields,
                                 const ew_sums **sums)
{
    pencil in = pencil_of(model, "shape", NULL, (ew_progress){0});
    EW_TRY(model_need_usable(model));
    if (!model_is_nonlinear(model)) {
        return recover_linear(model, shape, fields, sums);
    }
    EW_TRY(model_update_supports(model));
    EW_TRY(model_reserve_nonlinear(model));
    double *internal = model->nonlinear.vector[NONLINEAR_FORCE];
    model_forget_recovery(model);
    ew_status status = pencil_find_tangent(&in, true, false, &in.blocks);
    if (!status) {
        ew_matrix_product(&in.blocks, pencil_pattern(model), shape, internal);
        status = model_prepare_mixed(model);
        status = status ? status : model_add_mixed_stiffness(model, shape, internal);
        status = status ? status : recover(model, shape, internal);
    }
    pencil_free(&in);
    EW_TRY(status);
    model->fields_revision = model->mesh.revision;
    model->has_stress_alone = false;
    *fields = &model->fields;
    *sums = &model->sums;
    return EW_OK;
}
