/* Moves a set of vertices by a vector, and with a radius what lies near them. In: mesh, slots,
 * vector, radius. Out: moves, ascending by slot. */
#include "operation/internal.h"

/* (1 - (d/r)^2)^2: 1 with slope 0 at the set, 0 with slope 0 at the radius. */
static double weight_of(double distance2, double radius2)
{
    double w = 1.0 - distance2 / radius2;
    return w > 0.0 ? w * w : 0.0;
}

static void weigh_neighbours(const ew_mesh *mesh, const ew_points *points, double radius,
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
        weigh_neighbours(mesh, &points, radius, weight);
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
