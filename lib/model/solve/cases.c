/* Load cases of one matrix, solved side by side. In: the loads and prescribed values of each, one
 * after the other, as those of the model. Out: the answer of each, once its loads are in place
 * again, and the state that a solve with them would have left. */
#include "model/formulation/formulation.h"

#include <string.h>

void ew_model_clear_cases(ew_model *model)
{
    model_clear_cases(&model->cases);
}

/* ---- what all cases share ----------------------------------------------------------- */

static model_shared describe(ew_model *model, const ew_system *system)
{
    model_shared now = {.n_row = model_n_row(model),
                        .n_oblique = system->oblique ? system->oblique->n : 0,
                        .revision = model->mesh.revision,
                        .order_revision = model->order_revision,
                        .spring_revision = model->spring_revision,
                        .operator_kind = model->operator_kind};
    uint64_t revision;
    system->op->type->state(system->op, &revision, &now.constants);
    return now;
}

static ew_status take_shared(ew_model *model, const ew_system *system)
{
    model_cases *of = &model->cases;
    const ew_oblique *oblique = system->oblique;
    of->shared = describe(model, system);
    const int32_t n = of->shared.n_oblique;
    EW_TRY(ew_grow_copy(&of->fixed, &of->fixed_capacity, system->fixed, of->shared.n_row,
                        sizeof *of->fixed));
    EW_TRY(ew_grow(&of->place, &of->place_capacity, of->shared.n_row, sizeof *of->place));
    for (int32_t k = 0; k < n; k++) {
        of->place[oblique->row[k]] = k;
    }
    return ew_grow_copy(&of->normal, &of->normal_capacity, n ? oblique->normal : NULL, n,
                        6 * sizeof *of->normal);
}

static bool same(const void *a, const void *b, int32_t n, size_t size)
{
    return n == 0 || memcmp(a, b, (size_t)n * size) == 0;
}

/* Their rows are the same, but in any order. */
static bool same_directions(const model_cases *of, const ew_oblique *oblique)
{
    bool all = true;
    for (int32_t k = 0; k < of->shared.n_oblique && all; k++) {
        const size_t before = 6 * (size_t)of->place[oblique->row[k]];
        all = same(of->normal + before, oblique->normal + 6 * (size_t)k, 6, sizeof(double));
    }
    return all;
}

static bool is_shared(ew_model *model, const ew_system *system)
{
    const model_cases *of = &model->cases;
    const model_shared now = describe(model, system);
    return same(&now, &of->shared, 1, sizeof now) &&
           same(of->fixed, system->fixed, now.n_row, sizeof *of->fixed) &&
           same_directions(of, system->oblique);
}

/* Everything current, and the system of the loads as they are. */
static ew_status bring(ew_model *model, const ew_pcg_def *def, ew_system *system,
                       ew_solver **solver)
{
    EW_TRY(ew_model_prepare(model));
    return model_choose_system(model, def, system, solver);
}

/* ---- cases ---------------------------------------------------------------------------- */

static ew_status put_case(ew_model *model, const ew_system *system, bool from_zero, model_case *one)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    EW_TRY(ew_new(&one->b, n, sizeof *one->b));
    EW_TRY(ew_new_zero(&one->start, n, sizeof *one->start));
    EW_TRY(ew_new_zero(&one->x, n, sizeof *one->x));
    memcpy(one->b, system->b, n * sizeof *one->b);
    model_put_prescribed_values(model, one->start);
    if (!from_zero) {
        memcpy(one->x, model->field[0].value, n * sizeof *one->x);
    }
    model_put_prescribed_values(model, one->x);
    return EW_OK;
}

ew_status ew_model_add_case(ew_model *model, bool from_zero)
{
    model_cases *of = &model->cases;
    const ew_pcg_def def = ew_default_pcg_def();
    ew_system system;
    ew_solver *solver;
    if (of->are_solved) {
        ew_model_clear_cases(model);
    }
    EW_TRY(bring(model, &def, &system, &solver));
    if (of->n && !is_shared(model, &system)) {
        ew_model_clear_cases(model);
        return ew_fail(EW_STALE, "model: a load case has another matrix or other constrained "
                                 "components than the first; solve them apart");
    }
    EW_TRY(of->n ? EW_OK : take_shared(model, &system));
    EW_TRY(ew_grow(&of->one, &of->capacity, (int64_t)of->n + 1, sizeof *of->one));
    of->one[of->n] = (model_case){0};
    const ew_status status = put_case(model, &system, from_zero, &of->one[of->n++]);
    if (status) {
        ew_model_clear_cases(model);
    }
    return status;
}

/* What ew_solver_solve_several takes and gives. */
typedef struct columns {
    const double **b;
    double **x;
    ew_pcg_info *info;
    char (*message)[EW_COLUMN_MESSAGE];
} columns;

static ew_status solve_columns(ew_model *model, const ew_pcg_def *def, columns *by)
{
    model_cases *of = &model->cases;
    const size_t n = (size_t)of->n;
    ew_system system;
    ew_solver *solver;
    EW_TRY(bring(model, def, &system, &solver));
    EW_TRY(ew_new(&by->b, n, sizeof *by->b));
    EW_TRY(ew_new(&by->x, n, sizeof *by->x));
    EW_TRY(ew_new(&by->info, n, sizeof *by->info));
    EW_TRY(ew_new_zero(&by->message, n, sizeof *by->message));
    for (size_t i = 0; i < n; i++) {
        by->b[i] = of->one[i].b;
        by->x[i] = of->one[i].x;
    }
    EW_TRY(ew_solver_solve_several(solver, &system, def, of->n, by->b, by->x, by->info, by->message,
                                   &of->have_answers));
    for (size_t i = 0; i < n && of->have_answers; i++) {
        of->one[i].info = by->info[i];
        memcpy(of->one[i].message, by->message[i], EW_COLUMN_MESSAGE);
    }
    return EW_OK;
}

ew_status ew_model_solve_cases(ew_model *model, const ew_pcg_def *def)
{
    columns by = {NULL};
    const double start = ew_seconds();
    model->cases.are_solved = true;
    model->cases.have_answers = false;
    if (!model->cases.n || model->mixed.is_on || model->contacts.n ||
        def->preconditioner == EW_CHOLESKY) {
        return EW_OK;
    }
    const ew_status status = solve_columns(model, def, &by);
    ew_release(by.b);
    ew_release(by.x);
    ew_release(by.info);
    ew_release(by.message);
    model->report.seconds_solve += ew_seconds() - start;
    return status;
}

/* Whether the loads and prescribed values are those of the case. */
static ew_status check_loads(ew_model *model, const model_case *one, const ew_system *system)
{
    const int32_t n = 3 * model_n_row(model);
    double *start;
    EW_TRY(ew_new_zero(&start, (size_t)n, sizeof *start));
    model_put_prescribed_values(model, start);
    const bool is_one =
        same(start, one->start, n, sizeof *start) && same(system->b, one->b, n, sizeof *start);
    ew_release(start);
    return is_one ? EW_OK
                  : ew_fail(EW_BAD_ARGUMENT, "model: the loads or prescribed values are not those "
                                             "of the load case that is taken; set these again");
}

/* The message of what failed is that of the solve. */
static ew_status accept_case(ew_model *model, const ew_pcg_def *def, const model_case *one,
                             const ew_pcg_info **info)
{
    const size_t n = (size_t)model->mesh.n_vertex;
    const int32_t n_edge = model_n_row(model) - model->mesh.n_vertex;
    if (one->info.status) {
        model->info = one->info;
        if (info) {
            *info = &model->info;
        }
        return ew_fail(one->info.status, "%s", one->message);
    }
    EW_TRY(ew_model_put_edge_displacement(model, n_edge, one->x + 3 * n));
    EW_TRY(ew_model_accept(model, def, one->x, &one->info, info));
    model->info.reason = one->info.reason;
    model->info.seconds = one->info.seconds;
    return EW_OK;
}

/* Failures that another preconditioner may not have are left to the solve. */
static bool is_found(const model_cases *of, int32_t number)
{
    const ew_status status = of->one[number].info.status;
    return of->have_answers && (!status || status == EW_NOT_CONVERGED);
}

ew_status ew_model_take_case(ew_model *model, int32_t number, const ew_pcg_def *def,
                             const ew_pcg_info **info)
{
    model_cases *of = &model->cases;
    ew_system system;
    ew_solver *solver;
    if (number < 0 || number >= of->n) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no load case %d, there are %d", number,
                       of->n);
    }
    EW_TRY(bring(model, def, &system, &solver));
    if (!is_shared(model, &system)) {
        ew_model_clear_cases(model);
        return ew_fail(EW_STALE, "model: the matrix or the constrained components are others than "
                                 "those of its load cases; add them again");
    }
    EW_TRY(check_loads(model, &of->one[number], &system));
    return is_found(of, number) ? accept_case(model, def, &of->one[number], info)
                                : ew_model_solve(model, def, info);
}
