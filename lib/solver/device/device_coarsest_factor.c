/* The coarsest level on a device. In: the factor on the host. Out: its dense inverse there, and
 * solves with it. */
#include "solver/device/device_coarsest_factor.h"

#define LANES 64 /* of multilevel.cl */

static ew_status check_room(const ew_device_top *top, const ew_device *device, int32_t n)
{
    const ew_device_info *about = ew_device_about(device);
    const double real = top->single ? sizeof(float) : sizeof(double);
    const double bytes = (double)n * (double)n * real;
    if (n > EW_DEVICE_TOP_MAX || bytes > 0.25 * (double)about->memory_bytes ||
        bytes > (double)about->largest_buffer_bytes) {
        return ew_fail(EW_NO_MEMORY,
                       "solver: preconditioner 'rigid' on %s needs a dense matrix of %d unknowns, "
                       "%.0f MB; at most %d and a quarter of its memory are allowed: use "
                       "block-jacobi or --device host",
                       about->name, n, 1e-6 * bytes, EW_DEVICE_TOP_MAX);
    }
    return EW_OK;
}

/* For n unknowns. */
static ew_status reserve(ew_device_top *top, ew_device *device, int32_t n)
{
    const int64_t rows = (int64_t)n * n / EW_DEVICE_TOP_MAX + 1;
    const size_t real = top->single ? sizeof(float) : sizeof(double);
    const size_t all = (size_t)n;
    EW_TRY(ew_grow(&top->dense, &top->dense_capacity, rows, EW_DEVICE_TOP_MAX * sizeof(double)));
    EW_TRY(top->single ? ew_grow(&top->narrow, &top->narrow_capacity, rows,
                                 EW_DEVICE_TOP_MAX * sizeof(float))
                       : EW_OK);
    EW_TRY(ew_buffer_reserve(device, &top->inverse, all * all * real));
    EW_TRY(ew_buffer_reserve(device, &top->position, all / 6 * sizeof(int32_t)));
    EW_TRY(ew_buffer_reserve(device, &top->x, all * real));
    return ew_buffer_reserve(device, &top->work, all * real);
}

ew_status ew_device_top_follow(ew_device_top *top, ew_device *device,
                               const ew_block_cholesky *factor, uint64_t n_factors, bool single)
{
    const size_t n = 6 * (size_t)factor->n, real = single ? sizeof(float) : sizeof(double);
    EW_TRY(ew_device_kernel(device, "multilevel", "multiply_triangle",
                            ew_device_real_options(device, single), &top->multiply));
    if (top->n_factors == n_factors) {
        return EW_OK;
    }
    top->n_factors = 0;
    top->single = single;
    EW_TRY(check_room(top, device, (int32_t)n));
    EW_TRY(reserve(top, device, (int32_t)n));
    ew_block_cholesky_invert(factor, top->dense);
    for (size_t i = 0; single && i < n * n; i++) {
        top->narrow[i] = (float)top->dense[i];
    }
    EW_TRY(ew_buffer_write(device, &top->inverse, 0, n * n * real,
                           single ? (const void *)top->narrow : (const void *)top->dense));
    EW_TRY(ew_buffer_write(device, &top->position, 0, (size_t)factor->n * sizeof(int32_t),
                           factor->column));
    top->n = factor->n;
    top->n_factors = n_factors;
    return EW_OK;
}

ew_status ew_device_top_solve(const ew_device_top *top, ew_device *device)
{
    const int32_t n = 6 * top->n, lower = 0, upper = 1;
    const ew_argument first[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(lower), EW_ARG_BUFFER(&top->inverse),
                                 EW_ARG_BUFFER(&top->x), EW_ARG_BUFFER(&top->work)};
    const ew_argument then[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(upper), EW_ARG_BUFFER(&top->inverse),
                                EW_ARG_BUFFER(&top->work), EW_ARG_BUFFER(&top->x)};
    EW_TRY(ew_kernel_run(device, top->multiply, (size_t)n * LANES, LANES, 5, first));
    return ew_kernel_run(device, top->multiply, (size_t)n * LANES, LANES, 5, then);
}

void ew_device_top_free(ew_device_top *top)
{
    ew_buffer_free(&top->inverse);
    ew_buffer_free(&top->position);
    ew_buffer_free(&top->x);
    ew_buffer_free(&top->work);
    ew_release(top->dense);
    ew_release(top->narrow);
    *top = (ew_device_top){0};
}
