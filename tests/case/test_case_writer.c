/* Cases that are written: keys and values of the tables alone, in their order; numbers and texts
 * read back as they were; any allocation may fail. */
#include "case/draft.h"
#include "study_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static ew_text write(ew_case_draft *draft)
{
    ew_text text = {0};
    must(ew_case_draft_write(draft, &text));
    ew_case_draft_free(draft);
    return text;
}

static ew_case_draft *begin(void)
{
    ew_case_draft *draft = NULL;
    must(ew_case_draft_create(&draft));
    return draft;
}

/* As they come, which is not the order of the tables. */
static ew_case_draft *make_case(void)
{
    static const double ids[] = {3, 1, 4, 1, 5};
    ew_case_draft *draft = NULL;
    if (ew_case_draft_create(&draft)) {
        return NULL;
    }
    ew_case_entry *root = ew_case_draft_root(draft), *entry;
    ew_case_draft_head(draft, "Two lines,\n");
    ew_case_draft_head(draft, "of which one is \x01.\n");
    entry = ew_case_add_mapping(ew_case_add_list(root, "steps"), NULL);
    ew_case_entry *motion = ew_case_add_mapping(entry, "dynamic");
    ew_case_comment(ew_case_add_integer(motion, "steps", 5), "few");
    ew_case_add_number(motion, "step", 0.1);
    ew_case_add_text(entry, "name", "no: 1");
    ew_case_add_list(entry, "loads");
    entry = ew_case_add_mapping(ew_case_add_list(root, "material"), NULL);
    ew_case_add_integer(entry, "region", -2);
    ew_case_add_number(ew_case_add_mapping(entry, "plastic"), "hardening", 10);
    ew_case_add_number(ew_case_add_mapping(entry, "plastic"), "yield_stress", 250);
    ew_case_add_number(entry, "poisson", 0.3);
    ew_case_add_number(entry, "young", 200e3);
    ew_case_add_number(entry, "density", 7850);
    entry = ew_case_add_mapping(ew_case_add_list(root, "constraints"), NULL);
    ew_case_add_components(entry, "displacement", (const double[]){0, NAN, -1.5}, 5);
    ew_case_add_numbers(ew_case_add_mapping(entry, "set"), "ids", ids, 5);
    entry = ew_case_add_mapping(ew_case_add_mapping(root, "sets"), "it's");
    entry = ew_case_add_list(ew_case_add_mapping(ew_case_add_list(entry, "union"), NULL), "box");
    ew_case_add_numbers(entry, NULL, (const double[]){0, 0, 0}, 3);
    ew_case_add_numbers(entry, NULL, (const double[]){1, 1, 1e-5}, 3);
    ew_case_add_text(root, "mesh", "a b.mesh");
    return draft;
}

static void test_keys_stand_in_the_order_of_their_tables(void)
{
    static const char wanted[] = "# Two lines,\n# of which one is ?.\n"
                                 "mesh: a b.mesh\n"
                                 "material:\n"
                                 "  - young: 200000\n"
                                 "    poisson: 0.3\n"
                                 "    density: 7850\n"
                                 "    region: -2\n"
                                 "    plastic: {yield_stress: 250, hardening: 10}\n"
                                 "sets:\n"
                                 "  'it''s': {union: [{box: [[0, 0, 0], [1, 1, 1.0e-05]]}]}\n"
                                 "constraints:\n"
                                 "  - {set: {ids: [3, 1, 4, 1, 5]}, displacement: [0, ~, -1.5]}\n"
                                 "steps:\n"
                                 "  - name: 'no: 1'\n"
                                 "    dynamic:\n"
                                 "      step: 0.1\n"
                                 "      steps: 5   # few\n"
                                 "    loads: []\n";
    ew_case input;
    ew_text text = write(make_case());
    CU_ASSERT_STRING_EQUAL(text.data, wanted);
    CU_ASSERT_EQUAL(text.size, strlen(text.data));
    must(ew_case_read(text.data, text.size, &input));
    CU_ASSERT_STRING_EQUAL(input.step[0].name, "no: 1");
    CU_ASSERT_STRING_EQUAL(input.set[0].name, "it's");
    CU_ASSERT_EQUAL(input.constraint[0].fixed, 5);
    CU_ASSERT(input.step[0].own_loads);
    ew_case_free(&input);
    ew_text_free(&text);
}

static void test_long_lists_go_over_lines(void)
{
    enum { N = 200 };
    double force[3 * N];
    ew_case input;
    ew_case_draft *draft = begin();
    ew_case_entry *root = ew_case_draft_root(draft);
    ew_case_add_text(root, "mesh", "a.mesh");
    ew_case_entry *material = ew_case_add_mapping(root, "material");
    ew_case_add_number(material, "young", 1);
    ew_case_add_number(material, "poisson", 0);
    ew_case_entry *load = ew_case_add_mapping(ew_case_add_list(root, "loads"), NULL);
    ew_case_entry *list = ew_case_add_list(load, "force"), *at = ew_case_add_list(load, "at");
    for (int i = 0; i < 3 * N; i++) {
        force[i] = 1.0 / (i + 1);
    }
    for (int i = 0; i < N; i++) {
        ew_case_add_numbers(list, NULL, force + 3 * i, 3);
        ew_case_add_numbers(at, NULL, force + 3 * i, 3);
    }
    ew_text text = write(draft);
    size_t longest = 0;
    for (const char *line = text.data; *line; line += strcspn(line, "\n") + 1) {
        longest = strcspn(line, "\n") > longest ? strcspn(line, "\n") : longest;
    }
    CU_ASSERT(longest <= 101); /* the comma */
    must(ew_case_read(text.data, text.size, &input));
    CU_ASSERT_EQUAL_FATAL(input.load[0].n_place, N);
    CU_ASSERT(!memcmp(input.load[0].force, force, sizeof force));
    ew_case_free(&input);
    ew_text_free(&text);
}

static void test_numbers_read_back(void)
{
    static const double some[] = {0.0,
                                  -0.0,
                                  1.0,
                                  0.1,
                                  1.0 / 3,
                                  1e20,
                                  1e22,
                                  5e-324,
                                  1e-310,
                                  1.7976931348623157e308,
                                  123456789012345678.0,
                                  -1e-5,
                                  2.1e11,
                                  0.1 + 0.2};
    static const char *const wanted[] = {"0",       "-0",      "1",        "0.1",     NULL,
                                         "1.0e+20", "1.0e+22", "5.0e-324", "1.0e-310"};
    char text[EW_CASE_NUMBER];
    uint64_t state = 7;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        ew_case_number_text(some[i], text);
        const double back = strtod(text, NULL);
        CU_ASSERT(!memcmp(&back, &some[i], sizeof back));
        if (i < sizeof wanted / sizeof *wanted && wanted[i]) {
            CU_ASSERT_STRING_EQUAL(text, wanted[i]);
        }
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = 0;
        double value;
        for (int k = 0; k < 4; k++) {
            bits = bits << 16 | ew_test_random(&state, 1 << 16);
        }
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            ew_case_number_text(value, text);
            CU_ASSERT(strtod(text, NULL) == value);
        }
    }
}

/* A name of a set, whatever it is. */
static void read_back(const char *name)
{
    ew_case input;
    ew_case_draft *draft = begin();
    ew_case_entry *root = ew_case_draft_root(draft);
    ew_case_add_text(root, "mesh", name);
    ew_case_entry *material = ew_case_add_mapping(root, "material");
    ew_case_add_number(material, "young", 1);
    ew_case_add_number(material, "poisson", 0);
    ew_case_add_truth(ew_case_add_mapping(ew_case_add_mapping(root, "sets"), name), "all", true);
    ew_text text = write(draft);
    const ew_status status = ew_case_read(text.data, text.size, &input);
    if (status) {
        printf("\n  %s of\n%s", ew_message(), text.data);
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    CU_ASSERT_STRING_EQUAL(input.mesh_file, name);
    CU_ASSERT_STRING_EQUAL(input.set[0].name, name);
    ew_case_free(&input);
    ew_text_free(&text);
}

static void test_texts_read_back(void)
{
    static const char *const names[] = {"a",
                                        "a b",
                                        " a",
                                        "a ",
                                        "a: b",
                                        "a #b",
                                        "12",
                                        "1e3",
                                        "-",
                                        "- a",
                                        "?",
                                        "true",
                                        "~",
                                        "Null",
                                        "it's",
                                        "[a]",
                                        "{a}",
                                        "say \"so\"",
                                        "a\\b",
                                        "<<",
                                        "*a",
                                        "&a",
                                        "!a",
                                        "%a",
                                        "@a",
                                        "`a",
                                        "a,b",
                                        "a:",
                                        "\xc3\xa4",

                                        "---",
                                        "...",
                                        "=",
                                        "yes",
                                        "'",
                                        "\"",
                                        "|",
                                        "\xef\xbb\xbf",
                                        ">",
                                        "x",
                                        "\xf0\x9f\x98\x80",
                                        "\xe2\x80\xa8 x \" \\"};
    static const struct {
        const char *name, *part;
    } bad[] = {
        {"\xe4.mesh", "UTF-8"}, {"a\nb", "control"}, {"\x7f", "control"}, {"\xc2\x85", "control"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        read_back(names[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ew_case_draft *draft = begin();
        CU_ASSERT_PTR_NOT_NULL(ew_case_add_text(ew_case_draft_root(draft), "mesh", bad[i].name));
        CU_ASSERT_EQUAL(ew_case_draft_status(draft), EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), bad[i].part));
        ew_case_draft_free(draft);
    }
}

static void refuse(ew_status status, ew_case_entry *(*put)(ew_case_entry *root), const char *part)
{
    ew_text text = {0};
    ew_case_draft *draft = begin();
    ew_case_entry *lost = put(ew_case_draft_root(draft));
    CU_ASSERT_PTR_NOT_NULL_FATAL(lost);
    ew_case_add_number(ew_case_add_mapping(lost, "static"), "tolerance", 1); /* dropped */
    CU_ASSERT_EQUAL(ew_case_draft_write(draft, &text), status);
    if (!strstr(ew_message(), part)) {
        printf("\n  %s, not '%s'\n", ew_message(), part);
        CU_FAIL("message");
    }
    CU_ASSERT_PTR_NULL(text.data);
    ew_case_draft_free(draft);
}

static ew_case_entry *put_unknown(ew_case_entry *root)
{
    return ew_case_add_number(root, "meshh", 1);
}
static ew_case_entry *put_other_form(ew_case_entry *root)
{
    return ew_case_add_number(root, "mesh", 1);
}
static ew_case_entry *put_item(ew_case_entry *root)
{
    return ew_case_add_number(root, NULL, 1);
}
static ew_case_entry *put_law(ew_case_entry *root)
{
    ew_case_entry *material = ew_case_add_mapping(root, "material");
    return ew_case_add_number(ew_case_add_mapping(material, "plastic"), "yield", 1);
}
static ew_case_entry *put_word(ew_case_entry *root)
{
    return ew_case_add_text(root, "elements", "cubic");
}
static ew_case_entry *put_infinite(ew_case_entry *root)
{
    return ew_case_add_number(ew_case_add_mapping(root, "material"), "young", INFINITY);
}
static ew_case_entry *put_long(ew_case_entry *root)
{
    char name[700];
    memset(name, 'a', sizeof name);
    name[699] = 0;
    return ew_case_add_mapping(ew_case_add_mapping(root, "sets"), name);
}

static void test_what_the_tables_do_not_have_is_refused(void)
{
    refuse(EW_BAD_ARGUMENT, put_unknown, "the case has no key 'meshh'");
    refuse(EW_BAD_ARGUMENT, put_other_form, "'mesh' does not take such a value");
    refuse(EW_BAD_ARGUMENT, put_item, "no place for an item");
    refuse(EW_BAD_ARGUMENT, put_law, "plastic has no key 'yield'");
    refuse(EW_BAD_ARGUMENT, put_word, "'cubic' is none of the words of elements");
    refuse(EW_BAD_INPUT, put_infinite, "'young' is not a finite number");
    refuse(EW_LIMIT, put_long, "shorten it");
}

static void test_memory_may_end_at_any_time(void)
{
    for (int64_t k = 0;; k++) {
        ew_text text = {0};
        ew_test_allocations_begin(k);
        ew_case_draft *draft = make_case();
        const ew_status status = draft ? ew_case_draft_write(draft, &text) : EW_NO_MEMORY;
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        ew_case_draft_free(draft);
        ew_text_free(&text);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        if (!ew_test_allocations_end()) {
            CU_ASSERT_EQUAL(status, EW_OK);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"keys_stand_in_the_order_of_their_tables", test_keys_stand_in_the_order_of_their_tables},
        {"long_lists_go_over_lines", test_long_lists_go_over_lines},
        {"numbers_read_back", test_numbers_read_back},
        {"texts_read_back", test_texts_read_back},
        {"what_the_tables_do_not_have_is_refused", test_what_the_tables_do_not_have_is_refused},
        {"memory_may_end_at_any_time", test_memory_may_end_at_any_time},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"case_writer", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
