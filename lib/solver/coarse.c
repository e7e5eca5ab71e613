/* Blocks of the coarse matrix. In: aggregates and fine blocks. Out: 6x6 blocks, all of them or
 * those of some aggregates. */
#include "coarse.h"
#include "device_level.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && !defined(EW_PORTABLE) && defined(__GNUC__)
#define EW_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define EW_CLONES
#endif

/* Three numbers, and a zero. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

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

/* S_a K S_b; transposed: of the block stored for (b, a). */
INLINE void filter_block(const double *from, bool transposed, unsigned fixed_a, unsigned fixed_b,
                         double k[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            k[3 * i + j] = from[transposed ? 3 * j + i : 3 * i + j];
        }
    }
    for (int i = 0; i < 9 && (fixed_a | fixed_b); i++) {
        const bool cleared = (fixed_a >> i / 3 & 1) || (fixed_b >> i % 3 & 1);
        k[i] = cleared ? 0.0 : k[i];
    }
}

/* P K P at rows with oblique directions. */
static void project_block(const ew_fine_level *fine, int32_t a, int32_t b, double k[9])
{
    const double *left = ew_fine_normal(fine, a), *right = ew_fine_normal(fine, b);
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
}

/* sum += K P_b; offset: of b from the reference point, not divided by the length. */
INLINE void add_block(const double k[9], const double offset[3], row_sum *sum)
{
    const four d = {offset[0], offset[1], offset[2], 0.0},
               next = {offset[1], offset[2], offset[0], 0.0};
    for (int i = 0; i < 3; i++) {
        const double *row = k + 3 * (size_t)i;
        const four here = {row[0], row[1], row[2], 0.0}, after = {row[1], row[2], row[0], 0.0};
        sum->move[i] += here;
        sum->turn[i] += d * after - next * here; /* offset x row */
    }
}

/* block += P_a^T sum */
INLINE void add_sum(const row_sum *sum, double length, const double a[3], double block[36])
{
    double g[3][6];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            g[i][j] = sum->move[i][j];
            g[i][3 + j] = sum->turn[i][(j + 1) % 3] / length;
        }
    }
    for (int j = 0; j < 6; j++) {
        block[j] += g[0][j];
        block[6 + j] += g[1][j];
        block[12 + j] += g[2][j];
        block[18 + j] += a[1] * g[2][j] - a[2] * g[1][j];
        block[24 + j] += a[2] * g[0][j] - a[0] * g[2][j];
        block[30 + j] += a[0] * g[1][j] - a[1] * g[0][j];
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
    in->sum[i] = (row_sum){.other = other};
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
    double k[9], place[3], offset[3];
    int32_t skipped = -1; /* the aggregate that was left out last */
    row_sum diagonal = {.other = own};
    if (fixed[a] == 7) {
        return;
    }
    ew_aggregate_place(in->aggregates, own, in->fine->xyz + 3 * (size_t)a, place);
    if (in->whole) {
        find_offset(in, own, a, offset);
        filter_block(matrix->diagonal + 9 * (size_t)a, false, fixed[a], fixed[a], k);
        if (fixed[a] & EW_OBLIQUE) {
            project_block(in->fine, a, a, k);
        }
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
        filter_block(matrix->pair + 9 * (size_t)item[2 * i + 1], a > b, fixed[a], fixed[b], k);
        if ((fixed[a] | fixed[b]) & EW_OBLIQUE) {
            project_block(in->fine, a, b, k);
        }
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

EW_CLONES static void add_rows(gathering *in, const int32_t *member, int32_t n_member)
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

/* All aggregates, part by part. */
static ew_status gather_parts(ew_matrix *matrix, const ew_coarse_source *of)
{
    const ew_coarse_parts *parts = of->parts;
    const ew_segment_choice all = ew_segments_choose(NULL, of->segments);
    const int32_t n = of->source.pattern->n_row;
    bool failed = false;
#pragma omp parallel num_threads(ew_threads_for(n, 8))
    {
#pragma omp for schedule(dynamic) nowait
        for (int32_t k = 0; k < parts->n; k++) {
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
    for (int32_t k = 0; failed && k < parts->n; k++) { /* for its message, in this thread */
        EW_TRY(parts->before(parts->user, k));
    }
    return EW_OK;
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
