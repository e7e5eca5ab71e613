/* The preconditioner of a part of a distributed system. In: rows of a part with those of others
 * that they have pairs with, aggregates and chunks of the whole. Out: chunks of the smoother, the
 * part's blocks of the coarse matrix; of all parts' blocks a factor.
 *
 * Block (I, J), I <= J, is the sum from zero over the rows a of I, ascending, and their pairs with
 * rows b of J, ascending, of P_a^T S_a K_ab S_b P_b: no slots of rows decide, which differ from
 * part to part. Each is of the part that has the rows of I, whose neighbors are all there. */
#include "solver/factor/elimination.h"
#include "solver/multilevel/coarsest_factor.h"
#include "solver/multilevel/null_modes.h"
#include "solver/smoother/smoother.h"

#include <stdlib.h>
#include <string.h>

/* A row of another part. */
typedef struct ghost {
    int32_t row, aggregate;
    uint8_t fixed;
    double place[3];
} ghost;

struct ew_part_level {
    int32_t n_row, n_aggregate, n_chunk, n_ghost;
    ew_aggregates aggregates; /* of the whole; members are rows of this part */
    int32_t *chunk_of;        /* [n_aggregate] owned */
    ew_list *member;          /* [n_chunk] owned: aggregates of each chunk, ascending */
    ew_chunk *chunk;          /* [n_chunk] owned; empty where it is another part's */
    ghost *ghost;             /* [n_ghost] owned: with pairs and free components */
    double *z, *t;            /* [n_row + 2][4] owned, work, and where rows of four begin in them */
    double *z_row, *t_row;
    int32_t n_block, block_capacity;
    ew_level_block *block; /* owned */
    ew_block_cholesky factor;
    double *work; /* [n_aggregate][8] owned */
};

void ew_part_level_free(ew_part_level *level)
{
    if (!level) {
        return;
    }
    for (int32_t c = 0; c < level->n_chunk; c++) {
        if (level->chunk) {
            ew_chunk_free(&level->chunk[c]);
        }
        if (level->member) {
            ew_list_free(&level->member[c]);
        }
    }
    ew_aggregates_free(&level->aggregates);
    ew_block_cholesky_free(&level->factor);
    ew_release(level->chunk_of);
    ew_release(level->member);
    ew_release(level->chunk);
    ew_release(level->ghost);
    ew_release(level->z);
    ew_release(level->t);
    ew_release(level->block);
    ew_release(level->work);
    ew_release(level);
}

/* ---- aggregates and chunks -------------------------------------------------------- */

static bool is_own(const ew_part_level *level, int32_t row)
{
    const int32_t aggregate = level->aggregates.of_row[row];
    return aggregate >= 0 && level->chunk_of[aggregate] >= 0;
}

static ew_status take_aggregates(ew_part_level *level, const ew_part_level_def *def)
{
    ew_aggregates *to = &level->aggregates;
    const size_t n = (size_t)def->n_aggregate, n_row = (size_t)level->n_row;
    int32_t *count = NULL;
    ew_status status;
    to->n = to->capacity = def->n_aggregate;
    to->n_row = to->row_capacity = level->n_row;
    EW_TRY_OUT(ew_new(&to->of_row, n_row, sizeof *to->of_row));
    EW_TRY_OUT(ew_new(&to->frame, 4 * n, sizeof *to->frame));
    EW_TRY_OUT(ew_new(&level->chunk_of, n, sizeof *level->chunk_of));
    EW_TRY_OUT(ew_new_zero(&count, n, sizeof *count));
    memcpy(to->of_row, def->aggregate, n_row * sizeof *to->of_row);
    memcpy(to->frame, def->frame, 4 * n * sizeof *to->frame);
    memcpy(level->chunk_of, def->chunk, n * sizeof *level->chunk_of);
    for (int32_t row = 0; row < level->n_row; row++) {
        if (is_own(level, row)) {
            count[to->of_row[row]]++;
        }
    }
    EW_TRY_OUT(ew_rows_init(&to->member, def->n_aggregate, 1, count));
    for (int32_t row = 0; row < level->n_row; row++) {
        if (is_own(level, row)) {
            ew_rows_append1(&to->member, to->of_row[row], row);
        }
    }
out:
    ew_release(count);
    return status;
}

static ew_status fill_chunks(ew_part_level *level, const ew_fine_level *fine)
{
    const size_t n = (size_t)level->n_chunk;
    EW_TRY(ew_new_zero(&level->member, n, sizeof *level->member));
    EW_TRY(ew_new_zero(&level->chunk, n, sizeof *level->chunk));
    for (int32_t a = 0; a < level->n_aggregate; a++) {
        if (level->chunk_of[a] >= 0) {
            EW_TRY(ew_list_push(&level->member[level->chunk_of[a]], a));
        }
    }
    for (int32_t c = 0; c < level->n_chunk; c++) {
        if (level->member[c].n) {
            const ew_chunk_need need = ew_chunk_measure(true, fine, &level->aggregates,
                                                        level->chunk_of, c, &level->member[c]);
            EW_TRY(ew_chunk_reserve(&level->chunk[c], &need));
            EW_TRY(ew_chunk_fill(&level->chunk[c], fine, &level->aggregates, level->chunk_of, c,
                                 &level->member[c]));
        }
    }
    return EW_OK;
}

static ew_status list_ghosts(ew_part_level *level, const ew_fine_level *fine)
{
    const int32_t *of_row = level->aggregates.of_row;
    EW_TRY(ew_new(&level->ghost, (size_t)level->n_row, sizeof *level->ghost));
    for (int32_t row = 0; row < level->n_row; row++) {
        if (of_row[row] >= 0 && !is_own(level, row) && fine->fixed[row] != 7) {
            ghost *to = &level->ghost[level->n_ghost++];
            *to = (ghost){.row = row, .aggregate = of_row[row], .fixed = fine->fixed[row]};
            ew_aggregate_place(&level->aggregates, of_row[row], fine->xyz + 3 * (size_t)row,
                               to->place);
        }
    }
    return EW_OK;
}

/* ---- the part's blocks of the coarse matrix ------------------------------------------ */

/* mode [3][6] = S_a P_a */
static void find_modes(const ew_part_level *level, const ew_fine_level *fine, int32_t row,
                       double mode[18])
{
    double d[3];
    ew_aggregate_place(&level->aggregates, level->aggregates.of_row[row],
                       fine->xyz + 3 * (size_t)row, d);
    const double all[18] = {1,     0, 0,    0, d[2], -d[1], 0,    1,     0,
                            -d[2], 0, d[0], 0, 0,    1,     d[1], -d[0], 0};
    for (int i = 0; i < 18; i++) {
        mode[i] = fine->fixed[row] >> (i / 6) & 1 ? 0.0 : all[i];
    }
}

/* sum += P_a^T K P_b */
static void add_product(const double of_a[18], const double *k, bool transposed,
                        const double of_b[18], double sum[36])
{
    double half[18];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 6; j++) {
            half[6 * i + j] = 0.0;
            for (int c = 0; c < 3; c++) {
                half[6 * i + j] += (transposed ? k[3 * c + i] : k[3 * i + c]) * of_b[6 * c + j];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int c = 0; c < 3; c++) {
                sum[6 * i + j] += of_a[6 * c + i] * half[6 * c + j];
            }
        }
    }
}

static ew_status block_of(ew_part_level *level, ew_map *place, int32_t a, int32_t b, double **block)
{
    int32_t at = ew_map_find(place, a, b, -1), old;
    if (at < 0) {
        at = level->n_block;
        EW_TRY(ew_map_enter(place, a, b, -1, at, &old));
        EW_TRY(
            ew_grow(&level->block, &level->block_capacity, (int64_t)at + 1, sizeof *level->block));
        level->block[at] = (ew_level_block){.row = {a, b}};
        level->n_block++;
    }
    *block = level->block[at].block;
    return EW_OK;
}

static ew_status add_row(ew_part_level *level, const ew_fine_level *fine, int32_t a, ew_map *place)
{
    const int32_t *of_row = level->aggregates.of_row;
    int32_t count;
    const int32_t *item = ew_pattern_items(fine->pattern, a, &count);
    double of_a[18], of_b[18], *block;
    find_modes(level, fine, a, of_a);
    EW_TRY(block_of(level, place, of_row[a], of_row[a], &block));
    add_product(of_a, fine->matrix->diagonal + 9 * (size_t)a, false, of_a, block);
    for (int32_t i = 0; i < count; i++) {
        const int32_t b = item[2 * (size_t)i];
        if (of_row[b] >= of_row[a]) {
            EW_TRY(block_of(level, place, of_row[a], of_row[b], &block));
            find_modes(level, fine, b, of_b);
            add_product(of_a, fine->matrix->pair + 9 * (size_t)item[2 * (size_t)i + 1], a > b, of_b,
                        block);
        }
    }
    return EW_OK;
}

static void settle_diagonal(const ew_part_level *level, const ew_fine_level *fine,
                            ew_level_block *of)
{
    double symmetric[36];
    for (int i = 0; i < 36; i++) {
        symmetric[i] = 0.5 * (of->block[i] + of->block[6 * (i % 6) + i / 6]);
    }
    ew_penalize_null_modes(fine, &level->aggregates, of->row[0], symmetric, of->block);
}

static ew_status gather_blocks(ew_part_level *level, const ew_fine_level *fine)
{
    ew_map place = {0};
    ew_status status = EW_OK;
    for (int32_t a = 0; a < level->n_aggregate; a++) {
        int32_t n;
        const int32_t *row = ew_aggregates_members(&level->aggregates, a, &n);
        for (int32_t i = 0; i < n; i++) {
            EW_TRY_OUT(add_row(level, fine, row[i], &place));
        }
    }
    for (int32_t i = 0; i < level->n_block; i++) {
        if (level->block[i].row[0] == level->block[i].row[1]) {
            settle_diagonal(level, fine, &level->block[i]);
        }
    }
out:
    ew_map_free(&place);
    return status;
}

/* Rows of four are read and written as a whole: none of them lies across two lines of the cache. */
static ew_status make_rows(int32_t n, double **room, double **row)
{
    const uintptr_t line = 64;
    EW_TRY(ew_new_zero(room, 4 * ((size_t)n + 2), sizeof **room));
    *row = *room + (line - (uintptr_t)*room % line) % line / sizeof **room;
    return EW_OK;
}

static ew_status set_up(ew_part_level *level, const ew_fine_level *fine,
                        const ew_part_level_def *def)
{
    EW_TRY(take_aggregates(level, def));
    EW_TRY(fill_chunks(level, fine));
    EW_TRY(list_ghosts(level, fine));
    EW_TRY(gather_blocks(level, fine));
    EW_TRY(make_rows(level->n_row, &level->z, &level->z_row));
    return make_rows(level->n_row, &level->t, &level->t_row);
}

ew_status ew_part_level_setup(ew_part_level **level, const ew_matrix *matrix,
                              const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                              const ew_part_level_def *def)
{
    const ew_fine_level fine = {.matrix = matrix, .pattern = pattern, .xyz = xyz, .fixed = fixed};
    ew_part_level_free(*level);
    *level = NULL;
    EW_TRY(ew_matrix_need_current(matrix, pattern));
    EW_TRY(ew_new_zero(level, 1, sizeof **level));
    (*level)->n_row = pattern->n_row;
    (*level)->n_aggregate = def->n_aggregate;
    (*level)->n_chunk = def->n_chunk;
    const ew_status status = set_up(*level, &fine, def);
    if (status) {
        ew_part_level_free(*level);
        *level = NULL;
    }
    return status;
}

const ew_level_block *ew_part_level_blocks(const ew_part_level *level, int32_t *n)
{
    *n = level->n_block;
    return level->block;
}

/* ---- the factor --------------------------------------------------------------------- */

static int compare_blocks(const void *left, const void *right)
{
    const ew_level_block *x = left, *y = right;
    return x->row[0] != y->row[0] ? (x->row[0] > y->row[0]) - (x->row[0] < y->row[0])
                                  : (x->row[1] > y->row[1]) - (x->row[1] < y->row[1]);
}

/* The coarse matrix as a pattern and its blocks. */
typedef struct coarse_matrix {
    ew_pattern pattern;
    double *diagonal, *pair;
} coarse_matrix;

static ew_status make_coarse(coarse_matrix *to, int32_t n_aggregate, int32_t n,
                             const ew_level_block *block)
{
    const size_t n_row = (size_t)n_aggregate, n_pair = (size_t)n;
    EW_TRY(ew_new(&to->pattern.pair_row, 2 * n_pair, sizeof *to->pattern.pair_row));
    EW_TRY(ew_new(&to->pair, 36 * n_pair, sizeof *to->pair));
    EW_TRY(ew_new_zero(&to->diagonal, 36 * n_row, sizeof *to->diagonal));
    to->pattern.n_row = n_aggregate;
    for (size_t i = 0; i < 6 * n_row; i++) {
        to->diagonal[36 * (i / 6) + 7 * (i % 6)] = 1.0; /* of an aggregate without rows */
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t *row = block[i].row;
        if (row[0] == row[1]) {
            memcpy(to->diagonal + 36 * (size_t)row[0], block[i].block, sizeof block[i].block);
        } else {
            const size_t pair = (size_t)to->pattern.n_pair++;
            memcpy(to->pattern.pair_row + 2 * pair, row, 2 * sizeof *row);
            memcpy(to->pair + 36 * pair, block[i].block, sizeof block[i].block);
        }
    }
    return ew_pattern_index(&to->pattern);
}

ew_status ew_part_level_factor(ew_part_level *level, int32_t n, const ew_level_block *block)
{
    coarse_matrix coarse = {0};
    ew_level_block *sorted = NULL;
    int32_t *order = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new(&sorted, (size_t)n, sizeof *sorted));
    EW_TRY_OUT(ew_new(&order, (size_t)level->n_aggregate, sizeof *order));
    if (n) {
        memcpy(sorted, block, (size_t)n * sizeof *sorted);
        qsort(sorted, (size_t)n, sizeof *sorted, compare_blocks);
    }
    EW_TRY_OUT(make_coarse(&coarse, level->n_aggregate, n, sorted));
    EW_TRY_OUT(ew_find_elimination_order(&coarse.pattern, level->aggregates.frame, order));
    EW_TRY_OUT(
        ew_block_cholesky_analyze(&level->factor, &coarse.pattern, level->n_aggregate, order));
    ew_block_cholesky_mark_all(&level->factor);
    const ew_block_source source = {&coarse.pattern, coarse.diagonal, coarse.pair};
    ew_block_cholesky_factor(&level->factor, &source);
    ew_release(level->work);
    EW_TRY_OUT(ew_new(&level->work, 8 * (size_t)level->n_aggregate, sizeof *level->work));
out:
    ew_release(sorted);
    ew_release(order);
    ew_pattern_free(&coarse.pattern);
    ew_release(coarse.diagonal);
    ew_release(coarse.pair);
    return status;
}

/* ---- application ----------------------------------------------------------------------- */

double *ew_part_level_forward(ew_part_level *level, const double *r)
{
    static const ew_chunk none = {0};
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(level->n_chunk, 2))
    for (int32_t c = 0; c < level->n_chunk; c++) {
        if (level->chunk[c].n) {
            ew_chunks_forward(&level->chunk[c], &none, r, level->z_row, level->t_row);
        }
    }
    return level->z_row;
}

void ew_part_level_restrict(ew_part_level *level, double *coarse)
{
    memset(coarse, 0, 6 * (size_t)level->n_aggregate * sizeof *coarse);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(level->n_chunk, 2))
    for (int32_t c = 0; c < level->n_chunk; c++) {
        if (level->chunk[c].n) {
            ew_chunk_restrict(&level->chunk[c], level->z_row, level->t_row, coarse);
        }
    }
}

/* As ew_chunk_prolong does for a row of its own, with the same bits. */
static void prolong_ghost(const ghost *of, const double *coarse, double *z)
{
    const double *q = coarse + 6 * (size_t)of->aggregate, *d = of->place;
    double *to = z + 4 * (size_t)of->row;
    const double move[3] = {q[0] + ((0.0 * d[0] + -q[5] * d[1]) + q[4] * d[2]),
                            q[1] + ((q[5] * d[0] + 0.0 * d[1]) + -q[3] * d[2]),
                            q[2] + ((-q[4] * d[0] + q[3] * d[1]) + 0.0 * d[2])};
    for (int c = 0; c < 3; c++) {
        to[c] += of->fixed >> c & 1 ? 0.0 : move[c];
    }
}

void ew_part_level_backward(ew_part_level *level, double *coarse, const double *r, double *z)
{
    static const ew_chunk none = {0};
    ew_block_cholesky_solve(&level->factor, coarse, level->work);
    memset(z, 0, 3 * (size_t)level->n_row * sizeof *z);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(level->n_chunk, 2))
    for (int32_t c = 0; c < level->n_chunk; c++) {
        if (level->chunk[c].n) {
            ew_chunk_prolong(&level->chunk[c], coarse, level->z_row, level->t_row);
        }
    }
    for (int32_t i = 0; i < level->n_ghost; i++) {
        prolong_ghost(&level->ghost[i], coarse, level->z_row);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(level->n_chunk, 2))
    for (int32_t c = 0; c < level->n_chunk; c++) {
        if (level->chunk[c].n) {
            ew_chunks_backward(&level->chunk[c], &none, r, level->z_row, level->t_row, z);
        }
    }
}
