/* Part of assembly: what a matrix is the sum of: stiffness, mass, geometric stiffness, nonlinear
 * bodies, combinations; build, revalidate, verify. */
#ifndef EW_ASSEMBLY_SOURCES_H
#define EW_ASSEMBLY_SOURCES_H

#include "element/element.h"
#include "matrix/matrix.h"
#include "topology/topology.h"

EW_BEGIN_API

/* ---- mass (mass.c) ----------------------------------------------------- */

typedef enum ew_mass_kind {
    EW_MASS_LUMPED,    /* rho V / 4 on the diagonal, nothing else: pairs are not stored */
    EW_MASS_CONSISTENT /* rho V / 10 on the diagonal, rho V / 20 for each pair */
} ew_mass_kind;

EW_END_API
#endif
