/* The filter of sensitivities. In: the vertices at the start, a radius R. Out: for each the
 * vertices within R of it, itself among them, with weights 1 - r / R (Huang & Xie 2007, eqs. 5 and
 * 6, who take them from the centers of elements; of tets there are five times as many as of
 * vertices, and a tet takes the mean of its corners here). */
#include "internal.h"

#include <math.h>
#include <string.h>

/* Numbers of weights that no machine of today wants to keep: 3 GB. */
#define MAX_WEIGHTS ((size_t)1 << 28)
/* Cells in a direction. */
enum { MAX_CELLS = 128 };

/* Vertices by the cells of a regular grid, no smaller than the radius. */
typedef struct cell_grid {
    const ew_mesh *mesh;
    double low[3], size[3]; /* of a cell */
    int32_t count[3];
    int32_t *begin;  /* [cells + 1] owned */
    int32_t *vertex; /* owned, ascending in each cell */
} cell_grid;

static int32_t cell_along(const cell_grid *grid, int c, double x)
{
    const double k = grid->size[c] > 0.0 ? floor((x - grid->low[c]) / grid->size[c]) : 0.0;
    return k < 0.0 ? 0 : k >= grid->count[c] ? grid->count[c] - 1 : (int32_t)k;
}

static int32_t cell_of(const cell_grid *grid, const double *x)
{
    return (cell_along(grid, 2, x[2]) * grid->count[1] + cell_along(grid, 1, x[1])) *
               grid->count[0] +
           cell_along(grid, 0, x[0]);
}

static void lay_out(cell_grid *grid, const ew_mesh *mesh, double radius)
{
    ew_mesh_measure measure;
    ew_mesh_take_measure(mesh, &measure);
    grid->mesh = mesh;
    for (int c = 0; c < 3; c++) {
        const double width = measure.high[c] - measure.low[c];
        const double n = floor(width / radius);
        grid->low[c] = measure.low[c];
        grid->count[c] = n < 1.0 ? 1 : n > MAX_CELLS ? MAX_CELLS : (int32_t)n;
        grid->size[c] = width / grid->count[c];
    }
}

static ew_status grid_init(cell_grid *grid, const ew_mesh *mesh, double radius)
{
    lay_out(grid, mesh, radius);
    const int32_t n_cell = grid->count[0] * grid->count[1] * grid->count[2];
    EW_TRY(ew_new_zero(&grid->begin, (size_t)n_cell + 2, sizeof *grid->begin));
    EW_TRY(ew_new(&grid->vertex, (size_t)mesh->n_active_vertex, sizeof *grid->vertex));
    int32_t *end = grid->begin + 1; /* of each cell, once it is filled */
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            end[cell_of(grid, mesh->xyz + 3 * (size_t)v) + 1]++;
        }
    }
    for (int32_t k = 0; k < n_cell; k++) {
        end[k + 1] += end[k];
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            grid->vertex[end[cell_of(grid, mesh->xyz + 3 * (size_t)v)]++] = v;
        }
    }
    return EW_OK;
}

static void grid_free(cell_grid *grid)
{
    ew_release(grid->begin);
    ew_release(grid->vertex);
}

/* The vertices nearer to `at` than the radius, and 1 - r / R, into arrays that have room, or are
 * null: how many they are. Beyond `most` the rest is not counted. */
static size_t list_near(const cell_grid *grid, const double at[3], double radius, size_t most,
                        int32_t *vertex, double *weight)
{
    int32_t low[3], high[3];
    size_t n = 0;
    for (int c = 0; c < 3; c++) {
        low[c] = cell_along(grid, c, at[c] - radius);
        high[c] = cell_along(grid, c, at[c] + radius);
    }
    for (int32_t z = low[2]; z <= high[2]; z++) {
        for (int32_t y = low[1]; y <= high[1]; y++) {
            const int32_t row = (z * grid->count[1] + y) * grid->count[0];
            for (int32_t i = grid->begin[row + low[0]];
                 i < grid->begin[row + high[0] + 1] && n <= most; i++) {
                const double *x = grid->mesh->xyz + 3 * (size_t)grid->vertex[i];
                const double d[3] = {x[0] - at[0], x[1] - at[1], x[2] - at[2]};
                const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                if (r < radius && vertex) {
                    vertex[n] = grid->vertex[i];
                    weight[n] = 1.0 - r / radius;
                }
                n += r < radius;
            }
        }
    }
    return n;
}

static ew_status count_rows(removal_filter *filter, const cell_grid *grid, double radius)
{
    const ew_mesh *mesh = grid->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *at = mesh->xyz + 3 * (size_t)v;
        const size_t room = MAX_WEIGHTS - filter->begin[v];
        const bool is_active = ew_mesh_vertex_is_active(mesh, v);
        const size_t n = is_active ? list_near(grid, at, radius, room, NULL, NULL) : 0;
        if (n > room) {
            return ew_fail(EW_LIMIT,
                           "removal: a radius of %g takes in too many vertices around each of %d; "
                           "choose a smaller one",
                           radius, mesh->n_active_vertex);
        }
        filter->begin[v + 1] = filter->begin[v] + n;
    }
    return EW_OK;
}

static void fill_row(const removal_filter *filter, const cell_grid *grid, double radius, int32_t v)
{
    const size_t first = filter->begin[v], n = filter->begin[v + 1] - first;
    double sum = 0.0;
    if (n) {
        list_near(grid, grid->mesh->xyz + 3 * (size_t)v, radius, n, filter->vertex + first,
                  filter->weight + first);
    }
    for (size_t i = first; i < first + n; i++) {
        sum += filter->weight[i];
    }
    for (size_t i = first; i < first + n; i++) {
        filter->weight[i] /= sum;
    }
}

static ew_status fill(removal_filter *filter, const cell_grid *grid, double radius)
{
    const int32_t n_vertex = grid->mesh->n_vertex;
    EW_TRY(ew_new_zero(&filter->begin, (size_t)n_vertex + 1, sizeof *filter->begin));
    EW_TRY(count_rows(filter, grid, radius));
    const size_t n = filter->begin[n_vertex];
    EW_TRY(ew_new(&filter->vertex, n, sizeof *filter->vertex));
    EW_TRY(ew_new(&filter->weight, n, sizeof *filter->weight));
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < n_vertex; v++) {
        fill_row(filter, grid, radius, v);
    }
    return EW_OK;
}

ew_status removal_filter_init(removal_filter *filter, const ew_mesh *mesh, double radius)
{
    cell_grid grid = {0};
    ew_status status = grid_init(&grid, mesh, radius);
    if (!status) {
        status = fill(filter, &grid, radius);
    }
    grid_free(&grid);
    return status;
}

void removal_filter_free(removal_filter *filter)
{
    ew_release(filter->begin);
    ew_release(filter->vertex);
    ew_release(filter->weight);
    memset(filter, 0, sizeof *filter);
}

double removal_mean_edge(const ew_mesh *mesh, const ew_topology *topology)
{
    const ew_pattern *edges = &topology->pattern;
    double sum = 0.0;
    for (int32_t e = 0; e < edges->n_pair; e++) {
        const int32_t *end = edges->pair_row + 2 * (size_t)e;
        if (end[0] >= 0) {
            const double *a = mesh->xyz + 3 * (size_t)end[0], *b = mesh->xyz + 3 * (size_t)end[1];
            sum += hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
        }
    }
    return edges->n_live_pair ? sum / edges->n_live_pair : 0.0;
}
