/* Random cuts of flat-sided and curved bodies along every kind of surface, each side kept, both,
 * and open: what is left is sound, revalidated blocks are those of a rebuild, volumes add up, no
 * tet is below the floor. EW_TRIALS=1000: that many cuts of all bodies together. */
#include "surface_shapes.h"
#include "trial_body.h"

enum { PLANE, SPHERE, CYLINDER, CONE, FLAT_FILE, ROUND_FILE, N_KIND };
static const char *const kind_name[N_KIND] = {"plane", "sphere",          "cylinder",
                                              "cone",  "flat-sided file", "round file"};

/* ---- surfaces ------------------------------------------------------------------ */

/* Closed ones of about `radius` around a place, in any direction. */
static void make_file(ew_surface *s, uint64_t *state, int kind, const double at[3], double radius)
{
    double q[4];
    const uint32_t which = ew_test_random(state, 2);
    if (kind == FLAT_FILE && which) {
        make_cube(s);
        radius /= sqrt(3.0);
    } else if (kind == FLAT_FILE) {
        make_tetrahedron(s);
        radius /= sqrt(3.0);
    } else if (which) {
        make_ball_surface(s, 3);
    } else {
        make_cylinder_surface(s, 48);
        radius /= sqrt(2.0);
    }
    for (int i = 0; i < 4; i++) {
        q[i] = random_in(state, -1.0, 1.0);
    }
    place_surface(s, q, radius, at);
}

/* Through `at`, the middle of a random tet, radii from four edges to half of the body's length. */
static ew_cut_def random_cut(uint64_t *state, const trial_body *b, int kind, double at[3],
                             ew_surface *file)
{
    ew_cut_def def = ew_default_cut_def();
    double normal[3], along[3], longest = 0.0, dot = 0.0;
    ew_mesh_tet_centroid(&b->mesh, random_tet(state, &b->mesh), at);
    random_direction(state, normal);
    random_direction(state, along);
    for (int i = 0; i < 3; i++) {
        longest = fmax(longest, b->high[i] - b->low[i]);
        dot += along[i] * normal[i];
    }
    const double radius = random_in(state, 4.0 * b->edge, fmax(0.5 * longest, 6.0 * b->edge));
    def.kind = kind < FLAT_FILE ? (ew_cut_kind)kind : EW_CUT_SURFACE;
    def.label = 9;
    def.radius = radius;
    def.radius_to = random_in(state, 0.6, 1.4) * radius;
    for (int i = 0; i < 3; i++) {
        def.a[i] = kind == PLANE ? at[i] : at[i] - radius * normal[i];
        def.b[i] =
            kind == PLANE ? normal[i] : def.a[i] + 2.0 * radius * (along[i] - dot * normal[i]);
    }
    if (kind >= FLAT_FILE) {
        for (int i = 0; i < 3; i++) { /* its faces are nearer than its corners */
            def.a[i] = at[i] - 0.6 * radius * normal[i];
        }
        make_file(file, state, kind, def.a, radius);
        def.surface = file;
    }
    return def;
}

/* ---- one cut --------------------------------------------------------------------- */

/* Volume after it; < 0: refused. */
static double cut_once(trial_body *b, const ew_cut_def *def, bool compare, tally *sum)
{
    ew_cut_report report = {0};
    ew_mesh_measure after;
    const double start = processor_seconds();
    const ew_status status = ew_operation_cut(&b->mesh, &b->topology, def, &b->edit, &report);
    const double seconds = processor_seconds() - start;
    if (status) {
        CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
        CU_ASSERT(trial_is_empty(&b->edit));
        tally_refused(sum);
        return -1.0;
    }
    trial_commit(b, compare);
    ew_mesh_take_measure(&b->mesh, &after);
    int32_t n; /* tets with another region are new ones, as they were */
    const double least = def->has_region ? report.least : trial_min_touched(b, &n);
    CU_ASSERT(def->has_region || least >= def->floor);
    tally_done(sum, least, report.n_crossed, report.n_made + report.n_moved, seconds);
    return after.volume;
}

/* The same surface four times: inside, outside, both, open. */
static void cut_each_way(const trial_body *base, uint64_t *state, int kind, bool compare,
                         tally *sum)
{
    static const double exact = 1e-12;
    trial_body b = {0};
    ew_surface file = {0};
    double at[3], volume[4];
    ew_cut_def def = random_cut(state, base, kind, at, &file);
    const bool flat = kind == PLANE || kind == FLAT_FILE;
    for (int keep = 0; keep < 4; keep++) {
        trial_copy(&b, base);
        def.keep = (ew_cut_keep)keep;
        def.has_region = keep >= EW_CUT_KEEP_BOTH && ew_test_random(state, 2);
        def.region = 7;
        if (keep == EW_CUT_KEEP_OPEN && ew_test_random(state, 2)) { /* not everywhere */
            const uint32_t axis = ew_test_random(state, 3);
            def.high[axis] = at[axis] + base->edge;
        }
        volume[keep] = cut_once(&b, &def, compare, sum);
        const double off = fabs(volume[keep] / base->volume - 1.0);
        if (keep >= EW_CUT_KEEP_BOTH && volume[keep] >= 0.0) {
            CU_ASSERT(!base->is_flat || off < exact);
            sum->off = fmax(sum->off, off);
        }
    }
    if (flat && volume[0] >= 0.0 && volume[1] >= 0.0) {
        const double off = fabs((volume[0] + volume[1]) / base->volume - 1.0);
        CU_ASSERT(!base->is_flat || off < exact);
        sum->off = fmax(sum->off, off);
    }
    trial_drop(&b);
    ew_surface_free(&file);
}

/* Cut again and again, in one piece, along other surfaces. */
static void cut_on(const trial_body *base, uint64_t *state, int n, tally *sum)
{
    trial_body b = {0};
    trial_copy(&b, base);
    for (int i = 0; i < n; i++) {
        ew_surface file = {0};
        double at[3];
        ew_cut_def def = random_cut(state, base, (int)ew_test_random(state, N_KIND), at, &file);
        def.keep = EW_CUT_KEEP_BOTH;
        def.label = 10 + i;
        const double volume = cut_once(&b, &def, true, sum);
        const double off = volume < 0.0 ? 0.0 : fabs(volume / base->volume - 1.0);
        CU_ASSERT(!base->is_flat || off < 1e-12);
        sum->off = fmax(sum->off, off);
        ew_surface_free(&file);
    }
    trial_drop(&b);
}

/* ---- bodies ------------------------------------------------------------------------ */

/* n: cuts, of all kinds of surfaces in turns. */
static void cut_body(const char *name, uint64_t seed, int n)
{
    trial_body base;
    uint64_t state = seed;
    if (n < 4 || !trial_start(&base, name)) {
        return;
    }
    const bool large = base.mesh.n_tet > 20000;
    const int n_round = n / 4;
    for (int kind = 0; kind < N_KIND; kind++) {
        tally sum = {.body = name, .what = kind_name[kind]};
        for (int i = kind; i < n_round; i += N_KIND) {
            cut_each_way(&base, &state, kind, !large || i % 8 < 2, &sum);
        }
        tally_end(&sum);
    }
    trial_drop(&base);
}

static void test_box(void)
{
    cut_body("box", 11, 3 * trials_wanted(80) / 10);
}

static void test_plate(void)
{
    cut_body("plate", 12, 2 * trials_wanted(120) / 10);
}

static void test_bracket(void)
{
    cut_body("bracket", 13, trials_wanted(240) / 10);
}

static void test_bunny(void)
{
    cut_body("bunny", 14, trials_wanted(240) / 10);
}

static void test_gargoyle(void)
{
    cut_body("gargoyle", 15, trials_wanted(0) / 10);
}

static void test_hand(void)
{
    cut_body("hand", 16, trials_wanted(0) / 10);
}

static void test_dragon(void)
{
    cut_body("dragon", 17, trials_wanted(0) / 10);
}

static void test_again_and_again(void)
{
    trial_body base;
    uint64_t state = 18;
    tally sum = {.body = "box", .what = "five times"};
    if (!trial_start(&base, "box")) {
        return;
    }
    for (int i = 0; i < trials_wanted(100) / 50; i++) {
        cut_on(&base, &state, 5, &sum);
    }
    tally_end(&sum);
    trial_drop(&base);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"box", test_box},       {"plate", test_plate},           {"bracket", test_bracket},
        {"bunny", test_bunny},   {"gargoyle", test_gargoyle},     {"hand", test_hand},
        {"dragon", test_dragon}, {"again", test_again_and_again}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"random cuts", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
