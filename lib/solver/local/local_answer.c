/* The answer around changed rows and its estimated error. In: the system after an edit, and the
 * displacement before. Out: the displacement, or that a global solve is needed. */
#include "solver/local/local_answer.h"
#include "solver/krylov/pcg.h"
#include "solver/multilevel/multilevel.h"

#include <math.h>
#include <string.h>

/* Rows that are corrected: the changed ones and three rings, of 2000 rows at most: more cost as
 * much as an iteration over all rows. A correction that takes many steps is of a part that is
 * hardly connected, of which Ritz values of earlier solves say nothing. */
enum { RINGS = 3, MAX_ROWS = 2000, SHARE = 6, MAX_STEPS = 30 };
#define GAIN 1e-2
/* Corrections that add up to this share of the tolerance are left out. */
#define NEGLIGIBLE 0.1
/* The claimed error is a multiple of the estimate, no less than the first, and a share of the bound
 * for the iterations' own preconditioner, of which the estimate's is the additive form; with rows
 * of edges the second one. Errors in edits of ten bodies (tests/model/test_answer_edits.c) are up to
 * 0.56 and 0.38 of that bound. */
#define MIN_FACTOR       2.5
#define BOUND_SHARE      0.7
#define EDGE_BOUND_SHARE 0.45
/* A global solve goes on to this share of the tolerance, so that local answers can follow it. */
#define GLOBAL_SHARE 0.1

double ew_local_answer_factor(double theta, bool has_edges)
{
    const double share = has_edges ? EDGE_BOUND_SHARE : BOUND_SHARE;
    return theta > 0.0 ? fmax(MIN_FACTOR, share / sqrt(theta)) : 0.0;
}

double ew_local_answer_enough(const ew_multilevel *m, double energy_tolerance)
{
    const ew_local_answer *own = &m->local_answer;
    const double enough = GLOBAL_SHARE * energy_tolerance / own->factor;
    return own->is_kept ? enough * enough * own->energy : 0.0;
}

/* ---- the claim ------------------------------------------------------------- */

/* The sums into info; the estimated error, relative to the energy norm of x. */
static void claim(ew_multilevel *m, ew_pcg_info *info)
{
    ew_local_answer *own = &m->local_answer;
    double total[EW_TERMS] = {0.0};
    for (int32_t k = 0; k < ew_answer_chunks(own); k++) {
        for (int t = 0; t < EW_TERMS; t++) {
            total[t] += own->sum[EW_TERMS * (size_t)k + (size_t)t];
        }
    }
    const double square = total[EW_TERM_SMOOTHED] + ew_local_residual_measure(m);
    own->energy = total[EW_TERM_ENERGY];
    info->reference = sqrt(total[EW_TERM_REFERENCE]);
    info->residual = sqrt(total[EW_TERM_RESIDUAL]) / info->reference;
    info->energy_factor = own->factor;
    info->energy_error = own->energy > 0.0 && square >= 0.0
                             ? info->energy_factor * sqrt(square / own->energy)
                             : INFINITY;
}

static bool can_be_kept(const ew_multilevel *m, const ew_system *system)
{
    return ew_has_near_rows(system->op) && system->xyz && !m->on_device &&
           m->revision == system->op->pattern->revision;
}

/* ---- after a global solve ---------------------------------------------------- */

ew_status ew_local_answer_keep(ew_multilevel *m, const ew_system *system, const double *x,
                               double factor, ew_pcg_info *info)
{
    ew_local_answer *own = &m->local_answer;
    own->is_kept = own->has_list = own->is_pending = false;
    own->n_edit = info->is_local ? info->n_local : 0; /* of an answer that is accepted */
    own->factor = fmax(own->factor, factor);
    ew_set_clear(&own->aggregate);
    if (!can_be_kept(m, system) || info->reference == 0.0 || own->factor == 0.0) {
        return EW_OK;
    }
    EW_TRY(ew_local_residual_reserve(m, system));
    EW_TRY(ew_local_residual_form_all(m, system, x));
    own->is_kept = true;
    ew_pcg_info claimed = *info;
    claim(m, &claimed);
    info->energy_error = claimed.energy_error;
    info->energy_factor = claimed.energy_factor;
    return EW_OK;
}

/* ---- after an edit ------------------------------------------------------------ */

/* Adds the row if its load or displacement is not that of the last answer. */
static ew_status see_row(ew_multilevel *m, const ew_system *system, const double *x, int32_t row)
{
    const ew_local_answer *own = &m->local_answer;
    const size_t k = 3 * (size_t)row, size = 3 * sizeof *x;
    return row < own->n_row &&
                   (memcmp(own->x + k, x + k, size) || memcmp(own->b + k, system->b + k, size))
               ? ew_set_add(&m->local_correction.changed, row)
               : EW_OK;
}

/* Of all rows, or of those that are known to include all of these. */
static ew_status find_changed(ew_multilevel *m, const ew_system *system, const ew_list *known,
                              const double *x)
{
    const ew_local_answer *own = &m->local_answer;
    const bool is_known = known && own->has_list;
    for (int32_t i = 0; is_known && i < known->n; i++) {
        EW_TRY(see_row(m, system, x, known->id[i]));
    }
    for (int32_t begin = 0; begin < own->n_row && !is_known; begin += EW_SUM_ROWS) {
        const int32_t n = own->n_row - begin < EW_SUM_ROWS ? own->n_row - begin : EW_SUM_ROWS;
        const size_t at = 3 * (size_t)begin, size = 3 * (size_t)n * sizeof *x;
        if (!memcmp(own->x + at, x + at, size) && !memcmp(own->b + at, system->b + at, size)) {
            continue;
        }
        for (int32_t row = begin; row < begin + n; row++) {
            EW_TRY(see_row(m, system, x, row));
        }
    }
    return EW_OK;
}

static ew_status add_with_neighbors(ew_local_answer *own, const ew_operator *op, ew_list *near,
                                    const ew_list *row)
{
    if (op->edges) {
        EW_TRY(op->edges->list_near(op->edges->user, row, near));
        for (int32_t i = 0; i < near->n; i++) {
            EW_TRY(ew_set_add(&own->row, near->id[i]));
        }
    }
    for (int32_t i = 0; i < row->n; i++) {
        int32_t count = 0;
        const int32_t *item = row->id[i] < op->pattern->n_row
                                  ? ew_pattern_items(op->pattern, row->id[i], &count)
                                  : NULL;
        EW_TRY(ew_set_add(&own->row, row->id[i]));
        for (int32_t k = 0; k < count; k++) {
            EW_TRY(ew_set_add(&own->row, item[2 * k]));
        }
    }
    return EW_OK;
}

/* Corrects x around the changed rows; own->row gets the rows whose residual that changes. *ended:
 * in few enough steps. */
static ew_status correct(ew_multilevel *m, const ew_system *system, double energy_tolerance,
                         double *x, bool *ended)
{
    ew_local_answer *own = &m->local_answer;
    const double negligible = NEGLIGIBLE * energy_tolerance;
    const ew_local_limits limits = {.rings = RINGS,
                                    .share = SHARE,
                                    .max_rows = MAX_ROWS,
                                    .min_rings = 2,
                                    .gain = GAIN,
                                    .max_steps = MAX_STEPS,
                                    .negligible = negligible * negligible * own->energy};
    ew_local_correction *near = &m->local_correction;
    int n_step;
    ew_set_clear(&own->row);
    ew_status status = ew_local_correction_run(near, system, &limits, x, &n_step);
    if (!status) {
        status = add_with_neighbors(own, system->op, &near->near.row, &near->row);
    }
    ew_local_correction_end(near);
    *ended = n_step < MAX_STEPS;
    return status ? status
                  : add_with_neighbors(own, system->op, &near->near.row, &near->changed.list);
}

ew_status ew_local_answer_find(ew_multilevel *m, const ew_system *system, double energy_tolerance,
                               const ew_list *known, double *x, ew_pcg_info *info, bool *found)
{
    ew_local_answer *own = &m->local_answer;
    const ew_list *changed = &m->local_correction.changed.list;
    bool ended = true;
    *found = false;
    if (!own->is_kept || !can_be_kept(m, system) || m->coarsest.pattern_changed ||
        (own->is_pending && system->op->edges)) {
        return EW_OK;
    }
    EW_TRY(ew_local_residual_move_edges(own, system->op));
    EW_TRY(ew_local_correction_take_edges(&m->local_correction, system->op));
    EW_TRY(find_changed(m, system, known, x));
    EW_TRY(ew_near_rows_note_oblique(&m->local_correction.near, system));
    own->is_pending = true;
    if (changed->n > MAX_ROWS || ew_local_residual_has_new_prescribed(m, system, x, changed)) {
        return EW_OK;
    }
    own->is_kept = own->has_list = false; /* until all has followed */
    EW_TRY(ew_local_residual_reserve(m, system));
    EW_TRY(correct(m, system, energy_tolerance, x, &ended));
    EW_TRY(ew_local_residual_follow(m, system, x));
    own->is_kept = true;
    ew_set_clear(&m->local_correction.changed);
    ew_pcg_info claimed = *info; /* an answer that is not taken leaves nothing in the outcome */
    claim(m, &claimed);
    *found = ended && claimed.energy_error <= energy_tolerance;
    own->has_list = *found;
    own->is_pending = !*found;
    if (*found) {
        *info = claimed;
        info->is_local = true;
        info->n_local = ++own->n_edit;
        info->first_residual = info->residual;
    }
    return EW_OK;
}

/* ---- the rest ------------------------------------------------------------------- */

ew_status ew_local_answer_add_aggregates(ew_local_answer *answer, const ew_list *aggregate)
{
    for (int32_t i = 0; i < aggregate->n && answer->is_kept; i++) {
        EW_TRY(ew_set_add(&answer->aggregate, aggregate->id[i]));
    }
    return EW_OK;
}

ew_status ew_local_answer_touch_edges(ew_multilevel *m, const ew_list *row)
{
    if (!row) {
        m->local_answer.is_kept = m->local_answer.has_list = false;
        for (int32_t k = 0; k < m->n_aside; k++) {
            m->aside[k].answer.is_kept = m->aside[k].answer.has_list = false;
        }
        return EW_OK;
    }
    EW_TRY(ew_local_correction_add_edges(&m->local_correction, row));
    for (int32_t k = 0; k < m->n_aside; k++) {
        for (int32_t i = 0; i < row->n && m->aside[k].answer.is_kept; i++) {
            EW_TRY(ew_set_add(&m->aside[k].edge, row->id[i]));
        }
    }
    return EW_OK;
}

ew_status ew_local_answer_verify(ew_multilevel *m, const ew_system *system, const double *x)
{
    ew_local_answer *own = &m->local_answer;
    if (!own->is_kept) {
        return EW_OK;
    }
    const ew_local_answer kept = *own;
    const size_t n = (size_t)kept.n_row, n_coarse = 6 * (size_t)kept.n_aggregate;
    const size_t n_sum = EW_TERMS * (size_t)ew_answer_chunks(own);
    ew_local_answer fresh = {
        .n_row = kept.n_row, .n_aggregate = kept.n_aggregate, .n_stored = kept.n_stored};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&fresh.residual, 3 * n, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.term, EW_TERMS * n, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.sum, n_sum, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.coarse, n_coarse, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.x, 3 * n, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.b, 3 * n, sizeof(double)));
    EW_TRY_OUT(system->op->edges ? system->op->edges->prepare(system->op->edges->user) : EW_OK);
    *own = fresh;
    status = ew_local_residual_form_all(m, system, x);
    *own = kept;
    if (status || memcmp(kept.x, x, 3 * n * sizeof *x) ||
        memcmp(kept.b, system->b, 3 * n * sizeof *x) ||
        memcmp(kept.residual, fresh.residual, 3 * n * sizeof *x) ||
        memcmp(kept.term, fresh.term, EW_TERMS * n * sizeof *x) ||
        memcmp(kept.sum, fresh.sum, n_sum * sizeof *x) ||
        memcmp(kept.coarse, fresh.coarse, n_coarse * sizeof *x)) {
        status =
            status
                ? status
                : ew_fail(EW_MATRIX_DIFFERS,
                          "solver: the residual kept for local answers belongs to another system");
    }
out:
    ew_local_answer_free(&fresh);
    return status;
}

size_t ew_local_answer_bytes(const ew_local_answer *own)
{
    return ((size_t)own->row_capacity * (9 + EW_TERMS) + (size_t)own->chunk_capacity * EW_TERMS +
            (size_t)own->coarse_capacity * 6 + (size_t)own->work_capacity * 8) *
           sizeof(double);
}

void ew_local_answer_reset(ew_local_answer *answer)
{
    answer->is_kept = answer->has_list = false;
    answer->factor = 0.0;
}

void ew_local_answer_free(ew_local_answer *answer)
{
    ew_release(answer->x);
    ew_release(answer->b);
    ew_release(answer->residual);
    ew_release(answer->term);
    ew_release(answer->sum);
    ew_release(answer->coarse);
    ew_release(answer->work);
    ew_set_free(&answer->row);
    ew_set_free(&answer->chunk);
    ew_set_free(&answer->aggregate);
    *answer = (ew_local_answer){0};
}
