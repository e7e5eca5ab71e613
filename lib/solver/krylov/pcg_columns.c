/* Conjugate gradients for several right-hand sides of one system, on the host. In: the system, its
 * preconditioner, a right-hand side and a start vector for each. Out: a solution for each.
 *
 * Recurrences are independent, one a column, and advance together: blocks of the matrix, tets and
 * blocks of the preconditioner are read once an iteration for all columns, and one instruction
 * serves as many. A column has the bits that it has alone, so it does not matter which ones stand
 * beside it. A block method (O'Leary 1980, "The block conjugate gradient algorithm and related
 * methods") takes fewer iterations, but no answer is then independent of the others, and right-hand
 * sides that depend on each other break it.
 *
 * A pass begins and ends by the operations for one right-hand side (pcg_host.c). In between, its
 * vectors stand in a column of [n_row][3][EW_COLUMNS]. A column whose pass has ended takes the next
 * pass, or the next right-hand side. Those without one are zero and stay so. A row of columns costs
 * about as much as three vectors: where fewer are left, they go on alone. */
#include "base/thread_affinity.h"
#include "base/thread_share.h"
#include "solver/krylov/pcg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROW = 3 * EW_COLUMNS, /* numbers of a row */
    LEAST = 3             /* columns that are worth it */
};

typedef double four __attribute__((vector_size(8 * EW_COLUMNS), aligned(8), may_alias));

/* Numbers of the columns. */
typedef struct numbers {
    four of;
} numbers;

struct ew_pcg_columns {
    const ew_system *system;
    ew_preconditioner *preconditioner;
    int32_t n_row, n_chunk, n_thread, capacity, chunk_capacity;
    double *vector;            /* [5][n_row][3][EW_COLUMNS] owned, from a line on: */
    double *d, *r, *z, *p, *q; /* as in pcg_host.c */
    numbers *partial;          /* [n_chunk][2] owned */
    numbers rz, beta;          /* beta: of the direction to come, z + beta p */
    int32_t of[EW_COLUMNS];    /* right-hand side of a column, -1: none */
};

/* ---- loops over chunks of rows, each in the order of its counterpart in pcg_host.c -------------
 */

typedef struct pair {
    numbers first, second;
} pair;
typedef void (*chunk_body)(const ew_pcg_columns *in, const numbers *factor, size_t begin,
                           size_t end, pair *sum);

static void for_each_chunk(const ew_pcg_columns *in, chunk_body body, const numbers *factor)
{
    const size_t n = (size_t)in->n_row, n_chunk = (size_t)in->n_chunk;
#pragma omp for schedule(static)
    for (int32_t chunk = 0; chunk < in->n_chunk; chunk++) {
        numbers *to = in->partial + 2 * (size_t)chunk;
        pair sum = {to[0], to[1]};
        body(in, factor, n * (size_t)chunk / n_chunk, n * ((size_t)chunk + 1) / n_chunk, &sum);
        to[0] = sum.first;
        to[1] = sum.second;
    }
}

static void add_up(const ew_pcg_columns *in, pair *sum)
{
    *sum = (pair){{{0.0}}, {{0.0}}};
    for (size_t chunk = 0; chunk < (size_t)in->n_chunk; chunk++) {
        sum->first.of += in->partial[2 * chunk].of;
        sum->second.of += in->partial[2 * chunk + 1].of;
    }
}

static four *at(double *vector, size_t i)
{
    return (four *)vector + i;
}

static void dot(double *a, double *b, size_t begin, size_t end, numbers *to)
{
    four sum[3] = {{0.0}};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        sum[i % 3] += *at(a, i) * *at(b, i);
    }
    to->of = sum[0] + sum[1] + sum[2];
}

/* p = z + beta p */
static void direction_chunk(const ew_pcg_columns *in, const numbers *factor, size_t begin,
                            size_t end, pair *sum)
{
    (void)sum;
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        *at(in->p, i) = *at(in->z, i) + factor->of * *at(in->p, i);
    }
}

/* first = p.q */
static void dot_chunk(const ew_pcg_columns *in, const numbers *factor, size_t begin, size_t end,
                      pair *sum)
{
    (void)factor;
    dot(in->p, in->q, begin, end, &sum->first);
}

/* d += alpha p, r -= alpha S q; second = r.r */
static void step_chunk(const ew_pcg_columns *in, const numbers *factor, size_t begin, size_t end,
                       pair *sum)
{
    const uint8_t *fixed = in->system->fixed;
    four rr[3] = {{0.0}};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        four *r = at(in->r, i);
        *at(in->d, i) += factor->of * *at(in->p, i);
        const four next = *r - factor->of * *at(in->q, i);
        *r = fixed[i / 3] >> i % 3 & 1 ? (four){0.0} : next;
        rr[i % 3] += *r * *r;
    }
    sum->second.of = rr[0] + rr[1] + rr[2];
}

/* first = r.z */
static void angle_chunk(const ew_pcg_columns *in, const numbers *factor, size_t begin, size_t end,
                        pair *sum)
{
    (void)factor;
    dot(in->r, in->z, begin, end, &sum->first);
}

/* ---- an iteration ------------------------------------------------------------------------------
 */

/* Along oblique rows, by one thread. */
static void project(const ew_pcg_columns *in, double *v)
{
    const ew_oblique *oblique = in->system->oblique;
    if (oblique) {
#pragma omp single
        for (int32_t k = 0; k < oblique->n; k++) {
            double *row = v + ROW * (size_t)oblique->row[k];
            for (int l = 0; l < EW_COLUMNS; l++) {
                double own[3] = {row[l], row[EW_COLUMNS + l], row[2 * EW_COLUMNS + l]};
                ew_oblique_project(oblique, k, own);
                for (int c = 0; c < 3; c++) {
                    row[EW_COLUMNS * c + l] = own[c];
                }
            }
        }
    }
}

/* p = z + beta p; q = S K p; p.q */
static void apply(const ew_pcg_columns *in, pair *sum)
{
#pragma omp parallel num_threads(in->n_thread)
    {
        const ew_operator *op = in->system->op;
        for_each_chunk(in, direction_chunk, &in->beta);
        op->type->columns_product(op, in->p, in->q);
        project(in, in->q);
        for_each_chunk(in, dot_chunk, NULL);
    }
    add_up(in, sum);
}

/* d += alpha p; r -= alpha q; z = S M^-1 r; r.z and r.r */
static void advance(const ew_pcg_columns *in, const numbers *alpha, pair *sum)
{
#pragma omp parallel num_threads(in->n_thread)
    {
        for_each_chunk(in, step_chunk, alpha);
        ew_preconditioner_apply_columns(in->preconditioner, in->r, in->z);
        project(in, in->z);
        for_each_chunk(in, angle_chunk, NULL);
    }
    add_up(in, sum);
}

/* step [EW_COLUMNS]: of those with a right-hand side. */
static void iterate(ew_pcg_columns *in, ew_pcg_step *step)
{
    numbers alpha = {{0.0}};
    pair sum;
    ew_affinity_check();
    in->n_thread = ew_threads_served(ew_matrix_product_threads(in->n_row));
    apply(in, &sum);
    for (int l = 0; l < EW_COLUMNS; l++) {
        const double pq = sum.first.of[l];
        step[l] = (ew_pcg_step){.rz = in->rz.of[l], .pq = pq};
        alpha.of[l] = in->of[l] >= 0 && pq > 0.0 ? in->rz.of[l] / pq : 0.0;
    }
    advance(in, &alpha, &sum);
    for (int l = 0; l < EW_COLUMNS; l++) {
        const double next = sum.first.of[l];
        step[l].rr = sum.second.of[l];
        step[l].next_rz = next;
        in->beta.of[l] = in->of[l] >= 0 ? next / in->rz.of[l] : 0.0;
        in->rz.of[l] = next;
    }
}

/* ---- columns -------------------------------------------------------------------------------- */

static void write_column(const ew_pcg_columns *in, int l, const double *from, double *to)
{
    for (size_t i = 0; i < 3 * (size_t)in->n_row; i++) {
        to[EW_COLUMNS * i + (size_t)l] = from ? from[i] : 0.0;
    }
}

static void read_column(const ew_pcg_columns *in, int l, const double *from, double *to)
{
    for (size_t i = 0; i < 3 * (size_t)in->n_row; i++) {
        to[i] = from[EW_COLUMNS * i + (size_t)l];
    }
}

/* A pass that has started on the host. Its direction is there already: it is z + 0 p. */
static void put_in(ew_pcg_columns *in, int l, const ew_host_vectors *from)
{
    write_column(in, l, NULL, in->d);
    write_column(in, l, from->r, in->r);
    write_column(in, l, from->p, in->z);
    write_column(in, l, from->p, in->p);
    in->rz.of[l] = from->rz;
    in->beta.of[l] = 0.0;
}

/* Its d, to where the host's next residual finds it. */
static void take_out(ew_pcg_columns *in, int l, const ew_host_vectors *to)
{
    read_column(in, l, in->d, to->d);
    write_column(in, l, NULL, in->r);
    write_column(in, l, NULL, in->z);
    write_column(in, l, NULL, in->p);
    in->beta.of[l] = 0.0;
}

static ew_status make_room(ew_pcg_columns *in)
{
    const size_t n = ROW * (size_t)in->n_row;
    EW_TRY(ew_grow(&in->vector, &in->capacity, 5 * (int64_t)n / EW_LINE_NUMBERS + 2,
                   EW_LINE_NUMBERS * sizeof *in->vector));
    EW_TRY(ew_grow(&in->partial, &in->chunk_capacity, in->n_chunk, 2 * sizeof *in->partial));
    in->d = ew_at_line(in->vector);
    in->r = in->d + n;
    in->z = in->d + 2 * n;
    in->p = in->d + 3 * n;
    in->q = in->d + 4 * n;
    memset(in->d, 0, 5 * n * sizeof *in->d);
    return ew_preconditioner_prepare_columns(in->preconditioner);
}

static ew_status open(ew_pcg_columns **columns, const ew_pcg_task *task)
{
    if (!*columns) {
        EW_TRY(ew_new_zero(columns, 1, sizeof **columns));
    }
    ew_pcg_columns *in = *columns;
    in->system = task->system;
    in->preconditioner = task->preconditioner;
    in->n_row = ew_operator_n_row(task->system->op);
    in->n_chunk = ew_sum_chunks(in->n_row);
    in->n_thread = ew_matrix_product_threads(in->n_row);
    in->rz.of = in->beta.of = (four){0.0};
    for (int l = 0; l < EW_COLUMNS; l++) {
        in->of[l] = -1;
    }
    return make_room(in);
}

/* ---- all right-hand sides -------------------------------------------------------------------- */

/* One of them. */
typedef struct side {
    ew_system system;
    ew_pcg_task task;
    ew_pcg_run run;
    bool has_begun;
} side;

/* What ends all of them; else the side has failed. */
static bool ends_all(ew_status status)
{
    return status == EW_CANCELED || status == EW_NO_MEMORY;
}

/* At the start of a pass, or where the last one ended: the next pass of the side of column l, whose
 * d is on the host; done: there is none. */
static ew_status go_on(ew_pcg_columns *in, int l, side *own, bool *done)
{
    ew_status status = EW_OK;
    if (!own->has_begun) {
        own->has_begun = true;
        status = ew_pcg_begin(&own->run, done);
        if (!status && *done) {
            return own->run.ops->close(own->run.self, true);
        }
    }
    status = status ? status : ew_pcg_begin_pass(&own->run, done);
    *done = *done || status;
    if (!*done) {
        const ew_host_vectors now = ew_pcg_host_vectors(own->run.self);
        put_in(in, l, &now);
    }
    return status;
}

/* After an iteration: counts it in; a pass that ends, or fails, leaves its column. */
static ew_status leave(ew_pcg_columns *in, int l, side *own, void **host, const ew_pcg_step *step,
                       bool *ended)
{
    const ew_status status = ew_pcg_count(&own->run, step, ended);
    *ended = *ended || status;
    if (*ended) {
        EW_TRY(own->run.ops->open(host, &own->task));
        const ew_host_vectors now = ew_pcg_host_vectors(*host);
        take_out(in, l, &now);
    }
    return status ? ew_pcg_fail_pass(&own->run, status) : EW_OK;
}

typedef struct sides {
    ew_pcg_columns *columns;
    void **host;
    side *side;
    int32_t n, next;
    char (*message)[EW_COLUMN_MESSAGE];
} sides;

/* A side has failed, or ends all. */
static ew_status note(const sides *all, int32_t s, ew_status status)
{
    all->side[s].run.info->status = status;
    if (status) {
        snprintf(all->message[s], EW_COLUMN_MESSAGE, "%s", ew_message());
    }
    return ends_all(status) ? status : EW_OK;
}

/* The next pass of column l, or the first of a side that waits; none: the column is free. */
static ew_status fill(sides *all, int l)
{
    ew_pcg_columns *in = all->columns;
    while (in->of[l] >= 0 || all->next < all->n) {
        bool done = false;
        if (in->of[l] < 0) {
            in->of[l] = all->next++;
            EW_TRY(all->side[in->of[l]].run.ops->open(all->host, &all->side[in->of[l]].task));
        }
        const int32_t s = in->of[l];
        all->side[s].run.self = *all->host;
        const ew_status status = go_on(in, l, &all->side[s], &done);
        if (!done) {
            return EW_OK;
        }
        in->of[l] = -1;
        EW_TRY(note(all, s, status));
    }
    return EW_OK;
}

/* What is under way in a column goes on alone. */
static ew_status finish(sides *all, int l)
{
    ew_pcg_columns *in = all->columns;
    const int32_t s = in->of[l];
    side *own = &all->side[s];
    EW_TRY(own->run.ops->open(all->host, &own->task));
    const ew_host_vectors to = ew_pcg_host_vectors(*all->host);
    read_column(in, l, in->r, to.r);
    read_column(in, l, in->z, to.z);
    read_column(in, l, in->p, to.p);
    ew_pcg_host_go_on(*all->host, in->rz.of[l], in->beta.of[l]);
    take_out(in, l, &to);
    in->of[l] = -1;
    return note(all, s, ew_pcg_finish(&own->run));
}

static ew_status iterate_all(sides *all)
{
    ew_pcg_columns *in = all->columns;
    ew_pcg_step step[EW_COLUMNS];
    for (;;) {
        int n = 0;
        for (int l = 0; l < EW_COLUMNS; l++) {
            EW_TRY(in->of[l] < 0 ? fill(all, l) : EW_OK);
            n += in->of[l] >= 0;
        }
        for (int l = 0; n < LEAST && l < EW_COLUMNS; l++) {
            EW_TRY(in->of[l] >= 0 ? finish(all, l) : EW_OK);
        }
        if (n < LEAST) {
            return EW_OK;
        }
        iterate(in, step);
        for (int l = 0; l < EW_COLUMNS; l++) {
            const int32_t s = in->of[l];
            bool ended = false;
            if (s < 0) {
                continue;
            }
            const ew_status status = leave(in, l, &all->side[s], all->host, &step[l], &ended);
            in->of[l] = status ? -1 : s;
            EW_TRY(note(all, s, status));
            EW_TRY(ended && !status ? fill(all, l) : EW_OK);
        }
    }
}

bool ew_pcg_can_share(const ew_system *system, const ew_preconditioner *preconditioner,
                      const ew_pcg_def *def)
{
    const ew_operator *op = system->op;
    return ew_pcg_precision(def->precision) == EW_DOUBLE && !op->type->on_device &&
           !system->equations && op->type->has_columns && op->type->has_columns(op) &&
           ew_preconditioner_has_columns(preconditioner);
}

ew_status ew_pcg_solve_columns(ew_pcg_columns **columns, void **host, const ew_pcg_task *task,
                               const ew_pcg_def *def, int32_t n, const double *const *b,
                               double *const *x, ew_pcg_history *history, ew_pcg_info *info,
                               char (*message)[EW_COLUMN_MESSAGE])
{
    sides all = {.host = host, .n = n, .message = message};
    EW_TRY(open(columns, task));
    all.columns = *columns;
    EW_TRY(ew_new_zero(&all.side, (size_t)n, sizeof *all.side));
    for (int32_t s = 0; s < n; s++) {
        side *own = &all.side[s];
        own->system = *task->system;
        own->system.b = b[s];
        own->task = (ew_pcg_task){&own->system, task->preconditioner, task->precision, x[s], NULL};
        own->run = (ew_pcg_run){
            .ops = &ew_pcg_on_host, .def = def, .history = &history[s], .info = &info[s]};
    }
    const ew_status status = iterate_all(&all);
    for (int32_t s = 0; s < n; s++) {
        info[s].history = history[s].value;
    }
    ew_release(all.side);
    return status;
}

void ew_pcg_free_columns(ew_pcg_columns *columns)
{
    if (columns) {
        ew_release(columns->vector);
        ew_release(columns->partial);
        ew_release(columns);
    }
}
