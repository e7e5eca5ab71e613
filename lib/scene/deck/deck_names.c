/* Sets of a case by name. In: vertices. Out: a group of the mesh's file, there or new. */
#include "scene/deck/deck.h"

#include <stdio.h>

/* A group of vertices with these members, there or new. */
ew_status deck_name_vertices(deck_case *d, const ew_list *id, const char *what, const char **name)
{
    ew_group *made;
    char text[48];
    for (int32_t i = 0; i < d->groups.n; i++) {
        const ew_group *group = &d->groups.group[i];
        bool same = group->kind == EW_GROUP_VERTICES && group->n_id == id->n;
        for (int32_t k = 0; k < id->n && same; k++) {
            same = group->id[k] == id->id[k];
        }
        if (same) {
            *name = group->name;
            return EW_OK;
        }
    }
    do {
        snprintf(text, sizeof text, "%s %d", what, ++d->n_made);
    } while (ew_groups_find(&d->groups, EW_GROUP_VERTICES, text));
    EW_TRY(ew_groups_add_list(&d->groups, EW_GROUP_VERTICES, text, &made));
    for (int32_t i = 0; i < id->n; i++) {
        EW_TRY(ew_group_push(made, id->id[i]));
    }
    *name = made->name;
    return EW_OK;
}

void deck_put_group(ew_case_entry *to, const char *key, const char *name, ew_group_kind kind)
{
    ew_case_entry *set = ew_case_add_mapping(to, key);
    ew_case_add_text(set, "group", name);
    ew_case_add_text(set, "of", ew_group_kind_name(kind));
}
