/* What the page shows of a file that can be run: its body, and after a run the result, until the
 * body is asked for again. In: commands. Out: pictures and panels of one of both. */
#define _POSIX_C_SOURCE 200809L
#include "result.h"
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PATIENCE = 0.25; /* seconds between two looks at a run */

typedef struct shown {
    view_subject body_subject, result_subject;
    void *body;
    void *result; /* null: the body is shown */
    view_result_def result_def;
    char path[1040]; /* of the result */
    view_run run;
    double due;         /* of ew_seconds: the next look at the run */
    int32_t generation; /* of what is shown: surfaces of another one are other surfaces */
    char outcome[320];  /* of the last run, one line; "": there was none, or it is under way */
} shown;

static bool is_result_shown(const shown *own)
{
    return own->result != NULL;
}

static const view_kind *kind_of(const shown *own)
{
    return is_result_shown(own) ? own->result_subject.kind : own->body_subject.kind;
}

static void *subject_of(const shown *own)
{
    return is_result_shown(own) ? own->result : own->body;
}

/* ---- the run -----------------------------------------------------------------------------------
 */

/* The last line of a text that has anything in it. */
static const char *last_line(const char *text, size_t n, size_t *length)
{
    while (n && (unsigned char)text[n - 1] <= ' ') {
        n--;
    }
    size_t begin = n;
    while (begin && text[begin - 1] != '\n' && text[begin - 1] != '\r') {
        begin--;
    }
    *length = n - begin;
    return text + begin;
}

/* What the program says of its failure; its output may come behind that. */
static const char *failure_line(const char *text, size_t n, size_t *length)
{
    static const char begin[] = "edgewise: ";
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, begin)); at++) {
        found = at == text || at[-1] == '\n' || at[-1] == '\r' ? at : found;
    }
    if (!found) {
        return last_line(text, n, length);
    }
    *length = strcspn(found + sizeof begin - 1, "\r\n");
    return found + sizeof begin - 1;
}

static cJSON *save_command(const cJSON *command)
{
    cJSON *save = cJSON_CreateObject();
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(command, "file");
    (void)cJSON_AddStringToObject(save, "do", "save");
    if (file) {
        (void)cJSON_AddItemToObject(save, "file", cJSON_Duplicate(file, true));
    }
    return save;
}

static ew_status do_run(shown *own, const cJSON *command, cJSON **reply)
{
    cJSON *save, *saved = NULL;
    char name[1024];
    if (own->run.child) {
        return ew_fail(EW_BAD_INPUT, "run: a run is under way; stop it, or wait for its end");
    }
    if (is_result_shown(own)) {
        return ew_fail(EW_BAD_INPUT, "run: the result is shown; go back to the body first");
    }
    save = save_command(command);
    ew_status status = own->body_subject.kind->command(own->body, save, &saved);
    cJSON_Delete(save);
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(saved, "file");
    if (!status && cJSON_IsString(file)) {
        snprintf(name, sizeof name, "%.*s", (int)strlen(file->valuestring) - 5, file->valuestring);
        status = view_run_start(&own->run, file->valuestring, name);
    }
    if (status || !reply) {
        cJSON_Delete(saved);
    } else {
        *reply = saved;
    }
    if (!status) {
        own->outcome[0] = 0;
        own->due = ew_seconds();
    }
    return status;
}

static ew_status do_stop(shown *own, const cJSON *command, cJSON **reply)
{
    (void)command;
    (void)reply;
    if (!own->run.child) {
        return ew_fail(EW_BAD_INPUT, "stop: there is no run to be stopped");
    }
    view_run_stop(&own->run);
    return EW_OK;
}

static ew_status do_body(shown *own, const cJSON *command, cJSON **reply)
{
    (void)command;
    (void)reply;
    if (!is_result_shown(own)) {
        return ew_fail(EW_BAD_INPUT, "body: the body is what is shown");
    }
    own->result_subject.kind->free(own->result);
    own->result = NULL;
    own->generation++;
    return EW_OK;
}

static ew_status show_result(shown *own)
{
    snprintf(own->path, sizeof own->path, "%s.vtkhdf", own->run.name);
    own->result_def = (view_result_def){.path = own->path};
    own->result_subject = view_result_subject(&own->result_def);
    EW_TRY(own->result_subject.open(own->result_subject.user, &own->result));
    own->generation++;
    return EW_OK;
}

static void end_run(shown *own, int exit_status)
{
    size_t n;
    const char *line = failure_line(own->run.text, own->run.n, &n);
    if (own->run.is_stopped && exit_status) {
        snprintf(own->outcome, sizeof own->outcome, "The run was stopped");
    } else if (exit_status) {
        snprintf(own->outcome, sizeof own->outcome, "%.*s", (int)(n < 300 ? n : 300), line);
    } else if (show_result(own)) {
        snprintf(own->outcome, sizeof own->outcome, "%s", ew_message());
    } else {
        snprintf(own->outcome, sizeof own->outcome, "%.300s.vtkhdf", own->run.name);
    }
}

static void look_at_run(shown *own)
{
    int exit_status = 0;
    own->due = ew_seconds() + PATIENCE;
    if (!view_run_goes_on(&own->run, &exit_status)) {
        end_run(own, exit_status);
    }
}

/* ---- the kind ----------------------------------------------------------------------------------
 */

static void free_shown(void *user)
{
    shown *own = user;
    if (own) {
        view_run_free(&own->run);
        if (own->result) {
            own->result_subject.kind->free(own->result);
        }
        own->body_subject.kind->free(own->body);
        ew_release(own);
    }
}

static const struct {
    const char *name;
    ew_status (*apply)(shown *own, const cJSON *command, cJSON **reply);
} table[] = {{"run", do_run}, {"stop", do_stop}, {"body", do_body}};
enum { N_COMMAND = sizeof table / sizeof *table };

static ew_status do_command(void *user, const cJSON *command, cJSON **reply)
{
    shown *own = user;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "do");
    for (int k = 0; k < N_COMMAND && cJSON_IsString(name); k++) {
        if (!strcmp(name->valuestring, table[k].name)) {
            if (reply) {
                *reply = NULL;
            }
            return table[k].apply(own, command, reply);
        }
    }
    return kind_of(own)->command(subject_of(own), command, reply);
}

bool view_run_replaces(const cJSON *command, const cJSON *waiting)
{
    return view_command_replaces(command, waiting) || view_result_replaces(command, waiting);
}

static double due_in(const void *user)
{
    const shown *own = user;
    const double due = kind_of(own)->due(subject_of(own));
    return own->run.child ? fmin(due, fmax(0.0, own->due - ew_seconds())) : due;
}

static ew_status advance(void *user, bool *panels)
{
    shown *own = user;
    *panels = false;
    if (own->run.child && own->due <= ew_seconds()) {
        look_at_run(own);
        *panels = true;
        return EW_OK;
    }
    return kind_of(own)->advance(subject_of(own), panels);
}

static bool idle(void *user)
{
    shown *own = user;
    return kind_of(own)->idle(subject_of(own));
}

static bool has_ended(const void *user)
{
    const shown *own = user;
    return kind_of(own)->has_ended(subject_of(own));
}

static ew_status take_picture(void *user, int64_t number, double done, view_bytes **whole,
                              view_bytes **change)
{
    enum { N_GENERATION = 256 };
    shown *own = user;
    EW_TRY(kind_of(own)->picture(subject_of(own), number, done, whole, change));
    const uint32_t surface =
        (uint32_t)(*whole)->surface * N_GENERATION + (uint32_t)own->generation % N_GENERATION;
    (*whole)->surface = (*change)->surface = (int32_t)(surface & INT32_MAX);
    return EW_OK;
}

static void add_run(const shown *own, cJSON *all)
{
    size_t n;
    char line[200];
    cJSON *run = cJSON_AddObjectToObject(all, "run");
    const char *last = own->run.text ? last_line(own->run.text, own->run.n, &n) : "";
    snprintf(line, sizeof line, "%.*s", own->run.text ? (int)(n < 190 ? n : 190) : 0, last);
    (void)cJSON_AddBoolToObject(run, "going", own->run.child != 0);
    (void)cJSON_AddNumberToObject(run, "seconds",
                                  own->run.child ? ew_seconds() - own->run.start : 0.0);
    (void)cJSON_AddStringToObject(run, "line", line);
    (void)cJSON_AddStringToObject(run, "outcome", own->outcome);
    if (!own->run.child && own->run.text) {
        (void)cJSON_AddStringToObject(run, "report", own->run.text);
    }
}

static ew_status take_state(void *user, cJSON **state)
{
    shown *own = user;
    EW_TRY(kind_of(own)->state(subject_of(own), state));
    cJSON *commands = cJSON_GetObjectItemCaseSensitive(*state, "commands");
    for (int k = 0; k < N_COMMAND; k++) {
        const bool is_known = is_result_shown(own) == !strcmp(table[k].name, "body");
        (void)(is_known && cJSON_AddItemToArray(commands, cJSON_CreateString(table[k].name)));
    }
    add_run(own, *state);
    return EW_OK;
}

static ew_status open_shown(void *user, void **made)
{
    shown *own = NULL;
    EW_TRY(ew_new_zero(&own, 1, sizeof *own));
    own->body_subject = view_play_subject(user);
    const ew_status status = own->body_subject.open(own->body_subject.user, &own->body);
    if (status) {
        ew_release(own);
        return status;
    }
    *made = own;
    return EW_OK;
}

view_subject view_run_subject(view_source *source)
{
    static const view_kind kind = {
        .free = free_shown,
        .command = do_command,
        .replaces = view_run_replaces,
        .due = due_in,
        .advance = advance,
        .idle = idle,
        .has_ended = has_ended,
        .picture = take_picture,
        .state = take_state,
    };
    return (view_subject){&kind, source, open_shown};
}
