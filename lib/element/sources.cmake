# Source files of the module element, in alphabetical order.
set(sources
    anisotropic.c
    elements.c
    frequency.c
    internal_force.c
    law_creep.c
    law_elastic.c
    law_mooney_rivlin.c
    law_neo_hookean.c
    law_von_mises.c
    laws.c
    library.c
    linear.c
    material.c
    stiffness.c
    stress.c
)
