# Source files of the module evolution, in alphabetical order.
set(sources
    choose.c
    design.c
    evolution.c
    filter.c
)
