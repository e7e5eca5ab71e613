/* The loads of a step: those of the case or its own, as loads of the model over the sets as they
 * are; and what each of them adds up to. */
#include "study/run.h"

#include <string.h>

/* Losses of the edits are counted in the loads of the step, but not where their sets are made after
 * these edits. */
static bool is_remade(const ew_study *study, const ew_case_step *step, int32_t set)
{
    bool remade = set >= 0 && study->input->set[set].step == study->n_done;
    for (int32_t i = 0; i < step->n_definition; i++) {
        remade = remade || step->definition[i].set == set;
    }
    return remade;
}

/* edited: the edits of the step are done. */
ew_status ew_study_set_loads(ew_study *study, const ew_case_step *step, bool edited)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    const int32_t n = step->own_loads ? step->n_load : study->input->n_load;
    EW_TRY(ew_grow(&study->load, &study->load_capacity, n, sizeof *study->load));
    int32_t n_used = 0;
    for (int32_t i = 0; i < n; i++) {
        ew_model_load *load = &study->load[n_used];
        const int32_t set = list[i].as.set;
        if (!edited && is_remade(study, step, set)) {
            continue;
        }
        memcpy(load, &list[i].as, sizeof *load); /* compared as bytes */
        load->amplitude = list[i].amplitude + 1;
        if (edited && set >= 0) {
            EW_TRY(ew_study_require_members(study, set, list[i].line));
        }
        if (set >= 0 && !ew_case_load_acts_on(load->kind, study->input->set[set].kind)) {
            EW_TRY(ew_study_vertices_of(study, set, &load->set));
        }
        if (list[i].nodes) {
            load->nodes = &study->load_nodes[list[i].nodes - 1];
            load->field = study->load_field[list[i].nodes - 1];
        }
        if (list[i].surface) {
            EW_TRY(ew_study_load_surface(study, &list[i], load));
        }
        n_used++;
    }
    return ew_model_set_loads(study->model, n_used, study->load);
}

/* What is wrong with a load is told at its line. */
ew_status ew_study_update_loads(ew_study *study, const ew_case_step *step)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    int32_t place;
    const ew_status status = ew_model_update_loads(study->model, &place);
    return status && place >= 0 ? ew_fail_line(status, list[place].line) : status;
}

ew_status ew_study_report_loads(ew_study *study, const ew_case_step *step)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    const int32_t n = step->own_loads ? step->n_load : study->input->n_load;
    EW_TRY(
        ew_grow(&study->load_report, &study->load_report_capacity, n, sizeof *study->load_report));
    for (int32_t i = 0; i < n; i++) {
        ew_load_report *load = &study->load_report[i];
        *load =
            (ew_load_report){.line = list[i].line, .kind = list[i].as.kind, .set = list[i].as.set};
        load->surface = list[i].surface ? study->input->surface[list[i].surface - 1].name : NULL;
        EW_TRY(ew_model_load_resultant(study->model, i, load->force, load->moment));
    }
    study->report.n_load = n;
    study->report.load = study->load_report;
    return EW_OK;
}
