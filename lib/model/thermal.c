/* Temperatures of a nonlinear body: strain that its laws do not see. In: loads, and what amplitudes
 * make of them at a time. Out: the thermal strain of each tet, and the work of changing it. */
#include "model/internal.h"

#include <string.h>

bool model_has_temperature(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_load; i++) {
        any = any || model->load[i].as.kind == EW_LOAD_TEMPERATURE;
    }
    return any;
}

void model_forget_thermal(ew_model *model)
{
    if (model->nonlinear.thermal_current) {
        model_touch_records(model);
    }
    model->nonlinear.thermal_current = false;
}

/* ---- at a time ------------------------------------------------------------------------------- */

static void put_factor(ew_model *model, model_load *load, double factor)
{
    if (load->as.kind == EW_LOAD_TEMPERATURE && load->heat != factor) {
        load->heat = factor;
        model_forget_thermal(model);
    }
}

void model_heat_fully(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        put_factor(model, &model->load[i], 1.0);
    }
}

void model_heat(ew_model *model, double time, double next, double share)
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

/* ---- thermal strain -------------------------------------------------------------------------- */

/* The change of temperature of a tet, every load times its factor. */
static double change_of_tet(const ew_model *model, int32_t t)
{
    double sum = 0.0;
    int32_t line = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        if (model->load[i].share_current) {
            const double own =
                ew_loads_temperature_change(&model->mesh, 1, &model->load_line[line++], t);
            sum += model->load[i].heat * own;
        }
    }
    return sum;
}

static void find_strain(const ew_model *model, int32_t t, double *strain)
{
    memset(strain, 0, 6 * sizeof *strain);
    if (ew_mesh_tet_is_live(&model->mesh, t)) {
        const ew_elastic law = ew_elastic_of_tet(&model->materials, &model->mesh, t);
        const double change = change_of_tet(model, t);
        for (int i = 0; i < 6; i++) {
            strain[i] = change * law.expansion[i];
        }
    }
}

ew_status model_update_thermal(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const int32_t n = model->mesh.n_tet;
    if (!model_is_nonlinear(model) || !model_has_temperature(model)) {
        return EW_OK;
    }
    EW_TRY(model_update_loads(model));
    if (of->thermal_current) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->thermal, &of->thermal_capacity, n, 6 * sizeof *of->thermal));
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int32_t t = 0; t < n; t++) {
        find_strain(model, t, of->thermal + 6 * (size_t)t);
    }
    of->thermal_current = true;
    model_touch_records(model);
    return EW_OK;
}

ew_status model_keep_thermal(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const int32_t n = model->mesh.n_tet;
    if (!model_is_nonlinear(model) || !model_has_temperature(model)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->thermal_before, &of->thermal_before_capacity, n,
                   6 * sizeof *of->thermal_before));
    memcpy(of->thermal_before, of->thermal, 6 * sizeof *of->thermal * (size_t)n);
    return EW_OK;
}

double model_find_heat_work(const ew_model *model, const double *from, const double *to)
{
    const model_nonlinear *of = &model->nonlinear;
    ew_moved before = model_moved(model, from, 0.0), after = model_moved(model, to, 0.0);
    if (!after.thermal) {
        return 0.0;
    }
    before.thermal = of->thermal_before;
    after.state = of->n_state ? of->after : NULL;
    return ew_response_heat_work(&of->response, &before, &after);
}
