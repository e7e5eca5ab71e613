# Source files of the module topology, in alphabetical order.
set(sources
    boundary.c
    build.c
    check.c
    copy.c
    faces.c
    query.c
    select_faces.c
    update.c
    update_add.c
    update_bulk.c
)
