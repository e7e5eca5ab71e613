/* Scenario `static`: a mesh as read in, the time of its whole static analysis out, by stage, as
 * `edgewise run` does it: renumbering and tables, matrix, supports, component check and load,
 * solution to 1e-8, recovery of stress. The row shows the run with the median total. Nothing is
 * saved. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_times {
    double total, tables, matrix, loads, solve, recover; /* s */
    double peak;                                         /* bytes */
    double iterations, residual;
} run_times;

static void on_step(void *user, const ew_step_report *report)
{
    run_times *times = user;
    times->tables = report->seconds_topology;
    times->matrix = report->seconds_matrix;
    times->loads = report->seconds_loads;
    times->solve = report->seconds_solve;
    times->recover = report->seconds_recover;
    times->iterations = report->solver->iterations;
    times->residual = report->solver->residual;
}

static ew_status make_case(const bench_body *body, double tolerance, ew_case *input)
{
    char text[800];
    const int length =
        snprintf(text, sizeof text,
                 "mesh: given\n"
                 "elements: linear\n"
                 "material: {young: %g, poisson: %g, density: %g}\n"
                 "sets:\n"
                 "  base: {box: [[-1e30, -1e30, -1e30], [1e30, %.17g, 1e30]]}\n"
                 "constraints:\n"
                 "  - {set: base, displacement: [0, 0, 0]}\n"
                 "loads:\n"
                 "  - {gravity: [0, -%g, 0]}\n"
                 "steps:\n"
                 "  - name: own weight\n"
                 "    static: {tolerance: %g}\n",
                 BENCH_YOUNG, BENCH_POISSON, BENCH_DENSITY, body->base, BENCH_GRAVITY, tolerance);
    return ew_case_read(text, (size_t)length, input);
}

static ew_status run_once(const bench_body *body, ew_device *device, ew_precision precision,
                          double tolerance, run_times *times)
{
    ew_case input = {0};
    ew_mesh mesh;
    EW_TRY(make_case(body, tolerance, &input));
    ew_status status = ew_mesh_copy(&mesh, &body->mesh);
    if (!status) {
        ew_study_def def = ew_default_study_def();
        def.device = device;
        def.precision = precision;
        def.user = times;
        def.on_step = on_step;
        bench_memory_start();
        const double start = ew_seconds();
        status = ew_study_run(&input, &mesh, &def, NULL, NULL);
        times->total = ew_seconds() - start;
        times->peak = bench_memory_peak();
        ew_mesh_free(&mesh);
    }
    ew_case_free(&input);
    return status;
}

static int by_total(const void *a, const void *b)
{
    const double x = ((const run_times *)a)->total, y = ((const run_times *)b)->total;
    return (x > y) - (x < y);
}

static ew_status measure(bench_run *bench, const char *where, ew_device *device,
                         ew_precision precision)
{
    run_times *times;
    EW_TRY(ew_new(&times, (size_t)bench->repeat, sizeof *times));
    /* The untimed run stops early: it is there to touch everything and to compile kernels. */
    ew_status status = run_once(bench->body, device, precision, 0.5, &times[0]);
    for (int32_t i = 0; i < bench->repeat && !status; i++) {
        status = run_once(bench->body, device, precision, 1e-8, &times[i]);
    }
    if (!status) {
        qsort(times, (size_t)bench->repeat, sizeof *times, by_total);
        const run_times *median = &times[bench->repeat / 2];
        const double value[] = {bench->body->mesh.n_active_vertex,
                                median->iterations,
                                median->residual,
                                1e3 * median->tables,
                                1e3 * median->matrix,
                                1e3 * median->loads,
                                1e3 * median->solve,
                                1e3 * median->recover,
                                1e3 * median->total,
                                1e3 * times[0].total,
                                median->peak / (1 << 20)};
        status = bench_row(bench, where, precision == EW_DOUBLE ? "double" : "mixed", value);
    }
    ew_release(times);
    return status;
}

static ew_status run_static(bench_run *bench, const bench_body *body)
{
    (void)body;
    EW_TRY(measure(bench, "host", NULL, EW_DOUBLE));
    EW_TRY(measure(bench, "host", NULL, EW_MIXED));
    if (bench->device && ew_device_about(bench->device)->has_double) {
        EW_TRY(measure(bench, "opencl", bench->device, EW_DOUBLE));
        EW_TRY(measure(bench, "opencl", bench->device, EW_MIXED));
    }
    return EW_OK;
}

const bench_scenario bench_scenario_static = {
    .name = "static",
    .summary = "own weight, lowest 5 % of the height (y) fixed, residual below 1e-8",
    .as_read = true,
    .column = {"vertices", "iterations", "residual", "tables ms", "matrix ms", "loads ms",
               "solve ms", "recover ms", "median ms", "min ms", "peak MiB"},
    .run = run_static,
};
