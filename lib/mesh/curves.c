/* Curved sides of a mesh, looked up by the ids of their ends. In: sides sorted by their ends. Out:
 * how far the middle of one lies beyond the mean of its ends. middles.c makes the list. */
#include "mesh/parts/mesh.h"

#include <string.h>

const double *ew_mesh_curve(const ew_mesh *mesh, int64_t a, int64_t b)
{
    const int64_t first = a < b ? a : b, second = a < b ? b : a;
    int32_t low = 0, high = mesh->n_curve;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const int64_t *end = mesh->curve_end + 2 * (size_t)middle;
        if (end[0] < first || (end[0] == first && end[1] < second)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const int64_t *end = mesh->curve_end + 2 * (size_t)low;
    return low < mesh->n_curve && end[0] == first && end[1] == second
               ? mesh->curve + 3 * (size_t)low
               : NULL;
}
