/* Tests of updating the neighbor tables: after any edits they equal tables built again, the
 * change lists all that must be recomputed, and nothing grows. */
#include "random_edits.h"
#include "topology_oracle.h"

/* ---- random edits ------------------------------------------------------------------ */

/* A tet of any four vertices, turned the right way round; it may overlap others, which
 * the tables need not care about. May be refused by the commit. */
static void queue_random_tet(ew_edit *edit, const ew_mesh *mesh, uint64_t *state)
{
    int32_t vertex[4];
    const double *x[4];
    for (int k = 0; k < 4; k++) {
        do {
            vertex[k] = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
        } while (mesh->valence[vertex[k]] < 0);
        x[k] = mesh->xyz + 3 * (size_t)vertex[k];
    }
    if (ew_tet_volume(x[0], x[1], x[2], x[3]) < 0) {
        int32_t swap = vertex[0];
        vertex[0] = vertex[1];
        vertex[1] = swap;
    }
    CU_ASSERT_EQUAL(ew_edit_add_tet(edit, vertex, 1), EW_OK);
}

/* A new vertex above a boundary face, and the tet between. */
static void queue_vertex_above(ew_edit *edit, const ew_mesh *mesh, int32_t face)
{
    double area[3], xyz[3] = {0};
    ew_face_area_vector(mesh, face, area);
    int32_t tet[4], added;
    for (int k = 0; k < 3; k++) {
        tet[k] = mesh->tet[4 * (size_t)(face / 4) + (size_t)ew_face_vertex[face % 4][k]];
        for (int c = 0; c < 3; c++) {
            xyz[c] += mesh->xyz[3 * (size_t)tet[k] + (size_t)c] / 3 + area[c] / 3;
        }
    }
    CU_ASSERT_EQUAL(ew_edit_add_vertex(edit, xyz, &added), EW_OK);
    tet[3] = added;
    CU_ASSERT_EQUAL(ew_edit_add_tet(edit, tet, 1), EW_OK);
}

static void queue_new_vertex(ew_edit *edit, const ew_mesh *mesh, const ew_topology *topology,
                             uint64_t *state)
{
    int32_t face = -1;
    do {
        if (!mesh->n_live_tet) {
            return;
        }
        face = 4 * random_live_tet(mesh, state) + (int32_t)ew_test_random(state, 4);
    } while (ew_topology_face_neighbor(topology, mesh, face) >= 0);
    queue_vertex_above(edit, mesh, face);
}

static void queue_move(ew_edit *edit, const ew_mesh *mesh, uint64_t *state)
{
    int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
    if (mesh->valence[v] >= 0) {
        double xyz[3];
        for (int c = 0; c < 3; c++) {
            xyz[c] = mesh->xyz[3 * (size_t)v + (size_t)c] +
                     ((double)ew_test_random(state, 1000) - 500) * 1e-5;
        }
        CU_ASSERT_EQUAL(ew_edit_move_vertex(edit, v, xyz), EW_OK);
    }
}

/* Removes about every `every`-th tet, and every vertex that is without tets already. */
static void queue_removals(ew_edit *edit, const ew_mesh *mesh, uint64_t *state, uint32_t every)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && !ew_test_random(state, every)) {
            CU_ASSERT_EQUAL(ew_edit_remove_tet(edit, t), EW_OK);
        }
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!mesh->valence[v] && mesh->n_active_vertex > 60 && !ew_test_random(state, 4)) {
            CU_ASSERT_EQUAL(ew_edit_remove_vertex(edit, v), EW_OK);
        }
    }
}

/* One batch: mostly small; now and then half of the mesh; twice all of it. Tets are put
 * back in the same batch or left out, so that edges are both freed and kept. */
static void queue_batch(ew_edit *edit, const ew_mesh *mesh, const ew_topology *topology, int step,
                        uint64_t *state)
{
    ew_edit_clear(edit);
    uint32_t few = (uint32_t)mesh->n_live_tet / 2 + 1;
    queue_removals(edit, mesh, state, step % 900 == 899 ? 1 : step % 100 == 99 ? 2 : few);
    for (int32_t i = 0; i < edit->remove_tet.n; i++) {
        if (step % 900 != 899 && ew_test_random(state, 2)) {
            const int32_t *vertex = mesh->tet + 4 * (size_t)edit->remove_tet.id[i];
            CU_ASSERT_EQUAL(ew_edit_add_tet(edit, vertex, 1), EW_OK);
        }
    }
    if (step % 900 == 899) {
        return;
    }
    int32_t n_add = mesh->n_live_tet < 300 ? (int32_t)ew_test_random(state, 5) : 0;
    for (int32_t i = 0; i < n_add; i++) {
        queue_random_tet(edit, mesh, state);
    }
    if (mesh->n_active_vertex < 150 && ew_test_random(state, 2)) {
        queue_new_vertex(edit, mesh, topology, state);
    }
    if (ew_test_random(state, 3) == 0) {
        queue_move(edit, mesh, state);
    }
}

static void test_update_equals_rebuild(void)
{
    enum { STEPS = 4000 };
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit = {0};
    ew_change change = {0};
    blocks b = {0};
    uint64_t state = 20;
    int applied = 0, emptied = 0, created = 0, freed = 0;
    make_box(&mesh, 3, 3, 2);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    revalidate_all(&b, &topology, &mesh, &topology.touched);
    for (int step = 0; step < STEPS; step++) {
        queue_batch(&edit, &mesh, &topology, step, &state);
        int32_t n_before = topology.pattern.n_live_pair;
        ew_status status = ew_mesh_commit(&mesh, &edit, &topology.vertex_to_tet, &change);
        if (status == EW_BAD_EDIT) {
            CU_ASSERT_EQUAL(ew_topology_check(&topology, &mesh), EW_OK);
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(status, EW_OK);
        if (topology.pattern.revision == mesh.revision) {
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(ew_topology_update(&topology, &mesh, &change), EW_OK);
        revalidate(&b, &topology, &mesh, &topology.touched);
        CU_ASSERT_TRUE_FATAL(tables_agree(&topology, &mesh));
        CU_ASSERT_TRUE_FATAL(blocks_are_current(&b, &topology, &mesh));
        CU_ASSERT_TRUE_FATAL(change_is_sound(&topology.touched, &topology, n_before));
        applied++;
        emptied += !mesh.n_live_tet;
        created += topology.touched.created_pair.n > 0;
        freed += topology.touched.freed_pair.n > 0;
    }
    CU_ASSERT_TRUE(applied > STEPS / 2);
    CU_ASSERT_TRUE(emptied >= 2);
    CU_ASSERT_TRUE(created > 1000 && freed > 500);
    free_blocks(&b);
    ew_edit_free(&edit);
    ew_change_free(&change);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

/* ---- update: cost and failures ---------------------------------------------------- */

typedef struct editing {
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit;
    ew_change change;
} editing;

static void begin_editing(editing *s)
{
    *s = (editing){0};
    make_box(&s->mesh, 4, 4, 4);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&s->topology, &s->mesh), EW_OK);
}

static void end_editing(editing *s)
{
    ew_edit_free(&s->edit);
    ew_change_free(&s->change);
    ew_topology_free(&s->topology);
    ew_mesh_free(&s->mesh);
}

static void commit(editing *s)
{
    CU_ASSERT_EQUAL_FATAL(
        ew_mesh_commit(&s->mesh, &s->edit, &s->topology.vertex_to_tet, &s->change), EW_OK);
}

/* Takes some tets out and puts them back in two commits. */
static void remove_and_undo(editing *s, int32_t first, int32_t n, bool frozen)
{
    int32_t vertex[16][4];
    for (int pass = 0; pass < 2; pass++) {
        ew_edit_clear(&s->edit);
        for (int32_t i = 0; i < n; i++) {
            if (pass) {
                CU_ASSERT_EQUAL(ew_edit_add_tet(&s->edit, vertex[i], 1), EW_OK);
            } else {
                memcpy(vertex[i], s->mesh.tet + 4 * (size_t)(first + i), sizeof vertex[i]);
                CU_ASSERT_EQUAL(ew_edit_remove_tet(&s->edit, first + i), EW_OK);
            }
        }
        commit(s);
        if (frozen) {
            ew_test_allocations_begin(0);
        }
        CU_ASSERT_EQUAL_FATAL(ew_topology_update(&s->topology, &s->mesh, &s->change), EW_OK);
        CU_ASSERT_FALSE(frozen && ew_test_allocations_end());
    }
}

static void test_update_does_not_grow(void)
{
    editing s;
    begin_editing(&s);
    size_t bytes = 0;
    for (int round = 0; round < 60; round++) {
        for (int32_t first = 0; first + 16 <= s.mesh.n_tet; first += 16) {
            remove_and_undo(&s, first, 1 + first % 16, round >= 20);
        }
        if (round == 20) {
            bytes = ew_topology_bytes(&s.topology);
        }
    }
    CU_ASSERT_EQUAL(ew_topology_bytes(&s.topology), bytes);
    CU_ASSERT_TRUE(tables_agree(&s.topology, &s.mesh));
    end_editing(&s);
}

static void test_update_reports_the_touched(void)
{
    editing s = {0};
    make_pair(&s.mesh);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&s.topology, &s.mesh), EW_OK);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&s.edit, 1), EW_OK);
    commit(&s);
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&s.topology, &s.mesh, &s.change), EW_OK);
    static const int32_t freed[3] = {5, 7, 8}, touched[3] = {3, 4, 6}, vertex[4] = {1, 2, 3, 4};
    CU_ASSERT_EQUAL(s.topology.touched.created_pair.n, 0);
    CU_ASSERT_EQUAL_FATAL(s.topology.touched.freed_pair.n, 3);
    CU_ASSERT_EQUAL_FATAL(s.topology.touched.touched_pair.n, 3);
    CU_ASSERT_EQUAL_FATAL(s.topology.touched.touched_row.n, 4);
    CU_ASSERT_FALSE(memcmp(s.topology.touched.freed_pair.id, freed, sizeof freed));
    CU_ASSERT_FALSE(memcmp(s.topology.touched.touched_pair.id, touched, sizeof touched));
    CU_ASSERT_FALSE(memcmp(s.topology.touched.touched_row.id, vertex, sizeof vertex));
    CU_ASSERT_EQUAL(s.topology.vertex_to_tet.count[4], 0);
    CU_ASSERT_EQUAL(s.topology.pattern.row_to_pair.count[4], 0);
    CU_ASSERT_EQUAL(s.topology.pattern.n_live_pair, 6);
    end_editing(&s);
}

static void test_update_refuses_a_stale_change(void)
{
    editing s;
    begin_editing(&s);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&s.edit, 7), EW_OK);
    commit(&s);
    CU_ASSERT_EQUAL(ew_topology_check(&s.topology, &s.mesh), EW_STALE);
    CU_ASSERT_EQUAL(ew_topology_update(&s.topology, &s.mesh, &s.change), EW_OK);
    CU_ASSERT_EQUAL(ew_topology_update(&s.topology, &s.mesh, &s.change), EW_STALE);
    CU_ASSERT_EQUAL(ew_topology_check(&s.topology, &s.mesh), EW_OK);
    end_editing(&s);
}

/* A batch that removes a third of the mesh, or one that covers its surface with tets. */
static void queue_large_batch(editing *s, bool add)
{
    uint64_t state = 3;
    ew_list face = {0};
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&s->topology, &s->mesh, &face), EW_OK);
    for (int32_t i = 0; i < face.n && add; i++) {
        queue_vertex_above(&s->edit, &s->mesh, face.id[i]);
    }
    if (!add) {
        queue_removals(&s->edit, &s->mesh, &state, 3);
    }
    ew_list_free(&face);
}

/* Moves leave the tables as they are; nothing is listed, so that nothing can follow by mistake. */
static void test_pass_takes_moves_alone(void)
{
    editing s;
    uint64_t state = 3;
    begin_editing(&s);
    queue_move(&s.edit, &s.mesh, &state);
    commit(&s);
    CU_ASSERT_EQUAL(ew_topology_pass(&s.topology, &s.mesh, &s.change), EW_OK);
    CU_ASSERT_TRUE(tables_agree(&s.topology, &s.mesh));
    CU_ASSERT(s.topology.touched.to_revision == 0 && s.topology.touched.touched_pair.n == 0);
    CU_ASSERT_EQUAL(ew_topology_pass(&s.topology, &s.mesh, &s.change), EW_STALE);
    ew_edit_clear(&s.edit);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&s.edit, 7), EW_OK);
    commit(&s);
    CU_ASSERT_EQUAL(ew_topology_pass(&s.topology, &s.mesh, &s.change), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_topology_update(&s.topology, &s.mesh, &s.change), EW_OK);
    end_editing(&s);
}

static void test_update_without_memory(void)
{
    for (int add = 0; add < 2; add++) {
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            editing s;
            begin_editing(&s);
            queue_large_batch(&s, add);
            commit(&s);
            ew_test_allocations_begin(k);
            ew_status status = ew_topology_update(&s.topology, &s.mesh, &s.change);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_EQUAL(s.topology.pattern.revision, refused ? 0 : s.mesh.revision);
            CU_ASSERT_TRUE(refused || (k > 10 && tables_agree(&s.topology, &s.mesh)));
            end_editing(&s);
        }
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo update[] = {
        {"test_update_equals_rebuild", test_update_equals_rebuild},
        {"test_update_does_not_grow", test_update_does_not_grow},
        {"test_update_reports_the_touched", test_update_reports_the_touched},
        {"test_update_refuses_a_stale_change", test_update_refuses_a_stale_change},
        {"test_pass_takes_moves_alone", test_pass_takes_moves_alone},
        {"test_update_without_memory", test_update_without_memory},
        CU_TEST_INFO_NULL,
    };
    static const CU_SuiteInfo suites[] = {
        {"topology: update", NULL, NULL, NULL, NULL, update},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
