/* Warnings of a run. In: those of its steps. Out: a line for each kind and each edit or load that
 * they are about, with the number of steps that have it and the text of the last one. */
#include "report.h"

#include <string.h>

static report_warning *find(run_report *report, const ew_warning *warning)
{
    for (int32_t i = 0; i < report->n_warning; i++) {
        report_warning *known = &report->warning[i];
        if (known->last.kind == warning->kind && known->last.line == warning->line) {
            return known;
        }
    }
    return NULL;
}

static ew_status add(run_report *report, report_warning **added)
{
    EW_TRY(ew_grow(&report->warning, &report->warning_capacity, (int64_t)report->n_warning + 1,
                   sizeof *report->warning));
    *added = &report->warning[report->n_warning++];
    **added = (report_warning){.step = -1};
    return EW_OK;
}

ew_status report_take_warnings(run_report *report, const ew_step_report *step)
{
    for (int32_t i = 0; i < step->n_warning; i++) {
        report_warning *known = find(report, &step->warning[i]);
        EW_TRY(known ? EW_OK : add(report, &known));
        known->n_step += known->step != step->step || known->combination != step->combination;
        known->step = step->step;
        known->combination = step->combination;
        known->last = step->warning[i];
        snprintf(known->name, sizeof known->name, "%s", step->name);
    }
    return EW_OK;
}

void report_warnings(const run_report *report)
{
    for (int32_t i = 0; i < report->n_warning; i++) {
        const report_warning *known = &report->warning[i];
        if (known->n_step > 1) {
            printf("warning: in %d steps, last in '%s': ", (int)known->n_step, known->name);
        } else {
            printf("warning: in step '%s': ", known->name);
        }
        puts(known->last.text);
    }
}
