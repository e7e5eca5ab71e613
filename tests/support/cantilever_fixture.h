/* A model of a box that is fixed at x = 0, its set "wall", and drawn down at the other end, its set
 * "tip". */
#ifndef EW_CANTILEVER_FIXTURE_H
#define EW_CANTILEVER_FIXTURE_H

#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>

/* height: y of the vertices of the end that are the tip; NAN: all of them. */
static inline ew_model *make_cantilever(const double size[3], const int32_t cells[3], double height)
{
    const ew_model_def def = ew_default_model_def();
    const ew_material steel = {.young = 200.0, .poisson = 0.3};
    const ew_model_set_def wall_def = {"wall", EW_SET_OF_VERTICES, false};
    const ew_model_set_def tip_def = {"tip", EW_SET_OF_VERTICES, false};
    ew_mesh mesh = {0};
    ew_model *model = NULL;
    ew_list wall = {0}, tip = {0};
    int32_t sets[2];
    must(ew_shape_box(&mesh, size, cells));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        const double *x = ew_model_mesh(model)->xyz + 3 * (size_t)v;
        const bool is_tip = fabs(x[0] - size[0]) < 1e-9 && !(fabs(x[1] - height) >= 1e-9);
        must(fabs(x[0]) < 1e-9 ? ew_list_push(&wall, v) : EW_OK);
        must(is_tip ? ew_list_push(&tip, v) : EW_OK);
    }
    must(ew_model_add_set(model, &wall_def, &wall, &sets[0]));
    must(ew_model_add_set(model, &tip_def, &tip, &sets[1]));
    const ew_model_constraint fixed = {.set = sets[0], .fixed = 7};
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE, .set = sets[1], .vector = {0, -1, 0}};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &load));
    ew_list_free(&wall);
    ew_list_free(&tip);
    return model;
}

#endif
