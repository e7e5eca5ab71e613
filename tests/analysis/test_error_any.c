/* What the error estimate must be on any mesh: a number, the same on any number of threads, refused
 * where it would be stale; and what is said of walls too thin and motions too large. */
#include "error_fixture.h"

/* ---- what must hold for any mesh ------------------------------------------------- */

/* Without edges between cells the estimate has little to compare: it must still be a number. */
static void check_cells(int32_t n_tet, const double *xyz, int32_t n_vertex)
{
    static const int32_t tet[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    body b = {.material = {{young, nu, 1.0}}};
    const ew_mesh_def def = {.n_vertex = n_vertex, .xyz = xyz, .n_tet = n_tet, .tet = tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b.mesh, &def, NULL), EW_OK);
    body_build(&b);
    for (int32_t i = 0; i < 3 * n_vertex; i++) {
        b.u[i] = 0.01 * xyz[i] * xyz[(i + 1) % (3 * n_vertex)] + 0.02 * xyz[(i * 7) % 12];
    }
    body_estimate(&b);
    const ew_estimate *e = &b.estimate;
    CU_ASSERT(isfinite(e->share) && e->share >= 0.0 && e->share < 1.0);
    CU_ASSERT(isfinite(e->error_norm) && e->solution_norm > 0.0);
    CU_ASSERT(isfinite(e->peak_share) && isfinite(e->peak_recovered) && e->peak_vertex >= 0);
    CU_ASSERT(isfinite(b.adequacy.bent) && isfinite(b.adequacy.rotated));
    if (n_tet == 1) {
        CU_ASSERT(e->share < 1e-7); /* one stress: nothing to compare it with */
    }
    body_free(&b);
}

static void test_error_single_cells(void)
{
    double xyz[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    check_cells(1, xyz, 4);
    check_cells(2, xyz, 5);
    for (double flat = 1e-3; flat > 1e-11; flat *= 0.1) {
        const double slivers[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, flat, 1, 1, flat};
        check_cells(1, slivers, 4);
        check_cells(2, slivers, 5);
    }
    for (double size = 1e-40; size < 1e41; size *= 1e20) { /* what lengths are in is no matter */
        for (int32_t i = 0; i < 15; i++) {
            xyz[i] *= size;
        }
        check_cells(2, xyz, 5);
        for (int32_t i = 0; i < 15; i++) {
            xyz[i] /= size;
        }
    }
}

/* A plate of cells a thousand times as wide as thick, in bending: no NaN, and the estimate sees
 * that one layer does not bend. */
static void test_error_flat_cells(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b.mesh, (double[3]){4, 1, 1e-4}, (int32_t[3]){40, 10, 1}),
                          EW_OK);
    body_build(&b);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        uint8_t fixed = 0;
        double x[3] = {4.0, b.mesh.xyz[3 * (size_t)v + 1], b.mesh.xyz[3 * (size_t)v + 2] + 0.5};
        bending_support(x, &fixed, b.u + 3 * (size_t)v);
    }
    body_estimate(&b);
    CU_ASSERT(isfinite(b.estimate.share) && isfinite(b.adequacy.bent));
    body_free(&b);
}

static bool is_above(const body *b, int32_t tet)
{
    double corner[12];
    ew_mesh_tet_values(&b->mesh, tet, b->mesh.xyz, corner);
    return corner[2] + corner[5] + corner[8] + corner[11] > 2.0;
}

/* Two strips of the beam in two regions, stretched alike. */
static void stretch_strips(body *b)
{
    make_beam(b, 2);
    CU_ASSERT_EQUAL_FATAL(ew_grow(&b->mesh.region_label, &b->mesh.region_capacity, 2,
                                  sizeof *b->mesh.region_label),
                          EW_OK);
    b->mesh.region_label[1] = 2;
    b->mesh.n_region = 2;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        b->mesh.region[t] = is_above(b, t);
    }
    body_build(b);
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        b->u[3 * (size_t)v] = 0.01 * b->mesh.xyz[3 * (size_t)v];
    }
}

/* Every corner has the stress of its own strip, and a vertex between them the larger one. */
static void expect_parted(const body *b, double below, double above)
{
    const ew_fields *fields = &b->fields;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        const double wanted = is_above(b, t) ? above : below;
        for (int k = 0; k < 4; k++) {
            const int32_t v = b->mesh.tet[4 * (size_t)t + (size_t)k];
            const int32_t region = ew_fields_vertex_region(fields, v);
            CU_ASSERT_DOUBLE_EQUAL(ew_fields_corner_stress(fields, &b->mesh, t, k)[0], wanted,
                                   1e-9 * above);
            CU_ASSERT_DOUBLE_EQUAL(ew_fields_corner_von_mises(fields, &b->mesh, t, k), wanted,
                                   1e-9 * above);
            CU_ASSERT_DOUBLE_EQUAL(fields->vertex_von_mises[v], region < 0 ? wanted : above,
                                   1e-9 * above);
        }
    }
}

static void test_stress_between_materials(void)
{
    body b = {.material = {{young, 0.0, 1.0}, {10.0 * young, 0.0, 1.0}}};
    bool refused = true;
    int64_t k = 0;
    stretch_strips(&b);
    body_estimate(&b);
    expect_parted(&b, 0.01 * young, 0.1 * young);
    for (; refused && k < 200; k++) { /* every allocation fails once */
        ew_fields fields = {0};
        ew_estimate estimate = {0};
        ew_test_allocations_begin(k);
        ew_status status = ew_fields_recover(&fields, &b.mesh, &b.topology, &b.materials,
                                             &b.constraints, 0, NULL, b.f, b.u, NULL);
        status =
            status ? status
                   : ew_estimate_take(&estimate, &b.mesh, &b.topology, &b.materials, &fields, NULL);
        ew_fields_free(&fields);
        ew_estimate_free(&estimate);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    CU_ASSERT(k > 20 && !refused);
    body_free(&b);
}

/* Two regions of one material are one patch, with the bits of one region. */
static void test_stress_between_regions_of_one_material(void)
{
    body two = {.material = {{young, nu, 1.0}, {young, nu, 7.0}}},
         one = {.material = {{young, nu, 1.0}}};
    stretch_strips(&two);
    make_beam(&one, 2);
    body_build(&one);
    memcpy(one.u, two.u, 3 * sizeof *one.u * (size_t)one.mesh.n_vertex);
    body_estimate(&two);
    body_estimate(&one);
    CU_ASSERT_EQUAL(two.fields.patches.n_vertex, 0);
    CU_ASSERT_EQUAL(memcmp(one.fields.vertex_stress, two.fields.vertex_stress,
                           6 * sizeof *one.fields.vertex_stress * (size_t)one.mesh.n_vertex),
                    0);
    body_free(&two);
    body_free(&one);
}

/* Stress that jumps where the material does is no error: a strip of two materials, stretched. */
static void test_error_between_materials(void)
{
    body b = {.material = {{young, 0.0, 1.0}, {10.0 * young, 0.0, 1.0}}};
    stretch_strips(&b);
    body_estimate(&b);
    CU_ASSERT(b.estimate.share < 1e-7);
    CU_ASSERT(b.estimate.recovered.patches.begin[b.mesh.n_vertex] > b.mesh.n_vertex);
    CU_ASSERT_DOUBLE_EQUAL(b.estimate.peak_recovered, 0.1 * young, 1e-9 * young);
    CU_ASSERT(naive_error(&b) > 0.1 * b.estimate.solution_norm); /* patches that mix would see it */
    body_free(&b);
}

/* Nothing loaded: no error, and no division by zero. */
static void test_error_without_stress(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    make_beam(&b, 2);
    body_build(&b);
    body_estimate(&b);
    CU_ASSERT_EQUAL(b.estimate.share, 0.0);
    CU_ASSERT_EQUAL(b.estimate.peak_share, 0.0);
    CU_ASSERT_EQUAL(b.adequacy.bent, 0.0);
    body_free(&b);
}

static void test_error_is_the_same_on_any_number_of_threads(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    ew_estimate other = {0};
    ew_adequacy adequacy;
    const int threads = ew_threads();
    make_beam(&b, 4);
    shake(&b, 0.05);
    body_build(&b);
    for (int32_t i = 0; i < 3 * b.mesh.n_vertex; i++) {
        b.u[i] = sin(0.1 * i);
    }
    ew_use_threads(1);
    body_estimate(&b);
    ew_use_threads(3);
    CU_ASSERT_EQUAL_FATAL(
        ew_estimate_take(&other, &b.mesh, &b.topology, &b.materials, &b.fields, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_adequacy_evaluate(&adequacy, &b.mesh, &b.topology, &b.fields, &other,
                                               EW_SMALL, b.u),
                          EW_OK);
    ew_use_threads(threads);
    CU_ASSERT_EQUAL(memcmp(other.error, b.estimate.error, sizeof(double) * (size_t)b.mesh.n_tet),
                    0);
    CU_ASSERT_EQUAL(other.share, b.estimate.share);
    CU_ASSERT_EQUAL(memcmp(&adequacy, &b.adequacy, sizeof adequacy), 0);
    ew_estimate_free(&other);
    body_free(&b);
}

/* Fields of another mesh are refused, and so are tables; no memory ends in a status. */
static void test_error_refusals(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    make_beam(&b, 2);
    body_build(&b);
    body_estimate(&b);
    b.mesh.revision++;
    CU_ASSERT_EQUAL(ew_estimate_take(&b.estimate, &b.mesh, &b.topology, &b.materials, &b.fields,
                                     NULL),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_adequacy_evaluate(&b.adequacy, &b.mesh, &b.topology, &b.fields, &b.estimate,
                                         EW_SMALL, b.u),
                    EW_STALE);
    b.mesh.revision--;
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_estimate estimate = {0};
        ew_adequacy adequacy;
        ew_test_allocations_begin(k);
        ew_status status =
            ew_estimate_take(&estimate, &b.mesh, &b.topology, &b.materials, &b.fields, NULL);
        if (!status) {
            status = ew_adequacy_evaluate(&adequacy, &b.mesh, &b.topology, &b.fields, &estimate,
                                          EW_SMALL, b.u);
        }
        ew_estimate_free(&estimate);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    body_free(&b);
}

/* ---- whether the theory fits ----------------------------------------------------- */

/* Bending through 2 layers is seen, through 6 it is not; tension is no bending. */
static void test_error_sees_thin_walls(void)
{
    for (int32_t n = 1; n <= 6; n++) {
        body b = {.material = {{young, nu, 1.0}}};
        make_beam(&b, n);
        body_build(&b);
        for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
            uint8_t fixed = 0;
            const double *x = b.mesh.xyz + 3 * (size_t)v;
            double value[3];
            bending_support((double[3]){4.0, x[1], x[2]}, &fixed, value);
            b.u[3 * (size_t)v] = x[0] * (x[2] - 0.5) / young;
            b.u[3 * (size_t)v + 1] = value[1];
            b.u[3 * (size_t)v + 2] = value[2] + (16.0 - x[0] * x[0]) / (2.0 * young);
        }
        body_estimate(&b);
        if (n < EW_MIN_LAYERS) {
            CU_ASSERT(b.adequacy.bent > 0.5);
            CU_ASSERT_DOUBLE_EQUAL(b.adequacy.layers, n, 0.5);
        } else {
            CU_ASSERT_EQUAL(b.adequacy.bent, 0.0);
        }
        for (int32_t i = 0; i < 3 * b.mesh.n_vertex; i++) {
            b.u[i] = i % 3 ? 0.0 : 0.01 * b.mesh.xyz[i];
        }
        body_estimate(&b);
        CU_ASSERT_EQUAL(b.adequacy.bent, 0.0);
        body_free(&b);
    }
}

/* Turned by a small angle and stretched: both are read off exactly. */
static void test_error_sees_large_motion(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    make_beam(&b, 2);
    body_build(&b);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * (size_t)v;
        b.u[3 * (size_t)v] = -0.2 * x[1] + 0.06 * x[0];
        b.u[3 * (size_t)v + 1] = 0.2 * x[0];
    }
    body_estimate(&b);
    CU_ASSERT_DOUBLE_EQUAL(b.adequacy.max_rotation, 0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(b.adequacy.max_strain, 0.06, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(b.adequacy.rotated, 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(b.adequacy.strained, 1.0, 1e-12);
    for (int32_t i = 0; i < 3 * b.mesh.n_vertex; i++) {
        b.u[i] *= 0.4;
    }
    body_estimate(&b);
    CU_ASSERT_EQUAL(b.adequacy.rotated, 0.0);
    CU_ASSERT_EQUAL(b.adequacy.strained, 0.0);
    body_free(&b);
}

/* Beyond small displacements the angle itself, up to half a turn. */
static void test_error_sees_rotations(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    make_beam(&b, 2);
    body_build(&b);
    body_estimate(&b);
    for (int k = 0; k <= 6; k++) {
        const double angle = k * acos(-1.0) / 6.0, c = cos(angle), s = sin(angle);
        for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
            const double *x = b.mesh.xyz + 3 * (size_t)v;
            b.u[3 * (size_t)v] = (c - 1.0) * x[0] - s * x[1];
            b.u[3 * (size_t)v + 1] = s * x[0] + (c - 1.0) * x[1];
        }
        CU_ASSERT_EQUAL(ew_adequacy_evaluate(&b.adequacy, &b.mesh, &b.topology, &b.fields,
                                             &b.estimate, EW_COROTATIONAL, b.u),
                        EW_OK);
        CU_ASSERT_DOUBLE_EQUAL(b.adequacy.max_rotation, angle, 1e-12);
    }
    body_free(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"error_single_cells", test_error_single_cells},
        {"error_flat_cells", test_error_flat_cells},
        {"error_materials", test_error_between_materials},
        {"stress_between_materials", test_stress_between_materials},
        {"stress_between_regions", test_stress_between_regions_of_one_material},
        {"error_without_stress", test_error_without_stress},
        {"error_threads", test_error_is_the_same_on_any_number_of_threads},
        {"error_refusals", test_error_refusals},
        {"error_thin_walls", test_error_sees_thin_walls},
        {"error_large_motion", test_error_sees_large_motion},
        {"error_rotations", test_error_sees_rotations},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"error", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
