/* Ties of a case as those of the model, and what comes of them: numbers of a step and of the sets
 * that are tied, warnings of what is not. */
#include "study/run/run.h"

#include <math.h>

ew_status ew_study_set_ties(ew_study *study)
{
    const ew_case *input = study->input;
    ew_model_tie *list;
    EW_TRY(ew_new(&list, (size_t)input->n_tie, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < input->n_tie && !status; i++) {
        const ew_case_tie *from = &input->tie[i];
        list[i] = (ew_model_tie){from->slave, from->master, from->distance};
        status = ew_study_require_side(study, "a tie", from->slave, from->line);
        status = status ? status : ew_study_require_side(study, "a tie", from->master, from->line);
    }
    status = status ? status : ew_model_set_ties(study->model, input->n_tie, list);
    ew_release(list);
    return status;
}

void ew_study_warn_of_ties(ew_study *study)
{
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        const int32_t line = study->input->tie[i].line;
        ew_model_tie_report of;
        if (ew_model_view_tie(study->model, i, &of)) {
            continue;
        }
        if (of.is_lost || !of.n_point) {
            ew_study_warn(study, EW_WARNING_UNTIED, line, "tie: %s, so that nothing is tied; %s",
                          of.is_lost ? "a side of it is empty" : "no face of it meets its master",
                          of.is_lost ? "see whether the body is supported as it should be"
                                     : "give a larger distance, or see whether they look at each "
                                       "other");
        } else if (of.n_free) {
            ew_study_warn(study, EW_WARNING_UNTIED, line,
                          "tie: %d of %d vertices of the slave meet no master and move freely; "
                          "give a larger distance, or a slave that its master covers",
                          of.n_free, of.n_free + of.n_point);
        }
    }
}

void ew_study_report_ties(ew_study *study)
{
    ew_step_report *to = &study->report;
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        ew_model_tie_report of;
        if (ew_model_view_tie(study->model, i, &of)) {
            continue; /* nothing has been solved with it */
        }
        to->has_tie = true;
        to->n_tied += of.n_point;
        to->n_untied += of.n_free;
        to->tie_gap = fmax(to->tie_gap, fmax(fabs(of.min_gap), fabs(of.max_gap)));
    }
}

void ew_study_report_ties_of_set(const ew_study *study, int32_t set, ew_set_report *report)
{
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        const ew_case_tie *from = &study->input->tie[i];
        const bool is_slave = from->slave == set;
        ew_model_tie_report of;
        if ((!is_slave && from->master != set) || ew_model_view_tie(study->model, i, &of)) {
            continue;
        }
        report->has_tie = true;
        for (int c = 0; c < 3; c++) {
            report->tie_force[c] += is_slave ? of.force[c] : -of.force[c];
        }
    }
}
