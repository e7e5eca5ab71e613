/* Springs to the ground in the stiffness: built, revalidated where they or the mesh changed, on the
 * host and on a device, all with the bits of a build. */
#include "device_model.h"

static double *ground; /* [n_row][6] */

static void fill_ground(const model *m, uint64_t *state)
{
    ew_release(ground);
    must(ew_new_zero(&ground, 6 * (size_t)m->mesh.n_vertex, sizeof *ground));
    for (int32_t v = 0; v < m->mesh.n_vertex; v++) {
        for (int c = 0; c < 6 && ew_test_random(state, 3) == 0; c++) {
            ground[6 * v + c] = c < 3 ? 1e9 + ew_test_random(state, 1000) : 1e8;
        }
    }
}

static ew_stiffness grounded(const model *m)
{
    ew_stiffness from = source_of(m);
    from.ground = ground;
    from.ground_revision = m->mesh.revision;
    return from;
}

/* What the sum of tets and ground must be, entry by entry. */
static void expect_sum(const model *m)
{
    static const int entry[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    ew_matrix bare = {0};
    must(ew_stiffness_build(&bare, &m->mesh, &m->topology, &m->materials));
    int32_t n_different = 0;
    for (int32_t i = 0; i < 9 * m->mesh.n_vertex; i++) {
        const bool active = ew_mesh_vertex_is_active(&m->mesh, i / 9);
        const double extra = active ? ground[6 * (i / 9) + entry[i % 9]] : 0.0;
        n_different += m->host.diagonal[i] != bare.diagonal[i] + extra;
    }
    CU_ASSERT_EQUAL(n_different, 0);
    ew_matrix_free(&bare);
}

/* Rows where the ground changes without the mesh. */
static void change_rows(const model *m, uint64_t *state, ew_pattern_change *change)
{
    change->from_revision = change->to_revision = m->mesh.revision;
    change->touched_row.n = 0;
    for (int32_t v = 0; v < m->mesh.n_vertex; v += 3) {
        ground[6 * v + 1] += (double)ew_test_random(state, 100);
        must(ew_list_push(&change->touched_row, v));
    }
}

static void expect_built(const model *m)
{
    const ew_stiffness from = grounded(m);
    int64_t n_different;
    double largest;
    must(ew_matrix_verify(&m->host, &from.source, &n_different, &largest));
    CU_ASSERT_EQUAL(n_different, 0);
    expect_sum(m);
}

static void run(ew_precision precision, bool on_device)
{
    uint64_t state = 7;
    model m = make_box(quick ? 3 : 4); /* 162 tets: each step removes some */
    ew_device_matrix there = {0};
    ew_pattern_change change = {0};
    fill_ground(&m, &state);
    ew_stiffness from = grounded(&m);
    must(ew_matrix_build(&m.host, &from.source));
    expect_built(&m);
    if (on_device) {
        must(ew_device_mesh_build(&m.copy, device, &m.mesh, &m.topology));
        must(ew_device_matrix_build(&there, &m.copy, &from, precision, &m.host));
        expect_same(&there, &m);
    }
    change_rows(&m, &state, &change);
    must(ew_matrix_revalidate(&m.host, &from.source, &change));
    expect_built(&m);
    if (on_device) {
        must(ew_device_matrix_revalidate(&there, &m.copy, &from, &change, &m.host));
        expect_same(&there, &m);
    }
    for (int step = 0; step < 4; step++) { /* a tet, then more and more of them */
        ew_edit edit = {0};
        ew_matrix kept = m.host;
        m.host = (ew_matrix){0};
        for (int32_t t = 0; t < m.mesh.n_tet && t < 1 + 12 * step * step; t++) {
            must(ew_mesh_tet_is_live(&m.mesh, t) ? ew_edit_remove_tet(&edit, t) : EW_OK);
        }
        CU_ASSERT_FATAL(commit(&m, &edit));
        ew_matrix_free(&m.host);
        m.host = kept;
        CU_ASSERT_EQUAL(ew_matrix_revalidate(&m.host, &from.source, &m.topology.touched), EW_STALE);
        from.ground_revision = m.mesh.revision;
        must(ew_matrix_revalidate(&m.host, &from.source, &m.topology.touched));
        expect_built(&m);
        if (on_device) {
            must(ew_device_mesh_update(&m.copy, &m.mesh, &m.topology, &m.change));
            must(ew_device_matrix_revalidate(&there, &m.copy, &from, &m.topology.touched, &m.host));
            expect_same(&there, &m);
        }
        ew_edit_free(&edit);
    }
    ew_pattern_change_free(&change);
    ew_device_matrix_free(&there);
    drop(&m);
    ew_release(ground);
    ground = NULL;
}

static void test_on_the_host(void)
{
    run(EW_DOUBLE, false);
}

static void test_on_a_device(void)
{
    if (device) {
        run(EW_SINGLE, true);
    }
    if (has_double()) {
        run(EW_DOUBLE, true);
        run(EW_MIXED, true);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"on_the_host", test_on_the_host},
        {"on_a_device", test_on_a_device},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"ground", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
