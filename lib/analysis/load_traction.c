/* Forces spread evenly: a traction on faces, a third of a face's force at each of its corners; a
 * total force, which on faces is a traction and on vertices equal shares. */
#include "load_type.h"

#include <math.h>

static ew_status check_traction(const ew_load_context *in, const ew_load *load, int32_t place,
                                ew_load_share *share)
{
    (void)share;
    return ew_load_need_faces(in, load, place);
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
    (void)in;
    (void)vertex;
    for (int c = 0; c < 3; c++) {
        f[c] += load->vector[c] * share->factor;
    }
}

static void traction_on_face(const ew_load_context *in, const ew_load *load,
                             const ew_load_share *share, int32_t face, int corner, double *f)
{
    double area[3];
    (void)corner;
    ew_face_area_vector(in->mesh, face, area);
    const double size = sqrt(ew_load_dot(area, area));
    for (int c = 0; c < 3; c++) {
        f[c] += share->factor * load->vector[c] * size / 3.0;
    }
}

const ew_load_type ew_load_traction = {
    .traits = {.name = "traction",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .by_face = true},
    .check = check_traction,
    .on_face = traction_on_face,
};
const ew_load_type ew_load_total_force = {
    .traits = {.name = "total force",
               .acts_on = EW_LOAD_ON_VERTICES | EW_LOAD_ON_FACES,
               .is_whole = true},
    .check = check_total_force,
    .on_vertex = total_force_on_vertex,
    .on_face = traction_on_face,
};
