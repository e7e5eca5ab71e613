# Source files of the module contact, in alphabetical order.
set(sources
    clip.c
    curved.c
    faces.c
    memory.c
    near.c
    pairs.c
    rigid.c
    rigid_points.c
    rigid_triangles.c
    rows.c
    tree.c
    update.c
)
