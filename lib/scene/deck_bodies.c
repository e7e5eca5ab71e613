/* Loads of mass of a keyword deck. In: lines of *DLOAD with GRAV and CENTRIF, each of a set of
 * elements. Out: loads of a case, which act on all mass: of a set that is all of it, or of several
 * that together are, with the same load. */
#include "scene/deck.h"

#include <math.h>
#include <string.h>

static bool is_same_axis(const deck_body *a, const deck_body *b)
{
    return !memcmp(a->place, b->place, sizeof a->place) &&
           !memcmp(a->direction, b->direction, sizeof a->direction);
}

/* As CalculiX does: gravity along one direction in one step adds up, and a set turns about one
 * axis. */
static ew_status add(deck_case *d, const deck_body *body, double value, int32_t amplitude)
{
    int32_t i = 0;
    while (i < d->n_body &&
           (d->body[i].is_centrifugal != body->is_centrifugal || d->body[i].set != body->set ||
            (!body->is_centrifugal && !is_same_axis(&d->body[i], body)))) {
        i++;
    }
    EW_TRY(ew_grow(&d->body, &d->body_capacity, (int64_t)d->n_body + 1, sizeof *d->body));
    deck_body *to = &d->body[i];
    if (i == d->n_body) {
        d->n_body++;
        *to = *body;
    } else if (!is_same_axis(to, body) && to->value.has && to->value.step == d->deck_step) {
        deck_note(d, &d->deck.card[body->card],
                  "line %d turns about another axis what turns already; left out", (int)body->line);
        return EW_OK;
    }
    const deck_value before = to->value;
    *to = *body;
    to->value = before;
    deck_add_value(d, &to->value, value, amplitude);
    return EW_OK;
}

ew_status deck_read_body(deck_case *d, const ew_deck_card *card, const deck_line *line, int32_t set,
                         int32_t amplitude)
{
    const bool centrifugal = ew_deck_is(&line->field[1], "CENTRIF");
    deck_body body = {.is_centrifugal = centrifugal,
                      .set = set,
                      .card = (int32_t)(card - d->deck.card),
                      .line = (int32_t)line->field[0].line};
    double value;
    EW_TRY(deck_number(d, line, 2, "its size", 0.0, &value));
    for (int c = 0; c < 3; c++) {
        if (centrifugal) {
            EW_TRY(deck_number(d, line, 3 + c, "a component", 0.0, &body.place[c]));
        }
        EW_TRY(deck_number(d, line, (centrifugal ? 6 : 3) + c, "a component", 0.0,
                           &body.direction[c]));
    }
    const double *v = body.direction;
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        return ew_deck_fail(&d->deck, line->field[0].file, line->field[0].line,
                            "*DLOAD: %s needs a direction", centrifugal ? "CENTRIF" : "GRAV");
    }
    for (int c = 0; c < 3; c++) {
        body.direction[c] /= length;
    }
    return add(d, &body, value, amplitude);
}

/* ---- as loads of all mass -------------------------------------------------------------------- */

/* Marks the tets of a body; how many were not marked before. *twice: some were. */
static int32_t mark(const deck_case *d, const deck_body *body, uint8_t *marked, bool *twice)
{
    int32_t n = 0;
    for (int32_t i = 0; body->set >= 0 && i < d->deck.set[body->set].member.n; i++) {
        const ew_deck_element *at = &d->deck.element[d->deck.set[body->set].member.id[i]];
        if (at->kind == EW_DECK_TET) {
            *twice |= marked[at->index];
            n += !marked[at->index];
            marked[at->index] = 1;
        }
    }
    return n;
}

static ew_status put(deck_case *d, const deck_body *from, double value, int32_t amplitude,
                     words *to)
{
    if (from->is_centrifugal) { /* its size is the square of the speed */
        words_add(to, "      - {centrifugal: {axis: {point: ");
        words_add_vector(to, from->place, 3);
        words_add(to, ", direction: ");
        words_add_vector(to, from->direction, 3);
        words_add(to, "}, speed: ");
        words_add_number(to, sqrt(fabs(value)));
        words_add(to, "}");
    } else {
        double vector[3];
        for (int c = 0; c < 3; c++) {
            vector[c] = value * from->direction[c];
        }
        words_add(to, "      - {gravity: ");
        words_add_vector(to, vector, 3);
    }
    EW_TRY(deck_put_use(d, amplitude, to));
    words_add(to, "}\n");
    return EW_OK;
}

/* The load of one body, with those after it that are the same load of other tets. is_done and
 * marked: work, [n_body] and [n_tet]. */
static ew_status put_with_others(deck_case *d, const deck_moment *at, int32_t first, bool *is_done,
                                 uint8_t *marked, words *to)
{
    deck_body *body = &d->body[first];
    const int32_t n_tet = d->mesh.n_tet;
    double value, other;
    int32_t amplitude, of_other;
    bool twice = false;
    EW_TRY(deck_settle(d, at, &body->value, &value, &amplitude));
    memset(marked, 0, (size_t)n_tet);
    int32_t n = mark(d, body, marked, &twice);
    for (int32_t i = first + 1; i < d->n_body && n < n_tet && value != 0.0; i++) {
        const deck_body *next = &d->body[i];
        if (is_done[i] || !next->value.has || next->is_centrifugal != body->is_centrifugal ||
            !is_same_axis(next, body)) {
            continue;
        }
        EW_TRY(deck_settle(d, at, &next->value, &other, &of_other));
        if (other == value && of_other == amplitude) {
            is_done[i] = true;
            n += mark(d, next, marked, &twice);
        }
    }
    if (value == 0.0) {
        return EW_OK;
    }
    if (n == n_tet && !twice) {
        return put(d, body, value, amplitude, to);
    }
    if (!body->is_noted) {
        deck_note(d, &d->deck.card[body->card],
                  "line %d acts on a part of the body; here it acts on all mass, so it is left out",
                  (int)body->line);
    }
    body->is_noted = true;
    return EW_OK;
}

ew_status deck_put_bodies(deck_case *d, const deck_moment *at, words *to)
{
    uint8_t *marked = NULL;
    bool *is_done = NULL;
    ew_status status = EW_OK;
    if (d->n_body == 0) {
        return EW_OK;
    }
    EW_TRY_OUT(ew_new(&marked, (size_t)d->mesh.n_tet, sizeof *marked));
    EW_TRY_OUT(ew_new_zero(&is_done, (size_t)d->n_body, sizeof *is_done));
    for (int32_t i = 0; i < d->n_body; i++) {
        if (d->body[i].value.has && !is_done[i]) {
            EW_TRY_OUT(put_with_others(d, at, i, is_done, marked, to));
        }
    }
out:
    ew_release(marked);
    ew_release(is_done);
    return status;
}
