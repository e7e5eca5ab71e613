/* The kernels of nonlinear bodies against their host references, bit for bit: forces, states after
 * a step and records of tets of every law, at odd sizes, linear, quadratic and curved, with and
 * without thermal strain and another displacement to see from; blocks of the tangent gathered from
 * them, and to rounding its products, with pressure that turns with faces. */
#include "device_model.h"

enum { N_BODY = 6 };
typedef enum body_order { LINEAR, QUADRATIC, CURVED } body_order;

/* Which laws the two regions have. */
static void make_materials(int which, ew_material material[2])
{
    for (int r = 0; r < 2; r++) {
        material[r] = (ew_material){.young = 2e5 * (1 + r), .poisson = 0.3, .density = 1.0};
    }
    if (which == 2 || which == 5) { /* moduli along axes of the place; beside a law that flows */
        material[0] = (ew_material){.kind = EW_ORTHOTROPIC,
                                    .density = 1.0,
                                    .young_along = {1e5, 2e5, 3e5},
                                    .poisson_between = {0.2, 0.1, 0.25},
                                    .shear = {4e4, 5e4, 6e4},
                                    .axes = {.kind = EW_MATERIAL_AXES_CYLINDER,
                                             .point = {0.1, 0.2, 0.3},
                                             .third = {0.0, 0.6, 0.8}}};
    }
    if (which >= 3) {
        const ew_law *law = which == 4 ? &ew_law_creep : &ew_law_plastic;
        ew_material_put_law(&material[1], law);
        material[1].law_value[0] = which == 4 ? 1e-2 : 900.0;
        material[1].law_value[1] = which == 4 ? 3.0 : 2e3;
        material[1].law_value[2] = which == 4 ? 0.3 : 0.0;
    }
    if (which == 5) { /* by a table */
        material[1].n_hardening = 3;
        for (int k = 0; k < 3; k++) {
            material[1].hardening[k][0] = 500.0 * (1 + k);
            material[1].hardening[k][1] = 0.01 * k;
        }
    }
}

static double *random_numbers(size_t n, double size, uint64_t *state)
{
    double *value = NULL;
    must(ew_new(&value, n + 1, sizeof *value));
    for (size_t i = 0; i < n; i++) {
        value[i] = size * ((double)ew_test_random(state, 2000001) * 1e-6 - 1.0);
    }
    return value;
}

typedef struct both {
    model m;
    ew_internal_force internal_force, beside; /* of the host; prepared alike for the device */
    ew_device_internal_force there;
    ew_deformed body;
    double *u, *from, *state, *thermal, *after, *curve;
    ew_edge_rows rows;
    ew_device_edges edges;
    int32_t n_point;
} both;

/* All vertices, and rows of edges. */
static size_t n_row_of(const both *b)
{
    return (size_t)b->m.mesh.n_vertex + (size_t)b->rows.pattern.n_row;
}

static const ew_device_edges *edges_of(const both *b)
{
    return b->n_point > 1 ? &b->edges : NULL;
}

/* Tets of odd number are linear. */
static void open_edges(both *b, body_order order, uint64_t *random)
{
    double *other = random_numbers((size_t)b->m.mesh.n_tet, 0.0, random);
    const ew_order of_tets = {true, other};
    for (int32_t t = 1; t < b->m.mesh.n_tet; t += 2) {
        other[t] = 1.0;
    }
    must(ew_edge_rows_build(&b->rows, &b->m.topology, &of_tets));
    b->curve = random_numbers(3 * n_row_of(b), 0.02, random);
    b->rows.curve = order == CURVED ? b->curve : NULL;
    must(ew_device_edges_build(&b->edges, device, &b->m.mesh, &b->m.topology, &b->rows));
    b->n_point = EW_QUADRATIC_POINTS;
    ew_release(other);
}

static void open_both(both *b, const model *mesh, int which, ew_kinematics kinematics,
                      body_order order, uint64_t *random)
{
    ew_material material[2];
    bool forgot;
    *b = (both){.m = *mesh, .n_point = 1};
    ew_materials_free(&b->m.materials);
    make_materials(which, material);
    must(ew_materials_init(&b->m.materials, 2, material));
    must(ew_device_mesh_build(&b->m.copy, device, &b->m.mesh, &b->m.topology));
    if (order != LINEAR) {
        open_edges(b, order, random);
    }
    const size_t n_row = n_row_of(b), n_tet = (size_t)b->n_point * (size_t)b->m.mesh.n_tet;
    const int32_t n_state = ew_materials_n_state(&b->m.materials);
    b->u = random_numbers(3 * n_row, 0.3, random);
    b->from = random_numbers(3 * n_row, 0.2, random);
    b->state = random_numbers(EW_MAX_LAW_STATE * n_tet, 0.05, random);
    b->thermal = random_numbers(6 * n_tet, 0.02, random);
    for (size_t t = 0; t < n_tet; t++) {
        b->state[EW_MAX_LAW_STATE * t + EW_STATE_EQUIVALENT] = 0.02;
    }
    must(ew_new_zero(&b->after, EW_MAX_LAW_STATE * n_tet + 1, sizeof *b->after));
    b->body = (ew_deformed){.mesh = &b->m.mesh,
                            .topology = &b->m.topology,
                            .materials = &b->m.materials,
                            .rows = order == LINEAR ? NULL : &b->rows,
                            .u = b->u,
                            .from = which % 2 ? b->from : NULL,
                            .state = n_state ? b->state : NULL,
                            .thermal = which % 3 ? b->thermal : NULL,
                            .dt = 0.1};
    for (int k = 0; k < 2; k++) {
        ew_internal_force *internal_force = k ? &b->beside : &b->internal_force;
        internal_force->kinematics = kinematics;
        must(ew_internal_force_prepare(internal_force, &b->m.materials, b->n_point, n_state,
                                       b->body.thermal, &forgot));
    }
}

static void close_both(both *b)
{
    double *const all[] = {b->u, b->from, b->state, b->thermal, b->after, b->curve};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ew_release(all[i]);
    }
    ew_internal_force_free(&b->internal_force);
    ew_internal_force_free(&b->beside);
    ew_device_internal_force_free(&b->there);
    ew_device_edges_free(&b->edges);
    ew_edge_rows_free(&b->rows);
    drop(&b->m);
}

static void expect_forces(both *b)
{
    const size_t n = 3 * n_row_of(b), n_tet = (size_t)b->n_point * (size_t)b->m.mesh.n_tet;
    const bool flows = b->internal_force.n_state > 0;
    double *f = NULL, *g = NULL, *after = NULL;
    must(ew_new(&f, n, sizeof *f));
    must(ew_new(&g, n, sizeof *g));
    must(ew_new_zero(&after, EW_MAX_LAW_STATE * n_tet + 1, sizeof *after));
    must(ew_internal_force_find(&b->internal_force, &b->body, flows ? b->after : NULL));
    ew_internal_force_gather(&b->internal_force, &b->body, f);
    must(ew_device_internal_force_find(&b->there, &b->m.copy, edges_of(b), &b->beside, &b->body,
                                       flows, g));
    CU_ASSERT_EQUAL(memcmp(f, g, n * sizeof *f), 0);
    if (flows) {
        must(ew_device_internal_force_after(&b->there, after));
        CU_ASSERT_EQUAL(memcmp(after, b->after, EW_MAX_LAW_STATE * n_tet * sizeof *after), 0);
    }
    ew_release(f);
    ew_release(g);
    ew_release(after);
}

/* Pressure with any turns on a face of each third tet, twice on some. */
static void press(const both *b, ew_follower *follower, uint64_t *random)
{
    const int32_t n = (b->m.mesh.n_tet + 2) / 3;
    *follower = (ew_follower){
        .n = n + n / 2, .n_node = EW_FOLLOWER_NODES, .version = b->edges.turn_version + 1};
    const size_t n_face = (size_t)follower->n;
    must(ew_new(&follower->face, n_face, sizeof *follower->face));
    must(ew_new(&follower->node, n_face * EW_FOLLOWER_NODES, sizeof *follower->node));
    must(ew_new(&follower->force, 3 * n_face * EW_FOLLOWER_NODES, sizeof *follower->force));
    follower->turn = random_numbers(3 * n_face * EW_FOLLOWER_TURNS, 1e4, random);
    for (int32_t i = 0; i < follower->n; i++) {
        const int32_t tet = 3 * (i % n);
        follower->face[i] = 4 * tet + i % 4;
        if (ew_mesh_tet_is_live(&b->m.mesh, tet)) {
            ew_face_nodes(&b->m.mesh, &b->m.topology, &b->rows, follower->face[i],
                          follower->node + EW_FOLLOWER_NODES * (size_t)i);
        } else {
            memset(follower->node + EW_FOLLOWER_NODES * (size_t)i, -1,
                   EW_FOLLOWER_NODES * sizeof *follower->node);
        }
    }
}

/* Diagonal blocks of edges with the bits of the host's, and the parts of a product to rounding. */
static void expect_edges(both *b, uint64_t *random)
{
    static const ew_edge_part part[] = {EW_EDGE_ALL, EW_EDGE_OF_EDGES, EW_EDGE_OF_CORNERS};
    const size_t n = 3 * n_row_of(b), bytes = n * sizeof(double);
    ew_edge_blocks from = ew_edge_blocks_of(&b->m.mesh, &b->m.topology, &b->m.materials, &b->rows);
    ew_edge_product product = {0};
    ew_device_matrix there = {0};
    ew_matrix here = {0}, copy = {0};
    ew_follower follower;
    ew_buffer x = {0}, y = {0};
    double *out = random_numbers(n, 0.0, random);
    from.internal_force = &b->internal_force;
    must(ew_matrix_build(&here, &from.source));
    must(ew_device_edge_blocks_build(&there, &b->m.copy, &b->edges, &from, &b->there));
    must(ew_device_matrix_download(&there, &copy));
    CU_ASSERT_EQUAL(memcmp(here.diagonal, copy.diagonal, 9 * (size_t)here.n_row * sizeof(double)),
                    0);
    press(b, &follower, random);
    must(ew_edge_product_prepare(&product, &b->m.mesh, &b->m.topology, &b->m.materials, &b->rows,
                                 &b->internal_force));
    must(ew_device_edges_prepare(&b->edges, &b->m.copy, &b->m.materials, NULL, &b->there,
                                 &follower));
    must(ew_buffer_reserve(device, &x, bytes));
    must(ew_buffer_reserve(device, &y, bytes));
    must(ew_buffer_write(device, &x, 0, bytes, b->u));
    for (int k = 0; k < 3; k++) {
        double *sum = random_numbers(n, 0.0, random), largest = 0.0, error = 0.0;
        must(ew_buffer_write(device, &y, 0, bytes, sum));
        ew_edge_product_add(&product, part[k], b->u, sum);
        ew_follower_add_product(&follower, part[k], b->u, sum);
        must(ew_device_edges_product(&b->edges, &b->m.copy, part[k], false, NULL, &x, &y));
        must(ew_buffer_read(device, &y, 0, bytes, out));
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(sum[i]));
            error = fmax(error, fabs(sum[i] - out[i]));
        }
        CU_ASSERT(largest > 0.0 && error < 1e-12 * largest);
        ew_release(sum);
    }
    ew_release(out);
    ew_buffer_free(&x);
    ew_buffer_free(&y);
    ew_follower_free(&follower);
    ew_edge_product_free(&product);
    ew_device_matrix_free(&there);
    ew_matrix_free(&here);
    ew_matrix_free(&copy);
}

/* Records, which of them changed, and the blocks made of them. */
static void expect_records(both *b, double bound)
{
    const size_t n = (size_t)b->m.mesh.n_tet * (size_t)b->n_point * (size_t)b->internal_force.width;
    ew_list here = {0}, there = {0};
    ew_device_matrix matrix = {0};
    must(ew_internal_force_record(&b->internal_force, &b->body, bound, &here));
    must(ew_device_internal_force_record(&b->there, &b->m.copy, edges_of(b), &b->beside, &b->body,
                                         bound, &there));
    CU_ASSERT_EQUAL(here.n, there.n);
    CU_ASSERT(here.n == 0 || here.n != there.n ||
              !memcmp(here.id, there.id, (size_t)here.n * sizeof *here.id));
    must(ew_device_internal_force_download(&b->there, &b->beside));
    CU_ASSERT_EQUAL(memcmp(b->internal_force.record, b->beside.record, n * sizeof(double)), 0);
    const ew_tangent from =
        ew_tangent_of(&b->m.mesh, &b->m.topology, &b->m.materials, &b->internal_force);
    must(ew_matrix_build(&b->m.host, &from.source));
    must(ew_device_tangent_build(&matrix, &b->m.copy, &from, &b->there, EW_MIXED, NULL));
    expect_same(&matrix, &b->m);
    ew_device_matrix_free(&matrix);
    ew_list_free(&here);
    ew_list_free(&there);
}

/* Some vertices move on, by much or by little, so that some records stay. */
static void move_on(both *b, uint64_t *random)
{
    for (int32_t v = 0; v < b->m.mesh.n_vertex; v++) {
        const double size = v % 3 ? 0.0 : v % 2 ? 1e-4 : 0.1;
        b->u[3 * v] += size * ((double)ew_test_random(random, 2001) * 1e-3 - 1.0);
    }
}

static void check_body(const model *mesh, int which, ew_kinematics kinematics, body_order order,
                       uint64_t *random)
{
    static const ew_tangent_form form[] = {EW_TANGENT_EXACT, EW_TANGENT_CLAMPED, EW_TANGENT_WARPED};
    both b;
    open_both(&b, mesh, which, kinematics, order, random);
    for (int k = 0; k < 3; k++) {
        b.internal_force.form = b.beside.form = form[k];
        expect_forces(&b);
        expect_records(&b, k == 1 ? 1e-2 : 0.0);
        if (order != LINEAR) {
            expect_edges(&b, random);
        }
        move_on(&b, random);
    }
    close_both(&b);
}

static void test_answers_have_the_bits_of_the_host(void)
{
    static const int32_t sizes[] = {1, 2, 3, 31, 65, 257};
    uint64_t random = 5;
    for (size_t i = 0; has_double() && i < sizeof sizes / sizeof *sizes - (quick ? 3 : 0); i++) {
        for (int which = 0; which < N_BODY; which++) {
            const model chain = make_chain(sizes[i]);
            check_body(&chain, which, EW_COROTATIONAL, LINEAR, &random);
        }
        const model chain = make_chain(sizes[i]);
        check_body(&chain, 3, EW_SMALL, LINEAR, &random);
    }
}

static void test_quadratic_answers_have_the_bits_of_the_host(void)
{
    static const int32_t sizes[] = {1, 2, 33, 67};
    uint64_t random = 6;
    for (size_t i = 0; has_double() && i < sizeof sizes / sizeof *sizes - (quick ? 2 : 0); i++) {
        for (int which = 0; which < N_BODY; which++) {
            const model chain = make_chain(sizes[i]);
            check_body(&chain, which, EW_COROTATIONAL, which % 2 ? CURVED : QUADRATIC, &random);
        }
        const model chain = make_chain(sizes[i]);
        check_body(&chain, 3, EW_SMALL, QUADRATIC, &random);
    }
}

/* Holes, and a box with vertices of many tets. */
static void test_answers_around_holes(void)
{
    uint64_t random = 8;
    for (int which = 0; has_double() && which < N_BODY; which += 3) {
        model box = make_box(2);
        for (int32_t t = 0; t < 20; t += 7) {
            remove_tet(&box, t);
        }
        check_body(&box, which, EW_COROTATIONAL, which ? CURVED : LINEAR, &random);
    }
}

/* A law of one's own has no kernel. */
static void test_other_laws_are_refused(void)
{
    ew_law own = ew_law_plastic;
    own.name = "own";
    uint64_t random = 9;
    both b;
    if (!has_double()) {
        return;
    }
    const model chain = make_chain(3);
    open_both(&b, &chain, 3, EW_COROTATIONAL, LINEAR, &random);
    b.m.materials.material[1].law = &own;
    CU_ASSERT_EQUAL(ew_device_internal_force_find(&b.there, &b.m.copy, NULL, &b.beside, &b.body,
                                                  true, b.from),
                    EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "'own'"));
    close_both(&b);
}

static CU_TestInfo tests[] = {
    {"answers_have_the_bits_of_the_host", test_answers_have_the_bits_of_the_host},
    {"quadratic_answers_have_the_bits_of_the_host",
     test_quadratic_answers_have_the_bits_of_the_host},
    {"answers_around_holes", test_answers_around_holes},
    {"other_laws_are_refused", test_other_laws_are_refused},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"device_internal_force", open_device, close_device, NULL, NULL,
                                    tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
