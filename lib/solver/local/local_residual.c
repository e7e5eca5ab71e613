/* What is kept beside an answer, row by row: the residual, its terms, their sums by chunks of rows,
 * and its forces and moments on aggregates. In: the system, the displacement, and which rows
 * changed. Out: all that, with the bits of a whole one. */
#include "solver/krylov/pcg.h"
#include "solver/multilevel/multilevel.h"

#include <math.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------- */

/* v = x_p of the row. */
static void take_prescribed(const ew_near_rows *near, const ew_system *system, const double *x,
                            int32_t row, double v[3])
{
    double free[3];
    memcpy(free, x + 3 * (size_t)row, sizeof free);
    ew_near_rows_filter(near, system, row, free, v);
}

static bool is_prescribed(const ew_near_rows *near, const ew_system *system, const double *x,
                          int32_t row)
{
    double v[3];
    if (!system->fixed[row]) {
        return false;
    }
    take_prescribed(near, system, x, row, v);
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

/* product = row of A x_p. */
static void multiply_prescribed(const ew_near_rows *near, const ew_system *system, const double *x,
                                int32_t row, double product[3])
{
    const ew_matrix *matrix = system->op->matrix;
    const ew_pattern *pattern = system->op->pattern;
    double v[3];
    int32_t count;
    if (row >= pattern->n_row) {
        return;
    }
    const int32_t *item = ew_pattern_items(pattern, row, &count);
    take_prescribed(near, system, x, row, v);
    ew_add_block_product(matrix->diagonal + 9 * (size_t)row, false, v, product);
    for (int32_t k = 0; k < count; k++) {
        take_prescribed(near, system, x, item[2 * k], v);
        ew_add_block_product(matrix->pair + 9 * (size_t)item[2 * k + 1], row > item[2 * k], v,
                             product);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add(const double *y, int32_t row, double product[3])
{
    for (size_t c = 0; c < 3; c++) {
        product[c] += y[3 * (size_t)row + c];
    }
}

/* The residual of a row and its terms; near: with what rows of edges add. */
static void form_row(const ew_local_answer *own, const ew_near_rows *near, const ew_system *system,
                     const double *x, int32_t row)
{
    const bool has_edges = system->op->edges;
    double *r = own->residual + 3 * (size_t)row, *term = own->term + EW_TERMS * (size_t)row;
    double product[3], reference[3] = {0.0}, inverse[6], z[3] = {0.0};
    ew_multiply_row(system->op, row, x, product);
    if (own->has_prescribed) {
        multiply_prescribed(near, system, x, row, reference);
    }
    if (has_edges) {
        add(near->y[0], row, product);
    }
    if (has_edges && own->has_prescribed) {
        add(near->y[1], row, reference);
    }
    for (size_t c = 0; c < 3; c++) {
        r[c] = system->b[3 * (size_t)row + c] - product[c];
        reference[c] = system->b[3 * (size_t)row + c] - reference[c];
    }
    ew_near_rows_filter(near, system, row, r, NULL);
    ew_near_rows_filter(near, system, row, reference, NULL);
    const uint8_t fixed = system->fixed[row];
    if (fixed != 7 &&
        !ew_invert_row_block(ew_diagonal_of_row(system->op, row), fixed, true, row, inverse)) {
        ew_multiply_row_inverse(inverse, r,
                                z); /* of an oblique row no less than by its free part */
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

int32_t ew_answer_chunks(const ew_local_answer *own)
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
    return ew_grow(&own->sum, &own->chunk_capacity, ew_answer_chunks(own),
                   EW_TERMS * sizeof *own->sum);
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

double ew_local_residual_measure(ew_multilevel *m)
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

/* ---- all of them ------------------------------------------------------------- */

ew_status ew_local_residual_reserve(ew_multilevel *m, const ew_system *system)
{
    m->local_answer.n_stored = system->op->pattern->n_row;
    EW_TRY(reserve_rows(&m->local_answer, ew_operator_n_row(system->op)));
    return reserve_aggregates(&m->local_answer, m->aggregates.n);
}

/* What rows of edges add to products with x, and with x_p, in all rows. */
static void multiply_edges(const ew_local_answer *own, ew_near_rows *near, const ew_system *system,
                           const double *x)
{
    const ew_edge_operator *edges = system->op->edges;
    for (int32_t row = 0; row < own->n_row && own->has_prescribed; row++) {
        take_prescribed(near, system, x, row, near->x + 3 * (size_t)row);
    }
#pragma omp parallel num_threads(ew_matrix_product_threads(own->n_row))
    {
        edges->add_product(edges->user, EW_EDGE_ALL, x, near->y[0]);
        if (own->has_prescribed) {
            edges->add_product(edges->user, EW_EDGE_ALL, near->x, near->y[1]);
        }
    }
}

ew_status ew_local_residual_form_all(ew_multilevel *m, const ew_system *system, const double *x)
{
    ew_local_answer *own = &m->local_answer;
    ew_near_rows *near = &m->local_correction.near;
    const size_t size = 3 * (size_t)own->n_row * sizeof *x;
    EW_TRY(ew_near_rows_open(near, system, &(ew_list){0}));
    own->has_prescribed = false;
    for (int32_t row = 0; row < own->n_row && !own->has_prescribed; row++) {
        own->has_prescribed = is_prescribed(near, system, x, row);
    }
    if (system->op->edges) {
        multiply_edges(own, near, system, x);
    }
    memcpy(own->x, x, size);
    memcpy(own->b, system->b, size);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(own->n_row, 500))
    for (int32_t row = 0; row < own->n_row; row++) {
        form_row(own, near, system, x, row);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(own->n_aggregate, 64))
    for (int32_t a = 0; a < own->n_aggregate; a++) {
        restrict_to(m, system, a);
    }
    for (int32_t k = 0; k < ew_answer_chunks(own); k++) {
        sum_chunk(own, k);
    }
    double *const used[] = {near->x, near->y[0], near->y[1]};
    for (int i = 0; i < 3 && system->op->edges; i++) {
        memset(used[i], 0, size);
    }
    ew_near_rows_close(near);
    return EW_OK;
}

/* ---- few of them --------------------------------------------------------------- */

/* [][width] rows from `before` on come to be behind as many as now; what they leave is zero. */
static void move_rows(double *value, size_t width, int32_t before, int32_t now, int32_t n_row)
{
    const size_t from = width * (size_t)before, to = width * (size_t)now;
    const size_t size = width * (size_t)(n_row - before);
    memmove(value + to, value + from, size * sizeof *value);
    if (to > from) {
        memset(value + from, 0, (to - from < size ? to - from : size) * sizeof *value);
    } else {
        memset(value + to + size, 0, (from - to) * sizeof *value);
    }
}

ew_status ew_local_residual_move_edges(ew_local_answer *own, const ew_operator *op)
{
    const int32_t before = own->n_stored, now = op->pattern->n_row, n_row = own->n_row;
    const int32_t n_edge = n_row - before;
    if (before == now || !n_edge) {
        own->n_stored = now;
        return EW_OK;
    }
    own->is_kept = own->has_list = false;
    EW_TRY(now > before ? reserve_rows(own, now + n_edge) : EW_OK);
    move_rows(own->x, 3, before, now, n_row);
    move_rows(own->b, 3, before, now, n_row);
    move_rows(own->residual, 3, before, now, n_row);
    move_rows(own->term, EW_TERMS, before, now, n_row);
    own->n_stored = now;
    own->n_row = now + n_edge;
    own->is_kept = true;
    for (int32_t k = 0; k < ew_answer_chunks(own); k++) {
        sum_chunk(own, k);
    }
    return EW_OK;
}

bool ew_local_residual_has_new_prescribed(ew_multilevel *m, const ew_system *system,
                                          const double *x, const ew_list *row)
{
    ew_near_rows *near = &m->local_correction.near;
    bool has = false;
    for (int32_t i = 0; i < row->n && !has && !m->local_answer.has_prescribed; i++) {
        has = is_prescribed(near, system, x, row->id[i]);
    }
    return has;
}

/* What rows of edges add to products with x, and with x_p, in the rows that are listed. */
static void multiply_near(const ew_local_answer *own, ew_near_rows *near, const ew_system *system,
                          const double *x)
{
    ew_near_rows_multiply(near, system->op, 0, x);
    for (int32_t i = 0; i < near->row.n && own->has_prescribed; i++) {
        take_prescribed(near, system, x, near->row.id[i], near->x + 3 * (size_t)near->row.id[i]);
    }
    if (own->has_prescribed) {
        ew_near_rows_multiply(near, system->op, 1, near->x);
    }
}

static ew_status form_row_again(ew_multilevel *m, const ew_system *system, const double *x,
                                int32_t row)
{
    ew_local_answer *own = &m->local_answer;
    const int32_t aggregate = row < own->n_stored ? m->aggregates.of_row[row] : -1;
    const size_t at = 3 * (size_t)row;
    memcpy(own->x + at, x + at, 3 * sizeof *x);
    memcpy(own->b + at, system->b + at, 3 * sizeof *x);
    form_row(own, &m->local_correction.near, system, x, row);
    EW_TRY(ew_set_add(&own->chunk, row / EW_SUM_ROWS));
    return aggregate >= 0 ? ew_set_add(&own->aggregate, aggregate) : EW_OK;
}

ew_status ew_local_residual_follow(ew_multilevel *m, const ew_system *system, const double *x)
{
    ew_local_answer *own = &m->local_answer;
    ew_near_rows *near = &m->local_correction.near;
    ew_status status = ew_near_rows_open(near, system, &own->row.list);
    ew_set_clear(&own->chunk);
    if (!status) {
        multiply_near(own, near, system, x);
    }
    for (int32_t i = 0; i < own->row.list.n && !status; i++) {
        status = form_row_again(m, system, x, own->row.list.id[i]);
    }
    ew_near_rows_close(near);
    EW_TRY(status);
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
