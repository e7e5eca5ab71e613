/* Strain, stress, reactions and energies of a model, from its displacement. */
#include "model/formulation/formulation.h"

/* Whether a recovery may start from the one before it. */
static bool is_plain(const ew_model *model, bool moves)
{
    return !moves && model_recovers_by_change(model) && model->constraints.oblique.n == 0 &&
           !model->quadratic.pull_n;
}

/* Of what changed since the last recovery alone, where that is enough. */
static ew_status update_fields(ew_model *model, const double *force, const ew_edge_values *edges,
                               bool *is_local)
{
    EW_TRY(model_find_touched(model, force, edges, is_local));
    return *is_local
               ? ew_fields_update(&model->fields, &model->mesh, &model->topology, &model->materials,
                                  &model->constraints, force, model->field[0].value, edges,
                                  &model->recovery.touched, is_local)
               : EW_OK;
}

ew_status model_recover_under(ew_model *model, const double *given, bool in_parts,
                              const ew_fields **fields, const ew_sums **sums)
{
    const double start = ew_seconds();
    const double *u = model->field[0].value;
    EW_TRY(model_need_usable(model));
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(model_update_loads(model));
    const bool moves = model->dynamics.is_active && !model->dynamics.is_aside;
    EW_TRY(moves ? EW_OK : model_prepare_edges(model));
    const model_formulation *formulation = model_formulation_of(model);
    const double *reached = formulation->reached_loads(model);
    const double *force = reached ? reached : model->force.value;
    const ew_load *line = model->load_line;
    if (given) {
        force = given;
    } else if (moves) {
        EW_TRY(model_effective_force(model, &force));
        line = model_load_lines_now(model);
    } else if (!reached) {
        EW_TRY(model_add_pressure(model, &force));
    }
    EW_TRY(moves || given ? model_find_volumetric_stress(model) : EW_OK);
    model->contacts.is_linked = given != NULL;
    const ew_status status = model_add_equation_force(model, &force);
    model->contacts.is_linked = false;
    EW_TRY(status);
    EW_TRY(model_pull_faces(model, u));
    ew_edge_values values;
    const ew_edge_values *edges = model_edge_values(model, &values);
    if (edges && force != model->force.value) {
        values.f = force + 3 * (size_t)model->mesh.n_vertex;
    }
    model->fields.pressure = ew_model_volumetric_stress(model);
    bool is_local = false;
    EW_TRY(is_plain(model, moves) ? update_fields(model, force, edges, &is_local) : EW_OK);
    model->recovery.is_kept = false; /* unless all goes well */
    EW_TRY(is_local ? EW_OK : formulation->recover(model, line, force, edges));
    EW_TRY(in_parts ? EW_OK : ew_fields_complete(&model->fields, edges != NULL));
    const ew_recovery_change *change = is_local ? &model->recovery.touched : NULL;
    EW_TRY(ew_partial_sums_take(&model->recovery.partial, &model->mesh, &model->materials,
                                &model->constraints, &model->fields, force, u, change,
                                &model->sums));
    model_sum_states(model, &model->sums);
    if (edges) {
        const int32_t n_line = formulation->heat_is_load ? model->n_load_line : 0;
        EW_TRY(ew_partial_sums_add_edges(&model->recovery.partial, &model->mesh, &model->materials,
                                         &model->fields, n_line, line, u, edges, change,
                                         &model->sums));
    }
    EW_TRY(ew_partial_sums_check_range(&model->recovery.partial, &model->sums));
    const int32_t n_tet = is_local ? model->recovery.touched.tet.list.n : model->mesh.n_tet;
    EW_TRY(is_plain(model, moves) && !model->fields.parts
               ? model_keep_recovery(model, force, edges, is_local)
               : EW_OK);
    if (given) { /* loads are back in the next recovery */
        model_forget_row_changes(model);
    }
    model->fields_revision = model->mesh.revision;
    model->has_stress_alone = false;
    model->report.seconds_recover += ew_seconds() - start;
    model->report.recovered_tets += n_tet;
    if (fields) {
        *fields = &model->fields;
    }
    if (sums) {
        *sums = &model->sums;
    }
    return EW_OK;
}

ew_status ew_model_recover(ew_model *model, const ew_fields **fields, const ew_sums **sums)
{
    return model_recover_under(model, NULL, false, fields, sums);
}

ew_status ew_model_recover_parts(ew_model *model, const ew_fields **fields, const ew_sums **sums)
{
    return model_recover_under(model, NULL, true, fields, sums);
}
