/* Steps of a linear body, whose first solution is the step; and the choice between the tables. */
#include "model/dynamics/step_formulation.h"

static ew_status start(ew_model *model, const ew_dynamics_def *def)
{
    (void)model, (void)def;
    return EW_OK;
}

static void restore(ew_model *model)
{
    (void)model;
}

static ew_status follow(ew_model *model)
{
    (void)model;
    return EW_OK;
}

static ew_status mend_matrix(ew_model *model, double dt, ew_status status)
{
    (void)model, (void)dt;
    return status;
}

static ew_status find_rhs(ew_model *model, const model_terms *terms, double dt)
{
    (void)dt;
    return model_find_rhs(model, terms);
}

static ew_status converge(ew_model *model, const model_terms *terms, double dt, ew_status first,
                          step_solve solve)
{
    (void)model, (void)terms, (void)dt, (void)solve;
    return first;
}

static bool may_halve(const ew_model *model)
{
    (void)model;
    return false;
}

static ew_status finish(ew_model *model, double dt)
{
    (void)dt;
    model->nonlinear.thermal_work = 0.0;
    return EW_OK;
}

static ew_status find_frequency(ew_model *model, double *square)
{
    return *square < 0.0 ? model_find_largest_frequency(model, square) : EW_OK;
}

static const step_formulation linear = {.splits_pressure = true,
                                        .start = start,
                                        .restore = restore,
                                        .follow_edit = follow,
                                        .follow_supports = follow,
                                        .update_matrix = model_update_matrix,
                                        .mend_matrix = mend_matrix,
                                        .find_rhs = find_rhs,
                                        .converge = converge,
                                        .may_halve = may_halve,
                                        .finish = finish,
                                        .find_frequency = find_frequency,
                                        .fetch_blocks = follow};

const step_formulation *step_formulation_of(const ew_model *model)
{
    return model_is_nonlinear(model) ? &step_formulation_nonlinear : &linear;
}
