/* edgewise bench: named scenarios, each on every body asked for; a table on stdout and, on request,
 * the same numbers as CSV. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const bench_scenario *const scenarios[] = {
    &bench_scenario_build,        &bench_scenario_product,      &bench_scenario_cg,
    &bench_scenario_static,       &bench_scenario_formats,      &bench_scenario_study,
    &bench_scenario_drift,        &bench_scenario_local,        &bench_scenario_crossover,
    &bench_scenario_remesh,       &bench_scenario_model,        &bench_scenario_model_whole,
    &bench_scenario_precondition, &bench_scenario_answer,       &bench_scenario_energy,
    &bench_scenario_hard,         &bench_scenario_direct,       &bench_scenario_operator,
    &bench_scenario_dynamics,     &bench_scenario_realtime,     &bench_scenario_quadratic,
    &bench_scenario_surface,      &bench_scenario_corotational, &bench_scenario_remove,
    &bench_scenario_cases,        &bench_scenario_contact,      &bench_scenario_falling,
};
enum { N_SCENARIO = sizeof scenarios / sizeof *scenarios };

typedef struct bench_options {
    const char *mesh, *shape, *tets, *device, *csv, *plot;
    int32_t cells[3], repeat, threads;
    bool cells_given;
} bench_options;

/* ---- rows -------------------------------------------------------------- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static ew_status
append(bench_run *bench, const char *format, ...)
{
    EW_TRY(ew_grow(&bench->csv.data, &bench->csv_capacity, (int64_t)bench->csv.size + 512, 1));
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(bench->csv.data + bench->csv.size, 512, format, list);
    va_end(list);
    bench->csv.size += (size_t)length;
    return EW_OK;
}

static void print_header(const bench_scenario *scenario)
{
    printf("\n%s: %s\n%-12s %9s %-7s %-22s", scenario->name, scenario->summary, "mesh", "tets",
           "where", "what");
    for (int32_t i = 0; scenario->column[i]; i++) {
        printf(" %13s", scenario->column[i]);
    }
    puts("");
}

ew_status bench_row(bench_run *bench, const char *where, const char *what, const double *value)
{
    const bench_body *body = bench->body;
    char tets[32];
    printf("%-12.12s %9s %-7s %-22s", body->name, tool_count(body->mesh.n_live_tet, tets), where,
           what);
    for (int32_t i = 0; bench->scenario->column[i]; i++) {
        if (isnan(value[i])) {
            printf(" %13s", "-");
            continue;
        }
        if (value[i] && value[i] < 1e-3) {
            printf(" %13.2e", value[i]);
        } else {
            const bool whole = value[i] == floor(value[i]) || value[i] >= 1000;
            printf(" %13.*f", whole ? 0 : value[i] < 10 ? 3 : 1, value[i]);
        }
        EW_TRY(append(bench, "%s,%.60s,%d,%d,%d,%s,\"%s\",\"%s\",%.6g\n", bench->scenario->name,
                      body->name, (int)body->mesh.n_live_tet, (int)body->mesh.n_active_vertex,
                      ew_threads(), where, what, bench->scenario->column[i], value[i]));
    }
    puts("");
    fflush(stdout);
    return EW_OK;
}

/* ---- bodies and scenarios ---------------------------------------------- */

static ew_status run_on(bench_run *bench, bench_body *body)
{
    if (!bench->scenario->as_read) {
        EW_TRY(bench_body_prepare(body));
    }
    bench->body = body;
    return bench->scenario->run(bench, body);
}

/* The next item of a comma separated list; false at its end. */
static bool next_item(const char **list, char item[512])
{
    const size_t length = *list ? strcspn(*list, ",") : 0;
    if (!length || length >= 512) {
        return false;
    }
    memcpy(item, *list, length);
    item[length] = 0;
    *list += length;
    *list += **list == ',';
    return true;
}

static ew_status shape_named(const char *name, int32_t *shape)
{
    int32_t place = 0;
    for (const char *word = BENCH_SHAPES; *word; place++) {
        const size_t length = strcspn(word, " ");
        if (strlen(name) == length && !strncmp(word, name, length)) {
            *shape = place;
            return EW_OK;
        }
        word += length;
        word += *word == ' ';
    }
    return ew_fail(EW_BAD_ARGUMENT, "bench: there is no shape '%.60s'; the shapes are: %s", name,
                   BENCH_SHAPES);
}

static ew_status run_on_shapes(bench_run *bench, const bench_options *options)
{
    char name[512], count[512];
    for (const char *shapes = options->shape; next_item(&shapes, name);) {
        int32_t shape = 0;
        EW_TRY(shape_named(name, &shape));
        for (const char *tets = options->tets; next_item(&tets, count);) {
            char *end;
            const double n = strtod(count, &end);
            if (*end || !(n >= 1 && n <= 1e8)) {
                return ew_fail(EW_BAD_ARGUMENT,
                               "bench: --tets takes counts from 1 to 1e8, not '%.60s'", count);
            }
            bench_body body;
            ew_status status =
                bench_body_make(&body, shape, n, options->cells_given ? options->cells : NULL);
            if (!status) {
                status = run_on(bench, &body);
            }
            bench_body_free(&body);
            EW_TRY(status);
            if (options->cells_given) {
                break;
            }
        }
    }
    return EW_OK;
}

static ew_status run_scenario(bench_run *bench, const bench_options *options)
{
    char path[512];
    print_header(bench->scenario);
    for (const char *meshes = options->mesh; next_item(&meshes, path);) {
        bench_body body;
        ew_status status = bench_body_read(&body, path);
        if (!status) {
            status = run_on(bench, &body);
        }
        bench_body_free(&body);
        EW_TRY(status);
    }
    return run_on_shapes(bench, options);
}

/* ---- the command ------------------------------------------------------- */

static int list_scenarios(void)
{
    for (int i = 0; i < N_SCENARIO; i++) {
        printf("%-10s %s\n", scenarios[i]->name, scenarios[i]->summary);
    }
    return TOOL_DONE;
}

/* Refuses names that are no scenario, before anything runs. */
static int check_names(int n, char **name)
{
    char words[512] = "all list ", nearest[64];
    for (int i = 0; i < N_SCENARIO; i++) {
        strcat(strcat(words, scenarios[i]->name), " ");
    }
    for (int k = 0; k < n; k++) {
        bool known = !strcmp(name[k], "all");
        for (int i = 0; i < N_SCENARIO; i++) {
            known = known || !strcmp(name[k], scenarios[i]->name);
        }
        if (!known && ew_nearest_word(name[k], words, nearest)) {
            return tool_refuse("bench: there is no scenario '%.60s'; did you mean '%s'?", name[k],
                               nearest);
        }
        if (!known) {
            return tool_refuse("bench: there is no scenario '%.60s'; edgewise bench list lists "
                               "them",
                               name[k]);
        }
    }
    return -1;
}

static bool is_asked(const bench_scenario *scenario, int n, char **name)
{
    for (int k = 0; k < n; k++) {
        if (!strcmp(name[k], "all") || !strcmp(name[k], scenario->name)) {
            return true;
        }
    }
    return false;
}

static ew_status write_plot(const bench_run *bench, const char *path)
{
    ew_text svg;
    EW_TRY(bench_plot_draw(&bench->plot, &svg));
    const ew_status status = tool_write_file(path, &svg);
    ew_text_free(&svg);
    return status;
}

static ew_status run_all(bench_run *bench, const bench_options *options, int n, char **name)
{
    EW_TRY(tool_open_device(options->device, &bench->device));
    EW_TRY(append(bench, "scenario,mesh,tets,vertices,threads,where,what,quantity,value\n"));
    printf("host: %d threads; OpenCL: %s; median and minimum of %d\n", ew_threads(),
           bench->device ? ew_device_about(bench->device)->name : "not asked for (--device)",
           (int)bench->repeat);
    for (int i = 0; i < N_SCENARIO; i++) {
        if (is_asked(scenarios[i], n, name)) {
            bench->scenario = scenarios[i];
            EW_TRY(run_scenario(bench, options));
        }
    }
    if (options->plot) {
        EW_TRY(write_plot(bench, options->plot));
    }
    return options->csv ? tool_write_file(options->csv, &bench->csv) : EW_OK;
}

static int parse(int argc, char **argv, bench_options *to, int *n)
{
    const tool_option options[] = {
        {.name = "mesh",
         .kind = TOOL_TEXT,
         .value = &to->mesh,
         .argument = "FILE[,FILE...]",
         .help = "mesh files"},
        {.name = "shape",
         .kind = TOOL_TEXT,
         .value = &to->shape,
         .argument = "KIND[,KIND...]",
         .help = "built-in shapes: " BENCH_SHAPES},
        {.name = "tets",
         .kind = TOOL_TEXT,
         .value = &to->tets,
         .argument = "N[,N...]",
         .help = "sizes of the shapes, about (10000,100000)"},
        {.name = "cells",
         .kind = TOOL_CELLS,
         .value = to->cells,
         .argument = "N[,M[,K]]",
         .given = &to->cells_given,
         .help = "resolution of the shape instead, as in 'edgewise shape'"},
        {.name = "repeat",
         .kind = TOOL_INTEGER,
         .value = &to->repeat,
         .argument = "N",
         .low = 1,
         .high = 10000,
         .help = "samples per number (5)"},
        tool_device_option(&to->device,
                           "also on opencl[:P.D] or auto; host (default): the host alone"),
        tool_threads_option(&to->threads),
        {.name = "csv",
         .kind = TOOL_TEXT,
         .value = &to->csv,
         .argument = "FILE.csv",
         .help = "write the numbers there too"},
        {.name = "plot",
         .kind = TOOL_TEXT,
         .value = &to->plot,
         .argument = "FILE.svg",
         .help = "draw the curves of crossover there"},
    };
    const tool_syntax syntax = {
        .command = "bench",
        .arguments = "NAME...",
        .summary = "measure named scenarios",
        .text = "NAME is a scenario; 'edgewise bench list' lists them, 'all' runs every one. Each\n"
                "runs on every mesh file and every shape asked for (box and torus when none is).\n"
                "Bodies are steel, fixed in the lowest 5 % of their height (along y), under their\n"
                "own weight.\n\n"
                "examples:\n"
                "  edgewise bench product --shape box --tets 1e5,1e6 --repeat 9\n"
                "  edgewise bench static --mesh part.mesh --device opencl --csv part.csv",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .min_arguments = 1,
        .max_arguments = 1000,
    };
    return tool_parse_options(&syntax, argc, argv, n);
}

/* A mesh named after --csv by mistake is not to be lost. */
static int check_ending(const char *option, const char *path, const char *ending)
{
    const size_t length = path ? strlen(path) : 0;
    return !path || (length > strlen(ending) && !strcmp(path + length - strlen(ending), ending))
               ? -1
               : tool_refuse("bench: --%s writes a file that ends in %s, not '%s'", option, ending,
                             path);
}

int tool_bench(int argc, char **argv)
{
    bench_options options = {.tets = "10000,100000", .cells = {1, 1, 1}, .repeat = 5};
    int n;
    int exit_status = parse(argc, argv, &options, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!strcmp(argv[1], "list")) {
        return list_scenarios();
    }
    exit_status = check_names(n, argv + 1);
    if (exit_status < 0) {
        exit_status = check_ending("csv", options.csv, ".csv");
    }
    if (exit_status < 0) {
        exit_status = check_ending("plot", options.plot, ".svg");
    }
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!options.mesh && !options.shape) {
        options.shape = "box,torus";
    }
    if (options.threads) {
        ew_use_threads(options.threads);
    }
    bench_run bench = {.repeat = options.repeat};
    const ew_status status = run_all(&bench, &options, n, argv + 1);
    ew_device_close(bench.device);
    ew_text_free(&bench.csv);
    bench_plot_free(&bench.plot);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
