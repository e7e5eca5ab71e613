/* Faces with curved sides: places and area vectors at points, and a rule of such points. */
#include "analysis/load/curved_face.h"
#include "analysis/parts/analysis.h"

#include <math.h>
#include <string.h>

bool ew_curved_face_take(const ew_curves *curves, const ew_mesh *mesh, int32_t face,
                         ew_curved_face *out)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)(face / 4);
    double d[18] = {0.0};
    const bool any = ew_curves_of(curves, face / 4, d);
    bool is_curved = false;
    for (int k = 0; k < 3; k++) {
        const int32_t v = tet[ew_face_vertex[face % 4][k]];
        out->edge[k] = ew_face_edge(face % 4, k);
        for (int c = 0; c < 3; c++) {
            out->x[k][c] = mesh->xyz[3 * (size_t)v + (size_t)c];
            out->d[k][c] = any ? d[3 * out->edge[k] + c] : 0.0;
            is_curved = is_curved || out->d[k][c] != 0.0;
        }
    }
    return is_curved;
}

void ew_curved_face_point(const ew_curved_face *face, const double l[3], double x[3],
                          double area[3])
{
    double y[3][3], side[2][3];
    for (int c = 0; c < 3; c++) {
        x[c] = 0.0;
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3; /* ends of the edge opposite k */
            x[c] += l[k] * face->x[k][c] + 4.0 * l[a] * l[b] * face->d[k][c];
            y[k][c] = face->x[k][c] + 4.0 * (l[b] * face->d[a][c] + l[a] * face->d[b][c]);
        }
        side[0][c] = y[1][c] - y[0][c];
        side[1][c] = y[2][c] - y[0][c];
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        area[c] = 0.5 * (side[0][d] * side[1][e] - side[0][e] * side[1][d]);
    }
}

double ew_face_rule(int point, double l[3])
{
    static const double first[2] = {0.501426509658179, 0.873821971016996};
    static const double weight[2] = {0.116786275726379, 0.050844906370207};
    static const double third[3] = {0.636502499121399, 0.310352451033784, 0.053145049844817};
    static const int8_t order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                       {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    if (point < 6) {
        const double own = first[point / 3];
        l[0] = l[1] = l[2] = 0.5 * (1.0 - own);
        l[point % 3] = own;
        return weight[point / 3];
    }
    for (int k = 0; k < 3; k++) {
        l[k] = third[order[point - 6][k]];
    }
    return 0.082851075618374;
}

double ew_curved_face_area(const ew_curved_face *face)
{
    double sum = 0.0;
    for (int p = 0; p < EW_FACE_POINTS; p++) {
        double l[3], x[3], area[3];
        const double weight = ew_face_rule(p, l);
        ew_curved_face_point(face, l, x, area);
        sum += weight * sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    }
    return sum;
}

ew_face_integrals ew_face_integrate(const ew_mesh *mesh, const ew_curves *curves, int32_t face)
{
    ew_curved_face own;
    ew_face_integrals out = {.area = 0.0};
    const bool is_curved = ew_curved_face_take(curves, mesh, face, &own);
    memcpy(out.edge, own.edge, sizeof out.edge);
    for (int p = 0; p < EW_FACE_POINTS && is_curved; p++) {
        double l[3], x[3], area[3];
        const double weight = ew_face_rule(p, l);
        ew_curved_face_point(&own, l, x, area);
        const double share =
            weight * sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        out.area += share;
        for (int k = 0; k < 3; k++) {
            out.of_corner[k] += share * l[k];
            out.of_edge[k] += share * 4.0 * l[(k + 1) % 3] * l[(k + 2) % 3];
        }
    }
    if (!is_curved) {
        double a[3];
        ew_face_area_vector(mesh, face, a);
        out.area = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        for (int k = 0; k < 3; k++) {
            out.of_corner[k] = out.of_edge[k] = out.area / 3.0;
        }
    }
    return out;
}
