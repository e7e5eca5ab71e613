/* The oracle of the level of groups. In: one that was updated. Out: the first part that differs
 * from what is computed from scratch on the same groups. */
#include "solver/multilevel/coarse.h"
#include "solver/multilevel/intermediate_level.h"

#include <string.h>

static ew_status fail(const char *what)
{
    return ew_fail(EW_MATRIX_DIFFERS, "preconditioner: %s of groups are not those of a rebuild",
                   what);
}

static bool same(const void *a, const void *b, size_t n, size_t size)
{
    return n == 0 || memcmp(a, b, n * size) == 0;
}

/* Copies of pairs that were freed are not looked at. */
static bool same_pairs(const ew_intermediate_level *a, const ew_intermediate_level *b,
                       const ew_pattern *pattern)
{
    for (int32_t pair = 0; pair < pattern->n_pair; pair++) {
        const size_t at = 36 * (size_t)pair;
        if (pattern->pair_row[2 * (size_t)pair] >= 0 &&
            !(a->single ? same(a->block_single + at, b->block_single + at, 36, sizeof(float))
                        : same(a->block_double + at, b->block_double + at, 36, sizeof(double)))) {
            return false;
        }
    }
    return true;
}

static ew_status compare(const ew_intermediate_level *m, const ew_grouped_level *level,
                         const ew_intermediate_level *fresh)
{
    const size_t n = (size_t)level->aggregates->n, n_group = (size_t)m->groups.n;
    int64_t n_different;
    double largest;
    EW_TRY(ew_matrix_compare(&m->coarse, &m->pattern, &fresh->coarse, &fresh->pattern, &n_different,
                             &largest));
    if (n_different || m->pattern.n_live_pair != fresh->pattern.n_live_pair) {
        return fail("blocks");
    }
    if (!same(m->diagonal, fresh->diagonal, 36 * n_group, sizeof *m->diagonal)) {
        return fail("penalties");
    }
    if (!same(m->map, fresh->map, 4 * n, sizeof *m->map)) {
        return fail("modes");
    }
    if (m->on_device) {
        return EW_OK; /* sweeps are there */
    }
    const bool same_inverse =
        m->single ? same(m->inverse_single, fresh->inverse_single, 36 * n, sizeof(float))
                  : same(m->inverse_double, fresh->inverse_double, 36 * n, sizeof(double));
    return same_inverse && same(m->extra, fresh->extra, n, sizeof *m->extra) &&
                   same_pairs(m, fresh, level->pattern)
               ? EW_OK
               : fail("sweeps");
}

ew_status ew_intermediate_verify(const ew_intermediate_level *intermediate,
                                 const ew_grouped_level *level, ew_intermediate_level *fresh)
{
    *fresh = (ew_intermediate_level){.on_device = intermediate->on_device,
                                     .single = intermediate->single,
                                     .groups = intermediate->groups};
    EW_TRY(ew_coarse_build_pattern(&fresh->pattern, level->pattern, &fresh->groups));
    EW_TRY(ew_intermediate_fill(fresh, level));
    return compare(intermediate, level, fresh);
}
