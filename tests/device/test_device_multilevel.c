/* The rigid-body-mode preconditioner on a device: what it gathers there has the host's bits, after
 * a set-up and after random edits of all kinds; it is symmetric; solves give the host's answers. */
#include "twin_fixture.h"

static void setup_one(ew_device *on, ew_precision precision)
{
    for (int32_t cells = 1; cells < 9; cells += 3) {
        twin t;
        make_twin_box(&t, on, precision, cells);
        must(setup(&t));
        expect_host_bits(&t);
        expect_symmetric_positive(&t);
        must(setup(&t)); /* again, in the same memory */
        expect_host_bits(&t);
        drop_twin(&t);
    }
}

static void random_edits(ew_device *on, ew_precision precision)
{
    twin t;
    make_twin_box(&t, on, precision, 7);
    must(setup(&t));
    edit_both_at_random(&t, 33);
    drop_twin(&t);
}

/* A mesh grows far beyond its aggregates, and most of it goes again. */
static void growth(ew_device *on, ew_precision precision)
{
    uint64_t state = 12;
    twin t;
    make_twin_box(&t, on, precision, 3);
    must(setup(&t));
    const int32_t before = ew_rigid_device_about(&t.p)->n_aggregate;
    for (int32_t k = 0; k < 1000 && t.b.mesh.n_vertex < 300; k++) {
        queue_growth(&t.b, &state);
        if (!apply_edit_on_both(&t)) {
            must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        }
    }
    expect_host_bits(&t);
    expect_symmetric_positive(&t);
    CU_ASSERT(ew_rigid_device_about(&t.p)->n_aggregate > before);
    for (int32_t k = t.b.mesh.n_tet - 1; k >= 20; k--) {
        if (ew_mesh_tet_is_live(&t.b.mesh, k)) {
            ew_edit_remove_tet(&t.b.edit, k);
        }
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit_on_both(&t), EW_OK);
    must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
    expect_host_bits(&t);
    drop_twin(&t);
}

/* A row without pairs is in no aggregate, there neither. */
static void lone_vertex(ew_device *on, ew_precision precision)
{
    twin t;
    int32_t vertex;
    make_twin_box(&t, on, precision, 3);
    must(setup(&t));
    for (int k = 0; k < 3; k++) {
        must(ew_edit_add_vertex(&t.b.edit, (double[]){2.0 + k, 0.0, 0.0}, &vertex));
        must(apply_edit_on_both(&t));
        must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        expect_host_bits(&t);
    }
    drop_twin(&t);
}

/* What a device multiplies with grows with the square of the aggregates: once they are more than
 * twice as many and 50 as at the last set-up, which touches all of them, it is set up again. */
static void test_outgrown_is_set_up_again(void)
{
    uint64_t state = 5;
    twin t;
    if (!device) {
        return;
    }
    make_twin_box(&t, device, EW_AUTO_PRECISION, 2);
    must(setup(&t));
    ew_rigid_device_set_levels(&t.p, 2, 2);
    must(setup(&t));
    const ew_multilevel_info *info = ew_rigid_device_about(&t.p);
    const int32_t most = 2 * info->n_aggregate + 50;
    for (int32_t k = 0; k < 3000 && info->n_aggregate <= most; k++) {
        queue_growth(&t.b, &state);
        if (!apply_edit_on_both(&t)) {
            must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        }
    }
    CU_ASSERT(info->n_aggregate > most && info->n_touched_aggregate < most);
    must(ew_edit_remove_tet(&t.b.edit, random_live_tet(&t.b.mesh, &state)));
    must(apply_edit_on_both(&t));
    must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
    CU_ASSERT_EQUAL(info->n_touched_aggregate, info->n_aggregate);
    expect_host_bits(&t);
    drop_twin(&t);
}

static void allocations(ew_device *on, ew_precision precision)
{
    twin t;
    make_twin_box(&t, on, precision, 2);
    must(setup(&t)); /* kernels, which the device keeps */
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_preconditioner_free(&t.p);
        ew_test_allocations_begin(k);
        const ew_status status = setup(&t);
        if (status) {
            ew_preconditioner_free(&t.p);
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        }
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 2000);
    }
    uint64_t state = 3;
    refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_edit_remove_tet(&t.b.edit, random_live_tet(&t.b.mesh, &state));
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
        CU_ASSERT_FATAL(k < 2000);
        if (t.b.mesh.n_live_tet < 20) {
            break;
        }
    }
    drop_twin(&t);
}

/* ---- without room -------------------------------------------------------- */

/* Tets that touch nothing, on three fixed vertices each. */
static void make_crowd(twin *t, int32_t n)
{
    static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    double *xyz = calloc(12 * (size_t)n, sizeof *xyz);
    int32_t *tet = calloc(4 * (size_t)n, sizeof *tet), *region = calloc((size_t)n, sizeof *region);
    for (int32_t i = 0; i < 4 * n; i++) {
        tet[i] = i;
        xyz[3 * i] = 2.0 * (i / 4) + (i % 4 == 1);
        xyz[3 * i + 1] = i % 4 == 2;
        xyz[3 * i + 2] = i % 4 == 3;
    }
    const ew_mesh_def def = {
        .n_vertex = 4 * n, .xyz = xyz, .n_tet = n, .tet = tet, .region = region};
    *t = (twin){0};
    must(ew_mesh_init(&t->b.mesh, &def, NULL));
    make_body_with(&t->b, &steel);
    for (int32_t i = 0; i < 4 * n; i++) {
        t->b.fixed[i] = i % 4 < 3 ? 7 : 0;
    }
    free(xyz);
    free(tet);
    free(region);
}

/* A clear error, and with the automatic choice block Jacobi, which is said. */
static void test_no_room(void)
{
    if (!device || !ew_device_about(device)->has_double) {
        return;
    }
    twin t;
    make_crowd(&t, 1500);
    make_twin(&t, device, EW_AUTO_PRECISION);
    must(setup(&t)); /* by a level more */
    ew_rigid_device_set_levels(&t.p, 2, 0);
    CU_ASSERT_EQUAL(setup(&t), EW_NO_MEMORY);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "use block-jacobi"));
    const size_t n = 3 * (size_t)t.b.mesh.n_vertex;
    double *b = calloc(2 * n, sizeof *b);
    for (size_t i = 0; i < n; i++) {
        b[i] = 1.0;
    }
    t.system.b = b;
    for (int k = 0; k < 2; k++) {
        ew_solver solver = {0};
        ew_pcg_info info;
        ew_pcg_def def = ew_default_pcg_def();
        def.preconditioner = k ? EW_RIGID : EW_AUTO_PRECONDITIONER;
        must(ew_solver_solve(&solver, &t.system, &def, b + n, &info));
        CU_ASSERT_EQUAL(info.preconditioner, EW_RIGID);
        ew_rigid_device_set_levels(&solver.preconditioner, 2, 0);
        ew_solver_reset(&solver);
        CU_ASSERT_EQUAL(ew_solver_solve(&solver, &t.system, &def, b + n, &info),
                        k ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT(k || info.preconditioner == EW_BLOCK_JACOBI);
        CU_ASSERT(k || info.fallback == EW_NO_MEMORY);
        ew_solver_free(&solver);
    }
    free(b);
    drop_twin(&t);
}

/* The same where an update fails and what it leaves to the next solve finds no room. */
static void test_no_room_after_an_edit(void)
{
    for (int k = 0; k < 2 && device && ew_device_about(device)->has_double; k++) {
        twin t;
        make_crowd(&t, 1500);
        make_twin(&t, device, EW_AUTO_PRECISION);
        const size_t n = 3 * (size_t)t.b.mesh.n_vertex;
        double *b = calloc(2 * n, sizeof *b);
        for (size_t i = 0; i < n; i++) {
            b[i] = 1.0;
        }
        t.system.b = b;
        ew_solver solver = {0};
        ew_pcg_info info;
        ew_pcg_def def = ew_default_pcg_def();
        def.preconditioner = k ? EW_RIGID : EW_AUTO_PRECONDITIONER;
        must(ew_solver_solve(&solver, &t.system, &def, b + n, &info));
        CU_ASSERT_EQUAL(info.preconditioner, EW_RIGID);
        ew_rigid_device_set_levels(&solver.preconditioner, 2, 0);
        for (int32_t tet = 0; tet < 2; tet++) {
            must(ew_edit_remove_tet(&t.b.edit, tet));
            must(apply_edit_on_both(&t));
            t.system.b = b;
            ew_test_allocations_begin(0); /* all of them fail */
            const ew_status status = ew_solver_update(&solver, &t.system, &t.b.topology.touched);
            CU_ASSERT(ew_test_allocations_end() || tet);
            must(status);
            memset(b + n, 0, n * sizeof *b);
            CU_ASSERT_EQUAL(ew_solver_solve(&solver, &t.system, &def, b + n, &info),
                            k ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT(k || info.preconditioner == EW_BLOCK_JACOBI);
            CU_ASSERT(k || info.fallback == EW_NO_MEMORY);
        }
        ew_solver_free(&solver);
        free(b);
        drop_twin(&t);
    }
}

static void test_setup_has_the_host_bits(void)
{
    in_all_places(setup_one);
}
static void test_random_edits_keep_the_bits(void)
{
    in_all_places(random_edits);
}
static void test_growth_is_followed(void)
{
    in_all_places(growth);
}
static void test_lone_vertices(void)
{
    in_all_places(lone_vertex);
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
        {"growth_is_followed", test_growth_is_followed},
        {"outgrown_is_set_up_again", test_outgrown_is_set_up_again},
        {"lone_vertices", test_lone_vertices},
        {"allocation_failures", test_allocation_failures},
        {"no_room", test_no_room},
        {"no_room_after_an_edit", test_no_room_after_an_edit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"multilevel on a device", open_devices, close_devices, NULL, NULL,
                              tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
