/* Prescribed directions of one vertex. In: the constraints that it is under, each along its own
 * axes. Out: an orthonormal basis of what they prescribe together (Gram-Schmidt, in the order of
 * the constraints), and the displacement along it; as bits of x, y, z where it spans no more. */
#include "analysis/check/directions.h"

#include <math.h>
#include <string.h>

/* A direction with no more than this outside what is prescribed already adds nothing. */
#define SAME 1e-6
/* An axis, but for rounding. */
#define ALIGNED 1e-14

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static ew_status fail_conflict(const ew_mesh *mesh, int32_t place, int32_t v, const double unit[3],
                               double value, double other)
{
    const double *x = mesh->xyz + 3 * (size_t)v;
    return ew_fail_about(EW_BAD_INPUT, place, mesh->vertex_id[v],
                         "vertex %lld at (%g, %g, %g) is prescribed displacement %.9g along "
                         "(%.4g, %.4g, %.4g) and also %.9g; take it out of one of the sets",
                         (long long)mesh->vertex_id[v], x[0], x[1], x[2], value, unit[0], unit[1],
                         unit[2], other);
}

static ew_status add(ew_directions *to, const ew_mesh *mesh, int32_t place, int32_t v,
                     const double unit[3], double value)
{
    double rest[3] = {unit[0], unit[1], unit[2]}, left = value, scale = fabs(value);
    for (int32_t k = 0; k < 2 * to->n; k++) {
        const int32_t i = k % to->n;
        const double part = dot(to->unit[i], rest);
        for (int c = 0; c < 3; c++) {
            rest[c] -= part * to->unit[i][c];
        }
        left -= part * to->value[i];
        scale = fmax(scale, fabs(to->value[i]));
    }
    const double size = sqrt(dot(rest, rest));
    if (to->n == 3 || size <= SAME) {
        return fabs(left) <= SAME * scale
                   ? EW_OK
                   : fail_conflict(mesh, place, v, unit, value - left, value);
    }
    for (int c = 0; c < 3; c++) {
        to->unit[to->n][c] = rest[c] / size;
    }
    to->value[to->n++] = left / size;
    return EW_OK;
}

ew_status ew_directions_add(ew_directions *to, const ew_mesh *mesh, const ew_constraint *line,
                            int32_t place, int32_t v, const double x[3])
{
    double frame[9];
    if (!ew_axes_at(&line->axes, x, frame) && line->fixed & 3) {
        return ew_fail_about(
            EW_BAD_INPUT, place, mesh->vertex_id[v],
            "constraint %d: vertex %lld at (%g, %g, %g) lies on the axis of its "
            "cylinder, where no direction is radial or tangential; take it out of the "
            "set",
            place + 1, (long long)mesh->vertex_id[v], x[0], x[1], x[2]);
    }
    for (int c = 0; c < 3; c++) {
        if (line->fixed >> c & 1) {
            const double base = line->base ? dot(line->base + 3 * (size_t)v, frame + 3 * c) : 0.0;
            EW_TRY(add(to, mesh, place, v, frame + 3 * c, base + line->value[c]));
        }
    }
    return EW_OK;
}

ew_status ew_directions_collect(ew_directions *directions, const ew_mesh *mesh, int32_t n,
                                const ew_constraint *list, int32_t v)
{
    *directions = (ew_directions){0};
    for (int stage = 0; stage < 2; stage++) {
        for (int32_t i = 0; i < n; i++) {
            if ((list[i].axes.kind != EW_AXES_GLOBAL) == stage && ew_set_has(list[i].vertex, v)) {
                EW_TRY(
                    ew_directions_add(directions, mesh, &list[i], i, v, mesh->xyz + 3 * (size_t)v));
            }
        }
    }
    return EW_OK;
}

/* The axis that a unit vector is along, or -1. */
static int axis_of(const double unit[3])
{
    for (int c = 0; c < 3; c++) {
        if (fabs(unit[(c + 1) % 3]) <= ALIGNED && fabs(unit[(c + 2) % 3]) <= ALIGNED) {
            return c;
        }
    }
    return -1;
}

/* Bits of the axes that they span; EW_OBLIQUE where that is not all. */
static uint8_t bits_of(const ew_directions *from)
{
    if (from->n == 0 || from->n == 3) {
        return from->n ? 7 : 0;
    }
    const double *a = from->unit[0], *b = from->unit[1];
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    const int axis = axis_of(from->n == 1 ? a : normal);
    return (uint8_t)(axis < 0 ? EW_OBLIQUE : from->n == 1 ? 1u << axis : 7u & ~(1u << axis));
}

void ew_directions_forget(ew_constraints *constraints, int32_t row)
{
    ew_oblique *oblique = &constraints->oblique;
    const int32_t k = constraints->place ? constraints->place[row] : -1;
    if (k < 0) {
        return;
    }
    const int32_t last = --oblique->n, other = oblique->row[last];
    constraints->place[other] = k;
    constraints->place[row] = -1;
    oblique->row[k] = other;
    if (k != last) {
        memcpy(oblique->normal + 6 * (size_t)k, oblique->normal + 6 * (size_t)last,
               6 * sizeof *oblique->normal);
    }
}

/* The row's place among the oblique ones, made when there is none. */
static ew_status open_place(ew_constraints *constraints, int32_t row, int32_t *place)
{
    ew_oblique *oblique = &constraints->oblique;
    if (!constraints->place) {
        const int32_t n_row = constraints->n_vertex + constraints->n_edge;
        EW_TRY(ew_grow(&constraints->place, &constraints->place_capacity, n_row,
                       sizeof *constraints->place));
        for (int32_t i = 0; i < n_row; i++) {
            constraints->place[i] = -1;
        }
    }
    if (constraints->place[row] < 0) {
        const int64_t n = (int64_t)oblique->n + 1;
        EW_TRY(ew_grow(&oblique->row, &oblique->row_capacity, n, sizeof *oblique->row));
        EW_TRY(
            ew_grow(&oblique->normal, &oblique->normal_capacity, n, 6 * sizeof *oblique->normal));
        oblique->row[oblique->n] = row;
        constraints->place[row] = oblique->n++;
    }
    *place = constraints->place[row];
    return EW_OK;
}

void ew_directions_sum(const ew_directions *directions, double value[3])
{
    for (int c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int32_t i = 0; i < directions->n; i++) {
            sum += directions->value[i] * directions->unit[i][c];
        }
        value[c] = sum;
    }
}

ew_status ew_directions_apply(const ew_directions *directions, ew_constraints *constraints,
                              int32_t row)
{
    const uint8_t bits = bits_of(directions);
    double *value = constraints->value + 3 * (size_t)row;
    int32_t k;
    if (bits == EW_OBLIQUE) {
        EW_TRY(open_place(constraints, row, &k));
        double *normal = constraints->oblique.normal + 6 * (size_t)k;
        memset(normal, 0, 6 * sizeof *normal);
        memcpy(normal, directions->unit, 3 * sizeof *normal * (size_t)directions->n);
    } else {
        ew_directions_forget(constraints, row);
    }
    constraints->fixed[row] = bits;
    ew_directions_sum(directions, value);
    for (int c = 0; c < 3; c++) {
        value[c] = bits == EW_OBLIQUE || bits >> c & 1 ? value[c] : 0.0;
    }
    return EW_OK;
}
