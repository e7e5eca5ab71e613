/* Local numbering of a tet, its signed volume and shape, and the measures of a whole mesh.
 * In: coordinates and tets. Out: numbers for reports and checks.
 * Reference: Liu and Joe 1994, "Relationship between tetrahedron shape measures" (mean ratio). */
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

static double determinant(const double *x0, const double *x1, const double *x2, const double *x3)
{
    double a[3], b[3], c[3];
    for (int i = 0; i < 3; i++) {
        a[i] = x1[i] - x0[i];
        b[i] = x2[i] - x0[i];
        c[i] = x3[i] - x0[i];
    }
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static double distance2(const double *x, const double *y)
{
    double a = y[0] - x[0], b = y[1] - x[1], c = y[2] - x[2];
    return a * a + b * b + c * c;
}

int ew_tet_hand(const double *x0, const double *x1, const double *x2, const double *x3)
{
    const double *x[4] = {x0, x1, x2, x3};
    double longest2 = 0.0;
    for (int k = 0; k < 6; k++) {
        double d2 = distance2(x[ew_edge_vertex[k][0]], x[ew_edge_vertex[k][1]]);
        longest2 = d2 > longest2 ? d2 : longest2;
    }
    double det = determinant(x0, x1, x2, x3);
    /* Written so that NaN, and overflow of either side, fall to "no volume". */
    if (!(fabs(det) >= EW_MIN_SHAPE * (longest2 * sqrt(longest2))) || det == 0.0 ||
        !isfinite(det)) {
        return 0;
    }
    return det > 0.0 ? 1 : -1;
}

double ew_tet_volume(const double *x0, const double *x1, const double *x2, const double *x3)
{
    return determinant(x0, x1, x2, x3) / 6.0;
}

double ew_mesh_tet_volume(const ew_mesh *mesh, int32_t tet)
{
    const int32_t *v = mesh->tet + 4 * (size_t)tet;
    const double *x = mesh->xyz;
    return ew_tet_volume(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2],
                         x + 3 * (size_t)v[3]);
}

double ew_mesh_curved_tet_volume(const ew_mesh *mesh, int32_t tet)
{
    double x[12], d[18] = {0.0};
    bool curved = false;
    const int32_t *v = mesh->tet + 4 * (size_t)tet;
    for (int e = 0; e < 6 && mesh->n_curve; e++) {
        const double *curve = ew_mesh_curve(mesh, mesh->vertex_id[v[ew_edge_vertex[e][0]]],
                                            mesh->vertex_id[v[ew_edge_vertex[e][1]]]);
        if (curve) {
            memcpy(d + 3 * e, curve, 3 * sizeof *d);
            curved = true;
        }
    }
    if (!curved) {
        return ew_mesh_tet_volume(mesh, tet);
    }
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    return ew_curved_tet_volume(x, d);
}

/* Mean ratio from a volume and the sum of the squared edges; 0 for flat and inverted tets. */
static double mean_ratio(double volume, double sum2)
{
    if (!(volume > 0.0)) {
        return 0.0;
    }
    double root = cbrt(3.0 * volume);
    double quality = 12.0 * root * root / sum2;
    return quality < 1.0 ? quality : 1.0; /* rounding */
}

/* Squared edge lengths of a tet; returns their sum. */
static double edges2(const ew_mesh *mesh, int32_t tet, double length2[6])
{
    const int32_t *v = mesh->tet + 4 * (size_t)tet;
    double sum = 0.0;
    for (int k = 0; k < 6; k++) {
        length2[k] = distance2(mesh->xyz + 3 * (size_t)v[ew_edge_vertex[k][0]],
                               mesh->xyz + 3 * (size_t)v[ew_edge_vertex[k][1]]);
        sum += length2[k];
    }
    return sum;
}

void ew_mesh_tet_centroid(const ew_mesh *mesh, int32_t tet, double centroid[3])
{
    const int32_t *v = mesh->tet + 4 * (size_t)tet;
    const double *a = mesh->xyz + 3 * (size_t)v[0], *b = mesh->xyz + 3 * (size_t)v[1];
    const double *c = mesh->xyz + 3 * (size_t)v[2], *d = mesh->xyz + 3 * (size_t)v[3];
    for (int k = 0; k < 3; k++) {
        centroid[k] = 0.25 * (a[k] + b[k] + c[k] + d[k]);
    }
}

double ew_mesh_tet_quality(const ew_mesh *mesh, int32_t tet)
{
    double length2[6];
    double sum2 = edges2(mesh, tet, length2);
    return mean_ratio(ew_mesh_tet_volume(mesh, tet), sum2);
}

static void measure_box(const ew_mesh *mesh, ew_mesh_measure *measure)
{
    bool first = true;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        const double *x = mesh->xyz + 3 * (size_t)v;
        for (int i = 0; i < 3; i++) {
            measure->low[i] = first || x[i] < measure->low[i] ? x[i] : measure->low[i];
            measure->high[i] = first || x[i] > measure->high[i] ? x[i] : measure->high[i];
        }
        first = false;
    }
}

/* Keeps the five worst, worst first; equal qualities in ascending slot order. */
static void note_worst(ew_mesh_measure *measure, double worst[5], int32_t tet, double quality)
{
    int k = 5;
    while (k > 0 && (measure->worst[k - 1] < 0 || quality < worst[k - 1])) {
        k--;
        if (k < 4) {
            worst[k + 1] = worst[k];
            measure->worst[k + 1] = measure->worst[k];
        }
        worst[k] = quality;
        measure->worst[k] = tet;
    }
}

void ew_mesh_take_measure(const ew_mesh *mesh, ew_mesh_measure *measure)
{
    double worst[5] = {0};
    double sum = 0.0, shortest2 = INFINITY, longest2 = 0.0;
    memset(measure, 0, sizeof *measure);
    for (int k = 0; k < 5; k++) {
        measure->worst[k] = -1;
    }
    measure_box(mesh, measure);
    if (mesh->n_live_tet == 0) {
        return;
    }
    measure->min_volume = measure->min_quality = INFINITY;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        double length2[6];
        double sum2 = edges2(mesh, t, length2);
        for (int k = 0; k < 6; k++) {
            shortest2 = fmin(shortest2, length2[k]);
            longest2 = fmax(longest2, length2[k]);
        }
        double volume = ew_mesh_tet_volume(mesh, t);
        double quality = mean_ratio(volume, sum2);
        measure->volume += ew_mesh_curved_tet_volume(mesh, t);
        measure->min_volume = fmin(measure->min_volume, volume);
        measure->min_quality = fmin(measure->min_quality, quality);
        sum += quality;
        int tenth = (int)(10.0 * quality);
        measure->histogram[tenth < 9 ? tenth : 9]++;
        note_worst(measure, worst, t, quality);
    }
    measure->mean_quality = sum / mesh->n_live_tet;
    measure->shortest_edge = sqrt(shortest2);
    measure->longest_edge = sqrt(longest2);
}
