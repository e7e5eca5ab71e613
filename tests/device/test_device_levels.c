/* The rigid-body-mode preconditioner on a device with three levels, forced on bodies that are
 * small: the host's bits at every level after a set-up and after random edits of all kinds;
 * symmetric; iterations hardly more than with two levels; and what it does by itself with many
 * small bodies and with thin fingers. */
#include "oblique_edits.h"
#include "twin_fixture.h"

static int32_t n_groups(const twin *t)
{
    return ew_rigid_device_about(&t->p)->n_group;
}

/* Set up by itself first, for the place that remembers what is asked for. */
static void force_levels(twin *t, int32_t levels, int32_t rows)
{
    must(setup(t));
    ew_rigid_device_set_levels(&t->p, levels, rows);
    must(setup(t));
    CU_ASSERT_EQUAL(n_groups(t) > 0, levels == 3);
}

static void setup_one(ew_device *on, ew_precision precision)
{
    for (int32_t rows = 2; rows < 20; rows *= 3) {
        twin t;
        make_twin_box(&t, on, precision, 7);
        force_levels(&t, 3, rows);
        expect_host_bits(&t);
        expect_symmetric_positive(&t);
        must(setup(&t)); /* again, in the same memory */
        expect_host_bits(&t);
        force_levels(&t, 2, rows * 8);
        expect_host_bits(&t);
        drop_twin(&t);
    }
}

static void random_edits(ew_device *on, ew_precision precision)
{
    twin t;
    make_twin_box(&t, on, precision, 8);
    force_levels(&t, 3, 4);
    edit_both_at_random(&t, 71);
    CU_ASSERT(n_groups(&t) > 0);
    drop_twin(&t);
}

static int32_t iterations(twin *t)
{
    const size_t n = 3 * (size_t)t->b.mesh.n_vertex;
    double *x = calloc(2 * n, sizeof *x), *b = x + n;
    uint64_t state = 4;
    ew_solver solver = {.preconditioner = t->p};
    ew_pcg_info info;
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = t->precision;
    def.preconditioner = EW_RIGID;
    def.tolerance = t->has_double ? 1e-8 : 1e-4;
    t->p = (ew_preconditioner){0};
    fill_random(&t->b, &state, b);
    t->system.b = b;
    must(ew_solver_solve(&solver, &t->system, &def, x, &info));
    t->p = solver.preconditioner;
    solver.preconditioner = (ew_preconditioner){0};
    ew_solver_free(&solver);
    free(x);
    return info.iterations;
}

/* About as many as with two levels and the same aggregates. */
static void iterations_are_few(ew_device *on, ew_precision precision)
{
    static const double size[3] = {3.0, 1.0, 1.0};
    twin t = {0};
    make_box(&t.b, size, (int32_t[]){24, 8, 8});
    make_twin(&t, on, precision);
    force_levels(&t, 2, 16);
    const int32_t two = iterations(&t);
    force_levels(&t, 3, 16);
    const int32_t three = iterations(&t);
    CU_ASSERT(two > 0 && 2 * three <= 3 * two);
    drop_twin(&t);
}

/* Fingers of one cell across and `length` cells long on a slab, n times n of them, one cell apart.
 */
static void make_comb(body *b, int32_t n, int32_t length)
{
    static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    const int32_t high = length + 2, wide = 2 * n - 1;
    ew_mesh box = {0};
    *b = (body){0};
    must(ew_shape_box(&box, (double[]){high, wide, wide}, (int32_t[]){high, wide, wide}));
    int32_t *tet = calloc(4 * (size_t)box.n_tet, sizeof *tet), n_tet = 0, n_vertex = 0;
    int32_t *number = calloc((size_t)box.n_vertex, sizeof *number);
    int32_t *region = calloc((size_t)box.n_tet, sizeof *region);
    double *xyz = calloc(3 * (size_t)box.n_vertex, sizeof *xyz);
    for (int32_t t = 0; t < box.n_tet; t++) {
        const int32_t *own = box.tet + 4 * (size_t)t;
        double low[3] = {INFINITY, INFINITY, INFINITY}; /* of its cell */
        for (int32_t k = 0; k < 12; k++) {
            low[k % 3] = fmin(low[k % 3], box.xyz[3 * (size_t)own[k / 3] + (size_t)(k % 3)]);
        }
        if (low[0] > 1.5 && ((int32_t)(low[1] + 0.5) % 2 || (int32_t)(low[2] + 0.5) % 2)) {
            continue;
        }
        for (int32_t k = 0; k < 4; k++) {
            int32_t *v = &number[own[k]];
            if (*v == 0) {
                memcpy(xyz + 3 * (size_t)n_vertex, box.xyz + 3 * (size_t)own[k], 3 * sizeof *xyz);
                *v = ++n_vertex;
            }
            tet[4 * (size_t)n_tet + (size_t)k] = *v - 1;
        }
        n_tet++;
    }
    const ew_mesh_def def = {
        .n_vertex = n_vertex, .xyz = xyz, .n_tet = n_tet, .tet = tet, .region = region};
    must(ew_mesh_init(&b->mesh, &def, NULL));
    make_body_with(b, &steel);
    ew_mesh_free(&box);
    free(tet);
    free(number);
    free(region);
    free(xyz);
}

/* By itself, on one long chain: two levels, and not many times what the host takes. */
static void test_wire(void)
{
    twin t = {0};
    if (!device || !ew_device_about(device)->has_double) {
        return;
    }
    make_box(&t.b, (double[]){120.0, 1.0, 1.0}, (int32_t[]){600, 3, 3});
    must(set_up(&t.b));
    const int32_t host = solve(&t.b, 1e-8, 200);
    make_twin(&t, device, EW_AUTO_PRECISION);
    must(setup(&t));
    CU_ASSERT_EQUAL(n_groups(&t), 0);
    const int32_t there = iterations(&t);
    CU_ASSERT(host > 0 && there > 0 && there <= 2 * host);
    drop_twin(&t);
}

/* By itself, on a body of chains: hardly more than on the host, and so after edits, by what was
 * kept. The first has few aggregates, the second more than two levels take. */
static void test_thin_fingers(void)
{
    static const int32_t n[] = {9, 11}, length[] = {15, 19};
    for (int32_t k = 0; k < 2 && device && ew_device_about(device)->has_double; k++) {
        uint64_t state = 3;
        twin t = {0};
        make_comb(&t.b, n[k], length[k]);
        must(set_up(&t.b));
        const int32_t host = solve(&t.b, 1e-8, 200);
        make_twin(&t, device, EW_AUTO_PRECISION);
        must(setup(&t));
        CU_ASSERT_EQUAL(n_groups(&t) > 0, k == 1);
        CU_ASSERT(host > 0 && 100 * iterations(&t) <= 145 * host);
        for (int32_t i = 0; i < 20; i++) {
            ew_edit_remove_tet(&t.b.edit, random_live_tet(&t.b.mesh, &state));
        }
        CU_ASSERT_EQUAL_FATAL(apply_edit_on_both(&t), EW_OK);
        must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        expect_host_bits(&t);
        CU_ASSERT(100 * iterations(&t) <= 145 * host);
        drop_twin(&t);
    }
}

/* Other supports: the inverse of the factor follows. */
static void other_supports(ew_device *on, ew_precision precision)
{
    twin t = {0};
    make_box(&t.b, (double[]){3.0, 1.0, 1.0}, (int32_t[]){24, 8, 8});
    make_twin(&t, on, precision);
    force_levels(&t, 2, 16);
    (void)iterations(&t);
    for (int32_t v = 0; v < t.b.mesh.n_vertex; v++) {
        t.b.fixed[v] = t.b.mesh.xyz[3 * (size_t)v] > 2.9 ? 7 : 0;
    }
    const int32_t kept = iterations(&t);
    must(setup(&t));
    const int32_t fresh = iterations(&t);
    CU_ASSERT(fresh > 0 && fresh < 40 && 5 * kept <= 6 * fresh + 5);
    drop_twin(&t);
}

/* A solve that was slow for a factor that waits has it made; its inverse follows at once. */
static void test_a_factor_that_costs_iterations_is_made(void)
{
    twin t = {0};
    if (!device) {
        return;
    }
    make_bar(&t.b);
    make_twin(&t, device, EW_AUTO_PRECISION);
    must(setup(&t));
    const int32_t before = iterations(&t);
    queue_stiff_slice(&t.b);
    must(apply_edit_on_both(&t));
    must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
    const int32_t slow = iterations(&t);
    const int32_t after = iterations(&t);
    CU_ASSERT(slow > 2 * before && after < 2 * before);
    drop_twin(&t);
}

/* A set-up that fails leaves nothing to the next one. */
static void setup_after_failures(ew_device *on, ew_precision precision)
{
    bool refused = true;
    twin t = {0};
    make_box(&t.b, (double[]){3.0, 1.0, 1.0}, (int32_t[]){24, 8, 8});
    make_twin(&t, on, precision);
    must(setup(&t));
    for (int32_t v = 0; v < t.b.mesh.n_vertex; v++) {
        t.b.fixed[v] = t.b.mesh.xyz[3 * (size_t)v] > 2.9 ? 7 : 0;
    }
    for (int64_t k = 5; refused; k += getenv("EW_QUICK") ? 80 : 20) {
        ew_test_allocations_begin(k);
        const ew_status status = setup(&t);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    const int32_t kept = iterations(&t);
    must(setup(&t));
    CU_ASSERT_EQUAL(kept, iterations(&t));
    drop_twin(&t);
}

/* Tets go until few are left: aggregates and groups are merged or emptied. */
static void decline(ew_device *on, ew_precision precision)
{
    uint64_t state = 8;
    twin t;
    make_twin_box(&t, on, precision, 5);
    force_levels(&t, 3, 4);
    for (int32_t k = 0; k < 12; k++) {
        for (int32_t tet = 0; tet < t.b.mesh.n_tet; tet++) {
            if (ew_mesh_tet_is_live(&t.b.mesh, tet) && ew_test_random(&state, 5) == 0) {
                ew_edit_remove_tet(&t.b.edit, tet);
            }
        }
        CU_ASSERT_EQUAL_FATAL(apply_edit_on_both(&t), EW_OK);
        must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        expect_host_bits(&t);
    }
    drop_twin(&t);
}

/* Directions come, turn and leave while tets are removed. */
static void directions(ew_device *on, ew_precision precision, int32_t levels)
{
    static int32_t row[OBLIQUE_ROWS];
    static double normal[6 * OBLIQUE_ROWS];
    ew_oblique list = {.row = row, .normal = normal};
    uint64_t state = 15;
    bool worked;
    twin t;
    make_twin_box(&t, on, precision, 7);
    force_levels(&t, levels, 5);
    for (int32_t k = 0; k < 40; k++) {
        if (k % 3 > 0) {
            ew_edit_remove_tet(&t.b.edit, random_live_tet(&t.b.mesh, &state));
            CU_ASSERT_EQUAL_FATAL(apply_edit_on_both(&t), EW_OK);
        }
        if (k % 3 < 2) {
            change_directions(&t.b, &list, &state);
        }
        derive(&t);
        t.system.oblique = &list;
        if (k % 3 > 0) {
            must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        }
        must(ew_preconditioner_prepare(&t.p, &t.system, &worked));
        expect_host_bits(&t);
        if (k % 13 == 0) {
            expect_symmetric_positive(&t);
        }
    }
    drop_twin(&t);
}

static void two_levels_with_directions(ew_device *on, ew_precision precision)
{
    directions(on, precision, 2);
}

static void three_levels_with_directions(ew_device *on, ew_precision precision)
{
    directions(on, precision, 3);
}

static void allocations(ew_device *on, ew_precision precision)
{
    bool refused = true;
    twin t;
    make_twin_box(&t, on, precision, 3);
    force_levels(&t, 3, 4);
    for (int64_t k = 0; refused; k++) {
        ew_edit_remove_tet(&t.b.edit, (int32_t)k);
        if (apply_edit_on_both(&t)) {
            continue;
        }
        ew_test_allocations_begin(k);
        const ew_status status = ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched);
        refused = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        if (status) {
            must(setup(&t));
        }
        expect_host_bits(&t);
        if (t.b.mesh.n_live_tet < 20) {
            break;
        }
    }
    drop_twin(&t);
}

static void test_setup_has_the_host_bits(void)
{
    in_all_places(setup_one);
}
static void test_random_edits_keep_the_bits(void)
{
    in_all_places(random_edits);
}
static void test_iterations_are_few(void)
{
    in_all_places(iterations_are_few);
}
static void test_other_supports(void)
{
    in_all_places(other_supports);
}
static void test_setup_after_failures(void)
{
    in_all_places(setup_after_failures);
}
static void test_decline_is_followed(void)
{
    in_all_places(decline);
}
static void test_directions_keep_the_bits(void)
{
    in_all_places(two_levels_with_directions);
    in_all_places(three_levels_with_directions);
}
static void test_allocation_failures(void)
{
    in_all_places(allocations);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"setup_has_the_host_bits", test_setup_has_the_host_bits},
        {"random_edits_keep_the_bits", test_random_edits_keep_the_bits},
        {"iterations_are_few", test_iterations_are_few},
        {"thin_fingers", test_thin_fingers},
        {"wire", test_wire},
        {"other_supports", test_other_supports},
        {"setup_after_failures", test_setup_after_failures},
        {"a_factor_that_costs_iterations_is_made", test_a_factor_that_costs_iterations_is_made},
        {"decline_is_followed", test_decline_is_followed},
        {"directions_keep_the_bits", test_directions_keep_the_bits},
        {"allocation_failures", test_allocation_failures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"three levels on a device", open_devices, close_devices, NULL, NULL,
                              tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
