/* Long sequences of edits: random mixed batches keep every rule and are told truly, a mesh
 * empties and fills again, undoing for ever costs no memory. */
#include "edit_fixture.h"
#include "random_edits.h"

static double random_offset(uint64_t *state, double size)
{
    return size * ((double)ew_test_random(state, 2001) / 1000.0 - 1.0);
}

/* A tet on a random face, with a new vertex above it; a face that is taken refuses it. */
static void queue_growth(ew_edit *edit, const ew_mesh *mesh, uint64_t *state)
{
    int32_t t = random_live_tet(mesh, state);
    const int8_t *face = ew_face_vertex[ew_test_random(state, 4)];
    int32_t v[3];
    double x[3] = {0}, a[3], b[3];
    for (int k = 0; k < 3; k++) {
        v[k] = mesh->tet[4 * t + face[k]];
        for (int i = 0; i < 3; i++) {
            x[i] += mesh->xyz[3 * v[k] + i] / 3.0;
        }
    }
    for (int i = 0; i < 3; i++) {
        a[i] = mesh->xyz[3 * v[1] + i] - mesh->xyz[3 * v[0] + i];
        b[i] = mesh->xyz[3 * v[2] + i] - mesh->xyz[3 * v[0] + i];
    }
    for (int i = 0; i < 3; i++) {
        x[i] += a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
    int32_t apex = add_vertex(edit, x[0], x[1], x[2]);
    CU_ASSERT_EQUAL(
        ew_edit_add_tet(edit, (int32_t[4]){v[0], v[1], v[2], apex}, (int32_t)(v[0] % 3)), EW_OK);
}

static void queue_move(ew_edit *edit, const ew_mesh *mesh, uint64_t *state)
{
    int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
    double size = ew_test_random(state, 8) ? 0.02 : 1.0;
    const double *x = mesh->xyz + 3 * v;
    move_vertex(edit, v, x[0] + random_offset(state, size), x[1] + random_offset(state, size),
                x[2] + random_offset(state, size));
}

/* Tets that were removed, to be put back; vertices may have moved or gone meanwhile. */
typedef struct memory {
    int32_t n;
    int32_t tet[4096][4];
} memory;

static void queue_return(ew_edit *edit, const memory *gone, uint64_t *state)
{
    if (gone->n) {
        const int32_t *v = gone->tet[ew_test_random(state, (uint32_t)gone->n)];
        add_tet(edit, v[0], v[1], v[2], v[3]);
    }
}

static void queue_random(ew_edit *edit, const ew_mesh *mesh, const memory *gone, uint64_t *state)
{
    uint32_t kind = ew_test_random(state, 16);
    if (kind < 5 && mesh->n_live_tet) {
        ew_edit_remove_tet(edit, random_live_tet(mesh, state));
    } else if (kind < 9 && mesh->n_live_tet) {
        queue_growth(edit, mesh, state);
    } else if (kind < 12) {
        queue_return(edit, gone, state);
    } else if (kind < 14) {
        queue_move(edit, mesh, state);
    } else {
        int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
        for (int32_t i = 0; i < mesh->n_vertex && mesh->valence[v] != 0; i++) {
            v = (v + 1) % mesh->n_vertex;
        }
        ew_edit_remove_vertex(edit, v); /* one without tets, where there is one */
    }
}

/* The change against what the meshes before and after say. */
static void check_change(const ew_change *change, const ew_mesh *before, const ew_mesh *after)
{
    int32_t emptied = 0, filled = 0, moved = 0;
    for (int32_t v = 0; v < after->n_vertex; v++) {
        bool new = v >= before->n_vertex || before->valence[v] < 0 ||
                   before->vertex_id[v] != after->vertex_id[v];
        bool was = v < before->n_vertex && before->valence[v] > 0, is = after->valence[v] > 0;
        if (was && !is) {
            CU_ASSERT_FATAL(emptied < change->emptied_vertex.n);
            CU_ASSERT_EQUAL(change->emptied_vertex.id[emptied++], v);
        }
        if (is && (!was || new)) {
            CU_ASSERT_FATAL(filled < change->filled_vertex.n);
            CU_ASSERT_EQUAL(change->filled_vertex.id[filled++], v);
        }
    }
    CU_ASSERT_EQUAL(emptied, change->emptied_vertex.n);
    CU_ASSERT_EQUAL(filled, change->filled_vertex.n);
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        CU_ASSERT_EQUAL(memcmp(change->removed_tet_vertex + 4 * i,
                               before->tet + 4 * change->removed_tet.id[i], 16),
                        0);
    }
    for (int32_t t = 0; t < before->n_tet; t++) {
        bool touched = false;
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(before, t); k++) {
            int32_t v = before->tet[4 * t + k];
            touched |= memcmp(before->xyz + 3 * v, after->xyz + 3 * v, 24) != 0;
        }
        if (touched && ew_mesh_tet_is_live(after, t) && before->tet_id[t] == after->tet_id[t]) {
            CU_ASSERT_FATAL(moved < change->moved_tet.n);
            CU_ASSERT_EQUAL(change->moved_tet.id[moved++], t);
        }
    }
    CU_ASSERT_EQUAL(moved, change->moved_tet.n);
}

static void test_random_batches_keep_every_rule(void)
{
    static memory gone;
    uint64_t state = 20240607;
    int32_t accepted = 0, refused = 0;
    pair p;
    pair_begin(&p, 2);
    gone.n = 0;
    for (int i = 0; i < 4000; i++) {
        ew_mesh before;
        CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&before, &p.mesh), EW_OK);
        uint32_t n = 1 + ew_test_random(&state, ew_test_random(&state, 4) ? 3 : 12);
        for (uint32_t k = 0; k < n; k++) {
            queue_random(&p.edit, &p.mesh, &gone, &state);
        }
        ew_status status = pair_commit(&p);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        accepted += !status;
        refused += status != EW_OK;
        if (!status) {
            check_change(&p.change, &before, &p.mesh);
        }
        for (int32_t k = 0; k < p.change.removed_tet.n; k++) {
            int32_t place = gone.n < 4096 ? gone.n++ : (int32_t)ew_test_random(&state, 4096);
            memcpy(gone.tet[place], p.change.removed_tet_vertex + 4 * k, 16);
        }
        ew_mesh_free(&before);
    }
    CU_ASSERT(accepted > 1000);
    CU_ASSERT(refused > 1000);
    pair_end(&p);
}

/* Down to nothing, one tet after the other, and up again in another order. */
static void test_mesh_empties_and_fills_again(void)
{
    pair p;
    ew_mesh first;
    uint64_t state = 7;
    pair_begin(&p, 2);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&first, &p.mesh), EW_OK);
    while (p.mesh.n_live_tet) {
        ew_edit_remove_tet(&p.edit, random_live_tet(&p.mesh, &state));
        CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    }
    CU_ASSERT_EQUAL(p.mesh.n_active_vertex, 0);
    for (int32_t v = 0; v < first.n_vertex; v++) {
        ew_edit_remove_vertex(&p.edit, v);
    }
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    CU_ASSERT_EQUAL(p.mesh.vertex_hole.n, first.n_vertex);
    int32_t *now = calloc((size_t)first.n_vertex, sizeof *now);
    for (int32_t v = 0; v < first.n_vertex; v++) {
        const double *x = first.xyz + 3 * v;
        add_vertex(&p.edit, x[0], x[1], x[2]);
    }
    CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    for (int32_t v = 0; v < first.n_vertex; v++) {
        now[v] = p.change.added_vertex.id[v];
    }
    for (int32_t t = 0; t < first.n_tet; t++) {
        const int32_t *v = first.tet + 4 * t;
        add_tet(&p.edit, now[v[0]], now[v[1]], now[v[2]], now[v[3]]);
        CU_ASSERT_EQUAL(pair_commit(&p), EW_OK);
    }
    CU_ASSERT_EQUAL(p.mesh.n_tet, first.n_tet);
    CU_ASSERT_EQUAL(p.mesh.n_vertex, first.n_vertex);
    CU_ASSERT_EQUAL(p.mesh.tet_hole.n, 0);
    CU_ASSERT_EQUAL(p.mesh.next_vertex_id, 2 * first.n_vertex);
    free(now);
    ew_mesh_free(&first);
    pair_end(&p);
}

/* A removal and its undo repeated for long take no more memory. */
static void test_undo_for_ever_keeps_the_size(void)
{
    ew_mesh mesh;
    ew_edit edit = {0};
    ew_change change = {0};
    make_cube(&mesh, 2);
    int32_t v[4];
    for (int i = 0; i < 20000; i++) {
        int32_t t = i % mesh.n_tet;
        memcpy(v, mesh.tet + 4 * t, sizeof v);
        ew_edit_remove_tet(&edit, t);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&mesh, &edit, NULL, &change), EW_OK);
        ew_edit_clear(&edit);
        ew_edit_add_tet(&edit, v, 0);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&mesh, &edit, NULL, &change), EW_OK);
        ew_edit_clear(&edit);
    }
    CU_ASSERT_EQUAL(mesh.tet_capacity, 48);
    CU_ASSERT(mesh.tet_hole.capacity <= 8);
    CU_ASSERT(change.removed_tet.capacity <= 8);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

int main(int argc, char **argv)
{
    CU_TestInfo sequences[] = {
        {"test_random_batches_keep_every_rule", test_random_batches_keep_every_rule},
        {"test_mesh_empties_and_fills_again", test_mesh_empties_and_fills_again},
        {"test_undo_for_ever_keeps_the_size", test_undo_for_ever_keeps_the_size},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"sequences", NULL, NULL, NULL, NULL, sequences},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
