/* Mixed tets on a device: what is taken from the tets with the host's bits, after random edits,
 * too; products and vectors against the host's at odd sizes; solves, with oblique supports and in
 * motion, against the host's; what is refused. */
#include "analysis/parts/analysis.h"
#include "mass_fixture.h"
#include "solver/saddle/saddle.h"

static void send(ew_buffer *buffer, const double *x, size_t n)
{
    must(ew_buffer_reserve(device, buffer, n * sizeof *x));
    must(ew_buffer_write(device, buffer, 0, n * sizeof *x, x));
}

static double *receive(const ew_buffer *buffer, size_t n)
{
    double *x = malloc(n * sizeof *x + 1);
    must(ew_buffer_read(device, buffer, 0, n * sizeof *x, x));
    return x;
}

static double *random_vector(size_t n, uint64_t state)
{
    double *x = malloc(n * sizeof *x + 1);
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
    }
    return x;
}

static double difference(const double *y, const double *z, size_t n)
{
    double largest = 1e-300, error = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(y[i]));
        error = fmax(error, fabs(y[i] - z[i]));
    }
    return error / largest;
}

/* ---- what is taken from the tets ---------------------------------------------------- */

static void expect_tets(const ew_mixed *host, const ew_mixed *there, const ew_mesh *mesh)
{
    double *tet = receive(&there->device_tet, 14 * (size_t)mesh->n_tet);
    double *scale = receive(&there->device_scale, (size_t)mesh->n_vertex);
    int32_t n_different = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        n_different += ew_mesh_tet_is_live(mesh, t) &&
                       memcmp(tet + 14 * (size_t)t, host->tet + 16 * (size_t)t, 14 * sizeof *tet);
    }
    CU_ASSERT_EQUAL(n_different, 0);
    CU_ASSERT(!memcmp(scale, host->scale, (size_t)mesh->n_vertex * sizeof *scale));
    free(tet);
    free(scale);
}

static void expect_mixed_product(ew_mixed *host, ew_mixed *there, const ew_mesh *mesh)
{
    const size_t n = (size_t)mesh->n_vertex;
    double *v = random_vector(4 * n, 7), *out = random_vector(4 * n, 9);
    ew_buffer in = {0}, to = {0};
    send(&in, v, 4 * n);
    send(&to, out, 4 * n);
    ew_mixed_add_product(host, v, v + 3 * n, out, out + 3 * n);
    must(ew_mixed_add_product_on_device(there, &in, &to));
    double *found = receive(&to, 4 * n);
    CU_ASSERT(difference(out, found, 4 * n) < 1e-13);
    ew_buffer_free(&in);
    ew_buffer_free(&to);
    free(found);
    free(out);
    free(v);
}

static void expect_same_tets(model *m, ew_mixed *host, ew_mixed *there)
{
    for (int k = 0; k < 2; k++) {
        const double of_k = k ? 0.013 : 1.0, of_m = k ? 1.7 : 0.0;
        must(ew_mixed_prepare(host, &m->mesh, &m->topology, &m->materials, of_k, of_m));
        must(ew_mixed_prepare_on_device(there, &m->mesh, &m->materials, &m->copy, of_k, of_m));
        expect_tets(host, there, &m->mesh);
        expect_mixed_product(host, there, &m->mesh);
    }
}

static void test_tets_and_products(void)
{
    for (int32_t k = 0; has_double() && k < 6; k++) {
        model m = k < 3 ? make_box(1 + 2 * k) : make_chain(1 + 63 * (k - 3));
        ew_mixed host = {0}, there = {0};
        must(ew_device_mesh_build(&m.copy, device, &m.mesh, &m.topology));
        expect_same_tets(&m, &host, &there);
        ew_mixed_free(&host);
        ew_mixed_free(&there);
        drop(&m);
    }
}

static void test_tets_after_edits(void)
{
    model m;
    ew_mixed host = {0}, there = {0};
    ew_edit edit = {0};
    ew_list gone = {0};
    uint64_t state = 11;
    if (!has_double()) {
        return;
    }
    m = make_box(3);
    must(ew_device_mesh_build(&m.copy, device, &m.mesh, &m.topology));
    for (int32_t n = 0; n < (quick ? 10 : 120); n++) {
        const int32_t kept = gone.n;
        queue_batch(&m.mesh, &state, &gone, &edit);
        if (!commit(&m, &edit)) {
            gone.n = kept < gone.n ? kept : gone.n;
            continue;
        }
        CU_ASSERT_EQUAL(
            ew_mixed_prepare_on_device(&there, &m.mesh, &m.materials, &m.copy, 1.0, 0.0), EW_STALE);
        must(ew_device_mesh_update(&m.copy, &m.mesh, &m.topology, &m.change));
        expect_same_tets(&m, &host, &there);
    }
    ew_edit_free(&edit);
    ew_list_free(&gone);
    ew_mixed_free(&host);
    ew_mixed_free(&there);
    drop(&m);
}

/* ---- vectors ------------------------------------------------------------------------- */

/* One system in two places, with a preconditioner each. */
typedef struct places {
    model m;
    ew_device_matrix matrix;
    ew_mixed tets[2];
    ew_operator op[2];
    ew_preconditioner by[2];
    ew_saddle saddle[2];
    ew_system system[2];
    uint8_t *fixed;
    ew_oblique oblique;
    double *b, *x, *p;
    const ew_saddle_ops *ops[2];
    void *self[2];
} places;

static void open_places(places *of, int32_t cells)
{
    static int32_t row[1] = {2};
    static double normal[6] = {0.6, 0.8, 0.0, 0.0, 0.0, 0.0};
    *of = (places){.m = make_box(cells), .ops = {&ew_saddle_on_host, &ew_saddle_on_device}};
    model *m = &of->m;
    const size_t n = (size_t)m->mesh.n_vertex;
    must(build_on(device, m, EW_DOUBLE, &of->matrix));
    of->fixed = calloc(n, 1);
    of->fixed[0] = 7;
    of->fixed[n - 1] = 2;
    of->fixed[2] = EW_OBLIQUE;
    of->oblique = (ew_oblique){.n = 1, .row = row, .normal = normal};
    of->b = random_vector(3 * n, 1);
    of->x = random_vector(3 * n, 2);
    of->p = random_vector(n, 3);
    must(ew_mixed_prepare(&of->tets[0], &m->mesh, &m->topology, &m->materials, 1.0, 0.0));
    must(ew_mixed_prepare_on_device(&of->tets[1], &m->mesh, &m->materials, &m->copy, 1.0, 0.0));
    of->op[0] = ew_operator_on_host(&m->host, &m->topology.pattern);
    of->op[1] = ew_operator_on_device(&of->matrix, &m->copy.pattern, &m->topology.pattern, NULL);
    of->saddle[0] = (ew_saddle){
        .user = &of->tets[0], .add_product = ew_mixed_add_product, .scale = of->tets[0].scale};
    of->saddle[1] = (ew_saddle){.user = &of->tets[1],
                                .device_add_product = ew_mixed_add_product_on_device,
                                .device_scale = &of->tets[1].device_scale};
    for (int k = 0; k < 2; k++) {
        of->system[k] = (ew_system){.op = &of->op[k],
                                    .xyz = m->mesh.xyz,
                                    .fixed = of->fixed,
                                    .b = of->b,
                                    .oblique = &of->oblique};
        const saddle_task task = {&of->system[k], &of->saddle[k], &of->by[k], of->x, of->p};
        must(ew_preconditioner_setup(&of->by[k], EW_BLOCK_JACOBI, &of->system[k], EW_DOUBLE));
        must(of->ops[k]->open(&of->self[k], &task));
    }
}

static void close_places(places *of)
{
    for (int k = 0; k < 2; k++) {
        of->ops[k]->free(of->self[k]);
        ew_preconditioner_free(&of->by[k]);
        ew_operator_free(&of->op[k]);
        ew_mixed_free(&of->tets[k]);
    }
    ew_device_matrix_free(&of->matrix);
    drop(&of->m);
    free(of->fixed);
    free(of->b);
    free(of->x);
    free(of->p);
}

/* The vector is the same in both places; it is read by way of X, which is put back. */
static void expect_vector(places *of, int v)
{
    const size_t n = (size_t)of->m.mesh.n_vertex;
    double *found[2];
    for (int k = 0; k < 2; k++) {
        const ew_saddle_ops *ops = of->ops[k];
        must(ops->combine(of->self[k], 1.0, X, 0.0, X, 0.0, X, W_OLD));
        must(ops->combine(of->self[k], 1.0, v, 0.0, v, 0.0, v, X));
        must(ops->close(of->self[k]));
        must(ops->combine(of->self[k], 1.0, W_OLD, 0.0, X, 0.0, X, X));
        found[k] = malloc(4 * n * sizeof(double));
        memcpy(found[k], of->x, 3 * n * sizeof(double));
        memcpy(found[k] + 3 * n, of->p, n * sizeof(double));
    }
    CU_ASSERT(difference(found[0], found[1], 3 * n) < 1e-12);
    CU_ASSERT(difference(found[0] + 3 * n, found[1] + 3 * n, n) < 1e-12);
    free(found[0]);
    free(found[1]);
}

static void expect_operations(places *of)
{
    double sum[2];
    for (int k = 0; k < 2; k++) {
        const ew_saddle_ops *ops = of->ops[k];
        must(ops->multiply(of->self[k], X, V));
        must(ops->residual(of->self[k], X, V_NEW));
        must(ops->precondition(of->self[k], V_NEW, Z));
        must(ops->prescribed(of->self[k], D));
        must(ops->combine(of->self[k], 0.5, V, -2.0, X, 0.3, Z, W));
        must(ops->clear(of->self[k], W_NEW));
    }
    static const int written[] = {X, V, V_NEW, Z, D, W, W_NEW};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        expect_vector(of, written[i]);
    }
    static const saddle_part part[] = {OF_X, OF_P, OF_ALL};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            must(of->ops[k]->dot(of->self[k], part[i], V_NEW, X, &sum[k]));
        }
        CU_ASSERT(fabs(sum[0] - sum[1]) < 1e-11 * (fabs(sum[0]) + 1.0));
    }
}

static void test_vectors(void)
{
    for (int32_t cells = 1; has_double() && cells < (quick ? 3 : 8); cells += 2) {
        places of;
        open_places(&of, cells);
        expect_operations(&of);
        close_places(&of);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"tets_and_products", test_tets_and_products},
        {"tets_after_edits", test_tets_after_edits},
        {"vectors", test_vectors},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"mixed tets on a device", open_device, close_device, NULL, NULL,
                              tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
