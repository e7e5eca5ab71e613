/* Curved sides that an edit says or maps. In: the queue of an edit. Out: the curves that it has,
 * and those of sides between vertices of tets that it moves as a whole, or whose images it adds:
 * the map that takes the corners of such a tet to their new places takes the curves along, exactly
 * where it is affine. */
#include "model/internal.h"

#include <string.h>

/* to = the curve d in a tet with gradients g whose corners are taken to the places y [4][3]. */
static void map_curve(double g[4][3], const double *y, const double *d, double to[3])
{
    to[0] = to[1] = to[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        const double part = g[k][0] * d[0] + g[k][1] * d[1] + g[k][2] * d[2];
        for (int c = 0; c < 3; c++) {
            to[c] += y[3 * k + c] * part;
        }
    }
}

/* All curved sides of a tet. */
static ew_status turn_tet(void *user, const model_transformed_tet *turned)
{
    ew_model *model = user;
    const int32_t *from = turned->from, *name = turned->name;
    double x[12], g[4][3], to[3];
    for (int k = 0; k < 12; k++) {
        x[k] = model->mesh.xyz[3 * (size_t)from[k / 3] + (size_t)(k % 3)];
    }
    ew_element_gradients(x, g);
    for (int e = 0; e < 6; e++) {
        const int a = ew_edge_vertex[e][0], b = ew_edge_vertex[e][1];
        double d[3];
        if ((turned->moves[a] || turned->moves[b]) &&
            model_curve_between(model, from[a], from[b], d)) {
            map_curve(g, turned->to, d, to);
            EW_TRY(model_enter_transformed(&model->quadratic.turned, name[a], name[b], 3, to));
        }
    }
    return EW_OK;
}

/* What the queue says itself; another entry of the same side would come too late. */
static ew_status take_queued(ew_model *model)
{
    const ew_edit *edit = &model->edit;
    EW_TRY(ew_edit_check_curves(edit, &model->mesh));
    for (int32_t i = 0; i < edit->n_curve; i++) {
        const int32_t *end = edit->curve_end + 2 * (size_t)i;
        const double *curve = edit->curve + 3 * (size_t)i;
        EW_TRY(model_enter_transformed(&model->quadratic.turned, end[0], end[1], 3, curve));
    }
    return EW_OK;
}

ew_status model_transform_queue(ew_model *model)
{
    ew_map_clear(&model->quadratic.turned.edge);
    if (!model->mesh.n_curve) {
        return EW_OK;
    }
    EW_TRY(take_queued(model));
    return model_visit_transformed(model, turn_tet, model);
}
