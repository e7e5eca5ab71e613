/* Tets switched between linear and quadratic as an edit of a step. In: a set, or an error that is
 * to be left. Out: the order of the tets in the model, with a record in the journal.
 *
 * By error: the step is solved and its error estimated; of the tets as many as are needed, those
 * with the largest error first, become quadratic, so that what the others have together is no more
 * than the share asked for. What the quadratic ones still have is a higher power of their size and
 * is taken for little. */
#include "study/run/run.h"

#include <math.h>
#include <stdlib.h>

typedef struct tet_error {
    double error;
    int32_t tet;
} tet_error;

/* Largest first, equal ones by their slots. */
static int by_error(const void *first, const void *second)
{
    const tet_error *a = first, *b = second;
    return a->error != b->error ? (a->error < b->error ? 1 : -1) : a->tet - b->tet;
}

static ew_status list_by_error(const ew_model *model, const ew_estimate *estimate, double until,
                               ew_list *tet)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    tet_error *order = NULL;
    int32_t n = 0;
    double rest = 0.0;
    EW_TRY(ew_new(&order, (size_t)estimate->n_tet, sizeof *order));
    for (int32_t t = 0; t < estimate->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && !ew_model_tet_is_quadratic(model, t)) {
            order[n++] = (tet_error){estimate->error[t], t};
            rest += estimate->error[t] * estimate->error[t];
        }
    }
    qsort(order, (size_t)n, sizeof *order, by_error);
    const double wanted = until * hypot(estimate->error_norm, estimate->solution_norm);
    ew_status status = EW_OK;
    for (int32_t i = 0; i < n && rest > wanted * wanted && !status; i++) {
        status = ew_list_push(tet, order[i].tet);
        rest -= order[i].error * order[i].error;
    }
    ew_list_sort(tet);
    ew_release(order);
    return status;
}

static ew_status choose(ew_study *study, const ew_case_step *step, const ew_case_edit *edit,
                        ew_edit_report *report, ew_list *tet)
{
    const ew_case_enrich *as = &edit->enrich;
    const ew_estimate *estimate;
    if (!as->by_error) {
        EW_TRY(ew_study_make_edit_set(study, as->set));
        EW_TRY(ew_study_require_members(study, as->set, edit->line));
        return ew_model_list_tets(study->model, as->set, tet);
    }
    EW_TRY(ew_study_analyze_between(study, step));
    EW_TRY(ew_model_estimate(study->model, &estimate, NULL));
    report->error = estimate->share;
    return list_by_error(study->model, estimate, as->until, tet);
}

ew_status ew_study_switch_order(ew_study *study, const ew_list *tet, bool quadratic)
{
    EW_TRY(ew_model_enrich(study->model, tet, quadratic));
    EW_TRY(ew_journal_order(&study->journal, tet, quadratic));
    study->analyzed_revision = 0; /* the mesh is the same, the answer is not */
    return EW_OK;
}

ew_status ew_study_enrich(ew_study *study, const ew_case_step *step, const ew_case_edit *edit)
{
    ew_edit_report *report;
    ew_list tet = {0};
    EW_TRY(ew_study_begin_report(study, EW_CODE_ENRICH, &report));
    ew_status status = choose(study, step, edit, report, &tet);
    if (!status) {
        status = ew_study_switch_order(study, &tet, edit->enrich.quadratic);
    }
    status = status ? status : ew_study_end_report(study, report);
    ew_list_free(&tet);
    return status ? ew_fail_prefix(status, "enrich") : EW_OK;
}
