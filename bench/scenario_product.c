/* Scenario `product`: a matrix in, the time of y = K x out, and how close to the memory's speed
 * that is. Two counts of bytes: "counted" is ew_matrix_product_bytes, every block and edge once;
 * "read" adds what the loops read besides: the table of rows (8 bytes per row and 16 per edge), and
 * on a device each edge's block a second time. What caches save or spill is in neither. */
#include "assembly/parts/assembly.h"
#include "bench.h"

typedef struct product {
    bench_run *bench;
    const bench_body *body;
    double bandwidth; /* bytes / s */
    bool in_single;
    ew_matrix matrix;
    ew_matrix_single single;
    ew_device_mesh device_mesh;
    ew_device_matrix device_matrix;
    double *x, *y; /* [n_row][3] */
    ew_buffer device_x, device_y;
} product;

static ew_status multiply_on_host(void *self)
{
    product *in = self;
    const ew_pattern *pattern = &in->body->topology.pattern;
    if (in->in_single) {
        ew_matrix_single_product(&in->single, pattern, in->x, in->y);
    } else {
        ew_matrix_product(&in->matrix, pattern, in->x, in->y);
    }
    return EW_OK;
}

static ew_status multiply_on_device(void *self)
{
    product *in = self;
    EW_TRY(ew_device_matrix_product(&in->device_matrix, &in->device_mesh.pattern, in->in_single,
                                    &in->device_x, &in->device_y));
    return ew_device_finish(in->bench->device);
}

static ew_status measure(product *in, const char *where, bool in_single, bench_step *step,
                         double counted, double read)
{
    bench_times times;
    in->in_single = in_single;
    EW_TRY(bench_time(in->bench->repeat, step, in, &times));
    const double value[] = {1e3 * times.median,         1e3 * times.min,
                            1e-9 * counted / times.min, 1e-9 * read / times.min,
                            1e-9 * in->bandwidth,       100 * counted / times.min / in->bandwidth};
    return bench_row(in->bench, where, in_single ? "single blocks" : "double blocks", value);
}

static ew_status measure_on_host(product *in, bool in_single)
{
    const double rows = in->matrix.n_row, edges = in->matrix.n_pair;
    double counted = ew_matrix_product_bytes(&in->matrix, &in->body->topology.pattern,
                                             in_single ? (int32_t)sizeof(float) : 8);
    counted += in_single ? 24 * rows : 0; /* vectors stay double on the host */
    return measure(in, "host", in_single, multiply_on_host, counted,
                   counted + 12 * edges + 8 * rows);
}

static ew_status measure_on_device(product *in, bool in_single)
{
    ew_device *device = in->bench->device;
    const double rows = in->matrix.n_row, edges = in->matrix.n_pair;
    const int32_t scalar = in_single ? (int32_t)sizeof(float) : 8;
    const double counted =
        ew_matrix_product_bytes(&in->matrix, &in->body->topology.pattern, scalar);
    const size_t bytes = 3 * (size_t)in->matrix.n_row * (size_t)scalar;
    EW_TRY(ew_buffer_reserve(device, &in->device_x, bytes));
    EW_TRY(ew_buffer_zero(device, &in->device_x, 0, bytes));
    return measure(in, "opencl", in_single, multiply_on_device, counted,
                   counted + (12 + 9.0 * scalar) * edges + 8 * rows);
}

static ew_status prepare(product *in)
{
    const bench_body *body = in->body;
    const size_t n = 3 * (size_t)body->mesh.n_vertex;
    EW_TRY(ew_stiffness_build(&in->matrix, &body->mesh, &body->topology, &body->materials));
    EW_TRY(ew_matrix_single_copy(&in->single, &in->matrix, &body->topology.pattern));
    EW_TRY(ew_new(&in->x, n, sizeof *in->x));
    EW_TRY(ew_new(&in->y, n, sizeof *in->y));
    for (size_t i = 0; i < n; i++) {
        in->x[i] = 1e-6 * body->mesh.xyz[i];
    }
    return bench_read_bandwidth(in->bench->repeat, &in->bandwidth);
}

static ew_status run_product(bench_run *bench, const bench_body *body)
{
    product in = {.bench = bench, .body = body};
    ew_status status = EW_OK;
    EW_TRY_OUT(prepare(&in));
    EW_TRY_OUT(measure_on_host(&in, false));
    EW_TRY_OUT(measure_on_host(&in, true));
    if (bench->device) {
        const bool has_double = ew_device_about(bench->device)->has_double;
        const ew_stiffness from = ew_stiffness_of(&body->mesh, &body->topology, &body->materials);
        EW_TRY_OUT(
            ew_device_mesh_build(&in.device_mesh, bench->device, &body->mesh, &body->topology));
        EW_TRY_OUT(ew_device_matrix_build(&in.device_matrix, &in.device_mesh, &from,
                                          has_double ? EW_MIXED : EW_SINGLE,
                                          has_double ? NULL : &in.matrix));
        if (has_double) {
            EW_TRY_OUT(measure_on_device(&in, false));
        }
        EW_TRY_OUT(measure_on_device(&in, true));
    }
out:
    ew_matrix_free(&in.matrix);
    ew_matrix_single_free(&in.single);
    ew_device_matrix_free(&in.device_matrix);
    ew_device_mesh_free(&in.device_mesh);
    ew_buffer_free(&in.device_x);
    ew_buffer_free(&in.device_y);
    ew_release(in.x);
    ew_release(in.y);
    return status;
}

const bench_scenario bench_scenario_product = {
    .name = "product",
    .summary = "y = K x, against the speed of reading memory on the host",
    .column = {"median ms", "min ms", "GB/s counted", "GB/s read", "GB/s memory", "% of memory"},
    .run = run_product,
};
