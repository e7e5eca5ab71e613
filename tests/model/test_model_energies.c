/* Energies and stresses of a model's displacement without the rest of a recovery: the bits of a
 * whole one, with springs, of linear and quadratic tets, after edits; none of a mesh that was not
 * solved. */
#include "cantilever_fixture.h"

#include <string.h>

/* Before and after a whole recovery. */
static void check(ew_model *model)
{
    const ew_pcg_def solver = ew_default_pcg_def();
    const ew_fields *fields;
    const ew_sums *sums;
    ew_energies alone, after;
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover_energies(model, &alone));
    const size_t n = (size_t)ew_model_mesh(model)->n_tet;
    double *energy;
    must(ew_new(&energy, n, sizeof *energy));
    memcpy(energy, alone.tet, n * sizeof *energy);
    must(ew_model_recover(model, &fields, &sums));
    CU_ASSERT(!memcmp(energy, fields->energy, n * sizeof *energy));
    CU_ASSERT(alone.strain > 0.0 && alone.strain == sums->strain_energy);
    CU_ASSERT(alone.springs == sums->spring_energy && alone.volume == sums->volume);
    must(ew_model_recover_energies(model, &after));
    CU_ASSERT(after.tet == fields->energy && after.strain == sums->strain_energy);
    ew_release(energy);
}

/* At each vertex of a boundary face, and nowhere else: what a whole recovery finds there. */
static void check_surface(ew_model *model)
{
    const ew_fields *fields;
    ew_surface_stress surface;
    double *alone;
    must(ew_model_recover_surface(model, &surface));
    CU_ASSERT(!ew_model_recovered(model) || ew_model_edge_rows(model));
    const int32_t n = surface.vertex.n;
    must(ew_new(&alone, (size_t)n, sizeof *alone));
    for (int32_t i = 0; i < n; i++) {
        alone[i] = surface.von_mises[surface.vertex.id[i]];
    }
    must(ew_model_recover(model, &fields, NULL));
    must(ew_model_recover_surface(model, &surface));
    CU_ASSERT_EQUAL(surface.vertex.n, n);
    bool is_same = n > 0;
    for (int32_t i = 0; i < n; i++) {
        is_same = is_same && alone[i] == fields->vertex_von_mises[surface.vertex.id[i]] &&
                  surface.von_mises[surface.vertex.id[i]] == alone[i];
    }
    CU_ASSERT(is_same);
    ew_release(alone);
}

static void test_stress_of_the_surface_is_that_of_a_recovery(void)
{
    const ew_pcg_def solver = ew_default_pcg_def();
    ew_model *model = make_cantilever((double[]){4, 1, 1}, (int32_t[]){8, 3, 3}, NAN);
    ew_surface_stress surface;
    must(ew_model_solve(model, &solver, NULL));
    check_surface(model);
    CU_ASSERT(ew_model_recover_surface(model, &surface) == EW_OK &&
              surface.vertex.n == 9 * 16 - 7 * 4);
    must(ew_edit_remove_tet(ew_model_edit(model), 100));
    must(ew_model_commit(model));
    must(ew_model_solve(model, &solver, NULL));
    check_surface(model);
    must(ew_model_set_order(model, true));
    must(ew_model_solve(model, &solver, NULL));
    check_surface(model);
    ew_model_free(model);
    model = make_cantilever((double[]){4, 1, 1}, (int32_t[]){8, 3, 3}, NAN);
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    const ew_nonlinear_def def = ew_default_nonlinear_def();
    must(ew_model_solve_nonlinear(model, &def, NULL));
    check_surface(model);
    must(ew_edit_remove_tet(ew_model_edit(model), 100));
    must(ew_model_commit(model));
    check_surface(model);
    ew_model_free(model);
}

/* Before and after a whole recovery. */
static void check_tets(ew_model *model)
{
    const ew_pcg_def solver = ew_default_pcg_def();
    const ew_fields *fields;
    const ew_fields *alone;
    double *stress, *mises;
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover_stress(model, &alone));
    const size_t n = (size_t)ew_model_mesh(model)->n_tet;
    CU_ASSERT((size_t)alone->n_tet == n && !ew_model_recovered(model) &&
              !ew_model_recovered_sums(model));
    must(ew_new(&stress, 6 * n, sizeof *stress));
    must(ew_new(&mises, n, sizeof *mises));
    memcpy(stress, alone->stress, 6 * n * sizeof *stress);
    memcpy(mises, alone->von_mises, n * sizeof *mises);
    must(ew_model_recover(model, &fields, NULL));
    CU_ASSERT(!memcmp(stress, fields->stress, 6 * n * sizeof *stress));
    CU_ASSERT(!memcmp(mises, fields->von_mises, n * sizeof *mises));
    must(ew_model_recover_stress(model, &alone));
    CU_ASSERT(alone == fields && ew_model_recovered(model) == fields);
    ew_release(stress);
    ew_release(mises);
}

static void test_stress_of_tets_is_that_of_a_recovery(void)
{
    ew_model *model = make_cantilever((double[]){4, 1, 1}, (int32_t[]){8, 3, 3}, NAN);
    const ew_fields *fields = NULL;
    check_tets(model);
    must(ew_edit_remove_tet(ew_model_edit(model), 100));
    must(ew_model_commit(model));
    CU_ASSERT_PTR_NULL(ew_model_recovered(model));
    check_tets(model);
    must(ew_model_recover_stress(model, &fields));
    CU_ASSERT(fields->stress[600] == 0.0 && fields->von_mises[100] == 0.0);
    must(ew_model_set_order(model, true));
    const ew_pcg_def solver = ew_default_pcg_def();
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover_stress(model, &fields)); /* quadratic: all is recovered */
    CU_ASSERT_PTR_EQUAL(ew_model_recovered(model), fields);
    ew_model_free(model);
    model = make_cantilever((double[]){4, 1, 1}, (int32_t[]){8, 3, 3}, NAN);
    ew_model_field(model, 0)[0] = 1e200;
    CU_ASSERT_EQUAL(ew_model_recover_stress(model, &fields), EW_NOT_FINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "the largest displacement is 1e+200"));
    ew_model_free(model);
}

static void test_lists_are_what_was_given(void)
{
    ew_model *model = make_cantilever((double[]){4, 1, 1}, (int32_t[]){8, 2, 2}, NAN);
    ew_model_load load = {0};
    ew_model_constraint constraint = {0};
    ew_model_spring spring = {.stiffness = {7}};
    CU_ASSERT(ew_model_n_load(model) >= 1 && ew_model_n_constraint(model) >= 1);
    must(ew_model_view_load(model, 0, &load));
    must(ew_model_view_constraint(model, 0, &constraint));
    CU_ASSERT(load.set == ew_model_find_set(model, "tip") && constraint.fixed == 7);
    must(ew_model_set_loads(model, 1, &load));
    CU_ASSERT_EQUAL(ew_model_view_load(model, 1, &load), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_view_constraint(model, -1, &constraint), EW_BAD_ARGUMENT);
    CU_ASSERT(ew_model_n_spring(model) == 0 &&
              ew_model_view_spring(model, 0, &spring) == EW_BAD_ARGUMENT &&
              spring.stiffness[0] == 7);
    ew_model_free(model);
}

static void test_energies_are_those_of_a_recovery(void)
{
    ew_model *model = make_cantilever((double[]){4, 1, 1}, (int32_t[]){8, 2, 2}, NAN);
    ew_energies energies;
    CU_ASSERT_EQUAL(ew_model_recover_energies(model, &energies), EW_STALE);
    check(model);
    must(ew_edit_remove_tet(ew_model_edit(model), 100));
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_recover_energies(model, &energies), EW_STALE);
    CU_ASSERT_PTR_NULL(energies.tet);
    check(model);
    const ew_model_spring spring = {
        .set = ew_model_find_set(model, "tip"), .kind = EW_SPRING_TOTAL, .stiffness = {1, 2, 3}};
    must(ew_model_set_springs(model, 1, &spring));
    check(model);
    must(ew_model_set_order(model, true));
    check(model);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"energies_are_those_of_a_recovery", test_energies_are_those_of_a_recovery},
        {"stress_of_the_surface_is_that_of_a_recovery",
         test_stress_of_the_surface_is_that_of_a_recovery},
        {"stress_of_tets_is_that_of_a_recovery", test_stress_of_tets_is_that_of_a_recovery},
        {"lists_are_what_was_given", test_lists_are_what_was_given},
        CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"model_energies", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
