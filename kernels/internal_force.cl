/* Internal force of the tets of a nonlinear body at a displacement. In: positions, tets,
 * displacements, laws by region, the state that they have left in each tet. Out: forces on corners
 * and what they add up to at vertices; the state after; records that the tangent's blocks are made
 * of (tangent.cl). Reference: lib/assembly/host/internal_force.c, which gives the same bits by the
 * same formulas. With EW_AXES, set by the build options, tets of any law have axes of their own,
 * axes [n][2][3].
 */
#include "general.h"
#include "laws.h"

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

static void read_corners(__global const int *vertex, __global const double *from, double *to)
{
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 3; c++) {
            to[3 * k + c] = from[3 * (size_t)vertex[k] + c];
        }
    }
}

/* x [PLACE] of a tet. */
static void read_place(__global const int *vertex, __global const double *xyz,
                       __global const double *axes, double *x)
{
    read_corners(vertex, xyz, x);
    for (int c = 12; c < PLACE; c++) {
        x[c] = axes[c - 12];
    }
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
 * [n_region][2], xyz, u [n_vertex][3], force [n][9]. */
__kernel void turned_forces(const int n, __global const int *tet, __global const int *region,
                            __global const double *lame, __global const double *xyz,
                            __global const double *u, __global double *force)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double x[12], moved[12], f[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (tet[4 * t] >= 0) {
        const size_t r = (size_t)region[t];
        const double own[2] = {lame[2 * r], lame[2 * r + 1]};
        read_corners(tet + 4 * t, xyz, x);
        read_corners(tet + 4 * t, u, moved);
        ew_corotational_force(x, moved, own, f);
    }
    for (int i = 0; i < 9; i++) {
        force[9 * t + i] = f[i];
    }
}

/* The same of tets of any law. turns: the kinematics. Further shapes: law [n_region][EW_LAW_WIDTH],
 * state, after [n][EW_STATE_WIDTH], unused unless has_state and keeps_state; thermal [n][6], unused
 * unless has_thermal. */
__kernel void general_forces(const int n, const int turns, const int has_state,
                             const int keeps_state, const int has_thermal, const double dt,
                             __global const int *tet, __global const int *region,
                             __global const double *law, __global const double *xyz,
                             __global const double *u, __global const double *state,
                             __global const double *thermal, __global double *force,
                             __global double *after AXES_PARAMETER)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double f[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double ends[EW_STATE_WIDTH] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (tet[4 * t] >= 0) {
        double x[PLACE], moved[12], g[12], r[9], strain[6], stress[6], warm[6];
        double before[EW_STATE_WIDTH];
        read_place(tet + 4 * t, xyz, AXES_OF(t), x);
        read_corners(tet + 4 * t, u, moved);
        read_state(state, has_state, t, EW_STATE_WIDTH, before);
        read_state(thermal, has_thermal, t, 6, warm);
        const double volume = ew_general_motion(turns, x, moved, g, r, strain);
        answer(law + EW_LAW_WIDTH * (size_t)region[t], x, strain, warm, before, dt, ends, stress,
               0);
        ew_general_force(turns, volume, g, r, strain, stress, f);
    }
    for (int i = 0; i < 9; i++) {
        force[9 * t + i] = f[i];
    }
    for (int k = 0; k < EW_STATE_WIDTH && keeps_state; k++) {
        after[EW_STATE_WIDTH * t + k] = ends[k];
    }
}

/* One work-item per vertex: the forces of its tets, ascending, from +0.0; on corner 0 minus those
 * on the others. Launch: n items, each of which writes its own row of f [n][3]. begin, count [n],
 * item: vertex_to_tet. */
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

/* The fresh record takes the place of the old one where it is another; changed says so. */
static void renew(const double *fresh, const int width, const double bound, __global double *record,
                  __global uchar *changed)
{
    int other = 0;
    if (bound == 0.0) {
        for (int i = 0; i < width; i++) {
            other |= as_long(record[i]) != as_long(fresh[i]);
        }
    } else {
        other = differ(record, fresh, 0, 9, bound) || differ(record, fresh, 9, width, bound);
    }
    for (int i = 0; i < width && other; i++) {
        record[i] = fresh[i];
    }
    *changed = (uchar)other;
}

/* Isotropic elastic corotational tets, one work-item each; that of a hole is zero. Launch: n items,
 * each of which writes its own row. from: another displacement, unused unless has_from; record
 * [n][EW_TURNED_RECORD]; changed [n]; the others as above. */
__kernel void turned_records(const int n, const int form, const double bound, const int has_from,
                             __global const int *tet, __global const int *region,
                             __global const double *lame, __global const double *xyz,
                             __global const double *u, __global const double *from,
                             __global double *record, __global uchar *changed)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double fresh[EW_TURNED_RECORD];
    for (int i = 0; i < EW_TURNED_RECORD; i++) {
        fresh[i] = 0.0;
    }
    if (tet[4 * t] >= 0) {
        double x[12], moved[12], origin[12];
        const size_t r = (size_t)region[t];
        const double own[2] = {lame[2 * r], lame[2 * r + 1]};
        read_corners(tet + 4 * t, xyz, x);
        read_corners(tet + 4 * t, u, moved);
        if (has_from) {
            read_corners(tet + 4 * t, from, origin);
        }
        ew_transformed_record(x, moved, has_from ? origin : 0, own, form, fresh);
    }
    renew(fresh, EW_TURNED_RECORD, bound, record + EW_TURNED_RECORD * t, changed + t);
}

/* The same of tets of any law; record [n][EW_GENERAL_RECORD]. */
__kernel void general_records(const int n, const int form, const double bound, const int has_from,
                              const int turns, const int has_state, const int has_thermal,
                              const double dt, __global const int *tet, __global const int *region,
                              __global const double *law, __global const double *xyz,
                              __global const double *u, __global const double *from,
                              __global const double *state, __global const double *thermal,
                              __global double *record, __global uchar *changed AXES_PARAMETER)
{
    const size_t t = get_global_id(0);
    if (t >= (size_t)n) {
        return;
    }
    double fresh[EW_GENERAL_RECORD];
    for (int i = 0; i < EW_GENERAL_RECORD; i++) {
        fresh[i] = 0.0;
    }
    if (tet[4 * t] >= 0) {
        double x[PLACE], moved[12], origin[12], g[12], r[9], strain[6], stress[6], tangent[21];
        double warm[6], before[EW_STATE_WIDTH], after[EW_STATE_WIDTH];
        __global const double *own = law + EW_LAW_WIDTH * (size_t)region[t];
        read_place(tet + 4 * t, xyz, AXES_OF(t), x);
        read_corners(tet + 4 * t, u, moved);
        read_state(state, has_state, t, EW_STATE_WIDTH, before);
        read_state(thermal, has_thermal, t, 6, warm);
        const double volume = ew_general_motion(turns, x, moved, g, r, strain);
        answer(own, x, strain, warm, before, dt, after, stress, tangent);
        if (has_from && turns) {
            read_corners(tet + 4 * t, from, origin);
            ew_general_seen_from(g, moved, origin, strain);
            answer(own, x, strain, warm, before, dt, after, stress, 0);
        }
        ew_general_record(turns, form, volume, g, r, strain, stress, tangent, fresh);
    }
    renew(fresh, EW_GENERAL_RECORD, bound, record + EW_GENERAL_RECORD * t, changed + t);
}

#endif
