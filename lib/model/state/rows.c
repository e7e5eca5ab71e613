/* Rows of a model: vertices, then edges that have a function. Fields on rows have both in one
 * array; where vertices come or go, the rows of edges move behind them. */
#include "model/internal.h"

#include <string.h>

ew_status model_reserve_field(model_field *field, int64_t n)
{
    const int32_t before = field->capacity;
    const size_t size = (size_t)field->width * sizeof *field->value;
    EW_TRY(ew_grow(&field->value, &field->capacity, n, size));
    memset(field->value + (size_t)field->width * (size_t)before, 0,
           size * (size_t)(field->capacity - before));
    return EW_OK;
}

void model_move_lines(ew_model *model, const double *array, const double *value)
{
    for (int32_t i = 0; i < model->n_load_line; i++) {
        ew_load *line = &model->load_line[i];
        line->value = line->value == array ? value : line->value;
    }
    for (int32_t i = 0; i < model->n_line; i++) {
        ew_constraint *line = &model->constraint_line[i];
        line->base = line->base == array ? value : line->base;
    }
}

int32_t model_motion_field(const ew_model *model, int k)
{
    const int32_t field[MODEL_N_MOTION] = {0, model->dynamics.velocity,
                                           model->dynamics.acceleration,
                                           model->contacts.is_kept ? model->contacts.kept : 0};
    return k == 0 || field[k] ? field[k] : -1;
}

double *model_edge_values_of(const ew_model *model, int k)
{
    const int32_t field = model_motion_field(model, k);
    return field < 0 ? NULL : model->field[field].value + 3 * (size_t)model->quadratic.n_vertex;
}

ew_status model_reserve_rows(ew_model *model, int32_t n)
{
    for (int32_t f = 0; f < model->n_field; f++) {
        model_field *field = &model->field[f];
        if (field->on_rows) {
            const double *before = field->value;
            EW_TRY(model_reserve_field(field, (int64_t)model->quadratic.n_vertex + n));
            model_move_lines(model, before, field->value);
        }
    }
    model->quadratic.n_room = n;
    return EW_OK;
}

/* [.][3] with n_edge rows behind as many vertices as before: they come to be behind as many as now,
 * and the places that they leave are zero. */
static void move_rows(double *value, int32_t before, int32_t now, int32_t n_edge)
{
    const size_t row = 3 * sizeof *value, from = 3 * (size_t)before, to = 3 * (size_t)now;
    if (now < before) {
        memmove(value + to, value + from, row * (size_t)n_edge);
        memset(value + to + 3 * (size_t)n_edge, 0, row * (size_t)(before - now));
    } else if (now > before) {
        const int32_t n_left = now - before < n_edge ? now - before : n_edge;
        memmove(value + to, value + from, row * (size_t)n_edge);
        memset(value + from, 0, row * (size_t)n_left);
    }
}

void model_move_rows(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    for (int32_t f = 0; f < model->n_field; f++) {
        if (model->field[f].on_rows) {
            move_rows(model->field[f].value, q->n_vertex, model->mesh.n_vertex, q->n_room);
        }
    }
    q->n_vertex = model->mesh.n_vertex;
}

ew_status model_reserve_vector(const ew_model *model, model_vector *vector)
{
    const int32_t n_vertex = model->mesh.n_vertex, before = vector->capacity;
    const int32_t n_edge = model->quadratic.rows.pattern.n_row;
    const int32_t kept = n_edge < vector->n_edge ? n_edge : vector->n_edge;
    const int32_t most = n_vertex > vector->n_vertex ? n_vertex : vector->n_vertex;
    EW_TRY(ew_grow(&vector->value, &vector->capacity, (int64_t)most + n_edge,
                   3 * sizeof *vector->value));
    memset(vector->value + 3 * (size_t)before, 0,
           3 * sizeof *vector->value * (size_t)(vector->capacity - before));
    memset(vector->value + 3 * ((size_t)vector->n_vertex + (size_t)kept), 0,
           3 * sizeof *vector->value * (size_t)(vector->n_edge - kept));
    move_rows(vector->value, vector->n_vertex, n_vertex, kept);
    vector->n_vertex = n_vertex;
    vector->n_edge = n_edge;
    return EW_OK;
}

double *model_edges_of(const model_vector *vector)
{
    return vector->value + 3 * (size_t)vector->n_vertex;
}

/* Of a row, all that stands on it; zeros for what the model has not. */
void model_collect_edge(const ew_model *model, int32_t row, double *all)
{
    const double *curve = model->quadratic.curve;
    memset(all, 0, EW_ON_EDGE * sizeof *all);
    for (int k = 0; k <= MODEL_N_MOTION; k++) {
        const double *value = k < MODEL_N_MOTION ? model_edge_values_of(model, k) : curve;
        if (value) {
            memcpy(all + 3 * k, value + 3 * (size_t)row, 3 * sizeof *all);
        }
    }
}

void model_spread_edge(ew_model *model, int32_t row, const double *all)
{
    for (int k = 0; k < MODEL_N_MOTION; k++) {
        double *value = model_edge_values_of(model, k);
        if (value) {
            memcpy(value + 3 * (size_t)row, all + 3 * k, 3 * sizeof *all);
        }
    }
}
