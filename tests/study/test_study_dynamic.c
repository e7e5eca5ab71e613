/* Dynamic steps and amplitudes as a case gives them: every key, its preset, and the place in time
 * of steps, outputs and edits. */
#include "study/study.h"
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

#define HEAD                                                                                       \
    "mesh: a.mesh\nmaterial: {young: 1, poisson: 0.3, density: 2}\nsets: {tip: {ids: [1]}}\n"

static void read_case(const char *text, ew_case *input)
{
    must(ew_case_read(text, strlen(text), input));
}

static void test_presets(void)
{
    ew_case input;
    read_case(HEAD "steps: [{dynamic: {step: 0.3, end: 1}}]\n", &input);
    const ew_case_step *step = &input.step[0];
    const ew_case_dynamic *of = step->dynamic;
    CU_ASSERT(input.has_dynamics && !step->has_static && ew_case_is_solved(step));
    CU_ASSERT_EQUAL(of->def.scheme, EW_NEWMARK);
    CU_ASSERT_EQUAL(of->def.mass, EW_MASS_LUMPED);
    CU_ASSERT(of->def.account);
    CU_ASSERT_EQUAL(of->start, EW_START_PREVIOUS);
    /* Four steps of 0.25 end at 1; those of 0.3 would not. */
    CU_ASSERT_EQUAL(of->n_step, 4);
    CU_ASSERT_EQUAL(ew_case_time(step, 1), 0.25);
    CU_ASSERT_EQUAL(ew_case_time(step, 4), 1.0);
    CU_ASSERT_EQUAL(ew_case_n_output(step), 4);
    CU_ASSERT_EQUAL(input.n_record, 5);
    CU_ASSERT_EQUAL(input.shortest_step, 0.25);
    ew_case_free(&input);
}

/* A whole number of steps but for rounding is one. */
static void test_whole_steps(void)
{
    ew_case input;
    read_case(HEAD "steps: [{dynamic: {step: 0.1, end: 0.3}}, {dynamic: {step: 1e-3, end: 2.3}}]\n",
              &input);
    CU_ASSERT_EQUAL(input.step[0].dynamic->n_step, 3);
    CU_ASSERT_EQUAL(input.step[1].dynamic->n_step, 2000);
    ew_case_free(&input);
}

static void test_place_in_time(void)
{
    ew_case input;
    read_case(HEAD "steps:\n  - {name: a, static: {}}\n"
                   "  - {name: b, dynamic: {step: 0.1, steps: 7, output: {every: 3}}}\n"
                   "  - {name: c, edit: [{smooth: {}}]}\n"
                   "  - {name: d, dynamic: {step: 0.1, end: 1, edits: [{at: 0.8, smooth: {}}]}}\n"
                   "  - {name: e, static: {}}\n",
              &input);
    static const double start[] = {0.0, 0.0, 0.7, 0.7, 1.0};
    static const int32_t record[] = {0, 1, 5, 6, 10};
    for (int32_t s = 0; s < 5; s++) {
        CU_ASSERT_DOUBLE_EQUAL(input.step[s].start, start[s], 1e-15);
        CU_ASSERT_EQUAL(input.step[s].first_record, record[s]);
    }
    CU_ASSERT_EQUAL(ew_case_n_output(&input.step[1]), 3);
    CU_ASSERT_EQUAL(input.n_record, 11);
    CU_ASSERT_EQUAL(input.step[3].dynamic->edit[0].at, 0.8);
    ew_case_free(&input);
}

static void test_every_key(void)
{
    ew_case input;
    read_case(HEAD "steps:\n  - dynamic: {step: 1, steps: 2, scheme: generalized-alpha,\n"
                   "      spectral_radius: 0.5, damping: {mass: 3, stiffness: 4},\n"
                   "      mass: consistent, tolerance: 1e-5, max_iterations: 7,\n"
                   "      preconditioner: jacobi, probes: [tip, {name: b, set: tip}],\n"
                   "      initial: {from: {result: r.vtkhdf, frame: 3},\n"
                   "        displacement: {set: tip, value: [1, 2, 3]},\n"
                   "        velocity: [{set: tip, value: [4, 5, 6]}]}}\n",
              &input);
    const ew_case_dynamic *of = input.step[0].dynamic;
    CU_ASSERT_EQUAL(of->def.scheme, EW_GENERALIZED_ALPHA);
    CU_ASSERT_EQUAL(of->def.parameters.spectral_radius, 0.5);
    CU_ASSERT(of->def.damping_mass == 3 && of->def.damping_stiffness == 4);
    CU_ASSERT_EQUAL(of->def.mass, EW_MASS_CONSISTENT);
    CU_ASSERT(of->def.solver.tolerance == 1e-5 && of->def.solver.max_iterations == 7);
    CU_ASSERT_EQUAL(of->def.solver.preconditioner, EW_JACOBI);
    CU_ASSERT(of->start == EW_START_RESULT && of->start_frame == 3);
    CU_ASSERT_STRING_EQUAL(of->start_file, "r.vtkhdf");
    CU_ASSERT_EQUAL(of->n_probe, 2);
    CU_ASSERT_STRING_EQUAL(of->probe[0].name, "tip");
    CU_ASSERT_STRING_EQUAL(of->probe[1].name, "b");
    CU_ASSERT_EQUAL(of->n_initial, 2);
    CU_ASSERT(!of->initial[0].is_velocity && of->initial[0].value[2] == 3);
    CU_ASSERT(of->initial[1].is_velocity && of->initial[1].value[0] == 4);
    ew_case_free(&input);
}

static void test_amplitudes(void)
{
    ew_case input;
    read_case(HEAD "amplitudes:\n  a: {table: [[0, 1], [2, 5]]}\n  b: {sine: {frequency: 2}}\n"
                   "  c: {step: {at: 1, until: 3, size: 4}}\n  d: {csv: q.csv}\n"
                   "constraints: [{set: tip, velocity: [1, ~, ~], amplitude: c}]\n"
                   "loads: [{gravity: [0, 0, 1], amplitude: b}, {set: tip, force: [1, 0, 0]}]\n",
              &input);
    CU_ASSERT_EQUAL(input.n_amplitude, 4);
    CU_ASSERT_EQUAL(ew_amplitude_at(&input.amplitude[0].as, 1), 3);
    CU_ASSERT_DOUBLE_EQUAL(ew_amplitude_at(&input.amplitude[1].as, 0.125), 1, 1e-15);
    CU_ASSERT_EQUAL(ew_amplitude_at(&input.amplitude[1].as, -1), 0);
    CU_ASSERT_EQUAL(ew_amplitude_at(&input.amplitude[2].as, 2), 4);
    CU_ASSERT_EQUAL(ew_amplitude_at(&input.amplitude[2].as, 3), 0);
    CU_ASSERT_STRING_EQUAL(input.amplitude[3].file, "q.csv");
    CU_ASSERT(input.amplitude[3].time_column == 1 && input.amplitude[3].column == 2);
    CU_ASSERT(input.constraint[0].is_velocity && input.constraint[0].amplitude == 2);
    CU_ASSERT(input.load[0].amplitude == 1 && input.load[1].amplitude == -1);
    CU_ASSERT(!input.has_dynamics);
    ew_case_free(&input);
}

/* Without a dynamic step nothing of it is there. */
static void test_static_case(void)
{
    ew_case input;
    read_case(HEAD, &input);
    CU_ASSERT(!input.has_dynamics && !input.step[0].dynamic && input.n_record == 1);
    ew_case_free(&input);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"presets", test_presets},
        {"whole_steps", test_whole_steps},
        {"place_in_time", test_place_in_time},
        {"every_key", test_every_key},
        {"amplitudes", test_amplitudes},
        {"static_case", test_static_case},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"study_dynamic", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
