/* A bar from 0 to (4, 1, 1) in a model, with the sets that loads and constraints of
 * test_load_answers.c act on, and what is read off its answers. */
#ifndef EW_LOAD_ANSWERS_H
#define EW_LOAD_ANSWERS_H

#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define YOUNG     200.0
#define DENSITY   3.0
#define EXPANSION 1e-5

typedef struct answer {
    ew_model *model;
    int32_t all, wall, floor, side, middle; /* of vertices: x = 0, z = 0, y = 0, y = 1/2 */
    int32_t end;                            /* of faces: x = 4 */
    int32_t tets, half_tets;                /* all; x < 2 */
    int32_t n_constraint;
    ew_model_constraint constraint[8];
    const ew_fields *fields;
    const ew_sums *sums;
} answer;

static inline int32_t add_set(answer *a, ew_set_kind kind, ew_list *member)
{
    const ew_model_set_def def = {.kind = kind};
    int32_t set = -1;
    char name[16];
    ew_model_set_def named = def;
    snprintf(name, sizeof name, "%d", (int)ew_model_n_set(a->model));
    named.name = name;
    must(ew_model_add_set(a->model, &named, member, &set));
    ew_list_free(member);
    return set;
}

/* Vertices with this coordinate along an axis; axis -1: all. */
static inline int32_t add_slab(answer *a, int axis, double at)
{
    const ew_mesh *mesh = ew_model_mesh(a->model);
    ew_list list = {0};
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const bool in = axis < 0 || fabs(mesh->xyz[3 * v + axis] - at) < 1e-9;
        must(in ? ew_list_push(&list, v) : EW_OK);
    }
    return add_set(a, EW_SET_OF_VERTICES, &list);
}

static inline int32_t add_end(answer *a)
{
    const ew_boundary *boundary;
    ew_list list = {0};
    must(ew_model_boundary(a->model, &boundary));
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        double area[3];
        const int32_t code = boundary->code[s];
        const ew_mesh *mesh = ew_model_mesh(a->model);
        const int32_t v = mesh->tet[4 * (code / 4) + ew_face_vertex[code % 4][0]];
        ew_face_area_vector(mesh, code, area);
        const bool in = area[0] > 1e-9 && mesh->xyz[3 * v] > 4.0 - 1e-9;
        must(in ? ew_list_push(&list, code) : EW_OK);
    }
    return add_set(a, EW_SET_OF_FACES, &list);
}

static inline int32_t add_tets(answer *a, double below)
{
    const ew_mesh *mesh = ew_model_mesh(a->model);
    ew_list list = {0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x = 0.0;
        for (int k = 0; k < 4; k++) {
            x += 0.25 * mesh->xyz[3 * mesh->tet[4 * t + k]];
        }
        must(x < below ? ew_list_push(&list, t) : EW_OK);
    }
    return add_set(a, EW_SET_OF_TETS, &list);
}

static inline answer make_bar(const int32_t cells[3], double poisson)
{
    answer a = {.model = NULL};
    ew_mesh mesh;
    const ew_model_def def = ew_default_model_def();
    const ew_material material = {
        .young = YOUNG, .poisson = poisson, .density = DENSITY, .expansion = EXPANSION};
    must(ew_shape_box(&mesh, (double[3]){4.0, 1.0, 1.0}, cells));
    must(ew_model_create(&a.model, &mesh, &def));
    must(ew_model_set_material(a.model, EW_ALL_REGIONS, &material));
    a.all = add_slab(&a, -1, 0.0);
    a.wall = add_slab(&a, 0, 0.0);
    a.side = add_slab(&a, 1, 0.0);
    a.middle = add_slab(&a, 1, 0.5);
    a.floor = add_slab(&a, 2, 0.0);
    a.end = add_end(&a);
    a.tets = add_tets(&a, 9.0);
    a.half_tets = add_tets(&a, 2.0);
    return a;
}

static inline void fix(answer *a, int32_t set, uint8_t components)
{
    a->constraint[a->n_constraint++] = (ew_model_constraint){.set = set, .fixed = components};
}

/* Statically determinate: nothing holds expansion back. */
static inline void fix_at_three_points(answer *a)
{
    const double at[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 1, 0}};
    const uint8_t components[3] = {7, 6, 4};
    const ew_mesh *mesh = ew_model_mesh(a->model);
    for (int k = 0; k < 3; k++) {
        ew_list list = {0};
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            const double *x = mesh->xyz + 3 * (size_t)v;
            const double far = hypot(hypot(x[0] - at[k][0], x[1] - at[k][1]), x[2] - at[k][2]);
            must(far < 1e-9 ? ew_list_push(&list, v) : EW_OK);
        }
        fix(a, add_set(a, EW_SET_OF_VERTICES, &list), components[k]);
    }
}

static inline void solve(answer *a, ew_model_load load)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-11;
    must(ew_model_set_constraints(a->model, a->n_constraint, a->constraint));
    must(ew_model_set_loads(a->model, 1, &load));
    must(ew_model_solve(a->model, &def, NULL));
    must(ew_model_recover(a->model, &a->fields, &a->sums));
}

/* Forces balance, and so do work and energy. */
static inline void expect_balance(const answer *a)
{
    const ew_sums *s = a->sums;
    const double scale = fabs(s->strain_energy) + fabs(s->thermal_work);
    CU_ASSERT(s->equilibrium < 1e-8);
    CU_ASSERT(fabs(s->external_work - 2.0 * s->strain_energy - s->thermal_work) < 1e-7 * scale);
}

/* Mean over the vertices of a section. */
static inline double mean_displacement(const answer *a, double x, int component)
{
    const ew_mesh *mesh = ew_model_mesh(a->model);
    double sum = 0.0;
    int n = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (fabs(mesh->xyz[3 * v] - x) < 1e-9) {
            sum += ew_model_displacement(a->model)[3 * v + component];
            n++;
        }
    }
    return sum / n;
}

/* Rotation about x of a section, in the mean. */
static inline double section_twist(const answer *a, double x)
{
    const ew_mesh *mesh = ew_model_mesh(a->model);
    double turned = 0.0, inertia = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *at = mesh->xyz + 3 * (size_t)v, y = at[1] - 0.5, z = at[2] - 0.5;
        const double *u = ew_model_displacement(a->model) + 3 * (size_t)v;
        if (fabs(at[0] - x) < 1e-9) {
            turned += y * u[2] - z * u[1];
            inertia += y * y + z * z;
        }
    }
    return turned / inertia;
}

static inline double max_stress(const answer *a, int component)
{
    double largest = 0.0;
    for (int32_t t = 0; t < ew_model_mesh(a->model)->n_tet; t++) {
        largest = fmax(largest, a->fields->stress[6 * (size_t)t + (size_t)component]);
    }
    return largest;
}

#endif
