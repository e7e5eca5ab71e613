/* Scenario `formats`: five matrix formats side by side on one mesh: build, twenty products, memory,
 * and twenty iterations of conjugate gradients with the scalar diagonal as preconditioner, the same
 * loop around each format's product. Before anything is timed, all products must agree. */
#include "bench.h"
#include "formats.h"

#include <math.h>
#include <string.h>

enum { STEPS = 20 };
/* Products sum the same blocks in other orders; entries differ by rounding. */
#define MAX_DIFFERENCE 1e-13

static const bench_format *const formats[] = {
    &bench_format_csm, &bench_format_ssm, &bench_format_crs, &bench_format_bcrs, &bench_format_dem};
enum { N_FORMAT = sizeof formats / sizeof *formats };

typedef struct compared {
    const bench_body *body;
    const bench_format *format;
    void *store;
    size_t n;       /* 3 n_vertex */
    double *memory; /* [6][n] owned, what follows */
    double *x, *y, *weight, *r, *p, *expected;
} compared;

static ew_status build(void *self)
{
    compared *in = self;
    in->format->release(in->store);
    return in->format->build(&in->body->mesh, &in->body->materials, &in->store);
}

static ew_status multiply(void *self)
{
    compared *in = self;
    for (int i = 0; i < STEPS; i++) {
        in->format->multiply(in->store, in->p, in->y);
    }
    return EW_OK;
}

/* The inverse diagonal, zero where a component is fixed: a weight that filters too. */
static void weigh(compared *in)
{
    in->format->take_diagonal(in->store, in->weight);
    for (size_t i = 0; i < in->n; i++) {
        const bool fixed = in->body->constraints.fixed[i / 3] >> (i % 3) & 1;
        in->weight[i] = fixed ? 0 : 1 / in->weight[i];
    }
}

static ew_status iterate(void *self)
{
    compared *in = self;
    double *x = in->x, *r = in->r, *p = in->p, *weight = in->weight;
    const double *q = in->y;
    const size_t n = in->n;
    double rho = 0;
    weigh(in);
    for (size_t i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = in->body->f[i];
        p[i] = weight[i] * r[i];
        rho += r[i] * p[i];
    }
    for (int step = 0; step < STEPS; step++) {
        double pq = 0, next = 0;
        in->format->multiply(in->store, p, in->y);
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(+ : pq)
        for (size_t i = 0; i < n; i++) {
            pq += p[i] * q[i];
        }
        const double alpha = rho / pq;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(+ : next)
        for (size_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            next += weight[i] * r[i] * r[i];
        }
        const double beta = next / rho;
        rho = next;
#pragma omp parallel for schedule(static) num_threads(ew_threads())
        for (size_t i = 0; i < n; i++) {
            p[i] = weight[i] * r[i] + beta * p[i];
        }
    }
    return EW_OK;
}

/* Of one product to the first format's, relative to its largest entry. */
static double difference(compared *in, bool is_first)
{
    double largest = 0, apart = 0;
    for (size_t i = 0; i < in->n; i++) {
        in->p[i] = sin((double)i);
    }
    in->format->multiply(in->store, in->p, in->y);
    if (is_first) {
        memcpy(in->expected, in->y, in->n * sizeof *in->y);
    }
    for (size_t i = 0; i < in->n; i++) {
        largest = fmax(largest, fabs(in->expected[i]));
        apart = fmax(apart, fabs(in->y[i] - in->expected[i]));
    }
    return apart / largest;
}

static ew_status measure(bench_run *bench, compared *in)
{
    bench_times built, multiplied, iterated;
    size_t matrix, with_tables;
    EW_TRY(build(in));
    const double apart = difference(in, in->format == formats[0]);
    if (!(apart <= MAX_DIFFERENCE)) {
        return ew_fail(EW_MATRIX_VALUE,
                       "bench: the product of %s differs by %g of its largest entry",
                       in->format->name, apart);
    }
    EW_TRY(bench_time(bench->repeat, multiply, in, &multiplied));
    EW_TRY(bench_time(bench->repeat, iterate, in, &iterated));
    EW_TRY(bench_time(bench->repeat, build, in, &built));
    in->format->count_bytes(in->store, &matrix, &with_tables);
    const double value[] = {
        1e3 * built.median,  1e3 * multiplied.median,    1e3 * iterated.median,
        1 / iterated.median, (double)matrix / (1 << 20), (double)with_tables / (1 << 20),
        1e15 * apart};
    return bench_row(bench, "host", in->format->name, value);
}

static ew_status run_formats(bench_run *bench, const bench_body *body)
{
    compared in = {.body = body, .n = 3 * (size_t)body->mesh.n_vertex};
    EW_TRY(ew_new_zero(&in.memory, 6 * in.n, sizeof *in.memory));
    double **part[] = {&in.x, &in.y, &in.weight, &in.r, &in.p, &in.expected};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *part[i] = in.memory + i * in.n;
    }
    ew_status status = EW_OK;
    for (int i = 0; i < N_FORMAT && !status; i++) {
        in.format = formats[i];
        in.store = NULL;
        status = measure(bench, &in);
        in.format->release(in.store);
    }
    ew_release(in.memory);
    return status;
}

const bench_scenario bench_scenario_formats = {
    .name = "formats",
    .summary = "CSM, SSM, CRS, BCRS and DEM: build, 20 products, 20 iterations, memory",
    .column = {"build ms", "20 products", "20 cg ms", "frames/s", "matrix MiB", "with tables",
               "differs e-15"},
    .run = run_formats,
};
