/* Forces spread evenly: a traction on faces, a third of a face's force at each of its corners; a
 * total force, which on faces is a traction and on vertices equal shares. Along local axes, or with
 * a field by vertex, the traction is that of the corners, linear between them. */
#include "analysis/load/load_type.h"

#include <math.h>
#include <string.h>

static ew_status check_traction(const ew_load_context *in, const ew_load *load, int32_t place,
                                ew_load_share *share)
{
    (void)share;
    return ew_load_need_values(in, load, place, 3);
}

static ew_status check_total_force(const ew_load_context *in, const ew_load *load, int32_t place,
                                   ew_load_share *share)
{
    int32_t n;
    double area;
    if (load->face) {
        EW_TRY(ew_load_area(in, load, place, &area, share->center));
        share->factor = 1.0 / area;
    } else {
        EW_TRY(ew_load_count_vertices(in, load, place, &n));
        share->factor = 1.0 / n;
    }
    return EW_OK;
}

static void total_force_on_vertex(const ew_load_context *in, const ew_load *load,
                                  const ew_load_share *share, int32_t vertex, double *f)
{
    double vector[3];
    ew_load_vector_at(in->mesh, load, vertex, vector);
    for (int c = 0; c < 3; c++) {
        f[c] += vector[c] * share->factor;
    }
}

/* Three times the mean over the face of the vector and the function of a corner. */
static void mean_vector(const ew_mesh *mesh, const ew_load *load, int32_t face, int corner,
                        double out[3])
{
    const int32_t *tet = mesh->tet + 4 * (size_t)(face / 4);
    double at[3][3];
    memcpy(out, load->vector, sizeof load->vector);
    if (load->axes.kind != EW_AXES_GLOBAL || load->value) {
        for (int k = 0; k < 3; k++) {
            const int32_t v = tet[ew_face_vertex[face % 4][k]];
            ew_load_vector_at(mesh, load, v, at[k]);
            for (int c = 0; c < 3 && load->value; c++) {
                at[k][c] += load->value[3 * (size_t)v + (size_t)c];
            }
        }
        for (int c = 0; c < 3; c++) {
            out[c] = 0.25 * (at[0][c] + at[1][c] + at[2][c] + at[corner][c]);
        }
    }
}

static void traction_on_face(const ew_load_context *in, const ew_load *load,
                             const ew_load_share *share, int32_t face, int corner, double *f)
{
    double area[3], vector[3];
    ew_face_area_vector(in->mesh, face, area);
    const double size = sqrt(ew_load_dot(area, area));
    mean_vector(in->mesh, load, face, corner, vector);
    for (int c = 0; c < 3; c++) {
        f[c] += share->factor * vector[c] * size / 3.0;
    }
}

static void traction_at_face(const ew_load_context *in, const ew_load *load,
                             const ew_load_share *share, const ew_face_part *part, double force[3])
{
    const int32_t *tet = in->mesh->tet + 4 * (size_t)(part->face / 4);
    const double size = sqrt(ew_load_dot(part->area, part->area));
    double vector[3];
    ew_load_vector_at_place(load, part->x, vector);
    for (int k = 0; k < 3 && load->value; k++) {
        const double *value = load->value + 3 * (size_t)tet[ew_face_vertex[part->face % 4][k]];
        for (int c = 0; c < 3; c++) {
            vector[c] += part->l[k] * value[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        force[c] = share->factor * vector[c] * size;
    }
}

const ew_load_type ew_load_type_traction = {
    .traits = {.name = "traction",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .by_face = true,
               .has_axes = true},
    .check = check_traction,
    .on_face = traction_on_face,
    .at_face = traction_at_face,
};
const ew_load_type ew_load_type_total_force = {
    .traits = {.name = "total force",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .is_whole = true,
               .has_axes = true},
    .check = check_total_force,
    .on_vertex = total_force_on_vertex,
    .on_face = traction_on_face,
    .at_face = traction_at_face,
};
