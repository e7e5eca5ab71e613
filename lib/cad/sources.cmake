# Source files of the module cad, in alphabetical order.
set(sources
    decode.c
    def.c
    gmsh_collect.cpp
    gmsh_geometry.cpp
    gmsh_main.cpp
    gmsh_memory.cpp
    gmsh_mesh.cpp
    gmsh_shape.cpp
    gmsh_step.cpp
    process.c
)
