/* Built-in shapes made of one extrusion: box, plate with hole, torus, sphere octant. In:
 * lengths and cell counts. Out: a mesh with labelled boundary triangles. */
#include "mesh/shape_builder.h"

/* ---- box --------------------------------------------------------------- */

static void place_box(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                      double xyz[3])
{
    const double *size = user;
    xyz[0] = point[0];
    xyz[1] = point[1];
    xyz[2] = size[2] * (double)layer / (double)n_layer;
}

/* Points of a structured grid, row by row; node[k] = k'th of them. */
static ew_status add_box_base(ew_base *base, const double size[3], const int32_t cells[3],
                              int32_t *node)
{
    int32_t label[4] = {1, 2, 3, 4};
    int32_t k = 0;
    for (int32_t j = 0; j <= cells[1]; j++) {
        for (int32_t i = 0; i <= cells[0]; i++) {
            EW_TRY(ew_base_add_point(base, size[0] * (double)i / (double)cells[0],
                                     size[1] * (double)j / (double)cells[1], 0.0, &node[k++]));
        }
    }
    return ew_base_add_grid(base, cells, node, label);
}

ew_status ew_shape_box(ew_mesh *mesh, const double size[3], const int32_t cells[3])
{
    static const char *const size_name[3] = {"size[0]", "size[1]", "size[2]"};
    static const char *const cells_name[3] = {"cells[0]", "cells[1]", "cells[2]"};
    for (int i = 0; i < 3; i++) {
        EW_TRY(ew_shape_need_size("box", size_name[i], size[i]));
        EW_TRY(ew_shape_need_cells("box", cells_name[i], cells[i], 1));
    }
    EW_TRY(ew_shape_need_limit("box", 6.0 * cells[0] * cells[1] * cells[2]));
    ew_status status;
    ew_base base = {0};
    int32_t *node = NULL;
    const int32_t cap[2] = {5, 6};
    EW_TRY(ew_new(&node, ((size_t)cells[0] + 1) * ((size_t)cells[1] + 1), sizeof *node));
    EW_TRY_OUT(add_box_base(&base, size, cells, node));
    EW_TRY_OUT(ew_shape_extrude_to_mesh(mesh, &base, cells[2], false, place_box, size, cap));
out:
    ew_base_free(&base);
    ew_release(node);
    return status;
}
