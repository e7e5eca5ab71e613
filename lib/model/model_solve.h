/* Part of model: statics, nonlinear statics, vibration modes and buckling. */
#ifndef EW_MODEL_SOLVE_H
#define EW_MODEL_SOLVE_H

#include "model/model_sets.h"

EW_BEGIN_API

/* ---- analysis (solve.c) ----------------------------------------------------- */

/* What a solve does before its first iteration, but for making a preconditioner where there is none
 * yet: a program that edits may call it while it waits. */
ew_status ew_model_prepare(ew_model *model);
/* Brings matrix, constraints and loads up to date, checks that no component is under-constrained
 * and solves from the last displacement on. Empty sets, regions without a material: EW_BAD_INPUT.
 * *info: borrowed, of this solve; null where it did not begin. The displacement of a solve that
 * fails is its last iterate. */
ew_status ew_model_solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info **info);
/* Strain, stress, reactions and sums of the displacement; for all vertices and tets, when asked. In
 * dynamics inertia and damping are among the applied forces of the sums, and reactions are K u + C
 * v
 * + M a less the loads at the time. */
ew_status ew_model_recover(ew_model *model, const ew_fields **fields, const ew_sums **sums);
/* The fields of the last recovery, or null when the mesh has changed since. */
const ew_fields *ew_model_recovered(const ew_model *model);
const ew_sums *ew_model_recovered_sums(const ew_model *model); /* likewise */
/* The stress of tets alone: of *fields stress, von_mises and n_tet are those of ew_model_recover,
 * bit for bit, and the rest is not defined. Of the displacement as it is. A fifth of the time of
 * ew_model_recover where all tets are linear, their materials elastic and no temperature is among
 * the loads; elsewhere that is called, and where it was the fields are those it made. EW_NOT_FINITE
 * for stresses outside the range of double precision. (tet_stress.c) */
ew_status ew_model_recover_stress(ew_model *model, const ew_fields **fields);
/* The stress that is seen on the surface. Borrowed until the next call that changes the model. */
typedef struct ew_surface_stress {
    ew_list vertex; /* slots of the vertices of the boundary, each once, in the order of its
                       slots */
    const double *von_mises; /* [n_vertex of the mesh] by slot: at these vertices the bits of
                                vertex_von_mises of ew_model_recover; elsewhere not defined */
} ew_surface_stress;
/* Of the displacement as it is. A fraction of the time of ew_model_recover where the body is one
 * region of linear tets and no temperature is among the loads; elsewhere that is called.
 * (surface_stress.c) */
ew_status ew_model_recover_surface(ew_model *model, ew_surface_stress *stress);
/* The estimated error of the last recovery, and whether linear tets and a linear theory fit it
 * (null: not asked for). EW_STALE without a recovery on this mesh. O(n). (estimate.c) */
ew_status ew_model_estimate(ew_model *model, const ew_estimate **estimate,
                            const ew_adequacy **adequacy);

/* Tables and blocks, in dynamics those of mass and step matrix, too, against those built from the
 * mesh alone. */
typedef struct ew_model_verification {
    int64_t n_different;                   /* blocks not equal bit for bit */
    double largest;                        /* difference of an entry */
    double seconds_tables, seconds_matrix; /* that building took */
} ew_model_verification;
ew_status ew_model_verify(ew_model *model, ew_model_verification *result);

/* ---- nonlinear statics (nonlinear*.c) ---------------------------------------- */

/* Small (as at first), or corotational: rotations as large as they like, strains small. Then, and
 * where a material has a law that is not linear, the stiffness is the tangent at the displacement,
 * a solve is ew_model_solve_nonlinear, and strain and stress are Biot's in the frame that turns
 * with each tet, given along x, y, z. Loads of temperature are then no forces, but strain that is
 * taken off before the law; in load steps from what it was in the displacement as it is, which tets
 * that an edit adds take from those about them, and in motion as their amplitudes have it. What
 * heat does is work of the account. Linear tets and stored blocks alone: EW_UNSUPPORTED by what
 * uses it. */
ew_status ew_model_set_kinematics(ew_model *model, ew_kinematics kinematics);
ew_kinematics ew_model_kinematics(const ew_model *model);

typedef struct ew_nonlinear_info ew_nonlinear_info;
typedef struct ew_nonlinear_def {
    int32_t n_step;         /* load steps; default 1 */
    double tolerance;       /* default 1e-6: of the residual, relative to loads and reactions, or to
                               what is out of balance when the load step begins */
    int32_t max_iterations; /* of Newton, a load step; default 25 */
    int32_t max_halvings;   /* of a load step that does not converge; default 6 */
    double bound;           /* >= 0; default 0: blocks are revalidated where a tet's rotated
                               gradients or moduli changed by more than this share. 0: all that
                               changed, Newton's method itself */
    bool line_search;       /* default true */
    bool is_fresh;     /* what earlier solves left beside displacement and state is forgotten, so
                          that not a bit depends on it; at the cost of a new preconditioner */
    double duration;   /* of all load steps in time, for laws that flow; default 0: none */
    ew_pcg_def solver; /* of each iteration; its tolerance follows Newton's */
    /* After each load step that converged; a failure ends the solve there. Null: none. */
    ew_status (*on_step)(void *user, const ew_nonlinear_info *info);
    void *user;
} ew_nonlinear_def;
ew_nonlinear_def ew_default_nonlinear_def(void);

struct ew_nonlinear_info {
    ew_status status;
    double load_factor;  /* reached: 1 is all of what changed since the start */
    int32_t n_step;      /* load steps that converged, */
    int32_t n_failed;    /* and that did not, and were halved */
    int32_t n_iteration; /* of Newton, all */
    int32_t n_clamped;   /* of them with a tangent made positive definite */
    int32_t n_shortened; /* of them shortened by the line search */
    int64_t n_solver_iteration;
    double work; /* of loads, supports and heat on the way, by the mean of forces and stresses over
                    each load step and, where plastic flow begins within one, by what that mean
                    lacks: what is stored and dissipated more than before, by small strain to the
                    tolerance, of turning tets to the second order of a load step. Both are exact
                    where flow keeps its direction within load steps, else of their first order */
    double residual, reference; /* of the last iteration: relative, and what to, a force */
    double kept_residual;       /* of the state that is left */
    bool limited_by_rounding;   /* the residual is above the tolerance, and as small as it gets */
    int64_t touched_blocks, total_blocks; /* revalidated, over all iterations; all blocks times the
                                             iterations */
    double seconds, seconds_force, seconds_record, seconds_blocks, seconds_solve;
    const ew_pcg_info *solver; /* of the last iteration; borrowed, as below */
    int32_t n_history;
    const double *history; /* [n_history] relative residuals, before each iteration and after the
                              last of a load step; borrowed until the next solve */
};
/* Equilibrium by Newton's method from the displacement as it is: what is out of balance there, what
 * supports prescribe beyond it and what temperatures changed since is taken on in n_step equal
 * steps of the load factor. A step that does not converge is halved, up to max_halvings times. A
 * solve that fails leaves the displacement and the state of the last load factor that converged;
 * EW_NOT_CONVERGED says which. Up to the next solve or commit a recovery is then by the loads at
 * that factor (on components that supports prescribe: by the factor times the loads). So a solve
 * after an edit, or with other loads, goes on from the body as it is. *info: borrowed, of this
 * solve; null where it did not begin. Dead loads: they do not turn with the body. */
ew_status ew_model_solve_nonlinear(ew_model *model, const ew_nonlinear_def *def,
                                   const ew_nonlinear_info **info);

/* ---- vibration modes (modes.c) ------------------------------------------------ */

typedef struct ew_modes_def {
    int32_t count;                        /* >= 1; default 10 */
    ew_mass_kind mass;                    /* default EW_MASS_CONSISTENT; not of buckling */
    const ew_preconditioner_type *direct; /* ew_direct_solver(), and */
    ew_eigen_call *eigen;                 /* ew_eigen_solve; null: none in this build */
    ew_progress progress;
} ew_modes_def;
ew_modes_def ew_default_modes_def(void);

/* K phi = lambda M phi with the supports in place, loads and prescribed values apart. Lowest first.
 * Directions are x, y, z. */
typedef struct ew_modes {
    int32_t n, n_vertex;
    int32_t n_row;         /* of a shape: vertices, then edges with functions, by their rows */
    int32_t n_rigid;       /* motions without stiffness: six of a free body come first */
    double *eigenvalue;    /* [n] lambda, 1/time^2; of rigid motions what rounding leaves */
    double *frequency;     /* [n] per time; 0 for rigid motions */
    double *shape;         /* [n][n_row][3] phi . M phi = 1, the largest component positive */
    double *participation; /* [n][3] phi . M e of a unit motion e */
    double *effective; /* [n][3] its square, a mass; over all modes they add up to that mass which
                          supports leave free */
    double *residual;  /* [n] |K phi - lambda M phi| over (|lambda| + shift) |M phi|, at most 1e-6,
                          of rigid motions what rounding makes of it, 10 eps |K| |phi|, if that is
                          more; of mixed tets |(lambda + shift) (K + shift M)^-1 M phi - phi| over
                          |phi| */
    double mass;       /* of the body */
    double orthogonality; /* largest |phi_i . M phi_j - (i == j)| */
    int32_t n_solve;      /* with the factor of K + shift M */
    double shift, seconds, seconds_factor;
} ew_modes;
/* EW_UNSUPPORTED without the two functions, or on a device; EW_BAD_INPUT without a density. *modes:
 * borrowed until the next call that changes the model; to be freed by none. The displacement stays
 * what it was. Of a nonlinear body they are small vibrations about its displacement, by the tangent
 * with the stress that there is, in which nothing flows; EW_INDEFINITE where that is not stable. */
ew_status ew_model_modes(ew_model *model, const ew_modes_def *def, const ew_modes **modes);

/* ---- linear buckling (buckling.c) --------------------------------------------- */

/* (K + factor K_g) phi = 0, K_g of the stress of the last recovery: by how much all that loads the
 * body may grow before it buckles. Least positive factors first; those above 10,000 times the least
 * of any sign, at which the largest stress is above the stiffness, count as none. */
typedef struct ew_buckling {
    int32_t n, n_vertex, n_row; /* n: as many as asked for, or fewer where there are no more */
    double *factor;             /* [n] > 0 */
    double *shape;    /* [n][n_row][3] the largest displacement of a vertex is of length 1 */
    double *residual; /* [n] |K phi + factor K_g phi| over |K phi| */
    int32_t n_solve;  /* with factors of K, and of K + s K_g where loads pull more than press */
    double seconds;
} ew_buckling;
/* Of a nonlinear body K is that of the deformed body, as strained by heat and flow as by loads,
 * without stress, and K_g what stress adds: factor 1 is where the tangent is singular (a limit
 * point or a bifurcation), less than 1 beyond it. EW_STALE without a recovery on this mesh;
 * EW_BAD_INPUT where there is no stress beyond what rounding and the residual of the static answer
 * make of none, or no load in this direction buckles the body; EW_UNDER_CONSTRAINED; else as
 * ew_model_modes. */
ew_status ew_model_buckling(ew_model *model, const ew_modes_def *def, const ew_buckling **buckling);

EW_END_API
#endif
