/* Constraints, springs and loads of a model, handed out as it was given. In: a model. Out: entries
 * of its lists, which a program may give back with others. */
#include "model/internal.h"

int32_t ew_model_n_constraint(const ew_model *model)
{
    return model->n_constraint;
}

int32_t ew_model_n_spring(const ew_model *model)
{
    return model->n_spring;
}

int32_t ew_model_n_load(const ew_model *model)
{
    return model->n_load;
}

ew_status ew_model_view_constraint(const ew_model *model, int32_t i, ew_model_constraint *out)
{
    if (i < 0 || i >= model->n_constraint) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no constraint %d of %d", (int)i,
                       (int)model->n_constraint);
    }
    *out = model->constraint[i];
    return EW_OK;
}

ew_status ew_model_view_spring(const ew_model *model, int32_t i, ew_model_spring *out)
{
    if (i < 0 || i >= model->n_spring) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no spring %d of %d", (int)i,
                       (int)model->n_spring);
    }
    *out = model->spring[i].as;
    return EW_OK;
}

ew_status ew_model_view_load(const ew_model *model, int32_t i, ew_model_load *out)
{
    if (i < 0 || i >= model->n_load) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no load %d of %d", (int)i,
                       (int)model->n_load);
    }
    *out = model->load[i].as;
    return EW_OK;
}
