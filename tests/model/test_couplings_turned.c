/* Couplings with large rotations: a set turns by any angle as a rigid body, without strain; the
 * moment that it takes is the slope of the energy. In motion: a clamped end, a pendulum. */
#include "couplings_fixture.h"

#include <stdlib.h>

/* A body that its rigid end alone takes round by 90 degrees and along has no strain, however it is
 * led there; the reference is where it is to be. */
static void test_a_body_is_turned_without_strain(void)
{
    for (int k = 0; k < 4; k++) {
        const double value[6] = {0.3, -0.2, 0.1, 0.0, 0.0, acos(0.0)};
        ew_model *model = make_beam(k % 2, (int32_t[3]){4, 2, 2}, false);
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        ew_model_coupling_report at;
        ew_model_coupling list = coupling(k / 2, k / 2 ? TIP : TIP_FACES, 63);
        memcpy(list.value, value, sizeof value);
        def.n_step = 2;
        def.tolerance = 1e-10;
        def.solver.tolerance = 1e-12;
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_solve_nonlinear(model, &def, &info));
        CU_ASSERT(info->n_iteration <= 16);
        must(ew_model_recover(model, NULL, &sums));
        must(ew_model_view_coupling(model, 0, &at));
        CU_ASSERT(sums->strain_energy < 1e-16);
        const ew_mesh *mesh = ew_model_mesh(model);
        const double *u = ew_model_displacement(model);
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            const double *x = mesh->xyz + 3 * (size_t)v;
            const double is[3] = {reference[0] - (x[1] - reference[1]) + value[0],
                                  reference[1] + (x[0] - reference[0]) + value[1], x[2] + value[2]};
            for (int c = 0; c < 3; c++) {
                CU_ASSERT_DOUBLE_EQUAL(x[c] + u[3 * v + c], is[c], 1e-9);
            }
        }
        for (int m = 0; m < 6; m++) {
            CU_ASSERT_DOUBLE_EQUAL(at.motion[m], value[m], 1e-10);
        }
        ew_model_free(model);
    }
}

/* A beam that its rigid end bends by 60 degrees: the moment times the turn is what energy it takes,
 * and the set has moved as a rigid body. */
static void test_a_rigid_end_bends_a_beam(void)
{
    for (int k = 0; k < 2; k++) {
        const double turn = acos(0.5), step = 1e-3;
        double energy[3], moment = 0.0;
        ew_model *model = make_beam(k, (int32_t[3]){k ? 3 : 8, 2, 2}, true);
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        ew_model_coupling_report at;
        ew_model_coupling list = coupling(true, TIP, 56);
        def.n_step = 3;
        def.tolerance = 1e-9;
        def.solver.tolerance = 1e-12;
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        for (int i = 0; i < 3; i++) {
            list.value[5] = turn + (i == 1 ? step : i == 2 ? -step : 0.0);
            must(ew_model_set_couplings(model, 1, &list));
            must(ew_model_solve_nonlinear(model, &def, &info));
            CU_ASSERT(info->n_iteration <= 20);
            must(ew_model_recover(model, NULL, &sums));
            must(ew_model_view_coupling(model, 0, &at));
            energy[i] = sums->strain_energy;
            moment = i ? moment : at.reaction[5];
            for (int c = 0; c < 3 && i == 0; c++) { /* free to move, and so without a force */
                CU_ASSERT(fabs(at.reaction[c]) < 1e-7 * moment);
                CU_ASSERT(fabs(sums->reaction_force[c]) < 1e-6 * moment);
                CU_ASSERT_DOUBLE_EQUAL(at.motion[3 + c], list.value[3 + c], 1e-8);
            }
        }
        CU_ASSERT_DOUBLE_EQUAL((energy[1] - energy[2]) / (2.0 * step) / moment, 1.0, 1e-4);
        const ew_mesh *mesh = ew_model_mesh(model);
        const double *u = ew_model_displacement(model);
        ew_list rigid = {0};
        must(ew_model_list_vertices(model, TIP, &rigid));
        for (int32_t i = 1; i < rigid.n; i++) {
            const size_t a = 3 * (size_t)rigid.id[0], b = 3 * (size_t)rigid.id[i];
            double before = 0.0, after = 0.0;
            for (size_t c = 0; c < 3; c++) {
                const double from = mesh->xyz[b + c] - mesh->xyz[a + c];
                before += from * from;
                after += (from + u[b + c] - u[a + c]) * (from + u[b + c] - u[a + c]);
            }
            CU_ASSERT_DOUBLE_EQUAL(after / before, 1.0, 1e-12);
        }
        ew_list_free(&rigid);
        ew_model_free(model);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

static void move(ew_model *model, ew_scheme_kind scheme, double dt, int n)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = scheme;
    def.mass = EW_MASS_CONSISTENT;
    def.newton_tolerance = 1e-9;
    def.solver.tolerance = 1e-12;
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < n; i++) {
        must(ew_model_advance(model, dt, NULL));
    }
}

/* The end that a coupling holds moves as one that is fixed: the other one swings far. */
static void test_a_clamped_beam_swings(void)
{
    for (int k = 0; k < 2; k++) {
        double *end[2];
        size_t n = 0;
        for (int i = 0; i < 2; i++) {
            const double gravity[3] = {0.0, -6.0, 2.0};
            const ew_model_load load = ew_load_gravity(gravity);
            const ew_model_constraint fixed = {.set = TIP, .fixed = 7};
            const ew_model_coupling clamp = coupling(true, TIP, 63);
            ew_model *model = make_beam(k, (int32_t[3]){4, 1, 1}, false);
            must(ew_model_set_constraints(model, !i, &fixed));
            must(ew_model_set_couplings(model, i, &clamp));
            must(ew_model_set_loads(model, 1, &load));
            move(model, EW_NEWMARK, 0.05, 12);
            n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
            end[i] = malloc(n * sizeof *end[i]);
            memcpy(end[i], ew_model_displacement(model), n * sizeof *end[i]);
            ew_model_free(model);
        }
        double largest = 0.0, off = 0.0;
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(end[0][i]));
            off = fmax(off, fabs(end[1][i] - end[0][i]));
        }
        CU_ASSERT(largest > 0.3);
        CU_ASSERT(off < 1e-7 * largest);
        free(end[0]);
        free(end[1]);
    }
}

/* Of a box of the beam's sides that hangs on the reference point by its rigid end and turns about
 * z: theta'' = g x (r) M / I, by small steps of the classical Runge-Kutta method. r: from the point
 * to the middle of the box, as it is released. */
static double turn_pendulum(const double r[2], double gravity, double time)
{
    const double inertia = (4.0 + 1.0) / 12.0 + r[0] * r[0] + r[1] * r[1];
    const int n = 4000;
    const double h = time / n;
    double y[2] = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        double k[5][2] = {{0.0}}, sum[2] = {0.0};
        for (int s = 1; s <= 4; s++) {
            const double at = s == 1 ? 0.0 : s == 4 ? h : 0.5 * h;
            const double angle = y[0] + at * k[s - 1][0];
            k[s][0] = y[1] + at * k[s - 1][1];
            k[s][1] = -gravity * (r[0] * cos(angle) - r[1] * sin(angle)) / inertia;
            for (int c = 0; c < 2; c++) {
                sum[c] += (s == 1 || s == 4 ? 1.0 : 2.0) * k[s][c] / 6.0;
            }
        }
        y[0] += h * sum[0];
        y[1] += h * sum[1];
    }
    return y[0];
}

static void test_a_pendulum_turns(void)
{
    static const ew_scheme_kind scheme[2] = {EW_NEWMARK, EW_HHT};
    for (int k = 0; k < 2; k++) {
        const double g = 0.1, dt = 0.1, gravity[3] = {0.0, -g, 0.0};
        const ew_model_load load = ew_load_gravity(gravity);
        const ew_model_coupling hinge = coupling(true, TIP, 31); /* free to turn about z */
        const int n = 90;
        ew_model *model = make_beam(k, (int32_t[3]){2, 1, 1}, false);
        ew_model_coupling_report at;
        must(ew_model_set_couplings(model, 1, &hinge));
        must(ew_model_set_loads(model, 1, &load));
        move(model, scheme[k], dt, n);
        must(ew_model_recover(model, NULL, NULL));
        must(ew_model_view_coupling(model, 0, &at));
        const double angle =
            turn_pendulum((double[2]){1.0 - reference[0], 0.5 - reference[1]}, g, n * dt);
        printf("%.4f of %.4f ... ", at.motion[5], angle);
        CU_ASSERT(fabs(angle) > 1.5);
        CU_ASSERT_DOUBLE_EQUAL(at.motion[5], angle, 0.01 * fabs(angle));
        for (int c = 0; c < 5; c++) {
            CU_ASSERT_DOUBLE_EQUAL(at.motion[c], 0.0, 1e-5);
        }
        ew_model_free(model);
    }
}

static void test_what_is_refused_in_motion(void)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    const ew_model_coupling clamp = coupling(true, TIP, 63);
    ew_model *model = make_beam(false, (int32_t[3]){2, 1, 1}, false);
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(ew_model_set_couplings(model, 1, &clamp));
    def.newton_tolerance = 0.0;
    ew_status status = ew_model_start_dynamics(model, &def, 0.0);
    status = status ? status : ew_model_advance(model, 0.1, NULL);
    CU_ASSERT_EQUAL(status, EW_BAD_ARGUMENT);
    CU_ASSERT(strstr(ew_message(), "Newton's method") != NULL);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"a_body_is_turned_without_strain",
                            test_a_body_is_turned_without_strain},
                           {"a_rigid_end_bends_a_beam", test_a_rigid_end_bends_a_beam},
                           {"a_clamped_beam_swings", test_a_clamped_beam_swings},
                           {"a_pendulum_turns", test_a_pendulum_turns},
                           {"what_is_refused_in_motion", test_what_is_refused_in_motion},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"couplings_turned", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
