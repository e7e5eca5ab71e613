/* Bodies with contacts: sets of planes and faces, supports and loads, a solve. */
#ifndef EW_CONTACT_MODEL_FIXTURE_H
#define EW_CONTACT_MODEL_FIXTURE_H

#include "contact_fixture.h"
#include "planes.h"

#include "model/parts/model.h"

static const double down[3] = {0, 0, -1}, up[3] = {0, 0, 1};

static inline ew_model *make_model(ew_mesh *mesh, double young, bool is_quadratic)
{
    const ew_material material = {.young = young, .poisson = 0.3, .density = 1.0};
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    must(ew_model_create(&model, mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_order(model, is_quadratic));
    return model;
}

/* Faces of a region, 0: of any, that look along a direction and whose middle has a coordinate. */
static inline int32_t add_faces(ew_model *model, int32_t label, const double direction[3], int c,
                                double x)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    ew_list all = {0}, list = {0};
    int32_t set;
    list_faces(mesh, ew_model_topology(model), label, direction, &all);
    for (int32_t i = 0; i < all.n; i++) {
        double middle = 0.0;
        for (int k = 0; k < 3; k++) {
            const int32_t t = all.id[i] / 4,
                          v = mesh->tet[4 * t + ew_face_vertex[all.id[i] % 4][k]];
            middle += mesh->xyz[3 * (size_t)v + (size_t)c] / 3.0;
        }
        if (fabs(middle - x) < 1e-9) {
            must(ew_list_push(&list, all.id[i]));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&all);
    ew_list_free(&list);
    return set;
}

/* Faces of the boundary of a region, 0: of any, with all corners on a surface, where off(x, of) is
 * 0. */
static inline int32_t add_faces_on(ew_model *model, int32_t label,
                                   double (*off)(const double x[3], double of), double of)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    ew_list all = {0}, list = {0};
    int32_t set;
    must(ew_topology_boundary(ew_model_topology(model), mesh, &all));
    for (int32_t i = 0; i < all.n; i++) {
        const int32_t t = all.id[i] / 4;
        bool on = label == 0 || mesh->region_label[mesh->region[t]] == label;
        for (int k = 0; k < 3; k++) {
            const int32_t v = mesh->tet[4 * t + ew_face_vertex[all.id[i] % 4][k]];
            on = on && fabs(off(mesh->xyz + 3 * (size_t)v, of)) < 1e-9;
        }
        if (on) {
            must(ew_list_push(&list, all.id[i]));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&all);
    ew_list_free(&list);
    return set;
}

/* Components of the displacement that vanish on planes through the origin, x, y, z in this order.
 */
static inline void hold_planes(ew_model *model, const char *axes)
{
    ew_model_constraint list[3];
    int32_t n = 0;
    for (int c = 0; c < 3; c++) {
        if (strchr(axes, "xyz"[c])) {
            list[n++] = (ew_model_constraint){.set = add_plane(model, NULL, c, 0.0),
                                              .fixed = (uint8_t)(1 << c)};
        }
    }
    must(ew_model_set_constraints(model, n, list));
}

static inline void press(ew_model *model, int32_t faces, double pressure)
{
    const ew_model_load load = ew_load_pressure(faces, pressure);
    must(ew_model_set_loads(model, 1, &load));
}

static inline ew_pcg_def solver(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-12;
    return def;
}

static inline ew_model_contact_report solve(ew_model *model, double tolerance)
{
    ew_pcg_def def = solver();
    ew_model_contact_report report;
    def.tolerance = tolerance;
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &report));
    return report;
}

/* The upper block stands on the lower one, which alone keeps it from falling. */
static inline ew_model *make_pressed_stack(bool upper_is_slave, bool is_quadratic, double gap)
{
    ew_mesh mesh;
    make_blocks(&mesh, (int32_t[2]){3, 4}, (double[3]){0, 0, gap});
    ew_model *model = make_model(&mesh, 200.0, is_quadratic);
    hold_planes(model, "xyz");
    press(model, add_faces(model, UPPER, up, 2, 1.0 + gap), 2.0);
    const int32_t lower = add_faces(model, LOWER, up, 2, 0.5),
                  upper = add_faces(model, UPPER, down, 2, 0.5 + gap);
    const ew_model_contact contact = {.slave = upper_is_slave ? upper : lower,
                                      .master = upper_is_slave ? lower : upper};
    must(ew_model_set_contacts(model, 1, &contact));
    return model;
}

/* Largest difference of the stress of tets from one that is the same everywhere. */
static inline double stress_error(const ew_model *model, const double stress[6])
{
    const ew_fields *fields = ew_model_recovered(model);
    double worst = 0.0;
    for (int32_t i = 0; i < 6 * ew_model_mesh(model)->n_tet; i++) {
        worst = fmax(worst, fabs(fields->stress[i] - stress[i % 6]));
    }
    return worst;
}

#endif
