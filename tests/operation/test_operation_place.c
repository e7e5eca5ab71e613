/* Operations that place and move, mirror, scale, add and move: where they place, that the commit
 * takes it, and what they refuse. */
#include "operation_body.h"

/* ---- mirror ------------------------------------------------------------ */

static void test_mirror_doubles_box(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 3, 4);
    int32_t n_vertex = b.mesh.n_vertex, n_tet = b.mesh.n_tet;
    const ew_mirror_def def = {.point = {1, 0.3, 0.3}, .normal = {2, 0, 0}, .tolerance = 1e-9};
    CU_ASSERT_EQUAL_FATAL(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_OK);
    commit(&b);
    CU_ASSERT_EQUAL(b.mesh.n_live_tet, 2 * n_tet);
    CU_ASSERT_EQUAL(b.mesh.n_vertex, 2 * n_vertex - 4 * 5);
    CU_ASSERT_EQUAL_FATAL(b.change.added_vertex.n, n_vertex - 4 * 5);
    for (int32_t k = 0; k < b.change.added_vertex.n; k++) {
        const double *x = b.mesh.xyz + 3 * b.change.added_parent[2 * k];
        CU_ASSERT_EQUAL(b.change.added_parent[2 * k], b.change.added_parent[2 * k + 1]);
        const double *y = b.mesh.xyz + 3 * b.change.added_vertex.id[k];
        CU_ASSERT_DOUBLE_EQUAL(y[0], 2.0 - x[0], 1e-15);
        CU_ASSERT(y[1] == x[1] && y[2] == x[2]);
    }
    CLOSE(measure(&b).volume, 2.0, 1e-14);
    CLOSE(boundary_area(&b), 10.0, 1e-14);
    int32_t n_boundary, n_labeled = labeled_boundary(&b, &n_boundary);
    CU_ASSERT_EQUAL(n_labeled, n_boundary);
    drop(&b);
}

static void test_mirror_octant_to_sphere(void)
{
    body b = {0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_sphere_octant(&b.mesh, 1, 2, (int32_t[2]){3, 2}), EW_OK);
    follow(&b);
    double volume = measure(&b).volume;
    for (int axis = 0; axis < 3; axis++) {
        ew_mirror_def def = {.tolerance = 1e-9};
        def.normal[axis] = -1.0;
        CU_ASSERT_EQUAL_FATAL(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_OK);
        commit(&b);
    }
    CLOSE(measure(&b).volume, 8.0 * volume, 1e-12);
    /* Closed inside and outside: the boundary's vector sum vanishes, and nothing of it lies in
     * the three planes, where all eight octants meet. */
    ew_list face = {0};
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&b.topology, &b.mesh, &face), EW_OK);
    CU_ASSERT_EQUAL(face.n, 8 * 3 * 2 * (9 * 2));
    ew_list_free(&face);
    drop(&b);
}

static void test_mirror_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    ew_mirror_def def = {.point = {0.75, 0, 0}, .normal = {1, 0, 0}, .tolerance = 1e-6};
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_EDIT,
            "24 tets cross the plane and 0 lie beyond");
    def.point[0] = 0.5;
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_EDIT,
            "0 tets cross the plane and 24 lie beyond");
    def.point[0] = 1.0;
    def.tolerance = 0.5;
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_EDIT, "24 tets have all four");
    def.tolerance = -1;
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "tolerance");
    def = (ew_mirror_def){.point = {1, 0, 0}};
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "normal");
    def.normal[0] = 1;
    def.point[1] = INFINITY;
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_ARGUMENT, "point");
    drop(&b);
}

static void test_mirror_refuses_inner_face_near_plane(void)
{
    body b;
    /* The common face stands upright within the tolerance; the apexes are below it. */
    const double xyz[15] = {0, 0, 0, 1, 0, 0, 0.5, 0, -0.1, 0.5, 1, -1, 0.5, -1, -1};
    const int32_t tet[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    make_tets(&b, 5, xyz, 2, tet);
    ew_mirror_def def = {.normal = {0, 0, 1}, .tolerance = 0.2};
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_EDIT, "2 images would be inverted");
    def.tolerance = 0.01; /* then only the edge 0 1 is common */
    CU_ASSERT_EQUAL(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_OK);
    commit(&b);
    CU_ASSERT_EQUAL(b.mesh.n_active_vertex, 8);
    drop(&b);
}

/* Reading lets overlaps pass; the message is of the body, not of what is queued. */
static void test_mirror_names_overlap_in_the_plane(void)
{
    body b = {0};
    const double xyz[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, -2};
    const int32_t tet[8] = {0, 2, 1, 3, 4, 0, 2, 1};
    const ew_mesh_def mesh = {.n_vertex = 5, .xyz = xyz, .n_tet = 2, .tet = tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b.mesh, &mesh, NULL), EW_OK);
    const ew_mirror_def def = {.normal = {0, 0, 1}, .tolerance = 1e-9};
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_EDIT,
            "mirror: tets 1 and 0 overlap: they share the face of vertices 0, 1 and 2");
    drop(&b);
}

/* The shared face is tilted and reaches over the apex and its image alike. */
static void test_mirror_refuses_inverted_image(void)
{
    body b;
    const double xyz[12] = {0, 0, -0.1, 1, 0, 0.1, 0.5, 1, 0, 10, 0, -0.5};
    const int32_t tet[4] = {0, 1, 2, 3};
    make_tets(&b, 4, xyz, 1, tet);
    const ew_mirror_def def = {.normal = {0, 0, 1}, .tolerance = 0.1};
    REFUSED(ew_operation_mirror(&b.mesh, &def, &b.edit), EW_BAD_EDIT,
            "1 images would be inverted or flat");
    drop(&b);
}

/* ---- scale ------------------------------------------------------------- */

static void test_scale_volume_and_bits(void)
{
    body b = {0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_torus(&b.mesh, 2, 0.5, (int32_t[2]){9, 4}), EW_OK);
    follow(&b);
    /* A hole and an inactive vertex. */
    const ew_decimate_def def = {.fraction = 0.4, .axis = {1, 1, 0}};
    CU_ASSERT_EQUAL_FATAL(ew_operation_decimate(&b.mesh, &def, &b.edit), EW_OK);
    commit(&b);
    int32_t emptied = b.change.emptied_vertex.id[0], hole = b.change.emptied_vertex.id[1];
    CU_ASSERT_EQUAL(ew_edit_remove_vertex(&b.edit, hole), EW_OK);
    commit(&b);
    double volume = measure(&b).volume, x[3];
    memcpy(x, b.mesh.xyz + 3 * emptied, sizeof x);
    CU_ASSERT_EQUAL_FATAL(ew_operation_scale(&b.mesh, (double[3]){2, 1, 0.25},
                                             (double[3]){0.3, 0.7, -1}, &b.edit),
                          EW_OK);
    CU_ASSERT_EQUAL(b.edit.move_vertex.n, b.mesh.n_vertex - 1);
    commit(&b);
    const double *y = b.mesh.xyz + 3 * emptied;
    CU_ASSERT_DOUBLE_EQUAL(y[0], 0.3 + 2 * (x[0] - 0.3), 1e-14);
    CU_ASSERT(y[1] == x[1]);
    CU_ASSERT_DOUBLE_EQUAL(y[2], -1 + 0.25 * (x[2] + 1), 1e-14);
    CLOSE(measure(&b).volume, 0.5 * volume, 1e-13);
    drop(&b);
}

static void test_scale_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    const double about[3] = {0, 0, 0}, nowhere[3] = {0, NAN, 0};
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1, 0, 1}, about, &b.edit), EW_BAD_ARGUMENT,
            "factor 0 along y");
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1, 1, -1}, about, &b.edit), EW_BAD_ARGUMENT,
            "mirror makes reflections");
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1, 1, 1}, nowhere, &b.edit), EW_BAD_ARGUMENT,
            "about");
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1, 1, 1e-13}, about, &b.edit), EW_BAD_EDIT,
            "48 tets would be inverted or flat");
    CU_ASSERT_EQUAL(ew_operation_scale(&b.mesh, (double[3]){1, 1, 1e-5}, about, &b.edit), EW_OK);
    commit(&b);
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1e300, 1, 1}, (double[3]){-1e300, 0, 0},
                               &b.edit),
            EW_BAD_EDIT, "beyond the range");
    drop(&b);
    /* Equal factors turn nothing over, and keep every shape. */
    make_box(&b, 1, 1, 1, 2, 2, 2);
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1e150, 1e150, 1e150}, about, &b.edit),
            EW_BAD_EDIT, "48 tets would be too large or too small for double numbers");
    REFUSED(ew_operation_scale(&b.mesh, (double[3]){1e-120, 1e-120, 1e-120}, about, &b.edit),
            EW_BAD_EDIT, "tet 0 of size 5e-121; keep all lengths");
    drop(&b);
}

/* ---- add --------------------------------------------------------------- */

static void test_add_welds_a_face(void)
{
    body b;
    make_two_regions(&b, 3);
    CU_ASSERT_EQUAL(b.mesh.n_vertex, 2 * 64 - 16);
    CU_ASSERT_EQUAL(b.mesh.n_region, 2);
    CU_ASSERT_EQUAL(b.mesh.region_label[1], 5);
    CLOSE(measure(&b).volume, 2.0, 1e-14);
    CLOSE(boundary_area(&b), 10.0, 1e-14);
    int32_t piece[324], n_piece = 0;
    CU_ASSERT_EQUAL(ew_topology_components(&b.topology, &b.mesh, piece, &n_piece), EW_OK);
    CU_ASSERT_EQUAL(n_piece, 1);
    int32_t n_boundary, n_labeled = labeled_boundary(&b, &n_boundary);
    CU_ASSERT_EQUAL(n_labeled, n_boundary);
    drop(&b);
}

static void test_add_tolerance(void)
{
    body b;
    ew_mesh other;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){2, 2, 2}), EW_OK);
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * v] += 1.0 + 1e-4;
    }
    /* Not welded below the gap, not to equal points only either. */
    CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 0.99e-4, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.n_add_vertex, 27);
    ew_edit_clear(&b.edit);
    CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 0, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.n_add_vertex, 27);
    ew_edit_clear(&b.edit);
    CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 1.01e-4, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.n_add_vertex, 18);
    commit(&b);
    CLOSE(measure(&b).volume, 2.0 + 1e-4, 1e-13); /* the welded layer is stretched */
    ew_mesh_free(&other);
    drop(&b);
}

static void test_add_refusals(void)
{
    body b;
    ew_mesh other, one;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){4, 2, 2}), EW_OK);
    REFUSED(ew_operation_add(&b.mesh, &b.mesh, 0, &b.edit), EW_BAD_EDIT, "same four vertices");
    REFUSED(ew_operation_add(&b.mesh, &other, 0.3, &b.edit), EW_BAD_EDIT, "are both within 0.3");
    REFUSED(ew_operation_add(&b.mesh, &other, -1, &b.edit), EW_BAD_ARGUMENT, "tolerance");
    /* One tet over an inner face: the third there. */
    const int32_t *v = b.mesh.tet, tet[4] = {0, 1, 2, 3};
    int32_t inner = -1;
    for (int32_t f = 0; f < 4 && inner < 0; f++) {
        inner = ew_topology_face_neighbor(&b.topology, &b.mesh, f) >= 0 ? f : -1;
    }
    double xyz[12], c[3];
    centroid(&b.mesh, 0, c);
    for (int i = 0; i < 3; i++) {
        memcpy(xyz + 3 * i, b.mesh.xyz + 3 * v[ew_face_vertex[inner][i]], 3 * sizeof *xyz);
    }
    memcpy(xyz + 9, c, sizeof c);
    const ew_mesh_def def = {.n_vertex = 4, .xyz = xyz, .n_tet = 1, .tet = tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&one, &def, NULL), EW_OK);
    REFUSED(ew_operation_add(&b.mesh, &one, 0, &b.edit), EW_BAD_EDIT,
            "tet 0 of the other mesh and tet 0 of this one would overlap");
    /* Welding draws its apex, 0.05 above the corner, through its base at 0.02. */
    const double flat[12] = {-1, -1, 0.02, 1, -1, 0.02, 0, 1.5, 0.02, 0, 0, 0.05};
    memcpy(one.xyz, flat, sizeof flat);
    for (int k = 0; k < 4; k++) {
        one.tet[k] = k;
    }
    CU_ASSERT_EQUAL(ew_mesh_check(&one), EW_OK);
    REFUSED(ew_operation_add(&b.mesh, &one, 0.06, &b.edit), EW_BAD_EDIT,
            "1 tets of the other mesh, once welded, would be inverted");
    ew_mesh_free(&one);
    ew_mesh_free(&other);
    drop(&b);
}

/* A body within another: they meet in whole faces, each with one tet of either, both inside. */
static void test_add_refuses_a_body_inside(void)
{
    body b;
    ew_mesh other;
    make_box(&b, 1, 0.3, 0.2, 8, 4, 3);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){0.4, 0.3, 0.2}, (int32_t[3]){3, 4, 3}),
                          EW_OK);
    REFUSED(ew_operation_add(&b.mesh, &other, 1e-9, &b.edit), EW_BAD_EDIT,
            "lie on the same side of it");
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * v] -= 0.4; /* beside it is welcome */
    }
    CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 1e-9, &b.edit), EW_OK);
    commit(&b);
    CLOSE(measure(&b).volume, 0.084, 1e-12);
    ew_mesh_free(&other);
    drop(&b);
}

/* Equally near: the lower vertex_id wins, whatever the slots. */
static void test_add_weld_tie(void)
{
    body b;
    ew_mesh other;
    const double xyz[24] = {-1, 0,  0, 1,  0, 0, /* both at distance 1 of the origin */
                            -1, -9, 0, -1, 0, -9, -9, 0, 0, 1, -9, 0, 1, 0, -9, 9, 0, 0};
    const int32_t tet[8] = {0, 2, 3, 4, 1, 5, 6, 7}, first[4] = {0, 1, 2, 3};
    const double far[12] = {0, 0, 0, 0, 5, 0, 1, 5, 0, 0, 5, 5};
    make_tets(&b, 8, xyz, 2, tet);
    const ew_mesh_def def = {.n_vertex = 4, .xyz = far, .n_tet = 1, .tet = first};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&other, &def, NULL), EW_OK);
    for (int pass = 0; pass < 2; pass++) {
        CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 1.0, &b.edit), EW_OK);
        int32_t welded = -1;
        for (int k = 0; k < 4; k++) {
            welded = b.edit.add_tet[k] >= 0 ? b.edit.add_tet[k] : welded;
        }
        CU_ASSERT_EQUAL(b.edit.n_add_vertex, 3);
        CU_ASSERT_EQUAL_FATAL(welded, pass);
        ew_edit_clear(&b.edit);
        b.mesh.vertex_id[0] = 1;
        b.mesh.vertex_id[1] = 0;
    }
    ew_mesh_free(&other);
    drop(&b);
}

/* ---- move -------------------------------------------------------------- */

static void test_move_falloff_is_exact(void)
{
    body b = {0};
    uint64_t state = 5;
    CU_ASSERT_EQUAL_FATAL(ew_shape_torus(&b.mesh, 2, 0.5, (int32_t[2]){40, 6}), EW_OK);
    follow(&b);
    ew_list set = {0};
    for (int i = 0; i < 30; i++) {
        CU_ASSERT_EQUAL(
            ew_list_push(&set, (int32_t)ew_test_random(&state, (uint32_t)b.mesh.n_vertex)), EW_OK);
    }
    const double by[3] = {0.01, -0.02, 0.03}, radius = 0.4;
    CU_ASSERT_EQUAL_FATAL(ew_operation_move(&b.mesh, &set, by, radius, &b.edit), EW_OK);
    int32_t at = 0;
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        double min2 = INFINITY;
        for (int32_t i = 0; i < set.n; i++) {
            double d2 = 0.0;
            for (int k = 0; k < 3; k++) {
                double d = b.mesh.xyz[3 * v + k] - b.mesh.xyz[3 * set.id[i] + k];
                d2 += d * d;
            }
            min2 = fmin(min2, d2);
        }
        if (min2 >= radius * radius) {
            continue;
        }
        double w = 1.0 - min2 / (radius * radius);
        CU_ASSERT_FATAL(at < b.edit.move_vertex.n);
        CU_ASSERT_EQUAL_FATAL(b.edit.move_vertex.id[at], v);
        for (int k = 0; k < 3; k++) {
            CU_ASSERT_DOUBLE_EQUAL(b.edit.move_to[3 * at + k],
                                   b.mesh.xyz[3 * v + k] + w * w * by[k], 1e-15);
        }
        at++;
    }
    CU_ASSERT_EQUAL(at, b.edit.move_vertex.n);
    CU_ASSERT(at > 100 && at < b.mesh.n_vertex);
    commit(&b);
    CU_ASSERT_EQUAL_FATAL(ew_operation_move(&b.mesh, &set, by, 0, &b.edit), EW_OK);
    ew_list_sort_unique(&set);
    CU_ASSERT_EQUAL(b.edit.move_vertex.n, set.n); /* each once */
    ew_list_free(&set);
    drop(&b);
}

static void test_move_refusals(void)
{
    body b;
    make_box(&b, 1, 1, 1, 2, 2, 2);
    ew_list set = {0};
    CU_ASSERT_EQUAL(ew_list_push(&set, 13), EW_OK); /* the middle */
    const double far[3] = {0.6, 0, 0}, zero[3] = {0, 0, 0}, wrong[3] = {0, 0, NAN};
    REFUSED(ew_operation_move(&b.mesh, &set, far, 0, &b.edit), EW_BAD_EDIT,
            "tets would be inverted or flat");
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "worst tet "));
    REFUSED(ew_operation_move(&b.mesh, &set, wrong, 0, &b.edit), EW_BAD_ARGUMENT, "vector");
    REFUSED(ew_operation_move(&b.mesh, &set, zero, INFINITY, &b.edit), EW_BAD_ARGUMENT, "radius");
    CU_ASSERT_EQUAL(ew_operation_move(&b.mesh, &set, far, 50, &b.edit), EW_OK); /* nearly rigid */
    commit(&b);
    CU_ASSERT_EQUAL(ew_list_push(&set, 27), EW_OK);
    REFUSED(ew_operation_move(&b.mesh, &set, zero, 0, &b.edit), EW_BAD_ARGUMENT,
            "vertex slot 27, does not exist");
    set.n = 0;
    CU_ASSERT_EQUAL(ew_operation_move(&b.mesh, &set, far, 1, &b.edit), EW_OK);
    CU_ASSERT(is_empty(&b.edit));
    ew_list_free(&set);
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"mirror_doubles_box", test_mirror_doubles_box},
        {"mirror_octant_to_sphere", test_mirror_octant_to_sphere},
        {"mirror_refusals", test_mirror_refusals},
        {"mirror_refuses_inner_face_near_plane", test_mirror_refuses_inner_face_near_plane},
        {"mirror_names_overlap_in_the_plane", test_mirror_names_overlap_in_the_plane},
        {"mirror_refuses_inverted_image", test_mirror_refuses_inverted_image},
        {"scale_volume_and_bits", test_scale_volume_and_bits},
        {"scale_refusals", test_scale_refusals},
        {"add_welds_a_face", test_add_welds_a_face},
        {"add_tolerance", test_add_tolerance},
        {"add_refusals", test_add_refusals},
        {"add_refuses_a_body_inside", test_add_refuses_a_body_inside},
        {"add_weld_tie", test_add_weld_tie},
        {"move_falloff_is_exact", test_move_falloff_is_exact},
        {"move_refusals", test_move_refusals},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"operation", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
