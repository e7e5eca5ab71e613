/* Constraints and loads on bodies of a few bricks: the sums they must have, what is refused
 * and by which name, and what a failed allocation leaves. Analyses against closed forms are
 * in test_physics.c. */
#include "bricks.h"

/* ---- constraints ----------------------------------------------------------------- */

static void test_constraints_build(void)
{
    body *b = start();
    add_brick(b, 0, 0, 0);
    double unused[3] = {9, 9, 9};
    memcpy(b->xyz + 3 * b->n_vertex++, unused, sizeof unused);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    fix_box(b, 2, 0, 0, 0, 9, 9, 9); /* agrees with the first where both prescribe */
    fix_box(b, 1, 1, 0, 0, 1, 1, 1);
    b->line[2].value[0] = 0.25;
    b->line[2].value[1] = 5.0; /* of no prescribed component */
    for (int again = 0; again < 2; again++) {
        CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, b->n_line, b->line),
                              EW_OK);
        CU_ASSERT_EQUAL(b->constraints.n_vertex, 9);
        for (int32_t v = 0; v < 8; v++) {
            bool far = b->xyz[3 * v] > 0.5;
            CU_ASSERT_EQUAL(b->constraints.fixed[v], far ? 3 : 7);
            CU_ASSERT_EQUAL(b->constraints.value[3 * v], far ? 0.25 : 0.0);
            CU_ASSERT_EQUAL(b->constraints.value[3 * v + 1], 0.0);
        }
        CU_ASSERT_EQUAL(b->constraints.fixed[8], 7);
        CU_ASSERT_EQUAL(b->constraints.value[24], 0.0);
    }
    release(b);
}

static void test_constraints_refused(void)
{
    body *b = start();
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, 1, b->line), EW_OK);
    fix_box(b, 4, 0, 1, 1, 1, 1, 1);
    b->line[1].value[2] = 0.5;
    CU_ASSERT_EQUAL(ew_constraints_build(&b->constraints, &b->mesh, 2, b->line), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "at (0, 1, 1) is prescribed displacement z = 0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "0.5"));
    b->line[1].value[2] = NAN;
    CU_ASSERT_EQUAL(ew_constraints_build(&b->constraints, &b->mesh, 2, b->line), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_set_add(&b->set[1], 8), EW_OK);
    b->line[1].value[2] = 0.0;
    CU_ASSERT_EQUAL(ew_constraints_build(&b->constraints, &b->mesh, 2, b->line), EW_BAD_ARGUMENT);
    for (int32_t v = 0; v < 8; v++) {
        CU_ASSERT_EQUAL(b->constraints.fixed[v], b->xyz[3 * v] > 0.5 ? 0 : 7);
    }
    release(b);
}

/* ---- loads ----------------------------------------------------------------------- */

static const ew_material steel = {.young = 200.0, .poisson = 0.3, .density = 8.0};

static void sum_forces(const body *b, const double *f, double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        sum[i % 3] += f[i];
    }
}

static void check_sum(body *b, const ew_load *load, double x, double y, double z)
{
    double f[3 * 64], sum[3];
    ew_materials materials = {0};
    CU_ASSERT_FATAL(b->mesh.n_vertex <= 64);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL(ew_loads_assemble(&b->mesh, &b->topology, &materials, 1, load, NULL, f), EW_OK);
    sum_forces(b, f, sum);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], x, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(sum[1], y, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(sum[2], z, 1e-13);
    ew_materials_free(&materials);
}

/* Two bricks of volume 1 side by side; the face between them is in every set of its
 * vertices and must carry nothing. */
static void test_loads_sums(void)
{
    body *b = start();
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    fix_box(b, 0, 0, 0, 0, 2, 1, 1);
    fix_box(b, 0, 2, 0, 0, 2, 1, 1);
    fix_box(b, 0, 1, 0, 0, 2, 1, 1);
    const ew_set *all = &b->set[0], *end = &b->set[1], *half = &b->set[2];
    check_sum(b, &(ew_load){.kind = EW_LOAD_GRAVITY, .vector = {1, -2, 3}}, 16, -32, 48);
    check_sum(b, &(ew_load){.kind = EW_LOAD_TOTAL_FORCE, .vector = {1, 2, 3}, .vertex = half}, 1, 2,
              3);
    check_sum(b, &(ew_load){.kind = EW_LOAD_FORCE, .vector = {1, 2, 3}, .vertex = end}, 4, 8, 12);
    check_sum(b, &(ew_load){.kind = EW_LOAD_PRESSURE, .pressure = 5, .vertex = end}, -5, 0, 0);
    check_sum(b, &(ew_load){.kind = EW_LOAD_PRESSURE, .pressure = 5, .vertex = half}, -5, 0, 0);
    check_sum(b, &(ew_load){.kind = EW_LOAD_PRESSURE, .pressure = 5, .vertex = all}, 0, 0, 0);
    check_sum(b, &(ew_load){.kind = EW_LOAD_TRACTION, .vector = {1, 2, 3}, .vertex = end}, 1, 2, 3);
    check_sum(b, &(ew_load){.kind = EW_LOAD_TRACTION, .vector = {1, 2, 3}, .vertex = half}, 5, 10,
              15);
    check_sum(b, &(ew_load){.kind = EW_LOAD_TRACTION, .vector = {1, 2, 3}, .vertex = all}, 10, 20,
              30);
    release(b);
}

/* Any subset, asked for alone, gives the bits of the whole. */
static void test_loads_subset(void)
{
    body *b = start();
    for (int k = 0; k < 5; k++) {
        add_brick(b, k, k / 3, 0);
    }
    finish(b);
    turn(b);
    fix_box(b, 0, 0, 0, 0, 5, 2, 1);
    const ew_load load[] = {
        {.kind = EW_LOAD_GRAVITY, .vector = {0.1, -9.81, 0.3}},
        {.kind = EW_LOAD_PRESSURE, .pressure = 1.7, .vertex = &b->set[0]},
        {.kind = EW_LOAD_TOTAL_FORCE, .vector = {1, 2, 3}, .vertex = &b->set[0]},
        {.kind = EW_LOAD_TRACTION, .vector = {0.3, 0.2, 0.1}, .vertex = &b->set[0]},
    };
    double full[3 * 64], part[3 * 64] = {0.0};
    ew_materials materials = {0};
    ew_list some = {0};
    uint64_t random = 7;
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL_FATAL(
        ew_loads_assemble(&b->mesh, &b->topology, &materials, 4, load, NULL, full), EW_OK);
    for (int round = 0; round < 40; round++) {
        some.n = 0;
        for (int k = 0; k < 5; k++) {
            uint32_t v = ew_test_random(&random, (uint32_t)b->mesh.n_vertex);
            CU_ASSERT_EQUAL_FATAL(ew_list_push(&some, (int32_t)v), EW_OK);
        }
        CU_ASSERT_EQUAL_FATAL(
            ew_loads_assemble(&b->mesh, &b->topology, &materials, 4, load, &some, part), EW_OK);
        for (int32_t i = 0; i < some.n; i++) {
            CU_ASSERT(memcmp(part + 3 * some.id[i], full + 3 * some.id[i], 24) == 0);
        }
    }
    ew_list_free(&some);
    ew_materials_free(&materials);
    release(b);
}

static void check_refused(body *b, const ew_material *material, const ew_load *load,
                          ew_status expected, const char *words)
{
    double f[3 * 64];
    ew_materials materials = {0};
    f[0] = 42.0;
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, material), EW_OK);
    CU_ASSERT_EQUAL(ew_loads_assemble(&b->mesh, &b->topology, &materials, 1, load, NULL, f),
                    expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), words));
    CU_ASSERT_EQUAL(f[0], 42.0);
    ew_materials_free(&materials);
}

static void test_loads_refused(void)
{
    body *b = start();
    const ew_material weightless = {.young = 200.0, .poisson = 0.3};
    ew_set none = {0};
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    fix_box(b, 0, 1, 0, 0, 1, 1, 1); /* between the bricks: no boundary face */
    const ew_set *inner = &b->set[0];
    check_refused(b, &weightless, &(ew_load){.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -9.81}},
                  EW_BAD_INPUT, "load 1 (gravity): the material of region 0 has no density");
    check_refused(b, &steel, &(ew_load){.kind = EW_LOAD_PRESSURE, .pressure = 1, .vertex = inner},
                  EW_BAD_INPUT, "load 1 (pressure): no boundary face");
    check_refused(b, &steel,
                  &(ew_load){.kind = EW_LOAD_TRACTION, .vector = {1, 0, 0}, .vertex = inner},
                  EW_BAD_INPUT, "load 1 (traction): no boundary face");
    check_refused(b, &steel,
                  &(ew_load){.kind = EW_LOAD_FORCE, .vector = {1, 0, 0}, .vertex = &none},
                  EW_BAD_INPUT, "load 1 (force): its set has no vertex");
    check_refused(b, &steel,
                  &(ew_load){.kind = EW_LOAD_FORCE, .vector = {1, NAN, 0}, .vertex = inner},
                  EW_BAD_INPUT, "not finite");
    check_refused(b, &steel, &(ew_load){.kind = EW_LOAD_FORCE, .vector = {1, 0, 0}},
                  EW_BAD_ARGUMENT, "no set");
    CU_ASSERT_EQUAL(ew_set_add(&none, 500), EW_OK);
    check_refused(b, &steel,
                  &(ew_load){.kind = EW_LOAD_FORCE, .vector = {1, 0, 0}, .vertex = &none},
                  EW_BAD_ARGUMENT, "names vertex slot 500");
    b->topology.pattern.revision++;
    check_refused(b, &steel,
                  &(ew_load){.kind = EW_LOAD_FORCE, .vector = {1, 0, 0}, .vertex = inner}, EW_STALE,
                  "revision");
    ew_set_free(&none);
    release(b);
}

/* ---- everything together ------------------------------------------------------------ */

typedef struct outcome {
    ew_constraints constraints;
    ew_fields fields;
    ew_free_component *free;
    int32_t n_free;
} outcome;

static void outcome_free(outcome *out)
{
    ew_constraints_free(&out->constraints);
    ew_fields_free(&out->fields);
    ew_release(out->free);
}

static ew_status run_all(const body *b, const ew_materials *materials, double *f, const double *u,
                         outcome *out)
{
    const ew_load load = {.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -9.81}};
    EW_TRY(ew_constraints_build(&out->constraints, &b->mesh, b->n_line, b->line));
    EW_TRY(ew_find_free_components(&b->mesh, &b->topology, &out->constraints, NULL, &out->free,
                                   &out->n_free));
    EW_TRY(ew_loads_assemble(&b->mesh, &b->topology, materials, 1, &load, NULL, f));
    return ew_fields_recover(&out->fields, &b->mesh, &b->topology, materials, &out->constraints, 1,
                             &load, f, u, NULL);
}

/* Two groups of components: one constrained with a joint, the other free. */
static void test_analysis_allocation_failure(void)
{
    body *b = start();
    double f[3 * 64], u[3 * 64] = {0.0};
    ew_materials materials = {0};
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 1, 0);
    add_brick(b, 7, 0, 0);
    add_brick(b, 8, 1, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 0, 1);
    fix_box(b, 7, 2, 1, 0, 2, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        outcome out = {0};
        ew_test_allocations_begin(k);
        ew_status status = run_all(b, &materials, f, u, &out);
        outcome_free(&out);
        int64_t unreleased = ew_test_unreleased();
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(unreleased, 0);
        CU_ASSERT(refused || out.n_free == 2);
        CU_ASSERT_FATAL(k < 1000);
    }
    ew_materials_free(&materials);
    release(b);
}

static void test_analysis_stale(void)
{
    body *b = start();
    double f[3 * 64] = {0.0}, u[3 * 64] = {0.0};
    ew_materials materials = {0};
    outcome out = {0};
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL(run_all(b, &materials, f, u, &out), EW_OK);
    b->topology.pattern.revision++;
    CU_ASSERT_EQUAL(ew_fields_recover(&out.fields, &b->mesh, &b->topology, &materials,
                                      &out.constraints, 0, NULL, f, u, NULL),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_require_constrained(&b->mesh, &b->topology, &out.constraints), EW_STALE);
    outcome_free(&out);
    outcome_free(&out); /* safe on what was freed */
    ew_materials_free(&materials);
    release(b);
}

int main(int argc, char **argv)
{
    CU_TestInfo constraints[] = {{"constraints_build", test_constraints_build},
                                 {"constraints_refused", test_constraints_refused},
                                 CU_TEST_INFO_NULL};
    CU_TestInfo loads[] = {{"loads_sums", test_loads_sums},
                           {"loads_subset", test_loads_subset},
                           {"loads_refused", test_loads_refused},
                           CU_TEST_INFO_NULL};
    CU_TestInfo together[] = {{"analysis_allocation_failure", test_analysis_allocation_failure},
                              {"analysis_stale", test_analysis_stale},
                              CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"constraints", NULL, NULL, NULL, NULL, constraints},
                             {"loads", NULL, NULL, NULL, NULL, loads},
                             {"together", NULL, NULL, NULL, NULL, together},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
