/* Tests of the order for locality and of partitions. */
#include "meshing/parts/meshing.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Share of the edges within one of `n_stretch` equal stretches of the rows. */
static double share_within(const ew_topology *topology, const int32_t *order, int32_t n,
                           int32_t n_stretch)
{
    int32_t n_within = 0;
    for (int32_t e = 0; e < topology->pattern.n_pair; e++) {
        const int32_t *end = topology->pattern.pair_row + 2 * (size_t)e;
        int64_t a = order[end[0]], b = order[end[1]];
        n_within += a * n_stretch / n == b * n_stretch / n;
    }
    return (double)n_within / topology->pattern.n_pair;
}

/* A box whose vertices are numbered at random, with one inactive vertex and one hole. */
static void make_shuffled_box(ew_mesh *mesh, ew_topology *topology, int32_t cells)
{
    ew_edit edit = {0};
    ew_change change = {0};
    uint64_t state = 5;
    int32_t *order = NULL;
    CU_ASSERT_EQUAL_FATAL(
        ew_shape_box(mesh, (double[3]){1, 1, 1}, (int32_t[3]){cells, cells, cells}), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new(&order, (size_t)mesh->n_vertex, sizeof *order), EW_OK);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        int32_t k = (int32_t)ew_test_random(&state, (uint32_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(mesh, order, true, NULL, NULL), EW_OK);
    ew_release(order);
    int32_t added;
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(ew_edit_add_vertex(&edit, (double[3]){9, 9, i}, &added), EW_OK);
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(mesh, &edit, NULL, &change), EW_OK);
    ew_edit_clear(&edit);
    CU_ASSERT_EQUAL(ew_edit_remove_vertex(&edit, change.added_vertex.id[0]), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(mesh, &edit, NULL, &change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(topology, mesh), EW_OK);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

static void test_order_is_a_local_permutation(void)
{
    for (int32_t cells = 3; cells < 20; cells += 13) {
        ew_mesh mesh;
        ew_topology topology;
        make_shuffled_box(&mesh, &topology, cells);
        int32_t n = mesh.n_vertex, *order = NULL, *again = NULL, *seen = NULL;
        CU_ASSERT_EQUAL_FATAL(ew_new(&order, (size_t)n, sizeof *order), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_new(&again, (size_t)n, sizeof *again), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_new_zero(&seen, (size_t)n, sizeof *seen), EW_OK);
        for (int32_t v = 0; v < n; v++) {
            order[v] = v;
        }
        double before = share_within(&topology, order, n - 2, 16);
        CU_ASSERT_EQUAL_FATAL(ew_order_for_locality(&mesh, order), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_order_for_locality(&mesh, again), EW_OK);
        CU_ASSERT_FALSE(memcmp(order, again, (size_t)n * sizeof *order));
        int32_t n_hole = 0;
        for (int32_t v = 0; v < n; v++) {
            n_hole += order[v] == -1;
            CU_ASSERT_EQUAL(order[v] == -1, mesh.valence[v] == -1);
            CU_ASSERT_EQUAL(order[v] == n - 2, mesh.valence[v] == 0);
            if (order[v] >= 0) {
                CU_ASSERT_FATAL(order[v] < n - 1);
                CU_ASSERT_EQUAL(seen[order[v]]++, 0);
            }
        }
        CU_ASSERT_EQUAL(n_hole, 1);
        double after = share_within(&topology, order, n - 2, 16);
        CU_ASSERT_TRUE(after > before + (cells < 16 ? 0.05 : 0.2));
        CU_ASSERT_TRUE(cells < 16 || after > 0.75);
        ew_release(order);
        ew_release(again);
        ew_release(seen);
        ew_topology_free(&topology);
        ew_mesh_free(&mesh);
    }
}

static void test_partition_is_balanced(void)
{
    enum { PARTS = 12 };
    ew_mesh mesh;
    ew_topology topology;
    make_shuffled_box(&mesh, &topology, 12);
    int32_t *part = NULL, count[PARTS] = {0}, cut = 0;
    CU_ASSERT_EQUAL_FATAL(ew_new(&part, (size_t)mesh.n_vertex, sizeof *part), EW_OK);
    ew_status status = ew_partition(&topology.pattern, NULL, NULL, PARTS, part);
    if (!ew_has_metis()) {
        CU_ASSERT_EQUAL(status, EW_UNSUPPORTED);
    } else {
        CU_ASSERT_EQUAL_FATAL(status, EW_OK);
        for (int32_t v = 0; v < mesh.n_vertex; v++) {
            CU_ASSERT_EQUAL(part[v] == -1, mesh.valence[v] <= 0);
            CU_ASSERT_FATAL(part[v] < PARTS);
            if (part[v] >= 0) {
                count[part[v]]++;
            }
        }
        for (int p = 0; p < PARTS; p++) {
            CU_ASSERT_TRUE(count[p] > mesh.n_active_vertex / PARTS / 2);
            CU_ASSERT_TRUE(count[p] < mesh.n_active_vertex / PARTS * 3 / 2);
        }
        for (int32_t e = 0; e < topology.pattern.n_pair; e++) {
            cut += part[topology.pattern.pair_row[2 * e]] !=
                   part[topology.pattern.pair_row[2 * e + 1]];
        }
        CU_ASSERT_TRUE(cut > 0 && cut < topology.pattern.n_pair * 2 / 5);
        CU_ASSERT_EQUAL(ew_partition(&topology.pattern, NULL, NULL, 0, part), EW_BAD_ARGUMENT);
        CU_ASSERT_EQUAL(ew_partition(&topology.pattern, NULL, NULL, mesh.n_active_vertex + 1, part),
                        EW_BAD_ARGUMENT);
        CU_ASSERT_EQUAL(ew_partition(&topology.pattern, NULL, NULL, 1, part), EW_OK);
        for (int32_t v = 0; v < mesh.n_vertex; v++) {
            CU_ASSERT_EQUAL(part[v], mesh.valence[v] > 0 ? 0 : -1);
        }
    }
    ew_release(part);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

static void test_order_without_memory(void)
{
    ew_mesh mesh;
    ew_topology topology;
    make_shuffled_box(&mesh, &topology, 9);
    int32_t *order = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_new(&order, (size_t)mesh.n_vertex, sizeof *order), EW_OK);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        memset(order, 0x5a, (size_t)mesh.n_vertex * sizeof *order);
        ew_test_allocations_begin(k);
        ew_status status = ew_order_for_locality(&mesh, order);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_TRUE(!refused || order[0] == 0x5a5a5a5a);
    }
    ew_release(order);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

/* The vertices and tets of a MEDIT file as TetGen left it; false when it is not there. */
static bool read_study(const char *path, ew_mesh *mesh)
{
    FILE *file = ew_test_has_file(path) ? fopen(path, "r") : NULL;
    ew_mesh_def def = {0};
    double *xyz = NULL;
    int32_t *tet = NULL;
    char word[64];
    while (file && fscanf(file, "%63s", word) == 1) {
        int n = 0, label;
        if (!strcmp(word, "Vertices") && fscanf(file, "%d", &n) == 1) {
            xyz = calloc((size_t)n, 3 * sizeof *xyz);
            for (double *x = xyz; x < xyz + 3 * n; x += 3) {
                CU_ASSERT_EQUAL(fscanf(file, "%lf%lf%lf%d", x, x + 1, x + 2, &label), 4);
            }
            def.n_vertex = n;
        } else if (!strcmp(word, "Tetrahedra") && fscanf(file, "%d", &n) == 1) {
            tet = calloc((size_t)n, 4 * sizeof *tet);
            for (int32_t *v = tet; v < tet + 4 * n; v += 4) {
                CU_ASSERT_EQUAL(fscanf(file, "%d%d%d%d%d", v, v + 1, v + 2, v + 3, &label), 5);
                for (int k = 0; k < 4; k++) {
                    v[k]--;
                }
            }
            def.n_tet = n;
        }
    }
    if (file) {
        fclose(file);
        def.xyz = xyz;
        def.tet = tet;
        CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    }
    free(xyz);
    free(tet);
    return file != NULL;
}

static void test_order_of_the_dragon(void)
{
    ew_mesh mesh;
    ew_topology topology;
    if (!read_study(EW_STUDY_MESHES "/thesis/dragon.mesh", &mesh)) {
        return;
    }
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    CU_ASSERT_EQUAL(topology.pattern.n_live_pair, 143057);
    int32_t *order = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_new(&order, (size_t)mesh.n_vertex, sizeof *order), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_order_for_locality(&mesh, order), EW_OK);
    double share = share_within(&topology, order, mesh.n_active_vertex, 16);
    CU_ASSERT_TRUE(share > 0.88);
    ew_release(order);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_order_is_a_local_permutation", test_order_is_a_local_permutation},
        {"test_partition_is_balanced", test_partition_is_balanced},
        {"test_order_without_memory", test_order_without_memory},
        {"test_order_of_the_dragon", test_order_of_the_dragon},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"meshing: METIS", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
