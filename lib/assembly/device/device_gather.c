/* Blocks gathered on a device, each from its own tets in ascending order, with the bits of the
 * host's. In: the copy of the mesh there, the constants of its regions, ids of blocks. Out: double
 * blocks, and where they are kept the single-precision pairs and row sums. */
#include "assembly/device/device_blocks.h"

#include <stdio.h>

/* Common arguments of the launches. */
typedef struct gather {
    ew_device_matrix *matrix;
    const ew_device_mesh *mesh;
    char options[80]; /* names the function that sums the formulation's contributions */
    bool has_axes;    /* by tet */
} gather;

static ew_status compute_pairs(const gather *in, const ew_block_list *list)
{
    ew_device_matrix *matrix = in->matrix;
    const ew_device_mesh *mesh = in->mesh;
    const int32_t keep_single = matrix->has_single;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "pair_blocks", in->options, &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_VALUE(keep_single),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&mesh->pattern.pair_row),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&matrix->kind_constants),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(&matrix->pair_single),
                                    EW_ARG_BUFFER(&mesh->axes)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP,
                         in->has_axes ? 16 : 15, argument);
}

static ew_status compute_diagonal(const gather *in, const ew_block_list *list)
{
    ew_device_matrix *matrix = in->matrix;
    const ew_device_mesh *mesh = in->mesh;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "diagonal_blocks", in->options, &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&matrix->kind_constants),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&matrix->diagonal),
                                    EW_ARG_BUFFER(&mesh->axes)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP,
                         in->has_axes ? 13 : 12, argument);
}

/* ---- what is computed ------------------------------------------------------ */

/* Constants of regions that are new to the blocks. The others have not changed. */
static ew_status send_constants(ew_device_matrix *matrix, const ew_stiffness *from)
{
    const int32_t n = from->mesh->n_region;
    if (matrix->n_constants == n) {
        return EW_OK;
    }
    const size_t size = sizeof(double) * (size_t)from->element->n_constant;
    return ew_upload_whole(&matrix->upload, &matrix->kind_constants, size * (size_t)n,
                           from->element->constants(from->materials));
}

static ew_status compute(const ew_device_source *source, ew_device_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_stiffness *from = ((const ew_device_stiffness *)source)->from;
    const ew_device_mesh *mesh = source->mesh;
    gather in = {.matrix = matrix,
                 .mesh = mesh,
                 .has_axes = from->materials->axes && !from->materials->is_isotropic};
    ew_block_list pairs = {0}, rows, ground;
    snprintf(in.options, sizeof in.options, "-DEW_SUM_CONTRIBUTIONS=%s%s", from->element->kernel,
             in.has_axes ? " -DEW_AXES" : "");
    EW_TRY(ew_need_device_axes(mesh, from->materials));
    EW_TRY(send_constants(matrix, from));
    if (!matrix->diagonal_only) {
        EW_TRY(ew_put_pairs(matrix, change, mesh->pattern.n_pair, &pairs));
    }
    EW_TRY(ew_put_rows(matrix, change, mesh->pattern.n_row, &rows));
    EW_TRY(ew_put_ground(&matrix->upload, from->ground, from->topology, change, !rows.listed,
                         &ground));
    EW_TRY(ew_upload_send(&matrix->upload));
    if (!matrix->diagonal_only) {
        EW_TRY(compute_pairs(&in, &pairs));
    }
    EW_TRY(compute_diagonal(&in, &rows));
    EW_TRY(ew_compute_ground(matrix, &ground));
    return matrix->has_single && !matrix->diagonal_only ? ew_compute_row_sums(matrix, mesh, &rows)
                                                        : EW_OK;
}

ew_device_stiffness ew_device_stiffness_of(const ew_stiffness *from, const ew_device_mesh *mesh,
                                           const ew_matrix *host)
{
    return (ew_device_stiffness){
        .as = {.source = &from->source, .mesh = mesh, .host = host, .compute = compute},
        .from = from};
}
