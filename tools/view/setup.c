/* Commands that set a body up: named sets of faces, supports and loads on sets. In: commands. Out:
 * sets of the model and lists of supports.c. */
#include "play.h"

#include <math.h>
#include <string.h>

static ew_status read_set(const view_play *play, const cJSON *command, const char *what,
                          int32_t *set)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "set");
    *set = cJSON_IsString(name) ? ew_model_find_set(play->body.model, name->valuestring) : -1;
    return *set >= 0 ? EW_OK
                     : ew_fail(EW_BAD_INPUT, "%s: there is no set '%.60s'; name some faces first",
                               what, cJSON_IsString(name) ? name->valuestring : "");
}

static ew_status read_index(const cJSON *command, const char *what, int32_t n, int32_t *index)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, "index");
    const double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(value >= 0 && value < n && value == floor(value))) {
        return ew_fail(EW_BAD_INPUT, "%s: 'index' must be a whole number from 0 to %d", what,
                       (int)n - 1);
    }
    *index = (int32_t)value;
    return EW_OK;
}

static ew_status read_numbers(const cJSON *command, const char *what, int n, double *value)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(command, "value");
    bool is_good = cJSON_IsArray(list) && cJSON_GetArraySize(list) == n;
    for (int c = 0; c < n && is_good; c++) {
        const cJSON *item = cJSON_GetArrayItem(list, c);
        is_good = cJSON_IsNumber(item) && fabs(item->valuedouble) <= 1e90;
        value[c] = item->valuedouble;
    }
    return is_good
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "%s: 'value' must be a list of %d finite numbers", what, n);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static ew_status read_faces(const view_play *play, const cJSON *command, ew_list *faces)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(command, "faces"), *item;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0) {
        return ew_fail(EW_BAD_INPUT, "set: 'faces' must be a list of faces");
    }
    cJSON_ArrayForEach(item, list)
    {
        const double code = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (!(code >= 0 && code < 4.0 * mesh->n_tet && code == floor(code))) {
            return ew_fail(EW_BAD_INPUT, "set: 'faces' has what is no face of the body");
        }
        EW_TRY(ew_list_push(faces, (int32_t)code));
    }
    return EW_OK;
}

/* A set of this name, or other members for it. */
ew_status view_put_set(view_play *play, const cJSON *command, const ew_list *faces)
{
    enum { MAX_NAME = 60 };
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    ew_model *model = play->body.model;
    if (!cJSON_IsString(name) || !name->valuestring[0] || name->valuestring[0] == ' ' ||
        strlen(name->valuestring) > MAX_NAME) {
        return ew_fail(EW_BAD_INPUT,
                       "set: 'name' must have 1 to %d bytes and not begin with a blank",
                       (int)MAX_NAME);
    }
    for (const char *c = name->valuestring; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c == 127) {
            return ew_fail(
                EW_BAD_INPUT,
                "set: the name has a quote, a backslash or a control character; leave it out");
        }
    }
    const ew_model_set_def def = {
        .name = name->valuestring, .kind = EW_SET_OF_FACES, .allow_empty = true};
    ew_status status = EW_OK;
    int32_t set = ew_model_find_set(model, name->valuestring);
    if (!status && set >= 0 && ew_model_view_set(model, set).kind != EW_SET_OF_FACES) {
        status = ew_fail(EW_BAD_INPUT, "set: '%s' is a set of another kind; take another name",
                         name->valuestring);
    }
    if (!status) {
        status = set >= 0 ? ew_model_redefine_set(model, set, faces)
                          : ew_model_add_set(model, &def, faces, &set);
    }
    status = status ? status : ew_set_add(&play->named_sets, set);
    play->seen_revision = status ? play->seen_revision : 0; /* the surface is sent with its sets */
    play->is_changed = play->is_changed || !status;
    if (!status) {
        cJSON_DeleteItemFromObjectCaseSensitive(play->rules, name->valuestring);
    }
    return status;
}

ew_status view_do_set(view_play *play, const cJSON *command)
{
    ew_list faces = {0};
    ew_status status = read_faces(play, command, &faces);
    status = status ? status : view_put_set(play, command, &faces);
    ew_list_free(&faces);
    return status;
}

/* ---- supports
 * ------------------------------------------------------------------------------------ */

ew_status view_do_support(view_play *play, const cJSON *command)
{
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(command, "fixed");
    ew_model_constraint made = {0};
    EW_TRY(read_set(play, command, "support", &made.set));
    for (int c = 0; c < 3; c++) {
        made.fixed |= (uint8_t)(cJSON_IsTrue(cJSON_GetArrayItem(fixed, c)) << c);
    }
    if (!cJSON_IsArray(fixed) || cJSON_GetArraySize(fixed) != 3 || !made.fixed) {
        return ew_fail(EW_BAD_INPUT, "support: 'fixed' must be a list of three, true for x, y, z "
                                     "that are fixed, at least one");
    }
    return view_add_support(play, &made);
}

/* A support set by hand stays, with no vertices. */
ew_status view_do_support_remove(view_play *play, const cJSON *command)
{
    view_supports *with = &play->supports;
    int32_t index = 0;
    EW_TRY(read_index(command, "support_remove", with->n_constraint, &index));
    if (with->constraint[index].set == play->fix_set) {
        return view_fix(play, NULL);
    }
    with->n_constraint--;
    const size_t n = (size_t)(with->n_constraint - index);
    memmove(with->constraint + index, with->constraint + index + 1, n * sizeof *with->constraint);
    memmove(with->constraint_of_file + index, with->constraint_of_file + index + 1,
            n * sizeof *with->constraint_of_file);
    return view_supports_give(play);
}

/* ---- loads -------------------------------------------------------------------------------------
 */

ew_status view_do_load_add(view_play *play, const cJSON *command)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(command, "type");
    const char *kind = cJSON_IsString(type) ? type->valuestring : "";
    double value[3] = {0};
    int32_t set = -1;
    ew_model_load load;
    EW_TRY(read_numbers(command, "load_add", strcmp(kind, "pressure") ? 3 : 1, value));
    EW_TRY(strcmp(kind, "gravity") ? read_set(play, command, "load_add", &set) : EW_OK);
    if (!strcmp(kind, "force")) {
        load = ew_load_total_force(set, value);
    } else if (!strcmp(kind, "pressure")) {
        load = ew_load_pressure(set, value[0]);
    } else if (!strcmp(kind, "traction")) {
        load = ew_load_traction(set, value);
    } else if (!strcmp(kind, "moment")) {
        load = ew_load_moment(set, value);
    } else if (!strcmp(kind, "gravity")) {
        load = ew_load_gravity(value);
    } else {
        return ew_fail(EW_BAD_INPUT,
                       "load_add: 'type' must be force, pressure, traction, moment or gravity");
    }
    return view_add_load(play, &load);
}

ew_status view_do_load_remove(view_play *play, const cJSON *command)
{
    view_supports *with = &play->supports;
    int32_t index = 0;
    EW_TRY(read_index(command, "load_remove", with->n_load, &index));
    with->n_load--;
    memmove(with->load + index, with->load + index + 1,
            (size_t)(with->n_load - index + play->is_pulled) * sizeof *with->load);
    memmove(with->load_of_file + index, with->load_of_file + index + 1,
            (size_t)(with->n_load - index) * sizeof *with->load_of_file);
    return view_supports_give(play);
}
