/* The level of groups. In: aggregates and their matrix, and changes of both. Out: groups, their
 * matrix, the smoother's data; the same bits after a change as from scratch on the same groups. */
#include "solver/multilevel/intermediate_level.h"
#include "solver/device/device_intermediate_level.h"
#include "solver/multilevel/coarse.h"

#include <math.h>
#include <string.h>

/* ---- room -------------------------------------------------------------- */

static ew_status reserve_rows(ew_intermediate_level *m, const ew_grouped_level *level)
{
    const int32_t n = level->aggregates->n, n_pair = level->pattern->n_pair;
    double **const vector[4] = {&m->b, &m->x, &m->y, &m->step};
    m->n = n;
    EW_TRY(ew_grow(&m->center, &m->center_capacity, n, 3 * sizeof *m->center));
    EW_TRY(ew_grow(&m->map, &m->map_capacity, n, 4 * sizeof *m->map));
    if (m->on_device) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&m->extra, &m->extra_capacity, n, sizeof *m->extra));
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_grow(vector[k], &m->vector_capacity[k], n, 8 * sizeof **vector[k]));
    }
    /* One block more: what follows the last is read with it. */
    if (m->single) {
        EW_TRY(ew_grow(&m->inverse_single, &m->inverse_capacity, (int64_t)n + 1,
                       36 * sizeof *m->inverse_single));
        EW_TRY(ew_grow(&m->block_single, &m->block_capacity, (int64_t)n_pair + 1,
                       36 * sizeof *m->block_single));
        memset(m->inverse_single + 36 * (size_t)n, 0, 36 * sizeof *m->inverse_single);
        memset(m->block_single + 36 * (size_t)n_pair, 0, 36 * sizeof *m->block_single);
    } else {
        EW_TRY(ew_grow(&m->inverse_double, &m->inverse_capacity, (int64_t)n + 1,
                       36 * sizeof *m->inverse_double));
        EW_TRY(ew_grow(&m->block_double, &m->block_capacity, (int64_t)n_pair + 1,
                       36 * sizeof *m->block_double));
        memset(m->inverse_double + 36 * (size_t)n, 0, 36 * sizeof *m->inverse_double);
        memset(m->block_double + 36 * (size_t)n_pair, 0, 36 * sizeof *m->block_double);
    }
    return EW_OK;
}

static ew_status reserve_groups(ew_intermediate_level *m)
{
    const int32_t n = m->groups.n;
    EW_TRY(ew_grow(&m->diagonal, &m->diagonal_capacity, n, 36 * sizeof *m->diagonal));
    m->n_group = n;
    if (m->on_device) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&m->coarsest, &m->coarsest_capacity[0], n, 6 * sizeof *m->coarsest));
    return ew_grow(&m->coarsest_work, &m->coarsest_capacity[1], n, 8 * sizeof *m->coarsest_work);
}

/* ---- groups ------------------------------------------------------------ */

static void find_center(ew_intermediate_level *m, const ew_grouped_level *level, int32_t a)
{
    memcpy(m->center + 3 * (size_t)a, level->aggregates->frame + 4 * (size_t)a,
           3 * sizeof *m->center);
}

static void find_map(ew_intermediate_level *m, const ew_grouped_level *level, int32_t a)
{
    ew_group_find_map(level->aggregates, &m->groups, a, m->map + 4 * (size_t)a);
}

/* Aggregates as the rows of a level; all their pairs are strong. */
static ew_fine_level rows_of(const ew_intermediate_level *m, const ew_grouped_level *level)
{
    return (ew_fine_level){.pattern = level->pattern, .xyz = m->center};
}

ew_status ew_intermediate_group(ew_intermediate_level *intermediate, const ew_grouped_level *level,
                                int32_t size, bool single)
{
    ew_intermediate_level *m = intermediate;
    ew_intermediate_free(m);
    m->on_device = level->device != NULL;
    m->single = single;
    m->is_there = true;
    EW_TRY(reserve_rows(m, level));
    for (int32_t a = 0; a < m->n; a++) {
        find_center(m, level, a);
    }
    const ew_fine_level rows = rows_of(m, level);
    EW_TRY(ew_aggregates_build(&m->groups, &rows, size));
    return ew_coarse_build_pattern(&m->pattern, level->pattern, &m->groups);
}

/* ---- the smoother ------------------------------------------------------ */

static double norm(const double block[36])
{
    double square = 0.0;
    for (int i = 0; i < 36; i++) {
        square += block[i] * block[i];
    }
    return sqrt(square);
}

/* T of the row and (D + T)^-1. */
static void fill_row(ew_intermediate_level *m, const ew_grouped_level *level, int32_t a)
{
    const size_t at = 36 * (size_t)a;
    int32_t count;
    const int32_t *item = ew_pattern_items(level->pattern, a, &count);
    double sum = 0.0, block[36], inverse[36];
    for (int32_t k = 0; k < count; k++) {
        sum += item[2 * k] / EW_INTERMEDIATE_CHUNK != a / EW_INTERMEDIATE_CHUNK
                   ? norm(level->matrix->pair + 36 * (size_t)item[2 * k + 1])
                   : 0.0;
    }
    m->extra[a] = 0.5 * sum;
    memcpy(block, level->diagonal + at, sizeof block);
    for (int i = 0; i < 6; i++) {
        block[7 * i] += m->extra[a];
    }
    ew_invert_block(block, inverse);
    for (size_t i = 0; i < 36; i++) {
        if (m->single) {
            m->inverse_single[at + i] = (float)inverse[i];
        } else {
            m->inverse_double[at + i] = inverse[i];
        }
    }
}

static void copy_pair(ew_intermediate_level *m, const ew_grouped_level *level, int32_t pair)
{
    const double *from = level->matrix->pair + 36 * (size_t)pair;
    if (!m->single) {
        memcpy(m->block_double + 36 * (size_t)pair, from, 36 * sizeof *from);
        return;
    }
    for (size_t i = 0; i < 36; i++) {
        m->block_single[36 * (size_t)pair + i] = (float)from[i];
    }
}

/* ---- the matrix of groups ---------------------------------------------- */

static void penalize(ew_intermediate_level *m, const ew_grouped_level *level, int32_t group)
{
    const size_t at = 36 * (size_t)group;
    if (m->groups.member.count[group] == 0) {
        memcpy(m->diagonal + at, m->coarse.diagonal + at, 36 * sizeof *m->diagonal);
    } else {
        ew_penalize_group(level, m->map, &m->groups, group, m->coarse.diagonal + at,
                          m->diagonal + at);
    }
}

/* Data that cycles on the host read. */
static void fill_sweeps(ew_intermediate_level *m, const ew_grouped_level *level)
{
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(m->n, 256))
    for (int32_t a = 0; a < m->n; a++) {
        fill_row(m, level, a);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(level->pattern->n_pair, 1024))
    for (int32_t pair = 0; pair < level->pattern->n_pair; pair++) {
        copy_pair(m, level, pair);
    }
}

ew_status ew_intermediate_fill(ew_intermediate_level *intermediate, const ew_grouped_level *level)
{
    ew_intermediate_level *m = intermediate;
    EW_TRY(reserve_rows(m, level));
    EW_TRY(reserve_groups(m));
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(m->n, 1024))
    for (int32_t a = 0; a < m->n; a++) {
        find_map(m, level, a);
    }
    if (!m->on_device) {
        fill_sweeps(m, level);
    } else if (level->device) {
        EW_TRY(ew_device_intermediate_level_follow(level->device, m, level, NULL));
    }
    const ew_group_source source = ew_group_source_of(&m->pattern, level, m->map, &m->groups);
    EW_TRY(ew_matrix_build(&m->coarse, &source.source));
    for (int32_t g = 0; g < m->n_group; g++) {
        penalize(m, level, g);
    }
    return EW_OK;
}

ew_coarsest_matrix ew_intermediate_coarsest_matrix(const ew_intermediate_level *intermediate)
{
    return (ew_coarsest_matrix){.aggregates = &intermediate->groups,
                                .pattern = &intermediate->pattern,
                                .coarse = &intermediate->coarse,
                                .diagonal = intermediate->diagonal};
}

/* ---- after a change ---------------------------------------------------- */

static ew_status touch(ew_intermediate_level *m, int32_t aggregate)
{
    const int32_t group = m->groups.of_row[aggregate];
    return group < 0 ? EW_OK : ew_set_add(&m->touched, group);
}

/* Where the aggregates or the frame of a group changed, its neighbors see other blocks. */
static ew_status touch_group(ew_intermediate_level *m, const ew_grouped_level *level, int32_t group)
{
    int32_t n_member, count;
    const int32_t *member = ew_aggregates_members(&m->groups, group, &n_member);
    EW_TRY(ew_set_add(&m->touched, group));
    for (int32_t i = 0; i < n_member; i++) {
        const int32_t *item = ew_pattern_items(level->pattern, member[i], &count);
        find_map(m, level, member[i]);
        for (int32_t k = 0; k < count; k++) {
            EW_TRY(touch(m, item[2 * k]));
        }
    }
    return EW_OK;
}

/* Aggregates of the list, and those whose group is another or has another frame. */
static ew_status list_remapped(ew_intermediate_level *m, const ew_list *row)
{
    const ew_list *changed = &m->group_change.aggregate.list;
    m->remapped.n = 0;
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_list_push(&m->remapped, row->id[i]));
    }
    for (int32_t i = 0; i < changed->n; i++) {
        int32_t n;
        const int32_t *member = ew_aggregates_members(&m->groups, changed->id[i], &n);
        for (int32_t k = 0; k < n; k++) {
            EW_TRY(ew_list_push(&m->remapped, member[k]));
        }
    }
    ew_list_sort_unique(&m->remapped);
    return EW_OK;
}

static ew_status regroup(ew_intermediate_level *m, const ew_grouped_level *level,
                         const ew_list *row)
{
    const ew_aggregate_change *moved = &m->group_change;
    for (int32_t i = 0; i < row->n; i++) {
        find_center(m, level, row->id[i]);
    }
    const ew_fine_level rows = rows_of(m, level);
    EW_TRY(ew_aggregates_update(&m->groups, &rows, row, &m->group_change));
    EW_TRY(reserve_groups(m));
    ew_set_clear(&m->touched);
    for (int32_t i = 0; i < row->n; i++) {
        find_map(m, level, row->id[i]);
        EW_TRY(touch(m, row->id[i]));
    }
    for (int32_t i = 0; i < moved->aggregate.list.n; i++) {
        EW_TRY(touch_group(m, level, moved->aggregate.list.id[i]));
    }
    ew_list_sort(&m->touched.list);
    return EW_OK;
}

static ew_status revalidate(ew_intermediate_level *m, const ew_grouped_level *level,
                            ew_coarsest_factor *coarsest)
{
    const ew_coarsest_matrix matrix = ew_intermediate_coarsest_matrix(m);
    ew_group_source source = ew_group_source_of(&m->pattern, level, m->map, &m->groups);
    source.touched = &m->touched;
    EW_TRY(ew_coarsest_factor_keep_pairs(coarsest, &matrix, &m->touched));
    EW_TRY(ew_coarse_update_pattern(&m->pattern, level->pattern, &m->groups, &m->touched, NULL,
                                    &m->change));
    EW_TRY(ew_matrix_revalidate(&m->coarse, &source.source, &m->change));
    ew_coarsest_factor_mark_pairs(coarsest, &matrix, &m->change);
    for (int32_t i = 0; i < m->touched.list.n; i++) {
        const int32_t group = m->touched.list.id[i];
        double before[36];
        memcpy(before, m->diagonal + 36 * (size_t)group, sizeof before);
        penalize(m, level, group);
        ew_coarsest_factor_mark_diagonal(coarsest, &matrix, group, before);
    }
    return EW_OK;
}

ew_status ew_intermediate_update(ew_intermediate_level *intermediate, const ew_grouped_level *level,
                                 const ew_pattern_change *change, ew_coarsest_factor *coarsest)
{
    ew_intermediate_level *m = intermediate;
    const ew_list *row = &change->touched_row;
    EW_TRY(reserve_rows(m, level));
    EW_TRY(regroup(m, level, row));
    if (m->on_device) {
        EW_TRY(list_remapped(m, row));
        EW_TRY(ew_device_intermediate_level_follow(level->device, m, level, change));
        return revalidate(m, level, coarsest);
    }
    EW_TRY(revalidate(m, level, coarsest));
    for (int32_t i = 0; i < row->n; i++) {
        fill_row(m, level, row->id[i]);
    }
    for (int32_t i = 0; i < change->touched_pair.n; i++) {
        copy_pair(m, level, change->touched_pair.id[i]);
    }
    return EW_OK;
}

/* ---- the rest ---------------------------------------------------------- */

size_t ew_intermediate_bytes(const ew_intermediate_level *intermediate)
{
    const size_t real = intermediate->single ? sizeof(float) : sizeof(double);
    return ew_aggregates_bytes(&intermediate->groups) + ew_pattern_bytes(&intermediate->pattern) +
           ew_matrix_bytes(&intermediate->coarse) +
           36 * real *
               ((size_t)intermediate->inverse_capacity + (size_t)intermediate->block_capacity) +
           sizeof(double) * ((size_t)intermediate->center_capacity * 40 +
                             (size_t)intermediate->diagonal_capacity * 50);
}

void ew_intermediate_free(ew_intermediate_level *intermediate)
{
    ew_aggregates_free(&intermediate->groups);
    ew_intermediate_free_fresh(intermediate);
}

void ew_intermediate_free_fresh(ew_intermediate_level *fresh)
{
    ew_pattern_free(&fresh->pattern);
    ew_matrix_free(&fresh->coarse);
    ew_release(fresh->center);
    ew_release(fresh->map);
    ew_release(fresh->extra);
    ew_release(fresh->diagonal);
    ew_release(fresh->inverse_single);
    ew_release(fresh->inverse_double);
    ew_release(fresh->block_single);
    ew_release(fresh->block_double);
    ew_release(fresh->b);
    ew_release(fresh->x);
    ew_release(fresh->y);
    ew_release(fresh->step);
    ew_release(fresh->coarsest);
    ew_release(fresh->coarsest_work);
    ew_aggregate_change_free(&fresh->group_change);
    ew_pattern_change_free(&fresh->change);
    ew_set_free(&fresh->touched);
    ew_list_free(&fresh->remapped);
    *fresh = (ew_intermediate_level){0};
}
