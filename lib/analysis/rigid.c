/* One rigid body. In: points of it that are held, and in which directions. Out: whether
 * that takes all six rigid motions away; if not, one that is left, in numbers and in
 * words. Eigenvectors by cyclic Jacobi rotations (Golub & Van Loan 2013, section 8.5):
 * on 6 x 6 it is short, and small eigenvalues of a positive matrix come out accurate. */
#include "rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void rotate(double *a, double *b, double c, double s)
{
    double old = *a;
    *a = c * old - s * *b;
    *b = s * old + c * *b;
}

static void rotate_pair(int n, int p, int q, double *matrix, double *vector)
{
    double slope = (matrix[n * q + q] - matrix[n * p + p]) / (2.0 * matrix[n * p + q]);
    double t = (slope < 0.0 ? -1.0 : 1.0) / (fabs(slope) + sqrt(slope * slope + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; k++) {
        rotate(&matrix[n * k + p], &matrix[n * k + q], c, s);
    }
    for (int k = 0; k < n; k++) {
        rotate(&matrix[n * p + k], &matrix[n * q + k], c, s);
        rotate(&vector[n * p + k], &vector[n * q + k], c, s);
    }
}

void ew_rigid_eigen(int n, double *matrix, double *value, double *vector)
{
    enum { MOST_SWEEPS = 30 }; /* converges quadratically, in 6 to 8 */
    for (int i = 0; i < n * n; i++) {
        vector[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double off = 0.0, scale = 0.0;
        for (int i = 0; i < n * n; i++) {
            double square = matrix[i] * matrix[i];
            off += i % (n + 1) == 0 ? 0.0 : square;
            scale += square;
        }
        if (off <= 1e-34 * scale) {
            break;
        }
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                if (matrix[n * p + q] != 0.0) {
                    rotate_pair(n, p, q, matrix, vector);
                }
            }
        }
    }
    for (int i = 0; i < n; i++) {
        value[i] = matrix[(n + 1) * i];
    }
}

void ew_rigid_row(const ew_rigid *body, const double x[3], int c, double row[6])
{
    int d = (c + 1) % 3, e = (c + 2) % 3;
    memset(row, 0, 6 * sizeof *row);
    row[c] = 1.0;
    row[3 + d] = (x[e] - body->centre[e]) / body->radius;
    row[3 + e] = -(x[d] - body->centre[d]) / body->radius;
}

void ew_rigid_hold(ew_rigid *body, const double x[3], unsigned directions)
{
    for (int c = 0; c < 3; c++) {
        if (!(directions >> c & 1)) {
            continue;
        }
        double row[6];
        ew_rigid_row(body, x, c, row);
        for (int i = 0; i < 36; i++) {
            body->gram[i] += row[i / 6] * row[i % 6];
        }
        body->n_row++;
    }
}

/* Null vectors of the leading n x n part (3: translations alone), packed; returns how
 * many. */
static int free_motions(const ew_rigid *body, int n, double *motion)
{
    double matrix[36], value[6], vector[36];
    int found = 0;
    for (int i = 0; i < n * n; i++) {
        matrix[i] = body->gram[6 * (i / n) + i % n];
    }
    ew_rigid_eigen(n, matrix, value, vector);
    for (int i = 0; i < n; i++) {
        if (value[i] <= EW_RIGID_ZERO * body->n_row) {
            memcpy(motion + n * found++, vector + n * i, (size_t)n * sizeof *vector);
        }
    }
    return found;
}

/* A bound from below for the least eigenvalue: it is the determinant over the product of
 * the other five, which is at most (trace / 5)^5. The determinant is the product of the
 * pivots of a Cholesky factorisation, a hundredth of the work of the eigenvalues; 0 where
 * a pivot is lost to rounding. */
static double least_eigenvalue_bound(const double gram[36])
{
    double matrix[36], trace = 0.0, bound = 1.0;
    memcpy(matrix, gram, sizeof matrix);
    for (int k = 0; k < 6; k++) {
        trace += gram[7 * k];
    }
    for (int k = 0; k < 6; k++) {
        double pivot = matrix[7 * k];
        if (pivot <= 1e-8 * trace) {
            return 0.0;
        }
        bound *= k < 5 ? pivot / (trace / 5.0) : pivot;
        for (int i = k + 1; i < 6; i++) {
            for (int j = k + 1; j <= i; j++) {
                matrix[6 * i + j] -= matrix[6 * i + k] * matrix[6 * j + k] / pivot;
            }
        }
    }
    return bound;
}

/* Six rows are the least that can hold a body; a joined one has its n_row set so. */
bool ew_rigid_is_held(const ew_rigid *body)
{
    double motion[36];
    return body->n_row >= 6 &&
           (least_eigenvalue_bound(body->gram) > 1e3 * EW_RIGID_ZERO * body->n_row ||
            free_motions(body, 6, motion) == 0);
}

/* ---- words ------------------------------------------------------------------- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++) {
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

/* Unit length, largest component positive, no dust. */
static void tidy_direction(double *x)
{
    double size = sqrt(dot(x, x)), largest = 0.0;
    for (int i = 0; i < 3; i++) {
        largest = fabs(x[i]) > fabs(largest) * (1.0 + 1e-9) ? x[i] : largest;
    }
    for (int i = 0; i < 3; i++) {
        x[i] = fabs(x[i]) < 1e-9 * size ? 0.0 : x[i] / (largest < 0.0 ? -size : size);
    }
}

/* The free translation nearest to a coordinate axis. */
static void choose_translation(int n, const double *free, double *t)
{
    double best = 0.0;
    for (int c = 0; c < 3; c++) {
        double projected[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < 3; i++) {
                projected[i] += free[3 * k + c] * free[3 * k + i];
            }
        }
        if (dot(projected, projected) > best * (1.0 + 1e-9)) {
            best = dot(projected, projected);
            memcpy(t, projected, sizeof projected);
        }
    }
    tidy_direction(t);
}

/* The point s (from the centre, in radii) that the motions z_k = (t_k, w_k) move least:
 * minimise sum |t_k + w_k x s|^2, so [sum |w|^2 I - w w^T] s = sum w x t; of all such
 * points the nearest to the centre. Returns the sum. */
static double still_point(int n, const double *z, double *s)
{
    double matrix[9] = {0.0}, right[3] = {0.0}, value[3], vector[9], moved = 0.0;
    for (int k = 0; k < n; k++) {
        const double *t = z + 6 * k, *w = t + 3;
        double turn[3];
        cross(w, t, turn);
        for (int i = 0; i < 9; i++) {
            matrix[i] += (i % 4 == 0 ? dot(w, w) : 0.0) - w[i / 3] * w[i % 3];
        }
        for (int i = 0; i < 3; i++) {
            right[i] += turn[i];
        }
    }
    double trace = matrix[0] + matrix[4] + matrix[8];
    ew_rigid_eigen(3, matrix, value, vector);
    memset(s, 0, 3 * sizeof *s);
    for (int k = 0; k < 3; k++) {
        double part = value[k] > EW_RIGID_ZERO * trace ? dot(vector + 3 * k, right) / value[k] : 0;
        for (int i = 0; i < 3; i++) {
            s[i] += part * vector[3 * k + i];
        }
    }
    for (int k = 0; k < n; k++) {
        double move[3];
        cross(z + 6 * k + 3, s, move);
        for (int i = 0; i < 3; i++) {
            move[i] += z[6 * k + i];
        }
        moved += dot(move, move);
    }
    return moved;
}

/* No translation is free: names the axis, or the one point that stays. */
static int describe_rotation(const ew_rigid *body, int n, const double *free, ew_loose_piece *loose)
{
    const double still = 1e-8; /* of a unit motion, squared: moves less than 1e-4 of the size */
    double s[3], axis[3];
    bool ball = n == 3 && still_point(n, free, s) < still;
    int chosen = 0;
    for (int k = 1; k < n; k++) {
        bool turns_more = dot(free + 6 * k + 3, free + 6 * k + 3) >
                          dot(free + 6 * chosen + 3, free + 6 * chosen + 3) * (1.0 + 1e-9);
        chosen = turns_more ? k : chosen;
    }
    memcpy(loose->motion, free + 6 * chosen, sizeof loose->motion);
    bool screw = !ball && still_point(1, loose->motion, s) >= still;
    for (int i = 0; i < 3; i++) {
        s[i] = body->centre[i] + body->radius * s[i];
        s[i] = fabs(s[i]) < 1e-9 * body->radius ? 0.0 : s[i];
    }
    if (ball) {
        return snprintf(loose->text, sizeof loose->text,
                        "turns about any axis through (%.4g, %.4g, %.4g)", s[0], s[1], s[2]);
    }
    memcpy(axis, loose->motion + 3, sizeof axis);
    tidy_direction(axis);
    return snprintf(loose->text, sizeof loose->text,
                    "%s about the axis through (%.4g, %.4g, %.4g) along (%.3g, %.3g, %.3g)",
                    screw ? "screws" : "rotates", s[0], s[1], s[2], axis[0], axis[1], axis[2]);
}

/* The motion as the header of the module gives it: rotation in radians per length, the
 * larger of translation and rotation times size 1. */
static void scale_motion(const ew_rigid *body, double *motion)
{
    double largest = 0.0;
    for (int i = 0; i < 6; i++) {
        largest = fabs(motion[i]) > fabs(largest) * (1.0 + 1e-9) ? motion[i] : largest;
    }
    for (int i = 0; i < 6; i++) {
        motion[i] = motion[i] / largest / (i < 3 ? 1.0 : body->radius);
    }
}

void ew_rigid_describe(const ew_rigid *body, ew_loose_piece *loose)
{
    double free[36], shift[9];
    int length, n = free_motions(body, 6, free), n_shift = free_motions(body, 3, shift);
    loose->n_free = n;
    memcpy(loose->center, body->centre, sizeof loose->center);
    memset(loose->motion, 0, sizeof loose->motion);
    if (n_shift) {
        choose_translation(n_shift, shift, loose->motion);
        const double *t = loose->motion;
        length = n == 6 ? snprintf(loose->text, sizeof loose->text, "is not held at all")
                        : snprintf(loose->text, sizeof loose->text,
                                   "moves along (%.3g, %.3g, %.3g)", t[0], t[1], t[2]);
    } else {
        length = describe_rotation(body, n, free, loose);
    }
    scale_motion(body, loose->motion);
    if (n > 1 && n < 6 && length > 0 && (size_t)length < sizeof loose->text) {
        snprintf(loose->text + length, sizeof loose->text - (size_t)length,
                 ", one of %d motions left free", n);
    }
}
