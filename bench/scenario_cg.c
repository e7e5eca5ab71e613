/* Scenario `cg`: twenty iterations of preconditioned conjugate gradients from rest, as an
 * interactive program does for each picture. One frame is a whole call of the solver: the
 * preconditioner, the first residual, the iterations, the last residual. */
#include "assembly/parts/assembly.h"
#include "bench.h"

#include <string.h>

enum { ITERATIONS = 20 };

typedef struct cg {
    bench_run *bench;
    const bench_body *body;
    ew_matrix matrix;
    ew_device_mesh device_mesh;
    ew_device_matrix device_matrix;
    double *x; /* [n_row][3] */
    ew_pcg_def def;
    ew_solver solver;
    ew_pcg_info info;
} cg;

/* The preconditioner is set up each time. Running out of iterations is what is wanted. */
static ew_status iterate(cg *in, ew_operator *op)
{
    const bench_body *body = in->body;
    const ew_system system = {
        .op = op, .xyz = body->mesh.xyz, .fixed = body->constraints.fixed, .b = body->f};
    memset(in->x, 0, 3 * (size_t)body->mesh.n_vertex * sizeof *in->x);
    ew_solver_reset(&in->solver);
    const ew_status status = ew_solver_solve(&in->solver, &system, &in->def, in->x, &in->info);
    ew_operator_free(op);
    return status == EW_NOT_CONVERGED ? EW_OK : status;
}

static ew_status iterate_on_host(void *self)
{
    cg *in = self;
    const bench_body *body = in->body;
    ew_operator op = ew_operator_on_host(&in->matrix, &body->topology.pattern);
    return iterate(in, &op);
}

static ew_status iterate_on_device(void *self)
{
    cg *in = self;
    const bench_body *body = in->body;
    ew_operator op = ew_operator_on_device(&in->device_matrix, &in->device_mesh.pattern,
                                           &body->topology.pattern, &in->matrix);
    return iterate(in, &op);
}

static ew_status measure(cg *in, const char *where, bench_step *step, ew_precision precision,
                         ew_preconditioner_kind preconditioner)
{
    bench_times times;
    char what[64];
    in->def.precision = precision;
    in->def.preconditioner = preconditioner;
    EW_TRY(bench_time(in->bench->repeat, step, in, &times));
    snprintf(what, sizeof what, "%s %s", precision == EW_SINGLE ? "single" : "double",
             preconditioner == EW_JACOBI ? "Jacobi" : "block Jacobi");
    const double value[] = {in->info.iterations, 1e3 * times.median, 1e3 * times.min,
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
        const ew_stiffness from = ew_stiffness_of(&body->mesh, &body->topology, &body->materials);
        EW_TRY_OUT(
            ew_device_mesh_build(&in.device_mesh, bench->device, &body->mesh, &body->topology));
        EW_TRY_OUT(ew_device_matrix_build(&in.device_matrix, &in.device_mesh, &from,
                                          has_double ? EW_MIXED : EW_SINGLE,
                                          has_double ? NULL : &in.matrix));
        EW_TRY_OUT(measure_all(&in, "opencl", iterate_on_device, has_double));
    }
out:
    ew_matrix_free(&in.matrix);
    ew_device_matrix_free(&in.device_matrix);
    ew_device_mesh_free(&in.device_mesh);
    ew_solver_free(&in.solver);
    ew_release(in.x);
    return status;
}

const bench_scenario bench_scenario_cg = {
    .name = "cg",
    .summary = "20 iterations of conjugate gradients from rest",
    .column = {"iterations", "median ms", "min ms", "frames/s"},
    .run = run_cg,
};
