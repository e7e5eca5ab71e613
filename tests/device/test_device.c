/* Devices, buffers and kernels. Without a device the tests that need one say so and pass. */
#include "device/parts/device.h"
#include "testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program;

/* A device, or null with a line that says so. */
static ew_device *open_any(void)
{
    ew_device_def def = ew_default_device_def();
    ew_device *device = NULL;
    if (ew_device_open(&device, &def)) {
        ew_test_skip_all(ew_message());
        return NULL;
    }
    return device;
}

static void test_list_is_in_order(void)
{
    ew_device_info *info = NULL;
    int32_t n = -1;
    CU_ASSERT_EQUAL_FATAL(ew_device_list(&info, &n), EW_OK);
    CU_ASSERT(n >= 0);
    CU_ASSERT_EQUAL(info == NULL, n == 0);
    for (int32_t i = 0; i < n; i++) {
        CU_ASSERT(info[i].name[0] && info[i].platform_name[0] && info[i].compute_units > 0);
        CU_ASSERT(info[i].memory_bytes >= info[i].largest_buffer_bytes / 2);
        CU_ASSERT(i == 0 || info[i - 1].platform < info[i].platform ||
                  info[i - 1].device + 1 == info[i].device);
    }
    ew_release(info);
}

/* What main does with --expect-none. */
static int expect_none(void)
{
    ew_device_info *info = NULL;
    ew_device *device = NULL;
    ew_device_def def = ew_default_device_def();
    int32_t n = -1;
    bool right = ew_device_list(&info, &n) == EW_OK && n == 0 && !info &&
                 ew_device_open(&device, &def) == EW_UNSUPPORTED && !device;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The loader reads its folder of platforms once, so a process of its own sees none. */
static void test_no_platform_is_no_error(void)
{
    char command[4096];
    const char *preload = getenv("LD_PRELOAD");
    if (preload && strstr(preload, "oclgrind")) {
        ew_test_skip("a simulator replaces the loader");
        return;
    }
    snprintf(command, sizeof command, "OCL_ICD_VENDORS=/nonexistent '%s' --expect-none", program);
    CU_ASSERT_EQUAL(system(command), 0);
}

static void test_open_chooses_and_refuses(void)
{
    ew_device_def def = ew_default_device_def();
    ew_device *device = NULL;
    def.platform = 99;
    def.device = 7;
    CU_ASSERT_EQUAL(ew_device_open(&device, &def), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NULL(device);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--device host"));
    device = open_any();
    if (!device) {
        return;
    }
    ew_device_info about = *ew_device_about(device);
    ew_device_close(device);
    def = (ew_device_def){about.platform, about.device, true};
    CU_ASSERT_EQUAL_FATAL(ew_device_open(&device, &def), EW_OK);
    CU_ASSERT_STRING_EQUAL(ew_device_about(device)->name, about.name);
    CU_ASSERT_FALSE(ew_device_about(device)->has_double);
    ew_device_close(device);
    ew_device_close(NULL);
}

static void test_buffer_grows_and_keeps(void)
{
    ew_device *device = open_any();
    if (!device) {
        return;
    }
    ew_buffer buffer = {0};
    int32_t in[100], out[100];
    for (int32_t i = 0; i < 100; i++) {
        in[i] = 7 * i - 3;
    }
    CU_ASSERT_EQUAL(ew_buffer_reserve(device, &buffer, 0), EW_OK);
    CU_ASSERT_EQUAL(ew_buffer_write(device, &buffer, 0, 0, NULL), EW_OK);
    CU_ASSERT_EQUAL(ew_buffer_write(device, &buffer, 0, 4, in), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL_FATAL(ew_buffer_reserve(device, &buffer, sizeof in), EW_OK);
    CU_ASSERT_EQUAL(ew_buffer_write(device, &buffer, 0, sizeof in, in), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_buffer_reserve(device, &buffer, sizeof in + 4), EW_OK);
    CU_ASSERT(buffer.capacity >= sizeof in + sizeof in / 2);
    CU_ASSERT_EQUAL(ew_buffer_read(device, &buffer, 0, sizeof in, out), EW_OK);
    CU_ASSERT_EQUAL(memcmp(in, out, sizeof in), 0);
    CU_ASSERT_EQUAL(ew_buffer_zero(device, &buffer, 40, 12), EW_OK);
    CU_ASSERT_EQUAL(ew_buffer_write(device, &buffer, 396, 4, in), EW_OK);
    CU_ASSERT_EQUAL(ew_buffer_read(device, &buffer, 0, sizeof in, out), EW_OK);
    memset(in + 10, 0, 12);
    in[99] = in[0];
    CU_ASSERT_EQUAL(memcmp(in, out, sizeof in), 0);
    CU_ASSERT_EQUAL(ew_buffer_read(device, &buffer, buffer.capacity - 3, 4, out), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_buffer_read(device, &buffer, 8, SIZE_MAX - 4, out), EW_BAD_ARGUMENT);
    ew_buffer_free(&buffer);
    ew_buffer_free(&buffer);
    ew_device_close(device);
}

static void test_buffer_too_large(void)
{
    ew_device *device = open_any();
    if (!device) {
        return;
    }
    ew_buffer buffer = {0};
    size_t bytes = (size_t)ew_device_about(device)->largest_buffer_bytes + 1;
    CU_ASSERT_EQUAL(ew_buffer_reserve(device, &buffer, bytes), EW_NO_MEMORY);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--device host"));
    CU_ASSERT_PTR_NULL(buffer.memory);
    ew_device_close(device);
}

static void test_kernel_is_built_once(void)
{
    ew_device *device = open_any();
    if (!device) {
        return;
    }
    const char *options = ew_device_real_options(device, true);
    ew_kernel *first = NULL, *second = NULL, *other = NULL;
    CU_ASSERT_EQUAL(ew_device_kernel(device, "pcg", "direction", options, &first), EW_OK);
    CU_ASSERT_EQUAL(ew_device_kernel(device, "pcg", "direction", options, &second), EW_OK);
    CU_ASSERT_EQUAL(ew_device_kernel(device, "pcg", "start", options, &other), EW_OK);
    CU_ASSERT(first && first == second && first != other);
    CU_ASSERT_EQUAL(ew_kernel_run(device, first, 0, 0, 0, NULL), EW_OK);
    CU_ASSERT_EQUAL(ew_device_finish(device), EW_OK);
    ew_device_close(device);
}

static void test_kernel_failures_are_named(void)
{
    ew_device *device = open_any();
    if (!device) {
        return;
    }
    ew_kernel *kernel = NULL;
    CU_ASSERT_EQUAL(ew_device_kernel(device, "nowhere", "a", "", &kernel), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nowhere"));
    CU_ASSERT_EQUAL(ew_device_kernel(device, "scatter", "nobody", "", &kernel), EW_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "CL_INVALID_KERNEL_NAME"));
    CU_ASSERT_EQUAL(ew_device_kernel(device, "pcg", "start", "-DEW_REAL=nonsense", &kernel),
                    EW_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "pcg.cl"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "CL_BUILD_PROGRAM_FAILURE"));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nonsense"));
    CU_ASSERT_PTR_NULL(strchr(ew_message(), '\n'));
    CU_ASSERT_PTR_NULL(kernel);
    CU_ASSERT_EQUAL_FATAL(ew_device_kernel(device, "scatter", "scatter", "", &kernel), EW_OK);
    int32_t one = 1;
    const ew_argument many[] = {EW_ARG_VALUE(one), EW_ARG_VALUE(one)};
    CU_ASSERT_EQUAL(ew_kernel_run(device, kernel, 1, 0, 2, many), EW_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "clSetKernelArg"));
    ew_device_close(device);
}

static ew_status open_and_build(void)
{
    ew_device_def def = ew_default_device_def();
    ew_device *device = NULL;
    ew_kernel *kernel = NULL;
    ew_status status = ew_device_open(&device, &def);
    status = status ? status : ew_device_kernel(device, "scatter", "scatter", "", &kernel);
    ew_device_close(device);
    return status;
}

static void test_allocation_failures(void)
{
    ew_device *device = open_any();
    if (!device) {
        return;
    }
    ew_device_close(device);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_test_allocations_begin(k);
        ew_status status = open_and_build();
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 1000);
    }
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc == 2 && !strcmp(argv[1], "--expect-none")) {
        return expect_none();
    }
    CU_TestInfo tests[] = {
        {"list_is_in_order", test_list_is_in_order},
        {"no_platform_is_no_error", test_no_platform_is_no_error},
        {"open_chooses_and_refuses", test_open_chooses_and_refuses},
        {"buffer_grows_and_keeps", test_buffer_grows_and_keeps},
        {"buffer_too_large", test_buffer_too_large},
        {"kernel_is_built_once", test_kernel_is_built_once},
        {"kernel_failures_are_named", test_kernel_failures_are_named},
        {"allocation_failures", test_allocation_failures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
