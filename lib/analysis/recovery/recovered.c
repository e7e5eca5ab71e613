/* Recovered stress. In: mesh, tables, the stress of each tet. Out: at every vertex, for each region
 * around it, a stress between which one interpolates linearly.
 *
 * Superconvergent patch recovery: Zienkiewicz & Zhu 1992, "The superconvergent patch recovery and a
 * posteriori error estimates. Part 1", Int. J. Numer. Meth. Engng 33, equations (14)-(19): to the
 * stress at the centroids x_k of the tets around a vertex a linear function is fitted by least
 * squares, and taken at the vertex. With the vertex as origin, the mean m of the x_k, s of the
 * stresses, M = sum (x_k - m)(x_k - m)' and b = sum (x_k - m)(s_k - s)' it is s - (M^-1 m)' b.
 *
 * A patch (patches.c) has tets of one region: stress jumps where the material does. Where the
 * vertex lies far outside the cloud of centroids (on the boundary), the patch is taken over the
 * vertices around, too, each tet as often as it meets one: there a fit from one layer of tets would
 * amplify what is noise in their stresses. How much is m' M^-1 m, the leverage of the vertex in the
 * fit, which no stretching of the mesh changes. Patches that remain poor (single tets, flat ones)
 * are damped to a bounded leverage, and give in the limit the mean. Nothing is divided by what can
 * be 0. */
#include "analysis/recovery/patches.h"
#include "analysis/recovery/stretches.h"
#include "base/clones.h"
#include "base/pages.h"

#include <math.h>
#include <string.h>

/* Leverage from which the patch is enlarged, and from which it is damped. */
static const double enlarge_above = 0.1, damp_above = 1.0;

/* Sums over the tets of a patch; positions from the vertex, times a scale. */
typedef struct ew_patch_moments {
    double n, x[3], xx[6], s[6], xs[3][6];
} moments;

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const double *stress; /* [n_tet][6] */
    const ew_recovered *out;
} context;

static inline void add_tet(const context *in, int32_t t, const double origin[3], moments *sum)
{
    const int32_t *v = in->mesh->tet + 4 * (size_t)t;
    const double *s = in->stress + 6 * (size_t)t;
    double x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            x[i] +=
                0.25 * in->out->scale * (in->mesh->xyz[3 * (size_t)v[k] + (size_t)i] - origin[i]);
        }
        sum->x[i] += x[i];
    }
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            sum->xx[k++] += x[i] * x[j];
        }
    }
    for (int c = 0; c < 6; c++) {
        sum->s[c] += s[c];
        sum->xs[0][c] += x[0] * s[c];
        sum->xs[1][c] += x[1] * s[c];
        sum->xs[2][c] += x[2] * s[c];
    }
    sum->n += 1.0;
}

/* Of the tets of a patch around a vertex. */
EW_CLONES_AVX2 static void take_star(const context *in, int32_t v, int32_t p, moments *sum)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    *sum = (moments){0};
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        if (ew_patch_at(&in->out->patches, in->mesh, v, t) == p) {
            add_tet(in, t, in->mesh->xyz + 3 * (size_t)v, sum);
        }
    }
}

/* sum += other, whose origin lies at d from that of sum. */
static void add_shifted(const moments *other, const double d[3], moments *sum)
{
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, k++) {
            sum->xx[k] +=
                other->xx[k] + d[i] * other->x[j] + other->x[i] * d[j] + other->n * d[i] * d[j];
        }
    }
    for (int c = 0; c < 6; c++) {
        sum->s[c] += other->s[c];
        for (int i = 0; i < 3; i++) {
            sum->xs[i][c] += other->xs[i][c] + d[i] * other->s[c];
        }
    }
    for (int i = 0; i < 3; i++) {
        sum->x[i] += other->x[i] + other->n * d[i];
    }
    sum->n += other->n;
}

/* How many patches of the region a vertex has, the first of them in *first. */
static int32_t count_patches(const ew_patches *patches, int32_t vertex, int32_t region,
                             int32_t *first)
{
    int32_t n = 0;
    for (int32_t p = patches->begin[vertex + 1] - 1; p >= patches->begin[vertex]; p--) {
        if (patches->region[p] == region) {
            *first = p;
            n++;
        }
    }
    return n;
}

/* Whether tets along the edge are in both patches, p of its end v and q of its end w. */
static bool share_tets(const context *in, int32_t edge, int32_t v, int32_t p, int32_t w, int32_t q)
{
    const ew_rows *rows = &in->topology->edge_to_tet;
    const ew_patches *patches = &in->out->patches;
    for (int32_t i = 0; i < rows->count[edge]; i++) {
        const int32_t t = rows->item[(size_t)rows->begin[edge] + (size_t)i];
        if (ew_patch_at(patches, in->mesh, v, t) == p &&
            ew_patch_at(patches, in->mesh, w, t) == q) {
            return true;
        }
    }
    return false;
}

/* The stars of the vertices around, as far as they have tets of the region; where axes part it,
 * those that the patch goes on in. */
static void add_neighbors(const context *in, int32_t v, int32_t p, moments *sum)
{
    const ew_rows *rows = &in->topology->pattern.row_to_pair;
    const ew_patches *patches = &in->out->patches;
    const double *origin = in->mesh->xyz + 3 * (size_t)v;
    int32_t first = p;
    const bool is_whole = count_patches(patches, v, patches->region[p], &first) == 1;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t *item = rows->item + 2 * ((size_t)rows->begin[v] + (size_t)i), w = item[0];
        const double *x = in->mesh->xyz + 3 * (size_t)w;
        const double scale = in->out->scale;
        const double d[3] = {scale * (x[0] - origin[0]), scale * (x[1] - origin[1]),
                             scale * (x[2] - origin[2])};
        int32_t n = count_patches(patches, w, patches->region[p], &first);
        const bool takes_all = is_whole && n == 1;
        for (int32_t q = first; n > 0; q++) {
            if (patches->region[q] != patches->region[p]) {
                continue;
            }
            n--;
            if (takes_all || share_tets(in, item[1], v, p, w, q)) {
                add_shifted(&in->out->moments[q], d, sum);
            }
        }
    }
}

/* 1 / the size of some tet, so that no power of a length leaves the range of double precision. */
static double scale_of(const ew_mesh *mesh)
{
    double size = 0.0;
    for (int32_t t = 0; t < mesh->n_tet && size == 0.0; t++) {
        for (int k = 0; k < 12 && ew_mesh_tet_is_live(mesh, t); k++) {
            const int32_t *v = mesh->tet + 4 * (size_t)t;
            size = fmax(size, fabs(mesh->xyz[3 * (size_t)v[k / 3] + (size_t)(k % 3)] -
                                   mesh->xyz[3 * (size_t)v[0] + (size_t)(k % 3)]));
        }
    }
    return size > 0.0 ? 1.0 / size : 1.0;
}

/* g = M^-1 m by Cholesky's factors, of M with a little on its diagonal; m' g. */
static double solve(const double m[6], const double mean[3], double g[3])
{
    const double ridge = 1e-9 * (m[0] + m[3] + m[5]);
    if (!(ridge > 0.0)) {
        g[0] = g[1] = g[2] = 0.0;
        return 0.0;
    }
    const double a = sqrt(m[0] + ridge), b = m[1] / a, c = m[2] / a;
    const double d = sqrt(fmax(m[3] - b * b, 0.0) + ridge), e = (m[4] - b * c) / d;
    const double f = sqrt(fmax(m[5] - c * c - e * e, 0.0) + ridge);
    const double p = mean[0] / a, q = (mean[1] - b * p) / d, r = (mean[2] - c * p - e * q) / f;
    g[2] = r / f;
    g[1] = (q - e * g[2]) / d;
    g[0] = (p - b * g[1] - c * g[2]) / a;
    return p * p + q * q + r * r;
}

/* Fits and takes the value at the vertex; the leverage. */
static double fit(const moments *sum, double stress[6])
{
    double mean[3], m[6], g[3];
    for (int i = 0; i < 3; i++) {
        mean[i] = sum->x[i] / sum->n;
    }
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, k++) {
            m[k] = sum->xx[k] - sum->n * mean[i] * mean[j];
        }
    }
    const double leverage = solve(m, mean, g);
    const double damping = leverage > damp_above ? sqrt(damp_above / leverage) : 1.0;
    for (int c = 0; c < 6; c++) {
        double slope = 0.0;
        const double s = sum->s[c] / sum->n;
        for (int i = 0; i < 3; i++) {
            slope += g[i] * (sum->xs[i][c] - sum->n * mean[i] * s);
        }
        stress[c] = s - damping * slope;
    }
    return leverage;
}

static void recover_patch(const context *in, int32_t v, int32_t p)
{
    const ew_recovered *out = in->out;
    double *stress = out->stress + 6 * (size_t)p;
    out->is_enlarged[p] = fit(&out->moments[p], stress) > enlarge_above;
    if (out->is_enlarged[p]) {
        moments sum = out->moments[p];
        add_neighbors(in, v, p, &sum);
        fit(&sum, stress);
    }
}

static void take_stars(const context *in, int32_t v)
{
    const ew_patches *patches = &in->out->patches;
    for (int32_t p = patches->begin[v]; p < patches->begin[v + 1]; p++) {
        take_star(in, v, p, &in->out->moments[p]);
    }
}

static void recover_vertex(const context *in, int32_t v)
{
    const ew_patches *patches = &in->out->patches;
    const bool is_active = ew_mesh_vertex_is_active(in->mesh, v);
    for (int32_t p = patches->begin[v]; p < patches->begin[v + 1]; p++) {
        if (is_active) {
            recover_patch(in, v, p);
        } else {
            memset(in->out->stress + 6 * (size_t)p, 0, 6 * sizeof *in->out->stress);
            in->out->is_enlarged[p] = false;
        }
    }
}

static ew_status make_room(ew_recovered *out)
{
    const int32_t n = out->patches.begin[out->patches.n_vertex];
    const int32_t before = out->capacity;
    int32_t grown = before;
    EW_TRY(ew_grow(&out->moments, &out->moment_capacity, n, sizeof *out->moments));
    EW_TRY(ew_grow(&out->is_enlarged, &grown, n, sizeof *out->is_enlarged));
    memset(out->is_enlarged + before, 0, (size_t)(grown - before) * sizeof *out->is_enlarged);
    return ew_grow(&out->stress, &out->capacity, n, 6 * sizeof *out->stress);
}

ew_status ew_recovered_take(ew_recovered *out, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, const double *stress, ew_peers *peers)
{
    const context in = {mesh, topology, stress, out};
    const ew_stretch own = ew_stretch_of(peers, mesh->n_vertex);
    uint64_t *needed = NULL;
    out->scale = scale_of(mesh);
    EW_TRY(ew_patches_take(&out->patches, mesh, topology, materials, true));
    EW_TRY(make_room(out));
    if (!stress) {
        const size_t n = (size_t)out->patches.begin[mesh->n_vertex];
        memset(out->stress, 0, 6 * n * sizeof *out->stress);
        return EW_OK;
    }
    if (peers && peers->n > 1) {
        ew_use_small_pages(out->moments, (size_t)out->moment_capacity * sizeof *out->moments);
        EW_TRY(ew_stretch_mark_around(topology, own, &needed));
    }
#pragma omp parallel for schedule(dynamic, 256) num_threads(ew_threads())
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!needed || ew_bit_has(needed, v)) {
            take_stars(&in, v);
        }
    }
    ew_release(needed);
#pragma omp parallel for schedule(dynamic, 256) num_threads(ew_threads())
    for (int32_t v = own.begin; v < own.end; v++) {
        recover_vertex(&in, v);
    }
    if (peers && peers->n > 1) { /* moments of some alone: no update starts from them */
        out->scale = 0.0;
        ew_release(out->moments);
        out->moments = NULL;
        out->moment_capacity = 0;
    }
    return ew_stretch_share(peers, mesh->n_vertex, out->patches.begin, 6, out->stress);
}

/* Whether a patch at the vertex is fitted with those around it. */
static bool is_enlarged(const ew_recovered *out, int32_t v)
{
    bool any = false;
    for (int32_t p = out->patches.begin[v]; p < out->patches.begin[v + 1]; p++) {
        any = any || out->is_enlarged[p];
    }
    return any;
}

/* The listed vertices, and those beside them whose fit has the patches of these. */
static ew_status find_changed(const context *in, const ew_list *vertex, ew_set *changed)
{
    const ew_rows *rows = &in->topology->pattern.row_to_pair;
    for (int32_t i = 0; i < vertex->n; i++) {
        EW_TRY(ew_set_add(changed, vertex->id[i]));
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t w = rows->item[2 * ((size_t)rows->begin[v] + (size_t)k)];
            EW_TRY(is_enlarged(in->out, w) ? ew_set_add(changed, w) : EW_OK);
        }
    }
    ew_list_sort(&changed->list);
    return EW_OK;
}

/* Without stresses of tets all patches there have none. */
static ew_status clear_listed(const ew_recovered *out, const ew_list *vertex, ew_set *changed)
{
    const int32_t *begin = out->patches.begin;
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        EW_TRY(ew_set_add(changed, v));
        memset(out->stress + 6 * (size_t)begin[v], 0,
               6 * (size_t)(begin[v + 1] - begin[v]) * sizeof *out->stress);
    }
    ew_list_sort(&changed->list);
    return EW_OK;
}

ew_status ew_recovered_update(ew_recovered *out, const ew_mesh *mesh, const ew_topology *topology,
                              const ew_materials *materials, const double *stress,
                              const ew_list *vertex, ew_set *changed, bool *is_local)
{
    const context in = {mesh, topology, stress, out};
    *is_local = out->scale == scale_of(mesh);
    EW_TRY(*is_local
               ? ew_patches_update(&out->patches, mesh, topology, materials, true, vertex, is_local)
               : EW_OK);
    if (!*is_local) {
        return EW_OK;
    }
    EW_TRY(make_room(out));
    if (!stress) {
        return clear_listed(out, vertex, changed);
    }
    EW_TRY(find_changed(&in, vertex, changed));
    const ew_list *all = &changed->list;
#pragma omp parallel num_threads(ew_threads_for(vertex->n, 64))
    {
#pragma omp for schedule(dynamic, 32)
        for (int32_t i = 0; i < vertex->n; i++) {
            take_stars(&in, vertex->id[i]);
        }
#pragma omp for schedule(dynamic, 32)
        for (int32_t i = 0; i < all->n; i++) {
            recover_vertex(&in, all->id[i]);
        }
    }
    return EW_OK;
}

const double *ew_recovered_at(const ew_recovered *out, const ew_mesh *mesh, int32_t tet, int corner)
{
    const int32_t v = mesh->tet[4 * (size_t)tet + (size_t)corner];
    return out->stress + 6 * (size_t)ew_patch_at(&out->patches, mesh, v, tet);
}

void ew_recovered_free(ew_recovered *out)
{
    ew_patches_free(&out->patches);
    ew_release(out->stress);
    ew_release(out->moments);
    ew_release(out->is_enlarged);
    *out = (ew_recovered){0};
}
