/* Scenario `corotational`: a body that swings under its own weight, by implicit steps of a fiftieth
 * of a turn's time, and one bent by Newton's method. Time of a step split into forces, records
 * (rotations), blocks, product and solve, and the blocks revalidated over all, by bound, out; on
 * the host and, where one is asked for, on a device. */
#include "bench.h"

#include <math.h>
#include <string.h>

/* Soft enough to swing far: a bar of length 1 sags by about its length. */
#define SOFTNESS 2e4

typedef struct swing {
    bench_run *bench;
    const bench_body *body;
    ew_model *model;
    ew_device *device; /* null: the host */
    double height;
} swing;

static ew_status constrain(swing *in)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_model_set_def def = {"base", EW_SET_OF_VERTICES, false};
    ew_list list = {0};
    int32_t set = -1;
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        low = fmin(low, mesh->xyz[3 * (size_t)v + 1]);
        high = fmax(high, mesh->xyz[3 * (size_t)v + 1]);
    }
    in->height = high - low;
    ew_status status = EW_OK;
    for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
        if (mesh->xyz[3 * (size_t)v + 1] <= low + BENCH_BASE * in->height) {
            status = ew_list_push(&list, v);
        }
    }
    if (!status) {
        status = ew_model_add_set(in->model, &def, &list, &set);
    }
    ew_list_free(&list);
    EW_TRY(status);
    return ew_model_set_constraints(in->model, 1, &(ew_model_constraint){.set = set, .fixed = 7});
}

static ew_status make_model(swing *in)
{
    ew_model_def def = ew_default_model_def();
    def.device = in->device;
    const ew_model_load weight = {
        .kind = EW_LOAD_GRAVITY, .set = -1, .vector = {BENCH_GRAVITY, 0.0, 0.0}};
    ew_mesh mesh = {0};
    EW_TRY(ew_mesh_compact_copy(&mesh, &in->body->mesh, NULL, false, NULL, NULL));
    const ew_status status = ew_model_create(&in->model, &mesh, &def);
    if (status) {
        ew_mesh_free(&mesh);
        return status;
    }
    EW_TRY(constrain(in));
    EW_TRY(ew_model_set_loads(in->model, 1, &weight));
    EW_TRY(ew_model_set_material(
        in->model, EW_ALL_REGIONS,
        &(ew_material){.young = SOFTNESS * BENCH_DENSITY * in->height / 1e3 * BENCH_GRAVITY,
                       .poisson = BENCH_POISSON,
                       .density = BENCH_DENSITY}));
    return ew_model_set_kinematics(in->model, EW_COROTATIONAL);
}

static const char *where(const swing *in)
{
    return in->device ? "opencl" : "host";
}

enum { PRODUCTS = 30 };

static ew_status product_on_host(swing *in, double *seconds)
{
    const size_t n = 3 * (size_t)ew_model_mesh(in->model)->n_vertex;
    const ew_matrix *matrix;
    double *x;
    EW_TRY(ew_model_matrix(in->model, &matrix));
    EW_TRY(ew_new_zero(&x, 2 * n, sizeof *x));
    for (int k = 0; k < PRODUCTS; k++) {
        const double start = ew_seconds();
        ew_matrix_product(matrix, &ew_model_topology(in->model)->pattern, x, x + n);
        *seconds = fmin(*seconds, ew_seconds() - start);
    }
    ew_release(x);
    return EW_OK;
}

/* Of the stiffness of the body at rest, which has the same blocks to read. */
static ew_status product_on_device(swing *in, double *seconds)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_topology *topology = ew_model_topology(in->model);
    const ew_stiffness from = ew_stiffness_of(mesh, topology, &in->body->materials);
    const size_t bytes = 3 * (size_t)mesh->n_vertex * sizeof(double);
    ew_device_mesh there = {0};
    ew_device_matrix matrix = {0};
    ew_buffer x = {0}, y = {0};
    ew_status status;
    EW_TRY_OUT(ew_device_mesh_build(&there, in->device, mesh, topology));
    EW_TRY_OUT(ew_device_matrix_build(&matrix, &there, &from, EW_DOUBLE, NULL));
    EW_TRY_OUT(ew_buffer_reserve(in->device, &x, bytes));
    EW_TRY_OUT(ew_buffer_reserve(in->device, &y, bytes));
    EW_TRY_OUT(ew_buffer_zero(in->device, &x, 0, bytes));
    for (int k = 0; k < PRODUCTS; k++) {
        const double start = ew_seconds();
        EW_TRY_OUT(ew_device_matrix_product(&matrix, &there.pattern, false, &x, &y));
        EW_TRY_OUT(ew_device_finish(in->device));
        *seconds = fmin(*seconds, ew_seconds() - start);
    }
out:
    ew_device_matrix_free(&matrix);
    ew_device_mesh_free(&there);
    ew_buffer_free(&x);
    ew_buffer_free(&y);
    return status;
}

static ew_status milliseconds_of_product(swing *in, double *ms)
{
    double least = INFINITY;
    EW_TRY(in->device ? product_on_device(in, &least) : product_on_host(in, &least));
    *ms = 1e3 * least;
    return EW_OK;
}

/* Steps in time: mean of those after the first. */
static ew_status run_swing(swing *in, double bound)
{
    enum { STEPS = 20 };
    ew_dynamics_def def = ew_default_dynamics_def();
    const ew_advance_info *info;
    double records = 0.0, blocks = 0.0, rhs = 0.0, solve = 0.0, iterations = 0.0, touched = 0.0;
    char what[64];
    double product;
    def.bound = bound;
    memset(ew_model_field(in->model, 0), 0, 24 * (size_t)ew_model_mesh(in->model)->n_vertex);
    EW_TRY(ew_model_start_dynamics(in->model, &def, 0.0));
    const double step = sqrt(in->height / BENCH_GRAVITY) / 25.0;
    for (int k = 0; k < STEPS; k++) {
        ew_model_clear_report(in->model);
        EW_TRY(ew_model_advance(in->model, step, &info));
        if (k) {
            const ew_model_report *report = ew_model_view_report(in->model);
            records += report->seconds_records;
            blocks += report->seconds_matrix + report->seconds_preconditioner;
            rhs += info->seconds_rhs;
            solve += info->seconds_solve;
            iterations += info->solver ? info->solver->iterations : 0;
            touched += (double)report->touched_blocks;
        }
    }
    EW_TRY(milliseconds_of_product(in, &product));
    ew_model_stop_dynamics(in->model);
    const double n = STEPS - 1, all = (double)ew_model_mesh(in->model)->n_active_vertex +
                                      ew_model_topology(in->model)->pattern.n_live_pair;
    const double value[] = {
        in->body->mesh.n_live_tet, 1e3 * rhs / n,  1e3 * records / n, 1e3 * blocks / n,
        1e3 * solve / n,           iterations / n, product,           100.0 * touched / n / all};
    snprintf(what, sizeof what, "time step, bound %g", bound);
    return bench_row(in->bench, where(in), what, value);
}

/* A static solve: mean of its iterations. */
static ew_status run_newton(swing *in)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info;
    memset(ew_model_field(in->model, 0), 0, 24 * (size_t)ew_model_mesh(in->model)->n_vertex);
    EW_TRY(ew_model_solve_nonlinear(in->model, &def, &info));
    const double n = info->n_iteration;
    double product;
    const double total = (double)info->total_blocks, touched = (double)info->touched_blocks;
    const double of[] = {info->seconds_force, info->seconds_record, info->seconds_blocks,
                         info->seconds_solve, (double)info->n_solver_iteration};
    EW_TRY(milliseconds_of_product(in, &product));
    const double value[] = {
        in->body->mesh.n_live_tet, 1e3 * of[0] / n, 1e3 * of[1] / n, 1e3 * of[2] / n,
        1e3 * of[3] / n,           of[4] / n,       product,         100.0 * touched / total};
    return bench_row(in->bench, where(in), "iteration of Newton", value);
}

static ew_status run_on(bench_run *bench, const bench_body *body, ew_device *device)
{
    static const double bound[] = {0.0, 1e-3, 1e-2, 3e-2};
    swing in = {.bench = bench, .body = body, .device = device};
    ew_status status = make_model(&in);
    for (int k = 0; k < 4 && !status; k++) {
        status = run_swing(&in, bound[k]);
    }
    if (!status) {
        status = run_newton(&in);
    }
    ew_model_free(in.model);
    return status;
}

static ew_status run_corotational(bench_run *bench, const bench_body *body)
{
    EW_TRY(run_on(bench, body, NULL));
    return bench->device ? run_on(bench, body, bench->device) : EW_OK;
}

const bench_scenario bench_scenario_corotational = {
    .name = "corotational",
    .summary = "a body that swings and bends: a step's forces, records, blocks, solve",
    .column = {"tets", "forces ms", "records ms", "blocks ms", "solve ms", "iterations",
               "product ms", "revalidated %"},
    .run = run_corotational,
};
