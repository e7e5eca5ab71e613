/* Reports of the sets of a case after a step, with results of its analysis. */
#include "study/run/run.h"

/* Components that the constraints of the step prescribe on each set, all of them where they are
 * along other axes, whether it has springs, and which sets are loaded. */
static void find_uses(ew_study *study, const ew_case_step *step)
{
    const ew_case *input = study->input;
    const bool own_loads = step->own_loads, own = step->own_constraints;
    const ew_case_constraint *constraint = own ? step->constraint : input->constraint;
    const ew_case_load *load = own_loads ? step->load : input->load;
    for (int32_t i = 0; i < (own ? step->n_constraint : input->n_constraint); i++) {
        const ew_case_constraint *from = &constraint[i];
        const int components = from->is_spring                     ? EW_SPRING_FORCES
                               : from->axes.kind != EW_AXES_GLOBAL ? 7
                                                                   : from->fixed;
        ew_set_report *at = &study->set_report[from->set];
        at->support = (uint8_t)(at->support | components);
    }
    for (int32_t i = 0; i < (own_loads ? step->n_load : input->n_load); i++) {
        if (load[i].as.set >= 0) {
            study->set_report[load[i].as.set].is_loaded = true;
        }
    }
}

static ew_status report_set(ew_study *study, int32_t set, bool solved)
{
    ew_set_report *report = &study->set_report[set];
    if (report->in_edit &&
        study->input->set[set].is_unnamed) { /* empty since its edit, whose report it belongs to */
        report->measure = study->set[set].given;
        return EW_OK;
    }
    EW_TRY(ew_model_measure_set(study->model, set, &report->measure));
    if (study->report.fatigue) {
        return ew_study_report_fatigue_of_set(study, set, report);
    }
    if (!solved || !report->measure.n_member) {
        return EW_OK;
    }
    report->has_results = true;
    EW_TRY(ew_study_report_contact_of_set(study, set, report));
    ew_study_report_ties_of_set(study, set, report);
    if (study->harmonic) {
        report->results = study->harmonic->set[set].amplitude;
        report->phases = study->harmonic->set[set].phase;
        report->has_phases = true;
        return EW_OK;
    }
    return ew_model_recover_set(study->model, set, report->support, report->measure.centroid,
                                &report->results);
}

ew_status ew_study_report_sets(ew_study *study, const ew_case_step *step)
{
    const int32_t n = study->input->n_set;
    const bool is_harmonic = step && step->response && step->response->kind == EW_RESPONSE_HARMONIC;
    const bool solved =
        step && ew_study_recovers(study) && ew_case_is_solved(step) &&
        (!step->n_mode || is_harmonic); /* a shape has any amplitude, a largest value no sign */
    if (!study->set_report) {
        EW_TRY(ew_new_zero(&study->set_report, (size_t)n, sizeof *study->set_report));
    }
    for (int32_t s = 0; s < n; s++) {
        const ew_case_set *from = &study->input->set[s];
        study->set_report[s] = (ew_set_report){.name = from->name,
                                               .line = study->set[s].line,
                                               .kind = from->kind,
                                               .is_made = study->set[s].is_made,
                                               .is_new = study->set[s].is_new,
                                               .in_edit = from->in_edit};
    }
    if (solved) {
        find_uses(study, step);
    }
    for (int32_t s = 0; s < n; s++) {
        EW_TRY(report_set(study, s, solved));
    }
    study->report.set = study->set_report;
    return solved ? ew_study_report_couplings(study) : EW_OK;
}
