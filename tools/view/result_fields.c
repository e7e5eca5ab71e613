/* What of a result can be shown. In: the fields of its file, and the command `field`. Out: a list
 * of numbers for the page, and that which a frame has of the chosen one. */
#include "result.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SET = 32 }; /* sets that the page colors: a bit each */
static const char *const place_names[] = {"vertices", "tets", "corners"};

/* Ids, masks of sets and what corner fields are called are no numbers to be shown. */
static bool is_shown(const ew_view_field *field)
{
    return !field->is_integer || !strcmp(field->name, "region") || !strcmp(field->name, "born");
}

static result_choice *find_choice(const view_result *result, const char *name, int32_t component)
{
    for (int32_t k = 0; k < result->n_choice; k++) {
        if (!strcmp(result->choice[k].name, name) && result->choice[k].component == component) {
            return &result->choice[k];
        }
    }
    return NULL;
}

/* One number of the field, or one more place of a number that there is. */
static ew_status add_choice(view_result *result, int32_t *capacity, const ew_view_field *field,
                            int32_t component)
{
    const bool is_corner = field->place == EW_ON_TETS && !strncmp(field->name, "corner_", 7);
    const char *name = field->name + (is_corner ? 7 : 0);
    result_choice *choice = find_choice(result, name, component);
    if (!choice) {
        EW_TRY(ew_grow(&result->choice, capacity, (int64_t)result->n_choice + 1,
                       sizeof *result->choice));
        choice = &result->choice[result->n_choice++];
        *choice = (result_choice){.component = component};
        snprintf(choice->name, sizeof choice->name, "%s", name);
        look_write_name(name, is_corner ? 1 : field->n_component, component, choice->title,
                        sizeof choice->title);
    }
    choice->at[is_corner                    ? LOOK_AT_CORNERS
               : field->place == EW_ON_TETS ? LOOK_AT_TETS
                                            : LOOK_AT_VERTICES] = true;
    return EW_OK;
}

/* A scalar; length and components of a vector; components of others. */
static ew_status add_choices(view_result *result, int32_t *capacity, const ew_view_field *field)
{
    const bool is_corner = field->place == EW_ON_TETS && !strncmp(field->name, "corner_", 7);
    const int32_t n = is_corner ? 1 : field->n_component;
    const bool has_length = look_has_length(field->name, n);
    EW_TRY(has_length ? add_choice(result, capacity, field, -1) : EW_OK);
    for (int32_t k = 0; k < n && n > 1; k++) {
        EW_TRY(add_choice(result, capacity, field, k));
    }
    return EW_OK;
}

static ew_status list(view_result *result, int32_t n, const ew_view_field *field)
{
    static const char always[] = "displacement vertex_id tet_id region";
    const size_t size = sizeof always + (MAX_SET + LOOK_N_PRESET) * (EW_VIEW_NAME + 1);
    int32_t capacity = 0, n_set = 0;
    EW_TRY(ew_new_zero(&result->fields, size, 1));
    strcpy(result->fields, always);
    for (int32_t k = 0; k < LOOK_N_PRESET; k++) {
        strcat(strcat(result->fields, " "), look_presets[k]);
    }
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(is_shown(&field[k]) ? add_choices(result, &capacity, &field[k]) : EW_OK);
        if (!strncmp(field[k].name, "set_", 4) && field[k].is_integer && n_set++ < MAX_SET) {
            const size_t had = strlen(result->fields);
            snprintf(result->fields + had, size - had, " %s", field[k].name);
        }
    }
    for (int32_t k = LOOK_N_PRESET - 1; k >= 0; k--) {
        const result_choice *preset = find_choice(result, look_presets[k], -1);
        result->field = preset ? (int32_t)(preset - result->choice) : result->field;
    }
    return EW_OK;
}

ew_status result_list_choices(view_result *result)
{
    int32_t n = 0;
    ew_view_field *field = NULL;
    EW_TRY(ew_result_list_fields(result->file[0].path, &n, &field));
    const ew_status status = list(result, n, field);
    ew_release(field);
    return status;
}

/* {"name": title, "of": place}; without a place the first that there is of corners, vertices, tets.
 */
ew_status result_do_field(view_result *result, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name"),
                *of = cJSON_GetObjectItemCaseSensitive(command, "of");
    int32_t k = 0;
    while (k < result->n_choice && cJSON_IsString(name) &&
           strcmp(result->choice[k].title, name->valuestring) != 0) {
        k++;
    }
    if (!cJSON_IsString(name) || k == result->n_choice) {
        return ew_fail(EW_BAD_INPUT, "field: 'name' must be a field of the state's list");
    }
    look_place place = LOOK_ANYWHERE;
    for (int p = 0; p < LOOK_ANYWHERE && cJSON_IsString(of); p++) {
        if (!strcmp(of->valuestring, place_names[p]) && result->choice[k].at[p]) {
            place = (look_place)p;
        }
    }
    if (of && place == LOOK_ANYWHERE) {
        return ew_fail(EW_BAD_INPUT, "field: '%s' has no values of this kind; see the state's list",
                       result->choice[k].title);
    }
    result->field = k;
    result->place = place;
    return EW_OK;
}

/* False: the frame has no numbers of it. Where there are none at the place that was asked for,
 * another one will do. */
static bool find_numbers(const view_result *result, const ew_view_frame *frame, int32_t k,
                         look_field *field)
{
    const result_choice *choice = &result->choice[k];
    const look_place places[] = {k == result->field ? result->place : LOOK_ANYWHERE, LOOK_ANYWHERE};
    bool any = false;
    for (int i = 0; i < 2 && !any; i++) {
        any = !look_choose_field(frame, choice->name, places[i], choice->component, field) &&
              field->of;
    }
    return any;
}

int32_t result_find_shown(const view_result *result, const ew_view_frame *frame)
{
    look_field field;
    if (!result->n_choice || find_numbers(result, frame, result->field, &field)) {
        return result->field;
    }
    for (int32_t k = 0; k < LOOK_N_PRESET; k++) {
        const result_choice *preset = find_choice(result, look_presets[k], -1);
        const int32_t at = preset ? (int32_t)(preset - result->choice) : result->field;
        if (preset && find_numbers(result, frame, at, &field)) {
            return at;
        }
    }
    return result->field;
}

void result_choose(const view_result *result, const ew_view_frame *frame, look_field *field)
{
    if (!result->n_choice || !find_numbers(result, frame, result->shown, field)) {
        *field = (look_field){.place = result->place, .component = -1};
    }
}
