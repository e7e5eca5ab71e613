/* Scenario `remove`: element removal of a cantilever to half of its volume: fixed at one end of its
 * longest side, loaded at the other. Time of a round by stage out, beside a model that is made of
 * the same body from the mesh alone and solved from zero, taken in turns; then all of it once more,
 * which must have the same bits. */
#include "bench.h"
#include "removal/parts/removal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL, CHOOSE, EDIT, MATRIX, PRECONDITIONER, SOLVE, RECOVER, ITERATIONS, N_TIME };
enum { MAX_ROUNDS = 100, EVERY = 4 };
/* Compliances of two solves of one body. */
static const double same = 1e-5;

typedef struct removal {
    bench_run *bench;
    ew_model *model;
    ew_set keep;
    int axis;
    double low, high;     /* along it */
    double middle, width; /* along the next one */
    int32_t iterations;   /* of the solve under way */
    int32_t n, n_fresh;   /* rounds after the first, and rebuilds */
    double round[N_TIME][MAX_ROUNDS + 1], fresh[N_TIME][MAX_ROUNDS + 1];
    double n_tet;
    bool compares; /* makes models from the mesh alone in between */
    uint64_t hash;
} removal;

/* ---- the cantilever ------------------------------------------------------------------ */

static void find_ends(removal *in, const ew_mesh *mesh)
{
    ew_mesh_measure measure;
    ew_mesh_take_measure(mesh, &measure);
    in->axis = 0;
    for (int c = 1; c < 3; c++) {
        const double own = measure.high[c] - measure.low[c];
        in->axis = own > measure.high[in->axis] - measure.low[in->axis] ? c : in->axis;
    }
    const int other = (in->axis + 1) % 3;
    in->low = measure.low[in->axis];
    in->high = measure.high[in->axis];
    in->width = measure.high[other] - measure.low[other];
    in->middle = 0.5 * (measure.high[other] + measure.low[other]);
}

/* share: of the width, how far from its middle the load reaches. */
static ew_status list_ends(const removal *in, const ew_mesh *mesh, double share, ew_list *wall,
                           ew_list *tip)
{
    const double near = 0.01 * (in->high - in->low);
    wall->n = tip->n = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        if (x[in->axis] <= in->low + near) {
            EW_TRY(ew_list_push(wall, v));
        }
        if (x[in->axis] >= in->high - near &&
            fabs(x[(in->axis + 1) % 3] - in->middle) <= share * in->width) {
            EW_TRY(ew_list_push(tip, v));
        }
    }
    return tip->n || share >= 1.0 ? EW_OK : list_ends(in, mesh, 2.0 * share, wall, tip);
}

static ew_status load(const removal *in, ew_model *model)
{
    const ew_model_set_def wall_def = {"wall", EW_SET_OF_VERTICES, true};
    const ew_model_set_def tip_def = {"tip", EW_SET_OF_VERTICES, false};
    const ew_material steel = {.young = BENCH_YOUNG, .poisson = BENCH_POISSON};
    ew_model_constraint fixed = {.fixed = 7};
    ew_model_load force = {.kind = EW_LOAD_TOTAL_FORCE};
    ew_list wall = {0}, tip = {0};
    force.vector[(in->axis + 1) % 3] = -1000.0;
    ew_status status = list_ends(in, ew_model_mesh(model), 0.1, &wall, &tip);
    status = status ? status : ew_model_add_set(model, &wall_def, &wall, &fixed.set);
    status = status ? status : ew_model_add_set(model, &tip_def, &tip, &force.set);
    ew_list_free(&wall);
    ew_list_free(&tip);
    EW_TRY(status);
    EW_TRY(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    EW_TRY(ew_model_set_constraints(model, 1, &fixed));
    return ew_model_set_loads(model, 1, &force);
}

static ew_status make_model(const removal *in, const ew_mesh *from, bool reorder, ew_model **model)
{
    ew_model_def def = ew_default_model_def();
    ew_mesh mesh = {0};
    def.device = in->bench->device;
    def.reorder = reorder;
    EW_TRY(ew_mesh_compact_copy(&mesh, from, NULL, false, NULL, NULL));
    const ew_status status = ew_model_create(model, &mesh, &def);
    ew_mesh_free(&mesh);
    return status ? status : load(in, *model);
}

static ew_status list_loaded(removal *in)
{
    ew_list tet = {0};
    ew_status status = ew_model_list_tets(in->model, ew_model_find_set(in->model, "tip"), &tet);
    ew_set_clear(&in->keep);
    for (int32_t i = 0; i < tet.n && !status; i++) {
        status = ew_set_add(&in->keep, tet.id[i]);
    }
    ew_list_free(&tet);
    return status;
}

/* ---- rounds ---------------------------------------------------------------------------- */

static ew_pcg_def solver_of(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-6;
    def.expected_solves = 50;
    return def;
}

static ew_status analyze(ew_model *model, int32_t *iterations, double *compliance)
{
    const ew_pcg_def def = solver_of();
    const ew_pcg_info *info;
    EW_TRY(ew_model_solve(model, &def, &info));
    *iterations = info->iterations;
    ew_energies energies;
    EW_TRY(ew_model_recover_energies(model, &energies));
    *compliance = 2.0 * energies.strain;
    return EW_OK;
}

static ew_status analyze_round(void *user)
{
    removal *in = user;
    double compliance;
    return analyze(in->model, &in->iterations, &compliance);
}

static void take_stages(const ew_model_report *report, double time[N_TIME][MAX_ROUNDS + 1],
                        int32_t at)
{
    time[EDIT][at] = report->seconds_commit + report->seconds_tables + report->seconds_boundary +
                     report->seconds_follow;
    time[MATRIX][at] = report->seconds_matrix;
    time[PRECONDITIONER][at] = report->seconds_preconditioner;
    time[SOLVE][at] = report->seconds_solve + report->seconds_loads + report->seconds_support;
    time[RECOVER][at] = report->seconds_recover;
}

/* As a program that has no edits would: tables, matrix, preconditioner, and a solve from zero. */
static ew_status rebuild(removal *in, double compliance)
{
    const double start = ew_seconds();
    const int32_t at = in->n_fresh++;
    int32_t iterations = 0;
    double other = 0.0;
    ew_model *model = NULL;
    ew_status status = make_model(in, ew_model_mesh(in->model), false, &model);
    if (!status) {
        status = analyze(model, &iterations, &other);
    }
    if (!status) {
        const ew_model_report *report = ew_model_view_report(model);
        take_stages(report, in->fresh, at);
        in->fresh[ALL][at] = ew_seconds() - start;
        in->fresh[CHOOSE][at] = 0.0;
        in->fresh[ITERATIONS][at] = iterations;
        if (fabs(other - compliance) > same * compliance) {
            status = ew_fail(EW_MATRIX_DIFFERS, "remove: compliance %.9g, rebuilt %.9g", compliance,
                             other);
        }
    }
    ew_model_free(model);
    return status;
}

static ew_status on_round(void *user, const ew_removal_round *round)
{
    removal *in = user;
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_model_report *report = ew_model_view_report(in->model);
    in->hash = ew_hash(in->hash, mesh->tet, 16 * (size_t)mesh->n_tet);
    in->hash = ew_hash(in->hash, ew_model_displacement(in->model), 24 * (size_t)mesh->n_vertex);
    if (round->round && in->compares) {
        const int32_t at = in->n++;
        take_stages(report, in->round, at);
        in->round[ALL][at] = round->seconds_analyze + round->seconds_choose;
        in->round[CHOOSE][at] = round->seconds_choose - in->round[EDIT][at];
        in->round[ITERATIONS][at] = in->iterations;
        EW_TRY(round->round % EVERY == 1 ? rebuild(in, round->compliance) : EW_OK);
    }
    ew_model_clear_report(in->model);
    return EW_OK;
}

static ew_status evolve(removal *in, const ew_mesh *mesh, ew_removal_info *info)
{
    ew_removal_def def = ew_default_removal_def();
    def.max_rounds = MAX_ROUNDS;
    def.solver = solver_of();
    def.keep = &in->keep;
    def.user = in;
    def.analyze = analyze_round;
    def.on_round = on_round;
    in->hash = EW_HASH_START;
    ew_status status = make_model(in, mesh, true, &in->model);
    status = status ? status : list_loaded(in);
    status = status ? status : ew_removal_run(in->model, &def, info);
    ew_model_free(in->model);
    in->model = NULL;
    return status;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int by_size(const void *first, const void *second)
{
    const double *a = first, *b = second;
    return (*a > *b) - (*a < *b);
}

static double median(double *value, int32_t n)
{
    qsort(value, (size_t)n, sizeof *value, by_size);
    return n ? 0.5 * (value[(n - 1) / 2] + value[n / 2]) : NAN;
}

static ew_status row(removal *in, const char *what, double time[N_TIME][MAX_ROUNDS + 1], int32_t n)
{
    double value[2 + N_TIME] = {in->n_tet, n};
    for (int k = 0; k < N_TIME; k++) {
        value[2 + k] = (k == ITERATIONS ? 1.0 : 1e3) * median(time[k], n);
    }
    return bench_row(in->bench, in->bench->device ? "opencl" : "host", what, value);
}

static ew_status measure(removal *in, const ew_mesh *mesh)
{
    ew_removal_info info;
    in->compares = true;
    find_ends(in, mesh);
    EW_TRY(evolve(in, mesh, &info));
    const uint64_t first = in->hash;
    EW_TRY(row(in, "round", in->round, in->n));
    EW_TRY(row(in, "rebuilt", in->fresh, in->n_fresh));
    in->compares = false;
    EW_TRY(evolve(in, mesh, &info));
    if (first != in->hash) {
        return ew_fail(EW_MATRIX_DIFFERS, "remove: a second run has other bits");
    }
    printf("remove: %d rounds to %.2f %% of the volume, change %.2g %%; a second run has the same "
           "bits\n",
           (int)info.last.round, 100.0 * info.last.share, 100.0 * info.last.change);
    return EW_OK;
}

static ew_status run_remove(bench_run *bench, const bench_body *body)
{
    removal *in;
    EW_TRY(ew_new_zero(&in, 1, sizeof *in));
    in->bench = bench;
    in->n_tet = body->mesh.n_live_tet;
    const ew_status status = measure(in, &body->mesh);
    ew_set_free(&in->keep);
    ew_release(in);
    return status;
}

const bench_scenario bench_scenario_remove = {
    .name = "remove",
    .summary = "element removal of a cantilever: a round beside building all again",
    .column = {"tets", "rounds", "all ms", "choose ms", "edit ms", "matrix ms", "preconditioner ms",
               "solve ms", "recover ms", "iterations"},
    .run = run_remove,
};
