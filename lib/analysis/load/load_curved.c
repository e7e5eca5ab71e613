/* Loads on curved tets and faces. In: a load, and the curves of a tet's sides. Out: its forces on
 * corners and edges, from what the kind says at points: of ew_face_rule on a face, which a uniform
 * pressure (functions of the second degree times area vectors of the second one) takes four
 * degrees of, one linear in the place all six; four in a tet, as the stiffness of quadratic tets
 * has them, or those that mass is taken at. */
#include "analysis/load/load_type.h"
#include "curved_blocks.h"

#include <math.h>
#include <string.h>

/* ---- faces ------------------------------------------------------------------- */

/* Place, and the area vector of the share of the face that a point of the rule has. */
static void face_point(const ew_curved_face *face, int p, double l[3], double x[3], double area[3])
{
    const double weight = ew_face_rule(p, l);
    ew_curved_face_point(face, l, x, area);
    for (int c = 0; c < 3; c++) {
        area[c] *= weight;
    }
}

bool ew_load_on_curved_face(const ew_load_type *type, const ew_load_context *in,
                            const ew_load *load, const ew_load_share *share, int32_t face,
                            double *q, double *f)
{
    ew_curved_face of;
    if (!type->at_face || !ew_curved_face_take(load->curves, in->mesh, face, &of)) {
        return false;
    }
    memset(q, 0, 9 * sizeof *q);
    memset(f, 0, 18 * sizeof *f);
    for (int p = 0; p < EW_FACE_POINTS; p++) {
        ew_face_part part = {.face = face};
        const double *l = part.l;
        double force[3] = {0.0};
        face_point(&of, p, part.l, part.x, part.area);
        type->at_face(in, load, share, &part, force);
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                q[3 * k + c] += l[k] * force[c];
                f[3 * of.edge[k] + c] += 4.0 * l[(k + 1) % 3] * l[(k + 2) % 3] * force[c];
            }
        }
    }
    return true;
}

bool ew_load_curved_area(const ew_load *load, const ew_mesh *mesh, int32_t face, double *area,
                         double first[3])
{
    ew_curved_face of;
    if (!ew_curved_face_take(load->curves, mesh, face, &of)) {
        return false;
    }
    *area = first[0] = first[1] = first[2] = 0.0;
    for (int p = 0; p < EW_FACE_POINTS; p++) {
        double l[3], x[3], vector[3];
        face_point(&of, p, l, x, vector);
        const double size = sqrt(ew_load_dot(vector, vector));
        *area += size;
        for (int c = 0; c < 3; c++) {
            first[c] += size * x[c];
        }
    }
    return true;
}

int ew_load_face_parts(const ew_load *load, const ew_mesh *mesh, int32_t face,
                       double x[EW_FACE_POINTS][3], double area[EW_FACE_POINTS][3])
{
    ew_curved_face of;
    if (!ew_curved_face_take(load->curves, mesh, face, &of)) {
        for (int c = 0; c < 3; c++) {
            x[0][c] = (of.x[0][c] + of.x[1][c] + of.x[2][c]) / 3.0;
        }
        ew_face_area_vector(mesh, face, area[0]);
        return 1;
    }
    for (int p = 0; p < EW_FACE_POINTS; p++) {
        double l[3];
        face_point(&of, p, l, x[p], area[p]);
    }
    return EW_FACE_POINTS;
}

/* ---- tets ----------------------------------------------------------------------- */

/* Forces of the load on a curved tet so far. */
typedef struct curved_tet {
    const ew_load_type *type;
    const ew_load_context *in;
    const ew_load *load;
    int32_t tet;
    double x[12], d[18];
    double *q, *f; /* [4][3] on corners, [6][3] on edges */
} curved_tet;

static double of_edge(const double l[4], int edge)
{
    return 4.0 * l[ew_edge_vertex[edge][0]] * l[ew_edge_vertex[edge][1]];
}

/* Adds the force in a volume around the place l. */
static void add_point(const curved_tet *of, const double l[4], double volume)
{
    double place[3] = {0.0}, force[3] = {0.0};
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 4; k++) {
            place[c] += l[k] * of->x[3 * k + c];
        }
        for (int e = 0; e < 6; e++) {
            place[c] += of_edge(l, e) * of->d[3 * e + c];
        }
    }
    of->type->in_tet(of->in, of->load, of->tet, place, volume, force);
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 4; k++) {
            of->q[3 * k + c] += l[k] * force[c];
        }
        for (int e = 0; e < 6; e++) {
            of->f[3 * e + c] += of_edge(l, e) * force[c];
        }
    }
}

static void add_four_points(const curved_tet *of)
{
    for (int p = 0; p < 4; p++) {
        double l[4], y[12];
        for (int k = 0; k < 4; k++) {
            l[k] = k == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER;
        }
        ew_curved_point(p, of->x, of->d, y);
        add_point(of, l, 0.25 * ew_tet_volume(y, y + 3, y + 6, y + 9));
    }
}

/* As the mass is integrated. */
static void add_mass_points(const curved_tet *of)
{
    for (int k = 0; k < EW_MASS_POINTS; k++) {
        double l[4];
        const double weight = ew_mass_point(k, l);
        add_point(of, l, ew_mass_point_volume(weight, l, of->x, of->d));
    }
}

/* On nodes: 1/36 of the mass at corners, 4/27 in the middles of edges, each place by itself. */
static void add_nodes(const curved_tet *of)
{
    const double volume = ew_curved_volume(of->x, of->d);
    for (int k = 0; k < 4; k++) {
        double l[4] = {0.0};
        l[k] = 1.0;
        add_point(of, l, volume / 36.0);
    }
    for (int e = 0; e < 6; e++) {
        double l[4] = {0.0};
        l[ew_edge_vertex[e][0]] = l[ew_edge_vertex[e][1]] = 0.5;
        add_point(of, l, volume * 4.0 / 27.0);
    }
}

bool ew_load_on_curved_tet(const ew_load_type *type, const ew_load_context *in, const ew_load *load,
                           int32_t tet, double *q, double *f)
{
    curved_tet of = {.type = type, .in = in, .load = load, .tet = tet, .q = q, .f = f};
    if (!type->in_tet || !ew_curves_of(load->curves, tet, of.d)) {
        return false;
    }
    memset(q, 0, 12 * sizeof *q);
    memset(f, 0, 18 * sizeof *f);
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, of.x);
    if (load->on_mass == EW_FORCES_OF_STATICS) {
        add_four_points(&of);
    } else if (load->on_mass == EW_FORCES_ON_CONSISTENT_MASS) {
        add_mass_points(&of);
    } else {
        add_nodes(&of);
    }
    return true;
}
