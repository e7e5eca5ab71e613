/* Groups of rows that move as rigid bodies: x = Z y. In: modes of each group, what the filter and
 * oblique rows prescribe. Out: products with Z and its transpose; pins, the prescribed directions
 * at rows of groups, of which those that do not follow from others are equations between factors of
 * modes. Six at most are in a group: the others would fill the factor of equations. */
#include "solver/krylov/rigid_rows.h"

#include <math.h>
#include <string.h>

double ew_pin_value(const ew_pin *pin, const double *x)
{
    const double *v = x + 3 * (size_t)pin->row, *n = pin->normal;
    return n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
}

static void factors_at(const double *mode, const double n[3], double factor[6])
{
    for (int m = 0; m < 6; m++) {
        factor[m] = mode[m] * n[0] + mode[6 + m] * n[1] + mode[12 + m] * n[2];
    }
}

void ew_pin_factors(const ew_equations *of, const ew_pin *pin, double factor[6])
{
    const ew_rigid_rows *rigid = &of->rigid;
    for (int32_t i = rigid->begin[pin->group]; i < rigid->begin[pin->group + 1]; i++) {
        if (rigid->row[i] == pin->row) {
            factors_at(rigid->mode + 18 * (size_t)i, pin->normal, factor);
        }
    }
}

/* What is left of f [6] beside the first n of basis, of length 1, in place. Returns the square of
 * its length relative to that before. */
static double reduce(int n, double basis[6][6], double f[6])
{
    double before = 0.0, after = 0.0;
    for (int m = 0; m < 6; m++) {
        before += f[m] * f[m];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n; k++) {
            double along = 0.0;
            for (int m = 0; m < 6; m++) {
                along += basis[k][m] * f[m];
            }
            for (int m = 0; m < 6; m++) {
                f[m] -= along * basis[k][m];
            }
        }
    }
    for (int m = 0; m < 6; m++) {
        after += f[m] * f[m];
    }
    return before > 0.0 ? after / before : 0.0;
}

/* The pins of one group so far, and those of them that others do not imply. */
typedef struct pinning {
    int32_t group, n;
    double basis[6][6];
} pinning;

static ew_status add_pin(ew_equations *to, pinning *of, int32_t row, const double *mode,
                         const double normal[3])
{
    double f[6], size = 0.0;
    ew_pin made = {.row = row, .group = of->group, .equation = -1};
    memcpy(made.normal, normal, sizeof made.normal);
    factors_at(mode, normal, f);
    if (of->n < 6 && reduce(of->n, of->basis, f) > EW_DEPENDENT) {
        for (int m = 0; m < 6; m++) {
            size += f[m] * f[m];
        }
        for (int m = 0; m < 6; m++) {
            of->basis[of->n][m] = f[m] / sqrt(size);
        }
        of->n++;
        made.equation = 0; /* its number follows */
    }
    EW_TRY(ew_grow(&to->pin, &to->pin_capacity, (int64_t)to->n_pin + 1, sizeof *to->pin));
    to->pin[to->n_pin++] = made;
    return EW_OK;
}

/* The modes of a row lose what is prescribed there. */
static ew_status pin_row(ew_equations *to, pinning *of, int32_t row, const double *whole,
                         double *mode, uint8_t fixed, const ew_oblique *oblique, int32_t place)
{
    for (int c = 0; c < 3; c++) {
        if (fixed >> c & 1) {
            const double normal[3] = {c == 0, c == 1, c == 2};
            EW_TRY(add_pin(to, of, row, whole, normal));
            memset(mode + 6 * c, 0, 6 * sizeof *mode);
        }
    }
    for (int k = 0; k < 2 && place >= 0; k++) {
        const double *n = oblique->normal + 6 * (size_t)place + 3 * k;
        if (n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0) {
            EW_TRY(add_pin(to, of, row, whole, n));
        }
    }
    for (int m = 0; m < 6 && place >= 0; m++) {
        double v[3] = {mode[m], mode[6 + m], mode[12 + m]};
        ew_oblique_project(oblique, place, v);
        for (int c = 0; c < 3; c++) {
            mode[6 * c + m] = v[c];
        }
    }
    return EW_OK;
}

static int32_t place_of(const ew_oblique *oblique, int32_t row)
{
    int32_t place = -1;
    for (int32_t k = 0; k < oblique->n && place < 0; k++) {
        place = oblique->row[k] == row ? k : -1;
    }
    return place;
}

ew_status ew_rigid_rows_prepare(ew_equations *to, const ew_rigid_rows *from, const uint8_t *fixed,
                                const ew_oblique *oblique)
{
    const int32_t n = from->n ? from->begin[from->n] : 0;
    to->rigid = *from;
    to->n_pin = 0;
    EW_TRY(ew_grow(&to->mode, &to->mode_capacity, n, 18 * sizeof *to->mode));
    EW_TRY(ew_grow(&to->motion, &to->motion_capacity, from->n, 6 * sizeof *to->motion));
    for (int32_t k = 0; k < from->n; k++) {
        pinning of = {.group = k};
        for (int32_t i = from->begin[k]; i < from->begin[k + 1]; i++) {
            const int32_t row = from->row[i];
            double *mode = to->mode + 18 * (size_t)i;
            memcpy(mode, from->mode + 18 * (size_t)i, 18 * sizeof *mode);
            EW_TRY(pin_row(to, &of, row, from->mode + 18 * (size_t)i, mode, fixed[row], oblique,
                           fixed[row] & EW_OBLIQUE ? place_of(oblique, row) : -1));
        }
    }
    return EW_OK;
}

void ew_rigid_rows_gather(const ew_equations *of, const double *mode, const double *v)
{
    for (int32_t k = 0; k < of->rigid.n; k++) {
        double *y = of->motion + 6 * (size_t)k;
        memset(y, 0, 6 * sizeof *y);
        for (int32_t i = of->rigid.begin[k]; i < of->rigid.begin[k + 1]; i++) {
            const double *x = v + 3 * (size_t)of->rigid.row[i], *z = mode + 18 * (size_t)i;
            for (int m = 0; m < 6; m++) {
                y[m] += z[m] * x[0] + z[6 + m] * x[1] + z[12 + m] * x[2];
            }
        }
    }
}

/* Component c of a row by the factors of its group's modes. */
static double moved(const double *y, const double *z, int c)
{
    double sum = 0.0;
    for (int m = 0; m < 6; m++) {
        sum += z[6 * c + m] * y[m];
    }
    return sum;
}

void ew_rigid_rows_scatter(const ew_equations *of, const double *mode, double *v)
{
    for (int32_t k = 0; k < of->rigid.n; k++) {
        for (int32_t i = of->rigid.begin[k]; i < of->rigid.begin[k + 1]; i++) {
            for (int c = 0; c < 3; c++) {
                v[3 * (size_t)of->rigid.row[i] + (size_t)c] =
                    moved(of->motion + 6 * (size_t)k, mode + 18 * (size_t)i, c);
            }
        }
    }
}

void ew_rigid_rows_add_rest(const ew_equations *of, const double *v, double *part)
{
    for (int32_t k = 0; k < of->rigid.n; k++) {
        for (int32_t i = of->rigid.begin[k]; i < of->rigid.begin[k + 1]; i++) {
            for (int c = 0; c < 3; c++) {
                const size_t at = 3 * (size_t)of->rigid.row[i] + (size_t)c;
                part[at] += v[at] - moved(of->motion + 6 * (size_t)k, of->mode + 18 * (size_t)i, c);
            }
        }
    }
}
