/* Refused batches leave every bit of tables and matrix, and a million edits with their undoing
 * leave memory as it was. */
#include "oracle_body.h"

/* ---- refused batches --------------------------------------------------- */

typedef struct snapshot {
    size_t bytes;
    unsigned char *data;
} snapshot;

static void keep(snapshot *s, const void *data, size_t bytes)
{
    s->data = realloc(s->data, s->bytes + bytes + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->data);
    if (bytes) {
        memcpy(s->data + s->bytes, data, bytes);
    }
    s->bytes += bytes;
}

static void keep_rows(snapshot *s, const ew_rows *rows)
{
    keep(s, rows->begin, (size_t)rows->n_row * sizeof *rows->begin);
    keep(s, rows->count, (size_t)rows->n_row * sizeof *rows->count);
    keep(s, rows->item, (size_t)rows->n_item * (size_t)rows->width * sizeof *rows->item);
}

/* Every byte of mesh, tables and matrix that means something. */
static snapshot take(const body *b)
{
    snapshot s = {0};
    const ew_mesh *mesh = &b->mesh;
    const ew_pattern *pattern = &b->topology.pattern;
    const size_t n = (size_t)mesh->n_vertex, t = (size_t)mesh->n_tet;
    keep(&s, mesh->xyz, 3 * n * sizeof(double));
    keep(&s, mesh->valence, n * sizeof(int32_t));
    keep(&s, mesh->vertex_id, n * sizeof(int64_t));
    keep(&s, mesh->tet, 4 * t * sizeof(int32_t));
    keep(&s, mesh->tet_id, t * sizeof(int64_t));
    keep(&s, mesh->vertex_hole.id, (size_t)mesh->vertex_hole.n * sizeof(int32_t));
    keep(&s, mesh->tet_hole.id, (size_t)mesh->tet_hole.n * sizeof(int32_t));
    keep(&s, &mesh->revision, sizeof mesh->revision);
    keep(&s, pattern->pair_row, 2 * (size_t)pattern->n_pair * sizeof(int32_t));
    keep_rows(&s, &pattern->row_to_pair);
    keep(&s, pattern->n_lower, n * sizeof(int32_t));
    keep_rows(&s, &b->topology.edge_to_tet);
    keep_rows(&s, &b->topology.vertex_to_tet);
    keep(&s, b->topology.tet_to_edge, 6 * t * sizeof(int32_t));
    keep(&s, b->topology.pattern.pair_hole.id,
         (size_t)b->topology.pattern.pair_hole.n * sizeof(int32_t));
    keep(&s, &b->topology.pattern.revision, sizeof b->topology.pattern.revision);
    keep(&s, b->matrix.diagonal, 9 * (size_t)b->matrix.n_row * sizeof(double));
    keep(&s, b->matrix.pair, 9 * (size_t)b->matrix.n_pair * sizeof(double));
    return s;
}

/* The batch must be refused. The stages after the commit see its change all the same, as a program
 * that does not look would call them, and must leave everything as it is. */
static void expect_refused(body *b, const char *word)
{
    snapshot before = take(b);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change),
                    EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
    CU_ASSERT_EQUAL(ew_topology_update(&b->topology, &b->mesh, &b->change), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&b->matrix, &b->mesh, &b->topology, &b->materials,
                                            &b->topology.touched),
                    EW_OK);
    snapshot after = take(b);
    CU_ASSERT_EQUAL(before.bytes, after.bytes);
    CU_ASSERT(before.bytes == after.bytes && !memcmp(before.data, after.data, before.bytes));
    free(before.data);
    free(after.data);
    ew_edit_clear(&b->edit);
}

static void test_bad_edits_leave_every_bit(void)
{
    body b;
    start(&b, false);
    for (int i = 0; i < 5; i++) { /* holes in every list */
        ew_edit_clear(&b.edit);
        queue_removal(&b, live_tet(&b));
        apply(&b);
    }
    const int32_t t = live_tet(&b);
    int32_t tet[4], v;
    memcpy(tet, b.mesh.tet + 4 * (size_t)t, sizeof tet);
    ew_edit_clear(&b.edit);
    ew_edit_remove_tet(&b.edit, b.mesh.n_tet);
    expect_refused(&b, "does not exist");
    ew_edit_add_tet(&b.edit, tet, 1);
    expect_refused(&b, "add tet");
    ew_edit_remove_tet(&b.edit, t);
    ew_edit_add_tet(&b.edit, (int32_t[4]){tet[0], tet[2], tet[1], tet[3]}, 1);
    expect_refused(&b, "volume");
    ew_edit_move_vertex(&b.edit, tet[0], (double[3]){NAN, 0, 0});
    expect_refused(&b, "nan");
    ew_edit_move_vertex(&b.edit, tet[0], b.mesh.xyz + 3 * (size_t)tet[1]);
    expect_refused(&b, "volume");
    ew_edit_move_vertex(&b.edit, b.mesh.n_vertex, (double[3]){0, 0, 0});
    expect_refused(&b, "does not exist");
    /* A long batch that is right but for its last entry. */
    for (int32_t i = 0; i < b.mesh.n_tet; i++) {
        if (ew_mesh_tet_is_live(&b.mesh, i)) {
            ew_edit_remove_tet(&b.edit, i);
        }
    }
    ew_edit_add_vertex(&b.edit, (double[3]){9, 9, 9}, &v);
    ew_edit_add_tet(&b.edit, tet, 1);
    ew_edit_add_tet(&b.edit, (int32_t[4]){tet[0], tet[1], tet[2], tet[2]}, 1);
    expect_refused(&b, "twice");
    compare_with_rebuild(&b);
    stop(&b);
}

/* ---- memory ------------------------------------------------------------ */

static size_t bytes_of(const body *b)
{
    return ew_topology_bytes(&b->topology) + ew_matrix_bytes(&b->matrix) +
           (size_t)b->mesh.vertex_capacity + (size_t)b->mesh.tet_capacity;
}

/* One pair: a random tet is taken out and put back, or a vertex and its tet put on and taken off.
 */
static void there_and_back(body *b, int64_t pair)
{
    ew_edit_clear(&b->edit);
    if (pair % 16) {
        const int32_t t = live_tet(b);
        int32_t tet[4];
        memcpy(tet, b->mesh.tet + 4 * (size_t)t, sizeof tet);
        ew_edit_remove_tet(&b->edit, t);
        apply(b);
        ew_edit_clear(&b->edit);
        ew_edit_add_tet(&b->edit, tet, 1);
        apply(b);
        return;
    }
    queue_growth(b);
    if (b->edit.n_add_tet && apply(b)) {
        const int32_t tet = b->change.added_tet.id[0], vertex = b->change.added_vertex.id[0];
        ew_edit_clear(&b->edit);
        ew_edit_remove_tet(&b->edit, tet);
        ew_edit_remove_vertex(&b->edit, vertex);
        apply(b);
    }
}

static void test_million_undos_leave_memory_as_it_was(void)
{
    body b;
    start(&b, false);
    for (int64_t pair = 0; pair < 20000; pair++) {
        there_and_back(&b, pair);
    }
    const size_t before = bytes_of(&b);
    const int64_t n = getenv("EW_QUICK") ? 10000 : 1000000;
    for (int64_t pair = 0; pair < n; pair++) {
        there_and_back(&b, pair);
    }
    CU_ASSERT_EQUAL(bytes_of(&b), before);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 108);
    compare_with_rebuild(&b);
    stop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"bad_edits", test_bad_edits_leave_every_bit},
        {"million_undos", test_million_undos_leave_memory_as_it_was},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"oracle: what is undone", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
