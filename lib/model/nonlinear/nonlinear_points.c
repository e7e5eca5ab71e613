/* How many points a tet of a nonlinear body has, and what stands at them: the state of the laws and
 * the temperature, fields that follow edits. One point where all tets are linear, else the four of
 * a quadratic tet; where that becomes another number each point takes the mean of those before. */
#include "model/internal.h"

#include <string.h>

/* The field becomes one of n_point times `width` numbers a tet, and of `more` that stay. */
static ew_status resize_points(model_field *field, int32_t n_before, int32_t n_point, int32_t width,
                               int32_t more)
{
    const size_t from = (size_t)(n_before * width + more), to = (size_t)(n_point * width + more);
    double *value;
    EW_TRY(ew_new_zero(&value, to * (size_t)field->capacity, sizeof *value));
    for (size_t t = 0; t < (size_t)field->capacity; t++) {
        const double *old = field->value + from * t;
        double *now = value + to * t;
        for (int32_t i = 0; i < n_point * width; i++) {
            for (int32_t p = 0; p < n_before; p++) {
                now[i] += old[p * width + i % width] / n_before;
            }
        }
        for (int32_t i = 0; i < more; i++) {
            now[n_point * width + i] = old[n_before * width + i];
        }
    }
    ew_release(field->value);
    field->value = value;
    field->width = (int32_t)to;
    return EW_OK;
}

/* Capacities count tets with the number of points before. */
static void release_work(model_nonlinear *of)
{
    double **const list[] = {&of->after, &of->thermal, &of->thermal_before};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ew_release(*list[i]);
        *list[i] = NULL;
    }
    of->after_capacity = of->thermal_capacity = of->thermal_before_capacity = 0;
    of->thermal_current = false;
}

ew_status model_update_points(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const int32_t before = of->n_point, now = model_n_point(model);
    if (before == now) {
        return EW_OK;
    }
    if (of->state && model->field[of->state].width != now * of->n_state) {
        EW_TRY(resize_points(&model->field[of->state], before, now, of->n_state, 0));
        of->state_revision++;
    }
    if (of->temperature && model->field[of->temperature].width != now + 1) {
        EW_TRY(resize_points(&model->field[of->temperature], before, now, 1, 1));
    }
    release_work(of);
    of->n_point = now;
    return EW_OK;
}

ew_status model_open_state(ew_model *model, int32_t n_state)
{
    model_nonlinear *of = &model->nonlinear;
    EW_TRY(model_update_points(model));
    if (n_state > of->n_state) { /* no law had a state before */
        const ew_field_def def = {.name = "law state",
                                  .on_tets = true,
                                  .width = of->n_point * n_state,
                                  .rule = EW_FIELD_COPY};
        EW_TRY(ew_model_add_field(model, &def, &of->state));
        of->n_state = n_state;
        of->state_revision++;
        ew_release(of->after); /* its capacity counts tets of the width before */
        of->after = NULL;
        of->after_capacity = 0;
    }
    return ew_grow(&of->after, &of->after_capacity, model->mesh.n_tet,
                   (size_t)(of->n_state ? of->n_point * of->n_state : 1) * sizeof(double));
}
