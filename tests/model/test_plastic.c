/* Plastic and creeping bodies as models: bars and spheres against closed forms, energy, states that
 * follow edits, the oracle. */
#include "model_edits.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <string.h>

static const double young = 200e3, yield_stress = 250.0, hardening = 5000.0;

static ew_material plastic(double poisson, double slope)
{
    ew_material material = {.young = young, .poisson = poisson, .density = 1e-9};
    ew_material_put_law(&material, &ew_law_plastic);
    material.law_value[EW_PLASTIC_YIELD_STRESS] = yield_stress;
    material.law_value[EW_PLASTIC_HARDENING] = slope;
    return material;
}

static int32_t add_by_label(ew_model *model, ew_set_kind kind, int32_t label)
{
    const ew_selector selector = {.kind = EW_SELECT_SURFACE, .label = label};
    const ew_model_set_def def = {.kind = kind, .allow_empty = true};
    ew_list list = {0};
    int32_t set = -1;
    const ew_boundary *boundary;
    must(ew_model_boundary(model, &boundary));
    must(kind == EW_SET_OF_FACES
             ? ew_boundary_select(boundary, ew_model_mesh(model), &selector, NULL, &list)
             : ew_mesh_select(ew_model_mesh(model), &selector, &list));
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

static ew_model_constraint along(int32_t set, int axis, double value)
{
    ew_model_constraint constraint = {.set = set, .fixed = (uint8_t)(1 << axis)};
    constraint.value[axis] = value;
    return constraint;
}

static ew_nonlinear_def settings(int32_t n_step)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.n_step = n_step;
    def.tolerance = 1e-9;
    def.solver.tolerance = 1e-11;
    return def;
}

/* ---- a bar ----------------------------------------------------------------------------- */

/* Tets of the bodies here are quadratic, and larger. */
static bool is_quadratic;

/* 4 x 1 x 1, on rollers, pulled along x. */
typedef struct bar {
    ew_model *model;
    int32_t low[3], end;
} bar;

static bar make_bar(const ew_material *material, ew_kinematics kinematics)
{
    static const int32_t label[3] = {1, 3, 5};
    const ew_model_def def = ew_default_model_def();
    bar b;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){4, 1, 1},
                      is_quadratic ? (int32_t[3]){2, 1, 1} : (int32_t[3]){6, 2, 2}));
    must(ew_model_create(&b.model, &mesh, &def));
    must(is_quadratic ? ew_model_set_order(b.model, true) : EW_OK);
    must(ew_model_set_material(b.model, EW_ALL_REGIONS, material));
    must(ew_model_set_kinematics(b.model, kinematics));
    for (int k = 0; k < 3; k++) {
        b.low[k] = add_by_label(b.model, EW_SET_OF_VERTICES, label[k]);
    }
    b.end = add_by_label(b.model, EW_SET_OF_VERTICES, 2);
    return b;
}

/* The end is moved to `stretch`, or free where that is NaN. The force there. */
static double pull(const bar *b, double stretch, const ew_nonlinear_def *def,
                   const ew_nonlinear_info **info, const ew_sums **sums)
{
    const ew_model_constraint list[4] = {along(b->low[0], 0, 0.0), along(b->low[1], 1, 0.0),
                                         along(b->low[2], 2, 0.0), along(b->end, 0, stretch)};
    const double origin[3] = {0.0};
    ew_set_results results;
    const ew_fields *fields;
    must(ew_model_set_constraints(b->model, isnan(stretch) ? 3 : 4, list));
    must(ew_model_solve_nonlinear(b->model, def, info));
    must(ew_model_recover(b->model, &fields, sums));
    must(ew_model_recover_set(b->model, b->end, 1, origin, &results));
    return isnan(stretch) ? 0.0 : results.reaction_force[0];
}

static double end_of(const bar *b)
{
    ew_list list = {0};
    must(ew_model_list_vertices(b->model, b->end, &list));
    const double x = ew_model_displacement(b->model)[3 * (size_t)list.id[0]];
    ew_list_free(&list);
    return x;
}

/* Stress = yield + H plastic; let go, the plastic strain stays; pulled again, it is elastic up to
 * where it was. Work is stored or dissipated, all of it. */
static void load_and_unload_bar(int32_t n_step)
{
    const ew_material material = plastic(0.3, hardening);
    const bar b = make_bar(&material, EW_SMALL);
    const ew_nonlinear_def def = settings(n_step);
    const ew_nonlinear_info *info;
    const ew_sums *sums;
    const double strain[] = {0.001, 0.004, 0.01, (double)NAN, 0.008, 0.012};
    double stored = 0.0, dissipated = 0.0, top = 0.0, plastic_strain = 0.0;
    for (size_t k = 0; k < sizeof strain / sizeof *strain; k++) {
        const double force = pull(&b, 4.0 * strain[k], &def, &info, &sums);
        const double e = isnan(strain[k]) ? plastic_strain : strain[k];
        const double trial = young * (e - plastic_strain);
        top = yield_stress + hardening * plastic_strain;
        const double flowed = trial > top ? (trial - top) / (young + hardening) : 0.0;
        plastic_strain += flowed;
        CU_ASSERT_DOUBLE_EQUAL(force, trial - young * flowed, 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(end_of(&b) / 4.0, e, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(sums->max_plastic_strain, plastic_strain, 1e-10);
        /* let go at once, points of quadratic tets flow on the way */
        CU_ASSERT(info->n_iteration <= n_step * 6 + (is_quadratic ? 8 : 0));
        /* by small strain all of these are exact */
        const double now = sums->strain_energy, lost = sums->dissipated;
        CU_ASSERT_DOUBLE_EQUAL(info->work, now - stored + lost - dissipated,
                               1e-6 * fabs(lost + now));
        CU_ASSERT(lost >= dissipated);
        const double mean = yield_stress + 0.5 * hardening * plastic_strain;
        CU_ASSERT_DOUBLE_EQUAL(lost, 4.0 * mean * plastic_strain, 1e-7 * lost);
        stored = now;
        dissipated = lost;
    }
    CU_ASSERT(plastic_strain > 0.009 && dissipated > 0.0);
    ew_model_free(b.model);
}

static void test_bar_is_loaded_and_unloaded(void)
{
    load_and_unload_bar(1);
    load_and_unload_bar(4);
}

/* Between points of a table: the area below it, however few the load steps are. */
static void test_energy_by_table(void)
{
    static const double point[3][2] = {{250.0, 0.0}, {300.0, 0.01}, {340.0, 0.05}};
    ew_material material = plastic(0.3, 0.0);
    memcpy(material.hardening, point, sizeof point);
    material.n_hardening = 3;
    const bar b = make_bar(&material, EW_SMALL);
    const double at[] = {0.0, 0.01, 0.05, 1.0}, y[] = {250.0, 300.0, 340.0, 340.0};
    const double strain[] = {0.004, 0.03, 0.08};
    for (size_t k = 0; k < sizeof strain / sizeof *strain; k++) {
        const ew_nonlinear_def def = settings(1);
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        double area = 0.0;
        (void)pull(&b, 4.0 * strain[k], &def, &info, &sums);
        const double end = sums->max_plastic_strain;
        for (int i = 0; i < 3; i++) {
            const double part = fmax(fmin(end, at[i + 1]) - at[i], 0.0);
            area += part * (y[i] + 0.5 * part * (y[i + 1] - y[i]) / (at[i + 1] - at[i]));
        }
        CU_ASSERT_DOUBLE_EQUAL(sums->dissipated, 4.0 * area, 1e-9 * area);
    }
    ew_model_free(b.model);
}

/* The same by corotational kinematics: Biot strain of a stretch is what small strain is. */
static void test_bar_by_corotational_tets(void)
{
    const ew_material material = plastic(0.3, hardening);
    double force[2], left[2];
    for (int k = 0; k < 2; k++) {
        const bar b = make_bar(&material, k ? EW_COROTATIONAL : EW_SMALL);
        const ew_nonlinear_def def = settings(2);
        const ew_sums *sums;
        force[k] = pull(&b, 0.04, &def, NULL, &sums);
        (void)pull(&b, (double)NAN, &def, NULL, &sums);
        left[k] = end_of(&b);
        ew_model_free(b.model);
    }
    CU_ASSERT_DOUBLE_EQUAL(force[0], force[1], 1e-6 * force[0]);
    CU_ASSERT_DOUBLE_EQUAL(left[0], left[1], 1e-8);
}

/* With a duration a load step lets clay flow; what flowed acts in the next one. */
static void test_clay_flows_and_stays(void)
{
    ew_material material = {.young = 1e4, .poisson = 0.3};
    ew_material_put_law(&material, &ew_law_creep);
    material.law_value[EW_CREEP_YIELD] = 0.001;
    material.law_value[EW_CREEP_RATE] = 2.0;
    material.law_value[EW_CREEP_VOLUME_PRESERVING] = 1.0;
    const bar b = make_bar(&material, EW_SMALL);
    const ew_sums *sums;
    const ew_nonlinear_info *info;
    ew_nonlinear_def def = settings(1);
    (void)pull(&b, 0.4, &def, &info, &sums);
    CU_ASSERT_EQUAL(sums->dissipated, 0.0); /* no time passes */
    const double elastic = pull(&b, 0.4, &def, &info, &sums), start = sums->strain_energy;
    double last = elastic;
    def.duration = 0.1;
    for (int k = 0; k < 10; k++) {
        const double before = sums->strain_energy + sums->dissipated;
        const double force = pull(&b, 0.4, &def, &info, &sums);
        CU_ASSERT(force < last);
        CU_ASSERT_DOUBLE_EQUAL(sums->strain_energy + sums->dissipated - before, info->work,
                               1e-6 * start);
        last = force;
    }
    CU_ASSERT(last < 0.5 * elastic && last > 0.0);
    def.duration = 0.0;
    (void)pull(&b, (double)NAN, &def, &info, &sums);
    CU_ASSERT(end_of(&b) > 0.2);
    ew_model_free(b.model);
}

/* What flows at the end of the last load step is balanced, too: another solve finds nothing to do.
 */
static void test_clay_ends_in_balance(void)
{
    ew_material material = {.young = 1e4, .poisson = 0.3};
    ew_material_put_law(&material, &ew_law_creep);
    material.law_value[EW_CREEP_YIELD] = 0.001;
    material.law_value[EW_CREEP_RATE] = 5.0;
    const bar b = make_bar(&material, EW_COROTATIONAL);
    const ew_model_constraint list[3] = {along(b.low[0], 0, 0.0), along(b.low[1], 1, 0.0),
                                         along(b.low[2], 2, 0.0)};
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE, .set = b.end, .vector = {300.0, 20.0}};
    const ew_nonlinear_info *info;
    ew_nonlinear_def def = settings(3);
    must(ew_model_set_constraints(b.model, 3, list));
    must(ew_model_set_loads(b.model, 1, &load));
    def.duration = 0.2;
    must(ew_model_solve_nonlinear(b.model, &def, &info));
    CU_ASSERT_EQUAL(info->n_step, 3);
    def.duration = 0.0;
    must(ew_model_solve_nonlinear(b.model, &def, &info));
    CU_ASSERT(info->history[0] < 1e-8);
    ew_model_free(b.model);
}

/* In motion what flowed acts from the next time step on: pulled by its end and let go, the bar
 * keeps a part of its stretch. What is moved, stored, dissipated and damped is what the loads did.
 */
static void test_clay_that_moves_stays_bent(void)
{
    static const ew_kinematics kinematics[] = {EW_SMALL, EW_COROTATIONAL};
    for (int k = 0; k < 2; k++) {
        ew_material material = {.young = 1e4, .poisson = 0.3, .density = 1.0};
        ew_material_put_law(&material, &ew_law_creep);
        material.law_value[EW_CREEP_YIELD] = 0.01;
        material.law_value[EW_CREEP_RATE] = 2.0;
        material.law_value[EW_CREEP_VOLUME_PRESERVING] = 1.0;
        const bar b = make_bar(&material, kinematics[k]);
        const ew_model_constraint list[3] = {along(b.low[0], 0, 0.0), along(b.low[1], 1, 0.0),
                                             along(b.low[2], 2, 0.0)};
        ew_dynamics_def def = ew_default_dynamics_def();
        ew_energy_account account = {0};
        def.damping_mass = 4.0;
        def.account = true;
        def.solver.tolerance = 1e-10;
        double last = 0.0;
        must(ew_model_set_constraints(b.model, 3, list));
        for (int on = 1; on >= 0; on--) {
            const ew_model_load load = {
                .kind = EW_LOAD_TOTAL_FORCE, .set = b.end, .vector = {on ? 600.0 : 0.0, 0.0, 0.0}};
            must(ew_model_set_loads(b.model, 1, &load));
            must(on ? ew_model_start_dynamics(b.model, &def, 0.0) : EW_OK);
            for (int i = 0; i < 300; i++) {
                must(ew_model_advance(b.model, 0.005, NULL));
                must(ew_model_account(b.model, &account));
                CU_ASSERT(account.dissipated >= last);
                last = account.dissipated;
            }
        }
        const double size = account.external_work;
        CU_ASSERT(end_of(&b) > 0.02 && account.dissipated > 0.1 * size);
        /* by small strain the scheme conserves, through all jumps of forces that flow makes */
        CU_ASSERT(fabs(account.balance) < (k ? 1e-3 : 1e-8) * size);
        ew_model_free(b.model);
    }
}

/* ---- a hollow sphere ------------------------------------------------------------------------ */

/* Hill (1950), The Mathematical Theory of Plasticity, chapter 5: yielding up to radius c in a shell
 * from a to b by the inner pressure p = 2 Y (ln(c / a) + (1 - (c / b)^3) / 3); outside it is
 * elastic with radial displacement Y c^3 (1 - nu) / (E b^2) at b. Let go, all unloads elastically.
 */
static void test_hollow_sphere_yields_up_to_a_radius(void)
{
    const double nu = 0.3, a = 1.0, b = 2.0, c = 1.4;
    const ew_material material = plastic(nu, 0.0);
    const ew_model_def def = ew_default_model_def();
    const ew_nonlinear_def newton = settings(4);
    ew_model *model;
    ew_mesh mesh;
    int32_t side[3];
    must(ew_shape_sphere_octant(&mesh, a, b,
                                is_quadratic ? (int32_t[2]){4, 5} : (int32_t[2]){8, 14}));
    must(ew_model_create(&model, &mesh, &def));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    ew_model_constraint list[3];
    for (int k = 0; k < 3; k++) {
        side[k] = add_by_label(model, EW_SET_OF_VERTICES, 3 + k);
        list[k] = along(side[k], k, 0.0);
    }
    must(ew_model_set_constraints(model, 3, list));
    ew_model_load load = {.kind = EW_LOAD_PRESSURE,
                          .set = add_by_label(model, EW_SET_OF_FACES, 1),
                          .pressure =
                              2.0 * yield_stress * (log(c / a) + (1.0 - pow(c / b, 3)) / 3.0)};
    const int32_t outer = add_by_label(model, EW_SET_OF_VERTICES, 2);
    const double pressure = load.pressure;
    for (int k = 0; k < 2; k++) {
        load.pressure = k ? 0.0 : pressure;
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_solve_nonlinear(model, &newton, NULL));
        ew_list vertex = {0};
        double mean = 0.0;
        must(ew_model_list_vertices(model, outer, &vertex));
        for (int32_t i = 0; i < vertex.n; i++) {
            const double *u = ew_model_displacement(model) + 3 * (size_t)vertex.id[i];
            mean += sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / vertex.n;
        }
        ew_list_free(&vertex);
        const double loaded = yield_stress * pow(c, 3) * (1.0 - nu) / (young * b * b);
        const double back =
            1.5 * pressure * pow(a, 3) * b * (1.0 - nu) / (young * (pow(b, 3) - pow(a, 3)));
        CU_ASSERT_DOUBLE_EQUAL(mean, k ? loaded - back : loaded, 0.03 * loaded);
    }
    ew_model_free(model);
}

static void test_quadratic_tets_flow_alike(void)
{
    is_quadratic = true;
    test_bar_is_loaded_and_unloaded();
    test_energy_by_table();
    test_bar_by_corotational_tets();
    test_clay_flows_and_stays();
    test_clay_ends_in_balance();
    test_hollow_sphere_yields_up_to_a_radius();
    is_quadratic = false;
}

/* ---- edits --------------------------------------------------------------------------------- */

/* An image would carry the plastic strain of its tet along axes that are not its own. */
static void test_bodies_that_flowed_are_not_mapped(void)
{
    const ew_operation *mirror = ew_operation_named("mirror");
    const ew_material material = plastic(0.3, hardening);
    const bar b = make_bar(&material, EW_SMALL);
    const ew_nonlinear_def def = settings(1);
    const ew_sums *sums;
    ew_operation_values values = ew_operation_presets(mirror);
    must(ew_operation_set(mirror, &values, "normal", "x", EW_AS_KEYS));
    (void)pull(&b, 0.001, &def, NULL, &sums); /* elastic */
    must(ew_model_queue_operation(b.model, mirror, &values, NULL));
    (void)pull(&b, 0.02, &def, NULL, &sums);
    CU_ASSERT_EQUAL(ew_model_queue_operation(b.model, mirror, &values, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "has plastic strain"));
    ew_model_free(b.model);
}

/* Whoever turns it: what flowed has axes of its own. A shift leaves these. */
static void test_bodies_that_flowed_are_not_turned(void)
{
    const ew_operation *move = ew_operation_named("move");
    const ew_material material = plastic(0.3, hardening);
    const bar b = make_bar(&material, EW_SMALL);
    const ew_nonlinear_def def = settings(1);
    const ew_sums *sums;
    ew_operation_values turn = ew_operation_presets(move), shift = turn;
    must(ew_operation_set(move, &turn, "angle", "90", EW_AS_KEYS));
    must(ew_operation_set(move, &turn, "axis", "x", EW_AS_KEYS));
    must(ew_operation_set(move, &shift, "by", "0.3,0.1,0.2", EW_AS_KEYS));
    (void)pull(&b, 0.02, &def, NULL, &sums);
    const uint64_t before = ew_model_mesh(b.model)->revision;
    must(ew_model_queue_operation(b.model, move, &turn, NULL));
    CU_ASSERT_EQUAL(ew_model_commit(b.model), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "has plastic strain"));
    CU_ASSERT_EQUAL(ew_model_mesh(b.model)->revision, before);
    must(ew_model_queue_operation(b.model, move, &shift, NULL));
    must(ew_model_commit(b.model));
    ew_model_free(b.model);
}

/* In place of a solve: the same state, and the same bits ever after. */
static void test_accepted_solve_goes_on_alike(void)
{
    const ew_material material = plastic(0.3, hardening);
    ew_nonlinear_def def = settings(2);
    def.is_fresh = true;
    const bar b = make_bar(&material, EW_COROTATIONAL);
    const bar c = make_bar(&material, EW_COROTATIONAL);
    const ew_sums *sums;
    int32_t n_state;
    (void)pull(&b, 0.03, &def, NULL, &sums);
    const double *state = ew_model_law_state(b.model, &n_state);
    must(ew_model_accept_nonlinear(c.model, n_state * ew_model_mesh(b.model)->n_tet,
                                   ew_model_displacement(b.model), state));
    (void)pull(&b, 0.05, &def, NULL, &sums);
    (void)pull(&c, 0.05, &def, NULL, &sums);
    const ew_mesh *mesh = ew_model_mesh(b.model);
    CU_ASSERT_EQUAL(memcmp(ew_model_displacement(b.model), ew_model_displacement(c.model),
                           3 * sizeof(double) * (size_t)mesh->n_vertex),
                    0);
    CU_ASSERT_EQUAL(memcmp(ew_model_law_state(b.model, &n_state),
                           ew_model_law_state(c.model, &n_state),
                           EW_MAX_LAW_STATE * sizeof(double) * (size_t)mesh->n_tet),
                    0);
    ew_model_free(b.model);
    ew_model_free(c.model);
}

static bool is_zero_state(const double *state, int32_t tet)
{
    static const double zero[EW_MAX_LAW_STATE];
    return !memcmp(state + EW_MAX_LAW_STATE * (size_t)tet, zero, sizeof zero);
}

/* Neither in a free slot nor in a body that became elastic, whose records are those of turned
 * tets. */
static void test_no_state_where_nothing_flows(void)
{
    const ew_material material = plastic(0.3, hardening);
    const ew_nonlinear_def def = settings(1);
    const bar b = make_bar(&material, EW_COROTATIONAL);
    const ew_sums *sums;
    editor e = {.state = 5};
    int32_t n_state, n_free = 0;
    (void)pull(&b, 0.02, &def, NULL, &sums);
    for (int k = 0; k < 10; k++) {
        const ew_status status = ew_model_apply(b.model, queue_any, &e);
        CU_ASSERT(!status || status == EW_BAD_EDIT || status == EW_BAD_INPUT);
    }
    const ew_mesh *mesh = ew_model_mesh(b.model);
    ew_model_begin(b.model);
    must(ew_edit_remove_tet(ew_model_edit(b.model), random_live_tet(mesh, &e.state)));
    must(ew_model_commit(b.model));
    (void)pull(&b, 0.02, &def, NULL, &sums);
    const double *state = ew_model_law_state(b.model, &n_state);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        CU_ASSERT(ew_mesh_tet_is_live(mesh, t) || is_zero_state(state, t));
        n_free += !ew_mesh_tet_is_live(mesh, t);
    }
    CU_ASSERT(n_free > 0);
    must(ew_model_set_material(b.model, EW_ALL_REGIONS,
                               &(ew_material){.young = young, .poisson = 0.3, .density = 1e-9}));
    (void)pull(&b, 0.02, &def, NULL, &sums);
    state = ew_model_law_state(b.model, &n_state);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        CU_ASSERT(is_zero_state(state, t));
    }
    CU_ASSERT_EQUAL(sums->max_plastic_strain, 0.0);
    ew_model_free(b.model);
}

static CU_TestInfo tests[] = {
    {"bar_is_loaded_and_unloaded", test_bar_is_loaded_and_unloaded},
    {"energy_by_table", test_energy_by_table},
    {"bar_by_corotational_tets", test_bar_by_corotational_tets},
    {"clay_flows_and_stays", test_clay_flows_and_stays},
    {"clay_ends_in_balance", test_clay_ends_in_balance},
    {"clay_that_moves_stays_bent", test_clay_that_moves_stays_bent},
    {"hollow_sphere_yields_up_to_a_radius", test_hollow_sphere_yields_up_to_a_radius},
    {"quadratic_tets_flow_alike", test_quadratic_tets_flow_alike},
    {"bodies_that_flowed_are_not_mapped", test_bodies_that_flowed_are_not_mapped},
    {"bodies_that_flowed_are_not_turned", test_bodies_that_flowed_are_not_turned},
    {"accepted_solve_goes_on_alike", test_accepted_solve_goes_on_alike},
    {"no_state_where_nothing_flows", test_no_state_where_nothing_flows},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"plastic", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
