/* Tables and lines of places: paths, probes, walls, sections, mass. */
#ifndef EW_TOOL_REPORT_PLACES_H
#define EW_TOOL_REPORT_PLACES_H

#include "page.h"
#include "report.h"
#include "tool.h"

/* The heads of the tables that a case wants; then the rows of a record. */
ew_status report_places_begin(const ew_case *input, ew_result *result);
ew_status report_places_step(const ew_case *input, const ew_step_report *step, ew_result *result);
/* The names of these files, behind those of the others. */
void report_places_name_files(const ew_case *input, const char *name);
/* The step of a row, in sweeps the combination, and a name (null: none). */
void report_begin_row(page *to, const ew_case *input, const ew_step_report *step, const char *name);
/* The same for the table of `converge:`. (report_convergence.c) */
ew_status report_convergence_begin(const ew_case *input, ew_result *result);
ew_status report_convergence_step(const ew_case *input, const ew_step_report *step,
                                  ew_result *result);
void report_convergence_name_file(const ew_case *input, const char *name);
void report_convergence_print(const ew_step_report *step);
/* Lines of a record on the terminal; none without places. */
ew_status report_places_print(run_report *report, const ew_step_report *step);

#endif
