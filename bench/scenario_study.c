/* Scenario `study`: the published study on one mesh: it is initialized, then half of it is taken
 * away, or it is mirrored, or stretched; each time tables and matrix are revalidated, in our way
 * and by subtracting and adding, and reconstructed. Every repetition starts from a fresh copy.
 *
 * A reconstruction starts from nothing, as the initialization does, on the edited mesh without its
 * holes, as a program that knows no edits would hold it. The mesh edit itself is common to all
 * ways; "ratio" leaves it out, "with commit" counts it on both sides. */
#include "assembly/parts/assembly.h"
#include "edited.h"

#include <math.h>
#include <string.h>

typedef ew_status queue_edit(bench_edited *edited);

static ew_status queue_decimate(bench_edited *edited)
{
    const ew_decimate_def def = {
        .fraction = 0.5, .order = EW_DECIMATE_AXIS, .axis = {0, 1, 0}, .seed = 1};
    return ew_operation_decimate(&edited->mesh, &def, &edited->edit);
}

static ew_status queue_mirror(bench_edited *edited)
{
    ew_mirror_def def = {.normal = {1, 0, 0}, .tolerance = -1};
    ew_mirror_place(&edited->mesh, 1, &def);
    return ew_operation_mirror(&edited->mesh, &def, &edited->edit);
}

static ew_status queue_scale(bench_edited *edited)
{
    const double factor[3] = {1.2, 1, 1}, about[3] = {0, 0, 0};
    return ew_operation_scale(&edited->mesh, factor, about, &edited->edit);
}

static const struct {
    const char *name;
    queue_edit *queue;
} edits[] = {{"decimate", queue_decimate}, {"mirror", queue_mirror}, {"scale", queue_scale}};
enum { N_EDIT = sizeof edits / sizeof *edits };

/* Of all repetitions, for the medians. */
enum {
    INIT_TABLES,
    INIT_MATRIX,
    COMMIT,
    TABLES,
    MATRIX,
    PUBLISHED,
    NEW_TABLES,
    NEW_MATRIX,
    N_TIME
};
typedef struct samples {
    int32_t n;
    double *time[N_TIME]; /* [n] */
    double touched;       /* share of the blocks, of the last repetition */
    double drift;         /* of subtracting and adding, largest relative difference of a block */
} samples;

/* Tables and matrix of a mesh that was never edited but looks the same. */
static ew_status reconstruct(bench_edited *edited, double *tables, double *matrix)
{
    ew_mesh tight;
    ew_topology_free(&edited->rebuilt_topology);
    ew_matrix_free(&edited->rebuilt);
    EW_TRY(ew_mesh_copy(&tight, &edited->mesh));
    ew_status status = ew_mesh_compact(&tight, NULL, false, NULL, NULL);
    double start = ew_seconds();
    if (!status) {
        status = ew_topology_build(&edited->rebuilt_topology, &tight);
    }
    *tables = ew_seconds() - start;
    start = ew_seconds();
    if (!status) {
        status = ew_stiffness_build(&edited->rebuilt, &tight, &edited->rebuilt_topology,
                                    edited->materials);
    }
    *matrix = ew_seconds() - start;
    ew_mesh_free(&tight);
    return status;
}

static ew_status repeat_once(const bench_body *body, queue_edit *queue, samples *to, int32_t k)
{
    bench_edited edited = {0};
    bench_subtracting published = {0};
    bench_stages stages;
    ew_status status = EW_OK;
    EW_TRY_OUT(bench_edited_start(&edited, body, &stages));
    to->time[INIT_TABLES][k] = stages.tables;
    to->time[INIT_MATRIX][k] = stages.matrix;
    EW_TRY_OUT(bench_subtracting_start(&published, &edited.mesh, &edited.matrix));
    edited.published = &published;
    EW_TRY_OUT(queue(&edited));
    EW_TRY_OUT(bench_edited_apply(&edited, &stages));
    to->time[COMMIT][k] = stages.commit;
    to->time[TABLES][k] = stages.tables;
    to->time[MATRIX][k] = stages.matrix;
    to->time[PUBLISHED][k] = published.seconds;
    to->touched =
        (double)(edited.topology.touched.touched_pair.n + edited.topology.touched.touched_row.n) /
        (edited.topology.pattern.n_live_pair + edited.mesh.n_active_vertex);
    EW_TRY_OUT(bench_edited_verify(&edited, &stages));
    EW_TRY_OUT(
        ew_stiffness_build(&edited.rebuilt, &edited.mesh, &edited.topology, edited.materials));
    to->drift = bench_subtracting_drift(&published, &edited.rebuilt);
    EW_TRY_OUT(reconstruct(&edited, &to->time[NEW_TABLES][k], &to->time[NEW_MATRIX][k]));
out:
    bench_edited_free(&edited);
    bench_subtracting_free(&published);
    return status;
}

static ew_status tell_initialization(bench_run *bench, const double *median)
{
    const double value[] = {
        NAN, 1e3 * median[INIT_TABLES], 1e3 * median[INIT_MATRIX], NAN, NAN, NAN, NAN, NAN, NAN};
    return bench_row(bench, "host", "initialize", value);
}

static ew_status tell_edit(bench_run *bench, const samples *from, const double *median,
                           const char *name, bool ours)
{
    char what[64];
    const double matrix = median[ours ? MATRIX : PUBLISHED];
    const double valid = median[TABLES] + matrix, again = median[NEW_TABLES] + median[NEW_MATRIX];
    const double value[] = {1e3 * median[COMMIT],
                            1e3 * median[TABLES],
                            1e3 * matrix,
                            1e3 * median[NEW_TABLES],
                            1e3 * median[NEW_MATRIX],
                            again / valid,
                            (median[COMMIT] + again) / (median[COMMIT] + valid),
                            100 * from->touched,
                            ours ? 0 : 1e15 * from->drift};
    snprintf(what, sizeof what, "%s%s", name, ours ? "" : " sub-add");
    return bench_row(bench, "host", what, value);
}

static ew_status measure(bench_run *bench, const bench_body *body, samples *from, int edit)
{
    double median[N_TIME];
    /* The first, untimed, touches all memory. */
    for (int32_t k = -1; k < from->n; k++) {
        EW_TRY(repeat_once(body, edits[edit].queue, from, k < 0 ? 0 : k));
    }
    for (int i = 0; i < N_TIME; i++) {
        median[i] = bench_median(from->time[i], from->n);
    }
    if (edit == 0) {
        EW_TRY(tell_initialization(bench, median));
    }
    EW_TRY(tell_edit(bench, from, median, edits[edit].name, true));
    return tell_edit(bench, from, median, edits[edit].name, false);
}

static ew_status run_study(bench_run *bench, const bench_body *body)
{
    samples from = {.n = bench->repeat};
    double *memory;
    EW_TRY(ew_new(&memory, N_TIME * (size_t)from.n, sizeof *memory));
    for (int i = 0; i < N_TIME; i++) {
        from.time[i] = memory + (size_t)i * (size_t)from.n;
    }
    ew_status status = EW_OK;
    for (int edit = 0; edit < N_EDIT && !status; edit++) {
        status = measure(bench, body, &from, edit);
    }
    ew_release(memory);
    return status;
}

const bench_scenario bench_scenario_study = {
    .name = "study",
    .summary = "initialize, decimate, mirror, scale: revalidate or rebuild (ms), same bits checked",
    .column = {"commit ms", "tables ms", "matrix ms", "new tables ms", "new matrix ms", "ratio",
               "with commit", "touched %", "drift e-15"},
    .run = run_study,
};
