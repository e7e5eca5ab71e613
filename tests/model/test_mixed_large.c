/* Mixed tets of nonlinear bodies: force and tangent against differences of the energy; a cylinder
 * of nearly incompressible Mooney-Rivlin material that is twisted against Rivlin's closed form;
 * bodies that are warmed, move, vibrate and are edited; the same bits for any number of threads;
 * what is refused. Uniform strains are in test_neo_hookean.c and test_mooney_rivlin.c. */
#include "analysis/parts/analysis.h"
#include "mixed_fixture.h"

#define N_LAW 4

static ew_material material_of(int k, double poisson)
{
    static const ew_law *const list[N_LAW] = {&ew_law_elastic, &ew_law_neo_hookean,
                                              &ew_law_mooney_rivlin, &ew_law_plastic};
    ew_material material = {
        .young = 2.0 * (1.0 + poisson), .poisson = poisson, .density = 1.0, .expansion = 1e-3};
    ew_material_put_law(&material, list[k]);
    if (list[k] == &ew_law_mooney_rivlin) {
        material.law_value[0] = 0.3;
        material.law_value[1] = 0.2;
    }
    if (list[k] == &ew_law_plastic) {
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 1e3;
    }
    return material;
}

/* ---- differences ------------------------------------------------------------------------ */

/* A body as the assembly sees it, and what it is computed with. */
typedef struct body {
    ew_model *model;
    ew_materials materials;
    ew_internal_force internal_force;
    ew_mixed mixed;
    ew_deformed moved;
    size_t n;
    double *u, *p, *thermal, *state;
} body;

static double jitter_by(uint64_t *random, double size)
{
    return size * ((double)ew_test_random(random, 2000001) / 1e6 - 1.0);
}

static void open_body(body *of, int law, ew_kinematics kinematics)
{
    const ew_material material = material_of(law, 0.45);
    ew_mesh mesh;
    bool forgot;
    uint64_t random = 3;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.2, 0.8}, (int32_t[3]){2, 2, 2}));
    *of = (body){.model = make_model(&mesh, 0.45, NULL),
                 .internal_force = {.kinematics = kinematics}};
    const ew_mesh *m = ew_model_mesh(of->model);
    of->n = (size_t)m->n_vertex;
    must(ew_materials_init(&of->materials, 1, &material));
    ew_materials_make_mixed(&of->materials);
    const int32_t n_state = ew_materials_n_state(&of->materials);
    must(ew_internal_force_prepare(&of->internal_force, &of->materials, 1, n_state, true, &forgot));
    of->u = calloc(3 * of->n, sizeof *of->u);
    of->p = calloc(of->n, sizeof *of->p);
    of->thermal = calloc(6 * (size_t)m->n_tet, sizeof *of->thermal);
    of->state = calloc((size_t)(n_state + 1) * (size_t)m->n_tet, sizeof *of->state);
    for (size_t i = 0; i < 3 * of->n; i++) {
        of->u[i] = jitter_by(&random, 0.08);
    }
    for (int32_t t = 0; t < m->n_tet; t++) {
        const double strain = jitter_by(&random, 0.05);
        for (int i = 0; i < 3; i++) {
            of->thermal[6 * (size_t)t + (size_t)i] = strain;
        }
    }
    of->moved = (ew_deformed){.mesh = m,
                              .topology = ew_model_topology(of->model),
                              .materials = &of->materials,
                              .u = of->u,
                              .state = n_state ? of->state : NULL,
                              .thermal = of->thermal,
                              .pressure = of->p};
}

static void close_body(body *of)
{
    ew_mixed_free(&of->mixed);
    ew_internal_force_free(&of->internal_force);
    ew_materials_free(&of->materials);
    ew_model_free(of->model);
    free(of->u);
    free(of->p);
    free(of->thermal);
    free(of->state);
}

/* Energy and, where it is not null, force at the displacement. */
static double find_energy(body *of, double *force)
{
    must(ew_mixed_find_deformed_pressure(&of->mixed, &of->internal_force, &of->moved, of->p));
    if (force) {
        must(ew_internal_force_find(&of->internal_force, &of->moved, NULL));
        ew_internal_force_gather(&of->internal_force, &of->moved, force);
    }
    return ew_internal_force_energy(&of->internal_force, &of->moved);
}

static void shift(body *of, const double *by, double times)
{
    for (size_t i = 0; i < 3 * of->n; i++) {
        of->u[i] += times * by[i];
    }
}

/* y = (K + B^T C^-1 B) x, of the blocks and what is beside them. */
static void multiply_tangent(body *of, const double *x, double *y)
{
    const ew_pattern *pattern = &of->moved.topology->pattern;
    ew_matrix blocks = {0};
    ew_list changed = {0};
    double *p = calloc(of->n, sizeof *p);
    must(ew_mixed_find_deformed_pressure(&of->mixed, &of->internal_force, &of->moved, of->p));
    must(ew_internal_force_record(&of->internal_force, &of->moved, 0.0, &changed));
    const ew_tangent from =
        ew_tangent_of(of->moved.mesh, of->moved.topology, &of->materials, &of->internal_force);
    must(ew_matrix_build(&blocks, &from.source));
    ew_matrix_product(&blocks, pattern, x, y);
    must(ew_mixed_prepare_deformed(&of->mixed, &of->internal_force, &of->moved));
    must(ew_mixed_find_pressure(&of->mixed, x, NULL, p));
    ew_mixed_add_pressure(&of->mixed, p, y, NULL);
    ew_matrix_free(&blocks);
    ew_list_free(&changed);
    free(p);
}

static double dot_of(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Of a step h: h^2 times third derivatives, and rounding / h. */
static void compare_differences(body *of)
{
    const double h = 1e-5;
    const size_t n = 3 * of->n;
    uint64_t random = 7;
    double *all = calloc(5 * n, sizeof *all);
    double *by = all, *force = all + n, *up = all + 2 * n, *down = all + 3 * n, *kx = all + 4 * n;
    for (size_t i = 0; i < n; i++) {
        by[i] = jitter_by(&random, 1.0);
    }
    (void)find_energy(of, force);
    multiply_tangent(of, by, kx);
    shift(of, by, h);
    const double high = find_energy(of, up);
    shift(of, by, -2.0 * h);
    const double low = find_energy(of, down);
    CU_ASSERT_DOUBLE_EQUAL((high - low) / (2.0 * h), dot_of(n, force, by), 1e-5);
    double worst = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs((up[i] - down[i]) / (2.0 * h) - kx[i]));
        largest = fmax(largest, fabs(kx[i]));
    }
    CU_ASSERT(worst < 1e-6 * largest);
    CU_ASSERT(largest > 1.0);
    free(all);
}

static void test_force_and_tangent_are_derivatives(void)
{
    for (int law = 0; law < N_LAW; law++) {
        body of;
        open_body(&of, law, EW_COROTATIONAL);
        compare_differences(&of);
        close_body(&of);
    }
    body small;
    open_body(&small, 3, EW_SMALL);
    compare_differences(&small);
    close_body(&small);
}

static void test_inverted_tets_have_no_pressure(void)
{
    body of;
    open_body(&of, 1, EW_COROTATIONAL);
    of.u[3 * 13] += 5.0; /* the vertex in the middle leaves the box */
    CU_ASSERT_EQUAL(ew_mixed_find_deformed_pressure(&of.mixed, &of.internal_force, &of.moved, of.p),
                    EW_NOT_FINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "inside out"));
    for (size_t v = 0; v < of.n; v++) {
        CU_ASSERT(of.p[v] == 0.0);
    }
    close_body(&of);
}

/* ---- torsion -------------------------------------------------------------------------------- */

#define C10 0.3
#define C01 0.2

/* A cylinder of radius 1 between z = 0 and 1 with n cells across; the far end turned by the angle
 * about z, both kept in their planes. */
static ew_model *make_cylinder(int32_t n, double poisson, double angle)
{
    const ew_material material = material_of(2, poisson);
    const ew_field_def def = {.name = "turn", .width = 3};
    ew_model_constraint fixed[2];
    ew_mesh mesh;
    int32_t field;
    must(ew_shape_box(&mesh, (double[3]){2.0, 2.0, 1.0}, (int32_t[3]){n, n, n / 2}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) { /* squares onto circles */
        double *x = mesh.xyz + 3 * (size_t)v;
        const double a = x[0] - 1.0, b = x[1] - 1.0, r = hypot(a, b);
        const double by = r > 0.0 ? fmax(fabs(a), fabs(b)) / r : 1.0;
        x[0] = a * by;
        x[1] = b * by;
    }
    ew_model *model = make_model(&mesh, poisson, NULL);
    const ew_mesh *m = ew_model_mesh(model);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(ew_model_add_field(model, &def, &field));
    for (int32_t v = 0; v < m->n_vertex; v++) {
        const double *x = m->xyz + 3 * (size_t)v, c = cos(angle), s = sin(angle);
        double *to = ew_model_field(model, field) + 3 * (size_t)v;
        to[0] = x[2] > 0.5 ? c * x[0] - s * x[1] - x[0] : 0.0;
        to[1] = x[2] > 0.5 ? s * x[0] + c * x[1] - x[1] : 0.0;
    }
    for (int k = 0; k < 2; k++) {
        fixed[k] = (ew_model_constraint){.set = add_slab(model, 2, k), .fixed = 7, .field = field};
    }
    must(ew_model_set_constraints(model, 2, fixed));
    return model;
}

/* Errors of the moment and the axial force at the far end, relative to the closed form. */
static void twist(int32_t n, double psi, bool mixed, double *moment, double *force)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info;
    const ew_fields *fields;
    ew_model *model = make_cylinder(n, 0.4999, psi);
    const ew_mesh *mesh = ew_model_mesh(model);
    def.n_step = 4;
    must(ew_model_set_mixed(model, mixed));
    must(ew_model_solve_nonlinear(model, &def, &info));
    CU_ASSERT(!mixed || (info->n_failed == 0 && info->n_iteration <= 24));
    must(ew_model_recover(model, &fields, NULL));
    *moment = *force = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *r = fields->reaction + 3 * (size_t)v, *u = ew_model_displacement(model);
        const double x = mesh->xyz[3 * v] + u[3 * v], y = mesh->xyz[3 * v + 1] + u[3 * v + 1];
        if (is_at(mesh, v, 2, 1.0)) {
            *moment += x * r[1] - y * r[0];
            *force += r[2];
        }
    }
    const double pi = 4.0 * atan(1.0);
    *moment = *moment / (pi * psi * (C10 + C01)) - 1.0;
    *force = *force / (-0.5 * pi * psi * psi * (C10 + 2.0 * C01)) - 1.0;
    ew_model_free(model);
}

/* Rivlin 1948, Large elastic deformations of isotropic materials IV, Phil. Trans. R. Soc. A 241: a
 * cylinder of radius a twisted by psi per length at constant length takes the moment pi psi a^4
 * (c10 + c01), and presses the ends apart by pi / 2 psi^2 a^4 (c10 + 2 c01). The polygon lacks area
 * of the second order in the size of the tets, and their strain energy is as much too large. Linear
 * tets lock. */
static void test_torsion_of_rubber(void)
{
    double moment[3], force[3];
    for (int k = 0; k < 3; k++) {
        twist(k < 2 ? 4 + 4 * k : 4, k < 2 ? 1.0 : 0.02, k < 2, &moment[k], &force[k]);
        printf("\n  %s: moment %+.4f, force %+.4f", k < 2 ? "mixed" : "linear", moment[k],
               force[k]);
    }
    CU_ASSERT(fabs(moment[1]) < 0.12 && fabs(moment[1]) < 0.3 * fabs(moment[0]));
    CU_ASSERT(fabs(force[1]) < 0.12 && fabs(force[1]) < 0.3 * fabs(force[0]));
    CU_ASSERT(moment[2] > 10.0 * fabs(moment[0]));
}

/* ---- heat, motion, modes ----------------------------------------------------------------------
 */

static ew_nonlinear_def tight_def(void)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.n_step = 3;
    def.tolerance = 1e-9;
    return def;
}

/* Warmed alike, free bodies expand without stress, and the work of heat is nil; of laws that take
 * strain as that of Biot, and of laws of J. */
static void test_free_bodies_expand(void)
{
    for (int law = 0; law < N_LAW; law++) {
        const ew_material material = material_of(law, 0.499);
        const ew_model_load heat = {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 100.0};
        const ew_nonlinear_def def = tight_def();
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        ew_mesh mesh;
        must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){2, 2, 2}));
        ew_model *model = make_model(&mesh, 0.499, NULL);
        const ew_model_constraint fixed[3] = {{.set = add_slab(model, 0, 0.0), .fixed = 1},
                                              {.set = add_slab(model, 1, 0.0), .fixed = 2},
                                              {.set = add_slab(model, 2, 0.0), .fixed = 4}};
        must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        must(ew_model_set_mixed(model, true));
        must(ew_model_set_constraints(model, 3, fixed));
        must(ew_model_set_loads(model, 1, &heat));
        must(ew_model_solve_nonlinear(model, &def, &info));
        must(ew_model_recover(model, NULL, &sums));
        for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
            CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(model)[i],
                                   0.1 * ew_model_mesh(model)->xyz[i], 1e-7);
        }
        CU_ASSERT(sums->max_tet_von_mises < 1e-6 && fabs(sums->max_principal) < 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(info->work, 0.0, 1e-7);
        ew_model_free(model);
    }
}

/* A beam of rubber, clamped at x = 0. */
static ew_model *make_beam(int law, const int32_t cells[3], ew_device *device)
{
    const ew_material material = material_of(law, 0.499);
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){4.0, 1.0, 1.0}, cells));
    ew_model *model = make_model(&mesh, 0.499, device);
    const ew_model_constraint fixed = {.set = add_slab(model, 0, 0.0), .fixed = 7};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(ew_model_set_constraints(model, 1, &fixed));
    return model;
}

static void load_tip(ew_model *model, double force)
{
    const ew_model_load load = {
        .kind = EW_LOAD_TOTAL_FORCE, .set = add_slab(model, 0, 4.0), .vector = {0.0, 0.0, force}};
    must(ew_model_set_loads(model, 1, &load));
}

/* Loaded of a sudden, it swings; energy that loads do is kinetic or in tets. */
static void test_motion_keeps_energy(void)
{
    ew_model *model = make_beam(1, (int32_t[3]){6, 2, 2}, NULL);
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account account;
    double worst = 0.0, most = 0.0;
    load_tip(model, 0.02);
    must(ew_model_set_mixed(model, true));
    def.account = true;
    def.newton_tolerance = 1e-9;
    def.solver.tolerance = 1e-10;
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < 40; i++) {
        must(ew_model_advance(model, 1.0, NULL));
        must(ew_model_account(model, &account));
        worst = fmax(worst, fabs(account.balance));
        most = fmax(most, account.external_work);
    }
    printf("\n  balance %.2e of %.2e", worst, most);
    CU_ASSERT(most > 0.005 && worst < 0.02 * most);
    ew_model_free(model);
}

/* Threads, and a second model. */
static void test_bits(void)
{
    const int before = ew_threads();
    double *known = NULL;
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_beam(2, (int32_t[3]){12, 4, 4}, NULL);
        const ew_nonlinear_def def = tight_def();
        const ew_nonlinear_info *info;
        const size_t n = 4 * (size_t)ew_model_mesh(model)->n_vertex;
        double *found = malloc(n * sizeof *found);
        load_tip(model, 0.02);
        must(ew_model_set_mixed(model, true));
        ew_use_threads(1 + k);
        must(ew_model_solve_nonlinear(model, &def, &info));
        must(ew_model_recover(model, NULL, NULL));
        memcpy(found, ew_model_displacement(model), 3 * n / 4 * sizeof *found);
        memcpy(found + 3 * n / 4, ew_model_volumetric_stress(model), n / 4 * sizeof *found);
        CU_ASSERT(!known || !memcmp(known, found, n * sizeof *found));
        free(k ? known : NULL);
        known = found;
        ew_model_free(model);
    }
    free(known);
    ew_use_threads(before);
}

static void test_refusals(void)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info;
    ew_model *model = make_beam(0, (int32_t[3]){2, 1, 1}, NULL);
    const ew_material cork = {.young = 1.0, .poisson = 0.0};
    must(ew_model_set_mixed(model, true));
    def.solver.preconditioner = EW_CHOLESKY;
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(model, &def, &info), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "solver: cg"));
    def.solver.preconditioner = EW_AUTO_PRECONDITIONER;
    must(ew_model_set_material(model, EW_ALL_REGIONS, &cork));
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(model, &def, &info), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "poisson > 0"));
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"force_and_tangent_are_derivatives", test_force_and_tangent_are_derivatives},
        {"inverted_tets_have_no_pressure", test_inverted_tets_have_no_pressure},
        {"torsion_of_rubber", test_torsion_of_rubber},
        {"free_bodies_expand", test_free_bodies_expand},
        {"motion_keeps_energy", test_motion_keeps_energy},
        {"bits", test_bits},
        {"refusals", test_refusals},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"mixed tets of large strains", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
