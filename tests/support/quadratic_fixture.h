/* A body of quadratic tets and its solver: the fixture of the tests of rows of edges. */
#ifndef EW_QUADRATIC_FIXTURE_H
#define EW_QUADRATIC_FIXTURE_H

#include "analysis/parts/analysis.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix, blocks;
    ew_edge_rows rows;
    ew_quadratic_operator quadratic;
    ew_operator op;
    int32_t n;      /* rows of vertices and edges */
    uint8_t *fixed; /* [n] */
    double *b, *x;  /* [n][3] */
    ew_solver solver;
    ew_pcg_info info;
} body;

/* The mesh is in place. other: as in ew_order. */
static inline void build_body_of(body *p, const ew_material *material, const double *other)
{
    const ew_order order = {true, other};
    must(ew_topology_build(&p->topology, &p->mesh));
    must(ew_materials_init(&p->materials, 1, material));
    must(ew_stiffness_build(&p->matrix, &p->mesh, &p->topology, &p->materials));
    must(ew_edge_rows_build(&p->rows, &p->topology, &order));
    const ew_edge_blocks from = ew_edge_blocks_of(&p->mesh, &p->topology, &p->materials, &p->rows);
    must(ew_matrix_build(&p->blocks, &from.source));
    ew_quadratic_operator_init(&p->quadratic, &p->mesh, &p->topology, &p->materials, &p->rows,
                               &p->blocks);
    p->op = ew_operator_on_host(&p->matrix, &p->topology.pattern);
    p->op.edges = &p->quadratic.edges;
    must(p->op.type->prepare(&p->op, EW_DOUBLE));
    p->n = p->mesh.n_vertex + p->rows.pattern.n_row;
    p->fixed = calloc((size_t)p->n, 1);
    p->b = calloc((size_t)p->n, 3 * sizeof *p->b);
    p->x = calloc((size_t)p->n, 3 * sizeof *p->x);
}

static inline void build_body(body *p, double poisson, const double *other)
{
    const ew_material material = {.young = 200.0, .poisson = poisson, .density = 1.0};
    build_body_of(p, &material, other);
}

/* Stiff along the radii of a cylinder beside the body, soft along its axis. */
static inline ew_material wood(void)
{
    return (ew_material){.kind = EW_ORTHOTROPIC,
                         .young_along = {300.0, 100.0, 40.0},
                         .poisson_between = {0.3, 0.2, 0.25},
                         .shear = {50.0, 30.0, 20.0},
                         .density = 1.0,
                         .axes = {.kind = EW_MATERIAL_AXES_CYLINDER,
                                  .point = {-0.4, 0.3, 0.0},
                                  .third = {0.1, 0.2, 1.0}}};
}

static inline void make_box_body(body *p, const int32_t cells[3], double poisson)
{
    *p = (body){0};
    must(ew_shape_box(&p->mesh, (double[]){1.0, 0.9, 0.8}, cells));
    build_body(p, poisson, NULL);
}

static inline void free_body(body *p)
{
    ew_solver_free(&p->solver);
    ew_operator_free(&p->op);
    ew_quadratic_operator_free(&p->quadratic);
    ew_edge_rows_free(&p->rows);
    ew_matrix_free(&p->blocks);
    ew_matrix_free(&p->matrix);
    ew_materials_free(&p->materials);
    ew_topology_free(&p->topology);
    ew_mesh_free(&p->mesh);
    free(p->fixed);
    free(p->b);
    free(p->x);
}

/* Ends of the edge of a row. */
static inline const int32_t *ends_of(const body *p, int32_t row)
{
    return p->topology.pattern.pair_row + 2 * (size_t)p->rows.edge[row];
}

typedef void (*field)(const double x[3], double u[3]);

/* Puts a displacement on all vertices and edges. */
static inline void put_field(const body *p, field of, double *x)
{
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        of(p->mesh.xyz + 3 * (size_t)v, x + 3 * (size_t)v);
    }
    for (int32_t row = 0; row < p->rows.pattern.n_row; row++) {
        const int32_t *end = ends_of(p, row);
        double middle[3], u[3];
        for (size_t c = 0; c < 3; c++) {
            middle[c] =
                0.5 * (p->mesh.xyz[3 * (size_t)end[0] + c] + p->mesh.xyz[3 * (size_t)end[1] + c]);
        }
        of(middle, u);
        for (size_t c = 0; c < 3; c++) {
            x[3 * (size_t)(p->mesh.n_vertex + row) + c] =
                u[c] - 0.5 * (x[3 * (size_t)end[0] + c] + x[3 * (size_t)end[1] + c]);
        }
    }
}

/* Fixes all vertices and edges of the surface. */
static inline void fix_surface(body *p)
{
    ew_list face = {0};
    must(ew_topology_boundary(&p->topology, &p->mesh, &face));
    for (int32_t i = 0; i < face.n; i++) {
        int32_t v[3];
        for (int k = 0; k < 3; k++) {
            v[k] =
                p->mesh
                    .tet[4 * (size_t)(face.id[i] / 4) + (size_t)ew_face_vertex[face.id[i] % 4][k]];
            p->fixed[v[k]] = 7;
        }
        for (int k = 0; k < 3; k++) {
            const int32_t pair =
                ew_pattern_pair_between(&p->topology.pattern, v[k], v[(k + 1) % 3]);
            if (p->rows.row[pair] >= 0) {
                p->fixed[p->mesh.n_vertex + p->rows.row[pair]] = 7;
            }
        }
    }
    ew_list_free(&face);
}

static inline ew_status solve_body(body *p, ew_preconditioner_kind kind, double tolerance)
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_system system = {.op = &p->op, .xyz = p->mesh.xyz, .fixed = p->fixed, .b = p->b};
    def.preconditioner = kind;
    def.tolerance = tolerance;
    return ew_solver_solve(&p->solver, &system, &def, p->x, &p->info);
}

static inline void random_vector(double *x, int32_t n, uint64_t seed)
{
    for (int32_t i = 0; i < 3 * n; i++) {
        x[i] = (double)ew_test_random(&seed, 20001) / 10000.0 - 1.0;
    }
}

#endif
