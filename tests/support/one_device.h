/* The OpenCL device that a suite runs on: opened and closed by the suite, null where there is none.
 * EW_QUICK in the environment asks for small sizes and counts, for simulators. */
#ifndef EW_ONE_DEVICE_H
#define EW_ONE_DEVICE_H

#include "device/parts/device.h"

#include <stdio.h>
#include <stdlib.h>

static ew_device *device;
static bool quick;

static inline int open_device(void)
{
    const ew_device_def def = ew_default_device_def();
    quick = getenv("EW_QUICK") != NULL;
    if (ew_device_open(&device, &def)) {
        printf("on the host alone: %s\n", ew_message());
        device = NULL;
    }
    return 0;
}

static inline int close_device(void)
{
    ew_device_close(device);
    device = NULL;
    return 0;
}

#endif
