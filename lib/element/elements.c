/* The table of elements. In: a name, or the materials of a mesh. Out: a descriptor. */
#include "element/parts/element.h"

#include <string.h>

static const ew_element *const elements[] = {&ew_element_linear, &ew_element_anisotropic,
                                             &ew_element_mixed};

const ew_element *ew_element_named(const char *name)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (!strcmp(elements[i]->name, name)) {
            return elements[i];
        }
    }
    return NULL;
}

const ew_element *ew_element_for(const ew_materials *materials)
{
    return materials->is_mixed       ? &ew_element_mixed
           : materials->is_isotropic ? &ew_element_linear
                                     : &ew_element_anisotropic;
}
