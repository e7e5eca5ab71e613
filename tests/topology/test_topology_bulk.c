/* Tests of updating the neighbor tables from batches that touch much of the mesh: cuts,
 * holes everywhere, everything gone, back again, replaced or moved. */
#include "topology_oracle.h"

#include "operation/parts/operation.h"

/* A mesh whose original tets come and go. */
typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit;
    ew_change change;
    blocks blocks;
    int32_t n;      /* original tets */
    int32_t *tet;   /* [n][4] their vertices */
    int32_t *slot;  /* [n] where each is, -1: gone */
    ew_list coming; /* original tets queued to be added */
} body;

static void begin(body *b)
{
    *b = (body){0};
    make_box(&b->mesh, 7, 6, 5);
    b->n = b->mesh.n_tet;
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new(&b->tet, (size_t)b->n, 4 * sizeof *b->tet), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new(&b->slot, (size_t)b->n, sizeof *b->slot), EW_OK);
    memcpy(b->tet, b->mesh.tet, 4 * (size_t)b->n * sizeof *b->tet);
    for (int32_t i = 0; i < b->n; i++) {
        b->slot[i] = i;
    }
    revalidate_all(&b->blocks, &b->topology, &b->mesh, &b->topology.touched);
}

static void end(body *b)
{
    ew_mesh_free(&b->mesh);
    ew_topology_free(&b->topology);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
    free_blocks(&b->blocks);
    ew_release(b->tet);
    ew_release(b->slot);
    ew_list_free(&b->coming);
}

static void take_out(body *b, int32_t i)
{
    if (b->slot[i] >= 0) {
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&b->edit, b->slot[i]), EW_OK);
        b->slot[i] = -1;
    }
}

static void put_in(body *b, int32_t i)
{
    if (b->slot[i] < 0) {
        CU_ASSERT_EQUAL(ew_edit_add_tet(&b->edit, b->tet + 4 * (size_t)i, 1), EW_OK);
        CU_ASSERT_EQUAL(ew_list_push(&b->coming, i), EW_OK);
    }
}

static void move_some(body *b, uint32_t every, uint64_t *state)
{
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        if (!ew_test_random(state, every)) {
            double x[3];
            memcpy(x, b->mesh.xyz + 3 * (size_t)v, sizeof x);
            x[0] += ((double)ew_test_random(state, 1000) - 500) * 1e-5;
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&b->edit, v, x), EW_OK);
        }
    }
}

/* Commits, updates and compares with tables built again. */
static void apply(body *b)
{
    int32_t n_before = b->topology.pattern.n_live_pair;
    CU_ASSERT_EQUAL_FATAL(
        ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change), EW_OK);
    for (int32_t k = 0; k < b->coming.n; k++) {
        b->slot[b->coming.id[k]] = b->change.added_tet.id[k];
    }
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&b->topology, &b->mesh, &b->change), EW_OK);
    revalidate(&b->blocks, &b->topology, &b->mesh, &b->topology.touched);
    CU_ASSERT_TRUE_FATAL(tables_agree(&b->topology, &b->mesh));
    CU_ASSERT_TRUE_FATAL(blocks_are_current(&b->blocks, &b->topology, &b->mesh));
    CU_ASSERT_TRUE_FATAL(change_is_sound(&b->topology.touched, &b->topology, n_before));
    ew_edit_clear(&b->edit);
    b->coming.n = 0;
}

static void queue_round(body *b, int round, uint64_t *state)
{
    for (int32_t i = 0; i < b->n; i++) {
        int32_t back = b->n - 1 - i; /* into the slots that were freed last */
        switch (round % 6) {
        case 0: /* a cut */
            i < b->n / 2 ? take_out(b, i) : put_in(b, i);
            break;
        case 1:
            put_in(b, back);
            break;
        case 2: /* holes everywhere */
            ew_test_random(state, 2) ? take_out(b, i) : put_in(b, i);
            break;
        case 3: /* one by one replaced */
            take_out(b, i);
            put_in(b, i);
            break;
        case 4:
            take_out(b, back);
            break;
        default:
            ew_test_random(state, 3) ? take_out(b, i) : put_in(b, i);
        }
    }
    if (round % 6 != 4) {
        move_some(b, round % 6 == 1 ? 2 : 40, state);
    }
}

static void test_bulk_update_equals_rebuild(void)
{
    enum { ROUNDS = 120 };
    body b;
    uint64_t state = 11;
    begin(&b);
    for (int round = 0; round < ROUNDS; round++) {
        queue_round(&b, round, &state);
        apply(&b);
        CU_ASSERT_TRUE(round % 6 != 4 || b.topology.pattern.n_live_pair == 0);
    }
    CU_ASSERT_TRUE(b.topology.pattern.n_pair < 2 * b.topology.pattern.n_live_pair + 6 * b.n);
    end(&b);
}

/* Both ways of updating meet in one sequence of edits. */
static void test_bulk_and_single_updates_mix(void)
{
    body b;
    uint64_t state = 12;
    begin(&b);
    for (int round = 0; round < 300; round++) {
        int32_t n = round % 10 ? 1 + round % 5 : 60;
        int32_t first = (int32_t)ew_test_random(&state, (uint32_t)(b.n - n));
        for (int32_t i = first; i < first + n; i++) {
            b.slot[i] < 0 ? put_in(&b, i) : take_out(&b, i);
        }
        apply(&b);
    }
    end(&b);
}

/* A mirrored body: new vertices, and those on the mirror gain tets; in holes and beyond them. */
static void test_bulk_addition_of_new_vertices(void)
{
    const ew_mirror_def def = {.point = {3, 0, 0}, .normal = {1, 0, 0}, .tolerance = 1e-9};
    for (uint32_t holes = 0; holes < 3; holes++) {
        body b;
        uint64_t state = 14;
        begin(&b);
        for (int32_t i = 0; i < b.n; i++) {
            if (holes && !ew_test_random(&state, 4 - holes)) {
                take_out(&b, i);
            }
        }
        apply(&b);
        int32_t n_tet = b.mesh.n_live_tet, n_vertex = b.mesh.n_vertex;
        CU_ASSERT_EQUAL_FATAL(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_OK);
        apply(&b);
        CU_ASSERT_EQUAL(b.mesh.n_live_tet, 2 * n_tet);
        CU_ASSERT_TRUE(b.mesh.n_vertex > n_vertex && b.mesh.n_vertex < 2 * n_vertex);
        end(&b);
    }
}

/* The same edits give the same slots. */
static void test_bulk_update_repeats_itself(void)
{
    body b[2];
    for (int twin = 0; twin < 2; twin++) {
        uint64_t state = 13;
        begin(&b[twin]);
        for (int round = 0; round < 12; round++) {
            queue_round(&b[twin], round, &state);
            apply(&b[twin]);
        }
    }
    const ew_topology *one = &b[0].topology, *other = &b[1].topology;
    CU_ASSERT_EQUAL_FATAL(one->pattern.n_pair, other->pattern.n_pair);
    CU_ASSERT_EQUAL(memcmp(one->pattern.pair_row, other->pattern.pair_row,
                           2 * (size_t)one->pattern.n_pair * sizeof(int32_t)),
                    0);
    CU_ASSERT_EQUAL_FATAL(one->pattern.pair_hole.n, other->pattern.pair_hole.n);
    CU_ASSERT_EQUAL(memcmp(one->pattern.pair_hole.id, other->pattern.pair_hole.id,
                           (size_t)one->pattern.pair_hole.n * sizeof(int32_t)),
                    0);
    end(&b[0]);
    end(&b[1]);
}

/* Nearly all tets replaced in one batch: memory is reserved for what was there, not for as many
 * times that as tets stay behind. */
static void test_bulk_replacement_stays_small(void)
{
    body b;
    begin(&b);
    const size_t before = ew_topology_bytes(&b.topology);
    for (int32_t i = 4; i < b.n; i++) {
        take_out(&b, i);
        put_in(&b, i);
    }
    apply(&b);
    CU_ASSERT_TRUE(ew_topology_bytes(&b.topology) < 4 * before);
    end(&b);
}

int main(int argc, char **argv)
{
    static CU_TestInfo bulk[] = {
        {"test_bulk_update_equals_rebuild", test_bulk_update_equals_rebuild},
        {"test_bulk_and_single_updates_mix", test_bulk_and_single_updates_mix},
        {"test_bulk_addition_of_new_vertices", test_bulk_addition_of_new_vertices},
        {"test_bulk_update_repeats_itself", test_bulk_update_repeats_itself},
        {"test_bulk_replacement_stays_small", test_bulk_replacement_stays_small},
        CU_TEST_INFO_NULL,
    };
    static const CU_SuiteInfo suites[] = {
        {"topology: large updates", NULL, NULL, NULL, NULL, bulk},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
