/* A dynamic step. In: the model after the step's edits, with its sets. Out: the body in motion,
 * time step by time step, with edits in between, and a record of each output: the first one of the
 * state at its start. An output that the checkpoint has is taken from there, and each time the
 * solver goes on as if it began, so that a resumed run has the bits of one that was not stopped. */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- an output ------------------------------------------------------------------------ */

static void add_moment(const double *x, const double *f, double moment[3])
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        moment[c] += x[d] * f[e] - x[e] * f[d];
    }
}

/* The loads alone: the sums of the recovery count inertia and damping as loads, too. On the
 * function of an edge a force has a moment where the side is curved: a rotation moves its middle
 * beyond the mean of the ends. */
static void sum_loads(const ew_study *study, ew_motion_report *report)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const double *force = ew_model_force(study->model);
    const double *on_edge = ew_model_edge_force(study->model);
    memset(report->applied_force, 0, sizeof report->applied_force);
    memset(report->applied_moment, 0, sizeof report->applied_moment);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *f = force + 3 * (size_t)v;
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            report->applied_force[c] += f[c];
        }
        if (ew_mesh_vertex_is_active(mesh, v)) {
            add_moment(mesh->xyz + 3 * (size_t)v, f, report->applied_moment);
        }
    }
    for (int32_t row = 0; on_edge && rows->curve && row < rows->pattern.n_row; row++) {
        if (rows->edge[row] >= 0) {
            add_moment(rows->curve + 3 * (size_t)row, on_edge + 3 * (size_t)row,
                       report->applied_moment);
        }
    }
}

/* What the warnings at the end are given by: the estimate where the body is strained most, and how
 * far it turns and strains at any time. */
static ew_status estimate(ew_study *study)
{
    study_motion *motion = &study->motion;
    ew_step_report *report = &study->report;
    if (!study->def.estimate_error) {
        return EW_OK;
    }
    EW_TRY(ew_model_estimate(study->model, &report->estimate, &report->adequacy));
    const ew_adequacy *now = report->adequacy;
    ew_adequacy *worst = &motion->worst;
    if (report->sums->strain_energy > motion->peak_energy) {
        motion->peak_energy = report->sums->strain_energy;
        motion->peak_error = report->estimate->share;
        worst->bent = now->bent;
        worst->layers = now->layers;
    }
    worst->rotated = fmax(worst->rotated, now->rotated);
    worst->strained = fmax(worst->strained, now->strained);
    worst->max_rotation = fmax(worst->max_rotation, now->max_rotation);
    worst->max_strain = fmax(worst->max_strain, now->max_strain);
    return EW_OK;
}

static ew_status take_account(ew_study *study)
{
    study_motion *motion = &study->motion;
    ew_motion_report *report = &motion->report;
    const ew_energy_account *now = &report->account;
    EW_TRY(ew_model_account(study->model, &report->account));
    report->largest_balance = fmax(report->largest_balance, fabs(now->balance));
    motion->balance = fabs(now->balance) > fabs(motion->balance) ? now->balance : motion->balance;
    motion->energy =
        fmax(motion->energy, fmax(now->kinetic + now->strain + now->spring + now->dissipated,
                                  fmax(fabs(now->external_work), now->damping_work)));
    sum_loads(study, report);
    return EW_OK;
}

/* All that an output says and saves of the state in place. */
static ew_status end_output(ew_study *study, const ew_case_step *step)
{
    study_motion *motion = &study->motion;
    ew_motion_report *report = &motion->report;
    EW_TRY(ew_model_recover(study->model, &study->fields, &study->report.sums));
    EW_TRY(take_account(study));
    EW_TRY(estimate(study));
    EW_TRY(ew_study_find_peak(study));
    if (report->output == report->n_output && study->def.estimate_error) {
        ew_study_judge_motion(study);
    }
    if (!ew_case_takes_laws(study->input, step)) {
        ew_study_find_yielding(study, &motion->yielding);
    }
    if (report->output == report->n_output) {
        ew_study_judge_yielding(study, &motion->yielding);
    }
    study->report.solver = &motion->solver;
    study->report.motion = report;
    report->sample_time = motion->time;
    report->sample = motion->sample;
    EW_TRY(ew_study_save_samples(study));
    EW_TRY(ew_study_end_record(study, step));
    report->seconds_recover += study->report.seconds_recover;
    report->seconds_estimate += study->report.seconds_estimate;
    report->seconds_save += study->report.seconds_save;
    report->n_sample = 0;
    return EW_OK;
}

/* ---- time steps ------------------------------------------------------------------------- */

static void count_step(study_motion *motion, const ew_advance_info *info)
{
    ew_motion_report *report = &motion->report;
    report->seconds_update += info->seconds_update;
    report->seconds_loads += info->seconds_loads;
    report->seconds_rhs += info->seconds_rhs;
    report->seconds_solve += info->seconds_solve;
    report->seconds_account += info->seconds_account;
    if (!info->solver) {
        return;
    }
    const ew_pcg_info before = motion->solver;
    motion->solver = *info->solver;
    motion->solver.n_history = 0;
    motion->solver.history = NULL;
    motion->solver.iterations += before.iterations;
    motion->solver.residual = fmax(before.residual, info->solver->residual);
    motion->solver.limited_by_rounding |= before.limited_by_rounding;
    report->iterations += info->solver->iterations;
    report->max_iterations = report->max_iterations > info->solver->iterations
                                 ? report->max_iterations
                                 : info->solver->iterations;
}

static ew_status advance(ew_study *study, const ew_case_step *step)
{
    study_motion *motion = &study->motion;
    ew_motion_report *report = &motion->report;
    const ew_advance_info *info = NULL;
    EW_TRY(ew_study_edit_at(study, step, report->n_done));
    EW_TRY(ew_progress_report(&study->def.progress, "time steps",
                              (double)report->n_done / report->n_step));
    const ew_status status = ew_model_advance(study->model, report->dt, &info);
    if (status) {
        return ew_fail_prefix(status, "time step %d, from %g on", (int)report->n_done + 1,
                              ew_case_time(step, report->n_done));
    }
    count_step(motion, info);
    report->n_done++;
    report->time = ew_case_time(step, report->n_done);
    return ew_study_take_sample(study);
}

static bool is_of_motion(ew_status status)
{
    return status == EW_NOT_CONVERGED || status == EW_INDEFINITE || status == EW_NOT_FINITE;
}

/* Up to a time step; one that fails leaves what the model reached, which is saved where it is later
 * than the last output. In a sweep a record has its place. */
static ew_status advance_until(ew_study *study, const ew_case_step *step, int32_t until)
{
    ew_motion_report *report = &study->motion.report;
    const double before = ew_model_time(study->model);
    ew_status status = EW_OK;
    char state[64];
    while (!status && report->n_done < until) {
        status = advance(study, step);
    }
    const double time = ew_model_time(study->model);
    if (!is_of_motion(status) || time == before || study->combination) {
        return status;
    }
    report->time = time;
    snprintf(state, sizeof state, "time %.9g", time);
    return ew_study_save_reached(study, step, status, state, end_output);
}

/* From the checkpoint: the edits, then the state that the time steps led to. */
static ew_status advance_again(ew_study *study, const ew_case_step *step)
{
    EW_TRY(ew_study_edit_again(study, step));
    return ew_study_recall_motion(study);
}

/* The state in place is noted, and what follows depends on it alone. */
static ew_status go_on_from_state(ew_study *study)
{
    ew_dynamics_state state;
    const double *contact;
    int64_t n;
    EW_TRY(ew_study_note_motion(study));
    EW_TRY(ew_model_dynamics_state(study->model, &state));
    EW_TRY(ew_model_contact_state(study->model, &n, &contact));
    EW_TRY(ew_model_put_contact_state(study->model, n, contact));
    return ew_model_restore_dynamics(study->model, &study->motion.def, &state);
}

/* The time steps up to the next output. */
static ew_status reach_output(ew_study *study, const ew_case_step *step)
{
    study_motion *motion = &study->motion;
    ew_motion_report *report = &motion->report;
    const int32_t every = step->dynamic->every, left = report->n_step - report->n_done;
    const int32_t until = report->n_done + (left < every ? left : every);
    EW_TRY(ew_study_begin_record(study, step));
    motion->solver =
        (ew_pcg_info){.preconditioner = motion->def.solver.preconditioner, .reason = ""};
    motion->replayed = 0;
    report->output++;
    if (study->recalled.data) {
        EW_TRY(advance_again(study, step));
        ew_study_skip_edits(study, step, until);
        report->n_done = until;
        report->time = ew_case_time(step, until);
    } else {
        EW_TRY(advance_until(study, step, until));
        EW_TRY(ew_study_end_replay(study));
        EW_TRY(go_on_from_state(study));
    }
    return end_output(study, step);
}

/* ---- the step ---------------------------------------------------------------------------- */

static ew_dynamics_def def_of(const ew_study *study, const ew_case_step *step)
{
    ew_dynamics_def def = step->dynamic->def;
    if (study->def.preconditioner != EW_PRECONDITIONER_COUNT) {
        def.solver.preconditioner = study->def.preconditioner;
    }
    def.solver.direct = study->def.direct;
    def.solver.peers = study->def.peers;
    def.solver.precision = study->def.precision;
    return def;
}

static void open_motion(ew_study *study, const ew_case_step *step)
{
    const ew_case_dynamic *of = step->dynamic;
    study_motion *motion = &study->motion;
    motion->def = def_of(study, step);
    motion->next_edit = 0;
    motion->peak_energy = -1.0;
    motion->peak_error = 0.0;
    motion->balance = motion->energy = 0.0;
    motion->worst = (ew_adequacy){0};
    motion->yielding = (study_yielding){0};
    motion->solver =
        (ew_pcg_info){.preconditioner = motion->def.solver.preconditioner, .reason = ""};
    motion->report = (ew_motion_report){.n_output = ew_case_n_output(step),
                                        .n_step = of->n_step,
                                        .time = step->start,
                                        .dt = (of->end - step->start) / of->n_step,
                                        .scheme = of->def.scheme,
                                        .mass = of->def.mass,
                                        .n_probe = of->n_probe};
}

/* Refused before anything is saved. */
static ew_status check_step(ew_study *study, const ew_case_step *step)
{
    ew_motion_report *report = &study->motion.report;
    const ew_status status = ew_model_check_step(study->model, report->dt);
    return status ? ew_fail_line(status, step->dynamic->line)
                  : ew_model_stable_step(study->model, &report->stable_step);
}

/* What is restored without a state of contacts has those points closed that touch. */
static ew_status find_closed_points(ew_study *study)
{
    ew_dynamics_state state;
    EW_TRY(ew_model_dynamics_state(study->model, &state));
    return ew_model_restore_dynamics(study->model, &study->motion.def, &state);
}

/* The state at the start, whose record has the step's edits. */
static ew_status start(ew_study *study, const ew_case_step *step)
{
    study_motion *motion = &study->motion;
    open_motion(study, step);
    EW_TRY(ew_study_choose_operator(study, step));
    EW_TRY(ew_study_set_supports(study, step));
    EW_TRY(ew_study_set_loads(study, step, true));
    EW_TRY(ew_study_update_loads(study, step));
    EW_TRY(ew_study_open_probes(study, step));
    if (study->recalled.data) {
        EW_TRY(ew_study_recall_motion(study));
    } else {
        EW_TRY(ew_study_put_initial_state(study, step));
        EW_TRY(ew_progress_report(&study->def.progress, "matrix", -1));
        EW_TRY(ew_study_begin_motion(study, &motion->def, step->start));
        EW_TRY(ew_study_take_sample(study));
        EW_TRY(study->input->n_contact ? find_closed_points(study) : EW_OK);
        EW_TRY(go_on_from_state(study));
    }
    EW_TRY(check_step(study, step));
    motion->is_running = true;
    return end_output(study, step);
}

ew_status ew_study_run_dynamic(ew_study *study, const ew_case_step *step)
{
    const ew_motion_report *report = &study->motion.report;
    ew_status status = start(study, step);
    while (!status && report->n_done < report->n_step) {
        status = reach_output(study, step);
    }
    study->motion.is_running = false;
    ew_model_stop_dynamics(study->model);
    return status;
}
