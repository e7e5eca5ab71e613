/* Patches of a surface to cut along. In: a closed surface. Out: parts of it without sharp edges,
 * each with a signed distance that goes on beyond its rim.
 *
 * Inside or outside is decided by the normal at the nearest point: of the triangle, the mean of two
 * on an edge, that of all weighted by their angles at a corner (Baerentzen & Aanaes 2005, "Signed
 * distance computation using the angle weighted pseudonormal"). Beyond the rim of a patch the
 * distance is that from the plane of its nearest side, so that two patches that meet at a sharp
 * edge cross there. */
#include "operation/cut/cut_patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLAT 1e-6 /* of the size of a patch */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool make_unit(double a[3])
{
    const double length = sqrt(dot(a, a));
    for (int i = 0; i < 3 && length > 0.0; i++) {
        a[i] /= length;
    }
    return length > 0.0;
}

static const double *vertex_of(const ew_patched *p, int32_t t, int k)
{
    return p->surface.xyz + 3 * (size_t)p->surface.triangle[3 * (size_t)t + (size_t)k];
}

/* ---- distances --------------------------------------------------------------- */

/* The normal at a part of a triangle, within a patch (-1: of all); whether that is on its rim. */
static bool normal_at(const ew_patched *p, int32_t t, int32_t part, int32_t patch, double n[3])
{
    const double *corner = patch < 0 ? p->corner_normal : p->patch_normal;
    memcpy(n, p->normal + 3 * (size_t)t, 3 * sizeof *n);
    if (part < 3) {
        memcpy(n, corner + 9 * (size_t)t + 3 * (size_t)part, 3 * sizeof *n);
        return patch >= 0 && (p->rim[t] >> part & 1);
    }
    if (part == 6) {
        return false;
    }
    const int32_t other = p->across[3 * (size_t)t + (size_t)(part - 3)] / 3;
    if (patch >= 0 && p->patch_of[other] != patch) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        n[i] += p->normal[3 * (size_t)other + (size_t)i];
    }
    make_unit(n);
    return false;
}

/* Beyond `bound` INFINITY. *far: without the plane of a rim; or null. */
static double signed_distance(const ew_patched *p, int32_t patch, const double x[3], double bound,
                              double *gradient, double *far)
{
    double foot[3], n[3], v[3];
    int32_t part;
    const ew_triangles *tree = patch < 0 ? &p->tree : &p->patch[patch].tree;
    const int32_t t = ew_triangles_nearest(tree, x, bound, foot, &part);
    if (t < 0) {
        return INFINITY;
    }
    const bool rim = normal_at(p, t, part, patch, n);
    for (int i = 0; i < 3; i++) {
        v[i] = x[i] - foot[i];
    }
    const double along = dot(v, n), length = sqrt(dot(v, v));
    const bool plane = rim || length < 1e-14 * p->extent;
    if (far) {
        *far = length;
    }
    for (int i = 0; i < 3 && gradient; i++) {
        gradient[i] = plane ? n[i] : along < 0.0 ? -v[i] / length : v[i] / length;
    }
    return plane ? along : along < 0.0 ? -length : length;
}

static double off_patch(const ew_cut_shape *shape, const double x[3], double *gradient)
{
    const ew_patch *patch = shape->data;
    return signed_distance(patch->of, (int32_t)(patch - patch->of->patch), x, INFINITY, gradient,
                           NULL);
}

double ew_patch_distance(const ew_patch *patch, const double x[3], double *far)
{
    return signed_distance(patch->of, (int32_t)(patch - patch->of->patch), x, INFINITY, NULL, far);
}

static double off_plane(const ew_cut_shape *shape, const double x[3], double *gradient)
{
    double off = 0.0;
    for (int i = 0; i < 3; i++) {
        off += (x[i] - shape->a[i]) * shape->axis[i];
    }
    if (gradient) {
        memcpy(gradient, shape->axis, sizeof shape->axis);
    }
    return off;
}

double ew_patched_distance(const ew_patched *patched, const double x[3], double bound)
{
    return signed_distance(patched, -1, x, bound, NULL, NULL);
}

/* ---- parts --------------------------------------------------------------------- */

static double area_of(const ew_patched *p, int32_t t)
{
    double n[3];
    const double *x = vertex_of(p, t, 0), *y = vertex_of(p, t, 1), *z = vertex_of(p, t, 2);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = (y[j] - x[j]) * (z[k] - x[k]) - (y[k] - x[k]) * (z[j] - x[j]);
    }
    return 0.5 * sqrt(dot(n, n));
}

static double bend_at(const ew_patched *p, int32_t t, int k)
{
    const int32_t other = p->across[3 * (size_t)t + (size_t)k] / 3;
    const double *a = p->normal + 3 * (size_t)t, *b = p->normal + 3 * (size_t)other;
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    return atan2(sqrt(dot(c, c)), dot(a, b));
}

static double side_length(const ew_patched *p, int32_t t, int k)
{
    const double *x = vertex_of(p, t, k), *y = vertex_of(p, t, (k + 1) % 3);
    return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
}

/* Two parts that share a rim, and how much. */
typedef struct shared_rim {
    int32_t part, other;
    double weight; /* its length, more where it bends little */
} shared_rim;

static ew_status list_rims(const ew_patched *p, int32_t *parent, ew_map *place, shared_rim **list,
                           int32_t *capacity, int32_t *n)
{
    *n = 0;
    ew_map_clear(place);
    for (int32_t i = 0; i < 3 * p->surface.n_triangle; i++) {
        const int32_t part = ew_root_of(parent, i / 3),
                      other = ew_root_of(parent, p->across[i] / 3);
        int32_t old;
        if (part == other) {
            continue;
        }
        EW_TRY(ew_map_enter(place, part, other, -1, *n, &old));
        if (old < 0) {
            EW_TRY(ew_grow(list, capacity, (int64_t)*n + 1, sizeof **list));
            (*list)[old = (*n)++] = (shared_rim){part, other, 0.0};
        }
        (*list)[old].weight += side_length(p, i / 3, i % 3) * (4.0 - bend_at(p, i / 3, i % 3));
    }
    return EW_OK;
}

/* Each part that is too small joins the neighbor that it shares most with. best: [n_triangle]. */
static bool join_round(int32_t *parent, const double *area, double least, const shared_rim *rim,
                       int32_t n, int32_t *best)
{
    bool any = false;
    for (int32_t i = 0; i < n; i++) {
        best[rim[i].part] = -1;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t *to = &best[rim[i].part];
        if (*to < 0 || rim[i].weight > rim[*to].weight) {
            *to = i;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        if (area[rim[i].part] < least && best[rim[i].part] == i) {
            ew_join_parts(parent, rim[i].part, rim[i].other);
            any = true;
        }
    }
    return any;
}

static ew_status join_small(const ew_patched *p, int32_t *parent, double least)
{
    ew_map place = {0};
    shared_rim *rim = NULL;
    double *area = NULL;
    int32_t *best = NULL, capacity = 0, n;
    const int32_t n_triangle = p->surface.n_triangle;
    ew_status status;
    bool any = true;
    EW_TRY_OUT(ew_new(&area, (size_t)n_triangle, sizeof *area));
    EW_TRY_OUT(ew_new(&best, (size_t)n_triangle, sizeof *best));
    while (any) {
        memset(area, 0, (size_t)n_triangle * sizeof *area);
        for (int32_t t = 0; t < n_triangle; t++) {
            area[ew_root_of(parent, t)] += area_of(p, t);
        }
        EW_TRY_OUT(list_rims(p, parent, &place, &rim, &capacity, &n));
        any = join_round(parent, area, least, rim, n, best);
    }
out:
    ew_map_free(&place);
    ew_release(rim);
    ew_release(area);
    ew_release(best);
    return status;
}

/* ---- patches ---------------------------------------------------------------------- */

/* All triangles of a patch within FLAT of a plane: that of their mean normal. */
static void set_shape(ew_patched *p, ew_patch *patch)
{
    double low[3], high[3], center[3] = {0, 0, 0}, n[3] = {0, 0, 0}, off = 0.0, area = 0.0;
    for (int i = 0; i < 3; i++) {
        low[i] = patch->tree.node[0].low[i];
        high[i] = patch->tree.node[0].high[i];
    }
    for (int32_t k = 0; k < patch->tree.n; k++) {
        const int32_t t = patch->tree.item[k];
        const double size = area_of(p, t);
        area += size;
        for (int i = 0; i < 3; i++) {
            n[i] += size * p->normal[3 * (size_t)t + (size_t)i];
            for (int v = 0; v < 3; v++) {
                center[i] += size / 3.0 * vertex_of(p, t, v)[i];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        center[i] /= area;
    }
    patch->area = area;
    patch->of = p;
    const bool has_normal = make_unit(n);
    patch->shape = (ew_cut_shape){.distance = off_plane, .is_flat = true, .data = patch};
    memcpy(patch->shape.a, center, sizeof center);
    memcpy(patch->shape.axis, n, sizeof n);
    const double size = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    for (int32_t k = 0; k < 3 * patch->tree.n; k++) {
        off = fmax(off, fabs(off_plane(&patch->shape, vertex_of(p, patch->tree.item[k / 3], k % 3),
                                       NULL)));
    }
    if (!has_normal || off > FLAT * size) {
        patch->shape.distance = off_patch;
        patch->shape.is_flat = false;
    }
}

static int compare(const void *left, const void *right)
{
    const ew_keyed *x = left, *y = right;
    if (x->key != y->key) {
        return x->key > y->key ? -1 : 1;
    }
    return (x->name > y->name) - (x->name < y->name);
}

/* Numbers parts by area, the largest first. key: [n_triangle]. */
static void number_parts(ew_patched *p, int32_t *parent, ew_keyed *key)
{
    const int32_t n = p->surface.n_triangle;
    for (int32_t t = 0; t < n; t++) {
        key[t] = (ew_keyed){parent[t] == t ? 0.0 : -1.0, t, t};
    }
    for (int32_t t = 0; t < n; t++) {
        key[ew_root_of(parent, t)].key += area_of(p, t);
    }
    qsort(key, (size_t)n, sizeof *key, compare);
    p->n_patch = 0;
    for (int32_t k = 0; k < n && key[k].key >= 0.0; k++) {
        p->patch_of[key[k].slot] = p->n_patch++;
    }
    for (int32_t t = 0; t < n; t++) {
        p->patch_of[t] = p->patch_of[ew_root_of(parent, t)];
    }
}

/* list [n_triangle], begin [n_triangle + 1]: the triangles of each patch. */
static ew_status make_patches(ew_patched *p, int32_t *list, int32_t *begin)
{
    const int32_t n = p->surface.n_triangle, n_patch = p->n_patch;
    p->n_patch = 0;
    EW_TRY(ew_new_zero(&p->patch, (size_t)n_patch, sizeof *p->patch));
    p->n_patch = n_patch;
    memset(begin, 0, ((size_t)n_patch + 1) * sizeof *begin);
    for (int32_t t = 0; t < n; t++) {
        begin[p->patch_of[t]]++;
    }
    for (int32_t k = 0; k < n_patch; k++) {
        begin[k + 1] += begin[k];
    }
    for (int32_t t = n - 1; t >= 0; t--) {
        list[--begin[p->patch_of[t]]] = t;
    }
    begin[n_patch] = n;
    for (int32_t k = 0; k < n_patch; k++) {
        EW_TRY(ew_triangles_init(&p->patch[k].tree, &p->surface, list + begin[k],
                                 begin[k + 1] - begin[k]));
        set_shape(p, &p->patch[k]);
    }
    return EW_OK;
}

/* Adds the normal of a triangle, weighted by its angle at the corner. */
static void add_corner(const ew_patched *p, int32_t code, double sum[3])
{
    double e[3], f[3], c[3];
    const double *x = vertex_of(p, code / 3, code % 3);
    const double *y = vertex_of(p, code / 3, (code + 1) % 3);
    const double *z = vertex_of(p, code / 3, (code + 2) % 3);
    for (int i = 0; i < 3; i++) {
        e[i] = y[i] - x[i];
        f[i] = z[i] - x[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = e[j] * f[k] - e[k] * f[j];
    }
    const double angle = atan2(sqrt(dot(c, c)), dot(e, f));
    for (int i = 0; i < 3; i++) {
        sum[i] += angle * p->normal[3 * (size_t)(code / 3) + (size_t)i];
    }
}

/* The next triangle around a corner, as 3 * triangle + corner, this way or that; -1: there the
 * patch ends. whole: it goes on. */
static int32_t next_around(const ew_patched *p, int32_t code, bool forward, bool whole)
{
    const int32_t t = code / 3, k = forward ? code % 3 : (code + 2) % 3;
    const int32_t beyond = p->across[3 * t + k];
    if (!whole && p->patch_of[beyond / 3] != p->patch_of[t]) {
        return -1;
    }
    return beyond - beyond % 3 + (forward ? (beyond + 1) % 3 : beyond % 3);
}

/* The fan of a corner, within the patch; returns whether it ends at the rim. */
static bool sum_fan(const ew_patched *p, int32_t code, bool whole, double sum[3])
{
    int32_t at = code;
    memset(sum, 0, 3 * sizeof *sum);
    do {
        add_corner(p, at, sum);
        at = next_around(p, at, false, whole);
    } while (at >= 0 && at != code);
    if (at == code) {
        return false;
    }
    for (at = next_around(p, code, true, whole); at >= 0; at = next_around(p, at, true, whole)) {
        add_corner(p, at, sum);
    }
    return true;
}

static void set_corners(ew_patched *p, bool whole)
{
    double *out = whole ? p->corner_normal : p->patch_normal;
    for (int32_t i = 0; i < 3 * p->surface.n_triangle; i++) {
        const bool rim = sum_fan(p, i, whole, out + 3 * (size_t)i);
        make_unit(out + 3 * (size_t)i);
        if (!whole && rim) {
            p->rim[i / 3] = (uint8_t)(p->rim[i / 3] | 1 << i % 3);
        }
    }
}

static void join_smooth(const ew_patched *p, int32_t *parent, double angle)
{
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        parent[t] = t;
    }
    for (int32_t i = 0; i < 3 * p->surface.n_triangle; i++) {
        if (bend_at(p, i / 3, i % 3) <= angle) {
            ew_join_parts(parent, i / 3, p->across[i] / 3);
        }
    }
}

ew_status ew_patched_divide(ew_patched *p, double angle, double least)
{
    const size_t n = (size_t)p->surface.n_triangle;
    int32_t *parent = NULL;
    ew_keyed *key = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new_zero(&p->patch_of, n, sizeof *p->patch_of));
    EW_TRY_OUT(ew_new_zero(&p->rim, n, sizeof *p->rim));
    EW_TRY_OUT(ew_new(&p->patch_normal, 9 * n, sizeof *p->patch_normal));
    EW_TRY_OUT(ew_new(&parent, 2 * n + 1, sizeof *parent));
    EW_TRY_OUT(ew_new(&key, n, sizeof *key));
    join_smooth(p, parent, angle);
    EW_TRY_OUT(join_small(p, parent, least));
    number_parts(p, parent, key);
    EW_TRY_OUT(make_patches(p, parent, parent + n));
    set_corners(p, false);
out:
    ew_release(parent);
    ew_release(key);
    return status;
}

static double longest_side(const ew_patched *p, int32_t t, int32_t *side)
{
    double longest = -1.0;
    for (int k = 0; k < 3; k++) {
        const double length = side_length(p, t, k);
        *side = length > longest ? k : *side;
        longest = fmax(longest, length);
    }
    return longest;
}

/* A triangle without area has the normal of the one across its longest side. */
static void borrow_normals(ew_patched *p)
{
    enum { MAX_ROUNDS = 8 };
    for (int round = 0; round < MAX_ROUNDS; round++) {
        for (int32_t t = 0; t < p->surface.n_triangle; t++) {
            int32_t k = 0;
            double *n = p->normal + 3 * (size_t)t;
            if (dot(n, n) == 0.0) {
                longest_side(p, t, &k);
                memcpy(n, p->normal + 3 * (size_t)(p->across[3 * t + k] / 3), 3 * sizeof *n);
            }
        }
    }
}

ew_status ew_patched_begin(ew_patched *p)
{
    const size_t n = (size_t)p->surface.n_triangle;
    EW_TRY(ew_new(&p->normal, 3 * n, sizeof *p->normal));
    EW_TRY(ew_new(&p->corner_normal, 9 * n, sizeof *p->corner_normal));
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        double *out = p->normal + 3 * (size_t)t;
        const double *x = vertex_of(p, t, 0), *y = vertex_of(p, t, 1), *z = vertex_of(p, t, 2);
        int32_t k;
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            out[i] = (y[a] - x[a]) * (z[b] - x[b]) - (y[b] - x[b]) * (z[a] - x[a]);
        }
        const double size = longest_side(p, t, &k);
        if (!(sqrt(dot(out, out)) > 1e-10 * size * size) || !make_unit(out)) {
            memset(out, 0, 3 * sizeof *out);
        }
    }
    borrow_normals(p);
    set_corners(p, true);
    return EW_OK;
}

bool ew_patched_is_flat(const ew_patched *p)
{
    bool flat = true;
    for (int32_t k = 0; k < p->n_patch; k++) {
        flat = flat && p->patch[k].shape.is_flat;
    }
    return flat;
}

void ew_patched_free(ew_patched *p)
{
    for (int32_t k = 0; k < p->n_patch; k++) {
        ew_triangles_free(&p->patch[k].tree);
    }
    ew_release(p->patch);
    ew_release(p->patch_of);
    ew_release(p->patch_normal);
    ew_release(p->rim);
    ew_release(p->normal);
    ew_release(p->corner_normal);
    ew_release(p->across);
    ew_triangles_free(&p->tree);
    ew_surface_free(&p->surface);
    memset(p, 0, sizeof *p);
}
