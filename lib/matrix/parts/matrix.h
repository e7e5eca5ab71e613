/* matrix: what a program needs that works on its tables itself, beside matrix/matrix.h. */
#ifndef EW_PARTS_MATRIX_H
#define EW_PARTS_MATRIX_H

#include "device/parts/device.h"
#include "matrix/matrix.h"
#include "pattern/parts/pattern.h"

EW_BEGIN_API

/* Room for the pattern's rows and pairs in blocks of b x b, contents kept; where they were of
 * another size or kind, none. Sizes are left alone. */
ew_status ew_matrix_reserve(ew_matrix *matrix, const ew_pattern *pattern, int32_t block,
                            bool diagonal_only);
/* EW_STALE unless the blocks are those of the pattern as it is now. Every consumer asks. */
ew_status ew_matrix_need_current(const ew_matrix *matrix, const ew_pattern *pattern);
/* The same blocks, in the memory of `copy` (zeroed: none). On failure `copy` is not valid. */
ew_status ew_matrix_copy(ew_matrix *copy, const ew_matrix *matrix);
/* MATRIX_SIZE, MATRIX_SYMMETRY (diagonal blocks, to rounding), MATRIX_VALUE. */
ew_status ew_matrix_check(const ew_matrix *matrix, const ew_pattern *pattern);
size_t ew_matrix_bytes(const ew_matrix *matrix);
/* Compares block by block through the patterns (edge slots may differ). *n_different counts blocks
 * that are not equal bit for bit, *largest is the largest absolute difference of an entry, NaN
 * when one is. */
ew_status ew_matrix_compare(const ew_matrix *a, const ew_pattern *pattern_a, const ew_matrix *b,
                            const ew_pattern *pattern_b, int64_t *n_different, double *largest);

/* row_sum [3][3] = K_aa + sum_b K_ab over the edges of row a: the force on it when all rows are
 * shifted by a unit. Zero to rounding for a stiffness, the identity for a row without tets. */
void ew_matrix_row_sum(const ew_matrix *matrix, const ew_pattern *pattern, int32_t row,
                       double row_sum[9]);

/* Single-precision copy in the form of differences, y_a = D_a x_a + sum_b K_ab (x_b - x_a) with the
 * row's row_sum D_a, formed in double before it is rounded. Rounded diagonal blocks would resist a
 * shift of all rows with 6e-8 of the stiffness of a tet, which is more than a slender body's own.
 */
ew_status ew_matrix_single_copy(ew_matrix_single *single, const ew_matrix *matrix,
                                const ew_pattern *pattern);
void ew_matrix_single_free(ew_matrix_single *single);

/* y = K x, x and y [n_row][3], no aliasing. Rows are cut into fixed chunks; within a chunk each
 * edge block is read once and used for both its rows, across chunks it is read by each. Same bits
 * for any thread count. */
void ew_matrix_product(const ew_matrix *matrix, const ew_pattern *pattern, const double *x,
                       double *y);
/* y = (M x I) x with the scalar blocks of M (block 1), x and y as above. Each row is summed by
 * itself: its diagonal, then its pairs in the order of the row. */
void ew_matrix_product_scalar(const ew_matrix *matrix, const ew_pattern *pattern, const double *x,
                              double *y);
/* As ew_matrix_product with single-precision blocks and double vectors. */
void ew_matrix_single_product(const ew_matrix_single *matrix, const ew_pattern *pattern,
                              const double *x, double *y);
/* The same three by all threads of a parallel region that calls them, with a barrier at the end;
 * and how many threads are worth while. */
void ew_matrix_product_in_team(const ew_matrix *matrix, const ew_pattern *pattern, const double *x,
                               double *y);
/* y of the rows [first, end) alone, with the same bits. */
void ew_matrix_rows_product_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                    int32_t first, int32_t end, const double *x, double *y);
void ew_matrix_product_scalar_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                      const double *x, double *y);
void ew_matrix_single_product_in_team(const ew_matrix_single *matrix, const ew_pattern *pattern,
                                      const double *x, double *y);
/* Of several vectors at once, side by side: [n_row][3][EW_COLUMNS], at a line of the cache. As the
 * first of them, with the same bits in each column; each block is read once for all columns. */
enum { EW_COLUMNS = 4 };
void ew_matrix_columns_product_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                       const double *x, double *y);
/* Chunks of rows that the products of a matrix deal to threads. */
int64_t ew_matrix_product_chunks(int32_t n_row);
/* As the first of them, of 3x3 blocks with sums in extended precision (that of long double),
 * rounded once; some five times as long. */
void ew_matrix_product_extended_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                        const double *x, double *y);
int ew_matrix_product_threads(int32_t n_row);
/* Scalar diagonal, [n_row][3]. */
void ew_matrix_scalar_diagonal(const ew_matrix *matrix, double *diagonal);
/* Bytes one product must move at the least: blocks and pattern once, x once, y once (the yardstick
 * of the benchmarks). */
double ew_matrix_product_bytes(const ew_matrix *matrix, const ew_pattern *pattern,
                               int32_t scalar_bytes);

/* ---- on a device ------------------------------------------------------- */

/* Puts the named rows and pairs into an upload, everything when `row` is null. Not valid until the
 * upload was sent and ew_device_pattern_seal says so. */
ew_status ew_device_pattern_put(ew_device_pattern *copy, ew_upload *upload,
                                const ew_pattern *pattern, const ew_list *row, const ew_list *pair);
void ew_device_pattern_seal(ew_device_pattern *copy, const ew_pattern *pattern);
/* EW_STALE or EW_DEVICE_COPY unless it is the pattern as it is now: read back and compared. */
ew_status ew_device_pattern_check(const ew_device_pattern *copy, const ew_pattern *pattern);
size_t ew_device_pattern_bytes(const ew_device_pattern *copy);
void ew_device_pattern_free(ew_device_pattern *copy);

/* Room for the pattern's rows and pairs, contents kept. Sizes are left alone. */
ew_status ew_device_matrix_reserve(ew_device_matrix *matrix, const ew_device_pattern *pattern);
/* EW_STALE unless the blocks are those of the pattern as it is now. Every consumer asks. */
ew_status ew_device_matrix_need_current(const ew_device_matrix *matrix,
                                        const ew_device_pattern *pattern);
/* EW_BAD_ARGUMENT unless it has blocks in single or in double precision. */
ew_status ew_device_matrix_need_precision(const ew_device_matrix *matrix, bool single);
size_t ew_device_matrix_bytes(const ew_device_matrix *matrix);
void ew_device_matrix_free(ew_device_matrix *matrix);
/* Double blocks back to the host (sizes set, memory reused). */
ew_status ew_device_matrix_download(const ew_device_matrix *device, ew_matrix *matrix);
/* y = K x on the device; double or float vectors as `single` says. */
ew_status ew_device_matrix_product(const ew_device_matrix *matrix, const ew_device_pattern *pattern,
                                   bool single, const ew_buffer *x, ew_buffer *y);
/* y = (M x I) x of scalar blocks, in double. */
ew_status ew_device_matrix_product_scalar(const ew_device_matrix *matrix,
                                          const ew_device_pattern *pattern, const ew_buffer *x,
                                          ew_buffer *y);
/* q = S K p with the filter of fixed [n_row] bytes (bit c set: component c cleared), and *n_partial
 * partial sums of p . q, in double where the device has it; never more than EW_MAX_PARTIALS. */
#define EW_MAX_PARTIALS 1024
ew_status ew_device_matrix_product_dot(const ew_device_matrix *matrix,
                                       const ew_device_pattern *pattern, bool single,
                                       const ew_buffer *fixed, const ew_buffer *p, ew_buffer *q,
                                       ew_buffer *partial, int32_t *n_partial);

EW_END_API
#endif
