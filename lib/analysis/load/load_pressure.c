/* Pressure on faces: p(x) = pressure + gradient . (x - point), and a field by vertex, linear
 * between them. In: a face. Out: the consistent force of one corner, minus the area vector times
 * the mean of p N_k: over a triangle with p_1, p_2, p_3 at its corners (p_1 + p_2 + p_3 + p_k) /
 * 12, p / 3 where uniform. Where only positive pressure counts, the face is cut along p = 0 and
 * each part of it integrated by the same rule: exactly, too. */
#include "analysis/load/load_type.h"

static ew_status check_pressure(const ew_load_context *in, const ew_load *load, int32_t place,
                                ew_load_share *share)
{
    (void)share;
    return ew_load_need_values(in, load, place, 1);
}

static bool is_uniform(const ew_load *load)
{
    return !load->value && load->gradient[0] == 0.0 && load->gradient[1] == 0.0 &&
           load->gradient[2] == 0.0;
}

/* A point of a face in barycentric coordinates, and the pressure there. */
typedef struct cut_point {
    double at[3], pressure;
} cut_point;

/* Corners of the part of the face where the pressure is positive, at most four; their number. */
static int cut_face(const double p[3], cut_point *out)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        if (p[i] >= 0.0) { /* where it is 0 the cut begins in a corner */
            out[n] = (cut_point){.pressure = p[i]};
            out[n++].at[i] = 1.0;
        }
        if ((p[i] > 0.0 && p[j] < 0.0) || (p[i] < 0.0 && p[j] > 0.0)) {
            const double s = p[i] / (p[i] - p[j]);
            out[n] = (cut_point){.pressure = 0.0};
            out[n].at[i] = 1.0 - s;
            out[n++].at[j] = s;
        }
    }
    return n;
}

/* Mean over the face of p N_k, of one triangle of it. */
static double mean_of_part(const cut_point *a, const cut_point *b, const cut_point *c, int k)
{
    double cross[3];
    ew_load_cross(b->at, c->at, cross);
    const double share = ew_load_dot(a->at, cross); /* of the face's area; as the face turns */
    const double pressure = a->pressure + b->pressure + c->pressure;
    const double function = a->at[k] + b->at[k] + c->at[k];
    const double both = a->pressure * a->at[k] + b->pressure * b->at[k] + c->pressure * c->at[k];
    return share * (pressure * function + both) / 12.0;
}

static double mean_of_positive(const double p[3], int k)
{
    cut_point point[4];
    const int n = cut_face(p, point);
    double mean = 0.0;
    for (int i = 2; i < n; i++) {
        mean += mean_of_part(&point[0], &point[i - 1], &point[i], k);
    }
    return mean;
}

/* Of the field, at a corner of a face. */
static double value_at(const ew_mesh *mesh, const ew_load *load, int32_t face, int corner)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)(face / 4);
    return load->value ? load->value[tet[ew_face_vertex[face % 4][corner]]] : 0.0;
}

/* Mean over the face of p N_k. */
static double weighted_mean(const ew_mesh *mesh, const ew_load *load, int32_t face, int k)
{
    double x[3][3], p[3];
    if (is_uniform(load)) {
        return (load->only_positive && load->pressure < 0.0 ? 0.0 : load->pressure) / 3.0;
    }
    ew_load_face_corners(mesh, face, load->point, x);
    for (int i = 0; i < 3; i++) {
        p[i] = load->pressure + ew_load_dot(load->gradient, x[i]) + value_at(mesh, load, face, i);
    }
    if (load->only_positive && (p[0] < 0.0 || p[1] < 0.0 || p[2] < 0.0)) {
        return mean_of_positive(p, k);
    }
    return (p[0] + p[1] + p[2] + p[k]) / 12.0;
}

void ew_load_pressure_means(const ew_mesh *mesh, const ew_load *load, int32_t face, double mean[3])
{
    for (int k = 0; k < 3; k++) {
        mean[k] = weighted_mean(mesh, load, face, k);
    }
}

static void pressure_on_face(const ew_load_context *in, const ew_load *load,
                             const ew_load_share *share, int32_t face, int corner, double *f)
{
    double area[3];
    const double mean = weighted_mean(in->mesh, load, face, corner);
    (void)share;
    ew_face_area_vector(in->mesh, face, area);
    for (int c = 0; c < 3; c++) {
        f[c] -= mean * area[c];
    }
}

/* At a point of a face: barycentric coordinates l, place x. */
static double pressure_at(const ew_mesh *mesh, const ew_load *load, int32_t face, const double l[3],
                          const double x[3])
{
    double p = load->pressure;
    for (int c = 0; c < 3; c++) {
        p += load->gradient[c] * (x[c] - load->point[c]) + l[c] * value_at(mesh, load, face, c);
    }
    return load->only_positive && p < 0.0 ? 0.0 : p;
}

void ew_load_pressure_at_points(const ew_mesh *mesh, const ew_load *load, int32_t face,
                                double *value)
{
    ew_curved_face at;
    (void)ew_curved_face_take(load->curves, mesh, face, &at);
    for (int point = 0; point < EW_FACE_POINTS; point++) {
        double l[3], x[3], area[3];
        (void)ew_face_rule(point, l);
        ew_curved_face_point(&at, l, x, area);
        value[point] = pressure_at(mesh, load, face, l, x);
    }
}

static void pressure_at_face(const ew_load_context *in, const ew_load *load,
                             const ew_load_share *share, const ew_face_part *part, double force[3])
{
    const double p = pressure_at(in->mesh, load, part->face, part->l, part->x);
    (void)share;
    for (int c = 0; c < 3; c++) {
        force[c] = -p * part->area[c];
    }
}

const ew_load_type ew_load_type_pressure = {
    .traits = {.name = "pressure",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .by_face = true},
    .check = check_pressure,
    .on_face = pressure_on_face,
    .at_face = pressure_at_face,
};
