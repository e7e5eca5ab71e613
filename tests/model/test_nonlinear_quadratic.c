/* Nonlinear statics of quadratic tets, straight and curved: cantilevers against the elastica,
 * turned bodies, the tangent against differences and against the linear stiffness, rubber against
 * closed forms, a factor against iterations. */
#include "curved_fixture.h"
#include "ew_parts.h"
#include "model/formulation/formulation.h"
#include "solver/cholmod.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ew_material soft = {.young = 1e6, .poisson = 0.3, .density = 1000.0};

static int32_t add_end(ew_model *model, double x)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES, .allow_empty = true};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (fabs(mesh->xyz[3 * (size_t)v] - x) < 1e-9) {
            must(ew_list_push(&list, v));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

/* A box from the origin with a clamped end. */
static ew_model *make_bar(const double size[3], const int32_t n[3], const ew_material *material,
                          int32_t *tip)
{
    ew_model *model;
    ew_mesh mesh;
    const ew_model_def def = ew_default_model_def();
    must(ew_shape_box(&mesh, size, n));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, material));
    must(ew_model_set_order(model, true));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    const ew_model_constraint wall = {.set = add_end(model, 0.0), .fixed = 7};
    must(ew_model_set_constraints(model, 1, &wall));
    *tip = add_end(model, size[0]);
    return model;
}

/* ---- yielding --------------------------------------------------------------------- */

typedef struct progress_seen {
    double last;
    int n_stage, n_back;
} progress_seen;

static bool see_progress(void *user, const char *stage, double done)
{
    progress_seen *seen = user;
    seen->n_stage += strcmp(stage, "load steps") != 0;
    seen->n_back += done < seen->last;
    seen->last = done;
    return true;
}

/* A bar without hardening, bent until it yields at the wall: no stress that is reported is above
 * the yield stress, but for what Newton's tolerance leaves, though the linear functions through the
 * points of a tet are. Progress is that of the load, whatever is solved. */
static void test_yield_stress_bounds_what_is_reported(void)
{
    const ew_material material = {.young = 210e9,
                                  .poisson = 0.3,
                                  .yield_strength = 250e6,
                                  .law = &ew_law_plastic,
                                  .law_value = {[EW_PLASTIC_YIELD_STRESS] = 250e6}};
    const double size[3] = {1.0, 0.1, 0.1};
    progress_seen seen = {0.0, 0, 0};
    ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_fields *fields;
    const ew_sums *sums;
    ew_peak peak;
    int32_t tip;
    ew_model *model = make_bar(size, (int32_t[3]){8, 2, 2}, &material, &tip);
    def.n_step = 4;
    def.solver.progress = (ew_progress){.user = &seen, .call = see_progress};
    must(ew_model_set_loads(
        model, 1,
        &(ew_model_load){.kind = EW_LOAD_TOTAL_FORCE, .set = tip, .vector = {0.0, 0.0, -55e3}}));
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, &fields, &sums));
    must(ew_model_estimate(model, NULL, NULL));
    must(ew_model_peak(model, &peak));
    double largest = 0.0; /* what the tets have at their corners */
    for (size_t i = 0; i < 4 * (size_t)fields->n_tet; i++) {
        largest = fmax(largest, ew_von_mises(fields->corner_stress + 6 * i));
    }
    CU_ASSERT(sums->max_plastic_strain > 1e-5 && largest > 1.1 * 250e6);
    CU_ASSERT(peak.von_mises > 249e6 && peak.von_mises < 250.01e6);
    CU_ASSERT(peak.safety.yield > 0.9999 && peak.singularity.order == 0.0);
    CU_ASSERT(seen.last == 0.75 && !seen.n_stage && !seen.n_back);
    ew_model_free(model);
}

/* ---- bending ---------------------------------------------------------------------- */

/* F L^2 / (E I), and the tip's displacements across and back over the length (Mattiasson 1981),
 * with one cube across the height and nothing calibrated. Poisson's ratio is 0; shear, which the
 * elastica has not, adds 0.6 h^2 / L^2 to the first, 4e-4 here. */
static void test_cantilever_is_the_elastica(void)
{
    static const double table[3][3] = {{1.0, 0.30172077, 0.05643323},
                                       {3.0, 0.60325343, 0.25442018},
                                       {6.0, 0.74457114, 0.43458882}};
    const ew_material material = {.young = 1e6, .poisson = 0.0};
    const double size[3] = {10.0, 0.25, 0.25}, inertia = 0.25 * 0.25 * 0.25 * 0.25 / 12.0;
    const ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info;
    int32_t tip;
    ew_model *model = make_bar(size, (int32_t[3]){20, 1, 1}, &material, &tip);
    for (int k = 0; k < 3; k++) {
        const double force = table[k][0] * 1e6 * inertia / 100.0;
        must(ew_model_set_loads(model, 1,
                                &(ew_model_load){.kind = EW_LOAD_TOTAL_FORCE,
                                                 .set = tip,
                                                 .vector = {0.0, 0.0, force}}));
        must(ew_model_solve_nonlinear(model, &def, &info));
        CU_ASSERT(info->load_factor == 1.0 && info->n_iteration <= 12);
        ew_list list = {0};
        double mean[3] = {0.0};
        must(ew_model_list_vertices(model, tip, &list));
        for (int32_t i = 0; i < 3 * list.n; i++) {
            mean[i % 3] +=
                ew_model_displacement(model)[3 * (size_t)list.id[i / 3] + i % 3] / list.n;
        }
        ew_list_free(&list);
        CU_ASSERT_DOUBLE_EQUAL(mean[2] / 10.0, table[k][1], 0.002 * table[k][1]);
        CU_ASSERT_DOUBLE_EQUAL(-mean[0] / 10.0, table[k][2], 0.002 * table[k][2]);
    }
    ew_model_free(model);
}

/* ---- rotations ---------------------------------------------------------------------- */

/* R x about an oblique axis. */
static void rotate(double angle, const double *x, double *y)
{
    const double n[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}, c = cos(angle), s = sin(angle);
    const double along = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
    const double cross[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                             n[0] * x[1] - n[1] * x[0]};
    for (int k = 0; k < 3; k++) {
        y[k] = c * x[k] + s * cross[k] + (1.0 - c) * along * n[k];
    }
}

/* All rows; curves turn, too. */
static void turn(ew_model *model, double angle)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    double *u = ew_model_field(model, 0), y[3];
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        rotate(angle, mesh->xyz + 3 * v, y);
        for (int k = 0; k < 3; k++) {
            u[3 * v + k] = y[k] - mesh->xyz[3 * v + k] + 0.3 * k;
        }
    }
    for (int32_t row = 0; row < rows->pattern.n_row && rows->curve; row++) {
        rotate(angle, rows->curve + 3 * row, y);
        for (int k = 0; k < 3; k++) {
            u[3 * (mesh->n_vertex + row) + k] = y[k] - rows->curve[3 * row + k];
        }
    }
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void check_turned(ew_model *model)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    double *f = malloc(n * sizeof *f);
    const ew_sums *sums;
    for (int k = 1; k < 6; k++) {
        turn(model, 1.1 * k);
        must(model_prepare_internal_force(model));
        must(model_internal_force(model, ew_model_displacement(model), 0.0, f));
        CU_ASSERT(largest(f, n) < 1e6 * 1e-14); /* rounding of a stretch of 1, times E and size */
        must(ew_model_recover(model, NULL, &sums));
        CU_ASSERT(sums->max_von_mises < 1e6 * 2e-13);
        CU_ASSERT(sums->strain_energy < 1e6 * 1e-26);
    }
    free(f);
}

static void test_turned_body_carries_no_force(void)
{
    int32_t tip;
    ew_model *model = make_bar((double[3]){1.0, 0.5, 0.5}, (int32_t[3]){3, 2, 2}, &soft, &tip);
    check_turned(model);
    ew_model_free(model);
    model = make_bent_model_of(0.01, &soft);
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    check_turned(model);
    ew_model_free(model);
}

/* ---- the tangent -------------------------------------------------------------------- */

static void shake(ew_model *model, double *x, double size, uint64_t *state)
{
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        x[i] = size * ((double)ew_test_random(state, 2001) / 1000.0 - 1.0);
    }
}

/* K h against (f(u + s h) - f(u - s h)) / 2 s, at a displacement of a tenth of an edge; by records
 * and with all blocks stored. */
static void check_tangent(ew_model *model, double size)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    const double step = 1e-6;
    double *h = malloc(n * sizeof *h), *k = malloc(n * sizeof *h), *up = malloc(n * sizeof *h);
    double *down = malloc(n * sizeof *h), *u = ew_model_field(model, 0),
           *at = malloc(n * sizeof *h);
    uint64_t state = 3;
    shake(model, u, size, &state);
    shake(model, h, 1.0, &state);
    model_touch_records(model);
    must(model_update_matrix(model));
    must(model_blocks_product(model, h, k));
    for (int sign = -1; sign < 2; sign += 2) {
        for (size_t i = 0; i < n; i++) {
            at[i] = u[i] + sign * step * h[i];
        }
        must(model_internal_force(model, at, 0.0, sign < 0 ? down : up));
    }
    const double scale = largest(k, n);
    double most = 0.0, other = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs((up[i] - down[i]) / (2.0 * step) - k[i]));
    }
    CU_ASSERT(most < 1e-7 * scale); /* step^2 times third derivatives, and rounding / step */
    const ew_matrix *whole;
    const ew_pattern *pattern;
    must(ew_model_assemble_stiffness(model, &whole, &pattern));
    ew_matrix_product(whole, pattern, h, up);
    for (size_t i = 0; i < n; i++) {
        other = fmax(other, fabs(up[i] - k[i]));
    }
    CU_ASSERT(other < 1e-13 * scale);
    free(h);
    free(k);
    free(up);
    free(down);
    free(at);
}

static void test_tangent_is_the_derivative(void)
{
    ew_material list[3] = {soft, soft, soft};
    ew_material_put_law(&list[1], &ew_law_neo_hookean);
    list[2].kind = EW_ORTHOTROPIC;
    for (int k = 0; k < 3; k++) {
        list[2].young_along[k] = 1e6 * (1 + k);
        list[2].poisson_between[k] = 0.2;
        list[2].shear[k] = 4e5;
    }
    for (int k = 0; k < 3; k++) {
        int32_t tip;
        ew_model *model =
            make_bar((double[3]){1.0, 0.5, 0.5}, (int32_t[3]){3, 2, 2}, &list[k], &tip);
        check_tangent(model, 0.03);
        ew_model_free(model);
        model = make_bent_model_of(0.01, &list[k]);
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        check_tangent(model, 0.03);
        ew_model_free(model);
    }
}

/* At rest the tangent is the linear stiffness, but for rounding. */
static void test_tangent_at_rest_is_the_stiffness(void)
{
    for (int curved = 0; curved < 2; curved++) {
        int32_t tip;
        ew_model *model =
            curved ? make_bent_model_of(0.01, &soft)
                   : make_bar((double[3]){1.0, 0.5, 0.5}, (int32_t[3]){3, 2, 2}, &soft, &tip);
        const size_t n = 3 * (size_t)model_n_row(model);
        double *h = malloc(n * sizeof *h), *k[2] = {malloc(n * sizeof *h), malloc(n * sizeof *h)};
        uint64_t state = 8;
        shake(model, h, 1.0, &state);
        for (int i = 0; i < 2; i++) {
            must(ew_model_set_kinematics(model, i ? EW_COROTATIONAL : EW_SMALL));
            must(model_update_matrix(model));
            must(model_blocks_product(model, h, k[i]));
        }
        const double scale = largest(k[0], n);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(fabs(k[0][i] - k[1][i]) < 1e-13 * scale);
        }
        free(h);
        free(k[0]);
        free(k[1]);
        ew_model_free(model);
    }
}

/* ---- solvers -------------------------------------------------------------------------- */

/* The same equilibrium by a factor of all blocks, and with tets that are linear here and there. */
static void test_factor_gives_the_same(void)
{
    int32_t tip;
    ew_model *model = make_bar((double[3]){4.0, 0.5, 0.5}, (int32_t[3]){8, 2, 2}, &soft, &tip);
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_list some = {0};
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t += 3) {
        must(ew_list_push(&some, t));
    }
    def.tolerance = 1e-10;
    must(ew_model_set_loads(
        model, 1,
        &(ew_model_load){.kind = EW_LOAD_FORCE, .set = tip, .vector = {0.0, 0.0, 300.0}}));
    for (int mixed = 0; mixed < 2; mixed++) {
        must(mixed ? ew_model_enrich(model, &some, false) : EW_OK);
        const size_t n = 3 * (size_t)model_n_row(model);
        double *u = malloc(n * sizeof *u), *now = ew_model_field(model, 0);
        memset(now, 0, n * sizeof *now);
        def.solver.preconditioner = ew_default_pcg_def().preconditioner;
        must(ew_model_solve_nonlinear(model, &def, NULL));
        memcpy(u, now, n * sizeof *u);
        memset(now, 0, n * sizeof *now);
#if EW_WITH_CHOLMOD
        def.solver.preconditioner = EW_CHOLESKY;
        def.solver.direct = ew_direct_solver();
#endif
        must(ew_model_solve_nonlinear(model, &def, NULL));
        const double scale = largest(u, n);
        CU_ASSERT(scale > 0.5);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(fabs(u[i] - now[i]) < 1e-7 * scale);
        }
        free(u);
    }
    ew_list_free(&some);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"nonlinear_quadratic_yield", test_yield_stress_bounds_what_is_reported},
        {"test_cantilever_is_the_elastica", test_cantilever_is_the_elastica},
        {"test_turned_body_carries_no_force", test_turned_body_carries_no_force},
        {"test_tangent_is_the_derivative", test_tangent_is_the_derivative},
        {"test_tangent_at_rest_is_the_stiffness", test_tangent_at_rest_is_the_stiffness},
        {"test_factor_gives_the_same", test_factor_gives_the_same},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"nonlinear quadratic", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
