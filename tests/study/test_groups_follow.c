/* Named groups of a mesh through a study: lists follow its edits, also where element removal brings
 * tets back; they change nothing of what it computes; bears failing allocations. */
#include "chain_fixture.h"
#include "meshing/tetgen.h"
#include "study_fixture.h"

/* A list of all tets but one, one of that alone, a list of vertices, and the name of a label. */
static void make_groups(const ew_mesh *mesh, ew_groups *groups)
{
    ew_group *most, *one, *end;
    memset(groups, 0, sizeof *groups);
    must(ew_groups_add_list(groups, EW_GROUP_TETS, "most", &most));
    for (int32_t t = 1; t < mesh->n_tet; t++) {
        must(ew_group_push(most, mesh->tet_id[t]));
    }
    must(ew_groups_add_list(groups, EW_GROUP_TETS, "one", &one));
    must(ew_group_push(one, mesh->tet_id[0]));
    must(ew_groups_add_list(groups, EW_GROUP_VERTICES, "end", &end));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(mesh->xyz[3 * (size_t)v] == 4.0 ? ew_group_push(end, mesh->vertex_id[v]) : EW_OK);
    }
    must(ew_groups_name_label(groups, EW_GROUP_FACES, 1, "root"));
}

static void run_with(const char *text, ew_groups *groups, ew_mesh *mesh)
{
    ew_case input;
    ew_study_def def = linear_study_def();
    must(read_text(text, &input));
    must(ew_shape_box(mesh, (double[3]){4, 1, 1}, (int32_t[3]){8, 2, 2}));
    if (groups) {
        make_groups(mesh, groups);
        def.groups = groups;
    }
#if EW_WITH_TETGEN
    def.fill = ew_tetgen_fill;
#endif
    must(ew_study_run(&input, mesh, &def, NULL, NULL));
    ew_case_free(&input);
}

static bool lists(const ew_groups *groups, ew_group_kind kind, const char *name, int64_t id)
{
    const ew_group *group = ew_groups_find(groups, kind, name);
    int32_t i = 0;
    while (i < group->n_id && group->id[i] < id) {
        i++;
    }
    return i < group->n_id && group->id[i] == id;
}

/* Each tet in one of the two lists, each vertex of the end in the third, and no others. */
static void check_groups(const ew_groups *groups, const ew_mesh *mesh)
{
    int32_t n_tet = 0, n_end = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            CU_ASSERT(lists(groups, EW_GROUP_TETS, "most", mesh->tet_id[t]) !=
                      lists(groups, EW_GROUP_TETS, "one", mesh->tet_id[t]));
            n_tet++;
        }
    }
    CU_ASSERT_EQUAL(n_tet, ew_groups_find(groups, EW_GROUP_TETS, "most")->n_id +
                               ew_groups_find(groups, EW_GROUP_TETS, "one")->n_id);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            const bool is_there = mesh->xyz[3 * (size_t)v] == 4.0;
            CU_ASSERT_EQUAL(lists(groups, EW_GROUP_VERTICES, "end", mesh->vertex_id[v]), is_there);
            n_end += is_there;
        }
    }
    CU_ASSERT(n_end > 0);
    CU_ASSERT_EQUAL(n_end, ew_groups_find(groups, EW_GROUP_VERTICES, "end")->n_id);
}

static void test_groups_follow(void)
{
    static const char text[] =
        BODY "steps:\n"
             "  - name: a\n    edit:\n"
             "      - cut: {plane: {point: [0.63, 0, 0], normal: x}, keep: both, name: seam}\n"
             "      - refine: {longer_than: 0.7}\n    static: {}\n"
             "  - name: b\n    edit:\n"
             "      - refine: {by: error, until: 40 %, max_rounds: 1}\n"
             "      - cut: {plane: {point: [0.22, 0, 0], normal: x}, label: 1, name: root}\n"
             "      - remove: {box: [[1, 0, 0], [1.3, 0.5, 0.5]]}\n";
    ew_groups groups;
    ew_mesh mesh;
    run_with(text, &groups, &mesh);
    check_groups(&groups, &mesh);
    const ew_group *seam = ew_groups_find(&groups, EW_GROUP_FACES, "seam");
    CU_ASSERT(seam && seam->is_label && seam->label == 1001);
    CU_ASSERT_EQUAL(ew_groups_find(&groups, EW_GROUP_FACES, "root")->label, 1);
    CU_ASSERT(mesh.keeps_slots);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

static void test_groups_follow_removal(void)
{
    static const char text[] =
        BODY "steps:\n"
             "  - name: a\n    static: {tolerance: 1e-4}\n"
             "    optimise: {remove: {volume: 60 %, rate: 10 %, max_restored: 5 %, max_rounds: 12, "
             "protect: [end]}}\n";
    ew_groups groups;
    ew_mesh mesh;
    run_with(text, &groups, &mesh);
    CU_ASSERT(mesh.n_live_tet < 150 && mesh.next_tet_id > 192); /* some came back */
    check_groups(&groups, &mesh);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

static void test_groups_begin_again(void)
{
    static const char text[] = BODY "steps:\n"
                                    "  - name: a\n    edit: [{decimate: {fraction: 0.5}}]\n"
                                    "  - name: b\n    reset: true\n"
                                    "    edit: [{refine: {longer_than: 0.7}}]\n";
    ew_groups groups;
    ew_mesh mesh;
    run_with(text, &groups, &mesh);
    CU_ASSERT(mesh.n_live_tet > 192);
    check_groups(&groups, &mesh);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

/* Remeshing keeps the ends of the case's sets, and would keep those of its groups. */
static void test_groups_change_nothing(void)
{
#if EW_WITH_TETGEN
    static const char text[] = BODY "steps:\n"
                                    "  - name: a\n    edit:\n"
                                    "      - refine: {longer_than: 0.5}\n"
                                    "      - remesh: {region: 1, size: 0.4}\n"
                                    "      - decimate: {fraction: 0.1}\n";
    ew_groups groups;
    ew_mesh mesh[2];
    run_with(text, &groups, &mesh[0]);
    run_with(text, NULL, &mesh[1]);
    CU_ASSERT(same_slots(&mesh[0], &mesh[1]));
    CU_ASSERT(same_triangles(&mesh[0], &mesh[1]));
    ew_groups_free(&groups);
    ew_mesh_free(&mesh[0]);
    ew_mesh_free(&mesh[1]);
#endif
}

static void note_area(void *user, const ew_step_report *report)
{
    const ew_set_report *set = report->set;
    while (strcmp(set->name, "saw")) {
        set++;
    }
    *(double *)user = set->measure.area;
}

/* A cut without a name beside it has another label. */
static void test_named_cuts_have_their_own_faces(void)
{
    static const char text[] =
        HEAD "steps:\n  - name: a\n    edit:\n"
             "      - cut: {plane: {point: [0.63, 0, 0], normal: x}}\n"
             "      - cut: {plane: {point: [3.3, 0, 0], normal: [-1, 0, 0]}, name: saw}\n"
             "      - cut: {plane: {point: [1.2, 0, 0], normal: x}}\n";
    ew_case input;
    ew_mesh mesh;
    double area = 0.0;
    ew_study_def def = linear_study_def();
    def.user = &area;
    def.on_step = note_area;
    must(read_text(text, &input));
    must(ew_shape_box(&mesh, (double[3]){4, 1, 1}, (int32_t[3]){8, 2, 2}));
    must(ew_study_run(&input, &mesh, &def, NULL, NULL));
    CU_ASSERT_DOUBLE_EQUAL(area, 1.0, 1e-12);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
}

static void test_groups_survive_failing_allocations(void)
{
    static const char text[] =
        HEAD "steps:\n  - {name: a, edit: [{cut: {plane: {point: [2.2, 0, 0], normal: x}, name: "
             "b}}]}\n";
    ew_case input;
    ew_mesh mesh;
    ew_groups groups;
    bool refused = true;
    int64_t k = 0;
    must(read_text(text, &input));
    must(ew_shape_box(&mesh, (double[]){4, 1, 1}, (int32_t[]){4, 1, 1}));
    make_groups(&mesh, &groups);
    for (; refused && k < 20000; k++) {
        ew_study_def def = linear_study_def();
        ew_mesh copy = {0};
        ew_groups own = {0};
        ew_test_allocations_begin(k);
        ew_status status = ew_groups_copy(&own, &groups);
        status = status ? status : ew_mesh_copy(&copy, &mesh);
        if (!status) {
            def.groups = &own;
            status = ew_study_run(&input, &copy, &def, NULL, NULL);
        }
        ew_groups_free(&own);
        ew_mesh_free(&copy);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    CU_ASSERT_TRUE(k > 100 && !refused);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"groups_follow", test_groups_follow},
        {"groups_follow_removal", test_groups_follow_removal},
        {"groups_begin_again", test_groups_begin_again},
        {"groups_change_nothing", test_groups_change_nothing},
        {"named_cuts", test_named_cuts_have_their_own_faces},
        {"groups_allocations", test_groups_survive_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"groups in studies", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
