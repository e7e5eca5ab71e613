/* model: what a program needs that works on its tables itself, beside model/model_solve.h. */
#ifndef EW_PARTS_MODEL_SOLVE_H
#define EW_PARTS_MODEL_SOLVE_H

#include "model/model_solve.h"
#include "model/parts/model_sets.h"

EW_BEGIN_API

/* ---- analysis (solve.c) ----------------------------------------------------- */

/* No more answers of ew_model_def.expects_answers: what was left out is computed when it is used.
 */
void ew_model_expect_no_answers(ew_model *model);
/* In place of a solve that was made before on the same model by the same settings, as when a run is
 * resumed: displacement [n_vertex][3] is what it gave, `known` its outcome. The model becomes what
 * that solve left, without iterating; what is done next gives the same bits. */
ew_status ew_model_accept(ew_model *model, const ew_pcg_def *def, const double *displacement,
                          const ew_pcg_info *known, const ew_pcg_info **info);
/* The fields of the last ew_model_recover_stress or ew_model_recover, or null when the mesh has
 * changed since. */
const ew_fields *ew_model_recovered_stress(const ew_model *model);
/* Energies of the displacement. */
typedef struct ew_energies {
    const double *tet;      /* [n_tet] borrowed: strain energy by slot, 0 in holes */
    double volume;          /* of the mesh */
    double strain, springs; /* over the body */
} ew_energies;
/* The same numbers as ew_model_recover's, without the rest of it: a fraction of the time where all
 * tets are linear, their materials elastic and no temperature is among the loads; elsewhere that is
 * called. EW_STALE where the mesh has changed since the last solve. (energies.c) */
ew_status ew_model_recover_energies(ew_model *model, ew_energies *energies);

/* ---- nonlinear statics (nonlinear*.c) ---------------------------------------- */

/* Whether a solve must be ew_model_solve_nonlinear. */
bool ew_model_is_nonlinear(const ew_model *model);
/* Whether edits since the last nonlinear answer left vertices without a displacement of their own:
 * a new one that is no image and lies on no edge and in no tet of the body as it was has the mean
 * of its neighbors'; one that a tet shares with its image has its own, where that of the image is
 * another. The tets about it begin strained. */
bool ew_model_has_interpolated_state(const ew_model *model);
/* State of the laws, [n_tet][*n_state], to read; null where no law has one: EW_MAX_LAW_STATE
 * numbers for each point of a tet, one where all tets are linear, else four. Moved by commits:
 * parts of a tet take its state over, point by point. */
const double *ew_model_law_state(const ew_model *model, int32_t *n_state);
/* mean [EW_MAX_LAW_STATE] = its mean over the volume of a tet, which is returned; zeros and 0 of a
 * hole or without a state. */
double ew_model_mean_law_state(const ew_model *model, int32_t tet, double *mean);
/* In place of it, n numbers in all: before a step in time. EW_BAD_INPUT unless the model has as
 * many. */
ew_status ew_model_put_law_state(ew_model *model, int64_t n, const double *state);

/* Names the first bad field. */
ew_status ew_nonlinear_def_check(const ew_nonlinear_def *def);

/* In place of a fresh solve made before, as ew_model_accept. state: of the laws, n_state numbers in
 * all; EW_BAD_INPUT unless that is what the model has. */
ew_status ew_model_accept_nonlinear(ew_model *model, int64_t n_state, const double *displacement,
                                    const double *state);

/* ---- linear buckling (buckling.c) --------------------------------------------- */

/* As ew_model_recover, of a small displacement [n_vertex][3] on top of that of a nonlinear body, as
 * of a shape of its modes: strain, stress and reactions that it adds, without those there are.
 * EW_BAD_ARGUMENT for a linear body. */
ew_status ew_model_recover_shape(ew_model *model, const double *shape, const ew_fields **fields,
                                 const ew_sums **sums);

EW_END_API
#endif
