/* Every function of device.h for builds without OpenCL: an empty list, and EW_UNSUPPORTED
 * for whoever asks for a device. As none can be opened, the rest is never reached with one. */
#include "device/parts/device.h"

#include "ew_parts.h"

#if !EW_WITH_OPENCL
static ew_status unsupported(void)
{
    return ew_refuse_missing("--device", "OpenCL, and --device host needs none", NULL,
                             "EW_WITH_OPENCL");
}

ew_status ew_device_list(ew_device_info **info, int32_t *n)
{
    *info = NULL;
    *n = 0;
    return EW_OK;
}

ew_device_def ew_default_device_def(void)
{
    return (ew_device_def){.platform = -1, .device = -1};
}

ew_status ew_device_open(ew_device **device, const ew_device_def *def)
{
    (void)device;
    (void)def;
    return unsupported();
}

void ew_device_close(ew_device *device)
{
    (void)device;
}

const ew_device_info *ew_device_about(const ew_device *device)
{
    static const ew_device_info none;
    (void)device;
    return &none;
}

ew_status ew_buffer_reserve(ew_device *device, ew_buffer *buffer, size_t bytes)
{
    (void)device;
    (void)buffer;
    (void)bytes;
    return unsupported();
}

void ew_buffer_free(ew_buffer *buffer)
{
    *buffer = (ew_buffer){0};
}

ew_status ew_buffer_write(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes,
                          const void *data)
{
    (void)device;
    (void)buffer;
    (void)offset;
    (void)bytes;
    (void)data;
    return unsupported();
}

ew_status ew_buffer_read(ew_device *device, const ew_buffer *buffer, size_t offset, size_t bytes,
                         void *data)
{
    (void)device;
    (void)buffer;
    (void)offset;
    (void)bytes;
    (void)data;
    return unsupported();
}

ew_status ew_buffer_zero(ew_device *device, ew_buffer *buffer, size_t offset, size_t bytes)
{
    (void)device;
    (void)buffer;
    (void)offset;
    (void)bytes;
    return unsupported();
}

ew_status ew_device_kernel(ew_device *device, const char *file, const char *function,
                           const char *options, ew_kernel **kernel)
{
    (void)device;
    (void)file;
    (void)function;
    (void)options;
    (void)kernel;
    return unsupported();
}

const char *ew_device_real_options(const ew_device *device, bool single)
{
    (void)device;
    (void)single;
    return "";
}

ew_status ew_kernel_run(ew_device *device, ew_kernel *kernel, size_t global, size_t local,
                        int32_t n_argument, const ew_argument *argument)
{
    (void)device;
    (void)kernel;
    (void)global;
    (void)local;
    (void)n_argument;
    (void)argument;
    return unsupported();
}

ew_status ew_device_finish(ew_device *device)
{
    (void)device;
    return unsupported();
}

uint64_t ew_device_waits(const ew_device *device)
{
    (void)device;
    return 0;
}
#endif
