/* Bodies that move, for the scenarios of dynamics: soft, free, pressed on two facing triangles. */
#ifndef EW_BENCH_MOVING_H
#define EW_BENCH_MOVING_H

#include "edited.h"

/* The published runs: E, nu, rho, Rayleigh damping, time step, force, duration; m, N, s, kg. */
#define BENCH_SOFT_YOUNG    7000.0
#define BENCH_SOFT_POISSON  0.2
#define BENCH_SOFT_DENSITY  1.0
#define BENCH_SOFT_MASS     10.0 /* alpha, 1/s */
#define BENCH_SOFT_STIFF    2.5  /* beta, s */
#define BENCH_SOFT_STEP     0.016
#define BENCH_SOFT_FORCE    100.0
#define BENCH_SOFT_DURATION 15.0

/* What solves in each step. */
typedef enum bench_solver {
    BENCH_CG,       /* conjugate gradients, the preconditioner as it pays */
    BENCH_CHOLESKY, /* a factor, where the build has it */
    BENCH_FREE_CG,  /* conjugate gradients from tets, without stored blocks */
    BENCH_N_SOLVER
} bench_solver;
extern const char *const bench_solver_names[BENCH_N_SOLVER];
/* Whether it can run in this build and there. */
bool bench_solver_exists(bench_solver solver, ew_device *device);

typedef struct bench_moving {
    ew_model *model; /* owned */
    uint64_t random;
    int32_t gone[4]; /* the tet that an edit took out, to be put back; gone[0] < 0: none */
} bench_moving;
/* The body's mesh by implicit Euler at time 0. Its two boundary triangles that lie farthest out in
 * +x and -x are pressed towards each other, each with BENCH_SOFT_FORCE; varying: times a sine of
 * 1 Hz. Its boundary faces are kept in step. */
ew_status bench_moving_start(bench_moving *moving, const ew_mesh *mesh, ew_device *device,
                             bench_solver solver, double tolerance, bool varying);
/* Takes a tet inside of the body out, or the last one back in, and commits. */
ew_status bench_moving_edit(bench_moving *moving);
void bench_moving_free(bench_moving *moving);

#endif
