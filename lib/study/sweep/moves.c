/* Edits that move what they made in the combination before. In: a study that goes on. Out: the
 * values before, how accurate what was made was at first, and why a combination does not go on. */
#include "study/run/run.h"

#include <stdio.h>

/* Edits of the steps before this one. */
static int32_t first_edit(const ew_case *input, int32_t step)
{
    int32_t n = 0;
    for (int32_t s = 0; s < step; s++) {
        n += input->step[s].n_edit;
    }
    return n;
}

/* Scaled, the body would be another one. */
static bool has_cuts_alone(const ew_case *input)
{
    bool all = true;
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t i = 0; i < input->step[s].n_edit; i++) {
            all = all && input->step[s].edit[i].operation->measure;
        }
    }
    return all;
}

void ew_study_find_values_before(const ew_study *study, const ew_case_edit *edit,
                                 ew_operation_values *before, ew_operation_values *values)
{
    const study_moves *moves = &study->moves;
    const int64_t i = edit - study->input->step[study->n_done].edit;
    values->before = NULL;
    values->first = NULL;
    values->body = NULL;
    if (!moves->before || study->motion.is_running) {
        return;
    }
    *before = ew_study_values(study, &moves->before->step[study->n_done].edit[i]);
    values->before = before;
    values->first = moves->made ? &moves->made[first_edit(study->input, study->n_done) + i] : NULL;
    if (study->start && has_cuts_alone(study->input)) {
        values->body = ew_model_template_mesh(study->start);
        values->body_topology = ew_model_template_topology(study->start);
    }
}

ew_status ew_study_measure_made(ew_study *study)
{
    const ew_case *input = study->input;
    ew_cut_accuracy **made = &study->moves.made;
    if (!*made) {
        const int32_t n = first_edit(input, input->n_step);
        EW_TRY(ew_new_zero(made, (size_t)n + 1, sizeof **made));
    }
    for (int32_t s = 0, k = 0; s < input->n_step; s++) {
        for (int32_t i = 0; i < input->step[s].n_edit; i++, k++) {
            const ew_case_edit *edit = &input->step[s].edit[i];
            const ew_operation_values values = ew_study_values(study, edit);
            const ew_operation_input in = {.operation = edit->operation,
                                           .mesh = ew_model_mesh(study->model),
                                           .topology = ew_model_topology(study->model),
                                           .values = &values};
            EW_TRY(edit->operation->measure ? edit->operation->measure(&in, *made + k) : EW_OK);
        }
    }
    return EW_OK;
}

void ew_study_note_refusal(ew_study *study)
{
    snprintf(study->moves.refused, sizeof study->moves.refused, "%.180s", ew_message());
}

void ew_study_tell_refusal(ew_study *study, int32_t line)
{
    char *refused = study->moves.refused;
    if (*refused) {
        ew_study_warn(study, EW_WARNING_RESTART, line,
                      "%s (this combination begins with the mesh of the case)", refused);
        *refused = 0;
    }
}
