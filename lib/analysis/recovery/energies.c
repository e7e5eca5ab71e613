/* Energies alone, for who needs no stresses. In: mesh, materials, constraints and the solved
 * displacement u. Out: the strain energy of each tet, the energy of springs, with the bits of a
 * whole recovery. */
#include "analysis/recovery/linear_tet.h"

/* Energy density is half of stress times strain; engineering shear counts once. */
static double tet_energy(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                         int32_t t)
{
    double strain[6], stress[6], energy = 0.0;
    ew_linear_tet_stress(mesh, materials, u, t, strain, stress);
    for (int c = 0; c < 6; c++) {
        energy += stress[c] * strain[c];
    }
    return energy * (0.5 * ew_mesh_tet_volume(mesh, t));
}

void ew_tet_energies(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                     double *energy)
{
#pragma omp parallel for schedule(static)
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        energy[t] = ew_mesh_tet_is_live(mesh, t) ? tet_energy(mesh, materials, u, t) : 0.0;
    }
}

double ew_spring_energy(const double *k, const double *u)
{
    return 0.5 * (k[0] * u[0] * u[0] + k[1] * u[1] * u[1] + k[2] * u[2] * u[2]) +
           k[3] * u[0] * u[1] + k[4] * u[1] * u[2] + k[5] * u[0] * u[2];
}

double ew_springs_energy(const ew_mesh *mesh, const ew_constraints *constraints, const double *u)
{
    double sum = 0.0, chunk = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex && constraints->spring; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            chunk += ew_spring_energy(constraints->spring + 6 * (size_t)v, u + 3 * (size_t)v);
        }
        if ((v + 1) % EW_SUM_CHUNK == 0 || v + 1 == mesh->n_vertex) {
            sum += chunk;
            chunk = 0.0;
        }
    }
    return sum;
}
