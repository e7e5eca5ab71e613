/* A solve, from the checks to the outcome. In: a system, settings, a start vector. Out: the
 * solution. What it keeps for the next one: the preconditioner and all memory. */
#include "pcg.h"

#include <math.h>

/* ---- settings ---------------------------------------------------------- */

ew_pcg_def ew_default_pcg_def(void)
{
    return (ew_pcg_def){.tolerance = 1e-8,
                        .max_iterations = 20000,
                        .preconditioner = EW_BLOCK_JACOBI,
                        .precision = EW_AUTO_PRECISION};
}

ew_status ew_pcg_def_check(const ew_pcg_def *def)
{
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: tolerance is %g, must be > 0 and < 1",
                       def->tolerance);
    }
    if (def->max_iterations < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: max_iterations is %d, must be >= 1",
                       def->max_iterations);
    }
    if ((unsigned)def->preconditioner >= EW_PRECONDITIONER_COUNT) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: preconditioner %d does not exist",
                       (int)def->preconditioner);
    }
    if ((unsigned)def->precision > EW_AUTO_PRECISION) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: precision %d does not exist", (int)def->precision);
    }
    return EW_OK;
}

/* ---- checks ------------------------------------------------------------ */

/* EW_BAD_INPUT when there are loads on free components but so small that their squares vanish, and
 * they would pass for none. */
static ew_status check_loads(const ew_system *system)
{
    const double least = 1e-140; /* its square is still far from the least double */
    const uint8_t *fixed = system->fixed;
    double largest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)system->op->pattern->n_row; i++) {
        largest = fixed[i / 3] >> i % 3 & 1 ? largest : fmax(largest, fabs(system->b[i]));
    }
    return largest == 0.0 || largest >= least
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "solver: the largest load on a free component is %g, below %g: its square "
                         "would count as zero; choose units in which loads are larger",
                         largest, least);
}

/* ---- one solve --------------------------------------------------------- */

/* From scratch only where that was asked for or another system came; a preconditioner that missed a
 * change is an error. */
static ew_status bring_preconditioner(ew_solver *solver, const ew_system *system,
                                      const ew_pcg_def *def, ew_pcg_info *info)
{
    ew_preconditioner *own = &solver->preconditioner;
    const ew_operator *op = system->op;
    if (own->type && own->revision && own->type->kind == def->preconditioner &&
        own->type->ops == op->type->ops && own->precision == def->precision &&
        own->matrix == ew_operator_matrix(op)) {
        return ew_preconditioner_prepare(own, system);
    }
    const double start = ew_seconds();
    EW_TRY(ew_preconditioner_setup(own, def->preconditioner, system, def->precision));
    info->seconds_setup = ew_seconds() - start;
    return EW_OK;
}

static ew_status open_workspace(ew_solver *solver, const ew_pcg_task *task)
{
    const ew_pcg_ops *ops = task->system->op->type->ops;
    if (solver->ops != ops && solver->ops) {
        solver->ops->free(solver->workspace);
        solver->workspace = NULL;
    }
    solver->ops = ops;
    return ops->open(&solver->workspace, task);
}

static ew_status solve(ew_solver *solver, const ew_system *system, const ew_pcg_def *asked,
                       double *x, ew_pcg_info *info)
{
    const ew_pcg_ops *ops = system->op->type->ops;
    ew_pcg_def def = *asked;
    ew_pcg_history history = {solver->history, solver->history_capacity};
    EW_TRY(ew_pcg_def_check(asked));
    def.precision = ew_pcg_precision(ops, asked->precision);
    EW_TRY(system->op->type->prepare(system->op, def.precision));
    EW_TRY(check_loads(system));
    EW_TRY(bring_preconditioner(solver, system, asked, info));
    info->preconditioner = solver->preconditioner.type->kind;
    const ew_pcg_task task = {system, &solver->preconditioner, def.precision, x};
    EW_TRY(open_workspace(solver, &task));
    ew_status status = ew_pcg_iterate(ops, solver->workspace, &def, &history, info);
    solver->history = history.value;
    solver->history_capacity = history.capacity;
    if (status != EW_DEVICE) {
        EW_TRY(ops->close(solver->workspace, !status && info->reference == 0.0));
    }
    return status;
}

ew_status ew_solver_solve(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                          double *x, ew_pcg_info *info)
{
    const double start = ew_seconds();
    *info = (ew_pcg_info){.preconditioner = def->preconditioner};
    info->status = solve(solver, system, def, x, info);
    info->seconds = ew_seconds() - start;
    return info->status;
}

ew_status ew_solver_update(ew_solver *solver, const ew_system *system,
                           const ew_pattern_change *change)
{
    return ew_preconditioner_update(&solver->preconditioner, system, change);
}

void ew_solver_forget(ew_solver *solver)
{
    solver->preconditioner.revision = 0;
}

void ew_solver_free(ew_solver *solver)
{
    ew_preconditioner_free(&solver->preconditioner);
    if (solver->ops) {
        solver->ops->free(solver->workspace);
    }
    ew_release(solver->history);
    *solver = (ew_solver){0};
}
