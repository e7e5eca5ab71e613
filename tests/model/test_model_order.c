/* The order of a model's tets that changes: without memory, and back to linear ones. */
#include "ew_parts.h"
#include "model_edits.h"

#include "model/internal.h"

/* The rows of edges and their blocks are those of a rebuild, also after edits. */
static void check_edits(ew_model *model, uint64_t seed)
{
    editor e = {.state = seed};
    for (int i = 0; i < 4; i++) {
        ew_model_verification result;
        must(queue_growth(&e, ew_model_mesh(model), ew_model_edit(model)));
        const ew_status status = ew_model_commit(model);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        must(ew_model_verify(model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
    }
}

/* Without memory the order of all tets is what it was; what an order of single ones leaves
 * half-way is rebuilt. */
static void test_order_without_memory(void)
{
    const ew_list tet = {.n = 1, .id = &(int32_t){3}};
    for (int way = 0; way < 4; way++) {
        const bool before = way % 2;
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            ew_model *model = make_model(2, NULL);
            must(ew_model_set_order(model, before));
            ew_test_allocations_begin(k);
            const ew_status status = way < 2 ? ew_model_set_order(model, !before)
                                             : ew_model_enrich(model, &tet, !before);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            if (status == EW_OK || way < 2) {
                CU_ASSERT(ew_model_tet_is_quadratic(model, 3) == (before == refused));
                CU_ASSERT(!model->broken);
            }
            must(model->broken ? ew_model_rebuild(model) : EW_OK);
            check_edits(model, 7 + (uint64_t)k);
            ew_model_free(model);
        }
    }
}

/* Rows that no edge has follow no edit and are not read. */
static void test_no_rows_no_curves(void)
{
    const ew_topology topology = {.tet_to_edge = (int32_t[]){0, 1, 2, 3, 4, 1 << 20}};
    double d[18];
    CU_ASSERT(!ew_tet_curves(&(ew_edge_rows){.curve = d}, &topology, 0, d));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"order_without_memory", test_order_without_memory},
                           {"no_rows_no_curves", test_no_rows_no_curves},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"model_order", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
