/* Changes of temperature in nonlinear bodies: strain that laws do not see, against closed forms and
 * the linear theory; yielding by heat; load steps, and what they begin with; edits and devices. */
#include "one_device.h"
#include "operation/parts/operation.h"
#include "warm_bar.h"

#include <math.h>
#include <string.h>

static ew_nonlinear_def settings(void)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.tolerance = 1e-9;
    def.solver.tolerance = 1e-11;
    return def;
}

/* Free, it grows without stress, however hot. */
static void test_free_body_grows(void)
{
    for (int k = 0; k < 3; k++) {
        const ew_material material = steel(k ? &ew_law_plastic : NULL);
        const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               k < 2 ? EW_COROTATIONAL : EW_SMALL, &material);
        const ew_nonlinear_def def = settings();
        const ew_fields *fields;
        const ew_sums *sums;
        support(&b, false);
        heat(&b, 1000.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, &sums));
        CU_ASSERT(sums->max_von_mises < 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[0], 0.012, 1e-12);
        for (int32_t v = 0; v < ew_model_mesh(b.model)->n_vertex; v++) {
            const double *x = ew_model_mesh(b.model)->xyz + 3 * (size_t)v;
            const double *u = ew_model_displacement(b.model) + 3 * (size_t)v;
            CU_ASSERT_DOUBLE_EQUAL(u[0], 0.012 * x[0], 1e-7);
        }
        ew_model_free(b.model);
    }
}

/* Below yielding small kinematics with a law are the linear theory. */
static void test_elastic_answer_is_the_linear_one(void)
{
    const ew_material law = steel(&ew_law_plastic), elastic = steel(NULL);
    const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2}, EW_SMALL, &law);
    const ew_nonlinear_def def = settings();
    const ew_pcg_def linear = {.preconditioner = EW_AUTO_PRECONDITIONER,
                               .tolerance = 1e-11,
                               .max_iterations = 1000,
                               .precision = EW_DOUBLE};
    const size_t n = 3 * (size_t)ew_model_mesh(b.model)->n_vertex;
    const ew_sums *sums;
    double *u = NULL, stress[2], work[2], error = 0.0;
    must(ew_new(&u, n, sizeof *u));
    support(&b, true);
    heat(&b, 40.0, 30.0);
    must(ew_model_solve_nonlinear(b.model, &def, NULL));
    must(ew_model_recover(b.model, NULL, &sums));
    memcpy(u, ew_model_displacement(b.model), n * sizeof *u);
    stress[0] = sums->max_von_mises;
    work[0] = sums->thermal_work;
    must(ew_model_set_material(b.model, EW_ALL_REGIONS, &elastic));
    must(ew_model_solve(b.model, &linear, NULL));
    must(ew_model_recover(b.model, NULL, &sums));
    stress[1] = sums->max_von_mises;
    work[1] = sums->thermal_work;
    for (size_t i = 0; i < n; i++) {
        error = fmax(error, fabs(u[i] - ew_model_displacement(b.model)[i]));
    }
    CU_ASSERT(error < 1e-8);
    CU_ASSERT(stress[0] > 100.0 && stress[0] < 240.0);
    CU_ASSERT_DOUBLE_EQUAL(stress[0], stress[1], 1e-4);
    /* of quadratic tets it is of the means of stress and heat over a tet */
    CU_ASSERT_DOUBLE_EQUAL(work[0], work[1], (is_quadratic ? 0.05 : 1e-6) * fabs(work[1]));
    ew_release(u);
    ew_model_free(b.model);
}

/* Kept between two planes, heated until it yields in compression, and cooled: pulled by what was
 * lost. Its sides are free: stress is that of one axis. */
static void test_heat_that_yields_leaves_tension(void)
{
    const ew_material material = steel(&ew_law_plastic);
    ew_nonlinear_def def = settings();
    for (int k = 0; k < 2; k++) {
        const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               k ? EW_COROTATIONAL : EW_SMALL, &material);
        const ew_fields *fields;
        const double hot = 150.0, elastic = young * expansion * hot; /* 360 */
        support(&b, true);
        heat(&b, hot, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, NULL));
        /* per area, which heat and flow make 0.6 % larger where large displacements count it */
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], -240.0, k ? 2.0 : 0.1);
        heat(&b, 0.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], elastic - 240.0, k ? 1.0 : 0.01);
        ew_model_free(b.model);
    }
}

/* Hotter above than below a slender bar curls into an arc, by the curvature that the mesh itself
 * has for a small gradient: linear tets resist bending too much. */
static void test_slender_bar_curls(void)
{
    const ew_material material = steel(NULL);
    const int32_t coarser = is_quadratic ? 2 : 1;
    const bar b =
        make_bar(NULL, (double[3]){10, 0.2, 0.2},
                 (int32_t[3]){60 / coarser, 2 / coarser, 4 / coarser}, EW_COROTATIONAL, &material);
    const ew_nonlinear_def def = settings();
    ew_model_constraint wall = {.set = b.low[0], .fixed = 7};
    static const double curvature[2] = {1e-4, 0.2};
    ew_list list = {0};
    double x[2] = {0.0}, z[2] = {0.0};
    must(ew_model_set_constraints(b.model, 1, &wall));
    must(ew_model_list_vertices(b.model, b.end, &list));
    for (int k = 0; k < 2; k++) {
        must(ew_model_set_loads(b.model, 1,
                                &(ew_model_load){.kind = EW_LOAD_TEMPERATURE,
                                                 .set = -1,
                                                 .gradient = {0.0, 0.0, curvature[k] / expansion},
                                                 .point = {0.0, 0.0, 0.1}}));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        for (int32_t i = 0; i < list.n; i++) {
            x[k] += ew_model_displacement(b.model)[3 * (size_t)list.id[i]] / list.n;
            z[k] += ew_model_displacement(b.model)[3 * (size_t)list.id[i] + 2] / list.n;
        }
    }
    const double bend = fabs(z[0]) * 2.0 / 100.0 * curvature[1] / curvature[0], angle = 10.0 * bend;
    CU_ASSERT(angle > 0.7);
    CU_ASSERT_DOUBLE_EQUAL(fabs(z[1]), (1.0 - cos(angle)) / bend, 0.02 * fabs(z[1]));
    CU_ASSERT_DOUBLE_EQUAL(x[1], sin(angle) / bend - 10.0, 0.04 * fabs(x[1]));
    ew_list_free(&list);
    ew_model_free(b.model);
}

/* Loads, edits and materials that change the temperature: blocks are those of a rebuild; on a
 * device the same, and the same answer. */
static void test_blocks_follow_temperatures(void)
{
    const ew_material material = steel(&ew_law_plastic);
    const ew_nonlinear_def def = settings();
    double far[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        if (k && !(device && ew_device_about(device)->has_double)) {
            continue;
        }
        const bar b = make_bar(k ? device : NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               EW_COROTATIONAL, &material);
        ew_model_verification result;
        support(&b, true);
        for (int i = 0; i < 5; i++) {
            if (i == 3) {
                must(ew_model_set_loads(b.model, 0, NULL));
            } else {
                heat(&b, 60.0 * i, 20.0);
            }
            must(ew_model_verify(b.model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
            must(ew_model_solve_nonlinear(b.model, &def, NULL));
            ew_model_begin(b.model);
            must(ew_edit_remove_tet(ew_model_edit(b.model), 30 + i));
            must(ew_model_commit(b.model));
            must(ew_model_verify(b.model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        for (int32_t i = 0; i < 3 * ew_model_mesh(b.model)->n_vertex; i++) {
            far[k] += fabs(ew_model_displacement(b.model)[i]);
        }
        ew_model_free(b.model);
    }
    CU_ASSERT(far[1] == 0.0 || fabs(far[0] - far[1]) < 1e-6 * far[0]);
}

/* ---- load steps ------------------------------------------------------------------------------ */

static ew_material clay(void)
{
    ew_material material = {.young = 1e4, .poisson = 0.3, .density = 1e-9, .expansion = expansion};
    ew_material_put_law(&material, &ew_law_creep);
    material.law_value[EW_CREEP_YIELD] = 1e-4;
    material.law_value[EW_CREEP_RATE] = 5.0;
    return material;
}

static ew_nonlinear_def in_steps(int32_t n_step)
{
    ew_nonlinear_def def = settings();
    def.n_step = n_step;
    def.duration = 1.0;
    return def;
}

/* The body is as large as this strain makes it, and nothing in it ever flowed. */
static void expect_growth(ew_model *model, double strain)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t n_state;
    const double *u = ew_model_displacement(model), *state = ew_model_law_state(model, &n_state);
    double error = 0.0, flowed = 0.0;
    for (int32_t i = 0; i < 3 * mesh->n_vertex; i++) {
        error = mesh->valence[i / 3] > 0 ? fmax(error, fabs(u[i] - strain * mesh->xyz[i])) : error;
    }
    for (int32_t i = 0; i < n_state * mesh->n_tet; i++) {
        flowed = fmax(flowed, fabs(state[i]));
    }
    CU_ASSERT(error < 1e-9);
    CU_ASSERT_EQUAL(flowed, 0.0);
}

/* However heat comes and goes, a free body is free of stress on the way. */
static void test_free_body_is_heated_in_steps(void)
{
    static const int32_t n_step[] = {1, 2, 4, 10};
    for (int k = 0; k < 32; k++) {
        ew_device *on = k & 1 ? device : NULL;
        if (k & 1 && !(device && ew_device_about(device)->has_double)) {
            continue;
        }
        const ew_material material = k & 2 ? clay() : steel(&ew_law_plastic);
        const bar b = make_bar(on, (double[3]){2, 1, 1}, (int32_t[3]){2, 1, 1},
                               k & 4 ? EW_COROTATIONAL : EW_SMALL, &material);
        const ew_nonlinear_def def = in_steps(n_step[k >> 3]);
        support(&b, false);
        heat(&b, 1000.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        expect_growth(b.model, 1000.0 * expansion);
        heat(&b, 200.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        expect_growth(b.model, 200.0 * expansion);
        must(ew_model_set_loads(b.model, 0, NULL));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        expect_growth(b.model, 0.0);
        ew_model_free(b.model);
    }
}

/* Heat and a load that bends it far: elastic, so that the way there does not matter. */
static void test_hot_cantilever_bends_in_steps(void)
{
    ew_material material = {.young = 1e6, .poisson = 0.3, .density = 1e-9, .expansion = 1e-4};
    double tip[3];
    for (int k = 0; k < 3; k++) {
        const bar b = make_bar(NULL, (double[3]){12, 1, 1}, (int32_t[3]){24, 2, 2}, EW_COROTATIONAL,
                               &material);
        const ew_nonlinear_def def = in_steps(1 << 2 * k);
        must(ew_model_set_constraints(b.model, 1,
                                      &(ew_model_constraint){.set = b.low[0], .fixed = 7}));
        must(ew_model_set_loads(
            b.model, 2,
            (ew_model_load[2]){
                {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 100.0},
                {.kind = EW_LOAD_FORCE, .set = b.end, .vector = {0.0, 0.0, 3500.0}}}));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        tip[k] = ew_model_displacement(b.model)[3 * (size_t)ew_model_mesh(b.model)->n_vertex - 1];
        CU_ASSERT_DOUBLE_EQUAL(tip[k], tip[0], 1e-6 * tip[0]);
        ew_model_free(b.model);
    }
    CU_ASSERT(tip[0] > 5.0);
}

/* Between two planes, hardening: stress s = - (h a T + y) / (1 + h / E) when it is hot, E a T more
 * when it is cold again. What was dissipated is y times the plastic strain a T + s / E. */
static void test_held_bar_hardens_in_steps(void)
{
    const double hardening = 2e4, hot = 150.0 * expansion;
    ew_material material = steel(&ew_law_plastic);
    material.law_value[EW_PLASTIC_HARDENING] = hardening;
    const double stress = -(hardening * hot + 240.0) / (1.0 + hardening / young);
    const double flowed = hot + stress / young;
    const double dissipated = 4.0 * (240.0 + 0.5 * hardening * flowed) * flowed;
    static const int32_t n_step[] = {1, 7, 200};
    for (int k = 0; k < 3; k++) {
        const bar b =
            make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){2, 1, 1}, EW_SMALL, &material);
        ew_nonlinear_def def = in_steps(n_step[k]);
        const ew_fields *fields;
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        support(&b, true);
        heat(&b, 150.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, &info));
        must(ew_model_recover(b.model, &fields, &sums));
        const double stored = 4.0 * stress * stress / (2.0 * young);
        CU_ASSERT_DOUBLE_EQUAL(info->work, stored + sums->dissipated, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], stress, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(sums->max_plastic_strain, flowed, 1e-9);
        CU_ASSERT(k < 2 || fabs(sums->dissipated - dissipated) < 0.01 * dissipated);
        def.n_step = 3;
        must(ew_model_set_loads(b.model, 0, NULL));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], stress + young * hot, 1e-4);
        ew_model_free(b.model);
    }
}

/* ---- from one solve to the next -------------------------------------------------------------- */

/* Tets are parted, one is taken out and put in again; new ids; what came is as warm as the rest. */
static void edit(const bar *b)
{
    const ew_mesh *mesh = ew_model_mesh(b->model);
    int32_t tet[4];
    ew_model_begin(b->model);
    must(
        ew_operation_refine(mesh, ew_model_topology(b->model), 0.7, NULL, ew_model_edit(b->model)));
    must(ew_model_commit(b->model));
    memcpy(tet, mesh->tet + 12, sizeof tet);
    ew_model_begin(b->model);
    must(ew_edit_remove_tet(ew_model_edit(b->model), 3));
    must(ew_edit_remove_tet(ew_model_edit(b->model), 0));
    must(ew_model_commit(b->model));
    ew_model_begin(b->model);
    must(ew_edit_add_tet(ew_model_edit(b->model), tet, mesh->region[1]));
    must(ew_model_commit(b->model));
    must(ew_model_compact(b->model, NULL, NULL));
}

/* Of a body that creeps: were the heat forgotten for a load step, it would flow. */
static void test_heat_stays_between_solves(void)
{
    const ew_material material = clay();
    const ew_nonlinear_def def = in_steps(4);
    ew_dynamics_def motion = ew_default_dynamics_def();
    motion.solver.tolerance = 1e-11;
    for (int k = 0; k < 2; k++) {
        const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               k ? EW_COROTATIONAL : EW_SMALL, &material);
        support(&b, false);
        heat(&b, 200.0, 0.0);
        for (int i = 0; i < 4; i++) {
            must(ew_model_solve_nonlinear(b.model, &def, NULL));
            expect_growth(b.model, 200.0 * expansion);
            if (i == 1) {
                edit(&b);
            } else if (i == 2) {
                must(ew_model_start_dynamics(b.model, &motion, 0.0));
                must(ew_model_advance(b.model, 1e-3, NULL));
                ew_model_stop_dynamics(b.model);
                expect_growth(b.model, 200.0 * expansion);
            }
        }
        edit(&b);
        must(ew_model_set_loads(b.model, 0, NULL));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        expect_growth(b.model, 0.0);
        ew_model_free(b.model);
    }
}

/* A linear body, one that moves and a solve that is taken over leave their heat, too. */
static void test_heat_of_other_analyses_stays(void)
{
    const ew_material material = clay(), elastic = steel(NULL);
    const ew_nonlinear_def def = in_steps(4);
    const ew_amplitude ramp = {.kind = EW_AMPLITUDE_TABLE,
                               .n = 2,
                               .time = (double[2]){0.0, 1.0},
                               .value = (double[2]){0.0, 1.0}};
    ew_pcg_def linear = settings().solver;
    ew_dynamics_def motion = ew_default_dynamics_def();
    motion.solver.tolerance = 1e-11;
    for (int k = 0; k < 3; k++) {
        const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2}, EW_SMALL,
                               k ? &material : &elastic);
        const int32_t n_vertex = ew_model_mesh(b.model)->n_vertex;
        double *grown = ew_model_field(b.model, 0);
        support(&b, false);
        if (k == 0) {
            heat(&b, 200.0, 0.0);
            must(ew_model_solve(b.model, &linear, NULL));
            must(ew_model_set_material(b.model, EW_ALL_REGIONS, &material));
        } else {
            const int32_t n_state = EW_MAX_LAW_STATE * ew_model_mesh(b.model)->n_tet;
            double *state = NULL;
            must(ew_new_zero(&state, (size_t)n_state, sizeof *state));
            for (int32_t i = 0; i < 3 * n_vertex; i++) {
                grown[i] = 200.0 * expansion * ew_model_mesh(b.model)->xyz[i];
            }
            if (k == 1) {
                heat(&b, 200.0, 0.0);
                must(ew_model_accept_nonlinear(b.model, n_state, grown, state));
            } else {
                must(ew_model_set_amplitudes(b.model, 1, &ramp));
                heat_in_time(&b, 400.0, 0.0, 1);
                must(ew_model_start_dynamics(b.model, &motion, 0.5));
                ew_model_stop_dynamics(b.model);
            }
            ew_release(state);
        }
        must(ew_model_set_loads(b.model, 0, NULL));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        expect_growth(b.model, 0.0);
        ew_model_free(b.model);
    }
}

/* What a failure leaves is as warm as its load factor says, and the next solve goes on from it. */
static void test_failure_leaves_heat_of_its_load_factor(void)
{
    ew_material material = {.young = 1e6, .poisson = 0.3, .density = 1e-9, .expansion = 1e-4};
    const bar b = make_bar(NULL, (double[3]){10, 0.25, 0.25}, (int32_t[3]){30, 1, 1},
                           EW_COROTATIONAL, &material);
    ew_nonlinear_def def = in_steps(2);
    const ew_nonlinear_info *info;
    const ew_fields *fields;
    def.tolerance = 1e-6;
    def.max_iterations = 4;
    def.max_halvings = 3;
    must(ew_model_set_constraints(b.model, 1, &(ew_model_constraint){.set = b.low[0], .fixed = 7}));
    must(ew_model_set_loads(
        b.model, 2,
        (ew_model_load[2]){{.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 100.0},
                           {.kind = EW_LOAD_FORCE, .set = b.end, .vector = {0.0, 0.0, 30.0}}}));
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, &info), EW_NOT_CONVERGED);
    const double factor = info->load_factor;
    CU_ASSERT(factor > 0.0 && factor < 1.0);
    must(ew_model_recover(b.model, &fields, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[0], factor * 1e-2, 1e-14);
    def.max_halvings = 6;
    def.max_iterations = 25;
    must(ew_model_solve_nonlinear(b.model, &def, &info));
    must(ew_model_recover(b.model, &fields, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[0], 1e-2, 1e-15);
    ew_model_free(b.model);
}

static void test_quadratic_tets_are_heated_alike(void)
{
    is_quadratic = true;
    test_free_body_grows();
    test_elastic_answer_is_the_linear_one();
    test_heat_that_yields_leaves_tension();
    test_slender_bar_curls();
    test_held_bar_hardens_in_steps();
    is_quadratic = false;
}

/* A temperature of a set that becomes the whole body lets it grow as a whole. */
static void test_heat_follows_its_set(void)
{
    const ew_material material = steel(NULL);
    const bar b =
        make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2}, EW_COROTATIONAL, &material);
    const ew_model_load warm = ew_load_temperature(b.end, 100.0);
    const ew_nonlinear_def def = settings();
    const double *u;
    ew_list all = {0};
    support(&b, false);
    must(ew_model_set_loads(b.model, 1, &warm));
    must(ew_model_solve_nonlinear(b.model, &def, NULL));
    for (int32_t v = 0; v < ew_model_mesh(b.model)->n_vertex; v++) {
        must(ew_list_push(&all, v));
    }
    must(ew_model_redefine_set(b.model, b.end, &all));
    must(ew_model_solve_nonlinear(b.model, &def, NULL));
    u = ew_model_displacement(b.model);
    for (int32_t v = 0; v < all.n; v++) {
        const double x = ew_model_mesh(b.model)->xyz[3 * (size_t)v];
        CU_ASSERT_DOUBLE_EQUAL(u[3 * (size_t)v], 100.0 * expansion * x, 1e-8);
    }
    ew_list_free(&all);
    ew_model_free(b.model);
}

static CU_TestInfo tests[] = {
    {"heat_follows_its_set", test_heat_follows_its_set},
    {"free_body_grows", test_free_body_grows},
    {"elastic_answer_is_the_linear_one", test_elastic_answer_is_the_linear_one},
    {"heat_that_yields_leaves_tension", test_heat_that_yields_leaves_tension},
    {"slender_bar_curls", test_slender_bar_curls},
    {"blocks_follow_temperatures", test_blocks_follow_temperatures},
    {"free_body_is_heated_in_steps", test_free_body_is_heated_in_steps},
    {"hot_cantilever_bends_in_steps", test_hot_cantilever_bends_in_steps},
    {"held_bar_hardens_in_steps", test_held_bar_hardens_in_steps},
    {"quadratic_tets_are_heated_alike", test_quadratic_tets_are_heated_alike},
    {"heat_stays_between_solves", test_heat_stays_between_solves},
    {"heat_of_other_analyses_stays", test_heat_of_other_analyses_stays},
    {"failure_leaves_heat_of_its_load_factor", test_failure_leaves_heat_of_its_load_factor},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {
        {"nonlinear_thermal", open_device, close_device, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
