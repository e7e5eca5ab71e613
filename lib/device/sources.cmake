# Source files of the module device, in alphabetical order.
set(sources
    absent.c
    buffer.c
    device.c
    error.c
    kernel.c
    rows.c
    upload.c
)
