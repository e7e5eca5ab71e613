/* edgewise devices: what OpenCL offers. Also the choice of a device for other commands. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <string.h>
#include <unistd.h>

/* Platforms of OpenCL map compilers and start a thread for each processor, and where they cannot
 * some end the program. */
static bool has_room_for_platforms(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t bytes = ((size_t)512 + 16 * (size_t)(processors > 0 ? processors : 1)) << 20;
    void *room = NULL;
    const bool has = !ew_room_keep(&room, bytes);
    ew_room_give(&room, bytes);
    return has;
}

ew_status tool_open_device(const char *choice, ew_device **device)
{
    *device = NULL;
    ew_device_def def = ew_default_device_def();
    if (!choice || !strcmp(choice, "host")) {
        return EW_OK;
    }
    if (!strcmp(choice, "auto")) {
        ew_device_info *list;
        int32_t n;
        if (!has_room_for_platforms()) {
            return EW_OK;
        }
        EW_TRY(ew_device_list(&list, &n));
        for (int32_t i = 0; i < n && def.platform < 0; i++) {
            if (list[i].is_gpu && list[i].has_double) {
                def.platform = list[i].platform;
                def.device = list[i].device;
            }
        }
        ew_release(list);
        return def.platform < 0 ? EW_OK : ew_device_open(device, &def);
    }
    int platform, index, length = 0;
    if (!strcmp(choice, "opencl")) {
        return ew_device_open(device, &def);
    }
    if (sscanf(choice, "opencl:%9d.%9d%n", &platform, &index, &length) == 2 && !choice[length] &&
        platform >= 0 && index >= 0) {
        def.platform = platform;
        def.device = index;
        return ew_device_open(device, &def);
    }
    return ew_fail(EW_BAD_ARGUMENT,
                   "--device '%.40s' is not known; it is auto, host, opencl or "
                   "opencl:P.D as listed by 'edgewise devices'",
                   choice);
}

int tool_devices(int argc, char **argv)
{
    const tool_syntax syntax = {
        .command = "devices",
        .arguments = "",
        .summary = "list the OpenCL devices",
        .text = "Each line starts with the name to give to --device. Without any OpenCL\n"
                "platform everything runs on the host (--device host).",
    };
    int n_argument;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n_argument);
    if (exit_status >= 0) {
        return exit_status;
    }
    ew_device_info *list = NULL;
    int32_t n = 0;
    const ew_status status = ew_device_list(&list, &n);
    if (status) {
        return tool_report_failure(status, NULL);
    }
    printf("%-12s this program, %d thread%s\n", "host", ew_threads(), ew_threads() > 1 ? "s" : "");
    for (int32_t i = 0; i < n; i++) {
        char memory[32], name[32];
        snprintf(name, sizeof name, "opencl:%d.%d", (int)list[i].platform, (int)list[i].device);
        printf("%-12s %s (%s), %s, %d compute units, %s, %s\n", name, list[i].name,
               list[i].platform_name, list[i].is_gpu ? "GPU" : "CPU", (int)list[i].compute_units,
               tool_bytes((double)list[i].memory_bytes, memory),
               list[i].has_double ? "double precision" : "single precision only");
    }
    if (n == 0) {
        puts("no OpenCL device; install a driver, or pocl-opencl-icd for one on the processor");
    }
    ew_release(list);
    return TOOL_DONE;
}
