/* Strain, stress and reactions of a harmonic motion, its real or its imaginary part at a time. In:
 * a displacement and what is a quarter of a turn behind or ahead of it, load, damping, frequency.
 * Out: fields as of a resting body under the forces that the stiffness balances: the load, that of
 * inertia and that of damping. Reactions are what supports give to the body in motion. */
#include "model/modes/pencil.h"

#include <string.h>

static ew_status update_mass(ew_model *model, ew_mass_kind kind)
{
    model_response_mass *of = &model->response_mass;
    if (of->revision == model->mesh.revision && of->kind == kind && of->matrix.n_row) {
        return EW_OK;
    }
    EW_TRY(model_need_densities(model));
    EW_TRY(model_has_edges(model) ? model_update_assembled_pattern(model) : EW_OK);
    const ew_pattern *pattern = pencil_pattern(model);
    EW_TRY(model_build_mass(model, kind, pattern, &of->matrix));
    of->kind = kind;
    of->revision = model->mesh.revision;
    return EW_OK;
}

/* to -= real times the product with this part, and -+ imaginary times that with the other one. */
static void subtract(double *to, double factor, const double *product, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] -= factor * product[i];
    }
}

/* force = f - Re or Im of ((a - 1) K + b M) u, which K u less the reaction equals. */
static ew_status find_force(ew_model *model, const ew_harmonic_motion *of, int part, double *force,
                            double *product)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    const ew_pattern *pattern = pencil_pattern(model);
    const double *own = of->u[part], *other = of->u[!part], sign = part ? 1.0 : -1.0;
    double a[2], b[2];
    ew_damping_factors(&of->damping, of->frequency, a, b);
    memset(force, 0, n * sizeof *force);
    if (of->load && !part) {
        memcpy(force, of->load, n * sizeof *force);
    }
    ew_matrix_product_scalar(&model->response_mass.matrix, pattern, own, product);
    subtract(force, b[0], product, n);
    if (b[1] != 0.0) {
        ew_matrix_product_scalar(&model->response_mass.matrix, pattern, other, product);
        subtract(force, sign * b[1], product, n);
    }
    if (a[1] != 0.0) {
        EW_TRY(model_stiffness_product(model, other, product));
        subtract(force, sign * a[1], product, n);
    }
    return EW_OK;
}

static void put_displacement(ew_model *model, const double *u)
{
    memcpy(ew_model_field(model, 0), u, model_vector_size(model)); /* of all rows */
}

ew_status ew_model_recover_harmonic(ew_model *model, const ew_harmonic_motion *of, int part,
                                    const ew_fields **fields, const ew_sums **sums)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    double *force = NULL;
    EW_TRY(model_need_usable(model));
    EW_TRY(model_need_linear(model, "model: a harmonic motion is of a linear body"));
    if (part != 0 && part != 1) {
        return ew_fail(EW_BAD_ARGUMENT, "model: a harmonic motion has parts 0 and 1, not %d", part);
    }
    EW_TRY(model_update_matrix(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(update_mass(model, of->mass));
    EW_TRY(ew_new(&force, 2 * n, sizeof *force));
    ew_status status = find_force(model, of, part, force, force + n);
    if (!status) {
        put_displacement(model, of->u[part]);
        status = model_recover_under(model, force, false, fields, sums);
    }
    ew_release(force);
    return status;
}
