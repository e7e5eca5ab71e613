/* Bisection of chosen tets: each is cut at its longest edge, the mesh conforms, parts inherit. */
#include "operation_body.h"

static void test_bisect_cuts_the_tets_given(void)
{
    body b;
    uint64_t random = 3;
    make_box(&b, 2, 1, 1, 4, 2, 2);
    for (int round = 0; round < 6; round++) {
        ew_list tet = {0};
        for (int32_t t = 0; t < b.mesh.n_tet; t++) {
            if (ew_mesh_tet_is_live(&b.mesh, t) && ew_test_random(&random, 10) == 0) {
                CU_ASSERT_EQUAL_FATAL(ew_list_push(&tet, t), EW_OK);
            }
        }
        const double volume = measure(&b).volume, quality = measure(&b).min_quality;
        CU_ASSERT_EQUAL_FATAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_OK);
        for (int32_t i = 0; i < tet.n; i++) {
            int32_t at = 0;
            while (at < b.edit.remove_tet.n && b.edit.remove_tet.id[at] != tet.id[i]) {
                at++;
            }
            CU_ASSERT(at < b.edit.remove_tet.n);
        }
        CU_ASSERT(b.edit.n_add_tet >= 2 * tet.n);
        commit(&b);
        CU_ASSERT_DOUBLE_EQUAL(measure(&b).volume, volume, 1e-12);
        CU_ASSERT(measure(&b).min_quality > 0.3 * quality);
        ew_list_free(&tet);
    }
    CU_ASSERT(measure(&b).min_quality > 0.1);
    drop(&b);
}

/* One tet in a mesh of equal edges costs few others, whichever it is and however often it is
 * named. */
static void test_bisect_stays_near(void)
{
    body b;
    make_box(&b, 4, 4, 4, 8, 8, 8);
    ew_list tet = {0};
    CU_ASSERT_EQUAL_FATAL(ew_list_push(&tet, 777), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_list_push(&tet, 777), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.n_add_vertex, 1); /* the diagonal of its cell */
    CU_ASSERT_EQUAL(b.edit.n_add_tet, 12);
    commit(&b);
    ew_list_free(&tet);
    drop(&b);
}

static void test_bisect_refuses(void)
{
    body b;
    make_box(&b, 1, 1, 1, 1, 1, 1);
    ew_list tet = {0};
    CU_ASSERT_EQUAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.n_add_tet, 0); /* none given, nothing done */
    CU_ASSERT_EQUAL_FATAL(ew_list_push(&tet, 6), EW_OK);
    CU_ASSERT_EQUAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_BAD_ARGUMENT);
    tet.id[0] = -1;
    CU_ASSERT_EQUAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_BAD_ARGUMENT);
    tet.id[0] = 0;
    b.mesh.revision++;
    CU_ASSERT_EQUAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_STALE);
    b.mesh.revision--;
    CU_ASSERT_EQUAL_FATAL(ew_edit_remove_tet(&b.edit, 1), EW_OK);
    CU_ASSERT_EQUAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_BAD_ARGUMENT);
    commit(&b);
    tet.id[0] = 1;
    CU_ASSERT_EQUAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_BAD_ARGUMENT);
    ew_list_free(&tet);
    drop(&b);
}

/* As an edit of a mesh alone, refinement by error has nothing to go by. */
static void test_bisect_by_error_is_an_edit_of_a_case(void)
{
    body b;
    make_box(&b, 1, 1, 1, 1, 1, 1);
    const ew_operation *refine = ew_operation_named("refine");
    ew_operation_values values = ew_operation_presets(refine);
    ew_refine_goal goal;
    CU_ASSERT_FALSE(ew_refine_goal_of(refine, &values, &goal));
    CU_ASSERT_EQUAL_FATAL(ew_operation_set(refine, &values, "by", "error", EW_AS_KEYS), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_operation_set(refine, &values, "until", "0.03", EW_AS_KEYS), EW_OK);
    CU_ASSERT_TRUE(ew_refine_goal_of(refine, &values, &goal));
    CU_ASSERT_EQUAL(goal.until, 0.03);
    CU_ASSERT_EQUAL(goal.max_rounds, 10);
    CU_ASSERT_EQUAL(goal.max_tets, 1000000);
    const ew_operation_input in = {
        .operation = refine, .mesh = &b.mesh, .topology = &b.topology, .values = &values};
    CU_ASSERT_EQUAL(refine->queue(&in, &b.edit), EW_UNSUPPORTED);
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"bisect_cuts", test_bisect_cuts_the_tets_given},
        {"bisect_near", test_bisect_stays_near},
        {"bisect_refuses", test_bisect_refuses},
        {"bisect_goal", test_bisect_by_error_is_an_edit_of_a_case},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"bisect", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
