/* What all records of a study begin and end with. In: a step that begins; one whose answer is
 * recovered. Out: an empty report; the numbers of the step, its record in checkpoint and result,
 * its report. */
#include "study/run/run.h"

#include <string.h>

static ew_status verify(ew_study *study)
{
    ew_model_verification result;
    ew_step_report *report = &study->report;
    EW_TRY(ew_model_verify(study->model, &result));
    report->verified = true;
    report->seconds_rebuild_topology = result.seconds_tables;
    report->seconds_rebuild_matrix = result.seconds_matrix;
    report->different_blocks = result.n_different;
    report->largest_difference = result.largest;
    return result.n_different
               ? ew_fail(EW_MATRIX_DIFFERS,
                         "%lld blocks of the revalidated matrix differ from a rebuild, by up to "
                         "%.3g; none may: this is an error of edgewise, please report it with the "
                         "case and its mesh",
                         (long long)result.n_different, result.largest)
               : EW_OK;
}

static ew_status fill_report(ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_model_report *cost = ew_model_view_report(study->model);
    ew_step_report *report = &study->report;
    report->n_tet = mesh->n_live_tet;
    report->n_vertex = mesh->n_active_vertex;
    report->n_edge = ew_model_topology(study->model)->pattern.n_live_pair;
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    report->n_edge_row = rows ? rows->n_live : 0;
    report->total_blocks = (int64_t)report->n_vertex + report->n_edge + report->n_edge_row;
    report->built_blocks = cost->built_blocks;
    report->touched_blocks = cost->touched_blocks + cost->built_blocks;
    if (report->nonlinear) { /* the same where it was done before and is recalled */
        report->touched_blocks = report->nonlinear->touched_blocks;
        report->built_blocks = 0;
    }
    report->seconds_built = cost->seconds_built;
    report->seconds_choose = cost->seconds_choose;
    report->seconds_edit = cost->seconds_commit;
    report->seconds_topology = cost->seconds_tables;
    report->seconds_follow = cost->seconds_boundary + cost->seconds_follow;
    report->seconds_matrix = cost->seconds_matrix;
    report->seconds_preconditioner = cost->seconds_preconditioner;
    report->seconds_loads = cost->seconds_loads + cost->seconds_support;
    report->seconds_solve = cost->seconds_solve + study->seconds_recalled;
    report->seconds_recover = cost->seconds_recover;
    report->seconds_estimate = cost->seconds_estimate;
    report->seconds_compact = cost->seconds_compact;
    memcpy(report->lost_force, cost->lost_force, sizeof report->lost_force);
    report->equation_force =
        study->input->n_equation || study->input->n_coupling || study->input->n_tie
            ? ew_model_view_equations(study->model).max_force
            : 0.0;
    ew_study_report_ties(study);
    EW_TRY(ew_study_report_contacts(study));
    for (int32_t s = 0; s < study->input->n_set; s++) {
        const bool is_told = !study->set[s].is_new && !study->input->set[s].in_edit;
        const ew_model_set set = ew_model_view_set(study->model, s);
        const int32_t *before = study->removal.n_member; /* some come back */
        study->lost_members[s] = !is_told ? 0 : before ? before[s] - set.n_active : set.n_lost;
    }
    report->lost_members = study->lost_members;
    ew_study_report_surfaces(study);
    report->mesh = mesh;
    return EW_OK;
}

ew_status ew_study_begin_record(ew_study *study, const ew_case_step *step)
{
    memset(&study->report, 0, sizeof study->report);
    study->report.step = study->n_done;
    study->report.name = step->name;
    study->report.n_set = study->input->n_set;
    study->report.has_laws = ew_case_is_inelastic(study->input);
    study->report.combination = study->combination;
    study->report.n_combination = study->n_combination;
    study->report.n_parameter = study->input->n_parameter;
    study->report.parameter = study->input->parameter;
    study->fields = NULL;
    study->journal.bytes = 0;
    for (int32_t s = 0; s < study->input->n_set; s++) {
        study->set[s].is_new = false;
    }
    study->analyzed_revision = 0;
    if (study->n_record == study->first_record) {
        study->envelope.n_record = study->fatigue.n_record = 0;
    }
    study->convergence.n_row = 0;
    ew_study_forget_sets(study);
    study->seconds_recalled = 0.0;
    EW_TRY(ew_study_recall(study));
    EW_TRY(ew_study_fail_again(study));
    ew_model_forget_turns(study->model);
    ew_model_set_frame(study->model, study->n_record);
    return EW_OK;
}

ew_status ew_study_end_record(ew_study *study, const ew_case_step *step)
{
    if (study->def.verify_rebuild && study->report.n_edit) {
        EW_TRY(verify(study));
    }
    EW_TRY(fill_report(study));
    EW_TRY(ew_study_report_sets(study, step));
    EW_TRY(step->has_static ? ew_study_report_loads(study, step) : EW_OK);
    EW_TRY(ew_study_report_places(study, step));
    EW_TRY(study->report.is_partial ? EW_OK : ew_study_keep(study));
    EW_TRY(ew_study_add_to_envelope(study, step));
    EW_TRY(ew_study_add_to_fatigue(study, step));
    ew_study_judge_combination(study);
    EW_TRY(ew_study_save(study, step));
    if (study->def.on_step) {
        study->def.on_step(study->def.user, &study->report);
    }
    ew_model_clear_report(study->model);
    study->n_record++;
    return EW_OK;
}
