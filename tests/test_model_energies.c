/* Energies of a model's displacement without the rest of a recovery: the bits of a whole one, with
 * springs, of linear and quadratic tets, after edits; none of a mesh that was not solved. */
#include "model/model.h"
#include "shape/shape.h"
#include "testlib.h"

#include <string.h>

static ew_model *make(void)
{
    const ew_model_def def = ew_default_model_def();
    const ew_material steel = {.young = 200.0, .poisson = 0.3};
    const ew_model_set_def wall_def = {"wall", EW_SET_OF_VERTICES, false};
    const ew_model_set_def tip_def = {"tip", EW_SET_OF_VERTICES, false};
    ew_mesh mesh = {0};
    ew_model *model = NULL;
    ew_list wall = {0}, tip = {0};
    int32_t sets[2];
    must(ew_shape_box(&mesh, (double[]){4, 1, 1}, (int32_t[]){8, 2, 2}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        const double x = ew_model_mesh(model)->xyz[3 * (size_t)v];
        must(x == 0.0 ? ew_list_push(&wall, v) : x == 4.0 ? ew_list_push(&tip, v) : EW_OK);
    }
    must(ew_model_add_set(model, &wall_def, &wall, &sets[0]));
    must(ew_model_add_set(model, &tip_def, &tip, &sets[1]));
    const ew_model_constraint fixed = {.set = sets[0], .fixed = 7};
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE, .set = sets[1], .vector = {0, -1, 0}};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &load));
    ew_list_free(&wall);
    ew_list_free(&tip);
    return model;
}

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
    ew_model *model = make();
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
