/* A model that finds no memory, at every single allocation: it is as it was, or says that it must
 * be rebuilt, and is right when it has been. */
#include "model_edits.h"
#include "model_snapshot.h"

enum { MAX_ALLOCATIONS = 3000 };

/* Whether the model asks for ew_model_rebuild. */
static bool is_stale(ew_model *model)
{
    const ew_boundary *boundary;
    return ew_model_boundary(model, &boundary) == EW_STALE;
}

static bool is_cut_off(ew_model *model, int set)
{
    const ew_model_constraint on = {.set = set, .fixed = 0};
    must(ew_model_set_constraints(model, 1, &on));
    must(ew_model_set_loads(model, 0, NULL));
    const bool cut = ew_model_recover(model, NULL, NULL) == EW_BAD_INPUT;
    must(ew_model_set_constraints(model, N_CONSTRAINT, constraint_list));
    must(ew_model_set_loads(model, N_LOAD, load_list));
    return cut;
}

/* Face sets that were cut off say so until they are defined again. */
static int define_again(ew_model *model)
{
    int n = 0;
    for (int s = 0; s < N_SET; s++) {
        if (set_def[s].kind == EW_SET_OF_FACES && is_cut_off(model, s)) {
            ew_list list = {0};
            CU_ASSERT_EQUAL(ew_model_view_set(model, s).n_active, 0);
            must(choose_members(model, s, &list));
            must(ew_model_redefine_set(model, s, &list));
            ew_list_free(&list);
            n++;
        }
    }
    return n;
}

/* After an attempt that failed: as before, or stale, and right after a rebuild. */
static void expect_recovery(ew_model *model, const snapshot *s)
{
    if (is_stale(model)) {
        CU_ASSERT_EQUAL(ew_model_commit(model), EW_STALE);
        CU_ASSERT_EQUAL(ew_model_solve(model, &(ew_pcg_def){0}, NULL), EW_STALE);
        CU_ASSERT_EQUAL(ew_model_recover(model, NULL, NULL), EW_STALE);
        CU_ASSERT_EQUAL(ew_model_compact(model, NULL, NULL), EW_STALE);
        must(ew_model_rebuild(model));
    } else {
        CU_ASSERT_EQUAL(ew_model_mesh(model)->revision, s->mesh.revision);
    }
    for (int i = 0; i < N_SET; i++) {
        if (set_def[i].kind == EW_SET_OF_VERTICES) {
            expect_vertices(model, s, i);
        } else if (set_def[i].kind == EW_SET_OF_TETS) {
            expect_tets(model, s, i);
        } else if (!is_cut_off(model, i)) {
            expect_faces(model, s, i);
        }
    }
    expect_fields_followed(model, s);
    define_again(model);
    expect_as_fresh(model);
}

/* ---- commits and compaction --------------------------------------------------- */

typedef ew_status (*attempt_function)(ew_model *model);

/* A corner goes and a tet grows on a face that is free. */
static void queue_good_corner(editor *e, const ew_mesh *mesh, ew_edit *edit)
{
    ew_status status = EW_BAD_EDIT;
    while (status) {
        ew_mesh copy;
        ew_change change = {0};
        ew_edit_clear(edit);
        must(queue_corner(e, mesh, edit));
        must(ew_mesh_copy(&copy, mesh));
        status = ew_mesh_commit(&copy, edit, NULL, &change);
        ew_mesh_free(&copy);
        ew_change_free(&change);
    }
}

/* The model with an edit in its queue, or a mesh with holes. */
static ew_model *prepare(int kind)
{
    editor e = {.state = 8};
    ew_model *model = make_model(2, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_edit *edit = ew_model_edit(model);
    const ew_decimate_def half = {.fraction = 0.5, .order = EW_DECIMATE_RANDOM, .seed = 1};
    CU_ASSERT_EQUAL(ew_model_recover(model, NULL, NULL), EW_OK);
    if (kind == 0) {
        must(queue_removal(&e, mesh, edit));
    } else if (kind == 1) {
        must(ew_operation_refine(mesh, ew_model_topology(model), 0.0, NULL, edit));
    } else if (kind == 2) {
        must(queue_mirror(mesh, edit));
    } else if (kind == 3) {
        queue_good_corner(&e, mesh, edit);
    } else {
        must(ew_operation_decimate(mesh, &half, edit));
        must(ew_model_commit(model));
        must(ew_model_queue_unused(model));
        must(ew_model_commit(model));
        ew_model_begin(model);
    }
    return model;
}

/* Fails at each allocation in turn; says how often the model was as before, and stale. */
static void fail_everywhere(int kind, attempt_function attempt, int *kept, int *stale)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_model *model = prepare(kind);
        snapshot s = take_snapshot(model);
        ew_test_allocations_begin(k);
        const ew_status status = attempt(model);
        refused = ew_test_allocations_end();
        /* constraints that cannot follow are no failure: they are built when they are used */
        CU_ASSERT(status == EW_OK || (refused && status == EW_NO_MEMORY));
        if (status) {
            *(is_stale(model) ? stale : kept) += 1;
            expect_recovery(model, &s);
        } else {
            expect_sets_followed(model, &s);
            expect_fields_followed(model, &s);
            expect_as_fresh(model);
        }
        drop_snapshot(&s);
        ew_model_free(model);
        if (CU_get_number_of_failures()) {
            printf("kind %d, allocation %d: %s\n", kind, (int)k, ew_message());
        }
        CU_ASSERT_FATAL(k < MAX_ALLOCATIONS && !CU_get_number_of_failures());
    }
}

static void test_commits_that_find_no_memory(void)
{
    int kept = 0, stale = 0;
    for (int kind = 0; kind < 4; kind++) {
        fail_everywhere(kind, ew_model_commit, &kept, &stale);
    }
    CU_ASSERT(kept > 0 && stale > 0);
}

static ew_status compact(ew_model *model)
{
    return ew_model_compact(model, NULL, NULL);
}

static void test_compaction_that_finds_no_memory(void)
{
    int kept = 0, stale = 0;
    fail_everywhere(4, compact, &kept, &stale);
    CU_ASSERT(kept > 0 && stale > 0);
}

/* ---- everything else leaves the model as it was ----------------------------------- */

/* With a preconditioner that is asked for: where the choice is free, one that finds no memory gives
 * way to a smaller one. */
static ew_status attempt_solve(ew_model *model)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = EW_RIGID;
    return ew_model_solve(model, &def, NULL);
}

static ew_status attempt_verify(ew_model *model)
{
    ew_model_verification result;
    return ew_model_verify(model, &result);
}

static ew_status attempt_recover(ew_model *model)
{
    return ew_model_recover(model, NULL, NULL);
}

/* Retried until it succeeds, with one more allocation granted each time. */
static void retry(ew_model *model, attempt_function attempt)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = attempt(model);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < MAX_ALLOCATIONS && (!status || refused));
    }
    expect_as_fresh(model);
}

static void test_analysis_that_finds_no_memory(void)
{
    const attempt_function attempt[] = {attempt_verify, attempt_recover, attempt_solve,
                                        ew_model_rebuild, attempt_solve};
    ew_model *model = make_model(2, NULL);
    for (size_t i = 0; i < sizeof attempt / sizeof *attempt; i++) {
        retry(model, attempt[i]);
    }
    ew_model_free(model);
    for (int kind = 0; kind < 2; kind++) { /* an edit between two solves */
        model = prepare(kind);
        must(attempt_solve(model));
        must(ew_model_commit(model));
        retry(model, attempt_solve);
        ew_model_free(model);
    }
}

/* Memory that is not there while a model is furnished: again, and all is there once. */
static void test_furnishing_that_finds_no_memory(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_mesh mesh;
        ew_model *model = NULL;
        const ew_model_def def = {.reorder = k % 2 == 0};
        must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){1, 1, 1}));
        ew_test_allocations_begin(k);
        ew_status status = ew_model_create(&model, &mesh, &def);
        CU_ASSERT((status == EW_OK) == (model != NULL));
        CU_ASSERT((status == EW_OK) == (mesh.n_tet == 0));
        status = status ? status : furnish(model);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < MAX_ALLOCATIONS);
        if (model && refused) {
            CU_ASSERT(!is_stale(model));
            must(ew_mesh_check(ew_model_mesh(model)));
        } else if (model) {
            expect_as_fresh(model);
        }
        ew_model_free(model);
        ew_mesh_free(&mesh);
    }
}

/* What is refused for other reasons leaves no memory behind either. */
static void test_nothing_leaks(void)
{
    ew_test_allocations_begin(-1);
    editor e = {.state = 11};
    ew_model *model = make_model(2, NULL);
    for (int i = 0; i < 40; i++) {
        ew_model_apply(model, queue_any, &e);
        CU_ASSERT_EQUAL(ew_model_set_loads(model, 1,
                                           &(ew_model_load){.kind = EW_LOAD_FORCE, .set = 99}),
                        EW_BAD_ARGUMENT);
    }
    ew_model_free(model);
    CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    ew_test_allocations_end();
}

/* The same cut and its undoing, with a solve in between, take no memory that stays. */
static void test_same_edit_for_ever(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    size_t before = 0;
    int32_t tet[4], t = 0;
    def.max_iterations = 1;
    ew_test_bytes_begin();
    ew_model *model = make_model(3, NULL);
    for (int i = 0; i < 1000; i++) {
        memcpy(tet, ew_model_mesh(model)->tet + 4 * t, sizeof tet);
        ew_model_begin(model);
        must(ew_edit_remove_tet(ew_model_edit(model), t));
        must(ew_model_commit(model));
        if (i % 50 == 0) {
            CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_NOT_CONVERGED);
        }
        ew_model_begin(model);
        must(ew_edit_add_tet(ew_model_edit(model), tet, 1));
        must(ew_model_commit(model));
        t = ew_model_change(model)->added_tet.id[0];
        before = i == 50 ? ew_test_bytes() : before;
    }
    CU_ASSERT_EQUAL(ew_test_bytes(), before);
    ew_model_free(model);
    CU_ASSERT_EQUAL(ew_test_bytes(), 0);
    ew_test_bytes_end();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"commits_that_find_no_memory", test_commits_that_find_no_memory},
        {"compaction_that_finds_no_memory", test_compaction_that_finds_no_memory},
        {"analysis_that_finds_no_memory", test_analysis_that_finds_no_memory},
        {"furnishing_that_finds_no_memory", test_furnishing_that_finds_no_memory},
        {"nothing_leaks", test_nothing_leaks},
        {"same_edit_for_ever", test_same_edit_for_ever},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model memory", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
