/* Rows of a solve dealt to processes, here threads that copy in place of messages: the bits of one
 * process for any number of them, of linear and quadratic tets, after a failure one status in all.
 * Blocks that a process has of some rows alone are no numbers elsewhere until they are asked for.
 */
#define _POSIX_C_SOURCE 200809L
#include "quadratic_fixture.h"

#include <math.h>
#include <pthread.h>

enum { MAX_PEER = 5 };

/* What the threads see of each other. */
typedef struct room {
    int32_t n;
    pthread_barrier_t meet;
    const void *value[MAX_PEER];
    bool fails; /* number 1 fails at its next call, and all know */
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
    pthread_t thread;
} peer;

struct ew_transfer {
    int32_t n;
    int32_t *row, *from; /* [n] */
};

static void join(void *user, int64_t n, double *number)
{
    const peer *own = user;
    uint64_t *sum = calloc((size_t)n, sizeof *sum);
    own->all->value[own->as.rank] = number;
    pthread_barrier_wait(&own->all->meet);
    for (int32_t p = 0; p < own->as.n; p++) {
        for (int64_t i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, (const double *)own->all->value[p] + i, sizeof bits);
            sum[i] |= bits;
        }
    }
    pthread_barrier_wait(&own->all->meet);
    memcpy(number, sum, (size_t)n * sizeof *sum);
    free(sum);
}

static ew_transfer *plan(void *user, int32_t n_row, const uint64_t *has, const uint64_t *needs)
{
    const peer *own = user;
    ew_transfer *made = calloc(1, sizeof *made);
    made->row = calloc((size_t)n_row, sizeof *made->row);
    made->from = calloc((size_t)n_row, sizeof *made->from);
    own->all->value[own->as.rank] = has;
    pthread_barrier_wait(&own->all->meet);
    for (int32_t row = 0; row < n_row; row++) {
        for (int32_t p = 0; p < own->as.n && ew_bit_has(needs, row); p++) {
            if (p != own->as.rank && ew_bit_has(own->all->value[p], row)) {
                made->row[made->n] = row;
                made->from[made->n++] = p;
            }
        }
    }
    pthread_barrier_wait(&own->all->meet);
    return made;
}

static void bring(void *user, ew_transfer *transfer, size_t size, void *value)
{
    const peer *own = user;
    own->all->value[own->as.rank] = value;
    pthread_barrier_wait(&own->all->meet);
    for (int32_t i = 0; i < transfer->n; i++) {
        const size_t at = size * (size_t)transfer->row[i];
        memcpy((char *)value + at, (const char *)own->all->value[transfer->from[i]] + at, size);
    }
    pthread_barrier_wait(&own->all->meet);
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
    return own->all->fails ? ew_fail(EW_IO, "process 1 is lost") : EW_OK;
}

static void *run(void *user)
{
    peer *own = user;
    body *p = own->body;
    const ew_system system = {.op = &p->op, .xyz = p->mesh.xyz, .fixed = p->fixed, .b = p->b};
    own->def.peers = &own->as;
    own->status = ew_solver_solve(&p->solver, &system, &own->def, p->x, &p->info);
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

static void solve_together(peer *list, int32_t n, body *bodies, const ew_pcg_def *def, bool fails)
{
    room all = {.n = n, .fails = fails};
    pthread_barrier_init(&all.meet, NULL, (unsigned)n);
    for (int32_t p = 0; p < n; p++) {
        list[p] = (peer){.all = &all, .body = &bodies[p], .def = *def};
        list[p].as = (ew_peers){&list[p], p, n, 2, join, plan, bring, free_transfer, status_of};
        pthread_create(&list[p].thread, NULL, run, &list[p]);
    }
    for (int32_t p = 0; p < n; p++) {
        pthread_join(list[p].thread, NULL);
    }
    pthread_barrier_destroy(&all.meet);
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

static CU_TestInfo tests[] = {{"test_linear", test_linear},
                              {"test_linear_by_rows", test_linear_by_rows},
                              {"test_quadratic", test_quadratic},
                              {"test_quadratic_wood", test_quadratic_wood},
                              {"test_part_of_blocks", test_part_of_blocks},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"dealt", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
