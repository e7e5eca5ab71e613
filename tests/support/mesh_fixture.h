/* Two tets that share a face, with two regions, two labels and a vertex without tets. */
#ifndef EW_MESH_FIXTURE_H
#define EW_MESH_FIXTURE_H

#include "mesh/parts/mesh.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two tets across the face (1 2 3) and an unused vertex 5; triangles on two faces. */
static const double two_xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 7, 7, 7};
static const int32_t two_tet[] = {0, 1, 2, 3, 1, 2, 3, 4};
static const int32_t two_region[] = {9, -4};
static const int32_t two_face[] = {0, 2, 1, 2, 3, 4};
static const int32_t two_label[] = {11, 12};
static const ew_mesh_def two_def = {6, two_xyz, 2, two_tet, two_region, 2, two_face, two_label};

static inline void make_two(ew_mesh *mesh)
{
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &two_def, NULL), EW_OK);
}

static inline bool is_zeroed(const ew_mesh *mesh)
{
    static const ew_mesh zero;
    return memcmp(mesh, &zero, sizeof zero) == 0;
}

/* Tet 0, and vertices 0 and 5, taken out of the two tets; vertex 6 in slot 0. */
static inline void make_holes(ew_mesh *mesh)
{
    ew_edit edit = {0};
    ew_change change = {0};
    double at[3] = {3, 4, 5};
    make_two(mesh);
    ew_edit_remove_tet(&edit, 0);
    ew_edit_remove_vertex(&edit, 5);
    ew_edit_remove_vertex(&edit, 0);
    ew_edit_add_vertex(&edit, at, NULL);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(mesh, &edit, NULL, &change), EW_OK);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

#endif
