/* edge_lanes: private to assembly. The product of quadratic tets, four tets side by side or, two
 * groups at once, eight (EW_LANE_COUNT), to be compiled for several machines (edge_product.c,
 * edge_product_avx2.c, edge_product_avx512.c) with the same bits. */
#ifndef EW_ASSEMBLY_EDGE_LANES_H
#define EW_ASSEMBLY_EDGE_LANES_H

#include "assembly/host/blocks.h"

#ifndef EW_LANE_COUNT
#define EW_LANE_COUNT 4
#endif
typedef double ew_lanes_side_by_side __attribute__((vector_size(8 * EW_LANE_COUNT)));
#define EW_LANES ew_lanes_side_by_side
#include "quadratic.h"

#include <stddef.h>

/* Groups side by side. */
enum { EW_GROUPS_AT_ONCE = EW_LANE_COUNT / EW_GROUP_TETS };

/* Number k of the tet in lane l, node being the first group of some that follow one another. */
EW_EVERYWHERE int32_t ew_lanes_number(const int32_t *node, int k, int l)
{
    return node[EW_GROUP_TETS * (EW_GROUP_NUMBERS * (l / EW_GROUP_TETS) + k) + l % EW_GROUP_TETS];
}

/* The groups [begin, end) of a part; widest: those from begin on that make eight lanes, and where
 * it stopped. */
int32_t ew_edge_groups_avx512(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                              int32_t end, const double *x, double *y);
void ew_edge_groups_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                         int32_t end, const double *x, double *y);

/* Two numbers that follow one another. */
typedef double ew_lanes_two __attribute__((vector_size(16), aligned(8), may_alias));

/* A value by lane; even lanes of two, and odd ones. */
#if EW_LANE_COUNT == 8
#define EW_BY_LANE(f) ((ew_lanes){f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)})
#define EW_EVEN(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define EW_ODD(a, b)  __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#else
#define EW_BY_LANE(f) ((ew_lanes){f(0), f(1), f(2), f(3)})
#define EW_EVEN(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define EW_ODD(a, b)  __builtin_shufflevector(a, b, 1, 5, 3, 7)
#endif

/* to: the first two numbers of rows 0, 2 (, 4, 6). */
EW_EVERYWHERE void ew_lanes_pairs(const double *const *row, ew_lanes *to)
{
    typedef double four __attribute__((vector_size(32)));
    const four first = __builtin_shufflevector(*(const ew_lanes_two *)row[0],
                                               *(const ew_lanes_two *)row[2], 0, 1, 2, 3);
#if EW_LANE_COUNT == 8
    const four last = __builtin_shufflevector(*(const ew_lanes_two *)row[4],
                                              *(const ew_lanes_two *)row[6], 0, 1, 2, 3);
    *to = __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    *to = first;
#endif
}

/* to [3]: the rows of a vector [][3] that are number k of the tets, by component. */
EW_EVERYWHERE void ew_lanes_gather(const double *vector, const int32_t *node, int k, bool plain,
                                   ew_lanes *to)
{
    static const double zero[3];
    const double *row[EW_LANE_COUNT];
    for (int l = 0; l < EW_LANE_COUNT; l++) {
        const int32_t i = ew_lanes_number(node, k, l), at = !plain && i < 0 ? ~i : i;
        row[l] = !plain && i == EW_NO_EDGE ? zero : vector + 3 * (size_t)at;
    }
    ew_lanes even, odd;
    ew_lanes_pairs(row, &even);
    ew_lanes_pairs(row + 1, &odd);
    to[0] = EW_EVEN(even, odd);
    to[1] = EW_ODD(even, odd);
#define EW_LAST(l) row[l][2]
    to[2] = EW_BY_LANE(EW_LAST);
#undef EW_LAST
}

/* to [3]: the first two components of even tets, of odd ones, and the third ones. */
EW_EVERYWHERE void ew_lanes_turn(const ew_lanes *from, ew_lanes *to)
{
    to[0] = EW_EVEN(from[0], from[1]);
    to[1] = EW_ODD(from[0], from[1]);
    to[2] = from[2];
}

/* Adds what tet l has for its rows to those that the part writes. */
EW_EVERYWHERE void ew_lanes_scatter_tet(const ew_lanes *from, int first, const int32_t *node,
                                        bool plain, int l, double *vector)
{
    for (int k = first; k < EW_GROUP_NODES; k++) {
        const int32_t row = ew_lanes_number(node, k, l);
        const double *pair = (const double *)(from + 3 * k + l % 2) + l / 2 * 2;
        const double *last = (const double *)(from + 3 * k + 2) + l;
        if (plain || row >= 0) {
            double *to = vector + 3 * (size_t)row;
            *(ew_lanes_two *)to += *(const ew_lanes_two *)pair;
            to[2] += *last;
        }
    }
}

/* Tet after tet: two of them may share a row, by whatever corners. */
EW_EVERYWHERE void ew_lanes_scatter(const ew_lanes *from, int first, const int32_t *node,
                                    bool plain, double *vector)
{
    for (int l = 0; l < EW_LANE_COUNT; l++) {
        ew_lanes_scatter_tet(from, first, node, plain, l, vector);
    }
}

/* What tets of a plain group have for their rows, to be added between the stages of the next one: a
 * processor then computes while it waits for rows. */
enum { EW_GROUP_STAGES = 4 };
typedef struct ew_lanes_waiting {
    ew_lanes out[3 * EW_GROUP_NODES];
    const int32_t *node; /* null: none wait */
} ew_lanes_waiting;

/* Those whose turn it is; waiting: null: none wait. */
EW_EVERYWHERE void ew_lanes_add_waiting(const ew_lanes_waiting *waiting, int stage, double *y)
{
    enum { TETS = EW_LANE_COUNT / EW_GROUP_STAGES };
    for (int l = TETS * stage; waiting && waiting->node && l < TETS * (stage + 1); l++) {
        ew_lanes_scatter_tet(waiting->out, 0, waiting->node, true, l, y);
    }
}

EW_EVERYWHERE void ew_lanes_add_all_waiting(ew_lanes_waiting *waiting, double *y)
{
    for (int stage = 0; stage < EW_GROUP_STAGES; stage++) {
        ew_lanes_add_waiting(waiting, stage, y);
    }
    waiting->node = NULL;
}

/* The region of the tet in lane l: the first of a group says by its sign that the group is plain.
 */
EW_EVERYWHERE int32_t ew_lanes_region(const int32_t *node, int l)
{
    const int32_t region = ew_lanes_number(node, EW_GROUP_NODES, l);
    return region < 0 ? ~region : region;
}

/* Gradients [4][3], V lambda and V mu. */
EW_EVERYWHERE void ew_lanes_prepare(const ew_edge_product *product, const int32_t *node, bool plain,
                                    ew_lanes *g, ew_lanes *v_lambda, ew_lanes *v_mu)
{
    ew_lanes x[12], volume;
    for (int k = 0; k < 4; k++) {
        ew_lanes_gather(product->xyz, node, k, plain, x + 3 * k);
    }
    ew_lanes_gradients(x, g, &volume);
    const double *lame[EW_LANE_COUNT];
    for (int l = 0; l < EW_LANE_COUNT; l++) {
        lame[l] = product->lame + 2 * (size_t)ew_lanes_region(node, l);
    }
#define EW_LAMBDA(l) lame[l][0]
#define EW_MU(l)     lame[l][1]
    *v_lambda = volume * EW_BY_LANE(EW_LAMBDA);
    *v_mu = volume * EW_BY_LANE(EW_MU);
#undef EW_LAMBDA
#undef EW_MU
}

/* x [18]: corners of tet l of a group, and its own axes where there are any. */
EW_EVERYWHERE void ew_lanes_place(const ew_edge_product *product, const int32_t *node, int l,
                                  const ew_lanes *place, double *x)
{
    for (int k = 0; k < 12; k++) {
        x[k] = place[k][l];
    }
    if (product->materials->axes) {
        const ptrdiff_t group = (node - product->node) / (EW_GROUP_TETS * EW_GROUP_NUMBERS);
        ew_materials_put_axes(product->materials, product->tet[EW_GROUP_TETS * group + l], x);
    }
}

/* Gradients, and V times the moduli [21] of laws of any kind, by tet. */
EW_EVERYWHERE void ew_lanes_prepare_any(const ew_edge_product *product, const int32_t *node,
                                        ew_lanes *g, ew_lanes *law)
{
    ew_lanes x[12];
    for (int k = 0; k < 4; k++) {
        ew_lanes_gather(product->xyz, node, k, false, x + 3 * k);
    }
    for (int l = 0; l < EW_LANE_COUNT; l++) {
        const double *moduli =
            product->moduli + EW_MODULI_CONSTANTS * (size_t)ew_lanes_region(node, l);
        double own[18], term[33];
        ew_lanes_place(product, node, l, x, own);
        ew_anisotropic_prepare(own, moduli, term);
        for (int k = 0; k < 12; k++) {
            g[k][l] = term[k];
        }
        for (int k = 0; k < 21; k++) {
            law[k][l] = term[12 + k];
        }
    }
}

/* waiting: adds what is there and leaves the group's own in its place; null: adds its own. */
EW_EVERYWHERE void ew_edge_group(const ew_edge_product *product, ew_edge_part part, bool plain,
                                 bool any_law, const int32_t *node, const double *x, double *y,
                                 ew_lanes_waiting *waiting)
{
    ew_lanes g[12], law[21], u[12], c[18], s[24], linear[6], q[12], f[18];
    ew_lanes_waiting own;
    ew_lanes *out = waiting ? waiting->out : own.out;
    const ew_lanes *v_mu = any_law ? NULL : law + 1;
    if (any_law) {
        ew_lanes_prepare_any(product, node, g, law);
    } else {
        ew_lanes_prepare(product, node, plain, g, law, law + 1);
    }
    for (int k = 0; k < 4 && part != EW_EDGE_OF_EDGES; k++) {
        ew_lanes_gather(x, node, k, plain, u + 3 * k);
    }
    if (part == EW_EDGE_OF_CORNERS) {
        ew_lanes_product_of_corners(g, law, v_mu, u, f);
    } else {
        for (int k = 0; k < 6; k++) {
            ew_lanes_gather(x, node, 4 + k, plain, c + 3 * k);
        }
        ew_lanes_add_waiting(waiting, 0, y);
        if (part != EW_EDGE_OF_EDGES) {
            ew_lanes_linear_stress(g, law, v_mu, u, linear);
        }
        ew_lanes_add_waiting(waiting, 1, y);
        ew_lanes_edge_stress(g, law, v_mu, c, s);
        ew_lanes_add_waiting(waiting, 2, y);
        ew_lanes_corner_forces(g, part == EW_EDGE_OF_EDGES ? NULL : linear, part == EW_EDGE_WHOLE,
                               s, q);
        ew_lanes_add_waiting(waiting, 3, y);
        ew_lanes_edge_forces(g, s, f);
        for (int k = 0; k < 4; k++) {
            ew_lanes_turn(q + 3 * k, out + 3 * k);
        }
    }
    for (int k = 0; k < 6; k++) {
        ew_lanes_turn(f + 3 * k, out + 3 * (4 + k));
    }
    if (waiting) {
        waiting->node = node;
    } else {
        ew_lanes_scatter(out, part == EW_EDGE_OF_CORNERS ? 4 : 0, node, plain, y);
    }
}

/* Groups whose part writes all of their rows, none of which is missing, need no questions. */
EW_EVERYWHERE bool ew_lanes_plain(const int32_t *node)
{
    bool plain = true;
    for (int l = 0; l < EW_LANE_COUNT; l += EW_GROUP_TETS) {
        plain = plain && ew_lanes_number(node, EW_GROUP_NODES, l) >= 0;
    }
    return plain;
}

EW_EVERYWHERE void ew_edge_group_any(const ew_edge_product *product, ew_edge_part part,
                                     const int32_t *node, const double *x, double *y,
                                     ew_lanes_waiting *waiting)
{
    if (product->moduli) {
        ew_edge_group(product, part, false, true, node, x, y, NULL);
    } else if (ew_lanes_plain(node)) {
        ew_edge_group(product, part, true, false, node, x, y,
                      part == EW_EDGE_OF_CORNERS ? NULL : waiting);
    } else {
        ew_lanes_add_all_waiting(waiting, y);
        ew_edge_group(product, part, false, false, node, x, y, NULL);
    }
}

/* Asks for the rows of edges of some groups: those of corners are near one another. Of every second
 * tet alone, for those beside it share most. */
EW_EVERYWHERE void ew_lanes_ask(const int32_t *node, const double *x, double *y)
{
    for (int k = 4; k < EW_GROUP_NODES; k++) {
        for (int l = 0; l < EW_LANE_COUNT; l += 2) {
            const int32_t row = ew_lanes_number(node, k, l);
            const size_t at =
                24 * (size_t)(row < 0 ? ~row : row); /* may be no row: numbers, no pointers */
            __builtin_prefetch((const void *)((uintptr_t)x + at), 0);
            __builtin_prefetch((const void *)((uintptr_t)y + at), 1);
        }
    }
}

/* The groups from number i on that fill the lanes; asks for the rows of those that follow. */
EW_EVERYWHERE const int32_t *ew_lanes_take(const ew_edge_product *list, int32_t i, int32_t end,
                                           const double *x, double *y)
{
    const size_t numbers = (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS;
    const int32_t *node = list->node + numbers * (size_t)i;
    if (i + 2 * EW_GROUPS_AT_ONCE <= end) {
        ew_lanes_ask(node + numbers * EW_GROUPS_AT_ONCE, x, y);
    }
    return node;
}

/* The groups from begin on that make whole lanes; where it stopped. */
EW_EVERYWHERE int32_t ew_edge_groups_any(const ew_edge_product *product, ew_edge_part part,
                                         int32_t begin, int32_t end, const double *x, double *y)
{
    const ew_edge_product own = *product; /* which no store to y can touch */
    ew_lanes_waiting waiting = {.node = NULL};
    int32_t i = begin;
    for (; i + EW_GROUPS_AT_ONCE <= end; i += EW_GROUPS_AT_ONCE) {
        const int32_t *node = ew_lanes_take(&own, i, end, x, y);
        switch (part) { /* each compiled for itself */
        case EW_EDGE_ALL:
            ew_edge_group_any(&own, EW_EDGE_ALL, node, x, y, &waiting);
            break;
        case EW_EDGE_WHOLE:
            ew_edge_group_any(&own, EW_EDGE_WHOLE, node, x, y, &waiting);
            break;
        case EW_EDGE_OF_EDGES:
            ew_edge_group_any(&own, EW_EDGE_OF_EDGES, node, x, y, &waiting);
            break;
        default:
            ew_edge_group_any(&own, EW_EDGE_OF_CORNERS, node, x, y, &waiting);
        }
    }
    ew_lanes_add_all_waiting(&waiting, y);
    return i;
}

#endif
