/* What every test executable shares: the runner and an allocator that fails at will.
 * EW_STUDY_MESHES, given by the build, is the folder of the study meshes. */
#ifndef EW_TESTLIB_H
#define EW_TESTLIB_H

#include "base/parts/base.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EW_TEST_SKIPPED = 77 }; /* exit status that ctest takes for a skipped test */

/* Runs every test of `suites`, or with argv[1] the tests of that name. Returns the
 * exit status: 0 when something ran and nothing failed; EW_TEST_SKIPPED when every test was
 * skipped. A test that is skipped alone in its executable has a ctest of its own (CMakeLists.txt).
 */
int ew_test_main(int argc, char **argv, const CU_SuiteInfo *suites);

/* The call must succeed; else its message is printed and the test ends. */
void must(ew_status status);

/* Makes the k-th allocation from now on fail (0 is the next), as do all after it;
 * -1 counts without failing. ew_test_allocations_end restores malloc's and returns
 * whether one was refused. Between the two, ew_test_unreleased counts what is not released. */
void ew_test_allocations_begin(int64_t k);
bool ew_test_allocations_end(void);
int64_t ew_test_unreleased(void);

/* Counts the bytes that the library has, from 0; all of them must be released before the end, which
 * restores malloc's allocator. */
void ew_test_bytes_begin(void);
size_t ew_test_bytes(void);
void ew_test_bytes_end(void);

/* A reproducible random number, uniform in 0 .. bound-1; *state is any number. */
uint32_t ew_test_random(uint64_t *state, uint32_t bound);

/* The present test is skipped, in whole or in part, and why; it returns then. */
void ew_test_skip(const char *why);

/* The whole executable is skipped, and why: what all of its tests need is not there. */
void ew_test_skip_all(const char *why);

/* Whether the file can be read; the present test counts as skipped when not. */
bool ew_test_has_file(const char *path);

#endif
