/* Checkpoints: records come back as they were appended, whatever a killed program left behind them;
 * a study resumed after any of its steps gives the bits of one that was never stopped. */
#define _XOPEN_SOURCE 700
#include "study_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "test-checkpoint.checkpoint";
static const char identity[] = "program: 1\ncase: 2\nmesh: 3\n";

/* ---- the file ------------------------------------------------------------------ */

static void append_three(void)
{
    ew_checkpoint *own = NULL;
    remove(path); /* of a test that failed */
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&own, path, identity, false), EW_OK);
    CU_ASSERT(access(path, F_OK) != 0);
    CU_ASSERT_EQUAL(ew_checkpoint_append(own, "first", 5), EW_OK);
    CU_ASSERT_EQUAL(ew_checkpoint_append(own, "", 0), EW_OK);
    CU_ASSERT_EQUAL(ew_checkpoint_append(own, "the third of them", 17), EW_OK);
    CU_ASSERT_FALSE(ew_checkpoint_is_shared(own));
    ew_checkpoint_close(own, true);
}

/* Number of records, -1 where the file is refused. */
static int32_t n_whole(void)
{
    static const char *const text[3] = {"first", "", "the third of them"};
    ew_checkpoint *own = NULL;
    if (ew_checkpoint_open(&own, path, identity, true)) {
        return -1;
    }
    const int32_t n = ew_checkpoint_n_record(own);
    for (int32_t k = 0; k < n && k < 3; k++) {
        const void *data;
        size_t size;
        CU_ASSERT_EQUAL_FATAL(ew_checkpoint_record(own, k, &data, &size), EW_OK);
        CU_ASSERT(size == strlen(text[k]) && !memcmp(data, text[k], size));
    }
    ew_checkpoint_close(own, true);
    return n;
}

static size_t read_file(char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    const size_t n = fread(bytes, 1, room, file);
    fclose(file);
    return n;
}

static void write_file(const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_EQUAL(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void test_checkpoint_cut_anywhere(void)
{
    char bytes[512];
    append_three();
    CU_ASSERT_EQUAL(n_whole(), 3);
    const size_t n = read_file(bytes, sizeof bytes);
    const size_t head = n - 3 * 16 - 5 - 17, end[3] = {head + 21, head + 37, n};
    for (size_t cut = 0; cut <= n; cut++) {
        write_file(bytes, cut);
        const int32_t expected =
            cut < head ? -1 : (cut >= end[0]) + (cut >= end[1]) + (cut >= end[2]);
        CU_ASSERT_EQUAL(n_whole(), expected);
    }
    for (size_t at = 0; at < n; at++) { /* damaged: never more than what is whole before it */
        bytes[at] = (char)(bytes[at] ^ 0x10);
        write_file(bytes, n);
        const int32_t whole = n_whole();
        CU_ASSERT(at < head ? whole == -1 : whole == (at >= end[0]) + (at >= end[1]));
        bytes[at] = (char)(bytes[at] ^ 0x10);
    }
    remove(path);
}

/* What is appended after a torn record stands in its place. */
static void test_checkpoint_goes_on(void)
{
    char bytes[512];
    append_three();
    const size_t n = read_file(bytes, sizeof bytes);
    write_file(bytes, n - 1);
    ew_checkpoint *own = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&own, path, identity, true), EW_OK);
    CU_ASSERT_EQUAL(ew_checkpoint_n_record(own), 2);
    CU_ASSERT_EQUAL(ew_checkpoint_append(own, "the third of them", 17), EW_OK);
    ew_checkpoint_close(own, true);
    CU_ASSERT_EQUAL(n_whole(), 3);
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&own, path, identity, true), EW_OK);
    ew_checkpoint_close(own, false);
    CU_ASSERT(access(path, F_OK) != 0);
}

static void test_checkpoint_refuses_others(void)
{
    ew_checkpoint *own = NULL, *other = NULL;
    append_three();
    CU_ASSERT_EQUAL(ew_checkpoint_open(&own, path, "program: 1\ncase: 0\nmesh: 3\n", true),
                    EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "the case is not what it was"));
    CU_ASSERT_EQUAL(ew_checkpoint_open(&own, path, "program: 1\n", true), EW_BAD_INPUT);
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&own, path, identity, true), EW_OK);
    CU_ASSERT_EQUAL(ew_checkpoint_open(&other, path, identity, true), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "has not ended"));
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&other, path, identity, false), EW_OK);
    CU_ASSERT_EQUAL(ew_checkpoint_append(other, "nothing", 7), EW_OK);
    CU_ASSERT_TRUE(ew_checkpoint_is_shared(other));
    ew_checkpoint_close(other, false);
    ew_checkpoint_close(own, true);
    CU_ASSERT_EQUAL(n_whole(), 3);
    write_file("a case of mine, and no checkpoint at all", 40);
    CU_ASSERT_EQUAL(n_whole(), -1);
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&own, path, identity, false), EW_OK);
    CU_ASSERT_EQUAL(ew_checkpoint_append(own, "x", 1), EW_IO);
    ew_checkpoint_close(own, false);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    remove(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    CU_ASSERT_EQUAL(ew_checkpoint_open(&own, path, identity, true), EW_IO);
    remove(path);
}

/* ---- studies ---------------------------------------------------------------------- */

static const char study_text[] = BODY
    "steps:\n"
    "  - {name: base, static: {}}\n"
    "  - {name: cut, edit: [{remove: {sphere: {center: [2, 0, 0], radius: 0.3}}}], "
    "static: {}}\n"
    "  - {name: rough, edit: [{decimate: {fraction: 0.05, order: energy}}, "
    "{remove: {pieces_smaller_than: 4}}], loads: [{gravity: [0, 0, -1]}], static: {}}\n"
    "  - {name: longer, edit: [{scale: {factor: [1.1, 1, 1]}}]}\n"
    "  - {name: stub, edit: [{decimate: {fraction: 0.7}}], "
    "loads: [{gravity: [0, 0, -1]}], static: {}}\n"
    "  - {name: finer, edit: [{refine: {longer_than: 0.35}}, {mirror: {normal: x, at: "
    "max}}], loads: [{gravity: [0, 0, -1]}], static: {}}\n"
    "  - {name: sharper, sets: {end: {box: [[2, 0, 0], [9, 1, 1]]}}, edit: [{refine: {by: error, "
    "until: 20 %, max_rounds: 2, max_tets: 4000}}, {move: {set: end, by: [0, 0, 0.05]}}], "
    "loads: [{gravity: [0, 0, -1]}], static: {}}\n"
    "  - {name: again, loads: [{gravity: [0, -1, -1]}], static: {}}\n";

typedef struct run {
    ew_case input;
    ew_mesh mesh;
    ew_result *result;
    ew_checkpoint *checkpoint;
    ew_study *study;
} run;

static void begin(run *own, const char *name, ew_preconditioner_kind kind, bool go_on)
{
    const double size[3] = {4, 1, 1};
    const int32_t cells[3] = {10, 4, 4};
    const ew_result_def def = {.name = name,
                               .case_text = study_text,
                               .length_unit = "",
                               .force_unit = "",
                               .time_unit = ""};
    ew_study_def study_def = ew_default_study_def();
    memset(own, 0, sizeof *own);
    CU_ASSERT_EQUAL_FATAL(read_text(study_text, &own->input), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&own->mesh, size, cells), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_result_create(&own->result, &def), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&own->checkpoint, path, identity, go_on), EW_OK);
    study_def.checkpoint = own->checkpoint;
    study_def.preconditioner = kind;
    CU_ASSERT_EQUAL_FATAL(ew_study_create(&own->study, &own->input, &own->mesh, &study_def,
                                          own->result, NULL),
                          EW_OK);
}

/* Up to n steps in all; a killed program would leave the same. */
static void end(run *own, int32_t n)
{
    while (ew_study_n_done(own->study) < n) {
        const ew_status status = ew_study_next(own->study);
        if (status) {
            printf("\n  %s\n", ew_message());
        }
        CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    }
    ew_study_free(own->study);
    ew_checkpoint_close(own->checkpoint, n < own->input.n_step);
    if (n == own->input.n_step) {
        CU_ASSERT_EQUAL(ew_result_finish(own->result), EW_OK);
    } else {
        ew_result_discard(own->result);
    }
    ew_mesh_free(&own->mesh);
    ew_case_free(&own->input);
}

static void resume_after_each_step(ew_preconditioner_kind kind)
{
    run own;
    remove(path);
    begin(&own, "whole", kind, false);
    const int32_t n_step = own.input.n_step;
    end(&own, n_step);
    for (int32_t k = 1; k <= n_step; k += getenv("EW_QUICK") ? 4 : 2) { /* others: by the second stop */
        char different[256] = "";
        begin(&own, "resumed", kind, false);
        end(&own, k < n_step ? k : k - 1);
        begin(&own, "resumed", kind, true); /* and stopped once more */
        CU_ASSERT_EQUAL(ew_checkpoint_n_record(own.checkpoint), k < n_step ? k : k - 1);
        end(&own, k < n_step - 1 ? k + 1 : n_step - 1);
        begin(&own, "resumed", kind, true);
        end(&own, n_step);
        CU_ASSERT_EQUAL(ew_result_compare("whole.vtkhdf", "resumed.vtkhdf", different,
                                          sizeof different),
                        EW_OK);
        CU_ASSERT_STRING_EQUAL(different, "");
    }
    static const char *const left[] = {"whole.vtkhdf", "whole.xdmf", "resumed.vtkhdf",
                                       "resumed.xdmf"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        CU_ASSERT_EQUAL(remove(left[i]), 0);
    }
}

static void test_checkpoint_same_bits_rigid(void)
{
    resume_after_each_step(EW_RIGID);
}

static void test_checkpoint_same_bits_auto(void)
{
    resume_after_each_step(EW_PRECONDITIONER_COUNT);
}

/* Records of another study, or of none, are refused whatever they hold. */
static void test_checkpoint_records_that_do_not_fit(void)
{
    const unsigned char any[96] = {0, 0, 0, 0, 'S', 1, 2, 3};
    for (size_t size = 0; size <= sizeof any; size++) {
        run own;
        ew_checkpoint *made = NULL;
        CU_ASSERT_EQUAL_FATAL(ew_checkpoint_open(&made, path, identity, false), EW_OK);
        CU_ASSERT_EQUAL(ew_checkpoint_append(made, any, size), EW_OK);
        ew_checkpoint_close(made, true);
        begin(&own, "resumed", EW_PRECONDITIONER_COUNT, true);
        CU_ASSERT_EQUAL(ew_study_next(own.study), EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "does not fit"));
        end(&own, 0);
    }
    remove(path);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"cut_anywhere", test_checkpoint_cut_anywhere},
        {"goes_on", test_checkpoint_goes_on},
        {"refuses_others", test_checkpoint_refuses_others},
        {"same_bits_rigid", test_checkpoint_same_bits_rigid},
        {"same_bits_auto", test_checkpoint_same_bits_auto},
        {"do_not_fit", test_checkpoint_records_that_do_not_fit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"checkpoint", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
