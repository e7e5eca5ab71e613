/* Springs between rows of any operator on the host. In: an operator K, linear forms c of x,
 * stiffnesses k >= 0. Out: the operator K + sum of k c c^T, for few forms: they are added by one
 * thread. */
#include "solver/parts/solver.h"

static const ew_sprung_operator *sprung(const ew_operator *op)
{
    return (const ew_sprung_operator *)op;
}

static ew_status prepare(ew_operator *op, ew_precision precision)
{
    ew_operator *inner = sprung(op)->inner;
    return inner->type->prepare(inner, precision);
}

static void state(const ew_operator *op, uint64_t *revision, uint64_t *constants)
{
    sprung(op)->inner->type->state(sprung(op)->inner, revision, constants);
}

static void product(const ew_operator *op, bool single, const double *x, double *y)
{
    const ew_sprung_operator *own = sprung(op);
    const ew_equation_list *of = &own->form;
    own->inner->type->product(own->inner, single, x, y);
#pragma omp single
    for (int32_t i = 0; i < of->n; i++) {
        double force = 0.0;
        for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            force += of->factor[k] * x[of->entry[k]];
        }
        force *= own->stiffness[i];
        for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            y[of->entry[k]] += force * of->factor[k];
        }
    }
}

static const ew_operator_type with_springs = {
    .name = "matrix with springs", .prepare = prepare, .state = state, .product = product};

void ew_operator_add_springs(ew_sprung_operator *to, ew_operator *op, const ew_equation_list *form,
                             const double *stiffness)
{
    *to = (ew_sprung_operator){.op = *op, .inner = op, .form = *form, .stiffness = stiffness};
    to->op.type = &with_springs;
}
