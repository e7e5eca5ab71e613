/* Tests of the neighbor tables: what they hold, what the checker finds, what follows from
 * them. */
#include "topology_fixtures.h"

#include "shape/parts/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- build ------------------------------------------------------------------ */

static void test_build_pair(void)
{
    ew_mesh mesh;
    ew_topology topology;
    make_pair(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    const ew_pattern *pattern = &topology.pattern;
    static const int32_t edge[9][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3},
                                       {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    static const int32_t tet_to_edge[2][6] = {{0, 1, 2, 3, 4, 6}, {5, 8, 7, 4, 3, 6}};
    CU_ASSERT_EQUAL_FATAL(pattern->n_pair, 9);
    CU_ASSERT_EQUAL(topology.pattern.n_live_pair, 9);
    CU_ASSERT_FALSE(memcmp(pattern->pair_row, edge, sizeof edge));
    CU_ASSERT_FALSE(memcmp(topology.tet_to_edge, tet_to_edge, sizeof tet_to_edge));
    CU_ASSERT_TRUE(ROW_IS(&topology.edge_to_tet, 0, 1, 0));
    CU_ASSERT_TRUE(ROW_IS(&topology.edge_to_tet, 3, 2, 0, 1));
    CU_ASSERT_TRUE(ROW_IS(&topology.vertex_to_tet, 2, 2, 0, 1));
    CU_ASSERT_TRUE(ROW_IS(&topology.vertex_to_tet, 4, 1, 1));
    CU_ASSERT_TRUE(ROW_IS(&topology.vertex_to_tet, 5, 0, 0));
    CU_ASSERT_TRUE(ROW_IS(&pattern->row_to_pair, 3, 4, 0, 2, 1, 4, 2, 6, 4, 8));
    CU_ASSERT_EQUAL(pattern->row_to_pair.count[5], 0);
    CU_ASSERT_EQUAL(ew_topology_check(&topology, &mesh), EW_OK);
    CU_ASSERT_TRUE(ew_topology_bytes(&topology) >= sizeof(int32_t) * (18 + 12 + 12 + 8 + 36));
    CU_ASSERT_EQUAL(ew_pattern_pair_between(pattern, 3, 1), 4);
    CU_ASSERT_EQUAL(ew_pattern_pair_between(pattern, 1, 3), 4);
    CU_ASSERT_EQUAL(ew_pattern_pair_between(pattern, 0, 4), -1);
    CU_ASSERT_EQUAL(ew_pattern_pair_between(pattern, 5, 6), -1);
    ew_topology_free(&topology);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

static void test_build_box(void)
{
    ew_mesh mesh;
    ew_topology topology;
    make_box(&mesh, 5, 4, 3);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    CU_ASSERT_EQUAL(ew_topology_check(&topology, &mesh), EW_OK);
    ew_list face = {0};
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&topology, &mesh, &face), EW_OK);
    CU_ASSERT_EQUAL(face.n, mesh.n_face);
    int32_t n_all_faces = (4 * mesh.n_tet + face.n) / 2;
    CU_ASSERT_EQUAL(mesh.n_vertex - topology.pattern.n_live_pair + n_all_faces - mesh.n_tet, 1);
    for (int32_t e = 1; e < topology.pattern.n_pair; e++) {
        const int32_t *end = topology.pattern.pair_row + 2 * (size_t)e;
        CU_ASSERT_TRUE(end[-2] < end[0] || (end[-2] == end[0] && end[-1] < end[1]));
    }
    ew_list_free(&face);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

static void test_build_without_memory(void)
{
    ew_mesh mesh;
    make_box(&mesh, 2, 2, 2);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_topology topology, before;
        memset(&topology, 0x5a, sizeof topology);
        memcpy(&before, &topology, sizeof before);
        ew_test_allocations_begin(k);
        ew_status status = ew_topology_build(&topology, &mesh);
        if (status) {
            CU_ASSERT_EQUAL(status, EW_NO_MEMORY);
            CU_ASSERT_FALSE(memcmp(&before, &topology, sizeof before));
        } else {
            ew_topology_free(&topology);
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(refused, status != EW_OK);
    }
    ew_mesh_free(&mesh);
}

/* ---- check -------------------------------------------------------------------- */

/* Each breaks one rule of the tables of make_pair. */
static void break_row_count(ew_topology *t)
{
    t->pattern.n_row--;
}
static void break_live_count(ew_topology *t)
{
    t->pattern.n_live_pair++;
}
static void break_row_bounds(ew_topology *t)
{
    t->edge_to_tet.begin[8] = t->edge_to_tet.n_item;
}
static void break_hole(ew_topology *t)
{
    CU_ASSERT_EQUAL(ew_list_push(&t->pattern.pair_hole, 3), EW_OK);
}
static void break_edge_order(ew_topology *t)
{
    t->pattern.pair_row[0] = 1;
    t->pattern.pair_row[1] = 0;
}
static void break_edge_ends(ew_topology *t)
{
    t->pattern.pair_row[1] = 4;
}
static void break_edge_emptied(ew_topology *t)
{
    ew_rows_remove(&t->edge_to_tet, 0, 0);
}
static void break_sorting(ew_topology *t)
{
    int32_t *item = t->vertex_to_tet.item + t->vertex_to_tet.begin[1];
    item[0] = 1;
    item[1] = 0;
}
static void break_tet_edge(ew_topology *t)
{
    t->tet_to_edge[0] = 1;
}
static void break_tet_edge_range(ew_topology *t)
{
    t->tet_to_edge[11] = 9;
}
static void break_edge_tet_extra(ew_topology *t)
{
    CU_ASSERT_EQUAL(ew_rows_insert(&t->edge_to_tet, 0, (int32_t[]){1}), EW_OK);
}
static void break_edge_tet_missing(ew_topology *t)
{
    ew_rows_remove(&t->edge_to_tet, 3, 1);
}
static void break_vertex_tet_range(ew_topology *t)
{
    t->vertex_to_tet.item[t->vertex_to_tet.begin[4]] = 2;
}
static void break_vertex_tet_missing(ew_topology *t)
{
    ew_rows_remove(&t->vertex_to_tet, 4, 1);
}
static void break_vertex_edge(ew_topology *t)
{
    t->pattern.row_to_pair.item[2 * t->pattern.row_to_pair.begin[4] + 1] = 0;
}
static void break_vertex_edge_missing(ew_topology *t)
{
    ew_rows_remove(&t->pattern.row_to_pair, 4, 1);
}
static void break_lower_count(ew_topology *t)
{
    t->pattern.n_lower[4]--;
}
static void break_revision(ew_topology *t)
{
    t->pattern.revision++;
}

static void test_check_names_the_rule(void)
{
    static const struct {
        void (*apply)(ew_topology *);
        ew_status status;
    } breaks[] = {
        {break_row_count, EW_TABLE_POOL},
        {break_live_count, EW_TABLE_POOL},
        {break_row_bounds, EW_TABLE_POOL},
        {break_hole, EW_TABLE_POOL},
        {break_lower_count, EW_TABLE_VERTEX_EDGE},
        {break_edge_order, EW_TABLE_EDGE},
        {break_edge_ends, EW_TABLE_EDGE},
        {break_edge_emptied, EW_TABLE_EDGE},
        {break_sorting, EW_TABLE_SORTED},
        {break_tet_edge, EW_TABLE_TET_EDGE},
        {break_tet_edge_range, EW_TABLE_TET_EDGE},
        {break_edge_tet_extra, EW_TABLE_EDGE_TET},
        {break_edge_tet_missing, EW_TABLE_EDGE_TET},
        {break_vertex_tet_range, EW_TABLE_VERTEX_TET},
        {break_vertex_tet_missing, EW_TABLE_VERTEX_TET},
        {break_vertex_edge, EW_TABLE_VERTEX_EDGE},
        {break_vertex_edge_missing, EW_TABLE_VERTEX_EDGE},
        {break_revision, EW_STALE},
    };
    ew_mesh mesh;
    make_pair(&mesh);
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        ew_topology topology;
        CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
        breaks[i].apply(&topology);
        CU_ASSERT_EQUAL(ew_topology_check(&topology, &mesh), breaks[i].status);
        ew_topology_free(&topology);
    }
    ew_mesh_free(&mesh);
}

/* ---- queries --------------------------------------------------------------------- */

static void test_face_neighbor(void)
{
    ew_mesh mesh;
    ew_topology topology;
    make_pair(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    CU_ASSERT_EQUAL(ew_topology_face_neighbor(&topology, &mesh, 0), 1);
    CU_ASSERT_EQUAL(ew_topology_face_neighbor(&topology, &mesh, 4), 0);
    for (int32_t face = 1; face < 8; face += face == 3 ? 2 : 1) {
        CU_ASSERT_EQUAL(ew_topology_face_neighbor(&topology, &mesh, face), -1);
    }
    ew_list boundary = {0};
    CU_ASSERT_EQUAL(ew_topology_boundary(&topology, &mesh, &boundary), EW_OK);
    CU_ASSERT_EQUAL_FATAL(boundary.n, 6);
    static const int32_t expected[6] = {1, 2, 3, 5, 6, 7};
    CU_ASSERT_FALSE(memcmp(boundary.id, expected, sizeof expected));
    ew_list_free(&boundary);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

static void test_area_vectors_close_the_surface(void)
{
    ew_mesh mesh;
    ew_topology topology;
    ew_list boundary = {0};
    make_box(&mesh, 3, 2, 2);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&topology, &mesh, &boundary), EW_OK);
    double sum[3] = {0}, total = 0, volume = 0;
    for (int32_t i = 0; i < boundary.n; i++) {
        double area[3];
        ew_face_area_vector(&mesh, boundary.id[i], area);
        const int32_t *vertex = mesh.tet + 4 * (size_t)(boundary.id[i] / 4);
        const double *x = mesh.xyz + 3 * (size_t)vertex[ew_face_vertex[boundary.id[i] % 4][0]];
        for (int c = 0; c < 3; c++) {
            sum[c] += area[c];
            volume += area[c] * x[c] / 3;
        }
        total += sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    }
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sum[c], 0, 1e-12);
    }
    CU_ASSERT_DOUBLE_EQUAL(total, 22, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(volume, 6, 1e-12); /* > 0: the normals point out */
    ew_list_free(&boundary);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

/* Three tets: the first two share a face, the third hangs on an edge of theirs. */
static void test_components_need_faces(void)
{
    static const double xyz[8][3] = {{0, 0, 0}, {1, 0, 0},  {0, 1, 0},   {0, 0, 1},
                                     {1, 1, 1}, {0, -1, 0}, {0, -1, -1}, {7, 7, 7}};
    static const int32_t tet[3][4] = {{0, 1, 5, 6}, {0, 1, 2, 3}, {4, 1, 3, 2}};
    ew_mesh_def def = {.n_vertex = 8, .xyz = xyz[0], .n_tet = 3, .tet = tet[0]};
    ew_mesh mesh;
    ew_topology topology;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    int32_t component[3], n_component = 0;
    CU_ASSERT_EQUAL(ew_topology_components(&topology, &mesh, component, &n_component), EW_OK);
    CU_ASSERT_EQUAL(n_component, 2);
    CU_ASSERT_EQUAL(component[0], 0);
    CU_ASSERT_EQUAL(component[1], 1);
    CU_ASSERT_EQUAL(component[2], 1);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

static void expect_same_rows(const ew_rows *a, const ew_rows *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n_row, b->n_row);
    CU_ASSERT_EQUAL_FATAL(a->n_item, b->n_item);
    for (int32_t row = 0; row < a->n_row; row++) {
        const size_t first = (size_t)a->width * (size_t)(a->count[row] ? a->begin[row] : 0);
        CU_ASSERT_EQUAL_FATAL(a->count[row], b->count[row]);
        CU_ASSERT_EQUAL_FATAL(a->begin[row], b->begin[row]);
        CU_ASSERT_EQUAL(memcmp(a->item + first, b->item + first,
                               (size_t)(a->width * a->count[row]) * sizeof *a->item),
                        0);
    }
}

/* Two boxes that share no vertex, whose tets are apart in the array. */
static void join_boxes(ew_mesh *mesh, const ew_mesh *box)
{
    const size_t n = (size_t)box->n_vertex, n_tet = (size_t)box->n_tet;
    double *xyz = malloc(6 * n * sizeof *xyz);
    int32_t *tet = malloc(8 * n_tet * sizeof *tet);
    CU_ASSERT_PTR_NOT_NULL_FATAL(xyz);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tet);
    for (size_t i = 0; i < 6 * n; i++) {
        xyz[i] = box->xyz[i % (3 * n)] + (i < 3 * n ? 0.0 : 5.0);
    }
    for (size_t t = 0; t < 2 * n_tet; t++) { /* by turns */
        for (size_t k = 0; k < 4; k++) {
            tet[4 * t + k] = box->tet[4 * (t / 2) + k] + (t % 2 ? box->n_vertex : 0);
        }
    }
    const ew_mesh_def def = {
        .n_vertex = 2 * box->n_vertex, .xyz = xyz, .n_tet = 2 * box->n_tet, .tet = tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    free(xyz);
    free(tet);
}

static void test_threads_do_not_change_faces_and_components(void)
{
    const int before = ew_threads();
    ew_mesh box = {0}, mesh = {0};
    ew_topology topology = {0};
    ew_list face[2] = {{0}, {0}};
    int32_t *component[2], n_component[2];
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&box, (double[]){1, 1, 1}, (int32_t[]){15, 15, 15}), EW_OK);
    join_boxes(&mesh, &box);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    for (int i = 0; i < 2; i++) {
        ew_use_threads(i == 0 ? 1 : 3);
        component[i] = malloc((size_t)mesh.n_tet * sizeof *component[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(component[i]);
        CU_ASSERT_EQUAL(ew_topology_boundary(&topology, &mesh, &face[i]), EW_OK);
        CU_ASSERT_EQUAL(ew_topology_components(&topology, &mesh, component[i], &n_component[i]),
                        EW_OK);
        CU_ASSERT_EQUAL(n_component[i], 2);
        CU_ASSERT_EQUAL(face[i].n, 2 * 6 * 2 * 15 * 15);
    }
    CU_ASSERT_EQUAL(memcmp(face[0].id, face[1].id, (size_t)face[0].n * sizeof(int32_t)), 0);
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        CU_ASSERT(component[0][t] == t % 2 && component[1][t] == t % 2);
    }
    ew_use_threads(before);
    for (int i = 0; i < 2; i++) {
        ew_list_free(&face[i]);
        free(component[i]);
    }
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
    ew_mesh_free(&box);
}

static void test_threads_do_not_change_the_tables(void)
{
    const int before = ew_threads();
    ew_mesh mesh = {0};
    ew_topology one = {0}, three = {0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){1, 1, 1}, (int32_t[]){20, 20, 20}), EW_OK);
    ew_use_threads(1);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&one, &mesh), EW_OK);
    ew_use_threads(3);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&three, &mesh), EW_OK);
    ew_use_threads(before);
    CU_ASSERT_EQUAL(ew_topology_check(&three, &mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(one.pattern.n_pair, three.pattern.n_pair);
    CU_ASSERT_EQUAL(memcmp(one.pattern.pair_row, three.pattern.pair_row,
                           2 * (size_t)one.pattern.n_pair * sizeof(int32_t)),
                    0);
    CU_ASSERT_EQUAL(memcmp(one.pattern.n_lower, three.pattern.n_lower,
                           (size_t)mesh.n_vertex * sizeof(int32_t)),
                    0);
    CU_ASSERT_EQUAL(
        memcmp(one.tet_to_edge, three.tet_to_edge, 6 * (size_t)mesh.n_tet * sizeof(int32_t)), 0);
    expect_same_rows(&one.vertex_to_tet, &three.vertex_to_tet);
    expect_same_rows(&one.edge_to_tet, &three.edge_to_tet);
    expect_same_rows(&one.pattern.row_to_pair, &three.pattern.row_to_pair);
    ew_topology_free(&one);
    ew_topology_free(&three);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tables[] = {
        {"test_build_pair", test_build_pair},
        {"test_build_box", test_build_box},
        {"test_build_without_memory", test_build_without_memory},
        {"test_check_names_the_rule", test_check_names_the_rule},
        {"test_face_neighbor", test_face_neighbor},
        {"test_area_vectors_close_the_surface", test_area_vectors_close_the_surface},
        {"test_components_need_faces", test_components_need_faces},
        {"test_threads_do_not_change_faces_and_components",
         test_threads_do_not_change_faces_and_components},
        {"test_threads_do_not_change_the_tables", test_threads_do_not_change_the_tables},
        CU_TEST_INFO_NULL,
    };
    static const CU_SuiteInfo suites[] = {
        {"topology: tables", NULL, NULL, NULL, NULL, tables},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
