/* The correction around changed rows: a few steps of conjugate gradients with block Jacobi on the
 * rows within some steps of them. By one thread, in a fixed order. */
#include "solver/local/local_correction.h"
#include "solver/krylov/pcg.h"

#include <math.h>
#include <string.h>

/* Before iterations. Steps from pair to pair around a changed row: with fewer rings, more
 * iterations are left; with eight in place of four, one less. The residual of these rows is reduced
 * to a hundredth: what is left to their surroundings is more than that. */
static const ew_local_limits before_iterations = {
    .rings = 4, .share = 16, .max_rows = INT32_MAX, .gain = 1e-2, .max_steps = 40};

/* Of the k-th row. */
enum { CORRECTION = 0, RESIDUAL = 3, DIRECTION = 6, PRODUCT = 9, ANSWER = 12, INVERSE = 15 };
enum { ROOM = 24 };

static double *part(const ew_local_correction *near, int32_t k, int which)
{
    return near->vector + ROOM * (size_t)k + which;
}

ew_status ew_local_correction_add(ew_local_correction *near, const ew_list *row)
{
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_set_add(&near->changed, row->id[i]));
    }
    return EW_OK;
}

ew_status ew_local_correction_add_edges(ew_local_correction *near, const ew_list *row)
{
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_set_add(&near->edge, row->id[i]));
    }
    return EW_OK;
}

ew_status ew_local_correction_take_edges(ew_local_correction *near, const ew_operator *op)
{
    const int32_t n_stored = op->pattern->n_row, n_row = ew_operator_n_row(op);
    for (int32_t i = 0; i < near->edge.list.n; i++) {
        const int32_t row = n_stored + near->edge.list.id[i];
        EW_TRY(row < n_row ? ew_set_add(&near->changed, row) : EW_OK);
    }
    ew_set_clear(&near->edge);
    return EW_OK;
}

/* ---- rows -------------------------------------------------------------- */

/* Rows that are fixed stay as they are. */
static ew_status add_row(ew_local_correction *near, const ew_system *system, int32_t row)
{
    const ew_pattern *pattern = system->op->pattern;
    if (near->place[row] || system->fixed[row] == 7 ||
        (row < pattern->n_row && pattern->row_to_pair.count[row] == 0)) {
        return EW_OK;
    }
    EW_TRY(ew_list_push(&near->row, row));
    near->place[row] = near->row.n;
    return EW_OK;
}

static void drop_rows(ew_local_correction *near, int32_t n)
{
    while (near->row.n > n) {
        near->place[near->row.id[--near->row.n]] = 0;
    }
}

/* Rows of the tets around rows [begin, end). */
static ew_status list_near(ew_local_correction *near, const ew_system *system, int32_t begin,
                           int32_t end)
{
    const ew_edge_operator *edges = system->op->edges;
    const ew_list some = {.n = end - begin, .id = near->row.id + begin};
    return edges->list_near(edges->user, &some, &near->near.row);
}

/* The next ring around rows from `begin` on; none where they would be too many. */
static ew_status add_ring(ew_local_correction *near, const ew_system *system, int32_t begin,
                          int32_t most)
{
    const int32_t end = near->row.n, n_stored = system->op->pattern->n_row;
    for (int32_t i = begin; i < end && near->row.n <= most; i++) {
        int32_t count = 0;
        const int32_t *item = near->row.id[i] < n_stored
                                  ? ew_pattern_items(system->op->pattern, near->row.id[i], &count)
                                  : NULL;
        for (int32_t k = 0; k < count; k++) {
            EW_TRY(add_row(near, system, item[2 * k]));
        }
    }
    EW_TRY(system->op->edges ? list_near(near, system, begin, end) : EW_OK);
    for (int32_t i = 0; i < near->near.row.n && near->row.n <= most; i++) {
        EW_TRY(add_row(near, system, near->near.row.id[i]));
    }
    if (near->row.n > most) {
        drop_rows(near, end);
    }
    return EW_OK;
}

static ew_status find_rows(ew_local_correction *near, const ew_system *system,
                           const ew_local_limits *limits)
{
    const int32_t n_row = ew_operator_n_row(system->op);
    const int32_t share = n_row / limits->share;
    const int32_t most = share < limits->max_rows ? share : limits->max_rows;
    const int32_t before = near->place_capacity;
    EW_TRY(ew_grow(&near->place, &near->place_capacity, n_row, sizeof *near->place));
    memset(near->place + before, 0, (size_t)(near->place_capacity - before) * sizeof *near->place);
    ew_list_sort(&near->changed.list);
    for (int32_t i = 0; i < near->changed.list.n && i <= most; i++) {
        EW_TRY(add_row(near, system, near->changed.list.id[i]));
    }
    if (near->changed.list.n > most) {
        drop_rows(near, 0);
    }
    int ring = 0;
    for (int32_t begin = 0; ring < limits->rings && begin < near->row.n; ring++) {
        const int32_t next = near->row.n;
        EW_TRY(add_ring(near, system, begin, most));
        begin = next;
        if (near->row.n == next) {
            break;
        }
    }
    if (ring < limits->min_rings) {
        drop_rows(near, 0);
    }
    return ew_grow(&near->vector, &near->capacity, near->row.n, ROOM * sizeof *near->vector);
}

/* ---- the system of these rows ---------------------------------------------- */

/* Residuals of x. *moved: x is not zero all over. */
static void find_residual(ew_local_correction *near, const ew_system *system, const double *x,
                          bool *moved)
{
    *moved = false;
    ew_near_rows_multiply(&near->near, system->op, 0, x);
    for (int32_t k = 0; k < near->row.n; k++) {
        const size_t at = 3 * (size_t)near->row.id[k];
        double sum[3], *r = part(near, k, RESIDUAL);
        ew_multiply_row(system->op, near->row.id[k], x, sum);
        for (size_t c = 0; c < 3; c++) {
            r[c] =
                system->b[at + c] - (system->op->edges ? sum[c] + near->near.y[0][at + c] : sum[c]);
            *moved = *moved || x[at + c] != 0.0;
        }
        ew_near_rows_filter(&near->near, system, near->row.id[k], r, NULL);
    }
}

/* product += what rows of edges add. */
static void multiply_edges(ew_local_correction *near, const ew_system *system)
{
    double *v = near->near.x;
    for (int32_t k = 0; k < near->row.n; k++) {
        memcpy(v + 3 * (size_t)near->row.id[k], part(near, k, DIRECTION), 3 * sizeof *v);
    }
    ew_near_rows_multiply(&near->near, system->op, 0, v);
    for (int32_t k = 0; k < near->row.n; k++) {
        for (int c = 0; c < 3; c++) {
            part(near, k, PRODUCT)[c] += near->near.y[0][3 * (size_t)near->row.id[k] + (size_t)c];
        }
        memset(v + 3 * (size_t)near->row.id[k], 0, 3 * sizeof *v);
    }
}

/* product = S K direction */
static void multiply(ew_local_correction *near, const ew_system *system)
{
    const ew_matrix *matrix = system->op->matrix;
    const ew_pattern *pattern = system->op->pattern;
    for (int32_t k = 0; k < near->row.n; k++) {
        double *q = part(near, k, PRODUCT);
        memset(q, 0, 3 * sizeof *q);
        if (near->row.id[k] < pattern->n_row) {
            ew_add_block_product(matrix->diagonal + 9 * (size_t)near->row.id[k], false,
                                 part(near, k, DIRECTION), q);
        }
    }
    for (int32_t k = 0; k < near->row.n; k++) {
        const int32_t a = near->row.id[k];
        int32_t count = 0;
        const int32_t *item = a < pattern->n_row ? ew_pattern_items(pattern, a, &count) : NULL;
        for (int32_t i = item ? pattern->n_lower[a] : 0; i < count; i++) { /* once, for both rows */
            const int32_t other = near->place[item[2 * i]] - 1;
            const double *block = matrix->pair + 9 * (size_t)item[2 * i + 1];
            if (other >= 0) {
                ew_add_block_product(block, false, part(near, other, DIRECTION),
                                     part(near, k, PRODUCT));
                ew_add_block_product(block, true, part(near, k, DIRECTION),
                                     part(near, other, PRODUCT));
            }
        }
    }
    if (system->op->edges) {
        multiply_edges(near, system);
    }
    for (int32_t k = 0; k < near->row.n; k++) {
        ew_near_rows_filter(&near->near, system, near->row.id[k], part(near, k, PRODUCT), NULL);
    }
}

static double dot(const ew_local_correction *near, int a, int b)
{
    double sum = 0.0;
    for (int32_t k = 0; k < near->row.n; k++) {
        const double *v = part(near, k, a), *w = part(near, k, b);
        sum += v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
    }
    return sum;
}

/* v += factor w */
static void add(const ew_local_correction *near, int v, double factor, int w)
{
    for (int32_t k = 0; k < near->row.n; k++) {
        double *to = part(near, k, v);
        const double *from = part(near, k, w);
        for (int c = 0; c < 3; c++) {
            to[c] += factor * from[c];
        }
    }
}

/* Answer = D^-1 residual; direction = answer + beta direction. */
static void turn(const ew_local_correction *near, const ew_system *system, double *rz,
                 bool is_first)
{
    const double before = *rz;
    for (int32_t k = 0; k < near->row.n; k++) {
        ew_multiply_row_inverse(part(near, k, INVERSE), part(near, k, RESIDUAL),
                                part(near, k, ANSWER));
        ew_near_rows_filter(&near->near, system, near->row.id[k], part(near, k, ANSWER), NULL);
    }
    *rz = dot(near, RESIDUAL, ANSWER);
    const double beta = is_first ? 0.0 : *rz / before;
    for (int32_t k = 0; k < near->row.n; k++) {
        double *p = part(near, k, DIRECTION);
        const double *z = part(near, k, ANSWER);
        for (int c = 0; c < 3; c++) {
            p[c] = z[c] + beta * p[c];
        }
    }
}

static bool open_rows(const ew_local_correction *near, const ew_system *system)
{
    for (int32_t k = 0; k < near->row.n; k++) {
        const int32_t row = near->row.id[k];
        memset(part(near, k, CORRECTION), 0, 3 * sizeof *near->vector);
        memset(part(near, k, DIRECTION), 0, 3 * sizeof *near->vector);
        if (ew_invert_row_block(ew_diagonal_of_row(system->op, row), system->fixed[row], true, row,
                                part(near, k, INVERSE))) {
            return false; /* the solve says what is wrong */
        }
    }
    return true;
}

/* Returns the steps that were made. */
static int solve(ew_local_correction *near, const ew_system *system, const ew_local_limits *limits)
{
    const double target = limits->gain * limits->gain * dot(near, RESIDUAL, RESIDUAL);
    double rz = 0.0, rr = INFINITY;
    int step = 0;
    for (; step < limits->max_steps && rr > target; step++) {
        turn(near, system, &rz, step == 0);
        multiply(near, system);
        const double alpha = rz / dot(near, DIRECTION, PRODUCT);
        if (!(alpha > 0.0) || !isfinite(alpha)) {
            return step; /* nothing left, or not positive definite */
        }
        add(near, CORRECTION, alpha, DIRECTION);
        add(near, RESIDUAL, -alpha, PRODUCT);
        rr = dot(near, RESIDUAL, RESIDUAL);
    }
    return step;
}

/* d.D d of the k-th row's correction d. */
static double energy_of(const ew_local_correction *near, const ew_system *system, int32_t k)
{
    const double *d = part(near, k, CORRECTION);
    double product[3] = {0.0};
    ew_add_block_product(ew_diagonal_of_row(system->op, near->row.id[k]), false, d, product);
    return d[0] * product[0] + d[1] * product[1] + d[2] * product[2];
}

/* x += correction, but for what is negligible: what has to follow x is less by far. */
static void apply(ew_local_correction *near, const ew_system *system, double negligible, double *x)
{
    const int32_t n_all = near->row.n;
    near->row.n = 0;
    for (int32_t k = 0; k < n_all; k++) {
        const int32_t row = near->row.id[k];
        near->place[row] = 0;
        if (energy_of(near, system, k) * n_all > negligible) {
            for (size_t c = 0; c < 3; c++) {
                x[3 * (size_t)row + c] += part(near, k, CORRECTION)[c];
            }
            near->row.id[near->row.n++] = row;
        }
    }
}

/* ---- the whole --------------------------------------------------------------- */

ew_status ew_local_correction_run(ew_local_correction *near, const ew_system *system,
                                  const ew_local_limits *limits, double *x, int *n_step)
{
    bool moved = false;
    *n_step = 0;
    near->row.n = 0;
    EW_TRY(find_rows(near, system, limits));
    ew_status status = ew_near_rows_open(&near->near, system, &near->row);
    if (!status) {
        find_residual(near, system, x, &moved);
    }
    if (moved && open_rows(near, system)) {
        *n_step = solve(near, system, limits);
        apply(near, system, limits->negligible, x);
    }
    ew_near_rows_close(&near->near);
    return status;
}

void ew_local_correction_end(ew_local_correction *near)
{
    drop_rows(near, 0);
}

ew_status ew_local_correction_correct(ew_local_correction *near, const ew_system *system, double *x)
{
    ew_status status = EW_OK;
    int n_step;
    if (near->changed.list.n > 0 && !system->op->edges && ew_has_near_rows(system->op)) {
        status = ew_local_correction_run(near, system, &before_iterations, x, &n_step);
        ew_local_correction_end(near);
    }
    ew_local_correction_forget(near);
    return status;
}

void ew_local_correction_forget(ew_local_correction *near)
{
    ew_set_clear(&near->changed);
    ew_set_clear(&near->edge);
}

void ew_local_correction_free(ew_local_correction *near)
{
    ew_set_free(&near->changed);
    ew_set_free(&near->edge);
    ew_near_rows_free(&near->near);
    ew_list_free(&near->row);
    ew_release(near->place);
    ew_release(near->vector);
    *near = (ew_local_correction){0};
}
