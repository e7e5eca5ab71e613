/* Part of model: statics, nonlinear statics, vibration modes and buckling. */
#ifndef EW_MODEL_SOLVE_H
#define EW_MODEL_SOLVE_H

#include "model/model_sets.h"

EW_BEGIN_API

/* ---- analysis (solve.c) ----------------------------------------------------- */

/* Does the work of a solve before its first iteration, except the first set-up of a preconditioner:
 * a program may call it while it waits for the next edit. */
ew_status ew_model_prepare(ew_model *model);
/* Updates matrix, constraints and loads, checks that no component is under-constrained, and solves,
 * starting from the last displacement. EW_BAD_INPUT: an empty set, a region without a material.
 * *info: borrowed, of this solve; null where the solve did not begin. A solve that fails leaves its
 * last iterate as the displacement. */
ew_status ew_model_solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info **info);
/* Strain, stress, reactions and sums of the present displacement, for all vertices and tets. In
 * dynamics the applied forces of the sums include inertia and damping, and reactions are K u + C v
 * + M a minus the loads at the present time. */
ew_status ew_model_recover(ew_model *model, const ew_fields **fields, const ew_sums **sums);
/* The fields of the last recovery, or null when the mesh has changed since. */
const ew_fields *ew_model_recovered(const ew_model *model);
const ew_sums *ew_model_recovered_sums(const ew_model *model); /* likewise */
/* The stress of tets alone, of the present displacement: stress, von_mises and n_tet of *fields
 * have the bits of ew_model_recover, the other members are not defined. Takes a fifth of the time
 * of ew_model_recover where all tets are linear, all materials elastic and no load is a
 * temperature; elsewhere it calls ew_model_recover, and after that function it returns the same
 * fields. EW_NOT_FINITE for stresses outside the range of double precision. (tet_stress.c) */
ew_status ew_model_recover_stress(ew_model *model, const ew_fields **fields);
/* The stress at the surface of the body. Borrowed until the next call that changes the model. */
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
/* The estimated error of the last recovery, and whether linear tets and a linear theory are
 * adequate for it (null: not computed). EW_STALE without a recovery on this mesh. O(n).
 * (estimate.c) */
ew_status ew_model_estimate(ew_model *model, const ew_estimate **estimate,
                            const ew_adequacy **adequacy);

/* The stress to report: ew_sums.max_von_mises, where it is, and what it means. */
typedef enum ew_peak_source {
    EW_PEAK_OF_TET,   /* a tet's own stress */
    EW_PEAK_AVERAGED, /* averaged at a vertex over the tets of one material */
    EW_PEAK_RECOVERED /* recovered at a vertex of the tet with the largest stress of its own */
} ew_peak_source;
typedef struct ew_peak {
    double von_mises; /* force/length^2 */
    ew_peak_source of;
    int32_t tet, vertex;        /* slots; tet -1: averaged. vertex: of a tet its first one */
    int32_t region;             /* index into mesh->region_label; -1: all are of one material */
    ew_singularity singularity; /* the strongest one at the vertices of the peak */
    ew_safety safety;           /* of the whole body */
} ew_peak;
/* Comparison of tables and blocks (in dynamics also of the mass and the step matrix) with those
 * built from the mesh alone. */
typedef struct ew_model_verification {
    int64_t n_different;                   /* blocks not equal bit for bit */
    double largest;                        /* largest difference of an entry */
    double seconds_tables, seconds_matrix; /* time of the rebuild */
} ew_model_verification;
ew_status ew_model_verify(ew_model *model, ew_model_verification *result);

/* ---- nonlinear statics (nonlinear*.c) ---------------------------------------- */

/* Selects small displacements (the initial state) or corotational kinematics: rotations of any size
 * with small strains. With corotational kinematics, and where a material has a nonlinear law, the
 * stiffness is the tangent at the present displacement, the solver is ew_model_solve_nonlinear, and
 * strain is Biot's in the frame that rotates with each tet and stress is Cauchy's, both given along
 * x, y, z; laws answer with Biot's stress. A temperature is then no force: its thermal strain is
 * subtracted from the strain before the law. Load steps start from the thermal strain of the
 * present state, which new tets take from their neighbors; in dynamics it follows the amplitudes.
 * The work of thermal strain is part of the energy account. Linear tets and stored blocks alone:
 * EW_UNSUPPORTED by what uses it. */
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
    bool is_fresh;   /* discards what earlier solves left except displacement and state, so that the
                        bits do not depend on it; costs a new preconditioner */
    double duration; /* time that all load steps take together, for creep; default 0: none */
    ew_pcg_def solver; /* of each iteration; its tolerance follows Newton's */
    /* Called after each converged load step; a failure ends the solve there. Null: none. */
    ew_status (*on_step)(void *user, const ew_nonlinear_info *info);
    void *user;
} ew_nonlinear_def;
ew_nonlinear_def ew_default_nonlinear_def(void);

struct ew_nonlinear_info {
    ew_status status;
    double load_factor;  /* reached; 1: the full change of loads since the start */
    int32_t n_step;      /* converged load steps */
    int32_t n_failed;    /* load steps that did not converge and were halved */
    int32_t n_iteration; /* of Newton, all */
    int32_t n_clamped;   /* iterations in which the tangent was made positive definite */
    int32_t n_shortened; /* iterations that the line search shortened */
    int64_t n_solver_iteration;
    double work; /* work of loads, supports and thermal strain, by the mean of forces and stresses
                    over each load step, corrected where plastic flow begins within a step. It
                    equals the increase of stored and dissipated energy: with small strains to the
                    tolerance, with rotating tets to second order in the load step. Both hold where
                    the direction of flow is constant within a load step, else to first order */
    double residual, reference; /* of the last iteration: relative, and what to, a force */
    double kept_residual;       /* residual of the state that the solve leaves */
    bool limited_by_rounding; /* the residual is above the tolerance and as small as rounding allows
                               */
    int64_t touched_blocks, total_blocks; /* revalidated, over all iterations; all blocks times the
                                             iterations */
    double seconds, seconds_force, seconds_record, seconds_blocks, seconds_solve;
    const ew_pcg_info *solver; /* of the last iteration; borrowed, as below */
    int32_t n_history;
    const double *history; /* [n_history] relative residuals, before each iteration and after the
                              last of a load step; borrowed until the next solve */
};
/* Finds equilibrium by Newton's method from the present displacement. The out-of-balance force
 * there, the prescribed displacements and the change of temperature are applied in n_step equal
 * steps of the load factor. A step that does not converge is halved, up to max_halvings times. A
 * solve that fails leaves displacement and state of the last converged load factor, which the
 * message of EW_NOT_CONVERGED gives; until the next solve or commit a recovery then uses the loads
 * at that factor (on prescribed components the factor times the loads). A solve after an edit, or
 * with other loads, continues from the deformed body. *info: borrowed, of this solve; null where
 * the solve did not begin. Loads keep their directions when the body rotates. */
ew_status ew_model_solve_nonlinear(ew_model *model, const ew_nonlinear_def *def,
                                   const ew_nonlinear_info **info);

/* ---- vibration modes (modes.c) ------------------------------------------------ */

typedef struct ew_modes_def {
    int32_t count;                        /* >= 1; default 10 */
    ew_mass_kind mass;                    /* default EW_MASS_CONSISTENT; not of buckling */
    const ew_preconditioner_type *direct; /* ew_direct_solver(); null: not in this build */
    ew_eigen_call *eigen;                 /* ew_eigen_solve; null: not in this build */
    ew_progress progress;
    int32_t sectors;  /* >= 2: of a sector of so many whose sides tie `tie`, an EW_TIE_CYCLIC,
                         joins; 0, the default: of the body as its equations hold it */
    int32_t diameter; /* of sectors, not of buckling: -sectors / 2 to sectors / 2, see ew_modes */
    int32_t tie;      /* of sectors: index of it */
} ew_modes_def;
ew_modes_def ew_default_modes_def(void);

/* K phi = lambda M phi with the present supports, without loads and prescribed values. Lowest
 * first. Directions are x, y, z.
 *
 * Of a sector with `diameter` n the displacements of its sides are u_slave = exp(i a) R u_master,
 * R the turn of the tie and a = 2 pi n / sectors: a wave round the axis with n nodal diameters
 * (Thomas 1979). The sector k turns of R further on moves by R^k (cos(k a) u - sin(k a) v), u the
 * real and v the imaginary part. Where n is 0 or sectors / 2 shapes are real. Else the whole body
 * has each of them twice, as itself and i times itself, of which there is one here. */
typedef struct ew_modes {
    int32_t n, n_vertex;
    int32_t n_row;             /* of a part: vertices, then edges with functions, by their rows */
    int32_t n_part;            /* of a shape: 1, or with two of a kind 2: real, imaginary */
    int32_t sectors, diameter; /* as asked for; 0: all of the body */
    int32_t n_rigid;           /* rigid-body modes: the first six of a free body */
    double *eigenvalue;        /* [n] lambda, 1/time^2; of rigid-body modes only round-off */
    double *frequency;         /* [n] per time; 0 for rigid motions */
    double *shape;         /* [n][n_part][n_row][3] phi . M phi = 1, the largest component real and
                              positive */
    double *participation; /* [n][3] phi . M e of a unit motion e */
    double *effective;     /* [n][3] its square, a mass; the sum over all modes is the mass that
                              supports leave free. Of a sector both are of the whole body, the mass of
                              two of a kind that of both, the other its root */
    double *residual; /* [n] |K phi - lambda M phi| over (|lambda| + shift) |M phi|, at most 1e-6,
                         of rigid motions what rounding makes of it, 10 eps |K| |phi|, if that is
                         more; of mixed tets |(lambda + shift) (K + shift M)^-1 M phi - phi| over
                         |phi| */
    double mass;      /* of the body */
    double orthogonality; /* largest |phi_i . M phi_j - (i == j)| */
    int32_t n_solve;      /* with the factor of K + shift M */
    double shift, seconds, seconds_factor;
} ew_modes;
/* EW_UNSUPPORTED without the two functions; EW_BAD_INPUT without a density. *modes:
 * borrowed until the next call that changes the model; to be freed by none. The displacement is
 * unchanged. Modes of a nonlinear body are small vibrations about the present displacement, by the
 * tangent with the present stress and without plastic flow; EW_INDEFINITE where that equilibrium is
 * not stable. */
ew_status ew_model_modes(ew_model *model, const ew_modes_def *def, const ew_modes **modes);

/* ---- linear buckling (buckling.c) --------------------------------------------- */

/* (K + factor K_g) phi = 0, with K_g of the stress of the last recovery: the factor by which all
 * loads may grow before the body buckles. Smallest positive factors first; factors above 10,000
 * times the smallest magnitude, at which the largest stress exceeds the stiffness, are left out. */
typedef struct ew_buckling {
    int32_t n, n_vertex, n_row; /* n: `count`, or fewer where there are no more factors */
    double *factor;             /* [n] > 0 */
    double *shape;    /* [n][n_row][3] the largest displacement of a vertex has length 1 */
    double *residual; /* [n] |K phi + factor K_g phi| over |K phi| */
    int32_t n_solve;  /* solves with the factor of K, and of K + s K_g where tension dominates */
    double seconds;
} ew_buckling;
/* For a nonlinear body K is the stiffness of the deformed body, with its thermal and plastic
 * strain, without stress, and K_g is the contribution of stress: the tangent is singular at factor
 * 1 (a limit point or a bifurcation), and a state beyond that point has a factor below 1. EW_STALE
 * without a recovery on this mesh; EW_BAD_INPUT where the stress does not exceed round-off and the
 * residual of the static solve, or where loads in this direction do not buckle the body;
 * EW_UNDER_CONSTRAINED; else as ew_model_modes. */
ew_status ew_model_buckling(ew_model *model, const ew_modes_def *def, const ew_buckling **buckling);

EW_END_API
#endif
