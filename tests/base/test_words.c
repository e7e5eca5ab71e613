/* Words: the nearest known one to a mistyped one, and names with control characters. */
#include "base/parts/base.h"
#include "testlib.h"

static void test_nearest_word_is_near(void)
{
    static const struct {
        const char *word, *words, *nearest; /* null: none */
    } is[] = {
        {"yong", "young poisson density", "young"},
        {"lods", "mesh loads steps", "loads"},
        {"constrants", "sets constraints loads", "constraints"},
        {"displacment", "set displacement axes", "displacement"},
        {"of", "off on", NULL}, /* half of a word of two letters */
        {"symmetry", "set displacement", NULL},
        {"qqqqqqqq", "mesh units", NULL},
        {"gravitation", "gravity force", NULL},
        {"st", "set", NULL},
        {"sett", "set step", "set"},
        {"", "set", NULL},
    };
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        char nearest[64] = "";
        CU_ASSERT_EQUAL(ew_nearest_word(is[i].word, is[i].words, nearest), is[i].nearest != NULL);
        CU_ASSERT_STRING_EQUAL(nearest, is[i].nearest ? is[i].nearest : "");
    }
}

static void test_control_characters(void)
{
    CU_ASSERT(!ew_has_control_character("bolt 1, \xc3\xbc"));
    CU_ASSERT(ew_has_control_character("two\nlines"));
    CU_ASSERT(ew_has_control_character("\x7f"));
    CU_ASSERT(ew_has_control_character("\xc2\x9b"));
}

/* Names that a spreadsheet program would run, and a mark that can be taken away again. */
static void test_cell_prefix(void)
{
    static const char *const formula[] = {"=1+1", "+1",   "-1",   "@SUM(A1)",
                                          "\t=1", "\r=1", "\n=1", "'=1"};
    static const char *const plain[] = {"", "step 1", "a=b", " =1", "1-2", "\xc3\xbc"};
    for (size_t i = 0; i < sizeof formula / sizeof *formula; i++) {
        CU_ASSERT_STRING_EQUAL(ew_cell_prefix(formula[i]), "'");
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        CU_ASSERT_STRING_EQUAL(ew_cell_prefix(plain[i]), "");
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"nearest_word_is_near", test_nearest_word_is_near},
        {"control_characters", test_control_characters},
        {"cell_prefix", test_cell_prefix},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"words", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
