/* Lists of coarse blocks for the kernels that gather them. In: a coarse pattern and what of it
 * changed. Out: words for the kernel; its blocks in a matrix on the host. */
#include "solver/device/device_blocks.h"

#include <string.h>

static bool is_named(const ew_set *touched, int32_t row)
{
    return !touched || ew_set_has(touched, row);
}

static ew_status list_row(ew_device_blocks *blocks, const ew_pattern *pattern,
                          const ew_set *touched, int32_t own)
{
    const int32_t before = blocks->higher.n;
    int32_t count;
    const int32_t *item = ew_pattern_items(pattern, own, &count);
    for (int32_t k = pattern->n_lower[own]; k < count; k++) {
        const int32_t other = item[2 * k];
        EW_TRY(is_named(touched, other) ? ew_list_push(&blocks->higher, other) : EW_OK);
    }
    EW_TRY(ew_list_push(&blocks->word, own));
    EW_TRY(ew_list_push(&blocks->word, blocks->higher.n - before));
    EW_TRY(ew_list_push(&blocks->word, blocks->n_block));
    blocks->n_block += 1 + blocks->higher.n - before;
    return EW_OK;
}

ew_status ew_device_blocks_list(ew_device_blocks *blocks, const ew_pattern *pattern,
                                const ew_list *row, const ew_set *touched)
{
    blocks->word.n = blocks->higher.n = blocks->n_block = 0;
    blocks->n = row ? row->n : pattern->n_row;
    for (int32_t i = 0; i < blocks->n; i++) {
        EW_TRY(list_row(blocks, pattern, touched, row ? row->id[i] : i));
    }
    for (int32_t i = 0; i < blocks->higher.n; i++) {
        EW_TRY(ew_list_push(&blocks->word, blocks->higher.id[i]));
    }
    return ew_grow(&blocks->transit, &blocks->capacity, blocks->n_block,
                   36 * sizeof *blocks->transit);
}

ew_status ew_device_blocks_send(ew_device_blocks *blocks, ew_upload *upload, ew_device *device,
                                uint32_t *first)
{
    EW_TRY(ew_upload_begin(upload, device));
    EW_TRY(ew_upload_ids(upload, blocks->word.id, blocks->word.n, first));
    EW_TRY(ew_upload_send(upload));
    return ew_buffer_reserve(device, &blocks->block,
                             36 * sizeof *blocks->transit * (size_t)blocks->n_block);
}

ew_status ew_device_blocks_take(ew_device_blocks *blocks, ew_device *device,
                                const ew_pattern *pattern, const ew_set *touched, ew_matrix *coarse)
{
    const double *from = blocks->transit;
    EW_TRY(ew_buffer_read(device, &blocks->block, 0,
                          36 * sizeof *blocks->transit * (size_t)blocks->n_block, blocks->transit));
    for (int32_t i = 0; i < blocks->n; i++) {
        const int32_t own = blocks->word.id[3 * (size_t)i];
        int32_t count;
        const int32_t *item = ew_pattern_items(pattern, own, &count);
        memcpy(coarse->diagonal + 36 * (size_t)own, from, 36 * sizeof *from);
        from += 36;
        for (int32_t k = pattern->n_lower[own]; k < count; k++) {
            if (is_named(touched, item[2 * k])) {
                memcpy(coarse->pair + 36 * (size_t)item[2 * k + 1], from, 36 * sizeof *from);
                from += 36;
            }
        }
    }
    return EW_OK;
}

void ew_device_blocks_free(ew_device_blocks *blocks)
{
    ew_list_free(&blocks->word);
    ew_list_free(&blocks->higher);
    ew_buffer_free(&blocks->block);
    ew_release(blocks->transit);
    *blocks = (ew_device_blocks){0};
}
