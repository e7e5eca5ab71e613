/* Blocks of the third level. In: groups of aggregates and the aggregates' matrix. Out: 6x6 blocks,
 * all of them or those of some groups. */
#include "solver/multilevel/third_level_matrix.h"
#include "solver/device/device_intermediate_level.h"
#include "solver/multilevel/null_modes.h"

#include <math.h>
#include <string.h>

void ew_group_find_map(const ew_aggregates *aggregates, const ew_aggregates *groups,
                       int32_t aggregate, double map[4])
{
    const double *own = aggregates->frame + 4 * (size_t)aggregate;
    const int32_t group = groups->of_row[aggregate];
    memset(map, 0, 4 * sizeof *map);
    if (group >= 0) {
        ew_aggregate_place(groups, group, own, map);
        map[3] = own[3] / groups->frame[4 * (size_t)group + 3];
    }
}

/* to += E_a^T K E_b; transposed: of the K stored for (b, a). */
static void add_mapped(const double *from, bool transposed, const double a[4], const double b[4],
                       double to[36])
{
    double k[6][6], g[6][6];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            k[i][j] = from[transposed ? 6 * j + i : 6 * i + j];
        }
    }
    for (int i = 0; i < 6; i++) { /* K E_b: its column 3 + j is K of the shift e_j x d, and s e_j */
        for (int j = 0; j < 3; j++) {
            const int next = (j + 1) % 3, last = (j + 2) % 3;
            g[i][j] = k[i][j];
            g[i][3 + j] = (b[next] * k[i][last] - b[last] * k[i][next]) + b[3] * k[i][3 + j];
        }
    }
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 3; i++) {
            const int next = (i + 1) % 3, last = (i + 2) % 3;
            to[6 * i + j] += g[i][j];
            to[6 * (3 + i) + j] +=
                (a[next] * g[last][j] - a[last] * g[next][j]) + a[3] * g[3 + i][j];
        }
    }
}

typedef struct gathering {
    const ew_group_source *of;
    const ew_set *touched; /* groups with which pairs are gathered, null: all */
    ew_matrix *coarse;
    int32_t own;
    double inner[36];
} gathering;

static void add_aggregate(gathering *in, int32_t a)
{
    const ew_group_source *of = in->of;
    const ew_matrix *matrix = of->level->matrix;
    const double *map = of->map + 4 * (size_t)a;
    int32_t count;
    const int32_t *item = ew_pattern_items(of->level->pattern, a, &count);
    add_mapped(matrix->diagonal + 36 * (size_t)a, false, map, map,
               in->coarse->diagonal + 36 * (size_t)in->own);
    for (int32_t k = 0; k < count; k++) {
        const int32_t b = item[2 * k], other = of->groups->of_row[b];
        double *to = in->inner;
        if (other < in->own || (other == in->own && b < a) ||
            (other != in->own && in->touched && !ew_set_has(in->touched, other))) {
            continue;
        }
        if (other != in->own) {
            to = in->coarse->pair +
                 36 * (size_t)ew_pattern_pair_between(of->source.pattern, in->own, other);
        }
        add_mapped(matrix->pair + 36 * (size_t)item[2 * k + 1], a > b, map, of->map + 4 * (size_t)b,
                   to);
    }
}

/* The diagonal block of a group and those of its pairs with higher ones. */
static void gather(ew_matrix *coarse, const ew_group_source *of, const ew_set *touched, int32_t own)
{
    const ew_pattern *pattern = of->source.pattern;
    int32_t count, n_member;
    const int32_t *item = ew_pattern_items(pattern, own, &count);
    const int32_t *member = ew_aggregates_members(of->groups, own, &n_member);
    gathering in = {.of = of, .touched = touched, .coarse = coarse, .own = own};
    double *diagonal = coarse->diagonal + 36 * (size_t)own;
    for (int i = 0; i < 36; i++) {
        diagonal[i] = n_member == 0 && i % 7 == 0 ? 1.0 : 0.0;
    }
    for (int32_t i = pattern->n_lower[own]; i < count; i++) {
        if (!touched || ew_set_has(touched, item[2 * i])) {
            memset(coarse->pair + 36 * (size_t)item[2 * i + 1], 0, 36 * sizeof *coarse->pair);
        }
    }
    for (int32_t i = 0; i < n_member; i++) {
        add_aggregate(&in, member[i]);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            diagonal[6 * i + j] += in.inner[6 * i + j] + in.inner[6 * j + i];
        }
    }
}

/* ---- the source -------------------------------------------------------- */

static ew_status check_source(const ew_source *source)
{
    const ew_grouped_level *level = ((const ew_group_source *)source)->level;
    return ew_matrix_need_current(level->matrix, level->pattern);
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_group_source *of = (const ew_group_source *)source;
    const int32_t n = change ? change->touched_row.n : source->pattern->n_row;
    if (of->level->device && ew_device_intermediate_level_gathers(of->level->device)) {
        return ew_device_intermediate_level_gather(of->level->device, source->pattern, matrix,
                                                   change, change ? of->touched : NULL);
    }
#pragma omp parallel for schedule(dynamic, 4) num_threads(ew_threads_for(n, 8))
    for (int32_t i = 0; i < n; i++) {
        gather(matrix, of, change ? of->touched : NULL, change ? change->touched_row.id[i] : i);
    }
    return EW_OK;
}

ew_group_source ew_group_source_of(const ew_pattern *pattern, const ew_grouped_level *level,
                                   const double *map, const ew_aggregates *groups)
{
    return (ew_group_source){.source = {.name = "matrix of groups",
                                        .block = 6,
                                        .pattern = pattern,
                                        .check = check_source,
                                        .compute = compute},
                             .level = level,
                             .map = map,
                             .groups = groups};
}

/* ---- motions ----------------------------------------------------------- */

int ew_penalize_group(const ew_grouped_level *level, const double *map, const ew_aggregates *groups,
                      int32_t group, const double block[36], double to[36])
{
    int32_t n_member, n_row = 0;
    const int32_t *member = ew_aggregates_members(groups, group, &n_member);
    double gram[36] = {0.0}, own[36];
    for (int32_t i = 0; i < n_member; i++) {
        const double *a = map + 4 * (size_t)member[i];
        n_row += ew_form_gram(level->fine, level->aggregates, member[i], own);
        add_mapped(own, false, a, a, gram);
    }
    return ew_penalize_by_gram(gram, n_row, block, to);
}
