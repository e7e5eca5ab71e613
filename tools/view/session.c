/* The thread that owns what is shown. In: commands of clients as text, in a queue where a drag
 * replaces the same drag that waits last. Out: pictures, panels and replies to whoever sends them
 * on. */
#define _POSIX_C_SOURCE 200809L
#include "view.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

typedef struct waiting {
    int32_t client;
    double id;
    cJSON *command; /* owned */
} waiting;

struct view_session {
    view_session_def def;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below but what the thread alone uses */
    pthread_cond_t change;
    bool is_ended, is_greeted, is_started, has_started;
    ew_status started;
    char started_text[2048];
    int32_t n;
    waiting queue[VIEW_MAX_WAITING];

    const view_kind *kind;
    void *shown; /* the thread's */
    int64_t number;
    double done, published; /* id of the last command; time of the last picture, of ew_seconds */
};

/* ---- the queue ---------------------------------------------------------------------------- */

static ew_status refuse(const char *text)
{
    return ew_fail(EW_BAD_INPUT, "%s", text);
}

static ew_status parse(const char *text, size_t size, cJSON **command, double *id)
{
    *id = -1;
    *command = view_parse_json(text, size);
    if (!cJSON_IsObject(*command)) {
        return refuse("a message must be an object of JSON: {\"id\": 1, \"do\": \"remove\", ...}");
    }
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(*command, "id"),
                *name = cJSON_GetObjectItemCaseSensitive(*command, "do");
    if (cJSON_IsNumber(number) && number->valuedouble > 0 && number->valuedouble < 9e15 &&
        number->valuedouble == floor(number->valuedouble)) {
        *id = number->valuedouble;
    }
    if (*id < 0) {
        return refuse("a command needs an 'id', a whole number above 0");
    }
    return cJSON_IsString(name) ? EW_OK : refuse("a command must say what to 'do'");
}

static ew_status put(view_session *session, const waiting *one)
{
    waiting *last = session->n ? &session->queue[session->n - 1] : NULL;
    if (last && last->client == one->client &&
        session->kind->replaces(one->command, last->command)) {
        cJSON_Delete(last->command);
        *last = *one;
        return EW_OK;
    }
    if (session->n == VIEW_MAX_WAITING) {
        return ew_fail(EW_LIMIT, "%d commands wait; this one is left out", VIEW_MAX_WAITING);
    }
    session->queue[session->n++] = *one;
    return EW_OK;
}

ew_status view_session_post(view_session *session, int32_t client, const char *text, size_t size,
                            double *id)
{
    cJSON *command = NULL;
    ew_status status = parse(text, size, &command, id);
    if (!status) {
        pthread_mutex_lock(&session->lock);
        status = put(session, &(waiting){client, *id, command});
        pthread_cond_broadcast(&session->change);
        pthread_mutex_unlock(&session->lock);
    }
    if (status) {
        cJSON_Delete(command);
    }
    return status;
}

void view_session_greet(view_session *session)
{
    pthread_mutex_lock(&session->lock);
    session->is_greeted = true;
    pthread_cond_broadcast(&session->change);
    pthread_mutex_unlock(&session->lock);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

static void publish(view_session *session, bool with_state)
{
    view_bytes *whole = NULL, *change = NULL, *state = NULL;
    cJSON *panels = NULL;
    const view_session_def *def = &session->def;
    session->published = ew_seconds();
    if (with_state && !session->kind->state(session->shown, &panels) &&
        (state = view_bytes_of_json(panels))) {
        def->on_state(def->user, state);
    }
    if (!session->kind->picture(session->shown, ++session->number, session->done, &whole,
                                &change)) {
        def->on_picture(def->user, whole, change);
    }
    view_bytes_release(whole);
    view_bytes_release(change);
    view_bytes_release(state);
}

static void answer(view_session *session, const waiting *one, ew_status status, cJSON *reply)
{
    const char *text = status ? ew_message() : NULL;
    cJSON *message = reply ? reply : cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(message, status ? "id" : "reply", one->id);
    (void)cJSON_AddNumberToObject(message, "picture", (double)(session->number + 1));
    if (text) {
        (void)cJSON_AddStringToObject(message, "error", text);
    }
    view_bytes *bytes = view_bytes_of_json(message);
    if (bytes) {
        session->def.on_reply(session->def.user, one->client, bytes);
    }
    view_bytes_release(bytes);
}

static void do_command(view_session *session, const waiting *one)
{
    cJSON *reply = NULL;
    const ew_status status = session->kind->command(session->shown, one->command, &reply);
    session->done = one->id;
    answer(session, one, status, reply);
    cJSON_Delete(one->command);
}

/* Seconds: of quiet, after which there is time for other work; and at most of one wait. */
static const double IDLE = 0.2, MAX_WAIT = 3600.0;
/* Seconds without a picture, at most, while commands wait. */
static const double MAX_SHARED = 0.1;

/* Locked. False: nothing came for so many seconds. */
static bool wait_a_while(view_session *session, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)floor(seconds);
    until.tv_nsec += (long)(1e9 * (seconds - floor(seconds)));
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return !pthread_cond_timedwait(&session->change, &session->lock, &until);
}

/* While a body plays, commands that wait and the step after them are one picture. */
static bool shares_picture(view_session *session)
{
    pthread_mutex_lock(&session->lock);
    const bool any = session->n > 0;
    pthread_mutex_unlock(&session->lock);
    return any && ew_seconds() - session->published < MAX_SHARED;
}

/* What is next: a command, a client that came, a step that is due; *idle: none of these. False: the
 * end. */
static bool wait_for_work(view_session *session, waiting *one, bool *greeted, bool *idle)
{
    const bool was_idle = *idle;
    double due = 0.0;
    pthread_mutex_lock(&session->lock);
    *idle = false;
    while (!session->is_ended && !session->n && !session->is_greeted && !*idle &&
           (due = session->kind->due(session->shown)) > 0.0) {
        const bool plays = isfinite(due);
        const bool came = wait_a_while(session, plays || was_idle ? fmin(due, MAX_WAIT) : IDLE);
        *idle = !came && !plays && !was_idle;
    }
    const bool goes_on = !session->is_ended;
    *greeted = session->is_greeted;
    session->is_greeted = false;
    one->command = NULL;
    if (goes_on && session->n) {
        *one = session->queue[0];
        session->n--;
        memmove(session->queue, session->queue + 1, (size_t)session->n * sizeof *session->queue);
    }
    pthread_mutex_unlock(&session->lock);
    return goes_on;
}

static void report_start(view_session *session, ew_status status)
{
    pthread_mutex_lock(&session->lock);
    session->started = status;
    session->has_started = true;
    if (status) {
        strncpy(session->started_text, ew_message(), sizeof session->started_text - 1);
    }
    pthread_cond_broadcast(&session->change);
    pthread_mutex_unlock(&session->lock);
}

static void *run(void *user)
{
    view_session *session = user;
    waiting one;
    bool greeted, idle = false, has_ended = false;
    if (session->def.n_thread) {
        ew_use_threads(session->def.n_thread);
    }
    const view_subject *subject = &session->def.subject;
    const ew_status status = subject->open(subject->user, &session->shown);
    report_start(session, status);
    while (!status && wait_for_work(session, &one, &greeted, &idle)) {
        if (idle && session->kind->idle(session->shown)) {
            publish(session, true);
        }
        if (greeted) {
            publish(session, true);
        }
        const bool has_done = one.command != NULL;
        bool panels = has_done;
        if (has_done) {
            do_command(session, &one);
        }
        const bool steps = session->kind->due(session->shown) <= 0.0;
        if (steps && has_done && shares_picture(session)) {
            continue;
        }
        if (steps) {
            bool changed = false;
            (void)session->kind->advance(session->shown, &changed);
            panels = panels || changed;
        }
        if (has_done || steps) {
            publish(session, panels);
        }
        if (session->kind->has_ended(session->shown) && !has_ended) {
            has_ended = true;
            session->def.on_end(session->def.user);
        }
    }
    session->kind->free(session->shown);
    return NULL;
}

/* ---- public
 * -------------------------------------------------------------------------------------- */

ew_status view_session_create(view_session **session, const view_session_def *def)
{
    view_session *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->def = *def;
    made->kind = def->subject.kind;
    made->def.n_thread = def->n_thread ? def->n_thread : ew_threads();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->change, NULL);
    ew_end_threads();
    made->is_started = !pthread_create(&made->thread, NULL, run, made);
    pthread_mutex_lock(&made->lock);
    while (made->is_started && !made->has_started) {
        pthread_cond_wait(&made->change, &made->lock);
    }
    pthread_mutex_unlock(&made->lock);
    ew_status status = made->started;
    if (status) {
        ew_fail(status, "%s", made->started_text);
    } else if (!made->is_started) {
        status = ew_fail(EW_LIMIT, "view: the system gives no thread for the body");
    }
    if (status) {
        view_session_free(made);
        return status;
    }
    *session = made;
    return EW_OK;
}

void view_session_free(view_session *session)
{
    if (!session) {
        return;
    }
    pthread_mutex_lock(&session->lock);
    session->is_ended = true;
    pthread_cond_broadcast(&session->change);
    pthread_mutex_unlock(&session->lock);
    if (session->is_started) {
        pthread_join(session->thread, NULL);
    }
    for (int32_t i = 0; i < session->n; i++) {
        cJSON_Delete(session->queue[i].command);
    }
    pthread_cond_destroy(&session->change);
    pthread_mutex_destroy(&session->lock);
    ew_release(session);
}
