/* A case that `edgewise run` solves while the page goes on, and the body or the result that the
 * page shows. */
#ifndef EW_VIEW_RUN_H
#define EW_VIEW_RUN_H

#include "view.h"

#include <sys/types.h>

/* ---- the process (run.c) -----------------------------------------------------------------------
 */

enum { VIEW_RUN_TEXT = 64 << 10 }; /* bytes that are kept of what it prints: the last ones */
/* Zeroed: none. */
typedef struct view_run {
    pid_t child; /* 0: none, or it has ended */
    int from;    /* its output */
    bool is_stopped;
    double start;    /* of ew_seconds */
    char *text;      /* [VIEW_RUN_TEXT + 1] owned: what it printed */
    size_t n;        /* bytes of it */
    char name[1024]; /* of the results, without an ending */
} view_run;
/* Starts this program as `edgewise run CASE -o NAME`, with as many threads as the caller has. */
ew_status view_run_start(view_run *run, const char *case_path, const char *name);
/* Reads what it has printed since. False: it has ended, with *exit_status as a shell has it. */
bool view_run_goes_on(view_run *run, int *exit_status);
/* Has it end as Ctrl-C does: completed steps stay as NAME.partial. */
void view_run_stop(view_run *run);
void view_run_free(view_run *run); /* ends it at once; safe on a zeroed one */

/* ---- what the page shows (run_subject.c) -------------------------------------------------------
 */

/* A session of a played body that knows three commands more: `run` saves the case and runs it, and
 * when it has ended its result is shown; `stop` ends the run, `body` shows the body again. The
 * source is borrowed. */
view_subject view_run_subject(view_source *source);
/* As view_command_replaces, of bodies and of results: their drags have other names. From any
 * thread. */
bool view_run_replaces(const cJSON *command, const cJSON *waiting);

#endif
