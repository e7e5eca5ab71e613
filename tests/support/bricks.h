/* A body of a few bricks with its tables and constraints: the fixture of the tests of
 * analysis. */
#ifndef EW_TEST_BRICKS_H
#define EW_TEST_BRICKS_H

#include "testlib.h"

#include "analysis/parts/analysis.h"

#include <math.h>
#include <string.h>

enum { MAX_VERTICES = 2000, MAX_TETS = 2000, MAX_LINES = 4 };

/* Bricks of 6 tets; corners at equal coordinates are one vertex, so bricks hang together
 * where they touch, through faces only where whole faces meet. */
typedef struct body {
    int32_t n_vertex, n_tet;
    double xyz[3 * MAX_VERTICES];
    int32_t tet[4 * MAX_TETS];
    ew_mesh mesh;
    ew_topology topology;
    int32_t n_line;
    ew_set set[MAX_LINES];
    ew_constraint line[MAX_LINES];
    ew_constraints constraints;
} body;

static body the_body; /* large, so not on the stack; each test begins with start() */

static inline body *start(void)
{
    memset(&the_body, 0, sizeof the_body);
    return &the_body;
}

static inline int32_t corner(body *b, double x, double y, double z)
{
    for (int32_t v = 0; v < b->n_vertex; v++) {
        if (b->xyz[3 * v] == x && b->xyz[3 * v + 1] == y && b->xyz[3 * v + 2] == z) {
            return v;
        }
    }
    double at[3] = {x, y, z};
    memcpy(b->xyz + 3 * b->n_vertex, at, sizeof at);
    return b->n_vertex++;
}

static inline void add_brick(body *b, double x, double y, double z)
{
    static const int8_t path[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    int32_t at[8];
    for (int k = 0; k < 8; k++) {
        at[k] = corner(b, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
    }
    for (int k = 0; k < 6; k++) {
        int32_t tet[4] = {at[0], at[path[k][0]], at[path[k][1]], at[7]};
        memcpy(b->tet + 4 * b->n_tet++, tet, sizeof tet);
    }
}

static inline void finish(body *b)
{
    ew_mesh_def def = {.n_vertex = b->n_vertex, .xyz = b->xyz, .n_tet = b->n_tet, .tet = b->tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b->mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
}

static inline void release(body *b)
{
    for (int i = 0; i < MAX_LINES; i++) {
        ew_set_free(&b->set[i]);
    }
    ew_constraints_free(&b->constraints);
    ew_topology_free(&b->topology);
    ew_mesh_free(&b->mesh);
}

/* Prescribes the components of the bits at zero in the box around a to b. */
static inline void fix_box(body *b, uint8_t fixed, double x0, double y0, double z0, double x1,
                           double y1, double z1)
{
    const double low[3] = {x0 - 1e-9, y0 - 1e-9, z0 - 1e-9};
    const double high[3] = {x1 + 1e-9, y1 + 1e-9, z1 + 1e-9};
    ew_set *set = &b->set[b->n_line];
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        bool in = true;
        for (int c = 0; c < 3; c++) {
            in = in && b->xyz[3 * v + c] >= low[c] && b->xyz[3 * v + c] <= high[c];
        }
        if (in) {
            CU_ASSERT_EQUAL_FATAL(ew_set_add(set, v), EW_OK);
        }
    }
    CU_ASSERT_FATAL(set->list.n > 0);
    b->line[b->n_line++] = (ew_constraint){.vertex = set, .fixed = fixed};
}

/* Turns the mesh so that nothing lies along an axis; prescribed components stay global. */
static inline void turn(body *b)
{
    const double c = cos(0.7), s = sin(0.7), d = cos(0.4), e = sin(0.4);
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        double *x = b->mesh.xyz + 3 * v, p = c * x[0] - s * x[1], q = s * x[0] + c * x[1];
        double r = d * q - e * x[2];
        x[2] = e * q + d * x[2];
        x[0] = p;
        x[1] = r;
    }
}

#endif
