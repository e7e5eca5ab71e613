/* Surfaces to cut along. In: a definition. Out: signed distances and their gradients. */
#include "operation/cut/cut.h"

#include <math.h>
#include <string.h>

static double plane(const ew_cut_shape *shape, const double x[3], double *gradient)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += (x[i] - shape->a[i]) * shape->axis[i];
    }
    if (gradient) {
        memcpy(gradient, shape->axis, sizeof shape->axis);
    }
    return sum;
}

static double sphere(const ew_cut_shape *shape, const double x[3], double *gradient)
{
    double d[3], length = 0.0;
    for (int i = 0; i < 3; i++) {
        d[i] = x[i] - shape->a[i];
        length += d[i] * d[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3 && gradient; i++) {
        gradient[i] = length > 0.0 ? d[i] / length : 0.0;
    }
    return length - shape->radius;
}

/* A cone widens by `slope` along its axis; a cylinder does not. Both have no ends. */
static double cone(const ew_cut_shape *shape, const double x[3], double *gradient)
{
    double d[3], along = 0.0, length = 0.0;
    const double root = sqrt(1.0 + shape->slope * shape->slope);
    for (int i = 0; i < 3; i++) {
        d[i] = x[i] - shape->a[i];
        along += d[i] * shape->axis[i];
    }
    for (int i = 0; i < 3; i++) {
        d[i] -= along * shape->axis[i];
        length += d[i] * d[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3 && gradient; i++) {
        const double radial = length > 0.0 ? d[i] / length : 0.0;
        gradient[i] = (radial - shape->slope * shape->axis[i]) / root;
    }
    return (length - shape->radius - shape->slope * along) / root;
}

static ew_status set_axis(const double direction[3], const char *what, double axis[3],
                          double *length)
{
    *length = hypot(hypot(direction[0], direction[1]), direction[2]);
    for (int i = 0; i < 3; i++) {
        axis[i] = direction[i] / *length;
    }
    return *length > 0.0 && isfinite(*length)
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "cut: %s has length %g; it must be a finite number > 0",
                         what, *length);
}

static ew_status need_radius(const char *what, double radius, bool zero_allowed)
{
    return isfinite(radius) && (radius > 0.0 || (zero_allowed && radius == 0.0))
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "cut: %s is %g; it must be a finite number > 0", what,
                         radius);
}

static ew_status set_cone(const ew_cut_def *def, ew_cut_shape *shape)
{
    double length;
    const bool is_cone = def->kind == EW_CUT_CONE;
    const double way[3] = {def->b[0] - def->a[0], def->b[1] - def->a[1], def->b[2] - def->a[2]};
    EW_TRY(set_axis(way, "the axis", shape->axis, &length));
    EW_TRY(need_radius("radius", def->radius, is_cone));
    shape->distance = cone;
    if (is_cone) {
        EW_TRY(need_radius("radius_to", def->radius_to, def->radius > 0.0));
        shape->slope = (def->radius_to - def->radius) / length;
    }
    return EW_OK;
}

ew_status ew_cut_shape_of(const ew_cut_def *def, ew_cut_shape *shape)
{
    double length;
    *shape = (ew_cut_shape){.radius = def->radius, .is_flat = def->kind == EW_CUT_PLANE};
    memcpy(shape->a, def->a, sizeof shape->a);
    EW_TRY(ew_need_finite("cut", def->kind == EW_CUT_SPHERE ? "center" : "point", def->a));
    switch (def->kind) {
    case EW_CUT_SURFACE:
        return def->surface && def->angle > 0.0 && def->angle <= 180.0
                   ? EW_OK
                   : ew_fail(EW_BAD_ARGUMENT, "cut: %s",
                             def->surface ? "the angle must be above 0 and at most 180 degrees"
                                          : "there is no surface to cut along");
    case EW_CUT_PLANE:
        EW_TRY(ew_need_finite("cut", "normal", def->b));
        EW_TRY(set_axis(def->b, "normal", shape->axis, &length));
        shape->distance = plane;
        return EW_OK;
    case EW_CUT_SPHERE:
        shape->distance = sphere;
        return need_radius("radius", def->radius, false);
    case EW_CUT_CYLINDER:
    case EW_CUT_CONE:
        EW_TRY(ew_need_finite("cut", "point", def->b));
        return set_cone(def, shape);
    }
    return ew_fail(EW_BAD_ARGUMENT, "cut: kind %d does not exist", (int)def->kind);
}
