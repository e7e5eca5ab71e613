/* The combinations of a sweep, one after the other. In: a study of the case that has begun. Each
 * combination is the case read again with other values of its parameters, on the mesh as the case
 * has it; its records follow those of the one before. One that fails leaves records that say so. */
#include "study/run/run.h"

#include <stdio.h>
#include <string.h>

/* ---- the plan ---------------------------------------------------------------------- */

static ew_status take_records(ew_case *input)
{
    ew_case_sweep *sweep = input->sweep;
    ew_arena_block *arena = input->arena;
    const ew_status status = ew_arena_take(
        &arena, ((size_t)sweep->n + 1) * sizeof *sweep->first_record, &sweep->first_record);
    input->arena = arena;
    return status;
}

static ew_status refuse_mesh(const ew_case_sweep *sweep, int32_t k)
{
    return ew_fail_at(EW_BAD_INPUT, sweep->line,
                      "%s: combination %d has another 'mesh', but all start from one that is made "
                      "before; take its numbers out of the %s, or vary it by edits",
                      sweep->search ? "optimise" : "sweep", (int)k + 1,
                      sweep->search ? "search" : "sweep");
}

/* Where a search may go: the ends of the ranges. Between them each evaluation is looked at. */
static ew_status check_ends(ew_case *input)
{
    ew_case_sweep *sweep = input->sweep;
    const double *const end[] = {sweep->search->low, sweep->search->high};
    for (int i = 0; i < 2; i++) {
        ew_case given;
        memcpy(sweep->value, end[i], (size_t)sweep->n_parameter * sizeof *sweep->value);
        const ew_status status = ew_study_read_combination(input, 0, &given);
        EW_TRY(status == EW_NO_MEMORY ? status : EW_OK);
        if (!status) { /* one that cannot be read is a failure of the search's */
            const bool same = ew_case_same_mesh(input, &given);
            ew_case_free(&given);
            EW_TRY(same ? EW_OK : refuse_mesh(sweep, 0));
        }
    }
    memset(sweep->value, 0, (size_t)sweep->n_parameter * sizeof *sweep->value);
    return EW_OK;
}

/* Combinations that nobody knows yet have as many records as the case. */
static ew_status plan_search(ew_case *input)
{
    ew_case_sweep *sweep = input->sweep;
    if ((int64_t)input->n_record * sweep->n > INT32_MAX / 2) {
        return ew_fail_at(EW_BAD_INPUT, sweep->line,
                          "optimise: more records than a result can "
                          "have; ask for fewer 'evaluations'");
    }
    EW_TRY(check_ends(input));
    for (int32_t k = 0; k <= sweep->n; k++) {
        sweep->first_record[k] = k * input->n_record;
    }
    input->n_record *= sweep->n;
    sweep->is_planned = true;
    return EW_OK;
}

/* Derivatives are by what combinations differ in. */
static ew_status check_derivatives(const ew_case *input)
{
    const ew_case_sweep *sweep = input->sweep;
    for (int32_t i = 0; i < input->n_goal; i++) {
        const ew_case_goal *goal = &input->goal[i];
        for (int32_t k = 0; k < goal->n_by; k++) {
            bool found = false;
            for (int32_t j = 0; j < sweep->n_parameter; j++) {
                found = found || sweep->parameter[j] == goal->by[k];
            }
            if (!found) {
                return ew_fail_at(EW_BAD_INPUT, goal->line,
                                  "goal '%s': '%s' is no parameter of the %s; derivatives are by "
                                  "those that it varies",
                                  goal->name, input->parameter[goal->by[k]].name,
                                  sweep->search ? "search" : "sweep");
            }
        }
    }
    return EW_OK;
}

ew_status ew_case_plan(ew_case *input,
                       ew_status (*read_text)(void *user, const char *file, ew_text *text),
                       void *user)
{
    ew_case_sweep *sweep = input->sweep;
    ew_text text = {0};
    int64_t n_record = 0;
    if (!sweep || sweep->is_planned) {
        return EW_OK;
    }
    if (sweep->file) {
        EW_TRY(read_text ? read_text(user, sweep->file, &text)
                         : ew_refuse(EW_RULE_READER, "'%s'", sweep->file));
        const ew_status status = ew_case_read_rows(input, text.data, text.size);
        ew_text_free(&text);
        EW_TRY(status ? ew_fail_line(status, sweep->line) : EW_OK);
    }
    EW_TRY(check_derivatives(input));
    EW_TRY(take_records(input));
    if (sweep->search) {
        return plan_search(input);
    }
    for (int32_t k = 0; k < sweep->n; k++) {
        ew_case given;
        const ew_status status = ew_study_read_combination(input, k, &given);
        EW_TRY(status == EW_NO_MEMORY ? status : EW_OK);
        sweep->first_record[k] = (int32_t)(n_record < INT32_MAX ? n_record : INT32_MAX);
        n_record += status ? input->n_record : given.n_record;
        if (!status) {
            const bool same = ew_case_same_mesh(input, &given);
            ew_case_free(&given);
            EW_TRY(same ? EW_OK : refuse_mesh(sweep, k));
        }
    }
    if (n_record > INT32_MAX / 2) {
        return ew_fail_at(EW_BAD_INPUT, sweep->line,
                          "sweep: %lld records are more than a result "
                          "can have",
                          (long long)n_record);
    }
    input->n_record = sweep->first_record[sweep->n] = (int32_t)n_record;
    sweep->is_planned = true;
    return EW_OK;
}

/* ---- one combination ----------------------------------------------------------------- */

/* The step that a record is of. */
static const ew_case_step *step_of(const ew_case *input, int32_t record)
{
    int32_t s = 0;
    while (s + 1 < input->n_step && input->step[s + 1].first_record <= record) {
        s++;
    }
    return &input->step[s];
}

/* Records in place of those that are missing. */
static ew_status fill(ew_study *study, const ew_case *input, int32_t n_record, ew_status status,
                      const char *message)
{
    while (study->n_record < study->first_record + n_record) {
        const ew_case_step *step = step_of(input, study->n_record - study->first_record);
        EW_TRY(ew_study_save_failure(study, input, step, status, message));
    }
    return EW_OK;
}

typedef struct sweep_run {
    ew_study *study;
    const ew_case *input;
    ew_case given[2];     /* the combination under way, and the one before, which the study has */
    study_jobs *jobs;     /* or null */
    int32_t first_shared; /* combination that groups of processes may have computed, */
    study_job received;   /* and what one has left */
    bool is_whole;        /* the one before did not fail */
    bool from_base;       /* it began with the case's mesh */
    double *answer;       /* owned: its displacement, where the next one takes it for a start */
    int32_t n_failed;
    char first_failure[STUDY_FAILURE_TEXT];
} sweep_run;

/* What was said of the failure when it came first, where it is done again or replayed. */
static void describe_failure(sweep_run *run, int32_t k, char message[STUDY_FAILURE_TEXT])
{
    char why[STUDY_FAILURE_TEXT];
    snprintf(why, sizeof why, "%s", ew_message());
    if (ew_study_fail_again(run->study)) {
        snprintf(message, STUDY_FAILURE_TEXT, "%s", ew_message());
    } else {
        ew_study_describe_combination(run->input, k, why, message);
    }
    if (!run->n_failed++) {
        memcpy(run->first_failure, message, STUDY_FAILURE_TEXT);
    }
}

/* What the record to come says, where it is done again or replayed: that it began with the case's
 * mesh. False where there is none yet. */
static ew_status find_base(ew_study *study, bool *base)
{
    const ew_result_archive *replay = study->replay;
    const int32_t k = study->n_record;
    const void *journal = replay ? replay->journal[k] : NULL;
    size_t bytes = replay ? replay->journal_bytes[k] : 0;
    EW_TRY(ew_study_recall(study));
    if (study->recalled.data) {
        journal = study->recalled.journal;
        bytes = study->recalled.journal_bytes;
    }
    *base = bytes && !memcmp(journal, EW_JOURNAL_BASE_MARK, 1);
    return EW_OK;
}

static ew_status start_combination(sweep_run *run, int32_t k, bool from_base)
{
    ew_study *study = run->study;
    const ew_case *given = &run->given[k % 2];
    study->n_done = 0;
    study->moves.before = from_base ? NULL : &run->given[(k + 1) % 2];
    study->notes_base = from_base && k && study->sweep_start == EW_SWEEP_CONTINUE;
    if (!from_base) {
        EW_TRY(run->from_base ? ew_study_measure_made(study) : EW_OK);
        return ew_study_go_on(study, given);
    }
    EW_TRY(ew_study_start_again(study, given));
    if (run->answer) {
        ew_study_put_answer(study, run->answer);
    }
    if (k == 0 && study->def.on_sets) {
        study->def.on_sets(study->def.user, given->n_set, study->set_report);
    }
    return EW_OK;
}

static ew_status attempt_combination(sweep_run *run, int32_t k, bool from_base)
{
    ew_study *study = run->study;
    EW_TRY(start_combination(run, k, from_base));
    while (study->n_done < study->input->n_step) {
        EW_TRY(ew_study_next(study));
    }
    run->from_base = from_base;
    return EW_OK;
}

/* One that goes on from the mesh of the one before, and cannot, begins with the mesh of the case.
 */
static ew_status run_steps(sweep_run *run, int32_t k)
{
    ew_study *study = run->study;
    bool from_base = true;
    *study->moves.refused = 0;
    if (study->sweep_start == EW_SWEEP_CONTINUE && k && run->is_whole) {
        EW_TRY(find_base(study, &from_base));
    }
    const ew_status status = attempt_combination(run, k, from_base);
    const bool again = status && ew_study_blames_combination(status) && !from_base &&
                       study->n_record == study->first_record && !ew_study_fail_again(study);
    return again ? attempt_combination(run, k, true) : status;
}

/* The study forgets a case before it is read again. */
static void forget_case(sweep_run *run, int32_t k)
{
    ew_study *study = run->study;
    if (study->input == &run->given[k % 2]) {
        ew_study_release_case(study);
        study->input = run->input;
    }
    ew_case_free(&run->given[k % 2]);
}

static ew_status keep_answer(sweep_run *run)
{
    ew_release(run->answer);
    run->answer = NULL;
    return run->study->sweep_start == EW_SWEEP_WARM ? ew_study_keep_answer(run->study, &run->answer)
                                                    : EW_OK;
}

/* What a thread found out is written; one that could not be read is read again. */
static ew_status put_combination(sweep_run *run, const ew_case *given, study_job *job)
{
    ew_study *study = run->study;
    EW_TRY(ew_outcome_put_all(study, job));
    if (job->failure) {
        return ew_fail(job->failure, "%s", job->message);
    }
    return study->n_record == study->first_record + given->n_record
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "sweep: a thread left %d of %d records",
                         (int)(study->n_record - study->first_record), (int)given->n_record);
}

/* The first combination that the checkpoint does not have whole. Where threads leave all of theirs,
 * the study goes on with what it has a part of, and begins with the first one, whose sets are
 * reported. */
static int32_t first_new(const ew_study *study)
{
    const ew_case_sweep *sweep = study->input->sweep;
    int32_t k = 0;
    while (k < sweep->n && sweep->first_record[k + 1] <= study->n_recorded) {
        k++;
    }
    const bool own = k == 0 || (k < sweep->n && sweep->first_record[k] < study->n_recorded);
    return k + (own && (study->def.groups_of_sweep || ew_jobs_are_whole(study->input)));
}

static ew_status run_combination(sweep_run *run, int32_t k)
{
    char message[STUDY_FAILURE_TEXT];
    ew_study *study = run->study;
    const ew_case *input = run->input;
    ew_case *given = &run->given[k % 2];
    study->combination = k + 1;
    study->first_record = study->n_record;
    study->recalled = (ew_recalled){0};
    study->axis_start = k ? study->axis_time + input->shortest_step : 0.0;
    forget_case(run, k);
    study_job *job = NULL;
    EW_TRY(study->def.groups_of_sweep
               ? ew_groups_of_sweep_take(study, run->first_shared, k, &run->received, &job)
               : ew_jobs_take(run->jobs, k, &job));
    study->source = job;
    ew_status status = ew_study_read_combination(input, k, given);
    const bool is_read = !status;
    if (is_read && !ew_case_same_mesh(input, given)) { /* of a search: the others are planned */
        return refuse_mesh(input->sweep, k);
    }
    if (!status) {
        status = job && job->is_whole ? put_combination(run, given, job) : run_steps(run, k);
    }
    study->source = NULL;
    run->is_whole = !status;
    if (!status) {
        return keep_answer(run);
    }
    if (!ew_study_blames_combination(status)) {
        return status;
    }
    describe_failure(run, k, message);
    ew_release(run->answer); /* where it failed is not known when it is done again */
    run->answer = NULL;
    ew_study_forget_snapshots(study);
    EW_TRY(is_read ? EW_OK : ew_study_read_stand_in(input, k, given));
    return fill(study, given, given->n_record, status, message);
}

static ew_status run_one(void *user, int32_t k)
{
    return run_combination(user, k);
}

/* ---- all ----------------------------------------------------------------------------- */

ew_status ew_study_sweep(ew_study *study)
{
    const ew_case_sweep *sweep = study->input->sweep;
    sweep_run run = {.study = study, .input = study->input};
    ew_status status =
        sweep->is_planned ? EW_OK : ew_fail(EW_BAD_ARGUMENT, "sweep: ew_case_plan comes before");
    study->n_combination = sweep->n;
    study->sweep_start = sweep->start;
    study->sweep_report = sweep->report;
    study->root = study->input;
    study->differentiate = ew_study_differentiate_goals;
    if (!status && sweep->n > 1) { /* what is wrong with the case is its combinations' to say */
        status = ew_study_keep_start(study);
        status = status && ew_study_blames_combination(status) ? EW_OK : status;
    }
    status = status ? status : ew_jobs_start(&run.jobs, study, first_new(study));
    const bool is_shared = study->def.groups_of_sweep != NULL;
    const bool is_other = is_shared && study->def.groups_of_sweep->group > 0;
    run.first_shared = is_shared ? first_new(study) : 0;
    status = status || !is_shared ? status : ew_groups_of_sweep_compute(study, run.first_shared);
    if (!status && sweep->search) {
        status = ew_study_search(study, run.input, run_one, &run);
    }
    for (int32_t k = 0; k < sweep->n && !status && !sweep->search && !is_other; k++) {
        status = run_combination(&run, k);
    }
    const int32_t n = sweep->search ? sweep->n_done : sweep->n;
    if (!status && run.n_failed == n) {
        status = ew_fail(EW_BAD_INPUT, "%s: all %d combinations failed; the first one: %s",
                         sweep->search ? "optimise" : "sweep", (int)n, run.first_failure);
    }
    ew_jobs_stop(run.jobs);
    ew_job_free(&run.received);
    ew_study_release_model(study);
    ew_release(run.answer);
    study->input = run.input;
    ew_case_free(&run.given[0]);
    ew_case_free(&run.given[1]);
    return status;
}
