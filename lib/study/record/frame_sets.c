/* The sets of a study as its result file takes them: members, measures, what the solve says. */
#include "study/run/run.h"

enum { MAX_NUMBERS = 16 };

typedef struct frame_set {
    ew_list member; /* owned */
    double n_member;
    ew_result_number number[MAX_NUMBERS];
} frame_set;

struct ew_frame_sets {
    int32_t n;
    ew_result_set *set; /* [n] owned */
    frame_set *part;    /* [n] owned */
};

/* What has no value is not written: results of a step without an analysis, or of an empty set. */
static int32_t list_numbers(const ew_set_report *report, frame_set *part)
{
    const ew_set_measure *measure = &report->measure;
    const ew_set_results *results = &report->results;
    int32_t n = 0;
    part->n_member = measure->n_member;
    part->number[n++] = (ew_result_number){"members", 1, &part->n_member};
    if (report->kind == EW_SET_OF_TETS) {
        part->number[n++] = (ew_result_number){"volume", 1, &measure->volume};
    } else {
        part->number[n++] = (ew_result_number){"area", 1, &measure->area};
    }
    if (measure->n_member) {
        part->number[n++] = (ew_result_number){"centroid", 3, measure->centroid};
        part->number[n++] = (ew_result_number){"low", 3, measure->low};
        part->number[n++] = (ew_result_number){"high", 3, measure->high};
    }
    if (report->has_results) {
        part->number[n++] = (ew_result_number){"mean_displacement", 3, results->mean_displacement};
        part->number[n++] = (ew_result_number){"max_displacement", 1, &results->max_displacement};
        part->number[n++] = (ew_result_number){"mean_von_mises", 1, &results->mean_von_mises};
        part->number[n++] = (ew_result_number){"max_von_mises", 1, &results->max_von_mises};
    }
    if (report->has_results && report->support) {
        part->number[n++] = (ew_result_number){"reaction_force", 3, results->reaction_force};
        part->number[n++] = (ew_result_number){"reaction_moment", 3, results->reaction_moment};
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
