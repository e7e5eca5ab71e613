/* A body that is played with, without graphics: commands bound to a sequence give the same bytes on
 * one and on two threads and at each visit of a state; what remains is what a rebuild gives; random
 * and broken commands are answered by one line or done. */
#include "view_fixture.h"

enum { N_COMMAND = 19 };
static const char *const sequence[N_COMMAND] = {
    "{\"do\":\"remove\",\"tets\":[40]}",
    "{\"do\":\"pull\",\"vertex\":20,\"to\":[1,1.5,1]}",
    "{\"do\":\"pull\",\"vertex\":20,\"to\":[1,1.7,1.1]}",
    "{\"do\":\"release\"}",
    "{\"do\":\"fix\",\"vertices\":[30,31]}",
    "{\"do\":\"refine\",\"tets\":[50,51]}",
    "{\"do\":\"load\",\"index\":0,\"force\":[0,1,-2]}",
    "{\"do\":\"cut\",\"point\":[1.4,0,0],\"normal\":[1,0.2,0],\"low\":[-9,-9,0.6],\"high\":[9,9,9]"
    "}",
    "{\"do\":\"load\",\"set\":\"tip\",\"force\":[1,0,0]}",
    "{\"do\":\"material\",\"young\":500,\"poisson\":0.2,\"density\":2}",
    "{\"do\":\"unfix\"}",
    "{\"do\":\"parameter\",\"name\":\"length\",\"value\":3.5}",
    "{\"do\":\"mode\",\"mode\":\"dynamics\",\"damping\":0.1}",
    "{\"do\":\"step\",\"n\":3,\"dt\":0.01}",
    "{\"do\":\"mode\",\"mode\":\"rotations\"}",
    "{\"do\":\"step\",\"n\":2,\"dt\":0.01}",
    "{\"do\":\"cut\",\"point\":[2.2,0,0],\"normal\":[1,0,0],\"sides\":[[0,0,-1,-0.4]]}",
    "{\"do\":\"weld\"}",
    "{\"do\":\"step\",\"n\":2,\"dt\":0.01}",
};

static void run_all(view_play *play, uint64_t hash[N_COMMAND + 1])
{
    hash[0] = look(play);
    for (int i = 0; i < N_COMMAND; i++) {
        must(send(play, sequence[i]));
        hash[i + 1] = look(play);
        CU_ASSERT_STRING_EQUAL(play->message, "");
    }
}

static void test_pictures_are_the_same_at_each_visit_and_on_two_threads(void)
{
    uint64_t first[N_COMMAND + 1], second[N_COMMAND + 1];
    view_play *play, *other;
    ew_use_threads(1);
    must(view_play_create(&play, &beam));
    run_all(play, first);
    ew_use_threads(2);
    must(view_play_create(&other, &beam));
    run_all(other, second);
    CU_ASSERT(!memcmp(first, second, sizeof first));
    view_play_free(other);
    const int order[] = {3, 0, 14, 7, 19, 18, 17, 16, 12, 5, 15, 1, 16, 13, 9, 11, 2};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"do\":\"goto\",\"at\":%d}", order[i]);
        must(send(play, text));
        CU_ASSERT_EQUAL(play->at, order[i]);
        CU_ASSERT_EQUAL(look(play), first[order[i]]);
    }
    must(send(play, "{\"do\":\"goto\",\"at\":4}"));
    must(send(play, "{\"do\":\"undo\"}")); /* the release */
    must(send(play, "{\"do\":\"undo\"}")); /* both pulls are one drag */
    CU_ASSERT_EQUAL(play->at, 1);
    must(send(play, "{\"do\":\"redo\"}"));
    CU_ASSERT_EQUAL(play->at, 3);
    must(send(play, sequence[3]));
    CU_ASSERT(play->at == 4 && play->n_entry == 4);
    view_play_free(play);
    ew_use_threads(0);
}

/* A slit leaves a piece that the other flank holds by contact: what an edit takes away depends on
 * the answer before, which a visit must read; one that fails goes on from it, too. */
static void test_what_contact_holds_is_there_at_each_visit(void)
{
    static const char *const all[] = {
        "{\"do\":\"material\",\"young\":50.91,\"poisson\":0.25,\"density\":1}",
        "{\"do\":\"pull\",\"vertex\":30,\"to\":[0.03,0.23,0.8]}",
        "{\"do\":\"remove\",\"point\":[0.54,0,0],\"normal\":[1,0,0],"
        "\"sides\":[[0,0,-1,-0.17]],\"stroke\":3}",
        "{\"do\":\"load\",\"index\":0,\"force\":[0,2.44,-1]}",
        "{\"do\":\"refine\",\"face\":518,\"radius\":0.2,\"stroke\":4}",
        "{\"do\":\"cut\",\"point\":[1.95,0,0],\"normal\":[1,0,0.56],"
        "\"sides\":[[0,0,-1,-0.5],[0,1,0,0.56]]}",
        "{\"do\":\"remove\",\"point\":[1.44,0,0],\"normal\":[1,0,0],"
        "\"sides\":[[0,0,-1,-0.51]],\"stroke\":3}",
        "{\"do\":\"fix\",\"vertices\":[35]}",
        "{\"do\":\"release\"}",
        "{\"do\":\"pull\",\"vertex\":60,\"to\":[2.96,0.25,1.2]}"};
    enum { N = sizeof all / sizeof *all };
    uint64_t hash[N + 1];
    int n_failed = 0;
    view_play *play;
    must(view_play_create(&play, &beam));
    for (int i = 0; i < N; i++) {
        must(send(play, all[i]));
        hash[i + 1] = look(play);
        n_failed += play->message[0] != 0;
    }
    ew_model_contact_report report;
    must(ew_model_view_contact(play->body.model, 0, &report));
    CU_ASSERT(n_failed == 1 && report.n_closed > 0);
    for (int at = N; at > 0; at--) {
        char text[64];
        must(send(play, "{\"do\":\"goto\",\"at\":0}"));
        snprintf(text, sizeof text, "{\"do\":\"goto\",\"at\":%d}", at);
        must(send(play, text));
        CU_ASSERT_EQUAL(look(play), hash[at]);
    }
    view_play_free(play);
}

/* Points that a step in time left are those of the last step, not of a state before all steps. */
static void test_what_steps_leave_is_undone_with_them(void)
{
    static const char *const all[] = {
        "{\"do\":\"material\",\"young\":500,\"poisson\":0.3,\"density\":1}",
        "{\"do\":\"mode\",\"mode\":\"rotations\",\"damping\":1}",
        "{\"do\":\"cut\",\"point\":[1.4,0,0],\"normal\":[1,0.2,0.5]}",
        "{\"do\":\"load\",\"index\":0,\"force\":[-40,0,5]}"};
    view_play *play;
    must(view_play_create(&play, &beam));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        must(send(play, all[i]));
    }
    for (int i = 0; i < 60 && !play->n_contact_left; i++) {
        must(send(play, "{\"do\":\"step\",\"n\":1,\"dt\":0.0166666667}"));
    }
    CU_ASSERT(play->n_contact_left > 0);
    must(send(play, "{\"do\":\"undo\"}"));
    CU_ASSERT_EQUAL(play->n_contact_left, 0);
    view_play_free(play);
}

/* ---- random commands
 * ----------------------------------------------------------------------------------- */

static int32_t draw(uint64_t *seed, int32_t n)
{
    return (int32_t)ew_test_random(seed, (uint32_t)n);
}

enum { N_KIND = 27 };

static void make_command(view_play *play, uint64_t *seed, char text[256])
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const int32_t v = draw(seed, mesh->n_vertex), t = draw(seed, mesh->n_tet),
                  kind = draw(seed, N_KIND);
    const double x = draw(seed, 300) / 100.0, y = draw(seed, 100) / 100.0;
    const char *const form[N_KIND] = {
        "{\"do\":\"remove\",\"tets\":[%2$d]}",
        "{\"do\":\"remove\",\"face\":%3$d,\"radius\":0.2}",
        "{\"do\":\"pull\",\"vertex\":%1$d,\"to\":[%5$g,%6$g,1.2]}",
        "{\"do\":\"pull\",\"vertex\":%1$d,\"to\":[%5$g,%6$g,0.8]}",
        "{\"do\":\"release\"}",
        "{\"do\":\"fix\",\"vertices\":[%1$d]}",
        "{\"do\":\"unfix\"}",
        "{\"do\":\"load\",\"index\":0,\"force\":[0,%5$g,-1]}",
        "{\"do\":\"load\",\"face\":%3$d,\"radius\":0.1,\"force\":[0,%5$g,-1]}",
        "{\"do\":\"undo\"}",
        "{\"do\":\"redo\"}",
        "{\"do\":\"goto\",\"at\":%4$d}",
        "{\"do\":\"mode\",\"mode\":\"statics\"}",
        "{\"do\":\"mode\",\"mode\":\"dynamics\",\"damping\":1}",
        "{\"do\":\"mode\",\"mode\":\"rotations\",\"damping\":1}",
        "{\"do\":\"step\",\"n\":2,\"dt\":0.005}",
        "{\"do\":\"parameter\",\"name\":\"length\",\"value\":%5$g}",
        "{\"do\":\"refine\",\"tets\":[%2$d]}",
        "{\"do\":\"cut\",\"point\":[%5$g,0,0],\"normal\":[1,%6$g,0],\"keep\":\"inside\"}",
        "{\"do\":\"material\",\"young\":5%5$g,\"poisson\":0.25,\"density\":1}",
        "{\"do\":\"cut\",\"point\":[%5$g,0,0],\"normal\":[1,0,%6$g],\"low\":[0,0,0.7],"
        "\"high\":[9,9,9]}",
        "{\"do\":\"cut\",\"point\":[%5$g,0,0],\"normal\":[1,0,%6$g],"
        "\"sides\":[[0,0,-1,-0.5],[0,1,0,%6$g]]}",
        "{\"do\":\"weld\"}",
        "{\"do\":\"weld\",\"vertices\":[%1$d,%7$d],\"tolerance\":%6$g}",
        "{\"do\":\"remove\",\"point\":[%5$g,0,0],\"normal\":[1,0,0],"
        "\"sides\":[[0,0,-1,-%6$g]],\"stroke\":3}",
        "{\"do\":\"refine\",\"face\":%3$d,\"radius\":0.2,\"stroke\":4}",
        "{\"do\":\"load\",\"index\":%1$d,\"value\":[%5$g,%6$g,1]}",
    };
    snprintf(text, 256, form[kind], (int)v, (int)t, (int)(4 * t + draw(seed, 4)),
             (int)draw(seed, play->n_entry + 2), x, y, (int)draw(seed, mesh->n_vertex));
}

/* Bodies stay small and journals short, so that each state is cheap to come back to. */
static void test_random_commands_are_done_or_refused(void)
{
    const char *scale = getenv("EW_EDITS");
    const int n = scale ? atoi(scale) : 400;
    uint64_t seed = 7, hash = 0;
    int n_done = 0;
    char text[256];
    view_play *play;
    must(view_play_create(&play, &beam));
    for (int i = 0; i < n; i++) {
        if (play->n_entry > 30 || ew_model_mesh(play->body.model)->n_live_tet > 600) {
            view_play_free(play);
            must(view_play_create(&play, &beam));
        }
        make_command(play, &seed, text);
        const ew_status status = send(play, text);
        n_done += !status;
        CU_ASSERT(!status || (strlen(ew_message()) > 5 && !strchr(ew_message(), '\n')));
        hash = look(play);
        ew_model_verification same = {0};
        if (i % 10 == 0 && play->at > 0) { /* away, and back; a verification brings matrices up to
                                              date earlier than a solve would, so it comes first */
            char back[64];
            must(play->message[0] ? EW_OK : ew_model_verify(play->body.model, &same));
            snprintf(back, sizeof back, "{\"do\":\"goto\",\"at\":%d}", (int)play->at);
            must(send(play, "{\"do\":\"goto\",\"at\":0}"));
            must(send(play, back));
            CU_ASSERT_EQUAL(look(play), hash);
        }
        CU_ASSERT_EQUAL(same.n_different, 0);
    }
    CU_ASSERT(n_done > n / 3);
    view_play_free(play);
}

static void test_refused_commands_change_nothing(void)
{
    static const char *const broken[] = {"{}",
                                         "{\"do\":3}",
                                         "{\"do\":\"\"}",
                                         "{\"do\":\"remove\"}",
                                         "{\"do\":\"remove\",\"tets\":[]}",
                                         "{\"do\":\"remove\",\"tets\":[1e9]}",
                                         "{\"do\":\"remove\",\"tets\":[0.5]}",
                                         "{\"do\":\"remove\",\"tets\":[-1]}",
                                         "{\"do\":\"remove\",\"tets\":[\"1\"]}",
                                         "{\"do\":\"remove\",\"face\":1e300}",
                                         "{\"do\":\"remove\",\"face\":null,\"radius\":1}",
                                         "{\"do\":\"remove\",\"face\":0,\"radius\":-1}",
                                         "{\"do\":\"pull\",\"vertex\":0}",
                                         "{\"do\":\"pull\",\"vertex\":0,\"to\":[1,2]}",
                                         "{\"do\":\"pull\",\"vertex\":0,\"to\":[1,2,1e999]}",
                                         "{\"do\":\"pull\",\"vertex\":-5,\"to\":[1,2,3]}",
                                         "{\"do\":\"load\",\"force\":[1,2,3]}",
                                         "{\"do\":\"load\",\"index\":9,\"force\":[1,2,3]}",
                                         "{\"do\":\"load\",\"set\":\"no\",\"force\":[1,2,3]}",
                                         "{\"do\":\"material\",\"young\":-1}",
                                         "{\"do\":\"material\",\"young\":1,\"poisson\":0.5}",
                                         "{\"do\":\"material\",\"young\":1,\"region\":1e20}",
                                         "{\"do\":\"parameter\",\"name\":\"no\",\"value\":1}",
                                         "{\"do\":\"parameter\",\"name\":\"length\",\"value\":-1}",
                                         "{\"do\":\"parameter\",\"value\":1}",
                                         "{\"do\":\"cut\",\"point\":[0,0,0],\"normal\":[0,0,0]}",
                                         "{\"do\":\"cut\",\"keep\":7}",
                                         "{\"do\":\"cut\",\"point\":[1,0,0],\"normal\":[1,0,0],"
                                         "\"sides\":[[1,2,3]]}",
                                         "{\"do\":\"cut\",\"point\":[1,0,0],\"normal\":[1,0,0],"
                                         "\"sides\":[[0,0,0,1],[0,0,0,1],[0,0,0,1],[0,0,0,1],"
                                         "[0,0,0,1]]}",
                                         "{\"do\":\"remove\",\"point\":[9,0,0],\"normal\":[1,0,0]}",
                                         "{\"do\":\"weld\",\"tolerance\":-1}",
                                         "{\"do\":\"weld\",\"tolerance\":\"a\"}",
                                         "{\"do\":\"weld\",\"vertices\":[]}",
                                         "{\"do\":\"weld\",\"face\":-1}",
                                         "{\"do\":\"load\",\"index\":0,\"value\":[1]}",
                                         "{\"do\":\"load\",\"index\":0,\"value\":[1,2,null]}",
                                         "{\"do\":\"mode\"}",
                                         "{\"do\":\"mode\",\"mode\":\"fast\"}",
                                         "{\"do\":\"step\"}",
                                         "{\"do\":\"play\"}",
                                         "{\"do\":\"undo\"}",
                                         "{\"do\":\"redo\"}",
                                         "{\"do\":\"goto\"}",
                                         "{\"do\":\"goto\",\"at\":1}",
                                         "{\"do\":\"goto\",\"at\":-1}",
                                         "{\"do\":\"goto\",\"at\":0.5}",
                                         "{\"do\":\"field\"}",
                                         "{\"do\":\"field\",\"name\":1}",
                                         "{\"do\":\"field\",\"name\":\"no\"}",
                                         "{\"do\":\"field\",\"name\":\"displacement\",\"of\":3}",
                                         "{\"do\":\"field\",\"name\":\"displacement\","
                                         "\"of\":\"tets\"}",
                                         "{\"do\":\"field\",\"name\":\"estimated error\","
                                         "\"of\":\"vertices\"}",
                                         "{\"do\":\"section\",\"normal\":[0,0,0],\"offset\":1}",
                                         "{\"do\":\"section\",\"normal\":[1,0,0]}",
                                         "{\"do\":\"explode\"}"};
    view_play *play;
    must(view_play_create(&play, &beam));
    const uint64_t hash = look(play);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const ew_status status = send(play, broken[i]);
        CU_ASSERT(status == EW_BAD_INPUT || status == EW_BAD_ARGUMENT);
        if (!status || look(play) != hash || play->n_entry) {
            CU_FAIL("a broken command had an effect");
            printf(" %s", broken[i]);
        }
    }
    view_play_free(play);
}

/* A body without supports, and one that loses them, are drawn; the line says why there is no
 * answer.
 */
static void test_bodies_without_an_answer_are_drawn(void)
{
    view_play *play;
    must(view_play_create(&play, &beam));
    must(
        send(play, "{\"do\":\"cut\",\"point\":[1.4,0,0],\"normal\":[-1,0,0],\"keep\":\"inside\"}"));
    CU_ASSERT(strstr(play->message, "constrained") != NULL);
    (void)look(play);
    must(send(play, "{\"do\":\"fix\",\"vertices\":[30,31,40,41,50]}"));
    must(send(play, "{\"do\":\"undo\"}"));
    must(send(play, "{\"do\":\"undo\"}"));
    CU_ASSERT_STRING_EQUAL(play->message, "");
    view_play_free(play);
}

/* ---- questions ------------------------------------------------------------------------------- */

static void test_questions_have_the_numbers_of_the_model_and_change_nothing(void)
{
    static const char *const bad[] = {"{\"do\":\"inspect\"}",
                                      "{\"do\":\"inspect\",\"vertex\":-1}",
                                      "{\"do\":\"inspect\",\"vertex\":1e300}",
                                      "{\"do\":\"inspect\",\"tet\":0.5}",
                                      "{\"do\":\"inspect\",\"tet\":40}",
                                      "{\"do\":\"inspect\",\"face\":\"x\"}"};
    view_play *play;
    const ew_fields *fields;
    const ew_sums *sums;
    const ew_boundary *boundary;
    char text[64];
    must(view_play_create(&play, &beam));
    must(send(play, sequence[0])); /* tet 40 is gone */
    const uint64_t before = look(play);
    must(ew_model_recover(play->body.model, &fields, &sums));
    cJSON *vertex = ask(play, "{\"do\":\"inspect\",\"vertex\":20}");
    CU_ASSERT_EQUAL(row_of(vertex, "von Mises, averaged"), fields->vertex_von_mises[20]);
    CU_ASSERT_EQUAL(row_of(vertex, "displacement z"),
                    ew_model_displacement(play->body.model)[3 * 20 + 2]);
    cJSON *tet = ask(play, "{\"do\":\"inspect\",\"tet\":41}");
    CU_ASSERT_EQUAL(row_of(tet, "von Mises"), fields->von_mises[41]);
    CU_ASSERT_EQUAL(row_of(tet, "stress xz"), fields->stress[6 * 41 + 5]);
    must(ew_model_boundary(play->body.model, &boundary));
    int32_t slot = 0;
    while (boundary->code[slot] < 0) {
        slot++;
    }
    snprintf(text, sizeof text, "{\"do\":\"inspect\",\"face\":%d}", (int)boundary->code[slot]);
    cJSON *face = ask(play, text);
    CU_ASSERT_DOUBLE_EQUAL(row_of(face, "area"), 0.125, 1e-12); /* half of 0.5 x 0.5 */
    const int32_t *v = ew_model_mesh(play->body.model)->tet + boundary->code[slot] / 4 * 4;
    bool is_end = true; /* label 1 of a box: x = 0 */
    for (int k = 0; k < 3; k++) {
        const int32_t corner = v[ew_face_vertex[boundary->code[slot] % 4][k]];
        is_end = is_end && ew_model_mesh(play->body.model)->xyz[3 * (size_t)corner] == 0;
    }
    CU_ASSERT(is_end == (row_of(face, "surface") == 1));
    cJSON *quality = ask(play, "{\"do\":\"quality\"}"), *count;
    int32_t n = 0;
    cJSON_ArrayForEach(count, cJSON_GetObjectItemCaseSensitive(quality, "count"))
    {
        n += count->valueint;
    }
    CU_ASSERT_EQUAL(n, ew_model_mesh(play->body.model)->n_live_tet);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(send(play, bad[i]), EW_BAD_INPUT);
    }
    CU_ASSERT_EQUAL(look(play), before);
    CU_ASSERT_EQUAL(play->n_entry, 1);
    cJSON_Delete(vertex);
    cJSON_Delete(tet);
    cJSON_Delete(face);
    cJSON_Delete(quality);
    view_play_free(play);
}

static double largest_displacement(const view_play *play)
{
    const double *u = ew_model_displacement(play->body.model);
    double largest = 0.0;
    for (int32_t i = 0; i < 3 * ew_model_mesh(play->body.model)->n_vertex; i++) {
        largest = fmax(largest, fabs(u[i]));
    }
    return largest;
}

/* A slender beam, bent by a linear theory that stretches it: a step without numerical damping made
 * energy of that, up to four times the displacement. */
static void test_body_that_is_let_go_stays_whole(void)
{
    view_play *play;
    must(view_play_create(&play, &beam));
    must(send(play, "{\"do\":\"parameter\",\"name\":\"length\",\"value\":20}"));
    must(send(play, "{\"do\":\"load\",\"index\":0,\"force\":[0,0,-2]}"));
    const double bent = largest_displacement(play);
    CU_ASSERT(bent > 4.0);
    must(send(play, "{\"do\":\"mode\",\"mode\":\"rotations\"}"));
    must(send(play, "{\"do\":\"load\",\"index\":0,\"force\":[0,0,0]}"));
    double largest = 0.0;
    for (int i = 0; i < 60; i++) {
        must(send(play, "{\"do\":\"step\",\"n\":5,\"dt\":0.05}"));
        largest = fmax(largest, largest_displacement(play));
    }
    CU_ASSERT(largest < 1.1 * bent);
    view_play_free(play);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"pictures_are_the_same_at_each_visit_and_on_two_threads",
         test_pictures_are_the_same_at_each_visit_and_on_two_threads},
        {"what_contact_holds_is_there_at_each_visit",
         test_what_contact_holds_is_there_at_each_visit},
        {"what_steps_leave_is_undone_with_them", test_what_steps_leave_is_undone_with_them},
        {"random_commands_are_done_or_refused", test_random_commands_are_done_or_refused},
        {"refused_commands_change_nothing", test_refused_commands_change_nothing},
        {"bodies_without_an_answer_are_drawn", test_bodies_without_an_answer_are_drawn},
        {"questions_have_the_numbers_of_the_model_and_change_nothing",
         test_questions_have_the_numbers_of_the_model_and_change_nothing},
        {"body_that_is_let_go_stays_whole", test_body_that_is_let_go_stays_whole},
        CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"view_play", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
