/* Rows of a solve dealt to processes, here threads that copy in place of messages: the bits of one
 * process for any number of them, of linear and quadratic tets, after a failure one status in all.
 * Blocks that a process has of some rows alone are no numbers elsewhere until they are asked for.
 * One that finds no memory ends all: none goes on alone, which would meet the others nowhere. */
#define _POSIX_C_SOURCE 200809L
#include "quadratic_fixture.h"

#include <math.h>
#include <pthread.h>

enum { MAX_PEER = 5 };

/* What the threads see of each other. */
typedef struct room {
    int32_t n;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const char *what[MAX_PEER]; /* the function that each waits in; null: in none */
    const void *value[MAX_PEER];
    int32_t n_waiting, n_ended;
    int64_t turn;
    bool fails;         /* number 1 fails at its next call, and all know */
    bool is_over;       /* one has ended with a failure */
    bool is_torn;       /* they were in different functions at once */
    int64_t refused_at; /* of the allocations of number 1 this one; -1: none */
} room;

/* Blocks by rows. */
typedef struct part {
    ew_row_demand demand;
    const ew_pattern *pattern;
    ew_matrix whole, matrix; /* the second: with the blocks that were asked for */
    uint64_t *has;
    bool has_all; /* all were asked for at once */
} part;

typedef struct peer {
    ew_peers as;
    room *all;
    body *body;
    ew_pcg_def def;
    ew_status status;
    char message[512];
    int64_t n_left; /* of the allocations before one that is refused; -1: it was */
    pthread_t thread;
} peer;

struct ew_transfer {
    int32_t n;
    int32_t *row, *from; /* [n] */
};

/* By one that waits or ends, with the mutex: whether all are there, and in one function. */
static void look(room *all)
{
    const char *what = NULL;
    if (all->is_over || all->n_waiting == 0 || all->n_waiting + all->n_ended < all->n) {
        return;
    }
    all->is_torn = all->is_torn || all->n_ended > 0;
    for (int32_t p = 0; p < all->n; p++) {
        all->is_torn = all->is_torn || (what && all->what[p] && strcmp(what, all->what[p]));
        what = all->what[p] ? all->what[p] : what;
    }
    all->is_over = all->is_torn;
    memset(all->what, 0, sizeof all->what);
    all->n_waiting = 0;
    all->turn++;
    pthread_cond_broadcast(&all->changed);
}

/* Until all are there with `what`; false: it is over. */
static bool meet(const peer *own, const char *what)
{
    room *all = own->all;
    pthread_mutex_lock(&all->mutex);
    const int64_t turn = all->turn;
    all->what[own->as.rank] = what;
    all->n_waiting++;
    look(all);
    while (turn == all->turn && !all->is_over) {
        pthread_cond_wait(&all->changed, &all->mutex);
    }
    const bool is_over = all->is_over;
    pthread_mutex_unlock(&all->mutex);
    return !is_over;
}

static void leave(const peer *own)
{
    room *all = own->all;
    pthread_mutex_lock(&all->mutex);
    all->n_ended++;
    all->is_over = all->is_over || own->status;
    look(all);
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->mutex);
}

static void join(void *user, int64_t n, double *number)
{
    const peer *own = user;
    uint64_t *sum = calloc((size_t)n, sizeof *sum);
    own->all->value[own->as.rank] = number;
    if (meet(own, "join")) {
        for (int32_t p = 0; p < own->as.n; p++) {
            for (int64_t i = 0; i < n; i++) {
                uint64_t bits;
                memcpy(&bits, (const double *)own->all->value[p] + i, sizeof bits);
                sum[i] |= bits;
            }
        }
        if (meet(own, "joined")) {
            memcpy(number, sum, (size_t)n * sizeof *sum);
        }
    }
    free(sum);
}

static ew_transfer *plan(void *user, int32_t n_row, const uint64_t *has, const uint64_t *needs)
{
    const peer *own = user;
    ew_transfer *made = calloc(1, sizeof *made);
    made->row = calloc((size_t)n_row, sizeof *made->row);
    made->from = calloc((size_t)n_row, sizeof *made->from);
    own->all->value[own->as.rank] = has;
    const bool is_there = meet(own, "plan");
    for (int32_t row = 0; row < n_row && is_there; row++) {
        for (int32_t p = 0; p < own->as.n && ew_bit_has(needs, row); p++) {
            if (p != own->as.rank && ew_bit_has(own->all->value[p], row)) {
                made->row[made->n] = row;
                made->from[made->n++] = p;
            }
        }
    }
    (void)meet(own, "planned");
    return made;
}

static void bring(void *user, ew_transfer *transfer, size_t size, void *value)
{
    const peer *own = user;
    own->all->value[own->as.rank] = value;
    const bool is_there = meet(own, "bring");
    for (int32_t i = 0; i < transfer->n && is_there; i++) {
        const size_t at = size * (size_t)transfer->row[i];
        memcpy((char *)value + at, (const char *)own->all->value[transfer->from[i]] + at, size);
    }
    (void)meet(own, "brought");
}

static void free_transfer(ew_transfer *transfer)
{
    if (transfer) {
        free(transfer->row);
        free(transfer->from);
        free(transfer);
    }
}

static ew_status status_of(void *user)
{
    const peer *own = user;
    pthread_mutex_lock(&own->all->mutex);
    const bool is_lost = own->all->fails || own->all->is_over;
    pthread_mutex_unlock(&own->all->mutex);
    return is_lost ? ew_fail(EW_IO, "process 1 is lost") : EW_OK;
}

static _Thread_local int64_t refused_at = -1; /* allocations of this thread until then */

static void *resize_or_refuse(void *user, void *old, size_t size)
{
    (void)user;
    const bool is_refused = refused_at == 0;
    refused_at -= refused_at >= 0;
    return is_refused ? NULL : realloc(old, size);
}

static void release(void *user, void *old)
{
    (void)user;
    free(old);
}

static void *run(void *user)
{
    peer *own = user;
    body *p = own->body;
    const ew_system system = {.op = &p->op, .xyz = p->mesh.xyz, .fixed = p->fixed, .b = p->b};
    own->def.peers = &own->as;
    refused_at = own->as.rank == 1 ? own->all->refused_at : -1;
    own->status = ew_solver_solve(&p->solver, &system, &own->def, p->x, &p->info);
    own->n_left = refused_at;
    refused_at = -1;
    leave(own);
    snprintf(own->message, sizeof own->message, "%s", own->status ? ew_message() : "");
    return NULL;
}

static void copy_block(const part *p, bool of_pair, int32_t slot)
{
    const size_t at = 9 * (size_t)slot;
    memcpy((of_pair ? p->matrix.pair : p->matrix.diagonal) + at,
           (of_pair ? p->whole.pair : p->whole.diagonal) + at, 9 * sizeof(double));
}

static ew_status need(void *user, const uint64_t *row)
{
    part *own = user;
    own->has_all = own->has_all || !row;
    for (int32_t v = 0; v < own->pattern->n_row; v++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(own->pattern, v, &n);
        if (!row || ew_bit_has(row, v)) {
            ew_bit_set(own->has, v);
            copy_block(own, false, v);
            for (int32_t i = 0; i < n; i++) {
                copy_block(own, true, item[2 * (size_t)i + 1]);
            }
        }
    }
    return EW_OK;
}

/* The body's blocks come by rows from now on. */
static void part_blocks(body *p, part *own)
{
    *own = (part){.demand = {own, need}, .pattern = &p->topology.pattern};
    must(ew_matrix_copy(&own->whole, &p->matrix));
    own->has = calloc((size_t)own->pattern->n_row / 64 + 1, sizeof *own->has);
    for (size_t i = 0; i < 9 * (size_t)own->pattern->n_row; i++) {
        p->matrix.diagonal[i] = NAN;
    }
    for (size_t i = 0; i < 9 * (size_t)own->pattern->n_pair; i++) {
        p->matrix.pair[i] = NAN;
    }
    own->matrix = p->matrix;
    p->op.demand = &own->demand;
}

static int32_t count_had(const part *own)
{
    int32_t n = 0;
    for (int32_t v = 0; v < own->pattern->n_row; v++) {
        n += ew_bit_has(own->has, v);
    }
    return n;
}

static void free_part(part *own)
{
    ew_matrix_free(&own->whole);
    free(own->has);
}

/* Clamped at one end, random loads; the far end moved along y. */
static void make(body *p, bool quadratic, const ew_material *material, const int32_t cells[3])
{
    uint64_t state = 7;
    *p = (body){0};
    must(ew_shape_box(&p->mesh, (double[]){2.0, 0.9, 0.8}, cells));
    build_body_of(p, material, NULL);
    if (!quadratic) {
        p->op.edges = NULL;
        p->n = p->mesh.n_vertex;
    }
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        const double at = p->mesh.xyz[3 * (size_t)v];
        p->fixed[v] = at < 1e-9 ? 7 : at > 2.0 - 1e-9 ? 2 : 0;
        p->x[3 * (size_t)v + 1] = at > 2.0 - 1e-9 ? 0.01 : 0.0;
    }
    for (int32_t i = 0; i < 3 * p->n; i++) {
        p->b[i] = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
    }
}

static void start_again(body *p)
{
    for (int32_t i = 0; i < 3 * p->n; i++) {
        const bool moved = p->fixed[i / 3] == 2 && i % 3 == 1;
        p->x[i] = moved ? 0.01 : 0.0;
    }
}

/* Whether they were in the same functions all the time. */
static bool solve_with(room all, peer *list, int32_t n, body *bodies, const ew_pcg_def *def)
{
    all.n = n;
    pthread_mutex_init(&all.mutex, NULL);
    pthread_cond_init(&all.changed, NULL);
    for (int32_t p = 0; p < n; p++) {
        list[p] = (peer){.all = &all, .body = &bodies[p], .def = *def};
        list[p].as = (ew_peers){.user = &list[p],
                                .rank = p,
                                .n = n,
                                .n_thread = 2,
                                .join = join,
                                .plan = plan,
                                .bring = bring,
                                .free_transfer = free_transfer,
                                .status = status_of};
        pthread_create(&list[p].thread, NULL, run, &list[p]);
    }
    for (int32_t p = 0; p < n; p++) {
        pthread_join(list[p].thread, NULL);
    }
    pthread_cond_destroy(&all.changed);
    pthread_mutex_destroy(&all.mutex);
    return !all.is_torn;
}

static void solve_together(peer *list, int32_t n, body *bodies, const ew_pcg_def *def, bool fails)
{
    CU_ASSERT(solve_with((room){.fails = fails, .refused_at = -1}, list, n, bodies, def));
}

static void compare(bool quadratic, const ew_material *material, ew_preconditioner_kind kind,
                    bool by_rows)
{
    static const int32_t many[3] = {16, 8, 8}, few[3] = {9, 5, 5};
    const int32_t *cells = quadratic ? few : many; /* several chunks of rows for each process */
    body one, bodies[MAX_PEER];
    part parts[MAX_PEER];
    peer list[MAX_PEER];
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = kind;
    make(&one, quadratic, material, cells);
    const ew_system system = {.op = &one.op, .xyz = one.mesh.xyz, .fixed = one.fixed, .b = one.b};
    must(ew_solver_solve(&one.solver, &system, &def, one.x, &one.info));
    for (int32_t n = 2; n <= MAX_PEER; n += 3) {
        for (int32_t p = 0; p < n; p++) {
            make(&bodies[p], quadratic, material, cells);
            if (by_rows) {
                part_blocks(&bodies[p], &parts[p]);
            }
        }
        for (int again = 0; again < 2; again++) { /* the second time with what there is */
            solve_together(list, n, bodies, &def, false);
            for (int32_t p = 0; p < n; p++) {
                CU_ASSERT_EQUAL(list[p].status, EW_OK);
                CU_ASSERT_EQUAL(bodies[p].info.iterations, one.info.iterations);
                CU_ASSERT_EQUAL(memcmp(bodies[p].x, one.x, 3 * (size_t)one.n * sizeof *one.x), 0);
                start_again(&bodies[p]);
            }
        }
        solve_together(list, n, bodies, &def, true);
        int32_t had = 0;
        for (int32_t p = 0; p < n; p++) {
            CU_ASSERT_EQUAL(list[p].status, EW_IO);
            CU_ASSERT_PTR_NOT_NULL(strstr(list[p].message, "process 1"));
            if (by_rows) {
                CU_ASSERT_EQUAL(parts[p].has_all, kind != EW_RIGID);
                had += count_had(&parts[p]);
                free_part(&parts[p]);
            }
            free_body(&bodies[p]);
        }
        CU_ASSERT(!by_rows || kind != EW_RIGID || had < n * one.mesh.n_vertex);
    }
    free_body(&one);
}

static const ew_material steel = {.young = 200.0, .poisson = 0.3, .density = 1.0};

static void test_linear(void)
{
    compare(false, &steel, EW_RIGID, false);
}

static void test_linear_by_rows(void)
{
    compare(false, &steel, EW_BLOCK_JACOBI, false);
}

static void test_quadratic(void)
{
    compare(true, &steel, EW_RIGID, false);
}

static void test_quadratic_wood(void)
{
    const ew_material other = wood();
    compare(true, &other, EW_BLOCK_JACOBI, false);
}

static void test_part_of_blocks(void)
{
    compare(false, &steel, EW_RIGID, true);
    compare(false, &steel, EW_BLOCK_JACOBI, true);
    compare(true, &steel, EW_RIGID, true);
}

/* One allocation of process 1 is refused, all others are not, so that another way would be open to
 * that one alone. */
static void refuse_one(int64_t k, bool *is_beyond)
{
    enum { N = 2 };
    body bodies[N];
    peer list[N];
    const ew_pcg_def def = ew_default_pcg_def();
    for (int32_t p = 0; p < N; p++) {
        make(&bodies[p], false, &steel, (const int32_t[]){9, 6, 5});
    }
    CU_ASSERT(solve_with((room){.refused_at = k}, list, N, bodies, &def));
    *is_beyond = list[1].n_left >= 0;
    CU_ASSERT_EQUAL(list[1].status, *is_beyond ? EW_OK : EW_NO_MEMORY);
    CU_ASSERT_EQUAL(list[0].status == EW_OK, *is_beyond);
    CU_ASSERT_NOT_EQUAL(bodies[0].info.preconditioner, EW_BLOCK_JACOBI);
    for (int32_t p = 0; p < N; p++) {
        free_body(&bodies[p]);
    }
}

static void test_no_memory(void)
{
    bool is_beyond = false;
    ew_set_allocator(&(ew_allocator){NULL, resize_or_refuse, release});
    for (int64_t k = 0; !is_beyond; k++) {
        refuse_one(k, &is_beyond);
        CU_ASSERT_FATAL(k < 1000);
    }
    ew_set_allocator(NULL);
}

static CU_TestInfo tests[] = {{"test_linear", test_linear},
                              {"test_linear_by_rows", test_linear_by_rows},
                              {"test_quadratic", test_quadratic},
                              {"test_quadratic_wood", test_quadratic_wood},
                              {"test_part_of_blocks", test_part_of_blocks},
                              {"test_no_memory", test_no_memory},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"dealt", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
