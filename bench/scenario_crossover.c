/* Scenario `crossover`: from one edited tet to all of them, how long revalidation takes beside a
 * rebuild, and where it stops to pay. Edits grow around the middle of the mesh. "replace" removes
 * tets and adds the same again in one batch, the dearest edit for the tables; "move" displaces
 * vertices by too little to matter, so that only the matrix has work. Neither changes the size of
 * the mesh, and both can be repeated in place. After each point the matrix must have a rebuild's
 * bits; it is compared with the median of the rebuilds made there and then. */
#include "edited.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_SAMPLES = 1000, REBUILDS = 3 };
#define MIN_SECONDS 0.1 /* of samples per point, if there are not that many */

typedef enum edit_kind { REPLACE, MOVE, N_KIND } edit_kind;
static const char *const kind_name[N_KIND] = {"replace", "move"};

typedef struct ranked {
    double key;
    int32_t id;
} ranked;

typedef struct crossover {
    bench_run *bench;
    bench_edited edited;
    const double *home; /* [n_vertex][3] borrowed: positions before any move */
    double step;        /* length of a move along x */
    bool away;          /* the last move led away from home */
    ranked *tet;        /* [n_tet] owned, nearest to the middle first */
    ranked *vertex;     /* [n_vertex] owned, likewise */
    int32_t *touched;   /* [n_vertex + 1] owned: tets at the first so many vertices */
    ew_list pick;       /* owned: what a point edits, ascending */
    double *sample;     /* [4][MAX_SAMPLES] owned: commit, tables, matrix, tables + matrix */
} crossover;

typedef struct measured {
    int32_t n_tet;                                 /* edited */
    double blocks;                                 /* share */
    double commit, tables, matrix, valid, rebuild; /* medians, s */
} measured;

/* ---- what is edited ---------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->id > y->id) - (x->id < y->id);
}

static double square_distance(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void rank_all(crossover *in, const double middle[3])
{
    const ew_mesh *mesh = &in->edited.mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        in->vertex[v] = (ranked){square_distance(mesh->xyz + 3 * (size_t)v, middle), v};
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *vertex = mesh->tet + 4 * (size_t)t;
        double centroid[3] = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < 3; c++) {
                centroid[c] += 0.25 * mesh->xyz[3 * (size_t)vertex[i] + c];
            }
        }
        in->tet[t] = (ranked){square_distance(centroid, middle), t};
    }
    qsort(in->vertex, (size_t)mesh->n_vertex, sizeof(ranked), by_key);
    qsort(in->tet, (size_t)mesh->n_tet, sizeof(ranked), by_key);
}

/* touched[m]: tets that have one of the m first vertices. */
static ew_status count_touched(crossover *in)
{
    const ew_mesh *mesh = &in->edited.mesh;
    int32_t *place;
    EW_TRY(ew_new(&place, (size_t)mesh->n_vertex, sizeof *place));
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        place[in->vertex[i].id] = i;
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        int32_t first = INT32_MAX;
        for (int i = 0; i < 4; i++) {
            const int32_t at = place[mesh->tet[4 * (size_t)t + i]];
            first = at < first ? at : first;
        }
        in->touched[first + 1]++;
    }
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        in->touched[i + 1] += in->touched[i];
    }
    ew_release(place);
    return EW_OK;
}

static ew_status start(crossover *in, const bench_body *body)
{
    bench_stages stages;
    ew_mesh_measure measure;
    double middle[3];
    EW_TRY(bench_edited_start(&in->edited, body, &stages));
    const ew_mesh *mesh = &in->edited.mesh;
    EW_TRY(ew_new(&in->tet, (size_t)mesh->n_tet, sizeof *in->tet));
    EW_TRY(ew_new(&in->vertex, (size_t)mesh->n_vertex, sizeof *in->vertex));
    EW_TRY(ew_new_zero(&in->touched, (size_t)mesh->n_vertex + 1, sizeof *in->touched));
    EW_TRY(ew_new(&in->sample, 4 * (size_t)MAX_SAMPLES, sizeof *in->sample));
    ew_mesh_take_measure(mesh, &measure);
    for (int c = 0; c < 3; c++) {
        middle[c] = 0.5 * (measure.low[c] + measure.high[c]);
    }
    in->home = body->mesh.xyz;
    in->step = 1e-9 * (measure.high[0] - measure.low[0]);
    rank_all(in, middle);
    return count_touched(in);
}

static ew_status pick_first(crossover *in, const ranked *from, int32_t n)
{
    in->pick.n = 0;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_list_push(&in->pick, from[i].id));
    }
    ew_list_sort(&in->pick);
    return EW_OK;
}

/* Freed slots are taken again last first, so in reverse every tet gets its own one back. */
static ew_status queue_replace(crossover *in)
{
    const ew_mesh *mesh = &in->edited.mesh;
    for (int32_t i = 0; i < in->pick.n; i++) {
        EW_TRY(ew_edit_remove_tet(&in->edited.edit, in->pick.id[i]));
    }
    for (int32_t i = in->pick.n; i-- > 0;) {
        const int32_t t = in->pick.id[i];
        EW_TRY(ew_edit_add_tet(&in->edited.edit, mesh->tet + 4 * (size_t)t,
                               mesh->region_label[mesh->region[t]]));
    }
    return EW_OK;
}

static ew_status queue_move(crossover *in)
{
    in->away = !in->away;
    for (int32_t i = 0; i < in->pick.n; i++) {
        const double *home = in->home + 3 * (size_t)in->pick.id[i];
        const double to[3] = {home[0] + (in->away ? in->step : 0), home[1], home[2]};
        EW_TRY(ew_edit_move_vertex(&in->edited.edit, in->pick.id[i], to));
    }
    return EW_OK;
}

/* ---- measuring --------------------------------------------------------- */

/* n: tets to replace or vertices to move. */
static ew_status take_point(crossover *in, edit_kind kind, int32_t n, measured *to)
{
    double *commit = in->sample, *tables = commit + MAX_SAMPLES, *matrix = tables + MAX_SAMPLES;
    double *valid = matrix + MAX_SAMPLES, total = 0;
    int32_t count = 0;
    EW_TRY(pick_first(in, kind == REPLACE ? in->tet : in->vertex, n));
    /* The first two samples meet fresh memory. */
    for (int32_t k = -2; k < in->bench->repeat || (total < MIN_SECONDS && k < MAX_SAMPLES); k++) {
        bench_stages stages;
        EW_TRY(kind == REPLACE ? queue_replace(in) : queue_move(in));
        EW_TRY(bench_edited_apply(&in->edited, &stages));
        if (k >= 0 && k < MAX_SAMPLES) {
            commit[k] = stages.commit;
            tables[k] = stages.tables;
            matrix[k] = stages.matrix;
            valid[k] = stages.tables + stages.matrix;
            total += valid[k] + commit[k];
            count = k + 1;
        }
    }
    const ew_change *change = &in->edited.change;
    const ew_topology *topology = &in->edited.topology;
    to->n_tet = kind == REPLACE ? n : change->moved_tet.n;
    to->blocks = (double)(topology->touched.touched_pair.n + topology->touched.touched_row.n) /
                 (topology->pattern.n_live_pair + in->edited.mesh.n_active_vertex);
    to->commit = bench_median(commit, count);
    to->tables = bench_median(tables, count);
    to->matrix = bench_median(matrix, count);
    to->valid = bench_median(valid, count);
    return EW_OK;
}

/* Least number of vertices at so many tets. */
static int32_t vertices_at(const crossover *in, int32_t n_tet)
{
    int32_t low = 1, high = in->edited.mesh.n_vertex;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (in->touched[middle] >= n_tet) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static ew_status tell(crossover *in, edit_kind kind, const measured *at)
{
    bench_run *bench = in->bench;
    const double n_tet = in->edited.mesh.n_live_tet;
    char what[64], curve[64];
    const double value[] = {at->n_tet,
                            100 * at->n_tet / n_tet,
                            100 * at->blocks,
                            1e3 * at->commit,
                            1e3 * at->tables,
                            1e3 * at->matrix,
                            1e3 * at->rebuild,
                            100 * at->valid / at->rebuild,
                            at->rebuild / at->valid,
                            (at->commit + at->rebuild) / (at->commit + at->valid)};
    snprintf(what, sizeof what, "%s %d", kind_name[kind], (int)at->n_tet);
    EW_TRY(bench_row(bench, "host", what, value));
    snprintf(curve, sizeof curve, "%.10s %.0fk, %s", bench->body->name, 1e-3 * n_tet,
             kind_name[kind]);
    return bench_plot_add(&bench->plot, curve, at->n_tet / n_tet, at->valid / at->rebuild);
}

/* Three points in each decade, and all of it. */
static int32_t next_count(int32_t n, int32_t all)
{
    int32_t decade = 1;
    while (n >= 10 * (int64_t)decade) {
        decade *= 10;
    }
    const int64_t next = n < 2 * decade   ? 2 * (int64_t)decade
                         : n < 5 * decade ? 5 * (int64_t)decade
                                          : 10 * (int64_t)decade;
    return next < all ? (int32_t)next : all;
}

static ew_status time_rebuild(crossover *in, measured *to)
{
    double time[REBUILDS];
    for (int k = 0; k < REBUILDS; k++) {
        bench_stages stages;
        EW_TRY(bench_edited_verify(&in->edited, &stages));
        time[k] = stages.tables + stages.matrix;
    }
    to->rebuild = bench_median(time, REBUILDS);
    return EW_OK;
}

static ew_status run_kind(crossover *in, edit_kind kind)
{
    const int32_t all = in->edited.mesh.n_tet;
    int32_t last = 0;
    for (int32_t count = 1;; count = next_count(count, all)) {
        const int32_t items = kind == REPLACE ? count : vertices_at(in, count);
        if (items > last) { /* several counts may need the same vertices */
            measured point;
            EW_TRY(take_point(in, kind, items, &point));
            EW_TRY(time_rebuild(in, &point));
            EW_TRY(tell(in, kind, &point));
            last = items;
        }
        if (count == all) {
            return EW_OK;
        }
    }
}

static ew_status run_crossover(bench_run *bench, const bench_body *body)
{
    crossover in = {.bench = bench};
    ew_status status = EW_OK;
    bench->plot.title = "Revalidation against a rebuild, tables and matrix";
    bench->plot.x_label = "edited share of the tets";
    bench->plot.y_label = "time to revalidate / time to rebuild";
    bench->plot.line = "a rebuild";
    EW_TRY_OUT(start(&in, body));
    for (edit_kind kind = REPLACE; kind < N_KIND; kind++) {
        EW_TRY_OUT(run_kind(&in, kind));
    }
out:
    bench_edited_free(&in.edited);
    ew_release(in.tet);
    ew_release(in.vertex);
    ew_release(in.touched);
    ew_list_free(&in.pick);
    ew_release(in.sample);
    return status;
}

const bench_scenario bench_scenario_crossover = {
    .name = "crossover",
    .summary = "one tet to all of them edited: revalidate against rebuild, same bits checked",
    .column = {"edited tets", "edited %", "blocks %", "commit ms", "tables ms", "matrix ms",
               "rebuild ms", "ratio %", "faster", "with commit"},
    .run = run_crossover,
};
