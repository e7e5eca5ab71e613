/* Quadratic tets: the diagonal blocks of their edges, and what products with them have beyond the
 * linear tets. In: positions, tets, constants of their regions, edge_to_tet and vertex_to_tet, and
 * the rows of each tet's edges (tet_row, -1: no row). Vectors have a row per vertex and behind them
 * one per edge. References: lib/assembly/host/edge_blocks.c, with the same bits, and
 * edge_product.c, to rounding. A tet is computed in double; EW_REAL is the type of vectors and of
 * the forces between.
 *
 * A product is two launches: `forces` gives each tet the forces on its ten nodes, `gather` sums for
 * each row those of its tets in ascending order. So no two items write one place, and a product has
 * the same bits on every run.
 *
 * Shapes: tet [n_tet][4]; region [n_tet]; constants [n_region][CONSTANTS]; xyz [n_vertex][3];
 * tet_row [n_tet][6]; edge [n_row] (edge slot of a row, -1: none); pair_row [n_edge][2]; begin,
 * count of edge_to_tet by edge, of vertex_to_tet by vertex; force [n_tet][10][3], corners then
 * edges; vectors [n_vertex + n_row][3]. With EW_CURVED, set by the build options, curve [n_row][3]
 * says how far the middles of edges lie beyond those of straight ones; with EW_AXES axes
 * [n_tet][2][3] are those of each tet. With EW_RECORD, the numbers of the record of a point, the
 * product is that of the tangent of a nonlinear body, by record [n_tet][EW_POINTS][EW_RECORD]
 * (internal_force.cl). */
#include "quadratic_mass.h"
#include "quadratic_tangent.h"
#include "reduce.h"

/* Constants of a region: lame [2], or with EW_ANY_LAW, set by the build options, what
 * ew_moduli_at reads. */
#ifdef EW_ANY_LAW
#define CONSTANTS EW_MODULI_CONSTANTS
#else
#define CONSTANTS 2
#endif

#if EW_HAS_DOUBLE

#ifdef EW_AXES
#define PLACE 18 /* corners of a tet, and its axes */
#else
#define PLACE 12
#endif

/* Gradients of a tet with corners x, and V lambda and V mu, or V times the moduli. */
static void prepare(const double *x, __global const double *constants, double *g, double *law)
{
#ifdef EW_ANY_LAW
    double own[CONSTANTS], term[33];
    for (int k = 0; k < CONSTANTS; k++) {
        own[k] = constants[k];
    }
    ew_anisotropic_prepare(x, own, term);
    for (int k = 0; k < 12; k++) {
        g[k] = term[k];
    }
    for (int k = 0; k < 21; k++) {
        law[k] = term[12 + k];
    }
#else
    const double volume = ew_tet_gradients(x, g);
    law[0] = volume * constants[0];
    law[1] = volume * constants[1];
#endif
}

#ifdef EW_CURVED
/* d [6][3] of a tet's edges; whether one of them is curved. */
static int take_curves(__global const int *row, __global const double *curve, double *d)
{
    int any = 0;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 3; i++) {
            d[3 * k + i] = row[k] >= 0 ? curve[3 * (size_t)row[k] + (size_t)i] : 0.0;
            any |= d[3 * k + i] != 0.0;
        }
    }
    return any;
}

/* Constants of the law [N_LAW] of a tet with corners x. */
#ifdef EW_ANY_LAW
#define N_LAW 21
#else
#define N_LAW 2
#endif
static void take_law(const double *x, __global const double *constants, double *law)
{
    double own[CONSTANTS];
    for (int k = 0; k < CONSTANTS; k++) {
        own[k] = constants[k];
    }
#ifdef EW_ANY_LAW
    ew_moduli_at(own, x, law);
#else
    law[0] = own[0];
    law[1] = own[1];
#endif
}
#endif

/* ---- blocks ------------------------------------------------------------------ */

/* One work-item per row: id[first + i] when `listed`, else row i; a row without an edge gets the
 * identity. Launch: n items. The ids are distinct, so each block has one writer. diagonal
 * [n_row][3][3]. */
__kernel void edge_blocks(const int n, const int listed, const uint first, __global const int *id,
                          __global const int *edge, __global const int *pair_row,
                          __global const int *begin, __global const int *count,
                          __global const int *item, __global const int *tet,
                          __global const int *region, __global const double *constants,
                          __global const double *xyz, __global double *diagonal
#ifdef EW_CURVED
                          ,
                          __global const int *tet_row, __global const double *curve
#endif
#ifdef EW_AXES
                          ,
                          __global const double *axes
#endif
)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t row = listed ? (size_t)id[first + i] : i;
    const int e = edge[row], n_tet = e < 0 ? 0 : count[e];
    double sum[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (e < 0) {
        sum[0] = sum[3] = sum[5] = 1.0;
    }
    for (int k = 0; k < n_tet; k++) {
        const size_t t = (size_t)item[(size_t)begin[e] + (size_t)k];
        double x[PLACE], g[12], law[21], a[3] = {0.0, 0.0, 0.0}, b[3] = {0.0, 0.0, 0.0};
        for (int p = 0; p < 4; p++) {
            for (int c = 0; c < 3; c++) {
                x[3 * p + c] = xyz[3 * (size_t)tet[4 * t + p] + c];
            }
        }
#ifdef EW_AXES
        for (int c = 0; c < 6; c++) {
            x[12 + c] = axes[6 * t + (size_t)c];
        }
#endif
#ifdef EW_CURVED
        double d[18];
        if (take_curves(tet_row + 6 * t, curve, d)) {
            int end[2] = {0, 0};
            for (int p = 1; p < 4; p++) {
                end[0] = tet[4 * t + p] == pair_row[2 * e] ? p : end[0];
                end[1] = tet[4 * t + p] == pair_row[2 * e + 1] ? p : end[1];
            }
            take_law(x, constants + CONSTANTS * (size_t)region[t], law);
            ew_curved_edge_diagonal(x, d, law, N_LAW, end[0], end[1], sum);
            continue;
        }
#endif
        prepare(x, constants + CONSTANTS * (size_t)region[t], g, law);
        for (int p = 0; p < 4; p++) { /* picked by comparison, as in assemble.cl */
            for (int c = 0; c < 3; c++) {
                a[c] = tet[4 * t + p] == pair_row[2 * e] ? g[3 * p + c] : a[c];
                b[c] = tet[4 * t + p] == pair_row[2 * e + 1] ? g[3 * p + c] : b[c];
            }
        }
#ifdef EW_ANY_LAW
        ew_quadratic_add_any_diagonal(a, b, law, sum);
#else
        ew_quadratic_add_diagonal(a, b, law[0], law[1], sum);
#endif
    }
    __global double *to = diagonal + 9 * row;
    to[0] = sum[0];
    to[1] = to[3] = sum[1];
    to[2] = to[6] = sum[2];
    to[4] = sum[3];
    to[5] = to[7] = sum[4];
    to[8] = sum[5];
}

/* out = of_stiffness times the blocks, mass [n_row] added to their diagonals: those of the matrix
 * of a step. One work-item per row, n of them. */
__kernel void step_blocks(const int n, const double of_stiffness, __global const double *mass,
                          __global const double *diagonal, __global double *out)
{
    const size_t row = get_global_id(0);
    for (size_t i = 0; i < 9 && row < (size_t)n; i++) {
        out[9 * row + i] = of_stiffness * diagonal[9 * row + i] + (i % 4 == 0 ? mass[row] : 0.0);
    }
}

/* ---- products ----------------------------------------------------------------- */

/* The part of x to multiply, as ew_edge_part. */
#define ALL        0
#define OF_EDGES   1
#define OF_CORNERS 2

#ifdef EW_RECORD
/* Forces on corners and edges by the records of a tet. What stands on corners gives nothing to
 * corners: their blocks are stored. */
static void multiply_records(__global const double *record, const int part, const double *u,
                             const double *c, double *q, double *f)
{
    double none[18], of_edges[30], of_corners[30];
    for (int k = 0; k < 30; k++) {
        of_edges[k] = of_corners[k] = 0.0;
        none[k % 18] = 0.0;
    }
    for (int p = 0; p < EW_POINTS; p++) {
        double own[EW_RECORD];
        for (int k = 0; k < EW_RECORD; k++) {
            own[k] = record[EW_RECORD * p + k];
        }
        if (part != OF_CORNERS) {
            ew_point_product(EW_RECORD, p, own, none, c, of_edges);
        }
        if (part != OF_EDGES) {
            ew_point_product(EW_RECORD, p, own, u, none, of_corners);
        }
    }
    for (int k = 0; k < 12; k++) {
        q[k] = of_edges[k];
    }
    for (int k = 0; k < 18; k++) {
        f[k] = of_edges[12 + k] + of_corners[12 + k];
    }
}
#endif

/* force [10][3] of a tet, from x. One work-item per tet slot, then every (global size)-th. Where
 * none of the tet's edges has a row its corners get zero; what is on its edges nobody reads. Of
 * corners' displacements alone the corners get nothing that is read. With EW_WITH_MASS, set by the
 * build options: of_stiffness times that and of_mass times what the mass has, density by region. */
__kernel void forces(const int n_tet, const int part, const int n_vertex, __global const int *tet,
                     __global const int *region, __global const int *tet_row,
                     __global const double *constants, __global const double *xyz,
                     __global const EW_REAL *x, __global EW_REAL *force
#ifdef EW_CURVED
                     ,
                     __global const double *curve
#endif
#ifdef EW_WITH_MASS
                     ,
                     const double of_stiffness, const double of_mass, const int lumped,
                     __global const double *density
#endif
#ifdef EW_RECORD
                     ,
                     __global const double *record
#endif
#ifdef EW_AXES
                     ,
                     __global const double *axes
#endif
)
{
    for (size_t t = get_global_id(0); t < (size_t)n_tet; t += get_global_size(0)) {
        __global EW_REAL *to = force + 30 * t;
        double position[PLACE], u[12], c[18], q[12], f[18];
        const double *d = 0;
        int any = 0;
        for (int k = 0; k < 6; k++) {
            const int row = tet_row[6 * t + k];
            any |= (row >= 0) << k;
            for (int i = 0; i < 3; i++) {
                c[3 * k + i] = row >= 0 && part != OF_CORNERS
                                   ? x[3 * ((size_t)n_vertex + (size_t)row) + i]
                                   : 0.0;
            }
        }
        for (int k = 0; k < 12 && !any; k++) {
            to[k] = 0;
        }
        if (!any) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            const size_t v = (size_t)tet[4 * t + k];
            for (int i = 0; i < 3; i++) {
                position[3 * k + i] = xyz[3 * v + i];
                u[3 * k + i] = part != OF_EDGES ? x[3 * v + i] : 0.0;
            }
        }
#ifdef EW_AXES
        for (int c = 0; c < 6; c++) {
            position[12 + c] = axes[6 * t + (size_t)c];
        }
#endif
#ifdef EW_CURVED
        double bent[18];
        d = take_curves(tet_row + 6 * t, curve, bent) ? bent : 0;
#endif
#ifdef EW_RECORD
        multiply_records(record + EW_POINTS * EW_RECORD * t, part, u, c, q, f);
#else
        double g[12], law[21];
#ifdef EW_ANY_LAW
        const double *v_mu = 0;
#else
        const double *v_mu = law + 1;
#endif
#ifdef EW_CURVED
        if (d) {
            double linear[12];
            take_law(position, constants + CONSTANTS * (size_t)region[t], law);
            ew_lanes_curved_forces(position, d, law, N_LAW, u, c, q, f);
            ew_lanes_straight_forces(position, law, N_LAW, 1.0, u, linear);
            for (int k = 0; k < 12; k++) { /* what the stored stiffness gives */
                q[k] -= linear[k];
            }
        }
#endif
        if (!d) {
            prepare(position, constants + CONSTANTS * (size_t)region[t], g, law);
            if (part == OF_CORNERS) {
                ew_lanes_product_of_corners(g, law, v_mu, u, f);
                for (int k = 0; k < 12; k++) {
                    q[k] = 0.0;
                }
            } else {
                ew_lanes_product(g, law, v_mu, u, c, q, f);
            }
        }
#endif
#ifdef EW_WITH_MASS
        double more[30];
        ew_quadratic_mass_forces(position, d, density[region[t]], lumped, any, u, c, more,
                                 more + 12);
        for (int k = 0; k < 12; k++) {
            q[k] = of_stiffness * q[k] + of_mass * more[k];
        }
        for (int k = 0; k < 18; k++) {
            f[k] = of_stiffness * f[k] + of_mass * more[12 + k];
        }
#endif
        for (int k = 0; k < 12 && part != OF_CORNERS; k++) {
            to[k] = (EW_REAL)q[k];
        }
        for (int k = 0; k < 18; k++) {
            to[12 + k] = (EW_REAL)f[k];
        }
    }
}

/* sum [3] += the forces on vertex v. */
static void add_to_vertex(const int v, const int begin, const int count, __global const int *item,
                          __global const int *tet, __global const EW_REAL *force, double *sum)
{
    for (int n = 0; n < count; n++) {
        const size_t t = (size_t)item[(size_t)begin + (size_t)n];
        const int k = (tet[4 * t + 1] == v) + 2 * (tet[4 * t + 2] == v) + 3 * (tet[4 * t + 3] == v);
        for (int c = 0; c < 3; c++) {
            sum[c] += force[30 * t + (size_t)(3 * k + c)];
        }
    }
}

/* sum [3] += the forces on the edge of a row. */
static void add_to_edge(const int row, const int begin, const int count, __global const int *item,
                        __global const int *tet_row, __global const EW_REAL *force, double *sum)
{
    for (int n = 0; n < count; n++) {
        const size_t t = (size_t)item[(size_t)begin + (size_t)n];
        int k = 0;
        while (k < 5 && tet_row[6 * t + k] != row) {
            k++;
        }
        for (int c = 0; c < 3; c++) {
            sum[c] += force[30 * t + (size_t)(12 + 3 * k + c)];
        }
    }
}

static void gather_row(const int row, const int n_vertex, __global const int *vertex_begin,
                       __global const int *vertex_count, __global const int *vertex_item,
                       __global const int *edge_begin, __global const int *edge_count,
                       __global const int *edge_item, __global const int *edge,
                       __global const int *tet, __global const int *tet_row,
                       __global const EW_REAL *force, double *sum)
{
    if (row < n_vertex) {
        add_to_vertex(row, vertex_begin[row], vertex_count[row], vertex_item, tet, force, sum);
        return;
    }
    const int e = edge[row - n_vertex];
    if (e >= 0) {
        add_to_edge(row - n_vertex, edge_begin[e], edge_count[e], edge_item, tet_row, force, sum);
    }
}

/* y = what y is in rows [keep, keep_end), 0 in others, and the forces. Rows [first, n): one
 * work-item each, then every (global size)-th. */
__kernel void gather(const int first, const int n, const int keep, const int keep_end,
                     const int n_vertex, __global const int *vertex_begin,
                     __global const int *vertex_count, __global const int *vertex_item,
                     __global const int *edge_begin, __global const int *edge_count,
                     __global const int *edge_item, __global const int *edge,
                     __global const int *tet, __global const int *tet_row,
                     __global const EW_REAL *force, __global EW_REAL *y)
{
    for (size_t row = (size_t)first + get_global_id(0); row < (size_t)n;
         row += get_global_size(0)) {
        const int keeps = (int)row >= keep && (int)row < keep_end;
        double sum[3];
        for (int c = 0; c < 3; c++) {
            sum[c] = keeps ? (double)y[3 * row + c] : 0.0;
        }
        gather_row((int)row, n_vertex, vertex_begin, vertex_count, vertex_item, edge_begin,
                   edge_count, edge_item, edge, tet, tet_row, force, sum);
        for (int c = 0; c < 3; c++) {
            y[3 * row + c] = (EW_REAL)sum[c];
        }
    }
}

#define GROUP 128

/* q = S (q + the forces), q being 0 behind the vertices' rows on entry, and partial[group] = the
 * group's share of p . q, written by its item 0. fixed [n]: bit c set when S clears component c.
 * Rows [0, n). Launch: any number of groups of GROUP. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
gather_dot(const int n, const int n_vertex, __global const int *vertex_begin,
           __global const int *vertex_count, __global const int *vertex_item,
           __global const int *edge_begin, __global const int *edge_count,
           __global const int *edge_item, __global const int *edge, __global const int *tet,
           __global const int *tet_row, __global const EW_REAL *force, __global const uchar *fixed,
           __global const EW_REAL *p, __global EW_REAL *q, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM dot = 0;
    for (size_t row = get_global_id(0); row < (size_t)n; row += get_global_size(0)) {
        double sum[3];
        for (int c = 0; c < 3; c++) {
            sum[c] = (int)row < n_vertex ? (double)q[3 * row + c] : 0.0;
        }
        gather_row((int)row, n_vertex, vertex_begin, vertex_count, vertex_item, edge_begin,
                   edge_count, edge_item, edge, tet, tet_row, force, sum);
        for (int c = 0; c < 3; c++) {
            const EW_REAL free = fixed[row] >> c & 1 ? (EW_REAL)0 : (EW_REAL)sum[c];
            q[3 * row + c] = free;
            dot += (EW_SUM)p[3 * row + c] * free;
        }
    }
    dot = ew_group_sum(dot, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = dot;
    }
}

#endif
