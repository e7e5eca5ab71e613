/* A linear static solve: matrix, constraints and loads brought up to date, and the displacement. */
#include "model/formulation/formulation.h"
#include "model/matrices/place.h"
#include "model/solve/contact_rounds.h"

#include <string.h>

/* Of the tolerance, for an answer that later ones start from: sums of such are within it. */
#define KEPT_SHARE 0.1

/* row: all whose displacement the solve changed; null: any. */
static void note_answer(ew_model *model, const ew_list *row)
{
    model_row_change *change = &model->answer_change;
    change->is_known = false;
    if (!row) {
        model_forget_row_changes(model);
        return;
    }
    model_note_rows(model, row);
    ew_set_clear(&change->row);
    change->is_known = true;
}

/* known: of a solve made before, whose displacement is in place; null: none. */
static ew_status solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info *known)
{
    const double start = ew_seconds();
    ew_system system;
    ew_solver *solver;
    const ew_list *row = NULL;
    EW_TRY(def->preconditioner == EW_CHOLESKY ? model_refuse_mixed(model, "solver: cholesky")
                                              : EW_OK);
    EW_TRY(model_choose_system(model, def, &system, &solver));
    model->fields_revision = 0;
    model->dynamics.has_changed = model->dynamics.is_aside = true;
    model->peers = def->peers;
    ew_status status;
    if (!known) {
        model_put_prescribed_values(model, model->field[0].value);
        EW_TRY(model_put_equations(model, false, model->field[0].value));
        EW_TRY(model_add_friction_loads(model, &system.b));
    }
    if (model->mixed.is_on) {
        status = model_solve_mixed(model, &system, def, known);
    } else if (known) {
        status = ew_solver_accept(solver, &system, def, model->field[0].value, known, &model->info);
    } else {
        const model_row_change *change = &model->answer_change;
        const bool is_known = change->is_known && !model->is_writable;
        ew_solver_know_changes(solver, is_known ? &change->row.list : NULL);
        status = ew_solver_solve(solver, &system, def, model->field[0].value, &model->info);
        row = status ? NULL : ew_solver_local_rows(solver);
    }
    note_answer(model, row);
    model->solved_revision = status ? 0 : model->mesh.revision;
    model->report.seconds_solve += ew_seconds() - start;
    model_apply_thermal_strain_fully(model);
    return status ? status : model_keep_temperature(model);
}

static ew_status solve_round(ew_model *model, const ew_pcg_def *def)
{
    return solve(model, def, NULL);
}

static ew_status prepare_to_solve(ew_model *model, const ew_pcg_info **info)
{
    if (info) {
        *info = NULL;
    }
    EW_TRY(model_need_usable(model));
    if (!model->mesh.n_live_tet) {
        return ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
    }
    EW_TRY(model_need_linear(model, "model: a corotational body, or one with a law that is not "
                                    "linear, needs ew_model_solve_nonlinear"));
    return model_prepare_contacts(model);
}

ew_status ew_model_prepare(ew_model *model)
{
    return prepare_to_solve(model, NULL);
}

/* Without anything that a solve after it would start from. */
static void take_answer(ew_model *model, const ew_pcg_info *known)
{
    model->fields_revision = 0;
    model_forget_row_changes(model);
    model->dynamics.has_changed = model->dynamics.is_aside = true;
    model->info = *known;
    model->info.status = EW_OK;
    model->info.reason = "";
}

/* The start is the answer: an outcome of no preconditioner. */
static ew_status take_start(ew_model *model, const ew_pcg_info *known, const ew_pcg_info **info)
{
    take_answer(model, known);
    model->answer_change.is_known = false;
    model->solved_revision = model->mesh.revision;
    model_apply_thermal_strain_fully(model);
    if (info) {
        *info = &model->info;
    }
    return model_keep_temperature(model);
}

static ew_status solve_in_rounds(ew_model *model, const ew_pcg_def *def, const ew_pcg_info **info)
{
    model_begin_friction(model);
    model_start_rigid(model);
    model_place_rigid(model, 1.0);
    EW_TRY(prepare_to_solve(model, info));
    const ew_pcg_def first = model_first_round(model, def);
    const ew_status status = model_name_rough(&first, def, solve(model, &first, NULL));
    return status ? status : model_settle_contacts(model, &first, def, solve_round);
}

ew_status ew_model_solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info **info)
{
    const model_near near = model->near;
    model->near = (model_near){0};
    if (near.reference > 0.0 && near.residual <= def->tolerance) {
        return take_start(model,
                          &(ew_pcg_info){.reference = near.reference,
                                         .residual = near.residual,
                                         .first_residual = near.residual,
                                         .preconditioner = EW_AUTO_PRECONDITIONER},
                          info);
    }
    ew_pcg_def own = *def;
    own.tolerance *= near.reference > 0.0 ? KEPT_SHARE : 1.0;
    model->stiffness.matrix.takes_rows = model_takes_rows(model, def);
    ew_status status = solve_in_rounds(model, &own, info);
    if (status == EW_NOT_CONVERGED && near.reference > 0.0) { /* what was asked for may do */
        const ew_pcg_info before = model->info;
        status = solve_in_rounds(model, def, info);
        model->info.iterations += before.iterations;
        model->info.first_residual = before.first_residual;
    }
    model->info.limited_by_rounding =
        model->info.limited_by_rounding && model->info.residual > def->tolerance;
    model->stiffness.matrix.takes_rows = false;
    model->solved_revision = status ? 0 : model->solved_revision;
    if (info) {
        *info = &model->info;
    }
    return status;
}

void ew_model_expect_no_answers(ew_model *model)
{
    if (model->expects_answers) {
        model->expects_answers = false;
        model_matrices_forget(model);
    }
}

static ew_status accept(ew_model *model, const ew_pcg_def *def, const double *displacement,
                        const ew_pcg_info *known, const ew_pcg_info **info)
{
    model->near = (model_near){0};
    model_begin_friction(model);
    model_start_rigid(model);
    model_place_rigid(model, 1.0);
    EW_TRY(model->contacts.n ? model_update_supports(model) : EW_OK);
    memcpy(model->field[0].value, displacement,
           (size_t)model->mesh.n_vertex * 3 * sizeof *displacement);
    if (model->contacts.n) {
        EW_TRY(model_recall_contacts(model, MODEL_ZERO_GAP));
        model_settle_rigid(model);
    }
    if (known->preconditioner == EW_AUTO_PRECONDITIONER) { /* of take_start */
        return take_start(model, known, info);
    }
    EW_TRY(prepare_to_solve(model, info));
    ew_status status = EW_OK;
    if (model->expects_answers) {
        take_answer(model, known);
    } else {
        status = solve(model, def, known);
    }
    if (info) {
        *info = &model->info;
    }
    return status;
}

ew_status ew_model_accept(ew_model *model, const ew_pcg_def *def, const double *displacement,
                          const ew_pcg_info *known, const ew_pcg_info **info)
{
    const ew_status status = accept(model, def, displacement, known, info);
    model->contacts.n_put = 0; /* of this answer, whatever came of it */
    return status;
}
