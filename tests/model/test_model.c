/* What a model promises, one promise a test: what a refused commit leaves, slots that are used
 * again, losses, shares, regions, compaction, answers that are stale. */
#include "model_fixture.h"

/* ---- helpers ----------------------------------------------------------------- */

static ew_model *make_bare(int32_t cells)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    const ew_model_def def = ew_default_model_def();
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){cells, cells, cells}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS,
                               &(ew_material){.young = 210e9, .poisson = 0.3, .density = 7850.0}));
    return model;
}

static int32_t vertex_at(const ew_mesh *mesh, double x, double y, double z)
{
    int32_t found = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *at = mesh->xyz + 3 * (size_t)v;
        if (mesh->valence[v] >= 0 && fabs(at[0] - x) + fabs(at[1] - y) + fabs(at[2] - z) < 1e-9) {
            found = v;
        }
    }
    CU_ASSERT_FATAL(found >= 0);
    return found;
}

static int32_t add_vertex_set(ew_model *model, const char *name, const int32_t *vertex, int32_t n)
{
    ew_list list = {n, n, (int32_t *)(uintptr_t)vertex};
    const ew_model_set_def def = {name, EW_SET_OF_VERTICES, true};
    int32_t set = -1;
    must(ew_model_add_set(model, &def, &list, &set));
    return set;
}

/* Queues the removal of all tets of a vertex; returns their number. */
static int32_t queue_tets_of(ew_model *model, int32_t v)
{
    const ew_rows *rows = &ew_model_topology(model)->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        must(ew_edit_remove_tet(ew_model_edit(model), rows->item[rows->begin[v] + i]));
    }
    return rows->count[v];
}

/* Queues a tet with a new vertex beyond the face x = 1, which is far from x = 0. */
static void queue_bump(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_boundary *boundary;
    int32_t apex, code = -1;
    must(ew_model_boundary(model, &boundary));
    for (int32_t s = 0; s < boundary->n_slot && code < 0; s++) {
        const int32_t c = boundary->code[s];
        code = c >= 0 && tet_is_at(mesh, END_FACES, c / 4, c % 4) ? c : -1;
    }
    CU_ASSERT_FATAL(code >= 0);
    int32_t v[3];
    double top[3] = {0.4, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        v[k] = mesh->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
        for (int c = 0; c < 3; c++) {
            top[c] += mesh->xyz[3 * v[k] + c] / 3.0;
        }
    }
    must(ew_edit_add_vertex(ew_model_edit(model), top, &apex));
    must(ew_edit_add_tet(ew_model_edit(model), (int32_t[4]){v[0], v[1], v[2], apex}, 1));
}

static void sync_loads(ew_model *model)
{
    must(ew_model_recover(model, NULL, NULL));
}

static double total_force(const ew_model *model, int c)
{
    double sum = 0.0;
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        sum += ew_model_force(model)[3 * v + c];
    }
    return sum;
}

/* ---- slots ---------------------------------------------------------------------- */

static void test_freed_slot_keeps_no_membership(void)
{
    ew_model *model = make_bare(3);
    const int32_t corner = vertex_at(ew_model_mesh(model), 0.0, 0.0, 1.0);
    const int32_t set = add_vertex_set(model, "corner", &corner, 1);
    const ew_model_load force = {.kind = EW_LOAD_FORCE, .set = set, .vector = {1.0, 0.0, 0.0}};
    must(ew_model_set_loads(model, 1, &force));
    must(ew_model_set_constraints(model, 1, &(ew_model_constraint){.set = set, .fixed = 7}));
    queue_tets_of(model, corner);
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_view_set(model, set).member->list.n, 1); /* it may come back */
    CU_ASSERT_EQUAL(ew_model_view_set(model, set).n_active, 0);
    ew_model_begin(model);
    must(ew_edit_remove_vertex(ew_model_edit(model), corner));
    must(ew_model_commit(model));
    ew_model_begin(model);
    queue_bump(model);
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_change(model)->added_vertex.id[0], corner);
    CU_ASSERT_EQUAL(ew_model_view_set(model, set).member->list.n, 0);
    sync_loads(model);
    CU_ASSERT_EQUAL(ew_model_force(model)[3 * corner], 0.0);
    CU_ASSERT_EQUAL(ew_model_constraints(model)->fixed[corner], 0);
    ew_model_free(model);
}

/* The slot of a loaded vertex goes to a far one by the batch that removes it. */
static void test_slot_reused_by_the_same_commit(void)
{
    ew_model *model = make_bare(3);
    const int32_t at[2] = {vertex_at(ew_model_mesh(model), 0.0, 0.0, 1.0),
                           vertex_at(ew_model_mesh(model), 0.0, 1.0, 0.0)};
    const int32_t set = add_vertex_set(model, "two", at, 2);
    const int32_t one = add_vertex_set(model, "one", at, 1);
    const ew_model_load load[2] = {
        {.kind = EW_LOAD_TOTAL_FORCE, .set = set, .vector = {8.0, 0.0, 0.0}},
        {.kind = EW_LOAD_FORCE, .set = one, .vector = {0.0, 3.0, 0.0}}};
    must(ew_model_set_loads(model, 2, load));
    sync_loads(model);
    CU_ASSERT_EQUAL(ew_model_force(model)[3 * at[1]], 4.0);
    queue_tets_of(model, at[0]);
    must(ew_edit_remove_vertex(ew_model_edit(model), at[0]));
    queue_bump(model);
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_change(model)->added_vertex.id[0], at[0]);
    CU_ASSERT_EQUAL(ew_model_view_set(model, set).n_active, 1);
    CU_ASSERT_EQUAL(ew_model_view_set(model, set).n_lost, 1);
    CU_ASSERT_EQUAL(ew_model_view_set(model, one).n_active, 0);
    sync_loads(model);
    CU_ASSERT_EQUAL(ew_model_force(model)[3 * at[0]], 0.0);
    CU_ASSERT_EQUAL(ew_model_force(model)[3 * at[1]], 8.0);
    CU_ASSERT_EQUAL(ew_model_view_report(model)->lost_force[0], 0.0);
    CU_ASSERT_EQUAL(ew_model_view_report(model)->lost_force[1], 3.0);
    ew_model_free(model);
}

/* ---- loads ----------------------------------------------------------------------- */

/* Vertices removed in the batch that takes their last tet: the others take over their shares. */
static void test_shares_follow_removed_vertices(void)
{
    ew_model *model = make_bare(3);
    int32_t at[3] = {vertex_at(ew_model_mesh(model), 0.0, 0.0, 1.0),
                     vertex_at(ew_model_mesh(model), 0.0, 1.0, 0.0),
                     vertex_at(ew_model_mesh(model), 1.0, 0.0, 0.0)};
    const int32_t set = add_vertex_set(model, "three", at, 3);
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE, .set = set, .vector = {0, 0, 12.0}};
    must(ew_model_set_loads(model, 1, &load));
    sync_loads(model);
    for (int i = 0; i < 3; i++) {
        queue_tets_of(model, at[i]);
        must(ew_edit_remove_vertex(ew_model_edit(model), at[i]));
        must(ew_model_commit(model));
        ew_model_begin(model);
        CU_ASSERT_EQUAL(ew_model_view_report(model)->lost_force[2], i < 2 ? 0.0 : 12.0);
        sync_loads(model);
        CU_ASSERT_EQUAL(total_force(model, 2), i < 2 ? 12.0 : 0.0);
        CU_ASSERT(i > 1 || ew_model_force(model)[3 * at[2] + 2] == 12.0 / (2 - i));
    }
    ew_model_free(model);
}

/* A total force on faces is there until the last face goes. */
static void test_total_force_on_faces_is_lost_with_the_last(void)
{
    ew_model *model = make_bare(1);
    ew_list top = {0};
    int32_t set;
    must(choose_members(model, TOP_FACES, &top));
    CU_ASSERT_EQUAL(top.n, 2);
    must(ew_model_add_set(model, &set_def[TOP_FACES], &top, &set));
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE, .set = set, .vector = {0, 0, -6.0}};
    must(ew_model_set_loads(model, 1, &load));
    for (int i = 0; i < 2; i++) {
        must(ew_edit_remove_tet(ew_model_edit(model), top.id[i] / 4));
        must(ew_model_commit(model));
        ew_model_begin(model);
        CU_ASSERT_EQUAL(ew_model_view_report(model)->lost_force[2], i ? -6.0 : 0.0);
        sync_loads(model);
        CU_ASSERT_DOUBLE_EQUAL(total_force(model, 2), i ? 0.0 : -6.0, 1e-14);
    }
    ew_model_clear_report(model);
    CU_ASSERT_EQUAL(ew_model_view_report(model)->lost_force[2], 0.0);
    ew_list_free(&top);
    ew_model_free(model);
}

/* A pressure that edits take away is counted; faces that only change their tet lose nothing. */
static void test_lost_pressure_is_counted(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list end = {0};
    double area[3];
    must(choose_members(model, END_FACES, &end));
    ew_face_area_vector(mesh, end.id[0], area);
    const ew_model_load load = {.kind = EW_LOAD_PRESSURE, .set = END_FACES, .pressure = 5.0};
    must(ew_model_set_loads(model, 1, &load));
    must(ew_edit_remove_tet(ew_model_edit(model), end.id[0] / 4));
    must(ew_model_commit(model));
    int32_t of_tet = 0;
    for (int32_t i = 0; i < end.n; i++) {
        of_tet += end.id[i] / 4 == end.id[0] / 4;
    }
    CU_ASSERT_DOUBLE_EQUAL(ew_model_view_report(model)->lost_force[0], -5.0 * area[0] * of_tet,
                           1e-14);
    CU_ASSERT_EQUAL(ew_model_view_set(model, END_FACES).n_lost, of_tet);
    ew_list_free(&end);
    ew_model_free(model);
}

static void test_a_force_on_faces_is_refused_at_once(void)
{
    ew_model *model = make_model(1, NULL);
    const ew_model_load load = {.kind = EW_LOAD_FORCE, .set = TOP_FACES};
    const ew_model_load on_tets = {.kind = EW_LOAD_TRACTION, .set = HALF};
    CU_ASSERT_EQUAL(ew_model_set_loads(model, 1, &load), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_set_loads(model, 1, &on_tets), EW_BAD_ARGUMENT);
    sync_loads(model); /* those before are in place */
    ew_model_free(model);
}

/* ---- commits ------------------------------------------------------------------------ */

/* Nothing is recorded of what is refused. */
static void test_refused_commit_changes_nothing(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_mesh *mesh = ew_model_mesh(model);
    const uint64_t revision = mesh->revision;
    sync_loads(model);
    const ew_model_report before = *ew_model_view_report(model);
    ew_list end = {0};
    must(choose_members(model, END_FACES, &end));
    for (int pass = 0; pass < 2; pass++) {
        must(ew_edit_remove_tet(ew_model_edit(model), end.id[0] / 4));
        if (pass) {
            must(ew_edit_add_tet(ew_model_edit(model), (int32_t[4]){0, 1, 2, 2}, 1));
        } else {
            must(ew_edit_remove_tet(ew_model_edit(model), end.id[0] / 4));
        }
        CU_ASSERT_EQUAL(ew_model_commit(model), EW_BAD_EDIT);
        ew_model_begin(model);
        const ew_model_report *now = ew_model_view_report(model);
        CU_ASSERT_EQUAL(now->n_commit, before.n_commit);
        CU_ASSERT_EQUAL(memcmp(now->lost_force, before.lost_force, sizeof now->lost_force), 0);
        CU_ASSERT_EQUAL(mesh->revision, revision);
        CU_ASSERT_EQUAL(ew_model_view_set(model, END_FACES).n_lost, 0);
        CU_ASSERT_EQUAL(ew_model_change(model)->removed_tet.n, 0);
        expect_as_fresh(model);
    }
    ew_list_free(&end);
    ew_model_free(model);
}

static ew_status queue_half_and_fail(void *user, const ew_model *model, ew_edit *edit)
{
    (void)user;
    (void)model;
    EW_TRY(ew_edit_remove_tet(edit, 0));
    return ew_fail(EW_BAD_INPUT, "an operation of one's own that changes its mind");
}

static void test_a_failed_operation_leaves_an_empty_queue(void)
{
    ew_model *model = make_bare(1);
    CU_ASSERT_EQUAL(ew_model_apply(model, queue_half_and_fail, NULL), EW_BAD_INPUT);
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_mesh(model)->n_live_tet, 6);
    ew_model_free(model);
}

static ew_status queue_slowly(void *user, const ew_model *model, ew_edit *edit)
{
    const double start = ew_seconds();
    double *spent = user;
    for (int32_t i = 0; i < 50; i++) {
        EW_TRY(ew_mesh_check(ew_model_mesh(model)));
    }
    EW_TRY(ew_edit_remove_tet(edit, 0));
    *spent = ew_seconds() - start;
    return EW_OK;
}

/* Choosing what to edit is work like the rest, and often the most of it. */
static void test_the_report_counts_choosing(void)
{
    ew_model *model = make_bare(3);
    double spent = 0.0;
    ew_model_clear_report(model);
    const double start = ew_seconds();
    must(ew_model_apply(model, queue_slowly, &spent));
    const double all = ew_seconds() - start;
    const ew_model_report *report = ew_model_view_report(model);
    CU_ASSERT(report->seconds_choose >= spent);
    CU_ASSERT(report->seconds_commit > 0.0);
    CU_ASSERT(report->seconds_choose + report->seconds_commit + report->seconds_tables +
                  report->seconds_boundary + report->seconds_follow + report->seconds_support <=
              all);
    ew_model_free(model);
}

/* What a failure is about can be asked for; nobody needs to read its text. */
static void test_failures_name_their_ids(void)
{
    ew_model *model = make_bare(1);
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_list absent = {1, 1, (int32_t[1]){mesh->n_vertex + 5}};
    const ew_model_set_def def = {"absent", EW_SET_OF_VERTICES, true};
    int32_t set;
    CU_ASSERT_EQUAL(ew_model_add_set(model, &def, &absent, &set), EW_BAD_ARGUMENT);
    const ew_failure *failure = ew_last_failure();
    CU_ASSERT_EQUAL(failure->status, EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(failure->id[0], absent.id[0]);
    CU_ASSERT_EQUAL(failure->id[1], -1);
    CU_ASSERT_EQUAL(failure->line, 0);
    CU_ASSERT_STRING_EQUAL(ew_message(), failure->text);
    ew_fail_line(EW_BAD_ARGUMENT, 7);
    ew_fail_prefix(EW_BAD_ARGUMENT, "set 'absent'");
    CU_ASSERT_EQUAL(ew_last_failure()->line, 7);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], absent.id[0]);
    CU_ASSERT_EQUAL(strncmp(ew_message(), "line 7: set 'absent': ", 22), 0);
    ew_model_free(model);
}

static void test_new_regions_need_a_material(void)
{
    ew_model *model = make_model(2, NULL);
    ew_model *bare = NULL;
    ew_mesh mesh;
    const ew_model_def def = ew_default_model_def();
    queue_bump(model);
    ew_model_edit(model)->add_tet_region[0] = 77;
    must(ew_model_commit(model)); /* EW_ALL_REGIONS serves it */
    expect_as_fresh(model);
    ew_model_begin(model);
    queue_bump(model);
    ew_model_edit(model)->add_tet_region[0] = 78;
    sync_loads(model);
    must(ew_model_commit(model));
    expect_as_fresh(model);
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){1, 1, 1}));
    must(ew_model_create(&bare, &mesh, &def));
    must(ew_model_set_material(bare, 1,
                               &(ew_material){.young = 1e9, .poisson = 0.3, .density = 0.0}));
    queue_bump(bare);
    ew_model_edit(bare)->add_tet_region[0] = 5;
    CU_ASSERT_EQUAL(ew_model_commit(bare), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_model_mesh(bare)->n_live_tet, 6);
    ew_model_free(bare);
    ew_model_free(model);
}

/* Where most of the mesh is new, tables are built; face sets follow all the same. */
static void test_refine_everywhere_keeps_face_sets(void)
{
    ew_model *model = make_model(2, NULL);
    for (int round = 0; round < 2; round++) {
        const int32_t n = ew_model_view_set(model, TOP_FACES).n_active;
        ew_model_begin(model);
        must(ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0.0, NULL,
                                 ew_model_edit(model)));
        must(ew_model_commit(model));
        CU_ASSERT(ew_model_view_set(model, TOP_FACES).n_active > n);
        CU_ASSERT_EQUAL(ew_model_view_set(model, TOP_FACES).n_lost, 0);
        expect_as_fresh(model);
    }
    ew_model_free(model);
}

/* ---- compaction ------------------------------------------------------------------------ */

static void test_compaction_names_every_slot(void)
{
    ew_model *model = make_model(3, NULL);
    ew_mesh before;
    const ew_decimate_def def = {.fraction = 0.7, .order = EW_DECIMATE_RANDOM, .seed = 3};
    must(ew_operation_decimate(ew_model_mesh(model), &def, ew_model_edit(model)));
    must(ew_model_commit(model));
    CU_ASSERT(ew_model_is_sparse(model));
    must(ew_model_queue_unused(model));
    must(ew_model_commit(model));
    must(ew_mesh_copy(&before, ew_model_mesh(model)));
    int32_t *vertex = malloc((size_t)before.n_vertex * sizeof *vertex);
    int32_t *tet = malloc((size_t)before.n_tet * sizeof *tet);
    must(ew_model_compact(model, vertex, tet));
    const ew_mesh *mesh = ew_model_mesh(model);
    CU_ASSERT_EQUAL(mesh->n_tet, mesh->n_live_tet);
    CU_ASSERT_EQUAL(mesh->n_vertex, mesh->n_active_vertex);
    for (int32_t v = 0; v < before.n_vertex; v++) {
        CU_ASSERT(before.valence[v] < 0 ? vertex[v] == -1
                                        : mesh->vertex_id[vertex[v]] == before.vertex_id[v]);
    }
    for (int32_t t = 0; t < before.n_tet; t++) {
        CU_ASSERT(!ew_mesh_tet_is_live(&before, t) ? tet[t] == -1
                                                   : mesh->tet_id[tet[t]] == before.tet_id[t]);
    }
    CU_ASSERT(!ew_model_is_sparse(model));
    expect_as_fresh(model);
    free(vertex);
    free(tet);
    ew_mesh_free(&before);
    ew_model_free(model);
}

/* ---- stale answers ----------------------------------------------------------------------- */

static void test_recovered_fields_are_of_the_mesh_as_it_is(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    CU_ASSERT_PTR_NULL(ew_model_recovered(model));
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT_EQUAL(ew_model_estimate(model, NULL, NULL), EW_STALE);
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_estimate(model, NULL, NULL));
    CU_ASSERT_PTR_NOT_NULL(ew_model_recovered(model));
    must(ew_edit_move_vertex(ew_model_edit(model), vertex_at(ew_model_mesh(model), 1.0, 1.0, 1.0),
                             (double[3]){1.1, 1.0, 1.0}));
    must(ew_model_commit(model));
    CU_ASSERT_PTR_NULL(ew_model_recovered(model));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_set_material(
        model, 1,
        &(ew_material){.young = 70e9, .poisson = 0.3, .density = 2700.0, .expansion = 2.3e-5}));
    CU_ASSERT_PTR_NULL(ew_model_recovered(model));
    ew_model_free(model);
}

/* The answer after edits and another material is that of a fresh model. */
static void test_solution_is_that_of_a_fresh_model(void)
{
    ew_model *model = make_model(3, NULL);
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    def.tolerance = 1e-12;
    must(ew_model_solve(model, &def, &info));
    must(ew_model_set_material(
        model, EW_ALL_REGIONS,
        &(ew_material){.young = 70e9, .poisson = 0.3, .density = 2700.0, .expansion = 2.3e-5}));
    must(ew_model_solve(model, &def, &info));
    queue_tets_of(model, vertex_at(ew_model_mesh(model), 1.0, 1.0, 1.0));
    must(ew_model_commit(model));
    must(ew_model_set_material(
        model, EW_ALL_REGIONS,
        &(ew_material){.young = 210e9, .poisson = 0.3, .density = 7850.0, .expansion = 1.2e-5}));
    must(ew_model_solve(model, &def, &info));
    ew_model *fresh = make_fresh(model);
    must(ew_model_solve(fresh, &def, &info));
    double largest = 0.0, error = 0.0;
    for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
        const double a = ew_model_displacement(model)[i], b = ew_model_displacement(fresh)[i];
        largest = fmax(largest, fabs(b));
        error = fmax(error, fabs(a - b));
    }
    CU_ASSERT(largest > 0.0 && error < 1e-9 * largest);
    ew_model_free(fresh);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"freed_slot_keeps_no_membership", test_freed_slot_keeps_no_membership},
        {"slot_reused_by_the_same_commit", test_slot_reused_by_the_same_commit},
        {"shares_follow_removed_vertices", test_shares_follow_removed_vertices},
        {"total_force_on_faces_is_lost_with_the_last",
         test_total_force_on_faces_is_lost_with_the_last},
        {"lost_pressure_is_counted", test_lost_pressure_is_counted},
        {"a_force_on_faces_is_refused_at_once", test_a_force_on_faces_is_refused_at_once},
        {"refused_commit_changes_nothing", test_refused_commit_changes_nothing},
        {"a_failed_operation_leaves_an_empty_queue", test_a_failed_operation_leaves_an_empty_queue},
        {"the_report_counts_choosing", test_the_report_counts_choosing},
        {"failures_name_their_ids", test_failures_name_their_ids},
        {"new_regions_need_a_material", test_new_regions_need_a_material},
        {"refine_everywhere_keeps_face_sets", test_refine_everywhere_keeps_face_sets},
        {"compaction_names_every_slot", test_compaction_names_every_slot},
        {"recovered_fields_are_of_the_mesh_as_it_is",
         test_recovered_fields_are_of_the_mesh_as_it_is},
        {"solution_is_that_of_a_fresh_model", test_solution_is_that_of_a_fresh_model},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
