/* Parts that are meshed again: what is chosen, what stays, and that nothing is taken on trust that
 * a mesher gives. */
#include "ew_parts.h"
#include "meshing/tetgen.h"
#include "operation/remesh/remesh.h"
#include "operation_body.h"

#include <stdlib.h>

/* ---- meshers of the test's own ------------------------------------------------ */

typedef enum wrong {
    RIGHT,
    MOVED,   /* a vertex of the surface */
    OPEN,    /* a tet is missing */
    UNUSED,  /* a vertex in no tet */
    BEYOND,  /* a vertex that is not there */
    TWICE,   /* a tet is there twice */
    SPLIT,   /* a triangle of the surface has another vertex */
    FLAT,    /* the new vertex lies in the surface */
    EMPTY,   /* nothing */
    REFUSES, /* it fails */
    N_WRONG
} wrong;
static wrong how = RIGHT;

/* Tets from a new vertex in the middle to every triangle: right where all see it. */
static ew_status fan(const ew_cavity *cavity, const ew_tetgen_def *def, ew_filling *filling)
{
    const int32_t n = cavity->n_vertex;
    CU_ASSERT(def->keep_surface && cavity->n_inner == 0);
    if (how == REFUSES) {
        return ew_fail(EW_BAD_INPUT, "no");
    }
    EW_TRY(ew_new(&filling->xyz, 3 * (size_t)(n + 2), sizeof(double)));
    EW_TRY(ew_new(&filling->tet, 4 * (size_t)(cavity->n_triangle + 1), sizeof(int32_t)));
    memcpy(filling->xyz, cavity->xyz, 3 * (size_t)n * sizeof(double));
    for (int c = 0; c < 6; c++) {
        filling->xyz[3 * n + c] = 0.0;
        for (int32_t v = 0; v < n; v++) {
            filling->xyz[3 * n + c] += cavity->xyz[3 * v + c % 3] / n;
        }
    }
    for (int32_t i = 0; i < cavity->n_triangle; i++) {
        memcpy(filling->tet + 4 * i, cavity->triangle + 3 * i, 3 * sizeof(int32_t));
        filling->tet[4 * i + 3] = n;
    }
    filling->n_vertex = n + 1 + (how == UNUSED);
    filling->n_tet = how == EMPTY ? 0 : cavity->n_triangle - (how == OPEN);
    filling->xyz[0] += how == MOVED ? 1e-15 : 0.0;
    filling->tet[3] = how == BEYOND ? n + 7 : n;
    filling->tet[0] = how == SPLIT ? filling->tet[5] : filling->tet[0];
    if (how == TWICE) {
        memcpy(filling->tet + 4 * filling->n_tet, filling->tet, 4 * sizeof(int32_t));
        filling->n_tet++;
    }
    if (how == FLAT) {
        memcpy(filling->xyz + 3 * n, filling->xyz + 3 * filling->tet[0], 3 * sizeof(double));
    }
    return EW_OK;
}

static ew_operation_input input_of(const body *b, ew_fill_function fill)
{
    return (ew_operation_input){.mesh = &b->mesh, .topology = &b->topology, .fill = fill};
}

/* The tets around the middle vertex of a box. */
static void pick_star(const body *b, ew_list *tet)
{
    const ew_selector middle = {.kind = EW_SELECT_NEAREST, .a = {1, 0.5, 0.5}};
    ew_list vertex = {0};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&b->mesh, &middle, &vertex), EW_OK);
    const ew_rows *rows = &b->topology.vertex_to_tet;
    tet->n = 0;
    for (int32_t i = 0; i < rows->count[vertex.id[0]]; i++) {
        CU_ASSERT_EQUAL(ew_list_push(tet, rows->item[rows->begin[vertex.id[0]] + i]), EW_OK);
    }
    ew_list_free(&vertex);
}

static void test_nothing_is_taken_on_trust(void)
{
    body b;
    ew_list tet = {0};
    ew_remesh_def def = ew_default_remesh_def();
    make_box(&b, 2, 1, 1, 4, 2, 2);
    pick_star(&b, &tet);
    const ew_operation_input in = input_of(&b, fan), none = input_of(&b, NULL);
    REFUSED(ew_operation_remesh(&none, &tet, &def, &b.edit), EW_UNSUPPORTED, "no TetGen");
    for (int i = 1; i < N_WRONG; i++) {
        how = (wrong)i;
        const ew_status status = ew_operation_remesh(&in, &tet, &def, &b.edit);
        CU_ASSERT(status == EW_BAD_EDIT || status == EW_BAD_INPUT);
        CU_ASSERT(is_empty(&b.edit));
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "cannot be meshed within its boundary"));
    }
    def.worse_than = 1.0; /* then a part may stay, but not all may fail */
    REFUSED(ew_operation_remesh(&in, &tet, &def, &b.edit), EW_BAD_EDIT, "none of the 1 parts");
    how = RIGHT;
    def.worse_than = 0.0;
    const double volume = measure(&b).volume, area = boundary_area(&b);
    CU_ASSERT_EQUAL_FATAL(ew_operation_remesh(&in, &tet, &def, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.n_add_vertex, 1);
    CU_ASSERT_EQUAL(b.edit.n_inside, 1);
    commit(&b);
    CLOSE(measure(&b).volume, volume, 1e-14);
    CLOSE(boundary_area(&b), area, 1e-14);
    def.worse_than = 2.0;
    REFUSED(ew_operation_remesh(&in, NULL, &def, &b.edit), EW_BAD_ARGUMENT, "quality 2");
    def.worse_than = NAN;
    REFUSED(ew_operation_remesh(&in, NULL, &def, &b.edit), EW_BAD_ARGUMENT, "quality nan");
    def.worse_than = 0.0;
    def.size = INFINITY;
    REFUSED(ew_operation_remesh(&in, NULL, &def, &b.edit), EW_BAD_ARGUMENT, "size inf");
    ew_list_free(&tet);
    drop(&b);
}

/* Where quality asks and nothing better comes, all stays; where none is asked for, too. */
static void test_no_better_stays(void)
{
    body b;
    make_box(&b, 2, 1, 1, 4, 2, 2);
    ew_remesh_def def = ew_default_remesh_def();
    const ew_operation_input in = input_of(&b, fan);
    def.worse_than = 0.1;
    CU_ASSERT_EQUAL(ew_operation_remesh(&in, NULL, &def, &b.edit), EW_OK);
    CU_ASSERT(is_empty(&b.edit));
    def.worse_than = 1.0; /* tets to one vertex are thinner */
    CU_ASSERT_EQUAL(ew_operation_remesh(&in, NULL, &def, &b.edit), EW_OK);
    CU_ASSERT(is_empty(&b.edit));
    drop(&b);
}

/* Points in tets: of the part alone, weights that give the point back. */
static void test_points_are_located(void)
{
    body b;
    ew_set chosen = {0};
    ew_remesh_plan plan;
    ew_remesh_part part;
    ew_locator locator;
    uint64_t state = 7;
    make_box(&b, 2, 1, 1, 6, 3, 3);
    const ew_operation_input in = input_of(&b, NULL);
    ew_list tet = {0};
    const ew_selector ball = {.kind = EW_SELECT_SPHERE, .a = {1, 0.5, 0.5}, .radius = 0.45};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select_tets(&b.mesh, &ball, &tet), EW_OK);
    for (int32_t i = 0; i < tet.n; i++) {
        CU_ASSERT_EQUAL(ew_set_add(&chosen, tet.id[i]), EW_OK);
    }
    CU_ASSERT_EQUAL_FATAL(ew_remesh_plan_init(&plan, &in, &chosen), EW_OK);
    CU_ASSERT_EQUAL_FATAL(plan.n_part, 1);
    CU_ASSERT_EQUAL_FATAL(ew_remesh_part_init(&part, &plan, 0, tet.id, tet.n), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_locator_init(&locator, &part, plan.part, 0), EW_OK);
    for (int i = 0; i < 500; i++) {
        const int32_t t = tet.id[ew_test_random(&state, (uint32_t)tet.n)];
        double x[3] = {0, 0, 0}, y[3] = {0, 0, 0}, share[4], weight[4], sum = 0;
        for (int k = 0; k < 4; k++) {
            share[k] = i % 5 == k ? 0.0 : 1.0 + ew_test_random(&state, 1000);
            sum += share[k];
        }
        for (int k = 0; k < 12; k++) {
            x[k % 3] += share[k / 3] / sum * b.mesh.xyz[3 * b.mesh.tet[4 * t + k / 3] + k % 3];
        }
        const int32_t found = ew_locate(&locator, x, weight);
        CU_ASSERT_EQUAL(plan.part[found], 0);
        for (int k = 0; k < 12; k++) {
            y[k % 3] += weight[k / 3] * b.mesh.xyz[3 * b.mesh.tet[4 * found + k / 3] + k % 3];
        }
        CU_ASSERT(fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < 1e-8);
        CU_ASSERT(weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0 && weight[3] >= 0);
    }
    double weight[4];
    CU_ASSERT_EQUAL(plan.part[ew_locate(&locator, (double[3]){9, 9, 9}, weight)], 0);
    CU_ASSERT_DOUBLE_EQUAL(weight[0] + weight[1] + weight[2] + weight[3], 1, 1e-14);
    ew_locator_free(&locator);
    ew_remesh_part_free(&part);
    ew_remesh_plan_free(&plan);
    ew_set_free(&chosen);
    ew_list_free(&tet);
    drop(&b);
}

#if EW_WITH_TETGEN

static void remesh(body *b, ew_operation_input in, const ew_list *tet, ew_remesh_def def)
{
    const double volume = measure(b).volume, area = boundary_area(b);
    in.mesh = &b->mesh;
    in.topology = &b->topology;
    in.fill = ew_tetgen_fill;
    const ew_status status = ew_operation_remesh(&in, tet, &def, &b->edit);
    if (status) {
        printf("\n%s\n", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    commit(b);
    CLOSE(measure(b).volume, volume, 1e-12);
    CLOSE(boundary_area(b), area, 1e-12);
}

/* Of each region its volume, in the order of the mesh. */
static void region_volumes(const body *b, double volume[8])
{
    memset(volume, 0, 8 * sizeof *volume);
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        if (ew_mesh_tet_is_live(&b->mesh, t)) {
            volume[b->mesh.region[t]] += ew_mesh_tet_volume(&b->mesh, t);
        }
    }
}

static void test_regions_and_labels_stay(void)
{
    body b;
    double before[8], after[8];
    make_two_regions(&b, 4);
    CU_ASSERT_EQUAL_FATAL(b.mesh.n_region, 2);
    region_volumes(&b, before);
    int32_t n_boundary, n_labeled = labeled_boundary(&b, &n_boundary);
    ew_remesh_def def = ew_default_remesh_def();
    for (int i = 0; i < 4; i++) {
        def.size = i % 2 ? 0.2 : 1.0;
        remesh(&b, (ew_operation_input){0}, NULL, def);
        region_volumes(&b, after);
        CLOSE(after[0], before[0], 1e-12);
        CLOSE(after[1], before[1], 1e-12);
        CU_ASSERT_EQUAL(labeled_boundary(&b, &n_boundary), n_labeled);
    }
    drop(&b);
}

/* Labeled triangles in a plane across the body stay faces, though tets on both sides are one part
 * beside them. */
static void test_labels_inside_stay(void)
{
    body b;
    make_box(&b, 1, 1, 1, 4, 4, 4);
    const int32_t n_face = b.mesh.n_face;
    int32_t n_inner = 0;
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        for (int f = 0; f < 4; f++) {
            int32_t v[3];
            bool in = true;
            for (int k = 0; k < 3; k++) {
                v[k] = b.mesh.tet[4 * t + ew_face_vertex[f][k]];
                in = in && b.mesh.xyz[3 * v[k]] == 0.5 && b.mesh.xyz[3 * v[k] + 1] <= 0.75;
            }
            if (in && v[0] < v[1] && v[0] < v[2] && v[1] < v[2]) { /* one way round */
                CU_ASSERT_EQUAL(ew_edit_add_face(&b.edit, v, 77), EW_OK);
                n_inner++;
            }
        }
    }
    CU_ASSERT_FATAL(n_inner > 10);
    commit(&b);
    ew_remesh_def def = ew_default_remesh_def();
    for (int i = 0; i < 2; i++) {
        bool live[4096];
        int32_t n = 0;
        def.size = i ? 0.15 : 0.9;
        remesh(&b, (ew_operation_input){0}, NULL, def);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_live_faces(&b.mesh, live), EW_OK);
        for (int32_t f = 0; f < b.mesh.n_face; f++) {
            n += live[f];
        }
        CU_ASSERT_EQUAL(n, n_face + n_inner);
    }
    drop(&b);
}

/* Sets of tets and of vertices are where they were. */
static void test_sets_end_where_they_did(void)
{
    body b;
    ew_set left = {0}, probe = {0};
    make_box(&b, 2, 1, 1, 8, 4, 4);
    double volume = 0.0;
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        double c[3];
        centroid(&b.mesh, t, c);
        if (c[0] < 0.9) {
            CU_ASSERT_EQUAL(ew_set_add(&left, t), EW_OK);
            volume += ew_mesh_tet_volume(&b.mesh, t);
        }
    }
    int32_t inner = -1;
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * v;
        inner = x[0] == 1.5 && x[1] == 0.5 && x[2] == 0.5 ? v : inner;
    }
    CU_ASSERT_FATAL(inner >= 0);
    CU_ASSERT_EQUAL(ew_set_add(&probe, inner), EW_OK);
    const ew_set *tets[] = {&left}, *vertices[] = {&probe};
    const ew_operation_input in = {
        .n_tet_set = 1, .tet_set = tets, .n_vertex_set = 1, .vertex_set = vertices};
    ew_remesh_def def = ew_default_remesh_def();
    def.size = 0.9;
    remesh(&b, in, NULL, def);
    CU_ASSERT(b.mesh.valence[inner] > 0);
    double after = 0.0;
    for (int32_t k = 0; k < b.change.added_tet.n; k++) {
        after += ew_set_has(&left, b.change.added_tet_from[k])
                     ? ew_mesh_tet_volume(&b.mesh, b.change.added_tet.id[k])
                     : 0.0;
    }
    CLOSE(after, volume, 1e-12);
    ew_set_free(&left);
    ew_set_free(&probe);
    drop(&b);
}

/* A linear field has its values at the new vertices. */
static void test_weights_are_of_the_place(void)
{
    body b;
    ew_list tet = {0};
    make_box(&b, 2, 1, 1, 6, 3, 3);
    const ew_selector ball = {.kind = EW_SELECT_SPHERE, .a = {1, 0.5, 0.5}, .radius = 0.6};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select_tets(&b.mesh, &ball, &tet), EW_OK);
    ew_remesh_def def = ew_default_remesh_def();
    def.size = 0.1;
    remesh(&b, (ew_operation_input){0}, &tet, def);
    CU_ASSERT(b.change.n_inside > 4);
    CU_ASSERT_EQUAL(b.change.n_inside, b.change.added_vertex.n);
    for (int32_t k = 0; k < b.change.n_inside; k++) {
        const ew_inside *at = &b.change.inside[k];
        const double *x = b.mesh.xyz + 3 * b.change.added_vertex.id[at->place];
        for (int c = 0; c < 3; c++) {
            double sum = 0.0;
            for (int i = 0; i < 4; i++) {
                sum += at->weight[i] * b.mesh.xyz[3 * at->corner[i] + c];
            }
            CU_ASSERT_DOUBLE_EQUAL(sum, x[c], 1e-9);
        }
    }
    ew_list_free(&tet);
    drop(&b);
}

/* Flattened tets around a vertex that was pulled aside become good again. */
static void test_quality_asks(void)
{
    body b;
    make_box(&b, 2, 1, 1, 6, 3, 3);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        double x[3];
        memcpy(x, b.mesh.xyz + 3 * v, sizeof x);
        if (fabs(x[0] - 1) < 1e-9 && x[1] > 0.3 && x[1] < 0.4 && x[2] > 0.3 && x[2] < 0.4) {
            x[0] -= 0.3;
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&b.edit, v, x), EW_OK);
        }
    }
    commit(&b);
    CU_ASSERT(measure(&b).min_quality < 0.25);
    ew_remesh_def def = ew_default_remesh_def();
    def.worse_than = 0.3;
    def.rings = 1;
    const int32_t n = b.mesh.n_live_tet;
    remesh(&b, (ew_operation_input){0}, NULL, def);
    CU_ASSERT(measure(&b).min_quality > 0.35);
    CU_ASSERT(abs(b.mesh.n_live_tet - n) < n / 4);
    drop(&b);
}

static int compare_points(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(double));
}

/* The same body with its slots in another order: the same vertices, bit for bit. */
static void test_slots_do_not_show(void)
{
    body b, other = {0};
    make_two_regions(&b, 3);
    int32_t order[400];
    const int32_t n = b.mesh.n_vertex;
    CU_ASSERT_FATAL(n <= 400 && n % 11 != 0);
    for (int32_t v = 0; v < n; v++) {
        order[v] = (v * 11 + 5) % n;
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact_copy(&other.mesh, &b.mesh, order, true, NULL, NULL),
                          EW_OK);
    follow(&other);
    ew_remesh_def def = ew_default_remesh_def();
    def.size = 0.2;
    remesh(&b, (ew_operation_input){0}, NULL, def);
    remesh(&other, (ew_operation_input){0}, NULL, def);
    const size_t m = (size_t)b.mesh.n_vertex;
    CU_ASSERT_EQUAL_FATAL(b.mesh.n_vertex, other.mesh.n_vertex);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, other.mesh.n_live_tet);
    qsort(b.mesh.xyz, m, 3 * sizeof(double), compare_points);
    qsort(other.mesh.xyz, m, 3 * sizeof(double), compare_points);
    CU_ASSERT_EQUAL(memcmp(b.mesh.xyz, other.mesh.xyz, m * 3 * sizeof(double)), 0);
    drop(&b);
    drop(&other);
}

static void test_time_ends(void)
{
    body b;
    make_box(&b, 1, 1, 1, 6, 6, 6);
    const ew_operation_input in = input_of(&b, ew_tetgen_fill);
    ew_remesh_def def = ew_default_remesh_def();
    def.mesher.max_seconds = 1e-9;
    def.size = 0.02;
    REFUSED(ew_operation_remesh(&in, NULL, &def, &b.edit), EW_LIMIT, "did not end within");
    drop(&b);
}

#endif

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {
        {"trust", test_nothing_is_taken_on_trust},
        {"no_better", test_no_better_stays},
        {"located", test_points_are_located},
#if EW_WITH_TETGEN
        {"regions", test_regions_and_labels_stay},
        {"labels_inside", test_labels_inside_stay},
        {"sets", test_sets_end_where_they_did},
        {"weights", test_weights_are_of_the_place},
        {"quality", test_quality_asks},
        {"slots", test_slots_do_not_show},
        {"time", test_time_ends},
#endif
        CU_TEST_INFO_NULL
    };
    static const CU_SuiteInfo suites[] = {{"remesh", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
