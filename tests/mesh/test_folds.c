/* Curved tets that fold: single ones against their Jacobian at many points, a mesh that refuses
 * them, edits that would make them; and the curved sides of a mesh after edits. */
#include "curved_fixture.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"

#include <math.h>

static const double unit[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Of the tet at l, in parts of the unit one's. */
static double jacobian(const double *x, const double *d, const double *l)
{
    double y[12];
    memcpy(y, x, sizeof y);
    for (int k = 0; k < 6; k++) {
        const int a = ew_edge_vertex[k][0], b = ew_edge_vertex[k][1];
        for (int c = 0; c < 3; c++) {
            y[3 * a + c] += 4.0 * l[b] * d[3 * k + c];
            y[3 * b + c] += 4.0 * l[a] * d[3 * k + c];
        }
    }
    return 6.0 * ew_tet_volume(y, y + 3, y + 6, y + 9);
}

/* The least over a grid of n steps along each side. */
static double min_of_grid(const double *x, const double *d, int n)
{
    double least = INFINITY;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; i + j <= n; j++) {
            for (int k = 0; i + j + k <= n; k++) {
                const double l[4] = {(double)(n - i - j - k) / n, (double)i / n, (double)j / n,
                                     (double)k / n};
                least = fmin(least, jacobian(x, d, l));
            }
        }
    }
    return least;
}

/* The middle of the first side at s of it: the Jacobian at the near end is 4 s - 1. */
static void test_middle_along_its_side(void)
{
    double d[18] = {0.0}, at[4];
    for (double s = 0.06; s < 1.0; s += 0.1) {
        const double end = fmin(4.0 * s - 1.0, 3.0 - 4.0 * s);
        d[0] = s - 0.5;
        const double found = ew_curved_tet_fold(unit, d, at);
        if (end > 0.0) {
            CU_ASSERT(found == INFINITY);
        } else {
            CU_ASSERT_DOUBLE_EQUAL(found, end, 1e-14);
            CU_ASSERT(at[s < 0.5 ? 0 : 1] == 1.0);
        }
    }
    d[0] = -0.25;
    CU_ASSERT(ew_curved_tet_fold(unit, d, at) == 0.0);
    d[0] = NAN;
    CU_ASSERT(ew_curved_tet_fold(unit, d, at) != INFINITY);
}

/* What is said of a tet is right at every point of a grid, and the place of a fold is one. */
static void test_random_tets(void)
{
    uint64_t state = 5;
    int n_good = 0, n_folded = 0, n_inside = 0, n_open = 0;
    for (int i = 0; i < 20000; i++) {
        double x[12], d[18], at[4];
        const double size = 0.02 + 0.002 * (double)(i % 100);
        for (int k = 0; k < 12; k++) {
            x[k] = unit[k] + 0.3 * ((double)ew_test_random(&state, 2001) / 1000.0 - 1.0);
        }
        for (int k = 0; k < 18; k++) {
            d[k] = size * ((double)ew_test_random(&state, 2001) / 1000.0 - 1.0);
        }
        const double straight = 6.0 * ew_tet_volume(x, x + 3, x + 6, x + 9);
        if (!(straight > 0.1)) {
            continue;
        }
        const double found = ew_curved_tet_fold(x, d, at), least = min_of_grid(x, d, 12);
        if (found == INFINITY) {
            n_good++;
            CU_ASSERT(least > 0.0);
        } else {
            n_folded++;
            n_open += found > 0.0;
            n_inside += fmax(fmax(at[0], at[1]), fmax(at[2], at[3])) < 1.0;
            CU_ASSERT(found < 1e-3);
            CU_ASSERT_DOUBLE_EQUAL(jacobian(x, d, at), found * straight, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL((at[0] + at[1]) + (at[2] + at[3]), 1.0, 1e-15);
        }
    }
    CU_ASSERT(n_good > 10000 && n_folded > 5000 && n_inside > 100 && n_open < 10);
}

/* A box with one side of an inner edge pushed too far: nothing of the mesh changes. */
static void test_mesh_refuses(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){2, 2, 2}));
    bend_mesh(&mesh, 0.0);
    must(ew_mesh_check_curves(&mesh));
    const int32_t *tet = mesh.tet + 4 * 7;
    const double *a = mesh.xyz + 3 * tet[0], *b = mesh.xyz + 3 * tet[1];
    const double node[3] = {0.9 * a[0] + 0.1 * b[0], 0.9 * a[1] + 0.1 * b[1],
                            0.9 * a[2] + 0.1 * b[2]};
    ew_side_middle list = {{tet[0], tet[1]}, 0, 7};
    const ew_mesh before = mesh;
    CU_ASSERT_EQUAL(ew_mesh_set_middles(&mesh, 1, &list, node), EW_MESH_VOLUME);
    CU_ASSERT(ew_last_failure()->id[0] >= 0 && ew_last_failure()->id[0] <= 7);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "its curved sides fold it"));
    CU_ASSERT(!memcmp(&mesh, &before, sizeof mesh));
    for (int64_t k = 0, refused = 1; refused; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_mesh_set_middles(&mesh, 1, &list, node);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_MESH_VOLUME);
        CU_ASSERT(!memcmp(&mesh, &before, sizeof mesh));
        CU_ASSERT_FATAL(k < 100);
    }
    must(ew_mesh_check_curves(&mesh));
    ew_mesh_free(&mesh);
}

/* A corner pushed on and on: each step leaves a mesh that may be read, or changes nothing. */
static void test_edits_refuse(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){2, 2, 2}));
    bend_mesh(&mesh, 0.05);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_order(model, true));
    const ew_mesh *of = ew_model_mesh(model);
    const int32_t *tet = of->tet + 4 * 11;
    double x[3], to[3];
    memcpy(x, of->xyz + 3 * tet[0], sizeof x);
    int n_taken = 0;
    ew_status status = EW_OK;
    for (double t = 0.005; t < 1.0 && !status; t += 0.005) {
        const uint64_t revision = of->revision;
        for (int c = 0; c < 3; c++) {
            to[c] = (1.0 - t) * x[c] + t / 3.0 *
                                           (of->xyz[3 * tet[1] + c] + of->xyz[3 * tet[2] + c] +
                                            of->xyz[3 * tet[3] + c]);
        }
        ew_model_begin(model);
        must(ew_edit_move_vertex(ew_model_edit(model), tet[0], to));
        status = ew_model_commit(model);
        n_taken += !status;
        CU_ASSERT_EQUAL(status, status ? EW_BAD_EDIT : EW_OK);
        CU_ASSERT((of->revision == revision) == (status != EW_OK));
        must(ew_mesh_check_curves(of));
    }
    CU_ASSERT(n_taken > 3 && status == EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "edit: tet "));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "its curved sides fold it"));
    ew_model_free(model);
}

/* Parts of curved tets are as good as these. */
static void test_refined_tets(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){2, 2, 2}));
    bend_mesh(&mesh, 0.03);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_order(model, true));
    const ew_mesh *of = ew_model_mesh(model);
    for (double longest = 0.6; longest > 0.2; longest *= 0.7) {
        must(
            ew_operation_refine(of, ew_model_topology(model), longest, NULL, ew_model_edit(model)));
        must(ew_model_commit(model));
        must(ew_mesh_check_curves(of));
        ew_model_begin(model);
    }
    CU_ASSERT(of->n_live_tet > 500 && of->n_curve > 500);
    ew_model_free(model);
}

/* What an edit says of sides is looked at before it is taken. */
static ew_status queue_curve(void *user, const ew_model *model, ew_edit *edit)
{
    const double *curve = user;
    (void)model;
    return ew_edit_add_curve(edit, 0, curve[0] > 0.5 ? 100000 : 1, curve);
}

static void test_bad_curves(void)
{
    static const ew_material steel = {.young = 200.0, .poisson = 0.3};
    ew_model *model = make_bent_model_of(0.0, &steel);
    CU_ASSERT_EQUAL(ew_model_apply(model, queue_curve, (double[]){1.0, 0.0, 0.0}), EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "curve 0 of the queue is between 0 and 100000"));
    CU_ASSERT_EQUAL(ew_model_apply(model, queue_curve, (double[]){0.0, NAN, 0.0}), EW_BAD_EDIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "give finite numbers"));
    ew_model_free(model);
}

/* Each curved side is found where the list has it, and some tet has it; places by ends ascend. */
static void check_list(const ew_mesh *mesh)
{
    bool *used = calloc((size_t)mesh->n_curve + 1, sizeof *used);
    int32_t *order = calloc((size_t)mesh->n_curve + 1, sizeof *order), n = 0;
    for (int32_t i = 0; i < 6 * mesh->n_tet; i++) {
        const int32_t *v = mesh->tet + 4 * (size_t)(i / 6);
        const double *curve = NULL;
        if (ew_mesh_tet_is_live(mesh, i / 6)) {
            curve = ew_mesh_curve(mesh, mesh->vertex_id[v[ew_edge_vertex[i % 6][0]]],
                                  mesh->vertex_id[v[ew_edge_vertex[i % 6][1]]]);
        }
        if (curve) {
            used[(curve - mesh->curve) / 3] = true;
        }
    }
    must(ew_mesh_sort_curves(mesh, order));
    for (int32_t i = 0; i < mesh->n_curve; i++) {
        const int64_t *end = mesh->curve_end + 2 * (size_t)order[i];
        const int64_t *last = mesh->curve_end + 2 * (size_t)order[i ? i - 1 : 0];
        CU_ASSERT(end[0] < end[1]);
        CU_ASSERT(i == 0 || last[0] < end[0] || (last[0] == end[0] && last[1] < end[1]));
        CU_ASSERT_PTR_EQUAL(ew_mesh_curve(mesh, end[0], end[1]), mesh->curve + 3 * order[i]);
        n += used[order[i]];
    }
    CU_ASSERT_EQUAL(n, mesh->n_curve);
    free(used);
    free(order);
}

/* Tets go, a new vertex with a tet comes, sides of tet 40 get curves. */
static void queue_curves(const ew_mesh *mesh, ew_edit *edit)
{
    const int32_t *v = mesh->tet + 4 * (size_t)40;
    const double up[3] = {2.0, 2.0, 2.0}, bent[3] = {0.0, 0.0, 1e-3}, none[3] = {0.0};
    int32_t top;
    for (int32_t t = 0; t < 12; t++) {
        must(ew_edit_remove_tet(edit, t));
    }
    must(ew_edit_move_vertex(edit, v[0], mesh->xyz + 3 * (size_t)v[0]));
    must(ew_edit_add_vertex(edit, up, &top));
    must(ew_edit_add_curve(edit, v[1], v[0], bent));
    must(ew_edit_add_curve(edit, v[0], v[1], none)); /* too late */
    must(ew_edit_add_curve(edit, v[0], v[2], none));
    must(ew_edit_add_curve(edit, top, v[0], bent)); /* no side of a tet */
}

/* With the table of tets by vertex and without, and where memory is short. */
static void test_commit_keeps_curves(void)
{
    static const ew_material steel = {.young = 200.0, .poisson = 0.3};
    ew_model *model = make_bent_model_of(0.0, &steel);
    const ew_mesh *from = ew_model_mesh(model);
    const int32_t *v = from->tet + 4 * (size_t)40;
    const int64_t id[3] = {from->vertex_id[v[0]], from->vertex_id[v[1]], from->vertex_id[v[2]]};
    CU_ASSERT_PTR_NOT_NULL_FATAL(ew_mesh_curve(from, id[0], id[2]));
    ew_mesh mesh[2];
    for (int k = 0; k < 2; k++) {
        ew_edit edit = {0};
        ew_change change = {0};
        const ew_rows *rows = k ? NULL : &ew_model_topology(model)->vertex_to_tet;
        must(ew_mesh_copy(&mesh[k], from));
        queue_curves(from, &edit);
        ew_status status = EW_NO_MEMORY;
        for (int64_t at = 0; status == EW_NO_MEMORY && at < 1000; at++) {
            CU_ASSERT_EQUAL(mesh[k].n_curve, from->n_curve);
            ew_test_allocations_begin(at);
            status = ew_mesh_commit(&mesh[k], &edit, rows, &change);
            ew_test_allocations_end();
        }
        CU_ASSERT_EQUAL(status, EW_OK);
        check_list(&mesh[k]);
        CU_ASSERT(mesh[k].n_curve < from->n_curve - 1);
        const double *bent = ew_mesh_curve(&mesh[k], id[0], id[1]);
        CU_ASSERT(bent && bent[0] == 0.0 && bent[2] == 1e-3);
        CU_ASSERT_PTR_NULL(ew_mesh_curve(&mesh[k], id[0], id[2]));
        ew_edit_free(&edit);
        ew_change_free(&change);
    }
    CU_ASSERT_EQUAL_FATAL(mesh[0].n_curve, mesh[1].n_curve);
    CU_ASSERT(!memcmp(mesh[0].curve, mesh[1].curve, 3 * sizeof(double) * (size_t)mesh[0].n_curve));
    ew_mesh_free(&mesh[0]);
    ew_mesh_free(&mesh[1]);
    ew_model_free(model);
}

/* A list of sides by hand: the curve of each, as the last batch that gave one left it. */
typedef struct by_hand {
    int32_t n;
    int64_t end[2000][2];
    double curve[2000][3];
} by_hand;

static int32_t place_by_hand(const by_hand *list, int64_t a, int64_t b)
{
    for (int32_t i = 0; i < list->n; i++) {
        if (list->end[i][0] == (a < b ? a : b) && list->end[i][1] == (a < b ? b : a)) {
            return i;
        }
    }
    return list->n;
}

static void put_by_hand(by_hand *list, int64_t a, int64_t b, const double *curve)
{
    const int32_t i = place_by_hand(list, a, b);
    list->n += i == list->n;
    list->end[i][0] = a < b ? a : b;
    list->end[i][1] = a < b ? b : a;
    memcpy(list->curve[i], curve, sizeof list->curve[i]);
}

/* Curved sides of tets, and no others, are in both; straight ones may be in that by hand. */
static void compare_by_hand(const ew_mesh *mesh, const by_hand *list)
{
    must(ew_mesh_check(mesh));
    for (int32_t i = 0; i < 6 * mesh->n_tet; i++) {
        const int32_t *v = mesh->tet + 4 * (size_t)(i / 6);
        if (ew_mesh_tet_is_live(mesh, i / 6)) {
            const int64_t a = mesh->vertex_id[v[ew_edge_vertex[i % 6][0]]];
            const int64_t b = mesh->vertex_id[v[ew_edge_vertex[i % 6][1]]];
            const int32_t at = place_by_hand(list, a, b);
            const double none[3] = {0.0}, *own = ew_mesh_curve(mesh, a, b);
            const double *other = at < list->n ? list->curve[at] : none;
            CU_ASSERT(!memcmp(own ? own : none, other, sizeof none));
            CU_ASSERT(!own || own[0] != 0.0);
        }
    }
    check_list(mesh);
}

static bool is_queued(const ew_edit *edit, int32_t a, int32_t b)
{
    bool any = false;
    for (int32_t i = 0; i < edit->n_curve; i++) {
        const int32_t *end = edit->curve_end + 2 * (size_t)i;
        any = any || (end[0] == a && end[1] == b) || (end[0] == b && end[1] == a);
    }
    return any;
}

/* Random batches give curves, take them back and take tets away, until next to none is left. */
static void test_random_commits(void)
{
    ew_mesh mesh;
    ew_edit edit = {0};
    ew_change change = {0};
    by_hand *list = calloc(1, sizeof *list);
    uint64_t seed = 5;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){4, 3, 3}));
    bend_mesh(&mesh, 0.01);
    for (int32_t i = 0; i < mesh.n_curve; i++) {
        put_by_hand(list, mesh.curve_end[2 * i], mesh.curve_end[2 * i + 1], mesh.curve + 3 * i);
    }
    compare_by_hand(&mesh, list);
    for (int k = 0; k < 60; k++) {
        ew_edit_clear(&edit);
        const int32_t first = (int32_t)ew_test_random(&seed, (uint32_t)mesh.n_tet - 40);
        for (int32_t t = first; t < first + 40; t += 5) {
            const int side = (int)ew_test_random(&seed, 6);
            const int32_t *v = mesh.tet + 4 * (size_t)t;
            const int32_t a = v[ew_edge_vertex[side][0]], b = v[ew_edge_vertex[side][1]];
            const double curve[3] = {1e-3 * ew_test_random(&seed, 3), 0.0, 0.0};
            if (!ew_mesh_tet_is_live(&mesh, t)) {
                continue;
            }
            if (ew_test_random(&seed, 2)) {
                must(ew_edit_remove_tet(&edit, t));
            } else if (!is_queued(&edit, a, b)) { /* the first curve of a side counts */
                must(ew_edit_add_curve(&edit, a, b, curve));
                put_by_hand(list, mesh.vertex_id[a], mesh.vertex_id[b], curve);
            }
        }
        if (edit.n_curve) { /* its tets count as changed */
            const double *x = mesh.xyz + 3 * edit.curve_end[0];
            must(
                ew_edit_move_vertex(&edit, edit.curve_end[0], (double[]){x[0] + 1e-9, x[1], x[2]}));
        }
        must(ew_mesh_commit(&mesh, &edit, NULL, &change));
        compare_by_hand(&mesh, list);
    }
    CU_ASSERT(mesh.n_curve > 20);
    mesh.curve_end[0]++;
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_MESH_IDS);
    ew_edit_free(&edit);
    ew_change_free(&change);
    ew_mesh_free(&mesh);
    free(list);
}

static ew_status queue_straight(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t *pair = ew_model_topology(model)->pattern.pair_row;
    const double none[3] = {0.0};
    (void)user;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        EW_TRY(ew_edit_move_vertex(edit, v, (double[3]){1.5 * x[0], x[1], x[2]}));
    }
    for (int32_t i = 0; i < ew_model_topology(model)->pattern.n_pair; i++) {
        EW_TRY(ew_edit_add_curve(edit, pair[2 * i], pair[2 * i + 1], none));
    }
    return EW_OK;
}

static ew_status queue_parts(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), *(double *)user,
                               NULL, edit);
}

/* A body that has become straight goes on as one, with more edges than it had. */
static void test_straightened(void)
{
    static const ew_material steel = {.young = 200.0, .poisson = 0.3};
    ew_model *model = make_bent_model_of(0.0, &steel);
    ew_model_verification same;
    must(ew_model_apply(model, queue_straight, NULL));
    CU_ASSERT_EQUAL(ew_model_mesh(model)->n_curve, 0);
    must(ew_model_apply(model, queue_parts, (double[]){0.3}));
    CU_ASSERT(ew_model_mesh(model)->n_live_tet > 500);
    must(ew_model_verify(model, &same));
    CU_ASSERT_EQUAL(same.n_different, 0);
    ew_mesh_measure measure;
    ew_mesh_take_measure(ew_model_mesh(model), &measure);
    CU_ASSERT_DOUBLE_EQUAL(volume_of(model), measure.volume, 1e-12);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"middle_along_its_side", test_middle_along_its_side},
        {"random_tets", test_random_tets},
        {"mesh_refuses", test_mesh_refuses},
        {"edits_refuse", test_edits_refuse},
        {"refined_tets", test_refined_tets},
        {"bad_curves", test_bad_curves},
        {"commit_keeps_curves", test_commit_keeps_curves},
        {"random_commits", test_random_commits},
        {"straightened", test_straightened},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"folds", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
