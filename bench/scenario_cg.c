/* Scenario `cg`: twenty iterations of preconditioned conjugate gradients from rest, as an
 * interactive program does for each picture. One frame is a whole call of the solver: the
 * preconditioner, the first residual, the iterations, the last residual. */
#include "assembly/assembly.h"
#include "bench.h"

#include <string.h>

enum { ITERATIONS = 20 };

typedef struct cg {
    bench_run *bench;
    const bench_body *body;
    ew_matrix matrix;
    ew_device_matrix device_matrix;
    double *x; /* [n_row][3] */
    ew_pcg_def def;
    ew_pcg_info info;
} cg;

/* Running out of iterations is what is wanted. */
static ew_status expect_limit(ew_status status)
{
    return status == EW_NOT_CONVERGED ? EW_OK : status;
}

static ew_status iterate_on_host(void *self)
{
    cg *in = self;
    const bench_body *body = in->body;
    memset(in->x, 0, 3 * (size_t)body->mesh.n_vertex * sizeof *in->x);
    return expect_limit(ew_solve_host(&in->matrix, &body->topology.pattern, body->constraints.fixed,
                                      body->f, &in->def, in->x, &in->info));
}

static ew_status iterate_on_device(void *self)
{
    cg *in = self;
    const bench_body *body = in->body;
    const bool has_double = ew_device_about(in->bench->device)->has_double;
    memset(in->x, 0, 3 * (size_t)body->mesh.n_vertex * sizeof *in->x);
    return expect_limit(ew_solve_device(&in->device_matrix, &body->topology.pattern,
                                        has_double ? NULL : &in->matrix, body->constraints.fixed,
                                        body->f, &in->def, in->x, &in->info));
}

static ew_status measure(cg *in, const char *where, bench_step *step, ew_precision precision,
                         ew_preconditioner preconditioner)
{
    bench_times times;
    char what[64];
    in->def.precision = precision;
    in->def.preconditioner = preconditioner;
    EW_TRY(bench_time(in->bench->repeat, step, in, &times));
    snprintf(what, sizeof what, "%s %s", precision == EW_SINGLE ? "single" : "double",
             preconditioner == EW_JACOBI ? "Jacobi" : "block Jacobi");
    const double value[] = {in->info.iterations, 1e3 * times.median, 1e3 * times.least,
                            1 / times.median};
    return bench_row(in->bench, where, what, value);
}

static ew_status measure_all(cg *in, const char *where, bench_step *step, bool has_double)
{
    if (has_double) {
        EW_TRY(measure(in, where, step, EW_DOUBLE, EW_JACOBI));
        EW_TRY(measure(in, where, step, EW_DOUBLE, EW_BLOCK_JACOBI));
    }
    EW_TRY(measure(in, where, step, EW_SINGLE, EW_JACOBI));
    return measure(in, where, step, EW_SINGLE, EW_BLOCK_JACOBI);
}

static ew_status run_cg(bench_run *bench, const bench_body *body)
{
    cg in = {.bench = bench, .body = body, .def = ew_default_pcg_def()};
    ew_status status = EW_OK;
    in.def.tolerance = 1e-15;
    in.def.max_iterations = ITERATIONS;
    EW_TRY_OUT(ew_stiffness_build(&in.matrix, &body->mesh, &body->topology, &body->materials));
    EW_TRY_OUT(ew_new(&in.x, 3 * (size_t)body->mesh.n_vertex, sizeof *in.x));
    EW_TRY_OUT(measure_all(&in, "host", iterate_on_host, true));
    if (bench->device) {
        const bool has_double = ew_device_about(bench->device)->has_double;
        EW_TRY_OUT(ew_device_matrix_build(
            &in.device_matrix, bench->device, has_double ? EW_MIXED : EW_SINGLE, &body->mesh,
            &body->topology, &body->materials, has_double ? NULL : &in.matrix));
        EW_TRY_OUT(measure_all(&in, "opencl", iterate_on_device, has_double));
    }
out:
    ew_matrix_free(&in.matrix);
    ew_device_matrix_free(&in.device_matrix);
    ew_pcg_info_free(&in.info);
    ew_release(in.x);
    return status;
}

const bench_scenario bench_scenario_cg = {
    .name = "cg",
    .summary = "20 iterations of conjugate gradients from rest",
    .column = {"iterations", "median ms", "min ms", "frames/s"},
    .run = run_cg,
};
