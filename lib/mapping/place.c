/* Where a point lies in relation to tets. In: a point, tets. Out: weights, the distance, and which
 * of several tets the point is bound to. The nearest point of a triangle: Ericson, Real-Time
 * Collision Detection, 2005, section 5.1.5. */
#include "mapping/place.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[c] - b[c];
    }
}

/* a . (b x c) */
static double triple(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Squared length of p - (a + s (b - a)), s within [0, 1]. */
static double to_segment(const double p[3], const double a[3], const double b[3])
{
    double ab[3], ap[3], square = 0.0;
    subtract(b, a, ab);
    subtract(p, a, ap);
    const double s = fmin(fmax(dot(ap, ab) / dot(ab, ab), 0.0), 1.0);
    for (int c = 0; c < 3; c++) {
        const double d = ap[c] - s * ab[c];
        square += d * d;
    }
    return square;
}

/* Squared distance of p from a triangle: from its plane where the foot lies in it, else from the
 * nearest edge. */
static double to_triangle(const double p[3], const double a[3], const double b[3],
                          const double c[3])
{
    double ab[3], ac[3], ap[3], normal[3];
    subtract(b, a, ab);
    subtract(c, a, ac);
    subtract(p, a, ap);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = ab[j] * ac[k] - ab[k] * ac[j];
    }
    const double square = dot(normal, normal);
    const double t = triple(ap, ac, normal), s = triple(ab, ap, normal); /* times square */
    if (t >= 0.0 && s >= 0.0 && s + t <= square) {
        const double height = dot(ap, normal);
        return height * height / square;
    }
    return fmin(to_segment(p, a, b), fmin(to_segment(p, b, c), to_segment(p, c, a)));
}

static double smallest(const double w[4])
{
    return fmin(fmin(w[0], w[1]), fmin(w[2], w[3]));
}

/* Weights of x in a tet with these corners. */
static void find_weights(const double corner[12], const double x[3], double w[4])
{
    double e[3][3], d[3];
    for (int i = 0; i < 3; i++) {
        subtract(corner + 3 * (i + 1), corner, e[i]);
    }
    subtract(x, corner, d);
    const double volume = triple(e[0], e[1], e[2]);
    w[1] = triple(d, e[1], e[2]) / volume;
    w[2] = triple(e[0], d, e[2]) / volume;
    w[3] = triple(e[0], e[1], d) / volume;
    w[0] = 1.0 - w[1] - w[2] - w[3];
}

void ew_place_in(const ew_mesh *mesh, int32_t tet, const double x[3], ew_place *place)
{
    double corner[12], square = INFINITY;
    ew_mesh_tet_values(mesh, tet, mesh->xyz, corner);
    find_weights(corner, x, place->weight);
    place->tet = tet;
    place->distance = 0.0;
    if (smallest(place->weight) >= -EW_INSIDE) {
        return;
    }
    for (int f = 0; f < 4; f++) { /* the nearest point is on a face that sees x */
        if (place->weight[f] < 0.0) {
            const int8_t *v = ew_face_vertex[f];
            square =
                fmin(square, to_triangle(x, corner + 3 * (size_t)v[0], corner + 3 * (size_t)v[1],
                                         corner + 3 * (size_t)v[2]));
        }
    }
    place->distance = sqrt(square);
}

bool ew_place_inside(const ew_mesh *mesh, const int32_t *tet, int32_t n, const double x[3],
                     ew_place *place)
{
    place->tet = -1;
    place->distance = 0.0;
    for (int32_t i = 0; i < n; i++) {
        double corner[12], w[4];
        ew_mesh_tet_values(mesh, tet[i], mesh->xyz, corner);
        find_weights(corner, x, w);
        if (smallest(w) >= -EW_INSIDE &&
            (place->tet < 0 || mesh->tet_id[tet[i]] < mesh->tet_id[place->tet])) {
            place->tet = tet[i];
            memcpy(place->weight, w, sizeof w);
        }
    }
    return place->tet >= 0;
}

/* Of two that are equally near. */
static bool is_better(const ew_mesh *mesh, const ew_place *a, const ew_place *b)
{
    const double wa = smallest(a->weight), wb = smallest(b->weight);
    return wa != wb ? wa > wb : mesh->tet_id[a->tet] < mesh->tet_id[b->tet];
}

void ew_place_choose(const ew_mesh *mesh, const int32_t *tet, int32_t n, const double x[3],
                     ew_place *place)
{
    double nearest = INFINITY;
    ew_place at;
    if (ew_place_inside(mesh, tet, n, x, place)) {
        return;
    }
    place->distance = INFINITY;
    for (int32_t i = 0; i < n; i++) {
        ew_place_in(mesh, tet[i], x, &at);
        nearest = fmin(nearest, at.distance);
    }
    for (int32_t i = 0; i < n; i++) {
        ew_place_in(mesh, tet[i], x, &at);
        if (at.distance <= nearest * (1.0 + 1e-9) &&
            (place->tet < 0 || is_better(mesh, &at, place))) {
            *place = at;
        }
    }
}
