/* Rigid surfaces: planes, spheres, cylinders, triangles. In: a definition, a motion. Out: of a
 * point its signed distance from the surface where that is then, the normal, how far the surface
 * has moved there. */
#include "contact/rigid.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- shapes, where they are defined ---------------------------------------------------------- */

static bool find_plane(const ew_rigid *of, const double x[3], double foot[3], double normal[3],
                       double *gap)
{
    *gap = 0.0;
    for (int c = 0; c < 3; c++) {
        *gap += (x[c] - of->def.point[c]) * of->axis[c];
    }
    for (int c = 0; c < 3; c++) {
        normal[c] = of->axis[c];
        foot[c] = x[c] - *gap * normal[c];
    }
    return true;
}

/* From a point, or from a line along the axis. */
static bool find_round(const ew_rigid *of, const double x[3], double foot[3], double normal[3],
                       double *gap)
{
    double d[3], along = 0.0;
    for (int c = 0; c < 3; c++) {
        d[c] = x[c] - of->def.point[c];
        along += of->def.kind == EW_RIGID_CYLINDER ? d[c] * of->axis[c] : 0.0;
    }
    for (int c = 0; c < 3; c++) {
        d[c] -= along * of->axis[c];
    }
    const double length = sqrt(dot(d, d));
    *gap = of->side * (length - of->def.radius);
    for (int c = 0; c < 3; c++) {
        normal[c] = of->side * d[c] / length;
        foot[c] = x[c] - *gap * normal[c];
    }
    return length > 0.0;
}

static bool find_shape(const ew_rigid *of, const double x[3], double foot[3], double normal[3],
                       double *gap)
{
    switch (of->def.kind) {
    case EW_RIGID_PLANE:
        return find_plane(of, x, foot, normal, gap);
    case EW_RIGID_SURFACE:
        return rigid_triangles_find(&of->triangles, x, foot, normal, gap);
    default:
        return find_round(of, x, foot, normal, gap);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* exp of the vector (Rodrigues 1840). */
static void find_turn(const double vector[3], double turn[9])
{
    const double angle = sqrt(dot(vector, vector)), s = angle > 0.0 ? sin(angle) / angle : 1.0,
                 half = sin(0.5 * angle),
                 c = angle > 0.0 ? 2.0 * half * half / (angle * angle) : 0.5;
    const double *v = vector, cross[9] = {0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double square = 0.0;
            for (int m = 0; m < 3; m++) {
                square += cross[3 * i + m] * cross[3 * m + k];
            }
            turn[3 * i + k] = (i == k) + s * cross[3 * i + k] + c * square;
        }
    }
}

static void move_point(const ew_rigid_motion *motion, const double turn[9], const double from[3],
                       double to[3])
{
    double d[3];
    for (int c = 0; c < 3; c++) {
        d[c] = from[c] - motion->about[c];
    }
    for (int c = 0; c < 3; c++) {
        to[c] = motion->about[c] + motion->displacement[c] + dot(turn + 3 * c, d);
    }
}

/* Where the point of the body that is at x now is defined. */
static void move_back(const ew_rigid_motion *motion, const double turn[9], const double x[3],
                      double from[3])
{
    double d[3];
    for (int c = 0; c < 3; c++) {
        d[c] = x[c] - motion->about[c] - motion->displacement[c];
    }
    for (int c = 0; c < 3; c++) {
        from[c] = motion->about[c] + turn[c] * d[0] + turn[3 + c] * d[1] + turn[6 + c] * d[2];
    }
}

static bool is_rest(const ew_rigid_motion *motion)
{
    bool rest = true;
    for (int c = 0; c < 3; c++) {
        rest = rest && motion->displacement[c] == 0.0 && motion->rotation[c] == 0.0;
    }
    return rest;
}

bool rigid_find(const ew_rigid *rigid, const double x[3], rigid_place *at)
{
    double from[3], foot[3], normal[3], ends[2][3], unmoved = 0.0;
    *at = (rigid_place){.gap = 0.0};
    if (!rigid->is_moved) {
        memcpy(from, x, sizeof from);
    } else {
        move_back(&rigid->now, rigid->turn, x, from);
        at->widened = find_shape(rigid, x, foot, normal, &unmoved) ? -unmoved : 0.0;
    }
    if (!find_shape(rigid, from, foot, normal, &at->gap)) {
        return false;
    }
    at->widened += rigid->is_moved ? at->gap : 0.0;
    move_point(&rigid->now, rigid->turn, foot, ends[1]);
    move_point(&rigid->before, rigid->turn_before, foot, ends[0]);
    for (int c = 0; c < 3; c++) {
        at->normal[c] = rigid->is_moved ? dot(rigid->turn + 3 * c, normal) : normal[c];
        at->slid[c] = ends[1][c] - ends[0][c];
    }
    return true;
}

/* ---- the object ------------------------------------------------------------------------------ */

static ew_status make_triangles(ew_rigid *rigid)
{
    rigid_triangles *of = &rigid->triangles;
    EW_TRY(rigid_triangles_make(of, rigid->def.surface));
    rigid->def.surface = NULL;
    const bool is_turned = rigid_triangles_are_closed(of) && rigid_triangles_volume(of) < 0.0;
    if (is_turned != rigid->def.is_hollow) {
        rigid_triangles_turn(of);
    }
    return EW_OK;
}

static ew_status find_axis(ew_rigid *rigid, const char *what)
{
    const double *d = rigid->def.direction, length = hypot(hypot(d[0], d[1]), d[2]);
    for (int c = 0; c < 3; c++) {
        rigid->axis[c] = d[c] / length;
    }
    return length > 0.0 && isfinite(length)
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "%s has length %g; it must be a finite number > 0", what,
                         length);
}

static ew_status make_shape(ew_rigid *rigid)
{
    const ew_rigid_def *def = &rigid->def;
    const bool is_round = def->kind == EW_RIGID_SPHERE || def->kind == EW_RIGID_CYLINDER;
    rigid->side = def->is_hollow ? -1.0 : 1.0;
    if (def->kind == EW_RIGID_SURFACE) {
        return def->surface ? make_triangles(rigid)
                            : ew_fail(EW_BAD_ARGUMENT, "it has no surface; give one");
    }
    if (!isfinite(def->point[0] + def->point[1] + def->point[2])) {
        return ew_fail(EW_BAD_ARGUMENT, "its point (%g, %g, %g) is not finite", def->point[0],
                       def->point[1], def->point[2]);
    }
    if (is_round && !(def->radius > 0.0 && isfinite(def->radius))) {
        return ew_fail(EW_BAD_ARGUMENT, "the radius is %g; it must be a finite number > 0",
                       def->radius);
    }
    return def->kind == EW_RIGID_SPHERE
               ? EW_OK
               : find_axis(rigid, def->kind == EW_RIGID_PLANE ? "the normal" : "the axis");
}

ew_status ew_rigid_create(ew_rigid **rigid, const ew_rigid_def *def)
{
    ew_rigid *made;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->def = *def;
    ew_status status = make_shape(made);
    status = status ? status : ew_rigid_move(made, &def->motion);
    if (status) {
        ew_rigid_free(made);
        return status;
    }
    made->before = (ew_rigid_motion){.displacement = {0.0}};
    find_turn(made->before.rotation, made->turn_before);
    *rigid = made;
    return EW_OK;
}

ew_status ew_rigid_move(ew_rigid *rigid, const ew_rigid_motion *motion)
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        sum += motion->displacement[c] + motion->rotation[c] + motion->about[c];
    }
    if (!isfinite(sum)) {
        return ew_fail(EW_BAD_ARGUMENT, "its motion is not finite");
    }
    rigid->now = *motion;
    rigid->is_moved = !is_rest(motion);
    find_turn(motion->rotation, rigid->turn);
    rigid->revision++;
    return EW_OK;
}

ew_rigid_motion ew_rigid_between(const ew_rigid_motion *from, const ew_rigid_motion *to,
                                 double share)
{
    ew_rigid_motion at = *to, begin = *from;
    double turn[9];
    find_turn(from->rotation, turn);
    move_point(from, turn, to->about, begin.displacement);
    for (int c = 0; c < 3; c++) { /* 1 - share and share make *to of *to exactly */
        const double start = begin.displacement[c] - to->about[c];
        at.displacement[c] = (1.0 - share) * start + share * to->displacement[c];
        at.rotation[c] = (1.0 - share) * from->rotation[c] + share * to->rotation[c];
    }
    return at;
}

bool ew_rigid_is_same(const ew_rigid *rigid, const ew_rigid_def *def)
{
    const ew_rigid_def *a = &rigid->def;
    const rigid_triangles *of = &rigid->triangles;
    const ew_surface *surface = def->kind == EW_RIGID_SURFACE ? def->surface : NULL;
    const bool same = a->kind == def->kind && a->is_hollow == def->is_hollow &&
                      !memcmp(a->point, def->point, sizeof a->point) &&
                      !memcmp(a->direction, def->direction, sizeof a->direction) &&
                      a->radius == def->radius;
    return same &&
           (!surface ||
            (of->n == surface->n_triangle && of->n_vertex == surface->n_vertex &&
             !memcmp(of->xyz, surface->xyz, 3 * (size_t)of->n_vertex * sizeof *of->xyz) &&
             !memcmp(of->triangle, surface->triangle, 3 * (size_t)of->n * sizeof *of->triangle)));
}

void ew_rigid_settle(ew_rigid *rigid)
{
    rigid->before = rigid->now;
    memcpy(rigid->turn_before, rigid->turn, sizeof rigid->turn);
    rigid->revision++;
}

uint64_t contact_rigid_revision(const ew_rigid *rigid)
{
    return rigid->revision;
}

void ew_rigid_free(ew_rigid *rigid)
{
    if (rigid) {
        rigid_triangles_free(&rigid->triangles);
        ew_release(rigid);
    }
}
