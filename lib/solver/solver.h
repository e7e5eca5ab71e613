/* solver: K x = b with K symmetric positive definite, some components of x prescribed. Ignorant of
 * meshes: rows, pairs, blocks, a filter. Three objects:
 *
 * - an *operator* multiplies, y = K x, and knows what it was made from;
 * - a *preconditioner* approximates K^-1: set up, updated from a change, applied;
 * - a *solver* iterates, and keeps its preconditioner and all its memory between solves.
 *
 * Where vectors live, on the host or on a device, is the operator's business: its table names the
 * vector operations, and preconditioners are found by kind and place. Callers never ask.
 *
 * Modified preconditioned conjugate gradients: the filter S clears the fixed components, and the
 * iteration solves S K S d = S (b - K x0) for x = x0 + d, where x0 carries the prescribed values;
 * the matrix is never touched (Baraff & Witkin 1998, section 5.3; Ascher & Boxerman 2003).
 *
 * Convergence is claimed only when the true residual, formed again and not by the recurrence, in
 * double precision and where rounding hides it by sums in extended precision, satisfies |S (b - K
 * x)| <= tolerance * |S (b - K x_p)|, x_p being the prescribed values and zero elsewhere; with none
 * but zero prescribed values the reference is |S b|. When it is zero the answer is x_p itself.
 *
 * Precision (ew_precision), of what lies inside that claim:
 * - EW_MIXED: the iteration in double, the preconditioner in single, for a correction needs few
 *   digits: on the host its blocks, on a device its vectors, too;
 * - EW_AUTO_PRECISION, the default: EW_MIXED, unless a device matrix has no single blocks;
 * - EW_DOUBLE: all of it in double;
 * - EW_SINGLE: all of it in single, in one pass, which claims only what it reached. */
#ifndef EW_SOLVER_H
#define EW_SOLVER_H

#include "matrix/matrix.h"

EW_BEGIN_API

/* ---- operators --------------------------------------------------------- */

typedef struct ew_operator ew_operator;
typedef struct ew_pcg_ops ew_pcg_ops; /* pcg.h */

/* A kind of operator. Products in single read single-precision blocks. */
typedef struct ew_operator_type {
    const char *name; /* for messages */
    bool on_device;   /* vectors are on a device; false: on the host */
    /* EW_STALE unless what a product reads is current, EW_UNSUPPORTED when there are no products in
     * this precision. Brings copies up to date. Called once before each solve. */
    ew_status (*prepare)(ew_operator *op, ew_precision precision);
    /* Revision of the pattern that the blocks belong to, and of the constants in them. */
    void (*state)(const ew_operator *op, uint64_t *revision, uint64_t *constants);
    /* On the host: y = K x, [n_row][3], no aliasing. Called by all threads of a parallel region,
     * which it leaves together (OpenMP's `for`), or by one thread outside. */
    void (*product)(const ew_operator *op, bool single, const double *x, double *y);
    /* The same with sums in extended precision, or null. */
    void (*extended_product)(const ew_operator *op, const double *x, double *y);
    /* On a device, double or float vectors as `single` says: y = K x; q = S K p with *n_partial
     * partial sums of p . q (as ew_device_matrix_product_dot). */
    ew_status (*device_product)(const ew_operator *op, bool single, const ew_buffer *x,
                                ew_buffer *y);
    ew_status (*device_product_dot)(const ew_operator *op, bool single, const ew_buffer *fixed,
                                    const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                                    int32_t *n_partial);
} ew_operator_type;

/* Rows behind those of the pattern, whose blocks are not stored but for the diagonal ones:
 *
 *     K = [ A  B^T ]   A: the stored matrix, on the pattern's rows
 *         [ B  C   ]   B, C: known by their products
 *
 * With hierarchical functions A is the linear matrix, and what is made of it, such as aggregates,
 * does not see the rows behind. On the host, or on the device where the stored matrix is. */
typedef enum ew_beyond_part {
    EW_BEYOND_ALL,       /* y += K x - A x */
    EW_BEYOND_OF_ROWS,   /* the same of the x in the rows beyond alone: B^T and C */
    EW_BEYOND_OF_STORED, /* of the x in the pattern's rows alone: y of the rows beyond += B x */
    EW_BEYOND_WHOLE      /* y += K x; only where is_whole says so */
} ew_beyond_part;
typedef struct ew_beyond {
    void *user;
    /* As of an operator: EW_STALE unless all is current. */
    ew_status (*prepare)(void *user);
    /* Rows, diagonal blocks [*n_row][3][3] (null on a device), a number that changes with them. */
    void (*state)(void *user, int32_t *n_row, const double **diagonal, uint64_t *revision);
    bool (*is_whole)(void *user); /* it can give A x, too, without reading A; null: it cannot */
    /* Vectors have all rows; by all threads of a parallel region, as an operator's product. */
    void (*add_product)(void *user, ew_beyond_part part, const double *x, double *y);
    /* On a device: the diagonal blocks there, borrowed; the product, which adds to the pattern's
     * rows in EW_BEYOND_ALL and to those beyond in EW_BEYOND_OF_STORED and sets the others; and
     * q = S K p with partial sums of p . q, where q has the pattern's rows of A p on entry. */
    const ew_device_matrix *device_diagonal;
    ew_status (*device_product)(void *user, ew_beyond_part part, bool single, const ew_buffer *x,
                                ew_buffer *y);
    ew_status (*device_product_dot)(void *user, bool single, const ew_buffer *fixed,
                                    const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                                    int32_t *n_partial);
} ew_beyond;

/* Another kind of operator has this as its first member. */
struct ew_operator {
    const ew_operator_type *type;
    const ew_pattern *pattern; /* borrowed: the rows, and the revision that all must be at */
    const ew_matrix *matrix; /* borrowed: blocks on the host, which preconditioners read; null when
                                there are none */
    const ew_device_matrix *device_matrix;   /* borrowed: blocks on a device, or null */
    const ew_device_pattern *device_pattern; /* borrowed: the rows there, or null */
    ew_matrix_single single; /* owned: copy of `matrix`, once products in single are asked for */
    const ew_beyond *beyond; /* borrowed: rows behind the pattern's, or null: none */
};
/* Rows of vectors: those of the pattern, and those beyond. */
int32_t ew_operator_n_row(const ew_operator *op);
/* Of a matrix of 3x3 blocks on the host. Borrows both, which may change between solves. */
ew_operator ew_operator_on_host(const ew_matrix *matrix, const ew_pattern *pattern);
/* The same with rows beyond those of the pattern. */
ew_operator ew_operator_with_beyond(const ew_matrix *matrix, const ew_pattern *pattern,
                                    const ew_beyond *beyond);
/* Of one on a device, with the copy of the pattern there. `host`: the same blocks on the host,
 * needed on a device without fp64, where only EW_SINGLE can be had and the true residual is formed
 * on the host; null otherwise. */
ew_operator ew_operator_on_device(const ew_device_matrix *matrix,
                                  const ew_device_pattern *device_pattern,
                                  const ew_pattern *pattern, const ew_matrix *host);
/* The same with rows beyond those of the pattern, whose products are there, too. Needs fp64. */
ew_operator ew_operator_on_device_with_beyond(const ew_device_matrix *matrix,
                                              const ew_device_pattern *device_pattern,
                                              const ew_pattern *pattern, const ew_beyond *beyond);
/* y = K x on the host, outside of any parallel region, once the operator is prepared. */
void ew_operator_product(const ew_operator *op, const double *x, double *y);
void ew_operator_free(ew_operator *op);

/* Rows in which x is prescribed along directions that are no axes. With P the projector that takes
 * those directions out, the iteration solves P S K S P d = P S (b - K x0). K need not know of them,
 * but a preconditioner does well only where K is stiff along them: as P n = 0, any multiple of n
 * n^T may be added to a row's diagonal block without changing the answer. */
typedef struct ew_oblique {
    int32_t n;
    int32_t *row;   /* [n] each once, in any order; their bit EW_OBLIQUE of `fixed` is set */
    double *normal; /* [n][2][3] orthonormal; the second zero where only one is prescribed */
    int32_t row_capacity, normal_capacity;
} ew_oblique;
#define EW_OBLIQUE 8
/* Row k of them: v less what of it is along the prescribed directions. What rounding leaves of a
 * vector along them becomes zero. */
void ew_oblique_project(const ew_oblique *oblique, int32_t k, double v[3]);
/* The rest: what of v is along them. */
void ew_oblique_part(const ew_oblique *oblique, int32_t k, const double v[3], double part[3]);

/* K x = b with a filter. All borrowed. */
typedef struct ew_system {
    ew_operator *op;
    const double *xyz;    /* [n_row of the pattern][3] where its rows are, for preconditioners that
                             ask; or null */
    const uint8_t *fixed; /* [n_row], bit c: component c is prescribed (7: all, as must be in rows
                             without contributors); EW_OBLIQUE: other directions are */
    const double *b;      /* [n_row][3]; entries of fixed components are not looked at */
    const ew_oblique *oblique; /* or null: none */
} ew_system;

/* ---- preconditioners --------------------------------------------------- */

typedef enum ew_preconditioner_kind {
    EW_JACOBI,              /* scalar diagonal */
    EW_BLOCK_JACOBI,        /* 3x3 diagonal blocks, restricted to the free components */
    EW_RIGID,               /* rigid-body modes of aggregates over a smoother (multilevel.c,
                               rigid_device.c) */
    EW_AUTO_PRECONDITIONER, /* of a solver only: rigid where it is known to pay, else block Jacobi
                             */
    EW_CHOLESKY,            /* the inverse itself, by a sparse factor: of a solver only, which
                               corrects by it in place of iterating (ew_direct_solver) */
    EW_PRECONDITIONER_COUNT /* none */
} ew_preconditioner_kind;
/* Names in cases and options, in order: of the preconditioners that iterations take, and of the
 * solvers, conjugate gradients with one of them or the direct one. */
#define EW_PRECONDITIONER_NAMES "jacobi block-jacobi rigid auto"
#define EW_SOLVER_NAMES         "cg cholesky"
/* The name of one; "unknown" outside the list. */
const char *ew_preconditioner_name(ew_preconditioner_kind kind);

typedef struct ew_preconditioner ew_preconditioner;
struct ew_pcg_info;

/* A kind in a place: one row of the table in preconditioner.c. */
typedef struct ew_preconditioner_type {
    ew_preconditioner_kind kind;
    bool on_device;   /* as the operators that it is for */
    bool needs_pairs; /* reads more than diagonal blocks */
    /* From scratch, memory of an earlier set-up reused. `fixed` is copied already. */
    ew_status (*setup)(ew_preconditioner *self, const ew_system *system);
    /* After a change of the pattern whose blocks are current; n_before: rows there were. Null
     * change: other constraints in the listed rows, ascending. */
    ew_status (*update)(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before);
    ew_status (*refilter)(ew_preconditioner *self, const ew_system *system, const ew_list *row);
    /* Other blocks throughout, on the same rows and pairs; null: set up. */
    ew_status (*refill)(ew_preconditioner *self, const ew_system *system);
    /* z = S M^-1 S r on the host, r [n_row][3] filtered; z is zero on entry in rows that are fixed
     * altogether. Null where `inverse` says it all. Called as an operator's product. */
    void (*apply)(ew_preconditioner *self, const double *r, double *z);
    /* The same on a device, in working precision: on entry z = D^-1 r by `device_inverse`; leaves
     * n_group partial sums of r . z. Null where `device_inverse` says it all. */
    ew_status (*device_apply)(ew_preconditioner *self, const ew_operator *op, const ew_buffer *r,
                              ew_buffer *z, ew_buffer *partial, size_t n_group);
    /* Before a solve: what updates left to be done once it is needed. *worked: there was some, and
     * it counts as set-up. Null: nothing ever is. */
    ew_status (*ready)(ew_preconditioner *self, bool *worked);
    /* After a solve, to learn from its outcome; without one: to forget what was learned. Or null.
     */
    ew_status (*learn)(ew_preconditioner *self, const struct ew_pcg_info *info);
    void (*free)(ew_preconditioner *self); /* what the kind owns */
} ew_preconditioner_type;

/* What EW_CHOLESKY has done for a solve. */
typedef enum ew_factor_work {
    EW_FACTOR_KEPT,    /* nothing: the matrix is the one before */
    EW_FACTOR_UPDATED, /* columns were added to the factor and taken from it */
    EW_FACTOR_NEW
} ew_factor_work;
typedef struct ew_factor_info {
    ew_factor_work work;
    int32_t n_column; /* where updated: columns added and taken, six for a tet */
    int32_t n_update; /* since the factor was new */
    int64_t n_entry;  /* numbers in the factor */
} ew_factor_info;

/* Zeroed: not set up. */
struct ew_preconditioner {
    const ew_preconditioner_type *type; /* null: not set up */
    ew_precision precision;             /* as asked for, of its own blocks */
    bool single;                        /* on a device: blocks and vectors of its own are float */
    int32_t n_row, row_capacity;
    uint8_t *fixed;                       /* [n_row] owned copy: the constraints it is for */
    const ew_device *device;              /* borrowed: where its buffers are, or null */
    const void *matrix;                   /* whose blocks it is made from, and */
    uint64_t revision, constants;         /* their state; revision 0: not valid */
    bool is_to_refill;                    /* by the next solve: renewed, or left by an update */
    ew_list changed;                      /* work: rows with other constraints */
    const ew_preconditioner_type *direct; /* of EW_CHOLESKY, or null (ew_pcg_def) */
    ew_factor_info factor;                /* of EW_CHOLESKY; work: since the last solve */
    /* Row-wise kinds; the solver applies them within its own loops: */
    double *inverse;          /* [n_row][6] owned: xx yy zz xy yz xz of the rows' S M^-1 S */
    int32_t inverse_capacity; /* rows */
    ew_buffer device_inverse; /* [6][inverse_capacity] xx xy xz yy yz zz, double or float; rows
                                 beyond the pattern behind the others */
    ew_buffer device_fixed, device_list, device_partial;
    void *data; /* owned by other kinds */
    /* Where the operator has rows beyond its pattern: a smoother of their own, damped block Jacobi,
     * before and after the kind, which acts on the pattern's rows (beyond.c). */
    const ew_beyond *beyond; /* borrowed, or null */
    struct ew_beyond_smoother {
        int32_t n_row, row_capacity, fixed_capacity, work_capacity;
        uint64_t revision; /* of the rows beyond that it is for, */
        int32_t n_stored;  /* and the pattern's rows before them */
        double damping;    /* 1.5 / largest eigenvalue of D^-1 C; 0: not known yet */
        double *inverse;   /* [n_row][6] owned, damped; on a device they stand in device_inverse */
        uint8_t *fixed;    /* [n_row] owned copy */
        double *work, *rest;                   /* [all rows][3], [rows of the pattern][3] owned */
        ew_buffer device_work, device_rest;    /* the same on a device, in working precision, */
        ew_buffer oblique_row, oblique_normal; /* and rows with oblique directions there */
    } smoother;
};

/* From scratch. EW_UNSUPPORTED when there is no such kind where the operator is. On failure it is
 * not set up. */
ew_status ew_preconditioner_setup(ew_preconditioner *self, ew_preconditioner_kind kind,
                                  const ew_system *system, ew_precision precision);
/* After other blocks throughout, on the same rows and pairs: kinds that can keep something do. */
ew_status ew_preconditioner_refill(ew_preconditioner *self, const ew_system *system);
/* Follows a change of the pattern, after the operator: O(touched). EW_STALE when the change does
 * not lead from the state it is in to the operator's; nothing to do when it is not set up. On any
 * other failure it is not set up any more. */
ew_status ew_preconditioner_update(ew_preconditioner *self, const ew_system *system,
                                   const ew_pattern_change *change);
/* Before a solve, and before it is applied after an update: EW_STALE unless it is what a set-up
 * would make for the operator as it is now. Follows other constraints by itself: rows whose bits of
 * `fixed` differ are done again. *worked: an update had left something to be done. */
ew_status ew_preconditioner_prepare(ew_preconditioner *self, const ew_system *system, bool *worked);
/* z = S M^-1 S r on the host, as the kind's `apply`. */
void ew_preconditioner_apply(ew_preconditioner *self, const double *r, double *z);
void ew_preconditioner_free(ew_preconditioner *self);

/* ---- solvers ----------------------------------------------------------- */

/* Settings. */
typedef struct ew_pcg_def {
    double tolerance;                      /* in (0, 1); default 1e-8 */
    int32_t max_iterations;                /* >= 1, of all passes together; default 20000 */
    ew_preconditioner_kind preconditioner; /* default EW_AUTO_PRECONDITIONER */
    ew_precision precision;                /* default EW_AUTO_PRECISION */
    const ew_preconditioner_type *direct;  /* for EW_CHOLESKY: ew_direct_solver(); null: none */
    int32_t expected_solves; /* >= 0: solves that come with matrices such as this one, itself
                                included; default 0: not known */
    ew_progress progress;    /* called every few iterations with an estimate of the share done */
} ew_pcg_def;
ew_pcg_def ew_default_pcg_def(void);
/* Names the first bad field. */
ew_status ew_pcg_def_check(const ew_pcg_def *def);

/* Outcome. */
typedef struct ew_pcg_info {
    ew_status status;   /* EW_OK, NOT_CONVERGED, INDEFINITE, NOT_FINITE, CANCELED, DEVICE, ... */
    int32_t iterations; /* products in the recurrence, all passes */
    int32_t passes;     /* true residuals that work followed (double: 1 unless it drifted) */
    double reference;   /* |S (b - K x_p)| */
    double residual;    /* true, double precision, relative to the reference */
    bool limited_by_rounding; /* the residual is above the tolerance, below 1e-6, and as small as
                                 double precision allows: rounding the displacement changes it as
                                 much. Such is the answer for very soft bodies; EW_OK */
    bool is_extended;      /* the residual was formed by sums in extended precision: in double their
                              rounding hid it */
    double first_residual; /* of the start vector, relative */
    double seconds;        /* the whole call */
    double seconds_setup;  /* of them, for setting the preconditioner up */
    ew_preconditioner_kind preconditioner; /* the one that was used */
    const char *reason;    /* why it was chosen, "" when it was asked for; not owned */
    ew_status fallback;    /* what the rigid one failed with, after which block Jacobi was used */
    ew_factor_info factor; /* of EW_CHOLESKY */
    int32_t n_history;
    const double *history; /* [n_history] recurrence residual after each iteration, relative;
                              borrowed from the solver until its next solve */
} ew_pcg_info;

/* Zeroed: ready for any system. */
typedef struct ew_solver {
    ew_preconditioner preconditioner; /* owned */
    ew_status fallback;               /* as in ew_pcg_info, until rigid is tried again */
    bool is_hard;                     /* block Jacobi took too many iterations, until the same */
    const ew_pcg_ops *ops;            /* whose workspace that is: */
    void *workspace;                  /* owned: vectors and partial sums, grown with headroom */
    double *history;                  /* owned */
    int32_t history_capacity;
    struct ew_saddle_work *saddle; /* owned: workspace of ew_saddle_solve */
} ew_solver;

/* x: [n_row][3]; on entry the prescribed values in the fixed components and a start vector in the
 * others (any finite values, zeros if nothing better), on return the solution, or the last iterate
 * on failure. Fills info whatever happens; returns info->status.
 *
 * The first solve sets the preconditioner up, as does one with another kind, precision, operator or
 * matrix. From then on it must follow every change (ew_solver_update), else EW_STALE. Nothing is
 * allocated by a solve of a system that is no larger than one before.
 *
 * EW_AUTO_PRECONDITIONER takes the rigid one from EW_RIGID_ROWS rows on, if xyz is given. Where
 * that finds the matrix indefinite block Jacobi goes on from what was reached, until the matrix or
 * what is constrained changes; where it finds no room, until ew_solver_forget or _renew. Where it
 * is slow block Jacobi is, too: a third of the time for three to forty times the iterations. What
 * it took it keeps, until the system has grown or shrunk by half that number.
 *
 * Where at least EW_MANY_SOLVES are expected it first asks how hard the system is, which one look
 * at the blocks of a host's matrix tells (jacobi_iteration_estimate.c). Block Jacobi is taken where
 * it should need no more than EW_EASY_ITERATIONS: each costs a third of the other's. If it takes
 * four times as many, the rigid one goes on. So it is in dynamics with short steps, where the mass
 * outweighs the stiffness. */
#define EW_RIGID_ROWS      250
#define EW_MANY_SOLVES     10
#define EW_EASY_ITERATIONS 50
ew_status ew_solver_solve(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                          double *x, ew_pcg_info *info);
/* In place of a solve of the same system by the same settings that was made before, as when a run
 * is resumed: the solver becomes what that solve left, without iterating. known: its outcome;
 * *info: a copy of it with the times of this call. EW_BAD_INPUT where such a solve would take
 * another preconditioner. */
ew_status ew_solver_accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                           const ew_pcg_info *known, ew_pcg_info *info);
/* As ew_preconditioner_update, but that only EW_STALE and EW_DEVICE are told: after other failures
 * the next solve sets up, and tells of its own. b may be null. */
ew_status ew_solver_update(ew_solver *solver, const ew_system *system,
                           const ew_pattern_change *change);
/* After a rebuild: the next solve sets the preconditioner up. Memory is kept. */
void ew_solver_forget(ew_solver *solver);
/* After other materials, which changed the blocks but no row and no pair: the next solve keeps of
 * the preconditioner what does not depend on blocks, such as aggregates. */
void ew_solver_renew(ew_solver *solver);
/* Forgets what it learned from solves, but for what changed by it already; true where it is then
 * what a set-up would make, given that no change was followed since. */
bool ew_solver_unlearn(ew_solver *solver);
void ew_solver_free(ew_solver *solver);

/* ---- saddle points (saddle.c) ---------------------------------------------- */

/* [K B^T; B -C] [x; p] = [b; g] with K of a system, one p a row, C not negative, g null for 0. On
 * the host, or a device with fp64, where v = (x, p) and out = (y, q) are double [4 n_row]. */
typedef struct ew_saddle {
    void *user; /* y += B^T p; q = B x - C p; x, y [n_row][3], p, q [n_row]; by one thread: */
    void (*add_product)(void *user, const double *x, const double *p, double *y, double *q);
    ew_status (*device_add_product)(void *user, const ew_buffer *v, ew_buffer *out);
    const double *scale, *g; /* [n_row] borrowed: near the diagonal of C + B K^-1 B^T, 0: p is 0 */
    const ew_buffer *device_scale;
} ew_saddle;
/* As ew_solver_solve and _accept, with its preconditioner for K (auto: rigid, of few rows, too), by
 * minimal residuals: that of x by |S (b - K x_p)|, of p, and with g both, by its energy norm. */
ew_status ew_saddle_solve(ew_solver *solver, const ew_system *system, const ew_saddle *saddle,
                          const ew_pcg_def *def, double *x, double *p, ew_pcg_info *info);
ew_status ew_saddle_accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                           const ew_pcg_info *known, ew_pcg_info *info);

/* Corrections after which an updated factor of ew_direct_solver (cholmod.h) is made again. */
#define EW_FACTOR_STEPS 4

/* ---- eigenpairs ------------------------------------------------------------- */

/* T x = theta x with T = solve o image, self-adjoint in the inner product x . B y of a B that is
 * positive definite where T maps to. Shift-invert: solve = (K - shift M)^-1, image = B = M gives
 * theta = 1 / (lambda - shift). Each function reads and writes n numbers, without aliasing. */
typedef struct ew_eigen_problem {
    int32_t n;      /* numbers of a vector */
    int32_t n_free; /* dimension of what T maps to; more pairs there are not */
    void *user;
    void (*inner)(void *user, const double *x, double *y); /* y = B x */
    void (*image)(void *user, const double *x, double *y); /* null: as inner */
    void (*solve)(void *user, const double *x, double *y);
    ew_progress progress;
} ew_eigen_problem;

/* Those with the largest |theta|, the largest first: theta [count], vector [count][n], x . B x = 1.
 * To the accuracy of double precision. The same bits on every run. EW_BAD_ARGUMENT unless 1 <=
 * count < n_free; EW_NOT_CONVERGED, EW_CANCELED. *n_solve: calls of `solve`.
 * ew_eigen_solve (cholmod.h) is one. */
typedef ew_status ew_eigen_call(const ew_eigen_problem *problem, int32_t count, double *theta,
                                double *vector, int32_t *n_solve);

/* ---- rigid-body-mode multilevel preconditioner (multilevel*.c) ---------- */

/* M^-1 of a stiffness of 3x3 blocks: a sweep of chunked block Gauss-Seidel, a coarse correction in
 * the rigid-body modes of aggregates of rows, solved by a Cholesky factor, and the sweep backwards.
 * Where aggregates are many, from about 2 million tets on, theirs is solved approximately in turn,
 * by the same means with groups of aggregates. Symmetric positive definite, whatever is rounded in
 * it. It is kept across changes: aggregates persist, and what a change touched is gathered again,
 * with the bits of a rebuild on the same aggregates. */
typedef struct ew_multilevel ew_multilevel;

typedef struct ew_multilevel_def {
    int32_t aggregate_rows; /* rows of an aggregate, >= 2; 0: chosen from the number of rows */
    int32_t levels;     /* 2: rows and aggregates; 3: and groups of aggregates; 0: chosen from the
                           number of rows, and on a device from that of aggregates, too */
    int32_t chunk_rows; /* rows of a chunk of the smoother, >= 1; 0: chosen, 512 to 2048 */
    bool single;     /* blocks of smoother and factor are rounded to single; vectors are double */
    double postpone; /* >= 0: share of the rows that may be touched before the coarse matrix is
                        factored again; 0: after every change */
    bool wait; /* an update leaves that to ew_multilevel_ready, to be done once for all changes */
} ew_multilevel_def;
ew_multilevel_def ew_default_multilevel_def(void);

typedef struct ew_multilevel_info {
    int32_t n_aggregate, n_chunk, n_null; /* null modes: motions of aggregates without effect */
    int32_t n_group;                      /* of aggregates; 0: two levels */
    int32_t n_factor_block;
    int32_t n_raised;  /* columns of the factor with a pivot that was not positive: the body is
                          free to move, or the matrix too ill-conditioned for its precision */
    bool is_postponed; /* the factor is of an earlier matrix */
    int32_t n_touched_aggregate, n_touched_chunk, n_factored_column; /* by the last update; chunks
                          that were filled again as a whole */
    int32_t n_patched_chunk; /* by the last update: chunks of which some rows were filled again */
} ew_multilevel_info;

/* From scratch. xyz: [n_row][3]; fixed as in ew_system. Nothing is borrowed. The old one, if
 * any, is reused or freed; null after a failure. */
ew_status ew_multilevel_setup(ew_multilevel **multilevel, const ew_matrix *matrix,
                              const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                              const ew_multilevel_def *def);
/* After a change of the pattern, its blocks or positions (null: none), and of constraints. refixed:
 * rows whose entries of `fixed` may differ from before, besides new and touched ones; null: any, so
 * that all are compared. O(touched) otherwise. A change of a large part of the rows sets up again.
 * EW_STALE when the change does not start where the preconditioner is. After a failure it must be
 * set up again. */
ew_status ew_multilevel_update(ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                               const ew_list *refixed, const ew_pattern_change *change);
/* All blocks changed, the pattern did not: same aggregates, everything else again; from scratch
 * where too many pairs tie their rows together otherwise than before. */
ew_status ew_multilevel_refill(ew_multilevel *multilevel, const ew_matrix *matrix,
                               const ew_pattern *pattern, const double *xyz, const uint8_t *fixed);
/* Before an application, where def.wait: factors the coarse matrix if an update left it to be done,
 * which *worked says. */
ew_status ew_multilevel_ready(ew_multilevel *multilevel, bool *worked);
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

EW_END_API
#endif
