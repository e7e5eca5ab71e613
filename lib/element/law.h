/* element, private: what the files of laws share. */
#ifndef EW_ELEMENT_LAW_H
#define EW_ELEMENT_LAW_H

#include "element/parts/element.h"

/* lambda, mu. */
static inline void element_lame(const ew_material *material, double lame[2])
{
    const double young = material->young, poisson = material->poisson;
    lame[0] = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    lame[1] = young / (2.0 * (1.0 + poisson));
}

#endif
