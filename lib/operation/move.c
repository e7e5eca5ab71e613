/* Moves a set of vertices by a vector, and with a radius what lies near them. In: mesh, slots,
 * vector, radius. Out: moves, ascending by slot. */
#include "operation/internal.h"

/* (1 - (d/r)^2)^2: 1 with slope 0 at the set, 0 with slope 0 at the radius. */
static double weight_of(double distance2, double radius2)
{
    double w = 1.0 - distance2 / radius2;
    return w > 0.0 ? w * w : 0.0;
}

static void weigh_neighbors(const ew_mesh *mesh, const ew_points *points, double radius,
                            double *weight)
{
    double radius2 = radius * radius;
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double distance2;
        if (ew_mesh_vertex_is_active(mesh, v) &&
            ew_points_nearest(points, mesh->xyz + 3 * (size_t)v, radius2, &distance2) >= 0) {
            weight[v] = weight_of(distance2, radius2);
        }
    }
}

/* weight: all 0 on entry. */
static ew_status weigh(const ew_mesh *mesh, const ew_list *vertex, double radius, double *weight)
{
    if (radius > 0.0) {
        ew_points points;
        EW_TRY(ew_points_init(&points, mesh, vertex));
        weigh_neighbors(mesh, &points, radius, weight);
        ew_points_free(&points);
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        weight[vertex->id[i]] = 1.0;
    }
    return EW_OK;
}

static ew_status queue(const ew_mesh *mesh, const double *weight, const double by[3], ew_edit *edit)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (weight[v] > 0.0) {
            double to[3] = {x[0] + weight[v] * by[0], x[1] + weight[v] * by[1],
                            x[2] + weight[v] * by[2]};
            EW_TRY(ew_edit_move_vertex(edit, v, to));
        }
    }
    return ew_refuse_moves(mesh, edit, "move", "move less far, or with a larger radius");
}

ew_status ew_operation_move(const ew_mesh *mesh, const ew_list *vertex, const double by[3],
                            double radius, ew_edit *edit)
{
    ew_status status;
    double *weight = NULL;
    EW_TRY(ew_need_empty("move", edit));
    EW_TRY(ew_need_tets("move", mesh));
    EW_TRY(ew_need_finite("move", "the vector", by));
    EW_TRY(ew_need_length("move", "radius", radius));
    EW_TRY(ew_need_vertices("move", mesh, vertex));
    EW_TRY_OUT(ew_new_zero(&weight, (size_t)mesh->n_vertex, sizeof *weight));
    EW_TRY_OUT(weigh(mesh, vertex, radius, weight));
    EW_TRY_OUT(queue(mesh, weight, by, edit));
out:
    ew_release(weight);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { SET, BY, RADIUS, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .argument = "SET",
             .help = "the vertices to move (all)"},
    [BY] = {.key = "by",
            .kind = EW_PARAMETER_VECTOR,
            .need = EW_REQUIRED,
            .argument = "X,Y,Z",
            .help = "how far"},
    [RADIUS] = {.key = "radius",
                .kind = EW_PARAMETER_LENGTH,
                .argument = "LENGTH",
                .help = "the neighborhood that follows, fading out (0: none)"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    if (in->vertex) {
        return ew_operation_move(in->mesh, in->vertex, of[BY].number, of[RADIUS].number[0], edit);
    }
    ew_list all = {0};
    ew_status status = ew_mesh_select(in->mesh, &(ew_selector){.kind = EW_SELECT_ALL}, &all);
    if (!status) {
        status = ew_operation_move(in->mesh, &all, of[BY].number, of[RADIUS].number[0], edit);
    }
    ew_list_free(&all);
    return status;
}

const ew_operation ew_move_operation = {
    .name = "move",
    .summary = "move vertices, with or without their neighborhood",
    .text = "Refused, with the tets named, where it would turn tets inside out.",
    .example = "part.mesh --sphere 0,0,1,0.1 --by 0,0,0.02 --radius 0.2 -o bulged.mesh",
    .file_code = 6,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
