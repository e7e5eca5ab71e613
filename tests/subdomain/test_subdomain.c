/* A mesh in parts: rows as in the whole, exchange, atoms and their dealing, ghosts. */
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

/* Groups are small, and the same for any number of parts. */
static void test_groups_know_no_parts(void)
{
    uint64_t first = 0;
    for (int32_t n_part = 1; n_part <= 4; n_part++) {
        ew_mesh mesh;
        whole w;
        make_box(&mesh, 5, 4, 6);
        make_whole(&w, &mesh, 30, n_part);
        int32_t *of = malloc((size_t)w.mesh.n_vertex * sizeof *of), count[64][64] = {{0}};
        int32_t one[512], n_group[64];
        CU_ASSERT_FATAL(w.n_atom < 64 && w.mesh.n_vertex < 512);
        for (int32_t p = 0; p < n_part; p++) {
            const ew_subdomain *sub = &w.part[p].sub;
            must(ew_subdomain_group(sub, 9, one, n_group));
            for (int32_t v = 0; v < sub->mesh.n_vertex; v++) {
                CU_ASSERT_EQUAL(one[v] >= 0, ew_subdomain_owns(sub, v));
                if (one[v] >= 0) {
                    of[sub->mesh.vertex_id[v]] = one[v];
                    CU_ASSERT_FATAL(one[v] < n_group[sub->atom[v]]);
                    CU_ASSERT(++count[sub->atom[v]][one[v]] <= 9);
                }
            }
        }
        const uint64_t hash = ew_hash(EW_HASH_START, of, (size_t)w.mesh.n_vertex * sizeof *of);
        first = n_part == 1 ? hash : first;
        CU_ASSERT_EQUAL(hash, first);
        CU_ASSERT_EQUAL(ew_subdomain_group(&w.part[0].sub, 0, one, n_group), EW_BAD_ARGUMENT);
        free(of);
        free_whole(&w);
    }
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

static CU_TestInfo tests[] = {{"rows_are_those_of_the_whole", test_rows_are_those_of_the_whole},
                              {"labels_come_along", test_labels_come_along},
                              {"atoms_are_balanced_and_near", test_atoms_are_balanced_and_near},
                              {"dealing_knows_no_order", test_dealing_knows_no_order},
                              {"groups_know_no_parts", test_groups_know_no_parts},
                              {"atoms_are_halved_and_migrate", test_atoms_are_halved_and_migrate},
                              {"ghosts_come_back", test_ghosts_come_back},
                              CU_TEST_INFO_NULL};
static CU_SuiteInfo suites[] = {{"subdomain", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};

int main(int argc, char **argv)
{
    return ew_test_main(argc, argv, suites);
}
