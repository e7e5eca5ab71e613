/* Operations that choose, decimate and remove: what they choose, that the commit takes it, and what
 * they refuse. */
#include "operation_body.h"

static bool removes(const body *b, int32_t t)
{
    bool found = false;
    for (int32_t i = 0; i < b->edit.remove_tet.n; i++) {
        found = found || b->edit.remove_tet.id[i] == t;
    }
    return found;
}

/* ---- decimate ---------------------------------------------------------- */

static void test_decimate_axis_takes_one_end(void)
{
    body b;
    make_box(&b, 1, 2, 3, 3, 4, 5); /* 360 tets */
    const ew_decimate_def def = {.fraction = 0.3, .axis = {0, 0.5, 1}};
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.remove_tet.n, 108);
    double min_gone = INFINITY, max_kept = -INFINITY;
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        double c[3];
        centroid(&b.mesh, t, c);
        double along = c[1] * 0.5 + c[2];
        if (removes(&b, t)) {
            min_gone = fmin(min_gone, along);
        } else {
            max_kept = fmax(max_kept, along);
        }
    }
    CU_ASSERT(min_gone >= max_kept - 1e-12);
    for (int32_t i = 1; i < b.edit.remove_tet.n; i++) {
        CU_ASSERT(b.edit.remove_tet.id[i] > b.edit.remove_tet.id[i - 1]);
    }
    commit(&b);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 252);
    drop(&b);
}

/* Protected tets count in the fraction, and none of them goes. */
static void test_decimate_spares_what_is_protected(void)
{
    body b;
    ew_set keep = {0};
    make_box(&b, 1, 1, 1, 2, 2, 2); /* 48 tets */
    for (int32_t t = 0; t < 48; t += 3) {
        CU_ASSERT_EQUAL_FATAL(ew_set_add(&keep, t), EW_OK);
    }
    ew_decimate_def def = {.fraction = 0.5, .axis = {1, 0, 0}, .keep = &keep};
    for (int order = 0; order < 2; order++) {
        def.order = order ? EW_DECIMATE_RANDOM : EW_DECIMATE_AXIS;
        CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
        CU_ASSERT_EQUAL(b.edit.remove_tet.n, 24);
        for (int32_t t = 0; t < 48; t++) {
            CU_ASSERT(t % 3 || !removes(&b, t));
        }
        ew_edit_clear(&b.edit);
    }
    def.fraction = 32.0 / 48;
    CU_ASSERT_EQUAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    ew_edit_clear(&b.edit);
    def.fraction = 33.0 / 48;
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_INPUT, "16 are protected");
    ew_set_free(&keep);
    drop(&b);
}

static void test_decimate_ties_go_to_lower_ids(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    double value[48];
    for (int i = 0; i < 48; i++) {
        value[i] = i < 8 ? 2.0 : 1.0; /* 40 equal ones */
    }
    value[20] = -INFINITY;
    value[30] = 0.5;
    const ew_decimate_def def = {
        .fraction = 12.4 / 48, .order = EW_DECIMATE_ENERGY, .value = value};
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    const int32_t expected[12] = {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 30};
    CU_ASSERT_EQUAL_FATAL(b.edit.remove_tet.n, 12);
    CU_ASSERT(memcmp(b.edit.remove_tet.id, expected, sizeof expected) == 0);
    commit(&b);
    drop(&b);
}

static void test_decimate_random_follows_seed_and_ids(void)
{
    body b, c;
    make_box(&b, 1, 1, 1, 5, 5, 5); /* 750 tets */
    ew_decimate_def def = {.fraction = 0.5, .order = EW_DECIMATE_RANDOM, .seed = 7};
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.remove_tet.n, 375);
    int32_t low = 0;
    for (int32_t i = 0; i < 375; i++) {
        low += b.edit.remove_tet.id[i] < 375;
    }
    CU_ASSERT(low > 150 && low < 225); /* half of each half, within 5 standard deviations */

    /* The same tets in other slots. */
    make_box(&c, 1, 1, 1, 5, 5, 5);
    int32_t order[216];
    for (int32_t v = 0; v < 216; v++) {
        order[v] = 215 - v;
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&c.mesh, order, true, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&c.mesh, &def, &c.edit), EW_OK);
    bool gone[750] = {false}, same = true, moved = false;
    for (int32_t i = 0; i < 375; i++) {
        gone[c.mesh.tet_id[c.edit.remove_tet.id[i]]] = true;
        moved = moved || c.mesh.tet_id[c.edit.remove_tet.id[i]] != c.edit.remove_tet.id[i];
    }
    for (int32_t i = 0; i < 375; i++) {
        same = same && gone[b.edit.remove_tet.id[i]];
    }
    CU_ASSERT(same && moved);
    ew_edit_clear(&c.edit);
    def.seed = 8;
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&c.mesh, &def, &c.edit), EW_OK);
    same = true;
    for (int32_t i = 0; i < 375; i++) {
        same = same && gone[c.mesh.tet_id[c.edit.remove_tet.id[i]]];
    }
    CU_ASSERT_FALSE(same);
    drop(&c);
    commit(&b);
    drop(&b);
}

/* A study renumbers its mesh; what goes must be what goes from a file. */
static void test_decimate_is_blind_to_slots(void)
{
    const ew_decimate_order orders[3] = {EW_DECIMATE_AXIS, EW_DECIMATE_REGION, EW_DECIMATE_ENERGY};
    const double value[384] = {0};
    int32_t order[125];
    for (int32_t v = 0; v < 125; v++) {
        order[v] = (7 * v + 3) % 125;
    }
    for (int i = 0; i < 3; i++) {
        body b, c;
        bool gone[384] = {false};
        make_box(&b, 1, 1, 1, 4, 4, 4); /* layers of 96 tets, hence ties */
        make_box(&c, 1, 1, 1, 4, 4, 4);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&c.mesh, order, true, NULL, NULL), EW_OK);
        const ew_decimate_def def = {
            .fraction = 0.3, .order = orders[i], .axis = {0, 0, 1}, .region = 1, .value = value};
        CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&c.mesh, &def, &c.edit), EW_OK);
        CU_ASSERT_EQUAL_FATAL(b.edit.remove_tet.n, c.edit.remove_tet.n);
        for (int32_t k = 0; k < b.edit.remove_tet.n; k++) {
            gone[b.mesh.tet_id[b.edit.remove_tet.id[k]]] = true;
        }
        for (int32_t k = 0; k < c.edit.remove_tet.n; k++) {
            CU_ASSERT(gone[c.mesh.tet_id[c.edit.remove_tet.id[k]]]);
        }
        drop(&b);
        drop(&c);
    }
}

static void test_decimate_region_stays_in_it(void)
{
    body b;
    make_two_regions(&b, 2);
    const ew_decimate_def def = {
        .fraction = 0.25, .order = EW_DECIMATE_REGION, .axis = {1, 0, 0}, .region = 1};
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.remove_tet.n, 12);
    for (int32_t i = 0; i < b.edit.remove_tet.n; i++) {
        CU_ASSERT_EQUAL(b.mesh.region_label[b.mesh.region[b.edit.remove_tet.id[i]]], 1);
    }
    commit(&b);
    drop(&b);
}

static void test_decimate_all_and_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 1, 1, 1);
    ew_decimate_def def = {.fraction = 1.0, .axis = {1, 0, 0}};
    CU_ASSERT_EQUAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "clear it first"));
    CU_ASSERT_EQUAL(b.edit.remove_tet.n, 6); /* what was there stays */
    ew_edit_clear(&b.edit);
    def.fraction = 0.0;
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "fraction 0");
    def.fraction = NAN;
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "fraction");
    def = (ew_decimate_def){.fraction = 0.5};
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "axis");
    def.order = EW_DECIMATE_REGION;
    def.region = 9;
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_INPUT, "region 9");
    def.order = EW_DECIMATE_ENERGY;
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "energy");
    const double value[6] = {1, 1, 1, NAN, 1, 1};
    def.value = value;
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "tet 3");
    def = (ew_decimate_def){.fraction = 1.0, .axis = {1, 0, 0}};
    CU_ASSERT_EQUAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    commit(&b);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 0);
    REFUSED(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_BAD_EDIT, "no tets left");
    drop(&b);
}

/* ---- remove ------------------------------------------------------------ */

static void test_remove_by_every_selector(void)
{
    body b;
    make_two_regions(&b, 2); /* 96 tets in [0, 2] x [0, 1] x [0, 1] */
    const int64_t ids[4] = {5, 3, 5, 90};
    const struct {
        ew_selector selector;
        int32_t n;
    } cases[] = {
        {{.kind = EW_SELECT_BOX, .b = {0.5, 0.5, 1}}, 12},
        {{.kind = EW_SELECT_SPHERE, .a = {1, 0.5, 0.5}, .radius = 10}, 96},
        {{.kind = EW_SELECT_SPHERE, .a = {1, 0.5, 0.5}, .radius = 0}, 0},
        {{.kind = EW_SELECT_CYLINDER, .a = {0, 0.5, 0.5}, .b = {1, 0.5, 0.5}, .radius = 9}, 48},
        {{.kind = EW_SELECT_SIDE, .a = {1.5, 0, 0}, .b = {3, 0, 0}}, 24},
        {{.kind = EW_SELECT_PLANE, .a = {1, 0, 0}, .b = {1, 0, 0}, .radius = 0.5}, 48},
        {{.kind = EW_SELECT_ALL}, 96},
        {{.kind = EW_SELECT_NEAREST, .a = {2, 1, 1}}, 1},
        {{.kind = EW_SELECT_REGION, .label = 5}, 48},
        {{.kind = EW_SELECT_IDS, .n_id = 4, .id = ids}, 3},
        {{.kind = EW_SELECT_IDS}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_EQUAL(ew_operation_remove(&b.mesh, &cases[i].selector, &b.edit), EW_OK);
        CU_ASSERT_EQUAL(b.edit.remove_tet.n, cases[i].n);
        for (int32_t k = 0; k < b.edit.remove_tet.n; k++) {
            int32_t t = b.edit.remove_tet.id[k];
            double c[3];
            centroid(&b.mesh, t, c);
            CU_ASSERT(cases[i].selector.kind != EW_SELECT_BOX || (c[0] < 0.5 && c[1] < 0.5));
            CU_ASSERT(cases[i].selector.kind != EW_SELECT_REGION || b.mesh.region[t] == 1);
            CU_ASSERT(cases[i].selector.kind != EW_SELECT_SIDE || c[0] >= 1.5);
        }
        ew_edit_clear(&b.edit);
    }
    const ew_selector region = {.kind = EW_SELECT_REGION, .label = 1};
    CU_ASSERT_EQUAL(ew_operation_remove(&b.mesh, &region, &b.edit), EW_OK);
    commit(&b);
    CLOSE(measure(&b).volume, 1.0, 1e-14);
    CU_ASSERT_EQUAL(ew_operation_remove(&b.mesh, &region, &b.edit), EW_OK);
    CU_ASSERT(is_empty(&b.edit));
    const ew_selector bad_id = {.kind = EW_SELECT_IDS, .n_id = 4, .id = ids};
    REFUSED(ew_operation_remove(&b.mesh, &bad_id, &b.edit), EW_BAD_INPUT, "tet id 3 ");
    drop(&b);
}

static void test_remove_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 1, 1, 1);
    const ew_selector surface = {.kind = EW_SELECT_SURFACE, .label = 1},
                      region = {.kind = EW_SELECT_REGION, .label = 2},
                      sphere = {.kind = EW_SELECT_SPHERE, .radius = -1},
                      nearest = {.kind = EW_SELECT_NEAREST, .a = {0, NAN, 0}};
    REFUSED(ew_operation_remove(&b.mesh, &surface, &b.edit), EW_BAD_ARGUMENT, "surface");
    REFUSED(ew_operation_remove(&b.mesh, &region, &b.edit), EW_BAD_INPUT, "region 2");
    REFUSED(ew_operation_remove(&b.mesh, &sphere, &b.edit), EW_BAD_ARGUMENT, "remove: sphere");
    REFUSED(ew_operation_remove(&b.mesh, &nearest, &b.edit), EW_BAD_ARGUMENT, "remove: nearest");
    REFUSED(ew_operation_remove_small(&b.mesh, &b.topology, 0, &b.edit), EW_BAD_ARGUMENT,
            "minimum");
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&b.edit, 0), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&b.mesh, &b.edit, NULL, &b.change), EW_OK);
    ew_edit_clear(&b.edit);
    REFUSED(ew_operation_remove_small(&b.mesh, &b.topology, 2, &b.edit), EW_STALE, "update them");
    REFUSED(ew_operation_smooth(&b.mesh, &b.topology, 2, &b.edit), EW_STALE, "update them");
    REFUSED(ew_operation_refine(&b.mesh, &b.topology, 0.1, NULL, &b.edit), EW_STALE, "update them");
    drop(&b);
}

static void test_remove_small_pieces(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    for (int32_t i = 0; i < 3; i++) { /* separate boxes of 6, 12 and 18 tets */
        ew_mesh other;
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){1 + i, 1, 1}),
                              EW_OK);
        for (int32_t v = 0; v < other.n_vertex; v++) {
            other.xyz[3 * v] += 2.0 * (i + 1);
        }
        CU_ASSERT_EQUAL_FATAL(ew_operation_add(&b.mesh, &other, 0, &b.edit), EW_OK);
        commit(&b);
        ew_mesh_free(&other);
    }
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 84);
    CU_ASSERT_EQUAL(ew_operation_remove_small(&b.mesh, &b.topology, 6, &b.edit), EW_OK);
    CU_ASSERT(is_empty(&b.edit));
    CU_ASSERT_EQUAL(ew_operation_remove_small(&b.mesh, &b.topology, 18, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.remove_tet.n, 18);
    commit(&b);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 66);
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"decimate_axis_takes_one_end", test_decimate_axis_takes_one_end},
        {"decimate_spares_what_is_protected", test_decimate_spares_what_is_protected},
        {"decimate_ties_go_to_lower_ids", test_decimate_ties_go_to_lower_ids},
        {"decimate_is_blind_to_slots", test_decimate_is_blind_to_slots},
        {"decimate_random_follows_seed_and_ids", test_decimate_random_follows_seed_and_ids},
        {"decimate_region_stays_in_it", test_decimate_region_stays_in_it},
        {"decimate_all_and_refusals", test_decimate_all_and_refusals},
        {"remove_by_every_selector", test_remove_by_every_selector},
        {"remove_refusals", test_remove_refusals},
        {"remove_small_pieces", test_remove_small_pieces},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"operation", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
