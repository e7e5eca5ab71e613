/* A box 2 x 1 x 1 whose halves along x are two regions, 5 and 3. */
#ifndef EW_HALVES_FIXTURE_H
#define EW_HALVES_FIXTURE_H

#include "shape/parts/shape.h"
#include "testlib.h"

#include <stdlib.h>

static inline void make_halves(ew_mesh *mesh, const int32_t cells[3])
{
    ew_mesh box;
    must(ew_shape_box(&box, (double[3]){2, 1, 1}, cells));
    int32_t *label = malloc((size_t)box.n_tet * sizeof *label);
    for (int32_t t = 0; t < box.n_tet; t++) {
        double x[3];
        ew_mesh_tet_centroid(&box, t, x);
        label[t] = x[0] < 1.0 ? 5 : 3;
    }
    const ew_mesh_def def = {.n_vertex = box.n_vertex,
                             .xyz = box.xyz,
                             .n_tet = box.n_tet,
                             .tet = box.tet,
                             .region = label,
                             .n_face = box.n_face,
                             .face = box.face,
                             .face_label = box.face_label};
    must(ew_mesh_init(mesh, &def, NULL));
    free(label);
    ew_mesh_free(&box);
}

#endif
