/* The data of one chunk of the smoother. In: fine blocks, aggregates. Out: copies of the blocks in
 * the order of the sweep, inverse diagonal blocks. */
#include "solver/smoother/smoother.h"

#include <math.h>
#include <string.h>

/* ---- diagonal blocks --------------------------------------------------- */

/* 1 / the root of the diagonal; 1 for constrained components. */
static ew_status scale_diagonal(const double *block, double extra, unsigned fixed, int32_t row,
                                double scale[3])
{
    for (int i = 0; i < 3; i++) {
        const double diagonal = fixed >> i & 1 ? 1.0 : block[4 * i] + extra;
        if (!isfinite(diagonal)) {
            return ew_fail(EW_NOT_FINITE, "preconditioner: the diagonal of row %d is not finite",
                           row);
        }
        if (!(diagonal > 0.0)) {
            return ew_fail(EW_INDEFINITE,
                           "preconditioner: the diagonal of row %d is %g, must be > 0; is there a "
                           "tet without volume?",
                           row, diagonal);
        }
        scale[i] = 1.0 / sqrt(diagonal);
    }
    return EW_OK;
}

/* Inverse of S (D + T) S by Cholesky, scaled by the diagonal so that no unit of stiffness makes a
 * product overflow; zero in the constrained components. With the unit diagonal of that and l_10,
 * l_20, .. of its factor, u = l^-1, the inverse is u^T u. */
static ew_status invert_diagonal(const double *block, double extra, unsigned fixed, int32_t row,
                                 double *inverse)
{
    double s[3];
    EW_TRY(scale_diagonal(block, extra, fixed, row, s));
    const double l10 = fixed & 3 ? 0.0 : block[3] * s[1] * s[0];
    const double l20 = fixed & 5 ? 0.0 : block[6] * s[2] * s[0];
    const double a21 = fixed & 6 ? 0.0 : block[7] * s[2] * s[1];
    const double pivot1 = 1.0 - l10 * l10, u11 = 1.0 / sqrt(pivot1);
    const double l21 = (a21 - l20 * l10) * u11;
    const double pivot2 = 1.0 - l20 * l20 - l21 * l21, u22 = 1.0 / sqrt(pivot2);
    if (!(pivot1 > 0.0) || !(pivot2 > 0.0)) {
        return ew_fail(EW_INDEFINITE,
                       "preconditioner: the diagonal block of row %d is not positive definite",
                       row);
    }
    const double u10 = -l10 * u11, u21 = -l21 * u11 * u22, u20 = -(l20 + l21 * u10) * u22;
    const double part[9] = {1.0 + u10 * u10 + u20 * u20,
                            u10 * u11 + u20 * u21,
                            u20 * u22,
                            u10 * u11 + u20 * u21,
                            u11 * u11 + u21 * u21,
                            u21 * u22,
                            u20 * u22,
                            u21 * u22,
                            u22 * u22};
    for (int i = 0; i < 9; i++) {
        const bool cleared = (fixed >> i / 3 & 1) || (fixed >> i % 3 & 1);
        inverse[i] = cleared ? 0.0 : part[i] * s[i / 3] * s[i % 3];
    }
    return EW_OK;
}

/* ---- blocks ------------------------------------------------------------ */

typedef struct filling {
    const ew_fine_level *fine;
    const int32_t *of_row, *chunk_of;
    int32_t number;
} filling;

/* What the block of row a with row b is to the chunk: nothing, since b is constrained or earlier
 * than a and keeps the block itself, or a block inside, or one across. */
enum { NONE, INSIDE, ACROSS };

static inline int kind_of_pair(const filling *in, int32_t a, int32_t b)
{
    const int32_t own = in->of_row[a], other = in->of_row[b];
    if (in->fine->fixed[b] == 7) {
        return NONE;
    }
    if (in->chunk_of[other] != in->number) {
        return ACROSS;
    }
    return other < own || (other == own && b < a) ? INSIDE : NONE;
}

/* The block of row a with row b, stored for (b, a) where a > b. */
static void copy_block(const double *from, bool transposed, ew_chunk *chunk, int32_t at)
{
    float *single = chunk->block ? chunk->block + 9 * (size_t)at : NULL;
    double *whole = chunk->block ? NULL : chunk->block_double + 9 * (size_t)at;
    if (single && transposed) {
        for (int c = 0; c < 9; c++) {
            single[c] = (float)from[3 * (c % 3) + c / 3];
        }
    } else if (single) {
        for (int c = 0; c < 9; c++) {
            single[c] = (float)from[c];
        }
    } else {
        for (int c = 0; c < 9; c++) {
            whole[c] = from[transposed ? 3 * (c % 3) + c / 3 : c];
        }
    }
}

static double norm(const double *block)
{
    double square = 0.0;
    for (int c = 0; c < 9; c++) {
        square += block[c] * block[c];
    }
    return sqrt(square);
}

/* (D + T)^-1 and T of row i. */
static ew_status fill_diagonal(const filling *in, ew_chunk *chunk, int32_t i, double extra)
{
    ew_chunk_row *to = &chunk->row[i];
    double inverse[9];
    EW_TRY(invert_diagonal(in->fine->matrix->diagonal + 9 * (size_t)to->row, extra,
                           in->fine->fixed[to->row], to->row, inverse));
    for (int c = 0; c < 9; c++) {
        to->inverse[c] = (float)inverse[c];
    }
    to->extra = (float)extra;
    if (chunk->row_double) {
        chunk->row_double[i] = (ew_chunk_row_double){.extra = extra};
        memcpy(chunk->row_double[i].inverse, inverse, sizeof inverse);
    }
    return EW_OK;
}

/* Blocks across that a row keeps in mind while those inside are copied. */
enum { KEPT = 64 };

static void add_block(const filling *in, ew_chunk *chunk, int32_t a, const int32_t *item,
                      int32_t at)
{
    copy_block(in->fine->matrix->pair + 9 * (size_t)item[1], a > item[0], chunk, at);
    chunk->other[at] = item[0];
}

/* Blocks of row i: those inside first. */
static ew_status fill_row(const filling *in, ew_chunk *chunk, int32_t i, int32_t *n_block)
{
    const ew_matrix *matrix = in->fine->matrix;
    const int32_t a = chunk->row[i].row, *across[KEPT];
    int32_t count, n_across = 0, at = *n_block, rest = 0;
    const int32_t *item = ew_pattern_items(in->fine->pattern, a, &count);
    double norms = 0.0;
    chunk->row[i] = (ew_chunk_row){.row = a, .inside = at, .fixed = in->fine->fixed[a]};
    for (int32_t k = 0; k < count; k++) {
        const int kind = kind_of_pair(in, a, item[2 * k]);
        if (kind == INSIDE) {
            add_block(in, chunk, a, item + 2 * (size_t)k, at++);
        } else if (kind == ACROSS && n_across < KEPT) {
            across[n_across++] = item + 2 * (size_t)k;
            rest = k + 1;
        }
    }
    chunk->row[i].across = at;
    for (int32_t k = 0; k < n_across; k++) {
        add_block(in, chunk, a, across[k], at++);
        norms += norm(matrix->pair + 9 * (size_t)across[k][1]);
    }
    for (int32_t k = rest; n_across == KEPT && k < count; k++) { /* more than are kept in mind */
        if (kind_of_pair(in, a, item[2 * k]) == ACROSS) {
            add_block(in, chunk, a, item + 2 * (size_t)k, at++);
            norms += norm(matrix->pair + 9 * (size_t)item[2 * k + 1]);
        }
    }
    *n_block = at;
    return fill_diagonal(in, chunk, i, 0.5 * norms);
}

static void place_row(const filling *in, const ew_aggregates *aggregates, ew_chunk *chunk,
                      int32_t i)
{
    const int32_t row = chunk->row[i].row;
    ew_aggregate_place(aggregates, in->of_row[row], in->fine->xyz + 3 * (size_t)row,
                       chunk->place + 3 * (size_t)i);
    if (chunk->normal) {
        static const double none[6] = {0.0};
        const double *normal = ew_fine_normal(in->fine, row);
        memcpy(chunk->normal + 6 * (size_t)i, normal ? normal : none, sizeof none);
    }
}

static int32_t count_blocks(const filling *in, int32_t a)
{
    int32_t count, n = 0;
    const int32_t *item = ew_pattern_items(in->fine->pattern, a, &count);
    for (int32_t k = 0; k < count; k++) {
        n += kind_of_pair(in, a, item[2 * k]) != NONE;
    }
    return n;
}

ew_chunk_need ew_chunk_measure(bool single, const ew_fine_level *fine,
                               const ew_aggregates *aggregates, const int32_t *chunk_of,
                               int32_t number, const ew_list *member)
{
    const filling in = {fine, aggregates->of_row, chunk_of, number};
    ew_chunk_need need = {
        .n_aggregate = member->n, .single = single, .oblique = fine->oblique != NULL};
    for (int32_t k = 0; k < member->n; k++) {
        int32_t n_row;
        const int32_t *row = ew_aggregates_members(aggregates, member->id[k], &n_row);
        for (int32_t i = 0; i < n_row; i++) {
            if (fine->fixed[row[i]] != 7) {
                need.n_row++;
                need.n_block += count_blocks(&in, row[i]);
            }
        }
    }
    return need;
}

static void list_rows(const filling *in, const ew_aggregates *aggregates, const ew_list *member,
                      ew_chunk *chunk)
{
    chunk->n = 0;
    chunk->n_aggregate = member->n;
    for (int32_t k = 0; k < member->n; k++) {
        int32_t n_row;
        const int32_t *row = ew_aggregates_members(aggregates, member->id[k], &n_row);
        chunk->aggregate[k] = member->id[k];
        chunk->first[k] = chunk->n;
        for (int32_t i = 0; i < n_row; i++) {
            if (in->fine->fixed[row[i]] != 7) {
                chunk->row[chunk->n++].row = row[i];
            }
        }
    }
    chunk->first[member->n] = chunk->n;
}

/* Rows of a chunk are not side by side in memory: what one reads is asked for while those before it
 * are copied. */
EW_PREFETCHER void prefetch_row(const filling *in, int32_t row)
{
    const ew_fine_level *fine = in->fine;
    const ew_rows *rows = &fine->pattern->row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)rows->begin[row];
    EW_PREFETCH(fine->matrix->diagonal + 9 * (size_t)row);
    EW_PREFETCH(fine->matrix->diagonal + 9 * (size_t)row + 8);
    for (int32_t k = fine->pattern->n_lower[row]; k < rows->count[row]; k++) {
        EW_PREFETCH(fine->matrix->pair + 9 * (size_t)item[2 * k + 1]);
        EW_PREFETCH(fine->matrix->pair + 9 * (size_t)item[2 * k + 1] + 8);
    }
}

ew_status ew_chunk_fill(ew_chunk *chunk, const ew_fine_level *fine, const ew_aggregates *aggregates,
                        const int32_t *chunk_of, int32_t number, const ew_list *member)
{
    enum { AHEAD = 3 };
    const filling in = {fine, aggregates->of_row, chunk_of, number};
    int32_t n_block = 0;
    list_rows(&in, aggregates, member, chunk);
    for (int32_t i = 0; i < chunk->n; i++) {
        if (i + AHEAD < chunk->n) {
            prefetch_row(&in, chunk->row[i + AHEAD].row);
        }
        EW_TRY(fill_row(&in, chunk, i, &n_block));
        place_row(&in, aggregates, chunk, i);
    }
    chunk->row[chunk->n] = (ew_chunk_row){.row = -1, .inside = n_block, .across = n_block};
    for (size_t i = 0; i < EW_CHUNK_PADDING; i++) {
        if (chunk->block) {
            chunk->block[9 * (size_t)n_block + i] = 0.0F;
        } else {
            chunk->block_double[9 * (size_t)n_block + i] = 0.0;
        }
    }
    return EW_OK;
}

/* ---- one row again ----------------------------------------------------- */

/* Place of a number in an ascending list of n, `stride` apart; -1: it is not there. */
static int32_t find(const int32_t *id, int32_t stride, int32_t n, int32_t wanted)
{
    int32_t low = 0, high = n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (id[(size_t)stride * (size_t)middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && id[(size_t)stride * (size_t)low] == wanted ? low : -1;
}

static int32_t find_row(const filling *in, const ew_chunk *chunk, int32_t row)
{
    const int32_t stride = sizeof *chunk->row / sizeof chunk->row->row;
    const int32_t k = find(chunk->aggregate, 1, chunk->n_aggregate, in->of_row[row]);
    const int32_t begin = k < 0 ? 0 : chunk->first[k], end = k < 0 ? 0 : chunk->first[k + 1];
    const int32_t i = find(&chunk->row[begin].row, stride, end - begin, row);
    return i < 0 ? -1 : begin + i;
}

/* Room for n blocks of row i; what comes after it moves. False where there is none. */
static bool make_gap(ew_chunk *chunk, int32_t i, int32_t n)
{
    const int32_t end = chunk->row[i + 1].inside, last = chunk->row[chunk->n].inside;
    const int32_t by = n - (end - chunk->row[i].inside);
    const size_t from = (size_t)end, to = (size_t)(end + by), n_after = (size_t)(last - end);
    if (last + by > chunk->block_capacity) {
        return false;
    }
    if (by == 0) {
        return true;
    }
    memmove(chunk->other + to, chunk->other + from, n_after * sizeof *chunk->other);
    if (chunk->block) {
        memmove(chunk->block + 9 * to, chunk->block + 9 * from,
                (9 * n_after + EW_CHUNK_PADDING) * sizeof *chunk->block);
    } else {
        memmove(chunk->block_double + 9 * to, chunk->block_double + 9 * from,
                (9 * n_after + EW_CHUNK_PADDING) * sizeof *chunk->block_double);
    }
    for (int32_t k = i + 1; k <= chunk->n; k++) {
        chunk->row[k].inside += by;
        chunk->row[k].across += by;
    }
    return true;
}

ew_status ew_chunk_refill_row(ew_chunk *chunk, const ew_fine_level *fine,
                              const ew_aggregates *aggregates, const int32_t *chunk_of,
                              int32_t number, int32_t row, bool *done)
{
    const filling in = {fine, aggregates->of_row, chunk_of, number};
    const int32_t i = find_row(&in, chunk, row);
    *done = i < 0 && fine->fixed[row] == 7;
    const bool has_room = i < 0 || chunk->normal || !ew_fine_normal(fine, row);
    if (i < 0 || fine->fixed[row] == 7 || !has_room ||
        !make_gap(chunk, i, count_blocks(&in, row))) {
        return EW_OK;
    }
    *done = true;
    int32_t n_block = chunk->row[i].inside;
    EW_TRY(fill_row(&in, chunk, i, &n_block));
    place_row(&in, aggregates, chunk, i);
    return EW_OK;
}

static bool equal(const void *a, const void *b, size_t n, size_t size)
{
    return n == 0 || memcmp(a, b, n * size) == 0;
}

/* A chunk keeps room for directions when its last oblique row has gone. */
static bool same_normals(const ew_chunk *a, const ew_chunk *b)
{
    for (size_t i = 0; (a->normal || b->normal) && i < 6 * (size_t)a->n; i++) {
        if ((a->normal ? a->normal[i] : 0.0) != (b->normal ? b->normal[i] : 0.0)) {
            return false;
        }
    }
    return true;
}

bool ew_chunk_equals(const ew_chunk *a, const ew_chunk *b)
{
    if (a->n != b->n || a->n_aggregate != b->n_aggregate || !a->block != !b->block ||
        !a->row_double != !b->row_double) {
        return false;
    }
    const size_t n = (size_t)a->n, m = (size_t)a->n_aggregate;
    if ((n || m) &&
        (!equal(a->aggregate, b->aggregate, m, sizeof *a->aggregate) ||
         !equal(a->first, b->first, m + 1, sizeof *a->first) ||
         !equal(a->row, b->row, n + 1, sizeof *a->row) ||
         (a->row_double && !equal(a->row_double, b->row_double, n, sizeof *a->row_double)))) {
        return false;
    }
    const size_t n_block = n ? (size_t)a->row[n].inside : 0;
    return equal(a->other, b->other, n_block, sizeof *a->other) &&
           (a->block ? equal(a->block, b->block, 9 * n_block, sizeof *a->block)
                     : equal(a->block_double, b->block_double, 9 * n_block, sizeof(double))) &&
           equal(a->place, b->place, 3 * n, sizeof *a->place) && same_normals(a, b);
}
