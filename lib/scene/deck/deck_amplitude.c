/* Amplitudes of a keyword deck. In: *AMPLITUDE cards. Out: the factor at the end of a static step;
 * tables of a case, on its own axis of time, which runs in dynamic steps alone. */
#include "scene/deck/deck.h"

#include <math.h>
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
    return other || deck_has(d, card, "USER", NULL)
               ? deck_fail(d, card, "is not a plain table, which alone is read")
               : EW_OK;
}

/* SHIFTX and SHIFTY are added to times and values. */
static ew_status shift_table(const deck_case *d, const ew_deck_card *card, double *value, int32_t n)
{
    static const char *const keys[2] = {"SHIFTX", "SHIFTY"};
    for (int k = 0; k < 2; k++) {
        const char *text = ew_deck_parameter(&d->deck, card, keys[k]);
        double shift = 0.0;
        if (text) {
            const ew_deck_field field = {text, (int32_t)strlen(text), card->file, card->line, 0, 0};
            EW_TRY(ew_deck_real(&d->deck, &field, keys[k], &shift));
        }
        for (int32_t i = k; i < n && text; i += 2) {
            value[i] += shift;
        }
    }
    return EW_OK;
}

/* Checked and shifted; *value is owned by the caller. */
static ew_status read_amplitude(const deck_case *d, const ew_deck_card *card, double **value,
                                int32_t *n)
{
    EW_TRY(check(d, card));
    EW_TRY(read_table(d, card, value, n));
    const ew_status status = shift_table(d, card, *value, *n);
    if (status) {
        ew_release(*value);
    }
    return status;
}

ew_status deck_factor(deck_case *d, int32_t amplitude, const deck_moment *at, double *factor)
{
    const ew_deck_card *card = &d->deck.card[amplitude];
    const double time = at->period + (is_total(d, card) ? d->total_time : 0.0);
    double *v;
    int32_t n;
    EW_TRY(read_amplitude(d, card, &v, &n));
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

/* ---- from step to step ----------------------------------------------------------------- */

typedef struct factors {
    const deck_moment *end; /* of a step */
    double *of;             /* [deck.n_card] owned: of amplitudes, NaN: not looked for yet */
} factors;

/* Notes that a static step goes straight to the end of the table, where a body flows. */
static ew_status note_path(deck_case *d, int32_t amplitude, const deck_moment *end)
{
    const ew_deck_card *card = &d->deck.card[amplitude];
    const double begin = is_total(d, card) ? d->total_time : 0.0;
    bool has_point = false;
    double *v;
    int32_t n;
    if (end->is_dynamic || !d->is_plastic || d->is_path_noted) {
        return EW_OK;
    }
    EW_TRY(read_amplitude(d, card, &v, &n));
    for (int32_t i = 0; i < n; i += 2) {
        has_point = has_point || (v[i] > begin && v[i] < begin + end->period);
    }
    ew_release(v);
    if (has_point) {
        deck_note(d, card,
                  "in static steps loads go straight to its value at the end of the step; in "
                  "CalculiX a body that flows follows its points within the step");
        d->is_path_noted = true;
    }
    return EW_OK;
}

static ew_status hold(deck_case *d, const factors *at, deck_value *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int32_t amplitude = list[i].has ? list[i].amplitude : -1;
        if (amplitude < 0) {
            continue;
        }
        if (isnan(at->of[amplitude])) {
            EW_TRY(deck_factor(d, amplitude, at->end, &at->of[amplitude]));
            EW_TRY(note_path(d, amplitude, at->end));
        }
        if (!is_total(d, &d->deck.card[amplitude])) {
            list[i].value *= at->of[amplitude];
            list[i].amplitude = -1;
        }
    }
    return EW_OK;
}

ew_status deck_hold_values(deck_case *d, const deck_moment *end)
{
    const size_t n = (size_t)d->deck.n_node;
    factors at = {end, NULL};
    EW_TRY(ew_new(&at.of, (size_t)d->deck.n_card, sizeof *at.of));
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        at.of[i] = NAN;
    }
    ew_status status = hold(d, &at, d->fixed, 3 * n);
    status = status ? status : hold(d, &at, d->rotation, d->rotation ? 3 * n : 0);
    status = status ? status : hold(d, &at, d->force, 3 * n);
    status = status ? status : hold(d, &at, d->pressure, 4 * (size_t)d->mesh.n_tet);
    for (int32_t i = 0; i < d->n_body && !status; i++) {
        status = hold(d, &at, &d->body[i].value, 1);
    }
    ew_release(at.of);
    return status;
}

void deck_note_temperatures(deck_case *d)
{
    for (int32_t i = 0; i < d->deck.n_node && !d->is_heat_noted; i++) {
        const deck_value *at = &d->temperature[i];
        if (at->has && at->amplitude >= 0 && at->step < d->deck_step &&
            !is_total(d, &d->deck.card[at->amplitude])) {
            deck_note(d, &d->deck.card[at->amplitude],
                      "in step time, temperatures of steps before begin it again, as in CalculiX; "
                      "in Abaqus they keep the value that they reached");
            d->is_heat_noted = true;
        }
    }
}

/* Times of a table are those of the deck's step, or of all; they become the case's. */
static ew_status put_amplitude(deck_case *d, int32_t amplitude, ew_case_entry *to)
{
    const ew_deck_card *card = &d->deck.card[amplitude];
    const double shift = d->start - (is_total(d, card) ? d->total_time : 0.0);
    const char *name = ew_deck_parameter(&d->deck, card, "NAME");
    char own[120];
    double *v;
    int32_t n;
    snprintf(own, sizeof own, shift != 0.0 ? "%.80s in step %d" : "%.80s", name, d->n_step);
    ew_case_add_text(to, "amplitude", own);
    ew_case_entry *all = ew_case_add_mapping(ew_case_draft_root(d->draft), "amplitudes");
    if (ew_case_find_entry(all, own)) {
        return EW_OK;
    }
    EW_TRY(read_amplitude(d, card, &v, &n));
    ew_case_entry *table = ew_case_add_list(ew_case_add_mapping(all, own), "table");
    for (int32_t i = 0; i < n; i += 2) {
        ew_case_add_numbers(table, NULL, (const double[]){v[i] + shift, v[i + 1]}, 2);
    }
    ew_release(v);
    return EW_OK;
}

/* ---- values that have one --------------------------------------------------------------- */

void deck_add_value(const deck_case *d, deck_value *to, double value, int32_t amplitude)
{
    const bool again = to->has && to->step == d->deck_step;
    *to = (deck_value){again ? to->value + value : value, amplitude, d->deck_step, true};
}

ew_status deck_settle(deck_case *d, const deck_moment *at, const deck_value *from, double *value,
                      int32_t *amplitude)
{
    double factor = 1.0;
    if (!at->is_dynamic && from->amplitude >= 0) {
        EW_TRY(deck_factor(d, from->amplitude, at, &factor));
    }
    *value = from->value * factor;
    *amplitude = at->is_dynamic ? from->amplitude : -1;
    return EW_OK;
}

ew_status deck_put_use(deck_case *d, int32_t amplitude, ew_case_entry *to)
{
    return amplitude >= 0 ? put_amplitude(d, amplitude, to) : EW_OK;
}
