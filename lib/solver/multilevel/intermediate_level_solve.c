/* Cycles of the intermediate level, by a team of threads. In: the level and the factor of its
 * groups. Out: x = about A^-1 x. */
#include "solver/multilevel/intermediate_level_pass.h"

#include <string.h>

static void run(ew_intermediate_stage stage, const ew_intermediate_task *task, int32_t which)
{
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        ew_middle_avx2(stage, task, which);
        return;
    }
#endif
    ew_intermediate_any(stage, task, which);
}

/* coarsest = E^T times the residual */
static void restrict_group(const ew_intermediate_level *m, const ew_grouped_level *level,
                           int32_t group)
{
    int32_t n_member;
    const int32_t *member = ew_aggregates_members(&m->groups, group, &n_member);
    double f[8], *to = m->coarsest + 6 * (size_t)group;
    const ew_intermediate_task task = {.of = m, .pattern = level->pattern, .out = f};
    memset(to, 0, 6 * sizeof *to);
    for (int32_t k = 0; k < n_member; k++) {
        const double *d = m->map + 4 * (size_t)member[k];
        run(EW_INTERMEDIATE_RESTRICT, &task, member[k]);
        ew_take_out_null_modes(level, member[k], f);
        for (int i = 0; i < 3; i++) {
            const int next = (i + 1) % 3, last = (i + 2) % 3;
            to[i] += f[i];
            to[3 + i] += (d[next] * f[last] - d[last] * f[next]) + d[3] * f[3 + i];
        }
    }
}

/* y += E coarsest */
static void prolong(const ew_intermediate_level *m, const ew_grouped_level *level, int32_t a)
{
    const int32_t group = m->groups.of_row[a];
    double own[6];
    if (group < 0) {
        return;
    }
    ew_group_move(m->map + 4 * (size_t)a, m->coarsest + 6 * (size_t)group, own);
    ew_take_out_null_modes(level, a, own);
    for (size_t i = 0; i < 6; i++) {
        m->y[8 * (size_t)a + i] += own[i];
    }
}

static void cycle(const ew_intermediate_level *m, const ew_grouped_level *level,
                  const ew_coarsest_factor *coarsest, bool from_zero)
{
    const int32_t n_chunk = (m->n + EW_INTERMEDIATE_CHUNK - 1) / EW_INTERMEDIATE_CHUNK;
    const ew_intermediate_task task = {.of = m, .pattern = level->pattern, .from_zero = from_zero};
#pragma omp for schedule(static)
    for (int32_t c = 0; c < n_chunk; c++) {
        run(EW_INTERMEDIATE_FORWARD, &task, c);
    }
#pragma omp for schedule(static)
    for (int32_t g = 0; g < m->n_group; g++) {
        restrict_group(m, level, g);
    }
    ew_block_cholesky_solve_in_team(&coarsest->factor, m->coarsest, m->coarsest_work);
#pragma omp for schedule(static)
    for (int32_t a = 0; a < m->n; a++) {
        prolong(m, level, a);
    }
#pragma omp for schedule(static)
    for (int32_t c = 0; c < n_chunk; c++) {
        run(EW_INTERMEDIATE_BACKWARD, &task, c);
    }
}

void ew_intermediate_solve_in_team(const ew_intermediate_level *intermediate,
                                   const ew_grouped_level *level,
                                   const ew_coarsest_factor *coarsest, double *x)
{
    const ew_intermediate_level *m = intermediate;
#pragma omp for schedule(static)
    for (int32_t a = 0; a < m->n; a++) {
        memcpy(m->b + 8 * (size_t)a, x + 6 * (size_t)a, 6 * sizeof *x);
        m->b[8 * (size_t)a + 6] = m->b[8 * (size_t)a + 7] = 0.0;
    }
    for (int k = 0; k < EW_INTERMEDIATE_CYCLES; k++) {
        cycle(m, level, coarsest, k == 0);
    }
#pragma omp for schedule(static)
    for (int32_t a = 0; a < m->n; a++) {
        memcpy(x + 6 * (size_t)a, m->x + 8 * (size_t)a, 6 * sizeof *x);
    }
}
