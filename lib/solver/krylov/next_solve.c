/* What a solver is told before its next solve. */
#include "solver/krylov/pcg.h"

void ew_solver_know_changes(ew_solver *solver, const ew_list *row)
{
    solver->changed = row;
}

void ew_solver_use_answer(ew_solver *solver, int32_t number)
{
    solver->answer = number;
}
