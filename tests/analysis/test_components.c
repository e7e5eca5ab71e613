/* Which components of a body can move without deforming, and how: each case has a known answer
 * in rigid-body mechanics. */
#include "bricks.h"

static int32_t find(body *b, ew_free_component **free)
{
    int32_t n = -1;
    *free = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&b->constraints, &b->mesh, b->n_line, b->line),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(
        ew_find_free_components(&b->mesh, &b->topology, &b->constraints, NULL, free, &n), EW_OK);
    CU_ASSERT_EQUAL(ew_require_constrained(&b->mesh, &b->topology, &b->constraints),
                    n ? EW_UNDER_CONSTRAINED : EW_OK);
    return n;
}

/* The largest prescribed component of the named motion over the component's vertices. */
static double violation(const body *b, const ew_free_component *free, const int32_t *component)
{
    double largest = 0.0;
    const double *w = free->motion + 3;
    for (int32_t i = 0; i < 4 * b->mesh.n_tet; i++) {
        int32_t v = b->mesh.tet[i];
        if (component[i / 4] != free->component) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            const double *x = b->mesh.xyz + 3 * v, *m = free->center;
            double move = free->motion[c] + w[d] * (x[e] - m[e]) - w[e] * (x[d] - m[d]);
            bool fixed = b->constraints.fixed[v] >> c & 1;
            largest = fixed && fabs(move) > largest ? fabs(move) : largest;
        }
    }
    return largest;
}

static void test_components_unconstrained(void)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->n_free, 6);
    CU_ASSERT_EQUAL(free->n_tet, 12);
    CU_ASSERT_STRING_EQUAL(free->text, "is not constrained at all");
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "12 tets"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "constrain it; it is the whole body"));
    ew_release(free);
    release(b);
}

static void test_components_constrained(void)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL(find(b, &free), 0);
    CU_ASSERT_PTR_NULL(free);
    /* six directions, no more: three at one point, two at the next, one at a third */
    b->n_line = 0;
    for (int i = 0; i < MAX_LINES; i++) {
        ew_set_clear(&b->set[i]);
    }
    fix_box(b, 7, 0, 0, 0, 0, 0, 0);
    fix_box(b, 6, 2, 0, 0, 2, 0, 0);
    CU_ASSERT_EQUAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free ? free->n_free : 0, 1);
    ew_release(free);
    fix_box(b, 4, 0, 1, 0, 0, 1, 0);
    CU_ASSERT_EQUAL(find(b, &free), 0);
    release(b);
}

static void check_hinge(bool turned)
{
    body *b = start();
    ew_free_component *free;
    int32_t component[6], n;
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 1, 0, 0);
    if (turned) {
        turn(b);
    }
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->n_free, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(free->text, "rotates about the axis through"));
    if (!turned) {
        CU_ASSERT_PTR_NOT_NULL(strstr(free->text, "(0.5, 0, 0) along (1, 0, 0)"));
    }
    CU_ASSERT_EQUAL(ew_topology_components(&b->topology, &b->mesh, component, &n), EW_OK);
    CU_ASSERT(violation(b, free, component) < 1e-10);
    ew_release(free);
    release(b);
}

static void test_components_hinge(void)
{
    check_hinge(false);
    check_hinge(true);
}

static void test_components_rollers(void)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 4, 0, 0, 0, 1, 1, 0);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->n_free, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(free->text, "moves along (1, 0, 0), one of 3 motions"));
    ew_release(free);
    fix_box(b, 1, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->n_free, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(free->text, "moves along (0, 1, 0)"));
    CU_ASSERT_EQUAL(free->motion[1], 1.0);
    ew_release(free);
    release(b);
}

/* Five directions in general leave one motion, a screw: here w = (1, 1, 1), with t = (0, 0, 1)
 * at the origin. */
static void test_components_screw(void)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    finish(b);
    fix_box(b, 3, 0, 0, 0, 0, 0, 0);
    fix_box(b, 6, 1, 0, 1, 1, 0, 1);
    fix_box(b, 1, 0, 1, 1, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->n_free, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(free->text, "screws about the axis"));
    CU_ASSERT_PTR_NOT_NULL(strstr(free->text, "along (0.577, 0.577, 0.577)"));
    int32_t component[6] = {0};
    CU_ASSERT(violation(b, free, component) < 1e-10);
    ew_release(free);
    release(b);
}

static void test_components_one_of_two(void)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    add_brick(b, 5, 0, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->component, 1);
    CU_ASSERT_EQUAL(free->n_free, 6);
    CU_ASSERT(b->mesh.xyz[3 * free->vertex] >= 5.0);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "leave under-constrained components out"));
    ew_release(free);
    b->n_line = 0; /* both are free: no advice to leave both out */
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "none is constrained"));
    ew_release(free);
    release(b);
}

static void check_shared(bool edge)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 1, edge ? 0 : 1);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 1, 1);
    turn(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->component, 1);
    CU_ASSERT_EQUAL(free->n_free, edge ? 1 : 3);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(free->text, edge ? "rotates about the axis" : "turns about any axis through"));
    const double *x = b->xyz + 3 * free->vertex;
    CU_ASSERT(x[0] > 1.0 || x[1] > 1.0); /* not one of those it hangs on */
    ew_release(free);
    release(b);
}

static void test_components_shared_vertex(void)
{
    check_shared(false);
}

static void test_components_shared_edge(void)
{
    check_shared(true);
}

/* Two bricks, each free to turn about its own support and about the edge they share. */
static void check_arch(double support_y, int32_t n_free, bool turned)
{
    body *b = start();
    ew_free_component *free;
    add_brick(b, 0, 0, 0);
    add_brick(b, 1, 1, 0);
    finish(b);
    fix_box(b, 7, 0, 0, 0, 0, 0, 1);
    fix_box(b, 7, 2, support_y, 0, 2, support_y, 1);
    if (turned) {
        turn(b);
    }
    CU_ASSERT_EQUAL(find(b, &free), n_free);
    for (int32_t i = 0; free && i < n_free; i++) {
        CU_ASSERT_EQUAL(free[i].n_free, 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(free[i].text, "rotates about the axis"));
    }
    CU_ASSERT(!n_free || strstr(ew_message(), "1 more component is under-constrained"));
    ew_release(free);
    release(b);
}

static void test_components_arch(void)
{
    check_arch(1.0, 0, false);
    check_arch(1.0, 0, true);
    check_arch(2.0, 2, false); /* three hinges in one line do not stand */
    check_arch(2.0, 2, true);
}

/* Bricks of a chess board share vertical edges alone. In a pyramid on a fixed lowest row
 * each rests on two edges of the row below. */
static void test_components_spreads(void)
{
    body *b = start();
    ew_free_component *free;
    for (int row = 0; row < 4; row++) {
        for (int k = row; k < 8 - row; k += 2) {
            add_brick(b, k, row, 0);
        }
    }
    add_brick(b, 0, 2, 0); /* on one edge of the second row */
    finish(b);
    fix_box(b, 7, 0, 0, 0, 8, 0, 1);
    turn(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), 1);
    CU_ASSERT_EQUAL(free->n_free, 1);
    CU_ASSERT(b->xyz[3 * free->vertex] < 1.0 && b->xyz[3 * free->vertex + 1] >= 2.0);
    ew_release(free);
    release(b);
}

/* A chain of bricks from edge to edge, free as a whole. */
static void check_chain(int n)
{
    body *b = start();
    ew_free_component *free;
    for (int k = 0; k < n; k++) {
        add_brick(b, k, k % 2, 0);
    }
    finish(b);
    CU_ASSERT_EQUAL_FATAL(find(b, &free), n);
    CU_ASSERT_EQUAL(free[n - 1].component, n - 1);
    CU_ASSERT_EQUAL(free[n - 1].n_free, 6);
    ew_release(free);
    release(b);
}

static void test_components_chain(void)
{
    check_chain(2);
    check_chain(9);
    check_chain(120); /* beyond what is tried as one system */
}

/* No tets at all is a body that nothing can be wrong with. */
static void test_components_empty(void)
{
    body *b = start();
    ew_free_component *free;
    finish(b);
    CU_ASSERT_EQUAL(find(b, &free), 0);
    release(b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"components_unconstrained", test_components_unconstrained},
                           {"components_constrained", test_components_constrained},
                           {"components_hinge", test_components_hinge},
                           {"components_rollers", test_components_rollers},
                           {"components_screw", test_components_screw},
                           {"components_one_of_two", test_components_one_of_two},
                           {"components_shared_vertex", test_components_shared_vertex},
                           {"components_shared_edge", test_components_shared_edge},
                           {"components_arch", test_components_arch},
                           {"components_spreads", test_components_spreads},
                           {"components_chain", test_components_chain},
                           {"components_empty", test_components_empty},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"components", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
