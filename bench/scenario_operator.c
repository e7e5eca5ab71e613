/* Scenario `operator`: y = K x and y = (c_K K + c_M M) x with stored blocks and from tets: time of
 * a product, and the memory beside the mesh and its tables: blocks, or the diagonal ones and what
 * the operator keeps. */
#include "analysis/parts/analysis.h"
#include "bench.h"

typedef struct operators {
    bench_run *bench;
    ew_stiffness stiffness, diagonal;
    ew_mass mass;
    ew_matrix stored, blocks;
    ew_device_mesh device_mesh;
    ew_device_matrix device_stored, device_blocks;
    ew_operator by_blocks;
    ew_tet_operator by_tets, step_by_tets;
    const ew_operator *now; /* what is measured */
    double *x, *y;          /* [n_row][3] */
    ew_buffer device_x, device_y;
    double stored_seconds; /* least of a product with stored blocks */
} operators;

static ew_status multiply_on_host(void *self)
{
    operators *in = self;
    ew_operator_product(in->now, in->x, in->y);
    return EW_OK;
}

static ew_status multiply_on_device(void *self)
{
    operators *in = self;
    EW_TRY(in->now->type->device_product(in->now, false, &in->device_x, &in->device_y));
    return ew_device_finish(in->bench->device);
}

static ew_status measure(operators *in, bool on_device, const char *what, const ew_operator *op,
                         size_t bytes)
{
    bench_times times;
    in->now = op;
    EW_TRY(bench_time(in->bench->repeat, on_device ? multiply_on_device : multiply_on_host, in,
                      &times));
    if (op == &in->by_blocks) {
        in->stored_seconds = times.min;
    }
    const double value[] = {1e3 * times.median, 1e3 * times.min, times.min / in->stored_seconds,
                            1e-6 * (double)bytes};
    return bench_row(in->bench, on_device ? "opencl" : "host", what, value);
}

static void drop(operators *in)
{
    ew_operator_free(&in->by_blocks);
    ew_tet_operator_free(&in->by_tets);
    ew_tet_operator_free(&in->step_by_tets);
}

static ew_status measure_all(operators *in, bool on_device, size_t stored, size_t diagonal)
{
    ew_status status = ew_tet_operator_prepare(&in->by_tets);
    status = status ? status : ew_tet_operator_prepare(&in->step_by_tets);
    status = status ? status : measure(in, on_device, "stored", &in->by_blocks, stored);
    const size_t tets = diagonal + ew_tet_operator_bytes(&in->by_tets);
    status = status ? status : measure(in, on_device, "tets", &in->by_tets.as, tets);
    status =
        status ? status : measure(in, on_device, "tets, with mass", &in->step_by_tets.as, tets);
    drop(in);
    return status;
}

static ew_status on_host(operators *in)
{
    EW_TRY(ew_matrix_build(&in->stored, &in->stiffness.source));
    EW_TRY(ew_matrix_build(&in->blocks, &in->diagonal.source));
    in->by_blocks = ew_operator_on_host(&in->stored, in->stiffness.source.pattern);
    in->by_tets = ew_tet_operator_on_host(&in->stiffness, 1.0, NULL, 0.0, &in->blocks);
    in->step_by_tets = ew_tet_operator_on_host(&in->stiffness, 1.0, &in->mass, 1e6, &in->blocks);
    return measure_all(in, false, ew_matrix_bytes(&in->stored), ew_matrix_bytes(&in->blocks));
}

static ew_status on_device(operators *in)
{
    ew_device *device = in->bench->device;
    const ew_mesh *mesh = in->stiffness.mesh;
    const size_t bytes = 3 * sizeof(double) * (size_t)mesh->n_vertex;
    EW_TRY(ew_buffer_reserve(device, &in->device_x, bytes));
    EW_TRY(ew_buffer_write(device, &in->device_x, 0, bytes, in->x));
    EW_TRY(ew_device_mesh_build(&in->device_mesh, device, mesh, in->stiffness.topology));
    EW_TRY(ew_device_matrix_build(&in->device_stored, &in->device_mesh, &in->stiffness, EW_DOUBLE,
                                  NULL));
    EW_TRY(ew_device_matrix_build(&in->device_blocks, &in->device_mesh, &in->diagonal, EW_DOUBLE,
                                  NULL));
    in->by_blocks = ew_operator_on_device(&in->device_stored, &in->device_mesh.pattern,
                                          in->stiffness.source.pattern, NULL);
    in->by_tets = ew_tet_operator_on_device(&in->stiffness, 1.0, NULL, 0.0, &in->device_mesh,
                                            &in->device_blocks);
    in->step_by_tets = ew_tet_operator_on_device(&in->stiffness, 1.0, &in->mass, 1e6,
                                                 &in->device_mesh, &in->device_blocks);
    return measure_all(in, true, ew_device_matrix_bytes(&in->device_stored),
                       ew_device_matrix_bytes(&in->device_blocks));
}

static ew_status run_operator(bench_run *bench, const bench_body *body)
{
    operators in = {.bench = bench};
    const size_t n = 3 * (size_t)body->mesh.n_vertex;
    ew_status status = EW_OK;
    in.stiffness = ew_stiffness_of(&body->mesh, &body->topology, &body->materials);
    in.diagonal = in.stiffness;
    in.diagonal.source.diagonal_only = true;
    in.mass = ew_mass_of(&body->mesh, &body->topology, &body->materials, EW_MASS_LUMPED);
    EW_TRY_OUT(ew_new(&in.x, n, sizeof *in.x));
    EW_TRY_OUT(ew_new(&in.y, n, sizeof *in.y));
    for (size_t i = 0; i < n; i++) {
        in.x[i] = 1e-6 * body->mesh.xyz[i];
    }
    EW_TRY_OUT(on_host(&in));
    if (bench->device && ew_device_about(bench->device)->has_double) {
        EW_TRY_OUT(on_device(&in));
    }
out:
    ew_matrix_free(&in.stored);
    ew_matrix_free(&in.blocks);
    ew_device_matrix_free(&in.device_stored);
    ew_device_matrix_free(&in.device_blocks);
    ew_device_mesh_free(&in.device_mesh);
    ew_buffer_free(&in.device_x);
    ew_buffer_free(&in.device_y);
    ew_release(in.x);
    ew_release(in.y);
    return status;
}

const bench_scenario bench_scenario_operator = {
    .name = "operator",
    .summary = "y = K x with stored blocks and from tets; memory beside mesh and tables",
    .column = {"median ms", "min ms", "of stored", "MB"},
    .run = run_operator,
};
