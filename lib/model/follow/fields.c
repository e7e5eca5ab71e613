/* Fields by vertex or tet that follow an edit. A new vertex takes the value that the field's rule
 * gives from its parents, or from neighbors in the order of their slots; a new tet that of the tet
 * it is a part or image of. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- vertices ---------------------------------------------------------------- */

/* The mean of the neighbors that have a value (it is not NaN), if any has. */
static void mean_around(const ew_model *model, const model_field *field, int32_t v)
{
    const ew_rows *rows = &model->topology.pattern.row_to_pair;
    const int32_t width = field->width;
    int32_t n = 0;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        n += !isnan(field->value[(size_t)width * (size_t)other]);
    }
    for (int32_t c = 0; c < width && n; c++) {
        double sum = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
            const double *value = field->value + (size_t)width * (size_t)other;
            sum += isnan(value[0]) ? 0.0 : value[c];
        }
        field->value[(size_t)width * (size_t)v + (size_t)c] = sum / n;
    }
}

/* Whether it is a guess: that of the neighbors, and not zero. */
static bool inherit(const ew_model *model, const model_field *field, int32_t v,
                    const int32_t *parent, double fraction, bool tables_current)
{
    const size_t width = (size_t)field->width;
    double *value = field->value + width * (size_t)v;
    const double *a = parent[0] >= 0 ? field->value + width * (size_t)parent[0] : NULL;
    const double *b = parent[1] >= 0 ? field->value + width * (size_t)parent[1] : NULL;
    if (field->rule == EW_FIELD_COPY && a) {
        memcpy(value, a, width * sizeof *value);
    } else if (field->rule == EW_FIELD_MEAN) {
        const bool is_known = !isnan(value[0]); /* turned with its tet */
        for (size_t c = 0; c < width && a && b && !is_known; c++) {
            value[c] = (1.0 - fraction) * a[c] + fraction * b[c];
        }
        if (isnan(value[0]) && tables_current) {
            double size = 0.0;
            mean_around(model, field, v);
            for (size_t c = 0; c < width; c++) {
                size += fabs(value[c]);
            }
            return size > 0.0; /* false for NaN */
        }
    }
    return false;
}

/* In a tet, or at its corner of greatest weight. */
static void interpolate(const model_field *field, int32_t v, const ew_inside *in)
{
    const size_t width = (size_t)field->width;
    double *value = field->value + width * (size_t)v;
    int most = 0;
    for (int k = 1; k < 4; k++) {
        most = in->weight[k] > in->weight[most] ? k : most;
    }
    for (size_t c = 0; c < width && field->rule != EW_FIELD_ZERO; c++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++) {
            sum += in->weight[k] * field->value[width * (size_t)in->corner[k] + c];
        }
        value[c] =
            field->rule == EW_FIELD_MEAN ? sum : field->value[width * (size_t)in->corner[most] + c];
    }
}

static void clear(const model_field *field, int32_t slot)
{
    memset(field->value + (size_t)field->width * (size_t)slot, 0,
           (size_t)field->width * sizeof *field->value);
}

static void mark_new(const ew_model *model, const model_field *field)
{
    const ew_list *added = &model->change.added_vertex;
    for (int32_t k = 0; k < added->n; k++) {
        field->value[(size_t)field->width * (size_t)added->id[k]] = NAN;
    }
}

/* In the order in which they came: those before serve those after. What gets no value starts from
 * zero. Vertices that left the body, and holes, have zeros; the slot of one that was removed may be
 * that of a new one, whose id is above all before. */
static void follow_vertices(ew_model *model, const model_field *field, bool tables_current)
{
    const ew_change *change = &model->change;
    const ew_list *added = &change->added_vertex;
    const size_t width = (size_t)field->width;
    for (int32_t k = 0; k < change->n_inside; k++) {
        interpolate(field, added->id[change->inside[k].place], &change->inside[k]);
    }
    for (int32_t k = 0; k < added->n; k++) {
        const bool guessed =
            inherit(model, field, added->id[k], change->added_parent + 2 * (size_t)k,
                    ew_change_fraction(change, k), tables_current);
        model->has_interpolated_state =
            model->has_interpolated_state || (guessed && field == model->field);
    }
    for (int32_t k = 0; k < added->n; k++) {
        if (isnan(field->value[width * (size_t)added->id[k]])) {
            clear(field, added->id[k]);
        }
    }
    const ew_mesh *mesh = &model->mesh;
    const int64_t first_new = added->n ? mesh->vertex_id[added->id[0]] : INT64_MAX;
    for (int32_t i = 0; i < change->emptied_vertex.n; i++) {
        const int32_t v = change->emptied_vertex.id[i];
        if (mesh->valence[v] < 0 || mesh->vertex_id[v] < first_new) {
            clear(field, v);
        }
    }
    for (int32_t i = 0; i < change->removed_vertex.n; i++) {
        const int32_t v = change->removed_vertex.id[i];
        if (mesh->valence[v] < 0) {
            clear(field, v);
        }
    }
}

/* ---- tets ---------------------------------------------------------------------- */

/* An added tet may have taken the slot of one that others are parts of: all read before one writes.
 */
static void follow_tets(ew_model *model, const model_field *field)
{
    const ew_change *change = &model->change;
    const size_t width = (size_t)field->width, size = width * sizeof(double);
    for (int32_t k = 0; k < change->added_tet.n; k++) {
        const int32_t from = change->added_tet_from[k];
        double *to = model->inherited + width * (size_t)k;
        if (from >= 0 && from < change->n_tet_before && field->rule == EW_FIELD_COPY) {
            memcpy(to, field->value + width * (size_t)from, size);
        } else {
            memset(to, 0, size);
        }
    }
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        clear(field, change->removed_tet.id[i]);
    }
    for (int32_t k = 0; k < change->added_tet.n; k++) {
        memcpy(field->value + width * (size_t)change->added_tet.id[k],
               model->inherited + width * (size_t)k, size);
    }
}

void model_follow_fields(ew_model *model, bool tables_current)
{
    model->nonlinear.state_revision++;
    model_move_rows(model);
    model_follow_axes(model);
    model_put_transformed_axes(model, false);
    for (int32_t f = 0; f < model->n_field; f++) {
        if (!model->field[f].on_tets) {
            mark_new(model, &model->field[f]);
        }
    }
    model_put_transformed_vertices(model);
    for (int32_t f = 0; f < model->n_field; f++) {
        if (model->field[f].on_tets) {
            follow_tets(model, &model->field[f]);
        } else {
            follow_vertices(model, &model->field[f], tables_current);
        }
    }
    model_put_transformed_axes(model, true);
}
