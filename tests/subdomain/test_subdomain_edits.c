/* Random edits of a mesh and of its parts, for 1 to 16 of them: rows stay those of the whole, bit
 * for bit, and atoms the same for any number of parts. EW_EDITS in the environment: how many. */
#include "random_edits.h"
#include "shape/parts/shape.h"
#include "subdomain_fixture.h"

typedef struct trial {
    whole w;
    ew_edit edit;
    uint64_t state;
    past gone;
    ew_set used; /* vertices that the batch has moved or removed */
    int64_t n_done, n_refused;
} trial;

static uint32_t pick(trial *t, uint32_t bound)
{
    return ew_test_random(&t->state, bound);
}

static double jitter(trial *t, double size)
{
    return size * ((double)pick(t, 2000001) / 1e6 - 1.0);
}

static bool is_queued(const ew_list *list, int32_t id)
{
    for (int32_t i = 0; i < list->n; i++) {
        if (list->id[i] == id) {
            return true;
        }
    }
    return false;
}

/* A tet and, now and then, all tets at a corner of it. */
static void queue_removal(trial *t)
{
    const ew_rows *rows = &t->w.topology.vertex_to_tet;
    const int32_t one = random_live_tet(&t->w.mesh, &t->state);
    if (one < 0 || t->w.mesh.n_live_tet < 60) {
        return;
    }
    const int32_t v = t->w.mesh.tet[4 * one + (int32_t)pick(t, 4)];
    const bool all = pick(t, 4) == 0;
    for (int32_t i = 0; i < (all ? rows->count[v] : 1); i++) {
        const int32_t tet = all ? rows->item[rows->begin[v] + i] : one;
        if (!is_queued(&t->edit.remove_tet, tet)) {
            remember_tet(&t->gone, t->w.mesh.tet + 4 * tet, &t->state);
            must(ew_edit_remove_tet(&t->edit, tet));
        }
    }
}

static void queue_return(trial *t)
{
    bool alive = t->gone.n > 0;
    const int32_t *tet = alive ? recall_tet(&t->gone, &t->state) : NULL;
    for (int k = 0; alive && k < 4; k++) {
        alive = t->w.mesh.valence[tet[k]] >= 0 && !is_queued(&t->edit.remove_vertex, tet[k]);
    }
    if (alive) {
        must(ew_edit_add_tet(&t->edit, tet, 1));
    }
}

static void queue_move(trial *t)
{
    const int32_t v = (int32_t)pick(t, (uint32_t)t->w.mesh.n_vertex);
    double to[3];
    if (t->w.mesh.valence[v] < 0 || is_queued(&t->edit.move_vertex, v) ||
        is_queued(&t->edit.remove_vertex, v)) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        to[c] = t->w.mesh.xyz[3 * v + c] + jitter(t, pick(t, 8) ? 0.01 : 0.2);
    }
    must(ew_edit_move_vertex(&t->edit, v, to));
}

/* All tets at an edge in two, by a vertex on it. */
static void queue_split(trial *t)
{
    const ew_mesh *mesh = &t->w.mesh;
    const ew_rows *rows = &t->w.topology.edge_to_tet;
    const int32_t pair = (int32_t)pick(t, (uint32_t)t->w.topology.pattern.n_pair);
    const int32_t *end = t->w.topology.pattern.pair_row + 2 * pair;
    const double fraction = pick(t, 2) ? 0.5 : 0.3;
    double at[3];
    int32_t middle;
    if (end[0] < 0 || mesh->n_live_tet > 700 || t->edit.remove_tet.n || t->edit.move_vertex.n) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        at[c] = (1 - fraction) * mesh->xyz[3 * end[0] + c] + fraction * mesh->xyz[3 * end[1] + c];
    }
    must(ew_edit_add_vertex_between(&t->edit, at, end[0], end[1], fraction, &middle));
    for (int32_t i = 0; i < rows->count[pair]; i++) {
        const int32_t tet = rows->item[rows->begin[pair] + i];
        must(ew_edit_remove_tet(&t->edit, tet));
        for (int half = 0; half < 2; half++) {
            int32_t corner[4];
            for (int k = 0; k < 4; k++) {
                corner[k] = mesh->tet[4 * tet + k] == end[half] ? middle : mesh->tet[4 * tet + k];
            }
            must(
                ew_edit_add_tet_from(&t->edit, corner, mesh->region_label[mesh->region[tet]], tet));
        }
    }
}

/* A tet on a face of the boundary, with a vertex of its own and a label. */
static void queue_growth(trial *t)
{
    const ew_mesh *mesh = &t->w.mesh;
    const int32_t tet = random_live_tet(mesh, &t->state);
    const int32_t face = 4 * tet + (int32_t)pick(t, 4);
    if (tet < 0 || mesh->n_live_tet > 700 || is_queued(&t->edit.remove_tet, tet) ||
        ew_topology_face_neighbor(&t->w.topology, mesh, face) >= 0) {
        return;
    }
    double area[3], apex[3] = {0, 0, 0};
    int32_t corner[3], vertex;
    ew_face_area_vector(mesh, face, area);
    const double size = sqrt(sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]));
    for (int k = 0; k < 3; k++) {
        corner[k] = mesh->tet[4 * tet + ew_face_vertex[face % 4][k]];
        for (int c = 0; c < 3; c++) {
            apex[c] += mesh->xyz[3 * corner[k] + c] / 3 + 0.2 / size * area[c];
        }
    }
    must(ew_edit_add_vertex(&t->edit, apex, &vertex));
    must(ew_edit_add_tet(&t->edit, (int32_t[]){corner[0], corner[1], corner[2], vertex}, 1));
    must(ew_edit_add_face(&t->edit, (int32_t[]){corner[0], corner[1], vertex}, 40));
}

static void queue_vertex_removal(trial *t)
{
    const int32_t v = (int32_t)pick(t, (uint32_t)t->w.mesh.n_vertex);
    bool named = t->w.mesh.valence[v] != 0 || is_queued(&t->edit.move_vertex, v) ||
                 is_queued(&t->edit.remove_vertex, v);
    for (int32_t i = 0; i < 4 * t->edit.n_add_tet; i++) {
        named = named || t->edit.add_tet[i] == v;
    }
    if (!named && pick(t, 3) == 0) {
        must(ew_edit_remove_vertex(&t->edit, v));
    }
}

static void queue_batch(trial *t)
{
    static void (*const kind[])(trial *) = {queue_split,         queue_removal, queue_return,
                                            queue_return,        queue_move,    queue_growth,
                                            queue_vertex_removal};
    ew_edit_clear(&t->edit);
    for (uint32_t n = 1 + pick(t, 5); n > 0; n--) {
        kind[pick(t, sizeof kind / sizeof *kind)](t);
    }
}

/* The hash of all atoms at the end, which no number of parts changes. */
static uint64_t play(int32_t n_part, int n_edit)
{
    trial t = {.state = seed_of(77)};
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1, 1.2, 0.8}, (int32_t[]){3, 4, 3}));
    make_whole(&t.w, &mesh, 4, n_part);
    for (int i = 0; i < n_edit; i++) {
        queue_batch(&t);
        if (edit_whole(&t.w, &t.edit, i % n_part)) {
            t.n_done++;
        } else {
            t.n_refused++;
        }
        if (i % 8 == 7) {
            halve_atoms(&t.w, 8);
        }
        if (i % 32 == 31) {
            deal_again(&t.w, n_part);
        }
        compare_rows(&t.w);
        compare_exchange(&t.w);
        if (i % 16 == 15) {
            validate_parts(&t.w);
        }
    }
    validate_parts(&t.w);
    CU_ASSERT(t.n_done > n_edit / 2);
    CU_ASSERT(t.n_refused > 0);
    uint64_t hash = EW_HASH_START;
    for (int32_t v = 0; v < t.w.mesh.n_vertex; v++) {
        hash = t.w.mesh.valence[v] > 0 ? ew_hash(hash, &t.w.atom[v], sizeof *t.w.atom) : hash;
    }
    free_whole(&t.w);
    ew_edit_free(&t.edit);
    return hash;
}

static void test_random_edits(void)
{
    const int n_edit = edits_of(MAX_PART, 40);
    const uint64_t hash = play(1, n_edit);
    for (int32_t n_part = 2; n_part <= MAX_PART; n_part++) {
        CU_ASSERT_EQUAL(play(n_part, n_edit), hash);
    }
}

static CU_TestInfo tests[] = {{"random_edits", test_random_edits}, CU_TEST_INFO_NULL};
static CU_SuiteInfo suites[] = {{"subdomain_edits", NULL, NULL, NULL, NULL, tests},
                                CU_SUITE_INFO_NULL};

int main(int argc, char **argv)
{
    return ew_test_main(argc, argv, suites);
}
