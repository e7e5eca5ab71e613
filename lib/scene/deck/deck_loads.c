/* Supports and loads of a keyword deck. In: cards, one by one. Out: what holds at each node, on
 * each face and on bodies. As in CalculiX it goes on from step to step until it is given again
 * (OP=MOD), or all of its kind is dropped (OP=NEW); loads that one step gives twice add up. */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The amplitude that a card names, -1: none. */
static ew_status find_amplitude(deck_case *d, const ew_deck_card *card, int32_t *amplitude)
{
    const char *name = ew_deck_parameter(&d->deck, card, "AMPLITUDE");
    *amplitude = name ? deck_find_card(d, card->scope, "AMPLITUDE", name) : -1;
    return name && *amplitude < 0 ? deck_fail(d, card, "there is no *AMPLITUDE, NAME=%.80s", name)
                                  : EW_OK;
}

static bool is_whole(const ew_deck_field *field, int64_t *value)
{
    if (!ew_deck_is_number(field) || field->size > 6) {
        return false;
    }
    *value = 0;
    for (int32_t i = 0; i < field->size; i++) {
        const char c = field->text[i];
        *value = c >= '0' && c <= '9' ? 10 * *value + (c - '0') : *value;
    }
    return field->text[0] != '-';
}

/* ---- nodes ------------------------------------------------------------------------------ */

static void set_node(const deck_case *d, deck_value *list, const ew_list *node, int64_t dof,
                     double value, int32_t amplitude)
{
    for (int32_t i = 0; i < node->n; i++) {
        list[3 * (size_t)node->id[i] + (size_t)dof] =
            (deck_value){value, amplitude, d->deck_step, true};
    }
}

/* Bits of components that a word prescribes; 0: none that is known. */
static int named_support(const ew_deck_field *field)
{
    static const struct {
        const char *word;
        int bits;
    } known[] = {{"ENCASTRE", 7}, {"PINNED", 7}, {"XSYMM", 1},  {"YSYMM", 2},
                 {"ZSYMM", 4},    {"XASYMM", 6}, {"YASYMM", 5}, {"ZASYMM", 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (ew_deck_is(field, known[i].word)) {
            return known[i].bits;
        }
    }
    return 0;
}

/* Nodes that are in no tet; supports act on those of equations. */
static void note_strays(deck_case *d, const ew_deck_card *card, const deck_line *line,
                        const ew_list *node, bool is_support)
{
    int32_t n = 0;
    for (int32_t i = 0; i < node->n; i++) {
        const int32_t at = node->id[i];
        n += d->slot[at] < 0 && !d->is_middle[at] && !(is_support && d->is_tied[at]) &&
             !deck_is_reference(d, at) && !deck_is_bolt(d, at);
    }
    if (n) {
        deck_note(d, card, "in line %d %d nodes are in no tet; left out", (int)line->field[0].line,
                  (int)n);
    }
}

/* node, first, last, value; or node and a word. */
static ew_status read_support(deck_case *d, const ew_deck_card *card, const deck_line *line,
                              const ew_list *node, int32_t amplitude)
{
    int64_t first = 0, last;
    double value;
    const int bits = line->n > 1 ? named_support(&line->field[1]) : 0;
    for (int c = 0; c < 3 && bits; c++) {
        if (bits >> c & 1) {
            set_node(d, d->fixed, node, c, 0.0, -1);
        }
    }
    if (bits) {
        return EW_OK;
    }
    if (line->n < 2 || !is_whole(&line->field[1], &first) || first < 1) {
        return ew_deck_fail(&d->deck, line->field[0].file, line->field[0].line,
                            "*BOUNDARY: node, first component, last component, value");
    }
    last = first;
    if (line->n > 2 && line->field[2].size && !is_whole(&line->field[2], &last)) {
        return ew_deck_fail(&d->deck, line->field[2].file, line->field[2].line,
                            "*BOUNDARY: the last component is no whole number above 0");
    }
    if (last < first) {
        return ew_deck_fail(&d->deck, line->field[2].file, line->field[2].line,
                            "*BOUNDARY: the last component, %lld, is before the first, %lld",
                            (long long)last, (long long)first);
    }
    EW_TRY(deck_number(d, line, 3, "a displacement", 0.0, &value));
    if (first > 6) {
        deck_note(d, card, "component %lld in line %d is left out; tets have 1, 2 and 3",
                  (long long)first, (int)line->field[0].line);
    }
    for (int64_t c = first; c <= last && c <= 6; c++) {
        deck_value *list = c <= 3 ? d->fixed : d->rotation;
        if (list) {
            set_node(d, list, node, (c - 1) % 3, value, amplitude);
        }
    }
    note_strays(d, card, line, node, true);
    return EW_OK;
}

static ew_status read_force(deck_case *d, const ew_deck_card *card, const deck_line *line,
                            const ew_list *node, int32_t amplitude)
{
    int64_t component = 0;
    double value;
    if (line->n < 3 || !is_whole(&line->field[1], &component) || component < 1) {
        return ew_deck_fail(&d->deck, line->field[0].file, line->field[0].line,
                            "*CLOAD: node, component, force");
    }
    EW_TRY(deck_number(d, line, 2, "a force", 0.0, &value));
    for (int32_t i = 0; i < node->n && component > 3 && component <= 6; i++) {
        if (!deck_is_reference(d, node->id[i])) {
            break;
        }
        deck_add_value(d, &d->moment[3 * (size_t)node->id[i] + (size_t)(component - 4)], value,
                       amplitude);
        if (i + 1 == node->n) {
            return EW_OK;
        }
    }
    if (component > 3) {
        deck_note(d, card, "component %lld in line %d is left out; nodes of tets take no moment",
                  (long long)component, (int)line->field[0].line);
        return EW_OK;
    }
    for (int32_t i = 0; i < node->n; i++) {
        deck_add_value(d, &d->force[3 * (size_t)node->id[i] + (size_t)(component - 1)], value,
                       amplitude);
    }
    note_strays(d, card, line, node, false);
    return EW_OK;
}

static ew_status read_temperature(deck_case *d, const deck_line *line, const ew_list *node,
                                  int32_t amplitude, bool initial)
{
    double value;
    EW_TRY(deck_number(d, line, 1, "a temperature", 0.0, &value));
    for (int32_t i = 0; i < node->n; i++) {
        if (initial) {
            d->initial[node->id[i]] = value;
        } else {
            d->temperature[node->id[i]] = (deck_value){value, amplitude, d->deck_step, true};
        }
    }
    return EW_OK;
}

static ew_status read_velocity(deck_case *d, const deck_line *line, const ew_list *node)
{
    int64_t component = 0;
    double value;
    if (line->n < 3 || !is_whole(&line->field[1], &component) || component < 1 || component > 3) {
        return ew_deck_fail(&d->deck, line->field[0].file, line->field[0].line,
                            "*INITIAL CONDITIONS, TYPE=VELOCITY: node, component 1 to 3, velocity");
    }
    EW_TRY(deck_number(d, line, 2, "a velocity", 0.0, &value));
    set_node(d, d->velocity, node, component - 1, value, -1);
    return EW_OK;
}

typedef enum node_kind { SUPPORT, FORCE, TEMPERATURE, INITIAL_TEMPERATURE, VELOCITY } node_kind;

static ew_status read_node_lines(deck_case *d, const ew_deck_card *card, node_kind kind)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    int32_t amplitude = -1;
    EW_TRY(kind <= TEMPERATURE ? find_amplitude(d, card, &amplitude) : EW_OK);
    while (deck_next_line(&c, &next, &has_next, &line)) {
        ew_list node = {0};
        ew_status status = deck_nodes(d, card, &line.field[0], &node);
        if (!status) {
            status = kind == SUPPORT    ? read_support(d, card, &line, &node, amplitude)
                     : kind == FORCE    ? read_force(d, card, &line, &node, amplitude)
                     : kind == VELOCITY ? read_velocity(d, &line, &node)
                                        : read_temperature(d, &line, &node, amplitude,
                                                           kind == INITIAL_TEMPERATURE);
        }
        ew_list_free(&node);
        EW_TRY(status);
    }
    return EW_OK;
}

/* ---- faces and bodies ------------------------------------------------------------------------ */

static ew_status find_elements(deck_case *d, const ew_deck_card *card, const ew_deck_field *of,
                               ew_list *element, int32_t *set)
{
    ew_deck_field inner = *of, *field = &inner;
    const int32_t scope = ew_deck_enter_field(&d->deck, card->scope, field);
    int64_t number;
    *set = -1;
    if (ew_deck_is_number(field)) {
        EW_TRY(ew_deck_int(&d->deck, field, "an element", &number));
        const int32_t row = ew_deck_find_element(&d->deck, scope, number);
        return row >= 0 ? ew_list_push(element, row)
                        : ew_deck_fail(&d->deck, field->file, field->line,
                                       "*DLOAD: there is no element %lld", (long long)number);
    }
    const ew_deck_set *found =
        ew_deck_find_set(&d->deck, scope, true, field->text, (size_t)field->size);
    if (!found) {
        return ew_deck_fail(&d->deck, field->file, field->line, "*DLOAD: there is no ELSET '%.*s'",
                            field->size < 80 ? (int)field->size : 80, field->text);
    }
    *set = (int32_t)(found - d->deck.set);
    for (int32_t i = 0; i < found->member.n; i++) {
        EW_TRY(ew_list_push(element, found->member.id[i]));
    }
    return EW_OK;
}

static ew_status read_dload_line(deck_case *d, const ew_deck_card *card, const deck_line *line,
                                 const ew_list *element, int32_t set, int32_t amplitude)
{
    const ew_deck_field *what = &line->field[1];
    double value;
    if (line->n < 2 || (line->n < 3 && !ew_deck_is(what, "NEWTON"))) {
        return ew_deck_fail(&d->deck, line->field[0].file, line->field[0].line,
                            "*DLOAD: element, kind, size");
    }
    if (ew_deck_is(what, "GRAV") || ew_deck_is(what, "CENTRIF")) {
        return deck_read_body(d, card, line, set, amplitude);
    }
    const bool is_face = what->size == 2 && (what->text[0] == 'P' || what->text[0] == 'p') &&
                         what->text[1] >= '1' && what->text[1] <= '4';
    if (!is_face) {
        deck_note(d, card, "%.*s in line %d is left out; P1 to P4, GRAV and CENTRIF are read",
                  what->size < 40 ? (int)what->size : 40, what->text, (int)what->line);
        return EW_OK;
    }
    EW_TRY(deck_number(d, line, 2, "a pressure", 0.0, &value));
    for (int32_t i = 0; i < element->n; i++) {
        const ew_deck_element *at = &d->deck.element[element->id[i]];
        if (at->kind == EW_DECK_TET) {
            deck_add_value(d, &d->pressure[4 * (size_t)at->index + (size_t)(what->text[1] - '1')],
                           value, amplitude);
        }
    }
    return EW_OK;
}

static ew_status read_dload(deck_case *d, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    int32_t amplitude, set;
    EW_TRY(find_amplitude(d, card, &amplitude));
    while (deck_next_line(&c, &next, &has_next, &line)) {
        ew_list element = {0};
        ew_status status = find_elements(d, card, &line.field[0], &element, &set);
        status = status ? status : read_dload_line(d, card, &line, &element, set, amplitude);
        ew_list_free(&element);
        EW_TRY(status);
    }
    return EW_OK;
}

static ew_status find_surface(deck_case *d, const ew_deck_card *card, const ew_deck_field *field,
                              int32_t *surface)
{
    char name[EW_GROUP_NAME];
    snprintf(name, sizeof name, "%.*s", field->size, field->text);
    *surface = deck_find_card(d, card->scope, "SURFACE", name);
    return *surface >= 0 ? EW_OK
                         : ew_deck_fail(&d->deck, field->file, field->line,
                                        "*DSLOAD: there is no *SURFACE '%.80s'", name);
}

static ew_status read_dsload(deck_case *d, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    int32_t amplitude;
    double value;
    EW_TRY(find_amplitude(d, card, &amplitude));
    while (deck_next_line(&c, &next, &has_next, &line)) {
        const deck_surface *found;
        int32_t surface;
        EW_TRY(find_surface(d, card, &line.field[0], &surface));
        if (line.n < 3 || !ew_deck_is(&line.field[1], "P")) {
            deck_note(d, card, "line %d is left out; pressure, P, is read",
                      (int)line.field[0].line);
            continue;
        }
        EW_TRY(deck_number(d, &line, 2, "a pressure", 0.0, &value));
        EW_TRY(deck_find_surface(d, surface, &found));
        for (int32_t i = 0; i < found->code.n; i++) {
            deck_add_value(d, &d->pressure[found->code.id[i]], value, amplitude);
        }
        if (found->n_inner) {
            deck_note(d, card, "%d faces of the surface in line %d lie inside the body; left out",
                      (int)found->n_inner, (int)line.field[0].line);
        }
    }
    return EW_OK;
}

/* ---- cards ---------------------------------------------------------------------------------- */

static ew_status read_transform(deck_case *d, const ew_deck_card *card)
{
    const char *name = ew_deck_parameter(&d->deck, card, "NSET");
    const ew_deck_set *set =
        name ? ew_deck_find_set(&d->deck, card->scope, false, name, strlen(name)) : NULL;
    if (!set) {
        return deck_fail(d, card, "there is no NSET '%.80s'", name ? name : "");
    }
    for (int32_t i = 0; i < set->member.n; i++) {
        d->axes[set->member.id[i]] = (int32_t)(card - d->deck.card);
    }
    return EW_OK;
}

static ew_status read_initial(deck_case *d, const ew_deck_card *card)
{
    if (deck_has(d, card, "TYPE", "TEMPERATURE")) {
        return read_node_lines(d, card, INITIAL_TEMPERATURE);
    }
    if (deck_has(d, card, "TYPE", "VELOCITY")) {
        return read_node_lines(d, card, VELOCITY);
    }
    deck_note(d, card, "left out; TYPE=TEMPERATURE and VELOCITY are read");
    return EW_OK;
}

static void drop_values(const deck_case *d, deck_value *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        list[i].has = list[i].has && list[i].step == d->deck_step;
    }
}

static void drop_supports(deck_case *d)
{
    const size_t n = 3 * (size_t)d->deck.n_node;
    drop_values(d, d->fixed, n);
    drop_values(d, d->rotation, d->rotation ? n : 0);
}

static void drop_forces(deck_case *d)
{
    drop_values(d, d->force, 3 * (size_t)d->deck.n_node);
    drop_values(d, d->moment, d->moment ? 3 * (size_t)d->deck.n_node : 0);
}

static void drop_distributed(deck_case *d)
{
    drop_values(d, d->pressure, 4 * (size_t)d->mesh.n_tet);
    for (int32_t i = 0; i < d->n_body; i++) {
        drop_values(d, &d->body[i].value, 1);
    }
}

static void drop_temperatures(deck_case *d)
{
    drop_values(d, d->temperature, (size_t)d->deck.n_node);
}

static ew_status read_supports(deck_case *d, const ew_deck_card *card)
{
    return read_node_lines(d, card, SUPPORT);
}

static ew_status read_forces(deck_case *d, const ew_deck_card *card)
{
    return read_node_lines(d, card, FORCE);
}

static ew_status read_temperatures(deck_case *d, const ew_deck_card *card)
{
    return read_node_lines(d, card, TEMPERATURE);
}

#define OF_LOADS "OP AMPLITUDE TIMEDELAY FILE LOADCASE SUBMODEL TYPE USER FIXED"
static const deck_load_card cards[] = {{"BOUNDARY", OF_LOADS, read_supports, drop_supports},
                                       {"CLOAD", OF_LOADS, read_forces, drop_forces},
                                       {"DLOAD", OF_LOADS, read_dload, drop_distributed},
                                       {"DSLOAD", OF_LOADS, read_dsload, drop_distributed},
                                       {"TEMPERATURE", OF_LOADS, read_temperatures,
                                        drop_temperatures},
                                       {"TRANSFORM", "NSET TYPE", read_transform, NULL},
                                       {"INITIALCONDITIONS", OF_LOADS, read_initial, NULL}};
enum { N_CARD = sizeof cards / sizeof *cards };
_Static_assert((int)N_CARD <= (int)DECK_MAX_LOAD_CARDS, "deck_case.given has room for fewer");

const deck_load_card *deck_load_card_of(const deck_case *d, const ew_deck_card *card)
{
    for (int k = 0; k < N_CARD; k++) {
        if (deck_is(d, card, cards[k].name)) {
            return &cards[k];
        }
    }
    return NULL;
}

/* OP=NEW: what steps before gave of the kind is gone. It is heard on the first card of the kind in
 * a step; cards that drop the same, as *DLOAD and *DSLOAD, are of one kind. */
static void begin_again(deck_case *d, const ew_deck_card *card, const deck_load_card *load)
{
    int kind = 0;
    while (cards[kind].drop != load->drop) {
        kind++;
    }
    const bool is_first = d->given[kind] != d->deck_step;
    d->given[kind] = d->deck_step;
    if (load->drop && is_first && deck_has(d, card, "OP", "NEW")) {
        load->drop(d);
    }
}

void deck_begin_perturbation(deck_case *d)
{
    drop_forces(d);
    drop_temperatures(d);
}

ew_status deck_read_load(deck_case *d, const ew_deck_card *card, bool *is_known)
{
    const deck_load_card *load = deck_load_card_of(d, card);
    *is_known = load != NULL;
    if (!load) {
        return EW_OK;
    }
    d->is_read[card - d->deck.card] = true;
    if (deck_has(d, card, "SUBMODEL", NULL) || deck_has(d, card, "FILE", NULL) ||
        deck_has(d, card, "LOADCASE", "2") || deck_has(d, card, "USER", NULL) ||
        (deck_has(d, card, "FIXED", NULL) && !deck_fixes_bolts(d, card)) ||
        (load->read == read_supports && deck_has(d, card, "TYPE", "VELOCITY")) ||
        deck_has(d, card, "TYPE", "ACCELERATION")) {
        deck_note(d, card, "left out: of its parameters only AMPLITUDE and OP are read");
        return EW_OK;
    }
    if (deck_has(d, card, "TIMEDELAY", NULL)) {
        deck_note(d, card, "TIME DELAY is left out");
    }
    begin_again(d, card, load);
    return load->read(d, card);
}
