/* A body that commands change, with a journal: each entry is a command or steps in time, in the
 * order in which they were done. A state of the journal is made by doing its entries again on a
 * body that begins again, with the answers that were kept in place of solves: so it has the same
 * bits whenever it is visited. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRY = 1000000, MAX_STEPS = 1000 };

/* ---- the journal
 * ---------------------------------------------------------------------------------- */

static void free_entry(view_play *play, view_entry *entry)
{
    view_forget_answer(play, entry);
    cJSON_free(entry->text);
    *entry = (view_entry){0};
}

/* The next change discards undone ones. */
static void cut_journal(view_play *play)
{
    while (play->n_entry > play->at) {
        free_entry(play, &play->entry[--play->n_entry]);
    }
}

static ew_status add_entry(view_play *play, char *text, int32_t n_step)
{
    if (!text || play->n_entry == MAX_ENTRY) {
        cJSON_free(text);
        return ew_fail(EW_LIMIT,
                       "view: the journal has %d entries, as many as it takes; start "
                       "again from the saved body",
                       (int)play->n_entry);
    }
    const ew_status status =
        ew_grow(&play->entry, &play->entry_capacity, play->n_entry + 1, sizeof *play->entry);
    if (status) {
        cJSON_free(text);
        return status;
    }
    play->entry[play->n_entry++] = (view_entry){.text = text, .n_step = n_step};
    play->at = play->n_entry;
    return EW_OK;
}

static ew_status add_steps(view_play *play, int32_t n)
{
    cJSON *command = cJSON_CreateObject();
    if (n == 0) {
        cJSON_Delete(command);
        return EW_OK;
    }
    cut_journal(play);
    view_entry *last = play->at ? &play->entry[play->at - 1] : NULL;
    if (last && last->n_step && last->n_step < INT32_MAX - n && last->dt == play->dt) {
        last->n_step += n;
        cJSON_Delete(command);
        return EW_OK;
    }
    (void)cJSON_AddStringToObject(command, "do", "step");
    (void)cJSON_AddNumberToObject(command, "dt", play->dt);
    char *text = cJSON_PrintUnformatted(command);
    cJSON_Delete(command);
    EW_TRY(add_entry(play, text, n));
    play->entry[play->at - 1].dt = play->dt;
    return EW_OK;
}

static bool is_parameter(const view_entry *entry)
{
    cJSON *command = cJSON_Parse(entry->text);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "do");
    const bool is = cJSON_IsString(name) && !strcmp(name->valuestring, "parameter");
    cJSON_Delete(command);
    return is;
}

/* Entries from `from` on whose answers nothing reads: those between the last step in time and the
 * last entry whose answer was kept, which takes the place of what is there. Returns that one; *from
 * the first of these. */
static int32_t find_unread(const view_play *play, int32_t at, int32_t *from)
{
    int32_t last = at - 1;
    while (last > *from && !play->entry[last].n) {
        last--;
    }
    for (int32_t i = *from; i < last; i++) {
        *from = play->entry[i].n_step ? i + 1 : *from;
    }
    return last;
}

/* Of a body whose parts touch edits read every answer: what presses holds a piece, which else goes.
 */
static bool reads_all(const view_play *play)
{
    return ew_model_n_contact(play->body.model) > 0;
}

/* Entry i once more, up to state `at`. What fails now failed then, and changed nothing. Of
 * parameters in a row the body begins again with the last one alone. */
static void redo(view_play *play, int32_t i, int32_t at, bool is_read)
{
    view_entry *entry = &play->entry[i];
    cJSON *command = cJSON_Parse(entry->text);
    int32_t n_done;
    if (entry->n_step) {
        play->dt = entry->dt;
        (void)view_step(play, entry->n_step, &n_done);
    } else if (i + 1 < at && is_parameter(entry) && is_parameter(&play->entry[i + 1])) {
        (void)view_put_parameter(play, command);
    } else {
        (void)view_apply(play, command);
        if (is_read || reads_all(play)) {
            view_answer(play, entry);
        }
    }
    cJSON_Delete(command);
}

/* The first state; its answer where something reads that. */
static ew_status begin_again(view_play *play, bool is_read)
{
    double value[VIEW_MAX_PARAMETER];
    memcpy(value, play->value, sizeof value);
    for (int32_t i = 0; i < play->source->n_parameter; i++) {
        play->value[i] = play->source->parameter[i].value;
    }
    EW_TRY(view_reset_fill(play));
    const ew_status status = view_open_body(play);
    if (status) {
        memcpy(play->value, value, sizeof value);
        return status;
    }
    if (is_read || reads_all(play)) {
        view_answer(play, NULL);
    }
    play->n_contact_left = 0;
    play->at = 0;
    return EW_OK;
}

static void redo_to(view_play *play, int32_t at)
{
    int32_t from = play->at;
    const int32_t to = find_unread(play, at, &from);
    play->is_redoing = true;
    while (play->at < at) {
        const int32_t i = play->at++;
        redo(play, i, at, i < from || i >= to);
    }
    play->is_redoing = false;
    play->is_playing = false;
}

static ew_status go_to(view_play *play, int32_t at)
{
    if (at < 0 || at > play->n_entry) {
        return ew_fail(EW_BAD_INPUT, "goto: the journal has the states 0 to %d",
                       (int)play->n_entry);
    }
    if (at == play->at) {
        return EW_OK;
    }
    if (at < play->at) {
        int32_t from = 0;
        const int32_t to = find_unread(play, at, &from);
        EW_TRY(begin_again(play, from > 0 || to <= 0));
    } else {
        EW_TRY(view_settle_body(play));
    }
    redo_to(play, at);
    return EW_OK;
}

/* A command failed. Where it left no body that is of use, the present state is made again. */
static ew_status fail_whole(view_play *play, ew_status status)
{
    if (status && play->is_broken) {
        const ew_failure failure = *ew_last_failure();
        const int32_t at = play->at;
        play->is_broken = false;
        EW_TRY(begin_again(play, true));
        redo_to(play, at);
        return ew_fail(failure.status, "%s", failure.text);
    }
    return status;
}

/* ---- commands that are no change
 * ---------------------------------------------------------------------- */

static double number_of(const cJSON *command, const char *key, double preset)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, key);
    return cJSON_IsNumber(item) ? item->valuedouble : preset;
}

static ew_status set_dt(view_play *play, const cJSON *command)
{
    const double dt = number_of(command, "dt", play->dt);
    if (!(dt > 0.0 && dt <= 1e30)) {
        return ew_fail(EW_BAD_INPUT, "step: 'dt' must be a time above 0");
    }
    play->dt = dt;
    return EW_OK;
}

static ew_status steps(view_play *play, const cJSON *command)
{
    const double n = number_of(command, "n", 1);
    int32_t n_done = 0;
    if (!(n >= 1 && n <= MAX_STEPS && n == floor(n))) {
        return ew_fail(EW_BAD_INPUT, "step: 'n' must be a whole number from 1 to %d", MAX_STEPS);
    }
    EW_TRY(set_dt(play, command));
    const ew_status status = view_step(play, (int32_t)n, &n_done);
    if (status) {
        const ew_failure failure = *ew_last_failure();
        EW_TRY(add_steps(play, n_done));
        return ew_fail(failure.status, "%s", failure.text);
    }
    return add_steps(play, n_done);
}

static ew_status start_playing(view_play *play, const cJSON *command)
{
    if (play->mode == VIEW_STATICS) {
        return ew_fail(EW_BAD_INPUT, "play: a static body has no time; choose the mode 'dynamics' "
                                     "or 'rotations' first");
    }
    const double speed = number_of(command, "speed", play->speed);
    if (!(speed >= 0.0 && speed <= 1e30)) {
        return ew_fail(EW_BAD_INPUT, "play: 'speed' must be a number above 0, or 0: as fast as the "
                                     "steps are solved");
    }
    EW_TRY(set_dt(play, command));
    play->speed = speed;
    play->due = ew_seconds();
    play->is_playing = true;
    return EW_OK;
}

/* A drag is one state to an undo: the entries of it in a row. */
static int32_t start_of_drag(const view_play *play, int32_t at)
{
    bool same = true;
    for (; at > 0 && same; at -= same) {
        cJSON *own = cJSON_Parse(play->entry[at].text);
        cJSON *before = cJSON_Parse(play->entry[at - 1].text);
        same = view_command_replaces(own, before) || view_is_same_stroke(own, before);
        cJSON_Delete(own);
        cJSON_Delete(before);
    }
    return at;
}

static int32_t end_of_drag(const view_play *play, int32_t at)
{
    while (at < play->n_entry && start_of_drag(play, at) < at) {
        at++;
    }
    return at;
}

static ew_status control(view_play *play, const cJSON *command, const char *name)
{
    if (!strcmp(name, "step")) {
        return steps(play, command);
    }
    if (!strcmp(name, "play")) {
        return start_playing(play, command);
    }
    if (!strcmp(name, "undo")) {
        return play->at ? go_to(play, start_of_drag(play, play->at - 1))
                        : ew_fail(EW_BAD_INPUT, "undo: this is the first state");
    }
    if (!strcmp(name, "redo")) {
        return play->at < play->n_entry ? go_to(play, end_of_drag(play, play->at + 1))
                                        : ew_fail(EW_BAD_INPUT, "redo: this is the last state");
    }
    if (!strcmp(name, "goto")) {
        const double at = number_of(command, "at", -1);
        return go_to(play, at >= 0 && at <= MAX_ENTRY && at == floor(at) ? (int32_t)at : -1);
    }
    const bool is_pause = !strcmp(name, "pause"), is_quit = !strcmp(name, "quit");
    play->is_playing = play->is_playing && !is_pause && !is_quit;
    play->has_ended = play->has_ended || is_quit;
    return is_pause || is_quit || !strcmp(name, "state")
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "there is no command '%.40s'", name);
}

/* ---- public
 * --------------------------------------------------------------------------------------------- */

ew_status view_play_create(view_play **play, const view_source *source)
{
    view_play *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->source = source;
    made->dt = 1e-3;
    for (int32_t i = 0; i < source->n_parameter; i++) {
        made->value[i] = source->parameter[i].value;
    }
    const ew_status status = view_open_body(made);
    if (status) {
        view_play_free(made);
        return status;
    }
    view_answer(made, NULL);
    *play = made;
    return EW_OK;
}

void view_play_free(view_play *play)
{
    if (!play) {
        return;
    }
    play->at = 0;
    cut_journal(play);
    ew_release(play->entry);
    view_supports_free(&play->supports);
    ew_set_free(&play->named_sets);
    ew_list_free(&play->removed_sets);
    ew_release(play->opened_tet);
    play->source->close(play->source->user, &play->body);
    int32_t *const list[] = {play->row, play->vertex_id, play->triangle,
                             play->tet, play->face,      play->region};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ew_release(list[i]);
    }
    ew_release(play->face_set);
    ew_release(play->cad_face);
    ew_release(play->label);
    ew_release(play->choice);
    ew_release(play->step);
    cJSON_Delete(play->rules);
    cJSON_Delete(play->renamed);
    cJSON_Delete(play->written);
    cJSON_Delete(play->told);
    ew_release(play->position);
    ew_release(play->displacement);
    ew_release(play->shown);
    ew_release(play->corner_shown);
    ew_release(play->number);
    view_free_tets(&play->tets);
    ew_release(play->curved.of_side);
    ew_release(play->curved.edge);
    ew_release(play->cap_position);
    ew_release(play->cap_displacement);
    ew_release(play->cap_value);
    ew_release(play);
}

/* What is about to be changed by hand begins as its file says. A command that names slots meant
 * those of the body that was shown. */
static ew_status settle_for(view_play *play, const cJSON *command)
{
    static const char *const slots[] = {"vertex", "vertices", "tets", "face", "faces"};
    const char *name = cJSON_GetObjectItemCaseSensitive(command, "do")->valuestring;
    bool has_slots = false;
    if (!play->is_about || !strcmp(name, "parameter")) {
        return EW_OK;
    }
    EW_TRY(view_settle_body(play));
    for (size_t k = 0; k < sizeof slots / sizeof *slots; k++) {
        has_slots = has_slots || cJSON_GetObjectItemCaseSensitive(command, slots[k]);
    }
    return has_slots ? ew_fail(EW_BAD_INPUT,
                               "%s: the body has just begun again with its "
                               "parameters; choose on what is shown now",
                               name)
                     : EW_OK;
}

/* Stages are of all that was done since the last picture. */
static void begin_stages(view_play *play)
{
    if (play->is_shown) {
        play->is_shown = false;
        play->seconds_edit = play->seconds_solve = 0.0;
        ew_model_clear_report(play->body.model);
    }
}

ew_status view_play_do(view_play *play, const cJSON *command, cJSON **reply)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "do");
    if (reply) {
        *reply = NULL;
    }
    if (!cJSON_IsString(name)) {
        return ew_fail(EW_BAD_INPUT, "a command must say what to 'do'");
    }
    if (!strcmp(name->valuestring, "field")) {
        return view_do_field(play, command);
    }
    if (!strcmp(name->valuestring, "section")) {
        return view_do_section(play, command);
    }
    if (!strcmp(name->valuestring, "explode")) {
        return view_do_explode(play, command);
    }
    if (!strcmp(name->valuestring, "save")) {
        EW_TRY(view_settle_body(play));
        return view_save(play, command, reply);
    }
    for (int k = 0; view_question_name(k); k++) {
        if (!strcmp(name->valuestring, view_question_name(k))) {
            return view_ask(play, k, command, reply);
        }
    }
    begin_stages(play);
    if (!view_is_edit(command)) {
        return control(play, command, name->valuestring);
    }
    EW_TRY(settle_for(play, command));
    EW_TRY(fail_whole(play, view_apply(play, command)));
    cut_journal(play);
    EW_TRY(add_entry(play, cJSON_PrintUnformatted(command), 0));
    view_answer(play, &play->entry[play->at - 1]);
    if (reply) {
        *reply = play->told;
        play->told = NULL;
    }
    return EW_OK;
}

ew_status view_play_advance(view_play *play)
{
    int32_t n_done = 0;
    if (!play->is_playing) {
        return EW_OK;
    }
    begin_stages(play);
    const ew_status status = view_step(play, 1, &n_done);
    /* A delay against the chosen speed is not caught up. */
    play->due = play->speed > 0.0 ? fmax(play->due + play->dt / play->speed, ew_seconds()) : 0.0;
    if (status) {
        snprintf(play->message, sizeof play->message, "%s", ew_message());
        play->is_playing = false;
    }
    return add_steps(play, n_done);
}

bool view_play_rest(view_play *play)
{
    const bool was_about = play->is_about;
    if (view_settle_body(play)) {
        snprintf(play->message, sizeof play->message, "%s", ew_message());
    }
    return view_play_estimate(play) || was_about;
}

double view_play_due(const view_play *play)
{
    return play->is_playing ? fmax(0.0, play->due - ew_seconds()) : INFINITY;
}

bool view_play_has_ended(const view_play *play)
{
    return play->has_ended;
}

ew_model *view_play_model(view_play *play)
{
    return play->body.model;
}
