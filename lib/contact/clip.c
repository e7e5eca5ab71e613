/* What a master face covers of a slave face. In: two faces. Out: points of quadrature on the shadow
 * that the master face casts on the slave face along the slave's normal, clipped by the slave face
 * (Sutherland & Hodgman 1974, Reentrant polygon clipping), in barycentric coordinates of the slave,
 * which have no unit.
 *
 * Curved faces: the shadow lies between the places of the slave that are nearest to the corners of
 * the master, so that shadows of neighbors share their sides; points are mapped to both curved
 * faces (Puso, Laursen & Solberg 2008, A segment-to-segment mortar contact method for quadratic
 * elements and large deformations, maps them by planes). Then the sum of the weighed normals is the
 * integral over the curved slave face, and a pressure that is the same all over it acts as a load
 * of it. */
#include "contact/internal.h"

#include <math.h>
#include <string.h>

/* A shadow below this share of the slave face is none. */
#define NOTHING 1e-12
/* An overlap below this share of the root of a face's area is of rounding. */
#define ROUNDING 1e-9

/* A point of the slave face, or of the plane of its corners: coordinates 1 and 2. */
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

/* Coordinates of the normal projection onto the plane, and the height over it. */
static flat project(const contact_plane *slave, const double *corner, double *height)
{
    double d[3];
    subtract(corner, slave->origin, d);
    const double aa = slave->square[0], bb = slave->square[1], ab = slave->angle,
                 da = dot(d, slave->edge[0]), db = dot(d, slave->edge[1]), det = aa * bb - ab * ab;
    *height = dot(d, slave->normal);
    return (flat){(da * bb - db * ab) / det, (db * aa - da * ab) / det};
}

/* A corner of the master face seen along the normal: where that is not known, along the normal of
 * the plane. */
static flat find_shadow(const contact_plane *slave, const double *corner, double *height)
{
    const flat straight = project(slave, corner, height);
    double at[3] = {1.0 - straight.x - straight.y, straight.x, straight.y};
    return slave->face->is_curved && contact_find_nearest(slave->face, corner, at)
               ? (flat){at[1], at[2]}
               : straight;
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

static double area_of(const contact_face *face)
{
    double area = 0.0;
    for (int k = 0; k < 6; k++) {
        double x[3], tangent[2][3], normal[3];
        contact_place(face, of_degree_4[k].at, x, tangent);
        area += of_degree_4[k].share * contact_normal(tangent, normal);
    }
    return area;
}

contact_plane contact_plane_of(const contact_face *face)
{
    contact_plane plane = {.face = face};
    for (int k = 0; k < 2; k++) {
        subtract(face->xyz + 3 * (k + 1), face->xyz, plane.edge[k]);
    }
    memcpy(plane.origin, face->xyz, sizeof plane.origin);
    plane.square[0] = dot(plane.edge[0], plane.edge[0]);
    plane.square[1] = dot(plane.edge[1], plane.edge[1]);
    plane.angle = dot(plane.edge[0], plane.edge[1]);
    plane.area = contact_normal(plane.edge, plane.normal);
    plane.area = face->is_curved && plane.area > 0.0 ? area_of(face) : plane.area;
    return plane;
}

/* The master face turned round, so that its shadow goes round as the slave does. */
typedef struct over {
    const contact_plane *slave;
    const contact_face *master;
    bool is_curved; /* one of both */
    flat shadow[3];
    double height[3];
} over;

/* False: the faces do not look against each other. */
static bool cast_shadow(const contact_plane *slave, const contact_face *master, over *of)
{
    double edge[2][3], normal[3];
    for (int k = 0; k < 2; k++) {
        subtract(master->xyz + 3 * (k + 1), master->xyz, edge[k]);
    }
    (void)contact_normal(edge, normal);
    if (!(-dot(normal, slave->normal) > CONTACT_FACING)) {
        return false;
    }
    *of = (over){
        .slave = slave, .master = master, .is_curved = slave->face->is_curved || master->is_curved};
    for (int k = 0; k < 3; k++) {
        of->shadow[k] = find_shadow(slave, master->xyz + 3 * k, &of->height[k]);
    }
    return true;
}

/* On curved faces; share: of the area of coordinates. False: the master is not over the point. */
static bool curve_point(const over *of, double share, contact_point *point)
{
    double x[3], tangent[2][3];
    contact_place(of->slave->face, point->slave, x, tangent);
    point->weight = share * contact_normal(tangent, point->normal);
    return contact_meet(of->master, x, point->normal, point->master, &point->gap);
}

static bool point_at(const over *of, flat p, double share, contact_point *point)
{
    for (int k = 0; k < 3; k++) {
        point->slave[k] = coordinate(p, k);
        point->normal[k] = of->slave->normal[k];
    }
    locate(of->shadow, p, point->master);
    point->gap = dot(of->height, point->master);
    point->weight = share * of->slave->area;
    return !of->is_curved || curve_point(of, share, point);
}

/* The mean of the gaps at the corners, and the smallest; infinite: the master is over none. */
static double find_gap(const over *of, int n, const flat *polygon, double *min_gap)
{
    double sum = 0.0;
    int n_over = 0;
    *min_gap = INFINITY;
    for (int i = 0; i < n; i++) {
        contact_point point;
        if (point_at(of, polygon[i], 0.0, &point)) {
            sum += point.gap;
            *min_gap = fmin(*min_gap, point.gap);
            n_over++;
        }
    }
    return n_over ? sum / n_over : INFINITY;
}

/* ---- faces of one body -----------------------------------------------------------------------
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
    return gap < -ROUNDING * sqrt(slave->area) && !is_within(mesh, slave->face->code / 4, y) &&
           !is_within(mesh, master / 4, x);
}

/* ---- what is covered --------------------------------------------------------------------------
 */

int contact_clip(const contact_plane *slave, const ew_mesh *mesh, const ew_contact_def *def,
                 const contact_face *master, double *apart, contact_point point[CONTACT_MAX_POINTS])
{
    over of;
    flat a[6], b[6];
    int n_point = 0, n_rule;
    const contact_rule_point *rule = contact_rule(def->edge_row != NULL, &n_rule);
    *apart = -1.0;
    if (!cast_shadow(slave, master, &of)) {
        return 0;
    }
    const flat turned[3] = {of.shadow[0], of.shadow[2], of.shadow[1]};
    const int n = clip_side(clip_side(clip_side(3, turned, 0, a), a, 1, b), b, 2, a);
    if (n < 3) {
        return 0;
    }
    double min_gap;
    const double gap = find_gap(&of, n, a, &min_gap);
    const bool may_be_behind =
        contact_is_of_one(def) || contact_share_vertex(slave->face->vertex, master->vertex);
    if (!isfinite(gap) || (may_be_behind && is_behind(slave, mesh, master->code, n, a, gap))) {
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
            point[n_point].min_gap = min_gap;
            n_point += point_at(&of, p, rule[k].share * share, &point[n_point]);
        }
    }
    return n_point;
}
