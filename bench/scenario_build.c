/* Scenario `build`: a mesh in, the time of its neighbor tables and of its matrix out, on the host
 * and on a device. Everything is allocated again in each step, as at the start of a study; "in
 * place" fills a matrix that is there already. */
#include "assembly/parts/assembly.h"
#include "bench.h"

typedef struct build {
    const bench_body *body;
    ew_device *device;
    ew_topology topology;
    ew_matrix matrix;
    ew_device_mesh device_mesh;
    ew_device_matrix device_matrix;
} build;

static ew_status build_tables(void *self)
{
    build *in = self;
    ew_topology_free(&in->topology);
    return ew_topology_build(&in->topology, &in->body->mesh);
}

static ew_status fill_matrix(void *self)
{
    build *in = self;
    const bench_body *body = in->body;
    return ew_stiffness_build(&in->matrix, &body->mesh, &body->topology, &body->materials);
}

static ew_status build_matrix(void *self)
{
    ew_matrix_free(&((build *)self)->matrix);
    return fill_matrix(self);
}

static ew_status fill_device_matrix(void *self)
{
    build *in = self;
    const bench_body *body = in->body;
    const ew_stiffness from = ew_stiffness_of(&body->mesh, &body->topology, &body->materials);
    return ew_device_matrix_build(&in->device_matrix, &in->device_mesh, &from, EW_DOUBLE, NULL);
}

static ew_status build_device_matrix(void *self)
{
    build *in = self;
    ew_device_matrix_free(&in->device_matrix);
    ew_device_mesh_free(&in->device_mesh);
    EW_TRY(
        ew_device_mesh_build(&in->device_mesh, in->device, &in->body->mesh, &in->body->topology));
    return fill_device_matrix(in);
}

static ew_status measure(bench_run *bench, build *in, const char *where, const char *what,
                         bench_step *step, size_t bytes)
{
    bench_times times;
    EW_TRY(bench_time(bench->repeat, step, in, &times));
    const double value[] = {1e3 * times.median, 1e3 * times.min,
                            1e-6 * in->body->mesh.n_live_tet / times.median,
                            (double)bytes / (1 << 20)};
    return bench_row(bench, where, what, value);
}

static ew_status run_build(bench_run *bench, const bench_body *body)
{
    build in = {.body = body, .device = bench->device};
    ew_status status = EW_OK;
    EW_TRY_OUT(build_matrix(&in));
    const size_t tables = ew_topology_bytes(&body->topology), blocks = ew_matrix_bytes(&in.matrix);
    EW_TRY_OUT(measure(bench, &in, "host", "tables", build_tables, tables));
    EW_TRY_OUT(measure(bench, &in, "host", "matrix", build_matrix, blocks));
    EW_TRY_OUT(measure(bench, &in, "host", "matrix in place", fill_matrix, blocks));
    if (bench->device && ew_device_about(bench->device)->has_double) {
        EW_TRY_OUT(build_device_matrix(&in));
        const size_t on_device = ew_device_matrix_bytes(&in.device_matrix);
        EW_TRY_OUT(measure(bench, &in, "opencl", "matrix with upload", build_device_matrix,
                           ew_device_mesh_bytes(&in.device_mesh) + on_device));
        EW_TRY_OUT(measure(bench, &in, "opencl", "matrix in place", fill_device_matrix, on_device));
    }
out:
    ew_topology_free(&in.topology);
    ew_matrix_free(&in.matrix);
    ew_device_matrix_free(&in.device_matrix);
    ew_device_mesh_free(&in.device_mesh);
    return status;
}

const bench_scenario bench_scenario_build = {
    .name = "build",
    .summary = "neighbor tables and stiffness matrix from a mesh",
    .column = {"median ms", "min ms", "Mtets/s", "MiB"},
    .run = run_build,
};
