/* host_rows: private to pcg_host.c. What the iteration on the host does with its rows, chunk by
 * chunk: of vectors and sums, by all threads; where rows are dealt to processes each has its own
 * chunks. */
#ifndef EW_SOLVER_HOST_ROWS_H
#define EW_SOLVER_HOST_ROWS_H

#include "solver/krylov/dealt.h"

typedef struct host_solve {
    ew_pcg_task task;
    const ew_dealt *dealt; /* null: this process alone */
    const ew_operator *op;
    const uint8_t *fixed;
    const double *b;
    const double *inverse; /* row-wise preconditioner, or null */
    int32_t n_row, n_chunk, n_thread, row_capacity, chunk_capacity;
    double *vector; /* [5][n_row][3] owned: d r z p q */
    double *d, *r, *z, *p, *q, *x;
    bool turns, is_cold; /* p = z + beta p precedes the next product; x and d are zero */
    double rz, beta;
    double *partial; /* [n_chunk][2] owned */
} host_solve;

typedef struct pair {
    double first, second;
} pair;

/* One chunk of rows; what it returns is added up by chunks. */
typedef pair (*chunk_body)(const host_solve *solve, double factor, size_t begin, size_t end);

/* Chunks [begin, end). */
static void for_chunks(const host_solve *solve, chunk_body body, double factor, int32_t first,
                       int32_t last)
{
#pragma omp for schedule(static)
    for (int32_t chunk = first; chunk < last; chunk++) {
        const size_t n = (size_t)solve->n_row, begin = n * (size_t)chunk / (size_t)solve->n_chunk;
        const size_t end = n * (size_t)(chunk + 1) / (size_t)solve->n_chunk;
        const pair sum = body(solve, factor, begin, end);
        solve->partial[2 * chunk] = sum.first;
        solve->partial[2 * chunk + 1] = sum.second;
    }
}

/* Deals the chunks to the threads of the region around, which it leaves together. */
static void for_each_chunk(const host_solve *solve, chunk_body body, double factor)
{
    const ew_dealt *dealt = solve->dealt;
    if (!dealt) {
        for_chunks(solve, body, factor, 0, solve->n_chunk);
        return;
    }
    for (int k = 0; k < 2; k++) {
        for_chunks(solve, body, factor, dealt->chunk[k][0], dealt->chunk[k][1]);
    }
}

/* The sums of all processes. */
static void join_sums(const host_solve *solve)
{
    const ew_dealt *dealt = solve->dealt;
    for (int32_t chunk = 0; chunk < solve->n_chunk; chunk++) {
        if ((chunk < dealt->chunk[0][0] || chunk >= dealt->chunk[0][1]) &&
            (chunk < dealt->chunk[1][0] || chunk >= dealt->chunk[1][1])) {
            solve->partial[2 * chunk] = solve->partial[2 * chunk + 1] = 0.0;
        }
    }
    dealt->peers->join(dealt->peers->user, 2 * (int64_t)solve->n_chunk, solve->partial);
}

/* In chunk order. */
static pair add_up(const host_solve *solve)
{
    pair sum = {0.0, 0.0};
    if (solve->dealt) {
        join_sums(solve);
    }
    for (int32_t chunk = 0; chunk < solve->n_chunk; chunk++) {
        sum.first += solve->partial[2 * chunk];
        sum.second += solve->partial[2 * chunk + 1];
    }
    return sum;
}

static pair over_chunks(const host_solve *solve, chunk_body body, double factor)
{
#pragma omp parallel num_threads(solve->n_thread)
    for_each_chunk(solve, body, factor);
    return add_up(solve);
}

/* The sums of the chunk that begins at a row. */
static const double *partial_at(const host_solve *solve, size_t begin)
{
    const size_t n = (size_t)solve->n_row;
    return solve->partial + 2 * ((begin * (size_t)solve->n_chunk + n - 1) / n);
}

static inline bool is_fixed(const host_solve *solve, size_t row, int component)
{
    return solve->fixed[row] >> component & 1;
}

/* ---- loop bodies ------------------------------------------------------- */

/* p = x_p; first: whether any of it is not zero, second: any of x, d */
static pair prescribed_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, factor};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->p[i] = is_fixed(solve, i / 3, (int)(i % 3)) ? solve->x[i] : 0.0;
        sum.first += solve->p[i] != 0.0;
        sum.second += solve->x[i] != 0.0 || solve->d[i] != 0.0;
    }
    return sum;
}

/* r = S (b - factor q) */
static pair residual_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        bool fixed = is_fixed(solve, i / 3, (int)(i % 3));
        solve->r[i] = fixed           ? 0.0
                      : factor == 0.0 ? solve->b[i]
                                      : solve->b[i] - factor * solve->q[i];
    }
    return (pair){0.0, 0.0};
}

static double dot(const double *a, const double *b, size_t begin, size_t end)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t i = 3 * begin; i < 3 * end; i += 3) {
        sum[0] += a[i] * b[i];
        sum[1] += a[i + 1] * b[i + 1];
        sum[2] += a[i + 2] * b[i + 2];
    }
    return sum[0] + sum[1] + sum[2];
}

/* first = r.r */
static pair square_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    return (pair){dot(solve->r, solve->r, begin, end), factor};
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

/* p: what rounding may have made of x, -1 to 1 half units in the last place, by number */
static pair rounding_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        uint64_t hash = (i + 1) * UINT64_C(0x9e3779b97f4a7c15); /* splitmix64, Steele et al. 2014 */
        hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
        const double share = (double)(int64_t)(hash >> 11) * 0x1p-52 - 1.0;
        solve->p[i] = is_fixed(solve, i / 3, (int)(i % 3)) ? 0.0 : factor * share * solve->x[i];
    }
    return (pair){0.0, 0.0};
}

/* first = |S q|^2 */
static pair product_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, factor};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        sum.first += is_fixed(solve, i / 3, (int)(i % 3)) ? 0.0 : solve->q[i] * solve->q[i];
    }
    return sum;
}

/* z = S M^-1 r, p = factor z; first = r.z */
static pair start_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *r = solve->r + 3 * row;
        double *z = solve->z + 3 * row;
        ew_multiply_row_inverse(solve->inverse + 6 * row, r, z);
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
    return (pair){factor * dot(solve->p, solve->q, begin, end), 0.0};
}

/* d += factor p, r -= factor S q, z = S M^-1 r; first = r.z, second = r.r */
static pair advance_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    double rz[3] = {0.0, 0.0, 0.0}, rr[3] = {0.0, 0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *restrict p = solve->p + 3 * row, *restrict q = solve->q + 3 * row;
        double *restrict d = solve->d + 3 * row, r[3], z[3];
        for (int i = 0; i < 3; i++) {
            d[i] += factor * p[i];
            r[i] = is_fixed(solve, row, i) ? 0.0 : solve->r[3 * row + i] - factor * q[i];
        }
        ew_multiply_row_inverse(solve->inverse + 6 * row, r, z);
        for (int i = 0; i < 3; i++) { /* what was stored in parts is slow to load as a whole */
            rz[i] += r[i] * z[i];
            rr[i] += r[i] * r[i];
            solve->r[3 * row + i] = r[i];
            solve->z[3 * row + i] = z[i];
        }
    }
    return (pair){rz[0] + rz[1] + rz[2], rr[0] + rr[1] + rr[2]};
}

/* The same two without the preconditioner, which other kinds apply in between. */

/* d += factor p, r -= factor S q; second = r.r */
static pair step_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    double rr[3] = {0.0, 0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *restrict p = solve->p + 3 * row, *restrict q = solve->q + 3 * row;
        double *restrict d = solve->d + 3 * row, *restrict r = solve->r + 3 * row;
        for (int i = 0; i < 3; i++) {
            d[i] += factor * p[i];
            r[i] = is_fixed(solve, row, i) ? 0.0 : r[i] - factor * q[i];
            rr[i] += r[i] * r[i];
        }
    }
    return (pair){0.0, rr[0] + rr[1] + rr[2]};
}

/* first = r.z; second stays as step_chunk left it */
static pair angle_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    return (pair){factor + dot(solve->r, solve->z, begin, end), partial_at(solve, begin)[1]};
}

/* p = factor z; the sums stay */
static pair copy_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->p[i] = factor * solve->z[i];
    }
    return (pair){partial_at(solve, begin)[0], partial_at(solve, begin)[1]};
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

#endif
