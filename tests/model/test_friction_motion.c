/* Friction of bodies that move, implicit and explicit: a block slides, slows down by mu g and
 * rests, one that hits at a slope takes mu times the normal momentum along; energy. */
#include "contact_model_fixture.h"

enum { N_SCHEME = 4 };
static const struct {
    ew_scheme_kind scheme;
    double alpha, step;
    bool is_large;
} by[N_SCHEME] = {{EW_NEWMARK, 0.0, 0.005, false},
                  {EW_HHT, -0.1, 0.005, false},
                  {EW_CENTRAL_DIFFERENCE, 0.0, 0.0006, false},
                  {EW_NEWMARK, 0.0, 0.005, true}};

/* A block on a plate that is fixed below, `gap` above it. */
static ew_model *make_block(int k, double friction, double gap)
{
    ew_mesh_def parts = {0};
    ew_mesh mesh, part;
    must(ew_shape_box(&part, (double[3]){3, 1, 0.25}, (int32_t[3]){6, 2, 1}));
    append_part(&parts, &part, (double[3]){0, 0, 0}, LOWER);
    ew_mesh_free(&part);
    must(ew_shape_box(&part, (double[3]){1, 0.6, 0.25}, (int32_t[3]){3, 2, 1}));
    append_part(&parts, &part, (double[3]){0.7, 0.2, 0.25 + gap}, UPPER);
    ew_mesh_free(&part);
    finish_parts(&mesh, &parts);
    ew_model *model = make_model(&mesh, 2e4, false);
    const ew_model_contact contact = {.slave = add_faces(model, UPPER, down, 2, 0.25 + gap),
                                      .master = add_faces(model, LOWER, up, 2, 0.25),
                                      .distance = 0.1,
                                      .friction = friction};
    const ew_model_constraint base = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
    must(ew_model_set_contacts(model, 1, &contact));
    must(ew_model_set_constraints(model, 1, &base));
    must(ew_model_set_kinematics(model, by[k].is_large ? EW_COROTATIONAL : EW_SMALL));
    return model;
}

/* Weight of a vertex in means over the block: the share of its volume, 0 of the plate. */
static double *weights_of(const ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *weight = calloc((size_t)mesh->n_vertex, sizeof *weight), sum = 0.0;
    for (int32_t i = 0; i < 4 * mesh->n_tet; i++) {
        const double x = mesh->n_region == 1 || mesh->region_label[mesh->region[i / 4]] == UPPER
                             ? ew_mesh_tet_volume(mesh, i / 4)
                             : 0.0;
        weight[mesh->tet[i]] += x;
        sum += x;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        weight[v] /= sum;
    }
    return weight;
}

static void start(ew_model *model, int k, const double velocity[3])
{
    ew_dynamics_def def = ew_default_dynamics_def();
    double *weight = weights_of(model);
    for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
        ew_model_velocity(model)[i] = weight[i / 3] > 0.0 ? velocity[i % 3] : 0.0;
    }
    free(weight);
    def.scheme = by[k].scheme;
    def.parameters.alpha = by[k].alpha;
    def.solver.tolerance = 1e-11;
    def.account = true;
    def.newton_tolerance = 1e-9;
    must(ew_model_start_dynamics(model, &def, 0.0));
}

/* Of the mass of the block. */
static double mean(const ew_model *model, const double *of, int c)
{
    double *weight = weights_of(model), sum = 0.0;
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        sum += weight[v] * of[3 * (size_t)v + (size_t)c];
    }
    free(weight);
    return sum;
}

/* v = v_0 - mu g t up to the rest, v_0^2 / (2 mu g) farther on: but for the waves that the weight
 * makes as it begins to act. Energy is that of the start less what friction takes, and what points
 * that hit lose. */
static void test_a_block_slides_and_stops(void)
{
    for (int k = 0; k < N_SCHEME; k++) {
        const double speed = 0.6, g = 5.0, mu = 0.4, end = speed / (mu * g), mass = 0.15;
        const double first = 0.5 * mass * speed * speed;
        ew_model *model = make_block(k, mu, 0.0);
        const ew_model_load weight = ew_load_gravity((double[3]){0, 0, -g});
        ew_energy_account now = {0};
        double worst = 0.0, before = 0.0;
        must(ew_model_set_loads(model, 1, &weight));
        start(model, k, (double[3]){speed, 0, 0});
        while (now.time < 1.3 * end) {
            must(ew_model_advance(model, by[k].step, NULL));
            must(ew_model_account(model, &now));
            const double v = mean(model, ew_model_velocity(model), 0);
            worst = fmax(worst, fabs(v - fmax(speed - mu * g * now.time, 0.0)));
            CU_ASSERT(now.kinetic + now.strain - now.external_work <= first * (1.0 + 1e-6));
            CU_ASSERT(now.balance < 1e-4 * first);
            CU_ASSERT(now.friction_work >= before - 1e-3 * first);
            before = now.friction_work;
        }
        ew_model_contact_report report;
        must(ew_model_recover(model, NULL, NULL));
        must(ew_model_view_contact(model, 0, &report));
        CU_ASSERT(report.friction_force <= mu * report.normal_force * (1.0 + 1e-5));
        CU_ASSERT(worst < 0.06 * speed);
        CU_ASSERT_DOUBLE_EQUAL(now.friction_work / first, 1.0, 0.02);
        CU_ASSERT_DOUBLE_EQUAL(mean(model, ew_model_displacement(model), 0),
                               speed * speed / (2.0 * mu * g), 0.0012);
        CU_ASSERT(fabs(mean(model, ew_model_velocity(model), 0)) < 0.005 * speed);
        ew_model_free(model);
    }
}

/* Full slip: the impulse along the plate is mu times that across it, whatever the impact is like
 * (Brach 1991, Mechanical impact dynamics: the coefficient of friction is the ratio of both). */
static void test_an_oblique_impact(void)
{
    for (int k = 0; k < N_SCHEME; k++) {
        const double mu = 0.2, speed[3] = {2.0, 0.0, -0.3}, step = 0.5 * by[k].step;
        ew_model *model = make_block(k, mu, 0.01);
        ew_energy_account now = {0};
        start(model, k, speed);
        while (now.time < 0.12) {
            must(ew_model_advance(model, step, NULL));
            must(ew_model_account(model, &now));
        }
        const double *v = ew_model_velocity(model);
        const double along = speed[0] - mean(model, v, 0), across = mean(model, v, 2) - speed[2];
        CU_ASSERT(across > -speed[2]);
        CU_ASSERT_DOUBLE_EQUAL(along / across, mu, 1e-3 * mu);
        CU_ASSERT(now.balance < 1e-6 * 0.5 * 0.15 * 4.09);
        CU_ASSERT(now.friction_work > 0.0);
        ew_model_free(model);
    }
}

/* A saved state goes on as the first one does, as it slides: nothing is known of steps before. */
static void test_a_saved_state_goes_on(void)
{
    ew_model *model[2];
    ew_dynamics_state state;
    const ew_model_load weight = ew_load_gravity((double[3]){0, 0, -5});
    for (int k = 0; k < 2; k++) {
        model[k] = make_block(1, 0.4, 0.0);
        must(ew_model_set_loads(model[k], 1, &weight));
        start(model[k], 1, (double[3]){0.6, 0, 0});
    }
    const size_t size = 3 * sizeof(double) * (size_t)ew_model_mesh(model[0])->n_vertex;
    for (int i = 0; i < 10; i++) {
        must(ew_model_advance(model[0], 0.005, NULL));
    }
    must(ew_model_dynamics_state(model[0], &state));
    memcpy(ew_model_field(model[1], 0), ew_model_displacement(model[0]), size);
    memcpy(ew_model_velocity(model[1]), ew_model_velocity(model[0]), size);
    memcpy(ew_model_acceleration(model[1]), ew_model_acceleration(model[0]), size);
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = by[1].scheme;
    def.parameters.alpha = by[1].alpha;
    def.solver.tolerance = 1e-11;
    def.account = true;
    must(ew_model_restore_dynamics(model[1], &def, &state));
    ew_energy_account account[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 5; i++) {
            must(ew_model_advance(model[k], 0.005, NULL));
        }
        must(ew_model_account(model[k], &account[k]));
    }
    for (size_t i = 0; i < size / sizeof(double); i++) {
        CU_ASSERT_DOUBLE_EQUAL(ew_model_velocity(model[1])[i], ew_model_velocity(model[0])[i],
                               1e-7);
    }
    CU_ASSERT_DOUBLE_EQUAL(account[1].friction_work / account[0].friction_work, 1.0, 1e-6);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

/* A belt, which is a rigid plane that moves, takes a block along: mu g up to its speed, and then
 * with it. */
static void test_a_belt_takes_a_block_along(void)
{
    for (int k = 0; k < N_SCHEME; k++) {
        const double speed = 0.3, g = 5.0, mu = 0.4;
        const ew_amplitude ramp = {.kind = EW_AMPLITUDE_TABLE,
                                   .n = 2,
                                   .time = (double[]){0.0, 1.0},
                                   .value = (double[]){0.0, 1.0}};
        const ew_model_load weight = ew_load_gravity((double[3]){0, 0, -g});
        ew_mesh mesh;
        must(ew_shape_box(&mesh, (double[3]){1, 0.6, 0.25}, (int32_t[3]){3, 2, 1}));
        ew_model *model = make_model(&mesh, 2e4, false);
        const ew_model_contact contact = {.slave = add_faces(model, 1, down, 2, 0.0),
                                          .master = -1,
                                          .friction = mu,
                                          .amplitude = 1,
                                          .rigid = {.kind = EW_RIGID_PLANE,
                                                    .direction = {0, 0, 1},
                                                    .motion = {.displacement = {speed, 0, 0}}}};
        double worst = 0.0;
        must(ew_model_set_amplitudes(model, 1, &ramp));
        must(ew_model_set_contacts(model, 1, &contact));
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_set_kinematics(model, by[k].is_large ? EW_COROTATIONAL : EW_SMALL));
        start(model, k, (double[3]){0, 0, 0});
        while (ew_model_time(model) < 0.25) {
            must(ew_model_advance(model, by[k].step, NULL));
            const double v = mean(model, ew_model_velocity(model), 0);
            worst = fmax(worst, fabs(v - fmin(mu * g * ew_model_time(model), speed)));
        }
        CU_ASSERT(worst < 0.06 * speed);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a_block_slides_and_stops", test_a_block_slides_and_stops},
        {"an_oblique_impact", test_an_oblique_impact},
        {"a_belt_takes_a_block_along", test_a_belt_takes_a_block_along},
        {"a_saved_state_goes_on", test_a_saved_state_goes_on},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "friction_motion", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
