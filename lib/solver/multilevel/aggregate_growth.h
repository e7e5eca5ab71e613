/* growth: private to solver. One aggregate grown from a seed over rows that have none.
 *
 * The *strength* of a pair is how many of EW_STRENGTHS shares, ascending, are below
 * |K_ab|^2 / (|K_aa| |K_bb|) (Frobenius norms). It is *strong* from the aggregates' `cut` on, which
 * is the usual one of 0.02^2 unless many pairs are about as strong as that: then it lies in the
 * widest gap of all strengths, for a cut through the pairs of a kind leaves aggregates that are
 * neither whole nor apart. Weak are those from a stiff body to a soft one around it, from a sliver
 * to the tets beside it, and the long edges of flat cells. Aggregates are connected by strong pairs
 * as far as possible: a rigid mode that ends between rows tied together would be as stiff as the
 * tie. With equations a block of rank 1 is never strong. */
#ifndef EW_SOLVER_AGGREGATE_GROWTH_H
#define EW_SOLVER_AGGREGATE_GROWTH_H

#include "solver/multilevel/aggregates.h"

/* Powers of two from 2^-15 to 2^-5, |K_ab| from 0.0055 to 0.18 of the norms' mean, and the usual
 * share: in meshes of fair tets |K_ab| is at about 0.1 to 0.5 of it, seldom below 0.02. */
enum { EW_STRENGTHS = 12, EW_USUAL_STRENGTH = 5 };
extern const double ew_strength_share[EW_STRENGTHS]; /* ascending */

/* Rows next to the aggregate that grows, side by side for the search of the best. */
typedef struct ew_frontier {
    int32_t n, capacity;
    int32_t *row;        /* [n] owned, as what follows */
    double *x, *y, *z;   /* positions */
    double *connections; /* to rows of the aggregate */
    double *score;       /* work */
} ew_frontier;

typedef struct ew_aggregate_growth {
    const ew_pattern *pattern; /* borrowed */
    const double *xyz;         /* borrowed */
    ew_aggregates *aggregates; /* of_row is written, `slot` is worked with; nothing else */
    int32_t begin, end;   /* of rows in this range alone: others are neither read nor written */
    ew_frontier frontier; /* owned */
    ew_list taken;        /* rows of the aggregate grown last, in order */
    ew_list seed;         /* rows left next to finished aggregates: seeds of others */
    bool weak;            /* weak pairs connect, too */
    double sum[3];        /* of the positions of the rows taken */
} ew_aggregate_growth;

/* Gives `seed` and rows around it, `size` at most, to the aggregate. On failure of_row may name it
 * already. */
ew_status ew_aggregate_growth_run(ew_aggregate_growth *growth, int32_t seed, int32_t aggregate,
                                  int32_t size);
void ew_aggregate_growth_free(ew_aggregate_growth *growth);

/* 0 to EW_STRENGTHS; 0 in a free slot, EW_STRENGTHS where there are no blocks to judge by. */
uint8_t ew_aggregate_growth_strength(const ew_fine_level *fine, int32_t pair);
/* The same, with the roots of the norms of diagonal blocks at hand: root[row]. */
double ew_aggregate_growth_root(const ew_matrix *matrix, int32_t row);
uint8_t ew_aggregate_growth_strength_by_roots(const ew_fine_level *fine, const double *root,
                                              int32_t pair);

/* The cut for pairs of which there are count[] live ones of each strength. */
int32_t ew_aggregate_growth_choose_cut(const int32_t count[EW_STRENGTHS + 1]);

/* Connections of a row that count in a search. */
typedef struct ew_search {
    const ew_pattern *pattern;
    const ew_aggregates *aggregates; /* of_row, strong */
    const double *xyz;
    const int32_t *count; /* [n] rows of the aggregates */
    const double *center; /* [n][stride] */
    int32_t stride;
    bool weak;                    /* weak pairs count, too */
    int32_t min;                  /* connections that an aggregate must have with the row, */
    int32_t min_count, max_count; /* and rows, its own aside */
} ew_search;
/* The nearest of the row's neighboring aggregates, its own included, -1: none; the square of its
 * distance. */
int32_t ew_search_nearest(const ew_search *search, int32_t row, double *square);
/* The same without its own. */
int32_t ew_search_nearest_other(const ew_search *search, int32_t row, double *square);

#endif
