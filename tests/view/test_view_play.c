/* A body that is played with, without graphics: commands bound to a sequence give the same bytes on
 * one and on two threads and at each visit of a state; what remains is what a rebuild gives; random
 * and broken commands are answered by one line or done. */
#include "play.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a beam with a fixed end and a loaded one ---------------------------------------------------
 */

static void add_end(ew_model *model, const char *name, double x)
{
    const double point[3] = {x, 0.0, 0.0}, normal[3] = {1.0, 0.0, 0.0};
    const ew_selector at = ew_select_plane(point, normal, 1e-9);
    const ew_model_set_def def = {.name = name, .kind = EW_SET_OF_VERTICES, .allow_empty = true};
    int32_t set;
    must(ew_model_select_set(model, &def, &at, &set));
}

static ew_status open_beam(void *user, const double *value, view_body *body)
{
    const double size[3] = {value[0], 1.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    const ew_material rubber = {.young = 1000.0, .poisson = 0.3, .density = 1.0};
    const ew_model_constraint wall = {.set = 0, .fixed = 7};
    const ew_model_load load = ew_load_total_force(1, down);
    const ew_model_def def = ew_default_model_def();
    ew_mesh mesh;
    (void)user;
    EW_TRY(ew_shape_box(&mesh, size, (int32_t[]){6, 2, 2}));
    must(ew_model_create(&body->model, &mesh, &def));
    must(ew_model_set_material(body->model, EW_ALL_REGIONS, &rubber));
    add_end(body->model, "wall", 0.0);
    add_end(body->model, "tip", value[0]);
    must(ew_model_set_constraints(body->model, 1, &wall));
    must(ew_model_set_loads(body->model, 1, &load));
    return EW_OK;
}

static void close_beam(void *user, view_body *body)
{
    (void)user;
    ew_model_free(body->model);
    *body = (view_body){0};
}

static const view_source beam = {.file = "beam",
                                 .n_parameter = 1,
                                 .parameter = {{"length", 3.0}},
                                 .open = open_beam,
                                 .close = close_beam};

/* ---- commands and pictures
 * --------------------------------------------------------------------------- */

static ew_status send(view_play *play, const char *text)
{
    cJSON *command = cJSON_Parse(text), *reply;
    CU_ASSERT_PTR_NOT_NULL_FATAL(command);
    const ew_status status = view_play_do(play, command, &reply);
    cJSON_Delete(command);
    cJSON_Delete(reply);
    return status;
}

/* FNV-1a of all arrays of a picture: its header has times. */
static uint64_t look(view_play *play)
{
    view_bytes *whole, *change;
    uint64_t hash = 0xcbf29ce484222325u;
    must(view_play_picture(play, 1, 1, &whole, &change));
    const size_t head = whole->data[0] + 256u * whole->data[1];
    for (size_t i = 4 + head; i < whole->size; i++) {
        hash = (hash ^ whole->data[i]) * 0x100000001b3u;
    }
    CU_ASSERT(change->size < whole->size && !change->has_surface);
    view_bytes_release(whole);
    view_bytes_release(change);
    return hash;
}

enum { N_COMMAND = 16 };
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
    const int order[] = {3, 0, 14, 7, 16, 12, 5, 15, 1, 16, 13, 9, 11, 2};
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

/* ---- random commands
 * ----------------------------------------------------------------------------------- */

static int32_t draw(uint64_t *seed, int32_t n)
{
    return (int32_t)ew_test_random(seed, (uint32_t)n);
}

static void make_command(view_play *play, uint64_t *seed, char text[256])
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const int32_t v = draw(seed, mesh->n_vertex), t = draw(seed, mesh->n_tet),
                  kind = draw(seed, 20);
    const double x = draw(seed, 300) / 100.0, y = draw(seed, 100) / 100.0;
    const char *const form[20] = {
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
        "{\"do\":\"step\",\"n\":2,\"dt\":0.005}",
        "{\"do\":\"parameter\",\"name\":\"length\",\"value\":%5$g}",
        "{\"do\":\"refine\",\"tets\":[%2$d]}",
        "{\"do\":\"cut\",\"point\":[%5$g,0,0],\"normal\":[1,%6$g,0],\"keep\":\"inside\"}",
        "{\"do\":\"material\",\"young\":5%5$g,\"poisson\":0.25,\"density\":1}",
        "{\"do\":\"cut\",\"point\":[%5$g,0,0],\"normal\":[1,0,%6$g],\"low\":[0,0,0.7],"
        "\"high\":[9,9,9]}",
    };
    snprintf(text, 256, form[kind], (int)v, (int)t, (int)(4 * t + draw(seed, 4)),
             (int)draw(seed, play->n_entry + 2), x, y);
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

/* The number in a row of an answer; NaN: there is no such row. */
static double row_of(const cJSON *answer, const char *name)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(answer, "rows"))
    {
        if (!strcmp(cJSON_GetArrayItem(row, 0)->valuestring, name)) {
            return cJSON_GetArrayItem(row, 1)->valuedouble;
        }
    }
    return NAN;
}

static cJSON *ask(view_play *play, const char *text)
{
    cJSON *command = cJSON_Parse(text), *reply;
    must(view_play_do(play, command, &reply));
    cJSON_Delete(command);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reply);
    return reply;
}

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

/* ---- fields ---------------------------------------------------------------------------------- */

static void choose_field(view_play *play, const char *name, const char *of)
{
    char text[128];
    snprintf(text, sizeof text, "{\"do\":\"field\",\"name\":\"%s\",\"of\":\"%s\"}", name, of);
    must(send(play, text));
    (void)look(play);
}

/* All that is drawn is the number of its vertex, [n_vertex][stride]. */
static void check_vertices(const view_play *play, const double *number, size_t stride)
{
    int32_t n_wrong = 0, n = 0;
    for (int32_t v = 0; v < ew_model_mesh(play->body.model)->n_vertex; v++) {
        if (play->row[v] >= 0) {
            n++;
            n_wrong += play->shown[play->row[v]] != (float)number[stride * (size_t)v];
        }
    }
    CU_ASSERT(n > 0 && n_wrong == 0);
}

static void check_triangles(const view_play *play, const double *number)
{
    const ew_boundary *boundary;
    int32_t n_wrong = 0;
    must(ew_model_boundary(play->body.model, &boundary));
    for (int32_t i = 0; i < 3 * boundary->n_live; i++) {
        n_wrong += play->corner_shown[i] != (float)number[play->tet[i / 3]];
    }
    CU_ASSERT(boundary->n_live > 0 && n_wrong == 0);
}

static void test_fields_are_the_numbers_of_the_model_and_change_nothing(void)
{
    view_play *play;
    const ew_fields *fields;
    const ew_sums *sums;
    const ew_estimate *estimate;
    must(view_play_create(&play, &beam));
    must(send(play, sequence[0])); /* tet 40 is gone */
    const uint64_t before = look(play);
    const double *u = ew_model_displacement(play->body.model);
    must(ew_model_recover(play->body.model, &fields, &sums));
    must(ew_model_estimate(play->body.model, &estimate, NULL));
    check_vertices(play, fields->vertex_von_mises, 1);
    choose_field(play, "displacement z", "vertices");
    check_vertices(play, u + 2, 3);
    choose_field(play, "displacement", "vertices");
    const double *tip = u + 3 * (size_t)play->vertex_id[7];
    CU_ASSERT_EQUAL(play->shown[7],
                    (float)sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]));
    choose_field(play, "von Mises stress", "tets");
    check_triangles(play, fields->von_mises);
    choose_field(play, "estimated error", "tets");
    check_triangles(play, estimate->error);
    CU_ASSERT_EQUAL(play->error, estimate->share);
    must(send(play, "{\"do\":\"mode\",\"mode\":\"dynamics\"}"));
    (void)look(play);
    CU_ASSERT(isnan(play->corner_shown[0])); /* no static answer */
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"field\",\"name\":\"estimated error\"}"), EW_BAD_INPUT);
    must(send(play, "{\"do\":\"undo\"}"));
    choose_field(play, "von Mises stress", "vertices");
    CU_ASSERT_EQUAL(look(play), before);
    CU_ASSERT_EQUAL(play->at, 1);
    view_play_free(play);
}

/* Of the box 3 x 1 x 1 across x; what is linear over tets is so on the cap. */
static void test_a_section_has_a_cap_with_the_field(void)
{
    double area = 0.0;
    int32_t n_wrong = 0;
    view_play *play;
    must(view_play_create(&play, &beam));
    const uint64_t before = look(play);
    choose_field(play, "displacement z", "vertices");
    must(send(play, "{\"do\":\"section\",\"normal\":[2,0,0],\"offset\":2.6}"));
    (void)look(play);
    for (int32_t i = 0; i < play->n_cap; i++) {
        const float *x = play->cap_position + 3 * (size_t)i;
        n_wrong += fabsf(x[0] - 1.3f) > 1e-6f;
        n_wrong += fabsf(play->cap_value[i] - play->cap_displacement[3 * i + 2]) > 1e-12f;
        if (i % 3 == 0) { /* signed: all are turned along x */
            area += 0.5 * (double)((x[4] - x[1]) * (x[8] - x[2]) - (x[5] - x[2]) * (x[7] - x[1]));
        }
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT_DOUBLE_EQUAL(area, 1.0, 1e-5);
    must(send(play, "{\"do\":\"section\"}"));
    choose_field(play, "von Mises stress", "vertices");
    CU_ASSERT_EQUAL(look(play), before);
    view_play_free(play);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"pictures_are_the_same_at_each_visit_and_on_two_threads",
         test_pictures_are_the_same_at_each_visit_and_on_two_threads},
        {"random_commands_are_done_or_refused", test_random_commands_are_done_or_refused},
        {"refused_commands_change_nothing", test_refused_commands_change_nothing},
        {"bodies_without_an_answer_are_drawn", test_bodies_without_an_answer_are_drawn},
        {"questions_have_the_numbers_of_the_model_and_change_nothing",
         test_questions_have_the_numbers_of_the_model_and_change_nothing},
        {"fields_are_the_numbers_of_the_model_and_change_nothing",
         test_fields_are_the_numbers_of_the_model_and_change_nothing},
        {"a_section_has_a_cap_with_the_field", test_a_section_has_a_cap_with_the_field},
        CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"view_play", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
