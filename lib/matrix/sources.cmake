# Source files of the module matrix, in alphabetical order.
set(sources
    check.c
    columns_product.c
    device_matrix.c
    device_pattern.c
    device_product.c
    extended_product.c
    matrix.c
    product.c
    scalar_product.c
    single.c
)
