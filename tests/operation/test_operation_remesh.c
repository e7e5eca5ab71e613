/* Operations that remesh, refine and smooth; then all operations in random order, without
 * memory, and on nothing. */
#include "operation_body.h"
#include "shape/parts/shape.h"

#include <stdlib.h>
#include <time.h>

/* ---- refine ------------------------------------------------------------ */

/* Commits, and checks that volume and boundary are what they were and that each new vertex is
 * the middle of its parents. */
static void commit_refined(body *b)
{
    double volume = measure(b).volume, area = boundary_area(b);
    for (int32_t k = 0; k < b->edit.n_add_vertex; k++) {
        const double *x[2];
        for (int i = 0; i < 2; i++) {
            int32_t v = b->edit.add_parent[2 * k + i];
            CU_ASSERT_FATAL(v >= 0 || EW_NEW_VERTEX(v) < k);
            x[i] = v >= 0 ? b->mesh.xyz + 3 * v : b->edit.add_vertex + 3 * EW_NEW_VERTEX(v);
        }
        for (int i = 0; i < 3; i++) {
            CU_ASSERT(b->edit.add_vertex[3 * k + i] == 0.5 * x[0][i] + 0.5 * x[1][i]);
        }
    }
    commit(b);
    CLOSE(measure(b).volume, volume, 1e-12); /* sums of many tets */
    CLOSE(boundary_area(b), area, 1e-12);
}

static void test_refine_to_a_length(void)
{
    for (int shape = 0; shape < 3; shape++) {
        body b = {0};
        if (shape == 0) {
            make_box(&b, 1, 0.7, 0.4, 2, 2, 1);
        } else if (shape == 1) {
            CU_ASSERT_EQUAL_FATAL(ew_shape_torus(&b.mesh, 1, 0.3, (int32_t[2]){9, 2}), EW_OK);
            follow(&b);
        } else {
            CU_ASSERT_EQUAL_FATAL(ew_shape_sphere_octant(&b.mesh, 0.5, 1, (int32_t[2]){2, 1}),
                                  EW_OK);
            follow(&b);
        }
        double quality = measure(&b).min_quality;
        for (double longest = 0.4; longest > 0.09; longest /= 2.0) {
            CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, longest, NULL, &b.edit),
                                  EW_OK);
            commit_refined(&b);
            CU_ASSERT(measure(&b).longest_edge <= longest);
            CU_ASSERT(measure(&b).min_quality > 0.3 * quality);
        }
        CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 0.1, NULL, &b.edit), EW_OK);
        CU_ASSERT(is_empty(&b.edit));
        drop(&b);
    }
}

/* The box labels its whole boundary; so must what refinement makes of it. */
static void test_refine_keeps_labels(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    int32_t n_boundary, n = labeled_boundary(&b, &n_boundary);
    CU_ASSERT_EQUAL(n, n_boundary);
    CU_ASSERT_EQUAL(n, 48);
    for (double longest = 0.5; longest > 0.2; longest *= 0.7) {
        CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, longest, NULL, &b.edit),
                              EW_OK);
        commit_refined(&b);
        n = labeled_boundary(&b, &n_boundary);
        CU_ASSERT_EQUAL(n, n_boundary);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&b.mesh, NULL, false, NULL, NULL), EW_OK);
        ew_topology_free(&b.topology);
        follow(&b);
    }
    CU_ASSERT(n > 400);
    drop(&b);
}

static void test_refine_only_inside_the_set(void)
{
    body b;
    make_two_regions(&b, 4);
    ew_list set = {0};
    const ew_selector corner = {.kind = EW_SELECT_BOX, .b = {0.5, 0.5, 0.5}};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&b.mesh, &corner, &set), EW_OK);
    int32_t n_before = b.mesh.n_live_tet;
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 0.06, &set, &b.edit), EW_OK);
    for (int32_t i = 0; i < b.edit.remove_tet.n; i++) {
        double c[3];
        centroid(&b.mesh, b.edit.remove_tet.id[i], c);
        CU_ASSERT(c[0] < 0.8 && c[1] < 0.8 && c[2] < 0.8);
    }
    CU_ASSERT(b.edit.remove_tet.n < n_before / 2);
    commit_refined(&b);
    const ew_pattern *pattern = &b.topology.pattern;
    for (int32_t e = 0; e < pattern->n_pair; e++) {
        const int32_t *end = pattern->pair_row + 2 * e;
        const double *x = b.mesh.xyz + 3 * end[0], *y = b.mesh.xyz + 3 * end[1];
        if (end[0] >= 0 && ew_selector_has_point(&corner, x) && ew_selector_has_point(&corner, y)) {
            CU_ASSERT(hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]) <= 0.06);
        }
    }
    double volume[2] = {0, 0};
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        volume[b.mesh.region[t]] +=
            ew_mesh_tet_is_live(&b.mesh, t) ? ew_mesh_tet_volume(&b.mesh, t) : 0.0;
    }
    CLOSE(volume[0], 1.0, 1e-12); /* regions are inherited */
    CLOSE(volume[1], 1.0, 1e-12);
    ew_list_free(&set);
    drop(&b);
}

static void test_refine_every_edge_of_the_set_once(void)
{
    body b;
    make_box(&b, 1, 1, 1, 3, 3, 3);
    ew_list set = {0};
    const ew_selector face = {.kind = EW_SELECT_BOX, .b = {0, 1, 1}}; /* no whole tet in it */
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&b.mesh, &face, &set), EW_OK);
    CU_ASSERT_EQUAL(set.n, 16);
    int32_t wanted = 0;
    const ew_pattern *pattern = &b.topology.pattern;
    bool *middle = calloc((size_t)pattern->n_pair, sizeof *middle);
    CU_ASSERT_PTR_NOT_NULL_FATAL(middle);
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 0, &set, &b.edit), EW_OK);
    for (int32_t k = 0; k < b.edit.n_add_vertex; k++) {
        int32_t p = b.edit.add_parent[2 * k], q = b.edit.add_parent[2 * k + 1];
        int32_t e = p >= 0 && q >= 0 ? ew_pattern_pair_between(pattern, p, q) : -1;
        if (e >= 0) {
            CU_ASSERT_FALSE(middle[e]);
            middle[e] = true;
        }
    }
    for (int32_t e = 0; e < pattern->n_pair; e++) {
        const int32_t *end = pattern->pair_row + 2 * e;
        bool inside = b.mesh.xyz[3 * end[0]] == 0.0 && b.mesh.xyz[3 * end[1]] == 0.0;
        wanted += inside;
        CU_ASSERT(!inside || middle[e]);
    }
    CU_ASSERT_EQUAL(wanted, 33);
    free(middle);
    commit_refined(&b);
    ew_list_free(&set);

    /* Everywhere: at least every original edge. */
    int32_t n_edge = b.topology.pattern.n_live_pair;
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 0, NULL, &b.edit), EW_OK);
    CU_ASSERT(b.edit.n_add_vertex >= n_edge);
    commit_refined(&b);
    drop(&b);
}

static void test_refine_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    ew_list set = {0};
    CU_ASSERT_EQUAL(ew_list_push(&set, -3), EW_OK);
    REFUSED(ew_operation_refine(&b.mesh, &b.topology, 0.5, &set, &b.edit), EW_BAD_ARGUMENT,
            "vertex slot -3");
    REFUSED(ew_operation_refine(&b.mesh, &b.topology, NAN, NULL, &b.edit), EW_BAD_ARGUMENT,
            "length");
    REFUSED(ew_operation_refine(&b.mesh, &b.topology, 1e-3, NULL, &b.edit), EW_LIMIT,
            "need at least 8.49e+09 tets");
    set.n = 0; /* two vertices of one edge: no volume, but its parts alone are too many */
    CU_ASSERT_EQUAL(ew_list_push(&set, 0), EW_OK);
    CU_ASSERT_EQUAL(ew_list_push(&set, 1), EW_OK);
    REFUSED(ew_operation_refine(&b.mesh, &b.topology, 1e-10, &set, &b.edit), EW_LIMIT,
            "5e+09 tets");
    drop(&b);
    /* A tet that has just enough volume: its parts have too little. */
    const double flat[12] = {0, 0, 0, 1, 0, 0, 0.5, 0.8660254037844386, 0, 0.5, 0.3, 1.8e-12};
    make_tets(&b, 4, flat, 1, (int32_t[4]){0, 1, 2, 3});
    REFUSED(ew_operation_refine(&b.mesh, &b.topology, 0.9, NULL, &b.edit), EW_BAD_EDIT,
            "parts of tets would be inverted or flat");
    ew_list_free(&set);
    drop(&b);
}

/* ---- smooth ------------------------------------------------------------ */

static bool is_inner(const double *x, double size)
{
    return x[0] > 0 && x[0] < size && x[1] > 0 && x[1] < 1 && x[2] > 0 && x[2] < 1;
}

/* Shakes inner vertices by up to 0.03 each way; moves that the commit would refuse are left. */
static void shake(body *b, double size)
{
    uint64_t state = 11;
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        const double *x = b->mesh.xyz + 3 * v;
        if (is_inner(x, size) && fabs(x[0] - 1.0) > 1e-9) {
            double to[3];
            for (int i = 0; i < 3; i++) {
                to[i] = x[i] + 1e-5 * ((int)ew_test_random(&state, 6001) - 3000);
            }
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&b->edit, v, to), EW_OK);
        }
    }
    commit(b);
}

static void test_smooth_raises_quality(void)
{
    body b;
    make_box(&b, 1, 1, 1, 6, 6, 6);
    shake(&b, 1);
    ew_mesh_measure before = measure(&b);
    CU_ASSERT_EQUAL_FATAL(ew_operation_smooth(&b.mesh, &b.topology, 5, &b.edit), EW_OK);
    CU_ASSERT(b.edit.move_vertex.n > 60);
    for (int32_t i = 0; i < b.edit.move_vertex.n; i++) {
        CU_ASSERT(is_inner(b.mesh.xyz + 3 * b.edit.move_vertex.id[i], 1));
    }
    commit(&b);
    ew_mesh_measure after = measure(&b);
    CU_ASSERT(after.min_quality > 1.1 * before.min_quality);
    CU_ASSERT(after.mean_quality > before.mean_quality);
    CLOSE(after.volume, before.volume, 1e-13);
    /* More sweeps than are needed: at the end nothing is left to move. */
    CU_ASSERT_EQUAL(ew_operation_smooth(&b.mesh, &b.topology, 1000, &b.edit), EW_OK);
    commit(&b);
    CU_ASSERT(measure(&b).min_quality >= after.min_quality);
    REFUSED(ew_operation_smooth(&b.mesh, &b.topology, 0, &b.edit), EW_BAD_ARGUMENT, "0 sweeps");
    drop(&b);
}

/* A study renumbers its mesh; vertices must go where they go from a file. */
static void test_smooth_is_blind_to_slots(void)
{
    body b, c;
    int32_t order[343], slot[343];
    make_box(&b, 1, 1, 1, 6, 6, 6);
    make_box(&c, 1, 1, 1, 6, 6, 6);
    shake(&b, 1);
    shake(&c, 1);
    for (int32_t v = 0; v < 343; v++) {
        order[v] = (10 * v + 3) % 343;
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&c.mesh, order, true, slot, NULL), EW_OK);
    ew_topology_free(&c.topology);
    follow(&c);
    CU_ASSERT_EQUAL_FATAL(ew_operation_smooth(&b.mesh, &b.topology, 4, &b.edit), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_operation_smooth(&c.mesh, &c.topology, 4, &c.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.move_vertex.n, c.edit.move_vertex.n);
    commit(&b);
    commit(&c);
    for (int32_t v = 0; v < 343; v++) {
        CU_ASSERT(memcmp(b.mesh.xyz + 3 * v, c.mesh.xyz + 3 * slot[v], 3 * sizeof(double)) == 0);
    }
    drop(&b);
    drop(&c);
}

static void test_smooth_keeps_where_regions_meet(void)
{
    body b;
    make_two_regions(&b, 4);
    shake(&b, 2);
    CU_ASSERT_EQUAL_FATAL(ew_operation_smooth(&b.mesh, &b.topology, 3, &b.edit), EW_OK);
    CU_ASSERT(b.edit.move_vertex.n > 0);
    for (int32_t i = 0; i < b.edit.move_vertex.n; i++) {
        CU_ASSERT(b.mesh.xyz[3 * b.edit.move_vertex.id[i]] != 1.0);
    }
    drop(&b);
}

/* ---- all together ------------------------------------------------------ */

enum { N_OPERATION = 9 };

/* One operation with numbers from `state`; `other` is a box of two cells in [0, 1]. */
static ew_status any_operation(body *b, int which, const ew_mesh *other, const ew_list *set,
                               uint64_t *state)
{
    double r = ew_test_random(state, 1000) / 1000.0;
    ew_mesh_measure m = measure(b);
    ew_decimate_def decimate = {.fraction = 0.02 + 0.2 * r,
                                .order = ew_test_random(state, 2) ? EW_DECIMATE_AXIS
                                                                  : EW_DECIMATE_RANDOM,
                                .axis = {r, 1 - r, 0.3},
                                .seed = *state};
    ew_mirror_def mirror = {.normal = {1, 0, 0}, .tolerance = 1e-6, .point = {m.high[0], 0, 0}};
    ew_selector ball = {
        .kind = EW_SELECT_SPHERE, .a = {m.low[0], m.low[1], m.low[2]}, .radius = 0.3 * r};
    double edge = 0.7 * m.longest_edge;
    switch (which) {
    case 0:
        return ew_operation_decimate(&b->mesh, &decimate, &b->edit);
    case 1:
        return ew_operation_mirror(&b->mesh, &mirror, &b->edit);
    case 2:
        return ew_operation_scale(&b->mesh, (double[3]){1.1, 0.8 + 0.4 * r, 1},
                                  (double[3]){r, 0, 0}, &b->edit);
    case 3:
        return ew_operation_remove(&b->mesh, &ball, &b->edit);
    case 4:
        return ew_operation_remove_small(&b->mesh, &b->topology, 4, &b->edit);
    case 5:
        return ew_operation_add(&b->mesh, other, 0.05, &b->edit);
    case 6:
        return ew_operation_move(&b->mesh, set, (double[3]){0.02 * r, 0.01, 0}, 0.5, &b->edit);
    case 7:
        return ew_operation_refine(&b->mesh, &b->topology, edge, set->n > 9 ? set : NULL, &b->edit);
    default:
        return ew_operation_smooth(&b->mesh, &b->topology, 2, &b->edit);
    }
}

static void test_random_chain_stays_valid(void)
{
    body b;
    ew_mesh other;
    uint64_t state = 3;
    int32_t done[N_OPERATION] = {0}, refused = 0;
    make_box(&b, 1, 1, 1, 4, 4, 4);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){2, 2, 2}), EW_OK);
    for (int step = 0; step < 300; step++) {
        int which = (int)ew_test_random(&state, N_OPERATION);
        bool grows = which == 1 || which == 5 || which == 7;
        which = b.mesh.n_live_tet > 6000 && grows ? 0 : b.mesh.n_live_tet < 100 ? 5 : which;
        if (which == 5) { /* beside the body, or into it */
            double shift = measure(&b).high[0] - other.xyz[0] - 0.01;
            for (int32_t v = 0; v < other.n_vertex; v++) {
                other.xyz[3 * v] += shift;
            }
        }
        ew_list set = {0};
        for (uint32_t i = 0, n = ew_test_random(&state, 60); i < n; i++) {
            int32_t v = (int32_t)ew_test_random(&state, (uint32_t)b.mesh.n_vertex);
            if (ew_mesh_vertex_is_active(&b.mesh, v)) {
                CU_ASSERT_EQUAL_FATAL(ew_list_push(&set, v), EW_OK);
            }
        }
        ew_status status = any_operation(&b, which, &other, &set, &state);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        if (status == EW_OK) {
            commit(&b);
            done[which]++;
        } else {
            CU_ASSERT(is_empty(&b.edit));
            refused++;
        }
        if (b.change.emptied_vertex.n && step % 3 == 0 && status == EW_OK) { /* holes too */
            int32_t v = b.change.emptied_vertex.id[0];
            CU_ASSERT_EQUAL(ew_edit_remove_vertex(&b.edit, v), EW_OK);
            commit(&b);
        }
        ew_list_free(&set);
    }
    for (int i = 0; i < N_OPERATION; i++) {
        CU_ASSERT(done[i] > 0);
    }
    CU_ASSERT(refused < 250);
    ew_mesh_free(&other);
    drop(&b);
}

static void test_allocation_failures(void)
{
    for (int which = 0; which < N_OPERATION; which++) {
        body b;
        ew_mesh other;
        ew_list set = {0};
        make_box(&b, 1, 1, 1, 2, 2, 2);
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){2, 2, 2}),
                              EW_OK);
        for (int32_t v = 0; v < other.n_vertex; v++) {
            other.xyz[3 * v] += 1.0;
        }
        CU_ASSERT_EQUAL(ew_list_push(&set, 0), EW_OK);
        double *x = b.mesh.xyz + 3 * 13;
        x[0] += 0.1; /* so that smooth has work */
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            uint64_t state = 1;
            ew_test_allocations_begin(k);
            ew_status status = any_operation(&b, which, &other, &set, &state);
            bool empty = is_empty(&b.edit);
            ew_edit_free(&b.edit);
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT(!refused || empty);
            CU_ASSERT_FATAL(k < 1000);
        }
        ew_list_free(&set);
        ew_mesh_free(&other);
        drop(&b);
    }
}

static void test_empty_mesh(void)
{
    body b;
    ew_mesh other;
    ew_list set = {0};
    uint64_t state = 1;
    make_box(&b, 1, 1, 1, 1, 1, 1);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){2, 2, 2}), EW_OK);
    const ew_selector all = {.kind = EW_SELECT_ALL};
    CU_ASSERT_EQUAL(ew_operation_remove(&b.mesh, &all, &b.edit), EW_OK);
    commit(&b);
    for (int which = 0; which < N_OPERATION; which++) {
        if (which == 5) { /* a body can be added to nothing */
            CU_ASSERT_EQUAL(any_operation(&b, which, &other, &set, &state), EW_OK);
            CU_ASSERT_EQUAL(b.edit.n_add_tet, 48);
            ew_edit_clear(&b.edit);
        } else {
            REFUSED(any_operation(&b, which, &other, &set, &state), EW_BAD_EDIT, "no tets left");
        }
    }
    /* Placed by a bounding box that is empty, too. */
    ew_mirror_def mirror = {.normal = {1, 0, 0}, .tolerance = -1};
    ew_mirror_place(&b.mesh, 1, &mirror);
    REFUSED(ew_operation_mirror(&b.mesh, &mirror, &b.edit), EW_BAD_EDIT,
            "mirror: the mesh has no tets left");
    CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 0.1, &b.edit), EW_OK);
    commit(&b);
    CLOSE(measure(&b).volume, 1.0, 1e-14);
    ew_mesh_free(&other);
    drop(&b);
}

/* Where few of the vertices are new, most faces of the batch are at these: the commit's search for
 * equal faces must not depend on it. Both times are the processor's, so that a ratio says it. */
static void test_commit_of_part_refined(void)
{
    body b;
    ew_list set = {0};
    ew_topology tables = {0};
    make_box(&b, 32, 32, 32, 32, 32, 32);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        if (b.mesh.xyz[3 * v] < 8.5) {
            CU_ASSERT_EQUAL_FATAL(ew_list_push(&set, v), EW_OK);
        }
    }
    const clock_t start = clock();
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&tables, &b.mesh), EW_OK);
    const clock_t built = clock();
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b.mesh, &b.topology, 1.7, &set, &b.edit), EW_OK);
    const clock_t chosen = clock();
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&b.mesh, &b.edit, &b.topology.vertex_to_tet, &b.change),
                          EW_OK);
    CU_ASSERT(b.change.added_tet.n > 50000);
    CU_ASSERT(clock() - chosen < 12 * (built - start));
    ew_topology_free(&tables);
    ew_list_free(&set);
    drop(&b);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {
        {"refine_to_a_length", test_refine_to_a_length},
        {"refine_keeps_labels", test_refine_keeps_labels},
        {"refine_only_inside_the_set", test_refine_only_inside_the_set},
        {"refine_every_edge_of_the_set_once", test_refine_every_edge_of_the_set_once},
        {"refine_refusals", test_refine_refusals},
        {"smooth_raises_quality", test_smooth_raises_quality},
        {"smooth_is_blind_to_slots", test_smooth_is_blind_to_slots},
        {"smooth_keeps_where_regions_meet", test_smooth_keeps_where_regions_meet},
        {"random_chain_stays_valid", test_random_chain_stays_valid},
        {"allocation_failures", test_allocation_failures},
        {"empty_mesh", test_empty_mesh},
        {"commit_of_part_refined", test_commit_of_part_refined},
        CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"operation_remesh", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
