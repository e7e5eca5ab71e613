/* The diagonal-edge matrix on the host: what a stiffness matrix must be, the product against dense
 * algebra, checkers, failing allocations. */
#include "matrix_fixture.h"

/* ---- build ------------------------------------------------------------- */

static void rigid_motion(const ew_mesh *mesh, int mode, double *u)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        double *to = u + 3 * (size_t)v;
        int i = mode % 3, j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = mode < 3 ? 1.0 : 0.0;
        to[j] = mode < 3 ? 0.0 : -x[k];
        to[k] = mode < 3 ? 0.0 : x[j];
    }
}

static void test_rigid_motions_make_no_force(void)
{
    model m;
    make_box(&m, 5, 4, 6);
    shake(&m, 0.02);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *u = malloc(n * sizeof *u), *f = malloc(n * sizeof *f);
    for (int mode = 0; mode < 6; mode++) {
        double largest = 0.0;
        rigid_motion(&m.mesh, mode, u);
        ew_matrix_product(&m.matrix, &m.topology.pattern, u, f);
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(f[i]));
        }
        CU_ASSERT(largest < 1e-14);
    }
    double strain_energy = 0.0; /* a stretch does make one */
    for (size_t i = 0; i < n; i++) {
        u[i] = m.mesh.xyz[i];
    }
    ew_matrix_product(&m.matrix, &m.topology.pattern, u, f);
    for (size_t i = 0; i < n; i++) {
        strain_energy += 0.5 * u[i] * f[i];
    }
    /* strain I: sigma = (3 lambda + 2 mu) I, energy density 3/2 (3 lambda + 2 mu) */
    double bulk = 3.0 * m.materials.lame[0] + 2.0 * m.materials.lame[1], volume = 0.0;
    for (int32_t t = 0; t < m.mesh.n_tet; t++) {
        volume += ew_mesh_tet_volume(&m.mesh, t);
    }
    CU_ASSERT(fabs(strain_energy / (1.5 * bulk * volume) - 1.0) < 1e-13);
    free(u);
    free(f);
    free_model(&m);
}

/* The whole matrix by tets, dense, from V B_a^T D B_b in index form. */
static double *dense_matrix(const model *m)
{
    size_t n = 3 * (size_t)m->mesh.n_vertex;
    double *k = calloc(n * n, sizeof *k), lambda = m->materials.lame[0], mu = m->materials.lame[1];
    for (int32_t t = 0; t < m->mesh.n_tet; t++) {
        double g[4][3], volume;
        const int32_t *v = m->mesh.tet + 4 * (size_t)t;
        if (v[0] < 0) {
            continue;
        }
        double corner[12];
        ew_mesh_tet_values(&m->mesh, t, m->mesh.xyz, corner);
        volume = ew_element_gradients(corner, g);
        for (int ai = 0; ai < 12; ai++) {
            for (int bj = 0; bj < 12; bj++) {
                int a = ai / 3, i = ai % 3, b = bj / 3, j = bj % 3;
                double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
                k[(3 * (size_t)v[a] + i) * n + 3 * (size_t)v[b] + j] +=
                    volume * (lambda * g[a][i] * g[b][j] + mu * g[b][i] * g[a][j] +
                              (i == j ? mu * dot : 0.0));
            }
        }
    }
    return k;
}

static void test_product_against_dense(void)
{
    model m;
    make_box(&m, 4, 3, 3);
    shake(&m, 0.03);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *k = dense_matrix(&m), *x = random_vector(m.mesh.n_vertex, 5);
    double *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z), *d = malloc(n * sizeof *d);
    ew_matrix_single single = {0};
    CU_ASSERT_EQUAL_FATAL(ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern), EW_OK);
    ew_matrix_product(&m.matrix, &m.topology.pattern, x, y);
    ew_matrix_single_product(&single, &m.topology.pattern, x, z);
    ew_matrix_scalar_diagonal(&m.matrix, d);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += k[i * n + j] * x[j];
            CU_ASSERT(fabs(k[i * n + j] - k[j * n + i]) < 1e-14);
        }
        CU_ASSERT(fabs(sum - y[i]) < 1e-13);
        CU_ASSERT(fabs(sum - z[i]) < 1e-5);
        CU_ASSERT(fabs(d[i] - k[i * n + i]) < 1e-14);
    }
    CU_ASSERT(memcmp(y, z, n * sizeof *y) != 0);
    ew_matrix_single_free(&single);
    free(k);
    free(x);
    free(y);
    free(z);
    free(d);
    free_model(&m);
}

/* y = K x by a plain loop over the edges. */
static void multiply_by_edges(const model *m, const double *x, double *y)
{
    memset(y, 0, 3 * (size_t)m->matrix.n_row * sizeof *y);
    for (int32_t e = -m->matrix.n_row; e < m->matrix.n_pair; e++) {
        int32_t a = e < 0 ? e + m->matrix.n_row : m->topology.pattern.pair_row[2 * (size_t)e];
        int32_t b = e < 0 ? a : m->topology.pattern.pair_row[2 * (size_t)e + 1];
        const double *k =
            e < 0 ? m->matrix.diagonal + 9 * (size_t)a : m->matrix.pair + 9 * (size_t)e;
        for (int i = 0; i < 9 && a >= 0; i++) {
            y[3 * a + i / 3] += k[i] * x[3 * b + i % 3];
            y[3 * b + i % 3] += e < 0 ? 0.0 : k[i] * x[3 * a + i / 3];
        }
    }
}

/* x . K y = y . K x over several chunks, and K of a chunked mesh is that of the formula. */
static void test_product_is_symmetric_across_chunks(void)
{
    model m;
    make_box(&m, 40, 11, 9);
    shake(&m, 0.004);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *x = random_vector(m.mesh.n_vertex, 1), *y = random_vector(m.mesh.n_vertex, 2);
    double *kx = malloc(n * sizeof *kx), *ky = malloc(n * sizeof *ky);
    ew_matrix_product(&m.matrix, &m.topology.pattern, x, kx);
    ew_matrix_product(&m.matrix, &m.topology.pattern, y, ky);
    double xky = 0.0, ykx = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        xky += x[i] * ky[i];
        ykx += y[i] * kx[i];
        largest += fabs(x[i] * ky[i]);
    }
    CU_ASSERT(fabs(xky - ykx) < 1e-14 * largest);
    multiply_by_edges(&m, x, ky);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT(fabs(ky[i] - kx[i]) < 1e-12);
    }
    free(x);
    free(y);
    free(kx);
    free(ky);
    free_model(&m);
}

/* Holes, rows without edges, and edges whose slots no longer ascend with their rows. */
static void test_product_after_edits(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 12, 9, 9);
    int32_t n_tet = m.mesh.n_tet, n_out = n_tet / 3;
    int32_t *out = malloc(4 * (size_t)n_out * sizeof *out);
    double *x = random_vector(m.mesh.n_vertex, 4);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    memcpy(out, m.mesh.tet + 4 * (size_t)(n_tet - n_out), 4 * (size_t)n_out * sizeof *out);
    for (int round = 0; round < 2; round++) {
        ew_edit_clear(&edit);
        for (int32_t t = 0; t < n_out; t++) { /* the last third out; half of it in, backwards */
            CU_ASSERT_EQUAL(round ? ew_edit_add_tet(&edit, out + 4 * (size_t)(n_out - 1 - t),
                                                    m.mesh.region_label[0])
                                  : ew_edit_remove_tet(&edit, n_tet - n_out + t),
                            EW_OK);
            t += round;
        }
        CU_ASSERT_FATAL(apply(&m, &edit, &change));
        ew_matrix_product(&m.matrix, &m.topology.pattern, x, y);
        multiply_by_edges(&m, x, z);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(fabs(y[i] - z[i]) < 1e-12);
        }
    }
    free(out);
    free(x);
    free(y);
    free(z);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

static void test_threads_do_not_change_a_bit(void)
{
    model m;
    make_box(&m, 40, 11, 9);
    shake(&m, 0.004);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *x = random_vector(m.mesh.n_vertex, 1), *one = malloc(n * sizeof *one);
    double *more = malloc(n * sizeof *more);
    ew_use_threads(1);
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &m.materials), EW_OK);
    ew_matrix_product(&m.matrix, &m.topology.pattern, x, one);
    for (int threads = 2; threads < 6; threads++) {
        ew_matrix other = {0};
        int64_t n_different = 1;
        double largest;
        ew_use_threads(threads);
        CU_ASSERT_EQUAL(ew_stiffness_build(&other, &m.mesh, &m.topology, &m.materials), EW_OK);
        CU_ASSERT_EQUAL(ew_matrix_compare(&m.matrix, &m.topology.pattern, &other,
                                          &m.topology.pattern, &n_different, &largest),
                        EW_OK);
        CU_ASSERT_EQUAL(n_different, 0);
        ew_matrix_product(&other, &m.topology.pattern, x, more);
        CU_ASSERT_EQUAL(memcmp(one, more, n * sizeof *one), 0);
        ew_matrix_free(&other);
    }
    ew_use_threads(0);
    free(x);
    free(one);
    free(more);
    free_model(&m);
}

/* ---- checkers ---------------------------------------------------------- */

static void test_check_names_each_broken_rule(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 2, 1, 1);
    const ew_pattern *pattern = &m.topology.pattern;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_OK);
    m.matrix.n_pair--;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_SIZE);
    m.matrix.n_pair++;
    double *entry = m.matrix.diagonal + 1, kept = *entry;
    *entry += 1e-6;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_SYMMETRY);
    *entry = (double)NAN;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_VALUE);
    *entry = kept;
    kept = m.matrix.pair[4];
    m.matrix.pair[4] = (double)INFINITY;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_VALUE);
    m.matrix.pair[4] = kept;
    for (int32_t t = 0; t < m.mesh.n_tet; t++) {
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, t), EW_OK);
    }
    CU_ASSERT(apply(&m, &edit, &change));
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_OK);
    m.matrix.diagonal[4] = 2.0;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_VALUE);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
    /* blocks of edges of quadratic tets: rows whose pattern lists no pairs */
    double stiff[9] = {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0};
    const ew_pattern rows = {.n_row = 1};
    const ew_matrix blocks = {
        .block = 3, .n_row = 1, .row_capacity = 1, .diagonal_only = true, .diagonal = stiff};
    CU_ASSERT_EQUAL(ew_matrix_check(&blocks, &rows), EW_OK);
}

static void test_compare_counts_blocks(void)
{
    model a, b;
    int64_t n_different = -1;
    double largest = -1.0;
    make_box(&a, 2, 2, 1);
    make_box(&b, 2, 2, 1);
    b.matrix.pair[9 * 3 + 2] += 0.5;
    b.matrix.pair[9 * 3 + 3] += 0.25;
    b.matrix.diagonal[9 * 2] += 2.0;
    CU_ASSERT_EQUAL(ew_matrix_compare(&a.matrix, &a.topology.pattern, &b.matrix,
                                      &b.topology.pattern, &n_different, &largest),
                    EW_OK);
    CU_ASSERT_EQUAL(n_different, 2);
    CU_ASSERT_EQUAL(largest, 2.0);
    b.matrix.pair[9 * 3 + 1] = (double)NAN; /* is not lost behind numbers */
    CU_ASSERT_EQUAL(ew_matrix_compare(&a.matrix, &a.topology.pattern, &b.matrix,
                                      &b.topology.pattern, &n_different, &largest),
                    EW_OK);
    CU_ASSERT_EQUAL(n_different, 2);
    CU_ASSERT_TRUE(isnan(largest));
    free_model(&b);
    make_box(&b, 2, 2, 2);
    CU_ASSERT_EQUAL(ew_matrix_compare(&a.matrix, &a.topology.pattern, &b.matrix,
                                      &b.topology.pattern, &n_different, &largest),
                    EW_MATRIX_SIZE);
    free_model(&b);
    free_model(&a);
}

static void test_single_copy_refuses_what_float_cannot_hold(void)
{
    model m;
    ew_matrix_single single = {0};
    make_box(&m, 1, 1, 1);
    m.matrix.pair[5] = 1e39;
    CU_ASSERT_EQUAL(ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern), EW_NOT_FINITE);
    m.matrix.pair[5] = 1e38;
    CU_ASSERT_EQUAL(ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern), EW_OK);
    CU_ASSERT_EQUAL(single.pair[5], 1e38f);
    ew_matrix_single_free(&single);
    ew_matrix_single_free(&single);
    free_model(&m);
}

static void test_bytes(void)
{
    model m;
    make_box(&m, 1, 1, 1); /* 8 vertices, 19 edges */
    CU_ASSERT_EQUAL(m.matrix.n_pair, 19);
    CU_ASSERT_EQUAL(ew_matrix_bytes(&m.matrix), 27 * 72);
    CU_ASSERT_EQUAL(ew_matrix_product_bytes(&m.matrix, &m.topology.pattern, 8),
                    27 * 72 + 19 * 4 + 8 * 48);
    free_model(&m);
}

/* A refused allocation leaves the old matrix whole. */
static void test_failing_allocations(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        model m;
        ew_matrix matrix = {0};
        ew_matrix_single single = {0};
        make_box(&m, 5, 5, 5);
        ew_edit edit = {0};
        ew_change change = {0};
        for (int32_t v = 0; v < m.mesh.n_vertex; v++) {
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&edit, v, m.mesh.xyz + 3 * (size_t)v), EW_OK);
        }
        CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
        CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
        ew_test_allocations_begin(k);
        ew_status built = ew_stiffness_build(&matrix, &m.mesh, &m.topology, &m.materials);
        ew_status copied = ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern);
        ew_status current = ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                                    &m.topology.touched);
        ew_matrix_free(&matrix);
        ew_matrix_single_free(&single);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(refused, built || copied || current);
        CU_ASSERT(!current || current == EW_NO_MEMORY);
        if (current) {
            CU_ASSERT_EQUAL(m.matrix.revision, change.from_revision);
            CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                                    &m.topology.touched),
                            EW_OK);
        }
        check_against_rebuild(&m);
        ew_edit_free(&edit);
        ew_change_free(&change);
        free_model(&m);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"rigid_motions_make_no_force", test_rigid_motions_make_no_force},
        {"product_against_dense", test_product_against_dense},
        {"product_is_symmetric_across_chunks", test_product_is_symmetric_across_chunks},
        {"product_after_edits", test_product_after_edits},
        {"threads_do_not_change_a_bit", test_threads_do_not_change_a_bit},
        {"check_names_each_broken_rule", test_check_names_each_broken_rule},
        {"compare_counts_blocks", test_compare_counts_blocks},
        {"single_copy_refuses_what_float_cannot_hold",
         test_single_copy_refuses_what_float_cannot_hold},
        {"bytes", test_bytes},
        {"failing_allocations", test_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"matrix", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
