# Source files of the module shape, in alphabetical order.
set(sources
    bracket.c
    builder.c
    shapes.c
)
