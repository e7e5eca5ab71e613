/* model: goals, numbers that an answer is wanted for, and how they depend on the body. */
#ifndef EW_PARTS_MODEL_GOALS_H
#define EW_PARTS_MODEL_GOALS_H

#include "model/parts/model_solve.h"

EW_BEGIN_API

/* ---- goals (goals.c, goal_values.c) ------------------------------------------ */

/* A goal J is a number of the displacement u of a linear body. Its adjoint z solves K z = dJ/du
 * with the supports at zero. It tells what J lacks where u is not exact, and how J depends on all
 * that the body and its loads are made of (Becker & Rannacher 2001, An optimal control approach to
 * a posteriori error estimation in finite element methods; Haug, Choi & Komkov 1986, Design
 * sensitivity analysis of structural systems, chapter 1). With f the loads, the Lagrangian
 *
 *     L(u, z) = J(u) + z . (f - K u)
 *
 * is stationary in u and z: its derivative by any parameter, at constant u and z, is that of J. */

typedef enum ew_goal_kind {
    EW_GOAL_DISPLACEMENT, /* the mean over a set (ew_set_results), or of a vertex */
    EW_GOAL_REACTION,     /* what supports exert on the vertices of a set (ew_set_results) */
    EW_GOAL_COMPLIANCE,   /* f . u, of the loads of the model */
    EW_GOAL_ENERGY,       /* the strain energy of the tets */
    EW_GOAL_STRESS,       /* a component, as VON_MISES */
    EW_GOAL_VON_MISES,    /* of a tet, or of the stress averaged at a vertex (ew_fields); of a set
                             the mean: of tets by volume, of faces by area of that at their vertices,
                             where materials meet on the side of the tets behind them, of vertices
                             alike, where materials meet of the one with the largest */
    EW_GOAL_KINDS         /* none */
} ew_goal_kind;

typedef struct ew_goal {
    ew_goal_kind kind;
    int32_t set;         /* number of a set, which may not be empty; -1: a place or the body */
    int32_t vertex, tet; /* DISPLACEMENT (a vertex), STRESS, VON_MISES without a set: the slot of
                            one of the two, the other -1. Slots are not followed by a renumbering */
    double direction[3]; /* DISPLACEMENT, REACTION: of any length: the part along it, times that
                            length; zero: the magnitude */
    uint8_t components;  /* REACTION: as of ew_model_recover_set; bits 0 to 2 all: constraints */
    int32_t component;   /* STRESS: 0 to 5, xx yy zz xy yz xz */
} ew_goal;
ew_goal ew_default_goal(void); /* DISPLACEMENT, no set, no place, all of the constraints' parts */

/* Replaces the goals (copied). Adjoints of goals with the same number as before are starts of the
 * next ones. EW_BAD_ARGUMENT: a number that is no set, no live vertex or tet, or no component; what
 * the kind does not read is not looked at. */
ew_status ew_model_set_goals(ew_model *model, int32_t n, const ew_goal *list);
int32_t ew_model_n_goal(const ew_model *model);

/* Its value alone, of the last solve, without an adjoint, and where a matrix is not there without
 * one; of reactions where equations act, too. Other errors as below. */
ew_status ew_model_goal_value(ew_model *model, int32_t i, double *value);

typedef struct ew_goal_answer {
    double value; /* J of the displacement as it is */
    double
        corrected; /* J + z . (f - K u): where u and z are off by little, by the product of both
                      errors alone; of a goal that is not linear also by the square of that of u */
    double bound;  /* estimated |corrected - J of the exact answer| of a linear goal, the product
                      of both errors in the energy norm; 0: not estimated, since one of the two
                      solves had no energy tolerance (ew_pcg_info.energy_error) */
    const double *adjoint;   /* [rows][3] z, of vertices, then of edges by their rows; zero where
                                displacement is prescribed. Borrowed until the next call that
                                changes the model */
    int32_t n_slope;         /* see ew_model_goal_lagrangian */
    const double *slope;     /* [n_slope] borrowed, likewise */
    const ew_pcg_info *info; /* of the solve for z; borrowed until the next call */
} ew_goal_answer;
/* Solves for the adjoint of goal i from what it was before, which commits carry along: after a
 * small edit, with def->energy_tolerance, around the edit alone. The displacement is that of the
 * last solve: EW_STALE where the mesh has changed since. EW_BAD_ARGUMENT of nonlinear bodies, of
 * mixed tets, of energies where temperatures act, of reactions where equations do. */
ew_status ew_model_evaluate_goal(ew_model *model, int32_t i, const ew_pcg_def *def,
                                 ew_goal_answer *answer);
/* The Lagrangian of goal i of the model as it is: materials, loads, supports, springs, places of
 * vertices, with its displacement, which gets what supports prescribe, and the adjoint of an
 * evaluation of the same goal: of this model, or of another one with the same vertices and tets and
 * the same displacement. The goal is taken as linear, with the slopes there, in displacements,
 * forces and stresses: differences are then free of the curvature of magnitudes. Solves nothing.
 * EW_BAD_ARGUMENT where slopes are of another goal. O(n). */
ew_status ew_model_goal_lagrangian(ew_model *model, int32_t i, const ew_goal_answer *of,
                                   double *value);

/* A parameter of a body. */
typedef struct ew_goal_parameter {
    /* Gives the model this value of it, by any functions that keep its vertices and tets:
     * materials, loads, supports and springs, commits that move vertices. Other tets: EW_BAD_EDIT.
     */
    ew_status (*put)(void *user, ew_model *model, double value);
    void *user;
    double value; /* which the model has */
    double step;  /* > 0, by which it is changed both ways: where J depends smoothly on it the
                     derivatives are off by the square of that, and by rounding over it. What the
                     Lagrangian is linear in, such as moduli and loads, allows any step */
} ew_goal_parameter;
/* derivative [ew_model_n_goal]: of each goal by the parameter, from the adjoints as the last
 * evaluations left them. The Lagrangian is formed twice; nothing is solved. Afterwards the model
 * has the value again. EW_BAD_ARGUMENT with contact: which points are closed is of an answer. */
ew_status ew_model_differentiate_goals(ew_model *model, const ew_goal_parameter *parameter,
                                       double *derivative);

EW_END_API
#endif
