/* Goals of a step, as lines and as numbers of its row. */
#include "report.h"

#include <stdio.h>

ew_status report_take_goals(const ew_step_report *step, report_row *row)
{
    double *at;
    row->n_goal_value = 0;
    for (int32_t i = 0; i < step->n_goal; i++) {
        row->n_goal_value += 2 + step->goal[i].goal->n_by;
    }
    if (!row->n_goal_value) {
        return EW_OK;
    }
    EW_TRY(ew_new(&row->goal, (size_t)row->n_goal_value, sizeof *row->goal));
    at = row->goal;
    for (int32_t i = 0; i < step->n_goal; i++) {
        const ew_goal_report *of = &step->goal[i];
        *at++ = of->value;
        *at++ = of->bound;
        for (int32_t k = 0; k < of->goal->n_by; k++) {
            *at++ = of->derivative[k];
        }
    }
    return EW_OK;
}

void report_goals(const ew_case *input, const ew_step_report *step)
{
    for (int32_t i = 0; i < step->n_goal; i++) {
        const ew_goal_report *of = &step->goal[i];
        printf("  goal         %s %.10g", of->goal->name, of->value);
        if (of->bound > 0.0) {
            printf(", within %.2g", of->bound);
        }
        for (int32_t k = 0; k < of->goal->n_by; k++) {
            printf("%s by %s %.6g", k ? "," : "; derivative",
                   input->parameter[of->goal->by[k]].name, of->derivative[k]);
        }
        puts("");
    }
}

void report_goal_cells(const run_report *report, const report_row *row)
{
    const ew_case *input = report->input;
    bool any = false;
    for (int32_t i = 0; i < report->n_row && !any; i++) {
        any = report->row[i].goal != NULL;
    }
    for (int32_t i = 0, at = 0; any && i < input->n_goal; at += 2 + input->goal[i++].n_by) {
        if (!row) {
            printf(" %20s", input->goal[i].name);
        } else if (row->goal) {
            printf(" %20.10g", row->goal[at]);
        } else {
            printf(" %20s", "-");
        }
    }
}
