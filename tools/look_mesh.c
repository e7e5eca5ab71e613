/* A mesh as a frame of a picture: its tets with their curved sides, regions and shape quality. */
#include "look.h"

#include <string.h>

static const int edge_corner[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

/* Middles of the sides of all tets behind the vertices. */
static void take_middles(const ew_mesh *mesh, ew_view_frame *frame)
{
    for (int32_t i = 0; i < 6 * frame->n_tet; i++) {
        const int32_t *tet = frame->tet + 4 * (size_t)(i / 6);
        const int32_t a = tet[edge_corner[i % 6][0]], b = tet[edge_corner[i % 6][1]];
        const double *bend = ew_mesh_curve(mesh, mesh->vertex_id[a], mesh->vertex_id[b]);
        const size_t row = (size_t)(mesh->n_vertex + i);
        frame->middle[i] = (int32_t)row;
        for (size_t c = 0; c < 3; c++) {
            frame->xyz[3 * row + c] =
                0.5 * (frame->xyz[3 * (size_t)a + c] + frame->xyz[3 * (size_t)b + c]) +
                (bend ? bend[c] : 0.0);
        }
    }
}

static ew_status add_field(ew_view_frame *frame, const char *name, ew_field_place place, int32_t n)
{
    ew_view_field *field = &frame->field[frame->n_field];
    EW_TRY(ew_new_zero(&field->data, (size_t)n, sizeof *field->data));
    snprintf(field->name, sizeof field->name, "%s", name);
    field->place = place;
    field->n_component = 1;
    frame->n_field++;
    return EW_OK;
}

static ew_status fill(const ew_mesh *mesh, ew_view_frame *own)
{
    const bool is_curved = mesh->n_curve > 0;
    const int64_t n_point = mesh->n_vertex + (is_curved ? 6 * (int64_t)mesh->n_live_tet : 0);
    if (n_point > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "the mesh is too large for a picture of its curved sides");
    }
    own->n_point = (int32_t)n_point;
    EW_TRY(ew_new(&own->xyz, 3 * (size_t)n_point, sizeof *own->xyz));
    EW_TRY(ew_new(&own->tet, 4 * (size_t)mesh->n_live_tet, sizeof *own->tet));
    EW_TRY(ew_new_zero(&own->field, 4, sizeof *own->field));
    EW_TRY(add_field(own, "quality", EW_ON_TETS, mesh->n_live_tet));
    EW_TRY(add_field(own, "region", EW_ON_TETS, mesh->n_live_tet));
    EW_TRY(add_field(own, "tet_id", EW_ON_TETS, mesh->n_live_tet));
    EW_TRY(add_field(own, "vertex_id", EW_ON_VERTICES, own->n_point));
    memcpy(own->xyz, mesh->xyz, 3 * (size_t)mesh->n_vertex * sizeof *own->xyz);
    for (int32_t v = 0; v < own->n_point; v++) {
        own->field[3].data[v] = v < mesh->n_vertex ? (double)mesh->vertex_id[v] : -1;
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            memcpy(own->tet + 4 * (size_t)own->n_tet, mesh->tet + 4 * (size_t)t,
                   4 * sizeof *own->tet);
            own->field[0].data[own->n_tet] = ew_mesh_tet_quality(mesh, t);
            own->field[1].data[own->n_tet] = mesh->region_label[mesh->region[t]];
            own->field[2].data[own->n_tet++] = (double)mesh->tet_id[t];
        }
    }
    if (is_curved) {
        EW_TRY(ew_new(&own->middle, 6 * (size_t)own->n_tet, sizeof *own->middle));
        take_middles(mesh, own);
    }
    return EW_OK;
}

ew_status look_frame_of_mesh(const ew_mesh *mesh, ew_view_frame *frame)
{
    ew_view_frame own = {0};
    const ew_status status = fill(mesh, &own);
    if (status) {
        ew_view_frame_free(&own);
        return status;
    }
    *frame = own;
    return EW_OK;
}
