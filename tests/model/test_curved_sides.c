/* Bodies of quadratic tets with curved sides under a pressure that is the same everywhere. */
#include "contact_model_fixture.h"
#include "curved_fixture.h"

static double bulge;

/* From the unit cube to one from -1 to 1 whose sides bulge. */
static void place(const double *x, double *y)
{
    double u[3];
    for (int c = 0; c < 3; c++) {
        u[c] = 2.0 * x[c] - 1.0;
    }
    for (int c = 0; c < 3; c++) {
        const double a = u[(c + 1) % 3], b = u[(c + 2) % 3];
        y[c] = u[c] * (1.0 + 0.5 * bulge * (2.0 - a * a - b * b));
    }
}

/* The largest way of a middle off its side, of the length of that. */
static double largest_curve(const ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double largest = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double d[18];
        (void)ew_tet_curves(ew_model_edge_rows(model), ew_model_topology(model), t, d);
        for (int k = 0; k < 6; k++) {
            const double *a = mesh->xyz + 3 * mesh->tet[4 * t + ew_edge_vertex[k][0]],
                         *b = mesh->xyz + 3 * mesh->tet[4 * t + ew_edge_vertex[k][1]];
            const double off = sqrt(d[3 * k] * d[3 * k] + d[3 * k + 1] * d[3 * k + 1] +
                                    d[3 * k + 2] * d[3 * k + 2]);
            const double length =
                sqrt(pow(b[0] - a[0], 2.0) + pow(b[1] - a[1], 2.0) + pow(b[2] - a[2], 2.0));
            largest = fmax(largest, off / length);
        }
    }
    return largest;
}

/* The stress is the pressure, but for what four points of a tet and three of a face leave of
 * integrands of degree three and four: terms of the second degree in how far a side is curved. */
static void test_uniform_stress_passes_nearly(void)
{
    const double by[3] = {0.05, 0.1, 0.3};
    for (int k = 0; k < 6; k++) {
        ew_mesh mesh;
        must(ew_shape_box(&mesh, (double[3]){1, 1, 1},
                          (int32_t[3]){k / 3 ? 4 : 2, k / 3 ? 4 : 2, k / 3 ? 4 : 2}));
        bulge = by[k % 3];
        curve_mesh(&mesh, place, 0.0);
        ew_model *model = make_model(&mesh, 1000.0, true);
        const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
        ew_list all = {0};
        int32_t faces;
        must(ew_topology_boundary(ew_model_topology(model), ew_model_mesh(model), &all));
        must(ew_model_add_set(model, &def, &all, &faces));
        ew_list_free(&all);
        const ew_model_constraint list[3] = {{.set = add_plane(model, NULL, 0, 0.0), .fixed = 1},
                                             {.set = add_plane(model, NULL, 1, 0.0), .fixed = 2},
                                             {.set = add_plane(model, NULL, 2, 0.0), .fixed = 4}};
        must(ew_model_set_constraints(model, 3, list));
        press(model, faces, 1.0);
        const ew_pcg_def precise = solver();
        must(ew_model_solve(model, &precise, NULL));
        must(ew_model_recover(model, NULL, NULL));
        const double off = stress_error(model, (double[6]){-1, -1, -1, 0, 0, 0}),
                     curve = largest_curve(model);
        CU_ASSERT(off < 0.03 * curve * curve);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"uniform_stress_passes_nearly", test_uniform_stress_passes_nearly},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "curved_sides", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
