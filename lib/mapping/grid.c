/* Tets by the cells of a box, and the tet that a point is bound to. In: a mesh. Out: for every cell
 * the tets whose boxes meet it; for a point the tet that the rule of mapping.h takes of all there
 * are: those of its cell first, then cell by cell outwards. */
#include "mapping/place.h"

#include <math.h>
#include <string.h>

/* Cells that a box meets; slack, so that what counts as inside by rounding is there. */
static void cells_of(const ew_grid *grid, const double low[3], const double high[3],
                     int32_t from[3], int32_t to[3])
{
    for (int c = 0; c < 3; c++) {
        const double last = grid->size[c] - 1;
        const double a = floor((low[c] - grid->low[c]) / grid->cell);
        const double b = floor((high[c] - grid->low[c]) / grid->cell);
        from[c] = (int32_t)fmin(fmax(a, 0.0), last);
        to[c] = (int32_t)fmin(fmax(b, 0.0), last);
    }
}

static void find_box(const ew_mesh *mesh, int32_t t, double low[3], double high[3])
{
    double corner[12];
    ew_mesh_tet_values(mesh, t, mesh->xyz, corner);
    for (int c = 0; c < 3; c++) {
        low[c] = fmin(fmin(corner[c], corner[3 + c]), fmin(corner[6 + c], corner[9 + c]));
        high[c] = fmax(fmax(corner[c], corner[3 + c]), fmax(corner[6 + c], corner[9 + c]));
    }
    double slack = 0.0;
    for (int c = 0; c < 3; c++) {
        slack = fmax(slack, 1e-8 * (high[c] - low[c]));
    }
    for (int c = 0; c < 3; c++) {
        low[c] -= slack;
        high[c] += slack;
    }
}

static size_t cell_at(const ew_grid *grid, int32_t x, int32_t y, int32_t z)
{
    return (size_t)x + (size_t)grid->size[0] * ((size_t)y + (size_t)grid->size[1] * (size_t)z);
}

/* ---- construction ------------------------------------------------------------ */

static void measure_box(ew_grid *grid, const ew_mesh *mesh)
{
    for (int c = 0; c < 3; c++) {
        grid->low[c] = INFINITY;
        grid->high[c] = -INFINITY;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            const double x = mesh->xyz[3 * (size_t)v + (size_t)c];
            grid->low[c] = fmin(grid->low[c], x);
            grid->high[c] = fmax(grid->high[c], x);
        }
    }
}

static void set_cell(ew_grid *grid, double cell)
{
    grid->cell = cell;
    for (int c = 0; c < 3; c++) {
        grid->size[c] = (int32_t)floor((grid->high[c] - grid->low[c]) / cell) + 1;
    }
}

static double count_cells(const ew_grid *grid)
{
    return (double)grid->size[0] * grid->size[1] * grid->size[2];
}

static int64_t count_entries(const ew_grid *grid, const ew_mesh *mesh, int64_t stop)
{
    int64_t n = 0;
    for (int32_t t = 0; t < mesh->n_tet && n <= stop; t++) {
        const double *box = grid->box + 6 * (size_t)t;
        int32_t from[3], to[3];
        if (ew_mesh_tet_is_live(mesh, t)) {
            cells_of(grid, box, box + 3, from, to);
            n += (int64_t)(to[0] - from[0] + 1) * (to[1] - from[1] + 1) * (to[2] - from[2] + 1);
        }
    }
    return n;
}

/* Cells of about a tet's size, larger where that takes too much memory. */
static int64_t choose_cell(ew_grid *grid, const ew_mesh *mesh)
{
    const double n = mesh->n_live_tet;
    const int64_t stop = 16 * (int64_t)mesh->n_live_tet + 64;
    double longest = 0.0, volume = 1.0;
    for (int c = 0; c < 3; c++) {
        longest = fmax(longest, grid->high[c] - grid->low[c]);
    }
    for (int c = 0; c < 3; c++) {
        volume *= fmax(grid->high[c] - grid->low[c], 1e-3 * longest);
    }
    double cell = fmax(cbrt(volume / n), 1e-3 * longest);
    for (;; cell *= 1.5) {
        set_cell(grid, cell);
        if (count_cells(grid) <= 4.0 * n + 64.0) {
            const int64_t entries = count_entries(grid, mesh, stop);
            if (entries <= stop || cell > longest) {
                return entries;
            }
        }
    }
}

/* fill: the entries; else their number, in begin[cell + 1]. */
static void visit_tets(ew_grid *grid, const ew_mesh *mesh, bool fill)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double *box = grid->box + 6 * (size_t)t;
        int32_t from[3], to[3];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        cells_of(grid, box, box + 3, from, to);
        for (int32_t z = from[2]; z <= to[2]; z++) {
            for (int32_t y = from[1]; y <= to[1]; y++) {
                for (int32_t x = from[0]; x <= to[0]; x++) {
                    int32_t *at = &grid->begin[cell_at(grid, x, y, z)];
                    if (fill) {
                        grid->tet[(*at)++] = t;
                    } else {
                        at[1]++;
                    }
                }
            }
        }
    }
}

ew_status ew_grid_build(ew_grid *grid, const ew_mesh *mesh)
{
    memset(grid, 0, sizeof *grid);
    if (mesh->n_live_tet == 0) {
        return ew_fail(EW_BAD_INPUT, "a surface cannot be bound to a mesh without tets");
    }
    EW_TRY(ew_new(&grid->box, 6 * (size_t)mesh->n_tet, sizeof *grid->box));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            find_box(mesh, t, grid->box + 6 * (size_t)t, grid->box + 6 * (size_t)t + 3);
        }
    }
    measure_box(grid, mesh);
    const int64_t n_entry = choose_cell(grid, mesh);
    const size_t n_cell = (size_t)count_cells(grid);
    ew_status status =
        n_entry <= INT32_MAX
            ? ew_new_zero(&grid->begin, n_cell + 1, sizeof *grid->begin)
            : ew_fail(EW_LIMIT, "a surface cannot be bound to a mesh of %d tets", mesh->n_live_tet);
    if (!status) {
        status = ew_new(&grid->tet, (size_t)n_entry, sizeof *grid->tet);
    }
    if (status) {
        ew_grid_free(grid);
        return status;
    }
    visit_tets(grid, mesh, false);
    for (size_t i = 0; i < n_cell; i++) {
        grid->begin[i + 1] += grid->begin[i];
    }
    visit_tets(grid, mesh, true);
    for (size_t i = n_cell; i > 0; i--) { /* each is at the end of its cell now */
        grid->begin[i] = grid->begin[i - 1];
    }
    grid->begin[0] = 0;
    return EW_OK;
}

void ew_grid_free(ew_grid *grid)
{
    ew_release(grid->begin);
    ew_release(grid->tet);
    ew_release(grid->box);
    memset(grid, 0, sizeof *grid);
}

/* ---- search -------------------------------------------------------------------- */

/* Squared distance of a point from the box of a tet. */
static double to_box(const ew_grid *grid, int32_t t, const double x[3])
{
    const double *box = grid->box + 6 * (size_t)t;
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        const double d = fmax(fmax(box[c] - x[c], x[c] - box[3 + c]), 0.0);
        square += d * d;
    }
    return square;
}

static double nearest_of_cell(const ew_grid *grid, const ew_mesh *mesh, size_t cell,
                              const double x[3], double best)
{
    for (int32_t i = grid->begin[cell]; i < grid->begin[cell + 1]; i++) {
        ew_place at;
        if (to_box(grid, grid->tet[i], x) < best * best) {
            ew_place_in(mesh, grid->tet[i], x, &at);
            best = fmin(best, at.distance);
        }
    }
    return best;
}

/* Whether a cell is farther from a point than `best`. Its tets may be nearer, but the parts of them
 * that are lie in other cells. The last cells go on without end: x may be beyond them. */
static bool is_far(const ew_grid *grid, const int32_t at[3], const double x[3], double best)
{
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        const double low = grid->low[c] + grid->cell * at[c], high = low + grid->cell;
        const double d =
            fmax(at[c] > 0 ? low - x[c] : 0.0, at[c] < grid->size[c] - 1 ? x[c] - high : 0.0);
        square += d > 0.0 ? d * d : 0.0;
    }
    return square > best * best * (1.0 + 1e-9);
}

/* The cells at distance k (the largest of the three) from `center` that there are. */
static double nearest_of_ring(const ew_grid *grid, const ew_mesh *mesh, const int32_t center[3],
                              int32_t k, const double x[3], double best)
{
    int32_t from[3], to[3];
    for (int c = 0; c < 3; c++) {
        from[c] = center[c] - k > 0 ? center[c] - k : 0;
        to[c] = center[c] + k < grid->size[c] ? center[c] + k : grid->size[c] - 1;
    }
    for (int32_t iz = from[2]; iz <= to[2]; iz++) {
        for (int32_t iy = from[1]; iy <= to[1]; iy++) {
            const bool is_shell = iz == center[2] - k || iz == center[2] + k ||
                                  iy == center[1] - k || iy == center[1] + k;
            const int32_t step = is_shell || k == 0 ? 1 : 2 * k;
            for (int32_t ix = is_shell ? from[0] : center[0] - k; ix <= to[0]; ix += step) {
                const int32_t at[3] = {ix, iy, iz};
                if (ix >= 0 && !is_far(grid, at, x, best)) {
                    best = nearest_of_cell(grid, mesh, cell_at(grid, ix, iy, iz), x, best);
                }
            }
        }
    }
    return best;
}

/* Distance of the nearest tet. What lies k cells away is at least k - 1 of them from the point of
 * the box that is nearest to x, at right angles or more to the way from x to there. */
static double find_distance(const ew_grid *grid, const ew_mesh *mesh, const double x[3])
{
    int32_t center[3], dummy[3];
    double outside = 0.0, best = INFINITY;
    cells_of(grid, x, x, center, dummy);
    for (int c = 0; c < 3; c++) {
        const double d = fmax(fmax(grid->low[c] - x[c], x[c] - grid->high[c]), 0.0);
        outside += d * d;
    }
    const int32_t last = grid->size[0] + grid->size[1] + grid->size[2];
    for (int32_t k = 0; k < last; k++) {
        const double past = (k > 1 ? k - 1 : 0) * grid->cell;
        if (sqrt(outside + past * past) > best) {
            break;
        }
        best = nearest_of_ring(grid, mesh, center, k, x, best);
    }
    return best;
}

ew_status ew_grid_find(const ew_grid *grid, const ew_mesh *mesh, const double x[3], ew_list *work,
                       ew_place *place)
{
    int32_t from[3], to[3];
    double low[3], high[3];
    cells_of(grid, x, x, from, to);
    const size_t cell = cell_at(grid, from[0], from[1], from[2]);
    if (ew_place_inside(mesh, grid->tet + grid->begin[cell],
                        grid->begin[cell + 1] - grid->begin[cell], x, place)) {
        return EW_OK;
    }
    const double reach = find_distance(grid, mesh, x) * (1.0 + 1e-8);
    for (int c = 0; c < 3; c++) {
        low[c] = x[c] - reach;
        high[c] = x[c] + reach;
    }
    cells_of(grid, low, high, from, to);
    work->n = 0;
    for (int32_t iz = from[2]; iz <= to[2]; iz++) {
        for (int32_t iy = from[1]; iy <= to[1]; iy++) {
            for (int32_t ix = from[0]; ix <= to[0]; ix++) {
                const size_t at = cell_at(grid, ix, iy, iz);
                for (int32_t i = grid->begin[at]; i < grid->begin[at + 1]; i++) {
                    if (to_box(grid, grid->tet[i], x) <= reach * reach) {
                        EW_TRY(ew_list_push(work, grid->tet[i]));
                    }
                }
            }
        }
    }
    ew_place_choose(mesh, work->id, work->n, x, place);
    return EW_OK;
}
