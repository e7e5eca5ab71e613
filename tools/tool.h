/* Shared by the commands of the program: options, files, progress, log, messages. A command parses
 * options, reads, calls the library, writes, reports; it has no numerics of its own. */
#ifndef EW_TOOL_H
#define EW_TOOL_H

#include "cad/parts/cad.h"
#include "format/parts/format.h"
#include "model/parts/model.h"
#include "study/study.h"

#include <stdio.h>

/* ---- commands (edgewise.c) --------------------------------------------- */

/* argv[0] is the command's own name. Returns the exit status: 0 done, 1 the computation
 * failed, 2 bad usage or input. */
typedef int tool_command(int argc, char **argv);
tool_command tool_run, tool_replay, tool_report, tool_mesh, tool_shape, tool_info, tool_check,
    tool_convert, tool_devices, tool_view, tool_new,
    tool_bench; /* bench: in builds with EW_BUILD_BENCH */

/* A command with its summary, for each of the table. */
typedef void tool_command_visitor(const char *name, const char *summary);
/* edgewise completion. list: calls a visitor for each command; help_of_all: runs each with --help.
 * (completion.c) */
int tool_complete(int argc, char **argv, void (*list)(tool_command_visitor *visit),
                  void (*help_of_all)(void));
/* Writes the reference of results. (help_results.c) */
void tool_help_results(void);
/* Each operation is a command, too. */
int tool_edit(const ew_operation *operation, int argc, char **argv);

enum { TOOL_DONE = 0, TOOL_FAILED = 1, TOOL_BAD_INPUT = 2 };

/* ---- failures (failure.c) ---------------------------------------------- */

/* The name before the lines of failures, "edgewise" at first; borrowed. */
void tool_name_program(const char *name);
/* Prints "edgewise: " and the line to stderr; returns TOOL_BAD_INPUT. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int tool_refuse(const char *format, ...);
/* Prints the library's last message, after `file` where it is not null, and returns the exit status
 * that belongs to the status code. */
int tool_report_failure(ew_status status, const char *file);

/* ---- the environment (environment.c) ----------------------------------- */

/* First of all in main: chooses how many threads there are and how they wait, and starts the
 * program once more with that in its environment. Returns where nothing is to be chosen. */
void tool_choose_environment(char **argv);

/* ---- options (options.c) ----------------------------------------------- */

typedef enum tool_option_kind {
    TOOL_FLAG,    /* bool */
    TOOL_TEXT,    /* const char * */
    TOOL_NUMBER,  /* double, within [low, high] */
    TOOL_INTEGER, /* int32_t, within [low, high] */
    TOOL_VECTOR,  /* double[count], given as x,y,z */
    TOOL_CELLS,   /* int32_t[3], given as n,m,k; fewer are allowed, the rest keep their value */
    TOOL_CHOICE   /* int32_t, place in `words` (space separated) */
} tool_option_kind;

typedef struct tool_option {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    tool_option_kind kind;
    void *value;          /* where it goes */
    const char *argument; /* its name in the help, null for flags */
    const char *help;
    double low, high; /* numbers: allowed range, both 0: any */
    const char *words;
    int32_t count; /* of a vector's numbers, at most 8; 0: 3 */
    bool *given;   /* set when the option occurs; or null */
} tool_option;

typedef struct tool_syntax {
    const char *command;
    const char *arguments; /* "CASE.yaml" */
    const char *words;     /* "box plate": the first argument is one of these; null: a file */
    const char *summary;   /* one line */
    const char *text;      /* paragraphs and examples for --help */
    int32_t n_option;
    const tool_option *option;
    int32_t min_arguments, max_arguments;
} tool_syntax;

/* Options that several commands have. Positive: within 1e-300 and 1e300. */
tool_option tool_output_option(const char **path);
tool_option tool_final_mesh_option(const char **path);
tool_option tool_threads_option(int32_t *n);
tool_option tool_device_option(const char **device, const char *help);
tool_option tool_precision_option(int32_t *precision, bool *given, const char *help);
/* *kind: EW_PRECONDITIONER_COUNT when it is not given. */
tool_option tool_preconditioner_option(int32_t *kind, const char *help);
/* In place of the case's: *solver -1 when it is not given; then one kind from both options, or an
 * exit status after a message (-1: none). */
tool_option tool_solver_option(int32_t *solver);
tool_option tool_operator_option(int32_t *kind); /* -1: not given */
int tool_choose_solver(const char *command, int32_t solver, int32_t *preconditioner);
tool_option tool_quiet_option(bool *quiet);
tool_option tool_positive_option(const char *name, const char *argument, double *value,
                                 const char *help);

/* Fills the options and moves the other arguments to the front of argv + 1; *n counts them. Returns
 * -1 to go on, or an exit status: 0 after --help, 2 after a message. */
int tool_parse_options(const tool_syntax *syntax, int argc, char **argv, int *n);

/* From here on --help hands the options of its command over, in place of printing them; null: as
 * before. */
void tool_visit_syntax(void (*visit)(const tool_syntax *syntax));

/* ---- files (files.c) --------------------------------------------------- */

/* Through a temporary name beside it and a rename; on failure nothing is left. */
ew_status tool_write_file(const char *path, const ew_text *text);
/* Several of one folder: all take their names, or none does. */
ew_status tool_write_files(int n, const char *const *path, const ew_text *text);
/* By the name's ending (ew_format); the files of one mesh are taken together by any of their names.
 * The message starts with the file's name. Unless quiet, reading tells on stdout what construction
 * repaired; writing, that names are lost in a format without any. `groups` may be null. */
ew_status tool_read_mesh(const char *path, bool quiet, ew_mesh *mesh, ew_groups *groups);
ew_status tool_write_mesh(const char *path, const ew_mesh *mesh, const ew_groups *groups);
/* The same of a mesh from which the mesh `out` is made (null: none): a file that it includes and
 * that this would overwrite is EW_BAD_ARGUMENT. */
ew_status tool_read_mesh_for(const char *path, const char *out, bool quiet, ew_mesh *mesh,
                             ew_groups *groups);
/* The same for CAD files and what is to be made of them; tool_read_mesh takes the presets. */
ew_status tool_read_any(const char *path, const char *out, const ew_cad_def *cad, bool quiet,
                        ew_mesh *mesh, ew_groups *groups);
/* A CAD file. Unless quiet, tells what came of it. (cad.c) */
ew_status tool_read_cad(const char *path, const ew_cad_def *def, bool quiet, ew_mesh *mesh,
                        ew_groups *groups, ew_mesh_repair *repair);
/* What is not known of the solids of a CAD file; of a case its study tells that. */
void tool_tell_unsure(const char *path, const ew_groups *groups);
ew_status tool_read_surface(const char *path, ew_surface *surface, ew_groups *groups);
/* The same with texture coordinates and groups. */
ew_status tool_read_polygons(const char *path, ew_polygons *polygons);
/* For help: the formats of meshes, or of surfaces, a line each: endings, name, what it holds. */
const char *tool_list_formats(bool surfaces, char text[1024]);
/* Reads a surface and fills it with tets; the message starts with the file's name. */
ew_status tool_fill_surface(const char *path, const ew_tetgen_def *def, ew_mesh *mesh,
                            ew_groups *groups);
/* The frames of a result as NAME.NNNNNN.vtu by number of their steps, and NAME.pvd, which lists
 * them and is there only where they belong together. (vtu.c) */
ew_status tool_write_vtu(const char *result, const char *name, int32_t *n_frame);
/* A SOFA scene to OUT.yaml and its mesh; returns the exit status. (convert_scene.c) */
int convert_scene(const char *path, const char *out);
/* The same of a deck, whose mesh is OUT.msh. */
int convert_deck(const char *path, const char *out);
int convert_nastran(const char *path, const char *out);
/* Whether the name is that of a surface that can be written, STL or OBJ; the boundary of a mesh as
 * such, smoothed n_pass times, where the labels `keep` stay, names or numbers with commas between
 * them (null: all). (convert_surface.c) */
bool convert_is_surface(const char *path);
ew_status convert_to_surface(const char *in, const char *out, int32_t n_pass, const char *keep);
/* EW_BAD_ARGUMENT where `out` is the file `in`, which what is made from it would overwrite. */
ew_status tool_refuse_same(const char *in, const char *out);
/* Whether two paths are one file, there or not yet. (places.c) */
bool tool_is_same_place(const char *a, const char *b);
/* The folder of a path and its name there are those of the other; the names end otherwise. */
bool tool_is_beside(const char *path, const char *ending, const char *name);
/* Whether the path is one of the files of a mesh `out`. */
ew_status tool_find_in_mesh(const char *path, const char *out, bool *found);
/* EW_BAD_ARGUMENT where one of the files of a mesh `out` is the file `in`. */
ew_status tool_refuse_same_mesh(const char *in, const char *out);
/* EW_BAD_INPUT where the name is not that of a mesh that can be written. */
ew_status tool_expect_mesh_output(const char *path);
/* EW_BAD_ARGUMENT where the name is not that of a page of HTML, or is the file `in`. */
ew_status tool_expect_page_output(const char *in, const char *path);

/* Whether the name is that of a mesh, a surface or a CAD file; not NAME.xdmf beside a result
 * NAME.vtkhdf. (file_kind.c) */
bool tool_is_mesh_name(const char *path);
/* EW_BAD_INPUT where the name of a file that is there is that of a mesh, a scene or a result: says
 * what takes it. */
ew_status tool_expect_case(const char *path);
/* The same where it is that of a case, a result, a scene, or where a surface is needed, of tets. */
ew_status tool_expect_mesh(const char *path, bool is_surface);
/* A command that takes the file, "run", or null. */
const char *tool_command_for(const char *path);
/* The result that a path stands for, owned: itself, or NAME.vtkhdf beside NAME.xdmf, NAME.csv or
 * for NAME. EW_BAD_INPUT where there is none. */
ew_status tool_find_result(const char *path, char **result);

/* ---- interrupts (interrupt.c) ------------------------------------------ */

/* The first thing of all: holds Ctrl-C, a hangup and a request to end back until the program can
 * answer. It may start itself again before (environment.c): those that it holds are then in the
 * environment, as bits. No library needs to be initialized. */
#define TOOL_BLOCKED_SIGNALS "EDGEWISE_BLOCKED_SIGNALS"
void tool_hold_first(void);
int tool_blocked_signals(void);
/* From here on such a signal ends the program with a line; what nohup and shells made it ignore
 * stays without effect to the end. */
void tool_answer_interrupts(void);
/* From here on Ctrl-C, a hangup or a request to end makes progress callbacks cancel their work. */
void tool_catch_interrupts(void);
bool tool_is_interrupted(void);
/* After the clean-up: ends the program by the same signal, so that shells see it. */
void tool_end_interrupted(void);
/* Puts such signals off while a temporary file exists; not nested. */
void tool_hold_interrupts(bool hold);

/* ---- progress and log (progress.c, log.c) ------------------------------ */

/* A bar with the time left on a terminal, plain lines now and then elsewhere, on stderr. */
typedef struct tool_progress {
    bool quiet, on_terminal, bar_is_drawn;
    char stage[48];
    double stage_start, last_shown, last_done;
} tool_progress;
void tool_progress_start(tool_progress *progress, bool quiet);
bool tool_progress_call(void *progress, const char *stage, double done); /* fits ew_progress */
void tool_progress_clear(tool_progress *progress);                       /* before other output */

/* One JSON object per line. */
typedef struct tool_log {
    FILE *file; /* null: nothing is written */
    const char *path;
    bool first;
} tool_log;
ew_status tool_log_open(tool_log *log, const char *path);
void tool_log_begin(tool_log *log, const char *event);
void tool_log_text(tool_log *log, const char *key, const char *value);
void tool_log_number(tool_log *log, const char *key, double value);
void tool_log_vector(tool_log *log, const char *key, const double *value, int32_t n);
void tool_log_end(tool_log *log);
ew_status tool_log_close(tool_log *log);

/* ---- printing (print.c) ------------------------------------------------ */

/* A name cut and padded to so many characters, which may have several bytes. */
void tool_print_padded(const char *name, int width);
/* "12,345" in a caller's buffer. */
const char *tool_count(int64_t n, char text[32]);
/* "3.1 ms" */
const char *tool_duration(double seconds, char text[32]);
/* "1.5 MiB" */
const char *tool_bytes(double bytes, char text[32]);

/* ---- device (command_devices.c) ---------------------------------------- */

/* auto | host | opencl[:P.D]; *device null on the host. */
ew_status tool_open_device(const char *choice, ew_device **device);

#endif
