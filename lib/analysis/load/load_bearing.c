/* Bearing load: a force F on the faces of a cylinder, a pin in its hole or a shaft in its bush, by
 * pressure on the side that is pressed alone. With the outward unit normals n of the faces, taken
 * square to the axis, p = max(0, -q . n): it falls off as the cosine of the angle from the line of
 * q. On a mesh as regular as the force q lies along F; in general q is the one for which the
 * resultant, sum over faces of -p A n, is F exactly.
 *
 * That sum is the gradient of the convex function phi(q) = 1/2 sum A max(0, -q . n)^2, so q is the
 * minimum of phi(q) - F . q, found by Newton's method with halved steps; phi is quadratic as long
 * as the same faces are pressed, and the last step exact. There is none where F does not lie
 * between the directions in which the faces can be pressed. What F has along the axis by an
 * uneven mesh, a hundredth at most, goes over all faces evenly. */
#include "analysis/load/load_type.h"

#include <math.h>
#include <string.h>

/* A cylinder's normals are square to its axis: the root of the mean square of their parts along it
 * may not be larger (3 degrees). The same for how far one direction is all that they have. */
#define MAX_LEAN   0.05
#define MIN_SPREAD 1e-3
/* Share of the force that may lie along the axis. */
#define MAX_ALONG 0.01

static ew_status refuse(const ew_load_context *in, int32_t place, const char *why)
{
    return ew_fail(EW_BAD_INPUT, "load %d (%s): %s", place + 1, in->name, why);
}

/* ---- axis ----------------------------------------------------------------------- */

typedef struct normal_sum {
    const ew_load *load;
    double area, second[6]; /* sum of A n n^T: xx yy zz xy yz xz */
} normal_sum;

/* An area vector becomes the unit normal; returns the area. */
static double make_unit(double n[3])
{
    const double area = sqrt(ew_load_dot(n, n));
    for (int c = 0; c < 3; c++) {
        n[c] /= area;
    }
    return area;
}

static bool add_normal(void *user, const ew_mesh *mesh, int32_t face)
{
    normal_sum *sum = user;
    double x[EW_FACE_POINTS][3], n[EW_FACE_POINTS][3];
    const int n_part = ew_load_face_parts(sum->load, mesh, face, x, n);
    for (int p = 0; p < n_part; p++) {
        const double area = make_unit(n[p]);
        sum->area += area;
        for (int c = 0; c < 3; c++) {
            sum->second[c] += area * n[p][c] * n[p][c];
            sum->second[3 + c] += area * n[p][c] * n[p][(c + 1) % 3];
        }
    }
    return true;
}

/* The eigenvector of a symmetric matrix that belongs to a simple eigenvalue: its rows less the
 * eigenvalue span what is orthogonal, so the longest of their products. */
static bool find_eigenvector(const double a[6], double value, double out[3])
{
    const double row[3][3] = {
        {a[0] - value, a[3], a[5]}, {a[3], a[1] - value, a[4]}, {a[5], a[4], a[2] - value}};
    double longest = 0.0;
    for (int i = 0; i < 3; i++) {
        double product[3];
        ew_load_cross(row[i], row[(i + 1) % 3], product);
        const double length = sqrt(ew_load_dot(product, product));
        if (length > longest) {
            longest = length;
            for (int c = 0; c < 3; c++) {
                out[c] = product[c] / length;
            }
        }
    }
    return longest > 0.0;
}

static ew_status find_axis(const ew_load_context *in, const ew_load *load, int32_t place,
                           double axis[3])
{
    normal_sum sum = {.load = load};
    double value[3], lean;
    ew_load_visit_faces(in, load, add_normal, &sum);
    const double *s = sum.second, given = sqrt(ew_load_dot(load->axis, load->axis));
    ew_principal(s, value);
    if (value[1] < MIN_SPREAD * MIN_SPREAD * sum.area) {
        return refuse(in, place,
                      "its faces all look one way, no cylinder does; use a total force, or a "
                      "pressure");
    }
    if (given > 0.0) {
        for (int c = 0; c < 3; c++) {
            axis[c] = load->axis[c] / given;
        }
    } else if (!find_eigenvector(s, value[2], axis)) {
        return refuse(in, place, "its faces have no axis; give one (axis: z)");
    }
    lean = s[0] * axis[0] * axis[0] + s[1] * axis[1] * axis[1] + s[2] * axis[2] * axis[2] +
           2.0 * (s[3] * axis[0] * axis[1] + s[4] * axis[1] * axis[2] + s[5] * axis[2] * axis[0]);
    if (lean > MAX_LEAN * MAX_LEAN * sum.area) {
        return ew_fail(EW_BAD_INPUT,
                       "load %d (%s): its faces are no cylinder about %s (%.4g, %.4g, %.4g), their "
                       "normals are not square to it; take ends and fillets out of the set%s",
                       place + 1, in->name, given > 0.0 ? "the axis" : "any axis, the nearest is",
                       axis[0], axis[1], axis[2], given > 0.0 ? "" : ", or give the axis");
    }
    return EW_OK;
}

/* ---- pressure --------------------------------------------------------------------- */

typedef struct balance {
    const ew_load *load;
    const double *axis, *q;
    double phi, force[3], slope[6]; /* phi(q), its gradient and its second derivative */
} balance;

/* An area vector becomes the normal square to the axis; what is left of it has no unit length on a
 * face that leans. */
static double make_square(const double axis[3], double n[3])
{
    const double area = make_unit(n), along = ew_load_dot(n, axis);
    for (int c = 0; c < 3; c++) {
        n[c] -= along * axis[c];
    }
    return area;
}

static bool add_pressed(void *user, const ew_mesh *mesh, int32_t face)
{
    balance *sum = user;
    double x[EW_FACE_POINTS][3], part[EW_FACE_POINTS][3];
    const int n_part = ew_load_face_parts(sum->load, mesh, face, x, part);
    for (int k = 0; k < n_part; k++) {
        double *n = part[k];
        const double area = make_square(sum->axis, n), p = -ew_load_dot(sum->q, n);
        if (p > 0.0) {
            sum->phi += 0.5 * area * p * p;
            for (int c = 0; c < 3; c++) {
                sum->force[c] -= area * p * n[c];
                sum->slope[c] += area * n[c] * n[c];
                sum->slope[3 + c] += area * n[c] * n[(c + 1) % 3];
            }
        }
    }
    return true;
}

static balance take_balance(const ew_load_context *in, const ew_load *load, const double axis[3],
                            const double q[3])
{
    balance sum = {.load = load, .axis = axis, .q = q};
    ew_load_visit_faces(in, load, add_pressed, &sum);
    return sum;
}

/* Newton's step; the axis, along which nothing happens, makes the matrix a regular one. */
static bool find_step(const balance *at, const double rest[3], double step[3])
{
    const double *axis = at->axis, trace = at->slope[0] + at->slope[1] + at->slope[2];
    double a[6];
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        a[c] = at->slope[c] + trace * (axis[c] * axis[c] + 1e-9);
        a[3 + c] = at->slope[3 + c] + trace * axis[c] * axis[d];
    }
    return trace > 0.0 && ew_load_solve(a, rest, step);
}

/* One step of the search from q, halved until phi(q) - force . q falls; false when none does. */
static bool improve(const ew_load_context *in, const ew_load *load, const double force[3],
                    const balance *at, const double rest[3], double q[3])
{
    double step[3], to[3];
    if (!find_step(at, rest, step)) {
        return false;
    }
    const double before = at->phi - ew_load_dot(force, q), slope = -ew_load_dot(rest, step);
    double share = 1.0;
    for (int halving = 0; halving < 40; halving++, share *= 0.5) {
        for (int c = 0; c < 3; c++) {
            to[c] = q[c] + share * step[c];
        }
        const balance there = take_balance(in, load, at->axis, to);
        if (there.phi - ew_load_dot(force, to) <=
            before + 1e-4 * share * slope + 1e-14 * fabs(before)) {
            memcpy(q, to, sizeof to);
            return true;
        }
    }
    return false;
}

/* Down to round-off: |rest| <= 1e-12 |force|, then one more step for the last digits. */
static bool find_pressure(const ew_load_context *in, const ew_load *load, const double axis[3],
                          const double force[3], double q[3])
{
    const double size = sqrt(ew_load_dot(force, force));
    bool close = false;
    for (int i = 0; i < 60; i++) {
        const balance at = take_balance(in, load, axis, q);
        double rest[3];
        for (int c = 0; c < 3; c++) {
            rest[c] = force[c] - at.force[c];
        }
        const double error = sqrt(ew_load_dot(rest, rest));
        if (error == 0.0 || (close && error <= 1e-12 * size)) {
            return true;
        }
        close = error <= 1e-12 * size;
        if (!improve(in, load, force, &at, rest, q)) {
            return close;
        }
    }
    return false;
}

static ew_status check_bearing(const ew_load_context *in, const ew_load *load, int32_t place,
                               ew_load_share *share)
{
    double area, *axis = share->axis, force[3];
    const double size = sqrt(ew_load_dot(load->vector, load->vector));
    if (!(size > 0.0)) {
        return refuse(in, place, "its force is zero; give one or drop the load");
    }
    EW_TRY(ew_load_area(in, load, place, &area, share->center));
    EW_TRY(find_axis(in, load, place, axis));
    const double along = ew_load_dot(load->vector, axis);
    if (fabs(along) > MAX_ALONG * size) {
        return ew_fail(EW_BAD_INPUT,
                       "load %d (bearing): %.4g of its force of %.4g is along the axis (%.4g, "
                       "%.4g, %.4g), which pressure on a cylinder cannot carry; give that part as "
                       "a total force",
                       place + 1, fabs(along), size, axis[0], axis[1], axis[2]);
    }
    share->factor = along / area;
    for (int c = 0; c < 3; c++) {
        force[c] = load->vector[c] - along * axis[c];
        share->push[c] = 4.0 * force[c] / area; /* what it is on a whole cylinder */
    }
    return find_pressure(in, load, axis, force, share->push)
               ? EW_OK
               : refuse(in, place,
                        "no pressure on its faces has this resultant, some would have to pull; add "
                        "the side that the force presses to the set, or turn the force");
}

static void bearing_at_face(const ew_load_context *in, const ew_load *load,
                            const ew_load_share *share, const ew_face_part *part, double force[3])
{
    double n[3] = {part->area[0], part->area[1], part->area[2]};
    const double size = make_square(share->axis, n);
    const double p = fmax(0.0, -ew_load_dot(share->push, n));
    (void)in;
    (void)load;
    for (int c = 0; c < 3; c++) {
        force[c] = (share->factor * share->axis[c] - p * n[c]) * size;
    }
}

static void bearing_on_face(const ew_load_context *in, const ew_load *load,
                            const ew_load_share *share, int32_t face, int corner, double *f)
{
    ew_face_part part = {.face = face}; /* alike at all places */
    double force[3];
    ew_face_area_vector(in->mesh, face, part.area);
    bearing_at_face(in, load, share, &part, force);
    (void)corner;
    for (int c = 0; c < 3; c++) {
        f[c] += force[c] / 3.0;
    }
}

const ew_load_type ew_load_type_bearing = {
    .traits = {.name = "bearing",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .by_face = true,
               .is_whole = true},
    .check = check_bearing,
    .on_face = bearing_on_face,
    .at_face = bearing_at_face,
};
