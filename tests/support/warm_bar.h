/* A bar that is heated: of steel, on rollers, or kept between two planes. Units: N, mm, t, s. */
#ifndef EW_WARM_BAR_H
#define EW_WARM_BAR_H

#include "model/parts/model.h"
#include "planes.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static const double young = 200e3, expansion = 1.2e-5;

static inline ew_material steel(const ew_law *law)
{
    ew_material material = {
        .young = young, .poisson = 0.3, .density = 1e-9, .expansion = expansion};
    if (law) {
        ew_material_put_law(&material, law);
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 240.0;
    }
    return material;
}

/* A bar along x with symmetry planes at 0, and the plane at its end. */
typedef struct bar {
    ew_model *model;
    int32_t low[3], end;
} bar;

/* Tets of bars are quadratic. */
static bool is_quadratic;

static inline bar make_bar(ew_device *on, const double size[3], const int32_t cells[3],
                           ew_kinematics kinematics, const ew_material *material)
{
    bar b;
    ew_mesh mesh;
    ew_model_def def = ew_default_model_def();
    def.device = on;
    must(ew_shape_box(&mesh, size, cells));
    must(ew_model_create(&b.model, &mesh, &def));
    must(is_quadratic ? ew_model_set_order(b.model, true) : EW_OK);
    must(ew_model_set_material(b.model, EW_ALL_REGIONS, material));
    must(ew_model_set_kinematics(b.model, kinematics));
    for (int k = 0; k < 3; k++) {
        b.low[k] = add_plane(b.model, NULL, k, 0.0);
    }
    b.end = add_plane(b.model, NULL, 0, size[0]);
    return b;
}

/* On rollers at 0, and where `holds` at the end. */
static inline void support(const bar *b, bool holds)
{
    ew_model_constraint list[4];
    for (int k = 0; k < 3; k++) {
        list[k] = (ew_model_constraint){.set = b->low[k], .fixed = (uint8_t)(1 << k)};
    }
    list[3] = (ew_model_constraint){.set = b->end, .fixed = 1};
    must(ew_model_set_constraints(b->model, holds ? 4 : 3, list));
}

static inline void heat_in_time(const bar *b, double change, double gradient, int32_t amplitude)
{
    must(ew_model_set_loads(b->model, 1,
                            &(ew_model_load){.kind = EW_LOAD_TEMPERATURE,
                                             .set = -1,
                                             .amplitude = amplitude,
                                             .change = change,
                                             .gradient = {0.0, 0.0, gradient}}));
}

static inline void heat(const bar *b, double change, double gradient)
{
    heat_in_time(b, change, gradient, 0);
}

#endif
