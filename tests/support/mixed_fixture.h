/* What the tests of mixed tets share: a quarter of a thick tube in plane strain under pressure, a
 * block that is warmed. On a device, or with none on the host. */
#ifndef EW_MIXED_FIXTURE_H
#define EW_MIXED_FIXTURE_H

#include "model/parts/model.h"
#include "random_edits.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INNER 1.0
#define OUTER 2.0

/* ---- bodies ------------------------------------------------------------------------- */

static inline ew_model *make_model(ew_mesh *mesh, double poisson, ew_device *device)
{
    ew_model_def def = ew_default_model_def();
    const ew_material material = {.young = 200.0, .poisson = poisson, .density = 1.0};
    ew_model *model = NULL;
    def.device = device;
    must(ew_model_create(&model, mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    return model;
}

/* Vertices where the coordinate along an axis is `at`; axis 3: the distance from z. */
static inline bool is_at(const ew_mesh *mesh, int32_t v, int axis, double at)
{
    const double *x = mesh->xyz + 3 * (size_t)v;
    return fabs((axis == 3 ? hypot(x[0], x[1]) : x[axis]) - at) < 1e-9;
}

static inline int32_t add_set(ew_model *model, ew_set_kind kind, ew_list *list)
{
    char name[16];
    const ew_model_set_def def = {.name = name, .kind = kind};
    int32_t set;
    snprintf(name, sizeof name, "%d", (int)ew_model_n_set(model));
    must(ew_model_add_set(model, &def, list, &set));
    ew_list_free(list);
    return set;
}

static inline int32_t add_slab(ew_model *model, int axis, double at)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list list = {0};
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(is_at(mesh, v, axis, at) ? ew_list_push(&list, v) : EW_OK);
    }
    return add_set(model, EW_SET_OF_VERTICES, &list);
}

static inline int32_t add_inner_faces(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_boundary *boundary;
    ew_list list = {0};
    must(ew_model_boundary(model, &boundary));
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s], *v = mesh->tet + 4 * (size_t)(code / 4);
        bool in = true;
        for (int k = 0; k < 3; k++) {
            in = in && is_at(mesh, v[ew_face_vertex[code % 4][k]], 3, INNER);
        }
        must(in ? ew_list_push(&list, code) : EW_OK);
    }
    return add_set(model, EW_SET_OF_FACES, &list);
}

/* A quarter of a tube between z = 0 and 0.25, in plane strain, under pressure 1 inside. */
static inline ew_model *make_tube(int32_t n, double poisson, ew_device *device)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 0.25}, (int32_t[3]){n, 2 * n, n / 4 + 1}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double *x = mesh.xyz + 3 * (size_t)v;
        const double r = INNER + (OUTER - INNER) * x[0], angle = 2.0 * atan(1.0) * x[1];
        x[0] = x[1] == 1.0 ? 0.0 : r * cos(angle);
        x[1] = r * sin(angle);
    }
    ew_model *model = make_model(&mesh, poisson, device);
    const ew_model_constraint constraint[4] = {
        {.set = add_slab(model, 0, 0.0), .fixed = 1},
        {.set = add_slab(model, 1, 0.0), .fixed = 2},
        {.set = add_slab(model, 2, 0.0), .fixed = 4},
        {.set = add_slab(model, 2, 0.25), .fixed = 4},
    };
    const ew_model_load load = {
        .kind = EW_LOAD_PRESSURE, .set = add_inner_faces(model), .pressure = 1.0};
    must(ew_model_set_constraints(model, 4, constraint));
    must(ew_model_set_loads(model, 1, &load));
    return model;
}

/* ---- heat ---------------------------------------------------------------------------- */

typedef enum warmth { WARM_ALONG_X, WARM_HALF, WARM_RUBBERS, WARM_STEEL, N_WARMTH } warmth;

#define WARM_EXPANSION 2e-4
#define WARM_CHANGE    20.0
#define WARM_GRADIENT  50.0

static inline double middle_of(const ew_mesh *mesh, int32_t t, int axis)
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        sum += 0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + k] + axis];
    }
    return sum;
}

/* 2 x 1 x 1, symmetric about y = 0 and z = 0 and fixed at the origin, else free. Warmed along x, or
 * where x < 1, or all alike, with x > 1 of a stiffer rubber that expands as the first, or of steel.
 */
static inline ew_model *make_warm(warmth kind, int32_t n, double poisson, ew_device *device)
{
    const ew_material first = {
        .young = 1e6, .poisson = poisson, .density = 1.0, .expansion = WARM_EXPANSION};
    const ew_material steel = {.young = 2e8, .poisson = 0.3, .density = 8.0, .expansion = 1e-5};
    const ew_material other = {
        .young = 2e6, .poisson = 0.45, .density = 1.0, .expansion = WARM_EXPANSION};
    ew_model_load heat = {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = WARM_CHANGE};
    ew_list origin = {0}, half = {0};
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){2.0, 1.0, 1.0}, (int32_t[3]){2 * n, n, n}));
    if (kind == WARM_RUBBERS || kind == WARM_STEEL) {
        must(ew_grow(&mesh.region_label, &mesh.region_capacity, 2, sizeof *mesh.region_label));
        mesh.region_label[1] = mesh.region_label[0] + 1;
        mesh.n_region = 2;
        for (int32_t t = 0; t < mesh.n_tet; t++) {
            mesh.region[t] = middle_of(&mesh, t, 0) > 1.0;
        }
    }
    ew_model *model = make_model(&mesh, poisson, device);
    const ew_mesh *m = ew_model_mesh(model);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &first));
    if (m->n_region == 2) {
        must(
            ew_model_set_material(model, m->region_label[1], kind == WARM_STEEL ? &steel : &other));
    }
    for (int32_t v = 0; v < m->n_vertex; v++) {
        const double *x = m->xyz + 3 * (size_t)v;
        must(x[0] + x[1] + x[2] == 0.0 ? ew_list_push(&origin, v) : EW_OK);
    }
    for (int32_t t = 0; t < m->n_tet; t++) {
        must(middle_of(m, t, 0) < 1.0 ? ew_list_push(&half, t) : EW_OK);
    }
    const ew_model_constraint constraint[3] = {
        {.set = add_slab(model, 1, 0.0), .fixed = 2},
        {.set = add_slab(model, 2, 0.0), .fixed = 4},
        {.set = add_set(model, EW_SET_OF_VERTICES, &origin), .fixed = 1},
    };
    heat.gradient[0] = kind == WARM_ALONG_X ? WARM_GRADIENT : 0.0;
    heat.set = add_set(model, EW_SET_OF_TETS, &half);
    heat.set = kind == WARM_HALF ? heat.set : -1;
    must(ew_model_set_constraints(model, 3, constraint));
    must(ew_model_set_loads(model, 1, &heat));
    return model;
}

/* ---- edits --------------------------------------------------------------------------- */

typedef struct editing {
    uint64_t state;
    past gone;
} editing;

/* A tet goes, one that went comes back, or a vertex moves; user: an `editing`. */
static inline ew_status queue_edit(void *user, const ew_model *model, ew_edit *edit)
{
    editing *e = user;
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t t = random_live_tet(mesh, &e->state), v = mesh->tet[4 * (size_t)t];
    const double *x = mesh->xyz + 3 * (size_t)v;
    switch (ew_test_random(&e->state, 5)) {
    case 0:
    case 1:
        remember_tet(&e->gone, mesh->tet + 4 * (size_t)t, &e->state);
        return ew_edit_remove_tet(edit, t);
    case 2:
        return e->gone.n ? ew_edit_add_tet(edit, recall_tet(&e->gone, &e->state), 0) : EW_OK;
    default:
        return ew_edit_move_vertex(edit, v, (double[3]){x[0] + 0.004, x[1] - 0.003, x[2] + 0.002});
    }
}

#endif
