/* Slots by id: the index against a look at every slot, through random edits, compaction and memory
 * that ends. */
#include "edit_fixture.h"

#include <stdio.h>

typedef struct body {
    ew_mesh mesh;
    ew_edit edit;
    ew_change change;
    ew_id_index index[2]; /* EW_VERTEX_IDS, EW_TET_IDS */
    int32_t (*gone)[4];   /* [n_gone] tets that were taken out, to come back under new ids */
    int32_t n_gone, lone; /* lone: a vertex without tets, or -1 */
    uint64_t seed;
} body;

static void begin(body *b, int32_t cells)
{
    *b = (body){.lone = -1, .seed = 3};
    make_cube(&b->mesh, cells);
    b->gone = malloc((size_t)b->mesh.n_tet * sizeof *b->gone);
    for (int32_t kind = 0; kind < 2; kind++) {
        CU_ASSERT_EQUAL_FATAL(ew_id_index_prepare(&b->index[kind], (ew_id_kind)kind, &b->mesh),
                              EW_OK);
    }
}

static void end(body *b)
{
    ew_mesh_free(&b->mesh);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
    for (int32_t kind = 0; kind < 2; kind++) {
        ew_id_index_free(&b->index[kind]);
        ew_id_index_free(&b->index[kind]);
    }
    free(b->gone);
}

/* Each slot is found by its id, and nothing else is. */
static void check_index(const ew_id_index *index, const ew_mesh *mesh)
{
    const bool tets = index->kind == EW_TET_IDS;
    const int32_t n_slot = tets ? mesh->n_tet : mesh->n_vertex;
    const int64_t n_id = tets ? mesh->next_tet_id : mesh->next_vertex_id;
    int32_t n = 0, n_found = 0;
    CU_ASSERT_EQUAL_FATAL(index->revision, mesh->revision);
    for (int32_t slot = 0; slot < n_slot; slot++) {
        const bool used = tets ? ew_mesh_tet_is_live(mesh, slot) : mesh->valence[slot] >= 0;
        if (used) {
            n++;
            CU_ASSERT_EQUAL(
                ew_id_index_find(index, tets ? mesh->tet_id[slot] : mesh->vertex_id[slot]), slot);
        }
    }
    for (int64_t id = -1; id < n_id + 2; id++) {
        n_found += ew_id_index_find(index, id) >= 0;
    }
    CU_ASSERT(n == n_found && n == index->n);
}

static void commit(body *b)
{
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&b->mesh, &b->edit, NULL, &b->change), EW_OK);
    for (int32_t kind = 0; kind < 2; kind++) {
        ew_id_index_update(&b->index[kind], &b->mesh, &b->change);
    }
    ew_edit_clear(&b->edit);
}

/* Takes some tets out and puts as many of those taken before back. */
static void exchange(body *b, int32_t n)
{
    const int32_t n_back = b->n_gone;
    for (int32_t i = 0; i < n_back; i++) {
        const int32_t *v = b->gone[i];
        add_tet(&b->edit, v[0], v[1], v[2], v[3]);
    }
    b->n_gone = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = (int32_t)ew_test_random(&b->seed, (uint32_t)b->mesh.n_tet);
        bool again = !ew_mesh_tet_is_live(&b->mesh, t);
        for (int32_t k = 0; k < b->edit.remove_tet.n; k++) {
            again = again || b->edit.remove_tet.id[k] == t;
        }
        if (!again) {
            memcpy(b->gone[b->n_gone++], b->mesh.tet + 4 * (size_t)t, sizeof *b->gone);
            CU_ASSERT_EQUAL(ew_edit_remove_tet(&b->edit, t), EW_OK);
        }
    }
    if (b->lone >= 0) {
        CU_ASSERT_EQUAL(ew_edit_remove_vertex(&b->edit, b->lone), EW_OK);
    }
    add_vertex(&b->edit, 5, 5, 5);
    commit(b);
    b->lone = b->change.added_vertex.id[0];
}

static void test_index_follows_edits(void)
{
    body b;
    begin(&b, 4);
    for (int32_t round = 0; round < 300; round++) {
        exchange(&b, 1 + (int32_t)ew_test_random(&b.seed, 20));
        check_index(&b.index[0], &b.mesh);
        check_index(&b.index[1], &b.mesh);
    }
    end(&b);
}

/* Ids go on for ever, the index's memory does not. */
static void test_index_does_not_grow(void)
{
    body b;
    begin(&b, 3);
    exchange(&b, 8);
    const int32_t bits = b.index[1].bits, capacity = b.index[1].slot_capacity;
    for (int32_t round = 0; round < 20000; round++) {
        exchange(&b, 8);
    }
    CU_ASSERT(b.mesh.next_tet_id > 100000);
    CU_ASSERT(b.index[1].bits == bits && b.index[1].slot_capacity == capacity);
    check_index(&b.index[1], &b.mesh);
    check_index(&b.index[0], &b.mesh);
    end(&b);
}

static void test_index_grows_with_the_mesh(void)
{
    body b;
    begin(&b, 1);
    for (int32_t i = 0; i < 400; i++) {
        const double x = 10 + 3 * i;
        const int32_t v = add_vertex(&b.edit, x, 0, 0), w = add_vertex(&b.edit, x + 1, 0, 0);
        add_tet(&b.edit, v, w, add_vertex(&b.edit, x, 1, 0), add_vertex(&b.edit, x, 0, 1));
        commit(&b);
    }
    check_index(&b.index[0], &b.mesh);
    check_index(&b.index[1], &b.mesh);
    CU_ASSERT(b.index[1].n <= 1 << b.index[1].bits >> 1);
    end(&b);
}

/* What cannot follow is let go, and built when it is asked for. */
static void test_index_that_cannot_follow(void)
{
    body b;
    begin(&b, 2);
    exchange(&b, 5);
    CU_ASSERT_EQUAL(ew_mesh_compact(&b.mesh, NULL, false, NULL, NULL), EW_OK);
    ew_list slot = {0};
    CU_ASSERT_EQUAL(ew_mesh_find_ids(&b.mesh, EW_TET_IDS, &b.index[1], (int64_t[]){7}, 1, &slot),
                    EW_STALE);
    b.lone = -1;
    b.n_gone = 0;
    ew_edit_remove_tet(&b.edit, 0);
    commit(&b);
    CU_ASSERT(!b.index[0].table && !b.index[1].table);
    CU_ASSERT_EQUAL(ew_id_index_find(&b.index[1], 7), -1);
    CU_ASSERT_EQUAL(ew_id_index_prepare(&b.index[1], EW_TET_IDS, &b.mesh), EW_OK);
    check_index(&b.index[1], &b.mesh);
    const int32_t *table = b.index[1].table;
    CU_ASSERT_EQUAL(ew_id_index_prepare(&b.index[1], EW_TET_IDS, &b.mesh), EW_OK);
    CU_ASSERT_PTR_EQUAL(b.index[1].table, table);
    CU_ASSERT_EQUAL(/* of another kind */
                    ew_mesh_find_ids(&b.mesh, EW_VERTEX_IDS, &b.index[1], (int64_t[]){7}, 1, &slot),
                    EW_STALE);
    ew_list_free(&slot);
    end(&b);
}

/* With the index and without the same slots, the same refusals. */
static void test_look_ups_agree(void)
{
    body b;
    begin(&b, 4);
    exchange(&b, 30);
    exchange(&b, 30);
    for (int32_t round = 0; round < 400; round++) {
        const ew_id_kind kind = round % 2 ? EW_TET_IDS : EW_VERTEX_IDS;
        const int64_t n_id = kind == EW_TET_IDS ? b.mesh.next_tet_id : b.mesh.next_vertex_id;
        ew_list by_index = {0}, by_scan = {0};
        int64_t id[12];
        char message[300];
        const int32_t n = (int32_t)ew_test_random(&b.seed, 13);
        for (int32_t i = 0; i < n; i++) {
            id[i] = ew_test_random(&b.seed, (uint32_t)n_id + (round > 300));
        }
        const ew_status status = ew_mesh_find_ids(&b.mesh, kind, &b.index[kind], id, n, &by_index);
        snprintf(message, sizeof message, "%s", ew_message());
        CU_ASSERT_EQUAL(ew_mesh_find_ids(&b.mesh, kind, NULL, id, n, &by_scan), status);
        CU_ASSERT(same_list(&by_index, &by_scan));
        CU_ASSERT(!status || (status == EW_BAD_INPUT && !strcmp(message, ew_message())));
        const ew_selector selector = {
            .kind = EW_SELECT_IDS, .n_id = n, .id = id, .index = &b.index[0]};
        by_index.n = 0;
        if (kind == EW_VERTEX_IDS) {
            CU_ASSERT_EQUAL(ew_mesh_select(&b.mesh, &selector, &by_index), status);
            CU_ASSERT(same_list(&by_index, &by_scan));
        }
        ew_list_free(&by_index);
        ew_list_free(&by_scan);
    }
    end(&b);
}

static void test_allocation_failures(void)
{
    for (int64_t k = 0; k < 6; k++) {
        body b;
        begin(&b, 1);
        ew_id_index fresh = {0};
        ew_test_allocations_begin(k);
        const ew_status status = ew_id_index_prepare(&fresh, EW_TET_IDS, &b.mesh);
        const bool refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(fresh.table == NULL, refused);
        ew_id_index_free(&fresh);
        for (int32_t i = 0; i < 40; i++) {
            const int32_t v = add_vertex(&b.edit, 9 + i, 0, 0);
            add_tet(&b.edit, v, add_vertex(&b.edit, 9 + i, 0.5, 0),
                    add_vertex(&b.edit, 9 + i, 0, 0.5), add_vertex(&b.edit, 9.5 + i, 0, 0));
        }
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&b.mesh, &b.edit, NULL, &b.change), EW_OK);
        ew_test_allocations_begin(k);
        ew_id_index_update(&b.index[1], &b.mesh, &b.change);
        const bool lost = ew_test_allocations_end();
        CU_ASSERT_EQUAL(b.index[1].table == NULL, lost);
        CU_ASSERT_EQUAL(ew_id_index_prepare(&b.index[1], EW_TET_IDS, &b.mesh), EW_OK);
        check_index(&b.index[1], &b.mesh);
        end(&b);
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"follows_edits", test_index_follows_edits},
                                  {"does_not_grow", test_index_does_not_grow},
                                  {"grows_with_the_mesh", test_index_grows_with_the_mesh},
                                  {"cannot_follow", test_index_that_cannot_follow},
                                  {"look_ups_agree", test_look_ups_agree},
                                  {"allocation_failures", test_allocation_failures},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"ids", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
