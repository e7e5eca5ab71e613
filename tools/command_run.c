/* edgewise run: a case file solved, its results written. */
#include "report.h"
#include "tool.h"

#include <string.h>

typedef struct run_options {
    const char *output, *device, *log;
    int32_t precision, threads;
    bool verify, quiet, verbose;
} run_options;

typedef struct run_context {
    const char *case_path;
    run_options options;
    ew_case one;
    ew_mesh mesh;
    ew_device *device;
    ew_result *result;
    tool_progress progress;
    tool_log log;
    run_report report;
} run_context;

static void on_step(void *user, const ew_step_report *step)
{
    run_context *run = user;
    tool_progress_clear(&run->progress);
    report_step(&run->report, step);
}

static ew_status read_mesh_beside(void *user, const char *file, ew_mesh *mesh)
{
    const run_context *run = user;
    char *path = NULL;
    ew_mesh_mend mend;
    EW_TRY(tool_path_beside(run->case_path, file, &path));
    ew_status status = tool_read_mesh(path, mesh, &mend);
    if (!status && !run->options.quiet) {
        tool_tell_mend(path, &mend);
    }
    ew_release(path);
    return status;
}

static ew_status read_case(run_context *run)
{
    ew_text text = {0};
    EW_TRY(tool_read_file(run->case_path, &text));
    ew_status status = ew_case_read(text.data, text.size, &run->one);
    if (status) {
        tool_name_file(status, run->case_path);
    }
    ew_text_free(&text);
    return status;
}

static ew_status read_input_mesh(run_context *run)
{
    if (run->one.mesh_file) {
        return read_mesh_beside(run, run->one.mesh_file, &run->mesh);
    }
    char *path = NULL;
    tool_progress_call(&run->progress, "mesh", -1);
    EW_TRY(tool_path_beside(run->case_path, run->one.surface_file, &path));
    ew_status status = tool_fill_surface(path, &run->one.tetgen, &run->mesh);
    ew_release(path);
    return status;
}

/* The case's name without folder and ending, unless -o names the results. */
static ew_status result_name(const run_context *run, char **name)
{
    const char *source = run->options.output;
    if (!source) {
        const char *slash = strrchr(run->case_path, '/');
        source = slash ? slash + 1 : run->case_path;
    }
    const char *dot = strrchr(source, '.');
    size_t length = strlen(source);
    if (dot && dot > source &&
        (!run->options.output || !strcmp(dot, ".vtkhdf") || !strcmp(dot, ".xdmf"))) {
        length = (size_t)(dot - source);
    }
    EW_TRY(ew_new(name, length + 1, 1));
    memcpy(*name, source, length);
    (*name)[length] = 0;
    return EW_OK;
}

static ew_status solve(run_context *run)
{
    ew_study_def def = ew_default_study_def();
    def.device = run->device;
    def.precision = (ew_precision)run->options.precision;
    def.verify_rebuild = run->options.verify;
    def.progress = (ew_progress){&run->progress, tool_progress_call};
    def.user = run;
    def.on_step = on_step;
    def.read_mesh = read_mesh_beside;
    ew_status status = ew_study_run(&run->one, &run->mesh, &def, run->result, NULL);
    tool_progress_clear(&run->progress);
    return status ? tool_name_file(status, run->case_path) : EW_OK;
}

static ew_status finish(run_context *run, const char *name)
{
    ew_text csv = {0};
    EW_TRY(run->report.status);
    EW_TRY(report_csv(&run->report, &csv));
    ew_status status = ew_grow(&csv.data, &(int32_t){(int32_t)csv.size}, (int64_t)csv.size + 1, 1);
    if (!status) {
        csv.data[csv.size] = 0;
        status = ew_result_add_text(run->result, "summary", csv.data);
    }
    if (!status) {
        status = ew_result_finish(run->result);
        run->result = NULL;
    }
    char *path = NULL;
    if (!status && run->report.n_row > 1) {
        status = ew_new(&path, strlen(name) + 5, 1);
        if (!status) {
            status = tool_write_file(strcat(strcpy(path, name), ".csv"), &csv);
        }
    }
    if (!status && !run->options.quiet) {
        if (run->report.n_row > 1) {
            report_table(&run->report);
        }
        printf("results: %s.xdmf (any ParaView), %s.vtkhdf (ParaView 5.12 or newer)%s%s\n", name,
               name, path ? ", table: " : "", path ? path : "");
    }
    ew_release(path);
    ew_text_free(&csv);
    return status;
}

static ew_status run_all(run_context *run)
{
    char *name = NULL;
    EW_TRY(tool_open_device(run->options.device, &run->device));
    EW_TRY(read_case(run));
    EW_TRY(read_input_mesh(run));
    EW_TRY(result_name(run, &name));
    const ew_result_def def = {
        .name = name,
        .case_text = run->one.text,
        .length_unit = run->one.length_unit,
        .force_unit = run->one.force_unit,
        .time_unit = run->one.time_unit,
    };
    ew_status status = ew_result_create(&run->result, &def);
    tool_log_begin(&run->log, "start");
    tool_log_text(&run->log, "case", run->case_path);
    tool_log_text(&run->log, "device", run->device ? ew_device_about(run->device)->name : "host");
    tool_log_number(&run->log, "tets", run->mesh.n_live_tet);
    tool_log_end(&run->log);
    if (!status) {
        status = solve(run);
    }
    if (!status) {
        status = finish(run, name);
    }
    ew_release(name);
    return status;
}

static int run_and_release(run_context *run)
{
    ew_use_threads(run->options.threads);
    tool_progress_start(&run->progress, run->options.quiet);
    run->report = (run_report){.one = &run->one,
                               .log = &run->log,
                               .quiet = run->options.quiet,
                               .verbose = run->options.verbose};
    ew_status status = tool_log_open(&run->log, run->options.log);
    if (!status) {
        status = run_all(run);
    }
    tool_progress_clear(&run->progress);
    tool_log_begin(&run->log, status ? "failure" : "done");
    tool_log_text(&run->log, "message", status ? ew_message() : "");
    tool_log_end(&run->log);
    const int exit_status = status ? tool_report_failure(status, NULL) : TOOL_DONE;
    const ew_status closed = tool_log_close(&run->log);
    ew_result_discard(run->result);
    ew_mesh_free(&run->mesh);
    ew_case_free(&run->one);
    ew_device_close(run->device);
    report_free(&run->report);
    return !exit_status && closed ? tool_report_failure(closed, NULL) : exit_status;
}

int tool_run(int argc, char **argv)
{
    run_context run = {.options = {.device = "auto"}};
    run_options *to = &run.options;
    const tool_option options[] = {
        {.name = "output",
         .letter = 'o',
         .kind = TOOL_TEXT,
         .value = &to->output,
         .argument = "NAME",
         .help = "results go to NAME.vtkhdf and NAME.xdmf (the case's name)"},
        {.name = "device",
         .kind = TOOL_TEXT,
         .value = &to->device,
         .argument = "WHERE",
         .help = "auto (a GPU, else the host), host, opencl, opencl:P.D"},
        {.name = "precision",
         .kind = TOOL_CHOICE,
         .value = &to->precision,
         .argument = "WHAT",
         .words = "double mixed single",
         .help = "double; mixed: single blocks, double residual; single"},
        {.name = "verify-rebuild",
         .kind = TOOL_FLAG,
         .value = &to->verify,
         .help = "compare tables and matrix with a fresh rebuild after each edit"},
        {.name = "threads",
         .kind = TOOL_INTEGER,
         .value = &to->threads,
         .argument = "N",
         .low = 1,
         .high = 1024,
         .help = "host threads (all of the machine's)"},
        {.name = "quiet", .kind = TOOL_FLAG, .value = &to->quiet, .help = "print errors only"},
        {.name = "verbose",
         .kind = TOOL_FLAG,
         .value = &to->verbose,
         .help = "print the residual of each iteration"},
        {.name = "log",
         .kind = TOOL_TEXT,
         .value = &to->log,
         .argument = "FILE.jsonl",
         .help = "write a log of JSON lines"},
    };
    const tool_syntax syntax = {
        .command = "run",
        .arguments = "CASE.yaml",
        .summary = "solve a case file and write its results",
        .text =
            "A case names a mesh, materials, sets of vertices, constraints, loads and steps:\n\n"
            "  mesh: beam.mesh\n"
            "  material: {young: 210e9, poisson: 0.3, density: 7850}\n"
            "  sets:\n"
            "    wall: {box: [[-1, -1, -1], [1e-9, 1, 1]]}\n"
            "    tip: {plane: {point: [1, 0, 0], normal: [1, 0, 0], tolerance: 1e-6}}\n"
            "  constraints:\n"
            "    - {set: wall, displacement: [0, 0, 0]}   # ~ leaves a component free\n"
            "  loads:\n"
            "    - {set: tip, total_force: [0, 0, -100]}\n"
            "  steps:\n"
            "    - {name: base, static: {tolerance: 1e-8}}\n\n"
            "Paths are relative to the case file. datasets/ has cases to start from, and\n"
            "datasets/README.md lists every key.\n\n"
            "example:\n  edgewise run datasets/bracket.yaml -o bracket",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (to->quiet && to->verbose) {
        return tool_refuse("run: --quiet and --verbose exclude each other");
    }
    run.case_path = argv[1];
    return run_and_release(&run);
}
