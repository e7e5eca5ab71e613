/* The preconditioner put together. In: a matrix on its pattern, positions, constraints. Out:
 * aggregates, coarse matrix and factor, smoother; z = M^-1 r. */
#include "solver/multilevel/multilevel.h"
#include "solver/factor/dissect.h"
#include "solver/multilevel/chunk_owners.h"
#include "solver/multilevel/null_modes.h"

#include <string.h>

/* More pairs than one in so many that became strong or weak: aggregates of before do not fit. */
enum { OTHER_SHARE = 50 };

ew_multilevel_def ew_default_multilevel_def(void)
{
    return (ew_multilevel_def){.single = true, .postpone = 0.05};
}

static ew_status check_def(const ew_multilevel_def *def)
{
    if (def->aggregate_rows < 0 || def->aggregate_rows == 1) {
        return ew_fail(EW_BAD_ARGUMENT, "preconditioner: aggregate_rows is %d, must be 0 or >= 2",
                       def->aggregate_rows);
    }
    if (def->chunk_rows < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "preconditioner: chunk_rows is %d, must be >= 0",
                       def->chunk_rows);
    }
    if (def->levels != 0 && def->levels != 2 && def->levels != 3) {
        return ew_fail(EW_BAD_ARGUMENT, "preconditioner: levels is %d, must be 0, 2 or 3",
                       def->levels);
    }
    if (!(def->postpone >= 0.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "preconditioner: postpone is %g, must be >= 0",
                       def->postpone);
    }
    return EW_OK;
}

/* ---- room -------------------------------------------------------------- */

static void clear(double *x, int32_t begin, int32_t end)
{
    if (end > begin) {
        memset(x + 6 * (size_t)begin, 0, 6 * (size_t)(end - begin) * sizeof *x);
    }
}

ew_status ew_multilevel_reserve(ew_multilevel *m)
{
    const int32_t n_row = m->n_row, n = m->aggregates.n;
    const int32_t x_before = m->capacity[2], before = m->capacity[4];
    EW_TRY(ew_grow(&m->fixed, &m->fixed_capacity, n_row, sizeof *m->fixed));
    EW_TRY(ew_grow(&m->z, &m->z_capacity, (int64_t)n_row + 2, 4 * sizeof *m->z));
    EW_TRY(ew_grow(&m->t, &m->t_capacity, (int64_t)n_row + 2, 4 * sizeof *m->t));
    EW_TRY(ew_grow(&m->diagonal, &m->capacity[0], n, 36 * sizeof *m->diagonal));
    EW_TRY(ew_grow(&m->n_null, &m->capacity[1], n, sizeof *m->n_null));
    EW_TRY(ew_grow(&m->x, &m->capacity[2], n, 6 * sizeof *m->x));
    EW_TRY(ew_grow(&m->x_work, &m->capacity[3], n, 8 * sizeof *m->x_work));
    EW_TRY(ew_grow(&m->chunk_of, &m->capacity[4], n, sizeof *m->chunk_of));
    for (int32_t a = before; a < m->capacity[4]; a++) {
        m->chunk_of[a] = -1;
    }
    clear(m->x, x_before, m->capacity[2]); /* of holes it stays so */
    return EW_OK;
}

static void free_chunks(ew_multilevel *m)
{
    for (int32_t c = 0; c < m->n_chunk; c++) {
        ew_chunk_free(&m->chunk[c]);
        ew_list_free(&m->chunk_member[c]);
    }
    ew_release(m->chunk_room);
    m->chunk_room = NULL;
    m->n_chunk = 0;
}

void ew_multilevel_free(ew_multilevel *multilevel)
{
    ew_multilevel *m = multilevel;
    if (!m) {
        return;
    }
    free_chunks(m);
    ew_multilevel_free_share(m->share);
    ew_release(m->chunk);
    ew_release(m->chunk_member);
    ew_release(m->fixed);
    ew_release(m->z);
    ew_release(m->t);
    ew_release(m->columns);
    ew_release(m->diagonal);
    ew_release(m->n_null);
    ew_release(m->x);
    ew_release(m->x_work);
    ew_release(m->chunk_of);
    ew_aggregates_free(&m->aggregates);
    ew_pattern_free(&m->pattern);
    ew_matrix_free(&m->coarse);
    ew_segments_free(&m->segments);
    ew_intermediate_free(&m->intermediate);
    ew_coarsest_factor_free(&m->coarsest);
    ew_local_correction_free(&m->local_correction);
    ew_local_answer_free(&m->local_answer);
    ew_local_answer_free_aside(m);
    ew_aggregate_change_free(&m->aggregate_change);
    ew_pattern_change_free(&m->coarse_change);
    ew_set_free(&m->touched_row);
    ew_set_free(&m->touched_aggregate);
    ew_set_free(&m->spoiled_row);
    ew_set_free(&m->touched_chunk);
    ew_set_free(&m->patched_chunk);
    ew_release(m->oblique.row);
    ew_release(m->oblique.normal);
    ew_release(m->oblique_place);
    ew_list_free(&m->turned);
    ew_list_free(&m->list);
    ew_release(m);
}

size_t ew_multilevel_bytes(const ew_multilevel *multilevel)
{
    const ew_multilevel *m = multilevel;
    size_t bytes =
        sizeof *m + ew_aggregates_bytes(&m->aggregates) + ew_pattern_bytes(&m->pattern) +
        ew_matrix_bytes(&m->coarse) + ew_segments_bytes(&m->segments) +
        ew_intermediate_bytes(&m->intermediate) + ew_coarsest_factor_bytes(&m->coarsest) +
        (size_t)m->z_capacity * (8 * sizeof(double) + 1) +
        (size_t)m->capacity[0] * 48 * sizeof(double) + ew_local_answer_bytes(&m->local_answer);
    for (int32_t k = 0; k < m->n_aside; k++) {
        bytes += ew_local_answer_bytes(&m->aside[k].answer);
    }
    for (int32_t c = 0; c < m->n_chunk; c++) {
        bytes += ew_chunk_bytes(&m->chunk[c]);
    }
    return bytes;
}

const ew_multilevel_info *ew_multilevel_about(const ew_multilevel *multilevel)
{
    return &multilevel->info;
}

/* ---- the smoother ------------------------------------------------------ */

/* Unless the definition says otherwise: fewer blocks are across where chunks are large, and two of
 * them, which are swept at once, must fit the cache of a processor; but there must be some for each
 * of many. Where chunks are few an odd number of pairs would leave one of two threads to wait. */
enum { MIN_CHUNK_ROWS = 512, MAX_CHUNK_ROWS = 2048, WANTED_CHUNKS = 32, IN_TWO_PAIRS = 4 };

static int32_t choose_chunk_rows(const ew_multilevel *m)
{
    const int32_t wanted = m->n_row / WANTED_CHUNKS;
    const int32_t rows = wanted < MIN_CHUNK_ROWS   ? MIN_CHUNK_ROWS
                         : wanted > MAX_CHUNK_ROWS ? MAX_CHUNK_ROWS
                                                   : wanted;
    const int32_t n = (m->n_row / rows + IN_TWO_PAIRS / 2) / IN_TWO_PAIRS * IN_TWO_PAIRS;
    return m->def.chunk_rows ? m->def.chunk_rows : n ? (m->n_row - 1) / n + 1 : rows;
}

static ew_status make_chunks(ew_multilevel *m)
{
    const int64_t rows = m->chunk_rows = choose_chunk_rows(m);
    int32_t n_chunk = 0;
    free_chunks(m);
    for (int32_t a = 0; a < m->capacity[4]; a++) {
        m->chunk_of[a] = -1; /* of aggregates to come, too, whatever they were before */
    }
    if (m->on_device) {
        return EW_OK;
    }
    EW_TRY(ew_dissect_groups(m->aggregates.n, m->aggregates.frame, m->aggregates.member.count, rows,
                             m->chunk_of, &n_chunk));
    EW_TRY(ew_grow(&m->chunk, &m->chunk_capacity, n_chunk, sizeof *m->chunk));
    EW_TRY(ew_grow(&m->chunk_member, &m->list_capacity, n_chunk, sizeof *m->chunk_member));
    memset(m->chunk, 0, (size_t)n_chunk * sizeof *m->chunk);
    memset(m->chunk_member, 0, (size_t)n_chunk * sizeof *m->chunk_member);
    m->n_chunk = n_chunk;
    for (int32_t a = 0; a < m->aggregates.n; a++) {
        if (m->chunk_of[a] >= 0) {
            EW_TRY(ew_list_push(&m->chunk_member[m->chunk_of[a]], a));
        }
    }
    return EW_OK;
}

static ew_chunk_need measure_chunk(const ew_multilevel *m, const ew_fine_level *fine, int32_t c)
{
    return ew_chunk_measure(m->def.single, fine, &m->aggregates, m->chunk_of, c,
                            &m->chunk_member[c]);
}

/* One room for all chunks that this process has, which have none yet. */
static ew_status make_chunk_room(ew_multilevel *m, const ew_fine_level *fine)
{
    ew_chunk_need *need;
    size_t bytes = 0;
    EW_TRY(ew_new(&need, (size_t)m->n_chunk, sizeof *need));
#pragma omp parallel num_threads(ew_threads_for(m->n_chunk, 2))
    {
        int32_t c;
        for (ew_schedule_cursor cursor = ew_schedule_begin(&m->schedule[0], m->n_chunk);
             ew_schedule_next(&cursor, &c);) {
            if (ew_multilevel_has_chunk(m, c)) {
                need[c] = measure_chunk(m, fine, c);
            }
        }
        ew_schedule_meet(&m->schedule[0]);
    }
    for (int32_t c = 0; c < m->n_chunk; c++) {
        bytes += ew_multilevel_has_chunk(m, c) ? ew_chunk_room_bytes(&need[c]) : 0;
    }
    const ew_status status = ew_new(&m->chunk_room, bytes, 1);
    bytes = 0;
    for (int32_t c = 0; c < m->n_chunk && !status; c++) {
        if (ew_multilevel_has_chunk(m, c)) {
            ew_chunk_take_room(&m->chunk[c], &need[c], (char *)m->chunk_room + bytes);
            bytes += ew_chunk_room_bytes(&need[c]);
        }
    }
    ew_release(need);
    return status;
}

/* Nothing where another process has it. */
static ew_status fill_chunk(ew_multilevel *m, const ew_fine_level *fine, int32_t c)
{
    if (!ew_multilevel_has_chunk(m, c)) {
        return EW_OK;
    }
    const ew_chunk_need need = measure_chunk(m, fine, c);
    EW_TRY(ew_chunk_reserve(&m->chunk[c], &need));
    return ew_chunk_fill(&m->chunk[c], fine, &m->aggregates, m->chunk_of, c, &m->chunk_member[c]);
}

ew_status ew_multilevel_fill_chunks(ew_multilevel *m, const ew_fine_level *fine,
                                    const ew_list *chunks)
{
    bool failed = false;
#pragma omp parallel num_threads(ew_threads_for(chunks->n, 4))
    {
        int32_t i;
        for (ew_schedule_cursor cursor = ew_schedule_begin(&m->schedule[0], chunks->n);
             ew_schedule_next(&cursor, &i);) {
            if (fill_chunk(m, fine, chunks->id[i])) {
#pragma omp atomic write
                failed = true;
            }
        }
        ew_schedule_meet(&m->schedule[0]);
    }
    for (int32_t i = 0; failed && i < chunks->n; i++) { /* for its message, in this thread */
        EW_TRY(fill_chunk(m, fine, chunks->id[i]));
    }
    return EW_OK;
}

/* ---- the factor -------------------------------------------------------- */

void ew_multilevel_penalize(ew_multilevel *m, const ew_fine_level *fine, int32_t aggregate)
{
    const size_t at = 36 * (size_t)aggregate;
    m->n_null[aggregate] = 0;
    if (m->aggregates.member.count[aggregate] == 0) {
        memcpy(m->diagonal + at, m->coarse.diagonal + at, 36 * sizeof *m->diagonal);
    } else {
        m->n_null[aggregate] = (int8_t)ew_penalize_null_modes(
            fine, &m->aggregates, aggregate, m->coarse.diagonal + at, m->diagonal + at);
    }
}

ew_status ew_multilevel_analyze(ew_multilevel *m)
{
    const ew_coarsest_matrix coarsest = ew_multilevel_coarsest(m);
    return ew_coarsest_factor_analyze(&m->coarsest, &coarsest, m->def.single);
}

void ew_multilevel_factor_marked(ew_multilevel *m)
{
    const ew_coarsest_matrix coarsest = ew_multilevel_coarsest(m);
    m->info.n_factored_column = ew_coarsest_factor_marked(&m->coarsest, &coarsest);
    m->info.n_raised = m->coarsest.factor.n_raised;
    m->info.n_factor_block = m->coarsest.factor.begin[m->coarsest.factor.n];
    m->info.is_postponed = m->is_due = false;
    m->n_waiting = 0;
    m->n_factors++;
}

ew_status ew_multilevel_factor_pending(ew_multilevel *multilevel)
{
    if (multilevel->info.is_postponed) {
        if (multilevel->coarsest.pattern_changed) {
            EW_TRY(ew_multilevel_analyze(multilevel));
        }
        ew_multilevel_factor_marked(multilevel);
    }
    return EW_OK;
}

ew_status ew_multilevel_ready(ew_multilevel *multilevel, bool *worked)
{
    *worked = multilevel->is_due;
    return multilevel->is_due ? ew_multilevel_factor_pending(multilevel) : EW_OK;
}

/* ---- set-up ------------------------------------------------------------ */

typedef struct chunk_filling {
    ew_multilevel *m;
    const ew_fine_level *fine;
    bool has_room; /* for what there is now */
} chunk_filling;

/* Looks at every diagonal block. */
static ew_status fill_part(void *user, int32_t c)
{
    const chunk_filling *in = user;
    ew_multilevel *m = in->m;
    return in->has_room ? ew_chunk_fill(&m->chunk[c], in->fine, &m->aggregates, m->chunk_of, c,
                                        &m->chunk_member[c])
                        : fill_chunk(m, in->fine, c);
}

/* The chunks and the coarse matrix, which read the same blocks. */
static ew_status fill_matrices(ew_multilevel *m, const ew_fine_level *fine)
{
    ew_coarse_source coarse = ew_coarse_source_of(&m->pattern, fine, &m->aggregates);
    chunk_filling filling = {m, fine, !m->chunk_room};
    const ew_coarse_parts parts = {
        m->n_chunk, m->chunk_member,        fill_part,
        &filling,   ew_multilevel_peers(m), ew_multilevel_chunk_owners(m)};
    if (m->on_device) {
        ew_segments_free(&m->segments);
        EW_TRY(ew_device_level_follow(fine->device, fine, &m->aggregates, NULL, NULL));
        return ew_matrix_build(&m->coarse, &coarse.source);
    }
    if (!m->chunk_room) {
        EW_TRY(make_chunk_room(m, fine));
    }
    EW_TRY(ew_segments_build(&m->segments, &m->aggregates));
    coarse.segments = &m->segments;
    coarse.parts = &parts;
    return ew_matrix_build(&m->coarse, &coarse.source);
}

static void penalize_all(ew_multilevel *m, const ew_fine_level *fine)
{
    int32_t n_null = 0, n_aggregate = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_null, n_aggregate)                       \
    num_threads(ew_threads_for(m->aggregates.n, 64))
    for (int32_t a = 0; a < m->aggregates.n; a++) {
        ew_multilevel_penalize(m, fine, a);
        n_null += m->n_null[a];
        n_aggregate += m->aggregates.member.count[a] > 0;
    }
    m->info.n_null = n_null;
    m->info.n_aggregate = n_aggregate;
}

/* Everything that follows from the aggregates, chunks and order. */
static ew_status fill(ew_multilevel *m, const ew_fine_level *fine)
{
    ew_local_answer_reset(&m->local_answer);
    ew_local_answer_reset_aside(m);
    m->n_chunk_fill++;
    EW_TRY(fill_matrices(m, fine));
    penalize_all(m, fine);
    m->info.n_group = m->intermediate.groups.n - m->intermediate.groups.hole.n;
    if (m->intermediate.is_there) {
        const ew_grouped_level level = ew_multilevel_grouped(m, fine);
        EW_TRY(ew_intermediate_fill(&m->intermediate, &level));
    }
    ew_block_cholesky_mark_all(&m->coarsest.factor);
    ew_multilevel_factor_marked(m);
    m->info.n_chunk = m->info.n_touched_chunk = m->n_chunk;
    m->info.n_touched_aggregate = m->info.n_aggregate;
    m->n_penalized = m->aggregates.n;
    memcpy(m->fixed, fine->fixed, (size_t)m->n_row);
    m->revision = fine->pattern->revision;
    return EW_OK;
}

static ew_status check_level(const ew_fine_level *fine)
{
    const ew_matrix *matrix = fine->matrix;
    EW_TRY(ew_fine_level_check(fine));
    return !matrix || matrix->block == 3
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT,
                         "preconditioner: the matrix has blocks of %d x %d, must have 3 x 3",
                         matrix->block, matrix->block);
}

ew_status ew_multilevel_set_up(ew_multilevel *m, const ew_fine_level *fine)
{
    m->revision = 0;
    m->n_row = fine->pattern->n_row;
    m->on_device = fine->device != NULL;
    m->n_worn = 0;
    ew_local_correction_forget(&m->local_correction);
    EW_TRY(ew_multilevel_aggregate(m, fine));
    m->n_first = m->aggregates.n;
    EW_TRY(ew_multilevel_reserve(m));
    clear(m->x, 0, m->capacity[2]);
    EW_TRY(make_chunks(m));
    EW_TRY(ew_multilevel_own_chunks(m, fine->dealt ? fine->dealt->peers : ew_multilevel_peers(m)));
    EW_TRY(ew_multilevel_need_rows(m, fine));
    ew_coarsest_factor_free(&m->coarsest);
    EW_TRY(ew_multilevel_analyze(m));
    return fill(m, fine);
}

ew_status ew_multilevel_setup_level(ew_multilevel **multilevel, const ew_fine_level *fine,
                                    const ew_multilevel_def *def)
{
    ew_status status = EW_OK;
    EW_TRY_OUT(check_def(def));
    EW_TRY_OUT(check_level(fine));
    if (!*multilevel) {
        EW_TRY_OUT(ew_new_zero(multilevel, 1, sizeof **multilevel));
    }
    (*multilevel)->def = *def;
    EW_TRY_OUT(fine->dealt ? EW_OK : ew_multilevel_own_chunks(*multilevel, NULL));
    ew_fine_level own = *fine;
    EW_TRY_OUT(ew_multilevel_take_oblique(*multilevel, &own));
    status = ew_multilevel_set_up(*multilevel, &own);
out:
    if (status) {
        ew_multilevel_free(*multilevel);
        *multilevel = NULL;
    }
    return status;
}

ew_status ew_multilevel_setup(ew_multilevel **multilevel, const ew_matrix *matrix,
                              const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                              const ew_multilevel_def *def)
{
    const ew_fine_level fine = {.matrix = matrix, .pattern = pattern, .xyz = xyz, .fixed = fixed};
    return ew_multilevel_setup_level(multilevel, &fine, def);
}

ew_status ew_multilevel_refill_level(ew_multilevel *m, const ew_fine_level *fine)
{
    ew_fine_level own = *fine;
    int32_t n_other;
    EW_TRY(check_level(fine));
    if (m->revision != fine->pattern->revision) {
        return ew_fail(EW_STALE,
                       "preconditioner: at revision %llu, the pattern is at %llu; update it first",
                       (unsigned long long)m->revision,
                       (unsigned long long)fine->pattern->revision);
    }
    m->revision = 0;
    EW_TRY(ew_multilevel_take_oblique(m, &own));
    EW_TRY(ew_aggregates_judge(&m->aggregates, &own, &n_other));
    if ((int64_t)OTHER_SHARE * n_other > own.pattern->n_live_pair) {
        return ew_multilevel_set_up(m, &own);
    }
    if (m->coarsest.pattern_changed) {
        EW_TRY(ew_multilevel_analyze(m));
    }
    EW_TRY(ew_multilevel_own_chunks(m, fine->dealt ? fine->dealt->peers : NULL));
    EW_TRY(ew_multilevel_need_rows(m, fine));
    return fill(m, &own);
}

ew_status ew_multilevel_refill(ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed)
{
    const ew_fine_level fine = {.matrix = matrix, .pattern = pattern, .xyz = xyz, .fixed = fixed};
    return ew_multilevel_refill_level(multilevel, &fine);
}
