/* multilevel_dealt: private to solver. The preconditioner set up and applied by several processes:
 * a process fills and sweeps its own chunks, the others' stay empty; it gathers the coarse blocks
 * of its chunks' aggregates, of which all get the sum, and the coarsest system is solved by each.
 * Chunks keep their process until the next set-up. */
#ifndef EW_SOLVER_MULTILEVEL_DEALT_H
#define EW_SOLVER_MULTILEVEL_DEALT_H

#include "solver/multilevel/chunk_owners.h"

/* What goes between the processes; again where rows or chunks have changed. */
ew_status ew_multilevel_deal(ew_multilevel *m, const ew_dealt *dealt);
/* Fills the chunks of other processes for applications by this one alone. */
ew_status ew_multilevel_undeal(ew_multilevel *m, const ew_fine_level *fine);
/* As ew_multilevel_apply_in_team, of rows that this process has, with the same bits. r gets what
 * its chunks read. */
void ew_multilevel_apply_dealt(ew_multilevel *m, const ew_dealt *dealt, const double *r, double *z);

#endif
