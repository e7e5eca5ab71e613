/* Error estimate. In: mesh, materials, the stress of each tet. Out: the estimated error of each tet
 * in the norm of the energy, of the whole, and at the largest stress.
 *
 * Zienkiewicz & Zhu 1987, "A simple error estimator and adaptive procedure for practical
 * engineering analysis", Int. J. Numer. Meth. Engng 24, equations (14)-(21), with the recovered
 * stress of recovered.c: e^2 = integral of (s* - s_h) D^-1 (s* - s_h), and the share e / sqrt(u_h^2
 * + e^2).
 *
 * s_h is constant in a tet and s* linear, so with d_a = s*_a - s_h at the corners and the integrals
 * V / 20 (1 + delta_ab) of products of barycentric functions (for example Zienkiewicz & Taylor, The
 * Finite Element Method, volume 1) the integral is exactly
 * V / 20 (sum_a d_a D^-1 d_a + (sum_a d_a) D^-1 (sum_a d_a)).
 *
 * In a quadratic tet s_h is linear, too, and s* at a vertex the mean of the s_h of its quadratic
 * tets there: how far they disagree is the error (the averaging of Zienkiewicz & Zhu 1987). */
#include "analysis/recovery/patches.h"
#include "analysis/recovery/quadratic_recovery.h"
#include "base/pages.h"

#include <math.h>
#include <string.h>

/* Sums over a chunk of tets; the first tet of the largest von Mises stress, -1: none is live. */
struct ew_estimate_chunk {
    double error, solution, prevented, peak;
    int32_t peak_tet;
};

typedef struct context {
    const ew_mesh *mesh;
    const ew_materials *materials;
    const ew_fields *fields;
    const ew_recovered *recovered;
    const ew_topology *topology;
    const ew_edge_rows *rows; /* null: all tets are linear */
    ew_peers *peers;          /* that share the work, or null */
} context;

/* At a corner of a tet. */
static const double *stress_at(const context *in, int32_t t, int k)
{
    return in->rows ? in->fields->corner_stress + 24 * (size_t)t + 6 * k
                    : in->fields->stress + 6 * (size_t)t;
}

/* Norm of the error in a tet. */
static double error_of(const context *in, int32_t t)
{
    if (!ew_mesh_tet_is_live(in->mesh, t)) {
        return 0.0;
    }
    const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
    double d[5][6] = {{0.0}}; /* at the corners, and their sum */
    for (int k = 0; k < 4; k++) {
        const double *at = ew_recovered_at(in->recovered, in->mesh, t, k);
        const double *s = stress_at(in, t, k);
        for (int c = 0; c < 6; c++) {
            d[k][c] = at[c] - s[c];
            d[4][c] += d[k][c];
        }
    }
    const double square = ew_elastic_compliance(&law, 5, d[0]);
    return sqrt(fmax(square, 0.0) * in->fields->volume[t] / 20.0);
}

/* The stress of a free expansion is only round-off, and so would be its error. */
static bool has_stress(const ew_estimate *estimate)
{
    return hypot(estimate->error_norm, estimate->solution_norm) >
           EW_NO_STRESS * estimate->prevented;
}

/* Of a tet's thermal strain, e D e. */
static double prevented_of(const ew_elastic *law, const ew_fields *fields, int32_t t)
{
    if (law->lame) {
        const double thermal = fields->thermal_strain[t];
        return 3.0 * (3.0 * law->lame[0] + 2.0 * law->lame[1]) * thermal * thermal;
    }
    if (!fields->has_thermal_tensor) {
        return 0.0;
    }
    const double *strain = fields->thermal_tensor + 6 * (size_t)t;
    double stress[6], sum = 0.0;
    ew_elastic_stress(law, strain, stress);
    for (int c = 0; c < 6; c++) {
        sum += strain[c] * stress[c];
    }
    return sum;
}

/* square [2]: of the norm of the solution in a tet, and of the prevented one. */
static void find_squares(const context *in, int32_t t, double square[2])
{
    square[0] = square[1] = 0.0;
    if (ew_mesh_tet_is_live(in->mesh, t)) {
        const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
        const double volume = in->fields->volume[t];
        const double *stress = in->fields->stress + 6 * (size_t)t;
        square[0] = in->rows ? 2.0 * in->fields->energy[t]
                             : volume * ew_elastic_compliance(&law, 1, stress);
        square[1] = volume * prevented_of(&law, in->fields, t);
    }
}

static void sum_chunk(const ew_estimate *estimate, const context *in, int32_t k)
{
    const int32_t end = ew_sum_chunk_end(k, estimate->n_tet);
    const double *mises = in->fields->von_mises;
    struct ew_estimate_chunk sum = {.peak_tet = -1};
    for (int32_t t = k * EW_SUM_CHUNK; t < end; t++) {
        if (ew_mesh_tet_is_live(in->mesh, t)) {
            sum.error += estimate->error[t] * estimate->error[t];
            sum.solution += estimate->square[t][0];
            sum.prevented += estimate->square[t][1];
            sum.peak_tet = sum.peak_tet < 0 || mises[t] > sum.peak ? t : sum.peak_tet;
            sum.peak = sum.peak_tet == t ? mises[t] : sum.peak;
        }
    }
    estimate->chunk[k] = sum;
}

/* The sums of all chunks, and what follows from them. */
static void add_chunks(ew_estimate *estimate)
{
    struct ew_estimate_chunk all = {.peak_tet = -1};
    for (int32_t k = 0; k < ew_sum_chunk_count(estimate->n_tet); k++) {
        const struct ew_estimate_chunk *part = &estimate->chunk[k];
        all.error += part->error;
        all.solution += part->solution;
        all.prevented += part->prevented;
        if (part->peak_tet >= 0 && (all.peak_tet < 0 || part->peak > all.peak)) {
            all.peak_tet = part->peak_tet;
            all.peak = part->peak;
        }
    }
    estimate->peak_tet = all.peak_tet;
    estimate->peak_stress = all.peak;
    estimate->error_norm = sqrt(all.error);
    estimate->solution_norm = sqrt(fmax(all.solution, 0.0));
    estimate->prevented = sqrt(all.prevented);
    const double whole = hypot(estimate->error_norm, estimate->solution_norm);
    estimate->share = has_stress(estimate) ? estimate->error_norm / whole : 0.0;
}

/* The error of each tet, and sums by chunks of the same tets whatever the number of threads and of
 * processes. */
static ew_status take_norms(ew_estimate *estimate, const context *in)
{
    const int32_t n = estimate->n_tet, n_chunk = ew_sum_chunk_count(n);
    const ew_stretch own = ew_stretch_of_tets(in->peers, n);
    const ew_stretch chunk = ew_stretch_of(in->peers, n_chunk);
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t t = own.begin; t < own.end; t++) {
        estimate->error[t] = error_of(in, t);
        find_squares(in, t, estimate->square[t]);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t k = chunk.begin; k < chunk.end; k++) {
        sum_chunk(estimate, in, k);
    }
    if (!in->fields->parts) {
        EW_TRY(ew_stretch_join(in->peers, own, n, NULL, 1, estimate->error));
        EW_TRY(ew_stretch_join(in->peers, own, n, NULL, 2, estimate->square));
    }
    EW_TRY(ew_stretch_share(in->peers, n_chunk, NULL, sizeof *estimate->chunk / sizeof(double),
                            estimate->chunk));
    add_chunks(estimate);
    return EW_OK;
}

/* How far a stress is off another: von Mises of the difference by that of the other. */
static double share_off(const double at[6], const double stress[6])
{
    double off[6];
    for (int c = 0; c < 6; c++) {
        off[c] = at[c] - stress[c];
    }
    const double mises = ew_von_mises(at);
    return mises > 0.0 ? ew_von_mises(off) / mises : 0.0;
}

/* The stress at the corners of the peak's tet, in all processes. */
static ew_status find_stress_at_peak(const ew_estimate *estimate, const context *in,
                                     double stress[4][6])
{
    ew_peers *peers = in->fields->parts;
    const int32_t t = estimate->peak_tet;
    const ew_stretch own = ew_stretch_of_tets(peers, estimate->n_tet);
    memset(stress, 0, 24 * sizeof stress[0][0]);
    for (int k = 0; k < 4 && t >= own.begin && t < own.end; k++) {
        memcpy(stress[k], stress_at(in, t, k), sizeof stress[k]);
    }
    if (peers) {
        peers->join(peers->user, 24, stress[0]);
    }
    return peers ? peers->status(peers->user) : EW_OK;
}

/* At the tet of the largest stress. */
static ew_status take_peak(ew_estimate *estimate, const context *in)
{
    const ew_mesh *mesh = in->mesh;
    double stress[4][6];
    estimate->peak_vertex = -1;
    estimate->peak_recovered = estimate->peak_share = 0.0;
    EW_TRY(find_stress_at_peak(estimate, in, stress));
    for (int k = 0; k < 4 && estimate->peak_tet >= 0; k++) {
        const int32_t v = mesh->tet[4 * (size_t)estimate->peak_tet + (size_t)k];
        const double *at = ew_recovered_at(&estimate->recovered, mesh, estimate->peak_tet, k);
        const double mises = ew_von_mises(at);
        if (k == 0 || mises > estimate->peak_recovered) {
            estimate->peak_vertex = v;
            estimate->peak_recovered = mises;
            estimate->peak_share = share_off(at, stress[k]);
        }
    }
    return EW_OK;
}

/* Whether the listed tets are quadratic; null: all of them. */
static bool is_all_quadratic(const context *in, const ew_list *tet)
{
    const int32_t n = tet ? tet->n : in->mesh->n_tet;
    bool all = true;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 4096)) reduction(&& : all)
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = tet ? tet->id[i] : i;
        all = all &&
              (!ew_mesh_tet_is_live(in->mesh, t) || ew_edge_rows_have(in->rows, in->topology, t));
    }
    return all;
}

/* In the patches of quadratic tets at the vertex, the mean of their stresses there. */
static void average_at(const context *in, const ew_recovered *recovered, int32_t v)
{
    const ew_patches *patches = &recovered->patches;
    for (int32_t p = patches->begin[v]; p < patches->begin[v + 1]; p++) {
        (void)ew_corners_average(in->mesh, in->topology, in->rows, in->fields->corner_stress, v,
                                 patches, p, recovered->stress + 6 * (size_t)p);
    }
}

static ew_status average_corners(const context *in, ew_recovered *recovered)
{
    const ew_patches *patches = &recovered->patches;
    const int32_t n = in->mesh->n_vertex;
    const ew_stretch own = ew_stretch_of(in->peers, n);
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t v = own.begin; v < own.end; v++) {
        average_at(in, recovered, v);
    }
    return ew_stretch_share(in->peers, n, patches->begin, 6, recovered->stress);
}

static ew_status check_sources(const ew_mesh *mesh, const ew_topology *topology,
                               const ew_fields *fields)
{
    return topology->pattern.revision == mesh->revision && fields->n_tet == mesh->n_tet
               ? EW_OK
               : ew_fail(EW_STALE,
                         "error estimate: the mesh is of revision %llu with %d tets, the tables of "
                         "%llu, the fields have %d; bring them up to date first",
                         (unsigned long long)mesh->revision, mesh->n_tet,
                         (unsigned long long)topology->pattern.revision, fields->n_tet);
}

static ew_status make_room(ew_estimate *estimate, const ew_mesh *mesh)
{
    int32_t grown = estimate->tet_capacity;
    EW_TRY(ew_grow(&estimate->square, &grown, mesh->n_tet, sizeof *estimate->square));
    EW_TRY(ew_grow(&estimate->error, &estimate->tet_capacity, mesh->n_tet, sizeof(double)));
    EW_TRY(ew_grow(&estimate->chunk, &estimate->chunk_capacity,
                   (int64_t)mesh->n_tet / EW_SUM_CHUNK + 1, sizeof *estimate->chunk));
    estimate->n_tet = mesh->n_tet;
    return EW_OK;
}

static ew_status finish(ew_estimate *estimate, const context *in)
{
    EW_TRY(take_peak(estimate, in));
    if (!has_stress(estimate)) {
        estimate->peak_share = 0.0;
    }
    if (!isfinite(estimate->share) || !isfinite(estimate->peak_share)) {
        return ew_fail(EW_NOT_FINITE,
                       "the estimated error (%g, of a solution of %g) is outside the range of "
                       "double precision; choose units nearer to the numbers",
                       estimate->error_norm, estimate->solution_norm);
    }
    estimate->revision = in->mesh->revision;
    return EW_OK;
}

ew_status ew_estimate_take_together(ew_peers *peers, ew_estimate *estimate, const ew_mesh *mesh,
                                    const ew_topology *topology, const ew_materials *materials,
                                    const ew_fields *fields, const ew_edge_rows *rows)
{
    const context in = {mesh, materials, fields, &estimate->recovered, topology, rows, peers};
    EW_TRY(check_sources(mesh, topology, fields));
    estimate->revision = 0;
    EW_TRY(make_room(estimate, mesh));
    if (fields->parts) {
        const size_t n = (size_t)estimate->tet_capacity;
        ew_use_small_pages(estimate->error, n * sizeof *estimate->error);
        ew_use_small_pages(estimate->square, n * sizeof *estimate->square);
    }
    estimate->is_averaged = rows && is_all_quadratic(&in, NULL);
    EW_TRY(ew_recovered_take(&estimate->recovered, mesh, topology, materials,
                             estimate->is_averaged ? NULL : fields->stress, peers));
    EW_TRY(rows ? average_corners(&in, &estimate->recovered) : EW_OK);
    EW_TRY(take_norms(estimate, &in));
    return finish(estimate, &in);
}

ew_status ew_estimate_take(ew_estimate *estimate, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_fields *fields,
                           const ew_edge_rows *rows)
{
    return ew_estimate_take_together(NULL, estimate, mesh, topology, materials, fields, rows);
}

/* ---- after a small change --------------------------------------------------------------- */

/* The tets of the change and those around vertices whose recovered stress changed; their chunks. */
static ew_status find_stale(ew_estimate *estimate, const context *in,
                            const ew_recovery_change *change)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    const ew_list *tet = &change->tet.list, *vertex = &estimate->stale_vertex.list;
    ew_set_clear(&estimate->stale_tet);
    ew_set_clear(&estimate->stale_chunk);
    for (int32_t i = 0; i < tet->n; i++) {
        EW_TRY(ew_set_add(&estimate->stale_tet, tet->id[i]));
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            EW_TRY(ew_set_add(&estimate->stale_tet, rows->item[rows->begin[v] + k]));
        }
    }
    ew_list_sort(&estimate->stale_tet.list);
    for (int32_t i = 0; i < estimate->stale_tet.list.n; i++) {
        EW_TRY(ew_set_add(&estimate->stale_chunk, estimate->stale_tet.list.id[i] / EW_SUM_CHUNK));
    }
    return EW_OK;
}

static void update_norms(ew_estimate *estimate, const context *in, const ew_recovery_change *change)
{
    const ew_list *tet = &change->tet.list, *stale = &estimate->stale_tet.list;
    const ew_list *chunk = &estimate->stale_chunk.list;
#pragma omp parallel num_threads(ew_threads_for(stale->n, 512))
    {
#pragma omp for schedule(static) nowait
        for (int32_t i = 0; i < tet->n; i++) {
            find_squares(in, tet->id[i], estimate->square[tet->id[i]]);
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < stale->n; i++) {
            estimate->error[stale->id[i]] = error_of(in, stale->id[i]);
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < chunk->n; i++) {
            sum_chunk(estimate, in, chunk->id[i]);
        }
    }
    add_chunks(estimate);
}

/* The recovered stress; to stale_vertex the vertices where it is another one. */
static ew_status update_recovered(ew_estimate *estimate, const context *in,
                                  const ew_recovery_change *change, bool *is_local)
{
    ew_recovered *recovered = &estimate->recovered;
    const ew_list *stale = &estimate->stale_vertex.list;
    ew_set_clear(&estimate->stale_vertex);
    *is_local = !estimate->is_averaged || (in->rows && is_all_quadratic(in, &change->tet.list));
    EW_TRY(*is_local ? ew_recovered_update(recovered, in->mesh, in->topology, in->materials,
                                           estimate->is_averaged ? NULL : in->fields->stress,
                                           &change->vertex.list, &estimate->stale_vertex, is_local)
                     : EW_OK);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(stale->n, 64))
    for (int32_t i = 0; i < (*is_local && in->rows ? stale->n : 0); i++) {
        average_at(in, recovered, stale->id[i]);
    }
    return EW_OK;
}

ew_status ew_estimate_update(ew_estimate *estimate, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_fields *fields, const ew_edge_rows *rows,
                             const ew_recovery_change *change, bool *is_local)
{
    const context in = {mesh, materials, fields, &estimate->recovered, topology, rows, NULL};
    const int32_t last =
        estimate->n_tet / EW_SUM_CHUNK; /* this chunk changes where slots are added */
    EW_TRY(check_sources(mesh, topology, fields));
    estimate->revision = 0;
    EW_TRY(update_recovered(estimate, &in, change, is_local));
    if (!*is_local) {
        return EW_OK;
    }
    EW_TRY(make_room(estimate, mesh));
    EW_TRY(find_stale(estimate, &in, change));
    EW_TRY(ew_set_add(&estimate->stale_chunk, last));
    update_norms(estimate, &in, change);
    return finish(estimate, &in);
}

void ew_estimate_free(ew_estimate *estimate)
{
    ew_release(estimate->error);
    ew_release(estimate->square);
    ew_release(estimate->chunk);
    ew_set_free(&estimate->stale_vertex);
    ew_set_free(&estimate->stale_tet);
    ew_set_free(&estimate->stale_chunk);
    ew_recovered_free(&estimate->recovered);
    *estimate = (ew_estimate){0};
}
