/* The inverse of a factored matrix A where linear equations R y = 0 leave the body free, and no
 * rigid set. In: the factor, equations. Out: y with R y = 0 and A y - x along equations alone,
 *
 *     y = A^-1 (x - R^T m),   R A^-1 R^T m = R A^-1 x,
 *
 * the last matrix dense: one column of it takes a solve. */
#include "model/modes/pencil.h"

#include <math.h>
#include <string.h>

/* A pivot that is less of its diagonal was lost: the factor answers to the equation with nothing.
 */
#define LOST 1e-13

/* [n][n], lower triangle, rows of L in place of those of the matrix. */
static ew_status factor_dense(int32_t n, double *a)
{
    for (size_t i = 0; i < (size_t)n; i++) {
        double *row = a + i * (size_t)n;
        const double diagonal = row[i];
        for (size_t j = 0; j <= i; j++) {
            const double *other = a + j * (size_t)n;
            for (size_t k = 0; k < j; k++) {
                row[j] -= row[k] * other[k];
            }
            if (j < i) {
                row[j] /= other[j];
            }
        }
        if (!(row[i] > LOST * diagonal)) {
            return ew_fail(EW_INDEFINITE,
                           "equations: the matrix is not definite along equation "
                           "%d of %d; hold the body by supports, too",
                           (int)i + 1, n);
        }
        row[i] = sqrt(row[i]);
    }
    return EW_OK;
}

static void substitute_dense(int32_t n, const double *l, double *x)
{
    const size_t size = (size_t)n;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < i; k++) {
            x[i] -= l[i * size + k] * x[k];
        }
        x[i] /= l[i * size + i];
    }
    for (size_t i = size; i-- > 0;) {
        x[i] /= l[i * size + i];
        for (size_t k = 0; k < i; k++) {
            x[k] -= l[i * size + k] * x[i];
        }
    }
}

/* Column j is of the j-th equation that is not left out. */
static ew_status find_products(pencil *in)
{
    const ew_equations *of = in->equations;
    const size_t n = (size_t)in->n_equation, size = pencil_size(in);
    double *x = in->work, *y = x + size;
    for (int32_t i = 0, j = 0; i < of->n; i++) {
        if (of->pivot[i] > 0.0) {
            memset(x, 0, size * sizeof *x);
            for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
                x[of->entry[k]] = of->factor[k];
            }
            pencil_apply(in, x, y);
            ew_equations_multiply(of, y, in->multiplier);
            for (size_t k = 0; k < n; k++) {
                in->of_equations[k * n + (size_t)j] = in->multiplier[k];
            }
            j++;
        }
    }
    return factor_dense(in->n_equation, in->of_equations);
}

ew_status pencil_factor_equations(pencil *in)
{
    const ew_equations *of = in->equations;
    if (!of) {
        return EW_OK;
    }
    pencil_free_equations(in);
    in->n_equation = of->n - of->n_dependent;
    const size_t n = (size_t)in->n_equation;
    EW_TRY(ew_new(&in->of_equations, n * n, sizeof *in->of_equations));
    EW_TRY(ew_new(&in->multiplier, n, sizeof *in->multiplier));
    EW_TRY(ew_new(&in->reduced, pencil_size(in), sizeof *in->reduced));
    return find_products(in);
}

void pencil_solve_equations(pencil *in, const double *x, double *y)
{
    const ew_equations *of = in->equations;
    ew_equations_multiply(of, y, in->multiplier);
    substitute_dense(in->n_equation, in->of_equations, in->multiplier);
    memcpy(in->reduced, x, pencil_size(in) * sizeof *x);
    ew_equations_add_transposed(of, -1.0, in->multiplier, in->reduced);
    pencil_apply(in, in->reduced, y);
}

void pencil_free_equations(pencil *in)
{
    ew_release(in->of_equations);
    ew_release(in->multiplier);
    ew_release(in->reduced);
    in->of_equations = in->multiplier = in->reduced = NULL;
}
