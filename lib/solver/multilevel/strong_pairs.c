/* Which pairs tie their rows together (aggregate_growth.h). In: the fine level. Out: the cut, and a
 * bit for each pair. Where rows are dealt to processes each judges the pairs whose lower row it
 * has, and all get the strengths of all. */
#include "solver/krylov/dealt.h"
#include "solver/multilevel/aggregate_growth.h"

#include <string.h>

static int32_t count_bits(uint64_t word)
{
    int32_t n = 0;
    for (; word; word &= word - 1) {
        n++;
    }
    return n;
}

/* Rows of this process, [*begin, *end). */
static void own_rows(const ew_fine_level *fine, int32_t *begin, int32_t *end)
{
    const ew_dealt *dealt = fine->dealt;
    *begin = dealt ? dealt->row[0][0] : 0;
    *end = dealt ? *begin + dealt->n_own_stored : fine->pattern->n_row;
}

/* By bits: what others have is zero here. */
static ew_status join(const ew_fine_level *fine, size_t bytes, void *value)
{
    const ew_dealt *dealt = fine->dealt;
    if (!dealt) {
        return EW_OK;
    }
    dealt->peers->join(dealt->peers->user, (int64_t)(bytes / sizeof(double)), value);
    return dealt->peers->status(dealt->peers->user);
}

static ew_status find_roots(const ew_fine_level *fine, double *root)
{
    int32_t begin, end;
    own_rows(fine, &begin, &end);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(end - begin, 1000))
    for (int32_t row = begin; row < end; row++) {
        root[row] = ew_aggregate_growth_root(fine->matrix, row);
    }
    return join(fine, (size_t)fine->pattern->n_row * sizeof *root, root);
}

/* root: of the rows, null where there are no blocks. */
static ew_status find_strengths(const ew_fine_level *fine, const double *root, uint8_t *strength)
{
    const int32_t n_pair = fine->pattern->n_pair, *row = fine->pattern->pair_row;
    const size_t bytes = ((size_t)n_pair + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    int32_t begin, end;
    own_rows(fine, &begin, &end);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_pair, 2000))
    for (int32_t pair = 0; pair < n_pair; pair++) {
        const int32_t low = row[2 * (size_t)pair];
        if (low < end && (low < 0 || low >= begin)) {
            strength[pair] = root ? ew_aggregate_growth_strength_by_roots(fine, root, pair)
                                  : ew_aggregate_growth_strength(fine, pair);
        }
    }
    return join(fine, bytes, strength);
}

/* Live pairs of each strength. */
static void count_strengths(const ew_pattern *pattern, const uint8_t *strength,
                            int32_t count[EW_STRENGTHS + 1])
{
    const int32_t n_pair = pattern->n_pair;
#pragma omp parallel for schedule(static) reduction(+ : count[ : EW_STRENGTHS + 1])                \
    num_threads(ew_threads_for(n_pair, 2000))
    for (int32_t pair = 0; pair < n_pair; pair++) {
        count[strength[pair]] += pattern->pair_row[2 * (size_t)pair] >= 0;
    }
}

ew_status ew_aggregates_extend_pairs(ew_aggregates *aggregates, int32_t n_pair)
{
    const int32_t before = aggregates->strong_capacity;
    EW_TRY(ew_grow(&aggregates->strong, &aggregates->strong_capacity, n_pair / 64 + 1,
                   sizeof *aggregates->strong));
    memset(aggregates->strong + before, 0,
           (size_t)(aggregates->strong_capacity - before) * sizeof *aggregates->strong);
    return EW_OK;
}

/* The word of pairs [64 k, 64 k + 64). */
static uint64_t judge_word(const uint8_t *strength, int32_t n_pair, int32_t cut, int32_t k)
{
    const int32_t end = n_pair - 64 * k < 64 ? n_pair : 64 * k + 64;
    uint64_t word = 0;
    for (int32_t pair = 64 * k; pair < end; pair++) {
        word |= (uint64_t)(strength[pair] >= cut) << (pair % 64);
    }
    return word;
}

ew_status ew_aggregates_judge(ew_aggregates *aggregates, const ew_fine_level *fine,
                              int32_t *n_other)
{
    const int32_t n_row = fine->pattern->n_row, n_pair = fine->pattern->n_pair;
    int32_t n_different = 0, count[EW_STRENGTHS + 1] = {0};
    double *root = NULL;
    uint8_t *strength = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_aggregates_extend_pairs(aggregates, n_pair));
    EW_TRY_OUT(ew_new_zero(&strength, (size_t)n_pair + sizeof(double), sizeof *strength));
    if (fine->matrix) {
        EW_TRY_OUT(ew_new_zero(&root, (size_t)n_row, sizeof *root));
        EW_TRY_OUT(find_roots(fine, root));
    }
    EW_TRY_OUT(find_strengths(fine, root, strength));
    count_strengths(fine->pattern, strength, count);
    aggregates->cut = ew_aggregate_growth_choose_cut(count);
#pragma omp parallel for schedule(static) reduction(+ : n_different)                               \
    num_threads(ew_threads_for(n_pair, 2000))
    for (int32_t k = 0; k < n_pair / 64 + 1; k++) {
        const uint64_t word = judge_word(strength, n_pair, aggregates->cut, k);
        n_different += count_bits(aggregates->strong[k] ^ word);
        aggregates->strong[k] = word;
    }
    *n_other = n_different;
out:
    ew_release(root);
    ew_release(strength);
    return status;
}
