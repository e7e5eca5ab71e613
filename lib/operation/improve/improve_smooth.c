/* One vertex to a better place. In: an open vertex. Out: the vertex where the least quality of its
 * tets is higher, or where it was.
 *
 * First toward the mean of its neighbors, then up the gradient of the worst tet's quality. With
 * q = 12 (3V)^(2/3) / S, S the sum of squared edges, grad q = q (2/3 grad V / V - grad S / S).
 * Faces of the body hold it (local_class.c). */
#include "operation/improve/improve.h"

#include <math.h>
#include <string.h>

/* Summed in the order of names. */
static ew_status mean_of_neighbors(ew_local *local, int32_t vertex, const ew_local_class *class,
                                   double mean[3])
{
    const ew_local_vertex *v = local->vertex;
    memset(mean, 0, 3 * sizeof *mean);
    if (class->kind == EW_LOCAL_RIDGE) {
        for (int i = 0; i < 3; i++) {
            mean[i] = 0.5 * (v[class->ridge[0]].x[i] + v[class->ridge[1]].x[i]);
        }
        return EW_OK;
    }
    EW_TRY(ew_local_neighbors(local, vertex));
    for (int32_t k = 0; k < local->near.n; k++) {
        for (int i = 0; i < 3; i++) {
            mean[i] += v[local->near.id[k]].x[i] / local->near.n;
        }
    }
    return EW_OK;
}

static int32_t worst_around(const ew_local *local, int32_t vertex)
{
    int32_t worst = -1;
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *t = &local->tet[c / 4];
        if (worst < 0 || t->quality < local->tet[worst / 4].quality ||
            (t->quality == local->tet[worst / 4].quality && t->name < local->tet[worst / 4].name)) {
            worst = c;
        }
    }
    return worst;
}

/* Unit direction in which the quality of a tet rises fastest with one corner. */
static bool find_ascent_direction(const ew_local *local, int32_t code, double g[3])
{
    const ew_local_tet *t = &local->tet[code / 4];
    const int8_t *f = ew_face_vertex[code % 4];
    const double *x = local->vertex[t->v[code % 4]].x, *p = local->vertex[t->v[f[0]]].x;
    const double *q = local->vertex[t->v[f[1]]].x, *r = local->vertex[t->v[f[2]]].x;
    double n[3], s = 0.0, volume = 0.0, ds[3], length = 0.0;
    const double *y[4] = {x, p, q, r};
    for (int i = 0; i < 3; i++) { /* the face turns outwards: its normal points away from x */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = -((q[j] - p[j]) * (r[k] - p[k]) - (q[k] - p[k]) * (r[j] - p[j])) / 6.0;
        volume += n[i] * (x[i] - p[i]);
        ds[i] = 2.0 * (3.0 * x[i] - p[i] - q[i] - r[i]);
    }
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < a; b++) {
            for (int i = 0; i < 3; i++) {
                s += (y[a][i] - y[b][i]) * (y[a][i] - y[b][i]);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        g[i] = volume > 0.0 ? 2.0 / 3.0 * n[i] - volume * ds[i] / s : n[i];
        length += g[i] * g[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3 && length > 0.0; i++) {
        g[i] /= length;
    }
    return length > 0.0 && isfinite(length);
}

/* Least quality around the vertex if it were at x, or something below `bound` where it is lower. */
static double min_at(const ew_local *local, int32_t vertex, const double x[3], double bound)
{
    double least = INFINITY;
    for (int32_t c = local->vertex[vertex].first; c >= 0 && least > bound;
         c = local->tet[c / 4].next[c % 4]) {
        const double *y[4];
        for (int k = 0; k < 4; k++) {
            const int32_t v = local->tet[c / 4].v[k];
            y[k] = v == vertex ? x : local->vertex[v].x;
        }
        least = fmin(least, ew_local_quality_of(y[0], y[1], y[2], y[3]));
    }
    return least;
}

static double distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Whether the faces, or the edge, with the vertex at x pass near enough by where it was. */
static bool stays_near(const ew_local *local, int32_t vertex, const ew_local_class *class,
                       const double x[3], double size)
{
    const double *from = local->vertex[vertex].x;
    double near = INFINITY, at[3];
    if (class->kind == EW_LOCAL_INNER || class->is_exact || (class->is_cut && !class->is_curved)) {
        return true;
    }
    if (class->kind == EW_LOCAL_RIDGE && !class->is_cut) {
        for (int k = 0; k < 2; k++) {
            const double *end = local->vertex[class->ridge[k]].x;
            ew_local_nearest(from, x, end, end, at);
            near = fmin(near, distance(from, at));
        }
        return near <= EW_LOCAL_OFF_CURVED * size;
    }
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *t = &local->tet[c / 4];
        for (int k = 0; k < 4; k++) {
            if (k == c % 4 || t->face[k] < 0 || local->face[t->face[k]].is_cut) {
                continue;
            }
            const double *y[3];
            for (int i = 0; i < 3; i++) {
                const int32_t v = t->v[ew_face_vertex[k][i]];
                y[i] = v == vertex ? x : local->vertex[v].x;
            }
            ew_local_nearest(from, y[0], y[1], y[2], at);
            near = fmin(near, distance(from, at));
        }
    }
    return near <= EW_LOCAL_OFF_CURVED * size;
}

/* Tries from + step; *least is what it must exceed, and what is reached. */
static bool try_place(ew_local *local, int32_t vertex, const ew_local_class *class,
                      const double way[3], double step, double size, double *least)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = local->vertex[vertex].x[i] + step * way[i];
    }
    if (!ew_local_project(local, vertex, class, x)) {
        return false;
    }
    const double found = min_at(local, vertex, x, *least + EW_IMPROVE_GAIN);
    if (!(found > *least + EW_IMPROVE_GAIN) || !stays_near(local, vertex, class, x, size)) {
        return false;
    }
    ew_local_move(local, vertex, x);
    *least = found;
    return true;
}

ew_status ew_improve_vertex(ew_local *local, int32_t vertex, bool *done)
{
    ew_local_class class;
    double mean[3], way[3], size;
    *done = false;
    EW_TRY(ew_local_open(local, vertex));
    EW_TRY(ew_local_classify(local, vertex, &class));
    if (class.kind == EW_LOCAL_CORNER) {
        return EW_OK;
    }
    EW_TRY(ew_local_size(local, vertex, &size));
    EW_TRY(mean_of_neighbors(local, vertex, &class, mean));
    double least = ew_local_min_quality(local, vertex);
    for (int i = 0; i < 3; i++) {
        way[i] = mean[i] - local->vertex[vertex].x[i];
    }
    for (double step = 1.0; step > 0.2 && !*done; step /= 2.0) {
        *done = try_place(local, vertex, &class, way, step, size, &least);
    }
    bool moved = true;
    for (int round = 0; round < 3 && moved; round++) {
        moved = false;
        if (!find_ascent_direction(local, worst_around(local, vertex), way)) {
            return EW_OK;
        }
        for (double step = 0.3; step > 0.01 && !moved; step /= 2.5) {
            moved = try_place(local, vertex, &class, way, step * size, size, &least);
        }
        *done = *done || moved;
    }
    return EW_OK;
}
