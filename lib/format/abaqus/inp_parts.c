/* Parts and instances of a keyword deck. In: cards. Out: cards as they stand without parts: those
 * of a part once for each of its instances, in its place, with a scope of their own for names and
 * numbers; how each instance is shifted and turned. */
#include "format/abaqus/inp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INSTANCES = 10000, MAX_PLACED = 1000000 };

typedef struct placing {
    ew_deck *deck;
    const ew_deck_card *from; /* [n] as they were read */
    int32_t n;
    bool *is_placed; /* [n] owned: of *PART cards */
} placing;

static bool is_card(const placing *p, int32_t i, const char *name)
{
    return !strcmp(ew_deck_name(p->deck, &p->from[i]), name);
}

static bool is_word(const char *text, const char *word)
{
    const ew_deck_field field = {.text = text, .size = (int32_t)strlen(text)};
    return ew_deck_is(&field, word);
}

static ew_status fail(const placing *p, int32_t i, const char *what)
{
    return ew_deck_fail(p->deck, p->from[i].file, p->from[i].line, "*%s %s",
                        ew_deck_name(p->deck, &p->from[i]), what);
}

/* The card that ends what begins at i. */
static ew_status find_end(const placing *p, int32_t i, const char *name, int32_t *end)
{
    *end = i + 1;
    while (*end < p->n && !is_card(p, *end, name)) {
        (*end)++;
    }
    return *end < p->n ? EW_OK : fail(p, i, "has no end");
}

/* ---- places -------------------------------------------------------------------------------- */

/* By the angle in degrees about the axis from a to b (Rodrigues). */
static void turn(ew_deck_instance *to, const double a[3], const double axis[3], double angle)
{
    const double c = cos(angle * acos(-1.0) / 180.0), s = sin(angle * acos(-1.0) / 180.0);
    double arm[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double sign = (k + 1) % 3 == i ? -1.0 : 1.0; /* of the cross product's matrix */
            to->turn[i][k] =
                (1.0 - c) * axis[i] * axis[k] + (i == k ? c : -sign * s * axis[3 - i - k]);
        }
        arm[i] = to->shift[i] - a[i];
    }
    for (int i = 0; i < 3; i++) {
        to->shift[i] =
            a[i] + to->turn[i][0] * arm[0] + to->turn[i][1] * arm[1] + to->turn[i][2] * arm[2];
    }
}

/* A line with a shift, a line with two points and an angle. */
static ew_status read_place(const placing *p, int32_t i, ew_deck_instance *to)
{
    ew_deck_cursor c = ew_deck_data(p->deck, &p->from[i]);
    ew_deck_field field;
    double v[10] = {0.0}, axis[3], length = 0.0;
    int32_t n = 0, line = 0;
    while (ew_deck_next(&c, &field)) {
        line += field.begins;
        n = field.begins ? (line == 1 ? 0 : 3) : n;
        if (line > 2 || n >= (line == 1 ? 3 : 10)) {
            return ew_deck_fail(p->deck, field.file, field.line,
                                "*INSTANCE: a shift, and in a second line two points and an angle");
        }
        EW_TRY(field.size ? ew_deck_real(p->deck, &field, "a number", &v[n]) : EW_OK);
        n++;
    }
    memcpy(to->shift, v, sizeof to->shift);
    for (int k = 0; k < 3; k++) {
        axis[k] = v[6 + k] - v[3 + k];
        length += axis[k] * axis[k];
    }
    if (line < 2 || v[9] == 0.0) {
        return EW_OK;
    }
    if (!(length > 0.0)) {
        return fail(p, i, "is turned about an axis whose points are one");
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= sqrt(length);
    }
    turn(to, v + 3, axis, v[9]);
    return EW_OK;
}

/* ---- cards --------------------------------------------------------------------------------- */

static ew_status push(placing *p, int32_t i, int32_t scope, bool is_repeated)
{
    ew_deck *deck = p->deck;
    if (deck->n_card >= MAX_PLACED) {
        return ew_fail(EW_LIMIT, "a deck whose instances have more than %d cards", MAX_PLACED);
    }
    EW_TRY(
        ew_grow(&deck->card, &deck->card_capacity, (int64_t)deck->n_card + 1, sizeof *deck->card));
    ew_deck_card *to = &deck->card[deck->n_card++];
    *to = p->from[i];
    to->scope = scope;
    to->is_repeated = is_repeated;
    return EW_OK;
}

/* The cards within the part that an instance names. */
static ew_status push_part(placing *p, int32_t instance, const char *name, int32_t scope)
{
    for (int32_t i = 0; i < p->n; i++) {
        const char *of =
            is_card(p, i, "PART") ? ew_deck_parameter(p->deck, &p->from[i], "NAME") : NULL;
        if (of && is_word(of, name)) {
            int32_t end;
            EW_TRY(find_end(p, i, "ENDPART", &end));
            for (int32_t k = i + 1; k < end; k++) {
                EW_TRY(push(p, k, scope, p->is_placed[i]));
            }
            p->is_placed[i] = true;
            return EW_OK;
        }
    }
    return ew_deck_fail(p->deck, p->from[instance].file, p->from[instance].line,
                        "*INSTANCE: there is no *PART, NAME=%.80s", name);
}

static ew_status place(placing *p, int32_t i, int32_t *end)
{
    ew_deck *deck = p->deck;
    const char *name = ew_deck_parameter(deck, &p->from[i], "NAME");
    const char *part = ew_deck_parameter(deck, &p->from[i], "PART");
    const int32_t scope = deck->n_instance + 1;
    if (!name || !*name) {
        return fail(p, i, "needs NAME=");
    }
    if (scope > MAX_INSTANCES) {
        return ew_fail(EW_LIMIT, "a deck of more than %d instances", MAX_INSTANCES);
    }
    EW_TRY(
        ew_grow(&deck->instance, &deck->instance_capacity, (int64_t)scope, sizeof *deck->instance));
    ew_deck_instance *to = &deck->instance[scope - 1];
    *to = (ew_deck_instance){.name = (int32_t)(name - deck->word),
                             .turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    EW_TRY(read_place(p, i, to));
    deck->n_instance++;
    EW_TRY(push(p, i, 0, false));
    EW_TRY(part ? push_part(p, i, part, scope) : EW_OK);
    EW_TRY(find_end(p, i, "ENDINSTANCE", end));
    for (int32_t k = i + 1; k < *end; k++) {
        EW_TRY(push(p, k, scope, false));
    }
    return EW_OK;
}

static ew_status place_all(placing *p, bool has_instance)
{
    int32_t n_part = 0;
    for (int32_t i = 0; i < p->n; i++) {
        const bool is_part = is_card(p, i, "PART");
        n_part += is_part;
        if (n_part > 1 && !has_instance) {
            return fail(p, i, "is a second one, without an *INSTANCE that places it");
        }
        if (is_card(p, i, "INSTANCE")) {
            EW_TRY(place(p, i, &i));
        } else if (is_part && has_instance) {
            EW_TRY(find_end(p, i, "ENDPART", &i));
        } else {
            EW_TRY(push(p, i, 0, false));
        }
    }
    return EW_OK;
}

ew_status ew_inp_place_parts(ew_deck *deck)
{
    placing p = {.deck = deck, .from = deck->card, .n = deck->n_card};
    bool any = false, has_instance = false;
    for (int32_t i = 0; i < p.n; i++) {
        has_instance = has_instance || is_card(&p, i, "INSTANCE");
        any = any || has_instance || is_card(&p, i, "PART");
    }
    if (!any) {
        return EW_OK;
    }
    ew_deck_card *const own = deck->card;
    EW_TRY(ew_new_zero(&p.is_placed, (size_t)p.n, sizeof *p.is_placed));
    deck->card = NULL;
    deck->n_card = deck->card_capacity = 0;
    const ew_status status = place_all(&p, has_instance);
    ew_release(own);
    ew_release(p.is_placed);
    return status;
}

/* ---- names and places in a scope ------------------------------------------------------------ */

int32_t ew_deck_enter_scope(const ew_deck *deck, int32_t scope, const char **text, size_t *size)
{
    const char *dot = scope ? NULL : memchr(*text, '.', *size);
    for (int32_t i = 0; dot && i < deck->n_instance; i++) {
        const ew_deck_field begin = {.text = *text, .size = (int32_t)(dot - *text)};
        if (ew_deck_is(&begin, deck->word + deck->instance[i].name)) {
            *size -= (size_t)(dot + 1 - *text);
            *text = dot + 1;
            return i + 1;
        }
    }
    return scope;
}

int32_t ew_deck_enter_field(const ew_deck *deck, int32_t scope, ew_deck_field *field)
{
    size_t size = (size_t)field->size;
    scope = ew_deck_enter_scope(deck, scope, &field->text, &size);
    field->size = (int32_t)size;
    return scope;
}

void ew_deck_full_name(const ew_deck *deck, int32_t scope, const char *name, size_t size,
                       char *full)
{
    if (scope && deck->n_instance > 1) {
        snprintf(full, size, "%s.%s", deck->word + deck->instance[scope - 1].name, name);
    } else {
        snprintf(full, size, "%s", name);
    }
}

void ew_deck_place(const ew_deck *deck, int32_t scope, bool is_point, double x[3])
{
    if (!scope) {
        return;
    }
    const ew_deck_instance *at = &deck->instance[scope - 1];
    const double from[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++) {
        x[i] = at->turn[i][0] * from[0] + at->turn[i][1] * from[1] + at->turn[i][2] * from[2] +
               (is_point ? at->shift[i] : 0.0);
    }
}
