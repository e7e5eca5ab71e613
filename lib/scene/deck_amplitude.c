/* Amplitudes of a keyword deck. In: *AMPLITUDE cards. Out: the factor at the end of a static step;
 * tables of a case, on its own axis of time, which runs in dynamic steps alone. */
#include "scene/deck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times and values in turn; *value is owned by the caller. */
static ew_status read_table(const deck_case *d, const ew_deck_card *card, double **value,
                            int32_t *n)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field field;
    int32_t capacity = 0;
    ew_status status = EW_OK;
    *value = NULL;
    *n = 0;
    while (!status && ew_deck_next(&c, &field)) {
        if (field.size) {
            status = ew_grow(value, &capacity, (int64_t)*n + 1, sizeof **value);
            status =
                status ? status : ew_deck_real(&d->deck, &field, "a time or value", &(*value)[*n]);
            (*n)++;
        }
    }
    if (!status && (*n < 2 || *n % 2)) {
        status = deck_fail(d, card, "needs times and values in turn");
    }
    for (int32_t i = 2; i < *n && !status; i += 2) {
        if (!((*value)[i] >= (*value)[i - 2])) {
            status = deck_fail(d, card, "its times do not ascend");
        }
    }
    if (status) {
        ew_release(*value);
        *value = NULL;
    }
    return status;
}

static bool is_total(const deck_case *d, const ew_deck_card *card)
{
    return deck_has(d, card, "TIME", "TOTAL TIME") || deck_has(d, card, "TIME", "TOTALTIME");
}

static ew_status check(const deck_case *d, const ew_deck_card *card)
{
    const bool other =
        deck_has(d, card, "DEFINITION", NULL) && !deck_has(d, card, "DEFINITION", "TABULAR");
    return other || deck_has(d, card, "USER", NULL) || deck_has(d, card, "SHIFTX", NULL) ||
                   deck_has(d, card, "SHIFTY", NULL) || deck_has(d, card, "INPUT", NULL)
               ? deck_fail(d, card, "is not a plain table, which alone is read")
               : EW_OK;
}

ew_status deck_factor(deck_case *d, int32_t amplitude, const deck_moment *at, double *factor)
{
    const ew_deck_card *card = &d->deck.card[amplitude];
    const double time = at->period + (is_total(d, card) ? d->total_time : 0.0);
    double *v;
    int32_t n;
    EW_TRY(check(d, card));
    EW_TRY(read_table(d, card, &v, &n));
    int32_t i = 2;
    while (i < n && v[i] < time) {
        i += 2;
    }
    if (time <= v[0]) {
        *factor = v[1];
    } else if (i >= n) {
        *factor = v[n - 1];
    } else {
        const double share = v[i] > v[i - 2] ? (time - v[i - 2]) / (v[i] - v[i - 2]) : 1.0;
        *factor = v[i - 1] + share * (v[i + 1] - v[i - 1]);
    }
    ew_release(v);
    return EW_OK;
}

/* Times of a table are those of the deck's step, or of all; they become the case's. */
ew_status deck_put_amplitude(deck_case *d, int32_t amplitude, words *to)
{
    const ew_deck_card *card = &d->deck.card[amplitude];
    const double shift = d->start - (is_total(d, card) ? d->total_time : 0.0);
    const char *name = ew_deck_parameter(&d->deck, card, "NAME");
    char own[120], line[160];
    double *v;
    int32_t n;
    snprintf(own, sizeof own, shift != 0.0 ? "%.80s in step %d" : "%.80s", name, d->n_step);
    words_add_quoted(to, own);
    words quoted = {0};
    words_add(&quoted, "  ");
    words_add_quoted(&quoted, own);
    words_add(&quoted, ": {table: [");
    snprintf(line, sizeof line, "%s", quoted.text ? quoted.text : "");
    ew_release(quoted.text);
    if (d->amplitudes.n && strstr(d->amplitudes.text, line)) {
        return EW_OK; /* names have no ends of lines, so that this is the begin of one */
    }
    EW_TRY(check(d, card));
    EW_TRY(read_table(d, card, &v, &n));
    words_add(&d->amplitudes, "%s", line);
    for (int32_t i = 0; i < n; i += 2) {
        const double point[2] = {v[i] + shift, v[i + 1]};
        words_add(&d->amplitudes, i ? ", " : "");
        words_add_vector(&d->amplitudes, point, 2);
    }
    words_add(&d->amplitudes, "]}\n");
    ew_release(v);
    return d->amplitudes.status;
}
