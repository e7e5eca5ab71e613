/* The oracle of the preconditioner. In: one that was updated. Out: the first part that differs from
 * what is computed from scratch on the same aggregates, chunks and order. */
#include "solver/multilevel/chunk_owners.h"
#include "solver/multilevel/null_modes.h"

#include <string.h>

static ew_status fail_aggregates(int32_t row, const char *what)
{
    return ew_fail(EW_MATRIX_DIFFERS, "preconditioner: row %d %s", row, what);
}

/* Rows with pairs are in one aggregate each, others in none. */
static ew_status check_members(const ew_aggregates *a, const ew_pattern *pattern)
{
    int64_t n_member = 0, n_listed = 0;
    for (int32_t row = 0; row < pattern->n_row; row++) {
        const int32_t of = a->of_row[row];
        if ((of >= 0) != (pattern->row_to_pair.count[row] > 0)) {
            return fail_aggregates(row, "has pairs and no aggregate, or the reverse");
        }
        if (of >= 0 && ew_rows_find(&a->member, of, row) < 0) {
            return fail_aggregates(row, "is not listed by its aggregate");
        }
        if (a->slot[row] >= 0) {
            return fail_aggregates(row, "has a mark that was left behind");
        }
        n_member += of >= 0;
    }
    for (int32_t k = 0; k < a->n; k++) {
        n_listed += a->member.count[k];
    }
    return n_listed == n_member
               ? EW_OK
               : ew_fail(EW_MATRIX_DIFFERS, "preconditioner: aggregates list rows twice");
}

static bool lists(const ew_list *list, int32_t id)
{
    int32_t k = 0;
    while (k < list->n && list->id[k] != id) {
        k++;
    }
    return k < list->n;
}

/* The same of the fine level, and an aggregate is in one chunk. */
static ew_status check_aggregates(const ew_multilevel *m, const ew_pattern *pattern)
{
    const ew_aggregates *a = &m->aggregates;
    EW_TRY(check_members(a, pattern));
    for (int32_t k = 0; k < a->n; k++) {
        const int32_t c = m->chunk_of[k];
        const bool has = c >= 0 && c < m->n_chunk && lists(&m->chunk_member[c], k);
        if ((c >= 0) != has || has != (a->member.count[k] > 0 && !m->on_device)) {
            return ew_fail(EW_MATRIX_DIFFERS,
                           "preconditioner: aggregate %d has rows and no chunk, or the reverse", k);
        }
    }
    return EW_OK;
}

static ew_status check_coarse(const ew_multilevel *m, const ew_fine_level *fine,
                              ew_pattern *pattern, ew_matrix *coarse)
{
    const ew_coarse_source source = ew_coarse_source_of(pattern, fine, &m->aggregates);
    int64_t n_different;
    double largest;
    EW_TRY(ew_coarse_build_pattern(pattern, fine->pattern, &m->aggregates));
    EW_TRY(ew_matrix_build(coarse, &source.source));
    EW_TRY(ew_matrix_compare(&m->coarse, &m->pattern, coarse, pattern, &n_different, &largest));
    return n_different == 0 && m->pattern.n_live_pair == pattern->n_live_pair
               ? EW_OK
               : ew_fail(EW_MATRIX_DIFFERS,
                         "preconditioner: %lld coarse blocks are not those of a rebuild, the "
                         "largest difference is %g",
                         (long long)n_different, largest);
}

static ew_status check_chunks(const ew_multilevel *m, const ew_fine_level *fine)
{
    ew_chunk fresh = {0};
    ew_status status = EW_OK;
    for (int32_t c = 0; c < m->n_chunk && !status; c++) {
        if (!ew_multilevel_has_chunk(m, c)) {
            continue;
        }
        const ew_list *member = &m->chunk_member[c];
        const ew_chunk_need need =
            ew_chunk_measure(m->def.single, fine, &m->aggregates, m->chunk_of, c, member);
        EW_TRY_OUT(ew_chunk_reserve(&fresh, &need));
        EW_TRY_OUT(ew_chunk_fill(&fresh, fine, &m->aggregates, m->chunk_of, c, member));
        if (!ew_chunk_equals(&fresh, &m->chunk[c])) {
            status =
                ew_fail(EW_MATRIX_DIFFERS,
                        "preconditioner: chunk %d of the smoother is not that of a rebuild", c);
        }
    }
out:
    ew_chunk_free(&fresh);
    return status;
}

static ew_status check_penalties(const ew_multilevel *m, const ew_fine_level *fine)
{
    for (int32_t a = 0; a < m->aggregates.n; a++) {
        const double *block = m->coarse.diagonal + 36 * (size_t)a;
        double fresh[36];
        memcpy(fresh, block, sizeof fresh);
        if (m->aggregates.member.count[a] > 0) {
            ew_penalize_null_modes(fine, &m->aggregates, a, block, fresh);
        }
        if (memcmp(fresh, m->diagonal + 36 * (size_t)a, sizeof fresh) != 0) {
            return ew_fail(EW_MATRIX_DIFFERS,
                           "preconditioner: penalties of aggregate %d are not those of a rebuild",
                           a);
        }
    }
    return EW_OK;
}

/* The level of groups, if there is one, and the factor unless it is postponed. */
static ew_status check_top(const ew_multilevel *m, const ew_fine_level *fine,
                           const ew_pattern *pattern, const ew_matrix *coarse)
{
    ew_coarsest_matrix coarsest = {&m->aggregates, pattern, coarse, m->diagonal};
    ew_intermediate_level fresh = {0};
    ew_status status = EW_OK;
    if (m->intermediate.is_there) {
        const ew_grouped_level level = ew_multilevel_grouped(m, fine);
        EW_TRY_OUT(check_members(&m->intermediate.groups, &m->pattern));
        EW_TRY_OUT(ew_intermediate_verify(&m->intermediate, &level, &fresh));
        coarsest = ew_intermediate_coarsest_matrix(&fresh);
    }
    if (!m->info.is_postponed) {
        status = ew_coarsest_factor_verify(&m->coarsest, &coarsest);
    }
out:
    ew_intermediate_free_fresh(&fresh);
    return status;
}

ew_status ew_multilevel_verify(const ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed)
{
    const ew_multilevel *m = multilevel;
    ew_fine_level fine = {.matrix = matrix, .pattern = pattern, .xyz = xyz, .fixed = fixed};
    ew_pattern fresh_pattern = {0};
    ew_matrix fresh = {0};
    ew_status status = EW_OK;
    if (m->revision != pattern->revision) {
        return ew_fail(EW_STALE, "preconditioner: at revision %llu, the pattern is at %llu",
                       (unsigned long long)m->revision, (unsigned long long)pattern->revision);
    }
    ew_multilevel_show_oblique(m, &fine);
    EW_TRY_OUT(check_aggregates(m, pattern));
    EW_TRY_OUT(check_coarse(m, &fine, &fresh_pattern, &fresh));
    EW_TRY_OUT(check_chunks(m, &fine));
    EW_TRY_OUT(check_penalties(m, &fine));
    EW_TRY_OUT(check_top(m, &fine, &fresh_pattern, &fresh));
out:
    ew_pattern_free(&fresh_pattern);
    ew_matrix_free(&fresh);
    return status;
}
