/* Uploads. In: arrays, or elements of arrays with their ids. Out: buffers brought up to date. A
 * batch begins with three words per buffer (its records' words and those of all before, words per
 * record, where its records begin), then come the records, an id and its words each, then ids for
 * other kernels. */
#include "device/parts/device.h"

#include <string.h>

#define GROUP_ITEMS 64
#define HEAD        (3 * EW_UPLOAD_ARRAYS)

static ew_status make_room(ew_upload *upload, int64_t n_more)
{
    return ew_grow(&upload->word, &upload->word_capacity, upload->n_word + n_more,
                   sizeof *upload->word);
}

/* Queues the spreading of n words. */
static ew_status scatter(ew_upload *upload, uint32_t n)
{
    ew_kernel *kernel;
    ew_argument argument[2 + EW_UPLOAD_ARRAYS] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&upload->staging)};
    for (int32_t k = 0; k < EW_UPLOAD_ARRAYS; k++) {
        argument[2 + k] = EW_ARG_BUFFER(k < upload->n_array ? upload->array[k] : &upload->staging);
    }
    EW_TRY(ew_device_kernel(upload->device, "scatter", "scatter", "", &kernel));
    return ew_kernel_run(upload->device, kernel, n ? n : 1, GROUP_ITEMS, 2 + EW_UPLOAD_ARRAYS,
                         argument);
}

/* The head with totals of 0, so that the kernel finds nothing to do. */
static ew_status warm_up(ew_upload *upload)
{
    const uint32_t nothing[HEAD] = {0};
    EW_TRY(ew_upload_whole(upload, &upload->staging, sizeof nothing, nothing));
    return scatter(upload, 0);
}

ew_status ew_upload_begin(ew_upload *upload, ew_device *device)
{
    upload->device = device;
    upload->n_word = upload->n_array = 0;
    EW_TRY(make_room(upload, HEAD));
    memset(upload->word, 0, HEAD * sizeof *upload->word);
    upload->n_word = HEAD;
    if (!upload->staging.memory) {
        EW_TRY(warm_up(upload));
    }
    upload->bytes = 0;
    return EW_OK;
}

ew_status ew_upload_whole(ew_upload *upload, ew_buffer *to, size_t bytes, const void *data)
{
    EW_TRY(ew_buffer_reserve(upload->device, to, bytes));
    EW_TRY(ew_buffer_write(upload->device, to, 0, bytes, data));
    upload->bytes += bytes;
    return EW_OK;
}

ew_status ew_upload_to(ew_upload *upload, ew_buffer *to, int64_t n, int32_t width)
{
    EW_ASSERT(upload->n_array < EW_UPLOAD_ARRAYS);
    EW_TRY(ew_buffer_reserve(upload->device, to, sizeof(uint32_t) * (size_t)n * (size_t)width));
    uint32_t *section = upload->word + 3 * upload->n_array;
    section[1] = (uint32_t)width;
    section[2] = (uint32_t)upload->n_word;
    upload->array[upload->n_array++] = to;
    return EW_OK;
}

/* A section's first word counts its records until the batch is sent. */
ew_status ew_upload_put(ew_upload *upload, int32_t id, const void *data)
{
    const int32_t at = 3 * (upload->n_array - 1), width = (int32_t)upload->word[at + 1];
    EW_TRY(make_room(upload, width + 1));
    uint32_t *record = upload->word + upload->n_word;
    record[0] = (uint32_t)id;
    memcpy(record + 1, data, sizeof *record * (size_t)width);
    upload->word[at]++;
    upload->n_word += width + 1;
    return EW_OK;
}

ew_status ew_upload_ids(ew_upload *upload, const int32_t *id, int32_t n, uint32_t *first)
{
    *first = (uint32_t)upload->n_word;
    if (n) {
        EW_TRY(make_room(upload, n));
        memcpy(upload->word + upload->n_word, id, sizeof *id * (size_t)n);
        upload->n_word += n;
    }
    return EW_OK;
}

/* Turns the sections' counts into running totals; returns the words to spread. */
static uint32_t close_sections(ew_upload *upload)
{
    uint32_t total = 0;
    for (int32_t k = 0; k < EW_UPLOAD_ARRAYS; k++) {
        uint32_t *section = upload->word + 3 * k;
        total += section[0] * section[1];
        section[0] = total;
    }
    return total;
}

ew_status ew_upload_send(ew_upload *upload)
{
    if (upload->n_word == HEAD) {
        return EW_OK;
    }
    const uint32_t n = close_sections(upload);
    EW_TRY(ew_upload_whole(upload, &upload->staging, sizeof *upload->word * (size_t)upload->n_word,
                           upload->word));
    return n ? scatter(upload, n) : EW_OK;
}

void ew_upload_free(ew_upload *upload)
{
    ew_release(upload->word);
    ew_buffer_free(&upload->staging);
    *upload = (ew_upload){0};
}
