/* Couplings of a case as those of the model, and how their references moved. */
#include "study/run/run.h"

#include <string.h>

static ew_status put_coupling(ew_study *study, const ew_case_coupling *from, ew_model_coupling *to)
{
    const ew_set_kind kind = study->input->set[from->set].kind;
    const bool is_rigid = from->kind == EW_COUPLING_RIGID;
    memset(to, 0, sizeof *to);
    to->is_rigid = is_rigid;
    to->prescribed = from->prescribed;
    to->set = from->set;
    memcpy(to->point, from->point, sizeof to->point);
    memcpy(to->value, from->value, sizeof to->value);
    EW_TRY(ew_study_require_members(study, from->set, from->line));
    return kind == EW_SET_OF_VERTICES || (kind == EW_SET_OF_FACES && !is_rigid)
               ? EW_OK
               : ew_study_vertices_of(study, from->set, &to->set);
}

ew_status ew_study_set_couplings(ew_study *study)
{
    const ew_case *input = study->input;
    ew_model_coupling *list;
    ew_status status = EW_OK;
    EW_TRY(ew_new(&list, (size_t)input->n_coupling, sizeof *list));
    for (int32_t i = 0; i < input->n_coupling && !status; i++) {
        status = put_coupling(study, &input->coupling[i], &list[i]);
    }
    status = status ? status : ew_model_set_couplings(study->model, input->n_coupling, list);
    ew_release(list);
    return status;
}

ew_status ew_study_report_couplings(ew_study *study)
{
    const ew_case *input = study->input;
    for (int32_t i = 0; i < input->n_coupling; i++) {
        ew_set_report *to = &study->set_report[input->coupling[i].set];
        ew_model_coupling_report from;
        EW_TRY(ew_model_view_coupling(study->model, i, &from));
        if (!from.is_lost && to->has_results && !to->has_phases) {
            to->has_coupling = true;
            to->is_prescribed = input->coupling[i].prescribed != 0;
            memcpy(to->reference_displacement, from.motion, sizeof to->reference_displacement);
            memcpy(to->reference_rotation, from.motion + 3, sizeof to->reference_rotation);
            memcpy(to->reference_force, from.reaction, sizeof to->reference_force);
            memcpy(to->reference_moment, from.reaction + 3, sizeof to->reference_moment);
        }
    }
    return EW_OK;
}
