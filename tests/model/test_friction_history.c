/* Where friction goes on from: a rigid body that touches on its way, solves for edits of one step,
 * another combination. */
#include "contact_rigid_fixture.h"

/* A block on springs that the ground presses up against and draws: fixed above. */
static ew_model *make_drawn(bool is_quadratic, ew_model_contact *contact)
{
    ew_model *model = make_block(3, is_quadratic);
    const ew_model_constraint top = {.set = add_plane(model, NULL, 2, 1.0), .fixed = 7};
    must(ew_model_set_constraints(model, 1, &top));
    *contact = on_ground(model);
    contact->friction = 0.3;
    return model;
}

static void place(ew_model *model, ew_model_contact *contact, double along, double lift)
{
    contact->rigid.motion.displacement[0] = along;
    contact->rigid.motion.displacement[2] = lift;
    must(ew_model_set_contacts(model, 1, contact));
}

static ew_model_contact_report view(ew_model *model)
{
    ew_model_contact_report report;
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &report));
    return report;
}

static double difference(const ew_model *a, const ew_model *b)
{
    const size_t n = 3 * (size_t)ew_model_mesh(a)->n_vertex;
    double apart = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double u = ew_model_displacement(a)[i], v = ew_model_displacement(b)[i];
        apart = fmax(apart, fabs(u - v));
        largest = fmax(largest, fabs(u));
    }
    return apart / largest;
}

/* The ground comes from below and along: as in two steps, one until it touches. */
static void test_slide_counts_from_the_touch(void)
{
    for (int k = 0; k < 4; k++) {
        const double way = k & 1 ? 0.6 : 0.06, lift = 0.5, strain = 0.01;
        const double share = lift / (lift + strain);
        ew_model *model[2];
        ew_model_contact_report report[2];
        for (int m = 0; m < 2; m++) {
            ew_model_contact contact;
            model[m] = make_drawn(k > 1, &contact);
            contact.rigid.point[2] = -lift;
            if (m) { /* nearly */
                place(model[m], &contact, (1.0 - 1e-8) * share * way, (1.0 - 1e-8) * lift);
                (void)solve(model[m], 1e-11);
            }
            place(model[m], &contact, way, lift + strain);
            report[m] = solve(model[m], 1e-11);
        }
        CU_ASSERT(report[0].normal_force > 1.0);
        CU_ASSERT_DOUBLE_EQUAL(report[0].max_slip, report[1].max_slip, 1e-6 * way);
        CU_ASSERT_EQUAL(report[0].n_slip, report[1].n_slip);
        CU_ASSERT_DOUBLE_EQUAL(report[0].force[0], report[1].force[0],
                               1e-6 * report[0].normal_force);
        CU_ASSERT(difference(model[0], model[1]) < 1e-6);
        CU_ASSERT((k & 1) == (report[0].n_slip == report[0].n_closed));
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

static ew_status queue_refinement(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_list *tet = user;
    return ew_operation_bisect(ew_model_mesh(model), ew_model_topology(model), tet, edit);
}

/* Some tets are bisected. */
static void refine(ew_model *model)
{
    ew_list tet = {0};
    for (int32_t t = 0; t < 30; t++) {
        must(ew_list_push(&tet, t));
    }
    must(ew_model_apply(model, queue_refinement, &tet));
    ew_list_free(&tet);
}

/* Solves of other bodies are made in between, the last one is as if there were none. */
static void test_solves_for_edits_go_on_from_the_step_before(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model[2];
        ew_model_contact_report report[2];
        for (int m = 0; m < 2; m++) {
            ew_model_contact contact;
            model[m] = make_drawn(k & 1, &contact);
            must(ew_model_set_kinematics(model[m], k > 1 ? EW_COROTATIONAL : EW_SMALL));
            ew_nonlinear_def def = ew_default_nonlinear_def();
            const ew_pcg_def linear = solver();
            def.tolerance = 1e-9;
            def.solver.tolerance = 1e-12;
            for (int step = 0; step < 2; step++) {
                must(ew_model_keep_history(model[m], m == 0));
                place(model[m], &contact, 0.02 * step, 0.01 * (step + 1));
                for (int round = 0; round < (m == 0 ? 3 : 1); round++) {
                    must(k > 1 ? ew_model_solve_nonlinear(model[m], &def, NULL)
                               : ew_model_solve(model[m], &linear, NULL));
                    if (m == 0 && round < 2 && step) {
                        refine(model[m]);
                    }
                }
                if (m && !step) {
                    refine(model[m]);
                    refine(model[m]);
                }
            }
            report[m] = view(model[m]);
        }
        CU_ASSERT_EQUAL(ew_model_mesh(model[0])->n_tet, ew_model_mesh(model[1])->n_tet);
        CU_ASSERT(report[0].n_slip > 0);
        CU_ASSERT_EQUAL(report[0].n_slip, report[1].n_slip);
        CU_ASSERT_DOUBLE_EQUAL(report[0].max_slip, report[1].max_slip, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(report[0].force[0], report[1].force[0],
                               1e-5 * report[0].normal_force);
        CU_ASSERT(difference(model[0], model[1]) < 1e-5);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* Another combination starts from the answer of the one before, and is the answer of a new body. */
static void test_a_history_is_forgotten(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model[2];
        ew_model_contact_report report[2];
        for (int m = 0; m < 2; m++) {
            ew_model_contact contact;
            model[m] = make_drawn(k, &contact);
            for (int step = 0; step < 2 && m == 0; step++) {
                place(model[m], &contact, -0.3 * step, 0.02);
                (void)solve(model[m], 1e-11);
            }
            ew_model_forget_history(model[m]);
            place(model[m], &contact, 0.02, 0.01);
            report[m] = solve(model[m], 1e-11);
        }
        CU_ASSERT(report[0].n_slip > 0);
        CU_ASSERT_DOUBLE_EQUAL(report[0].max_slip, report[1].max_slip, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(report[0].force[0], report[1].force[0], 1e-5);
        CU_ASSERT(difference(model[0], model[1]) < 1e-5);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"slide_counts_from_the_touch", test_slide_counts_from_the_touch},
        {"solves_for_edits_go_on", test_solves_for_edits_go_on_from_the_step_before},
        {"a_history_is_forgotten", test_a_history_is_forgotten},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "friction_history", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
