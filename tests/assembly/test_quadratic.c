/* Quadratic tets: the element against numerical integration of nodal functions, the preconditioner,
 * patch tests, convergence. */
#include "quadratic_fixture.h"

#include "quadratic.h"

#include <stdio.h>

/* ---- the element -------------------------------------------------------------- */

/* Gradients of the ten nodal functions at a point with barycentric coordinates l. */
static void nodal_gradients(const double l[4], double g[4][3], double n[10][3])
{
    for (int c = 0; c < 3; c++) {
        for (int a = 0; a < 4; a++) {
            n[a][c] = (4.0 * l[a] - 1.0) * g[a][c];
        }
        for (int e = 0; e < 6; e++) {
            const int a = ew_edge_vertex[e][0], b = ew_edge_vertex[e][1];
            n[4 + e][c] = 4.0 * (l[a] * g[b][c] + l[b] * g[a][c]);
        }
    }
}

/* force += K u, by four points, exact to degree two. */
static void add_nodal_forces(const double *x, const double lame[2], double u[10][3],
                             double force[10][3])
{
    const double near = 0.58541019662496852, far = 0.1381966011250105;
    double g[4][3], n[10][3];
    const double volume = ew_element_gradients(x, g);
    for (int point = 0; point < 4; point++) {
        double l[4] = {far, far, far, far}, h[3][3] = {{0}}, s[3][3];
        l[point] = near;
        nodal_gradients(l, g, n);
        for (int k = 0; k < 10; k++) {
            for (int i = 0; i < 9; i++) {
                h[i / 3][i % 3] += u[k][i / 3] * n[k][i % 3];
            }
        }
        for (int i = 0; i < 9; i++) {
            const int a = i / 3, b = i % 3;
            s[a][b] = lame[1] * (h[a][b] + h[b][a]) +
                      (a == b ? lame[0] * (h[0][0] + h[1][1] + h[2][2]) : 0.0);
        }
        for (int k = 0; k < 10; k++) {
            for (int i = 0; i < 9; i++) {
                force[k][i / 3] += 0.25 * volume * s[i / 3][i % 3] * n[k][i % 3];
            }
        }
    }
}

static void test_product_is_that_of_nodal_functions(void)
{
    body p;
    const double lame[2] = {200.0 * 0.3 / (1.3 * 0.4), 200.0 / 2.6};
    make_box_body(&p, (int32_t[]){2, 2, 1}, 0.3);
    double *y = calloc((size_t)p.n, 3 * sizeof *y), *z = calloc((size_t)p.n, 3 * sizeof *z);
    random_vector(p.x, p.n, 3);
    p.op.type->product(&p.op, false, p.x, y);
    for (int32_t t = 0; t < p.mesh.n_tet; t++) {
        double x[12], u[10][3], force[10][3] = {{0.0}};
        int32_t node[10];
        ew_mesh_tet_values(&p.mesh, t, p.mesh.xyz, x);
        memcpy(node, p.mesh.tet + 4 * (size_t)t, 4 * sizeof *node);
        for (int e = 0; e < 6; e++) {
            node[4 + e] =
                p.mesh.n_vertex + p.rows.row[p.topology.tet_to_edge[6 * (size_t)t + (size_t)e]];
        }
        for (int k = 0; k < 30; k++) {
            u[k / 3][k % 3] = p.x[3 * (size_t)node[k / 3] + (size_t)(k % 3)];
        }
        for (int k = 0; k < 18; k++) { /* the displacement of the middle */
            const int8_t *end = ew_edge_vertex[k / 3];
            u[4 + k / 3][k % 3] += 0.5 * (u[end[0]][k % 3] + u[end[1]][k % 3]);
        }
        add_nodal_forces(x, lame, u, force);
        for (int k = 0; k < 18; k++) { /* and its force, shared by the ends */
            const int8_t *end = ew_edge_vertex[k / 3];
            force[end[0]][k % 3] += 0.5 * force[4 + k / 3][k % 3];
            force[end[1]][k % 3] += 0.5 * force[4 + k / 3][k % 3];
        }
        for (int k = 0; k < 30; k++) {
            z[3 * (size_t)node[k / 3] + (size_t)(k % 3)] += force[k / 3][k % 3];
        }
    }
    for (int32_t i = 0; i < 3 * p.n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], 1e-11 * 200.0);
    }
    free(y);
    free(z);
    free_body(&p);
}

/* The diagonal blocks are what products say. */
static void check_blocks(body *p)
{
    double *y = calloc((size_t)p->n, 3 * sizeof *y);
    for (int32_t row = 0; row < p->rows.pattern.n_row; row++) {
        for (size_t c = 0; c < 3; c++) {
            const size_t at = 3 * (size_t)(p->mesh.n_vertex + row);
            p->x[at + c] = 1.0;
            p->op.type->product(&p->op, false, p->x, y);
            p->x[at + c] = 0.0;
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT_DOUBLE_EQUAL(y[at + i], p->blocks.diagonal[9 * (size_t)row + 3 * i + c],
                                       1e-12 * 200.0);
            }
        }
    }
    free(y);
}

static void test_blocks_are_those_of_the_product(void)
{
    body p;
    make_box_body(&p, (int32_t[]){1, 2, 1}, 0.4);
    check_blocks(&p);
    free_body(&p);
}

/* ---- other laws ------------------------------------------------------------------- */

/* Twice the energy of x, from the nodal functions at four points and the law of each tet. */
static double energy_of(const body *p)
{
    const double near = 0.58541019662496852, far = 0.1381966011250105;
    double energy = 0.0;
    for (int32_t t = 0; t < p->mesh.n_tet; t++) {
        double x[12], g[4][3], n[10][3], strain[6], stress[6];
        ew_elastic law;
        ew_mesh_tet_values(&p->mesh, t, p->mesh.xyz, x);
        ew_elastic_of(&law, &p->materials, p->mesh.region[t], t, x);
        const double volume = ew_element_gradients(x, g);
        for (int point = 0; point < 4; point++) {
            double l[4] = {far, far, far, far}, h[3][3] = {{0}};
            l[point] = near;
            nodal_gradients(l, g, n);
            for (int k = 0; k < 90; k++) {
                const int node = k / 9, i = k / 3 % 3, j = k % 3;
                const int8_t *end = ew_edge_vertex[node < 4 ? 0 : node - 4];
                const int32_t *v = p->mesh.tet + 4 * (size_t)t;
                const size_t e = (size_t)p->topology.tet_to_edge[6 * t + (node < 4 ? 0 : node - 4)];
                const double *c = p->x + 3 * (size_t)(p->mesh.n_vertex + p->rows.row[e]);
                const double u =
                    node < 4 ? p->x[3 * v[node] + i]
                             : c[i] + 0.5 * (p->x[3 * v[end[0]] + i] + p->x[3 * v[end[1]] + i]);
                h[i][j] += u * n[node][j];
            }
            for (int i = 0; i < 3; i++) {
                const int j = (i + 1) % 3;
                strain[i] = h[i][i];
                strain[3 + i] = h[i][j] + h[j][i];
            }
            ew_elastic_stress(&law, strain, stress);
            for (int i = 0; i < 6; i++) {
                energy += 0.25 * volume * strain[i] * stress[i];
            }
        }
    }
    return energy;
}

static double dot(const double *a, const double *b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < 3 * n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Along the axes of a cylinder: blocks, energy, symmetry. */
static void test_orthotropic_product(void)
{
    const ew_material material = wood();
    body p = {0};
    must(ew_shape_box(&p.mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){2, 1, 2}));
    build_body_of(&p, &material, NULL);
    check_blocks(&p);
    double *y = calloc((size_t)p.n, 3 * sizeof *y), *z = calloc((size_t)p.n, 3 * sizeof *z);
    random_vector(p.x, p.n, 3);
    ew_operator_product(&p.op, p.x, y);
    CU_ASSERT_DOUBLE_EQUAL(dot(p.x, y, p.n) / energy_of(&p), 1.0, 1e-12);
    random_vector(p.b, p.n, 5);
    ew_operator_product(&p.op, p.b, z);
    CU_ASSERT_DOUBLE_EQUAL(dot(p.x, z, p.n), dot(p.b, y, p.n), 1e-9);
    free(y);
    free(z);
    free_body(&p);
}

/* Isotropic constants as 21 stiffnesses: the isotropic product. */
static void test_isotropic_law_in_full(void)
{
    const double lambda = 200.0 * 0.3 / (1.3 * 0.4), mu = 200.0 / 2.6;
    ew_material material = {.kind = EW_ANISOTROPIC, .density = 1.0};
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            material.stiffness[EW_MODULUS(i, j)] =
                (i < 3 && j < 3 ? lambda : 0.0) + (i == j ? (i < 3 ? 2.0 * mu : mu) : 0.0);
        }
    }
    body p, q = {0};
    make_box_body(&p, (int32_t[]){3, 2, 2}, 0.3);
    must(ew_shape_box(&q.mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 2, 2}));
    build_body_of(&q, &material, NULL);
    double *y = calloc((size_t)p.n, 3 * sizeof *y), *z = calloc((size_t)p.n, 3 * sizeof *z);
    random_vector(p.x, p.n, 3);
    ew_operator_product(&p.op, p.x, y);
    ew_operator_product(&q.op, p.x, z);
    for (int32_t i = 0; i < 3 * p.n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], 1e-11 * 200.0);
    }
    free(y);
    free(z);
    free_body(&p);
    free_body(&q);
}

/* ---- the preconditioner --------------------------------------------------------------- */

static void check_preconditioner(ew_preconditioner_kind kind)
{
    body p;
    make_box_body(&p, (int32_t[]){6, 5, 5}, 0.3);
    fix_surface(&p);
    for (int32_t i = 0; i < p.n; i++) { /* one face alone stays fixed */
        const int32_t v = i < p.mesh.n_vertex ? i : ends_of(&p, i - p.mesh.n_vertex)[0];
        const int32_t w = i < p.mesh.n_vertex ? i : ends_of(&p, i - p.mesh.n_vertex)[1];
        const double *x = p.mesh.xyz;
        p.fixed[i] = x[3 * (size_t)v] == 0.0 && x[3 * (size_t)w] == 0.0 ? p.fixed[i] : 0;
    }
    const ew_system system = {.op = &p.op, .xyz = p.mesh.xyz, .fixed = p.fixed, .b = p.b};
    ew_preconditioner own = {0};
    must(ew_preconditioner_setup(&own, kind, &system, EW_DOUBLE));
    double *r[2], *z[2];
    for (int k = 0; k < 2; k++) {
        r[k] = calloc((size_t)p.n, 3 * sizeof *r[k]);
        z[k] = calloc((size_t)p.n, 3 * sizeof *z[k]);
        random_vector(r[k], p.n, 11 + (uint64_t)k);
        for (int32_t i = 0; i < 3 * p.n; i++) {
            r[k][i] = p.fixed[i / 3] ? 0.0 : r[k][i];
        }
        ew_preconditioner_apply(&own, r[k], z[k]);
    }
    const double a = dot(r[0], z[1], p.n), b = dot(r[1], z[0], p.n);
    CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-10 * fabs(dot(r[0], z[0], p.n)));
    CU_ASSERT(dot(r[0], z[0], p.n) > 0.0 && dot(r[1], z[1], p.n) > 0.0);
    random_vector(p.b, p.n, 13);
    must(solve_body(&p, kind, 1e-9));
    CU_ASSERT(kind != EW_RIGID || p.info.iterations < 60);
    for (int k = 0; k < 2; k++) {
        free(r[k]);
        free(z[k]);
    }
    ew_preconditioner_free(&own);
    free_body(&p);
}

static void test_preconditioner_is_symmetric_and_positive(void)
{
    check_preconditioner(EW_BLOCK_JACOBI);
    check_preconditioner(EW_RIGID);
}

/* ---- answers -------------------------------------------------------------------------- */

static void linear_field(const double x[3], double u[3])
{
    u[0] = 0.1 + 0.3 * x[0] - 0.2 * x[1] + 0.5 * x[2];
    u[1] = -0.4 * x[0] + 0.1 * x[1] + 0.2 * x[2];
    u[2] = 0.7 * x[0] + 0.6 * x[1] - 0.3 * x[2];
}

/* Quadratic, without a body force: gradients of harmonic polynomials of degree three. */
static void quadratic_field(const double x[3], double u[3])
{
    u[0] = x[0] * x[0] - x[1] * x[1] + x[1] * x[2];
    u[1] = -2.0 * x[0] * x[1] + x[0] * x[2];
    u[2] = x[0] * x[1];
}

/* Harmonic in each component and without divergence: an answer for any constants. */
static void smooth_field(const double x[3], double u[3])
{
    const double r = sqrt(2.0), e = exp(r * x[0]);
    u[0] = r * e * cos(x[1]) * cos(x[2]);
    u[1] = -e * sin(x[1]) * cos(x[2]);
    u[2] = -e * cos(x[1]) * sin(x[2]);
}

/* Largest error of a vertex, and of the stress at the corners of tets, relative. */
static void solve_for(body *p, field of, double *error, double *stress_error)
{
    double *exact = calloc((size_t)p->n, 3 * sizeof *exact), size = 0.0;
    put_field(p, of, exact);
    fix_surface(p);
    for (int32_t i = 0; i < 3 * p->n; i++) {
        p->x[i] = p->fixed[i / 3] ? exact[i] : 0.0;
    }
    must(solve_body(p, EW_AUTO_PRECONDITIONER, 1e-11));
    *error = *stress_error = 0.0;
    for (int32_t i = 0; i < 3 * p->mesh.n_vertex; i++) {
        size = fmax(size, fabs(exact[i]));
        *error = fmax(*error, fabs(p->x[i] - exact[i]));
    }
    *error /= size;
    const ew_edge_values edges = {
        .rows = &p->rows, .topology = &p->topology, .u = p->x + 3 * (size_t)p->mesh.n_vertex};
    const ew_edge_values right = {
        .rows = &p->rows, .topology = &p->topology, .u = exact + 3 * (size_t)p->mesh.n_vertex};
    double largest = 0.0;
    for (int32_t t = 0; t < p->mesh.n_tet; t++) {
        ew_corner_state state, wanted;
        CU_ASSERT(ew_corner_state_of(&state, &p->mesh, &p->materials, 0, NULL, p->x, &edges, t));
        CU_ASSERT(ew_corner_state_of(&wanted, &p->mesh, &p->materials, 0, NULL, exact, &right, t));
        for (int i = 0; i < 24; i++) {
            largest = fmax(largest, fabs(wanted.stress[i / 6][i % 6]));
            *stress_error =
                fmax(*stress_error, fabs(state.stress[i / 6][i % 6] - wanted.stress[i / 6][i % 6]));
        }
    }
    *stress_error /= largest;
    free(exact);
}

static void test_patch(void)
{
    static const field of[] = {linear_field, quadratic_field};
    for (int k = 0; k < 2; k++) {
        body p;
        double error, stress_error;
        make_box_body(&p, (int32_t[]){3, 3, 3}, 0.3);
        solve_for(&p, of[k], &error, &stress_error);
        CU_ASSERT(error < 1e-9);
        CU_ASSERT(stress_error < 1e-8);
        free_body(&p);
    }
}

/* Order three in the displacement, two in the stress. */
static void test_convergence(void)
{
    double error[2], stress_error[2];
    for (int k = 0; k < 2; k++) {
        body p;
        const int32_t n = 4 << k;
        make_box_body(&p, (int32_t[]){n, n, n}, 0.3);
        solve_for(&p, smooth_field, &error[k], &stress_error[k]);
        free_body(&p);
    }
    CU_ASSERT(error[0] / error[1] > 7.0);
    CU_ASSERT(stress_error[0] / stress_error[1] > 3.0);
}

/* ---- mass --------------------------------------------------------------------- */

static void remove_tet(body *p, int32_t tet)
{
    const ew_order order = {true, NULL};
    ew_edit edit = {0};
    ew_change change = {0};
    must(ew_edit_remove_tet(&edit, tet));
    must(ew_mesh_commit(&p->mesh, &edit, &p->topology.vertex_to_tet, &change));
    must(ew_topology_update(&p->topology, &p->mesh, &change));
    must(ew_edge_rows_update(&p->rows, &p->topology, &order, NULL));
    ew_edit_free(&edit);
    ew_change_free(&change);
}

/* The masses of nodes around a tet that is gone are those of a build, and no others are weighed. */
static void test_masses_follow_an_edit(void)
{
    body p;
    ew_edge_mass mass = {0}, fresh = {0};
    make_box_body(&p, (int32_t[]){6, 6, 6}, 0.3);
    const ew_mass of = ew_mass_of(&p.mesh, &p.topology, &p.materials, EW_MASS_LUMPED);
    must(ew_edge_mass_build(&mass, &of, &p.rows));
    for (int k = 0; k < 20; k++) {
        remove_tet(&p, 61 * k + 7);
        must(ew_edge_mass_update(&mass, &p.topology.touched.touched_row,
                                 &p.rows.touched.touched_row));
        CU_ASSERT(mass.tet.list.n < 110 && mass.touched_row.list.n < 300);
        must(ew_edge_mass_build(&fresh, &of, &p.rows));
        for (int32_t i = 0; i < p.rows.pattern.n_row; i++) {
            CU_ASSERT_EQUAL(mass.edge[i], fresh.edge[i]);
        }
        for (int32_t v = 0; v < p.mesh.n_vertex; v++) {
            CU_ASSERT_EQUAL(mass.vertex[v], fresh.vertex[v]);
        }
    }
    ew_edge_mass_free(&mass);
    ew_edge_mass_free(&fresh);
    free_body(&p);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"product_is_that_of_nodal_functions", test_product_is_that_of_nodal_functions},
        {"blocks_are_those_of_the_product", test_blocks_are_those_of_the_product},
        {"orthotropic_product", test_orthotropic_product},
        {"isotropic_law_in_full", test_isotropic_law_in_full},
        {"preconditioner_is_symmetric_and_positive", test_preconditioner_is_symmetric_and_positive},
        {"patch", test_patch},
        {"convergence", test_convergence},
        {"masses_follow_an_edit", test_masses_follow_an_edit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"quadratic", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
