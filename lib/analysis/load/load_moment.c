/* Moments and remote forces on faces. In: a moment M about the centroid c of the faces, or a force
 * F that acts at some point. Out: the traction t(x) = F / A + w x (x - c), where M' = M or
 * (point - c) x F and J w = M' with J = integral of |r|^2 I - r r^T over the faces, r = x - c.
 *
 * Of all tractions with this resultant it has the least integral of |t|^2: such a traction is
 * orthogonal to all that have no resultant, hence of the form a + w x r. No face is stiffened.
 *
 * The linear functions of a face add up to 1 and reproduce x, so consistent nodal forces of a
 * traction, linear over each face, have exactly its force and its moment. Over a triangle of area A
 * with corners r_i, s = r_1 + r_2 + r_3: integral of r r^T = A / 12 (sum r_i r_i^T + s s^T), and of
 * a linear t times the function of corner k: A / 12 (t_1 + t_2 + t_3 + t_k) (Zienkiewicz & Taylor
 * 2000, volume 1, section 8.8). */
#include "analysis/load/load_type.h"

#include <math.h>

/* ---- a small system ---------------------------------------------------------- */

static void multiply(const double a[6], const double x[3], double y[3])
{
    y[0] = a[0] * x[0] + a[3] * x[1] + a[5] * x[2];
    y[1] = a[3] * x[0] + a[1] * x[1] + a[4] * x[2];
    y[2] = a[5] * x[0] + a[4] * x[1] + a[2] * x[2];
}

/* l: the factor as xx yy zz xy yz xz. */
static void substitute(const double l[6], const double b[3], double x[3])
{
    x[0] = b[0] / l[0];
    x[1] = (b[1] - l[3] * x[0]) / l[1];
    x[2] = (b[2] - l[5] * x[0] - l[4] * x[1]) / l[2];
    x[2] = x[2] / l[2];
    x[1] = (x[1] - l[4] * x[2]) / l[1];
    x[0] = (x[0] - l[3] * x[1] - l[5] * x[2]) / l[0];
}

bool ew_load_solve(const double a[6], const double b[3], double x[3])
{
    double value[3], l[6], rest[3], more[3];
    ew_principal(a, value);
    if (!(value[2] > 1e-12 * value[0])) {
        return false;
    }
    l[0] = sqrt(a[0]);
    l[3] = a[3] / l[0];
    l[5] = a[5] / l[0];
    l[1] = sqrt(a[1] - l[3] * l[3]);
    l[4] = (a[4] - l[5] * l[3]) / l[1];
    l[2] = sqrt(a[2] - l[5] * l[5] - l[4] * l[4]);
    if (!(l[0] > 0.0 && l[1] > 0.0 && l[2] > 0.0)) {
        return false;
    }
    substitute(l, b, x);
    multiply(a, x, rest);
    for (int c = 0; c < 3; c++) {
        rest[c] = b[c] - rest[c];
    }
    substitute(l, rest, more);
    for (int c = 0; c < 3; c++) {
        x[c] += more[c];
    }
    return true;
}

/* ---- the share ---------------------------------------------------------------- */

typedef struct inertia_sum {
    const ew_load *load;
    const double *center;
    double second[6]; /* integral of r r^T: xx yy zz xy yz xz */
} inertia_sum;

/* At the points of a curved face, as the traction is taken there. */
static void add_curved(inertia_sum *sum, const double (*x)[3], const double (*area)[3])
{
    for (int p = 0; p < EW_FACE_POINTS; p++) {
        const double size = sqrt(ew_load_dot(area[p], area[p]));
        double r[3];
        for (int c = 0; c < 3; c++) {
            r[c] = x[p][c] - sum->center[c];
        }
        for (int c = 0; c < 3; c++) {
            sum->second[c] += size * r[c] * r[c];
            sum->second[3 + c] += size * r[c] * r[(c + 1) % 3];
        }
    }
}

static bool add_inertia(void *user, const ew_mesh *mesh, int32_t face)
{
    inertia_sum *sum = user;
    double r[4][3], normal[3], x[EW_FACE_POINTS][3], area[EW_FACE_POINTS][3];
    if (ew_load_face_parts(sum->load, mesh, face, x, area) > 1) {
        add_curved(sum, (const double(*)[3])x, (const double(*)[3])area);
        return true;
    }
    ew_load_face_corners(mesh, face, sum->center, r);
    ew_face_area_vector(mesh, face, normal);
    const double part = sqrt(ew_load_dot(normal, normal)) / 12.0;
    for (int c = 0; c < 3; c++) {
        r[3][c] = r[0][c] + r[1][c] + r[2][c];
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 4; k++) {
            sum->second[c] += part * r[k][c] * r[k][c];
            sum->second[3 + c] += part * r[k][c] * r[k][(c + 1) % 3];
        }
    }
    return true;
}

static ew_status find_spin(const ew_load_context *in, const ew_load *load, int32_t place,
                           const double moment[3], ew_load_share *share)
{
    inertia_sum sum = {.load = load, .center = share->center};
    ew_load_visit_faces(in, load, add_inertia, &sum);
    const double *s = sum.second;
    const double j[6] = {s[1] + s[2], s[2] + s[0], s[0] + s[1], -s[3], -s[4], -s[5]};
    return ew_load_solve(j, moment, share->spin)
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "load %d (%s): its faces lie along one line, about which no traction on "
                         "them turns; select wider ones",
                         place + 1, in->name);
}

static ew_status check_moment(const ew_load_context *in, const ew_load *load, int32_t place,
                              ew_load_share *share)
{
    double area;
    EW_TRY(ew_load_area(in, load, place, &area, share->center));
    return find_spin(in, load, place, load->vector, share);
}

static ew_status check_remote_force(const ew_load_context *in, const ew_load *load, int32_t place,
                                    ew_load_share *share)
{
    double area, arm[3], moment[3];
    EW_TRY(ew_load_area(in, load, place, &area, share->center));
    for (int c = 0; c < 3; c++) {
        share->push[c] = load->vector[c] / area;
        arm[c] = load->point[c] - share->center[c];
    }
    ew_load_cross(arm, load->vector, moment);
    return find_spin(in, load, place, moment, share);
}

/* ---- the traction -------------------------------------------------------------- */

static void spin_on_face(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                         int32_t face, int corner, double *f)
{
    double r[3][3], sum[3], turned[3], normal[3];
    (void)load;
    ew_load_face_corners(in->mesh, face, share->center, r);
    ew_face_area_vector(in->mesh, face, normal);
    const double part = sqrt(ew_load_dot(normal, normal)) / 12.0;
    for (int c = 0; c < 3; c++) {
        sum[c] = r[0][c] + r[1][c] + r[2][c] + r[corner][c];
    }
    ew_load_cross(share->spin, sum, turned);
    for (int c = 0; c < 3; c++) {
        f[c] += part * (4.0 * share->push[c] + turned[c]);
    }
}

static void spin_at_face(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                         const ew_face_part *part, double force[3])
{
    const double size = sqrt(ew_load_dot(part->area, part->area));
    double r[3], turned[3];
    (void)in;
    (void)load;
    for (int c = 0; c < 3; c++) {
        r[c] = part->x[c] - share->center[c];
    }
    ew_load_cross(share->spin, r, turned);
    for (int c = 0; c < 3; c++) {
        force[c] = size * (share->push[c] + turned[c]);
    }
}

const ew_load_type ew_load_type_moment = {
    .traits = {.name = "moment",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .by_face = true,
               .is_whole = true},
    .check = check_moment,
    .on_face = spin_on_face,
    .at_face = spin_at_face,
};
const ew_load_type ew_load_type_remote_force = {
    .traits = {.name = "remote force",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .by_face = true,
               .is_whole = true},
    .check = check_remote_force,
    .on_face = spin_on_face,
    .at_face = spin_at_face,
};
