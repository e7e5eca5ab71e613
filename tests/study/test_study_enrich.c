/* `elements: quadratic` and `enrich` of a case: a plate with a hole in mixed order, what is
 * refused, and a replay to the same bits. */
#include "shape/parts/shape.h"
#include "study/study.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "mesh: none.mesh\nmaterial: {young: 210e9, poisson: 0.3}\n"
    "sets:\n"
    "  pulled: {plane: {point: [1, 0, 0], normal: x}, of: faces}\n"
    "  near: {cylinder: {from: [0, 0, -1], to: [0, 0, 1], radius: 0.24}, of: tets}\n"
    "  far: {subtract: [{all: true, of: tets}, near]}\n"
    "constraints:\n"
    "  - {symmetry: x}\n  - {symmetry: y}\n  - {symmetry: z}\n"
    "loads:\n  - {set: pulled, traction: [100e6, 0, 0]}\n";

typedef struct answer {
    double peak, energy;
    int32_t unknowns, different;
} answer;

typedef struct answers {
    ew_study *study;
    int32_t n;
    answer of[8];
} answers;

static void keep(void *user, const ew_step_report *report)
{
    answers *all = user;
    answer *now = &all->of[all->n++];
    now->peak = report->sums->max_vertex_von_mises;
    now->energy = report->sums->strain_energy;
    now->unknowns = 3 * (report->n_vertex + report->n_edge_row);
    now->different = (int32_t)report->different_blocks;
}

static ew_status run(const char *steps, answers *all)
{
    char text[4096];
    ew_case input;
    ew_mesh mesh = {0};
    ew_study_def def = ew_default_study_def();
    *all = (answers){0};
    snprintf(text, sizeof text, "%s%s", head, steps);
    must(ew_case_read(text, strlen(text), &input));
    must(ew_shape_plate_hole(&mesh, 1.0, 0.1, 0.05, (int32_t[]){12, 12, 1}));
    def.verify_rebuild = true;
    def.user = all;
    def.on_step = keep;
    const ew_status status = ew_study_run(&input, &mesh, &def, NULL, NULL);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
    return status;
}

/* Within 1 % of the all-quadratic peak at half of its unknowns; linear tets are far off. */
static void test_plate_in_mixed_order(void)
{
    answers all;
    must(run("elements: quadratic\n"
             "steps:\n"
             "  - {name: quadratic, static: {}}\n"
             "  - {name: mixed, edit: [{enrich: {set: far, order: linear}}], static: {}}\n"
             "  - {name: linear, edit: [{enrich: {set: near, order: linear}}], static: {}}\n",
             &all));
    CU_ASSERT_EQUAL_FATAL(all.n, 3);
    const answer *a = all.of;
    CU_ASSERT(2 * a[1].unknowns <= a[0].unknowns);
    CU_ASSERT_DOUBLE_EQUAL(a[1].peak / a[0].peak, 1.0, 0.01);
    CU_ASSERT(a[2].peak / a[0].peak < 0.97);
    CU_ASSERT(a[0].energy > a[1].energy && a[1].energy > a[2].energy);
    for (int k = 0; k < all.n; k++) {
        CU_ASSERT_EQUAL(a[k].different, 0);
    }
}

static void test_enriching_by_error(void)
{
    answers all;
    must(run("steps:\n"
             "  - {name: linear, static: {}}\n"
             "  - {name: by error, edit: [{enrich: {by: error, until: 2 %}}], static: {}}\n"
             "  - {name: finer, edit: [{refine: {set: near}}], static: {}}\n",
             &all));
    CU_ASSERT_EQUAL_FATAL(all.n, 3);
    CU_ASSERT(all.of[1].unknowns > all.of[0].unknowns);
    CU_ASSERT(all.of[1].energy > all.of[0].energy && all.of[2].energy > all.of[1].energy);
    CU_ASSERT_EQUAL(all.of[2].different, 0);
}

static void expect_refused(const char *edit, const char *why)
{
    char text[4096];
    ew_case input;
    snprintf(text, sizeof text, "%ssteps:\n  - {name: only, edit: [{enrich: %s}], static: {}}\n",
             head, edit);
    CU_ASSERT_EQUAL(ew_case_read(text, strlen(text), &input), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), why));
}

static void test_bad_edits_are_refused(void)
{
    expect_refused("{}", "either a set");
    expect_refused("{set: near, by: error}", "either a set");
    expect_refused("{set: near, until: 3 %}", "until belongs");
    expect_refused("{by: error, until: 0}", "above 0");
    expect_refused("{by: error, order: linear}", "needs a set");
    expect_refused("{sat: near}", "set");
    char text[4096]; /* in a step that solves nothing, too */
    ew_case input;
    snprintf(text, sizeof text,
             "%selements: mixed\nsteps:\n  - {name: only, edit: [{enrich: {set: near}}]}\n", head);
    CU_ASSERT_EQUAL(ew_case_read(text, strlen(text), &input), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "mixed tets are linear"));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"plate_in_mixed_order", test_plate_in_mixed_order},
        {"enriching_by_error", test_enriching_by_error},
        {"bad_edits_are_refused", test_bad_edits_are_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"study_enrich", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
