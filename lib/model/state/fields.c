/* Fields by vertex or tet: made, given out, and renumbered with the mesh. How they follow an edit:
 * follow/fields.c. */
#include "model/internal.h"

#include <string.h>

static int32_t slots_of(const ew_model *model, const model_field *field)
{
    return field->on_tets ? model->mesh.n_tet : model->mesh.n_vertex;
}

/* What comes after the vertices. */
static int32_t rows_of(const ew_model *model, const model_field *field)
{
    return field->on_rows ? model->quadratic.n_room : 0;
}

static ew_status add_field(ew_model *model, const ew_field_def *def, bool on_rows, int32_t *field)
{
    if (!def->name || !*def->name || def->width < 1 || def->width > 4096 ||
        (def->on_tets && def->rule == EW_FIELD_MEAN)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "model: a field needs a name, a width from 1 to 4096 and, on "
                       "tets, the rule copy or zero");
    }
    EW_TRY(ew_grow(&model->field, &model->field_capacity, (int64_t)model->n_field + 1,
                   sizeof *model->field));
    model_field made = {
        .on_tets = def->on_tets, .width = def->width, .rule = def->rule, .on_rows = on_rows};
    const size_t length = strlen(def->name) + 1;
    EW_TRY(ew_new(&made.name, length, 1));
    memcpy(made.name, def->name, length);
    const ew_status status =
        model_reserve_field(&made, (int64_t)slots_of(model, &made) + rows_of(model, &made) + 1);
    if (status) {
        ew_release(made.name);
        ew_release(made.value);
        return status;
    }
    *field = model->n_field;
    model->field[model->n_field++] = made;
    return EW_OK;
}

ew_status ew_model_add_field(ew_model *model, const ew_field_def *def, int32_t *field)
{
    return add_field(model, def, false, field);
}

ew_status model_add_row_field(ew_model *model, const char *name, int32_t *field)
{
    const ew_field_def def = {.name = name, .width = 3, .rule = EW_FIELD_MEAN};
    return add_field(model, &def, true, field);
}

static bool has_field(const ew_model *model, int32_t field)
{
    const bool is_there = field >= 0 && field < model->n_field;
    if (!is_there) {
        (void)ew_fail_about(EW_BAD_ARGUMENT, field, -1, "model: there is no field %d; there are %d",
                            field, model->n_field);
    }
    return is_there;
}

double *ew_model_field(ew_model *model, int32_t field)
{
    if (!has_field(model, field)) {
        return NULL;
    }
    model_touch_loads_of_field(model, field);
    model_touch_constraints_of_field(model, field);
    model_touch_springs_of_field(model, field);
    model->is_writable = model->is_writable || field == 0;
    return model->field[field].value;
}

const double *ew_model_view_field(const ew_model *model, int32_t field)
{
    return has_field(model, field) ? model->field[field].value : NULL;
}

ew_status ew_model_give_field(ew_model *model, const double *array)
{
    int32_t f = 0;
    while (f < model->n_field && model->field[f].value != array) {
        f++;
    }
    if (!array || f == model->n_field || (model->axes && f == model->axes)) {
        return ew_fail(EW_BAD_ARGUMENT, "model: the array is not that of a field of the model");
    }
    model_field *field = &model->field[f];
    const size_t size = (size_t)field->width * sizeof *field->value;
    double *value = NULL;
    EW_TRY(ew_new(&value, (size_t)field->capacity, size));
    memcpy(value, array, (size_t)field->capacity * size);
    model_move_lines(model, array, value);
    field->value = value;
    return EW_OK;
}

void model_free_fields(ew_model *model)
{
    for (int32_t f = 0; f < model->n_field; f++) {
        ew_release(model->field[f].name);
        ew_release(model->field[f].value);
    }
    ew_release(model->field);
    ew_release(model->inherited);
    ew_release(model->turned_axes.item);
    model_free_transformed(&model->turned_vectors);
}

ew_status model_reserve_fields(ew_model *model)
{
    const ew_edit *edit = &model->edit;
    int32_t widest = 0;
    for (int32_t f = 0; f < model->n_field; f++) {
        model_field *field = &model->field[f];
        EW_TRY(model_reserve_field(field,
                                   (int64_t)slots_of(model, field) + rows_of(model, field) +
                                       (field->on_tets ? edit->n_add_tet : edit->n_add_vertex)));
        widest = field->on_tets && field->width > widest ? field->width : widest;
    }
    return ew_grow(&model->inherited, &model->inherited_capacity, (int64_t)widest * edit->n_add_tet,
                   sizeof *model->inherited);
}

/* ---- renumbering ----------------------------------------------------------------- */

/* Compaction keeps the order, so an entry only ever moves down. */
static void rename_field(const model_field *field, const int32_t *map, int32_t n_old, int32_t n_new)
{
    const size_t width = (size_t)field->width, size = width * sizeof *field->value;
    for (int32_t i = 0; i < n_old; i++) {
        if (map[i] >= 0) {
            memmove(field->value + width * (size_t)map[i], field->value + width * (size_t)i, size);
        }
    }
    memset(field->value + width * (size_t)n_new, 0, size * (size_t)(n_old - n_new));
}

void model_rename_fields(ew_model *model, const int32_t *vertex, int32_t n_vertex,
                         const int32_t *tet, int32_t n_tet)
{
    model->nonlinear.state_revision++;
    for (int32_t f = 0; f < model->n_field; f++) {
        const model_field *field = &model->field[f];
        rename_field(field, field->on_tets ? tet : vertex, field->on_tets ? n_tet : n_vertex,
                     slots_of(model, field));
    }
    model_move_rows(model);
}
