/* Combinations of a sweep shared by groups of processes. In: the numbers of this group. Out: their
 * records, of which the first group does the steps again without iterating, in order: so there is
 * one result, with the same bits for any number of groups. */
#include "study/run/run.h"

#include <string.h>

static ew_status refuse(const ew_study *study)
{
    const ew_case_sweep *sweep = study->input->sweep;
    return sweep->search
               ? ew_fail_at(EW_BAD_INPUT, sweep->line,
                            "groups: a search chooses a combination when it knows the one before; "
                            "give it all processes, without --group")
           : sweep->start != EW_SWEEP_FRESH
               ? ew_fail_at(EW_BAD_INPUT, sweep->line,
                            "groups: combinations that start from the one before run one after the "
                            "other; leave out 'start' or --group")
               : EW_OK;
}

/* ---- messages: the failure, records, each after its size ---------------------------- */

static ew_status pack(const study_job *job, ew_journal *to)
{
    EW_TRY(ew_journal_put(to, &job->n_record, sizeof job->n_record));
    for (int32_t i = 0; i < job->n_record; i++) {
        const ew_journal *record = &job->record[i];
        EW_TRY(ew_journal_put(to, &record->bytes, sizeof record->bytes));
        EW_TRY(ew_journal_put(to, record->data, (size_t)record->bytes));
    }
    return EW_OK;
}

static bool read_count(const unsigned char **at, const unsigned char *end, int32_t *count)
{
    if (end - *at < (ptrdiff_t)sizeof *count) {
        return false;
    }
    memcpy(count, *at, sizeof *count);
    *at += sizeof *count;
    return *count >= 0;
}

static ew_status unpack(const unsigned char *at, size_t size, study_job *job)
{
    const unsigned char *end = at + size;
    int32_t n = 0, bytes = 0;
    bool good = read_count(&at, end, &n);
    for (int32_t i = 0; i < n && good; i++) {
        good = read_count(&at, end, &bytes) && bytes <= end - at;
        EW_TRY(ew_grow(&job->record, &job->capacity, (int64_t)i + 1, sizeof *job->record));
        job->record[i] = (ew_journal){0};
        job->n_record = i + 1;
        EW_TRY(good ? ew_journal_put(&job->record[i], at, (size_t)bytes) : EW_OK);
        at += good ? bytes : 0;
    }
    return good ? EW_OK : ew_fail(EW_BAD_INPUT, "groups: a combination's records are cut off");
}

/* ---- interface ---------------------------------------------------------------------- */

static ew_status compute(ew_study *beside, const ew_study *study, int32_t k)
{
    const ew_study_groups *groups = study->def.groups_of_sweep;
    study_job job = {.wants_records = true};
    ew_journal message = {0};
    beside->sink = &job;
    beside->n_done = 0;
    ew_status status = ew_job_compute(beside, study->input, k);
    status = status ? status : pack(&job, &message);
    status = status ? status : groups->give(groups->user, k, (size_t)message.bytes, message.data);
    ew_release(message.data);
    ew_job_free(&job);
    return status;
}

ew_status ew_groups_of_sweep_compute(const ew_study *study, int32_t first)
{
    const ew_study_groups *groups = study->def.groups_of_sweep;
    ew_study *beside = NULL;
    ew_status status = EW_OK;
    EW_TRY(refuse(study));
    if (groups->group == 0) {
        return EW_OK;
    }
    EW_TRY(ew_study_make_beside(&beside, study, study->input));
    beside->def.estimate_error = beside->def.measure_edits = beside->def.verify_rebuild = false;
    for (int32_t k = first; k < study->input->sweep->n && !status; k++) {
        status = k % groups->n == groups->group ? compute(beside, study, k) : EW_OK;
    }
    ew_study_free_beside(beside);
    return status;
}

ew_status ew_groups_of_sweep_take(const ew_study *study, int32_t first, int32_t k, study_job *room,
                                  study_job **job)
{
    const ew_study_groups *groups = study->def.groups_of_sweep;
    void *data = NULL;
    size_t size = 0;
    ew_job_free(room);
    *job = NULL;
    if (k < first || k % groups->n == 0) {
        return EW_OK;
    }
    EW_TRY(groups->take(groups->user, k, &size, &data));
    const ew_status status = unpack(data, size, room);
    ew_release(data);
    *job = room;
    return status;
}
