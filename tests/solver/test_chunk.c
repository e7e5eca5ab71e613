/* What a set-up makes of fine blocks: chunks of the smoother, and the factor of the coarse matrix
 * by several threads and in a good order. */
#include "multilevel_fixture.h"

#include "solver/factor/dissect.h"
#include "solver/factor/elimination.h"
#include "solver/multilevel/multilevel.h"

/* Tets around the edge between rows 0 and 1, which have more pairs than a chunk keeps in mind. */
static void make_fan(body *b)
{
    enum { N = 150 };
    static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    double xyz[3 * (N + 2)] = {0, 0, -1, 0, 0, 1};
    int32_t tet[4 * N];
    for (int32_t k = 0; k < N; k++) {
        const double angle = 2.0 * 3.14159265358979 * k / N;
        memcpy(xyz + 3 * (k + 2), (double[]){5.0 * cos(angle), 5.0 * sin(angle), 0.0},
               3 * sizeof *xyz);
        memcpy(tet + 4 * k, (int32_t[]){0, 1, k + 2, (k + 1) % N + 2}, 4 * sizeof *tet);
    }
    const ew_mesh_def def = {.n_vertex = N + 2, .xyz = xyz, .n_tet = N, .tet = tet};
    *b = (body){0};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b->mesh, &def, NULL), EW_OK);
    make_body_with(b, &steel);
}

/* K_ab as the chunk has it is the matrix' block. */
static bool is_block(const body *b, const ew_chunk *chunk, int32_t at, int32_t row)
{
    const int32_t other = chunk->other[at];
    const int32_t pair = ew_pattern_pair_between(&b->topology.pattern, row, other);
    const double *block = b->matrix.pair + 9 * (size_t)pair;
    bool is = pair >= 0;
    for (size_t i = 0; i < 3 && is; i++) {
        for (size_t j = 0; j < 3; j++) {
            const double entry = block[row < other ? 3 * i + j : 3 * j + i];
            const size_t c = 9 * (size_t)at + 3 * i + j;
            is = is &&
                 (chunk->block ? chunk->block[c] == (float)entry : chunk->block_double[c] == entry);
        }
    }
    return is;
}

/* Blocks inside are in one of their rows, blocks across in both. */
static void check_blocks(const body *b)
{
    const ew_multilevel *m = b->multilevel;
    int32_t n_inside = 0, n_across = 0, n_pair = 0;
    for (int32_t c = 0; c < m->n_chunk; c++) {
        const ew_chunk *chunk = &m->chunk[c];
        for (int32_t i = 0; i < chunk->n; i++) {
            const ew_chunk_row *row = &chunk->row[i];
            for (int32_t at = row->inside; at < row[1].inside; at++) {
                const int32_t of = m->chunk_of[m->aggregates.of_row[chunk->other[at]]];
                CU_ASSERT(is_block(b, chunk, at, row->row));
                CU_ASSERT_EQUAL(of == c, at < row->across);
                n_inside += of == c;
                n_across += of != c;
            }
        }
    }
    for (int32_t pair = 0; pair < b->topology.pattern.n_pair; pair++) {
        const int32_t *row = b->topology.pattern.pair_row + 2 * (size_t)pair;
        n_pair += row[0] >= 0 && b->fixed[row[0]] != 7 && b->fixed[row[1]] != 7;
    }
    CU_ASSERT_EQUAL(n_inside + n_across / 2, n_pair);
    CU_ASSERT(n_across > 64);
}

static void test_rows_of_many_pairs(void)
{
    for (int single = 0; single < 2; single++) {
        body b;
        make_fan(&b);
        b.def.single = single;
        b.def.aggregate_rows = 4;
        b.def.chunk_rows = 4;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        check_blocks(&b);
        CU_ASSERT_EQUAL(verify(&b), EW_OK);
        CU_ASSERT(solve(&b, 1e-10, 200) > 0);
        free_body(&b);
    }
}

/* Other constraints make chunks larger than their part of the common room. */
static void test_chunks_outgrow_the_room(void)
{
    body b;
    make_box(&b, (double[]){4.0, 1.0, 1.0}, (int32_t[]){24, 6, 6});
    uint8_t *few = calloc((size_t)b.mesh.n_vertex, 1);
    memcpy(few, b.fixed, (size_t)b.mesh.n_vertex);
    memset(b.fixed, 7, (size_t)b.mesh.n_vertex / 2);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    check_blocks(&b);
    memcpy(b.fixed, few, (size_t)b.mesh.n_vertex);
    CU_ASSERT_EQUAL_FATAL(ew_multilevel_refill(b.multilevel, &b.matrix, &b.topology.pattern,
                                               b.mesh.xyz, b.fixed),
                          EW_OK);
    int32_t n_own = 0;
    for (int32_t c = 0; c < b.multilevel->n_chunk; c++) {
        n_own += b.multilevel->chunk[c].room != NULL;
    }
    CU_ASSERT(n_own > 0);
    check_blocks(&b);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free(few);
    free_body(&b);
}

/* The top of the factor, for which threads wait for each other. */
static void test_factor_by_threads(void)
{
    const int before = ew_threads();
    ew_block_cholesky factor = {0};
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){12, 12, 12});
    b.def.aggregate_rows = 6;
    for (int threads = 1; threads <= 8; threads++) {
        ew_use_threads(threads);
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        ew_block_cholesky *made = &b.multilevel->coarsest.factor;
        CU_ASSERT(made->n - made->group_begin[EW_CHOLESKY_GROUPS] > 50);
        if (threads == 1) {
            factor = *made;
            *made = (ew_block_cholesky){0};
        } else {
            CU_ASSERT(ew_block_cholesky_equals(&factor, made));
        }
    }
    ew_use_threads(before);
    ew_block_cholesky_free(&factor);
    free_body(&b);
}

/* Blocks of a factor in an order, which must name each row once. */
static int32_t count_blocks(const ew_pattern *pattern, const int32_t *order)
{
    ew_block_cholesky factor = {0};
    bool *seen = calloc((size_t)pattern->n_row, sizeof *seen);
    for (int32_t k = 0; k < pattern->n_row; k++) {
        CU_ASSERT_FATAL(order[k] >= 0 && order[k] < pattern->n_row && !seen[order[k]]);
        seen[order[k]] = true;
    }
    CU_ASSERT_EQUAL_FATAL(ew_block_cholesky_analyze(&factor, pattern, pattern->n_row, order),
                          EW_OK);
    const int32_t n = factor.begin[factor.n];
    ew_block_cholesky_free(&factor);
    free(seen);
    return n;
}

static void compare_orders(const ew_pattern *pattern, const double *point, int32_t *best,
                           int32_t *dissected)
{
    int32_t *order = calloc((size_t)pattern->n_row, sizeof *order);
    CU_ASSERT_EQUAL_FATAL(ew_find_elimination_order(pattern, point, order), EW_OK);
    *best = count_blocks(pattern, order);
    CU_ASSERT_EQUAL_FATAL(ew_dissect_order(pattern, point, order), EW_OK);
    *dissected = count_blocks(pattern, order);
    free(order);
}

/* A tree whose rows lie anywhere has a factor without fill; a thick body is dissected. */
static void test_order_of_elimination(void)
{
    enum { N = 700, SIDE = 14 };
    ew_pattern tree = {.n_row = N};
    int32_t best, dissected, pair;
    uint64_t state = 5;
    double *point = calloc((size_t)4 * SIDE * SIDE * SIDE, sizeof *point);
    for (int32_t a = 0; a < N; a++) {
        for (int32_t b = 2 * a + 1; b <= 2 * a + 2 && b < N; b++) {
            CU_ASSERT_EQUAL_FATAL(ew_pattern_open_pair(&tree, a, b, &pair), EW_OK);
        }
        for (int c = 0; c < 3; c++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            point[4 * a + c] = (double)(state >> 40);
        }
    }
    CU_ASSERT_EQUAL_FATAL(ew_pattern_index(&tree), EW_OK);
    compare_orders(&tree, point, &best, &dissected);
    CU_ASSERT_EQUAL(best, N - 1);
    CU_ASSERT(dissected > N - 1);
    ew_pattern_free(&tree);

    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){SIDE - 1, SIDE - 1, SIDE - 1});
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        memcpy(point + 4 * v, b.mesh.xyz + 3 * v, 3 * sizeof *point);
    }
    compare_orders(&b.topology.pattern, point, &best, &dissected);
    CU_ASSERT_EQUAL(best, dissected);
    free_body(&b);
    free(point);
}

/* A cube of points that are numbered along an axis, up or down. */
static void check_groups_of_cube(int axis, bool down)
{
    enum { SIDE = 8, N = SIDE * SIDE * SIDE };
    static double point[4 * N];
    static int32_t weight[N], group[N];
    int32_t n_group = 0;
    for (int32_t row = 0; row < N; row++) {
        const int32_t layer = row / (SIDE * SIDE),
                      place[3] = {layer, row / SIDE % SIDE, row % SIDE};
        for (int c = 0; c < 3; c++) {
            point[4 * row + (axis + c) % 3] = c == 0 && down ? SIDE - 1 - place[c] : place[c];
        }
        weight[row] = 1;
    }
    CU_ASSERT_EQUAL_FATAL(ew_dissect_groups(N, point, weight, N / 8, group, &n_group), EW_OK);
    CU_ASSERT_EQUAL_FATAL(n_group, 8);
    for (int32_t row = 0; row < N; row++) {
        CU_ASSERT_EQUAL(group[row] / 4, row / (N / 2));
    }
}

static void test_groups_are_numbered_as_rows_are(void)
{
    for (int axis = 0; axis < 3; axis++) {
        check_groups_of_cube(axis, false);
        check_groups_of_cube(axis, true);
    }
}

static CU_TestInfo tests[] = {
    {"rows_of_many_pairs", test_rows_of_many_pairs},
    {"chunks_outgrow_the_room", test_chunks_outgrow_the_room},
    {"factor_by_threads", test_factor_by_threads},
    {"order_of_elimination", test_order_of_elimination},
    {"groups_are_numbered_as_rows_are", test_groups_are_numbered_as_rows_are},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "chunk", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
