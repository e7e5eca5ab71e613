/* Constraints, loads and mechanisms on bodies of a few bricks. Held against closed forms are
 * the physics tests; here the rules: what is refused and by which name, what survives, and
 * which motion is found. */
#include "testlib.h"

#include "analysis/analysis.h"

#include <math.h>
#include <string.h>

/* ---- bodies of bricks -------------------------------------------------------- */

enum { MOST_VERTICES = 2000, MOST_TETS = 2000, MOST_LINES = 4 };

/* Bricks of 6 tets; corners at equal coordinates are one vertex, so bricks hang together
 * where they touch, through faces only where whole faces meet. */
typedef struct body {
    int32_t n_vertex, n_tet;
    double xyz[3 * MOST_VERTICES];
    int32_t tet[4 * MOST_TETS];
    ew_mesh mesh;
    ew_topology topology;
    int32_t n_line;
    ew_set set[MOST_LINES];
    ew_constraint line[MOST_LINES];
    ew_constraints constraints;
} body;

static body the_body; /* large, so not on the stack; each test begins with start() */

static body *start(void)
{
    memset(&the_body, 0, sizeof the_body);
    return &the_body;
}

static int32_t corner(body *b, double x, double y, double z)
{
    for (int32_t v = 0; v < b->n_vertex; v++) {
        if (b->xyz[3 * v] == x && b->xyz[3 * v + 1] == y && b->xyz[3 * v + 2] == z) {
            return v;
        }
    }
    double at[3] = {x, y, z};
    memcpy(b->xyz + 3 * b->n_vertex, at, sizeof at);
    return b->n_vertex++;
}

static void add_brick(body *b, double x, double y, double z)
{
    static const int8_t path[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    int32_t at[8];
    for (int k = 0; k < 8; k++) {
        at[k] = corner(b, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
    }
    for (int k = 0; k < 6; k++) {
        int32_t tet[4] = {at[0], at[path[k][0]], at[path[k][1]], at[7]};
        memcpy(b->tet + 4 * b->n_tet++, tet, sizeof tet);
    }
}

static void finish(body *b)
{
    ew_mesh_def def = {.n_vertex = b->n_vertex, .xyz = b->xyz, .n_tet = b->n_tet, .tet = b->tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b->mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
}

static void release(body *b)
{
    for (int i = 0; i < MOST_LINES; i++) {
        ew_set_free(&b->set[i]);
    }
    ew_constraints_free(&b->constraints);
    ew_topology_free(&b->topology);
    ew_mesh_free(&b->mesh);
}

/* Prescribes the components of the bits at zero in the box around a to b. */
static void fix_box(body *b, uint8_t fixed, double x0, double y0, double z0, double x1, double y1,
                    double z1)
{
    const double low[3] = {x0 - 1e-9, y0 - 1e-9, z0 - 1e-9};
    const double high[3] = {x1 + 1e-9, y1 + 1e-9, z1 + 1e-9};
    ew_set *set = &b->set[b->n_line];
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        bool in = true;
        for (int c = 0; c < 3; c++) {
            in = in && b->xyz[3 * v + c] >= low[c] && b->xyz[3 * v + c] <= high[c];
        }
        if (in) {
            CU_ASSERT_EQUAL_FATAL(ew_set_add(set, v), EW_OK);
        }
    }
    CU_ASSERT_FATAL(set->list.n > 0);
    b->line[b->n_line++] = (ew_constraint){.vertex = set, .fixed = fixed};
}

/* Turns the mesh so that nothing lies along an axis; prescribed components stay global. */
static void turn(body *b)
{
    const double c = cos(0.7), s = sin(0.7), d = cos(0.4), e = sin(0.4);
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        double *x = b->mesh.xyz + 3 * v, p = c * x[0] - s * x[1], q = s * x[0] + c * x[1];
        double r = d * q - e * x[2];
        x[2] = e * q + d * x[2];
        x[0] = p;
        x[1] = r;
    }
}

static int32_t find(body *b, ew_loose_piece **loose)
{
    int32_t n = -1;
    *loose = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, b->n_line, b->line),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(
        ew_find_loose_pieces(&b->mesh, &b->topology, &b->constraints, NULL, loose, &n), EW_OK);
    CU_ASSERT_EQUAL(ew_require_held(&b->mesh, &b->topology, &b->constraints),
                    n ? EW_MECHANISM : EW_OK);
    return n;
}

/* The largest prescribed component of the named motion over the piece's vertices. */
static double violation(const body *b, const ew_loose_piece *loose, const int32_t *piece)
{
    double largest = 0.0;
    const double *w = loose->motion + 3;
    for (int32_t i = 0; i < 4 * b->mesh.n_tet; i++) {
        int32_t v = b->mesh.tet[i];
        if (piece[i / 4] != loose->piece) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            const double *x = b->mesh.xyz + 3 * v, *m = loose->center;
            double move = loose->motion[c] + w[d] * (x[e] - m[e]) - w[e] * (x[d] - m[d]);
            bool fixed = b->constraints.fixed[v] >> c & 1;
            largest = fixed && fabs(move) > largest ? fabs(move) : largest;
        }
    }
    return largest;
}

/* ---- mechanisms ---------------------------------------------------------------- */

static void test_mechanism_none_held(void)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->n_free, 6);
    CU_ASSERT_EQUAL(loose->n_tet, 12);
    CU_ASSERT_STRING_EQUAL(loose->text, "is not held at all");
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "12 tets"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "constrain it"));
    ew_release(loose);
    release(b);
}

static void test_mechanism_held(void)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL(find(b, &loose), 0);
    CU_ASSERT_PTR_NULL(loose);
    /* six directions, no more: three at one point, two at the next, one at a third */
    b->n_line = 0;
    for (int i = 0; i < MOST_LINES; i++) {
        ew_set_clear(&b->set[i]);
    }
    fix_box(b, 7, 0, 0, 0, 0, 0, 0);
    fix_box(b, 6, 2, 0, 0, 2, 0, 0);
    CU_ASSERT_EQUAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose ? loose->n_free : 0, 1);
    ew_release(loose);
    fix_box(b, 4, 0, 1, 0, 0, 1, 0);
    CU_ASSERT_EQUAL(find(b, &loose), 0);
    release(b);
}

static void check_hinge(bool turned)
{
    body *b = start();
    ew_loose_piece *loose;
    int32_t piece[6], n;
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 1, 0, 0);
    if (turned) {
        turn(b);
    }
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->n_free, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(loose->text, "rotates about the axis through"));
    if (!turned) {
        CU_ASSERT_PTR_NOT_NULL(strstr(loose->text, "(0.5, 0, 0) along (1, 0, 0)"));
    }
    CU_ASSERT_EQUAL(ew_topology_pieces(&b->topology, &b->mesh, piece, &n), EW_OK);
    CU_ASSERT(violation(b, loose, piece) < 1e-10);
    ew_release(loose);
    release(b);
}

static void test_mechanism_hinge(void)
{
    check_hinge(false);
    check_hinge(true);
}

static void test_mechanism_rollers(void)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 4, 0, 0, 0, 1, 1, 0);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->n_free, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(loose->text, "moves along (1, 0, 0), one of 3 motions"));
    ew_release(loose);
    fix_box(b, 1, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->n_free, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(loose->text, "moves along (0, 1, 0)"));
    CU_ASSERT_EQUAL(loose->motion[1], 1.0);
    ew_release(loose);
    release(b);
}

/* Five directions in general leave one motion, a screw: here w = (1, 1, 1), with t = (0, 0, 1)
 * at the origin. */
static void test_mechanism_screw(void)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 3, 0, 0, 0, 0, 0, 0);
    fix_box(b, 6, 1, 0, 1, 1, 0, 1);
    fix_box(b, 1, 0, 1, 1, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->n_free, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(loose->text, "screws about the axis"));
    CU_ASSERT_PTR_NOT_NULL(strstr(loose->text, "along (0.577, 0.577, 0.577)"));
    int32_t piece[6] = {0};
    CU_ASSERT(violation(b, loose, piece) < 1e-10);
    ew_release(loose);
    release(b);
}

static void test_mechanism_one_of_two(void)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    add_brick(b, 5, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->piece, 1);
    CU_ASSERT_EQUAL(loose->n_free, 6);
    CU_ASSERT(b->mesh.xyz[3 * loose->vertex] >= 5.0);
    ew_release(loose);
    release(b);
}

static void check_shared(bool edge)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 1, edge ? 0 : 1);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    turn(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->piece, 1);
    CU_ASSERT_EQUAL(loose->n_free, edge ? 1 : 3);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(loose->text, edge ? "rotates about the axis" : "turns about any axis through"));
    const double *x = b->xyz + 3 * loose->vertex;
    CU_ASSERT(x[0] > 1.0 || x[1] > 1.0); /* not one of those it hangs on */
    ew_release(loose);
    release(b);
}

static void test_mechanism_shared_vertex(void)
{
    check_shared(false);
}

static void test_mechanism_shared_edge(void)
{
    check_shared(true);
}

/* Two bricks, each free to turn about its own support and about the edge they share. */
static void check_arch(double support_y, int32_t n_loose, bool turned)
{
    body *b = start();
    ew_loose_piece *loose;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 1, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 0, 1);
    fix_box(b, 7, 2, support_y, 0, 2, support_y, 1);
    if (turned) {
        turn(b);
    }
    CU_ASSERT_EQUAL(find(b, &loose), n_loose);
    for (int32_t i = 0; loose && i < n_loose; i++) {
        CU_ASSERT_EQUAL(loose[i].n_free, 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(loose[i].text, "rotates about the axis"));
    }
    CU_ASSERT(!n_loose || strstr(ew_message(), "1 more piece is not held"));
    ew_release(loose);
    release(b);
}

static void test_mechanism_arch(void)
{
    check_arch(1.0, 0, false);
    check_arch(1.0, 0, true);
    check_arch(2.0, 2, false); /* three hinges in one line do not stand */
    check_arch(2.0, 2, true);
}

/* Bricks of a chess board share vertical edges alone. In a pyramid on a fixed lowest row
 * each rests on two edges of the row below. */
static void test_mechanism_spreads(void)
{
    body *b = start();
    ew_loose_piece *loose;
    for (int row = 0; row < 4; row++) {
        for (int k = row; k < 8 - row; k += 2) {
            add_brick(b, k, row, 0);
        }
    }
    add_brick(b, 0, 2, 0); /* on one edge of the second row */
    finish(b);
    fix_box(b, 7, 0, 0, 0, 8, 0, 1);
    turn(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), 1);
    CU_ASSERT_EQUAL(loose->n_free, 1);
    CU_ASSERT(b->xyz[3 * loose->vertex] < 1.0 && b->xyz[3 * loose->vertex + 1] >= 2.0);
    ew_release(loose);
    release(b);
}

/* A chain of bricks from edge to edge, free as a whole. */
static void check_chain(int n)
{
    body *b = start();
    ew_loose_piece *loose;
    for (int k = 0; k < n; k++) {
        add_brick(b, k, k % 2, 0);
    }
    finish(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &loose), n);
    CU_ASSERT_EQUAL(loose[n - 1].piece, n - 1);
    CU_ASSERT_EQUAL(loose[n - 1].n_free, 6);
    ew_release(loose);
    release(b);
}

static void test_mechanism_chain(void)
{
    check_chain(2);
    check_chain(9);
    check_chain(120); /* beyond what is tried as one system */
}

/* ---- constraints ----------------------------------------------------------------- */

static void test_constraints_build(void)
{
    body *b = start();
    add_brick(b, 0, 0, 0);
    double unused[3] = {9, 9, 9};
    memcpy(b->xyz + 3 * b->n_vertex++, unused, sizeof unused);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    fix_box(b, 2, 0, 0, 0, 9, 9, 9); /* agrees with the first where both prescribe */
    fix_box(b, 1, 1, 0, 0, 1, 1, 1);
    b->line[2].value[0] = 0.25;
    b->line[2].value[1] = 5.0; /* of no prescribed component */
    for (int again = 0; again < 2; again++) {
        CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, b->n_line, b->line),
                              EW_OK);
        CU_ASSERT_EQUAL(b->constraints.n_vertex, 9);
        for (int32_t v = 0; v < 8; v++) {
            bool far = b->xyz[3 * v] > 0.5;
            CU_ASSERT_EQUAL(b->constraints.fixed[v], far ? 3 : 7);
            CU_ASSERT_EQUAL(b->constraints.value[3 * v], far ? 0.25 : 0.0);
            CU_ASSERT_EQUAL(b->constraints.value[3 * v + 1], 0.0);
        }
        CU_ASSERT_EQUAL(b->constraints.fixed[8], 7);
        CU_ASSERT_EQUAL(b->constraints.value[24], 0.0);
    }
    release(b);
}

static void test_constraints_refused(void)
{
    body *b = start();
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, 1, b->line), EW_OK);
    fix_box(b, 4, 0, 1, 1, 1, 1, 1);
    b->line[1].value[2] = 0.5;
    CU_ASSERT_EQUAL(ew_constraints_build(&b->constraints, &b->mesh, 2, b->line), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "at (0, 1, 1) is prescribed displacement z = 0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "0.5"));
    b->line[1].value[2] = NAN;
    CU_ASSERT_EQUAL(ew_constraints_build(&b->constraints, &b->mesh, 2, b->line), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_set_add(&b->set[1], 8), EW_OK);
    b->line[1].value[2] = 0.0;
    CU_ASSERT_EQUAL(ew_constraints_build(&b->constraints, &b->mesh, 2, b->line), EW_BAD_ARGUMENT);
    for (int32_t v = 0; v < 8; v++) {
        CU_ASSERT_EQUAL(b->constraints.fixed[v], b->xyz[3 * v] > 0.5 ? 0 : 7);
    }
    release(b);
}

/* ---- loads ----------------------------------------------------------------------- */

static const ew_material steel = {.young = 200.0, .poisson = 0.3, .density = 8.0};

static void sum_forces(const body *b, const double *f, double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        sum[i % 3] += f[i];
    }
}

static void check_sum(body *b, const ew_load *load, double x, double y, double z)
{
    double f[3 * 64], sum[3];
    ew_materials materials = {0};
    CU_ASSERT_FATAL(b->mesh.n_vertex <= 64);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL(ew_loads_assemble(&b->mesh, &b->topology, &materials, 1, load, NULL, f), EW_OK);
    sum_forces(b, f, sum);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], x, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(sum[1], y, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(sum[2], z, 1e-13);
    ew_materials_free(&materials);
}

/* Two bricks of volume 1 side by side; the face between them is in every set of its
 * vertices and must carry nothing. */
static void test_loads_sums(void)
{
    body *b = start();
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    fix_box(b, 0, 0, 0, 0, 2, 1, 1);
    fix_box(b, 0, 2, 0, 0, 2, 1, 1);
    fix_box(b, 0, 1, 0, 0, 2, 1, 1);
    const ew_set *all = &b->set[0], *end = &b->set[1], *half = &b->set[2];
    check_sum(b, &(ew_load){.kind = EW_LOAD_GRAVITY, .vector = {1, -2, 3}}, 16, -32, 48);
    check_sum(b, &(ew_load){EW_LOAD_TOTAL_FORCE, {1, 2, 3}, 0, half}, 1, 2, 3);
    check_sum(b, &(ew_load){EW_LOAD_FORCE, {1, 2, 3}, 0, end}, 4, 8, 12);
    check_sum(b, &(ew_load){EW_LOAD_PRESSURE, {0}, 5, end}, -5, 0, 0);
    check_sum(b, &(ew_load){EW_LOAD_PRESSURE, {0}, 5, half}, -5, 0, 0);
    check_sum(b, &(ew_load){EW_LOAD_PRESSURE, {0}, 5, all}, 0, 0, 0);
    check_sum(b, &(ew_load){EW_LOAD_TRACTION, {1, 2, 3}, 0, end}, 1, 2, 3);
    check_sum(b, &(ew_load){EW_LOAD_TRACTION, {1, 2, 3}, 0, half}, 5, 10, 15);
    check_sum(b, &(ew_load){EW_LOAD_TRACTION, {1, 2, 3}, 0, all}, 10, 20, 30);
    release(b);
}

/* Any subset, asked for alone, gives the bits of the whole. */
static void test_loads_subset(void)
{
    body *b = start();
    for (int k = 0; k < 5; k++) {
        add_brick(b, k, k / 3, 0);
    }
    finish(b);
    turn(b);
    fix_box(b, 0, 0, 0, 0, 5, 2, 1);
    const ew_load load[] = {
        {.kind = EW_LOAD_GRAVITY, .vector = {0.1, -9.81, 0.3}},
        {EW_LOAD_PRESSURE, {0}, 1.7, &b->set[0]},
        {EW_LOAD_TOTAL_FORCE, {1, 2, 3}, 0, &b->set[0]},
        {EW_LOAD_TRACTION, {0.3, 0.2, 0.1}, 0, &b->set[0]},
    };
    double full[3 * 64], part[3 * 64] = {0.0};
    ew_materials materials = {0};
    ew_list some = {0};
    uint64_t random = 7;
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL_FATAL(
        ew_loads_assemble(&b->mesh, &b->topology, &materials, 4, load, NULL, full), EW_OK);
    for (int round = 0; round < 40; round++) {
        some.n = 0;
        for (int k = 0; k < 5; k++) {
            uint32_t v = ew_test_random(&random, (uint32_t)b->mesh.n_vertex);
            CU_ASSERT_EQUAL_FATAL(ew_list_push(&some, (int32_t)v), EW_OK);
        }
        CU_ASSERT_EQUAL_FATAL(
            ew_loads_assemble(&b->mesh, &b->topology, &materials, 4, load, &some, part), EW_OK);
        for (int32_t i = 0; i < some.n; i++) {
            CU_ASSERT(memcmp(part + 3 * some.id[i], full + 3 * some.id[i], 24) == 0);
        }
    }
    ew_list_free(&some);
    ew_materials_free(&materials);
    release(b);
}

static void check_refused(body *b, const ew_material *material, const ew_load *load,
                          ew_status expected, const char *words)
{
    double f[3 * 64];
    ew_materials materials = {0};
    f[0] = 42.0;
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, material), EW_OK);
    CU_ASSERT_EQUAL(ew_loads_assemble(&b->mesh, &b->topology, &materials, 1, load, NULL, f),
                    expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), words));
    CU_ASSERT_EQUAL(f[0], 42.0);
    ew_materials_free(&materials);
}

static void test_loads_refused(void)
{
    body *b = start();
    const ew_material weightless = {.young = 200.0, .poisson = 0.3};
    ew_set none = {0};
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    fix_box(b, 0, 1, 0, 0, 1, 1, 1); /* between the bricks: no boundary face */
    const ew_set *inner = &b->set[0];
    check_refused(b, &weightless, &(ew_load){.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -9.81}},
                  EW_BAD_INPUT, "load 1 (gravity): the material of region 0 has no density");
    check_refused(b, &steel, &(ew_load){EW_LOAD_PRESSURE, {0}, 1, inner}, EW_BAD_INPUT,
                  "load 1 (pressure): no boundary face");
    check_refused(b, &steel, &(ew_load){EW_LOAD_TRACTION, {1, 0, 0}, 0, inner}, EW_BAD_INPUT,
                  "load 1 (traction): no boundary face");
    check_refused(b, &steel, &(ew_load){EW_LOAD_FORCE, {1, 0, 0}, 0, &none}, EW_BAD_INPUT,
                  "load 1 (force): its set has no vertex");
    check_refused(b, &steel, &(ew_load){EW_LOAD_FORCE, {1, NAN, 0}, 0, inner}, EW_BAD_INPUT,
                  "not finite");
    check_refused(b, &steel, &(ew_load){EW_LOAD_FORCE, {1, 0, 0}, 0, NULL}, EW_BAD_ARGUMENT,
                  "no set");
    CU_ASSERT_EQUAL(ew_set_add(&none, 500), EW_OK);
    check_refused(b, &steel, &(ew_load){EW_LOAD_FORCE, {1, 0, 0}, 0, &none}, EW_BAD_ARGUMENT,
                  "names vertex slot 500");
    b->topology.revision++;
    check_refused(b, &steel, &(ew_load){EW_LOAD_FORCE, {1, 0, 0}, 0, inner}, EW_STALE, "revision");
    ew_set_free(&none);
    release(b);
}

/* ---- everything together ------------------------------------------------------------ */

typedef struct outcome {
    ew_constraints constraints;
    ew_fields fields;
    ew_loose_piece *loose;
    int32_t n_loose;
} outcome;

static void outcome_free(outcome *out)
{
    ew_constraints_free(&out->constraints);
    ew_fields_free(&out->fields);
    ew_release(out->loose);
}

static ew_status run_all(const body *b, const ew_materials *materials, const ew_matrix *matrix,
                         double *f, const double *u, outcome *out)
{
    const ew_load load = {.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -9.81}};
    EW_TRY(ew_constraints_build(&out->constraints, &b->mesh, b->n_line, b->line));
    EW_TRY(ew_find_loose_pieces(&b->mesh, &b->topology, &out->constraints, NULL, &out->loose,
                                &out->n_loose));
    EW_TRY(ew_loads_assemble(&b->mesh, &b->topology, materials, 1, &load, NULL, f));
    return ew_fields_recover(&out->fields, &b->mesh, &b->topology, materials, matrix,
                             &out->constraints, f, u);
}

/* Two loose groups: one held with a joint, the other free. */
static void test_analysis_allocation_failure(void)
{
    body *b = start();
    double f[3 * 64], u[3 * 64] = {0.0};
    ew_materials materials = {0};
    ew_matrix matrix = {0};
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 1, 0);
    add_brick(b, 7, 0, 0);
    add_brick(b, 8, 1, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 0, 1);
    fix_box(b, 7, 2, 1, 0, 2, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_matrix_build(&matrix, &b->mesh, &b->topology, &materials), EW_OK);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        outcome out = {0};
        ew_test_allocations_begin(k);
        ew_status status = run_all(b, &materials, &matrix, f, u, &out);
        outcome_free(&out);
        int64_t held = ew_test_held();
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(held, 0);
        CU_ASSERT(refused || out.n_loose == 2);
        CU_ASSERT_FATAL(k < 1000);
    }
    ew_matrix_free(&matrix);
    ew_materials_free(&materials);
    release(b);
}

static void test_analysis_stale(void)
{
    body *b = start();
    double f[3 * 64] = {0.0}, u[3 * 64] = {0.0};
    ew_materials materials = {0};
    ew_matrix matrix = {0};
    outcome out = {0};
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_matrix_build(&matrix, &b->mesh, &b->topology, &materials), EW_OK);
    CU_ASSERT_EQUAL(run_all(b, &materials, &matrix, f, u, &out), EW_OK);
    matrix.revision++;
    CU_ASSERT_EQUAL(ew_fields_recover(&out.fields, &b->mesh, &b->topology, &materials, &matrix,
                                      &out.constraints, f, u),
                    EW_STALE);
    b->topology.revision++;
    CU_ASSERT_EQUAL(ew_require_held(&b->mesh, &b->topology, &out.constraints), EW_STALE);
    outcome_free(&out);
    outcome_free(&out); /* safe on what was freed */
    ew_matrix_free(&matrix);
    ew_materials_free(&materials);
    release(b);
}

/* No tets at all is a body that nothing can be wrong with. */
static void test_analysis_empty(void)
{
    body *b = start();
    ew_loose_piece *loose;
    finish(b);
    CU_ASSERT_EQUAL(find(b, &loose), 0);
    release(b);
}

int main(int argc, char **argv)
{
    CU_TestInfo mechanism[] = {{"mechanism_none_held", test_mechanism_none_held},
                               {"mechanism_held", test_mechanism_held},
                               {"mechanism_hinge", test_mechanism_hinge},
                               {"mechanism_rollers", test_mechanism_rollers},
                               {"mechanism_screw", test_mechanism_screw},
                               {"mechanism_one_of_two", test_mechanism_one_of_two},
                               {"mechanism_shared_vertex", test_mechanism_shared_vertex},
                               {"mechanism_shared_edge", test_mechanism_shared_edge},
                               {"mechanism_arch", test_mechanism_arch},
                               {"mechanism_spreads", test_mechanism_spreads},
                               {"mechanism_chain", test_mechanism_chain},
                               CU_TEST_INFO_NULL};
    CU_TestInfo constraints[] = {{"constraints_build", test_constraints_build},
                                 {"constraints_refused", test_constraints_refused},
                                 CU_TEST_INFO_NULL};
    CU_TestInfo loads[] = {{"loads_sums", test_loads_sums},
                           {"loads_subset", test_loads_subset},
                           {"loads_refused", test_loads_refused},
                           CU_TEST_INFO_NULL};
    CU_TestInfo together[] = {{"analysis_allocation_failure", test_analysis_allocation_failure},
                              {"analysis_stale", test_analysis_stale},
                              {"analysis_empty", test_analysis_empty},
                              CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"constraints", NULL, NULL, NULL, NULL, constraints},
                             {"loads", NULL, NULL, NULL, NULL, loads},
                             {"mechanism", NULL, NULL, NULL, NULL, mechanism},
                             {"together", NULL, NULL, NULL, NULL, together},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
