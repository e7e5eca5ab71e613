/* Replay of a journal: the same bits, and what a damaged one or one of another mesh meets. */
#include "study_fixture.h"

static ew_status run_seen(const char *text, void *user, ew_result *result,
                          const ew_result_archive *journal)
{
    return run_text(text, user, result, false, journal);
}

static void test_replay_gives_the_same_bits(void)
{
    const char *text =
        BODY "steps:\n"
             "  - {name: base, static: {}}\n"
             "  - {name: rough, edit: [{decimate: {fraction: 0.1, order: energy}}, {smooth: {}}, "
             "{remove: "
             "{pieces_smaller_than: 4}}], loads: [{gravity: [0, 0, -1]}], static: {}}\n"
             "  - {name: stub, edit: [{decimate: {fraction: 0.8}}], "
             "loads: [{gravity: [0, 0, -1]}], static: {}}\n"
             "  - {name: whole, edit: [{refine: {longer_than: 0.6}}, {mirror: {normal: x, at: "
             "max}}], loads: "
             "[{gravity: [0, 0, -1]}], static: {}}\n";
    seen all[2];
    replay_beside(text, "study", run_seen, &all[0], &all[1]);
    CU_ASSERT_TRUE(all[0].compacted[2] && all[1].compacted[2]);
}

static void test_replay_refuses_a_damaged_journal(void)
{
    seen all;
    const char *text = BODY "steps:\n  - {name: base, static: {}}\n";
    unsigned char record[64] = {'C', 3, 255, 255, 255, 127};
    size_t sizes[1] = {1};
    void *records[1] = {record};
    const ew_result_archive archive = {.n_step = 1, .journal_bytes = sizes, .journal = records};
    for (sizes[0] = 1; sizes[0] <= sizeof record; sizes[0]++) {
        CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_INPUT);
    }
    record[0] = 'X';
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_INPUT);
}

/* A refinement whose new vertices lie between vertices that are not there is refused. */
static void test_replay_bounds_parents(void)
{
    const char *text = BODY "steps:\n  - {name: base, static: {}}\n";
    const struct {
        int32_t counts[7];
        double added[4][3];
        int32_t tet[4], region, source[8];
    } body = {{4, 1, 0, 0, 0, 8, 0},
              {{9, 0, 0}, {10, 0, 0}, {9, 1, 0}, {9, 0, 1}},
              {-2, -3, -4, -5},
              1,
              {-100000000, INT32_MIN, -6, -6, INT32_MAX, 100000000, -2, -1}};
    unsigned char record[256] = {'C', 7};
    size_t size = 2;
    const struct {
        const void *data;
        size_t bytes;
    } parts[] = {{body.counts, sizeof body.counts},
                 {body.added, sizeof body.added},
                 {body.tet, sizeof body.tet},
                 {&body.region, sizeof body.region},
                 {body.source, sizeof body.source}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memcpy(record + size, parts[i].data, parts[i].bytes);
        size += parts[i].bytes;
    }
    void *records[1] = {record};
    const ew_result_archive archive = {.n_step = 1, .journal_bytes = &size, .journal = records};
    seen all;
    CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_EDIT);
}

/* A tet that is a part of one that is not there, in a study with a set of tets: nothing follows. */
static void test_replay_bounds_origins(void)
{
    const char *text =
        HEAD "sets: {half: {box: [[0, 0, 0], [2, 1, 1]], of: tets}, wall: {surface: 1}}\n"
             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
             "steps:\n  - {name: base, static: {}}\n";
    static const int32_t wild[] = {INT32_MAX, 100000, INT32_MIN, -2, 192};
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
        const struct {
            int32_t counts[7];
            double added[4][3];
            int32_t tet[4], region, origin;
        } body = {{4, 1, 0, 0, 0, 0, 0},
                  {{9, 0, 0}, {10, 0, 0}, {9, 1, 0}, {9, 0, 1}},
                  {-2, -3, -4, -5},
                  1,
                  wild[k]};
        unsigned char record[256] = {'T', 7};
        memcpy(record + 2, body.counts, sizeof body.counts);
        size_t size = 2 + sizeof body.counts;
        memcpy(record + size, body.added, sizeof body.added);
        size += sizeof body.added;
        memcpy(record + size, body.tet, sizeof body.tet);
        size += sizeof body.tet;
        memcpy(record + size, &body.region, 2 * sizeof(int32_t)); /* and the origin after it */
        size += 2 * sizeof(int32_t);
        void *records[1] = {record};
        const ew_result_archive archive = {.n_step = 1, .journal_bytes = &size, .journal = records};
        seen all;
        CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_UNDER_CONSTRAINED);
        size--;
        CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, &archive), EW_BAD_INPUT);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"replay", test_replay_gives_the_same_bits},
        {"replay_parents", test_replay_bounds_parents},
        {"replay_origins", test_replay_bounds_origins},
        {"replay_damaged", test_replay_refuses_a_damaged_journal},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"replay", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
