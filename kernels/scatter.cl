/* One upload spread over many arrays. In: a packed batch of records. Out: each record's words in
 * its array. All arrays are seen as 32-bit words, so one kernel serves ids, positions and blocks.
 * Reference: plain loops in tests/device/test_kernels_product.c; the batch is packed by lib/device/upload.c. */

/* One work-item per word. Section k of the batch belongs to array k and is described by three words
 * at 3 * k: the words of all sections up to and with it, words per record, where in the batch its
 * records begin. A record is an id and its words; word w of it goes to array[id * words + w].
 * Launch: n items, the words of all sections. Arrays without a section may be any buffer. The ids
 * within a section are distinct, so no two items write one place. */
__kernel void scatter(const uint n, __global const uint *batch, __global uint *a0,
                      __global uint *a1, __global uint *a2, __global uint *a3, __global uint *a4,
                      __global uint *a5, __global uint *a6, __global uint *a7, __global uint *a8,
                      __global uint *a9, __global uint *a10, __global uint *a11, __global uint *a12,
                      __global uint *a13, __global uint *a14, __global uint *a15)
{
    __global uint *const array[16] = {a0, a1, a2,  a3,  a4,  a5,  a6,  a7,
                                      a8, a9, a10, a11, a12, a13, a14, a15};
    const size_t i = get_global_id(0);
    if (i >= n) {
        return;
    }
    int k = 0;
    uint before = 0;
    while (i >= batch[3 * k]) {
        before = batch[3 * k];
        k++;
    }
    const uint word = (uint)i - before, width = batch[3 * k + 1];
    __global const uint *record = batch + batch[3 * k + 2] + (size_t)(word / width) * (width + 1);
    array[k][(size_t)record[0] * width + word % width] = record[1 + word % width];
}
