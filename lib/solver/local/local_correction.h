/* Local correction: private to solver. Before the iterations after a small edit: a correction of
 * the start vector around the rows that changed. There the answer before is off by as much as the
 * edit moved, and few rows are quickly solved, with all others as they are. */
#ifndef EW_SOLVER_LOCAL_CORRECTION_H
#define EW_SOLVER_LOCAL_CORRECTION_H

#include "solver/local/near_rows.h"

typedef struct ew_local_correction {
    ew_set changed;    /* rows that changed since the last solve, but those */
    ew_set edge;       /* of edges, by their numbers behind the pattern's rows */
    ew_near_rows near; /* products, of answers, too */
    ew_list row;       /* work, as what follows: rows that are corrected */
    int32_t *place;    /* [n_row] owned: 1 + their index there, 0 between calls */
    double *vector;    /* [row.n][24] owned: correction, residual, direction, product; z, inverse */
    int32_t place_capacity, capacity;
} ew_local_correction;

/* How far a correction goes. */
typedef struct ew_local_limits {
    int rings; /* steps from pair to pair around the changed rows, while that makes at most */
    int32_t max_rows;  /* this many rows, */
    int32_t share;     /* and one in so many of all */
    int min_rings;     /* where fewer rings are possible nothing is corrected */
    double gain;       /* ends where the residual of these rows is this share of what it was, */
    int max_steps;     /* or after so many steps of conjugate gradients */
    double negligible; /* rows whose corrections d have a sum of d.D d of at most this, D their
                          diagonal blocks, stay as they are */
} ew_local_limits;

/* Adds changed rows, */
ew_status ew_local_correction_add(ew_local_correction *near, const ew_list *row);
/* and rows of edges there, by their numbers behind the pattern's; before a solve these come among
 * the others. */
ew_status ew_local_correction_add_edges(ew_local_correction *near, const ew_list *row);
ew_status ew_local_correction_take_edges(ew_local_correction *near, const ew_operator *op);
/* Corrects x (as in ew_solver_solve) around those rows, and forgets them; in the energy norm x gets
 * nearer to the solution, whatever it was. Does nothing where they are many, or none, where x is
 * zero around them, and where the operator has no products of few rows. */
ew_status ew_local_correction_correct(ew_local_correction *near, const ew_system *system,
                                      double *x);
/* The same within other limits; the rows whose x changed stay in near->row until the second is
 * called, which must be before any other call. *n_step: conjugate-gradient steps made. */
ew_status ew_local_correction_run(ew_local_correction *near, const ew_system *system,
                                  const ew_local_limits *limits, double *x, int *n_step);
void ew_local_correction_end(ew_local_correction *near);
void ew_local_correction_forget(ew_local_correction *near);
void ew_local_correction_free(ew_local_correction *near);

#endif
