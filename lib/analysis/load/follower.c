/* Pressure that follows the faces of a body through large displacements. In: pressures of a case,
 * the displacement. Out: forces on vertices and edges, and the load stiffness.
 *
 * With the area vector A = (s_0 x s_1) / 2 of the displaced face, s_0 and s_1 being the derivatives
 * of the place by the barycentric coordinates of corners 1 and 2, the force of node i is
 *
 *     P_i = - integral p N_i A.
 *
 * The pressure p of a material point is that which the load states at its place in the undeformed
 * body. An increment of node j changes A by g_j x du_j, g_j = (b s_0 - a s_1) / 2 where it changes
 * s_0 by a du_j and s_1 by b du_j, so that -dP_i/du_j x = integral p N_i g_j x x. Its symmetric
 * part is turn_ij x x with
 *
 *     turn_ij = integral p (N_i g_j - N_j g_i) / 2.
 *
 * What is left out stands on the edges of faces alone: of uniform pressure it vanishes over each
 * edge between two pressed faces and over each edge that is fixed, so that the tangent is exact on
 * closed surfaces and on those with a rim that does not move (Hibbitt 1979, Int. J. Solids
 * Structures 15, section 3; Schweizerhof & Ramm 1984, Computers & Structures 18, section 3).
 * Elsewhere the force stays exact, and Newton's method converges linearly. On quadratic tets
 * integrals are by 12 points of the face, exact to the sixth degree. */
#include "analysis/load/load_type.h"

#include <string.h>

/* ---- faces and pressures -------------------------------------------------------- */

typedef struct gatherer {
    ew_list face; /* of the load under way */
    ew_status status;
} gatherer;

static bool note_face(void *user, const ew_mesh *mesh, int32_t face)
{
    gatherer *to = user;
    (void)mesh;
    to->status = ew_list_push(&to->face, face);
    return !to->status;
}

static ew_status reserve(ew_follower *out, int32_t n)
{
    const size_t size = sizeof(double);
    EW_TRY(ew_grow(&out->face, &out->face_capacity, n, sizeof *out->face));
    EW_TRY(ew_grow(&out->node, &out->node_capacity, n, EW_FOLLOWER_NODES * sizeof *out->node));
    EW_TRY(ew_grow(&out->value, &out->value_capacity, n, EW_FACE_POINTS * size));
    return ew_grow(&out->force, &out->force_capacity, n, 3 * EW_FOLLOWER_NODES * size);
}

static void put_face(ew_follower *out, const ew_mesh *mesh, const ew_topology *topology,
                     const ew_edge_rows *rows, const ew_load *load, double factor, int32_t face)
{
    int32_t node[EW_FACE_NODES];
    double *value = out->value + (size_t)out->n_value * (size_t)out->n;
    if (rows) {
        ew_face_nodes(mesh, topology, rows, face, node);
        ew_load_pressure_at_points(mesh, load, face, value);
    } else {
        for (int k = 0; k < 3; k++) {
            node[k] = mesh->tet[4 * (size_t)(face / 4) + (size_t)ew_face_vertex[face % 4][k]];
        }
        ew_load_pressure_means(mesh, load, face, value);
    }
    for (int k = 0; k < out->n_value; k++) {
        value[k] *= factor;
    }
    memcpy(out->node + (size_t)out->n_node * (size_t)out->n, node,
           (size_t)out->n_node * sizeof *node);
    out->face[out->n++] = face;
}

ew_status ew_follower_gather(ew_follower *out, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_edge_rows *rows, int32_t n_load, const ew_load *load,
                             const double *factor)
{
    const ew_load_context in = {mesh, topology, NULL, false, NULL};
    gatherer to = {.status = EW_OK};
    ew_status status = EW_OK;
    out->n = 0;
    out->n_node = rows ? EW_FOLLOWER_NODES : 3;
    out->n_value = rows ? EW_FACE_POINTS : 3;
    for (int32_t k = 0; k < n_load && !status; k++) {
        to.face.n = 0;
        if (factor[k] == 0.0) {
            continue;
        }
        ew_load_visit_faces(&in, &load[k], note_face, &to);
        ew_list_sort(&to.face);
        status = to.status ? to.status : reserve(out, out->n + to.face.n);
        for (int32_t i = 0; i < to.face.n && !status; i++) {
            put_face(out, mesh, topology, rows, &load[k], factor[k], to.face.id[i]);
        }
    }
    ew_list_free(&to.face);
    return status;
}

/* ---- one face -------------------------------------------------------------------- */

/* A displaced face: corners, and of a quadratic tet how far its edges bend. */
static void displace(const ew_follower *of, const ew_mesh *mesh, const ew_edge_rows *rows,
                     const double *u, int32_t face, ew_curved_face *out)
{
    const int32_t *node = of->node + (size_t)of->n_node * (size_t)face;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < 3; k++) {
        const int32_t edge = of->n_node > 3 ? node[3 + k] : -1;
        for (size_t c = 0; c < 3; c++) {
            out->x[k][c] = mesh->xyz[3 * (size_t)node[k] + c] + u[3 * (size_t)node[k] + c];
            if (edge >= 0) {
                const size_t row = (size_t)(edge - mesh->n_vertex);
                out->d[k][c] =
                    (rows->curve ? rows->curve[3 * row + c] : 0.0) + u[3 * (size_t)edge + c];
            }
        }
    }
}

/* At barycentric coordinates l: the functions of the nodes, and the factors a and b of each. */
static void find_functions(int n_node, const double l[3], double *function, double (*slope)[2])
{
    for (int i = 0; i < n_node; i++) {
        double by[3] = {0.0}; /* derivatives by the three coordinates */
        if (i < 3) {
            function[i] = l[i];
            by[i] = 1.0;
        } else {
            const int a = (i - 3 + 1) % 3, b = (i - 3 + 2) % 3;
            function[i] = 4.0 * l[a] * l[b];
            by[a] = 4.0 * l[b];
            by[b] = 4.0 * l[a];
        }
        slope[i][0] = by[1] - by[0];
        slope[i][1] = by[2] - by[0];
    }
}

/* s_0 and s_1 there. */
static void find_sides(const ew_curved_face *at, int n_node, const double (*slope)[2],
                       double side[2][3])
{
    memset(side, 0, 6 * sizeof(double));
    for (int i = 0; i < n_node; i++) {
        const double *x = i < 3 ? at->x[i] : at->d[i - 3];
        for (int c = 0; c < 3; c++) {
            side[0][c] += slope[i][0] * x[c];
            side[1][c] += slope[i][1] * x[c];
        }
    }
}

/* The terms of a point: weights [n_node] = integral of p N_i there over the area, and the sides. */
static void find_point(const ew_follower *of, int32_t face, int point, const ew_curved_face *at,
                       double *weight, double (*slope)[2], double side[2][3])
{
    const double *value = of->value + (size_t)of->n_value * (size_t)face;
    double l[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    const double share = of->n_node > 3 ? ew_face_rule(point, l) * value[point] : 1.0;
    find_functions(of->n_node, l, weight, slope);
    find_sides(at, of->n_node, (const double(*)[2])slope, side);
    for (int i = 0; i < of->n_node; i++) {
        weight[i] = of->n_node > 3 ? share * weight[i] : value[i];
    }
}

static int points_of(const ew_follower *of)
{
    return of->n_node > 3 ? EW_FACE_POINTS : 1; /* all of a flat face is alike but the pressure */
}

/* ---- forces ----------------------------------------------------------------------- */

static void find_force(const ew_follower *of, const ew_curved_face *at, int32_t face, double *force)
{
    memset(force, 0, 3 * (size_t)of->n_node * sizeof *force);
    for (int point = 0; point < points_of(of); point++) {
        double weight[EW_FOLLOWER_NODES], slope[EW_FOLLOWER_NODES][2], side[2][3], area[3];
        find_point(of, face, point, at, weight, slope, side);
        ew_load_cross(side[0], side[1], area);
        for (int i = 0; i < 3 * of->n_node; i++) {
            force[i] -= 0.5 * weight[i / 3] * area[i % 3];
        }
    }
}

void ew_follower_add_force(ew_follower *of, const ew_mesh *mesh, const ew_edge_rows *rows,
                           const double *u, double *f)
{
    const size_t n_node = (size_t)of->n_node;
#pragma omp parallel for schedule(static) if (of->n > 512)
    for (int32_t face = 0; face < of->n; face++) {
        ew_curved_face at;
        displace(of, mesh, rows, u, face, &at);
        find_force(of, &at, face, of->force + 3 * n_node * (size_t)face);
    }
    for (size_t i = 0; i < (size_t)of->n * n_node; i++) {
        for (size_t c = 0; c < 3 && of->node[i] >= 0; c++) {
            f[3 * (size_t)of->node[i] + c] += of->force[3 * i + c];
        }
    }
}

/* ---- load stiffness ------------------------------------------------------------------ */

static void find_turns(const ew_follower *of, const ew_curved_face *at, int32_t face, double *turn)
{
    const int n = of->n_node;
    memset(turn, 0, 3 * (size_t)(n * (n - 1) / 2) * sizeof *turn);
    for (int point = 0; point < points_of(of); point++) {
        double weight[EW_FOLLOWER_NODES], slope[EW_FOLLOWER_NODES][2], side[2][3];
        find_point(of, face, point, at, weight, slope, side);
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double *to = turn + 3 * ew_follower_place(n, i, j);
                const double a = weight[i] * slope[j][0] - weight[j] * slope[i][0];
                const double b = weight[i] * slope[j][1] - weight[j] * slope[i][1];
                for (int c = 0; c < 3; c++) {
                    to[c] += 0.25 * (b * side[0][c] - a * side[1][c]);
                }
            }
        }
    }
}

/* Slot of the pair of a face's corners i < j. */
static int32_t pair_of(const ew_topology *topology, int32_t face, int i, int j)
{
    return topology
        ->tet_to_edge[6 * (size_t)(face / 4) + (size_t)ew_face_edge(face % 4, 3 - i - j)];
}

/* The pairs of vertices, and what their blocks get, faces in their order. */
static ew_status sum_pairs(ew_follower *of, const ew_topology *topology)
{
    const int n = of->n_node, n_turn = n * (n - 1) / 2;
    ew_list pair = {0};
    ew_status status = EW_OK;
    for (int32_t k = 0; k < 3 * of->n && !status; k++) { /* corners 0 1, 0 2, 1 2 */
        status = ew_list_push(&pair, pair_of(topology, of->face[k / 3], k % 3 / 2,
                                             k % 3 / 2 ? 2 : 1 + k % 3));
    }
    EW_TRY_OUT(status);
    ew_list_sort_unique(&pair);
    EW_TRY_OUT(ew_grow(&of->pair, &of->pair_capacity, pair.n, sizeof *of->pair));
    EW_TRY_OUT(ew_grow(&of->of_pair, &of->of_pair_capacity, pair.n, 3 * sizeof *of->of_pair));
    if (pair.n) {
        memcpy(of->pair, pair.id, (size_t)pair.n * sizeof *of->pair);
        memset(of->of_pair, 0, 3 * (size_t)pair.n * sizeof *of->of_pair);
    }
    of->n_pair = pair.n;
    for (int32_t k = 0; k < 3 * of->n; k++) {
        const int i = k % 3 / 2, j = k % 3 / 2 ? 2 : 1 + k % 3;
        const int32_t slot = pair_of(topology, of->face[k / 3], i, j);
        const int32_t first = of->node[(size_t)n * (size_t)(k / 3) + (size_t)i];
        const double sign = topology->pattern.pair_row[2 * (size_t)slot] == first ? 1.0 : -1.0;
        const double *turn =
            of->turn + 3 * ((size_t)n_turn * (size_t)(k / 3) + (size_t)ew_follower_place(n, i, j));
        for (int c = 0; c < 3; c++) {
            of->of_pair[3 * (size_t)ew_follower_find_pair(of, slot) + (size_t)c] += sign * turn[c];
        }
    }
out:
    ew_list_free(&pair);
    return status;
}

ew_status ew_follower_find_turns(ew_follower *of, const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_edge_rows *rows, const double *u)
{
    const size_t n_turn = (size_t)(of->n_node * (of->n_node - 1) / 2);
    EW_TRY(ew_grow(&of->turn, &of->turn_capacity, of->n, 3 * EW_FOLLOWER_TURNS * sizeof *of->turn));
#pragma omp parallel for schedule(static) if (of->n > 512)
    for (int32_t face = 0; face < of->n; face++) {
        ew_curved_face at;
        displace(of, mesh, rows, u, face, &at);
        find_turns(of, &at, face, of->turn + 3 * n_turn * (size_t)face);
    }
    of->version++;
    return sum_pairs(of, topology);
}
