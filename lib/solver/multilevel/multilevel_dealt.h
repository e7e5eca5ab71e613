/* multilevel_dealt: private to solver. The preconditioner applied by several processes, each of
 * which has it whole: a process sweeps its own chunks, the coarsest system is solved by each. */
#ifndef EW_SOLVER_MULTILEVEL_DEALT_H
#define EW_SOLVER_MULTILEVEL_DEALT_H

#include "solver/krylov/dealt.h"
#include "solver/multilevel/multilevel.h"

/* Chunks to processes; again where rows or chunks have changed. */
ew_status ew_multilevel_deal(ew_multilevel *m, const ew_dealt *dealt);
/* As ew_multilevel_apply_in_team, of rows that this process has, with the same bits. r gets what
 * its chunks read. */
void ew_multilevel_apply_dealt(ew_multilevel *m, const ew_dealt *dealt, const double *r, double *z);
void ew_multilevel_free_share(struct ew_multilevel_share *share); /* safe on null */

#endif
