/* Names of sets. In: the command `set_rename`. Out: by name the sets of a played body, whose model
 * keeps the name that a set had first: what is carried over to another mesh goes by that. */
#include "play.h"

#include <stdio.h>
#include <string.h>

const char *view_name_of_set(const view_play *play, int32_t set)
{
    const char *first = ew_model_view_set(play->body.model, set).name;
    const cJSON *now = first ? cJSON_GetObjectItemCaseSensitive(play->renamed, first) : NULL;
    return now ? now->valuestring : first;
}

int32_t view_find_set(const view_play *play, const char *name)
{
    int32_t removed = -1;
    for (int32_t s = 0; s < ew_model_n_set(play->body.model); s++) {
        const char *own = view_name_of_set(play, s);
        const bool is_it = own && !strcmp(own, name);
        if (is_it && !view_is_removed_set(play, s)) {
            return s;
        }
        removed = is_it ? s : removed;
    }
    return removed;
}

static void put_name(view_play *play, const char *first, const char *name)
{
    play->renamed = play->renamed ? play->renamed : cJSON_CreateObject();
    cJSON_DeleteItemFromObjectCaseSensitive(play->renamed, first);
    (void)cJSON_AddStringToObject(play->renamed, first, name);
}

ew_status view_add_named_set(view_play *play, const char *name, const ew_list *faces, int32_t *set)
{
    enum { SIZE = 96 };
    char first[SIZE];
    ew_model_set_def def = {.name = first, .kind = EW_SET_OF_FACES, .allow_empty = true};
    snprintf(first, SIZE, "%s", name);
    for (int k = 2; ew_model_find_set(play->body.model, first) >= 0; k++) {
        snprintf(first, SIZE, "%.64s (%d)", name, k); /* a set that was renamed had it first */
    }
    EW_TRY(ew_model_add_set(play->body.model, &def, faces, set));
    if (strcmp(first, name) != 0) {
        put_name(play, first, name);
    }
    return EW_OK;
}

ew_status view_check_set_name(const cJSON *name, const char *what)
{
    enum { MAX_NAME = 60 };
    if (!cJSON_IsString(name) || !name->valuestring[0] || name->valuestring[0] == ' ' ||
        strlen(name->valuestring) > MAX_NAME) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: the name must have 1 to %d bytes and not begin with a blank", what,
                       (int)MAX_NAME);
    }
    for (const char *c = name->valuestring; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c == 127) {
            return ew_fail(
                EW_BAD_INPUT,
                "%s: the name has a quote, a backslash or a control character; leave it out", what);
        }
    }
    return EW_OK;
}

/* {"name": as it is, "to": as it will be}: what acts on the set goes on to do so. */
ew_status view_do_set_rename(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name"),
                *to = cJSON_GetObjectItemCaseSensitive(command, "to");
    const int32_t set = cJSON_IsString(name) ? view_find_set(play, name->valuestring) : -1;
    EW_TRY(view_check_set_name(to, "set_rename"));
    const int32_t other = view_find_set(play, to->valuestring);
    if (set < 0 || !view_is_shown_set(play, set)) {
        return ew_fail(EW_BAD_INPUT, "set_rename: there is no set '%.60s'",
                       cJSON_IsString(name) ? name->valuestring : "");
    }
    if (set < play->n_set_of_file && play->source->text) {
        return ew_fail(EW_BAD_INPUT,
                       "set_rename: '%.60s' is a set of the case, which stays; rename it there",
                       name->valuestring);
    }
    if (other >= 0 && other != set && !view_is_removed_set(play, other)) {
        return ew_fail(EW_BAD_INPUT,
                       "set_rename: there is a set '%.60s' already; take another name",
                       to->valuestring);
    }
    put_name(play, ew_model_view_set(play->body.model, set).name, to->valuestring);
    play->seen_revision = 0; /* the surface is sent with its sets */
    return EW_OK;
}
