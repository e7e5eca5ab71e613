/* Private to lib/device: what an open device holds, and how OpenCL's error codes become
 * statuses. Included only in builds with OpenCL. */
#ifndef EW_DEVICE_OPENCL_H
#define EW_DEVICE_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include "device/parts/device.h"

#include <CL/cl.h>

/* The loader's CL_PLATFORM_NOT_FOUND_KHR, which is in cl_ext.h only. */
#define EW_CL_PLATFORM_NOT_FOUND (-1001)

typedef struct ew_program {
    struct ew_program *next;
    cl_program program;
    const char *file; /* in ew_kernel_texts */
    char options[];
} ew_program;

struct ew_kernel {
    struct ew_kernel *next;
    cl_kernel kernel;
    const ew_program *program; /* borrowed from the device */
    char function[];
};

struct ew_device {
    ew_device_info about;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* in order */
    uint64_t n_wait;        /* ew_device_waits */
    ew_program *programs;   /* owned list */
    ew_kernel *kernels;     /* owned list */
};

const char *ew_cl_name(cl_int code);

/* EW_DEVICE "CALL failed: CODE" when code is not CL_SUCCESS. */
ew_status ew_cl_check(cl_int code, const char *call);
#define EW_CL(call, ...) EW_TRY(ew_cl_check(call(__VA_ARGS__), #call))

#endif
