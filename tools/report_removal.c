/* An element removal: a line for each of its rounds, and what it came to. */
#include "report.h"

static void print_round(const ew_step_report *step)
{
    const ew_removal_report *removal = step->removal;
    char tets[32], change[40] = "";
    if (removal->round == 0) {
        printf(
            "removal in step '%s'\n  round       tets   volume   compliance    removed   restored "
            "iterations  change\n",
            step->name);
    }
    if (removal->change == removal->change) {
        snprintf(change, sizeof change, "%7.3f %%", 100.0 * removal->change);
    }
    printf("  %5d %10s %6.2f %% %12.6g %10d %10d %10d %s\n", (int)removal->round,
           tool_count(removal->n_tet, tets), 100.0 * removal->share, removal->compliance,
           (int)removal->n_removed, (int)removal->n_restored, (int)removal->iterations, change);
}

void report_removal(run_report *report, const ew_step_report *step)
{
    const ew_removal_report *removal = step->removal;
    tool_log_begin(report->log, "removal");
    tool_log_text(report->log, "step", step->name);
    tool_log_number(report->log, "round", removal->round);
    tool_log_number(report->log, "tets", removal->n_tet);
    tool_log_number(report->log, "share", removal->share);
    tool_log_number(report->log, "compliance", removal->compliance);
    tool_log_number(report->log, "removed", removal->n_removed);
    tool_log_number(report->log, "restored", removal->n_restored);
    tool_log_number(report->log, "iterations", removal->iterations);
    tool_log_number(report->log, "seconds", removal->seconds);
    tool_log_end(report->log);
    if (report->result && !report->status) {
        report->status = report_csv_removal(report, step, report->result);
    }
    if (!report->quiet) {
        print_round(step);
    }
}

void report_removal_end(const ew_step_report *step)
{
    const ew_removal_report *removal = step->removal;
    if (removal) {
        printf("  left         %.2f %% of the volume after %d rounds, compliance %.6g",
               100.0 * removal->share, (int)removal->round, removal->compliance);
        if (removal->change == removal->change) {
            printf(", last change %.2g %%", 100.0 * removal->change);
        }
        puts("");
    }
}
