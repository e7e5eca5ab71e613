# Source files of the module removal, in alphabetical order.
set(sources
    choose.c
    design.c
    filter.c
    removal.c
)
