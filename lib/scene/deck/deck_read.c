/* Cards of a keyword deck, their parameters and data, and what is said of them. In: a deck. Out:
 * words, numbers and nodes; notes; failures with their lines. */
#include "scene/deck/deck.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what is said -------------------------------------------------------------------- */

void deck_note(deck_case *d, const ew_deck_card *card, const char *format, ...)
{
    char text[400], file[280] = "", line[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 127 ? ' ' : *at;
    }
    if (card->file) {
        snprintf(file, sizeof file, "'%.200s' ", d->deck.file[card->file].name);
    }
    snprintf(line, sizeof line, "%sline %d: *%.60s: %.300s\n", file, (int)card->line,
             ew_deck_name(&d->deck, card), text);
    if (d->notes.n && strstr(d->notes.text, line)) {
        return; /* of a part that is placed several times */
    }
    if (d->n_note++ < DECK_MAX_NOTES) {
        words_add(&d->notes, "%s", line);
    }
}

ew_status deck_fail(const deck_case *d, const ew_deck_card *card, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ew_deck_fail(&d->deck, card->file, card->line, "*%.60s: %s",
                        ew_deck_name(&d->deck, card), text);
}

/* ---- cards ------------------------------------------------------------------------------ */

bool deck_is(const deck_case *d, const ew_deck_card *card, const char *name)
{
    return !strcmp(ew_deck_name(&d->deck, card), name);
}

static bool is_same(const char *a, const char *b)
{
    const ew_deck_field field = {.text = a, .size = (int32_t)strlen(a)};
    return ew_deck_is(&field, b);
}

bool deck_has(const deck_case *d, const ew_deck_card *card, const char *key, const char *value)
{
    const char *found = ew_deck_parameter(&d->deck, card, key);
    return found && (!value || is_same(found, value));
}

int32_t deck_find_card(const deck_case *d, int32_t scope, const char *card, const char *name)
{
    size_t size = strlen(name);
    int32_t found = -1;
    scope = ew_deck_enter_scope(&d->deck, scope, &name, &size);
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *at = &d->deck.card[i];
        if (deck_is(d, at, card) && deck_has(d, at, "NAME", name)) {
            if (at->scope == scope) {
                return i;
            }
            found = found < 0 && (!at->scope || d->deck.n_instance == 1) ? i : found;
        }
    }
    return found;
}

bool deck_next_line(ew_deck_cursor *cursor, ew_deck_field *next, bool *has_next, deck_line *line)
{
    line->n = 0;
    if (!*has_next) {
        *has_next = ew_deck_next(cursor, next);
    }
    if (!*has_next) {
        return false;
    }
    do {
        if (line->n < DECK_FIELDS) {
            line->field[line->n++] = *next;
        }
        *has_next = ew_deck_next(cursor, next);
    } while (*has_next && !next->begins);
    return true;
}

ew_status deck_number(const deck_case *d, const deck_line *line, int32_t at, const char *what,
                      double preset, double *value)
{
    *value = preset;
    return at < line->n && line->field[at].size
               ? ew_deck_real(&d->deck, &line->field[at], what, value)
               : EW_OK;
}

ew_status deck_numbers(const deck_case *d, const ew_deck_card *card, int32_t max, double *value,
                       int32_t *n)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field field;
    *n = 0;
    while (*n < max && ew_deck_next(&c, &field)) {
        value[*n] = 0.0;
        EW_TRY(field.size ? ew_deck_real(&d->deck, &field, "a number", &value[*n]) : EW_OK);
        (*n)++;
    }
    return EW_OK;
}

ew_status deck_nodes(deck_case *d, const ew_deck_card *card, const ew_deck_field *of, ew_list *node)
{
    ew_deck_field inner = *of, *field = &inner;
    const int32_t scope = ew_deck_enter_field(&d->deck, card->scope, field);
    int64_t number;
    if (ew_deck_is_number(field)) {
        EW_TRY(ew_deck_int(&d->deck, field, "a node", &number));
        const int32_t row = ew_deck_find_node(&d->deck, scope, number);
        return row >= 0
                   ? ew_list_push(node, row)
                   : ew_deck_fail(&d->deck, field->file, field->line, "*%s: there is no node %lld",
                                  ew_deck_name(&d->deck, card), (long long)number);
    }
    const ew_deck_set *set =
        ew_deck_find_set(&d->deck, scope, false, field->text, (size_t)field->size);
    if (!set) {
        return ew_deck_fail(&d->deck, field->file, field->line, "*%s: there is no NSET '%.*s'",
                            ew_deck_name(&d->deck, card), field->size < 80 ? (int)field->size : 80,
                            field->text);
    }
    for (int32_t i = 0; i < set->member.n; i++) {
        EW_TRY(ew_list_push(node, set->member.id[i]));
    }
    return EW_OK;
}
