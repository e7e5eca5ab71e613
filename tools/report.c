/* Output of a run: step by step, and the table at the end. */
#include "report.h"
#include "report_places.h"

#include <math.h>
#include <string.h>

static double length3(const double *vector)
{
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

static void print_verification(const run_report *report, const ew_step_report *step)
{
    char touched[32], total[32], fast[32], slow[32];
    const int64_t n_touched = step->touched_blocks - step->built_blocks;
    if (!report->verbose && !step->verified) {
        return;
    }
    if (step->n_edit > 0 && (step->nonlinear || n_touched > step->total_blocks)) {
        printf("  revalidated  %s blocks, counted again in every iteration; the matrix has %s\n",
               tool_count(n_touched, touched), tool_count(step->total_blocks, total));
    } else if (step->removal) {
        printf("  revalidated  %s blocks for %d edits and analyses in between; the matrix has %s\n",
               tool_count(n_touched, touched), (int)step->n_edit,
               tool_count(step->total_blocks, total));
    } else if (step->n_edit == 1) {
        printf("  revalidated  %s of %s blocks\n", tool_count(n_touched, touched),
               tool_count(step->total_blocks, total));
    } else if (step->n_edit > 1) {
        printf("  revalidated  %s blocks once for %d edits; the matrix has %s\n",
               tool_count(n_touched, touched), (int)step->n_edit,
               tool_count(step->total_blocks, total));
    }
    if (step->verified) {
        printf("  rebuild      %lld blocks differ, by at most %g; revalidation %s, rebuild %s\n",
               (long long)step->different_blocks, step->largest_difference,
               tool_duration(ew_step_seconds_revalidate(step), fast),
               tool_duration(step->seconds_rebuild_topology + step->seconds_rebuild_matrix, slow));
    }
}

/* Digits below a billionth of the largest force or moment, or what the residual leaves, are noise.
 */
static void print_resultant(const char *what, const double force[3], const double moment[3],
                            double force_dust, double moment_dust, const char *unit)
{
    char f[64], m[64];
    printf("  %-12s force %s%s, moment about the origin %s\n", what,
           report_vector(force, 6, force_dust, f), unit, report_vector(moment, 6, moment_dust, m));
}

static void print_sums(const run_report *report, const ew_step_report *step)
{
    const ew_sums *sums = step->sums;
    const double noise = fmax(1e-9, 10.0 * step->solver->residual);
    const double forces = fmax(length3(sums->applied_force), length3(sums->reaction_force));
    const double moments = fmax(fmax(length3(sums->applied_moment), length3(sums->reaction_moment)),
                                forces * cbrt(sums->volume));
    char force[64];
    report_unit(report->input->force_unit, force);
    report_extremes(report, step);
    print_resultant("applied", sums->applied_force, sums->applied_moment, noise * forces,
                    noise * moments, force);
    print_resultant("reaction", sums->reaction_force, sums->reaction_moment, noise * forces,
                    noise * moments, force);
    if (step->equation_force > 0.0) {
        printf("  equations    act on a point with a force of %.6g%s at most\n",
               step->equation_force, force);
    }
    if (step->has_tie) {
        report_ties(report, step);
    }
    if (step->has_contact) {
        report_contact(report, step);
    }
    report_balance(step, sums);
    if (sums->thermal_work != 0) {
        printf(" + work on expansion %.6g", sums->thermal_work);
    }
    if (sums->spring_energy > 0) {
        printf("; energy of springs %.6g", sums->spring_energy);
    }
    puts("");
}

static void print_times(const ew_step_report *step)
{
    const struct {
        const char *name;
        double seconds;
    } stages[] = {
        {"choose", step->seconds_choose},   {"commit", step->seconds_edit},
        {"tables", step->seconds_topology}, {"sets and fields", step->seconds_follow},
        {"matrix", step->seconds_matrix},   {"preconditioner", step->seconds_preconditioner},
        {"loads", step->seconds_loads},     {"solve", step->seconds_solve},
        {"recover", step->seconds_recover}, {"estimate", step->seconds_estimate},
        {"save", step->seconds_save},
    };
    printf("  time        ");
    for (size_t i = 0, shown = 0; i < sizeof stages / sizeof *stages; i++) {
        char text[32];
        if (stages[i].seconds > 0) {
            printf("%s %s %s", shown++ ? "," : "", stages[i].name,
                   tool_duration(stages[i].seconds, text));
        }
    }
    puts("");
}

/* Work of the direct solver; nothing is printed for an iterative one. */
static const char *describe_factor(const ew_pcg_info *solver, char text[96])
{
    const ew_factor_info *factor = &solver->factor;
    char entries[32];
    if (solver->preconditioner == EW_CHOLESKY && factor->work == EW_FACTOR_UPDATED) {
        snprintf(text, 96, ": factor updated by %d columns, %s numbers", (int)factor->n_column,
                 tool_count(factor->n_entry, entries));
    } else if (solver->preconditioner == EW_CHOLESKY) {
        snprintf(text, 96, ": %s factor, %s numbers",
                 factor->work == EW_FACTOR_NEW ? "new" : "the same",
                 tool_count(factor->n_entry, entries));
    }
    return text;
}

/* What `auto` did is said when it is asked for, and when its first choice failed. */
static void print_preconditioner(const run_report *report, const ew_pcg_info *solver)
{
    char factor[96] = "";
    if (report->verbose || solver->fallback || solver->preconditioner == EW_CHOLESKY) {
        printf("  with         %s%s%s%s%s%s%s\n", ew_preconditioner_name(solver->preconditioner),
               describe_factor(solver, factor), *solver->reason ? " (" : "", solver->reason,
               solver->fallback ? ": " : "",
               solver->fallback ? ew_status_text(solver->fallback) : "",
               *solver->reason ? ")" : "");
    }
}

static void print_mesh(const ew_step_report *step)
{
    char tets[32], vertices[32], edges[32];
    printf("  mesh         %s tets, %s vertices, %s edges; volume %.6g",
           tool_count(step->n_tet, tets), tool_count(step->n_vertex, vertices),
           tool_count(step->n_edge, edges), step->sums->volume);
    if (step->n_edge_row) {
        printf(", %s edges of quadratic tets", tool_count(step->n_edge_row, edges));
    }
    if (step->sums->mass > 0) {
        printf(", mass %.6g", step->sums->mass);
    }
    puts("");
}

/* The first output says what comes, each one a line, the last one what it came to. */
static void print_output(const run_report *report, const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    if (motion->output == 0) {
        printf("step '%s'%s\n", step->name, step->is_recalled ? " (from the checkpoint)" : "");
    }
    report_edits(report->input, step);
    if (motion->output == 0) {
        print_mesh(step);
        report_sets(report->input, step->set, false);
        report_motion_begin(report, step);
    }
    if (step->n_edit) {
        print_verification(report, step);
    }
    report_motion_line(step);
    if (motion->output == motion->n_output) {
        report_motion_end(step);
        print_preconditioner(report, step->solver);
        report_extremes(report, step);
        report_set_results(report, step->set, step->sums->reaction_force);
    }
}

/* Why a step that may be answered within an energy error has no estimate of it. */
static const char *why_no_estimate(const run_report *report, const ew_pcg_info *info)
{
    return report->input->mixed ? "equations, devices and solves of many iterations have none"
           : info->preconditioner != EW_RIGID ? "its preconditioner gives none"
                                              : "equations, springs on faces of quadratic "
                                                "tets and devices have none";
}

static void print_solver(const run_report *report, const ew_step_report *step)
{
    const ew_pcg_info *info = step->solver;
    printf("  solver       %d iterations, residual %.2e of the load", (int)info->iterations,
           info->residual);
    if (info->energy_error > 0.0) {
        printf("; error at most %.2g of the energy norm%s", info->energy_error,
               info->is_local ? ", corrected around the edit alone" : "");
    } else if (report->input->step[step->step].energy_tolerance > 0.0) {
        printf("; no estimated energy error: %s", why_no_estimate(report, info));
    }
    printf("\n");
}

/* What is needed first; the mesh, the solver and times where they are asked for. */
static void print_step(const run_report *report, const ew_step_report *step)
{
    printf("%s '%s'%s\n", report->input->step[step->step].n_part ? "combination" : "step",
           step->name, step->is_recalled ? " (from the checkpoint)" : "");
    report_edits(report->input, step);
    report_removal_end(step);
    if (report->verbose || !step->solver) {
        print_mesh(step);
    }
    print_verification(report, step);
    report_sets(report->input, step->set, false);
    report_goals(report->input, step);
    if (step->solver && !step->has_goals_alone) {
        print_sums(report, step);
        report_nonlinear(report, step);
        report_loads(step);
        report_set_results(report, step->set, step->sums->reaction_force);
        if (report->verbose) {
            print_solver(report, step);
        }
        print_preconditioner(report, step->solver);
    }
    if (report->verbose) {
        print_times(step);
    }
}

static void print_mode(const run_report *report, const ew_step_report *step)
{
    if (step->mode == 0) {
        printf("step '%s'\n", step->name);
        report_edits(report->input, step);
        print_mesh(step);
    }
    report_mode(report, step);
}

static ew_status fill_row(const ew_step_report *step, report_row *row)
{
    int32_t n = 0;
    while (report_csv_number(EW_STEPS_TABLE, n + 1)) {
        n++;
    }
    EW_TRY(ew_new_zero(&row->cell, (size_t)n, sizeof *row->cell));
    for (int32_t k = 0; ew_step_number_at(k); k++) {
        const int32_t place = ew_step_number_at(k)->csv[EW_STEPS_TABLE];
        if (place) {
            struct report_cell *cell = &row->cell[place - 1];
            cell->has = ew_step_number_of(k, step, cell->value);
        }
    }
    EW_TRY(report_take_goals(step, row));
    report_mode_name(step, row->mode, sizeof row->mode);
    memcpy(row->lost_force, step->lost_force, sizeof row->lost_force);
    return EW_OK;
}

static ew_status copy_text(const char *text, char **copy)
{
    const size_t size = strlen(text) + 1;
    EW_TRY(ew_new(copy, size, 1));
    memcpy(*copy, text, size);
    return EW_OK;
}

/* A combination of a sweep that failed has its rows, too. */
static void fail_row(run_report *report, const ew_step_report *step, report_row *row)
{
    report->status = copy_text(step->failure, &row->failure);
    if (!report->status) {
        report->n_failed +=
            !report->n_failed || row[-1].combination != row->combination || !row[-1].failure;
    }
}

/* Of the outputs of a dynamic step one is enough. */
static bool is_told(const run_report *report, const ew_step_report *step)
{
    const report_row *last = report->n_row ? &report->row[report->n_row - 1] : NULL;
    return step->failure && last && last->failure && !strcmp(last->name, step->name);
}

/* A dynamic step has its row at its end. */
static void keep_row(run_report *report, const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    report->n_record += !step->is_partial;
    report->is_partial = step->is_partial;
    if (motion && report->result && !report->status) {
        report->status = report_csv_output(report, step, report->result);
    }
    if (report->result && !report->status && !step->failure) {
        report->status = report_places_step(report->input, step, report->result);
    }
    if (report->status || (motion && motion->output < motion->n_output && !step->is_partial) ||
        is_told(report, step)) {
        return;
    }
    report->status =
        ew_grow(&report->row, &report->row_capacity, report->n_row + 1, sizeof *report->row);
    if (report->status) {
        return;
    }
    report_row *row = &report->row[report->n_row++];
    *row = (report_row){.combination = step->combination};
    report->status = copy_text(step->name, &row->name);
    if (report->status) {
        report->n_row--;
        return;
    }
    row->judged = step->is_judged;
    row->objective = step->objective;
    row->violation = step->violation;
    for (int32_t k = 0; k < step->n_parameter; k++) {
        row->parameter[k] = step->parameter[k].value;
    }
    if (step->failure) {
        fail_row(report, step, row);
    } else {
        report->status = fill_row(step, row);
    }
    if (report->result && !report->status) {
        report->status = report_csv_step(report, step, report->result);
    }
}

static ew_status take_envelope(run_report *report, const ew_step_report *step)
{
    EW_TRY(step->failure ? EW_OK : envelope_take_report(&report->envelope, step));
    if (!step->is_envelope) {
        return EW_OK;
    }
    if (report->result) {
        EW_TRY(report_csv_envelope(report, step, report->result));
    }
    report->envelope.n = 0;
    return EW_OK;
}

void report_step(run_report *report, const ew_step_report *step)
{
    report_log(report->log, step);
    keep_row(report, step);
    report->status = report->status ? report->status : report_take_warnings(report, step);
    report->status = report->status ? report->status : take_envelope(report, step);
    if (!report->quiet && step->failure) {
        printf("step '%s' failed: %s\n", step->name, step->failure);
    } else if (!report->quiet && step->motion) {
        print_output(report, step);
    } else if (!report->quiet && (step->modes || step->buckling)) {
        print_mode(report, step);
    } else if (!report->quiet && step->has_response) {
        report_response(report, step);
    } else if (!report->quiet && step->fatigue) {
        report_fatigue(report, step);
    } else if (!report->quiet && step->is_envelope) {
        report_envelope(report, step);
    } else if (!report->quiet) {
        print_step(report, step);
        report_convergence_print(step);
    }
    if (!report->quiet && !step->failure && !report->status) {
        report->status = report_places_print(report, step);
    }
    if (report->verbose && !step->failure && step->solver) {
        for (int32_t i = 0; i < step->solver->n_history; i++) {
            printf("  iteration %6d  residual %.3e\n", (int)i + 1, step->solver->history[i]);
        }
    }
}

/* A vector by its length; "-" for what did not happen. */
static const char *write_cell(const ew_step_number *number, const struct report_cell *cell,
                              char text[32])
{
    const double value = number->n == 1 ? cell->value[0] : length3(cell->value);
    switch (number->kind) {
    case EW_COUNT_NUMBER:
        tool_count((int64_t)value, text);
        break;
    case EW_SHARE_NUMBER:
        snprintf(text, 32, "%.5g", round(1e4 * value) / 100);
        break;
    case EW_SECONDS_NUMBER:
        tool_duration(value, text);
        break;
    default:
        snprintf(text, 32, "%.5g", value);
    }
    return cell->has ? text : "-";
}

/* The number in this column, from 1; null behind the last. */
static const ew_step_number *number_at(int32_t place)
{
    const ew_step_number *number;
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        if (number->place == place) {
            return number;
        }
    }
    return NULL;
}

/* A load that is not there any more must not be found out by chance. */
static void print_losses(const run_report *report)
{
    for (int32_t i = 0; i < report->n_row; i++) {
        const double *lost = report->row[i].lost_force;
        if (length3(lost) > 0) {
            printf("step '%.60s' lost the force (%.6g, %.6g, %.6g) of its loads, with what its "
                   "edits took away\n",
                   report->row[i].name, lost[0], lost[1], lost[2]);
        }
    }
}

/* Without a density the mass is 0, and says nothing. */
static bool is_known(const run_report *report, const ew_step_number *number)
{
    bool any = strcmp(number->name, "mass") != 0;
    for (int32_t i = 0; i < report->n_row && !any; i++) {
        any = report->row[i].cell &&
              report->row[i].cell[number->csv[EW_STEPS_TABLE] - 1].value[0] > 0;
    }
    return any;
}

/* Times and iterations are for those who ask. */
static bool is_in_table(const run_report *report, const ew_step_number *number)
{
    return report->verbose || (is_known(report, number) && number->kind != EW_SECONDS_NUMBER &&
                               strcmp(number->name, "iterations") != 0);
}

void report_table(const run_report *report)
{
    const ew_step_number *number;
    printf("\n%-20s", "step");
    for (int32_t place = 1; (number = number_at(place)); place++) {
        if (is_in_table(report, number)) {
            printf(" %*s", (int)number->width, number->heading);
        }
    }
    report_goal_cells(report, NULL);
    puts("");
    for (int32_t i = 0; i < report->n_row; i++) {
        const report_row *row = &report->row[i];
        char text[32];
        tool_print_padded(row->mode[0] ? row->mode : row->name, 20);
        if (row->failure) {
            printf(" failed: %.200s\n", row->failure);
            continue;
        }
        for (int32_t place = 1; (number = number_at(place)); place++) {
            if (is_in_table(report, number)) {
                printf(" %*s", (int)number->width,
                       write_cell(number, &row->cell[number->csv[EW_STEPS_TABLE] - 1], text));
            }
        }
        report_goal_cells(report, row);
        puts("");
    }
    print_losses(report);
}

void report_free(run_report *report)
{
    for (int32_t i = 0; i < report->n_row; i++) {
        ew_release(report->row[i].name);
        ew_release(report->row[i].failure);
        ew_release(report->row[i].cell);
        ew_release(report->row[i].goal);
    }
    ew_release(report->row);
    ew_release(report->warning);
    ew_release(report->peak);
    envelope_free(&report->envelope);
    report->row = NULL;
    report->warning = NULL;
    report->peak = NULL;
}
