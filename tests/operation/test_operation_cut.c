/* Cuts along planes, spheres, cylinders and cones: what they leave is sound, conforming and good
 * enough, volumes add up, flat sides stay flat and keep their labels. EW_TEST_CUTS: how many of
 * each kind. */
#include "operation_body.h"

#include <stdlib.h>

static double random_in(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)ew_test_random(state, 1u << 30) / (double)(1u << 30);
}

/* Through the inner part of the box, in any direction. */
static ew_cut_def random_cut(uint64_t *state, const double size[3], ew_cut_kind kind)
{
    ew_cut_def def = ew_default_cut_def();
    const double longest = fmax(size[0], fmax(size[1], size[2]));
    def.kind = kind;
    def.label = 9;
    for (int i = 0; i < 3; i++) {
        def.a[i] = random_in(state, 0.2, 0.8) * size[i];
        def.b[i] = random_in(state, -1.0, 1.0) + (kind == EW_CUT_PLANE ? 0.0 : def.a[i]);
    }
    def.radius = random_in(state, 0.25, 0.5) * longest;
    def.radius_to = random_in(state, 0.25, 0.5) * longest;
    return def;
}

typedef struct tally {
    int n, n_refused, n_low, n_crossed, n_touched;
    double least, seconds;
} tally;

/* Returns the volume after it; < 0: refused, by a line that says where and what to do. */
static double cut_and_check(body *b, const ew_cut_def *def, tally *sum)
{
    ew_cut_report report = {0};
    const double start = ew_seconds();
    const ew_status status = ew_operation_cut(&b->mesh, &b->topology, def, &b->edit, &report);
    sum->seconds += ew_seconds() - start;
    sum->n++;
    if (status) {
        CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
        CU_ASSERT(strstr(ew_message(), "refine") || strstr(ew_message(), "misses"));
        CU_ASSERT(is_empty(&b->edit));
        sum->n_refused++;
        return -1.0;
    }
    commit(b);
    const ew_mesh_measure after = measure(b);
    CU_ASSERT(report.least >= def->floor && after.min_quality >= def->floor);
    sum->least = fmin(sum->least, report.least);
    sum->n_low += report.least < 0.2;
    sum->n_crossed += report.n_crossed;
    sum->n_touched += report.n_made + report.n_moved;
    return after.volume;
}

/* The same cut three times: its sides add up to the whole. */
static void check_sides(const double size[3], const int32_t cells[3], ew_cut_def def, tally *sum)
{
    double volume[3], area = 0.0;
    for (int keep = 0; keep < 3; keep++) {
        body b;
        make_box(&b, size[0], size[1], size[2], cells[0], cells[1], cells[2]);
        def.keep = (ew_cut_keep)keep;
        volume[keep] = cut_and_check(&b, &def, sum);
        if (volume[keep] > 0.0 && def.kind == EW_CUT_PLANE) {
            const double here = labeled_area(&b, 9);
            CU_ASSERT(area == 0.0 || fabs(here - area) < 1e-9 * area);
            area = here;
        }
        drop(&b);
    }
    const double whole = size[0] * size[1] * size[2];
    CU_ASSERT(volume[2] < 0.0 || fabs(volume[2] - whole) < 1e-13 * whole);
    if (volume[0] > 0.0 &&
        volume[1] > 0.0) { /* curved surfaces are meshed twice, each in its way */
        const double off = def.kind == EW_CUT_PLANE ? 1e-13 : 2e-3;
        CU_ASSERT(fabs(volume[0] + volume[1] - whole) < off * whole);
    }
}

static int n_cuts(void)
{
    const char *given = getenv("EW_TEST_CUTS");
    return given ? atoi(given) : 12;
}

static void report_tally(const char *what, const tally *sum)
{
    if (getenv("EW_TEST_CUTS")) {
        printf(
            "\n  %s: %d cuts, %d refused, %d below 0.2, least %.3g, per crossed tet %.2f touched "
            "and %.1f us\n",
            what, sum->n, sum->n_refused, sum->n_low, sum->least,
            (double)sum->n_touched / sum->n_crossed, 1e6 * sum->seconds / sum->n_crossed);
    }
}

static void test_cuts_of_boxes(void)
{
    static const char *const name[] = {"plane", "sphere", "cylinder", "cone"};
    const double size[3] = {1, 1, 1};
    uint64_t state = 5;
    int n = 0, n_bad = 0;
    for (int kind = EW_CUT_PLANE; kind <= EW_CUT_CONE; kind++) {
        tally sum = {.least = 1.0};
        for (int i = 0; i < n_cuts(); i++) {
            check_sides(size, (int32_t[3]){8, 8, 8}, random_cut(&state, size, (ew_cut_kind)kind),
                        &sum);
        }
        report_tally(name[kind], &sum);
        n += sum.n;
        n_bad += sum.n_refused + sum.n_low;
        CU_ASSERT(sum.n_touched < 5 * sum.n_crossed);
    }
    CU_ASSERT(50 * n_bad <= 2 * n); /* 4 %: the numbers are few */
}

static void test_cuts_of_plates(void)
{
    const double size[3] = {4, 2, 0.2};
    uint64_t state = 9;
    tally sum = {.least = 1.0};
    for (int i = 0; i < n_cuts(); i++) {
        ew_cut_def def = random_cut(&state, size, EW_CUT_PLANE);
        def.b[2] *= 0.3;
        check_sides(size, (int32_t[3]){40, 20, 2}, def, &sum);
    }
    for (int i = 0; i < n_cuts(); i++) {
        ew_cut_def def = random_cut(&state, size, EW_CUT_CYLINDER);
        memcpy(def.b, def.a, sizeof def.b);
        def.b[2] += 1.0;
        def.radius = random_in(&state, 0.35, 0.9);
        check_sides(size, (int32_t[3]){40, 20, 2}, def, &sum);
    }
    report_tally("plates", &sum);
    CU_ASSERT(50 * (sum.n_refused + sum.n_low) <= 2 * sum.n);
}

/* A plane that goes through no corner's surroundings leaves exactly the volume beyond it. */
static void test_plane_is_exact(void)
{
    body b;
    tally sum = {.least = 1.0};
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 6, 6, 6);
    def.label = 9;
    def.a[0] = 0.43;
    def.b[0] = 1.0;
    def.b[1] = 0.3;
    def.b[2] = -0.2;
    /* x > 0.43 - 0.3 y + 0.2 z: the mean over the unit square is 0.38 */
    const double volume = cut_and_check(&b, &def, &sum);
    CU_ASSERT_DOUBLE_EQUAL(volume, 1.0 - 0.38, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(labeled_area(&b, 9), sqrt(1.0 + 0.09 + 0.04), 1e-12);
    drop(&b);
}

/* Through a plane of vertices: no tet is split. */
static void test_plane_along_faces(void)
{
    body b;
    tally sum = {.least = 1.0};
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 4, 4, 4);
    def.a[0] = 0.5;
    def.b[0] = 1.0;
    def.label = 9;
    def.keep = EW_CUT_KEEP_INSIDE;
    const int32_t n_vertex = b.mesh.n_vertex;
    CU_ASSERT_DOUBLE_EQUAL(cut_and_check(&b, &def, &sum), 0.5, 1e-14);
    CU_ASSERT_EQUAL(b.mesh.n_vertex, n_vertex);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 4 * 4 * 2 * 6);
    CU_ASSERT_DOUBLE_EQUAL(labeled_area(&b, 9), 1.0, 1e-14);
    drop(&b);
}

/* Tets that were worse before are no matter: none is made here. */
static void test_floor_is_of_new_tets(void)
{
    body b;
    ew_cut_report report;
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 4, 4, 4);
    def.a[0] = 0.5;
    def.b[0] = 1.0;
    def.floor = 0.89;
    CU_ASSERT_EQUAL(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, &report), EW_OK);
    CU_ASSERT(report.least < 0.89 && report.n_made + report.n_moved == 0);
    drop(&b);
}

/* A slit from one side to the middle: two flanks, no volume lost, the body in one piece. */
static void test_slit(void)
{
    body b;
    tally sum = {.least = 1.0};
    ew_cut_def def = ew_default_cut_def();
    int32_t n_component, component[20000];
    def.b[2] = 1.0;
    def.a[2] = 0.47;
    def.label = 9;
    def.keep = EW_CUT_KEEP_OPEN;
    for (int whole = 0; whole < 2; whole++) {
        make_box(&b, 1, 1, 1, 6, 6, 6);
        def.high[0] = whole ? INFINITY : 0.51;
        CU_ASSERT_DOUBLE_EQUAL(cut_and_check(&b, &def, &sum), 1.0, 1e-13);
        CU_ASSERT_FATAL(b.mesh.n_tet <= 20000);
        CU_ASSERT_EQUAL(ew_topology_components(&b.topology, &b.mesh, component, &n_component),
                        EW_OK);
        CU_ASSERT_EQUAL(n_component, 1 + whole);
        const double flanks = boundary_area(&b) - 6.0;
        CU_ASSERT(whole ? fabs(flanks - 2.0) < 1e-12 : flanks > 0.8 && flanks < 1.05);
        CU_ASSERT_DOUBLE_EQUAL(labeled_area(&b, 9), whole ? 2.0 : 1.0 + 0.5 * flanks, 1e-12);
        drop(&b);
    }
    make_box(&b, 1, 1, 1, 6, 6, 6);
    def.high[0] = 0.01;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_EDIT,
            "no face of the surface");
    drop(&b);
}

static double volume_of_region(const ew_mesh *mesh, int32_t label)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && mesh->region_label[mesh->region[t]] == label) {
            sum += ew_mesh_tet_volume(mesh, t);
        }
    }
    return sum;
}

/* What lies inside gets a region of its own, far from the surface, too; what lies outside keeps its
 * tets. */
static void test_region_inside(void)
{
    for (int keep = EW_CUT_KEEP_BOTH; keep <= EW_CUT_KEEP_OPEN; keep++) {
        body b;
        tally sum = {.least = 1.0};
        ew_cut_def def = ew_default_cut_def();
        make_box(&b, 1, 1, 1, 8, 8, 8);
        const int64_t last = b.mesh.tet_id[b.mesh.n_tet - 1];
        def.a[0] = 0.43;
        def.b[0] = 1.0;
        def.keep = (ew_cut_keep)keep;
        def.has_region = true;
        def.region = 7;
        CU_ASSERT_DOUBLE_EQUAL(cut_and_check(&b, &def, &sum), 1.0, 1e-13);
        CU_ASSERT_DOUBLE_EQUAL(volume_of_region(&b.mesh, 7), 0.43, 1e-13);
        CU_ASSERT_DOUBLE_EQUAL(volume_of_region(&b.mesh, b.mesh.region_label[0]), 0.57, 1e-13);
        int32_t n_far = 0;
        for (int32_t t = 0; t < b.mesh.n_tet; t++) {
            double x[3];
            centroid(&b.mesh, t, x);
            n_far += ew_mesh_tet_is_live(&b.mesh, t) && x[0] > 0.8 && b.mesh.tet_id[t] <= last;
        }
        CU_ASSERT(n_far > 400);
        def.a[0] = 0.2; /* a part of it goes to another one */
        def.region = 8;
        def.keep = EW_CUT_KEEP_BOTH;
        CU_ASSERT_DOUBLE_EQUAL(cut_and_check(&b, &def, &sum), 1.0, 1e-13);
        CU_ASSERT_DOUBLE_EQUAL(volume_of_region(&b.mesh, 7), 0.23, 1e-13);
        CU_ASSERT_DOUBLE_EQUAL(volume_of_region(&b.mesh, 8), 0.2, 1e-13);
        def.keep = EW_CUT_KEEP_INSIDE;
        REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_ARGUMENT,
                "needs both sides");
        drop(&b);
    }
}

/* Where a radius is below three edges the report says so. */
static void test_coarse_radius(void)
{
    body b;
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 8, 8, 8); /* edges of 0.125 and diagonals: 0.156 in the mean */
    def.kind = EW_CUT_SPHERE;
    def.a[0] = def.a[1] = def.a[2] = 0.5;
    for (int i = 0; i < 2; i++) {
        ew_cut_report report;
        def.radius = i ? 0.49 : 0.44;
        CU_ASSERT_EQUAL_FATAL(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, &report),
                              EW_OK);
        ew_edit_clear(&b.edit);
        CU_ASSERT_EQUAL(report.n_coarse, i ? 0 : report.n_crossed);
        CU_ASSERT(i ? isinf(report.coarsest) : fabs(report.coarsest - 0.44 / report.size) < 1e-9);
    }
    def.kind = EW_CUT_CONE; /* it narrows within the body */
    def.b[0] = 1.0;
    def.b[1] = def.b[2] = 0.5;
    def.radius = 0.3;
    def.radius_to = 0.6;
    ew_cut_report report;
    CU_ASSERT_EQUAL_FATAL(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, &report), EW_OK);
    CU_ASSERT(report.n_coarse > 0 && report.n_coarse < report.n_crossed);
    drop(&b);
}

static void test_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 3, 3, 3);
    ew_cut_def def = ew_default_cut_def();
    def.b[0] = 1.0;
    def.a[0] = 1.5;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_EDIT,
            "misses the body, which lies inside");
    def.a[0] = 1.0; /* touches it */
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_EDIT, "misses");
    def.b[0] = 0.0;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_ARGUMENT,
            "normal has length 0");
    def.b[0] = NAN;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_ARGUMENT, "normal");
    def.kind = EW_CUT_SPHERE;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_ARGUMENT,
            "radius is 0");
    def.kind = EW_CUT_CYLINDER;
    memcpy(def.b, def.a, sizeof def.b);
    def.radius = 1.0;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_ARGUMENT,
            "axis has length 0");
    def.kind = EW_CUT_SPHERE;
    def.a[0] = def.a[1] = def.a[2] = 0.5;
    def.radius = 0.1;
    def.floor = 1.5;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_ARGUMENT,
            "floor is 1.5");
    def.floor = 0.9;
    def.radius = 0.4;
    REFUSED(ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL), EW_BAD_EDIT,
            "below the floor of 0.9");
    drop(&b);
}

/* The k-th allocation fails, for every k: no leak, and the edit stays empty. */
static void test_failing_memory(void)
{
    body b;
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 2, 2, 2);
    def.kind = EW_CUT_SPHERE;
    def.radius = 0.7;
    ew_status status = EW_NO_MEMORY;
    for (int64_t k = 0; status == EW_NO_MEMORY; k++) {
        ew_test_allocations_begin(k);
        status = ew_operation_cut(&b.mesh, &b.topology, &def, &b.edit, NULL);
        ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && is_empty(&b.edit)));
    }
    CU_ASSERT_EQUAL(status, EW_OK);
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cut_boxes", test_cuts_of_boxes},
        {"cut_plates", test_cuts_of_plates},
        {"cut_plane_is_exact", test_plane_is_exact},
        {"cut_along_faces", test_plane_along_faces},
        {"cut_floor", test_floor_is_of_new_tets},
        {"cut_slit", test_slit},
        {"cut_region", test_region_inside},
        {"cut_coarse", test_coarse_radius},
        {"cut_refusals", test_refusals},
        {"cut_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"cut", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
