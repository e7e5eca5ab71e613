/* The tangent stiffness on a device, gathered from the records that are there
 * (device_internal_force.c), with the bits of the host's (tangent.c, edge_blocks.c). */
#include "assembly/device/device_edges.h"

#include <stdio.h>

typedef struct device_tangent {
    ew_device_source as;
    const ew_tangent *from;
    const ew_device_internal_force *there;
} device_tangent;

static ew_status find_kernel(const ew_device_internal_force *there, const char *function,
                             ew_kernel **kernel)
{
    const char *kind = there->width == EW_RECORD_OF_TURNED
                           ? "-DEW_RECORD=EW_TURNED_RECORD "
                             "-DEW_ADD_BETWEEN=ew_transformed_add_between"
                           : "-DEW_RECORD=EW_GENERAL_RECORD "
                             "-DEW_ADD_BETWEEN=ew_general_add_between";
    char options[120];
    snprintf(options, sizeof options, "-DN_POINT=%d %s", there->n_point, kind);
    return ew_device_kernel(there->device, "tangent", function, options, kernel);
}

static ew_status compute_pairs(const device_tangent *in, ew_device_matrix *matrix,
                               const ew_block_list *list)
{
    const ew_device_mesh *mesh = in->as.mesh;
    const int32_t keep_single = matrix->has_single;
    ew_kernel *kernel;
    EW_TRY(find_kernel(in->there, "pair_blocks", &kernel));
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
                                    EW_ARG_BUFFER(&in->there->record),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(&matrix->pair_single)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 13, argument);
}

static ew_status compute_rows(const device_tangent *in, ew_device_matrix *matrix,
                              const ew_block_list *list)
{
    const ew_device_mesh *mesh = in->as.mesh;
    ew_kernel *kernel;
    EW_TRY(find_kernel(in->there, "diagonal_blocks", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&in->there->record),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 10, argument);
}

ew_status ew_need_device_records(const ew_device_internal_force *there,
                                 const ew_internal_force *internal_force, const ew_mesh *mesh)
{
    return there->n_tet == mesh->n_tet && there->width == internal_force->width &&
                   there->n_point == internal_force->n_point
               ? EW_OK
               : ew_fail(EW_STALE,
                         "tangent: there are records of %d tets on the device, the mesh has %d; "
                         "find them again",
                         there->n_tet, mesh->n_tet);
}

ew_status ew_compute_tangent_edges(const ew_device_internal_force *there,
                                   const ew_device_mesh *mesh, const ew_device_edges *edges,
                                   ew_device_matrix *matrix, const ew_block_list *list)
{
    ew_kernel *kernel;
    EW_TRY(find_kernel(there, "edge_blocks", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&edges->edge),
                                    EW_ARG_BUFFER(&mesh->pattern.pair_row),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&there->record),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 12, argument);
}

static ew_status compute(const ew_device_source *source, ew_device_matrix *matrix,
                         const ew_pattern_change *change)
{
    const device_tangent *in = (const device_tangent *)source;
    const ew_tangent *from = in->from;
    const ew_device_pattern *pattern = &source->mesh->pattern;
    ew_block_list pairs = {0}, turns = {0}, rows, ground;
    if (!matrix->diagonal_only) {
        EW_TRY(ew_put_pairs(matrix, change, pattern->n_pair, &pairs));
        EW_TRY(
            ew_put_follower(&matrix->upload, from->follower, pairs.listed ? change : NULL, &turns));
    }
    EW_TRY(ew_put_rows(matrix, change, pattern->n_row, &rows));
    EW_TRY(ew_put_ground(&matrix->upload, from->ground, from->topology, change, !rows.listed,
                         &ground));
    EW_TRY(ew_upload_send(&matrix->upload));
    EW_TRY(compute_rows(in, matrix, &rows));
    EW_TRY(ew_compute_ground(matrix, &ground));
    if (matrix->diagonal_only) {
        return EW_OK;
    }
    EW_TRY(compute_pairs(in, matrix, &pairs));
    EW_TRY(ew_compute_follower(matrix, &turns));
    return matrix->has_single ? ew_compute_row_sums(matrix, source->mesh, &rows) : EW_OK;
}

static ew_status check(const ew_device_source *source)
{
    const device_tangent *in = (const device_tangent *)source;
    EW_TRY(source->source->check(source->source));
    return ew_need_device_records(in->there, in->from->internal_force, in->from->mesh);
}

static device_tangent tangent_on(const ew_device_mesh *mesh, const ew_tangent *from,
                                 const ew_device_internal_force *there, const ew_matrix *host)
{
    return (device_tangent){.as = {.source = &from->source,
                                   .mesh = mesh,
                                   .host = host,
                                   .check = check,
                                   .compute = compute},
                            .from = from,
                            .there = there};
}

ew_status ew_device_tangent_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                  const ew_tangent *from, const ew_device_internal_force *there,
                                  ew_precision precision, const ew_matrix *host)
{
    const device_tangent in = tangent_on(mesh, from, there, host);
    return ew_device_source_build(matrix, &in.as, precision);
}

ew_status ew_device_tangent_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                       const ew_tangent *from,
                                       const ew_device_internal_force *there,
                                       const ew_pattern_change *change, const ew_matrix *host)
{
    const device_tangent in = tangent_on(mesh, from, there, host);
    return ew_device_source_revalidate(matrix, &in.as, change);
}
