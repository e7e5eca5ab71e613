/* A mesh, its tables and the host's matrix, with the mesh's copy on a device: for the tests of what
 * is kept there. EW_QUICK in the environment keeps sizes and counts small, for simulators. */
#ifndef EW_DEVICE_MODEL_H
#define EW_DEVICE_MODEL_H

#include "assembly/parts/assembly.h"
#include "one_device.h"
#include "random_edits.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every test needs of a mesh. */
typedef struct model {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix host;
    ew_change change;
    ew_device_mesh copy;
} model;

static inline bool has_double(void)
{
    return device && ew_device_about(device)->has_double;
}

static inline void derive(model *m)
{
    const ew_material material[2] = {{.young = 210e9, .poisson = 0.3, .density = 7850.0},
                                     {.young = 3e9, .poisson = 0.45, .density = 1000.0}};
    must(ew_topology_build(&m->topology, &m->mesh));
    must(ew_materials_init(&m->materials, m->mesh.n_region, material));
    must(ew_stiffness_build(&m->host, &m->mesh, &m->topology, &m->materials));
}

static inline model make_box(int32_t cells)
{
    model m = {0};
    must(ew_shape_box(&m.mesh, (double[3]){1.0, 1.1, 0.9}, (int32_t[3]){cells, cells, cells}));
    derive(&m);
    return m;
}

/* A chain of n tets on n + 3 points of a helix, of two regions and with a vertex of no tet. */
static inline model make_chain(int32_t n)
{
    model m = {0};
    double *xyz = NULL;
    int32_t *tet = NULL, *region = NULL;
    must(ew_new(&xyz, 3 * (size_t)n + 12, sizeof *xyz));
    must(ew_new(&tet, 4 * (size_t)n, sizeof *tet));
    must(ew_new(&region, (size_t)n, sizeof *region));
    for (int32_t i = 0; i < n + 4; i++) {
        xyz[3 * i] = cos(2.3 * i) + 0.01 * (i % 7);
        xyz[3 * i + 1] = sin(2.3 * i);
        xyz[3 * i + 2] = 0.6 * i;
    }
    for (int32_t i = 0; i < 4 * n; i++) {
        tet[i] = i / 4 + i % 4;
        region[i / 4] = i / 4 % 2;
    }
    const ew_mesh_def def = {
        .n_vertex = n + 4, .xyz = xyz, .n_tet = n, .tet = tet, .region = region};
    must(ew_mesh_init(&m.mesh, &def, NULL));
    ew_release(xyz);
    ew_release(tet);
    ew_release(region);
    derive(&m);
    return m;
}

static inline void drop(model *m)
{
    ew_mesh_free(&m->mesh);
    ew_topology_free(&m->topology);
    ew_materials_free(&m->materials);
    ew_matrix_free(&m->host);
    ew_change_free(&m->change);
    ew_device_mesh_free(&m->copy);
}

static inline ew_stiffness source_of(const model *m)
{
    return ew_stiffness_of(&m->mesh, &m->topology, &m->materials);
}

/* The copy of the mesh, and a matrix on it. */
static inline ew_status build_on(ew_device *on, model *m, ew_precision precision,
                                 ew_device_matrix *matrix)
{
    const ew_stiffness from = source_of(m);
    EW_TRY(ew_device_mesh_build(&m->copy, on, &m->mesh, &m->topology));
    return ew_device_matrix_build(matrix, &m->copy, &from, precision, &m->host);
}

/* After a commit. */
static inline ew_status follow(model *m, ew_device_matrix *matrix)
{
    const ew_stiffness from = source_of(m);
    EW_TRY(ew_device_mesh_update(&m->copy, &m->mesh, &m->topology, &m->change));
    return ew_device_matrix_revalidate(matrix, &m->copy, &from, &m->topology.touched, &m->host);
}

/* ---- comparing ----------------------------------------------------------- */

static inline void expect_narrowed(ew_device *on, const ew_buffer *buffer, const double *value,
                                   size_t n)
{
    float *single = NULL;
    size_t different = 0;
    must(ew_new(&single, n, sizeof *single));
    must(ew_buffer_read(on, buffer, 0, n * sizeof *single, single));
    for (size_t i = 0; i < n; i++) {
        float expected = (float)value[i];
        different += memcmp(&expected, &single[i], sizeof expected) != 0;
    }
    CU_ASSERT_EQUAL(different, 0);
    ew_release(single);
}

static inline void expect_words(const ew_device_matrix *matrix, const ew_buffer *buffer,
                                const void *host, size_t n_word)
{
    void *copy = NULL;
    must(ew_new(&copy, n_word, sizeof(int32_t)));
    must(ew_buffer_read(matrix->device, buffer, 0, n_word * sizeof(int32_t), copy));
    CU_ASSERT_EQUAL(memcmp(copy, host, n_word * sizeof(int32_t)), 0);
    ew_release(copy);
}

/* Freed edges' blocks may differ. */
static inline int32_t n_different_edges(const model *m, const void *a, const void *b, size_t scalar)
{
    int32_t n = 0;
    for (int32_t e = 0; e < m->host.n_pair; e++) {
        const size_t at = 9 * scalar * (size_t)e;
        n += m->topology.pattern.pair_row[2 * (size_t)e] >= 0 &&
             memcmp((const char *)a + at, (const char *)b + at, 9 * scalar) != 0;
    }
    return n;
}

/* All that the device keeps has the bits of the host's rebuilt matrix. */
static inline void expect_same(const ew_device_matrix *matrix, const model *m)
{
    size_t rows = 9 * (size_t)m->host.n_row, edges = 9 * (size_t)m->host.n_pair;
    CU_ASSERT_EQUAL(matrix->revision, m->mesh.revision);
    CU_ASSERT_EQUAL_FATAL(matrix->n_row, m->host.n_row);
    CU_ASSERT_EQUAL_FATAL(matrix->n_pair, m->host.n_pair);
    must(ew_device_mesh_check(&m->copy, &m->mesh, &m->topology));
    if (matrix->has_double) {
        ew_matrix copy = {0};
        must(ew_device_matrix_download(matrix, &copy));
        CU_ASSERT_EQUAL(memcmp(copy.diagonal, m->host.diagonal, rows * sizeof(double)), 0);
        CU_ASSERT_EQUAL(n_different_edges(m, copy.pair, m->host.pair, sizeof(double)), 0);
        CU_ASSERT_EQUAL(copy.revision, m->mesh.revision);
        ew_matrix_free(&copy);
    }
    if (matrix->has_single) {
        ew_matrix_single single = {0};
        must(ew_matrix_single_copy(&single, &m->host, &m->topology.pattern));
        expect_words(matrix, &matrix->row_sum, single.row_sum, rows);
        float *edge = NULL;
        must(ew_new(&edge, edges, sizeof *edge));
        must(ew_buffer_read(matrix->device, &matrix->pair_single, 0, edges * sizeof *edge, edge));
        CU_ASSERT_EQUAL(n_different_edges(m, edge, single.pair, sizeof *edge), 0);
        ew_release(edge);
        ew_matrix_single_free(&single);
    }
    if (!matrix->has_double) {
        expect_narrowed(matrix->device, &matrix->diagonal_single, m->host.diagonal, rows);
    }
}

/* y = K x of the device equals the host's to rounding. */
static inline void expect_product(const ew_device_matrix *matrix, const model *m)
{
    size_t n = 3 * (size_t)m->host.n_row;
    double *x = NULL, *y = NULL, *z = NULL, largest = 0.0, error = 0.0;
    ew_buffer bx = {0}, by = {0};
    must(ew_new(&x, n, sizeof *x));
    must(ew_new(&y, n, sizeof *y));
    must(ew_new(&z, n, sizeof *z));
    for (size_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
    }
    ew_matrix_product(&m->host, &m->topology.pattern, x, y);
    must(ew_buffer_reserve(matrix->device, &bx, n * sizeof *x));
    must(ew_buffer_write(matrix->device, &bx, 0, n * sizeof *x, x));
    must(ew_device_matrix_product(matrix, &m->copy.pattern, false, &bx, &by));
    must(ew_buffer_read(matrix->device, &by, 0, n * sizeof *z, z));
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(y[i]));
        error = fmax(error, fabs(y[i] - z[i]));
    }
    CU_ASSERT(error <= 1e-14 * largest);
    ew_buffer_free(&bx);
    ew_buffer_free(&by);
    ew_release(x);
    ew_release(y);
    ew_release(z);
}

/* ---- editing ------------------------------------------------------------- */

/* Commits and brings tables and the host's matrix (rebuilt) along; false when refused. */
static inline bool commit(model *m, ew_edit *edit)
{
    ew_status status = ew_mesh_commit(&m->mesh, edit, &m->topology.vertex_to_tet, &m->change);
    ew_edit_clear(edit);
    if (status == EW_BAD_EDIT) {
        return false;
    }
    must(status);
    must(ew_topology_update(&m->topology, &m->mesh, &m->change));
    must(ew_stiffness_build(&m->host, &m->mesh, &m->topology, &m->materials));
    return true;
}

static inline void remove_tet(model *m, int32_t tet)
{
    ew_edit edit = {0};
    must(ew_edit_remove_tet(&edit, tet));
    CU_ASSERT_FATAL(commit(m, &edit));
    ew_edit_free(&edit);
}

static inline void random_position(const ew_mesh *mesh, int32_t v, double step, uint64_t *state,
                                   double xyz[3])
{
    for (int c = 0; c < 3; c++) {
        double share = (double)ew_test_random(state, 2001) * 1e-3 - 1.0;
        xyz[c] = mesh->xyz[3 * (size_t)v + c] + step * share;
    }
}

/* A new vertex over one face of tet t, and the tet between them. */
static inline void queue_spike(const ew_mesh *mesh, int32_t t, ew_edit *edit)
{
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    double xyz[3];
    int32_t added;
    for (int c = 0; c < 3; c++) {
        double face = 0.0;
        for (int k = 1; k < 4; k++) {
            face += mesh->xyz[3 * (size_t)v[k] + c] / 3.0;
        }
        xyz[c] = 2.0 * face - mesh->xyz[3 * (size_t)v[0] + c];
    }
    must(ew_edit_add_vertex(edit, xyz, &added));
    must(ew_edit_add_tet(edit, (int32_t[4]){v[1], v[3], v[2], added}, mesh->region_label[0]));
}

/* A mixed batch: moves, removals (kept in *gone to come back), returns and spikes. */
static inline void queue_batch(const ew_mesh *mesh, uint64_t *state, ew_list *gone, ew_edit *edit)
{
    int32_t t = random_live_tet(mesh, state);
    int n_move = (int)ew_test_random(state, 3);
    for (int i = 0; i < n_move; i++) {
        int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
        double xyz[3];
        if (mesh->valence[v] >= 0) {
            random_position(mesh, v, 0.02, state, xyz);
            must(ew_edit_move_vertex(edit, v, xyz));
        }
    }
    if (gone->n >= 4 && ew_test_random(state, 2)) {
        gone->n -= 4;
        must(ew_edit_add_tet(edit, gone->id + gone->n, mesh->region_label[0]));
    } else if (t >= 0 && ew_test_random(state, 3) == 0) {
        queue_spike(mesh, t, edit);
    } else if (t >= 0) {
        for (int k = 0; k < 4; k++) {
            must(ew_list_push(gone, mesh->tet[4 * (size_t)t + k]));
        }
        must(ew_edit_remove_tet(edit, t));
    }
}

#endif
