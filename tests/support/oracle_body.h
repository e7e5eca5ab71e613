/* A body that random edits of all kinds change, with tables and matrix on the host and, if there is
 * one, blocks on a device; and its comparison with a rebuild from the mesh. */
#ifndef EW_ORACLE_BODY_H
#define EW_ORACLE_BODY_H

#include "assembly/parts/assembly.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    ew_device *device;   /* or null */
    ew_device_mesh copy; /* on the device, as the blocks */
    ew_device_matrix on_device;
    ew_edit edit;
    ew_change change;
    uint64_t random;
    int32_t n_taken, taken_capacity;
    int32_t *taken; /* [n_taken][4] tets that were removed: candidates to come back */
    int64_t n_edit, n_refused, n_empty;
} body;

static inline void start_of(body *b, bool with_device, const ew_material *material)
{
    const double size[3] = {1, 1.25, 0.75};
    const int32_t cells[3] = {3, 3, 2};
    memset(b, 0, sizeof *b);
    b->random = 2009;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b->mesh, size, cells), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&b->materials, 1, material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&b->matrix, &b->mesh, &b->topology, &b->materials),
                          EW_OK);
    const ew_device_def def = ew_default_device_def();
    if (!with_device || ew_device_open(&b->device, &def)) {
        return;
    }
    const ew_stiffness from = ew_stiffness_of(&b->mesh, &b->topology, &b->materials);
    CU_ASSERT_EQUAL_FATAL(ew_device_mesh_build(&b->copy, b->device, &b->mesh, &b->topology), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_device_matrix_build(&b->on_device, &b->copy, &from, EW_DOUBLE, NULL),
                          EW_OK);
}

static inline void start(body *b, bool with_device)
{
    const ew_material steel = {.young = 7, .poisson = 0.3, .density = 1};
    start_of(b, with_device, &steel);
}

static inline void stop(body *b)
{
    ew_device_matrix_free(&b->on_device);
    ew_device_mesh_free(&b->copy);
    ew_device_close(b->device);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
    ew_matrix_free(&b->matrix);
    ew_materials_free(&b->materials);
    ew_topology_free(&b->topology);
    ew_mesh_free(&b->mesh);
    ew_release(b->taken);
}

static inline uint32_t pick(body *b, uint32_t bound)
{
    return ew_test_random(&b->random, bound);
}

static inline double jitter(body *b, double size)
{
    return size * ((double)pick(b, 2000001) / 1000000.0 - 1.0);
}

static inline int32_t live_tet(body *b)
{
    for (int i = 0; i < 200 && b->mesh.n_live_tet; i++) {
        const int32_t t = (int32_t)pick(b, (uint32_t)b->mesh.n_tet);
        if (ew_mesh_tet_is_live(&b->mesh, t)) {
            return t;
        }
    }
    return -1;
}

/* ---- queueing ---------------------------------------------------------- */

static inline void queue_removal(body *b, int32_t t)
{
    for (int32_t i = 0; i < b->edit.remove_tet.n; i++) {
        if (b->edit.remove_tet.id[i] == t) {
            return;
        }
    }
    CU_ASSERT_EQUAL(ew_grow(&b->taken, &b->taken_capacity, (int64_t)b->n_taken + 1,
                            4 * sizeof(int32_t)),
                    EW_OK);
    memcpy(b->taken + 4 * (size_t)b->n_taken++, b->mesh.tet + 4 * (size_t)t, 4 * sizeof(int32_t));
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&b->edit, t), EW_OK);
}

static inline void queue_return(body *b)
{
    if (b->n_taken) {
        const int32_t i = (int32_t)pick(b, (uint32_t)b->n_taken);
        CU_ASSERT_EQUAL(ew_edit_add_tet(&b->edit, b->taken + 4 * (size_t)i, 1), EW_OK);
        b->n_taken--;
        memcpy(b->taken + 4 * (size_t)i, b->taken + 4 * (size_t)b->n_taken, 4 * sizeof(int32_t));
    }
}

/* A new vertex outside a boundary face, and the tet between them. */
static inline void queue_growth(body *b)
{
    const int32_t t = live_tet(b);
    if (t < 0) {
        return;
    }
    const int32_t face = 4 * t + (int32_t)pick(b, 4);
    if (ew_topology_face_neighbor(&b->topology, &b->mesh, face) >= 0) {
        return;
    }
    double area[3], apex[3] = {0, 0, 0};
    int32_t corner[3], vertex;
    ew_face_area_vector(&b->mesh, face, area);
    const double scale =
        0.3 / sqrt(sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]));
    for (int k = 0; k < 3; k++) {
        corner[k] = b->mesh.tet[4 * (size_t)t + ew_face_vertex[face % 4][k]];
        for (int c = 0; c < 3; c++) {
            apex[c] += b->mesh.xyz[3 * (size_t)corner[k] + c] / 3;
        }
    }
    for (int c = 0; c < 3; c++) {
        apex[c] += scale * area[c];
    }
    CU_ASSERT_EQUAL(ew_edit_add_vertex(&b->edit, apex, &vertex), EW_OK);
    const int32_t tet[4] = {corner[0], corner[2], corner[1], vertex};
    const int32_t flipped[4] = {corner[0], corner[1], corner[2], vertex};
    const double *x0 = b->mesh.xyz + 3 * (size_t)corner[0];
    const bool good = ew_tet_volume(x0, b->mesh.xyz + 3 * (size_t)corner[2],
                                    b->mesh.xyz + 3 * (size_t)corner[1], apex) > 0;
    CU_ASSERT_EQUAL(ew_edit_add_tet(&b->edit, good ? tet : flipped, 1), EW_OK);
}

static inline void queue_move(body *b)
{
    const int32_t v = (int32_t)pick(b, (uint32_t)b->mesh.n_vertex);
    for (int32_t i = 0; i < b->edit.move_vertex.n; i++) {
        if (b->edit.move_vertex.id[i] == v) {
            return;
        }
    }
    if (b->mesh.valence[v] >= 0) {
        double to[3];
        for (int c = 0; c < 3; c++) {
            to[c] = b->mesh.xyz[3 * (size_t)v + c] + jitter(b, 0.03);
        }
        CU_ASSERT_EQUAL(ew_edit_move_vertex(&b->edit, v, to), EW_OK);
    }
}

/* Empty vertices that no removed tet waits for give their slots back. */
static inline void queue_vertex_removal(body *b)
{
    const int32_t v = (int32_t)pick(b, (uint32_t)b->mesh.n_vertex);
    bool wanted = b->mesh.valence[v] != 0;
    for (int32_t i = 0; i < 4 * b->n_taken && !wanted; i++) {
        wanted = b->taken[i] == v;
    }
    for (int32_t i = 0; i < 4 * b->edit.n_add_tet && !wanted; i++) {
        wanted = b->edit.add_tet[i] == v;
    }
    if (!wanted && !b->edit.remove_vertex.n && !b->edit.move_vertex.n) {
        CU_ASSERT_EQUAL(ew_edit_remove_vertex(&b->edit, v), EW_OK);
    }
}

static inline void queue_batch(body *b, int32_t tide)
{
    ew_edit_clear(&b->edit);
    const int32_t n = 1 + (int32_t)pick(b, 6);
    for (int32_t i = 0; i < n; i++) {
        const uint32_t kind = pick(b, 10);
        if (kind < (tide < 0 ? 5u : 1u)) {
            const int32_t t = live_tet(b);
            if (t >= 0) {
                queue_removal(b, t);
            }
        } else if (kind < 6) {
            queue_return(b);
        } else if (kind == 6 && b->mesh.n_live_tet < 400) {
            queue_growth(b);
        } else if (kind == 7) {
            queue_vertex_removal(b);
        } else {
            queue_move(b);
        }
    }
}

/* ---- the comparison ---------------------------------------------------- */

static inline void compare_with_rebuild(body *b)
{
    ew_topology topology = {0};
    ew_matrix matrix = {0};
    int64_t different = 1;
    double largest = 1;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(&b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_check(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_matrix_check(&b->matrix, &b->topology.pattern), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&matrix, &b->mesh, &topology, &b->materials), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_matrix_compare(&b->matrix, &b->topology.pattern, &matrix,
                                            &topology.pattern, &different, &largest),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(different, 0);
    CU_ASSERT_EQUAL(largest, 0);
    if (b->device) {
        CU_ASSERT_EQUAL_FATAL(ew_device_mesh_check(&b->copy, &b->mesh, &b->topology), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_device_matrix_download(&b->on_device, &matrix), EW_OK);
        CU_ASSERT_EQUAL_FATAL(matrix.n_row, b->matrix.n_row);
        CU_ASSERT_EQUAL_FATAL(matrix.n_pair, b->matrix.n_pair);
        CU_ASSERT_EQUAL_FATAL(memcmp(matrix.diagonal, b->matrix.diagonal,
                                     9 * (size_t)matrix.n_row * sizeof(double)),
                              0);
        CU_ASSERT_EQUAL_FATAL(matrix.n_pair ? memcmp(matrix.pair, b->matrix.pair,
                                                     9 * (size_t)matrix.n_pair * sizeof(double))
                                            : 0,
                              0);
    }
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
}

/* Applies the batch everywhere; a refused one changes nothing. */
static inline bool apply(body *b)
{
    const uint64_t before = b->mesh.revision;
    const ew_status status =
        ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change);
    if (status) {
        CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
        CU_ASSERT_EQUAL(b->mesh.revision, before);
        b->n_refused++;
        return false;
    }
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&b->topology, &b->mesh, &b->change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_revalidate(&b->matrix, &b->mesh, &b->topology, &b->materials,
                                                  &b->topology.touched),
                          EW_OK);
    if (b->device) {
        const ew_stiffness from = ew_stiffness_of(&b->mesh, &b->topology, &b->materials);
        CU_ASSERT_EQUAL_FATAL(ew_device_mesh_update(&b->copy, &b->mesh, &b->topology, &b->change),
                              EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_device_matrix_revalidate(&b->on_device, &b->copy, &from,
                                                          &b->topology.touched, NULL),
                              EW_OK);
    }
    b->n_edit += b->edit.n_add_vertex + b->edit.n_add_tet + b->edit.remove_tet.n +
                 b->edit.remove_vertex.n + b->edit.move_vertex.n;
    return true;
}

#endif
