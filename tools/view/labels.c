/* Which labeled triangle of the mesh a face of the surface is: of a CAD file the number of its
 * face. In: a played body. Out: a label for each triangle of the picture. */
#include "play.h"

#include <string.h>

static void swap_descending(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        const int32_t keep = *a;
        *a = *b;
        *b = keep;
    }
}

static void sort(int32_t v[3])
{
    swap_descending(&v[0], &v[1]);
    swap_descending(&v[1], &v[2]);
    swap_descending(&v[0], &v[1]);
}

static ew_status list_labeled(const ew_mesh *mesh, ew_map *triangle)
{
    for (int32_t f = 0; f < mesh->n_face; f++) {
        int32_t v[3], old;
        memcpy(v, mesh->face + 3 * (size_t)f, sizeof v);
        sort(v);
        EW_TRY(ew_mesh_face_is_kept(mesh, f) ? ew_map_enter(triangle, v[0], v[1], v[2], f, &old)
                                             : EW_OK);
    }
    return EW_OK;
}

ew_status view_list_labels(const ew_mesh *mesh, const ew_boundary *boundary, int32_t *label)
{
    ew_map triangle = {0};
    const ew_status status = list_labeled(mesh, &triangle);
    for (int32_t s = 0, m = 0; s < boundary->n_slot && !status; s++) {
        const int32_t code = boundary->code[s];
        int32_t v[3];
        for (int k = 0; k < 3 && code >= 0; k++) {
            v[k] = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
        }
        if (code >= 0) {
            sort(v);
            const int32_t f = triangle.n ? ew_map_find(&triangle, v[0], v[1], v[2]) : -1;
            label[m++] = f >= 0 ? mesh->face_label[f] : -1;
        }
    }
    ew_map_free(&triangle);
    return status;
}

/* Once a mesh: labels stay while it does. */
static ew_status find_labels(view_play *play, const ew_boundary *boundary)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    EW_TRY(ew_grow(&play->label, &play->label_capacity, boundary->n_live + 1, sizeof *play->label));
    const ew_status status = view_list_labels(mesh, boundary, play->label);
    play->has_labels = !status;
    play->label_revision = mesh->revision;
    return status;
}

ew_status view_take_labels(view_play *play, const ew_boundary *boundary)
{
    const bool is_current =
        play->has_labels && play->label_revision == ew_model_mesh(play->body.model)->revision;
    EW_TRY(is_current ? EW_OK : find_labels(play, boundary));
    memcpy(play->cad_face, play->label, (size_t)boundary->n_live * sizeof *play->label);
    return EW_OK;
}
