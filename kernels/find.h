/* Search in ascending lists, for kernels. */
#ifndef EW_FIND_H
#define EW_FIND_H
#ifdef __OPENCL_C_VERSION__

/* Place of `wanted` in an ascending list, or -1. */
static int ew_find_in(__global const int *list, const int n, const int wanted)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && list[low] == wanted ? low : -1;
}

#endif
#endif
