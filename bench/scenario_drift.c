/* Scenario `drift`: what rounding leaves in the blocks after many small edits, when contributions
 * are subtracted and added, beside our blocks, which are gathered again and checked bit for bit. By
 * turns a vertex is moved (up to a tenth of its shortest edge from where it was at first, so that
 * the mesh stays as good as it was), a tet is removed, and the same tet is put back: anywhere in
 * the mesh, or always among the same few slots, as when one place is worked on. */
#include "assembly/parts/assembly.h"
#include "edited.h"

#include <math.h>

static const int32_t stops[] = {1, 100, 10000};
enum { N_STOP = sizeof stops / sizeof *stops, TRIES = 1000, FEW = 50 };

/* Slots that edits are drawn from. */
typedef struct place {
    const char *name;
    int32_t vertex, n_vertex, tet, n_tet;
} place;

static double shortest_edge_at(const bench_edited *edited, const double *xyz, int32_t v)
{
    const ew_rows *rows = &edited->topology.pattern.row_to_pair;
    double shortest = INFINITY;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        double square = 0;
        for (int c = 0; c < 3; c++) {
            const double d = xyz[3 * (size_t)other + c] - xyz[3 * (size_t)v + c];
            square += d * d;
        }
        shortest = fmin(shortest, sqrt(square));
    }
    return shortest;
}

/* Slivers refuse most moves, so another vertex is tried. */
static ew_status move_some_vertex(bench_edited *edited, const double *home, const place *at,
                                  uint64_t *random)
{
    bench_stages stages;
    ew_status status = EW_BAD_EDIT;
    for (int k = 0; k < TRIES && status == EW_BAD_EDIT; k++) {
        const int32_t v = at->vertex + bench_random(random, at->n_vertex);
        double to[3];
        if (!ew_mesh_vertex_is_active(&edited->mesh, v)) {
            continue;
        }
        const double step = 0.1 * shortest_edge_at(edited, home, v) / sqrt(3);
        for (int c = 0; c < 3; c++) {
            to[c] = home[3 * (size_t)v + c] + step * (2e-6 * bench_random(random, 1000001) - 1);
        }
        EW_TRY(ew_edit_move_vertex(&edited->edit, v, to));
        status = bench_edited_apply(edited, &stages);
    }
    return status;
}

static ew_status remove_some_tet(bench_edited *edited, const place *at, uint64_t *random,
                                 int32_t tet[4])
{
    bench_stages stages;
    int32_t t;
    do {
        t = at->tet + bench_random(random, at->n_tet);
    } while (!ew_mesh_tet_is_live(&edited->mesh, t));
    for (int i = 0; i < 4; i++) {
        tet[i] = edited->mesh.tet[4 * (size_t)t + i];
    }
    EW_TRY(ew_edit_remove_tet(&edited->edit, t));
    return bench_edited_apply(edited, &stages);
}

static ew_status tell(bench_run *bench, bench_edited *edited, const place *at, int32_t n)
{
    bench_stages stages;
    char what[64];
    EW_TRY(bench_edited_verify(edited, &stages));
    EW_TRY(
        ew_stiffness_build(&edited->rebuilt, &edited->mesh, &edited->topology, edited->materials));
    snprintf(what, sizeof what, "%d edit%s %s", (int)n, n == 1 ? "" : "s", at->name);
    const double value[] = {1e15 * bench_subtracting_drift(edited->published, &edited->rebuilt),
                            0}; /* or bench_edited_verify had failed */
    return bench_row(bench, "host", what, value);
}

static ew_status run_edits(bench_run *bench, bench_edited *edited, const double *home,
                           const place *at)
{
    uint64_t random = 1;
    int32_t tet[4] = {0}, stop = 0;
    bench_stages stages;
    for (int32_t k = 1; stop < N_STOP; k++) {
        if (k % 3 == 1) {
            EW_TRY(move_some_vertex(edited, home, at, &random));
        } else if (k % 3 == 2) {
            EW_TRY(remove_some_tet(edited, at, &random, tet));
        } else {
            EW_TRY(ew_edit_add_tet(&edited->edit, tet, edited->mesh.region_label[0]));
            EW_TRY(bench_edited_apply(edited, &stages));
        }
        if (k == stops[stop]) {
            EW_TRY(tell(bench, edited, at, k));
            stop++;
        }
    }
    return EW_OK;
}

static ew_status run_place(bench_run *bench, const bench_body *body, const place *at)
{
    bench_edited edited = {0};
    bench_subtracting published = {0};
    bench_stages stages;
    ew_status status = EW_OK;
    EW_TRY_OUT(bench_edited_start(&edited, body, &stages));
    EW_TRY_OUT(bench_subtracting_start(&published, &edited.mesh, &edited.matrix));
    edited.published = &published;
    EW_TRY_OUT(run_edits(bench, &edited, body->mesh.xyz, at));
out:
    bench_edited_free(&edited);
    bench_subtracting_free(&published);
    return status;
}

static ew_status run_drift(bench_run *bench, const bench_body *body)
{
    const int32_t n_vertex = body->mesh.n_vertex, n_tet = body->mesh.n_tet;
    const place anywhere = {"anywhere", 0, n_vertex, 0, n_tet};
    const place here = {"here", n_vertex / 2, n_vertex < 2 * FEW ? 1 : FEW, n_tet / 2,
                        n_tet < 2 * FEW ? 1 : FEW};
    EW_TRY(run_place(bench, body, &anywhere));
    return run_place(bench, body, &here);
}

const bench_scenario bench_scenario_drift = {
    .name = "drift",
    .summary = "largest relative error of a block after small edits, against a rebuild",
    .column = {"sub-add e-15", "ours e-15"},
    .run = run_drift,
};
