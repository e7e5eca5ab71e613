/* solver: K x = b with K symmetric positive definite, some components of x prescribed. It knows
 * rows, pairs, blocks and a filter, but no meshes. Three objects: * * - an *operator* computes y =
 * K x and knows the revisions of its data;
 * - a *preconditioner* approximates K^-1: set up, updated from a change, applied;
 * - a *solver* iterates, and keeps its preconditioner and all its memory between solves.
 *
 * The operator decides where vectors are, on the host or on a device: its table names the vector
 * operations, and preconditioners are found by kind and place. Callers need not know.
 *
 * Modified preconditioned conjugate gradients: the filter S clears the fixed components, and the
 * iteration solves S K S d = S (b - K x0) for x = x0 + d, where x0 carries the prescribed values;
 * the matrix is never touched (Baraff & Witkin 1998, section 5.3; Ascher & Boxerman 2003).
 *
 * The solver reports convergence only when the true residual satisfies the condition below. It is
 * computed from x and not by the recurrence, in double precision, or by sums in extended precision
 * where round-off hides it: |S (b - K x)| <= tolerance * |S (b - K x_p)|, x_p being the prescribed
 * values and zero elsewhere; with none but zero prescribed values the reference is |S b|. When it
 * is zero the answer is x_p itself. A residual above the tolerance is taken, too, where it is as
 * small as rounding x alone makes it (ew_pcg_info.limited_by_rounding).
 *
 * Precision (ew_precision) of the iteration:
 * - EW_MIXED: the iteration in double, the preconditioner in single (on the host its blocks, on a
 * device its vectors as well), since a correction needs few digits;
 * - EW_AUTO_PRECISION, the default: EW_MIXED, unless a device matrix has no single blocks;
 * - EW_DOUBLE: everything in double; * - EW_SINGLE: everything in single, in one pass, whose
 * outcome reports the residual reached. */
#ifndef EW_SOLVER_H
#define EW_SOLVER_H

#include "matrix/matrix.h"

EW_BEGIN_API

/* ---- operators --------------------------------------------------------- */

typedef struct ew_operator ew_operator;
struct ew_dealt;

/* A kind of operator. Products in single read single-precision blocks. */
typedef struct ew_operator_type {
    const char *name; /* for messages */
    bool on_device;   /* vectors are on a device; false: on the host */
    /* EW_STALE unless the data of a product is current, EW_UNSUPPORTED when there are no products
     * in this precision. Updates copies. Called once before each solve. */
    ew_status (*prepare)(ew_operator *op, ew_precision precision);
    /* Revision of the pattern that the blocks belong to, and of the constants in them. */
    void (*state)(const ew_operator *op, uint64_t *revision, uint64_t *constants);
    /* On the host: y = K x, [n_row][3], no aliasing. Called by all threads of a parallel region,
     * which it leaves together (OpenMP's `for`), or by one thread outside. */
    void (*product)(const ew_operator *op, bool single, const double *x, double *y);
    /* Where rows are dealt to processes: y of the rows of this one, in double, of an x that has its
     * rows, which gets what else is read. By all threads of a parallel region. Null: each process
     * does all. */
    void (*own_product)(const ew_operator *op, const struct ew_dealt *dealt, double *x, double *y);
    /* The same with sums in extended precision, or null. */
    void (*extended_product)(const ew_operator *op, const double *x, double *y);
    /* Y = K X of several vectors side by side, [n_row][3][EW_COLUMNS] at a line of the cache, with
     * the bits of `product` in each column; once the operator is prepared, and where has_columns
     * says that there are such products. Both null: never. */
    bool (*has_columns)(const ew_operator *op);
    void (*columns_product)(const ew_operator *op, const double *x, double *y);
    /* On a device, double or float vectors as `single` says: y = K x; q = S K p with *n_partial
     * partial sums of p . q (as ew_device_matrix_product_dot). */
    ew_status (*device_product)(const ew_operator *op, bool single, const ew_buffer *x,
                                ew_buffer *y);
    ew_status (*device_product_dot)(const ew_operator *op, bool single, const ew_buffer *fixed,
                                    const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                                    int32_t *n_partial);
} ew_operator_type;

/* Rows of edges behind those of the pattern, whose blocks are not stored but for the diagonal ones:
 *
 *     K = [ A  B^T ]   A: the stored matrix, on the pattern's rows
 *         [ B  C   ]   B, C: known by their products
 *
 * With hierarchical functions A is the linear matrix, and what is made of it, such as aggregates,
 * does not see the rows behind. On the host, or on the device where the stored matrix is. */
typedef struct ew_edge_operator {
    void *user;
    /* As of an operator: EW_STALE unless all is current. */
    ew_status (*prepare)(void *user);
    /* Rows, diagonal blocks [*n_row][3][3] (null on a device), a number that changes with them. */
    void (*state)(void *user, int32_t *n_row, const double **diagonal, uint64_t *revision);
    bool (*is_whole)(void *user); /* it can give A x, too, without reading A; null: it cannot */
    bool is_tangent; /* all blocks may be others while the rows stay: what is estimated of them is
                        estimated again whenever that number changes */
    /* Vectors have all rows; by all threads of a parallel region, as an operator's product. */
    void (*add_product)(void *user, ew_edge_part part, const double *x, double *y);
    /* Of several vectors side by side, as an operator's. */
    bool (*has_columns)(void *user);
    void (*add_columns_product)(void *user, ew_edge_part part, const double *x, double *y);
    /* Of n processes, each with up to n_thread threads, number `rank` does a part of the product:
     * bit sets of all rows, zeroed: those that add_own_product writes there, and those of x and y
     * that it reads. *can: there are such products, of a part that is prepared. Null: never. */
    ew_status (*deal)(void *user, int32_t rank, int32_t n, int32_t n_thread, uint64_t *writes,
                      uint64_t *reads, bool *can);
    void (*add_own_product)(void *user, ew_edge_part part, const double *x, double *y);
    /* Of few rows: the first prepares a product of all tets around them, whatever else is prepared,
     * and lists the rows of these tets, each once; by the second one thread adds it to y, for rows
     * all of whose tets are among these with the bits of add_product (EW_EDGE_ALL). O(listed).
     * has_near: there are such. All null: never. */
    bool (*has_near)(void *user);
    ew_status (*list_near)(void *user, const ew_list *row, ew_list *near);
    void (*add_near_product)(void *user, const double *x, double *y);
    /* On a device: the diagonal blocks there, borrowed; the product, which adds to the pattern's
     * rows in EW_EDGE_ALL and to those of edges in EW_EDGE_OF_CORNERS and sets the others;
     * and
     * q = S K p with partial sums of p . q, where q has the pattern's rows of A p on entry. */
    const ew_device_matrix *device_diagonal;
    ew_status (*device_product)(void *user, ew_edge_part part, bool single, const ew_buffer *x,
                                ew_buffer *y);
    ew_status (*device_product_dot)(void *user, bool single, const ew_buffer *fixed,
                                    const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                                    int32_t *n_partial);
} ew_edge_operator;

/* Blocks of a matrix of which some rows' alone are there: where processes share a solve, each has
 * those that it reads. */
typedef struct ew_row_demand {
    void *user;
    /* From now on the blocks of these rows are there, a bit set of the pattern's; null: of all. */
    ew_status (*need)(void *user, const uint64_t *row);
} ew_row_demand;

/* Another kind of operator has this as its first member. */
struct ew_operator {
    const ew_operator_type *type;
    const ew_pattern *pattern; /* borrowed: the rows, and the revision that all must be at */
    const ew_matrix *matrix; /* borrowed: blocks on the host, which preconditioners read; null when
                                there are none */
    const ew_device_matrix *device_matrix;   /* borrowed: blocks on a device, or null */
    const ew_device_pattern *device_pattern; /* borrowed: the rows there, or null */
    ew_matrix_single single; /* owned: copy of `matrix`, once products in single are asked for */
    const ew_edge_operator *edges; /* borrowed: rows of edges, or null: none */
    const ew_row_demand *demand;   /* borrowed: blocks come by rows; null: all are there */
};

/* Rows in which x is prescribed along directions other than the axes. With the projector P that
 * removes those directions, the iteration solves P S K S P d = P S (b - K x0). K need not contain
 * them, but a preconditioner is effective only where K is stiff along them: since P n = 0, any
 * multiple of n n^T may be added to the diagonal block of a row without changing the answer. */
#define EW_OBLIQUE 8
typedef struct ew_oblique {
    int32_t n;
    int32_t *row;   /* [n] each once, in any order; their bit EW_OBLIQUE of `fixed` is set */
    double *normal; /* [n][2][3] orthonormal; the second zero where only one is prescribed */
    int32_t row_capacity, normal_capacity;
} ew_oblique;

/* Groups of rows that move as rigid bodies: of each group, x is a sum of six modes. */
typedef struct ew_rigid_rows {
    int32_t n;            /* groups */
    const int32_t *begin; /* [n + 1]: rows of group k are begin[k] .. begin[k + 1] */
    const int32_t *row;   /* [begin[n]] each once in all groups */
    const double *mode;   /* [begin[n]][3][6]: the modes of a group are orthonormal, or zero */
} ew_rigid_rows;

/* Linear equations between numbers of x: the sum of factor * x[entry] is a value. */
typedef struct ew_equation_list {
    int32_t n;            /* equations */
    const int32_t *begin; /* [n + 1]: terms of equation i are begin[i] .. begin[i + 1] */
    const int32_t *entry; /* [begin[n]]: 3 row + component; one that is named twice adds up */
    const double *factor; /* [begin[n]] */
    ew_rigid_rows rigid;  /* zeroed: none */
} ew_equation_list;

/* A prescribed direction at a row of a group. */
typedef struct ew_pin {
    int32_t row, group, equation; /* -1: it follows from others */
    double normal[3];
} ew_pin;

/* What such equations and groups leave free, after the filter and oblique rows: the projector P on
 * that. Entries 3 n_row + 6 k + m are the factors of the modes of group k. The
 * iteration solves P K P d = P (b - K x0), where x0 satisfies them, by a product of factors of the
 * equations alone; K is as without them. (krylov/equations.c) */
typedef struct ew_equations {
    int32_t n, n_dependent; /* equations; those that follow from the ones before, or have nothing
                               free: they are left out */
    int32_t n_list, n_row;  /* the first of them are those of the list, others those of pins */
    ew_rigid_rows rigid;    /* borrowed from the list, but for */
    double *mode;           /* owned: as there, zero along prescribed directions, */
    double *motion;         /* [6 rigid.n] owned: factors of the modes, and */
    ew_pin *pin;            /* [n_pin] owned: prescribed directions */
    int32_t n_pin, pin_capacity, mode_capacity, motion_capacity;
    int32_t *begin, *entry; /* [n + 1], [begin[n]] owned: as above, of free numbers, ascending */
    double *factor;         /* [begin[n]] owned: of length 1 in each equation */
    double *scale;          /* [n] owned: length of the free coefficients; 0: there are none */
    int32_t *l_begin, *l_column; /* rows of the Cholesky factor of their products, left of */
    double *l, *pivot;           /* the diagonal; [n] the diagonal, 0: left out. Owned */
    double *work;                /* [n] owned */
    int32_t begin_capacity, entry_capacity, factor_capacity, scale_capacity, l_begin_capacity;
    int32_t l_column_capacity, l_capacity, pivot_capacity, work_capacity;
} ew_equations;

/* K x = b with a filter. All borrowed. */
typedef struct ew_system {
    ew_operator *op;
    const double *xyz; /* [n_row of the pattern][3] positions of the rows, for preconditioners that
                          read them; or null */
    const uint8_t *fixed; /* [n_row], bit c: component c is prescribed (7: all, as must be in rows
                             without contributors); EW_OBLIQUE: other directions are */
    const double *b;      /* [n_row][3]; entries of fixed components are not looked at */
    const ew_oblique *oblique;     /* or null: none */
    const ew_equations *equations; /* or null: none. For conjugate gradients on the host */
    ew_operator *stiffened; /* with equations: an operator on the host with the same rows, whose
                               blocks preconditioners read in place of those of `op`; definite where
                               equations alone keep a part in place; or null. In the system that
                               a preconditioner is given both have changed places */
} ew_system;

/* ---- preconditioners --------------------------------------------------- */

typedef enum ew_preconditioner_kind {
    EW_JACOBI,              /* scalar diagonal */
    EW_BLOCK_JACOBI,        /* 3x3 diagonal blocks, restricted to the free components */
    EW_RIGID,               /* rigid-body modes of aggregates over a smoother (multilevel.c,
                               rigid_device.c) */
    EW_AUTO_PRECONDITIONER, /* of a solver only: rigid where it is known to be faster, else block
                               Jacobi */
    EW_CHOLESKY, /* of a solver only: a sparse factor, by which the solver corrects in place of
                    iterating (ew_direct_solver) */
    EW_PRECONDITIONER_COUNT /* none */
} ew_preconditioner_kind;
/* The name of one; "unknown" outside the list. */
const char *ew_preconditioner_name(ew_preconditioner_kind kind);

typedef struct ew_preconditioner ew_preconditioner;
struct ew_pcg_info;
/* Processes that solve a system together, each of which has all of it (parts/solver.h). */
typedef struct ew_peers ew_peers;

/* A kind in a place: one row of the table in preconditioner.c. */
typedef struct ew_preconditioner_type {
    ew_preconditioner_kind kind;
    bool on_device;   /* that of its operators */
    bool needs_pairs; /* reads more than diagonal blocks */
    /* Sets up from scratch, in the memory of an earlier set-up. `fixed` has been copied. */
    ew_status (*setup)(ew_preconditioner *self, const ew_system *system);
    /* Updates after a change of the pattern with current blocks; n_before: number of rows before.
     * refilter: after new constraints in the listed rows, ascending. */
    ew_status (*update)(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before);
    ew_status (*refilter)(ew_preconditioner *self, const ew_system *system, const ew_list *row);
    /* Recomputes all blocks on the same rows and pairs; null: setup is called instead. */
    ew_status (*refill)(ew_preconditioner *self, const ew_system *system);
    /* z = S M^-1 S r on the host, r [n_row][3] filtered; z is zero on entry in rows with all
     * components fixed. Null where `inverse` is the whole preconditioner. Called as an operator's
     * product. */
    void (*apply)(ew_preconditioner *self, const double *r, double *z);
    /* The same of several vectors side by side, as an operator's columns_product; and room for
     * that, before. Null where there is no such thing. */
    ew_status (*prepare_columns)(ew_preconditioner *self);
    void (*apply_columns)(ew_preconditioner *self, const double *r, double *z);
    /* The same on a device, in working precision: on entry z = D^-1 r by `device_inverse`; leaves
     * n_group partial sums of r . z. Null where `device_inverse` is the whole preconditioner. */
    ew_status (*device_apply)(ew_preconditioner *self, const ew_operator *op, const ew_buffer *r,
                              ew_buffer *z, ew_buffer *partial, size_t n_group);
    /* Before a solve: completes work that updates postponed. *worked: there was such work, which
     * counts as set-up. Null: updates postpone nothing. */
    ew_status (*ready)(ew_preconditioner *self, bool *worked);
    /* Before a solve by several processes (self->dealt): who does what in `apply`. Null: `apply` is
     * done by each of them alike. */
    ew_status (*deal)(ew_preconditioner *self);
    /* After a solve: adapts to its outcome; with a null info: resets that adaptation. Or null. */
    ew_status (*learn)(ew_preconditioner *self, const struct ew_pcg_info *info);
    void (*free)(ew_preconditioner *self); /* releases what the kind owns */
} ew_preconditioner_type;

/* The work of EW_CHOLESKY for a solve. */
typedef enum ew_factor_work {
    EW_FACTOR_KEPT,    /* none: the matrix is unchanged */
    EW_FACTOR_UPDATED, /* columns were added to the factor and removed from it */
    EW_FACTOR_NEW
} ew_factor_work;
typedef struct ew_factor_info {
    ew_factor_work work;
    int32_t n_column; /* where updated: columns added and removed, six for a tet */
    int32_t n_update; /* updates since the last full factorization */
    int64_t n_entry;  /* numbers in the factor */
} ew_factor_info;

/* Zeroed: not set up. */
struct ew_preconditioner {
    const ew_preconditioner_type *type; /* null: not set up */
    ew_precision precision;             /* requested precision of its own blocks */
    bool single;                        /* on a device: blocks and vectors of its own are float */
    int32_t n_row, row_capacity;
    uint8_t *fixed;                       /* [n_row] owned copy: the constraints it is for */
    const ew_device *device;              /* borrowed: where its buffers are, or null */
    const void *matrix;                   /* whose blocks it is made from, and */
    uint64_t revision, constants;         /* their state; revision 0: not valid */
    bool is_to_refill;                    /* the next solve recomputes all blocks */
    ew_list changed;                      /* work: rows with other constraints */
    const ew_preconditioner_type *direct; /* of EW_CHOLESKY, or null (ew_pcg_def) */
    const struct ew_dealt *dealt; /* private: rows dealt to processes during a solve, or null */
    ew_factor_info factor;        /* of EW_CHOLESKY; work: since the last solve */
    /* Row-wise kinds; the solver applies them within its own loops: */
    double *inverse;          /* [n_row][6] owned: xx yy zz xy yz xz of the rows' S M^-1 S */
    int32_t inverse_capacity; /* rows */
    ew_buffer device_inverse; /* [6][inverse_capacity] xx xy xz yy yz zz, double or float; rows
                                 of edges behind the others */
    ew_buffer device_fixed, device_list, device_partial;
    void *data; /* owned by other kinds */
    /* Where the operator has rows of edges: a smoother of their own, damped block Jacobi,
     * before and after the kind, which acts on the pattern's rows (edge_smoother.c). */
    const ew_edge_operator *edges; /* borrowed, or null */
    struct ew_edge_smoother {
        int32_t n_row, row_capacity, fixed_capacity, work_capacity;
        uint64_t revision; /* of the rows of edges that it is for, */
        int32_t n_stored;  /* and the pattern's rows before them */
        bool is_of_own;    /* inverses are there of the rows alone that are dealt to this process */
        double damping;    /* 1.5 / largest eigenvalue of D^-1 C; 0: not known yet */
        double *inverse;   /* [n_row][6] owned, damped; on a device they stand in device_inverse */
        uint8_t *fixed;    /* [n_row] owned copy */
        double *work;      /* [all rows][3], behind them [rows of the pattern][3], owned */
        struct ew_weighted *weighted; /* owned: where equations tie rows, or null */
        double *columns;              /* owned: as `work`, of several vectors, once needed */
        int32_t columns_capacity;
        ew_buffer device_work, device_rest;    /* the same on a device, in working precision, */
        ew_buffer oblique_row, oblique_normal; /* and rows with oblique directions there */
    } smoother;
};

/* ---- solvers ----------------------------------------------------------- */

/* Settings. */
typedef struct ew_pcg_def {
    double tolerance;                      /* in (0, 1); default 1e-8 */
    int32_t max_iterations;                /* >= 1, for all passes together; default 20000 */
    ew_preconditioner_kind preconditioner; /* default EW_AUTO_PRECONDITIONER */
    ew_precision precision;                /* default EW_AUTO_PRECISION */
    const ew_preconditioner_type *direct;  /* for EW_CHOLESKY: ew_direct_solver(); null: none */
    double energy_tolerance; /* in (0, 1), or default 0: off. After an edit of few rows, with the
                                rigid preconditioner on the host: x is good enough where its
                                estimated error in the energy norm, relative to that of x, is at
                                most this, which needs no iteration in most cases; `tolerance` is
                                for other systems, and for the first solve (ew_pcg_info.is_local).
                                Mixed tets: any edit, no correction around it, and the norm is that
                                of the pair, sqrt(x.K x + p.C p) */
    int32_t expected_solves; /* >= 0: number of solves with similar matrices, this one included;
                                default 0: unknown */
    ew_peers *peers; /* borrowed; default null: this process alone. All of these processes call with
                        the same numbers; rows are dealt to them on the host, and all get the whole
                        answer, with the bits that one process gets */
    ew_progress progress; /* called every few iterations with an estimate of the share done */
} ew_pcg_def;
ew_pcg_def ew_default_pcg_def(void);

/* Outcome. */
typedef struct ew_pcg_info {
    ew_status status;   /* EW_OK, NOT_CONVERGED, INDEFINITE, NOT_FINITE, CANCELED, DEVICE, ... */
    int32_t iterations; /* products in the recurrence, all passes */
    int32_t passes;   /* restarts from a true residual (double: 1 unless the recurrence drifted) */
    double reference; /* |S (b - K x_p)| */
    double residual;  /* true, double precision, relative to the reference */
    bool limited_by_rounding; /* the residual is above the tolerance, below 1e-6, and as small as
                                 double precision allows: rounding the displacement changes it as
                                 much. Status EW_OK; typical of very soft bodies */
    bool is_extended;      /* the residual was formed by sums in extended precision: in double their
                              rounding hid it */
    double first_residual; /* relative residual of the start vector */
    bool is_local;   /* x was corrected around an edit alone: the residual is true, and no tolerance
                        of   it is claimed */
    int32_t n_local; /* such answers since the last global solve, this one included */
    double energy_error;  /* estimated |x - K^-1 b| / |x| in the energy norm sqrt(x.K x), with
                             energy_tolerance where it can be told; else 0. Mixed tets: a bound,
                             in the norm of the pair */
    double energy_factor; /* by which the estimate was raised: 1 / sqrt of the least Ritz value of
                             the preconditioned matrix, at least 2.5; mixed tets: of its least
                             singular value */
    double seconds;       /* the whole call */
    double seconds_setup; /* part of it: set-up of the preconditioner */
    ew_preconditioner_kind preconditioner; /* the kind used */
    const char *reason; /* why the solver chose it; "" when the caller did; not owned */
    ew_status fallback; /* failure of the rigid preconditioner, after which block Jacobi was used */
    ew_factor_info factor; /* of EW_CHOLESKY */
    int32_t n_history;
    const double *history; /* [n_history] recurrence residual after each iteration, relative;
                              borrowed from the solver until its next solve */
} ew_pcg_info;

/* ---- eigenpairs ------------------------------------------------------------- */

/* T x = theta x with T = solve o image, self-adjoint in the inner product x . B y of a B that is
 * positive definite where T maps to. Shift-invert: solve = (K - shift M)^-1, image = B = M gives
 * theta = 1 / (lambda - shift). Each function reads and writes n numbers, without aliasing. */
typedef struct ew_eigen_problem {
    int32_t n;      /* numbers of a vector */
    int32_t n_free; /* dimension of the range of T, the largest number of pairs */
    void *user;
    void (*inner)(void *user, const double *x, double *y); /* y = B x */
    void (*image)(void *user, const double *x, double *y); /* null: as inner */
    void (*solve)(void *user, const double *x, double *y);
    ew_progress progress;
} ew_eigen_problem;

/* Computes the pairs with the largest |theta|, the largest first, to the accuracy of double
 * precision: theta [count], vector [count][n], x . B x = 1. The bits are the same on every run.
 * EW_BAD_ARGUMENT unless 1 <= count < n_free; EW_NOT_CONVERGED, EW_CANCELED. *n_solve: calls of
 * `solve`. ew_eigen_solve (cholmod.h) is one. */
typedef ew_status ew_eigen_call(const ew_eigen_problem *problem, int32_t count, double *theta,
                                double *vector, int32_t *n_solve);

EW_END_API
#endif
