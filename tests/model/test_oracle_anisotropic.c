/* The oracle with general laws: after random edits of all kinds the blocks on the host, and on an
 * OpenCL device, equal a rebuild from the mesh bit for bit, with axes of the region and with axes
 * of a cylinder, which turn where a tet is moved. */
#include "oracle_body.h"
#include "random_edits.h"

static ew_material make_wood(void)
{
    return (ew_material){.kind = EW_ORTHOTROPIC,
                         .density = 1.0,
                         .young_along = {11.0, 0.9, 0.5},
                         .poisson_between = {0.37, 0.42, 0.43},
                         .shear = {0.8, 0.7, 0.06},
                         .axes = {.kind = EW_MATERIAL_AXES_FIXED,
                                  .first = {1.0, 2.0, 2.0},
                                  .second = {2.0, 1.0, -2.0}}};
}

static void run(const ew_material *material, bool with_device, int n_batch)
{
    body b;
    start_of(&b, with_device, material);
    b.random = seed_of(b.random);
    CU_ASSERT(!b.materials.is_isotropic);
    if (with_device && !b.device) {
        ew_test_skip("no OpenCL device with double precision");
        n_batch = 0;
    }
    for (int i = 0; i < n_batch && !CU_get_number_of_failures(); i++) {
        const int32_t n_taken = b.n_taken;
        queue_batch(&b, i / 100 % 2 ? 1 : -1);
        if (!apply(&b)) {
            b.n_taken = n_taken < b.n_taken ? n_taken : b.n_taken;
        }
        if (i % 3 == 0) { /* else changes add up */
            compare_with_rebuild(&b);
        }
    }
    CU_ASSERT(b.n_edit >= 2 * n_batch);
    stop(&b);
}

static void run_both(bool with_device, int n_batch)
{
    ew_material wood = make_wood();
    run(&wood, with_device, n_batch);
    wood.axes = (ew_material_axes){
        .kind = EW_MATERIAL_AXES_CYLINDER, .point = {0.1, 0.2, 0.3}, .third = {0.0, 1.0, 3.0}};
    run(&wood, with_device, n_batch);
}

static void test_edits_on_the_host(void)
{
    run_both(false, edits_of(4, 1500));
}

static void test_edits_on_a_device(void)
{
    run_both(true, edits_of(4, 300));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"edits_on_the_host", test_edits_on_the_host},
        {"edits_on_a_device", test_edits_on_a_device},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "oracle of general laws", .pTests = tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
