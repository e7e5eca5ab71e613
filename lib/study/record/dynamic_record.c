/* The state of a dynamic step at an output, in the checkpoint: what the model goes on from, and the
 * samples of probes since the output before. As in memory:
 *
 *   motion_record
 *   double   [n_vertex][3] displacement, velocity and acceleration by slot, one after the other
 *   double   [n_edge_row][3] the same of the edges of quadratic tets by row
 *   double   [n_state] state of the laws
 *   double   [n_contact] state of contacts
 *   double   [n_sample] times, [n_sample][n_probe][12] samples
 */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

typedef struct motion_record {
    ew_dynamics_state state;
    double residual;
    int64_t all_iterations, n_state, n_contact; /* the latter: numbers in all */
    int32_t iterations, max_iterations, limited_by_rounding, fallback, preconditioner;
    int32_t n_vertex, n_edge_row, n_sample, n_probe;
} motion_record;

static int32_t count_edge_rows(const ew_study *study)
{
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    return rows ? rows->pattern.n_row : 0;
}

static void list_fields(ew_model *model, double *field[3])
{
    field[0] = ew_model_field(model, 0);
    field[1] = ew_model_velocity(model);
    field[2] = ew_model_acceleration(model);
}

static size_t sample_width(const ew_motion_report *report)
{
    return 3 * EW_PROBE_QUANTITIES * (size_t)report->n_probe;
}

static motion_record describe(const ew_study *study)
{
    const study_motion *motion = &study->motion;
    motion_record record;
    memset(&record, 0, sizeof record);
    ew_model_dynamics_state(study->model, &record.state);
    record.residual = motion->solver.residual;
    record.all_iterations = motion->report.iterations;
    record.iterations = motion->solver.iterations;
    record.max_iterations = motion->report.max_iterations;
    record.limited_by_rounding = motion->solver.limited_by_rounding;
    record.fallback = (int32_t)motion->solver.fallback;
    record.preconditioner = (int32_t)motion->solver.preconditioner;
    record.n_vertex = ew_model_mesh(study->model)->n_vertex;
    record.n_edge_row = count_edge_rows(study);
    record.n_state = ew_study_law_state(study, NULL);
    record.n_sample = motion->report.n_sample;
    record.n_probe = motion->report.n_probe;
    return record;
}

ew_status ew_study_note_motion(ew_study *study)
{
    if (!ew_study_keeps_records(study)) {
        return EW_OK;
    }
    const study_motion *motion = &study->motion;
    const double *state, *contact;
    double *field[3];
    motion_record record = describe(study);
    EW_TRY(ew_model_contact_state(study->model, &record.n_contact, &contact));
    const size_t n = (size_t)record.n_vertex * 3 * sizeof(double);
    const size_t n_sample = (size_t)record.n_sample;
    const size_t samples = n_sample * sample_width(&motion->report) * sizeof(double);
    const size_t n_edge = (size_t)record.n_edge_row * 3 * sizeof(double);
    const size_t n_state = (size_t)record.n_state * sizeof(double);
    const size_t n_contact = (size_t)record.n_contact * sizeof(double);
    const uint64_t bytes = sizeof record + 3 * (n + n_edge) + n_state + n_contact +
                           n_sample * sizeof(double) + samples;
    ew_study_law_state(study, &state);
    list_fields(study->model, field);
    EW_TRY(ew_journal_put(&study->record, "D", 1));
    EW_TRY(ew_journal_put(&study->record, &bytes, sizeof bytes));
    EW_TRY(ew_journal_put(&study->record, &record, sizeof record));
    for (int k = 0; k < 3; k++) {
        EW_TRY(ew_journal_put(&study->record, field[k], n));
    }
    for (int k = 0; k < 3; k++) {
        EW_TRY(ew_journal_put(&study->record, ew_model_edge_state(study->model, k), n_edge));
    }
    EW_TRY(ew_journal_put(&study->record, state, n_state));
    EW_TRY(ew_journal_put(&study->record, contact, n_contact));
    EW_TRY(ew_journal_put(&study->record, motion->time, n_sample * sizeof(double)));
    return ew_journal_put(&study->record, motion->sample, samples);
}

static ew_status take_numbers(ew_recalled *from, size_t n, double *to)
{
    if (n == 0) {
        return EW_OK; /* `to` may be null */
    }
    memcpy(to, from->motion, n * sizeof *to);
    from->motion += n * sizeof *to;
    from->motion_bytes -= n * sizeof *to;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(to[i])) {
            return ew_study_fail_to_fit();
        }
    }
    return EW_OK;
}

static ew_status take_samples(ew_study *study, int32_t n)
{
    study_motion *motion = &study->motion;
    ew_recalled *from = &study->recalled;
    const size_t width = sample_width(&motion->report), values = (size_t)n * width;
    EW_TRY(ew_grow(&motion->time, &motion->time_capacity, n, sizeof *motion->time));
    EW_TRY(ew_grow(&motion->sample, &motion->sample_capacity, (int64_t)values,
                   sizeof *motion->sample));
    EW_TRY(take_numbers(from, (size_t)n, motion->time));
    if (values) { /* not finite where a set was empty */
        memcpy(motion->sample, from->motion, values * sizeof *motion->sample);
    }
    motion->report.n_sample = n;
    return EW_OK;
}

/* Of laws or contacts, n numbers. */
static ew_status take_state(ew_study *study, int64_t n,
                            ew_status (*put)(ew_model *model, int64_t n, const double *state))
{
    ew_recalled *from = &study->recalled;
    double *state = NULL;
    if (!n) {
        return EW_OK;
    }
    EW_TRY(ew_new(&state, (size_t)n, sizeof *state));
    ew_status status = take_numbers(from, (size_t)n, state);
    if (!status) {
        status = put(study->model, n, state);
        status = status == EW_BAD_INPUT ? ew_study_fail_to_fit() : status;
    }
    ew_release(state);
    return status;
}

static void take_counts(study_motion *motion, const motion_record *record)
{
    motion->solver.iterations = record->iterations;
    motion->solver.residual = record->residual;
    motion->solver.limited_by_rounding = record->limited_by_rounding != 0;
    motion->solver.fallback = (ew_status)record->fallback;
    motion->solver.preconditioner = (ew_preconditioner_kind)record->preconditioner;
    motion->report.iterations = record->all_iterations;
    motion->report.max_iterations = record->max_iterations;
}

/* Sizes that the rest of the record has exactly. */
static bool has_exact_size(const ew_study *study, const motion_record *record)
{
    const size_t n_vertex = (size_t)ew_model_mesh(study->model)->n_vertex;
    const size_t width = 1 + sample_width(&study->motion.report);
    return (size_t)record->n_vertex == n_vertex && record->n_edge_row == count_edge_rows(study) &&
           record->n_sample >= 0 && record->n_probe == study->motion.report.n_probe &&
           isfinite(record->residual) && record->fallback >= 0 &&
           record->fallback < EW_STATUS_COUNT && record->preconditioner >= 0 &&
           record->preconditioner < EW_PRECONDITIONER_COUNT && record->n_state >= 0 &&
           record->n_contact >= 0 &&
           study->recalled.motion_bytes / sizeof(double) ==
               9 * (n_vertex + (size_t)record->n_edge_row) + (size_t)record->n_state +
                   (size_t)record->n_contact + (size_t)record->n_sample * width;
}

ew_status ew_study_recall_motion(ew_study *study)
{
    ew_recalled *from = &study->recalled;
    motion_record record;
    double *field[3];
    if (!from->motion || from->motion_bytes < sizeof record) {
        return ew_study_fail_to_fit();
    }
    memcpy(&record, from->motion, sizeof record);
    from->motion += sizeof record;
    from->motion_bytes -= sizeof record;
    list_fields(study->model, field);
    if (!field[1] || !field[2]) {
        return ew_fail(EW_NO_MEMORY, "no memory for velocities");
    }
    if (!has_exact_size(study, &record)) {
        return ew_study_fail_to_fit();
    }
    for (int k = 0; k < 3; k++) {
        EW_TRY(take_numbers(from, 3 * (size_t)record.n_vertex, field[k]));
    }
    for (int k = 0; k < 3 && record.n_edge_row; k++) {
        EW_TRY(take_numbers(from, 3 * (size_t)record.n_edge_row,
                            ew_model_edge_state(study->model, k)));
    }
    EW_TRY(take_state(study, record.n_state, ew_model_put_law_state));
    EW_TRY(take_state(study, record.n_contact, ew_model_put_contact_state));
    EW_TRY(take_samples(study, record.n_sample));
    take_counts(&study->motion, &record);
    return ew_model_restore_dynamics(study->model, &study->motion.def, &record.state);
}
