/* A body that commands set up, without graphics: random sets, supports, springs, loads, steps and
 * meshes of other sizes are done or refused in one line; panels and pictures are the same whenever
 * a state is visited; what is carried over to another mesh is where it was. */
#include "play.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a box whose edges may have another length --------------------------------------------- */

enum { CELLS = 3 };
typedef struct box {
    int32_t cells; /* of its height */
    int n_refused;
} box;

static ew_status fill_box(void *user, double size)
{
    box *own = user;
    if (size > 0.0 && size < 0.1) {
        own->n_refused++;
        return ew_fail(EW_LIMIT, "box: too many tets; give longer edges");
    }
    own->cells = size > 0.0 ? (int32_t)ceil(1.0 / size) : CELLS;
    return EW_OK;
}

static ew_status open_box(void *user, const double *value, view_body *body)
{
    const box *own = user;
    const double size[3] = {2.0, 1.0, 1.0}, zero[3] = {0}, x[3] = {1.0, 0.0, 0.0};
    const ew_material rubber = {.young = 1000.0, .poisson = 0.3, .density = 1.0};
    const ew_selector at = ew_select_plane(zero, x, 1e-9);
    const ew_model_set_def def = {.name = "wall", .kind = EW_SET_OF_FACES, .allow_empty = true};
    const ew_model_constraint wall = {.set = 0, .fixed = 7};
    const ew_model_def model_def = ew_default_model_def();
    const int32_t cells[3] = {2 * own->cells, own->cells, own->cells};
    int32_t set;
    ew_mesh mesh;
    (void)value;
    EW_TRY(ew_shape_box(&mesh, size, cells));
    must(ew_model_create(&body->model, &mesh, &model_def));
    must(ew_model_set_material(body->model, EW_ALL_REGIONS, &rubber));
    must(ew_model_select_set(body->model, &def, &at, &set));
    must(ew_model_set_constraints(body->model, 1, &wall));
    return EW_OK;
}

static void close_box(void *user, view_body *body)
{
    (void)user;
    ew_model_free(body->model);
    *body = (view_body){0};
}

static view_source source_of(box *own)
{
    return (view_source){.user = own,
                         .file = "box",
                         .open = open_box,
                         .close = close_box,
                         .fill = fill_box,
                         .filled_by = "box"};
}

/* ---- commands and what is seen -------------------------------------------------------------- */

static ew_status send(view_play *play, const char *text)
{
    cJSON *command = cJSON_Parse(text), *reply = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(command);
    const ew_status status = view_play_do(play, command, &reply);
    cJSON_Delete(command);
    cJSON_Delete(reply);
    return status;
}

/* FNV-1a of all arrays of a picture. */
static uint64_t look(view_play *play)
{
    view_bytes *whole, *change;
    uint64_t hash = 0xcbf29ce484222325u;
    must(view_play_picture(play, 1, 1, &whole, &change));
    const size_t head = whole->data[0] + 256u * whole->data[1];
    for (size_t i = 4 + head; i < whole->size; i++) {
        hash = (hash ^ whole->data[i]) * 0x100000001b3u;
    }
    view_bytes_release(whole);
    view_bytes_release(change);
    return hash;
}

/* The panels as text, the caller's. */
static char *panels(view_play *play)
{
    cJSON *state = NULL;
    must(view_play_state(play, &state));
    char *text = cJSON_PrintUnformatted(state);
    cJSON_Delete(state);
    return text;
}

/* A number of the panels, behind keys and places. */
static double number_at(view_play *play, const char *list, int i, const char *key)
{
    cJSON *state = NULL;
    must(view_play_state(play, &state));
    const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(state, list), i);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(one, key);
    const double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    cJSON_Delete(state);
    return value;
}

static int32_t count(view_play *play, const char *list)
{
    cJSON *state = NULL;
    must(view_play_state(play, &state));
    const int32_t n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(state, list));
    cJSON_Delete(state);
    return n;
}

/* ---- random commands ------------------------------------------------------------------------- */

static int32_t draw(uint64_t *seed, int32_t n)
{
    return (int32_t)ew_test_random(seed, (uint32_t)n);
}

static void make_command(view_play *play, uint64_t *seed, char text[320])
{
    static const char *const names[] = {"a", "b", "c", "wall"};
    const ew_boundary *boundary;
    must(ew_model_boundary(play->body.model, &boundary));
    const int32_t face = boundary->code[draw(seed, boundary->n_slot)];
    const char *name = names[draw(seed, 4)];
    const double x = draw(seed, 200) / 100.0, y = draw(seed, 100) / 100.0;
    const char *const form[] = {
        "{\"do\":\"set\",\"name\":\"%1$s\",\"faces\":[%2$d]}",
        "{\"do\":\"set_rule\",\"name\":\"%1$s\",\"kind\":\"box\",\"values\":{\"low x\":%4$g,"
        "\"high x\":2,\"high y\":1,\"high z\":1}}",
        "{\"do\":\"set_remove\",\"name\":\"%1$s\"}",
        "{\"do\":\"set_rename\",\"name\":\"%1$s\",\"to\":\"b\"}",
        "{\"do\":\"set_rename\",\"name\":\"b\",\"to\":\"%1$s\"}",
        "{\"do\":\"support\",\"set\":\"%1$s\",\"fixed\":[true,false,true],\"value\":[0,0,%5$g]}",
        "{\"do\":\"support_change\",\"index\":%3$d,\"fixed\":[null,true,null]}",
        "{\"do\":\"support_change\",\"index\":%3$d,\"value\":[%5$g,null,0]}",
        "{\"do\":\"support_remove\",\"index\":%3$d}",
        "{\"do\":\"spring\",\"set\":\"%1$s\",\"kind\":\"foundation\",\"stiffness\":[10,%5$g]}",
        "{\"do\":\"spring\",\"set\":\"%1$s\",\"kind\":\"total\",\"stiffness\":[1,%5$g,3]}",
        "{\"do\":\"spring_remove\",\"index\":%3$d}",
        "{\"do\":\"load_add\",\"type\":\"force\",\"set\":\"%1$s\",\"value\":[0,%4$g,1]}",
        "{\"do\":\"load_add\",\"type\":\"pressure\",\"set\":\"%1$s\",\"value\":[%5$g]}",
        "{\"do\":\"load_change\",\"index\":%3$d,\"value\":[null,%4$g,null]}",
        "{\"do\":\"load_remove\",\"index\":%3$d}",
        "{\"do\":\"step_add\",\"kind\":\"modes\",\"count\":%3$d}",
        "{\"do\":\"step_add\",\"kind\":\"motion\",\"dt\":%5$g,\"duration\":%4$g}",
        "{\"do\":\"step_add\",\"kind\":\"buckling\"}",
        "{\"do\":\"step_remove\",\"index\":%3$d}",
        "{\"do\":\"fill\",\"size\":%5$g}",
        "{\"do\":\"remove\",\"tets\":[%3$d]}",
        "{\"do\":\"undo\"}",
        "{\"do\":\"redo\"}",
        "{\"do\":\"material\",\"young\":5%4$g,\"poisson\":0.25,\"density\":1}",
    };
    snprintf(text, 320, form[draw(seed, sizeof form / sizeof *form)], name, (int)face,
             (int)draw(seed, 4), x, y);
}

static void visit(view_play *play)
{
    char back[64];
    char *before = panels(play);
    const uint64_t hash = look(play);
    snprintf(back, sizeof back, "{\"do\":\"goto\",\"at\":%d}", (int)play->at);
    must(send(play, "{\"do\":\"goto\",\"at\":0}"));
    must(send(play, back));
    char *after = panels(play);
    CU_ASSERT_EQUAL(look(play), hash);
    CU_ASSERT_STRING_EQUAL(before, after);
    cJSON_free(before);
    cJSON_free(after);
}

static void test_states_are_the_same_at_each_visit(void)
{
    const char *scale = getenv("EW_EDITS");
    const int n = scale ? atoi(scale) : 300;
    box own = {CELLS, 0};
    view_source source = source_of(&own);
    uint64_t seed = 11;
    int n_done = 0;
    char text[320];
    view_play *play;
    must(view_play_create(&play, &source));
    for (int i = 0; i < n; i++) {
        if (play->n_entry > 25) {
            view_play_free(play);
            must(fill_box(&own, 0.0));
            must(view_play_create(&play, &source));
        }
        make_command(play, &seed, text);
        const ew_status status = send(play, text);
        n_done += !status;
        CU_ASSERT(!status || (strlen(ew_message()) > 5 && !strchr(ew_message(), '\n')));
        ew_model_verification same = {0};
        must(play->message[0] ? EW_OK : ew_model_verify(play->body.model, &same));
        CU_ASSERT_EQUAL(same.n_different, 0);
        if (i % 6 == 0 && play->at > 0) {
            visit(play);
        }
    }
    CU_ASSERT(n_done > n / 4);
    view_play_free(play);
}

/* ---- another mesh ---------------------------------------------------------------------------- */

static void test_another_mesh_carries_what_was_set_up(void)
{
    box own = {CELLS, 0};
    view_source source = source_of(&own);
    view_play *play;
    must(view_play_create(&play, &source));
    must(send(play,
              "{\"do\":\"set_rule\",\"name\":\"top\",\"kind\":\"normal\",\"values\":{\"normal "
              "z\":1,\"angle\":5}}"));
    must(send(play, "{\"do\":\"load_add\",\"type\":\"pressure\",\"set\":\"top\",\"value\":[2]}"));
    must(send(play, "{\"do\":\"spring\",\"set\":\"top\",\"kind\":\"foundation\",\"stiffness\":[3,0]"
                    "}"));
    must(send(play, "{\"do\":\"step_add\",\"kind\":\"modes\"}"));
    const int32_t n = ew_model_mesh(play->body.model)->n_live_tet;
    must(send(play, "{\"do\":\"fill\",\"size\":0.2}"));
    CU_ASSERT(ew_model_mesh(play->body.model)->n_live_tet > 3 * n);
    CU_ASSERT_STRING_EQUAL(play->message, "");
    CU_ASSERT_DOUBLE_EQUAL(number_at(play, "sets", 0, "area"), 1.0, 1e-12); /* the wall */
    CU_ASSERT_DOUBLE_EQUAL(number_at(play, "sets", 1, "area"), 2.0, 1e-12);
    CU_ASSERT_EQUAL(count(play, "supports"), 1);
    CU_ASSERT_EQUAL(count(play, "springs"), 1);
    CU_ASSERT_EQUAL(count(play, "loads"), 1);
    CU_ASSERT_EQUAL(count(play, "steps"), 2);
    const int32_t finer = ew_model_mesh(play->body.model)->n_live_tet;
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"fill\",\"size\":0.01}"), EW_LIMIT);
    CU_ASSERT(own.n_refused == 1 && ew_model_mesh(play->body.model)->n_live_tet == finer);
    CU_ASSERT_EQUAL(play->n_entry, 5);
    visit(play);
    view_play_free(play);
}

/* A foundation and a force on a set that gets other faces act there: as on a set that has had them
 * from the start. */
static void test_what_names_a_set_follows_it(void)
{
    static const char *const tip = "{\"do\":\"set_rule\",\"name\":\"tip\",\"kind\":\"plane\","
                                   "\"values\":{\"x\":2,\"normal x\":1}}";
    static const char *const on_tip[] = {
        "{\"do\":\"spring\",\"set\":\"tip\",\"kind\":\"foundation\",\"stiffness\":[3,30]}",
        "{\"do\":\"load_add\",\"type\":\"force\",\"set\":\"tip\",\"value\":[0,1,1]}",
        "{\"do\":\"support\",\"set\":\"tip\",\"fixed\":[true,false,false]}"};
    double u[2][3];
    for (int k = 0; k < 2; k++) {
        box own = {CELLS, 0};
        view_source source = source_of(&own);
        view_play *play;
        must(view_play_create(&play, &source));
        must(send(play, k ? "{\"do\":\"set_rule\",\"name\":\"tip\",\"kind\":\"plane\",\"values\":{"
                            "\"z\":1,\"normal z\":1}}"
                          : tip));
        for (int i = 0; i < 3; i++) {
            must(send(play, on_tip[i]));
        }
        must(k ? send(play, tip) : EW_OK);
        CU_ASSERT_STRING_EQUAL(play->message, "");
        const ew_mesh *mesh = ew_model_mesh(play->body.model);
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            if (fabs(mesh->xyz[3 * (size_t)v] - 1.0) < 1e-9) {
                memcpy(u[k], ew_model_displacement(play->body.model) + 3 * (size_t)v, sizeof u[k]);
            }
        }
        view_play_free(play);
    }
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(u[0][c], u[1][c], 2e-3 * (fabs(u[0][1]) + fabs(u[0][2])));
    }
}

static bool has_set(view_play *play, const char *list, int i, const char *key, const char *name)
{
    cJSON *state = NULL;
    must(view_play_state(play, &state));
    const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(state, list), i);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(one, key);
    const bool has = cJSON_IsString(item) && !strcmp(item->valuestring, name);
    cJSON_Delete(state);
    return has;
}

/* What acts on a set stays when it is renamed, also on another mesh; its former name is free. */
static void test_renamed_sets(void)
{
    box own = {CELLS, 0};
    view_source source = source_of(&own);
    view_play *play;
    must(view_play_create(&play, &source));
    must(send(play,
              "{\"do\":\"set_rule\",\"name\":\"top\",\"kind\":\"normal\",\"values\":{\"normal "
              "z\":1,\"angle\":5}}"));
    must(send(play, "{\"do\":\"load_add\",\"type\":\"pressure\",\"set\":\"top\",\"value\":[2]}"));
    const uint64_t hash = look(play);
    must(send(play, "{\"do\":\"set_rename\",\"name\":\"top\",\"to\":\"roof\"}"));
    must(send(play, "{\"do\":\"set_rename\",\"name\":\"wall\",\"to\":\"top\"}"));
    CU_ASSERT_EQUAL(look(play), hash);
    CU_ASSERT(has_set(play, "sets", 0, "name", "top") && has_set(play, "sets", 1, "name", "roof"));
    CU_ASSERT(has_set(play, "supports", 0, "set", "top"));
    CU_ASSERT(has_set(play, "loads", 0, "set", "roof"));
    must(send(play, "{\"do\":\"set_rule\",\"name\":\"wall\",\"kind\":\"plane\",\"values\":{\"x\":2,"
                    "\"normal x\":1}}"));
    CU_ASSERT_EQUAL(count(play, "sets"), 3);
    CU_ASSERT_DOUBLE_EQUAL(number_at(play, "sets", 2, "area"), 1.0, 1e-12);
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"set_rename\",\"name\":\"wall\",\"to\":\"roof\"}"),
                    EW_BAD_INPUT);
    must(send(play, "{\"do\":\"fill\",\"size\":0.2}"));
    CU_ASSERT(has_set(play, "sets", 0, "name", "top") && has_set(play, "sets", 1, "name", "roof") &&
              has_set(play, "sets", 2, "name", "wall"));
    CU_ASSERT_DOUBLE_EQUAL(number_at(play, "sets", 1, "area"), 2.0, 1e-12);
    CU_ASSERT(has_set(play, "loads", 0, "set", "roof"));
    visit(play);
    for (int i = 0; i < 4; i++) {
        must(send(play, "{\"do\":\"undo\"}"));
    }
    CU_ASSERT(has_set(play, "sets", 0, "name", "wall") && has_set(play, "sets", 1, "name", "top"));
    CU_ASSERT_EQUAL(look(play), hash);
    view_play_free(play);
}

/* Supports that contradict each other have no answer; an edit is done for all that, and in the
 * journal. */
static void test_edits_under_contradicting_supports(void)
{
    box own = {CELLS, 0};
    view_source source = source_of(&own);
    view_play *play;
    must(view_play_create(&play, &source));
    const int32_t n = ew_model_mesh(play->body.model)->n_live_tet;
    must(send(play, "{\"do\":\"support\",\"set\":\"wall\",\"fixed\":[true,false,false],"
                    "\"value\":[0.1,0,0]}"));
    CU_ASSERT(strstr(play->message, "prescribed") != NULL);
    must(send(play, "{\"do\":\"remove\",\"tets\":[7]}"));
    CU_ASSERT_EQUAL(ew_model_mesh(play->body.model)->n_live_tet, n - 1);
    CU_ASSERT_EQUAL(play->n_entry, 2);
    visit(play);
    view_play_free(play);
}

/* Forty sets of a face each: each triangle has the bit of its set. */
static void test_more_sets_than_bits_of_a_number(void)
{
    enum { N_MANY = 40 };
    box own = {CELLS, 0};
    view_source source = source_of(&own);
    view_bytes *whole, *change;
    const ew_boundary *boundary;
    char text[128];
    view_play *play;
    must(view_play_create(&play, &source));
    must(ew_model_boundary(play->body.model, &boundary));
    for (int i = 0; i < N_MANY; i++) {
        snprintf(text, sizeof text, "{\"do\":\"set\",\"name\":\"set %d\",\"faces\":[%d]}", i,
                 (int)boundary->code[i]);
        must(send(play, text));
        must(ew_model_boundary(play->body.model, &boundary));
    }
    must(view_play_picture(play, 1, 1, &whole, &change));
    CU_ASSERT_EQUAL_FATAL(play->n_set_word, 2);
    for (int i = 0; i < N_MANY; i++) {
        const int bit = i + 1; /* behind the wall */
        CU_ASSERT(play->face_set[2 * (size_t)i + (size_t)(bit / 32)] >> bit % 32 & 1);
        CU_ASSERT(!(play->face_set[2 * (size_t)(i + 1) + (size_t)(bit / 32)] >> bit % 32 & 1));
    }
    view_bytes_release(whole);
    view_bytes_release(change);
    view_play_free(play);
}

static void test_refusals(void)
{
    static const char *const broken[] = {
        "{\"do\":\"set_remove\"}",
        "{\"do\":\"set_remove\",\"name\":\"wall\"}",
        "{\"do\":\"set_remove\",\"name\":\"none\"}",
        "{\"do\":\"support\",\"set\":\"wall\",\"fixed\":[false,false,false]}",
        "{\"do\":\"support\",\"set\":\"wall\",\"fixed\":[true,true,true],\"value\":[1,2]}",
        "{\"do\":\"support_change\",\"index\":0,\"fixed\":[false,false,false]}",
        "{\"do\":\"support_change\",\"index\":4}",
        "{\"do\":\"spring\",\"set\":\"wall\",\"kind\":\"foundation\",\"stiffness\":[0,0]}",
        "{\"do\":\"spring\",\"set\":\"wall\",\"kind\":\"foundation\",\"stiffness\":[-1,0]}",
        "{\"do\":\"spring\",\"set\":\"wall\",\"kind\":\"total\",\"stiffness\":[1,0]}",
        "{\"do\":\"spring\",\"set\":\"wall\",\"kind\":\"magic\",\"stiffness\":[1,0]}",
        "{\"do\":\"spring_remove\",\"index\":0}",
        "{\"do\":\"load_change\",\"index\":0,\"value\":[1]}",
        "{\"do\":\"step_add\"}",
        "{\"do\":\"step_add\",\"kind\":\"buckling\",\"count\":0}",
        "{\"do\":\"step_add\",\"kind\":\"motion\",\"dt\":-1}",
        "{\"do\":\"step_add\",\"kind\":\"motion\",\"every\":1.5}",
        "{\"do\":\"step_add\",\"kind\":\"motion\",\"start\":\"now\"}",
        "{\"do\":\"step_add\",\"kind\":\"modes\",\"name\":\"\"}",
        "{\"do\":\"step_add\",\"kind\":\"modes\",\"name\":\"answer\"}",
        "{\"do\":\"step_change\",\"index\":1}",
        "{\"do\":\"step_remove\",\"index\":0}",
        "{\"do\":\"fill\",\"size\":-1}",
        "{\"do\":\"fill\",\"size\":\"fine\"}",
    };
    box own = {CELLS, 0};
    view_source source = source_of(&own);
    view_play *play;
    must(view_play_create(&play, &source));
    char *before = panels(play);
    const uint64_t hash = look(play);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        CU_ASSERT(send(play, broken[i]) != EW_OK);
        CU_ASSERT(strlen(ew_message()) > 5 && !strchr(ew_message(), '\n'));
    }
    char *after = panels(play);
    CU_ASSERT_STRING_EQUAL(before, after);
    CU_ASSERT_EQUAL(look(play), hash);
    cJSON_free(before);
    cJSON_free(after);
    view_play_free(play);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"states_are_the_same_at_each_visit", test_states_are_the_same_at_each_visit},
        {"another_mesh_carries_what_was_set_up", test_another_mesh_carries_what_was_set_up},
        {"what_names_a_set_follows_it", test_what_names_a_set_follows_it},
        {"renamed_sets", test_renamed_sets},
        {"edits_under_contradicting_supports", test_edits_under_contradicting_supports},
        {"more_sets_than_bits_of_a_number", test_more_sets_than_bits_of_a_number},
        {"refusals", test_refusals},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"view_setup", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
