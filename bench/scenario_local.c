/* Scenario `local`: 10,000 single tets removed and put back, each a commit of its own; what an edit
 * costs and where the time goes, in microseconds, and how much longer a rebuild takes. Once all
 * over the mesh, where every edit finds its tet in main memory, and once always at one place, as a
 * cut that goes on does. */
#include "edited.h"

#include <math.h>

enum { PAIRS = 10000 };

enum { COMMIT, TABLES, MATRIX, ALL, N_TIME };
typedef struct samples {
    double *time[2][N_TIME]; /* removal, insertion: [PAIRS] */
    double touched;          /* blocks per edit */
    double rebuild;          /* s, tables and matrix, median */
} samples;

static void keep(samples *to, int insertion, int32_t k, const bench_stages *stages,
                 const ew_pattern_change *touched)
{
    double **time = to->time[insertion];
    time[COMMIT][k] = stages->commit;
    time[TABLES][k] = stages->tables;
    time[MATRIX][k] = stages->matrix;
    time[ALL][k] = stages->commit + stages->tables + stages->matrix;
    to->touched += (touched->touched_pair.n + touched->touched_row.n) / (2.0 * PAIRS);
}

static ew_status edit_pair(bench_edited *edited, int32_t t, samples *to, int32_t k)
{
    const ew_mesh *mesh = &edited->mesh;
    const int32_t label = mesh->region_label[mesh->region[t]];
    bench_stages stages;
    int32_t tet[4];
    for (int i = 0; i < 4; i++) {
        tet[i] = mesh->tet[4 * (size_t)t + i];
    }
    EW_TRY(ew_edit_remove_tet(&edited->edit, t));
    EW_TRY(bench_edited_apply(edited, &stages));
    keep(to, 0, k, &stages, &edited->topology.touched);
    EW_TRY(ew_edit_add_tet(&edited->edit, tet, label));
    EW_TRY(bench_edited_apply(edited, &stages));
    keep(to, 1, k, &stages, &edited->topology.touched);
    return EW_OK;
}

static ew_status time_rebuild(bench_run *bench, bench_edited *edited, samples *to)
{
    double *time;
    EW_TRY(ew_new(&time, (size_t)bench->repeat, sizeof *time));
    ew_status status = EW_OK;
    for (int32_t k = -1; k < bench->repeat && !status; k++) {
        bench_stages stages;
        status = bench_edited_verify(edited, &stages);
        time[k < 0 ? 0 : k] = stages.tables + stages.matrix;
    }
    to->rebuild = bench_median(time, bench->repeat);
    ew_release(time);
    return status;
}

static ew_status tell(bench_run *bench, samples *from, int insertion, const char *what)
{
    double median[N_TIME];
    double *const *time = from->time[insertion];
    for (int i = 0; i < N_TIME; i++) {
        median[i] = bench_median(time[i], PAIRS); /* sorts */
    }
    const double value[] = {1e6 * median[ALL],
                            1e6 * time[ALL][PAIRS * 99 / 100],
                            1e6 * time[ALL][PAIRS - 1],
                            1e6 * median[COMMIT],
                            1e6 * median[TABLES],
                            1e6 * median[MATRIX],
                            from->touched,
                            1e3 * from->rebuild,
                            from->rebuild / (median[TABLES] + median[MATRIX]),
                            from->rebuild / median[ALL]};
    return bench_row(bench, "host", what, value);
}

static ew_status run_pairs(bench_run *bench, bench_edited *edited, samples *to, bool everywhere)
{
    uint64_t random = 1;
    int32_t t = edited->mesh.n_tet / 2;
    to->touched = 0;
    for (int32_t k = 0; k < PAIRS; k++) {
        t = everywhere ? bench_random(&random, edited->mesh.n_tet) : t;
        EW_TRY(edit_pair(edited, t, to, k));
    }
    EW_TRY(time_rebuild(bench, edited, to));
    EW_TRY(tell(bench, to, 0, everywhere ? "remove anywhere" : "remove here"));
    return tell(bench, to, 1, everywhere ? "insert anywhere" : "insert here");
}

static ew_status run_local(bench_run *bench, const bench_body *body)
{
    bench_edited edited = {0};
    samples to = {0};
    bench_stages stages;
    double *memory = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&memory, 2 * (size_t)N_TIME * PAIRS, sizeof *memory));
    for (size_t i = 0; i < 2 * (size_t)N_TIME; i++) {
        to.time[i / N_TIME][i % N_TIME] = memory + i * PAIRS;
    }
    /* The body's mesh has no holes, and a pair leaves none. */
    EW_TRY_OUT(bench_edited_start(&edited, body, &stages));
    EW_TRY_OUT(run_pairs(bench, &edited, &to, true));
    EW_TRY_OUT(run_pairs(bench, &edited, &to, false));
out:
    bench_edited_free(&edited);
    ew_release(memory);
    return status;
}

const bench_scenario bench_scenario_local = {
    .name = "local",
    .summary = "10,000 single tets removed and put back (us), against a rebuild (ms)",
    .column = {"median us", "99 % us", "worst us", "commit us", "tables us", "matrix us", "blocks",
               "rebuild ms", "ratio", "with commit"},
    .run = run_local,
};
