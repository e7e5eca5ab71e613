/* What parts of a mesh refuse: bad arguments, what is not distributed, hostile messages, unknown
 * ids. */
#include "shape/parts/shape.h"
#include "subdomain_fixture.h"

static void make_box(ew_mesh *mesh, int32_t nx, int32_t ny, int32_t nz)
{
    must(ew_shape_box(mesh, (double[]){1.0, 0.8, 1.3}, (int32_t[]){nx, ny, nz}));
}

static void test_bad_arguments_are_refused(void)
{
    ew_mesh mesh;
    whole w;
    ew_atom_graph graph = {0}, other = {0};
    ew_subdomain sub;
    int32_t n = -5, part[64], bad[64] = {0};
    make_box(&mesh, 2, 2, 2);
    make_whole(&w, &mesh, 3, 2);
    CU_ASSERT_EQUAL(ew_atoms_cut(&w.mesh, &w.topology.pattern, -1, &n, w.atom), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(n, -5);
    must(ew_atom_graph_of_mesh(&graph, &w.mesh, &w.topology.pattern, w.n_atom, w.atom));
    CU_ASSERT_EQUAL(ew_atom_graph_deal(&graph, 0, part), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_atom_graph_deal(&graph, w.n_atom + 1, part), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_atom_graph_add(&graph, &other), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_subdomain_halve(&w.part[0].sub, graph.rows, 1), EW_BAD_ARGUMENT);
    ew_subdomain_def def = def_of(&w, 2, bad);
    CU_ASSERT_EQUAL(ew_subdomain_init(&sub, &def, 0, NULL), EW_BAD_ARGUMENT);
    bad[1] = 2;
    def.part = 0;
    CU_ASSERT_EQUAL(ew_subdomain_init(&sub, &def, 0, NULL), EW_BAD_ARGUMENT);
    CU_ASSERT(sub.mesh.n_vertex == 0 && !sub.atom_part);
    ew_atom_graph_free(&graph);
    free_whole(&w);
}

static void test_what_is_not_distributed_is_refused(void)
{
    ew_mesh mesh;
    whole w;
    ew_edit edit = {0};
    ew_records records[2] = {0};
    make_box(&mesh, 2, 2, 2);
    make_whole(&w, &mesh, 3, 2);
    const ew_record_source source = {&w.mesh, &w.topology.vertex_to_tet, w.atom, NULL, NULL};
    must(ew_edit_merge_vertex(&edit, 0, 1));
    CU_ASSERT_EQUAL(ew_records_of_edit(&source, &edit, 0, 0, w.part[0].sub.atom_part, 2, records),
                    EW_UNSUPPORTED);
    ew_edit_clear(&edit);
    must(ew_edit_add_tet(&edit, w.mesh.tet, 77));
    CU_ASSERT_EQUAL(ew_records_of_edit(&source, &edit, 0, 0, w.part[0].sub.atom_part, 2, records),
                    EW_UNSUPPORTED);
    ew_edit_free(&edit);
    free_whole(&w);
}

/* A message that was cut or changed is refused, and what reads it stays whole. */
static void test_hostile_messages_are_refused(void)
{
    ew_mesh mesh;
    whole w;
    ew_records records = {0}, copy = {0};
    size_t bytes;
    void *message;
    uint64_t state = 11;
    make_box(&mesh, 2, 2, 2);
    make_whole(&w, &mesh, 3, 2);
    const ew_record_source source = {&w.mesh, &w.topology.vertex_to_tet, w.atom, NULL, NULL};
    must(ew_records_of_part(&source, w.part[0].sub.atom_part, 1, &records));
    must(ew_records_pack(&records, &bytes, &message));
    for (size_t cut = 0; cut < bytes; cut += 8) {
        CU_ASSERT_EQUAL(ew_records_unpack(&copy, cut, message), EW_BAD_INPUT);
    }
    const ew_subdomain_def def = def_of(&w, 1, w.part[0].sub.atom_part);
    int n_refused = 0;
    for (int i = 0; i < 2000; i++) {
        char *hostile = malloc(bytes);
        ew_subdomain sub;
        memcpy(hostile, message, bytes);
        for (uint32_t k = ew_test_random(&state, 3) + 1; k > 0; k--) {
            hostile[ew_test_random(&state, (uint32_t)bytes)] = (char)ew_test_random(&state, 256);
        }
        if (ew_records_unpack(&copy, bytes, hostile) || ew_subdomain_init(&sub, &def, 1, &copy)) {
            n_refused++;
        } else {
            ew_subdomain_free(&sub);
        }
        free(hostile);
    }
    CU_ASSERT(n_refused > 500);
    must(ew_records_unpack(&copy, bytes, message));
    copy.n_vertex--;
    ew_subdomain sub;
    CU_ASSERT_EQUAL(ew_subdomain_init(&sub, &def, 1, &copy), EW_BAD_INPUT);
    copy.n_vertex++;
    copy.vertex[0].atom = w.n_atom;
    CU_ASSERT_EQUAL(ew_subdomain_init(&sub, &def, 1, &copy), EW_BAD_INPUT);
    copy.vertex[0] = copy.vertex[1];
    copy.vertex[0].number--;
    CU_ASSERT_EQUAL(ew_subdomain_init(&sub, &def, 1, &copy), EW_BAD_INPUT);
    ew_release(message);
    ew_records_free(&records);
    ew_records_free(&copy);
    free_whole(&w);
}

/* Messages of an edit that name what the part has not. */
static void test_unknown_ids_are_refused(void)
{
    ew_mesh mesh;
    whole w;
    ew_records records = {0};
    make_box(&mesh, 2, 2, 2);
    make_whole(&w, &mesh, 3, 2);
    ew_subdomain *sub = &w.part[0].sub;
    int64_t gone = 0, *list = &gone;
    CU_ASSERT_EQUAL(ew_subdomain_queue(sub, 1, &records), EW_BAD_INPUT); /* behind its next ids */
    records.next_vertex_id = w.mesh.next_vertex_id;
    records.next_tet_id = w.mesh.next_tet_id + 1;
    must(ew_subdomain_queue(sub, 1, &records));
    while (ew_id_index_find(&sub->tet_at, gone) >= 0) {
        gone++;
    }
    records.n_gone_tet = 1;
    records.gone_tet = list;
    CU_ASSERT_EQUAL(ew_subdomain_queue(sub, 1, &records), EW_BAD_INPUT);
    records.n_gone_tet = 0;
    ew_tet_record tet = {.id = w.mesh.next_tet_id,
                         .number = w.mesh.next_tet_id,
                         .from = -1,
                         .corner = {0, 1, 2, w.mesh.next_vertex_id + 3}};
    records.n_tet = 1;
    records.tet = &tet;
    CU_ASSERT_EQUAL(ew_subdomain_queue(sub, 1, &records), EW_BAD_INPUT);
    tet.number = 0;
    for (int k = 0; k < 4; k++) {
        tet.corner[k] = sub->mesh.vertex_id[k];
    }
    CU_ASSERT_EQUAL(ew_subdomain_queue(sub, 1, &records), EW_BAD_INPUT); /* not behind its tets */
    must(ew_subdomain_validate(sub));
    free_whole(&w);
}

static void test_ids_and_regions_are_checked(void)
{
    ew_mesh mesh;
    make_box(&mesh, 1, 1, 1);
    const int64_t id[] = {5}, below[] = {-1};
    const int32_t slot[] = {2};
    ew_given_ids ids = {
        .n_vertex = 1, .vertex = slot, .vertex_id = id, .next_vertex_id = 5, .next_tet_id = 6};
    CU_ASSERT_EQUAL(ew_mesh_give_ids(&mesh, &ids), EW_MESH_IDS);
    ids.vertex_id = below;
    CU_ASSERT_EQUAL(ew_mesh_give_ids(&mesh, &ids), EW_MESH_IDS);
    CU_ASSERT_EQUAL(mesh.vertex_id[2], 2);
    CU_ASSERT_EQUAL(ew_mesh_give_regions(&mesh, 2, (int32_t[]){7, 8}), EW_MESH_REGION);
    CU_ASSERT_EQUAL(mesh.n_region, 1);
    must(ew_mesh_give_regions(&mesh, 2, (int32_t[]){7, 1}));
    CU_ASSERT_EQUAL(mesh.region[0], 1);
    must(ew_mesh_check(&mesh));
    ew_mesh_free(&mesh);
}

static void test_memory_may_end(void)
{
    ew_mesh mesh;
    whole w;
    make_box(&mesh, 2, 2, 1);
    make_whole(&w, &mesh, 3, 2);
    const ew_record_source source = {&w.mesh, &w.topology.vertex_to_tet, w.atom, NULL, NULL};
    const ew_subdomain_def def = def_of(&w, 1, w.part[0].sub.atom_part);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_records records = {0};
        ew_subdomain sub = {0};
        ew_test_allocations_begin(k);
        ew_status status = ew_records_of_part(&source, def.atom_part, 1, &records);
        status = status ? status : ew_subdomain_init(&sub, &def, 1, &records);
        status = status ? status : ew_subdomain_plan(&sub, &w.part[1].topology.vertex_to_tet);
        ew_subdomain_free(&sub);
        ew_records_free(&records);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    free_whole(&w);
}

static CU_TestInfo tests[] = {{"bad_arguments_are_refused", test_bad_arguments_are_refused},
                              {"what_is_not_distributed_is_refused",
                               test_what_is_not_distributed_is_refused},
                              {"hostile_messages_are_refused", test_hostile_messages_are_refused},
                              {"unknown_ids_are_refused", test_unknown_ids_are_refused},
                              {"ids_and_regions_are_checked", test_ids_and_regions_are_checked},
                              {"memory_may_end", test_memory_may_end},
                              CU_TEST_INFO_NULL};
static CU_SuiteInfo suites[] = {{"subdomain_refused", NULL, NULL, NULL, NULL, tests},
                                CU_SUITE_INFO_NULL};

int main(int argc, char **argv)
{
    return ew_test_main(argc, argv, suites);
}
