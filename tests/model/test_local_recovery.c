/* Recovery and error estimate after small changes: of what changed alone, with the bits of a whole
 * one, through random edits of all kinds, displacements, loads, supports and springs, of linear and
 * of quadratic tets. */
#include "curved_fixture.h"
#include "model_edits.h"

#include "model/internal.h"

/* Copies of what a recovery and an estimate give. */
enum { N_VALUE = 16 };
typedef struct answer {
    double *value[N_VALUE]; /* owned: */
    size_t n[N_VALUE];
    ew_sums sums;
    double norm[8];
    int32_t peak[2];
} answer;

static void keep(answer *a, int k, const double *value, size_t n)
{
    a->n[k] = n;
    a->value[k] = malloc((n + 1) * sizeof *value);
    if (n > 0) {
        memcpy(a->value[k], value, n * sizeof *value);
    }
}

static answer take_answer(ew_model *model)
{
    answer a = {0};
    const ew_fields *f;
    const ew_sums *sums;
    const ew_estimate *e;
    must(ew_model_recover(model, &f, &sums));
    must(ew_model_estimate(model, &e, NULL));
    const size_t n_vertex = (size_t)f->n_vertex, n_tet = (size_t)f->n_tet;
    const int32_t n_patch = f->patches.n_vertex ? f->patches.begin[f->n_vertex] : 0;
    CU_ASSERT(n_vertex == (size_t)model->mesh.n_vertex && n_tet == (size_t)model->mesh.n_tet);
    keep(&a, 0, f->reaction, 3 * n_vertex);
    keep(&a, 1, f->vertex_stress, 6 * n_vertex);
    keep(&a, 2, f->vertex_von_mises, n_vertex);
    keep(&a, 3, f->patch_stress, 6 * (size_t)n_patch);
    keep(&a, 4, f->patch_von_mises, (size_t)n_patch);
    keep(&a, 5, f->strain, 6 * n_tet);
    keep(&a, 6, f->stress, 6 * n_tet);
    keep(&a, 7, f->thermal_strain, n_tet);
    keep(&a, 8, f->von_mises, n_tet);
    keep(&a, 9, f->principal, 3 * n_tet);
    keep(&a, 10, f->energy, n_tet);
    keep(&a, 11, f->volume, n_tet);
    keep(&a, 12, e->error, n_tet);
    keep(&a, 13, e->recovered.stress,
         6 * (size_t)e->recovered.patches.begin[e->recovered.patches.n_vertex]);
    const bool has_edges = model_has_edges(model);
    keep(&a, 14, f->corner_stress, has_edges ? 24 * n_tet : 0);
    keep(&a, 15, f->edge_reaction, has_edges ? 3 * (size_t)model->quadratic.rows.pattern.n_row : 0);
    a.sums = *sums;
    const double norm[8] = {e->error_norm,  e->solution_norm,  e->prevented, e->share,
                            e->peak_stress, e->peak_recovered, e->peak_share};
    memcpy(a.norm, norm, sizeof norm);
    a.peak[0] = e->peak_tet;
    a.peak[1] = e->peak_vertex;
    return a;
}

/* The same bits. */
static void compare(const answer *a, const answer *b)
{
    for (int k = 0; k < N_VALUE; k++) {
        CU_ASSERT_EQUAL(a->n[k], b->n[k]);
        CU_ASSERT(a->n[k] != b->n[k] ||
                  !memcmp(a->value[k], b->value[k], a->n[k] * sizeof(double)));
    }
    CU_ASSERT(!memcmp(&a->sums, &b->sums, sizeof a->sums));
    CU_ASSERT(!memcmp(a->norm, b->norm, sizeof a->norm));
    CU_ASSERT(!memcmp(a->peak, b->peak, sizeof a->peak));
}

static void drop(answer *a)
{
    for (int k = 0; k < N_VALUE; k++) {
        free(a->value[k]);
    }
}

typedef enum tet_order { LINEAR, QUADRATIC, HALF_QUADRATIC, CURVED } tet_order;

/* A half of the tets linear, the others quadratic. */
static void enrich_half(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list tet = {0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        must(mesh->xyz[3 * mesh->tet[4 * t]] < 0.5 ? ew_list_push(&tet, t) : EW_OK);
    }
    must(ew_model_enrich(model, &tet, true));
    ew_list_free(&tet);
}

/* Springs on faces of quadratic tets are recovered as a whole. */
static ew_model *make_body(int regions, tet_order order, const int32_t cells[3])
{
    static const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = TOP_FACES, .stiffness = {1e6, 0, 2e6}};
    static const ew_model_load load[] = {
        {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -9.81}},
        {.kind = EW_LOAD_TOTAL_FORCE, .set = TOP, .vector = {0.0, 0.0, -1e4}},
        {.kind = EW_LOAD_PRESSURE, .set = END_FACES, .pressure = 2e3}};
    ew_model *model;
    ew_mesh mesh = {0};
    const ew_model_def def = ew_default_model_def();
    must(ew_shape_box(&mesh, (double[]){1, 1, 1}, cells));
    if (order == CURVED) {
        curve_mesh(&mesh, bend, 0.0);
    }
    must(ew_model_create(&model, &mesh, &def));
    ew_material material = {.young = 2.1e11, .poisson = 0.3, .density = 7850};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    material.young = 7e10;
    must(regions > 1 ? ew_model_set_material(model, 2, &material) : EW_OK);
    must(add_sets(model));
    must(ew_model_set_constraints(model, 2, constraint_list));
    must(order == LINEAR ? ew_model_set_springs(model, 1, &spring) : EW_OK);
    must(ew_model_set_loads(model, 3, load));
    must(order == QUADRATIC || order == CURVED ? ew_model_set_order(model, true) : EW_OK);
    if (order == HALF_QUADRATIC) {
        enrich_half(model);
    }
    return model;
}

/* Displacements that are not those of an answer, in a few rows, or in all. */
static void displace(ew_model *model, uint64_t *state, bool all)
{
    double *u = ew_model_field(model, 0);
    const uint32_t n = (uint32_t)model_n_row(model);
    for (uint32_t i = 0; i < (all ? n : n / 40 + 1); i++) {
        const size_t v = all ? i : ew_test_random(state, n);
        for (size_t c = 0; c < 3; c++) {
            u[3 * v + c] += jitter(state, 1e-4);
        }
    }
}

/* Recovers and estimates twice, the second time as a whole; counts how the first one was done. */
static void check(ew_model *model, int32_t *n_local, int32_t *n_whole)
{
    ew_model_clear_report(model);
    answer near = take_answer(model);
    const int64_t n = ew_model_view_report(model)->recovered_tets;
    *n_local += n < model->mesh.n_tet;
    *n_whole += n == model->mesh.n_tet;
    model_forget_recovery(model);
    answer whole = take_answer(model);
    compare(&near, &whole);
    drop(&near);
    drop(&whole);
}

static void run(int regions, tet_order order, const int32_t cells[3], uint64_t seed, int n_edit)
{
    ew_model *model = make_body(regions, order, cells);
    editor e = {.state = seed};
    int32_t n_local = 0, n_whole = 0;
    displace(model, &e.state, true);
    check(model, &n_local, &n_whole);
    for (int k = 0; k < n_edit; k++) {
        ew_model_begin(model);
        if (queue_any(&e, model, ew_model_edit(model)) || ew_model_commit(model)) {
            ew_model_begin(model);
            continue;
        }
        if (ew_test_random(&e.state, 3)) {
            displace(model, &e.state, false);
        }
        check(model, &n_local, &n_whole);
    }
    printf(" %d local, %d whole, %d tets;", n_local, n_whole, model->mesh.n_live_tet);
    CU_ASSERT(n_local > n_whole / 4);
    ew_model_free(model);
}

static void test_recovery_of_what_changed_has_the_bits_of_a_whole_one(void)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        run(1, LINEAR, (int32_t[]){6, 6, 6}, 7919 * seed, 60);
        run(2, LINEAR, (int32_t[]){6, 6, 6}, 104729 * seed, 60);
    }
}

static void test_recovery_of_quadratic_tets_has_the_bits_of_a_whole_one(void)
{
    for (tet_order order = QUADRATIC; order <= CURVED; order++) {
        run(1, order, (int32_t[]){6, 6, 6}, 7919, 60);
        run(2, order, (int32_t[]){6, 6, 6}, 104729, 30);
    }
}

/* A tet goes, or a load changes, by the same of several models. */
static void change(ew_model *const model[2], uint64_t *state, int k)
{
    const int32_t tet = random_live_tet(ew_model_mesh(model[0]), state);
    const ew_model_load load = {
        .kind = EW_LOAD_TOTAL_FORCE, .set = TOP, .vector = {0.0, 1e2 * k, -1e4}};
    for (int i = 0; i < 2; i++) {
        ew_model_begin(model[i]);
        must(ew_edit_remove_tet(ew_model_edit(model[i]), tet));
        must(ew_model_commit(model[i]));
        must(k % 7 == 6 ? ew_model_set_loads(model[i], 1, &load) : EW_OK);
    }
}

/* What a model knows of the rows that an answer changed: the bits of one that searches for them. */
static void compare_known(tet_order order, const int32_t cells[3], int n_edit)
{
    ew_model *const model[2] = {make_body(1, order, cells), make_body(1, order, cells)};
    ew_pcg_def def = ew_default_pcg_def();
    uint64_t state = 271828;
    int n_local = 0, n_known = 0;
    CU_ASSERT_PTR_NOT_NULL(ew_model_field(model[1], 0)); /* from now on it may be written */
    def.energy_tolerance = 1e-2;
    for (int k = 0; k < n_edit; k++) {
        const ew_pcg_info *info;
        answer of[2];
        for (int i = 0; i < 2; i++) {
            n_known += model[i]->answer_change.is_known && model[i]->recovery.changed.is_known;
            must(ew_model_solve(model[i], &def, &info));
            n_local += info->is_local;
            of[i] = take_answer(model[i]);
        }
        const size_t n = 3 * (size_t)model_n_row(model[0]);
        CU_ASSERT(!memcmp(ew_model_displacement(model[0]), ew_model_displacement(model[1]),
                          n * sizeof(double)));
        compare(&of[0], &of[1]);
        drop(&of[0]);
        drop(&of[1]);
        change(model, &state, k);
    }
    CU_ASSERT(n_local > 2 * n_edit / 3 && n_known > 2 * n_edit / 3);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_known_rows_give_the_bits_of_a_search(void)
{
    compare_known(LINEAR, (int32_t[]){12, 12, 12}, 60);
    compare_known(QUADRATIC, (int32_t[]){8, 8, 8}, 24);
    compare_known(HALF_QUADRATIC, (int32_t[]){8, 8, 8}, 24);
}

/* Puts a displacement of edges, writes one, takes a mode's shape. */
enum { PUT, WRITE, SHAPE, N_OTHER };
static void write_displacement(ew_model *model, int how)
{
    const size_t n = 3 * (size_t)model_n_row(model), first = 3 * (size_t)model->mesh.n_vertex;
    double *u = malloc(n * sizeof *u), *state;
    const ew_fields *fields;
    const ew_sums *sums;
    for (size_t i = 0; i < n; i++) {
        u[i] = 1e-4 * (double)(i % 7) - ew_model_displacement(model)[i];
    }
    switch (how) {
    case PUT:
        must(ew_model_put_edge_displacement(model, (int32_t)((n - first) / 3), u + first));
        break;
    case WRITE:
        state = ew_model_edge_state(model, 0);
        memcpy(state, u + first, (n - first) * sizeof *u);
        break;
    default:
        must(ew_model_recover_shape(model, u, &fields, &sums));
    }
    free(u);
}

/* Whatever writes a displacement, no list of an answer's rows counts then. */
static void test_known_rows_end_where_displacements_are_written(void)
{
    for (int how = 0; how < N_OTHER; how++) {
        ew_model *model = make_body(1, QUADRATIC, (int32_t[]){8, 8, 8});
        ew_pcg_def def = ew_default_pcg_def();
        uint64_t state = 271828;
        int32_t n_local = 0, n_whole = 0;
        def.energy_tolerance = 1e-2;
        for (int k = 0; k < 3; k++) {
            ew_model_begin(model);
            must(ew_edit_remove_tet(ew_model_edit(model),
                                    random_live_tet(ew_model_mesh(model), &state)));
            must(ew_model_commit(model));
            must(ew_model_solve(model, &def, NULL));
            must(ew_model_recover(model, NULL, NULL));
        }
        CU_ASSERT(model->recovery.changed.is_known && !model->is_writable);
        write_displacement(model, how);
        check(model, &n_local, &n_whole);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"recovery_of_what_changed_has_the_bits_of_a_whole_one",
         test_recovery_of_what_changed_has_the_bits_of_a_whole_one},
        {"recovery_of_quadratic_tets_has_the_bits_of_a_whole_one",
         test_recovery_of_quadratic_tets_has_the_bits_of_a_whole_one},
        {"known_rows_give_the_bits_of_a_search", test_known_rows_give_the_bits_of_a_search},
        {"known_rows_end_where_displacements_are_written",
         test_known_rows_end_where_displacements_are_written},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"local recovery", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
