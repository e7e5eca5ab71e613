/* Cuts that touch: surfaces tangent to faces, through corners, along the body's own faces, a hair's
 * breadth beside them, the same surface twice, all of the body on one side, many pieces. Each is
 * made, with a sound mesh, the right volume and blocks as a rebuild has them, or refused in one
 * line that leaves the edit empty. */
#include "surface_shapes.h"
#include "trial_body.h"

enum { DONE, REFUSED, EITHER };

static void start_box(trial_body *b, int32_t cells)
{
    *b = (trial_body){.name = "box", .is_flat = true};
    must(ew_shape_box(&b->mesh, (double[3]){1, 1, 1}, (int32_t[3]){cells, cells, cells}));
    trial_prepare(b);
}

/* Volume after it; < 0: refused. */
static double cut(trial_body *b, const ew_cut_def *def, const char *what)
{
    ew_cut_report report = {0};
    ew_mesh_measure after;
    const ew_status status = ew_operation_cut(&b->mesh, &b->topology, def, &b->edit, &report);
    if (status) {
        const char *line = ew_message();
        CU_ASSERT(status == EW_BAD_EDIT || status == EW_BAD_INPUT || status == EW_BAD_ARGUMENT);
        CU_ASSERT(trial_is_empty(&b->edit));
        CU_ASSERT(!strncmp(line, "cut: ", 5) && !strchr(line, '\n') && strlen(line) < 240);
        if (getenv("EW_TRIALS")) {
            printf("\n  %s, keep %d: %s", what, (int)def->keep, line);
        }
        return -1.0;
    }
    trial_commit(b, true);
    ew_mesh_take_measure(&b->mesh, &after);
    CU_ASSERT(report.least >= def->floor);
    if (getenv("EW_TRIALS")) {
        printf("\n  %s, keep %d: %d crossed, volume %.17g, least %.3g", what, (int)def->keep,
               (int)report.n_crossed, after.volume, report.least);
    }
    return after.volume;
}

/* Every way to keep; inside: what lies there, < 0: not known. */
static void cut_each_way(const trial_body *base, ew_cut_def def, const char *what, int wanted,
                         double inside, double near)
{
    trial_body b = {0};
    def.label = 9;
    for (int keep = 0; keep < 4; keep++) {
        trial_copy(&b, base);
        def.keep = (ew_cut_keep)keep;
        const double volume = cut(&b, &def, what);
        const double right = keep == 0 ? inside : keep == 1 ? base->volume - inside : base->volume;
        CU_ASSERT(wanted == EITHER || (volume < 0.0) == (wanted == REFUSED));
        CU_ASSERT(volume < 0.0 || (inside < 0.0 && keep < 2) || (keep >= 2 && !base->is_flat) ||
                  fabs(volume - right) <= (keep < 2 ? near : 1e-12) * base->volume);
    }
    trial_drop(&b);
}

static ew_cut_def plane(double x, double nx, double ny)
{
    ew_cut_def def = ew_default_cut_def();
    def.kind = EW_CUT_PLANE;
    def.a[0] = x;
    def.b[0] = nx;
    def.b[1] = ny;
    return def;
}

static ew_cut_def ball(double x, double y, double z, double radius)
{
    ew_cut_def def = ew_default_cut_def();
    const double at[3] = {x, y, z};
    def.kind = EW_CUT_SPHERE;
    memcpy(def.a, at, sizeof at);
    def.radius = radius;
    return def;
}

static ew_cut_def rod(double x, double y, double radius, double radius_to)
{
    ew_cut_def def = ball(x, y, 0.0, radius);
    def.kind = radius_to == radius ? EW_CUT_CYLINDER : EW_CUT_CONE;
    memcpy(def.b, def.a, sizeof def.a);
    def.b[2] = 1.0;
    def.radius_to = radius_to;
    return def;
}

/* ---- single surfaces -------------------------------------------------------------- */

static const double off[] = {0.0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2};
enum { N_OFF = sizeof off / sizeof *off };

static void test_along_faces(void)
{
    trial_body b;
    start_box(&b, 6);
    for (int i = 0; i < N_OFF; i++) {
        cut_each_way(&b, plane(off[i], 1, 0), "near the first face", EITHER, -1.0, 1.0);
        cut_each_way(&b, plane(1.0 - off[i], 1, 0), "near the last face", EITHER, -1.0, 1.0);
        cut_each_way(&b, plane(0.5 + off[i], 1, 0), "near a layer", DONE, 0.5 + off[i], 1e-12);
        cut_each_way(&b, plane(0.5 + off[i], -1, 0), "turned", DONE, 0.5 - off[i], 1e-12);
        cut_each_way(&b, plane(off[i], 1, 1), "near an edge", EITHER, -1.0, 1.0);
        cut_each_way(&b, plane(1.0 + off[i], 1, 1), "near a diagonal", EITHER, -1.0, 1.0);
    }
    cut_each_way(&b, plane(0.0, 1, 0), "the first face", REFUSED, 0.0, 0.0);
    cut_each_way(&b, plane(1.0, 1, 0), "the last face", REFUSED, 0.0, 0.0);
    trial_drop(&b);
}

static void test_tangent(void)
{
    trial_body b;
    start_box(&b, 8);
    for (int i = 0; i < 2 * N_OFF; i += getenv("EW_TRIALS") ? 1 : 3) {
        const double d = i % 2 ? off[i / 2] : -off[i / 2];
        cut_each_way(&b, ball(0.5, 0.5, 0.5, 0.5 + d), "ball in the box", EITHER, -1.0, 1.0);
        cut_each_way(&b, ball(1.5, 0.5, 0.5, 0.5 + d), "ball outside", EITHER, -1.0, 1.0);
        cut_each_way(&b, ball(0.5, 0.5, 0.5, sqrt(0.5) + d), "ball at edges", EITHER, -1.0, 1.0);
        cut_each_way(&b, ball(0.5, 0.5, 0.5, sqrt(0.75) + d), "ball at corners", EITHER, -1.0, 1.0);
        cut_each_way(&b, rod(0.5, 0.5, 0.5 + d, 0.5 + d), "rod in the box", EITHER, -1.0, 1.0);
        cut_each_way(&b, rod(0.0, 0.0, 1.0 + d, 1.0 + d), "rod at an edge", EITHER, -1.0, 1.0);
        cut_each_way(&b, rod(0.5, 0.5, 0.5 + d, 0.0), "cone to a point of a face", EITHER, -1.0,
                     1.0);
    }
    cut_each_way(&b, rod(0.5, 0.5, 0.3, -0.3 + 0.3), "cone with its point on a face", EITHER, -1.0,
                 1.0);
    trial_drop(&b);
}

static void test_beyond(void)
{
    static const double large[] = {10.0, 1e6, 1e100, 1e300};
    trial_body b;
    start_box(&b, 4);
    for (int i = 0; i < 4; i++) {
        cut_each_way(&b, ball(0.5, 0.5, 0.5, large[i]), "all inside", REFUSED, 0.0, 0.0);
        cut_each_way(&b, ball(large[i], 0.5, 0.5, 1.0), "all outside", REFUSED, 0.0, 0.0);
        cut_each_way(&b, plane(large[i], 1, 0), "all behind", REFUSED, 0.0, 0.0);
        cut_each_way(&b, plane(-large[i], 1, 0), "all before", REFUSED, 0.0, 0.0);
        cut_each_way(&b, plane(0.4, large[i], 0), "a long normal", EITHER, 0.4, 1e-12);
        cut_each_way(&b, ball(0.5, 0.5, 0.5, 0.4 / large[i]), "nothing", EITHER, 0.0, 1e-3);
    }
    cut_each_way(&b, ball(NAN, 0.5, 0.5, 1.0), "no place", REFUSED, 0.0, 0.0);
    cut_each_way(&b, ball(0.5, 0.5, 0.5, NAN), "no radius", REFUSED, 0.0, 0.0);
    cut_each_way(&b, ball(0.5, 0.5, 0.5, -1.0), "below 0", REFUSED, 0.0, 0.0);
    cut_each_way(&b, ball(0.5, 0.5, 0.5, 0.0), "zero", REFUSED, 0.0, 0.0);
    cut_each_way(&b, rod(0.5, 0.5, INFINITY, INFINITY), "infinite", REFUSED, 0.0, 0.0);
    trial_drop(&b);
}

/* The second time the surface is there already: nothing is crossed. */
static void test_twice(void)
{
    const ew_cut_def defs[] = {plane(0.43, 1, 0.3), ball(0.5, 0.5, 0.5, 0.33),
                               rod(0.4, 0.5, 0.3, 0.3), rod(0.4, 0.5, 0.3, 0.2)};
    trial_body base;
    start_box(&base, 8);
    for (int i = 0; i < 4; i++) {
        for (int keep = 0; keep < 4; keep++) {
            for (int then = 0; then < 4; then += getenv("EW_QUICK") ? 2 : 1) {
                trial_body b = {0};
                ew_cut_def def = defs[i];
                trial_copy(&b, &base);
                def.label = 9;
                def.keep = (ew_cut_keep)keep;
                const double first = cut(&b, &def, "first");
                CU_ASSERT(first > 0.0);
                def.keep = (ew_cut_keep)then;
                const double second = cut(&b, &def, "again");
                CU_ASSERT(second < 0.0 || keep == EW_CUT_KEEP_BOTH);
                CU_ASSERT(keep != EW_CUT_KEEP_BOTH || second > 0.0);
                trial_drop(&b);
            }
        }
    }
    trial_drop(&base);
}

/* Corners that count as on a plane: both sides add up all the same. */
static void test_near_corners(void)
{
    trial_body base;
    uint64_t state = 7;
    start_box(&base, 6);
    for (int i = 0; i < (getenv("EW_QUICK") ? 12 : 40); i++) {
        ew_cut_def def = plane(0.0, 0.0, 0.0);
        double volume[2];
        random_direction(&state, def.b);
        for (int k = 0; k < 3; k++) {
            def.a[k] = (double)ew_test_random(&state, 2) + random_in(&state, -0.02, 0.02);
        }
        for (int keep = 0; keep < 2; keep++) {
            trial_body b = {0};
            trial_copy(&b, &base);
            def.keep = (ew_cut_keep)keep;
            volume[keep] = cut(&b, &def, "near a corner");
            trial_drop(&b);
        }
        CU_ASSERT(volume[0] < 0.0 || volume[1] < 0.0 || fabs(volume[0] + volume[1] - 1.0) < 1e-12);
    }
    trial_drop(&base);
}

/* What stays is in eight pieces, or one. */
static void test_pieces(void)
{
    trial_body b;
    start_box(&b, 10);
    const double kept[] = {0.77, 0.3};
    for (int i = 0; i < 2; i++) {
        const ew_cut_def def = i ? rod(0.5, 0.5, kept[i], kept[i]) : ball(0.5, 0.5, 0.5, kept[i]);
        trial_body part = {0};
        int32_t n = 0, *component = malloc(200000 * sizeof *component);
        CU_ASSERT_FATAL(component != NULL);
        trial_copy(&part, &b);
        CU_ASSERT(cut(&part, &def, "pieces") > 0.0);
        CU_ASSERT_FATAL(part.mesh.n_tet <= 200000);
        must(ew_topology_components(&part.topology, &part.mesh, component, &n));
        CU_ASSERT_EQUAL(n, i ? 1 : 8);
        free(component);
        trial_drop(&part);
    }
    trial_drop(&b);
}

/* ---- surface files ------------------------------------------------------------------- */

static void cut_by_cube(const trial_body *b, double x, double half, const char *what, int wanted,
                        double inside)
{
    const double q[4] = {1, 0, 0, 0}, to[3] = {x, 0.5, 0.5};
    ew_surface s;
    ew_cut_def def = ew_default_cut_def();
    make_cube(&s);
    place_surface(&s, q, half, to);
    def.kind = EW_CUT_SURFACE;
    def.surface = &s;
    cut_each_way(b, def, what, wanted, inside, 1e-11);
    ew_surface_free(&s);
}

static void test_cubes(void)
{
    trial_body b;
    start_box(&b, 8);
    cut_by_cube(&b, 0.5, 0.5, "the box itself", REFUSED, 0.0);
    cut_by_cube(&b, 0.5, 0.7, "around the box", REFUSED, 0.0);
    cut_by_cube(&b, 1.5, 0.5, "face to face", REFUSED, 0.0);
    cut_by_cube(&b, 0.25, 0.25, "along layers", DONE, 0.125);
    cut_by_cube(&b, 0.3, 0.3, "with a face in the box's", EITHER, 0.216);
    cut_by_cube(&b, 0.9, 0.3, "out of the box", EITHER, 0.4 * 0.36);
    for (int i = 1; i < N_OFF; i++) {
        cut_by_cube(&b, 0.5, 0.5 - off[i], "a little smaller than the box", EITHER, -1.0);
        cut_by_cube(&b, 0.5, 0.5 + off[i], "a little larger than the box", REFUSED, -1.0);
        cut_by_cube(&b, 0.3 + off[i], 0.3, "beside the box's face", EITHER, -1.0);
    }
    trial_drop(&b);
}

/* A scanned body along its own surface, made smaller or larger. */
static void test_own_surface(void)
{
    static const double by[] = {0.5, 1.0, 0.8, 0.95, 0.99, 1.001, 1.05, 2.0};
    trial_body b;
    if (!trial_start(&b, "bunny")) {
        return;
    }
    for (int i = 0; i < (getenv("EW_TRIALS") ? (int)(sizeof by / sizeof *by) : 2); i++) {
        ew_list face = {0};
        double center[3];
        int32_t *triangle = NULL;
        ew_surface s;
        ew_cut_def def = ew_default_cut_def();
        must(ew_topology_boundary(&b.topology, &b.mesh, &face));
        must(ew_new(&triangle, 3 * (size_t)face.n, sizeof *triangle));
        for (int32_t k = 0; k < 3 * face.n; k++) {
            const int32_t code = face.id[k / 3];
            triangle[k] = b.mesh.tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k % 3]];
        }
        make_surface(&s, b.mesh.n_vertex, b.mesh.xyz, face.n, triangle);
        for (int k = 0; k < 3; k++) {
            center[k] = 0.5 * (b.low[k] + b.high[k]) * (1.0 - by[i]);
        }
        place_surface(&s, (double[4]){1, 0, 0, 0}, by[i], center);
        def.kind = EW_CUT_SURFACE;
        def.surface = &s;
        char what[64];
        snprintf(what, sizeof what, "its own surface times %g", by[i]);
        cut_each_way(&b, def, what, EITHER, -1.0, 1.0);
        ew_surface_free(&s);
        ew_list_free(&face);
        ew_release(triangle);
    }
    trial_drop(&b);
}

/* Tets that patches split beyond their rims are improved, too, and looked at. */
static void test_rims(void)
{
    static const double xyz[12] = {
        0.014675552900946954,  0.046472452299120233, 0.076089336624687073,  0.05381038910130808,
        0.0042996264414345816, 0.12279083212144801,  -0.012582855444833521, -0.018494784707672032,
        0.099053430707487816,  0.044915317174294034, -0.01687175580280411,  0.052336857101103432};
    static const int32_t triangle[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    trial_body b;
    ew_surface s;
    ew_cut_def def = ew_default_cut_def();
    int32_t n;
    make_surface(&s, 4, xyz, 4, triangle);
    def.kind = EW_CUT_SURFACE;
    def.surface = &s;
    def.label = 9;
    if (trial_start(&b, "bracket")) {
        CU_ASSERT(cut(&b, &def, "beside a rim") > 0.0);
        CU_ASSERT(trial_min_touched(&b, &n) >= 0.2);
        trial_drop(&b);
    }
    ew_surface_free(&s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"along_faces", test_along_faces},
        {"tangent", test_tangent},
        {"beyond", test_beyond},
        {"twice", test_twice},
        {"near_corners", test_near_corners},
        {"pieces", test_pieces},
        {"cubes", test_cubes},
        {"own_surface", test_own_surface},
        {"rims", test_rims},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"cuts that touch", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
