/* Edits of a mesh: what a commit does, what its change says, what it refuses. Refusals leave
 * every byte; long random sequences keep every rule, with and without the table of tets by
 * vertex, which is built here by scanning. */
#include "mesh/mesh.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fixtures ---------------------------------------------------------- */

/* The unit cube in `cells`^3 cells of six tets along the main diagonals. */
static void make_cube(ew_mesh *mesh, int32_t cells)
{
    static const int8_t walk[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    int32_t side = cells + 1, n_vertex = side * side * side, n_tet = 6 * cells * cells * cells;
    double *xyz = malloc(3 * (size_t)n_vertex * sizeof *xyz);
    int32_t *tet = malloc(4 * (size_t)n_tet * sizeof *tet), *t = tet;
    for (int32_t v = 0; v < n_vertex; v++) {
        int32_t place[3] = {v % side, v / side % side, v / (side * side)};
        for (int i = 0; i < 3; i++) {
            xyz[3 * v + i] = (double)place[i] / cells;
        }
    }
    for (int32_t c = 0; c < cells * cells * cells; c++) {
        int32_t corner[8];
        for (int32_t k = 0; k < 8; k++) {
            corner[k] = (c % cells + k % 2) + side * (c / cells % cells + k / 2 % 2) +
                        side * side * (c / (cells * cells) + k / 4);
        }
        for (int w = 0; w < 6; w++, t += 4) {
            t[0] = corner[0];
            t[1] = corner[walk[w][0]];
            t[2] = corner[walk[w][1]];
            t[3] = corner[7];
        }
    }
    ew_mesh_def def = {n_vertex, xyz, n_tet, tet, NULL, 0, NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(mesh), EW_OK);
    free(xyz);
    free(tet);
}

static void make_table(ew_rows *rows, const ew_mesh *mesh)
{
    int32_t *count = calloc((size_t)mesh->n_vertex + 1, sizeof *count);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        count[v] = mesh->valence[v] > 0 ? mesh->valence[v] : 0;
    }
    CU_ASSERT_EQUAL_FATAL(ew_rows_init(rows, mesh->n_vertex, 1, count), EW_OK);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int k = 0; ew_mesh_tet_is_live(mesh, t) && k < 4; k++) {
            ew_rows_append1(rows, mesh->tet[4 * t + k], t);
        }
    }
    free(count);
}

static bool same_bytes(const void *a, const void *b, int64_t n, size_t size)
{
    return n == 0 || memcmp(a, b, (size_t)n * size) == 0;
}

static bool same_list(const ew_list *a, const ew_list *b)
{
    return a->n == b->n && same_bytes(a->id, b->id, a->n, sizeof *a->id);
}

/* All but pointers and capacities. */
static bool same_mesh(const ew_mesh *a, const ew_mesh *b)
{
    return a->n_vertex == b->n_vertex && a->n_tet == b->n_tet &&
           a->n_active_vertex == b->n_active_vertex && a->n_live_tet == b->n_live_tet &&
           a->n_region == b->n_region && a->n_face == b->n_face &&
           a->face_id_end == b->face_id_end && a->next_vertex_id == b->next_vertex_id &&
           a->next_tet_id == b->next_tet_id && a->frame == b->frame && a->revision == b->revision &&
           same_list(&a->vertex_hole, &b->vertex_hole) && same_list(&a->tet_hole, &b->tet_hole) &&
           same_bytes(a->xyz, b->xyz, a->n_vertex, 3 * sizeof *a->xyz) &&
           same_bytes(a->valence, b->valence, a->n_vertex, sizeof *a->valence) &&
           same_bytes(a->vertex_id, b->vertex_id, a->n_vertex, sizeof *a->vertex_id) &&
           same_bytes(a->tet, b->tet, a->n_tet, 4 * sizeof *a->tet) &&
           same_bytes(a->region, b->region, a->n_tet, sizeof *a->region) &&
           same_bytes(a->tet_id, b->tet_id, a->n_tet, sizeof *a->tet_id) &&
           same_bytes(a->born, b->born, a->n_tet, sizeof *a->born) &&
           same_bytes(a->region_label, b->region_label, a->n_region, sizeof *a->region_label) &&
           same_bytes(a->face, b->face, a->n_face, 3 * sizeof *a->face) &&
           same_bytes(a->face_label, b->face_label, a->n_face, sizeof *a->face_label);
}

/* What the mesh writes. */
static bool same_change(const ew_change *a, const ew_change *b)
{
    return a->from_revision == b->from_revision && a->to_revision == b->to_revision &&
           a->n_vertex_before == b->n_vertex_before && a->n_tet_before == b->n_tet_before &&
           same_list(&a->added_vertex, &b->added_vertex) &&
           same_list(&a->removed_vertex, &b->removed_vertex) &&
           same_list(&a->moved_vertex, &b->moved_vertex) &&
           same_list(&a->removed_tet, &b->removed_tet) &&
           same_bytes(a->removed_tet_vertex, b->removed_tet_vertex, a->removed_tet.n,
                      4 * sizeof(int32_t)) &&
           same_list(&a->added_tet, &b->added_tet) && same_list(&a->moved_tet, &b->moved_tet) &&
           same_list(&a->emptied_vertex, &b->emptied_vertex) &&
           same_list(&a->filled_vertex, &b->filled_vertex);
}

static bool list_is(const ew_list *list, int32_t n, const int32_t *id)
{
    return list->n == n && same_bytes(list->id, id, n, sizeof *id);
}
#define LIST_IS(list, ...)                                                                         \
    CU_ASSERT(list_is(&(list), (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / 4),                    \
                      (int32_t[]){__VA_ARGS__}))

static void add_tet(ew_edit *edit, int32_t a, int32_t b, int32_t c, int32_t d)
{
    CU_ASSERT_EQUAL(ew_edit_add_tet(edit, (int32_t[4]){a, b, c, d}, 0), EW_OK);
}

static int32_t add_vertex(ew_edit *edit, double x, double y, double z)
{
    int32_t v = 0;
    CU_ASSERT_EQUAL(ew_edit_add_vertex(edit, (double[3]){x, y, z}, &v), EW_OK);
    return v;
}

static void move_vertex(ew_edit *edit, int32_t v, double x, double y, double z)
{
    CU_ASSERT_EQUAL(ew_edit_move_vertex(edit, v, (double[3]){x, y, z}), EW_OK);
}

/* ---- the same batch on two meshes, with the table and without ----------- */

typedef struct pair {
    ew_mesh mesh, other;
    ew_change change, other_change;
    ew_edit edit;
} pair;

static void pair_begin(pair *p, int32_t cells)
{
    memset(p, 0, sizeof *p);
    make_cube(&p->mesh, cells);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&p->other, &p->mesh), EW_OK);
}

static void pair_end(pair *p)
{
    ew_mesh_free(&p->mesh);
    ew_mesh_free(&p->other);
    ew_change_free(&p->change);
    ew_change_free(&p->other_change);
    ew_edit_free(&p->edit);
}

static bool change_is_empty(const ew_change *change, const ew_mesh *mesh)
{
    return change->from_revision == mesh->revision && change->to_revision == mesh->revision &&
           change->added_vertex.n + change->removed_vertex.n + change->moved_vertex.n +
                   change->removed_tet.n + change->added_tet.n + change->moved_tet.n +
                   change->emptied_vertex.n + change->filled_vertex.n ==
               0;
}

/* Commits the queued edit to both and clears it; a refusal must leave all as it was. */
static ew_status pair_commit(pair *p)
{
    ew_mesh before;
    ew_rows table;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&before, &p->mesh), EW_OK);
    make_table(&table, &p->mesh);
    ew_status other = ew_mesh_commit(&p->other, &p->edit, NULL, &p->other_change);
    ew_status status = ew_mesh_commit(&p->mesh, &p->edit, &table, &p->change);
    CU_ASSERT_EQUAL(status, other);
    CU_ASSERT(same_mesh(&p->mesh, &p->other));
    CU_ASSERT(same_change(&p->change, &p->other_change));
    CU_ASSERT_EQUAL(ew_mesh_check(&p->mesh), EW_OK);
    if (status) {
        CU_ASSERT(same_mesh(&p->mesh, &before));
        CU_ASSERT(change_is_empty(&p->change, &p->mesh));
    }
    ew_rows_free(&table);
    ew_mesh_free(&before);
    ew_edit_clear(&p->edit);
    return status;
}

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

static void test_commit_moves_vertices(void)
{
    pair p;
    pair_begin(&p, 2);
    int32_t centre = 13, n = p.mesh.valence[centre];
    move_vertex(&p.edit, centre, 0.55, 0.5, 0.45);
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
    move_vertex(&p.edit, centre, 0.5, 0.5, 0.5);
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
    expect_refused(&p, "place 2 of the queue: two other tets have its face of");
    /* Two where one went are welcome. */
    ew_edit_remove_tet(&p.edit, 4);
    v = add_vertex(&p.edit, 0.5, 0.5, 2.0);
    add_tet(&p.edit, 4, 5, 7, v);
    add_tet(&p.edit, 0, 4, 5, 7);
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
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
        int64_t k = 0;
        for (; refused; k++) {
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
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_EQUAL(same_mesh(&mesh, &before), refused);
            CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
            ew_mesh_free(&before);
            ew_mesh_free(&mesh);
            ew_rows_free(&table);
            ew_edit_free(&edit);
            ew_change_free(&change);
            ew_change_free(&change);
        }
        CU_ASSERT(k > 30);
    }
}

/* ---- random sequences -------------------------------------------------- */

static int32_t random_live_tet(const ew_mesh *mesh, uint64_t *state)
{
    int32_t t = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    while (!ew_mesh_tet_is_live(mesh, t)) {
        t = (t + 1) % mesh->n_tet;
    }
    return t;
}

static double random_offset(uint64_t *state, double size)
{
    return size * ((double)ew_test_random(state, 2001) / 1000.0 - 1.0);
}

/* A tet on a random face, with a new vertex above it; a face that is taken refuses it. */
static void queue_growth(ew_edit *edit, const ew_mesh *mesh, uint64_t *state)
{
    int32_t t = random_live_tet(mesh, state);
    const int8_t *face = ew_face_vertex[ew_test_random(state, 4)];
    int32_t v[3];
    double x[3] = {0}, a[3], b[3];
    for (int k = 0; k < 3; k++) {
        v[k] = mesh->tet[4 * t + face[k]];
        for (int i = 0; i < 3; i++) {
            x[i] += mesh->xyz[3 * v[k] + i] / 3.0;
        }
    }
    for (int i = 0; i < 3; i++) {
        a[i] = mesh->xyz[3 * v[1] + i] - mesh->xyz[3 * v[0] + i];
        b[i] = mesh->xyz[3 * v[2] + i] - mesh->xyz[3 * v[0] + i];
    }
    for (int i = 0; i < 3; i++) {
        x[i] += a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
    int32_t apex = add_vertex(edit, x[0], x[1], x[2]);
    CU_ASSERT_EQUAL(
        ew_edit_add_tet(edit, (int32_t[4]){v[0], v[1], v[2], apex}, (int32_t)(v[0] % 3)), EW_OK);
}

static void queue_move(ew_edit *edit, const ew_mesh *mesh, uint64_t *state)
{
    int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
    double size = ew_test_random(state, 8) ? 0.02 : 1.0;
    const double *x = mesh->xyz + 3 * v;
    move_vertex(edit, v, x[0] + random_offset(state, size), x[1] + random_offset(state, size),
                x[2] + random_offset(state, size));
}

/* Tets that were removed, to be put back; vertices may have moved or gone meanwhile. */
typedef struct memory {
    int32_t n;
    int32_t tet[4096][4];
} memory;

static void queue_return(ew_edit *edit, const memory *gone, uint64_t *state)
{
    if (gone->n) {
        const int32_t *v = gone->tet[ew_test_random(state, (uint32_t)gone->n)];
        add_tet(edit, v[0], v[1], v[2], v[3]);
    }
}

static void queue_random(ew_edit *edit, const ew_mesh *mesh, const memory *gone, uint64_t *state)
{
    uint32_t kind = ew_test_random(state, 16);
    if (kind < 5 && mesh->n_live_tet) {
        ew_edit_remove_tet(edit, random_live_tet(mesh, state));
    } else if (kind < 9 && mesh->n_live_tet) {
        queue_growth(edit, mesh, state);
    } else if (kind < 12) {
        queue_return(edit, gone, state);
    } else if (kind < 14) {
        queue_move(edit, mesh, state);
    } else {
        int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
        for (int32_t i = 0; i < mesh->n_vertex && mesh->valence[v] != 0; i++) {
            v = (v + 1) % mesh->n_vertex;
        }
        ew_edit_remove_vertex(edit, v); /* one without tets, where there is one */
    }
}

/* The change against what the meshes before and after say. */
static void check_change(const ew_change *change, const ew_mesh *before, const ew_mesh *after)
{
    int32_t emptied = 0, filled = 0, moved = 0;
    for (int32_t v = 0; v < after->n_vertex; v++) {
        bool new = v >= before->n_vertex || before->valence[v] < 0 ||
                   before->vertex_id[v] != after->vertex_id[v];
        bool was = v < before->n_vertex && before->valence[v] > 0, is = after->valence[v] > 0;
        if (was && !is) {
            CU_ASSERT_FATAL(emptied < change->emptied_vertex.n);
            CU_ASSERT_EQUAL(change->emptied_vertex.id[emptied++], v);
        }
        if (is && (!was || new)) {
            CU_ASSERT_FATAL(filled < change->filled_vertex.n);
            CU_ASSERT_EQUAL(change->filled_vertex.id[filled++], v);
        }
    }
    CU_ASSERT_EQUAL(emptied, change->emptied_vertex.n);
    CU_ASSERT_EQUAL(filled, change->filled_vertex.n);
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        CU_ASSERT_EQUAL(memcmp(change->removed_tet_vertex + 4 * i,
                               before->tet + 4 * change->removed_tet.id[i], 16),
                        0);
    }
    for (int32_t t = 0; t < before->n_tet; t++) {
        bool touched = false;
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(before, t); k++) {
            int32_t v = before->tet[4 * t + k];
            touched |= memcmp(before->xyz + 3 * v, after->xyz + 3 * v, 24) != 0;
        }
        if (touched && ew_mesh_tet_is_live(after, t) && before->tet_id[t] == after->tet_id[t]) {
            CU_ASSERT_FATAL(moved < change->moved_tet.n);
            CU_ASSERT_EQUAL(change->moved_tet.id[moved++], t);
        }
    }
    CU_ASSERT_EQUAL(moved, change->moved_tet.n);
}

static void test_random_batches_keep_every_rule(void)
{
    static memory gone;
    uint64_t state = 20240607;
    int32_t accepted = 0, refused = 0;
    pair p;
    pair_begin(&p, 2);
    gone.n = 0;
    for (int i = 0; i < 4000; i++) {
        ew_mesh before;
        CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&before, &p.mesh), EW_OK);
        uint32_t n = 1 + ew_test_random(&state, ew_test_random(&state, 4) ? 3 : 12);
        for (uint32_t k = 0; k < n; k++) {
            queue_random(&p.edit, &p.mesh, &gone, &state);
        }
        ew_status status = pair_commit(&p);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        accepted += !status;
        refused += status != EW_OK;
        if (!status) {
            check_change(&p.change, &before, &p.mesh);
        }
        for (int32_t k = 0; k < p.change.removed_tet.n; k++) {
            int32_t place = gone.n < 4096 ? gone.n++ : (int32_t)ew_test_random(&state, 4096);
            memcpy(gone.tet[place], p.change.removed_tet_vertex + 4 * k, 16);
        }
        ew_mesh_free(&before);
    }
    CU_ASSERT(accepted > 1000);
    CU_ASSERT(refused > 1000);
    pair_end(&p);
}

/* Down to nothing, one tet after the other, and up again in another order. */
static void test_mesh_empties_and_fills_again(void)
{
    pair p;
    ew_mesh first;
    uint64_t state = 7;
    pair_begin(&p, 2);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&first, &p.mesh), EW_OK);
    while (p.mesh.n_live_tet) {
        ew_edit_remove_tet(&p.edit, random_live_tet(&p.mesh, &state));
        CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    }
    CU_ASSERT_EQUAL(p.mesh.n_active_vertex, 0);
    for (int32_t v = 0; v < first.n_vertex; v++) {
        ew_edit_remove_vertex(&p.edit, v);
    }
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL(p.mesh.vertex_hole.n, first.n_vertex);
    int32_t *now = calloc((size_t)first.n_vertex, sizeof *now);
    for (int32_t v = 0; v < first.n_vertex; v++) {
        const double *x = first.xyz + 3 * v;
        add_vertex(&p.edit, x[0], x[1], x[2]);
    }
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    for (int32_t v = 0; v < first.n_vertex; v++) {
        now[v] = p.change.added_vertex.id[v];
    }
    for (int32_t t = 0; t < first.n_tet; t++) {
        const int32_t *v = first.tet + 4 * t;
        add_tet(&p.edit, now[v[0]], now[v[1]], now[v[2]], now[v[3]]);
        CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    }
    CU_ASSERT_EQUAL(p.mesh.n_tet, first.n_tet);
    CU_ASSERT_EQUAL(p.mesh.n_vertex, first.n_vertex);
    CU_ASSERT_EQUAL(p.mesh.tet_hole.n, 0);
    CU_ASSERT_EQUAL(p.mesh.next_vertex_id, 2 * first.n_vertex);
    free(now);
    ew_mesh_free(&first);
    pair_end(&p);
}

/* A removal and its undo repeated for long take no more memory. */
static void test_undo_for_ever_keeps_the_size(void)
{
    ew_mesh mesh;
    ew_edit edit = {0};
    ew_change change = {0};
    make_cube(&mesh, 2);
    int32_t v[4];
    for (int i = 0; i < 20000; i++) {
        int32_t t = i % mesh.n_tet;
        memcpy(v, mesh.tet + 4 * t, sizeof v);
        ew_edit_remove_tet(&edit, t);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&mesh, &edit, NULL, &change), EW_OK);
        ew_edit_clear(&edit);
        ew_edit_add_tet(&edit, v, 0);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&mesh, &edit, NULL, &change), EW_OK);
        ew_edit_clear(&edit);
    }
    CU_ASSERT_EQUAL(mesh.tet_capacity, 48);
    CU_ASSERT(mesh.tet_hole.capacity <= 8);
    CU_ASSERT(change.removed_tet.capacity <= 8);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

int main(int argc, char **argv)
{
    CU_TestInfo applied[] = {
        {"test_commit_removes_and_adds", test_commit_removes_and_adds},
        {"test_commit_replaces_a_tet_in_one_batch", test_commit_replaces_a_tet_in_one_batch},
        {"test_commit_replaces_a_vertex_in_one_batch", test_commit_replaces_a_vertex_in_one_batch},
        {"test_commit_moves_vertices", test_commit_moves_vertices},
        {"test_commit_moves_all_vertices", test_commit_moves_all_vertices},
        {"test_commit_uses_final_positions", test_commit_uses_final_positions},
        {"test_commit_of_nothing_keeps_the_revision", test_commit_of_nothing_keeps_the_revision},
        {"test_commit_opens_regions", test_commit_opens_regions},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo refused[] = {
        {"test_commit_refuses_bad_removals", test_commit_refuses_bad_removals},
        {"test_commit_refuses_bad_vertices", test_commit_refuses_bad_vertices},
        {"test_commit_refuses_bad_tets", test_commit_refuses_bad_tets},
        {"test_commit_refuses_tets_that_are_there", test_commit_refuses_tets_that_are_there},
        {"test_commit_refuses_the_third_tet_on_a_face",
         test_commit_refuses_the_third_tet_on_a_face},
        {"test_commit_refuses_a_table_of_another_mesh",
         test_commit_refuses_a_table_of_another_mesh},
        {"test_commit_survives_lack_of_memory", test_commit_survives_lack_of_memory},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo sequences[] = {
        {"test_random_batches_keep_every_rule", test_random_batches_keep_every_rule},
        {"test_mesh_empties_and_fills_again", test_mesh_empties_and_fills_again},
        {"test_undo_for_ever_keeps_the_size", test_undo_for_ever_keeps_the_size},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"applied", NULL, NULL, NULL, NULL, applied},
        {"refused", NULL, NULL, NULL, NULL, refused},
        {"sequences", NULL, NULL, NULL, NULL, sequences},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
