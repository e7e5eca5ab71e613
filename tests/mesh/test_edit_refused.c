/* Edits that a commit refuses, leaving every byte as it was. */
#include "edit_fixture.h"

#include <math.h>
#include <stdio.h>

/* ---- what a commit refuses --------------------------------------------- */

static void expect_refused(pair *p, const char *word)
{
    CU_ASSERT_EQUAL(pair_commit(p), EW_BAD_EDIT);
    if (!strstr(ew_message(), word)) {
        printf("\n    wanted \"%s\" in \"%s\"", word, ew_message());
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
}

/* A mesh with a hole of each kind, tet 0 and vertex 3, and vertex ids that are not slots. */
static void pair_with_holes(pair *p)
{
    pair_begin(p, 1);
    ew_edit_remove_tet(&p->edit, 0);
    ew_edit_remove_tet(&p->edit, 1);
    ew_edit_remove_vertex(&p->edit, 3);
    add_vertex(&p->edit, 5, 5, 5);
    add_vertex(&p->edit, 6, 5, 5);
    CU_ASSERT_EQUAL_FATAL(pair_commit(p), EW_OK); /* vertex 8 in slot 3, 9 in 8 */
    ew_edit_remove_vertex(&p->edit, 8);
    CU_ASSERT_EQUAL_FATAL(pair_commit(p), EW_OK);
}

static void test_commit_refuses_bad_removals(void)
{
    pair p;
    pair_with_holes(&p);
    ew_edit_remove_tet(&p.edit, 2);
    ew_edit_remove_tet(&p.edit, 6);
    expect_refused(&p, "remove tet, place 1 of the queue: tet slot 6 does not exist");
    ew_edit_remove_tet(&p.edit, -1);
    expect_refused(&p, "tet slot -1 does not exist");
    ew_edit_remove_tet(&p.edit, 0);
    expect_refused(&p, "remove tet, place 0 of the queue: tet slot 0 is a hole");
    ew_edit_remove_tet(&p.edit, 2);
    ew_edit_remove_tet(&p.edit, 3);
    ew_edit_remove_tet(&p.edit, 2);
    expect_refused(&p, "remove tet, place 2 of the queue: tet 2 is named twice");
    ew_edit_remove_vertex(&p.edit, 9);
    expect_refused(&p, "remove vertex, place 0 of the queue: vertex slot 9 does not exist");
    ew_edit_remove_vertex(&p.edit, 8);
    expect_refused(&p, "vertex slot 8 is a hole");
    ew_edit_remove_vertex(&p.edit, 3);
    ew_edit_remove_vertex(&p.edit, 3);
    expect_refused(&p, "remove vertex, place 1 of the queue: vertex 8 (slot 3) is named twice");
    ew_edit_remove_vertex(&p.edit, 3);
    ew_edit_remove_vertex(&p.edit, 2);
    expect_refused(&p, "remove vertex, place 1 of the queue: vertex 2 still has tet 2");
    ew_edit_remove_tet(&p.edit, 3); /* not the one that vertex 2 has */
    ew_edit_remove_vertex(&p.edit, 2);
    expect_refused(&p, "vertex 2 still has tet 2");
    pair_end(&p);
}

static void test_commit_refuses_bad_vertices(void)
{
    pair p;
    pair_with_holes(&p);
    move_vertex(&p.edit, 8, 0, 0, 0);
    expect_refused(&p, "move vertex, place 0 of the queue: vertex slot 8 is a hole");
    move_vertex(&p.edit, 100, 0, 0, 0);
    expect_refused(&p, "vertex slot 100 does not exist");
    move_vertex(&p.edit, 3, 1, 2, 3);
    move_vertex(&p.edit, 3, 1, 2, 4);
    expect_refused(&p, "move vertex, place 1 of the queue: vertex 8 (slot 3) is named twice");
    move_vertex(&p.edit, 0, 0, 0, 0);
    move_vertex(&p.edit, 3, 0, NAN, 0);
    expect_refused(&p, "move vertex, place 1 of the queue: position (0, ");
    ew_edit_remove_vertex(&p.edit, 3);
    move_vertex(&p.edit, 3, 1, 2, 3);
    expect_refused(&p, "is removed by the same batch");
    move_vertex(&p.edit, 3, 1, 2, 3);
    move_vertex(&p.edit, 7, -1, -1, -1);
    expect_refused(&p, "move vertex, place 1 of the queue: with vertex 7 there, tet 2 has volume");
    move_vertex(&p.edit, 7, 0, 0, 0);
    expect_refused(&p, "volume 0");
    add_vertex(&p.edit, 0, 0, 1);
    add_vertex(&p.edit, 0, INFINITY, 1);
    expect_refused(&p, "add vertex, place 1 of the queue: position (0, inf");
    pair_end(&p);
}

static void test_commit_refuses_bad_tets(void)
{
    pair p;
    pair_with_holes(&p);
    add_tet(&p.edit, 0, 1, 3, 7);
    add_tet(&p.edit, 0, 1, 8, 7);
    expect_refused(&p, "add tet, place 1 of the queue: vertex slot 8 is a hole");
    add_tet(&p.edit, 0, 1, 9, 7);
    expect_refused(&p, "vertex slot 9 does not exist");
    add_tet(&p.edit, 0, -1, 2, 7);
    expect_refused(&p, "vertex slot -1 does not exist");
    add_vertex(&p.edit, 1, 1, 0);
    add_tet(&p.edit, 0, 1, EW_NEW_VERTEX(1), 7);
    expect_refused(&p, "new vertex 1 is not in the batch");
    add_tet(&p.edit, 0, 1, INT32_MIN, 7);
    expect_refused(&p, "is not in the batch");
    add_tet(&p.edit, 0, 1, 1, 7);
    expect_refused(&p, "vertex 1 is named twice");
    int32_t v = add_vertex(&p.edit, 1, 1, 0);
    add_tet(&p.edit, 0, v, v, 7);
    expect_refused(&p, "new vertex 0 is named twice");
    ew_edit_remove_vertex(&p.edit, 3);
    add_tet(&p.edit, 0, 1, 3, 7);
    expect_refused(&p, "vertex 8 (slot 3) is removed by the same batch");
    v = add_vertex(&p.edit, 1, 1, 0);
    add_tet(&p.edit, 0, v, 1, 7);
    expect_refused(&p, "add tet, place 0 of the queue: volume -0.1");
    v = add_vertex(&p.edit, 0.5, 0.5, 0.5);
    add_tet(&p.edit, 0, 1, v, 7);
    expect_refused(&p, "between vertex 0, vertex 1, new vertex 0 and vertex 7");
    pair_end(&p);
}

static void test_commit_labels_faces(void)
{
    pair p;
    pair_with_holes(&p);
    ew_edit_add_face(&p.edit, (int32_t[3]){0, 1, 8}, 4);
    expect_refused(&p, "add face, place 0 of the queue: vertex slot 8 is a hole");
    ew_edit_add_face(&p.edit, (int32_t[3]){0, 1, EW_NEW_VERTEX(0)}, 4);
    expect_refused(&p, "new vertex 0 is not in the batch");
    ew_edit_add_face(&p.edit, (int32_t[3]){0, 1, 1}, 4);
    expect_refused(&p, "vertex 1 is named twice; give 3 different vertices");
    pair_end(&p);
}

static void test_commit_refuses_tets_that_are_there(void)
{
    pair p;
    pair_begin(&p, 1);
    add_tet(&p.edit, 1, 3, 0, 7);
    expect_refused(&p, "add tet, place 0 of the queue: tet 0 has the same vertices");
    int32_t v = add_vertex(&p.edit, 0.5, 0.5, 2.0);
    add_tet(&p.edit, 4, 5, 7, v);
    add_tet(&p.edit, 4, 7, 6, v);
    add_tet(&p.edit, 5, 7, 4, v);
    expect_refused(&p, "add tet, place 2 of the queue: the tet at place 0 has the same vertices");
    pair_end(&p);
}

static void test_commit_refuses_the_third_tet_on_a_face(void)
{
    pair p;
    pair_begin(&p, 1);
    /* Face 0 1 7 is between tets 0 and 5. */
    int32_t v = add_vertex(&p.edit, 0.5, -3.0, 0.5);
    add_tet(&p.edit, 0, 1, 7, v);
    expect_refused(&p, "add tet, place 0 of the queue: two other tets have its face of");
    /* Face 4 5 7 is on the boundary: one may come, not two. */
    v = add_vertex(&p.edit, 0.5, 0.5, 2.0);
    int32_t w = add_vertex(&p.edit, 0.6, 0.5, 2.0);
    add_tet(&p.edit, 4, 5, 7, v);
    add_tet(&p.edit, 4, 5, 7, w);
    expect_refused(&p, "two other tets have its face of");
    /* Three new ones around a face. */
    ew_edit_remove_tet(&p.edit, 4);
    for (int i = 0; i < 3; i++) {
        add_tet(&p.edit, 4, 5, 7, add_vertex(&p.edit, 0.5, 0.5, 2.0 + i));
    }
    expect_refused(&p, "place 1 of the queue: it lies on the same side of its face of");
    /* Two where one went are welcome. */
    ew_edit_remove_tet(&p.edit, 4);
    v = add_vertex(&p.edit, 0.5, 0.5, 2.0);
    add_tet(&p.edit, 4, 5, 7, v);
    add_tet(&p.edit, 0, 4, 5, 7);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    pair_end(&p);
}

static void test_commit_refuses_tets_that_overlap_across_a_face(void)
{
    pair p;
    pair_begin(&p, 1);
    /* Face 4 5 7 is tet 4's, which lies below it. */
    add_tet(&p.edit, 4, 7, 5, add_vertex(&p.edit, 0.6, 0.4, 0.5));
    expect_refused(&p, "place 0 of the queue: it lies on the same side of its face of vertex 4, "
                       "vertex 5 and vertex 7 as tet 4, so the two overlap");
    ew_edit_remove_tet(&p.edit, 4);
    add_tet(&p.edit, 0, 4, 5, 7);
    add_tet(&p.edit, 4, 7, 5, add_vertex(&p.edit, 0.6, 0.4, 0.5));
    expect_refused(&p, "vertex 4, vertex 5 and vertex 7 as the tet at place 0, so the two overlap");
    pair_end(&p);
}

static void test_commit_refuses_a_table_of_another_mesh(void)
{
    ew_mesh mesh;
    ew_rows table;
    ew_edit edit = {0};
    ew_change change = {0};
    make_cube(&mesh, 3);
    make_table(&table, &mesh);
    ew_edit_remove_tet(&edit, 0);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&mesh, &edit, &table, &change), EW_OK);
    ew_edit_clear(&edit);
    move_vertex(&edit, 1, 0.4, 0.0, 0.0);
    CU_ASSERT_EQUAL(ew_mesh_commit(&mesh, &edit, &table, &change), EW_STALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "vertex 1"));
    CU_ASSERT_EQUAL(mesh.revision, 2);
    CU_ASSERT_EQUAL(mesh.xyz[3], 1.0 / 3.0);
    ew_rows_free(&table);
    ew_mesh_free(&mesh);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

/* All tets leave and come again: so many that several threads check them. */
static void queue_all_again(pair *p)
{
    for (int32_t t = 0; t < p->mesh.n_tet; t++) {
        const int32_t *v = p->mesh.tet + 4 * t;
        ew_edit_remove_tet(&p->edit, t);
        add_tet(&p->edit, v[0], v[1], v[2], v[3]);
    }
}

static void test_commit_names_the_first_of_many(void)
{
    enum { FIRST = 5300, SECOND = 9700 };
    static const char *const word[] = {"vertex slot 99999 does not exist", "volume -",
                                       "the tet at place 17 has the same vertices",
                                       "is named twice"};
    pair p;
    char wanted[80];
    pair_begin(&p, 12);
    for (int kind = 0; kind < 4; kind++) {
        queue_all_again(&p);
        for (int32_t i = FIRST; i <= SECOND; i += SECOND - FIRST) {
            int32_t *v = p.edit.add_tet + 4 * i, last = v[3];
            v[3] = kind == 0 ? 99999 : kind == 1 ? v[2] : kind == 2 ? v[3] : v[0];
            v[2] = kind == 1 ? last : v[2];
            if (kind == 2) {
                memcpy(v, p.edit.add_tet + 4 * 17, 4 * sizeof *v);
            }
        }
        snprintf(wanted, sizeof wanted, "add tet, place %d of the queue: ", FIRST);
        CU_ASSERT_EQUAL(pair_commit(&p), EW_BAD_EDIT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), wanted));
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word[kind]));
    }
    queue_all_again(&p);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_check(&p.mesh), EW_OK);
    pair_end(&p);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_commit_refuses_bad_removals", test_commit_refuses_bad_removals},
        {"test_commit_refuses_bad_vertices", test_commit_refuses_bad_vertices},
        {"test_commit_refuses_bad_tets", test_commit_refuses_bad_tets},
        {"test_commit_labels_faces", test_commit_labels_faces},
        {"test_commit_refuses_tets_that_are_there", test_commit_refuses_tets_that_are_there},
        {"test_commit_refuses_the_third_tet_on_a_face",
         test_commit_refuses_the_third_tet_on_a_face},
        {"test_commit_refuses_tets_that_overlap_across_a_face",
         test_commit_refuses_tets_that_overlap_across_a_face},
        {"test_commit_refuses_a_table_of_another_mesh",
         test_commit_refuses_a_table_of_another_mesh},
        {"test_commit_names_the_first_of_many", test_commit_names_the_first_of_many},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"refused edits", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
