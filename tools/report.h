/* What a run tells: per step on stdout and in the log, at the end a table. */
#ifndef EW_TOOL_REPORT_H
#define EW_TOOL_REPORT_H

#include "tool.h"

/* One line of the table at the end. */
typedef struct report_row {
    const char *name; /* borrowed from the case */
    int32_t n_tet, iterations;
    double volume, mass;
    bool solved; /* false: the step only edits, the next three and the iterations say nothing */
    double max_displacement, max_von_mises, reaction;
    double seconds_revalidate, seconds_rebuild, seconds_solve; /* < 0: did not happen */
} report_row;

typedef struct run_report {
    const ew_case *input;
    tool_log *log;
    bool quiet, verbose;
    int32_t n_row, row_capacity;
    report_row *row;  /* owned */
    ew_status status; /* of keeping the rows */
} run_report;

void report_step(run_report *report, const ew_step_report *step);
void report_table(const run_report *report);
/* The same table as comma separated values. */
ew_status report_csv(const run_report *report, ew_text *text);
void report_free(run_report *report);

#endif
