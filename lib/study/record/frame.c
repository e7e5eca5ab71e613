/* A step's frame in the result file: fields (fields.c), numbers, the journal. A step without an
 * analysis has a mesh and no fields. */
#include "study/run/interfaces.h"
#include "study/run/run.h"

#include <stdio.h>
#include <string.h>

/* Every so many steps, the last, and what a step reached that failed. */
static bool has_frame(const ew_study *study)
{
    if (study->report.motion || study->report.is_partial) {
        return true;
    }
    const int32_t n = study->n_done + 1;
    return n % study->input->output.every == 0 || n == study->input->n_step;
}

/* ---- what a frame has ---------------------------------------------------- */

enum { N_NUMBER = 43, N_MOTION = 8, N_NONLINEAR = 5, N_REMOVAL = 4 };

/* Tets are written with ten nodes where some step of the case has quadratic ones: all frames of a
 * file are alike. *bent: as in edges, the caller's. */
static ew_status take_edges(const ew_study *study, ew_result_edges *edges, double **bent)
{
    const ew_topology *topology = ew_model_topology(study->model);
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    *edges = (ew_result_edges){topology->pattern.n_pair,
                               topology->pattern.pair_row,
                               topology->tet_to_edge,
                               NULL,
                               NULL,
                               NULL};
    *bent = NULL;
    if (!rows) {
        return EW_OK;
    }
    const size_t n = (size_t)edges->n_edge;
    EW_TRY(ew_new_zero(bent, 4 * n, 3 * sizeof **bent));
    edges->bent = *bent;
    edges->curve = rows->curve ? *bent + 9 * n : NULL;
    for (int32_t row = 0; row < rows->pattern.n_row; row++) {
        const size_t edge = (size_t)rows->edge[row];
        if (rows->edge[row] < 0) {
            continue;
        }
        for (int32_t k = 0; k < (study->input->has_dynamics ? 3 : 1); k++) {
            memcpy(*bent + 9 * edge + 3 * (size_t)k,
                   ew_model_edge_state(study->model, k) + 3 * (size_t)row, 3 * sizeof **bent);
        }
        if (rows->curve) {
            memcpy(*bent + 9 * n + 3 * edge, rows->curve + 3 * (size_t)row, 3 * sizeof **bent);
        }
    }
    return EW_OK;
}

/* Numbers of a step that are no doubles. */
typedef struct counts {
    double iterations, touched, total, n_tet, n_vertex, n_edge, n_edge_row, limited, time_steps,
        mode;
} counts;

/* What was not computed is 0. */
static void list_numbers(const ew_step_report *report, counts *count,
                         ew_result_number list[N_NUMBER])
{
    static const ew_sums no_sums;
    static const ew_pcg_info no_info;
    static const ew_estimate no_estimate;
    static const ew_adequacy no_adequacy;
    const ew_sums *sums = report->sums ? report->sums : &no_sums;
    const ew_pcg_info *solver = report->solver ? report->solver : &no_info;
    const ew_estimate *estimate = report->estimate ? report->estimate : &no_estimate;
    const ew_adequacy *adequacy = report->adequacy ? report->adequacy : &no_adequacy;
    const ew_motion_report *motion = report->motion;
    *count = (counts){.iterations = solver->iterations,
                      .touched = (double)report->touched_blocks,
                      .total = (double)report->total_blocks,
                      .n_tet = report->n_tet,
                      .n_vertex = report->n_vertex,
                      .n_edge = report->n_edge,
                      .n_edge_row = report->n_edge_row,
                      .limited = solver->limited_by_rounding};
    const ew_result_number all[N_NUMBER] = {
        {"iterations", 1, &count->iterations},
        {"residual", 1, &solver->residual},
        {"limited_by_rounding", 1, &count->limited},
        {"seconds_choose", 1, &report->seconds_choose},
        {"seconds_edit", 1, &report->seconds_edit},
        {"seconds_topology", 1, &report->seconds_topology},
        {"seconds_follow", 1, &report->seconds_follow},
        {"seconds_matrix", 1, &report->seconds_matrix},
        {"seconds_preconditioner", 1, &report->seconds_preconditioner},
        {"seconds_compact", 1, &report->seconds_compact},
        {"seconds_loads", 1, &report->seconds_loads},
        {"seconds_solve", 1, &report->seconds_solve},
        {"seconds_setup", 1, &solver->seconds_setup},
        {"seconds_recover", 1, &report->seconds_recover},
        {"seconds_estimate", 1, &report->seconds_estimate},
        {"n_tet", 1, &count->n_tet},
        {"n_vertex", 1, &count->n_vertex},
        {"n_edge", 1, &count->n_edge},
        {"n_quadratic_edge", 1, &count->n_edge_row},
        {"touched_blocks", 1, &count->touched},
        {"total_blocks", 1, &count->total},
        {"applied_force", 3, motion ? motion->applied_force : sums->applied_force},
        {"applied_moment", 3, motion ? motion->applied_moment : sums->applied_moment},
        {"reaction_force", 3, sums->reaction_force},
        {"reaction_moment", 3, sums->reaction_moment},
        {"equilibrium", 1, &sums->equilibrium},
        {"external_work", 1, motion ? &motion->account.external_work : &sums->external_work},
        {"strain_energy", 1, &sums->strain_energy},
        {"thermal_work", 1, &sums->thermal_work},
        {"spring_energy", 1, &sums->spring_energy},
        {"volume", 1, &sums->volume},
        {"mass", 1, &sums->mass},
        {"max_displacement", 1, &sums->max_displacement},
        {"max_von_mises", 1, &sums->max_von_mises},
        {"max_tet_von_mises", 1, &sums->max_tet_von_mises},
        {"max_averaged_von_mises", 1, &sums->max_vertex_von_mises},
        {"error_norm", 1, &estimate->error_norm},
        {"error_share", 1, &estimate->share},
        {"peak_recovered", 1, &estimate->peak_recovered},
        {"peak_error", 1, &estimate->peak_share},
        {"bent", 1, &adequacy->bent},
        {"max_rotation", 1, &adequacy->max_rotation},
        {"max_strain", 1, &adequacy->max_strain},
    };
    memcpy(list, all, sizeof all);
}

/* More of an output of a dynamic step. How many. */
static int32_t list_motion(const ew_motion_report *motion, counts *count,
                           ew_result_number list[N_MOTION])
{
    if (!motion) {
        return 0;
    }
    const ew_energy_account *account = &motion->account;
    count->time_steps = motion->n_done;
    const ew_result_number all[N_MOTION] = {
        {"time_steps", 1, &count->time_steps},
        {"initial_energy", 1, &account->initial},
        {"kinetic_energy", 1, &account->kinetic},
        {"damping_work", 1, &account->damping_work},
        {"edit_work", 1, &account->edit_work},
        {"energy_balance", 1, &account->balance},
        {"linear_momentum", 3, account->linear_momentum},
        {"angular_momentum", 3, account->angular_momentum},
    };
    memcpy(list, all, sizeof all);
    return N_MOTION;
}

/* Time steps are longer than this many records at one time can ever need. */
static const double apart = 1e-6;

/* In studies without dynamics the number of the step. Else the time, a little later where there is
 * a frame of that time already, for a time axis ascends: as after a static step, which takes none.
 */
double ew_study_frame_time(ew_study *study, const ew_case_step *step)
{
    const ew_case *input = study->input;
    const ew_motion_report *motion = study->report.motion;
    if (!input->has_dynamics) {
        return study->n_record;
    }
    const double time = study->axis_start + (motion ? motion->time : step->start);
    const double least = study->axis_time + apart * input->shortest_step;
    study->axis_time = study->n_record && time < least ? least : time;
    return study->axis_time;
}

/* That of the step, of a shape with its number. */
static void name_frame(const ew_study *study, const ew_case_step *step, char name[160])
{
    if (step->n_mode) {
        snprintf(name, 160, "%.120s mode %d", step->name, (int)study->report.mode + 1);
    } else {
        snprintf(name, 160, "%.159s", step->name);
    }
}

ew_status ew_study_save(ew_study *study, const ew_case_step *step)
{
    const bool hands_over = study->sink && study->sink->is_whole;
    if (!study->result && !(hands_over && study->sink->wants_frames)) {
        return hands_over ? ew_outcome_add(study, NULL) : EW_OK;
    }
    const double start = ew_seconds();
    const ew_pcg_info *solver = study->report.solver;
    ew_result_field fields[STUDY_N_FIELD];
    ew_result_number numbers[N_NUMBER + N_MOTION + N_NONLINEAR + STUDY_N_LAW_NUMBER + N_REMOVAL +
                             STUDY_N_PARAMETER_NUMBER];
    study_parameter_names names;
    int32_t n_field = 0;
    double of_newton[N_NONLINEAR];
    counts count;
    study_warning_texts warnings;
    ew_frame_sets *sets = NULL;
    ew_result_edges edges;
    double *bent = NULL;
    study_interfaces interfaces;
    EW_TRY(take_edges(study, &edges, &bent));
    ew_status status = ew_study_take_interfaces(study, has_frame(study), &interfaces);
    edges.stress = interfaces.middle;
    status = status ? status : ew_study_list_fields(study, &interfaces, fields, &n_field);
    list_numbers(&study->report, &count, numbers);
    int32_t n_more = list_motion(study->report.motion, &count, numbers + N_NUMBER);
    n_more += ew_study_mode_numbers(&study->report, &count.mode, numbers + N_NUMBER + n_more);
    n_more += ew_study_nonlinear_numbers(&study->report, of_newton, numbers + N_NUMBER + n_more);
    n_more += ew_study_law_numbers(study, numbers + N_NUMBER + n_more);
    n_more += ew_study_parameter_numbers(study, study->input, &names, numbers + N_NUMBER + n_more);
    double n_round;
    n_more += ew_study_removal_numbers(&study->report, &n_round, numbers + N_NUMBER + n_more);
    char name[160];
    name_frame(study, step, name);
    ew_study_join_warnings(&study->report, &warnings);
    ew_result_frame frame = {
        .name = name,
        .kind = step->has_static    ? "static"
                : step->dynamic     ? "dynamic"
                : step->is_buckling ? "buckling"
                : step->n_mode      ? "modes"
                                    : "edit",
        .time = ew_study_frame_time(study, step),
        .mesh = has_frame(study) ? ew_model_mesh(study->model) : NULL,
        .edges = study->quadratic || ew_case_is_quadratic(study->input) ? &edges : NULL,
        .n_field = n_field,
        .field = fields,
        .n_number = N_NUMBER + n_more,
        .number = numbers,
        .measure = ew_study_measure(study),
        .warnings = warnings.text,
        .warning_kinds = warnings.kind,
        .n_history = solver ? solver->n_history : 0,
        .history = solver ? solver->history : NULL,
        .journal_bytes = (size_t)study->journal.bytes,
        .journal = study->journal.data,
    };
    status = status ? status : ew_progress_report(&study->def.progress, "save", -1);
    status = status ? status : ew_frame_sets_list(study, &sets, &frame);
    if (!status) {
        status =
            hands_over ? ew_outcome_add(study, &frame) : ew_result_add_frame(study->result, &frame);
    }
    ew_frame_sets_free(sets);
    ew_release(bent);
    ew_study_free_interfaces(&interfaces);
    if (status || hands_over) {
        return status;
    }
    EW_TRY(ew_study_save_surfaces(study, &frame));
    study->report.seconds_save = ew_seconds() - start;
    return ew_result_add_number(study->result, "seconds_save", study->report.seconds_save);
}
