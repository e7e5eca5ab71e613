/* Welds: parts that touch and slits become one body, sets, faces, labels and curved sides follow,
 * and what cannot be joined is refused. Splits: a body is parted along its faces, and a weld takes
 * that back. */
#include "curved_fixture.h"
#include "operation_body.h"

static int32_t count_pieces(const body *b)
{
    int32_t *piece = malloc((size_t)b->mesh.n_tet * sizeof *piece), n = 0;
    CU_ASSERT_EQUAL(ew_topology_components(&b->topology, &b->mesh, piece, &n), EW_OK);
    free(piece);
    return n;
}

/* Boxes [0, 1] and [1 + gap, 2 + gap] in one mesh, of 3 x 3 x 3 cells each; with regions 1 and 5.
 */
static void make_apart(body *b, double gap)
{
    ew_mesh other;
    make_box(b, 1, 1, 1, 3, 3, 3);
    must(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){3, 3, 3}));
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * v] += 3.0;
    }
    other.region_label[0] = 5;
    must(ew_operation_add(&b->mesh, &other, 0.0, &b->edit));
    commit(b);
    for (int32_t v = 64; v < 128; v++) {
        const double *x = b->mesh.xyz + 3 * (size_t)v;
        must(ew_edit_move_vertex(&b->edit, v, (double[3]){x[0] - 2.0 + gap, x[1], x[2]}));
    }
    commit(b);
    ew_mesh_free(&other);
    CU_ASSERT_EQUAL(count_pieces(b), 2);
}

static void test_parts_that_touch_become_one(void)
{
    for (int with_gap = 0; with_gap < 2; with_gap++) {
        const double gap = with_gap ? 1e-3 : 0.0;
        body b;
        make_apart(&b, gap);
        must(ew_operation_weld(&b.mesh, &b.topology, NULL, 1.01 * gap, &b.edit));
        CU_ASSERT_EQUAL(b.edit.n_merge, 16);
        commit(&b);
        CU_ASSERT_EQUAL(count_pieces(&b), 1);
        CU_ASSERT_EQUAL(b.mesh.n_live_tet, 2 * 27 * 6);
        CLOSE(measure(&b).volume, 2.0 + gap, 1e-13);
        CLOSE(boundary_area(&b), 10.0 + 4.0 * gap, 1e-13);
        int32_t n_boundary;
        CU_ASSERT_EQUAL(labeled_boundary(&b, &n_boundary), n_boundary);
        CU_ASSERT_EQUAL(n_boundary, 10 * 18);
        drop(&b);
    }
}

/* The sides of a slit, and with a set the part of them that it has. */
static void test_a_slit_is_closed(void)
{
    for (int part = 0; part < 2; part++) {
        body b;
        ew_list chosen = {0};
        ew_cut_def def = ew_default_cut_def();
        make_box(&b, 1, 1, 1, 4, 4, 4);
        def.b[2] = 1.0;
        def.a[2] = 0.5;
        def.keep = EW_CUT_KEEP_OPEN;
        must(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL));
        commit(&b);
        CU_ASSERT_EQUAL(count_pieces(&b), 2);
        const ew_selector half = {.kind = EW_SELECT_BOX, .a = {-1, -1, -1}, .b = {0.51, 2, 2}};
        must(ew_mesh_select(&b.mesh, &half, &chosen));
        must(ew_operation_weld(&b.mesh, &b.topology, part ? &chosen : NULL, 0.0, &b.edit));
        commit(&b);
        CU_ASSERT_EQUAL(count_pieces(&b), 1);
        CLOSE(measure(&b).volume, 1.0, 1e-13);
        CLOSE(boundary_area(&b), part ? 7.0 : 6.0, 1e-13);
        if (!part) {
            REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, 0.1, &b.edit), EW_BAD_EDIT,
                    "weld: no two vertices of the surface are within 0.1 of each other");
        }
        ew_list_free(&chosen);
        drop(&b);
    }
}

static void test_what_cannot_be_joined_is_refused(void)
{
    body b;
    const ew_list far = {.n = 1, .id = (int32_t[]){9999}}, two = {.n = 2, .id = (int32_t[]){0, 1}};
    make_apart(&b, 0.01);
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, 0.0099, &b.edit), EW_BAD_EDIT,
            "of the surface are within 0.0099");
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, &two, 0.02, &b.edit), EW_BAD_EDIT,
            "of the surface, of those chosen, are");
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, 0.4, &b.edit), EW_BAD_EDIT,
            "two vertices of tet");
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, -1.0, &b.edit), EW_BAD_ARGUMENT,
            "tolerance -1");
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, NAN, &b.edit), EW_BAD_ARGUMENT,
            "tolerance");
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, &far, 0.1, &b.edit), EW_BAD_ARGUMENT,
            "does not exist");
    for (int32_t v = 64; v < 128; v++) { /* the second box onto the first one */
        must(ew_edit_move_vertex(&b.edit, v, b.mesh.xyz + 3 * (size_t)(v - 64)));
    }
    commit(&b);
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, 1e-9, &b.edit), EW_BAD_EDIT,
            "would overlap at the face of vertices");
    b.mesh.revision++;
    REFUSED(ew_operation_weld(&b.mesh, &b.topology, NULL, 1e-9, &b.edit), EW_STALE, "tables");
    b.mesh.revision--;
    drop(&b);
}

static void test_without_memory_nothing_is_queued(void)
{
    body b;
    ew_status status = EW_NO_MEMORY;
    make_apart(&b, 0.0);
    for (int k = 0; k < 2000 && status == EW_NO_MEMORY; k++) {
        ew_edit_free(&b.edit);
        ew_test_allocations_begin(k);
        status = ew_operation_weld(&b.mesh, &b.topology, NULL, 0.0, &b.edit);
        CU_ASSERT_EQUAL(ew_test_allocations_end(), status == EW_NO_MEMORY);
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && ew_edit_is_empty(&b.edit)));
    }
    CU_ASSERT_EQUAL(status, EW_OK);
    drop(&b);
}

/* ---- through a model --------------------------------------------------------------------- */

static int32_t add_set(ew_model *model, const char *name, ew_set_kind kind, double low, double high)
{
    const ew_model_set_def def = {.name = name, .kind = kind, .allow_empty = true};
    const ew_selector at = {.kind = EW_SELECT_BOX, .a = {low, -9, -9}, .b = {high, 9, 9}};
    int32_t set;
    must(ew_model_select_set(model, &def, &at, &set));
    return set;
}

/* Vertices of region 5 at x = 1. */
static void list_second(const ew_mesh *mesh, ew_list *vertex)
{
    ew_set of = {0};
    for (int32_t i = 0; i < 4 * mesh->n_tet; i++) {
        const bool is_second = mesh->region_label[mesh->region[i / 4]] == 5;
        must(is_second && mesh->xyz[3 * mesh->tet[i]] < 1.01 ? ew_set_add(&of, mesh->tet[i])
                                                             : EW_OK);
    }
    *vertex = of.list;
    of.list = (ew_list){0};
    ew_set_free(&of);
}

/* A bar of two parts at x = 1: their vertices there are in a set each, their sides, above all that
 * of the second part, whose vertices go, in one of faces. */
static void test_sets_follow(void)
{
    body b;
    ew_model *model;
    ew_model_verification same;
    const ew_model_def def = ew_default_model_def();
    const ew_material steel = {.young = 1.0, .poisson = 0.3, .density = 1.0};
    make_apart(&b, 0.0);
    must(ew_model_create(&model, &b.mesh, &def));
    b.mesh = (ew_mesh){0};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    const ew_model_set_def of_vertices = {
        .name = "second", .kind = EW_SET_OF_VERTICES, .allow_empty = true};
    ew_list end = {0};
    int32_t second;
    list_second(ew_model_mesh(model), &end);
    must(ew_model_add_set(model, &of_vertices, &end, &second));
    const int32_t near = add_set(model, "near", EW_SET_OF_VERTICES, 0.99, 1.01),
                  sides = add_set(model, "sides", EW_SET_OF_FACES, 0.99, 9.0),
                  tets = add_set(model, "tets", EW_SET_OF_TETS, 1.0, 9.0);
    ew_set_measure before, after;
    must(ew_model_measure_set(model, sides, &before));
    CLOSE(before.area, 7.0, 1e-13); /* both ends at x = 1, the end at 2, four sides */
    const ew_operation *weld = ew_operation_named("weld");
    const ew_operation_values values = ew_operation_presets(weld);
    must(ew_model_queue_operation(model, weld, &values, NULL));
    must(ew_model_commit(model));
    must(ew_model_measure_set(model, sides, &after));
    CLOSE(after.area, 5.0, 1e-13);
    must(ew_model_measure_set(model, second, &after));
    CU_ASSERT_EQUAL(end.n, 16);
    CU_ASSERT_EQUAL(after.n_member, 16);
    must(ew_model_measure_set(model, near, &after));
    CU_ASSERT_EQUAL(after.n_member, 16);
    must(ew_model_measure_set(model, tets, &after));
    CU_ASSERT_EQUAL(after.n_member, 27 * 6);
    must(ew_model_verify(model, &same));
    CU_ASSERT_EQUAL(same.n_different, 0);
    ew_list_free(&end);
    ew_model_free(model);
    drop(&b);
}

/* A bent body of quadratic tets, slit and welded, has the volume and the curved sides of before. */
static void test_curved_sides_follow(void)
{
    const ew_material steel = {.young = 1.0, .poisson = 0.3, .density = 1.0};
    ew_model *model = make_bent_model_of(0.0, &steel);
    const double volume = volume_of(model);
    ew_cut_def def = ew_default_cut_def();
    def.b[0] = 1.0;
    def.a[0] = 0.5;
    def.keep = EW_CUT_KEEP_OPEN;
    must(ew_operation_cut(ew_model_mesh(model), ew_model_topology(model), &def,
                          ew_model_edit(model), NULL));
    must(ew_model_commit(model));
    CLOSE(volume_of(model), volume, 1e-10);
    const ew_operation *weld = ew_operation_named("weld");
    const ew_operation_values values = ew_operation_presets(weld);
    must(ew_model_queue_operation(model, weld, &values, NULL));
    must(ew_model_commit(model));
    CLOSE(volume_of(model), volume, 1e-10);
    ew_model_verification same;
    must(ew_model_verify(model, &same));
    CU_ASSERT_EQUAL(same.n_different, 0);
    CU_ASSERT_EQUAL(ew_operation_weld(ew_model_mesh(model), ew_model_topology(model), NULL, 1e-9,
                                      ew_model_edit(model)),
                    EW_BAD_EDIT);
    ew_model_free(model);
}

/* ---- splits ------------------------------------------------------------------------------ */

static ew_split_def across(double x, const double tilt[3])
{
    ew_split_def def = {.point = {x, 0.5, 0.5}, .label = 77};
    memcpy(def.normal, tilt, sizeof def.normal);
    return def;
}

/* Across the grid, in it and between its planes; only vertices of the section are doubled. */
static void test_a_body_is_parted(void)
{
    static const double normal[3][3] = {{1, 0, 0}, {1, 0.3, -0.2}, {-2, 0.1, 0}};
    for (int k = 0; k < 9; k++) {
        body b;
        int32_t n_boundary;
        make_box(&b, 3, 1, 1, 9, 3, 3);
        const int32_t n = b.mesh.n_vertex, n_tet = b.mesh.n_live_tet;
        const double sides = boundary_area(&b);
        const ew_split_def def = across(1.0 + 0.21 * (k / 3), normal[k % 3]);
        must(ew_operation_split(&b.mesh, &b.topology, &def, &b.edit));
        commit(&b);
        CU_ASSERT_EQUAL(count_pieces(&b), 2);
        CU_ASSERT_EQUAL(b.mesh.n_live_tet, n_tet);
        CU_ASSERT(b.mesh.n_vertex > n && b.mesh.n_vertex < n + 60);
        CLOSE(measure(&b).volume, 3.0, 1e-13);
        CLOSE(labeled_area(&b, 77), boundary_area(&b) - sides, 1e-12);
        CU_ASSERT_EQUAL(labeled_boundary(&b, &n_boundary), n_boundary);
        for (int32_t t = 0; t < b.mesh.n_tet && k == 0; t++) {
            double c[3];
            centroid(&b.mesh, t, c);
            CU_ASSERT_EQUAL(ew_split_is_beyond(&b.mesh, t, def.point, def.normal), c[0] > 1.0);
        }
        must(ew_operation_weld(&b.mesh, &b.topology, NULL, 0.0, &b.edit));
        commit(&b);
        CU_ASSERT_EQUAL(count_pieces(&b), 1);
        CLOSE(boundary_area(&b), sides, 1e-13);
        drop(&b);
    }
}

/* Two bars in the plane: the one that is nearer to the point. A part of a bar: not through. */
static void test_the_nearest_section_is_parted(void)
{
    for (int k = 0; k < 2; k++) {
        body b;
        make_apart(&b, 0.5);
        ew_split_def def = {.point = {k ? 2.0 : 0.5, 0.5, 0.5}, .normal = {0, 0, 1}, .label = 77};
        must(ew_operation_split(&b.mesh, &b.topology, &def, &b.edit));
        commit(&b);
        CU_ASSERT_EQUAL(count_pieces(&b), 3);
        for (int32_t f = 0; f < b.mesh.n_face; f++) {
            const double x = b.mesh.xyz[3 * (size_t)b.mesh.face[3 * (size_t)f]];
            CU_ASSERT(b.mesh.face_label[f] != 77 || (x > 1.25) == (k == 1));
        }
        drop(&b);
    }
    body b;
    ew_list half = {0};
    make_box(&b, 3, 1, 1, 9, 4, 4);
    const ew_selector low = {.kind = EW_SELECT_BOX, .a = {-1, -1, -1}, .b = {9, 0.51, 9}};
    must(ew_mesh_select(&b.mesh, &low, &half));
    ew_split_def def = across(1.5, (double[3]){1, 0, 0});
    def.vertex = &half;
    REFUSED(ew_operation_split(&b.mesh, &b.topology, &def, &b.edit), EW_BAD_EDIT,
            "are joined round the edge of the section by tets out of the set");
    def.point[0] = 9.0;
    REFUSED(ew_operation_split(&b.mesh, &b.topology, &def, &b.edit), EW_BAD_EDIT,
            "split: the plane through (9, 0.5, 0.5) has no tets of the set on both sides");
    memset(def.normal, 0, sizeof def.normal);
    REFUSED(ew_operation_split(&b.mesh, &b.topology, &def, &b.edit), EW_BAD_ARGUMENT, "the normal");
    ew_list_free(&half);
    drop(&b);
}

static void test_a_split_without_memory(void)
{
    bool failed = true;
    body b;
    make_box(&b, 3, 1, 1, 4, 2, 2);
    const ew_split_def def = across(1.6, (double[3]){1, 0, 0});
    for (int64_t k = 0; failed; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_operation_split(&b.mesh, &b.topology, &def, &b.edit);
        failed = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (failed && status == EW_NO_MEMORY));
        CU_ASSERT(status == EW_OK || is_empty(&b.edit));
        ew_edit_free(&b.edit);
    }
    drop(&b);
}

/* A bent body has its volume, and its matrix that of one that is built, also welded again. */
static void test_curved_sides_are_parted(void)
{
    const ew_material steel = {.young = 1.0, .poisson = 0.3, .density = 1.0};
    ew_model *model = make_bent_model_of(0.0, &steel);
    const double volume = volume_of(model);
    const ew_split_def def = {.point = {0.5, 0.5, 0.5}, .normal = {1, 0.2, 0}};
    ew_model_verification same;
    for (int k = 0; k < 2; k++) {
        must(k ? ew_operation_weld(ew_model_mesh(model), ew_model_topology(model), NULL, 0.0,
                                   ew_model_edit(model))
               : ew_operation_split(ew_model_mesh(model), ew_model_topology(model), &def,
                                    ew_model_edit(model)));
        must(ew_model_commit(model));
        CLOSE(volume_of(model), volume, 1e-12);
        must(ew_model_verify(model, &same));
        CU_ASSERT_EQUAL(same.n_different, 0);
    }
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"parts_that_touch_become_one", test_parts_that_touch_become_one},
        {"a_slit_is_closed", test_a_slit_is_closed},
        {"what_cannot_be_joined_is_refused", test_what_cannot_be_joined_is_refused},
        {"without_memory_nothing_is_queued", test_without_memory_nothing_is_queued},
        {"sets_follow", test_sets_follow},
        {"curved_sides_follow", test_curved_sides_follow},
        {"a_body_is_parted", test_a_body_is_parted},
        {"the_nearest_section_is_parted", test_the_nearest_section_is_parted},
        {"a_split_without_memory", test_a_split_without_memory},
        {"curved_sides_are_parted", test_curved_sides_are_parted},
        CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"operation_weld", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
