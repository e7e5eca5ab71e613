/* One rigid body. In: points of it that are fixed, and in which directions. Out: what this takes
 * away of its six rigid-body modes. */
#include "rigid.h"

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
