/* Cuts along closed surfaces: sides add up, flat-sided ones are exact with their edges and corners,
 * curved ones near, and what is no surface to cut along is refused in one line. EW_TEST_CUTS: how
 * many of each kind. */
#include "operation_body.h"
#include "surface_shapes.h"

static double random_in(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)ew_test_random(state, 1u << 30) / (double)(1u << 30);
}

typedef struct tally {
    int n, n_refused, n_low, n_welded, n_crossed, n_touched;
    double least, off, seconds;
} tally;

/* Returns the volume; < 0: refused. */
static double cut_box(const ew_surface *surface, ew_cut_keep keep, int32_t cells, tally *sum)
{
    body b;
    ew_cut_report report = {0};
    ew_cut_def def = ew_default_cut_def();
    double volume = -1.0;
    def.kind = EW_CUT_SURFACE;
    def.surface = surface;
    def.keep = keep;
    def.label = 9;
    make_box(&b, 1, 1, 1, cells, cells, cells);
    const double start = ew_seconds();
    const ew_status status = ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, &report);
    sum->seconds += ew_seconds() - start;
    sum->n++;
    if (status) {
        CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
        CU_ASSERT(is_empty(&b.edit));
        sum->n_refused++;
        if (getenv("EW_TEST_CUTS")) {
            printf("\n%s", ew_message());
        }
    } else {
        commit(&b);
        const ew_mesh_measure after = measure(&b);
        CU_ASSERT(report.least >= def.floor && after.min_quality >= def.floor);
        sum->least = fmin(sum->least, report.least);
        sum->n_low += report.least < 0.2;
        sum->n_welded += report.n_welded;
        sum->n_crossed += report.n_crossed;
        sum->n_touched += report.n_made + report.n_moved;
        volume = after.volume;
    }
    drop(&b);
    return volume;
}

static void report_tally(const char *what, const tally *sum)
{
    if (getenv("EW_TEST_CUTS")) {
        printf("\n  %s: %d cuts, %d refused, %d below 0.2, least %.3g, %d welded, off %.2g, per "
               "crossed tet %.2f touched and %.1f us\n",
               what, sum->n, sum->n_refused, sum->n_low, sum->least, sum->n_welded, sum->off,
               (double)sum->n_touched / sum->n_crossed, 1e6 * sum->seconds / sum->n_crossed);
    }
}

static int n_cuts(void)
{
    const char *given = getenv("EW_TEST_CUTS");
    return given ? atoi(given) : 8;
}

static void place_at_random(ew_surface *s, uint64_t *state, double low, double high)
{
    double q[4], to[3];
    for (int i = 0; i < 4; i++) {
        q[i] = random_in(state, -1, 1);
    }
    for (int i = 0; i < 3; i++) {
        to[i] = random_in(state, 0.4, 0.6);
    }
    place_surface(s, q, random_in(state, low, high), to);
}

/* Both sides and the whole; off: from the enclosed volume, as a share of it. */
static void check_sides(const ew_surface *s, int32_t cells, double exact, tally *sum)
{
    const double enclosed = enclosed_volume(s);
    for (int keep = 0; keep < 3; keep++) {
        const double volume = cut_box(s, (ew_cut_keep)keep, cells, sum);
        const double wanted = keep == 0 ? enclosed : keep == 1 ? 1.0 - enclosed : 1.0;
        const double off = volume < 0.0 ? 0.0 : fabs(volume - wanted) / enclosed;
        sum->off = fmax(sum->off, off);
        CU_ASSERT(off < exact);
    }
}

static void test_cubes(void)
{
    uint64_t state = 3;
    tally sum = {.least = 1.0};
    for (int i = 0; i < n_cuts(); i++) {
        ew_surface s;
        make_cube(&s);
        place_at_random(&s, &state, 0.15, 0.22);
        check_sides(&s, 10, 1e-11, &sum);
        ew_surface_free(&s);
    }
    CU_ASSERT(sum.n_refused == 0);
    report_tally("cubes", &sum);
}

static void test_tetrahedra(void)
{
    uint64_t state = 4;
    tally sum = {.least = 1.0};
    for (int i = 0; i < n_cuts(); i++) {
        ew_surface s;
        make_tetrahedron(&s);
        place_at_random(&s, &state, 0.18, 0.22);
        check_sides(&s, 10, 1e-11, &sum);
        ew_surface_free(&s);
    }
    report_tally("tetrahedra", &sum);
}

static void test_corners(void)
{
    uint64_t state = 5;
    tally sum = {.least = 1.0};
    for (int i = 0; i < n_cuts(); i++) {
        ew_surface s;
        make_corner_surface(&s);
        place_at_random(&s, &state, 0.18, 0.22);
        check_sides(&s, 12, 1e-11, &sum);
        ew_surface_free(&s);
    }
    report_tally("inner edges", &sum);
}

static void test_balls(void)
{
    uint64_t state = 6;
    tally sum = {.least = 1.0};
    for (int i = 0; i < n_cuts(); i++) {
        ew_surface s;
        make_ball_surface(&s, 3);
        place_at_random(&s, &state, 0.25, 0.35);
        check_sides(&s, 10, 0.08, &sum);
        ew_surface_free(&s);
    }
    report_tally("balls", &sum);
}

static void test_cylinders(void)
{
    uint64_t state = 7;
    tally sum = {.least = 1.0};
    for (int i = 0; i < n_cuts(); i++) {
        ew_surface s;
        make_cylinder_surface(&s, 48);
        place_at_random(&s, &state, 0.18, 0.25);
        check_sides(&s, 10, 0.08, &sum);
        ew_surface_free(&s);
    }
    report_tally("cylinders", &sum);
}

/* Faces of the cut by the axis that they look along; those of a cube that is not turned. */
static void test_edges_stay(void)
{
    body b;
    ew_surface s;
    ew_cut_report report;
    ew_cut_def def = ew_default_cut_def();
    const double q[4] = {1, 0, 0, 0}, to[3] = {0.51, 0.52, 0.47};
    double area[4] = {0.0};
    make_cube(&s);
    place_surface(&s, q, 0.3, to);
    def.kind = EW_CUT_SURFACE;
    def.surface = &s;
    def.label = 9;
    make_box(&b, 1, 1, 1, 9, 9, 9);
    CU_ASSERT_EQUAL_FATAL(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, &report), EW_OK);
    CU_ASSERT_EQUAL(report.n_patch, 6);
    CU_ASSERT_EQUAL(report.n_turned, 0);
    commit(&b);
    for (int32_t f = 0; f < b.mesh.n_face; f++) {
        const int32_t *v = b.mesh.face + 3 * (size_t)f;
        if (!ew_mesh_face_is_kept(&b.mesh, f) || b.mesh.face_label[f] != 9) {
            continue;
        }
        int axis = 3;
        for (int i = 0; i < 3; i++) {
            const double off = fabs(b.mesh.xyz[3 * v[0] + i] - to[i]);
            bool flat = fabs(off - 0.3) < 1e-12;
            for (int k = 1; k < 3; k++) {
                flat = flat && fabs(b.mesh.xyz[3 * v[k] + i] - b.mesh.xyz[3 * v[0] + i]) < 1e-12;
            }
            axis = flat ? i : axis;
        }
        double n[3], e[6];
        for (int i = 0; i < 6; i++) {
            e[i] = b.mesh.xyz[3 * v[1 + i / 3] + i % 3] - b.mesh.xyz[3 * v[0] + i % 3];
        }
        for (int i = 0; i < 3; i++) {
            n[i] = e[(i + 1) % 3] * e[3 + (i + 2) % 3] - e[(i + 2) % 3] * e[3 + (i + 1) % 3];
        }
        area[axis] += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_DOUBLE_EQUAL(area[i], 2.0 * 0.36, 1e-12);
    }
    CU_ASSERT_EQUAL(area[3], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(measure(&b).volume, 1.0 - 0.216, 1e-13);
    ew_surface_free(&s);
    drop(&b);
}

/* A shell in another one bounds a cavity, whichever way both look. */
static void test_shells_are_turned(void)
{
    const double q[4] = {1, 0.1, 0.2, 0.3}, to[3] = {0.5, 0.5, 0.5};
    tally sum = {.least = 1.0};
    for (int turned = 0; turned < 4; turned++) {
        ew_surface outer, inner;
        make_cube(&outer);
        make_cube(&inner);
        place_surface(&outer, q, 0.3, to);
        place_surface(&inner, q, 0.12, to);
        if (turned & 1) {
            turn_surface(&outer);
        }
        if (turned & 2) {
            turn_surface(&inner);
        }
        add_surface(&outer, &inner);
        const double volume = cut_box(&outer, EW_CUT_KEEP_INSIDE, 12, &sum);
        CU_ASSERT_DOUBLE_EQUAL(volume, 8.0 * (0.3 * 0.3 * 0.3 - 0.12 * 0.12 * 0.12), 1e-12);
        ew_surface_free(&outer);
        ew_surface_free(&inner);
    }
}

/* A surface that reaches out of the body, and one with faces in the body's own. */
static void test_notches(void)
{
    const double q[4] = {1, 0, 0, 0}, to[3] = {1.0, 0.5, 0.7}, skew[4] = {1, 0.2, 0, 0};
    tally sum = {.least = 1.0};
    for (int i = 0; i < 3; i++) {
        ew_surface s;
        make_cube(&s);
        place_surface(&s, i == 1 ? skew : q, 0.3, to);
        const double volume = cut_box(&s, EW_CUT_KEEP_OUTSIDE, 8, &sum);
        CU_ASSERT_DOUBLE_EQUAL(volume, i == 1 ? volume : 1.0 - 0.3 * 0.6 * 0.6, 1e-12);
        CU_ASSERT(volume > 0.8 && volume < 0.95);
        ew_surface_free(&s);
    }
}

/* One side of a cube becomes a slit, or all of them: then what is inside is separate. */
static void test_slits(void)
{
    const double q[4] = {1, 0, 0, 0}, to[3] = {0.5, 0.52, 0.47};
    int32_t n_component, component[40000];
    for (int whole = 0; whole < 2; whole++) {
        body b;
        ew_surface s;
        ew_cut_def def = ew_default_cut_def();
        make_cube(&s);
        place_surface(&s, q, 0.3, to);
        make_box(&b, 1, 1, 1, 9, 9, 9);
        def.kind = EW_CUT_SURFACE;
        def.surface = &s;
        def.label = 9;
        def.keep = EW_CUT_KEEP_OPEN;
        def.low[2] = whole ? -1.0 : 0.769;
        CU_ASSERT_EQUAL_FATAL(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_OK);
        commit(&b);
        CU_ASSERT_FATAL(b.mesh.n_tet <= 40000);
        CU_ASSERT_EQUAL_FATAL(ew_topology_components(&b.topology, &b.mesh, component, &n_component),
                              EW_OK);
        CU_ASSERT_EQUAL(n_component, 1 + whole);
        CU_ASSERT_DOUBLE_EQUAL(measure(&b).volume, 1.0, 1e-13);
        const double flanks = boundary_area(&b) - 6.0;
        CU_ASSERT_DOUBLE_EQUAL(flanks, (whole ? 12.0 : 2.0) * 0.36, whole ? 1e-11 : 0.1);
        ew_surface_free(&s);
        drop(&b);
    }
}

static void refuse(const ew_surface *s, ew_status status, const char *words)
{
    body b;
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 4, 4, 4);
    def.kind = EW_CUT_SURFACE;
    def.surface = s;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), status, words);
    drop(&b);
}

static void test_refusals(void)
{
    const double q[4] = {1, 0.3, 0.2, 0}, at[3] = {0.5, 0.5, 0.5}, off[3] = {0.6, 0.5, 0.5};
    const double far[3] = {5, 5, 5};
    ew_surface s, other;
    make_cube(&s);
    place_surface(&s, q, 0.25, at);
    s.n_triangle--;
    refuse(&s, EW_BAD_INPUT, "surface is open");
    s.n_triangle++;
    const int32_t swap = s.triangle[0];
    s.triangle[0] = s.triangle[1];
    s.triangle[1] = swap;
    refuse(&s, EW_BAD_INPUT, "not oriented alike");
    s.triangle[1] = s.triangle[0];
    refuse(&s, EW_BAD_INPUT, "names a vertex twice");
    s.triangle[0] = swap;
    s.xyz[4] = NAN;
    refuse(&s, EW_BAD_ARGUMENT, "a vertex of the surface");
    ew_surface_free(&s);
    make_cube(&s);
    place_surface(&s, q, 0.25, at);
    make_cube(&other);
    place_surface(&other, q, 0.25, off);
    add_surface(&s, &other);
    refuse(&s, EW_BAD_INPUT, "meets itself");
    ew_surface_free(&other);
    ew_surface_free(&s);
    make_cube(&s);
    place_surface(&s, q, 0.25, far);
    refuse(&s, EW_BAD_EDIT, "no vertex of the body is inside the surface");
    place_surface(&s, q, 100.0, (double[3]){-500, -500, -500});
    refuse(&s, EW_BAD_EDIT, "misses the body");
    place_surface(&s, q, 1e-5, at);
    refuse(&s, EW_BAD_EDIT, "check its place and size");
    place_surface(&s, q, 0.0, at);
    refuse(&s, EW_BAD_INPUT, "has the size 0");
    s.n_triangle = 0;
    refuse(&s, EW_BAD_INPUT, "no triangles");
    ew_surface_free(&s);
    refuse(NULL, EW_BAD_ARGUMENT, "no surface");
}

/* The k-th allocation fails, for every k: no leak, and the edit stays empty. */
static void test_failing_memory(void)
{
    body b;
    ew_surface s;
    ew_cut_def def = ew_default_cut_def();
    const double q[4] = {1, 0.3, 0.2, 0}, at[3] = {0.1, 0.1, 0.1};
    make_tetrahedron(&s);
    place_surface(&s, q, 0.5, at);
    def.kind = EW_CUT_SURFACE;
    def.surface = &s;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    ew_status status = EW_NO_MEMORY;
    for (int64_t k = 0; status == EW_NO_MEMORY; k++) {
        ew_test_allocations_begin(k);
        status = ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL);
        ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && is_empty(&b.edit)));
    }
    CU_ASSERT_EQUAL(status, EW_OK);
    ew_surface_free(&s);
    drop(&b);
}

/* The triangle of a cube that is nearest to a point inside lies on the side that its largest
 * coordinate tells; without triangles there is none. */
static void test_nearest(void)
{
    enum { N_POINT = 200 };
    const ew_surface none = {0};
    ew_surface s;
    uint64_t state = 5;
    double point[3 * N_POINT];
    int32_t found[N_POINT];
    make_cube(&s);
    for (int i = 0; i < 3 * N_POINT; i++) {
        point[i] = random_in(&state, -1.0, 1.0);
    }
    CU_ASSERT_EQUAL(ew_surface_find_nearest(&s, N_POINT, point, found), EW_OK);
    for (int i = 0; i < N_POINT; i++) {
        const double *x = point + 3 * (size_t)i;
        const int32_t *corner = s.triangle + 3 * (size_t)found[i];
        int axis = 0;
        for (int c = 1; c < 3; c++) {
            axis = fabs(x[c]) > fabs(x[axis]) ? c : axis;
        }
        for (int k = 0; k < 3; k++) {
            CU_ASSERT_EQUAL(s.xyz[3 * (size_t)corner[k] + (size_t)axis], x[axis] > 0 ? 1.0 : -1.0);
        }
    }
    CU_ASSERT_EQUAL(ew_surface_find_nearest(&none, 1, point, found), EW_BAD_ARGUMENT);
    ew_surface_free(&s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"nearest_triangles", test_nearest},
        {"cut_cubes", test_cubes},
        {"cut_tetrahedra", test_tetrahedra},
        {"cut_corners", test_corners},
        {"cut_balls", test_balls},
        {"cut_cylinders", test_cylinders},
        {"cut_edges_stay", test_edges_stay},
        {"cut_shells", test_shells_are_turned},
        {"cut_notches", test_notches},
        {"cut_surface_slits", test_slits},
        {"cut_surface_refusals", test_refusals},
        {"cut_surface_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"cut_surface", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
