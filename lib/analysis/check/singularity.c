/* Whether elastic stress has a limit at a vertex. In: mesh, tables, constraints, forces. Out: the
 * strongest singularity of the boundary edges at the vertex, or of a point force there, with the
 * order by which the stress grows as tets shrink.
 *
 * Around an edge whose two faces include the angle w of material, the stress goes with r^(x - 1),
 * r the distance from the edge, and x the smallest root with a real part in (0, 1) of (Williams
 * 1952, eq. 11 to 14; plane strain, k = 3 - 4 nu)
 *     free, free         sin^2(x w) = x^2 sin^2 w
 *     fixed, fixed       k^2 sin^2(x w) = x^2 sin^2 w
 *     fixed, free        k sin^2(x w) = (k + 1)^2 / 4 - x^2 sin^2 w
 * or of shear along the edge (antiplane), x = pi / w, of a fixed and a free face pi / (2 w). A face
 * on a plane of symmetry stands for the other half of the body, so that w is doubled. Stress at a
 * point force goes with r^-2 (Boussinesq 1885). */
#include "analysis/parts/analysis.h"

#include <complex.h>
#include <math.h>

static const double pi = 3.14159265358979323846;
/* A smooth surface is seen as facets: less of an inner edge than this angle is none. */
static const double feature = 30.0 * 3.14159265358979323846 / 180.0;
/* Force of a vertex over that of its neighbors, from which on it is a point force: a face load or a
 * fixed face shares its force among vertices that are next to each other. */
static const double concentrated = 10.0;
/* Roots this near to 1 are rigid motions and rounding. */
static const double largest_root = 0.995;

/* ---- order of an edge --------------------------------------------------------------------- */

static double complex residual_of(ew_edge_support support, double w, double k, double complex x)
{
    const double complex s = csin(x * w), r = x * sin(w);
    switch (support) {
    case EW_EDGE_FREE:
        return s * s - r * r;
    case EW_EDGE_FIXED:
        return k * k * s * s - r * r;
    default:
        return k * s * s + r * r - 0.25 * (k + 1.0) * (k + 1.0);
    }
}

/* Newton's method from x; a real part beyond (0, 1) where it finds no root. */
static double root_from(ew_edge_support support, double w, double k, double complex x)
{
    const double step = 1e-6;
    for (int i = 0; i < 60; i++) {
        const double complex f = residual_of(support, w, k, x);
        const double complex slope =
            (residual_of(support, w, k, x + step) - residual_of(support, w, k, x - step)) /
            (2.0 * step);
        const double complex next = x - f / slope;
        if (cabs(f) < 1e-13 || !(cabs(next - x) > 1e-14)) {
            break;
        }
        x = next;
    }
    return cabs(residual_of(support, w, k, x)) < 1e-9 ? creal(x) : -1.0;
}

double ew_singular_order(ew_edge_support support, double angle, double poisson)
{
    static const double imaginary[] = {0.0, 0.1, 0.3};
    const double k = 3.0 - 4.0 * poisson;
    double root = support == EW_EDGE_MIXED ? 0.5 * pi / angle : pi / angle;
    for (double real = 0.05; real < 1.0; real += 0.05) {
        for (int i = 0; i < 3; i++) {
            const double found = root_from(support, angle, k, real + I * imaginary[i]);
            root = found > 0.02 && found < root ? found : root;
        }
    }
    return root < largest_root ? 1.0 - root : 0.0;
}

/* ---- edges at a vertex -------------------------------------------------------------------- */

enum { MAX_FACES = 128 };
typedef struct side {
    int32_t other[2]; /* vertices beside the one in question */
    double normal[3]; /* outward, of length 1 */
    enum { FREE, ON_SYMMETRY, FIXED, UNKNOWN } support;
} side;

/* The tets around a vertex; how many. */
static int32_t tets_of(const ew_topology *topology, int32_t vertex, const int32_t **tet)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    *tet = rows->item + (rows->count[vertex] ? rows->begin[vertex] : 0);
    return rows->count[vertex];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* By the directions that all three vertices of a face are fixed along. */
static int support_of(const ew_constraints *constraints, const int32_t v[3], const double normal[3])
{
    const uint8_t fixed =
        constraints->fixed[v[0]] & constraints->fixed[v[1]] & constraints->fixed[v[2]];
    for (int c = 0; c < 3; c++) {
        if (fixed == 1 << c) {
            return fabs(normal[c]) > 1.0 - 1e-6 ? ON_SYMMETRY : UNKNOWN;
        }
    }
    return fixed == 0 ? FREE : fixed == 7 ? FIXED : UNKNOWN;
}

/* The boundary faces at a vertex; how many. */
static int list_sides(const ew_mesh *mesh, const ew_topology *topology,
                      const ew_constraints *constraints, int32_t vertex, side list[MAX_FACES])
{
    const int32_t *tet, n_tet = tets_of(topology, vertex, &tet);
    int n = 0;
    for (int32_t i = 0; i < n_tet; i++) {
        for (int32_t f = 0; f < 4 && n < MAX_FACES; f++) {
            const int32_t code = 4 * tet[i] + f;
            const int32_t *corner = mesh->tet + 4 * (size_t)tet[i];
            if (corner[f] == vertex || ew_topology_face_neighbor(topology, mesh, code) >= 0) {
                continue;
            }
            int32_t v[3];
            int found = 0;
            side *to = &list[n++];
            for (int k = 0; k < 3; k++) {
                v[k] = corner[ew_face_vertex[f][k]];
                if (v[k] != vertex) {
                    to->other[found++] = v[k];
                }
            }
            ew_face_area_vector(mesh, code, to->normal);
            const double area = sqrt(dot(to->normal, to->normal));
            for (int c = 0; c < 3; c++) {
                to->normal[c] /= area;
            }
            to->support = support_of(constraints, v, to->normal);
        }
    }
    return n;
}

/* Of the material between two faces at the edge from x to `end`; a: third vertex of the first, b of
 * the second. 0 to 2 pi. */
static double angle_between(const double *x, const double *end, const double *a, const double *b,
                            const double normal[3])
{
    double along[3], to_a[3], to_b[3];
    for (int c = 0; c < 3; c++) {
        along[c] = end[c] - x[c];
        to_a[c] = a[c] - x[c];
        to_b[c] = b[c] - x[c];
    }
    const double length = dot(along, along);
    const double at_a = dot(to_a, along) / length, at_b = dot(to_b, along) / length;
    for (int c = 0; c < 3; c++) {
        to_a[c] -= at_a * along[c];
        to_b[c] -= at_b * along[c];
    }
    const double scale = sqrt(dot(to_a, to_a));
    const double angle = atan2(-dot(to_b, normal) * scale, dot(to_b, to_a));
    return angle < 0.0 ? angle + 2.0 * pi : angle;
}

/* Between two faces; 0: the stress has a limit, or nothing is known. */
static double order_between(const side *a, const side *b, double angle, double poisson,
                            ew_singularity *out)
{
    const bool symmetric = a->support == ON_SYMMETRY || b->support == ON_SYMMETRY;
    const bool fixed = a->support == FIXED || b->support == FIXED;
    const bool alike = a->support == b->support || symmetric;
    const double whole = symmetric ? 2.0 * angle : angle;
    if (a->support == UNKNOWN || b->support == UNKNOWN ||
        (symmetric && (a->support == b->support || fixed || angle > pi + feature)) ||
        (alike && whole < pi + (symmetric ? 2.0 : 1.0) * feature)) {
        return 0.0;
    }
    out->support = !fixed ? EW_EDGE_FREE : alike ? EW_EDGE_FIXED : EW_EDGE_MIXED;
    out->angle = angle * 180.0 / pi;
    out->is_symmetric = symmetric;
    return ew_singular_order(out->support, fmin(whole, 2.0 * pi), poisson);
}

/* The other vertex of a face, once w is one of its two; -1: it is not. */
static int32_t third_of(const side *face, int32_t w)
{
    return face->other[0] == w ? face->other[1] : face->other[1] == w ? face->other[0] : -1;
}

/* Only where there are just two faces at it. */
static void try_edge(const ew_mesh *mesh, const side *list, int n, int first, int32_t vertex,
                     int32_t w, double poisson, ew_singularity *worst)
{
    int second = -1, count = 0;
    for (int i = 0; i < n; i++) {
        const bool has = third_of(&list[i], w) >= 0;
        count += has;
        second = has && i > first ? i : second;
    }
    if (count != 2 || second < 0) {
        return;
    }
    const double *xyz = mesh->xyz;
    const side *a = &list[first], *b = &list[second];
    const double angle = angle_between(xyz + 3 * (size_t)vertex, xyz + 3 * (size_t)w,
                                       xyz + 3 * (size_t)third_of(a, w),
                                       xyz + 3 * (size_t)third_of(b, w), a->normal);
    ew_singularity found = {.kind = EW_SINGULAR_EDGE, .vertex = vertex, .other = w};
    found.order = order_between(a, b, angle, poisson, &found);
    if (found.order > worst->order) {
        *worst = found;
    }
}

/* ---- a point force -------------------------------------------------------------------------- */

static bool is_concentrated(const ew_mesh *mesh, const ew_topology *topology, int32_t vertex,
                            const double *force)
{
    const double *own = force + 3 * (size_t)vertex;
    const double square = dot(own, own) / (concentrated * concentrated);
    const int32_t *tet, n_tet = tets_of(topology, vertex, &tet);
    bool alone = square > 0.0;
    for (int32_t i = 0; i < n_tet && alone; i++) {
        for (int k = 0; k < 4; k++) {
            const int32_t w = mesh->tet[4 * (size_t)tet[i] + (size_t)k];
            const double *at = force + 3 * (size_t)w;
            alone = alone && (w == vertex || dot(at, at) < square);
        }
    }
    return alone;
}

void ew_singularity_at(const ew_mesh *mesh, const ew_topology *topology,
                       const ew_materials *materials, const ew_constraints *constraints,
                       const double *force, const double *reaction, int32_t vertex,
                       ew_singularity *out)
{
    side list[MAX_FACES];
    const int32_t *tet;
    *out = (ew_singularity){.kind = EW_NOT_SINGULAR, .vertex = vertex, .other = -1};
    if (!tets_of(topology, vertex, &tet)) {
        return;
    }
    const ew_material *material = &materials->material[mesh->region[tet[0]]];
    if (is_concentrated(mesh, topology, vertex, force) ||
        is_concentrated(mesh, topology, vertex, reaction)) {
        out->kind = EW_SINGULAR_POINT;
        out->order = 2.0;
        return;
    }
    const int n = list_sides(mesh, topology, constraints, vertex, list);
    for (int i = 0; i < n && n < MAX_FACES && material->kind == EW_ISOTROPIC; i++) {
        for (int k = 0; k < 2; k++) {
            try_edge(mesh, list, n, i, vertex, list[i].other[k], material->poisson, out);
        }
    }
}
