/* The right-hand side of the equation of motion, for a step and for the acceleration of a state. */
#include "model/dynamics/dynamics_contact.h"

/* Rows that one call of a loop's body takes. */
#define ROWS 2048

static void combine_rows(const ew_model *model, model_weigh rows, double *out)
{
    const int32_t n = model_n_row(model), n_part = n / ROWS + 1;
#pragma omp parallel for schedule(static) if (n_part > 1)
    for (int32_t k = 0; k < n_part; k++) {
        const size_t begin = (size_t)k * ROWS, end = begin + ROWS;
        rows(model, out, 3 * begin, 3 * (end < (size_t)n ? end : (size_t)n));
    }
}

static void subtract_rows(const ew_model *model, double *out, size_t begin, size_t end)
{
    const double *part = model->dynamics.vector[MODEL_OUTPUT];
    for (size_t i = begin; i < end; i++) {
        out[i] -= part[i];
    }
}

/* MODEL_OUTPUT is the force of the body. */
static ew_status find_rest(ew_model *model, const model_terms *terms)
{
    double *const *vector = model->dynamics.vector;
    combine_rows(model, terms->load, vector[MODEL_RHS]);
    combine_rows(model, subtract_rows, vector[MODEL_RHS]);
    combine_rows(model, terms->mass, vector[MODEL_INPUT]);
    model_mass_product(model, vector[MODEL_INPUT], vector[MODEL_OUTPUT]);
    combine_rows(model, subtract_rows, vector[MODEL_RHS]);
    model->contacts.rhs_has_friction = false;
    return EW_OK;
}

static ew_status filter_rhs(ew_model *model)
{
    double *const *vector = model->dynamics.vector;
    /* Along oblique supports it may be many times what it is across: rounding leaves so much there
     * that once is not enough. */
    model_filter(model, vector[MODEL_RHS]);
    model_filter(model, vector[MODEL_RHS]);
    model_flush(vector[MODEL_RHS], 3 * (int64_t)model_n_row(model));
    return EW_OK;
}

ew_status model_find_rhs(ew_model *model, const model_terms *terms)
{
    double *const *vector = model->dynamics.vector;
    combine_rows(model, terms->stiffness, vector[MODEL_INPUT]);
    EW_TRY(terms->is_split
               ? model_split_mixed_product(model, vector[MODEL_INPUT], vector[MODEL_OUTPUT])
               : model_formulation_of(model)->linearized_force(model, vector[MODEL_INPUT],
                                                               vector[MODEL_OUTPUT]));
    EW_TRY(find_rest(model, terms));
    return filter_rhs(model);
}

static void add_to_output(const ew_model *model, double *out, size_t begin, size_t end)
{
    const double *part = model->nonlinear.vector[NONLINEAR_FORCE];
    for (size_t i = begin; i < end; i++) {
        out[i] += part[i];
    }
}

ew_status model_find_unfiltered_rhs(ew_model *model, const model_terms *terms, double dt)
{
    double *const *vector = model->dynamics.vector;
    combine_rows(model, terms->displacement, vector[MODEL_INPUT]);
    EW_TRY(model_net_force(model, vector[MODEL_INPUT], dt, vector[MODEL_OUTPUT]));
    if (model->dynamics.def.damping_stiffness != 0.0) {
        combine_rows(model, terms->damping, vector[MODEL_INPUT]);
        EW_TRY(model_stiffness_product(model, vector[MODEL_INPUT],
                                       model->nonlinear.vector[NONLINEAR_FORCE]));
        combine_rows(model, add_to_output, vector[MODEL_OUTPUT]);
    }
    EW_TRY(find_rest(model, terms));
    dynamics_complete_rhs(model);
    return EW_OK;
}

ew_status model_find_exact_rhs(ew_model *model, const model_terms *terms, double dt)
{
    EW_TRY(model_find_unfiltered_rhs(model, terms, dt));
    return filter_rhs(model);
}
