/* Blocks of the coarse matrix. In: aggregates and fine blocks. Out: 6x6 blocks, all of them or
 * those of some aggregates. */
#include "solver/multilevel/coarse.h"

#include "base/affinity_schedule.h"
#include "base/clones.h"
#include "solver/device/device_level.h"
#include "solver/krylov/dealt.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Three numbers, and a fourth that is never looked at. */
typedef double four __attribute__((vector_size(32)));
typedef double four_in_memory __attribute__((vector_size(32), aligned(8), may_alias));
typedef double two __attribute__((vector_size(16)));
typedef double two_in_memory __attribute__((vector_size(16), aligned(8), may_alias));
/* Four of the eight numbers of a and b, by place. */
#if defined(__clang__)
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int64_t four_places __attribute__((vector_size(32)));
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (four_places){__VA_ARGS__})
#endif

/* Sum of K_ab P_b over the rows b of one aggregate, a being the same. */
typedef struct row_sum {
    int32_t other; /* the aggregate, -1: none */
    four move[3];  /* rows of the sum of K_ab */
    four turn[3];  /* rows of the sum of K_ab R_b, times the length; columns as 2 0 1 */
} row_sum;
/* A row with more aggregates around it than this is summed in several parts. */
enum { ROW_SUMS = 8 };

typedef struct gathering {
    const ew_set *touched; /* aggregates with which pairs are gathered, null: all */
    ew_matrix *coarse;
    const ew_pattern *pattern;
    const ew_fine_level *fine;
    const ew_aggregates *aggregates;
    int32_t own, n_sum, oldest;
    bool whole;          /* the diagonal block is gathered, too: */
    double diagonal[36]; /* diagonal blocks of the segment's rows, */
    double inner[36];    /* and pairs inside the aggregate, each once */
    row_sum sum[ROW_SUMS];
} gathering;

/* The rows of a block; the fourth of each is anything. */
INLINE void load_block(const double *from, bool transposed, four k[3])
{
    const four first = (four) * (const four_in_memory *)from,
               second = (four) * (const four_in_memory *)(from + 3),
               third = (four) * (const four_in_memory *)(from + 5); /* nothing beyond the block */
    if (transposed) {
        const four low = SHUFFLE(first, second, 0, 4, 1, 5);
        k[0] = SHUFFLE(low, third, 0, 1, 5, 5);
        k[1] = SHUFFLE(low, third, 2, 3, 6, 6);
        k[2] = SHUFFLE(SHUFFLE(first, second, 2, 6, 2, 6), third, 0, 1, 7, 7);
    } else {
        k[0] = first;
        k[1] = second;
        k[2] = SHUFFLE(third, third, 1, 2, 3, 3);
    }
}

/* S_a K S_b */
INLINE void filter_block(unsigned fixed_a, unsigned fixed_b, four k[3])
{
    for (int i = 0; i < 9; i++) {
        const bool cleared = (fixed_a >> i / 3 & 1) || (fixed_b >> i % 3 & 1);
        k[i / 3][i % 3] = cleared ? 0.0 : k[i / 3][i % 3];
    }
}

/* P K P at rows with oblique directions. */
static void project_block(const ew_fine_level *fine, int32_t a, int32_t b, four block[3])
{
    const double *left = ew_fine_normal(fine, a), *right = ew_fine_normal(fine, b);
    double k[9];
    for (int i = 0; i < 9; i++) {
        k[i] = block[i / 3][i % 3];
    }
    for (int i = 0; i < 3; i++) {
        if (left) {
            ew_take_out_normals(left, k + i, 3);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (right) {
            ew_take_out_normals(right, k + 3 * i, 1);
        }
    }
    for (int i = 0; i < 9; i++) {
        block[i / 3][i % 3] = k[i];
    }
}

/* S_a K S_b, projected. stored: the block, or its transpose. */
INLINE void take_block(const ew_fine_level *fine, int32_t a, int32_t b, const double *stored,
                       bool transposed, four k[3])
{
    const unsigned fixed_a = fine->fixed[a], fixed_b = fine->fixed[b];
    load_block(stored, transposed, k);
    if (fixed_a | fixed_b) {
        filter_block(fixed_a, fixed_b, k);
        if ((fixed_a | fixed_b) & EW_OBLIQUE) {
            project_block(fine, a, b, k);
        }
    }
}

/* sum += K P_b; offset: of b from the reference point, not divided by the length. */
INLINE void add_block(const four k[3], const double offset[3], row_sum *sum)
{
    const four d = {offset[0], offset[1], offset[2], 0.0},
               next = {offset[1], offset[2], offset[0], 0.0};
    for (int i = 0; i < 3; i++) {
        const four after = SHUFFLE(k[i], k[i], 1, 2, 0, 3);
        sum->move[i] += k[i];
        sum->turn[i] += d * after - next * k[i]; /* offset x row */
    }
}

INLINE void open_sum(row_sum *sum, int32_t other)
{
    sum->other = other;
    for (int i = 0; i < 3; i++) {
        sum->move[i] = sum->turn[i] = (four){0.0, 0.0, 0.0, 0.0};
    }
}

/* Row of six: to += from */
INLINE void add_six(const four *low, const two *high, double *to)
{
    *(four_in_memory *)to += *low;
    *(two_in_memory *)(to + 4) += *high;
}

/* block += P_a^T sum */
INLINE void add_sum(const row_sum *sum, double length, const double a[3], double block[36])
{
    const four divisor = {length, length, length, length};
    four low[3];
    two high[3];
    for (int i = 0; i < 3; i++) {
        const four turn = sum->turn[i] / divisor;
        low[i] = SHUFFLE(sum->move[i], turn, 0, 1, 2, 5);
        high[i] = (two){turn[2], turn[0]};
        add_six(&low[i], &high[i], block + 6 * i);
    }
    for (int i = 0; i < 3; i++) { /* a x rows */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const four first = a[j] * low[k] - a[k] * low[j];
        const two second = a[j] * high[k] - a[k] * high[j];
        add_six(&first, &second, block + 18 + 6 * i);
    }
}

INLINE bool is_gathered(const gathering *in, int32_t other)
{
    return other == in->own ? in->whole : !in->touched || ew_set_has(in->touched, other);
}

/* Sums over aggregates whose pairs are not gathered took a place, so that the others are cut into
 * the same parts as in a rebuild, and hold nothing. */
INLINE void flush_sum(gathering *in, const row_sum *sum, const double a[3])
{
    const int32_t own = in->own, other = sum->other;
    double *block = in->inner;
    if (!is_gathered(in, other)) {
        return;
    }
    if (other != own) {
        block = in->coarse->pair + 36 * (size_t)ew_pattern_pair_between(in->pattern, own, other);
    }
    add_sum(sum, in->aggregates->frame[4 * (size_t)other + 3], a, block);
}

/* The sum for an aggregate; where all are taken, that of the one that has been there longest. */
INLINE row_sum *find_sum(gathering *in, int32_t other, const double a[3])
{
    int32_t i = 0;
    while (i < in->n_sum && in->sum[i].other != other) {
        i++;
    }
    if (i < in->n_sum) {
        return &in->sum[i];
    }
    if (i == ROW_SUMS) {
        i = in->oldest;
        in->oldest = (i + 1) % ROW_SUMS;
        flush_sum(in, &in->sum[i], a);
    } else {
        in->n_sum++;
    }
    open_sum(&in->sum[i], other);
    return &in->sum[i];
}

INLINE void find_offset(const gathering *in, int32_t aggregate, int32_t row, double offset[3])
{
    const double *x = in->fine->xyz + 3 * (size_t)row,
                 *center = in->aggregates->frame + 4 * (size_t)aggregate;
    for (int i = 0; i < 3; i++) {
        offset[i] = x[i] - center[i];
    }
}

INLINE void add_row(gathering *in, int32_t a)
{
    const ew_matrix *matrix = in->fine->matrix;
    const uint8_t *fixed = in->fine->fixed;
    const int32_t own = in->own;
    int32_t count;
    const int32_t *item = ew_pattern_items(in->fine->pattern, a, &count);
    double place[3], offset[3];
    four k[3];
    int32_t skipped = -1; /* the aggregate that was left out last */
    row_sum diagonal;
    if (fixed[a] == 7) {
        return;
    }
    ew_aggregate_place(in->aggregates, own, in->fine->xyz + 3 * (size_t)a, place);
    if (in->whole) {
        open_sum(&diagonal, own);
        find_offset(in, own, a, offset);
        take_block(in->fine, a, a, matrix->diagonal + 9 * (size_t)a, false, k);
        add_block(k, offset, &diagonal);
        add_sum(&diagonal, in->aggregates->frame[4 * (size_t)own + 3], place, in->diagonal);
    }
    in->n_sum = in->oldest = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t b = item[2 * i], other = in->aggregates->of_row[b];
        if (other < own || (other == own && b < a) || other == skipped || fixed[b] == 7) {
            continue;
        }
        if (!is_gathered(in, other)) {
            skipped = other;
            find_sum(in, other, place);
            continue;
        }
        skipped = -1;
        find_offset(in, other, b, offset);
        take_block(in->fine, a, b, matrix->pair + 9 * (size_t)item[2 * i + 1], a > b, k);
        add_block(k, offset, find_sum(in, other, place));
    }
    for (int32_t i = 0; i < in->n_sum; i++) {
        flush_sum(in, &in->sum[i], place);
    }
}

/* In a large mesh the rows of an aggregate are in main memory, and not side by side: what a row
 * reads is asked for while those before it are added. */
EW_PREFETCHER void prefetch_items(const gathering *in, int32_t row)
{
    const ew_rows *rows = &in->fine->pattern->row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)rows->begin[row];
    EW_PREFETCH(item);
    EW_PREFETCH(item + 16);
    EW_PREFETCH(in->fine->matrix->diagonal + 9 * (size_t)row);
    EW_PREFETCH(in->fine->matrix->diagonal + 9 * (size_t)row + 8);
}

EW_PREFETCHER void prefetch_blocks(const gathering *in, int32_t row)
{
    const ew_rows *rows = &in->fine->pattern->row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)rows->begin[row];
    for (int32_t k = in->fine->pattern->n_lower[row]; k < rows->count[row]; k++) {
        EW_PREFETCH(in->fine->matrix->pair + 9 * (size_t)item[2 * k + 1]);
        EW_PREFETCH(in->fine->matrix->pair + 9 * (size_t)item[2 * k + 1] + 8);
    }
}

EW_CLONES_AVX2 static void add_rows(gathering *in, const int32_t *member, int32_t n_member)
{
    enum { ITEMS_AHEAD = 6, BLOCKS_AHEAD = 2 };
    for (int32_t i = 0; i < n_member; i++) {
        if (i + ITEMS_AHEAD < n_member) {
            prefetch_items(in, member[i + ITEMS_AHEAD]);
        }
        if (i + BLOCKS_AHEAD < n_member) {
            prefetch_blocks(in, member[i + BLOCKS_AHEAD]);
        }
        add_row(in, member[i]);
    }
}

/* The rows of a segment: into pairs that are gathered, and with `to` what they give to the diagonal
 * block. */
static void gather_rows(gathering *in, const int32_t *row, int32_t n, double *to)
{
    in->whole = to != NULL;
    memset(in->diagonal, 0, sizeof in->diagonal);
    memset(in->inner, 0, sizeof in->inner);
    add_rows(in, row, n);
    for (int i = 0; i < 6 && to; i++) {
        for (int j = 0; j < 6; j++) {
            to[6 * i + j] = in->diagonal[6 * i + j] + (in->inner[6 * i + j] + in->inner[6 * j + i]);
        }
    }
}

/* Whatever is constrained: the pairs of the pattern. */
static uint64_t find_mask(const gathering *in, const int32_t *row, int32_t n)
{
    uint64_t mask = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(in->fine->pattern, row[i], &count);
        for (int32_t k = 0; k < count; k++) {
            const int32_t other = in->aggregates->of_row[item[2 * k]];
            mask |= (uint64_t)(other > in->own) << (other % 64);
        }
    }
    return mask;
}

/* The n-th segment of the aggregate. */
static void gather_segment(gathering *in, const ew_segment_choice *wanted, ew_segments *segments,
                           int32_t n, const int32_t *row, int32_t n_row)
{
    const int32_t slot = segments ? ew_segments_slot(segments, in->own, n) : -1;
    double own[36], *sum = segments ? segments->sum + 36 * (size_t)slot : own;
    double *diagonal = in->coarse->diagonal + 36 * (size_t)in->own;
    if (!segments || !segments->is_current[slot]) {
        gather_rows(in, row, n_row, sum);
        if (segments) {
            segments->higher[slot] = find_mask(in, row, n_row);
            segments->is_current[slot] = true;
        }
    } else if (ew_segment_may_have(wanted, in->own, n)) {
        gather_rows(in, row, n_row, NULL);
    }
    for (int i = 0; i < 36; i++) {
        diagonal[i] += sum[i];
    }
}

/* The diagonal block of an aggregate and those of its pairs with higher ones. */
static void gather(ew_matrix *coarse, const ew_coarse_source *of, const ew_set *touched,
                   const ew_segment_choice *wanted, int32_t own)
{
    const ew_pattern *pattern = of->source.pattern;
    int32_t count, n_member, end;
    const int32_t *item = ew_pattern_items(pattern, own, &count);
    const int32_t *member = ew_aggregates_members(of->aggregates, own, &n_member);
    gathering in = {.touched = touched,
                    .coarse = coarse,
                    .pattern = pattern,
                    .fine = of->fine,
                    .aggregates = of->aggregates,
                    .own = own};
    double *diagonal = coarse->diagonal + 36 * (size_t)own;
    for (int i = 0; i < 36; i++) {
        diagonal[i] = n_member == 0 && i % 7 == 0 ? 1.0 : 0.0;
    }
    for (int32_t i = pattern->n_lower[own]; i < count; i++) {
        if (!touched || ew_set_has(touched, item[2 * i])) {
            memset(coarse->pair + 36 * (size_t)item[2 * i + 1], 0, 36 * sizeof *coarse->pair);
        }
    }
    for (int32_t i = 0, n = 0; i < n_member; i = end, n++) {
        end = ew_segment_end(member, n_member, i);
        gather_segment(&in, wanted, of->segments, n, member + i, end - i);
    }
}

/* ---- the source -------------------------------------------------------- */

static ew_status check_source(const ew_source *source)
{
    const ew_coarse_source *of = (const ew_coarse_source *)source;
    return ew_fine_level_check(of->fine);
}

/* By bits: what a process did not gather is zero. */
static ew_status join_parts(ew_matrix *matrix, const ew_pattern *pattern, ew_peers *peers)
{
    peers->join(peers->user, 36 * (int64_t)pattern->n_row, matrix->diagonal);
    peers->join(peers->user, 36 * (int64_t)pattern->n_pair, matrix->pair);
    return peers->status(peers->user);
}

/* All aggregates, part by part. */
static ew_status gather_parts(ew_matrix *matrix, const ew_coarse_source *of)
{
    const ew_coarse_parts *parts = of->parts;
    const ew_peers *peers = parts->peers;
    const ew_segment_choice all = ew_segments_choose(NULL, of->segments);
    const int32_t n = of->source.pattern->n_row;
    ew_schedule schedule = {0};
    bool failed = false;
    if (peers) {
        memset(matrix->diagonal, 0, 36 * (size_t)n * sizeof *matrix->diagonal);
        memset(matrix->pair, 0, 36 * (size_t)of->source.pattern->n_pair * sizeof *matrix->pair);
    }
#pragma omp parallel num_threads(ew_threads_for(n, 8))
    {
        int32_t k;
        for (ew_schedule_cursor h = ew_schedule_begin(&schedule, parts->n);
             ew_schedule_next(&h, &k);) {
            if (peers && parts->owner[k] != peers->rank) {
                continue;
            }
            if (parts->before(parts->user, k)) {
#pragma omp atomic write
                failed = true;
            }
            for (int32_t i = 0; i < parts->member[k].n; i++) {
                gather(matrix, of, NULL, &all, parts->member[k].id[i]);
            }
        }
#pragma omp for schedule(static)
        for (int32_t a = 0; a < n; a++) {
            if (of->aggregates->member.count[a] == 0) {
                gather(matrix, of, NULL, &all, a);
            }
        }
    }
    ew_status status = EW_OK;
    for (int32_t k = 0; failed && !status && k < parts->n;
         k++) { /* for its message, in this thread */
        status = !peers || parts->owner[k] == peers->rank ? parts->before(parts->user, k) : EW_OK;
    }
    EW_TRY(peers ? ew_peers_agree(parts->peers, status) : status);
    return peers ? join_parts(matrix, of->source.pattern, parts->peers) : EW_OK;
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_coarse_source *of = (const ew_coarse_source *)source;
    const int32_t n = change ? change->touched_row.n : source->pattern->n_row;
    if (!of->fine->matrix) {
        return ew_device_level_gather(of->fine->device, source->pattern, matrix, change,
                                      change ? of->touched : NULL);
    }
    if (!change && of->parts) {
        return gather_parts(matrix, of);
    }
    const ew_set *touched = change ? of->touched : NULL;
    const ew_segment_choice wanted = ew_segments_choose(touched, of->segments);
#pragma omp parallel for schedule(dynamic, 4) num_threads(ew_threads_for(n, 8))
    for (int32_t i = 0; i < n; i++) {
        gather(matrix, of, touched, &wanted, change ? change->touched_row.id[i] : i);
    }
    return EW_OK;
}

ew_coarse_source ew_coarse_source_of(const ew_pattern *pattern, const ew_fine_level *fine,
                                     const ew_aggregates *aggregates)
{
    return (ew_coarse_source){.source = {.name = "coarse matrix",
                                         .block = 6,
                                         .pattern = pattern,
                                         .check = check_source,
                                         .compute = compute},
                              .fine = fine,
                              .aggregates = aggregates};
}
