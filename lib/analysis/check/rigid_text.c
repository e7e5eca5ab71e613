/* The rigid-body mode left to a body, in numbers and in words. In: a body of rank below 6. Out: one
 * motion that its constraints do not resist: a translation where there is one, near a coordinate
 * axis; else a rotation about an axis or a point; else a screw. */
#include "analysis/check/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* The free translations: orthogonal to the translations in the rows. Returns how many. */
static int free_translations(const ew_rigid *body, double shift[9])
{
    double basis[9], part[3];
    int32_t rank = 0;
    for (int k = 0; k < body->n_row; k++) {
        memcpy(part, body->row + 6 * k, sizeof part);
        ew_span_add(3, basis, &rank, part, EW_SPAN_ZERO);
    }
    ew_span_complete(3, basis, rank);
    memcpy(shift, basis + 3 * rank, (size_t)(9 - 3 * rank) * sizeof *shift);
    return 3 - rank;
}

/* The free translation nearest to a coordinate axis. */
static void choose_translation(int n, const double *shift, double *t)
{
    double best = 0.0;
    for (int c = 0; c < 3; c++) {
        double projected[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < 3; i++) {
                projected[i] += shift[3 * k + c] * shift[3 * k + i];
            }
        }
        if (dot(projected, projected) > best * (1.0 + 1e-9)) {
            best = dot(projected, projected);
            memcpy(t, projected, sizeof projected);
        }
    }
    tidy_direction(t);
}

/* How far the motions z_k = (t_k, w_k) move the point s, squared: sum |t_k + w_k x s|^2. */
static double squared_motion(int n, const double *z, const double *s)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++, z += 6) {
        double move[3];
        cross(z + 3, s, move);
        for (int i = 0; i < 3; i++) {
            move[i] += z[i];
        }
        sum += dot(move, move);
    }
    return sum;
}

/* The point (from the center, in radii) that three independent rotations move least:
 * sum (|w|^2 I - w w^T) s = sum w x t, by Cramer's rule. */
static void pivot_point(const double *z, double *s)
{
    double matrix[9] = {0.0}, rhs[3] = {0.0}, turn[3], minor[3];
    for (int k = 0; k < 3; k++, z += 6) {
        const double *w = z + 3;
        cross(w, z, turn);
        for (int i = 0; i < 9; i++) {
            matrix[i] += (i % 4 == 0 ? dot(w, w) : 0.0) - w[i / 3] * w[i % 3];
        }
        for (int i = 0; i < 3; i++) {
            rhs[i] += turn[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        cross(matrix + 3 * ((i + 1) % 3), matrix + 3 * ((i + 2) % 3), minor);
        s[i] = dot(minor, rhs) / dot(minor, matrix + 3 * i);
    }
}

/* No translation is free: names the axis, or the one point that stays. */
static int describe_rotation(const ew_rigid *body, int n, const double *mode,
                             ew_free_component *free)
{
    const double still = 1e-8; /* of a unit motion, squared: moves less than 1e-4 of the size */
    double s[3] = {0.0}, axis[3];
    int chosen = 0;
    if (n == 3) {
        pivot_point(mode, s);
    }
    bool ball = n == 3 && squared_motion(n, mode, s) < still;
    for (int k = 1; k < n; k++) {
        bool turns_more = dot(mode + 6 * k + 3, mode + 6 * k + 3) >
                          dot(mode + 6 * chosen + 3, mode + 6 * chosen + 3) * (1.0 + 1e-9);
        chosen = turns_more ? k : chosen;
    }
    memcpy(free->motion, mode + 6 * chosen, sizeof free->motion);
    const double *w = free->motion + 3;
    if (!ball) {
        cross(w, free->motion, s); /* the point of the axis nearest to the center */
    }
    for (int i = 0; i < 3; i++) {
        s[i] /= ball ? 1.0 : dot(w, w);
    }
    bool screw = !ball && squared_motion(1, free->motion, s) >= still;
    for (int i = 0; i < 3; i++) {
        s[i] = body->center[i] + body->radius * s[i];
        s[i] = fabs(s[i]) < 1e-9 * body->radius ? 0.0 : s[i];
    }
    if (ball) {
        return snprintf(free->text, sizeof free->text,
                        "turns about any axis through (%.4g, %.4g, %.4g)", s[0], s[1], s[2]);
    }
    memcpy(axis, w, sizeof axis);
    tidy_direction(axis);
    return snprintf(free->text, sizeof free->text,
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

void ew_rigid_describe(const ew_rigid *body, ew_free_component *free)
{
    double basis[36], shift[9];
    int length, n = 6 - body->n_row, n_shift = free_translations(body, shift);
    memcpy(basis, body->row, sizeof basis);
    ew_span_complete(6, basis, body->n_row);
    free->n_free = n;
    memcpy(free->center, body->center, sizeof free->center);
    memset(free->motion, 0, sizeof free->motion);
    if (n_shift) {
        choose_translation(n_shift, shift, free->motion);
        const double *t = free->motion;
        length = n == 6 ? snprintf(free->text, sizeof free->text, "is not constrained at all")
                        : snprintf(free->text, sizeof free->text, "moves along (%.3g, %.3g, %.3g)",
                                   t[0], t[1], t[2]);
    } else {
        length = describe_rotation(body, n, basis + 6 * body->n_row, free);
    }
    scale_motion(body, free->motion);
    if (n > 1 && n < 6 && length > 0 && (size_t)length < sizeof free->text) {
        snprintf(free->text + length, sizeof free->text - (size_t)length,
                 ", one of %d motions left free", n);
    }
}
