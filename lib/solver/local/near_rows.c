/* Products of few rows, row by row from stored blocks, and of rows of edges from the tets around
 * them. By one thread, in a fixed order. */
#include "solver/local/near_rows.h"

#include <string.h>

void ew_add_block_product(const double *block, bool transposed, const double *v, double *to)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            to[i] += block[transposed ? 3 * j + i : 3 * i + j] * v[j];
        }
    }
}

void ew_multiply_row(const ew_operator *op, int32_t row, const double *x, double product[3])
{
    int32_t count;
    memset(product, 0, 3 * sizeof *product);
    if (row >= op->pattern->n_row) {
        return;
    }
    const int32_t *item = ew_pattern_items(op->pattern, row, &count);
    ew_add_block_product(op->matrix->diagonal + 9 * (size_t)row, false, x + 3 * (size_t)row,
                         product);
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k];
        ew_add_block_product(op->matrix->pair + 9 * (size_t)item[2 * k + 1], row > other,
                             x + 3 * (size_t)other, product);
    }
}

const double *ew_diagonal_of_row(const ew_operator *op, int32_t row)
{
    const double *diagonal = op->matrix->diagonal;
    const int32_t n_stored = op->pattern->n_row;
    int32_t n;
    uint64_t revision;
    if (row >= n_stored) {
        op->edges->state(op->edges->user, &n, &diagonal, &revision);
        row -= n_stored;
    }
    return diagonal + 9 * (size_t)row;
}

bool ew_has_near_rows(const ew_operator *op)
{
    const ew_edge_operator *edges = op->edges;
    return op->matrix && !op->device_matrix && op->matrix->block == 3 &&
           !op->matrix->diagonal_only && op->matrix->revision == op->pattern->revision &&
           (!edges || (edges->has_near && edges->has_near(edges->user)));
}

/* ---- room -------------------------------------------------------------------- */

static ew_status reserve(double **value, int32_t had, int32_t n, int32_t *capacity)
{
    *capacity = had;
    EW_TRY(ew_grow(value, capacity, n, 3 * sizeof **value));
    memset(*value + 3 * (size_t)had, 0, 3 * (size_t)(*capacity - had) * sizeof **value);
    return EW_OK;
}

ew_status ew_near_rows_note_oblique(ew_near_rows *near, const ew_system *system)
{
    if (!system->oblique || !system->oblique->n) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&near->oblique, &near->oblique_capacity, ew_operator_n_row(system->op),
                   sizeof *near->oblique));
    for (int32_t k = 0; k < system->oblique->n; k++) {
        near->oblique[system->oblique->row[k]] = k;
    }
    return EW_OK;
}

ew_status ew_near_rows_open(ew_near_rows *near, const ew_system *system, const ew_list *row)
{
    const ew_edge_operator *edges = system->op->edges;
    const int32_t had = near->x_capacity, n_row = ew_operator_n_row(system->op);
    EW_TRY(ew_near_rows_note_oblique(near, system));
    near->row.n = 0;
    if (!edges) {
        return EW_OK;
    }
    int32_t capacity[3];
    EW_TRY(reserve(&near->y[0], had, n_row, &capacity[0]));
    EW_TRY(reserve(&near->y[1], had, n_row, &capacity[1]));
    EW_TRY(reserve(&near->x, had, n_row, &capacity[2]));
    near->x_capacity = capacity[2];
    return edges->list_near(edges->user, row, &near->row);
}

void ew_near_rows_close(ew_near_rows *near)
{
    for (int32_t i = 0; i < near->row.n; i++) {
        const size_t at = 3 * (size_t)near->row.id[i];
        memset(near->x + at, 0, 3 * sizeof *near->x);
        memset(near->y[0] + at, 0, 3 * sizeof *near->x);
        memset(near->y[1] + at, 0, 3 * sizeof *near->x);
    }
    near->row.n = 0;
}

void ew_near_rows_free(ew_near_rows *near)
{
    ew_list_free(&near->row);
    ew_release(near->x);
    ew_release(near->y[0]);
    ew_release(near->y[1]);
    ew_release(near->oblique);
    *near = (ew_near_rows){0};
}

/* ---- use --------------------------------------------------------------------- */

void ew_near_rows_multiply(ew_near_rows *near, const ew_operator *op, int k, const double *v)
{
    for (int32_t i = 0; i < near->row.n; i++) {
        memset(near->y[k] + 3 * (size_t)near->row.id[i], 0, 3 * sizeof *near->y[k]);
    }
    if (op->edges) {
        op->edges->add_near_product(op->edges->user, v, near->y[k]);
    }
}

void ew_near_rows_filter(const ew_near_rows *near, const ew_system *system, int32_t row,
                         double v[3], double *part)
{
    const uint8_t fixed = system->fixed[row];
    const double before[3] = {v[0], v[1], v[2]};
    for (int c = 0; c < 3; c++) {
        v[c] = fixed >> c & 1 ? 0.0 : v[c];
    }
    if (fixed & EW_OBLIQUE && fixed != 7) {
        ew_oblique_project(system->oblique, near->oblique[row], v);
    }
    for (int c = 0; part && c < 3; c++) {
        part[c] = before[c] - v[c];
    }
}
