/* What a master face covers of a slave face. In: two faces. Out: points of quadrature on the shadow
 * that the master face casts on the slave face along the slave's normal, clipped by the slave face
 * (Sutherland & Hodgman 1974, Reentrant polygon clipping), in barycentric coordinates of the slave,
 * which have no unit. */
#include "contact/internal.h"

#include <math.h>

/* A shadow below this share of the slave face is none. */
#define NOTHING 1e-12
/* An overlap below this share of the root of a face's area is of rounding. */
#define ROUNDING 1e-9

static void find_vertices(const ew_mesh *mesh, int32_t code, int32_t vertex[3])
{
    for (int k = 0; k < 3; k++) {
        vertex[k] = mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
    }
}

/* A point of the plane of the slave face: coordinates of corners 1 and 2. */
typedef struct flat {
    double x, y;
} flat;

static void subtract(const double *a, const double *b, double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[c] - b[c];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

contact_plane contact_plane_of(const ew_mesh *mesh, int32_t code)
{
    contact_plane plane = {.code = code};
    double area[3];
    int32_t vertex[3];
    find_vertices(mesh, code, vertex);
    ew_face_area_vector(mesh, code, area);
    plane.area = sqrt(dot(area, area));
    for (int c = 0; c < 3; c++) {
        plane.origin[c] = mesh->xyz[3 * (size_t)vertex[0] + c];
        plane.normal[c] = plane.area > 0.0 ? area[c] / plane.area : 0.0;
    }
    for (int k = 0; k < 2; k++) {
        subtract(mesh->xyz + 3 * (size_t)vertex[k + 1], plane.origin, plane.edge[k]);
    }
    return plane;
}

/* A corner of the master face seen along the normal, and its height over the slave face. */
static flat project(const contact_plane *slave, const double *corner, double *height)
{
    double d[3];
    subtract(corner, slave->origin, d);
    const double aa = dot(slave->edge[0], slave->edge[0]), bb = dot(slave->edge[1], slave->edge[1]),
                 ab = dot(slave->edge[0], slave->edge[1]), da = dot(d, slave->edge[0]),
                 db = dot(d, slave->edge[1]), det = aa * bb - ab * ab;
    *height = dot(d, slave->normal);
    return (flat){(da * bb - db * ab) / det, (db * aa - da * ab) / det};
}

/* Barycentric coordinate k of the slave. */
static double coordinate(flat p, int k)
{
    return k == 0 ? 1.0 - p.x - p.y : k == 1 ? p.x : p.y;
}

/* What of a convex polygon lies where coordinate k is not negative. */
static int clip_side(int n, const flat *in, int k, flat *out)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        const flat a = in[i], b = in[(i + 1) % n];
        const double at_a = coordinate(a, k), at_b = coordinate(b, k);
        if (at_a >= 0.0) {
            out[m++] = a;
        }
        if ((at_a < 0.0) != (at_b < 0.0)) {
            const double t = at_a / (at_a - at_b);
            out[m++] = (flat){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        }
    }
    return m;
}

static double cross(flat a, flat b, flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Barycentric coordinates of a point in the shadow. */
static void locate(const flat shadow[3], flat p, double in[3])
{
    const double whole = cross(shadow[0], shadow[1], shadow[2]);
    in[1] = cross(shadow[0], p, shadow[2]) / whole;
    in[2] = cross(shadow[0], shadow[1], p) / whole;
    in[0] = 1.0 - in[1] - in[2];
}

/* Degree 2: Hammer, Marlowe &
 * Stroud 1956; degree 4: Cowper 1973, Gaussian quadrature formulas for triangles. */
#define ONE_OF_THREE(a, b, share)                                                                  \
    {{a, b, b}, share}, {{b, a, b}, share},                                                        \
    {                                                                                              \
        {b, b, a}, share                                                                           \
    }
static const contact_rule_point of_degree_2[] = {ONE_OF_THREE(2.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0)};
static const contact_rule_point of_degree_4[] = {
    ONE_OF_THREE(0.10810301816807023, 0.44594849091596489, 0.22338158967801147),
    ONE_OF_THREE(0.81684757298045851, 0.09157621350977074, 0.10995174365532187)};

const contact_rule_point *contact_rule(bool is_quadratic, int *n)
{
    *n = is_quadratic ? 6 : 3;
    return is_quadratic ? of_degree_4 : of_degree_2;
}

static contact_point point_at(const flat shadow[3], const double height[3], flat p, double weight)
{
    contact_point point = {.weight = weight};
    locate(shadow, p, point.master);
    point.gap = dot(height, point.master);
    for (int k = 0; k < 3; k++) {
        point.slave[k] = coordinate(p, k);
    }
    return point;
}

/* The master face turned round, so that its shadow goes round as the slave does. */
static bool cast_shadow(const contact_plane *slave, const ew_mesh *mesh, int32_t master,
                        flat shadow[3], double height[3])
{
    double area[3];
    int32_t vertex[3];
    ew_face_area_vector(mesh, master, area);
    find_vertices(mesh, master, vertex);
    for (int k = 0; k < 3; k++) {
        shadow[k] = project(slave, mesh->xyz + 3 * (size_t)vertex[k], &height[k]);
    }
    return -dot(area, slave->normal) > CONTACT_FACING * sqrt(dot(area, area));
}

static double mean_gap(const flat shadow[3], const double height[3], int n, const flat *polygon)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += point_at(shadow, height, polygon[i], 0.0).gap / n;
    }
    return sum;
}

/* ---- faces of one list -----------------------------------------------------------------------
 */

static bool is_within(const ew_mesh *mesh, int32_t tet, const double x[3])
{
    const int32_t *v = mesh->tet + 4 * (size_t)tet;
    bool within = true;
    for (int f = 0; f < 4; f++) {
        double area[3], d[3];
        ew_face_area_vector(mesh, 4 * tet + f, area);
        subtract(x, mesh->xyz + 3 * (size_t)v[ew_face_vertex[f][0]], d);
        within = within && dot(area, d) < 0.0;
    }
    return within;
}

/* Whether the other face is on the other side of a wall, not over this one: what overlaps reaches
 * into the tet behind one of both faces. */
static bool is_behind(const contact_plane *slave, const ew_mesh *mesh, int32_t master, int n,
                      const flat *polygon, double gap)
{
    double x[3], y[3];
    flat middle = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        middle.x += polygon[i].x / n;
        middle.y += polygon[i].y / n;
    }
    for (int c = 0; c < 3; c++) {
        x[c] = slave->origin[c] + middle.x * slave->edge[0][c] + middle.y * slave->edge[1][c];
        y[c] = x[c] + gap * slave->normal[c];
    }
    return gap < -ROUNDING * sqrt(slave->area) && !is_within(mesh, slave->code / 4, y) &&
           !is_within(mesh, master / 4, x);
}

/* ---- what is covered --------------------------------------------------------------------------
 */

int contact_clip(const contact_plane *slave, const ew_mesh *mesh, const ew_contact_def *def,
                 int32_t master, double *apart, contact_point point[CONTACT_MAX_POINTS])
{
    flat shadow[3], a[6], b[6];
    double height[3];
    int n_point = 0, n_rule;
    const contact_rule_point *rule = contact_rule(def->edge_row != NULL, &n_rule);
    *apart = -1.0;
    if (!cast_shadow(slave, mesh, master, shadow, height)) {
        return 0;
    }
    const flat turned[3] = {shadow[0], shadow[2], shadow[1]};
    const int n = clip_side(clip_side(clip_side(3, turned, 0, a), a, 1, b), b, 2, a);
    if (n < 3) {
        return 0;
    }
    const double gap = mean_gap(shadow, height, n, a);
    if (contact_is_of_one(def) && is_behind(slave, mesh, master, n, a, gap)) {
        return 0;
    }
    *apart = fabs(gap);
    if (*apart > def->distance) {
        return 0;
    }
    for (int i = 1; i + 1 < n; i++) {
        const double share = cross(a[0], a[i], a[i + 1]);
        for (int k = 0; k < n_rule && share > NOTHING; k++) {
            const double *at = rule[k].at;
            const flat p = {at[0] * a[0].x + at[1] * a[i].x + at[2] * a[i + 1].x,
                            at[0] * a[0].y + at[1] * a[i].y + at[2] * a[i + 1].y};
            point[n_point++] = point_at(shadow, height, p, rule[k].share * share * slave->area);
        }
    }
    return n_point;
}
