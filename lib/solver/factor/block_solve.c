/* The solve with a factor, by a team of threads. In: a factor. Out: x = (L L^T)^-1 x.
 *
 * Columns are dealt into groups that share nothing but the columns above all of them in the
 * elimination tree, the top (block_groups.c). Forward each group is solved by one thread, then what
 * the groups give to the top is gathered by rows of the top, then the top is solved; backward the
 * other way round. Groups follow from the factor's pattern alone, so the sums do not depend on the
 * threads. */
#include "solver/factor/substitution.h"

#include <string.h>

static void substitute(const ew_block_cholesky *factor, ew_substitution_stage stage, int32_t which,
                       double *work)
{
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        ew_substitute_avx2(factor, stage, which, work);
        return;
    }
#endif
    ew_substitute_any(factor, stage, which, work);
}

static void read_group(const ew_block_cholesky *f, int32_t group, const double *x, double *work)
{
    for (int32_t k = f->group_begin[group]; k < f->group_begin[group + 1]; k++) {
        const int32_t j = f->group_column[k];
        double *to = work + 8 * (size_t)j;
        memcpy(to, x + 6 * (size_t)f->order[j], 6 * sizeof *x);
        to[6] = to[7] = 0.0;
    }
}

static void write_group(const ew_block_cholesky *f, int32_t group, const double *work, double *x)
{
    for (int32_t k = f->group_begin[group]; k < f->group_begin[group + 1]; k++) {
        const int32_t j = f->group_column[k];
        memcpy(x + 6 * (size_t)f->order[j], work + 8 * (size_t)j, 6 * sizeof *x);
    }
}

void ew_block_cholesky_solve_in_team(const ew_block_cholesky *factor, double *x, double *work)
{
    const int32_t top = factor->group_begin[EW_CHOLESKY_GROUPS], n_top = factor->n - top;
#pragma omp for schedule(static, 1)
    for (int32_t g = 0; g <= EW_CHOLESKY_GROUPS; g++) {
        read_group(factor, g, x, work);
        if (g < EW_CHOLESKY_GROUPS) {
            substitute(factor, EW_FORWARD_GROUP, g, work);
        }
    }
#pragma omp for schedule(static)
    for (int32_t k = 0; k < n_top; k++) {
        substitute(factor, EW_GATHER_TOP_ROW, k, work);
    }
#pragma omp single
    {
        substitute(factor, EW_SOLVE_TOP, 0, work);
        write_group(factor, EW_CHOLESKY_GROUPS, work, x);
    }
#pragma omp for schedule(static, 1)
    for (int32_t g = 0; g < EW_CHOLESKY_GROUPS; g++) {
        substitute(factor, EW_BACKWARD_GROUP, g, work);
        write_group(factor, g, work, x);
    }
}

double ew_block_cholesky_norm(const ew_block_cholesky *factor, const double *x, double *work)
{
    const int32_t top = factor->group_begin[EW_CHOLESKY_GROUPS], n_top = factor->n - top;
    double sum = 0.0;
    for (int32_t g = 0; g <= EW_CHOLESKY_GROUPS; g++) {
        read_group(factor, g, x, work);
        if (g < EW_CHOLESKY_GROUPS) {
            substitute(factor, EW_FORWARD_GROUP, g, work);
        }
    }
    for (int32_t k = 0; k < n_top; k++) {
        substitute(factor, EW_GATHER_TOP_ROW, k, work);
    }
    substitute(factor, EW_FORWARD_TOP, 0, work);
    for (size_t i = 0; i < 8 * (size_t)factor->n; i++) {
        sum += work[i] * work[i];
    }
    return sum;
}

void ew_block_cholesky_solve(const ew_block_cholesky *factor, double *x, double *work)
{
#pragma omp parallel num_threads(1)
    ew_block_cholesky_solve_in_team(factor, x, work);
}
