/* The nearest of many points. In: vertices of a mesh. Out: a balanced k-d tree without
 * pointers, and the nearest vertex to a point within a bound, O(log n) expected.
 * Reference: Friedman, Bentley and Finkel 1977, "An algorithm for finding best matches in
 * logarithmic expected time". */
#include "operation/framework/internal.h"

#include <string.h>

static int8_t widest_axis(const double *xyz, const ew_keyed *list, int32_t n)
{
    int8_t axis = 0;
    double widest = -1.0;
    for (int8_t i = 0; i < 3; i++) {
        double low = xyz[3 * (size_t)list[0].slot + (size_t)i], high = low;
        for (int32_t k = 1; k < n; k++) {
            double x = xyz[3 * (size_t)list[k].slot + (size_t)i];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > widest) {
            widest = high - low;
            axis = i;
        }
    }
    return axis;
}

/* Puts the middle of list[low..high) in its place and goes on with both halves. */
static void split(const double *xyz, ew_keyed *list, int8_t *axis, int32_t low, int32_t high)
{
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int8_t along = widest_axis(xyz, list + low, high - low);
        for (int32_t i = low; i < high; i++) {
            list[i].key = xyz[3 * (size_t)list[i].slot + (size_t)along];
        }
        ew_lowest_first(list + low, high - low, middle - low);
        axis[middle] = along;
        split(xyz, list, axis, low, middle);
        low = middle + 1;
    }
}

static void copy_in_order(ew_points *points, const ew_mesh *mesh, const ew_keyed *list)
{
    for (int32_t i = 0; i < points->n; i++) {
        int32_t v = list[i].slot;
        points->slot[i] = v;
        points->name[i] = mesh->vertex_id[v];
        memcpy(points->xyz + 3 * (size_t)i, mesh->xyz + 3 * (size_t)v, 3 * sizeof(double));
    }
}

ew_status ew_points_init(ew_points *points, const ew_mesh *mesh, const ew_list *vertex)
{
    ew_status status;
    ew_keyed *list = NULL;
    size_t n = (size_t)vertex->n;
    *points = (ew_points){.n = vertex->n};
    EW_TRY_OUT(ew_new(&list, n, sizeof *list));
    EW_TRY_OUT(ew_new(&points->slot, n, sizeof *points->slot));
    EW_TRY_OUT(ew_new(&points->name, n, sizeof *points->name));
    EW_TRY_OUT(ew_new(&points->xyz, n, 3 * sizeof *points->xyz));
    EW_TRY_OUT(ew_new(&points->axis, n, sizeof *points->axis));
    for (int32_t i = 0; i < vertex->n; i++) {
        list[i] = (ew_keyed){0.0, mesh->vertex_id[vertex->id[i]], vertex->id[i]};
    }
    split(mesh->xyz, list, points->axis, 0, vertex->n);
    copy_in_order(points, mesh, list);
out:
    ew_release(list);
    if (status) {
        ew_points_free(points);
    }
    return status;
}

void ew_points_free(ew_points *points)
{
    ew_release(points->slot);
    ew_release(points->name);
    ew_release(points->xyz);
    ew_release(points->axis);
    *points = (ew_points){0};
}

typedef struct query {
    double x[3], distance2;
    int64_t name, before; /* of the best one; of none that counts */
    int32_t at;
} query;

static void search(const ew_points *points, int32_t low, int32_t high, query *best)
{
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const double *p = points->xyz + 3 * (size_t)middle;
        double a = best->x[0] - p[0], b = best->x[1] - p[1], c = best->x[2] - p[2];
        double d2 = a * a + b * b + c * c;
        if (points->name[middle] < best->before &&
            (d2 < best->distance2 ||
             (d2 == best->distance2 && points->name[middle] < best->name))) {
            best->distance2 = d2;
            best->name = points->name[middle];
            best->at = middle;
        }
        int8_t axis = points->axis[middle];
        double off = best->x[axis] - p[axis];
        if (off < 0.0) {
            search(points, low, middle, best);
        } else {
            search(points, middle + 1, high, best);
        }
        if (off * off > best->distance2) {
            return;
        }
        /* The other side. */
        if (off < 0.0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
}

int32_t ew_points_nearest(const ew_points *points, const double x[3], double bound2,
                          double *distance2)
{
    return ew_points_nearest_before(points, x, INT64_MAX, bound2, distance2);
}

int32_t ew_points_nearest_before(const ew_points *points, const double x[3], int64_t name,
                                 double bound2, double *distance2)
{
    query best = {{x[0], x[1], x[2]}, bound2, INT64_MAX, name, -1};
    search(points, 0, points->n, &best);
    if (best.at < 0) {
        return -1;
    }
    *distance2 = best.distance2;
    return points->slot[best.at];
}
