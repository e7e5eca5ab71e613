# Source files of the module meshing, in alphabetical order.
set(sources
    adjacency.c
    def.c
    order.c
    parts.c
    skin.c
    surface_smooth.c
    tetgen_process.cpp
    tetgen_shim.cpp
)
