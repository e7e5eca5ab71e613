/* Mass and the matrix of a time step on a device. In: the copy of the mesh there and densities, or
 * the blocks of a stiffness and a mass there. Out: blocks with the bits of the host's. */
#include "assembly/device/device_blocks.h"
#include "combine.h"

/* ---- mass ------------------------------------------------------------------ */

typedef struct device_mass {
    ew_device_source as;
    const ew_mass *from;
} device_mass;

/* Densities of regions that are new to the blocks. The others have not changed. */
static ew_status send_densities(ew_device_matrix *matrix, const ew_mass *from)
{
    const int32_t n = from->mesh->n_region;
    double *density;
    if (matrix->n_constants == n) {
        return EW_OK;
    }
    EW_TRY(ew_new(&density, (size_t)n, sizeof *density));
    for (int32_t i = 0; i < n; i++) {
        density[i] = from->materials->material[i].density;
    }
    const ew_status status = ew_upload_whole(&matrix->upload, &matrix->kind_constants,
                                             sizeof *density * (size_t)n, density);
    ew_release(density);
    return status;
}

static ew_status compute_mass_blocks(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                     const ew_block_list *list, bool diagonal, double share)
{
    const ew_device_rows *tets = diagonal ? &mesh->vertex_to_tet : &mesh->edge_to_tet;
    const int32_t is_diagonal = diagonal;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "combine", "mass_blocks", "", &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(list->n),        EW_ARG_VALUE(list->listed),
        EW_ARG_VALUE(list->first),    EW_ARG_BUFFER(&matrix->upload.staging),
        EW_ARG_VALUE(is_diagonal),    EW_ARG_VALUE(share),
        EW_ARG_BUFFER(&tets->begin),  EW_ARG_BUFFER(&tets->count),
        EW_ARG_BUFFER(&tets->item),   EW_ARG_BUFFER(&mesh->tet),
        EW_ARG_BUFFER(&mesh->region), EW_ARG_BUFFER(&matrix->kind_constants),
        EW_ARG_BUFFER(&mesh->xyz),    EW_ARG_BUFFER(diagonal ? &matrix->diagonal : &matrix->pair)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 14, argument);
}

static ew_status compute_mass(const ew_device_source *source, ew_device_matrix *matrix,
                              const ew_pattern_change *change)
{
    const ew_mass *from = ((const device_mass *)source)->from;
    const ew_device_pattern *pattern = &source->mesh->pattern;
    const double share =
        from->kind == EW_MASS_LUMPED ? EW_MASS_OF_VERTEX : EW_MASS_OF_VERTEX_SQUARE;
    ew_block_list pairs = {0}, rows;
    EW_TRY(send_densities(matrix, from));
    if (!matrix->diagonal_only) {
        EW_TRY(ew_put_pairs(matrix, change, pattern->n_pair, &pairs));
    }
    EW_TRY(ew_put_rows(matrix, change, pattern->n_row, &rows));
    EW_TRY(ew_upload_send(&matrix->upload));
    EW_TRY(compute_mass_blocks(matrix, source->mesh, &rows, true, share));
    return matrix->diagonal_only
               ? EW_OK
               : compute_mass_blocks(matrix, source->mesh, &pairs, false, EW_MASS_OF_PAIR);
}

static device_mass mass_on(const ew_device_mesh *mesh, const ew_mass *from)
{
    return (device_mass){.as = {.source = &from->source, .mesh = mesh, .compute = compute_mass},
                         .from = from};
}

ew_status ew_device_mass_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                               const ew_mass *from)
{
    const device_mass there = mass_on(mesh, from);
    EW_TRY(ew_device_need_double(mesh->device, "mass"));
    return ew_device_source_build(matrix, &there.as, EW_DOUBLE);
}

ew_status ew_device_mass_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                    const ew_mass *from, const ew_pattern_change *change)
{
    const device_mass there = mass_on(mesh, from);
    EW_TRY(ew_device_need_double(mesh->device, "mass"));
    return ew_device_source_revalidate(matrix, &there.as, change);
}

/* ---- combinations ------------------------------------------------------------ */

typedef struct device_combination {
    ew_device_source as;
    const ew_combination *from;
    const ew_device_matrix *k, *m;
} device_combination;

/* The blocks there are those of the source as it is now. */
static ew_status check_part(const ew_source *part, const ew_device_matrix *matrix)
{
    EW_TRY(part->check(part));
    int32_t n = matrix->n_constants;
    if (!matrix->revision || matrix->revision != part->pattern->revision ||
        matrix->block != part->block || matrix->diagonal_only != part->diagonal_only ||
        part->constants(part, &n) != matrix->constants) {
        return ew_fail(EW_STALE,
                       "step matrix: the blocks of the %s on the device are at revision %llu, the "
                       "tables at %llu with their own constants; bring the %s up to date first",
                       part->name, (unsigned long long)matrix->revision,
                       (unsigned long long)part->pattern->revision, part->name);
    }
    return EW_OK;
}

static ew_status check_parts(const ew_device_source *source)
{
    const device_combination *in = (const device_combination *)source;
    EW_TRY(check_part(in->from->stiffness, in->k));
    return check_part(&in->from->mass->source, in->m);
}

static ew_status combine_rows(const device_combination *in, ew_device_matrix *matrix,
                              const ew_block_list *list)
{
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "combine", "combine_diagonal", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_VALUE(in->from->of_stiffness),
                                    EW_ARG_VALUE(in->from->of_mass),
                                    EW_ARG_BUFFER(&in->as.mesh->pattern.row_to_pair.count),
                                    EW_ARG_BUFFER(&in->k->diagonal),
                                    EW_ARG_BUFFER(&in->m->diagonal),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 10, argument);
}

static ew_status combine_pairs(const device_combination *in, ew_device_matrix *matrix,
                               const ew_block_list *list)
{
    const int32_t keep_single = matrix->has_single, has_mass = !in->m->diagonal_only;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "combine", "combine_pairs", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_VALUE(keep_single),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_VALUE(in->from->of_stiffness),
                                    EW_ARG_VALUE(has_mass),
                                    EW_ARG_VALUE(in->from->of_mass),
                                    EW_ARG_BUFFER(&in->k->pair),
                                    EW_ARG_BUFFER(&in->m->pair),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(&matrix->pair_single)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 12, argument);
}

static ew_status compute_combination(const ew_device_source *source, ew_device_matrix *matrix,
                                     const ew_pattern_change *change)
{
    const device_combination *in = (const device_combination *)source;
    const ew_device_pattern *pattern = &source->mesh->pattern;
    ew_block_list pairs = {0}, rows;
    if (!matrix->diagonal_only) {
        EW_TRY(ew_put_pairs(matrix, change, pattern->n_pair, &pairs));
    }
    EW_TRY(ew_put_rows(matrix, change, pattern->n_row, &rows));
    EW_TRY(ew_upload_send(&matrix->upload));
    EW_TRY(combine_rows(in, matrix, &rows));
    if (!matrix->diagonal_only) {
        EW_TRY(combine_pairs(in, matrix, &pairs));
    }
    return matrix->has_single && !matrix->diagonal_only
               ? ew_compute_row_sums(matrix, source->mesh, &rows)
               : EW_OK;
}

static device_combination combination_on(const ew_device_mesh *mesh, const ew_combination *from,
                                         const ew_device_matrix *k, const ew_device_matrix *m,
                                         const ew_matrix *host)
{
    return (device_combination){.as = {.source = &from->source,
                                       .mesh = mesh,
                                       .host = host,
                                       .check = check_parts,
                                       .compute = compute_combination},
                                .from = from,
                                .k = k,
                                .m = m};
}

ew_status ew_device_combination_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_combination *from, const ew_device_matrix *k,
                                      const ew_device_matrix *m, ew_precision precision,
                                      const ew_matrix *host)
{
    const device_combination there = combination_on(mesh, from, k, m, host);
    return ew_device_source_build(matrix, &there.as, precision);
}

ew_status ew_device_combination_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                           const ew_combination *from, const ew_device_matrix *k,
                                           const ew_device_matrix *m,
                                           const ew_pattern_change *change, const ew_matrix *host)
{
    const device_combination there = combination_on(mesh, from, k, m, host);
    return ew_device_source_revalidate(matrix, &there.as, change);
}
