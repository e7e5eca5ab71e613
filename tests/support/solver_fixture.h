/* A box fixed at one end and its solver: the fixture of the tests of solvers on the host. */
#ifndef EW_SOLVER_FIXTURE_H
#define EW_SOLVER_FIXTURE_H

#include "assembly/parts/assembly.h"
#include "testlib.h"

#include "shape/parts/shape.h"
#include "solver/parts/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A box fixed at x = 0, its matrix, a random right-hand side. */
typedef struct problem {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    int32_t n;      /* components */
    uint8_t *fixed; /* [n / 3] */
    double *b, *x;  /* [n] */
    ew_solver solver;
    ew_pcg_info info;
} problem;

static inline void make_box_problem(problem *p, const double size[3], const int32_t cells[3])
{
    const ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
    uint64_t state = 9;
    *p = (problem){0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&p->mesh, size, cells), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&p->topology, &p->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&p->materials, 1, &material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&p->matrix, &p->mesh, &p->topology, &p->materials),
                          EW_OK);
    p->n = 3 * p->mesh.n_vertex;
    p->fixed = calloc((size_t)p->mesh.n_vertex, 1);
    p->b = calloc((size_t)p->n, sizeof *p->b);
    p->x = calloc((size_t)p->n, sizeof *p->x);
    for (int32_t i = 0; i < p->n; i++) {
        p->b[i] = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
    }
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        p->fixed[v] = p->mesh.xyz[3 * (size_t)v] == 0.0 ? 7 : 0;
    }
}

static inline void make_problem(problem *p, int32_t nx, int32_t ny, int32_t nz)
{
    make_box_problem(p, (double[]){2.0, 0.7, 1.0}, (int32_t[]){nx, ny, nz});
}

static inline void free_problem(problem *p)
{
    ew_solver_free(&p->solver);
    ew_matrix_free(&p->matrix);
    ew_materials_free(&p->materials);
    ew_topology_free(&p->topology);
    ew_mesh_free(&p->mesh);
    free(p->fixed);
    free(p->b);
    free(p->x);
}

static inline ew_status solve_again(problem *p, const ew_pcg_def *def)
{
    ew_operator op = ew_operator_on_host(&p->matrix, &p->topology.pattern);
    const ew_system system = {.op = &op, .xyz = p->mesh.xyz, .fixed = p->fixed, .b = p->b};
    ew_status status = ew_solver_solve(&p->solver, &system, def, p->x, &p->info);
    CU_ASSERT_EQUAL(status, p->info.status);
    ew_operator_free(&op);
    return status;
}

/* With the preconditioner from scratch. */
static inline ew_status solve(problem *p, const ew_pcg_def *def)
{
    ew_solver_reset(&p->solver);
    return solve_again(p, def);
}

static inline bool is_fixed(const problem *p, int32_t i)
{
    return p->fixed[i / 3] >> i % 3 & 1;
}

/* |S (b - K x)| */
static inline double residual(const problem *p, const double *x)
{
    double *q = malloc((size_t)p->n * sizeof *q), sum = 0.0;
    ew_matrix_product(&p->matrix, &p->topology.pattern, x, q);
    for (int32_t i = 0; i < p->n; i++) {
        sum += is_fixed(p, i) ? 0.0 : (p->b[i] - q[i]) * (p->b[i] - q[i]);
    }
    free(q);
    return sqrt(sum);
}

/* The same relative to the reference of the claim. */
static inline double relative_residual(const problem *p)
{
    double *x = calloc((size_t)p->n, sizeof *x);
    for (int32_t i = 0; i < p->n; i++) {
        x[i] = is_fixed(p, i) ? p->x[i] : 0.0;
    }
    double reference = residual(p, x);
    free(x);
    return residual(p, p->x) / reference;
}

#endif
