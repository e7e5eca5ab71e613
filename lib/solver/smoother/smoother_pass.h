/* sweep: private to solver. The sweeps of chunks, to be compiled for several machines (smoother.c,
 * smoother_avx2.c). In: a residual, by row. Out: the correction, by row. Each block is read once in
 * a sweep and serves both its rows: it is gathered from the earlier row while the later one is
 * summed, and scattered back as soon as that one is known.
 *
 * Rows of a chunk wait for each other, one after the other, so that a processor would mostly wait,
 * too. Two chunks are swept at once, a row of each in turn. */
#ifndef EW_SOLVER_SWEEP_H
#define EW_SOLVER_SWEEP_H

#include "solver/smoother/lanes.h"
#include "solver/smoother/smoother.h"

#include <string.h>

typedef enum ew_sweep_kind {
    EW_SWEEP_FORWARD,
    EW_SWEEP_RESTRICT,
    EW_SWEEP_PROLONG,
    EW_SWEEP_BACKWARD
} ew_sweep_kind;

/* Arguments of ew_chunks_forward, ew_chunk_restrict (out: coarse), ew_chunk_prolong and
 * ew_chunks_backward. */
typedef struct ew_sweep {
    const ew_chunk *first, *second;
    const double *r, *coarse;
    double *z, *t, *out;
} ew_sweep;

/* Compiled for AVX2, with the same bits; where the compiler has no such thing it must not be
 * called. (smoother_avx2.c) */
void ew_sweep_avx2(ew_sweep_kind kind, const ew_sweep *in);

typedef struct ew_block_rows {
    ew_four row[3];
} ew_block_rows;

EW_INLINE void ew_load_block(const ew_chunk *chunk, bool single, int32_t at, ew_block_rows *k)
{
    for (int i = 0; i < 3; i++) {
        const size_t from = 9 * (size_t)at + 3 * (size_t)i;
        if (single) {
            ew_load_single(chunk->block + from, &k->row[i]);
        } else {
            k->row[i] = *(const ew_four *)(chunk->block_double + from);
        }
    }
}

/* The hardware's own prefetcher loses the blocks at the end of every row. In blocks. */
#define EW_SWEEP_AHEAD 40

EW_INLINE void ew_prefetch_block(const ew_chunk *own, bool single, int32_t at)
{
    const uintptr_t base = single ? (uintptr_t)own->block : (uintptr_t)own->block_double;
    const uintptr_t size = 9 * (single ? sizeof(float) : sizeof(double));
    /* harmless beyond the ends */
    EW_PREFETCH((const void *)(base + size * (uintptr_t)(intptr_t)at));
}

/* v less what of it is along the oblique directions of row i, if it has any. */
EW_INLINE void ew_project_row(const ew_chunk *own, int32_t i, ew_four *v)
{
    if (own->normal && own->row[i].fixed & EW_OBLIQUE) {
        double free[3] = {(*v)[0], (*v)[1], (*v)[2]};
        ew_take_out_normals(own->normal + 6 * (size_t)i, free, 1);
        *v = (ew_four){free[0], free[1], free[2], 0.0};
    }
}

/* sum += K x over the blocks [begin, end), columns still apart */
EW_INLINE void ew_gather_blocks(const ew_chunk *own, bool single, int32_t begin, int32_t end,
                                int32_t ahead, const double *x, ew_block_rows *sum)
{
    ew_block_rows k;
    for (int32_t at = begin; at < end; at++) {
        ew_prefetch_block(own, single, at + ahead);
        const ew_four v = *(const ew_four *)(x + 4 * (size_t)own->other[at]);
        ew_load_block(own, single, at, &k);
        for (int i = 0; i < 3; i++) {
            sum->row[i] += k.row[i] * v;
        }
    }
}

/* y -= K^T x over the blocks [begin, end) */
EW_INLINE void ew_scatter_blocks(const ew_chunk *own, bool single, int32_t begin, int32_t end,
                                 const ew_four *x, double *y)
{
    ew_four x0, x1, x2;
    ew_block_rows k;
    ew_spread((*x)[0], &x0);
    ew_spread((*x)[1], &x1);
    ew_spread((*x)[2], &x2);
    for (int32_t at = begin; at < end; at++) {
        ew_four *to = (ew_four *)(y + 4 * (size_t)own->other[at]);
        ew_load_block(own, single, at, &k);
        *to -= (k.row[0] * x0 + k.row[1] * x1) + k.row[2] * x2; /* rows wait for it: one step */
    }
}

/* x = (D + T)^-1 s; extra: T in all places. */
EW_INLINE void ew_invert_row(const ew_chunk *own, int32_t i, bool single, const ew_four *s,
                             ew_four *x, ew_four *extra)
{
    ew_four column[3], part[3];
    for (int c = 0; c < 3; c++) { /* it is symmetric, but for the fourth of a row */
        if (single) {
            ew_load_single(own->row[i].inverse + 3 * c, &column[c]);
        } else {
            column[c] = *(const ew_four *)(own->row_double[i].inverse + 3 * c);
        }
        ew_spread((*s)[c], &part[c]);
    }
    ew_spread(single ? (double)own->row[i].extra : own->row_double[i].extra, extra);
    *x = (column[0] * part[0] + column[1] * part[1]) + column[2] * part[2];
    ew_clear_fourth(x);
}

EW_INLINE void ew_forward_row(const ew_chunk *own, int32_t i, bool single, const ew_sweep *in)
{
    const ew_chunk_row *at = &own->row[i];
    const size_t row = (size_t)at->row;
    ew_block_rows sum = {{{0.0}, {0.0}, {0.0}}};
    ew_four s, kx, x, extra;
    ew_load_three(in->r + 3 * row, &s);
    ew_gather_blocks(own, single, at->inside, at->across, EW_SWEEP_AHEAD, in->z, &sum);
    ew_add_across(&sum.row[0], &sum.row[1], &sum.row[2], &kx);
    s -= kx;
    ew_invert_row(own, i, single, &s, &x, &extra);
    *(ew_four *)(in->z + 4 * row) = x;
    *(ew_four *)(in->t + 4 * row) = extra * x;
    ew_scatter_blocks(own, single, at->inside, at->across, &x, in->t);
}

EW_INLINE void ew_sweep_forward(const ew_sweep *sweep, bool single)
{
    const ew_sweep in = *sweep; /* which no store to z or t can touch */
    const ew_chunk first = *in.first, second = *in.second;
    const int32_t both = first.n < second.n ? first.n : second.n;
    for (int32_t i = 0; i < both; i++) {
        ew_forward_row(&first, i, single, &in);
        ew_forward_row(&second, i, single, &in);
    }
    for (int32_t i = both; i < first.n; i++) {
        ew_forward_row(&first, i, single, &in);
    }
    for (int32_t i = both; i < second.n; i++) {
        ew_forward_row(&second, i, single, &in);
    }
}

EW_INLINE void ew_turn(const ew_four *v, ew_four *to)
{
    *to = (ew_four){(*v)[1], (*v)[2], (*v)[0], (*v)[3]};
}

EW_INLINE void ew_sweep_restrict(const ew_sweep *sweep, bool single)
{
    const ew_sweep in = *sweep;
    const ew_chunk own = *in.first;
    for (int32_t j = 0; j < own.n_aggregate; j++) {
        ew_four force = {0.0}, moment = {0.0}; /* the moment about z, x and y */
        for (int32_t i = own.first[j]; i < own.first[j + 1]; i++) {
            const unsigned fixed = own.row[i].fixed;
            ew_block_rows sum = {{{0.0}, {0.0}, {0.0}}};
            ew_four kz, s, d, turned_s, turned_d;
            s = *(const ew_four *)(in.t + 4 * (size_t)own.row[i].row);
            if (own.row[i].across < own.row[i + 1].inside) {
                ew_gather_blocks(&own, single, own.row[i].across, own.row[i + 1].inside,
                                 EW_SWEEP_AHEAD, in.z, &sum);
                ew_add_across(&sum.row[0], &sum.row[1], &sum.row[2], &kz);
                s -= kz;
            }
            for (int c = 0; c < 3 && fixed; c++) {
                s[c] = fixed >> c & 1 ? 0.0 : s[c];
            }
            ew_project_row(&own, i, &s);
            ew_load_three(own.place + 3 * (size_t)i, &d);
            ew_turn(&s, &turned_s);
            ew_turn(&d, &turned_d);
            force += s;
            moment += d * turned_s - turned_d * s;
        }
        const double to[6] = {force[0], force[1], force[2], moment[1], moment[2], moment[0]};
        memcpy(in.out + 6 * (size_t)own.aggregate[j], to, sizeof to);
    }
}

/* A rotation w moves a place d by w x d. */
EW_INLINE void ew_sweep_prolong(const ew_sweep *sweep)
{
    const ew_sweep in = *sweep;
    const ew_chunk own = *in.first;
    for (int32_t j = 0; j < own.n_aggregate; j++) {
        const double *q = in.coarse + 6 * (size_t)own.aggregate[j];
        const ew_four shift = {q[0], q[1], q[2], 0.0};
        const ew_four by_x = {0.0, q[5], -q[4], 0.0}, by_y = {-q[5], 0.0, q[3], 0.0},
                      by_z = {q[4], -q[3], 0.0, 0.0};
        for (int32_t i = own.first[j]; i < own.first[j + 1]; i++) {
            const double *d = own.place + 3 * (size_t)i;
            const unsigned fixed = own.row[i].fixed;
            ew_four *to = (ew_four *)(in.z + 4 * (size_t)own.row[i].row);
            ew_four dx, dy, dz;
            ew_spread(d[0], &dx);
            ew_spread(d[1], &dy);
            ew_spread(d[2], &dz);
            ew_four move = shift + ((by_x * dx + by_y * dy) + by_z * dz);
            for (int c = 0; c < 3 && fixed; c++) {
                move[c] = fixed >> c & 1 ? 0.0 : move[c];
            }
            ew_project_row(&own, i, &move);
            *to += move;
            *(ew_four *)(in.t + 4 * (size_t)own.row[i].row) = (ew_four){0.0};
        }
    }
}

EW_INLINE void ew_backward_row(const ew_chunk *own, int32_t i, bool single, const ew_sweep *in)
{
    const ew_chunk_row *at = &own->row[i];
    const size_t row = (size_t)at->row;
    ew_block_rows sum = {{{0.0}, {0.0}, {0.0}}};
    ew_four s, kz, x, extra;
    ew_load_three(in->r + 3 * row, &s);
    ew_spread(single ? (double)at->extra : own->row_double[i].extra, &extra);
    ew_gather_blocks(own, single, at->inside, at[1].inside, -EW_SWEEP_AHEAD, in->z, &sum);
    ew_add_across(&sum.row[0], &sum.row[1], &sum.row[2], &kz);
    s = ((s + *(const ew_four *)(in->t + 4 * row)) + extra * *(const ew_four *)(in->z + 4 * row)) -
        kz;
    ew_invert_row(own, i, single, &s, &x, &extra);
    ew_store_three(&x, in->out + 3 * row);
    ew_scatter_blocks(own, single, at->inside, at->across, &x, in->t);
}

EW_INLINE void ew_sweep_backward(const ew_sweep *sweep, bool single)
{
    const ew_sweep in = *sweep;
    const ew_chunk first = *in.first, second = *in.second;
    int32_t i = first.n - 1, k = second.n - 1;
    for (; i >= 0 && k >= 0; i--, k--) {
        ew_backward_row(&first, i, single, &in);
        ew_backward_row(&second, k, single, &in);
    }
    for (; i >= 0; i--) {
        ew_backward_row(&first, i, single, &in);
    }
    for (; k >= 0; k--) {
        ew_backward_row(&second, k, single, &in);
    }
}

EW_INLINE void ew_sweep_any(ew_sweep_kind kind, const ew_sweep *in)
{
    const bool single = in->first->block != NULL;
    if (kind == EW_SWEEP_PROLONG) {
        ew_sweep_prolong(in);
    } else if (kind == EW_SWEEP_FORWARD && single) {
        ew_sweep_forward(in, true);
    } else if (kind == EW_SWEEP_FORWARD) {
        ew_sweep_forward(in, false);
    } else if (kind == EW_SWEEP_RESTRICT && single) {
        ew_sweep_restrict(in, true);
    } else if (kind == EW_SWEEP_RESTRICT) {
        ew_sweep_restrict(in, false);
    } else if (single) {
        ew_sweep_backward(in, true);
    } else {
        ew_sweep_backward(in, false);
    }
}

#endif
