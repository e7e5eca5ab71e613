/* Temperatures of a nonlinear body: strain that its laws do not see. In: loads, what amplitudes
 * make of them at a time, and the temperature that load steps begin with, a field that follows
 * edits. Out: the thermal strain of each tet, and the work of changing it. */
#include "model/internal.h"

#include <stddef.h>
#include <string.h>

/* ---- at a time ------------------------------------------------------------------------------- */

static void put_factor(ew_model *model, model_load *load, double factor)
{
    if (load->as.kind == EW_LOAD_TEMPERATURE && load->thermal_factor != factor) {
        load->thermal_factor = factor;
        model_forget_thermal(model);
    }
}

static void put_share(ew_model *model, double share_before)
{
    if (model->nonlinear.share_before != share_before) {
        model->nonlinear.share_before = share_before;
        model_forget_thermal(model);
    }
}

void model_apply_thermal_strain_partly(ew_model *model, double share_before)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        put_factor(model, &model->load[i], 1.0);
    }
    put_share(model, share_before);
}

void model_apply_thermal_strain_fully(ew_model *model)
{
    model_apply_thermal_strain_partly(model, 0.0);
}

void model_apply_thermal_strain(ew_model *model, double time, double next, double share)
{
    put_share(model, 0.0);
    for (int32_t i = 0; i < model->n_load; i++) {
        const int32_t number = model->load[i].as.amplitude;
        const ew_amplitude *of = number ? &model->amplitude[number - 1] : NULL;
        const double now = of && share != 0.0 ? ew_amplitude_at(of, time) : 1.0;
        const double then = of ? ew_amplitude_at(of, next) : 1.0;
        const double factor = share != 0.0 ? (1.0 - share) * then + share * now : then;
        put_factor(model, &model->load[i], factor);
        model_press_load(model, &model->load[i], factor);
    }
}

/* ---- thermal strain -------------------------------------------------------------------------- */

/* Numbers of a tet in the field of temperatures: one by point, and whether they are known. */
static size_t known_width(const ew_model *model)
{
    return (size_t)model->nonlinear.n_point + 1;
}

/* A load's change of temperature at the points of a tet, 0 where it is none of temperature: of a
 * linear tet the mean; between the corners of a quadratic one it is linear. */
static void change_by_load(const ew_model *model, const ew_load *load, int32_t t, double *change)
{
    double corner[4];
    if (model->nonlinear.n_point == 1) {
        change[0] = ew_loads_temperature_change(&model->mesh, 1, load, t);
        return;
    }
    ew_loads_change_at_corners(&model->mesh, 1, load, t, corner);
    for (int p = 0; p < model->nonlinear.n_point; p++) {
        change[p] = ew_at_gauss_point(p, corner);
    }
}

/* The changes of temperature at the points of a tet: what is left of that of the state, and every
 * load times its factor. */
static void change_of_tet(const ew_model *model, int32_t t, double *change)
{
    const model_nonlinear *of = &model->nonlinear;
    const double share = of->share_before;
    const bool had = share != 0.0 && of->temperature;
    const double *known =
        had ? model->field[of->temperature].value + known_width(model) * (size_t)t : NULL;
    double sum[EW_QUADRATIC_POINTS] = {0.0}, own[EW_QUADRATIC_POINTS];
    int32_t line = 0;
    for (int32_t i = 0; i < model->n_load && share != 1.0; i++) {
        if (model->load[i].share_current) {
            change_by_load(model, &model->load_line[line++], t, own);
            for (int p = 0; p < of->n_point; p++) {
                sum[p] += model->load[i].thermal_factor * own[p];
            }
        }
    }
    for (int p = 0; p < of->n_point; p++) {
        const double before = had ? share * known[p] : 0.0;
        change[p] = share == 1.0 ? before : share != 0.0 ? before + (1.0 - share) * sum[p] : sum[p];
    }
}

/* strain: [n_point][6] */
static void find_strain(const ew_model *model, int32_t t, double *strain)
{
    const int n_point = model->nonlinear.n_point;
    memset(strain, 0, 6 * sizeof *strain * (size_t)n_point);
    if (ew_mesh_tet_is_live(&model->mesh, t)) {
        const ew_elastic law = ew_elastic_of_tet(&model->materials, &model->mesh, t);
        double change[EW_QUADRATIC_POINTS];
        change_of_tet(model, t, change);
        for (int i = 0; i < 6 * n_point; i++) {
            strain[i] = change[i / 6] * law.expansion[i % 6];
        }
    }
}

/* The mean of the tets about it that have a temperature, if any has. */
static bool join(const ew_model *model, int32_t t, double *known)
{
    const ew_rows *rows = &model->topology.vertex_to_tet;
    const size_t width = known_width(model), last = width - 1;
    double sum = 0.0;
    int32_t n = 0;
    for (int k = 0; k < 4; k++) {
        const int32_t v = model->mesh.tet[4 * (size_t)t + (size_t)k];
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const double *other = known + width * (size_t)rows->item[rows->begin[v] + i];
            for (size_t p = 0; p < last && other[last] != 0.0; p++) {
                sum += other[p];
                n++;
            }
        }
    }
    for (size_t p = 0; p < last && n; p++) {
        known[width * (size_t)t + p] = sum / n;
    }
    if (n) {
        known[width * (size_t)t + last] = 1.0;
    }
    return n > 0;
}

/* Tets that edits put in, parts of none, are as warm as those about them, in the order of slots
 * from those that there were; a piece of its own is not. */
static void join_all(const ew_model *model)
{
    const model_nonlinear *of = &model->nonlinear;
    double *known = of->temperature ? model->field[of->temperature].value : NULL;
    bool more = known != NULL;
    while (more) {
        more = false;
        for (int32_t t = 0; t < model->mesh.n_tet; t++) {
            const bool unknown = known[known_width(model) * ((size_t)t + 1) - 1] == 0.0;
            more =
                (unknown && ew_mesh_tet_is_live(&model->mesh, t) && join(model, t, known)) || more;
        }
    }
}

ew_status model_update_thermal(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const int32_t n = model->mesh.n_tet;
    if (!model_has_thermal_strain(model)) {
        return EW_OK;
    }
    EW_TRY(model_update_loads(model));
    EW_TRY(model_update_points(model));
    if (of->thermal_current) {
        return EW_OK;
    }
    const size_t width = 6 * (size_t)of->n_point;
    EW_TRY(ew_grow(&of->thermal, &of->thermal_capacity, n, width * sizeof *of->thermal));
    if (of->share_before != 0.0) {
        join_all(model);
    }
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int32_t t = 0; t < n; t++) {
        find_strain(model, t, of->thermal + width * (size_t)t);
    }
    of->thermal_current = true;
    model_touch_records(model);
    return EW_OK;
}

ew_status model_keep_thermal(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const int32_t n = model->mesh.n_tet;
    if (!model_has_thermal_strain(model)) {
        return EW_OK;
    }
    const size_t size = 6 * (size_t)of->n_point * sizeof *of->thermal;
    EW_TRY(ew_grow(&of->thermal_before, &of->thermal_before_capacity, n, size));
    memcpy(of->thermal_before, of->thermal, size * (size_t)n);
    return EW_OK;
}

/* Nothing was warm before. */
static ew_status open_temperature(ew_model *model)
{
    const int32_t width = (int32_t)known_width(model);
    const ew_field_def def = {
        .name = "temperature", .on_tets = true, .width = width, .rule = EW_FIELD_COPY};
    int32_t *field = &model->nonlinear.temperature;
    if (!*field) {
        EW_TRY(ew_model_add_field(model, &def, field));
        for (int32_t t = 0; t < model->mesh.n_tet; t++) {
            model->field[*field].value[width * ((ptrdiff_t)t + 1) - 1] = 1.0;
        }
    }
    return EW_OK;
}

ew_status model_keep_temperature(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const int32_t n = model->mesh.n_tet;
    bool warm = false;
    if (!model_has_temperature(model)) {
        return EW_OK;
    }
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_loads(model));
    EW_TRY(model_update_points(model));
    EW_TRY(open_temperature(model));
#pragma omp parallel for schedule(static) reduction(|| : warm) if (n > MODEL_MIN_PARALLEL)
    for (int32_t t = 0; t < n; t++) {
        double *known = model->field[of->temperature].value + known_width(model) * (size_t)t;
        const bool live = ew_mesh_tet_is_live(&model->mesh, t);
        double change[EW_QUADRATIC_POINTS] = {0.0};
        if (live) {
            change_of_tet(model, t, change); /* reads what is known */
        }
        for (int p = 0; p < of->n_point; p++) {
            known[p] = change[p];
            warm = warm || known[p] != 0.0;
        }
        known[of->n_point] = live;
    }
    of->is_warm = warm;
    return EW_OK;
}

ew_status model_find_thermal_work(ew_model *model, const double *from, const double *to,
                                  double *work)
{
    const model_nonlinear *of = &model->nonlinear;
    ew_deformed before = model_deformed(model, from, 0.0), after = model_deformed(model, to, 0.0);
    *work = 0.0;
    if (!after.thermal) {
        return EW_OK;
    }
    before.thermal = of->thermal_before;
    after.state = of->n_state ? of->after : NULL;
    if (after.pressure) {
        EW_TRY(model_find_mixed_pressure(model, to));
        EW_TRY(model_find_mixed_pressure_of(model, &before, model->mixed.p));
    }
    *work = ew_internal_force_thermal_work(&of->internal_force, &before, &after);
    return EW_OK;
}
