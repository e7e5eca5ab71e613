/* evolution: which tets a body can do without. Bi-directional evolutionary structural optimization
 * (BESO): round by round the tets that store least strain energy are removed, others that were
 * removed before come back beside those that store much, until a share of the volume is left and
 * the compliance settles. Each round is an edit of the model that touches a few tets, and a solve
 * from the displacement before.
 *
 *   X. Huang, Y. M. Xie, "Convergent and mesh-independent solutions for the bi-directional
 *   evolutionary structural optimization method", Finite Elements in Analysis and Design 43 (2007)
 *   1039-1049; the same, "Evolutionary Topology Optimization of Continuum Structures", Wiley 2010,
 *   chapter 3. Here tets are removed outright, and may be of different sizes. */
#ifndef EW_EVOLUTION_H
#define EW_EVOLUTION_H

#include "model/model.h"

EW_BEGIN_API

/* A body that was analyzed, and what made it of the one before. */
typedef struct ew_evolution_round {
    int32_t round;     /* 0: the body at the start */
    int32_t n_tet;     /* of the body */
    double volume;     /* length^3 */
    double share;      /* of the volume at the start */
    double compliance; /* twice the energy of strain and of springs; force times length */
    double change; /* of the compliance: the sum over the last five rounds less that over the five
                      before, over the first; NaN before there are ten */
    int32_t n_removed;  /* tets that went, those of n_left_out too, */
    int32_t n_restored; /* that came back, */
    int32_t n_left_out; /* and that went because nothing supports them anymore */
    double seconds_analyze, seconds_choose; /* its analysis; choosing and removing before it */
} ew_evolution_round;

typedef struct ew_evolution_def {
    double volume;       /* share of the volume at the start to be left, in (0, 1) */
    double rate;         /* by which the volume changes from round to round, in (0, 1]; default
                            0.02 */
    double max_restored; /* share of the volume at the start that comes back in a round at most, in
                            [0, 1]; default 0.01 */
    double radius;       /* length over which sensitivities are averaged, >= 0; default 0: twice the
                            mean edge. Features are hardly thinner than that */
    double until;        /* it is settled when `change` is no more than this, > 0; default 1e-3 */
    int32_t max_rounds;  /* >= 1; default 200 */
    const ew_set *keep;  /* borrowed: slots of tets that stay; null: none. Those that loads act on
                            belong here: a load goes with its vertices and faces */
    ew_pcg_def solver;   /* of each round */
    ew_progress progress; /* default: none */
    /* What a program does in its own way, with `user`; null: as said. */
    void *user;
    ew_status (*analyze)(void *user); /* ew_model_solve */
    ew_status (*commit)(void *user);  /* ew_model_commit */
    /* After each analysis. A failure ends the run with that status. Null: nothing. */
    ew_status (*on_round)(void *user, const ew_evolution_round *round);
} ew_evolution_def;
ew_evolution_def ew_default_evolution_def(void);

typedef enum ew_evolution_end {
    EW_EVOLUTION_SETTLED,
    EW_EVOLUTION_MAX_ROUNDS,
    EW_EVOLUTION_FELL_APART /* with less, tets that stay would come off their supports: the removal
                               was taken back and tried again at half the rate, three times */
} ew_evolution_end;
typedef struct ew_evolution_info {
    ew_evolution_end end;
    double radius;           /* taken */
    ew_evolution_round last; /* the body that is left; its analysis is the model's last, and it is
                                recovered (ew_model_recover) */
} ew_evolution_info;
/* Removes tets of a linear elastic body, by its loads and supports in place; prescribed
 * displacements other than 0, or loads that do not change with the body, not both. A tet that comes
 * back is a new one, with the vertices and the region that it had, in a slot and with an id of its
 * own; sets of vertices have their members again, sets of faces and of tets do not. Vertices
 * without tets stay in the mesh, so the model must not be compacted by `analyze` or `commit`.
 * Under-constrained components that hold no tets of `keep` are removed, too.
 *
 * On a failure the model has the body that it had reached. EW_BAD_INPUT: the tets that stay have
 * more than the volume asked for. EW_LIMIT: the radius takes in too many vertices. The same model
 * gives the same bits, whatever the number of threads. */
ew_status ew_evolution_run(ew_model *model, const ew_evolution_def *def, ew_evolution_info *info);

EW_END_API
#endif
