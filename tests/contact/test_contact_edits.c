/* Pairs and rows that follow random edits of all kinds against those made from nothing: no bit
 * differs. EW_EDITS in the environment: how many. */
#include "contact_fixture.h"
#include "model_edits.h"

#include "contact/parts/contact.h"

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit;
    ew_change change;
    editor editor;
    ew_list side[3]; /* the upper block, all else, both */
    double *rest;
    int32_t *edge_row;
    double *curve;
} body;

static void begin(body *b, uint64_t seed)
{
    *b = (body){.editor.state = seed};
    make_blocks(&b->mesh, (int32_t[2]){3, 4}, (double[3]){0.1, 0.0, 0.01});
    must(ew_topology_build(&b->topology, &b->mesh));
}

static void end(body *b)
{
    ew_mesh_free(&b->mesh);
    ew_topology_free(&b->topology);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
    ew_list_free(&b->side[0]);
    ew_list_free(&b->side[1]);
    ew_list_free(&b->side[2]);
    free(b->edge_row);
    free(b->rest);
    free(b->curve);
}

static ew_status queue(body *b)
{
    editor *e = &b->editor;
    const uint32_t kind = ew_test_random(&e->state, 32);
    return kind < 7    ? queue_removal(e, &b->mesh, &b->edit)
           : kind < 13 ? queue_growth(e, &b->mesh, &b->edit)
           : kind < 17 ? queue_return(e, &b->edit)
           : kind < 25 ? queue_move(e, &b->mesh, &b->edit)
           : kind < 27 ? queue_reuse(e, &b->mesh, &b->edit)
           : kind < 28 ? queue_corner(e, &b->mesh, &b->edit)
           : kind < 30 ? queue_cut(e, &b->mesh, &b->topology, &b->edit)
                       : queue_refinement(e, &b->mesh, &b->topology, &b->edit);
}

/* False: it was refused, or nothing is as before. */
static bool edit(body *b)
{
    ew_edit_clear(&b->edit);
    if (queue(b) || ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change)) {
        return false;
    }
    if (b->change.from_revision != b->change.to_revision) {
        must(ew_topology_update(&b->topology, &b->mesh, &b->change));
    }
    return true;
}

/* The curve of a side depends on where its ends are; some sides stay straight. */
static void bend_edge(const body *b, int32_t e)
{
    const int32_t *end = b->topology.pattern.pair_row + 2 * e;
    for (int c = 0; c < 3; c++) {
        b->curve[3 * e + c] = 0.0;
        for (int d = 0; d < 3 && end[0] >= 0 && e % 5; d++) {
            const double x = b->mesh.xyz[3 * end[0] + d], y = b->mesh.xyz[3 * end[1] + d];
            b->curve[3 * e + c] += 0.1 * (x - y) * (x - y) * sin(x + y + c);
        }
    }
}

/* Sides. Edges have rows by their slots, as in a model; a displacement is of ids. */
static void list_sides(body *b)
{
    ew_list all = {0};
    const int32_t n = b->topology.pattern.n_pair;
    must(ew_topology_boundary(&b->topology, &b->mesh, &all));
    b->side[0].n = b->side[1].n = b->side[2].n = 0;
    for (int32_t i = 0; i < all.n; i++) {
        const bool upper = b->mesh.region_label[b->mesh.region[all.id[i] / 4]] == UPPER;
        must(ew_list_push(&b->side[!upper], all.id[i]));
        must(ew_list_push(&b->side[2], all.id[i]));
    }
    b->edge_row = realloc(b->edge_row, (size_t)(n + 1) * sizeof *b->edge_row);
    b->curve = realloc(b->curve, 3 * (size_t)(n + 1) * sizeof *b->curve);
    for (int32_t e = 0; e < n; e++) {
        b->edge_row[e] = e % 7 ? e : -1;
        bend_edge(b, e);
    }
    b->rest = realloc(b->rest, 3 * (size_t)b->mesh.n_vertex * sizeof *b->rest);
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        b->rest[i] = b->mesh.xyz[i] + 1e-2 * (double)(b->mesh.vertex_id[i / 3] * (i % 3) % 7);
    }
    ew_list_free(&all);
}

static const ew_list no_faces;

static bool same(const void *a, const void *b, size_t bytes)
{
    return !bytes || !memcmp(a, b, bytes);
}

static void compare_terms(const ew_contact_rows *a, const ew_contact_rows *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n, b->n);
    CU_ASSERT_EQUAL_FATAL(a->n_row, b->n_row);
    CU_ASSERT_FATAL(same(a->begin, b->begin, ((size_t)b->n_row + 1) * sizeof *b->begin));
    CU_ASSERT_FATAL(same(a->entry, b->entry, (size_t)b->begin[b->n_row] * sizeof *b->entry));
    CU_ASSERT_FATAL(same(a->factor, b->factor, (size_t)b->begin[b->n_row] * sizeof *b->factor));
}

static void compare(const ew_contact_rows *a, const ew_contact_rows *b)
{
    const size_t n = (size_t)b->n;
    compare_terms(a, b);
    CU_ASSERT_EQUAL_FATAL(a->n_pair, b->n_pair);
    CU_ASSERT_FATAL(a->covered == b->covered && a->whole == b->whole);
    CU_ASSERT_FATAL(same(a->vertex, b->vertex, n * sizeof *b->vertex));
    CU_ASSERT_FATAL(same(a->gap, b->gap, n * sizeof *b->gap));
    CU_ASSERT_FATAL(same(a->area, b->area, n * sizeof *b->area));
    CU_ASSERT_FATAL(same(a->normal, b->normal, 3 * n * sizeof *b->normal));
    CU_ASSERT_FATAL(same(a->slid, b->slid, 3 * n * sizeof *b->slid));
    CU_ASSERT_FATAL(same(a->min_gap, b->min_gap, n * sizeof *b->min_gap));
    CU_ASSERT_FATAL(same(a->size, b->size, n * sizeof *b->size));
}

static void compare_pairs(const body *b, const ew_contact_def *def, const ew_contact_rows *rows)
{
    const ew_face_pairs *pairs = ew_contact_pairs(rows);
    ew_face_pairs all = {0};
    must(ew_face_pairs_compare_all(&all, &b->mesh, def->slave, def->master, rows->margin));
    CU_ASSERT_EQUAL_FATAL(pairs->n_slave, all.n_slave);
    CU_ASSERT_EQUAL_FATAL(pairs->n_pair, all.n_pair);
    CU_ASSERT_FATAL(same(pairs->begin, all.begin, sizeof *all.begin * ((size_t)all.n_slave + 1)));
    CU_ASSERT_FATAL(same(pairs->master, all.master, sizeof *all.master * (size_t)all.n_pair));
    ew_face_pairs_free(&all);
}

enum { LINEAR, QUADRATIC, TIE, TURNS, OF_ONE, OF_ONE_QUADRATIC, BALL, TRIANGLES, N_KIND };

/* Contacts of linear and quadratic tets, ties, faces of one list, also of a body that is displaced,
 * and rigid surfaces; sides of quadratic tets are straight or curved. */
static ew_contact_def def_of(const body *b, ew_rigid *const rigid[2], int kind, int k)
{
    const bool is_of_one = kind == OF_ONE || kind == OF_ONE_QUADRATIC;
    if (kind >= BALL) {
        return (ew_contact_def){.slave = &b->side[2],
                                .master = &no_faces,
                                .distance = 0.3,
                                .rigid = rigid[kind == TRIANGLES],
                                .by_motion = kind == TRIANGLES,
                                .is_tie = k / 5 % 2,
                                .edge_row = kind == TRIANGLES ? b->edge_row : NULL,
                                .curve = kind == TRIANGLES ? b->curve : NULL};
    }
    return (ew_contact_def){.slave = &b->side[is_of_one ? 2 : k / 7 % 2],
                            .master = &b->side[is_of_one ? 2 : !(k / 7 % 2)],
                            .distance = 0.15 + 1e-4 * (k % 5),
                            .is_tie = kind == TIE || kind == TURNS,
                            .turns = kind == TURNS,
                            .rest = kind == OF_ONE_QUADRATIC ? b->rest : NULL,
                            .edge_row = kind == LINEAR || kind == OF_ONE ? NULL : b->edge_row,
                            .curve = is_of_one || kind == LINEAR ? NULL : b->curve};
}

/* A ball that reaches into both blocks, and a plane of two triangles between them. */
static void make_rigid(ew_rigid *rigid[2])
{
    const ew_surface plane = {.n_vertex = 4,
                              .xyz = (double[]){-2, -2, 0.45, 3, -2, 0.5, 3, 3, 0.55, -2, 3, 0.5},
                              .n_triangle = 2,
                              .triangle = (int32_t[]){0, 1, 2, 0, 2, 3}};
    const ew_rigid_def def[2] = {{.kind = EW_RIGID_SPHERE, .point = {0.5, 0.5, 0.5}, .radius = 0.6},
                                 {.kind = EW_RIGID_SURFACE, .surface = &plane}};
    must(ew_rigid_create(&rigid[0], &def[0]));
    must(ew_rigid_create(&rigid[1], &def[1]));
}

/* At every third edit; from time to time it is settled there. */
static void move_rigid(ew_rigid *const rigid[2], int k)
{
    for (int i = 0; i < 2 && k % 3 == 0; i++) {
        const ew_rigid_motion motion = {.displacement = {0.01 * (k % 7), 0, 0.005 * (k % 4)},
                                        .rotation = {0, 0.01 * (k % 5), 0}};
        must(ew_rigid_move(rigid[i], &motion));
        if (k % 4 == 0) {
            ew_rigid_settle(rigid[i]);
        }
    }
}

static void test_rows_follow_edits(void)
{
    const int n_edit = edits_of(1, 60), every = n_edit > 1000 ? 10 : 1;
    int64_t n = 0, n_new = 0, n_taken = 0;
    uint64_t seed = seed_of(3);
    ew_contact_rows kept[N_KIND] = {{0}};
    ew_rigid *rigid[2];
    make_rigid(rigid);
    for (int k = 0; k < n_edit;) {
        body b;
        begin(&b, seed++);
        for (int i = 0; i < 60 && k < n_edit && b.mesh.n_live_tet < 1500; i++, k++) {
            n_taken += edit(&b);
            list_sides(&b);
            move_rigid(rigid, k);
            for (int kind = 0; kind < N_KIND; kind++) {
                const ew_contact_def def = def_of(&b, rigid, kind, k);
                ew_contact_rows fresh = {0};
                must(ew_contact_build_rows(&kept[kind], &b.mesh, &b.topology, &def));
                if ((k + kind) % every) {
                    continue;
                }
                must(ew_contact_build_rows(&fresh, &b.mesh, &b.topology, &def));
                compare(&kept[kind], &fresh);
                CU_ASSERT_EQUAL(fresh.n_new, fresh.n);
                n += fresh.n;
                n_new += kept[kind].n_new;
                if (kind == LINEAR || (kind == OF_ONE && k % 8 == 0)) {
                    compare_pairs(&b, &def, &kept[kind]);
                }
                ew_contact_rows_free(&fresh);
            }
        }
        end(&b);
    }
    printf("\n  %d edits, %lld taken, %lld rows, %lld made ... ", n_edit, (long long)n_taken,
           (long long)n, (long long)n_new);
    CU_ASSERT(n > 10 * n_edit && n_taken > n_edit / 2);
    CU_ASSERT(n_new < n / 2);
    for (int kind = 0; kind < N_KIND; kind++) {
        ew_contact_rows_free(&kept[kind]);
    }
    ew_rigid_free(rigid[0]);
    ew_rigid_free(rigid[1]);
}

/* Where vertices are at a time: the upper block swings and turns, all of the body waves. */
static void place(const body *b, const double *xyz, int k, double *placed)
{
    const double t = 0.15 * k, leap = k % 29 == 28 ? 0.3 : 0.0;
    for (size_t v = 0; v < (size_t)b->mesh.n_vertex; v++) {
        const double *x = xyz + 3 * v;
        const double up = x[2] > 1.0 ? 1.0 : 0.0;
        placed[3 * v] = x[0] + up * (0.05 * sin(t) + 0.1 * sin(0.3 * t) * x[1]) + leap;
        placed[3 * v + 1] = x[1] - up * 0.1 * sin(0.3 * t) * x[0];
        placed[3 * v + 2] = x[2] + up * 0.04 * sin(0.7 * t) + 0.02 * sin(t + 3.0 * x[0]);
    }
}

/* All faces move from call to call; some calls follow an edit. */
static void test_rows_follow_motion(void)
{
    const int n_step = edits_of(1, 60);
    int64_t n = 0;
    ew_rigid *const none[2] = {NULL, NULL};
    ew_contact_rows kept[BALL] = {{0}};
    double *at_rest = NULL;
    body b;
    begin(&b, 5);
    for (int k = 0; k < n_step; k++) {
        n += k % 6 == 5 && b.mesh.n_live_tet < 1500 && edit(&b);
        list_sides(&b);
        const size_t bytes = 3 * sizeof *at_rest * (size_t)b.mesh.n_vertex;
        at_rest = realloc(at_rest, bytes);
        memcpy(at_rest, b.mesh.xyz, bytes);
        place(&b, at_rest, k, b.mesh.xyz);
        for (int kind = 0; kind < BALL; kind++) {
            ew_contact_def def = def_of(&b, none, kind, k / 10);
            ew_contact_rows fresh = {0};
            def.rest = kind == OF_ONE ? at_rest : def.rest;
            const ew_status status = ew_contact_build_rows(&fresh, &b.mesh, &b.topology, &def);
            CU_ASSERT_EQUAL_FATAL(ew_contact_build_rows(&kept[kind], &b.mesh, &b.topology, &def),
                                  status);
            if (!status) {
                compare(&kept[kind], &fresh);
            }
            if (!status && kind == LINEAR) {
                compare_pairs(&b, &def, &kept[kind]);
            }
            ew_contact_rows_free(&fresh);
        }
        memcpy(b.mesh.xyz, at_rest, bytes);
    }
    CU_ASSERT(n > n_step / 40);
    for (int kind = 0; kind < BALL; kind++) {
        CU_ASSERT(kept[kind].n > 0);
        ew_contact_rows_free(&kept[kind]);
    }
    free(at_rest);
    end(&b);
}

/* Rows of a contact and of a tie that are made at once are those that are made each by itself. */
static void test_rows_of_both_follow_edits(void)
{
    const int n_edit = edits_of(1, 24);
    int64_t n = 0;
    uint64_t seed = seed_of(4);
    ew_contact_rows kept[N_KIND] = {{0}}, tie[N_KIND] = {{0}};
    ew_rigid *rigid[2];
    make_rigid(rigid);
    for (int k = 0; k < n_edit;) {
        body b;
        begin(&b, seed++);
        for (int i = 0; i < 60 && k < n_edit && b.mesh.n_live_tet < 1500; i++, k++) {
            (void)edit(&b);
            list_sides(&b);
            move_rigid(rigid, k);
            for (int kind = 0; kind < N_KIND; kind++) {
                ew_contact_def def = def_of(&b, rigid, kind, k);
                ew_contact_rows fresh[2] = {{0}, {0}};
                def.is_tie = def.turns = false;
                must(k % 9 == 8 ? ew_contact_build_rows(&kept[kind], &b.mesh, &b.topology, &def)
                                : ew_contact_build_with_tie(&kept[kind], &tie[kind], &b.mesh,
                                                            &b.topology, &def));
                must(ew_contact_build_rows(&fresh[0], &b.mesh, &b.topology, &def));
                def.is_tie = true;
                must(ew_contact_build_rows(&fresh[1], &b.mesh, &b.topology, &def));
                compare(&kept[kind], &fresh[0]);
                if (k % 9 != 8) {
                    compare_terms(&tie[kind], &fresh[1]);
                }
                n += fresh[1].n_row;
                ew_contact_rows_free(&fresh[0]);
                ew_contact_rows_free(&fresh[1]);
            }
        }
        end(&b);
    }
    CU_ASSERT(n > 10 * n_edit);
    for (int kind = 0; kind < N_KIND; kind++) {
        ew_contact_rows_free(&kept[kind]);
        ew_contact_rows_free(&tie[kind]);
    }
    ew_rigid_free(rigid[0]);
    ew_rigid_free(rigid[1]);
}

/* A face of the upper block moves: rows around it are made, and those over it. */
static void test_few_rows_are_made(void)
{
    ew_contact_rows rows = {0};
    body b;
    begin(&b, 1);
    list_sides(&b);
    const ew_contact_def def = {.slave = &b.side[0], .master = &b.side[1], .distance = 0.1};
    must(ew_contact_build_rows(&rows, &b.mesh, &b.topology, &def));
    CU_ASSERT(rows.n >= 20 && rows.n_new == rows.n);
    must(ew_contact_build_rows(&rows, &b.mesh, &b.topology, &def));
    CU_ASSERT(rows.n >= 20 && rows.n_new == 0);
    b.mesh.xyz[3 * (size_t)rows.vertex[0] + 2] += 1e-3;
    must(ew_contact_build_rows(&rows, &b.mesh, &b.topology, &def));
    CU_ASSERT(rows.n_new > 1 && rows.n_new < 9);
    ew_contact_rows_free(&rows);
    end(&b);
}

/* The first vertex of a row, or all of them. */
static void shift(body *b, const ew_contact_rows *rows, bool all, double by)
{
    const int32_t first = all ? 0 : rows->vertex[0], end = all ? b->mesh.n_vertex : first + 1;
    for (int32_t v = first; v < end; v++) {
        b->mesh.xyz[3 * (size_t)v + 2] += by;
    }
}

static ew_status build(ew_contact_rows *rows, ew_contact_rows *tie, const body *b,
                       const ew_contact_def *def)
{
    return tie ? ew_contact_build_with_tie(rows, tie, &b->mesh, &b->topology, def)
               : ew_contact_build_rows(rows, &b->mesh, &b->topology, def);
}

/* An allocation that fails leaves rows that the next call makes. */
static void fail_allocations(bool all, bool has_tie)
{
    body b;
    bool failed = true;
    begin(&b, 2);
    list_sides(&b);
    const ew_contact_def def = {.slave = &b.side[0], .master = &b.side[1], .distance = 0.1};
    ew_contact_rows fresh = {0}, other = {0};
    must(build(&fresh, has_tie ? &other : NULL, &b, &def));
    for (int64_t k = 0; failed; k++) {
        ew_contact_rows rows = {0}, tie = {0};
        must(build(&rows, has_tie ? &tie : NULL, &b, &def));
        ew_test_allocations_begin(k);
        shift(&b, &rows, all, 0x1p-10);
        const ew_status status = build(&rows, has_tie ? &tie : NULL, &b, &def);
        failed = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && rows.n == 0));
        shift(&b, &fresh, all, -0x1p-10);
        must(build(&rows, has_tie ? &tie : NULL, &b, &def));
        must(build(&fresh, has_tie ? &other : NULL, &b, &def));
        compare(&rows, &fresh);
        if (has_tie) {
            compare_terms(&tie, &other);
        }
        ew_contact_rows_free(&rows);
        ew_contact_rows_free(&tie);
    }
    ew_contact_rows_free(&fresh);
    ew_contact_rows_free(&other);
    end(&b);
}

static void test_allocations_fail(void)
{
    for (int k = 0; k < 4; k++) {
        fail_allocations(k & 1, k & 2);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"rows_follow_edits", test_rows_follow_edits},
        {"rows_follow_motion", test_rows_follow_motion},
        {"rows_of_both_follow_edits", test_rows_of_both_follow_edits},
        {"few_rows_are_made", test_few_rows_are_made},
        {"allocations_fail", test_allocations_fail},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_edits", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
