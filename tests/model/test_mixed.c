/* Mixed tets: symmetry, a patch, a thick tube under pressure in plane strain against Lame's closed
 * form up to nu = 0.4999, iterations, edits, heat in statics and in time, refusals. */
#include "mixed_fixture.h"

/* u_r at the inner radius over Lame's, of plane strain: (1 + nu) / E p a / (b^2 - a^2) ((1 - 2 nu)
 * a^2 + b^2). */
static double widening(ew_model *model, double poisson)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    const double a = INNER * INNER, b = OUTER * OUTER;
    const double exact =
        (1.0 + poisson) / 200.0 * INNER / (b - a) * ((1.0 - 2.0 * poisson) * a + b);
    double sum = 0.0;
    int32_t n = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (is_at(mesh, v, 3, INNER)) {
            sum += (u[3 * v] * x[0] + u[3 * v + 1] * x[1]) / INNER;
            n++;
        }
    }
    return sum / n / exact;
}

/* Largest error of the radial stress at tets, which is -1 .. 0: of tets near the middle. */
static double stress_error(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double a = INNER * INNER, b = OUTER * OUTER;
    const ew_fields *fields;
    double worst = 0.0;
    must(ew_model_recover(model, &fields, NULL));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double *s = fields->stress + 6 * (size_t)t;
        double x = 0.0, y = 0.0;
        for (size_t k = 0; k < 4; k++) {
            x += 0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + k]];
            y += 0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + k] + 1];
        }
        const double square = x * x + y * y;
        const double radial = (s[0] * x * x + 2.0 * s[3] * x * y + s[1] * y * y) / square;
        const double exact = a / (b - a) * (1.0 - b / square);
        worst = fmax(worst, fabs(radial - exact));
    }
    return worst;
}

/* ---- tests ------------------------------------------------------------------------------ */

static void test_symmetry(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.2, 0.8}, (int32_t[3]){3, 3, 3}));
    ew_model *model = make_model(&mesh, 0.49, NULL);
    const ew_mesh *m = ew_model_mesh(model);
    const size_t n = (size_t)m->n_vertex;
    const ew_material material = {.young = 200.0, .poisson = 0.49};
    ew_materials materials = {0};
    ew_mixed mixed = {0};
    uint64_t state = 3;
    double *x = calloc(16 * n, sizeof *x), value[2] = {0.0, 0.0};
    must(ew_materials_init(&materials, 1, &material));
    must(ew_mixed_prepare(&mixed, m, ew_model_topology(model), &materials, 1.0, 0.0));
    for (size_t i = 0; i < 8 * n; i++) {
        x[i] = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
    }
    for (size_t k = 0; k < 2; k++) {
        const double *in = x + 4 * n * k, *with = x + 4 * n * (1 - k);
        double *out = x + 8 * n + 4 * n * k;
        ew_mixed_add_product(&mixed, in, in + 3 * n, out, out + 3 * n);
        for (size_t i = 0; i < 4 * n; i++) {
            value[k] += out[i] * with[i];
        }
    }
    CU_ASSERT(fabs(value[0] - value[1]) < 1e-13);
    CU_ASSERT(fabs(value[0]) > 1e-6);
    /* C is not negative: of p alone -p C p < 0 */
    memset(x, 0, 3 * n * sizeof *x);
    memset(x + 8 * n, 0, 4 * n * sizeof *x);
    ew_mixed_add_product(&mixed, x, x + 3 * n, x + 8 * n, x + 11 * n);
    double sum = 0.0;
    for (size_t i = 3 * n; i < 4 * n; i++) {
        sum += x[i] * x[8 * n + i];
    }
    CU_ASSERT(sum < 0.0);
    ew_mixed_free(&mixed);
    ew_materials_free(&materials);
    free(x);
    ew_model_free(model);
}

/* A linear field prescribed on the surface is found inside, with p = lambda tr(strain). */
static void test_patch(void)
{
    static const double h[3][3] = {{1e-3, 4e-4, -2e-4}, {6e-4, -5e-4, 3e-4}, {8e-4, 1e-4, 7e-4}};
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){4, 4, 4}));
    ew_model *model = make_model(&mesh, 0.499, NULL);
    const ew_mesh *m = ew_model_mesh(model);
    ew_model_constraint *constraint = calloc((size_t)m->n_vertex, sizeof *constraint);
    int32_t n = 0;
    for (int32_t v = 0; v < m->n_vertex; v++) {
        const double *x = m->xyz + 3 * (size_t)v;
        bool out = false;
        for (int c = 0; c < 3; c++) {
            out = out || x[c] == 0.0 || x[c] == 1.0;
        }
        if (out) {
            ew_list list = {0};
            must(ew_list_push(&list, v));
            constraint[n] = (ew_model_constraint){.fixed = 7};
            constraint[n].set = add_set(model, EW_SET_OF_VERTICES, &list);
            for (int c = 0; c < 3; c++) {
                constraint[n].value[c] = h[c][0] * x[0] + h[c][1] * x[1] + h[c][2] * x[2];
            }
            n++;
        }
    }
    ew_pcg_def def = ew_default_pcg_def();
    const ew_fields *fields;
    def.tolerance = 1e-11;
    must(ew_model_set_constraints(model, n, constraint));
    must(ew_model_set_mixed(model, true));
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, &fields, NULL));
    const double lambda = ew_model_materials(model)->lame[0];
    for (int32_t v = 0; v < m->n_vertex; v++) {
        const double *x = m->xyz + 3 * (size_t)v, *u = ew_model_displacement(model) + 3 * (size_t)v;
        for (int c = 0; c < 3; c++) {
            CU_ASSERT(fabs(u[c] - (h[c][0] * x[0] + h[c][1] * x[1] + h[c][2] * x[2])) < 1e-12);
        }
        CU_ASSERT(fabs(ew_model_volumetric_stress(model)[v] / (lambda * 1.2e-3) - 1.0) < 1e-7);
    }
    for (int32_t t = 0; t < m->n_tet; t++) {
        CU_ASSERT(fabs(fields->stress[6 * t + 3] / (200.0 / 2.998 * 1e-3) - 1.0) < 1e-7);
    }
    free(constraint);
    ew_model_free(model);
}

static void test_thick_tube(void)
{
    static const double poisson[4] = {0.3, 0.49, 0.499, 0.4999};
    int32_t first = 0;
    printf("\n           linear                         mixed\n"
           "  nu      u/exact  stress off  iter   u/exact  stress off  iter\n");
    for (int i = 0; i < 4; i++) {
        const ew_pcg_info *info;
        const ew_pcg_def def = ew_default_pcg_def();
        ew_model *model = make_tube(12, poisson[i], NULL);
        must(ew_model_solve(model, &def, &info));
        const double linear = widening(model, poisson[i]), wrong = stress_error(model);
        const int32_t n_linear = info->iterations;
        must(ew_model_set_mixed(model, true));
        must(ew_model_solve(model, &def, &info));
        const double mixed = widening(model, poisson[i]), stress = stress_error(model);
        printf("  %.4f  %7.4f  %10.3f  %4d   %7.4f  %10.3f  %4d\n", poisson[i], linear, wrong,
               (int)n_linear, mixed, stress, (int)info->iterations);
        CU_ASSERT(info->residual <= def.tolerance);
        CU_ASSERT(fabs(mixed - 1.0) < 0.01);
        CU_ASSERT(stress < 0.15);
        CU_ASSERT(i < 3 || (linear < 0.8 && wrong > 10.0 * stress)); /* locked */
        first = i ? first : info->iterations;
        CU_ASSERT(info->iterations < 2 * first);
        ew_model_free(model);
    }
}

/* A second solve allocates nothing, and finds that there is nothing to do. */
static void test_second_solve(void)
{
    const ew_pcg_info *info;
    const ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_tube(6, 0.499, NULL);
    must(ew_model_set_mixed(model, true));
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT(info->iterations > 0);
    const int32_t n = info->iterations;
    memset(ew_model_field(model, 0), 0,
           3 * sizeof(double) * (size_t)ew_model_mesh(model)->n_vertex);
    memset(ew_model_volumetric_stress(model), 0,
           sizeof(double) * (size_t)ew_model_mesh(model)->n_vertex);
    ew_test_allocations_begin(0);
    const ew_status status = ew_model_solve(model, &def, &info);
    CU_ASSERT_FALSE(ew_test_allocations_end());
    CU_ASSERT_EQUAL(status, EW_OK);
    CU_ASSERT_EQUAL(info->iterations, n);
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT_EQUAL(info->iterations, 0);
    ew_model_free(model);
}

/* Blocks after edits are those of a build, and the answer that of a fresh model. */
static void run_edits(uint64_t seed)
{
    editing edits = {.state = seed};
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_tube(4, 0.4999, NULL);
    def.tolerance = 1e-11;
    must(ew_model_set_mixed(model, true));
    must(ew_model_solve(model, &def, NULL));
    for (int i = 0; i < 60; i++) {
        const ew_status status = ew_model_apply(model, queue_edit, &edits);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        if (i % 6 == 5) {
            ew_model_verification result;
            must(ew_model_verify(model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        if (i % 20 == 19) {
            const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
            double *before = malloc(n * sizeof *before), *u = ew_model_field(model, 0), most = 0.0;
            must(ew_model_solve(model, &def, NULL));
            memcpy(before, ew_model_displacement(model), n * sizeof *before);
            must(ew_model_rebuild(model));
            u = ew_model_field(model, 0);
            memset(u, 0, n * sizeof *u);
            memset(ew_model_volumetric_stress(model), 0, n / 3 * sizeof *u);
            must(ew_model_solve(model, &def, NULL));
            for (size_t k = 0; k < n; k++) {
                most = fmax(most, fabs(ew_model_displacement(model)[k] - before[k]));
            }
            CU_ASSERT(most < 1e-9);
            free(before);
        }
    }
    ew_model_free(model);
}

static void test_edits(void)
{
    for (int i = 0; i < edits_of(60, 1); i++) {
        run_edits(seed_of(17) + (uint64_t)i);
    }
}

/* A warm cube that is free to widen has no stress; one that is not has that of all its expansion.
 */
static void test_warm(void)
{
    const ew_material rubber = {
        .young = 200.0, .poisson = 0.4999, .density = 1.0, .expansion = 1e-4};
    const ew_model_load warm = {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 20.0};
    const double free_strain = 2e-3;
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-11;
    for (int confined = 0; confined < 2; confined++) {
        ew_model_constraint constraint[6];
        ew_mesh mesh;
        const ew_fields *fields;
        const ew_sums *sums;
        must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){3, 3, 3}));
        ew_model *model = make_model(&mesh, 0.4, NULL);
        const ew_mesh *m = ew_model_mesh(model);
        must(ew_model_set_material(model, EW_ALL_REGIONS, &rubber));
        for (int k = 0; k < 6; k++) {
            constraint[k] = (ew_model_constraint){.set = add_slab(model, k % 3, k / 3),
                                                  .fixed = (uint8_t)(1 << k % 3)};
        }
        must(ew_model_set_constraints(model, confined ? 6 : 3, constraint));
        must(ew_model_set_loads(model, 1, &warm));
        must(ew_model_set_mixed(model, true));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, &fields, &sums));
        const double *lame = ew_model_materials(model)->lame;
        const double all = (3.0 * lame[0] + 2.0 * lame[1]) * free_strain;
        for (int32_t i = 0; i < 3 * m->n_vertex; i++) {
            CU_ASSERT(fabs(ew_model_displacement(model)[i] -
                           (confined ? 0.0 : free_strain * m->xyz[i])) < 1e-10);
        }
        for (int32_t i = 0; i < 6 * m->n_tet; i++) {
            const double wanted = confined && i % 6 < 3 ? -all : 0.0;
            CU_ASSERT(fabs(fields->stress[i] - wanted) < 1e-7 * all);
        }
        CU_ASSERT(fabs(sums->external_work - 2.0 * sums->strain_energy - sums->thermal_work) <
                  1e-7 * all * free_strain);
        ew_model_free(model);
    }
}

/* How far u is from that of a change T + g x, which is free of stress: u = a ((T + g x) x - g (x^2
 * + y^2 + z^2) / 2, (T + g x) y, (T + g x) z); of its largest. */
static double bending_error(ew_model *model, double gradient)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double worst = 0.0, most = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v, *u = ew_model_displacement(model) + 3 * v;
        const double change = WARM_CHANGE + gradient * x[0];
        const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        for (int c = 0; c < 3; c++) {
            const double exact =
                WARM_EXPANSION * (change * x[c] - (c ? 0.0 : 0.5 * gradient * square));
            worst = fmax(worst, fabs(u[c] - exact));
            most = fmax(most, fabs(exact));
        }
    }
    return worst / most;
}

/* What recovery adds up is what virtual work is of. */
static void expect_work(const ew_sums *sums)
{
    const double off = sums->external_work - 2.0 * sums->strain_energy - sums->thermal_work;
    CU_ASSERT(sums->strain_energy >= 0.0);
    CU_ASSERT(fabs(off) < 1e-7 * 1e6 * 2.0 * sums->max_displacement * sums->max_displacement);
}

/* Heat that is not uniform, or in two materials, by nearly incompressible tets as by others:
 * against the closed form where there is no stress, else quadratic tets. */
static void test_uneven_heat(void)
{
    static const double poisson[] = {0.3, 0.499, 0.4999};
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-10;
    for (int i = 0; i < 3 * N_WARMTH; i++) {
        const warmth kind = (warmth)(i / 3);
        const ew_fields *fields;
        const ew_sums *sums;
        double most[2];
        ew_model *model = make_warm(kind, 4, poisson[i % 3], NULL);
        must(ew_model_set_order(model, true));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, &fields, &sums));
        most[0] = sums->max_displacement;
        const double energy = sums->strain_energy;
        must(ew_model_set_order(model, false));
        must(ew_model_set_mixed(model, true));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, &fields, &sums));
        most[1] = sums->max_displacement;
        CU_ASSERT_DOUBLE_EQUAL(most[1] / most[0], 1.0, 0.04);
        expect_work(sums);
        if (kind == WARM_ALONG_X) {
            CU_ASSERT(bending_error(model, WARM_GRADIENT) < 0.03);
        } else if (kind == WARM_RUBBERS) {
            CU_ASSERT(bending_error(model, 0.0) < 1e-7);
            for (int32_t t = 0; t < fields->n_tet; t++) {
                CU_ASSERT(fields->von_mises[t] < 1e-7 * 2e6);
            }
            for (int32_t k = 0; k < 3 * fields->n_vertex; k++) {
                CU_ASSERT(fabs(fields->reaction[k]) < 1e-7 * 2e6);
            }
        } else {
            CU_ASSERT(sums->strain_energy < 1.6 * energy);
        }
        ew_model_free(model);
    }
}

/* Temperatures that grow from time 0 to 1. */
static ew_model *make_warming(ew_scheme_kind scheme)
{
    static const double time[2] = {0.0, 1.0}, value[2] = {0.0, 1.0};
    const ew_amplitude ramp = {.kind = EW_AMPLITUDE_TABLE, .n = 2, .time = time, .value = value};
    const ew_model_load heat = {.kind = EW_LOAD_TEMPERATURE,
                                .set = -1,
                                .change = WARM_CHANGE,
                                .gradient = {WARM_GRADIENT},
                                .amplitude = 1};
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_model *model = make_warm(WARM_ALONG_X, 3, 0.4999, NULL);
    must(ew_model_set_amplitudes(model, 1, &ramp));
    must(ew_model_set_loads(model, 1, &heat));
    must(ew_model_set_mixed(model, true));
    def.scheme = scheme;
    def.solver.tolerance = 1e-10;
    def.account = true;
    must(ew_model_start_dynamics(model, &def, 0.0));
    return model;
}

/* In time no energy is lost, schemes that weigh forces of two times agree with the one that does
 * not, and a long time ends where statics is. */
static void test_heat_in_time(void)
{
    static const ew_scheme_kind scheme[2] = {EW_NEWMARK, EW_HHT};
    ew_pcg_def def = ew_default_pcg_def();
    const ew_fields *fields;
    const ew_sums *sums;
    double reached[2];
    def.tolerance = 1e-10;
    for (int i = 0; i < 2; i++) {
        ew_model *model = make_warming(scheme[i]);
        ew_energy_account account;
        editing edits = {.state = 5};
        for (int k = 0; k < 20; k++) {
            const ew_status status =
                k == 10 || k == 12 ? ew_model_apply(model, queue_edit, &edits) : EW_OK;
            CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
            must(ew_model_advance(model, 2e-4, NULL));
        }
        must(ew_model_account(model, &account));
        CU_ASSERT(i || fabs(account.balance) < 1e-7 * account.external_work);
        must(ew_model_recover(model, &fields, &sums));
        if (i == 0) { /* HHT fulfills the equation of motion between two times */
            expect_work(sums);
        }
        reached[i] = sums->max_displacement;
        ew_model_free(model);
    }
    CU_ASSERT_DOUBLE_EQUAL(reached[1] / reached[0], 1.0, 0.02);
    ew_model *model = make_warming(EW_IMPLICIT_EULER);
    for (int k = 0; k < 8; k++) {
        must(ew_model_advance(model, 10.0, NULL));
    }
    must(ew_model_recover(model, &fields, &sums));
    expect_work(sums);
    const double mises = sums->max_von_mises, moved = sums->max_displacement;
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, &fields, &sums));
    CU_ASSERT_DOUBLE_EQUAL(mises / sums->max_von_mises, 1.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(moved / sums->max_displacement, 1.0, 1e-6);
    ew_model_free(model);
}

static void test_refusals(void)
{
    const ew_pcg_def def = ew_default_pcg_def();
    const ew_material cork = {.young = 1.0, .poisson = 0.0, .density = 1.0};
    const ew_material rubber = {.young = 1.0, .poisson = 0.49, .density = 1.0, .expansion = 1e-4};
    ew_dynamics_def moves = ew_default_dynamics_def();
    ew_model *model = make_tube(2, 0.4, NULL);
    must(ew_model_set_mixed(model, true));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &cork));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "poisson > 0"));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &rubber));
    const ew_model_load tiny = {.kind = EW_LOAD_GRAVITY, .vector = {1e-166, 0.0, 0.0}};
    must(ew_model_set_loads(model, 1, &tiny));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "would count as zero"));
    moves.scheme = EW_CENTRAL_DIFFERENCE;
    CU_ASSERT_EQUAL(ew_model_start_dynamics(model, &moves, 0.0), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "implicit"));
    ew_pcg_def direct = def;
    direct.preconditioner = EW_CHOLESKY;
    CU_ASSERT_EQUAL(ew_model_solve(model, &direct, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "mixed"));
    must(ew_model_set_order(model, true));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_ARGUMENT);
    must(ew_model_set_order(model, false));
    must(ew_model_set_mixed(model, false));
    must(ew_model_set_operator(model, EW_MATRIX_FREE));
    CU_ASSERT_EQUAL(ew_model_set_mixed(model, true), EW_UNSUPPORTED);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"symmetry", test_symmetry},
        {"patch", test_patch},
        {"thick_tube", test_thick_tube},
        {"second_solve", test_second_solve},
        {"edits", test_edits},
        {"warm", test_warm},
        {"uneven_heat", test_uneven_heat},
        {"heat_in_time", test_heat_in_time},
        {"refusals", test_refusals},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "mixed tets", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
