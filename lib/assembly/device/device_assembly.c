/* Common functions of all matrices on a device: the checks of revisions around a computation of
 * blocks. */
#include "assembly/device/device_blocks.h"

static const ew_device_pattern *pattern_of(const ew_device_source *from)
{
    return from->pattern ? from->pattern : &from->mesh->pattern;
}

/* The source, the copy of the mesh and, without fp64, the host's blocks belong together. */
static ew_status check_source(const ew_device_source *from)
{
    const ew_source *source = from->source;
    const uint64_t copy = pattern_of(from)->revision;
    const bool has_double = ew_device_about(from->mesh->device)->has_double;
    EW_TRY(from->check && has_double ? from->check(from) : source->check(source));
    if (!copy || copy != source->pattern->revision) {
        return ew_fail(EW_STALE,
                       "device matrix: the copy of the mesh is at revision %llu, the tables at "
                       "%llu; update or build it first",
                       (unsigned long long)copy, (unsigned long long)source->pattern->revision);
    }
    if (!has_double && (!from->host || from->host->revision != source->pattern->revision)) {
        return ew_fail(EW_STALE,
                       "device matrix: without fp64 the blocks come from the host's matrix, which "
                       "must be at mesh revision %llu",
                       (unsigned long long)source->pattern->revision);
    }
    return EW_OK;
}

static ew_status check_change(const ew_device_matrix *matrix, const ew_device_source *from,
                              const ew_pattern_change *change)
{
    const uint64_t copy = pattern_of(from)->revision;
    if (!matrix->revision || matrix->revision != change->from_revision ||
        copy != change->to_revision) {
        return ew_fail(EW_STALE,
                       "device matrix: at revision %llu and the copy of the mesh at %llu, but the "
                       "change leads from %llu to %llu; build it again",
                       (unsigned long long)matrix->revision, (unsigned long long)copy,
                       (unsigned long long)change->from_revision,
                       (unsigned long long)change->to_revision);
    }
    if (matrix->block != from->source->block ||
        matrix->diagonal_only != from->source->diagonal_only) {
        return ew_fail(EW_STALE, "device matrix: it has blocks of another kind; build it again");
    }
    int32_t n = matrix->n_constants;
    if (from->source->constants(from->source, &n) != matrix->constants) {
        return ew_fail(EW_STALE, "device matrix: material constants that are in its blocks have "
                                 "changed; build it again");
    }
    return EW_OK;
}

/* From here on a failure leaves neither the old blocks nor the new ones. */
static ew_status compute_blocks(ew_device_matrix *matrix, const ew_device_source *from,
                                const ew_pattern_change *change)
{
    const ew_source *source = from->source;
    const ew_device_pattern *pattern = pattern_of(from);
    matrix->revision = 0;
    EW_TRY(ew_device_matrix_reserve(matrix, pattern));
    EW_TRY(ew_upload_begin(&matrix->upload, matrix->device));
    EW_TRY(matrix->has_double ? from->compute(from, matrix, change)
                              : ew_device_narrow(matrix, source->pattern, from->host, change));
    EW_TRY(ew_device_finish(matrix->device));
    matrix->n_row = pattern->n_row;
    matrix->n_pair = pattern->n_pair;
    matrix->uploaded_bytes = matrix->upload.bytes;
    matrix->n_constants = -1;
    matrix->constants = source->constants(source, &matrix->n_constants);
    matrix->revision = pattern->revision;
    return EW_OK;
}

ew_status ew_device_source_build(ew_device_matrix *matrix, const ew_device_source *from,
                                 ew_precision precision)
{
    const bool has_single = precision != EW_DOUBLE;
    ew_device *device = from->mesh->device;
    if (precision != EW_SINGLE || from->source->diagonal_only) {
        EW_TRY(ew_device_need_double(device, from->source->name));
    }
    EW_TRY(check_source(from));
    if (matrix->device != device || matrix->block != from->source->block ||
        matrix->diagonal_only != from->source->diagonal_only || matrix->has_single != has_single) {
        ew_device_matrix_free(matrix);
        matrix->device = device;
        matrix->block = from->source->block;
        matrix->diagonal_only = from->source->diagonal_only;
        matrix->has_double = ew_device_about(device)->has_double;
        matrix->has_single = has_single;
    }
    matrix->n_constants = -1; /* of no region: all are sent */
    return compute_blocks(matrix, from, NULL);
}

ew_status ew_device_source_revalidate(ew_device_matrix *matrix, const ew_device_source *from,
                                      const ew_pattern_change *change)
{
    EW_TRY(check_source(from));
    EW_TRY(check_change(matrix, from, change));
    return compute_blocks(matrix, from, change);
}

ew_status ew_device_matrix_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                 const ew_stiffness *from, ew_precision precision,
                                 const ew_matrix *host)
{
    const ew_device_stiffness there = ew_device_stiffness_of(from, mesh, host);
    return ew_device_source_build(matrix, &there.as, precision);
}

ew_status ew_device_matrix_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_stiffness *from, const ew_pattern_change *change,
                                      const ew_matrix *host)
{
    const ew_device_stiffness there = ew_device_stiffness_of(from, mesh, host);
    return ew_device_source_revalidate(matrix, &there.as, change);
}

ew_status ew_device_matrix_verify(const ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                  const ew_stiffness *from, int64_t *n_different, double *largest)
{
    const ew_pattern *pattern = from->source.pattern;
    const ew_precision precision = matrix->has_single ? EW_MIXED : EW_DOUBLE;
    ew_device_matrix beside = {0};
    ew_matrix ours = {0}, fresh = {0};
    ew_status status;
    EW_TRY_OUT(ew_device_matrix_need_current(matrix, &mesh->pattern));
    EW_TRY_OUT(ew_device_matrix_download(matrix, &ours));
    EW_TRY_OUT(ew_device_matrix_build(&beside, mesh, from, precision, NULL));
    EW_TRY_OUT(ew_device_matrix_download(&beside, &fresh));
    EW_TRY_OUT(ew_matrix_compare(&ours, pattern, &fresh, pattern, n_different, largest));
out:
    ew_device_matrix_free(&beside);
    ew_matrix_free(&ours);
    ew_matrix_free(&fresh);
    return status;
}
