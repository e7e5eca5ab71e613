/* Solves of several right-hand sides of one system, side by side. In: the system, a right-hand side
 * and a start vector for each. Out: the answers, or that nothing can be shared. */
#include "base/thread_affinity.h"
#include "solver/krylov/dealt.h"

#include <stdio.h>

static ew_status reserve_histories(ew_solver *solver, int32_t n)
{
    EW_TRY(ew_grow(&solver->column_history, &solver->column_capacity, n,
                   sizeof *solver->column_history));
    for (; solver->n_column_history < n; solver->n_column_history++) {
        solver->column_history[solver->n_column_history] = (ew_pcg_history){0};
    }
    return EW_OK;
}

/* By several processes one after the other, each with the bits that it has side by side. */
static ew_status solve_in_turn(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                               int32_t n, const double *const *b, double *const *x,
                               ew_pcg_info *info, char (*message)[EW_COLUMN_MESSAGE])
{
    for (int32_t s = 0; s < n; s++) {
        ew_system own = *system;
        own.b = b[s];
        EW_TRY(ew_dealt_rows(solver, &own, def));
        EW_TRY(ew_preconditioner_deal(&solver->preconditioner, &own));
        const ew_pcg_task task = {&own, &solver->preconditioner, def->precision, x[s],
                                  solver->dealt};
        EW_TRY(ew_solver_open(solver, &task));
        info[s].status = ew_pcg_iterate(solver->ops, solver->workspace, def,
                                        &solver->column_history[s], &info[s]);
        solver->preconditioner.dealt = NULL;
        if (info[s].status) {
            snprintf(message[s], EW_COLUMN_MESSAGE, "%s", ew_message());
        }
        EW_TRY(solver->ops->close(solver->workspace, !info[s].status && info[s].reference == 0.0));
    }
    return EW_OK;
}

static ew_status share(ew_solver *solver, const ew_system *system, const ew_pcg_def *asked,
                       int32_t n, const double *const *b, double *const *x, ew_pcg_info *info,
                       char (*message)[EW_COLUMN_MESSAGE])
{
    ew_pcg_def def = *asked;
    def.precision = ew_pcg_precision(asked->precision);
    const ew_pcg_task task = {system, &solver->preconditioner, def.precision, NULL, NULL};
    EW_TRY(reserve_histories(solver, n));
    for (int32_t s = 0; s < n; s++) {
        ew_system own = *system;
        own.b = b[s];
        EW_TRY(ew_solver_check_loads(&own));
        EW_TRY(ew_preconditioner_correct_locally(&solver->preconditioner, system, x[s]));
    }
    if (def.peers) {
        return solve_in_turn(solver, system, &def, n, b, x, info, message);
    }
    EW_TRY(ew_preconditioner_deal(&solver->preconditioner, system));
    EW_TRY(ew_solver_open(solver, &task));
    return ew_pcg_solve_columns(&solver->columns, &solver->workspace, &task, &def, n, b, x,
                                solver->column_history, info, message);
}

ew_status ew_solver_solve_several(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                                  int32_t n, const double *const *b, double *const *x,
                                  ew_pcg_info *info, char (*message)[EW_COLUMN_MESSAGE],
                                  bool *shared)
{
    const double start = ew_seconds();
    ew_pcg_info own = {.preconditioner = def->preconditioner, .reason = ""};
    *shared = false;
    if (def->energy_tolerance > 0.0 || system->equations || system->op->type->on_device) {
        return EW_OK;
    }
    ew_affinity_begin(ew_matrix_product_threads(ew_operator_n_row(system->op)));
    ew_status status = ew_solver_bring_rigid(solver, system, def, &own, shared);
    *shared = *shared && ew_pcg_can_share(system, &solver->preconditioner, def);
    for (int32_t s = 0; s < n; s++) {
        info[s] = own;
    }
    if (!status && *shared) {
        status = share(solver, system, def, n, b, x, info, message);
    }
    for (int32_t s = 0; s < n; s++) {
        info[s].seconds = (ew_seconds() - start) / n;
    }
    ew_affinity_end();
    return status;
}
