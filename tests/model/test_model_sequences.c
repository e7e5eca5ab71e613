/* Random sequences of edits through a model: after each, sets and fields have followed, and all
 * else is what a model made fresh from the same mesh has. On the host, and on a device. */
#include "model_edits.h"
#include "model_snapshot.h"
#include "one_device.h"

static void run_sequence(ew_model *model, uint64_t seed, int n, int *accepted, int *refused)
{
    editor e = {.state = seed};
    for (int i = 0; i < n; i++) {
        snapshot s = take_snapshot(model);
        const uint64_t revision = ew_model_mesh(model)->revision;
        ew_status status;
        if (ew_test_random(&e.state, 15) == 0 && ew_model_mesh(model)->n_live_tet) {
            status = ew_model_compact(model, NULL, NULL);
            e.n_gone = 0; /* slots have other numbers now */
        } else {
            status = ew_model_apply(model, queue_any, &e);
        }
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        if (status && status != EW_BAD_EDIT) {
            printf("%s\n", ew_message());
        }
        CU_ASSERT(!status || ew_model_mesh(model)->revision == revision);
        *accepted += !status;
        *refused += status != EW_OK;
        expect_sets_followed(model, &s);
        expect_fields_followed(model, &s);
        if (ew_test_random(&e.state, 3)) { /* else changes add up */
            expect_as_fresh(model);
        }
        if (ew_test_random(&e.state, 4) == 0) {
            solve_a_little(model, 2);
        }
        drop_snapshot(&s);
        if (CU_get_number_of_failures()) {
            printf("seed %d, edit %d\n", (int)seed, i);
            break;
        }
    }
}

static void run_sequences(ew_device *on, uint64_t first_seed, int n_seed, int n)
{
    int accepted = 0, refused = 0;
    for (uint64_t seed = first_seed;
         seed < first_seed + (uint64_t)n_seed && !CU_get_number_of_failures(); seed++) {
        ew_model *model = make_model(2, on);
        run_sequence(model, seed, n, &accepted, &refused);
        ew_model_free(model);
    }
    CU_ASSERT(accepted > n_seed * n / 3);
    CU_ASSERT(refused > 0);
}

static void test_sequences_on_the_host(void)
{
    run_sequences(NULL, seed_of(1), edits_of(60, 20), 60);
}

static void test_sequences_on_a_device(void)
{
    if (device) {
        run_sequences(device, seed_of(101), edits_of(40, 2), 40);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sequences_on_the_host", test_sequences_on_the_host},
        {"sequences_on_a_device", test_sequences_on_a_device},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model sequences", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
