/* The copy of a mesh on a device with matrices beside it: one copy serves several, blocks are
 * computed once for several commits, and nothing stale or half-sent gives an answer. */
#include "device_model.h"
#include "solver/parts/solver.h"

/* The solver's answer would be for a mesh that is no more. */
static void expect_stale_solve(const ew_device_matrix *matrix, const model *m)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    ew_solver solver = {0};
    double *x;
    uint8_t *fixed;
    must(ew_new_zero(&x, 3 * (size_t)m->mesh.n_vertex, sizeof *x));
    must(ew_new_zero(&fixed, (size_t)m->mesh.n_vertex, 1));
    ew_operator op = ew_operator_on_device(matrix, &m->copy.pattern, &m->topology.pattern, NULL);
    const ew_system system = {.op = &op, .xyz = m->mesh.xyz, .fixed = fixed, .b = x};
    CU_ASSERT_EQUAL(ew_solver_solve(&solver, &system, &def, x, &info), EW_STALE);
    ew_solver_free(&solver);
    ew_release(x);
    ew_release(fixed);
}

static void test_stale_is_refused(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    const ew_pattern_change *touched = &m.topology.touched;
    ew_device_matrix matrix = {0};
    must(build_on(device, &m, EW_DOUBLE, &matrix));
    remove_tet(&m, 3);
    /* a copy that did not follow */
    const ew_stiffness from = source_of(&m);
    CU_ASSERT_EQUAL(ew_device_matrix_revalidate(&matrix, &m.copy, &from, touched, NULL), EW_STALE);
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, &m.copy, &from, EW_DOUBLE, NULL), EW_STALE);
    CU_ASSERT_EQUAL(ew_device_mesh_check(&m.copy, &m.mesh, &m.topology), EW_STALE);
    expect_stale_solve(&matrix, &m);
    remove_tet(&m, 4);
    CU_ASSERT_EQUAL(ew_device_mesh_update(&m.copy, &m.mesh, &m.topology, &m.change), EW_STALE);
    must(build_on(device, &m, EW_DOUBLE, &matrix));
    expect_same(&matrix, &m);
    /* blocks that did not follow the copy */
    remove_tet(&m, 5);
    must(ew_device_mesh_update(&m.copy, &m.mesh, &m.topology, &m.change));
    ew_buffer x = {0}, y = {0};
    must(ew_buffer_reserve(device, &x, 24 * (size_t)m.mesh.n_vertex));
    CU_ASSERT_EQUAL(ew_device_matrix_product(&matrix, &m.copy.pattern, false, &x, &y), EW_STALE);
    expect_stale_solve(&matrix, &m);
    ew_buffer_free(&x);
    ew_buffer_free(&y);
    /* constants that are in the blocks have changed */
    ew_material other = m.materials.material[0];
    other.young *= 2.0;
    ew_materials_free(&m.materials);
    must(ew_materials_init(&m.materials, 1, &other));
    CU_ASSERT_EQUAL(ew_device_matrix_revalidate(&matrix, &m.copy, &from, touched, NULL), EW_STALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "constants"));
    ew_device_matrix_free(&matrix);
    drop(&m);
}

/* Each array with one bit wrong. */
static void test_check_names_the_array(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    ew_device_mesh *copy = &m.copy;
    must(ew_device_mesh_build(copy, device, &m.mesh, &m.topology));
    const struct {
        ew_buffer *buffer;
        const char *name;
    } array[] = {
        {&copy->xyz, "xyz"},
        {&copy->tet, "tet"},
        {&copy->region, "region"},
        {&copy->pattern.pair_row, "pair_row"},
        {&copy->pattern.row_to_pair.begin, "row_to_pair"},
        {&copy->pattern.row_to_pair.item, "row_to_pair"},
        {&copy->edge_to_tet.count, "edge_to_tet"},
        {&copy->edge_to_tet.item, "edge_to_tet"},
        {&copy->vertex_to_tet.item, "vertex_to_tet"},
    };
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        uint32_t word, wrong;
        must(ew_buffer_read(device, array[i].buffer, 0, sizeof word, &word));
        wrong = word ^ 1u;
        must(ew_buffer_write(device, array[i].buffer, 0, sizeof word, &wrong));
        CU_ASSERT_EQUAL(ew_device_mesh_check(copy, &m.mesh, &m.topology), EW_DEVICE_COPY);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), array[i].name));
        must(ew_buffer_write(device, array[i].buffer, 0, sizeof word, &word));
    }
    must(ew_device_mesh_check(copy, &m.mesh, &m.topology));
    drop(&m);
}

/* ---- several commits, several matrices -------------------------------------- */

/* A few random batches, each followed by the copy of the mesh; their sum into `sum`. */
static void commit_several(model *m, uint64_t *seed, ew_list *gone, ew_pattern_change *sum)
{
    ew_pattern_dirty dirty = {0};
    ew_edit edit = {0};
    for (int n = 0; n < 5;) {
        queue_batch(&m->mesh, seed, gone, &edit);
        if (commit(m, &edit) && m->change.from_revision != m->change.to_revision) {
            must(ew_device_mesh_update(&m->copy, &m->mesh, &m->topology, &m->change));
            must(ew_pattern_dirty_add(&dirty, &m->topology.touched));
            n++;
        }
    }
    must(ew_pattern_dirty_take(&dirty, &m->topology.pattern, sum));
    ew_pattern_dirty_free(&dirty);
    ew_edit_free(&edit);
}

/* Two matrices beside one copy of the mesh, their blocks revalidated once after several commits. */
static void sum_up_commits(ew_device *on, ew_precision one, ew_precision other, int n_round)
{
    model m = make_box(3);
    ew_device_matrix first = {0}, second = {0};
    ew_pattern_change sum = {0};
    ew_list gone = {0};
    uint64_t seed = 17;
    must(build_on(on, &m, one, &first));
    const ew_stiffness from = source_of(&m);
    must(ew_device_matrix_build(&second, &m.copy, &from, other, &m.host));
    for (int i = 0; i < n_round; i++) {
        commit_several(&m, &seed, &gone, &sum);
        must(ew_device_matrix_revalidate(&first, &m.copy, &from, &sum, &m.host));
        expect_same(&first, &m);
        must(ew_device_matrix_revalidate(&second, &m.copy, &from, &sum, &m.host));
        expect_same(&second, &m);
    }
    ew_list_free(&gone);
    ew_pattern_change_free(&sum);
    ew_device_matrix_free(&first);
    ew_device_matrix_free(&second);
    drop(&m);
}

static void test_several_commits_then_blocks_once(void)
{
    ew_device *plain = NULL;
    ew_device_def def = {-1, -1, true};
    if (has_double()) {
        sum_up_commits(device, EW_DOUBLE, EW_MIXED, quick ? 3 : 60);
    }
    if (device) {
        must(ew_device_open(&plain, &def));
        sum_up_commits(plain, EW_SINGLE, EW_SINGLE, quick ? 2 : 20);
        ew_device_close(plain);
    }
}

static void test_verify_finds_a_wrong_block(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    ew_device_matrix matrix = {0};
    const ew_stiffness from = source_of(&m);
    int64_t n_different = -1;
    double largest = -1.0;
    must(build_on(device, &m, EW_MIXED, &matrix));
    must(ew_device_matrix_verify(&matrix, &m.copy, &from, &n_different, &largest));
    CU_ASSERT_EQUAL(n_different, 0);
    CU_ASSERT_EQUAL(largest, 0.0);
    const double wrong = 2.0 * m.host.pair[9];
    must(ew_buffer_write(device, &matrix.pair, 9 * sizeof wrong, sizeof wrong, &wrong));
    must(ew_device_matrix_verify(&matrix, &m.copy, &from, &n_different, &largest));
    CU_ASSERT_EQUAL(n_different, 1);
    CU_ASSERT_EQUAL(largest, fabs(m.host.pair[9]));
    ew_device_matrix_free(&matrix);
    drop(&m);
}

static void test_build_again_keeps_the_memory(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    ew_device_matrix matrix = {0};
    must(build_on(device, &m, EW_MIXED, &matrix));
    const void *blocks = matrix.pair.memory, *xyz = m.copy.xyz.memory;
    CU_ASSERT(ew_device_mesh_bytes(&m.copy) > 24 * (size_t)m.mesh.n_vertex);
    CU_ASSERT(ew_device_matrix_bytes(&matrix) > 108 * (size_t)m.host.n_pair);
    remove_tet(&m, 7);
    must(build_on(device, &m, EW_MIXED, &matrix));
    CU_ASSERT_PTR_EQUAL(matrix.pair.memory, blocks);
    CU_ASSERT_PTR_EQUAL(m.copy.xyz.memory, xyz);
    expect_same(&matrix, &m);
    must(build_on(device, &m, EW_DOUBLE, &matrix));
    CU_ASSERT_PTR_NULL(matrix.pair_single.memory);
    expect_same(&matrix, &m);
    ew_device_matrix_free(&matrix);
    drop(&m);
}

/* ---- failing ------------------------------------------------------------------ */

/* Whatever fails, what is left says so: the old copy or none, and blocks that fit it or none. */
static void test_allocation_failures(void)
{
    if (!has_double()) {
        return;
    }
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        model m = make_box(2);
        ew_device_matrix matrix = {0};
        must(build_on(device, &m, EW_MIXED, &matrix));
        const uint64_t before = m.mesh.revision;
        remove_tet(&m, 3);
        ew_test_allocations_begin(k);
        const ew_status status = follow(&m, &matrix);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        if (refused) {
            const uint64_t mesh = m.copy.pattern.revision, blocks = matrix.revision;
            CU_ASSERT(mesh == 0 || mesh == before || mesh == m.mesh.revision);
            CU_ASSERT(blocks == 0 || blocks == before);
            must(build_on(device, &m, EW_MIXED, &matrix));
        }
        expect_same(&matrix, &m);
        ew_device_matrix_free(&matrix);
        drop(&m);
        CU_ASSERT_FATAL(k < 1000);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"stale_is_refused", test_stale_is_refused},
        {"check_names_the_array", test_check_names_the_array},
        {"several_commits_then_blocks_once", test_several_commits_then_blocks_once},
        {"verify_finds_a_wrong_block", test_verify_finds_a_wrong_block},
        {"build_again_keeps_the_memory", test_build_again_keeps_the_memory},
        {"allocation_failures", test_allocation_failures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device mesh", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
