/* Smooth and refine beside plain statements of them that know no shortcut, bit for bit: on boxes
 * shaken little and much, at ties, in sets, and around vertices of very many tets. */
#include "operation_body.h"

#include <stdlib.h>

/* ---- smooth, plainly --------------------------------------------------- */

static double min_around(const ew_mesh *mesh, const ew_rows *rows, int32_t v)
{
    double min = INFINITY;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        min = fmin(min, ew_mesh_tet_quality(mesh, rows->item[rows->begin[v] + i]));
    }
    return min;
}

/* Slots are in the order of vertex_id, and no tet is so flat that the commit would refuse it. */
static bool try_places(ew_mesh *mesh, const ew_topology *topology, int32_t v)
{
    const ew_rows *rows = &topology->pattern.row_to_pair;
    double *x = mesh->xyz + 3 * v, mean[3] = {0, 0, 0};
    const double from[3] = {x[0], x[1], x[2]};
    double before = min_around(mesh, &topology->vertex_to_tet, v);
    for (int32_t i = 0; i < rows->count[v]; i++) {
        for (int k = 0; k < 3; k++) {
            mean[k] += mesh->xyz[3 * rows->item[2 * (rows->begin[v] + i)] + k] / rows->count[v];
        }
    }
    for (double step = 1.0; step > 0.1; step /= 2.0) {
        for (int k = 0; k < 3; k++) {
            x[k] = from[k] + step * (mean[k] - from[k]);
        }
        if (min_around(mesh, &topology->vertex_to_tet, v) > before) {
            return true;
        }
    }
    memcpy(x, from, sizeof from);
    return false;
}

static void smooth_plainly(const body *b, int32_t sweeps, double *xyz)
{
    const size_t size = 3 * sizeof *xyz * (size_t)b->mesh.n_vertex;
    ew_mesh mesh = b->mesh;
    mesh.xyz = xyz;
    memcpy(xyz, b->mesh.xyz, size);
    ew_list boundary = {0};
    bool *fixed = calloc((size_t)mesh.n_vertex, sizeof *fixed), any = true;
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixed);
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&b->topology, &mesh, &boundary), EW_OK);
    for (int32_t i = 0; i < 3 * boundary.n; i++) {
        int32_t code = boundary.id[i / 3];
        fixed[mesh.tet[4 * (code / 4) + ew_face_vertex[code % 4][i % 3]]] = true;
    }
    for (int32_t f = 0; f < 3 * mesh.n_face; f++) {
        fixed[mesh.face[f]] = true;
    }
    for (int32_t i = 0; i < sweeps && any; i++) {
        any = false;
        for (int32_t v = 0; v < mesh.n_vertex; v++) {
            if (!fixed[v] && ew_mesh_vertex_is_active(&mesh, v)) {
                any = try_places(&mesh, &b->topology, v) || any;
            }
        }
    }
    free(fixed);
    ew_list_free(&boundary);
}

/* Smooths both ways, commits, and returns how many vertices moved. */
static int32_t compare_smooth(body *b, int32_t sweeps)
{
    const size_t size = 3 * sizeof(double) * (size_t)b->mesh.n_vertex;
    double *xyz = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(xyz);
    smooth_plainly(b, sweeps, xyz);
    CU_ASSERT_EQUAL_FATAL(ew_operation_smooth(&b->mesh, &b->topology, sweeps, &b->edit), EW_OK);
    int32_t n = b->edit.move_vertex.n;
    commit(b);
    CU_ASSERT(memcmp(xyz, b->mesh.xyz, size) == 0);
    free(xyz);
    return n;
}

/* Moves inner vertices of the unit box by up to `max` along each axis. */
static void shake(body *b, double max, uint64_t *state)
{
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        double *x = b->mesh.xyz + i - i % 3;
        if (x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1 && x[2] > 0 && x[2] < 1) {
            b->mesh.xyz[i] += max * (ew_test_random(state, 2001) / 1000.0 - 1.0);
        }
    }
}

static void test_smooth_on_boxes(void)
{
    static const double shaken[] = {0.0, 1e-12, 1e-7, 0.02, 0.04};
    uint64_t state = 5;
    for (size_t i = 0; i < sizeof shaken / sizeof *shaken; i++) {
        body b;
        make_box(&b, 1, 1, 1, 6, 6, 6);
        shake(&b, shaken[i], &state);
        check(&b);
        compare_smooth(&b, 1);
        compare_smooth(&b, 3);
        ew_edit_remove_tet(&b.edit, (int32_t)ew_test_random(&state, 1296));
        commit(&b);
        CU_ASSERT(compare_smooth(&b, 200) > (i > 2 ? 20 : -1));
        CU_ASSERT_EQUAL(compare_smooth(&b, 2) > 0, false);
        drop(&b);
    }
}

/* Lengths whose cubes and sixth powers a double does not hold. */
static void test_smooth_at_any_size(void)
{
    for (double size = 1e-90; size < 1e91; size *= 1e30) {
        body b;
        uint64_t state = 6;
        make_box(&b, 1, 1, 1, 4, 4, 4);
        shake(&b, 0.06, &state);
        for (int32_t i = 0; i < 3 * b.mesh.n_vertex; i++) {
            b.mesh.xyz[i] *= size;
        }
        CU_ASSERT(compare_smooth(&b, 4) > 20);
        drop(&b);
    }
}

/* n points on a sphere, tets from its triangles to a vertex inside: n sides of a double cone. */
static void make_ball(body *b, int32_t n)
{
    double *xyz = calloc(3 * ((size_t)n + 3), sizeof *xyz);
    int32_t *tet = calloc(8 * (size_t)n, sizeof *tet);
    CU_ASSERT_FATAL(xyz && tet);
    for (int32_t i = 0; i < n; i++) {
        const double angle = 2.0 * 3.14159265358979 * i / n;
        const int32_t next = (i + 1) % n;
        xyz[3 * i] = cos(angle);
        xyz[3 * i + 1] = sin(angle);
        memcpy(tet + 8 * i, (int32_t[8]){i, next, n, n + 2, next, i, n + 1, n + 2},
               8 * sizeof *tet);
    }
    xyz[3 * n + 2] = 1;
    xyz[3 * n + 5] = -1;
    xyz[3 * n + 6] = 0.3;
    xyz[3 * n + 7] = 0.2;
    xyz[3 * n + 8] = -0.3;
    make_tets(b, n + 3, xyz, 2 * n, tet);
    free(xyz);
    free(tet);
}

static void test_smooth_of_large_stars(void)
{
    for (int32_t n = 4; n < 80; n = n < 40 ? 2 * n + 3 : n + 1) {
        body b;
        make_ball(&b, n);
        CU_ASSERT_EQUAL(compare_smooth(&b, 3), 1);
        ew_edit_remove_tet(&b.edit, 0); /* now it is on the boundary */
        commit(&b);
        CU_ASSERT_EQUAL(compare_smooth(&b, 3), 0);
        drop(&b);
    }
}

/* ---- refine, plainly ---------------------------------------------------- */

/* All tets ever made, in order; vertices by number, the added ones after the mesh's. */
typedef struct plain {
    double xyz[3000][3], longest;
    bool inside[3000];
    int32_t n_vertex, n_tet, n_work, tet[20000][4], work[9000][2];
    bool gone[20000];
} plain;

static double length2(const plain *p, int32_t a, int32_t b)
{
    const double *x = p->xyz[a], *y = p->xyz[b];
    return (y[0] - x[0]) * (y[0] - x[0]) + (y[1] - x[1]) * (y[1] - x[1]) +
           (y[2] - x[2]) * (y[2] - x[2]);
}

static double length(const plain *p, int32_t a, int32_t b)
{
    return sqrt(length2(p, a, b));
}

static int side_of(const plain *p, int32_t t, const int32_t e[2], int k)
{
    return p->tet[t][k] == e[0] ? 1 : p->tet[t][k] == e[1] ? 2 : 0;
}

static bool has_edge(const plain *p, int32_t t, const int32_t e[2])
{
    return !p->gone[t] && (side_of(p, t, e, 0) | side_of(p, t, e, 1) | side_of(p, t, e, 2) |
                           side_of(p, t, e, 3)) == 3;
}

static void push_edge(plain *p, int32_t a, int32_t b)
{
    CU_ASSERT_FATAL(p->n_work < 9000);
    p->work[p->n_work][0] = a < b ? a : b;
    p->work[p->n_work++][1] = a < b ? b : a;
}

/* The longest edge of the tets around e; of equal ones the last by numbers. False: it is e. */
static bool is_longer(const plain *p, const int32_t e[2], int32_t longest[2])
{
    longest[0] = e[0];
    longest[1] = e[1];
    for (int32_t t = 0; t < p->n_tet; t++) {
        for (int k = 0; has_edge(p, t, e) && k < 6; k++) {
            int32_t a = p->tet[t][ew_edge_vertex[k][0]], b = p->tet[t][ew_edge_vertex[k][1]];
            const int32_t f[2] = {a < b ? a : b, a < b ? b : a};
            const double d = length2(p, a, b) - length2(p, longest[0], longest[1]);
            if (d > 0 || (d == 0 && (f[0] != longest[0] ? f[0] > longest[0] : f[1] > longest[1]))) {
                longest[0] = f[0];
                longest[1] = f[1];
            }
        }
    }
    return longest[0] != e[0] || longest[1] != e[1];
}

/* Halves tet t; new edges that are too long come next. met[]: vertices joined to the middle. */
static void halve(plain *p, int32_t t, const int32_t e[2], bool *met)
{
    const int32_t middle = p->n_vertex - 1;
    p->gone[t] = true;
    for (int side = 0; side < 2; side++) {
        int32_t *v = p->tet[p->n_tet++];
        for (int k = 0; k < 4; k++) {
            v[k] = p->tet[t][k] == e[side] ? middle : p->tet[t][k];
        }
        for (int k = 0; k < 6; k++) {
            const int32_t a = v[ew_edge_vertex[k][0]], b = v[ew_edge_vertex[k][1]];
            const int32_t other = a == middle ? b : a;
            if ((a == middle || b == middle) && !met[other]) {
                met[other] = true;
                if (p->longest > 0 && p->inside[other] && p->inside[middle] &&
                    length(p, a, b) > p->longest) {
                    push_edge(p, a, b);
                }
            }
        }
    }
}

/* Tets of the mesh around the edge in order, then made ones, the last first. */
static void bisect_plainly(plain *p, const int32_t e[2], int32_t n_mesh_tet)
{
    bool met[3000] = {false};
    const int32_t n = p->n_tet, m = p->n_vertex++;
    CU_ASSERT_FATAL(n < 19000 && m < 2999);
    p->inside[m] = p->inside[e[0]] && p->inside[e[1]];
    for (int k = 0; k < 3; k++) {
        p->xyz[m][k] = 0.5 * p->xyz[e[0]][k] + 0.5 * p->xyz[e[1]][k];
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = i < n_mesh_tet ? i : n - 1 - (i - n_mesh_tet);
        if (has_edge(p, t, e)) {
            halve(p, t, e, met);
        }
    }
}

/* Edges of the mesh that are too long, so that the one of the lowest vertices is next. */
static void push_long_edges(plain *p, const ew_pattern *pattern)
{
    for (int32_t a = p->n_vertex - 1; a >= 0; a--) {
        for (int32_t b = p->n_vertex - 1; b > a; b--) {
            if (ew_pattern_pair_between(pattern, a, b) >= 0 && p->inside[a] && p->inside[b] &&
                length(p, a, b) > p->longest) {
                push_edge(p, a, b);
            }
        }
    }
}

static void refine_plainly(plain *p, const body *b, double longest, const ew_list *set)
{
    const ew_mesh *mesh = &b->mesh;
    memset(p, 0, sizeof *p);
    p->longest = longest;
    p->n_vertex = mesh->n_vertex;
    p->n_tet = mesh->n_tet;
    memcpy(p->xyz, mesh->xyz, 3 * sizeof(double) * (size_t)mesh->n_vertex);
    memcpy(p->tet, mesh->tet, 4 * sizeof(int32_t) * (size_t)mesh->n_tet);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        p->inside[v] = !set;
    }
    for (int32_t i = 0; set && i < set->n; i++) {
        p->inside[set->id[i]] = true;
    }
    push_long_edges(p, &b->topology.pattern);
    while (p->n_work) {
        const int32_t e[2] = {p->work[p->n_work - 1][0], p->work[p->n_work - 1][1]};
        int32_t around = 0, longer[2];
        for (int32_t t = 0; t < p->n_tet; t++) {
            around += has_edge(p, t, e);
        }
        if (around && is_longer(p, e, longer)) {
            push_edge(p, longer[0], longer[1]);
            continue;
        }
        p->n_work--;
        if (around) {
            bisect_plainly(p, e, mesh->n_tet);
        }
    }
}

static void compare_refine(body *b, double longest, const ew_list *set)
{
    plain *p = malloc(sizeof *p);
    const ew_edit *edit = &b->edit;
    const int32_t n = b->mesh.n_vertex;
    int32_t k = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    refine_plainly(p, b, longest, set);
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b->mesh, &b->topology, longest, set, &b->edit),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(edit->n_add_vertex, p->n_vertex - n);
    CU_ASSERT(edit->n_add_vertex == 0 ||
              memcmp(edit->add_vertex, p->xyz[n], 3 * sizeof(double) * (p->n_vertex - n)) == 0);
    for (int32_t t = b->mesh.n_tet; t < p->n_tet; t++) {
        for (int i = 0; !p->gone[t] && i < 4; i++) {
            const int32_t v = p->tet[t][i];
            CU_ASSERT_FATAL(k < edit->n_add_tet);
            CU_ASSERT_EQUAL(edit->add_tet[4 * k + i], v < n ? v : EW_NEW_VERTEX(v - n));
        }
        k += !p->gone[t];
    }
    CU_ASSERT_EQUAL(edit->n_add_tet, k);
    free(p);
    commit(b);
}

static void test_refine_on_boxes(void)
{
    uint64_t state = 9;
    for (int i = 0; i < 8; i++) {
        body b;
        ew_list set = {0};
        make_box(&b, 1, 1, 1, 2, 2, 2);
        shake(&b, i < 4 ? 0.0 : 0.1, &state);
        for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
            if (ew_test_random(&state, 2)) {
                CU_ASSERT_EQUAL_FATAL(ew_list_push(&set, v), EW_OK);
            }
        }
        compare_refine(&b, i % 2 ? 0.0 : 0.5, i % 4 < 2 ? NULL : &set);
        ew_edit_remove_tet(&b.edit, b.change.added_tet.n ? b.change.added_tet.id[0] : 0);
        commit(&b);
        compare_refine(&b, 0.4, i % 4 < 2 ? &set : NULL);
        ew_list_free(&set);
        drop(&b);
    }
}

/* Vertices around a point, fewer than a sixteenth of the mesh. */
static void list_near(const body *b, const double center[3], double radius, ew_list *set)
{
    set->n = 0;
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        const double *x = b->mesh.xyz + 3 * v;
        const double p = x[0] - center[0], q = x[1] - center[1], s = x[2] - center[2];
        if (b->mesh.valence[v] >= 0 && p * p + q * q + s * s <= radius * radius) {
            CU_ASSERT_EQUAL_FATAL(ew_list_push(set, v), EW_OK);
        }
    }
}

static void test_refine_of_small_sets(void)
{
    uint64_t state = 10;
    for (int i = 0; i < 8; i++) {
        body b;
        ew_list set = {0};
        const double at = i < 4 ? 0.5 : 0.0;
        make_box(&b, 1, 1, 1, 6, 6, 6);
        shake(&b, i % 2 ? 0.03 : 0.0, &state);
        list_near(&b, (double[3]){0.5, at, at}, 0.26, &set);
        CU_ASSERT(set.n > 1 && set.n < b.mesh.n_vertex / 16);
        compare_refine(&b, i % 4 < 2 ? 0.0 : 0.12, &set);
        CU_ASSERT(b.change.added_tet.n > 0);
        list_near(&b, (double[3]){0.5, at, at}, 0.2, &set);
        CU_ASSERT(set.n > 0 && set.n < b.mesh.n_vertex);
        compare_refine(&b, i % 4 < 2 ? 0.0 : 0.1, &set);
        ew_list_free(&set);
        drop(&b);
    }
}

/* Edges with more tets around them than are searched one by one. */
static void test_refine_of_large_stars(void)
{
    for (int32_t n = 14; n < 40; n += 3) {
        body b;
        make_ball(&b, n);
        compare_refine(&b, 0.0, NULL);
        compare_refine(&b, 0.4, NULL);
        drop(&b);
    }
}

/* Bytes asked for, of the allocator's calls from now on. */
static size_t asked;

static void *count_resize(void *user, void *old, size_t size)
{
    (void)user;
    asked += size;
    return realloc(old, size);
}

static void count_release(void *user, void *old)
{
    (void)user;
    free(old);
}

/* What a refinement around the middle of n^3 cells of unit size asks for. */
static size_t bytes_in_box(int32_t n)
{
    body b;
    ew_list set = {0};
    const double middle = n / 2;
    make_box(&b, n, n, n, n, n, n);
    list_near(&b, (double[3]){middle, middle, middle}, 1.0, &set);
    CU_ASSERT_EQUAL(set.n, 7);
    asked = 0;
    ew_set_allocator(&(ew_allocator){NULL, count_resize, count_release});
    CU_ASSERT_EQUAL(ew_operation_refine(&b.mesh, &b.topology, 0.0, &set, &b.edit), EW_OK);
    ew_set_allocator(NULL);
    CU_ASSERT(b.edit.n_add_tet > 0);
    ew_list_free(&set);
    drop(&b);
    return asked;
}

static void test_refine_follows_the_touch(void)
{
    const size_t min = bytes_in_box(12);
    CU_ASSERT(min > 0);
    CU_ASSERT_EQUAL(bytes_in_box(24), min);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"smooth_on_boxes", test_smooth_on_boxes},
                                  {"smooth_at_any_size", test_smooth_at_any_size},
                                  {"smooth_of_large_stars", test_smooth_of_large_stars},
                                  {"refine_on_boxes", test_refine_on_boxes},
                                  {"refine_of_small_sets", test_refine_of_small_sets},
                                  {"refine_of_large_stars", test_refine_of_large_stars},
                                  {"refine_follows_the_touch", test_refine_follows_the_touch},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"operation_exact", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
