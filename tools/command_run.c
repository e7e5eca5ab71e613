/* edgewise run: a case file solved, its results written. */
#include "study.h"

static const char help[] =
    "A case names a mesh, materials, sets of vertices, faces or tets, constraints, loads "
    "and\n"
    "steps:\n\n"
    "  mesh: beam.mesh\n"
    "  material: {young: 210e9, poisson: 0.3, density: 7850}\n"
    "  sets:\n"
    "    wall: {box: [[-1, -1, -1], [1e-9, 1, 1]]}\n"
    "    tip: {plane: {point: [1, 0, 0], normal: x, tolerance: 1e-6}, of: faces}\n"
    "  constraints:\n"
    "    - {set: wall, displacement: [0, 0, 0]}   # ~ leaves a component free\n"
    "  loads:\n"
    "    - {set: tip, total_force: [0, 0, -100]}\n"
    "  steps:\n"
    "    - {name: base, static: {tolerance: 1e-8}}\n\n"
    "A run that fails or is interrupted leaves its completed steps as "
    "NAME.partial.vtkhdf,\n"
    ".xdmf and .csv, and NAME.checkpoint, from which --resume goes on, also after a kill "
    "or\n"
    "a loss of power; the results are those of a run that was never stopped.\n\n"
    "Paths are relative to the case file. datasets/ has cases to start from, and\n"
    "datasets/README.md lists every key (installed: share/doc/edgewise/datasets).\n\n"
    "example:\n  edgewise run datasets/bracket.yaml -o bracket";

static ew_status read_case(tool_study *study)
{
    ew_text text = {0};
    EW_TRY(tool_expect_case(study->case_path));
    EW_TRY(ew_file_read(study->case_path, &text));
    ew_status status = study_read_case(study, text.data, text.size);
    if (status) {
        ew_fail_in_file(status, study->case_path);
    }
    ew_text_free(&text);
    return status;
}

static int run_case(tool_study *run, const char *path)
{
    const study_options *options = &run->options;
    char *name = NULL;
    if (options->quiet && options->verbose) {
        return tool_refuse("run: --quiet and --verbose exclude each other");
    }
    run->case_path = path;
    const ew_status status =
        options->output ? study_output(options->output, &name) : study_name(path, "", &name);
    const int result = status ? tool_report_failure(status, NULL) : study_run(run, name, read_case);
    ew_release(name);
    return result;
}

int tool_run(int argc, char **argv)
{
    return study_command(argc, argv, NULL);
}

int study_command(int argc, char **argv, const study_peers *together)
{
    tool_study run = {.options = {.device = together ? "host" : "auto",
                                  .precision = EW_AUTO_PRECISION},
                      .together = together};
    study_options *to = &run.options;
    const tool_option options[] = {
        {.name = "output",
         .letter = 'o',
         .kind = TOOL_TEXT,
         .value = &to->output,
         .argument = "NAME",
         .help = "results go to NAME.vtkhdf and NAME.xdmf (the case's name)"},
        tool_device_option(&to->device, "auto (a GPU, else the host), host, opencl, opencl:P.D"),
        tool_precision_option(&to->precision, NULL,
                              "auto, mixed: double, its preconditioner single; double; single"),
        tool_preconditioner_option(&to->preconditioner,
                                   "overrides the case: jacobi, block-jacobi, rigid, auto"),
        tool_solver_option(&to->solver),
        tool_operator_option(&to->operator_kind),
        {.name = "resume",
         .kind = TOOL_FLAG,
         .value = &to->resume,
         .help = "continue an interrupted run of this name after its last step"},
        {.name = "vtu",
         .kind = TOOL_FLAG,
         .value = &to->vtu,
         .help = "also write each frame as NAME.NNNNNN.vtu, and NAME.pvd, which lists them"},
        tool_final_mesh_option(&to->mesh),
        {.name = "surface-frames",
         .kind = TOOL_CHOICE,
         .value = &to->surface_frames,
         .argument = "FORMAT",
         .words = "none obj rib both", /* places are bits */
         .help = "write frames of the case's surfaces into NAME.surfaces: obj, rib or both"},
        {.name = "verify-rebuild",
         .kind = TOOL_FLAG,
         .value = &to->verify,
         .help = "compare tables and matrix with a fresh rebuild after each edit"},
        tool_threads_option(&to->threads),
        {.name = "jobs",
         .kind = TOOL_INTEGER,
         .value = &to->n_job,
         .argument = "N",
         .low = 1,
         .high = 1024,
         .help = "combinations of a sweep computed at the same time (1)"},
        tool_quiet_option(&to->quiet),
        {.name = "verbose",
         .kind = TOOL_FLAG,
         .value = &to->verbose,
         .help = "print the mesh, other peaks, sets, solver, residuals and times, too"},
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
        .text = help,
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status < 0) {
        exit_status = tool_choose_solver("run", to->solver, &to->preconditioner);
    }
    return exit_status >= 0 ? exit_status : run_case(&run, argv[1]);
}
