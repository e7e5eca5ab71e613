/* The sets of a study as its result file takes them: members, measures, what the solve says. */
#include "study/run/run.h"

typedef struct frame_set {
    ew_list member; /* owned */
    double value[STUDY_MAX_SET_NUMBER][EW_STEP_NUMBER_VALUES];
    ew_result_number number[STUDY_MAX_SET_NUMBER];
} frame_set;

struct ew_frame_sets {
    int32_t n;
    ew_result_set *set; /* [n] owned */
    frame_set *part;    /* [n] owned */
};

/* Missing values are not written: results of a step without an analysis, or of an empty set. */
static int32_t list_numbers(const ew_set_report *report, frame_set *part)
{
    const ew_set_number *number;
    int32_t n = 0;
    for (int32_t k = 0; (number = ew_set_number_at(k)); k++) {
        if (ew_set_number_of(k, report, part->value[n])) {
            part->number[n] = (ew_result_number){number->name, number->n, part->value[n]};
            n++;
        }
    }
    return n;
}

static ew_status fill(const ew_study *study, int32_t set, ew_result_set *out, frame_set *part)
{
    const ew_set_report *report = &study->set_report[set];
    static ew_status (*const list[])(const ew_model *, int32_t, ew_list *) = {
        ew_model_list_vertices, ew_model_list_faces, ew_model_list_tets};
    static const ew_result_set_kind kind[] = {EW_RESULT_VERTICES, EW_RESULT_FACES, EW_RESULT_TETS};
    *out = (ew_result_set){.name = report->name,
                           .kind = kind[report->kind],
                           .member = &part->member,
                           .n_number = list_numbers(report, part),
                           .number = part->number};
    return list[report->kind](study->model, set, &part->member);
}

void ew_frame_sets_free(ew_frame_sets *sets)
{
    if (!sets) {
        return;
    }
    for (int32_t i = 0; i < sets->n; i++) {
        ew_list_free(&sets->part[i].member);
    }
    ew_release(sets->set);
    ew_release(sets->part);
    ew_release(sets);
}

static ew_status collect(const ew_study *study, ew_frame_sets *made)
{
    const int32_t n_set = study->input->n_set;
    EW_TRY(ew_new(&made->set, (size_t)n_set, sizeof *made->set));
    EW_TRY(ew_new_zero(&made->part, (size_t)n_set, sizeof *made->part));
    for (int32_t s = 0; s < n_set; s++) {
        if (!study->set_report[s].in_edit) {
            const int32_t k = made->n++;
            EW_TRY(fill(study, s, &made->set[k], &made->part[k]));
        }
    }
    return EW_OK;
}

ew_status ew_frame_sets_list(const ew_study *study, ew_frame_sets **sets, ew_result_frame *frame)
{
    ew_frame_sets *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    const ew_status status = collect(study, made);
    if (status) {
        ew_frame_sets_free(made);
        return status;
    }
    frame->n_set = made->n;
    frame->set = made->set;
    *sets = made;
    return EW_OK;
}
