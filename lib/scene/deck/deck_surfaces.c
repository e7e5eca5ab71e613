/* Surfaces of a keyword deck. In: the labeled triangles that the mesh's reader made of *SURFACE
 * cards. Out: their faces as CalculiX takes a load on them, one by one: what a step gives a face is
 * in the place of what steps before gave it, by its surface or by its element. */
#include "scene/deck/deck.h"

#include <stdio.h>
#include <string.h>

/* The vertices of a face, ascending. */
static void sort_face(int32_t v[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = k == 1;
        const int32_t low = v[i] < v[i + 1] ? v[i] : v[i + 1];
        v[i + 1] = v[i] < v[i + 1] ? v[i + 1] : v[i];
        v[i] = low;
    }
}

void deck_face_vertices(const deck_case *d, int32_t code, int32_t face[3])
{
    static const int8_t corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    for (int k = 0; k < 3; k++) {
        face[k] = d->slot[d->deck.tet[code / 4][corner[code % 4][k]]];
    }
}

int32_t deck_face_nodes(const deck_case *d, int32_t code, int32_t node[6])
{
    static const int8_t corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const int8_t side[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    const int32_t *middle = d->deck.middle[code / 4];
    const int8_t *at = corner[code % 4];
    for (int k = 0; k < 3; k++) {
        node[k] = d->deck.tet[code / 4][at[k]];
        node[3 + k] = middle[side[at[k]][at[(k + 1) % 3]]];
    }
    return node[3] >= 0 ? 6 : 3;
}

/* All faces of tets by their vertices. */
ew_status deck_find_inner(deck_case *d)
{
    ew_status status = EW_OK;
    for (int32_t code = 0; code < 4 * d->mesh.n_tet && !status; code++) {
        int32_t face[3], old;
        deck_face_vertices(d, code, face);
        sort_face(face);
        status = ew_map_enter(&d->face_codes, face[0], face[1], face[2], code, &old);
        if (!status && old >= 0) {
            d->is_inner[code] = d->is_inner[old] = true;
        }
    }
    return status;
}

bool deck_surface_group(const deck_case *d, int32_t card, const char **group, int32_t *label)
{
    const ew_deck_card *of = &d->deck.card[card];
    char surface[EW_GROUP_NAME], other[EW_GROUP_NAME + 16];
    int n = 0;
    ew_deck_full_name(&d->deck, of->scope, ew_deck_parameter(&d->deck, of, "NAME"), sizeof surface,
                      surface);
    snprintf(other, sizeof other, "%s (surface)", surface);
    const ew_group *found = ew_groups_find(&d->groups, EW_GROUP_FACES, other);
    found = found ? found : ew_groups_find(&d->groups, EW_GROUP_FACES, surface);
    if (found) {
        *group = found->name;
        *label = found->label;
        return true;
    }
    int number = 0;
    *group = NULL; /* the mesh's reader has taken the name for a number */
    if (sscanf(surface, "SURFACE_%d%n", &number, &n) == 1 && !surface[n]) {
        *label = number;
        return true;
    }
    return false;
}

/* Each face once. */
static ew_status list_faces(deck_case *d, int32_t card, deck_surface *to)
{
    const char *group;
    int32_t label;
    if (!deck_surface_group(d, card, &group, &label)) {
        return EW_OK; /* of nodes */
    }
    for (int32_t i = 0; i < d->mesh.n_face; i++) {
        int32_t face[3];
        memcpy(face, d->mesh.face + 3 * (size_t)i, sizeof face);
        sort_face(face);
        const int32_t at = d->mesh.face_label[i] == label
                               ? ew_map_find(&d->face_codes, face[0], face[1], face[2])
                               : -1;
        const bool is_inner = at >= 0 && d->is_inner[at];
        to->n_inner += is_inner;
        EW_TRY(at >= 0 && !is_inner ? ew_list_push(&to->code, at) : EW_OK);
    }
    ew_list_sort_unique(&to->code);
    return EW_OK;
}

ew_status deck_find_surface(deck_case *d, int32_t card, const deck_surface **found)
{
    int32_t i = 0;
    while (i < d->n_surface && d->surface[i].card != card) {
        i++;
    }
    if (i == d->n_surface) {
        EW_TRY(ew_grow(&d->surface, &d->surface_capacity, (int64_t)i + 1, sizeof *d->surface));
        d->surface[i] = (deck_surface){.card = card};
        d->n_surface++;
        EW_TRY(list_faces(d, card, &d->surface[i]));
    }
    *found = &d->surface[i];
    return EW_OK;
}

/* Whether all of `part` is in `from`; both ascending. */
static bool has_all(const ew_list *from, const ew_list *part)
{
    int32_t k = 0;
    for (int32_t i = 0; i < from->n && k < part->n; i++) {
        k += from->id[i] == part->id[k];
    }
    return part->n && k == part->n;
}

bool deck_take_surface(const deck_case *d, ew_list *code, int32_t *surface)
{
    for (int32_t i = 0; i < d->n_surface; i++) {
        const ew_list *part = &d->surface[i].code;
        if (!has_all(code, part)) {
            continue;
        }
        int32_t n = 0;
        for (int32_t k = 0, p = 0; k < code->n; k++) {
            const bool is_taken = p < part->n && code->id[k] == part->id[p];
            code->id[n] = code->id[k];
            n += !is_taken;
            p += is_taken;
        }
        code->n = n;
        *surface = i;
        return true;
    }
    return false;
}

ew_status deck_push_face(const deck_case *d, int32_t code, ew_list *to)
{
    int32_t node[6];
    const int32_t n = deck_face_nodes(d, code, node);
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_list_push(to, node[i]));
    }
    return EW_OK;
}

ew_status deck_surface_nodes(deck_case *d, int32_t card, ew_list *node)
{
    const ew_deck_card *surface = &d->deck.card[card];
    const deck_surface *found;
    if (!deck_has(d, surface, "TYPE", "NODE")) {
        EW_TRY(deck_find_surface(d, card, &found));
        for (int32_t i = 0; i < found->code.n; i++) {
            EW_TRY(deck_push_face(d, found->code.id[i], node));
        }
    } else {
        ew_deck_cursor c = ew_deck_data(&d->deck, surface);
        ew_deck_field next;
        bool has_next = false;
        deck_line line;
        while (deck_next_line(&c, &next, &has_next, &line)) {
            EW_TRY(deck_nodes(d, surface, &line.field[0], node));
        }
    }
    ew_list_sort_unique(node);
    return EW_OK;
}

void deck_free_surfaces(deck_case *d)
{
    for (int32_t i = 0; i < d->n_surface; i++) {
        ew_list_free(&d->surface[i].code);
    }
    ew_release(d->surface);
    ew_map_free(&d->face_codes);
}
