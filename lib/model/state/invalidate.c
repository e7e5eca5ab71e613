/* What must be found again after something of a model is another: nothing here finds it. */
#include "model/internal.h"

#include <string.h>

void model_touch_records(ew_model *model)
{
    model->nonlinear.is_current = false;
    model->nonlinear.found_revision = 0;
}

void model_forget_row_changes(ew_model *model)
{
    model->recovery.changed.is_known = model->answer_change.is_known = false;
}

static void note_rows(model_row_change *change, int32_t first, const ew_list *row)
{
    for (int32_t i = 0; i < row->n && change->is_known; i++) {
        change->is_known = !ew_set_add(&change->row, first + row->id[i]);
    }
}

void model_note_rows(ew_model *model, const ew_list *row)
{
    note_rows(&model->recovery.changed, 0, row);
    note_rows(&model->answer_change, 0, row);
}

void model_note_edge_rows(ew_model *model, const ew_list *edge_row)
{
    note_rows(&model->recovery.changed, model->mesh.n_vertex, edge_row);
    note_rows(&model->answer_change, model->mesh.n_vertex, edge_row);
}

void model_forget_recovery(ew_model *model)
{
    model_forget_row_changes(model);
    model_recovery *own = &model->recovery;
    model->fields_revision = 0;
    own->is_kept = own->is_estimated = false;
    ew_recovery_change_clear(&own->touched);
    ew_recovery_change_clear(&own->since);
}

static void forget(model_matrix *matrix)
{
    ew_pattern_dirty_free(&matrix->dirty);
    matrix->all_dirty = true;
    matrix->only_constants = false;
}

void model_matrices_forget(ew_model *model)
{
    model_touch_records(model);
    forget(&model->stiffness.matrix);
    forget(&model->dynamics.mass);
    forget(&model->dynamics.system.matrix);
    model->dynamics.has_changed = true;
}

void model_matrix_forget_constants(model_matrix *matrix)
{
    matrix->only_constants = !matrix->all_dirty || matrix->only_constants;
    matrix->all_dirty = true;
}

void model_follow_law(ew_model *model, const ew_material *before, const ew_material *now)
{
    model_touch_records(model);
    if (ew_material_law(before) != ew_material_law(now)) {
        model_matrices_forget(model);
        model->loads_current = false;
    }
}

void model_forget_frequencies(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    of->square = of->largest = -1.0;
    if (of->frequency) {
        memset(model->field[of->frequency].value, 0, (size_t)model->mesh.n_tet * sizeof(double));
    }
}

void model_forget_thermal(ew_model *model)
{
    if (model->nonlinear.thermal_current) {
        model_touch_records(model);
    }
    model->nonlinear.thermal_current = false;
}

void ew_model_touch_loads(ew_model *model)
{
    model_forget_thermal(model);
    model_touch_records(model); /* pressures that turn with faces are in the tangent */
    model->loads_current = false;
}

void model_touch_loads_of_field(ew_model *model, int32_t field)
{
    for (int32_t i = 0; i < model->n_load && field > 0; i++) {
        if (model->load[i].as.field == field) {
            ew_model_touch_loads(model);
        }
    }
}

void model_touch_constraints_of_field(ew_model *model, int32_t field)
{
    for (int32_t i = 0; i < model->n_constraint && field; i++) {
        model->constraints_current =
            model->constraints_current && model->constraint[i].field != field;
    }
}

void model_touch_springs_of_field(ew_model *model, int32_t field)
{
    for (int32_t i = 0; i < model->n_spring && field; i++) {
        if (model->spring[i].as.field == field) {
            model->spring[i].share_current = model->ground_current = false;
            model->spring_revision++;
        }
    }
}

void model_follow_dynamics(ew_model *model)
{
    const ew_list *moved = &model->change.moved_tet;
    model_dynamics *of = &model->dynamics;
    of->square = of->largest = -1.0;
    for (int32_t i = 0; i < moved->n && of->frequency; i++) {
        model->field[of->frequency].value[moved->id[i]] = 0.0;
    }
}
