/* element: one tet at a time. Gradients, volume, stiffness block, mass, loads, strain,
 * stress. The formulas that host and kernels share are in kernels/tet.h, valid as C11 and as
 * OpenCL C 1.2; compiled without contraction they give the same bits on both.
 *
 * Voigt order everywhere: xx yy zz xy yz xz. Strain is engineering shear (gamma = 2 eps). */
#ifndef EW_ELEMENT_H
#define EW_ELEMENT_H

#include "base/base.h"

EW_BEGIN_API

/* Isotropic linear elastic, by region index of the mesh. */
typedef struct ew_material {
    double young;     /* E > 0, force / length^2 */
    double poisson;   /* -1 < nu < 0.5 */
    double density;   /* >= 0, mass / length^3; 0: not given */
    double expansion; /* linear, 1/K; 0: not given */
} ew_material;

typedef struct ew_materials {
    int32_t n;             /* regions of the mesh that have one */
    ew_material *material; /* [n] owned */
    double *lame;          /* [n][2] owned: lambda, mu */
} ew_materials;
/* Copies the list and derives the Lame constants; EW_BAD_ARGUMENT names region index, field, value
 * and the allowed range. */
ew_status ew_materials_init(ew_materials *materials, int32_t n, const ew_material *material);
void ew_materials_free(ew_materials *materials);
/* A number made of the elastic constants of the first n regions: blocks that were computed from
 * them are current while it is the same. */
uint64_t ew_materials_revision(const ew_materials *materials, int32_t n);
/* The same of their densities. */
uint64_t ew_materials_density_revision(const ew_materials *materials, int32_t n);

/* ---- formulations ------------------------------------------------------ */

/* Most doubles that `prepare` writes. */
#define EW_MAX_TERMS 16

/* A formulation: what one tet gives to a matrix, and what is recovered in it. The functions see
 * positions x [4][3] and a region's `constants` (linear: lambda, mu), never a mesh.
 *
 * To add one: a file here with its functions and descriptor, a line in ew_elements, and its kernel
 * text in kernels/. */
typedef struct ew_element {
    const char *name;   /* as in a case file */
    int32_t n_node;     /* nodes of a tet */
    int32_t block;      /* rows and columns of a block: components of a node */
    int32_t n_state;    /* doubles of state per tet that the law carries along */
    const char *kernel; /* function of kernels/assemble.cl that sums its contributions */
    /* What all blocks of a tet share, at most EW_MAX_TERMS doubles. */
    void (*prepare)(const double *x, const double *constants, double *term);
    /* block [3][3] += K_pq, p and q being local nodes; exactly symmetric for p = q and exactly the
     * transpose of K_qp. */
    void (*add)(const double *term, int p, int q, double *block);
    /* sum [6] += K_pp as xx, xy, xz, yy, yz, zz, with the same bits as `add`. */
    void (*add_diagonal)(const double *term, int p, double *sum);
    void (*strain)(const double *x, const double *u,
                   double *strain); /* of displacements u [4][3] */
    void (*stress)(const double *constants, const double *strain, double *stress);
} ew_element;

/* 4-node tet, constant strain, isotropic. */
extern const ew_element ew_element_linear;
/* The formulation of this name, or null. */
const ew_element *ew_element_named(const char *name);

/* Gradients of the barycentric functions g[4][3] (1/length) of corners x [4][3]; the volume. */
double ew_element_gradients(const double *x, double g[4][3]);
/* strain[6] of a linear tet with corners x [4][3] and displacements u [4][3]. */
void ew_element_strain(const double *x, const double *u, double *strain);
/* stress = lambda tr(eps) I + 2 mu eps. */
void ew_stress_of_strain(const double *lame, const double *strain, double *stress);
double ew_von_mises(const double stress[6]);
/* The largest frequency (rad per time) squared of a free linear tet with corners x [4][3] and
 * lumped mass; with a consistent mass five times that. No body of such tets has a larger one. */
double ew_element_frequency_squared(const double *x, const double *lame, double density);
/* Eigenvalues of the stress tensor, largest first; Smith (1961), trigonometric closed form, safe
 * for equal values. */
void ew_principal(const double stress[6], double principal[3]);

EW_END_API
#endif
