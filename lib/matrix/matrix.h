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

void ew_matrix_free(ew_matrix *matrix);

/* Which part of a product K x a matrix leaves to the rows of edges behind those of its pattern. */
typedef enum ew_edge_part {
    EW_EDGE_ALL,        /* y += K x but for what the matrix gives */
    EW_EDGE_OF_EDGES,   /* the same of the x on edges alone */
    EW_EDGE_OF_CORNERS, /* of the x on vertices alone, and added on edges alone */
    EW_EDGE_WHOLE       /* y += K x, what the matrix gives included; on the host alone */
} ew_edge_part;

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

/* ---- on a device ------------------------------------------------------- */

/* A copy of a pattern: what products need, whatever number of matrices stand on it. */
typedef struct ew_device_pattern {
    ew_device *device; /* borrowed */
    int32_t n_row, n_pair;
    ew_device_rows row_to_pair; /* items (other row, pair) */
    ew_buffer pair_row;         /* int32 [n_pair][2] */
    uint64_t revision;          /* of the pattern that it is a copy of; 0: not valid */
} ew_device_pattern;

typedef enum ew_precision {
    EW_DOUBLE, /* double blocks and vectors */
    EW_MIXED,  /* double blocks and vectors, single ones for the preconditioner */
    EW_SINGLE, /* single blocks and vectors, one pass; claims only the tolerance it reached */
    EW_AUTO_PRECISION /* mixed where available (solver.h) */
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

EW_END_API
#endif
