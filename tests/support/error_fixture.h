/* What the tests of the error estimate share: a body solved under displacements or tractions that
 * are known, and the true error of its stress. */
#ifndef EW_ERROR_FIXTURE_H
#define EW_ERROR_FIXTURE_H

#include "analysis/parts/analysis.h"
#include "assembly/parts/assembly.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_material material[2];
    ew_materials materials;
    ew_matrix matrix;
    ew_constraints constraints;
    ew_fields fields;
    ew_estimate estimate;
    ew_adequacy adequacy;
    double *f, *u;
} body;

/* xx yy zz xy yz xz at a point. */
typedef void (*stress_function)(const double x[3], double stress[6]);
/* Prescribes what it likes of a vertex: sets bits of *fixed and the values. */
typedef void (*support_function)(const double x[3], uint8_t *fixed, double value[3]);

static inline void body_free(body *b)
{
    ew_release(b->f);
    ew_release(b->u);
    ew_fields_free(&b->fields);
    ew_estimate_free(&b->estimate);
    ew_constraints_free(&b->constraints);
    ew_matrix_free(&b->matrix);
    ew_materials_free(&b->materials);
    ew_topology_free(&b->topology);
    ew_mesh_free(&b->mesh);
    *b = (body){0};
}

/* The mesh and the materials are there. */
static inline void body_build(body *b)
{
    const size_t n = 3 * (size_t)b->mesh.n_vertex;
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&b->materials, b->mesh.n_region, b->material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&b->matrix, &b->mesh, &b->topology, &b->materials),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, 0, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new_zero(&b->f, n, sizeof *b->f), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new_zero(&b->u, n, sizeof *b->u), EW_OK);
}

static inline void body_support(body *b, support_function support)
{
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        if (ew_mesh_vertex_is_active(&b->mesh, v)) {
            support(b->mesh.xyz + 3 * (size_t)v, &b->constraints.fixed[v],
                    b->constraints.value + 3 * (size_t)v);
        }
    }
}

/* f += the exact traction of a stress on boundary faces where `on` says so, by the three-point rule
 * of degree two (middles of the edges). */
static inline void body_pull(body *b, stress_function stress, bool (*on)(const double x[3]))
{
    ew_list face = {0};
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&b->topology, &b->mesh, &face), EW_OK);
    for (int32_t i = 0; i < face.n; i++) {
        const int32_t *tet = b->mesh.tet + 4 * (size_t)(face.id[i] / 4);
        int32_t v[3];
        double area[3];
        bool taken = true;
        ew_face_area_vector(&b->mesh, face.id[i], area);
        for (int k = 0; k < 3; k++) {
            v[k] = tet[ew_face_vertex[face.id[i] % 4][k]];
            taken = taken && on(b->mesh.xyz + 3 * (size_t)v[k]);
        }
        for (int k = 0; k < 3 && taken; k++) {
            const int32_t p = v[k], q = v[(k + 1) % 3];
            double x[3], s[6];
            for (int c = 0; c < 3; c++) {
                x[c] = 0.5 * (b->mesh.xyz[3 * (size_t)p + (size_t)c] +
                              b->mesh.xyz[3 * (size_t)q + (size_t)c]);
            }
            stress(x, s);
            const double t[3] = {s[0] * area[0] + s[3] * area[1] + s[5] * area[2],
                                 s[3] * area[0] + s[1] * area[1] + s[4] * area[2],
                                 s[5] * area[0] + s[4] * area[1] + s[2] * area[2]};
            for (int c = 0; c < 3; c++) {
                b->f[3 * (size_t)p + (size_t)c] += t[c] / 6.0;
                b->f[3 * (size_t)q + (size_t)c] += t[c] / 6.0;
            }
        }
    }
    ew_list_free(&face);
}

static inline void body_estimate(body *b)
{
    CU_ASSERT_EQUAL_FATAL(ew_fields_recover(&b->fields, &b->mesh, &b->topology, &b->materials,
                                            &b->constraints, 0, NULL, b->f, b->u, NULL),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_estimate_take(&b->estimate, &b->mesh, &b->topology, &b->materials,
                                           &b->fields, NULL),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_adequacy_evaluate(&b->adequacy, &b->mesh, &b->topology, &b->fields,
                                               &b->estimate, EW_SMALL, b->u),
                          EW_OK);
}

static inline void body_solve(body *b)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    ew_solver solver = {0};
    ew_operator op = ew_operator_on_host(&b->matrix, &b->topology.pattern);
    const ew_system system = {
        .op = &op, .xyz = b->mesh.xyz, .fixed = b->constraints.fixed, .b = b->f};
    def.tolerance = 1e-9;
    for (int32_t v = 0; v < 3 * b->mesh.n_vertex; v++) {
        b->u[v] = b->constraints.fixed[v / 3] >> v % 3 & 1 ? b->constraints.value[v] : 0.0;
    }
    CU_ASSERT_EQUAL_FATAL(ew_solver_solve(&solver, &system, &def, b->u, &info), EW_OK);
    ew_solver_free(&solver);
    ew_operator_free(&op);
    body_estimate(b);
}

/* s D^-1 s */
static inline double body_compliance(const body *b, int32_t t, const double s[6])
{
    const ew_material *m = &b->material[b->mesh.region[t]];
    const double trace = s[0] + s[1] + s[2];
    double square = 0.0;
    for (int c = 0; c < 6; c++) {
        square += (c < 3 ? 1.0 : 2.0) * s[c] * s[c];
    }
    return ((1.0 + m->poisson) * square - m->poisson * trace * trace) / m->young;
}

/* Norm of the difference to an exact stress, with the four-point rule of degree two. */
static inline double body_true_error(const body *b, stress_function exact)
{
    double square = 0.0;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        double corner[12];
        ew_mesh_tet_values(&b->mesh, t, b->mesh.xyz, corner);
        for (int q = 0; q < 4; q++) {
            double x[3] = {0.0}, s[6];
            for (int i = 0; i < 12; i++) {
                x[i % 3] += (i / 3 == q ? 0.5854101966249685 : 0.1381966011250105) * corner[i];
            }
            exact(x, s);
            for (int c = 0; c < 6; c++) {
                s[c] -= b->fields.stress[6 * (size_t)t + (size_t)c];
            }
            square += 0.25 * ew_mesh_tet_volume(&b->mesh, t) * body_compliance(b, t, s);
        }
    }
    return sqrt(square);
}

static const double young = 100.0, nu = 0.3;

/* 4 x 1 x 1, of 4 n x n x n cells. */
static inline void make_beam(body *b, int32_t n)
{
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b->mesh, (double[3]){4, 1, 1}, (int32_t[3]){4 * n, n, n}),
                          EW_OK);
}

/* Moves every vertex inside by up to a share of the cells' size at random. */
static inline void shake(body *b, double size)
{
    uint64_t random = 5;
    ew_topology topology = {0};
    ew_list face = {0};
    ew_set fixed = {0};
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&topology, &b->mesh, &face), EW_OK);
    for (int32_t i = 0; i < 3 * face.n; i++) {
        const int32_t code = face.id[i / 3];
        const int32_t v =
            b->mesh.tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][i % 3]];
        CU_ASSERT_EQUAL_FATAL(ew_set_add(&fixed, v), EW_OK);
    }
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        const double move = size * (ew_test_random(&random, 1001) / 500.0 - 1.0);
        b->mesh.xyz[i] += ew_set_has(&fixed, i / 3) ? 0.0 : move;
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(&b->mesh), EW_OK);
    ew_set_free(&fixed);
    ew_list_free(&face);
    ew_topology_free(&topology);
}

/* What the volume-weighted average at the vertices would estimate, of one region: for comparison.
 */
static inline double naive_error(const body *b)
{
    double square = 0.0;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        double sum[6] = {0.0}, part = 0.0;
        for (size_t k = 0; k < 5; k++) {
            double d[6];
            for (size_t c = 0; c < 6; c++) {
                const size_t v = k < 4 ? (size_t)b->mesh.tet[4 * (size_t)t + k] : 0;
                d[c] =
                    k < 4 ? b->fields.vertex_stress[6 * v + c] - b->fields.stress[6 * (size_t)t + c]
                          : sum[c];
                sum[c] += d[c];
            }
            part += body_compliance(b, t, d);
        }
        square += part * ew_mesh_tet_volume(&b->mesh, t) / 20.0;
    }
    return sqrt(square);
}

/* Beam 4 x 1 x 1 about y: sxx = z, both ends displaced as it has them. */
static inline void bending_stress(const double x[3], double s[6])
{
    s[0] = x[2] - 0.5;
    s[1] = s[2] = s[3] = s[4] = s[5] = 0.0;
}

static inline void bending_support(const double x[3], uint8_t *fixed, double value[3])
{
    if (fabs(x[0]) > 1e-9 && fabs(x[0] - 4.0) > 1e-9) {
        return;
    }
    const double y = x[1] - 0.5, z = x[2] - 0.5;
    *fixed = 7;
    value[0] = x[0] * z / young;
    value[1] = -nu * y * z / young;
    value[2] = -(x[0] * x[0] + nu * (z * z - y * y)) / (2.0 * young);
}

#endif
