/* Revalidation of the stiffness matrix against a rebuild, bit for bit, and what it refuses. */
#include "matrix_fixture.h"
#include "random_edits.h"

/* Much moved: every way to recompute gives the bits of the build. */
static void test_gather_and_loop_equal_build(void)
{
    /* 27 blocks are gathered; of some thousand, all or more than half are computed by the element
     * loop */
    static const int32_t cells[3] = {1, 9, 9}, share[3] = {1, 1, 2};
    for (int k = 0; k < 3; k++) {
        model m;
        ew_edit edit = {0};
        ew_change change = {0};
        uint64_t state = 11;
        make_box(&m, cells[k], cells[k], cells[k]);
        for (int32_t v = 0; v < m.mesh.n_vertex / share[k]; v++) {
            double x[3];
            for (int i = 0; i < 3; i++) {
                x[i] = m.mesh.xyz[3 * (size_t)v + i] + 0.01 * uniform(&state);
            }
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&edit, v, x), EW_OK);
        }
        CU_ASSERT(apply(&m, &edit, &change));
        CU_ASSERT_EQUAL(m.topology.touched.touched_pair.n == m.topology.pattern.n_live_pair,
                        share[k] == 1);
        CU_ASSERT_EQUAL(m.topology.touched.touched_row.n == m.mesh.n_vertex, share[k] == 1);
        CU_ASSERT(2 * m.topology.touched.touched_row.n > m.mesh.n_vertex);
        check_against_rebuild(&m);
        ew_edit_free(&edit);
        ew_change_free(&change);
        free_model(&m);
    }
}

/* A tet gives way to the four around a new vertex inside it. */
static void queue_split(const ew_mesh *mesh, int32_t t, int nth, ew_edit *edit)
{
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    double center[3] = {0.0, 0.0, 0.0};
    int32_t vertex;
    for (int i = 0; i < 12; i++) {
        center[i % 3] += 0.25 * mesh->xyz[3 * (size_t)v[i / 3] + i % 3];
    }
    CU_ASSERT_EQUAL(ew_edit_add_vertex(edit, center, &vertex), EW_OK);
    CU_ASSERT_EQUAL(vertex, EW_NEW_VERTEX(nth));
    CU_ASSERT_EQUAL(ew_edit_remove_tet(edit, t), EW_OK);
    for (int i = 0; i < 4; i++) {
        int32_t tet[4] = {v[0], v[1], v[2], v[3]};
        tet[i] = vertex;
        CU_ASSERT_EQUAL(ew_edit_add_tet(edit, tet, mesh->region_label[0]), EW_OK);
    }
}

/* Tets that were taken out and may come back: vertices of each. */
typedef struct stash {
    int32_t n, tet[4096][4];
} stash;

static void queue_random(const model *m, stash *out, uint64_t *state, ew_edit *edit)
{
    int n_split = 0, n_entry = 1 + (int)ew_test_random(state, 4);
    for (int entry = 0; entry < n_entry; entry++) {
        uint32_t kind = ew_test_random(state, 8);
        int32_t t = random_live_tet(&m->mesh, state);
        if (kind < 3 && t >= 0 && out->n < 4096) {
            memcpy(out->tet[out->n++], m->mesh.tet + 4 * (size_t)t, 4 * sizeof(int32_t));
            CU_ASSERT_EQUAL(ew_edit_remove_tet(edit, t), EW_OK);
        } else if (kind < 6 && out->n > 0) {
            int32_t k = (int32_t)ew_test_random(state, (uint32_t)out->n);
            CU_ASSERT_EQUAL(ew_edit_add_tet(edit, out->tet[k], m->mesh.region_label[0]), EW_OK);
            memmove(out->tet[k], out->tet[--out->n], sizeof out->tet[k]);
        } else if (kind == 6 && t >= 0 && m->mesh.n_live_tet < 800) {
            queue_split(&m->mesh, t, n_split++, edit);
        } else {
            int32_t v = (int32_t)ew_test_random(state, (uint32_t)m->mesh.n_vertex);
            double x[3];
            for (int i = 0; i < 3; i++) {
                x[i] = m->mesh.xyz[3 * (size_t)v + i] + 0.01 * uniform(state);
            }
            CU_ASSERT_EQUAL(ew_edit_move_vertex(edit, v, x), EW_OK);
        }
    }
}

static void test_random_edits_equal_rebuild(void)
{
    static stash out;
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    uint64_t state = 1;
    int32_t n_applied = 0, n_refused = 0;
    make_box(&m, 3, 3, 3);
    out.n = 0;
    for (int32_t n = 0; n < 5000; n++) {
        stash before = out;
        ew_edit_clear(&edit);
        queue_random(&m, &out, &state, &edit);
        if (apply(&m, &edit, &change)) {
            n_applied++;
            check_against_rebuild(&m);
        } else {
            n_refused++;
            out = before;
        }
    }
    CU_ASSERT(n_applied > 1000 && n_refused > 10);
    CU_ASSERT_EQUAL(ew_topology_check(&m.topology, &m.mesh), EW_OK);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* Large batches, which the element loop serves, down to an empty mesh and up again. */
static void test_large_edits_equal_rebuild(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 8, 8, 8);
    int32_t n_tet = m.mesh.n_tet;
    int32_t *all = malloc(4 * (size_t)n_tet * sizeof *all);
    memcpy(all, m.mesh.tet, 4 * (size_t)n_tet * sizeof *all);
    for (int32_t share = 4; share > 0; share--) { /* a quarter, a third, a half, the rest */
        int32_t k = 0;
        ew_edit_clear(&edit);
        for (int32_t t = 0; t < n_tet; t++) {
            if (ew_mesh_tet_is_live(&m.mesh, t) && k++ % share == 0) {
                CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, t), EW_OK);
            }
        }
        CU_ASSERT_FATAL(apply(&m, &edit, &change));
        check_against_rebuild(&m);
    }
    CU_ASSERT_EQUAL(m.mesh.n_live_tet, 0);
    for (int32_t row = 0; row < m.matrix.n_row; row++) {
        CU_ASSERT_EQUAL(m.matrix.diagonal[9 * (size_t)row + 4], 1.0);
    }
    for (int32_t half = 0; half < 2; half++) {
        ew_edit_clear(&edit);
        for (int32_t t = half; t < n_tet; t += 2) {
            CU_ASSERT_EQUAL(ew_edit_add_tet(&edit, all + 4 * (size_t)t, m.mesh.region_label[0]),
                            EW_OK);
        }
        CU_ASSERT_FATAL(apply(&m, &edit, &change));
        check_against_rebuild(&m);
    }
    free(all);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

static void test_stale_inputs_are_refused(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 2, 2, 2);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 3), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &m.materials), EW_STALE);
    CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    ew_materials none = {0};
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &none), EW_BAD_ARGUMENT);
    check_against_rebuild(&m);
    /* tables built again know nothing of what the change touched */
    ew_edit_clear(&edit);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 4), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
    ew_topology_free(&m.topology);
    CU_ASSERT_EQUAL(ew_topology_build(&m.topology, &m.mesh), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &m.materials), EW_OK);
    check_against_rebuild(&m);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* A constant that is in the blocks has changed: no local revalidation can be right. A region that
 * an edit brings is not in them yet. */
static void test_changed_material_is_refused(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 3, 3, 3);
    ew_material material[2] = {m.materials.material[0],
                               {.young = 70e9, .poisson = 0.3, .density = 2700.0}};
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 3), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
    CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
    material[0].young *= 2.0;
    ew_materials_free(&m.materials);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m.materials, 1, material), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    material[0].young /= 2.0;
    ew_materials_free(&m.materials);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m.materials, 2, material), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_OK);
    check_against_rebuild(&m);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* Several commits, one revalidation. */
static void test_changes_add_up(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    ew_pattern_dirty dirty = {0};
    ew_pattern_change sum = {0};
    make_box(&m, 4, 4, 4);
    for (int32_t k = 0; k < 12; k++) {
        ew_edit_clear(&edit);
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 7 * k), EW_OK);
        if (k % 3 == 2) {
            int32_t v = 30 + k;
            const double *x = m.mesh.xyz + 3 * (size_t)v;
            CU_ASSERT_EQUAL(
                ew_edit_move_vertex(&edit, v, (double[3]){x[0] + 1e-3, x[1], x[2] - 1e-3}), EW_OK);
        }
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change),
                              EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_pattern_dirty_add(&dirty, &m.topology.touched), EW_OK);
    }
    CU_ASSERT_EQUAL(ew_pattern_dirty_take(&dirty, &m.topology.pattern, &sum), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials, &sum),
                    EW_OK);
    check_against_rebuild(&m);
    /* a change left out is noticed */
    for (int32_t k = 0; k < 2; k++) {
        ew_edit_clear(&edit);
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 200 + k), EW_OK);
        CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
        CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
    }
    CU_ASSERT_EQUAL(ew_pattern_dirty_add(&dirty, &m.topology.touched), EW_OK);
    CU_ASSERT_EQUAL(ew_pattern_dirty_take(&dirty, &m.topology.pattern, &sum), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials, &sum),
                    EW_STALE);
    ew_pattern_dirty_free(&dirty);
    ew_pattern_change_free(&sum);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* The loop over a formulation that is only known by its table gives the bits of the one compiled
 * in. */
static void test_element_table_gives_the_same_bits(void)
{
    model m;
    ew_matrix other = {0};
    int64_t n_different;
    double largest;
    make_box(&m, 3, 4, 2);
    const ew_element copy = ew_element_linear;
    ew_stiffness stiffness = ew_stiffness_of(&m.mesh, &m.topology, &m.materials);
    stiffness.element = &copy;
    CU_ASSERT_EQUAL_FATAL(ew_matrix_build(&other, &stiffness.source), EW_OK);
    CU_ASSERT_EQUAL(ew_matrix_compare(&m.matrix, &m.topology.pattern, &other, &m.topology.pattern,
                                      &n_different, &largest),
                    EW_OK);
    CU_ASSERT_EQUAL(n_different, 0);
    CU_ASSERT_PTR_EQUAL(ew_element_named("linear"), &ew_element_linear);
    CU_ASSERT_PTR_NULL(ew_element_named("nonsense"));
    ew_matrix_free(&other);
    free_model(&m);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"gather_and_loop_equal_build", test_gather_and_loop_equal_build},
        {"random_edits_equal_rebuild", test_random_edits_equal_rebuild},
        {"large_edits_equal_rebuild", test_large_edits_equal_rebuild},
        {"stale_inputs_are_refused", test_stale_inputs_are_refused},
        {"changed_material_is_refused", test_changed_material_is_refused},
        {"changes_add_up", test_changes_add_up},
        {"element_table_gives_the_same_bits", test_element_table_gives_the_same_bits},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"revalidation", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
