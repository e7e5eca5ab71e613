/* element: one tet at a time. Gradients, volume, stiffness block, mass, loads, strain,
 * stress. The formulas that host and kernels share are in kernels/tet.h, valid as C11 and as
 * OpenCL C 1.2; compiled without contraction they give the same bits on both.
 *
 * Voigt order everywhere: xx yy zz xy yz xz. Strain is engineering shear (gamma = 2 eps). */
#ifndef EW_ELEMENT_H
#define EW_ELEMENT_H

#include "mesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Isotropic linear elastic, by region index of the mesh. */
typedef struct ew_material {
    double young;   /* E > 0, force / length^2 */
    double poisson; /* -1 < nu < 0.5 */
    double density; /* >= 0, mass / length^3; 0: not given */
} ew_material;

typedef struct ew_materials {
    int32_t n;             /* = mesh.n_region */
    ew_material *material; /* [n] owned */
    double *lame;          /* [n][2] owned: lambda, mu */
} ew_materials;
/* Copies the list and derives the Lame constants; EW_BAD_ARGUMENT names region index, field, value
 * and the allowed range. */
ew_status ew_materials_init(ew_materials *materials, int32_t n, const ew_material *material);
void ew_materials_free(ew_materials *materials);

/* Gradients of the barycentric functions g[4][3] (1/length) and volume of a live tet. */
void ew_element_gradients(const ew_mesh *mesh, int32_t tet, double gradient[4][3], double *volume);
/* strain[6] of nodal displacements u (the mesh-wide array [n_vertex][3]). */
void ew_element_strain(const ew_mesh *mesh, int32_t tet, const double *u, double strain[6]);
/* stress = lambda tr(eps) I + 2 mu eps. */
void ew_stress_of_strain(const double lame[2], const double strain[6], double stress[6]);
double ew_von_mises(const double stress[6]);
/* Eigenvalues of the stress tensor, largest first; Smith (1961), trigonometric closed form, safe
 * for equal values. */
void ew_principal(const double stress[6], double principal[3]);

#ifdef __cplusplus
}
#endif
#endif
