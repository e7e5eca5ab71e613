/* Whether curved sides fold a tet of ten nodes. In: its corners, and how far the middles of its
 * sides lie beyond the straight ones. Out: a place in it where the Jacobian is not positive, if
 * any.
 *
 * With x(l) = sum l_k x_k + sum 4 l_a l_b d_ab the derivative along l_i - l_0 is sum_k l_k e_i^k,
 * e_i^k = x_i - x_0 + 4 (d_ik - d_0k), d_kk = 0: the Jacobian det(e_1, e_2, e_3) is B(l, l, l) with
 * a symmetric form B of three points. Of the corners v of a part of the tet B(v_i, v_j, v_k) are
 * its 20 Bezier coefficients there: it lies between the least and the greatest of them, and those
 * of (i, i, i) are its values at the corners (Johnen, Remacle & Geuzaine 2013, Geometrical validity
 * of curvilinear finite elements). Parts that this leaves open are bisected at their longest side,
 * three times for half the length, which brings the coefficients four times nearer to the values.
 */
#include "mesh/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BISECTION = 18 }; /* in a row: parts of 1/64 of the length, at most 4096 across a tet */

typedef struct part {
    double form[4][4][4]; /* B of its corners */
    double corner[4][4];  /* as l */
    int n_bisection;
} part;

/* ---- the form ---------------------------------------------------------------- */

static double determinant(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* e [3][4][3]; returns the square of the longest. */
static double find_tangents(const double *x, const double *d, double e[3][4][3])
{
    double longest2 = 0.0, between[4][4][3] = {{{0.0}}};
    for (int k = 0; k < 6; k++) {
        const int a = ew_edge_vertex[k][0], b = ew_edge_vertex[k][1];
        memcpy(between[a][b], d + 3 * k, sizeof between[a][b]);
        memcpy(between[b][a], d + 3 * k, sizeof between[b][a]);
    }
    for (int i = 1; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            double square = 0.0;
            for (int c = 0; c < 3; c++) {
                const double value =
                    x[3 * i + c] - x[c] + 4.0 * (between[i][k][c] - between[0][k][c]);
                e[i - 1][k][c] = value;
                square += value * value;
            }
            longest2 = fmax(longest2, square);
        }
    }
    return longest2;
}

/* The mean of the determinants over the orders of the three points. */
static void find_form(double e[3][4][3], double form[4][4][4])
{
    double of[4][4][4];
    for (int i = 0; i < 64; i++) {
        of[i / 16][i / 4 % 4][i % 4] = determinant(e[0][i / 16], e[1][i / 4 % 4], e[2][i % 4]);
    }
    for (int i = 0; i < 64; i++) {
        const int a = i / 16, b = i / 4 % 4, c = i % 4;
        form[a][b][c] = (((of[a][b][c] + of[b][c][a]) + of[c][a][b]) +
                         ((of[a][c][b] + of[c][b][a]) + of[b][a][c])) /
                        6.0;
    }
}

/* ---- parts ------------------------------------------------------------------- */

/* Corner j goes into the middle of i and j. */
static void halve(part *of, int i, int j)
{
    of->n_bisection++;
    for (int c = 0; c < 4; c++) {
        of->corner[j][c] = 0.5 * (of->corner[i][c] + of->corner[j][c]);
    }
    for (int a = 0; a < 16; a++) {
        double *to = &of->form[j][a / 4][a % 4];
        *to = 0.5 * (of->form[i][a / 4][a % 4] + *to);
    }
    for (int a = 0; a < 16; a++) {
        double *to = &of->form[a / 4][j][a % 4];
        *to = 0.5 * (of->form[a / 4][i][a % 4] + *to);
    }
    for (int a = 0; a < 16; a++) {
        double *to = &of->form[a / 4][a % 4][j];
        *to = 0.5 * (of->form[a / 4][a % 4][i] + *to);
    }
}

static int longest_side(const part *of)
{
    double longest2 = 0.0;
    int longest = 0;
    for (int k = 0; k < 6; k++) {
        const double *a = of->corner[ew_edge_vertex[k][0]], *b = of->corner[ew_edge_vertex[k][1]];
        double square = 0.0;
        for (int c = 0; c < 4; c++) {
            square += (a[c] - b[c]) * (a[c] - b[c]);
        }
        if (square > longest2) {
            longest2 = square;
            longest = k;
        }
    }
    return longest;
}

static bool is_above(const part *of, double least)
{
    bool above = true;
    for (int i = 0; i < 64; i++) {
        above = above && of->form[i / 16][i / 4 % 4][i % 4] > least; /* false for NaN */
    }
    return above;
}

static int lowest_corner(const part *of)
{
    int lowest = 0;
    for (int i = 1; i < 4; i++) {
        lowest = !(of->form[lowest][lowest][lowest] <= of->form[i][i][i]) ? i : lowest;
    }
    return lowest;
}

double ew_curved_tet_fold(const double x[12], const double d[18], double at[4])
{
    part open[MAX_BISECTION + 1]; /* the last is the next; each had one bisection more */
    double e[3][4][3];
    const double longest2 = find_tangents(x, d, e);
    const double least = EW_MIN_SHAPE * (longest2 * sqrt(longest2));
    int n = 1;
    find_form(e, open[0].form);
    const double straight = determinant((double[]){x[3] - x[0], x[4] - x[1], x[5] - x[2]},
                                        (double[]){x[6] - x[0], x[7] - x[1], x[8] - x[2]},
                                        (double[]){x[9] - x[0], x[10] - x[1], x[11] - x[2]});
    memset(open[0].corner, 0, sizeof open[0].corner);
    for (int i = 0; i < 4; i++) {
        open[0].corner[i][i] = 1.0;
    }
    open[0].n_bisection = 0;
    while (n) {
        part *last = &open[n - 1];
        const int lowest = lowest_corner(last);
        const double value = last->form[lowest][lowest][lowest];
        if (!(value > least) || (last->n_bisection == MAX_BISECTION && !is_above(last, least))) {
            memcpy(at, last->corner[lowest], sizeof last->corner[lowest]);
            return value / straight;
        }
        if (is_above(last, least)) {
            n--;
            continue;
        }
        const int8_t *end = ew_edge_vertex[longest_side(last)];
        open[n] = *last;
        halve(last, end[0], end[1]);
        halve(&open[n++], end[1], end[0]);
    }
    return INFINITY;
}

/* The integral of the Jacobian, a polynomial of degree three: a sixth of the mean of its 20 Bezier
 * coefficients. */
double ew_curved_tet_volume(const double x[12], const double d[18])
{
    double e[3][4][3], form[4][4][4], sum = 0.0;
    (void)find_tangents(x, d, e);
    find_form(e, form);
    for (int i = 0; i < 64; i++) {
        const int a = i / 16, b = i / 4 % 4, c = i % 4;
        sum += a <= b && b <= c ? form[a][b][c] : 0.0;
    }
    return sum / 120.0;
}

/* ---- of a mesh --------------------------------------------------------------- */

/* begins [n_vertex]: whether a curved side may have the vertex as the end with the lower id, by its
 * last digits. */
static ew_status find_begins(const ew_mesh *mesh, bool *begins)
{
    const int64_t mask = mesh->n_curve_place - 1;
    bool *may_begin;
    EW_TRY(ew_new_zero(&may_begin, (size_t)mesh->n_curve_place, sizeof *may_begin));
    for (int32_t i = 0; i < mesh->n_curve; i++) {
        may_begin[mesh->curve_end[2 * (size_t)i] & mask] = true;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        begins[v] = may_begin[mesh->vertex_id[v] & mask];
    }
    ew_release(may_begin);
    return EW_OK;
}

/* d [6][3] of a tet of the mesh; false: its sides are straight. */
static bool find_curves(const ew_mesh *mesh, const bool *begins, const int32_t *corner, double *d)
{
    bool any = false;
    memset(d, 0, 18 * sizeof *d);
    for (int k = 0; k < 6; k++) {
        const int32_t a = corner[ew_edge_vertex[k][0]], b = corner[ew_edge_vertex[k][1]];
        const int64_t id[2] = {mesh->vertex_id[a], mesh->vertex_id[b]};
        const double *curve =
            begins[id[0] < id[1] ? a : b] ? ew_mesh_curve(mesh, id[0], id[1]) : NULL;
        if (curve) {
            memcpy(d + 3 * k, curve, 3 * sizeof *d);
            any = true;
        }
    }
    return any;
}

ew_status ew_curved_tet_check(const char *tet, int64_t id, const double x[12], const double d[18])
{
    double l[4], at[3];
    const double value = ew_curved_tet_fold(x, d, l);
    if (value == INFINITY) {
        return EW_OK;
    }
    for (int c = 0; c < 3; c++) {
        at[c] = (l[0] * x[c] + l[1] * x[3 + c]) + (l[2] * x[6 + c] + l[3] * x[9 + c]);
        for (int k = 0; k < 6; k++) {
            at[c] += 4.0 * l[ew_edge_vertex[k][0]] * l[ew_edge_vertex[k][1]] * d[3 * k + c];
        }
    }
    return ew_fail_about(EW_MESH_VOLUME, id, -1,
                         "%s: its curved sides fold it, or nearly: at (%g, %g, %g) its Jacobian is "
                         "%.3g of that of the straight tet, and must be positive in all of it; "
                         "move the middles of its sides nearer to the straight ones, or make the "
                         "mesh finer there",
                         tet, at[0], at[1], at[2], value);
}

ew_status ew_mesh_check_curves(const ew_mesh *mesh)
{
    bool *begins;
    ew_status status = EW_OK;
    if (!mesh->n_curve) {
        return EW_OK;
    }
    EW_TRY(ew_new(&begins, (size_t)mesh->n_vertex, sizeof *begins));
    status = find_begins(mesh, begins);
    for (int32_t t = 0; t < mesh->n_tet && !status; t++) {
        double x[12], d[18];
        if (ew_mesh_tet_is_live(mesh, t) &&
            find_curves(mesh, begins, mesh->tet + 4 * (size_t)t, d)) {
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            status = ew_curved_tet_check(ew_tet_name(mesh, t).text, mesh->tet_id[t], x, d);
        }
    }
    ew_release(begins);
    return status;
}
