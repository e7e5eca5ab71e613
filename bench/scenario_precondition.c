/* Scenario `precondition`: block Jacobi and rigid-body modes beside each other on the same matrix:
 * iterations, set-up and solve to 1e-8 from rest, and the memory of the hierarchy. The matrix is
 * there already. Shown is the sample with the median total. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SECONDS 6.0 /* of samples per row, but one at least */

typedef struct sample {
    double total, setup; /* s */
    double iterations, residual;
} sample;

typedef struct on_device {
    ew_device_mesh mesh;
    ew_device_matrix matrix;
} on_device;

static ew_status open_on_device(const bench_run *bench, const bench_body *body, on_device *there)
{
    const ew_stiffness from = ew_stiffness_of(&body->mesh, &body->topology, &body->materials);
    EW_TRY(ew_device_mesh_build(&there->mesh, bench->device, &body->mesh, &body->topology));
    return ew_device_matrix_build(&there->matrix, &there->mesh, &from, EW_DOUBLE, NULL);
}

static int by_total(const void *a, const void *b)
{
    const double x = ((const sample *)a)->total, y = ((const sample *)b)->total;
    return (x > y) - (x < y);
}

static ew_status solve_once(const ew_system *system, ew_preconditioner_kind kind, double *u,
                            sample *to)
{
    const size_t n = 3 * (size_t)system->op->pattern->n_row;
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info = {0};
    ew_solver solver = {0};
    def.preconditioner = kind;
    memset(u, 0, n * sizeof *u);
    const double start = ew_seconds();
    const ew_status status = ew_solver_solve(&solver, system, &def, u, &info);
    *to = (sample){ew_seconds() - start, info.seconds_setup, info.iterations, info.residual};
    ew_solver_free(&solver);
    return status == EW_NOT_CONVERGED ? EW_OK : status; /* the residual tells */
}

/* Bytes of the hierarchy, and its aggregates. */
static ew_status measure_memory(const bench_body *body, const ew_matrix *matrix, double *bytes,
                                double *n_aggregate)
{
    ew_multilevel_def def = ew_default_multilevel_def();
    ew_multilevel *multilevel = NULL;
    def.single = true;
    EW_TRY(ew_multilevel_setup(&multilevel, matrix, &body->topology.pattern, body->mesh.xyz,
                               body->constraints.fixed, &def));
    *bytes = (double)ew_multilevel_bytes(multilevel);
    *n_aggregate = ew_multilevel_about(multilevel)->n_aggregate;
    ew_multilevel_free(multilevel);
    return EW_OK;
}

/* The matrix on the host, or on a device with its copy of the mesh. */
static ew_status measure(bench_run *bench, const bench_body *body, const ew_matrix *matrix,
                         const on_device *there, ew_preconditioner_kind kind, sample *list,
                         double *u)
{
    ew_operator op = there ? ew_operator_on_device(&there->matrix, &there->mesh.pattern,
                                                   &body->topology.pattern, NULL)
                           : ew_operator_on_host(matrix, &body->topology.pattern);
    const ew_system system = {
        .op = &op, .xyz = body->mesh.xyz, .fixed = body->constraints.fixed, .b = body->f};
    double spent = 0, bytes = NAN, n_aggregate = NAN;
    int32_t n = 0;
    ew_status status = EW_OK;
    if (kind == EW_RIGID && !there) {
        EW_TRY_OUT(measure_memory(body, matrix, &bytes, &n_aggregate));
    }
    for (; n < bench->repeat && (n == 0 || spent < MAX_SECONDS); n++) {
        EW_TRY_OUT(solve_once(&system, kind, u, &list[n]));
        spent += list[n].total;
    }
    qsort(list, (size_t)n, sizeof *list, by_total);
    const sample *median = &list[n / 2];
    const double value[] = {body->mesh.n_active_vertex,
                            median->iterations,
                            median->residual,
                            1e3 * median->setup,
                            1e3 * (median->total - median->setup),
                            1e3 * median->total,
                            1e3 * list[0].total,
                            n_aggregate,
                            bytes / body->mesh.n_live_tet,
                            n};
    status = bench_row(bench, there ? "opencl" : "host", ew_preconditioner_name(kind), value);
out:
    ew_operator_free(&op);
    return status;
}

static ew_status run_precondition(bench_run *bench, const bench_body *body)
{
    ew_matrix matrix = {0};
    on_device there = {0};
    sample *list = NULL;
    double *u = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new(&list, (size_t)bench->repeat, sizeof *list));
    EW_TRY_OUT(ew_new(&u, 3 * (size_t)body->mesh.n_vertex, sizeof *u));
    EW_TRY_OUT(ew_stiffness_build(&matrix, &body->mesh, &body->topology, &body->materials));
    EW_TRY_OUT(measure(bench, body, &matrix, NULL, EW_RIGID, list, u));
    EW_TRY_OUT(measure(bench, body, &matrix, NULL, EW_BLOCK_JACOBI, list, u));
    if (bench->device && ew_device_about(bench->device)->has_double) {
        EW_TRY_OUT(open_on_device(bench, body, &there));
        EW_TRY_OUT(measure(bench, body, NULL, &there, EW_RIGID, list, u));
        EW_TRY_OUT(measure(bench, body, NULL, &there, EW_BLOCK_JACOBI, list, u));
    }
out:
    ew_device_matrix_free(&there.matrix);
    ew_device_mesh_free(&there.mesh);
    ew_matrix_free(&matrix);
    ew_release(list);
    ew_release(u);
    return status;
}

const bench_scenario bench_scenario_precondition = {
    .name = "precondition",
    .summary = "set-up and solve to 1e-8 by preconditioner, the matrix being there",
    .column = {"vertices", "iterations", "residual", "setup ms", "solve ms", "median ms", "min ms",
               "aggregates", "bytes/tet", "samples"},
    .run = run_precondition,
};
