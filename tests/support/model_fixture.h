/* What the tests of the model share: a box with sets, loads, constraints and fields of every kind,
 * and what a model must be after each edit, worked out from its mesh alone. */
#ifndef EW_MODEL_FIXTURE_H
#define EW_MODEL_FIXTURE_H

#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model under test ------------------------------------------------ */

enum { WALL, TOP, SIDE, TIP, FLOOR_FACES, TOP_FACES, END_FACES, HALF, N_SET };

static const ew_model_set_def set_def[N_SET] = {
    [WALL] = {"wall", EW_SET_OF_VERTICES, true},
    [TOP] = {"top", EW_SET_OF_VERTICES, true},
    [SIDE] = {"side", EW_SET_OF_VERTICES, true},
    [TIP] = {"tip", EW_SET_OF_VERTICES, true},
    [FLOOR_FACES] = {"floor faces", EW_SET_OF_FACES, true},
    [TOP_FACES] = {"top faces", EW_SET_OF_FACES, true},
    [END_FACES] = {"end faces", EW_SET_OF_FACES, true},
    [HALF] = {"half", EW_SET_OF_TETS, true},
};

/* Where the members of a set are at first, in the unit box. */
static inline bool is_at(int set, const double x[3])
{
    switch (set) {
    case WALL:
        return x[0] < 1e-9;
    case TOP:
    case TOP_FACES:
        return x[2] > 1.0 - 1e-9;
    case SIDE:
        return x[1] < 1e-9;
    case TIP:
        return x[0] > 0.99 && x[1] > 0.6;
    case FLOOR_FACES:
        return x[2] < 1e-9;
    case END_FACES:
        return x[0] > 1.0 - 1e-9;
    default:
        return x[0] < 0.5;
    }
}

static inline bool tet_is_at(const ew_mesh *mesh, int set, int32_t t, int but)
{
    bool all = ew_mesh_tet_is_live(mesh, t);
    for (int k = 0; k < 4 && all; k++) {
        all = k == but || is_at(set, mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k]);
    }
    return all;
}

static inline ew_status choose_members(ew_model *model, int set, ew_list *list)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_boundary *boundary = NULL;
    EW_TRY(set_def[set].kind == EW_SET_OF_FACES ? ew_model_boundary(model, &boundary) : EW_OK);
    for (int32_t v = 0; v < mesh->n_vertex && set_def[set].kind == EW_SET_OF_VERTICES; v++) {
        EW_TRY(mesh->valence[v] >= 0 && is_at(set, mesh->xyz + 3 * (size_t)v)
                   ? ew_list_push(list, v)
                   : EW_OK);
    }
    for (int32_t t = 0; t < mesh->n_tet && set_def[set].kind == EW_SET_OF_TETS; t++) {
        EW_TRY(tet_is_at(mesh, set, t, -1) ? ew_list_push(list, t) : EW_OK);
    }
    for (int32_t s = 0; boundary && s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s];
        EW_TRY(code >= 0 && tet_is_at(mesh, set, code / 4, code % 4) ? ew_list_push(list, code)
                                                                     : EW_OK);
    }
    return EW_OK;
}

static inline ew_status add_sets(ew_model *model)
{
    for (int s = 0; s < N_SET; s++) {
        ew_list list = {0};
        int32_t number = -1;
        ew_status status = choose_members(model, s, &list);
        status = status ? status : ew_model_add_set(model, &set_def[s], &list, &number);
        ew_list_free(&list);
        EW_TRY(status);
        CU_ASSERT_EQUAL(number, s);
    }
    return EW_OK;
}

/* A spring to the ground at every vertex: depends on mesh and vertex alone. */
static inline void own_force(void *user, const ew_mesh *mesh, const ew_topology *topology,
                             int32_t vertex, double *force)
{
    const double *x = mesh->xyz + 3 * (size_t)vertex;
    force[1] -= *(const double *)user * x[0] * topology->vertex_to_tet.count[vertex];
}

static double own_stiffness = 12.5;

/* Fields beside the displacement. */
enum { MEAN = 1, COPY, ZERO, TET_COPY, TET_ZERO, WARMTH, N_FIELD };

static const ew_model_constraint constraint_list[] = {
    {.set = WALL, .fixed = 7, .value = {1e-4, 0.0, 0.0}},
    {.set = FLOOR_FACES, .fixed = 4},
    {.set = SIDE,
     .fixed = 2,
     .axes = {.kind = EW_AXES_FIXED, .direction = {1, 0, 0, 0, 0.6, 0.8, 0, -0.8, 0.6}}},
    {.set = END_FACES,
     .fixed = 1,
     .axes = {.kind = EW_AXES_CYLINDER, .direction = {[6] = 1}, .point = {0, 0.3, -7}}},
};
static const ew_model_spring spring_list[] = {
    {.kind = EW_SPRING_TOTAL, .set = TOP_FACES, .stiffness = {1e6, 0, 2e6}},
    {.kind = EW_SPRING_FOUNDATION, .set = END_FACES, .stiffness = {3e7, 1e6, 0}},
    {.kind = EW_SPRING_EACH,
     .set = TIP,
     .stiffness = {5e5, 0, 0},
     .axes = {.kind = EW_AXES_FIXED, .direction = {0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1}}},
    {.kind = EW_SPRING_TOTAL,
     .set = TOP,
     .stiffness = {1e5, 2e5, 3e5},
     .axes = {.kind = EW_AXES_CYLINDER, .direction = {[6] = 1}, .point = {0, -5, -5}}},
    {.kind = EW_SPRING_EACH, .set = TIP, .stiffness = {1e3, 0, 0}, .field = ZERO},
};
/* Of edges that the mesh has or does not have. */
static ew_load_node warm_rows[] = {{{0, 1}, {2e-4}}, {{0, 2}, {-1e-4}}, {{0, 4}, {3e-4}},
                                   {{1, 0}, {2e-4}}, {{1, 5}, {1e-4}},  {{2, 0}, {-1e-4}},
                                   {{4, 0}, {3e-4}}, {{5, 1}, {1e-4}}};
static const ew_load_nodes warm_middles = {8, warm_rows};
static const ew_model_load load_list[] = {
    {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -9.81}},
    {.kind = EW_LOAD_TOTAL_FORCE, .set = TOP, .vector = {0.0, 0.0, -1e4}},
    {.kind = EW_LOAD_PRESSURE, .set = END_FACES, .pressure = 2e3},
    {.kind = EW_LOAD_TOTAL_FORCE, .set = TOP_FACES, .vector = {300.0, 0.0, 7.0}},
    {.kind = EW_LOAD_TRACTION, .set = TOP_FACES, .vector = {0.0, 11.0, 0.0}},
    {.kind = EW_LOAD_TRACTION,
     .set = END_FACES,
     .vector = {2.0, 5.0, 1.0},
     .axes = {EW_AXES_CYLINDER, {[8] = 1.0}, {0.4, 0.6, 0.0}}},
    {.kind = EW_LOAD_FORCE, .set = TIP, .vector = {0.0, 5.0, 0.0}},
    {.kind = EW_LOAD_TRACTION, .set = SIDE, .vector = {1.0, 2.0, 3.0}},
    {.kind = EW_LOAD_MOMENT, .set = END_FACES, .vector = {40.0, -7.0, 3.0}},
    {.kind = EW_LOAD_REMOTE_FORCE,
     .set = TOP,
     .vector = {0.0, 9.0, -20.0},
     .point = {3.0, 2.0, 1.0}},
    {.kind = EW_LOAD_PRESSURE,
     .set = SIDE,
     .pressure = 5.0,
     .gradient = {0.0, 0.0, -30.0},
     .point = {0.0, 0.0, 0.4},
     .only_positive = true},
    {.kind = EW_LOAD_CENTRIFUGAL, .vector = {0.1, 0.2, 1.0}, .point = {0.5, 0.5, 0.0}},
    {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 1e-4, .gradient = {0.0, 2e-4, 0.0}},
    {.kind = EW_LOAD_TEMPERATURE, .set = HALF, .change = 3e-4},
    {.kind = EW_LOAD_TEMPERATURE, .set = TIP, .change = -2e-4},
    {.kind = EW_LOAD_TEMPERATURE,
     .set = -1,
     .change = 0.5,
     .field = WARMTH,
     .nodes = &warm_middles},
    {.kind = EW_LOAD_OWN,
     .own = own_force,
     .user = &own_stiffness,
     .user_bytes = sizeof own_stiffness},
    {.kind = EW_LOAD_FIELD, .set = -1, .field = ZERO},
    {.kind = EW_LOAD_FIELD, .set = TIP, .field = ZERO},
    {.kind = EW_LOAD_PRESSURE, .set = END_FACES, .pressure = 2.0, .field = WARMTH},
    {.kind = EW_LOAD_TRACTION, .set = SIDE, .vector = {0.0, 3.0, 1.0}, .field = ZERO},
};
enum {
    N_CONSTRAINT = sizeof constraint_list / sizeof *constraint_list,
    N_SPRING = sizeof spring_list / sizeof *spring_list,
    N_LOAD = sizeof load_list / sizeof *load_list
};

static const ew_field_def field_def[N_FIELD] = {
    [MEAN] = {"mean", false, 2, EW_FIELD_MEAN},     [COPY] = {"copy", false, 1, EW_FIELD_COPY},
    [ZERO] = {"zero", false, 3, EW_FIELD_ZERO},     [TET_COPY] = {"state", true, 2, EW_FIELD_COPY},
    [TET_ZERO] = {"fresh", true, 1, EW_FIELD_ZERO}, [WARMTH] = {"warmth", false, 1, EW_FIELD_COPY},
};

static inline ew_status add_fields(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int f = 1; f < N_FIELD; f++) {
        int32_t number;
        EW_TRY(ew_model_add_field(model, &field_def[f], &number));
        CU_ASSERT_EQUAL(number, f);
        const int32_t n =
            field_def[f].width * (field_def[f].on_tets ? mesh->n_tet : mesh->n_vertex);
        for (int32_t i = 0; i < n; i++) {
            ew_model_field(model, f)[i] = f == WARMTH ? 1e-5 * (i % 7) : f + 0.125 * i;
        }
    }
    return EW_OK;
}

static inline ew_status furnish(ew_model *model)
{
    const ew_material steel = {
        .young = 210e9, .poisson = 0.3, .density = 7850.0, .expansion = 1.2e-5};
    EW_TRY(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    EW_TRY(add_sets(model));
    EW_TRY(add_fields(model));
    EW_TRY(ew_model_set_constraints(model, N_CONSTRAINT, constraint_list));
    EW_TRY(ew_model_set_springs(model, N_SPRING, spring_list));
    return ew_model_set_loads(model, N_LOAD, load_list);
}

/* The unit box with everything on it. */
static inline ew_model *make_model(int32_t cells, ew_device *device)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    ew_model_def def = ew_default_model_def();
    def.device = device;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){cells, cells, cells}));
    must(ew_model_create(&model, &mesh, &def));
    must(furnish(model));
    return model;
}

/* ---- a fresh model of the same mesh ----------------------------------------- */

/* Members as a program names them. */
static inline ew_list members_of(ew_model *model, int32_t set)
{
    const ew_boundary *boundary;
    const ew_model_set view = ew_model_view_set(model, set);
    ew_list list = {0};
    must(ew_model_boundary(model, &boundary));
    for (int32_t i = 0; i < view.member->list.n; i++) {
        const int32_t id = view.member->list.id[i];
        must(ew_list_push(&list, view.kind == EW_SET_OF_FACES ? boundary->code[id] : id));
    }
    return list;
}

static inline ew_model *make_fresh(ew_model *model)
{
    ew_mesh mesh;
    ew_model *fresh = NULL;
    ew_model_def def = {.reorder = false};
    const ew_material steel = {
        .young = 210e9, .poisson = 0.3, .density = 7850.0, .expansion = 1.2e-5};
    must(ew_mesh_copy(&mesh, ew_model_mesh(model)));
    must(ew_model_create(&fresh, &mesh, &def));
    must(ew_model_set_material(fresh, EW_ALL_REGIONS, &steel));
    for (int32_t s = 0; s < N_SET; s++) {
        ew_list list = members_of(model, s);
        int32_t number;
        must(ew_model_add_set(fresh, &set_def[s], &list, &number));
        ew_list_free(&list);
        const ew_model_set a = ew_model_view_set(model, s), b = ew_model_view_set(fresh, s);
        CU_ASSERT_EQUAL(a.n_active, b.n_active);
        CU_ASSERT_EQUAL(a.member->list.n, b.member->list.n);
    }
    must(add_fields(fresh));
    memcpy(ew_model_field(fresh, WARMTH), ew_model_view_field(model, WARMTH),
           (size_t)ew_model_mesh(fresh)->n_vertex * sizeof(double));
    memcpy(ew_model_field(fresh, ZERO), ew_model_view_field(model, ZERO),
           3 * (size_t)ew_model_mesh(fresh)->n_vertex * sizeof(double));
    must(ew_model_set_constraints(fresh, N_CONSTRAINT, constraint_list));
    must(ew_model_set_springs(fresh, N_SPRING, spring_list));
    must(ew_model_set_loads(fresh, N_LOAD, load_list));
    return fresh;
}

/* ---- comparison ---------------------------------------------------------------- */

static inline int compare_ids(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Both boundaries have the same codes, in whatever slots. */
static inline void expect_same_boundary(ew_model *model, ew_model *fresh)
{
    const ew_boundary *a, *b;
    must(ew_model_boundary(model, &a));
    must(ew_model_boundary(fresh, &b));
    must(ew_boundary_check(a, ew_model_mesh(model), ew_model_topology(model)));
    CU_ASSERT_EQUAL_FATAL(a->n_live, b->n_live);
    for (int32_t s = 0; s < b->n_slot; s++) {
        CU_ASSERT(ew_boundary_find(a, b->code[s]) >= 0);
    }
}

static inline ew_load line_of(ew_model *model, const ew_model_load *from,
                              const ew_boundary *boundary)
{
    ew_load line = {.kind = from->kind,
                    .pressure = from->pressure,
                    .change = from->change,
                    .only_positive = from->only_positive,
                    .axes = from->axes,
                    .nodes = from->nodes,
                    .own = from->own,
                    .user = from->user,
                    .value = from->field ? ew_model_view_field(model, from->field) : NULL};
    memcpy(line.vector, from->vector, sizeof line.vector);
    memcpy(line.gradient, from->gradient, sizeof line.gradient);
    memcpy(line.point, from->point, sizeof line.point);
    if (ew_load_traits_of(from->kind)->acts_on != EW_LOAD_ON_BODY && from->set >= 0) {
        const ew_model_set set = ew_model_view_set(model, from->set);
        line.vertex = set.kind == EW_SET_OF_VERTICES ? set.member : NULL;
        line.face = set.kind == EW_SET_OF_FACES ? set.member : NULL;
        line.tet = set.kind == EW_SET_OF_TETS ? set.member : NULL;
        line.boundary = line.face ? boundary : NULL;
    }
    return line;
}

/* The force assembled again with the same sets on the same boundary slots. */
static inline double *assemble_again(ew_model *model)
{
    ew_load line[N_LOAD];
    const ew_boundary *boundary;
    double *force = NULL;
    int32_t n = 0;
    must(ew_model_boundary(model, &boundary));
    for (int i = 0; i < N_LOAD; i++) {
        const ew_model_load *from = &load_list[i];
        const bool on_set = ew_load_traits_of(from->kind)->acts_on != EW_LOAD_ON_BODY;
        if (on_set && from->set >= 0 && !ew_model_view_set(model, from->set).n_active) {
            continue;
        }
        line[n++] = line_of(model, from, boundary);
    }
    must(ew_new_zero(&force, 3 * (size_t)ew_model_mesh(model)->n_vertex, sizeof *force));
    must(ew_loads_assemble(ew_model_mesh(model), ew_model_topology(model),
                           ew_model_materials(model), n, line, NULL, force));
    return force;
}

/* Bit for bit as assembled again; as in a fresh model up to the order in which areas are summed. */
static inline void expect_same_force(ew_model *model, ew_model *fresh)
{
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    const double *a = ew_model_force(model), *b = ew_model_force(fresh);
    double *again = assemble_again(model), largest = 0.0, error = 0.0;
    CU_ASSERT_EQUAL(memcmp(a, again, n * sizeof *a), 0);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(b[i]));
        error = fmax(error, fabs(a[i] - b[i]));
    }
    CU_ASSERT(error <= 1e-13 * largest);
    ew_release(again);
}

static inline void expect_same_constraints(ew_model *model, ew_model *fresh)
{
    const ew_constraints *a = ew_model_constraints(model), *b = ew_model_constraints(fresh);
    const size_t n = (size_t)ew_model_mesh(model)->n_vertex;
    CU_ASSERT_EQUAL_FATAL(a->n_vertex, b->n_vertex);
    CU_ASSERT_EQUAL(memcmp(a->fixed, b->fixed, n), 0);
    CU_ASSERT_EQUAL(memcmp(a->value, b->value, 3 * n * sizeof *a->value), 0);
    CU_ASSERT_EQUAL_FATAL(a->oblique.n, b->oblique.n);
    for (int32_t k = 0; k < a->oblique.n; k++) {
        const int32_t v = a->oblique.row[k];
        CU_ASSERT_FATAL(a->place[v] == k && b->place[v] >= 0);
        CU_ASSERT_EQUAL(memcmp(a->oblique.normal + 6 * (size_t)k,
                               b->oblique.normal + 6 * (size_t)b->place[v], 6 * sizeof(double)),
                        0);
    }
}

/* All that a model has equals a fresh one's. */
static inline void expect_as_fresh(ew_model *model)
{
    ew_model *fresh = make_fresh(model);
    ew_model_verification result;
    must(ew_mesh_check(ew_model_mesh(model)));
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    expect_same_boundary(model, fresh);
    const ew_status status = ew_model_recover(model, NULL, NULL); /* brings loads up to date */
    CU_ASSERT_EQUAL(ew_model_recover(fresh, NULL, NULL), status);
    if (!status) {
        expect_same_constraints(model, fresh);
        expect_same_force(model, fresh);
    } else {
        CU_ASSERT_EQUAL(status, EW_BAD_INPUT); /* a traction on vertices that meets no face */
    }
    ew_model_free(fresh);
}

/* A few iterations, whatever comes of them: the solver must follow, or find a mechanism. */
static inline void solve_a_little(ew_model *model, int32_t max_iterations)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.max_iterations = max_iterations;
    def.precision = EW_DOUBLE;
    const ew_status status = ew_model_solve(model, &def, NULL);
    CU_ASSERT(status == EW_OK || status == EW_NOT_CONVERGED || status == EW_UNDER_CONSTRAINED ||
              status == EW_BAD_INPUT);
}

#endif
