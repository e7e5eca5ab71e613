/* coarse: private to solver. The matrix of the coarse level, P^T S K S P with the rigid-body modes
 * P of the aggregates and the filter S of the constraints, oblique ones included: a diagonal-edge
 * matrix with 6x6 blocks on a pattern of aggregates, whose pairs are those that a fine pair
 * connects. It is built, revalidated and verified as every matrix is: fine blocks are the
 * contributors of its source.
 *
 * A row's modes are P_a = [I, R_a]: a translation, and a rotation w about the reference point of
 * its aggregate, which moves it by w x d, d being its place in the frame.
 *
 * Canonical order: block (I, J), I < J, is the sum from zero over the rows a of I, ascending, of
 * P_a^T times the sum from zero over their pairs with rows b of J, ascending, of K_ab P_b. A
 * diagonal block is the sum from zero over the segments of its rows (segments.h), ascending, of:
 * the rows' diagonal blocks, plus (the same sum as above over b > a in I, added to its transpose).
 * Fine rows decide, and no slots of pairs, so a revalidated block has the bits of a rebuilt one on
 * the same aggregates. The blocks of aggregates without rows are the identity. */
#ifndef EW_SOLVER_COARSE_H
#define EW_SOLVER_COARSE_H

#include "assembly/parts/assembly.h"
#include "solver/multilevel/segments.h"

/* Parts of the aggregates that a build gathers each by one thread, after other work of the caller
 * on the same fine blocks, which are then still in the thread's cache. */
typedef struct ew_coarse_parts {
    int32_t n;
    const ew_list *member; /* [n] borrowed: every aggregate that has rows in one of them */
    ew_status (*before)(void *user, int32_t part); /* a failure fails the build */
    void *user;
    ew_peers *peers;      /* processes that gather a part each; null: this one alone */
    const int32_t *owner; /* [n] borrowed: of each part, the process */
} ew_coarse_parts;

/* Blocks gathered from a fine level; borrows all. */
typedef struct ew_coarse_source {
    ew_source source;
    const ew_fine_level *fine;
    const ew_aggregates *aggregates;
    const ew_set *touched; /* of a change: the aggregates it touched; null: pairs of touched rows
                              with any */
    ew_segments *segments; /* partial sums, brought up to date; null: none are kept */
    const ew_coarse_parts *parts; /* of a build on the host; null: one by one */
} ew_coarse_source;
ew_coarse_source ew_coarse_source_of(const ew_pattern *pattern, const ew_fine_level *fine,
                                     const ew_aggregates *aggregates);

/* Brings the pattern of aggregates up to date and fills the change: the rows of the aggregates in
 * the set (its list ascending) and the pairs between two of them are touched. Fine pairs that
 * changed must lie between aggregates of the set. The pattern's revision advances. On failure it is
 * 0 and the pattern must be built again. segments: as in the source. */
ew_status ew_coarse_update_pattern(ew_pattern *pattern, const ew_pattern *fine,
                                   const ew_aggregates *aggregates, const ew_set *touched,
                                   const ew_segments *segments, ew_pattern_change *change);
/* The pattern from scratch. */
ew_status ew_coarse_build_pattern(ew_pattern *pattern, const ew_pattern *fine,
                                  const ew_aggregates *aggregates);

#endif
