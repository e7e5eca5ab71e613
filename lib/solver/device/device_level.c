/* A fine level on a device. In: aggregates on the host, blocks on the device. Out: the aggregates'
 * tables there; strengths of pairs and coarse blocks here. */
#include "solver/device/device_level.h"
#include "solver/multilevel/aggregate_growth.h"

#include <string.h>

#define GROUP_ITEMS 64
#define BLOCK_ITEMS 36 /* items of a group of gather_coarse */

static bool has_double(const ew_device_level *level)
{
    return ew_device_about(level->device)->has_double;
}

ew_status ew_fine_level_check(const ew_fine_level *fine)
{
    return fine->matrix
               ? ew_matrix_need_current(fine->matrix, fine->pattern)
               : ew_device_matrix_need_current(fine->device->matrix, fine->device->pattern);
}

/* ---- strengths of pairs -------------------------------------------------------- */

/* Each pair as often as it comes: the answer is the same. */
static ew_status list_pairs(ew_device_level *level, const ew_pattern *pattern, const ew_list *row)
{
    const ew_rows *rows = &pattern->row_to_pair;
    level->list.n = 0;
    for (int32_t i = 0; i < row->n; i++) {
        const int32_t r = row->id[i];
        for (int32_t k = 0; k < rows->count[r]; k++) {
            EW_TRY(ew_list_push(&level->list, rows->item[2 * (size_t)(rows->begin[r] + k) + 1]));
        }
    }
    return EW_OK;
}

static ew_status judge_pairs(ew_device_level *level, int32_t n, bool from_list)
{
    const int32_t listed = from_list;
    const int32_t n_share = EW_STRENGTHS;
    uint32_t first = 0;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(level->device, "multilevel", "find_strength",
                            ew_device_real_options(level->device, false), &kernel));
    EW_TRY(ew_upload_begin(&level->upload, level->device));
    if (from_list) {
        EW_TRY(ew_upload_ids(&level->upload, level->list.id, n, &first));
    }
    EW_TRY(ew_upload_whole(&level->upload, &level->share, sizeof ew_strength_share,
                           ew_strength_share));
    EW_TRY(ew_upload_send(&level->upload));
    EW_TRY(ew_buffer_reserve(level->device, &level->found, (size_t)n));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_VALUE(first),
                                    EW_ARG_VALUE(n_share),
                                    EW_ARG_BUFFER(&level->share),
                                    EW_ARG_BUFFER(&level->upload.staging),
                                    EW_ARG_BUFFER(&level->pattern->pair_row),
                                    EW_ARG_BUFFER(&level->matrix->diagonal),
                                    EW_ARG_BUFFER(&level->matrix->pair),
                                    EW_ARG_BUFFER(&level->found)};
    return ew_kernel_run(level->device, kernel, (size_t)n, GROUP_ITEMS, 10, argument);
}

ew_status ew_device_level_find_strengths(ew_device_level *level, const ew_pattern *pattern,
                                         const ew_list *row)
{
    const int32_t before = level->strength_capacity;
    EW_TRY(ew_grow(&level->strength, &level->strength_capacity, pattern->n_pair, 1));
    memset(level->strength + before, 0, (size_t)(level->strength_capacity - before));
    if (row) {
        EW_TRY(list_pairs(level, pattern, row));
    }
    const int32_t n = row ? level->list.n : pattern->n_pair;
    if (n == 0) {
        return EW_OK;
    }
    EW_TRY(judge_pairs(level, n, row != NULL));
    if (!row) {
        return ew_buffer_read(level->device, &level->found, 0, (size_t)n, level->strength);
    }
    EW_TRY(ew_grow(&level->byte, &level->byte_capacity, n, 1));
    EW_TRY(ew_buffer_read(level->device, &level->found, 0, (size_t)n, level->byte));
    for (int32_t i = 0; i < n; i++) {
        level->strength[level->list.id[i]] = level->byte[i];
    }
    return EW_OK;
}

/* ---- tables -------------------------------------------------------------- */

/* Where a row is, in the type that the device has; 0 without aggregate. */
static void find_place(const ew_device_level *level, const ew_aggregates *aggregates,
                       const double *xyz, int32_t row, double *wide, float *narrow)
{
    const int32_t own = aggregates->of_row[row];
    double place[3] = {0.0, 0.0, 0.0};
    if (own >= 0) {
        ew_aggregate_place(aggregates, own, xyz + 3 * (size_t)row, place);
    }
    for (int c = 0; c < 3; c++) {
        if (has_double(level)) {
            wide[c] = place[c];
        } else {
            narrow[c] = (float)place[c];
        }
    }
}

/* Zeros, and a length of 1, without aggregate. */
static void find_offset(const ew_aggregates *aggregates, const double *xyz, int32_t row,
                        double offset[4])
{
    const int32_t own = aggregates->of_row[row];
    const double *frame = aggregates->frame + 4 * (size_t)(own < 0 ? 0 : own);
    for (size_t c = 0; c < 3; c++) {
        offset[c] = own < 0 ? 0.0 : xyz[3 * (size_t)row + c] - frame[c];
    }
    offset[3] = own < 0 ? 1.0 : frame[3];
}

static ew_status put_all(ew_device_level *level, const ew_fine_level *fine,
                         const ew_aggregates *aggregates)
{
    const int32_t n_row = fine->pattern->n_row;
    const size_t n = (size_t)n_row, real = has_double(level) ? sizeof(double) : sizeof(float);
    EW_TRY(ew_grow(&level->transit, &level->transit_capacity, n_row / 9 + 1,
                   36 * sizeof *level->transit));
    for (int32_t row = 0; row < n_row; row++) {
        find_place(level, aggregates, fine->xyz, row, level->transit + 3 * (size_t)row,
                   (float *)level->transit + 3 * (size_t)row);
    }
    EW_TRY(ew_upload_whole(&level->upload, &level->of_row, n * sizeof *aggregates->of_row,
                           aggregates->of_row));
    EW_TRY(ew_upload_whole(&level->upload, &level->place, 3 * n * real, level->transit));
    for (int32_t row = 0; row < n_row; row++) {
        find_offset(aggregates, fine->xyz, row, level->transit + 4 * (size_t)row);
    }
    if (has_double(level)) {
        EW_TRY(ew_upload_whole(&level->upload, &level->offset, 4 * n * real, level->transit));
    }
    return ew_device_rows_put(&level->member, &level->upload, &aggregates->member, NULL);
}

/* Ascending, without repeats: rows of the touched aggregates, rows that moved, new rows. */
static ew_status list_rows(ew_device_level *level, const ew_aggregates *aggregates,
                           const ew_list *touched, const ew_list *moved)
{
    const ew_rows *member = &aggregates->member;
    level->list.n = 0;
    for (int32_t i = 0; i < touched->n; i++) {
        const int32_t own = touched->id[i];
        for (int32_t k = 0; k < member->count[own]; k++) {
            EW_TRY(ew_list_push(&level->list, member->item[(size_t)(member->begin[own] + k)]));
        }
    }
    for (int32_t i = 0; i < moved->n; i++) {
        EW_TRY(ew_list_push(&level->list, moved->id[i]));
    }
    for (int32_t row = level->n_row; row < aggregates->n_row; row++) {
        EW_TRY(ew_list_push(&level->list, row));
    }
    ew_list_sort_unique(&level->list);
    return EW_OK;
}

static ew_status put_listed(ew_device_level *level, const ew_fine_level *fine,
                            const ew_aggregates *aggregates, const ew_list *touched)
{
    const ew_list *row = &level->list;
    const int32_t n_row = fine->pattern->n_row;
    ew_upload *upload = &level->upload;
    double wide[4];
    float narrow[3];
    EW_TRY(ew_upload_to(upload, &level->of_row, n_row, 1));
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_upload_put(upload, row->id[i], aggregates->of_row + row->id[i]));
    }
    EW_TRY(ew_upload_to(upload, &level->place, n_row, has_double(level) ? 6 : 3));
    for (int32_t i = 0; i < row->n; i++) {
        find_place(level, aggregates, fine->xyz, row->id[i], wide, narrow);
        EW_TRY(ew_upload_put(upload, row->id[i],
                             has_double(level) ? (const void *)wide : (const void *)narrow));
    }
    EW_TRY(ew_upload_to(upload, &level->offset, n_row, 8));
    for (int32_t i = 0; has_double(level) && i < row->n; i++) {
        find_offset(aggregates, fine->xyz, row->id[i], wide);
        EW_TRY(ew_upload_put(upload, row->id[i], wide));
    }
    return ew_device_rows_put(&level->member, upload, &aggregates->member, touched);
}

ew_status ew_device_level_follow(ew_device_level *level, const ew_fine_level *fine,
                                 const ew_aggregates *aggregates, const ew_list *touched,
                                 const ew_list *moved)
{
    level->aggregates = aggregates;
    EW_TRY(ew_upload_begin(&level->upload, level->device));
    if (touched) {
        EW_TRY(list_rows(level, aggregates, touched, moved));
        EW_TRY(put_listed(level, fine, aggregates, touched));
    } else {
        EW_TRY(put_all(level, fine, aggregates));
    }
    EW_TRY(ew_upload_send(&level->upload));
    level->n_row = fine->pattern->n_row;
    return EW_OK;
}

/* ---- coarse blocks ------------------------------------------------------- */

ew_status ew_device_level_gather(ew_device_level *level, const ew_pattern *coarse_pattern,
                                 ew_matrix *coarse, const ew_pattern_change *change,
                                 const ew_set *touched)
{
    const ew_device_rows *rows = &level->pattern->row_to_pair, *member = &level->member;
    ew_device_blocks *blocks = &level->gathered;
    ew_kernel *kernel;
    uint32_t first;
    EW_TRY(ew_device_blocks_list(blocks, coarse_pattern, change ? &change->touched_row : NULL,
                                 touched));
    if (blocks->n == 0) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(level->device, "multilevel", "gather_coarse",
                            ew_device_real_options(level->device, false), &kernel));
    EW_TRY(ew_device_blocks_send(blocks, &level->upload, level->device, &first));
    const ew_argument argument[] = {EW_ARG_VALUE(blocks->n),
                                    EW_ARG_VALUE(first),
                                    EW_ARG_BUFFER(&level->upload.staging),
                                    EW_ARG_BUFFER(&level->of_row),
                                    EW_ARG_BUFFER(&level->offset),
                                    EW_ARG_BUFFER(&member->begin),
                                    EW_ARG_BUFFER(&member->count),
                                    EW_ARG_BUFFER(&member->item),
                                    EW_ARG_BUFFER(&rows->begin),
                                    EW_ARG_BUFFER(&rows->count),
                                    EW_ARG_BUFFER(&rows->item),
                                    EW_ARG_BUFFER(level->fixed),
                                    EW_ARG_BUFFER(&level->matrix->diagonal),
                                    EW_ARG_BUFFER(&level->matrix->pair),
                                    EW_ARG_VALUE(level->oblique.n),
                                    EW_ARG_BUFFER(&level->oblique.row_there),
                                    EW_ARG_BUFFER(&level->oblique.normal_there),
                                    EW_ARG_BUFFER(&blocks->block)};
    EW_TRY(ew_kernel_run(level->device, kernel, BLOCK_ITEMS * (size_t)blocks->n, BLOCK_ITEMS, 18,
                         argument));
    return ew_device_blocks_take(blocks, level->device, coarse_pattern, touched, coarse);
}

/* ---- the rest ------------------------------------------------------------ */

static ew_status check_strengths(const ew_device_level *level, const ew_fine_level *fine)
{
    for (int32_t pair = 0; has_double(level) && pair < fine->pattern->n_pair; pair++) {
        const bool is_live = fine->pattern->pair_row[2 * (size_t)pair] >= 0;
        if (is_live && level->strength[pair] != ew_aggregate_growth_strength(fine, pair)) {
            return ew_fail(EW_MATRIX_DIFFERS,
                           "preconditioner: the strength of pair %d is not what the host says",
                           pair);
        }
    }
    return EW_OK;
}

ew_status ew_device_level_verify(ew_device_level *level, const ew_fine_level *fine)
{
    const ew_aggregates *aggregates = level->aggregates;
    const size_t n = (size_t)aggregates->n_row;
    const size_t real = has_double(level) ? sizeof(double) : sizeof(float);
    double *place;
    EW_TRY(check_strengths(level, fine));
    EW_TRY(ew_buffer_check(level->device, &level->of_row, n * sizeof *aggregates->of_row,
                           aggregates->of_row, "the aggregate of a row"));
    EW_TRY(ew_device_rows_check(&level->member, level->device, &aggregates->member,
                                "rows of an aggregate"));
    EW_TRY(ew_new(&place, 3 * n, sizeof *place));
    for (size_t row = 0; row < n; row++) {
        find_place(level, aggregates, fine->xyz, (int32_t)row, place + 3 * row,
                   (float *)place + 3 * row);
    }
    const ew_status status = ew_buffer_check(level->device, &level->place, 3 * n * real, place,
                                             "the place of a row in its aggregate");
    ew_release(place);
    return status;
}

void ew_device_level_free(ew_device_level *level)
{
    ew_upload_free(&level->upload);
    ew_buffer_free(&level->of_row);
    ew_buffer_free(&level->place);
    ew_buffer_free(&level->offset);
    ew_device_rows_free(&level->member);
    ew_device_blocks_free(&level->gathered);
    ew_device_oblique_free(&level->oblique);
    ew_device_intermediate_level_free(&level->intermediate);
    ew_buffer_free(&level->share);
    ew_buffer_free(&level->found);
    ew_release(level->strength);
    ew_release(level->byte);
    ew_release(level->transit);
    ew_list_free(&level->list);
    *level = (ew_device_level){0};
}
