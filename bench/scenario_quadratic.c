/* Scenario `quadratic`: a body of linear and of quadratic tets in, under its own weight; unknowns,
 * memory of all that a product reads, its time, and a solve with the rigid preconditioner out. */
#include "bench.h"

#include <string.h>

typedef struct quadratic {
    bench_run *bench;
    const bench_body *body;
    ew_matrix matrix, blocks;
    ew_edge_rows rows;
    ew_quadratic_operator of_edges;
    ew_operator op;
    ew_solver solver;
    int32_t n;      /* rows */
    uint8_t *fixed; /* [n] */
    double *b, *x, *y;
} quadratic;

static ew_status multiply(void *self)
{
    quadratic *in = self;
#pragma omp parallel num_threads(ew_matrix_product_threads(in->n))
    in->op.type->product(&in->op, false, in->x, in->y);
    return EW_OK;
}

static ew_status make_vectors(quadratic *in)
{
    const bench_body *body = in->body;
    const int32_t n_vertex = body->mesh.n_vertex;
    const ew_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, -BENCH_GRAVITY, 0.0}};
    const ew_load_share share = {.factor = 1.0};
    in->n = ew_operator_n_row(&in->op);
    EW_TRY(ew_new_zero(&in->fixed, (size_t)in->n, 1));
    EW_TRY(ew_new_zero(&in->b, (size_t)in->n, 3 * sizeof(double)));
    EW_TRY(ew_new_zero(&in->x, (size_t)in->n, 3 * sizeof(double)));
    EW_TRY(ew_new_zero(&in->y, (size_t)in->n, 3 * sizeof(double)));
    memcpy(in->fixed, body->constraints.fixed, (size_t)n_vertex);
    memcpy(in->b, body->f, 3 * (size_t)n_vertex * sizeof(double));
    for (int32_t row = 0; row < in->n - n_vertex; row++) { /* between two that are fixed */
        const int32_t *end = body->topology.pattern.pair_row + 2 * (size_t)in->rows.edge[row];
        in->fixed[n_vertex + row] = in->fixed[end[0]] & in->fixed[end[1]];
    }
    return in->n > n_vertex
               ? ew_loads_gather_edges(&body->mesh, &body->topology, &body->materials, 1, &weight,
                                       &share, &in->rows, NULL, false, in->b + 3 * (size_t)n_vertex)
               : EW_OK;
}

static size_t bytes_of(const quadratic *in)
{
    return ew_matrix_bytes(&in->matrix) + ew_matrix_bytes(&in->blocks) +
           ew_edge_rows_bytes(&in->rows) + ew_edge_product_bytes(&in->of_edges.product) +
           ew_pattern_bytes(&in->body->topology.pattern);
}

static ew_status measure(quadratic *in, const char *what)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    bench_times times;
    def.preconditioner = EW_RIGID;
    EW_TRY(in->op.type->prepare(&in->op, EW_DOUBLE));
    EW_TRY(make_vectors(in));
    EW_TRY(bench_time(in->bench->repeat, multiply, in, &times));
    const ew_system system = {
        .op = &in->op, .xyz = in->body->mesh.xyz, .fixed = in->fixed, .b = in->b};
    EW_TRY(ew_solver_solve(&in->solver, &system, &def, in->x, &info));
    const double value[] = {3.0 * in->n,        (double)bytes_of(in) / in->body->mesh.n_live_tet,
                            1e3 * times.median, 1e3 * times.min,
                            info.seconds,       info.iterations};
    return bench_row(in->bench, "host", what, value);
}

static void clear(quadratic *in)
{
    ew_solver_free(&in->solver);
    ew_operator_free(&in->op);
    ew_quadratic_operator_free(&in->of_edges);
    ew_edge_rows_free(&in->rows);
    ew_matrix_free(&in->blocks);
    ew_matrix_free(&in->matrix);
    ew_release(in->fixed);
    ew_release(in->b);
    ew_release(in->x);
    ew_release(in->y);
}

static ew_status run_order(bench_run *bench, const bench_body *body, bool is_quadratic)
{
    quadratic in = {.bench = bench, .body = body};
    const ew_order order = {is_quadratic, NULL};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_stiffness_build(&in.matrix, &body->mesh, &body->topology, &body->materials));
    if (is_quadratic) {
        EW_TRY_OUT(ew_edge_rows_build(&in.rows, &body->topology, &order));
        const ew_edge_blocks from =
            ew_edge_blocks_of(&body->mesh, &body->topology, &body->materials, &in.rows);
        EW_TRY_OUT(ew_matrix_build(&in.blocks, &from.source));
        ew_quadratic_operator_init(&in.of_edges, &body->mesh, &body->topology, &body->materials,
                                   &in.rows, &in.blocks);
        in.of_edges.stored_is_of_tets = true;
    }
    in.op = ew_operator_on_host(&in.matrix, &body->topology.pattern);
    in.op.edges = is_quadratic ? &in.of_edges.edges : NULL;
    status = measure(&in, is_quadratic ? "quadratic" : "linear");
out:
    clear(&in);
    return status;
}

static ew_status run_quadratic(bench_run *bench, const bench_body *body)
{
    EW_TRY(run_order(bench, body, false));
    return run_order(bench, body, true);
}

const bench_scenario bench_scenario_quadratic = {
    .name = "quadratic",
    .summary = "linear and quadratic tets: unknowns, memory, product, solve",
    .column = {"unknowns", "bytes/tet", "median ms", "min ms", "solve s", "iterations"},
    .run = run_quadratic,
};
