/* The sweeps of one chunk. In: a residual, by row. Out: the correction, by row. Each block is read
 * once in a sweep and serves both its rows: it is gathered from the earlier row while the later
 * one is summed, and scattered back as soon as that one is known. */
#include "smoother.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && !defined(EW_PORTABLE) && defined(__GNUC__)
#define EW_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define EW_CLONES
#endif

/* Four side by side, of which three are used; the fourth of a block's row is what follows in
 * memory, finite, and meets a zero. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef float four_single __attribute__((vector_size(16), aligned(4), may_alias));

typedef struct rows_of_block {
    four row[3];
} rows_of_block;

INLINE void load_block(const ew_chunk *chunk, bool single, int32_t at, rows_of_block *k)
{
    for (int i = 0; i < 3; i++) {
        const size_t from = 9 * (size_t)at + 3 * (size_t)i;
        if (single) {
            k->row[i] = __builtin_convertvector(*(const four_single *)(chunk->block + from), four);
        } else {
            k->row[i] = *(const four *)(chunk->block_double + from);
        }
    }
}

/* sum += K x, columns still apart */
INLINE void gather(const rows_of_block *k, const double *x, rows_of_block *sum)
{
    const four v = *(const four *)x;
    for (int i = 0; i < 3; i++) {
        sum->row[i] += k->row[i] * v;
    }
}

/* y -= K^T x */
INLINE void scatter(const rows_of_block *k, const four *x, double *y)
{
    const four x0 = {(*x)[0], (*x)[0], (*x)[0], (*x)[0]}, x1 = {(*x)[1], (*x)[1], (*x)[1], (*x)[1]},
               x2 = {(*x)[2], (*x)[2], (*x)[2], (*x)[2]};
    *(four *)y -= (k->row[0] * x0 + k->row[1] * x1) + k->row[2] * x2;
}

INLINE double add_up(const four *v)
{
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

/* z = (D + T)^-1 s */
INLINE void invert(const double *inverse, const double s[3], four *z)
{
    const four s0 = {s[0], s[0], s[0], s[0]}, s1 = {s[1], s[1], s[1], s[1]},
               s2 = {s[2], s[2], s[2], s[2]};
    *z = (*(const four *)inverse * s0 + *(const four *)(inverse + 4) * s1) +
         *(const four *)(inverse + 8) * s2;
}

INLINE void forward(const ew_chunk *chunk, bool single, const double *r, double *z, double *t)
{
    const ew_chunk own = *chunk;
    rows_of_block k;
    for (int32_t i = 0; i < own.n; i++) {
        const size_t row = (size_t)own.row[i];
        const int32_t first = own.begin[2 * i], end = own.begin[2 * i + 1];
        rows_of_block sum = {{{0.0}, {0.0}, {0.0}}};
        double s[3];
        four x;
        for (int32_t at = first; at < end; at++) {
            load_block(&own, single, at, &k);
            gather(&k, z + 4 * (size_t)own.other[at], &sum);
        }
        for (int c = 0; c < 3; c++) {
            s[c] = r[3 * row + (size_t)c] - add_up(&sum.row[c]);
        }
        invert(own.inverse + 12 * (size_t)i, s, &x);
        *(four *)(z + 4 * row) = x;
        const four extra = {own.extra[i], own.extra[i], own.extra[i], own.extra[i]};
        *(four *)(t + 4 * row) = extra * x;
        for (int32_t at = first; at < end; at++) {
            load_block(&own, single, at, &k);
            scatter(&k, &x, t + 4 * (size_t)own.other[at]);
        }
    }
}

INLINE void restrict_residual(const ew_chunk *chunk, bool single, const double *z, const double *t,
                              double *coarse)
{
    const ew_chunk own = *chunk;
    rows_of_block k;
    for (int32_t j = 0; j < own.n_aggregate; j++) {
        double to[6] = {0.0};
        for (int32_t i = own.first[j]; i < own.first[j + 1]; i++) {
            const double *from = t + 4 * (size_t)own.row[i], *d = own.place + 3 * (size_t)i;
            rows_of_block sum = {{{0.0}, {0.0}, {0.0}}};
            double s[3];
            for (int32_t at = own.begin[2 * i + 1]; at < own.begin[2 * i + 2]; at++) {
                load_block(&own, single, at, &k);
                gather(&k, z + 4 * (size_t)own.other[at], &sum);
            }
            for (int c = 0; c < 3; c++) {
                s[c] = own.fixed[i] >> c & 1 ? 0.0 : from[c] - add_up(&sum.row[c]);
                to[c] += s[c];
            }
            to[3] += d[1] * s[2] - d[2] * s[1];
            to[4] += d[2] * s[0] - d[0] * s[2];
            to[5] += d[0] * s[1] - d[1] * s[0];
        }
        memcpy(coarse + 6 * (size_t)own.aggregate[j], to, sizeof to);
    }
}

INLINE void backward(const ew_chunk *chunk, bool single, const double *r, const double *z,
                     double *t, double *out)
{
    const ew_chunk own = *chunk;
    rows_of_block k;
    for (int32_t i = 0; i < own.n; i++) {
        *(four *)(t + 4 * (size_t)own.row[i]) = (four){0.0};
    }
    for (int32_t i = own.n - 1; i >= 0; i--) {
        const size_t row = (size_t)own.row[i];
        const int32_t first = own.begin[2 * i], middle = own.begin[2 * i + 1],
                      end = own.begin[2 * i + 2];
        rows_of_block sum = {{{0.0}, {0.0}, {0.0}}};
        double s[3];
        four x;
        for (int32_t at = first; at < end; at++) {
            load_block(&own, single, at, &k);
            gather(&k, z + 4 * (size_t)own.other[at], &sum);
        }
        for (size_t c = 0; c < 3; c++) {
            s[c] = ((r[3 * row + c] + t[4 * row + c]) + own.extra[i] * z[4 * row + c]) -
                   add_up(&sum.row[c]);
        }
        invert(own.inverse + 12 * (size_t)i, s, &x);
        for (size_t c = 0; c < 3; c++) {
            out[3 * row + c] = x[c];
        }
        for (int32_t at = first; at < middle; at++) {
            load_block(&own, single, at, &k);
            scatter(&k, &x, t + 4 * (size_t)own.other[at]);
        }
    }
}

/* One text, compiled for each kind of block and of machine. Static: GCC 12 exports the clones of
 * others from a shared library, whatever their visibility. */
EW_CLONES static void forward_any(const ew_chunk *chunk, const double *r, double *z, double *t)
{
    if (chunk->block) {
        forward(chunk, true, r, z, t);
    } else {
        forward(chunk, false, r, z, t);
    }
}

void ew_chunk_forward(const ew_chunk *chunk, const double *r, double *z, double *t)
{
    forward_any(chunk, r, z, t);
}

EW_CLONES static void restrict_any(const ew_chunk *chunk, const double *z, const double *t,
                                   double *coarse)
{
    if (chunk->block) {
        restrict_residual(chunk, true, z, t, coarse);
    } else {
        restrict_residual(chunk, false, z, t, coarse);
    }
}

void ew_chunk_restrict(const ew_chunk *chunk, const double *z, const double *t, double *coarse)
{
    restrict_any(chunk, z, t, coarse);
}

EW_CLONES static void backward_any(const ew_chunk *chunk, const double *r, const double *z,
                                   double *t, double *out)
{
    if (chunk->block) {
        backward(chunk, true, r, z, t, out);
    } else {
        backward(chunk, false, r, z, t, out);
    }
}

void ew_chunk_backward(const ew_chunk *chunk, const double *r, const double *z, double *t,
                       double *out)
{
    backward_any(chunk, r, z, t, out);
}

void ew_chunk_prolong(const ew_chunk *chunk, const double *coarse, double *z)
{
    for (int32_t j = 0; j < chunk->n_aggregate; j++) {
        const double *q = coarse + 6 * (size_t)chunk->aggregate[j];
        for (int32_t i = chunk->first[j]; i < chunk->first[j + 1]; i++) {
            const double *d = chunk->place + 3 * (size_t)i;
            double *to = z + 4 * (size_t)chunk->row[i];
            const double move[3] = {q[0] + (q[4] * d[2] - q[5] * d[1]),
                                    q[1] + (q[5] * d[0] - q[3] * d[2]),
                                    q[2] + (q[3] * d[1] - q[4] * d[0])};
            for (int c = 0; c < 3; c++) {
                to[c] += chunk->fixed[i] >> c & 1 ? 0.0 : move[c];
            }
        }
    }
}
