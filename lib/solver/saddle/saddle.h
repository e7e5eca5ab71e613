/* saddle: private to solver. What the minimal residual method is made of: vectors that live on the
 * host (saddle_host.c) or on a device (saddle_device.c), and a table of operations over them. A
 * vector has 3 n_row numbers for x and then n_row for p. */
#ifndef EW_SOLVER_SADDLE_H
#define EW_SOLVER_SADDLE_H

#include "solver/krylov/pcg.h"

/* Vectors by number. X: the unknowns. */
enum { V_OLD, V, V_NEW, Z, Z_NEW, W_OLD, W, W_NEW, D, X, N_VECTOR };

/* One solve. All borrowed. */
typedef struct saddle_task {
    const ew_system *system;
    const ew_saddle *saddle;
    ew_preconditioner *preconditioner;
    double *x, *p; /* [n_row][3], [n_row] */
} saddle_task;

/* Vectors of a dot product: x; p over the diagonal that preconditions it; both, as they are. */
typedef enum saddle_part { OF_X, OF_P, OF_ALL } saddle_part;

/* `self` is the workspace. A: the matrix; S: takes out what is prescribed, and p where there is
 * none; P: the same of oblique rows and, on the host, of equations. */
struct ew_saddle_ops {
    /* Takes the task in, X = (x, p). *self: null, or the workspace of an earlier task. */
    ew_status (*open)(void **self, const saddle_task *task);
    ew_status (*close)(void *self); /* (x, p) = X */
    ew_status (*clear)(void *self, int v);
    ew_status (*dot)(void *self, saddle_part part, int v, int w, double *sum);
    /* out = a v + b w + c z, which may be one of them */
    ew_status (*combine)(void *self, double a, int v, double b, int w, double c, int z, int out);
    ew_status (*prescribed)(void *self, int v); /* v = what of X is prescribed; before the
                                                   recurrence, whose W and W_OLD it takes */
    /* Whether equations take all that b - A v has of x, so that its projection is rounding; takes
       another vector. Null: a system there has no equations. */
    bool (*is_taken)(void *self, int v, int work);
    ew_status (*multiply)(void *self, int v, int out); /* out = P S A v */
    ew_status (*residual)(void *self, int v, int out); /* out = P S ((b, g) - A v) */
    /* x.A x + p.C p of the vector of the last residual, what is prescribed included. Null: not
     * told. */
    double (*energy)(void *self);
    ew_status (*precondition)(void *self, int r, int out); /* out = P S M^-1 r */
    void (*free)(void *self);                              /* null is fine */
};
typedef struct ew_saddle_ops ew_saddle_ops;

/* The workspace of a solver. */
typedef struct ew_saddle_work {
    const ew_saddle_ops *ops; /* whose workspace that is: */
    void *self;               /* owned */
    int32_t history_capacity;
    double *history;    /* owned */
    double factor;      /* of claimed errors in energy over their estimate; 0: not known */
    uint64_t constants; /* of the preconditioner that it is for */
    int32_t n_step;     /* of the last pass, those beyond the room, too */
    double *step;       /* [EW_RITZ_STEPS][4] owned, or null (saddle.c) */
} saddle_work;

extern const ew_saddle_ops ew_saddle_on_host, ew_saddle_on_device;

#endif
