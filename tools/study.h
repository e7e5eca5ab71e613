/* Common functions of run and replay: a case on its way from files to results. */
#ifndef EW_TOOL_STUDY_H
#define EW_TOOL_STUDY_H

#include "report.h"
#include "tool.h"

extern const char *const study_precision_names[4]; /* by ew_precision, as results record them */
extern const char *const study_operator_names[2];  /* by ew_operator_kind, likewise */

typedef struct study_options {
    const char *output, *device, *log;
    const char *mesh;                           /* where the last step's mesh goes, or null */
    int32_t surface_frames;                     /* bits, see ew_case_output */
    int32_t operator_kind;                      /* an ew_operator_kind; -1: as the case says */
    int32_t n_job;                              /* combinations of a sweep side by side */
    int32_t precision, preconditioner, threads; /* EW_PRECONDITIONER_COUNT: as the case says */
    int32_t solver;                             /* of EW_SOLVER_NAMES; -1: not given */
    bool verify, quiet, verbose, resume, vtu;
} study_options;

typedef struct tool_study tool_study;
/* Processes that run the same study together, each with all of it, of which the first one writes
 * (edgewise-mpi). */
typedef struct study_peers {
    ew_peers *peers;
    const ew_study_groups *groups; /* of a sweep, or null */
    /* Once the case and its mesh are read: what they do not share is refused. */
    ew_status (*check)(const tool_study *study);
    /* All have the same text; waits for all. */
    ew_status (*compare)(ew_peers *peers, const char *what, const char *text);
} study_peers;

struct tool_study {
    study_options options;
    const study_peers *together;      /* null: this process alone */
    const char *case_path;            /* names messages; other files are relative to its folder */
    const ew_result_archive *journal; /* replayed, or null */
    ew_case input;
    bool has_mesh;
    ew_mesh mesh;     /* taken over by the study; the groups stay */
    ew_groups groups; /* of the mesh, or of the surface that it is to be made from */
    ew_device *device;
    ew_result *result;
    ew_checkpoint *checkpoint;
    tool_progress progress;
    tool_log log;
    run_report report;
};

/* `edgewise run` of one of these processes; null: alone. (command_run.c) */
int study_command(int argc, char **argv, const study_peers *together);
/* Whether this process writes nothing, for another one does. */
static inline bool study_is_silent(const tool_study *study)
{
    const study_peers *together = study->together;
    return together &&
           (together->peers->rank > 0 || (together->groups && together->groups->group > 0));
}
/* Opens the device and the log, calls `read_case` to fill study->one, reads the mesh, runs the
 * steps, and writes NAME.vtkhdf, .xdmf and .csv. Reports a failure, releases everything and returns
 * the exit status. */
int study_run(tool_study *study, const char *name, ew_status (*read_case)(tool_study *));
/* The case of a text into study->input; the mesh is read with it where the case names parts of
 * it. The message has no file name. */
ew_status study_read_case(tool_study *study, const char *text, size_t size);
/* The same with these values [n_value] of its parameters (ew_case_def), into `input`. */
ew_status study_read_case_with(tool_study *study, const char *text, size_t size, int32_t n_value,
                               const double *value, ew_case *input);
/* What a study of the case needs to read files and to solve: all but what is told of its steps. */
ew_study_def study_def_of(tool_study *study);
/* The kind of the tets that the body begins with, by its name, once the mesh is there; *why_linear
 * as in ew_study_begins_quadratic. */
const char *study_elements(tool_study *study, const char **why_linear);
/* The same as a line. */
void study_print_elements(tool_study *study);
/* The mesh that study->input names into study->mesh, unless it is there; surfaces are filled. */
ew_status study_read_mesh(tool_study *study);

/* The device that options name, once the mesh is there; `auto` is a GPU only where the case can use
 * one. (study_device.c) */
ew_status study_open_device(tool_study *study);

/* A file that it names, for an ew_study_def. */
ew_status study_read_text(void *user, const char *file, ew_text *text);

/* Prints the steps of a case (case_info.c); whether a name is a case's: .yaml or .yml. */
int case_info(const char *path);
bool case_is_named(const char *path);

/* The summary as CSV into the result. */
ew_status study_add_table(tool_study *study);

/* inputs.c: files that a case names. */
typedef enum study_input_kind {
    STUDY_MESH, /* or the surface that it is made from */
    STUDY_COMBINATIONS,
    STUDY_AXES,
    STUDY_SURFACE,
    STUDY_AMPLITUDE,
    STUDY_EDIT, /* meshes, tables and surfaces that edits read */
    STUDY_START,
    STUDY_N_INPUT_KIND
} study_input_kind;
/* Checksums of all files of each kind but the mesh, 0 where there is none or it cannot be read. */
ew_status study_sum_inputs(const tool_study *study, uint64_t sum[STUDY_N_INPUT_KIND]);
/* EW_BAD_ARGUMENT where one of them has a name that results of this name take; has_frames: frames
 * as .vtu, too. */
ew_status study_refuse_overwriting(const tool_study *study, const char *name, bool has_frames);
/* The same of a mesh written to this path, and where results of this name may have it. */
ew_status study_refuse_mesh(const tool_study *study, const char *path, const char *name,
                            bool has_frames);
/* EW_BAD_ARGUMENT where the log is to be where results of this name or the mesh go. */
ew_status study_check_log(const tool_study *study, const char *name);
/* What results of NAME, and what is kept of a run that stopped as NAME.partial, may end in. */
enum { STUDY_N_ENDING = 15 };
_Static_assert((int)STUDY_N_ENDING <= (int)EW_REPLACE_MAX, "more files than are replaced together");
extern const char *const study_endings[STUDY_N_ENDING];

/* final_mesh.c: the mesh of the last step, where options ask for it. Before the run: whether there
 * is one, and the file can be written. */
ew_status study_check_mesh(const tool_study *study, const char *name, bool has_frames);
ew_status study_write_mesh(const tool_study *study);

/* resume.c */
/* NAME.checkpoint of this run; with --resume, what an earlier run has left in it. */
ew_status study_open_checkpoint(tool_study *study, const char *name, const char *device);
/* After a failure, whose status and message it gives back with what is kept: the completed frames
 * and rows take the name NAME.partial. */
ew_status study_keep_partial(tool_study *study, const char *name, ew_status status);
/* After a run that is complete. */
void study_remove_partial(const char *name);

/* The last part of `path` without folder and ending, then `suffix`; owned by the caller. */
ew_status study_name(const char *path, const char *suffix, char **name);
/* A name given for results, without .vtkhdf or .xdmf at its end. */
ew_status study_output(const char *path, char **name);

#endif
