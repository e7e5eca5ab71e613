# Source files of the module base, in alphabetical order.
set(sources
    affinity_schedule.c
    allocator.c
    expression.c
    list.c
    map.c
    memory.c
    refusals.c
    rows.c
    status.c
    thread_affinity.c
    thread_share.c
    threads.c
    time.c
    version.c
    word.c
)
