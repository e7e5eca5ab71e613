/* The diagonal-edge matrix on a device: bit for bit the host's after building and after any edit,
 * and an edit uploads no more than it changed. */
#include "device_model.h"

/* ---- building --------------------------------------------------------------- */

static void test_build_has_the_bits_of_the_host(void)
{
    static const int32_t sizes[] = {1, 2, 3, 31, 33, 257, 999, 1001};
    ew_device_matrix matrix = {0};
    for (int i = 0; has_double() && i < (quick ? 4 : 8); i++) {
        model m = make_chain(sizes[i]);
        must(build_on(device, &m, i % 2 ? EW_MIXED : EW_DOUBLE, &matrix));
        expect_same(&matrix, &m);
        expect_product(&matrix, &m);
        drop(&m);
    }
    for (int32_t cells = 1; has_double() && cells < (quick ? 2 : 6); cells++) {
        model m = make_box(cells);
        must(build_on(device, &m, EW_SINGLE, &matrix));
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
    CU_ASSERT_EQUAL(build_on(plain, &m, EW_MIXED, &matrix), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--precision single"));
    const ew_stiffness from = source_of(&m);
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, &m.copy, &from, EW_SINGLE, NULL), EW_STALE);
    must(build_on(plain, &m, EW_SINGLE, &matrix));
    expect_same(&matrix, &m);
    CU_ASSERT_EQUAL(ew_device_matrix_download(&matrix, &m.host), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_device_matrix_product(&matrix, &m.copy.pattern, false, NULL, NULL),
                    EW_BAD_ARGUMENT);
    m.topology.pattern.revision++;
    CU_ASSERT_EQUAL(ew_device_mesh_build(&m.copy, plain, &m.mesh, &m.topology), EW_STALE);
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, &m.copy, &from, EW_SINGLE, &m.host), EW_STALE);
    m.topology.pattern.revision--;
    expect_same(&matrix, &m);
    ew_device_matrix_free(&matrix);
    ew_device_close(plain);
    drop(&m);
}

/* ---- editing ------------------------------------------------------------------ */

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

static void edit_at_random(ew_device *on, ew_precision precision, uint64_t seed, int n_edit)
{
    model m = make_box(3);
    ew_device_matrix matrix = {0};
    ew_edit edit = {0};
    ew_list gone = {0};
    int n_done = 0;
    must(build_on(on, &m, precision, &matrix));
    for (int i = 0; i < n_edit; i++) {
        queue_batch(&m.mesh, &seed, &gone, &edit);
        if (!commit(&m, &edit)) {
            continue;
        }
        must(follow(&m, &matrix));
        expect_same(&matrix, &m);
        CU_ASSERT(m.copy.uploaded_bytes + matrix.uploaded_bytes <= allowed_bytes(&m));
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
    must(follow(m, matrix));
    expect_same(matrix, m);
}

/* All of the mesh at once: moved, removed to nothing, brought back, doubled in size. */
static void change_everything(ew_device *on, ew_precision precision)
{
    model m = make_box(2), other = make_box(3);
    ew_device_matrix matrix = {0};
    ew_edit edit = {0};
    must(build_on(on, &m, precision, &matrix));
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
        must(build_on(device, &m, EW_MIXED, &matrix));
        must(ew_edit_remove_tet(&edit, t));
        revalidate(&matrix, &m, &edit);
        bytes[size][0] = m.copy.uploaded_bytes + matrix.uploaded_bytes;
        must(ew_edit_add_tet(&edit, vertex, m.mesh.region_label[0]));
        revalidate(&matrix, &m, &edit);
        bytes[size][1] = m.copy.uploaded_bytes + matrix.uploaded_bytes;
        CU_ASSERT(bytes[size][0] > 0 && bytes[size][0] < 4096);
        CU_ASSERT(bytes[size][1] > 0 && bytes[size][1] < 4096);
        CU_ASSERT(bytes[1][0] <= 2 * bytes[0][0] && bytes[1][1] <= 2 * bytes[0][1]);
        ew_edit_free(&edit);
        ew_device_matrix_free(&matrix);
        drop(&m);
    }
}

/* New slots hold what was in the memory: a vertex without tets must still get an empty row and
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
    must(build_on(device, &m, EW_MIXED, &matrix));
    must(ew_edit_add_vertex(&edit, nowhere, &added));
    revalidate(&matrix, &m, &edit);
    ew_buffer *const buffer[] = {&m.copy.pattern.row_to_pair.begin,
                                 &m.copy.pattern.row_to_pair.count, &m.copy.vertex_to_tet.begin,
                                 &m.copy.vertex_to_tet.count};
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
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device matrix", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
