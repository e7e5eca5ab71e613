/* equations: private to model. Linear equations between displacements, in all that a model solves
 * and filters. Each function does nothing where there are none. */
#ifndef EW_MODEL_EQUATIONS_H
#define EW_MODEL_EQUATIONS_H

#include "model/boundary_conditions/contact.h"
#include "model/boundary_conditions/ties.h"

/* As rows, and what they leave free, for constraints that are current. */
ew_status model_update_equations(ew_model *model);
/* They are to be made again where a displacement turns them: with large rotations. Whether it does.
 */
bool model_turn_equations(ew_model *model);
/* Moves x, which has what is prescribed, onto them; rate: velocities and accelerations, 0 in place
 * of their values. EW_BAD_INPUT names one that contradicts. */
ew_status model_put_equations(ew_model *model, bool rate, double *x);
/* i: an equation, or behind them a rigid group. */
ew_status model_refuse_contradiction(const ew_model *model, int32_t i);
/* equation_steps.c. The values at the displacement as it is are those that a nonlinear solve starts
 * with. */
ew_status model_start_equations(ew_model *model);
/* The largest that one still lacks at a load factor. */
ew_status model_find_lack(ew_model *model, double load_factor, double *largest);
/* An update of the displacement, which has what supports prescribe, is moved onto the equations at
 * a load factor; EW_BAD_INPUT names one that contradicts. */
ew_status model_put_update(ew_model *model, double load_factor, double *update);
/* Gives a system what preconditioners read in place of its blocks. */
ew_status model_equip_system(ew_model *model, ew_system *system);
/* After them: contacts by the multipliers of their points, at the displacement. */
ew_status model_take_multipliers(ew_model *model, const double *u);
/* Forces of equations, of what K u and inertia leave of the loads, [rows][3], into
 * equations.force. */
ew_status model_find_equation_force(ew_model *model, const double *rest);
/* *force [rows][3] becomes that of loads and equations at the displacement of the model.
 * (solve/equation_force.c) */
ew_status model_add_equation_force(ew_model *model, const double **force);
/* *force [rows][3] becomes that with friction, where points slip; without what springs of friction
 * have of the displacement. (solve/equation_force.c) */
ew_status model_add_friction_loads(ew_model *model, const double **force);
/* Another equation, of what `place` counts: given ones, couplings, ties, contacts; terms of it, or
 * those of a row; its value and its end are up to the caller. (equation_rows.c) */
ew_status model_begin_equation(model_equations *to, int32_t place);
ew_status model_push_terms(model_equations *to, int32_t row, double share, const double factor[3]);
ew_status model_push_row(model_equations *to, const ew_contact_rows *rows, int32_t row);
void model_release_equation_rows(model_equations *of); /* what these need */
/* Rigid groups and prescribed components of couplings, behind the equations. (couplings.c) */
ew_status model_make_couplings(ew_model *model);
/* Whether the model has equations, couplings, ties or contacts. */
bool model_is_tied(const ew_model *model);
/* Whether there is anything that a vector is projected on. */
static inline bool model_has_equations(const model_equations *of)
{
    return of->free.n || of->free.rigid.n;
}
/* With large rotations: after an update of the displacement, which turned rigid sets along
 * tangents.
 */
ew_status model_keep_rigid(ew_model *model);
void model_free_equations(ew_model *model);
/* x = 0 where constraints prescribe it, whatever equations do. (vectors.c) */
void model_filter_constraints(const ew_model *model, double *x);

#endif
