/* A mesh with its tables and everything that an operation on it needs, for the tests of
 * operations. */
#ifndef EW_OPERATION_BODY_H
#define EW_OPERATION_BODY_H

#include "operation/parts/operation.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit;
    ew_change change;
} body;

static inline void follow(body *b)
{
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
}

static inline void make_box(body *b, double x, double y, double z, int32_t nx, int32_t ny,
                            int32_t nz)
{
    *b = (body){0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b->mesh, (double[3]){x, y, z}, (int32_t[3]){nx, ny, nz}),
                          EW_OK);
    follow(b);
}

static inline void drop(body *b)
{
    ew_mesh_free(&b->mesh);
    ew_topology_free(&b->topology);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
}

static inline void check(const body *b)
{
    ew_status status = ew_mesh_check(&b->mesh);
    if (status == EW_OK) {
        status = ew_topology_check(&b->topology, &b->mesh);
    }
    if (status) {
        printf("\n%s: %s\n", ew_status_text(status), ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
}

/* Commits the edit, brings the tables up to date, checks both and empties the edit. */
static inline void commit(body *b)
{
    ew_status status = ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change);
    if (status) {
        printf("\n%s\n", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&b->topology, &b->mesh, &b->change), EW_OK);
    check(b);
    ew_edit_clear(&b->edit);
}

static inline ew_mesh_measure measure(const body *b)
{
    ew_mesh_measure m;
    ew_mesh_take_measure(&b->mesh, &m);
    return m;
}

/* Area of the boundary faces with this label. */
static inline double labeled_area(const body *b, int32_t label)
{
    double sum = 0.0;
    bool *live = malloc((size_t)b->mesh.n_face + 1);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_live_faces(&b->mesh, live), EW_OK);
    for (int32_t f = 0; f < b->mesh.n_face; f++) {
        double e[2][3], n[3];
        if (!live[f] || b->mesh.face_label[f] != label) {
            continue;
        }
        for (int i = 0; i < 6; i++) {
            const int32_t *v = b->mesh.face + 3 * (size_t)f;
            e[i / 3][i % 3] = b->mesh.xyz[3 * v[1 + i / 3] + i % 3] - b->mesh.xyz[3 * v[0] + i % 3];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            n[i] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
        }
        sum += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    free(live);
    return sum;
}

static inline double boundary_area(const body *b)
{
    ew_list face = {0};
    double sum = 0.0;
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&b->topology, &b->mesh, &face), EW_OK);
    for (int32_t i = 0; i < face.n; i++) {
        double a[3];
        ew_face_area_vector(&b->mesh, face.id[i], a);
        sum += sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    ew_list_free(&face);
    return sum;
}

static inline void centroid(const ew_mesh *mesh, int32_t t, double c[3])
{
    for (int i = 0; i < 3; i++) {
        c[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            c[i] += 0.25 * mesh->xyz[3 * mesh->tet[4 * t + k] + i];
        }
    }
}

static inline bool is_empty(const ew_edit *edit)
{
    return !edit->n_add_vertex && !edit->n_add_tet && !edit->remove_tet.n &&
           !edit->remove_vertex.n && !edit->move_vertex.n;
}

/* The call fails with this status and a message with these words, and the edit stays empty. */
#define REFUSED(call, wanted, words)                                                               \
    do {                                                                                           \
        CU_ASSERT_EQUAL(call, wanted);                                                             \
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), words));                                       \
        if (!strstr(ew_message(), words)) {                                                        \
            printf("\n'%s' is not in: %s\n", words, ew_message());                                 \
        }                                                                                          \
        CU_ASSERT(is_empty(&b.edit));                                                              \
    } while (0)

#define CLOSE(x, y, relative) CU_ASSERT_DOUBLE_EQUAL(x, y, (relative)*fabs(y))

static inline void make_tets(body *b, int32_t n_vertex, const double *xyz, int32_t n_tet,
                             const int32_t *tet)
{
    const ew_mesh_def def = {.n_vertex = n_vertex, .xyz = xyz, .n_tet = n_tet, .tet = tet};
    *b = (body){0};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b->mesh, &def, NULL), EW_OK);
    follow(b);
}

/* Two boxes side by side: [0,1] of region 1 and [1,2] of region 5, welded. */
static inline void make_two_regions(body *b, int32_t n)
{
    ew_mesh other;
    make_box(b, 1, 1, 1, n, n, n);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){n, n, n}), EW_OK);
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * v] += 1.0;
    }
    other.region_label[0] = 5;
    CU_ASSERT_EQUAL_FATAL(ew_operation_add(&b->mesh, &other, 1e-9, &b->edit), EW_OK);
    commit(b);
    ew_mesh_free(&other);
}

/* Labeled triangles that are boundary faces now; *n_boundary counts all boundary faces. */
static inline int32_t labeled_boundary(const body *b, int32_t *n_boundary)
{
    ew_list face = {0};
    bool live[4096];
    int32_t n = 0;
    CU_ASSERT_FATAL(b->mesh.n_face <= 4096);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_live_faces(&b->mesh, live), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&b->topology, &b->mesh, &face), EW_OK);
    for (int32_t i = 0; i < face.n; i++) {
        const int32_t *tet = b->mesh.tet + 4 * (size_t)(face.id[i] / 4);
        bool found = false;
        for (int32_t f = 0; f < b->mesh.n_face && !found; f++) {
            int32_t same = 0;
            for (int k = 0; live[f] && k < 9; k++) {
                same += b->mesh.face[3 * (size_t)f + k / 3] ==
                        tet[ew_face_vertex[face.id[i] % 4][k % 3]];
            }
            found = same == 3;
        }
        n += found;
    }
    *n_boundary = face.n;
    ew_list_free(&face);
    return n;
}

#endif
