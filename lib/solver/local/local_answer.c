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
/* The error is at least this multiple of the estimate: Ritz values are upper bounds of the least
 * eigenvalue. */
#define MIN_FACTOR 2.5
/* A global solve goes on to this share of the tolerance, so that local answers can follow it. */
#define GLOBAL_SHARE 0.1

static double factor_of(const ew_local_answer *own)
{
    return fmax(MIN_FACTOR, own->theta > 0.0 ? 1.0 / sqrt(own->theta) : INFINITY);
}

double ew_local_answer_enough(const ew_multilevel *m, double energy_tolerance)
{
    const ew_local_answer *own = &m->local_answer;
    const double enough = GLOBAL_SHARE * energy_tolerance / factor_of(own);
    return own->is_kept ? enough * enough * own->energy : 0.0;
}

/* ---- rows ---------------------------------------------------------------- */

static void take_prescribed(const ew_system *system, const double *x, int32_t row, double v[3])
{
    for (int c = 0; c < 3; c++) {
        v[c] = system->fixed[row] >> c & 1 ? x[3 * (size_t)row + (size_t)c] : 0.0;
    }
}

/* product = row of K x_p. */
static void multiply_prescribed(const ew_system *system, const double *x, int32_t row,
                                double product[3])
{
    const ew_matrix *matrix = system->op->matrix;
    double v[3];
    int32_t count;
    const int32_t *item = ew_pattern_items(system->op->pattern, row, &count);
    take_prescribed(system, x, row, v);
    ew_add_block_product(matrix->diagonal + 9 * (size_t)row, false, v, product);
    for (int32_t k = 0; k < count; k++) {
        take_prescribed(system, x, item[2 * k], v);
        ew_add_block_product(matrix->pair + 9 * (size_t)item[2 * k + 1], row > item[2 * k], v,
                             product);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The residual of a row and its terms. */
static void form_row(const ew_local_answer *own, const ew_system *system, const double *x,
                     int32_t row)
{
    const uint8_t fixed = system->fixed[row];
    const double *b = system->b + 3 * (size_t)row;
    double *r = own->residual + 3 * (size_t)row, *term = own->term + EW_TERMS * (size_t)row;
    double product[3], reference[3] = {0.0}, inverse[6], z[3] = {0.0};
    ew_multiply_row(system->op, row, x, product);
    if (own->has_prescribed) {
        multiply_prescribed(system, x, row, reference);
    }
    for (int c = 0; c < 3; c++) {
        const bool is_free = !(fixed >> c & 1);
        r[c] = is_free ? b[c] - product[c] : 0.0;
        reference[c] = is_free ? b[c] - reference[c] : 0.0;
    }
    if (fixed != 7 && !ew_invert_row_block(system->op->matrix->diagonal + 9 * (size_t)row, fixed,
                                           true, row, inverse)) {
        ew_multiply_row_inverse(inverse, r, z);
    }
    term[EW_TERM_RESIDUAL] = dot(r, r);
    term[EW_TERM_SMOOTHED] = dot(r, z);
    term[EW_TERM_ENERGY] = dot(x + 3 * (size_t)row, product);
    term[EW_TERM_REFERENCE] = dot(reference, reference);
}

static void sum_chunk(const ew_local_answer *own, int32_t chunk)
{
    const int32_t begin = chunk * EW_SUM_ROWS;
    const int32_t end = own->n_row - begin < EW_SUM_ROWS ? own->n_row : begin + EW_SUM_ROWS;
    double sum[EW_TERMS] = {0.0};
    for (int32_t row = begin; row < end; row++) {
        for (int t = 0; t < EW_TERMS; t++) {
            sum[t] += own->term[EW_TERMS * (size_t)row + (size_t)t];
        }
    }
    memcpy(own->sum + EW_TERMS * (size_t)chunk, sum, sizeof sum);
}

static int32_t count_chunks(const ew_local_answer *own)
{
    return own->n_row / EW_SUM_ROWS + (own->n_row % EW_SUM_ROWS > 0);
}

/* Room for the rows of the system; rows that came are zero. */
static ew_status reserve_rows(ew_local_answer *own, int32_t n_row)
{
    const int32_t before = own->row_capacity;
    if (n_row > before) {
        int32_t capacity = before;
        double **const array[] = {&own->x, &own->b, &own->residual};
        for (int i = 0; i < 3; i++) {
            capacity = before;
            EW_TRY(ew_grow(array[i], &capacity, n_row, 3 * sizeof(double)));
            memset(*array[i] + 3 * (size_t)before, 0,
                   3 * (size_t)(capacity - before) * sizeof(double));
        }
        int32_t terms = before;
        EW_TRY(ew_grow(&own->term, &terms, n_row, EW_TERMS * sizeof *own->term));
        memset(own->term + EW_TERMS * (size_t)before, 0,
               EW_TERMS * (size_t)(terms - before) * sizeof *own->term);
        own->row_capacity = capacity < terms ? capacity : terms;
    }
    own->n_row = n_row;
    return ew_grow(&own->sum, &own->chunk_capacity, count_chunks(own), EW_TERMS * sizeof *own->sum);
}

/* ---- aggregates ---------------------------------------------------------- */

static ew_status reserve_aggregates(ew_local_answer *own, int32_t n)
{
    EW_TRY(ew_grow(&own->coarse, &own->coarse_capacity, n, 6 * sizeof *own->coarse));
    EW_TRY(ew_grow(&own->work, &own->work_capacity, n, 8 * sizeof *own->work));
    for (int32_t a = own->n_aggregate; a < n; a++) {
        memset(own->coarse + 6 * (size_t)a, 0, 6 * sizeof *own->coarse);
    }
    own->n_aggregate = n;
    return EW_OK;
}

/* The residual's force and moment on an aggregate. */
static void restrict_to(const ew_multilevel *m, const ew_system *system, int32_t aggregate)
{
    const double *residual = m->local_answer.residual;
    double sum[6] = {0.0};
    int32_t n;
    const int32_t *row = ew_aggregates_members(&m->aggregates, aggregate, &n);
    for (int32_t i = 0; i < n; i++) {
        const double *r = residual + 3 * (size_t)row[i];
        double at[3];
        ew_aggregate_place(&m->aggregates, aggregate, system->xyz + 3 * (size_t)row[i], at);
        for (int c = 0; c < 3; c++) {
            const int next = (c + 1) % 3, last = (c + 2) % 3;
            sum[c] += r[c];
            sum[3 + c] += at[next] * r[last] - at[last] * r[next];
        }
    }
    memcpy(m->local_answer.coarse + 6 * (size_t)aggregate, sum, sizeof sum);
}

/* c.A^-1 c of the coarse residual c. */
static double measure_coarse(ew_multilevel *m)
{
    const ew_local_answer *own = &m->local_answer;
    const size_t n = 6 * (size_t)own->n_aggregate;
    double *y = own->work, sum = 0.0;
    if (!m->intermediate.is_there) {
        return ew_block_cholesky_norm(&m->coarsest.factor, own->coarse, y);
    }
    const ew_grouped_level level = ew_multilevel_grouped(m, NULL);
    memcpy(y, own->coarse, n * sizeof *y);
#pragma omp parallel num_threads(ew_threads_for(own->n_aggregate, 64))
    ew_intermediate_solve_in_team(&m->intermediate, &level, &m->coarsest, y);
    for (size_t i = 0; i < n; i++) {
        sum += own->coarse[i] * y[i];
    }
    return sum;
}

/* ---- the claim ------------------------------------------------------------- */

/* The sums into info; the estimated error, relative to the energy norm of x. */
static void claim(ew_multilevel *m, ew_pcg_info *info)
{
    ew_local_answer *own = &m->local_answer;
    double total[EW_TERMS] = {0.0};
    for (int32_t k = 0; k < count_chunks(own); k++) {
        for (int t = 0; t < EW_TERMS; t++) {
            total[t] += own->sum[EW_TERMS * (size_t)k + (size_t)t];
        }
    }
    const double square = total[EW_TERM_SMOOTHED] + measure_coarse(m);
    own->energy = total[EW_TERM_ENERGY];
    info->reference = sqrt(total[EW_TERM_REFERENCE]);
    info->residual = sqrt(total[EW_TERM_RESIDUAL]) / info->reference;
    info->energy_factor = factor_of(own);
    info->energy_error = own->energy > 0.0 && square >= 0.0
                             ? info->energy_factor * sqrt(square / own->energy)
                             : INFINITY;
}

static bool can_be_kept(const ew_multilevel *m, const ew_system *system)
{
    return ew_local_correction_has_blocks(system->op) &&
           (!system->oblique || system->oblique->n == 0) && system->xyz && !m->on_device &&
           m->revision == system->op->pattern->revision;
}

/* ---- after a global solve ---------------------------------------------------- */

static bool is_prescribed_anywhere(const ew_system *system, const double *x, int32_t n_row)
{
    double v[3];
    for (int32_t row = 0; row < n_row; row++) {
        take_prescribed(system, x, row, v);
        if (v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0) {
            return true;
        }
    }
    return false;
}

static void form_all(ew_multilevel *m, const ew_system *system, const double *x)
{
    const ew_local_answer *own = &m->local_answer;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(own->n_row, 500))
    for (int32_t row = 0; row < own->n_row; row++) {
        form_row(own, system, x, row);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(own->n_aggregate, 64))
    for (int32_t a = 0; a < own->n_aggregate; a++) {
        restrict_to(m, system, a);
    }
    for (int32_t k = 0; k < count_chunks(own); k++) {
        sum_chunk(own, k);
    }
}

ew_status ew_local_answer_keep(ew_multilevel *m, const ew_system *system, const double *x,
                               double theta, ew_pcg_info *info)
{
    ew_local_answer *own = &m->local_answer;
    own->is_kept = own->has_list = false;
    own->n_edit = info->is_local ? info->n_local : 0; /* of an answer that is accepted */
    own->theta = theta > 0.0 && (own->theta == 0.0 || theta < own->theta) ? theta : own->theta;
    ew_set_clear(&own->aggregate);
    if (!can_be_kept(m, system) || info->reference == 0.0 || own->theta == 0.0) {
        return EW_OK;
    }
    const int32_t n_row = system->op->pattern->n_row;
    EW_TRY(reserve_rows(own, n_row));
    EW_TRY(reserve_aggregates(own, m->aggregates.n));
    own->has_prescribed = is_prescribed_anywhere(system, x, n_row);
    memcpy(own->x, x, 3 * (size_t)n_row * sizeof *x);
    memcpy(own->b, system->b, 3 * (size_t)n_row * sizeof *x);
    form_all(m, system, x);
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

/* Whether a prescribed component that is not zero is among the rows, where there was none. */
static bool has_new_prescribed(const ew_local_answer *own, const ew_system *system, const double *x,
                               const ew_list *row)
{
    double v[3];
    for (int32_t i = 0; i < row->n && !own->has_prescribed; i++) {
        take_prescribed(system, x, row->id[i], v);
        if (v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0) {
            return true;
        }
    }
    return false;
}

static ew_status add_with_neighbors(ew_local_answer *own, const ew_pattern *pattern,
                                    const ew_list *row)
{
    for (int32_t i = 0; i < row->n; i++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(pattern, row->id[i], &count);
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
        status = add_with_neighbors(own, system->op->pattern, &near->row);
    }
    ew_local_correction_end(near);
    *ended = n_step < MAX_STEPS;
    return status ? status : add_with_neighbors(own, system->op->pattern, &near->changed.list);
}

/* Everything kept follows the rows of own->row. */
static ew_status follow(ew_multilevel *m, const ew_system *system, const double *x)
{
    ew_local_answer *own = &m->local_answer;
    ew_set_clear(&own->chunk);
    for (int32_t i = 0; i < own->row.list.n; i++) {
        const int32_t row = own->row.list.id[i], aggregate = m->aggregates.of_row[row];
        const size_t at = 3 * (size_t)row;
        memcpy(own->x + at, x + at, 3 * sizeof *x);
        memcpy(own->b + at, system->b + at, 3 * sizeof *x);
        form_row(own, system, x, row);
        EW_TRY(ew_set_add(&own->chunk, row / EW_SUM_ROWS));
        EW_TRY(aggregate >= 0 ? ew_set_add(&own->aggregate, aggregate) : EW_OK);
    }
    for (int32_t i = 0; i < own->chunk.list.n; i++) {
        sum_chunk(own, own->chunk.list.id[i]);
    }
    for (int32_t i = 0; i < own->aggregate.list.n; i++) {
        if (own->aggregate.list.id[i] < own->n_aggregate) {
            restrict_to(m, system, own->aggregate.list.id[i]);
        }
    }
    ew_set_clear(&own->aggregate);
    return EW_OK;
}

ew_status ew_local_answer_find(ew_multilevel *m, const ew_system *system, double energy_tolerance,
                               const ew_list *known, double *x, ew_pcg_info *info, bool *found)
{
    ew_local_answer *own = &m->local_answer;
    const ew_list *changed = &m->local_correction.changed.list;
    bool ended = true;
    *found = false;
    if (!own->is_kept || !can_be_kept(m, system) || m->coarsest.pattern_changed) {
        return EW_OK;
    }
    EW_TRY(find_changed(m, system, known, x));
    if (changed->n > MAX_ROWS || has_new_prescribed(own, system, x, changed)) {
        return EW_OK;
    }
    own->is_kept = own->has_list = false; /* until all has followed */
    EW_TRY(reserve_rows(own, system->op->pattern->n_row));
    EW_TRY(reserve_aggregates(own, m->aggregates.n));
    EW_TRY(correct(m, system, energy_tolerance, x, &ended));
    EW_TRY(follow(m, system, x));
    own->is_kept = true;
    ew_set_clear(&m->local_correction.changed);
    ew_pcg_info claimed = *info; /* an answer that is not taken leaves nothing in the outcome */
    claim(m, &claimed);
    *found = ended && claimed.energy_error <= energy_tolerance;
    own->has_list = *found;
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

ew_status ew_local_answer_verify(ew_multilevel *m, const ew_system *system, const double *x)
{
    ew_local_answer *own = &m->local_answer;
    if (!own->is_kept) {
        return EW_OK;
    }
    const ew_local_answer kept = *own;
    const size_t n = (size_t)kept.n_row, n_coarse = 6 * (size_t)kept.n_aggregate;
    const size_t n_sum = EW_TERMS * (size_t)count_chunks(own);
    ew_local_answer fresh = {.n_row = kept.n_row,
                             .n_aggregate = kept.n_aggregate,
                             .has_prescribed = kept.has_prescribed};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&fresh.residual, 3 * n, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.term, EW_TERMS * n, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.sum, n_sum, sizeof(double)));
    EW_TRY_OUT(ew_new_zero(&fresh.coarse, n_coarse, sizeof(double)));
    *own = fresh;
    form_all(m, system, x);
    *own = kept;
    if (memcmp(kept.x, x, 3 * n * sizeof *x) || memcmp(kept.b, system->b, 3 * n * sizeof *x) ||
        memcmp(kept.residual, fresh.residual, 3 * n * sizeof *x) ||
        memcmp(kept.term, fresh.term, EW_TERMS * n * sizeof *x) ||
        memcmp(kept.sum, fresh.sum, n_sum * sizeof *x) ||
        memcmp(kept.coarse, fresh.coarse, n_coarse * sizeof *x)) {
        status = ew_fail(EW_MATRIX_DIFFERS,
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
    answer->theta = 0.0;
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
