/* What a solver is told before its next solve; and whether the start vector is a solution already.
 * In: a system on the host. Out: its true residual, and that no preconditioner need be made. */
#include "solver/krylov/pcg.h"

#include <math.h>
#include <string.h>

void ew_solver_know_changes(ew_solver *solver, const ew_list *row)
{
    solver->changed = row;
}

void ew_solver_use_answer(ew_solver *solver, int32_t number)
{
    solver->answer = number;
}

void ew_solver_expect_start(ew_solver *solver)
{
    solver->tries_start = true;
}

/* |S (b - K x)| with the filter alone. */
static double residual_of(const ew_system *system, const double *x, double *product)
{
    const int32_t n_row = ew_operator_n_row(system->op);
    double sum = 0.0;
    ew_operator_product(system->op, x, product);
    for (int32_t row = 0; row < n_row; row++) {
        for (int c = 0; c < 3; c++) {
            const size_t i = 3 * (size_t)row + (size_t)c;
            const double r = system->fixed[row] >> c & 1 ? 0.0 : system->b[i] - product[i];
            sum += r * r;
        }
    }
    return sqrt(sum);
}

ew_status ew_solver_try_start(const ew_solver *solver, const ew_system *system,
                              const ew_pcg_def *def, const double *x, ew_pcg_info *info,
                              bool *is_enough)
{
    const size_t n = 3 * (size_t)ew_operator_n_row(system->op);
    double *product, *prescribed;
    *is_enough = false;
    if (!solver->tries_start || system->op->type->on_device || system->equations ||
        (system->oblique && system->oblique->n)) {
        return EW_OK;
    }
    EW_TRY(ew_new(&product, 2 * n, sizeof *product));
    prescribed = product + n;
    const double residual = residual_of(system, x, product);
    for (size_t i = 0; i < n; i++) {
        prescribed[i] = system->fixed[i / 3] >> (i % 3) & 1 ? x[i] : 0.0;
    }
    const double reference = residual_of(system, prescribed, product);
    ew_release(product);
    if (reference > 0.0 && residual <= def->tolerance * reference) {
        info->reference = reference;
        info->residual = info->first_residual = residual / reference;
        *is_enough = true;
    }
    return EW_OK;
}
