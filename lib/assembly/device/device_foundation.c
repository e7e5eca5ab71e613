/* Springs to the ground in the diagonal blocks of a matrix on a device. In: the ground of the host,
 * which rows are computed. Out: a record for each row that has some, and a launch that adds them.
 */
#include "assembly/device/device_blocks.h"

#include <string.h>

/* Records of an id and six doubles, GROUND_WORDS words each. */
#define GROUND_WORDS 13

ew_status ew_put_ground_row(ew_upload *upload, const double *k, int32_t row, ew_block_list *list)
{
    int32_t record[GROUND_WORDS] = {row};
    uint32_t at;
    memcpy(record + 1, k, 6 * sizeof *k);
    EW_TRY(ew_upload_ids(upload, record, GROUND_WORDS, &at));
    list->first = list->n++ ? list->first : at;
    return EW_OK;
}

static ew_status put_row(ew_upload *upload, const double *ground, const ew_topology *topology,
                         int32_t row, ew_block_list *list)
{
    static const double none[6] = {0.0};
    const double *k = ground + 6 * (size_t)row;
    return !topology->vertex_to_tet.count[row] || !memcmp(k, none, sizeof none)
               ? EW_OK
               : ew_put_ground_row(upload, k, row, list);
}

ew_status ew_put_ground(ew_upload *upload, const double *ground, const ew_topology *topology,
                        const ew_pattern_change *change, bool all, ew_block_list *list)
{
    *list = (ew_block_list){.listed = 1};
    const int32_t n = all ? topology->pattern.n_row : change->touched_row.n;
    for (int32_t i = 0; i < n && ground; i++) {
        EW_TRY(put_row(upload, ground, topology, all ? i : change->touched_row.id[i], list));
    }
    return EW_OK;
}

ew_status ew_compute_ground(ew_device_matrix *matrix, const ew_block_list *list)
{
    ew_kernel *kernel;
    if (!list->n) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(matrix->device, "ground", "add_ground", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n), EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 4, argument);
}
