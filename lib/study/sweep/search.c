/* A search over the parameters of a case: COBYLA (Powell 1994, A direct search optimization method
 * that models the objective and constraint functions by linear interpolation), by NLopt. In: a
 * function that runs a combination. Each evaluation is one, with its records; where it fails the
 * search is told the worst value so far, and that all limits are broken. */
#include "study/run/run.h"

#include "ew_parts.h"

#include <math.h>
#include <string.h>

#if EW_WITH_NLOPT
#include <nlopt.h>
#endif

/* ---- outputs -------------------------------------------------------------------------- */

static double length3(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The safety of a body without stress, which a search can count with. */
static const double unstressed = 1e12;

/* In the order of EW_OUTPUTS and EW_SET_OUTPUTS. */
static double value_of(const ew_study *study, const ew_case_output_of *of)
{
    const ew_step_report *report = &study->report;
    const ew_sums *sums = report->sums;
    if (of->set < 0) {
        const double all[] = {sums->mass,
                              sums->volume,
                              sums->max_displacement,
                              sums->max_von_mises,
                              sums->max_tet_von_mises,
                              sums->max_vertex_von_mises,
                              sums->strain_energy,
                              sums->max_principal,
                              sums->min_principal,
                              fmin(report->peak.safety.yield, unstressed),
                              fmin(report->peak.safety.ultimate, unstressed),
                              study->fatigue.report.damage,
                              study->fatigue.report.safety};
        return all[of->quantity];
    }
    const ew_set_results *set = &report->set[of->set].results;
    const double all[] = {length3(set->mean_displacement), set->max_displacement,
                          set->mean_von_mises, set->max_von_mises, length3(set->reaction_force)};
    return all[of->quantity];
}

/* How far an output is beyond a bound, relative to that; none: negative. */
static double excess(double value, const ew_case_limit *limit)
{
    const double above =
        isfinite(limit->most) ? (value - limit->most) / fmax(fabs(limit->most), 1e-300) : -INFINITY;
    const double below = isfinite(limit->least)
                             ? (limit->least - value) / fmax(fabs(limit->least), 1e-300)
                             : -INFINITY;
    return fmax(above, below);
}

void ew_study_judge_combination(ew_study *study)
{
    const ew_case_search *search = study->search;
    if (!search || study->n_done + 1 < study->input->n_step) {
        return;
    }
    study->objective = value_of(study, &search->goal);
    study->violation = 0.0;
    for (int32_t i = 0; i < search->n_limit; i++) {
        study->excess[i] = excess(value_of(study, &search->limit[i].of), &search->limit[i]);
        study->violation = fmax(study->violation, study->excess[i]);
    }
    study->is_judged = true;
    study->report.is_judged = true;
    study->report.objective = study->objective;
    study->report.violation = study->violation;
}

/* ---- the search ------------------------------------------------------------------------ */

#if EW_WITH_NLOPT

typedef struct search_run {
    ew_study *study;
    const ew_case *input;
    ew_status (*evaluate)(void *user, int32_t k);
    void *user;
    nlopt_opt optimizer;
    int32_t n; /* evaluations so far */
    ew_status status;
    bool has_scale;
    double scale, worst, objective; /* of the last evaluation */
    double excess[EW_MAX_LIMITS];
    double at[EW_MAX_PARAMETERS_OF_CASE]; /* where that was, 0 to 1 */
} search_run;

static void take_outputs(search_run *run)
{
    const ew_study *study = run->study;
    const ew_case_search *search = run->input->sweep->search;
    if (!study->is_judged) {
        run->objective = run->worst;
        for (int32_t i = 0; i < search->n_limit; i++) {
            run->excess[i] = 1.0;
        }
        return;
    }
    if (!run->has_scale) {
        run->scale = study->objective == 0.0 ? 1.0 : fabs(study->objective);
        run->has_scale = true;
    }
    run->objective = (search->maximize ? -1.0 : 1.0) * study->objective / run->scale;
    run->worst = fmax(run->worst, run->objective);
    memcpy(run->excess, study->excess, sizeof run->excess);
}

/* The optimizer asks for the objective and each limit by itself: one evaluation serves all. */
static void evaluate(search_run *run, unsigned n, const double *x)
{
    const ew_case_sweep *sweep = run->input->sweep;
    if (run->status || (run->n && !memcmp(run->at, x, n * sizeof *x))) {
        return;
    }
    if (run->n == sweep->n) {
        nlopt_force_stop(run->optimizer);
        return;
    }
    memcpy(run->at, x, n * sizeof *x);
    for (unsigned i = 0; i < n; i++) {
        const double low = sweep->search->low[i], high = sweep->search->high[i];
        sweep->value[(size_t)run->n * n + i] = x[i] >= 1.0 ? high : low + (high - low) * x[i];
    }
    run->study->is_judged = false;
    run->status = run->evaluate(run->user, run->n++);
    if (run->status) {
        nlopt_force_stop(run->optimizer);
    }
    take_outputs(run);
}

static double objective(unsigned n, const double *x, double *gradient, void *user)
{
    search_run *run = user;
    (void)gradient;
    evaluate(run, n, x);
    return run->objective;
}

static void limits(unsigned m, double *result, unsigned n, const double *x, double *gradient,
                   void *user)
{
    search_run *run = user;
    (void)gradient;
    evaluate(run, n, x);
    memcpy(result, run->excess, m * sizeof *result);
}

static ew_status set_up(search_run *run, double *x)
{
    const ew_case_sweep *sweep = run->input->sweep;
    const ew_case_search *search = sweep->search;
    nlopt_opt of = run->optimizer;
    const double tolerance[EW_MAX_LIMITS] = {0};
    for (int32_t i = 0; i < sweep->n_parameter; i++) {
        const double value = run->input->parameter[sweep->parameter[i]].value;
        x[i] = (value - search->low[i]) / (search->high[i] - search->low[i]);
    }
    bool good = nlopt_set_min_objective(of, objective, run) > 0;
    good = good && nlopt_set_lower_bounds1(of, 0.0) > 0 && nlopt_set_upper_bounds1(of, 1.0) > 0;
    good = good && nlopt_set_initial_step1(of, 0.2) > 0;
    good = good && nlopt_set_xtol_abs1(of, search->tolerance) > 0;
    good = good && nlopt_set_maxeval(of, 4 * sweep->n) > 0; /* `evaluate` counts them itself */
    if (search->n_limit) {
        good = good && nlopt_add_inequality_mconstraint(of, (unsigned)search->n_limit, limits, run,
                                                        tolerance) > 0;
    }
    return good ? EW_OK : ew_fail(EW_NO_MEMORY, "optimise: no memory for the optimizer");
}

ew_status ew_study_search(ew_study *study, const ew_case *input,
                          ew_status (*of_combination)(void *user, int32_t k), void *user)
{
    double x[EW_MAX_PARAMETERS_OF_CASE], least;
    search_run run = {.study = study, .input = input, .evaluate = of_combination, .user = user};
    run.worst = 1.0;
    run.optimizer = nlopt_create(NLOPT_LN_COBYLA, (unsigned)input->sweep->n_parameter);
    if (!run.optimizer) {
        return ew_fail(EW_NO_MEMORY, "optimise: no memory for the optimizer");
    }
    study->search = input->sweep->search;
    ew_status status = set_up(&run, x);
    if (!status) {
        (void)nlopt_optimize(run.optimizer, x, &least);
        status = run.status;
    }
    nlopt_destroy(run.optimizer);
    study->search = NULL;
    input->sweep->n_done = run.n;
    return status;
}

#else

ew_status ew_study_search(ew_study *study, const ew_case *input,
                          ew_status (*of_combination)(void *user, int32_t k), void *user)
{
    (void)study;
    (void)of_combination;
    (void)user;
    return ew_fail_line(ew_refuse_missing("optimise", "optimizer", "libnlopt-dev", "EW_WITH_NLOPT"),
                        input->sweep->line);
}

#endif
