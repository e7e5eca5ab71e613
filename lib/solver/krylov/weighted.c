/* A preconditioner between rows that linear equations tie. In: equations R, the diagonal W of K
 * without them. Out: Q M^-1 Q^T of a preconditioner M^-1, Q being the projector
 *
 *     Q v = v - W^-1 R^T (R W^-1 R^T)^-1 R v,
 *
 * by which soft rows follow stiff ones, and forces on soft rows go to stiff ones: for M = W it is
 * the inverse of W where R v = 0 (Benzi, Golub, Liesen 2005, Numerical solution of saddle point
 * problems, section 10.1). The projector of the iteration, which has no weights, gives a stiff row
 * half of what a soft one would do alone: too much by the ratio of both.
 *
 * With rigid groups R, W and v are of the factors of their modes, as in equations.c. */
#include "solver/krylov/pcg.h"
#include "solver/krylov/rigid_rows.h"

#include <math.h>
#include <string.h>

struct ew_weighted {
    const ew_equations *from; /* borrowed: entries, groups and their memory */
    ew_equations own; /* owned: factors over the root of W, rows of length 1, and what is made of
                         them; the rest is borrowed */
    double *root;     /* [entries] owned: of W */
    double *force;    /* [n_row][3] owned: Q^T r */
};

/* Of what has no stiffness, or, far from an answer, a negative one, the weight is any. */
static double root_of(double weight)
{
    return weight > 0.0 && isfinite(weight) ? sqrt(weight) : 1.0;
}

/* The same in all directions of a row, so that it commutes with what is prescribed there; in a
 * group that of a mean row. */
static void weigh(ew_weighted *to, const ew_matrix *matrix, const double *edge)
{
    const ew_equations *from = to->from;
    const ew_rigid_rows *rigid = &from->rigid;
    for (int32_t row = 0; row < from->n_row; row++) {
        const double *block = row < matrix->n_row ? matrix->diagonal + 9 * (size_t)row
                                                  : edge + 9 * (size_t)(row - matrix->n_row);
        for (int c = 0; c < 3; c++) {
            to->root[3 * (size_t)row + (size_t)c] = root_of((block[0] + block[4] + block[8]) / 3.0);
        }
    }
    for (int32_t k = 0; k < rigid->n; k++) {
        double sum = 0.0;
        for (int32_t i = rigid->begin[k]; i < rigid->begin[k + 1]; i++) {
            const double root = to->root[3 * (size_t)rigid->row[i]];
            sum += root * root / (rigid->begin[k + 1] - rigid->begin[k]);
        }
        for (int m = 0; m < 6; m++) {
            to->root[3 * (size_t)from->n_row + 6 * (size_t)k + (size_t)m] = root_of(sum);
        }
    }
}

static void scale_rows(ew_weighted *to)
{
    const ew_equations *from = to->from;
    for (int32_t i = 0; i < from->n; i++) { /* one without terms stays so */
        double sum = 0.0;
        for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
            to->own.factor[k] = from->factor[k] / to->root[from->entry[k]];
            sum += to->own.factor[k] * to->own.factor[k];
        }
        for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
            to->own.factor[k] /= sqrt(sum);
        }
    }
}

static ew_status fill(ew_weighted *to, const ew_equations *from, const ew_matrix *matrix,
                      const double *edge)
{
    const int32_t n_entry = 3 * from->n_row + 6 * from->rigid.n;
    ew_equations *own = &to->own;
    to->from = from;
    *own = (ew_equations){.n = from->n, .begin = from->begin, .entry = from->entry};
    EW_TRY(ew_new(&to->root, (size_t)n_entry, sizeof *to->root));
    EW_TRY(ew_new(&to->force, 3 * (size_t)from->n_row, sizeof *to->force));
    EW_TRY(ew_new(&own->factor, (size_t)from->begin[from->n], sizeof *own->factor));
    EW_TRY(ew_new(&own->l_begin, (size_t)from->n + 1, sizeof *own->l_begin));
    EW_TRY(ew_new(&own->pivot, (size_t)from->n, sizeof *own->pivot));
    EW_TRY(ew_new(&own->work, (size_t)from->n, sizeof *own->work));
    weigh(to, matrix, edge);
    scale_rows(to);
    return ew_equations_factor(own, n_entry);
}

ew_status ew_weighted_build(ew_weighted **self, const ew_equations *equations,
                            const ew_matrix *matrix, const double *edge)
{
    ew_weighted_free(self);
    if (!equations || !matrix || equations->n == 0) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(self, 1, sizeof **self));
    const ew_status status = fill(*self, equations, matrix, edge);
    if (status) {
        ew_weighted_free(self);
    }
    return status;
}

void ew_weighted_free(ew_weighted **self)
{
    if (*self) {
        ew_release((*self)->own.factor);
        ew_release((*self)->own.l_begin);
        ew_release((*self)->own.l_column);
        ew_release((*self)->own.l);
        ew_release((*self)->own.pivot);
        ew_release((*self)->own.work);
        ew_release((*self)->root);
        ew_release((*self)->force);
        ew_release(*self);
        *self = NULL;
    }
}

/* v = Q v, or Q^T v. */
static void project(const ew_weighted *self, bool transposed, double *v)
{
    const ew_equations *from = self->from, *own = &self->own;
    const int32_t n_entry = 3 * from->n_row;
    ew_rigid_rows_gather(from, from->mode, v);
    for (int32_t i = 0; i < own->n; i++) {
        own->work[i] = 0.0;
        for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
            const int32_t e = from->entry[k];
            const double x = e < n_entry ? v[e] : from->motion[e - n_entry];
            own->work[i] += own->factor[k] * (transposed ? x / self->root[e] : x * self->root[e]);
        }
    }
    ew_equations_substitute(own, own->work);
    for (int32_t i = 0; i < own->n; i++) {
        for (int32_t k = from->begin[i]; k < from->begin[i + 1]; k++) {
            const int32_t e = from->entry[k];
            const double y = own->factor[k] * own->work[i];
            double *x = e < n_entry ? v + e : from->motion + (e - n_entry);
            *x -= transposed ? y * self->root[e] : y / self->root[e];
        }
    }
    ew_rigid_rows_scatter(from, from->mode, v);
}

double *ew_weighted_force(const ew_weighted *self)
{
    return self->force;
}

void ew_weighted_begin(const ew_weighted *self)
{
    project(self, true, self->force);
}

void ew_weighted_end(const ew_weighted *self, double *z)
{
    project(self, false, z);
}
