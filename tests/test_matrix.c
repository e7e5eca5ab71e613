/* The diagonal-edge matrix on the host: what a stiffness matrix must be, the product against dense
 * algebra, and revalidation against a rebuild, bit for bit. */
#include "testlib.h"

#include "assembly/assembly.h"
#include "shape/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct model {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
} model;

static void make_box(model *m, int32_t nx, int32_t ny, int32_t nz)
{
    const ew_material material = {2.0, 0.3, 1.0};
    *m = (model){0};
    CU_ASSERT_EQUAL_FATAL(
        ew_shape_box(&m->mesh, (double[]){1.0, 0.8, 1.3}, (int32_t[]){nx, ny, nz}), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&m->topology, &m->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m->materials, 1, &material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&m->matrix, &m->mesh, &m->topology, &m->materials),
                          EW_OK);
}

static void free_model(model *m)
{
    ew_matrix_free(&m->matrix);
    ew_materials_free(&m->materials);
    ew_topology_free(&m->topology);
    ew_mesh_free(&m->mesh);
}

static double uniform(uint64_t *state)
{
    return (double)ew_test_random(state, 1u << 30) / (double)(1u << 29) - 1.0;
}

static double *random_vector(int32_t n_row, uint64_t seed)
{
    double *x = malloc(3 * (size_t)n_row * sizeof *x);
    for (int32_t i = 0; i < 3 * n_row; i++) {
        x[i] = uniform(&seed);
    }
    return x;
}

/* Of the one region, with every vertex off its grid place. */
static void shake(model *m, double by)
{
    uint64_t state = 3;
    for (int32_t i = 0; i < 3 * m->mesh.n_vertex; i++) {
        m->mesh.xyz[i] += by * uniform(&state);
    }
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&m->matrix, &m->mesh, &m->topology, &m->materials),
                          EW_OK);
}

/* ---- build ------------------------------------------------------------- */

static void rigid_motion(const ew_mesh *mesh, int mode, double *u)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        double *to = u + 3 * (size_t)v;
        int i = mode % 3, j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = mode < 3 ? 1.0 : 0.0;
        to[j] = mode < 3 ? 0.0 : -x[k];
        to[k] = mode < 3 ? 0.0 : x[j];
    }
}

static void test_rigid_motions_make_no_force(void)
{
    model m;
    make_box(&m, 5, 4, 6);
    shake(&m, 0.02);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *u = malloc(n * sizeof *u), *f = malloc(n * sizeof *f);
    for (int mode = 0; mode < 6; mode++) {
        double largest = 0.0;
        rigid_motion(&m.mesh, mode, u);
        ew_matrix_product(&m.matrix, &m.topology.pattern, u, f);
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(f[i]));
        }
        CU_ASSERT(largest < 1e-14);
    }
    double strain_energy = 0.0; /* a stretch does make one */
    for (size_t i = 0; i < n; i++) {
        u[i] = m.mesh.xyz[i];
    }
    ew_matrix_product(&m.matrix, &m.topology.pattern, u, f);
    for (size_t i = 0; i < n; i++) {
        strain_energy += 0.5 * u[i] * f[i];
    }
    /* strain I: sigma = (3 lambda + 2 mu) I, energy density 3/2 (3 lambda + 2 mu) */
    double bulk = 3.0 * m.materials.lame[0] + 2.0 * m.materials.lame[1], volume = 0.0;
    for (int32_t t = 0; t < m.mesh.n_tet; t++) {
        volume += ew_mesh_tet_volume(&m.mesh, t);
    }
    CU_ASSERT(fabs(strain_energy / (1.5 * bulk * volume) - 1.0) < 1e-13);
    free(u);
    free(f);
    free_model(&m);
}

/* The whole matrix by tets, dense, from V B_a^T D B_b in index form. */
static double *dense_matrix(const model *m)
{
    size_t n = 3 * (size_t)m->mesh.n_vertex;
    double *k = calloc(n * n, sizeof *k), lambda = m->materials.lame[0], mu = m->materials.lame[1];
    for (int32_t t = 0; t < m->mesh.n_tet; t++) {
        double g[4][3], volume;
        const int32_t *v = m->mesh.tet + 4 * (size_t)t;
        if (v[0] < 0) {
            continue;
        }
        double corner[12];
        ew_mesh_tet_values(&m->mesh, t, m->mesh.xyz, corner);
        volume = ew_element_gradients(corner, g);
        for (int ai = 0; ai < 12; ai++) {
            for (int bj = 0; bj < 12; bj++) {
                int a = ai / 3, i = ai % 3, b = bj / 3, j = bj % 3;
                double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
                k[(3 * (size_t)v[a] + i) * n + 3 * (size_t)v[b] + j] +=
                    volume * (lambda * g[a][i] * g[b][j] + mu * g[b][i] * g[a][j] +
                              (i == j ? mu * dot : 0.0));
            }
        }
    }
    return k;
}

static void test_product_against_dense(void)
{
    model m;
    make_box(&m, 4, 3, 3);
    shake(&m, 0.03);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *k = dense_matrix(&m), *x = random_vector(m.mesh.n_vertex, 5);
    double *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z), *d = malloc(n * sizeof *d);
    ew_matrix_single single = {0};
    CU_ASSERT_EQUAL_FATAL(ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern), EW_OK);
    ew_matrix_product(&m.matrix, &m.topology.pattern, x, y);
    ew_matrix_single_product(&single, &m.topology.pattern, x, z);
    ew_matrix_scalar_diagonal(&m.matrix, d);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += k[i * n + j] * x[j];
            CU_ASSERT(fabs(k[i * n + j] - k[j * n + i]) < 1e-14);
        }
        CU_ASSERT(fabs(sum - y[i]) < 1e-13);
        CU_ASSERT(fabs(sum - z[i]) < 1e-5);
        CU_ASSERT(fabs(d[i] - k[i * n + i]) < 1e-14);
    }
    CU_ASSERT(memcmp(y, z, n * sizeof *y) != 0);
    ew_matrix_single_free(&single);
    free(k);
    free(x);
    free(y);
    free(z);
    free(d);
    free_model(&m);
}

/* y = K x by a plain loop over the edges. */
static void multiply_by_edges(const model *m, const double *x, double *y)
{
    memset(y, 0, 3 * (size_t)m->matrix.n_row * sizeof *y);
    for (int32_t e = -m->matrix.n_row; e < m->matrix.n_pair; e++) {
        int32_t a = e < 0 ? e + m->matrix.n_row : m->topology.pattern.pair_row[2 * (size_t)e];
        int32_t b = e < 0 ? a : m->topology.pattern.pair_row[2 * (size_t)e + 1];
        const double *k =
            e < 0 ? m->matrix.diagonal + 9 * (size_t)a : m->matrix.pair + 9 * (size_t)e;
        for (int i = 0; i < 9 && a >= 0; i++) {
            y[3 * a + i / 3] += k[i] * x[3 * b + i % 3];
            y[3 * b + i % 3] += e < 0 ? 0.0 : k[i] * x[3 * a + i / 3];
        }
    }
}

/* x . K y = y . K x over several chunks, and K of a chunked mesh is that of the formula. */
static void test_product_is_symmetric_across_chunks(void)
{
    model m;
    make_box(&m, 40, 11, 9);
    shake(&m, 0.004);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *x = random_vector(m.mesh.n_vertex, 1), *y = random_vector(m.mesh.n_vertex, 2);
    double *kx = malloc(n * sizeof *kx), *ky = malloc(n * sizeof *ky);
    ew_matrix_product(&m.matrix, &m.topology.pattern, x, kx);
    ew_matrix_product(&m.matrix, &m.topology.pattern, y, ky);
    double xky = 0.0, ykx = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        xky += x[i] * ky[i];
        ykx += y[i] * kx[i];
        largest += fabs(x[i] * ky[i]);
    }
    CU_ASSERT(fabs(xky - ykx) < 1e-14 * largest);
    multiply_by_edges(&m, x, ky);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT(fabs(ky[i] - kx[i]) < 1e-12);
    }
    free(x);
    free(y);
    free(kx);
    free(ky);
    free_model(&m);
}

static bool apply(model *m, const ew_edit *edit, ew_change *change);

/* Holes, rows without edges, and edges whose slots no longer ascend with their rows. */
static void test_product_after_edits(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 12, 9, 9);
    int32_t n_tet = m.mesh.n_tet, n_out = n_tet / 3;
    int32_t *out = malloc(4 * (size_t)n_out * sizeof *out);
    double *x = random_vector(m.mesh.n_vertex, 4);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    memcpy(out, m.mesh.tet + 4 * (size_t)(n_tet - n_out), 4 * (size_t)n_out * sizeof *out);
    for (int round = 0; round < 2; round++) {
        ew_edit_clear(&edit);
        for (int32_t t = 0; t < n_out; t++) { /* the last third out; half of it in, backwards */
            CU_ASSERT_EQUAL(round ? ew_edit_add_tet(&edit, out + 4 * (size_t)(n_out - 1 - t),
                                                    m.mesh.region_label[0])
                                  : ew_edit_remove_tet(&edit, n_tet - n_out + t),
                            EW_OK);
            t += round;
        }
        CU_ASSERT_FATAL(apply(&m, &edit, &change));
        ew_matrix_product(&m.matrix, &m.topology.pattern, x, y);
        multiply_by_edges(&m, x, z);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(fabs(y[i] - z[i]) < 1e-12);
        }
    }
    free(out);
    free(x);
    free(y);
    free(z);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

static void test_threads_do_not_change_a_bit(void)
{
    model m;
    make_box(&m, 40, 11, 9);
    shake(&m, 0.004);
    size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *x = random_vector(m.mesh.n_vertex, 1), *one = malloc(n * sizeof *one);
    double *more = malloc(n * sizeof *more);
    ew_use_threads(1);
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &m.materials), EW_OK);
    ew_matrix_product(&m.matrix, &m.topology.pattern, x, one);
    for (int threads = 2; threads < 6; threads++) {
        ew_matrix other = {0};
        int64_t n_different = 1;
        double largest;
        ew_use_threads(threads);
        CU_ASSERT_EQUAL(ew_stiffness_build(&other, &m.mesh, &m.topology, &m.materials), EW_OK);
        CU_ASSERT_EQUAL(ew_matrix_compare(&m.matrix, &m.topology.pattern, &other,
                                          &m.topology.pattern, &n_different, &largest),
                        EW_OK);
        CU_ASSERT_EQUAL(n_different, 0);
        ew_matrix_product(&other, &m.topology.pattern, x, more);
        CU_ASSERT_EQUAL(memcmp(one, more, n * sizeof *one), 0);
        ew_matrix_free(&other);
    }
    ew_use_threads(0);
    free(x);
    free(one);
    free(more);
    free_model(&m);
}

/* ---- revalidation ------------------------------------------------------ */

/* Tables and matrix made anew from the mesh must be those that were kept current. */
static void check_against_rebuild(const model *m)
{
    ew_topology topology = {0};
    ew_matrix matrix = {0};
    int64_t n_different = -1;
    double largest = -1.0;
    CU_ASSERT_EQUAL_FATAL(ew_matrix_check(&m->matrix, &m->topology.pattern), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &m->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&matrix, &m->mesh, &topology, &m->materials), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_matrix_compare(&m->matrix, &m->topology.pattern, &matrix,
                                            &topology.pattern, &n_different, &largest),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(n_different, 0);
    CU_ASSERT_EQUAL(largest, 0.0);
    ew_matrix_free(&matrix);
    ew_topology_free(&topology);
}

/* False when the mesh refused the batch. */
static bool apply(model *m, const ew_edit *edit, ew_change *change)
{
    ew_status status = ew_mesh_commit(&m->mesh, edit, &m->topology.vertex_to_tet, change);
    if (status) {
        CU_ASSERT_EQUAL(status, EW_BAD_EDIT);
        return false;
    }
    CU_ASSERT_EQUAL_FATAL(ew_topology_update(&m->topology, &m->mesh, change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_revalidate(&m->matrix, &m->mesh, &m->topology, &m->materials,
                                                  &m->topology.touched),
                          EW_OK);
    return true;
}

/* Much moved: every way to recompute gives the bits of the build. */
static void test_gather_and_walk_equal_build(void)
{
    /* 27 blocks are gathered; of some thousand, all or more than half are walked */
    static const int32_t cells[3] = {1, 9, 9}, share[3] = {1, 1, 2};
    for (int k = 0; k < 3; k++) {
        model m;
        ew_edit edit = {0};
        ew_change change = {0};
        uint64_t state = 11;
        make_box(&m, cells[k], cells[k], cells[k]);
        for (int32_t v = 0; v < m.mesh.n_vertex / share[k]; v++) {
            double x[3];
            for (int i = 0; i < 3; i++) {
                x[i] = m.mesh.xyz[3 * (size_t)v + i] + 0.01 * uniform(&state);
            }
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&edit, v, x), EW_OK);
        }
        CU_ASSERT(apply(&m, &edit, &change));
        CU_ASSERT_EQUAL(m.topology.touched.touched_pair.n == m.topology.pattern.n_live_pair,
                        share[k] == 1);
        CU_ASSERT_EQUAL(m.topology.touched.touched_row.n == m.mesh.n_vertex, share[k] == 1);
        CU_ASSERT(2 * m.topology.touched.touched_row.n > m.mesh.n_vertex);
        check_against_rebuild(&m);
        ew_edit_free(&edit);
        ew_change_free(&change);
        free_model(&m);
    }
}

static int32_t random_tet(const ew_mesh *mesh, uint64_t *state)
{
    int32_t t = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    for (int32_t i = 0; i < mesh->n_tet; i++, t = (t + 1) % mesh->n_tet) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            return t;
        }
    }
    return -1;
}

/* A tet gives way to the four around a new vertex inside it. */
static void queue_split(const ew_mesh *mesh, int32_t t, int nth, ew_edit *edit)
{
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    double center[3] = {0.0, 0.0, 0.0};
    int32_t vertex;
    for (int i = 0; i < 12; i++) {
        center[i % 3] += 0.25 * mesh->xyz[3 * (size_t)v[i / 3] + i % 3];
    }
    CU_ASSERT_EQUAL(ew_edit_add_vertex(edit, center, &vertex), EW_OK);
    CU_ASSERT_EQUAL(vertex, EW_NEW_VERTEX(nth));
    CU_ASSERT_EQUAL(ew_edit_remove_tet(edit, t), EW_OK);
    for (int i = 0; i < 4; i++) {
        int32_t tet[4] = {v[0], v[1], v[2], v[3]};
        tet[i] = vertex;
        CU_ASSERT_EQUAL(ew_edit_add_tet(edit, tet, mesh->region_label[0]), EW_OK);
    }
}

/* Tets that were taken out and may come back: vertices of each. */
typedef struct stash {
    int32_t n, tet[4096][4];
} stash;

static void queue_random(const model *m, stash *out, uint64_t *state, ew_edit *edit)
{
    int n_split = 0, n_entry = 1 + (int)ew_test_random(state, 4);
    for (int entry = 0; entry < n_entry; entry++) {
        uint32_t kind = ew_test_random(state, 8);
        int32_t t = random_tet(&m->mesh, state);
        if (kind < 3 && t >= 0 && out->n < 4096) {
            memcpy(out->tet[out->n++], m->mesh.tet + 4 * (size_t)t, 4 * sizeof(int32_t));
            CU_ASSERT_EQUAL(ew_edit_remove_tet(edit, t), EW_OK);
        } else if (kind < 6 && out->n > 0) {
            int32_t k = (int32_t)ew_test_random(state, (uint32_t)out->n);
            CU_ASSERT_EQUAL(ew_edit_add_tet(edit, out->tet[k], m->mesh.region_label[0]), EW_OK);
            memmove(out->tet[k], out->tet[--out->n], sizeof out->tet[k]);
        } else if (kind == 6 && t >= 0 && m->mesh.n_live_tet < 800) {
            queue_split(&m->mesh, t, n_split++, edit);
        } else {
            int32_t v = (int32_t)ew_test_random(state, (uint32_t)m->mesh.n_vertex);
            double x[3];
            for (int i = 0; i < 3; i++) {
                x[i] = m->mesh.xyz[3 * (size_t)v + i] + 0.01 * uniform(state);
            }
            CU_ASSERT_EQUAL(ew_edit_move_vertex(edit, v, x), EW_OK);
        }
    }
}

static void test_random_edits_equal_rebuild(void)
{
    static stash out;
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    uint64_t state = 1;
    int32_t n_applied = 0, n_refused = 0;
    make_box(&m, 3, 3, 3);
    out.n = 0;
    for (int32_t n = 0; n < 5000; n++) {
        stash before = out;
        ew_edit_clear(&edit);
        queue_random(&m, &out, &state, &edit);
        if (apply(&m, &edit, &change)) {
            n_applied++;
            check_against_rebuild(&m);
        } else {
            n_refused++;
            out = before;
        }
    }
    CU_ASSERT(n_applied > 1000 && n_refused > 10);
    CU_ASSERT_EQUAL(ew_topology_check(&m.topology, &m.mesh), EW_OK);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* Large batches, which the walk serves, down to an empty mesh and up again. */
static void test_large_edits_equal_rebuild(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 8, 8, 8);
    int32_t n_tet = m.mesh.n_tet;
    int32_t *all = malloc(4 * (size_t)n_tet * sizeof *all);
    memcpy(all, m.mesh.tet, 4 * (size_t)n_tet * sizeof *all);
    for (int32_t share = 4; share > 0; share--) { /* a quarter, a third, a half, the rest */
        int32_t k = 0;
        ew_edit_clear(&edit);
        for (int32_t t = 0; t < n_tet; t++) {
            if (ew_mesh_tet_is_live(&m.mesh, t) && k++ % share == 0) {
                CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, t), EW_OK);
            }
        }
        CU_ASSERT_FATAL(apply(&m, &edit, &change));
        check_against_rebuild(&m);
    }
    CU_ASSERT_EQUAL(m.mesh.n_live_tet, 0);
    for (int32_t row = 0; row < m.matrix.n_row; row++) {
        CU_ASSERT_EQUAL(m.matrix.diagonal[9 * (size_t)row + 4], 1.0);
    }
    for (int32_t half = 0; half < 2; half++) {
        ew_edit_clear(&edit);
        for (int32_t t = half; t < n_tet; t += 2) {
            CU_ASSERT_EQUAL(ew_edit_add_tet(&edit, all + 4 * (size_t)t, m.mesh.region_label[0]),
                            EW_OK);
        }
        CU_ASSERT_FATAL(apply(&m, &edit, &change));
        check_against_rebuild(&m);
    }
    free(all);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

static void test_stale_inputs_are_refused(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 2, 2, 2);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 3), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &m.materials), EW_STALE);
    CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    ew_materials none = {0};
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &none), EW_BAD_ARGUMENT);
    check_against_rebuild(&m);
    /* tables built anew know nothing of what the change touched */
    ew_edit_clear(&edit);
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 4), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
    ew_topology_free(&m.topology);
    CU_ASSERT_EQUAL(ew_topology_build(&m.topology, &m.mesh), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    CU_ASSERT_EQUAL(ew_stiffness_build(&m.matrix, &m.mesh, &m.topology, &m.materials), EW_OK);
    check_against_rebuild(&m);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* A constant that is in the blocks has changed: no local revalidation can be right. A region that
 * an edit brings is not in them yet. */
static void test_changed_material_is_refused(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 3, 3, 3);
    ew_material material[2] = {m.materials.material[0], {70e9, 0.3, 2700.0}};
    CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 3), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
    CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
    material[0].young *= 2.0;
    ew_materials_free(&m.materials);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m.materials, 1, material), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_STALE);
    material[0].young /= 2.0;
    ew_materials_free(&m.materials);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m.materials, 2, material), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                            &m.topology.touched),
                    EW_OK);
    check_against_rebuild(&m);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* Several commits, one revalidation. */
static void test_changes_add_up(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    ew_pattern_dirty dirty = {0};
    ew_pattern_change sum = {0};
    make_box(&m, 4, 4, 4);
    for (int32_t k = 0; k < 12; k++) {
        ew_edit_clear(&edit);
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 7 * k), EW_OK);
        if (k % 3 == 2) {
            int32_t v = 30 + k;
            const double *x = m.mesh.xyz + 3 * (size_t)v;
            CU_ASSERT_EQUAL(
                ew_edit_move_vertex(&edit, v, (double[3]){x[0] + 1e-3, x[1], x[2] - 1e-3}), EW_OK);
        }
        CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change),
                              EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_pattern_dirty_add(&dirty, &m.topology.touched), EW_OK);
    }
    CU_ASSERT_EQUAL(ew_pattern_dirty_take(&dirty, &m.topology.pattern, &sum), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials, &sum),
                    EW_OK);
    check_against_rebuild(&m);
    /* a change left out is noticed */
    for (int32_t k = 0; k < 2; k++) {
        ew_edit_clear(&edit);
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, 200 + k), EW_OK);
        CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
        CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
    }
    CU_ASSERT_EQUAL(ew_pattern_dirty_add(&dirty, &m.topology.touched), EW_OK);
    CU_ASSERT_EQUAL(ew_pattern_dirty_take(&dirty, &m.topology.pattern, &sum), EW_OK);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials, &sum),
                    EW_STALE);
    ew_pattern_dirty_free(&dirty);
    ew_pattern_change_free(&sum);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

/* The loop over a formulation that is only known by its table gives the bits of the one compiled
 * in. */
static void test_element_table_gives_the_same_bits(void)
{
    model m;
    ew_matrix other = {0};
    int64_t n_different;
    double largest;
    make_box(&m, 3, 4, 2);
    const ew_element copy = ew_element_linear;
    ew_stiffness stiffness = ew_stiffness_of(&m.mesh, &m.topology, &m.materials);
    stiffness.element = &copy;
    CU_ASSERT_EQUAL_FATAL(ew_matrix_build(&other, &stiffness.source), EW_OK);
    CU_ASSERT_EQUAL(ew_matrix_compare(&m.matrix, &m.topology.pattern, &other, &m.topology.pattern,
                                      &n_different, &largest),
                    EW_OK);
    CU_ASSERT_EQUAL(n_different, 0);
    CU_ASSERT_PTR_EQUAL(ew_element_named("linear"), &ew_element_linear);
    CU_ASSERT_PTR_NULL(ew_element_named("nonsense"));
    ew_matrix_free(&other);
    free_model(&m);
}

/* ---- checkers ---------------------------------------------------------- */

static void test_check_names_each_broken_rule(void)
{
    model m;
    ew_edit edit = {0};
    ew_change change = {0};
    make_box(&m, 2, 1, 1);
    const ew_pattern *pattern = &m.topology.pattern;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_OK);
    m.matrix.n_pair--;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_SIZE);
    m.matrix.n_pair++;
    double *entry = m.matrix.diagonal + 1, kept = *entry;
    *entry += 1e-6;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_SYMMETRY);
    *entry = (double)NAN;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_VALUE);
    *entry = kept;
    kept = m.matrix.pair[4];
    m.matrix.pair[4] = (double)INFINITY;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_VALUE);
    m.matrix.pair[4] = kept;
    for (int32_t t = 0; t < m.mesh.n_tet; t++) {
        CU_ASSERT_EQUAL(ew_edit_remove_tet(&edit, t), EW_OK);
    }
    CU_ASSERT(apply(&m, &edit, &change));
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_OK);
    m.matrix.diagonal[4] = 2.0;
    CU_ASSERT_EQUAL(ew_matrix_check(&m.matrix, pattern), EW_MATRIX_VALUE);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_model(&m);
}

static void test_compare_counts_blocks(void)
{
    model a, b;
    int64_t n_different = -1;
    double largest = -1.0;
    make_box(&a, 2, 2, 1);
    make_box(&b, 2, 2, 1);
    b.matrix.pair[9 * 3 + 2] += 0.5;
    b.matrix.pair[9 * 3 + 3] += 0.25;
    b.matrix.diagonal[9 * 2] += 2.0;
    CU_ASSERT_EQUAL(ew_matrix_compare(&a.matrix, &a.topology.pattern, &b.matrix,
                                      &b.topology.pattern, &n_different, &largest),
                    EW_OK);
    CU_ASSERT_EQUAL(n_different, 2);
    CU_ASSERT_EQUAL(largest, 2.0);
    b.matrix.pair[9 * 3 + 1] = (double)NAN; /* is not lost behind numbers */
    CU_ASSERT_EQUAL(ew_matrix_compare(&a.matrix, &a.topology.pattern, &b.matrix,
                                      &b.topology.pattern, &n_different, &largest),
                    EW_OK);
    CU_ASSERT_EQUAL(n_different, 2);
    CU_ASSERT_TRUE(isnan(largest));
    free_model(&b);
    make_box(&b, 2, 2, 2);
    CU_ASSERT_EQUAL(ew_matrix_compare(&a.matrix, &a.topology.pattern, &b.matrix,
                                      &b.topology.pattern, &n_different, &largest),
                    EW_MATRIX_SIZE);
    free_model(&b);
    free_model(&a);
}

static void test_single_copy_refuses_what_float_cannot_hold(void)
{
    model m;
    ew_matrix_single single = {0};
    make_box(&m, 1, 1, 1);
    m.matrix.pair[5] = 1e39;
    CU_ASSERT_EQUAL(ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern), EW_NOT_FINITE);
    m.matrix.pair[5] = 1e38;
    CU_ASSERT_EQUAL(ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern), EW_OK);
    CU_ASSERT_EQUAL(single.pair[5], 1e38f);
    ew_matrix_single_free(&single);
    ew_matrix_single_free(&single);
    free_model(&m);
}

static void test_bytes(void)
{
    model m;
    make_box(&m, 1, 1, 1); /* 8 vertices, 19 edges */
    CU_ASSERT_EQUAL(m.matrix.n_pair, 19);
    CU_ASSERT_EQUAL(ew_matrix_bytes(&m.matrix), 27 * 72);
    CU_ASSERT_EQUAL(ew_matrix_product_bytes(&m.matrix, &m.topology.pattern, 8),
                    27 * 72 + 19 * 4 + 8 * 48);
    free_model(&m);
}

/* A refused allocation leaves the old matrix whole. */
static void test_failing_allocations(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        model m;
        ew_matrix matrix = {0};
        ew_matrix_single single = {0};
        make_box(&m, 5, 5, 5);
        ew_edit edit = {0};
        ew_change change = {0};
        for (int32_t v = 0; v < m.mesh.n_vertex; v++) {
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&edit, v, m.mesh.xyz + 3 * (size_t)v), EW_OK);
        }
        CU_ASSERT_EQUAL(ew_mesh_commit(&m.mesh, &edit, &m.topology.vertex_to_tet, &change), EW_OK);
        CU_ASSERT_EQUAL(ew_topology_update(&m.topology, &m.mesh, &change), EW_OK);
        ew_test_allocations_begin(k);
        ew_status built = ew_stiffness_build(&matrix, &m.mesh, &m.topology, &m.materials);
        ew_status copied = ew_matrix_single_copy(&single, &m.matrix, &m.topology.pattern);
        ew_status current = ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                                    &m.topology.touched);
        ew_matrix_free(&matrix);
        ew_matrix_single_free(&single);
        CU_ASSERT_EQUAL(ew_test_held(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(refused, built || copied || current);
        CU_ASSERT(!current || current == EW_NO_MEMORY);
        if (current) {
            CU_ASSERT_EQUAL(m.matrix.revision, change.from_revision);
            CU_ASSERT_EQUAL(ew_stiffness_revalidate(&m.matrix, &m.mesh, &m.topology, &m.materials,
                                                    &m.topology.touched),
                            EW_OK);
        }
        check_against_rebuild(&m);
        ew_edit_free(&edit);
        ew_change_free(&change);
        free_model(&m);
    }
}

static CU_TestInfo tests[] = {
    {"rigid_motions_make_no_force", test_rigid_motions_make_no_force},
    {"product_against_dense", test_product_against_dense},
    {"product_is_symmetric_across_chunks", test_product_is_symmetric_across_chunks},
    {"product_after_edits", test_product_after_edits},
    {"threads_do_not_change_a_bit", test_threads_do_not_change_a_bit},
    {"gather_and_walk_equal_build", test_gather_and_walk_equal_build},
    {"random_edits_equal_rebuild", test_random_edits_equal_rebuild},
    {"large_edits_equal_rebuild", test_large_edits_equal_rebuild},
    {"stale_inputs_are_refused", test_stale_inputs_are_refused},
    {"changed_material_is_refused", test_changed_material_is_refused},
    {"changes_add_up", test_changes_add_up},
    {"element_table_gives_the_same_bits", test_element_table_gives_the_same_bits},
    {"check_names_each_broken_rule", test_check_names_each_broken_rule},
    {"compare_counts_blocks", test_compare_counts_blocks},
    {"single_copy_refuses_what_float_cannot_hold", test_single_copy_refuses_what_float_cannot_hold},
    {"bytes", test_bytes},
    {"failing_allocations", test_failing_allocations},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "matrix", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
