/* The example of a window (tools/examples/viewer) without its graphics: pictures of the solving
 * thread as arrays, commands that they show, refusals, what is under a ray. */
#include "scene.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static const viewer_beam beam = {{1.0, 0.2, 0.2}, {10, 2, 2}};

static viewer_scene *open_beam(viewer_picture *picture)
{
    viewer_scene *scene = viewer_open(&beam);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT(viewer_wait(scene, 60.0));
    CU_ASSERT_FATAL(viewer_take(scene, picture));
    return scene;
}

static void test_pictures_show_what_was_done(void)
{
    viewer_picture picture;
    char line[256];
    viewer_scene *scene = open_beam(&picture);
    CU_ASSERT(picture.is_static && !picture.message[0] && picture.n_tet == 10 * 2 * 2 * 6);
    CU_ASSERT_EQUAL(picture.n_triangle, 2 * (2 * 2 * 2 + 4 * 10 * 2));
    float most = 0.0f;
    for (int32_t i = 0; i < picture.n_vertex; i++) {
        most = picture.value[i] > most ? picture.value[i] : most;
    }
    CU_ASSERT(most > 0.0f && !viewer_take(scene, &picture));
    CU_ASSERT(viewer_do(scene, "\"do\": \"remove\", \"face\": %d, \"radius\": 0", picture.face[9]));
    CU_ASSERT(viewer_wait(scene, 60.0) && viewer_take(scene, &picture));
    CU_ASSERT_EQUAL(picture.n_tet, 239);
    CU_ASSERT(viewer_do(scene, "\"do\": \"mode\", \"mode\": \"rotations\""));
    CU_ASSERT(viewer_do(scene, "\"do\": \"step\", \"n\": 5, \"dt\": 0.01"));
    CU_ASSERT(viewer_wait(scene, 60.0) && viewer_take(scene, &picture));
    CU_ASSERT(!picture.is_static && fabs(picture.time - 0.05) < 1e-12);
    CU_ASSERT(!viewer_refusal(scene, line));
    CU_ASSERT(viewer_do(scene, "\"do\": \"remove\", \"tets\": [%d]", -1)); /* refused by the body */
    CU_ASSERT(viewer_wait(scene, 60.0) && viewer_refusal(scene, line));
    CU_ASSERT(strstr(line, "no tet") && !viewer_refusal(scene, line));
    CU_ASSERT(!viewer_do(scene, "\"do\": ")); /* no JSON: by the queue */
    viewer_close(scene);
    viewer_close(NULL);
}

static void test_a_ray_meets_the_body_as_it_hangs(void)
{
    viewer_picture picture;
    viewer_scene *scene = open_beam(&picture);
    const double down[3] = {0.0, 0.0, -1.0}, above[3] = {0.51, 0.11, 1.0};
    double place[3], lowest = 0.0;
    for (int32_t i = 0; i < picture.n_vertex; i++) {
        lowest = fmin(lowest, picture.displacement[3 * i + 2]);
    }
    CU_ASSERT(lowest < 0.0);
    CU_ASSERT(viewer_pick(&picture, 0.0, above, down, place) >= 0 && fabs(place[2] - 0.2) < 1e-6);
    const double factor = -0.2 / lowest;
    CU_ASSERT(viewer_pick(&picture, factor, above, down, place) >= 0);
    CU_ASSERT(place[2] < 0.2 && place[2] > 0.0 && fabs(place[0] - 0.51) < 1e-12);
    const double aside[3] = {0.5, 0.5, 1.0};
    CU_ASSERT_EQUAL(viewer_pick(&picture, 0.0, aside, down, place), -1);
    viewer_close(scene);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"pictures", test_pictures_show_what_was_done},
        {"picks", test_a_ray_meets_the_body_as_it_hangs},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"viewer_scene", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
