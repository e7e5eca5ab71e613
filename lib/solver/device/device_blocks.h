/* device_blocks: private to solver. 6x6 blocks of a coarser level that a kernel gathers on a
 * device: which ones, as the kernel is told in the words of an upload, and what it gave. */
#ifndef EW_SOLVER_DEVICE_BLOCKS_H
#define EW_SOLVER_DEVICE_BLOCKS_H

#include "matrix/parts/matrix.h"

typedef struct ew_device_blocks {
    ew_list word;     /* for each of the n rows: itself, how many higher rows, its first block; then
                         all those higher rows, ascending for each */
    ew_list higher;   /* work */
    int32_t n;        /* rows whose blocks are gathered */
    int32_t n_block;  /* diagonal ones, and after each those of the pairs with its higher rows */
    ew_buffer block;  /* double [n_block][6][6] */
    double *transit;  /* owned: the same on the host */
    int32_t capacity; /* blocks of transit */
} ew_device_blocks;

/* The listed rows, or all when `row` is null, and their pairs with higher ones of the set, or all
 * when `touched` is null. */
ew_status ew_device_blocks_list(ew_device_blocks *blocks, const ew_pattern *pattern,
                                const ew_list *row, const ew_set *touched);
/* Sends the words, which begin at word *first of the upload's staging buffer; room for blocks. */
ew_status ew_device_blocks_send(ew_device_blocks *blocks, ew_upload *upload, ew_device *device,
                                uint32_t *first);
/* Reads the blocks into their places. `touched`: as when they were listed. */
ew_status ew_device_blocks_take(ew_device_blocks *blocks, ew_device *device,
                                const ew_pattern *pattern, const ew_set *touched,
                                ew_matrix *coarse);
void ew_device_blocks_free(ew_device_blocks *blocks);

#endif
