/* Part of model: its motion in time. */
#ifndef EW_MODEL_MOTION_H
#define EW_MODEL_MOTION_H

#include "model/model_sets.h"

EW_BEGIN_API

/* ---- dynamics (dynamics*.c) -------------------------------------------------- */

typedef struct ew_dynamics_def {
    ew_scheme_kind scheme; /* default EW_NEWMARK */
    ew_scheme_parameters parameters;
    ew_mass_kind mass;        /* default EW_MASS_LUMPED */
    double damping_mass;      /* >= 0, 1/time: C = damping_mass M + damping_stiffness K, */
    double damping_stiffness; /* >= 0, time; K with the springs to the ground */
    ew_pcg_def solver;        /* of each step, for its acceleration */
    bool account; /* compute the energy account, at the cost of one or two products a step */
    /* For a nonlinear body: a step linearizes the internal force once, at the state before the
     * step. With a tolerance > 0 Newton's method iterates until the residual relative to the forces
     * is at most the tolerance. A step that does not converge within newton_iterations is replaced
     * by two of half its length, recursively, up to newton_halvings times; then EW_NOT_CONVERGED.
     */
    double newton_tolerance;   /* default 0 */
    int32_t newton_iterations; /* default 10 */
    int32_t newton_halvings;   /* 0 to 30, default 6 */
    double bound;              /* as in ew_nonlinear_def */
    /* A step with contact solves again for other points until each presses, is apart or sticks;
     * above 0: at most so often, for who waits for each step, and once more without what pulls
     * then. Overlaps that are left go away over the next steps. */
    int32_t contact_rounds; /* default 0 */
} ew_dynamics_def;
ew_dynamics_def ew_default_dynamics_def(void);

/* Starts from the present displacement and velocity at this time: sets prescribed components,
 * computes the acceleration from the equation of motion and begins the account. Every region with
 * tets needs a density; components may be under-constrained. A static solve changes the
 * displacement: call this again after it. */
ew_status ew_model_start_dynamics(ew_model *model, const ew_dynamics_def *def, double time);
/* Frees matrices and vectors of dynamics; the fields stay. */
void ew_model_stop_dynamics(ew_model *model);
bool ew_model_is_dynamic(const ew_model *model);
/* [n_vertex][3] fields, which commits keep up to date, to read, and to write before a start. Zero
 * at the first call; null where no memory is left. The displacement: ew_model_field(model, 0). */
double *ew_model_velocity(ew_model *model);
double *ew_model_acceleration(ew_model *model);
double ew_model_time(const ew_model *model);

typedef struct ew_advance_info {
    const ew_pcg_info *solver; /* of the step; null: nothing but a diagonal to solve with */
    double seconds_update;     /* matrices, preconditioner and loads, after edits */
    double seconds_loads;      /* their factors of time, and motion of supports */
    double seconds_rhs, seconds_solve, seconds_account;
    int32_t n_contact_left; /* points that pull, overlap or slide after contact_rounds */
    int32_t n_newton;       /* iterations after first solves, */
    double residual;        /* and what the last left */
    int32_t n_halving; /* parts of the step that were halved; times and iterations are of all */
} ew_advance_info;
/* One step of length dt, to the time of an amplitude's start or end where that is within 1e-4 dt.
 * Before it edits may have been committed, and loads, supports and materials
 * changed: displacement and velocity are kept, new vertices interpolate, the acceleration is
 * computed again. A step that fails leaves the state before it, or where it was halved that
 * of the last part that converged, at ew_model_time. EW_BAD_INPUT: dt <= 0, or above the
 * stable step. Another dt than before costs the step matrix. Allocates nothing unless the mesh has
 * grown. *info: borrowed; or null. */
ew_status ew_model_advance(ew_model *model, double dt, const ew_advance_info **info);
/* The largest stable step on the present mesh; INFINITY: any step is stable, 0: none. For a linear
 * body it follows from the largest frequency, whose square is estimated from below and divided by
 * 0.95, or from an upper bound where that is closer; for a nonlinear body from the bound, the
 * largest frequency of single tets and springs. O(changed) + a pass over tets, + 40 to 50 products
 * with stiffness and mass after edits, or other materials and supports. */
ew_status ew_model_stable_step(ew_model *model, double *dt);

/* Moments are about the origin, with lever arms of the undeformed body, or of the deformed body
 * with corotational kinematics. Work of a step is that of the mean of the forces before and after
 * it. */
typedef struct ew_energy_account {
    double time, mass;
    double kinetic, strain, spring; /* present energies; with thermal strain as any other strain */
    double dissipated;              /* by laws, in the present body, since its creation */
    double initial;                 /* sum of these energies at the start */
    double damping_work;  /* energy lost to damping; 0, as the members below, without `account` */
    double friction_work; /* energy lost to friction of contacts: what slides in each step times the
                             force there */
    double external_work; /* work of loads and of moving supports */
    double edit_work;     /* energy that edits and changes of supports and materials added (+) or
                             removed (-) */
    double balance; /* kinetic + strain + spring + dissipated + damping + friction - external - edit
                       - initial:
                       numerical energy gain (+) or loss (-) of the scheme, and the solver's
                       tolerance */
    double linear_momentum[3], angular_momentum[3];
} ew_energy_account;
/* O(n). */
ew_status ew_model_account(ew_model *model, ew_energy_account *account);

/* The force of all supports of a set, springs included, at the present time; needs a def with
 * `account`. O(members). (dynamics_reaction.c) */
ew_status ew_model_reaction_of(ew_model *model, int32_t set, double force[3]);

EW_END_API
#endif
