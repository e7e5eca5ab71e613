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

/* A copy of ew_rows on a device. */
typedef struct ew_device_rows {
    ew_buffer begin, count; /* int32 [n_row] */
    ew_buffer item;         /* int32 [n_item][width] */
} ew_device_rows;

EW_END_API
#endif
