/* model: what a program needs that works on its tables itself, beside model/model_solve.h. */
#ifndef EW_PARTS_MODEL_SOLVE_H
#define EW_PARTS_MODEL_SOLVE_H

#include "model/model_solve.h"
#include "model/parts/model_sets.h"

EW_BEGIN_API

/* ---- analysis (solve.c) ----------------------------------------------------- */

/* Ends ew_model_def.expects_answers: omitted blocks are computed at their next use. */
void ew_model_expect_no_answers(ew_model *model);
/* Answers of one body with several materials, loads, supports or places of vertices, at most 32,
 * or 16 where vertices move: the least used one makes room. Models may come and go. */
typedef struct ew_answer_basis ew_answer_basis;
ew_status ew_answer_basis_create(ew_answer_basis **basis);
void ew_answer_basis_free(ew_answer_basis *basis);
/* Forgets all of them. */
void ew_answer_basis_clear(ew_answer_basis *basis);
/* Makes the displacement the sum of the answers that is nearest to the answer in the energy norm:
 * the start of the next solve, before which the body may not change. Where it is within the
 * tolerance of that solve, which moduli and loads give after few answers, nothing is iterated; with
 * isotropic materials on vertices that do not move, without springs and oblique supports, on the
 * host, there is then no matrix either. Answers of other tets are forgotten. No effect for
 * mixed tets, on a nonlinear body, with equations or contact. O(answers, rows). (galerkin_start.c)
 */
ew_status ew_model_start_near(ew_model *model, ew_answer_basis *basis);
/* After that solve, to a tenth of its tolerance: what it added to its start is an answer more. */
ew_status ew_model_keep_answer(const ew_model *model, ew_answer_basis *basis);
/* Stands for an earlier solve of the same model with the same settings, when a run is resumed:
 * displacement [n_vertex][3] is its answer, `known` its outcome. The model reaches the state after
 * that solve without iterating; later calls give the same bits. */
ew_status ew_model_accept(ew_model *model, const ew_pcg_def *def, const double *displacement,
                          const ew_pcg_info *known, const ew_pcg_info **info);

/* ---- load cases of one matrix (cases.c) -------------------------------------- */

/* Loads and prescribed values as they are become one more load case. Its solve starts from the
 * displacement, or from zero. All cases have the mesh, materials, springs and constrained
 * components of the first, else EW_STALE, after which there are none. Errors as of ew_model_solve.
 */
ew_status ew_model_add_case(ew_model *model, bool from_zero);
/* Solves all of them side by side (ew_solver_solve_several), where that can be; a case that fails
 * says so when it is taken. The displacement stays. */
ew_status ew_model_solve_cases(ew_model *model, const ew_pcg_def *def);
/* As ew_model_solve with the loads of case `number`, from 0, which must be in place again, else
 * EW_BAD_ARGUMENT: the answer is the one that was found, or where none was, is solved for now. */
ew_status ew_model_take_case(ew_model *model, int32_t number, const ew_pcg_def *def,
                             const ew_pcg_info **info);
/* Forgets all of them; so does a commit, at the next call. */
void ew_model_clear_cases(ew_model *model);

/* The fields of the last ew_model_recover_stress or ew_model_recover, or null when the mesh has
 * changed since. */
const ew_fields *ew_model_recovered_stress(const ew_model *model);
/* Of the last recovery and, if ew_model_estimate was called since, of the recovered stress.
 * EW_STALE without a recovery on this mesh. O(n) with strengths, else O(tets there). (estimate.c)
 */
ew_status ew_model_peak(ew_model *model, ew_peak *peak);
/* Whether a recovery and an estimate after a local answer would compute what changed alone: the
 * last ones were those of a linear body of linear tets, without temperature and without supports
 * along other directions than x, y, z. */
bool ew_model_keeps_recovery(const ew_model *model);
/* Energies of the displacement. */
typedef struct ew_energies {
    const double *tet;      /* [n_tet] borrowed: strain energy by slot, 0 in holes */
    double volume;          /* of the mesh */
    double strain, springs; /* over the body */
} ew_energies;
/* Energies with the same bits as ew_model_recover, in a fraction of its time where all tets are
 * linear, all materials elastic and no load is a temperature; elsewhere it calls ew_model_recover.
 * EW_STALE where the mesh has changed since the last solve. (energies.c) */
ew_status ew_model_recover_energies(ew_model *model, ew_energies *energies);

/* ---- nonlinear statics (nonlinear*.c) ---------------------------------------- */

/* Whether a solve must be ew_model_solve_nonlinear. */
bool ew_model_is_nonlinear(const ew_model *model);
/* Whether edits since the last nonlinear solve made vertices whose displacement is only a guess, so
 * that tets at them start strained: a new vertex outside the former body has the mean of its
 * neighbors; a vertex shared by a tet and its image keeps its displacement where the image has
 * another one. */
bool ew_model_has_interpolated_state(const ew_model *model);
/* State of the laws, [n_tet][*n_state], to read; null where no law has one: EW_MAX_LAW_STATE
 * numbers for each point of a tet, one where all tets are linear, else four. Moved by commits:
 * parts of a tet take its state over, point by point. */
const double *ew_model_law_state(const ew_model *model, int32_t *n_state);
/* mean [EW_MAX_LAW_STATE] = its mean over the volume of a tet, which is returned; zeros and 0 of a
 * hole or without a state. */
double ew_model_mean_law_state(const ew_model *model, int32_t tet, double *mean);
/* Replaces the state, n numbers in all, before a time step. EW_BAD_INPUT unless the model has n
 * numbers. */
ew_status ew_model_put_law_state(ew_model *model, int64_t n, const double *state);

/* Names the first bad field. */
ew_status ew_nonlinear_def_check(const ew_nonlinear_def *def);

/* In place of a fresh solve made before, as ew_model_accept. state: of the laws, n_state numbers in
 * all; EW_BAD_INPUT unless that is what the model has. */
ew_status ew_model_accept_nonlinear(ew_model *model, int64_t n_state, const double *displacement,
                                    const double *state);

/* As ew_model_recover, but where processes solve together (ew_pcg_def.peers) what stands by tet in
 * the fields of a linear body, and in an estimate of them, may stay in parts (ew_fields.parts). */
ew_status ew_model_recover_parts(ew_model *model, const ew_fields **fields, const ew_sums **sums);

/* ---- linear buckling (buckling.c) --------------------------------------------- */

/* As ew_model_recover, for a small displacement [n_row][3], of vertices, then of edges by their
 * rows, such as a mode shape: the increments of strain, stress and reactions where it is added to
 * the displacement, closed points of contact staying closed. In a linear body it becomes the
 * displacement; its loads must be none. */
ew_status ew_model_recover_shape(ew_model *model, const double *shape, const ew_fields **fields,
                                 const ew_sums **sums);

/* ---- harmonic response (harmonic.c, harmonic_recovery.c) ------------------------ */

typedef struct ew_harmonic_def {
    int32_t n_frequency;
    const double *frequency; /* [n_frequency] > 0, per time; borrowed */
    const double *load;      /* [n_row][3] amplitudes, all in phase, of vertices, then of edges by
                                their rows; borrowed */
    ew_damping damping;      /* default none */
    ew_mass_kind mass;       /* default EW_MASS_CONSISTENT */
    double tolerance;        /* of |f - A u| over |f|, f with the forces of supports that move;
                                default 1e-8 */
    int32_t max_vectors;     /* default 2000; memory and time grow with them */
    const ew_preconditioner_type *direct; /* ew_direct_solver(); null: not in this build */
    ew_progress progress;
} ew_harmonic_def;
ew_harmonic_def ew_default_harmonic_def(void);

/* At frequency k the displacement is the real part of u exp(i w t), where the real part of u is the
 * sum of vectors times column[k][0], and the imaginary part that of column[k][1]. */
typedef struct ew_harmonic {
    int32_t n, n_frequency;
    int32_t n_row;    /* of a vector: vertices, then edges with functions, by their rows */
    double *vector;   /* [n][n_row][3] */
    double *column;   /* [n_frequency][2][n] */
    double *residual; /* [n_frequency] at most the tolerance, or what rounding makes of it, 10 eps
                         |K| |u| */
    int32_t n_solve;  /* with the one factor of K + s M */
    double seconds;
} ew_harmonic;
/* The answer to loads and to prescribed displacements that vary as cos(w t), without modes (method:
 * harmonic.c), of a body with supports or without. *harmonic: borrowed until the next call that
 * changes the model; to be freed by none. The displacement is unchanged. EW_UNSUPPORTED without the
 * direct solver; EW_BAD_ARGUMENT of a nonlinear body; EW_BAD_INPUT without a density
 * or where nothing drives the body; EW_NOT_CONVERGED where max_vectors are too few, or without
 * damping at a frequency of the body's own. */
ew_status ew_model_harmonic(ew_model *model, const ew_harmonic_def *def,
                            const ew_harmonic **harmonic);

typedef struct ew_harmonic_motion {
    double frequency; /* per time */
    ew_damping damping;
    ew_mass_kind mass;
    const double *load; /* [n_row][3] in phase; null: none; borrowed, as u */
    const double *u[2]; /* [n_row][3] real and imaginary part of the displacement */
} ew_harmonic_motion;
/* Sets the displacement to that part (0: real, 1: imaginary) and recovers what ew_model_recover
 * does, linear in u: amplitudes of strain and stress without thermal strain, and reactions A u - f.
 * Volumetric stress of mixed tets included. EW_BAD_ARGUMENT for a nonlinear body. */
ew_status ew_model_recover_harmonic(ew_model *model, const ew_harmonic_motion *of, int part,
                                    const ew_fields **fields, const ew_sums **sums);

EW_END_API
#endif
