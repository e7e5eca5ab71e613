/* Failures of a combination of a sweep, in place of the records that it did not come to. */
#include "study/run/run.h"

#include <stdio.h>
#include <string.h>

/* The sets as all records have them, without members. */
static ew_status list_sets(const ew_case *input, ew_result_set **set, int32_t *n)
{
    static const ew_list nobody;
    static const ew_result_set_kind kind[] = {EW_RESULT_VERTICES, EW_RESULT_FACES, EW_RESULT_TETS};
    EW_TRY(ew_new_zero(set, (size_t)input->n_set, sizeof **set));
    for (int32_t s = 0; s < input->n_set; s++) {
        const ew_case_set *from = &input->set[s];
        if (!from->in_edit) {
            (*set)[(*n)++] =
                (ew_result_set){.name = from->name, .kind = kind[from->kind], .member = &nobody};
        }
    }
    return EW_OK;
}

static ew_status save(ew_study *study, const ew_case *input, const ew_case_step *step,
                      const char *message)
{
    ew_result_number number[STUDY_N_PARAMETER_NUMBER];
    study_parameter_names names;
    char name[160];
    ew_result_frame frame = {.name = name,
                             .kind = "failed",
                             .time = ew_study_frame_time(study, step),
                             .number = number,
                             .warnings = message,
                             .journal = EW_JOURNAL_FAILURE,
                             .journal_bytes = strlen(EW_JOURNAL_FAILURE)};
    ew_result_set *set = NULL;
    snprintf(name, sizeof name, "%.159s", step->name);
    frame.n_number = ew_study_parameter_numbers(study, input, &names, number);
    ew_status status = list_sets(input, &set, &frame.n_set);
    frame.set = set;
    if (!status) {
        status = ew_result_add_frame(study->result, &frame);
    }
    ew_release(set);
    return status;
}

ew_status ew_study_save_failure(ew_study *study, const ew_case *input, const ew_case_step *step,
                                ew_status status, const char *message)
{
    study->report = (ew_step_report){.step = (int32_t)(step - input->step),
                                     .name = step->name,
                                     .combination = study->combination,
                                     .n_combination = study->n_combination,
                                     .n_parameter = input->n_parameter,
                                     .parameter = input->parameter,
                                     .failure = message};
    study->report.is_recalled = study->n_record < study->n_recorded;
    EW_TRY(ew_study_note_failure(study, status, message));
    EW_TRY(study->result ? save(study, input, step, message) : EW_OK);
    if (study->def.on_step) {
        study->def.on_step(study->def.user, &study->report);
    }
    study->n_record++;
    return EW_OK;
}

static bool is_failure(const void *journal, size_t bytes)
{
    return bytes == strlen(EW_JOURNAL_FAILURE) && !memcmp(journal, EW_JOURNAL_FAILURE, bytes);
}

ew_status ew_study_fail_again(const ew_study *study)
{
    const ew_result_archive *replay = study->replay;
    const int32_t k = study->n_record;
    if (study->recalled.data && study->recalled.failure) {
        return ew_fail(study->recalled.failure, "%s", study->recalled.message);
    }
    if (study->combination && replay && is_failure(replay->journal[k], replay->journal_bytes[k])) {
        return ew_fail(EW_BAD_INPUT, "%s", replay->warnings ? replay->warnings[k] : "it failed");
    }
    return EW_OK;
}
