/* Local answer: private to solver. After a small edit the displacement is corrected around the
 * changed rows alone, and the energy error of the result is estimated from its residual, without a
 * global iteration.
 *
 * Beside the displacement x the residual r = S (b - K x) is kept row by row: after an edit it is
 * formed again in the rows that changed and around them, never carried on by a recurrence, so it is
 * true everywhere. With e = x - K^-1 b the squared energy error is e.K e = r.K^-1 r, of which
 *
 *     eta^2 = r.D^-1 r + |L^-1 P^T r|^2
 *
 * is an estimate by an additive two-level preconditioner: D the diagonal blocks, those of edges
 * among them, P the rigid-body modes of aggregates, L L^T the factor of their matrix. For such a
 * form e.K e <= eta^2 / theta, theta being the least eigenvalue of the preconditioned matrix. The
 * coefficients of conjugate gradients give that of the multiplicative form with which they iterate
 * (Lanczos 1950; Golub & Meurant 1997); what of its bound is enough is a matter of experience. */
#ifndef EW_SOLVER_LOCAL_ANSWER_H
#define EW_SOLVER_LOCAL_ANSWER_H

#include "solver/parts/solver.h"

struct ew_multilevel;

/* Terms of sums over rows. */
typedef enum ew_answer_term {
    EW_TERM_RESIDUAL,  /* r.r */
    EW_TERM_SMOOTHED,  /* r.D^-1 r */
    EW_TERM_ENERGY,    /* x.K x, twice the strain energy */
    EW_TERM_REFERENCE, /* |S (b - K x_p)|^2 */
    EW_TERMS
} ew_answer_term;

/* Zeroed: nothing is kept. */
typedef struct ew_local_answer {
    bool is_kept;  /* what follows belongs to the system, but for the rows that changed */
    bool has_list; /* the last solve was a local answer: `row` has all rows of x that changed */
    bool has_prescribed; /* a prescribed component of x is not zero */
    bool is_pending;     /* a global solve was called for, and has not ended */
    int32_t n_row, n_aggregate;
    int32_t n_stored;  /* rows before those of edges */
    double *x, *b;     /* [n_row][3] owned: copies */
    double *residual;  /* [n_row][3] owned */
    double *term;      /* [n_row][EW_TERMS] owned */
    double *sum;       /* [chunks of EW_SUM_ROWS rows][EW_TERMS] owned */
    double *coarse;    /* [n_aggregate][6] owned: P^T r */
    double *work;      /* [n_aggregate][8] owned: work of the coarse solve */
    ew_set row, chunk; /* work: rows to be formed again, their chunks */
    ew_set aggregate;  /* aggregates whose rows or frames changed since the last answer */
    int32_t row_capacity, chunk_capacity, coarse_capacity, work_capacity;
    double
        factor; /* of the estimate: the largest by solves with this preconditioner; 0: none yet */
    double energy;  /* x.K x of the last answer */
    int32_t n_edit; /* local answers since the last global solve */
} ew_local_answer;

/* ---- rows (local_residual.c) -------------------------------------------------- */

/* Chunks of rows, each with its sums. */
int32_t ew_answer_chunks(const ew_local_answer *own);
/* Room for the rows and aggregates of the system; and everything formed from x. */
ew_status ew_local_residual_reserve(struct ew_multilevel *m, const ew_system *system);
ew_status ew_local_residual_form_all(struct ew_multilevel *m, const ew_system *system,
                                     const double *x);
/* Where vertices came or went what is kept of rows of edges moves behind them. */
ew_status ew_local_residual_move_edges(ew_local_answer *own, const ew_operator *op);
/* Whether a prescribed component that is not zero is among the rows, where there was none. Oblique
 * rows are noted. */
bool ew_local_residual_has_new_prescribed(struct ew_multilevel *m, const ew_system *system,
                                          const double *x, const ew_list *row);
/* Everything kept follows the rows of `row`, and their sums and aggregates. */
ew_status ew_local_residual_follow(struct ew_multilevel *m, const ew_system *system,
                                   const double *x);
/* c.A^-1 c of the coarse residual c. */
double ew_local_residual_measure(struct ew_multilevel *m);

/* ---- other vectors (answers_aside.c) ------------------------------------------ */

/* What is kept of a vector while another one is solved for. */
typedef struct ew_answer_aside {
    ew_local_answer answer;
    ew_set changed, edge; /* rows that changed since its last solve, as in local_correction.h */
} ew_answer_aside;
/* From here on the multilevel preconditioner keeps what it does for this vector, and the others
 * aside. */
ew_status ew_local_answer_use(struct ew_multilevel *m, int32_t number);
/* An update touched these rows: for those aside, too. */
ew_status ew_local_answer_touch_aside(struct ew_multilevel *m, const ew_list *row,
                                      const ew_list *aggregate);
/* The preconditioner was set up again. */
void ew_local_answer_reset_aside(struct ew_multilevel *m);
void ew_local_answer_free_aside(struct ew_multilevel *m);

/* ---- answers (local_answer.c) -------------------------------------------------- */

/* The answer from x, which was that of the system before the rows changed: x is corrected around
 * them. *found: its estimated energy error is at most energy_tolerance; otherwise, as when nothing
 * is kept, when many rows changed, or where rows have oblique directions, a global solve goes on
 * from x. Fills in info what it claims. known: where the last solve was a local answer, rows that
 * include all whose x or load is not that of the answer; null: they are searched for. */
ew_status ew_local_answer_find(struct ew_multilevel *m, const ew_system *system,
                               double energy_tolerance, const ew_list *known, double *x,
                               struct ew_pcg_info *info, bool *found);
/* After a global solve, or an answer that is accepted: keeps all for answers to come, and sets
 * info->energy_error. factor:
 * that of the estimate by that solve, or 0. */
ew_status ew_local_answer_keep(struct ew_multilevel *m, const ew_system *system, const double *x,
                               double factor, struct ew_pcg_info *info);
/* The factor by the least Ritz value of a solve, or 0; 0: not known. */
double ew_local_answer_factor(double theta, bool has_edges);
/* r.z at which conjugate gradients may stop for this tolerance, with a margin; 0: not known. */
double ew_local_answer_enough(const struct ew_multilevel *m, double energy_tolerance);
/* Aggregates that an update changed, */
ew_status ew_local_answer_add_aggregates(ew_local_answer *answer, const ew_list *aggregate);
/* and rows of edges, by their numbers behind the others, for this vector and those aside; null:
 * all, and nothing is kept. */
ew_status ew_local_answer_touch_edges(struct ew_multilevel *m, const ew_list *row);
/* The oracle: EW_MATRIX_DIFFERS unless residuals, terms, sums and coarse residuals are, bit for
 * bit, those formed again from x; EW_OK where nothing is kept. */
ew_status ew_local_answer_verify(struct ew_multilevel *m, const ew_system *system, const double *x);
size_t ew_local_answer_bytes(const ew_local_answer *answer);
/* The preconditioner was set up again: Ritz values of solves before do not count. */
void ew_local_answer_reset(ew_local_answer *answer);
void ew_local_answer_free(ew_local_answer *answer);

/* The least eigenvalue of the tridiagonal matrix that n steps of conjugate gradients made: step
 * [n][2] r.z and p.q of each. n >= 1. */
double ew_min_ritz_value(int32_t n, const double *step);

#endif
