/* What a solver is told before its next solve. */
#include "solver/krylov/pcg.h"

void ew_solver_know_changes(ew_solver *solver, const ew_list *row)
{
    solver->changed = row;
}

ew_status ew_solver_touch_edges(ew_solver *solver, const ew_list *row)
{
    return ew_preconditioner_touch_edges(&solver->preconditioner, row);
}

void ew_solver_use_answer(ew_solver *solver, int32_t number)
{
    solver->answer = number;
}
