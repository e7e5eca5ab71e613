/* A solve, from the checks to the outcome. In: a system, settings, a start vector. Out: the
 * solution. What it keeps for the next one: the preconditioner and all memory. */
#include "base/thread_affinity.h"
#include "solver/krylov/dealt.h"
#include "solver/local/local_answer.h"

#include <math.h>
#include <string.h>

/* ---- checks ------------------------------------------------------------ */

ew_status ew_solver_check_loads(const ew_system *system)
{
    const double min = 1e-140; /* its square is still far from the least double */
    const int32_t n_row = ew_operator_n_row(system->op);
    double largest = 0.0;
    for (int32_t row = 0; row < n_row; row++) {
        const double *b = system->b + 3 * (size_t)row;
        for (int c = 0; c < 3; c++) {
            const double size = system->fixed[row] >> c & 1 ? 0.0 : fabs(b[c]);
            largest = size > largest ? size : largest; /* a NaN is refused by the solve */
        }
    }
    return largest == 0.0 || largest >= min
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "solver: the largest load on a free component is %g, below %g: its square "
                         "would count as zero; choose units in which loads are larger",
                         largest, min);
}

/* ---- the choice -------------------------------------------------------- */

/* The system as preconditioners know it. */
static ew_system approximated(const ew_system *system)
{
    ew_system seen = *system;
    if (system->stiffened) {
        seen.op = system->stiffened;
        seen.stiffened = system->op;
    }
    return seen;
}

/* Whether what there is was made for this system, up to changes. */
static bool is_own(const ew_preconditioner *own, const ew_system *system, ew_precision precision)
{
    const ew_operator *op = approximated(system).op;
    return own->type && own->revision && own->type->on_device == op->type->on_device &&
           own->precision == precision && own->matrix == ew_operator_matrix(op);
}

/* The matrix changed, or what is constrained: it may be definite now. Room does not come with that.
 */
static void try_rigid_again(ew_solver *solver)
{
    solver->fallback = solver->fallback == EW_NO_MEMORY ? EW_NO_MEMORY : EW_OK;
}

static void see_constraints(ew_solver *solver, const ew_system *system)
{
    const ew_preconditioner *own = &solver->preconditioner;
    if (own->revision && own->n_row == system->op->pattern->n_row &&
        memcmp(own->fixed, system->fixed, (size_t)own->n_row)) {
        try_rigid_again(solver);
    }
}

static const char easy_reason[] = "auto, for many easy solves";

/* Whether block Jacobi does, for many solves. What is there is kept. */
static bool is_easy(const ew_solver *solver, const ew_system *system, const ew_pcg_def *def)
{
    const ew_preconditioner *own = &solver->preconditioner;
    if (def->expected_solves < EW_MANY_SOLVES || solver->is_hard) {
        return false;
    }
    return is_own(own, system, def->precision)
               ? own->type->kind == EW_BLOCK_JACOBI
               : ew_expected_iterations(system, def->tolerance) <= EW_EASY_ITERATIONS;
}

/* For EW_AUTO_PRECONDITIONER. def: as it was asked for; min: rows that rigid pays from. */
static ew_preconditioner_kind choose_from(int32_t min, const ew_solver *solver,
                                          const ew_system *system, const ew_pcg_def *def,
                                          ew_pcg_info *info)
{
    const ew_precision precision = def->precision;
    const ew_preconditioner *own = &solver->preconditioner;
    if (is_own(own, system, precision)) {
        min = own->type->kind == EW_RIGID ? min / 2 : min + min / 2;
    }
    const char *against = solver->fallback                      ? "auto, rigid failed"
                          : !system->xyz                        ? "auto, without positions"
                          : !ew_operator_has_pairs(system->op)  ? "auto, without stored blocks"
                          : ew_operator_n_row(system->op) < min ? "auto, for few rows"
                          : is_easy(solver, system, def)        ? easy_reason
                                                                : NULL;
    info->reason = against                                  ? against
                   : def->expected_solves >= EW_MANY_SOLVES ? "auto, for many hard solves"
                                                            : "auto";
    return against ? EW_BLOCK_JACOBI : EW_RIGID;
}

static ew_preconditioner_kind choose(const ew_solver *solver, const ew_system *system,
                                     const ew_pcg_def *def, ew_pcg_info *info)
{
    return choose_from(EW_RIGID_ROWS, solver, system, def, info);
}

/* From scratch only where that was asked for or another system came; a preconditioner that missed a
 * change is an error. */
static ew_status bring_preconditioner(ew_solver *solver, const ew_system *system,
                                      ew_preconditioner_kind kind, ew_precision precision,
                                      ew_pcg_info *info)
{
    ew_preconditioner *own = &solver->preconditioner;
    const ew_system seen = approximated(system);
    info->preconditioner = kind;
    const bool is_there = is_own(own, system, precision) && own->type->kind == kind;
    const double start = ew_seconds();
    bool worked = true;
    EW_TRY(ew_dealt_need_blocks(solver, system, kind));
    EW_TRY(is_there ? ew_preconditioner_prepare(own, &seen, &worked)
                    : ew_preconditioner_setup(own, kind, &seen, precision));
    info->seconds_setup += worked ? ew_seconds() - start : 0.0;
    return EW_OK;
}

ew_status ew_solver_bring(ew_solver *solver, const ew_system *system, const ew_pcg_def *asked,
                          ew_pcg_info *info)
{
    ew_pcg_def def = *asked;
    EW_TRY(ew_pcg_def_check(&def));
    EW_TRY(system->op->type->prepare(system->op, EW_DOUBLE));
    EW_TRY(ew_solver_check_loads(system));
    if (system->op->device_matrix) {
        def.precision = EW_DOUBLE; /* as its vectors there */
    }
    solver->preconditioner.direct = def.direct;
    see_constraints(solver, system);
    const ew_preconditioner_kind kind = def.preconditioner == EW_AUTO_PRECONDITIONER
                                            ? choose_from(0, solver, system, &def, info)
                                            : def.preconditioner;
    return bring_preconditioner(solver, system, kind, def.precision, info);
}

/* ---- one solve --------------------------------------------------------- */

/* What changes or keeps an answer by rows knows of no equations. */
static bool may_be_local(const ew_system *system, const ew_pcg_def *def)
{
    return def->energy_tolerance > 0.0 && !system->equations;
}

static const ew_pcg_ops *operations_of(const ew_operator *op)
{
    return op->type->on_device ? &ew_pcg_on_device : &ew_pcg_on_host;
}

ew_status ew_solver_open(ew_solver *solver, const ew_pcg_task *task)
{
    const ew_pcg_ops *ops = operations_of(task->system->op);
    if (solver->ops != ops && solver->ops) {
        solver->ops->free(solver->workspace);
        solver->workspace = NULL;
    }
    solver->ops = ops;
    return ops->open(&solver->workspace, task);
}

static void learn(ew_solver *solver, const ew_pcg_info *info)
{
    const ew_preconditioner_type *type = solver->preconditioner.type;
    if (type->learn && type->learn(&solver->preconditioner, info)) {
        ew_solver_reset(solver); /* the answer is good all the same */
    }
}

/* Everything for local answers to come. */
static ew_status keep_answer(ew_solver *solver, const ew_system *system, const double *x,
                             const ew_pcg_history *history, ew_pcg_info *info)
{
    const double theta =
        history->n_step > 0 ? ew_min_ritz_value(history->n_step, history->step) : 0.0;
    return ew_preconditioner_keep_answer(&solver->preconditioner, system, x,
                                         ew_local_answer_factor(theta, system->op->edges != NULL),
                                         info);
}

/* by_energy: it may end where the energy error is small enough. */
static ew_status iterate_once(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                              bool by_energy, double *x, ew_pcg_info *info)
{
    const ew_pcg_ops *ops = operations_of(system->op);
    ew_pcg_history history = {.value = solver->history, .capacity = solver->history_capacity};
    if (may_be_local(system, def) && ops == &ew_pcg_on_host) {
        EW_TRY(solver->step ? EW_OK : ew_new(&solver->step, EW_RITZ_STEPS, 2 * sizeof(double)));
        history.step = solver->step;
        history.enough_rz = by_energy ? ew_preconditioner_energy_enough(&solver->preconditioner,
                                                                        def->energy_tolerance)
                                      : 0.0;
    }
    EW_TRY(system->equations
               ? EW_OK
               : ew_preconditioner_correct_locally(&solver->preconditioner, system, x));
    EW_TRY(ew_dealt_rows(solver, system, def));
    EW_TRY(ew_preconditioner_deal(&solver->preconditioner, system));
    const ew_pcg_task task = {system, &solver->preconditioner, def->precision, x,
                              def->peers ? solver->dealt : NULL};
    EW_TRY(ew_solver_open(solver, &task));
    ew_pcg_def by = *def;
    if (system->equations && def->preconditioner == EW_CHOLESKY) {
        by.preconditioner = EW_BLOCK_JACOBI; /* where they act the inverse is none */
    }
    ew_status status = ew_pcg_iterate(ops, solver->workspace, &by, &history, info);
    solver->preconditioner.dealt = NULL; /* others apply it to whole vectors */
    solver->history = history.value;
    solver->history_capacity = history.capacity;
    if (status != EW_DEVICE) {
        EW_TRY(ops->close(solver->workspace, !status && info->reference == 0.0));
    }
    if (!status) {
        learn(solver, info);
    }
    return status || !history.step ? status : keep_answer(solver, system, x, &history, info);
}

static ew_status iterate(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                         double *x, ew_pcg_info *info)
{
    const double residual_tolerance = def->tolerance;
    EW_TRY(iterate_once(solver, system, def, true, x, info));
    const bool is_short = info->residual > residual_tolerance && !info->limited_by_rounding &&
                          info->energy_error > def->energy_tolerance;
    return is_short ? iterate_once(solver, system, def, false, x, info) : EW_OK;
}

static bool is_short_of(ew_status status)
{
    return status == EW_NOT_CONVERGED || status == EW_INDEFINITE;
}

/* A factor that was updated, and with which few corrections do not do, is made again. */
static ew_status iterate_with_factor(ew_solver *solver, const ew_system *system,
                                     const ew_pcg_def *def, double *x, ew_pcg_info *info)
{
    ew_preconditioner *own = &solver->preconditioner;
    ew_pcg_def few = *def;
    if (own->factor.n_update && few.max_iterations > 2 * EW_FACTOR_STEPS) {
        few.max_iterations = 2 * EW_FACTOR_STEPS;
    }
    ew_status status = iterate(solver, system, &few, x, info);
    if (is_short_of(status) && few.max_iterations < def->max_iterations) {
        const double start = ew_seconds();
        const ew_system seen = approximated(system);
        EW_TRY(ew_preconditioner_refill(own, &seen));
        info->seconds_setup += ew_seconds() - start;
        status = iterate(solver, system, def, x, info);
        own->is_to_refill = true; /* as after a solve that was accepted (ew_solver_accept) */
    }
    info->factor = own->factor;
    own->factor.work = EW_FACTOR_KEPT;
    own->factor.n_column = 0;
    return status;
}

/* Whether block Jacobi may do better where the rigid one failed. Not where that did not converge:
 * it takes a third of the time for an iteration and several times as many, and what rounding does
 * to the answer is the same. */
static bool is_worth_a_fallback(ew_status status, const ew_pcg_def *def)
{
    return status == EW_INDEFINITE || status == EW_NOT_FINITE ||
           (status == EW_NO_MEMORY && !ew_peers_end(status, def->peers));
}

/* As chosen; block Jacobi that was expected to do and does not gives way to the rigid one. *kind:
 * the one that was used last. */
static ew_status iterate_by_choice(ew_solver *solver, const ew_system *system,
                                   const ew_pcg_def *asked, const ew_pcg_def *def, double *x,
                                   ew_pcg_info *info, ew_preconditioner_kind *kind)
{
    const int32_t most = 4 * EW_EASY_ITERATIONS;
    const bool is_trial = info->reason == easy_reason && def->max_iterations > most;
    ew_pcg_def few = *def;
    few.max_iterations = is_trial ? most : def->max_iterations;
    ew_status status = iterate(solver, system, &few, x, info);
    if (is_trial && status == EW_NOT_CONVERGED) {
        solver->is_hard = true;
        *kind = choose(solver, system, asked, info);
        EW_TRY(bring_preconditioner(solver, system, *kind, asked->precision, info));
        status = iterate(solver, system, def, x, info);
    }
    return status;
}

/* Around what changed, with no more of the preconditioner brought up to date than that takes. */
static ew_status answer_locally(ew_solver *solver, const ew_system *system, const ew_pcg_def *asked,
                                ew_preconditioner_kind kind, double *x, ew_pcg_info *info,
                                bool *found)
{
    ew_preconditioner *own = &solver->preconditioner;
    const ew_system seen = approximated(system);
    const double start = ew_seconds();
    bool worked, is_current;
    *found = false;
    if (!may_be_local(system, asked) || !is_own(own, system, asked->precision) ||
        own->type->kind != kind) {
        return EW_OK;
    }
    const ew_status status = ew_preconditioner_prepare_stored(own, &seen, &worked, &is_current);
    if (status || !is_current) { /* what comes next says what is wrong */
        return ew_peers_end(status, asked->peers) ? status : EW_OK;
    }
    info->preconditioner = kind;
    info->seconds_setup += worked ? ew_seconds() - start : 0.0;
    EW_TRY(ew_preconditioner_use_answer(own, solver->answer));
    return ew_preconditioner_answer_locally(own, system, asked->energy_tolerance, solver->changed,
                                            x, info, found);
}

static ew_status solve(ew_solver *solver, const ew_system *system, const ew_pcg_def *asked,
                       double *x, ew_pcg_info *info)
{
    ew_pcg_def def = *asked;
    EW_TRY(ew_pcg_def_check(asked));
    def.precision = ew_pcg_precision(asked->precision);
    solver->preconditioner.direct = asked->direct;
    const bool automatic = asked->preconditioner == EW_AUTO_PRECONDITIONER;
    see_constraints(solver, system);
    ew_preconditioner_kind kind =
        automatic ? choose(solver, system, asked, info) : asked->preconditioner;
    bool found;
    EW_TRY(answer_locally(solver, system, asked, kind, x, info, &found));
    if (found) {
        return EW_OK;
    }
    EW_TRY(system->op->type->prepare(system->op, def.precision));
    if (system->equations && system->op->type->on_device) {
        return ew_refuse(EW_RULE_HOST, "solver: a system with equations");
    }
    if (kind == EW_CHOLESKY && system->op->edges) {
        return ew_refuse(EW_RULE_BLOCKS, "solver: cholesky of a %s, unlike 'solver: cg',",
                         system->op->type->name);
    }
    EW_TRY(ew_dealt_rows(solver, system, asked));
    ew_status status = bring_preconditioner(solver, system, kind, asked->precision, info);
    solver->preconditioner.dealt = NULL;
    EW_TRY(status ? EW_OK : ew_preconditioner_use_answer(&solver->preconditioner, solver->answer));
    EW_TRY(status ? EW_OK : ew_solver_check_loads(system));
    if (!status && kind == EW_CHOLESKY) {
        status = iterate_with_factor(solver, system, &def, x, info);
    } else if (!status && automatic) {
        status = iterate_by_choice(solver, system, asked, &def, x, info, &kind);
    } else if (!status) {
        status = iterate(solver, system, &def, x, info);
    }
    if (automatic && kind == EW_RIGID && is_worth_a_fallback(status, asked)) {
        solver->fallback = status;
        EW_TRY(bring_preconditioner(solver, system, choose(solver, system, asked, info),
                                    asked->precision, info));
        status = iterate(solver, system, &def, x, info);
    }
    info->fallback = solver->fallback;
    return status;
}

static int threads_of(const ew_operator *op)
{
    return op->type->on_device ? 1 : ew_matrix_product_threads(ew_operator_n_row(op));
}

const ew_list *ew_solver_local_rows(const ew_solver *solver)
{
    return ew_preconditioner_local_rows(&solver->preconditioner);
}

ew_status ew_solver_solve(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                          double *x, ew_pcg_info *info)
{
    const double start = ew_seconds();
    *info = (ew_pcg_info){.preconditioner = def->preconditioner, .reason = ""};
    ew_affinity_begin(threads_of(system->op));
    info->status = solve(solver, system, def, x, info);
    solver->preconditioner.dealt = NULL;
    (void)ew_preconditioner_use_answer(&solver->preconditioner, 0); /* has room by now */
    solver->changed = NULL;
    ew_affinity_end();
    info->seconds = ew_seconds() - start;
    return info->status;
}

ew_status ew_solver_bring_rigid(ew_solver *solver, const ew_system *system, const ew_pcg_def *asked,
                                ew_pcg_info *info, bool *is_rigid)
{
    const bool automatic = asked->preconditioner == EW_AUTO_PRECONDITIONER;
    *is_rigid = false;
    EW_TRY(ew_pcg_def_check(asked));
    EW_TRY(system->op->type->prepare(system->op, ew_pcg_precision(asked->precision)));
    see_constraints(solver, system);
    const ew_preconditioner_kind kind =
        automatic ? choose(solver, system, asked, info) : asked->preconditioner;
    if (kind != EW_RIGID) {
        return EW_OK;
    }
    const ew_status status = bring_preconditioner(solver, system, kind, asked->precision, info);
    *is_rigid = !status;
    return automatic && is_worth_a_fallback(status, asked) ? EW_OK : status;
}

/* ---- a solve that was made before ---------------------------------------- */

static ew_status accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                        const double *x, const ew_pcg_info *known, ew_pcg_info *info)
{
    const ew_precision precision = def->precision;
    EW_TRY(ew_pcg_def_check(def));
    EW_TRY(system->op->type->prepare(system->op, ew_pcg_precision(precision)));
    solver->fallback = known->fallback;
    solver->is_hard = known->preconditioner == EW_RIGID;
    solver->preconditioner.direct = def->direct;
    const ew_preconditioner_kind kind = def->preconditioner == EW_AUTO_PRECONDITIONER
                                            ? choose(solver, system, def, info)
                                            : def->preconditioner;
    if (kind != known->preconditioner) {
        return ew_fail(EW_BAD_INPUT, "solver: the solve before used '%s', this system takes '%s'",
                       ew_preconditioner_name(known->preconditioner), ew_preconditioner_name(kind));
    }
    EW_TRY(bring_preconditioner(solver, system, kind, precision, info));
    learn(solver, known);
    if (may_be_local(system, def) && known->energy_factor > 0.0) {
        EW_TRY(ew_preconditioner_keep_answer(&solver->preconditioner, system, x,
                                             known->energy_factor, info));
    }
    info->factor = solver->preconditioner.factor;
    solver->preconditioner.factor.work = EW_FACTOR_KEPT;
    solver->preconditioner.factor.n_column = 0;
    return EW_OK;
}

ew_status ew_solver_accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                           const double *x, const ew_pcg_info *known, ew_pcg_info *info)
{
    const double start = ew_seconds();
    *info = *known;
    info->reason = "";
    info->seconds_setup = 0.0;
    info->status = accept(solver, system, def, x, known, info);
    info->seconds = ew_seconds() - start;
    return info->status;
}

ew_status ew_solver_update(ew_solver *solver, const ew_system *system,
                           const ew_pattern_change *change)
{
    const ew_system seen = approximated(system);
    const ew_status status = ew_preconditioner_update(&solver->preconditioner, &seen, change);
    try_rigid_again(solver);
    return status == EW_STALE || status == EW_DEVICE ? status : EW_OK;
}

void ew_solver_reset(ew_solver *solver)
{
    solver->preconditioner.revision = 0;
    solver->fallback = EW_OK;
    solver->is_hard = false;
}

void ew_solver_invalidate(ew_solver *solver)
{
    solver->preconditioner.is_to_refill = true;
    solver->fallback = EW_OK;
    solver->is_hard = false;
}

bool ew_solver_reset_history(ew_solver *solver)
{
    ew_preconditioner *own = &solver->preconditioner;
    const bool is_plain = !solver->fallback && !solver->is_hard && !own->is_to_refill;
    return is_plain &&
           (!own->type || !own->revision || !own->type->learn || !own->type->learn(own, NULL));
}

void ew_solver_free(ew_solver *solver)
{
    ew_preconditioner_free(&solver->preconditioner);
    if (solver->ops) {
        solver->ops->free(solver->workspace);
    }
    ew_saddle_free(solver->saddle);
    ew_dealt_free(solver->dealt);
    ew_pcg_free_columns(solver->columns);
    for (int32_t s = 0; s < solver->n_column_history; s++) {
        ew_release(solver->column_history[s].value);
    }
    ew_release(solver->column_history);
    ew_release(solver->history);
    ew_release(solver->step);
    *solver = (ew_solver){0};
}
