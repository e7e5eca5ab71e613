/* The record of a step in the checkpoint of its run, and a step restored from it. In: the edits and
 * the solves of a step. Out: the same model, its solves accepted instead of iterated. A record is
 * read by the program that wrote it and by no other (tools/study.c compares), so its numbers are as
 * in memory:
 *
 *   int32      number of the record: of the step, or of an output of a dynamic one
 *   solves, each
 *     'S'      char
 *     solve    solve_record
 *     double   [n_history] relative residuals
 *     double   [n_vertex][3] displacement by slot
 *     double   [n_edge_row][3] coefficients of quadratic tets by row
 *     double   [n_state] state of the laws of a nonlinear body
 *     double   [n_vertex] volumetric stress, of a case of mixed tets
 *     double   [n_contact] state of contacts
 *   a dynamic step's state, at the output that the record is of (dynamic_record.c)
 *     'D'      char
 *     uint64   bytes
 *     char[]   the state
 *   warnings of a step without an analysis, or of what edits did, each
 *     'W'      char
 *     warning  ew_warning
 *   of a step that its combination in a sweep did not come to, this in place of all that follows
 *     'F'      char
 *     int32    ew_status
 *     char[]   STUDY_FAILURE_TEXT
 *   journal
 *     'J'      char
 *     uint64   bytes
 *     char[]   as in journal.c
 */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct solve_record {
    char preconditioner[24]; /* its name */
    double reference, residual, first_residual, energy_error, energy_factor, seconds;
    int32_t fallback; /* ew_status */
    int32_t iterations, passes, n_history, n_vertex, n_edge_row, limited_by_rounding;
    int32_t is_local, n_local;
    int64_t n_state, n_contact;  /* numbers in all */
    ew_nonlinear_info nonlinear; /* where the body is, without its history */
} solve_record;

/* ---- a step that is solved ------------------------------------------------------- */

/* Vertices with a volumetric stress. */
static size_t n_mixed(const ew_study *study, int32_t n_vertex)
{
    return study->input->mixed ? (size_t)n_vertex : 0;
}

static ew_status note_solve(ew_study *study)
{
    const ew_pcg_info *info = study->report.solver;
    const int32_t n_vertex = ew_model_mesh(study->model)->n_vertex;
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    solve_record record;
    memset(&record, 0, sizeof record);
    record.reference = info->reference;
    record.residual = info->residual;
    record.first_residual = info->first_residual;
    record.energy_error = info->energy_error;
    record.energy_factor = info->energy_factor;
    record.is_local = info->is_local;
    record.n_local = info->n_local;
    record.seconds = info->seconds;
    record.fallback = (int32_t)info->fallback;
    record.iterations = info->iterations;
    record.passes = info->passes;
    record.n_history = info->n_history;
    record.n_vertex = n_vertex;
    record.n_edge_row = rows ? rows->pattern.n_row : 0;
    record.limited_by_rounding = info->limited_by_rounding;
    if (study->report.nonlinear) {
        record.nonlinear = *study->report.nonlinear;
        record.nonlinear.history = NULL;
        record.nonlinear.solver = NULL;
    }
    const double *state, *contact;
    record.n_state = ew_study_law_state(study, &state);
    EW_TRY(ew_model_contact_state(study->model, &record.n_contact, &contact));
    strncpy(record.preconditioner, ew_preconditioner_name(info->preconditioner),
            sizeof record.preconditioner - 1);
    EW_TRY(ew_journal_put(&study->record, "S", 1));
    EW_TRY(ew_journal_put(&study->record, &record, sizeof record));
    EW_TRY(ew_journal_put(&study->record, info->history,
                          (size_t)info->n_history * sizeof *info->history));
    EW_TRY(ew_journal_put(&study->record, ew_model_displacement(study->model),
                          (size_t)n_vertex * 3 * sizeof(double)));
    EW_TRY(ew_journal_put(&study->record, ew_model_edge_displacement(study->model),
                          (size_t)record.n_edge_row * 3 * sizeof(double)));
    EW_TRY(ew_journal_put(&study->record, state, (size_t)record.n_state * sizeof(double)));
    EW_TRY(ew_journal_put(&study->record, ew_model_volumetric_stress(study->model),
                          n_mixed(study, n_vertex) * sizeof(double)));
    return ew_journal_put(&study->record, contact, (size_t)record.n_contact * sizeof(double));
}

/* Those of a step with an analysis are found again from its answer, but for those of its edits. */
static ew_status note_warnings(ew_study *study)
{
    const ew_step_report *report = &study->report;
    const bool found = ew_case_is_solved(&study->input->step[study->n_done]);
    for (int32_t i = 0; i < report->n_warning; i++) {
        const ew_warning *warning = &report->warning[i];
        if (!found || ew_study_records_warning(warning->kind)) {
            EW_TRY(ew_journal_put(&study->record, "W", 1));
            EW_TRY(ew_journal_put(&study->record, warning, sizeof *warning));
        }
    }
    return EW_OK;
}

bool ew_study_keeps_records(const ew_study *study)
{
    const study_job *sink = study->sink;
    return sink ? sink->wants_records || !sink->is_whole : study->def.checkpoint != NULL;
}

/* Nobody has this record yet. */
static bool is_new(const ew_study *study)
{
    const ew_checkpoint *checkpoint = study->def.checkpoint;
    return study->sink || (checkpoint && ew_checkpoint_n_record(checkpoint) <= study->n_record);
}

static ew_status add_to_job(study_job *job, const void *data, size_t size)
{
    EW_TRY(ew_grow(&job->record, &job->capacity, (int64_t)job->n_record + 1, sizeof *job->record));
    ew_journal *record = &job->record[job->n_record];
    *record = (ew_journal){0};
    EW_TRY(ew_journal_put(record, data, size));
    job->n_record++;
    return EW_OK;
}

static ew_status put_away(ew_study *study, const void *data, size_t size)
{
    return study->sink ? add_to_job(study->sink, data, size)
                       : ew_checkpoint_append(study->def.checkpoint, data, size);
}

ew_status ew_study_keep(ew_study *study)
{
    const uint64_t bytes = (uint64_t)study->journal.bytes;
    if (!ew_study_keeps_records(study) || !is_new(study)) {
        return EW_OK; /* the step was done before, or is tried again */
    }
    if (study->recalled.data) {
        return put_away(study, study->recalled.data, study->recalled.size);
    }
    EW_TRY(note_warnings(study));
    EW_TRY(ew_journal_put(&study->record, "J", 1));
    EW_TRY(ew_journal_put(&study->record, &bytes, sizeof bytes));
    EW_TRY(ew_journal_put(&study->record, study->journal.data, (size_t)bytes));
    return put_away(study, study->record.data, (size_t)study->record.bytes);
}

ew_status ew_study_keep_record(ew_study *study, const void *data, size_t size)
{
    return is_new(study) ? put_away(study, data, size) : EW_OK;
}

/* ---- a step done again ------------------------------------------------------------- */

ew_status ew_study_fail_to_fit(void)
{
    return ew_fail(EW_BAD_INPUT, "the checkpoint does not fit this case and mesh; start again "
                                 "without --resume");
}

/* *data: `bytes` of the record, which moves on. */
static ew_status read_bytes(ew_recalled *from, size_t bytes, const unsigned char **data)
{
    if (bytes > from->size - from->offset) {
        return ew_study_fail_to_fit();
    }
    *data = from->data + from->offset;
    from->offset += bytes;
    return EW_OK;
}

static ew_status copy(ew_recalled *from, size_t bytes, void *data)
{
    const unsigned char *at = NULL;
    EW_TRY(read_bytes(from, bytes, &at));
    memcpy(data, at, bytes);
    return EW_OK;
}

static ew_status copy_solve(ew_recalled *from, solve_record *record)
{
    EW_TRY(copy(from, sizeof *record, record));
    if (record->n_history < 0 || record->n_vertex < 0 || record->n_edge_row < 0 ||
        record->n_state < 0 || record->n_contact < 0) {
        return ew_study_fail_to_fit();
    }
    record->preconditioner[sizeof record->preconditioner - 1] = '\0';
    return EW_OK;
}

/* Finds the journal, which stands behind the solves and the warnings, and warns. */
static ew_status find_journal(ew_study *study)
{
    ew_recalled *from = &study->recalled;
    char mark = 0;
    const unsigned char *skipped = NULL;
    EW_TRY(copy(from, 1, &mark));
    while (mark == 'S') {
        solve_record record;
        EW_TRY(copy_solve(from, &record));
        EW_TRY(read_bytes(from, (size_t)record.n_history * sizeof(double), &skipped));
        EW_TRY(read_bytes(from, (size_t)record.n_vertex * 3 * sizeof(double), &skipped));
        EW_TRY(read_bytes(from, (size_t)record.n_edge_row * 3 * sizeof(double), &skipped));
        EW_TRY(read_bytes(from, (size_t)record.n_state * sizeof(double), &skipped));
        EW_TRY(read_bytes(from, n_mixed(study, record.n_vertex) * sizeof(double), &skipped));
        EW_TRY(read_bytes(from, (size_t)record.n_contact * sizeof(double), &skipped));
        EW_TRY(copy(from, 1, &mark));
    }
    if (mark == 'D') {
        uint64_t size = 0;
        EW_TRY(copy(from, sizeof size, &size));
        EW_TRY(read_bytes(from, (size_t)size, &from->motion));
        from->motion_bytes = (size_t)size;
        EW_TRY(copy(from, 1, &mark));
    }
    while (mark == 'W') {
        ew_warning warning;
        EW_TRY(copy(from, sizeof warning, &warning));
        ew_study_warn(study, warning.kind, warning.line, "%.*s", (int)sizeof warning.text - 1,
                      warning.text);
        EW_TRY(copy(from, 1, &mark));
    }
    uint64_t bytes = 0;
    EW_TRY(mark == 'J' ? copy(from, sizeof bytes, &bytes) : ew_study_fail_to_fit());
    EW_TRY(read_bytes(from, (size_t)bytes, &from->journal));
    from->journal_bytes = (size_t)bytes;
    return EW_OK;
}

ew_status ew_study_note_failure(ew_study *study, ew_status status, const char *message)
{
    char text[STUDY_FAILURE_TEXT] = "";
    const int32_t code = (int32_t)status;
    if (!is_new(study)) {
        return EW_OK;
    }
    snprintf(text, sizeof text, "%s", message);
    study->record.bytes = 0;
    EW_TRY(ew_journal_put(&study->record, &study->n_record, sizeof study->n_record));
    EW_TRY(ew_journal_put(&study->record, "F", 1));
    EW_TRY(ew_journal_put(&study->record, &code, sizeof code));
    EW_TRY(ew_journal_put(&study->record, text, sizeof text));
    return put_away(study, study->record.data, (size_t)study->record.bytes);
}

/* *failed: the record says why a step was not done. */
static ew_status find_failure(ew_study *study, bool *failed)
{
    ew_recalled *from = &study->recalled;
    char mark = 0;
    int32_t code = 0;
    EW_TRY(copy(from, 1, &mark));
    *failed = mark == 'F';
    if (*failed) {
        EW_TRY(copy(from, sizeof code, &code));
        EW_TRY(copy(from, sizeof from->message, from->message));
        from->message[sizeof from->message - 1] = 0;
        from->failure = (ew_status)code;
    }
    return *failed && from->failure <= EW_OK ? ew_study_fail_to_fit() : EW_OK;
}

/* In the checkpoint, or from the thread that computed it. */
static ew_status find_record(ew_study *study)
{
    ew_recalled *from = &study->recalled;
    const int32_t k = study->n_record - study->first_record;
    const void *data = NULL;
    if (study->n_record < study->n_recorded) {
        EW_TRY(ew_checkpoint_record(study->def.checkpoint, study->n_record, &data, &from->size));
    } else if (study->source && k < study->source->n_record) {
        data = study->source->record[k].data;
        from->size = (size_t)study->source->record[k].bytes;
        from->is_of_job = true;
    }
    from->data = data;
    return EW_OK;
}

ew_status ew_study_recall(ew_study *study)
{
    ew_recalled *from = &study->recalled;
    int32_t step = -1;
    *from = (ew_recalled){0};
    study->record.bytes = 0;
    EW_TRY(ew_journal_put(&study->record, &study->n_record, sizeof study->n_record));
    EW_TRY(find_record(study));
    if (!from->data) {
        return EW_OK;
    }
    EW_TRY(copy(from, sizeof step, &step));
    if (step != study->n_record) {
        return ew_study_fail_to_fit();
    }
    const size_t first = from->offset;
    bool failed = false;
    EW_TRY(find_failure(study, &failed));
    from->offset = first;
    EW_TRY(failed ? EW_OK : find_journal(study));
    from->offset = first;
    study->report.is_recalled = !from->is_of_job;
    return EW_OK;
}

static ew_status find_kind(const char *name, ew_preconditioner_kind *kind)
{
    for (int k = 0; k < EW_PRECONDITIONER_COUNT; k++) {
        if (!strcmp(name, ew_preconditioner_name((ew_preconditioner_kind)k))) {
            *kind = (ew_preconditioner_kind)k;
            return EW_OK;
        }
    }
    return ew_study_fail_to_fit();
}

/* Bytes of a record stand anywhere: copied to where doubles may. */
static ew_status copy_numbers(ew_study *study, const unsigned char *data, size_t n,
                              const double **number)
{
    EW_TRY(ew_grow(&study->number, &study->number_capacity, (int64_t)n, sizeof *study->number));
    memcpy(study->number, data, n * sizeof *study->number);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(study->number[i])) {
            return ew_study_fail_to_fit();
        }
    }
    *number = study->number;
    return EW_OK;
}

/* number: history, displacement of vertices and edges, state. */
static ew_status accept_nonlinear(ew_study *study, const solve_record *record, const double *number)
{
    ew_nonlinear_info info = record->nonlinear;
    const double *displacement = number + record->n_history;
    const double *edges = displacement + 3 * (size_t)record->n_vertex;
    const double *state = edges + 3 * (size_t)record->n_edge_row;
    EW_TRY(record->n_edge_row
               ? ew_model_put_edge_displacement(study->model, record->n_edge_row, edges)
               : EW_OK);
    EW_TRY(ew_study_accept_nonlinear(study, &info, record->n_state, displacement, state));
    study->nonlinear_solver.iterations = record->iterations;
    EW_TRY(find_kind(record->preconditioner, &study->nonlinear_solver.preconditioner));
    study->nonlinear_solver.n_history = record->n_history;
    study->nonlinear_solver.history = number;
    return EW_OK;
}

static ew_status accept(ew_study *study, const ew_pcg_def *def)
{
    ew_recalled *from = &study->recalled;
    solve_record record;
    char mark = 0;
    const unsigned char *data = NULL;
    const double *number = NULL;
    EW_TRY(copy(from, 1, &mark));
    EW_TRY(mark == 'S' ? copy_solve(from, &record) : ew_study_fail_to_fit());
    study->seconds_recalled += from->is_of_job ? record.seconds : 0.0;
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const size_t n_history = (size_t)record.n_history, n = 3 * (size_t)record.n_vertex;
    const size_t n_edge = 3 * (size_t)record.n_edge_row, n_state = (size_t)record.n_state;
    if (record.n_vertex != ew_model_mesh(study->model)->n_vertex ||
        record.n_edge_row != (rows ? rows->pattern.n_row : 0)) {
        return ew_study_fail_to_fit();
    }
    const size_t n_before = n_history + n + n_edge + n_state;
    const size_t n_mix = n_mixed(study, record.n_vertex), n_contact = (size_t)record.n_contact;
    const size_t n_all = n_before + n_mix + n_contact;
    EW_TRY(read_bytes(from, n_all * sizeof(double), &data));
    EW_TRY(copy_numbers(study, data, n_all, &number));
    EW_TRY(ew_model_put_contact_state(study->model, record.n_contact, number + n_before + n_mix));
    if (ew_model_is_nonlinear(study->model)) { /* the volumetric stress follows from that */
        return accept_nonlinear(study, &record, number);
    }
    if (n_mix) {
        memcpy(ew_model_volumetric_stress(study->model), number + n_before, n_mix * sizeof *number);
    }
    if (rows) {
        EW_TRY(ew_model_put_edge_displacement(study->model, record.n_edge_row,
                                              number + n_history + n));
    }
    ew_pcg_info known = {.iterations = record.iterations,
                         .passes = record.passes,
                         .reference = record.reference,
                         .residual = record.residual,
                         .first_residual = record.first_residual,
                         .energy_error = record.energy_error,
                         .energy_factor = record.energy_factor,
                         .is_local = record.is_local != 0,
                         .n_local = record.n_local,
                         .fallback = (ew_status)record.fallback,
                         .limited_by_rounding = record.limited_by_rounding != 0,
                         .reason = "",
                         .n_history = record.n_history,
                         .history = number};
    EW_TRY(find_kind(record.preconditioner, &known.preconditioner));
    return ew_model_accept(study->model, def, number + n_history, &known, &study->report.solver);
}

ew_status ew_study_solve(ew_study *study, const ew_pcg_def *def)
{
    if (study->recalled.data) {
        return accept(study, def);
    }
    if (study->solves_nothing) {
        return ew_fail(EW_BAD_INPUT, "an edit that looks at an answer has no derivatives; use "
                                     "'method: cobyla'");
    }
    ew_model_expect_no_answers(study->model);
    EW_TRY(ew_model_is_nonlinear(study->model) ? ew_study_solve_nonlinear(study, def)
                                               : ew_study_solve_linear(study, def));
    return ew_study_keeps_records(study) ? note_solve(study) : EW_OK;
}
