/* Springs to the ground in diagonal blocks. In: records of rows. Out: their blocks with the ground
 * added. Reference: lib/assembly/host/foundation.c, with the same bits. */
#include "real.h"

#if EW_HAS_DOUBLE

/* One work-item per record of 13 words from word `first` on: a row, then xx
 * yy zz xy yz xz as doubles, which are added to its diagonal block. Launch: n items, after
 * the blocks. The rows are distinct, so each block has one writer. */
__kernel void add_ground(const int n, const uint first, __global const uint *word,
                         __global double *diagonal)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    __global const uint *record = word + (size_t)first + 13 * i;
    __global double *block = diagonal + 9 * (size_t)record[0];
    double k[6];
    for (int c = 0; c < 6; c++) {
        k[c] = as_double((uint2)(record[1 + 2 * c], record[2 + 2 * c]));
    }
    block[0] += k[0];
    block[1] += k[3];
    block[2] += k[5];
    block[3] += k[3];
    block[4] += k[1];
    block[5] += k[4];
    block[6] += k[5];
    block[7] += k[4];
    block[8] += k[2];
}

#endif
