/* Sums over a work-group, for the kernels' two-stage reductions: each group leaves one partial sum,
 * and the host, or one group of a second kernel, adds the partials in a fixed order. The number of
 * groups follows from the size alone, so the same input gives the same bits on a device. EW_SUM
 * (-DEW_SUM=double where the device has it) is the type of sums. */
#ifndef EW_REDUCE_H
#define EW_REDUCE_H
#ifdef __OPENCL_C_VERSION__

#ifndef EW_SUM
#define EW_SUM EW_REAL
#endif

/* The sum of `value` over the group's `size` items, valid in item 0. `scratch` [size] is free again
 * on return. Called by all items of the group. */
static EW_SUM ew_group_sum(const EW_SUM value, const int item, const int size,
                           __local EW_SUM *scratch)
{
    scratch[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int left = size; left > 1;) {
        const int half_up = (left + 1) / 2;
        if (item + half_up < left) {
            scratch[item] += scratch[item + half_up];
        }
        left = half_up;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const EW_SUM sum = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

#endif
#endif
