/* Private to lib/element: from what a material is given by to its moduli (kernels/anisotropic.h).
 */
#ifndef EW_ELEMENT_STIFFNESS_H
#define EW_ELEMENT_STIFFNESS_H

#include "element/parts/element.h"

/* Of a material that is not isotropic; `moduli` [EW_MODULI_WIDTH] is zero. expansion [6]: along
 * their axes. EW_BAD_ARGUMENT says what is wrong with which constant, or with the axes. */
ew_status ew_moduli_of(const ew_material *material, double *moduli, double *expansion);
/* The Cholesky factor, lower, by rows, of moduli [21]; -1, or the number of the first row, from 0,
 * whose pivot is not positive, with *least what its diagonal entry must be greater than. */
int ew_moduli_factor(const double *moduli, double factor[6][6], double *least);

#endif
