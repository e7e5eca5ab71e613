/* Rows of edges whose constraints, loads or masses must be found again. */
#include "model/internal.h"

ew_status model_touch_edge_constraints(ew_model *model, const ew_list *vertex)
{
    model_quadratic *q = &model->quadratic;
    for (int32_t i = 0; i < (q->constraints_current ? vertex->n : 0); i++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(&model->topology.pattern, vertex->id[i], &n);
        for (int32_t k = 0; k < n; k++) {
            const int32_t row = q->rows.row[item[2 * k + 1]];
            EW_TRY(row >= 0 ? ew_set_add(&q->stale_fixed, row) : EW_OK);
        }
    }
    return EW_OK;
}

/* An edge between two vertices whose loads are others. What an edit touched is known by the rows.
 */
static ew_status add_stale_at(ew_model *model, int32_t v)
{
    model_quadratic *q = &model->quadratic;
    int32_t n;
    const int32_t *item = ew_pattern_items(&model->topology.pattern, v, &n);
    for (int32_t k = 0; k < n; k++) {
        const int32_t row = q->rows.row[item[2 * k + 1]];
        if (row >= 0 && item[2 * k] > v && ew_set_has(&model->stale_load, item[2 * k])) {
            EW_TRY(q->f_current ? ew_set_add(&q->stale_f, row) : EW_OK);
            EW_TRY(model->groups_current ? ew_set_add(&q->moving.stale_force, row) : EW_OK);
        }
    }
    return EW_OK;
}

ew_status model_follow_edge_loads(ew_model *model, bool all)
{
    model_quadratic *q = &model->quadratic;
    const ew_list *vertex = &model->stale_load.list;
    const bool follows = model_has_edges(model) && !all;
    q->f_current = q->f_current && follows;
    for (int32_t i = 0; i < (follows ? vertex->n : 0); i++) {
        EW_TRY(add_stale_at(model, vertex->id[i]));
    }
    return EW_OK;
}

ew_status model_touch_moving_edge(ew_model *model, int32_t row, const int32_t *end_before)
{
    model_moving_edges *moving = &model->quadratic.moving;
    EW_TRY(model->groups_current ? ew_set_add(&moving->stale_force, row) : EW_OK);
    if (!moving->mass_current) {
        return EW_OK;
    }
    for (int k = 0; k < 2 && end_before[0] >= 0; k++) {
        EW_TRY(ew_set_add(&moving->stale_vertex, end_before[k]));
    }
    return ew_set_add(&moving->stale_row, row);
}

ew_status model_touch_moving_vertices(ew_model *model)
{
    model_moving_edges *moving = &model->quadratic.moving;
    const ew_list *const list[] = {&model->topology.touched.touched_row,
                                   &model->change.added_vertex};
    for (size_t k = 0; k < 2 && moving->mass_current; k++) {
        for (int32_t i = 0; i < list[k]->n; i++) {
            EW_TRY(ew_set_add(&moving->stale_vertex, list[k]->id[i]));
        }
    }
    return EW_OK;
}
