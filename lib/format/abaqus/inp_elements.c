/* Nodes and elements of a keyword deck. In: cards. Out: nodes by number; tets, triangles of shells
 * and membranes, which programs write for faces, and the nodes of all else. Volume elements that
 * are no tets are refused: to drop them would change the body. */
#include "format/abaqus/inp.h"

#include <stdlib.h>
#include <string.h>

void ew_inp_tets_free(ew_inp_tets *tets)
{
    ew_release(tets->tet);
    ew_release(tets->middle);
    ew_release(tets->element);
    memset(tets, 0, sizeof *tets);
}

/* ---- numbers ------------------------------------------------------------------------ */

typedef struct numbered {
    int64_t number;
    int32_t row;
} numbered;

static int compare(const void *a, const void *b)
{
    const numbered *first = a, *second = b;
    return first->number != second->number
               ? (first->number > second->number ? 1 : -1)
               : (first->row > second->row) - (first->row < second->row);
}

/* Rows by ascending number; *twice is a row whose number an earlier one has, or -1. */
static ew_status sort_rows(numbered *list, int32_t n, int32_t **by_number, int32_t *twice)
{
    *twice = -1;
    ew_release(*by_number);
    EW_TRY(ew_new(by_number, (size_t)n, sizeof **by_number));
    if (n) {
        qsort(list, (size_t)n, sizeof *list, compare);
    }
    for (int32_t i = 0; i < n; i++) {
        (*by_number)[i] = list[i].row;
        *twice = i && list[i].number == list[i - 1].number ? list[i].row : *twice;
    }
    return EW_OK;
}

/* Numbers of a scope are apart from those of others. */
static int64_t in_scope(int32_t scope, int64_t number)
{
    return ((int64_t)scope << 32) + number;
}

static int32_t find_node(const ew_deck *deck, int64_t number)
{
    int32_t low = 0, high = deck->by_number ? deck->n_node : 0;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (deck->node[deck->by_number[middle]] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found =
        low < deck->n_node && deck->by_number && deck->node[deck->by_number[low]] == number;
    return found ? deck->by_number[low] : -1;
}

static int32_t find_element(const ew_deck *deck, int64_t number)
{
    int32_t low = 0, high = deck->element_by_number ? deck->n_element : 0;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (deck->element[deck->element_by_number[middle]].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < deck->n_element && deck->element_by_number &&
                       deck->element[deck->element_by_number[low]].number == number;
    return found ? deck->element_by_number[low] : -1;
}

int32_t ew_deck_find_node(const ew_deck *deck, int32_t scope, int64_t number)
{
    int32_t row = find_node(deck, in_scope(scope, number));
    row = row < 0 && !scope && deck->n_instance == 1 ? find_node(deck, in_scope(1, number)) : row;
    return row >= 0 && deck->same ? deck->same[row] : row;
}

int32_t ew_deck_find_element(const ew_deck *deck, int32_t scope, int64_t number)
{
    const int32_t row = find_element(deck, in_scope(scope, number));
    return row < 0 && !scope && deck->n_instance == 1 ? find_element(deck, in_scope(1, number))
                                                      : row;
}

/* ---- nodes ------------------------------------------------------------------------------ */

static ew_status refuse_generators(const ew_deck *deck)
{
    static const char *const words[] = {"NGEN", "NFILL", "NCOPY", "ELGEN", "ELCOPY", "SYSTEM"};
    for (int32_t i = 0; i < deck->n_card; i++) {
        const char *name = ew_deck_name(deck, &deck->card[i]);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (!strcmp(name, words[k])) {
                return ew_deck_fail(deck, deck->card[i].file, deck->card[i].line,
                                    "*%s makes or places nodes or elements in a way that is not "
                                    "read; write the mesh out with its coordinates",
                                    name);
            }
        }
    }
    return EW_OK;
}

static ew_status read_node_card(ew_deck *deck, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(deck, card);
    ew_deck_field field;
    int32_t column = 0;
    const char *system = ew_deck_parameter(deck, card, "SYSTEM");
    if (system && strcmp(system, "R") && strcmp(system, "r")) {
        return ew_deck_fail(deck, card->file, card->line,
                            "*NODE, SYSTEM=%.20s: only rectangular coordinates are read", system);
    }
    const int32_t first = deck->n_node;
    while (ew_deck_next(&c, &field)) {
        if (field.begins) {
            const int64_t n = (int64_t)deck->n_node + 1;
            int64_t number;
            int32_t capacity = deck->node_capacity;
            EW_TRY(ew_grow(&deck->xyz, &capacity, n, 3 * sizeof *deck->xyz));
            EW_TRY(ew_grow(&deck->node, &deck->node_capacity, n, sizeof *deck->node));
            EW_TRY(ew_deck_int(deck, &field, "a node's number", &number));
            deck->node[deck->n_node] = in_scope(card->scope, number);
            memset(deck->xyz + 3 * (size_t)deck->n_node++, 0, 3 * sizeof *deck->xyz);
            column = 0;
        } else if (column < 3 && field.size) {
            EW_TRY(ew_deck_real(deck, &field, "a coordinate",
                                deck->xyz + 3 * ((size_t)deck->n_node - 1) + column));
            column++;
        } else {
            column++; /* an empty coordinate is 0; what follows are direction cosines */
        }
    }
    for (int32_t i = first; i < deck->n_node; i++) {
        ew_deck_place(deck, card->scope, true, deck->xyz + 3 * (size_t)i);
    }
    return EW_OK;
}

/* The line of a node's entry, for a message. */
static ew_status fail_at_node(const ew_deck *deck, int32_t row, const char *what)
{
    int32_t n = -1;
    for (int32_t i = 0; i < deck->n_card; i++) {
        if (strcmp(ew_deck_name(deck, &deck->card[i]), "NODE")) {
            continue;
        }
        ew_deck_cursor c = ew_deck_data(deck, &deck->card[i]);
        ew_deck_field field;
        while (ew_deck_next(&c, &field)) {
            n += field.begins;
            if (n == row) {
                return ew_deck_fail(deck, field.file, field.line, "node %lld %s",
                                    ew_deck_plain_number(deck->node[row]), what);
            }
        }
    }
    return ew_fail(EW_BAD_INPUT, "line 1: node %lld %s", ew_deck_plain_number(deck->node[row]),
                   what);
}

ew_status ew_inp_read_nodes(ew_deck *deck)
{
    EW_TRY(refuse_generators(deck));
    for (int32_t i = 0; i < deck->n_card; i++) {
        if (!strcmp(ew_deck_name(deck, &deck->card[i]), "NODE")) {
            EW_TRY(read_node_card(deck, &deck->card[i]));
        }
    }
    numbered *list = NULL;
    int32_t twice = -1;
    EW_TRY(ew_new(&list, (size_t)deck->n_node, sizeof *list));
    for (int32_t i = 0; i < deck->n_node; i++) {
        list[i] = (numbered){deck->node[i], i};
    }
    const ew_status status = sort_rows(list, deck->n_node, &deck->by_number, &twice);
    ew_release(list);
    return status       ? status
           : twice >= 0 ? fail_at_node(deck, twice, "is there twice; a number means one node")
                        : EW_OK;
}

const int32_t *ew_inp_nodes(const ew_deck *deck, const ew_inp_tets *tets, int32_t element,
                            int32_t piece, int32_t *n)
{
    const ew_deck_element *at = &deck->element[element];
    *n = 0;
    if (at->kind == EW_DECK_TET) {
        *n = piece == 0 ? 4 : piece == 1 ? 6 : 0;
        return piece ? tets->middle + 6 * (size_t)at->index : tets->tet + 4 * (size_t)at->index;
    }
    if (at->kind == EW_DECK_FACE) {
        *n = piece == 0 ? 3 : 0;
        return deck->triangle[at->index];
    }
    *n = piece == 0 ? deck->other[at->index] : 0;
    return deck->other + at->index + 1;
}

/* ---- types of elements --------------------------------------------------------------------- */

typedef struct element_type {
    ew_deck_kind kind;
    int32_t n_node; /* 0: as many as stand there */
} element_type;

static bool starts_with_word(const char *type, const char *words)
{
    for (const char *at = words; *at;) {
        const size_t n = strcspn(at, " ");
        if (!strncmp(type, at, n)) {
            return true;
        }
        at += n + strspn(at + n, " ");
    }
    return false;
}

static bool is_one_of(const char *type, const char *words)
{
    for (const char *at = words; *at;) {
        const size_t n = strcspn(at, " ");
        if (strlen(type) == n && !strncmp(type, at, n)) {
            return true;
        }
        at += n + strspn(at + n, " ");
    }
    return false;
}

static ew_status find_type(const ew_deck *deck, const ew_deck_card *card, element_type *out)
{
    const char *given = ew_deck_parameter(deck, card, "TYPE");
    char type[16];
    size_t n = 0;
    for (const char *at = given ? given : ""; *at && n < sizeof type - 1; at++) {
        type[n++] = *at >= 'a' && *at <= 'z' ? (char)(*at - 32) : *at;
    }
    type[n] = 0;
    if (!n) {
        return ew_deck_fail(deck, card->file, card->line, "*ELEMENT needs TYPE=, such as C3D4");
    }
    *out = (element_type){EW_DECK_OTHER, 0};
    if (starts_with_word(type, "C3D10 DC3D10")) {
        *out = (element_type){EW_DECK_TET, 10};
    } else if (is_one_of(type, "C3D4 C3D4H C3D4T C3D4P DC3D4")) {
        *out = (element_type){EW_DECK_TET, 4};
    } else if (starts_with_word(type, "C3D DC3D F3D AC3D SC CIN3D COH3D")) {
        return ew_deck_fail(deck, card->file, card->line,
                            "volume elements of type %s; only tets are read, C3D4 and C3D10: mesh "
                            "the volume with tets",
                            type);
    } else if (is_one_of(type, "S3 S3R S3RS S3T CPS3 CPE3 CAX3 M3D3 R3D3 SFM3D3 STRI3 DS3")) {
        *out = (element_type){EW_DECK_FACE, 3};
    } else if (is_one_of(type, "S6 CPS6 CPS6M CPE6 CPE6M CAX6 M3D6 SFM3D6 STRI65 DS6")) {
        *out = (element_type){EW_DECK_FACE, 6};
    }
    return EW_OK;
}

/* ---- elements -----------------------------------------------------------------------------------
 */

enum { MAX_NODES = 32 };

static ew_status add_tet(ew_deck *deck, ew_inp_tets *tets, const int32_t *node, int32_t n_node)
{
    static const int8_t place[6] = {4, 6, 7, 5, 8, 9}; /* 01 12 20 03 13 23, by edge */
    const int64_t n = (int64_t)tets->n + 1;
    EW_TRY(ew_grow(&tets->tet, &tets->capacity, n, 4 * sizeof *tets->tet));
    EW_TRY(ew_grow(&tets->middle, &tets->middle_capacity, n, 6 * sizeof *tets->middle));
    EW_TRY(ew_grow(&tets->element, &tets->element_capacity, n, sizeof *tets->element));
    memcpy(tets->tet + 4 * (size_t)tets->n, node, 4 * sizeof *node);
    for (size_t k = 0; k < 6; k++) {
        tets->middle[6 * (size_t)tets->n + k] = n_node == 10 ? node[place[k]] : -1;
    }
    tets->has_middles = tets->has_middles || n_node == 10;
    tets->element[tets->n] = deck->n_element;
    deck->element[deck->n_element].index = tets->n++;
    return EW_OK;
}

static ew_status add_triangle(ew_deck *deck, const int32_t *node)
{
    EW_TRY(ew_grow(&deck->triangle, &deck->triangle_capacity, (int64_t)deck->n_triangle + 1,
                   sizeof *deck->triangle));
    memcpy(deck->triangle[deck->n_triangle], node, 3 * sizeof *node);
    deck->element[deck->n_element].index = deck->n_triangle++;
    return EW_OK;
}

static ew_status add_other(ew_deck *deck, const int32_t *node, int32_t n_node)
{
    EW_TRY(ew_grow(&deck->other, &deck->other_capacity, (int64_t)deck->n_other + n_node + 1,
                   sizeof *deck->other));
    deck->element[deck->n_element].index = deck->n_other;
    deck->other[deck->n_other++] = n_node;
    memcpy(deck->other + deck->n_other, node, (size_t)n_node * sizeof *node);
    deck->n_other += n_node;
    return EW_OK;
}

static ew_status add_element(ew_deck *deck, ew_inp_tets *tets, element_type type,
                             const int32_t *node, int32_t n_node)
{
    const ew_deck_element *element = &deck->element[deck->n_element];
    if (type.n_node && n_node != type.n_node) {
        return ew_deck_fail(deck, element->file, element->line,
                            "element %lld has %d nodes; its type has %d",
                            ew_deck_plain_number(element->number), n_node, type.n_node);
    }
    EW_TRY(type.kind == EW_DECK_TET    ? add_tet(deck, tets, node, n_node)
           : type.kind == EW_DECK_FACE ? add_triangle(deck, node)
                                       : add_other(deck, node, n_node));
    deck->n_element++;
    return EW_OK;
}

static ew_status begin_element(ew_deck *deck, int32_t card, const ew_deck_field *field,
                               ew_deck_kind kind)
{
    int64_t number;
    EW_TRY(ew_deck_int(deck, field, "an element's number", &number));
    EW_TRY(ew_grow(&deck->element, &deck->element_capacity, (int64_t)deck->n_element + 1,
                   sizeof *deck->element));
    deck->element[deck->n_element] =
        (ew_deck_element){.number = in_scope(deck->card[card].scope, number),
                          .kind = kind,
                          .card = card,
                          .file = field->file,
                          .line = field->line};
    return EW_OK;
}

static ew_status read_element_card(ew_deck *deck, int32_t card, ew_inp_tets *tets)
{
    ew_deck_cursor c = ew_deck_data(deck, &deck->card[card]);
    ew_deck_field field;
    element_type type;
    int32_t node[MAX_NODES], n_node = 0;
    bool open = false;
    EW_TRY(find_type(deck, &deck->card[card], &type));
    while (ew_deck_next(&c, &field)) {
        int64_t number;
        if (field.begins && !(open && field.continues && (!type.n_node || n_node < type.n_node))) {
            EW_TRY(open ? add_element(deck, tets, type, node, n_node) : EW_OK);
            EW_TRY(begin_element(deck, card, &field, type.kind));
            open = true;
            n_node = 0;
            continue;
        }
        EW_TRY(ew_deck_int(deck, &field, "a node's number", &number));
        if (number == 0 && type.kind == EW_DECK_OTHER) {
            continue; /* the open end of a network element */
        }
        if (n_node == MAX_NODES) {
            return ew_deck_fail(deck, field.file, field.line, "an element of more than %d nodes",
                                MAX_NODES);
        }
        node[n_node] = ew_deck_find_node(deck, deck->card[card].scope, number);
        if (node[n_node++] < 0) {
            return ew_deck_fail(deck, field.file, field.line,
                                "an element names node %lld, which no *NODE has",
                                (long long)number);
        }
    }
    return open ? add_element(deck, tets, type, node, n_node) : EW_OK;
}

ew_status ew_inp_read_elements(ew_deck *deck, ew_inp_tets *tets)
{
    for (int32_t i = 0; i < deck->n_card; i++) {
        if (!strcmp(ew_deck_name(deck, &deck->card[i]), "ELEMENT")) {
            EW_TRY(read_element_card(deck, i, tets));
        }
    }
    numbered *list = NULL;
    int32_t twice = -1;
    EW_TRY(ew_new(&list, (size_t)deck->n_element, sizeof *list));
    for (int32_t i = 0; i < deck->n_element; i++) {
        list[i] = (numbered){deck->element[i].number, i};
    }
    const ew_status status = sort_rows(list, deck->n_element, &deck->element_by_number, &twice);
    ew_release(list);
    return status       ? status
           : twice >= 0 ? ew_deck_fail(deck, deck->element[twice].file, deck->element[twice].line,
                                       "element %lld is there twice; a number means one element",
                                       ew_deck_plain_number(deck->element[twice].number))
                        : EW_OK;
}
