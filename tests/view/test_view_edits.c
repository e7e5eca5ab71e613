/* Tools that edit a played body: the knife's slit between the ends of a stroke, tets along one,
 * welds, strokes of the brush as one state, loads that are dragged, a pull while sets change. */
#include "view_fixture.h"

static int32_t count_pieces(view_play *play)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    int32_t *piece = malloc((size_t)mesh->n_tet * sizeof *piece), n = 0;
    must(ew_topology_components(ew_model_topology(play->body.model), mesh, piece, &n));
    free(piece);
    return n;
}

static double area_of(view_play *play)
{
    const ew_boundary *boundary;
    double sum = 0.0, a[3];
    must(ew_model_boundary(play->body.model, &boundary));
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        if (boundary->code[s] >= 0) {
            ew_face_area_vector(ew_model_mesh(play->body.model), boundary->code[s], a);
            sum += sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        }
    }
    return sum;
}

static void check_blocks(view_play *play)
{
    ew_model_verification same;
    must(ew_model_verify(play->body.model, &same));
    CU_ASSERT_EQUAL(same.n_different, 0);
}

/* The box 3 x 1 x 1 slit at x = 1.5, a plane of its grid, where z >= 0.5 and y <= 2: two flanks of
 * 1 x 0.5, which a weld joins again. */
static void test_a_slit_between_sides_is_welded(void)
{
    static const char slit[] = "{\"do\":\"cut\",\"point\":[1.5,0,0],\"normal\":[1,0,0],"
                               "\"sides\":[[0,0,-2,-1],[0,1,0,2]]}";
    view_play *play;
    must(view_play_create(&play, &beam));
    const double *u = ew_model_displacement(play->body.model);
    const double whole = u[3 * (size_t)(ew_model_mesh(play->body.model)->n_vertex - 1) + 2];
    CU_ASSERT_DOUBLE_EQUAL(area_of(play), 14.0, 1e-12);
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"weld\"}"), EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "no two vertices"));
    must(send(play, slit));
    CU_ASSERT_STRING_EQUAL(play->message, "");
    CU_ASSERT_DOUBLE_EQUAL(area_of(play), 15.0, 1e-12);
    u = ew_model_displacement(play->body.model);
    CU_ASSERT(u[3 * (size_t)(ew_model_mesh(play->body.model)->n_vertex - 1) + 2] != whole);
    must(send(play, "{\"do\":\"weld\"}"));
    CU_ASSERT_STRING_EQUAL(play->message, "");
    CU_ASSERT_DOUBLE_EQUAL(area_of(play), 14.0, 1e-12);
    CU_ASSERT_EQUAL(count_pieces(play), 1);
    check_blocks(play);
    view_play_free(play);
}

/* Two vertices in the same place; false: there are none. */
static bool find_pair(const ew_mesh *mesh, int32_t pair[2])
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int32_t w = 0; w < v; w++) {
            if (!memcmp(mesh->xyz + 3 * v, mesh->xyz + 3 * w, 3 * sizeof *mesh->xyz)) {
                pair[0] = v;
                pair[1] = w;
                return true;
            }
        }
    }
    return false;
}

/* In motion both halves of the beam stay; two vertices that are named become one, and only these.
 */
static void test_two_vertices_are_welded(void)
{
    char text[128];
    int32_t pair[2] = {-1, -1};
    view_play *play;
    must(view_play_create(&play, &beam));
    must(send(play, "{\"do\":\"mode\",\"mode\":\"dynamics\"}"));
    must(send(play, "{\"do\":\"cut\",\"point\":[1.5,0,0],\"normal\":[1,0,0]}"));
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    CU_ASSERT_FATAL(find_pair(mesh, pair));
    CU_ASSERT_EQUAL(count_pieces(play), 2);
    const int32_t n = mesh->n_vertex - mesh->vertex_hole.n;
    snprintf(text, sizeof text, "{\"do\":\"weld\",\"vertices\":[%d,%d]}", (int)pair[0],
             (int)pair[1]);
    must(send(play, text));
    mesh = ew_model_mesh(play->body.model);
    CU_ASSERT_EQUAL(mesh->n_vertex - mesh->vertex_hole.n, n - 1);
    must(send(play, "{\"do\":\"step\",\"n\":2,\"dt\":0.001}"));
    check_blocks(play);
    must(send(play, "{\"do\":\"weld\"}"));
    CU_ASSERT_EQUAL(count_pieces(play), 1);
    view_play_free(play);
}

/* Tets that the plane passes through between the sides go, and no others. */
static void test_tets_along_a_stroke_are_removed(void)
{
    view_play *play;
    must(view_play_create(&play, &beam));
    const int32_t n = ew_model_mesh(play->body.model)->n_live_tet;
    must(send(play, "{\"do\":\"remove\",\"point\":[1.3,0,0],\"normal\":[1,0,0],"
                    "\"sides\":[[0,0,-1,-0.5]]}"));
    CU_ASSERT_EQUAL(ew_model_mesh(play->body.model)->n_live_tet, n - 2 * 6);
    view_play_free(play);
}

static void test_a_stroke_is_one_state_to_an_undo(void)
{
    static const char *const stroke[] = {"{\"do\":\"remove\",\"tets\":[100],\"stroke\":7}",
                                         "{\"do\":\"remove\",\"tets\":[101],\"stroke\":7}",
                                         "{\"do\":\"remove\",\"tets\":[103],\"stroke\":7}",
                                         "{\"do\":\"remove\",\"tets\":[104],\"stroke\":8}",
                                         "{\"do\":\"refine\",\"tets\":[90],\"stroke\":8}"};
    view_play *play;
    must(view_play_create(&play, &beam));
    const uint64_t before = look(play);
    for (size_t i = 0; i < sizeof stroke / sizeof *stroke; i++) {
        must(send(play, stroke[i]));
    }
    must(send(play, "{\"do\":\"undo\"}"));
    CU_ASSERT_EQUAL(play->at, 4);
    must(send(play, "{\"do\":\"undo\"}"));
    CU_ASSERT_EQUAL(play->at, 3);
    must(send(play, "{\"do\":\"undo\"}"));
    CU_ASSERT_EQUAL(play->at, 0);
    CU_ASSERT_EQUAL(look(play), before);
    must(send(play, "{\"do\":\"redo\"}"));
    CU_ASSERT_EQUAL(play->at, 3);
    view_play_free(play);
}

/* Each kind by as many numbers as it has; the answer of a linear body follows in proportion. */
static void test_loads_are_dragged(void)
{
    view_play *play;
    must(view_play_create(&play, &beam));
    const size_t tip = 3 * (size_t)(ew_model_mesh(play->body.model)->n_vertex - 1) + 2;
    const double once = ew_model_displacement(play->body.model)[tip];
    must(send(play, "{\"do\":\"load\",\"index\":0,\"value\":[0,0,-2]}"));
    CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(play->body.model)[tip], 2.0 * once,
                           2e-3 * fabs(once));
    must(send(play, "{\"do\":\"set_rule\",\"name\":\"top\",\"kind\":\"normal\",\"values\":"
                    "{\"normal x\":0,\"normal y\":0,\"normal z\":1,\"angle\":5}}"));
    must(send(play, "{\"do\":\"load_add\",\"type\":\"pressure\",\"set\":\"top\",\"value\":[1]}"));
    const double one = ew_model_displacement(play->body.model)[tip];
    must(send(play, "{\"do\":\"load\",\"index\":1,\"value\":[3]}"));
    const double three = ew_model_displacement(play->body.model)[tip];
    CU_ASSERT_DOUBLE_EQUAL(three - 2.0 * once, 3.0 * (one - 2.0 * once), 1e-2 * fabs(one));
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"load\",\"index\":1,\"value\":[1,2,3]}"), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"load\",\"index\":1,\"value\":[\"a\"]}"), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"load\",\"index\":2,\"value\":[1]}"), EW_BAD_INPUT);
    must(send(play, "{\"do\":\"undo\"}"));
    CU_ASSERT_EQUAL(ew_model_displacement(play->body.model)[tip], one);
    view_play_free(play);
}

/* While a vertex is pulled, sets are made and made again, fixed, loaded, refined, welded; the spring
 * stays at its vertex, and goes with its release. */
static void test_a_pull_stays_while_sets_change(void)
{
    static const char *const all[] = {
        "{\"do\":\"pull\",\"vertex\":20,\"to\":[1,1.5,1]}",
        "{\"do\":\"set_rule\",\"name\":\"top\",\"kind\":\"normal\",\"values\":{\"normal z\":1,"
        "\"normal x\":0,\"normal y\":0,\"angle\":5}}",
        "{\"do\":\"support\",\"set\":\"top\",\"fixed\":[false,true,false]}",
        "{\"do\":\"pull\",\"vertex\":20,\"to\":[1,1.6,1]}",
        "{\"do\":\"set_rule\",\"name\":\"top\",\"kind\":\"normal\",\"values\":{\"normal z\":-1,"
        "\"normal x\":0,\"normal y\":0,\"angle\":5}}",
        "{\"do\":\"refine\",\"tets\":[50,51,52]}",
        "{\"do\":\"load_add\",\"type\":\"pressure\",\"set\":\"top\",\"value\":[0.5]}",
        "{\"do\":\"pull\",\"vertex\":26,\"to\":[1,1.6,1]}",
        "{\"do\":\"fix\",\"vertices\":[30]}",
        "{\"do\":\"set_rule\",\"name\":\"top\",\"kind\":\"normal\",\"values\":{\"normal y\":1,"
        "\"normal x\":0,\"normal z\":0,\"angle\":5}}",
        "{\"do\":\"support_remove\",\"index\":1}",
        "{\"do\":\"load_remove\",\"index\":0}",
        "{\"do\":\"release\"}",
    };
    enum { N = sizeof all / sizeof *all };
    uint64_t hash[N + 1];
    view_play *play;
    must(view_play_create(&play, &beam));
    hash[0] = look(play);
    for (int i = 0; i < N; i++) {
        must(send(play, all[i]));
        CU_ASSERT_STRING_EQUAL(play->message, "");
        hash[i + 1] = look(play);
        const bool pulls = i + 1 < N;
        CU_ASSERT_EQUAL(ew_model_n_spring(play->body.model), pulls);
        if (pulls) {
            ew_model_spring spring;
            ew_list at = {0};
            must(ew_model_view_spring(play->body.model, 0, &spring));
            must(ew_model_list_vertices(play->body.model, spring.set, &at));
            CU_ASSERT(at.n == 1 && at.id[0] == (i < 7 ? 20 : 26));
            ew_list_free(&at);
        }
    }
    for (int i = N; i >= 0; i -= 3) {
        char text[64];
        snprintf(text, sizeof text, "{\"do\":\"goto\",\"at\":%d}", i);
        must(send(play, text));
        CU_ASSERT_EQUAL(look(play), hash[i]);
    }
    must(send(play, "{\"do\":\"goto\",\"at\":13}"));
    check_blocks(play);
    view_play_free(play);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a_slit_between_sides_is_welded", test_a_slit_between_sides_is_welded},
        {"two_vertices_are_welded", test_two_vertices_are_welded},
        {"tets_along_a_stroke_are_removed", test_tets_along_a_stroke_are_removed},
        {"a_stroke_is_one_state_to_an_undo", test_a_stroke_is_one_state_to_an_undo},
        {"loads_are_dragged", test_loads_are_dragged},
        {"a_pull_stays_while_sets_change", test_a_pull_stays_while_sets_change},
        CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"view_edits", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
