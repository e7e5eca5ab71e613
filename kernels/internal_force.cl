/* Internal force of the tets of a nonlinear body at a displacement. In: positions, tets,
 * displacements, laws by region, the state that they have left at each point. Out: forces on nodes
 * and what those of linear tets add up to at vertices; the state after; records that the tangent's
 * blocks are made of (tangent.cl). Reference: lib/assembly/host/internal_force.c, which gives the
 * same bits by the same formulas. With EW_AXES, set by the build options, tets of any law have axes
 * of their own, axes [n][2][3]. With EW_QUADRATIC a tet has the four points of a quadratic one:
 * tet_row [n][6] has the rows of its edges, -1: none, which stand behind those of the n_vertex
 * vertices in vectors, and curve [n_row][3] how far their middles lie beyond straight ones, unused
 * unless is_curved.
 */
#include "laws.h"
#include "quadratic_tangent.h"

#if EW_HAS_DOUBLE

/* Record of a region, EW_LAW_WIDTH doubles: the number of its law, then its constants; or
 * EW_LAW_OF_MODULI, then moduli that may be along axes of the place (anisotropic.h). */
#define EW_LAW_WIDTH     73
#define EW_LAW_OF_MODULI (-1)
#define EW_STATE_WIDTH   8

#ifdef EW_AXES
#define AXES_PARAMETER , __global const double *axes
#define AXES_OF(t)     (axes + 6 * (t))
#define PLACE          18 /* corners of a tet, and its axes */
#else
#define AXES_PARAMETER
#define AXES_OF(t) 0
#define PLACE      12
#endif

#ifdef EW_QUADRATIC
#define N_POINT 4
#define N_NODE  10
#define N_FORCE EW_QUADRATIC_FORCE /* on corners, then on edges */
#define SHARE   0.25               /* of the volume of the straight tet at a point */
#define EDGES_PARAMETER                                                                            \
    , const int n_vertex, const int is_curved, __global const int *tet_row,                        \
        __global const double *curve
#define EDGES_ARGUMENT , n_vertex, is_curved, tet_row, curve
#else
#define N_POINT 1
#define N_NODE  4
#define N_FORCE 9 /* on corners 1 to 3 */
#define SHARE   1.0
#define EDGES_PARAMETER
#define EDGES_ARGUMENT
#endif

/* ---- a tet at its points ------------------------------------------------------------ */

/* Rows of the nodes of a tet in vectors, -1: none; x [N_NODE][3]: positions of its corners, and how
 * far middles of edges lie beyond straight ones. */
static void read_tet(const size_t t, __global const int *tet,
                     __global const double *xyz EDGES_PARAMETER, int *row, double *x)
{
    for (int k = 0; k < 4; k++) {
        row[k] = tet[4 * t + (size_t)k];
        for (int c = 0; c < 3; c++) {
            x[3 * k + c] = xyz[3 * (size_t)row[k] + (size_t)c];
        }
    }
#ifdef EW_QUADRATIC
    for (int k = 0; k < 6; k++) {
        const int edge = tet_row[6 * t + (size_t)k];
        row[4 + k] = edge < 0 ? -1 : n_vertex + edge;
        for (int c = 0; c < 3; c++) {
            x[12 + 3 * k + c] = is_curved && edge >= 0 ? curve[3 * (size_t)edge + (size_t)c] : 0.0;
        }
    }
#endif
}

/* to [N_NODE][3] = a vector at the nodes. */
static void read_nodes(const int *row, __global const double *from, double *to)
{
    for (int k = 0; k < N_NODE; k++) {
        for (int c = 0; c < 3; c++) {
            to[3 * k + c] = row[k] < 0 ? 0.0 : from[3 * (size_t)row[k] + (size_t)c];
        }
    }
}

/* at [4][3] = the same at the corners of the straight tet that the tet is like at point p. */
static void go_to_point(const int p, const double *node, double *at)
{
#ifdef EW_QUADRATIC
    ew_lanes_bend(p, node, node + 12, at);
#else
    for (int k = 0; k < 12; k++) {
        at[k] = node[k];
    }
#endif
}

/* place [PLACE]: corners of a tet at x, and its axes. */
static void put_place(const double *x, __global const double *axes, double *place)
{
    for (int c = 0; c < PLACE; c++) {
        place[c] = c < 12 ? x[c] : axes[c - 12];
    }
}

/* force [N_FORCE], zero before the first point: own [3][3] on corners 1 to 3 of the straight tet at
 * point p is added. */
static void add_point(const int p, const double *own, double *force)
{
#ifdef EW_QUADRATIC
    ew_add_point_force(p, own, force);
#else
    for (int i = 0; i < 9; i++) {
        force[i] = own[i];
    }
#endif
}

/* Stress and tangent [21] of a strain, and the state after it. */
static void answer(__global const double *of_region, const double *x, const double *strain,
                   const double *thermal, const double *before, const double dt, double *after,
                   double *stress, double *tangent)
{
    const int number = (int)of_region[0];
    double constants[EW_LAW_WIDTH - 1], rest[6], moduli[21];
    for (int k = 0; k < EW_LAW_WIDTH - 1; k++) {
        constants[k] = of_region[1 + k];
    }
    for (int i = 0; i < 6; i++) {
        rest[i] = strain[i] - thermal[i];
    }
    if (number == EW_LAW_OF_MODULI) {
        ew_moduli_at(constants, x, moduli);
        ew_elastic_respond(moduli, rest, stress, tangent);
        return;
    }
    ew_law_respond(number, constants, rest, before, dt, after, stress, tangent);
}

static void read_state(__global const double *state, const int has, const size_t t, const int width,
                       double *to)
{
    for (int k = 0; k < width; k++) {
        to[k] = has ? state[(size_t)width * t + k] : 0.0;
    }
}

/* ---- forces ------------------------------------------------------------------------ */

/* Isotropic elastic corotational tets, one work-item each; holes, whose first vertex is negative,
 * get zero. Launch: n items, each of which writes its own row. Shapes: tet [n][4], region [n], lame
 * [n_region][2], xyz [n_vertex][3], u [all rows][3], force [n][N_FORCE]. */
__kernel void turned_forces(const int n, __global const int *tet, __global const int *region,
                            __global const double *lame, __global const double *xyz,
                            __global const double *u, __global double *force EDGES_PARAMETER)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double f[N_FORCE];
    for (int i = 0; i < N_FORCE; i++) {
        f[i] = 0.0;
    }
    if (tet[4 * t] >= 0) {
        double x[3 * N_NODE], moved[3 * N_NODE];
        int row[N_NODE];
        const size_t r = (size_t)region[t];
        const double own[2] = {lame[2 * r], lame[2 * r + 1]};
        read_tet(t, tet, xyz EDGES_ARGUMENT, row, x);
        read_nodes(row, u, moved);
        for (int p = 0; p < N_POINT; p++) {
            double x_at[12], u_at[12], part[9];
            go_to_point(p, x, x_at);
            go_to_point(p, moved, u_at);
            ew_corotational_force(x_at, u_at, own, part);
            for (int i = 0; i < 9; i++) {
                part[i] *= SHARE;
            }
            add_point(p, part, f);
        }
    }
    for (int i = 0; i < N_FORCE; i++) {
        force[N_FORCE * t + (size_t)i] = f[i];
    }
}

/* The same of tets of any law. turns: the kinematics. Further shapes: law [n_region][EW_LAW_WIDTH],
 * state, after [n][N_POINT][EW_STATE_WIDTH], unused unless has_state and keeps_state; thermal
 * [n][N_POINT][6], unused unless has_thermal. */
__kernel void general_forces(const int n, const int turns, const int has_state,
                             const int keeps_state, const int has_thermal, const double dt,
                             __global const int *tet, __global const int *region,
                             __global const double *law, __global const double *xyz,
                             __global const double *u, __global const double *state,
                             __global const double *thermal, __global double *force,
                             __global double *after EDGES_PARAMETER AXES_PARAMETER)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    const int is_live = tet[4 * t] >= 0;
    double x[3 * N_NODE], moved[3 * N_NODE], place[PLACE], f[N_FORCE];
    int row[N_NODE];
    for (int i = 0; i < N_FORCE; i++) {
        f[i] = 0.0;
    }
    if (is_live) {
        read_tet(t, tet, xyz EDGES_ARGUMENT, row, x);
        read_nodes(row, u, moved);
        put_place(x, AXES_OF(t), place);
    }
    for (int p = 0; p < N_POINT; p++) {
        const size_t at = N_POINT * t + (size_t)p;
        double ends[EW_STATE_WIDTH] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        if (is_live) {
            double x_at[12], u_at[12], g[12], r[9], strain[6], stress[6], warm[6], part[9];
            double before[EW_STATE_WIDTH];
            go_to_point(p, x, x_at);
            go_to_point(p, moved, u_at);
            read_state(state, has_state, at, EW_STATE_WIDTH, before);
            read_state(thermal, has_thermal, at, 6, warm);
            const double volume = SHARE * ew_general_motion(turns, x_at, u_at, g, r, strain);
            answer(law + EW_LAW_WIDTH * (size_t)region[t], place, strain, warm, before, dt, ends,
                   stress, 0);
            ew_general_force(turns, volume, g, r, strain, stress, part);
            add_point(p, part, f);
        }
        for (int k = 0; k < EW_STATE_WIDTH && keeps_state; k++) {
            after[EW_STATE_WIDTH * at + (size_t)k] = ends[k];
        }
    }
    for (int i = 0; i < N_FORCE; i++) {
        force[N_FORCE * t + (size_t)i] = f[i];
    }
}

/* Linear tets (of quadratic ones `gather` of quadratic.cl): one work-item per vertex: the forces of
 * its tets, ascending, from +0.0; on corner 0 minus those on the others. Launch: n items, each of
 * which writes its own row of f [n][3]. begin, count [n], item: vertex_to_tet. */
__kernel void gather_forces(const int n, __global const int *begin, __global const int *count,
                            __global const int *item, __global const int *tet,
                            __global const double *force, __global double *f)
{
    const size_t v = get_global_id(0);
    if (v >= (size_t)n) {
        return;
    }
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < count[v]; i++) {
        const size_t t = (size_t)item[(size_t)begin[v] + (size_t)i];
        __global const int *vertex = tet + 4 * t;
        __global const double *of = force + 9 * t;
        const int own = (int)v;
        const int place = (vertex[1] == own) + 2 * (vertex[2] == own) + 3 * (vertex[3] == own);
        for (int c = 0; c < 3; c++) {
            sum[c] += place ? of[3 * (place - 1) + c] : -((of[c] + of[3 + c]) + of[6 + c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        f[3 * v + c] = sum[c];
    }
}

/* ---- records ----------------------------------------------------------------------- */

/* Whether numbers begin to end changed by more than the bound, relative to the largest. */
static int differ(__global const double *old, const double *fresh, const int begin, const int end,
                  const double bound)
{
    double largest = 0.0, most = 0.0;
    for (int i = begin; i < end; i++) {
        largest = fmax(largest, fabs(fresh[i]));
        most = fmax(most, fabs(fresh[i] - old[i]));
    }
    return !(most <= bound * largest);
}

/* The fresh record [N_POINT][width] takes the place of the old one where it is another; changed
 * says so. */
static void renew(const double *fresh, const int width, const double bound, __global double *record,
                  __global uchar *changed)
{
    int other = 0;
    if (bound == 0.0) {
        for (int i = 0; i < N_POINT * width; i++) {
            other |= as_long(record[i]) != as_long(fresh[i]);
        }
    }
    for (int first = 0; first < N_POINT * width && bound != 0.0 && !other; first += width) {
        other = differ(record, fresh, first, first + 9, bound) ||
                differ(record, fresh, first + 9, first + width, bound);
    }
    for (int i = 0; i < N_POINT * width && other; i++) {
        record[i] = fresh[i];
    }
    *changed = (uchar)other;
}

/* Isotropic elastic corotational tets, one work-item each; that of a hole is zero. Launch: n items,
 * each of which writes its own row. from: another displacement, unused unless has_from; record
 * [n][N_POINT][EW_TURNED_RECORD]; changed [n]; the others as above. */
__kernel void turned_records(const int n, const int form, const double bound, const int has_from,
                             __global const int *tet, __global const int *region,
                             __global const double *lame, __global const double *xyz,
                             __global const double *u, __global const double *from,
                             __global double *record, __global uchar *changed EDGES_PARAMETER)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double fresh[N_POINT * EW_TURNED_RECORD];
    for (int i = 0; i < N_POINT * EW_TURNED_RECORD; i++) {
        fresh[i] = 0.0;
    }
    if (tet[4 * t] >= 0) {
        double x[3 * N_NODE], moved[3 * N_NODE], origin[3 * N_NODE];
        int row[N_NODE];
        const size_t r = (size_t)region[t];
        const double own[2] = {lame[2 * r], lame[2 * r + 1]};
        read_tet(t, tet, xyz EDGES_ARGUMENT, row, x);
        read_nodes(row, u, moved);
        if (has_from) {
            read_nodes(row, from, origin);
        }
        for (int p = 0; p < N_POINT; p++) {
            double x_at[12], u_at[12], from_at[12], *to = fresh + EW_TURNED_RECORD * p;
            go_to_point(p, x, x_at);
            go_to_point(p, moved, u_at);
            if (has_from) {
                go_to_point(p, origin, from_at);
            }
            ew_transformed_record(x_at, u_at, has_from ? from_at : 0, own, form, to);
            for (int i = 9; i < EW_TURNED_RECORD; i++) {
                to[i] *= SHARE;
            }
        }
    }
    renew(fresh, EW_TURNED_RECORD, bound, record + N_POINT * EW_TURNED_RECORD * t, changed + t);
}

/* The same of tets of any law; record [n][N_POINT][EW_GENERAL_RECORD]. */
__kernel void general_records(const int n, const int form, const double bound, const int has_from,
                              const int turns, const int has_state, const int has_thermal,
                              const double dt, __global const int *tet, __global const int *region,
                              __global const double *law, __global const double *xyz,
                              __global const double *u, __global const double *from,
                              __global const double *state, __global const double *thermal,
                              __global double *record,
                              __global uchar *changed EDGES_PARAMETER AXES_PARAMETER)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double fresh[N_POINT * EW_GENERAL_RECORD];
    for (int i = 0; i < N_POINT * EW_GENERAL_RECORD; i++) {
        fresh[i] = 0.0;
    }
    if (tet[4 * t] >= 0) {
        double x[3 * N_NODE], moved[3 * N_NODE], origin[3 * N_NODE], place[PLACE];
        int row[N_NODE];
        __global const double *own = law + EW_LAW_WIDTH * (size_t)region[t];
        read_tet(t, tet, xyz EDGES_ARGUMENT, row, x);
        read_nodes(row, u, moved);
        put_place(x, AXES_OF(t), place);
        if (has_from) {
            read_nodes(row, from, origin);
        }
        for (int p = 0; p < N_POINT; p++) {
            const size_t at = N_POINT * t + (size_t)p;
            double x_at[12], u_at[12], from_at[12], g[12], r[9], strain[6], stress[6], tangent[21];
            double warm[6], before[EW_STATE_WIDTH], after[EW_STATE_WIDTH];
            go_to_point(p, x, x_at);
            go_to_point(p, moved, u_at);
            read_state(state, has_state, at, EW_STATE_WIDTH, before);
            read_state(thermal, has_thermal, at, 6, warm);
            const double volume = SHARE * ew_general_motion(turns, x_at, u_at, g, r, strain);
            answer(own, place, strain, warm, before, dt, after, stress, tangent);
            if (has_from && turns) {
                go_to_point(p, origin, from_at);
                ew_general_seen_from(g, u_at, from_at, strain);
                answer(own, place, strain, warm, before, dt, after, stress, 0);
            }
            ew_general_record(turns, form, volume, g, r, strain, stress, tangent,
                              fresh + EW_GENERAL_RECORD * p);
        }
    }
    renew(fresh, EW_GENERAL_RECORD, bound, record + N_POINT * EW_GENERAL_RECORD * t, changed + t);
}

#endif
