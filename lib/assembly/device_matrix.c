/* The diagonal-edge matrix on a device. In: mesh, tables and materials, uploaded whole. Out: blocks
 * computed there by kernels/assemble.cl, with the bits of the host's. Without fp64 the host's
 * blocks are uploaded in single precision, and of the tables only the pattern. */
#include "assembly/device_blocks.h"

#define GROUP_ITEMS 64

static size_t words(int64_t n)
{
    return sizeof(int32_t) * (size_t)n;
}

static ew_status reserve_rows(ew_device *device, const ew_rows *rows, ew_buffer *begin,
                              ew_buffer *count, ew_buffer *item)
{
    EW_TRY(ew_buffer_reserve(device, begin, words(rows->n_row)));
    EW_TRY(ew_buffer_reserve(device, count, words(rows->n_row)));
    return ew_buffer_reserve(device, item, words((int64_t)rows->width * rows->n_item));
}

static ew_status reserve_mesh(ew_device_matrix *matrix, const ew_mesh *mesh,
                              const ew_topology *topology, const ew_materials *materials)
{
    ew_device *device = matrix->device;
    EW_TRY(ew_buffer_reserve(device, &matrix->xyz, 3 * sizeof(double) * (size_t)mesh->n_vertex));
    EW_TRY(ew_buffer_reserve(device, &matrix->tet, words(4 * (int64_t)mesh->n_tet)));
    EW_TRY(ew_buffer_reserve(device, &matrix->region, words(mesh->n_tet)));
    EW_TRY(ew_buffer_reserve(device, &matrix->lame, 2 * sizeof(double) * (size_t)materials->n));
    EW_TRY(
        ew_buffer_reserve(device, &matrix->pair_row, words(2 * (int64_t)topology->pattern.n_pair)));
    EW_TRY(reserve_rows(device, &topology->edge_to_tet, &matrix->edge_begin, &matrix->edge_count,
                        &matrix->edge_item));
    return reserve_rows(device, &topology->vertex_to_tet, &matrix->vertex_begin,
                        &matrix->vertex_count, &matrix->vertex_item);
}

ew_status ew_device_matrix_reserve(ew_device_matrix *matrix, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_materials *materials)
{
    ew_device *device = matrix->device;
    const ew_pattern *pattern = &topology->pattern;
    size_t rows = 9 * (size_t)pattern->n_row, edges = 9 * (size_t)pattern->n_pair;
    EW_TRY(reserve_rows(device, &pattern->row_to_pair, &matrix->row_begin, &matrix->row_count,
                        &matrix->row_item));
    if (matrix->has_double) {
        EW_TRY(reserve_mesh(matrix, mesh, topology, materials));
        EW_TRY(ew_buffer_reserve(device, &matrix->diagonal, rows * sizeof(double)));
        EW_TRY(ew_buffer_reserve(device, &matrix->pair, edges * sizeof(double)));
    } else {
        EW_TRY(ew_buffer_reserve(device, &matrix->diagonal_single, rows * sizeof(float)));
    }
    if (matrix->has_single) {
        EW_TRY(ew_buffer_reserve(device, &matrix->row_sum, rows * sizeof(float)));
        EW_TRY(ew_buffer_reserve(device, &matrix->pair_single, edges * sizeof(float)));
    }
    matrix->n_row = pattern->n_row;
    matrix->n_pair = pattern->n_pair;
    matrix->n_tet = mesh->n_tet;
    return EW_OK;
}

ew_status ew_device_matrix_upload(ew_device_matrix *matrix, ew_buffer *buffer, size_t bytes,
                                  const void *data)
{
    EW_TRY(ew_buffer_write(matrix->device, buffer, 0, bytes, data));
    matrix->uploaded_bytes += bytes;
    return EW_OK;
}

static ew_status upload_rows(ew_device_matrix *matrix, const ew_rows *rows, ew_buffer *begin,
                             ew_buffer *count, ew_buffer *item)
{
    EW_TRY(ew_device_matrix_upload(matrix, begin, words(rows->n_row), rows->begin));
    EW_TRY(ew_device_matrix_upload(matrix, count, words(rows->n_row), rows->count));
    return ew_device_matrix_upload(matrix, item, words((int64_t)rows->width * rows->n_item),
                                   rows->item);
}

ew_status ew_device_matrix_upload_positions(ew_device_matrix *matrix, const ew_mesh *mesh)
{
    return ew_device_matrix_upload(matrix, &matrix->xyz,
                                   3 * sizeof(double) * (size_t)mesh->n_vertex, mesh->xyz);
}

ew_status ew_device_matrix_upload_tables(ew_device_matrix *matrix, const ew_mesh *mesh,
                                         const ew_topology *topology)
{
    const ew_pattern *pattern = &topology->pattern;
    EW_TRY(upload_rows(matrix, &pattern->row_to_pair, &matrix->row_begin, &matrix->row_count,
                       &matrix->row_item));
    if (!matrix->has_double) {
        return EW_OK;
    }
    EW_TRY(
        ew_device_matrix_upload(matrix, &matrix->tet, words(4 * (int64_t)mesh->n_tet), mesh->tet));
    EW_TRY(ew_device_matrix_upload(matrix, &matrix->region, words(mesh->n_tet), mesh->region));
    EW_TRY(ew_device_matrix_upload(matrix, &matrix->pair_row, words(2 * (int64_t)pattern->n_pair),
                                   pattern->pair_row));
    EW_TRY(upload_rows(matrix, &topology->edge_to_tet, &matrix->edge_begin, &matrix->edge_count,
                       &matrix->edge_item));
    return upload_rows(matrix, &topology->vertex_to_tet, &matrix->vertex_begin,
                       &matrix->vertex_count, &matrix->vertex_item);
}

/* All blocks, narrowed, into a single-precision buffer. */
static ew_status upload_narrowed(ew_device_matrix *matrix, ew_buffer *buffer, const double *value,
                                 size_t n)
{
    float *narrow = NULL;
    EW_TRY(ew_new(&narrow, n, sizeof *narrow));
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)value[i];
    }
    ew_status status = ew_device_matrix_upload(matrix, buffer, n * sizeof *narrow, narrow);
    ew_release(narrow);
    return status;
}

ew_status ew_device_matrix_upload_blocks(ew_device_matrix *matrix, const ew_matrix *host,
                                         const ew_pattern *pattern)
{
    size_t size = 9 * sizeof(float);
    ew_matrix_single single = {0};
    ew_status status;
    EW_TRY_OUT(ew_matrix_single_copy(&single, host, pattern));
    EW_TRY_OUT(ew_device_matrix_upload(matrix, &matrix->row_sum, size * (size_t)single.n_row,
                                       single.row_sum));
    EW_TRY_OUT(ew_device_matrix_upload(matrix, &matrix->pair_single, size * (size_t)single.n_pair,
                                       single.pair));
    /* the preconditioner's, which finds what is beyond the range of float */
    EW_TRY_OUT(
        upload_narrowed(matrix, &matrix->diagonal_single, host->diagonal, 9 * (size_t)host->n_row));
out:
    ew_matrix_single_free(&single);
    return status;
}

static ew_status compute_edges(ew_device_matrix *matrix, const ew_block_list *list)
{
    int32_t n = list->all ? matrix->n_pair : list->n, listed = !list->all;
    int32_t keep_single = matrix->has_single;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "edge_blocks", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_VALUE(keep_single),
                                    EW_ARG_BUFFER(&matrix->staging),
                                    EW_ARG_BUFFER(&matrix->pair_row),
                                    EW_ARG_BUFFER(&matrix->edge_begin),
                                    EW_ARG_BUFFER(&matrix->edge_count),
                                    EW_ARG_BUFFER(&matrix->edge_item),
                                    EW_ARG_BUFFER(&matrix->tet),
                                    EW_ARG_BUFFER(&matrix->region),
                                    EW_ARG_BUFFER(&matrix->lame),
                                    EW_ARG_BUFFER(&matrix->xyz),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(&matrix->pair_single)};
    return ew_kernel_run(matrix->device, kernel, (size_t)n, GROUP_ITEMS, 15, argument);
}

static ew_status compute_diagonal(ew_device_matrix *matrix, const ew_block_list *list)
{
    int32_t n = list->all ? matrix->n_row : list->n, listed = !list->all;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "diagonal_blocks", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->staging),
                                    EW_ARG_BUFFER(&matrix->vertex_begin),
                                    EW_ARG_BUFFER(&matrix->vertex_count),
                                    EW_ARG_BUFFER(&matrix->vertex_item),
                                    EW_ARG_BUFFER(&matrix->tet),
                                    EW_ARG_BUFFER(&matrix->region),
                                    EW_ARG_BUFFER(&matrix->lame),
                                    EW_ARG_BUFFER(&matrix->xyz),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)n, GROUP_ITEMS, 12, argument);
}

static ew_status compute_row_sums(ew_device_matrix *matrix, const ew_block_list *list)
{
    int32_t n = list->all ? matrix->n_row : list->n, listed = !list->all;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "row_sums", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->staging),
                                    EW_ARG_BUFFER(&matrix->row_begin),
                                    EW_ARG_BUFFER(&matrix->row_count),
                                    EW_ARG_BUFFER(&matrix->row_item),
                                    EW_ARG_BUFFER(&matrix->diagonal),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(&matrix->row_sum)};
    return ew_kernel_run(matrix->device, kernel, (size_t)n, GROUP_ITEMS, 10, argument);
}

ew_status ew_device_matrix_compute(ew_device_matrix *matrix, const ew_block_list *edges,
                                   const ew_block_list *vertices)
{
    EW_TRY(compute_edges(matrix, edges));
    EW_TRY(compute_diagonal(matrix, vertices));
    return matrix->has_single ? compute_row_sums(matrix, vertices) : EW_OK;
}

ew_status ew_device_matrix_check_source(const ew_device_matrix *matrix, const ew_mesh *mesh,
                                        const ew_topology *topology, const ew_materials *materials,
                                        const ew_matrix *host)
{
    const ew_stiffness stiffness = ew_stiffness_of(mesh, topology, materials);
    EW_TRY(stiffness.source.check(&stiffness.source));
    if (!matrix->has_double && (!host || host->revision != mesh->revision)) {
        return ew_fail(EW_STALE,
                       "device matrix: without fp64 the blocks come from the host's matrix, which "
                       "must be at mesh revision %llu",
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}

void ew_device_matrix_seal(ew_device_matrix *matrix, const ew_mesh *mesh,
                           const ew_materials *materials)
{
    matrix->n_constants = mesh->n_region;
    matrix->constants = ew_materials_revision(materials, mesh->n_region);
    matrix->revision = mesh->revision;
}

static ew_status check_precision(const ew_device *device, ew_precision precision)
{
    const ew_device_info *about = ew_device_about(device);
    if (precision != EW_SINGLE && !about->has_double) {
        return ew_fail(EW_UNSUPPORTED,
                       "%s has no double precision (fp64): use --precision single or --device host",
                       about->name);
    }
    return EW_OK;
}

static ew_status fill(ew_device_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                      const ew_materials *materials, const ew_matrix *host)
{
    const ew_block_list all = {.all = true};
    EW_TRY(ew_device_matrix_check_source(matrix, mesh, topology, materials, host));
    EW_TRY(ew_device_matrix_reserve(matrix, mesh, topology, materials));
    EW_TRY(ew_device_matrix_warm_up(matrix));
    EW_TRY(ew_device_matrix_upload_tables(matrix, mesh, topology));
    if (!matrix->has_double) {
        return ew_device_matrix_upload_blocks(matrix, host, &topology->pattern);
    }
    EW_TRY(ew_device_matrix_upload(matrix, &matrix->lame, 2 * sizeof(double) * (size_t)materials->n,
                                   materials->lame));
    EW_TRY(ew_device_matrix_upload_positions(matrix, mesh));
    EW_TRY(ew_device_matrix_compute(matrix, &all, &all));
    return ew_device_finish(matrix->device);
}

ew_status ew_device_matrix_build(ew_device_matrix *matrix, ew_device *device,
                                 ew_precision precision, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_materials *materials,
                                 const ew_matrix *host)
{
    EW_TRY(check_precision(device, precision));
    ew_device_matrix fresh = {.device = device,
                              .has_double = ew_device_about(device)->has_double,
                              .has_single = precision == EW_MIXED || precision == EW_SINGLE};
    ew_status status = fill(&fresh, mesh, topology, materials, host);
    if (status) {
        ew_device_matrix_free(&fresh);
        return status;
    }
    ew_device_matrix_seal(&fresh, mesh, materials);
    ew_device_matrix_free(matrix);
    *matrix = fresh;
    return EW_OK;
}

void ew_device_matrix_free(ew_device_matrix *matrix)
{
    ew_buffer *const buffer[] = {&matrix->xyz,
                                 &matrix->tet,
                                 &matrix->region,
                                 &matrix->lame,
                                 &matrix->pair_row,
                                 &matrix->row_begin,
                                 &matrix->row_count,
                                 &matrix->row_item,
                                 &matrix->edge_begin,
                                 &matrix->edge_count,
                                 &matrix->edge_item,
                                 &matrix->vertex_begin,
                                 &matrix->vertex_count,
                                 &matrix->vertex_item,
                                 &matrix->diagonal,
                                 &matrix->pair,
                                 &matrix->diagonal_single,
                                 &matrix->pair_single,
                                 &matrix->row_sum,
                                 &matrix->staging};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    ew_release(matrix->host_staging);
    *matrix = (ew_device_matrix){0};
}

ew_status ew_device_matrix_download(const ew_device_matrix *device, ew_matrix *matrix)
{
    if (!device->has_double) {
        return ew_fail(EW_UNSUPPORTED,
                       "device matrix: without fp64 there are no double blocks to download; the "
                       "host's matrix is their source");
    }
    size_t size = 9 * sizeof(double);
    matrix->revision = 0;
    matrix->block = 3;
    EW_TRY(ew_grow(&matrix->diagonal, &matrix->row_capacity, device->n_row, size));
    EW_TRY(ew_grow(&matrix->pair, &matrix->pair_capacity, device->n_pair, size));
    EW_TRY(ew_buffer_read(device->device, &device->diagonal, 0, size * (size_t)device->n_row,
                          matrix->diagonal));
    EW_TRY(ew_buffer_read(device->device, &device->pair, 0, size * (size_t)device->n_pair,
                          matrix->pair));
    matrix->n_row = device->n_row;
    matrix->n_pair = device->n_pair;
    matrix->revision = device->revision;
    matrix->n_constants = device->n_constants;
    matrix->constants = device->constants;
    return EW_OK;
}
