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
    CU_ASSERT_EQUAL(refine->queue(&in, &b.edit), EW_BAD_INPUT);
    drop(&b);
}

/* ---- what the commit need not look for --------------------------------- */

/* Both meshes after the edit, once as parts that conform and once with all faces looked for. */
static void commit_both_ways(body *b)
{
    ew_mesh copy;
    ew_change change = {0};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&copy, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL(b->edit.parts_of, b->mesh.revision);
    b->edit.parts_of = 0;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&copy, &b->edit, NULL, &change), EW_OK);
    b->edit.parts_of = b->mesh.revision;
    commit(b);
    CU_ASSERT_EQUAL_FATAL(copy.n_tet, b->mesh.n_tet);
    CU_ASSERT_EQUAL(memcmp(copy.tet, b->mesh.tet, 4 * sizeof *copy.tet * (size_t)copy.n_tet), 0);
    ew_mesh_free(&copy);
    ew_change_free(&change);
}

static void test_parts_conform(void)
{
    body b;
    uint64_t random = 5;
    make_box(&b, 2, 1, 1, 5, 3, 2);
    for (int round = 0; round < 8; round++) {
        ew_list vertex = {0};
        for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
            if (ew_test_random(&random, 1 + round % 4) == 0) {
                CU_ASSERT_EQUAL_FATAL(ew_list_push(&vertex, v), EW_OK);
            }
        }
        const double longest = round % 2 ? 0.0 : 0.8 * measure(&b).longest_edge;
        CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, longest, &vertex, &b.edit),
                              EW_OK);
        if (b.edit.n_add_tet) {
            commit_both_ways(&b);
        }
        ew_list_free(&vertex);
    }
    drop(&b);
}

/* Whatever is queued after a refinement, and a refinement of the mesh as it was, is looked at. */
static void test_parts_and_more_are_checked(void)
{
    body b;
    ew_change change = {0};
    make_box(&b, 1, 1, 1, 2, 2, 2);
    const int32_t v[4] = {b.mesh.tet[0], b.mesh.tet[1], b.mesh.tet[2], b.mesh.tet[3]};
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 0, NULL, &b.edit), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_edit_add_tet(&b.edit, b.edit.add_tet, 0), EW_OK); /* once more */
    CU_ASSERT_EQUAL(b.edit.parts_of, 0);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b.mesh, &b.edit, &b.topology.vertex_to_tet, &change),
                    EW_BAD_EDIT);
    ew_edit_clear(&b.edit);
    ew_list tet = {0};
    CU_ASSERT_EQUAL_FATAL(ew_list_push(&tet, 0), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_operation_bisect(&b.mesh, &b.topology, &tet, &b.edit), EW_OK);
    ew_edit other = {0};
    double x[3];
    int32_t apex;
    ew_mesh_tet_centroid(&b.mesh, 0, x);
    CU_ASSERT_EQUAL_FATAL(ew_edit_add_vertex(&other, x, &apex), EW_OK);
    for (int k = 0; k < 4; k++) { /* four parts of tet 0, which stays away from its faces */
        int32_t part[4] = {v[0], v[1], v[2], v[3]};
        part[k] = apex;
        CU_ASSERT_EQUAL_FATAL(ew_edit_add_tet(&other, part, 0), EW_OK);
    }
    CU_ASSERT_EQUAL_FATAL(ew_edit_remove_tet(&other, 0), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b.mesh, &other, &b.topology.vertex_to_tet, &change), EW_OK);
    CU_ASSERT_NOT_EQUAL(b.edit.parts_of, b.mesh.revision);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b.mesh, &b.edit, NULL, &change), EW_BAD_EDIT);
    ew_list_free(&tet);
    ew_edit_free(&other);
    ew_change_free(&change);
    drop(&b);
}

/* Files may have a face with three tets. What cuts it is refused as it would be queued by hand. */
static void test_crowded_faces_are_not_cut(void)
{
    static const double xyz[] = {0, 0, 0, 4, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0.5, 2, 1, 0.5, -1};
    static const int32_t tet[] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 2, 1, 5};
    body b;
    make_tets(&b, 6, xyz, 3, tet);
    CU_ASSERT_EQUAL(ew_mesh_check(&b.mesh), EW_MESH_FACE);
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 0, NULL, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.parts_of, 0);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b.mesh, &b.edit, &b.topology.vertex_to_tet, &b.change),
                    EW_BAD_EDIT);
    drop(&b);
}

/* ---- limits ------------------------------------------------------------------------ */

static void refuse_tets(body *b, double longest, const ew_list *set, int32_t max_tets,
                        const char *text)
{
    const uint64_t revision = b->mesh.revision;
    CU_ASSERT_EQUAL(ew_operation_refine_within(&b->mesh, &b->topology, longest, set, max_tets,
                                               &b->edit),
                    EW_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), text));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "max_tets"));
    CU_ASSERT(is_empty(&b->edit));
    CU_ASSERT_EQUAL(b->mesh.revision, revision);
}

/* Of the length alone: at once. */
static void test_limit_is_seen_before(void)
{
    static const double length[] = {1e-4, 1e-100, 1e-162, 1e-300, 5e-324};
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        refuse_tets(&b, length[i], NULL, 0, "at most 20000000 are allowed");
        refuse_tets(&b, length[i], NULL, INT32_MAX, "are allowed");
    }
    refuse_tets(&b, 0.3, NULL, 100, "need at least 3");
    refuse_tets(&b, 0.0, NULL, 100, "at least 1");
    CU_ASSERT_EQUAL(ew_operation_refine_within(&b.mesh, &b.topology, 0.3, NULL, -1, &b.edit),
                    EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_operation_refine_within(&b.mesh, &b.topology, 2.0, NULL, 1, &b.edit),
                    EW_OK); /* nothing to do */
    CU_ASSERT_EQUAL(b.edit.n_add_tet, 0);
    drop(&b);
}

/* Edges of one side: what their neighbors need is known only when they are cut. */
static void test_limit_is_seen_while_cutting(void)
{
    body b;
    ew_list side = {0}, tet = {0};
    make_box(&b, 1, 1, 1, 1, 1, 1);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        if (b.mesh.xyz[3 * v] == 0.0) {
            CU_ASSERT_EQUAL_FATAL(ew_list_push(&side, v), EW_OK);
        }
    }
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine_within(&b.mesh, &b.topology, 0.05, &side, 0, &b.edit),
                          EW_OK);
    const int32_t n = 6 + b.edit.n_add_tet - b.edit.remove_tet.n;
    ew_edit_clear(&b.edit);
    CU_ASSERT(n > 1000);
    for (int32_t max = 200; max < n; max += n / 7) {
        refuse_tets(&b, 0.05, &side, max, "no longer than 0.05 need at least");
    }
    refuse_tets(&b, 0.05, &side, n - 1, "no longer than 0.05 need at least");
    CU_ASSERT_EQUAL(ew_operation_refine_within(&b.mesh, &b.topology, 0.05, &side, n, &b.edit),
                    EW_OK);
    commit(&b);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, n);
    CU_ASSERT_EQUAL_FATAL(ew_list_push(&tet, b.edit.n_add_tet / 2), EW_OK);
    const ew_status status = ew_operation_bisect_within(&b.mesh, &b.topology, &tet, n, &b.edit);
    CU_ASSERT_EQUAL(status, EW_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "choose other edges"));
    CU_ASSERT(is_empty(&b.edit));
    CU_ASSERT_EQUAL(ew_operation_bisect_within(&b.mesh, &b.topology, &tet, 0, &b.edit), EW_OK);
    ew_list_free(&side);
    ew_list_free(&tet);
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"bisect_cuts", test_bisect_cuts_the_tets_given},
        {"bisect_near", test_bisect_stays_near},
        {"bisect_refuses", test_bisect_refuses},
        {"bisect_goal", test_bisect_by_error_is_an_edit_of_a_case},
        {"parts_conform", test_parts_conform},
        {"parts_and_more", test_parts_and_more_are_checked},
        {"parts_crowded", test_crowded_faces_are_not_cut},
        {"limit_before", test_limit_is_seen_before},
        {"limit_while_cutting", test_limit_is_seen_while_cutting},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"bisect", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
