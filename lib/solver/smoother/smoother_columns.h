/* smoother_columns: private to solver. The sweeps of chunks over several vectors side by side: a
 * lane is a vector where in smoother_pass.h it is a component. A block is read once for all
 * vectors, and rows of a chunk wait for each other once. Each vector has the bits that it has
 * alone. Vectors are by row, [3][EW_COLUMNS]. */
#ifndef EW_SOLVER_SMOOTHER_COLUMNS_H
#define EW_SOLVER_SMOOTHER_COLUMNS_H

#include "solver/smoother/smoother_pass.h"

/* As ew_sweep_avx2. (smoother_avx2.c) */
void ew_columns_sweep_avx2(ew_sweep_kind kind, const ew_sweep *in);

/* A row of the vectors. */
typedef struct ew_columns_row {
    ew_four of[3];
} ew_columns_row;
_Static_assert(EW_COLUMNS == 4, "a lane for each vector");

EW_INLINE ew_columns_row *ew_columns_at(double *x, int32_t row)
{
    return (ew_columns_row *)(void *)(x + 3 * EW_COLUMNS * (size_t)row);
}

/* Nine numbers of a block, and three that follow in memory. */
EW_INLINE void ew_widen_block(const ew_chunk *own, bool single, int32_t at, double k[12])
{
    for (int i = 0; i < 12 && single; i += 4) {
        ew_load_single(own->block + 9 * (size_t)at + i, (ew_four *)(k + i));
    }
    if (!single) {
        memcpy(k, own->block_double + 9 * (size_t)at, 9 * sizeof *k);
    }
}

/* sum += K x over the blocks [begin, end), columns of blocks still apart */
EW_INLINE void ew_columns_gather(const ew_chunk *own, bool single, int32_t begin, int32_t end,
                                 int32_t ahead, double *x, ew_four sum[9])
{
    double k[12];
    for (int32_t at = begin; at < end; at++) {
        const ew_columns_row *v = ew_columns_at(x, own->other[at]);
        ew_prefetch_block(own, single, at + ahead);
        ew_widen_block(own, single, at, k);
        for (int i = 0; i < 9; i++) {
            sum[i] += k[i] * v->of[i % 3];
        }
    }
}

/* s -= the sums; as ew_add_across with a zero for the fourth */
EW_INLINE void ew_columns_subtract(const ew_four sum[9], ew_columns_row *s)
{
    for (int i = 0; i < 3; i++) {
        s->of[i] -= (sum[3 * i] + sum[3 * i + 1]) + (sum[3 * i + 2] + 0.0);
    }
}

/* y -= K^T x over the blocks [begin, end) */
EW_INLINE void ew_columns_scatter(const ew_chunk *own, bool single, int32_t begin, int32_t end,
                                  const ew_columns_row *x, double *y)
{
    double k[12];
    for (int32_t at = begin; at < end; at++) {
        ew_columns_row *to = ew_columns_at(y, own->other[at]);
        ew_widen_block(own, single, at, k);
        for (int c = 0; c < 3; c++) {
            to->of[c] -= (k[c] * x->of[0] + k[3 + c] * x->of[1]) + k[6 + c] * x->of[2];
        }
    }
}

EW_INLINE double ew_columns_extra(const ew_chunk *own, int32_t i, bool single)
{
    return single ? (double)own->row[i].extra : own->row_double[i].extra;
}

/* x = (D + T)^-1 s */
EW_INLINE void ew_columns_invert(const ew_chunk *own, int32_t i, bool single,
                                 const ew_columns_row *s, ew_columns_row *x)
{
    for (int c = 0; c < 3; c++) {
        double k[3];
        for (int d = 0; d < 3; d++) { /* it is symmetric */
            k[d] = single ? (double)own->row[i].inverse[3 * d + c]
                          : own->row_double[i].inverse[3 * d + c];
        }
        x->of[c] = (k[0] * s->of[0] + k[1] * s->of[1]) + k[2] * s->of[2];
    }
}

/* Without what is fixed or along oblique directions. */
EW_INLINE void ew_columns_filter(const ew_chunk *own, int32_t i, ew_columns_row *v)
{
    const unsigned fixed = own->row[i].fixed;
    for (int c = 0; c < 3 && fixed; c++) {
        v->of[c] = fixed >> c & 1 ? (ew_four){0.0} : v->of[c];
    }
    for (int l = 0; own->normal && fixed & EW_OBLIQUE && l < EW_COLUMNS; l++) {
        double free[3] = {v->of[0][l], v->of[1][l], v->of[2][l]};
        ew_take_out_normals(own->normal + 6 * (size_t)i, free, 1);
        for (int c = 0; c < 3; c++) {
            v->of[c][l] = free[c];
        }
    }
}

EW_INLINE void ew_columns_forward_row(const ew_chunk *own, int32_t i, bool single,
                                      const ew_sweep *in)
{
    const ew_chunk_row *at = &own->row[i];
    const double extra = ew_columns_extra(own, i, single);
    ew_columns_row *z = ew_columns_at(in->z, at->row), *t = ew_columns_at(in->t, at->row);
    ew_columns_row s = *(const ew_columns_row *)(const void *)(in->r + 12 * (size_t)at->row), x;
    ew_four sum[9] = {{0.0}};
    ew_columns_gather(own, single, at->inside, at->across, EW_SWEEP_AHEAD, in->z, sum);
    ew_columns_subtract(sum, &s);
    ew_columns_invert(own, i, single, &s, &x);
    *z = x;
    for (int c = 0; c < 3; c++) {
        t->of[c] = extra * x.of[c];
    }
    ew_columns_scatter(own, single, at->inside, at->across, &x, in->t);
}

EW_INLINE void ew_columns_restrict(const ew_sweep *sweep, bool single)
{
    const ew_sweep in = *sweep;
    const ew_chunk own = *in.first;
    for (int32_t j = 0; j < own.n_aggregate; j++) {
        ew_four *to = (ew_four *)(in.out + 6 * EW_COLUMNS * (size_t)own.aggregate[j]);
        ew_four force[3] = {{0.0}}, moment[3] = {{0.0}};
        for (int32_t i = own.first[j]; i < own.first[j + 1]; i++) {
            const double *d = own.place + 3 * (size_t)i;
            ew_columns_row s = *ew_columns_at(in.t, own.row[i].row);
            if (own.row[i].across < own.row[i + 1].inside) {
                ew_four sum[9] = {{0.0}};
                ew_columns_gather(&own, single, own.row[i].across, own.row[i + 1].inside,
                                  EW_SWEEP_AHEAD, in.z, sum);
                ew_columns_subtract(sum, &s);
            }
            ew_columns_filter(&own, i, &s);
            for (int c = 0; c < 3; c++) {
                const int next = (c + 1) % 3, last = (c + 2) % 3;
                force[c] += s.of[c];
                moment[c] += d[next] * s.of[last] - d[last] * s.of[next];
            }
        }
        for (int c = 0; c < 3; c++) {
            to[c] = force[c];
            to[3 + c] = moment[c];
        }
    }
}

EW_INLINE void ew_columns_prolong(const ew_sweep *sweep)
{
    const ew_sweep in = *sweep;
    const ew_chunk own = *in.first;
    for (int32_t j = 0; j < own.n_aggregate; j++) {
        const ew_four *q = (const ew_four *)(in.coarse + 6 * EW_COLUMNS * (size_t)own.aggregate[j]);
        for (int32_t i = own.first[j]; i < own.first[j + 1]; i++) {
            const double *d = own.place + 3 * (size_t)i;
            ew_columns_row *z = ew_columns_at(in.z, own.row[i].row);
            ew_columns_row move = {{q[0] + (q[4] * d[2] - q[5] * d[1]),
                                    q[1] + (q[5] * d[0] - q[3] * d[2]),
                                    q[2] + (q[3] * d[1] - q[4] * d[0])}};
            ew_columns_filter(&own, i, &move);
            for (int c = 0; c < 3; c++) {
                z->of[c] += move.of[c];
            }
            *ew_columns_at(in.t, own.row[i].row) = (ew_columns_row){{{0.0}}};
        }
    }
}

EW_INLINE void ew_columns_backward_row(const ew_chunk *own, int32_t i, bool single,
                                       const ew_sweep *in)
{
    const ew_chunk_row *at = &own->row[i];
    const double extra = ew_columns_extra(own, i, single);
    const ew_columns_row *z = ew_columns_at(in->z, at->row), *t = ew_columns_at(in->t, at->row);
    ew_columns_row s = *(const ew_columns_row *)(const void *)(in->r + 12 * (size_t)at->row), x;
    ew_four sum[9] = {{0.0}};
    ew_columns_gather(own, single, at->inside, at[1].inside, -EW_SWEEP_AHEAD, in->z, sum);
    for (int c = 0; c < 3; c++) {
        s.of[c] = (s.of[c] + t->of[c]) + extra * z->of[c];
    }
    ew_columns_subtract(sum, &s);
    ew_columns_invert(own, i, single, &s, &x);
    *ew_columns_at(in->out, at->row) = x;
    ew_columns_scatter(own, single, at->inside, at->across, &x, in->t);
}

/* Vectors are independent enough that one chunk keeps a processor busy. */
EW_INLINE void ew_columns_pass(ew_sweep_kind kind, const ew_sweep *sweep, bool single)
{
    const ew_sweep in = *sweep; /* which no store to z or t can touch */
    const ew_chunk own = *in.first;
    if (kind == EW_SWEEP_RESTRICT) {
        ew_columns_restrict(&in, single);
    } else if (kind == EW_SWEEP_PROLONG) {
        ew_columns_prolong(&in);
    }
    for (int32_t i = 0; kind == EW_SWEEP_FORWARD && i < own.n; i++) {
        ew_columns_forward_row(&own, i, single, &in);
    }
    for (int32_t i = own.n - 1; kind == EW_SWEEP_BACKWARD && i >= 0; i--) {
        ew_columns_backward_row(&own, i, single, &in);
    }
}

EW_INLINE void ew_columns_sweep_any(ew_sweep_kind kind, const ew_sweep *in)
{
    if (in->first->block) {
        ew_columns_pass(kind, in, true);
    } else {
        ew_columns_pass(kind, in, false);
    }
}

#endif
