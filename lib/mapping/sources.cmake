# Source files of the module mapping, in alphabetical order.
set(sources
    bind.c
    carry.c
    follow.c
    grid.c
    place.c
    surface_load.c
)
