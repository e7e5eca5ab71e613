/* The oracle over the whole chain: after every one of many random edits of all kinds, in mixed
 * batches, down to an empty mesh and up again, tables and matrix on the host, and the blocks on an
 * OpenCL device, equal a rebuild from the mesh bit for bit, and every checker is green. */
#include "oracle_body.h"

/* Everything goes, in one batch. */
static void empty(body *b)
{
    ew_edit_clear(&b->edit);
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        if (ew_mesh_tet_is_live(&b->mesh, t)) {
            queue_removal(b, t);
        }
    }
    CU_ASSERT_TRUE(apply(b));
    CU_ASSERT_EQUAL(b->mesh.n_live_tet, 0);
    CU_ASSERT_EQUAL(b->topology.pattern.n_live_pair, 0);
    b->n_empty++;
    compare_with_rebuild(b);
}

static void run(body *b, int64_t n_edit)
{
    int64_t batches = 0;
    for (; b->n_edit < n_edit && batches < 10 * n_edit; batches++) {
        /* Ebb and flow: long stretches that take away, then that bring back. */
        const int32_t tide = batches / 250 % 2 ? 1 : -1;
        const int32_t n_taken = b->n_taken;
        queue_batch(b, tide);
        if (!apply(b)) {
            b->n_taken = n_taken < b->n_taken ? n_taken : b->n_taken;
        }
        compare_with_rebuild(b);
        if (batches % 900 == 899) {
            empty(b);
        }
    }
    printf("\n  %lld edits in %lld batches, %lld refused, emptied %lld times, %d tets now ... ",
           (long long)b->n_edit, (long long)batches, (long long)b->n_refused, (long long)b->n_empty,
           b->mesh.n_live_tet);
    CU_ASSERT_TRUE(b->n_edit >= n_edit);
    CU_ASSERT_TRUE(b->n_empty >= 2);
    CU_ASSERT_TRUE(b->n_refused > 0);
}

static void test_oracle_host(void)
{
    body b;
    start(&b, false);
    run(&b, 12000);
    stop(&b);
}

static void test_oracle_device(void)
{
    body b;
    start(&b, true);
    if (b.device) {
        run(&b, 10000);
    } else {
        ew_test_skip("no OpenCL device with double precision");
    }
    stop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"oracle_host", test_oracle_host},
        {"oracle_device", test_oracle_device},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"oracle", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
