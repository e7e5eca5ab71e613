/* Case files: what is read, what is refused and where, with any allocation failing. */
#include "case/yaml.h"
#include "study_fixture.h"

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
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
    CU_ASSERT_STRING_EQUAL(input.surface_file, "part.stl");
    CU_ASSERT_DOUBLE_EQUAL(input.tetgen.quality, 1.4, 0);
    CU_ASSERT_TRUE(input.tetgen.keep_surface && input.leave_out_free);
    CU_ASSERT_STRING_EQUAL(input.length_unit, "mm");
    CU_ASSERT_EQUAL(input.n_material, 2);
    CU_ASSERT_EQUAL(input.material[1].region, -2);
    CU_ASSERT_EQUAL(input.n_set, 11); /* ten named, one given in place */
    CU_ASSERT_TRUE(input.set[1].allow_empty && !input.set[0].allow_empty);
    CU_ASSERT_EQUAL(input.constraint[0].fixed, 5);
    CU_ASSERT_DOUBLE_EQUAL(input.constraint[0].value[2], -1.5, 0);
    CU_ASSERT_EQUAL(input.n_load, 5);
    CU_ASSERT_EQUAL(input.load[3].as.kind, EW_LOAD_PRESSURE);
    CU_ASSERT_EQUAL(input.n_step, 2);
    CU_ASSERT_EQUAL(input.step[0].max_iterations, 7);
    CU_ASSERT_EQUAL(input.step[0].preconditioner, EW_JACOBI);
    CU_ASSERT_EQUAL(input.step[1].n_edit, 9);
    CU_ASSERT_EQUAL(input.step[1].edit[0].values.of[2].whole, EW_DECIMATE_RANDOM);
    CU_ASSERT_STRING_EQUAL(input.step[1].edit[1].operation->name, "mirror");
    CU_ASSERT_EQUAL(input.step[1].edit[1].values.of[1].whole, 0); /* min */
    CU_ASSERT_DOUBLE_EQUAL(input.step[1].edit[2].values.of[1].number[1], 2, 0);
    CU_ASSERT_TRUE(input.step[1].own_constraints && input.step[1].n_constraint == 0);
    CU_ASSERT_TRUE(input.step[1].own_loads && input.step[1].n_load == 1);
    ew_case_free(&input);
    ew_case_free(&input);
}

/* Every form of every load, as a model takes it. */
static void test_case_reads_every_load(void)
{
    const char *text = HEAD
        "sets: {f: {surface: 1}, t: {region: 1, of: tets}}\n"
        "loads:\n"
        "  - {moment: [1, 2, 3], set: f}\n"
        "  - {remote_force: {force: [1, 2, 3], at: [4, 5, 6]}, set: f}\n"
        "  - {bearing: [1, 2, 3], set: f}\n"
        "  - {bearing: {force: [1, 2, 3], axis: [0, 3, 4]}, set: f}\n"
        "  - {pressure: {value: 7, gradient: [1, 2, 3], about: [4, 5, 6], only_positive: true}, "
        "set: f}\n"
        "  - {centrifugal: {axis: {point: [4, 5, 6], direction: [0, 3, 4]}, speed: 10}}\n"
        "  - {temperature: 7}\n"
        "  - {temperature: {change: 7, gradient: [1, 2, 3], about: [4, 5, 6]}, set: t}\n"
        "  - {moment: [1, 0, 0], set: f, axes: {x: [0, 0, 1], y: [1, 0, 0]}}\n"
        "  - {traction: [1, 0, 0], set: f, axes: {cylinder: {point: [4, 5, 6], axis: y}}}\n"
        "  - {temperature: {expression: 'x + 2*y'}, set: t}\n";
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
    CU_ASSERT_EQUAL_FATAL(input.n_load, 11);
    const ew_case_load *load = input.load;
    CU_ASSERT_EQUAL(load[0].as.kind, EW_LOAD_MOMENT);
    CU_ASSERT_EQUAL(load[0].line, 5);
    CU_ASSERT_EQUAL(load[0].as.vector[2], 3);
    CU_ASSERT(load[1].as.kind == EW_LOAD_REMOTE_FORCE && load[1].as.point[2] == 6);
    CU_ASSERT(load[2].as.kind == EW_LOAD_BEARING && load[2].as.axis[1] == 0);
    CU_ASSERT(load[3].as.vector[0] == 1 && load[3].as.axis[2] / load[3].as.axis[1] == 4.0 / 3.0);
    CU_ASSERT(load[4].as.kind == EW_LOAD_PRESSURE && load[4].as.pressure == 7);
    CU_ASSERT(load[4].as.only_positive && load[4].as.gradient[1] == 2);
    CU_ASSERT_EQUAL(load[4].as.point[0], 4);
    CU_ASSERT_EQUAL(load[5].as.kind, EW_LOAD_CENTRIFUGAL);
    CU_ASSERT_DOUBLE_EQUAL(load[5].as.vector[2], 8, 1e-14);
    CU_ASSERT(load[5].as.set == -1 && load[5].as.point[1] == 5);
    CU_ASSERT(load[6].as.kind == EW_LOAD_TEMPERATURE && load[6].as.change == 7);
    CU_ASSERT(load[6].as.set == -1 && load[7].as.set == 1 && load[7].as.gradient[2] == 3);
    CU_ASSERT_DOUBLE_EQUAL(load[8].as.vector[2], 1, 1e-15);
    CU_ASSERT(load[8].as.axes.kind == EW_AXES_GLOBAL);
    CU_ASSERT(load[9].as.axes.kind == EW_AXES_CYLINDER && load[9].as.vector[0] == 1);
    CU_ASSERT(load[10].as.change == 1 && !strcmp(load[10].as.expression->text, "x + 2*y"));
    ew_case_free(&input);
}

static void test_case_without_steps_has_one_static_step(void)
{
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(read_text(HEAD, &input), EW_OK);
    CU_ASSERT_EQUAL(input.n_step, 1);
    CU_ASSERT_TRUE(input.step[0].has_static);
    CU_ASSERT_DOUBLE_EQUAL(input.step[0].tolerance, 1e-8, 0);
    ew_case_free(&input);
}

/* Zero is an expansion, too, of each kind of material. */
static void test_case_knows_which_expansions_are_given(void)
{
    static const char *const material[] = {
        "{young: 1, poisson: 0.3}", "{young: 1, poisson: 0.3, expansion: 0}",
        "{young: [1, 1, 1], poisson: [0, 0, 0], shear: [1, 1, 1]}",
        "{young: [1, 1, 1], poisson: [0, 0, 0], shear: [1, 1, 1], expansion: 0}",
        "{stiffness: [1, 0, 0, 1, 0, 1, 1, 1, 1], expansion: [0, 0, 0]}"};
    for (int k = 0; k < 5; k++) {
        ew_case input;
        char text[300];
        snprintf(text, sizeof text, "mesh: a.mesh\nmaterial: %s\n", material[k]);
        CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
        CU_ASSERT_EQUAL(ew_material_has_expansion(&input.material[0].material), k % 2 || k == 4);
        ew_case_free(&input);
    }
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
        {HEAD "sets: {a: {union: []}}\n", "at least one set"},
        {HEAD "sets: {a: {subtract: [b]}, b: {ids: [0]}}\n", "at least two sets"},
        {HEAD "sets: {a: {union: [b, b]}, b: {union: [c, a]}, c: {all: true}}\n", "by itself"},
        {HEAD "constraints: {set: a}\n", "constraints must be a list"},
        {HEAD "constraints:\n  - {set: a, displacement: [0, 0, 0]}\n", "no set 'a'"},
        {HEAD "sets: {a: {all: true}}\nconstraints:\n  - {set: a, displacement: [~, ~, ~]}\n",
         "line 5: displacement leaves all three"},
        {HEAD "loads:\n  - {gravity: [0, 0, 1], pressure: 2}\n", "one kind per load"},
        {HEAD "loads:\n  - {set: a}\n", "a load needs one of"},
        {HEAD "loads:\n  - {pressure: 2}\n", "key 'set' is missing"},
        {HEAD "sets: {a: {all: true}}\nloads:\n  - {set: a, gravity: [0, 0, 1]}\n", "takes no set"},
        {HEAD "loads:\n  - {temperature: {expression: x + w}}\n", "line 4: there is no 'w'"},
        {HEAD "loads:\n  - {temperature: {expression: x, change: 3}}\n", "an expression says it"},
        {HEAD "steps: []\n", "the list is empty"},
        {HEAD "steps:\n  - {name: a}\n", "does nothing"},
        {HEAD "steps:\n  - {name: a, edit: [{decimate: {fraction: 1.5}}]}\n", "at most 1"},
        {HEAD "steps:\n  - name: a\n    edit:\n    - decimate: {order: random,\n        axis: y}\n",
         "line 7: decimate: axis goes with order axis or region"},
        {HEAD "steps:\n  - {name: a, edit: [{remove: {region: 1, ids: [0]}}]}\n",
         "one kind of selection; write several removes"},
        {HEAD "steps:\n  - {name: a, edit: [{remove: {region: 1, pieces_smaller_than: 2}}]}\n",
         "one, and only one"},
        {HEAD "steps:\n  - {name: a, edit: [{move: {set: {all: true}}}]}\n",
         "move needs one, and only one, of: by"},
        {HEAD "steps:\n  - {name: a, edit: [{scal: {factor: 1}}]}\n", "did you mean 'scale'?"},
        {HEAD "steps:\n  - {name: a, edit: [{scale: {factor: [1, -1, 1]}}]}\n", "greater than 0"},
        {HEAD "steps:\n  - {name: a, edit: [{remove: {plane: 1}}]}\n", "unknown key 'plane'"},
        {HEAD "steps:\n  - {name: a, edit: [{refine: {}}]}\n", "longer_than"},
        {HEAD "steps:\n  - {name: a, static: {tolerance: .nan}}\n", "must be a number"},
        {HEAD "friction: 0.1\n",
         "line 3: the case: unknown key 'friction'; contact is 'contact: all', or"},
        {HEAD "loads:\n\t- {gravity: [0, 0, 1]}\n", "line 4: the line is indented by a tab"},
        {HEAD "sets: {a: {ids: [0]}\n", "mapping that begins in line 3; a comma is missing, or a"},
        {HEAD "loads:\n  - {gravity: [0, 0, g]}\n", "give it a value under 'parameters:'"},
        {HEAD "loads:\n  - {gravity: [0, 0, E]}\n", "give it a value under 'parameters:'"},
        {HEAD "loads:\n  - {gravity: [0, 0, 9 N]}\n", "another unit"},
        {"mesh: a.mesh\nmaterial: {young: 1, poisson: 0,3}\n", "decimal mark of a number is '.'"},
        {"mesh: a.mesh\nmaterial: []\n", "the list is empty"},
        {"mesh: a.mesh\nmaterial: [{young: 1, poisson: 0}]\n", "needs 'region:'"},
        {"mesh: a.mesh\nmaterial: {young: 1, poisson: -1}\n",
         "greater than -1 and at most 0.49999999"},
        {"mesh: {surface: a.stl, quality: 0.5}\nmaterial: {young: 1, poisson: 0}\n", "[1, 100]"},
        {"[1, 2]\n", "the case must be a mapping"},
        {"a: &x [*x]\n", "unknown key 'a'"},
        {"sets: &s {a: {union: [{union: *t}, b]}}\n", "not valid YAML"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_case input;
        const ew_status status = read_text(cases[i].text, &input);
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
    ew_case input;
    CU_ASSERT_EQUAL(read_text(text, &input), EW_BAD_INPUT);
}

static void test_case_survives_failing_allocations(void)
{
    static const char text[] =
        HEAD "sets: {a: {union: [{all: true}, b]}, b: {ids: [1, 2]}, "
             "c: {of: faces, union: [{surface: 1}, {all: true, normal: x}]}}\n"
             "constraints:\n  - {set: a, displacement: [0, 0, 0]}\n"
             "loads:\n  - {gravity: [0, 0, 1]}\n"
             "steps:\n  - {name: s, edit: [{smooth: {}}], static: {}}\n"
             "  - {edit: [{decimate: {protect: [a, c]}}], sets: {a: {union: "
             "[a, b]}, d: c}, loads: [{set: {all: true, of: faces}, pressure: "
             "1}], static: {}}\n";
    ew_status status = EW_NO_MEMORY;
    for (int32_t k = 0; status == EW_NO_MEMORY && k < 200; k++) {
        ew_case input = {0};
        ew_test_allocations_begin(k);
        status = read_text(text, &input);
        ew_case_free(&input);
        ew_test_allocations_end();
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    }
    CU_ASSERT_EQUAL(status, EW_OK);
}

static void test_planes_on_one_line_have_names_of_their_own(void)
{
    static const char *const name[] = {"symmetry in line 3", "symmetry in line 3 (2)",
                                       "symmetry in line 3 (3)", "symmetry in line 4"};
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(read_text(HEAD "constraints: [{symmetry: x}, {symmetry: y}, {symmetry: "
                                         "z},\n  {symmetry: [1, 1, 0]}]\n",
                                    &input),
                          EW_OK);
    CU_ASSERT_EQUAL(input.n_set, 4);
    for (int32_t s = 0; s < input.n_set; s++) {
        CU_ASSERT_STRING_EQUAL(input.set[s].name, name[s]);
    }
    ew_case_free(&input);
}

/* One that was given in place of a name is called otherwise where a set has the name, also where
 * that one comes later, in a step. */
static void test_sets_without_a_name_have_one_of_their_own(void)
{
    static const char *const name[] = {"all in line 6", "all in line 5 (2)", "all in line 6 (2)",
                                       "all in line 8", "all in line 5"};
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(read_text(HEAD
                                    "sets:\n  all in line 6: {union: [{all: true}]}\n"
                                    "constraints: [{set: {all: true}, displacement: [0, 0, 0]}]\n"
                                    "loads: [{set: {all: true}, total_force: [0, 0, 1]}]\nsteps:\n"
                                    "  - {edit: [{move: {set: {all: true}, by: [0, 0, 1]}}]}\n"
                                    "  - {sets: {all in line 5: {all: true}}, static: {}}\n",
                                    &input),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(input.n_set, 5);
    for (int32_t s = 0; s < input.n_set; s++) {
        CU_ASSERT_STRING_EQUAL(input.set[s].name, name[s]);
    }
    ew_case_free(&input);
}

/* Materials by name are in the units of the case; what names none, or no known ones, is refused. */
static void test_case_takes_materials_of_the_library(void)
{
    static const struct {
        const char *text, *message; /* null: it is read */
    } one[] = {
        {"units: {length: mm, force: N}\nmaterial: S355\n", NULL},
        {"units: {length: mm, force: N}\nmaterial: {library: S355}\n", NULL},
        {"units: {length: mm, force: N, time: s}\nmaterial: [{region: 3, library: S355}]\n", NULL},
        {"units: {length: mm, force: N}\nmaterial: S365\n", "did you mean 'S355'"},
        {"units: {length: mm, force: N}\nmaterial: mithril\n", "edgewise help materials"},
        {"units: {length: mm}\nmaterial: S355\n", "write, for example, 'units:"},
        {"material: S355\n", "write, for example, 'units:"},
        {"units: {length: inch, force: N}\nmaterial: S355\n", "'inch'"},
        {"units: {length: mm, force: N}\nmaterial: {library: S355, young: 1}\n", "young"},
        {"units: {length: mm, force: N}\nmaterial: {library: S355, axes: {x: [1, 0, 0]}}\n",
         "axes"},
        {"units: {length: mm, force: N}\nmaterial: [S355]\n", "must be a mapping"},
        {"units: {length: mm, force: N}\nmaterial: {library: rubber-60, plastic: {yield_stress: "
         "1}}\n",
         "not both"},
    };
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        char text[400];
        ew_case input;
        snprintf(text, sizeof text, "mesh: part.mesh\n%s", one[i].text);
        const ew_status status = read_text(text, &input);
        CU_ASSERT_EQUAL_FATAL(status, one[i].message ? EW_BAD_INPUT : EW_OK);
        if (status) {
            CU_ASSERT(strstr(ew_message(), one[i].message) && ew_last_failure()->line > 1);
            continue;
        }
        const ew_material *is = &input.material[0].material;
        CU_ASSERT_DOUBLE_EQUAL(is->young, 210e3, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(is->density, 7.85e-9, 1e-20);
        CU_ASSERT_EQUAL(is->expansion, 12e-6);
        CU_ASSERT_EQUAL(input.material[0].all_regions, i < 2);
        ew_case_free(&input);
    }
}

/* Newton's method in steps in time is asked for by any of its keys; `{}` asks for none. */
static void test_steps_in_time_have_a_tolerance_of_newton(void)
{
    static const struct {
        const char *keys;
        double tolerance;
    } one[] = {{"", 0.0},
               {"bound: 0.01", 0.0},
               {"max_iterations: 5", 1e-6},
               {"halvings: 2", 1e-6},
               {"halvings: 2, tolerance: 1e-4", 1e-4}};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        char text[512];
        ew_case input;
        snprintf(text, sizeof text,
                 "mesh: part.mesh\nmaterial: {young: 1, poisson: 0.3, density: 1}\n"
                 "kinematics: corotational\n"
                 "steps:\n  - dynamic: {step: 1, steps: 1, nonlinear: {%s}}\n",
                 one[i].keys);
        CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
        CU_ASSERT_DOUBLE_EQUAL(input.step[0].dynamic->def.newton_tolerance, one[i].tolerance, 0.0);
        CU_ASSERT(input.step[0].has_nonlinear);
        ew_case_free(&input);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"case_reads_every_key", test_case_reads_every_key},
        {"case_reads_every_load", test_case_reads_every_load},
        {"case_without_steps", test_case_without_steps_has_one_static_step},
        {"case_expansions", test_case_knows_which_expansions_are_given},
        {"case_takes_materials_of_the_library", test_case_takes_materials_of_the_library},
        {"case_refuses", test_case_refuses_with_line_and_remedy},
        {"case_bounds_nesting", test_case_bounds_hostile_nesting},
        {"case_allocations", test_case_survives_failing_allocations},
        {"planes_on_one_line", test_planes_on_one_line_have_names_of_their_own},
        {"sets_without_a_name", test_sets_without_a_name_have_one_of_their_own},
        {"tolerance_of_newton", test_steps_in_time_have_a_tolerance_of_newton},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"reading", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
