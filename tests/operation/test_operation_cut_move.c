/* Moved cuts: how long they are moved, what stays as it is, when they are refused. */
#include "operation_body.h"

#define PI 3.14159265358979

static void cut_new(body *b, const ew_cut_def *def, ew_cut_accuracy *first)
{
    must(ew_operation_cut(&b->mesh, &b->topology, def, &b->edit, NULL));
    commit(b);
    if (first) {
        must(ew_cut_measure(&b->mesh, &b->topology, def, first));
    }
}

static ew_status move_to(body *b, const ew_cut_def *last, const ew_cut_def *def,
                         const ew_cut_accuracy *first, ew_cut_accuracy *now)
{
    return ew_operation_cut_move(&b->mesh, &b->topology, last, def, first, &b->edit, now);
}

/* A plate with a hole through it. */
static ew_cut_def make_plate(body *b, ew_cut_accuracy *first)
{
    ew_cut_def def = ew_default_cut_def();
    make_box(b, 4, 2, 0.2, 40, 20, 2);
    def.kind = EW_CUT_CYLINDER;
    def.label = 9;
    def.a[0] = def.b[0] = 1.2;
    def.a[1] = def.b[1] = 1.0;
    def.b[2] = 1.0;
    def.radius = 0.4;
    cut_new(b, &def, first);
    return def;
}

/* A hole that grows and wanders: moved as long as the tets are good, else cut from the plate again.
 * Its faces stay on the surface, flat sides flat. */
static void test_cuts_are_moved(void)
{
    body b;
    int n_moved = 0, n_cut = 0;
    ew_cut_def def = ew_default_cut_def(), last = def;
    ew_cut_accuracy first = {0};
    make_box(&b, 4, 2, 0.2, 40, 20, 2);
    for (int i = 0; i < 24; i++) {
        def.kind = EW_CUT_CYLINDER;
        def.label = 9;
        def.a[0] = def.b[0] = 1.8 + 0.02 * i;
        def.a[1] = def.b[1] = 1.0 + 0.1 * sin(0.5 * i);
        def.b[2] = 1.0;
        def.radius = 0.3 + 0.02 * i;
        const ew_status status =
            i ? ew_operation_cut_move(&b.mesh, &b.topology, &last, &def, &first, &b.edit, NULL)
              : EW_BAD_EDIT;
        if (status) {
            CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
            drop(&b);
            make_box(&b, 4, 2, 0.2, 40, 20, 2);
            cut_new(&b, &def, &first);
            n_cut++;
        } else {
            commit(&b);
            CU_ASSERT(measure(&b).min_quality >= 0.2);
            n_moved++;
        }
        const double volume = measure(&b).volume, ring = 3.14159265 * def.radius * def.radius * 0.2;
        CU_ASSERT_DOUBLE_EQUAL(volume, 1.6 - ring, 0.05 * ring);
        CU_ASSERT_DOUBLE_EQUAL(labeled_area(&b, 9), 2.0 * 3.14159265 * def.radius * 0.2,
                               0.02 * ring / 0.1);
        last = def;
    }
    CU_ASSERT(n_moved > n_cut); /* three edges of tets in its radius; at last two beside it */
    def.kind = EW_CUT_SPHERE;
    REFUSED(ew_operation_cut_move(&b.mesh, &b.topology, &last, &def, NULL, &b.edit, NULL),
            EW_BAD_EDIT, "another kind");
    drop(&b);
}

/* A quarter of a hole in the corner of a plate: the ends of its edges slide along those of the
 * plate, as it grows and as it shrinks. */
static void test_quarters_are_moved(void)
{
    body b;
    ew_cut_def def = ew_default_cut_def(), last;
    make_box(&b, 4, 2, 0.2, 40, 20, 2);
    def.kind = EW_CUT_CYLINDER;
    def.label = 9;
    def.b[2] = 1.0;
    def.radius = 0.52;
    cut_new(&b, &def, NULL);
    for (int i = 0; i < 6; i++) {
        last = def;
        def.radius += i < 3 ? 0.03 : -0.03;
        CU_ASSERT_EQUAL_FATAL(
            ew_operation_cut_move(&b.mesh, &b.topology, &last, &def, NULL, &b.edit, NULL), EW_OK);
        commit(&b);
        const double arc = 0.5 * 3.14159265 * def.radius * 0.2;
        CU_ASSERT_DOUBLE_EQUAL(measure(&b).volume, 1.6 - 0.5 * def.radius * arc, 0.01 * arc);
        CU_ASSERT_DOUBLE_EQUAL(labeled_area(&b, 9), arc, 0.01 * arc);
        for (int32_t v = 0, n = 0; v <= b.mesh.n_vertex; v++) {
            const double *x = b.mesh.xyz + 3 * (size_t)v;
            CU_ASSERT(v < b.mesh.n_vertex || n == 4);
            n += v < b.mesh.n_vertex && ew_mesh_vertex_is_active(&b.mesh, v) &&
                 (x[0] == 0.0 || x[1] == 0.0) && (x[2] == 0.0 || x[2] == 0.2) &&
                 fabs(x[0] + x[1] - def.radius) < 1e-14;
        }
    }
    drop(&b);
}

/* A slanted plane in a box: what it leaves is as much as beyond it, move by move. */
static void test_planes_are_moved(void)
{
    body b;
    ew_cut_def def = ew_default_cut_def(), last;
    make_box(&b, 1, 1, 1, 6, 6, 6);
    def.label = 9;
    def.a[0] = 0.43;
    def.b[0] = 1.0;
    def.b[1] = 0.3;
    def.b[2] = -0.2;
    cut_new(&b, &def, NULL);
    for (int i = 0; i < 5; i++) {
        last = def;
        def.a[0] += i < 3 ? 0.03 : -0.04;
        CU_ASSERT_EQUAL_FATAL(move_to(&b, &last, &def, NULL, NULL), EW_OK);
        commit(&b);
        /* x > a - 0.3 y + 0.2 z: the mean over the unit square is a - 0.05 */
        CU_ASSERT_DOUBLE_EQUAL(measure(&b).volume, 1.05 - def.a[0], 1e-13);
    }
    drop(&b);
}

/* A hole that wanders by many small steps takes as much away as it did at first: no vertex goes,
 * and those of the hole stay where they are in it. */
static void test_moves_lose_nothing(void)
{
    body b;
    ew_cut_accuracy first, now;
    ew_cut_def def = make_plate(&b, &first), last = def;
    const double removed = 1.6 - measure(&b).volume;
    const int32_t n_vertex = b.mesh.n_active_vertex;
    for (int i = 0; i < 30; i++) {
        last = def;
        def.a[0] = def.b[0] = 1.2 + 0.02 * (i + 1);
        CU_ASSERT_EQUAL_FATAL(move_to(&b, &last, &def, &first, &now), EW_OK);
        commit(&b);
        CU_ASSERT_EQUAL(b.mesh.n_active_vertex, n_vertex);
        CU_ASSERT_DOUBLE_EQUAL(1.6 - measure(&b).volume, removed, 1e-3 * removed);
        CU_ASSERT(now.quality >= 0.75 * first.quality && now.size <= 1.3 * first.size);
        CU_ASSERT_DOUBLE_EQUAL(now.missed, first.missed, 1e-3);
    }
    drop(&b);
}

/* Against the volume that is missing, and what an accuracy means. */
static void test_accuracy(void)
{
    body b;
    ew_cut_accuracy found, now;
    ew_cut_def def = make_plate(&b, &found), other = def;
    const double hole = PI * def.radius * def.radius * 0.2;
    CU_ASSERT_DOUBLE_EQUAL(found.missed, 1.0 - (1.6 - measure(&b).volume) / hole, 1e-3);
    CU_ASSERT(found.missed > 5e-3);
    CU_ASSERT_DOUBLE_EQUAL(found.radius, def.radius, 0.02 * def.radius);
    CU_ASSERT(found.size > 0.07 && found.size < 0.15);
    CU_ASSERT(found.quality > 0.5 && found.quality < 1.0);
    CU_ASSERT(found.n_coarse <= found.n_tet / 2);
    must(move_to(&b, &def, &def, &found, &now)); /* nowhere */
    CU_ASSERT_DOUBLE_EQUAL(now.missed, found.missed, 1e-12);
    CU_ASSERT_EQUAL(now.n_tet, found.n_tet);
    ew_edit_clear(&b.edit);
    other.label = 8;
    must(ew_cut_measure(&b.mesh, &b.topology, &other, &now));
    CU_ASSERT_EQUAL(now.n_tet, 0);
    drop(&b);
}

/* What was better at first is cut again. */
static void test_drift_is_refused(void)
{
    body b;
    ew_cut_accuracy first, better;
    const ew_cut_def def = make_plate(&b, &first);
    ew_cut_def to = def;
    to.a[0] = to.b[0] = 1.21;
    better = first;
    better.size /= 1.4;
    REFUSED(move_to(&b, &def, &to, &better, NULL), EW_BAD_EDIT, "1.3 times those when it was cut");
    better = first;
    better.quality /= 0.7;
    REFUSED(move_to(&b, &def, &to, &better, NULL), EW_BAD_EDIT, "a mean quality of");
    better = first;
    better.missed -= 0.004;
    REFUSED(move_to(&b, &def, &to, &better, NULL), EW_BAD_EDIT, "more of the volume than");
    to = def;
    to.radius = 0.44; /* tets as small as at a radius half as large would miss less of it */
    better = first;
    better.radius /= 2.0;
    REFUSED(move_to(&b, &def, &to, &better, NULL), EW_BAD_EDIT, "more of the volume than");
    must(move_to(&b, &def, &to, &first, NULL));
    drop(&b);
}

/* What a move would uncover is an extension of what is there, or the body is to be cut again. */
static void test_uncovered(void)
{
    body b;
    ew_cut_def from = ew_default_cut_def(), to;
    make_box(&b, 1, 1, 1, 5, 5, 5);
    from.keep = EW_CUT_KEEP_INSIDE;
    from.a[0] = 0.7;
    from.b[0] = 1.0;
    from.b[1] = 0.3;
    to = from;
    to.a[0] = 0.99; /* x < 0.99 - 0.3 y */
    must(ew_cut_check_move(&b.mesh, &b.topology, &from, &to));
    to.a[0] = 1.02; /* beyond the edge x = 1, y = 0 with its ends */
    REFUSED(ew_cut_check_move(&b.mesh, &b.topology, &from, &to), EW_BAD_EDIT, "at (1, 0, ");
    must(ew_cut_check_move(&b.mesh, &b.topology, &to, &from)); /* it cuts that off */
    from.keep = to.keep = EW_CUT_KEEP_BOTH;
    must(ew_cut_check_move(&b.mesh, &b.topology, &from, &to));
    from.keep = to.keep = EW_CUT_KEEP_OUTSIDE; /* a quarter of a hole around an edge */
    from.kind = to.kind = EW_CUT_CYLINDER;
    memset(from.a, 0, sizeof from.a);
    memset(from.b, 0, sizeof from.b);
    from.b[2] = 1.0;
    from.radius = 0.7;
    to = from;
    to.radius = 0.3;
    must(ew_cut_check_move(&b.mesh, &b.topology, &from, &to));
    to.a[0] = to.b[0] = 0.5; /* the edge is there again */
    REFUSED(ew_cut_check_move(&b.mesh, &b.topology, &from, &to), EW_BAD_EDIT, "at (0, 0, ");
    drop(&b);
}

/* Slits, and what has a region inside, are not moved. */
static void test_not_moved(void)
{
    body b;
    ew_cut_def def = ew_default_cut_def();
    make_box(&b, 1, 1, 1, 4, 4, 4);
    def.b[0] = 1.0;
    def.a[0] = 0.4;
    def.keep = EW_CUT_KEEP_OPEN;
    REFUSED(ew_operation_cut_move(&b.mesh, &b.topology, &def, &def, NULL, &b.edit, NULL),
            EW_UNSUPPORTED, "a slit cannot be moved; cut again");
    def.keep = EW_CUT_KEEP_BOTH;
    def.has_region = true;
    REFUSED(ew_operation_cut_move(&b.mesh, &b.topology, &def, &def, NULL, &b.edit, NULL),
            EW_UNSUPPORTED, "cut again");
    def.kind = EW_CUT_SURFACE;
    REFUSED(ew_operation_cut_move(&b.mesh, &b.topology, &def, &def, NULL, &b.edit, NULL),
            EW_UNSUPPORTED, "a surface file cut cannot be moved");
    drop(&b);
}

/* The k-th allocation fails, for every k. */
static void test_failing_memory(void)
{
    body b;
    ew_cut_accuracy first, now;
    const ew_cut_def def = make_plate(&b, &first);
    ew_cut_def to = def;
    to.radius = 0.41;
    ew_status status = EW_NO_MEMORY;
    for (int64_t k = 0; status == EW_NO_MEMORY; k++) {
        ew_test_allocations_begin(k);
        status = ew_cut_measure(&b.mesh, &b.topology, &def, &now);
        status = status ? status : move_to(&b, &def, &to, &first, &now);
        ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && is_empty(&b.edit)));
    }
    CU_ASSERT_EQUAL(status, EW_OK);
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cut_moved", test_cuts_are_moved},
        {"cut_quarters_moved", test_quarters_are_moved},
        {"cut_planes_moved", test_planes_are_moved},
        {"cut_moves_lose_nothing", test_moves_lose_nothing},
        {"cut_accuracy", test_accuracy},
        {"cut_drift", test_drift_is_refused},
        {"cut_uncovered", test_uncovered},
        {"cut_not_moved", test_not_moved},
        {"cut_move_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"cut", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
