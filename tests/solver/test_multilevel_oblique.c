/* Rows with prescribed directions that are no axes: the coarse modes respect them, and after edits
 * and other directions all bits are those of a rebuild. */
#include "oblique_edits.h"

#include "solver/multilevel/multilevel.h"

static ew_fine_level level_of(const body *b, const ew_oblique *list)
{
    return (ew_fine_level){.matrix = &b->matrix,
                           .pattern = &b->topology.pattern,
                           .xyz = b->mesh.xyz,
                           .fixed = b->fixed,
                           .oblique = list};
}

static void run(int32_t levels, int32_t rows, bool single)
{
    static int32_t row[OBLIQUE_ROWS];
    static double normal[6 * OBLIQUE_ROWS];
    ew_oblique list = {.row = row, .normal = normal};
    const ew_list none = {0};
    uint64_t state = 5;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){8, 8, 8});
    b.def = (ew_multilevel_def){
        .levels = levels, .aggregate_rows = rows, .chunk_rows = 60, .single = single};
    ew_fine_level fine = level_of(&b, &list); /* none yet */
    CU_ASSERT_EQUAL_FATAL(ew_multilevel_setup_level(&b.multilevel, &fine, &b.def), EW_OK);
    for (int k = 0; k < 40; k++) {
        const bool edited = k % 3 > 0;
        if (edited) {
            ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state));
            CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        }
        if (k % 3 < 2) {
            change_directions(&b, &list, &state);
        }
        fine = level_of(&b, &list);
        const ew_pattern_change *change = edited ? &b.topology.touched : NULL;
        CU_ASSERT_EQUAL_FATAL(ew_multilevel_update_level(b.multilevel, &fine,
                                                         k % 3 < 2 ? NULL : &none, change),
                              EW_OK);
        CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
        if (k % 10 == 0) {
            check_symmetric_positive(&b);
        }
    }
    CU_ASSERT_EQUAL(ew_multilevel_refill_level(b.multilevel, &fine), EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free_body(&b);
}

static void test_random_directions_keep_the_bits(void)
{
    run(2, 12, true);
    run(2, 6, false);
    run(3, 5, true);
}

/* A direction that is an axis is the same as a component that is fixed, but for the smoother. */
static void test_coarse_modes_are_those_of_an_axis(void)
{
    static const double axis[3][6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    body b, turned;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    make_box(&turned, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    const int32_t n = b.mesh.n_vertex;
    ew_oblique list = {.row = calloc((size_t)n, sizeof(int32_t)),
                       .normal = calloc(6 * (size_t)n, sizeof(double))};
    for (int32_t v = 0; v < n; v++) {
        if (b.fixed[v] == 0 && v % 3) {
            b.fixed[v] = (uint8_t)(1 << v % 3);
            turned.fixed[v] = EW_OBLIQUE;
            memcpy(list.normal + 6 * list.n, axis[v % 3], sizeof axis[0]);
            list.row[list.n++] = v;
        }
    }
    const ew_fine_level fine = level_of(&turned, &list);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_multilevel_setup_level(&turned.multilevel, &fine, &b.def), EW_OK);
    const ew_multilevel *one = b.multilevel, *other = turned.multilevel;
    CU_ASSERT_EQUAL_FATAL(one->aggregates.n, other->aggregates.n);
    double largest = 0.0, error = 0.0;
    for (size_t i = 0; i < 36 * (size_t)one->aggregates.n; i++) {
        largest = fmax(largest, fabs(one->coarse.diagonal[i]));
        error = fmax(error, fabs(one->coarse.diagonal[i] - other->coarse.diagonal[i]));
    }
    for (size_t i = 0; i < 36 * (size_t)one->pattern.n_pair; i++) {
        error = fmax(error, fabs(one->coarse.pair[i] - other->coarse.pair[i]));
    }
    CU_ASSERT(error <= 1e-14 * largest);
    CU_ASSERT_EQUAL(one->info.n_null, other->info.n_null);
    free(list.row);
    free(list.normal);
    free_body(&b);
    free_body(&turned);
}

static CU_TestInfo tests[] = {
    {"random_directions_keep_the_bits", test_random_directions_keep_the_bits},
    {"coarse_modes_are_those_of_an_axis", test_coarse_modes_are_those_of_an_axis},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "multilevel_oblique", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
