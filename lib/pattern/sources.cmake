# Source files of the module pattern, in alphabetical order.
set(sources
    change.c
    pattern.c
)
