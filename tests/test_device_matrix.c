/* The diagonal-edge matrix on a device: bit for bit the host's after building and after any edit,
 * and an edit uploads no more than it changed. EW_QUICK in the environment keeps sizes and counts
 * small, for simulators. */
#include "assembly/assembly.h"
#include "shape/shape.h"
#include "solver/solver.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ew_device *device;
static bool quick;

/* What every test needs of a mesh. */
typedef struct model {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix host;
    ew_change change;
} model;

static int open_device(void)
{
    ew_device_def def = ew_default_device_def();
    quick = getenv("EW_QUICK") != NULL;
    if (ew_device_open(&device, &def)) {
        printf("skipped: %s\n", ew_message());
        device = NULL;
    }
    return 0;
}

static int close_device(void)
{
    ew_device_close(device);
    device = NULL;
    return 0;
}

static bool has_double(void)
{
    return device && ew_device_about(device)->has_double;
}

static void must(ew_status status)
{
    if (status) {
        printf("%s ", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
}

static void derive(model *m)
{
    const ew_material material[2] = {{210e9, 0.3, 7850.0}, {3e9, 0.45, 1000.0}};
    must(ew_topology_build(&m->topology, &m->mesh));
    must(ew_materials_init(&m->materials, m->mesh.n_region, material));
    must(ew_stiffness_build(&m->host, &m->mesh, &m->topology, &m->materials));
}

static model make_box(int32_t cells)
{
    model m = {0};
    must(ew_shape_box(&m.mesh, (double[3]){1.0, 1.1, 0.9}, (int32_t[3]){cells, cells, cells}));
    derive(&m);
    return m;
}

/* A chain of n tets on n + 3 points of a helix, of two regions and with a vertex of no tet. */
static model make_chain(int32_t n)
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

static void drop(model *m)
{
    ew_mesh_free(&m->mesh);
    ew_topology_free(&m->topology);
    ew_materials_free(&m->materials);
    ew_matrix_free(&m->host);
    ew_change_free(&m->change);
}

/* ---- comparing ----------------------------------------------------------- */

static void expect_narrowed(ew_device *on, const ew_buffer *buffer, const double *value, size_t n)
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

static void expect_words(const ew_device_matrix *matrix, const ew_buffer *buffer, const void *host,
                         size_t n_word)
{
    void *copy = NULL;
    must(ew_new(&copy, n_word, sizeof(int32_t)));
    must(ew_buffer_read(matrix->device, buffer, 0, n_word * sizeof(int32_t), copy));
    CU_ASSERT_EQUAL(memcmp(copy, host, n_word * sizeof(int32_t)), 0);
    ew_release(copy);
}

/* The device's copies of the mesh and of the tables' heads; the items show in the blocks. */
static void expect_same_tables(const ew_device_matrix *matrix, const model *m)
{
    const ew_pattern *pattern = &m->topology.pattern;
    const ew_rows *edge = &m->topology.edge_to_tet, *vertex = &m->topology.vertex_to_tet;
    size_t n_row = (size_t)pattern->n_row, n_edge = (size_t)pattern->n_pair;
    expect_words(matrix, &matrix->row_begin, pattern->row_to_pair.begin, n_row);
    expect_words(matrix, &matrix->row_count, pattern->row_to_pair.count, n_row);
    if (matrix->has_double) {
        expect_words(matrix, &matrix->xyz, m->mesh.xyz, 6 * n_row);
        expect_words(matrix, &matrix->tet, m->mesh.tet, 4 * (size_t)m->mesh.n_tet);
        expect_words(matrix, &matrix->pair_row, pattern->pair_row, 2 * n_edge);
        expect_words(matrix, &matrix->edge_begin, edge->begin, n_edge);
        expect_words(matrix, &matrix->edge_count, edge->count, n_edge);
        expect_words(matrix, &matrix->vertex_begin, vertex->begin, n_row);
        expect_words(matrix, &matrix->vertex_count, vertex->count, n_row);
    }
}

/* Freed edges' blocks may differ. */
static int32_t n_different_edges(const model *m, const void *a, const void *b, size_t scalar)
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
static void expect_same(const ew_device_matrix *matrix, const model *m)
{
    size_t rows = 9 * (size_t)m->host.n_row, edges = 9 * (size_t)m->host.n_pair;
    CU_ASSERT_EQUAL(matrix->revision, m->mesh.revision);
    CU_ASSERT_EQUAL_FATAL(matrix->n_row, m->host.n_row);
    CU_ASSERT_EQUAL_FATAL(matrix->n_pair, m->host.n_pair);
    expect_same_tables(matrix, m);
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
static void expect_product(ew_device_matrix *matrix, const model *m)
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
    must(ew_device_matrix_product(matrix, false, &bx, &by));
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

/* ---- building --------------------------------------------------------------- */

static void test_build_has_the_bits_of_the_host(void)
{
    static const int32_t sizes[] = {1, 2, 3, 31, 33, 257, 999, 1001};
    ew_device_matrix matrix = {0};
    for (int i = 0; has_double() && i < (quick ? 4 : 8); i++) {
        model m = make_chain(sizes[i]);
        must(ew_device_matrix_build(&matrix, device, i % 2 ? EW_MIXED : EW_DOUBLE, &m.mesh,
                                    &m.topology, &m.materials, NULL));
        expect_same(&matrix, &m);
        expect_product(&matrix, &m);
        drop(&m);
    }
    for (int32_t cells = 1; has_double() && cells < (quick ? 2 : 6); cells++) {
        model m = make_box(cells);
        must(ew_device_matrix_build(&matrix, device, EW_SINGLE, &m.mesh, &m.topology, &m.materials,
                                    NULL));
        expect_same(&matrix, &m);
        expect_product(&matrix, &m);
        drop(&m);
    }
    ew_device_matrix_free(&matrix);
    ew_device_matrix_free(&matrix);
}

static void test_build_refuses(void)
{
    if (!device) {
        return;
    }
    model m = make_box(1);
    ew_device_matrix matrix = {0};
    ew_device *plain = NULL;
    ew_device_def def = {-1, -1, true};
    must(ew_device_open(&plain, &def));
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, plain, EW_MIXED, &m.mesh, &m.topology,
                                           &m.materials, &m.host),
                    EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--precision single"));
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, plain, EW_SINGLE, &m.mesh, &m.topology,
                                           &m.materials, NULL),
                    EW_STALE);
    must(ew_device_matrix_build(&matrix, plain, EW_SINGLE, &m.mesh, &m.topology, &m.materials,
                                &m.host));
    expect_same(&matrix, &m);
    CU_ASSERT_EQUAL(ew_device_matrix_download(&matrix, &m.host), EW_UNSUPPORTED);
    CU_ASSERT_EQUAL(ew_device_matrix_product(&matrix, false, NULL, NULL), EW_UNSUPPORTED);
    m.topology.pattern.revision++;
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, plain, EW_SINGLE, &m.mesh, &m.topology,
                                           &m.materials, &m.host),
                    EW_STALE);
    expect_same(&matrix, &m);
    ew_device_matrix_free(&matrix);
    ew_device_close(plain);
    drop(&m);
}

/* ---- editing ------------------------------------------------------------------ */

/* Commits and brings tables and the host's matrix (rebuilt) along; false when refused. */
static bool commit(model *m, ew_edit *edit)
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

/* Bytes that an edit may send: what its touched entities hold in all arrays, twice. */
static uint64_t allowed_bytes(const model *m)
{
    const ew_change *c = &m->change;
    const ew_pattern_change *touched = &m->topology.touched;
    uint64_t entities = (uint64_t)touched->touched_row.n + (uint64_t)touched->touched_pair.n +
                        (uint64_t)touched->freed_pair.n + (uint64_t)c->added_vertex.n +
                        (uint64_t)c->moved_vertex.n + (uint64_t)c->added_tet.n +
                        (uint64_t)c->removed_tet.n;
    return 300 + 400 * entities;
}

static void random_position(const ew_mesh *mesh, int32_t v, double step, uint64_t *state,
                            double xyz[3])
{
    for (int c = 0; c < 3; c++) {
        double share = (double)ew_test_random(state, 2001) * 1e-3 - 1.0;
        xyz[c] = mesh->xyz[3 * (size_t)v + c] + step * share;
    }
}

static int32_t random_live_tet(const ew_mesh *mesh, uint64_t *state)
{
    int32_t first = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    for (int32_t i = 0; i < mesh->n_tet; i++) {
        int32_t t = (first + i) % mesh->n_tet;
        if (ew_mesh_tet_is_live(mesh, t)) {
            return t;
        }
    }
    return -1;
}

/* A new vertex over one face of tet t, and the tet between them. */
static void queue_spike(const ew_mesh *mesh, int32_t t, ew_edit *edit)
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
static void queue_batch(const ew_mesh *mesh, uint64_t *state, ew_list *gone, ew_edit *edit)
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

static void edit_at_random(ew_device *on, ew_precision precision, uint64_t seed, int n_edit)
{
    model m = make_box(3);
    ew_device_matrix matrix = {0};
    ew_edit edit = {0};
    ew_list gone = {0};
    int n_done = 0;
    must(ew_device_matrix_build(&matrix, on, precision, &m.mesh, &m.topology, &m.materials,
                                &m.host));
    for (int i = 0; i < n_edit; i++) {
        queue_batch(&m.mesh, &seed, &gone, &edit);
        if (!commit(&m, &edit)) {
            continue;
        }
        must(ew_device_matrix_revalidate(&matrix, &m.mesh, &m.topology, &m.materials, &m.change,
                                         &m.host));
        expect_same(&matrix, &m);
        CU_ASSERT(matrix.uploaded_bytes <= allowed_bytes(&m));
        n_done++;
    }
    CU_ASSERT(n_done > n_edit / 2);
    if (matrix.has_double) {
        expect_product(&matrix, &m);
    }
    ew_list_free(&gone);
    ew_edit_free(&edit);
    ew_device_matrix_free(&matrix);
    drop(&m);
}

static void test_random_edits_have_the_bits_of_a_rebuild(void)
{
    if (has_double()) {
        edit_at_random(device, EW_MIXED, 11, quick ? 20 : 600);
        edit_at_random(device, EW_DOUBLE, 12, quick ? 5 : 100);
    }
}

static void test_random_edits_without_fp64(void)
{
    ew_device *plain = NULL;
    ew_device_def def = {-1, -1, true};
    if (device) {
        must(ew_device_open(&plain, &def));
        edit_at_random(plain, EW_SINGLE, 13, quick ? 10 : 150);
        ew_device_close(plain);
    }
}

static void revalidate(ew_device_matrix *matrix, model *m, ew_edit *edit)
{
    CU_ASSERT_FATAL(commit(m, edit));
    must(ew_device_matrix_revalidate(matrix, &m->mesh, &m->topology, &m->materials, &m->change,
                                     &m->host));
    expect_same(matrix, m);
}

/* All of the mesh at once: moved, removed to nothing, brought back, doubled in size. */
static void change_everything(ew_device *on, ew_precision precision)
{
    model m = make_box(2), other = make_box(3);
    ew_device_matrix matrix = {0};
    ew_edit edit = {0};
    must(ew_device_matrix_build(&matrix, on, precision, &m.mesh, &m.topology, &m.materials,
                                &m.host));
    for (int32_t v = 0; v < m.mesh.n_vertex; v++) {
        const double *x = m.mesh.xyz + 3 * (size_t)v;
        must(ew_edit_move_vertex(&edit, v, (double[3]){1.2 * x[0], x[1], 0.7 * x[2]}));
    }
    revalidate(&matrix, &m, &edit);
    for (int32_t t = 0; t < m.mesh.n_tet; t++) {
        must(ew_edit_remove_tet(&edit, t));
    }
    revalidate(&matrix, &m, &edit);
    for (int32_t v = 0; v < other.mesh.n_vertex; v++) {
        int32_t added;
        must(ew_edit_add_vertex(&edit, other.mesh.xyz + 3 * (size_t)v, &added));
    }
    for (int32_t t = 0; t < other.mesh.n_tet; t++) {
        int32_t vertex[4];
        for (int k = 0; k < 4; k++) {
            vertex[k] = EW_NEW_VERTEX(other.mesh.tet[4 * (size_t)t + k]);
        }
        must(ew_edit_add_tet(&edit, vertex, m.mesh.region_label[0]));
    }
    revalidate(&matrix, &m, &edit);
    if (matrix.has_double) {
        expect_product(&matrix, &m);
    }
    ew_edit_free(&edit);
    ew_device_matrix_free(&matrix);
    drop(&m);
    drop(&other);
}

static void test_changing_everything(void)
{
    ew_device *plain = NULL;
    ew_device_def def = {-1, -1, true};
    if (has_double()) {
        change_everything(device, EW_MIXED);
    }
    if (device) {
        must(ew_device_open(&plain, &def));
        change_everything(plain, EW_SINGLE);
        ew_device_close(plain);
    }
}

/* Removing one inner tet and bringing it back sends the same few bytes whatever the mesh's size. */
static void test_small_edit_sends_little(void)
{
    uint64_t bytes[2][2] = {{0}};
    for (int size = 0; has_double() && size < 2; size++) {
        model m = make_box(size ? (quick ? 5 : 12) : 4);
        ew_device_matrix matrix = {0};
        ew_edit edit = {0};
        int32_t t = m.mesh.n_tet / 2, vertex[4];
        memcpy(vertex, m.mesh.tet + 4 * (size_t)t, sizeof vertex);
        must(ew_device_matrix_build(&matrix, device, EW_MIXED, &m.mesh, &m.topology, &m.materials,
                                    NULL));
        must(ew_edit_remove_tet(&edit, t));
        revalidate(&matrix, &m, &edit);
        bytes[size][0] = matrix.uploaded_bytes;
        must(ew_edit_add_tet(&edit, vertex, m.mesh.region_label[0]));
        revalidate(&matrix, &m, &edit);
        bytes[size][1] = matrix.uploaded_bytes;
        CU_ASSERT(bytes[size][0] > 0 && bytes[size][0] < 4096);
        CU_ASSERT(bytes[size][1] > 0 && bytes[size][1] < 4096);
        CU_ASSERT(bytes[1][0] <= 2 * bytes[0][0] && bytes[1][1] <= 2 * bytes[0][1]);
        ew_edit_free(&edit);
        ew_device_matrix_free(&matrix);
        drop(&m);
    }
}

/* New slots hold whatever the memory held: a vertex without tets must still get an empty row and
 * the identity. */
static void test_vertex_without_tets_in_dirty_memory(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    ew_device_matrix matrix = {0};
    ew_edit edit = {0};
    int32_t added;
    const double nowhere[3] = {5.0, 5.0, 5.0};
    must(ew_device_matrix_build(&matrix, device, EW_MIXED, &m.mesh, &m.topology, &m.materials,
                                NULL));
    must(ew_edit_add_vertex(&edit, nowhere, &added));
    revalidate(&matrix, &m, &edit);
    ew_buffer *const buffer[] = {&matrix.row_begin, &matrix.row_count, &matrix.vertex_begin,
                                 &matrix.vertex_count};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        const int32_t dirt = 3;
        size_t offset = sizeof dirt * (size_t)matrix.n_row;
        CU_ASSERT_FATAL(buffer[i]->capacity >= offset + sizeof dirt);
        must(ew_buffer_write(device, buffer[i], offset, sizeof dirt, &dirt));
    }
    must(ew_edit_add_vertex(&edit, nowhere, &added));
    revalidate(&matrix, &m, &edit);
    expect_product(&matrix, &m);
    CU_ASSERT_EQUAL(m.host.diagonal[9 * (size_t)m.host.n_row - 1], 1.0);
    ew_edit_free(&edit);
    ew_device_matrix_free(&matrix);
    drop(&m);
}

static void test_stale_is_refused(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    ew_device_matrix matrix = {0};
    ew_edit edit = {0};
    must(ew_device_matrix_build(&matrix, device, EW_DOUBLE, &m.mesh, &m.topology, &m.materials,
                                NULL));
    must(ew_edit_remove_tet(&edit, 3));
    CU_ASSERT_FATAL(commit(&m, &edit));
    must(ew_edit_remove_tet(&edit, 4));
    CU_ASSERT_FATAL(commit(&m, &edit));
    CU_ASSERT_EQUAL(ew_device_matrix_revalidate(&matrix, &m.mesh, &m.topology, &m.materials,
                                                &m.change, NULL),
                    EW_STALE);
    must(ew_device_matrix_build(&matrix, device, EW_DOUBLE, &m.mesh, &m.topology, &m.materials,
                                NULL));
    expect_same(&matrix, &m);
    /* the tables have gone on: a solve would answer for a mesh that is no more */
    must(ew_edit_remove_tet(&edit, 5));
    CU_ASSERT_FATAL(commit(&m, &edit));
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    ew_solver solver = {0};
    double *x;
    uint8_t *fixed;
    must(ew_new_zero(&x, 3 * (size_t)m.mesh.n_vertex, sizeof *x));
    must(ew_new_zero(&fixed, (size_t)m.mesh.n_vertex, 1));
    ew_operator op = ew_operator_on_device(&matrix, &m.topology.pattern, NULL);
    const ew_system system = {&op, m.mesh.xyz, fixed, x};
    CU_ASSERT_EQUAL(ew_solver_solve(&solver, &system, &def, x, &info), EW_STALE);
    ew_solver_free(&solver);
    ew_release(x);
    ew_release(fixed);
    /* constants that are in the blocks have changed */
    ew_material other = m.materials.material[0];
    other.young *= 2.0;
    ew_materials_free(&m.materials);
    must(ew_materials_init(&m.materials, 1, &other));
    CU_ASSERT_EQUAL(ew_device_matrix_revalidate(&matrix, &m.mesh, &m.topology, &m.materials,
                                                &m.change, NULL),
                    EW_STALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "constants"));
    ew_edit_free(&edit);
    ew_device_matrix_free(&matrix);
    drop(&m);
}

static void test_allocation_failures(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    ew_edit edit = {0};
    must(ew_edit_remove_tet(&edit, 3));
    bool refused = true, edited = false;
    uint64_t before = m.mesh.revision;
    for (int64_t k = 0; refused; k++) {
        ew_device_matrix matrix = {0};
        must(ew_device_matrix_build(&matrix, device, EW_MIXED, &m.mesh, &m.topology, &m.materials,
                                    NULL));
        if (!edited) {
            CU_ASSERT_FATAL(commit(&m, &edit));
            edited = true;
        }
        matrix.revision = before;
        ew_test_allocations_begin(k);
        ew_status status = ew_device_matrix_revalidate(&matrix, &m.mesh, &m.topology, &m.materials,
                                                       &m.change, NULL);
        ew_device_matrix_free(&matrix);
        CU_ASSERT_EQUAL(ew_test_held(), -1); /* the staging memory that the build took */
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 1000);
    }
    ew_edit_free(&edit);
    drop(&m);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"build_has_the_bits_of_the_host", test_build_has_the_bits_of_the_host},
        {"build_refuses", test_build_refuses},
        {"random_edits_have_the_bits_of_a_rebuild", test_random_edits_have_the_bits_of_a_rebuild},
        {"random_edits_without_fp64", test_random_edits_without_fp64},
        {"changing_everything", test_changing_everything},
        {"small_edit_sends_little", test_small_edit_sends_little},
        {"vertex_without_tets_in_dirty_memory", test_vertex_without_tets_in_dirty_memory},
        {"stale_is_refused", test_stale_is_refused},
        {"allocation_failures", test_allocation_failures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device matrix", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
