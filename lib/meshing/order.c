/* Orders rows for locality. In: a mesh. Out: a new place for each vertex, such that neighbors are
 * near each other in memory: the vertices along a Hilbert curve through the cube around them (of
 * equal sides, so that the curve is compact whatever the shape of the body), vertices of one cell
 * in the order of their slots. O(n): positions alone are read, no table is needed.
 *
 * With the study dragon cut in 16 equal stretches of rows, 89 % of its edges stay inside one (93 %
 * with parts by METIS, 63 % in Cuthill-McKee order, 41 % as TetGen left them). Products are as fast
 * as with METIS' parts, which take a hundred times as long. */
#include "meshing/parts/meshing.h"

#include <math.h>
#include <string.h>

enum { BITS = 20, DIGIT = 12, N_DIGIT = 1 << DIGIT, N_PASS = 3 * BITS / DIGIT };

typedef struct entry {
    uint64_t key;
    int32_t vertex;
} entry;

/* ---- the curve -------------------------------------------------------------- */

/* The place of a cell along the curve (Skilling 2004, "Programming the Hilbert curve", AIP Conf.
 * Proc. 707: AxestoTranspose, then the bits of the axes interleaved). */
static uint64_t place_on_curve(uint32_t x[3])
{
    for (uint32_t bit = 1U << (BITS - 1); bit > 1; bit >>= 1) {
        const uint32_t low = bit - 1;
        for (int i = 0; i < 3; i++) {
            const uint32_t swap = x[i] & bit ? 0 : (x[0] ^ x[i]) & low;
            x[0] ^= x[i] & bit ? low : swap;
            x[i] ^= swap;
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t flip = 0;
    for (uint32_t bit = 1U << (BITS - 1); bit > 1; bit >>= 1) {
        flip ^= x[2] & bit ? bit - 1 : 0;
    }
    uint64_t key = 0;
    for (int bit = BITS - 1; bit >= 0; bit--) {
        for (int i = 0; i < 3; i++) {
            key = key << 1 | ((x[i] ^ flip) >> bit & 1U);
        }
    }
    return key;
}

/* The cube around the vertices: its lowest corner, and cells per length. */
typedef struct cube {
    double low[3], scale;
} cube;

static cube cube_around(const ew_mesh *mesh)
{
    cube grid = {{INFINITY, INFINITY, INFINITY}, 0.0};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (size_t c = 0; c < 3 && mesh->valence[v] > 0; c++) {
            grid.low[c] = fmin(grid.low[c], mesh->xyz[3 * (size_t)v + c]);
            high[c] = fmax(high[c], mesh->xyz[3 * (size_t)v + c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        side = fmax(side, high[c] - grid.low[c]);
    }
    grid.scale = side > 0.0 ? (1 << BITS) / side : 0.0;
    return grid;
}

static uint64_t key_of(const cube *grid, const double *xyz)
{
    uint32_t cell[3];
    for (int c = 0; c < 3; c++) {
        const double last = (1 << BITS) - 1, at = (xyz[c] - grid->low[c]) * grid->scale;
        cell[c] = at < last ? (uint32_t)at : (uint32_t)last;
    }
    return place_on_curve(cell);
}

/* ---- the order -------------------------------------------------------------- */

/* By ascending key, equal ones as they were: a pass for each digit from the lowest on. The digits
 * of all passes are counted at once. */
static void sort_entries(entry *list, entry *other, int32_t n, int32_t (*count)[N_DIGIT])
{
    for (int32_t i = 0; i < n; i++) {
        for (int pass = 0; pass < N_PASS; pass++) {
            count[pass][list[i].key >> (pass * DIGIT) & (N_DIGIT - 1)]++;
        }
    }
    for (int pass = 0; pass < N_PASS; pass++) {
        int32_t begin = 0;
        for (int32_t digit = 0; digit < N_DIGIT; digit++) {
            const int32_t end = begin + count[pass][digit];
            count[pass][digit] = begin;
            begin = end;
        }
        for (int32_t i = 0; i < n; i++) {
            other[count[pass][list[i].key >> (pass * DIGIT) & (N_DIGIT - 1)]++] = list[i];
        }
        entry *sorted = other;
        other = list;
        list = sorted;
    }
}

/* list: [n_active_vertex], in the order of slots. */
static void list_vertices(const ew_mesh *mesh, entry *list)
{
    const cube grid = cube_around(mesh);
    int32_t n = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > 0) {
            list[n++].vertex = v;
        }
    }
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < n; i++) {
        list[i].key = key_of(&grid, mesh->xyz + 3 * (size_t)list[i].vertex);
    }
}

ew_status ew_order_for_locality(const ew_mesh *mesh, int32_t *order)
{
    const int32_t n = mesh->n_active_vertex;
    entry *list = NULL, *other = NULL;
    int32_t(*count)[N_DIGIT] = NULL, next = n;
    ew_status status;
    EW_TRY_OUT(ew_new(&list, (size_t)n, sizeof *list));
    EW_TRY_OUT(ew_new(&other, (size_t)n, sizeof *other));
    EW_TRY_OUT(ew_new_zero(&count, N_PASS, sizeof *count));
    list_vertices(mesh, list);
    sort_entries(list, other, n, count);
    const entry *sorted = N_PASS % 2 ? other : list;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        order[v] = mesh->valence[v] == 0 ? next++ : -1;
    }
    for (int32_t i = 0; i < n; i++) {
        order[sorted[i].vertex] = i;
    }
out:
    ew_release(list);
    ew_release(other);
    ew_release(count);
    return status;
}
