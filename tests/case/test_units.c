/* Numbers with units: exact conversion, dimensions, and a case in units against the same in plain
 * numbers, bit for bit. */
#include "case/units.h"
#include "study_fixture.h"

static double converted(const char *text, const char *key_unit)
{
    ew_case_system mm_n_s; /* mm, N, s */
    ew_unit unit, of;
    const char *end;
    char number[EW_QUANTITY_TEXT];
    CU_ASSERT_TRUE(ew_case_unit_named("mm", 0, &mm_n_s.unit[0]) &&
                   ew_case_unit_named("N", 1, &mm_n_s.unit[1]) &&
                   ew_case_unit_named("s", 2, &mm_n_s.unit[2]));
    const char *at = ew_quantity_unit(text, &end);
    CU_ASSERT_PTR_NOT_NULL(at);
    if (!at || !ew_unit_read(NULL, at, &unit) || !ew_unit_read(&mm_n_s, key_unit, &of) ||
        !ew_unit_same_dimension(&unit, &of)) {
        return NAN;
    }
    ew_quantity_text(text, end, &unit, &of, number);
    return strtod(number, NULL);
}

/* Powers of ten give the number that a user would write, to the last bit; others within rounding.
 * References: the international inch, 25.4 mm, and pound, 0.45359237 kg (1959); standard gravity
 * 9.80665 m/s^2 (CGPM 1901). */
static void test_units_convert(void)
{
    static const struct {
        const char *text, *unit;
        double value, tolerance;
    } cases[] = {
        {"210 GPa", "force/length^2", 210e3, 0},
        {"0.21TPa", "force/length^2", NAN, 0},
        {"2.1e5 N/mm^2", "force/length^2", 2.1e5, 0},
        {"5 mm", "length", 5, 0},
        {"0.3 m", "length", 300, 0},
        {"7850 kg/m^3", "mass/length^3", 7850e-12, 0},
        {"7850 kg/m\xc2\xb3", "mass/length^3", 7850e-12, 0},
        {"7.85 g/cm^3", "mass/length^3", 7.85e-9, 0},
        {"9.81 m/s^2", "length/time^2", 9810, 0},
        {"-9.81 m s^-2", "length/time^2", -9810, 0},
        {"12e-6 1/K", "1/temperature", 12e-6, 0},
        {"12e-6/K", "1/temperature", 12e-6, 0},
        {"30 \xc2\xb5m", "length", 0.03, 0},
        {"3 kN", "force", 3000, 0},
        {"3 kNm", "force length", 3e6, 0},
        {"3 kN m", "force length", 3e6, 0},
        {"50 Hz", "1/time", 50, 0},
        {"2 min", "s", 120, 0},
        {"2 GiB", "GiB", 2, 0},
        {"512 MiB", "GiB", 0.5, 1e-15},
        {"1 in", "length", 25.4, 1e-15},
        {"1 ft", "length", 304.8, 1e-15},
        {"1 psi", "force/length^2", 0.45359237 * 9.80665 / (25.4 * 25.4), 1e-15},
        {"1 lb/in^3", "mass/length^3", 0.45359237e-3 / (25.4 * 25.4 * 25.4), 1e-15},
        {"1 kgf", "force", 9.80665, 1e-15},
        {"3000 rpm", "rad/time", 314.15926535897932, 1e-15},
        {"180 deg", "rad", 3.14159265358979, 1e-14},
        {"1.5707963267948966 rad", "degree", 90, 1e-15},
        {"9 degF", "temperature", 5, 1e-15},
        /* Another dimension: */
        {"5 mm", "force", NAN, 0},
        {"50 Hz", "rad/time", NAN, 0},
        {"50 rpm", "1/time", NAN, 0},
        {"5 N", "force length", NAN, 0},
        {"5 kg", "force", NAN, 0},
        {"5 furlong", "length", NAN, 0},
        {"5 m^", "length", NAN, 0},
        {"5 m^12", "length", NAN, 0},
        {"5 m//s", "length/time", NAN, 0},
        {"5 m/", "length", NAN, 0},
        {"5 m)", "length", NAN, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double value = converted(cases[i].text, cases[i].unit);
        CU_ASSERT_TRUE(isnan(cases[i].value) == isnan(value));
        if (!isnan(cases[i].value)) {
            CU_ASSERT_DOUBLE_EQUAL(value, cases[i].value, cases[i].tolerance * fabs(value));
        }
    }
    const char *end;
    ew_unit none;
    CU_ASSERT_FALSE(ew_unit_read(NULL, "", &none) || ew_unit_read(NULL, " ", &none) ||
                    ew_unit_read(NULL, "/", &none) || ew_unit_read(NULL, "11", &none));
    CU_ASSERT_TRUE(ew_unit_read(NULL, "1", &none) && ew_unit_read(NULL, "1/s", &none));
    CU_ASSERT_PTR_NULL(ew_quantity_unit("5", &end));
    CU_ASSERT_PTR_NULL(ew_quantity_unit("5 %", &end));
    CU_ASSERT_PTR_NULL(ew_quantity_unit("nan m", &end));
    CU_ASSERT_PTR_NULL(ew_quantity_unit("2*mm", &end));
    CU_ASSERT_PTR_NULL(ew_quantity_unit("2 / 3", &end));
}

#define CASE_IN(young, density, alpha, tip, gap, plane, angle, gravity, pressure, gradient,        \
                moment, speed, heat, time, end, at, yield, frequency, velocity, stiffness)         \
    "mesh: part.mesh\nunits: {length: mm, force: N}\nparameters: {t: " gap ", n: 3}\n"             \
    "material: {young: " young ", poisson: 0.3, density: " density ", expansion: " alpha           \
    ", plastic: {table: [[" yield ", 0], [" yield ", 0.1]]}}\n"                                    \
    "sets: {f: {surface: 1}, v: {union: [{box: [[0, 0, " tip "], [" tip ", 1, 99]]}, "             \
    "{plane: {point: [" plane ", 0, 0], normal: x, tolerance: " gap "}}]}}\n"                      \
    "amplitudes: {a: {table: [[0, 0], [" time ", 1]]}, b: {sine: {frequency: " frequency "}}}\n"   \
    "constraints:\n  - {set: v, displacement: [0, ~, " tip "]}\n"                                  \
    "  - {set: f, foundation: {normal: " stiffness "}}\n"                                          \
    "loads:\n  - {gravity: [0, 0, " gravity "]}\n"                                                 \
    "  - {set: f, pressure: {value: " pressure ", gradient: [0, 0, " gradient "]}}\n"              \
    "  - {set: f, moment: [" moment ", 0, 0]}\n"                                                   \
    "  - {centrifugal: {axis: {point: [0, 0, " tip "], direction: z}, speed: " speed "}}\n"        \
    "  - {temperature: " heat "}\n"                                                                \
    "steps:\n  - name: one\n    edit:\n      - {move: {set: v, by: [0, 0, " tip "]}}\n"            \
    "      - {rotate: {axis: z, angle: " angle "}}\n"                                              \
    "      - {cut: {cylinder: {from: [0, 0, " tip "], to: [0, 0, 1], radius: t}}}\n"               \
    "  - name: two\n    dynamic: {step: " time ", end: " end ", nonlinear: {},\n"                  \
    "              initial: {velocity: {set: v, value: [" velocity ", 0, 0]}},\n"                  \
    "              edits: [{at: " at ", remove: {sphere: {center: [" tip                           \
    ", 0, 0], radius: t}}}]}\n"

static void test_units_of_a_case(void)
{
    static const char with[] =
        CASE_IN("210 GPa", "7850 kg/m^3", "12e-6/K", "2 cm", "0.5 mm", "0.1 m", "30 deg",
                "-9.81 m/s^2", "2 bar", "10 kPa/m", "5 Nm", "3000 rpm", "90 degF", "1 ms", "20 ms",
                "5 ms", "355 MPa", "50 Hz", "3 m/s", "2 N/mm^3");
    static const char without[] =
        CASE_IN("210e3", "7850e-12", "12e-6", "20", "0.5", "100", "30", "-9810", "0.2", "10e-6",
                "5000", "2*pi/60*3000", "50", "1e-3", "20e-3", "5e-3", "355", "50", "3000", "2");
    ew_case a, b;
    CU_ASSERT_EQUAL_FATAL(read_text(without, &b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(read_text(with, &a), EW_OK);
    CU_ASSERT_EQUAL(memcmp(&a.material->material, &b.material->material, sizeof(ew_material)), 0);
    CU_ASSERT_EQUAL(a.parameter[0].value, b.parameter[0].value);
    CU_ASSERT_EQUAL_FATAL(a.n_node, b.n_node);
    for (int32_t i = 0; i < a.n_node; i++) {
        const ew_selector *p = &a.node[i].selector, *q = &b.node[i].selector;
        CU_ASSERT_TRUE(!memcmp(p->a, q->a, sizeof p->a) && !memcmp(p->b, q->b, sizeof p->b));
        CU_ASSERT_EQUAL(p->radius, q->radius);
    }
    CU_ASSERT_EQUAL(a.constraint[0].value[2], b.constraint[0].value[2]);
    CU_ASSERT_EQUAL(a.constraint[1].stiffness[0], b.constraint[1].stiffness[0]);
    for (int32_t i = 0; i < 5; i++) {
        const ew_model_load *p = &a.load[i].as, *q = &b.load[i].as;
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(p->vector[c], q->vector[c], 1e-15 * fabs(q->vector[c]));
            CU_ASSERT_EQUAL(p->gradient[c], q->gradient[c]);
            CU_ASSERT_EQUAL(p->point[c], q->point[c]);
        }
        CU_ASSERT_EQUAL(p->pressure, q->pressure);
        CU_ASSERT_DOUBLE_EQUAL(p->change, q->change, 1e-13);
    }
    for (int32_t e = 0; e < 3; e++) {
        for (int32_t k = 0; k < EW_MAX_PARAMETERS; k++) {
            const ew_parameter_value *p = &a.step[0].edit[e].values.of[k];
            const ew_parameter_value *q = &b.step[0].edit[e].values.of[k];
            for (int i = 0; i < EW_MAX_NUMBERS; i++) {
                CU_ASSERT_DOUBLE_EQUAL(p->number[i], q->number[i], 1e-15 * fabs(q->number[i]));
            }
        }
    }
    const ew_case_dynamic *p = a.step[1].dynamic, *q = b.step[1].dynamic;
    CU_ASSERT_TRUE(p->step == q->step && p->n_step == q->n_step);
    CU_ASSERT_EQUAL(p->edit[0].edit.values.of[0].selector.radius,
                    q->edit[0].edit.values.of[0].selector.radius);
    ew_case_free(&a);
    ew_case_free(&b);
}

static void expect_message(const char *text, const char *message)
{
    ew_case input;
    const ew_status status = read_text(text, &input);
    CU_ASSERT_EQUAL(status, EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), message));
    if (status != EW_BAD_INPUT) {
        ew_case_free(&input);
    } else if (!strstr(ew_message(), message)) {
        printf("'%s' is not in '%s'\n", message, ew_message());
    }
}

#define MM(rest)                                                                                   \
    "mesh: part.mesh\nunits: {length: mm, force: N}\nmaterial: {young: 1 GPa, poisson: "           \
    "0.3}\n" rest
static void test_units_are_refused(void)
{
    expect_message(
        "mesh: p.mesh\nmaterial: {young: 210 GPa, poisson: 0.3}\n",
        "line 2: young: '210 GPa' is converted to the units of the case, which names none "
        "of length");
    expect_message("mesh: p.mesh\nunits: {length: ell, force: N}\n"
                   "material: {young: 210 GPa, poisson: 0.3}\n",
                   "the length unit 'ell' of the case is not known");
    expect_message(MM("loads: [{gravity: [0, 0, 9 N]}]\n"),
                   "line 4: gravity: '9 N' has another unit than length/time^2");
    expect_message(MM("loads: [{pressure: 3 mmHg}]\n"),
                   "pressure: 'mmHg' is no unit that is known, of this key for example Pa, kPa");
    expect_message(MM("sets: {a: {sphere: {center: [0, 0, 0], radius: 5 MPa}}}\n"),
                   "radius: '5 MPa' has another unit than length (m, km");
    expect_message(MM("parameters: {a: 30 deg}\n"), "in degrees or in radians");
    expect_message("mesh: p.mesh\nunits: {length: mm, force: N}\n"
                   "material: {young: 1 GPa, poisson: 0.3 mm}\n",
                   "poisson must be a number, not '0.3 mm': it has no unit here");
    expect_message(MM("sets: {a: {union: &u [{union: *u}]}}\n"), "contains itself");
    expect_message("mesh: {file: p.mesh, unit: mm}\nmaterial: {young: 1, poisson: 0.3}\n",
                   "unit 'mm' of the file is converted to the unit of the case, which names none");
    expect_message("mesh: {file: p.step, unit: mm}\nunits: {length: m, force: N}\n"
                   "material: {young: 1, poisson: 0.3}\n",
                   "unit 'mm' of the coordinates contradicts 'units: {length: m}'");
    expect_message(MM("amplitudes: {a: {table: [[0, 0], [1 ms, 2 mm]]}}\n"), "it has no unit here");
    expect_message(MM("amplitudes: &a {a: &t {table: [[0, &x 5 mm]]}}\n"
                      "loads: [{gravity: [0, 0, *x]}]\n"),
                   "another unit");
}

/* 4 levels of aliases, each 300 times the one before: refused at once. */
static void test_units_stop_at_aliases(void)
{
    char *text = malloc(1 << 16);
    int n = sprintf(text, "%s", MM("sets:\n"));
    for (int level = 0; level < 5; level++) {
        n += sprintf(text + n, "  s%d: {union: &a%d [", level, level);
        for (int i = 0; i < 300; i++) {
            n += level ? sprintf(text + n, "%s{union: *a%d}", i ? ", " : "", level - 1)
                       : sprintf(text + n, "%s{all: true}", i ? ", " : "");
        }
        n += sprintf(text + n, "]}\n");
    }
    expect_message(text, "by its aliases");
    free(text);
}

/* Each column of a table has its unit. */
static void test_units_of_columns(void)
{
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(
        read_text(
            "mesh: p.mesh\nunits: {length: mm, force: N}\n"
            "material: {young: 1 GPa, poisson: 0.3, density: 1 g/cm^3}\n"
            "constraints: [{set: {all: true}, displacement: [0, 0, 0]}]\n"
            "steps:\n  - spectrum: {damping: 2 %, direction: z, table: [[1 Hz, 2 m/s^2], [3 kHz, "
            "4e-3 m/s^2]]}\n",
            &input),
        EW_OK);
    double(*row)[2] = input.step[0].response->table;
    CU_ASSERT_TRUE(row[0][0] == 1 && row[0][1] == 2000 && row[1][0] == 3000 && row[1][1] == 4);
    ew_case_free(&input);
}

/* A name is no number, a parameter no unit. */
static void test_units_leave_names_alone(void)
{
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(read_text(MM("parameters: {K: 4, l: 1 m}\nsets: {2 mm: {all: true}}\n"
                                       "loads: [{set: 2 mm, force: [8/K, 0, l/1000]}]\n"),
                                    &input),
                          EW_OK);
    CU_ASSERT_STRING_EQUAL(input.set[0].name, "2 mm");
    CU_ASSERT_EQUAL(input.load[0].as.vector[0], 2.0);
    CU_ASSERT_EQUAL(input.load[0].as.vector[2], 1.0);
    ew_case_free(&input);
}

/* Numbers with units in expressions are converted each by itself; a name behind "*" or "/" that is
 * a parameter's is no unit, nor is a function. */
static void test_units_in_expressions(void)
{
    ew_case input, again;
    CU_ASSERT_EQUAL_FATAL(
        read_text(
            "mesh: p.mesh\nunits: {length: mm, force: N}\n"
            "parameters: {k: 0.5, q: 2, r: 5 mm, t: r + 1 cm, e: 2 GPa * k}\n"
            "material: {young: 210 GPa * k, poisson: 0.3, density: 2 * 7850 kg/m^3}\n"
            "sets: {a: {sphere: {center: [2*r, 1 m * q/4, 3*2 mm], radius: sqrt(4 mm^2) + t}}}\n"
            "loads: [{gravity: [q * 2 m, k * -9.81 m/s^2, 1 mm * sqrt(4)/(1 ms)^2]}, "
            "{set: a, moment: [4 * 1 mm * 1 kN, 0, 0]}, "
            "{set: a, force: [e/1000, 0, 0]}]\n"
            "sweep: {grid: {r: [1 cm, 2 mm]}}\n",
            &input),
        EW_OK);
    const ew_selector *sphere = &input.node[input.set[0].node].selector;
    CU_ASSERT_EQUAL(input.material->material.young, 105e3);
    CU_ASSERT_DOUBLE_EQUAL(input.material->material.density, 15.7e-9, 1e-22);
    CU_ASSERT_TRUE(sphere->a[0] == 10 && sphere->a[1] == 500 && sphere->a[2] == 6);
    CU_ASSERT_EQUAL(sphere->radius, 17.0);
    CU_ASSERT_TRUE(input.load[0].as.vector[0] == 4000);
    CU_ASSERT_DOUBLE_EQUAL(input.load[0].as.vector[1], -4905, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(input.load[0].as.vector[2], 2e6, 1e-6);
    CU_ASSERT_EQUAL(input.load[1].as.vector[0], 4000.0);
    CU_ASSERT_EQUAL(input.load[2].as.vector[0], 1.0);
    char long_one[600] = MM("parameters: {k: 0");
    for (int i = 0; i < 15; i++) {
        strcat(long_one, " + 0 + 1 m");
    }
    strcat(long_one, "}\n");
    CU_ASSERT_EQUAL_FATAL(read_text(long_one, &again), EW_OK);
    CU_ASSERT_EQUAL(again.parameter[0].value, 15e3);
    ew_case_free(&again);
    const double other[] = {NAN, NAN, 10};
    CU_ASSERT_EQUAL_FATAL(ew_case_read_again(&input, 3, other, &again), EW_OK);
    CU_ASSERT_EQUAL(again.node[again.set[0].node].selector.a[0], 20.0);
    CU_ASSERT_EQUAL(again.node[again.set[0].node].selector.radius, 22.0);
    CU_ASSERT_EQUAL(again.material->material.young, 105e3);
    ew_case_free(&again);
    ew_case_free(&input);
    expect_message(MM("sets: {a: {sphere: {center: [0, 0, 0], radius: 2 * 5 MPa}}}\n"),
                   "radius: '2 * 5 MPa' has another unit than length (m, km");
    expect_message(MM("sets: {a: {sphere: {center: [0, 0, 0], radius: 1 mm + 5 MPa}}}\n"),
                   "has another unit than length");
    expect_message(MM("sets: {a: {sphere: {center: [0, 0, 0], radius: 2 mm * 3 mm}}}\n"),
                   "has another unit than length");
    expect_message(MM("sets: {a: {sphere: {center: [0, 0, 0], radius: 2 mm k}}}\n"),
                   "'mm k' is no unit that is known");
    expect_message(MM("parameters: {a: 2 * 30 deg}\n"), "in degrees or in radians");
    expect_message("mesh: p.mesh\nmaterial: {young: 2 * 210 GPa, poisson: 0.3}\n",
                   "which names none of length");
}

/* A sweep in units; the document is read again for each combination. */
static void test_units_of_a_sweep(void)
{
    ew_case input, again;
    CU_ASSERT_EQUAL_FATAL(
        read_text(MM("parameters: {p: 1 MPa, t: 2 mm}\nloads: [{gravity: [p, t, 1 m/s^2]}]\n"
                     "sweep: {grid: {p: [1 GPa, 2 bar], t: {from: 1 mm, to: 1 cm, count: 2}}}\n"),
                  &input),
        EW_OK);
    CU_ASSERT_EQUAL_FATAL(input.sweep->n, 4);
    const double expected[4][2] = {{1000, 1}, {1000, 10}, {0.2, 1}, {0.2, 10}};
    for (int32_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(input.sweep->value[2 * i], expected[i][0]);
        CU_ASSERT_EQUAL(input.sweep->value[2 * i + 1], expected[i][1]);
        CU_ASSERT_EQUAL_FATAL(ew_case_read_again(&input, 2, expected[i], &again), EW_OK);
        CU_ASSERT_EQUAL(again.load[0].as.vector[0], expected[i][0]);
        CU_ASSERT_EQUAL(again.load[0].as.vector[1], expected[i][1]);
        CU_ASSERT_EQUAL(again.load[0].as.vector[2], 1000.0);
        CU_ASSERT_EQUAL(again.material->material.young, 1000.0);
        ew_case_free(&again);
    }
    ew_case_free(&input);
}

/* A file in mm for a case in m, and back: coordinates as a user would write them. */
static void test_units_of_a_mesh(void)
{
    static const struct {
        const char *file, *length;
        double in, out;
    } cases[] = {
        {"mm", "m", 70, 0.07}, {"m", "mm", 0.07, 70}, {"in", "mm", 2, 50.8}, {"m", "m", 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_case input;
        ew_mesh mesh;
        char text[300];
        snprintf(text, sizeof text,
                 "mesh: {file: p.mesh, unit: %s}\nunits: {length: %s, force: N}\n"
                 "material: {young: 1 GPa, poisson: 0.3}\n",
                 cases[i].file, cases[i].length);
        CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){cases[i].in, cases[i].in, cases[i].in},
                                           (int32_t[]){1, 1, 1}),
                              EW_OK);
        ew_case_convert_mesh(&input, &mesh);
        double largest = 0.0;
        for (int32_t k = 0; k < 3 * mesh.n_vertex; k++) {
            largest = fmax(largest, mesh.xyz[k]);
        }
        CU_ASSERT_DOUBLE_EQUAL(largest, cases[i].out, i == 2 ? 1e-14 : 0.0);
        ew_mesh_free(&mesh);
        ew_case_free(&input);
    }
}

/* One unit of all files but those of CAD; a mesh may have another one. */
static void test_units_of_files(void)
{
    ew_case input;
    ew_mesh mesh;
    ew_surface surface = {.n_vertex = 1, .xyz = (double[]){70, 0, -7}};
    const double size[3] = {70, 70, 70};
    const int32_t cells[3] = {1, 1, 1};
    CU_ASSERT_EQUAL_FATAL(read_text("mesh: {file: p.mesh, unit: cm}\n"
                                    "units: {length: m, force: N, files: mm}\n"
                                    "material: {young: 1 GPa, poisson: 0.3}\n",
                                    &input),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, size, cells), EW_OK);
    ew_case_convert_other(&input, "rib.step", &mesh);
    CU_ASSERT_EQUAL(mesh.xyz[3 * mesh.n_vertex - 1], 70);
    ew_case_convert_other(&input, "rib.mesh", &mesh);
    CU_ASSERT_EQUAL(mesh.xyz[3 * mesh.n_vertex - 1], 0.07);
    ew_case_convert_mesh(&input, &mesh);
    CU_ASSERT_DOUBLE_EQUAL(mesh.xyz[3 * mesh.n_vertex - 1], 0.0007, 1e-18);
    ew_case_convert_surface(&input, &surface);
    CU_ASSERT_TRUE(surface.xyz[0] == 0.07 && surface.xyz[1] == 0 && surface.xyz[2] == -0.007);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
    CU_ASSERT_EQUAL_FATAL(read_text("mesh: p.mesh\nunits: {length: mm, force: N, files: m}\n"
                                    "material: {young: 1 GPa, poisson: 0.3}\n",
                                    &input),
                          EW_OK);
    CU_ASSERT_EQUAL(input.mesh_factor, 1000);
    ew_case_free(&input);
    expect_message("mesh: p.mesh\nunits: {length: mm, force: N, files: mn}\n"
                   "material: {young: 1 GPa, poisson: 0.3}\n",
                   "'mn' of files is no unit of length");
    expect_message("mesh: p.mesh\nunits: {files: mm}\nmaterial: {young: 1, poisson: 0.3}\n",
                   "unit 'mm' of the file is converted to the unit of the case, which names none");
}

static char warned[2000];
static void keep_warnings(void *user, const ew_step_report *report)
{
    (void)user;
    for (int32_t i = 0; i < report->n_warning; i++) {
        if (report->warning[i].kind == EW_WARNING_UNITS) {
            strncat(warned, report->warning[i].text, sizeof warned - strlen(warned) - 1);
        }
    }
}

static void expect_warning(const char *units, const char *material, double size, const char *words)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "mesh: part.mesh\n%s\nmaterial: %s\nconstraints: [{set: {all: true}, displacement: [0, "
        "0, 0]}]\n",
        units, material);
    const ew_study_def def = {.on_step = keep_warnings};
    *warned = 0;
    CU_ASSERT_EQUAL(run_on_box(text, (double[]){size, size, size}, (int32_t[]){2, 2, 2}, &def, NULL,
                               NULL, NULL),
                    EW_OK);
    CU_ASSERT_TRUE(*words ? strstr(warned, words) != NULL : !*warned);
    if (*words ? !strstr(warned, words) : *warned) {
        printf("'%s' instead of '%s'\n", warned, words);
    }
}

static void test_units_warn(void)
{
    static const char mm[] = "units: {length: mm, force: N}", m[] = "units: {length: m, force: N}";
    expect_warning(m, "{young: 210e9, poisson: 0.3, density: 7850}", 1, "");
    expect_warning(mm, "{young: 210e3, poisson: 0.3, density: 7.85e-9}", 100, "");
    expect_warning("", "{young: 1, poisson: 0.3, density: 7850}", 1e9, "");
    expect_warning(m, "{young: 210e3, poisson: 0.3, density: 7850}", 1, "of dense matter");
    expect_warning(m, "{young: 1e5, poisson: 0.49, density: 1000}", 1, ""); /* a gel */
    expect_warning(mm, "{young: 210e9, poisson: 0.3}", 1, "2.1e+08 GPa");
    expect_warning(mm, "{young: 210e3, poisson: 0.3, density: 7850}", 1, "7.85e+15 kg/m^3");
    expect_warning(mm, "{young: 210e3, poisson: 0.3, density: 7.85e-6}", 1, "7.85e+06 kg/m^3");
    expect_warning(m, "{young: 210e9, poisson: 0.3}", 1e7, "1e+07 m long");
    expect_warning(m, "{young: 210e9, poisson: 0.3}", 1e-5, "1e-05 m long");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"units_convert", test_units_convert},
                           {"units_of_a_case", test_units_of_a_case},
                           {"units_are_refused", test_units_are_refused},
                           {"units_stop_at_aliases", test_units_stop_at_aliases},
                           {"units_of_columns", test_units_of_columns},
                           {"units_leave_names_alone", test_units_leave_names_alone},
                           {"units_in_expressions", test_units_in_expressions},
                           {"units_of_a_sweep", test_units_of_a_sweep},
                           {"units_of_a_mesh", test_units_of_a_mesh},
                           {"units_of_files", test_units_of_files},
                           {"units_warn", test_units_warn},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"units", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
