/* solver: K x = b with K a diagonal-edge matrix, some components of x prescribed. Ignorant of
 * meshes: rows, edges, blocks, a filter.
 *
 * Modified preconditioned conjugate gradients: the filter S clears the fixed components, and the
 * iteration solves S K S d = S (b - K x0) for x = x0 + d, where x0 carries the prescribed values;
 * the matrix is never touched (Baraff & Witkin 1998, section 5.3; Ascher & Boxerman 2003).
 *
 * Convergence is claimed only when the residual computed anew in double precision, not the
 * recurrence's, satisfies |S (b - K x)| <= tolerance * |S (b - K x_p)|, x_p being the prescribed
 * values and zero elsewhere; with none but zero prescribed values the right side is |S b|. When
 * that reference is zero the answer is x_p itself. */
#ifndef EW_SOLVER_H
#define EW_SOLVER_H

#include "matrix/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ew_preconditioner {
    EW_JACOBI,      /* scalar diagonal */
    EW_BLOCK_JACOBI /* 3x3 diagonal blocks, restricted to the free components */
} ew_preconditioner;

typedef struct ew_pcg_def {
    double tolerance;                 /* in (0, 1); default 1e-8 */
    int32_t max_iterations;           /* >= 1, of all passes together; default 20000 */
    ew_preconditioner preconditioner; /* default block Jacobi */
    ew_precision precision;           /* default EW_DOUBLE */
    ew_progress progress; /* called every few iterations with an estimate of the share done */
} ew_pcg_def;
ew_pcg_def ew_default_pcg_def(void);
/* Names the first bad field. */
ew_status ew_pcg_def_check(const ew_pcg_def *def);
/* EW_BAD_INPUT when there are loads b [n_row][3] on free components (`fixed` as below) but so small
 * that their squares vanish, and they would pass for none. */
ew_status ew_pcg_check_right_side(int32_t n_row, const uint8_t *fixed, const double *b);

typedef struct ew_pcg_info {
    ew_status status;   /* EW_OK, NOT_CONVERGED, INDEFINITE, NOT_FINITE, CANCELLED, DEVICE, ... */
    int32_t iterations; /* products in the recurrence, all passes */
    int32_t passes;   /* times the true residual was formed with work following it (double: 1 unless
                         the recurrence had drifted) */
    double reference; /* |S (b - K x_p)| */
    double residual;  /* true, double precision, relative to the reference */
    double first_residual; /* of the start vector, relative */
    double seconds;
    int32_t n_history, history_capacity;
    double *history; /* [n_history] owned: recurrence residual after each iteration, relative */
} ew_pcg_info;
void ew_pcg_info_free(ew_pcg_info *info);

/* What the iteration needs, over vectors that the backend holds (host or device):
 *   x solution and b in double; d, r, z, p, q in working precision. */
typedef struct ew_pcg_ops {
    void *self;
    /* reference = |S (b - K x_p)| */
    ew_status (*reference)(void *self, double *reference);
    /* x += d; d = 0; r = S (b - K x) in double precision, stored in working precision divided by
     * `*scale` (returned, 1 in double; so that single precision keeps its range); rr = r.r before
     * division */
    ew_status (*residual)(void *self, double *scale, double *rr);
    /* z = S M^-1 r; p = z; rz = r.z */
    ew_status (*start)(void *self, double *rz);
    /* q = S K p; pq = p.q */
    ew_status (*apply)(void *self, double *pq);
    /* d += alpha p; r -= alpha q; z = S M^-1 r; rz = r.z; rr = r.r */
    ew_status (*advance)(void *self, double alpha, double *rz, double *rr);
    /* p = z + beta p */
    ew_status (*direction)(void *self, double beta);
} ew_pcg_ops;

/* The one iteration. Fills info whatever happens; returns info->status. */
ew_status ew_pcg_iterate(const ew_pcg_ops *ops, const ew_pcg_def *def, ew_pcg_info *info);

/* fixed: [n_row], bit c set when component c of the row is prescribed (7: all; rows without tets
 * must be 7). x: [n_row][3]; on entry the prescribed values in the fixed components and a start
 * vector in the others (any finite values, zeros if nothing better), on return the solution, or the
 * last iterate on failure. */
ew_status ew_solve_host(const ew_matrix *matrix, const ew_pattern *pattern, const uint8_t *fixed,
                        const double *b, const ew_pcg_def *def, double *x, ew_pcg_info *info);
/* The same on the device; vectors stay there between iterations. Without fp64 only EW_SINGLE, and
 * the true residual is formed on the host with `host` (null otherwise) and pattern. */
ew_status ew_solve_device(ew_device_matrix *matrix, const ew_pattern *pattern,
                          const ew_matrix *host, const uint8_t *fixed, const double *b,
                          const ew_pcg_def *def, double *x, ew_pcg_info *info);

/* ---- rigid-body-mode multilevel preconditioner (multilevel*.c) ---------- */

/* M^-1 of a stiffness of 3x3 blocks: a sweep of chunked block Gauss-Seidel, a coarse correction in
 * the rigid-body modes of aggregates of rows, solved by a Cholesky factor, and the sweep backwards.
 * Symmetric positive definite, whatever is rounded in it. It is kept across changes: aggregates
 * persist, and what a change touched is gathered again, with the bits of a rebuild on the same
 * aggregates. */
typedef struct ew_multilevel ew_multilevel;

typedef struct ew_multilevel_def {
    int32_t aggregate_rows; /* rows of an aggregate, >= 2; 0: chosen from the number of rows */
    int32_t chunk_rows;     /* rows of a chunk of the smoother, >= 1; 0: 512 */
    bool single;     /* blocks of smoother and factor are rounded to single; vectors are double */
    double postpone; /* >= 0: share of the rows that may be touched before the coarse matrix is
                        factored again; 0: after every change */
} ew_multilevel_def;
ew_multilevel_def ew_default_multilevel_def(void);

typedef struct ew_multilevel_info {
    int32_t n_aggregate, n_chunk, n_null; /* null modes: motions of aggregates without effect */
    int32_t n_factor_block;
    int32_t n_raised;  /* columns of the factor with a pivot that was not positive: the body is
                          free to move, or the matrix too ill-conditioned for its precision */
    bool is_postponed; /* the factor is of an earlier matrix */
    int32_t n_touched_aggregate, n_touched_chunk, n_factored_column; /* by the last update */
} ew_multilevel_info;

/* From scratch. xyz: [n_row][3]; fixed as in ew_solve_host. Nothing is borrowed. The old one, if
 * any, is reused or freed; null after a failure. */
ew_status ew_multilevel_setup(ew_multilevel **multilevel, const ew_matrix *matrix,
                              const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                              const ew_multilevel_def *def);
/* After a change of the pattern, its blocks or positions (null: none), and of constraints of any
 * rows. O(touched), apart from a comparison of `fixed`. A change of a large part of the rows sets
 * up again. EW_STALE when the change does not start where the preconditioner is. After a failure it
 * must be set up again. */
ew_status ew_multilevel_update(ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                               const ew_pattern_change *change);
/* All blocks changed, the pattern did not: same aggregates, everything else again. */
ew_status ew_multilevel_refill(ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed);
/* Factors the coarse matrix if that was postponed; for a solve that takes longer than before. */
ew_status ew_multilevel_settle(ew_multilevel *multilevel);
/* z = M^-1 r, [n_row][3]; z is 0 in constrained components. Does not allocate; same bits for any
 * number of threads. */
void ew_multilevel_apply(ew_multilevel *multilevel, const double *r, double *z);
/* The oracle: everything but the aggregates computed again. EW_MATRIX_DIFFERS names what is not
 * equal bit for bit: coarse blocks, chunks of the smoother, and unless postponed the factor. */
ew_status ew_multilevel_verify(const ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed);
const ew_multilevel_info *ew_multilevel_about(const ew_multilevel *multilevel);
size_t ew_multilevel_bytes(const ew_multilevel *multilevel);
void ew_multilevel_free(ew_multilevel *multilevel);

#ifdef __cplusplus
}
#endif
#endif
