/* Random moves of all kinds, with and without repair, and parts that are meshed again, one after
 * the other on bodies that keep what the ones before did: what is left is sound, revalidated blocks
 * are those of a rebuild, remeshing keeps the volume, what is refused changes nothing. EW_TRIALS:
 * that many of all bodies together. */
#include "ew_parts.h"
#include "meshing/tetgen.h"
#include "trial_body.h"

enum {
    SHIFT,
    RADIAL_AXIS,
    RADIAL_POINT,
    NORMALS,
    TURN,
    SCALE,
    TABLE,
    HARMONIC,
    DISTANCE,
    PART,
    QUALITY,
    SIZE,
    N_KIND
};
static const char *const kind_name[N_KIND] = {"by a vector",   "radially, axis", "radially, point",
                                              "along normals", "about an axis",  "scaled",
                                              "by a table",    "sets, harmonic", "sets, distance",
                                              "remesh a part", "remesh quality", "remesh by size"};

typedef struct trials {
    trial_body base, b;
    uint64_t state;
    ew_list vertex, other; /* what is moved */
    double *each;          /* [capacity][3] owned */
    int32_t capacity;
    tally plain[N_KIND], repaired[N_KIND];
} trials;

/* ---- what is moved ----------------------------------------------------------------- */

/* Active vertices within `radius` of a random one. */
static void pick_ball(trials *r, double radius, ew_list *list)
{
    const ew_mesh *mesh = &r->b.mesh;
    const int32_t t = random_tet(&r->state, mesh);
    ew_selector ball = {.kind = EW_SELECT_SPHERE, .radius = radius};
    memcpy(ball.a, mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t], sizeof ball.a);
    ew_list found = {0};
    list->n = 0;
    must(ew_mesh_select(mesh, &ball, &found));
    for (int32_t i = 0; i < found.n; i++) {
        if (ew_mesh_vertex_is_active(mesh, found.id[i])) {
            must(ew_list_push(list, found.id[i]));
        }
    }
    ew_list_free(&found);
}

/* Those of them on the boundary; at least one, if there is any. */
static void keep_boundary(trials *r, ew_list *list)
{
    ew_list face = {0};
    ew_set outer = {0};
    int32_t n = 0;
    must(ew_topology_boundary(&r->b.topology, &r->b.mesh, &face));
    for (int32_t i = 0; i < 3 * face.n; i++) {
        const int32_t code = face.id[i / 3];
        must(ew_set_add(&outer,
                        r->b.mesh.tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][i % 3]]));
    }
    for (int32_t i = 0; i < list->n; i++) {
        if (ew_set_has(&outer, list->id[i])) {
            list->id[n++] = list->id[i];
        }
    }
    list->n = n;
    ew_list_free(&face);
    ew_set_free(&outer);
}

static ew_motion random_motion(trials *r, int kind, double step)
{
    ew_motion motion = {.size = random_in(&r->state, -step, step)};
    random_direction(&r->state, motion.axis);
    for (int i = 0; i < 3; i++) {
        motion.center[i] = random_in(&r->state, r->b.low[i], r->b.high[i]);
        motion.by[i] = random_in(&r->state, -step, step);
    }
    if (kind == SHIFT) {
        motion.kind = EW_MOTION_SHIFT;
    } else if (kind == RADIAL_AXIS || kind == RADIAL_POINT) {
        motion.kind = EW_MOTION_RADIAL;
        motion.has_axis = kind == RADIAL_AXIS;
    } else if (kind == NORMALS) {
        motion.kind = EW_MOTION_NORMAL;
    } else if (kind == TURN) {
        motion.kind = EW_MOTION_TURN;
        motion.size /= 0.3 * (r->b.high[0] - r->b.low[0]);
    } else {
        motion.kind = EW_MOTION_SCALE;
        for (int i = 0; i < 3; i++) {
            motion.by[i] = random_in(&r->state, 0.9, 1.1);
        }
    }
    return motion;
}

static ew_status queue_table(trials *r, ew_move_def def, double step)
{
    must(ew_grow(&r->each, &r->capacity, r->vertex.n, 3 * sizeof *r->each));
    for (int32_t i = 0; i < 3 * r->vertex.n; i++) {
        r->each[i] = random_in(&r->state, -0.3 * step, 0.3 * step);
    }
    def.motion = (ew_motion){.kind = EW_MOTION_TABLE, .each = r->each};
    return ew_operation_move_as(&r->b.mesh, &r->b.topology, &r->vertex, &def, &r->b.edit);
}

/* Two sets that move and, often, all of the rest of the boundary that stays. */
static ew_status queue_sets(trials *r, int kind, double step, bool repair)
{
    ew_list rest = {0};
    pick_ball(r, random_in(&r->state, 1.0, 3.0) * r->b.edge, &r->other);
    const ew_moved_set set[3] = {{&r->vertex, random_motion(r, SHIFT, step)},
                                 {&r->other, random_motion(r, TURN, step)},
                                 {&rest, {.kind = EW_MOTION_SHIFT}}};
    for (int32_t v = 0; v < r->b.mesh.n_vertex; v++) {
        must(ew_mesh_vertex_is_active(&r->b.mesh, v) ? ew_list_push(&rest, v) : EW_OK);
    }
    keep_boundary(r, &rest);
    const ew_status status =
        ew_operation_move_sets(&r->b.mesh, &r->b.topology, ew_test_random(&r->state, 4) ? 3 : 2,
                               set, kind == HARMONIC ? EW_BLEND_HARMONIC : EW_BLEND_DISTANCE,
                               repair, &r->b.edit);
    ew_list_free(&rest);
    return status;
}

static ew_status queue_move(trials *r, int kind, bool repair)
{
    const double edge = r->b.edge, step = random_in(&r->state, 0.1, repair ? 2.0 : 0.6) * edge;
    const ew_move_def def = {
        .motion = random_motion(r, kind, step),
        .radius = ew_test_random(&r->state, 3) ? random_in(&r->state, 1.0, 5.0) * edge : 0.0,
        .repair = repair};
    pick_ball(r, random_in(&r->state, 0.5, 4.0) * edge, &r->vertex);
    if (kind == NORMALS) {
        keep_boundary(r, &r->vertex);
    }
    return kind == TABLE ? queue_table(r, def, step)
           : kind >= HARMONIC
               ? queue_sets(r, kind, step, repair)
               : ew_operation_move_as(&r->b.mesh, &r->b.topology, &r->vertex, &def, &r->b.edit);
}

/* ---- what is meshed again ---------------------------------------------------------- */

static ew_status queue_remesh(trials *r, int kind)
{
    ew_operation_input in = {.mesh = &r->b.mesh, .topology = &r->b.topology};
    ew_remesh_def def = ew_default_remesh_def();
    ew_list tet = {0};
    const double edge = r->b.edge;
    ew_selector ball = {.kind = EW_SELECT_SPHERE,
                        .radius = random_in(&r->state, 1.0, kind == PART ? 4.0 : 8.0) * edge};
    ew_mesh_tet_centroid(&r->b.mesh, random_tet(&r->state, &r->b.mesh), ball.a);
#if EW_WITH_TETGEN
    in.fill = ew_tetgen_fill;
#endif
    must(ew_mesh_select_tets(&r->b.mesh, &ball, &tet));
    def.rings = kind == PART ? 0 : (int32_t)ew_test_random(&r->state, 3);
    def.mesher.quality = ew_test_random(&r->state, 2) ? 1.4 : 0.0;
    if (kind == QUALITY) {
        def.worse_than = random_in(&r->state, 0.2, 0.5);
    } else if (kind == SIZE && ew_test_random(&r->state, 2)) {
        def.longer_than = def.size = random_in(&r->state, 0.9, 1.6) * edge;
    } else if (kind == SIZE) {
        def.shorter_than = def.size = random_in(&r->state, 0.6, 1.2) * edge;
    }
    const ew_status status = ew_operation_remesh(&in, &tet, &def, &r->b.edit);
    ew_list_free(&tet);
    return status;
}

/* ---- one of them -------------------------------------------------------------------- */

static void run_one(trials *r, int i, bool compare)
{
    const int kind = i % N_KIND;
    const bool repair = kind < PART && ew_test_random(&r->state, 2);
    tally *sum = repair ? &r->repaired[kind] : &r->plain[kind];
    const uint64_t revision = r->b.mesh.revision;
    trial_measure(&r->b);
    const double volume = r->b.volume, start = processor_seconds();
    const ew_status status = kind < PART ? queue_move(r, kind, repair) : queue_remesh(r, kind);
    const double seconds = processor_seconds() - start;
    if (status) {
        CU_ASSERT(status == EW_BAD_EDIT || status == EW_BAD_INPUT);
        CU_ASSERT(trial_is_empty(&r->b.edit) && r->b.mesh.revision == revision);
        tally_refused(sum);
        return;
    }
    if (trial_is_empty(&r->b.edit)) {
        sum->n_nothing++;
        return;
    }
    trial_commit(&r->b, compare);
    int32_t n;
    const double least = trial_min_touched(&r->b, &n);
    CU_ASSERT(!repair || kind >= PART || least > 0.0);
    tally_done(sum, least, n, n, seconds);
    if (kind >= PART) {
        trial_measure(&r->b);
        const double off = fabs(r->b.volume / volume - 1.0);
        CU_ASSERT(off < 1e-12);
        sum->off = fmax(sum->off, off);
    }
}

/* ---- bodies -------------------------------------------------------------------------- */

enum { SEQUENCE = 60 }; /* then the body is as it was at first */

static void run_body(const char *name, uint64_t seed, int n)
{
    trials r = {.state = seed};
    if (n < 1 || !trial_start(&r.base, name)) {
        return;
    }
    for (int kind = 0; kind < N_KIND; kind++) {
        r.plain[kind] = (tally){.body = name, .what = kind_name[kind]};
        r.repaired[kind] = (tally){.body = name, .what = kind_name[kind], .how = "repaired"};
    }
    const int often = r.base.mesh.n_tet > 20000 ? 16 : getenv("EW_TRIALS") ? 4 : 1;
    for (int i = 0; i < n && !CU_get_number_of_failures(); i++) {
        if (i % SEQUENCE == 0) {
            trial_copy(&r.b, &r.base);
        }
        run_one(&r, EW_WITH_TETGEN ? i : i / PART * N_KIND + i % PART, i % often == often - 1);
    }
    for (int kind = 0; kind < N_KIND; kind++) {
        tally_end(&r.plain[kind]);
        tally_end(&r.repaired[kind]);
    }
    trial_drop(&r.b);
    trial_drop(&r.base);
    ew_list_free(&r.vertex);
    ew_list_free(&r.other);
    ew_release(r.each);
}

static void test_box(void)
{
    run_body("box", 21, 4 * trials_wanted(60) / 10);
}

static void test_plate(void)
{
    run_body("plate", 22, 3 * trials_wanted(40) / 10);
}

static void test_bracket(void)
{
    run_body("bracket", 23, 15 * trials_wanted(80) / 100);
}

static void test_bunny(void)
{
    run_body("bunny", 24, trials_wanted(120) / 10);
}

static void test_gargoyle(void)
{
    run_body("gargoyle", 25, 2 * trials_wanted(0) / 100);
}

static void test_hand(void)
{
    run_body("hand", 26, 2 * trials_wanted(0) / 100);
}

static void test_dragon(void)
{
    run_body("dragon", 27, trials_wanted(0) / 100);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"box", test_box},       {"plate", test_plate},       {"bracket", test_bracket},
        {"bunny", test_bunny},   {"gargoyle", test_gargoyle}, {"hand", test_hand},
        {"dragon", test_dragon}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"random moves", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
