/* Sets of a keyword deck as labeled triangles, groups. In: sets of nodes and
 * elements, regions, *SURFACE cards. Out: names of regions; sets of shells and surfaces of element
 * faces as labels of triangles; all else as lists. */
#include "format/abaqus/inp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Corners of S1 to S4 out of the tet, for nodes 1 to 4 (Abaqus, "Three-dimensional solid element
 * library"). */
const int8_t ew_inp_face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

typedef struct naming {
    ew_deck *deck;
    const ew_inp_tets *tets;
    int32_t *region; /* [tets->n] */
    ew_inp_faces *faces;
    ew_groups *groups;
    int32_t next_label; /* of faces */
    bool *has_neighbor; /* [tets->n][4] owned, once it is needed: by S1 to S4 */
} naming;

/* ---- names ------------------------------------------------------------------------- */

/* A name that the kind has already is told apart by `what` it is of. */
static void make_name(const naming *n, ew_group_kind kind, const char *from, const char *what,
                      char name[EW_GROUP_NAME])
{
    char clean[EW_GROUP_NAME - 32];
    char whole[EW_GROUP_NAME];
    ew_group_clean_name(from, whole);
    memcpy(clean, whole, sizeof clean);
    clean[sizeof clean - 1] = 0;
    snprintf(name, EW_GROUP_NAME, "%s", *clean ? clean : what);
    for (int k = 1; ew_groups_find(n->groups, kind, name); k++) {
        snprintf(name, EW_GROUP_NAME, k > 1 ? "%s (%s %d)" : "%s (%s)", clean, what, k);
    }
}

static ew_status new_list(naming *n, ew_group_kind kind, const char *from, const char *what,
                          ew_group **group)
{
    char name[EW_GROUP_NAME];
    make_name(n, kind, from, what, name);
    return ew_groups_add_list(n->groups, kind, name, group);
}

/* A label of triangles, with its name unless it is a number's. */
static ew_status new_face_label(naming *n, const char *from, const char *what, int32_t *label)
{
    char name[EW_GROUP_NAME];
    if (ew_inp_label_name(from, "SURFACE_", label)) {
        return EW_OK;
    }
    make_name(n, EW_GROUP_FACES, from, what, name);
    *label = n->next_label++;
    return ew_groups_name_label(n->groups, EW_GROUP_FACES, *label, name);
}

static ew_status add_face(naming *n, const int32_t *node, int32_t label)
{
    ew_inp_faces *faces = n->faces;
    EW_TRY(ew_grow(&faces->face, &faces->capacity, (int64_t)faces->n + 1, 3 * sizeof *node));
    EW_TRY(ew_grow(&faces->label, &faces->label_capacity, (int64_t)faces->n + 1, sizeof label));
    memcpy(faces->face + 3 * (size_t)faces->n, node, 3 * sizeof *node);
    faces->label[faces->n++] = label;
    return EW_OK;
}

/* ---- sets --------------------------------------------------------------------------------- */

static int32_t count_kind(const naming *n, const ew_deck_set *set, ew_deck_kind kind)
{
    int32_t count = 0;
    for (int32_t i = 0; i < set->member.n; i++) {
        count += n->deck->element[set->member.id[i]].kind == kind;
    }
    return count;
}

/* Whether the set is a region as a whole, and which. */
static bool is_region(const naming *n, int32_t set, int32_t n_tet, int32_t *label)
{
    const ew_deck_set *of = &n->deck->set[set];
    *label = of->region;
    if (!of->is_region) {
        return false;
    }
    for (int32_t t = 0; t < n->tets->n; t++) {
        n_tet -= n->region[t] == *label;
    }
    return n_tet == 0;
}

/* With its instance, where there are several. */
static void name_of(const naming *n, const ew_deck_set *set, char name[EW_GROUP_NAME])
{
    ew_deck_full_name(n->deck, set->scope, n->deck->word + set->name, EW_GROUP_NAME, name);
}

static ew_status name_tets(naming *n, int32_t row, int32_t n_tet)
{
    const ew_deck_set *set = &n->deck->set[row];
    char name[EW_GROUP_NAME], from[EW_GROUP_NAME];
    int32_t label;
    ew_group *group;
    name_of(n, set, from);
    if (is_region(n, row, n_tet, &label)) {
        int32_t number;
        if (ew_inp_label_name(from, "REGION_", &number)) {
            return EW_OK;
        }
        make_name(n, EW_GROUP_TETS, from, "elements", name);
        return ew_groups_name_label(n->groups, EW_GROUP_TETS, label, name);
    }
    EW_TRY(new_list(n, EW_GROUP_TETS, from, "elements", &group));
    for (int32_t i = 0; i < set->member.n; i++) {
        const ew_deck_element *element = &n->deck->element[set->member.id[i]];
        EW_TRY(element->kind == EW_DECK_TET ? ew_group_push(group, element->index) : EW_OK);
    }
    return EW_OK;
}

static ew_status name_shells(naming *n, const ew_deck_set *set)
{
    char name[EW_GROUP_NAME];
    int32_t label;
    name_of(n, set, name);
    EW_TRY(new_face_label(n, name, "elements", &label));
    for (int32_t i = 0; i < set->member.n; i++) {
        const ew_deck_element *element = &n->deck->element[set->member.id[i]];
        EW_TRY(element->kind == EW_DECK_FACE ? add_face(n, n->deck->triangle[element->index], label)
                                             : EW_OK);
    }
    return EW_OK;
}

/* Lines and points, which Gmsh writes for curves: their nodes. */
static ew_status name_others(naming *n, const ew_deck_set *set)
{
    char name[EW_GROUP_NAME];
    ew_group *group;
    name_of(n, set, name);
    EW_TRY(new_list(n, EW_GROUP_VERTICES, name, "elements", &group));
    for (int32_t i = 0; i < set->member.n; i++) {
        int32_t n_node;
        const int32_t *node = ew_inp_nodes(n->deck, n->tets, set->member.id[i], 0, &n_node);
        for (int32_t k = 0; k < n_node; k++) {
            EW_TRY(ew_group_push(group, node[k]));
        }
    }
    return EW_OK;
}

static ew_status name_set(naming *n, int32_t row)
{
    const ew_deck_set *set = &n->deck->set[row];
    ew_group *group;
    if (set->of_elements) {
        const int32_t n_tet = count_kind(n, set, EW_DECK_TET);
        const int32_t n_face = count_kind(n, set, EW_DECK_FACE);
        EW_TRY(n_tet ? name_tets(n, row, n_tet) : EW_OK);
        EW_TRY(n_face ? name_shells(n, set) : EW_OK);
        return !n_tet && !n_face && set->member.n ? name_others(n, set) : EW_OK;
    }
    char name[EW_GROUP_NAME];
    name_of(n, set, name);
    EW_TRY(new_list(n, EW_GROUP_VERTICES, name, "nodes", &group));
    for (int32_t i = 0; i < set->member.n; i++) {
        EW_TRY(ew_group_push(group, set->member.id[i]));
    }
    return EW_OK;
}

/* ---- surfaces ----------------------------------------------------------------------------- */

/* Which faces have a tet on either side: the exterior of a set is the rest. */
static ew_status find_neighbors(naming *n)
{
    ew_map map = {0};
    ew_status status = ew_new_zero(&n->has_neighbor, 4 * (size_t)n->tets->n, 1);
    for (int32_t code = 0; code < 4 * n->tets->n && !status; code++) {
        const int32_t *tet = n->tets->tet + (code & ~3);
        int32_t a[3], old;
        for (int k = 0; k < 3; k++) {
            a[k] = tet[ew_inp_face[code % 4][k]];
        }
        for (int k = 0; k < 3; k++) { /* ascending: three exchanges of neighbors */
            const int i = k == 1;
            const int32_t low = a[i] < a[i + 1] ? a[i] : a[i + 1];
            a[i + 1] = a[i] < a[i + 1] ? a[i + 1] : a[i];
            a[i] = low;
        }
        status = ew_map_enter(&map, a[0], a[1], a[2], code, &old);
        if (!status && old >= 0) {
            n->has_neighbor[old] = n->has_neighbor[code] = true;
        }
    }
    ew_map_free(&map);
    return status;
}

/* Faces of one element by the word behind it: "S2", "SPOS", or nothing: those on the outside. */
static ew_status add_element_faces(naming *n, int32_t element, const ew_deck_field *word,
                                   int32_t label)
{
    const ew_deck_element *at = &n->deck->element[element];
    if (at->kind == EW_DECK_FACE) {
        return add_face(n, n->deck->triangle[at->index], label);
    }
    const bool is_face = word->size == 2 && (word->text[0] == 'S' || word->text[0] == 's') &&
                         word->text[1] >= '1' && word->text[1] <= '4';
    if (at->kind != EW_DECK_TET || (word->size && !is_face)) {
        return ew_deck_fail(n->deck, word->file, word->line,
                            "face '%.*s' of element %lld; tets have faces S1 to S4",
                            word->size < 20 ? (int)word->size : 20, word->text,
                            ew_deck_plain_number(at->number));
    }
    EW_TRY(!word->size && !n->has_neighbor ? find_neighbors(n) : EW_OK);
    for (int f = 0; f < 4; f++) {
        const size_t code = 4 * (size_t)at->index + (size_t)f;
        if (word->size ? word->text[1] == '1' + f : !n->has_neighbor[code]) {
            int32_t node[3];
            for (int k = 0; k < 3; k++) {
                node[k] = n->tets->tet[4 * (size_t)at->index + (size_t)ew_inp_face[f][k]];
            }
            EW_TRY(add_face(n, node, label));
        }
    }
    return EW_OK;
}

/* An entry of a surface of element faces: an element or a set, and a face. */
static ew_status add_entry(naming *n, int32_t outer, const ew_deck_field *entry,
                           const ew_deck_field *word, int32_t label)
{
    ew_deck_field inner = *entry, *of = &inner;
    int64_t number = 0;
    const int32_t scope = ew_deck_enter_field(n->deck, outer, of);
    const bool is_number = ew_deck_is_number(of);
    EW_TRY(is_number ? ew_deck_int(n->deck, of, "an element", &number) : EW_OK);
    const int32_t element = is_number ? ew_deck_find_element(n->deck, scope, number) : -1;
    const ew_deck_set *set =
        is_number ? NULL : ew_deck_find_set(n->deck, scope, true, of->text, (size_t)of->size);
    if (element < 0 && !set) {
        return ew_deck_fail(n->deck, of->file, of->line,
                            "*SURFACE: there is no element and no ELSET '%.*s'",
                            of->size < 80 ? (int)of->size : 80, of->text);
    }
    if (element >= 0) {
        return add_element_faces(n, element, word, label);
    }
    for (int32_t i = 0; i < set->member.n; i++) {
        EW_TRY(add_element_faces(n, set->member.id[i], word, label));
    }
    return EW_OK;
}

static ew_status read_faces(naming *n, const ew_deck_card *card, const char *name)
{
    ew_deck_cursor c = ew_deck_data(n->deck, card);
    ew_deck_field of, word;
    int32_t label;
    EW_TRY(new_face_label(n, name, "surface", &label));
    for (bool more = ew_deck_next(&c, &of); more;) {
        word = of;
        more = ew_deck_next(&c, &word);
        const ew_deck_field next = word;
        if (!more || word.begins) {
            word = of;
            word.size = 0;
        }
        EW_TRY(add_entry(n, card->scope, &of, &word, label));
        for (of = next; more && !of.begins;) {
            more = ew_deck_next(&c, &of);
        }
    }
    return EW_OK;
}

static ew_status read_nodes(naming *n, const ew_deck_card *card, const char *name)
{
    ew_deck_cursor c = ew_deck_data(n->deck, card);
    ew_deck_field field;
    ew_group *group;
    EW_TRY(new_list(n, EW_GROUP_VERTICES, name, "surface", &group));
    while (ew_deck_next(&c, &field)) {
        int64_t number;
        if (!field.begins || !field.size) {
            continue; /* a weight */
        }
        const int32_t scope = ew_deck_enter_field(n->deck, card->scope, &field);
        if (ew_deck_is_number(&field)) {
            EW_TRY(ew_deck_int(n->deck, &field, "a node", &number));
            const int32_t row = ew_deck_find_node(n->deck, scope, number);
            EW_TRY(row >= 0 ? ew_group_push(group, row) : EW_OK);
            continue;
        }
        const ew_deck_set *set =
            ew_deck_find_set(n->deck, scope, false, field.text, (size_t)field.size);
        if (!set) {
            return ew_deck_fail(n->deck, field.file, field.line,
                                "*SURFACE: there is no NSET '%.*s'",
                                field.size < 80 ? (int)field.size : 80, field.text);
        }
        for (int32_t i = 0; i < set->member.n; i++) {
            EW_TRY(ew_group_push(group, set->member.id[i]));
        }
    }
    return EW_OK;
}

static bool is_word(const char *text, const char *word)
{
    const ew_deck_field field = {.text = text, .size = (int32_t)strlen(text)};
    return ew_deck_is(&field, word);
}

static ew_status read_surface(naming *n, const ew_deck_card *card)
{
    const char *own = ew_deck_parameter(n->deck, card, "NAME");
    char name[EW_GROUP_NAME];
    const char *type = ew_deck_parameter(n->deck, card, "TYPE");
    if (!own || !*own) {
        return ew_deck_fail(n->deck, card->file, card->line, "*SURFACE needs NAME=");
    }
    ew_deck_full_name(n->deck, card->scope, own, sizeof name, name);
    if (type && is_word(type, "NODE")) {
        return read_nodes(n, card, name);
    }
    if ((type && !is_word(type, "ELEMENT")) || ew_deck_parameter(n->deck, card, "COMBINE")) {
        return ew_deck_fail(
            n->deck, card->file, card->line,
            "*SURFACE of element faces and of nodes is read, not TYPE=%.40s, COMBINE",
            type ? type : "");
    }
    return read_faces(n, card, name);
}

/* The faces that lie on those of the surface of a section, "NAME, far side". */
static ew_status name_section(naming *n, const ew_deck_section *section)
{
    const ew_deck_card *surface = &n->deck->card[section->surface];
    char name[EW_GROUP_NAME], far[EW_GROUP_NAME + 16];
    int32_t label;
    ew_deck_full_name(n->deck, surface->scope, ew_deck_parameter(n->deck, surface, "NAME"),
                      sizeof name, name);
    snprintf(far, sizeof far, "%.*s, far side", EW_GROUP_NAME - 12, name);
    EW_TRY(new_face_label(n, far, "surface", &label));
    for (int32_t i = 0; i < section->far.n; i++) {
        const int32_t code = section->far.id[i];
        int32_t node[3];
        for (int k = 0; k < 3; k++) {
            node[k] = n->tets->tet[4 * (size_t)(code / 4) + (size_t)ew_inp_face[code % 4][k]];
        }
        EW_TRY(add_face(n, node, label));
    }
    return EW_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Triangles that are in no set have the label 0. */
static ew_status add_the_rest(naming *n, const bool *is_named)
{
    for (int32_t i = 0; i < n->deck->n_triangle; i++) {
        EW_TRY(is_named[i] ? EW_OK : add_face(n, n->deck->triangle[i], 0));
    }
    return EW_OK;
}

static ew_status mark_named(const naming *n, bool **is_named)
{
    EW_TRY(ew_new_zero(is_named, (size_t)n->deck->n_triangle, 1));
    for (int32_t s = 0; s < n->deck->n_set; s++) {
        const ew_deck_set *set = &n->deck->set[s];
        for (int32_t i = 0; i < set->member.n && set->of_elements; i++) {
            const ew_deck_element *element = &n->deck->element[set->member.id[i]];
            if (element->kind == EW_DECK_FACE) {
                (*is_named)[element->index] = true;
            }
        }
    }
    return EW_OK;
}

/* Labels of surfaces begin behind those that names give as numbers. */
static void find_first_label(naming *n)
{
    n->next_label = 1;
    for (int32_t i = 0; i < n->deck->n_set + n->deck->n_card; i++) {
        const bool is_set = i < n->deck->n_set;
        const ew_deck_card *card = is_set ? NULL : &n->deck->card[i - n->deck->n_set];
        const char *name = is_set ? n->deck->word + n->deck->set[i].name
                                  : ew_deck_parameter(n->deck, card, "NAME");
        int32_t label;
        if (name && ew_inp_label_name(name, "SURFACE_", &label) && label >= n->next_label) {
            n->next_label = label + 1;
        }
    }
}

static ew_status name_all(naming *n)
{
    const ew_deck *deck = n->deck;
    bool *is_named = NULL;
    EW_TRY(ew_inp_find_regions(n->deck, n->tets, n->region));
    find_first_label(n);
    for (int32_t i = 0; i < deck->n_set; i++) {
        EW_TRY(name_set(n, i));
    }
    for (int32_t i = 0; i < deck->n_card; i++) {
        EW_TRY(strcmp(ew_deck_name(deck, &deck->card[i]), "SURFACE")
                   ? EW_OK
                   : read_surface(n, &deck->card[i]));
    }
    for (int32_t i = 0; i < deck->n_section; i++) {
        EW_TRY(name_section(n, &deck->section[i]));
    }
    ew_status status = mark_named(n, &is_named);
    status = status ? status : add_the_rest(n, is_named);
    ew_release(is_named);
    return status;
}

ew_status ew_inp_name_groups(ew_deck *deck, const ew_inp_tets *tets, int32_t *region,
                             ew_inp_faces *faces, ew_groups *groups)
{
    naming n = {.deck = deck, .tets = tets, .region = region, .faces = faces, .groups = groups};
    const ew_status status = name_all(&n);
    ew_release(n.has_neighbor);
    return status;
}
