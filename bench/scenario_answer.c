/* Scenario `answer`: from an edit to the next answer through the model, by stage, at 1e-6 and 1e-8:
 * 1 to 1,000 tets anywhere removed, a ball of 1 % of them, 100 vertices moved, refined, mirrored.
 * Each kind of edit gets a model of its own, solved to 1e-8 before; its edits follow one another.
 * "200 edits": after so many of one tet, iterations from rest beside those of a new hierarchy. */
#include "edited.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 200, N_STAGE = 9, REFINED = 100, MOVED = 100 };

typedef enum edit_kind { REMOVE, BALL, MOVE, REFINE, MIRROR, MANY } edit_kind;
typedef struct edit_row {
    const char *name;
    edit_kind kind;
    int32_t n;
} edit_row;
static const edit_row rows[] = {
    {"1 tet", REMOVE, 1},         {"10 tets", REMOVE, 10},  {"100 tets", REMOVE, 100},
    {"1000 tets", REMOVE, 1000},  {"ball of 1 %", BALL, 0}, {"100 moved", MOVE, MOVED},
    {"refine at 100", REFINE, 0}, {"mirror", MIRROR, 0},    {"200 edits", MANY, SAMPLES},
};

typedef struct answer {
    const bench_body *body;
    ew_model *model;
    uint64_t random;
    double sample[SAMPLES][N_STAGE]; /* s, by stage; total; iterations */
    double work[SAMPLES];
} answer;
enum { COMMIT, TABLES, FOLLOW, MATRIX, PRECONDITIONER, LOADS, SOLVE, TOTAL, ITERATIONS };

/* ---- models -------------------------------------------------------------- */

static ew_status add_base(const bench_body *body, ew_model *model, int32_t *set)
{
    const ew_model_set_def def = {.name = "base", .kind = EW_SET_OF_VERTICES};
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list base = {0};
    ew_status status = EW_OK;
    for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
        if (ew_mesh_vertex_is_active(mesh, v) && mesh->xyz[3 * (size_t)v + 1] <= body->base) {
            status = ew_list_push(&base, v);
        }
    }
    if (!status) {
        status = ew_model_add_set(model, &def, &base, set);
    }
    ew_list_free(&base);
    return status;
}

ew_status bench_model_make(const bench_body *body, ew_device *device, ew_model **model)
{
    const ew_material steel = {
        .young = BENCH_YOUNG, .poisson = BENCH_POISSON, .density = BENCH_DENSITY};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0, -BENCH_GRAVITY, 0}};
    ew_model_constraint base = {.fixed = 7};
    ew_model_def def = ew_default_model_def();
    ew_mesh mesh = {0};
    def.device = device;
    EW_TRY(ew_mesh_copy(&mesh, &body->mesh));
    const ew_status status = ew_model_create(model, &mesh, &def);
    ew_mesh_free(&mesh);
    EW_TRY(status);
    EW_TRY(ew_model_set_material(*model, EW_ALL_REGIONS, &steel));
    EW_TRY(add_base(body, *model, &base.set));
    EW_TRY(ew_model_set_constraints(*model, 1, &base));
    return ew_model_set_loads(*model, 1, &weight);
}

/* ---- edits --------------------------------------------------------------- */

static int32_t random_tet(answer *in)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    int32_t t;
    do {
        t = bench_random(&in->random, mesh->n_tet);
    } while (!ew_mesh_tet_is_live(mesh, t));
    return t;
}

/* Whether the tet can go without leaving one that hangs by a single face. */
static bool can_go(const answer *in, int32_t tet, const bool *near)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_topology *topology = ew_model_topology(in->model);
    for (int32_t f = 0; f < 4; f++) {
        const int32_t other = ew_topology_face_neighbor(topology, mesh, 4 * tet + f);
        int32_t n = 0;
        for (int32_t g = 0; other >= 0 && g < 4; g++) {
            n += ew_topology_face_neighbor(topology, mesh, 4 * other + g) >= 0;
        }
        if (other >= 0 && (n < 3 || near[other])) {
            return false;
        }
    }
    return !near[tet];
}

static ew_status queue_tets(answer *in, int32_t n, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    bool *near;
    EW_TRY(ew_new_zero(&near, (size_t)mesh->n_tet, sizeof *near));
    ew_status status = EW_OK;
    for (int32_t k = 0, tries = 0; k < n && tries < 100 * n && !status; tries++) {
        const int32_t t = random_tet(in);
        if (!can_go(in, t, near)) {
            continue;
        }
        near[t] = true;
        for (int32_t f = 0; f < 4; f++) {
            const int32_t other =
                ew_topology_face_neighbor(ew_model_topology(in->model), mesh, 4 * t + f);
            near[other < 0 ? t : other] = true;
        }
        status = ew_edit_remove_tet(edit, t);
        k++;
    }
    ew_release(near);
    return status;
}

ew_status bench_queue_tets(ew_model *model, uint64_t *random, int32_t n)
{
    answer in = {.model = model, .random = *random};
    const ew_status status = queue_tets(&in, n, ew_model_edit(model));
    *random = in.random;
    return status;
}

typedef struct ranked {
    double distance;
    int32_t tet;
} ranked;

static int by_distance(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                      : (x->tet > y->tet) - (x->tet < y->tet);
}

/* The n tets whose first vertices are nearest to that of a tet anywhere. */
static ew_status find_ball(answer *in, int32_t n, ew_list *ball)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const double *middle = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)random_tet(in)];
    ranked *list;
    int32_t n_live = 0;
    EW_TRY(ew_new(&list, (size_t)mesh->n_tet, sizeof *list));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double *x = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t];
            list[n_live++] =
                (ranked){hypot(hypot(x[0] - middle[0], x[1] - middle[1]), x[2] - middle[2]), t};
        }
    }
    qsort(list, (size_t)n_live, sizeof *list, by_distance);
    ew_status status = EW_OK;
    for (int32_t k = 0; k < n && k < n_live && !status; k++) {
        status = ew_list_push(ball, list[k].tet);
    }
    ew_release(list);
    return status;
}

static ew_status queue_ball(answer *in, ew_edit *edit)
{
    ew_list ball = {0};
    ew_status status = find_ball(in, ew_model_mesh(in->model)->n_live_tet / 100, &ball);
    for (int32_t k = 0; k < ball.n && !status; k++) {
        status = ew_edit_remove_tet(edit, ball.id[k]);
    }
    ew_list_free(&ball);
    return status;
}

static ew_status queue_refine(answer *in, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    ew_list ball = {0};
    ew_set inside = {0};
    ew_status status = find_ball(in, REFINED, &ball);
    for (int32_t k = 0; k < 4 * ball.n && !status; k++) {
        status = ew_set_add(&inside, mesh->tet[4 * (size_t)ball.id[k / 4] + (size_t)(k % 4)]);
    }
    ew_list_sort(&inside.list);
    if (!status) {
        status = ew_operation_refine(mesh, ew_model_topology(in->model), 0, &inside.list, edit);
    }
    ew_list_free(&ball);
    ew_set_free(&inside);
    return status;
}

/* A fifth of the least height of the vertex in its tets. */
static double small_step(const answer *in, int32_t v)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_rows *tets = &ew_model_topology(in->model)->vertex_to_tet;
    double step = INFINITY;
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t t = tets->item[tets->begin[v] + i];
        double area[3];
        int32_t k = 0;
        while (mesh->tet[4 * (size_t)t + (size_t)k] != v) {
            k++;
        }
        ew_face_area_vector(mesh, 4 * t + k, area);
        step =
            fmin(step, 0.6 * ew_mesh_tet_volume(mesh, t) / hypot(hypot(area[0], area[1]), area[2]));
    }
    return step;
}

/* Vertices of tets anywhere, no two of one tet, so that no tet is turned over. */
static ew_status queue_moves(answer *in, int32_t n, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_rows *pairs = &ew_model_topology(in->model)->pattern.row_to_pair;
    bool *near;
    EW_TRY(ew_new_zero(&near, (size_t)mesh->n_vertex, sizeof *near));
    ew_status status = EW_OK;
    for (int32_t k = 0, tries = 0; k < n && tries < 100 * n && !status; tries++) {
        const int32_t v = mesh->tet[4 * (size_t)random_tet(in)];
        double xyz[3];
        if (near[v]) {
            continue;
        }
        near[v] = true;
        for (int32_t i = 0; i < pairs->count[v]; i++) {
            near[pairs->item[2 * ((size_t)pairs->begin[v] + (size_t)i)]] = true;
        }
        memcpy(xyz, mesh->xyz + 3 * (size_t)v, sizeof xyz);
        xyz[k % 3] += small_step(in, v);
        status = ew_edit_move_vertex(edit, v, xyz);
        k++;
    }
    ew_release(near);
    return status;
}

static ew_status queue_edit(answer *in, const edit_row *row)
{
    ew_edit *edit = ew_model_edit(in->model);
    ew_mirror_def mirror = {.normal = {1, 0, 0}, .tolerance = -1};
    ew_model_begin(in->model);
    switch (row->kind) {
    case REMOVE:
        return queue_tets(in, row->n, edit);
    case BALL:
        return queue_ball(in, edit);
    case MOVE:
        return queue_moves(in, row->n, edit);
    case REFINE:
        return queue_refine(in, edit);
    case MIRROR:
        ew_mirror_place(ew_model_mesh(in->model), 1, &mirror);
        return ew_operation_mirror(ew_model_mesh(in->model), &mirror, edit);
    default:
        return queue_tets(in, 1, edit);
    }
}

/* ---- measuring ------------------------------------------------------------- */

/* What an edit has cut off goes, too, in the time of the answer. */
static ew_status solve(ew_model *model, double tolerance, const ew_pcg_info **info)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = tolerance;
    ew_status status = ew_model_solve(model, &def, info);
    for (int32_t n = 1; status == EW_UNDER_CONSTRAINED && n > 0;) {
        ew_model_begin(model);
        EW_TRY(ew_model_queue_under_constrained(model, &n));
        EW_TRY(ew_model_commit(model));
        status = ew_model_solve(model, &def, info);
    }
    return status;
}

static ew_status edit_and_solve(answer *in, const edit_row *row, double tolerance, double *sample)
{
    const ew_pcg_info *info;
    EW_TRY(queue_edit(in, row));
    ew_model_clear_report(in->model);
    const double start = ew_seconds();
    EW_TRY(ew_model_commit(in->model));
    EW_TRY(solve(in->model, tolerance, &info));
    sample[TOTAL] = ew_seconds() - start;
    const ew_model_report *report = ew_model_view_report(in->model);
    sample[COMMIT] = report->seconds_commit;
    sample[TABLES] = report->seconds_tables;
    sample[FOLLOW] = report->seconds_follow;
    sample[MATRIX] = report->seconds_matrix;
    sample[PRECONDITIONER] = report->seconds_preconditioner;
    sample[LOADS] = sample[TOTAL] - report->seconds_commit - report->seconds_tables -
                    report->seconds_follow - report->seconds_matrix -
                    report->seconds_preconditioner - report->seconds_solve;
    sample[SOLVE] = report->seconds_solve;
    sample[ITERATIONS] = info->iterations;
    return EW_OK;
}

/* Iterations to 1e-8 from rest with the hierarchy as it is, and with a new one. */
static ew_status compare_with_fresh(answer *in, double *kept, double *fresh)
{
    const ew_pcg_info *info;
    const size_t bytes = 3 * (size_t)ew_model_mesh(in->model)->n_vertex * sizeof(double);
    memset(ew_model_field(in->model, 0), 0, bytes);
    EW_TRY(solve(in->model, 1e-8, &info));
    *kept = info->iterations;
    EW_TRY(ew_model_rebuild(in->model));
    memset(ew_model_field(in->model, 0), 0, bytes);
    EW_TRY(solve(in->model, 1e-8, &info));
    *fresh = info->iterations;
    return EW_OK;
}

static int32_t choose_samples(const bench_run *bench, const bench_body *body, const edit_row *row)
{
    const int32_t n_removed = row->kind == BALL ? body->mesh.n_live_tet / 100 : row->n;
    const int32_t most = row->kind == MIRROR ? 1 : SAMPLES;
    int32_t n = bench->repeat < most ? bench->repeat : most;
    if (row->kind == MANY) {
        return row->n;
    }
    while (n > 1 && n * n_removed > body->mesh.n_live_tet / 10) {
        n--;
    }
    return n;
}

static ew_status measure(bench_run *bench, answer *in, const char *where, const edit_row *row,
                         double tolerance)
{
    const int32_t n = choose_samples(bench, in->body, row);
    double value[13], kept = NAN, fresh = NAN;
    char what[64];
    const ew_pcg_info *info;
    EW_TRY(solve(in->model, 1e-8, &info));
    in->random = 88172645463325252U;
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(edit_and_solve(in, row, tolerance, in->sample[k]));
    }
    for (int32_t stage = 0; stage < N_STAGE; stage++) {
        for (int32_t k = 0; k < n; k++) {
            in->work[k] = (stage == ITERATIONS ? 1 : 1e3) * in->sample[k][stage];
        }
        value[stage] = bench_median(in->work, n);
    }
    if (row->kind == MANY) {
        EW_TRY(compare_with_fresh(in, &kept, &fresh));
    }
    value[ITERATIONS + 1] = kept;
    value[ITERATIONS + 2] = fresh;
    value[ITERATIONS + 3] = n;
    snprintf(what, sizeof what, "%s, %.0e", row->name, tolerance);
    return bench_row(bench, where, what, value);
}

static ew_status measure_all(bench_run *bench, const char *where, ew_device *device, answer *in)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (double tolerance = 1e-6; tolerance > 1e-9; tolerance *= 1e-2) {
            if (rows[k].n > in->body->mesh.n_live_tet / 10 ||
                (rows[k].kind == MANY && tolerance < 1e-7)) {
                continue;
            }
            ew_status status = bench_model_make(in->body, device, &in->model);
            if (!status) {
                status = measure(bench, in, where, &rows[k], tolerance);
            }
            ew_model_free(in->model);
            in->model = NULL;
            EW_TRY(status);
        }
    }
    return EW_OK;
}

static ew_status run_answer(bench_run *bench, const bench_body *body)
{
    answer *in;
    EW_TRY(ew_new_zero(&in, 1, sizeof *in));
    in->body = body;
    ew_status status = measure_all(bench, "host", NULL, in);
    if (!status && bench->device) {
        status = measure_all(bench, "opencl", bench->device, in);
    }
    ew_release(in);
    return status;
}

const bench_scenario bench_scenario_answer = {
    .name = "answer",
    .summary = "medians from an edit to the next answer, ms by stage; from rest, after the edits: "
               "iterations with the kept and with a new hierarchy",
    .as_read = true,
    .column = {"commit", "tables", "follow", "matrix", "precond", "loads", "solve", "total ms",
               "iterations", "kept", "fresh", "edits"},
    .run = run_answer,
};
