/* removal: element removal by bi-directional evolutionary structural optimization (BESO). Each
 * round removes the tets with the smallest strain energy and restores removed ones next to tets
 * with large energy, until the given share of the volume is left and the compliance converges. A
 * round is an edit of the model that touches a few tets, and a solve from the previous
 * displacement.
 *
 *   X. Huang, Y. M. Xie, "Convergent and mesh-independent solutions for the bi-directional
 *   evolutionary structural optimization method", Finite Elements in Analysis and Design 43 (2007)
 *   1039-1049; the same, "Evolutionary Topology Optimization of Continuum Structures", Wiley 2010,
 *   chapter 3. Here tets are removed completely, and may have different sizes. */
#ifndef EW_REMOVAL_H
#define EW_REMOVAL_H

#include "model/model.h"

EW_BEGIN_API

/* An analyzed body, and the changes since the body before. */
typedef struct ew_removal_round {
    int32_t round;     /* 0: the body at the start */
    int32_t n_tet;     /* of the body */
    double volume;     /* length^3 */
    double share;      /* of the volume at the start */
    double compliance; /* twice the energy of strain and of springs; force times length */
    double change; /* of the compliance: the sum over the last five rounds less that over the five
                      before, over the first; NaN before there are ten */
    int32_t n_removed;  /* removed tets, those of n_left_out included */
    int32_t n_restored; /* restored tets */
    int32_t n_left_out; /* tets removed because their component is under-constrained */
    double seconds_analyze, seconds_choose; /* its analysis; choosing and removing before it */
} ew_removal_round;

typedef struct ew_removal_def {
    double volume;       /* share of the initial volume to keep, in (0, 1) */
    double rate;         /* relative change of the volume per round, in (0, 1]; default 0.02 */
    double max_restored; /* largest share of the initial volume restored per round, in [0, 1];
                            default 0.01 */
    double radius;       /* averaging length of sensitivities, >= 0; default 0: twice the mean edge.
                            Features are rarely thinner */
    double until; /* the removal has converged when `change` is at most this, > 0; default 1e-3 */
    int32_t max_rounds;   /* >= 1; default 200 */
    const ew_set *keep;   /* borrowed: slots of tets that are never removed; null: none. Include the
                             tets that loads act on: a load is removed with its vertices and faces */
    ew_pcg_def solver;    /* of each round */
    ew_progress progress; /* default: none */
    /* Functions of the program in place of the named ones; null: these. */
    void *user;
    ew_status (*analyze)(void *user); /* ew_model_solve */
    ew_status (*commit)(void *user);  /* ew_model_commit */
    /* After each analysis. A failure ends the run with that status. Null: nothing. */
    ew_status (*on_round)(void *user, const ew_removal_round *round);
} ew_removal_def;
ew_removal_def ew_default_removal_def(void);

typedef enum ew_removal_end {
    EW_REMOVAL_SETTLED,
    EW_REMOVAL_MAX_ROUNDS,
    EW_REMOVAL_FELL_APART /* with a smaller volume, protected tets would lose their supports: the
                               removal was undone and tried again at half the rate, three times */
} ew_removal_end;
typedef struct ew_removal_info {
    ew_removal_end end;
    double radius; /* the radius used */
    ew_removal_round
        last; /* the final body; the model holds its analysis and recovery (ew_model_recover) */
} ew_removal_info;
/* Removes tets of a linear elastic body, by its loads and supports in place; prescribed
 * displacements other than 0, or loads that do not change with the body, not both. A restored tet
 * is a new one with its former vertices and region, in another slot and with another id; it belongs
 * to its sets of vertices again, but not to sets of faces and tets. Vertices without tets stay in
 * the mesh, so the model must not be compacted by `analyze` or `commit`. Under-constrained
 * components that hold no tets of `keep` are removed, too.
 *
 * After a failure the model has the body of the last round. EW_BAD_INPUT: the protected tets have
 * more than the given volume. EW_LIMIT: the radius includes too many vertices. The same model gives
 * the same bits, whatever the number of threads. */
ew_status ew_removal_run(ew_model *model, const ew_removal_def *def, ew_removal_info *info);

EW_END_API
#endif
