/* A block on the ground, which is a rigid plane, or triangles. */
#ifndef EW_CONTACT_RIGID_FIXTURE_H
#define EW_CONTACT_RIGID_FIXTURE_H

#include "contact_model_fixture.h"

static const ew_rigid_def ground = {.kind = EW_RIGID_PLANE, .direction = {0, 0, 2}};

/* A block 1 x 1 x 1 on the ground. */
static inline ew_model *make_tall(int32_t cells, int32_t layers, bool is_quadratic)
{
    ew_mesh mesh;
    uint64_t random = 3;
    must(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){cells, cells, layers}));
    jitter_grid(&mesh, cells, &random);
    ew_model *model = make_model(&mesh, 200.0, is_quadratic);
    hold_planes(model, "xy");
    return model;
}

static inline ew_model *make_block(int32_t cells, bool is_quadratic)
{
    return make_tall(cells, 2, is_quadratic);
}

static inline ew_model_contact on_ground(ew_model *model)
{
    return (ew_model_contact){
        .slave = add_faces(model, 1, down, 2, 0.0), .master = -1, .rigid = ground};
}

static inline ew_model *make_pressed_block(bool is_quadratic)
{
    ew_model *model = make_block(3, is_quadratic);
    const ew_model_contact contact = on_ground(model);
    press(model, add_faces(model, 1, up, 2, 1.0), 2.0);
    must(ew_model_set_contacts(model, 1, &contact));
    return model;
}

/* Two triangles; or a flat box below, whose triangles look outwards, or all inwards. */
static inline ew_surface make_surface(bool is_closed, bool inwards)
{
    static double plane[] = {-3, -2, 0, 4, -2, 0, 4, 3, 0, -3, 3, 0},
                  box[] = {-3, -2, 0,  4, -2, 0,  4, 3, 0,  -3, 3, 0,
                           -3, -2, -1, 4, -2, -1, 4, 3, -1, -3, 3, -1};
    static int32_t two[] = {0, 1, 2, 0, 2, 3},
                   twelve[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                               1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0},
                   turned[36];
    for (int i = 0; i < 36; i++) {
        turned[i] = twelve[i - i % 3 + (3 - i % 3) % 3];
    }
    return (ew_surface){.n_vertex = is_closed ? 8 : 4,
                        .xyz = is_closed ? box : plane,
                        .n_triangle = is_closed ? 12 : 2,
                        .triangle = !is_closed ? two
                                    : inwards  ? turned
                                               : twelve};
}

static inline void expect_pressed(ew_model *model, double pressure, double tolerance)
{
    const ew_model_contact_report report = solve(model, 1e-12);
    CU_ASSERT(stress_error(model, (double[6]){0, 0, -pressure, 0, 0, 0}) < tolerance);
    CU_ASSERT_EQUAL(report.n_closed, report.n_point);
    CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, pressure, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(report.area, 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(report.covered, 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(report.force[2], pressure, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(report.moment[0], 0.5 * pressure, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(report.moment[1], -0.5 * pressure, 1e-8);
}

#endif
