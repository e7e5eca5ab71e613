/* Energies of a model's displacement without the rest of a recovery: the bits of a whole one, with
 * springs, of linear and quadratic tets, after edits; none of a mesh that was not solved. */
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
    CU_TestInfo tests[] = {{"energies_are_those_of_a_recovery",
                            test_energies_are_those_of_a_recovery},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"model_energies", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
