/* Cuts and repaired moves in bodies of two regions: the face between them stays where it is. */
#include "halves_fixture.h"
#include "operation_body.h"

static void start(body *b)
{
    *b = (body){0};
    make_halves(&b->mesh, (const int32_t[3]){8, 5, 5});
    follow(b);
}

static double volume_of(const ew_mesh *mesh, int32_t label)
{
    double volume = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && mesh->region_label[mesh->region[t]] == label) {
            volume += ew_mesh_tet_volume(mesh, t);
        }
    }
    return volume;
}

static void expect_halves(const body *b)
{
    CU_ASSERT_DOUBLE_EQUAL(volume_of(&b->mesh, 5), 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(volume_of(&b->mesh, 3), 1.0, 1e-12);
}

static void test_cut_keeps_the_face_between_regions(void)
{
    uint64_t state = 3;
    for (int i = 0; i < 20; i++) {
        body b;
        ew_cut_def def = ew_default_cut_def();
        def.kind = EW_CUT_SPHERE;
        def.keep = EW_CUT_KEEP_BOTH;
        def.radius = 0.2 + 0.001 * ew_test_random(&state, 150);
        for (int c = 0; c < 3; c++) {
            def.a[c] = (c ? 0.4 : 0.9) + 0.001 * ew_test_random(&state, 200);
        }
        start(&b);
        must(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL));
        commit(&b);
        expect_halves(&b);
        drop(&b);
    }
}

static void test_repair_keeps_the_face_between_regions(void)
{
    uint64_t state = 7;
    for (int i = 0; i < 10; i++) {
        body b;
        ew_list vertex = {0};
        ew_move_def def = {.motion = {.kind = EW_MOTION_SHIFT}, .radius = 0.5, .repair = true};
        const ew_selector wall = {.kind = EW_SELECT_PLANE, .b = {1, 0, 0}, .radius = 1e-9};
        start(&b);
        def.motion.by[0] = 0.3 + 0.001 * ew_test_random(&state, 200);
        must(ew_mesh_select(&b.mesh, &wall, &vertex));
        must(ew_operation_move_as(&b.mesh, &b.topology, &vertex, &def, &b.edit));
        commit(&b);
        CU_ASSERT_DOUBLE_EQUAL(volume_of(&b.mesh, 5), 1.0 - def.motion.by[0], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(volume_of(&b.mesh, 3), 1.0, 1e-12);
        ew_list_free(&vertex);
        drop(&b);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cut_keeps_the_face_between_regions", test_cut_keeps_the_face_between_regions},
        {"repair_keeps_the_face_between_regions", test_repair_keeps_the_face_between_regions},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"regions", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
