/* Products of bodies of quadratic tets: their parts, with and without the stored matrix, by any
 * number of threads. */
#include "quadratic_fixture.h"

/* B^T and C from the edges, B from the vertices: with the linear part they make the whole. */
static void test_parts_make_the_whole(void)
{
    body p;
    make_box_body(&p, (int32_t[]){3, 2, 2}, 0.3);
    const size_t n = 3 * (size_t)p.n, first = 3 * (size_t)p.mesh.n_vertex;
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    random_vector(p.x, p.n, 5);
    p.op.type->product(&p.op, false, p.x, y);
    ew_matrix_product(&p.matrix, &p.topology.pattern, p.x, z);
    ew_edge_product_add(&p.quadratic.product, EW_EDGE_OF_EDGES, p.x, z);
    ew_edge_product_add(&p.quadratic.product, EW_EDGE_OF_CORNERS, p.x, z);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], 1e-12 * 200.0);
    }
    memset(z, 0, n * sizeof *z);
    ew_edge_product_add(&p.quadratic.product, EW_EDGE_OF_CORNERS, p.x, z);
    for (size_t i = 0; i < first; i++) {
        CU_ASSERT_EQUAL(z[i], 0.0);
    }
    free(y);
    free(z);
    free_body(&p);
}

/* The operator's product without the stored matrix, which is spoilt, against that with it, if all
 * tets have rows (`whole`): the fields are of order one, the blocks up to some 200. `other`: as in
 * ew_order. */
static void check_without_stored(const ew_material *material, const double *other, bool whole)
{
    body p = {0};
    must(ew_shape_box(&p.mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 2, 5}));
    build_body_of(&p, material, other);
    const size_t n = 3 * (size_t)p.n;
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    random_vector(p.x, p.n, 5);
    p.op.type->product(&p.op, false, p.x, y);
    p.quadratic.stored_is_of_tets = true;
    CU_ASSERT_EQUAL(p.quadratic.edges.is_whole(&p.quadratic), whole);
    if (whole) {
        memset(p.matrix.pair, 0xff, 9 * (size_t)p.matrix.n_pair * sizeof *p.matrix.pair);
    }
    p.op.type->product(&p.op, false, p.x, z);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], whole ? 1e-12 * 200.0 : 0.0);
    }
    free(y);
    free(z);
    free_body(&p);
}

static void test_whole_product_needs_no_stored_matrix(void)
{
    const ew_material steel = {.young = 200.0, .poisson = 0.3, .density = 1.0}, fir = wood();
    double other[180] = {[7] = 1.0};
    check_without_stored(&steel, NULL, true);
    check_without_stored(&fir, NULL, true);
    check_without_stored(&steel, other, true); /* a linear tet, whose edges have rows by others */
    for (int t = 0; t < 180; t++) {
        other[t] = t < 60;
    }
    check_without_stored(&steel, other, false);
}

/* Some tets linear; the same bits with any number of threads. */
static void test_product_has_the_same_bits_on_any_threads(void)
{
    static const int threads[] = {1, 2, 3, 7};
    body p = {0};
    must(ew_shape_box(&p.mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){12, 11, 10}));
    double *other = calloc((size_t)p.mesh.n_tet, sizeof *other);
    for (int32_t t = 0; t < p.mesh.n_tet; t++) {
        other[t] = p.mesh.xyz[3 * (size_t)p.mesh.tet[4 * (size_t)t]] < 0.3 ? 1.0 : 0.0;
    }
    build_body(&p, 0.3, other);
    CU_ASSERT(p.rows.n_live < p.topology.pattern.n_live_pair);
    const size_t n = 3 * (size_t)p.n;
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    random_vector(p.x, p.n, 7);
    const int before = ew_threads();
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        ew_use_threads(threads[k]);
        p.quadratic.product.revision = 0; /* another list */
        must(p.op.type->prepare(&p.op, EW_DOUBLE));
        CU_ASSERT(p.quadratic.product.n_part == threads[k] || threads[k] == 7);
        memset(k ? z : y, 0, n * sizeof *y);
#pragma omp parallel
        ew_edge_product_add(&p.quadratic.product, EW_EDGE_ALL, p.x, k ? z : y);
        CU_ASSERT(k == 0 || !memcmp(y, z, n * sizeof *y));
    }
    ew_use_threads(before);
    free(y);
    free(z);
    free(other);
    free_body(&p);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"parts_make_the_whole", test_parts_make_the_whole},
        {"whole_product_needs_no_stored_matrix", test_whole_product_needs_no_stored_matrix},
        {"product_has_the_same_bits_on_any_threads", test_product_has_the_same_bits_on_any_threads},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"quadratic products", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
