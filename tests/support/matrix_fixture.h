/* A box with its tables, materials and stiffness, for the tests of matrices, and its comparison
 * with a rebuild. */
#ifndef EW_MATRIX_FIXTURE_H
#define EW_MATRIX_FIXTURE_H

#include "assembly/parts/assembly.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct model {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
} model;

static inline void make_box(model *m, int32_t nx, int32_t ny, int32_t nz)
{
    const ew_material material = {.young = 2.0, .poisson = 0.3, .density = 1.0};
    *m = (model){0};
    CU_ASSERT_EQUAL_FATAL(
        ew_shape_box(&m->mesh, (double[]){1.0, 0.8, 1.3}, (int32_t[]){nx, ny, nz}), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&m->topology, &m->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m->materials, 1, &material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&m->matrix, &m->mesh, &m->topology, &m->materials),
                          EW_OK);
}

static inline void free_model(model *m)
{
    ew_matrix_free(&m->matrix);
    ew_materials_free(&m->materials);
    ew_topology_free(&m->topology);
    ew_mesh_free(&m->mesh);
}

static inline double uniform(uint64_t *state)
{
    return (double)ew_test_random(state, 1u << 30) / (double)(1u << 29) - 1.0;
}

static inline double *random_vector(int32_t n_row, uint64_t seed)
{
    double *x = malloc(3 * (size_t)n_row * sizeof *x);
    for (int32_t i = 0; i < 3 * n_row; i++) {
        x[i] = uniform(&seed);
    }
    return x;
}

/* Of the one region, with every vertex off its grid place. */
static inline void shake(model *m, double by)
{
    uint64_t state = 3;
    for (int32_t i = 0; i < 3 * m->mesh.n_vertex; i++) {
        m->mesh.xyz[i] += by * uniform(&state);
    }
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&m->matrix, &m->mesh, &m->topology, &m->materials),
                          EW_OK);
}

/* Tables and matrix rebuilt from the mesh must be those that were kept current. */
static inline void check_against_rebuild(const model *m)
{
    ew_topology topology = {0};
    ew_matrix matrix = {0};
    int64_t n_different = -1;
    double largest = -1.0;
    CU_ASSERT_EQUAL_FATAL(ew_matrix_check(&m->matrix, &m->topology.pattern), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &m->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&matrix, &m->mesh, &topology, &m->materials), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_matrix_compare(&m->matrix, &m->topology.pattern, &matrix,
                                            &topology.pattern, &n_different, &largest),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(n_different, 0);
    CU_ASSERT_EQUAL(largest, 0.0);
    ew_matrix_free(&matrix);
    ew_topology_free(&topology);
}

/* False when the mesh refused the batch. */
static inline bool apply(model *m, const ew_edit *edit, ew_change *change)
{
    ew_status status = ew_mesh_commit(&m->mesh, edit, &m->topology.vertex_to_tet, change);
    if (status) {
        CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
        return false;
    }
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&m->topology, &m->mesh, change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_revalidate(&m->matrix, &m->mesh, &m->topology, &m->materials,
                                                  &m->topology.touched),
                          EW_OK);
    return true;
}

#endif
