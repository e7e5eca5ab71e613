/* solver: what a program needs that works on its tables itself, beside solver/solver.h. */
#ifndef EW_PARTS_SOLVER_H
#define EW_PARTS_SOLVER_H

#include "matrix/parts/matrix.h"
#include "solver/solver.h"

EW_BEGIN_API

/* ---- operators --------------------------------------------------------- */

typedef struct ew_pcg_ops ew_pcg_ops; /* pcg.h */

/* Rows of vectors: those of the pattern, and those of edges. */
int32_t ew_operator_n_row(const ew_operator *op);
/* Of a matrix of 3x3 blocks on the host. Borrows both, which may change between solves. Its
 * `edges` may be set from solve to solve. */
ew_operator ew_operator_on_host(const ew_matrix *matrix, const ew_pattern *pattern);
/* Of one on a device, with the copy of the pattern there. `host`: the same blocks on the host,
 * needed on a device without fp64, where only EW_SINGLE can be had and the true residual is formed
 * on the host; null otherwise. With rows of edges, whose products are there,
 * too, fp64 is needed. */
ew_operator ew_operator_on_device(const ew_device_matrix *matrix,
                                  const ew_device_pattern *device_pattern,
                                  const ew_pattern *pattern, const ew_matrix *host);
/* y = K x on the host, outside of any parallel region, once the operator is prepared. */
void ew_operator_product(const ew_operator *op, const double *x, double *y);
void ew_operator_free(ew_operator *op);
/* An operator on the host with springs between rows: y = (K + sum of stiffness c c^T) x. Its blocks
 * are those of K. (krylov/springs.c) */
typedef struct ew_sprung_operator {
    ew_operator op; /* the first member, with nothing to be freed */
    ew_operator *inner;
    ew_equation_list form;   /* the forms c; without rigid groups */
    const double *stiffness; /* [form.n] >= 0 */
} ew_sprung_operator;
/* All borrowed: the operator, the arrays of the list, stiffness. */
void ew_operator_add_springs(ew_sprung_operator *to, ew_operator *op, const ew_equation_list *form,
                             const double *stiffness);

/* Row k of them: v less what of it is along the prescribed directions. What rounding leaves of a
 * vector along them becomes zero. */
void ew_oblique_project(const ew_oblique *oblique, int32_t k, double v[3]);
/* The rest: what of v is along them. */
void ew_oblique_part(const ew_oblique *oblique, int32_t k, const double v[3], double part[3]);

/* ---- equations (krylov/equations.c) -------------------------------------- */

/* For this filter and these oblique rows (null: none) of n_row rows; memory of an earlier build is
 * used again. After a failure there are none. */
ew_status ew_equations_build(ew_equations *equations, const ew_equation_list *from, int32_t n_row,
                             const uint8_t *fixed, const ew_oblique *oblique);
/* By one thread, v [n_row][3] that the filter and oblique rows have cleared: v = P v; part += v -
 * P v. */
void ew_equations_project(const ew_equations *equations, double *v);
void ew_equations_add_part(const ew_equations *equations, const double *v, double *part);
/* The forces by which equations and groups act, of all forces that are left of rows, those of what
 * is prescribed included: force [n_row][3] += them; in rows of groups = them. multiplier [from->n]:
 * of the coefficients as given, 0 for equations that are left out. */
void ew_equations_forces(const ew_equations *equations, const ew_equation_list *from,
                         const double *rest, double *multiplier, double *force);
/* Without groups. y [number of equations that are not left out] = R v, R the equations with
 * coefficients of length 1; v += sign R^T y. */
void ew_equations_multiply(const ew_equations *equations, const double *v, double *y);
void ew_equations_add_transposed(const ew_equations *equations, double sign, const double *y,
                                 double *v);
/* Moves free numbers of x, by the least sum of squares, so that the equations it was built from
 * hold with these values (null: 0) and groups are rigid. *contradiction: the first equation, or
 * from->n + the first group, that is not so, since it contradicts others or what is prescribed; or
 * -1. */
ew_status ew_equations_put(const ew_equations *equations, const ew_equation_list *from,
                           const double *value, double *x, int32_t *contradiction);
/* Blocks that preconditioners read in place of those of a matrix: with stiffness along equations,
 * and the pairs of rows that an equation ties. (krylov/stiffened.c) */
typedef struct ew_stiffened {
    ew_pattern pattern;     /* owned: pairs in the slots of `from`, and others */
    const ew_pattern *from; /* borrowed */
    ew_matrix matrix;       /* owned */
} ew_stiffened;
/* Copies the blocks; the pattern stays where it is of this revision. One that was made for other
 * equations is to be freed before. */
ew_status ew_equations_stiffen(const ew_equations *equations, const ew_matrix *matrix,
                               const ew_pattern *pattern, ew_stiffened *to);
/* Springs between rows (ew_operator_add_springs) into the blocks that there are. */
void ew_stiffened_add_springs(ew_stiffened *to, const ew_equation_list *form,
                              const double *stiffness);
void ew_stiffened_free(ew_stiffened *stiffened);
void ew_equations_free(ew_equations *equations);

/* ---- processes that solve together -------------------------------------------- */

/* Rows that go from some of them to others. */
typedef struct ew_transfer ew_transfer;
/* What they do for each other: all call the same functions in the same order, each by the thread
 * that began. Where one of them fails all functions return at once, and `status` says so. */
struct ew_peers {
    void *user;
    int32_t rank, n;  /* this process, of n */
    int32_t n_thread; /* threads of a process, at most */
    /* number [n]: at each place that of the one process where its bits are not all zero. */
    void (*join)(void *user, int64_t n, double *number);
    /* Bit sets of n_row rows: those that this process has, of which no other has any, and those
     * that it needs; null after a failure. */
    ew_transfer *(*plan)(void *user, int32_t n_row, const uint64_t *has, const uint64_t *needs);
    /* Values of `size` bytes by row, to where they are needed. */
    void (*bring)(void *user, ew_transfer *transfer, size_t size, void *value);
    void (*free_transfer)(ew_transfer *transfer); /* safe on null */
    /* number [n] of process `from` into `to` of process 0; of others neither is read. */
    void (*bring_first)(void *user, int32_t from, int64_t n, const double *number, double *to);
    /* The failure of a process, with its message. */
    ew_status (*status)(void *user);
};

/* ---- preconditioners --------------------------------------------------- */

/* Names in cases and options, in order: of the preconditioners that iterations take, and of the
 * solvers, conjugate gradients with one of them or the direct one. */
#define EW_PRECONDITIONER_NAMES "jacobi block-jacobi rigid auto"
#define EW_SOLVER_NAMES         "cg cholesky"

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
/* The same of the pattern's rows, for what needs nothing else. Where all is to be made again it
 * does nothing, and *is_current is false. */
ew_status ew_preconditioner_prepare_stored(ew_preconditioner *self, const ew_system *system,
                                           bool *worked, bool *is_current);
/* z = S M^-1 S r on the host, as the kind's `apply`. */
void ew_preconditioner_apply(ew_preconditioner *self, const double *r, double *z);
/* Z = M^-1 R of several vectors side by side, as the kind's `apply_columns`, where the kind has
 * them; and before that, room. */
bool ew_preconditioner_has_columns(const ew_preconditioner *self);
ew_status ew_preconditioner_prepare_columns(ew_preconditioner *self);
void ew_preconditioner_apply_columns(ew_preconditioner *self, const double *r, double *z);
void ew_preconditioner_free(ew_preconditioner *self);

/* ---- solvers ----------------------------------------------------------- */

/* Names the first bad field. */
ew_status ew_pcg_def_check(const ew_pcg_def *def);

/* Zeroed: ready for any system. */
typedef struct ew_solver {
    ew_preconditioner preconditioner; /* owned */
    ew_status fallback;               /* as in ew_pcg_info, until rigid is tried again */
    bool is_hard;                     /* block Jacobi took too many iterations, until the same */
    const ew_pcg_ops *ops;            /* whose workspace that is: */
    void *workspace;                  /* owned: vectors and partial sums, grown with headroom */
    double *history;                  /* owned */
    int32_t history_capacity;
    double *step;                   /* owned, or null: of the last solve with an energy tolerance */
    struct ew_saddle_work *saddle;  /* owned: workspace of ew_saddle_solve */
    const ew_list *changed;         /* borrowed: of ew_solver_know_changes */
    struct ew_pcg_columns *columns; /* owned, or null: workspace of solves side by side, */
    struct ew_pcg_history *column_history; /* [n_column_history] owned, and their residuals */
    int32_t n_column_history, column_capacity;
    int32_t answer;         /* of ew_solver_use_answer */
    struct ew_dealt *dealt; /* owned: rows as they are dealt to processes, or null */
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
 * what is constrained changes; where it finds no room, until ew_solver_reset or _renew. Where it
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
/* The same for n right-hand sides b [n] of one system, whose own is not looked at: with a start
 * vector, which becomes the answer, x [n], and an outcome info [n] for each, whose history is
 * borrowed until the next call. They are iterated side by side (krylov/pcg_columns.c), and no
 * answer depends on the others. One that fails says so in its info.status, with its line in message
 * [n]. On the host, with the rigid preconditioner and products that can be shared; else *shared is
 * false and nothing was solved. Nothing is learned of them before ew_solver_accept of each. */
enum { EW_COLUMN_MESSAGE = 512 };
ew_status ew_solver_solve_several(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                                  int32_t n, const double *const *b, double *const *x,
                                  ew_pcg_info *info, char (*message)[EW_COLUMN_MESSAGE],
                                  bool *shared);
/* In place of a solve of the same system by the same settings that was made before, as when a run
 * is resumed: the solver becomes what that solve left, without iterating. x: its solution; known:
 * its outcome; *info: a copy of it with the times of this call. EW_BAD_INPUT where such a solve
 * would take another preconditioner. */
ew_status ew_solver_accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                           const double *x, const ew_pcg_info *known, ew_pcg_info *info);
/* Rows that include all whose displacement the last solve changed, where that was a local answer
 * (ew_pcg_info.is_local); else null. Borrowed until the next call. */
const ew_list *ew_solver_local_rows(const ew_solver *solver);
/* Before a solve after a local answer: rows that include all whose start value or b is not that of
 * the answer, except rows that updates touched. Borrowed until the end of that solve. Without this
 * call, or with null, they are searched for in O(n). */
void ew_solver_know_changes(ew_solver *solver, const ew_list *row);
/* Rows of edges whose blocks or constraints are others than in the last solve, by their numbers
 * behind the pattern's rows; null: all. Local answers need to know. */
ew_status ew_solver_touch_edges(ew_solver *solver, const ew_list *row);
/* The vector that the next solves are for, where one matrix has several right-hand sides that each
 * change little between solves: local answers keep what they need of each by its number, >= 0,
 * small. Initially 0, which ew_solver_local_rows and _know_changes are about. */
void ew_solver_use_answer(ew_solver *solver, int32_t number);
/* As ew_preconditioner_update, but that only EW_STALE and EW_DEVICE are told: after other failures
 * the next solve sets up, and tells of its own. b may be null. */
ew_status ew_solver_update(ew_solver *solver, const ew_system *system,
                           const ew_pattern_change *change);
/* After a rebuild: the next solve sets the preconditioner up. Memory is kept. */
void ew_solver_reset(ew_solver *solver);
/* After other materials, which changed the blocks but no row and no pair: the next solve keeps of
 * the preconditioner what does not depend on blocks, such as aggregates. */
void ew_solver_invalidate(ew_solver *solver);
/* Forgets what it learned from solves, but for what changed by it already; true where it is then
 * what a set-up would make, given that no change was followed since. */
bool ew_solver_reset_history(ew_solver *solver);
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
ew_status ew_multilevel_factor_pending(ew_multilevel *multilevel);
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

/* ---- levels of a part of a distributed system (multilevel/part_level.c) ---- */

/* The same preconditioner of rows that several processes have: its chunks and the blocks of its
 * coarse matrix are each of one part, its factor is of all of them and in each process. Numbers of
 * aggregates and chunks are those of the whole, so that nothing depends on the parts. */
typedef struct ew_part_level ew_part_level;

/* All borrowed. */
typedef struct ew_part_level_def {
    int32_t n_aggregate, n_chunk;
    const int32_t
        *aggregate;       /* [n_row] of every row with pairs, also of other parts; -1: of others */
    const int32_t *chunk; /* [n_aggregate] chunk of those of this part; -1: of another part */
    const double *frame;  /* [n_aggregate][4] reference point, length > 0: of all */
} ew_part_level_def;
/* A block of the coarse matrix: rows of the lower aggregate, row-major. Of an aggregate with itself
 * with a penalty on motions without effect. */
typedef struct ew_level_block {
    int32_t row[2]; /* ascending */
    double block[36];
} ew_level_block;

/* Chunks, and the blocks whose lower aggregate is of this part. Rows of these are complete in
 * matrix and pattern, and ascend as in the whole. Nothing is borrowed. The old one, if any, is
 * freed; null after a failure. EW_INDEFINITE, EW_NOT_FINITE: as of ew_multilevel_setup. */
ew_status ew_part_level_setup(ew_part_level **level, const ew_matrix *matrix,
                              const ew_pattern *pattern, const double *xyz, const uint8_t *fixed,
                              const ew_part_level_def *def);
/* [*n] blocks of this part, borrowed. */
const ew_level_block *ew_part_level_blocks(const ew_part_level *level, int32_t *n);
/* Those of all parts (copied), in any order: the factor. */
ew_status ew_part_level_factor(ew_part_level *level, int32_t n, const ew_level_block *block);
/* z = M^-1 r in three steps, r and z [n_row][3]. The first returns values [n_row][4], borrowed, of
 * which the caller brings those of other parts' rows; the second makes this part's part of a vector
 * [n_aggregate][6], which the caller adds up: all else of it is 0; the third takes the sum, and
 * spoils it. */
double *ew_part_level_forward(ew_part_level *level, const double *r);
void ew_part_level_restrict(ew_part_level *level, double *coarse);
void ew_part_level_backward(ew_part_level *level, double *coarse, const double *r, double *z);
void ew_part_level_free(ew_part_level *level);

EW_END_API
#endif
