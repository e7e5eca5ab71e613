/* Curved sides of a mesh, a list in no order, with a hash table of it by the ids of the ends. In:
 * sides that become curved or straight. Out: how far the middle of one lies beyond the mean of its
 * ends; each in O(1). middles.c makes the first list. */
#include "mesh/internal.h"

#include <stdlib.h>
#include <string.h>

/* Where the search for a side begins: [n_curve_place], a power of two, at most half of them used.
 * (Knuth 1998, The Art of Computer Programming 3, section 6.4, algorithms L and R) */
static int32_t home_of(const ew_mesh *mesh, const int64_t end[2])
{
    const uint64_t both = (uint64_t)end[0] * 0x9e3779b97f4a7c15ULL + (uint64_t)end[1];
    return (int32_t)((both * 0xbf58476d1ce4e5b9ULL) >> 32) & (mesh->n_curve_place - 1);
}

static int32_t next_of(const ew_mesh *mesh, int32_t at)
{
    return (at + 1) & (mesh->n_curve_place - 1);
}

/* Where the table has the side, or where it would be entered. */
static int32_t find(const ew_mesh *mesh, const int64_t end[2])
{
    int32_t at = home_of(mesh, end);
    while (mesh->curve_place[at] >= 0) {
        const int64_t *found = mesh->curve_end + 2 * (size_t)mesh->curve_place[at];
        if (found[0] == end[0] && found[1] == end[1]) {
            return at;
        }
        at = next_of(mesh, at);
    }
    return at;
}

const double *ew_mesh_curve(const ew_mesh *mesh, int64_t a, int64_t b)
{
    if (!mesh->n_curve) {
        return NULL;
    }
    const int64_t end[2] = {a < b ? a : b, a < b ? b : a};
    const int32_t place = mesh->curve_place[find(mesh, end)];
    return place < 0 ? NULL : mesh->curve + 3 * (size_t)place;
}

void ew_mesh_index_curves(ew_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->n_curve_place; i++) {
        mesh->curve_place[i] = -1;
    }
    for (int32_t i = 0; i < mesh->n_curve; i++) {
        mesh->curve_place[find(mesh, mesh->curve_end + 2 * (size_t)i)] = i;
    }
}

ew_status ew_mesh_reserve_curves(ew_mesh *mesh, int32_t n_more)
{
    const int64_t n = (int64_t)mesh->n_curve + n_more;
    EW_TRY(ew_grow(&mesh->curve_end, &mesh->curve_end_capacity, n, 2 * sizeof *mesh->curve_end));
    EW_TRY(ew_grow(&mesh->curve, &mesh->curve_capacity, n, 3 * sizeof *mesh->curve));
    int64_t n_place = mesh->n_curve_place ? mesh->n_curve_place : 8;
    while (n_place < 2 * n) {
        n_place *= 2;
    }
    if (n == 0 || n_place == mesh->n_curve_place) {
        return EW_OK;
    }
    int32_t *place;
    EW_TRY(ew_new(&place, (size_t)n_place, sizeof *place));
    ew_release(mesh->curve_place);
    mesh->curve_place = place;
    mesh->n_curve_place = (int32_t)n_place;
    ew_mesh_index_curves(mesh);
    return EW_OK;
}

void ew_mesh_put_curve(ew_mesh *mesh, const int64_t end[2], const double curve[3])
{
    const int32_t at = find(mesh, end);
    if (mesh->curve_place[at] < 0) {
        memcpy(mesh->curve_end + 2 * (size_t)mesh->n_curve, end, 2 * sizeof *end);
        mesh->curve_place[at] = mesh->n_curve++;
    }
    memcpy(mesh->curve + 3 * (size_t)mesh->curve_place[at], curve, 3 * sizeof *curve);
}

/* Sides behind a place that is free by now move up to it, unless that is before their home. */
static void free_place(ew_mesh *mesh, int32_t at)
{
    const int32_t mask = mesh->n_curve_place - 1;
    for (int32_t i = next_of(mesh, at); mesh->curve_place[i] >= 0; i = next_of(mesh, i)) {
        const int32_t home = home_of(mesh, mesh->curve_end + 2 * (size_t)mesh->curve_place[i]);
        if (((i - home) & mask) >= ((i - at) & mask)) {
            mesh->curve_place[at] = mesh->curve_place[i];
            at = i;
        }
    }
    mesh->curve_place[at] = -1;
}

/* The last of the list takes its place. */
void ew_mesh_drop_curve(ew_mesh *mesh, const int64_t end[2])
{
    const int32_t at = mesh->n_curve ? find(mesh, end) : -1;
    const int32_t place = at < 0 ? -1 : mesh->curve_place[at];
    if (place < 0) {
        return;
    }
    const size_t last = (size_t)mesh->n_curve - 1;
    free_place(mesh, at);
    if ((size_t)place != last) {
        mesh->curve_place[find(mesh, mesh->curve_end + 2 * last)] = place;
        memcpy(mesh->curve_end + 2 * (size_t)place, mesh->curve_end + 2 * last, 2 * sizeof *end);
        memcpy(mesh->curve + 3 * (size_t)place, mesh->curve + 3 * last, 3 * sizeof *mesh->curve);
    }
    mesh->n_curve--;
}

typedef struct listed {
    int64_t end[2];
    int32_t place;
} listed;

static int by_ends(const void *a, const void *b)
{
    const int64_t *x = ((const listed *)a)->end, *y = ((const listed *)b)->end;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

ew_status ew_mesh_sort_curves(const ew_mesh *mesh, int32_t *order)
{
    listed *list;
    const size_t n = (size_t)mesh->n_curve;
    EW_TRY(ew_new(&list, n, sizeof *list));
    for (size_t i = 0; i < n; i++) {
        memcpy(list[i].end, mesh->curve_end + 2 * i, sizeof list[i].end);
        list[i].place = (int32_t)i;
    }
    if (n) {
        qsort(list, n, sizeof *list, by_ends);
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = list[i].place;
    }
    ew_release(list);
    return EW_OK;
}
