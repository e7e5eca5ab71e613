/* y = K x on a device. In: blocks and the pattern there, a vector. Out: the product, or the
 * filtered one with partial sums of its dot product. Kernels: product.cl, of which a GPU runs the
 * tiles and anything else the rows. The number of groups follows from the rows alone. */
#include "matrix/parts/matrix.h"

#define GROUP_ROWS 128 /* GROUP of kernels/product.cl: items and rows */
#define TILE_ROWS  28  /* its ROWS */
#define TILE_ITEMS 252 /* and ITEMS */

/* How a product is launched: groups of `local` items, of which each takes `rows` rows at a time. */
typedef struct ew_launch {
    bool tiles;
    size_t group, local;
} ew_launch;

static ew_launch shape_of(const ew_device_matrix *matrix)
{
    bool tiles = ew_device_about(matrix->device)->is_gpu;
    size_t rows = tiles ? TILE_ROWS : GROUP_ROWS;
    size_t group = ((size_t)matrix->n_row + rows - 1) / rows;
    return (ew_launch){.tiles = tiles,
                       .group = group < EW_MAX_PARTIALS ? group : EW_MAX_PARTIALS,
                       .local = tiles ? TILE_ITEMS : GROUP_ROWS};
}

static ew_status check(const ew_device_matrix *matrix, const ew_device_pattern *pattern,
                       bool single)
{
    EW_TRY(ew_device_matrix_need_current(matrix, pattern));
    return ew_device_matrix_need_precision(matrix, single);
}

ew_status ew_device_matrix_product(const ew_device_matrix *matrix, const ew_device_pattern *pattern,
                                   bool single, const ew_buffer *x, ew_buffer *y)
{
    ew_launch shape = shape_of(matrix);
    size_t size = single ? sizeof(float) : sizeof(double);
    ew_kernel *kernel;
    EW_TRY(check(matrix, pattern, single));
    EW_TRY(ew_buffer_reserve(matrix->device, y, 3 * size * (size_t)matrix->n_row));
    EW_TRY(ew_device_kernel(matrix->device, "product",
                            shape.tiles ? "product_tiles" : "product_rows",
                            ew_device_real_options(matrix->device, single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(matrix->n_row),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.begin),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.count),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.item),
                                    EW_ARG_BUFFER(single ? &matrix->row_sum : &matrix->diagonal),
                                    EW_ARG_BUFFER(single ? &matrix->pair_single : &matrix->pair),
                                    EW_ARG_BUFFER(x),
                                    EW_ARG_BUFFER(y)};
    return ew_kernel_run(matrix->device, kernel, shape.group * shape.local, shape.local, 8,
                         argument);
}

ew_status ew_device_matrix_product_dot(const ew_device_matrix *matrix,
                                       const ew_device_pattern *pattern, bool single,
                                       const ew_buffer *fixed, const ew_buffer *p, ew_buffer *q,
                                       ew_buffer *partial, int32_t *n_partial)
{
    ew_launch shape = shape_of(matrix);
    ew_kernel *kernel;
    EW_TRY(check(matrix, pattern, single));
    EW_TRY(ew_device_kernel(matrix->device, "product",
                            shape.tiles ? "product_tiles_dot" : "product_rows_dot",
                            ew_device_real_options(matrix->device, single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(matrix->n_row),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.begin),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.count),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.item),
                                    EW_ARG_BUFFER(single ? &matrix->row_sum : &matrix->diagonal),
                                    EW_ARG_BUFFER(single ? &matrix->pair_single : &matrix->pair),
                                    EW_ARG_BUFFER(fixed),
                                    EW_ARG_BUFFER(p),
                                    EW_ARG_BUFFER(q),
                                    EW_ARG_BUFFER(partial)};
    *n_partial = (int32_t)shape.group;
    return ew_kernel_run(matrix->device, kernel, shape.group * shape.local, shape.local, 10,
                         argument);
}

ew_status ew_device_matrix_product_scalar(const ew_device_matrix *matrix,
                                          const ew_device_pattern *pattern, const ew_buffer *x,
                                          ew_buffer *y)
{
    const size_t n = 3 * (size_t)matrix->n_row, most = (size_t)EW_MAX_PARTIALS * GROUP_ROWS;
    const int32_t diagonal_only = matrix->diagonal_only;
    ew_kernel *kernel;
    EW_TRY(check(matrix, pattern, false));
    EW_TRY(ew_buffer_reserve(matrix->device, y, n * sizeof(double)));
    EW_TRY(ew_device_kernel(matrix->device, "scalar_product", "scalar_product", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(matrix->n_row),
                                    EW_ARG_VALUE(diagonal_only),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.begin),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.count),
                                    EW_ARG_BUFFER(&pattern->row_to_pair.item),
                                    EW_ARG_BUFFER(&matrix->diagonal),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(x),
                                    EW_ARG_BUFFER(y)};
    return ew_kernel_run(matrix->device, kernel, n < most ? n : most, GROUP_ROWS, 9, argument);
}
