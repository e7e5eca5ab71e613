/* Beams 2 x 1 x 0.8 with sets at both ends, and couplings of these. */
#ifndef EW_COUPLINGS_FIXTURE_H
#define EW_COUPLINGS_FIXTURE_H

#include "testlib.h"

#include "model/parts/model.h"
#include "shape/shape.h"

#include <math.h>
#include <string.h>

enum { WALL, TIP, TIP_FACES };

static const double reference[3] = {2.5, 0.3, -0.2};

static inline void add_plane_set(ew_model *model, double x, ew_set_kind kind)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_boundary *boundary;
    ew_list list = {0};
    int32_t number;
    must(ew_model_boundary(model, &boundary));
    for (int32_t v = 0; v < mesh->n_vertex && kind == EW_SET_OF_VERTICES; v++) {
        if (fabs(mesh->xyz[3 * (size_t)v] - x) < 1e-9) {
            must(ew_list_push(&list, v));
        }
    }
    for (int32_t f = 0; f < boundary->n_slot && kind == EW_SET_OF_FACES; f++) {
        const int32_t code = boundary->code[f];
        bool is_in = code >= 0;
        for (int k = 0; k < 3 && is_in; k++) {
            const int32_t v = mesh->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
            is_in = fabs(mesh->xyz[3 * (size_t)v] - x) < 1e-9;
        }
        if (is_in) {
            must(ew_list_push(&list, code));
        }
    }
    must(ew_model_add_set(model, &(ew_model_set_def){.kind = kind}, &list, &number));
    ew_list_free(&list);
}

static inline ew_model *make_beam(bool quadratic, const int32_t cells[3], bool is_fixed)
{
    const ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (const double[]){2.0, 1.0, 0.8}, cells));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_order(model, quadratic));
    add_plane_set(model, 0.0, EW_SET_OF_VERTICES);
    add_plane_set(model, 2.0, EW_SET_OF_VERTICES);
    add_plane_set(model, 2.0, EW_SET_OF_FACES);
    must(
        ew_model_set_constraints(model, is_fixed, &(ew_model_constraint){.set = WALL, .fixed = 7}));
    return model;
}

static inline ew_model_coupling coupling(bool is_rigid, int32_t set, uint8_t prescribed)
{
    ew_model_coupling made = {.is_rigid = is_rigid, .set = set, .prescribed = prescribed};
    memcpy(made.point, reference, sizeof made.point);
    return made;
}

#endif
