/* edge_mass: private to assembly. What the files of the mass of quadratic tets share. */
#ifndef EW_ASSEMBLY_EDGE_MASS_H
#define EW_ASSEMBLY_EDGE_MASS_H

#include "assembly/parts/assembly.h"

/* Of the mass of a tet, in the middle of each edge; the rest is at the corners. */
#define EW_MASS_OF_EDGE (4.0 / 27.0)

/* Of a tet with curved sides: what a product has for its corners and its edges; behind that the
 * volumes of the points of its rule, which are of the mesh alone. */
enum { EW_MASS_OF_CURVED = 30, EW_CURVED_ROOM = EW_MASS_OF_CURVED + EW_CURVED_POINTS };

static inline double ew_edge_mass_density(const ew_edge_mass *mass, int32_t tet)
{
    return mass->of.materials->material[mass->of.mesh->region[tet]].density;
}

/* The consistent product of the tets with straight sides, called as ew_edge_mass_add.
 * (edge_mass_straight.c) */
void ew_edge_mass_add_straight(const ew_edge_mass *mass, ew_edge_part part, double factor,
                               const double *x, double *y);

#endif
