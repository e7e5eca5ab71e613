/* What the page shows of the files that the program was started with. In: their names. Out: the
 * session of a body or a result; until they can be opened, one line that says why not. */
#define _POSIX_C_SOURCE 200809L
#include "open.h"
#include "run.h"
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A changed file is opened again at once. The others that it names are not known, so that it is
 * also opened again now and then, which takes this share of the time. */
static const double PATIENCE = 0.25, SHARE = 0.05; /* PATIENCE: seconds between two looks */

typedef struct opened {
    view_open_def *def;
    view_source source;
    view_result_def result;
    view_subject subject;
    void *shown;        /* null: the file is broken */
    char trouble[2048]; /* why, one line */
    struct stat file;   /* as it was before the last try */
    double look, retry; /* of ew_seconds: the next look at the file, the next try in any case */
    bool has_ended;
} opened;

static ew_status open_subject(opened *own)
{
    const view_open_def *def = own->def;
    own->result = (view_result_def){def->path, def->second, def->is_difference};
    if (!def->is_result) {
        EW_TRY(view_source_open(&own->source, def->path));
    }
    own->subject =
        def->is_result ? view_result_subject(&own->result) : view_run_subject(&own->source);
    const ew_status status = own->subject.open(own->subject.user, &own->shown);
    if (status) {
        view_source_close(&own->source);
    }
    return status;
}

/* Names that say what the files hold, and files of them. */
static bool are_files_to_open(const view_open_def *def)
{
    return !access(def->path, R_OK) && (!def->second || !access(def->second, R_OK)) &&
           (def->is_result || case_is_named(def->path) || tool_is_mesh_name(def->path));
}

static bool can_be_repaired(const opened *own, ew_status status)
{
    return status != EW_UNSUPPORTED && status != EW_NO_MEMORY && are_files_to_open(own->def);
}

static ew_status try_to_open(opened *own)
{
    const double start = ew_seconds();
    (void)stat(own->def->path, &own->file);
    const ew_status status = open_subject(own);
    const double now = ew_seconds();
    own->look = now + PATIENCE;
    own->retry = now + fmax(PATIENCE, (now - start) / SHARE);
    if (status) {
        snprintf(own->trouble, sizeof own->trouble, "%s", ew_message());
    }
    return status;
}

static bool has_changed(const opened *own)
{
    struct stat now;
    return !stat(own->def->path, &now) &&
           (now.st_mtim.tv_sec != own->file.st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != own->file.st_mtim.tv_nsec || now.st_size != own->file.st_size);
}

/* Whether the panels have more to tell. */
static bool look_again(opened *own)
{
    char before[sizeof own->trouble];
    own->look = ew_seconds() + PATIENCE;
    if (ew_seconds() < own->retry && !has_changed(own)) {
        return false;
    }
    strcpy(before, own->trouble);
    return !try_to_open(own) || strcmp(before, own->trouble) != 0;
}

/* ---- the kind ----------------------------------------------------------------------------------
 */

static void free_opened(void *shown)
{
    opened *own = shown;
    if (own) {
        if (own->shown) {
            own->subject.kind->free(own->shown);
        }
        view_source_close(&own->source);
        ew_release(own);
    }
}

static ew_status do_command(void *shown, const cJSON *command, cJSON **reply)
{
    opened *own = shown;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "do");
    const char *text = cJSON_IsString(name) ? name->valuestring : "";
    if (own->shown) {
        return own->subject.kind->command(own->shown, command, reply);
    }
    if (reply) {
        *reply = NULL;
    }
    own->has_ended = own->has_ended || !strcmp(text, "quit");
    return own->has_ended || !strcmp(text, "state") ? EW_OK
                                                    : ew_fail(EW_BAD_INPUT, "%s", own->trouble);
}

static double due_in(const void *shown)
{
    const opened *own = shown;
    return own->shown ? own->subject.kind->due(own->shown) : fmax(0.0, own->look - ew_seconds());
}

static ew_status advance(void *shown, bool *panels)
{
    opened *own = shown;
    if (own->shown) {
        return own->subject.kind->advance(own->shown, panels);
    }
    *panels = look_again(own);
    return EW_OK;
}

static bool idle(void *shown)
{
    opened *own = shown;
    return own->shown && own->subject.kind->idle(own->shown);
}

static bool has_ended(const void *shown)
{
    const opened *own = shown;
    return own->shown ? own->subject.kind->has_ended(own->shown) : own->has_ended;
}

static ew_status take_picture(void *shown, int64_t number, double done, view_bytes **whole,
                              view_bytes **change)
{
    opened *own = shown;
    return own->shown ? own->subject.kind->picture(own->shown, number, done, whole, change)
                      : EW_BAD_INPUT;
}

static ew_status take_state(void *shown, cJSON **state)
{
    opened *own = shown;
    if (own->shown) {
        return own->subject.kind->state(own->shown, state);
    }
    *state = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(*state, "kind", "state");
    (void)cJSON_AddStringToObject(*state, "file", own->def->path);
    (void)cJSON_AddStringToObject(*state, "trouble", own->trouble);
    return *state ? EW_OK : ew_fail(EW_NO_MEMORY, "view: no memory for the panels");
}

static ew_status open_files(void *user, void **shown)
{
    opened *own = NULL;
    EW_TRY(ew_new_zero(&own, 1, sizeof *own));
    own->def = user;
    const ew_status status = try_to_open(own);
    if (status && !can_be_repaired(own, status)) {
        free_opened(own);
        return status;
    }
    if (status) {
        (void)tool_report_failure(status, NULL);
    }
    *shown = own;
    return EW_OK;
}

view_subject view_open_subject(view_open_def *def)
{
    static const view_kind kind = {
        .free = free_opened,
        .command = do_command,
        .replaces = view_run_replaces,
        .due = due_in,
        .advance = advance,
        .idle = idle,
        .has_ended = has_ended,
        .picture = take_picture,
        .state = take_state,
    };
    return (view_subject){&kind, def, open_files};
}
