# Source files of the module distributed, in alphabetical order.
set(sources
    balance.c
    edit.c
    levels.c
    messages.c
    peers.c
    solve.c
    team.c
)
