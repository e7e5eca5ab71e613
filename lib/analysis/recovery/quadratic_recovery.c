/* Quadratic tets recovered. In: displacements of vertices and coefficients of edges. Out: strain
 * and stress at the corners of a tet, between which they are linear; from them what stands by tet,
 * the stress at vertices, energy and work.
 *
 * At corner a the function 4 l_a l_b of an edge there has the gradient 4 g_b, others have none. The
 * integral of the product of two functions with corner values p_i, q_i is V / 20 (sum p sum q + sum
 * p_i q_i). In a tet with curved sides strain and stress are those of its Gauss points (see
 * ew_curved_point), and values at corners those of the linear function with these values there:
 * sqrt 5 (s_k - (5 - sqrt 5) / 20 sum s). */
#include "analysis/recovery/quadratic_recovery.h"

#include "analysis/load/load_type.h"
#include "analysis/recovery/patches.h"

#include <math.h>
#include <string.h>

/* Local ends of the edges at a corner: the edge, the other end. */
static const int8_t edge_at[4][3][2] = {{{0, 1}, {1, 2}, {2, 3}},
                                        {{0, 0}, {3, 2}, {4, 3}},
                                        {{1, 0}, {3, 1}, {5, 3}},
                                        {{2, 0}, {4, 1}, {5, 2}}};

/* strain [6] += 4 sym(c g^T) */
static void add_strain(const double *c, const double *g, double *strain)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3; /* xy, yz, xz */
        strain[i] += 4.0 * c[i] * g[i];
        strain[3 + i] += 4.0 * (c[i] * g[j] + c[j] * g[i]);
    }
}

/* ---- curved sides -------------------------------------------------------------- */

static void coefficients_of(const ew_edge_values *edges, int32_t tet, double c[18])
{
    memset(c, 0, 18 * sizeof *c);
    for (size_t k = 0; k < 6; k++) {
        const int32_t row = edges->rows->row[edges->topology->tet_to_edge[6 * (size_t)tet + k]];
        if (row >= 0) {
            memcpy(c + 3 * k, edges->u + 3 * (size_t)row, 3 * sizeof *c);
        }
    }
}

/* From values at the Gauss points to the corners, in place. */
static void extrapolate(double value[4][6])
{
    const double root = sqrt(5.0);
    for (int i = 0; i < 6; i++) {
        const double sum = value[0][i] + value[1][i] + value[2][i] + value[3][i];
        for (int k = 0; k < 4; k++) {
            value[k][i] = root * (value[k][i] - (5.0 - root) / 20.0 * sum);
        }
    }
}

static void take_curved(ew_corner_state *state, const ew_elastic *law, const double *x,
                        const double *d, const double *moved, const double *c)
{
    state->is_curved = true;
    state->volume = 0.0;
    for (int p = 0; p < 4; p++) {
        double y[12], w[12], elastic[6];
        ew_curved_point(p, x, d, y);
        ew_curved_point(p, moved, c, w);
        ew_element_strain(y, w, state->strain[p]);
        state->weight[p] = 0.25 * ew_tet_volume(y, y + 3, y + 6, y + 9);
        state->volume += state->weight[p];
        memcpy(elastic, state->strain[p], sizeof elastic);
        for (int i = 0; i < 6; i++) {
            elastic[i] -= ew_at_gauss_point(p, state->change) * state->expansion[i];
        }
        ew_elastic_stress(law, elastic, state->stress[p]);
    }
    extrapolate(state->strain);
    extrapolate(state->stress);
}

bool ew_curved_internal(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                        const ew_edge_values *edges, int32_t tet, double q[12], double f[18])
{
    double x[12], moved[12], c[18], d[18];
    if (!ew_tet_curves(edges->rows, edges->topology, tet, d)) {
        return false;
    }
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    ew_mesh_tet_values(mesh, tet, u, moved);
    coefficients_of(edges, tet, c);
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, tet);
    ew_curved_forces(x, d, &law, moved, c, q, f);
    return true;
}

bool ew_corner_state_of(ew_corner_state *state, const ew_mesh *mesh, const ew_materials *materials,
                        int32_t n_load, const ew_load *load, const double *u,
                        const ew_edge_values *edges, int32_t tet)
{
    const int32_t *edge = edges->topology->tet_to_edge + 6 * (size_t)tet;
    double x[12], moved[12], g[4][3], uniform[6], d[18], bent[18];
    bool any = false;
    for (int k = 0; k < 6 && !any; k++) {
        any = edges->rows->row[edge[k]] >= 0;
    }
    if (!any) {
        return false;
    }
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, tet);
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    ew_mesh_tet_values(mesh, tet, u, moved);
    ew_loads_change_at_corners(mesh, n_load, load, tet, state->change);
    memcpy(state->expansion, law.expansion, sizeof law.expansion);
    if (ew_tet_curves(edges->rows, edges->topology, tet, d)) {
        coefficients_of(edges, tet, bent);
        take_curved(state, &law, x, d, moved, bent);
        return true;
    }
    state->is_curved = false;
    ew_element_strain(x, moved, uniform);
    state->volume = ew_element_gradients(x, g);
    for (int a = 0; a < 4; a++) {
        double elastic[6];
        memcpy(state->strain[a], uniform, sizeof uniform);
        for (int k = 0; k < 3; k++) {
            const int32_t row = edges->rows->row[edge[edge_at[a][k][0]]];
            if (row >= 0) {
                add_strain(edges->u + 3 * (size_t)row, g[edge_at[a][k][1]], state->strain[a]);
            }
        }
        for (int c = 0; c < 6; c++) {
            elastic[c] = state->strain[a][c] - state->change[a] * state->expansion[c];
        }
        ew_elastic_stress(&law, elastic, state->stress[a]);
    }
    return true;
}

double ew_corners_integrate(const ew_corner_state *state, double p[4][6], double q[4][6])
{
    double sum = 0.0;
    for (int i = 0; i < 24 && state->is_curved; i++) {
        const int c = i % 6, at = i / 6;
        const double of_p[4] = {p[0][c], p[1][c], p[2][c], p[3][c]};
        const double of_q[4] = {q[0][c], q[1][c], q[2][c], q[3][c]};
        sum += state->weight[at] * ew_at_gauss_point(at, of_p) * ew_at_gauss_point(at, of_q);
    }
    if (state->is_curved) {
        return sum;
    }
    for (int c = 0; c < 6; c++) {
        const double all_p = p[0][c] + p[1][c] + p[2][c] + p[3][c];
        const double all_q = q[0][c] + q[1][c] + q[2][c] + q[3][c];
        sum += all_p * all_q + p[0][c] * q[0][c] + p[1][c] * q[1][c] + p[2][c] * q[2][c] +
               p[3][c] * q[3][c];
    }
    return state->volume / 20.0 * sum;
}

static double mean_of(double value[4][6], int c)
{
    return 0.25 * (value[0][c] + value[1][c] + value[2][c] + value[3][c]);
}

/* ---- fields ---------------------------------------------------------------------- */

static void recover_tet(ew_fields *fields, ew_corner_state *state, bool is_isotropic, int32_t t)
{
    double *strain = fields->strain + 6 * (size_t)t, *stress = fields->stress + 6 * (size_t)t;
    double elastic[4][6];
    for (int c = 0; c < 6; c++) {
        strain[c] = mean_of(state->strain, c);
        stress[c] = mean_of(state->stress, c);
        for (int a = 0; a < 4; a++) {
            elastic[a][c] = state->strain[a][c] - state->change[a] * state->expansion[c];
        }
    }
    ew_principal(stress, fields->principal + 3 * (size_t)t);
    fields->thermal_strain[t] =
        is_isotropic ? ew_corners_mean_change(state) * state->expansion[0] : 0.0;
    fields->von_mises[t] = ew_von_mises(stress);
    fields->energy[t] = 0.5 * ew_corners_integrate(state, state->stress, elastic);
}

typedef struct context {
    const ew_mesh *mesh;
    const ew_materials *materials;
    int32_t n_load;
    const ew_load *load;
    const double *u;
    const ew_edge_values *edges;
} context;

static bool state_of(const context *in, int32_t tet, ew_corner_state *state)
{
    return ew_corner_state_of(state, in->mesh, in->materials, in->n_load, in->load, in->u,
                              in->edges, tet);
}

bool ew_corners_average(const ew_mesh *mesh, const ew_topology *topology, const ew_edge_rows *rows,
                        const double *corner, int32_t vertex, const ew_patches *patches,
                        int32_t patch, double stress[6])
{
    const ew_rows *tets = &topology->vertex_to_tet;
    double sum[6] = {0.0};
    int32_t n = 0;
    for (int32_t i = 0; i < tets->count[vertex]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[vertex] + (size_t)i];
        if ((patches && ew_patch_at(patches, mesh, vertex, t) != patch) ||
            !ew_edge_rows_have(rows, topology, t)) {
            continue;
        }
        const int a = ew_corner_of(mesh->tet + 4 * (size_t)t, vertex);
        for (int c = 0; c < 6; c++) {
            sum[c] += corner[24 * (size_t)t + 6 * (size_t)a + (size_t)c];
        }
        n++;
    }
    for (int c = 0; c < 6 && n; c++) {
        stress[c] = sum[c] / n;
    }
    return n > 0;
}

void ew_corners_recover(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                        int32_t n_load, const ew_load *load, const double *u,
                        const ew_edge_values *edges, ew_stretch tets, const ew_list *listed)
{
    const context in = {mesh, materials, n_load, load, u, edges};
    const int32_t n = listed ? listed->n : tets.end - tets.begin;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 64))
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = listed ? listed->id[i] : tets.begin + i;
        ew_corner_state state;
        if (ew_mesh_tet_is_live(mesh, t) && state_of(&in, t, &state)) {
            recover_tet(fields, &state, materials->material[mesh->region[t]].kind == EW_ISOTROPIC,
                        t);
            memcpy(fields->corner_stress + 24 * (size_t)t, state.stress, sizeof state.stress);
        } else {
            for (size_t k = 0; k < 24; k++) {
                fields->corner_stress[24 * (size_t)t + k] = fields->stress[6 * (size_t)t + k % 6];
            }
        }
    }
}

/* ---- reactions on edges --------------------------------------------------------------- */

/* K u - f of a row: the force of its support, with springs. The force of the tets on the edge (a,
 * b) is V (t_a g_b + t_b g_a), t_a = (sum s + s_a) / 5 with s the stresses of the whole strain at
 * the corners. */
static void find_reaction(const context *in, int32_t row, double force[3])
{
    const ew_edge_values *edges = in->edges;
    const int32_t edge = edges->rows->edge[row];
    const ew_rows *rows = &edges->topology->edge_to_tet;
    const int32_t *end = edges->topology->pattern.pair_row + 2 * (size_t)edge;
    memset(force, 0, 3 * sizeof *force);
    for (int32_t i = 0; i < rows->count[edge]; i++) {
        const int32_t t = rows->item[(size_t)rows->begin[edge] + (size_t)i];
        const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
        const int32_t *vertex = in->mesh->tet + 4 * (size_t)t;
        double x[12], g[4][3], s[4][6], sum[6], on_edge[18];
        const int at[2] = {ew_corner_of(vertex, end[0]), ew_corner_of(vertex, end[1])};
        ew_corner_state state;
        if (ew_curved_internal(in->mesh, in->materials, in->u, edges, t, x, on_edge)) {
            for (int c = 0; c < 3; c++) {
                force[c] += on_edge[3 * ew_edge_between(at) + c];
            }
            continue;
        }
        (void)state_of(in, t, &state);
        ew_mesh_tet_values(in->mesh, t, in->mesh->xyz, x);
        ew_element_gradients(x, g);
        for (int a = 0; a < 4; a++) {
            ew_elastic_stress(&law, state.strain[a], s[a]);
        }
        for (int c = 0; c < 6; c++) {
            sum[c] = 4.0 * mean_of(s, c);
        }
        for (int k = 0; k < 2; k++) {
            const double *a = s[ew_corner_of(vertex, end[k])];
            const double *q = g[ew_corner_of(vertex, end[1 - k])];
            double v[6];
            for (int c = 0; c < 6; c++) {
                v[c] = state.volume / 5.0 * (sum[c] + a[c]);
            }
            force[0] += v[0] * q[0] + v[3] * q[1] + v[5] * q[2];
            force[1] += v[3] * q[0] + v[1] * q[1] + v[4] * q[2];
            force[2] += v[5] * q[0] + v[4] * q[1] + v[2] * q[2];
        }
    }
    for (int c = 0; c < 3; c++) {
        force[c] -= edges->f[3 * (size_t)row + (size_t)c];
    }
}

/* A free coefficient has no support force but what the solver's tolerance left. */
static void take_reaction(const context *in, int32_t row, const double *internal, double force[3])
{
    const ew_edge_values *edges = in->edges;
    const double *pull =
        edges->pull ? edges->pull + 3 * ((size_t)in->mesh->n_vertex + (size_t)row) : NULL;
    memset(force, 0, 3 * sizeof *force);
    if (edges->rows->edge[row] < 0) {
        return;
    }
    if (edges->fixed[row] && internal) {
        for (size_t c = 0; c < 3; c++) {
            force[c] = internal[3 * (size_t)row + c] - edges->f[3 * (size_t)row + c];
        }
    } else if (edges->fixed[row]) {
        find_reaction(in, row, force);
    } else if (pull) {
        memcpy(force, pull, 3 * sizeof *force);
    }
}

ew_status ew_corners_react(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                           int32_t n_load, const ew_load *load, const double *u,
                           const ew_edge_values *edges, const double *internal,
                           const ew_list *listed)
{
    const context in = {mesh, materials, n_load, load, u, edges};
    const int32_t n_row = edges->rows->pattern.n_row, n = listed ? listed->n : n_row;
    EW_TRY(ew_grow(&fields->edge_reaction, &fields->edge_capacity, n_row,
                   3 * sizeof *fields->edge_reaction));
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 256))
    for (int32_t i = 0; i < n; i++) {
        const int32_t row = listed ? listed->id[i] : i;
        take_reaction(&in, row, internal, fields->edge_reaction + 3 * (size_t)row);
    }
    return EW_OK;
}
