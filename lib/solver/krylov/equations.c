/* Linear equations between numbers of a vector. In: rows C of coefficients, groups of rows that are
 * rigid, what the filter and oblique rows prescribe anyway. Out: the projector on what they leave,
 *
 *     P v = v - R^T (R R^T)^-1 R v,
 *
 * R being C where the filter leaves something free, each row of length 1 (equations_factor.c).
 *
 * With rigid groups v = Z y, where y has six factors of modes in place of the rows of a group and
 * the columns of Z are orthonormal: R is C Z then, and the projector Z (1 - R^T (R R^T)^-1 R) Z^T
 * (rigid_rows.c). */
#include "solver/krylov/rigid_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const ew_rigid_rows *rigid;
    int32_t *place;      /* [n_row] owned: of oblique rows in the list, where there are such */
    int32_t *group, *at; /* [n_row] owned: the group of a row, -1: none, and its place there; null:
                            there are no groups */
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

static ew_status index_groups(reduction *in)
{
    const ew_rigid_rows *rigid = in->rigid;
    if (!rigid->n) {
        return EW_OK;
    }
    EW_TRY(ew_new(&in->group, (size_t)in->n_row, sizeof *in->group));
    EW_TRY(ew_new(&in->at, (size_t)in->n_row, sizeof *in->at));
    memset(in->group, 0xff, (size_t)in->n_row * sizeof *in->group); /* -1 */
    for (int32_t k = 0; k < rigid->n; k++) {
        for (int32_t i = rigid->begin[k]; i < rigid->begin[k + 1]; i++) {
            in->group[rigid->row[i]] = k;
            in->at[rigid->row[i]] = i;
        }
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

/* The terms of a row of a group become factors of its modes; others of the group add up there. */
static ew_status push_group(const reduction *in, ew_equations *to, int32_t i, int32_t row,
                            const double v[3])
{
    const int32_t first = 3 * in->n_row + 6 * in->group[row];
    const double *mode = in->rigid->mode + 18 * (size_t)in->at[row];
    int32_t k = to->begin[i];
    while (k < to->begin[i + 1] && to->entry[k] != first) {
        k++;
    }
    if (k == to->begin[i + 1]) {
        EW_TRY(ew_grow(&to->entry, &to->entry_capacity, (int64_t)k + 6, sizeof *to->entry));
        EW_TRY(ew_grow(&to->factor, &to->factor_capacity, (int64_t)k + 6, sizeof *to->factor));
        for (int m = 0; m < 6; m++) {
            to->entry[k + m] = first + m;
            to->factor[k + m] = 0.0;
        }
        to->begin[i + 1] += 6;
    }
    for (int m = 0; m < 6; m++) {
        to->factor[k + m] += mode[m] * v[0] + mode[6 + m] * v[1] + mode[12 + m] * v[2];
    }
    return EW_OK;
}

static double square_from(const ew_equations *to, int32_t i)
{
    double sum = 0.0;
    for (int32_t k = to->begin[i]; k < to->begin[i + 1]; k++) {
        sum += to->factor[k] * to->factor[k];
    }
    return sum;
}

/* Equation i, of n sorted terms. */
static ew_status reduce(const reduction *in, int32_t n, ew_equations *to, int32_t i)
{
    double whole = 0.0, left;
    to->begin[i + 1] = to->begin[i];
    for (int32_t k = 0; k < n;) {
        const int32_t row = in->term[k].entry / 3;
        double v[3] = {0.0, 0.0, 0.0};
        for (; k < n && in->term[k].entry / 3 == row; k++) {
            v[in->term[k].entry % 3] += in->term[k].factor;
        }
        whole += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!in->group || in->group[row] < 0) {
            filter(in, row, v);
            EW_TRY(push(to, i, row, v));
        }
    }
    for (int32_t k = 0; k < n && in->group; k++) { /* behind all others */
        double v[3] = {0.0, 0.0, 0.0};
        v[in->term[k].entry % 3] = in->term[k].factor;
        EW_TRY(in->group[in->term[k].entry / 3] < 0
                   ? EW_OK
                   : push_group(in, to, i, in->term[k].entry / 3, v));
    }
    left = square_from(to, i);
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
    EW_TRY(index_groups(in));
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

/* Pins that others do not imply, as equations behind those of the list. */
static ew_status add_pins(ew_equations *to)
{
    for (int32_t k = 0; k < to->n_pin; k++) {
        double factor[6], size = 0.0;
        if (to->pin[k].equation < 0) {
            continue;
        }
        const int32_t i = to->n++, at = to->begin[i];
        EW_TRY(ew_grow(&to->entry, &to->entry_capacity, (int64_t)at + 6, sizeof *to->entry));
        EW_TRY(ew_grow(&to->factor, &to->factor_capacity, (int64_t)at + 6, sizeof *to->factor));
        ew_pin_factors(to, &to->pin[k], factor);
        for (int m = 0; m < 6; m++) {
            size += factor[m] * factor[m];
        }
        to->scale[i] = sqrt(size);
        for (int m = 0; m < 6; m++) {
            to->entry[at + m] = 3 * to->n_row + 6 * to->pin[k].group + m;
            to->factor[at + m] = factor[m] / to->scale[i];
        }
        to->begin[i + 1] = at + 6;
        to->pin[k].equation = i;
    }
    return EW_OK;
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
    reduction in = {.n_row = n_row, .fixed = fixed, .oblique = oblique, .rigid = &from->rigid};
    equations->n = 0; /* unless all goes well */
    equations->n_row = n_row;
    equations->n_list = from->n;
    EW_TRY(ew_rigid_rows_prepare(equations, &from->rigid, fixed, oblique));
    ew_status status = make_room(equations, from->n + 6 * from->rigid.n);
    status = status ? status : make_rows(&in, from, equations);
    ew_release(in.place);
    ew_release(in.group);
    ew_release(in.at);
    ew_release(in.term);
    EW_TRY(status);
    equations->n = from->n;
    status = add_pins(equations);
    status = status ? status : ew_equations_factor(equations, 3 * n_row + 6 * from->rigid.n);
    equations->n = status ? 0 : equations->n;
    equations->rigid.n = status ? 0 : equations->rigid.n;
    return status;
}

/* work = R v; with groups R of the factors of their modes. */
static void multiply(const ew_equations *of, const double *v)
{
    const int32_t n_entry = 3 * of->n_row;
    for (int32_t i = 0; i < of->n; i++) {
        double sum = 0.0;
        for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            const int32_t e = of->entry[k];
            sum += of->factor[k] * (e < n_entry ? v[e] : of->motion[e - n_entry]);
        }
        of->work[i] = sum;
    }
}

/* v += sign R^T work; factors of modes by a sign of their own. */
static void add_transposed(const ew_equations *of, double sign, double sign_of_motion, double *v)
{
    const int32_t n_entry = 3 * of->n_row;
    for (int32_t i = 0; i < of->n; i++) {
        const double y = of->work[i];
        for (int32_t k = of->begin[i]; k < of->begin[i + 1] && y != 0.0; k++) {
            const int32_t e = of->entry[k];
            if (e < n_entry) {
                v[e] += of->factor[k] * (sign * y);
            } else {
                of->motion[e - n_entry] += of->factor[k] * (sign_of_motion * y);
            }
        }
    }
}

void ew_equations_project(const ew_equations *equations, double *v)
{
    ew_rigid_rows_gather(equations, equations->mode, v);
    multiply(equations, v);
    ew_equations_substitute(equations, equations->work);
    add_transposed(equations, -1.0, -1.0, v);
    ew_rigid_rows_scatter(equations, equations->mode, v);
}

void ew_equations_add_part(const ew_equations *equations, const double *v, double *part)
{
    ew_rigid_rows_gather(equations, equations->mode, v);
    multiply(equations, v);
    ew_equations_substitute(equations, equations->work);
    add_transposed(equations, 1.0, -1.0, part);
    ew_rigid_rows_add_rest(equations, v, part);
}

/* The forces of rows are what is left of them without those of pins: within a group they have no
 * resultant. */
static void add_rigid_forces(const ew_equations *of, const double *rest, double *force)
{
    const ew_rigid_rows *rigid = &of->rigid;
    for (int32_t i = 0; rigid->n && i < rigid->begin[rigid->n]; i++) {
        const size_t at = 3 * (size_t)rigid->row[i];
        memcpy(force + at, rest + at, 3 * sizeof *force);
    }
    for (int32_t k = 0; k < of->n_pin; k++) {
        const ew_pin *pin = &of->pin[k];
        const int32_t i = pin->equation;
        const double size = i >= 0 && of->pivot[i] > 0.0 ? of->work[i] / of->scale[i] : 0.0;
        for (int c = 0; c < 3; c++) {
            force[3 * (size_t)pin->row + (size_t)c] -= size * pin->normal[c];
        }
    }
}

void ew_equations_forces(const ew_equations *equations, const ew_equation_list *from,
                         const double *rest, double *multiplier, double *force)
{
    ew_rigid_rows_gather(equations, equations->rigid.mode, rest);
    multiply(equations, rest);
    ew_equations_substitute(equations, equations->work);
    for (int32_t i = 0; i < equations->n_list; i++) {
        multiplier[i] = equations->scale[i] > 0.0 ? equations->work[i] / equations->scale[i] : 0.0;
        for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
            force[from->entry[k]] += multiplier[i] * from->factor[k];
        }
    }
    add_rigid_forces(equations, rest, force);
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
    add_transposed(equations, sign, sign, v);
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

/* One correction of x. pinned [n_pin]: what is prescribed along pins. */
static void correct(const ew_equations *of, const ew_equation_list *from, const double *value,
                    const double *pinned, double *x)
{
    double size;
    ew_rigid_rows_gather(of, of->rigid.mode, x);
    ew_rigid_rows_scatter(of, of->rigid.mode, x);
    for (int32_t i = 0; i < of->n_list; i++) {
        of->work[i] = misfit(from, i, value ? value[i] : 0.0, x, &size);
    }
    for (int32_t k = 0; k < of->n_pin; k++) {
        if (of->pin[k].equation >= 0) {
            of->work[of->pin[k].equation] = pinned[k] - ew_pin_value(&of->pin[k], x);
        }
    }
    for (int32_t i = 0; i < of->n; i++) {
        of->work[i] = of->scale[i] > 0.0 ? of->work[i] / of->scale[i] : 0.0;
    }
    ew_equations_substitute(of, of->work);
    add_transposed(of, 1.0, 1.0, x);
    ew_rigid_rows_scatter(of, of->rigid.mode, x);
}

/* The first equation or group that x does not satisfy, or -1. */
static int32_t find_contradiction(const ew_equations *of, const ew_equation_list *from,
                                  const double *value, const double *pinned, const double *x)
{
    double size, largest = 0.0;
    for (int32_t i = 0; i < of->n_list; i++) {
        (void)misfit(from, i, value ? value[i] : 0.0, x, &size);
        largest = fmax(largest, size);
    }
    for (int32_t k = 0; k < of->n_pin; k++) {
        largest = fmax(largest, fmax(fabs(pinned[k]), fabs(ew_pin_value(&of->pin[k], x))));
    }
    for (int32_t i = 0; i < of->n_list; i++) {
        if (fabs(misfit(from, i, value ? value[i] : 0.0, x, &size)) > 1e-6 * largest) {
            return i;
        }
    }
    for (int32_t k = 0; k < of->n_pin; k++) {
        if (fabs(pinned[k] - ew_pin_value(&of->pin[k], x)) > 1e-6 * largest) {
            return of->n_list + of->pin[k].group;
        }
    }
    return -1;
}

ew_status ew_equations_put(const ew_equations *equations, const ew_equation_list *from,
                           const double *value, double *x, int32_t *contradiction)
{
    double *pinned;
    EW_TRY(ew_new(&pinned, (size_t)equations->n_pin, sizeof *pinned));
    for (int32_t k = 0; k < equations->n_pin; k++) {
        pinned[k] = ew_pin_value(&equations->pin[k], x);
    }
    for (int k = 0; k < N_CORRECTION; k++) {
        correct(equations, from, value, pinned, x);
    }
    *contradiction = find_contradiction(equations, from, value, pinned, x);
    for (int32_t k = 0; k < equations->n_pin; k++) { /* but for rounding it is there */
        const ew_pin *pin = &equations->pin[k];
        const double rest = pinned[k] - ew_pin_value(pin, x);
        for (int c = 0; c < 3; c++) {
            x[3 * (size_t)pin->row + (size_t)c] += rest * pin->normal[c];
        }
    }
    ew_release(pinned);
    return EW_OK;
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
    ew_release(equations->mode);
    ew_release(equations->motion);
    ew_release(equations->pin);
    *equations = (ew_equations){0};
}
