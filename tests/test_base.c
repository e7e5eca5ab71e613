#include "testlib.h"

#include "base/base.h"

static void test_status_text(void)
{
    CU_ASSERT_STRING_EQUAL(ew_status_text(EW_OK), "success");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"status_text", test_status_text}, CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"base", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
