/* The preconditioner after a change. In: what the change touched, and constraints. Out: the same
 * preconditioner with the bits of one filled again on the same aggregates. */
#include "solver/multilevel/chunk_owners.h"

#include <string.h>

/* A change of more than one row in this many is a new problem: set up again. */
enum { AGAIN_SHARE = 4 };
/* A change of so many rows, and more than one in so many, wears the aggregates: what is left of
 * them after some such changes is ragged and takes a third more iterations. Once they have touched
 * half as many rows as there are, it is set up again. */
enum { WEAR_ROWS = 500, WEAR_SHARE = 100, WORN_SHARE = 2 };

static ew_status touch_aggregate_of(ew_multilevel *m, int32_t row)
{
    const int32_t of = m->aggregates.of_row[row];
    return of < 0 ? EW_OK : ew_set_add(&m->touched_aggregate, of);
}

static ew_status touch_neighbors_of(ew_multilevel *m, const ew_pattern *pattern, int32_t row)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(pattern, row, &count);
    EW_TRY(touch_aggregate_of(m, row));
    for (int32_t k = 0; k < count; k++) {
        EW_TRY(touch_aggregate_of(m, item[2 * k]));
    }
    return EW_OK;
}

/* Segments of rows around one whose pairs count otherwise. */
static ew_status spoil_neighbors_of(ew_multilevel *m, const ew_pattern *pattern, int32_t row)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(pattern, row, &count);
    for (int32_t k = 0; k < count; k++) {
        EW_TRY(ew_set_add(&m->spoiled_row, item[2 * k]));
    }
    return EW_OK;
}

/* ---- rows -------------------------------------------------------------- */

static ew_status touch_chunk_of(ew_multilevel *m, int32_t row)
{
    const int32_t of = m->aggregates.of_row[row], c = of < 0 ? -1 : m->chunk_of[of];
    return c < 0 ? EW_OK : ew_set_add(&m->touched_chunk, c);
}

/* The pairs of a row are filtered by its constraints, so the aggregates of its neighbors are
 * touched, too. */
static ew_status touch_filtered(ew_multilevel *m, const ew_pattern *pattern, int32_t row)
{
    EW_TRY(touch_neighbors_of(m, pattern, row));
    EW_TRY(spoil_neighbors_of(m, pattern, row));
    return ew_set_add(&m->touched_row, row);
}

/* Chunks of its neighbors are touched where it appears or disappears. */
static ew_status follow_fixed(ew_multilevel *m, const ew_fine_level *fine, int32_t row)
{
    const uint8_t before = m->fixed[row], now = fine->fixed[row];
    int32_t count;
    const int32_t *item = ew_pattern_items(fine->pattern, row, &count);
    if (before == now) {
        return EW_OK;
    }
    m->fixed[row] = now;
    EW_TRY(touch_filtered(m, fine->pattern, row));
    if ((before == 7) == (now == 7)) {
        return EW_OK;
    }
    for (int32_t k = 0; k < count; k++) {
        EW_TRY(touch_chunk_of(m, item[2 * k]));
    }
    return touch_chunk_of(m, row);
}

/* All rows there were. */
static ew_status compare_fixed(ew_multilevel *m, const ew_fine_level *fine, int32_t n_before)
{
    enum { STEP = 256 };
    for (int32_t begin = 0; begin < n_before; begin += STEP) {
        const int32_t end = begin + STEP < n_before ? begin + STEP : n_before;
        if (memcmp(m->fixed + begin, fine->fixed + begin, (size_t)(end - begin)) == 0) {
            continue;
        }
        for (int32_t row = begin; row < end; row++) {
            EW_TRY(follow_fixed(m, fine, row));
        }
    }
    return EW_OK;
}

static ew_status find_refixed(ew_multilevel *m, const ew_fine_level *fine, const ew_list *refixed,
                              int32_t n_before)
{
    for (int32_t row = n_before; row < m->n_row; row++) {
        m->fixed[row] = fine->fixed[row];
    }
    for (int32_t i = 0; i < m->turned.n; i++) {
        EW_TRY(touch_filtered(m, fine->pattern, m->turned.id[i]));
    }
    if (!refixed) {
        return compare_fixed(m, fine, n_before);
    }
    for (int32_t i = 0; i < refixed->n; i++) {
        EW_TRY(follow_fixed(m, fine, refixed->id[i]));
    }
    for (int32_t i = 0, n = m->touched_row.list.n; i < n; i++) {
        EW_TRY(follow_fixed(m, fine, m->touched_row.list.id[i]));
    }
    return EW_OK;
}

static ew_status find_touched(ew_multilevel *m, const ew_fine_level *fine, const ew_list *refixed,
                              const ew_pattern_change *change)
{
    const int32_t n_before = m->n_row;
    ew_set_clear(&m->touched_row);
    ew_set_clear(&m->touched_aggregate);
    ew_set_clear(&m->touched_chunk);
    ew_set_clear(&m->spoiled_row);
    for (int32_t i = 0; change && i < change->touched_row.n; i++) {
        EW_TRY(ew_set_add(&m->touched_row, change->touched_row.id[i]));
    }
    m->n_row = fine->pattern->n_row;
    EW_TRY(ew_aggregates_update(&m->aggregates, fine, change ? &change->touched_row : &(ew_list){0},
                                &m->aggregate_change));
    EW_TRY(ew_multilevel_reserve(m));
    EW_TRY(find_refixed(m, fine, refixed, n_before));
    for (int32_t i = 0; i < m->touched_row.list.n; i++) {
        EW_TRY(touch_aggregate_of(m, m->touched_row.list.id[i]));
    }
    return EW_OK;
}

/* ---- aggregates and chunks --------------------------------------------- */

/* The chunk for a new aggregate: that of a neighbor, while it is not half again as large as it
 * should be; or an empty one, or a new one. */
static ew_status choose_chunk(ew_multilevel *m, const ew_pattern *fine, int32_t own,
                              int32_t *chosen)
{
    const ew_rows *member = &m->aggregates.member;
    for (int32_t i = 0; i < member->count[own]; i++) {
        int32_t count;
        const int32_t *item =
            ew_pattern_items(fine, member->item[(size_t)member->begin[own] + (size_t)i], &count);
        for (int32_t k = 0; k < count; k++) {
            const int32_t c = m->chunk_of[m->aggregates.of_row[item[2 * k]]];
            int32_t n = member->count[own];
            for (int32_t j = 0; c >= 0 && j < m->chunk_member[c].n; j++) {
                n += member->count[m->chunk_member[c].id[j]];
            }
            if (c >= 0 && 2 * n <= 3 * m->chunk_rows) {
                *chosen = c;
                return EW_OK;
            }
        }
    }
    for (*chosen = 0; *chosen < m->n_chunk; (*chosen)++) {
        if (m->chunk_member[*chosen].n == 0) {
            return EW_OK;
        }
    }
    EW_TRY(ew_grow(&m->chunk, &m->chunk_capacity, (int64_t)m->n_chunk + 1, sizeof *m->chunk));
    EW_TRY(ew_grow(&m->chunk_member, &m->list_capacity, (int64_t)m->n_chunk + 1,
                   sizeof *m->chunk_member));
    m->chunk[m->n_chunk] = (ew_chunk){0};
    m->chunk_member[m->n_chunk++] = (ew_list){0};
    return EW_OK;
}

static void leave_chunk(ew_multilevel *m, int32_t own)
{
    ew_list *list = &m->chunk_member[m->chunk_of[own]];
    int32_t n = 0;
    for (int32_t i = 0; i < list->n; i++) {
        if (list->id[i] != own) {
            list->id[n++] = list->id[i];
        }
    }
    list->n = n;
    m->chunk_of[own] = -1;
    memset(m->x + 6 * (size_t)own, 0, 6 * sizeof *m->x);
}

/* Where the rows of an aggregate changed, its neighbors see other pairs. */
static ew_status follow_aggregates(ew_multilevel *m, const ew_pattern *fine)
{
    const ew_rows *member = &m->aggregates.member;
    ew_list *changed = &m->aggregate_change.aggregate.list;
    ew_list_sort(changed);
    for (int32_t i = 0; i < changed->n; i++) {
        const int32_t own = changed->id[i];
        EW_TRY(ew_set_add(&m->touched_aggregate, own));
        if (m->chunk_of[own] >= 0) {
            EW_TRY(ew_set_add(&m->touched_chunk, m->chunk_of[own]));
        }
        for (int32_t k = 0; k < member->count[own]; k++) {
            EW_TRY(
                touch_neighbors_of(m, fine, member->item[(size_t)member->begin[own] + (size_t)k]));
        }
        if (member->count[own] == 0 && m->chunk_of[own] >= 0) {
            leave_chunk(m, own);
        } else if (member->count[own] > 0 && m->chunk_of[own] < 0 && !m->on_device) {
            int32_t c;
            EW_TRY(choose_chunk(m, fine, own, &c));
            EW_TRY(ew_list_push(&m->chunk_member[c], own));
            ew_list_sort(&m->chunk_member[c]);
            m->chunk_of[own] = c;
            EW_TRY(ew_set_add(&m->touched_chunk, c));
        }
    }
    return EW_OK;
}

/* Row by row where that is little; other chunks are touched as a whole. */
static ew_status refill_rows(ew_multilevel *m, const ew_fine_level *fine)
{
    enum { MAX_SHARE = 8 };
    ew_set_clear(&m->patched_chunk);
    for (int32_t i = 0; i < m->touched_row.list.n; i++) {
        const int32_t row = m->touched_row.list.id[i], of = m->aggregates.of_row[row];
        const int32_t c = of < 0 ? -1 : m->chunk_of[of];
        bool done = false;
        if (c < 0 || ew_set_has(&m->touched_chunk, c) || !ew_multilevel_has_chunk(m, c)) {
            continue;
        }
        m->chunk[c].n_refilled = ew_set_has(&m->patched_chunk, c) ? m->chunk[c].n_refilled + 1 : 1;
        EW_TRY(ew_set_add(&m->patched_chunk, c));
        if (MAX_SHARE * m->chunk[c].n_refilled <= m->chunk[c].n) {
            EW_TRY(ew_chunk_refill_row(&m->chunk[c], fine, &m->aggregates, m->chunk_of, c, row,
                                       &done));
        }
        if (!done) {
            EW_TRY(ew_set_add(&m->touched_chunk, c));
        }
    }
    return EW_OK;
}

static ew_status refill_chunks(ew_multilevel *m, const ew_fine_level *fine)
{
    m->n_chunk_fill++;
    EW_TRY(refill_rows(m, fine));
    m->info.n_patched_chunk = 0;
    for (int32_t i = 0; i < m->patched_chunk.list.n; i++) {
        m->info.n_patched_chunk += !ew_set_has(&m->touched_chunk, m->patched_chunk.list.id[i]);
    }
    return ew_multilevel_fill_chunks(m, fine, &m->touched_chunk.list);
}

/* ---- the coarse matrix ------------------------------------------------- */

/* Their diagonal blocks with penalties. */
static void penalize_touched(ew_multilevel *m, const ew_fine_level *fine, const ew_list *touched)
{
    const ew_coarsest_matrix coarsest = ew_multilevel_coarsest(m);
    for (int32_t i = 0; i < touched->n; i++) {
        const int32_t own = touched->id[i];
        const bool is_new = own >= m->n_penalized;
        double old[36];
        if (!is_new) {
            memcpy(old, m->diagonal + 36 * (size_t)own, sizeof old);
            m->info.n_null -= m->n_null[own];
        }
        ew_multilevel_penalize(m, fine, own);
        m->info.n_null += m->n_null[own];
        if (!is_new && !m->intermediate.is_there) {
            ew_coarsest_factor_mark_diagonal(&m->coarsest, &coarsest, own, old);
        }
    }
    m->n_penalized = m->aggregates.n;
}

/* Segments of changed aggregates are listed again; of others those of touched rows are summed
 * again, and those of rows beside one that changed its aggregate or constraints. */
static ew_status spoil_segments(ew_multilevel *m, const ew_pattern *fine)
{
    const ew_list *changed = &m->aggregate_change.aggregate.list;
    const ew_list *moved = &m->aggregate_change.row.list;
    for (int32_t i = 0; i < changed->n; i++) {
        EW_TRY(ew_segments_list(&m->segments, &m->aggregates, changed->id[i]));
    }
    for (int32_t i = 0; i < moved->n; i++) {
        EW_TRY(spoil_neighbors_of(m, fine, moved->id[i]));
    }
    for (int32_t i = 0; i < m->touched_row.list.n; i++) {
        ew_segments_spoil(&m->segments, &m->aggregates, m->touched_row.list.id[i]);
    }
    for (int32_t i = 0; i < m->spoiled_row.list.n; i++) {
        ew_segments_spoil(&m->segments, &m->aggregates, m->spoiled_row.list.id[i]);
    }
    return EW_OK;
}

static ew_status revalidate_coarse(ew_multilevel *m, const ew_fine_level *fine)
{
    ew_coarse_source source = ew_coarse_source_of(&m->pattern, fine, &m->aggregates);
    const ew_coarsest_matrix coarsest = ew_multilevel_coarsest(m);
    ew_list *touched = &m->touched_aggregate.list;
    ew_pattern_change *change = &m->coarse_change;
    ew_list_sort(touched);
    EW_TRY(m->intermediate.is_there
               ? EW_OK
               : ew_coarsest_factor_keep_pairs(&m->coarsest, &coarsest, &m->touched_aggregate));
    source.touched = &m->touched_aggregate;
    if (!m->on_device) {
        EW_TRY(spoil_segments(m, fine->pattern));
        source.segments = &m->segments;
    }
    EW_TRY(ew_coarse_update_pattern(&m->pattern, fine->pattern, &m->aggregates, source.touched,
                                    source.segments, change));
    if (fine->device) {
        EW_TRY(ew_device_level_follow(fine->device, fine, &m->aggregates, touched,
                                      &m->aggregate_change.row.list));
    }
    EW_TRY(ew_matrix_revalidate(&m->coarse, &source.source, change));
    if (!m->intermediate.is_there) {
        ew_coarsest_factor_mark_pairs(&m->coarsest, &coarsest, change);
    }
    penalize_touched(m, fine, touched);
    const ew_grouped_level level = ew_multilevel_grouped(m, fine);
    return m->intermediate.is_there
               ? ew_intermediate_update(&m->intermediate, &level, change, &m->coarsest)
               : EW_OK;
}

/* ---- the factor -------------------------------------------------------- */

/* Supports that change are no small edit, however few their rows: a factor that holds a body where
 * nothing holds it any more costs hundreds of iterations. Springs change at an unchanged mesh. */
static bool are_supports(const ew_list *refixed, const ew_pattern_change *change)
{
    return (refixed && refixed->n > 0) ||
           (change && change->from_revision == change->to_revision && change->touched_row.n > 0);
}

static ew_status follow_factor(ew_multilevel *m, bool supports)
{
    m->n_waiting += m->touched_row.list.n;
    m->info.is_postponed = true;
    m->info.n_factored_column = 0;
    const ew_aggregate_change *rows =
        m->intermediate.is_there ? &m->intermediate.group_change : &m->aggregate_change;
    const bool is_larger = m->coarsest.factor.n != ew_multilevel_coarsest(m).aggregates->n;
    m->coarsest.pattern_changed = m->coarsest.pattern_changed || is_larger;
    if (!supports && !rows->reshaped && !is_larger &&
        (double)m->n_waiting <= m->def.postpone * m->n_row) {
        return EW_OK;
    }
    m->is_due = m->def.wait;
    return m->is_due ? EW_OK : ew_multilevel_factor_pending(m);
}

static ew_status check_change(const ew_multilevel *m, const ew_pattern *pattern,
                              const ew_pattern_change *change)
{
    const uint64_t from = change ? change->from_revision : pattern->revision;
    const uint64_t to = change ? change->to_revision : pattern->revision;
    if (!m->revision || m->revision != from || pattern->revision != to) {
        return ew_fail(EW_STALE,
                       "preconditioner: at revision %llu, the change leads from %llu to %llu and "
                       "the pattern is at %llu; set it up again",
                       (unsigned long long)m->revision, (unsigned long long)from,
                       (unsigned long long)to, (unsigned long long)pattern->revision);
    }
    return EW_OK;
}

static ew_status update(ew_multilevel *m, const ew_fine_level *fine, const ew_list *refixed,
                        const ew_pattern_change *change)
{
    EW_TRY(find_touched(m, fine, refixed, change));
    EW_TRY(follow_aggregates(m, fine->pattern));
    EW_TRY(refill_chunks(m, fine));
    EW_TRY(revalidate_coarse(m, fine));
    EW_TRY(m->on_device ? EW_OK
                        : ew_local_correction_add(&m->local_correction, &m->touched_row.list));
    EW_TRY(ew_local_answer_add_aggregates(&m->local_answer, &m->aggregate_change.aggregate.list));
    EW_TRY(
        ew_local_answer_touch_aside(m, &m->touched_row.list, &m->aggregate_change.aggregate.list));
    m->info.n_touched_aggregate = m->touched_aggregate.list.n;
    m->info.n_touched_chunk = m->touched_chunk.list.n;
    m->info.n_chunk = m->n_chunk;
    m->info.n_aggregate = m->aggregates.n - m->aggregates.hole.n;
    m->info.n_group = m->intermediate.groups.n - m->intermediate.groups.hole.n;
    return follow_factor(m, are_supports(refixed, change));
}

static void count_wear(ew_multilevel *m, const ew_fine_level *fine, const ew_pattern_change *change)
{
    const int32_t n = change ? change->touched_row.n : 0;
    const bool wears = n >= WEAR_ROWS && (int64_t)WEAR_SHARE * n > fine->pattern->n_row;
    m->n_worn += wears ? n : 0;
}

/* Whether the change is a new problem, aggregates are worn, or there are more of them than a device
 * was to have. */
static bool is_outgrown(const ew_multilevel *m, const ew_fine_level *fine,
                        const ew_pattern_change *change)
{
    return (change && (int64_t)AGAIN_SHARE * change->touched_row.n > fine->pattern->n_row) ||
           WORN_SHARE * m->n_worn > fine->pattern->n_row ||
           (m->on_device && m->aggregates.n - m->aggregates.hole.n > 2 * m->n_first + 50);
}

ew_status ew_multilevel_update_level(ew_multilevel *m, const ew_fine_level *fine,
                                     const ew_list *refixed, const ew_pattern_change *change)
{
    EW_TRY(ew_fine_level_check(fine));
    EW_TRY(check_change(m, fine->pattern, change));
    m->revision = 0;
    ew_fine_level own = *fine;
    EW_TRY(ew_multilevel_take_oblique(m, &own));
    count_wear(m, &own, change);
    if (is_outgrown(m, &own, change)) {
        return ew_multilevel_set_up(m, &own);
    }
    EW_TRY(update(m, &own, refixed, change));
    m->revision = fine->pattern->revision;
    return EW_OK;
}

ew_status ew_multilevel_update(ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                               const ew_list *refixed, const ew_pattern_change *change)
{
    const ew_fine_level fine = {.matrix = matrix, .pattern = pattern, .xyz = xyz, .fixed = fixed};
    return ew_multilevel_update_level(multilevel, &fine, refixed, change);
}
