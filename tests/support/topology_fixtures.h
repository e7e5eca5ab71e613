/* Meshes and comparisons that the tests of the neighbor tables share. */
#ifndef EW_TOPOLOGY_FIXTURES_H
#define EW_TOPOLOGY_FIXTURES_H

#include "testlib.h"

#include "shape/parts/shape.h"
#include "topology/parts/topology.h"

#include <string.h>

/* Two tets that share the face (1 2 3), and a vertex 5 of none. */
static inline void make_pair(ew_mesh *mesh)
{
    static const double xyz[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 1, 1}, {9, 9, 9}};
    static const int32_t tet[2][4] = {{0, 1, 2, 3}, {4, 1, 3, 2}};
    ew_mesh_def def = {.n_vertex = 6, .xyz = xyz[0], .n_tet = 2, .tet = tet[0]};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
}

static inline void make_box(ew_mesh *mesh, int32_t nx, int32_t ny, int32_t nz)
{
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(mesh, (double[3]){3, 2, 1}, (int32_t[3]){nx, ny, nz}),
                          EW_OK);
}

static inline bool row_is(const ew_rows *rows, int32_t row, int32_t n, const int32_t *item)
{
    return rows->count[row] == n &&
           (!n || !memcmp(rows->item + (size_t)rows->width * (size_t)rows->begin[row], item,
                          (size_t)n * (size_t)rows->width * sizeof *item));
}

#define ROW_IS(rows, row, n, ...) row_is(rows, row, n, (int32_t[]){__VA_ARGS__})

#endif
