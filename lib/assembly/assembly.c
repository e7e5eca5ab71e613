/* Common functions of all matrices: the checks of revisions around a computation of blocks. */
#include "assembly/host/blocks.h"

#include <string.h>

/* Freed pairs are zero after a build, so that two builds of one pattern are the same bytes. */
static void clear_freed_pairs(ew_matrix *matrix, const ew_pattern *pattern)
{
    const size_t size = (size_t)matrix->block * (size_t)matrix->block;
    for (int32_t pair = 0; pair < pattern->n_pair && !matrix->diagonal_only; pair++) {
        if (pattern->pair_row[2 * (size_t)pair] < 0) {
            memset(matrix->pair + size * (size_t)pair, 0, size * sizeof *matrix->pair);
        }
    }
}

int32_t ew_assembly_n_kind(int32_t n, const ew_mesh *mesh, const ew_materials *materials)
{
    return n < 0 || n > materials->n ? mesh->n_region : n;
}

ew_status ew_assembly_check_tets(const ew_source *source, const ew_mesh *mesh,
                                 const ew_materials *materials)
{
    if (source->pattern->revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "%s: the tables are at revision %llu, the mesh at %llu; update or build the "
                       "tables first",
                       source->name, (unsigned long long)source->pattern->revision,
                       (unsigned long long)mesh->revision);
    }
    if (materials->n < mesh->n_region) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: %d materials for %d regions; every region needs one",
                       source->name, materials->n, mesh->n_region);
    }
    return EW_OK;
}

/* The matrix holds what the source gives. */
static void name_source(ew_matrix *matrix, const ew_source *source)
{
    matrix->n_row = source->pattern->n_row;
    matrix->n_pair = source->pattern->n_pair;
    matrix->n_constants = -1;
    matrix->constants = source->constants ? source->constants(source, &matrix->n_constants) : 0;
    matrix->revision = source->pattern->revision;
}

static ew_status set_revisions(ew_matrix *matrix, const ew_source *source)
{
    name_source(matrix, source);
#ifdef EW_VALIDATE
    return ew_matrix_check(matrix, source->pattern);
#else
    return EW_OK;
#endif
}

ew_status ew_matrix_build(ew_matrix *matrix, const ew_source *source)
{
    EW_TRY(source->check(source));
    EW_TRY(ew_matrix_reserve(matrix, source->pattern, source->block, source->diagonal_only));
    matrix->revision = 0;
    clear_freed_pairs(matrix, source->pattern);
    EW_TRY(source->compute(source, matrix, NULL));
    return set_revisions(matrix, source);
}

ew_status ew_matrix_begin(ew_matrix *matrix, const ew_source *source)
{
    EW_TRY(source->check(source));
    EW_TRY(ew_matrix_reserve(matrix, source->pattern, source->block, source->diagonal_only));
    clear_freed_pairs(matrix, source->pattern);
    name_source(matrix, source);
    return EW_OK;
}

ew_status ew_matrix_compute(ew_matrix *matrix, const ew_source *source,
                            const ew_pattern_change *change)
{
    EW_TRY(source->check(source));
    EW_TRY(ew_matrix_need_current(matrix, source->pattern));
    return source->compute(source, matrix, change);
}

static ew_status check_revisions(const ew_matrix *matrix, const ew_source *source,
                                 const ew_pattern_change *change)
{
    if (!matrix->revision || matrix->revision != change->from_revision) {
        return ew_fail(EW_STALE,
                       "%s: at revision %llu, the change starts from %llu; build it again",
                       source->name, (unsigned long long)matrix->revision,
                       (unsigned long long)change->from_revision);
    }
    if (!change->to_revision || source->pattern->revision != change->to_revision) {
        return ew_fail(EW_STALE,
                       "%s: the pattern is at revision %llu, the change leads to %llu; update the "
                       "tables first",
                       source->name, (unsigned long long)source->pattern->revision,
                       (unsigned long long)change->to_revision);
    }
    if (matrix->block != source->block || matrix->diagonal_only != source->diagonal_only) {
        return ew_fail(EW_STALE, "%s: the matrix has blocks of another kind; build it again",
                       source->name);
    }
    int32_t n = matrix->n_constants;
    if (source->constants && source->constants(source, &n) != matrix->constants) {
        return ew_fail(EW_STALE,
                       "%s: material constants that are in its blocks have changed; build it again",
                       source->name);
    }
    return EW_OK;
}

/* Rows that the change opened and no contributor touches. */
static void start_new_rows(ew_matrix *matrix, const ew_pattern *pattern)
{
    const size_t b = (size_t)matrix->block;
    for (int32_t row = matrix->n_row; row < pattern->n_row; row++) {
        double *block = matrix->diagonal + b * b * (size_t)row;
        memset(block, 0, b * b * sizeof *block);
        for (size_t i = 0; i < b; i++) {
            block[(b + 1) * i] = 1.0;
        }
    }
}

ew_status ew_matrix_revalidate(ew_matrix *matrix, const ew_source *source,
                               const ew_pattern_change *change)
{
    EW_TRY(source->check(source));
    EW_TRY(check_revisions(matrix, source, change));
    EW_TRY(ew_matrix_reserve(matrix, source->pattern, source->block, source->diagonal_only));
    start_new_rows(matrix, source->pattern);
    const uint64_t before = matrix->revision;
    matrix->revision = 0;
    const ew_status status = source->compute(source, matrix, change);
    if (status) {
        matrix->revision = before; /* compute allocates before it writes */
        return status;
    }
    return set_revisions(matrix, source);
}

ew_status ew_matrix_verify(const ew_matrix *matrix, const ew_source *source, int64_t *n_different,
                           double *largest)
{
    ew_matrix fresh = {0};
    ew_status status = ew_matrix_need_current(matrix, source->pattern);
    if (!status) {
        status = ew_matrix_build(&fresh, source);
    }
    if (!status) {
        status = ew_matrix_compare(matrix, source->pattern, &fresh, source->pattern, n_different,
                                   largest);
    }
    ew_matrix_free(&fresh);
    return status;
}
