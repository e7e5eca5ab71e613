/* Combinations of a sweep side by side. Threads compute them on models of their own, and leave what
 * the study writes in their order: so there is one result, with the same bits for any number of
 * threads. Of dynamic steps, removals and surfaces, whose records depend on those before, they
 * leave what a checkpoint would have, and the study does them again without iterating, as a run
 * that is resumed does. */
#define _POSIX_C_SOURCE 200809L
#include "study/run/run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct study_jobs {
    const ew_study *study; /* whose combinations they are */
    const ew_case *input;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a job is done, or taken, or all are to stop */
    atomic_bool stop;
    atomic_bool has_mesh; /* the result does */
    int32_t next, taken;  /* combination that nobody has begun; that the study came to */
    int32_t n_thread, n_started, n_ahead;
    size_t waiting; /* bytes that the study has not taken yet */
    bool is_whole;
    int n_host_thread; /* each has for its loops */
    pthread_t *thread; /* [n_thread] owned */
    study_job *job;    /* [combinations] owned */
};

void ew_job_free(study_job *job)
{
    for (int32_t i = 0; i < job->n_record; i++) {
        ew_release(job->record[i].data);
    }
    ew_release(job->record);
    for (int32_t i = 0; i < job->n_outcome; i++) {
        ew_outcome_free(job->outcome[i]);
    }
    ew_release(job->outcome);
    job->record = NULL;
    job->outcome = NULL;
    job->n_record = job->n_outcome = job->capacity = job->outcome_capacity = 0;
}

/* ---- a thread ---------------------------------------------------------------------- */

static bool go_on(void *user, const char *stage, double done)
{
    const study_jobs *jobs = user;
    (void)stage;
    (void)done;
    return !atomic_load(&jobs->stop);
}

ew_status ew_study_make_beside(ew_study **beside, const ew_study *study, const ew_case *input)
{
    ew_study *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->input = input;
    made->n_combination = study->n_combination;
    made->sweep_start = study->sweep_start;
    made->sweep_report = study->sweep_report;
    made->root = study->root;
    made->differentiate = study->differentiate;
    made->base = study->base;
    made->start = study->start;
    made->def = study->def;
    made->def.checkpoint = NULL;
    made->def.on_sets = NULL;
    made->def.on_step = NULL;
    made->def.on_removal = NULL;
    made->def.on_surfaces = NULL;
    *beside = made;
    return EW_OK;
}

/* A study of a thread, for one combination after the other. */
static ew_status make_study(study_jobs *jobs, ew_study **study)
{
    ew_study *made;
    EW_TRY(ew_study_make_beside(&made, jobs->study, jobs->input));
    if (!jobs->is_whole) {
        made->def.estimate_error = made->def.measure_edits = made->def.verify_rebuild = false;
    }
    made->def.progress = (ew_progress){jobs, go_on};
    *study = made;
    return EW_OK;
}

void ew_study_free_beside(ew_study *beside)
{
    if (beside) {
        memset(&beside->base, 0, sizeof beside->base); /* borrowed */
        beside->start = NULL;                          /* likewise */
        ew_study_free(beside);
    }
}

static ew_status compute(ew_study *study, const ew_case *given)
{
    EW_TRY(ew_study_start_again(study, given));
    while (study->n_done < given->n_step) {
        EW_TRY(ew_study_next(study));
    }
    return EW_OK;
}

ew_status ew_job_compute(ew_study *study, const ew_case *input, int32_t k)
{
    char message[STUDY_FAILURE_TEXT];
    ew_case given = {0};
    study->combination = k + 1;
    study->first_record = study->n_record = input->sweep->first_record[k];
    study_job *job = study->sink;
    ew_status status = ew_study_read_combination(input, k, &given);
    if (status) { /* that costs nothing to be found again */
        return ew_study_blames_combination(status) ? EW_OK : status;
    }
    status = compute(study, &given);
    if (status && ew_study_blames_combination(status) && job->is_whole) {
        job->failure = status;
        snprintf(job->message, sizeof job->message, "%s", ew_message());
        status = EW_OK;
    } else if (status && ew_study_blames_combination(status)) {
        ew_study_describe_combination(input, k, ew_message(), message);
        status = ew_study_note_failure(study, status, message);
    }
    ew_study_release_case(study);
    study->input = input;
    ew_case_free(&given);
    return status;
}

static void run_job(study_jobs *jobs, int32_t k, ew_study **study)
{
    study_job *job = &jobs->job[k];
    ew_status status = *study ? EW_OK : make_study(jobs, study);
    job->is_whole = jobs->is_whole;
    job->wants_frames = jobs->study->result != NULL;
    job->wants_mesh = !atomic_load(&jobs->has_mesh);
    job->wants_records = jobs->study->def.checkpoint != NULL;
    if (!status) {
        (*study)->sink = job;
        (*study)->n_done = 0;
        status = ew_job_compute(*study, jobs->input, k);
    }
    job->status = status;
    if (status) {
        snprintf(job->message, sizeof job->message, "%s", ew_message());
    }
}

/* Memory for what waits stays bounded; the combination that the study waits for always goes on. */
static bool is_too_far(const study_jobs *jobs)
{
    const size_t most = (size_t)1 << 30;
    return jobs->next > jobs->taken + jobs->n_ahead ||
           (jobs->next > jobs->taken && jobs->waiting > most);
}

/* The next combination to compute, not too far ahead of what the study has taken; -1: none. */
static int32_t take_job(study_jobs *jobs)
{
    const int32_t n = jobs->input->sweep->n;
    while (!atomic_load(&jobs->stop) && jobs->next < n && is_too_far(jobs)) {
        pthread_cond_wait(&jobs->changed, &jobs->mutex);
    }
    return atomic_load(&jobs->stop) || jobs->next == n ? -1 : jobs->next++;
}

static void *run_jobs(void *user)
{
    study_jobs *jobs = user;
    ew_study *study = NULL;
    ew_use_threads(jobs->n_host_thread);
    pthread_mutex_lock(&jobs->mutex);
    for (int32_t k = take_job(jobs); k >= 0; k = take_job(jobs)) {
        pthread_mutex_unlock(&jobs->mutex);
        run_job(jobs, k, &study);
        pthread_mutex_lock(&jobs->mutex);
        jobs->job[k].is_done = true;
        jobs->waiting += jobs->job[k].bytes;
        pthread_cond_broadcast(&jobs->changed);
    }
    pthread_mutex_unlock(&jobs->mutex);
    ew_study_free_beside(study);
    return NULL;
}

/* ---- from the study ------------------------------------------------------------------ */

static ew_status refuse(const ew_study *study)
{
    const ew_case *input = study->input;
    const ew_case_sweep *sweep = input->sweep;
    if (study->def.device) {
        return ew_refuse(EW_RULE_HOST, "jobs: a combination beside others");
    }
    if (sweep->start != EW_SWEEP_FRESH) {
        return ew_fail_at(EW_BAD_INPUT, sweep->line,
                          "jobs: combinations that start from the one before run one after the "
                          "other; leave out 'start' or --jobs");
    }
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        for (int32_t e = 0; e < step->n_edit; e++) {
            if (!strcmp(step->edit[e].operation->name, "remesh")) {
                return ew_fail_line(ew_refuse(EW_RULE_THREAD, "jobs: 'remesh'"),
                                    step->edit[e].line);
            }
        }
        if (step->n_mode || (step->dynamic && step->dynamic->start_file)) {
            return ew_fail_line(ew_refuse(EW_RULE_THREAD,
                                          "jobs: a step of modes or buckling, or from a result"),
                                step->line);
        }
    }
    return EW_OK;
}

static ew_status start_threads(study_jobs *jobs)
{
    ew_end_threads();
    while (jobs->n_started < jobs->n_thread) {
        if (pthread_create(&jobs->thread[jobs->n_started], NULL, run_jobs, jobs)) {
            return ew_fail(EW_NO_MEMORY, "jobs: %d threads cannot be started, only %d",
                           (int)jobs->n_thread, (int)jobs->n_started);
        }
        jobs->n_started++;
    }
    return EW_OK;
}

bool ew_jobs_are_whole(const ew_case *input)
{
    bool whole = !input->n_surface;
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        whole = whole && !step->dynamic && !step->n_mode && !step->remove;
    }
    return whole;
}

ew_status ew_jobs_start(study_jobs **jobs, const ew_study *study, int32_t first)
{
    study_jobs *made = NULL;
    const ew_case *input = study->input;
    *jobs = NULL;
    if (study->def.n_job < 2 || study->replay || first >= input->sweep->n) {
        return EW_OK;
    }
    EW_TRY(input->sweep->search ? ew_fail_at(EW_BAD_INPUT, input->sweep->line,
                                             "jobs: a search chooses a combination when it knows "
                                             "the one before; leave out --jobs")
                                : refuse(study));
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->study = study;
    made->input = input;
    made->is_whole = ew_jobs_are_whole(input);
    made->next = made->taken = first;
    made->n_thread =
        study->def.n_job < input->sweep->n - first ? study->def.n_job : input->sweep->n - first;
    made->n_ahead = 2 * made->n_thread;
    made->n_host_thread = ew_threads() < 2 * made->n_thread ? 1 : ew_threads() / made->n_thread;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    ew_status status = ew_new_zero(&made->job, (size_t)input->sweep->n, sizeof *made->job);
    if (!status) {
        status = ew_new_zero(&made->thread, (size_t)made->n_thread, sizeof *made->thread);
    }
    status = status ? status : start_threads(made);
    if (status) {
        ew_jobs_stop(made);
        return status;
    }
    *jobs = made;
    return EW_OK;
}

/* A fifth of a second at most. */
static void wait_for_change(study_jobs *jobs)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&jobs->changed, &jobs->mutex, &until);
}

ew_status ew_jobs_take(study_jobs *jobs, int32_t k, study_job **job)
{
    ew_status status = EW_OK;
    *job = NULL;
    if (!jobs || k < jobs->taken) {
        return EW_OK;
    }
    pthread_mutex_lock(&jobs->mutex);
    if (k > jobs->taken) {
        jobs->waiting -= jobs->job[k - 1].bytes;
        ew_job_free(&jobs->job[k - 1]);
    }
    jobs->taken = k;
    atomic_store(&jobs->has_mesh, jobs->study->has_mesh);
    pthread_cond_broadcast(&jobs->changed);
    while (!jobs->job[k].is_done && !status) {
        wait_for_change(jobs);
        pthread_mutex_unlock(&jobs->mutex);
        status = ew_progress_report(&jobs->study->def.progress, "combinations",
                                    (double)k / jobs->input->sweep->n);
        pthread_mutex_lock(&jobs->mutex);
    }
    pthread_mutex_unlock(&jobs->mutex);
    EW_TRY(status);
    *job = &jobs->job[k];
    return (*job)->status ? ew_fail((*job)->status, "%s", (*job)->message) : EW_OK;
}

void ew_jobs_stop(study_jobs *jobs)
{
    if (!jobs) {
        return;
    }
    pthread_mutex_lock(&jobs->mutex);
    atomic_store(&jobs->stop, true);
    pthread_cond_broadcast(&jobs->changed);
    pthread_mutex_unlock(&jobs->mutex);
    for (int32_t i = 0; i < jobs->n_started; i++) {
        pthread_join(jobs->thread[i], NULL);
    }
    for (int32_t k = 0; jobs->job && k < jobs->input->sweep->n; k++) {
        ew_job_free(&jobs->job[k]);
    }
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->mutex);
    ew_release(jobs->thread);
    ew_release(jobs->job);
    ew_release(jobs);
}
