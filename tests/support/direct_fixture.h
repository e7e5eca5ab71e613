/* What tests of the direct solver and of eigenvalues share: they need a build with both, without
 * which their executables do nothing. */
#ifndef EW_DIRECT_FIXTURE_H
#define EW_DIRECT_FIXTURE_H

#include "ew_parts.h"
#include "testlib.h"

#if EW_WITH_CHOLMOD
#include "model_fixture.h"
#include "solver/cholmod.h"

static inline ew_pcg_def direct_def(double tolerance)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = EW_CHOLESKY;
    def.direct = ew_direct_solver();
    def.tolerance = tolerance;
    return def;
}

static inline ew_modes_def modes_def(int32_t count)
{
    ew_modes_def def = ew_default_modes_def();
    def.count = count;
    def.direct = ew_direct_solver();
    def.eigen = ew_eigen_solve;
    return def;
}

/* The main function: runs the tests of a list. */
#define EW_DIRECT_MAIN(name, tests)                                                                \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        const CU_SuiteInfo suites[] = {{name, NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL}; \
        return ew_test_main(argc, argv, suites);                                                   \
    }
#else
#define EW_DIRECT_MAIN(name, tests)                                                                \
    int main(void)                                                                                 \
    {                                                                                              \
        return 0;                                                                                  \
    }
#endif

#endif
