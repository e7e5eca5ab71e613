/* What a set-up makes of fine blocks: chunks of the smoother, and the factor of the coarse matrix
 * by several threads. */
#include "multilevel_fixture.h"

#include "solver/multilevel.h"

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
        ew_block_cholesky *made = &b.multilevel->top.factor;
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

static CU_TestInfo tests[] = {
    {"rows_of_many_pairs", test_rows_of_many_pairs},
    {"chunks_outgrow_the_room", test_chunks_outgrow_the_room},
    {"factor_by_threads", test_factor_by_threads},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "chunk", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
