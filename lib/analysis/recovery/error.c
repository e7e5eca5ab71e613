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

#include <math.h>

typedef struct context {
    const ew_mesh *mesh;
    const ew_materials *materials;
    const double *stress; /* [n_tet][6] */
    const ew_recovered *recovered;
    const ew_topology *topology;
    const ew_edge_rows *rows; /* null: all tets are linear */
    const double *corner;     /* [n_tet][4][6] else: stress at corners */
} context;

/* At a corner of a tet. */
static const double *stress_at(const context *in, int32_t t, int k)
{
    return in->rows ? in->corner + 24 * (size_t)t + 6 * k : in->stress + 6 * (size_t)t;
}

/* Norm of the error in a tet. */
static double error_of(const context *in, int32_t t)
{
    if (!ew_mesh_tet_is_live(in->mesh, t)) {
        return 0.0;
    }
    const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
    double d[6], sum[6] = {0.0}, square = 0.0;
    for (int k = 0; k < 4; k++) {
        const double *at = ew_recovered_at(in->recovered, in->mesh, t, k);
        const double *s = stress_at(in, t, k);
        for (int c = 0; c < 6; c++) {
            d[c] = at[c] - s[c];
            sum[c] += d[c];
        }
        square += ew_elastic_compliance(&law, d);
    }
    square += ew_elastic_compliance(&law, sum);
    return sqrt(fmax(square, 0.0) * ew_mesh_tet_volume(in->mesh, t) / 20.0);
}

/* The stress of a free expansion is only round-off, and so would be its error. */
static bool has_stress(const ew_estimate *estimate)
{
    return hypot(estimate->error_norm, estimate->solution_norm) >
           EW_NO_STRESS * estimate->prevented;
}

/* Squares of the norms, of some tets. */
typedef struct squares {
    double error, solution, prevented;
} squares;

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

static squares squares_of(const context *in, const ew_fields *fields, const double *error,
                          int32_t begin, int32_t end)
{
    squares sum = {0.0, 0.0, 0.0};
    for (int32_t t = begin; t < end; t++) {
        if (ew_mesh_tet_is_live(in->mesh, t)) {
            const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
            const double volume = ew_mesh_tet_volume(in->mesh, t);
            sum.error += error[t] * error[t];
            sum.solution += in->rows
                                ? 2.0 * fields->energy[t]
                                : volume * ew_elastic_compliance(&law, in->stress + 6 * (size_t)t);
            sum.prevented += volume * prevented_of(&law, fields, t);
        }
    }
    return sum;
}

/* The error of each tet, and sums by chunks of the same tets whatever the number of threads. */
static ew_status take_norms(ew_estimate *estimate, const context *in, const ew_fields *fields)
{
    enum { CHUNK = 4096 };
    const int32_t n = estimate->n_tet, n_chunk = n / CHUNK + 1;
    squares *part = NULL, all = {0.0, 0.0, 0.0};
    EW_TRY(ew_new(&part, (size_t)n_chunk, sizeof *part));
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t k = 0; k < n_chunk; k++) {
        const int32_t begin = k * CHUNK, end = k < n_chunk - 1 ? begin + CHUNK : n;
        for (int32_t t = begin; t < end; t++) {
            estimate->error[t] = error_of(in, t);
        }
        part[k] = squares_of(in, fields, estimate->error, begin, end);
    }
    for (int32_t k = 0; k < n_chunk; k++) {
        all.error += part[k].error;
        all.solution += part[k].solution;
        all.prevented += part[k].prevented;
    }
    ew_release(part);
    estimate->error_norm = sqrt(all.error);
    estimate->solution_norm = sqrt(fmax(all.solution, 0.0));
    estimate->prevented = sqrt(all.prevented);
    const double whole = hypot(estimate->error_norm, estimate->solution_norm);
    estimate->share = has_stress(estimate) ? estimate->error_norm / whole : 0.0;
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

static void take_peak(ew_estimate *estimate, const context *in, const ew_fields *fields)
{
    const ew_mesh *mesh = in->mesh;
    estimate->peak_tet = estimate->peak_vertex = -1;
    estimate->peak_stress = estimate->peak_recovered = estimate->peak_share = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const bool first = estimate->peak_tet < 0;
        if (ew_mesh_tet_is_live(mesh, t) &&
            (first || fields->von_mises[t] > estimate->peak_stress)) {
            estimate->peak_tet = t;
            estimate->peak_stress = fields->von_mises[t];
        }
    }
    for (int k = 0; k < 4 && estimate->peak_tet >= 0; k++) {
        const int32_t v = mesh->tet[4 * (size_t)estimate->peak_tet + (size_t)k];
        const double *at = ew_recovered_at(&estimate->recovered, mesh, estimate->peak_tet, k);
        const double mises = ew_von_mises(at);
        if (k == 0 || mises > estimate->peak_recovered) {
            estimate->peak_vertex = v;
            estimate->peak_recovered = mises;
            estimate->peak_share = share_off(at, stress_at(in, estimate->peak_tet, k));
        }
    }
}

/* In the patches of quadratic tets, the mean of their stresses at the vertex. */
static void average_corners(const context *in, ew_recovered *recovered)
{
    const ew_patches *patches = &recovered->patches;
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        for (int32_t p = patches->begin[v]; p < patches->begin[v + 1]; p++) {
            (void)ew_corners_average(in->mesh, in->topology, in->rows, in->corner, v, patches, p,
                                     recovered->stress + 6 * (size_t)p);
        }
    }
}

ew_status ew_estimate_take(ew_estimate *estimate, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_fields *fields)
{
    return ew_estimate_take_edges(estimate, mesh, topology, materials, fields, NULL);
}

ew_status ew_estimate_take_edges(ew_estimate *estimate, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_materials *materials,
                                 const ew_fields *fields, const ew_edge_rows *rows)
{
    if (topology->pattern.revision != mesh->revision || fields->n_tet != mesh->n_tet) {
        return ew_fail(EW_STALE,
                       "error estimate: the mesh is of revision %llu with %d tets, the tables of "
                       "%llu, the fields have %d; bring them up to date first",
                       (unsigned long long)mesh->revision, mesh->n_tet,
                       (unsigned long long)topology->pattern.revision, fields->n_tet);
    }
    estimate->revision = 0;
    EW_TRY(ew_grow(&estimate->error, &estimate->tet_capacity, mesh->n_tet, sizeof(double)));
    EW_TRY(ew_recovered_take(&estimate->recovered, mesh, topology, materials, fields->stress));
    estimate->n_tet = mesh->n_tet;
    const context in = {mesh,     materials, fields->stress,       &estimate->recovered,
                        topology, rows,      fields->corner_stress};
    if (rows) {
        average_corners(&in, &estimate->recovered);
    }
    EW_TRY(take_norms(estimate, &in, fields));
    take_peak(estimate, &in, fields);
    if (!has_stress(estimate)) {
        estimate->peak_share = 0.0;
    }
    if (!isfinite(estimate->share) || !isfinite(estimate->peak_share)) {
        return ew_fail(EW_NOT_FINITE,
                       "the estimated error (%g, of a solution of %g) is outside the range of "
                       "double precision; choose units nearer to the numbers",
                       estimate->error_norm, estimate->solution_norm);
    }
    estimate->revision = mesh->revision;
    return EW_OK;
}

void ew_estimate_free(ew_estimate *estimate)
{
    ew_release(estimate->error);
    ew_recovered_free(&estimate->recovered);
    *estimate = (ew_estimate){0};
}
