/* What a viewer or a binding asks of a model: loads and selectors by kind, live slots, changes of
 * the boundary that add up, what a ray meets, pieces that a cut separates. */
#include "model_fixture.h"
#include "random_edits.h"

/* ---- loads and selectors by kind -------------------------------------------------- */

static void test_loads_by_kind(void)
{
    const double v[3] = {1.0, 2.0, 3.0}, at[3] = {4.0, 5.0, 6.0};
    double user = 0.0;
    const ew_model_load made[] = {ew_load_gravity(v),
                                  ew_load_total_force(TOP, v),
                                  ew_load_force(TIP, v),
                                  ew_load_pressure(SIDE, 7.0),
                                  ew_load_traction(TOP_FACES, v),
                                  ew_load_moment(END_FACES, v),
                                  ew_load_remote_force(TOP, v, at),
                                  ew_load_bearing(END_FACES, v),
                                  ew_load_centrifugal(v, at),
                                  ew_load_temperature(-1, 8.0),
                                  ew_load_field(-1, ZERO),
                                  ew_load_own(own_force, &user, 8)};
    const ew_model_load expected[] = {
        {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {1, 2, 3}},
        {.kind = EW_LOAD_TOTAL_FORCE, .set = TOP, .vector = {1, 2, 3}},
        {.kind = EW_LOAD_FORCE, .set = TIP, .vector = {1, 2, 3}},
        {.kind = EW_LOAD_PRESSURE, .set = SIDE, .pressure = 7},
        {.kind = EW_LOAD_TRACTION, .set = TOP_FACES, .vector = {1, 2, 3}},
        {.kind = EW_LOAD_MOMENT, .set = END_FACES, .vector = {1, 2, 3}},
        {.kind = EW_LOAD_REMOTE_FORCE, .set = TOP, .vector = {1, 2, 3}, .point = {4, 5, 6}},
        {.kind = EW_LOAD_BEARING, .set = END_FACES, .vector = {1, 2, 3}},
        {.kind = EW_LOAD_CENTRIFUGAL, .set = -1, .vector = {1, 2, 3}, .point = {4, 5, 6}},
        {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 8},
        {.kind = EW_LOAD_FIELD, .set = -1, .field = ZERO},
        {.kind = EW_LOAD_OWN, .set = -1, .own = own_force, .user = &user, .user_bytes = 8}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        const ew_model_load *a = &made[i], *b = &expected[i];
        CU_ASSERT(a->kind == b->kind && a->set == b->set && a->pressure == b->pressure);
        CU_ASSERT(a->change == b->change && a->field == b->field && a->own == b->own);
        CU_ASSERT(a->user == b->user && a->user_bytes == b->user_bytes && !a->amplitude);
        CU_ASSERT(!memcmp(a->vector, b->vector, sizeof a->vector));
        CU_ASSERT(!memcmp(a->point, b->point, sizeof a->point));
    }
    ew_model *model = make_model(2, NULL);
    must(ew_model_set_loads(model, 7, made)); /* all but the bearing, whose faces are a plane */
    must(ew_model_set_loads(model, 4, made + 8));
    ew_model_free(model);
}

static int32_t n_selected(const ew_mesh *mesh, ew_selector selector)
{
    ew_list list = {0};
    must(ew_mesh_select(mesh, &selector, &list));
    const int32_t n = list.n;
    ew_list_free(&list);
    return n;
}

/* Of the 27 vertices of a box of 2 x 2 x 2 cells. */
static void test_selectors_by_kind(void)
{
    const double zero[3] = {0}, one[3] = {1, 1, 1}, half[3] = {0.5, 0.5, 0.5}, x[3] = {1, 0, 0};
    const int64_t id[] = {3, 5};
    ew_mesh mesh;
    must(ew_shape_box(&mesh, one, (int32_t[3]){2, 2, 2}));
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_box(zero, half)), 8);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_sphere(half, 0.6)), 7);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_cylinder(zero, x, 0.1)), 3);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_plane(half, x, 1e-9)), 9);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_side(half, x)), 18);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_nearest(one)), 1);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_region(mesh.region_label[0])), 27);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_ids(2, id)), 2);
    CU_ASSERT_EQUAL(n_selected(&mesh, ew_select_all()), 27);
    CU_ASSERT_EQUAL(ew_select_surface(4).label, 4);
    CU_ASSERT_EQUAL(ew_select_surface(4).kind, EW_SELECT_SURFACE);
    ew_mesh_free(&mesh);
}

static void test_live_slots(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t gone[] = {0, 7, mesh->n_tet - 1};
    int32_t n = 0, n_vertex = 0;
    must(ew_edit_remove_tets(ew_model_edit(model), 3, gone));
    must(ew_edit_add_vertex(ew_model_edit(model), (double[3]){5, 5, 5}, NULL));
    must(ew_model_commit(model));
    for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0; n++) {
        CU_ASSERT(ew_mesh_tet_is_live(mesh, t));
    }
    for (int32_t v = -1; (v = ew_mesh_next_vertex(mesh, v)) >= 0; n_vertex++) {
        CU_ASSERT(ew_mesh_vertex_is_active(mesh, v));
    }
    CU_ASSERT(n == mesh->n_live_tet && n_vertex == mesh->n_active_vertex);
    CU_ASSERT_EQUAL(ew_mesh_next_tet(mesh, INT32_MAX), -1);
    CU_ASSERT_EQUAL(ew_mesh_next_vertex(mesh, INT32_MAX), -1);
    ew_model_free(model);
}

/* ---- the boundary ---------------------------------------------------------------- */

/* A reader that looks after several commits knows all faces. */
static void look(ew_model *model, int32_t *code, int32_t n_room, bool expects_all)
{
    const ew_boundary *boundary;
    const ew_boundary_changes *changes;
    must(ew_model_boundary(model, &boundary));
    must(ew_model_boundary_changes(model, &changes));
    CU_ASSERT_EQUAL(changes->all, expects_all);
    CU_ASSERT_FATAL(boundary->n_slot <= n_room);
    for (int32_t s = 0; s < boundary->n_slot && changes->all; s++) {
        code[s] = boundary->code[s];
    }
    for (int32_t i = 0; i < changes->slot.n; i++) {
        code[changes->slot.id[i]] = boundary->code[changes->slot.id[i]];
    }
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        CU_ASSERT_EQUAL(code[s], boundary->code[s]);
    }
    ew_model_clear_boundary_changes(model);
    must(ew_model_boundary_changes(model, &changes));
    CU_ASSERT(!changes->all && !changes->slot.n);
    CU_ASSERT_EQUAL(changes->from, ew_model_mesh(model)->revision);
}

static void test_boundary_changes_add_up(void)
{
    enum { ROOM = 20000 };
    static int32_t code[ROOM];
    ew_model *model = make_model(4, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    uint64_t random = 3;
    look(model, code, ROOM, true);
    for (int round = 0; round < 20; round++) {
        for (int k = 0; k < 1 + round % 4; k++) {
            must(ew_edit_remove_tet(ew_model_edit(model), random_live_tet(mesh, &random)));
            must(ew_model_commit(model));
        }
        look(model, code, ROOM, false);
    }
    must(ew_model_compact(model, NULL, NULL));
    look(model, code, ROOM, true);
    must(ew_edit_remove_tet(ew_model_edit(model), random_live_tet(mesh, &random)));
    must(ew_model_commit(model));
    must(ew_model_rebuild(model));
    must(ew_edit_remove_tet(ew_model_edit(model), random_live_tet(mesh, &random)));
    must(ew_model_commit(model));
    look(model, code, ROOM, false);
    ew_model_free(model);
}

static void expect_at(const double a[3], double x, double y, double z)
{
    CU_ASSERT(fabs(a[0] - x) + fabs(a[1] - y) + fabs(a[2] - z) < 1e-12);
}

static void test_ray(void)
{
    ew_model *model = make_model(3, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    const double down[3] = {0, 0, -2}, up[3] = {0, 0, 1}, nan[3] = {NAN, 0, 0}, none[3] = {0};
    ew_pick pick;
    must(ew_model_pick(model, (double[3]){0.4, 0.3, 5.0}, down, 0.0, &pick));
    CU_ASSERT_DOUBLE_EQUAL(pick.distance, 2.0, 1e-12);
    expect_at(pick.xyz, 0.4, 0.3, 1.0);
    expect_at(pick.rest, 0.4, 0.3, 1.0);
    CU_ASSERT(pick.slot >= 0 && ew_mesh_tet_is_live(mesh, pick.tet));
    CU_ASSERT_DOUBLE_EQUAL(pick.weight[0] + pick.weight[1] + pick.weight[2], 1.0, 1e-12);
    must(ew_model_pick(model, (double[3]){0.4, 0.3, 5.0}, up, 0.0, &pick));
    CU_ASSERT(pick.slot == -1 && pick.distance == 0.0);
    must(ew_model_pick(model, (double[3]){0.4, 0.3, 0.5}, up, 0.0, &pick)); /* from within */
    expect_at(pick.xyz, 0.4, 0.3, 1.0);
    /* The body as it is drawn: stretched by a displacement of 1 % of z, 100 times. */
    double *u = ew_model_field(model, 0);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        u[3 * v + 2] = 0.01 * mesh->xyz[3 * v + 2];
    }
    must(ew_model_pick(model, (double[3]){0.4, 0.3, 5.0}, down, 100.0, &pick));
    expect_at(pick.xyz, 0.4, 0.3, 2.0);
    expect_at(pick.rest, 0.4, 0.3, 1.0);
    CU_ASSERT_EQUAL(ew_model_pick(model, none, none, 0.0, &pick), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_pick(model, nan, up, 0.0, &pick), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_pick(model, none, up, INFINITY, &pick), EW_BAD_ARGUMENT);
    ew_model_free(model);
}

/* ---- pieces that a cut separates -------------------------------------------------------- */

/* Every tet with all corners beyond x = 1/3 and within 2/3 goes: what is beyond hangs on nothing.
 */
static void queue_slab(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0;) {
        double center[3];
        ew_mesh_tet_centroid(mesh, t, center);
        if (center[0] > 1.0 / 3.0 && center[0] < 2.0 / 3.0) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
        }
    }
}

static void test_commit_without_what_is_separated(void)
{
    ew_model *model = make_model(3, NULL);
    const ew_model_constraint fixed = {.set = WALL, .fixed = 7};
    int32_t n;
    must(ew_model_set_loads(model, 0, NULL));
    must(ew_model_set_springs(model, 0, NULL));
    must(ew_model_set_constraints(model, 1, &fixed));
    const int32_t n_tet = ew_model_mesh(model)->n_live_tet;
    queue_slab(model);
    must(ew_model_commit_connected(model, &n));
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(ew_model_mesh(model)->n_live_tet, n_tet / 3);
    must(ew_edit_remove_tet(ew_model_edit(model), ew_mesh_next_tet(ew_model_mesh(model), -1)));
    must(ew_model_commit_connected(model, &n));
    /* Nothing is kept by supports: the body stays and the failure says so. */
    must(ew_model_set_constraints(model, 0, NULL));
    const int32_t left = ew_model_mesh(model)->n_live_tet;
    CU_ASSERT_EQUAL(ew_model_commit_connected(model, &n), EW_UNDER_CONSTRAINED);
    CU_ASSERT(n == 0 && ew_model_mesh(model)->n_live_tet == left);
    CU_ASSERT(ew_edit_is_empty(ew_model_edit(model)));
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"loads_by_kind", test_loads_by_kind},
        {"selectors_by_kind", test_selectors_by_kind},
        {"live_slots", test_live_slots},
        {"boundary_changes_add_up", test_boundary_changes_add_up},
        {"ray", test_ray},
        {"commit_without_what_is_separated", test_commit_without_what_is_separated},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"viewer_calls", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
