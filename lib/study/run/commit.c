/* The commit of a queue of edits in a step: its record in the journal, its report, and what hangs
 * on it. Components that nothing holds are left out the same way. */
#include "study/run/run.h"

#include <math.h>

static const char *code_name(int32_t code)
{
    const ew_operation *operation = ew_operation_of_code(code);
    return operation                   ? operation->name
           : code == EW_CODE_LEAVE_OUT ? "leave out"
           : code == EW_CODE_REMOVAL   ? "removal"
           : code == EW_CODE_ENRICH    ? ew_enrich_edit.name
                                       : "edit";
}

/* Of the body as it is analyzed: sides without functions are straight. */
static double curved_volume(const ew_model *model, const ew_edge_rows *rows)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[12], d[18];
        if (ew_mesh_tet_is_live(mesh, t)) {
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            sum += ew_tet_curves(rows, ew_model_topology(model), t, d)
                       ? ew_curved_tet_volume(x, d)
                       : ew_mesh_tet_volume(mesh, t);
        }
    }
    return sum;
}

/* Volume and quality need a pass over the mesh, so only where somebody reads them. */
static ew_status measure(const ew_study *study, double *volume, double *quality)
{
    *volume = *quality = NAN;
    if (study->def.measure_edits) {
        ew_mesh_measure found;
        const ew_edge_rows *rows = ew_model_edge_rows(study->model);
        ew_mesh mesh = *ew_model_mesh(study->model);
        mesh.n_curve = 0;
        ew_mesh_take_measure(&mesh, &found);
        *volume = rows && rows->curve ? curved_volume(study->model, rows) : found.volume;
        *quality = found.min_quality;
    }
    return EW_OK;
}

ew_status ew_study_begin_report(ew_study *study, int32_t code, ew_edit_report **report)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    EW_TRY(ew_grow(&study->edit_report, &study->edit_report_capacity,
                   (int64_t)study->report.n_edit + 1, sizeof **report));
    study->report.edit = study->edit_report;
    *report = &study->edit_report[study->report.n_edit];
    **report = (ew_edit_report){.kind = code_name(code),
                                .error = NAN,
                                .time = study->motion.is_running ? study->motion.report.time : NAN,
                                .tets_before = mesh->n_live_tet,
                                .vertices_before = mesh->n_active_vertex};
    return measure(study, &(*report)->volume_before, &(*report)->quality_before);
}

ew_status ew_study_end_report(ew_study *study, ew_edit_report *report)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    report->tets_after = mesh->n_live_tet;
    report->vertices_after = mesh->n_active_vertex;
    study->report.n_edit++;
    return measure(study, &report->volume_after, &report->quality_after);
}

/* A refused edit is not recorded: the journal is written after the commit. */
ew_status ew_study_commit(ew_study *study, int32_t code)
{
    EW_TRY(ew_model_commit(study->model));
    return ew_journal_commit(&study->journal, code, ew_model_applied(study->model));
}

/* Around the removal of components: sets that lose their last members by it. */
static void mark_left_out(ew_study *study, bool before)
{
    for (int32_t s = 0; s < study->input->n_set; s++) {
        study_set *set = &study->set[s];
        const bool has_some = ew_model_view_set(study->model, s).n_active > 0;
        set->had_some = before ? has_some : set->had_some;
        set->is_left_out = !has_some && (set->is_left_out || set->had_some);
    }
}

ew_status ew_study_commit_with_report(ew_study *study, int32_t code)
{
    ew_edit_report *report;
    const bool leaves_out = code == EW_CODE_LEAVE_OUT;
    EW_TRY(ew_study_begin_report(study, code, &report));
    if (leaves_out) {
        mark_left_out(study, true);
    }
    EW_TRY(ew_study_commit(study, code));
    if (leaves_out) {
        mark_left_out(study, false);
    }
    EW_TRY(code == EW_CODE_REMOVAL ? ew_study_follow_removal(study) : EW_OK);
    return ew_study_end_report(study, report);
}

ew_status ew_study_leave_out(ew_study *study)
{
    for (;;) {
        int32_t n;
        EW_TRY(ew_model_queue_under_constrained(study->model, &n));
        const int32_t n_tet = ew_model_edit(study->model)->remove_tet.n;
        if (!n || n_tet == ew_model_mesh(study->model)->n_live_tet) {
            return EW_OK; /* of a body that is free altogether the solve will speak */
        }
        EW_TRY(ew_study_commit_with_report(study, EW_CODE_LEAVE_OUT));
        study->report.n_left_out += n;
        study->report.left_out_tets += n_tet;
    }
}
