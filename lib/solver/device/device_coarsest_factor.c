/* The coarsest level on a device. In: the factor on the host. Out: its dense inverse there, and
 * solves with it. */
#include "solver/device/device_coarsest_factor.h"

#define LANES 64 /* of multilevel.cl */

static ew_status check_room(const ew_device_coarsest_factor *coarsest, const ew_device *device,
                            int32_t n)
{
    const ew_device_info *about = ew_device_about(device);
    const double real = coarsest->single ? sizeof(float) : sizeof(double);
    const double bytes = (double)n * (double)n * real;
    if (n > EW_DEVICE_COARSEST_MAX || bytes > 0.25 * (double)about->memory_bytes ||
        bytes > (double)about->largest_buffer_bytes) {
        return ew_fail(EW_NO_MEMORY,
                       "solver: preconditioner 'rigid' on %s needs a dense matrix of %d unknowns, "
                       "%.0f MB; at most %d and a quarter of its memory are allowed: use "
                       "block-jacobi or --device host",
                       about->name, n, 1e-6 * bytes, EW_DEVICE_COARSEST_MAX);
    }
    return EW_OK;
}

/* For n unknowns. */
static ew_status reserve(ew_device_coarsest_factor *coarsest, ew_device *device, int32_t n)
{
    const int64_t rows = (int64_t)n * n / EW_DEVICE_COARSEST_MAX + 1;
    const size_t real = coarsest->single ? sizeof(float) : sizeof(double);
    const size_t all = (size_t)n;
    EW_TRY(ew_grow(&coarsest->dense, &coarsest->dense_capacity, rows,
                   EW_DEVICE_COARSEST_MAX * sizeof(double)));
    EW_TRY(coarsest->single ? ew_grow(&coarsest->narrow, &coarsest->narrow_capacity, rows,
                                      EW_DEVICE_COARSEST_MAX * sizeof(float))
                            : EW_OK);
    EW_TRY(ew_buffer_reserve(device, &coarsest->inverse, all * all * real));
    EW_TRY(ew_buffer_reserve(device, &coarsest->position, all / 6 * sizeof(int32_t)));
    EW_TRY(ew_buffer_reserve(device, &coarsest->x, all * real));
    return ew_buffer_reserve(device, &coarsest->work, all * real);
}

ew_status ew_device_coarsest_factor_follow(ew_device_coarsest_factor *coarsest, ew_device *device,
                                           const ew_block_cholesky *factor, uint64_t n_factors,
                                           bool single)
{
    const size_t n = 6 * (size_t)factor->n, real = single ? sizeof(float) : sizeof(double);
    EW_TRY(ew_device_kernel(device, "multilevel", "multiply_triangle",
                            ew_device_real_options(device, single), &coarsest->multiply));
    if (coarsest->n_factors == n_factors) {
        return EW_OK;
    }
    coarsest->n_factors = 0;
    coarsest->single = single;
    EW_TRY(check_room(coarsest, device, (int32_t)n));
    EW_TRY(reserve(coarsest, device, (int32_t)n));
    ew_block_cholesky_invert(factor, coarsest->dense);
    for (size_t i = 0; single && i < n * n; i++) {
        coarsest->narrow[i] = (float)coarsest->dense[i];
    }
    EW_TRY(
        ew_buffer_write(device, &coarsest->inverse, 0, n * n * real,
                        single ? (const void *)coarsest->narrow : (const void *)coarsest->dense));
    EW_TRY(ew_buffer_write(device, &coarsest->position, 0, (size_t)factor->n * sizeof(int32_t),
                           factor->column));
    coarsest->n = factor->n;
    coarsest->n_factors = n_factors;
    return EW_OK;
}

ew_status ew_device_coarsest_factor_solve(const ew_device_coarsest_factor *coarsest,
                                          ew_device *device)
{
    const int32_t n = 6 * coarsest->n, lower = 0, upper = 1;
    const ew_argument first[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(lower),
                                 EW_ARG_BUFFER(&coarsest->inverse), EW_ARG_BUFFER(&coarsest->x),
                                 EW_ARG_BUFFER(&coarsest->work)};
    const ew_argument then[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(upper),
                                EW_ARG_BUFFER(&coarsest->inverse), EW_ARG_BUFFER(&coarsest->work),
                                EW_ARG_BUFFER(&coarsest->x)};
    EW_TRY(ew_kernel_run(device, coarsest->multiply, (size_t)n * LANES, LANES, 5, first));
    return ew_kernel_run(device, coarsest->multiply, (size_t)n * LANES, LANES, 5, then);
}

void ew_device_coarsest_factor_free(ew_device_coarsest_factor *coarsest)
{
    ew_buffer_free(&coarsest->inverse);
    ew_buffer_free(&coarsest->position);
    ew_buffer_free(&coarsest->x);
    ew_buffer_free(&coarsest->work);
    ew_release(coarsest->dense);
    ew_release(coarsest->narrow);
    *coarsest = (ew_device_coarsest_factor){0};
}
