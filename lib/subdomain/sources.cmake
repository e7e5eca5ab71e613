# Source files of the module subdomain, in alphabetical order.
set(sources
    atoms.c
    balance.c
    exchange.c
    queue.c
    records.c
    route.c
    subdomain.c
)
