/* Devices: the list of what is installed, the choice of one, its context and queue.
 * In: platform and device indices, or -1. Out: an open device. Reference: The OpenCL
 * Specification 1.2, sections 4.1-4.4 and 5.1. */
#include "ew_parts.h"
#if EW_WITH_OPENCL
#include "device/opencl.h"

#include <stdio.h>
#include <string.h>

typedef struct found {
    int32_t n, capacity, id_capacity;
    ew_device_info *info; /* [n] owned */
    cl_device_id *id;     /* [n] owned */
} found;

static void found_free(found *all)
{
    ew_release(all->info);
    ew_release(all->id);
    *all = (found){0};
}

/* OpenCL refuses to cut a text off, so it is fetched whole and cut here. */
static ew_status device_text(cl_device_id id, cl_device_info what, char *text, size_t size)
{
    size_t bytes = 0;
    EW_CL(clGetDeviceInfo, id, what, 0, NULL, &bytes);
    char *whole = NULL;
    EW_TRY(ew_new_zero(&whole, bytes + 1, 1));
    ew_status status =
        ew_cl_check(clGetDeviceInfo(id, what, bytes, whole, NULL), "clGetDeviceInfo");
    if (!status) {
        snprintf(text, size, "%s", whole);
    }
    ew_release(whole);
    return status;
}

static ew_status platform_text(cl_platform_id id, char *text, size_t size)
{
    size_t bytes = 0;
    EW_CL(clGetPlatformInfo, id, CL_PLATFORM_NAME, 0, NULL, &bytes);
    char *whole = NULL;
    EW_TRY(ew_new_zero(&whole, bytes + 1, 1));
    ew_status status = ew_cl_check(clGetPlatformInfo(id, CL_PLATFORM_NAME, bytes, whole, NULL),
                                   "clGetPlatformInfo");
    if (!status) {
        snprintf(text, size, "%s", whole);
    }
    ew_release(whole);
    return status;
}

static ew_status describe(cl_device_id id, ew_device_info *info)
{
    cl_device_type type = 0;
    cl_device_fp_config fp64 = 0;
    cl_uint units = 0;
    cl_ulong memory = 0, largest = 0;
    EW_TRY(device_text(id, CL_DEVICE_NAME, info->name, sizeof info->name));
    EW_TRY(device_text(id, CL_DRIVER_VERSION, info->driver, sizeof info->driver));
    EW_TRY(device_text(id, CL_DEVICE_VERSION, info->version, sizeof info->version));
    EW_CL(clGetDeviceInfo, id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    EW_CL(clGetDeviceInfo, id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    EW_CL(clGetDeviceInfo, id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    EW_CL(clGetDeviceInfo, id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    EW_CL(clGetDeviceInfo, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    info->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    info->has_double = fp64 != 0;
    info->compute_units = (int32_t)units;
    info->memory_bytes = memory;
    info->largest_buffer_bytes = largest;
    return EW_OK;
}

static ew_status find_on_platform(cl_platform_id platform, int32_t index, found *all)
{
    ew_device_info info = {.platform = index};
    EW_TRY(platform_text(platform, info.platform_name, sizeof info.platform_name));
    cl_uint n = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && n == 0)) {
        return EW_OK;
    }
    EW_TRY(ew_cl_check(code, "clGetDeviceIDs"));
    int64_t need = (int64_t)all->n + n;
    EW_TRY(ew_grow(&all->info, &all->capacity, need, sizeof *all->info));
    EW_TRY(ew_grow(&all->id, &all->id_capacity, need, sizeof *all->id));
    EW_CL(clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, n, all->id + all->n, NULL);
    for (cl_uint k = 0; k < n; k++) {
        info.device = (int32_t)k;
        EW_TRY(describe(all->id[all->n], &info));
        all->info[all->n++] = info;
    }
    return EW_OK;
}

static ew_status find_all(found *all)
{
    *all = (found){0};
    cl_uint n = 0;
    cl_int code = clGetPlatformIDs(0, NULL, &n);
    if (code == EW_CL_PLATFORM_NOT_FOUND || (code == CL_SUCCESS && n == 0)) {
        return EW_OK;
    }
    EW_TRY(ew_cl_check(code, "clGetPlatformIDs"));
    cl_platform_id *platform = NULL;
    EW_TRY(ew_new_zero(&platform, n, sizeof *platform));
    ew_status status = ew_cl_check(clGetPlatformIDs(n, platform, NULL), "clGetPlatformIDs");
    for (cl_uint p = 0; p < n && !status; p++) {
        status = find_on_platform(platform[p], (int32_t)p, all);
    }
    ew_release(platform);
    if (status) {
        found_free(all);
    }
    return status;
}

ew_status ew_device_list(ew_device_info **info, int32_t *n)
{
    found all;
    EW_TRY(find_all(&all));
    *n = all.n;
    *info = all.n ? all.info : NULL;
    if (!all.n) {
        ew_release(all.info);
    }
    ew_release(all.id);
    return EW_OK;
}

static int32_t rank(const ew_device_info *info)
{
    return !info->has_double ? 1 : info->is_gpu ? 3 : 2;
}

/* The first of the best devices that the def admits; -1: none. */
static int32_t choose(const found *all, const ew_device_def *def)
{
    int32_t best = -1;
    for (int32_t i = 0; i < all->n; i++) {
        const ew_device_info *info = &all->info[i];
        bool admitted = (def->platform < 0 || def->platform == info->platform) &&
                        (def->device < 0 || def->device == info->device);
        if (admitted && (best < 0 || rank(info) > rank(&all->info[best]))) {
            best = i;
        }
    }
    return best;
}

static void print_index(char text[16], int32_t index)
{
    snprintf(text, 16, index < 0 ? "any" : "%d", (int)index);
}

static ew_status fail_choice(const found *all, const ew_device_def *def)
{
    char there[1024] = "none is installed", platform[16], device[16];
    size_t at = 0;
    for (int32_t i = 0; i < all->n && at + 1 < sizeof there; i++) {
        const ew_device_info *info = &all->info[i];
        int length = snprintf(there + at, sizeof there - at, "%s%d.%d %s", i ? ", " : "there are ",
                              info->platform, info->device, info->name);
        at += length > 0 ? (size_t)length : 0;
    }
    print_index(platform, def->platform);
    print_index(device, def->device);
    return ew_refuse(EW_RULE_DEVICE, "no OpenCL device %s.%s: %s", platform, device, there);
}

static ew_status open_queue(ew_device *device)
{
    cl_int code = CL_SUCCESS;
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    EW_TRY(ew_cl_check(code, "clCreateContext"));
    device->queue = clCreateCommandQueue(device->context, device->id, 0, &code);
    return ew_cl_check(code, "clCreateCommandQueue");
}

ew_device_def ew_default_device_def(void)
{
    return (ew_device_def){.platform = -1, .device = -1};
}

ew_status ew_device_open(ew_device **device, const ew_device_def *def)
{
    found all;
    EW_TRY(find_all(&all));
    ew_device *fresh = NULL;
    ew_status status = EW_OK;
    int32_t i = choose(&all, def);
    if (i < 0) {
        status = fail_choice(&all, def);
        goto out;
    }
    EW_TRY_OUT(ew_new_zero(&fresh, 1, sizeof *fresh));
    fresh->id = all.id[i];
    fresh->about = all.info[i];
    fresh->about.has_double = fresh->about.has_double && !def->without_double;
    EW_TRY_OUT(open_queue(fresh));
    *device = fresh;
    fresh = NULL;
out:
    found_free(&all);
    ew_device_close(fresh);
    return status;
}

void ew_device_close(ew_device *device)
{
    if (!device) {
        return;
    }
    if (device->queue) {
        clFinish(device->queue);
    }
    for (ew_kernel *kernel = device->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        clReleaseKernel(kernel->kernel);
        ew_release(kernel);
    }
    for (ew_program *program = device->programs, *next; program; program = next) {
        next = program->next;
        clReleaseProgram(program->program);
        ew_release(program);
    }
    if (device->queue) {
        clReleaseCommandQueue(device->queue);
    }
    if (device->context) {
        clReleaseContext(device->context);
    }
    ew_release(device);
}

const ew_device_info *ew_device_about(const ew_device *device)
{
    return &device->about;
}

ew_status ew_device_finish(ew_device *device)
{
    device->n_wait++;
    EW_CL(clFinish, device->queue);
    return EW_OK;
}

uint64_t ew_device_waits(const ew_device *device)
{
    return device->n_wait;
}
#else
typedef int ew_without_opencl; /* a translation unit must not be empty */
#endif
