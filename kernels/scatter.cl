/* One upload spread over many arrays. In: a packed batch of records. Out: each record's words in
 * its array. All arrays are seen as 32-bit words, so one kernel serves ids, positions and blocks.
 * Reference: plain loops in tests/test_kernels.c; the batch is packed by lib/matrix. */

/* One work-item per word. Section k of the batch belongs to array k and is described by three words
 * at 3 * k: the words of all sections up to and with it, words per record, where in the batch its
 * records begin. A record is an id and its words; word w of it goes to array[id * words + w].
 * Launch: n items, the words of all sections. The ids within a section are distinct, so no two
 * items write one place. */
__kernel void scatter(const uint n, __global const uint *batch, __global uint *xyz,
                      __global uint *tet, __global uint *region, __global uint *edge_row,
                      __global uint *row_begin, __global uint *row_count, __global uint *row_item,
                      __global uint *edge_begin, __global uint *edge_count,
                      __global uint *edge_item, __global uint *vertex_begin,
                      __global uint *vertex_count, __global uint *vertex_item,
                      __global uint *diagonal_single, __global uint *edge_single,
                      __global uint *row_sum)
{
    __global uint *const array[16] = {
        xyz,          tet,          region,      edge_row,        row_begin,
        row_count,    row_item,     edge_begin,  edge_count,      edge_item,
        vertex_begin, vertex_count, vertex_item, diagonal_single, edge_single,
        row_sum};
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
