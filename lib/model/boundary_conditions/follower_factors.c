/* The factor that a load step or a time gives to each pressure that turns with faces.
 *
 * At a load factor l of statics a load has (1 - l) c + l times its pressure, c being what it had at
 * the start: 1 where it is in balance with the displacement from a solve before, 0 of a new one. */
#include "model/internal.h"

static void put_factor(ew_model *model, model_load *load, double factor)
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
        put_factor(model, load, (1.0 - share) * load->carried + share);
    }
}

void model_press_at(ew_model *model, double time, double next, double share)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        const int32_t number = model->load[i].as.amplitude;
        const ew_amplitude *of = number ? &model->amplitude[number - 1] : NULL;
        const double now = of && share != 0.0 ? ew_amplitude_at(of, time) : 1.0;
        const double then = of ? ew_amplitude_at(of, next) : 1.0;
        put_factor(model, &model->load[i],
                   share != 0.0 ? (1.0 - share) * then + share * now : then);
    }
}

void model_carry_pressure(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        model->load[i].carried = model->load[i].press;
    }
}
