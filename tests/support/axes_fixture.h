/* A body of wood whose material has axes of a cylinder or by tet. */
#ifndef EW_AXES_FIXTURE_H
#define EW_AXES_FIXTURE_H

#include "curved_fixture.h"
#include "model/parts/model.h"
#include "one_device.h"
#include "shape/parts/shape.h"

#include <math.h>

static inline ew_material wood_along(ew_material_axes_kind kind)
{
    return (
        ew_material){.kind = EW_ORTHOTROPIC,
                     .young_along = {300.0, 100.0, 40.0},
                     .poisson_between = {0.3, 0.2, 0.25},
                     .shear = {50.0, 30.0, 20.0},
                     .density = 1.0,
                     .expansions = {1e-3, 3e-3, 5e-3},
                     .axes = {.kind = kind, .point = {-0.4, 0.3, 0.0}, .third = {0.1, 0.2, 1.0}}};
}

/* Radial and tangential directions at the middle of each tet's corners, of any length. */
static inline double *make_axes(const ew_mesh *mesh)
{
    const ew_material wood = wood_along(EW_MATERIAL_AXES_CYLINDER);
    double *axes = calloc((size_t)mesh->n_tet, 6 * sizeof *axes);
    ew_axes cylinder;
    must(ew_axes_of_cylinder(wood.axes.point, wood.axes.third, &cylinder));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[12], middle[3] = {0.0}, frame[9];
        ew_mesh_tet_values(mesh, t, mesh->xyz, x);
        for (int i = 0; i < 12; i++) {
            middle[i % 3] += 0.25 * x[i];
        }
        CU_ASSERT(ew_axes_at(&cylinder, middle, frame));
        for (int c = 0; c < 6; c++) {
            axes[6 * t + c] = (1.0 + t % 3) * frame[c];
        }
    }
    return axes;
}

/* order: 0 linear, 1 quadratic, 2 quadratic with curved sides. One side is fixed. */
static inline ew_model *make_body_on(int order, ew_material_axes_kind kind, ew_device *on)
{
    ew_model_def def = ew_default_model_def();
    const ew_material wood = wood_along(kind);
    const ew_model_set_def side = {.name = "side"};
    const ew_model_load loads[] = {
        {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {0.0, 1.0, -9.0}},
        {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 30.0, .gradient = {1.0, -2.0, 0.5}}};
    ew_mesh mesh;
    ew_model *model;
    ew_list vertex = {0};
    int32_t set;
    def.device = on;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 3, 3}));
    if (order == 2) {
        bend_mesh(&mesh, 0.01);
    }
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &wood));
    must(order ? ew_model_set_order(model, true) : EW_OK);
    for (int32_t v = 0; v < 16; v++) {
        must(ew_list_push(&vertex, v));
    }
    must(ew_model_add_set(model, &side, &vertex, &set));
    ew_list_free(&vertex);
    const ew_model_constraint fixed = {.set = set, .fixed = 7};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 2, loads));
    return model;
}

static inline ew_model *make_body(int order, ew_material_axes_kind kind)
{
    return make_body_on(order, kind, NULL);
}

#endif
