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
    bool account;             /* keep the sums of work, at one or two products a step */
    /* Of a nonlinear body: a step linearizes its force once, at the state before it. With a
     * tolerance > 0 Newton's method goes on from there until the residual is at most so much of the
     * forces. A step that has not after so many more iterations is taken as two of half its length,
     * each of which is halved where it must be, so many times; then EW_NOT_CONVERGED. */
    double newton_tolerance;   /* default 0 */
    int32_t newton_iterations; /* default 10 */
    int32_t newton_halvings;   /* 0 to 30, default 6 */
    double bound;              /* as in ew_nonlinear_def */
} ew_dynamics_def;
ew_dynamics_def ew_default_dynamics_def(void);

/* From the displacement and the velocity in place, at this time: prescribed components are put, the
 * acceleration is that of the equation of motion, the account starts. Every region with tets needs
 * a density; components may be under-constrained, and fly. A solve in between changes the
 * displacement: start again after it. */
ew_status ew_model_start_dynamics(ew_model *model, const ew_dynamics_def *def, double time);
/* Gives the memory of matrices and vectors back; the fields stay. */
void ew_model_stop_dynamics(ew_model *model);
bool ew_model_is_dynamic(const ew_model *model);
/* [n_vertex][3] fields to read, and to write before a start; moved by commits. Zero when first
 * asked for; null where there is no memory for it. The displacement: ew_model_field(model, 0). */
double *ew_model_velocity(ew_model *model);
double *ew_model_acceleration(ew_model *model);
double ew_model_time(const ew_model *model);

typedef struct ew_advance_info {
    const ew_pcg_info *solver; /* of the step; null: nothing but a diagonal to solve with */
    double seconds_update;     /* matrices, preconditioner and loads, after edits */
    double seconds_loads;      /* their factors of time, and motion of supports */
    double seconds_rhs, seconds_solve, seconds_account;
    int32_t n_newton;  /* iterations after first solves, */
    double residual;   /* and what the last left */
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
/* No step up to this one is unstable, as the mesh is now; INFINITY: none at all, 0: all are. Of a
 * linear body it is by its largest frequency, whose square is found from below and taken larger by
 * 1/0.95, or by a bound where that is closer; of a nonlinear one by the bound, the frequencies of
 * single tets and springs. O(changed) + a pass over tets, + 40 to 50 products with stiffness and
 * mass after edits, or other materials and supports. */
ew_status ew_model_stable_step(ew_model *model, double *dt);

/* Momenta are of the linear theory: moments about the origin, with the arms of the undeformed body,
 * of a corotational one of the deformed. Work is of the mean of the forces before and after a step.
 */
typedef struct ew_energy_account {
    double time, mass;
    double kinetic, strain, spring; /* now; thermal strain counts as any other */
    double dissipated;              /* by laws, in the body as it is, since it was new */
    double initial;                 /* their sum at the start */
    double damping_work;            /* taken by damping; this and those below: 0 unless kept */
    double external_work;           /* of loads, and of supports that move */
    double edit_work; /* what edits, and other supports and materials, brought (+) or took (-) */
    double balance; /* kinetic + strain + spring + dissipated + damping - external - edit - initial:
                       what the scheme itself makes (+) or takes (-), and the solver's tolerance */
    double linear_momentum[3], angular_momentum[3];
} ew_energy_account;
/* O(n). */
ew_status ew_model_account(ew_model *model, ew_energy_account *account);

/* What all supports of a set exert, springs included, at the time; needs a def with `account`.
 * O(members). (dynamics_reaction.c) */
ew_status ew_model_reaction_of(ew_model *model, int32_t set, double force[3]);

EW_END_API
#endif
