/* All tets of a played body in its pictures, where the page explodes them. In: its model and the
 * numbers of the field. Out: arrays by slot of a vertex and by live tet. */
#include "explode.h"
#include "play.h"

#include <math.h>

ew_status view_do_explode(view_play *play, const cJSON *command)
{
    bool on;
    EW_TRY(view_read_explode(command, &on));
    if (on != play->is_exploded) {
        play->seen_revision = 0; /* the surface is sent again, with all tets */
    }
    play->is_exploded = on;
    return EW_OK;
}

static ew_status grow(view_tet_memory *to, const ew_mesh *mesh)
{
    const int32_t n = mesh->n_vertex, m = mesh->n_live_tet;
    int32_t had = to->point_capacity, grown = had;
    EW_TRY(ew_grow(&to->position, &grown, n, 3 * sizeof *to->position));
    EW_TRY((grown = had, ew_grow(&to->displacement, &grown, n, 3 * sizeof *to->displacement)));
    to->point_capacity = grown;
    EW_TRY(ew_grow(&to->value, &to->value_capacity, n > m ? n : m, 4 * sizeof *to->value));
    grown = had = to->tet_capacity;
    EW_TRY((grown = had, ew_grow(&to->tet, &grown, m, 4 * sizeof *to->tet)));
    EW_TRY((grown = had, ew_grow(&to->region, &grown, m, sizeof *to->region)));
    EW_TRY((grown = had, ew_grow(&to->id, &grown, m, sizeof *to->id)));
    to->tet_capacity = grown;
    return EW_OK;
}

ew_status view_take_tets(view_play *play, const double *number)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    view_tet_memory *to = &play->tets;
    if (!play->is_exploded) {
        return EW_OK;
    }
    EW_TRY(grow(to, mesh));
    to->n = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            const size_t row = (size_t)to->n++;
            for (size_t k = 0; k < 4; k++) {
                to->tet[4 * row + k] = mesh->tet[4 * (size_t)t + k];
                if (play->place != VIEW_AT_VERTICES) {
                    to->value[4 * row + k] = (float)view_number_of(play, number, t, (int)k);
                }
            }
            to->region[row] = mesh->region_label[mesh->region[t]];
            to->id[row] = t;
        }
    }
    for (int32_t v = 0; v < mesh->n_vertex && play->place == VIEW_AT_VERTICES; v++) {
        to->value[v] = (float)view_number_at(play, number, (size_t)v);
    }
    return EW_OK;
}

ew_status view_add_tets(const view_play *play, view_writer *writer, bool whole)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const view_tet_memory *from = &play->tets;
    const view_tets tets = {
        .prefix = "",
        .n_point = mesh->n_vertex,
        .xyz = mesh->xyz,
        .displacement = ew_model_displacement(play->body.model),
        .n_tet = from->n,
        .tet = from->tet,
        .region = from->region,
        .id = from->id,
        .at_corners = play->place != VIEW_AT_VERTICES,
        .value = from->value,
        .position_room = from->position,
        .displacement_room = from->displacement,
    };
    return play->is_exploded ? view_writer_add_tets(writer, &tets, whole) : EW_OK;
}

void view_free_tets(view_tet_memory *memory)
{
    ew_release(memory->position);
    ew_release(memory->displacement);
    ew_release(memory->value);
    ew_release(memory->tet);
    ew_release(memory->region);
    ew_release(memory->id);
    *memory = (view_tet_memory){0};
}
