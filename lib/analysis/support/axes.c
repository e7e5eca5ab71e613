/* Local axes. In: directions or the axis of a cylinder. Out: unit vectors along x', y', z' at a
 * place, and vectors turned from them to the global axes. */
#include "analysis/parts/analysis.h"

#include <math.h>
#include <string.h>

/* Two directions nearer to each other than this (sine of the angle) span no plane. */
#define COLLINEAR 1e-6
/* A place nearer to the axis of a cylinder than this share of its coordinates is on it: what is
 * left is rounding of the coordinates, and has no direction. */
#define ON_AXIS 1e-9

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

/* to = from / |from|; false where the length is not a positive finite number. */
static bool normalize(const double from[3], double to[3])
{
    const double length = hypot(hypot(from[0], from[1]), from[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        to[c] = from[c] / length;
    }
    return true;
}

/* v -= (v . unit) unit, twice, so that what is left is orthogonal to rounding. */
static void take_out(const double unit[3], double v[3])
{
    for (int again = 0; again < 2; again++) {
        const double part = dot(unit, v);
        for (int c = 0; c < 3; c++) {
            v[c] -= part * unit[c];
        }
    }
}

ew_status ew_axes_from_xy(const double x[3], const double y[3], ew_axes *axes)
{
    ew_axes made = {.kind = EW_AXES_FIXED};
    double side[3];
    if (!normalize(x, made.direction) || !normalize(y, side)) {
        return ew_fail(EW_BAD_ARGUMENT, "axes: x and y must be directions of a length > 0");
    }
    take_out(made.direction, side);
    if (dot(side, side) < COLLINEAR * COLLINEAR) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "axes: x (%g, %g, %g) and y (%g, %g, %g) lie in one line; give two "
                       "directions that span a plane",
                       x[0], x[1], x[2], y[0], y[1], y[2]);
    }
    normalize(side, made.direction + 3);
    cross(made.direction, made.direction + 3, made.direction + 6);
    *axes = made;
    return EW_OK;
}

ew_status ew_axes_from_normal(const double normal[3], ew_axes *axes)
{
    double other[3] = {0.0, 0.0, 0.0};
    int least = 0;
    for (int c = 1; c < 3; c++) {
        least = fabs(normal[c]) < fabs(normal[least]) ? c : least;
    }
    other[least] = 1.0;
    return ew_axes_from_xy(normal, other, axes);
}

ew_status ew_axes_of_cylinder(const double point[3], const double direction[3], ew_axes *axes)
{
    ew_axes made = {.kind = EW_AXES_CYLINDER};
    if (!normalize(direction, made.direction + 6) || !isfinite(point[0] + point[1] + point[2])) {
        return ew_fail(EW_BAD_ARGUMENT, "axes: a cylinder needs a point and a direction of a "
                                        "length > 0, all finite");
    }
    memcpy(made.point, point, sizeof made.point);
    *axes = made;
    return EW_OK;
}

bool ew_axes_at(const ew_axes *axes, const double x[3], double frame[9])
{
    memcpy(frame, axes->direction, sizeof axes->direction);
    if (axes->kind == EW_AXES_GLOBAL) {
        for (int i = 0; i < 9; i++) {
            frame[i] = i % 4 == 0;
        }
    }
    if (axes->kind != EW_AXES_CYLINDER) {
        return true;
    }
    double arm[3], size = 0.0;
    for (int c = 0; c < 3; c++) {
        arm[c] = x[c] - axes->point[c];
        size = fmax(size, fmax(fabs(x[c]), fabs(axes->point[c])));
    }
    take_out(frame + 6, arm);
    memset(frame, 0, 6 * sizeof *frame);
    if (!(sqrt(dot(arm, arm)) > ON_AXIS * size) || !normalize(arm, frame)) {
        return false;
    }
    cross(frame + 6, frame, frame + 3);
    return true;
}

void ew_axes_to_global(const double frame[9], const double local[3], double global[3])
{
    for (int c = 0; c < 3; c++) {
        global[c] = local[0] * frame[c] + local[1] * frame[3 + c] + local[2] * frame[6 + c];
    }
}
