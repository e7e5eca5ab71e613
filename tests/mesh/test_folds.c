/* Curved tets that fold: single ones against their Jacobian at many points, a mesh that refuses
 * them, edits that would make them. */
#include "curved_fixture.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"

#include <math.h>

static const double unit[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Of the tet at l, in parts of the unit one's. */
static double jacobian(const double *x, const double *d, const double *l)
{
    double y[12];
    memcpy(y, x, sizeof y);
    for (int k = 0; k < 6; k++) {
        const int a = ew_edge_vertex[k][0], b = ew_edge_vertex[k][1];
        for (int c = 0; c < 3; c++) {
            y[3 * a + c] += 4.0 * l[b] * d[3 * k + c];
            y[3 * b + c] += 4.0 * l[a] * d[3 * k + c];
        }
    }
    return 6.0 * ew_tet_volume(y, y + 3, y + 6, y + 9);
}

/* The least over a grid of n steps along each side. */
static double min_of_grid(const double *x, const double *d, int n)
{
    double least = INFINITY;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; i + j <= n; j++) {
            for (int k = 0; i + j + k <= n; k++) {
                const double l[4] = {(double)(n - i - j - k) / n, (double)i / n, (double)j / n,
                                     (double)k / n};
                least = fmin(least, jacobian(x, d, l));
            }
        }
    }
    return least;
}

/* The middle of the first side at s of it: the Jacobian at the near end is 4 s - 1. */
static void test_middle_along_its_side(void)
{
    double d[18] = {0.0}, at[4];
    for (double s = 0.06; s < 1.0; s += 0.1) {
        const double end = fmin(4.0 * s - 1.0, 3.0 - 4.0 * s);
        d[0] = s - 0.5;
        const double found = ew_curved_tet_fold(unit, d, at);
        if (end > 0.0) {
            CU_ASSERT(found == INFINITY);
        } else {
            CU_ASSERT_DOUBLE_EQUAL(found, end, 1e-14);
            CU_ASSERT(at[s < 0.5 ? 0 : 1] == 1.0);
        }
    }
    d[0] = -0.25;
    CU_ASSERT(ew_curved_tet_fold(unit, d, at) == 0.0);
    d[0] = NAN;
    CU_ASSERT(ew_curved_tet_fold(unit, d, at) != INFINITY);
}

/* What is said of a tet is right at every point of a grid, and the place of a fold is one. */
static void test_random_tets(void)
{
    uint64_t state = 5;
    int n_good = 0, n_folded = 0, n_inside = 0, n_open = 0;
    for (int i = 0; i < 20000; i++) {
        double x[12], d[18], at[4];
        const double size = 0.02 + 0.002 * (double)(i % 100);
        for (int k = 0; k < 12; k++) {
            x[k] = unit[k] + 0.3 * ((double)ew_test_random(&state, 2001) / 1000.0 - 1.0);
        }
        for (int k = 0; k < 18; k++) {
            d[k] = size * ((double)ew_test_random(&state, 2001) / 1000.0 - 1.0);
        }
        const double straight = 6.0 * ew_tet_volume(x, x + 3, x + 6, x + 9);
        if (!(straight > 0.1)) {
            continue;
        }
        const double found = ew_curved_tet_fold(x, d, at), least = min_of_grid(x, d, 12);
        if (found == INFINITY) {
            n_good++;
            CU_ASSERT(least > 0.0);
        } else {
            n_folded++;
            n_open += found > 0.0;
            n_inside += fmax(fmax(at[0], at[1]), fmax(at[2], at[3])) < 1.0;
            CU_ASSERT(found < 1e-3);
            CU_ASSERT_DOUBLE_EQUAL(jacobian(x, d, at), found * straight, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL((at[0] + at[1]) + (at[2] + at[3]), 1.0, 1e-15);
        }
    }
    CU_ASSERT(n_good > 10000 && n_folded > 5000 && n_inside > 100 && n_open < 10);
}

/* A box with one side of an inner edge pushed too far: nothing of the mesh changes. */
static void test_mesh_refuses(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){2, 2, 2}));
    bend_mesh(&mesh, 0.0);
    must(ew_mesh_check_curves(&mesh));
    const int32_t *tet = mesh.tet + 4 * 7;
    const double *a = mesh.xyz + 3 * tet[0], *b = mesh.xyz + 3 * tet[1];
    const double node[3] = {0.9 * a[0] + 0.1 * b[0], 0.9 * a[1] + 0.1 * b[1],
                            0.9 * a[2] + 0.1 * b[2]};
    ew_side_middle list = {{tet[0], tet[1]}, 0, 7};
    const ew_mesh before = mesh;
    CU_ASSERT_EQUAL(ew_mesh_set_middles(&mesh, 1, &list, node), EW_MESH_VOLUME);
    CU_ASSERT(ew_last_failure()->id[0] >= 0 && ew_last_failure()->id[0] <= 7);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "its curved sides fold it"));
    CU_ASSERT(!memcmp(&mesh, &before, sizeof mesh));
    for (int64_t k = 0, refused = 1; refused; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_mesh_set_middles(&mesh, 1, &list, node);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_MESH_VOLUME);
        CU_ASSERT(!memcmp(&mesh, &before, sizeof mesh));
        CU_ASSERT_FATAL(k < 100);
    }
    must(ew_mesh_check_curves(&mesh));
    ew_mesh_free(&mesh);
}

/* A corner pushed on and on: each step leaves a mesh that may be read, or changes nothing. */
static void test_edits_refuse(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){2, 2, 2}));
    bend_mesh(&mesh, 0.05);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_order(model, true));
    const ew_mesh *of = ew_model_mesh(model);
    const int32_t *tet = of->tet + 4 * 11;
    double x[3], to[3];
    memcpy(x, of->xyz + 3 * tet[0], sizeof x);
    int n_taken = 0;
    ew_status status = EW_OK;
    for (double t = 0.005; t < 1.0 && !status; t += 0.005) {
        const uint64_t revision = of->revision;
        for (int c = 0; c < 3; c++) {
            to[c] = (1.0 - t) * x[c] + t / 3.0 *
                                           (of->xyz[3 * tet[1] + c] + of->xyz[3 * tet[2] + c] +
                                            of->xyz[3 * tet[3] + c]);
        }
        ew_model_begin(model);
        must(ew_edit_move_vertex(ew_model_edit(model), tet[0], to));
        status = ew_model_commit(model);
        n_taken += !status;
        CU_ASSERT_EQUAL(status, status ? EW_BAD_EDIT : EW_OK);
        CU_ASSERT((of->revision == revision) == (status != EW_OK));
        must(ew_model_store_curves(model));
        must(ew_mesh_check_curves(of));
    }
    CU_ASSERT(n_taken > 3 && status == EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "edit: tet "));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "its curved sides fold it"));
    ew_model_free(model);
}

/* Parts of curved tets are as good as these. */
static void test_refined_tets(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){2, 2, 2}));
    bend_mesh(&mesh, 0.03);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_order(model, true));
    const ew_mesh *of = ew_model_mesh(model);
    for (double longest = 0.6; longest > 0.2; longest *= 0.7) {
        must(
            ew_operation_refine(of, ew_model_topology(model), longest, NULL, ew_model_edit(model)));
        must(ew_model_commit(model));
        must(ew_model_store_curves(model));
        must(ew_mesh_check_curves(of));
        ew_model_begin(model);
    }
    CU_ASSERT(of->n_live_tet > 500 && of->n_curve > 500);
    ew_model_free(model);
}

/* What an edit says of sides is looked at before it is taken. */
static ew_status queue_curve(void *user, const ew_model *model, ew_edit *edit)
{
    const double *curve = user;
    (void)model;
    return ew_edit_add_curve(edit, 0, curve[0] > 0.5 ? 100000 : 1, curve);
}

static void test_bad_curves(void)
{
    static const ew_material steel = {.young = 200.0, .poisson = 0.3};
    ew_model *model = make_bent_model_of(0.0, &steel);
    CU_ASSERT_EQUAL(ew_model_apply(model, queue_curve, (double[]){1.0, 0.0, 0.0}), EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "curve 0 of the queue is between 0 and 100000"));
    CU_ASSERT_EQUAL(ew_model_apply(model, queue_curve, (double[]){0.0, NAN, 0.0}), EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "give finite numbers"));
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"middle_along_its_side", test_middle_along_its_side},
        {"random_tets", test_random_tets},
        {"mesh_refuses", test_mesh_refuses},
        {"edits_refuse", test_edits_refuse},
        {"refined_tets", test_refined_tets},
        {"bad_curves", test_bad_curves},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"folds", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
