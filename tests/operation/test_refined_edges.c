/* What stands on edges where `refine` cuts tets several times over in one edit: displacement and
 * curves are the functions along the parts that they were in the whole. */
#include "curved_fixture.h"

#include "model/parts/model.h"
#include "operation/parts/operation.h"

static const ew_material plain = {.young = 200.0, .poisson = 0.3, .density = 1.0};

static ew_status queue_refinement(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_refine_within(ew_model_mesh(model), ew_model_topology(model),
                                      *(double *)user, NULL, 1000000, edit);
}

/* Fixed at its foot, pulled at. */
static ew_model *make_straight_model(void)
{
    const ew_model_def def = ew_default_model_def();
    const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {1.0, 2.0, -9.0}};
    const ew_model_set_def foot = {.name = "foot"};
    ew_model *model;
    ew_mesh mesh;
    ew_list vertex = {0};
    int32_t set;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 3, 3}));
    must(ew_model_create(&model, &mesh, &def));
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        must(ew_model_mesh(model)->xyz[3 * v + 2] == 0.0 ? ew_list_push(&vertex, v) : EW_OK);
    }
    must(ew_model_set_material(model, EW_ALL_REGIONS, &plain));
    must(ew_model_set_order(model, true));
    must(ew_model_add_set(model, &foot, &vertex, &set));
    const ew_model_constraint fixed = {.set = set, .fixed = 7};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &load));
    ew_list_free(&vertex);
    return model;
}

/* The displacement is the same function: so is what is stored, and the work that was done. */
static void test_displacement(void)
{
    ew_model *model = make_straight_model();
    const ew_sums *sums;
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-10;
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, &sums));
    const double energy = sums->strain_energy, work = sums->external_work;
    CU_ASSERT(energy > 0.01);
    for (double longest = 0.15; longest > 0.06; longest *= 0.5) {
        must(ew_model_apply(model, queue_refinement, &longest));
        must(ew_model_recover(model, NULL, &sums));
        CU_ASSERT_DOUBLE_EQUAL(sums->strain_energy / energy, 1.0, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(sums->external_work / work, 1.0, 1e-12);
    }
    ew_model_free(model);
}

/* Of a body whose tets are bent each in its own way, parts fill the tets that they are of. */
static void test_curves(void)
{
    for (double longest = 0.45; longest > 0.08; longest *= 0.6) {
        ew_model *model = make_bent_model_of(0.01, &plain);
        const double before = volume_of(model);
        must(ew_model_apply(model, queue_refinement, &longest));
        CU_ASSERT(ew_model_change(model)->added_vertex.n > 0);
        CU_ASSERT_DOUBLE_EQUAL(volume_of(model) / before, 1.0, 1e-13);
        ew_model_verification result;
        const ew_matrix *matrix;
        must(ew_model_matrix(model, &matrix));
        must(ew_model_verify(model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
        ew_model_free(model);
    }
}

/* What moves goes on as it was: the momentum of the parts is that of the whole. */
static void test_velocity(void)
{
    ew_model *model = make_straight_model();
    ew_dynamics_def def = ew_default_dynamics_def();
    double longest = 0.15;
    def.account = true;
    def.mass = EW_MASS_CONSISTENT;
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < 3; i++) {
        must(ew_model_advance(model, 0.01, NULL));
    }
    ew_energy_account before, after;
    must(ew_model_account(model, &before));
    must(ew_model_apply(model, queue_refinement, &longest));
    must(ew_model_account(model, &after));
    CU_ASSERT(before.kinetic > 0.0);
    CU_ASSERT_DOUBLE_EQUAL(after.kinetic / before.kinetic, 1.0, 1e-12);
    ew_model_free(model);
}

/* Each vertex in the middle of the one before and of the first: as many as the stack would not have
 * room for, and a tet from the last of them. */
static ew_status queue_chain(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t n = *(const int32_t *)user, *v = mesh->tet, other = (v[0] + 30) % mesh->n_vertex;
    const double *x = mesh->xyz + 3 * v[0], *far = mesh->xyz + 3 * other;
    int32_t last = v[1];
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(ew_edit_add_vertex_from(edit, x, v[0], last, &last));
    }
    EW_TRY(ew_edit_add_vertex_from(edit, far, -1, -1, NULL));
    return ew_edit_add_tet(edit, (int32_t[]){last, v[1], v[2], other}, 1);
}

static void test_long_chains(void)
{
    int32_t n = 300000;
    for (int curved = 0; curved < 2; curved++) {
        ew_model *model = curved ? make_bent_model_of(0.01, &plain) : make_straight_model();
        const int32_t n_tet = ew_model_mesh(model)->n_live_tet;
        CU_ASSERT(ew_model_apply(model, queue_chain, &n) != EW_OK);
        CU_ASSERT_EQUAL(ew_model_mesh(model)->n_live_tet, n_tet);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"displacement", test_displacement}, {"curves", test_curves}, {"velocity", test_velocity},
        {"long_chains", test_long_chains},   CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"refined_edges", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
