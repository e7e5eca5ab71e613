/* The inner loops of the preconditioner, which exist for AVX2 and for any machine: the same bits.
 * Here they are compiled for any; the library takes the others where the processor has them. */
#include "multilevel_fixture.h"

#include "solver/factor/substitution.h"
#include "solver/multilevel/multilevel.h"
#include "solver/smoother/smoother_pass.h"

/* What the sweeps read and write of all rows. */
typedef struct vectors {
    double *z, *t, *coarse, *out;
} vectors;

static size_t rows_of(const body *b)
{
    return (size_t)b->mesh.n_vertex + 2;
}

static vectors make_vectors(const body *b)
{
    const size_t n = rows_of(b), n_coarse = 6 * (size_t)b->multilevel->aggregates.n + 6;
    return (vectors){calloc(4 * n, sizeof(double)), calloc(4 * n, sizeof(double)),
                     calloc(n_coarse, sizeof(double)), calloc(3 * n, sizeof(double))};
}

static void free_vectors(vectors *v)
{
    free(v->z);
    free(v->t);
    free(v->coarse);
    free(v->out);
}

static void sweep_by_library(const ew_multilevel *m, const double *r, const vectors *v)
{
    for (int32_t k = 0; k + 1 < m->n_chunk; k += 2) {
        const ew_chunk *a = &m->chunk[k], *b = a + 1;
        ew_chunks_forward(a, b, r, v->z, v->t);
        ew_chunk_restrict(a, v->z, v->t, v->coarse);
        ew_chunk_prolong(a, v->coarse, v->z, v->t);
        ew_chunks_backward(a, b, r, v->z, v->t, v->out);
    }
}

static void sweep_here(const ew_multilevel *m, const double *r, const vectors *v)
{
    for (int32_t k = 0; k + 1 < m->n_chunk; k += 2) {
        const ew_chunk *a = &m->chunk[k];
        const ew_sweep pair = {
            .first = a, .second = a + 1, .r = r, .z = v->z, .t = v->t, .out = v->out};
        const ew_sweep up = {.first = a, .coarse = v->coarse, .z = v->z, .t = v->t};
        const ew_sweep one = {.first = a, .z = v->z, .t = v->t, .out = v->coarse};
        ew_sweep_any(EW_SWEEP_FORWARD, &pair);
        ew_sweep_any(EW_SWEEP_RESTRICT, &one);
        ew_sweep_any(EW_SWEEP_PROLONG, &up);
        ew_sweep_any(EW_SWEEP_BACKWARD, &pair);
    }
}

static double *random_numbers(size_t n)
{
    double *x = malloc(n * sizeof *x);
    uint64_t seed = 7;
    for (size_t i = 0; i < n; i++) {
        x[i] = 1.0 / (double)(1 + ew_test_random(&seed, 1000));
    }
    return x;
}

static void compare_sweeps(const body *b)
{
    const size_t n = rows_of(b), n_coarse = 6 * (size_t)b->multilevel->aggregates.n;
    vectors library = make_vectors(b), here = make_vectors(b);
    double *r = random_numbers(3 * n);
    CU_ASSERT(b->multilevel->n_chunk > 1);
    sweep_by_library(b->multilevel, r, &library);
    sweep_here(b->multilevel, r, &here);
    CU_ASSERT(!memcmp(library.z, here.z, 4 * n * sizeof *r));
    CU_ASSERT(!memcmp(library.t, here.t, 4 * n * sizeof *r));
    CU_ASSERT(!memcmp(library.out, here.out, 3 * n * sizeof *r));
    CU_ASSERT(!memcmp(library.coarse, here.coarse, n_coarse * sizeof *r));
    free_vectors(&library);
    free_vectors(&here);
    free(r);
}

static void substitute_here(const ew_block_cholesky *f, double *x, double *work)
{
    const int32_t coarsest = f->group_begin[EW_CHOLESKY_GROUPS];
    for (int32_t k = 0; k < f->n; k++) {
        memcpy(work + 8 * (size_t)f->group_column[k], x + 6 * (size_t)f->order[f->group_column[k]],
               6 * sizeof *x);
    }
    for (int32_t g = 0; g < EW_CHOLESKY_GROUPS; g++) {
        ew_substitute_any(f, EW_FORWARD_GROUP, g, work);
    }
    for (int32_t k = 0; k < f->n - coarsest; k++) {
        ew_substitute_any(f, EW_GATHER_TOP_ROW, k, work);
    }
    ew_substitute_any(f, EW_SOLVE_TOP, 0, work);
    for (int32_t g = 0; g < EW_CHOLESKY_GROUPS; g++) {
        ew_substitute_any(f, EW_BACKWARD_GROUP, g, work);
    }
    for (int32_t j = 0; j < f->n; j++) {
        memcpy(x + 6 * (size_t)f->order[j], work + 8 * (size_t)j, 6 * sizeof *x);
    }
}

static void compare_substitution(const body *b)
{
    const ew_block_cholesky *f = &b->multilevel->coarsest.factor;
    const size_t n = 6 * (size_t)b->multilevel->aggregates.n;
    double *x = random_numbers(n), *y = malloc(n * sizeof *y);
    double *work = calloc(8 * (size_t)f->n, sizeof *work);
    memcpy(y, x, n * sizeof *y);
    CU_ASSERT(f->n > 8);
    ew_block_cholesky_solve(f, x, work);
    memset(work, 0, 8 * (size_t)f->n * sizeof *work);
    substitute_here(f, y, work);
    CU_ASSERT(!memcmp(x, y, n * sizeof *y));
    free(x);
    free(y);
    free(work);
}

static void test_same_bits_on_any_processor(void)
{
    for (int single = 0; single < 2; single++) {
        body b;
        make_box(&b, (double[]){3.0, 1.0, 1.0}, (int32_t[]){12, 5, 5});
        b.def.single = single;
        b.def.chunk_rows = 40;
        b.def.aggregate_rows = 6;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        compare_sweeps(&b);
        compare_substitution(&b);
        free_body(&b);
    }
}

static CU_TestInfo tests[] = {
    {"same_bits_on_any_processor", test_same_bits_on_any_processor},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "wide", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
