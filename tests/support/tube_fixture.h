/* A tube with tets of ten nodes: the fixture of the tests of cuts through curved sides. */
#ifndef EW_TUBE_FIXTURE_H
#define EW_TUBE_FIXTURE_H

#include "curved_fixture.h"
#include "quadratic_fixture.h"

#include <math.h>

#define PI 3.14159265358979

/* A quarter of a tube from the unit box: radii 1 and 2, height 1. */
static inline void roll(const double *x, double *y)
{
    const double r = 1.0 + x[0], angle = 0.5 * PI * x[1];
    y[0] = r * cos(angle);
    y[1] = r * sin(angle);
    y[2] = x[2];
}

/* Straight below 0.67. */
static inline void swell(const double *x, double *y)
{
    const double by = fmax(x[0] - 0.67, 0.0);
    y[0] = x[0];
    y[1] = x[1] * (1.0 + by * by);
    y[2] = x[2];
}

static inline void make_mesh(ew_mesh *mesh, void (*place)(const double *, double *), int32_t n)
{
    must(ew_shape_box(mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){n, 2 * n, n}));
    curve_mesh(mesh, place, 0.0);
}

static inline ew_model *make_model(void (*place)(const double *, double *), int32_t n)
{
    static const ew_material plain = {.young = 200.0, .poisson = 0.3, .density = 1.0};
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    make_mesh(&mesh, place, n);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &plain));
    must(ew_model_set_order(model, true));
    return model;
}

static inline void verify(ew_model *model)
{
    ew_model_verification result;
    const ew_matrix *matrix;
    must(ew_model_matrix(model, &matrix));
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
}

/* The largest distance of vertices and middles of sides of the faces with a label. */
static inline double off_surface(const ew_model *model, int32_t label,
                                 double (*distance)(const double *x, const void *of),
                                 const void *of)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    bool *live = malloc((size_t)mesh->n_face + 1);
    double most = 0.0;
    int n = 0;
    must(ew_mesh_live_faces(mesh, live));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        for (int k = 0; k < 3 && live[f] && mesh->face_label[f] == label; k++) {
            const int32_t a = mesh->face[3 * f + k], b = mesh->face[3 * f + (k + 1) % 3];
            const int32_t edge = ew_pattern_pair_between(&ew_model_topology(model)->pattern, a, b);
            double x[3];
            for (int i = 0; i < 3; i++) {
                x[i] = 0.5 * (mesh->xyz[3 * a + i] + mesh->xyz[3 * b + i]) +
                       rows->curve[3 * rows->row[edge] + i];
            }
            most = fmax(most, fabs(distance(x, of)));
            most = fmax(most, fabs(distance(mesh->xyz + 3 * a, of)));
            n++;
        }
    }
    CU_ASSERT(n > 0);
    free(live);
    return most;
}

#endif
