/* Load stiffness of pressure that turns with faces, in blocks on a device. In: that of the host
 * (host/follower.c), and which pairs are computed. Out: a record for each pair that has some, and a
 * launch that adds them. Kernel: foundation.cl. */
#include "assembly/device/device_blocks.h"

#include <string.h>

/* Records of an id and three doubles. */
#define TURN_WORDS 7

static ew_status put_pair(ew_upload *upload, const ew_follower *follower, int32_t place,
                          ew_block_list *list)
{
    int32_t record[TURN_WORDS] = {follower->pair[place]};
    uint32_t at;
    memcpy(record + 1, follower->of_pair + 3 * (size_t)place, 3 * sizeof(double));
    EW_TRY(ew_upload_ids(upload, record, TURN_WORDS, &at));
    list->first = list->n++ ? list->first : at;
    return EW_OK;
}

ew_status ew_put_follower(ew_upload *upload, const ew_follower *follower,
                          const ew_pattern_change *change, ew_block_list *list)
{
    *list = (ew_block_list){.listed = 1};
    const int32_t n = !follower || !follower->n_pair ? 0
                      : change                       ? change->touched_pair.n
                                                     : follower->n_pair;
    for (int32_t i = 0; i < n; i++) {
        const int32_t place =
            change ? ew_follower_find_pair(follower, change->touched_pair.id[i]) : i;
        EW_TRY(place >= 0 ? put_pair(upload, follower, place, list) : EW_OK);
    }
    return EW_OK;
}

ew_status ew_compute_follower(ew_device_matrix *matrix, const ew_block_list *list)
{
    const int32_t keep_single = matrix->has_single;
    ew_kernel *kernel;
    if (!list->n) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(matrix->device, "foundation", "add_turns", "", &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(list->n),        EW_ARG_VALUE(list->first),
        EW_ARG_VALUE(keep_single),    EW_ARG_BUFFER(&matrix->upload.staging),
        EW_ARG_BUFFER(&matrix->pair), EW_ARG_BUFFER(&matrix->pair_single)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 6, argument);
}
