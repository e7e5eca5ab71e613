/* OpenCL's error codes. In: a code and the call that gave it. Out: EW_DEVICE with both names. */
#include "ew_parts.h"
#if EW_WITH_OPENCL
#include "device/opencl.h"

const char *ew_cl_name(cl_int code)
{
#define EW_CL_CASE(name)                                                                           \
    case name:                                                                                     \
        return #name;
    switch (code) {
        EW_CL_CASE(CL_SUCCESS)
        EW_CL_CASE(CL_DEVICE_NOT_FOUND)
        EW_CL_CASE(CL_DEVICE_NOT_AVAILABLE)
        EW_CL_CASE(CL_COMPILER_NOT_AVAILABLE)
        EW_CL_CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        EW_CL_CASE(CL_OUT_OF_RESOURCES)
        EW_CL_CASE(CL_OUT_OF_HOST_MEMORY)
        EW_CL_CASE(CL_MEM_COPY_OVERLAP)
        EW_CL_CASE(CL_BUILD_PROGRAM_FAILURE)
        EW_CL_CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        EW_CL_CASE(CL_INVALID_VALUE)
        EW_CL_CASE(CL_INVALID_PLATFORM)
        EW_CL_CASE(CL_INVALID_DEVICE)
        EW_CL_CASE(CL_INVALID_CONTEXT)
        EW_CL_CASE(CL_INVALID_QUEUE_PROPERTIES)
        EW_CL_CASE(CL_INVALID_COMMAND_QUEUE)
        EW_CL_CASE(CL_INVALID_MEM_OBJECT)
        EW_CL_CASE(CL_INVALID_BUILD_OPTIONS)
        EW_CL_CASE(CL_INVALID_PROGRAM)
        EW_CL_CASE(CL_INVALID_PROGRAM_EXECUTABLE)
        EW_CL_CASE(CL_INVALID_KERNEL_NAME)
        EW_CL_CASE(CL_INVALID_KERNEL_DEFINITION)
        EW_CL_CASE(CL_INVALID_KERNEL)
        EW_CL_CASE(CL_INVALID_ARG_INDEX)
        EW_CL_CASE(CL_INVALID_ARG_VALUE)
        EW_CL_CASE(CL_INVALID_ARG_SIZE)
        EW_CL_CASE(CL_INVALID_KERNEL_ARGS)
        EW_CL_CASE(CL_INVALID_WORK_DIMENSION)
        EW_CL_CASE(CL_INVALID_WORK_GROUP_SIZE)
        EW_CL_CASE(CL_INVALID_WORK_ITEM_SIZE)
        EW_CL_CASE(CL_INVALID_GLOBAL_WORK_SIZE)
        EW_CL_CASE(CL_INVALID_EVENT_WAIT_LIST)
        EW_CL_CASE(CL_INVALID_OPERATION)
        EW_CL_CASE(CL_INVALID_BUFFER_SIZE)
        EW_CL_CASE(EW_CL_PLATFORM_NOT_FOUND)
    }
#undef EW_CL_CASE
    return "unknown code";
}

ew_status ew_cl_check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS) {
        return EW_OK;
    }
    return ew_fail(EW_DEVICE, "%s failed: %s (%d)", call, ew_cl_name(code), (int)code);
}
#else
typedef int ew_without_opencl; /* a translation unit must not be empty */
#endif
