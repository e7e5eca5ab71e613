/* Recovery, error estimate and adequacy by processes that share the work, here threads that copy in
 * place of messages: the bits of one process for any number of them, of a body of one material and
 * of one of two. */
#define _POSIX_C_SOURCE 200809L
#include "analysis/parts/analysis_peers.h"
#include "error_fixture.h"

#include <pthread.h>
#include <stdlib.h>

enum { MAX_PEER = 5 };

typedef struct room {
    pthread_barrier_t meet;
    uint64_t *value[MAX_PEER];
} room;

typedef struct peer {
    ew_peers as;
    room *all;
    const body *body;
    ew_fields fields;
    ew_estimate estimate;
    ew_adequacy adequacy;
    ew_status status;
    pthread_t thread;
} peer;

/* Each keeps what all have at first, and adds to a copy. */
static void join(void *user, int64_t n, double *number)
{
    const peer *own = user;
    uint64_t *copy = calloc((size_t)n + 1, sizeof *copy);
    memcpy(copy, number, (size_t)n * sizeof *copy);
    own->all->value[own->as.rank] = copy;
    pthread_barrier_wait(&own->all->meet);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        for (int32_t p = 0; p < own->as.n; p++) {
            bits |= own->all->value[p][i];
        }
        memcpy(number + i, &bits, sizeof bits);
    }
    pthread_barrier_wait(&own->all->meet);
    free(copy);
}

static ew_status status_of(void *user)
{
    (void)user;
    return EW_OK;
}

static void *run(void *user)
{
    peer *own = user;
    const body *b = own->body;
    own->status =
        ew_fields_recover_together(&own->as, &own->fields, &b->mesh, &b->topology, &b->materials,
                                   &b->constraints, 0, NULL, b->f, b->u, NULL);
    own->status = own->status
                      ? own->status
                      : ew_estimate_take_together(&own->as, &own->estimate, &b->mesh, &b->topology,
                                                  &b->materials, &own->fields, NULL);
    own->status = own->status ? own->status
                              : ew_adequacy_evaluate_together(&own->as, &own->adequacy, &b->mesh,
                                                              &b->topology, &own->fields,
                                                              &own->estimate, EW_SMALL, b->u);
    return NULL;
}

static bool is_same(const double *a, const double *b, int32_t n, size_t width)
{
    return (!a && !b) || memcmp(a, b, (size_t)n * width * sizeof *a) == 0;
}

static void expect_same(const peer *own, const body *b)
{
    const ew_fields *a = &own->fields, *f = &b->fields;
    const ew_estimate *e = &own->estimate, *of = &b->estimate;
    const int32_t n = b->mesh.n_tet, m = b->mesh.n_vertex;
    CU_ASSERT_EQUAL_FATAL(own->status, EW_OK);
    CU_ASSERT(is_same(a->strain, f->strain, n, 6) && is_same(a->stress, f->stress, n, 6));
    CU_ASSERT(is_same(a->principal, f->principal, n, 3) && is_same(a->energy, f->energy, n, 1));
    CU_ASSERT(is_same(a->von_mises, f->von_mises, n, 1) && is_same(a->volume, f->volume, n, 1));
    CU_ASSERT(is_same(a->thermal_strain, f->thermal_strain, n, 1));
    CU_ASSERT(is_same(a->reaction, f->reaction, m, 3));
    CU_ASSERT(is_same(a->vertex_stress, f->vertex_stress, m, 6));
    CU_ASSERT(is_same(a->vertex_von_mises, f->vertex_von_mises, m, 1));
    CU_ASSERT_EQUAL(a->patches.n_vertex, f->patches.n_vertex);
    if (f->patches.n_vertex) {
        CU_ASSERT(is_same(a->patch_stress, f->patch_stress, f->patches.begin[m], 6));
    }
    CU_ASSERT(is_same(e->error, of->error, n, 1) && e->share == of->share);
    CU_ASSERT(e->peak_recovered == of->peak_recovered && e->peak_share == of->peak_share);
    const int32_t n_patch = of->recovered.patches.begin[m];
    CU_ASSERT(is_same(e->recovered.stress, of->recovered.stress, n_patch, 6));
    CU_ASSERT_EQUAL(e->recovered.scale == 0.0, own->as.n > 1); /* no update of moments of some */
    CU_ASSERT(own->adequacy.max_rotation == b->adequacy.max_rotation);
    CU_ASSERT(own->adequacy.bent == b->adequacy.bent);
}

static void recover_together(const body *b, int32_t n)
{
    room all;
    peer list[MAX_PEER];
    pthread_barrier_init(&all.meet, NULL, (unsigned)n);
    for (int32_t p = 0; p < n; p++) {
        list[p] = (peer){.all = &all, .body = b};
        list[p].as = (ew_peers){
            .user = &list[p], .rank = p, .n = n, .n_thread = 2, .join = join, .status = status_of};
        pthread_create(&list[p].thread, NULL, run, &list[p]);
    }
    for (int32_t p = 0; p < n; p++) {
        pthread_join(list[p].thread, NULL);
        expect_same(&list[p], b);
        ew_fields_free(&list[p].fields);
        ew_estimate_free(&list[p].estimate);
    }
    pthread_barrier_destroy(&all.meet);
}

/* A beam of one region, or of two strips, with any displacement. */
static void check(body *b, int32_t n_region)
{
    uint64_t state = 11;
    make_beam(b, 4);
    CU_ASSERT_EQUAL_FATAL(ew_grow(&b->mesh.region_label, &b->mesh.region_capacity, 2,
                                  sizeof *b->mesh.region_label),
                          EW_OK);
    b->mesh.region_label[1] = 2;
    b->mesh.n_region = n_region;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        b->mesh.region[t] = n_region > 1 ? t % 2 : 0;
    }
    body_build(b);
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        b->u[i] = 1e-3 * (double)ew_test_random(&state, 2001) - 1.0;
    }
    body_estimate(b);
    for (int32_t n = 1; n <= MAX_PEER; n += 2) {
        recover_together(b, n);
    }
    body_free(b);
}

static void test_one_material(void)
{
    body b = {.material = {{young, nu, 1.0}}};
    check(&b, 1);
}

static void test_two_materials(void)
{
    body b = {.material = {{young, nu, 1.0}, {10.0 * young, nu, 1.0}}};
    check(&b, 2);
}

static CU_TestInfo tests[] = {{"test_one_material", test_one_material},
                              {"test_two_materials", test_two_materials},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"together", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
