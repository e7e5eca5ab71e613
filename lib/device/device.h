/* device: OpenCL and nothing of mechanics. Lists and opens devices, holds buffers, builds
 * the embedded kernels (kernels/ *.cl) and launches them in order on one queue, and keeps copies of
 * changing arrays up to date. In builds
 * without OpenCL every function exists: the list is empty, opening fails with
 * EW_UNSUPPORTED. */
#ifndef EW_DEVICE_H
#define EW_DEVICE_H

#include "base/base.h"

EW_BEGIN_API

typedef struct ew_device_info {
    int32_t platform, device; /* indices, as in --device opencl:P.D */
    char name[128], platform_name[128], driver[64], version[64];
    bool is_gpu;
    bool has_double; /* fp64: needed by double and mixed precision */
    int32_t compute_units;
    uint64_t memory_bytes, largest_buffer_bytes;
} ew_device_info;

/* All devices of all platforms, in platform then device order; *info owned by the caller
 * (ew_release), null when there are none. No platform at all is success with 0. */
ew_status ew_device_list(ew_device_info **info, int32_t *n);

typedef struct ew_device ew_device; /* opaque */

typedef struct ew_device_def {
    int32_t platform, device; /* -1: choose: a GPU with fp64, else any device with fp64, else any */
    bool without_double;      /* treat the device as one without fp64 (tests) */
} ew_device_def;
ew_device_def ew_default_device_def(void);

/* EW_UNSUPPORTED when there is no such device; the message lists what there is. */
ew_status ew_device_open(ew_device **device, const ew_device_def *def);
void ew_device_close(ew_device *device); /* null is fine */
const ew_device_info *ew_device_about(const ew_device *device);

/* A range of device memory; zeroed is empty. Grows with headroom (half again), keeping its
 * contents. Freed by ew_buffer_free, which is safe on a zeroed one. */
typedef struct ew_buffer {
    void *memory;    /* cl_mem, owned */
    size_t capacity; /* bytes */
} ew_buffer;
ew_status ew_buffer_reserve(ew_device *device, ew_buffer *buffer, size_t bytes);
void ew_buffer_free(ew_buffer *buffer);
/* Blocking; bytes 0 is fine. The range must lie within the capacity. */
ew_status ew_buffer_write(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes,
                          const void *data);
ew_status ew_buffer_read(ew_device *device, const ew_buffer *buffer, size_t offset, size_t bytes,
                         void *data);
ew_status ew_buffer_zero(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes);

/* ---- uploads (upload.c) ------------------------------------------------ */

/* Changed data on its way to buffers: arrays whole, or single elements packed into one batch that
 * is sent at once and spread over its buffers by kernels/scatter.cl. Memory is kept from one
 * upload to the next. Zeroed is empty. */
#define EW_UPLOAD_ARRAYS 16 /* buffers of one batch, at most */
typedef struct ew_upload {
    ew_device *device; /* borrowed */
    int32_t n_word, word_capacity;
    uint32_t *word; /* [n_word] owned: the batch, as described in scatter.cl */
    int32_t n_array;
    const ew_buffer *array[EW_UPLOAD_ARRAYS]; /* borrowed until the batch is sent */
    ew_buffer staging;                        /* [n_word], the batch on the device */
    uint64_t bytes;                           /* sent since ew_upload_begin */
} ew_upload;
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

/* A copy of ew_rows on a device. */
typedef struct ew_device_rows {
    ew_buffer begin, count; /* int32 [n_row] */
    ew_buffer item;         /* int32 [n_item][width] */
} ew_device_rows;
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
