/* The running of a case's steps: several steps, edits with the rebuild oracle, sets under edits,
 * losses, components left out, with any allocation failing. */
#include "study_fixture.h"

static void test_run_solves_steps_with_their_own_loads(void)
{
    seen all;
    const char *text = BODY "steps:\n"
                            "  - {name: base, static: {}}\n"
                            "  - {name: again, static: {}}\n"
                            "  - {name: double, loads: [{set: tip, total_force: [0, 0, -2]}], "
                            "static: {}}\n"
                            "  - {name: moved, loads: [], constraints: [{set: wall, displacement: "
                            "[0, 0, 0]}, {set: tip, displacement: [~, ~, -0.5]}], static: {}}\n";
    CU_ASSERT_EQUAL_FATAL(run_text(text, &all, NULL, false, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(all.n, 4);
    CU_ASSERT_TRUE(all.iterations[0] > 10);
    CU_ASSERT_TRUE(all.iterations[1] <= 1); /* starts from the last solution */
    CU_ASSERT_DOUBLE_EQUAL(all.displacement[2], 2 * all.displacement[0],
                           1e-6 * all.displacement[0]);
    CU_ASSERT_DOUBLE_EQUAL(all.energy[2], 4 * all.energy[0], 1e-5 * all.energy[0]);
    CU_ASSERT_TRUE(all.displacement[3] >= 0.5 && all.displacement[3] < 0.6);
    CU_ASSERT_DOUBLE_EQUAL(all.force[3][2], 0, 0);
}

static void test_run_edits_equal_a_rebuild(void)
{
    seen all;
    const char *text =
        BODY "steps:\n"
             "  - {name: base, static: {}}\n"
             "  - {name: short, edit: [{decimate: {fraction: 0.25}}], loads: [{gravity: [0, 0, "
             "-1]}], static: {}}\n"
             "  - {name: whole, edit: [{mirror: {normal: [1, 0, 0], at: max}}], loads: "
             "[{gravity: [0, 0, -1]}], static: {}}\n"
             "  - {name: long, edit: [{scale: {factor: [2, 1, 1]}}, {refine: {longer_than: 1}}, "
             "{smooth: {}}], loads: [{gravity: [0, 0, -1]}], static: {}}\n"
             "  - {name: holed, edit: [{remove: {sphere: {center: [3, 0, 0], radius: 0.6}}}], "
             "loads: [{gravity: [0, 0, -1]}], static: {}}\n";
    const ew_status status = run_text(text, &all, NULL, true, NULL);
    if (status) {
        printf("\n  %s\n", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    CU_ASSERT_EQUAL_FATAL(all.n, 5);
    CU_ASSERT_EQUAL(all.n_tet[0], 192);
    CU_ASSERT_EQUAL(all.n_tet[1], 144);
    CU_ASSERT_EQUAL(all.n_tet[2], 288);
    CU_ASSERT_DOUBLE_EQUAL(all.volume[1], 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.volume[2], 6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.volume[3], 12, 1e-11);
    CU_ASSERT_TRUE(all.volume[4] < 12 && all.volume[4] > 11);
    CU_ASSERT_TRUE(all.n_tet[3] > 288);
    CU_ASSERT_EQUAL(all.lost[1], 9 + 18); /* tip: 9 vertices; end: two layers of 9 */
    for (int32_t i = 1; i < all.n; i++) {
        CU_ASSERT_EQUAL(all.different[i], 0);
        CU_ASSERT_TRUE(all.touched[i] > 0);
    }
}

/* A step that only edits must not lose the solution that the next one starts from. */
static void test_run_keeps_the_solution_over_steps_that_only_edit(void)
{
    seen all;
    const char *text = BODY "steps:\n"
                            "  - {name: base, static: {}}\n"
                            "  - {name: still, edit: [{scale: {factor: 1}}]}\n"
                            "  - {name: again, static: {}}\n";
    CU_ASSERT_EQUAL_FATAL(run_text(text, &all, NULL, false, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(all.n, 3);
    CU_ASSERT_TRUE(all.iterations[0] > 10);
    CU_ASSERT_EQUAL(all.displacement[1], 0); /* nothing was solved, so nothing is shown */
    CU_ASSERT_TRUE(all.iterations[2] <= 1);
    CU_ASSERT_DOUBLE_EQUAL(all.displacement[2], all.displacement[0], 1e-9 * all.displacement[0]);
}

/* A pulled bar without lateral strain has a linear displacement, which the middles of its edges
 * inherit exactly: refined, it is solved already. */
static void test_run_starts_refined_vertices_from_their_edges(void)
{
    seen all;
    const char *text =
        "mesh: part.mesh\nmaterial: {young: 1000, poisson: 0}\n"
        "sets:\n  wall: {surface: 1}\n  tip: {surface: 2}\n"
        "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
        "  - {set: tip, displacement: [0.5, 0, 0]}\n"
        "steps:\n  - {name: pulled, edit: [{move: {set: {nearest: [2, 0.5, 0.5]}, by: "
        "[0.2, 0.1, 0.05]}}], static: {tolerance: 1e-12}}\n"
        "  - {name: finer, edit: [{refine: {longer_than: 0.5}}], static: {}}\n";
    CU_ASSERT_EQUAL_FATAL(run_text(text, &all, NULL, false, NULL), EW_OK);
    CU_ASSERT_TRUE(all.n_tet[1] > all.n_tet[0]);
    CU_ASSERT_TRUE(all.iterations[0] > 10);
    CU_ASSERT_EQUAL(all.iterations[1], 0);
}

static void test_run_mirrors_sets_with_their_vertices(void)
{
    seen all;
    const char *text = BODY "steps:\n"
                            "  - {name: base, static: {}}\n"
                            "  - {name: twice, edit: [{mirror: {normal: [1, 0, 0], at: max}}], "
                            "static: {}}\n";
    CU_ASSERT_EQUAL_FATAL(run_text(text, &all, NULL, true, NULL), EW_OK);
    /* The image of the wall is fixed too: a beam of twice the length, fixed at both ends, is far
     * stiffer. */
    CU_ASSERT_TRUE(all.displacement[1] < 0.5 * all.displacement[0]);
    CU_ASSERT_DOUBLE_EQUAL(all.force[1][2], -1, 1e-12);
}

static void test_run_refuses_a_set_that_edits_emptied(void)
{
    seen all;
    const char *text = BODY "steps:\n"
                            "  - {name: base, static: {}}\n"
                            "  - {name: cut, edit: [{decimate: {fraction: 0.5}}], static: {}}\n";
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, NULL), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "tip"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "left after the edits"));
    CU_ASSERT_EQUAL(all.n, 1);
    /* so much that the mesh is renumbered and the set's slots are gone */
    text = BODY "steps:\n"
                "  - {name: base, static: {}}\n"
                "  - {name: cut, edit: [{decimate: {fraction: 0.75}}], static: {}}\n";
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, NULL), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "left after the edits"));
}

static void test_run_leaves_components_out(void)
{
    seen all;
    const char *cut = BODY "under_constrained: %s\n"
                           "steps:\n"
                           "  - {name: cut, edit: [{remove: {box: [[1.6, 0, 0], [2.4, 1, 1]]}}], "
                           "loads: [{gravity: [0, 0, -1]}], static: {}}\n";
    char text[2048];
    snprintf(text, sizeof text, cut, "error");
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, NULL), EW_UNDER_CONSTRAINED);
    snprintf(text, sizeof text, cut, "leave_out");
    CU_ASSERT_EQUAL_FATAL(run_text(text, &all, NULL, true, NULL), EW_OK);
    CU_ASSERT_TRUE(all.left_out[0] >= 1);
    CU_ASSERT_EQUAL(all.different[0], 0);
    CU_ASSERT_TRUE(all.volume[0] < 2);
    /* the loaded end goes with them, which is no fault of the edits */
    char *loads = strstr(text, "loads: [{gravity: [0, 0, -1]}], ");
    memset(loads, ' ', strlen("loads: [{gravity: [0, 0, -1]}], "));
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, NULL), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "no vertices left (they went with components"));
}

static void test_run_compacts_a_sparse_mesh(void)
{
    seen all;
    const char *text = BODY
        "steps:\n"
        "  - {name: base, static: {}}\n"
        "  - {name: stub, edit: [{decimate: {fraction: 0.75}}], loads: [{gravity: [0, 0, -1]}], "
        "static: {}}\n"
        "  - {name: more, edit: [{scale: {factor: [2, 1, 1]}}], loads: [{gravity: [0, 0, -1]}], "
        "static: {}}\n";
    CU_ASSERT_EQUAL_FATAL(run_text(text, &all, NULL, true, NULL), EW_OK);
    CU_ASSERT_TRUE(all.compacted[1] && !all.compacted[2]);
    CU_ASSERT_EQUAL(all.different[2], 0);
    CU_ASSERT_DOUBLE_EQUAL(all.volume[2], 2, 1e-12);
}

static void test_run_leaves_out_until_all_is_constrained(void)
{
    for (int seed = 1; seed <= 12; seed++) {
        char text[900];
        seen all;
        snprintf(text, sizeof text,
                 HEAD "loose_pieces: leave_out\n" /* the old name of under_constrained */
                      "sets: {wall: {surface: 1}}\n"
                      "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
                      "loads:\n  - {gravity: [0, 0, -1]}\n"
                      "steps:\n"
                      "  - {name: sparse, edit: [{decimate: {fraction: 0.8, order: random, seed: "
                      "%d}}], static: {}}\n",
                 seed);
        CU_ASSERT_EQUAL(run_box(text, (const int32_t[3]){8, 4, 3}, &all, NULL, false, NULL), EW_OK);
        CU_ASSERT_TRUE(all.n == 1 && all.left_out[0] > 0);
    }
}

/* The far half goes, with half of the top's pressure and traction, the tip's whole total force, and
 * the force on each of the end's vertices. */
static void test_run_reports_every_lost_load(void)
{
    static const struct {
        const char *load;
        double lost[3];
    } loads[] = {
        {"{set: top, pressure: 3}", {0, 0, -3 * 2}},
        {"{set: top, traction: [5, 0, 0]}", {5 * 2, 0, 0}},
        {"{set: tip, total_force: [0, 7, 0]}", {0, 7, 0}},
        {"{set: tip, force: [0, 0, 2]}", {0, 0, 2 * 9}},
        {"{set: wall, total_force: [0, 7, 0]}", {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        char text[900];
        seen all;
        snprintf(text, sizeof text,
                 HEAD "sets:\n"
                      "  wall: {surface: 1}\n"
                      "  tip: {surface: 2, allow_empty: true}\n"
                      "  top: {box: [[-1, -1, 1], [5, 2, 2]]}\n"
                      "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
                      "loads:\n  - {gravity: [0, 0, -1]}\n  - %s\n"
                      "steps:\n"
                      "  - {name: whole, static: {}}\n"
                      "  - {name: half, edit: [{remove: {box: [[2, -1, -1], [5, 2, 2]]}}], static: "
                      "{}}\n",
                 loads[i].load);
        CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, NULL), EW_OK);
        CU_ASSERT_EQUAL_FATAL(all.n, 2);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(all.lost_force[0][c], 0, 0);
            CU_ASSERT_DOUBLE_EQUAL(all.lost_force[1][c], loads[i].lost[c], 1e-12);
        }
    }
}

/* Moves a vertex behind the library's back, so that blocks no edit touches become stale. */
static void tamper(void *user, const ew_step_report *report)
{
    (void)user;
    report->mesh->xyz[0] -= 0.01;
}

static void test_verify_rebuild_fails_on_a_differing_block(void)
{
    static const char text[] = BODY "steps:\n"
                                    "  - {name: base, static: {}}\n"
                                    "  - {name: cut, edit: [{decimate: {fraction: 0.1, seed: 1, "
                                    "order: random}}]}\n";
    const double size[3] = {4, 1, 1};
    const int32_t cells[3] = {8, 2, 2};
    for (int tampered = 0; tampered < 2; tampered++) {
        ew_case input;
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, size, cells), EW_OK);
        ew_study_def def = linear_study_def();
        def.verify_rebuild = true;
        def.on_step = tampered ? tamper : NULL;
        CU_ASSERT_EQUAL(ew_study_run(&input, &mesh, &def, NULL, NULL),
                        tampered ? EW_MATRIX_DIFFERS : EW_OK);
        CU_ASSERT_TRUE(!tampered || strstr(ew_message(), "step 'cut'"));
        CU_ASSERT_TRUE(!tampered || strstr(ew_message(), "differ from a rebuild"));
        ew_mesh_free(&mesh);
        ew_case_free(&input);
    }
}

/* One run of a small study with every kind of bookkeeping; counts what the run does not release. */
static ew_status run_with_allocations(int64_t k, const ew_case *input, const ew_mesh *mesh,
                                      bool *refused)
{
    const ew_study_def def = {.precision = EW_DOUBLE, .verify_rebuild = true};
    ew_mesh copy = {0};
    ew_test_allocations_begin(k);
    ew_status status = ew_mesh_copy(&copy, mesh);
    if (!status) {
        status = ew_study_run(input, &copy, &def, NULL, NULL);
    }
    ew_mesh_free(&copy);
    *refused = ew_test_allocations_end();
    CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    return status;
}

static void test_run_survives_failing_allocations(void)
{
    static const char text[] = HEAD
        "under_constrained: leave_out\n"
        "sets: {wall: {surface: 1}, tip: {surface: 2}, half: {box: [[0, 0, 0], [1, 1, 1]], of: "
        "tets}, corner: {nearest: [2, 1, 1]}}\n"
        "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
        "loads:\n  - {gravity: [0, 0, -1]}\n"
        "steps:\n"
        "  - {name: base, loads: [{set: tip, pressure: 1}], static: {}}\n"
        "  - {name: more, edit: [{refine: {longer_than: 1.5}}, {smooth: {}}, {mirror: {normal: "
        "z, at: max}}], sets: {tip: {union: [tip, {surface: 1, normal: x}]}, top: {all: true, "
        "normal: "
        "z}}, loads: [{set: top, total_force: [0, 0, 1]}, {set: tip, force: [1, 0, 0]}], static: "
        "{}}\n"
        "  - {name: stub, edit: [{move: {set: tip, by: [0, 0, 0.1], radius: 1}}, {decimate: "
        "{fraction: 0.7, protect: corner}}], static: {}}\n";
    const double size[3] = {2, 1, 1};
    const int32_t cells[3] = {2, 1, 1};
    ew_case input;
    ew_mesh mesh;
    bool refused = true;
    int64_t k = 0;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, size, cells), EW_OK);
    for (; refused && k < 20000; k++) {
        const ew_status status = run_with_allocations(k, &input, &mesh, &refused);
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    CU_ASSERT_TRUE(k > 100 && !refused);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
}

/* What was solved before a step that fails is still there, and the step can be tried again. */
static void test_failing_step_keeps_what_was_solved(void)
{
    static const char text[] =
        BODY "steps:\n"
             "  - {name: base, static: {}}\n"
             "  - {name: gone, edit: [{remove: {box: [[3.4, 0, 0], [4, 1, 1]]}}]"
             ", static: {}}\n";
    ew_case input;
    ew_mesh mesh;
    ew_study *study = NULL;
    const ew_study_def def = linear_study_def();
    CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){4, 1, 1}, (int32_t[]){8, 2, 2}), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_study_create(&study, &input, &mesh, &def, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_study_next(study), EW_OK);
    CU_ASSERT_EQUAL(ew_study_next(study), EW_BAD_INPUT); /* the tip, and its load, are gone */
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "step 'gone'"));
    CU_ASSERT_EQUAL(ew_study_n_done(study), 1);
    const ew_model *model = ew_study_model(study);
    const ew_mesh *left = ew_model_mesh(model);
    double largest = 0.0;
    for (int32_t v = 0; v < left->n_vertex; v++) {
        largest = fmax(largest, fabs(ew_model_displacement(model)[3 * (size_t)v + 2]));
    }
    CU_ASSERT(largest > 0.0);
    CU_ASSERT(left->n_live_tet > 0 && left->n_live_tet < 192);
    CU_ASSERT_EQUAL(ew_study_next(study), EW_BAD_INPUT);
    ew_study_free(study);
    ew_case_free(&input);
}

static bool is_in_table(const ew_step_number *number)
{
    bool is = false;
    for (int t = 0; t < EW_N_NUMBER_TABLE; t++) {
        is = is || number->csv[t] > 0;
    }
    return is;
}

/* The table of numbers: no name twice in a record or in the log, places without gaps. */
static void test_numbers_have_places(void)
{
    int32_t n_csv[EW_N_NUMBER_TABLE] = {0}, n_place = 0;
    for (int32_t k = 0; ew_step_number_at(k); k++) {
        const ew_step_number *a = ew_step_number_at(k);
        CU_ASSERT(*a->name && *a->help && (a->n == 1 || a->n == EW_STEP_NUMBER_VALUES));
        CU_ASSERT(a->in || is_in_table(a));
        CU_ASSERT(!a->place ||
                  (a->csv[EW_STEPS_TABLE] && a->heading && a->width >= (int)strlen(a->heading)));
        CU_ASSERT(!(a->title || a->curve) ||
                  a->in & (EW_IN_RECORD | EW_IN_RECORD_WHERE)); /* pages read records */
        n_place += a->place > 0;
        for (int t = 0; t < EW_N_NUMBER_TABLE; t++) {
            n_csv[t] += a->csv[t] > 0;
        }
        for (int32_t i = 0; i < k; i++) {
            const ew_step_number *b = ew_step_number_at(i);
            for (int t = 0; t < EW_N_NUMBER_TABLE; t++) {
                CU_ASSERT(!a->csv[t] || a->csv[t] != b->csv[t]);
            }
            CU_ASSERT(!a->place || a->place != b->place);
            CU_ASSERT(!(a->in && b->in) || strcmp(a->name, b->name) != 0);
        }
    }
    for (int32_t k = 0; ew_step_number_at(k); k++) {
        const ew_step_number *a = ew_step_number_at(k);
        CU_ASSERT(a->place <= n_place);
        for (int t = 0; t < EW_N_NUMBER_TABLE; t++) {
            CU_ASSERT(a->csv[t] <= n_csv[t]);
        }
    }
    CU_ASSERT_PTR_NULL(ew_step_number_at(-1));
}

/* Members of every type; what a step without an analysis has. */
static void test_numbers_of_a_report(void)
{
    const ew_pcg_info solver = {.iterations = 7, .residual = 0.25, .limited_by_rounding = true};
    const ew_sums sums = {.volume = 2.0, .max_displacement = 3.0, .reaction_force = {2, 3, 6}};
    ew_step_report report = {.n_tet = 5, .touched_blocks = INT64_C(5000000000), .sums = &sums};
    const struct {
        const char *name;
        double value, solved; /* NAN: there is none */
    } known[] = {
        {"n_tet", 5, 5},          {"touched_blocks", 5e9, 5e9}, {"volume", 2, 2},
        {"iterations", NAN, 7},   {"residual", NAN, 0.25},      {"limited_by_rounding", NAN, 1},
        {"reaction", NAN, 7},     {"max_displacement", NAN, 3}, {"reaction_force", NAN, 2},
        {"time_steps", NAN, NAN}, {"mode", NAN, NAN},           {"path_work", NAN, NAN}};
    for (int solved = 0; solved < 2; solved++) {
        report.solver = solved ? &solver : NULL;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            const double expected = solved ? known[i].solved : known[i].value;
            int32_t found = 0;
            for (int32_t k = 0; ew_step_number_at(k); k++) {
                const ew_step_number *number = ew_step_number_at(k);
                double value[EW_STEP_NUMBER_VALUES];
                if (!strcmp(number->name, known[i].name) &&
                    (number->in || number->csv[EW_STEPS_TABLE])) {
                    found++;
                    CU_ASSERT_EQUAL(ew_step_number_of(k, &report, value), expected == expected);
                    CU_ASSERT(expected != expected || *value == expected);
                }
            }
            CU_ASSERT(found >= 1);
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"numbers_places", test_numbers_have_places},
        {"numbers_report", test_numbers_of_a_report},
        {"run_steps", test_run_solves_steps_with_their_own_loads},
        {"run_edits", test_run_edits_equal_a_rebuild},
        {"run_edit_only", test_run_keeps_the_solution_over_steps_that_only_edit},
        {"run_refined_start", test_run_starts_refined_vertices_from_their_edges},
        {"run_mirrored_sets", test_run_mirrors_sets_with_their_vertices},
        {"run_emptied_set", test_run_refuses_a_set_that_edits_emptied},
        {"run_leaves_components_out", test_run_leaves_components_out},
        {"run_compacts", test_run_compacts_a_sparse_mesh},
        {"run_leaves_out_until", test_run_leaves_out_until_all_is_constrained},
        {"run_lost_loads", test_run_reports_every_lost_load},
        {"verify_rebuild_fails", test_verify_rebuild_fails_on_a_differing_block},
        {"run_allocations", test_run_survives_failing_allocations},
        {"failing_step_keeps_what_was_solved", test_failing_step_keeps_what_was_solved},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"running", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
