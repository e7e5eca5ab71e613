/* Commands that set a body up: named sets of faces, supports and loads on sets. In: commands. Out:
 * sets of the model and lists of supports.c. */
#include "play.h"

#include <math.h>
#include <string.h>

static ew_status read_set(const view_play *play, const cJSON *command, const char *what,
                          int32_t *set)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "set");
    *set = cJSON_IsString(name) ? view_find_set(play, name->valuestring) : -1;
    return *set >= 0 && !view_is_removed_set(play, *set)
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "%s: there is no set '%.60s'; name some faces first", what,
                         cJSON_IsString(name) ? name->valuestring : "");
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

/* changes: a number may be null, and stays as it is. A failure changes none. */
static ew_status read_numbers(const cJSON *command, const char *what, int n, bool changes,
                              double *value)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(command, "value");
    bool is_good = cJSON_IsArray(list) && cJSON_GetArraySize(list) == n;
    double found[3];
    for (int c = 0; c < n && is_good; c++) {
        const cJSON *item = cJSON_GetArrayItem(list, c);
        const bool stays = changes && cJSON_IsNull(item);
        is_good = stays || (cJSON_IsNumber(item) && fabs(item->valuedouble) <= 1e90);
        found[c] = stays ? value[c] : item->valuedouble;
    }
    if (is_good) {
        memcpy(value, found, (size_t)n * sizeof *value);
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

static void bring_back(ew_list *list, int32_t id)
{
    int32_t n = 0;
    for (int32_t i = 0; i < list->n; i++) {
        if (list->id[i] != id) {
            list->id[n++] = list->id[i];
        }
    }
    list->n = n;
}

bool view_is_removed_set(const view_play *play, int32_t set)
{
    bool is = false;
    for (int32_t i = 0; i < play->removed_sets.n; i++) {
        is = is || play->removed_sets.id[i] == set;
    }
    return is;
}

/* A set of this name, or other members for it. */
ew_status view_put_set(view_play *play, const cJSON *command, const ew_list *faces)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    ew_model *model = play->body.model;
    EW_TRY(view_check_set_name(name, "set"));
    int32_t set = view_find_set(play, name->valuestring);
    if (set >= 0 && ew_model_view_set(model, set).kind != EW_SET_OF_FACES) {
        return ew_fail(EW_BAD_INPUT, "set: '%s' is a set of another kind; take another name",
                       name->valuestring);
    }
    ew_status status = set >= 0 ? ew_model_redefine_set(model, set, faces)
                                : view_add_named_set(play, name->valuestring, faces, &set);
    status = status ? status : ew_set_add(&play->named_sets, set);
    if (!status) {
        bring_back(&play->removed_sets, set);
        cJSON_DeleteItemFromObjectCaseSensitive(play->rules, ew_model_view_set(model, set).name);
    }
    play->seen_revision = status ? play->seen_revision : 0; /* the surface is sent with its sets */
    play->is_changed = play->is_changed || !status;
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

/* A set that nothing acts on and that is none of the file: empty from then on, and not shown. */
ew_status view_do_set_remove(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    const view_supports *with = &play->supports;
    const ew_list none = {0};
    const int32_t set = cJSON_IsString(name) ? view_find_set(play, name->valuestring) : -1;
    bool is_used = set == play->fix_set;
    if (set < 0 || view_is_removed_set(play, set)) {
        return ew_fail(EW_BAD_INPUT, "set_remove: there is no set '%.60s'",
                       cJSON_IsString(name) ? name->valuestring : "");
    }
    if (set < play->n_set_of_file) {
        return ew_fail(EW_BAD_INPUT, "set_remove: '%.60s' is a set of the file, which stays",
                       name->valuestring);
    }
    for (int32_t i = 0; i < with->n_constraint; i++) {
        is_used = is_used || with->constraint[i].set == set;
    }
    for (int32_t i = 0; i < with->n_spring; i++) {
        is_used = is_used || with->spring[i].set == set;
    }
    for (int32_t i = 0; i < with->n_load; i++) {
        is_used = is_used || with->load[i].set == set;
    }
    if (is_used) {
        return ew_fail(EW_BAD_INPUT,
                       "set_remove: a support or a load acts on '%.60s'; remove that first",
                       name->valuestring);
    }
    EW_TRY(ew_list_push(&play->removed_sets, set));
    play->seen_revision = 0;
    return ew_model_redefine_set(play->body.model, set, &none);
}

/* ---- supports
 * ------------------------------------------------------------------------------------ */

/* {"fixed": [3], "value": [3]}: which components are prescribed, and by how much; what is null or
 * not given stays as it is. */
static ew_status read_components(const cJSON *command, ew_model_constraint *to)
{
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(command, "fixed");
    uint8_t bits = 0;
    for (int c = 0; c < 3; c++) {
        const cJSON *item = cJSON_GetArrayItem(fixed, c);
        const bool stays = !item || cJSON_IsNull(item);
        bits |= (uint8_t)((stays ? to->fixed >> c & 1 : cJSON_IsTrue(item)) << c);
    }
    if ((fixed && (!cJSON_IsArray(fixed) || cJSON_GetArraySize(fixed) != 3)) || !bits) {
        return ew_fail(EW_BAD_INPUT, "support: 'fixed' must be a list of three, true for x, y, z "
                                     "that are fixed, at least one");
    }
    if (cJSON_GetObjectItemCaseSensitive(command, "value")) {
        EW_TRY(read_numbers(command, "support", 3, true, to->value));
    }
    to->fixed = bits;
    for (int c = 0; c < 3; c++) {
        to->value[c] = bits >> c & 1 ? to->value[c] : 0.0;
    }
    return EW_OK;
}

ew_status view_do_support(view_play *play, const cJSON *command)
{
    ew_model_constraint made = {0};
    EW_TRY(read_set(play, command, "support", &made.set));
    EW_TRY(read_components(command, &made));
    return view_add_support(play, &made);
}

/* Whether a support is what the page shows of it: components along x, y, z that stay. */
bool view_is_plain_support(const ew_model_constraint *of)
{
    return of->axes.kind == EW_AXES_GLOBAL && !of->field && !of->amplitude && !of->is_velocity;
}

ew_status view_do_support_change(view_play *play, const cJSON *command)
{
    view_supports *with = &play->supports;
    int32_t index = 0;
    EW_TRY(read_index(command, "support_change", with->n_constraint, &index));
    ew_model_constraint changed = with->constraint[index];
    if (!view_is_plain_support(&changed) || changed.set == play->fix_set) {
        return ew_fail(EW_BAD_INPUT, "support_change: the page changes supports along x, y and z "
                                     "alone; change this one in the case");
    }
    EW_TRY(read_components(command, &changed));
    with->constraint[index] = changed;
    return view_supports_give(play);
}

/* ---- springs
 * ------------------------------------------------------------------------------------ */

/* {"set", "kind": "foundation", "stiffness": [normal, tangential]} by area of faces, or "total"
 * with [x, y, z]. */
ew_status view_do_spring(view_play *play, const cJSON *command)
{
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(command, "kind"),
                *list = cJSON_GetObjectItemCaseSensitive(command, "stiffness");
    ew_model_spring made = {0};
    EW_TRY(read_set(play, command, "spring", &made.set));
    const bool is_foundation = cJSON_IsString(kind) && !strcmp(kind->valuestring, "foundation");
    if (!is_foundation && !(cJSON_IsString(kind) && !strcmp(kind->valuestring, "total"))) {
        return ew_fail(EW_BAD_INPUT, "spring: 'kind' must be foundation or total");
    }
    const int n = is_foundation ? 2 : 3;
    bool is_good = cJSON_IsArray(list) && cJSON_GetArraySize(list) == n;
    double sum = 0.0;
    for (int c = 0; c < n && is_good; c++) {
        const cJSON *item = cJSON_GetArrayItem(list, c);
        made.stiffness[c] = cJSON_IsNumber(item) ? item->valuedouble : -1.0;
        is_good = made.stiffness[c] >= 0.0 && made.stiffness[c] <= 1e90;
        sum += made.stiffness[c];
    }
    if (!is_good || sum == 0.0) {
        return ew_fail(EW_BAD_INPUT, "spring: 'stiffness' must be %d numbers from 0, not all 0", n);
    }
    if (is_foundation && ew_model_view_set(play->body.model, made.set).kind != EW_SET_OF_FACES) {
        return ew_fail(EW_BAD_INPUT, "spring: a foundation is on a set of faces");
    }
    made.kind = is_foundation ? EW_SPRING_FOUNDATION : EW_SPRING_TOTAL;
    return view_add_spring(play, &made);
}

ew_status view_do_spring_remove(view_play *play, const cJSON *command)
{
    view_supports *with = &play->supports;
    int32_t index = 0;
    EW_TRY(read_index(command, "spring_remove", with->n_spring, &index));
    with->n_spring--;
    memmove(with->spring + index, with->spring + index + 1,
            (size_t)(with->n_spring - index + play->is_pulled) * sizeof *with->spring);
    memmove(with->spring_of_file + index, with->spring_of_file + index + 1,
            (size_t)(with->n_spring - index) * sizeof *with->spring_of_file);
    return view_supports_give(play);
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
    EW_TRY(read_numbers(command, "load_add", strcmp(kind, "pressure") ? 3 : 1, false, value));
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

/* Other numbers of a load whose kind the page knows. */
ew_status view_do_load_change(view_play *play, const cJSON *command)
{
    view_supports *with = &play->supports;
    int32_t index = 0;
    EW_TRY(read_index(command, "load_change", with->n_load, &index));
    ew_model_load *load = &with->load[index];
    if (!view_load_name(load)) {
        return ew_fail(EW_BAD_INPUT, "load_change: the page does not know loads of this kind; "
                                     "change this one in the case");
    }
    EW_TRY(load->kind == EW_LOAD_PRESSURE
               ? read_numbers(command, "load_change", 1, true, &load->pressure)
               : read_numbers(command, "load_change", 3, true, load->vector));
    return view_supports_give(play);
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
