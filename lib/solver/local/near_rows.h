/* Few rows of a system: private to solver. Their products, of stored blocks and of rows of edges,
 * and what is prescribed in them. */
#ifndef EW_SOLVER_NEAR_ROWS_H
#define EW_SOLVER_NEAR_ROWS_H

#include "solver/parts/solver.h"

/* Zeroed: ready for any system. */
typedef struct ew_near_rows {
    ew_list row;  /* where rows of edges are: those of all tets around the listed rows */
    double *x;    /* [n_row][3] owned, as the next two, zero between calls: a vector, */
    double *y[2]; /* and of two vectors what rows of edges add to the products with stored blocks */
    int32_t *oblique; /* [n_row] owned: of oblique rows their place among them */
    int32_t x_capacity, oblique_capacity;
} ew_near_rows;

/* to += block v, or its transpose, which is the block stored for the pair the other way round. */
void ew_add_block_product(const double *block, bool transposed, const double *v, double *to);
/* product = row of A x, of an operator with stored blocks on the host; zero of a row of edges. */
void ew_multiply_row(const ew_operator *op, int32_t row, const double *x, double product[3]);
/* The diagonal block of any row. */
const double *ew_diagonal_of_row(const ew_operator *op, int32_t row);
/* Whether few rows of its products can be had: the operator has stored blocks on the host for all
 * rows, but those of edges, whose products it has for few rows, too. */
bool ew_has_near_rows(const ew_operator *op);

/* Makes room, lists the rows of tets around these and notes the oblique rows of the system; close:
 * the vectors are zero again in rows that are listed. O(listed + oblique rows). */
ew_status ew_near_rows_open(ew_near_rows *near, const ew_system *system, const ew_list *row);
void ew_near_rows_close(ew_near_rows *near);
/* The oblique rows alone. */
ew_status ew_near_rows_note_oblique(ew_near_rows *near, const ew_system *system);
/* Between the two: y [k] = what rows of edges add to products with v [n_row][3], by rows of all of
 * whose tets are listed. */
void ew_near_rows_multiply(ew_near_rows *near, const ew_operator *op, int k, const double *v);
/* v of a row less what is prescribed there: *part (null: not asked for) is that. */
void ew_near_rows_filter(const ew_near_rows *near, const ew_system *system, int32_t row,
                         double v[3], double *part);
void ew_near_rows_free(ew_near_rows *near);

#endif
