/* device: what a program needs that works on its tables itself, beside device/device.h. */
#ifndef EW_PARTS_DEVICE_H
#define EW_PARTS_DEVICE_H

#include "base/parts/base.h"
#include "device/device.h"

EW_BEGIN_API

/* A range of device memory grows with headroom (half again), keeping its contents. */
ew_status ew_buffer_reserve(ew_device *device, ew_buffer *buffer, size_t bytes);
void ew_buffer_free(ew_buffer *buffer);
/* Blocking; bytes 0 is fine. The range must lie within the capacity. */
ew_status ew_buffer_write(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes,
                          const void *data);
ew_status ew_buffer_read(ew_device *device, const ew_buffer *buffer, size_t offset, size_t bytes,
                         void *data);
ew_status ew_buffer_zero(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes);

/* ---- uploads (upload.c) ------------------------------------------------ */

/* Empties. The first one runs the kernel on nothing: devices translate a kernel when it first runs,
 * which would otherwise be in the first update's time. */
ew_status ew_upload_begin(ew_upload *upload, ew_device *device);
/* Sends a whole array at once, reserving the room. */
ew_status ew_upload_whole(ew_upload *upload, ew_buffer *to, size_t bytes, const void *data);
/* The elements put from here on go to this buffer, which gets room for n of them, of `width` 32-bit
 * words each. Ids put into one buffer must be distinct. */
ew_status ew_upload_to(ew_upload *upload, ew_buffer *to, int64_t n, int32_t width);
ew_status ew_upload_put(ew_upload *upload, int32_t id, const void *data);
/* Ids for a kernel to read from the staging buffer, from word *first on. After all elements. */
ew_status ew_upload_ids(ew_upload *upload, const int32_t *id, int32_t n, uint32_t *first);
/* Sends the batch and queues its spreading. Nothing when it is empty. */
ew_status ew_upload_send(ew_upload *upload);
void ew_upload_free(ew_upload *upload);

/* Brings the named rows up to date, all of them at once when `row` is null. */
ew_status ew_device_rows_put(ew_device_rows *copy, ew_upload *upload, const ew_rows *rows,
                             const ew_list *row);
/* EW_DEVICE_COPY, naming `table`, unless every row is that of the table. */
ew_status ew_device_rows_check(const ew_device_rows *copy, ew_device *device, const ew_rows *rows,
                               const char *table);
size_t ew_device_rows_bytes(const ew_device_rows *copy);
void ew_device_rows_free(ew_device_rows *copy);
/* EW_DEVICE_COPY, naming `array`, unless the buffer begins with these bytes. */
ew_status ew_buffer_check(ew_device *device, const ew_buffer *buffer, size_t bytes,
                          const void *expected, const char *array);

/* ---- kernels ----------------------------------------------------------- */

/* A kernel by file (name of kernels/FILE.cl without the ending), function, and build options
 * ("" or "-DEW_REAL=float"). Programs are built once per device, file and options and kept by
 * the device; so is the kernel: borrowed. A build failure is EW_DEVICE with the log's first error
 * line. */
typedef struct ew_kernel ew_kernel;
ew_status ew_device_kernel(ew_device *device, const char *file, const char *function,
                           const char *options, ew_kernel **kernel);

/* The options of kernels written over EW_REAL: double, or float when `single`, with the sums
 * (EW_SUM) in double wherever the device has it. */
const char *ew_device_real_options(const ew_device *device, bool single);

/* EW_UNSUPPORTED, with what was asked for, where the device has no fp64; null: the host has. */
static inline ew_status ew_device_need_double(const ew_device *device, const char *what)
{
    return !device || ew_device_about(device)->has_double
               ? EW_OK
               : ew_refuse(EW_RULE_DIGITS, "%s on %s", what, ew_device_about(device)->name);
}

/* One argument: a buffer, or a value copied from `value`. */
typedef struct ew_argument {
    const ew_buffer *buffer;
    const void *value;
    size_t bytes;
} ew_argument;
#define EW_ARG_BUFFER(b) ((ew_argument){.buffer = (b)})
#define EW_ARG_VALUE(v)  ((ew_argument){.value = &(v), .bytes = sizeof(v)})

/* Queues `global` work-items (rounded up to a multiple of `local`; kernels check their index) in
 * groups of `local` (0: the device's choice). In order, not blocking. global 0: nothing. */
ew_status ew_kernel_run(ew_device *device, ew_kernel *kernel, size_t global, size_t local,
                        int32_t n_argument, const ew_argument *argument);
ew_status ew_device_finish(ew_device *device);
/* How often the host has waited for all that was queued: reads, writes and finishes so far. */
uint64_t ew_device_waits(const ew_device *device);

EW_END_API
#endif
