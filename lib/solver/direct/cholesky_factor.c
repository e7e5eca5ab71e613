/* The factor, by SuiteSparse CHOLMOD (Chen, Davis, Hager & Rajamanickam 2008; updates: Davis &
 * Hager 2009). In: blocks, or columns to add and to take away. Out: L L^T supernodal, which is the
 * fast way to a new factor, or L D L^T simplicial, the only form that can be updated: the first
 * update converts. All in double precision: CHOLMOD 3 takes single for double without a word. */
#include "solver/direct/cholesky.h"

#include <cholmod.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <string.h>

/* Rows to spare: a share of the rows, and so many. */
#define SPARE_SHARE 32
#define SPARE_ROWS  64

struct cholesky_factor {
    cholmod_common common;
    cholmod_factor *l;
    cholmod_dense *b, *x, *y, *e; /* right-hand side, solution, and memory of cholmod_solve2 */
    int32_t n_row;
    int64_t n_entry;
    int *place; /* [3 n_row] */
};

/* ---- failures ------------------------------------------------------------------ */

static ew_status fail_memory(double gib)
{
    return ew_fail(EW_NO_MEMORY,
                   "solver: the factor takes %.3g GiB and what it is made from, more memory than "
                   "there is; use 'solver: cg', which needs far less",
                   gib);
}

static ew_status status_of(const cholesky_factor *factor, double gib)
{
    const cholmod_common *common = &factor->common;
    switch (common->status) {
    case CHOLMOD_OK:
        return EW_OK;
    case CHOLMOD_OUT_OF_MEMORY:
        return fail_memory(gib);
    case CHOLMOD_TOO_LARGE:
        return ew_fail(EW_LIMIT, "solver: the factor has more numbers than 32-bit integers count; "
                                 "use 'solver: cg'");
    case CHOLMOD_NOT_POSDEF: {
        const int *order = factor->l->Perm;
        const size_t at = factor->l->minor < factor->l->n ? factor->l->minor : 0;
        return ew_fail_about(EW_INDEFINITE, order[at] / 3, -1,
                             "solver: the matrix is not positive definite at row %d; look for a "
                             "part that is free to move or a tet without volume",
                             order[at] / 3);
    }
    default:
        return ew_refuse(EW_RULE_LIBRARY, "solver: CHOLMOD (status %d)", common->status);
    }
}

/* ---- the matrix -------------------------------------------------------------------- */

static const int32_t *items_of(const cholesky_blocks *blocks, int32_t row, int32_t *count)
{
    *count = row < blocks->n_row ? blocks->item.count[row] : 0;
    return blocks->item.item + 2 * (size_t)(*count ? blocks->item.begin[row] : 0);
}

static bool is_free(const uint8_t *fixed, int32_t row, int component)
{
    return !(fixed[row] >> component & 1);
}

/* Column 3 row + c of the lower half; i, x null: only counts. */
static int fill_column(const cholesky_blocks *blocks, const uint8_t *fixed, int32_t row, int c,
                       int *i, double *x)
{
    int32_t count, n = 0;
    const int32_t *item = items_of(blocks, row, &count);
    const bool free_column = row < blocks->n_row && is_free(fixed, row, c);
    for (int k = c; k < 3; k++) {
        if (k == c || (free_column && is_free(fixed, row, k))) {
            if (i) {
                i[n] = 3 * row + k;
                x[n] = row < blocks->n_row ? blocks->diagonal[9 * (size_t)row + 3 * k + c]
                                           : blocks->scale;
            }
            n++;
        }
    }
    for (int32_t at = 0; at < count && free_column; at++) {
        const int32_t other = item[2 * at];
        for (int k = 0; k < 3 && other > row; k++) {
            if (is_free(fixed, other, k)) {
                if (i) { /* K_ba is the transpose of K_ab */
                    i[n] = 3 * other + k;
                    x[n] = blocks->pair[9 * (size_t)item[2 * at + 1] + (size_t)(3 * c + k)];
                }
                n++;
            }
        }
    }
    return n;
}

/* Null where memory is out. */
static cholmod_sparse *assemble(cholesky_factor *factor, const cholesky_blocks *blocks,
                                const uint8_t *fixed)
{
    const int32_t n = 3 * factor->n_row;
    int64_t n_entry = 0;
    for (int32_t column = 0; column < n; column++) {
        n_entry += fill_column(blocks, fixed, column / 3, column % 3, NULL, NULL);
    }
    cholmod_sparse *matrix = cholmod_allocate_sparse((size_t)n, (size_t)n, (size_t)n_entry, 1, 1,
                                                     -1, CHOLMOD_REAL, &factor->common);
    if (!matrix) {
        return NULL;
    }
    int *begin = matrix->p, *i = matrix->i;
    double *x = matrix->x;
    for (int32_t column = begin[0] = 0; column < n; column++) {
        begin[column + 1] = begin[column] + fill_column(blocks, fixed, column / 3, column % 3,
                                                        i + begin[column], x + begin[column]);
    }
    return matrix;
}

/* ---- the order ------------------------------------------------------------------------ */

/* Row by row, in place of component by component: a third of the nodes, a ninth of the edges. */
static cholmod_sparse *graph_of(cholesky_factor *factor, const cholesky_blocks *blocks,
                                const uint8_t *fixed, const int *number, int n)
{
    size_t n_edge = 0;
    for (int32_t row = 0; row < blocks->n_row; row++) {
        n_edge += (size_t)blocks->item.count[row];
    }
    cholmod_sparse *graph = cholmod_allocate_sparse((size_t)n, (size_t)n, n_edge / 2 + 1, 1, 1, -1,
                                                    CHOLMOD_PATTERN, &factor->common);
    if (!graph) {
        return NULL;
    }
    int *begin = graph->p, *i = graph->i, at = 0;
    for (int32_t row = 0; row < blocks->n_row; row++) {
        int32_t count;
        const int32_t *item = items_of(blocks, row, &count);
        if (fixed[row] == 7) {
            continue;
        }
        begin[number[row]] = at;
        for (int32_t k = 0; k < count; k++) {
            if (item[2 * k] > row && fixed[item[2 * k]] != 7) {
                i[at++] = number[item[2 * k]];
            }
        }
    }
    begin[n] = at;
    return graph;
}

/* METIS prints where memory fails; it takes some ten times the graph at most. */
static ew_status make_sure_of_room(cholesky_factor *factor, cholmod_sparse **graph, int n)
{
    const int *begin = (*graph)->p;
    const size_t bytes = 10 * sizeof(int) * ((size_t)n + 2 * (size_t)begin[n]) + ((size_t)4 << 20);
    void *room = NULL;
    const ew_status status = ew_room_keep(&room, bytes);
    if (status) {
        cholmod_free_sparse(graph, &factor->common);
        return status;
    }
    ew_room_give(&room, bytes);
    return EW_OK;
}

/* order [3 n_row]: rows that are prescribed or to spare first, the others as METIS has them. */
static ew_status find_order(cholesky_factor *factor, const cholesky_blocks *blocks,
                            const uint8_t *fixed, int *work, int *order)
{
    int *number = work, *row_of = work + factor->n_row, *found = row_of + factor->n_row;
    int n = 0, at = 0;
    for (int32_t row = 0; row < factor->n_row; row++) {
        if (row < blocks->n_row && fixed[row] != 7) {
            number[row] = n;
            row_of[n++] = row;
        } else {
            for (int c = 0; c < 3; c++) {
                order[at++] = 3 * row + c;
            }
        }
    }
    cholmod_sparse *graph = graph_of(factor, blocks, fixed, number, n);
    EW_TRY(graph ? make_sure_of_room(factor, &graph, n) : EW_OK);
    const int done = graph && cholmod_metis(graph, NULL, 0, 1, found, &factor->common);
    cholmod_free_sparse(&graph, &factor->common);
    for (int k = 0; k < 3 * n && done; k++) {
        order[at++] = 3 * row_of[found[k / 3]] + k % 3;
    }
    return done ? EW_OK : status_of(factor, 0.0);
}

/* ---- making it --------------------------------------------------------------------------- */

static ew_status analyze(cholesky_factor *factor, const cholesky_blocks *blocks,
                         const uint8_t *fixed, cholmod_sparse *matrix)
{
    int *order = NULL, *work = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new(&order, 3 * (size_t)factor->n_row, sizeof *order));
    EW_TRY_OUT(ew_new(&work, 3 * (size_t)factor->n_row, sizeof *work));
    EW_TRY_OUT(find_order(factor, blocks, fixed, work, order));
    factor->l = cholmod_analyze_p(matrix, order, NULL, 0, &factor->common);
    status = factor->l ? EW_OK : status_of(factor, 0.0);
out:
    ew_release(order);
    ew_release(work);
    return status;
}

/* CHOLMOD starts four threads of OpenMP for loops that copy blocks, whatever number is asked for,
 * and libgomp ends the program where it cannot have them. */
static void factorize(cholesky_factor *factor, cholmod_sparse *matrix)
{
#ifdef _OPENMP
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
#endif
    cholmod_factorize(matrix, factor->l, &factor->common);
#ifdef _OPENMP
    omp_set_max_active_levels(levels);
#endif
}

/* Supernodal; the memory is asked for first, where a refusal harms nothing. */
static ew_status compute(cholesky_factor *factor, cholmod_sparse *matrix)
{
    const size_t bytes = factor->l->xsize * sizeof(double);
    const double gib = (double)bytes / 1073741824.0;
    void *room = NULL;
    if (ew_room_keep(&room, bytes + 1)) {
        return fail_memory(gib);
    }
    ew_room_give(&room, bytes + 1);
    factorize(factor, matrix);
    factor->n_entry = (int64_t)factor->l->xsize;
    return status_of(factor, gib);
}

/* Allocates what cholmod_solve2 would allocate at its first call, so that no solve allocates. */
static ew_status make_vectors(cholesky_factor *factor)
{
    const size_t n = 3 * (size_t)factor->n_row, n_edge = factor->l->maxesize;
    cholmod_common *common = &factor->common;
    return cholmod_ensure_dense(&factor->x, n, 1, n, CHOLMOD_REAL, common) &&
                   cholmod_ensure_dense(&factor->y, n, 1, n, CHOLMOD_REAL, common) &&
                   cholmod_ensure_dense(&factor->e, 1, n_edge, 1, CHOLMOD_REAL, common)
               ? EW_OK
               : status_of(factor, 0.0);
}

static void index_places(cholesky_factor *factor)
{
    const int *order = factor->l->Perm;
    for (int32_t i = 0; i < 3 * factor->n_row; i++) {
        factor->place[order[i]] = i;
    }
}

static ew_status start(cholesky_factor **factor, int32_t n_row)
{
    EW_TRY(ew_new_zero(factor, 1, sizeof **factor));
    cholmod_common *common = &(*factor)->common;
    cholmod_start(common);
    common->print = 0;
    common->supernodal = CHOLMOD_SUPERNODAL;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    common->quick_return_if_not_posdef = 1;
    (*factor)->n_row = n_row + n_row / SPARE_SHARE + SPARE_ROWS;
    return EW_OK;
}

static ew_status make(cholesky_factor *factor, const cholesky_blocks *blocks, const uint8_t *fixed)
{
    const size_t n = 3 * (size_t)factor->n_row;
    EW_TRY(ew_new(&factor->place, n, sizeof *factor->place));
    factor->b = cholmod_zeros(n, 1, CHOLMOD_REAL, &factor->common);
    cholmod_sparse *matrix = factor->b ? assemble(factor, blocks, fixed) : NULL;
    ew_status status = matrix ? analyze(factor, blocks, fixed, matrix) : status_of(factor, 0.0);
    status = status ? status : make_vectors(factor);
    status = status ? status : compute(factor, matrix);
    cholmod_free_sparse(&matrix, &factor->common);
    if (!status) {
        index_places(factor);
    }
    return status;
}

ew_status cholesky_factor_make(cholesky_factor **factor, const cholesky_blocks *blocks,
                               const uint8_t *fixed)
{
    cholesky_factor_free(*factor);
    *factor = NULL;
    ew_status status = start(factor, blocks->n_row);
    status = status ? status : make(*factor, blocks, fixed);
    if (status) {
        cholesky_factor_free(*factor);
        *factor = NULL;
    }
    return status;
}

ew_status cholesky_factor_refill(cholesky_factor **factor, const cholesky_blocks *blocks,
                                 const uint8_t *fixed)
{
    cholesky_factor *own = *factor;
    if (!own || !own->l->is_super) {
        return cholesky_factor_make(factor, blocks, fixed);
    }
    cholmod_sparse *matrix = assemble(own, blocks, fixed);
    const ew_status status = matrix ? compute(own, matrix) : status_of(own, 0.0);
    cholmod_free_sparse(&matrix, &own->common);
    if (status) {
        cholesky_factor_free(own);
        *factor = NULL;
    }
    return status;
}

/* ---- updating it ---------------------------------------------------------------------------- */

static ew_status modify(cholesky_factor *factor, cholesky_columns *columns, bool add)
{
    cholmod_sparse c = {.nrow = factor->l->n,
                        .ncol = (size_t)columns->n,
                        .nzmax = (size_t)columns->n_entry,
                        .p = columns->begin,
                        .i = columns->row,
                        .x = columns->value,
                        .itype = CHOLMOD_INT,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE,
                        .sorted = 1,
                        .packed = 1};
    if (!columns->n) {
        return EW_OK;
    }
    const int done = cholmod_updown(add, &c, factor->l, &factor->common);
    return done ? EW_OK : status_of(factor, 8.0 * (double)factor->n_entry / 1073741824.0);
}

ew_status cholesky_factor_update(cholesky_factor *factor, cholesky_columns *added,
                                 cholesky_columns *removed)
{
    cholmod_factor *l = factor->l;
    if (l->is_super && !cholmod_change_factor(CHOLMOD_REAL, 0, 0, 0, 1, l, &factor->common)) {
        return status_of(factor, 16.0 * (double)factor->n_entry / 1073741824.0);
    }
    EW_TRY(modify(factor, added, true)); /* so that it stays positive definite between the two */
    EW_TRY(modify(factor, removed, false));
    const int *begin = l->p, *count = l->nz;
    const double *x = l->x;
    factor->n_entry = 0;
    for (size_t k = 0; k < l->n; k++) {
        factor->n_entry += count[k];
        if (!(x[begin[k]] > 0.0)) {
            return ew_fail(EW_INDEFINITE, "solver: an update left a pivot that is not positive");
        }
    }
    return EW_OK;
}

/* ---- using it ----------------------------------------------------------------------------------
 */

void cholesky_factor_solve(cholesky_factor *factor, int32_t n_row, const double *r, double *z)
{
    const size_t bytes = 3 * (size_t)n_row * sizeof *r;
    memcpy(factor->b->x, r, bytes);
    if (cholmod_solve2(CHOLMOD_A, factor->l, factor->b, NULL, &factor->x, NULL, &factor->y,
                       &factor->e, &factor->common)) {
        memcpy(z, factor->x->x, bytes);
    } else {
        memset(z, 0, bytes); /* no memory: no correction, and the residual will tell */
    }
}

int32_t cholesky_factor_rows(const cholesky_factor *factor)
{
    return factor->n_row;
}

const int *cholesky_factor_place(const cholesky_factor *factor)
{
    return factor->place;
}

int64_t cholesky_factor_entries(const cholesky_factor *factor)
{
    return factor->n_entry;
}

void cholesky_factor_free(cholesky_factor *factor)
{
    if (factor) {
        cholmod_common *common = &factor->common;
        cholmod_free_factor(&factor->l, common);
        cholmod_free_dense(&factor->b, common);
        cholmod_free_dense(&factor->x, common);
        cholmod_free_dense(&factor->y, common);
        cholmod_free_dense(&factor->e, common);
        cholmod_finish(common);
        ew_release(factor->place);
        ew_release(factor);
    }
}
