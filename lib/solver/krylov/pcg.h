/* pcg: private to solver. The conjugate-gradient iteration and what it is made of: a table of
 * operations over vectors that live on the host (pcg_host.c) or on a device (pcg_device.c). */
#ifndef EW_SOLVER_PCG_H
#define EW_SOLVER_PCG_H

#include "solver/parts/solver.h"

/* One solve. All borrowed. */
typedef struct ew_pcg_task {
    const ew_system *system;
    ew_preconditioner *preconditioner;
    ew_precision precision;       /* of the recurrence: EW_DOUBLE or EW_SINGLE */
    double *x;                    /* [n_row][3] */
    const struct ew_dealt *dealt; /* null: this process has all rows */
} ew_pcg_task;

/* Scalars of an iteration: r.z and p.q, of which alpha is made, and r.r after it. */
typedef struct ew_pcg_step {
    double rz, pq, rr;
    double next_rz; /* r.z after it, on the host */
} ew_pcg_step;
/* Where equations take all of a load, what their projection leaves of it is rounding, about
 * 2^-53 sqrt(n) for n terms that an equation adds up. A smaller share than that for n = 1e6 counts
 * as none: the reference is 0, and the answer what is prescribed. */
#define EW_TAKEN_SHARE 0x1p-43
/* Iterations that are asked for at once, at most. */
#define EW_PCG_AHEAD 16

/* x and b are in double; d, r, p, q in working precision, z in the preconditioner's. `self` is the
 * workspace. */
struct ew_pcg_ops {
    /* Takes the task in. *self: null, or the workspace of an earlier task, whose room is kept. */
    ew_status (*open)(void **self, const ew_pcg_task *task);
    /* reference = |S (b - K x_p)| */
    ew_status (*reference)(void *self, double *reference);
    /* x += d; d = 0; r = S (b - K x) in double precision, stored in working precision divided by
     * `*scale` (returned, 1 in double; so that single precision keeps its range); rr = r.r before
     * division */
    ew_status (*residual)(void *self, double *scale, double *rr);
    /* The same, products being sums in extended precision; *can: whether there are such. Or null.
     */
    ew_status (*extended_residual)(void *self, bool *can, double *rr);
    /* rr = |S K e|^2 of roundings e of x to double precision, chosen at random, the same in every
     * call; spoils p and q. Null: not told here. */
    ew_status (*rounding)(void *self, double *rr);
    /* z = S M^-1 r; p = z */
    ew_status (*start)(void *self);
    /* d = S M^-1 r, for an M^-1 that is the inverse; or null */
    ew_status (*correct)(void *self);
    /* n <= EW_PCG_AHEAD iterations: q = S K p; alpha = r.z / p.q; d += alpha p; r -= alpha q;
     * z = S M^-1 r; beta = r.z / r.z before; p = z + beta p. step [n]: what each found. One that
     * finds p.q <= 0 leaves d and r as they are, and so do all after that or after r.r <= enough:
     * what these found is not said. A start makes them go on. */
    ew_status (*iterate)(void *self, int32_t n, double enough, ew_pcg_step *step);
    /* Gives x out: the last iterate, or x_p when only that was asked for. */
    ew_status (*close)(void *self, bool prescribed);
    void (*free)(void *self); /* null is fine */
};

extern const ew_pcg_ops ew_pcg_on_host, ew_pcg_on_device;

/* Precision of the recurrence for a requested precision. */
static inline ew_precision ew_pcg_precision(ew_precision asked)
{
    return asked == EW_SINGLE ? EW_SINGLE : EW_DOUBLE;
}

/* The stored matrix that an operator multiplies with, by its address. */
static inline const void *ew_operator_matrix(const ew_operator *op)
{
    return op->device_matrix ? (const void *)op->device_matrix : op->matrix;
}

/* Whether it has more than diagonal blocks for preconditioners to read. */
static inline bool ew_operator_has_pairs(const ew_operator *op)
{
    return !(op->device_matrix ? op->device_matrix->diagonal_only : op->matrix->diagonal_only);
}

/* The residuals of the recurrence, one an iteration; room is made in chunks. */
typedef struct ew_pcg_history {
    double *value; /* owned */
    int32_t capacity;
    double *step; /* [EW_RITZ_STEPS][2] owned, or null: r.z and p.q of the first steps of the last
                     pass, where the energy error is asked for, */
    int32_t n_step;
    double enough_rz; /* which ends where r.z is at most this; 0: never by that */
    bool is_enough;   /* so it ended */
} ew_pcg_history;
/* A Ritz value changes no more after so many steps. */
enum { EW_RITZ_STEPS = 512 };

/* The one iteration; def->precision as in the task. Fills the fields of info that it knows. */
ew_status ew_pcg_iterate(const ew_pcg_ops *ops, void *self, const ew_pcg_def *def,
                         ew_pcg_history *history, ew_pcg_info *info);

/* The same from pass to pass, for those that iterate several at once. */
typedef struct ew_pcg_run {
    const ew_pcg_ops *ops; /* borrowed, as all pointers */
    void *self;
    const ew_pcg_def *def;
    ew_pcg_history *history;
    ew_pcg_info *info;
    double unit;           /* a length of 1 in the working vectors, relative to the reference */
    double target;         /* residual that ends the pass, relative to the reference */
    double before;         /* that before the last pass */
    bool direct;           /* the preconditioner is the inverse */
    int32_t passes_before; /* with another preconditioner, which did not do */
} ew_pcg_run;
/* done: there is nothing to solve. */
ew_status ew_pcg_begin(ew_pcg_run *run, bool *done);
/* The true residual, and unless that is small enough (done) the start of a pass. */
ew_status ew_pcg_begin_pass(ew_pcg_run *run, bool *done);
/* Counts an iteration in; ended: it was the last one of its pass. A failure goes through
 * _fail_pass, once d is where the next residual finds it. */
ew_status ew_pcg_count(const ew_pcg_run *run, const ew_pcg_step *step, bool *ended);
ew_status ew_pcg_fail_pass(const ew_pcg_run *run, ew_status status);
/* From within a pass, whose vectors are as the operations left them, to the end. */
ew_status ew_pcg_finish(ew_pcg_run *run);

/* What the iteration on the host is at after a start: r, p and r.z, and d, which is zero then.
 * (pcg_host.c) */
typedef struct ew_host_vectors {
    double *d, *r, *z, *p; /* [n_row][3] borrowed */
    double rz;
} ew_host_vectors;
ew_host_vectors ew_pcg_host_vectors(void *self);
/* These vectors and numbers are those after an iteration: the next direction is z + beta p. */
void ew_pcg_host_go_on(void *self, double rz, double beta);

/* Several right-hand sides of one system on the host, iterated side by side: each has the bits that
 * it has alone. (pcg_columns.c) */
typedef struct ew_pcg_columns ew_pcg_columns;
/* Whether there are such products and preconditioners. */
bool ew_pcg_can_share(const ew_system *system, const ew_preconditioner *preconditioner,
                      const ew_pcg_def *def);
/* system: but for b; `host`: the workspace of ew_pcg_on_host, or null, as in its `open`. x, b [n]:
 * of each; history, info [n]. *columns: null, or the workspace of an earlier call. Returns what
 * ends all of them; what fails one is in its info.status, with its line in message [n]. */
ew_status ew_pcg_solve_columns(ew_pcg_columns **columns, void **host, const ew_pcg_task *task,
                               const ew_pcg_def *def, int32_t n, const double *const *b,
                               double *const *x, ew_pcg_history *history, ew_pcg_info *info,
                               char (*message)[EW_COLUMN_MESSAGE]);
void ew_pcg_free_columns(ew_pcg_columns *columns);

/* What a system prescribes beside fixed components, by oblique rows and equations, by one thread:
 * v, zero in fixed components, less that; part = that of x, whether any of it is not zero. work
 * [n_row] [3]: zero in the end. (projection.c) */
void ew_system_project(const ew_system *system, double *v);
bool ew_system_prescribe(const ew_system *system, const double *x, double *work, double *part);

/* Safe on null. (saddle.c) */
void ew_saddle_free(struct ew_saddle_work *work);
/* The operator and the preconditioner as they must be before iterations by this def; EW_BAD_INPUT
 * where the squares of loads vanish. (solver.c) */
ew_status ew_solver_bring(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                          ew_pcg_info *info);

/* For several right-hand sides: checks, and the preconditioner, where a solve by this def takes the
 * rigid one and it can be had. */
ew_status ew_solver_bring_rigid(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                                ew_pcg_info *info, bool *is_rigid);
/* EW_BAD_INPUT when there are loads on free components but so small that their squares vanish, and
 * they would pass for none. (solver.c) */
ew_status ew_solver_check_loads(const ew_system *system);
/* The workspace for a task, in solver->workspace. (solver.c) */
ew_status ew_solver_open(ew_solver *solver, const ew_pcg_task *task);

/* Rows are dealt in chunks of at most this many on the host: sums are formed chunk by chunk. */
#define EW_SUM_ROWS 512
/* As many chunks, a power of two as in products: threads keep to the same rows. */
static inline int32_t ew_sum_chunks(int32_t n_row)
{
    int32_t n = 1;
    while ((int64_t)n * EW_SUM_ROWS < n_row) {
        n *= 2;
    }
    return n;
}

/* z = B r for a row's inverse block B (xx yy zz xy yz xz) */
static inline void ew_multiply_row_inverse(const double *inverse, const double *r, double *z)
{
    z[0] = inverse[0] * r[0] + inverse[3] * r[1] + inverse[5] * r[2];
    z[1] = inverse[3] * r[0] + inverse[1] * r[1] + inverse[4] * r[2];
    z[2] = inverse[5] * r[0] + inverse[4] * r[1] + inverse[2] * r[2];
}

/* Inverse (xx yy zz xy yz xz) of a row's diagonal block [3][3], restricted to its free components;
 * whole: not of its scalar diagonal alone. EW_INDEFINITE, EW_NOT_FINITE name the row. (jacobi.c) */
ew_status ew_invert_row_block(const double *block, uint8_t fixed, bool whole, int32_t row,
                              double *inverse);

/* Equations weighted by the diagonal of a matrix and of blocks of edges behind it; *self, freed
 * before, is null where there is nothing to weigh. It borrows the equations. By one thread: Q^T of
 * the forces [n_row][3] that the caller has put into its own; z = Q z. (weighted.c) */
typedef struct ew_weighted ew_weighted;
/* Rows of one equation whose diagonals differ by this factor are stiff ones and soft ones. */
#define EW_STIFFNESS_JUMP 100.0
bool ew_equations_have_jump(const ew_equations *equations, const ew_matrix *matrix);
ew_status ew_weighted_build(ew_weighted **self, const ew_equations *equations,
                            const ew_matrix *matrix, const double *edge);
double *ew_weighted_force(const ew_weighted *self);
void ew_weighted_begin(const ew_weighted *self);
void ew_weighted_end(const ew_weighted *self, double *z);
void ew_weighted_free(ew_weighted **self);

/* Rows of edges (edge_smoother.c): the smoother of a preconditioner that is set up for the
 * pattern's rows and has self->edges; afresh: other blocks throughout. And z = M^-1 r of all rows,
 * as ew_preconditioner_apply, with what the kind does to the pattern's rows. */
ew_status ew_edge_smoother_prepare_on_host(ew_preconditioner *self, const ew_system *system,
                                           bool afresh);
/* After solves that processes shared, for applications by this one alone. */
ew_status ew_edge_smoother_undeal(ew_preconditioner *self, const ew_system *system);
void ew_edge_smoother_apply(ew_preconditioner *self, const double *r, double *z);
void ew_edge_smoother_free(ew_preconditioner *self);
/* As prepare_columns and apply_columns of the kind, of all rows. */
ew_status ew_edge_smoother_prepare_columns(ew_preconditioner *self);
void ew_edge_smoother_apply_columns(ew_preconditioner *self, const double *r, double *z);
/* The same on a device: r, z of all rows there, z = D^-1 r on entry; leaves n_group partial sums of
 * r . z. (edge_smoother_device.c) */
ew_status ew_edge_smoother_prepare_on_device(ew_preconditioner *self, const ew_system *system,
                                             bool afresh);
ew_status ew_edge_smoother_apply_on_device(ew_preconditioner *self, const ew_operator *op,
                                           const ew_buffer *r, ew_buffer *z, ew_buffer *partial,
                                           size_t n_group);
/* Takes the rows of edges and their filter over. *is_other: they are others than the smoother is
 * for; *is_other_size: and so many that its damping is to be found again. (edge_smoother.c) */
ew_status ew_edge_smoother_follow(ew_preconditioner *self, const ew_system *system, bool *is_other,
                                  bool *is_other_size);
/* Damping by the largest eigenvalue that so many steps of the power method found, and its start
 * vector, of all rows. (edge_smoother.c) */
#define EW_BEYOND_POWER_STEPS 12
double ew_edge_smoother_damping(double eigenvalue);
void ew_edge_smoother_start(const ew_preconditioner *self, double *v);
/* z = M^-1 r of the pattern's rows alone. (apply_stored.c) */
void ew_preconditioner_apply_stored(ew_preconditioner *self, const double *r, double *z);

/* Launches of kernels/pcg.cl: groups of this many items, one a row. */
#define EW_PCG_GROUP 128
static inline size_t ew_pcg_groups(int32_t n_row)
{
    const size_t n = ((size_t)n_row + EW_PCG_GROUP - 1) / EW_PCG_GROUP;
    return n < EW_MAX_PARTIALS ? n : EW_MAX_PARTIALS; /* fills a large GPU; read back at once */
}
/* Options of pcg.cl for a preconditioner in single precision inside a recurrence in double. */
#define EW_PCG_NARROWS "-DEW_REAL=double -DEW_SUM=double -DEW_APPLIED=float -DEW_NARROWS"
/* A factor in the type of a kernel's vectors; `number` must outlive the launch. */
typedef struct ew_factor {
    double wide;
    float narrow;
} ew_factor;
static inline ew_factor ew_factor_of(double number)
{
    return (ew_factor){number, (float)number};
}
static inline ew_argument ew_factor_argument(bool single, const ew_factor *number)
{
    return single ? EW_ARG_VALUE(number->narrow) : EW_ARG_VALUE(number->wide);
}
/* Adds up n_sum arrays of n_group partial sums, each in the order of the groups; they are at most
 * 2 EW_MAX_PARTIALS in all. */
ew_status ew_device_read_sums(ew_device *device, const ew_buffer *partial, size_t n_group,
                              int n_sum, double *sum);

/* Descriptors of the kinds, for the table. */
extern const ew_preconditioner_type ew_jacobi_on_host, ew_block_jacobi_on_host, ew_rigid_on_host;
extern const ew_preconditioner_type ew_jacobi_on_device, ew_block_jacobi_on_device;
extern const ew_preconditioner_type ew_rigid_on_device;
/* The oracle of the last, with the same blocks on the host: as ew_multilevel_verify, and
 * EW_DEVICE_COPY where the tables there are not those of the aggregates. (rigid_device.c) */
ew_status ew_rigid_device_verify(const ew_preconditioner *self, const ew_matrix *matrix,
                                 const ew_system *system);
const ew_multilevel_info *ew_rigid_device_about(const ew_preconditioner *self);
/* From the next set-up on, of one that was set up: as in ew_multilevel_def. For tests. */
void ew_rigid_device_set_levels(ew_preconditioner *self, int32_t levels, int32_t aggregate_rows);
/* About how many iterations block Jacobi takes; INFINITY: many, or not known. O(n).
 * (jacobi_iteration_estimate.c) */
double ew_expected_iterations(const ew_system *system, double tolerance);
/* Before a solve: its work dealt to processes as rows are (self->dealt), or done by each of them
 * alike where it cannot be shared, which then has all of what it may have shared before. (rigid.c)
 */
ew_status ew_preconditioner_deal(ew_preconditioner *self, const ew_system *system);
/* Corrects a start vector around the rows that updates of the rigid one on the host have touched
 * since the last solve (local_correction.h); of other kinds nothing. (rigid.c) */
ew_status ew_preconditioner_correct_locally(ew_preconditioner *self, const ew_system *system,
                                            double *x);
/* Answers within an energy tolerance (local_answer.h), of the rigid one on the host; of other kinds
 * nothing is found or kept, and 0 is enough. (rigid.c) */
ew_status ew_preconditioner_answer_locally(ew_preconditioner *self, const ew_system *system,
                                           double energy_tolerance, const ew_list *known, double *x,
                                           ew_pcg_info *info, bool *found);
/* Rows that include all whose x the last local answer changed; null: the last answer was another.
 */
const ew_list *ew_preconditioner_local_rows(const ew_preconditioner *self);
/* Rows of edges, by their numbers behind the pattern's, whose blocks or constraints are others;
 * null: all of them. */
ew_status ew_preconditioner_touch_edges(ew_preconditioner *self, const ew_list *row);
/* Which of several vectors the next answers are, each with what local answers keep of it. */
ew_status ew_preconditioner_use_answer(ew_preconditioner *self, int32_t number);
double ew_preconditioner_energy_enough(const ew_preconditioner *self, double energy_tolerance);
ew_status ew_preconditioner_keep_answer(ew_preconditioner *self, const ew_system *system,
                                        const double *x, double factor, ew_pcg_info *info);
ew_status ew_preconditioner_verify_answer(const ew_preconditioner *self, const ew_system *system,
                                          const double *x);
/* EW_BAD_ARGUMENT where the system has no positions. (rigid.c) */
ew_status ew_rigid_need_positions(const ew_system *system);

#endif
