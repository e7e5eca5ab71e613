/* Linear equations between numbers of a vector. In: rows C of coefficients, what the filter and
 * oblique rows prescribe anyway. Out: the projector on what they leave,
 *
 *     P v = v - R^T (R R^T)^-1 R v,
 *
 * R being C where the filter leaves something free, each row of length 1. R R^T is factored by a
 * sparse Cholesky method that goes row by row: the columns of a row of L are those that the
 * elimination tree reaches from the row of R R^T (Liu 1990, The role of elimination trees in sparse
 * factorization, sections 3 and 5). Where a pivot vanishes the equation follows from those before
 * it and is left out. */
#include "solver/parts/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The square of the sine of the angle between an equation and what those before it span, below
 * which it follows from them: R R^T squares angles, and rounding leaves 1e-16 of it. */
#define DEPENDENT 1e-11
/* The free part of the coefficients of an equation below which it has none. */
#define NOTHING 1e-9
/* Corrections of a vector that is put onto the equations: each but the first is of what rounding
 * left. */
enum { N_CORRECTION = 3 };

/* ---- rows of R --------------------------------------------------------------------------- */

typedef struct term {
    int32_t entry;
    double factor;
} term;

typedef struct reduction {
    int32_t n_row;
    const uint8_t *fixed;
    const ew_oblique *oblique;
    int32_t *place; /* [n_row] owned: of oblique rows in the list, where there are such */
    int32_t term_capacity;
    term *term; /* owned: of one equation */
} reduction;

static ew_status index_oblique(reduction *in)
{
    const ew_oblique *oblique = in->oblique;
    if (!oblique || !oblique->n) {
        return EW_OK;
    }
    EW_TRY(ew_new(&in->place, (size_t)in->n_row, sizeof *in->place));
    for (int32_t k = 0; k < oblique->n; k++) {
        in->place[oblique->row[k]] = k;
    }
    return EW_OK;
}

static int by_entry(const void *a, const void *b)
{
    const term *x = a, *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* What is free of the coefficients at one row. */
static void filter(const reduction *in, int32_t row, double v[3])
{
    for (int c = 0; c < 3; c++) {
        v[c] = in->fixed[row] >> c & 1 ? 0.0 : v[c];
    }
    if (in->fixed[row] & EW_OBLIQUE) {
        ew_oblique_project(in->oblique, in->place[row], v);
    }
}

static ew_status push(ew_equations *to, int32_t i, int32_t row, const double v[3])
{
    for (int c = 0; c < 3; c++) {
        if (v[c] != 0.0) {
            const int32_t at = to->begin[i + 1]++;
            EW_TRY(ew_grow(&to->entry, &to->entry_capacity, (int64_t)at + 1, sizeof *to->entry));
            EW_TRY(ew_grow(&to->factor, &to->factor_capacity, (int64_t)at + 1, sizeof *to->factor));
            to->entry[at] = 3 * row + c;
            to->factor[at] = v[c];
        }
    }
    return EW_OK;
}

/* Equation i, of n sorted terms. */
static ew_status reduce(const reduction *in, int32_t n, ew_equations *to, int32_t i)
{
    double whole = 0.0, left = 0.0;
    to->begin[i + 1] = to->begin[i];
    for (int32_t k = 0; k < n;) {
        const int32_t row = in->term[k].entry / 3;
        double v[3] = {0.0, 0.0, 0.0};
        for (; k < n && in->term[k].entry / 3 == row; k++) {
            v[in->term[k].entry % 3] += in->term[k].factor;
        }
        whole += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        filter(in, row, v);
        left += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        EW_TRY(push(to, i, row, v));
    }
    to->scale[i] = left > NOTHING * NOTHING * whole ? sqrt(left) : 0.0;
    if (to->scale[i] == 0.0) {
        to->begin[i + 1] = to->begin[i];
    }
    for (int32_t k = to->begin[i]; k < to->begin[i + 1]; k++) {
        to->factor[k] /= to->scale[i];
    }
    return EW_OK;
}

static ew_status make_rows(reduction *in, const ew_equation_list *from, ew_equations *to)
{
    EW_TRY(index_oblique(in));
    to->begin[0] = 0;
    for (int32_t i = 0; i < from->n; i++) {
        const int32_t first = from->begin[i], n = from->begin[i + 1] - first;
        EW_TRY(ew_grow(&in->term, &in->term_capacity, n, sizeof *in->term));
        for (int32_t k = 0; k < n; k++) {
            in->term[k] = (term){from->entry[first + k], from->factor[first + k]};
        }
        if (n) {
            qsort(in->term, (size_t)n, sizeof *in->term, by_entry);
        }
        EW_TRY(reduce(in, n, to, i));
    }
    return EW_OK;
}

/* ---- the factor -------------------------------------------------------------------------- */

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
    of->pivot[i] = rest > DEPENDENT ? sqrt(rest) : 0.0;
    of->n_dependent += of->pivot[i] == 0.0;
    return EW_OK;
}

static ew_status factor(ew_equations *of, int32_t n_entry)
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
static void substitute(const ew_equations *of, double *y)
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

/* ---- public functions ---------------------------------------------------------------------- */

static ew_status make_room(ew_equations *to, int32_t n)
{
    EW_TRY(ew_grow(&to->begin, &to->begin_capacity, (int64_t)n + 1, sizeof *to->begin));
    EW_TRY(ew_grow(&to->l_begin, &to->l_begin_capacity, (int64_t)n + 1, sizeof *to->l_begin));
    EW_TRY(ew_grow(&to->scale, &to->scale_capacity, n, sizeof *to->scale));
    EW_TRY(ew_grow(&to->pivot, &to->pivot_capacity, n, sizeof *to->pivot));
    return ew_grow(&to->work, &to->work_capacity, n, sizeof *to->work);
}

ew_status ew_equations_build(ew_equations *equations, const ew_equation_list *from, int32_t n_row,
                             const uint8_t *fixed, const ew_oblique *oblique)
{
    reduction in = {.n_row = n_row, .fixed = fixed, .oblique = oblique};
    equations->n = 0; /* unless all goes well */
    ew_status status = make_room(equations, from->n);
    status = status ? status : make_rows(&in, from, equations);
    ew_release(in.place);
    ew_release(in.term);
    EW_TRY(status);
    equations->n = from->n;
    status = factor(equations, 3 * n_row);
    equations->n = status ? 0 : from->n;
    return status;
}

/* work = R v */
static void multiply(const ew_equations *of, const double *v)
{
    for (int32_t i = 0; i < of->n; i++) {
        double sum = 0.0;
        for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            sum += of->factor[k] * v[of->entry[k]];
        }
        of->work[i] = sum;
    }
}

/* v += sign R^T work */
static void add_transposed(const ew_equations *of, double sign, double *v)
{
    for (int32_t i = 0; i < of->n; i++) {
        const double y = sign * of->work[i];
        for (int32_t k = of->begin[i]; k < of->begin[i + 1] && y != 0.0; k++) {
            v[of->entry[k]] += of->factor[k] * y;
        }
    }
}

void ew_equations_project(const ew_equations *equations, double *v)
{
    multiply(equations, v);
    substitute(equations, equations->work);
    add_transposed(equations, -1.0, v);
}

void ew_equations_add_part(const ew_equations *equations, const double *v, double *part)
{
    multiply(equations, v);
    substitute(equations, equations->work);
    add_transposed(equations, 1.0, part);
}

void ew_equations_multipliers(const ew_equations *equations, const double *v, double *multiplier)
{
    multiply(equations, v);
    substitute(equations, equations->work);
    for (int32_t i = 0; i < equations->n; i++) {
        multiplier[i] = equations->scale[i] > 0.0 ? equations->work[i] / equations->scale[i] : 0.0;
    }
}

void ew_equations_multiply(const ew_equations *equations, const double *v, double *y)
{
    multiply(equations, v);
    for (int32_t i = 0, j = 0; i < equations->n; i++) {
        if (equations->pivot[i] > 0.0) {
            y[j++] = equations->work[i];
        }
    }
}

void ew_equations_add_transposed(const ew_equations *equations, double sign, const double *y,
                                 double *v)
{
    for (int32_t i = 0, j = 0; i < equations->n; i++) {
        equations->work[i] = equations->pivot[i] > 0.0 ? y[j++] : 0.0;
    }
    add_transposed(equations, sign, v);
}

/* The misfit of equation i, and the sum of the sizes of its terms. */
static double misfit(const ew_equation_list *from, int32_t i, double value, const double *x,
                     double *size)
{
    double sum = value;
    *size = fabs(value);
    for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
        const double part = from->factor[k] * x[from->entry[k]];
        sum -= part;
        *size += fabs(part);
    }
    return sum;
}

int32_t ew_equations_put(const ew_equations *equations, const ew_equation_list *from,
                         const double *value, double *x)
{
    double size, largest = 0.0;
    for (int k = 0; k < N_CORRECTION; k++) {
        for (int32_t i = 0; i < equations->n; i++) {
            const double rest = misfit(from, i, value ? value[i] : 0.0, x, &size);
            equations->work[i] = equations->scale[i] > 0.0 ? rest / equations->scale[i] : 0.0;
        }
        substitute(equations, equations->work);
        add_transposed(equations, 1.0, x);
    }
    for (int32_t i = 0; i < equations->n; i++) {
        (void)misfit(from, i, value ? value[i] : 0.0, x, &size);
        largest = fmax(largest, size);
    }
    for (int32_t i = 0; i < equations->n; i++) {
        if (fabs(misfit(from, i, value ? value[i] : 0.0, x, &size)) > 1e-6 * largest) {
            return i;
        }
    }
    return -1;
}

void ew_equations_free(ew_equations *equations)
{
    ew_release(equations->begin);
    ew_release(equations->entry);
    ew_release(equations->factor);
    ew_release(equations->scale);
    ew_release(equations->l_begin);
    ew_release(equations->l_column);
    ew_release(equations->l);
    ew_release(equations->pivot);
    ew_release(equations->work);
    *equations = (ew_equations){0};
}
