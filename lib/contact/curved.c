/* Faces with curved sides. In: corners, how far the middles of sides lie beyond the straight ones,
 *
 *     x(l) = sum_k l_k X_k + 4 l_{k+1} l_{k+2} c_k,   l_0 = 1 - l_1 - l_2
 *
 * Out: places and tangents there; of a point outside the place that is nearest to it; where a line
 * meets the face. Both by Newton's method, from what straight sides make of them. */
#include "contact/internal.h"

#include <math.h>
#include <string.h>

/* Newton's method ends where a step is below this share of the face, or after so many. */
#define SHORT 1e-12
enum { MAX_STEPS = 12 };

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double out[3])
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

void contact_values(const double at[3], double value[6])
{
    for (int k = 0; k < 3; k++) {
        value[k] = at[k];
        value[3 + k] = 4.0 * at[(k + 1) % 3] * at[(k + 2) % 3];
    }
}

void contact_slopes(const double at[3], double slope[2][6])
{
    for (int d = 0; d < 2; d++) {
        double of[3] = {-1.0, d == 0, d == 1};
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            slope[d][k] = of[k];
            slope[d][3 + k] = 4.0 * (of[i] * at[j] + at[i] * of[j]);
        }
    }
}

void contact_place(const contact_face *face, const double at[3], double x[3], double tangent[2][3])
{
    for (int c = 0; c < 3; c++) {
        const double *p = face->xyz + c;
        x[c] = at[0] * p[0] + at[1] * p[3] + at[2] * p[6];
        tangent[0][c] = p[3] - p[0];
        tangent[1][c] = p[6] - p[0];
    }
    for (int k = 0; k < 3 && face->is_curved; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double value = 4.0 * at[i] * at[j],
                     slope[2] = {
                         4.0 * ((i == 1) - (i == 0)) * at[j] + 4.0 * ((j == 1) - (j == 0)) * at[i],
                         4.0 * ((i == 2) - (i == 0)) * at[j] + 4.0 * ((j == 2) - (j == 0)) * at[i]};
        for (int c = 0; c < 3; c++) {
            const double p = face->curve[3 * k + c];
            x[c] += value * p;
            tangent[0][c] += slope[0] * p;
            tangent[1][c] += slope[1] * p;
        }
    }
}

double contact_normal(double tangent[2][3], double normal[3])
{
    cross(tangent[0], tangent[1], normal);
    const double length = sqrt(dot(normal, normal));
    for (int c = 0; c < 3 && length > 0.0; c++) {
        normal[c] /= length;
    }
    return 0.5 * length;
}

static void move(double at[3], double a, double b)
{
    at[1] += a;
    at[2] += b;
    at[0] = 1.0 - at[1] - at[2];
}

/* |x - target|^2 is least: (target - x) . t_i = 0. */
bool contact_find_nearest(const contact_face *face, const double target[3], double at[3])
{
    for (int step = 0; step < MAX_STEPS; step++) {
        double x[3], t[2][3], bend[3][3], d[3];
        contact_place(face, at, x, t);
        for (int c = 0; c < 3; c++) { /* second derivatives: 11, 22, 12 */
            const double *k = face->curve + c;
            d[c] = target[c] - x[c];
            bend[0][c] = -8.0 * k[6];
            bend[1][c] = -8.0 * k[3];
            bend[2][c] = 4.0 * (k[0] - k[3] - k[6]);
        }
        const double a = dot(t[0], t[0]) - dot(d, bend[0]), b = dot(t[1], t[1]) - dot(d, bend[1]),
                     m = dot(t[0], t[1]) - dot(d, bend[2]), det = a * b - m * m;
        if (!(a > 0.0 && det > 0.0)) {
            return false;
        }
        const double p = dot(d, t[0]), q = dot(d, t[1]), u = (p * b - q * m) / det,
                     v = (q * a - p * m) / det;
        move(at, u, v);
        if (fabs(u) + fabs(v) < SHORT) {
            return true;
        }
    }
    return false;
}

/* y(at) = x + gap n. */
bool contact_meet(const contact_face *face, const double x[3], const double normal[3], double at[3],
                  double *gap)
{
    for (int step = 0; step < MAX_STEPS; step++) {
        double y[3], t[2][3], d[3], across[2][3];
        contact_place(face, at, y, t);
        for (int c = 0; c < 3; c++) {
            d[c] = x[c] - y[c];
        }
        cross(normal, t[1], across[0]);
        cross(normal, t[0], across[1]);
        const double u = dot(d, across[0]) / dot(t[0], across[0]),
                     v = dot(d, across[1]) / dot(t[1], across[1]);
        move(at, u, v);
        if (!(fabs(u) + fabs(v) >= SHORT)) {
            contact_place(face, at, y, t);
            *gap = 0.0;
            for (int c = 0; c < 3; c++) {
                *gap += (y[c] - x[c]) * normal[c];
            }
            return isfinite(*gap);
        }
    }
    return false;
}
