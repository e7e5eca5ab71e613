/* Records of a combination on their way from the thread that computed it to the study that writes
 * them. In: a record as the result and the caller are given it, which borrows from the model and
 * the case of the thread. Out: a copy of all that, and what the study does with it when its turn
 * comes. */
#include "study/run/run.h"

#include <string.h>

/* ---- copies ------------------------------------------------------------------------ */

static ew_status read_bytes(study_outcome *to, size_t bytes, void *pointer)
{
    to->bytes += bytes;
    return ew_arena_take(&to->arena, bytes, pointer);
}

/* *pointer: what is to be copied; null stays null. */
static ew_status copy(study_outcome *to, size_t n, size_t size, void *pointer)
{
    const void *from;
    void *made;
    memcpy(&from, pointer, sizeof from);
    if (from) {
        EW_TRY(read_bytes(to, n * size, &made));
        memcpy(made, from, n * size);
        memcpy(pointer, &made, sizeof made);
    }
    return EW_OK;
}

static ew_status copy_text(study_outcome *to, const char **text)
{
    return *text ? copy(to, strlen(*text) + 1, 1, text) : EW_OK;
}

static ew_status copy_mesh(study_outcome *to, const ew_mesh *mesh)
{
    EW_TRY(ew_mesh_copy(&to->mesh, mesh));
    to->bytes += (size_t)mesh->n_vertex * 48 + (size_t)mesh->n_tet * 64;
    return EW_OK;
}

/* ---- the frame ------------------------------------------------------------------------ */

static ew_status copy_numbers(study_outcome *to, int32_t n, const ew_result_number **number)
{
    EW_TRY(copy(to, (size_t)n, sizeof **number, number));
    for (int32_t i = 0; i < n; i++) {
        ew_result_number *of = (ew_result_number *)&(*number)[i];
        EW_TRY(copy_text(to, &of->name));
        EW_TRY(copy(to, (size_t)of->n, sizeof *of->value, &of->value));
    }
    return EW_OK;
}

static ew_status copy_fields(study_outcome *to)
{
    ew_result_frame *frame = &to->frame;
    EW_TRY(copy(to, (size_t)frame->n_field, sizeof *frame->field, &frame->field));
    for (int32_t i = 0; i < frame->n_field; i++) {
        ew_result_field *of = (ew_result_field *)&frame->field[i];
        const int32_t n = of->place == EW_ON_VERTICES ? to->mesh.n_vertex : to->mesh.n_tet;
        EW_TRY(copy_text(to, &of->name));
        EW_TRY(copy(to, (size_t)n * (size_t)of->n_component, sizeof *of->data, &of->data));
    }
    return EW_OK;
}

static ew_status copy_sets(study_outcome *to)
{
    ew_result_frame *frame = &to->frame;
    EW_TRY(copy(to, (size_t)frame->n_set, sizeof *frame->set, &frame->set));
    for (int32_t i = 0; i < frame->n_set; i++) {
        ew_result_set *of = (ew_result_set *)&frame->set[i];
        EW_TRY(copy_text(to, &of->name));
        EW_TRY(copy(to, 1, sizeof *of->member, &of->member));
        ew_list *member = (ew_list *)of->member;
        EW_TRY(copy(to, (size_t)member->n, sizeof *member->id, &member->id));
        EW_TRY(copy_numbers(to, of->n_number, &of->number));
    }
    return EW_OK;
}

static ew_status copy_tables(study_outcome *to)
{
    ew_result_frame *frame = &to->frame;
    EW_TRY(copy(to, (size_t)frame->n_table, sizeof *frame->table, &frame->table));
    for (int32_t i = 0; i < frame->n_table; i++) {
        ew_result_table *of = (ew_result_table *)&frame->table[i];
        EW_TRY(copy_text(to, &of->group));
        EW_TRY(copy_text(to, &of->name));
        EW_TRY(copy_text(to, &of->columns));
        EW_TRY(copy(to, (size_t)of->n_row * (size_t)of->n_column, sizeof *of->value, &of->value));
    }
    return EW_OK;
}

static ew_status copy_edges(study_outcome *to)
{
    EW_TRY(copy(to, 1, sizeof *to->frame.edges, &to->frame.edges));
    ew_result_edges *edges = (ew_result_edges *)to->frame.edges;
    if (!edges) {
        return EW_OK;
    }
    const size_t n = (size_t)edges->n_edge;
    EW_TRY(copy(to, 2 * n, sizeof *edges->end, &edges->end));
    EW_TRY(copy(to, 6 * (size_t)to->mesh.n_tet, sizeof *edges->tet, &edges->tet));
    EW_TRY(copy(to, 9 * n, sizeof *edges->bent, &edges->bent));
    EW_TRY(copy(to, 8 * n, sizeof *edges->stress, &edges->stress));
    return copy(to, 3 * n, sizeof *edges->curve, &edges->curve);
}

static ew_status copy_frame(study_outcome *to, const ew_result_frame *from)
{
    ew_result_frame *frame = &to->frame;
    *frame = *from;
    frame->mesh = from->mesh ? &to->mesh : NULL;
    if (frame->mesh) {
        EW_TRY(copy_fields(to));
        EW_TRY(copy_edges(to));
    } else {
        frame->n_field = 0;
        frame->field = NULL;
        frame->edges = NULL;
    }
    EW_TRY(copy_text(to, &frame->name));
    EW_TRY(copy_text(to, &frame->kind));
    EW_TRY(copy_text(to, &frame->measure));
    EW_TRY(copy_text(to, &frame->warnings));
    EW_TRY(copy_text(to, &frame->warning_kinds));
    EW_TRY(copy_sets(to));
    EW_TRY(copy_numbers(to, frame->n_number, &frame->number));
    EW_TRY(copy_tables(to));
    EW_TRY(copy(to, (size_t)frame->n_history, sizeof *frame->history, &frame->history));
    return copy(to, frame->journal_bytes, 1, &frame->journal);
}

/* ---- the report ------------------------------------------------------------------------- */

static ew_status copy_solver(study_outcome *to, const ew_pcg_info **solver)
{
    EW_TRY(copy(to, 1, sizeof **solver, solver));
    ew_pcg_info *made = (ew_pcg_info *)*solver;
    if (!made) {
        return EW_OK;
    }
    EW_TRY(copy_text(to, &made->reason));
    return copy(to, (size_t)made->n_history, sizeof *made->history, &made->history);
}

static ew_status copy_nonlinear(study_outcome *to)
{
    ew_step_report *report = &to->report;
    EW_TRY(copy(to, 1, sizeof *report->nonlinear, &report->nonlinear));
    ew_nonlinear_info *made = (ew_nonlinear_info *)report->nonlinear;
    if (!made) {
        return EW_OK;
    }
    EW_TRY(copy_solver(to, &made->solver));
    return copy(to, (size_t)made->n_history, sizeof *made->history, &made->history);
}

/* The tets' errors are in the frame. */
static ew_status copy_estimate(study_outcome *to)
{
    ew_step_report *report = &to->report;
    EW_TRY(copy(to, 1, sizeof *report->estimate, &report->estimate));
    ew_estimate *made = (ew_estimate *)report->estimate;
    if (made) {
        made->error = NULL;
        made->n_tet = made->tet_capacity = 0;
        memset(&made->recovered, 0, sizeof made->recovered);
    }
    return copy(to, 1, sizeof *report->adequacy, &report->adequacy);
}

static ew_status copy_lists(study_outcome *to, int32_t n_set)
{
    ew_step_report *report = &to->report;
    EW_TRY(copy(to, (size_t)report->n_parameter, sizeof *report->parameter, &report->parameter));
    for (int32_t i = 0; i < report->n_parameter; i++) {
        EW_TRY(copy_text(to, &((ew_case_parameter *)report->parameter)[i].name));
    }
    EW_TRY(copy(to, (size_t)report->n_edit, sizeof *report->edit, &report->edit));
    for (int32_t i = 0; i < report->n_edit; i++) {
        EW_TRY(copy_text(to, &((ew_edit_report *)report->edit)[i].kind));
    }
    EW_TRY(copy(to, (size_t)n_set, sizeof *report->lost_members, &report->lost_members));
    EW_TRY(copy(to, (size_t)n_set, sizeof *report->set, &report->set));
    for (int32_t i = 0; i < n_set; i++) {
        EW_TRY(copy_text(to, &((ew_set_report *)report->set)[i].name));
    }
    EW_TRY(copy(to, (size_t)report->n_load, sizeof *report->load, &report->load));
    for (int32_t i = 0; i < report->n_load; i++) {
        EW_TRY(copy_text(to, &((ew_load_report *)report->load)[i].surface));
    }
    return copy(to, (size_t)report->n_warning, sizeof *report->warning, &report->warning);
}

static ew_status copy_places(study_outcome *to)
{
    EW_TRY(copy(to, 1, sizeof *to->report.places, &to->report.places));
    ew_place_report *made = (ew_place_report *)to->report.places;
    if (!made) {
        return EW_OK;
    }
    EW_TRY(copy(to, (size_t)made->n_path, sizeof *made->path, &made->path));
    for (int32_t i = 0; i < made->n_path; i++) {
        EW_TRY(copy_text(to, &made->path[i].name));
        EW_TRY(copy(to, (size_t)made->path[i].n_point, sizeof *made->path[i].point,
                    &made->path[i].point));
    }
    EW_TRY(copy(to, (size_t)made->n_section, sizeof *made->section, &made->section));
    for (int32_t i = 0; i < made->n_section; i++) {
        EW_TRY(copy_text(to, &made->section[i].name));
    }
    return EW_OK;
}

static ew_status copy_convergence(study_outcome *to)
{
    EW_TRY(copy(to, 1, sizeof *to->report.convergence, &to->report.convergence));
    ew_convergence *made = (ew_convergence *)to->report.convergence;
    if (!made) {
        return EW_OK;
    }
    EW_TRY(made->set ? copy_text(to, &made->set) : EW_OK);
    return copy(to, (size_t)made->n_row, sizeof *made->row, &made->row);
}

static ew_status copy_report(study_outcome *to, const ew_study *study)
{
    ew_step_report *report = &to->report;
    *report = study->report;
    report->mesh = &to->mesh;
    EW_TRY(copy_text(to, &report->name));
    EW_TRY(copy_text(to, &report->envelope_displaced));
    EW_TRY(copy_text(to, &report->envelope_stressed));
    EW_TRY(copy_lists(to, study->input->n_set));
    EW_TRY(copy_solver(to, &report->solver));
    EW_TRY(copy_nonlinear(to));
    EW_TRY(copy_places(to));
    EW_TRY(copy_convergence(to));
    EW_TRY(copy(to, (size_t)report->n_goal, sizeof *report->goal, &report->goal));
    EW_TRY(copy(to, 1, sizeof *report->sums, &report->sums));
    EW_TRY(copy(to, 1, sizeof *report->fatigue, &report->fatigue));
    return copy_estimate(to);
}

/* ---- from the thread to the study ----------------------------------------------------------- */

void ew_outcome_free(study_outcome *outcome)
{
    if (outcome) {
        ew_mesh_free(&outcome->mesh);
        ew_arena_free(outcome->arena);
        ew_release(outcome);
    }
}

ew_status ew_outcome_add(ew_study *study, const ew_result_frame *frame)
{
    study_job *job = study->sink;
    study_outcome *made = NULL;
    EW_TRY(ew_grow(&job->outcome, &job->outcome_capacity, (int64_t)job->n_outcome + 1,
                   sizeof *job->outcome));
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    const bool needs_mesh = (frame && frame->mesh) || !study->report.has_goals_alone;
    ew_status status = needs_mesh ? copy_mesh(made, ew_model_mesh(study->model)) : EW_OK;
    status = status ? status : copy_report(made, study);
    status = status || !frame ? status : copy_frame(made, frame);
    if (status) {
        ew_outcome_free(made);
        return status;
    }
    job->outcome[job->n_outcome++] = made;
    job->bytes += made->bytes;
    return EW_OK;
}

/* Where fields are not reported one mesh is enough. */
static void leave_out_mesh(ew_study *study, ew_result_frame *frame)
{
    if (study->sweep_report != EW_SWEEP_FIELDS && study->has_mesh) {
        frame->mesh = NULL;
        frame->edges = NULL;
        frame->n_field = 0;
    }
    study->has_mesh = study->has_mesh || frame->mesh;
}

static ew_status write_outcome(ew_study *study, study_outcome *outcome)
{
    if (study->result) {
        leave_out_mesh(study, &outcome->frame);
        const double start = ew_seconds();
        double *seconds = &outcome->report.seconds_save;
        EW_TRY(ew_progress_report(&study->def.progress, "save", -1));
        EW_TRY(ew_result_add_frame(study->result, &outcome->frame));
        *seconds = ew_seconds() - start;
        EW_TRY(ew_result_add_number(study->result, "seconds_save", *seconds));
    }
    if (study->def.on_step) {
        study->def.on_step(study->def.user, &outcome->report);
    }
    study->n_record++;
    return EW_OK;
}

ew_status ew_outcome_put_all(ew_study *study, study_job *job)
{
    for (int32_t i = 0; i < job->n_outcome; i++) {
        if (i < job->n_record) {
            EW_TRY(ew_study_keep_record(study, job->record[i].data, (size_t)job->record[i].bytes));
        }
        EW_TRY(write_outcome(study, job->outcome[i]));
        ew_outcome_free(job->outcome[i]);
        job->outcome[i] = NULL;
    }
    return EW_OK;
}
