/* The oracle over the whole chain: after every one of many random edits of all kinds, in mixed
 * batches, down to an empty mesh and up again, tables and matrix on the host, and the blocks on an
 * OpenCL device, equal a rebuild from the mesh bit for bit, and every checker is green. And a
 * million edits with their undoing leave memory as it was. */
#include "assembly/assembly.h"
#include "shape/shape.h"
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

static void start(body *b, bool with_device)
{
    const double size[3] = {1, 1.25, 0.75};
    const int32_t cells[3] = {3, 3, 2};
    const ew_material steel = {.young = 7, .poisson = 0.3, .density = 1};
    memset(b, 0, sizeof *b);
    b->random = 2009;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b->mesh, size, cells), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&b->materials, 1, &steel), EW_OK);
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

static void stop(body *b)
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

static uint32_t pick(body *b, uint32_t bound)
{
    return ew_test_random(&b->random, bound);
}

static double jitter(body *b, double size)
{
    return size * ((double)pick(b, 2000001) / 1000000.0 - 1.0);
}

static int32_t live_tet(body *b)
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

static void queue_removal(body *b, int32_t t)
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

static void queue_return(body *b)
{
    if (b->n_taken) {
        const int32_t i = (int32_t)pick(b, (uint32_t)b->n_taken);
        CU_ASSERT_EQUAL(ew_edit_add_tet(&b->edit, b->taken + 4 * (size_t)i, 1), EW_OK);
        b->n_taken--;
        memcpy(b->taken + 4 * (size_t)i, b->taken + 4 * (size_t)b->n_taken, 4 * sizeof(int32_t));
    }
}

/* A new vertex outside a boundary face, and the tet between them. */
static void queue_growth(body *b)
{
    const int32_t t = live_tet(b);
    if (t < 0) {
        return;
    }
    const int32_t face = 4 * t + (int32_t)pick(b, 4);
    if (ew_topology_face_neighbour(&b->topology, &b->mesh, face) >= 0) {
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

static void queue_move(body *b)
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
static void queue_vertex_removal(body *b)
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

static void queue_batch(body *b, int32_t tide)
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

static void compare_with_rebuild(body *b)
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
static bool apply(body *b)
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

/* Everything goes, in one batch. */
static void empty(body *b)
{
    ew_edit_clear(&b->edit);
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        if (ew_mesh_tet_is_live(&b->mesh, t)) {
            queue_removal(b, t);
        }
    }
    CU_ASSERT_TRUE(apply(b));
    CU_ASSERT_EQUAL(b->mesh.n_live_tet, 0);
    CU_ASSERT_EQUAL(b->topology.pattern.n_live_pair, 0);
    b->n_empty++;
    compare_with_rebuild(b);
}

static void run(body *b, int64_t n_edit)
{
    int64_t batches = 0;
    for (; b->n_edit < n_edit && batches < 10 * n_edit; batches++) {
        /* Ebb and flow: long stretches that take away, then that bring back. */
        const int32_t tide = batches / 250 % 2 ? 1 : -1;
        const int32_t n_taken = b->n_taken;
        queue_batch(b, tide);
        if (!apply(b)) {
            b->n_taken = n_taken < b->n_taken ? n_taken : b->n_taken;
        }
        compare_with_rebuild(b);
        if (batches % 900 == 899) {
            empty(b);
        }
    }
    printf("\n  %lld edits in %lld batches, %lld refused, emptied %lld times, %d tets now ... ",
           (long long)b->n_edit, (long long)batches, (long long)b->n_refused, (long long)b->n_empty,
           b->mesh.n_live_tet);
    CU_ASSERT_TRUE(b->n_edit >= n_edit);
    CU_ASSERT_TRUE(b->n_empty >= 2);
    CU_ASSERT_TRUE(b->n_refused > 0);
}

static void test_oracle_host(void)
{
    body b;
    start(&b, false);
    run(&b, 12000);
    stop(&b);
}

static void test_oracle_device(void)
{
    body b;
    start(&b, true);
    if (b.device) {
        run(&b, 10000);
    } else {
        printf("\n  skipped: no OpenCL device with double precision ... ");
    }
    stop(&b);
}

/* ---- refused batches --------------------------------------------------- */

typedef struct snapshot {
    size_t bytes;
    unsigned char *data;
} snapshot;

static void keep(snapshot *s, const void *data, size_t bytes)
{
    s->data = realloc(s->data, s->bytes + bytes + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->data);
    if (bytes) {
        memcpy(s->data + s->bytes, data, bytes);
    }
    s->bytes += bytes;
}

static void keep_rows(snapshot *s, const ew_rows *rows)
{
    keep(s, rows->begin, (size_t)rows->n_row * sizeof *rows->begin);
    keep(s, rows->count, (size_t)rows->n_row * sizeof *rows->count);
    keep(s, rows->item, (size_t)rows->n_item * (size_t)rows->width * sizeof *rows->item);
}

/* Every byte of mesh, tables and matrix that means something. */
static snapshot take(const body *b)
{
    snapshot s = {0};
    const ew_mesh *mesh = &b->mesh;
    const ew_pattern *pattern = &b->topology.pattern;
    const size_t n = (size_t)mesh->n_vertex, t = (size_t)mesh->n_tet;
    keep(&s, mesh->xyz, 3 * n * sizeof(double));
    keep(&s, mesh->valence, n * sizeof(int32_t));
    keep(&s, mesh->vertex_id, n * sizeof(int64_t));
    keep(&s, mesh->tet, 4 * t * sizeof(int32_t));
    keep(&s, mesh->tet_id, t * sizeof(int64_t));
    keep(&s, mesh->vertex_hole.id, (size_t)mesh->vertex_hole.n * sizeof(int32_t));
    keep(&s, mesh->tet_hole.id, (size_t)mesh->tet_hole.n * sizeof(int32_t));
    keep(&s, &mesh->revision, sizeof mesh->revision);
    keep(&s, pattern->pair_row, 2 * (size_t)pattern->n_pair * sizeof(int32_t));
    keep_rows(&s, &pattern->row_to_pair);
    keep(&s, pattern->n_lower, n * sizeof(int32_t));
    keep_rows(&s, &b->topology.edge_to_tet);
    keep_rows(&s, &b->topology.vertex_to_tet);
    keep(&s, b->topology.tet_to_edge, 6 * t * sizeof(int32_t));
    keep(&s, b->topology.pattern.pair_hole.id,
         (size_t)b->topology.pattern.pair_hole.n * sizeof(int32_t));
    keep(&s, &b->topology.pattern.revision, sizeof b->topology.pattern.revision);
    keep(&s, b->matrix.diagonal, 9 * (size_t)b->matrix.n_row * sizeof(double));
    keep(&s, b->matrix.pair, 9 * (size_t)b->matrix.n_pair * sizeof(double));
    return s;
}

/* The batch must be refused. The stages after the commit see its change all the same, as a program
 * that does not look would call them, and must leave everything as it is. */
static void expect_refused(body *b, const char *word)
{
    snapshot before = take(b);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change),
                    EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
    CU_ASSERT_EQUAL(ew_topology_update(&b->topology, &b->mesh, &b->change), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&b->matrix, &b->mesh, &b->topology, &b->materials,
                                            &b->topology.touched),
                    EW_OK);
    snapshot after = take(b);
    CU_ASSERT_EQUAL(before.bytes, after.bytes);
    CU_ASSERT(before.bytes == after.bytes && !memcmp(before.data, after.data, before.bytes));
    free(before.data);
    free(after.data);
    ew_edit_clear(&b->edit);
}

static void test_bad_edits_leave_every_bit(void)
{
    body b;
    start(&b, false);
    for (int i = 0; i < 5; i++) { /* holes in every list */
        ew_edit_clear(&b.edit);
        queue_removal(&b, live_tet(&b));
        apply(&b);
    }
    const int32_t t = live_tet(&b);
    int32_t tet[4], v;
    memcpy(tet, b.mesh.tet + 4 * (size_t)t, sizeof tet);
    ew_edit_clear(&b.edit);
    ew_edit_remove_tet(&b.edit, b.mesh.n_tet);
    expect_refused(&b, "does not exist");
    ew_edit_add_tet(&b.edit, tet, 1);
    expect_refused(&b, "add tet");
    ew_edit_remove_tet(&b.edit, t);
    ew_edit_add_tet(&b.edit, (int32_t[4]){tet[0], tet[2], tet[1], tet[3]}, 1);
    expect_refused(&b, "volume");
    ew_edit_move_vertex(&b.edit, tet[0], (double[3]){NAN, 0, 0});
    expect_refused(&b, "nan");
    ew_edit_move_vertex(&b.edit, tet[0], b.mesh.xyz + 3 * (size_t)tet[1]);
    expect_refused(&b, "volume");
    ew_edit_move_vertex(&b.edit, b.mesh.n_vertex, (double[3]){0, 0, 0});
    expect_refused(&b, "does not exist");
    /* A long batch that is right but for its last entry. */
    for (int32_t i = 0; i < b.mesh.n_tet; i++) {
        if (ew_mesh_tet_is_live(&b.mesh, i)) {
            ew_edit_remove_tet(&b.edit, i);
        }
    }
    ew_edit_add_vertex(&b.edit, (double[3]){9, 9, 9}, &v);
    ew_edit_add_tet(&b.edit, tet, 1);
    ew_edit_add_tet(&b.edit, (int32_t[4]){tet[0], tet[1], tet[2], tet[2]}, 1);
    expect_refused(&b, "twice");
    compare_with_rebuild(&b);
    stop(&b);
}

/* ---- memory ------------------------------------------------------------ */

static size_t bytes_of(const body *b)
{
    return ew_topology_bytes(&b->topology) + ew_matrix_bytes(&b->matrix) +
           (size_t)b->mesh.vertex_capacity + (size_t)b->mesh.tet_capacity;
}

/* One pair: a random tet is taken out and put back, or a vertex and its tet put on and taken off.
 */
static void there_and_back(body *b, int64_t pair)
{
    ew_edit_clear(&b->edit);
    if (pair % 16) {
        const int32_t t = live_tet(b);
        int32_t tet[4];
        memcpy(tet, b->mesh.tet + 4 * (size_t)t, sizeof tet);
        ew_edit_remove_tet(&b->edit, t);
        apply(b);
        ew_edit_clear(&b->edit);
        ew_edit_add_tet(&b->edit, tet, 1);
        apply(b);
        return;
    }
    queue_growth(b);
    if (b->edit.n_add_tet && apply(b)) {
        const int32_t tet = b->change.added_tet.id[0], vertex = b->change.added_vertex.id[0];
        ew_edit_clear(&b->edit);
        ew_edit_remove_tet(&b->edit, tet);
        ew_edit_remove_vertex(&b->edit, vertex);
        apply(b);
    }
}

static void test_million_undos_leave_memory_as_it_was(void)
{
    body b;
    start(&b, false);
    for (int64_t pair = 0; pair < 20000; pair++) {
        there_and_back(&b, pair);
    }
    const size_t before = bytes_of(&b);
    const int64_t n = getenv("EW_QUICK") ? 10000 : 1000000;
    for (int64_t pair = 0; pair < n; pair++) {
        there_and_back(&b, pair);
    }
    CU_ASSERT_EQUAL(bytes_of(&b), before);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 108);
    compare_with_rebuild(&b);
    stop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"oracle_host", test_oracle_host},
        {"oracle_device", test_oracle_device},
        {"bad_edits", test_bad_edits_leave_every_bit},
        {"million_undos", test_million_undos_leave_memory_as_it_was},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"oracle", NULL, NULL, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
