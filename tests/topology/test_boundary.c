/* Boundary faces that follow the mesh: after any edits they are those of a fresh build, and new
 * faces know the old face that they are a part or an image of. */
#include "operation_body.h"
#include "random_edits.h"

#include <stdlib.h>

typedef struct skin {
    body b;
    ew_boundary boundary;
    int32_t *label; /* by slot: the side a face descends from, -1 none; follows the lists */
    int32_t n_label, label_capacity;
} skin;

static void follow_labels(skin *s)
{
    const ew_boundary *f = &s->boundary;
    CU_ASSERT_EQUAL_FATAL(ew_grow(&s->label, &s->label_capacity, f->n_slot, sizeof *s->label),
                          EW_OK);
    for (int32_t i = 0; i < f->added.n; i++) {
        s->label[f->added.id[i]] = f->from.id[i] < 0 ? -1 : s->label[f->from.id[i]];
    }
    for (int32_t i = 0; i < f->removed.n; i++) {
        s->label[f->removed.id[i]] = -1;
    }
}

static int compare_codes(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Same set of codes as a fresh build, and sound by its own checker. */
static void check_boundary(const skin *s)
{
    ew_boundary fresh;
    ew_list code = {0};
    ew_status status = ew_boundary_check(&s->boundary, &s->b.mesh, &s->b.topology);
    if (status) {
        printf("\n%s: %s\n", ew_status_text(status), ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_boundary_build(&fresh, &s->b.mesh, &s->b.topology), EW_OK);
    CU_ASSERT_EQUAL_FATAL(fresh.n_live, s->boundary.n_live);
    for (int32_t i = 0; i < s->boundary.n_slot; i++) {
        if (s->boundary.code[i] >= 0) {
            CU_ASSERT_EQUAL(ew_list_push(&code, s->boundary.code[i]), EW_OK);
        }
    }
    CU_ASSERT_EQUAL_FATAL(code.n, fresh.n_slot);
    if (code.n) {
        qsort(code.id, (size_t)code.n, sizeof *code.id, compare_codes);
        CU_ASSERT_EQUAL(memcmp(code.id, fresh.code, (size_t)code.n * sizeof *code.id), 0);
    }
    ew_list_free(&code);
    ew_boundary_free(&fresh);
}

/* The lists of an update against the slots before it. */
static void check_lists(const skin *s, const int32_t *before, int32_t n_before)
{
    const ew_boundary *f = &s->boundary;
    CU_ASSERT_EQUAL_FATAL(f->from.n, f->added.n);
    for (int32_t i = 0; i < f->removed.n; i++) {
        CU_ASSERT_FATAL(f->removed.id[i] < n_before);
        CU_ASSERT(before[f->removed.id[i]] >= 0);
        CU_ASSERT_EQUAL(f->code[f->removed.id[i]], -1);
    }
    for (int32_t i = 0; i < f->added.n; i++) {
        int32_t slot = f->added.id[i], from = f->from.id[i];
        CU_ASSERT(slot >= n_before || before[slot] == -1);
        CU_ASSERT(f->code[slot] >= 0);
        CU_ASSERT(from < n_before && (from < 0 || before[from] >= 0));
    }
    int32_t n_other = 0;
    for (int32_t i = 0; i < n_before; i++) {
        n_other += before[i] >= 0 && f->code[i] >= 0 && before[i] != f->code[i];
    }
    CU_ASSERT(n_other <= f->kept.n);
}

static void commit_skin(skin *s)
{
    int32_t n = s->boundary.n_slot;
    int32_t *before = malloc(((size_t)n + 1) * sizeof *before);
    if (n) {
        memcpy(before, s->boundary.code, (size_t)n * sizeof *before);
    }
    commit(&s->b);
    if (s->b.mesh.revision % 8 == 0) { /* tables built again do as well as updated ones */
        ew_topology_free(&s->b.topology);
        follow(&s->b);
    }
    CU_ASSERT_EQUAL_FATAL(
        ew_boundary_update(&s->boundary, &s->b.mesh, &s->b.topology, &s->b.change), EW_OK);
    check_lists(s, before, n);
    check_boundary(s);
    follow_labels(s);
    free(before);
}

/* Side of a face of the box [0, size]: 2 * axis + (far end), or -1. */
static int32_t side_of(const ew_mesh *mesh, int32_t code, const double size[3])
{
    for (int c = 0; c < 3; c++) {
        for (int end = 0; end < 2; end++) {
            bool on = true;
            for (int k = 0; k < 3; k++) {
                int32_t v = mesh->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
                on = on && fabs(mesh->xyz[3 * v + c] - end * size[c]) < 1e-9;
            }
            if (on) {
                return 2 * c + end;
            }
        }
    }
    return -1;
}

static const double box_size[3] = {3, 2, 1};

static void start(skin *s, int32_t nx, int32_t ny, int32_t nz)
{
    *s = (skin){0};
    make_box(&s->b, box_size[0], box_size[1], box_size[2], nx, ny, nz);
    CU_ASSERT_EQUAL_FATAL(ew_boundary_build(&s->boundary, &s->b.mesh, &s->b.topology), EW_OK);
    follow_labels(s);
    for (int32_t i = 0; i < s->boundary.n_slot; i++) {
        s->label[i] = side_of(&s->b.mesh, s->boundary.code[i], box_size);
        CU_ASSERT(s->label[i] >= 0);
    }
    check_boundary(s);
}

static void stop(skin *s)
{
    drop(&s->b);
    ew_boundary_free(&s->boundary);
    ew_boundary_free(&s->boundary);
    ew_release(s->label);
}

static double skin_area(const skin *s, int32_t label)
{
    double sum = 0.0, a[3];
    for (int32_t i = 0; i < s->boundary.n_slot; i++) {
        if (s->boundary.code[i] >= 0 && s->label[i] == label) {
            ew_face_area_vector(&s->b.mesh, s->boundary.code[i], a);
            sum += sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        }
    }
    return sum;
}

/* Every face has the label of the side on which it lies. */
static void check_sides(const skin *s, const double size[3])
{
    for (int32_t i = 0; i < s->boundary.n_slot; i++) {
        if (s->boundary.code[i] >= 0) {
            CU_ASSERT_EQUAL(s->label[i], side_of(&s->b.mesh, s->boundary.code[i], size));
        }
    }
}

/* ---- inheritance ------------------------------------------------------- */

static void test_boundary_refine(void)
{
    skin s;
    start(&s, 3, 2, 2);
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&s.b.mesh, &s.b.topology, 0.7, NULL, &s.b.edit),
                          EW_OK);
    commit_skin(&s); /* several levels at once: middles of halves */
    CU_ASSERT(s.boundary.n_live > 200);
    check_sides(&s, box_size);
    CLOSE(skin_area(&s, 0), 2.0, 1e-12);
    CLOSE(skin_area(&s, 1), 2.0, 1e-12);
    CLOSE(skin_area(&s, 2), 3.0, 1e-12);
    CLOSE(skin_area(&s, 5), 6.0, 1e-12);
    CU_ASSERT_EQUAL(skin_area(&s, -1), 0.0);
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&s.b.mesh, &s.b.topology, 0, NULL, &s.b.edit), EW_OK);
    commit_skin(&s);
    check_sides(&s, box_size);
    stop(&s);
}

/* The image of a side has the label of the side; the plane's faces go. */
static void test_boundary_mirror(void)
{
    skin s;
    ew_mirror_def def = {.normal = {1, 0, 0}, .tolerance = -1};
    start(&s, 3, 2, 2);
    ew_mirror_place(&s.b.mesh, 1, &def);
    CU_ASSERT_EQUAL_FATAL(ew_operation_mirror(&s.b.mesh, &def, &s.b.edit), EW_OK);
    commit_skin(&s);
    CLOSE(skin_area(&s, 0), 4.0, 1e-12); /* x = 0 and its image x = 6 */
    CU_ASSERT_EQUAL(skin_area(&s, 1), 0.0);
    CLOSE(skin_area(&s, 2), 6.0, 1e-12);
    CLOSE(skin_area(&s, 3), 6.0, 1e-12);
    CLOSE(skin_area(&s, 4), 12.0, 1e-12);
    CU_ASSERT_EQUAL(skin_area(&s, -1), 0.0);
    stop(&s);
}

/* What a removed part lays open comes from no face; what comes back is the same face. */
static void test_boundary_remove(void)
{
    skin s;
    const ew_selector part = {.kind = EW_SELECT_BOX, .a = {2, -1, -1}, .b = {4, 3, 2}};
    start(&s, 3, 2, 2);
    CU_ASSERT_EQUAL_FATAL(ew_operation_remove(&s.b.mesh, &part, &s.b.edit), EW_OK);
    commit_skin(&s);
    CLOSE(skin_area(&s, -1), 2.0, 1e-12);
    CLOSE(skin_area(&s, 0), 2.0, 1e-12);
    CU_ASSERT_EQUAL(skin_area(&s, 1), 0.0);
    CLOSE(skin_area(&s, 2), 2.0, 1e-12);
    stop(&s);
}

/* A tet replaced by one with the same vertices keeps the slots of its faces. */
static void test_boundary_replaced(void)
{
    skin s;
    start(&s, 2, 2, 2);
    int32_t n_slot = s.boundary.n_slot;
    for (int32_t t = 0; t < 6; t++) {
        int32_t v[4], n_face = 0;
        memcpy(v, s.b.mesh.tet + 4 * t, sizeof v);
        for (int32_t f = 0; f < 4; f++) {
            n_face += ew_boundary_find(&s.boundary, 4 * t + f) >= 0;
        }
        ew_edit_remove_tet(&s.b.edit, t);
        ew_edit_add_tet(&s.b.edit, (int32_t[4]){v[1], v[2], v[0], v[3]}, 0);
        commit_skin(&s);
        CU_ASSERT_EQUAL(s.boundary.removed.n, 0);
        CU_ASSERT_EQUAL(s.boundary.added.n, 0);
        CU_ASSERT_EQUAL(s.boundary.kept.n, n_face);
    }
    CU_ASSERT_EQUAL(s.boundary.n_slot, n_slot);
    check_sides(&s, box_size);
    stop(&s);
}

/* A tet is removed and one with a new vertex put in its place: the slot of its lost vertex is
 * taken by a stranger, whose faces come from nowhere. */
static void test_boundary_reused_vertex(void)
{
    skin s = {0};
    static const double xyz[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    static const int32_t tet[2][4] = {{0, 1, 2, 3}, {4, 1, 3, 2}};
    make_tets(&s.b, 5, xyz[0], 2, tet[0]);
    CU_ASSERT_EQUAL_FATAL(ew_boundary_build(&s.boundary, &s.b.mesh, &s.b.topology), EW_OK);
    CU_ASSERT_EQUAL(s.boundary.n_live, 6);
    int32_t v;
    ew_edit_remove_tet(&s.b.edit, 1);
    ew_edit_remove_vertex(&s.b.edit, 4);
    ew_edit_add_vertex(&s.b.edit, (double[3]){2, 2, 2}, &v);
    ew_edit_add_tet(&s.b.edit, (int32_t[4]){v, 1, 3, 2}, 0);
    commit_skin(&s);
    CU_ASSERT_EQUAL(s.b.change.added_vertex.id[0], 4);
    CU_ASSERT_EQUAL(s.boundary.added.n, 3);
    CU_ASSERT_EQUAL(s.boundary.removed.n, 3);
    for (int32_t i = 0; i < s.boundary.added.n; i++) {
        CU_ASSERT_EQUAL(s.boundary.from.id[i], -1);
    }
    stop(&s);
}

/* Adding a body glued to a side covers that side; moving changes nothing. */
static void test_boundary_add_and_move(void)
{
    skin s;
    ew_mesh other;
    start(&s, 3, 2, 2);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 2, 1}, (int32_t[3]){1, 2, 2}), EW_OK);
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * v] += 3.0;
    }
    CU_ASSERT_EQUAL_FATAL(ew_operation_add(&s.b.mesh, &other, 1e-9, &s.b.edit), EW_OK);
    commit_skin(&s);
    CU_ASSERT_EQUAL(skin_area(&s, 1), 0.0);
    CLOSE(skin_area(&s, 2), 3.0, 1e-12);
    CLOSE(skin_area(&s, -1), 2.0 + 2 * 1.0 + 2 * 2.0, 1e-12);
    CU_ASSERT_EQUAL_FATAL(ew_operation_scale(&s.b.mesh, (double[3]){2, 2, 2}, (double[3]){0, 0, 0},
                                             &s.b.edit),
                          EW_OK);
    commit_skin(&s);
    CU_ASSERT_EQUAL(s.boundary.added.n + s.boundary.removed.n + s.boundary.kept.n, 0);
    CLOSE(skin_area(&s, 2), 12.0, 1e-12);
    ew_mesh_free(&other);
    stop(&s);
}

/* ---- random sequences -------------------------------------------------- */

/* Cuts a tet at a point inside it. */
static void queue_split(skin *s, int32_t t)
{
    const int32_t *tet = s->b.mesh.tet + 4 * t;
    double c[3];
    int32_t v;
    centroid(&s->b.mesh, t, c);
    ew_edit_remove_tet(&s->b.edit, t);
    ew_edit_add_vertex(&s->b.edit, c, &v);
    for (int f = 0; f < 4; f++) {
        int32_t part[4] = {tet[0], tet[1], tet[2], tet[3]};
        part[f] = v;
        ew_edit_add_tet(&s->b.edit, part, 0);
    }
}

static void queue_random(skin *s, past *gone, uint64_t *state)
{
    int32_t n = 1 + (int32_t)ew_test_random(state, 6);
    for (int32_t i = 0; i < n; i++) {
        uint32_t kind = ew_test_random(state, 8);
        if (kind < 4 && s->b.mesh.n_live_tet) {
            int32_t t = random_live_tet(&s->b.mesh, state);
            remember_tet(gone, s->b.mesh.tet + 4 * t, state);
            if (kind == 3) {
                queue_split(s, t);
            } else {
                ew_edit_remove_tet(&s->b.edit, t);
            }
        } else if (kind < 7 && gone->n) {
            ew_edit_add_tet(&s->b.edit, recall_tet(gone, state), 0);
        } else {
            int32_t v = (int32_t)ew_test_random(state, (uint32_t)s->b.mesh.n_vertex);
            if (s->b.mesh.valence[v] == 0) {
                ew_edit_remove_vertex(&s->b.edit, v);
            }
        }
    }
}

static void test_boundary_random(void)
{
    static past gone;
    skin s;
    uint64_t state = 11;
    int32_t accepted = 0;
    gone.n = 0;
    start(&s, 3, 2, 2);
    for (int i = 0; i < 3000; i++) {
        queue_random(&s, &gone, &state);
        if (!is_accepted(&s.b.mesh, &s.b.topology, &s.b.edit)) {
            ew_edit_clear(&s.b.edit);
            continue;
        }
        commit_skin(&s);
        accepted++;
    }
    CU_ASSERT(accepted > 500);
    printf("  %d of 3000 batches, %d faces in %d slots ... ", accepted, s.boundary.n_live,
           s.boundary.n_slot);
    stop(&s);
}

/* ---- failures ---------------------------------------------------------- */

static void test_boundary_update_without_memory(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        skin s;
        start(&s, 2, 1, 1);
        CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&s.b.mesh, &s.b.topology, 0, NULL, &s.b.edit),
                              EW_OK);
        commit(&s.b);
        ew_test_allocations_begin(k);
        ew_status status = ew_boundary_update(&s.boundary, &s.b.mesh, &s.b.topology, &s.b.change);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(s.boundary.revision, refused ? 0 : s.b.mesh.revision);
        CU_ASSERT_FATAL(k < 1000);
        stop(&s);
    }
}

static void test_boundary_build_without_memory(void)
{
    bool refused = true;
    skin s;
    start(&s, 2, 1, 1);
    for (int64_t k = 0; refused; k++) {
        ew_boundary boundary;
        ew_test_allocations_begin(k);
        ew_status status = ew_boundary_build(&boundary, &s.b.mesh, &s.b.topology);
        ew_boundary_free(&boundary);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 1000);
    }
    stop(&s);
}

static void test_boundary_stale_and_broken(void)
{
    skin s;
    start(&s, 2, 1, 1);
    ew_edit_remove_tet(&s.b.edit, 0);
    commit(&s.b);
    CU_ASSERT_EQUAL(ew_boundary_check(&s.boundary, &s.b.mesh, &s.b.topology), EW_STALE);
    CU_ASSERT_EQUAL_FATAL(ew_boundary_update(&s.boundary, &s.b.mesh, &s.b.topology, &s.b.change),
                          EW_OK);
    CU_ASSERT_EQUAL(ew_boundary_update(&s.boundary, &s.b.mesh, &s.b.topology, &s.b.change),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_boundary_check(&s.boundary, &s.b.mesh, &s.b.topology), EW_OK);
    s.boundary.n_live++;
    CU_ASSERT_EQUAL(ew_boundary_check(&s.boundary, &s.b.mesh, &s.b.topology), EW_TABLE_BOUNDARY);
    s.boundary.n_live--;
    s.boundary.hole.n++;
    CU_ASSERT_EQUAL(ew_list_push(&s.boundary.hole, 0), EW_OK);
    CU_ASSERT_EQUAL(ew_boundary_check(&s.boundary, &s.b.mesh, &s.b.topology), EW_TABLE_BOUNDARY);
    stop(&s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"boundary_refine", test_boundary_refine},
                           {"boundary_mirror", test_boundary_mirror},
                           {"boundary_remove", test_boundary_remove},
                           {"boundary_replaced", test_boundary_replaced},
                           {"boundary_reused_vertex", test_boundary_reused_vertex},
                           {"boundary_add_and_move", test_boundary_add_and_move},
                           {"boundary_random", test_boundary_random},
                           {"boundary_update_without_memory", test_boundary_update_without_memory},
                           {"boundary_build_without_memory", test_boundary_build_without_memory},
                           {"boundary_stale_and_broken", test_boundary_stale_and_broken},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"boundary", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
