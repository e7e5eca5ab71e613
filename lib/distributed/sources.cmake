# Source files of the module distributed, in alphabetical order.
set(sources
    edit.c
    levels.c
    solve.c
    team.c
)
