/* Evolution: the filter and the choice against plain ones, a cantilever that loses half of its
 * volume, equals a rebuild after every round and has the same bits twice, what stays, bodies that
 * would fall apart, refusals, and failing allocations. */
#include "cantilever_fixture.h"
#include "removal/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a cantilever -------------------------------------------------------------------- */

/* Loaded along the middle of its end. */
static ew_model *make(const int32_t cells[3])
{
    return make_cantilever((const double[3]){8, 4, 1}, cells, 2.0);
}

static const int32_t small[3] = {16, 8, 2};

/* The tets that the load acts on. */
static ew_set list_loaded(const ew_model *model)
{
    ew_list tet = {0};
    ew_set keep = {0};
    must(ew_model_list_tets(model, ew_model_find_set(model, "tip"), &tet));
    for (int32_t i = 0; i < tet.n; i++) {
        must(ew_set_add(&keep, tet.id[i]));
    }
    ew_list_free(&tet);
    return keep;
}

typedef struct seen {
    ew_model *model;
    int32_t n, n_restored;
    int64_t n_different;
    bool verify;
    double share[256], compliance[256];
    uint64_t hash;
} seen;

static ew_status watch(void *user, const ew_removal_round *round)
{
    seen *all = user;
    const ew_mesh *mesh = ew_model_mesh(all->model);
    CU_ASSERT_EQUAL(round->round, all->n);
    CU_ASSERT_EQUAL(round->n_tet, mesh->n_live_tet);
    all->share[all->n] = round->share;
    all->compliance[all->n++] = round->compliance;
    all->n_restored += round->n_restored;
    all->hash = ew_hash(all->hash, mesh->tet, 16 * (size_t)mesh->n_tet);
    all->hash = ew_hash(all->hash, ew_model_displacement(all->model), 24 * (size_t)mesh->n_vertex);
    if (all->verify) {
        ew_model_verification result;
        must(ew_model_verify(all->model, &result));
        must(ew_mesh_check(mesh));
        all->n_different += result.n_different;
    }
    return EW_OK;
}

static ew_removal_def def_of(seen *all, const ew_set *keep, double volume)
{
    ew_removal_def def = ew_default_removal_def();
    def.volume = volume;
    def.rate = 0.05;
    def.max_restored = 0.02;
    def.radius = 0.8;
    def.until = 0.01;
    def.max_rounds = 80;
    def.keep = keep;
    def.user = all;
    def.on_round = watch;
    return def;
}

static void test_removal_of_a_cantilever(void)
{
    ew_model *model = make(small);
    seen all = {.model = model, .verify = true, .hash = EW_HASH_START};
    ew_set keep = list_loaded(model);
    const ew_removal_def def = def_of(&all, &keep, 0.5);
    ew_removal_info info;
    must(ew_removal_run(model, &def, &info));
    CU_ASSERT_EQUAL(info.end, EW_REMOVAL_SETTLED);
    CU_ASSERT_EQUAL(info.last.round, all.n - 1);
    CU_ASSERT(all.n > 15 && all.n_restored > 0);
    CU_ASSERT_EQUAL(all.n_different, 0);
    CU_ASSERT(info.last.share <= 0.5 && info.last.share > 0.49);
    CU_ASSERT(info.last.change <= 0.01);
    /* a cantilever of half the height has eight times the compliance */
    CU_ASSERT(info.last.compliance < 1.8 * all.compliance[0]);
    for (int32_t i = 1; i < all.n; i++) {
        CU_ASSERT(all.share[i] >= 0.5 - 0.02);
        CU_ASSERT(all.share[i - 1] <= 0.5 || all.share[i] < all.share[i - 1]);
    }
    ew_list loaded = {0};
    must(ew_model_list_tets(model, ew_model_find_set(model, "tip"), &loaded));
    CU_ASSERT_EQUAL(loaded.n, keep.list.n);
    ew_list_free(&loaded);
    ew_set_free(&keep);
    ew_model_free(model);
}

static uint64_t hash_of_run(int threads)
{
    ew_model *model = make(small);
    seen all = {.model = model, .hash = EW_HASH_START};
    ew_set keep = list_loaded(model);
    ew_removal_def def = def_of(&all, &keep, 0.6);
    ew_removal_info info;
    const int before = ew_threads();
    def.max_rounds = 15;
    ew_use_threads(threads);
    must(ew_removal_run(model, &def, &info));
    ew_use_threads(before);
    ew_set_free(&keep);
    ew_model_free(model);
    return all.hash;
}

static void test_removal_has_the_same_bits(void)
{
    const uint64_t first = hash_of_run(1);
    CU_ASSERT_EQUAL(first, hash_of_run(1));
    CU_ASSERT_EQUAL(first, hash_of_run(2));
    CU_ASSERT_EQUAL(first, hash_of_run(3));
}

/* ---- bodies that cannot lose so much ------------------------------------------------------ */

static void test_removal_keeps_a_body_together(void)
{
    const int32_t coarse[3] = {12, 4, 1};
    ew_model *model = make(coarse);
    seen all = {.model = model, .verify = true, .hash = EW_HASH_START};
    ew_set keep = list_loaded(model);
    ew_removal_def def = def_of(&all, &keep, 0.04);
    ew_removal_info info;
    int32_t constraint, spring, n = 0;
    must(ew_removal_run(model, &def, &info));
    CU_ASSERT_EQUAL(info.end, EW_REMOVAL_FELL_APART);
    CU_ASSERT(info.last.share > 0.04 && info.last.share < 0.6);
    CU_ASSERT_EQUAL(info.last.n_tet, ew_model_mesh(model)->n_live_tet);
    CU_ASSERT_PTR_NOT_NULL(ew_model_recovered(model));
    const ew_sums *sums = ew_model_recovered_sums(model);
    CU_ASSERT_DOUBLE_EQUAL(2.0 * sums->strain_energy, info.last.compliance,
                           1e-6 * info.last.compliance);
    must(ew_model_update_supports(model, &constraint, &spring));
    must(ew_model_queue_under_constrained(model, &n));
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_EQUAL(all.n_different, 0);
    ew_set_free(&keep);
    ew_model_free(model);
}

/* ---- tets that come back are what they were -------------------------------------------------- */

static int by_tet(const void *a, const void *b)
{
    return memcmp(a, b, 5 * sizeof(int64_t));
}

/* Ids of the vertices and the region of each tet, sorted. */
static int64_t *describe(const ew_mesh *mesh, int32_t *n)
{
    int64_t *out;
    must(ew_new(&out, 5 * (size_t)mesh->n_live_tet, sizeof *out));
    *n = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int i = 0; i < 4 && ew_mesh_tet_is_live(mesh, t); i++) {
            out[5 * (size_t)*n + (size_t)i] = mesh->vertex_id[mesh->tet[4 * (size_t)t + (size_t)i]];
        }
        if (ew_mesh_tet_is_live(mesh, t)) {
            out[5 * (size_t)*n + 4] = mesh->region_label[mesh->region[t]];
            ++*n;
        }
    }
    qsort(out, (size_t)*n, 5 * sizeof *out, by_tet);
    return out;
}

static void test_removal_restores_tets(void)
{
    ew_model *model = make(small);
    seen all = {.model = model, .hash = EW_HASH_START};
    ew_set keep = list_loaded(model);
    const ew_removal_def def = def_of(&all, &keep, 0.5);
    ew_removal_info info;
    int32_t n_before, n_after, n_known = 0;
    const int32_t n_vertex = ew_model_mesh(model)->n_vertex;
    int64_t *before = describe(ew_model_mesh(model), &n_before);
    must(ew_removal_run(model, &def, &info));
    int64_t *after = describe(ew_model_mesh(model), &n_after);
    for (int32_t i = 0; i < n_after; i++) {
        n_known += bsearch(after + 5 * (size_t)i, before, (size_t)n_before, 5 * sizeof *before,
                           by_tet) != NULL;
    }
    CU_ASSERT(all.n_restored > 0);
    CU_ASSERT_EQUAL(n_known, n_after);
    CU_ASSERT_EQUAL(ew_model_mesh(model)->n_vertex, n_vertex);
    ew_release(before);
    ew_release(after);
    ew_set_free(&keep);
    ew_model_free(model);
}

/* ---- the filter and the choice ------------------------------------------------------------------
 */

/* A design of the cantilever with a filter. */
static removal_design make_design(const ew_model *model, const ew_set *keep, double radius)
{
    removal_design design = {0};
    must(removal_design_init(&design, ew_model_mesh(model), keep));
    must(removal_filter_init(&design.filter, ew_model_mesh(model), radius));
    return design;
}

static void check_row(const removal_filter *filter, const ew_mesh *mesh, double radius,
                      int32_t vertex)
{
    const double *at = mesh->xyz + 3 * (size_t)vertex;
    double sum = 0.0, total = 0.0;
    size_t n = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        const double r = hypot(hypot(x[0] - at[0], x[1] - at[1]), x[2] - at[2]);
        n += r < radius;
        sum += r < radius ? 1.0 - r / radius : 0.0;
    }
    CU_ASSERT_EQUAL(filter->begin[vertex + 1] - filter->begin[vertex], n);
    for (size_t i = filter->begin[vertex]; i < filter->begin[vertex + 1]; i++) {
        const double *x = mesh->xyz + 3 * (size_t)filter->vertex[i];
        const double r = hypot(hypot(x[0] - at[0], x[1] - at[1]), x[2] - at[2]);
        CU_ASSERT_DOUBLE_EQUAL(filter->weight[i], (1.0 - r / radius) / sum, 1e-9);
        total += filter->weight[i];
    }
    CU_ASSERT_DOUBLE_EQUAL(total, 1.0, 1e-12);
}

static void test_removal_filter_has_its_weights(void)
{
    const double radius[] = {1e-300, 0.1, 0.77, 1.51, 30.0, 1e300};
    ew_model *model = make((const int32_t[3]){8, 4, 1});
    for (int r = 0; r < 5; r++) {
        removal_design design = make_design(model, NULL, radius[r]);
        for (int32_t v = 0; v < design.n_vertex; v += 5) {
            check_row(&design.filter, ew_model_mesh(model), radius[r], v);
        }
        removal_design_free(&design);
    }
    removal_design design = make_design(model, NULL, radius[5]);
    CU_ASSERT_DOUBLE_EQUAL(design.filter.weight[0], 1.0 / ew_model_mesh(model)->n_vertex, 1e-12);
    removal_design_free(&design);
    ew_model_free(model);
}

static double volume_of(const removal_design *design, const bool *in)
{
    double sum = 0.0;
    for (int32_t k = 0; k < design->n; k++) {
        sum += in[k] ? design->volume[k] : 0.0;
    }
    return sum;
}

/* Sensitivities by a rule of this test; the choice is the highest ones up to the volume. */
static void test_removal_chooses_the_highest(void)
{
    ew_model *model = make((const int32_t[3]){8, 4, 1});
    ew_set keep = list_loaded(model);
    removal_design design = make_design(model, &keep, 0.5);
    uint64_t random = 7;
    for (int32_t k = 0; k < design.n; k++) {
        design.sensitivity[k] = ew_test_random(&random, 1000);
    }
    removal_choose(&design, 0.7, 0.01);
    double low = INFINITY, high = -1.0;
    for (int32_t k = 0; k < design.n; k++) {
        CU_ASSERT(design.wanted[k] || !design.keep[k]);
        low = design.wanted[k] && !design.keep[k] ? fmin(low, design.sensitivity[k]) : low;
        high = design.wanted[k] ? high : fmax(high, design.sensitivity[k]);
    }
    CU_ASSERT(high <= low);
    CU_ASSERT(volume_of(&design, design.wanted) <= 0.7 * design.whole);
    CU_ASSERT(volume_of(&design, design.wanted) > 0.69 * design.whole);
    removal_design_free(&design);
    ew_set_free(&keep);
    ew_model_free(model);
}

/* Half is gone; the highest of these come back, but no more than may, and room is made for them. */
static void test_removal_restores_no_more_than_it_may(void)
{
    ew_model *model = make((const int32_t[3]){8, 4, 1});
    for (int pass = 0; pass < 3; pass++) {
        const double may[] = {0.0, 0.03, 1.0};
        removal_design design = make_design(model, NULL, 0.5);
        bool *back;
        must(ew_new_zero(&back, (size_t)design.n, sizeof *back));
        for (int32_t k = 0; k < design.n; k++) {
            design.sensitivity[k] = k % 2 ? 1000 + k : k;
            design.slot[k] = k % 2 ? -1 : design.slot[k];
        }
        removal_choose(&design, 0.4, may[pass]);
        for (int32_t k = 0; k < design.n; k++) {
            back[k] = design.wanted[k] && design.slot[k] < 0;
        }
        const double restored = volume_of(&design, back) / design.whole;
        CU_ASSERT(restored <= may[pass] && restored >= fmin(may[pass], 0.4) - 0.01);
        const double all = volume_of(&design, design.wanted) / design.whole;
        CU_ASSERT(all <= 0.4 && all > 0.39);
        ew_release(back);
        removal_design_free(&design);
    }
    ew_model_free(model);
}

/* ---- refusals ----------------------------------------------------------------------------------
 */

static void test_removal_refuses(void)
{
    ew_model *model = make(small);
    seen all = {.model = model};
    ew_set keep = list_loaded(model);
    ew_removal_info info = {.radius = -7.0};
    const ew_removal_def good = def_of(&all, &keep, 0.5);
    for (int i = 0; i < 12; i++) {
        ew_removal_def bad = good;
        double *const field[] = {&bad.volume, &bad.rate, &bad.max_restored, &bad.radius,
                                 &bad.until};
        const double value[12] = {0.0,  1.0, NAN,  0.0,      1.1, NAN,
                                  -0.1, NAN, -1.0, INFINITY, 0.0, NAN};
        const int of[12] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4};
        *field[of[i]] = value[i];
        CU_ASSERT_EQUAL(ew_removal_run(model, &bad, &info), EW_BAD_ARGUMENT);
    }
    ew_removal_def def = good;
    def.max_rounds = 0;
    CU_ASSERT_EQUAL(ew_removal_run(model, &def, &info), EW_BAD_ARGUMENT);
    def = good;
    def.volume = 1e-6; /* less than what stays */
    CU_ASSERT_EQUAL(ew_removal_run(model, &def, &info), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "protect less"));
    must(ew_model_set_loads(model, 0, NULL));
    CU_ASSERT_EQUAL(ew_removal_run(model, &good, &info), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nothing strains"));
    must(ew_model_set_constraints(model, 0, NULL));
    CU_ASSERT_EQUAL(ew_removal_run(model, &good, &info), EW_UNDER_CONSTRAINED);
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    CU_ASSERT_EQUAL(ew_removal_run(model, &good, &info), EW_UNSUPPORTED);
    CU_ASSERT_EQUAL(info.radius, -7.0);
    CU_ASSERT_EQUAL(all.n, 0);
    ew_set_free(&keep);
    ew_model_free(model);
}

/* A radius that takes in all of a large body at every tet. */
static void test_removal_refuses_a_radius(void)
{
    ew_model *model = make((const int32_t[3]){60, 30, 9});
    removal_design design = {0};
    must(removal_design_init(&design, ew_model_mesh(model), NULL));
    CU_ASSERT_EQUAL(removal_filter_init(&design.filter, ew_model_mesh(model), 1e300), EW_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "smaller"));
    removal_design_free(&design);
    ew_model_free(model);
}

static ew_status stop(void *user, const ew_removal_round *round)
{
    (void)user;
    return round->round == 3 ? ew_fail(EW_CANCELED, "enough") : EW_OK;
}

static ew_status analyze_nothing(void *user)
{
    (void)user;
    return EW_OK;
}

static void test_removal_is_stopped_by_its_caller(void)
{
    ew_model *model = make(small);
    seen all = {.model = model};
    ew_set keep = list_loaded(model);
    ew_removal_def def = def_of(&all, &keep, 0.5);
    ew_removal_info info;
    def.on_round = stop;
    CU_ASSERT_EQUAL(ew_removal_run(model, &def, &info), EW_CANCELED);
    must(ew_mesh_check(ew_model_mesh(model)));
    CU_ASSERT(ew_model_mesh(model)->n_live_tet < 1536);
    def.analyze = analyze_nothing; /* the edits since the last analysis are not analyzed */
    must(ew_edit_remove_tet(ew_model_edit(model), keep.list.id[0]));
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_removal_run(model, &def, &info), EW_STALE);
    ew_set_free(&keep);
    ew_model_free(model);
}

/* ---- failing allocations
 * -------------------------------------------------------------------------- */

static void test_removal_bears_failing_allocations(void)
{
    bool failed = true;
    for (int64_t k = 0; failed && k < 4000; k += k < 40 ? 1 : 1 + k / 13) {
        ew_model *model = make((const int32_t[3]){6, 3, 1});
        ew_set keep = list_loaded(model);
        ew_removal_def def = ew_default_removal_def();
        ew_removal_info info;
        def.keep = &keep;
        def.rate = 0.2;
        def.max_rounds = 3;
        def.radius = 1.5;
        ew_test_allocations_begin(k);
        const ew_status status = ew_removal_run(model, &def, &info);
        failed = ew_test_allocations_end();
        CU_ASSERT(!failed || status == EW_NO_MEMORY || status == EW_OK);
        must(ew_mesh_check(ew_model_mesh(model)));
        ew_set_free(&keep);
        ew_model_free(model);
    }
    CU_ASSERT(!failed);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cantilever", test_removal_of_a_cantilever},
        {"same_bits", test_removal_has_the_same_bits},
        {"together", test_removal_keeps_a_body_together},
        {"restored", test_removal_restores_tets},
        {"filter", test_removal_filter_has_its_weights},
        {"choice", test_removal_chooses_the_highest},
        {"may_restore", test_removal_restores_no_more_than_it_may},
        {"refusals", test_removal_refuses},
        {"radius", test_removal_refuses_a_radius},
        {"stopped", test_removal_is_stopped_by_its_caller},
        {"allocations", test_removal_bears_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    const CU_SuiteInfo suites[] = {{"removal", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
