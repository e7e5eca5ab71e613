/* Slave faces over rigid surfaces. In: a face, a surface. Out: points of quadrature all over the
 * face with their distances from the surface. */
#include "contact/rigid.h"

#include <math.h>
#include <string.h>

/* Faces look at a surface where the angle between both normals, one reversed, has this cosine. */
#define FACING 0.1

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* False: the surface is not over or under it. *facing: cosine as above. */
static bool find_point(const contact_plane *slave, const ew_contact_def *def,
                       const contact_rule_point *rule, contact_covered_point *out, double *gap,
                       double *facing)
{
    contact_point *point = &out->point;
    double x[3], tangent[2][3], normal[3];
    rigid_place place;
    *out = (contact_covered_point){.master = -1};
    memcpy(point->slave, rule->at, sizeof point->slave);
    contact_place(slave->face, rule->at, x, tangent);
    point->weight = rule->share * contact_normal(tangent, normal);
    if (!rigid_find(def->rigid, x, &place)) {
        return false;
    }
    point->gap = def->by_motion ? place.widened : place.gap;
    for (int c = 0; c < 3; c++) {
        out->normal[c] = -place.normal[c];
        out->slid[c] = place.slid[c];
    }
    *gap = place.gap;
    *facing = dot(out->normal, normal);
    return true;
}

/* The smallest gap at the corners. */
static double find_min_gap(const contact_plane *slave, const ew_contact_def *def)
{
    double min_gap = INFINITY;
    for (int k = 0; k < 3; k++) {
        contact_rule_point corner = {.at = {k == 0, k == 1, k == 2}};
        contact_covered_point point;
        double gap, cosine;
        if (find_point(slave, def, &corner, &point, &gap, &cosine)) {
            min_gap = fmin(min_gap, point.point.gap);
        }
    }
    return min_gap;
}

ew_status contact_find_rigid_points(const contact_plane *slave, const ew_contact_def *def,
                                    double *apart, int *n,
                                    contact_covered_point point[CONTACT_MAX_RULE])
{
    int n_rule, n_found = 0;
    const contact_rule_point *rule = contact_rule(def->edge_row != NULL, &n_rule);
    double sum = 0.0, facing = 0.0;
    *apart = -1.0;
    *n = 0;
    for (int k = 0; k < n_rule; k++) {
        double gap, cosine;
        if (find_point(slave, def, &rule[k], &point[n_found], &gap, &cosine)) {
            sum += gap;
            facing += cosine;
            n_found++;
        }
    }
    const double gap = n_found ? sum / n_found : INFINITY;
    if (def->depth > 0.0 && gap < -def->depth) {
        const int32_t code = slave->face->code;
        return ew_fail_about(
            EW_BAD_INPUT, code / 4, -1,
            "face %d of tet %d lies %g inside the rigid body, farther than %g; move "
            "the body, or say on which side it is: by the normal, or 'inside'",
            code % 4, code / 4, -gap, def->depth);
    }
    if (n_found && facing > FACING * n_found) {
        *apart = fmax(gap, 0.0);
        *n = *apart <= def->distance ? n_found : 0;
    }
    const double min_gap = *n ? find_min_gap(slave, def) : INFINITY;
    for (int k = 0; k < *n; k++) {
        point[k].point.min_gap = min_gap;
    }
    return EW_OK;
}
