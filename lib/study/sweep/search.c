/* A search over the parameters of a case, by NLopt: COBYLA (Powell 1994, A direct search
 * optimization method that models the objective and constraint functions by linear interpolation),
 * or with derivatives MMA (Svanberg 2002, A class of globally convergent optimization methods based
 * on conservative convex separable approximations). In: a function that runs a combination. Each
 * evaluation is one, with its records; where it fails the search is told the worst value so far,
 * and that all limits are broken. */
#include "study/run/run.h"

#include "ew_parts.h"

#include <math.h>
#include <string.h>

#if EW_WITH_NLOPT
#include <nlopt.h>
#endif

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
    double *gradient;  /* [1 + limits][parameters] owned: of outputs by parameters, */
    bool has_gradient; /* at the last evaluation */
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
    run->has_gradient = false;
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

/* Derivatives of the last evaluation; of one that failed they are zero. */
static void differentiate(search_run *run)
{
    const ew_case_search *search = run->input->sweep->search;
    const ew_case_output_of *output[1 + EW_MAX_LIMITS] = {&search->goal};
    if (run->has_gradient || run->status) {
        return;
    }
    for (int32_t i = 0; i < search->n_limit; i++) {
        output[1 + i] = &search->limit[i].of;
    }
    run->has_gradient = true;
    if (run->study->is_judged) {
        run->status = ew_study_differentiate(run->study, run->input, run->n - 1,
                                             1 + search->n_limit, output, run->gradient);
    } else {
        memset(run->gradient, 0,
               (size_t)(1 + search->n_limit) * (size_t)run->input->sweep->n_parameter *
                   sizeof *run->gradient);
    }
    if (run->status) {
        nlopt_force_stop(run->optimizer);
    }
}

/* to = factor times the derivatives of output i by parameters as shares of their ranges. */
static void take_gradient(const search_run *run, int32_t i, unsigned n, double factor, double *to)
{
    const ew_case_search *search = run->input->sweep->search;
    for (unsigned j = 0; j < n; j++) {
        to[j] = run->status ? 0.0
                            : factor * (search->high[j] - search->low[j]) *
                                  run->gradient[(size_t)i * n + j];
    }
}

static double objective(unsigned n, const double *x, double *gradient, void *user)
{
    search_run *run = user;
    evaluate(run, n, x);
    if (gradient) {
        differentiate(run);
        take_gradient(run, 0, n,
                      (run->input->sweep->search->maximize ? -1.0 : 1.0) /
                          (run->has_scale ? run->scale : 1.0),
                      gradient);
    }
    return run->objective;
}

static void limits(unsigned m, double *result, unsigned n, const double *x, double *gradient,
                   void *user)
{
    search_run *run = user;
    evaluate(run, n, x);
    memcpy(result, run->excess, m * sizeof *result);
    if (gradient) {
        differentiate(run);
    }
    for (unsigned i = 0; i < m && gradient; i++) {
        const ew_case_limit *limit = &run->input->sweep->search->limit[i];
        take_gradient(run, (int32_t)i + 1, n, ew_study_excess_slope(run->study->limited[i], limit),
                      gradient + (size_t)i * n);
    }
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
    const ew_case_search *search = input->sweep->search;
    EW_TRY(ew_new_zero(&run.gradient,
                       (size_t)(1 + search->n_limit) * (size_t)input->sweep->n_parameter,
                       sizeof *run.gradient));
    run.optimizer = nlopt_create(search->takes_gradients ? NLOPT_LD_MMA : NLOPT_LN_COBYLA,
                                 (unsigned)input->sweep->n_parameter);
    if (!run.optimizer) {
        ew_release(run.gradient);
        return ew_fail(EW_NO_MEMORY, "optimise: no memory for the optimizer");
    }
    study->search = input->sweep->search;
    ew_status status = set_up(&run, x);
    if (!status) {
        (void)nlopt_optimize(run.optimizer, x, &least);
        status = run.status;
    }
    nlopt_destroy(run.optimizer);
    ew_release(run.gradient);
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
