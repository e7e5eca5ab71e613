/* Supports that change between solves of one model: the kept preconditioner follows them. What a
 * solve does first may be asked for before. */
#include "model_fixture.h"

enum { AT_0, AT_1 };

/* A beam along x with its ends as sets. */
static ew_model *make_beam(void)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    const ew_model_def def = ew_default_model_def();
    must(ew_shape_box(&mesh, (double[3]){1.0, 0.1, 0.1}, (int32_t[3]){40, 5, 5}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS,
                               &(ew_material){.young = 210e9, .poisson = 0.3, .density = 7850.0}));
    for (int end = AT_0; end <= AT_1; end++) {
        const ew_mesh *at = ew_model_mesh(model);
        const ew_model_set_def set = {.kind = EW_SET_OF_VERTICES};
        ew_list list = {0};
        int32_t number;
        for (int32_t v = 0; v < at->n_vertex; v++) {
            if (fabs(at->xyz[3 * (size_t)v] - end) < 1e-9) {
                must(ew_list_push(&list, v));
            }
        }
        must(ew_model_add_set(model, &set, &list, &number));
        CU_ASSERT_EQUAL_FATAL(number, end);
        ew_list_free(&list);
    }
    must(ew_model_set_loads(
        model, 1, &(ew_model_load){.kind = EW_LOAD_GRAVITY, .vector = {0.0, -9.81, 0.0}}));
    return model;
}

static int32_t iterations_of(ew_model *model, int n, const ew_model_constraint *constraint)
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    def.preconditioner = EW_RIGID;
    must(ew_model_set_constraints(model, n, constraint));
    must(ew_model_solve(model, &def, &info));
    return info->iterations;
}

/* Each system after the others takes about the iterations that it takes in a model of its own. It
 * took twenty times as many while the factor of the body's old supports was kept. */
static void test_changed_supports_keep_the_iterations(void)
{
    const ew_model_constraint clamp_root = {.set = AT_0, .fixed = 7},
                              clamp_tip = {.set = AT_1, .fixed = 7},
                              slide_root = {.set = AT_0, .fixed = 1};
    const struct {
        int n;
        ew_model_constraint list[2];
    } system[] = {
        {1, {clamp_root}}, {2, {slide_root, clamp_tip}}, {1, {clamp_tip}}, {1, {clamp_root}}};
    ew_model *model = make_beam();
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        ew_model *fresh = make_beam();
        const int32_t alone = iterations_of(fresh, system[i].n, system[i].list);
        const int32_t after = iterations_of(model, system[i].n, system[i].list);
        CU_ASSERT(after <= 2 * alone + 5);
        ew_model_free(fresh);
    }
    ew_model_free(model);
}

/* Prepared while the program waits, an edited model is solved as it would be anyway: same bits. */
static void test_prepared_models_solve_the_same(void)
{
    const ew_model_constraint clamp_root = {.set = AT_0, .fixed = 7};
    const ew_pcg_def def = ew_default_pcg_def();
    ew_model *model[2];
    for (int k = 0; k < 2; k++) {
        model[k] = make_beam();
        CU_ASSERT_EQUAL(ew_model_prepare(model[k]), EW_UNDER_CONSTRAINED);
        must(ew_model_set_constraints(model[k], 1, &clamp_root));
        must(ew_model_solve(model[k], &def, NULL));
        must(ew_edit_remove_tet(ew_model_edit(model[k]), 777));
        must(ew_model_commit(model[k]));
        must(k ? ew_model_prepare(model[k]) : EW_OK);
        must(k ? ew_model_prepare(model[k]) : EW_OK); /* nothing left to do */
        must(ew_model_solve(model[k], &def, NULL));
    }
    CU_ASSERT_EQUAL(memcmp(ew_model_displacement(model[0]), ew_model_displacement(model[1]),
                           3 * sizeof(double) * (size_t)ew_model_mesh(model[0])->n_vertex),
                    0);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

/* Half of the members, and in a second round all of those at first and some others: blocks, forces
 * and constraints are those of a model that is made with these sets. */
static void test_what_names_a_set_follows_it(void)
{
    ew_model *model = make_model(3, NULL);
    solve_a_little(model, 3);
    for (int round = 0; round < 2; round++) {
        for (int s = 0; s < N_SET; s++) {
            ew_list all = members_of(model, s), now = {0};
            for (int32_t i = 0; i < all.n; i++) {
                must(i % 2 == 0 || round ? ew_list_push(&now, all.id[i]) : EW_OK);
            }
            ew_list other = members_of(model, s == TIP ? WALL : s == TOP_FACES ? END_FACES : s);
            for (int32_t i = 0; i < other.n && round; i++) {
                must(s == TIP || s == TOP_FACES ? ew_list_push(&now, other.id[i]) : EW_OK);
            }
            must(ew_model_redefine_set(model, s, &now));
            expect_as_fresh(model);
            ew_list_free(&all);
            ew_list_free(&now);
            ew_list_free(&other);
        }
        solve_a_little(model, 3);
        must(ew_edit_remove_tet(ew_model_edit(model), 5 + round));
        must(ew_model_commit(model));
        expect_as_fresh(model);
    }
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what_names_a_set_follows_it", test_what_names_a_set_follows_it},
        {"changed_supports_keep_the_iterations", test_changed_supports_keep_the_iterations},
        {"prepared_models_solve_the_same", test_prepared_models_solve_the_same},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model supports", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
