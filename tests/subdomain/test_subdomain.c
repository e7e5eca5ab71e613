/* A mesh in parts: rows as in the whole, exchange, atoms and their dealing, messages, bad input. */
#include "shape/parts/shape.h"
#include "subdomain_fixture.h"

static void make_box(ew_mesh *mesh, int32_t nx, int32_t ny, int32_t nz)
{
    must(ew_shape_box(mesh, (double[]){1.0, 0.8, 1.3}, (int32_t[]){nx, ny, nz}));
}

/* Two regions, a vertex without tets, slots that do not follow the shape. */
static void make_shuffled(ew_mesh *mesh)
{
    static const double far[] = {9, 9, 9};
    ew_mesh box;
    ew_edit edit = {0};
    ew_change change = {0};
    uint64_t state = 5;
    must(ew_shape_box(&box, (double[]){1, 1, 2}, (int32_t[]){3, 3, 6}));
    must(ew_edit_add_vertex(&edit, far, NULL));
    must(ew_mesh_commit(&box, &edit, NULL, &change));
    const size_t n = (size_t)box.n_vertex;
    double *xyz = malloc(3 * n * sizeof *xyz);
    int32_t *to = malloc(n * sizeof *to), *region = malloc((size_t)box.n_tet * sizeof *region);
    for (size_t v = 0; v < n; v++) {
        to[v] = (int32_t)v;
    }
    for (size_t v = n - 1; v > 0; v--) {
        const size_t k = ew_test_random(&state, (uint32_t)v + 1);
        const int32_t other = to[k];
        to[k] = to[v];
        to[v] = other;
    }
    for (size_t v = 0; v < n; v++) {
        memcpy(xyz + 3 * (size_t)to[v], box.xyz + 3 * v, 3 * sizeof *xyz);
    }
    for (int32_t i = 0; i < 4 * box.n_tet; i++) {
        box.tet[i] = to[box.tet[i]];
        region[i / 4] = i / 4 % 3 ? 4 : 8;
    }
    for (int32_t i = 0; i < 3 * box.n_face; i++) {
        box.face[i] = to[box.face[i]];
    }
    const ew_mesh_def def = {box.n_vertex, xyz,        box.n_tet, box.tet,
                             region,       box.n_face, box.face,  box.face_label};
    must(ew_mesh_init(mesh, &def, NULL));
    ew_mesh_free(&box);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free(xyz);
    free(to);
    free(region);
}

static void make_mesh(ew_mesh *mesh, int which)
{
    if (which == 0) {
        make_box(mesh, 4, 3, 5);
    } else if (which == 1) {
        must(ew_shape_bracket(mesh, 0.08, 0.04, 0.008, 0.005, 2));
    } else if (which == 2) {
        must(ew_shape_torus(mesh, 2.0, 0.5, (int32_t[]){14, 3}));
    } else {
        make_shuffled(mesh);
    }
}

static void test_rows_are_those_of_the_whole(void)
{
    for (int which = 0; which < 4; which++) {
        for (int32_t n_part = 1; n_part <= MAX_PART; n_part += n_part < 5 ? 1 : 11) {
            ew_mesh mesh;
            whole w;
            make_mesh(&mesh, which);
            make_whole(&w, &mesh, 5, n_part);
            CU_ASSERT_FATAL(w.n_atom >= n_part);
            compare_rows(&w);
            compare_exchange(&w);
            validate_parts(&w);
            free_whole(&w);
        }
    }
}

/* The triangles and regions of a part are those of the whole. */
static void test_labels_come_along(void)
{
    ew_mesh mesh;
    whole w;
    make_shuffled(&mesh);
    make_whole(&w, &mesh, 6, 4);
    for (int32_t p = 0; p < w.n_part; p++) {
        const ew_mesh *part = &w.part[p].sub.mesh;
        CU_ASSERT_EQUAL(part->n_region, 2);
        CU_ASSERT_EQUAL(part->region_label[0], 4);
        CU_ASSERT_EQUAL(part->region_label[1], 8);
        for (int32_t t = 0; t < part->n_tet; t++) {
            CU_ASSERT_EQUAL(part->region[t], w.mesh.region[part->tet_id[t]]);
        }
        int32_t expected = 0;
        for (int32_t f = 0; f < w.mesh.n_face; f++) {
            bool has = true;
            for (int k = 0; k < 3; k++) {
                has =
                    has && ew_id_index_find(&w.part[p].sub.vertex_at, w.mesh.face[3 * f + k]) >= 0;
            }
            expected += has;
        }
        CU_ASSERT(expected > 0);
        CU_ASSERT_EQUAL(part->n_face, expected);
    }
    free_whole(&w);
}

/* ---- atoms ---------------------------------------------------------------------- */

static void test_atoms_are_balanced_and_near(void)
{
    ew_mesh mesh;
    ew_topology topology = {0};
    ew_atom_graph graph = {0};
    make_box(&mesh, 12, 10, 14);
    must(ew_topology_build(&topology, &mesh));
    int32_t *atom = malloc((size_t)mesh.n_vertex * sizeof *atom), part[512], n_atom = 0,
            n_inside = 0;
    must(ew_atoms_cut(&mesh, &topology.pattern, 20, &n_atom, atom));
    CU_ASSERT_FATAL(n_atom > 90 && n_atom < 120);
    for (int32_t p = 0; p < topology.pattern.n_pair; p++) {
        n_inside +=
            atom[topology.pattern.pair_row[2 * p]] == atom[topology.pattern.pair_row[2 * p + 1]];
    }
    /* Of about 20 vertices of a lattice with seven edges a vertex some 60 lie inside; by chance one
     * edge in a hundred would. */
    CU_ASSERT(n_inside > topology.pattern.n_pair / 4);
    must(ew_atom_graph_of_mesh(&graph, &mesh, &topology.pattern, n_atom, atom));
    for (int32_t n_part = 1; n_part <= 5; n_part++) {
        must(ew_atom_graph_deal(&graph, n_part, part));
        CU_ASSERT(ew_atom_graph_imbalance(&graph, n_part, part) < 1.12);
    }
    must(ew_atom_graph_deal(&graph, n_atom, part));
    for (int32_t p = 0, n; p < n_atom; p++) { /* none stays empty */
        n = 0;
        for (int32_t a = 0; a < n_atom; a++) {
            n += part[a] == p;
        }
        CU_ASSERT_EQUAL(n, 1);
    }
    CU_ASSERT_EQUAL(ew_atom_rows(1000), 512);
    CU_ASSERT_EQUAL(ew_atom_rows(400 * 1000), 1000);
    CU_ASSERT_EQUAL(ew_atom_rows(1 << 30), 4096);
    free(atom);
    ew_atom_graph_free(&graph);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

/* The order of a graph's edges, and how often a pair of atoms stands in it, change nothing. */
static void test_dealing_knows_no_order(void)
{
    ew_mesh mesh;
    whole w;
    ew_atom_graph graph = {0}, sum = {0};
    int32_t one[256], other[256];
    make_box(&mesh, 6, 6, 6);
    make_whole(&w, &mesh, 6, 3);
    must(ew_atom_graph_of_mesh(&graph, &w.mesh, &w.topology.pattern, w.n_atom, w.atom));
    sum_graphs(&w, &sum);
    CU_ASSERT_FATAL(w.n_atom < 256);
    CU_ASSERT_EQUAL(memcmp(graph.rows, sum.rows, (size_t)w.n_atom * sizeof(int32_t)), 0);
    must(ew_atom_graph_deal(&graph, 4, one));
    must(ew_atom_graph_deal(&sum, 4, other));
    CU_ASSERT_EQUAL(memcmp(one, other, (size_t)w.n_atom * sizeof *one), 0);
    ew_atom_graph_free(&graph);
    ew_atom_graph_free(&sum);
    free_whole(&w);
}

static void test_atoms_are_halved_and_migrate(void)
{
    ew_mesh mesh;
    whole w;
    make_box(&mesh, 6, 5, 7);
    make_whole(&w, &mesh, 40, 3);
    const int32_t n_before = w.n_atom;
    halve_atoms(&w, 30);
    CU_ASSERT(w.n_atom > n_before);
    compare_exchange(&w);
    ew_atom_graph graph = {0};
    sum_graphs(&w, &graph);
    for (int32_t a = 0; a < w.n_atom; a++) {
        CU_ASSERT(graph.rows[a] > 0 && graph.rows[a] <= 31);
    }
    ew_atom_graph_free(&graph);
    for (int32_t n_part = 8; n_part > 0; n_part /= 2) {
        deal_again(&w, n_part);
        compare_rows(&w);
        compare_exchange(&w);
        validate_parts(&w);
    }
    free_whole(&w);
}

/* ---- ghosts that go and come ------------------------------------------------------ */

/* Removes the tets of v that touch the part, and keeps them in `tet`: v has others. */
static int32_t part_from(whole *w, int32_t v, int32_t part, int32_t (*tet)[4])
{
    const ew_rows *rows = &w->topology.vertex_to_tet;
    const int32_t *atom_part = w->part[0].sub.atom_part;
    ew_edit edit = {0};
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i], *corner = w->mesh.tet + 4 * t;
        for (int k = 0; k < 4; k++) {
            if (atom_part[w->atom[corner[k]]] == part) {
                memcpy(tet[edit.remove_tet.n], corner, 4 * sizeof *corner);
                must(ew_edit_remove_tet(&edit, t));
                break;
            }
        }
    }
    const int32_t n = edit.remove_tet.n;
    CU_ASSERT_FATAL(n > 0 && n < rows->count[v]);
    CU_ASSERT_FATAL(edit_whole(w, &edit, 0));
    ew_edit_free(&edit);
    return n;
}

/* A vertex of part 1 that part 0 has as a ghost, with tets that do not touch part 0. */
static int32_t ghost_of_first(const whole *w)
{
    const ew_subdomain *sub = &w->part[0].sub;
    for (int32_t i = 0; i < sub->receive.count[1]; i++) {
        const int32_t v = sub->receive.item[sub->receive.begin[1] + i];
        const int32_t whole_v = (int32_t)sub->mesh.vertex_id[v];
        if (w->mesh.valence[whole_v] > sub->mesh.valence[v]) {
            return whole_v;
        }
    }
    return -1;
}

/* A ghost without tets is told nothing of its moves; then its tets come back. Where the part was
 * built again meanwhile it does not have the vertex at all, whose place is among those that it has.
 */
static void test_ghosts_come_back(void)
{
    for (int built_again = 0; built_again < 2; built_again++) {
        ew_mesh mesh;
        whole w;
        ew_edit edit = {0};
        int32_t tet[64][4];
        make_box(&mesh, 4, 3, 5);
        make_whole(&w, &mesh, 5, 2);
        const int32_t v = ghost_of_first(&w), n = part_from(&w, v, 0, tet);
        const double *x = w.mesh.xyz + 3 * v;
        CU_ASSERT(ew_id_index_find(&w.part[0].sub.vertex_at, v) >= 0);
        must(ew_edit_move_vertex(&edit, v, (double[]){x[0] + 1e-3, x[1], x[2] - 1e-3}));
        CU_ASSERT_FATAL(edit_whole(&w, &edit, 1));
        compare_rows(&w);
        if (built_again) {
            deal_again(&w, 2);
            CU_ASSERT(ew_id_index_find(&w.part[0].sub.vertex_at, v) < 0);
        }
        const uint64_t before = w.part[0].sub.mesh.revision;
        ew_edit_clear(&edit);
        for (int32_t i = 0; i < n; i++) {
            must(ew_edit_add_tet(&edit, tet[i], 1));
        }
        CU_ASSERT_FATAL(edit_whole(&w, &edit, 0));
        CU_ASSERT_EQUAL(w.part[0].sub.mesh.revision, before + (built_again ? 2 : 1));
        compare_rows(&w);
        compare_exchange(&w);
        validate_parts(&w);
        ew_edit_free(&edit);
        free_whole(&w);
    }
}

/* ---- bad input --------------------------------------------------------------------- */

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

static CU_TestInfo tests[] = {{"rows_are_those_of_the_whole", test_rows_are_those_of_the_whole},
                              {"labels_come_along", test_labels_come_along},
                              {"atoms_are_balanced_and_near", test_atoms_are_balanced_and_near},
                              {"dealing_knows_no_order", test_dealing_knows_no_order},
                              {"atoms_are_halved_and_migrate", test_atoms_are_halved_and_migrate},
                              {"ghosts_come_back", test_ghosts_come_back},
                              {"bad_arguments_are_refused", test_bad_arguments_are_refused},
                              {"what_is_not_distributed_is_refused",
                               test_what_is_not_distributed_is_refused},
                              {"hostile_messages_are_refused", test_hostile_messages_are_refused},
                              {"unknown_ids_are_refused", test_unknown_ids_are_refused},
                              {"ids_and_regions_are_checked", test_ids_and_regions_are_checked},
                              {"memory_may_end", test_memory_may_end},
                              CU_TEST_INFO_NULL};
static CU_SuiteInfo suites[] = {{"subdomain", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};

int main(int argc, char **argv)
{
    return ew_test_main(argc, argv, suites);
}
