/* Scenario `dynamics`: a soft body pressed on two facing triangles, by implicit Euler at 16 ms for
 * 15 s, the solver to 1e-8 in each step: time of a step by stage, median and mean. Then the step
 * after one tet went or came back: by conjugate gradients, by an update of the factor, and by a new
 * one. Long runs stop after some seconds of wall-clock time. */
#include "moving.h"

#include <math.h>

enum { MAX_STEPS = 938, N_COLUMN = 9 }; /* 15 s / 16 ms */
enum { STEP, MEAN, UPDATE, FORCES, RHS, SOLVE, SETUP, ITERATIONS, STEPS };

#define TOLERANCE   1e-8
#define MAX_SECONDS 10.0 /* of a row */

typedef struct run {
    bench_run *bench;
    const bench_body *body;
    const char *where;
    ew_device *device;
    double sample[N_COLUMN][MAX_STEPS];
} run;

/* kind: 0 no edit, 1 an edit before each step, 2 the same and all built again. */
static ew_status sample_step(run *in, bench_moving *moving, int kind, int32_t k)
{
    const ew_advance_info *info;
    const double start = ew_seconds();
    EW_TRY(kind ? bench_moving_edit(moving) : EW_OK);
    EW_TRY(kind == 2 ? ew_model_rebuild(moving->model) : EW_OK);
    const double edited = ew_seconds();
    EW_TRY(ew_model_advance(moving->model, BENCH_SOFT_STEP, &info));
    const double value[N_COLUMN] = {[STEP] = 1e3 * (ew_seconds() - start),
                                    [UPDATE] = 1e3 * (info->seconds_update + edited - start),
                                    [FORCES] = 1e3 * info->seconds_loads,
                                    [RHS] = 1e3 * info->seconds_rhs,
                                    [SOLVE] =
                                        1e3 * (info->seconds_solve - info->solver->seconds_setup),
                                    [SETUP] = 1e3 * info->solver->seconds_setup,
                                    [ITERATIONS] = info->solver->iterations};
    for (int column = 0; column < N_COLUMN; column++) {
        in->sample[column][k] = value[column];
    }
    return EW_OK;
}

static ew_status put_row(run *in, const char *solver, const char *what, int32_t n)
{
    double value[N_COLUMN], sum = 0.0;
    char name[64];
    for (int32_t k = 0; k < n; k++) {
        sum += in->sample[STEP][k];
    }
    for (int column = 0; column < N_COLUMN; column++) {
        value[column] = bench_median(in->sample[column], n);
    }
    value[MEAN] = sum / n;
    value[STEPS] = n;
    snprintf(name, sizeof name, "%s%s", solver, what);
    return bench_row(in->bench, in->where, name, value);
}

/* The first steps, which set up, are not counted. */
static ew_status measure(run *in, bench_moving *moving, bench_solver solver, int kind,
                         const char *what, int32_t most)
{
    const double start = ew_seconds();
    int32_t n = 0;
    for (int32_t k = 0; k < 2; k++) {
        EW_TRY(sample_step(in, moving, kind, 0));
    }
    while (n < most && (n < 2 || ew_seconds() - start < MAX_SECONDS)) {
        EW_TRY(sample_step(in, moving, kind, n++));
    }
    return put_row(in, bench_solver_names[solver], what, n);
}

static ew_status run_solver(run *in, bench_solver solver)
{
    const int32_t most = in->bench->repeat < 3 ? 10 : MAX_STEPS; /* few: a test */
    const int32_t few = 10 * in->bench->repeat < MAX_STEPS ? 10 * in->bench->repeat : MAX_STEPS;
    bench_moving moving;
    ew_status status =
        bench_moving_start(&moving, &in->body->mesh, in->device, solver, TOLERANCE, false);
    status = status ? status : measure(in, &moving, solver, 0, "", most);
    status = status ? status : measure(in, &moving, solver, 1, ", after an edit", few);
    if (solver == BENCH_CHOLESKY) {
        status = status ? status : measure(in, &moving, solver, 2, ", a new factor", few / 10 + 2);
    }
    bench_moving_free(&moving);
    return status;
}

static ew_status run_dynamics(bench_run *bench, const bench_body *body)
{
    run *in = NULL;
    ew_status status = ew_new_zero(&in, 1, sizeof *in);
    for (int on_device = 0; !status && on_device <= (bench->device != NULL); on_device++) {
        in->bench = bench;
        in->body = body;
        in->where = on_device ? "opencl" : "host";
        in->device = on_device ? bench->device : NULL;
        for (int k = 0; k < BENCH_N_SOLVER && !status; k++) {
            if (bench_solver_exists((bench_solver)k, in->device)) {
                status = run_solver(in, (bench_solver)k);
            }
        }
    }
    ew_release(in);
    return status;
}

const bench_scenario bench_scenario_dynamics = {
    .name = "dynamics",
    .summary = "a soft body pressed for 15 s: time of a step by stage, ms; after an edit",
    .column = {"step ms", "mean ms", "update", "forces", "right-hand side", "solve", "set up",
               "iterations", "steps"},
    .run = run_dynamics,
};
