/* Drives a model through the steps of a case: edits, then an analysis, then a frame in the result
 * file and a report. How anything follows an edit is the model's business. */
#include "study/run/run.h"

#include <string.h>

ew_study_def ew_default_study_def(void)
{
    return (ew_study_def){.precision = EW_AUTO_PRECISION,
                          .preconditioner = EW_PRECONDITIONER_COUNT,
                          .operator_kind = -1,
                          .estimate_error = true,
                          .measure_edits = true};
}

static ew_status check_journal(const ew_case *input, const ew_result_archive *journal)
{
    const char *what = input->has_dynamics ? "steps and outputs" : "steps";
    if (journal && input->sweep && input->sweep->search) {
        return ew_fail_at(EW_UNSUPPORTED, input->sweep->line,
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
static void give_back(ew_study *study, ew_mesh *mesh)
{
    if (study->model) {
        ew_model_give_mesh(study->model, mesh);
    }
    ew_study_free(study);
}

static bool resets(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        any = any || input->step[s].reset;
    }
    return any;
}

static ew_status begin(ew_study *study, ew_mesh *mesh)
{
    EW_TRY(resets(study->input) || study->def.goes_on ? ew_mesh_copy(&study->base, mesh) : EW_OK);
    EW_TRY(ew_study_start(study, mesh));
    if (study->def.on_sets) {
        study->def.on_sets(study->def.user, study->input->n_set, study->set_report);
    }
    return EW_OK;
}

static ew_status make(ew_study **study, const ew_case *input, const ew_study_def *def,
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
    EW_TRY(make(&made, input, def, result, journal));
    const ew_status status = begin(made, mesh);
    if (status) {
        give_back(made, mesh);
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
    ew_release(study->edit_report);
    ew_release(study->journal.data);
    ew_release(study->record.data);
    ew_release(study->number);
    ew_study_free_removal(study);
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

/* The whole case's, so that a run that is resumed chooses as one that is not. Analyses between
 * edits come on top; nobody knows how many. */
enum { REMOVAL_SOLVES = 50 };
static int32_t count_static_solves(const ew_case *input)
{
    int32_t n = 0;
    for (int32_t s = 0; s < input->n_step; s++) {
        n += input->step[s].has_static + (input->step[s].remove ? REMOVAL_SOLVES : 0);
    }
    return n;
}

ew_status ew_study_choose_operator(ew_study *study, const ew_case_step *step)
{
    const int32_t own = study->def.operator_kind;
    return ew_model_set_operator(study->model,
                                 own < 0 ? step->operator_kind : (ew_operator_kind)own);
}

static ew_status solve(ew_study *study, const ew_case_step *step)
{
    ew_pcg_def def = ew_default_pcg_def();
    if (step->has_static) {
        def.tolerance = step->tolerance;
        def.max_iterations = step->max_iterations;
        def.preconditioner = step->preconditioner;
    }
    if (study->def.preconditioner != EW_PRECONDITIONER_COUNT) {
        def.preconditioner = study->def.preconditioner;
    }
    def.expected_solves = count_static_solves(study->input);
    def.direct = study->def.direct;
    def.precision = study->def.precision;
    def.progress = study->def.progress;
    EW_TRY(ew_study_choose_operator(study, step));
    EW_TRY(ew_study_set_supports(study, step));
    if (study->input->leave_out_free) {
        EW_TRY(ew_study_leave_out(study));
    }
    EW_TRY(ew_study_set_supports(study, step));
    EW_TRY(ew_study_set_loads(study, step, true));
    EW_TRY(ew_study_update_loads(study, step));
    EW_TRY(ew_progress_report(&study->def.progress, "matrix", -1));
    return ew_study_solve(study, &def);
}

ew_status ew_study_analyze(ew_study *study, const ew_case_step *step)
{
    EW_TRY(solve(study, step));
    return ew_model_recover(study->model, &study->fields, &study->report.sums);
}

/* Once a step: after its edits, or before the first analysis between them, after which they follow
 * the mesh like any others. */
static ew_status make_sets(ew_study *study, const ew_case_step *step)
{
    if (study->has_step_sets) {
        return EW_OK;
    }
    study->has_step_sets = true;
    return ew_study_make_step_sets(study, step);
}

ew_status ew_study_analyze_between(ew_study *study, const ew_case_step *step)
{
    if (study->analyzed_revision == ew_model_mesh(study->model)->revision) {
        return EW_OK;
    }
    if (study->motion.is_running) {
        EW_TRY(ew_model_recover(study->model, &study->fields, &study->report.sums));
    } else {
        EW_TRY(make_sets(study, step));
        study->fields = NULL;
        EW_TRY(step->remove ? ew_study_remember_sets(study) : EW_OK);
        EW_TRY(step->remove ? solve(study, step) : ew_study_analyze(study, step));
    }
    study->analyzed_revision = ew_model_mesh(study->model)->revision;
    EW_TRY(ew_journal_analysis(&study->journal));
    return step->remove ? ew_study_note_removal(study) : EW_OK;
}

static ew_status estimate(ew_study *study, const ew_case_step *step)
{
    ew_step_report *report = &study->report;
    if (!study->def.estimate_error) {
        return EW_OK;
    }
    EW_TRY(ew_progress_report(&study->def.progress, "estimate", -1));
    EW_TRY(ew_model_estimate(study->model, &report->estimate, &report->adequacy));
    ew_study_judge(study, step);
    return EW_OK;
}

static ew_status verify(ew_study *study)
{
    ew_model_verification result;
    ew_step_report *report = &study->report;
    EW_TRY(ew_model_verify(study->model, &result));
    report->verified = true;
    report->seconds_rebuild_topology = result.seconds_tables;
    report->seconds_rebuild_matrix = result.seconds_matrix;
    report->different_blocks = result.n_different;
    report->largest_difference = result.largest;
    return result.n_different
               ? ew_fail(EW_MATRIX_DIFFERS,
                         "%lld blocks of the revalidated matrix differ from a rebuild, by up to "
                         "%.3g; none may: this is an error of edgewise, please report it with the "
                         "case and its mesh",
                         (long long)result.n_different, result.largest)
               : EW_OK;
}

static double density_of(const ew_case *input, int32_t label)
{
    double density = 0.0;
    for (int32_t i = 0; i < input->n_material; i++) {
        if (input->material[i].region == label && !input->material[i].all_regions) {
            return input->material[i].material.density;
        }
        density = input->material[i].all_regions ? input->material[i].material.density : density;
    }
    return density;
}

/* Volume and mass, summed as ew_sums_take does. */
static void measure_body(ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    study->body = (ew_sums){0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double volume = ew_mesh_tet_volume(mesh, t);
            study->body.volume += volume;
            study->body.mass +=
                volume * density_of(study->input, mesh->region_label[mesh->region[t]]);
        }
    }
    study->report.sums = &study->body;
}

static void fill_report(ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_model_report *cost = ew_model_view_report(study->model);
    ew_step_report *report = &study->report;
    report->n_tet = mesh->n_live_tet;
    report->n_vertex = mesh->n_active_vertex;
    report->n_edge = ew_model_topology(study->model)->pattern.n_live_pair;
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    report->n_edge_row = rows ? rows->n_live : 0;
    report->total_blocks = (int64_t)report->n_vertex + report->n_edge + report->n_edge_row;
    report->built_blocks = cost->built_blocks;
    report->touched_blocks = cost->touched_blocks + cost->built_blocks;
    if (report->nonlinear) { /* the same where it was done before and is recalled */
        report->touched_blocks = report->nonlinear->touched_blocks;
        report->built_blocks = 0;
    }
    report->seconds_built = cost->seconds_built;
    report->seconds_choose = cost->seconds_choose;
    report->seconds_edit = cost->seconds_commit;
    report->seconds_topology = cost->seconds_tables;
    report->seconds_follow = cost->seconds_boundary + cost->seconds_follow;
    report->seconds_matrix = cost->seconds_matrix;
    report->seconds_preconditioner = cost->seconds_preconditioner;
    report->seconds_loads = cost->seconds_loads + cost->seconds_support;
    report->seconds_solve = cost->seconds_solve + study->seconds_recalled;
    report->seconds_recover = cost->seconds_recover;
    report->seconds_estimate = cost->seconds_estimate;
    report->seconds_compact = cost->seconds_compact;
    memcpy(report->lost_force, cost->lost_force, sizeof report->lost_force);
    for (int32_t s = 0; s < study->input->n_set; s++) {
        const bool is_told = !study->set[s].is_new && !study->input->set[s].in_edit;
        const ew_model_set set = ew_model_view_set(study->model, s);
        const int32_t *before = study->removal.n_member; /* some come back */
        study->lost_members[s] = !is_told ? 0 : before ? before[s] - set.n_active : set.n_lost;
    }
    report->lost_members = study->lost_members;
    ew_study_report_surfaces(study);
    report->mesh = mesh;
}

ew_status ew_study_begin_record(ew_study *study, const ew_case_step *step)
{
    memset(&study->report, 0, sizeof study->report);
    study->report.step = study->n_done;
    study->report.name = step->name;
    study->report.n_set = study->input->n_set;
    study->report.has_laws = ew_case_is_inelastic(study->input);
    study->report.combination = study->combination;
    study->report.n_combination = study->n_combination;
    study->report.n_parameter = study->input->n_parameter;
    study->report.parameter = study->input->parameter;
    study->fields = NULL;
    study->journal.bytes = 0;
    for (int32_t s = 0; s < study->input->n_set; s++) {
        study->set[s].is_new = false;
    }
    study->analyzed_revision = 0;
    ew_study_forget_sets(study);
    study->seconds_recalled = 0.0;
    EW_TRY(ew_study_recall(study));
    EW_TRY(ew_study_fail_again(study));
    ew_model_set_frame(study->model, study->n_record);
    return EW_OK;
}

ew_status ew_study_end_record(ew_study *study, const ew_case_step *step)
{
    if (study->def.verify_rebuild && study->report.n_edit) {
        EW_TRY(verify(study));
    }
    fill_report(study);
    EW_TRY(ew_study_report_sets(study, step));
    EW_TRY(step->has_static ? ew_study_report_loads(study, step) : EW_OK);
    EW_TRY(study->report.is_partial ? EW_OK : ew_study_keep(study));
    ew_study_judge_combination(study);
    EW_TRY(ew_study_save(study, step));
    if (study->def.on_step) {
        study->def.on_step(study->def.user, &study->report);
    }
    ew_model_clear_report(study->model);
    study->n_record++;
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

ew_status ew_study_end_static(ew_study *study, const ew_case_step *step)
{
    study_yielding yielding = {0};
    if (!study->fields) { /* of rounds of a removal energies alone */
        EW_TRY(ew_model_recover(study->model, &study->fields, &study->report.sums));
    }
    EW_TRY(study->input->has_dynamics ? come_to_rest(study) : EW_OK);
    ew_study_judge_residual(study);
    EW_TRY(estimate(study, step));
    if (!ew_case_takes_laws(study->input, step)) {
        ew_study_find_yielding(study, &yielding);
    }
    ew_study_judge_yielding(study, &yielding);
    return ew_study_end_record(study, step);
}

/* A static step, or one that only edits. */
static ew_status run_static(ew_study *study, const ew_case_step *step)
{
    if (!step->has_static) {
        study->fields = NULL; /* of an analysis between edits */
        study->report.solver = NULL;
        measure_body(study);
        return ew_study_end_record(study, step);
    }
    if (study->analyzed_revision != ew_model_mesh(study->model)->revision) {
        const ew_status status = ew_study_analyze(study, step);
        EW_TRY(status ? ew_study_save_equilibrium(study, step, status) : EW_OK);
    }
    return ew_study_end_static(study, step);
}

static ew_status run_step(ew_study *study)
{
    const ew_case_step *step = &study->input->step[study->n_done];
    study->has_step_sets = false;
    EW_TRY(step->reset ? ew_study_start_again(study, study->input) : EW_OK);
    EW_TRY(ew_study_begin_record(study, step));
    EW_TRY(study->notes_base ? ew_journal_base(&study->journal) : EW_OK);
    study->notes_base = false;
    EW_TRY(ew_study_set_laws(study, !ew_case_takes_laws(study->input, step)));
    EW_TRY(ew_study_set_loads(study, step, false)); /* losses are counted in those of the step */
    EW_TRY(ew_study_edit(study, step));
    if (ew_model_mesh(study->model)->n_live_tet == 0) {
        return ew_fail_at(EW_BAD_INPUT, step->line, "the edits leave no tets");
    }
    EW_TRY(make_sets(study, step));
    return step->dynamic  ? ew_study_run_dynamic(study, step)
           : step->n_mode ? ew_study_run_modes(study, step)
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

/* The mesh stays as it was: each combination takes a copy. */
static ew_status run_sweep(const ew_case *input, ew_mesh *mesh, const ew_study_def *def,
                           ew_result *result, const ew_result_archive *journal)
{
    ew_study *study = NULL;
    EW_TRY(make(&study, input, def, result, journal));
    study->def.groups = NULL;
    study->base = *mesh;
    const ew_status status = ew_study_sweep(study);
    memset(&study->base, 0, sizeof study->base);
    ew_study_free(study);
    return status;
}

ew_status ew_study_run(const ew_case *input, ew_mesh *mesh, const ew_study_def *def,
                       ew_result *result, const ew_result_archive *journal)
{
    ew_study *study = NULL;
    if (input->sweep) {
        return run_sweep(input, mesh, def, result, journal);
    }
    EW_TRY(ew_study_create(&study, input, mesh, def, result, journal));
    ew_status status = EW_OK;
    while (!status && study->n_done < input->n_step) {
        status = ew_study_next(study);
    }
    status = status ? status : ew_study_take_groups(study);
    status = status ? status : ew_model_store_curves(study->model);
    give_back(study, mesh);
    return status;
}
