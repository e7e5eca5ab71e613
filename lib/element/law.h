/* element, private: what the files of laws share. */
#ifndef EW_ELEMENT_LAW_H
#define EW_ELEMENT_LAW_H

#include "element/element.h"

/* lambda, mu. */
void element_lame(const ew_material *material, double lame[2]);

#endif
