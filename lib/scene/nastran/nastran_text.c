/* Lines of the keyword deck that bulk data become, what is said of cards, and nodes and tets by
 * their numbers. */
#include "scene/nastran/nastran.h"

#include "scene/deck/deck.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what is written ------------------------------------------------------------------------ */

void nastran_line(nastran *n, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    words_add(&n->deck, "%s\n", text);
    for (const char *at = text; at && !n->deck.status; at = strchr(at, '\n')) {
        at += *at == '\n';
        n->deck.status =
            ew_grow(&n->origin, &n->origin_capacity, (int64_t)n->n_origin + 1, sizeof *n->origin);
        if (!n->deck.status) {
            n->origin[n->n_origin++] = (int32_t)n->bulk.line;
        }
    }
}

void nastran_keyword(nastran *n, const char *keyword)
{
    if (strcmp(n->keyword, keyword) != 0) {
        nastran_line(n, "*%s", keyword);
        snprintf(n->keyword, sizeof n->keyword, "%s", keyword);
    }
}

void nastran_note(nastran *n, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char line[400];
    snprintf(line, sizeof line, "line %lld: %s: %s\n", (long long)n->bulk.line, n->bulk.name, text);
    if (n->notes.n && strstr(n->notes.text, line)) {
        return; /* of a card that several subcases select */
    }
    if (n->n_note++ < DECK_MAX_NOTES) {
        words_add(&n->notes, "%s", line);
    }
}

ew_status nastran_fail(const nastran *n, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ew_fail_at(EW_BAD_INPUT, (int32_t)n->bulk.line, "%s: %s", n->bulk.name, text);
}

/* ---- the mesh ------------------------------------------------------------------------------- */

const nastran_tet *nastran_find_tet(const nastran *n, int64_t number)
{
    int32_t low = 0, high = n->n_tet;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (n->tet[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n->n_tet && n->tet[low].number == number ? &n->tet[low] : NULL;
}

const double *nastran_find_node(const nastran *n, int64_t number)
{
    int32_t low = 0, high = n->n_node;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (n->node[middle][0] < (double)number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n->n_node && n->node[low][0] == (double)number ? n->node[low] : NULL;
}

static void sort_three(int64_t id[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            if (id[k] > id[k + 1]) {
                const int64_t first = id[k];
                id[k] = id[k + 1];
                id[k + 1] = first;
            }
        }
    }
}

/* Faces are entered when the first one is looked for. */
static ew_status enter_faces(nastran *n)
{
    int32_t old;
    for (int32_t i = 0; i < 4 * n->n_tet && !n->has_faces; i++) {
        const int64_t *node = n->tet[i / 4].node;
        int64_t id[3];
        for (int k = 0; k < 3; k++) {
            id[k] = node[k + (k >= i % 4)];
        }
        sort_three(id);
        EW_TRY(ew_map_enter(&n->face, (int32_t)id[0], (int32_t)id[1], (int32_t)id[2], i, &old));
    }
    n->has_faces = true;
    return EW_OK;
}

ew_status nastran_find_face(nastran *n, const int64_t corner[3], const nastran_tet **tet,
                            int *opposite)
{
    int64_t id[3] = {corner[0], corner[1], corner[2]};
    EW_TRY(enter_faces(n));
    sort_three(id);
    const int32_t code = ew_map_find(&n->face, (int32_t)id[0], (int32_t)id[1], (int32_t)id[2]);
    *tet = code < 0 ? NULL : &n->tet[code / 4];
    *opposite = code % 4;
    return EW_OK;
}
