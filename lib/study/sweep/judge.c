/* What a search is after, of a combination. In: the report of its last step. Out: the objective,
 * and how far outputs are beyond their limits. */
#include "study/run/run.h"

#include <math.h>

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

double ew_study_excess_slope(double value, const ew_case_limit *limit)
{
    const bool is_above =
        excess(value, &(ew_case_limit){.least = -INFINITY, .most = limit->most}) >=
        excess(value, &(ew_case_limit){.least = limit->least, .most = INFINITY});
    return is_above ? 1.0 / fmax(fabs(limit->most), 1e-300)
                    : -1.0 / fmax(fabs(limit->least), 1e-300);
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
        study->limited[i] = value_of(study, &search->limit[i].of);
        study->excess[i] = excess(study->limited[i], &search->limit[i]);
        study->violation = fmax(study->violation, study->excess[i]);
    }
    study->is_judged = true;
    study->report.is_judged = true;
    study->report.objective = study->objective;
    study->report.violation = study->violation;
}
