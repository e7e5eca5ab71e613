/* Case files and the running of their steps: what is read, what is refused and where, several
 * steps, edits with the rebuild oracle, sets under edits, replay of a journal. */
#include "shape/shape.h"
#include "study/study.h"
#include "study/yaml.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------- */

static ew_status read_text(const char *text, ew_case *one)
{
    memset(one, 0, sizeof *one);
    return ew_case_read(text, strlen(text), one);
}

#define HEAD "mesh: part.mesh\nmaterial: {young: 1000, poisson: 0.3, density: 2}\n"

static void test_case_reads_every_key(void)
{
    static const char text[] =
        "mesh: {surface: part.stl, quality: 1.4, max_volume: 1e-3, keep_surface: true}\n"
        "units: {length: mm, force: N, time: ms}\n"
        "material:\n"
        "  - {region: 1, young: 210e3, poisson: 0.3}\n"
        "  - {region: -2, young: 70e3, poisson: 0.33, density: 2.7e-9}\n"
        "under_constrained: leave_out\n"
        "sets:\n"
        "  both: {union: [a, b]}\n"
        "  a: {box: [[0, 0, 0], [1, 1, 1]], allow_empty: true}\n"
        "  b: {subtract: [{sphere: {center: [0, 0, 0], radius: 2}}, {ids: [3, 4]}, a]}\n"
        "  c: {intersect: [a, {cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}}]}\n"
        "  d: {plane: {point: [0, 0, 0], normal: z, tolerance: 0}}\n"
        "  e: {side: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
        "  f: {nearest: [1, 2, 3]}\n"
        "  g: {region: -2}\n"
        "  h: {surface: 5}\n"
        "  i: {all: true}\n"
        "constraints:\n"
        "  - {set: a, displacement: [0, ~, -1.5]}\n"
        "loads:\n"
        "  - {gravity: [0, 0, -9.81]}\n"
        "  - {set: b, total_force: [1, 2, 3]}\n"
        "  - {set: c, force: [1, 0, 0]}\n"
        "  - {set: {box: [[0, 0, 0], [1, 1, 1]]}, pressure: 4}\n"
        "  - {set: d, traction: [0, 0, 1]}\n"
        "steps:\n"
        "  - {name: one, static: {tolerance: 1e-6, max_iterations: 7, preconditioner: jacobi}}\n"
        "  - name: two\n"
        "    edit:\n"
        "      - {decimate: {fraction: 0.25, order: random, seed: 9}}\n"
        "      - {mirror: {normal: x, at: min}}\n"
        "      - {scale: {factor: 2, about: [1, 1, 1]}}\n"
        "      - {remove: {sphere: {center: [0, 0, 0], radius: 1}}}\n"
        "      - {remove: {pieces_smaller_than: 3}}\n"
        "      - {add: {mesh: rib.mesh, weld: 1e-6}}\n"
        "      - {move: {set: a, by: [0, 0, 1], radius: 2}}\n"
        "      - {refine: {longer_than: 0.5, set: a}}\n"
        "      - {smooth: {sweeps: 3}}\n"
        "    constraints: []\n"
        "    loads:\n"
        "      - {set: f, force: [0, 0, 1]}\n";
    ew_case one;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &one), EW_OK);
    CU_ASSERT_STRING_EQUAL(one.surface_file, "part.stl");
    CU_ASSERT_DOUBLE_EQUAL(one.tetgen.quality, 1.4, 0);
    CU_ASSERT_TRUE(one.tetgen.keep_surface && one.leave_out_free);
    CU_ASSERT_STRING_EQUAL(one.length_unit, "mm");
    CU_ASSERT_EQUAL(one.n_material, 2);
    CU_ASSERT_EQUAL(one.material[1].region, -2);
    CU_ASSERT_EQUAL(one.n_set, 11); /* ten named, one given in place */
    CU_ASSERT_TRUE(one.set[1].allow_empty && !one.set[0].allow_empty);
    CU_ASSERT_EQUAL(one.constraint[0].fixed, 5);
    CU_ASSERT_DOUBLE_EQUAL(one.constraint[0].value[2], -1.5, 0);
    CU_ASSERT_EQUAL(one.n_load, 5);
    CU_ASSERT_EQUAL(one.load[3].kind, EW_LOAD_PRESSURE);
    CU_ASSERT_EQUAL(one.n_step, 2);
    CU_ASSERT_EQUAL(one.step[0].max_iterations, 7);
    CU_ASSERT_EQUAL(one.step[0].preconditioner, EW_JACOBI);
    CU_ASSERT_EQUAL(one.step[1].n_edit, 9);
    CU_ASSERT_EQUAL(one.step[1].edit[0].values.of[2].whole, EW_DECIMATE_RANDOM);
    CU_ASSERT_STRING_EQUAL(one.step[1].edit[1].operation->name, "mirror");
    CU_ASSERT_EQUAL(one.step[1].edit[1].values.of[1].whole, 0); /* min */
    CU_ASSERT_DOUBLE_EQUAL(one.step[1].edit[2].values.of[0].number[1], 2, 0);
    CU_ASSERT_TRUE(one.step[1].own_constraints && one.step[1].n_constraint == 0);
    CU_ASSERT_TRUE(one.step[1].own_loads && one.step[1].n_load == 1);
    ew_case_free(&one);
    ew_case_free(&one);
}

static void test_case_without_steps_has_one_static_step(void)
{
    ew_case one;
    CU_ASSERT_EQUAL_FATAL(read_text(HEAD, &one), EW_OK);
    CU_ASSERT_EQUAL(one.n_step, 1);
    CU_ASSERT_TRUE(one.step[0].has_static);
    CU_ASSERT_DOUBLE_EQUAL(one.step[0].tolerance, 1e-8, 0);
    ew_case_free(&one);
}

static void test_case_refuses_with_line_and_remedy(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {HEAD "stes: 1\n", "line 3: the case: unknown key 'stes'; did you mean 'steps'?"},
        {HEAD "qqqqqqqq: 1\n", "unknown key 'qqqqqqqq'; allowed: mesh, units"},
        {HEAD "mesh: again\n", "line 3: the case: key 'mesh' is given twice (first in line 1)"},
        {HEAD "sets: [1, 2]\n", "line 3: sets must be a mapping"},
        {HEAD "sets: {a: {box: [[1, 0, 0], [0, 1, 1]]}}\n", "first corner must not exceed"},
        {HEAD "sets: {a: {box: [[0, 0, 0]]}}\n", "two corners"},
        {HEAD "sets: {a: {sphere: {center: [0, 0, 0], radius: 0}}}\n", "greater than 0"},
        {HEAD "sets: {a: {cylinder: {from: [1, 1, 1], to: [1, 1, 1], radius: 1}}}\n",
         "must differ"},
        {HEAD "sets: {a: {ids: [-1]}}\n", "whole number from 0"},
        {HEAD "sets: {a: {ids: [0], region: 1}}\n", "one kind of selection only"},
        {HEAD "sets: {a: {}}\n", "says nothing"},
        {HEAD "sets: {a: {union: [b]}, b: {ids: [0]}}\n", "at least two"},
        {HEAD "sets: {a: {union: [b, b]}, b: {union: [c, a]}, c: {all: true}}\n", "by itself"},
        {HEAD "constraints: {set: a}\n", "constraints must be a list"},
        {HEAD "constraints:\n  - {set: a, displacement: [0, 0, 0]}\n", "no set 'a'"},
        {HEAD "sets: {a: {all: true}}\nconstraints:\n  - {set: a, displacement: [~, ~, ~]}\n",
         "line 5: displacement leaves all three"},
        {HEAD "loads:\n  - {gravity: [0, 0, 1], pressure: 2}\n", "one kind per load"},
        {HEAD "loads:\n  - {set: a}\n", "a load needs one of"},
        {HEAD "loads:\n  - {pressure: 2}\n", "key 'set' is missing"},
        {HEAD "sets: {a: {all: true}}\nloads:\n  - {set: a, gravity: [0, 0, 1]}\n", "takes no set"},
        {HEAD "steps: []\n", "the list is empty"},
        {HEAD "steps:\n  - {name: a}\n", "does nothing"},
        {HEAD "steps:\n  - {static: {}}\n", "key 'name' is missing"},
        {HEAD "steps:\n  - {name: a, edit: [{decimate: {fraction: 1.5}}]}\n", "at most 1"},
        {HEAD "steps:\n  - name: a\n    edit:\n    - decimate: {order: random,\n        axis: y}\n",
         "line 7: decimate: axis goes with order axis or region"},
        {HEAD "steps:\n  - {name: a, edit: [{remove: {region: 1, ids: [0]}}]}\n",
         "one kind of selection; write several removes"},
        {HEAD "steps:\n  - {name: a, edit: [{remove: {region: 1, pieces_smaller_than: 2}}]}\n",
         "one, and only one"},
        {HEAD "steps:\n  - {name: a, edit: [{move: {set: {all: true}}}]}\n", "key 'by' is missing"},
        {HEAD "steps:\n  - {name: a, edit: [{scal: {factor: 1}}]}\n", "did you mean 'scale'?"},
        {HEAD "steps:\n  - {name: a, edit: [{scale: {factor: [1, -1, 1]}}]}\n", "greater than 0"},
        {HEAD "steps:\n  - {name: a, edit: [{remove: {plane: 1}}]}\n", "unknown key 'plane'"},
        {HEAD "steps:\n  - {name: a, edit: [{refine: {}}]}\n", "longer_than"},
        {HEAD "steps:\n  - {name: a, static: {tolerance: .nan}}\n", "must be a number"},
        {"mesh: a.mesh\nmaterial: []\n", "the list is empty"},
        {"mesh: a.mesh\nmaterial: [{young: 1, poisson: 0}]\n", "needs 'region:'"},
        {"mesh: a.mesh\nmaterial: {young: 1, poisson: -1}\n", "between -1 and 0.5"},
        {"mesh: {surface: a.stl, quality: 0.5}\nmaterial: {young: 1, poisson: 0}\n", "[1, 100]"},
        {"[1, 2]\n", "the case must be a mapping"},
        {"a: &x [*x]\n", "unknown key 'a'"},
        {"sets: &s {a: {union: [{union: *t}, b]}}\n", "not valid YAML"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_case one;
        const ew_status status = read_text(cases[i].text, &one);
        CU_ASSERT_EQUAL(status, EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), cases[i].message));
        if (status != EW_BAD_INPUT || !strstr(ew_message(), cases[i].message)) {
            printf("\n  case %zu: expected '%s', got '%s'\n", i, cases[i].message, ew_message());
        }
    }
}

static void test_case_bounds_hostile_nesting(void)
{
    /* Each alias doubles the expression: 2^40 nodes if they were followed. */
    char text[4096] = HEAD "sets:\n  s0: &a0 {union: [{ids: [0]}, {ids: [1]}]}\n";
    for (int i = 1; i < 40; i++) {
        sprintf(text + strlen(text), "  s%d: &a%d {union: [*a%d, *a%d]}\n", i, i, i - 1, i - 1);
    }
    ew_case one;
    CU_ASSERT_EQUAL(read_text(text, &one), EW_BAD_INPUT);
}

static void test_case_survives_failing_allocations(void)
{
    static const char text[] = HEAD "sets: {a: {union: [{all: true}, b]}, b: {ids: [1, 2]}}\n"
                                    "constraints:\n  - {set: a, displacement: [0, 0, 0]}\n"
                                    "loads:\n  - {gravity: [0, 0, 1]}\n"
                                    "steps:\n  - {name: s, edit: [{smooth: {}}], static: {}}\n";
    ew_status status = EW_NO_MEMORY;
    for (int32_t k = 0; status == EW_NO_MEMORY && k < 200; k++) {
        ew_case one = {0};
        ew_test_allocations_begin(k);
        status = read_text(text, &one);
        ew_case_free(&one);
        ew_test_allocations_end();
        CU_ASSERT_EQUAL(ew_test_held(), 0);
    }
    CU_ASSERT_EQUAL(status, EW_OK);
}

/* ---- running ----------------------------------------------------------- */

typedef struct seen {
    int32_t n;
    int32_t n_tet[16], iterations[16], lost[16], n_edit[16], left_out[16];
    int64_t different[16], touched[16];
    double displacement[16], volume[16], energy[16], force[16][3];
    double lost_force[16][3];
    bool compacted[16];
    int32_t n_set; /* of the case */
} seen;

static void watch(void *user, const ew_step_report *report)
{
    seen *all = user;
    const int32_t i = all->n++;
    all->n_tet[i] = report->n_tet;
    all->iterations[i] = report->solver ? report->solver->iterations : -1;
    all->different[i] = report->verified ? report->different_blocks : -1;
    all->touched[i] = report->touched_blocks;
    all->lost[i] = 0;
    for (int32_t s = 0; s < all->n_set; s++) {
        all->lost[i] += report->lost_members[s];
    }
    memcpy(all->lost_force[i], report->lost_force, sizeof all->lost_force[i]);
    all->n_edit[i] = report->n_edit;
    all->left_out[i] = report->n_left_out;
    all->displacement[i] = report->sums->max_displacement;
    all->volume[i] = report->sums->volume;
    all->energy[i] = report->sums->strain_energy;
    memcpy(all->force[i], report->sums->applied_force, sizeof all->force[i]);
    all->compacted[i] = report->compacted;
}

static ew_status run_box(const char *text, const int32_t cells[3], seen *all, ew_result *result,
                         bool verify, const ew_result_archive *journal)
{
    const double size[3] = {4, 1, 1};
    ew_case one;
    ew_mesh mesh;
    ew_study_def def = ew_default_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = watch;
    def.verify_rebuild = verify;
    EW_TRY(read_text(text, &one));
    all->n_set = one.n_set;
    ew_status status = ew_shape_box(&mesh, size, cells);
    if (!status) {
        status = ew_study_run(&one, &mesh, &def, result, journal);
    }
    ew_mesh_free(&mesh);
    ew_case_free(&one);
    return status;
}

static ew_status run_text(const char *text, seen *all, ew_result *result, bool verify,
                          const ew_result_archive *journal)
{
    return run_box(text, (const int32_t[3]){8, 2, 2}, all, result, verify, journal);
}

#define BODY                                                                                       \
    HEAD "sets:\n"                                                                                 \
         "  wall: {surface: 1}\n"                                                                  \
         "  tip: {surface: 2}\n"                                                                   \
         "  end: {box: [[3.4, 0, 0], [4, 1, 1]]}\n"                                                \
         "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"                                \
         "loads:\n  - {set: tip, total_force: [0, 0, -1]}\n"

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
    /* The image of the wall is held too: a beam of twice the length, fixed at both ends, is far
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

static void test_replay_gives_the_same_bits(void)
{
    const char *text =
        BODY "steps:\n"
             "  - {name: base, static: {}}\n"
             "  - {name: rough, edit: [{decimate: {fraction: 0.1, order: energy}}, {smooth: {}}, "
             "{remove: "
             "{pieces_smaller_than: 4}}], loads: [{gravity: [0, 0, -1]}], static: {}}\n"
             "  - {name: stub, edit: [{decimate: {fraction: 0.8}}], "
             "loads: [{gravity: [0, 0, -1]}], static: {}}\n"
             "  - {name: whole, edit: [{refine: {longer_than: 0.6}}, {mirror: {normal: x, at: "
             "max}}], loads: "
             "[{gravity: [0, 0, -1]}], static: {}}\n";
    const char *names[2] = {"study-first", "study-replayed"};
    ew_result_archive archive = {0};
    for (int i = 0; i < 2; i++) {
        ew_result *result = NULL;
        const ew_result_def def = {.name = names[i],
                                   .case_text = text,
                                   .length_unit = "",
                                   .force_unit = "",
                                   .time_unit = ""};
        seen all;
        CU_ASSERT_EQUAL_FATAL(ew_result_create(&result, &def), EW_OK);
        const ew_status status = run_text(text, &all, result, false, i ? &archive : NULL);
        if (status) {
            printf("\n  %s\n", ew_message());
        }
        CU_ASSERT_EQUAL_FATAL(status, EW_OK);
        CU_ASSERT_TRUE(all.compacted[2]);
        CU_ASSERT_EQUAL_FATAL(ew_result_finish(result), EW_OK);
        if (i == 0) {
            CU_ASSERT_EQUAL_FATAL(ew_result_read_archive("study-first.vtkhdf", &archive), EW_OK);
        }
    }
    char different[256] = "";
    CU_ASSERT_EQUAL(ew_result_compare("study-first.vtkhdf", "study-replayed.vtkhdf", different,
                                      sizeof different),
                    EW_OK);
    CU_ASSERT_STRING_EQUAL(different, "");
    ew_result_archive_free(&archive);
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.vtkhdf", names[i]);
        remove(path);
        snprintf(path, sizeof path, "%s.xdmf", names[i]);
        remove(path);
    }
}

static void test_replay_refuses_a_damaged_journal(void)
{
    seen all;
    const char *text = BODY "steps:\n  - {name: base, static: {}}\n";
    unsigned char record[64] = {'C', 3, 255, 255, 255, 127};
    size_t sizes[1] = {1};
    void *records[1] = {record};
    const ew_result_archive archive = {.n_step = 1, .journal_bytes = sizes, .journal = records};
    for (sizes[0] = 1; sizes[0] <= sizeof record; sizes[0]++) {
        CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_INPUT);
    }
    record[0] = 'X';
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_INPUT);
}

/* A refinement whose new vertices lie between vertices that are not there is refused. */
static void test_replay_bounds_parents(void)
{
    const char *text = BODY "steps:\n  - {name: base, static: {}}\n";
    const struct {
        int32_t counts[7];
        double added[4][3];
        int32_t tet[4], region, source[8];
    } body = {{4, 1, 0, 0, 0, 8, 0},
              {{9, 0, 0}, {10, 0, 0}, {9, 1, 0}, {9, 0, 1}},
              {-2, -3, -4, -5},
              1,
              {-100000000, INT32_MIN, -6, -6, INT32_MAX, 100000000, -2, -1}};
    unsigned char record[256] = {'C', 7};
    size_t size = 2;
    const struct {
        const void *data;
        size_t bytes;
    } parts[] = {{body.counts, sizeof body.counts},
                 {body.added, sizeof body.added},
                 {body.tet, sizeof body.tet},
                 {&body.region, sizeof body.region},
                 {body.source, sizeof body.source}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memcpy(record + size, parts[i].data, parts[i].bytes);
        size += parts[i].bytes;
    }
    void *records[1] = {record};
    const ew_result_archive archive = {.n_step = 1, .journal_bytes = &size, .journal = records};
    seen all;
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_EDIT);
}

/* What a left-out component fixed is under-constrained without it. */
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
        ew_case one;
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(read_text(text, &one), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, size, cells), EW_OK);
        ew_study_def def = ew_default_study_def();
        def.verify_rebuild = true;
        def.on_step = tampered ? tamper : NULL;
        CU_ASSERT_EQUAL(ew_study_run(&one, &mesh, &def, NULL, NULL),
                        tampered ? EW_MATRIX_DIFFERS : EW_OK);
        CU_ASSERT_TRUE(!tampered || strstr(ew_message(), "step 'cut'"));
        CU_ASSERT_TRUE(!tampered || strstr(ew_message(), "differ from a rebuild"));
        ew_mesh_free(&mesh);
        ew_case_free(&one);
    }
}

/* One run of a small study with every kind of bookkeeping; counts what the run does not release. */
static ew_status run_with_allocations(int64_t k, const ew_case *one, const ew_mesh *mesh,
                                      bool *refused)
{
    const ew_study_def def = {.precision = EW_DOUBLE, .verify_rebuild = true};
    ew_mesh copy = {0};
    ew_test_allocations_begin(k);
    ew_status status = ew_mesh_copy(&copy, mesh);
    if (!status) {
        status = ew_study_run(one, &copy, &def, NULL, NULL);
    }
    ew_mesh_free(&copy);
    *refused = ew_test_allocations_end();
    CU_ASSERT_EQUAL(ew_test_held(), 0);
    return status;
}

static void test_run_survives_failing_allocations(void)
{
    static const char text[] = HEAD
        "under_constrained: leave_out\n"
        "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
        "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
        "loads:\n  - {gravity: [0, 0, -1]}\n"
        "steps:\n"
        "  - {name: base, loads: [{set: tip, pressure: 1}], static: {}}\n"
        "  - {name: more, edit: [{refine: {longer_than: 1.5}}, {smooth: {}}, {mirror: {normal: "
        "z, at: max}}], static: {}}\n"
        "  - {name: stub, edit: [{move: {set: tip, by: [0, 0, 0.1], radius: 1}}, {decimate: "
        "{fraction: 0.8}}], static: {}}\n";
    const double size[3] = {2, 1, 1};
    const int32_t cells[3] = {2, 1, 1};
    ew_case one;
    ew_mesh mesh;
    bool refused = true;
    int64_t k = 0;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &one), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, size, cells), EW_OK);
    for (; refused && k < 20000; k++) {
        const ew_status status = run_with_allocations(k, &one, &mesh, &refused);
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    CU_ASSERT_TRUE(k > 100 && !refused);
    ew_mesh_free(&mesh);
    ew_case_free(&one);
}

static CU_TestInfo reading[] = {
    {"case_reads_every_key", test_case_reads_every_key},
    {"case_without_steps", test_case_without_steps_has_one_static_step},
    {"case_refuses", test_case_refuses_with_line_and_remedy},
    {"case_bounds_nesting", test_case_bounds_hostile_nesting},
    {"case_allocations", test_case_survives_failing_allocations},
    CU_TEST_INFO_NULL,
};
static CU_TestInfo running[] = {
    {"run_steps", test_run_solves_steps_with_their_own_loads},
    {"run_edits", test_run_edits_equal_a_rebuild},
    {"run_edit_only", test_run_keeps_the_solution_over_steps_that_only_edit},
    {"run_refined_start", test_run_starts_refined_vertices_from_their_edges},
    {"run_mirrored_sets", test_run_mirrors_sets_with_their_vertices},
    {"run_emptied_set", test_run_refuses_a_set_that_edits_emptied},
    {"run_leaves_components_out", test_run_leaves_components_out},
    {"run_compacts", test_run_compacts_a_sparse_mesh},
    {"replay", test_replay_gives_the_same_bits},
    {"run_leaves_out_until", test_run_leaves_out_until_all_is_constrained},
    {"run_lost_loads", test_run_reports_every_lost_load},
    {"verify_rebuild_fails", test_verify_rebuild_fails_on_a_differing_block},
    {"run_allocations", test_run_survives_failing_allocations},
    {"replay_parents", test_replay_bounds_parents},
    {"replay_damaged", test_replay_refuses_a_damaged_journal},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {
        {"reading", NULL, NULL, NULL, NULL, reading},
        {"running", NULL, NULL, NULL, NULL, running},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
