/* Calls of the library as programs and bindings make them: numbers out of range, forgotten calls,
 * arrays in place of single entities, what a failure names. */
#include "model_fixture.h"

/* ---- numbers out of range --------------------------------------------------------- */

static void expect_named(ew_status status, int64_t id)
{
    CU_ASSERT_EQUAL(status, EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_last_failure()->status, EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], id);
}

static void test_numbers_out_of_range(void)
{
    static const int32_t wrong[] = {-1, INT32_MIN, 99, INT32_MAX};
    ew_model *model = make_model(2, NULL);
    const ew_list none = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int32_t n = wrong[i];
        ew_list list = {0};
        ew_set_measure measure;
        const ew_model_set view = ew_model_view_set(model, n);
        expect_named(ew_last_failure()->status, n);
        CU_ASSERT_STRING_EQUAL(view.name, "");
        CU_ASSERT(view.member && !view.member->list.n && !view.n_active);
        expect_named(ew_model_redefine_set(model, n, &none), n);
        ew_model_release_set_boundary(model, n);
        expect_named(ew_model_list_vertices(model, n, &list), n);
        expect_named(ew_model_list_faces(model, n, &list), n);
        expect_named(ew_model_list_tets(model, n, &list), n);
        expect_named(ew_model_measure_set(model, n, &measure), n);
        CU_ASSERT_PTR_NULL(ew_model_field(model, n));
        expect_named(ew_last_failure()->status, n);
        CU_ASSERT_PTR_NULL(ew_model_view_field(model, n));
        CU_ASSERT_PTR_NULL(ew_model_surface(model, n));
        expect_named(ew_last_failure()->status, n);
        CU_ASSERT_FALSE(ew_model_tet_is_quadratic(model, n == 99 ? 99999 : n));
        CU_ASSERT_PTR_NULL(ew_model_edge_state(model, n));
    }
    ew_model_free(model);
}

/* ---- materials --------------------------------------------------------------------- */

static void test_materials_before_a_solve(void)
{
    ew_mesh mesh;
    ew_model *model;
    const ew_model_def def = ew_default_model_def();
    const ew_material steel = {.young = 210e9, .poisson = 0.3};
    must(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}));
    must(ew_model_create(&model, &mesh, &def));
    CU_ASSERT_PTR_NULL(ew_model_materials(model));
    CU_ASSERT_EQUAL(ew_last_failure()->status, EW_BAD_INPUT);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    const ew_materials *materials = ew_model_materials(model);
    CU_ASSERT_PTR_NOT_NULL_FATAL(materials);
    CU_ASSERT_EQUAL(materials->n, 1);
    CU_ASSERT_DOUBLE_EQUAL(materials->lame[1], 210e9 / 2.6, 1.0);
    ew_model_free(model);
}

/* ---- edits --------------------------------------------------------------------------- */

/* A commit leaves an empty queue, so that one without ew_model_begin applies nothing again; what is
 * refused stays to be repaired. */
static void test_commit_leaves_an_empty_queue(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_edit *edit = ew_model_edit(model);
    int32_t v;
    must(ew_edit_add_vertex(edit, (double[3]){9, 9, 9}, &v));
    must(ew_model_commit(model));
    const int32_t n = mesh->n_vertex;
    CU_ASSERT(ew_edit_is_empty(edit));
    CU_ASSERT_EQUAL(ew_model_applied(model)->n_add_vertex, 1);
    const uint64_t revision = mesh->revision;
    must(ew_model_commit(model));
    CU_ASSERT(mesh->n_vertex == n && mesh->revision == revision);
    must(ew_edit_remove_tet(ew_model_edit(model), 3));
    must(ew_model_commit(model));
    must(ew_edit_remove_tet(ew_model_edit(model), 4));
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(mesh->n_live_tet, mesh->n_tet - 2);
    must(ew_edit_remove_tet(ew_model_edit(model), 3));
    CU_ASSERT_EQUAL(ew_model_commit(model), EW_BAD_EDIT);
    CU_ASSERT_EQUAL(ew_model_edit(model)->remove_tet.n, 1);
    CU_ASSERT_EQUAL(ew_model_applied(model)->remove_tet.id[0], 4);
    ew_model_begin(model);
    must(ew_model_commit(model));
    ew_model_free(model);
}

static void expect_refused(ew_model *model, int64_t first, int64_t second)
{
    CU_ASSERT_EQUAL(ew_model_commit(model), EW_BAD_EDIT);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], first);
    CU_ASSERT_EQUAL(ew_last_failure()->id[1], second);
    ew_model_begin(model);
}

static void test_refused_commits_name_slots(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_edit *edit = ew_model_edit(model);
    const double nan[3] = {NAN, 0, 0};
    int32_t tet[4]; /* a copy: commits move the mesh's arrays */
    memcpy(tet, mesh->tet + 4 * 5, sizeof tet);
    must(ew_edit_remove_tet(edit, 1000000));
    expect_refused(model, 1000000, -1);
    must(ew_edit_remove_tets(edit, 3, (int32_t[3]){1, 7, 1}));
    expect_refused(model, 1, -1);
    must(ew_edit_move_vertex(edit, 4, nan));
    expect_refused(model, 4, -1);
    must(ew_edit_add_vertex(edit, nan, NULL));
    expect_refused(model, EW_NEW_VERTEX(0), -1);
    must(ew_edit_add_tet(edit, tet, 0));
    expect_refused(model, 5, -1);
    must(ew_edit_add_tet(edit, (int32_t[4]){tet[0], tet[1], tet[2], ew_new_vertex(3)}, 0));
    expect_refused(model, ew_new_vertex(3), -1);
    must(ew_edit_add_tet(edit, (int32_t[4]){tet[0], tet[1], tet[0], tet[3]}, 0));
    expect_refused(model, tet[0], -1);
    must(ew_edit_remove_vertex(edit, tet[2]));
    CU_ASSERT_EQUAL(ew_model_commit(model), EW_BAD_EDIT);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], tet[2]);
    const int64_t holder = ew_last_failure()->id[1];
    CU_ASSERT(holder >= 0 && holder < mesh->n_tet);
    ew_model_free(model);
}

/* One by one and at once: the same mesh. */
static void test_edits_of_many(void)
{
    enum { N = 10 };
    ew_model *a = make_model(2, NULL), *b = make_model(2, NULL);
    const int32_t gone[] = {3, 11, 2};
    const int32_t n_vertex = ew_model_mesh(a)->n_vertex;
    double xyz[3 * N];
    int32_t first, one, tet[4] = {0}, moved[2] = {0, n_vertex - 1};
    double to[6];
    for (int i = 0; i < 3 * N; i++) {
        xyz[i] = 3.0 + 0.1 * (i % 3) * (i / 3);
    }
    xyz[1] += 1.0;
    xyz[6] += 1.0;
    xyz[11] += 1.0;
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < 3; c++) {
            to[3 * k + c] = ew_model_mesh(a)->xyz[3 * moved[k] + c] * 1.01 + 1e-3;
        }
    }
    must(ew_edit_add_vertices(ew_model_edit(a), N, xyz, &first));
    CU_ASSERT_EQUAL(first, ew_new_vertex(0));
    for (int i = 0; i < 4; i++) {
        tet[i] = first - i;
    }
    if (ew_tet_volume(xyz, xyz + 3, xyz + 6, xyz + 9) < 0.0) {
        tet[0] = first - 1;
        tet[1] = first;
    }
    must(ew_edit_add_tets(ew_model_edit(a), 1, tet, (int32_t[1]){1}));
    must(ew_edit_remove_tets(ew_model_edit(a), 3, gone));
    must(ew_edit_move_vertices(ew_model_edit(a), 2, moved, to));
    for (int i = 0; i < N; i++) {
        must(ew_edit_add_vertex(ew_model_edit(b), xyz + 3 * i, &one));
    }
    must(ew_edit_add_tet(ew_model_edit(b), tet, 1));
    for (int i = 0; i < 3; i++) {
        must(ew_edit_remove_tet(ew_model_edit(b), gone[i]));
    }
    for (int k = 0; k < 2; k++) {
        must(ew_edit_move_vertex(ew_model_edit(b), moved[k], to + 3 * k));
    }
    ew_edit copy = {0};
    must(ew_edit_copy(&copy, ew_model_edit(a)));
    must(ew_model_commit(a));
    must(ew_model_commit(b));
    const ew_mesh *m = ew_model_mesh(a), *n = ew_model_mesh(b);
    CU_ASSERT_EQUAL_FATAL(m->n_vertex, n->n_vertex);
    CU_ASSERT_EQUAL_FATAL(m->n_tet, n->n_tet);
    CU_ASSERT(!memcmp(m->xyz, n->xyz, 3 * sizeof *m->xyz * (size_t)m->n_vertex));
    CU_ASSERT(!memcmp(m->tet, n->tet, 4 * sizeof *m->tet * (size_t)m->n_tet));
    CU_ASSERT(!memcmp(m->region, n->region, sizeof *m->region * (size_t)m->n_tet));
    must(ew_edit_remove_vertices(ew_model_edit(a), 6,
                                 (int32_t[6]){m->n_vertex - 1, m->n_vertex - 2, m->n_vertex - 3,
                                              m->n_vertex - 4, m->n_vertex - 5, m->n_vertex - 6}));
    must(ew_model_commit(a));
    CU_ASSERT_EQUAL(m->vertex_hole.n, 6);
    CU_ASSERT_EQUAL(ew_edit_remove_tets(ew_model_edit(a), -1, NULL), EW_BAD_ARGUMENT);
    must(ew_edit_remove_tets(ew_model_edit(a), 0, NULL));
    /* What was queued, kept before the commit, makes the same mesh of the same one. */
    ew_model *c = make_model(2, NULL);
    must(ew_edit_copy(ew_model_edit(c), &copy));
    must(ew_model_commit(c));
    CU_ASSERT(!memcmp(ew_model_mesh(c)->tet, n->tet, 4 * sizeof *n->tet * (size_t)n->n_tet));
    CU_ASSERT(!memcmp(ew_model_mesh(c)->xyz, n->xyz, 3 * sizeof *n->xyz * (size_t)n->n_vertex));
    ew_edit_free(&copy);
    ew_model_free(a);
    ew_model_free(b);
    ew_model_free(c);
}

/* A copy that finds no memory is an empty queue. */
static void test_copies_without_memory(void)
{
    ew_edit edit = {0}, copy = {0};
    must(ew_edit_add_vertex_between(&edit, (double[3]){1, 2, 3}, 0, 1, 0.25, NULL));
    must(ew_edit_add_vertex_in(&edit, (double[3]){1, 2, 3}, (int32_t[4]){0, 1, 2, 3},
                               (double[4]){0.25, 0.25, 0.25, 0.25}, NULL));
    must(ew_edit_add_tet_from(&edit, (int32_t[4]){0, 1, 2, 3}, 8, 5));
    must(ew_edit_add_face(&edit, (int32_t[3]){0, 1, 2}, 4));
    must(ew_edit_add_face_origin(&edit, (int32_t[3]){0, 1, 2}, (int32_t[3]){3, 4, 5}));
    must(ew_edit_add_curve(&edit, 0, 1, (double[3]){0, 0, 0.5}));
    must(ew_edit_move_vertices(&edit, 1, (int32_t[1]){3}, (double[3]){5, 5, 5}));
    must(ew_edit_remove_vertices(&edit, 1, (int32_t[1]){9}));
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_edit_copy(&copy, &edit);
        CU_ASSERT(status ? ew_edit_is_empty(&copy) : copy.n_inside == 1);
        if (!status) {
            CU_ASSERT(copy.add_tet_from[0] == 5 && copy.add_fraction[0] == 0.25);
            CU_ASSERT(copy.curve[2] == 0.5 && copy.face_origin[5] == 5 && copy.move_to[2] == 5.0);
        }
        ew_edit_free(&copy);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
    }
    ew_edit_free(&edit);
}

/* ---- loads that read what a program changes ------------------------------------------ */

typedef struct wind {
    double pressure;
    int n_call; /* behind what the model compares */
} wind;

static void blow(void *user, const ew_mesh *mesh, const ew_topology *topology, int32_t vertex,
                 double *force)
{
    (void)mesh;
    (void)topology;
    wind *of = user;
#pragma omp atomic
    of->n_call++;
    force[2] += of->pressure * (vertex % 3);
}

static void expect_force(ew_model *model, double of_vertex_two)
{
    int32_t place;
    must(ew_model_update_loads(model, &place));
    CU_ASSERT_DOUBLE_EQUAL(ew_model_force(model)[3 * 2 + 2], of_vertex_two, 1e-12);
}

/* Nobody says that a parameter changed. */
static void test_own_load_follows_its_parameters(void)
{
    for (int knows = 0; knows < 2; knows++) {
        ew_model *model = make_model(2, NULL);
        wind at = {.pressure = 5.0};
        const ew_model_load load = {.kind = EW_LOAD_OWN,
                                    .own = blow,
                                    .user = &at,
                                    .user_bytes = knows ? sizeof at.pressure : 0};
        must(ew_model_set_loads(model, 1, &load));
        expect_force(model, 10.0);
        at.pressure = 7.0;
        expect_force(model, 14.0);
        at.n_call = 0;
        expect_force(model, 14.0);
        CU_ASSERT_EQUAL(at.n_call, knows ? 0 : ew_model_mesh(model)->n_active_vertex);
        ew_model_free(model);
    }
}

/* The same in motion, by its effect: a step with the new force. */
static void test_own_load_in_motion(void)
{
    double size[2] = {0.0, 0.0};
    for (int touched = 0; touched < 2; touched++) {
        ew_model *model = make_model(2, NULL);
        wind at = {.pressure = 5.0};
        const ew_model_load load = {
            .kind = EW_LOAD_OWN, .own = blow, .user = &at, .user_bytes = sizeof at.pressure};
        const ew_dynamics_def def = ew_default_dynamics_def();
        const ew_advance_info *info;
        must(ew_model_set_springs(model, 0, NULL));
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_start_dynamics(model, &def, 0.0));
        must(ew_model_advance(model, 1e-5, &info));
        at.pressure = 70.0;
        if (touched) {
            ew_model_touch_loads(model);
        }
        must(ew_model_advance(model, 1e-5, &info));
        for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
            size[touched] += fabs(ew_model_velocity(model)[i]);
        }
        ew_model_free(model);
    }
    CU_ASSERT(size[0] == size[1] && size[0] > 0.0);
}

/* Forces by vertex as an array, written and written again. */
static void test_field_of_forces(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_field_def def = {.name = "push", .width = 3, .rule = EW_FIELD_ZERO};
    const ew_mesh *mesh = ew_model_mesh(model);
    double force[3], moment[3], sum = 0.0;
    int32_t field, place;
    must(ew_model_add_field(model, &def, &field));
    ew_model_load load = {.kind = EW_LOAD_FIELD, .set = -1, .field = field};
    must(ew_model_set_loads(model, 1, &load));
    expect_force(model, 0.0);
    double *push = ew_model_field(model, field);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        push[3 * v + 2] = v;
        sum += v;
    }
    expect_force(model, 2.0);
    must(ew_model_load_resultant(model, 0, force, moment));
    CU_ASSERT_DOUBLE_EQUAL(force[2], sum, 1e-9);
    ew_model_field(model, field)[3 * 2 + 2] = 8.0;
    expect_force(model, 8.0);
    /* What leaves takes its force along, and the report says so. */
    int32_t corner = mesh->n_vertex - 1; /* whose tets others need not */
    while (ew_model_topology(model)->vertex_to_tet.count[corner] > 2) {
        corner--;
    }
    const double before = ew_model_view_field(model, field)[3 * corner + 2];
    const ew_rows *rows = &ew_model_topology(model)->vertex_to_tet;
    must(ew_edit_remove_tets(ew_model_edit(model), rows->count[corner],
                             rows->item + rows->begin[corner]));
    ew_model_clear_report(model);
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_view_report(model)->lost_force[2], before);
    must(ew_model_update_loads(model, &place));
    CU_ASSERT_EQUAL(ew_model_force(model)[3 * corner + 2], 0.0);
    must(ew_model_load_resultant(model, 0, force, moment));
    CU_ASSERT_DOUBLE_EQUAL(force[2], sum + 6.0 - before, 1e-9);
    /* Bad ones. */
    ew_model_field(model, field)[0] = NAN;
    CU_ASSERT_EQUAL(ew_model_update_loads(model, &place), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], 0);
    load.field = WARMTH;
    CU_ASSERT_EQUAL(ew_model_set_loads(model, 1, &load), EW_BAD_ARGUMENT);
    load.field = 0;
    CU_ASSERT_EQUAL(ew_model_set_loads(model, 1, &load), EW_BAD_ARGUMENT);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"numbers_out_of_range", test_numbers_out_of_range},
        {"materials_before_a_solve", test_materials_before_a_solve},
        {"commit_leaves_an_empty_queue", test_commit_leaves_an_empty_queue},
        {"refused_commits_name_slots", test_refused_commits_name_slots},
        {"edits_of_many", test_edits_of_many},
        {"copies_without_memory", test_copies_without_memory},
        {"own_load_follows_its_parameters", test_own_load_follows_its_parameters},
        {"own_load_in_motion", test_own_load_in_motion},
        {"field_of_forces", test_field_of_forces},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"calls", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
