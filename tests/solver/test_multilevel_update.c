/* The preconditioner across changes: after random edits of all kinds, and other constraints, every
 * part of it has the bits of one filled again on the same aggregates, and it works as well. */
#include "multilevel_edits.h"
#include "solver/multilevel/multilevel.h"

static void run_edits(double postpone, int32_t rows, int32_t n_edit)
{
    const ew_multilevel_def def = {
        .aggregate_rows = rows, .chunk_rows = 100, .single = true, .postpone = postpone};
    run_random_edits(&def, n_edit);
}

static void test_random_edits_keep_the_bits(void)
{
    run_edits(0.0, 12, 300);
    run_edits(0.0, 3, 100);
}

/* Where a row that moves has neighbors in other chunks and segments than its own. */
static void test_random_edits_of_a_larger_box(void)
{
    ew_multilevel_def def = {.aggregate_rows = 12, .chunk_rows = 100, .single = true};
    run_random_edits_on(18, &def, 250);
    def.aggregate_rows = 40;
    run_random_edits_on(18, &def, 100);
}

static void test_random_edits_with_a_postponed_factor(void)
{
    run_edits(0.2, 12, 200);
}

/* One tet: rows of chunks are filled again in place, no chunk as a whole, and of constraints only
 * what is listed is looked at. */
static void test_one_tet_touches_rows_alone(void)
{
    uint64_t state = 31;
    body b;
    int32_t n_whole = 0;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){14, 14, 14});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    const ew_multilevel_info *info = ew_multilevel_about(b.multilevel);
    for (int32_t k = 0; k < 100; k++) {
        const int32_t row = (int32_t)ew_test_random(&state, (uint32_t)b.mesh.n_vertex);
        const ew_list refixed = {.n = 1, .id = (int32_t[]){row}};
        ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state));
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        if (k % 4 == 3 && ew_mesh_vertex_is_active(&b.mesh, row)) {
            b.fixed[row] = (uint8_t)(b.fixed[row] ^ (k % 8 == 3 ? 7 : 2));
        }
        CU_ASSERT_EQUAL_FATAL(ew_multilevel_update(b.multilevel, &b.matrix, &b.topology.pattern,
                                                   b.mesh.xyz, b.fixed, &refixed,
                                                   &b.topology.touched),
                              EW_OK);
        CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
        CU_ASSERT(info->n_patched_chunk + info->n_touched_chunk > 0);
        n_whole += k % 4 == 3 ? 0 : info->n_touched_chunk;
    }
    CU_ASSERT(n_whole <= 5); /* where there was no room, or a row lost its last pair */
    free_body(&b);
}

/* The faces of a box, coned to its center, with vertices in no order: the center has them all
 * around it, and their aggregates come again and again in its row. */
static void make_cone(body *b, uint64_t *state)
{
    static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    ew_mesh box;
    ew_topology tables = {0};
    ew_list face = {0};
    *b = (body){0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&box, (double[]){2, 2, 2}, (int32_t[]){4, 4, 4}), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&tables, &box), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&tables, &box, &face), EW_OK);
    int32_t *name = calloc((size_t)box.n_vertex, sizeof *name);
    double *xyz = calloc(3 * (size_t)box.n_vertex, sizeof *xyz);
    int32_t *tet = calloc(4 * (size_t)face.n, sizeof *tet), center = -1;
    for (int32_t v = 0; v < box.n_vertex; v++) {
        name[v] = v;
    }
    for (int32_t v = box.n_vertex - 1; v > 0; v--) {
        const int32_t other = (int32_t)ew_test_random(state, (uint32_t)v + 1), keep = name[v];
        name[v] = name[other];
        name[other] = keep;
    }
    for (int32_t v = 0; v < box.n_vertex; v++) {
        const double *x = box.xyz + 3 * (size_t)v;
        memcpy(xyz + 3 * (size_t)name[v], x, 3 * sizeof *x);
        center = x[0] == 1 && x[1] == 1 && x[2] == 1 ? name[v] : center;
    }
    for (int32_t i = 0; i < face.n; i++) {
        tet[4 * i] = center;
        for (int k = 0; k < 3; k++) {
            const int8_t at = ew_face_vertex[face.id[i] % 4][k];
            tet[4 * i + 1 + k] = name[box.tet[4 * (face.id[i] / 4) + at]];
        }
    }
    const ew_mesh_def def = {.n_vertex = box.n_vertex, .xyz = xyz, .n_tet = face.n, .tet = tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b->mesh, &def, NULL), EW_OK);
    make_body_with(b, &steel);
    free(name);
    free(xyz);
    free(tet);
    ew_list_free(&face);
    ew_topology_free(&tables);
    ew_mesh_free(&box);
}

/* A row with more aggregates around it than it sums at once (ROW_SUMS in coarse.c): the parts must
 * be those of a rebuild, though only some of the pairs are gathered. */
static void test_rows_among_many_aggregates(void)
{
    uint64_t state = 12;
    for (int32_t round = 0; round < 10; round++) {
        body b;
        make_cone(&b, &state);
        b.def.aggregate_rows = 3;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        for (int32_t k = 0; k < 10; k++) {
            ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state));
            CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
            CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
            CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
        }
        free_body(&b);
    }
}

/* Large changes add up until it is set up again; small ones never do. */
static void test_large_changes_wear_it_out(void)
{
    int32_t next = 0;
    body b;
    bool is_again = false;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){14, 14, 14});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < 6; k++) {
        const int64_t before = b.multilevel->n_worn;
        for (int32_t i = 0; i < (k == 1 ? 1 : 180); i++, next += 13) { /* no tet comes twice */
            (void)ew_edit_remove_tet(&b.edit, next % b.mesh.n_tet);
        }
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
        CU_ASSERT_EQUAL(b.multilevel->n_worn == before, k == 1);
        is_again = is_again || b.multilevel->n_worn < before;
        CU_ASSERT(2 * b.multilevel->n_worn <= b.mesh.n_vertex);
    }
    CU_ASSERT(is_again);
    free_body(&b);
}

/* Half of the body goes at once, and comes back: set up again, both times. */
static void test_large_changes(void)
{
    body b;
    static int32_t tets[6000][4];
    int32_t n = 0;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){10, 10, 10});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        if (b.mesh.xyz[3 * (size_t)b.mesh.tet[4 * (size_t)t]] > 0.55) {
            memcpy(tets[n++], b.mesh.tet + 4 * (size_t)t, sizeof tets[0]);
            ew_edit_remove_tet(&b.edit, t);
        }
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    check_symmetric_positive(&b);
    for (int32_t k = 0; k < n; k++) {
        ew_edit_add_tet(&b.edit, tets[k], b.mesh.region_label[0]);
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    CU_ASSERT(solve(&b, 1e-8, 60) > 0);
    free_body(&b);
}

/* Other constraints on the same mesh: no aggregate changes. */
static void test_other_constraints(void)
{
    uint64_t state = 8;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){10, 10, 10});
    b.def.postpone = 0.0;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int k = 0; k < 10; k++) {
        if (k < 9) {
            change_constraints(&b, &state);
        } else {
            fix_base(&b, 0.3);
        }
        CU_ASSERT_EQUAL_FATAL(ew_multilevel_update(b.multilevel, &b.matrix, &b.topology.pattern,
                                                   b.mesh.xyz, b.fixed, NULL, NULL),
                              EW_OK);
        CU_ASSERT_EQUAL(verify(&b), EW_OK);
        check_symmetric_positive(&b);
    }
    CU_ASSERT(solve(&b, 1e-8, 60) > 0);
    free_body(&b);
}

/* A factor that is due is made once, when it is asked for. */
static void test_a_factor_that_waits(void)
{
    uint64_t state = 9;
    bool worked = true;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){10, 10, 10});
    b.def.postpone = 0.0;
    b.def.wait = true;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    must(ew_multilevel_ready(b.multilevel, &worked));
    CU_ASSERT(!worked && !ew_multilevel_about(b.multilevel)->is_postponed);
    for (int k = 0; k < 3; k++) {
        change_constraints(&b, &state);
        must(ew_multilevel_update(b.multilevel, &b.matrix, &b.topology.pattern, b.mesh.xyz, b.fixed,
                                  NULL, NULL));
        CU_ASSERT_TRUE(ew_multilevel_about(b.multilevel)->is_postponed);
    }
    must(ew_multilevel_ready(b.multilevel, &worked));
    CU_ASSERT(worked && !ew_multilevel_about(b.multilevel)->is_postponed);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    must(ew_multilevel_ready(b.multilevel, &worked));
    CU_ASSERT_FALSE(worked);
    free_body(&b);
}

/* Twice the stiffness everywhere: filled again on the same aggregates; the oracle sees when it is
 * not. */
static void test_refill_and_oracle(void)
{
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){8, 8, 8});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (size_t i = 0; i < 9 * (size_t)b.matrix.n_row; i++) {
        b.matrix.diagonal[i] *= 2.0;
    }
    for (size_t i = 0; i < 9 * (size_t)b.matrix.n_pair; i++) {
        b.matrix.pair[i] *= 2.0;
    }
    CU_ASSERT_EQUAL(verify_quietly(&b), EW_MATRIX_DIFFERS);
    CU_ASSERT_EQUAL(ew_multilevel_refill(b.multilevel, &b.matrix, &b.topology.pattern, b.mesh.xyz,
                                         b.fixed),
                    EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    b.fixed[b.mesh.n_vertex - 1] = 3;
    CU_ASSERT_EQUAL(verify_quietly(&b), EW_MATRIX_DIFFERS);
    free_body(&b);
}

/* Between factors that are made rows add up from zero again; whatever waits is made when all is
 * filled again. */
static void test_factors_wait_again_and_again(void)
{
    uint64_t state = 17;
    body b;
    int32_t n_waited = 0;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){10, 10, 10});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < 60; k++) {
        ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state));
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        n_waited += ew_multilevel_about(b.multilevel)->is_postponed;
    }
    CU_ASSERT(n_waited > 40);
    b.def.aggregate_rows = 3; /* with pairs of few tets, which come and go */
    b.def.postpone = 1.0;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < 10; k++) {
        queue_hole(&b, &state, 0.11);
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        CU_ASSERT_EQUAL(ew_multilevel_refill(b.multilevel, &b.matrix, &b.topology.pattern,
                                             b.mesh.xyz, b.fixed),
                        EW_OK);
        CU_ASSERT_FALSE(ew_multilevel_about(b.multilevel)->is_postponed);
        CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
    }
    free_body(&b);
}

/* Other pairs tie their rows together: aggregates are made again. */
static void test_refill_with_other_ties(void)
{
    body b, fresh;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){10, 10, 10});
    make_box(&fresh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){10, 10, 10});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < b.matrix.n_pair; k++) {
        const int32_t *row = b.topology.pattern.pair_row + 2 * (size_t)k;
        const double *x = b.mesh.xyz + 3 * (size_t)row[0], *y = b.mesh.xyz + 3 * (size_t)row[1];
        for (size_t i = 9 * (size_t)k; i < 9 * (size_t)k + 9; i++) {
            b.matrix.pair[i] *=
                fabs(x[2] - y[2]) > 0.01 ? 1e-3 : 1.0; /* layers that hardly touch */
            fresh.matrix.pair[i] = b.matrix.pair[i];
        }
    }
    CU_ASSERT_EQUAL(ew_multilevel_refill(b.multilevel, &b.matrix, &b.topology.pattern, b.mesh.xyz,
                                         b.fixed),
                    EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(set_up(&fresh), EW_OK);
    CU_ASSERT_EQUAL(ew_multilevel_about(b.multilevel)->n_aggregate,
                    ew_multilevel_about(fresh.multilevel)->n_aggregate);
    free_body(&b);
    free_body(&fresh);
}

static void test_threads_do_not_change_an_update(void)
{
    const ew_multilevel_def def = ew_default_multilevel_def();
    check_threads_do_not_matter(&def);
}

/* A change that was missed, or comes twice, is refused; so is any after a failure. */
static void test_stale_changes_are_refused(void)
{
    uint64_t state = 2;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int k = 0; k < 2; k++) {
        ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state));
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    }
    CU_ASSERT_EQUAL(update(&b), EW_STALE);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT_EQUAL(update(&b), EW_STALE);
    free_body(&b);
}

static void test_failing_allocations(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        uint64_t state = 14;
        body b;
        make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){8, 8, 8});
        b.def = (ew_multilevel_def){.aggregate_rows = 8, .chunk_rows = 50, .single = true};
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        queue_hole(&b, &state, 0.3);
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        ew_test_allocations_begin(k);
        const ew_status status = update(&b);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(verify_quietly(&b), refused ? EW_STALE : EW_OK);
        CU_ASSERT_EQUAL(set_up(&b), EW_OK);
        CU_ASSERT_EQUAL(verify(&b), EW_OK);
        free_body(&b);
    }
}

static CU_TestInfo tests[] = {
    {"random_edits_keep_the_bits", test_random_edits_keep_the_bits},
    {"random_edits_of_a_larger_box", test_random_edits_of_a_larger_box},
    {"random_edits_with_a_postponed_factor", test_random_edits_with_a_postponed_factor},
    {"one_tet_touches_rows_alone", test_one_tet_touches_rows_alone},
    {"rows_among_many_aggregates", test_rows_among_many_aggregates},
    {"large_changes_wear_it_out", test_large_changes_wear_it_out},
    {"large_changes", test_large_changes},
    {"other_constraints", test_other_constraints},
    {"a_factor_that_waits", test_a_factor_that_waits},
    {"refill_and_oracle", test_refill_and_oracle},
    {"factors_wait_again_and_again", test_factors_wait_again_and_again},
    {"refill_with_other_ties", test_refill_with_other_ties},
    {"threads_do_not_change_an_update", test_threads_do_not_change_an_update},
    {"stale_changes_are_refused", test_stale_changes_are_refused},
    {"failing_allocations", test_failing_allocations},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "multilevel_update", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
