/* Whole edits by the two operations that remesh: what choosing, commit, tables and blocks take, on
 * a body whose inner vertices were shaken, beside a rebuild. */
#include "edited.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 5, N_TIME = 6, MAX_REPEAT = 99 };
enum { SMOOTH, REFINE, REFINE_SPHERE, N_WHAT };
static const char *const what_name[N_WHAT] = {"smooth 5 times", "refine to 0.7", "refine a sphere"};
#define SPHERE            2.0 /* radius of the set of the last one, in longest edges */
#define SHARE_OF_LONGEST  0.7 /* edges beyond this are bisected */
#define SHARE_OF_SHORTEST 0.1 /* by so much of an edge inner vertices are shaken */

/* Choosing, commit, tables, matrix, all; rebuild of tables and matrix. s */
typedef struct samples {
    double time[N_TIME][MAX_REPEAT];
    int32_t n_changed; /* moves, or tets added */
} samples;

static ew_status queue_shake(bench_edited *edited, double max)
{
    const ew_mesh *mesh = &edited->mesh;
    ew_list face = {0};
    ew_set outer = {0};
    uint64_t random = 1;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_topology_boundary(&edited->topology, mesh, &face));
    for (int32_t i = 0; i < 3 * face.n; i++) {
        const int32_t code = face.id[i / 3];
        EW_TRY_OUT(ew_set_add(&outer,
                              mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][i % 3]]));
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double to[3];
        for (int k = 0; k < 3; k++) {
            to[k] =
                mesh->xyz[3 * (size_t)v + k] + max * (bench_random(&random, 2001) / 1000.0 - 1.0);
        }
        if (!ew_set_has(&outer, v) && ew_mesh_vertex_is_active(mesh, v)) {
            EW_TRY_OUT(ew_edit_move_vertex(&edited->edit, v, to));
        }
    }
out:
    ew_list_free(&face);
    ew_set_free(&outer);
    return status;
}

/* A body whose tets are too flat for it stays as it is. */
static ew_status start_shaken(bench_edited *edited, const bench_body *body)
{
    bench_stages stages;
    ew_mesh_measure measure;
    EW_TRY(bench_edited_start(edited, body, &stages));
    ew_mesh_take_measure(&edited->mesh, &measure);
    EW_TRY(queue_shake(edited, SHARE_OF_SHORTEST * measure.shortest_edge));
    const ew_status status = bench_edited_apply(edited, &stages);
    return status == EW_BAD_EDIT ? EW_OK : status;
}

/* The vertices in a sphere in the middle of the box around the mesh. */
static ew_status list_sphere(const ew_mesh *mesh, double radius, ew_list *set)
{
    double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int k = 0; k < 3; k++) {
            min[k] = fmin(min[k], mesh->xyz[3 * (size_t)v + k]);
            max[k] = fmax(max[k], mesh->xyz[3 * (size_t)v + k]);
        }
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double d = mesh->xyz[3 * (size_t)v + k] - 0.5 * (min[k] + max[k]);
            square += d * d;
        }
        if (square <= radius * radius && ew_mesh_vertex_is_active(mesh, v)) {
            EW_TRY(ew_list_push(set, v));
        }
    }
    return EW_OK;
}

static ew_status choose(bench_edited *edited, int what, double longest, const ew_list *set)
{
    return what == SMOOTH
               ? ew_operation_smooth(&edited->mesh, &edited->topology, SWEEPS, &edited->edit)
               : ew_operation_refine(&edited->mesh, &edited->topology, SHARE_OF_LONGEST * longest,
                                     what == REFINE ? NULL : set, &edited->edit);
}

static ew_status sample(const bench_body *body, int what, int32_t k, samples *to)
{
    ew_list set = {0};
    bench_edited edited = {0};
    bench_stages stages = {0}, rebuild = {0};
    ew_mesh_measure measure;
    ew_status status;
    EW_TRY_OUT(start_shaken(&edited, body));
    ew_mesh_take_measure(&edited.mesh, &measure);
    EW_TRY_OUT(list_sphere(&edited.mesh, SPHERE * measure.longest_edge, &set));
    const double start = ew_seconds();
    EW_TRY_OUT(choose(&edited, what, measure.longest_edge, &set));
    const double choosing = ew_seconds() - start;
    to->n_changed = what == SMOOTH ? edited.edit.move_vertex.n : edited.edit.n_add_tet;
    EW_TRY_OUT(bench_edited_apply(&edited, &stages));
    EW_TRY_OUT(bench_edited_verify(&edited, &rebuild));
    const double time[N_TIME] = {choosing,
                                 stages.commit,
                                 stages.tables,
                                 stages.matrix,
                                 choosing + stages.commit + stages.tables + stages.matrix,
                                 rebuild.tables + rebuild.matrix};
    for (int i = 0; i < N_TIME; i++) {
        to->time[i][k] = time[i];
    }
out:
    ew_list_free(&set);
    bench_edited_free(&edited);
    return status;
}

static ew_status run_operation(bench_run *bench, const bench_body *body, int what)
{
    const int32_t n = bench->repeat < MAX_REPEAT ? bench->repeat : MAX_REPEAT;
    samples to;
    double value[N_TIME + 1];
    for (int32_t k = -1; k < n; k++) { /* the first one is not kept */
        EW_TRY(sample(body, what, k < 0 ? 0 : k, &to));
    }
    value[0] = to.n_changed;
    for (int i = 0; i < N_TIME; i++) {
        value[1 + i] = 1e3 * bench_median(to.time[i], n);
    }
    return bench_row(bench, "host", what_name[what], value);
}

static ew_status run_remesh(bench_run *bench, const bench_body *body)
{
    for (int what = 0; what < N_WHAT; what++) {
        EW_TRY(run_operation(bench, body, what));
    }
    return EW_OK;
}

const bench_scenario bench_scenario_remesh = {
    .name = "remesh",
    .summary = "smooth and refine: the whole edit by stages, against a rebuild (ms)",
    .column = {"moved, made", "choosing ms", "commit ms", "tables ms", "matrix ms", "all ms",
               "rebuild ms"},
    .run = run_remesh,
};
