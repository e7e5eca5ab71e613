/* Surfaces of a model through edits: bindings against a binding of the same points to the same
 * mesh, what is released, loads against loads gathered again, compaction, rebuilding, memory. */
#include "mapping_fixture.h"
#include "model/internal.h"
#include "model_edits.h"

enum { N_SURFACE_LOAD = 4 };
static const ew_surface_load surface_load[N_SURFACE_LOAD] = {
    {.kind = EW_SURFACE_PRESSURE, .pressure = 3.0},
    {.kind = EW_SURFACE_TRACTION, .vector = {1.0, 2.0, 0.5}},
    {.kind = EW_SURFACE_TOTAL_FORCE, .vector = {0.0, 0.0, -7.0}},
    {.kind = EW_SURFACE_FORCE, .vector = {0.1, 0.0, 0.0}},
};

static ew_model *make_body(int32_t cells)
{
    const double size[3] = {1.0, 1.0, 1.0};
    const ew_model_def def = ew_default_model_def();
    const ew_material material = {.young = 1e3, .poisson = 0.3, .density = 1.0};
    ew_mesh mesh;
    ew_model *model;
    must(ew_shape_box(&mesh, size, (const int32_t[3]){cells, cells, cells}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    return model;
}

static int32_t add_points(ew_model *model, int32_t n, double beyond, bool drop)
{
    ew_surface surface;
    int32_t number;
    make_points(&surface, n, beyond, 77);
    must(ew_model_add_surface(model, &surface, &(ew_mapping_def){.drop = drop}, &number));
    ew_surface_free(&surface);
    return number;
}

static void load_surface(ew_model *model, int32_t surface)
{
    ew_model_load list[N_SURFACE_LOAD + 1] = {{.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -1}}};
    for (int32_t i = 0; i < N_SURFACE_LOAD; i++) {
        must(ew_model_surface_load(model, surface, &surface_load[i], &list[i + 1]));
    }
    must(ew_model_set_loads(model, N_SURFACE_LOAD + 1, list));
}

/* ---- the mapping before an edit, and what must be after it ----------------------------- */

typedef struct before {
    int32_t n_vertex, n_tet;
    int32_t *tet;
    int64_t *tet_id;
    double *weight, *distance, *rest;
} before;

static void *copy(const void *from, size_t n, size_t size)
{
    void *to = malloc(n * size + 1);
    memcpy(to, from, n * size);
    return to;
}

static before keep(const ew_model *model)
{
    const ew_mapping *m = ew_model_surface(model, 0);
    const ew_mesh *mesh = ew_model_mesh(model);
    const size_t n = (size_t)m->n_vertex;
    return (before){m->n_vertex,
                    mesh->n_tet,
                    copy(m->tet, n, sizeof *m->tet),
                    copy(mesh->tet_id, (size_t)mesh->n_tet, sizeof *mesh->tet_id),
                    copy(m->weight, 4 * n, sizeof *m->weight),
                    copy(m->distance, n, sizeof *m->distance),
                    copy(m->rest, 3 * n, sizeof *m->rest)};
}

static void drop(before *b)
{
    free(b->tet);
    free(b->tet_id);
    free(b->weight);
    free(b->distance);
    free(b->rest);
}

/* The tet that a vertex had is still there. */
static bool is_there(const before *b, const ew_mesh *mesh, int32_t v)
{
    const int32_t t = b->tet[v];
    return t >= 0 && ew_mesh_tet_is_live(mesh, t) && mesh->tet_id[t] == b->tet_id[t];
}

/* Returns how many were bound again. */
static int32_t expect_followed(const ew_model *model, const before *b)
{
    const ew_mapping *m = ew_model_surface(model, 0);
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t n = 0;
    must(ew_mapping_check(m, mesh));
    for (int32_t v = 0; v < m->n_vertex; v++) {
        if (b->tet[v] < 0 || is_there(b, mesh, v)) {
            CU_ASSERT_EQUAL(m->tet[v], b->tet[v]);
            CU_ASSERT(!memcmp(m->weight + 4 * v, b->weight + 4 * v, 4 * sizeof *m->weight));
            continue;
        }
        ew_place place;
        n++;
        CU_ASSERT(!memcmp(m->rest + 3 * v, b->rest + 3 * v, 3 * sizeof *m->rest));
        find_by_scan(mesh, m->rest + 3 * v, &place);
        if (b->distance[v] == 0.0 && place.distance == 0.0) { /* replaced: as a fresh binding */
            CU_ASSERT(is_bound_so(m, v, &place));
        } else if (m->tet[v] >= 0) {
            CU_ASSERT(m->distance[v] >= place.distance);
            CU_ASSERT(!m->drop || m->distance[v] <= b->distance[v] + 1e-5);
        }
    }
    return n;
}

/* Forces on the surface and on the mesh against those worked out from the start. */
static void expect_loads(ew_model *model)
{
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    const ew_mapping *m = ew_model_surface(model, 0);
    int32_t place;
    must(ew_model_update_loads(model, &place));
    double *force = copy(model->force.value, n, sizeof *force);
    for (int32_t i = 0; i < model->surface[0]->n_load; i++) {
        const model_surface_load *load = model->surface[0]->load[i];
        const double area = ew_mapping_area(m);
        for (int32_t v = 0; v < m->n_vertex; v++) {
            double f[3];
            ew_surface_load_at(m, &load->as, area, v, f);
            CU_ASSERT(!memcmp(f, load->force + 3 * v, sizeof f));
        }
    }
    ew_model_touch_loads(model);
    must(ew_model_update_loads(model, &place));
    CU_ASSERT(!memcmp(force, model->force.value, n * sizeof *force));
    free(force);
}

/* ---- random edits -------------------------------------------------------------------------- */

static void run_edits(uint64_t seed, double beyond, bool dropping, int32_t *n_again)
{
    ew_model *model = make_body(3);
    editor e = {.state = seed};
    add_points(model, 150, beyond, dropping);
    load_surface(model, 0);
    expect_loads(model);
    for (int i = 0; i < 60 && !CU_get_number_of_failures(); i++) {
        before b = keep(model);
        ew_status status = EW_OK;
        if (ew_model_mesh(model)->n_live_tet == 0) {
            drop(&b);
            break;
        }
        if (ew_test_random(&e.state, 12) == 0) {
            must(ew_model_compact(model, NULL, NULL));
            e.n_gone = 0;
            must(ew_mapping_check(ew_model_surface(model, 0), ew_model_mesh(model)));
            CU_ASSERT(!memcmp(ew_model_surface(model, 0)->weight, b.weight,
                              4 * (size_t)b.n_vertex * sizeof *b.weight));
        } else {
            status = ew_model_apply(model, queue_any, &e);
            CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
            *n_again += expect_followed(model, &b);
        }
        if (ew_test_random(&e.state, 2)) {
            expect_loads(model);
        }
        drop(&b);
        if (CU_get_number_of_failures()) {
            printf("seed %d, edit %d\n", (int)seed, i);
        }
    }
    ew_model_free(model);
}

static void test_random_edits(void)
{
    int32_t n_again = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run_edits(seed, seed % 3 ? 0.0 : 0.2, seed % 2, &n_again);
    }
    CU_ASSERT(n_again > 300);
}

/* Everything is refined, three times: each vertex is where a fresh binding has it. */
static void test_refined_is_as_bound_to_the_parts(void)
{
    ew_model *model = make_body(2);
    add_points(model, 400, 0.0, true);
    for (int k = 0; k < 3; k++) {
        ew_model_begin(model);
        must(ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0.4 / (k + 1),
                                 NULL, ew_model_edit(model)));
        must(ew_model_commit(model));
        const ew_mapping *m = ew_model_surface(model, 0);
        for (int32_t v = 0; v < m->n_vertex; v++) {
            ew_place place;
            find_by_scan(ew_model_mesh(model), m->rest + 3 * v, &place);
            CU_ASSERT(is_bound_so(m, v, &place));
        }
        CU_ASSERT_EQUAL(m->n_released, 0);
    }
    ew_model_free(model);
}

/* ---- released ----------------------------------------------------------------------------------
 */

/* Takes the tets with the centroid above a height. */
static void cut_above(ew_model *model, double z)
{
    const ew_selector above = {.kind = EW_SELECT_SIDE, .a = {0, 0, z}, .b = {0, 0, 1}};
    ew_list tet = {0};
    must(ew_mesh_select_tets(ew_model_mesh(model), &above, &tet));
    ew_model_begin(model);
    for (int32_t i = 0; i < tet.n; i++) {
        must(ew_edit_remove_tet(ew_model_edit(model), tet.id[i]));
    }
    must(ew_model_commit(model));
    ew_list_free(&tet);
}

/* The upper half goes: with `drop` what was above the cut is released, and the rest stays; without,
 * what has neighbors is bound to them. */
static void test_material_that_is_gone(void)
{
    for (int dropping = 0; dropping < 2; dropping++) {
        ew_model *model = make_body(4);
        add_points(model, 500, 0.0, dropping);
        cut_above(model, 0.5);
        const ew_mapping *m = ew_model_surface(model, 0);
        int32_t n_released = 0, n_triangle = 0;
        for (int32_t v = 0; v < m->n_vertex; v++) {
            const double z = m->rest[3 * v + 2];
            CU_ASSERT(z > 0.5 || m->tet[v] >= 0);
            CU_ASSERT(!dropping || (m->tet[v] < 0) == (z > 0.5 + 1e-6));
            CU_ASSERT(dropping || z >= 0.75 || m->tet[v] >= 0);
            CU_ASSERT(z <= 0.751 || m->tet[v] < 0); /* nothing of its tet is left */
            n_released += m->tet[v] < 0;
        }
        for (int32_t i = 0; i < m->n_triangle; i++) {
            n_triangle += ew_mapping_has_triangle(m, i);
        }
        CU_ASSERT_EQUAL(m->n_released, n_released);
        CU_ASSERT(n_triangle < m->n_triangle);
        ew_model_free(model);
    }
}

/* A moved body takes its surface along, undeformed, outside the body, too. */
static void test_moved_bodies_take_surfaces_along(void)
{
    ew_model *model = make_body(3);
    add_points(model, 200, 0.2, false);
    before b = keep(model);
    const double factor[3] = {2.0, 1.0, 0.5}, about[3] = {0, 0, 0};
    ew_model_begin(model);
    must(ew_operation_scale(ew_model_mesh(model), factor, about, ew_model_edit(model)));
    must(ew_model_commit(model));
    const ew_mapping *m = ew_model_surface(model, 0);
    for (int32_t i = 0; i < 3 * m->n_vertex; i++) {
        CU_ASSERT_DOUBLE_EQUAL(m->rest[i], b.rest[i] * factor[i % 3], 1e-14);
    }
    CU_ASSERT(m->is_reshaped);
    must(ew_mapping_check(m, ew_model_mesh(model)));
    drop(&b);
    ew_model_free(model);
}

/* ---- loads
 * ----------------------------------------------------------------------------------------- */

static void test_resultants_reach_the_mesh(void)
{
    ew_model *model = make_body(3);
    ew_surface surface;
    ew_model_load load, again;
    int32_t number, place;
    double force[3], moment[3];
    make_skin(&surface, 9, 0.02);
    must(ew_model_add_surface(model, &surface, &(ew_mapping_def){0}, &number));
    must(ew_model_surface_load(model, number, &surface_load[2], &load));
    must(ew_model_surface_load(model, number, &surface_load[2], &again));
    CU_ASSERT(!memcmp(&load, &again, sizeof load));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_update_loads(model, &place));
    must(ew_model_load_resultant(model, 0, force, moment));
    CU_ASSERT_DOUBLE_EQUAL(force[0], 0.0, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(force[2], -7.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(moment[0], -3.5, 1e-12); /* the middle of the cube */
    CU_ASSERT_DOUBLE_EQUAL(moment[1], 3.5, 1e-12);
    CU_ASSERT_EQUAL(ew_model_surface_load(model, 3, &surface_load[0], &load), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_surface_load(model, number, &(ew_surface_load){.pressure = NAN},
                                          &load),
                    EW_BAD_INPUT);
    surface.n_triangle = 0;
    must(ew_model_add_surface(model, &surface, &(ew_mapping_def){0}, &number));
    CU_ASSERT_EQUAL(ew_model_surface_load(model, number, &surface_load[0], &load), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_model_n_surface(model), 2);
    ew_surface_free(&surface);
    ew_model_free(model);
}

/* ---- failures and memory
 * ----------------------------------------------------------------------------- */

/* A commit that finds no memory leaves all as it was, or a model that a rebuild brings back. */
static void test_memory_may_end_in_a_commit(void)
{
    for (int64_t k = 0;; k++) {
        ew_model *model = make_body(2);
        add_points(model, 20, 0.1, false);
        load_surface(model, 0);
        must(ew_model_update_loads(model, &(int32_t){0}));
        ew_model_begin(model);
        must(ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0.6, NULL,
                                 ew_model_edit(model)));
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_commit(model);
        const bool refused = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        if (status) {
            must(ew_model_rebuild(model));
        }
        must(ew_mapping_check(ew_model_surface(model, 0), ew_model_mesh(model)));
        expect_loads(model);
        ew_model_free(model);
        if (!refused) {
            break;
        }
    }
}

/* Tets are cut and put back for ever: after a while nothing is allocated. */
static void test_edits_settle_in_memory(void)
{
    ew_model *model = make_body(4);
    uint64_t state = 4;
    add_points(model, 300, 0.0, false);
    load_surface(model, 0);
    must(ew_model_update_loads(model, &(int32_t){0}));
    for (int i = 0; i < 1500; i++) {
        const int32_t t = random_live_tet(ew_model_mesh(model), &state);
        int32_t corner[4];
        memcpy(corner, ew_model_mesh(model)->tet + 4 * t, sizeof corner);
        if (i == 1000) {
            ew_test_allocations_begin(0); /* the next would fail */
        }
        ew_model_begin(model);
        must(ew_edit_remove_tet(ew_model_edit(model), t));
        must(ew_model_commit(model));
        ew_model_begin(model);
        must(ew_edit_add_tet(ew_model_edit(model), corner, 0));
        must(ew_model_commit(model));
    }
    CU_ASSERT_FALSE(ew_test_allocations_end());
    ew_model_free(model);
}

static CU_TestInfo tests[] = {
    {"random_edits", test_random_edits},
    {"refined_is_as_bound_to_the_parts", test_refined_is_as_bound_to_the_parts},
    {"material_that_is_gone", test_material_that_is_gone},
    {"moved_bodies_take_surfaces_along", test_moved_bodies_take_surfaces_along},
    {"resultants_reach_the_mesh", test_resultants_reach_the_mesh},
    {"memory_may_end_in_a_commit", test_memory_may_end_in_a_commit},
    {"edits_settle_in_memory", test_edits_settle_in_memory},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"model surfaces", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
