/* Output of a dynamic step: what it is going to do, a line for each output, and at the
 * end what it came to. */
#include "report.h"

#include <math.h>

/* Lines of outputs between two heads. */
enum { LINES = 40 };

static const char *unit_of(const char *unit)
{
    return *unit ? unit : "";
}

void report_motion_begin(const run_report *report, const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    const char *unit = unit_of(report->input->time_unit);
    char text[32], stable[64] = "";
    if (isfinite(motion->stable_step)) {
        snprintf(stable, sizeof stable, " (stable up to %.4g)", motion->stable_step);
    }
    printf("  dynamic      %s, %s mass, %s time steps of %.6g%s%.60s%s, from %.6g to %.6g, %d "
           "outputs\n",
           ew_scheme_of(motion->scheme)->name,
           motion->mass == EW_MASS_LUMPED ? "lumped" : "consistent",
           tool_count(motion->n_step, text), motion->dt, *unit ? " " : "", unit, stable,
           motion->time, motion->time + motion->n_step * motion->dt, (int)motion->n_output + 1);
}

static void print_head(void)
{
    printf("  %-11s %11s %11s %11s %11s %11s %11s %11s %6s\n", "time", "kinetic", "strain",
           "damping", "external", "edits", "balance", "max u", "iter");
}

void report_motion_line(const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    const ew_energy_account *account = &motion->account;
    if (motion->output % LINES == 0) {
        print_head();
    }
    printf("  %-11.5g %11.4g %11.4g %11.4g %11.4g %11.4g %11.3g %11.4g %6d\n", motion->time,
           account->kinetic, account->strain + account->spring, account->damping_work,
           account->external_work, account->edit_work, account->balance,
           step->sums->max_displacement, (int)step->solver->iterations);
}

static void print_energies(const ew_motion_report *motion)
{
    const ew_energy_account *a = &motion->account;
    printf("  energy       kinetic %.6g + strain %.6g", a->kinetic, a->strain);
    if (a->spring != 0) {
        printf(" + springs %.6g", a->spring);
    }
    if (a->dissipated != 0) {
        printf(" + dissipated %.6g", a->dissipated);
    }
    printf(" + damping %.6g", a->damping_work);
    if (a->friction_work != 0) {
        printf(" + friction %.6g", a->friction_work);
    }
    printf(" = at the start %.6g + external work %.6g", a->initial, a->external_work);
    if (a->edit_work != 0) {
        printf(" + edits %.6g", a->edit_work);
    }
    printf(", out of balance by %.2g, at most %.2g\n", a->balance, motion->largest_balance);
    printf(
        "  momentum     linear (%.6g, %.6g, %.6g), angular about the origin (%.6g, %.6g, %.6g)\n",
        a->linear_momentum[0], a->linear_momentum[1], a->linear_momentum[2], a->angular_momentum[0],
        a->angular_momentum[1], a->angular_momentum[2]);
}

static void print_time(const char *name, double seconds, int32_t n, bool first)
{
    char text[32];
    printf("%s %s %s", first ? "" : ",", name, tool_duration(seconds / n, text));
}

static void print_times(const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    const int32_t n = motion->n_step;
    const double whole = motion->seconds_update + motion->seconds_loads + motion->seconds_rhs +
                         motion->seconds_solve + motion->seconds_account;
    char text[32];
    printf("  time         %s a time step:", tool_duration(whole / n, text));
    print_time("loads", motion->seconds_loads, n, true);
    print_time("right-hand side", motion->seconds_rhs, n, false);
    print_time("solve", motion->seconds_solve, n, false);
    print_time("account", motion->seconds_account, n, false);
    if (motion->seconds_update > 0) {
        print_time("matrices", motion->seconds_update, n, false);
    }
    const double output = motion->seconds_recover + motion->seconds_estimate + motion->seconds_save;
    printf("; outputs %s in all\n", tool_duration(output, text));
}

void report_motion_end(const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    if (motion->iterations) {
        printf("  solver       %.1f iterations a time step, at most %d; residual %.2e at most\n",
               (double)motion->iterations / motion->n_step, (int)motion->max_iterations,
               step->solver->residual);
    }
    print_energies(motion);
    print_times(step);
}
