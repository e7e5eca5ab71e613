/* Where a mirror stands when only its direction is given: a mesh in, a complete definition out. */
#include "operation/parts/operation.h"

#include <math.h>

void ew_mirror_place(const ew_mesh *mesh, int32_t at, ew_mirror_def *def)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double extreme = -HUGE_VAL;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        const double *x = mesh->xyz + 3 * (size_t)v;
        double along = 0;
        for (int32_t c = 0; c < 3; c++) {
            low[c] = fmin(low[c], x[c]);
            high[c] = fmax(high[c], x[c]);
            along += x[c] * def->normal[c];
        }
        if (at && at * along > extreme) {
            extreme = at * along;
            for (int32_t c = 0; c < 3; c++) {
                def->point[c] = x[c];
            }
        }
    }
    if (def->tolerance < 0) {
        def->tolerance = 1e-6 * hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    }
    /* The plane looks away from the body. */
    for (int32_t c = 0; c < 3 && at < 0; c++) {
        def->normal[c] = -def->normal[c];
    }
}
