/* Linear equations between displacements: two halves of a box, whose meshes share no vertex, tied
 * point by point are the whole box, in statics, in motion and in modes; equations that follow from
 * others, or contradict; what edits take away. */
#include "direct_fixture.h"
#include "halves_fixture.h"
#include "planes.h"
#include "testlib.h"

#include "model/parts/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WALL_END, TIP_END, MAX_TERMS = 4000 };

static const ew_model_set_def lasting = {.kind = EW_SET_OF_VERTICES};

/* ---- bodies -------------------------------------------------------------- */

typedef struct equations {
    int32_t n, n_term;
    ew_model_equation list[MAX_TERMS / 2];
    ew_model_term term[MAX_TERMS];
} equations;

/* The halves with vertices of their own where they meet: those of the second are behind all others.
 */
static void make_parted(ew_mesh *mesh, const int32_t cells[3])
{
    ew_mesh whole;
    make_halves(&whole, cells);
    const int32_t n = whole.n_vertex;
    double *xyz = malloc(6 * (size_t)n * sizeof *xyz);
    int32_t *tet = malloc(4 * (size_t)whole.n_tet * sizeof *tet);
    int32_t *label = malloc((size_t)whole.n_tet * sizeof *label);
    for (int32_t i = 0; i < 6 * n; i++) {
        xyz[i] = whole.xyz[i % (3 * n)];
    }
    for (int32_t t = 0; t < whole.n_tet; t++) {
        label[t] = whole.region_label[whole.region[t]];
        for (int k = 0; k < 4; k++) {
            tet[4 * t + k] = whole.tet[4 * t + k] + (label[t] == 3 ? n : 0);
        }
    }
    const ew_mesh_def def = {
        .n_vertex = 2 * n, .xyz = xyz, .n_tet = whole.n_tet, .tet = tet, .region = label};
    must(ew_mesh_init(mesh, &def, NULL));
    free(xyz);
    free(tet);
    free(label);
    ew_mesh_free(&whole);
}

static ew_model *make_box(const int32_t cells[3], bool parted, bool quadratic)
{
    const ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    ew_mesh mesh;
    if (parted) {
        make_parted(&mesh, cells);
    } else {
        make_halves(&mesh, cells);
    }
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_order(model, quadratic));
    (void)add_plane_set(model, &lasting, 0, 0.0);
    (void)add_plane_set(model, &lasting, 0, 2.0);
    must(ew_model_set_constraints(model, 1, &(ew_model_constraint){.set = WALL_END, .fixed = 7}));
    must(ew_model_set_loads(
        model, 1,
        &(ew_model_load){.kind = EW_LOAD_TOTAL_FORCE, .set = TIP_END, .vector = {1, -2, 3}}));
    return model;
}

static void tie(equations *to, const int64_t a[2], const int64_t b[2], int c, double value)
{
    ew_model_term *term = to->term + to->n_term;
    term[0] = (ew_model_term){.set = -1, .end = {a[0], a[1]}};
    term[1] = (ew_model_term){.set = -1, .end = {b[0], b[1]}};
    term[0].factor[c] = 1.0;
    term[1].factor[c] = -1.0;
    to->list[to->n++] = (ew_model_equation){2, term, value};
    to->n_term += 2;
}

static bool is_between(const ew_mesh *mesh, int32_t v)
{
    return fabs(mesh->xyz[3 * (size_t)v] - 1.0) < 1e-9;
}

/* Every vertex and every middle of an edge where the halves meet. n: vertices of one of them. */
static void tie_halves(ew_model *model, bool quadratic, double gap, equations *to)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_pattern *edges = &ew_model_topology(model)->pattern;
    const int64_t n = mesh->next_vertex_id / 2;
    to->n = to->n_term = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const int64_t id = mesh->vertex_id[v];
        for (int c = 0; c < 3 && id < n && is_between(mesh, v); c++) {
            tie(to, (int64_t[]){id, id}, (int64_t[]){id + n, id + n}, c, c == 0 ? gap : 0.0);
        }
    }
    for (int32_t e = 0; e < edges->n_pair && quadratic; e++) {
        const int32_t *end = edges->pair_row + 2 * (size_t)e;
        const int64_t a = mesh->vertex_id[end[0]], b = mesh->vertex_id[end[1]];
        for (int c = 0; c < 3 && a < n && is_between(mesh, end[0]) && is_between(mesh, end[1]);
             c++) {
            tie(to, (int64_t[]){a, b}, (int64_t[]){a + n, b + n}, c, c == 0 ? gap : 0.0);
        }
    }
}

/* Largest difference of two displacements at the same places, but for a shift of the second half of
 * the parted one, relative to the largest. */
static double compare(ew_model *whole, ew_model *parted, double shift)
{
    const ew_mesh *mesh = ew_model_mesh(parted);
    const double *u = ew_model_displacement(parted), *w = ew_model_displacement(whole);
    const int64_t n = mesh->next_vertex_id / 2;
    double worst = 0.0, largest = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const int64_t id = mesh->vertex_id[v];
        const int32_t other = ew_model_find_vertex(whole, id % n);
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            const double moved = id >= n && c == 0 ? shift : 0.0;
            worst = fmax(worst, fabs(u[3 * v + c] + moved - w[3 * other + c]));
            largest = fmax(largest, fabs(w[3 * other + c]));
        }
    }
    return worst / largest;
}

static const int32_t few[3] = {6, 3, 3};

/* ---- statics -------------------------------------------------------------- */

static void test_tied_halves_are_the_whole(void)
{
    static equations all;
    for (int k = 0; k < 2; k++) {
        ew_model *whole = make_box(few, false, k), *parted = make_box(few, true, k);
        ew_pcg_def def = ew_default_pcg_def();
        const ew_pcg_info *info;
        const ew_fields *fields;
        const ew_sums *sums;
        def.tolerance = 1e-10;
        def.preconditioner = EW_RIGID;
        must(ew_model_solve(whole, &def, &info));
        const int32_t before = info->iterations;
        CU_ASSERT_EQUAL(ew_model_solve(parted, &def, &info), EW_UNDER_CONSTRAINED);
        for (int shift = 0; shift < 2; shift++) {
            tie_halves(parted, k, 0.001 * shift, &all);
            must(ew_model_set_equations(parted, all.n, all.list));
            must(ew_model_solve(parted, &def, &info));
            CU_ASSERT(2 * info->iterations <= 3 * before);
            CU_ASSERT(compare(whole, parted, 0.001 * shift) < 1e-8);
            must(ew_model_recover(parted, &fields, &sums));
            const double reaction[3] = {-1.0, 2.0, -3.0};
            for (int c = 0; c < 3; c++) {
                CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[c], reaction[c], 1e-7);
            }
            const ew_model_equation_report report = ew_model_view_equations(parted);
            CU_ASSERT_EQUAL(report.n_dependent, 0);
            CU_ASSERT_EQUAL(report.n, all.n);
            double sum = 0.0; /* of the forces on the first half */
            for (int32_t v = 0; v < ew_model_mesh(parted)->n_vertex; v++) {
                sum +=
                    ew_model_mesh(parted)->vertex_id[v] < ew_model_mesh(parted)->next_vertex_id / 2
                        ? report.force[3 * v + 2]
                        : 0.0;
            }
            CU_ASSERT_DOUBLE_EQUAL(sum, 3.0, 1e-7);
        }
        ew_model_free(whole);
        ew_model_free(parted);
    }
}

/* Plastic, or turning, the end dragged aside in load steps. */
static void test_tied_halves_yield_and_turn_as_the_whole(void)
{
    static equations all;
    for (int k = 0; k < 4; k++) {
        const int32_t cells[3] = {4, 2, 2};
        const bool turns = k / 2;
        ew_model *model[2];
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_nonlinear_info *info[2];
        def.n_step = 2;
        def.tolerance = 1e-9;
        def.solver.tolerance = 1e-11;
        ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        if (!turns) {
            ew_material_put_law(&material, &ew_law_plastic);
            material.law_value[EW_PLASTIC_YIELD_STRESS] = 2.0;
            material.law_value[EW_PLASTIC_HARDENING] = 5.0;
        }
        int32_t iterations[2];
        for (int i = 0; i < 2; i++) {
            model[i] = make_box(cells, i, k % 2);
            must(ew_model_set_material(model[i], EW_ALL_REGIONS, &material));
            must(ew_model_set_kinematics(model[i], turns ? EW_COROTATIONAL : EW_SMALL));
            must(ew_model_set_loads(model[i], 0, NULL));
            must(ew_model_set_constraints(
                model[i], 2,
                (ew_model_constraint[]){
                    {.set = WALL_END, .fixed = 7},
                    {.set = TIP_END, .fixed = 7, .value = {0, 0, turns ? 1.0 : 0.1}}}));
            tie_halves(model[i], k % 2, 0.0, &all);
            must(i ? ew_model_set_equations(model[i], all.n, all.list) : EW_OK);
            must(ew_model_solve_nonlinear(model[i], &def, &info[i]));
            iterations[i] = info[i]->n_iteration;
        }
        CU_ASSERT(compare(model[0], model[1], 0.0) < 1e-7);
        CU_ASSERT(abs(iterations[0] - iterations[1]) <= 1);
        const ew_sums *sums[2];
        for (int i = 0; i < 2; i++) {
            must(ew_model_recover(model[i], NULL, &sums[i]));
        }
        CU_ASSERT(fabs(sums[1]->strain_energy / sums[0]->strain_energy - 1.0) < 1e-7);
        CU_ASSERT(sums[1]->equilibrium < 1e-7);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* ---- motion and modes ------------------------------------------------------ */

static void step_in_time(ew_model *model, bool consistent)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.mass = consistent ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
    def.solver.tolerance = 1e-11;
    def.account = true;
    def.newton_tolerance = 1e-10;
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int step = 0; step < 5; step++) {
        must(ew_model_advance(model, 0.05, NULL));
    }
}

static void test_tied_halves_move_as_the_whole(void)
{
    static equations all;
    for (int k = 0; k < 5; k++) { /* the last one yields */
        const int32_t cells[3] = {4, 2, 2};
        ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        ew_model *whole = make_box(cells, false, k / 2 % 2),
                 *parted = make_box(cells, true, k / 2 % 2);
        ew_energy_account account;
        if (k == 4) {
            ew_material_put_law(&material, &ew_law_plastic);
            material.law_value[EW_PLASTIC_YIELD_STRESS] = 5.0;
            material.law_value[EW_PLASTIC_HARDENING] = 50.0;
            must(ew_model_set_material(whole, EW_ALL_REGIONS, &material));
            must(ew_model_set_material(parted, EW_ALL_REGIONS, &material));
        }
        tie_halves(parted, k / 2 % 2, 0.0, &all);
        must(ew_model_set_equations(parted, all.n, all.list));
        step_in_time(whole, k % 2);
        step_in_time(parted, k % 2);
        CU_ASSERT(compare(whole, parted, 0.0) < 1e-8);
        must(ew_model_account(parted, &account));
        CU_ASSERT(fabs(account.balance) < 1e-8 * account.kinetic);
        CU_ASSERT_EQUAL(account.dissipated > 0.1 * account.kinetic, k == 4);
        ew_model_free(whole);
        ew_model_free(parted);
    }
}

#if EW_WITH_CHOLMOD
static void test_tied_halves_vibrate_as_the_whole(void)
{
    static equations all;
    for (int k = 0; k < 2; k++) {
        ew_model *whole = make_box(few, false, k), *parted = make_box(few, true, k);
        const ew_modes_def def = modes_def(6);
        const ew_modes *modes;
        double frequency[6];
        must(ew_model_modes(whole, &def, &modes));
        memcpy(frequency, modes->frequency, sizeof frequency);
        tie_halves(parted, k, 0.0, &all);
        must(ew_model_set_equations(parted, all.n, all.list));
        must(ew_model_modes(parted, &def, &modes));
        CU_ASSERT_EQUAL(modes->n_rigid, 0);
        for (int i = 0; i < 6; i++) {
            CU_ASSERT_DOUBLE_EQUAL(modes->frequency[i] / frequency[i], 1.0, 1e-8);
        }
        const ew_pcg_def direct = direct_def(1e-10);
        ew_pcg_def def_whole = ew_default_pcg_def();
        def_whole.tolerance = 1e-10;
        must(ew_model_solve(parted, &direct, NULL));
        must(ew_model_solve(whole, &def_whole, NULL));
        CU_ASSERT(compare(whole, parted, 0.0) < 1e-8);
        ew_model_free(whole);
        ew_model_free(parted);
    }
}
#endif

/* ---- equations that say the same, or the contrary --------------------------- */

static void test_dependent_equations_count_once(void)
{
    static equations all;
    ew_model *whole = make_box(few, false, false), *parted = make_box(few, true, false);
    const ew_pcg_def def = ew_default_pcg_def();
    tie_halves(parted, false, 0.0, &all);
    const int32_t n = all.n;
    for (int32_t i = 0; i < n; i++) { /* each again, twice as large */
        ew_model_term *term = all.term + all.n_term;
        for (int k = 0; k < 2; k++) {
            term[k] = all.list[i].term[k];
            for (int c = 0; c < 3; c++) {
                term[k].factor[c] *= 2.0;
            }
        }
        all.n_term += 2;
        all.list[all.n++] = (ew_model_equation){2, term, 0.0};
    }
    must(ew_model_set_equations(parted, all.n, all.list));
    must(ew_model_solve(parted, &def, NULL));
    must(ew_model_solve(whole, &def, NULL));
    CU_ASSERT(compare(whole, parted, 0.0) < 1e-6);
    CU_ASSERT_EQUAL(ew_model_view_equations(parted).n_dependent, n);
    all.list[n + 7].value = 0.1;
    must(ew_model_set_equations(parted, all.n, all.list));
    CU_ASSERT_EQUAL(ew_model_solve(parted, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "contradicts constraints") != NULL);
    ew_model_free(whole);
    ew_model_free(parted);
}

/* All vertices and edges of the end move alike along x; at a constraint an equation is the rest of
 * it. */
static void test_sets_and_constraints_in_equations(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_box(few, false, k);
        ew_pcg_def def = ew_default_pcg_def();
        def.tolerance = 1e-11;
        ew_list corner = {0};
        int32_t last;
        ew_list tip = {0};
        must(ew_model_list_vertices(model, TIP_END, &tip));
        must(ew_list_push(&corner, tip.id[0]));
        must(ew_model_add_set(model, &(ew_model_set_def){.kind = EW_SET_OF_VERTICES}, &corner,
                              &last));
        const ew_model_term term[2] = {{.set = TIP_END, .factor = {1.0, 0.0, 0.0}},
                                       {.set = last, .factor = {-1.0, 0.0, 0.0}}};
        must(ew_model_set_equations(model, 1, &(ew_model_equation){2, term, 0.0}));
        must(ew_model_solve(model, &def, NULL));
        const double *u = ew_model_displacement(model);
        for (int32_t i = 0; i < tip.n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(u[3 * tip.id[i]], u[3 * tip.id[0]], 1e-10);
        }
        const ew_edge_rows *rows = ew_model_edge_rows(model);
        const ew_mesh *mesh = ew_model_mesh(model);
        int32_t n_edge = 0;
        for (int32_t row = 0; rows && row < rows->pattern.n_row; row++) {
            const int32_t *end = ew_model_topology(model)->pattern.pair_row + 2 * rows->edge[row];
            if (mesh->xyz[3 * end[0]] > 1.999 && mesh->xyz[3 * end[1]] > 1.999) {
                CU_ASSERT_DOUBLE_EQUAL(ew_model_edge_displacement(model)[3 * row], 0.0, 1e-12);
                n_edge++;
            }
        }
        CU_ASSERT(n_edge > 0 || !k);
        CU_ASSERT(ew_model_view_equations(model).n_dependent == 1); /* the corner's own */
        /* a vertex of the wall moves with the corner: that is fixed, then */
        ew_list wall = {0};
        must(ew_model_list_vertices(model, WALL_END, &wall));
        const int64_t at[2] = {mesh->vertex_id[wall.id[0]], mesh->vertex_id[tip.id[0]]};
        const ew_model_term fix[2] = {{.set = -1, .end = {at[0], at[0]}, .factor = {1, 1, 0}},
                                      {.set = -1, .end = {at[1], at[1]}, .factor = {2, 0, 0}}};
        must(ew_model_set_equations(model, 1, &(ew_model_equation){2, fix, 0.02}));
        must(ew_model_solve(model, &def, NULL));
        CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(model)[3 * tip.id[0]], 0.01, 1e-12);
        const ew_fields *fields;
        const ew_sums *sums;
        must(ew_model_recover(model, &fields, &sums));
        CU_ASSERT(sums->equilibrium < 1e-7);
        ew_list_free(&corner);
        ew_list_free(&tip);
        ew_list_free(&wall);
        ew_model_free(model);
    }
}

/* ---- edits ------------------------------------------------------------------ */

/* Equations at vertices that go are left out and told of; the others hold in the body that is left.
 */
static void test_edits_keep_or_tell_equations(void)
{
    static equations all;
    ew_model *parted = make_box(few, true, false), *fresh = make_box(few, true, false);
    const ew_pcg_def def = ew_default_pcg_def();
    const ew_mesh *mesh = ew_model_mesh(parted);
    tie_halves(parted, false, 0.0, &all);
    const int32_t doomed = ew_model_find_vertex(parted, all.list[0].term[1].end[0]);
    must(ew_model_set_equations(parted, all.n, all.list));
    must(ew_model_solve(parted, &def, NULL));
    ew_model *both[2] = {parted, fresh};
    for (int m = 0; m < 2; m++) {
        for (int32_t t = 0; t < mesh->n_tet; t++) {
            const int32_t *v = mesh->tet + 4 * (size_t)t;
            if (v[0] == doomed || v[1] == doomed || v[2] == doomed || v[3] == doomed) {
                must(ew_edit_remove_tet(ew_model_edit(both[m]), t));
            }
        }
        if (m == 1) {
            must(ew_model_commit(parted));
            must(ew_model_commit(fresh));
        }
    }
    must(ew_model_solve(parted, &def, NULL));
    CU_ASSERT_EQUAL(ew_model_view_equations(parted).n_lost, 3);
    CU_ASSERT_EQUAL(ew_model_view_equations(parted).first_lost, 0);
    must(ew_model_set_equations(fresh, all.n - 3, all.list + 3));
    must(ew_model_solve(fresh, &def, NULL));
    const double *u = ew_model_displacement(parted), *w = ew_model_displacement(fresh);
    double worst = 0.0, largest = 0.0;
    for (int32_t i = 0; i < 3 * mesh->n_vertex; i++) {
        worst = fmax(worst, fabs(u[i] - w[i]));
        largest = fmax(largest, fabs(w[i]));
    }
    CU_ASSERT(worst < 1e-6 * largest);
    ew_model_free(parted);
    ew_model_free(fresh);
}

/* A hinge of equations leaves a rotation, which is told. */
static void test_what_equations_leave_free_is_told(void)
{
    static equations all;
    ew_model *parted = make_box(few, true, false);
    const ew_pcg_def def = ew_default_pcg_def();
    tie_halves(parted, false, 0.0, &all);
    must(ew_model_set_equations(parted, 3, all.list));
    CU_ASSERT_EQUAL(ew_model_solve(parted, &def, NULL), EW_UNDER_CONSTRAINED);
    must(ew_model_set_equations(parted, 15, all.list)); /* not in line */
    must(ew_model_solve(parted, &def, NULL));
    must(ew_model_set_equations(parted, 0, NULL));
    CU_ASSERT_EQUAL(ew_model_solve(parted, &def, NULL), EW_UNDER_CONSTRAINED);
    ew_model_free(parted);
}

static void test_bad_equations_are_refused(void)
{
    ew_model *model = make_box(few, false, false);
    const ew_model_term none = {.set = WALL_END}, no_set = {.set = 9, .factor = {1.0, 0.0, 0.0}},
                        good = {.set = -1, .factor = {1.0, 0.0, 0.0}};
    CU_ASSERT_EQUAL(ew_model_set_equations(model, 1, &(ew_model_equation){0, &good, 0.0}),
                    EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_set_equations(model, 1, &(ew_model_equation){1, &none, 0.0}),
                    EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_set_equations(model, 1, &(ew_model_equation){1, &no_set, 0.0}),
                    EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_set_equations(model, 1, &(ew_model_equation){1, &good, NAN}),
                    EW_BAD_ARGUMENT);
    const ew_model_term many[2] = {good, {.set = WALL_END, .factor = {1.0, 0.0, 0.0}}};
    const ew_pcg_def def = ew_default_pcg_def();
    must(ew_model_set_equations(model, 1, &(ew_model_equation){2, many, 0.0}));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "take a set of one") != NULL);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"tied_halves_are_the_whole", test_tied_halves_are_the_whole},
        {"tied_halves_yield_and_turn_as_the_whole", test_tied_halves_yield_and_turn_as_the_whole},
        {"tied_halves_move_as_the_whole", test_tied_halves_move_as_the_whole},
#if EW_WITH_CHOLMOD
        {"tied_halves_vibrate_as_the_whole", test_tied_halves_vibrate_as_the_whole},
#endif
        {"dependent_equations_count_once", test_dependent_equations_count_once},
        {"sets_and_constraints_in_equations", test_sets_and_constraints_in_equations},
        {"edits_keep_or_tell_equations", test_edits_keep_or_tell_equations},
        {"what_equations_leave_free_is_told", test_what_equations_leave_free_is_told},
        {"bad_equations_are_refused", test_bad_equations_are_refused},
        CU_TEST_INFO_NULL
    };
    CU_SuiteInfo suites[] = {{"equations", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
