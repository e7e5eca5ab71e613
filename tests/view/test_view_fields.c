/* What colors a played body: all fields, at vertices, of tets, averaged on either side of an
 * interface and recovered, are the numbers of the model; a section has a cap with them. */
#include "view_fixture.h"

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
    must(send(play, "{\"do\":\"remove\",\"tets\":[40]}"));
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

/* The number of a corner of each triangle, of its own tet. */
static void check_corners(const view_play *play, double (*number)(const view_play *, int32_t, int))
{
    const ew_boundary *boundary;
    int32_t n_wrong = 0;
    must(ew_model_boundary(play->body.model, &boundary));
    for (int32_t i = 0; i < 3 * boundary->n_live; i++) {
        const int k = ew_face_vertex[play->face[i / 3] % 4][i % 3];
        n_wrong += play->corner_shown[i] != (float)number(play, play->tet[i / 3], k);
    }
    CU_ASSERT(boundary->n_live > 0 && n_wrong == 0);
}

static double corner_of(const view_play *play, int32_t t, int k)
{
    return ew_fields_corner_von_mises(ew_model_recovered(play->body.model),
                                      ew_model_mesh(play->body.model), t, k);
}

static double corner_xx_of(const view_play *play, int32_t t, int k)
{
    return ew_fields_corner_stress(ew_model_recovered(play->body.model),
                                   ew_model_mesh(play->body.model), t, k)[0];
}

static double recovered_of(const view_play *play, int32_t t, int k)
{
    const ew_estimate *estimate = NULL;
    must(ew_model_estimate(play->body.model, &estimate, NULL));
    return ew_von_mises(
        ew_recovered_at(&estimate->recovered, ew_model_mesh(play->body.model), t, k));
}

/* At the interface of two materials the side of each has its own average. */
static void test_sides_of_an_interface_have_their_own_stress(void)
{
    int two = 2, n_jump = 0;
    view_source parted = beam;
    view_play *play;
    parted.user = &two;
    must(view_play_create(&play, &parted));
    choose_field(play, "von Mises stress", "corners");
    check_corners(play, corner_of);
    const ew_boundary *boundary;
    must(ew_model_boundary(play->body.model, &boundary));
    for (int32_t i = 0; i < 3 * boundary->n_live; i++) {
        for (int32_t j = 0; j < i; j++) {
            n_jump += play->triangle[i] == play->triangle[j] &&
                      play->corner_shown[i] != play->corner_shown[j];
        }
    }
    CU_ASSERT(n_jump > 0);
    choose_field(play, "stress xx", "corners");
    check_corners(play, corner_xx_of);
    choose_field(play, "von Mises stress", "recovered");
    check_corners(play, recovered_of);
    must(send(play, "{\"do\":\"section\",\"normal\":[0,0,1],\"offset\":0.3}"));
    must(send(play, "{\"do\":\"explode\",\"on\":true}"));
    (void)look(play);
    CU_ASSERT(play->n_cap > 0 && isfinite(play->cap_value[0]) && play->cap_value[0] > 0.0f);
    CU_ASSERT_EQUAL(play->tets.value[1], (float)recovered_of(play, play->tets.id[0], 1));
    view_play_free(play);
    must(view_play_create(&play, &beam)); /* one region: there are no sides */
    CU_ASSERT_EQUAL(send(play,
                         "{\"do\":\"field\",\"name\":\"von Mises stress\",\"of\":\"corners\"}"),
                    EW_BAD_INPUT);
    view_play_free(play);
}

/* Whether a picture has a number of the field, and none that is not finite. */
static bool has_numbers(const view_play *play)
{
    const ew_boundary *boundary;
    bool any = false, all = true;
    must(ew_model_boundary(play->body.model, &boundary));
    for (int32_t i = 0; i < 3 * boundary->n_live; i++) {
        const float value = play->place == VIEW_AT_VERTICES ? play->shown[play->triangle[i]]
                                                            : play->corner_shown[i];
        any = any || value != 0.0f;
        all = all && isfinite(value);
    }
    return any && all;
}

static cJSON *state_of(view_play *play)
{
    cJSON *state = NULL;
    must(view_play_state(play, &state));
    return state;
}

/* Each of the state's list, at each of its places. */
static int32_t show_all(view_play *play)
{
    cJSON *state = state_of(play);
    const cJSON *field, *of;
    int32_t n = 0;
    cJSON_ArrayForEach(field, cJSON_GetObjectItemCaseSensitive(state, "fields"))
    {
        cJSON_ArrayForEach(of, cJSON_GetObjectItemCaseSensitive(field, "of"))
        {
            const char *name = cJSON_GetObjectItemCaseSensitive(field, "name")->valuestring;
            choose_field(play, name, of->valuestring);
            if (!has_numbers(play)) {
                printf("\n%s of %s: %s\n", name, of->valuestring, play->message);
                CU_FAIL("a field of the list has no numbers");
            }
            n++;
        }
    }
    cJSON_Delete(state);
    return n;
}

static void test_each_field_of_the_list_has_numbers(void)
{
    int two = 2;
    view_source parted = beam;
    view_play *play;
    parted.user = &two;
    must(view_play_create(&play, &parted));
    const uint64_t before = look(play);
    const int32_t n = show_all(play);
    CU_ASSERT_EQUAL(n, 4 + 4 + 6 * 4 + 3 + 6 + 1 + 4 + 1 + 2);
    const ew_fields *fields = ew_model_recovered(play->body.model);
    choose_field(play, "strain yz", "tets");
    for (int32_t i = 0; i < 9; i++) {
        CU_ASSERT_EQUAL(play->corner_shown[i], (float)fields->strain[6 * play->tet[i / 3] + 4]);
    }
    choose_field(play, "reaction z", "vertices");
    check_vertices(play, fields->reaction + 2, 3);
    choose_field(play, "principal stress 2", "tets");
    CU_ASSERT_EQUAL(play->corner_shown[0], (float)fields->principal[3 * play->tet[0] + 1]);
    choose_field(play, "region", "tets");
    CU_ASSERT_EQUAL(play->corner_shown[0], (float)play->region[0]);
    choose_field(play, "von Mises stress", "vertices");
    CU_ASSERT_EQUAL(look(play), before);
    CU_ASSERT_EQUAL(send(play, "{\"do\":\"field\",\"name\":\"velocity\"}"), EW_BAD_INPUT);
    must(send(play, "{\"do\":\"mode\",\"mode\":\"dynamics\"}"));
    must(send(play, "{\"do\":\"step\",\"n\":3,\"dt\":0.01}"));
    CU_ASSERT_EQUAL(show_all(play), n - 1 - 7 + 8); /* motion for the error and what is recovered */
    choose_field(play, "velocity x", "vertices");
    check_vertices(play, ew_model_velocity(play->body.model), 3);
    must(send(play, "{\"do\":\"undo\"}"));
    must(send(play, "{\"do\":\"undo\"}"));
    (void)look(play); /* a field that a static body has not: no number, and no crash */
    CU_ASSERT(isnan(play->shown[0]));
    view_play_free(play);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"fields_are_the_numbers_of_the_model_and_change_nothing",
         test_fields_are_the_numbers_of_the_model_and_change_nothing},
        {"sides_of_an_interface_have_their_own_stress",
         test_sides_of_an_interface_have_their_own_stress},
        {"each_field_of_the_list_has_numbers", test_each_field_of_the_list_has_numbers},
        {"a_section_has_a_cap_with_the_field", test_a_section_has_a_cap_with_the_field},
        CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"view_fields", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
