/* Edits of a mesh: what a commit does, what its change says, and memory that ends. */
#include "edit_fixture.h"

#include <math.h>
#include <stdio.h>

static bool list_is(const ew_list *list, int32_t n, const int32_t *id)
{
    return list->n == n && same_bytes(list->id, id, n, sizeof *id);
}
#define LIST_IS(list, ...)                                                                         \
    CU_ASSERT(list_is(&(list), (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4),                    \
                      (int32_t[]){__VA_ARGS__}))

/* ---- what a commit does ------------------------------------------------ */

/* One cell: tets 0 .. 5 around the diagonal 0-7. Tet 0 = 0 1 3 7, tet 5 = 0 5 1 7. */
static void test_commit_removes_and_adds(void)
{
    pair p;
    pair_begin(&p, 1);
    ew_edit_remove_tet(&p.edit, 4);
    ew_edit_remove_tet(&p.edit, 1);
    ew_edit_remove_tet(&p.edit, 0);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL(p.change.from_revision, 1);
    CU_ASSERT_EQUAL(p.change.to_revision, 2);
    LIST_IS(p.change.removed_tet, 0, 1, 4);
    CU_ASSERT_EQUAL(memcmp(p.change.removed_tet_vertex, (int32_t[]){0, 1, 3, 7, 0, 3, 2, 7}, 32),
                    0);
    LIST_IS(p.change.emptied_vertex, 3);
    CU_ASSERT_EQUAL(p.change.filled_vertex.n, 0);
    CU_ASSERT_EQUAL(p.mesh.n_live_tet, 3);
    CU_ASSERT_EQUAL(p.mesh.n_active_vertex, 7);
    CU_ASSERT_EQUAL(p.mesh.valence[3], 0);

    p.mesh.frame = p.other.frame = 7;
    add_tet(&p.edit, 0, 1, 3, 7);
    int32_t top = add_vertex(&p.edit, 0.5, 0.5, 2.0);
    add_tet(&p.edit, 0, 3, 2, 7);
    add_tet(&p.edit, 4, 5, 7, top);
    add_tet(&p.edit, 4, 7, 6, top);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.added_tet, 0, 1, 4, 6); /* freed last, taken first; then a new slot */
    LIST_IS(p.change.added_vertex, 8);
    LIST_IS(p.change.filled_vertex, 3, 8);
    CU_ASSERT_EQUAL(p.mesh.tet_id[0], 6);
    CU_ASSERT_EQUAL(p.mesh.tet_id[6], 9);
    CU_ASSERT_EQUAL(p.mesh.born[4], 7);
    CU_ASSERT_EQUAL(p.mesh.born[2], 0);
    CU_ASSERT_EQUAL(p.mesh.vertex_id[8], 8);
    CU_ASSERT_EQUAL(p.mesh.n_active_vertex, 9);
    CU_ASSERT_EQUAL(p.change.n_vertex_before, 8);
    CU_ASSERT_EQUAL(p.change.n_tet_before, 6);
    pair_end(&p);
}

static void test_commit_replaces_a_tet_in_one_batch(void)
{
    pair p;
    pair_begin(&p, 1);
    ew_edit_remove_tet(&p.edit, 2);
    add_tet(&p.edit, p.mesh.tet[8], p.mesh.tet[9], p.mesh.tet[10], p.mesh.tet[11]);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.removed_tet, 2);
    LIST_IS(p.change.added_tet, 2);
    CU_ASSERT_EQUAL(p.change.emptied_vertex.n, 0);
    CU_ASSERT_EQUAL(p.change.filled_vertex.n, 0);
    CU_ASSERT_EQUAL(p.mesh.tet_id[2], 6);
    CU_ASSERT_EQUAL(p.mesh.revision, 2);
    pair_end(&p);
}

/* Vertex 3 goes with its two tets; a new vertex takes its slot and its place. */
static void test_commit_replaces_a_vertex_in_one_batch(void)
{
    pair p;
    pair_begin(&p, 1);
    ew_edit_remove_tet(&p.edit, 0);
    ew_edit_remove_tet(&p.edit, 1);
    ew_edit_remove_vertex(&p.edit, 3);
    int32_t v = add_vertex(&p.edit, 1.1, 1.1, 0.0);
    add_tet(&p.edit, 0, 1, v, 7);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.removed_vertex, 3);
    LIST_IS(p.change.added_vertex, 3);
    LIST_IS(p.change.filled_vertex, 3);
    CU_ASSERT_EQUAL(p.change.emptied_vertex.n, 0);
    CU_ASSERT_EQUAL(p.mesh.vertex_id[3], 8);
    CU_ASSERT_EQUAL(p.mesh.xyz[9], 1.1);
    CU_ASSERT_EQUAL(p.mesh.n_active_vertex, 8);
    CU_ASSERT_EQUAL(p.mesh.vertex_hole.n, 0);

    /* The same without a tet for the new one: the slot had tets and has none. */
    ew_edit_remove_tet(&p.edit, p.change.added_tet.id[0]);
    ew_edit_remove_vertex(&p.edit, 3);
    add_vertex(&p.edit, 1.2, 1.2, 0.0);
    add_vertex(&p.edit, 1.3, 1.2, 0.0);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.added_vertex, 3, 8);
    LIST_IS(p.change.emptied_vertex, 3);
    CU_ASSERT_EQUAL(p.mesh.valence[3], 0);
    pair_end(&p);
}

/* The slot of a vertex that goes with its last tets stays free. */
static void test_commit_removes_a_vertex_with_its_tets(void)
{
    pair p;
    pair_begin(&p, 1);
    ew_edit_remove_tet(&p.edit, 0);
    ew_edit_remove_tet(&p.edit, 1);
    ew_edit_remove_vertex(&p.edit, 3);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.removed_vertex, 3);
    LIST_IS(p.change.emptied_vertex, 3);
    LIST_IS(p.mesh.vertex_hole, 3);
    CU_ASSERT_EQUAL(p.mesh.valence[3], -1);
    CU_ASSERT_EQUAL(p.mesh.n_active_vertex, 7);
    pair_end(&p);
}

static void test_commit_moves_vertices(void)
{
    pair p;
    pair_begin(&p, 2);
    int32_t center = 13, n = p.mesh.valence[center];
    move_vertex(&p.edit, center, 0.55, 0.5, 0.45);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.moved_vertex, 13);
    CU_ASSERT_EQUAL(p.change.moved_tet.n, n);
    for (int32_t i = 1; i < n; i++) {
        CU_ASSERT(p.change.moved_tet.id[i - 1] < p.change.moved_tet.id[i]);
    }
    CU_ASSERT_EQUAL(p.mesh.xyz[39], 0.55);
    /* A tet that goes with the move is not among the moved ones. */
    int32_t gone = p.change.moved_tet.id[0];
    ew_edit_remove_tet(&p.edit, gone);
    move_vertex(&p.edit, 26, 1.5, 1.5, 1.5);
    move_vertex(&p.edit, center, 0.5, 0.5, 0.5);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.moved_vertex, 13, 26);
    CU_ASSERT(p.change.moved_tet.n > 0 && p.change.moved_tet.id[0] != gone);
    pair_end(&p);
}

/* Moving all at once takes another way through the mesh than moving a few. */
static void test_commit_moves_all_vertices(void)
{
    pair p;
    pair_begin(&p, 2);
    for (int32_t v = 0; v < 27; v++) {
        const double *x = p.mesh.xyz + 3 * v;
        move_vertex(&p.edit, v, 2.0 * x[0], x[1], x[2]);
    }
    ew_edit_remove_tet(&p.edit, 5);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL(p.change.moved_vertex.n, 18); /* those at x = 0 stay where they are */
    CU_ASSERT_EQUAL(p.change.moved_tet.n, 47);
    CU_ASSERT_EQUAL(p.change.moved_tet.id[5], 6);
    pair_end(&p);
}

static void test_commit_uses_final_positions(void)
{
    pair p;
    pair_begin(&p, 1);
    /* Inverted where its vertex is now, right where it moves. */
    ew_edit_remove_tet(&p.edit, 0);
    ew_edit_remove_tet(&p.edit, 1);
    move_vertex(&p.edit, 3, 0.5, 0.5, -1.0);
    add_tet(&p.edit, 0, 1, 7, 3);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_BAD_EDIT);
    ew_edit_remove_tet(&p.edit, 0);
    ew_edit_remove_tet(&p.edit, 1);
    ew_edit_remove_tet(&p.edit, 5); /* in the way */
    move_vertex(&p.edit, 3, 0.5, -3.0, 0.5);
    add_tet(&p.edit, 0, 1, 7, 3);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    LIST_IS(p.change.moved_vertex, 3);
    CU_ASSERT_EQUAL(p.change.moved_tet.n, 0);
    pair_end(&p);
}

static void test_commit_of_nothing_keeps_the_revision(void)
{
    pair p;
    pair_begin(&p, 1);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT(change_is_empty(&p.change, &p.mesh));
    move_vertex(&p.edit, 0, 0.0, 0.0, 0.0);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT(change_is_empty(&p.change, &p.mesh));
    CU_ASSERT_EQUAL(p.mesh.revision, 1);
    add_vertex(&p.edit, 3, 3, 3);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL(p.mesh.revision, 2);
    pair_end(&p);
}

static void test_commit_opens_regions(void)
{
    pair p;
    pair_begin(&p, 1);
    int32_t v = add_vertex(&p.edit, 0.5, 0.5, 2.0);
    CU_ASSERT_EQUAL(ew_edit_add_tet(&p.edit, (int32_t[4]){4, 5, 7, v}, 42), EW_OK);
    CU_ASSERT_EQUAL(ew_edit_add_tet(&p.edit, (int32_t[4]){4, 7, 6, v}, -1), EW_OK);
    int32_t w = add_vertex(&p.edit, 0.5, 0.5, -2.0);
    CU_ASSERT_EQUAL(ew_edit_add_tet(&p.edit, (int32_t[4]){0, 3, 1, w}, 42), EW_OK);
    CU_ASSERT_EQUAL(ew_edit_add_tet(&p.edit, (int32_t[4]){0, 2, 3, w}, 0), EW_OK);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL_FATAL(p.mesh.n_region, 3);
    CU_ASSERT_EQUAL(p.mesh.region_label[p.mesh.region[6]], 42);
    CU_ASSERT_EQUAL(p.mesh.region_label[p.mesh.region[7]], -1);
    CU_ASSERT_EQUAL(p.mesh.region[8], p.mesh.region[6]);
    CU_ASSERT_EQUAL(p.mesh.region[9], 0);
    pair_end(&p);
}

/* ---- memory ------------------------------------------------------------ */

static ew_status queue_some_of_everything(ew_edit *edit)
{
    int32_t v;
    EW_TRY(ew_edit_remove_tet(edit, 0));
    EW_TRY(ew_edit_remove_tet(edit, 1));
    EW_TRY(ew_edit_remove_vertex(edit, 3));
    for (int i = 0; i < 9; i++) {
        EW_TRY(ew_edit_add_vertex(edit, (double[3]){0.5, 0.5, 2.0 + i}, &v));
        EW_TRY(ew_edit_add_tet(edit, (int32_t[4]){i ? v + 1 : 4, 5, 7, v}, i));
    }
    return ew_edit_move_vertex(edit, 0, (double[3]){-0.1, 0.0, 0.0});
}

static void test_commit_survives_lack_of_memory(void)
{
    for (int with_table = 0; with_table < 2; with_table++) {
        bool refused = true;
        int n_refused = 0;
        for (int64_t k = 0; refused; k++) {
            ew_mesh mesh, before;
            ew_rows table;
            ew_edit edit = {0};
            ew_change change = {0};
            make_cube(&mesh, 1);
            make_table(&table, &mesh);
            CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&before, &mesh), EW_OK);
            ew_test_allocations_begin(k);
            ew_status status = queue_some_of_everything(&edit);
            if (!status) {
                status = ew_mesh_commit(&mesh, &edit, with_table ? &table : NULL, &change);
            }
            refused = ew_test_allocations_end();
            /* Under EW_VALIDATE the checker may lack memory after all is done. */
            CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && refused));
            CU_ASSERT_EQUAL(same_mesh(&mesh, &before), status == EW_NO_MEMORY);
            n_refused += status == EW_NO_MEMORY;
            CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
            ew_mesh_free(&before);
            ew_mesh_free(&mesh);
            ew_rows_free(&table);
            ew_edit_free(&edit);
            ew_change_free(&change);
            ew_change_free(&change);
        }
        CU_ASSERT(n_refused > 30);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_commit_removes_and_adds", test_commit_removes_and_adds},
        {"test_commit_replaces_a_tet_in_one_batch", test_commit_replaces_a_tet_in_one_batch},
        {"test_commit_replaces_a_vertex_in_one_batch", test_commit_replaces_a_vertex_in_one_batch},
        {"test_commit_removes_a_vertex_with_its_tets", test_commit_removes_a_vertex_with_its_tets},
        {"test_commit_moves_vertices", test_commit_moves_vertices},
        {"test_commit_moves_all_vertices", test_commit_moves_all_vertices},
        {"test_commit_uses_final_positions", test_commit_uses_final_positions},
        {"test_commit_of_nothing_keeps_the_revision", test_commit_of_nothing_keeps_the_revision},
        {"test_commit_opens_regions", test_commit_opens_regions},
        {"test_commit_survives_lack_of_memory", test_commit_survives_lack_of_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"edit", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
