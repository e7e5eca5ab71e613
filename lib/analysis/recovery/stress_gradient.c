/* Stress at the corners of a tet, linear or quadratic, and its derivatives by the displacement. In:
 * mesh, materials, displacement; weights of the components at the corners. Out: the stress; what
 * the weighted sum changes by when a vertex or the coefficient of an edge moves.
 *
 * With the strain B_a u at corner a the sum of w_a . D B_a u has the gradient B_a^T D w_a, D being
 * symmetric. Of straight sides B_a is written out (quadratic_recovery.c); of curved ones it follows
 * from the strain at the Gauss points, which is linear in each coordinate of the displacement. */
#include "analysis/recovery/linear_tet.h"

#include <math.h>
#include <string.h>

void ew_corner_stress(const ew_mesh *mesh, const ew_materials *materials, int32_t n_load,
                      const ew_load *load, const double *u, const ew_edge_values *edges,
                      int32_t tet, double stress[4][6])
{
    ew_corner_state state;
    double strain[6];
    if (edges && ew_corner_state_of(&state, mesh, materials, n_load, load, u, edges, tet)) {
        memcpy(stress, state.stress, sizeof state.stress);
        return;
    }
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, tet);
    const double change = ew_loads_temperature_change(mesh, n_load, load, tet);
    ew_linear_tet_stress(mesh, materials, u, tet, strain, stress[0]);
    for (int c = 0; c < 6; c++) {
        strain[c] -= change * law.expansion[c];
    }
    ew_elastic_stress(&law, strain, stress[0]);
    for (int a = 1; a < 4; a++) {
        memcpy(stress[a], stress[0], sizeof stress[a]);
    }
}

/* force += q g for a symmetric q: xx yy zz xy yz xz. */
static void add_product(const double q[6], const double g[3], double factor, double force[3])
{
    force[0] += factor * (q[0] * g[0] + q[3] * g[1] + q[5] * g[2]);
    force[1] += factor * (q[3] * g[0] + q[1] * g[1] + q[4] * g[2]);
    force[2] += factor * (q[5] * g[0] + q[4] * g[1] + q[2] * g[2]);
}

static void add_straight(const double *x, double q[4][6], double of_corner[12], double of_edge[18])
{
    double g[4][3];
    (void)ew_element_gradients(x, g);
    for (int a = 0; a < 4; a++) {
        for (int k = 0; k < 4; k++) {
            add_product(q[a], g[k], 1.0, of_corner + 3 * k);
        }
    }
    for (int k = 0; k < 6; k++) {
        const int a = ew_edge_vertex[k][0], b = ew_edge_vertex[k][1];
        add_product(q[a], g[b], 4.0, of_edge + 3 * k);
        add_product(q[b], g[a], 4.0, of_edge + 3 * k);
    }
}

/* Values at corners are sqrt 5 (s_k - (5 - sqrt 5) / 20 sum s) of those at the Gauss points s. */
static void to_gauss_points(double q[4][6])
{
    const double root = sqrt(5.0);
    for (int c = 0; c < 6; c++) {
        const double sum = q[0][c] + q[1][c] + q[2][c] + q[3][c];
        for (int p = 0; p < 4; p++) {
            q[p][c] = root * (q[p][c] - (5.0 - root) / 20.0 * sum);
        }
    }
}

/* d: curves of the sides. At a point the tet is a straight one of the corners y, displaced by what
 * ew_curved_point makes of a displacement: linear, so that units tell its transpose. */
static void add_curved(const double *x, const double *d, double q[4][6], double of_corner[12],
                       double of_edge[18])
{
    to_gauss_points(q);
    for (int p = 0; p < 4; p++) {
        double y[12], g[4][3], force[12] = {0.0};
        ew_curved_point(p, x, d, y);
        (void)ew_element_gradients(y, g);
        for (int k = 0; k < 4; k++) {
            add_product(q[p], g[k], 1.0, force + 3 * k);
        }
        for (int i = 0; i < 30; i++) {
            double unit[30] = {0.0}, moved[12], sum = 0.0;
            unit[i] = 1.0;
            ew_curved_point(p, unit, unit + 12, moved);
            for (int k = 0; k < 12; k++) {
                sum += moved[k] * force[k];
            }
            *(i < 12 ? of_corner + i : of_edge + i - 12) += sum;
        }
    }
}

void ew_corner_stress_gradient(const ew_mesh *mesh, const ew_materials *materials,
                               const ew_edge_values *edges, int32_t tet, double weight[4][6],
                               double *g)
{
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, tet);
    double x[12], d[18], q[4][6], of_corner[12] = {0.0}, of_edge[18] = {0.0};
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    for (int a = 0; a < 4; a++) {
        ew_elastic_stress(&law, weight[a], q[a]);
    }
    if (edges && ew_tet_curves(edges->rows, edges->topology, tet, d)) {
        add_curved(x, d, q, of_corner, of_edge);
    } else {
        add_straight(x, q, of_corner, of_edge);
    }
    for (size_t i = 0; i < 12; i++) {
        g[3 * (size_t)mesh->tet[4 * (size_t)tet + i / 3] + i % 3] += of_corner[i];
    }
    for (size_t i = 0; i < 18 && edges; i++) {
        const int32_t row = edges->rows->row[edges->topology->tet_to_edge[6 * (size_t)tet + i / 3]];
        if (row >= 0) {
            g[3 * ((size_t)mesh->n_vertex + (size_t)row) + i % 3] += of_edge[i];
        }
    }
}
