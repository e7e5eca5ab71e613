/* Steps of the case: a static one, motion in time, vibration modes, buckling. In: commands. Out: a
 * list that saving writes and a run computes; the body that is shown does not depend on it. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STEP = 1000, MAX_COUNT = 1000, MAX_FRAME = 100 };

static const char *const kinds[VIEW_N_ANALYSIS] = {"static", "motion", "modes", "buckling",
                                                   "other"};
static const char *const starts[VIEW_N_START] = {"previous", "rest", "release"};

/* ---- of a body that begins ------------------------------------------------------------------- */

static view_analysis kind_of(const ew_case_step *step)
{
    return step->response || step->n_diameter ? VIEW_OTHER
           : step->dynamic                    ? VIEW_MOTION
           : step->n_mode                     ? (step->is_buckling ? VIEW_BUCKLING : VIEW_MODES)
           : step->has_static && step->remove == NULL ? VIEW_STATIC
                                                      : VIEW_OTHER;
}

static view_study_step step_of_case(const ew_case_step *from, int32_t i)
{
    view_study_step step = {.of_case = i, .kind = kind_of(from), .count = from->n_mode};
    snprintf(step.name, sizeof step.name, "%.60s", from->name);
    if (from->dynamic) {
        step.dt = from->dynamic->step;
        step.duration = from->dynamic->end - from->start;
        step.every = from->dynamic->every;
        step.start = from->dynamic->start == EW_START_REST ? VIEW_FROM_REST : VIEW_FROM_PREVIOUS;
    }
    return step;
}

static ew_status push(view_play *play, const view_study_step *step)
{
    EW_TRY(ew_grow(&play->step, &play->step_capacity, play->n_step + 1, sizeof *play->step));
    play->step[play->n_step++] = *step;
    return EW_OK;
}

ew_status view_take_steps(view_play *play)
{
    const ew_case *input = play->body.input;
    const view_study_step answer = {.of_case = -1, .kind = VIEW_STATIC, .name = "answer"};
    play->n_step = 0;
    for (int32_t i = 0; input && i < input->n_step; i++) {
        if (ew_case_stands_beside(&input->step[i])) {
            continue; /* they stand beside `steps`, at the end */
        }
        const view_study_step step = step_of_case(&input->step[i], i);
        EW_TRY(push(play, &step));
    }
    return input ? EW_OK : push(play, &answer);
}

/* ---- commands -------------------------------------------------------------------------------- */

static int find_word(const cJSON *item, int n, const char *const *words)
{
    for (int k = 0; k < n && cJSON_IsString(item); k++) {
        if (!strcmp(item->valuestring, words[k])) {
            return k;
        }
    }
    return -1;
}

/* Time of a motion: at most MAX_FRAME frames unless the command says which. */
static ew_status read_motion(const cJSON *command, view_study_step *step)
{
    double every;
    EW_TRY(view_read_number(command, "dt", 1e-90, 1e90, step->dt, &step->dt));
    EW_TRY(view_read_number(command, "duration", 1e-90, 1e90, step->duration, &step->duration));
    const double n = ceil(step->duration / step->dt * (1.0 - 1e-12));
    if (!(n >= 1.0 && n <= 1e8)) {
        return ew_fail(EW_BAD_INPUT,
                       "step: a duration of %g in time steps of %g is %.3g of them; from 1 to 1e8 "
                       "can be computed",
                       step->duration, step->dt, n);
    }
    const bool is_chosen = step->of_case >= 0 || step->has_every;
    const double preset = is_chosen ? step->every : fmax(1.0, ceil(n / MAX_FRAME));
    step->has_every = is_chosen || cJSON_GetObjectItemCaseSensitive(command, "every");
    EW_TRY(view_read_number(command, "every", 1, 1e8, preset, &every));
    if (every != floor(every)) {
        return ew_fail(EW_BAD_INPUT, "step: 'every' must be a whole number of time steps");
    }
    step->every = (int32_t)every;
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(command, "start");
    const int k = start ? find_word(start, VIEW_N_START, starts) : (int)step->start;
    if (k < 0) {
        return ew_fail(EW_BAD_INPUT, "step: 'start' must be previous, rest or release");
    }
    if (step->of_case >= 0 && k != (int)step->start) {
        return ew_fail(EW_BAD_INPUT, "step: where '%s' starts from is in the case; change it there",
                       step->name);
    }
    step->start = (view_start)k;
    return EW_OK;
}

static ew_status read_values(const cJSON *command, view_study_step *step)
{
    double count;
    if (step->kind == VIEW_MOTION) {
        return read_motion(command, step);
    }
    if (step->kind == VIEW_MODES || step->kind == VIEW_BUCKLING) {
        EW_TRY(view_read_number(command, "count", 1, MAX_COUNT, step->count, &count));
        step->count = (int32_t)count;
        return count == floor(count)
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "step: 'count' must be a whole number");
    }
    return EW_OK;
}

/* A name in one line that no other step has; number: of the step, from 0. */
static ew_status read_name(const view_play *play, const cJSON *command, int32_t number,
                           view_study_step *step)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    const size_t n = cJSON_IsString(name) ? strlen(name->valuestring) : 0;
    if (!name && step->name[0]) {
        return EW_OK;
    }
    if (name && (n == 0 || n >= sizeof step->name || strpbrk(name->valuestring, "\"\\\n\r\t"))) {
        return ew_fail(EW_BAD_INPUT,
                       "step: 'name' must have 1 to %d bytes, without quotes and "
                       "backslashes",
                       (int)sizeof step->name - 1);
    }
    snprintf(step->name, sizeof step->name, "%s", name ? name->valuestring : kinds[step->kind]);
    int suffix = 1;
    for (int32_t i = 0; i < play->n_step; i++) {
        if (i == number || strcmp(play->step[i].name, step->name) != 0) {
            continue;
        }
        if (name) {
            return ew_fail(EW_BAD_INPUT, "step: there is a step '%s' already; take another name",
                           step->name);
        }
        snprintf(step->name, sizeof step->name, "%s %d", kinds[step->kind], ++suffix);
        i = -1;
    }
    return EW_OK;
}

/* Whether the steps can follow each other as they do. */
static ew_status check_order(int32_t n, const view_study_step *step)
{
    for (int32_t i = 0; i < n; i++) {
        const bool follows_static = i > 0 && step[i - 1].kind == VIEW_STATIC;
        if (step[i].kind == VIEW_BUCKLING && !follows_static) {
            return ew_fail(EW_BAD_INPUT,
                           "step: '%s' finds the buckling factors of the static step right before "
                           "it; put a static one there",
                           step[i].name);
        }
    }
    return EW_OK;
}

ew_status view_do_step_add(view_play *play, const cJSON *command)
{
    const int k = find_word(cJSON_GetObjectItemCaseSensitive(command, "kind"), VIEW_OTHER, kinds);
    view_study_step step = {.of_case = -1, .kind = (view_analysis)k, .dt = 1e-3, .duration = 0.1};
    step.count = k == VIEW_MODES ? 10 : 3;
    if (k < 0) {
        return ew_fail(EW_BAD_INPUT, "step: 'kind' must be static, motion, modes or buckling");
    }
    if (play->n_step == MAX_STEP) {
        return ew_fail(EW_LIMIT, "step: there are %d steps, as many as the page takes",
                       (int)play->n_step);
    }
    EW_TRY(read_name(play, command, play->n_step, &step));
    EW_TRY(read_values(command, &step));
    EW_TRY(push(play, &step));
    const ew_status status = check_order(play->n_step, play->step);
    play->n_step -= status != EW_OK;
    return status;
}

static ew_status read_index(const view_play *play, const cJSON *command, int32_t *index)
{
    double value;
    EW_TRY(view_read_number(command, "index", 0, play->n_step - 1, -1, &value));
    *index = (int32_t)value;
    return value == floor(value) ? EW_OK
                                 : ew_fail(EW_BAD_INPUT, "step: 'index' must be a whole number");
}

ew_status view_do_step_change(view_play *play, const cJSON *command)
{
    int32_t i;
    EW_TRY(read_index(play, command, &i));
    view_study_step step = play->step[i];
    EW_TRY(read_name(play, command, i, &step));
    EW_TRY(read_values(command, &step));
    step.is_changed = true;
    play->step[i] = step;
    return EW_OK;
}

ew_status view_do_step_remove(view_play *play, const cJSON *command)
{
    int32_t i;
    EW_TRY(read_index(play, command, &i));
    const view_study_step removed = play->step[i];
    if (play->n_step == 1) {
        return ew_fail(EW_BAD_INPUT, "step: a case has one step at least; add another one first");
    }
    if (removed.of_case >= 0 && removed.of_case <= play->body.step) {
        return ew_fail(EW_BAD_INPUT,
                       "step: '%s' leads to the body that is shown; take it out of the case itself",
                       removed.name);
    }
    const size_t n = (size_t)(play->n_step - 1 - i);
    memmove(play->step + i, play->step + i + 1, n * sizeof *play->step);
    const ew_status status = check_order(play->n_step - 1, play->step);
    if (status) {
        memmove(play->step + i + 1, play->step + i, n * sizeof *play->step);
        play->step[i] = removed;
        return status;
    }
    play->n_step--;
    return EW_OK;
}

/* ---- of the state ---------------------------------------------------------------------------- */

void view_add_steps(const view_play *play, cJSON *list)
{
    for (int32_t i = 0; i < play->n_step; i++) {
        const view_study_step *step = &play->step[i];
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", step->name);
        (void)cJSON_AddStringToObject(one, "kind", kinds[step->kind]);
        (void)cJSON_AddBoolToObject(one, "fixed",
                                    step->of_case >= 0 && step->of_case <= play->body.step);
        (void)cJSON_AddBoolToObject(one, "of_case", step->of_case >= 0);
        if (step->kind == VIEW_MODES || step->kind == VIEW_BUCKLING) {
            (void)cJSON_AddNumberToObject(one, "count", step->count);
        }
        if (step->kind == VIEW_MOTION) {
            (void)cJSON_AddNumberToObject(one, "dt", step->dt);
            (void)cJSON_AddNumberToObject(one, "duration", step->duration);
            (void)cJSON_AddNumberToObject(one, "every", step->every);
            (void)cJSON_AddStringToObject(one, "start", starts[step->start]);
        }
        (void)cJSON_AddItemToArray(list, one);
    }
}

/* ---- in a case ------------------------------------------------------------------------------- */

static void put_motion(const view_study_step *step, ew_case_entry *to)
{
    ew_case_entry *motion = ew_case_add_mapping(to, "dynamic");
    ew_case_add_number(motion, "step", step->dt);
    ew_case_add_integer(motion, "steps", (int64_t)ceil(step->duration / step->dt * (1.0 - 1e-12)));
    if (step->every > 1) {
        ew_case_add_integer(ew_case_add_mapping(motion, "output"), "every", step->every);
    }
    if (step->start == VIEW_FROM_REST) {
        ew_case_add_text(motion, "initial", "rest");
    }
    if (step->start == VIEW_RELEASED) {
        (void)ew_case_add_list(to, "loads");
    }
}

void view_put_step(const view_study_step *step, ew_case_entry *to)
{
    static const char *const keys[] = {"modes", "buckling"};
    ew_case_add_text(to, "name", step->name);
    if (step->kind == VIEW_STATIC) {
        ew_case_add_number(ew_case_add_mapping(to, "static"), "tolerance", 1e-8);
    } else if (step->kind == VIEW_MOTION) {
        put_motion(step, to);
    } else {
        ew_case_add_integer(ew_case_add_mapping(to, keys[step->kind - VIEW_MODES]), "count",
                            step->count);
    }
}

static ew_status change_motion(const view_play *play, const view_study_step *step,
                               ew_case_editor *editor, int32_t node, ew_case_entry *scratch)
{
    const int32_t motion = ew_case_editor_value(editor, node, "dynamic");
    const int32_t end = ew_case_editor_value(editor, motion, "end");
    ew_case_entry *to = ew_case_add_mapping(scratch, "dynamic");
    ew_case_add_number(to, "step", step->dt);
    if (end) {
        ew_case_add_number(to, "end", play->body.input->step[step->of_case].start + step->duration);
    } else {
        ew_case_add_integer(to, "steps", (int64_t)ceil(step->duration / step->dt * (1.0 - 1e-12)));
    }
    EW_TRY(ew_case_editor_merge(editor, node, to));
    const int32_t every =
        ew_case_editor_value(editor, ew_case_editor_value(editor, motion, "output"), "every");
    if (every || step->every > 1) {
        ew_case_entry *output = ew_case_add_mapping(to, "output");
        ew_case_add_integer(output, "every", step->every);
        EW_TRY(ew_case_editor_merge(editor, motion, output));
    }
    return EW_OK;
}

/* Numbers of a step of the case; scratch: a mapping of a step that nothing else reads. */
static ew_status change_step(const view_play *play, const view_study_step *step,
                             ew_case_editor *editor, int32_t node, ew_case_entry *scratch)
{
    const ew_case_step *from = &play->body.input->step[step->of_case];
    if (strcmp(from->name, step->name) != 0) {
        ew_case_entry *name = ew_case_add_text(scratch, "name", step->name);
        const int32_t old = ew_case_editor_value(editor, node, "name");
        EW_TRY(old ? ew_case_editor_replace(editor, old, name)
                   : ew_case_editor_add(editor, node, name));
    }
    if (step->kind == VIEW_MOTION) {
        return change_motion(play, step, editor, node, scratch);
    }
    if ((step->kind == VIEW_MODES || step->kind == VIEW_BUCKLING) && step->count != from->n_mode) {
        ew_case_entry *to =
            ew_case_add_mapping(scratch, step->kind == VIEW_MODES ? "modes" : "buckling");
        ew_case_add_integer(to, "count", step->count);
        return ew_case_editor_merge(editor, node, to);
    }
    return EW_OK;
}

bool view_has_own_steps(const view_play *play)
{
    bool has = false;
    for (int32_t i = 0; i < play->n_step; i++) {
        has = has || play->step[i].of_case < 0 || play->step[i].is_changed;
    }
    return has;
}

ew_status view_change_steps(const view_play *play, ew_case_editor *editor, ew_case_draft *scratch,
                            ew_case_entry *list)
{
    const int32_t node = ew_case_editor_value(editor, EW_CASE_EDITOR_ROOT, "steps");
    int32_t next = 0;
    for (int32_t i = 0; i < play->n_step; i++) {
        const view_study_step *step = &play->step[i];
        if (step->of_case < 0) {
            ew_case_entry *made = ew_case_add_mapping(list, NULL);
            view_put_step(step, made);
            EW_TRY(node ? ew_case_editor_add(editor, node, made) : EW_OK);
            continue;
        }
        for (; node && next < step->of_case; next++) {
            ew_case_editor_remove(editor, ew_case_editor_item(editor, node, next));
        }
        next = step->of_case + 1;
        if (step->is_changed && node) {
            ew_case_entry *own =
                ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(scratch), "steps"), NULL);
            EW_TRY(change_step(play, step, editor, ew_case_editor_item(editor, node, step->of_case),
                               own));
        }
    }
    for (; node && next < play->body.input->n_step; next++) {
        ew_case_editor_remove(editor, ew_case_editor_item(editor, node, next));
    }
    return EW_OK;
}
