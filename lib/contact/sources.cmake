# Source files of the module contact, in alphabetical order.
set(sources
    clip.c
    faces.c
    pairs.c
    rows.c
    tree.c
)
