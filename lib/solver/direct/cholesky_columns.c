/* A difference of two matrices as columns to add to a factor and columns to take from it. In: the
 * blocks of D. Out: D = C C^T - E E^T with as few columns as D has eigenvalues that are not zero:
 * six for a tet. D falls into parts that share no row, such as tets far from each other; each is a
 * small dense matrix of its own. */
#include "solver/direct/cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK: eigenvalues, ascending, and eigenvectors of a symmetric matrix. */
extern void dsyev_(const char *job, const char *half, const int *n, double *a, const int *lda,
                   double *w, double *work, const int *n_work, int *info);

/* Eigenvalues below this share of a part's largest are rounding: blocks are sums over all tets
 * around, of which one or two have changed. */
#define ROUNDING 1e-12

typedef struct component {
    int place;  /* in the factor */
    int32_t at; /* 3 * local row + component */
} component;

typedef struct splitting {
    const cholesky_difference *difference;
    const int *place;
    ew_list row;       /* owned: rows with a block that is not zero, ascending; */
    int32_t *parent;   /* [row.n] owned: of a row in the tree of its part */
    int32_t *position; /* [3 row.n] owned: of a component in its part */
    component *order;  /* [3 row.n] owned */
    int32_t n;         /* components of the part in work */
    double *matrix;    /* [n][n] owned: its D, then the eigenvectors, one after another */
    double *value, *work;
} splitting;

static bool is_zero(const double block[9])
{
    for (int i = 0; i < 9; i++) {
        if (block[i] != 0.0) {
            return false;
        }
    }
    return true;
}

static const int32_t *rows_of(const splitting *in, int32_t block)
{
    return in->difference->place.entry + 4 * (size_t)block;
}

static int32_t local_of(const splitting *in, int32_t row)
{
    int32_t low = 0, high = in->row.n - 1;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (in->row.id[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- parts ------------------------------------------------------------------- */

static int32_t root_of(const splitting *in, int32_t local)
{
    while (in->parent[local] != local) {
        in->parent[local] = in->parent[in->parent[local]];
        local = in->parent[local];
    }
    return local;
}

static ew_status list_rows(splitting *in)
{
    for (int32_t k = 0; k < in->difference->place.n; k++) {
        if (!is_zero(in->difference->block + 9 * (size_t)k)) {
            EW_TRY(ew_list_push(&in->row, rows_of(in, k)[0]));
            EW_TRY(ew_list_push(&in->row, rows_of(in, k)[1]));
        }
    }
    ew_list_sort_unique(&in->row);
    return EW_OK;
}

static ew_status join_rows(splitting *in)
{
    const size_t n = (size_t)in->row.n;
    EW_TRY(ew_new(&in->parent, n, sizeof *in->parent));
    EW_TRY(ew_new(&in->position, 3 * n, sizeof *in->position));
    EW_TRY(ew_new(&in->order, 3 * n, sizeof *in->order));
    for (int32_t i = 0; i < in->row.n; i++) {
        in->parent[i] = i;
    }
    for (int32_t k = 0; k < in->difference->place.n; k++) {
        if (!is_zero(in->difference->block + 9 * (size_t)k)) {
            const int32_t a = root_of(in, local_of(in, rows_of(in, k)[0]));
            const int32_t b = root_of(in, local_of(in, rows_of(in, k)[1]));
            in->parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    return EW_OK;
}

static int compare(const void *a, const void *b)
{
    const int x = ((const component *)a)->place, y = ((const component *)b)->place;
    return (x > y) - (x < y);
}

static void order_part(splitting *in, int32_t root)
{
    in->n = 0;
    for (int32_t i = 0; i < in->row.n; i++) {
        for (int32_t c = 0; c < 3 && root_of(in, i) == root; c++) {
            in->order[in->n++] = (component){in->place[3 * in->row.id[i] + c], 3 * i + c};
        }
    }
    qsort(in->order, (size_t)in->n, sizeof *in->order, compare);
    for (int32_t i = 0; i < in->n; i++) {
        in->position[in->order[i].at] = i;
    }
}

static void fill_part(splitting *in, int32_t root)
{
    memset(in->matrix, 0, (size_t)in->n * (size_t)in->n * sizeof *in->matrix);
    for (int32_t k = 0; k < in->difference->place.n; k++) {
        const double *block = in->difference->block + 9 * (size_t)k;
        if (is_zero(block)) {
            continue;
        }
        const int32_t a = local_of(in, rows_of(in, k)[0]), b = local_of(in, rows_of(in, k)[1]);
        for (int32_t i = 0; i < 9 && root_of(in, a) == root; i++) {
            const size_t r = (size_t)in->position[3 * a + i / 3];
            const size_t c = (size_t)in->position[3 * b + i % 3];
            in->matrix[r * (size_t)in->n + c] = block[i];
            in->matrix[c * (size_t)in->n + r] = block[i];
        }
    }
}

/* ---- columns ------------------------------------------------------------------- */

static ew_status push(cholesky_columns *to, const splitting *in, const double *vector,
                      double factor)
{
    EW_TRY(ew_grow(&to->begin, &to->begin_capacity, (int64_t)to->n + 2, sizeof *to->begin));
    EW_TRY(ew_grow(&to->row, &to->row_capacity, (int64_t)to->n_entry + in->n, sizeof *to->row));
    EW_TRY(
        ew_grow(&to->value, &to->value_capacity, (int64_t)to->n_entry + in->n, sizeof *to->value));
    to->begin[to->n] = to->n_entry;
    for (int32_t i = 0; i < in->n; i++) {
        to->row[to->n_entry] = in->order[i].place;
        to->value[to->n_entry++] = factor * vector[i];
    }
    to->begin[++to->n] = to->n_entry;
    return EW_OK;
}

static ew_status split_part(splitting *in, int32_t max, cholesky_columns *added,
                            cholesky_columns *removed)
{
    const int n = in->n, n_work = 34 * n;
    int info;
    dsyev_("V", "L", &n, in->matrix, &n, in->value, in->work, &n_work, &info);
    if (info) {
        return EW_LIMIT;
    }
    const double largest = fmax(fabs(in->value[0]), fabs(in->value[n - 1]));
    for (int32_t k = 0; k < n; k++) {
        const double value = in->value[k];
        if (fabs(value) > ROUNDING * largest) {
            EW_TRY(push(value > 0.0 ? added : removed, in, in->matrix + (size_t)k * (size_t)n,
                        sqrt(fabs(value))));
        }
    }
    return added->n + removed->n <= max ? EW_OK : EW_LIMIT;
}

static double cubes_of_parts(splitting *in)
{
    double cubes = 0.0;
    for (int32_t root = 0; root < in->row.n; root++) {
        double n = 0.0;
        for (int32_t i = root; in->parent[root] == root && i < in->row.n; i++) {
            n += root_of(in, i) == root ? 3.0 : 0.0;
        }
        cubes += n * n * n;
    }
    return cubes;
}

static ew_status split(splitting *in, const cholesky_limits *limits, cholesky_columns *added,
                       cholesky_columns *removed)
{
    EW_TRY(list_rows(in));
    if (in->row.n > limits->rows) {
        return EW_LIMIT;
    }
    EW_TRY(join_rows(in));
    if (cubes_of_parts(in) > limits->cubes) {
        return EW_LIMIT;
    }
    const size_t n = 3 * (size_t)in->row.n;
    EW_TRY(ew_new(&in->matrix, n * n, sizeof *in->matrix));
    EW_TRY(ew_new(&in->value, n, sizeof *in->value));
    EW_TRY(ew_new(&in->work, 34 * n, sizeof *in->work));
    for (int32_t root = 0; root < in->row.n; root++) {
        if (in->parent[root] == root) {
            order_part(in, root);
            fill_part(in, root);
            EW_TRY(split_part(in, limits->columns, added, removed));
        }
    }
    return EW_OK;
}

ew_status cholesky_columns_split(const cholesky_difference *difference, const int *place,
                                 const cholesky_limits *limits, cholesky_columns *added,
                                 cholesky_columns *removed)
{
    splitting in = {.difference = difference, .place = place};
    added->n = added->n_entry = removed->n = removed->n_entry = 0;
    const ew_status status = split(&in, limits, added, removed);
    ew_list_free(&in.row);
    ew_release(in.parent);
    ew_release(in.position);
    ew_release(in.order);
    ew_release(in.matrix);
    ew_release(in.value);
    ew_release(in.work);
    return status;
}

void cholesky_columns_free(cholesky_columns *columns)
{
    ew_release(columns->begin);
    ew_release(columns->row);
    ew_release(columns->value);
    *columns = (cholesky_columns){0};
}
