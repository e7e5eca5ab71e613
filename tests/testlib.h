/* What every test executable shares: the runner and an allocator that fails at will.
 * EW_STUDY_MESHES, given by the build, is the folder of the study meshes. */
#ifndef EW_TESTLIB_H
#define EW_TESTLIB_H

#include "base/base.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs every test of `suites`, or with argv[1] the tests of that name. Returns the
 * exit status: 0 when something ran and nothing failed. */
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

/* Whether the file can be read; prints a line that says so when it is skipped. */
bool ew_test_has_file(const char *path);

#endif
