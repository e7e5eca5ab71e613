/* Sets of a keyword deck: *NSET, *ELSET, and those that *NODE and *ELEMENT cards name. In: cards;
 * nodes and elements by number. Out: sets by name, members ascending. Names of sets stand for their
 * members; numbers that nothing has are passed over, as programs do. */
#include "format/abaqus/inp.h"

#include <string.h>

/* Members of all sets together, a multiple of what there is: names of names could make it endless.
 */
enum { MAX_TIMES = 64, MAX_EXTRA = 1000000, MAX_SETS = 20000 };

typedef struct reading {
    ew_deck *deck;
    const ew_inp_tets *tets;
    int64_t room; /* for members */
} reading;

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

static bool is_same(const char *name, const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && name[i] && upper(name[i]) == upper(text[i])) {
        i++;
    }
    return i == size && !name[i];
}

static const ew_deck_set *find_exact(const ew_deck *deck, int32_t scope, bool of_elements,
                                     const char *name, size_t size)
{
    for (int32_t i = 0; i < deck->n_set; i++) {
        const ew_deck_set *set = &deck->set[i];
        if (set->of_elements == of_elements && set->scope == scope &&
            is_same(deck->word + set->name, name, size)) {
            return set;
        }
    }
    return NULL;
}

const ew_deck_set *ew_deck_find_set(const ew_deck *deck, int32_t scope, bool of_elements,
                                    const char *name, size_t size)
{
    const ew_deck_set *found = find_exact(deck, scope, of_elements, name, size);
    const int32_t entered = found ? scope : ew_deck_enter_scope(deck, scope, &name, &size);
    if (!found && entered != scope) {
        found = find_exact(deck, entered, of_elements, name, size);
    }
    return found || scope || deck->n_instance != 1 ? found
                                                   : find_exact(deck, 1, of_elements, name, size);
}

/* The set that a card adds to, new where there is none of the name. name: a word of the deck. */
static ew_status open_set(reading *r, int32_t card, bool of_elements, const char *name,
                          int32_t *set)
{
    ew_deck *deck = r->deck;
    const int32_t scope = deck->card[card].scope;
    const ew_deck_set *there = find_exact(deck, scope, of_elements, name, strlen(name));
    if (there) {
        *set = (int32_t)(there - deck->set);
        return EW_OK;
    }
    if (!*name) {
        return ew_deck_fail(deck, deck->card[card].file, deck->card[card].line,
                            "a set without a name");
    }
    if (deck->n_set >= MAX_SETS) {
        return ew_fail(EW_LIMIT, "a deck of more than %d sets", MAX_SETS);
    }
    EW_TRY(ew_grow(&deck->set, &deck->set_capacity, (int64_t)deck->n_set + 1, sizeof *deck->set));
    *set = deck->n_set++;
    deck->set[*set] = (ew_deck_set){.name = (int32_t)(name - deck->word),
                                    .of_elements = of_elements,
                                    .scope = scope,
                                    .card = card};
    return EW_OK;
}

static ew_status push(reading *r, int32_t set, int32_t member)
{
    if (--r->room < 0) {
        return ew_fail(EW_LIMIT,
                       "the sets of the deck have more than %d times as many members as "
                       "there are nodes and elements",
                       MAX_TIMES);
    }
    return ew_list_push(&r->deck->set[set].member, member);
}

static ew_status push_set(reading *r, int32_t set, const ew_list *from)
{
    for (int32_t i = 0; i < from->n; i++) {
        EW_TRY(push(r, set, from->id[i]));
    }
    ew_list_sort_unique(&r->deck->set[set].member);
    return EW_OK;
}

/* The scope of what a card of a set lists. */
static ew_status find_scope(const ew_deck *deck, int32_t card, int32_t *scope)
{
    const ew_deck_card *at = &deck->card[card];
    const char *name = ew_deck_parameter(deck, at, "INSTANCE");
    *scope = at->scope;
    for (int32_t i = 0; name && i < deck->n_instance; i++) {
        const char *of = deck->word + deck->instance[i].name;
        if (is_same(of, name, strlen(name))) {
            *scope = i + 1;
            return EW_OK;
        }
    }
    return name && deck->n_instance
               ? ew_deck_fail(deck, at->file, at->line, "*%s: there is no *INSTANCE, NAME=%.80s",
                              ew_deck_name(deck, at), name)
               : EW_OK;
}

/* Those numbered first, first + step, ... last in a scope. */
static ew_status generate_in(reading *r, int32_t set, int32_t scope, const int64_t plain[3])
{
    const int64_t shift = (int64_t)scope << 32;
    const int64_t range[3] = {plain[0] + shift, plain[1] + shift, plain[2]};
    const ew_deck *deck = r->deck;
    const bool of_elements = deck->set[set].of_elements;
    const int32_t n = of_elements ? deck->n_element : deck->n_node;
    const int32_t *by_number = of_elements ? deck->element_by_number : deck->by_number;
    int32_t low = 0, high = n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2, row = by_number[middle];
        if ((of_elements ? deck->element[row].number : deck->node[row]) < range[0]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < n; low++) {
        const int32_t row = by_number[low];
        const int64_t number = of_elements ? deck->element[row].number : deck->node[row];
        if (number > range[1]) {
            break;
        }
        EW_TRY((number - range[0]) % range[2] == 0 ? push(r, set, row) : EW_OK);
    }
    return EW_OK;
}

/* Numbers of no instance may be those of the only one. */
static ew_status generate(reading *r, int32_t set, int32_t scope, const int64_t range[3])
{
    const int32_t n = r->deck->set[set].member.n;
    EW_TRY(generate_in(r, set, scope, range));
    return scope || r->deck->n_instance != 1 || r->deck->set[set].member.n > n
               ? EW_OK
               : generate_in(r, set, 1, range);
}

static ew_status read_ranges(reading *r, int32_t card, int32_t set)
{
    int32_t scope;
    EW_TRY(find_scope(r->deck, card, &scope));
    const ew_deck *deck = r->deck;
    ew_deck_cursor c = ew_deck_data(deck, &deck->card[card]);
    ew_deck_field field, last = {0};
    int64_t range[3] = {0, 0, 1};
    int32_t n = 0;
    for (bool more = ew_deck_next(&c, &field);; more = ew_deck_next(&c, &field)) {
        if (n && (!more || field.begins)) {
            range[1] = n < 2 ? range[0] : range[1];
            range[2] = n < 3 ? 1 : range[2];
            if (range[2] <= 0 || range[1] < range[0]) {
                return ew_deck_fail(deck, last.file, last.line,
                                    "GENERATE needs first, last and a step above 0");
            }
            if (((uint64_t)range[1] - (uint64_t)range[0]) % (uint64_t)range[2] != 0) {
                return ew_deck_fail(deck, last.file, last.line,
                                    "GENERATE %lld, %lld, %lld: steps from the first do not reach "
                                    "the last; CalculiX has it in the set in places only",
                                    (long long)range[0], (long long)range[1], (long long)range[2]);
            }
            EW_TRY(generate(r, set, scope, range));
            n = 0;
        }
        if (!more) {
            return EW_OK;
        }
        if (n < 3 && field.size) {
            EW_TRY(ew_deck_int(deck, &field, "a number of a range", &range[n]));
        }
        n++;
        last = field;
    }
}

/* Numbers, and names of sets that are there by now. */
static ew_status read_members(reading *r, int32_t card, int32_t set)
{
    const ew_deck *deck = r->deck;
    ew_deck_cursor c = ew_deck_data(deck, &deck->card[card]);
    const bool of_elements = deck->set[set].of_elements;
    ew_deck_field field;
    int32_t outer;
    EW_TRY(find_scope(deck, card, &outer));
    while (ew_deck_next(&c, &field)) {
        if (!field.size) {
            continue;
        }
        const int32_t scope = ew_deck_enter_field(deck, outer, &field);
        if (!ew_deck_is_number(&field)) {
            const ew_deck_set *other =
                ew_deck_find_set(deck, scope, of_elements, field.text, (size_t)field.size);
            if (!other) {
                return ew_deck_fail(deck, field.file, field.line,
                                    "there is no %s '%.*s' above; sets are read in their order",
                                    of_elements ? "ELSET" : "NSET",
                                    field.size < 80 ? (int)field.size : 80, field.text);
            }
            EW_TRY(other != &deck->set[set] ? push_set(r, set, &other->member) : EW_OK);
            continue;
        }
        int64_t number;
        EW_TRY(ew_deck_int(deck, &field, "a member", &number));
        const int32_t row = of_elements ? ew_deck_find_element(deck, scope, number)
                                        : ew_deck_find_node(deck, scope, number);
        EW_TRY(row >= 0 ? push(r, set, row) : EW_OK);
    }
    return EW_OK;
}

/* *NSET, ELSET=..: the nodes of elements. */
static ew_status push_nodes_of(reading *r, int32_t card, int32_t set, const char *name)
{
    const ew_deck *deck = r->deck;
    int32_t scope;
    EW_TRY(find_scope(deck, card, &scope));
    const ew_deck_set *of = ew_deck_find_set(deck, scope, true, name, strlen(name));
    if (!of) {
        return ew_deck_fail(deck, deck->card[card].file, deck->card[card].line,
                            "there is no ELSET '%.80s' above", name);
    }
    for (int32_t i = 0; i < of->member.n; i++) {
        int32_t n;
        for (int32_t piece = 0; piece < 2; piece++) {
            const int32_t *node = ew_inp_nodes(deck, r->tets, of->member.id[i], piece, &n);
            for (int32_t k = 0; k < n; k++) {
                EW_TRY(node[k] >= 0 ? push(r, set, node[k]) : EW_OK);
            }
        }
    }
    ew_list_sort_unique(&r->deck->set[set].member);
    return EW_OK;
}

static ew_status read_set_card(reading *r, int32_t card, bool of_elements)
{
    const ew_deck_card *at = &r->deck->card[card];
    const char *name = ew_deck_parameter(r->deck, at, of_elements ? "ELSET" : "NSET");
    const char *elements = of_elements ? NULL : ew_deck_parameter(r->deck, at, "ELSET");
    int32_t set;
    if (!name) {
        return ew_deck_fail(r->deck, at->file, at->line, "*%s needs %s=NAME",
                            of_elements ? "ELSET" : "NSET", of_elements ? "ELSET" : "NSET");
    }
    EW_TRY(open_set(r, card, of_elements, name, &set));
    if (elements) {
        return push_nodes_of(r, card, set, elements);
    }
    EW_TRY(ew_deck_parameter(r->deck, at, "GENERATE") ? read_ranges(r, card, set)
                                                      : read_members(r, card, set));
    ew_list_sort_unique(&r->deck->set[set].member);
    return EW_OK;
}

/* The rows that a *NODE or *ELEMENT card has: from *row on as many as it has entries. */
static ew_status read_own_set(reading *r, int32_t card, bool of_elements, int32_t *row)
{
    ew_deck *deck = r->deck;
    const int32_t first = *row;
    if (of_elements) {
        for (; *row < deck->n_element && deck->element[*row].card == card; (*row)++) {
        }
    } else {
        ew_deck_cursor c = ew_deck_data(deck, &deck->card[card]);
        ew_deck_field field;
        while (ew_deck_next(&c, &field)) {
            *row += field.begins;
        }
    }
    const char *name = ew_deck_parameter(deck, &deck->card[card], of_elements ? "ELSET" : "NSET");
    int32_t set;
    if (!name) {
        return EW_OK;
    }
    EW_TRY(open_set(r, card, of_elements, name, &set));
    for (int32_t i = first; i < *row; i++) {
        EW_TRY(push(r, set, i));
    }
    ew_list_sort_unique(&deck->set[set].member);
    return EW_OK;
}

ew_status ew_inp_read_sets(ew_deck *deck, const ew_inp_tets *tets)
{
    reading r = {.deck = deck,
                 .tets = tets,
                 .room = MAX_TIMES * ((int64_t)deck->n_node + deck->n_element) + MAX_EXTRA};
    int32_t node = 0, element = 0;
    for (int32_t i = 0; i < deck->n_card; i++) {
        const char *name = ew_deck_name(deck, &deck->card[i]);
        EW_TRY(!strcmp(name, "NODE")      ? read_own_set(&r, i, false, &node)
               : !strcmp(name, "ELEMENT") ? read_own_set(&r, i, true, &element)
               : !strcmp(name, "NSET")    ? read_set_card(&r, i, false)
               : !strcmp(name, "ELSET")   ? read_set_card(&r, i, true)
                                          : EW_OK);
    }
    return EW_OK;
}
