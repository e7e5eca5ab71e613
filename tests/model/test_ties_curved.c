/* Two blocks with unlike meshes of a curved common face: in contact under the same pressure all
 * round, and tied, under any stress that is the same everywhere; where both sides are not on one
 * quadratic surface, the order of the error. A cell whose sides are curved images of each other. */
#include "contact_model_fixture.h"
#include "curved_fixture.h"

#include <math.h>

/* ---- a curved common face -------------------------------------------------------------------- */

/* Blocks whose faces at 1/2 are on a surface, and plane ones elsewhere. */
static enum { PARABOLOID, SINE } surface;

static double off_common(const double x[3], double middle)
{
    return x[2] - middle -
           (surface == SINE ? 0.1 * sin(2.0 * x[0] - x[1])
                            : 0.2 * x[0] * x[0] - 0.3 * x[0] * x[1] + 0.1 * x[1] * x[1]);
}

static void place_blocks(const double x[3], double y[3])
{
    memcpy(y, x, 3 * sizeof *y);
    y[2] -= (1.0 - fabs(2.0 * x[2] - 1.0)) * off_common((double[3]){x[0], x[1], 0.5}, 0.5);
}

/* Root of the mean square over vertices. */
static double displacement_error(const ew_model *model, const double strain[3])
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    double sum = 0.0;
    for (int32_t i = 0; i < 3 * mesh->n_vertex; i++) {
        const double rest = u[i] - strain[i % 3] * mesh->xyz[i];
        sum += rest * rest;
    }
    return sqrt(sum / mesh->n_vertex);
}

/* Blocks whose planes are moved as a strain along the axes moves them; false: tied. */
static double solve_common(const int32_t cells[2], void (*place)(const double *, double *),
                           bool upper_is_slave, bool touches, const double strain[3], double *off)
{
    ew_mesh mesh;
    make_blocks(&mesh, (int32_t[2]){cells[0], cells[1]}, (double[3]){0, 0, 0});
    curve_mesh(&mesh, place, 0.0);
    ew_model *model = make_model(&mesh, 200.0, true);
    ew_model_constraint fixed[6];
    const double volume = strain[0] + strain[1] + strain[2];
    double stress[6] = {0.0};
    for (int c = 0; c < 6; c++) {
        fixed[c] = (ew_model_constraint){.set = add_plane(model, NULL, c % 3, c / 3),
                                         .fixed = (uint8_t)(1 << c % 3)};
        fixed[c].value[c % 3] = c < 3 ? 0.0 : strain[c % 3];
        stress[c % 3] = 200.0 / 1.3 * (strain[c % 3] + 0.3 / 0.4 * volume);
    }
    must(ew_model_set_constraints(model, 6, fixed));
    const int32_t lower = add_faces_on(model, LOWER, off_common, 0.5),
                  upper = add_faces_on(model, UPPER, off_common, 0.5);
    const int32_t slave = upper_is_slave ? upper : lower, master = upper_is_slave ? lower : upper;
    if (touches) {
        must(
            ew_model_set_contacts(model, 1, &(ew_model_contact){.slave = slave, .master = master}));
        const ew_model_contact_report report = solve(model, 1e-13);
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, -stress[2], 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.min_gap, 0.0, 1e-12);
    } else {
        ew_pcg_def def = solver();
        must(ew_model_set_ties(model, 1, &(ew_model_tie){.slave = slave, .master = master}));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, NULL, NULL));
    }
    const double error = stress_error(model, stress) / hypot(stress[0], stress[2]);
    *off = displacement_error(model, strain);
    ew_model_free(model);
    return error;
}

/* The same stress everywhere has an answer where blocks have a curved face in common: in contact
 * when they are pressed from all sides alike, tied always, for a traction that turns with the face
 * is among those of its rows. */
static void test_curved_common_face(void)
{
    static const double pressed[3] = {-4e-3, -4e-3, -4e-3}, drawn[3] = {1e-3, -2e-3, 5e-3};
    surface = PARABOLOID;
    for (int k = 0; k < 6; k++) {
        const bool touches = k<2, is_fine = k / 4> 0;
        double off;
        const double error =
            solve_common((int32_t[2]){is_fine ? 6 : 3, is_fine ? 8 : 4}, place_blocks, k & 1,
                         touches, touches ? pressed : drawn, &off);
        printf("%s %.1e ... ", touches ? "contact" : "tie", error);
        CU_ASSERT(error < 1e-10);
    }
}

/* Where sides are not where the other block has them, quadratic ones being no sine, the error falls
 * by the third power of the size. */
static void test_sides_that_differ(void)
{
    static const double drawn[3] = {1e-3, -2e-3, 5e-3};
    double before = 0.0, off;
    surface = SINE;
    for (int f = 1; f <= 4; f *= 2) {
        const double error =
            solve_common((int32_t[2]){3 * f, 4 * f}, place_blocks, true, false, drawn, &off);
        printf("%.1e %.1e ... ", error, off);
        CU_ASSERT(f == 1 || off < before / 6.0);
        before = off;
    }
}

/* A cell whose sides along x are one another's images, curved, with unlike meshes: a strain along x
 * is the same everywhere. */
static void bend_cell(const double x[3], double y[3])
{
    memcpy(y, x, 3 * sizeof *y);
    y[0] += 0.4 * x[1] * x[1] - 0.3 * x[1] * x[2] + 0.2 * x[2] * x[2];
}

static double off_side(const double x[3], double at)
{
    double y[3];
    bend_cell((double[3]){at, x[1], x[2]}, y);
    return x[0] - y[0];
}

static void test_cell_with_curved_sides(void)
{
    ew_mesh mesh;
    uint64_t random = 3;
    must(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){3, 3, 3}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double *x = mesh.xyz + 3 * (size_t)v;
        for (int c = 1; c < 3; c++) {
            const double by = 0.2 * (ew_test_random(&random, 1000) / 1000.0 - 0.5);
            x[c] += x[0] > 0.9 && x[c] > 0.1 && x[c] < 0.9 ? by : 0.0;
        }
    }
    curve_mesh(&mesh, bend_cell, 0.0);
    ew_model *model = make_model(&mesh, 200.0, true);
    const ew_model_set_def def_of_set = {.kind = EW_SET_OF_VERTICES};
    ew_list corner = {0};
    int32_t pin;
    must(ew_list_push(&corner, 0));
    must(ew_model_add_set(model, &def_of_set, &corner, &pin));
    ew_list_free(&corner);
    ew_model_constraint fixed[5] = {{.set = add_plane(model, NULL, 1, 0.0), .fixed = 2},
                                    {.set = add_plane(model, NULL, 1, 1.0), .fixed = 2},
                                    {.set = add_plane(model, NULL, 2, 0.0), .fixed = 4},
                                    {.set = add_plane(model, NULL, 2, 1.0), .fixed = 4},
                                    {.set = pin, .fixed = 1}};
    must(ew_model_set_constraints(model, 5, fixed));
    must(ew_model_set_ties(model, 1,
                           &(ew_model_tie){.kind = EW_TIE_CYCLIC,
                                           .slave = add_faces_on(model, 0, off_side, 1.0),
                                           .master = add_faces_on(model, 0, off_side, 0.0),
                                           .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                           .shift = {1, 0, 0},
                                           .jump = {0.01, 0, 0}}));
    const ew_pcg_def def = solver();
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    const double lame = 200.0 * 0.3 / (1.3 * 0.4), shear = 200.0 / 2.6,
                 along = 0.01 * (lame + 2 * shear);
    const double error =
        stress_error(model, (double[6]){along, 0.01 * lame, 0.01 * lame, 0, 0, 0}) / along;
    printf("%.1e ... ", error);
    CU_ASSERT(error < 1e-9);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"curved_common_face", test_curved_common_face},
        {"sides_that_differ", test_sides_that_differ},
        {"cell_with_curved_sides", test_cell_with_curved_sides},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "ties_curved", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
