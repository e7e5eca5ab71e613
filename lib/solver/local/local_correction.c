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

/* ---- rows -------------------------------------------------------------- */

/* Rows with prescribed directions stay as they are, and so do those that are fixed. */
static ew_status add_row(ew_local_correction *near, const ew_system *system, int32_t row)
{
    if (near->place[row] || system->fixed[row] == 7 || system->fixed[row] & EW_OBLIQUE ||
        system->op->pattern->row_to_pair.count[row] == 0) {
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

/* The next ring around rows from `begin` on; none where they would be too many. */
static ew_status add_ring(ew_local_correction *near, const ew_system *system, int32_t begin,
                          int32_t most)
{
    const int32_t end = near->row.n;
    for (int32_t i = begin; i < end && near->row.n <= most; i++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(system->op->pattern, near->row.id[i], &count);
        for (int32_t k = 0; k < count; k++) {
            EW_TRY(add_row(near, system, item[2 * k]));
        }
    }
    if (near->row.n > most) {
        drop_rows(near, end);
    }
    return EW_OK;
}

static ew_status find_rows(ew_local_correction *near, const ew_system *system,
                           const ew_local_limits *limits)
{
    const int32_t n_row = system->op->pattern->n_row;
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

static void filter(uint8_t fixed, double v[3])
{
    for (int c = 0; c < 3; c++) {
        v[c] = fixed >> c & 1 ? 0.0 : v[c];
    }
}

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
    const int32_t *item = ew_pattern_items(op->pattern, row, &count);
    memset(product, 0, 3 * sizeof *product);
    ew_add_block_product(op->matrix->diagonal + 9 * (size_t)row, false, x + 3 * (size_t)row,
                         product);
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k];
        ew_add_block_product(op->matrix->pair + 9 * (size_t)item[2 * k + 1], row > other,
                             x + 3 * (size_t)other, product);
    }
}

/* Residuals of x. *moved: x is not zero all over. */
static void find_residual(const ew_local_correction *near, const ew_system *system, const double *x,
                          bool *moved)
{
    *moved = false;
    for (int32_t k = 0; k < near->row.n; k++) {
        const int32_t a = near->row.id[k];
        double sum[3], *r = part(near, k, RESIDUAL);
        ew_multiply_row(system->op, a, x, sum);
        for (int c = 0; c < 3; c++) {
            r[c] = system->b[3 * (size_t)a + (size_t)c] - sum[c];
            *moved = *moved || x[3 * (size_t)a + (size_t)c] != 0.0;
        }
        filter(system->fixed[a], r);
    }
}

/* product = S K direction */
static void multiply(const ew_local_correction *near, const ew_system *system)
{
    const ew_matrix *matrix = system->op->matrix;
    const ew_pattern *pattern = system->op->pattern;
    for (int32_t k = 0; k < near->row.n; k++) {
        double *q = part(near, k, PRODUCT);
        memset(q, 0, 3 * sizeof *q);
        ew_add_block_product(matrix->diagonal + 9 * (size_t)near->row.id[k], false,
                             part(near, k, DIRECTION), q);
    }
    for (int32_t k = 0; k < near->row.n; k++) {
        const int32_t a = near->row.id[k];
        int32_t count;
        const int32_t *item = ew_pattern_items(pattern, a, &count);
        for (int32_t i = pattern->n_lower[a]; i < count; i++) { /* a pair once, for both rows */
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
    for (int32_t k = 0; k < near->row.n; k++) {
        filter(system->fixed[near->row.id[k]], part(near, k, PRODUCT));
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
static void turn(const ew_local_correction *near, double *rz, bool is_first)
{
    const double before = *rz;
    for (int32_t k = 0; k < near->row.n; k++) {
        ew_multiply_row_inverse(part(near, k, INVERSE), part(near, k, RESIDUAL),
                                part(near, k, ANSWER));
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
        if (ew_invert_row_block(system->op->matrix->diagonal + 9 * (size_t)row, system->fixed[row],
                                true, row, part(near, k, INVERSE))) {
            return false; /* the solve says what is wrong */
        }
    }
    return true;
}

/* Returns the steps that were made. */
static int solve(const ew_local_correction *near, const ew_system *system,
                 const ew_local_limits *limits)
{
    const double target = limits->gain * limits->gain * dot(near, RESIDUAL, RESIDUAL);
    double rz = 0.0, rr = INFINITY;
    int step = 0;
    for (; step < limits->max_steps && rr > target; step++) {
        turn(near, &rz, step == 0);
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
    ew_add_block_product(system->op->matrix->diagonal + 9 * (size_t)near->row.id[k], false, d,
                         product);
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

bool ew_local_correction_has_blocks(const ew_operator *op)
{
    return op->matrix && !op->device_matrix && !op->edges && op->matrix->block == 3 &&
           !op->matrix->diagonal_only && op->matrix->revision == op->pattern->revision;
}

bool ew_local_correction_applies(const ew_local_correction *near, const ew_system *system)
{
    return near->changed.list.n > 0 && ew_local_correction_has_blocks(system->op);
}

ew_status ew_local_correction_run(ew_local_correction *near, const ew_system *system,
                                  const ew_local_limits *limits, double *x, int *n_step)
{
    bool moved = false;
    *n_step = 0;
    near->row.n = 0;
    EW_TRY(find_rows(near, system, limits));
    find_residual(near, system, x, &moved);
    if (moved && open_rows(near, system)) {
        *n_step = solve(near, system, limits);
        apply(near, system, limits->negligible, x);
    }
    return EW_OK;
}

void ew_local_correction_end(ew_local_correction *near)
{
    drop_rows(near, 0);
}

ew_status ew_local_correction_correct(ew_local_correction *near, const ew_system *system, double *x)
{
    ew_status status = EW_OK;
    int n_step;
    if (ew_local_correction_applies(near, system)) {
        status = ew_local_correction_run(near, system, &before_iterations, x, &n_step);
        ew_local_correction_end(near);
    }
    ew_local_correction_forget(near);
    return status;
}

void ew_local_correction_forget(ew_local_correction *near)
{
    ew_set_clear(&near->changed);
}

void ew_local_correction_free(ew_local_correction *near)
{
    ew_set_free(&near->changed);
    ew_list_free(&near->row);
    ew_release(near->place);
    ew_release(near->vector);
    *near = (ew_local_correction){0};
}
