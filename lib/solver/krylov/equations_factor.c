/* The factor of R R^T of linear equations R, by a sparse Cholesky method that goes row by row: the
 * columns of a row of L are those that the elimination tree reaches from the row of R R^T (Liu
 * 1990, The role of elimination trees in sparse factorization, sections 3 and 5). Where a pivot
 * vanishes the equation follows from those before it and is left out. */
#include "solver/krylov/rigid_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which equations have an entry: those of entry e are at begin[e] .. begin[e + 1], ascending. */
typedef struct columns {
    int32_t *begin, *equation; /* owned */
    double *factor;            /* owned */
} columns;

static ew_status transpose(const ew_equations *from, int32_t n_entry, columns *to)
{
    const int32_t n = from->begin[from->n];
    EW_TRY(ew_new_zero(&to->begin, (size_t)n_entry + 1, sizeof *to->begin));
    EW_TRY(ew_new(&to->equation, (size_t)n, sizeof *to->equation));
    EW_TRY(ew_new(&to->factor, (size_t)n, sizeof *to->factor));
    for (int32_t k = 0; k < n; k++) {
        to->begin[from->entry[k]]++;
    }
    for (int32_t e = 0; e < n_entry; e++) {
        to->begin[e + 1] += to->begin[e];
    }
    for (int32_t i = from->n - 1; i >= 0; i--) {
        for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
            const int32_t at = --to->begin[from->entry[k]];
            to->equation[at] = i;
            to->factor[at] = from->factor[k];
        }
    }
    return EW_OK;
}

typedef struct factoring {
    columns by_entry;
    int32_t *parent; /* [n] owned: in the elimination tree, -1: root so far */
    int32_t *mark;   /* [n] owned: the last row that reached a column */
    double *x;       /* [n] owned: the row under way, by columns, zero elsewhere */
    ew_list reached;
} factoring;

/* The row of R R^T left of the diagonal into x, and the columns that it reaches. */
static ew_status reach(const ew_equations *of, factoring *in, int32_t i, double *diagonal)
{
    in->reached.n = 0;
    in->mark[i] = i;
    *diagonal = 0.0;
    for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
        const int32_t e = of->entry[k];
        for (int32_t c = in->by_entry.begin[e]; in->by_entry.equation[c] < i; c++) {
            int32_t j = in->by_entry.equation[c];
            in->x[j] += of->factor[k] * in->by_entry.factor[c];
            for (; j >= 0 && in->mark[j] != i; j = in->parent[j]) {
                in->mark[j] = i;
                EW_TRY(ew_list_push(&in->reached, j));
                in->parent[j] = in->parent[j] < 0 ? i : in->parent[j];
            }
        }
        *diagonal += of->factor[k] * of->factor[k];
    }
    ew_list_sort(&in->reached);
    return EW_OK;
}

static double row_dot(const ew_equations *of, int32_t i, const double *x)
{
    double sum = 0.0;
    for (int32_t k = of->l_begin[i]; k < of->l_begin[i + 1]; k++) {
        sum += of->l[k] * x[of->l_column[k]];
    }
    return sum;
}

static ew_status factor_row(ew_equations *of, factoring *in, int32_t i)
{
    double diagonal, rest;
    EW_TRY(reach(of, in, i, &diagonal));
    const int64_t end = (int64_t)of->l_begin[i] + in->reached.n;
    if (end > INT32_MAX) {
        return ew_fail(EW_NO_MEMORY,
                       "equations: the factor of %d equations is too large; let "
                       "fewer of them share a point",
                       of->n);
    }
    EW_TRY(ew_grow(&of->l_column, &of->l_column_capacity, end, sizeof *of->l_column));
    EW_TRY(ew_grow(&of->l, &of->l_capacity, end, sizeof *of->l));
    of->l_begin[i + 1] = (int32_t)end;
    rest = diagonal;
    for (int32_t k = 0; k < in->reached.n; k++) {
        const int32_t j = in->reached.id[k], at = of->l_begin[i] + k;
        const double value =
            of->pivot[j] > 0.0 ? (in->x[j] - row_dot(of, j, in->x)) / of->pivot[j] : 0.0;
        in->x[j] = value;
        rest -= value * value;
        of->l_column[at] = j;
        of->l[at] = value;
    }
    for (int32_t k = 0; k < in->reached.n; k++) {
        in->x[in->reached.id[k]] = 0.0;
    }
    of->pivot[i] = rest > EW_DEPENDENT ? sqrt(rest) : 0.0;
    of->n_dependent += of->pivot[i] == 0.0;
    return EW_OK;
}

ew_status ew_equations_factor(ew_equations *of, int32_t n_entry)
{
    factoring in = {.parent = NULL};
    ew_status status = transpose(of, n_entry, &in.by_entry);
    const size_t n = (size_t)of->n;
    status = status ? status : ew_new(&in.parent, n, sizeof *in.parent);
    status = status ? status : ew_new(&in.mark, n, sizeof *in.mark);
    status = status ? status : ew_new_zero(&in.x, n, sizeof *in.x);
    of->l_begin[0] = of->n_dependent = 0;
    for (int32_t i = 0; i < of->n && !status; i++) {
        in.parent[i] = in.mark[i] = -1;
        status = factor_row(of, &in, i);
    }
    ew_release(in.by_entry.begin);
    ew_release(in.by_entry.equation);
    ew_release(in.by_entry.factor);
    ew_release(in.parent);
    ew_release(in.mark);
    ew_release(in.x);
    ew_list_free(&in.reached);
    return status;
}

/* y = (R R^T)^-1 y, zero for equations that follow from others. */
void ew_equations_substitute(const ew_equations *of, double *y)
{
    for (int32_t i = 0; i < of->n; i++) {
        y[i] = of->pivot[i] > 0.0 ? (y[i] - row_dot(of, i, y)) / of->pivot[i] : 0.0;
    }
    for (int32_t i = of->n - 1; i >= 0; i--) {
        y[i] = of->pivot[i] > 0.0 ? y[i] / of->pivot[i] : 0.0;
        for (int32_t k = of->l_begin[i]; k < of->l_begin[i + 1]; k++) {
            y[of->l_column[k]] -= of->l[k] * y[i];
        }
    }
}
