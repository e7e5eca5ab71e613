/* One tet: positions in, gradients, volume and strain out, by the formulas of kernels/tet.h. */
#include "element/element.h"

#include "tet.h"

#include <string.h>

void ew_element_gradients(const ew_mesh *mesh, int32_t tet, double gradient[4][3], double *volume)
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)tet;
    double x[12];
    for (int i = 0; i < 4; i++) {
        memcpy(x + 3 * i, mesh->xyz + 3 * (size_t)vertex[i], 3 * sizeof *x);
    }
    *volume = ew_tet_gradients(x, gradient[0]);
}

void ew_element_strain(const ew_mesh *mesh, int32_t tet, const double *u, double strain[6])
{
    double g[4][3], volume;
    double h[3][3] = {{0}}; /* h[i][j] = du_i / dx_j */
    ew_element_gradients(mesh, tet, g, &volume);
    for (int a = 0; a < 4; a++) {
        const double *ua = u + 3 * (size_t)mesh->tet[4 * (size_t)tet + a];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                h[i][j] += ua[i] * g[a][j];
            }
        }
    }
    strain[0] = h[0][0];
    strain[1] = h[1][1];
    strain[2] = h[2][2];
    strain[3] = h[0][1] + h[1][0];
    strain[4] = h[1][2] + h[2][1];
    strain[5] = h[0][2] + h[2][0];
}
