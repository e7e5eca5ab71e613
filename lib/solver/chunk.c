/* The data of one chunk of the smoother. In: fine blocks, aggregates. Out: copies of the blocks in
 * the order of the sweep, inverse diagonal blocks. */
#include "smoother.h"

#include <math.h>
#include <string.h>

/* What follows the last block is read with it. */
enum { PADDING = 4 };

static ew_status make_aggregate_room(ew_chunk *chunk, int32_t n)
{
    if (chunk->aggregate_capacity && n <= chunk->aggregate_capacity) {
        return EW_OK;
    }
    const size_t capacity = (size_t)n + (size_t)n / 4 + 4;
    chunk->aggregate_capacity = 0;
    ew_release(chunk->aggregate);
    ew_release(chunk->first);
    chunk->aggregate = chunk->first = NULL;
    EW_TRY(ew_new(&chunk->aggregate, capacity, sizeof *chunk->aggregate));
    EW_TRY(ew_new(&chunk->first, capacity + 1, sizeof *chunk->first));
    chunk->aggregate_capacity = (int32_t)capacity;
    return EW_OK;
}

/* oblique: with room for directions. */
static ew_status make_row_room(ew_chunk *chunk, bool single, bool oblique, int32_t n)
{
    if (chunk->row_capacity && n <= chunk->row_capacity && (!oblique || chunk->normal)) {
        return EW_OK;
    }
    const size_t capacity = (size_t)n + (size_t)n / 8 + 8;
    chunk->row_capacity = 0;
    ew_release(chunk->row);
    ew_release(chunk->row_double);
    ew_release(chunk->place);
    ew_release(chunk->normal);
    chunk->normal = NULL;
    chunk->row = NULL;
    chunk->row_double = NULL;
    chunk->place = NULL;
    EW_TRY(ew_new(&chunk->row, capacity + 1, sizeof *chunk->row));
    EW_TRY(ew_new(&chunk->place, 3 * capacity, sizeof *chunk->place));
    if (oblique) {
        EW_TRY(ew_new_zero(&chunk->normal, 6 * capacity, sizeof *chunk->normal));
    }
    if (!single) {
        EW_TRY(ew_new(&chunk->row_double, capacity, sizeof *chunk->row_double));
    }
    chunk->row_capacity = (int32_t)capacity;
    return EW_OK;
}

static ew_status make_block_room(ew_chunk *chunk, bool single, int32_t n)
{
    if (chunk->block_capacity && n <= chunk->block_capacity) {
        return EW_OK;
    }
    const size_t capacity = (size_t)n + (size_t)n / 16 + 16;
    chunk->block_capacity = 0;
    ew_release(chunk->other);
    ew_release(chunk->block);
    ew_release(chunk->block_double);
    chunk->other = NULL;
    chunk->block = NULL;
    chunk->block_double = NULL;
    EW_TRY(ew_new(&chunk->other, capacity, sizeof *chunk->other));
    if (single) {
        EW_TRY(ew_new(&chunk->block, 9 * capacity + PADDING, sizeof *chunk->block));
    } else {
        EW_TRY(ew_new(&chunk->block_double, 9 * capacity + PADDING, sizeof *chunk->block_double));
    }
    chunk->block_capacity = (int32_t)capacity;
    return EW_OK;
}

/* ---- diagonal blocks --------------------------------------------------- */

/* Inverse of S (D + T) S by Cholesky, scaled by the diagonal so that no unit of stiffness makes a
 * product overflow; zero in the constrained components. */
static ew_status invert_diagonal(const double *block, double extra, unsigned fixed, int32_t row,
                                 double *inverse)
{
    double root[3], l[3][3], u[3][3] = {{0.0}};
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
        root[i] = sqrt(diagonal);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            const bool coupled = !(fixed >> i & 1) && !(fixed >> j & 1);
            double sum = i == j ? 1.0 : coupled ? block[3 * i + j] / (root[i] * root[j]) : 0.0;
            for (int k = 0; k < j; k++) {
                sum -= l[i][k] * l[j][k];
            }
            if (i == j && !(sum > 0.0)) {
                return ew_fail(EW_INDEFINITE,
                               "preconditioner: the diagonal block of row %d is not positive "
                               "definite",
                               row);
            }
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    for (int j = 0; j < 3; j++) { /* u = l^-1 */
        for (int i = j; i < 3; i++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; k++) {
                sum -= l[i][k] * u[k][j];
            }
            u[i][j] = sum / l[i][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = i > j ? i : j; k < 3; k++) {
                sum += u[k][i] * u[k][j];
            }
            const bool cleared = (fixed >> i & 1) || (fixed >> j & 1);
            inverse[3 * i + j] = cleared ? 0.0 : sum / (root[i] * root[j]);
        }
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

static void copy_block(const double *from, bool transposed, ew_chunk *chunk, int32_t at)
{
    double to[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            to[3 * i + j] = from[transposed ? 3 * j + i : 3 * i + j];
        }
    }
    for (size_t c = 0; c < 9 && chunk->block; c++) {
        chunk->block[9 * (size_t)at + c] = (float)to[c];
    }
    for (size_t c = 0; c < 9 && chunk->block_double; c++) {
        chunk->block_double[9 * (size_t)at + c] = to[c];
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

static ew_status fill_row(const filling *in, ew_chunk *chunk, int32_t i, int32_t *n_block)
{
    const ew_matrix *matrix = in->fine->matrix;
    const int32_t a = chunk->row[i].row;
    int32_t count, at = *n_block;
    const int32_t *item = ew_pattern_items(in->fine->pattern, a, &count);
    double norms = 0.0;
    chunk->row[i] = (ew_chunk_row){.row = a, .inside = at, .fixed = in->fine->fixed[a]};
    for (int kind = INSIDE; kind <= ACROSS; kind++) {
        chunk->row[i].across = at;
        for (int32_t k = 0; k < count; k++) {
            const int32_t b = item[2 * k];
            if (kind_of_pair(in, a, b) == kind) {
                const double *block = matrix->pair + 9 * (size_t)item[2 * k + 1];
                copy_block(block, a > b, chunk, at);
                chunk->other[at++] = b;
                norms += kind == ACROSS ? norm(block) : 0.0;
            }
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

ew_status ew_chunk_reserve(ew_chunk *chunk, bool single, const ew_fine_level *fine,
                           const ew_aggregates *aggregates, const int32_t *chunk_of, int32_t number,
                           const ew_list *member)
{
    const filling in = {fine, aggregates->of_row, chunk_of, number};
    const ew_rows *rows = &aggregates->member;
    int32_t n_row = 0, n_block = 0;
    for (int32_t k = 0; k < member->n; k++) {
        n_row += rows->count[member->id[k]];
    }
    EW_TRY(make_aggregate_room(chunk, member->n));
    EW_TRY(make_row_room(chunk, single, fine->oblique != NULL, n_row));
    chunk->n = 0;
    chunk->n_aggregate = member->n;
    for (int32_t k = 0; k < member->n; k++) {
        const int32_t own = member->id[k];
        chunk->aggregate[k] = own;
        chunk->first[k] = chunk->n;
        for (int32_t i = 0; i < rows->count[own]; i++) {
            const int32_t row = rows->item[(size_t)rows->begin[own] + (size_t)i];
            int32_t count;
            const int32_t *item = ew_pattern_items(fine->pattern, row, &count);
            if (fine->fixed[row] == 7) {
                continue;
            }
            chunk->row[chunk->n++].row = row;
            for (int32_t j = 0; j < count; j++) {
                n_block += kind_of_pair(&in, row, item[2 * j]) != NONE;
            }
        }
    }
    chunk->first[member->n] = chunk->n;
    return make_block_room(chunk, single, n_block);
}

ew_status ew_chunk_fill(ew_chunk *chunk, const ew_fine_level *fine, const ew_aggregates *aggregates,
                        const int32_t *chunk_of, int32_t number)
{
    const filling in = {fine, aggregates->of_row, chunk_of, number};
    int32_t n_block = 0;
    for (int32_t i = 0; i < chunk->n; i++) {
        EW_TRY(fill_row(&in, chunk, i, &n_block));
        place_row(&in, aggregates, chunk, i);
    }
    chunk->row[chunk->n] = (ew_chunk_row){.row = -1, .inside = n_block, .across = n_block};
    for (size_t i = 0; i < PADDING; i++) {
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

static int32_t count_blocks(const filling *in, int32_t a)
{
    int32_t count, n = 0;
    const int32_t *item = ew_pattern_items(in->fine->pattern, a, &count);
    for (int32_t k = 0; k < count; k++) {
        n += kind_of_pair(in, a, item[2 * k]) != NONE;
    }
    return n;
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
                (9 * n_after + PADDING) * sizeof *chunk->block);
    } else {
        memmove(chunk->block_double + 9 * to, chunk->block_double + 9 * from,
                (9 * n_after + PADDING) * sizeof *chunk->block_double);
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

void ew_chunk_free(ew_chunk *chunk)
{
    ew_release(chunk->aggregate);
    ew_release(chunk->first);
    ew_release(chunk->row);
    ew_release(chunk->row_double);
    ew_release(chunk->other);
    ew_release(chunk->block);
    ew_release(chunk->block_double);
    ew_release(chunk->place);
    ew_release(chunk->normal);
    *chunk = (ew_chunk){0};
}

size_t ew_chunk_bytes(const ew_chunk *chunk)
{
    const size_t block = 9 * (chunk->block ? sizeof(float) : sizeof(double)) + sizeof(int32_t);
    return (size_t)chunk->block_capacity * block +
           (size_t)chunk->row_capacity *
               (sizeof *chunk->row + (chunk->normal ? 9 : 3) * sizeof *chunk->place +
                (chunk->row_double ? sizeof *chunk->row_double : 0)) +
           (size_t)chunk->aggregate_capacity * 2 * sizeof(int32_t);
}

static bool equal(const void *a, const void *b, size_t n, size_t size)
{
    return n == 0 || memcmp(a, b, n * size) == 0;
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
           equal(a->place, b->place, 3 * n, sizeof *a->place);
}
