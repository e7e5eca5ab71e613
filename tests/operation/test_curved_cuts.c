/* Cuts through tets with curved sides: what they leave is the part of the curved body, its cut
 * lies on the surface, its faces stay where they were, and blocks are those of a rebuild. */
#include "operation/parts/operation.h"
#include "tube_fixture.h"

#include <stdio.h>

static const ew_material plain = {.young = 200.0, .poisson = 0.3, .density = 1.0};

static ew_status cut(ew_model *model, const char *kind, const char *numbers, const char *keep)
{
    const ew_operation *operation = ew_operation_named("cut");
    ew_operation_values values = ew_operation_presets(operation);
    must(ew_operation_set(operation, &values, kind, numbers, EW_AS_KEYS));
    must(ew_operation_set(operation, &values, "keep", keep, EW_AS_KEYS));
    must(ew_operation_set(operation, &values, "label", "9", EW_AS_KEYS));
    EW_TRY(ew_model_queue_operation(model, operation, &values, NULL));
    return ew_model_commit(model);
}

/* ---- distances ---------------------------------------------------------------------- */

static double from_plane(const double *x, const void *plane)
{
    const double *of = plane;
    return (x[0] - of[0]) * of[3] + (x[1] - of[1]) * of[4] + (x[2] - of[2]) * of[5];
}

static double from_axis(const double *x, const void *axis)
{
    const double *of = axis;
    return hypot(x[0] - of[0], x[1] - of[1]) - of[2];
}

static double from_center(const double *x, const void *ball)
{
    const double *of = ball;
    return hypot(hypot(x[0] - of[0], x[1] - of[1]), x[2] - of[2]) - of[3];
}

/* ---- planes ---------------------------------------------------------------------------- */

/* Both parts are the whole, but for what quadratic sides cannot follow: O(h^4). The cut is plane,
 * whatever stays, flat faces are flat, and round ones as near to their cylinders as the sides that
 * came. */
static void test_plane_through_a_tube(void)
{
    static const char *const keeps[] = {"inside", "outside", "both", "open"};
    static const double plane[6] = {0.0, 0.0, 0.8, 0.2, 0.1, 1.0};
    for (int32_t n = 3; n <= 6; n += 3) {
        const double fourth = 1.0 / (n * n * n * n);
        double volume[4], whole = 0.0;
        for (int k = 0; k < 4; k++) {
            ew_model *model = make_model(roll, n);
            whole = volume_of(model);
            must(cut(model, "plane", "0,0,0.8,0.2,0.1,1", keeps[k]));
            volume[k] = volume_of(model);
            CU_ASSERT(off_surface(model, 9, from_plane, plane) < 1e-14);
            CU_ASSERT(off_surface(model, 3, from_plane, (double[]){0, 0, 0, 0, 1, 0}) < 1e-14);
            CU_ASSERT(off_surface(model, 4, from_plane, (double[]){0, 0, 0, 1, 0, 0}) < 1e-14);
            CU_ASSERT(off_surface(model, 1, from_axis, (double[]){0, 0, 1}) < 2e-3 * fourth);
            CU_ASSERT(off_surface(model, 2, from_axis, (double[]){0, 0, 2}) < 2e-3 * fourth);
            verify(model);
            ew_model_free(model);
        }
        CU_ASSERT_DOUBLE_EQUAL(volume[0] + volume[1], whole, 5e-5 * fourth);
        CU_ASSERT_DOUBLE_EQUAL(volume[2], whole, 5e-5 * fourth);
        CU_ASSERT_DOUBLE_EQUAL(volume[3], volume[2], 1e-14);
    }
}

/* Along the plane of symmetry, through faces that both are curved there. */
static void test_half_a_tube(void)
{
    ew_model *model = make_model(roll, 4);
    must(cut(model, "plane", "0,0,0,1,-1,0", "inside"));
    CU_ASSERT_DOUBLE_EQUAL(volume_of(model), 0.375 * PI, 5e-6);
    CU_ASSERT(off_surface(model, 9, from_plane, (double[]){0, 0, 0, 1, -1, 0}) < 1e-14);
    verify(model);
    ew_model_free(model);
}

/* The bend of this box is one of degree two: it has no error but that of sides of the cut on the
 * bent faces. Cut again and again, edits follow curves of earlier ones. */
static void test_one_after_the_other(void)
{
    static const char *const planes[] = {"0.52,0,0,1,0.1,0", "0,0.43,0,0.1,1,0.2",
                                         "0,0,0.45,-0.1,0.1,1"};
    ew_model *model = make_bent_model_of(0.0, &plain);
    for (int k = 0; k < 3; k++) {
        must(cut(model, "plane", planes[k], k == 1 ? "open" : "both"));
        CU_ASSERT_DOUBLE_EQUAL(volume_of(model), 0.72, 1e-5);
        verify(model);
    }
    must(ew_model_compact(model, NULL, NULL));
    verify(model);
    ew_model_free(model);
}

/* Onto spheres of radii 0.5 and 1, from the chords between points there. */
static void round_off(const double *x, double *y)
{
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++) {
        y[i] = r > 0.95 ? x[i] / r : r < 0.5 ? 0.5 * x[i] / r : x[i];
    }
}

/* An octant of a hollow ball, by the plane between two of its sides and by one across: the volumes
 * are those of parts of balls, but for O(h^4). */
static void test_parts_of_a_ball(void)
{
    static const char *const planes[] = {"0,0,0,1,-1,0", "0,0,0.62,0,0,1"};
    const double above = 0.62; /* no part of the hollow is */
    const double volume[] = {PI / 6.0 * 0.875 / 2.0,
                             PI / 6.0 * 0.875 -
                                 PI / 4.0 * (2.0 / 3.0 - above + above * above * above / 3.0)};
    for (int k = 0; k < 2; k++) {
        const ew_model_def def = ew_default_model_def();
        ew_model *model;
        ew_mesh mesh;
        must(ew_shape_sphere_octant(&mesh, 0.5, 1.0, (int32_t[]){4, 4}));
        curve_mesh(&mesh, round_off, 0.0);
        must(ew_model_create(&model, &mesh, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &plain));
        must(ew_model_set_order(model, true));
        must(cut(model, "plane", planes[k], "inside"));
        CU_ASSERT_DOUBLE_EQUAL(volume_of(model), volume[k], 2e-4 * volume[k]);
        CU_ASSERT(off_surface(model, 2, from_center, (double[]){0, 0, 0, 1.0}) < 1e-3);
        CU_ASSERT(off_surface(model, 9, from_plane,
                              k ? (double[]){0, 0, above, 0, 0, 1}
                                : (double[]){0, 0, 0, 1, -1, 0}) < 1e-14);
        verify(model);
        ew_model_free(model);
    }
}

/* ---- round surfaces ---------------------------------------------------------------------- */

static void test_round_cuts(void)
{
    static const double ball[4] = {1.3, 1.3, 0.5, 1.2};
    ew_model *model = make_model(roll, 5);
    const double whole = volume_of(model);
    must(cut(model, "cylinder", "1.1,1.1,0,1.1,1.1,1,0.45", "both"));
    CU_ASSERT_DOUBLE_EQUAL(volume_of(model), whole, 1e-5);
    CU_ASSERT(off_surface(model, 9, from_axis, (double[]){1.1, 1.1, 0.45}) < 1e-14);
    verify(model);
    ew_model_free(model);
    model = make_model(roll, 6);
    must(cut(model, "sphere", "1.3,1.3,0.5,1.2", "outside"));
    CU_ASSERT(off_surface(model, 9, from_center, ball) < 1e-14);
    CU_ASSERT_STRING_EQUAL(ew_model_remark(model), "");
    verify(model);
    ew_model_free(model);
}

static double random_in(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)ew_test_random(state, 1u << 30) / (double)(1u << 30);
}

/* Anywhere: sound bodies whose parts are the whole, however coarse the surface is for the tets, or
 * one line that says why not. */
static void test_random_cuts(void)
{
    static const char *const kinds[] = {"plane", "sphere", "cylinder", "cone"};
    uint64_t state = 7;
    int n_refused = 0;
    for (int i = 0; i < 24; i++) {
        char text[200];
        const int k = i % 4;
        const double angle = random_in(&state, 0.1, 1.4), r = random_in(&state, 1.1, 1.9);
        const double c[3] = {r * cos(angle), r * sin(angle), random_in(&state, 0.2, 0.8)};
        double d[3];
        for (int j = 0; j < 3; j++) {
            d[j] = random_in(&state, -1.0, 1.0) + (k > 1 ? c[j] : 0.0);
        }
        ew_model *model = make_model(roll, 4);
        const double whole = volume_of(model);
        if (k == 1) {
            snprintf(text, sizeof text, "%g,%g,%g,%g", c[0], c[1], c[2],
                     random_in(&state, 0.5, 0.9));
        } else {
            snprintf(text, sizeof text, "%g,%g,%g,%g,%g,%g%s%s", c[0], c[1], c[2], d[0], d[1], d[2],
                     k ? ",0.6" : "", k == 3 ? ",0.7" : "");
        }
        const ew_status status = cut(model, kinds[k], text, i / 4 % 2 ? "open" : "both");
        if (status) {
            CU_ASSERT(status == EW_BAD_EDIT && strstr(ew_message(), "cut: "));
            n_refused++;
        } else {
            CU_ASSERT_DOUBLE_EQUAL(volume_of(model), whole, 1e-4 * whole);
        }
        verify(model);
        ew_model_free(model);
    }
    CU_ASSERT(n_refused <= 3);
}

/* ---- what else there is ------------------------------------------------------------------- */

/* A linear field on what a cut has left: rigid motions need no force, constant strain none inside,
 * but for what four points do not integrate (as without a cut: test_curved.c). */
static void test_linear_fields(void)
{
    static const double strain[9] = {0.3, 0.1, -0.2, 0.5, -0.4, 0.2, 0.1, 0.7, 0.6};
    static const double turn[9] = {0.0, 0.4, -0.2, -0.4, 0.0, 0.7, 0.2, -0.7, 0.0};
    ew_model *model = make_model(roll, 4);
    body p = {0};
    must(cut(model, "plane", "0,0,0.8,0.2,0.1,1", "inside"));
    must(ew_mesh_compact_copy(&p.mesh, ew_model_mesh(model), NULL, false, NULL, NULL));
    build_body(&p, 0.3, NULL);
    double *curve = calloc((size_t)p.rows.pattern.n_row, 3 * sizeof *curve);
    for (int32_t row = 0; row < p.rows.pattern.n_row; row++) {
        const int32_t *end = ends_of(&p, row);
        const double *c =
            ew_mesh_curve(&p.mesh, p.mesh.vertex_id[end[0]], p.mesh.vertex_id[end[1]]);
        if (c) {
            memcpy(curve + 3 * row, c, 3 * sizeof *c);
        }
    }
    p.rows.curve = curve;
    ew_edge_product_free(&p.quadratic.product);
    must(p.op.type->prepare(&p.op, EW_DOUBLE));
    must(ew_edge_rows_check_curves(&p.rows, &p.mesh, &p.topology, false));
    double *y = calloc((size_t)p.n, 3 * sizeof *y);
    fix_surface(&p);
    for (int k = 0; k < 2; k++) {
        double largest = 0.0, inner = 0.0;
        for (int32_t i = 0; i < 3 * p.n; i++) {
            const int32_t v = i / 3;
            const double *of = v < p.mesh.n_vertex ? p.mesh.xyz + 3 * (size_t)v
                                                   : curve + 3 * (size_t)(v - p.mesh.n_vertex);
            const double *a = (k ? strain : turn) + 3 * (size_t)(i % 3);
            p.x[i] = a[0] * of[0] + a[1] * of[1] + a[2] * of[2];
        }
        p.op.type->product(&p.op, false, p.x, y);
        for (int32_t i = 0; i < 3 * p.n; i++) {
            const bool gone = i / 3 < p.mesh.n_vertex && !ew_mesh_vertex_is_active(&p.mesh, i / 3);
            largest = fmax(largest, gone ? 0.0 : fabs(y[i]));
            inner = fmax(inner, gone || p.fixed[i / 3] ? 0.0 : fabs(y[i]));
        }
        CU_ASSERT(k ? largest > 1.0 && inner < 5e-3 * largest : largest < 1e-11);
    }
    free(y);
    free(curve);
    free_body(&p);
    ew_model_free(model);
}

/* Where no curved tet is touched the edit has not a bit of it. */
static void test_far_from_curves(void)
{
    ew_mesh mesh[2];
    ew_topology topology[2];
    ew_edit edit[2] = {0};
    ew_cut_def def = ew_default_cut_def();
    def.a[0] = 0.24;
    def.b[0] = 1.0;
    def.b[1] = 0.1;
    for (int k = 0; k < 2; k++) {
        make_mesh(&mesh[k], swell, 6);
        CU_ASSERT_FATAL(mesh[k].n_curve > 0);
        mesh[k].n_curve = k ? 0 : mesh[k].n_curve;
        must(ew_topology_build(&topology[k], &mesh[k]));
        must(ew_operation_cut(&mesh[k], &topology[k], &def, &edit[k], NULL));
    }
    CU_ASSERT_EQUAL(edit[0].n_curve, 0);
    CU_ASSERT_FATAL(edit[0].n_add_vertex == edit[1].n_add_vertex &&
                    edit[0].n_add_tet == edit[1].n_add_tet &&
                    edit[0].move_vertex.n == edit[1].move_vertex.n);
    CU_ASSERT(!memcmp(edit[0].add_vertex, edit[1].add_vertex,
                      (size_t)edit[0].n_add_vertex * 3 * sizeof(double)));
    CU_ASSERT(!memcmp(edit[0].move_to, edit[1].move_to,
                      (size_t)edit[0].move_vertex.n * 3 * sizeof(double)));
    CU_ASSERT(
        !memcmp(edit[0].add_tet, edit[1].add_tet, (size_t)edit[0].n_add_tet * 4 * sizeof(int32_t)));
    for (int k = 0; k < 2; k++) {
        ew_edit_free(&edit[k]);
        ew_topology_free(&topology[k]);
        ew_mesh_free(&mesh[k]);
    }
}

/* Where the tets that are crossed are straight, but others beside them that are improved are not,
 * it is planned again. */
static void test_beside_curves(void)
{
    for (int k = 0; k < 8; k++) {
        char text[80];
        ew_model *model = make_model(swell, 6);
        const double whole = volume_of(model);
        snprintf(text, sizeof text, "%g,0.5,0.5,1,0.05,0.1", 0.42 + 0.04 * k);
        must(cut(model, "plane", text, "both"));
        CU_ASSERT_DOUBLE_EQUAL(volume_of(model), whole, k < 5 ? 1e-13 : 3e-5);
        verify(model);
        ew_model_free(model);
    }
}

/* The k-th allocation fails, for every k: no leak, and the edit stays empty. */
static void test_failing_memory(void)
{
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit = {0};
    ew_cut_def def = ew_default_cut_def();
    make_mesh(&mesh, roll, 1);
    must(ew_topology_build(&topology, &mesh));
    def.keep = EW_CUT_KEEP_OPEN;
    def.a[2] = 0.45, def.b[2] = 1.0;
    ew_status status = EW_NO_MEMORY;
    for (int64_t k = 0; status == EW_NO_MEMORY; k++) {
        ew_test_allocations_begin(k);
        status = ew_operation_cut(&mesh, &topology, &def, &edit, NULL);
        ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && !edit.n_add_tet && !edit.n_curve));
    }
    CU_ASSERT(status == EW_OK && edit.n_curve > 0);
    ew_edit_free(&edit);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

/* Linear tets are straight, whatever middles the mesh came with. */
static void test_linear_tets(void)
{
    ew_model *model = make_model(roll, 3);
    must(ew_model_set_order(model, false));
    must(cut(model, "plane", "0,0,0.8,0.2,0.1,1", "both"));
    CU_ASSERT_EQUAL(ew_model_edit(model)->n_curve, 0);
    verify(model);
    ew_model_free(model);
}

static ew_status queue_cut(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_cut(ew_model_mesh(model), ew_model_topology(model), user, edit, NULL);
}

/* By the functions alone: with the curves that sides have, not with those of before. In a body of
 * mixed order, too. */
static void test_curves_of_now(void)
{
    ew_cut_def def = ew_default_cut_def();
    ew_model *model = make_model(roll, 4);
    ew_list tet = {0};
    def.keep = EW_CUT_KEEP_BOTH;
    def.b[2] = def.b[1] = 1.0;
    for (int k = 0; k < 3; k++) {
        def.a[2] = 0.9 + 0.4 * k;
        must(ew_model_apply(model, queue_cut, &def));
        verify(model);
        for (int32_t t = k; t < ew_model_mesh(model)->n_tet && k == 1; t += 3) {
            must(ew_mesh_tet_is_live(ew_model_mesh(model), t) ? ew_list_push(&tet, t) : EW_OK);
        }
        must(ew_model_enrich(model, &tet, false));
    }
    ew_list_free(&tet);
    ew_model_free(model);
}

static ew_status queue_refinement(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), *(double *)user,
                               NULL, edit);
}

/* Tets inside are other ones by their region, with the sides that an edit before gave them. */
static void test_regions(void)
{
    ew_cut_def def = ew_default_cut_def();
    ew_model *model = make_model(roll, 2);
    double longest = 0.5;
    must(ew_model_apply(model, queue_refinement, &longest));
    const double whole = volume_of(model);
    def.keep = EW_CUT_KEEP_BOTH;
    memcpy(def.a, (double[]){1.0, 0.0, 0.5}, sizeof def.a);
    memcpy(def.b, (double[]){0.3, 0.0, 1.0}, sizeof def.b);
    def.has_region = true;
    def.region = 1; /* as they are */
    must(ew_model_apply(model, queue_cut, &def));
    const double both = volume_of(model);
    CU_ASSERT_DOUBLE_EQUAL(both, whole, 1e-5);
    ew_model_free(model);
    model = make_model(roll, 2);
    must(ew_model_apply(model, queue_refinement, &longest));
    def.region = 7;
    must(ew_model_apply(model, queue_cut, &def));
    CU_ASSERT_DOUBLE_EQUAL(volume_of(model), both, 1e-13);
    verify(model);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"plane_through_a_tube", test_plane_through_a_tube},
        {"half_a_tube", test_half_a_tube},
        {"parts_of_a_ball", test_parts_of_a_ball},
        {"one_after_the_other", test_one_after_the_other},
        {"round_cuts", test_round_cuts},
        {"random_cuts", test_random_cuts},
        {"linear_fields", test_linear_fields},
        {"far_from_curves", test_far_from_curves},
        {"beside_curves", test_beside_curves},
        {"failing_memory", test_failing_memory},
        {"linear_tets", test_linear_tets},
        {"curves_of_now", test_curves_of_now},
        {"regions", test_regions},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"curved_cuts", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
