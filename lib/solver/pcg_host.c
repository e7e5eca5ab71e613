/* The operations of the iteration on the host, and ew_solve_host. Vectors are double; in mixed and
 * single precision the blocks of the recurrence's products are single. Loops run over fixed chunks
 * of rows and sums are added chunk by chunk, so nothing depends on the number of threads.
 *
 * d, r, z and p are zero in the fixed components throughout: r is filtered, the inverse blocks have
 * zero rows there, and d and p are made of z. So q needs no filter. */
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#define CHUNK_ROWS 2048

typedef struct host_solve {
    const ew_matrix *matrix;
    const ew_matrix_single *single; /* null in double precision */
    const ew_pattern *pattern;
    const uint8_t *fixed;
    const double *b;
    double *x;
    int32_t n_row, n_chunk;
    double *inverse; /* [n_row][6] owned: xx yy zz xy yz xz of S M^-1 S */
    double *vector;  /* [5][n_row][3] owned: d r z p q */
    double *d, *r, *z, *p, *q;
    double *partial; /* [n_chunk][2] owned */
} host_solve;

typedef struct pair {
    double first, second;
} pair;

/* Calls the loop body for every chunk and adds up its two results in chunk order. */
typedef pair (*chunk_body)(const host_solve *solve, double factor, size_t begin, size_t end);

static pair over_chunks(const host_solve *solve, chunk_body body, double factor)
{
#pragma omp parallel for schedule(static) num_threads(ew_threads()) if (solve->n_chunk > 1)
    for (int32_t chunk = 0; chunk < solve->n_chunk; chunk++) {
        size_t begin = (size_t)chunk * CHUNK_ROWS, end = begin + CHUNK_ROWS;
        end = end < (size_t)solve->n_row ? end : (size_t)solve->n_row;
        pair sum = body(solve, factor, begin, end);
        solve->partial[2 * chunk] = sum.first;
        solve->partial[2 * chunk + 1] = sum.second;
    }
    pair sum = {0.0, 0.0};
    for (int32_t chunk = 0; chunk < solve->n_chunk; chunk++) {
        sum.first += solve->partial[2 * chunk];
        sum.second += solve->partial[2 * chunk + 1];
    }
    return sum;
}

static inline bool is_fixed(const host_solve *solve, size_t row, int component)
{
    return solve->fixed[row] >> component & 1;
}

/* ---- the preconditioner ------------------------------------------------ */

/* Inverse of a symmetric positive definite block by cofactors; false when it is not one. */
static bool invert(const double k[6], double inverse[6])
{
    double xx = k[1] * k[2] - k[4] * k[4], xy = k[4] * k[5] - k[3] * k[2];
    double xz = k[3] * k[4] - k[1] * k[5];
    double determinant = k[0] * xx + k[3] * xy + k[5] * xz;
    if (!(k[0] > 0.0 && k[0] * k[1] - k[3] * k[3] > 0.0 && determinant > 0.0)) {
        return false;
    }
    inverse[0] = xx / determinant;
    inverse[1] = (k[0] * k[2] - k[5] * k[5]) / determinant;
    inverse[2] = (k[0] * k[1] - k[3] * k[3]) / determinant;
    inverse[3] = xy / determinant;
    inverse[4] = (k[3] * k[5] - k[0] * k[4]) / determinant;
    inverse[5] = xz / determinant;
    return true;
}

/* One row's S M^-1 S. Scaled by its scalar diagonal, so that no unit of stiffness makes a
 * determinant overflow; a fixed component stands as 1 on the diagonal while inverting and as 0
 * after. */
static ew_status invert_row(const host_solve *solve, ew_preconditioner kind, size_t row)
{
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    const double *block = solve->matrix->diagonal + 9 * row;
    double root[3], k[6], *inverse = solve->inverse + 6 * row;
    for (int i = 0; i < 3; i++) {
        double diagonal = is_fixed(solve, row, i) ? 1.0 : block[4 * i];
        if (!isfinite(diagonal)) {
            return ew_fail(EW_NOT_FINITE, "solver: the diagonal of row %zu is not finite", row);
        }
        if (diagonal <= 0.0) {
            return ew_fail(EW_INDEFINITE,
                           "solver: the diagonal of row %zu is %g, must be > 0; is "
                           "there a tet without volume?",
                           row, diagonal);
        }
        root[i] = sqrt(diagonal);
    }
    for (int c = 0; c < 6; c++) {
        int i = first[c], j = second[c];
        bool coupled =
            kind == EW_BLOCK_JACOBI && !is_fixed(solve, row, i) && !is_fixed(solve, row, j);
        k[c] = i == j ? 1.0 : coupled ? block[3 * i + j] / (root[i] * root[j]) : 0.0;
    }
    if (!invert(k, inverse)) {
        return ew_fail(EW_INDEFINITE,
                       "solver: the diagonal block of row %zu is not positive definite", row);
    }
    for (int c = 0; c < 6; c++) {
        int i = first[c], j = second[c];
        bool cleared = is_fixed(solve, row, i) || is_fixed(solve, row, j);
        inverse[c] = cleared ? 0.0 : inverse[c] / (root[i] * root[j]);
    }
    return EW_OK;
}

static ew_status invert_diagonal(const host_solve *solve, ew_preconditioner kind)
{
    for (int32_t row = 0; row < solve->n_row; row++) {
        EW_TRY(invert_row(solve, kind, (size_t)row));
    }
    return EW_OK;
}

/* z = S M^-1 r of one row */
static inline void precondition(const double *inverse, const double *r, double *z)
{
    z[0] = inverse[0] * r[0] + inverse[3] * r[1] + inverse[5] * r[2];
    z[1] = inverse[3] * r[0] + inverse[1] * r[1] + inverse[4] * r[2];
    z[2] = inverse[5] * r[0] + inverse[4] * r[1] + inverse[2] * r[2];
}

/* ---- loop bodies ------------------------------------------------------- */

/* p = x_p; first: whether any of it is not zero */
static pair prescribed_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, factor};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->p[i] = is_fixed(solve, i / 3, (int)(i % 3)) ? solve->x[i] : 0.0;
        sum.first += solve->p[i] != 0.0;
    }
    return sum;
}

/* r = S (b - factor q); first = r.r */
static pair residual_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, 0.0};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        bool fixed = is_fixed(solve, i / 3, (int)(i % 3));
        solve->r[i] = fixed           ? 0.0
                      : factor == 0.0 ? solve->b[i]
                                      : solve->b[i] - factor * solve->q[i];
        sum.first += solve->r[i] * solve->r[i];
    }
    return sum;
}

/* x += d, d = 0 */
static pair fold_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->x[i] += factor * solve->d[i];
        solve->d[i] = 0.0;
    }
    return (pair){0.0, 0.0};
}

/* z = S M^-1 r, p = factor z; first = r.z */
static pair start_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *r = solve->r + 3 * row;
        double *z = solve->z + 3 * row;
        precondition(solve->inverse + 6 * row, r, z);
        for (int i = 0; i < 3; i++) {
            solve->p[3 * row + i] = factor * z[i];
            sum.first += r[i] * z[i];
        }
    }
    return sum;
}

/* first = factor p.q */
static pair dot_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    const double *p = solve->p, *q = solve->q;
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t i = 3 * begin; i < 3 * end; i += 3) {
        sum[0] += p[i] * q[i];
        sum[1] += p[i + 1] * q[i + 1];
        sum[2] += p[i + 2] * q[i + 2];
    }
    return (pair){factor * (sum[0] + sum[1] + sum[2]), 0.0};
}

/* d += factor p, r -= factor S q, z = S M^-1 r; first = r.z, second = r.r */
static pair advance_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    double rz[3] = {0.0, 0.0, 0.0}, rr[3] = {0.0, 0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *restrict p = solve->p + 3 * row, *restrict q = solve->q + 3 * row;
        double *restrict d = solve->d + 3 * row, *restrict z = solve->z + 3 * row;
        double *restrict r = solve->r + 3 * row;
        for (int i = 0; i < 3; i++) {
            d[i] += factor * p[i];
            r[i] = is_fixed(solve, row, i) ? 0.0 : r[i] - factor * q[i];
        }
        precondition(solve->inverse + 6 * row, r, z);
        for (int i = 0; i < 3; i++) {
            rz[i] += r[i] * z[i];
            rr[i] += r[i] * r[i];
        }
    }
    return (pair){rz[0] + rz[1] + rz[2], rr[0] + rr[1] + rr[2]};
}

/* p = z + factor p */
static pair direction_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    const double *restrict z = solve->z;
    double *restrict p = solve->p;
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        p[i] = z[i] + factor * p[i];
    }
    return (pair){0.0, 0.0};
}

/* ---- the operations ---------------------------------------------------- */

static ew_status host_reference(void *self, double *reference)
{
    const host_solve *solve = self;
    bool moved = over_chunks(solve, prescribed_chunk, 0.0).first > 0.0;
    if (moved) {
        ew_matrix_product(solve->matrix, solve->pattern, solve->p, solve->q);
    }
    *reference = sqrt(over_chunks(solve, residual_chunk, moved ? 1.0 : 0.0).first);
    return EW_OK;
}

static ew_status host_residual(void *self, double *scale, double *rr)
{
    const host_solve *solve = self;
    over_chunks(solve, fold_chunk, 1.0);
    ew_matrix_product(solve->matrix, solve->pattern, solve->x, solve->q);
    *rr = over_chunks(solve, residual_chunk, 1.0).first;
    *scale = 1.0;
    return EW_OK;
}

static ew_status host_start(void *self, double *rz)
{
    *rz = over_chunks(self, start_chunk, 1.0).first;
    return EW_OK;
}

static ew_status host_apply(void *self, double *pq)
{
    const host_solve *solve = self;
    if (solve->single) {
        ew_matrix_single_product(solve->single, solve->pattern, solve->p, solve->q);
    } else {
        ew_matrix_product(solve->matrix, solve->pattern, solve->p, solve->q);
    }
    *pq = over_chunks(solve, dot_chunk, 1.0).first;
    return EW_OK;
}

static ew_status host_advance(void *self, double alpha, double *rz, double *rr)
{
    pair sum = over_chunks(self, advance_chunk, alpha);
    *rz = sum.first;
    *rr = sum.second;
    return EW_OK;
}

static ew_status host_direction(void *self, double beta)
{
    over_chunks(self, direction_chunk, beta);
    return EW_OK;
}

static ew_status host_init(host_solve *solve, ew_preconditioner kind)
{
    size_t n = 3 * (size_t)solve->n_row;
    EW_TRY(ew_new(&solve->inverse, 2 * n, sizeof *solve->inverse));
    EW_TRY(ew_new_zero(&solve->vector, 5 * n, sizeof *solve->vector));
    EW_TRY(ew_new(&solve->partial, 2 * (size_t)solve->n_chunk, sizeof *solve->partial));
    solve->d = solve->vector;
    solve->r = solve->vector + n;
    solve->z = solve->vector + 2 * n;
    solve->p = solve->vector + 3 * n;
    solve->q = solve->vector + 4 * n;
    return invert_diagonal(solve, kind);
}

ew_status ew_solve_host(const ew_matrix *matrix, const ew_pattern *pattern, const uint8_t *fixed,
                        const double *b, const ew_pcg_def *def, double *x, ew_pcg_info *info)
{
    ew_matrix_single single = {0};
    host_solve solve = {.matrix = matrix, .pattern = pattern, .fixed = fixed, .b = b, .x = x};
    ew_pcg_ops ops = {&solve,     host_reference, host_residual, host_start,
                      host_apply, host_advance,   host_direction};
    ew_status status = EW_OK;
    double start = ew_seconds();
    *info = (ew_pcg_info){.history = info->history, .history_capacity = info->history_capacity};
    solve.n_row = matrix->n_row;
    solve.n_chunk = (matrix->n_row + CHUNK_ROWS - 1) / CHUNK_ROWS;
    EW_TRY_OUT(ew_matrix_need_current(matrix, pattern));
    EW_TRY_OUT(ew_pcg_check_right_side(solve.n_row, fixed, b));
    EW_TRY_OUT(host_init(&solve, def->preconditioner));
    if (def->precision != EW_DOUBLE) {
        EW_TRY_OUT(ew_matrix_single_copy(&single, matrix, pattern));
        solve.single = &single;
    }
    EW_TRY_OUT(ew_pcg_iterate(&ops, def, info));
    if (info->reference == 0.0) { /* the answer is x_p, which host_reference left in p */
        memcpy(x, solve.p, 3 * (size_t)solve.n_row * sizeof *x);
    }
out:
    info->status = status;
    info->seconds = ew_seconds() - start;
    ew_matrix_single_free(&single);
    ew_release(solve.inverse);
    ew_release(solve.vector);
    ew_release(solve.partial);
    return status;
}
