/* Rounds of a static solve with contact: each for other closed points, until none pulls and none
 * overlaps. In: a body whose first round is solved. Out: the displacement. And the same between
 * iterations of Newton's method. */
#include "model/solve/contact_rounds.h"
#include "model/formulation/formulation.h"

#include <math.h>

/* The same between iterations of Newton's method, at most. */
#define COARSEST 1e-3
/* With friction, while the residual is larger, nothing is known of forces: what sticks in the first
 * iteration has those of all that it should slide. */
#define SETTLED 1e-2
/* Without friction, while the residual is larger, gaps and forces are those of a body that is still
 * to turn or to be strained as its supports ask for: points that are let go then may pass through
 * what they touched. */
#define UNSETTLED 0.1
/* How often points that have just begun to slide keep others from being let go. */
#define HASTY 3
/* And how many rounds with friction alone, until its forces are near the law: what presses and
 * pulls meanwhile is of forces that are not there in the end. One that takes no iteration tells
 * friction nothing new. */
#define PATIENT 20
/* The tolerance of solves while points may change: which of them press shows long before the
 * displacements do. Where nothing is known of points, and no friction takes their pressures for
 * limits, most of them change in the first rounds: these begin with a coarser one, each finer by a
 * factor. */
#define ROUGH  1e-3
#define COARSE 0.1
#define FINER  0.3
/* What a change must exceed, of the tolerance of the solve: after the last one more, so that sets
 * do not change by what it leaves. */
#define BETWEEN_ROUNDS 3.0
#define IN_THE_END     10.0
/* With the points known roughly, friction follows to the end: each solve is to this share of what
 * forces have just changed by, of the reference, which is what the next change will be about, and
 * finer by no more than a factor, since what a change tells is no better than the solve before. */
#define OF_CHANGE 0.1
#define STEEPEST  0.01
/* The same of tangential forces, of the largest pressure times the coefficient, over that. */
#define FRICTION 10.0

typedef ew_status (*prepare)(ew_model *model);

/* Another set of closed points. Where these do not hold the body, less of a change. */
static ew_status prepare_other(ew_model *model, prepare function, double tolerance, bool *one)
{
    ew_status status = function(model);
    if (status == EW_UNDER_CONSTRAINED && !*one) {
        *one = true;
        model_restore_contacts(model);
        (void)model_change_contacts(model, model->field[0].value, tolerance, true);
        status = function(model);
    }
    return status == EW_UNDER_CONSTRAINED
               ? ew_fail_prefix(status, "contact: points that pull are let go, and those that "
                                        "press, by friction too, do not hold the body")
               : status;
}

ew_status model_prepare_contacts(ew_model *model)
{
    model_release_contacts(model, false);
    const ew_status status = model_prepare_solve(model);
    return status == EW_UNDER_CONSTRAINED && model_close_contacts(model)
               ? model_prepare_solve(model)
               : status;
}

ew_pcg_def model_first_round(const ew_model *model, const ew_pcg_def *def)
{
    const model_contacts *of = &model->contacts;
    const double rough = of->has_history || model_has_friction(model) ? ROUGH : COARSE;
    ew_pcg_def first = *def;
    bool any_open = false;
    for (int32_t i = 0; i < of->n_point; i++) {
        any_open = any_open || !of->point[i].is_closed;
    }
    first.tolerance = any_open ? fmax(def->tolerance, rough) : def->tolerance;
    return first;
}

/* Of the next solve, n points having changed by one to this tolerance. What points of a body that
 * they hold alone do is known by a first solve to the end, and roughly from then on. */
static double next_tolerance(bool is_first, int32_t n, int32_t turn, double tolerance, double least)
{
    const double rough = fmax(least, ROUGH);
    if (tolerance > rough) {
        return n ? fmax(rough, FINER * tolerance) : rough;
    }
    return !n ? least : is_first ? rough : model_tolerance_after(turn, tolerance);
}

/* The same while friction alone is left. */
static double follow_friction(const ew_model *model, double tolerance, double least)
{
    const double change = model->contacts.friction_change / model->info.reference;
    const double next = fmax(STEEPEST * tolerance, OF_CHANGE * change);
    return fmax(least, fmin(tolerance, next));
}

/* Whether points slip, with forces near those of the law: farther off points may stick or slip yet,
 * and rounds count more than what each takes. */
static bool any_slips_nearly(const model_contacts *of)
{
    bool any = false;
    for (int32_t i = 0; i < of->n_point; i++) {
        any = any || (of->point[i].is_closed && of->friction[i].slips);
    }
    return any && model_friction_is_near(of);
}

/* Points and friction after a round. fine: the tolerance of forces of points that slip on.
 * *n_friction: rounds of friction alone before it. *n: how many change; how many points were looked
 * at. */
static bool change_after_round(ew_model *model, const model_diagonal *diagonal, double tolerance,
                               double fine, bool one, int32_t *n_friction, int32_t *n)
{
    model_contacts *of = &model->contacts;
    const double *u = model->field[0].value;
    *n = model_change_friction(model, u, diagonal, FRICTION * tolerance, FRICTION * fine, false);
    const bool is_known = !of->n_loose && (!*n || model_friction_is_near(of));
    if (!is_known && model->info.iterations > 0 && *n_friction < PATIENT) {
        ++*n_friction;
        model_note_closed(of);
        return false;
    }
    *n_friction = 0;
    const int32_t n_point = model_change_contacts(model, u, tolerance, one);
    if (n_point) {
        model_touch_rigid(model);
        model_reset_relaxation(of); /* other forces depend on each other from here on */
        *n += n_point + model_change_friction(model, u, diagonal, FRICTION * tolerance,
                                              FRICTION * tolerance, true);
    }
    return true;
}

/* A round that the solver does not end is mostly one of friction that does not. */
static ew_status name_round(const ew_model *model, int32_t round, ew_status status)
{
    return round > 1 && model_has_friction(model) &&
                   (status == EW_INDEFINITE || status == EW_NOT_CONVERGED ||
                    status == EW_NOT_FINITE)
               ? ew_fail_prefix(
                     EW_NOT_CONVERGED,
                     "contact: in round %d the points that press and stick do not hold the body, "
                     "or hardly; take loads and motions in more steps, less friction, or a finer "
                     "mesh of faces that meet",
                     round)
               : status;
}

ew_status model_name_rough(const ew_pcg_def *round, const ew_pcg_def *def, ew_status status)
{
    return status == EW_NOT_CONVERGED && round->tolerance > def->tolerance
               ? ew_fail_prefix(status,
                                "contact: a rough round, which is solved to %g before those of the "
                                "tolerance %g",
                                round->tolerance, def->tolerance)
               : status;
}

ew_status model_settle_contacts(ew_model *model, const ew_pcg_def *first, const ew_pcg_def *def,
                                model_round solve)
{
    ew_pcg_def now = *first;
    int32_t iterations = model->info.iterations, turn = 1, n_friction = 0, n;
    bool one = false, is_known = false;
    const double last = fmax(MODEL_CONTACT_TOLERANCE, IN_THE_END * def->tolerance);
    const ew_matrix *blocks = model_system_view(model, &model->stiffness, NULL).op->matrix;
    const model_diagonal diagonal = {blocks ? blocks->n_row : 0, false,
                                     blocks ? blocks->diagonal : NULL}; /* none on a device */
    ew_model_forget_turns(model);
    model_begin_rounds(&model->contacts);
    for (int32_t round = 1; model->contacts.n; round++) {
        const double *force = model->force.value;
        const bool is_coarse = now.tolerance > fmax(def->tolerance, ROUGH);
        const double solved = fmax(now.tolerance, def->tolerance),
                     share = solved > def->tolerance ? BETWEEN_ROUNDS : IN_THE_END,
                     tolerance = fmax(MODEL_CONTACT_TOLERANCE, share * solved);
        EW_TRY(model_add_equation_force(model, &force));
        const bool counts =
            change_after_round(model, &diagonal, tolerance, is_known ? last : tolerance,
                               one || turn > MODEL_ROUNDS_OF_ALL, &n_friction, &n);
        turn += counts && !is_coarse;
        if (!n && now.tolerance <= def->tolerance) {
            break;
        }
        if (round == MODEL_MAX_ROUNDS) {
            return ew_fail(EW_NOT_CONVERGED,
                           "contact: after %d rounds %d points still pull, overlap or slide; give "
                           "faces that meet a finer mesh, %sor loads in more steps",
                           round, n, model_has_friction(model) ? "less friction, " : "");
        }
        if (!n && !is_known && !is_coarse && any_slips_nearly(&model->contacts)) {
            model_reset_relaxation(&model->contacts);
            n = model_change_friction(model, model->field[0].value, &diagonal, FRICTION * tolerance,
                                      FRICTION * last, false);
            model_reset_relaxation(&model->contacts);
            is_known = true;
            turn = 1;
        }
        const bool follows = is_known && now.tolerance > def->tolerance;
        now.tolerance =
            follows ? follow_friction(model, now.tolerance, def->tolerance)
                    : next_tolerance(round == 1, n, turn - 1, now.tolerance, def->tolerance);
        if (!follows && solved > def->tolerance && now.tolerance <= def->tolerance) {
            /* what rough solves left says nothing of finer ones, nor do turns that sets took there
             */
            turn = 1;
            model_reset_relaxation(&model->contacts);
        }
        now.energy_tolerance = turn - 1 > MODEL_ROUNDS_OF_ALL ? 0.0 : now.energy_tolerance;
        ew_status status = n ? prepare_other(model, model_prepare_solve, tolerance, &one) : EW_OK;
        if (status == EW_UNDER_CONSTRAINED && solved > def->tolerance) {
            /* that they pull is known roughly: whether they do the next solve tells */
            model_restore_contacts(model);
            now.tolerance = def->tolerance;
            one = false;
            status = model_prepare_solve(model);
        }
        EW_TRY(status);
        status = model_name_rough(&now, def, solve(model, &now));
        EW_TRY(name_round(model, round + 1, status));
        iterations += model->info.iterations;
    }
    model->info.iterations = iterations;
    model_end_rounds(&model->contacts);
    model->contacts.has_history = model->contacts.is_settled = model->contacts.n > 0;
    model_settle_rigid(model);
    return EW_OK;
}

/* ---- Newton's method ------------------------------------------------------------------------- */

static ew_status prepare_iteration(ew_model *model)
{
    EW_TRY(model_update_supports(model));
    return ew_support_require(&model->support, &model->mesh, &model->topology, &model->constraints);
}

static int32_t change_friction(ew_model *model, double tolerance, bool are_new)
{
    const ew_matrix *blocks = model_system_view(model, &model->stiffness, NULL).op->matrix;
    const model_diagonal diagonal = {blocks->n_row, false, blocks->diagonal};
    return model_change_friction(model, model->field[0].value, &diagonal, tolerance, tolerance,
                                 are_new);
}

/* Where points have just begun to slide their pressures are those of points that stuck: none is let
 * go for these, a few times. */
static void change(ew_model *model, double residual, bool is_last, bool one, model_changes *n)
{
    const double rounding = fmax(MODEL_CONTACT_TOLERANCE, residual);
    const double tolerance = is_last ? MODEL_CONTACT_TOLERANCE : fmin(rounding, COARSEST);
    const double of_friction = FRICTION * fmin(rounding, COARSEST);
    bool slide = change_friction(model, of_friction, false) > 0, close = false;
    if ((!one || is_last) && (!model->contacts.n_loose || n->slip >= HASTY)) {
        close = model_change_contacts(model, model->field[0].value, tolerance, one) > 0;
        model_touch_rigid(model);
        slide = (close && change_friction(model, of_friction, true) > 0) || slide;
    }
    n->point += close;
    n->slip += slide;
}

ew_status model_change_in_iteration(ew_model *model, const double *rest, double residual,
                                    bool is_last, model_changes *n, bool *has_changed)
{
    const model_changes before = *n;
    const double tolerance =
        is_last ? MODEL_CONTACT_TOLERANCE : fmin(fmax(MODEL_CONTACT_TOLERANCE, residual), COARSEST);
    bool one = n->point >= MODEL_ROUNDS_OF_ALL;
    const bool slides = model_has_friction(model);
    *has_changed = false;
    const bool waits = slides ? residual > SETTLED : one || residual > UNSETTLED;
    if (!model->contacts.n || (waits && !is_last)) {
        return EW_OK;
    }
    EW_TRY(model_find_equation_force(model, rest));
    EW_TRY(model_take_multipliers(model, model->field[0].value));
    change(model, residual, is_last, one, n);
    *has_changed = n->point > before.point || n->slip > before.slip;
    if (n->point > MODEL_MAX_ROUNDS || n->slip > MODEL_ROUNDS_OF_FRICTION) {
        return ew_fail(EW_NOT_CONVERGED,
                       "nonlinear: points of contacts that close, open or slide find no end");
    }
    return *has_changed ? prepare_other(model, prepare_iteration, tolerance, &one) : EW_OK;
}
