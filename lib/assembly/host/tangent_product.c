/* The product of nonlinear quadratic tets: y += K x with the tangent, from the records of their
 * points (kernels/quadratic_tangent.h), for the groups of a list (edge_product.c). */
#include "assembly/host/blocks.h"
#include "quadratic_tangent.h"

#include <string.h>

/* to [3] = a row of a vector; ~row: of another part; EW_NO_EDGE: zero. */
static void read_row(const double *vector, int32_t row, double *to)
{
    if (row == EW_NO_EDGE) {
        memset(to, 0, 3 * sizeof *to);
    } else {
        memcpy(to, vector + 3 * (size_t)(row < 0 ? ~row : row), 3 * sizeof *to);
    }
}

/* force [30] = what a tet gives to a part of the product of u [4][3] and c [6][3]. What stands on
 * vertices gives nothing to vertices in EW_EDGE_ALL, for their blocks are stored. */
static void find_forces(const ew_response *response, int32_t tet, ew_edge_part part,
                        const double *u, const double *c, double *force)
{
    static const double none[18];
    const int width = response->width;
    const double *record = response->record + (size_t)width * EW_POINTS * (size_t)tet;
    double on_edges[EW_QUADRATIC_FORCE] = {0.0};
    memset(force, 0, EW_QUADRATIC_FORCE * sizeof *force);
    for (int p = 0; p < EW_POINTS; p++, record += width) {
        if (part == EW_EDGE_WHOLE) {
            ew_point_product(width, p, record, u, c, force);
        }
        if (part == EW_EDGE_ALL || part == EW_EDGE_OF_EDGES) {
            ew_point_product(width, p, record, none, c, force);
        }
        if (part == EW_EDGE_ALL || part == EW_EDGE_OF_CORNERS) {
            ew_point_product(width, p, record, u, none, on_edges);
        }
    }
    for (int i = 12; i < EW_QUADRATIC_FORCE; i++) {
        force[i] += on_edges[i];
    }
}

static void add_tet(const ew_edge_product *product, ew_edge_part part, const int32_t *node,
                    int32_t tet, const double *x, double *y)
{
    double u[12], c[18], force[EW_QUADRATIC_FORCE];
    int32_t row[EW_GROUP_NODES];
    bool writes = false;
    for (int k = 0; k < EW_GROUP_NODES; k++) {
        row[k] = node[EW_GROUP_TETS * k];
        writes = writes || row[k] >= 0;
        read_row(x, row[k], k < 4 ? u + 3 * k : c + 3 * (k - 4));
    }
    if (!writes) {
        return;
    }
    find_forces(product->response, tet, part, u, c, force);
    for (int k = part == EW_EDGE_OF_CORNERS ? 4 : 0; k < EW_GROUP_NODES; k++) {
        for (int i = 0; i < 3 && row[k] >= 0; i++) {
            y[3 * (size_t)row[k] + (size_t)i] += force[3 * k + i];
        }
    }
}

void ew_tangent_groups(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                       int32_t end, const double *x, double *y)
{
    for (int32_t i = begin; i < end; i++) {
        const int32_t *group = product->node + (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * (size_t)i;
        for (int l = 0; l < EW_GROUP_TETS; l++) {
            add_tet(product, part, group + l, product->tet[EW_GROUP_TETS * (size_t)i + (size_t)l],
                    x, y);
        }
    }
}
