/* Cuts along closed surfaces through tets with curved sides: the cut lies on the surface, both
 * parts are the whole, and blocks are those of a rebuild. And sizes with curved sides: of the mesh,
 * of sets. */
#include "operation/framework/local.h"
#include "operation/parts/operation.h"
#include "surface_shapes.h"
#include "tube_fixture.h"

static const ew_material plain = {.young = 200.0, .poisson = 0.3, .density = 1.0};

static ew_cut_report report;

static ew_status queue_cut(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_cut(ew_model_mesh(model), ew_model_topology(model), user, edit, &report);
}

static ew_cut_def def_of(const ew_surface *surface, ew_cut_keep keep)
{
    ew_cut_def def = ew_default_cut_def();
    def.kind = EW_CUT_SURFACE;
    def.surface = surface;
    def.keep = keep;
    def.label = 9;
    return def;
}

/* From the nearest triangle. */
static double from_triangles(const double *x, const void *surface)
{
    const ew_surface *s = surface;
    double least = INFINITY;
    for (int32_t t = 0; t < s->n_triangle; t++) {
        double foot[3];
        const int32_t *v = s->triangle + 3 * t;
        ew_local_nearest(x, s->xyz + 3 * v[0], s->xyz + 3 * v[1], s->xyz + 3 * v[2], foot);
        least = fmin(least, hypot(hypot(x[0] - foot[0], x[1] - foot[1]), x[2] - foot[2]));
    }
    return least;
}

/* keep in turns: volume [4]; returns that of the whole. What stays in one piece or open is the
 * whole. */
static double cut_all(const ew_surface *s, int32_t n, double volume[4], double off)
{
    double whole = 0.0;
    for (int keep = 0; keep < 4; keep++) {
        ew_model *model = make_model(roll, n);
        ew_cut_def def = def_of(s, (ew_cut_keep)keep);
        whole = volume_of(model);
        must(ew_model_apply(model, queue_cut, &def));
        volume[keep] = volume_of(model);
        CU_ASSERT(off_surface(model, 9, from_triangles, s) <= off);
        CU_ASSERT(report.least >= def.floor);
        verify(model);
        ew_model_free(model);
    }
    CU_ASSERT_DOUBLE_EQUAL(volume[2], whole, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(volume[3], volume[2], 1e-12);
    return whole;
}

static double random_in(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)ew_test_random(state, 1u << 30) / (double)(1u << 30);
}

/* In any direction, in the wall of the tube (a radius below 0.4) or through its faces. */
static void place_at_random(ew_surface *s, uint64_t *state, double size, double low, double high)
{
    double q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = random_in(state, -1.0, 1.0);
    }
    const double angle = random_in(state, 0.5, 1.1), r = random_in(state, low, high);
    place_surface(s, q, size, (double[]){r * cos(angle), r * sin(angle), 0.5});
}

/* ---- within the wall --------------------------------------------------------------- */

/* Both sides and the whole, to rounding: edges and corners of flat-sided bodies are in the mesh,
 * all faces are flat and all edges straight, in tets that are not. */
static void test_flat_sides(void)
{
    uint64_t state = 3;
    for (int i = 0; i < 4; i++) {
        ew_surface s;
        double volume[4];
        if (i % 2) {
            make_tetrahedron(&s);
        } else {
            make_cube(&s);
        }
        place_at_random(&s, &state, 0.22, 1.5, 1.5);
        const double enclosed = enclosed_volume(&s), whole = cut_all(&s, 8 + i / 2, volume, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(volume[1], whole - enclosed, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(volume[0], enclosed, 1e-12);
        ew_surface_free(&s);
    }
}

/* Of 1,280 triangles: middles of sides are on them where that folds no tet, and a quadratic side
 * between two points of a ball leaves it by O(h^4). */
static void test_ball(void)
{
    for (int32_t n = 8; n <= 16; n += 8) {
        ew_surface s = {0};
        ew_cut_def def = def_of(&s, EW_CUT_KEEP_INSIDE);
        make_ball_surface(&s, 3);
        place_surface(&s, (double[]){1.0, 0.2, 0.3, 0.4}, 0.4, (double[]){1.06, 1.06, 0.5});
        ew_model *model = make_model(roll, n);
        const double enclosed = enclosed_volume(&s);
        must(ew_model_apply(model, queue_cut, &def));
        CU_ASSERT(off_surface(model, 9, from_triangles, &s) < (n == 8 ? 0.03 : 0.008));
        CU_ASSERT_DOUBLE_EQUAL(volume_of(model), enclosed, (n == 8 ? 1e-2 : 1e-3) * enclosed);
        verify(model);
        ew_model_free(model);
        ew_surface_free(&s);
    }
}

/* ---- anywhere ------------------------------------------------------------------------ */

static void make_any(ew_surface *s, int kind)
{
    if (kind == 0) {
        make_cube(s);
    } else if (kind == 1) {
        make_tetrahedron(s);
    } else if (kind == 2) {
        make_ball_surface(s, 3);
    } else {
        make_cylinder_surface(s, 48);
    }
}

/* Through round faces, too, sound bodies that are the whole but for what quadratic sides cannot
 * follow, or one line that says why not. */
static void test_random_places(void)
{
    uint64_t state = 5;
    int n_refused = 0;
    for (int i = 0; i < 16; i++) {
        ew_surface s = {0};
        ew_cut_def def = def_of(&s, i / 4 % 2 ? EW_CUT_KEEP_OPEN : EW_CUT_KEEP_BOTH);
        make_any(&s, i % 4);
        place_at_random(&s, &state, 0.25, 1.0, 2.0);
        ew_model *model = make_model(roll, 6);
        const double whole = volume_of(model);
        const ew_status status = ew_model_apply(model, queue_cut, &def);
        if (status) {
            CU_ASSERT(status == EW_BAD_EDIT && strstr(ew_message(), "cut: "));
            n_refused++;
        } else {
            CU_ASSERT_DOUBLE_EQUAL(volume_of(model), whole, 1e-4 * whole);
        }
        verify(model);
        ew_model_free(model);
        ew_surface_free(&s);
    }
    CU_ASSERT(n_refused <= 1);
}

/* ---- sets ------------------------------------------------------------------------------ */

static ew_set_measure measure_of(ew_model *model, ew_set_kind kind, int32_t label, int32_t *set)
{
    const ew_model_set_def def = {.name = label == 1 ? "inner"
                                          : label    ? "other"
                                                     : "all",
                                  .kind = kind};
    const ew_selector selector = {.kind = label ? EW_SELECT_SURFACE : EW_SELECT_ALL,
                                  .label = label};
    ew_set_measure measure;
    must(ew_model_select_set(model, &def, &selector, set));
    must(ew_model_measure_set(model, *set, &measure));
    return measure;
}

/* Areas, volumes and centroids of a quarter of a tube are with its curved sides, O(h^4) off. */
static void test_size_of_sets(void)
{
    ew_model *model = make_model(roll, 4);
    int32_t set;
    const ew_set_measure outer = measure_of(model, EW_SET_OF_FACES, 2, &set);
    CU_ASSERT_DOUBLE_EQUAL(outer.area, PI, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(outer.centroid[0], 4.0 / PI, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(outer.centroid[2], 0.5, 1e-12);
    const ew_set_measure all = measure_of(model, EW_SET_OF_TETS, 0, &set);
    CU_ASSERT_DOUBLE_EQUAL(all.volume, 0.75 * PI, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(all.volume, volume_of(model), 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(all.centroid[1], 7.0 / 3.0 / (0.75 * PI), 1e-5);
    must(ew_model_set_order(model, false));
    ew_set_measure straight;
    must(ew_model_measure_set(model, set, &straight));
    CU_ASSERT(straight.volume < all.volume - 1e-3);
    ew_model_free(model);
}

/* A column of one cell under its weight, without lateral strain, is quadratic along its axis:
 * w = -g (z - z^2 / 2) / E, with the means -g / 3 E of its sides and of all. */
static void test_means_of_sets(void)
{
    const ew_model_def def = ew_default_model_def();
    const ew_material law = {.young = 200.0, .poisson = 0.0, .density = 1.0};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {0.0, 0.0, -10.0}};
    const double origin[3] = {0.0, 0.0, 0.0};
    ew_pcg_def accurate = ew_default_pcg_def();
    ew_model *model;
    ew_mesh mesh;
    int32_t low, set[2];
    const ew_sums *sums;
    accurate.tolerance = 1e-13;
    must(ew_shape_box(&mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){1, 1, 1}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &law));
    must(ew_model_set_order(model, true));
    (void)measure_of(model, EW_SET_OF_FACES, 5, &low);
    (void)measure_of(model, EW_SET_OF_FACES, 1, &set[0]);
    (void)measure_of(model, EW_SET_OF_TETS, 0, &set[1]);
    const ew_model_constraint fixed = {.set = low, .fixed = 7};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &weight));
    must(ew_model_solve(model, &accurate, NULL));
    must(ew_model_recover(model, NULL, &sums));
    for (int k = 0; k < 2; k++) {
        ew_set_results results;
        must(ew_model_recover_set(model, set[k], 7, origin, &results));
        CU_ASSERT_DOUBLE_EQUAL(results.mean_displacement[2], -10.0 / 200.0 / 3.0, 1e-12);
    }
    ew_model_free(model);
}

/* ---- what else there is --------------------------------------------------------------- */

/* Where no curved tet is touched the edit has not a bit of it. */
static void test_far_from_curves(void)
{
    ew_mesh mesh[2];
    ew_topology topology[2];
    ew_edit edit[2] = {0};
    ew_surface s = {0};
    ew_cut_def def = def_of(&s, EW_CUT_KEEP_OUTSIDE);
    make_cube(&s);
    place_surface(&s, (double[]){1.0, 0.2, 0.3, 0.4}, 0.1, (double[]){0.2, 0.5, 0.5});
    for (int k = 0; k < 2; k++) {
        must(ew_shape_box(&mesh[k], (double[]){1.0, 1.0, 1.0}, (int32_t[]){12, 12, 12}));
        curve_mesh(&mesh[k], swell, 0.0);
        CU_ASSERT_FATAL(mesh[k].n_curve > 0);
        mesh[k].n_curve = k ? 0 : mesh[k].n_curve;
        must(ew_topology_build(&topology[k], &mesh[k]));
        must(ew_operation_cut(&mesh[k], &topology[k], &def, &edit[k], NULL));
    }
    CU_ASSERT_EQUAL(edit[0].n_curve, 0);
    CU_ASSERT_FATAL(edit[0].n_add_vertex == edit[1].n_add_vertex &&
                    edit[0].n_add_tet == edit[1].n_add_tet);
    CU_ASSERT(!memcmp(edit[0].add_vertex, edit[1].add_vertex,
                      (size_t)edit[0].n_add_vertex * 3 * sizeof(double)));
    CU_ASSERT(
        !memcmp(edit[0].add_tet, edit[1].add_tet, (size_t)edit[0].n_add_tet * 4 * sizeof(int32_t)));
    for (int k = 0; k < 2; k++) {
        ew_edit_free(&edit[k]);
        ew_topology_free(&topology[k]);
        ew_mesh_free(&mesh[k]);
    }
    ew_surface_free(&s);
}

/* Of the mesh's measure, with its sides: exact for a polynomial of degree
 * three, against the integral of the mass. Without noise the body is sheared, which keeps its
 * volume. */
static void test_volumes(void)
{
    ew_model *model = make_bent_model_of(0.02, &plain);
    ew_mesh_measure measure;
    ew_mesh_take_measure(ew_model_mesh(model), &measure);
    CU_ASSERT_DOUBLE_EQUAL(measure.volume, volume_of(model), 1e-14);
    ew_mesh straight = *ew_model_mesh(model);
    straight.n_curve = 0;
    ew_mesh_take_measure(&straight, &measure);
    CU_ASSERT(fabs(measure.volume - volume_of(model)) > 1e-5);
    ew_model_free(model);
    model = make_bent_model_of(0.0, &plain);
    ew_mesh_take_measure(ew_model_mesh(model), &measure);
    CU_ASSERT_DOUBLE_EQUAL(measure.volume, 0.72, 1e-14);
    ew_model_free(model);
}

/* The k-th allocation fails, for every k: no leak, and the edit stays empty. */
static void test_failing_memory(void)
{
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit = {0};
    ew_surface s = {0};
    ew_cut_def def = def_of(&s, EW_CUT_KEEP_OPEN);
    make_cube(&s);
    place_surface(&s, (double[]){1.0, 0.1, 0.2, 0.3}, 0.6, (double[]){0.2, 0.2, 0.0});
    must(ew_shape_box(&mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){2, 2, 2}));
    curve_mesh(&mesh, bend, 0.0);
    must(ew_topology_build(&topology, &mesh));
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
    ew_surface_free(&s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"flat_sides", test_flat_sides},
        {"ball", test_ball},
        {"random_places", test_random_places},
        {"far_from_curves", test_far_from_curves},
        {"size_of_sets", test_size_of_sets},
        {"means_of_sets", test_means_of_sets},
        {"volumes", test_volumes},
        {"failing_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"curved_surfaces", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
