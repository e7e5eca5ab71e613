/* The factor that a load step or a time gives to each pressure that turns with faces.
 *
 * At a load factor l of statics a load has (1 - l) c + l times its pressure, c being what it had at
 * the start: 1 where it is in balance with the displacement from a solve before, 0 of a new one. */
#include "model/internal.h"

void model_press_load(ew_model *model, model_load *load, double factor)
{
    if (model_load_follows(model, &load->as) && load->press != factor) {
        load->press = factor;
        model_touch_records(model);
    }
}

void model_press_partly(ew_model *model, double share)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        model_load *load = &model->load[i];
        model_press_load(model, load, (1.0 - share) * load->carried + share);
    }
}

void model_carry_pressure(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        model->load[i].carried = model->load[i].press;
    }
}
