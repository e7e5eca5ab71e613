/* A result, or two, in the page. In: files and commands. Out: what each command changes in the
 * frame that is shown. A frame is read when it is asked for, with the fields that are shown. */
#include "result.h"
#include "explode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const how_names[RESULT_N_HOW] = {"alone", "beside", "difference"};

/* ---- files ------------------------------------------------------------------------------------
 */

static void close_file(result_file *file)
{
    ew_result_view_free(&file->view);
    ew_release(file->path);
    *file = (result_file){0};
}

static ew_status read_file(const char *path, result_file *own)
{
    EW_TRY(tool_find_result(path, &own->path));
    EW_TRY(ew_replace_recover(own->path));
    EW_TRY(ew_result_read_view(own->path, &own->view));
    return own->view.n_frame > 0
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "%s: has no frame to be shown: no step of it saved one",
                         path);
}

static ew_status open_file(const char *path, result_file *file)
{
    result_file own = {0};
    const ew_status status = read_file(path, &own);
    if (status) {
        close_file(&own);
        return status;
    }
    *file = own;
    return EW_OK;
}

const ew_view_step *result_step_of(const ew_result_view *view, int32_t k)
{
    for (int32_t s = 0; s < view->n_step; s++) {
        if (view->step[s].frame == k) {
            return &view->step[s];
        }
    }
    return NULL;
}

/* ---- frames -----------------------------------------------------------------------------------
 */

ew_status result_read_frame(const view_result *result, int32_t b, int32_t k, const char *fields,
                            ew_view_frame *frame)
{
    const result_file *file = &result->file[b];
    ew_view_frame own = {0}, other = {0};
    const int32_t last = file->view.n_frame - 1;
    EW_TRY(ew_result_read_frame(file->path, k < last ? k : last, fields, &own));
    ew_status status = EW_OK;
    if (result->how == RESULT_DIFFERENCE) {
        const result_file *less = &result->file[1];
        status =
            k < less->view.n_frame
                ? ew_result_read_frame(less->path, k, fields, &other)
                : ew_fail(EW_BAD_INPUT, "%s: has %d frames, and none to be taken from frame %d",
                          less->path, (int)less->view.n_frame, (int)k);
        status = status ? status : look_subtract(&own, file->path, &other, less->path);
    }
    ew_view_frame_free(&other);
    if (status) {
        ew_view_frame_free(&own);
        return status;
    }
    *frame = own;
    return EW_OK;
}

static bool is_same_mesh(const ew_view_frame *a, const ew_view_frame *b)
{
    return a->n_point == b->n_point && a->n_tet == b->n_tet && !a->middle == !b->middle &&
           !memcmp(a->xyz, b->xyz, 3 * (size_t)a->n_point * sizeof *a->xyz) &&
           !memcmp(a->tet, b->tet, 4 * (size_t)a->n_tet * sizeof *a->tet) &&
           (!a->middle || !memcmp(a->middle, b->middle, 6 * (size_t)a->n_tet * sizeof *a->middle));
}

static void free_body(result_body *body)
{
    ew_view_frame_free(&body->frame);
    look_surface_free(&body->surface);
    look_free(&body->cap);
    *body = (result_body){0};
}

static ew_status take_cap(const view_result *result, result_body *body)
{
    const skin nothing = {0};
    look cap = {0};
    if (result->has_section) {
        EW_TRY(look_take(&body->frame, &nothing, result->section, &cap));
    }
    look_free(&body->cap);
    body->cap = cap;
    return EW_OK;
}

/* The surface of the body that was is taken over where the mesh is the same. The first body says
 * what is shown of both. */
static ew_status make_body(view_result *result, int32_t b, const char *fields, result_body *was,
                           result_body *body)
{
    EW_TRY(result_read_frame(result, b, result->frame, fields, &body->frame));
    result->shown = b ? result->shown : result_find_shown(result, &body->frame);
    result_choose(result, &body->frame, &body->field);
    EW_TRY(take_cap(result, body));
    if (was->surface.triangle && is_same_mesh(&was->frame, &body->frame)) {
        body->surface = was->surface;
        was->surface = (look_surface){0};
        return EW_OK;
    }
    return look_surface_take(&body->frame, &body->surface);
}

/* Reads what `result` says is shown. A failure may have taken the surfaces of what was shown. */
static ew_status load(view_result *result)
{
    result_body made[2] = {{.cap = {0}}, {.cap = {0}}};
    const int32_t n = result->how == RESULT_BESIDE ? 2 : 1;
    const char *field = result->n_choice ? result->choice[result->field].name : "";
    char *names = NULL;
    bool is_new = n != result->n_body;
    const size_t size = strlen(result->fields) + 2 * EW_VIEW_NAME + 16;
    EW_TRY(ew_new(&names, size, 1));
    snprintf(names, size, "%s %s corner_%s", result->fields, field, field);
    ew_status status = EW_OK;
    for (int32_t b = 0; b < n && !status; b++) {
        const int32_t *before = result->body[b].surface.triangle;
        status = make_body(result, b, names, &result->body[b], &made[b]);
        is_new = is_new || made[b].surface.triangle != before;
    }
    ew_release(names);
    if (status) {
        for (int b = 0; b < 2; b++) {
            if (!result->body[b].surface.triangle && made[b].surface.triangle) {
                result->body[b].surface = made[b].surface;
                made[b].surface = (look_surface){0};
            }
            free_body(&made[b]);
        }
        return status;
    }
    for (int b = 0; b < 2; b++) {
        free_body(&result->body[b]);
        result->body[b] = made[b];
    }
    result->n_body = n;
    result->surface += is_new;
    return EW_OK;
}

/* ---- commands ---------------------------------------------------------------------------------
 */

static double number_of(const cJSON *command, const char *key, double preset)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, key);
    return cJSON_IsNumber(item) ? item->valuedouble : preset;
}

static ew_status do_frame(view_result *result, const cJSON *command)
{
    const double k = number_of(command, "index", -1);
    if (!(k >= 0 && k < result_n_frame(result)) || k != floor(k)) {
        return ew_fail(EW_BAD_INPUT, "frame: 'index' must be from 0 to %d",
                       (int)result_n_frame(result) - 1);
    }
    result->frame = (int32_t)k;
    return EW_OK;
}

static ew_status do_section(view_result *result, const cJSON *command)
{
    return view_read_section(command, &result->has_section, result->section);
}

static ew_status do_explode(view_result *result, const cJSON *command)
{
    bool on;
    EW_TRY(view_read_explode(command, &on));
    result->surface += on != result->is_exploded;
    result->is_exploded = on;
    return EW_OK;
}

/* {"file": NAME, "how": "beside" or "difference"}; without a file the one that there is; {}: the
 * first alone. */
static ew_status do_compare(view_result *result, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "file"),
                *how = cJSON_GetObjectItemCaseSensitive(command, "how");
    result_how wanted = how || name ? RESULT_N_HOW : RESULT_ALONE;
    for (int k = 0; k < RESULT_N_HOW && cJSON_IsString(how); k++) {
        wanted = strcmp(how->valuestring, how_names[k]) ? wanted : (result_how)k;
    }
    if (wanted == RESULT_N_HOW) {
        return ew_fail(EW_BAD_INPUT, "compare: 'how' must be alone, beside or difference");
    }
    if (name && !cJSON_IsString(name)) {
        return ew_fail(EW_BAD_INPUT, "compare: 'file' must be the name of a result");
    }
    if (name) {
        EW_TRY(open_file(name->valuestring, &result->file[1]));
    }
    if (wanted != RESULT_ALONE && !result->file[1].path) {
        return ew_fail(EW_BAD_INPUT, "compare: there is no second result; name its 'file'");
    }
    result->how = wanted;
    return EW_OK;
}

static ew_status do_play(view_result *result, const cJSON *command)
{
    const double speed = number_of(command, "speed", result->speed);
    if (!(speed > 0.0 && speed <= 1000.0)) {
        return ew_fail(EW_BAD_INPUT, "play: 'speed' must be frames a second, above 0 to 1000");
    }
    result->speed = speed;
    result->due = ew_seconds();
    result->is_playing = result_n_frame(result) > 1;
    return EW_OK;
}

static ew_status do_pause(view_result *result, const cJSON *command)
{
    (void)command;
    result->is_playing = false;
    return EW_OK;
}

static ew_status do_quit(view_result *result, const cJSON *command)
{
    result->has_ended = true;
    return do_pause(result, command);
}

static ew_status do_nothing(view_result *result, const cJSON *command)
{
    (void)result;
    (void)command;
    return EW_OK;
}

/* Those that change what is shown; `loads`: by reading it again. */
static const struct {
    const char *name;
    ew_status (*apply)(view_result *result, const cJSON *command);
    bool loads, is_drag;
} table[] = {
    {"frame", do_frame, true, true},      {"field", result_do_field, true, false},
    {"section", do_section, true, true},  {"explode", do_explode, false, false},
    {"compare", do_compare, true, false}, {"play", do_play, false, false},
    {"pause", do_pause, false, false},    {"quit", do_quit, false, false},
    {"state", do_nothing, false, false},
};
enum { N_COMMAND = sizeof table / sizeof *table };

static const struct {
    const char *name;
    ew_status (*ask)(view_result *result, const cJSON *command, cJSON *answer);
} questions[] = {{"history", result_do_history},
                 {"inspect", result_do_inspect},
                 {"quality", result_do_quality},
                 {"range", result_do_range}};
enum { N_QUESTION = sizeof questions / sizeof *questions };

static const char *name_of(const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "do");
    return cJSON_IsString(name) ? name->valuestring : "";
}

static ew_status ask(view_result *result, int k, const cJSON *command, cJSON **reply)
{
    cJSON *answer = cJSON_CreateObject();
    const ew_status status = answer ? questions[k].ask(result, command, answer)
                                    : ew_fail(EW_NO_MEMORY, "view: no memory for an answer");
    if (status || !reply) {
        cJSON_Delete(answer);
        return status;
    }
    *reply = answer;
    return EW_OK;
}

/* After a failure what was shown is shown again. */
static ew_status apply(view_result *result, int k, const cJSON *command)
{
    view_result before = *result;
    ew_status status = table[k].apply(result, command);
    if (!status && table[k].loads) {
        status = load(result);
    }
    const bool is_other = result->file[1].path != before.file[1].path;
    if (status) {
        if (is_other) {
            close_file(&result->file[1]);
        }
        memcpy(before.body, result->body, sizeof before.body); /* surfaces may have moved */
        *result = before;
    } else if (is_other) {
        close_file(&before.file[1]);
    }
    return status;
}

static ew_status do_command(void *shown, const cJSON *command, cJSON **reply)
{
    const char *name = name_of(command);
    if (reply) {
        *reply = NULL;
    }
    for (int k = 0; k < N_COMMAND; k++) {
        if (!strcmp(name, table[k].name)) {
            return apply(shown, k, command);
        }
    }
    for (int k = 0; k < N_QUESTION; k++) {
        if (!strcmp(name, questions[k].name)) {
            return ask(shown, k, command, reply);
        }
    }
    return ew_fail(EW_BAD_INPUT, "a result does not know the command '%.40s'", name);
}

bool view_result_replaces(const cJSON *command, const cJSON *waiting)
{
    const char *name = name_of(command);
    bool is_drag = false;
    for (int k = 0; k < N_COMMAND; k++) {
        is_drag = is_drag || (table[k].is_drag && !strcmp(name, table[k].name));
    }
    return is_drag && !strcmp(name, name_of(waiting));
}

/* ---- the kind ---------------------------------------------------------------------------------
 */

static double due_in(const void *shown)
{
    const view_result *result = shown;
    return result->is_playing ? fmax(0.0, result->due - ew_seconds()) : INFINITY;
}

/* The next frame, after the last the first. What takes longer than the speed asks for is not made
 * up for. */
static ew_status advance(void *shown, bool *panels)
{
    view_result *result = shown;
    const int32_t before = result->frame;
    *panels = false;
    if (!result->is_playing) {
        return EW_OK;
    }
    result->frame = (result->frame + 1) % result_n_frame(result);
    const ew_status status = load(result);
    result->due = fmax(result->due + 1.0 / result->speed, ew_seconds());
    if (status) {
        snprintf(result->message, sizeof result->message, "%s", ew_message());
        result->frame = before;
        result->is_playing = false;
    }
    *panels = status || !result->is_playing;
    return status;
}

static bool idle(void *shown)
{
    (void)shown;
    return false;
}

static bool has_ended(const void *shown)
{
    return ((const view_result *)shown)->has_ended;
}

static void free_result(void *shown)
{
    view_result *result = shown;
    if (!result) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        free_body(&result->body[k]);
        close_file(&result->file[k]);
    }
    ew_release(result->choice);
    result_free_case(result);
    ew_release(result->fields);
    ew_release(result);
}

static ew_status take_picture(void *shown, int64_t number, double done, view_bytes **whole,
                              view_bytes **change)
{
    return result_picture(shown, number, done, whole, change);
}

static ew_status take_state(void *shown, cJSON **state)
{
    return result_state(shown, state);
}

static ew_status begin(const view_result_def *def, view_result *made)
{
    made->place = LOOK_ANYWHERE;
    made->speed = 10.0;
    EW_TRY(open_file(def->path, &made->file[0]));
    EW_TRY(def->second ? open_file(def->second, &made->file[1]) : EW_OK);
    made->how = !def->second         ? RESULT_ALONE
                : def->is_difference ? RESULT_DIFFERENCE
                                     : RESULT_BESIDE;
    const int32_t last = result_n_frame(made) - 1, of_second = made->file[1].view.n_frame - 1;
    made->frame = def->is_difference && of_second < last ? of_second : last;
    EW_TRY(result_list_choices(made));
    result_read_case(made);
    return load(made);
}

static ew_status open_result(void *user, void **shown)
{
    view_result *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    const ew_status status = begin(user, made);
    if (status) {
        free_result(made);
        return status;
    }
    *shown = made;
    return EW_OK;
}

view_subject view_result_subject(view_result_def *def)
{
    static const view_kind kind = {
        .free = free_result,
        .command = do_command,
        .replaces = view_result_replaces,
        .due = due_in,
        .advance = advance,
        .idle = idle,
        .has_ended = has_ended,
        .picture = take_picture,
        .state = take_state,
    };
    return (view_subject){&kind, def, open_result};
}
