/* One rigid body. In: points of it that are fixed, and in which directions. Out: what this takes
 * away of its six rigid-body modes. */
#include "analysis/check/rigid.h"

#include <math.h>
#include <string.h>

void ew_rigid_row(const ew_rigid *body, const double x[3], int c, double row[6])
{
    int d = (c + 1) % 3, e = (c + 2) % 3;
    memset(row, 0, 6 * sizeof *row);
    row[c] = 1.0;
    row[3 + d] = (x[e] - body->center[e]) / body->radius;
    row[3 + e] = -(x[d] - body->center[d]) / body->radius;
}

void ew_rigid_fix(ew_rigid *body, const double x[3], unsigned directions, int32_t vertex,
                  double zero)
{
    for (int c = 0; c < 3 && body->n_row < 6; c++) {
        double row[6];
        if (directions >> c & 1) {
            ew_rigid_row(body, x, c, row);
            if (ew_span_add(6, body->row, &body->n_row, row, zero)) {
                body->vertex[body->n_row - 1] = vertex;
            }
        }
    }
}

/* Fixes the point along a unit direction. */
static void fix_along(ew_rigid *body, const double x[3], const double *direction, int32_t vertex,
                      double zero)
{
    double row[6] = {0.0}, part[6];
    if (body->n_row == 6) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        ew_rigid_row(body, x, c, part);
        for (int i = 0; i < 6; i++) {
            row[i] += direction[c] * part[i];
        }
    }
    if (ew_span_add(6, body->row, &body->n_row, row, zero)) {
        body->vertex[body->n_row - 1] = vertex;
    }
}

bool ew_has_spring(const ew_constraints *constraints, int32_t vertex)
{
    const double *k = constraints->spring ? constraints->spring + 6 * (size_t)vertex : NULL;
    return k && k[0] + k[1] + k[2] > 0.0;
}

/* Springs of less than this share of all at a vertex are rounding. */
#define SPRING_ZERO 1e-12

/* Directions with a spring, by Cholesky steps with the largest pivot first: k less what its column
 * there says, so that a weak spring beside a strong one is not lost. */
static void fix_springs(ew_rigid *body, const double x[3], const double *spring, int32_t vertex,
                        double zero)
{
    double k[9] = {spring[0], spring[3], spring[5], spring[3], spring[1],
                   spring[4], spring[5], spring[4], spring[2]};
    const double all = k[0] + k[4] + k[8];
    for (int step = 0; step < 3; step++) {
        const int p = k[0] >= k[4] && k[0] >= k[8] ? 0 : k[4] >= k[8] ? 1 : 2;
        const double pivot = k[4 * p], column[3] = {k[p], k[3 + p], k[6 + p]};
        if (!(pivot > SPRING_ZERO * all)) {
            return;
        }
        const double size =
            sqrt(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]);
        const double unit[3] = {column[0] / size, column[1] / size, column[2] / size};
        fix_along(body, x, unit, vertex, zero);
        for (int i = 0; i < 9; i++) {
            k[i] -= column[i / 3] * column[i % 3] / pivot;
        }
    }
}

void ew_rigid_support(ew_rigid *body, const double x[3], const ew_constraints *constraints,
                      int32_t vertex, double zero)
{
    ew_rigid_fix(body, x, constraints->fixed[vertex] & 7u, vertex, zero);
    if (constraints->fixed[vertex] & EW_OBLIQUE) {
        const double *normal = constraints->oblique.normal + 6 * (size_t)constraints->place[vertex];
        fix_along(body, x, normal, vertex, zero);
        fix_along(body, x, normal + 3, vertex, zero);
    }
    if (ew_has_spring(constraints, vertex)) {
        fix_springs(body, x, constraints->spring + 6 * (size_t)vertex, vertex, zero);
    }
}
