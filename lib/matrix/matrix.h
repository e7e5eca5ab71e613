/* matrix: the diagonal-edge matrix (DEM): one b x b diagonal block per row of a pattern, one b x b
 * block K_ab (a < b; K_ba is its transpose) per pair. Product, checks and the single-precision
 * copy, on the host and on an OpenCL device. What blocks are made of is the business of assembly.
 */
#ifndef EW_MATRIX_H
#define EW_MATRIX_H

#include "device/device.h"
#include "pattern/pattern.h"

EW_BEGIN_API

typedef struct ew_matrix {
    int32_t block;                 /* b, rows and columns of a block; 3 for stiffness, 1 for mass */
    bool diagonal_only;            /* blocks of pairs are not stored: `pair` is null */
    int32_t n_row, row_capacity;   /* row slots */
    int32_t n_pair, pair_capacity; /* pair slots */
    double *diagonal;              /* [n_row][b][b] owned, row-major, force / length; the identity
                                      of a row without contributors */
    double *pair;                  /* [n_pair][b][b] owned: K_ab, rows of a, columns of b, a < b; no
                                      result depends on the block of a freed pair */
    uint64_t revision;   /* of the pattern whose contributors the blocks are the sum of; 0:
                            not valid */
    int32_t n_constants; /* constants of this many regions are in the blocks, */
    uint64_t constants;  /* with this revision (ew_materials_revision) */
} ew_matrix;

/* Room for the pattern's rows and pairs in blocks of b x b, contents kept; where they were of
 * another size or kind, none. Sizes are left alone. */
ew_status ew_matrix_reserve(ew_matrix *matrix, const ew_pattern *pattern, int32_t block,
                            bool diagonal_only);
/* EW_STALE unless the blocks are those of the pattern as it is now. Every consumer asks. */
ew_status ew_matrix_need_current(const ew_matrix *matrix, const ew_pattern *pattern);
void ew_matrix_free(ew_matrix *matrix);
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
typedef struct ew_matrix_single {
    int32_t n_row, row_capacity, n_pair, pair_capacity;
    float *row_sum; /* [n_row][3][3] owned */
    float *pair;    /* [n_pair][3][3] owned, as in ew_matrix */
    uint64_t revision;
} ew_matrix_single;
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
void ew_matrix_product_scalar_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                      const double *x, double *y);
void ew_matrix_single_product_in_team(const ew_matrix_single *matrix, const ew_pattern *pattern,
                                      const double *x, double *y);
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

/* A copy of a pattern: what products need, whatever number of matrices stand on it. */
typedef struct ew_device_pattern {
    ew_device *device; /* borrowed */
    int32_t n_row, n_pair;
    ew_device_rows row_to_pair; /* items (other row, pair) */
    ew_buffer pair_row;         /* int32 [n_pair][2] */
    uint64_t revision;          /* of the pattern that it is a copy of; 0: not valid */
} ew_device_pattern;
/* Puts the named rows and pairs into an upload, everything when `row` is null. Not valid until the
 * upload was sent and ew_device_pattern_seal says so. */
ew_status ew_device_pattern_put(ew_device_pattern *copy, ew_upload *upload,
                                const ew_pattern *pattern, const ew_list *row, const ew_list *pair);
void ew_device_pattern_seal(ew_device_pattern *copy, const ew_pattern *pattern);
/* EW_STALE or EW_DEVICE_COPY unless it is the pattern as it is now: read back and compared. */
ew_status ew_device_pattern_check(const ew_device_pattern *copy, const ew_pattern *pattern);
size_t ew_device_pattern_bytes(const ew_device_pattern *copy);
void ew_device_pattern_free(ew_device_pattern *copy);

typedef enum ew_precision {
    EW_DOUBLE, /* double blocks and vectors */
    EW_MIXED,  /* double blocks and vectors, single ones for the preconditioner */
    EW_SINGLE, /* single blocks and vectors, one pass; claims only the tolerance it reached */
    EW_AUTO_PRECISION /* mixed where it can be had (solver.h) */
} ew_precision;

/* Blocks on the device, with headroom. On a device without fp64 they are the host's, in single. */
typedef struct ew_device_matrix {
    ew_device *device;  /* borrowed */
    int32_t block;      /* b, as in ew_matrix, */
    bool diagonal_only; /* as is this */
    int32_t n_row, n_pair;
    bool has_double, has_single;    /* which blocks are kept */
    ew_buffer diagonal, pair;       /* double, as in ew_matrix */
    ew_buffer row_sum, pair_single; /* float, as in ew_matrix_single */
    ew_buffer diagonal_single;      /* float, without fp64: for the preconditioner */
    ew_buffer kind_constants;       /* double, by kind of contributor; scratch of assembly */
    ew_upload upload;               /* scratch of assembly */
    uint64_t revision;              /* as in ew_matrix, as are the two below */
    int32_t n_constants;
    uint64_t constants;
    uint64_t uploaded_bytes; /* by the last build or revalidation */
} ew_device_matrix;

/* Room for the pattern's rows and pairs, contents kept. Sizes are left alone. */
ew_status ew_device_matrix_reserve(ew_device_matrix *matrix, const ew_device_pattern *pattern);
/* EW_STALE unless the blocks are those of the pattern as it is now. Every consumer asks. */
ew_status ew_device_matrix_need_current(const ew_device_matrix *matrix,
                                        const ew_device_pattern *pattern);
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
