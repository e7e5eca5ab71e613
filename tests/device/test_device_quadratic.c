/* Quadratic tets on a device: blocks with the bits of the host's, products against the host's at
 * odd sizes and the same bits again, the preconditioner, solves in each precision, what is refused.
 */
#include "one_device.h"
#include "quadratic_fixture.h"

#include "solver/krylov/pcg.h"

/* A body there. */
typedef struct there {
    ew_device_mesh mesh;
    ew_device_edges edges;
    ew_device_matrix matrix, blocks;
    ew_quadratic_operator quadratic;
    ew_operator op;
    ew_buffer x, y;
} there;

static bool has_double(void)
{
    return device && ew_device_about(device)->has_double;
}

static void build_there(there *d, const body *p, ew_precision precision)
{
    const ew_stiffness from = ew_stiffness_of(&p->mesh, &p->topology, &p->materials);
    const ew_edge_blocks blocks =
        ew_edge_blocks_of(&p->mesh, &p->topology, &p->materials, &p->rows);
    *d = (there){0};
    must(ew_device_mesh_build(&d->mesh, device, &p->mesh, &p->topology));
    must(ew_device_matrix_build(&d->matrix, &d->mesh, &from, precision, NULL));
    must(ew_device_edges_build(&d->edges, device, &p->mesh, &p->topology, &p->rows));
    must(ew_device_edge_blocks_build(&d->blocks, &d->mesh, &d->edges, &blocks, NULL));
    ew_quadratic_operator_init_on_device(&d->quadratic, &p->mesh, &p->topology, &p->materials,
                                         &p->rows, &d->mesh, &d->edges, &d->blocks);
    d->op = ew_operator_on_device(&d->matrix, &d->mesh.pattern, &p->topology.pattern, NULL);
    d->op.edges = &d->quadratic.edges;
    must(d->op.type->prepare(&d->op, precision));
}

static void free_there(there *d)
{
    ew_buffer_free(&d->x);
    ew_buffer_free(&d->y);
    ew_operator_free(&d->op);
    ew_quadratic_operator_free(&d->quadratic);
    ew_device_matrix_free(&d->blocks);
    ew_device_matrix_free(&d->matrix);
    ew_device_edges_free(&d->edges);
    ew_device_mesh_free(&d->mesh);
}

/* mixed: tets with a small x coordinate are linear. By turns isotropic and along the axes of a
 * cylinder. */
static void make_mixed_body(body *p, const int32_t cells[3], bool mixed)
{
    const ew_material material = wood();
    *p = (body){0};
    must(ew_shape_box(&p->mesh, (double[]){1.0, 0.9, 0.8}, cells));
    double *other = calloc((size_t)p->mesh.n_tet, sizeof *other);
    for (int32_t t = 0; t < p->mesh.n_tet && mixed; t++) {
        other[t] = p->mesh.xyz[3 * (size_t)p->mesh.tet[4 * (size_t)t]] < 0.4 ? 1.0 : 0.0;
    }
    if (cells[1] % 2) {
        build_body_of(p, &material, other);
    } else {
        build_body(p, 0.3, other);
    }
    free(other);
}

/* Two in three of its edges are curved, so that some sides are straight. The curves are the
 * caller's. */
static double *curve_body(body *p)
{
    const size_t n = 3 * (size_t)p->rows.pattern.n_row;
    double *curve = calloc(n + 1, sizeof *curve);
    uint64_t state = 4;
    for (size_t i = 0; i < n; i++) {
        curve[i] = i / 3 % 3 ? 1e-5 * ((double)ew_test_random(&state, 2001) - 1000.0) : 0.0;
    }
    p->rows.curve = curve;
    const ew_edge_blocks from = ew_edge_blocks_of(&p->mesh, &p->topology, &p->materials, &p->rows);
    must(ew_matrix_build(&p->blocks, &from.source));
    ew_edge_product_free(&p->quadratic.product);
    must(p->op.type->prepare(&p->op, EW_DOUBLE));
    return curve;
}

static const int32_t sizes[][3] = {{1, 1, 1}, {2, 2, 3}, {5, 3, 2}, {7, 6, 5}};

static void test_blocks_have_the_bits_of_the_host(void)
{
    for (size_t k = 0; has_double() && k < 16; k++) {
        body p;
        there d;
        ew_matrix copy = {0};
        make_mixed_body(&p, sizes[k / 2 % 4], k % 2);
        double *curve = k < 8 ? NULL : curve_body(&p);
        build_there(&d, &p, EW_DOUBLE);
        must(ew_device_edges_check(&d.edges, &p.mesh, &p.topology, &p.rows));
        must(ew_device_matrix_download(&d.blocks, &copy));
        CU_ASSERT_EQUAL_FATAL(copy.n_row, p.blocks.n_row);
        CU_ASSERT(!copy.n_row || !memcmp(copy.diagonal, p.blocks.diagonal,
                                         9 * (size_t)copy.n_row * sizeof(double)));
        free(curve);
        ew_matrix_free(&copy);
        free_there(&d);
        free_body(&p);
    }
}

/* ---- products -------------------------------------------------------------------- */

static void send(ew_buffer *buffer, const double *x, size_t n, bool single)
{
    float *narrow = malloc(n * sizeof *narrow + 1);
    const size_t bytes = n * (single ? sizeof *narrow : sizeof *x);
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)x[i];
    }
    must(ew_buffer_reserve(device, buffer, bytes));
    must(ew_buffer_write(device, buffer, 0, bytes, single ? (const void *)narrow : x));
    free(narrow);
}

static void receive(const ew_buffer *buffer, double *x, size_t n, bool single)
{
    float *narrow = malloc(n * sizeof *narrow + 1);
    const size_t bytes = n * (single ? sizeof *narrow : sizeof *x);
    must(ew_buffer_read(device, buffer, 0, bytes, single ? (void *)narrow : x));
    for (size_t i = 0; i < n && single; i++) {
        x[i] = (double)narrow[i];
    }
    free(narrow);
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

static void check_products(const body *p, there *d, bool single)
{
    const size_t n = 3 * (size_t)p->n, first = 3 * (size_t)p->mesh.n_vertex;
    const double tolerance = single ? 2e-5 : 1e-13;
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z), *again = calloc(n, sizeof *z);
    static const ew_edge_part part[] = {EW_EDGE_OF_EDGES, EW_EDGE_OF_CORNERS};
    static const ew_edge_part on_host[] = {EW_EDGE_OF_EDGES, EW_EDGE_OF_CORNERS};
    send(&d->x, p->x, n, single);
    ew_operator_product(&p->op, p->x, y);
    must(d->op.type->device_product(&d->op, single, &d->x, &d->y));
    receive(&d->y, z, n, single);
    CU_ASSERT(difference(y, z, n) < tolerance);
    must(d->op.type->device_product(&d->op, single, &d->x, &d->y));
    receive(&d->y, again, n, single);
    CU_ASSERT(!memcmp(z, again, n * sizeof *z));
    for (int k = 0; k < 2; k++) { /* the rows of edges keep what they have in the second */
        memset(y, 0, n * sizeof *y);
        send(&d->y, y, n, single);
        ew_edge_product_add(&p->quadratic.product, on_host[k], p->x, y);
        must(d->quadratic.edges.device_product(&d->quadratic, part[k], single, &d->x, &d->y));
        receive(&d->y, z, n, single);
        CU_ASSERT(difference(y, z, n) < tolerance);
        CU_ASSERT(k == 0 || difference(y + first, z + first, n - first) < tolerance);
    }
    free(y);
    free(z);
    free(again);
}

/* q = S K p and p . q. */
static void check_dot(const body *p, there *d)
{
    const size_t n = 3 * (size_t)p->n;
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z), dot = 0.0, sum;
    uint8_t *fixed = calloc((size_t)p->n, 1);
    ew_buffer filter = {0}, partial = {0};
    int32_t n_partial;
    for (int32_t i = 0; i < p->n; i++) {
        fixed[i] = (uint8_t)(i % 5 == 0 ? 5 : 0);
    }
    must(ew_buffer_reserve(device, &filter, (size_t)p->n));
    must(ew_buffer_write(device, &filter, 0, (size_t)p->n, fixed));
    must(ew_buffer_reserve(device, &partial, 2 * EW_MAX_PARTIALS * sizeof(double)));
    send(&d->x, p->x, n, false);
    ew_operator_product(&p->op, p->x, y);
    for (size_t i = 0; i < n; i++) {
        y[i] = fixed[i / 3] >> i % 3 & 1 ? 0.0 : y[i];
        dot += p->x[i] * y[i];
    }
    must(
        d->op.type->device_product_dot(&d->op, false, &filter, &d->x, &d->y, &partial, &n_partial));
    must(ew_device_read_sums(device, &partial, (size_t)n_partial, 1, &sum));
    receive(&d->y, z, n, false);
    CU_ASSERT(difference(y, z, n) < 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(sum, dot, 1e-11 * 200.0 * (double)n);
    ew_buffer_free(&filter);
    ew_buffer_free(&partial);
    free(fixed);
    free(y);
    free(z);
}

/* With the matrix of a step. */
static void check_step(const body *p, there *d, ew_mass_kind kind)
{
    const ew_edge_terms terms = {.of_stiffness = 0.3, .of_mass = 40.0, .mass = kind};
    const size_t n = 3 * (size_t)p->n, first = 3 * (size_t)p->mesh.n_vertex;
    const int32_t n_row = p->rows.pattern.n_row;
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    double *mass = calloc((size_t)n_row + 1, sizeof *mass);
    static const ew_edge_part part[] = {EW_EDGE_ALL, EW_EDGE_OF_EDGES, EW_EDGE_OF_CORNERS};
    ew_edge_mass edges = {0};
    ew_device_matrix blocks = {0};
    ew_matrix copy = {0};
    const ew_mass of = ew_mass_of(&p->mesh, &p->topology, &p->materials, kind);
    must(ew_edge_mass_build(&edges, &of, &p->rows));
    edges.list = &p->quadratic.product;
    send(&d->x, p->x, n, false);
    for (int k = 0; k < 3; k++) {
        memset(y, 0, n * sizeof *y);
        send(&d->y, y, n, false);
        ew_edge_product_add(&p->quadratic.product, part[k], p->x, y);
        for (size_t i = 0; i < n; i++) {
            y[i] *= terms.of_stiffness;
        }
        ew_edge_mass_add(&edges, part[k], terms.of_mass, p->x, y);
        must(ew_device_edges_product(&d->edges, &d->mesh, part[k], false, &terms, &d->x, &d->y));
        receive(&d->y, z, n, false);
        CU_ASSERT(difference(y, z, n) < 1e-12);
        CU_ASSERT(difference(y + first, z + first, n - first) < 1e-12);
    }
    for (int32_t row = 0; row < n_row; row++) {
        mass[row] = ew_edge_mass_diagonal(&edges, row);
    }
    must(ew_device_edges_step_blocks(&d->edges, &d->blocks, 2.0, mass, &blocks));
    must(ew_device_matrix_download(&blocks, &copy));
    for (int32_t i = 0; i < 9 * n_row; i++) {
        CU_ASSERT_EQUAL(copy.diagonal[i],
                        2.0 * p->blocks.diagonal[i] + (i % 9 % 4 == 0 ? mass[i / 9] : 0.0));
    }
    ew_matrix_free(&copy);
    ew_device_matrix_free(&blocks);
    ew_edge_mass_free(&edges);
    free(mass);
    free(y);
    free(z);
}

static void test_products(void)
{
    for (size_t k = 0; has_double() && k < (quick ? 4 : 16); k++) {
        for (int single = 0; single < 2; single++) {
            body p;
            there d;
            make_mixed_body(&p, sizes[k / 2 % 4], k % 2);
            double *curve = k < 8 ? NULL : curve_body(&p);
            random_vector(p.x, p.n, 3 + k);
            build_there(&d, &p, single ? EW_MIXED : EW_DOUBLE);
            check_products(&p, &d, single);
            if (!single) {
                check_dot(&p, &d);
                check_step(&p, &d, EW_MASS_CONSISTENT);
                check_step(&p, &d, EW_MASS_LUMPED);
            }
            free(curve);
            free_there(&d);
            free_body(&p);
        }
    }
}

/* ---- solves ------------------------------------------------------------------------ */

/* One face fixed, some of its rows along oblique directions. */
static ew_oblique fix_a_face(body *p)
{
    ew_oblique oblique = {0};
    const double *x = p->mesh.xyz;
    fix_surface(p);
    for (int32_t i = 0; i < p->n; i++) {
        const int32_t v = i < p->mesh.n_vertex ? i : ends_of(p, i - p->mesh.n_vertex)[0];
        const int32_t w = i < p->mesh.n_vertex ? i : ends_of(p, i - p->mesh.n_vertex)[1];
        const bool slides = i >= p->mesh.n_vertex && x[3 * v + 2] == 0.0 && x[3 * w + 2] == 0.0;
        p->fixed[i] = x[3 * v] == 0.0 && x[3 * w] == 0.0 ? p->fixed[i] : slides ? EW_OBLIQUE : 0;
        oblique.n += p->fixed[i] == EW_OBLIQUE;
    }
    must(ew_new_zero(&oblique.row, (size_t)oblique.n, sizeof *oblique.row));
    must(ew_new_zero(&oblique.normal, (size_t)oblique.n, 6 * sizeof *oblique.normal));
    for (int32_t i = 0, k = 0; i < p->n; i++) {
        if (p->fixed[i] == EW_OBLIQUE) {
            oblique.row[k] = i;
            oblique.normal[6 * k] = 0.6;
            oblique.normal[6 * k++ + 2] = 0.8;
        }
    }
    return oblique;
}

static void check_solve(ew_preconditioner_kind kind, ew_precision precision)
{
    body p;
    there d;
    ew_solver solver = {0};
    ew_pcg_info info;
    ew_pcg_def def = ew_default_pcg_def();
    make_mixed_body(&p, (int32_t[]){7, 5, 4}, true);
    build_there(&d, &p, precision);
    ew_oblique oblique = fix_a_face(&p);
    random_vector(p.b, p.n, 13);
    const ew_system on_host = {
        .op = &p.op, .xyz = p.mesh.xyz, .fixed = p.fixed, .b = p.b, .oblique = &oblique};
    const ew_system on_device = {
        .op = &d.op, .xyz = p.mesh.xyz, .fixed = p.fixed, .b = p.b, .oblique = &oblique};
    double *x = calloc((size_t)p.n, 3 * sizeof *x);
    def.preconditioner = kind;
    def.tolerance = 1e-9;
    def.precision = precision;
    must(ew_solver_solve(&p.solver, &on_host, &def, p.x, &p.info));
    must(ew_solver_solve(&solver, &on_device, &def, x, &info));
    CU_ASSERT(info.residual <= 1e-9);
    CU_ASSERT(difference(p.x, x, 3 * (size_t)p.n) < 1e-6);
    if (precision == EW_DOUBLE && kind == EW_BLOCK_JACOBI) { /* the same preconditioner */
        CU_ASSERT(abs(info.iterations - p.info.iterations) <= 2);
        CU_ASSERT_DOUBLE_EQUAL(solver.preconditioner.smoother.damping,
                               p.solver.preconditioner.smoother.damping, 1e-9);
    }
    CU_ASSERT(info.iterations < 2 * p.info.iterations + 20);
    free(x);
    ew_release(oblique.row);
    ew_release(oblique.normal);
    ew_solver_free(&solver);
    free_there(&d);
    free_body(&p);
}

static void test_solves(void)
{
    for (int k = 0; has_double() && k < 4; k++) {
        check_solve(k < 2 ? EW_BLOCK_JACOBI : EW_RIGID, k % 2 ? EW_MIXED : EW_DOUBLE);
    }
}

/* ---- what is refused ------------------------------------------------------------------ */

static void test_without_double_is_refused(void)
{
    ew_device *plain = NULL;
    ew_device_def def = ew_default_device_def();
    body p;
    ew_device_edges edges = {0};
    def.without_double = true;
    if (ew_device_open(&plain, &def)) {
        ew_test_skip(ew_message());
        return;
    }
    make_mixed_body(&p, sizes[0], false);
    CU_ASSERT_EQUAL(ew_device_edges_build(&edges, plain, &p.mesh, &p.topology, &p.rows),
                    EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--device host"));
    ew_device_edges_free(&edges);
    free_body(&p);
    ew_device_close(plain);
}

static void test_stale_is_refused(void)
{
    body p;
    there d;
    if (!has_double()) {
        return;
    }
    make_mixed_body(&p, sizes[1], false);
    build_there(&d, &p, EW_DOUBLE);
    const ew_order order = {true, NULL};
    must(ew_edge_rows_update(&p.rows, &p.topology, &order, NULL));
    CU_ASSERT_EQUAL(d.op.type->prepare(&d.op, EW_DOUBLE), EW_STALE);
    must(ew_edge_rows_update(&p.rows, &p.topology, &order, NULL));
    CU_ASSERT_EQUAL(ew_device_edges_update(&d.edges, &p.mesh, &p.topology, &p.rows, NULL, NULL),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_device_edges_check(&d.edges, &p.mesh, &p.topology, &p.rows), EW_STALE);
    free_there(&d);
    free_body(&p);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"blocks_have_the_bits_of_the_host", test_blocks_have_the_bits_of_the_host},
        {"products", test_products},
        {"solves", test_solves},
        {"without_double_is_refused", test_without_double_is_refused},
        {"stale_is_refused", test_stale_is_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device_quadratic", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
