/* The component check kept from edit to edit: after any edit and with any constraints it says what
 * a full check says, and while a proof stands, it is true of the components. */
#include "analysis/parts/analysis.h"
#include "operation_body.h"
#include "random_edits.h"

#include <stdlib.h>

typedef struct rig {
    body b;
    ew_set wall; /* vertices at x <= wall_x */
    double wall_x;
    uint8_t bits;
    enum { STRAIGHT, OBLIQUE, SPRINGS } how; /* the wall is fixed in the directions of the bits */
    double *spring;                          /* [n_vertex][6] owned, of oblique springs */
    ew_constraints constraints;
    ew_support support;
    int32_t n_kept, n_lost, n_refused; /* proofs that outlived an edit, that did not; refusals */
} rig;

static const ew_axes turned = {.kind = EW_AXES_FIXED,
                               .direction = {0.6, 0.8, 0, -0.48, 0.36, 0.8, 0.64, -0.48, 0.6}};

static void put_springs(rig *r)
{
    free(r->spring);
    r->spring = calloc((size_t)r->b.mesh.n_vertex + 1, 6 * sizeof *r->spring);
    for (int32_t i = 0; i < 3 * r->wall.list.n; i++) {
        const double *d = turned.direction + 3 * (i % 3);
        double *k = r->spring + 6 * r->wall.list.id[i / 3];
        for (int c = 0; c < 3 && r->bits >> i % 3 & 1; c++) {
            k[c] += (1e-3 + i % 3) * d[c] * d[c]; /* one is weak */
            k[3 + c] += (1e-3 + i % 3) * d[c] * d[(c + 1) % 3];
        }
    }
    r->constraints.spring = r->spring;
}

static void constrain(rig *r)
{
    const ew_mesh *mesh = &r->b.mesh;
    const ew_constraint line = {
        .vertex = &r->wall, .fixed = r->bits, .axes = r->how == OBLIQUE ? turned : (ew_axes){0}};
    ew_set_clear(&r->wall);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v) && mesh->xyz[3 * v] <= r->wall_x) {
            CU_ASSERT_EQUAL_FATAL(ew_set_add(&r->wall, v), EW_OK);
        }
    }
    const bool any = r->wall.list.n > 0 && r->bits && r->how != SPRINGS;
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&r->constraints, mesh, any, &line), EW_OK);
    if (r->how == SPRINGS) {
        put_springs(r);
    }
}

static void start(rig *r, int32_t nx, int32_t ny, int32_t nz)
{
    *r = (rig){.wall_x = 1e-9, .bits = 7};
    make_box(&r->b, nx, ny, nz, nx, ny, nz);
    constrain(r);
}

static void stop(rig *r)
{
    drop(&r->b);
    ew_set_free(&r->wall);
    free(r->spring);
    ew_constraints_free(&r->constraints);
    ew_support_free(&r->support);
    ew_support_free(&r->support);
}

/* Every component of the mesh has all anchors of one proved component. */
static void check_proof(const rig *r)
{
    const ew_mesh *mesh = &r->b.mesh;
    int32_t *component = malloc(((size_t)mesh->n_tet + 1) * sizeof *component), n;
    bool proved[512] = {false};
    CU_ASSERT_EQUAL_FATAL(ew_topology_components(&r->b.topology, mesh, component, &n), EW_OK);
    CU_ASSERT_FATAL(n <= 512);
    for (int32_t c = 0; c < r->support.n_component; c++) {
        const struct ew_supported *of = &r->support.component[c];
        bool together = true;
        for (int32_t k = 0; k < of->n_witness; k++) {
            int32_t t = of->witness[k].tet, v = of->witness[k].vertex;
            CU_ASSERT_FATAL(t >= 0 && t < mesh->n_tet && ew_mesh_tet_is_live(mesh, t));
            const int32_t *tet = mesh->tet + 4 * t;
            CU_ASSERT(tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v);
            together = together && component[t] == component[of->witness[0].tet];
        }
        CU_ASSERT(together);
        proved[component[of->witness[0].tet]] = true;
    }
    for (int32_t p = 0; p < n; p++) {
        CU_ASSERT(proved[p]);
    }
    free(component);
}

/* Asks both; the same status and message. */
static ew_status require(rig *r)
{
    char message[400];
    ew_status full = ew_require_constrained(&r->b.mesh, &r->b.topology, &r->constraints);
    snprintf(message, sizeof message, "%s", full ? ew_message() : "");
    ew_status status = ew_support_require(&r->support, &r->b.mesh, &r->b.topology, &r->constraints);
    CU_ASSERT_EQUAL_FATAL(status, full);
    CU_ASSERT(!full || !strcmp(message, ew_message()));
    CU_ASSERT(!full || r->support.revision == 0);
    r->n_refused += status != EW_OK;
    return status;
}

static ew_status follow_edit(rig *r)
{
    bool had = r->support.revision != 0;
    commit(&r->b);
    CU_ASSERT_EQUAL_FATAL(ew_support_update(&r->support, &r->b.mesh, &r->b.topology, &r->b.change),
                          EW_OK);
    bool has = r->support.revision != 0;
    CU_ASSERT(had || !has);
    r->n_kept += has;
    r->n_lost += had && !has;
    if (has) {
        CU_ASSERT_EQUAL(r->support.revision, r->b.mesh.revision);
        check_proof(r);
    }
    constrain(r);
    return require(r);
}

static void remove_box(rig *r, double x0, double x1)
{
    for (int32_t t = 0; t < r->b.mesh.n_tet; t++) {
        double c[3];
        if (ew_mesh_tet_is_live(&r->b.mesh, t)) {
            centroid(&r->b.mesh, t, c);
            if (c[0] > x0 && c[0] < x1) {
                ew_edit_remove_tet(&r->b.edit, t);
            }
        }
    }
}

/* A beam is cut tet by tet: the proof holds until no faces join the parts; corners that are left
 * may do for a while, which only a full check can tell. */
static void test_support_cut(void)
{
    rig r;
    int32_t n_cut = 0;
    start(&r, 12, 3, 3);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    CU_ASSERT(r.support.revision != 0);
    CU_ASSERT_EQUAL(r.support.n_component, 1);
    ew_status status = EW_OK;
    for (int32_t t = 0; t < r.b.mesh.n_tet && !status; t++) {
        double c[3];
        centroid(&r.b.mesh, t, c);
        if (c[0] > 6.0 && c[0] < 7.0) {
            ew_edit_remove_tet(&r.b.edit, t);
            status = follow_edit(&r);
            n_cut++;
        }
    }
    CU_ASSERT_EQUAL(status, EW_UNDER_CONSTRAINED);
    CU_ASSERT(n_cut > 40 && n_cut <= 54);
    printf("  %d cuts, %d with the proof ... ", n_cut, r.n_kept);
    CU_ASSERT(r.n_kept > 40 && r.n_lost == 1);
    r.bits = 0; /* nothing is constrained at all */
    constrain(&r);
    CU_ASSERT_EQUAL(require(&r), EW_UNDER_CONSTRAINED);
    stop(&r);
}

/* A whole slab at once, with few tets on one side: the search ends there, or in its budget. */
static void test_support_split_at_once(void)
{
    rig r;
    start(&r, 30, 3, 3);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    remove_box(&r, 15.0, 16.0);
    CU_ASSERT_EQUAL(follow_edit(&r), EW_UNDER_CONSTRAINED);
    CU_ASSERT_EQUAL(r.n_kept, 0);
    r.wall_x = 100.0; /* everything is fixed: both halves are, each by itself */
    constrain(&r);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    CU_ASSERT_EQUAL(r.support.n_component, 2);
    ew_edit_remove_tet(&r.b.edit, 0);
    CU_ASSERT_EQUAL(follow_edit(&r), EW_OK);
    CU_ASSERT_EQUAL(r.n_kept, 1);
    stop(&r);
}

/* Many single tets go, here and there: the paths around their edges keep the proof. */
static void test_support_scattered(void)
{
    rig r;
    start(&r, 12, 12, 12);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    for (int32_t first = 0; first < 26; first += 13) {
        for (int32_t t = first; t < r.b.mesh.n_tet; t += 26) {
            ew_edit_remove_tet(&r.b.edit, t);
        }
        CU_ASSERT_EQUAL(follow_edit(&r), EW_OK);
    }
    CU_ASSERT_EQUAL(r.n_lost, 0);
    stop(&r);
}

/* Constraints shrink to a line: the witnesses no longer do, and the full check says so. */
static void test_support_constraints_change(void)
{
    rig r;
    start(&r, 4, 2, 2);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    r.bits = 6;
    constrain(&r);
    CU_ASSERT_EQUAL(require(&r), EW_UNDER_CONSTRAINED);
    CU_ASSERT_EQUAL(r.support.revision, 0);
    r.bits = 7;
    constrain(&r);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    CU_ASSERT(r.support.revision != 0);
    r.wall_x = 2.0; /* more constraints: the same witnesses */
    constrain(&r);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    CU_ASSERT(r.support.revision != 0);
    stop(&r);
}

/* Tets away from the rest are a new component, also where they touch it at an edge. */
static void test_support_new_component(void)
{
    rig r;
    int32_t v[4];
    start(&r, 4, 2, 2);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    for (int k = 0; k < 4; k++) {
        const double x[3] = {20.0 + (k == 1), k == 2, k == 3};
        ew_edit_add_vertex(&r.b.edit, x, &v[k]);
    }
    ew_edit_add_tet(&r.b.edit, v, 1);
    CU_ASSERT_EQUAL(follow_edit(&r), EW_UNDER_CONSTRAINED);
    CU_ASSERT_EQUAL(r.n_lost, 1);
    stop(&r);
}

/* All tets at the wall are replaced, then removed with their vertices. */
static void test_support_witnesses_go(void)
{
    rig r;
    start(&r, 6, 2, 2);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    for (int i = 0; i < 60; i++) {
        int32_t t = r.support.component[0].witness[i % r.support.component[0].n_witness].tet, v[4];
        memcpy(v, r.b.mesh.tet + 4 * t, sizeof v);
        ew_edit_remove_tet(&r.b.edit, t);
        if (i % 2) {
            ew_edit_add_tet(&r.b.edit, (int32_t[4]){v[1], v[2], v[0], v[3]}, 1);
        }
        if (follow_edit(&r)) {
            break;
        }
    }
    CU_ASSERT(r.n_kept > 5);
    CU_ASSERT_EQUAL(r.n_refused, 1);
    stop(&r);
}

/* ---- under-constrained components go -------------------------------------------------- */

/* As a full search has them. */
static int32_t find_free(rig *r, int32_t **component)
{
    ew_free_component *free_one, *same;
    int32_t n, n_same, *also = malloc(((size_t)r->b.mesh.n_tet + 1) * sizeof *also);
    *component = malloc(((size_t)r->b.mesh.n_tet + 1) * sizeof **component);
    CU_ASSERT_EQUAL_FATAL(ew_support_find_free(&r->support, &r->b.mesh, &r->b.topology,
                                               &r->constraints, *component, &free_one, &n),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_find_free_components(&r->b.mesh, &r->b.topology, &r->constraints, also,
                                                  &same, &n_same),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(n, n_same);
    for (int32_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(free_one[i].component, same[i].component);
    }
    CU_ASSERT(!n || !memcmp(*component, also, (size_t)r->b.mesh.n_tet * sizeof *also));
    ew_release(free_one);
    ew_release(same);
    free(also);
    return n;
}

/* Component 0 is the fixed end of a beam, 1 the free one. `removed`: of these, the first `most`. */
static void leave_ends(rig *r, int32_t removed, int32_t most)
{
    int32_t *component, n = 0;
    start(r, 9, 2, 2);
    CU_ASSERT_EQUAL(require(r), EW_OK);
    CU_ASSERT_EQUAL(find_free(r, &component), 0);
    free(component);
    remove_box(r, 1.0, 8.0);
    CU_ASSERT_EQUAL(follow_edit(r), EW_UNDER_CONSTRAINED);
    CU_ASSERT_EQUAL(find_free(r, &component), 1);
    CU_ASSERT_EQUAL(r->support.revision, r->b.mesh.revision);
    CU_ASSERT_EQUAL(r->support.n_free_tet, r->b.mesh.n_live_tet / 2);
    for (int32_t t = 0; t < r->b.mesh.n_tet && n < most; t++) {
        if (component[t] == removed) {
            ew_edit_remove_tet(&r->b.edit, t);
            n++;
        }
    }
    free(component);
}

static void test_support_without_the_free(void)
{
    rig r;
    leave_ends(&r, 1, INT32_MAX);
    CU_ASSERT_EQUAL(follow_edit(&r), EW_OK);
    CU_ASSERT_EQUAL(r.n_kept, 1); /* no other search */
    CU_ASSERT_EQUAL(r.support.n_free_tet, 0);
    CU_ASSERT_EQUAL(r.support.n_component, 1);
    stop(&r);
    leave_ends(&r, 1, 5); /* some of them */
    CU_ASSERT_EQUAL(follow_edit(&r), EW_UNDER_CONSTRAINED);
    CU_ASSERT_EQUAL(r.n_kept, 0);
    stop(&r);
    leave_ends(&r, 0, INT32_MAX); /* as many others */
    CU_ASSERT_EQUAL(follow_edit(&r), EW_UNDER_CONSTRAINED);
    CU_ASSERT_EQUAL(r.n_kept, 0);
    stop(&r);
    leave_ends(&r, 1, 0); /* they stay, and may not pass */
    CU_ASSERT_EQUAL(require(&r), EW_UNDER_CONSTRAINED);
    stop(&r);
}

/* ---- random sequences -------------------------------------------------- */

static void queue_random(rig *r, past *gone, uint64_t *state, bool ebb)
{
    const ew_mesh *mesh = &r->b.mesh;
    int32_t n = 1 + (int32_t)ew_test_random(state, 4);
    for (int32_t i = 0; i < n; i++) {
        uint32_t kind = ew_test_random(state, 10);
        if (kind < (ebb ? 5u : 2u) && mesh->n_live_tet) {
            int32_t t = random_live_tet(mesh, state);
            remember_tet(gone, mesh->tet + 4 * t, state);
            ew_edit_remove_tet(&r->b.edit, t);
        } else if (kind < 8 && gone->n) {
            ew_edit_add_tet(&r->b.edit, recall_tet(gone, state), 1);
        } else {
            int32_t v = (int32_t)ew_test_random(state, (uint32_t)mesh->n_vertex);
            double x[3];
            for (int c = 0; c < 3; c++) {
                x[c] = mesh->xyz[3 * v + c] + 0.05 * (ew_test_random(state, 201) / 100.0 - 1.0);
            }
            x[0] = mesh->xyz[3 * v] <= 1e-9 ? mesh->xyz[3 * v] : x[0];
            ew_edit_move_vertex(&r->b.edit, v, x);
        }
    }
}

static void test_support_random(void)
{
    static past gone;
    rig r;
    uint64_t state = 5;
    int32_t accepted = 0;
    gone.n = 0;
    start(&r, 5, 2, 2);
    require(&r);
    for (int i = 0; i < 6000; i++) {
        queue_random(&r, &gone, &state, i / 300 % 2 == 0);
        if (!is_accepted(&r.b.mesh, &r.b.topology, &r.b.edit)) {
            ew_edit_clear(&r.b.edit);
            continue;
        }
        accepted++;
        r.bits = ew_test_random(&state, 20) ? 7 : (uint8_t)ew_test_random(&state, 8);
        r.how = ew_test_random(&state, 3)   ? STRAIGHT
                : ew_test_random(&state, 2) ? OBLIQUE
                                            : SPRINGS;
        r.wall_x = ew_test_random(&state, 4) ? r.wall_x : 2.5 * ew_test_random(&state, 3) + 1e-9;
        follow_edit(&r);
    }
    printf("  %d of 6000 batches: proof kept %d times, lost %d; refused %d ... ", accepted,
           r.n_kept, r.n_lost, r.n_refused);
    CU_ASSERT(r.n_kept > 200 && r.n_lost > 50 && r.n_refused > 200);
    stop(&r);
}

/* ---- failures ---------------------------------------------------------- */

static void test_support_without_memory(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        rig r;
        start(&r, 4, 2, 2);
        CU_ASSERT_EQUAL(require(&r), EW_OK);
        ew_edit_remove_tet(&r.b.edit, 40);
        commit(&r.b);
        constrain(&r);
        ew_test_allocations_begin(k);
        ew_status status = ew_support_update(&r.support, &r.b.mesh, &r.b.topology, &r.b.change);
        CU_ASSERT(status == EW_OK || r.support.revision == 0);
        if (!status) {
            r.support.revision = 0; /* a full check follows */
            status = ew_support_require(&r.support, &r.b.mesh, &r.b.topology, &r.constraints);
        }
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(r.support.revision, refused ? 0 : r.b.mesh.revision);
        CU_ASSERT_EQUAL(require(&r), EW_OK);
        CU_ASSERT_FATAL(k < 1000);
        stop(&r);
    }
}

/* A move of the whole body keeps the proof; whether constraints still fix it is seen then. */
static void test_support_moves(void)
{
    static const double factor[][3] = {{2.0, 0.5, 1.0}, {1.0, 1.0, 30.0}, {1.0, 1.0, 1.0}};
    rig r;
    start(&r, 6, 4, 4);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    for (int i = 0; i < 3; i++) {
        for (int32_t v = 0; v < r.b.mesh.n_vertex; v++) {
            const double *x = r.b.mesh.xyz + 3 * (size_t)v;
            const double to[3] = {factor[i][0] * x[0] + (i == 2 ? 1.0 : 0.0), factor[i][1] * x[1],
                                  factor[i][2] * x[2]}; /* at last away from the wall */
            ew_edit_move_vertex(&r.b.edit, v, to);
        }
        commit(&r.b);
        CU_ASSERT_EQUAL(ew_support_update(&r.support, &r.b.mesh, &r.b.topology, &r.b.change),
                        EW_OK);
        CU_ASSERT_EQUAL(r.support.revision, r.b.mesh.revision);
        check_proof(&r);
        constrain(&r);
        CU_ASSERT_EQUAL(require(&r), i == 2 ? EW_UNDER_CONSTRAINED : EW_OK);
    }
    stop(&r);
}

static void test_support_stale(void)
{
    rig r;
    start(&r, 4, 2, 2);
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    ew_edit_remove_tet(&r.b.edit, 40);
    commit(&r.b); /* not followed */
    ew_edit_remove_tet(&r.b.edit, 41);
    commit(&r.b);
    CU_ASSERT_EQUAL(ew_support_update(&r.support, &r.b.mesh, &r.b.topology, &r.b.change), EW_OK);
    CU_ASSERT_EQUAL(r.support.revision, 0);
    constrain(&r);
    r.b.topology.pattern.revision--;
    CU_ASSERT_EQUAL(ew_support_update(&r.support, &r.b.mesh, &r.b.topology, &r.b.change), EW_STALE);
    CU_ASSERT_EQUAL(ew_support_require(&r.support, &r.b.mesh, &r.b.topology, &r.constraints),
                    EW_STALE);
    r.b.topology.pattern.revision++;
    CU_ASSERT_EQUAL(require(&r), EW_OK);
    stop(&r);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"support_cut", test_support_cut},
                           {"support_split_at_once", test_support_split_at_once},
                           {"support_scattered", test_support_scattered},
                           {"support_constraints_change", test_support_constraints_change},
                           {"support_new_component", test_support_new_component},
                           {"support_witnesses_go", test_support_witnesses_go},
                           {"support_without_the_free", test_support_without_the_free},
                           {"support_random", test_support_random},
                           {"support_without_memory", test_support_without_memory},
                           {"support_moves", test_support_moves},
                           {"support_stale", test_support_stale},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"support", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
