/* Harmonic response without modes: closed forms of a bar, fixed, moved at its end and free; the same
 * as by modes; what is not there is refused. */
#include "direct_fixture.h"
#include "ew_parts.h"
#include "model_fixture.h"

#include <complex.h>

#if EW_WITH_CHOLMOD

static const double pi = 3.14159265358979323846;
static const ew_material steel = {.young = 210e9, .poisson = 0.0, .density = 7850.0};
enum { N_FREQUENCY = 5 };
static const double frequencies[N_FREQUENCY] = {200.0, 1290.0, 2000.0, 4500.0, 7000.0};
static const ew_damping damping = {.mass = 200.0, .stiffness = 1e-6, .structural = 0.02};

typedef struct bar {
    ew_model *model;
    int32_t wall, body;
    double *load; /* [n_vertex][3] of 1 at its end, along x */
} bar;

static void add_set(ew_model *model, const char *name, double until, int32_t *set)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list list = {0};
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(mesh->xyz[3 * v] <= until ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(model, &(ew_model_set_def){name, EW_SET_OF_VERTICES, false}, &list, set));
    ew_list_free(&list);
}

/* 1 long and 0.1 thick, along x. */
static bar make_bar(int32_t n_long)
{
    const ew_model_def def = ew_default_model_def();
    const ew_boundary *boundary;
    ew_mesh mesh;
    bar of;
    must(ew_shape_box(&mesh, (double[3]){1.0, 0.1, 0.1}, (int32_t[3]){n_long, 1, 1}));
    must(ew_model_create(&of.model, &mesh, &def));
    must(ew_model_set_material(of.model, EW_ALL_REGIONS, &steel));
    add_set(of.model, "wall", 1e-9, &of.wall);
    add_set(of.model, "body", 2.0, &of.body);
    must(ew_model_boundary(of.model, &boundary));
    const ew_mesh *own = ew_model_mesh(of.model);
    must(ew_new_zero(&of.load, 3 * (size_t)own->n_vertex, sizeof *of.load));
    for (int32_t s = 0; s < boundary->n_slot; s++) { /* two triangles at the end */
        const int32_t code = boundary->code[s];
        int32_t of_face[3], n = 0;
        for (int k = 0; code >= 0 && k < 3; k++) {
            of_face[k] = own->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
            n += own->xyz[3 * of_face[k]] > 1.0 - 1e-9;
        }
        for (int k = 0; n == 3 && k < 3; k++) {
            of.load[3 * of_face[k]] += 1.0 / 6.0;
        }
    }
    return of;
}

static void free_bar(bar *of)
{
    ew_model_free(of->model);
    ew_release(of->load);
}

static ew_harmonic_def def_of(const bar *of)
{
    ew_harmonic_def def = ew_default_harmonic_def();
    def.n_frequency = N_FREQUENCY;
    def.frequency = frequencies;
    def.load = of->load;
    def.damping = damping;
    def.direct = ew_direct_solver();
    return def;
}

/* Of the vectors, at a component of a vertex. */
static double complex at(const ew_harmonic *of, int32_t k, int32_t component)
{
    double part[2] = {0.0, 0.0};
    for (int32_t i = 0; i < of->n; i++) {
        for (int p = 0; p < 2; p++) {
            part[p] += of->column[(2 * k + p) * of->n + i] *
                       of->vector[3 * (size_t)of->n_row * (size_t)i + (size_t)component];
        }
    }
    return part[0] + part[1] * I;
}

static int32_t tip_of(const ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t tip = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        tip = mesh->xyz[3 * v] > mesh->xyz[3 * tip] ? v : tip;
    }
    return tip;
}

/* E A, and the wave number of a damped bar: E (1 + i (eta + w beta)) and rho (1 - i alpha / w). */
static double complex stiffness_of(double frequency, double complex *wave)
{
    const double w = 2.0 * pi * frequency;
    const double complex e = steel.young * (1.0 + I * (damping.structural + w * damping.stiffness));
    const double complex rho = steel.density * (1.0 - I * damping.mass / w);
    *wave = w * csqrt(rho / e);
    return 0.01 * e;
}

enum { CLAMPED, MOVED, FREE, N_END };

static double complex expected_tip(int end, double frequency)
{
    double complex k;
    const double complex ea = stiffness_of(frequency, &k);
    return end == CLAMPED ? ctan(k) / (ea * k)
           : end == MOVED ? 1e-3 / ccos(k)
                          : -1.0 / (ctan(k) * ea * k);
}

/* What the support gives to the body: at x = 0, all of E A u'. */
static double complex expected_reaction(int end, double frequency)
{
    double complex k;
    const double complex ea = stiffness_of(frequency, &k);
    return end == CLAMPED ? -1.0 / ccos(k) : -1e-3 * ea * k * ctan(k);
}

static void check_reaction(const bar *of, const ew_harmonic *harmonic, int32_t k, int end)
{
    const int32_t n = 3 * harmonic->n_row;
    double *u;
    double part[2];
    must(ew_new(&u, 2 * (size_t)n, sizeof *u));
    for (int32_t i = 0; i < n; i++) {
        const double complex x = at(harmonic, k, i);
        u[i] = creal(x);
        u[n + i] = cimag(x);
    }
    const ew_harmonic_motion motion = {.frequency = frequencies[k],
                                       .damping = damping,
                                       .mass = EW_MASS_CONSISTENT,
                                       .load = end == MOVED ? NULL : of->load,
                                       .u = {u, u + n}};
    for (int p = 0; p < 2; p++) {
        const ew_fields *fields;
        const ew_sums *sums;
        must(ew_model_recover_harmonic(of->model, &motion, p, &fields, &sums));
        part[p] = 0.0;
        for (int32_t v = 0; v < harmonic->n_row; v++) {
            part[p] += fields->reaction[3 * v];
        }
    }
    const double complex expected = expected_reaction(end, frequencies[k]);
    CU_ASSERT(cabs(part[0] + part[1] * I - expected) < 0.012 * cabs(expected));
    ew_release(u);
}

/* 60 linear tets along a bar whose waves are 0.7 long at least: the square of the wave number is
 * 1 + (k h)^2 / 12 = 1 + 1.9e-3 of that of the bar at the most, which counts most at a resonance,
 * where damping of 2.5 % limits what it moves to 5 %. */
static void test_harmonic_of_bar(void)
{
    for (int end = 0; end < N_END; end++) {
        bar of = make_bar(60);
        const ew_model_constraint along[] = {
            {.set = of.wall, .fixed = 7, .value = {end == MOVED ? 1e-3 : 0.0}},
            {.set = of.body, .fixed = 6}};
        must(ew_model_set_constraints(of.model, end == FREE ? 1 : 2, along + (end == FREE)));
        ew_harmonic_def def = def_of(&of);
        const ew_harmonic *harmonic;
        double *none;
        must(ew_new_zero(&none, 3 * (size_t)ew_model_mesh(of.model)->n_vertex, sizeof *none));
        def.load = end == MOVED ? none : of.load;
        must(ew_model_harmonic(of.model, &def, &harmonic));
        CU_ASSERT(harmonic->n < 60);
        const int32_t tip = 3 * tip_of(of.model);
        for (int32_t k = 0; k < N_FREQUENCY; k++) {
            const double complex expected = expected_tip(end, frequencies[k]);
            CU_ASSERT(harmonic->residual[k] <= 1e-8);
            CU_ASSERT(cabs(at(harmonic, k, tip) - expected) < 0.05 * cabs(expected));
            if (end != FREE && k != 1) {
                check_reaction(&of, harmonic, k, end);
            }
        }
        ew_release(none);
        free_bar(&of);
    }
}

/* By all modes but the highest, of 35 and 36 of a body, which carries next to nothing. */
static void test_harmonic_by_modes(void)
{
    bar of = make_bar(3);
    const ew_model_constraint wall[] = {{.set = of.wall, .fixed = 7}};
    must(ew_model_set_constraints(of.model, 1, wall));
    const ew_modes_def modes_of = modes_def(35);
    const ew_harmonic_def def = def_of(&of);
    const ew_harmonic *harmonic;
    const ew_modes *modes;
    must(ew_model_harmonic(of.model, &def, &harmonic));
    must(ew_model_modes(of.model, &modes_of, &modes));
    const ew_modal modal = {modes->n, modes->frequency, 0.0, damping};
    const int32_t n = 3 * modes->n_row, tip = 3 * tip_of(of.model);
    for (int32_t k = 0; k < N_FREQUENCY; k++) {
        double force[35], column[70], part[2] = {0.0, 0.0};
        for (int32_t i = 0; i < modes->n; i++) {
            force[i] = 0.0;
            for (int32_t j = 0; j < n; j++) {
                force[i] += modes->shape[n * i + j] * of.load[j];
            }
        }
        ew_modal_harmonic(&modal, force, frequencies[k], column);
        for (int32_t i = 0; i < modes->n; i++) {
            part[0] += column[i] * modes->shape[n * i + tip];
            part[1] += column[35 + i] * modes->shape[n * i + tip];
        }
        const double complex u = at(harmonic, k, tip);
        CU_ASSERT(cabs(part[0] + part[1] * I - u) < 1e-3 * cabs(u));
    }
    free_bar(&of);
}

static void expect_refused(const bar *of, const ew_harmonic_def *def, ew_status status,
                           const char *word)
{
    const ew_harmonic *harmonic;
    CU_ASSERT_EQUAL(ew_model_harmonic(of->model, def, &harmonic), status);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
}

static void test_harmonic_refused(void)
{
    bar of = make_bar(4);
    const ew_model_constraint wall[] = {{.set = of.wall, .fixed = 7}};
    must(ew_model_set_constraints(of.model, 1, wall));
    ew_harmonic_def def = def_of(&of);
    def.max_vectors = 1;
    expect_refused(&of, &def, EW_NOT_CONVERGED, "after 1 vectors");
    def = def_of(&of);
    def.direct = NULL;
    expect_refused(&of, &def, EW_UNSUPPORTED, "direct solver");
    def = def_of(&of);
    def.frequency = (double[]){0.0, 1.0, 2.0, 3.0, 4.0};
    expect_refused(&of, &def, EW_BAD_ARGUMENT, "must be above 0");
    def = def_of(&of);
    def.damping.structural = -0.1;
    expect_refused(&of, &def, EW_BAD_ARGUMENT, "damping >= 0");
    memset(of.load, 0, 3 * (size_t)ew_model_mesh(of.model)->n_vertex * sizeof *of.load);
    def = def_of(&of);
    expect_refused(&of, &def, EW_BAD_INPUT, "no load");
    const ew_material light = {.young = 210e9, .poisson = 0.3};
    must(ew_model_set_material(of.model, EW_ALL_REGIONS, &light));
    expect_refused(&of, &def, EW_BAD_INPUT, "density");
    free_bar(&of);
}

static void test_harmonic_without_memory(void)
{
    int64_t k = 0;
    for (bool refused = true; refused; k++) {
        bar of = make_bar(2);
        const ew_model_constraint wall[] = {{.set = of.wall, .fixed = 7}};
        must(ew_model_set_constraints(of.model, 1, wall));
        const ew_harmonic_def def = def_of(&of);
        const ew_harmonic *harmonic;
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_harmonic(of.model, &def, &harmonic);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        free_bar(&of);
    }
    CU_ASSERT(k > 20);
}

static CU_TestInfo tests[] = {
    {"of_bar", test_harmonic_of_bar},
    {"by_modes", test_harmonic_by_modes},
    {"refused", test_harmonic_refused},
    {"without_memory", test_harmonic_without_memory},
    CU_TEST_INFO_NULL,
};
#endif

EW_DIRECT_MAIN("harmonic", tests)
