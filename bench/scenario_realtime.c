/* Scenario `realtime`: how fast a soft body under a force that varies goes on in time, step by step
 * as an interactive program calls for it, with and without an edit in every step: 60 steps of 1/60
 * s to warm up, then at least 300 and 3 s of them. The solver to 1e-6; boundary faces follow. Of
 * shapes larger and larger bodies of the kind are tried, and the last rows say which is the largest
 * whose 99th percentile holds 60 and 30 steps a second. */
#include "moving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 60, LEAST = 300, MOST = 3000, N_COLUMN = 5 };

#define STEP      (1.0 / 60.0)
#define TOLERANCE 1e-6
#define SECONDS   3.0 /* of a row */
#define GROWTH    1.4 /* of tets, from one body to the next */

/* One way to run: its largest bodies. */
typedef struct bench_way {
    bench_solver solver;
    bool edited;
    bool is_over;             /* does not hold 30 steps a second any more */
    int32_t holds60, holds30; /* tets */
} bench_way;

typedef struct report {
    bench_run *bench;
    ew_device *device;
    const char *where;
    double second[MOST];
    bench_way way[2 * BENCH_N_SOLVER];
} report;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *name_of(const bench_way *way, char name[64])
{
    snprintf(name, 64, "%s%s", bench_solver_names[way->solver], way->edited ? ", edits" : "");
    return name;
}

static ew_status take_steps(report *in, const bench_way *way, bench_moving *moving, int32_t *n)
{
    const int32_t least = in->bench->repeat < 3 ? 10 : LEAST; /* few: a test */
    const double begin = ew_seconds();
    *n = 0;
    while (*n < MOST && (*n < least || (least == LEAST && ew_seconds() - begin < SECONDS))) {
        const double start = ew_seconds();
        EW_TRY(way->edited ? bench_moving_edit(moving) : EW_OK);
        EW_TRY(ew_model_advance(moving->model, STEP, NULL));
        in->second[(*n)++] = ew_seconds() - start;
    }
    return EW_OK;
}

static ew_status warm(report *in, const bench_way *way, bench_moving *moving)
{
    int32_t n = in->bench->repeat < 3 ? 2 : WARM;
    for (; n > 0; n--) {
        EW_TRY(way->edited ? bench_moving_edit(moving) : EW_OK);
        EW_TRY(ew_model_advance(moving->model, STEP, NULL));
    }
    return EW_OK;
}

static ew_status put_row(report *in, bench_way *way, const ew_mesh *mesh, int32_t n)
{
    char name[64];
    qsort(in->second, (size_t)n, sizeof *in->second, by_value);
    const double most = in->second[(99 * (size_t)n + 99) / 100 - 1];
    const double value[N_COLUMN] = {1e3 * in->second[n / 2], 1e3 * most, 1e3 * in->second[n - 1],
                                    1.0 / most, n};
    if (most <= 1.0 / 60.0) {
        way->holds60 = mesh->n_live_tet;
    }
    if (most <= 1.0 / 30.0) {
        way->holds30 = mesh->n_live_tet;
    }
    way->is_over = most > 1.0 / 30.0;
    return bench_row(in->bench, in->where, name_of(way, name), value);
}

static ew_status run_way(report *in, bench_way *way, const ew_mesh *mesh)
{
    bench_moving moving;
    int32_t n = 0;
    ew_status status = bench_moving_start(&moving, mesh, in->device, way->solver, TOLERANCE, true);
    status = status ? status : warm(in, way, &moving);
    status = status ? status : take_steps(in, way, &moving, &n);
    bench_moving_free(&moving);
    return status ? status : put_row(in, way, mesh, n);
}

/* Whether any way goes on. */
static ew_status run_body(report *in, const bench_body *body, bool *any)
{
    *any = false;
    for (int k = 0; k < 2 * BENCH_N_SOLVER; k++) {
        bench_way *way = &in->way[k];
        if (!way->is_over && bench_solver_exists(way->solver, in->device)) {
            EW_TRY(run_way(in, way, &body->mesh));
            *any = *any || !way->is_over;
        }
    }
    return EW_OK;
}

/* Larger bodies of the same shape, until no way holds 30 steps a second. */
static ew_status grow(report *in, int32_t shape, double n_tet)
{
    const bench_body *first = in->bench->body;
    bool any = in->bench->repeat >= 3;
    ew_status status = EW_OK;
    while (any && !status) {
        bench_body body;
        n_tet *= GROWTH;
        status = bench_body_make(&body, shape, n_tet, NULL);
        status = status ? status : bench_body_prepare(&body);
        in->bench->body = &body;
        status = status ? status : run_body(in, &body, &any);
        in->bench->body = first;
        bench_body_free(&body);
    }
    return status;
}

static ew_status put_largest(report *in)
{
    for (int k = 0; k < 2 * BENCH_N_SOLVER; k++) {
        const bench_way *way = &in->way[k];
        char name[64];
        if (!bench_solver_exists(way->solver, in->device)) {
            continue;
        }
        printf("%-30s %s: largest body at 60 steps/s %d tets, at 30 steps/s %d tets\n",
               name_of(way, name), in->where, (int)way->holds60, (int)way->holds30);
    }
    return EW_OK;
}

static int32_t shape_of(const bench_body *body)
{
    int32_t shape = 0;
    for (const char *word = BENCH_SHAPES; *word; shape++) {
        const size_t length = strcspn(word, " ");
        if (strlen(body->name) == length && !strncmp(word, body->name, length)) {
            return shape;
        }
        word += length;
        word += *word == ' ';
    }
    return -1;
}

static ew_status run_realtime(bench_run *bench, const bench_body *body)
{
    const int32_t shape = shape_of(body);
    report *in = NULL;
    ew_status status = ew_new_zero(&in, 1, sizeof *in);
    for (int on_device = 0; !status && on_device <= (bench->device != NULL); on_device++) {
        bool any;
        *in = (report){.bench = bench,
                       .device = on_device ? bench->device : NULL,
                       .where = on_device ? "opencl" : "host"};
        for (int k = 0; k < 2 * BENCH_N_SOLVER; k++) {
            in->way[k] = (bench_way){.solver = (bench_solver)(k / 2), .edited = k % 2};
        }
        status = run_body(in, body, &any);
        if (!status && shape >= 0 && any) {
            status = grow(in, shape, body->mesh.n_live_tet);
        }
        status = status ? status : put_largest(in);
    }
    ew_release(in);
    return status;
}

const bench_scenario bench_scenario_realtime = {
    .name = "realtime",
    .summary = "steps of a moving body, with and without an edit in each; the largest at 60 and 30 "
               "a second",
    .column = {"median ms", "99 % ms", "worst ms", "steps/s", "steps"},
    .run = run_realtime,
};
