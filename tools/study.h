/* What run and replay share: a case on its way from files to results. */
#ifndef EW_TOOL_STUDY_H
#define EW_TOOL_STUDY_H

#include "report.h"
#include "tool.h"

extern const char *const study_precision_names[4]; /* by ew_precision, as results record them */

typedef struct study_options {
    const char *output, *device, *log;
    int32_t precision, preconditioner, threads; /* EW_PRECONDITIONER_COUNT: as the case says */
    bool verify, quiet, verbose;
} study_options;

typedef struct tool_study {
    study_options options;
    const char *case_path;            /* names messages; other files are relative to its folder */
    const ew_result_archive *journal; /* replayed, or null */
    ew_case input;
    ew_mesh mesh;
    ew_device *device;
    ew_result *result;
    tool_progress progress;
    tool_log log;
    run_report report;
} tool_study;

/* Opens the device and the log, calls `read_case` to fill study->one, reads the mesh, runs the
 * steps, and writes NAME.vtkhdf, .xdmf and .csv. Reports a failure, releases everything and returns
 * the exit status. */
int study_run(tool_study *study, const char *name, ew_status (*read_case)(tool_study *));
/* The last part of `path` without folder and ending, then `suffix`; owned by the caller. */
ew_status study_name(const char *path, const char *suffix, char **name);
/* A name given for results, without .vtkhdf or .xdmf at its end. */
ew_status study_output(const char *path, char **name);

#endif
