/* What the panels of the page show of a result. In: a result and its frame. Out: an object of
 * JSON. */
#include "result.h"

#include <math.h>
#include <string.h>

static const ew_view_set *find_set(const ew_view_step *step, const char *mask)
{
    for (int32_t k = 0; step && k < step->n_set; k++) {
        if (look_is_mask_of(mask, step->set[k].name)) {
            return &step->set[k];
        }
    }
    return NULL;
}

/* In the order of the masks, as the bits of pictures. */
static void add_sets(const view_result *result, cJSON *list)
{
    const ew_view_frame *frame = &result->body[0].frame;
    const ew_view_step *step = result_step_of(&result->file[0].view, result->frame);
    for (int32_t k = 0; k < frame->n_field; k++) {
        const ew_view_field *field = &frame->field[k];
        if (strncmp(field->name, "set_", 4) != 0 || !field->is_integer || field->n_component != 1) {
            continue;
        }
        const ew_view_set *of = find_set(step, field->name + 4);
        const double *count = of ? ew_view_find(of->n_number, of->number, "members", 1) : NULL,
                     *area = of ? ew_view_find(of->n_number, of->number, "area", 1) : NULL;
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", of ? of->name : field->name + 4);
        (void)cJSON_AddStringToObject(one, "kind", of ? of->kind : "");
        (void)cJSON_AddNumberToObject(one, "count", count ? *count : 0.0);
        if (area) {
            (void)cJSON_AddNumberToObject(one, "area", *area);
        }
        (void)cJSON_AddItemToArray(list, one);
    }
}

static void add_fields(const view_result *result, cJSON *list)
{
    static const char *const places[] = {"vertices", "tets", "corners"};
    static const look_place order[] = {LOOK_AT_CORNERS, LOOK_AT_VERTICES, LOOK_AT_TETS};
    for (int32_t k = 0; k < result->n_choice; k++) {
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", result->choice[k].title);
        cJSON *of = cJSON_AddArrayToObject(one, "of");
        for (int p = 0; p < 3; p++) {
            if (result->choice[k].at[order[p]]) {
                (void)cJSON_AddItemToArray(of, cJSON_CreateString(places[order[p]]));
            }
        }
        (void)cJSON_AddItemToArray(list, one);
    }
}

/* "swing, time 0.1 s"; "clamped mode 3: 120" (frequency); "pressed mode 1, factor 2.3". */
static void write_frame_name(const ew_result_view *view, const ew_view_step *step, char name[160])
{
    const double *time = ew_view_find(step->n_number, step->number, "time", 1),
                 *frequency = ew_view_find(step->n_number, step->number, "frequency", 1),
                 *factor = ew_view_find(step->n_number, step->number, "load_factor", 1);
    if (!strcmp(step->kind, "dynamic") && time) {
        snprintf(name, 160, "%.80s, time %.6g%s%.20s", step->name, *time,
                 *view->time_unit ? " " : "", view->time_unit);
    } else if (frequency) {
        const bool in_seconds = !strcmp(view->time_unit, "s");
        snprintf(name, 160, "%.80s: %.6g%s", step->name, *frequency, in_seconds ? " Hz" : "");
    } else if (factor) {
        snprintf(name, 160, "%.80s: factor %.6g", step->name, *factor);
    } else {
        snprintf(name, 160, "%.120s", step->name);
    }
}

static void add_frames(const view_result *result, cJSON *all)
{
    const ew_result_view *view = &result->file[0].view;
    cJSON *names = cJSON_AddArrayToObject(all, "frame_names"),
          *steps = cJSON_AddArrayToObject(all, "steps");
    bool has_modes = false;
    for (int32_t s = 0; s < view->n_step; s++) {
        const ew_view_step *step = &view->step[s];
        const bool is_first = s == 0 || strcmp(step->name, view->step[s - 1].name) != 0;
        char name[160];
        write_frame_name(view, step, name);
        if (step->frame >= 0) {
            (void)cJSON_AddItemToArray(names, cJSON_CreateString(name));
        }
        has_modes = has_modes || !strcmp(step->kind, "modes") || !strcmp(step->kind, "buckling");
        if (!is_first) {
            continue;
        }
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", step->name);
        (void)cJSON_AddStringToObject(one, "words", step->kind);
        (void)cJSON_AddNumberToObject(one, "frame", step->frame);
        (void)cJSON_AddStringToObject(one, "warnings", step->warnings);
        (void)cJSON_AddItemToArray(steps, one);
    }
    (void)cJSON_AddBoolToObject(all, "modes", has_modes);
}

static void add_commands(cJSON *list)
{
    static const char *const names[] = {"field",   "section", "explode", "frame",   "play", "pause",
                                        "history", "compare", "inspect", "quality", "range"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        (void)cJSON_AddItemToArray(list, cJSON_CreateString(names[k]));
    }
}

ew_status result_state(view_result *result, cJSON **state)
{
    static const char *const how[RESULT_N_HOW] = {"alone", "beside", "difference"};
    const ew_result_view *view = &result->file[0].view;
    const char *second = result->file[1].path;
    cJSON *all = cJSON_CreateObject();
    char unit[48] = "";
    if (!all) {
        return ew_fail(EW_NO_MEMORY, "view: no memory for the panels");
    }
    if (*view->length_unit) {
        snprintf(unit, sizeof unit, "%.40s^2", view->length_unit);
    }
    (void)cJSON_AddStringToObject(all, "kind", "state");
    (void)cJSON_AddBoolToObject(all, "result", true);
    (void)cJSON_AddStringToObject(all, "file", result->file[0].path);
    (void)cJSON_AddStringToObject(all, "second", second ? second : "");
    (void)cJSON_AddStringToObject(all, "how", how[result->how]);
    (void)cJSON_AddStringToObject(all, "area_unit", unit);
    (void)cJSON_AddStringToObject(all, "length_unit", view->length_unit);
    (void)cJSON_AddStringToObject(all, "reason", view->complete ? "" : view->reason);
    (void)cJSON_AddNumberToObject(all, "frames", result_n_frame(result));
    (void)cJSON_AddNumberToObject(all, "frame", result->frame);
    (void)cJSON_AddNumberToObject(all, "speed", result->speed);
    add_frames(result, all);
    add_sets(result, cJSON_AddArrayToObject(all, "sets"));
    result_add_supports(result, all);
    add_fields(result, cJSON_AddArrayToObject(all, "fields"));
    add_commands(cJSON_AddArrayToObject(all, "commands"));
    *state = all;
    return EW_OK;
}
