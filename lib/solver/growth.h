/* growth: private to solver. One aggregate grown from a seed over rows that have none. */
#ifndef EW_SOLVER_GROWTH_H
#define EW_SOLVER_GROWTH_H

#include "aggregates.h"

typedef struct ew_candidate {
    double x[3], connections; /* to rows of the aggregate that grows */
    int32_t row;
} ew_candidate;

typedef struct ew_growth {
    const ew_pattern *pattern; /* borrowed */
    const double *xyz;         /* borrowed */
    ew_aggregates *aggregates; /* of_row is written, `slot` is worked with; nothing else */
    int32_t n_frontier, frontier_capacity, score_capacity;
    ew_candidate *frontier; /* owned */
    double *score;          /* owned */
    ew_list taken;          /* rows of the aggregate grown last, in order */
    ew_list seed;           /* rows left next to finished aggregates: seeds of others */
    double sum[3];          /* of the positions of the rows taken */
} ew_growth;

/* Gives `seed` and rows around it, `size` at most, to the aggregate. On failure of_row may name it
 * already. */
ew_status ew_growth_run(ew_growth *growth, int32_t seed, int32_t aggregate, int32_t size);
void ew_growth_free(ew_growth *growth);

/* The nearest of the aggregates that `row` has at least `least` connections to, -1: none. Those
 * with fewer than `least_count` rows or more than `most_count` are passed over, its own is not.
 * center: [n][3]; distance of the one found to *square. */
int32_t ew_nearest_aggregate(const ew_pattern *pattern, const int32_t *of_row, const int32_t *count,
                             const double *center, int32_t stride, const double *xyz, int32_t row,
                             int32_t least, int32_t least_count, int32_t most_count,
                             double *square);

#endif
