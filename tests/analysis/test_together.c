/* Recovery, error estimate and adequacy by processes that share the work, here threads that copy in
 * place of messages: the bits of one process for any number of them, of a body of one material and
 * of one of two. */
#define _POSIX_C_SOURCE 200809L
#include "analysis/parts/analysis_peers.h"
#include "error_fixture.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { MAX_PEER = 5 };

typedef struct room {
    pthread_barrier_t meet;
    uint64_t *value[MAX_PEER];
    const double *brought; /* to process 0 */
} room;

typedef struct peer {
    ew_peers as;
    room *all;
    const body *body;
    ew_fields fields;
    ew_estimate estimate;
    ew_adequacy adequacy;
    ew_partial_sums partial;
    ew_sums sums;
    ew_safety safety;
    double *odd;     /* von Mises stress of every other tet */
    double *brought; /* [n_tet][6] stress, then [n_tet] estimated error, of process 0 */
    bool was_in_parts;
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

static void bring_first(void *user, int32_t from, int64_t n, const double *number, double *to)
{
    const peer *own = user;
    if (own->as.rank == from) {
        own->all->brought = number;
    }
    pthread_barrier_wait(&own->all->meet);
    if (own->as.rank == 0) {
        memcpy(to, own->all->brought, (size_t)n * sizeof *to);
    }
    pthread_barrier_wait(&own->all->meet);
}

static ew_status status_of(void *user)
{
    (void)user;
    return EW_OK;
}

static ew_status recover(peer *own)
{
    const body *b = own->body;
    return ew_fields_recover_together(&own->as, &own->fields, &b->mesh, &b->topology, &b->materials,
                                      &b->constraints, 0, NULL, b->f, b->u, NULL);
}

/* What a process does not compute is no number, so that a result that it is read for is none. */
static void spoil(ew_fields *f)
{
    for (int32_t i = 0; i < 6 * f->n_tet; i++) {
        f->strain[i] = f->stress[i] = NAN;
        f->principal[i / 2] = NAN;
        f->thermal_strain[i / 6] = f->volume[i / 6] = NAN;
        f->von_mises[i / 6] = f->energy[i / 6] = NAN;
    }
}

/* All numbers of fields in parts, then process by process what stands by tet. */
static ew_status recover_in_parts(peer *own)
{
    const body *b = own->body;
    const ew_fields *f = &own->fields;
    ew_list odd = {0};
    EW_TRY(ew_partial_sums_take(&own->partial, &b->mesh, &b->materials, &b->constraints, f, b->f,
                                b->u, NULL, &own->sums));
    EW_TRY(ew_estimate_take_together(&own->as, &own->estimate, &b->mesh, &b->topology,
                                     &b->materials, f, NULL));
    EW_TRY(ew_adequacy_evaluate_together(&own->as, &own->adequacy, &b->mesh, &b->topology, f,
                                         &own->estimate, EW_SMALL, b->u));
    own->safety = ew_safety_take(&b->mesh, &b->materials, f, &own->estimate);
    for (int32_t t = 1; t < f->n_tet; t += 2) {
        EW_TRY(ew_list_push(&odd, t));
    }
    EW_TRY(ew_new(&own->odd, (size_t)odd.n, sizeof *own->odd));
    EW_TRY(ew_fields_tets_von_mises(f, &odd, own->odd));
    ew_list_free(&odd);
    EW_TRY(ew_new(&own->brought, 7 * (size_t)f->n_tet, sizeof *own->brought));
    double *error = own->brought + 6 * (size_t)f->n_tet;
    for (int32_t p = 0; p < own->as.n && f->parts; p++) {
        int32_t tet[2];
        ew_fields_part(f, p, tet);
        EW_TRY(ew_fields_bring_part(f, p, 6, f->stress, own->brought + 6 * (size_t)tet[0]));
        EW_TRY(ew_fields_bring_part(f, p, 1, own->estimate.error, error + tet[0]));
    }
    return EW_OK;
}

static void *run(void *user)
{
    peer *own = user;
    own->status = recover(own);
    if (!own->status) {
        spoil(&own->fields);
        own->status = recover(own);
    }
    own->status = own->status ? own->status : recover_in_parts(own);
    own->was_in_parts = own->fields.parts != NULL;
    own->status = own->status ? own->status : ew_fields_complete(&own->fields, false);
    return NULL;
}

static bool is_same(const double *a, const double *b, int32_t n, size_t width)
{
    return (!a && !b) || memcmp(a, b, (size_t)n * width * sizeof *a) == 0;
}

static void expect_same_numbers(const peer *own, const body *b)
{
    ew_partial_sums partial = {0};
    ew_sums sums;
    must(ew_partial_sums_take(&partial, &b->mesh, &b->materials, &b->constraints, &b->fields, b->f,
                              b->u, NULL, &sums));
    const ew_safety safety = ew_safety_take(&b->mesh, &b->materials, &b->fields, &b->estimate);
    CU_ASSERT_EQUAL(own->sums.strain_energy, sums.strain_energy);
    CU_ASSERT_EQUAL(own->sums.external_work, sums.external_work);
    CU_ASSERT_EQUAL(own->sums.max_tet_von_mises_tet, sums.max_tet_von_mises_tet);
    CU_ASSERT_EQUAL(own->sums.max_principal, sums.max_principal);
    CU_ASSERT(own->safety.yield == safety.yield && isfinite(safety.yield));
    CU_ASSERT(own->safety.ultimate == safety.ultimate && isfinite(safety.ultimate));
    CU_ASSERT_EQUAL(own->safety.yield_region, safety.yield_region);
    ew_partial_sums_free(&partial);
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
    CU_ASSERT_EQUAL(own->was_in_parts, own->as.n > 1);
    if (own->was_in_parts && own->as.rank == 0) {
        CU_ASSERT(is_same(own->brought, f->stress, n, 6));
        CU_ASSERT(is_same(own->brought + 6 * (size_t)n, of->error, n, 1));
    }
    for (int32_t i = 0; i < n / 2; i++) {
        CU_ASSERT_EQUAL(own->odd[i], f->von_mises[2 * i + 1]);
    }
    expect_same_numbers(own, b);
    CU_ASSERT(e->share == of->share && e->peak_stress == of->peak_stress);
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
        list[p].as = (ew_peers){.user = &list[p],
                                .rank = p,
                                .n = n,
                                .n_thread = 2,
                                .join = join,
                                .bring_first = bring_first,
                                .status = status_of};
        pthread_create(&list[p].thread, NULL, run, &list[p]);
    }
    for (int32_t p = 0; p < n; p++) {
        pthread_join(list[p].thread, NULL);
        expect_same(&list[p], b);
        ew_fields_free(&list[p].fields);
        ew_estimate_free(&list[p].estimate);
        ew_partial_sums_free(&list[p].partial);
        ew_release(list[p].odd);
        ew_release(list[p].brought);
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
    body b = {.material = {{young, nu, 1.0, .yield_strength = 1.0, .ultimate_strength = 2.0}}};
    check(&b, 1);
}

static void test_two_materials(void)
{
    body b = {.material = {{young, nu, 1.0, .yield_strength = 1.0, .ultimate_strength = 2.0},
                           {10.0 * young, nu, 1.0, .yield_strength = 3.0}}};
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
