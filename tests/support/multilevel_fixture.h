/* What the tests of the rigid-body-mode preconditioner share: a body with its matrix and
 * constraints, conjugate gradients with the preconditioner, and a dense M^-1. */
#ifndef EW_MULTILEVEL_FIXTURE_H
#define EW_MULTILEVEL_FIXTURE_H

#include "testlib.h"

#include "assembly/parts/assembly.h"
#include "shape/parts/shape.h"
#include "solver/parts/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    uint8_t *fixed; /* [n_vertex] */
    int32_t fixed_capacity;
    ew_edit edit;
    ew_change change;
    ew_multilevel_def def;
    ew_multilevel *multilevel;
} body;

/* Lowest `share` of the extent in x is fixed, and rows without tets. */
static inline void fix_base(body *b, double share)
{
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        low = fmin(low, b->mesh.xyz[3 * (size_t)v]);
        high = fmax(high, b->mesh.xyz[3 * (size_t)v]);
    }
    CU_ASSERT_EQUAL_FATAL(ew_grow(&b->fixed, &b->fixed_capacity, b->mesh.n_vertex, 1), EW_OK);
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        const bool base = b->mesh.xyz[3 * (size_t)v] <= low + share * (high - low);
        b->fixed[v] = base || !ew_mesh_vertex_is_active(&b->mesh, v) ? 7 : 0;
    }
}

/* From a mesh, which it takes over. */
static inline void make_body_with(body *b, const ew_material *material)
{
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&b->materials, b->mesh.n_region, material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&b->matrix, &b->mesh, &b->topology, &b->materials),
                          EW_OK);
    fix_base(b, 0.05);
    b->def = ew_default_multilevel_def();
}

static inline void make_box(body *b, const double size[3], const int32_t cells[3])
{
    static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    *b = (body){0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b->mesh, size, cells), EW_OK);
    make_body_with(b, &steel);
}

static inline ew_status set_up(body *b)
{
    return ew_multilevel_setup(&b->multilevel, &b->matrix, &b->topology.pattern, b->mesh.xyz,
                               b->fixed, &b->def);
}

static inline ew_status verify_quietly(const body *b)
{
    return ew_multilevel_verify(b->multilevel, &b->matrix, &b->topology.pattern, b->mesh.xyz,
                                b->fixed);
}

static inline ew_status verify(const body *b)
{
    const ew_status status = verify_quietly(b);
    if (status) {
        printf("\n    %s\n", ew_message());
    }
    return status;
}

static inline void free_body(body *b)
{
    ew_multilevel_free(b->multilevel);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
    ew_matrix_free(&b->matrix);
    ew_materials_free(&b->materials);
    ew_topology_free(&b->topology);
    ew_mesh_free(&b->mesh);
    ew_release(b->fixed);
    *b = (body){0};
}

static inline bool is_free(const body *b, size_t i)
{
    return !(b->fixed[i / 3] >> i % 3 & 1);
}

static inline double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline void fill_random(const body *b, uint64_t *state, double *x)
{
    for (size_t i = 0; i < 3 * (size_t)b->mesh.n_vertex; i++) {
        x[i] = is_free(b, i) ? (double)ew_test_random(state, 2001) / 1000.0 - 1.0 : 0.0;
    }
}

/* Iterations of conjugate gradients to |r| <= tolerance |b| for a random load; -1: not in `max`.
 * x starts at zero. */
static inline int32_t solve(body *b, double tolerance, int32_t max)
{
    const size_t n = 3 * (size_t)b->mesh.n_vertex;
    double *v = calloc(5 * n, sizeof *v), *x = v, *r = v + n, *z = v + 2 * n, *p = v + 3 * n,
           *q = v + 4 * n;
    uint64_t state = 5;
    int32_t k = 0;
    fill_random(b, &state, r);
    const double target = tolerance * sqrt(dot(r, r, n));
    ew_multilevel_apply(b->multilevel, r, z);
    memcpy(p, z, n * sizeof *p);
    for (double rz = dot(r, z, n), before; sqrt(dot(r, r, n)) > target && k < max; k++) {
        ew_matrix_product(&b->matrix, &b->topology.pattern, p, q);
        const double alpha = rz / dot(p, q, n);
        for (size_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] = is_free(b, i) ? r[i] - alpha * q[i] : 0.0;
        }
        ew_multilevel_apply(b->multilevel, r, z);
        before = rz;
        rz = dot(r, z, n);
        for (size_t i = 0; i < n; i++) {
            p[i] = z[i] + rz / before * p[i];
        }
    }
    const bool done = sqrt(dot(r, r, n)) <= target;
    free(v);
    return done ? k : -1;
}

/* x . M^-1 y = y . M^-1 x, x . M^-1 x > 0, and M^-1 x is zero where constrained; a few random
 * vectors. */
static inline void check_symmetric_positive(body *b)
{
    const size_t n = 3 * (size_t)b->mesh.n_vertex;
    double *v = calloc(4 * n, sizeof *v), *x = v, *y = v + n, *mx = v + 2 * n, *my = v + 3 * n;
    uint64_t state = 77;
    for (int k = 0; k < 3; k++) {
        fill_random(b, &state, x);
        fill_random(b, &state, y);
        for (size_t i = 0; i < n; i++) {
            mx[i] = my[i] = 1e300; /* what was there must not matter */
        }
        ew_multilevel_apply(b->multilevel, x, mx);
        ew_multilevel_apply(b->multilevel, y, my);
        const double xx = dot(x, mx, n), yy = dot(y, my, n);
        CU_ASSERT(xx > 0.0 && yy > 0.0);
        CU_ASSERT(fabs(dot(y, mx, n) - dot(x, my, n)) <= 1e-9 * sqrt(xx * yy));
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(is_free(b, i) || (mx[i] == 0.0 && my[i] == 0.0));
        }
    }
    free(v);
}

/* Commits the queued edit and brings everything along; constraints as they are, but for rows
 * without tets. */
static inline ew_status apply_edit(body *b)
{
    ew_status status = ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change);
    ew_edit_clear(&b->edit);
    if (status) {
        return status;
    }
    const int32_t before = b->fixed_capacity;
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&b->topology, &b->mesh, &b->change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_revalidate(&b->matrix, &b->mesh, &b->topology, &b->materials,
                                                  &b->topology.touched),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_grow(&b->fixed, &b->fixed_capacity, b->mesh.n_vertex, 1), EW_OK);
    memset(b->fixed + before, 0, (size_t)(b->fixed_capacity - before));
    for (int32_t i = 0; i < b->change.filled_vertex.n; i++) {
        b->fixed[b->change.filled_vertex.id[i]] = 0;
    }
    for (int32_t i = 0; i < b->change.emptied_vertex.n; i++) {
        b->fixed[b->change.emptied_vertex.id[i]] = 7;
    }
    for (int32_t i = 0; i < b->change.added_vertex.n; i++) {
        const int32_t v = b->change.added_vertex.id[i];
        b->fixed[v] = ew_mesh_vertex_is_active(&b->mesh, v) ? 0 : 7;
    }
    return EW_OK;
}

static inline ew_status update(body *b)
{
    return ew_multilevel_update(b->multilevel, &b->matrix, &b->topology.pattern, b->mesh.xyz,
                                b->fixed, NULL, &b->topology.touched);
}

#endif
