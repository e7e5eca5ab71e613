/* Regions of a keyword deck. In: sets of elements. Out: the label of each tet. Solid sections are
 * regions; without any the sets that *ELEMENT cards name; without those the *ELSETs, where every
 * tet is in one of them, as programs write them that know no sections. */
#include "format/abaqus/inp.h"

#include <stdlib.h>
#include <string.h>

typedef struct regions {
    ew_deck *deck;
    const ew_inp_tets *tets;
    int32_t *label; /* [tets->n] borrowed */
    int32_t n, capacity;
    int32_t (*section)[2]; /* [n] owned: set, label of its region; INT32_MIN: none yet */
} regions;

bool ew_inp_label_name(const char *name, const char *word, int32_t *label)
{
    const size_t n = strlen(word);
    char *end;
    if (strncmp(name, word, n) != 0 || !name[n]) {
        return false;
    }
    const long value = strtol(name + n, &end, 10);
    *label = (int32_t)value;
    return !*end && value > INT32_MIN && value < INT32_MAX && name[n] != '+' && name[n] != ' ';
}

static const ew_list *members(const regions *r, int32_t section)
{
    return &r->deck->set[r->section[section][0]].member;
}

/* ---- sections --------------------------------------------------------------------------- */

static ew_status add_section(regions *r, const ew_deck_set *set)
{
    const int32_t row = (int32_t)(set - r->deck->set);
    for (int32_t i = 0; i < r->n; i++) {
        if (r->section[i][0] == row) {
            return EW_OK;
        }
    }
    EW_TRY(ew_grow(&r->section, &r->capacity, (int64_t)r->n + 1, sizeof *r->section));
    r->section[r->n][0] = row;
    r->section[r->n++][1] = INT32_MIN;
    return EW_OK;
}

static bool has_tets(const ew_deck *deck, const ew_deck_set *set)
{
    bool found = false;
    for (int32_t i = 0; set && i < set->member.n && !found; i++) {
        found = deck->element[set->member.id[i]].kind == EW_DECK_TET;
    }
    return found;
}

/* Whether every tet is in one of them and in no other. */
static bool is_partition(const regions *r)
{
    int32_t n_tet = 0;
    bool once = true;
    for (int32_t i = 0; i < r->n; i++) {
        const ew_list *member = members(r, i);
        for (int32_t k = 0; k < member->n; k++) {
            const ew_deck_element *element = &r->deck->element[member->id[k]];
            if (element->kind == EW_DECK_TET) {
                once = once && !r->label[element->index];
                r->label[element->index] = 1;
                n_tet++;
            }
        }
    }
    memset(r->label, 0, (size_t)r->tets->n * sizeof *r->label);
    return once && n_tet == r->tets->n;
}

static ew_status find_sections(regions *r)
{
    static const char *const from[] = {"SOLIDSECTION", "ELEMENT", "ELSET"};
    const ew_deck *deck = r->deck;
    for (int pass = 0; pass < 3 && !r->n; pass++) {
        for (int32_t i = 0; i < deck->n_card; i++) {
            const ew_deck_card *card = &deck->card[i];
            const char *name = strcmp(ew_deck_name(deck, card), from[pass])
                                   ? NULL
                                   : ew_deck_parameter(deck, card, "ELSET");
            const ew_deck_set *set =
                name ? ew_deck_find_set(deck, card->scope, true, name, strlen(name)) : NULL;
            EW_TRY(has_tets(deck, set) ? add_section(r, set) : EW_OK);
        }
        r->n = pass < 2 || is_partition(r) ? r->n : 0;
    }
    return EW_OK;
}

/* ---- labels ------------------------------------------------------------------------------- */

/* Those of names that are numbers first, the others from 1 around them. */
static void number_sections(regions *r)
{
    int32_t next = 1;
    for (int32_t i = 0; i < r->n; i++) {
        const char *name = r->deck->word + r->deck->set[r->section[i][0]].name;
        int32_t label;
        if (ew_inp_label_name(name, "REGION_", &label)) {
            r->section[i][1] = label;
            next = label >= next ? label + 1 : next;
        }
    }
    for (int32_t i = 0; i < r->n; i++) {
        ew_deck_set *set = &r->deck->set[r->section[i][0]];
        r->section[i][1] = r->section[i][1] == INT32_MIN ? next++ : r->section[i][1];
        set->is_region = true;
        set->region = r->section[i][1];
    }
}

/* Of several sections of a tet the last counts. */
static void mark_tets(const regions *r)
{
    for (int32_t i = 0; i < r->n; i++) {
        const ew_list *member = members(r, i);
        for (int32_t k = 0; k < member->n; k++) {
            const ew_deck_element *element = &r->deck->element[member->id[k]];
            if (element->kind == EW_DECK_TET) {
                r->label[element->index] = r->section[i][1];
            }
        }
    }
}

ew_status ew_inp_find_regions(ew_deck *deck, const ew_inp_tets *tets, int32_t *region)
{
    regions r = {.deck = deck, .tets = tets, .label = region};
    const ew_status status = find_sections(&r);
    if (!status) {
        number_sections(&r);
        mark_tets(&r);
    }
    ew_release(r.section);
    return status;
}
