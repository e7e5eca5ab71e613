/* Faces. In: a mesh, face codes. Out: corners, boxes that contain them whatever float rounds to. */
#include "contact/internal.h"

#include <math.h>

void contact_face_vertices(const ew_mesh *mesh, int32_t code, int32_t vertex[3])
{
    const int32_t *tet = mesh->tet + 4 * (size_t)(code / 4);
    for (int k = 0; k < 3; k++) {
        vertex[k] = tet[ew_face_vertex[code % 4][k]];
    }
}

static float round_down(double x)
{
    const float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

contact_box contact_box_of(const ew_mesh *mesh, int32_t code, double margin)
{
    contact_box box;
    int32_t vertex[3];
    contact_face_vertices(mesh, code, vertex);
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 3; k++) {
            low = fmin(low, mesh->xyz[3 * (size_t)vertex[k] + c]);
            high = fmax(high, mesh->xyz[3 * (size_t)vertex[k] + c]);
        }
        box.low[c] = round_down(low - margin);
        box.high[c] = round_up(high + margin);
    }
    return box;
}
