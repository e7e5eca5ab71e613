/* Products of quadratic tets have the same bits on every processor: what the library picks for this
 * one (eight tets side by side, four, what is left of a part) against the loops compiled for any.
 */
#include "quadratic_fixture.h"

#include "assembly/host/edge_lanes.h"
#include "assembly/host/edge_mass.h"
#include "assembly/host/edge_mass_lanes.h"

/* y: the product, z: by the loops for any processor. */
typedef void both(const body *p, const ew_edge_mass *mass, ew_edge_part part, double *y, double *z);

static void add_stiffness(const body *p, const ew_edge_mass *mass, ew_edge_part part, double *y,
                          double *z)
{
    (void)mass;
    const ew_edge_product *product = &p->quadratic.product;
    ew_edge_product_add(product, part, p->x, y);
    for (int32_t k = 0; k < product->n_part; k++) {
        const int32_t end =
            ew_edge_groups_any(product, part, product->first[k], product->bent[k], p->x, z);
        CU_ASSERT_EQUAL(end, product->bent[k]);
    }
}

static void add_mass(const body *p, const ew_edge_mass *mass, ew_edge_part part, double *y,
                     double *z)
{
    (void)p;
    ew_edge_mass_add_straight(mass, part, 1.5, p->x, y);
    for (int32_t k = 0; k < mass->list->n_part; k++) {
        ew_edge_mass_groups_any(mass, part, 1.5, mass->list->first[k], mass->list->bent[k], p->x,
                                z);
    }
}

static void check(const body *p, const ew_edge_mass *mass, both *add)
{
    const size_t n = 3 * (size_t)p->n;
    const ew_edge_part part[] = {EW_EDGE_ALL, EW_EDGE_OF_EDGES, EW_EDGE_OF_CORNERS, EW_EDGE_WHOLE};
    double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    for (int k = 0; k < (add == add_mass ? 3 : 4); k++) {
        memset(y, 0, n * sizeof *y);
        memset(z, 0, n * sizeof *z);
        add(p, mass, part[k], y, z);
        CU_ASSERT(!memcmp(y, z, n * sizeof *y));
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += fabs(y[i]);
        }
        CU_ASSERT(sum > 0.0);
    }
    free(y);
    free(z);
}

/* Tets of the left end are linear. */
static void check_body(const int32_t cells[3], const ew_material *material, bool mixed)
{
    body p = {0};
    ew_edge_mass mass = {0};
    must(ew_shape_box(&p.mesh, (double[]){1.0, 0.9, 0.8}, cells));
    double *other = calloc((size_t)p.mesh.n_tet, sizeof *other);
    for (int32_t t = 0; t < p.mesh.n_tet; t++) {
        other[t] = mixed && p.mesh.xyz[3 * (size_t)p.mesh.tet[4 * (size_t)t]] < 0.3 ? 1.0 : 0.0;
    }
    build_body_of(&p, material, other);
    const ew_mass of = ew_mass_of(&p.mesh, &p.topology, &p.materials, EW_MASS_CONSISTENT);
    must(ew_edge_mass_build(&mass, &of, &p.rows));
    random_vector(p.x, p.n, 5);
    check(&p, &mass, add_stiffness);
    mass.list = &p.quadratic.product;
    check(&p, &mass, add_mass);
    ew_edge_mass_free(&mass);
    free(other);
    free_body(&p);
}

static void test_same_bits_on_any_processor(void)
{
    const ew_material steel = {.young = 200.0, .poisson = 0.3, .density = 2.0}, fir = wood();
    for (int32_t n = 1; n < 8; n++) { /* 6 tets and more: groups odd and even, the last one short */
        for (int mixed = 0; mixed < 2; mixed++) {
            check_body((int32_t[]){2, 1, n}, &steel, mixed);
            check_body((int32_t[]){2, 1, n}, &fir, mixed);
        }
    }
    check_body((int32_t[]){9, 8, 7}, &steel, true); /* several parts where there are threads */
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"same_bits_on_any_processor", test_same_bits_on_any_processor},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"edge lanes", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
