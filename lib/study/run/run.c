/* Drives a model through the steps of a case: edits, then an analysis, then a frame in the result
 * file and a report. How anything follows an edit is the model's business. */
#include "study/run/run.h"

#include <string.h>

ew_study_def ew_default_study_def(void)
{
    return (ew_study_def){.precision = EW_AUTO_PRECISION,
                          .preconditioner = EW_PRECONDITIONER_COUNT,
                          .operator_kind = -1,
                          .quadratic = -1,
                          .estimate_error = true,
                          .measure_edits = true};
}

static ew_status check_journal(const ew_case *input, const ew_result_archive *journal)
{
    const char *what = input->has_dynamics ? "steps and outputs" : "steps";
    if (journal && input->sweep && input->sweep->search) {
        return ew_fail_at(EW_BAD_INPUT, input->sweep->line,
                          "replay: a search is not replayed; sweep over the rows of its table "
                          "('sweep: {csv: ...}'), and replay that");
    }
    if (journal && journal->n_step < input->n_record) {
        return ew_fail(EW_BAD_INPUT,
                       "the result has %d of the %d %s of its case: a run that was stopped; go on "
                       "with 'edgewise run --resume' before a replay",
                       (int)ew_case_count_done(input, journal->n_step),
                       (int)ew_case_count_done(input, input->n_record), what);
    }
    if (journal && journal->n_step != input->n_record) {
        return ew_fail(EW_BAD_INPUT,
                       "the journal has %d %s, the case %d; replay needs the case the result was "
                       "made from",
                       (int)journal->n_step, what, (int)input->n_record);
    }
    return EW_OK;
}

/* Hands the mesh back, if a model has it. */
void ew_study_give_back(ew_study *study, ew_mesh *mesh)
{
    if (study->model) {
        ew_model_give_mesh(study->model, mesh);
    }
    ew_study_free(study);
}

static bool has_reset(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        any = any || input->step[s].reset;
    }
    return any;
}

static ew_status begin_study(ew_study *study, ew_mesh *mesh)
{
    EW_TRY(has_reset(study->input) || study->def.goes_on ? ew_mesh_copy(&study->base, mesh)
                                                         : EW_OK);
    EW_TRY(ew_study_start(study, mesh));
    if (study->def.on_sets) {
        study->def.on_sets(study->def.user, study->input->n_set, study->set_report);
    }
    return EW_OK;
}

ew_status ew_study_make(ew_study **study, const ew_case *input, const ew_study_def *def,
                        ew_result *result, const ew_result_archive *journal)
{
    ew_study *made = NULL;
    EW_TRY(check_journal(input, journal));
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->input = input;
    made->def = *def;
    made->result = result;
    made->replay = journal;
    made->n_recorded = def->checkpoint ? ew_checkpoint_n_record(def->checkpoint) : 0;
    *study = made;
    return EW_OK;
}

ew_status ew_study_create(ew_study **study, const ew_case *input, ew_mesh *mesh,
                          const ew_study_def *def, ew_result *result,
                          const ew_result_archive *journal)
{
    ew_study *made = NULL;
    EW_TRY(ew_study_make(&made, input, def, result, journal));
    const ew_status status = begin_study(made, mesh);
    if (status) {
        ew_study_give_back(made, mesh);
        return status;
    }
    *study = made;
    return EW_OK;
}

void ew_study_free(ew_study *study)
{
    if (!study) {
        return;
    }
    ew_study_free_start(study);
    ew_release(study->constraint);
    ew_release(study->spring);
    ew_release(study->load);
    ew_release(study->load_report);
    ew_release(study->shortening);
    ew_release(study->edit_report);
    ew_release(study->journal.data);
    ew_release(study->record.data);
    ew_release(study->number);
    ew_places_free(&study->places);
    ew_study_free_convergence(study);
    ew_study_free_removal(study);
    ew_study_free_parts(study);
    ew_study_free_snapshots(study);
    ew_study_free_envelope(study);
    ew_study_free_fatigue(study);
    for (int32_t k = 0; k < STUDY_N_FIELD; k++) {
        ew_release(study->field_values[k].value);
    }
    ew_release(study->group_set);
    ew_release(study);
}

ew_model *ew_study_model(ew_study *study)
{
    return study->model;
}

int32_t ew_study_n_done(const ew_study *study)
{
    return study->n_done;
}

/* ---- one step ---------------------------------------------------------- */

static ew_status estimate(ew_study *study, const ew_case_step *step)
{
    ew_step_report *report = &study->report;
    if (!ew_study_estimates(study)) {
        return EW_OK;
    }
    EW_TRY(ew_progress_report(&study->def.progress, "estimate", -1));
    EW_TRY(ew_model_estimate(study->model, &report->estimate, &report->adequacy));
    ew_study_judge(study, step);
    return EW_OK;
}

/* A static answer is of a body at rest, which a dynamic step after it starts from. */
static ew_status come_to_rest(ew_study *study)
{
    double *field[] = {ew_model_velocity(study->model), ew_model_acceleration(study->model)};
    const size_t n = 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
    for (int k = 0; k < 2; k++) {
        if (!field[k]) {
            return ew_fail(EW_NO_MEMORY, "no memory for velocities");
        }
        memset(field[k], 0, n * sizeof *field[k]);
    }
    return EW_OK;
}

static ew_status end_static(ew_study *study, const ew_case_step *step)
{
    study_yielding yielding = {0};
    EW_TRY(ew_study_evaluate_goals(study, step));
    if (!ew_study_recovers(study)) {
        study->report.has_goals_alone = true;
        ew_study_measure_body(study);
        ew_study_judge_residual(study);
        return ew_study_end_record(study, step);
    }
    if (!study->fields) { /* of rounds of a removal energies alone */
        EW_TRY(ew_model_recover(study->model, &study->fields, &study->report.sums));
    }
    EW_TRY(study->input->has_dynamics ? come_to_rest(study) : EW_OK);
    ew_study_judge_residual(study);
    if (step->converge) {
        ew_study_judge_convergence(study, step->converge);
    }
    EW_TRY(estimate(study, step));
    EW_TRY(ew_study_find_peak(study));
    if (!ew_case_takes_laws(study->input, step)) {
        ew_study_find_yielding(study, &yielding);
    }
    ew_study_judge_yielding(study, &yielding);
    EW_TRY(ew_study_keep_part(study));
    return ew_study_end_record(study, step);
}

/* A static step, or one that only edits. */
static ew_status run_static(ew_study *study, const ew_case_step *step)
{
    if (step->is_envelope) {
        ew_study_report_envelope(study);
        return ew_study_end_record(study, step);
    }
    if (step->is_fatigue) {
        EW_TRY(ew_study_evaluate_fatigue(study));
        return ew_study_end_record(study, step);
    }
    if (!step->has_static) {
        study->fields = NULL; /* of an analysis between edits */
        study->report.solver = NULL;
        ew_study_measure_body(study);
        return ew_study_end_record(study, step);
    }
    if (study->analyzed_revision != ew_model_mesh(study->model)->revision) {
        const ew_status status = ew_study_analyze(study, step);
        EW_TRY(status ? ew_study_save_equilibrium(study, step, status, end_static) : EW_OK);
    }
    return end_static(study, step);
}

static ew_status run_step(ew_study *study)
{
    const ew_case_step *step = &study->input->step[study->n_done];
    study->has_step_sets = false;
    EW_TRY(step->reset ? ew_study_start_again(study, study->input) : EW_OK);
    EW_TRY(ew_model_keep_history(study->model, ew_case_has_friction(study->input) &&
                                                   ew_case_solves_between(step)));
    EW_TRY(ew_study_begin_record(study, step));
    EW_TRY(study->notes_base ? ew_journal_base(&study->journal) : EW_OK);
    study->notes_base = false;
    EW_TRY(ew_study_set_laws(study, !ew_case_takes_laws(study->input, step)));
    EW_TRY(ew_study_set_loads(study, step, false)); /* losses are counted in those of the step */
    EW_TRY(ew_study_edit(study, step));
    if (ew_model_mesh(study->model)->n_live_tet == 0) {
        return ew_fail_at(EW_BAD_INPUT, step->line, "the edits leave no tets");
    }
    EW_TRY(ew_study_make_step_sets(study, step));
    ew_study_judge_units(study);
    ew_study_judge_solids(study);
    ew_study_judge_goals(study, step);
    return step->dynamic    ? ew_study_run_dynamic(study, step)
           : step->response ? ew_study_run_response(study, step)
           : step->n_mode   ? ew_study_run_modes(study, step)
                            : run_static(study, step);
}

ew_status ew_study_next(ew_study *study)
{
    if (study->n_done == study->input->n_step) {
        return ew_fail(EW_BAD_ARGUMENT, "study: all %d steps are done", study->n_done);
    }
    const ew_case_step *step = &study->input->step[study->n_done];
    if (study->n_record != study->first_record + step->first_record) {
        return ew_fail(EW_STALE, "study: step '%.60s' stopped half-way; its checkpoint goes on",
                       step->name);
    }
    const ew_status status = run_step(study);
    if (status) {
        study->motion.is_running = false;
        ew_fail_line(status, step->line);
        return ew_fail_prefix(status, "step '%.60s'", step->name);
    }
    study->n_done++;
    return EW_OK;
}
