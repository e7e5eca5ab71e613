/* Materials of a keyword deck: *MATERIAL and what stands behind it, given to regions by *SOLID
 * SECTION. In: cards. Out: `material:` of a case. */
#include "scene/deck/deck.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TABLE = 32 };

/* Cards of one material. */
typedef struct material {
    const ew_deck_card *elastic, *density, *expansion, *plastic;
} material;

/* ---- elastic constants --------------------------------------------------------------- */

/* More than one line of constants: they depend on temperature, or follow from it. */
static ew_status note_table(deck_case *d, const ew_deck_card *card, int32_t n_value)
{
    double value[64];
    int32_t n;
    EW_TRY(deck_numbers(d, card, 64, value, &n));
    if (n > n_value + 1) {
        deck_note(d, card, "depends on temperature; its first entry is taken");
    }
    return EW_OK;
}

/* 11 22 33 12 13 23 by columns there, xx yy zz xy yz xz by rows here. */
static ew_status put_anisotropic(deck_case *d, const ew_deck_card *card, ew_case_entry *to)
{
    static const int place[6] = {0, 1, 2, 3, 5, 4};
    double value[21], upper[21];
    int32_t n, count = 0;
    EW_TRY(deck_numbers(d, card, 21, value, &n));
    if (n < 21) {
        return deck_fail(d, card, "TYPE=ANISO needs 21 constants, not %d", n);
    }
    for (int i = 0; i < 6; i++) {
        for (int k = i; k < 6; k++) {
            const int a = place[i] < place[k] ? place[i] : place[k];
            const int b = place[i] < place[k] ? place[k] : place[i];
            upper[count++] = value[b * (b + 1) / 2 + a];
        }
    }
    ew_case_add_numbers(to, "stiffness", upper, 21);
    return note_table(d, card, 24); /* three lines, of which the last has a temperature */
}

static ew_status put_orthotropic(deck_case *d, const ew_deck_card *card, ew_case_entry *to)
{
    double v[9];
    int32_t n;
    EW_TRY(deck_numbers(d, card, 9, v, &n));
    if (n < 9) {
        return deck_fail(d, card, "needs nine constants, not %d", n);
    }
    if (deck_has(d, card, "TYPE", "ORTHO")) {
        const double list[9] = {v[0], v[1], v[3], v[2], v[4], v[5], v[6], v[8], v[7]};
        ew_case_add_numbers(to, "stiffness", list, 9);
    } else {
        ew_case_add_numbers(to, "young", v, 3);
        ew_case_add_numbers(to, "poisson", v + 3, 3);
        ew_case_add_numbers(to, "shear", v + 6, 3);
    }
    return note_table(d, card, 9);
}

static bool is_isotropic(const deck_case *d, const ew_deck_card *card)
{
    return !deck_has(d, card, "TYPE", NULL) || deck_has(d, card, "TYPE", "ISO") ||
           deck_has(d, card, "TYPE", "ISOTROPIC");
}

/* by_axis: isotropic constants are written along axes, as a case has them where what else the
 * material has depends on axes. */
static ew_status put_elastic(deck_case *d, const ew_deck_card *card, bool by_axis,
                             ew_case_entry *to)
{
    double value[3];
    int32_t n;
    if (deck_has(d, card, "TYPE", "ORTHO") || deck_has(d, card, "TYPE", "ENGINEERING CONSTANTS") ||
        deck_has(d, card, "TYPE", "ENGINEERINGCONSTANTS")) {
        return put_orthotropic(d, card, to);
    }
    if (deck_has(d, card, "TYPE", "ANISO")) {
        return put_anisotropic(d, card, to);
    }
    if (!is_isotropic(d, card)) {
        return deck_fail(d, card,
                         "TYPE=%.40s is not read; ISO, ORTHO, ENGINEERING CONSTANTS and "
                         "ANISO are",
                         ew_deck_parameter(&d->deck, card, "TYPE"));
    }
    EW_TRY(deck_numbers(d, card, 2, value, &n));
    if (n < 2) {
        return deck_fail(d, card, "needs Young's modulus and Poisson's ratio");
    }
    if (by_axis) {
        const double e = value[0], v = value[1], g = e / (2.0 * (1.0 + v));
        ew_case_add_numbers(to, "young", (const double[]){e, e, e}, 3);
        ew_case_add_numbers(to, "poisson", (const double[]){v, v, v}, 3);
        ew_case_add_numbers(to, "shear", (const double[]){g, g, g}, 3);
    } else {
        ew_case_add_number(to, "young", value[0]);
        ew_case_add_number(to, "poisson", value[1]);
    }
    return note_table(d, card, 2);
}

/* Whether what is written for the material depends on axes. */
static bool is_by_axis(const deck_case *d, const material *m)
{
    return !is_isotropic(d, m->elastic) ||
           (m->expansion && deck_has(d, m->expansion, "TYPE", "ORTHO"));
}

/* ---- the rest of it --------------------------------------------------------------------- */

/* A material without thermal strain has an expansion of 0 in a case. */
static bool has_temperatures(const deck_case *d)
{
    bool found = false;
    for (int32_t i = 0; i < d->deck.n_card && !found; i++) {
        found = deck_is(d, &d->deck.card[i], "TEMPERATURE");
    }
    return found;
}

static void put_no_expansion(const deck_case *d, ew_case_entry *to)
{
    if (has_temperatures(d)) {
        ew_case_add_number(to, "expansion", 0.0);
    }
}

static ew_status put_expansion(deck_case *d, const ew_deck_card *card, ew_case_entry *to)
{
    double value[6];
    int32_t n;
    const bool ortho = deck_has(d, card, "TYPE", "ORTHO");
    if (deck_has(d, card, "TYPE", "ANISO")) {
        deck_note(d, card, "TYPE=ANISO is left out");
        put_no_expansion(d, to);
        return EW_OK;
    }
    EW_TRY(deck_numbers(d, card, ortho ? 3 : 1, value, &n));
    if (n < (ortho ? 3 : 1)) {
        return deck_fail(d, card, "has too few numbers");
    }
    if (ortho) {
        ew_case_add_numbers(to, "expansion", value, 3);
    } else {
        ew_case_add_number(to, "expansion", value[0]);
    }
    return note_table(d, card, ortho ? 3 : 1);
}

/* Lines of stress, equivalent plastic strain and temperature: those of the first temperature. */
static ew_status put_table(deck_case *d, const ew_deck_card *card, ew_case_entry *to)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    double first = 0.0;
    int32_t n = 0;
    ew_case_entry *table = ew_case_add_list(ew_case_add_mapping(to, "plastic"), "table");
    for (; deck_next_line(&c, &next, &has_next, &line); n++) {
        double point[3];
        EW_TRY(deck_number(d, &line, 0, "a yield stress", 0.0, &point[0]));
        EW_TRY(deck_number(d, &line, 1, "a plastic strain", 0.0, &point[1]));
        EW_TRY(deck_number(d, &line, 2, "a temperature", first, &point[2]));
        first = n ? first : point[2];
        if (point[2] != first) {
            deck_note(d, card, "depends on temperature; the entries of its first one are taken");
            break;
        }
        if (n == MAX_TABLE) {
            return deck_fail(d, card, "has more than %d lines, which a case may have", MAX_TABLE);
        }
        ew_case_add_numbers(table, NULL, point, 2);
    }
    return n ? EW_OK : deck_fail(d, card, "has no lines");
}

static ew_status put_plastic(deck_case *d, const material *m, ew_case_entry *to)
{
    const ew_deck_card *card = m->plastic;
    if (deck_has(d, card, "HARDENING", NULL) && !deck_has(d, card, "HARDENING", "ISOTROPIC")) {
        deck_note(d, card, "only isotropic hardening; left out");
        return EW_OK;
    }
    if (is_by_axis(d, m)) {
        deck_note(d, card, "left out: what flows is isotropic here, its expansion too");
        return EW_OK;
    }
    EW_TRY(put_table(d, card, to));
    d->is_plastic = true;
    return EW_OK;
}

/* ---- materials and sections ----------------------------------------------------------------- */

/* Up to the next card that begins another block. */
static void find_parts(deck_case *d, int32_t begin, material *m)
{
    const struct {
        const char *name;
        const ew_deck_card **to;
    } known[] = {{"ELASTIC", &m->elastic},
                 {"DENSITY", &m->density},
                 {"EXPANSION", &m->expansion},
                 {"PLASTIC", &m->plastic}};
    static const char ends[] = " MATERIAL SOLIDSECTION STEP BOUNDARY AMPLITUDE SHELLSECTION "
                               "INITIALCONDITIONS NODE ELEMENT NSET ELSET SURFACE ";
    *m = (material){NULL, NULL, NULL, NULL};
    for (int32_t i = begin + 1; i < d->deck.n_card; i++) {
        char word[80];
        snprintf(word, sizeof word, " %.70s ", ew_deck_name(&d->deck, &d->deck.card[i]));
        if (strstr(ends, word)) {
            return;
        }
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (deck_is(d, &d->deck.card[i], known[k].name)) {
                *known[k].to = &d->deck.card[i];
                d->is_read[i] = true;
            }
        }
    }
}

/* Rayleigh's damping, of a material or without one: as in CalculiX there is one for the body. */
static ew_status read_damping(deck_case *d)
{
    static const char *const keys[2] = {"ALPHA", "BETA"};
    double *to[2] = {&d->mass_damping, &d->stiffness_damping};
    const ew_deck_card *before = NULL;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        if (!deck_is(d, card, "DAMPING") ||
            (!deck_has(d, card, "ALPHA", NULL) && !deck_has(d, card, "BETA", NULL))) {
            continue;
        }
        d->is_read[i] = true;
        for (int k = 0; k < 2; k++) {
            const char *text = ew_deck_parameter(&d->deck, card, keys[k]);
            const ew_deck_field field = {
                text, text ? (int32_t)strlen(text) : 0, card->file, card->line, 0, 0};
            *to[k] = 0.0;
            EW_TRY(text ? ew_deck_real(&d->deck, &field, keys[k], to[k]) : EW_OK);
        }
        if (before) {
            deck_note(d, before, "the one in line %d is taken, for the whole body",
                      (int)card->line);
        }
        before = card;
    }
    return EW_OK;
}

/* Those of the material's axes, where it has any. */
static ew_status put_orientation(deck_case *d, const ew_deck_card *section, const material *m,
                                 ew_case_entry *to)
{
    const char *name = ew_deck_parameter(&d->deck, section, "ORIENTATION");
    const int32_t axes = name ? deck_find_card(d, section->scope, "ORIENTATION", name) : -1;
    deck_axes unused;
    if (!name) {
        return EW_OK;
    }
    if (axes < 0) {
        return deck_fail(d, section, "there is no *ORIENTATION, NAME=%.80s", name);
    }
    const ew_deck_card *card = &d->deck.card[axes];
    EW_TRY(is_by_axis(d, m) ? deck_put_axes(d, card, to) : deck_read_axes(d, card, &unused));
    d->is_read[axes] = true;
    return EW_OK;
}

static ew_status put_section(deck_case *d, const ew_deck_card *section, int32_t label)
{
    const char *name = ew_deck_parameter(&d->deck, section, "MATERIAL");
    const int32_t at = name ? deck_find_card(d, section->scope, "MATERIAL", name) : -1;
    double density;
    int32_t n;
    material m;
    if (at < 0) {
        return deck_fail(d, section, "there is no *MATERIAL, NAME=%.80s", name ? name : "");
    }
    d->is_read[at] = true;
    find_parts(d, at, &m);
    if (!m.elastic) {
        char meant[64];
        const int32_t near = deck_find_misspelled(d, at + 1, "ELASTIC", meant);
        return near < 0 ? deck_fail(d, &d->deck.card[at], "'%.80s' has no *ELASTIC", name)
                        : deck_fail(d, &d->deck.card[near],
                                    "is no card that is known; did you mean *%s? Without it "
                                    "material '%.80s' has none",
                                    meant, name);
    }
    ew_case_entry *to = ew_case_add_mapping(d->materials, NULL);
    ew_case_add_integer(to, "region", label);
    ew_case_comment(to, name);
    EW_TRY(put_elastic(d, m.elastic, is_isotropic(d, m.elastic) && is_by_axis(d, &m), to));
    if (m.density) {
        EW_TRY(deck_numbers(d, m.density, 1, &density, &n));
        EW_TRY(note_table(d, m.density, 1));
        if (n && density != 0.0) { /* 0, as of a MAT1 without one: not given */
            ew_case_add_number(to, "density", density);
        }
    }
    if (m.expansion) {
        EW_TRY(put_expansion(d, m.expansion, to));
    } else {
        put_no_expansion(d, to);
    }
    EW_TRY(m.plastic ? put_plastic(d, &m, to) : EW_OK);
    return put_orientation(d, section, &m, to);
}

static bool has_region(const deck_case *d, int32_t label)
{
    bool found = false;
    for (int32_t r = 0; r < d->mesh.n_region; r++) {
        found = found || d->mesh.region_label[r] == label;
    }
    return found;
}

ew_status deck_read_materials(deck_case *d)
{
    bool any = false;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        const char *name = ew_deck_parameter(&d->deck, card, "ELSET");
        if (!deck_is(d, card, "SOLIDSECTION")) {
            continue;
        }
        const ew_deck_set *set =
            name ? ew_deck_find_set(&d->deck, card->scope, true, name, strlen(name)) : NULL;
        if (!set) {
            return deck_fail(d, card, "there is no ELSET '%.80s'", name ? name : "");
        }
        d->is_read[i] = any = true;
        bool *has_section = &d->has_section[set - d->deck.set];
        if (*has_section || !set->is_region || !has_region(d, set->region)) {
            deck_note(d, card, "left out: the set has a section already, or no tets of its own");
            continue;
        }
        *has_section = true;
        EW_TRY(put_section(d, card, set->region));
    }
    EW_TRY(read_damping(d));
    for (int32_t r = 0; r < d->mesh.n_region; r++) {
        if (!any || d->mesh.region_label[r] == 0) {
            return ew_deck_fail(&d->deck, 0, 1,
                                "some tets have no *SOLID SECTION, hence no material");
        }
    }
    return ew_case_draft_status(d->draft);
}
