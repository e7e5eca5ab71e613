/* Sets of the vertices in a plane. */
#ifndef EW_PLANES_H
#define EW_PLANES_H

#include "model/parts/model.h"
#include "testlib.h"

#include <math.h>

/* A set of the active vertices whose coordinate `axis` is within 1e-9 of `at`; its number. */
static inline int32_t add_plane_set(ew_model *model, const ew_model_set_def *def, int axis,
                                    double at)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v) &&
            fabs(mesh->xyz[3 * (size_t)v + (size_t)axis] - at) < 1e-9) {
            must(ew_list_push(&list, v));
        }
    }
    must(ew_model_add_set(model, def, &list, &set));
    ew_list_free(&list);
    return set;
}

/* The same, of a set that edits may empty; name: or null. */
static inline int32_t add_plane(ew_model *model, const char *name, int axis, double at)
{
    const ew_model_set_def def = {name, EW_SET_OF_VERTICES, true};
    return add_plane_set(model, &def, axis, at);
}

#endif
