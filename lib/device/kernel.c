/* Kernels: embedded texts built on first use and kept, and their launches. In: file,
 * function, options, arguments. Out: work on the device's queue. Reference: The OpenCL
 * Specification 1.2, sections 5.6-5.8. */
#include "ew_parts.h"
#if EW_WITH_OPENCL
#include "device/opencl.h"
#include "ew_kernels.h"

#include <stdio.h>
#include <string.h>

static const ew_kernel_text *find_text(const char *file)
{
    for (const ew_kernel_text *text = ew_kernel_texts; text->name; text++) {
        if (!strcmp(text->name, file)) {
            return text;
        }
    }
    return NULL;
}

/* The log's first line that speaks of an error, else its first line. */
static void first_error(const char *log, char *line, size_t size)
{
    const char *at = strstr(log, "error");
    at = at ? at : log + strspn(log, " \n");
    while (at > log && at[-1] != '\n') {
        at--;
    }
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static ew_status fail_build(const ew_device *device, const ew_program *program, cl_int code)
{
    char *log = NULL, line[512] = "no build log";
    size_t bytes = 0;
    cl_int logged =
        clGetProgramBuildInfo(program->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (logged == CL_SUCCESS && !ew_new_zero(&log, bytes + 1, 1)) {
        logged = clGetProgramBuildInfo(program->program, device->id, CL_PROGRAM_BUILD_LOG, bytes,
                                       log, NULL);
        if (logged == CL_SUCCESS) {
            first_error(log, line, sizeof line);
        }
        ew_release(log);
    }
    return ew_fail(EW_DEVICE, "kernels/%s.cl with options \"%s\": clBuildProgram failed: %s: %s",
                   program->file, program->options, ew_cl_name(code), line);
}

static ew_status build(ew_device *device, const ew_kernel_text *text, ew_program *program)
{
    cl_int code = CL_SUCCESS;
    const char *source = text->text;
    char options[256];
    snprintf(options, sizeof options, "-cl-std=CL1.2 %s", program->options);
    program->program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    EW_TRY(ew_cl_check(code, "clCreateProgramWithSource"));
    code = clBuildProgram(program->program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        ew_status status = fail_build(device, program, code);
        clReleaseProgram(program->program);
        return status;
    }
    return EW_OK;
}

static ew_status find_program(ew_device *device, const char *file, const char *options,
                              const ew_program **program)
{
    for (const ew_program *p = device->programs; p; p = p->next) {
        if (!strcmp(p->file, file) && !strcmp(p->options, options)) {
            *program = p;
            return EW_OK;
        }
    }
    const ew_kernel_text *text = find_text(file);
    if (!text) {
        return ew_fail(EW_BAD_ARGUMENT, "no file kernels/%s.cl was built into the library", file);
    }
    ew_program *fresh = NULL;
    EW_TRY(ew_new_zero(&fresh, 1, sizeof *fresh + strlen(options) + 1));
    fresh->file = text->name;
    strcpy(fresh->options, options);
    ew_status status = build(device, text, fresh);
    if (status) {
        ew_release(fresh);
        return status;
    }
    fresh->next = device->programs;
    *program = device->programs = fresh;
    return EW_OK;
}

ew_status ew_device_kernel(ew_device *device, const char *file, const char *function,
                           const char *options, ew_kernel **kernel)
{
    const ew_program *program = NULL;
    EW_TRY(find_program(device, file, options, &program));
    for (ew_kernel *k = device->kernels; k; k = k->next) {
        if (k->program == program && !strcmp(k->function, function)) {
            *kernel = k;
            return EW_OK;
        }
    }
    ew_kernel *fresh = NULL;
    EW_TRY(ew_new_zero(&fresh, 1, sizeof *fresh + strlen(function) + 1));
    strcpy(fresh->function, function);
    fresh->program = program;
    cl_int code = CL_SUCCESS;
    fresh->kernel = clCreateKernel(program->program, function, &code);
    if (code != CL_SUCCESS) {
        ew_release(fresh);
        return ew_fail(EW_DEVICE, "kernels/%s.cl, kernel %s: clCreateKernel failed: %s", file,
                       function, ew_cl_name(code));
    }
    fresh->next = device->kernels;
    *kernel = device->kernels = fresh;
    return EW_OK;
}

const char *ew_device_real_options(const ew_device *device, bool single)
{
    return !single                    ? "-DEW_REAL=double -DEW_SUM=double"
           : device->about.has_double ? "-DEW_REAL=float -DEW_SUM=double"
                                      : "-DEW_REAL=float -DEW_SUM=float";
}

static ew_status fail_kernel(const ew_kernel *kernel, const char *call, cl_int code)
{
    return ew_fail(EW_DEVICE, "kernels/%s.cl, kernel %s: %s failed: %s", kernel->program->file,
                   kernel->function, call, ew_cl_name(code));
}

static cl_int set_argument(cl_kernel kernel, cl_uint i, const ew_argument *argument)
{
    if (argument->buffer) {
        cl_mem memory = (cl_mem)argument->buffer->memory;
        return clSetKernelArg(kernel, i, sizeof memory, &memory);
    }
    return clSetKernelArg(kernel, i, argument->bytes, argument->value);
}

ew_status ew_kernel_run(ew_device *device, ew_kernel *kernel, size_t global, size_t local,
                        int32_t n_argument, const ew_argument *argument)
{
    if (!global) {
        return EW_OK;
    }
    for (int32_t i = 0; i < n_argument; i++) {
        cl_int code = set_argument(kernel->kernel, (cl_uint)i, &argument[i]);
        if (code != CL_SUCCESS) {
            return fail_kernel(kernel, "clSetKernelArg", code);
        }
    }
    size_t items = local ? (global + local - 1) / local * local : global;
    cl_int code = clEnqueueNDRangeKernel(device->queue, kernel->kernel, 1, NULL, &items,
                                         local ? &local : NULL, 0, NULL, NULL);
    return code == CL_SUCCESS ? EW_OK : fail_kernel(kernel, "clEnqueueNDRangeKernel", code);
}
#else
typedef int ew_without_opencl; /* a translation unit must not be empty */
#endif
