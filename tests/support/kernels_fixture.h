/* What the tests of kernels share: a device, vectors on both sides, and the body that runs at odd
 * sizes and with fewer groups than rows, in both precisions. Plain loops are in double; EW_QUICK in
 * the environment keeps the sizes small, for simulators. */
#ifndef EW_KERNELS_FIXTURE_H
#define EW_KERNELS_FIXTURE_H

#include "one_device.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 128
#define TILE  252

static const int32_t sizes[] = {1, 2, 3, 31, 33, 257, 999, 1001};
static const int n_size = sizeof sizes / sizeof *sizes, n_quick_size = 5;

static uint64_t random_state = 1;

static inline double uniform(void)
{
    return (double)ew_test_random(&random_state, 2000001) * 1e-6 - 1.0;
}

/* Runs the body for every size and precision the device has. */
static inline void for_all(void (*body)(int32_t n, bool single))
{
    for (int i = 0; device && i < (quick ? n_quick_size : n_size); i++) {
        body(sizes[i], true);
        if (ew_device_about(device)->has_double) {
            body(sizes[i], false);
        }
    }
}

/* ---- values to and from the device ------------------------------------- */

/* A vector on both sides; on the host always in double, rounded to what the device holds. */
typedef struct vector {
    size_t n;
    bool single;
    double *value;
    ew_buffer buffer;
} vector;

static inline void send(vector *v)
{
    size_t size = v->single ? sizeof(float) : sizeof(double);
    float *narrow = NULL;
    must(ew_new(&narrow, v->n, sizeof *narrow));
    for (size_t i = 0; v->single && i < v->n; i++) {
        narrow[i] = (float)v->value[i];
        v->value[i] = (double)narrow[i];
    }
    must(ew_buffer_reserve(device, &v->buffer, v->n * size));
    must(ew_buffer_write(device, &v->buffer, 0, v->n * size,
                         v->single ? (const void *)narrow : (const void *)v->value));
    ew_release(narrow);
}

static inline vector make(size_t n, bool single)
{
    vector v = {.n = n, .single = single};
    must(ew_new(&v.value, n, sizeof *v.value));
    for (size_t i = 0; i < n; i++) {
        v.value[i] = uniform();
    }
    send(&v);
    return v;
}

static inline void drop(vector *v)
{
    ew_release(v->value);
    ew_buffer_free(&v->buffer);
}

/* What the device holds now. */
static inline double *fetch(const vector *v)
{
    double *value = NULL;
    float *narrow = NULL;
    must(ew_new(&value, v->n, sizeof *value));
    if (!v->single) {
        must(ew_buffer_read(device, &v->buffer, 0, v->n * sizeof *value, value));
        return value;
    }
    must(ew_new(&narrow, v->n, sizeof *narrow));
    must(ew_buffer_read(device, &v->buffer, 0, v->n * sizeof *narrow, narrow));
    for (size_t i = 0; i < v->n; i++) {
        value[i] = (double)narrow[i];
    }
    ew_release(narrow);
    return value;
}

static inline double epsilon(bool single)
{
    return single ? 6e-8 : 1.2e-16;
}

/* The device's vector equals the host's within `scale` roundings. */
static inline void expect_close(const vector *v, const double *expected, bool single, double scale)
{
    double *value = fetch(v), largest = 0.0;
    for (size_t i = 0; i < v->n; i++) {
        double error = fabs(value[i] - expected[i]);
        largest = error > largest || isnan(error) ? error : largest;
    }
    CU_ASSERT(largest <= scale * epsilon(single));
    ew_release(value);
}

static inline bool sums_are_single(void)
{
    return !ew_device_about(device)->has_double;
}

/* The sum of n_group partial sums from the k-th array on equals `expected`. */
static inline void expect_sum(const vector *partial, size_t n_group, size_t k, double expected,
                              bool single, double scale)
{
    double *value = fetch(partial), sum = 0.0;
    for (size_t i = 0; i < n_group; i++) {
        sum += value[k * n_group + i];
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, expected, scale * epsilon(single));
    ew_release(value);
}

static inline uint8_t *make_fixed(int32_t n, ew_buffer *buffer)
{
    uint8_t *fixed = NULL;
    must(ew_new(&fixed, (size_t)n, 1));
    for (int32_t i = 0; i < n; i++) {
        fixed[i] = (uint8_t)ew_test_random(&random_state, 8);
    }
    must(ew_buffer_reserve(device, buffer, (size_t)n));
    must(ew_buffer_write(device, buffer, 0, (size_t)n, fixed));
    return fixed;
}

static inline bool is_fixed(const uint8_t *fixed, size_t i)
{
    return fixed[i / 3] >> (i % 3) & 1;
}

static inline void run_with(const char *options, const char *file, const char *function,
                            size_t n_group, size_t local, int32_t n_argument,
                            const ew_argument *argument)
{
    ew_kernel *kernel = NULL;
    must(ew_device_kernel(device, file, function, options, &kernel));
    must(ew_kernel_run(device, kernel, n_group * local, local, n_argument, argument));
    must(ew_device_finish(device));
}

static inline void run(const char *file, const char *function, bool single, size_t n_group,
                       size_t local, int32_t n_argument, const ew_argument *argument)
{
    run_with(ew_device_real_options(device, single), file, function, n_group, local, n_argument,
             argument);
}

/* One group more than half the rows need, so that items take several rows. */
static inline size_t groups_for(int32_t n, size_t rows)
{
    return ((size_t)n + rows - 1) / rows / 2 + 1;
}

#endif
