/* Couplings of a body with large rotations that moves, by an implicit scheme and Newton's method.
 * In: the displacement after the step as it is by now, MODEL_NEXT_U. Out: equations there; a start
 * of the unknown by which it gets to where they hold; rigid sets that are rigid.
 *
 * Displacement, velocity and acceleration after a step are those of the scheme, with the same
 * unknown in all of them: the displacement satisfies the couplings, whatever of the velocity and
 * the acceleration is not along their tangents (index 3: Cardona & Geradin 1989, Time integration
 * of the equations of motion in mechanism analysis). So what turns has the acceleration that keeps
 * it on its way round. */
#include "model/dynamics/dynamics_couplings.h"

#include <math.h>
#include <string.h>

bool dynamics_turns_couplings(const ew_model *model)
{
    return model->equations.n_coupling > 0 && model_has_large_rotations(model);
}

ew_status dynamics_check_couplings(const ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    return !dynamics_turns_couplings(model) ||
                   (of->rule.u[1] != 0.0 && of->def.newton_tolerance > 0.0)
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT,
                         "dynamics: couplings with large rotations take an implicit scheme and "
                         "Newton's method; use newmark, hht, generalized-alpha or implicit-euler "
                         "with 'nonlinear:' (a tolerance above 0), or 'kinematics: small'");
}

/* A function of the displacement, with another one in its place. */
static ew_status with_displacement(ew_model *model, double *u, ew_status (*function)(ew_model *))
{
    double *kept = model->field[0].value;
    model->field[0].value = u;
    const ew_status status = function(model);
    model->field[0].value = kept;
    return status;
}

static ew_status find_lack(ew_model *model)
{
    double largest;
    return model_find_lack(model, 1.0, &largest);
}

ew_status dynamics_lead_couplings(ew_model *model, double by, double *x)
{
    model_equations *of = &model->equations;
    int32_t other = -1;
    EW_TRY(with_displacement(model, model->dynamics.vector[MODEL_NEXT_U], find_lack));
    for (int32_t i = 0; i < of->n_row; i++) {
        of->aim[i] /= by;
    }
    return ew_equations_put(&of->free, &of->list, of->aim, x, &other);
}

/* The equations of a displacement whose rigid sets are rigid. Rows of contacts stay. */
static ew_status keep(ew_model *model)
{
    EW_TRY(model_keep_rigid(model));
    model_renew_contact_equations(model);
    return model_update_equations(model);
}

static double largest_of(const double *x, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

ew_status dynamics_keep_couplings(ew_model *model, double by)
{
    const model_dynamics *of = &model->dynamics;
    double *next = of->vector[MODEL_NEXT_U], *moved = of->vector[MODEL_INPUT],
           *x = of->vector[MODEL_UNKNOWN];
    memcpy(moved, next, model_vector_size(model));
    EW_TRY(with_displacement(model, moved, keep));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        x[i] = (moved[i] - next[i]) / by;
    }
    return EW_OK;
}

ew_status dynamics_check_lack(ew_model *model, bool *is_small)
{
    double *next = model->dynamics.vector[MODEL_NEXT_U];
    const model_equations *of = &model->equations;
    const double size = largest_of(next, 3 * (size_t)model_n_row(model));
    *is_small = true;
    if (dynamics_turns_couplings(model)) {
        EW_TRY(with_displacement(model, next, find_lack));
        *is_small = largest_of(of->aim, (size_t)of->n_row) <= MODEL_NEWTON_GAP * size;
    }
    return EW_OK;
}
