/* Smooth beside a plain statement of it that knows no shortcut, bit for bit: on boxes shaken
 * little and much, at ties, and around vertices of very many tets. */
#include "operation_body.h"

#include <stdlib.h>

/* ---- smooth, plainly --------------------------------------------------- */

static double least_around(const ew_mesh *mesh, const ew_rows *rows, int32_t v)
{
    double least = INFINITY;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        least = fmin(least, ew_mesh_tet_quality(mesh, rows->item[rows->begin[v] + i]));
    }
    return least;
}

/* Slots are in the order of vertex_id, and no tet is so flat that the commit would refuse it. */
static bool try_places(ew_mesh *mesh, const ew_topology *topology, int32_t v)
{
    const ew_rows *rows = &topology->pattern.row_to_pair;
    double *x = mesh->xyz + 3 * v, mean[3] = {0, 0, 0};
    const double from[3] = {x[0], x[1], x[2]};
    double before = least_around(mesh, &topology->vertex_to_tet, v);
    for (int32_t i = 0; i < rows->count[v]; i++) {
        for (int k = 0; k < 3; k++) {
            mean[k] += mesh->xyz[3 * rows->item[2 * (rows->begin[v] + i)] + k] / rows->count[v];
        }
    }
    for (double step = 1.0; step > 0.1; step /= 2.0) {
        for (int k = 0; k < 3; k++) {
            x[k] = from[k] + step * (mean[k] - from[k]);
        }
        if (least_around(mesh, &topology->vertex_to_tet, v) > before) {
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

/* Moves inner vertices of the unit box by up to `most` along each axis. */
static void shake(body *b, double most, uint64_t *state)
{
    for (int32_t i = 0; i < 3 * b->mesh.n_vertex; i++) {
        double *x = b->mesh.xyz + i - i % 3;
        if (x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1 && x[2] > 0 && x[2] < 1) {
            b->mesh.xyz[i] += most * (ew_test_random(state, 2001) / 1000.0 - 1.0);
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

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"smooth_on_boxes", test_smooth_on_boxes},
                                  {"smooth_at_any_size", test_smooth_at_any_size},
                                  {"smooth_of_large_stars", test_smooth_of_large_stars},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"operation_exact", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
