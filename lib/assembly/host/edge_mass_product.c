/* Products with the mass of quadratic tets beyond that of the linear ones, straight from tets. In:
 * the masses of edge_mass.c. Out: y += M x less the mass of the four linear functions.
 *
 * Consistent: with the integrals of quadratic_assembled.c, c_e the coefficients of a tet's edges,
 * s_a their sum at corner a, S over all, u_a the corners' values and U their sum,
 *
 *     on corner a      m/30 (S + s_a)
 *     on edge (a, b)   m/105 (2 S + 2 s_a + 2 s_b + 2 c_ab) + m/30 (U + u_a + u_b).
 *
 * Lumped: with m_e in the middle of edge e and n_a = m_a - sum m_e / 2 at vertices, where m_a is
 * the lumped mass of linear tets. As the middle moves by (u_a + u_b) / 2 + c_e, the matrix
 * is T^T D T in hierarchical coefficients: beyond m_a it gives
 *
 *     on vertex a      sum over its edges m_e (c_e / 2 + (u_b - u_a) / 4)
 *     on edge (a, b)   m_e (c_e + (u_a + u_b) / 2),
 *
 * and its inverse is that of D between two sparse factors.
 *
 * A tet with curved sides has another mass; what the linear functions have of it beyond that of the
 * straight tet is added here, too (kernels/curved_blocks.h). */
#include "assembly/host/edge_mass.h"

#include "curved_blocks.h"

#include <string.h>

/* Fewer rows than this are not worth a team of threads. */
#define MIN_PARALLEL 4000

/* Of tets with curved sides, too: a diagonal that preconditions need not be exact. */
double ew_edge_mass_diagonal(const ew_edge_mass *mass, int32_t row)
{
    const double lumped = mass->edge[row];
    return mass->of.kind == EW_MASS_LUMPED || mass->rows->edge[row] < 0
               ? lumped
               : lumped / EW_MASS_OF_EDGE * (8.0 / 105.0);
}

/* ---- curved sides -------------------------------------------------------------- */

static bool is_curved(const ew_edge_mass *mass, int32_t t)
{
    return mass->n_curved > 0 && mass->place[t] >= 0;
}

/* Coefficients of the edges of a tet, 0 where they have no function. */
static void coefficients_of(const ew_edge_mass *mass, int32_t t, const double *x, double c[18])
{
    memset(c, 0, 18 * sizeof *c);
    for (size_t k = 0; k < 6; k++) {
        const int32_t row = mass->rows->row[mass->of.topology->tet_to_edge[6 * (size_t)t + k]];
        if (row >= 0) {
            memcpy(c + 3 * k, x + 3 * ((size_t)mass->of.mesh->n_vertex + (size_t)row),
                   3 * sizeof *c);
        }
    }
}

/* What the tet gives its corners [4][3], less that of the straight tet's linear functions, and its
 * edges [6][3]. */
static void work_of_curved(const ew_edge_mass *mass, ew_edge_part part, int32_t t, const double *x)
{
    double *out = mass->curved + EW_CURVED_ROOM * (size_t)mass->place[t];
    const double *volume = out + EW_MASS_OF_CURVED;
    double l[4], u[12] = {0.0}, c[18] = {0.0};
    const double density = ew_edge_mass_density(mass, t);
    const double straight = ew_mass_of_tet(&mass->of, t) / 20.0;
    if (part != EW_EDGE_OF_EDGES) {
        ew_mesh_tet_values(mass->of.mesh, t, x, u);
    }
    if (part != EW_EDGE_OF_CORNERS) {
        coefficients_of(mass, t, x, c);
    }
    memset(out, 0, EW_MASS_OF_CURVED * sizeof *out);
    for (int k = 0; k < EW_CURVED_POINTS; k++) {
        (void)ew_mass_point(k, l);
        ew_mass_point_add(density * volume[k], l, u, c, out, out + 12);
    }
    for (int i = 0; i < 12; i++) {
        const double sum = (u[i % 3] + u[3 + i % 3]) + (u[6 + i % 3] + u[9 + i % 3]);
        out[i] -= straight * (sum + u[i]);
    }
}

/* ---- consistent ---------------------------------------------------------------- */

static int place_in_tet(const int32_t *tet, int32_t vertex)
{
    return (tet[1] == vertex) + 2 * (tet[2] == vertex) + 3 * (tet[3] == vertex);
}

/* y += what tets with curved sides have for a vertex. */
static void add_curved_to_vertex(const ew_edge_mass *mass, int32_t v, double factor, double *y)
{
    const ew_rows *tets = &mass->of.topology->vertex_to_tet;
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)i];
        const size_t k = (size_t)place_in_tet(mass->of.mesh->tet + 4 * (size_t)t, v);
        for (size_t c = 0; c < 3 && is_curved(mass, t); c++) {
            y[c] += factor * mass->curved[EW_CURVED_ROOM * (size_t)mass->place[t] + 3 * k + c];
        }
    }
}

static void add_curved_to_edge(const ew_edge_mass *mass, int32_t edge, double factor, double *y)
{
    const ew_rows *tets = &mass->of.topology->edge_to_tet;
    for (int32_t i = 0; i < tets->count[edge]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[edge] + (size_t)i];
        const int32_t *of_tet = mass->of.topology->tet_to_edge + 6 * (size_t)t;
        for (size_t k = 0; k < 6 && is_curved(mass, t); k++) {
            for (size_t c = 0; c < 3 && of_tet[k] == edge; c++) {
                y[c] +=
                    factor * mass->curved[EW_CURVED_ROOM * (size_t)mass->place[t] + 12 + 3 * k + c];
            }
        }
    }
}

static void add_curved(const ew_edge_mass *mass, ew_edge_part part, double factor, const double *x,
                       double *y)
{
    const int32_t n_vertex = mass->of.mesh->n_vertex, n_row = mass->rows->pattern.n_row;
#pragma omp for schedule(static)
    for (int32_t t = 0; t < mass->of.mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mass->of.mesh, t) && is_curved(mass, t)) {
            work_of_curved(mass, part, t, x);
        }
    }
#pragma omp for schedule(static)
    for (int32_t v = 0; v < (part == EW_EDGE_OF_CORNERS ? 0 : n_vertex); v++) {
        add_curved_to_vertex(mass, v, factor, y + 3 * (size_t)v);
    }
#pragma omp for schedule(static)
    for (int32_t row = 0; row < n_row; row++) {
        const int32_t edge = mass->rows->edge[row];
        if (edge >= 0) {
            add_curved_to_edge(mass, edge, factor, y + 3 * ((size_t)n_vertex + (size_t)row));
        }
    }
}

static void add_consistent(const ew_edge_mass *mass, ew_edge_part part, double factor,
                           const double *x, double *y)
{
    ew_edge_mass_add_straight(mass, part, factor, x, y);
    if (mass->n_curved) {
        add_curved(mass, part, factor, x, y);
    }
}

/* ---- lumped ---------------------------------------------------------------------- */

/* Of the tets with curved sides, beyond that of straight ones. */
static double more_at_vertex(const ew_edge_mass *mass, int32_t v)
{
    const ew_rows *tets = &mass->of.topology->vertex_to_tet;
    double sum = 0.0;
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)i];
        if (is_curved(mass, t)) {
            const double straight = ew_mass_of_tet(&mass->of, t);
            sum += 0.25 * (mass->of_tet[t] - straight);
        }
    }
    return sum;
}

static void add_lumped(const ew_edge_mass *mass, ew_edge_part part, double factor, const double *x,
                       double *y)
{
    const ew_pattern *pattern = &mass->of.topology->pattern;
    const int32_t n_vertex = mass->of.mesh->n_vertex, n_row = mass->rows->pattern.n_row;
    const double across = part == EW_EDGE_ALL ? 0.25 : 0.0;
#pragma omp for schedule(static)
    for (int32_t v = 0; v < (part == EW_EDGE_ALL && mass->n_curved ? n_vertex : 0); v++) {
        const double more = factor * more_at_vertex(mass, v);
        for (size_t c = 0; c < 3; c++) {
            y[3 * (size_t)v + c] += more * x[3 * (size_t)v + c];
        }
    }
#pragma omp for schedule(static)
    for (int32_t v = 0; v < (part == EW_EDGE_OF_CORNERS ? 0 : n_vertex); v++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(pattern, v, &n);
        for (int32_t i = 0; i < n; i++) {
            const int32_t row = mass->rows->row[item[2 * i + 1]];
            const double *b = x + 3 * (size_t)item[2 * i], *a = x + 3 * (size_t)v;
            for (size_t c = 0; c < 3 && row >= 0; c++) {
                const size_t at = (size_t)n_vertex + (size_t)row;
                const double moved = 0.5 * x[3 * at + c] + across * (b[c] - a[c]);
                y[3 * (size_t)v + c] += factor * mass->edge[row] * moved;
            }
        }
    }
#pragma omp for schedule(static)
    for (int32_t row = 0; row < n_row; row++) {
        const int32_t edge = mass->rows->edge[row];
        const size_t at = (size_t)n_vertex + (size_t)row;
        for (size_t c = 0; c < 3 && edge >= 0; c++) {
            const int32_t *end = pattern->pair_row + 2 * (size_t)edge;
            const double mean = 0.5 * (x[3 * (size_t)end[0] + c] + x[3 * (size_t)end[1] + c]);
            y[3 * at + c] += factor * mass->edge[row] *
                             ((part == EW_EDGE_OF_CORNERS ? 0.0 : x[3 * at + c]) +
                              (part == EW_EDGE_OF_EDGES ? 0.0 : mean));
        }
    }
}

/* ---- both -------------------------------------------------------------------------- */

void ew_edge_mass_add(const ew_edge_mass *mass, ew_edge_part part, double factor, const double *x,
                      double *y)
{
    if (mass->of.kind == EW_MASS_CONSISTENT) {
        add_consistent(mass, part, factor, x, y);
    } else {
        add_lumped(mass, part, factor, x, y);
    }
}

void ew_edge_mass_divide(const ew_edge_mass *mass, const double *r, double *z)
{
    const ew_pattern *pattern = &mass->of.topology->pattern;
    const int32_t n_vertex = mass->of.mesh->n_vertex, n_row = mass->rows->pattern.n_row;
#pragma omp parallel for schedule(static) if (n_vertex > MIN_PARALLEL)
    for (int32_t v = 0; v < n_vertex; v++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(pattern, v, &n);
        double force[3];
        memcpy(force, r + 3 * (size_t)v, sizeof force);
        for (int32_t i = 0; i < n; i++) {
            const int32_t row = mass->rows->row[item[2 * i + 1]];
            for (size_t c = 0; c < 3 && row >= 0; c++) {
                force[c] -= 0.5 * r[3 * ((size_t)n_vertex + (size_t)row) + c];
            }
        }
        for (size_t c = 0; c < 3; c++) {
            z[3 * (size_t)v + c] = force[c] / mass->vertex[v];
        }
    }
#pragma omp parallel for schedule(static) if (n_row > MIN_PARALLEL)
    for (size_t i = 0; i < 3 * (size_t)n_row; i++) {
        const size_t at = 3 * (size_t)n_vertex + i;
        z[at] = r[at] / mass->edge[i / 3];
    }
}

void ew_edge_mass_leave_means(const ew_edge_mass *mass, double *z)
{
    const int32_t n_vertex = mass->of.mesh->n_vertex, n_row = mass->rows->pattern.n_row;
#pragma omp parallel for schedule(static) if (n_row > MIN_PARALLEL)
    for (int32_t row = 0; row < n_row; row++) {
        const int32_t edge = mass->rows->edge[row];
        for (size_t c = 0; c < 3 && edge >= 0; c++) {
            const int32_t *end = mass->of.topology->pattern.pair_row + 2 * (size_t)edge;
            z[3 * ((size_t)n_vertex + (size_t)row) + c] -=
                0.5 * (z[3 * (size_t)end[0] + c] + z[3 * (size_t)end[1] + c]);
        }
    }
}
