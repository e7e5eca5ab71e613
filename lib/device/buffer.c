/* Buffers: ranges of device memory that grow. In: sizes and host data. Out: the same on
 * the device, or back. Reference: The OpenCL Specification 1.2, section 5.2. */
#include "ew_parts.h"
#if EW_WITH_OPENCL
#include "device/opencl.h"

static cl_mem memory_of(const ew_buffer *buffer)
{
    return (cl_mem)buffer->memory;
}

static ew_status fail_size(const ew_device *device, size_t bytes)
{
    return ew_fail(EW_NO_MEMORY,
                   "%s cannot hold a buffer of %.1f MB: its limit is %.1f MB for one buffer and "
                   "%.1f MB in all; use --device host or a smaller mesh",
                   device->about.name, (double)bytes * 1e-6,
                   (double)device->about.largest_buffer_bytes * 1e-6,
                   (double)device->about.memory_bytes * 1e-6);
}

/* Drivers report a lack of memory when the buffer is made or at its first use. */
static ew_status check_memory(cl_int code, const char *call, const ew_device *device, size_t bytes)
{
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE) {
        return fail_size(device, bytes);
    }
    return ew_cl_check(code, call);
}

ew_status ew_buffer_reserve(ew_device *device, ew_buffer *buffer, size_t bytes)
{
    if (bytes <= buffer->capacity) {
        return EW_OK;
    }
    uint64_t largest = device->about.largest_buffer_bytes;
    if (bytes > largest) {
        return fail_size(device, bytes);
    }
    size_t wanted = buffer->capacity + buffer->capacity / 2;
    wanted = wanted > largest ? (size_t)largest : wanted;
    wanted = wanted < bytes ? bytes : wanted;
    cl_int code = CL_SUCCESS;
    cl_mem fresh = clCreateBuffer(device->context, CL_MEM_READ_WRITE, wanted, NULL, &code);
    EW_TRY(check_memory(code, "clCreateBuffer", device, wanted));
    if (buffer->memory) {
        code = clEnqueueCopyBuffer(device->queue, memory_of(buffer), fresh, 0, 0, buffer->capacity,
                                   0, NULL, NULL);
        ew_status status = check_memory(code, "clEnqueueCopyBuffer", device, wanted);
        if (status) {
            clReleaseMemObject(fresh);
            return status;
        }
        clReleaseMemObject(memory_of(buffer)); /* lives on until the copy is done */
    }
    *buffer = (ew_buffer){.memory = fresh, .capacity = wanted};
    return EW_OK;
}

void ew_buffer_free(ew_buffer *buffer)
{
    if (buffer->memory) {
        clReleaseMemObject(memory_of(buffer));
    }
    *buffer = (ew_buffer){0};
}

static ew_status check_range(const ew_buffer *buffer, size_t offset, size_t bytes)
{
    if (offset > buffer->capacity || bytes > buffer->capacity - offset) {
        return ew_fail(EW_BAD_ARGUMENT, "device buffer: bytes %zu to %zu are outside its %zu",
                       offset, offset + bytes, buffer->capacity);
    }
    return EW_OK;
}

ew_status ew_buffer_write(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes,
                          const void *data)
{
    EW_TRY(check_range(buffer, offset, bytes));
    if (!bytes) {
        return EW_OK;
    }
    device->n_wait++;
    cl_int code = clEnqueueWriteBuffer(device->queue, memory_of(buffer), CL_TRUE, offset, bytes,
                                       data, 0, NULL, NULL);
    return check_memory(code, "clEnqueueWriteBuffer", device, buffer->capacity);
}

ew_status ew_buffer_read(ew_device *device, const ew_buffer *buffer, size_t offset, size_t bytes,
                         void *data)
{
    EW_TRY(check_range(buffer, offset, bytes));
    if (!bytes) {
        return EW_OK;
    }
    device->n_wait++;
    cl_int code = clEnqueueReadBuffer(device->queue, memory_of(buffer), CL_TRUE, offset, bytes,
                                      data, 0, NULL, NULL);
    return check_memory(code, "clEnqueueReadBuffer", device, buffer->capacity);
}

ew_status ew_buffer_zero(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes)
{
    EW_TRY(check_range(buffer, offset, bytes));
    if (!bytes) {
        return EW_OK;
    }
    const cl_uchar zero = 0;
    cl_int code = clEnqueueFillBuffer(device->queue, memory_of(buffer), &zero, sizeof zero, offset,
                                      bytes, 0, NULL, NULL);
    return check_memory(code, "clEnqueueFillBuffer", device, buffer->capacity);
}
#else
typedef int ew_without_opencl; /* a translation unit must not be empty */
#endif
