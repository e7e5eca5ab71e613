/* Motion that an edit turns or reflects. In: the queue of an edit. Out: the fields of motion
 * of vertices and edges of the tets that it turns as a whole, and of those that it
 * adds as images of others, turned with them: the body goes on as it was, in its new place.
 *
 * Where several tets meet in a vertex the first one counts; in a body that turns as a whole they
 * agree. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

#define SAME 1e-6 /* of a displacement: as near as solves take it */
enum { WIDTH = 3 * MODEL_N_MOTION };

/* Null: the model has none of the kind. */
static double *of_vertices(const ew_model *model, int kind)
{
    const int32_t field = model_motion_field(model, kind);
    return field < 0 ? NULL : model->field[field].value;
}

static void turn(const double r[9], const double *from, double *to)
{
    for (int c = 0; c < 3; c++) {
        to[c] = r[3 * c] * from[0] + r[3 * c + 1] * from[1] + r[3 * c + 2] * from[2];
    }
}

/* A vertex that a tet shares with its image has a displacement that is not its own there, unless r
 * leaves that as it is. */
static bool is_torn(const ew_model *model, const double r[9], int32_t v)
{
    const double *u = of_vertices(model, 0) + 3 * (size_t)v;
    double image[3], apart = 0.0, size = 0.0;
    turn(r, u, image);
    for (int c = 0; c < 3; c++) {
        apart = fmax(apart, fabs(image[c] - u[c]));
        size = fmax(size, fabs(u[c]));
    }
    return apart > SAME * size;
}

static ew_status turn_tet(void *user, const model_transformed_tet *turned)
{
    ew_model *model = user;
    const int32_t *from = turned->from, *name = turned->name;
    double r[9], value[WIDTH];
    bool turns;
    if (!model_transform_of(model, turned, r, &turns) || (!turns && turned->added < 0)) {
        return EW_OK;
    }
    for (int a = 0; a < 4; a++) {
        if (!turned->moves[a]) {
            model->would_interpolate_state =
                model->would_interpolate_state || is_torn(model, r, from[a]);
            continue;
        }
        memset(value, 0, sizeof value);
        for (int k = 0; k < MODEL_N_MOTION; k++) {
            if (of_vertices(model, k)) {
                turn(r, of_vertices(model, k) + 3 * (size_t)from[a], value + 3 * k);
            }
        }
        EW_TRY(model_enter_transformed(&model->turned_vectors, name[a], name[a], WIDTH, value));
    }
    for (int e = 0; e < 6; e++) {
        const int a = ew_edge_vertex[e][0], b = ew_edge_vertex[e][1];
        const int32_t row = model_row_between(model, from[a], from[b]);
        memset(value, 0, sizeof value);
        for (int k = 0; k < MODEL_N_MOTION && row >= 0; k++) {
            if (model_edge_values_of(model, k)) {
                turn(r, model_edge_values_of(model, k) + 3 * (size_t)row, value + 3 * k);
            }
        }
        EW_TRY(row >= 0 && (turned->moves[a] || turned->moves[b])
                   ? model_enter_transformed(&model->turned_vectors, name[a], name[b], WIDTH, value)
                   : EW_OK);
    }
    return EW_OK;
}

ew_status model_transform_vectors(ew_model *model)
{
    ew_map_clear(&model->turned_vectors.edge);
    model->would_interpolate_state = false;
    return model_visit_transformed(model, turn_tet, model);
}

void model_put_transformed_vertices(ew_model *model)
{
    const model_transformed *from = &model->turned_vectors;
    model->has_interpolated_state = model->has_interpolated_state || model->would_interpolate_state;
    for (int32_t i = 0; i < from->edge.n; i++) {
        const int32_t *end = from->end + 2 * (size_t)i;
        const int32_t v = model_transformed_slot(model, end[0]);
        for (int k = 0; k < MODEL_N_MOTION && end[0] == end[1]; k++) {
            if (of_vertices(model, k)) {
                memcpy(of_vertices(model, k) + 3 * (size_t)v,
                       from->value + WIDTH * (size_t)i + 3 * k, 3 * sizeof *from->value);
            }
        }
    }
}

void model_put_transformed_edges(ew_model *model)
{
    const model_transformed *from = &model->turned_vectors;
    for (int32_t i = 0; i < from->edge.n; i++) {
        const int32_t a = model_transformed_slot(model, from->end[2 * (size_t)i]);
        const int32_t b = model_transformed_slot(model, from->end[2 * (size_t)i + 1]);
        const int32_t row = a == b ? -1 : model_row_between(model, a, b);
        for (int k = 0; k < MODEL_N_MOTION && row >= 0; k++) {
            if (model_edge_values_of(model, k)) {
                memcpy(model_edge_values_of(model, k) + 3 * (size_t)row,
                       from->value + WIDTH * (size_t)i + 3 * k, 3 * sizeof *from->value);
            }
        }
    }
    ew_map_clear(&model->turned_vectors.edge);
}
