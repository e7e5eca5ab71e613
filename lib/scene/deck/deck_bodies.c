/* Loads of mass of a keyword deck. In: lines of *DLOAD with GRAV and CENTRIF, each of a set of
 * elements. Out: loads of a case, which act on all mass: of a set that is all of it, or of several
 * that together are, with the same load. */
#include "scene/deck/deck.h"

#include <math.h>
#include <string.h>

static bool is_same_axis(const deck_body *a, const deck_body *b)
{
    return !memcmp(a->place, b->place, sizeof a->place) &&
           !memcmp(a->direction, b->direction, sizeof a->direction);
}

static void note_part(deck_case *d, const deck_body *body)
{
    deck_note(d, &d->deck.card[body->card],
              "line %d acts on a part of the body; here it acts on all mass, so it is left out",
              (int)body->line);
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
    if (set < 0) { /* one element */
        note_part(d, &body);
        return EW_OK;
    }
    return add(d, &body, value, amplitude);
}

/* ---- as loads of all mass -------------------------------------------------------------------- */

/* Marks the tets of a body and returns how many they are; 0, and marks none, where one is marked
 * already. */
static int32_t mark(const deck_case *d, const deck_body *body, uint8_t *marked)
{
    const ew_list *member = &d->deck.set[body->set].member;
    int32_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < member->n; i++) {
            const ew_deck_element *at = &d->deck.element[member->id[i]];
            if (at->kind == EW_DECK_TET && pass == 0 && marked[at->index]) {
                return 0;
            }
            if (at->kind == EW_DECK_TET && pass == 1) {
                n += !marked[at->index];
                marked[at->index] = 1;
            }
        }
    }
    return n;
}

static ew_status put_load(deck_case *d, const deck_body *from, double value, int32_t amplitude,
                          ew_case_entry *to)
{
    ew_case_entry *load = ew_case_add_mapping(to, NULL);
    if (from->is_centrifugal) { /* its size is the square of the speed */
        ew_case_entry *turning = ew_case_add_mapping(load, "centrifugal");
        ew_case_entry *axis = ew_case_add_mapping(turning, "axis");
        ew_case_add_numbers(axis, "point", from->place, 3);
        ew_case_add_numbers(axis, "direction", from->direction, 3);
        ew_case_add_number(turning, "speed", sqrt(fabs(value)));
    } else {
        double vector[3];
        for (int c = 0; c < 3; c++) {
            vector[c] = value * from->direction[c];
        }
        ew_case_add_numbers(load, "gravity", vector, 3);
    }
    return deck_put_use(d, amplitude, load);
}

/* ---- which of them are all mass ---- */

/* Work of one step. */
typedef struct body_work {
    uint8_t *marked; /* [n_tet] owned */
    uint8_t *state;  /* [n_body] owned */
} body_work;
enum { OPEN, DONE, TRIED };

static bool is_same_load(const deck_body *a, const deck_body *b)
{
    return a->is_centrifugal == b->is_centrifugal && is_same_axis(a, b) &&
           a->value.value == b->value.value && a->value.amplitude == b->value.amplitude;
}

/* Puts the load of a body whose tets are all there are, or are that with those of bodies after it
 * that have the same load and no tet in common. */
static ew_status put_if_whole(deck_case *d, const deck_moment *at, int32_t first, bool with_others,
                              body_work *work, ew_case_entry *to)
{
    const deck_body *body = &d->body[first];
    double value;
    int32_t amplitude;
    memset(work->marked, 0, (size_t)d->mesh.n_tet);
    int32_t n = mark(d, body, work->marked);
    for (int32_t i = first + 1; i < d->n_body && with_others; i++) {
        if (work->state[i] == OPEN && is_same_load(body, &d->body[i])) {
            const int32_t more = mark(d, &d->body[i], work->marked);
            work->state[i] = more ? TRIED : OPEN;
            n += more;
        }
    }
    const bool whole = n == d->mesh.n_tet;
    for (int32_t i = first; i < d->n_body; i++) {
        const bool of_it = i == first || work->state[i] == TRIED;
        work->state[i] = !of_it ? work->state[i] : whole ? DONE : OPEN;
    }
    EW_TRY(deck_settle(d, at, &body->value, &value, &amplitude));
    return whole ? put_load(d, body, value, amplitude, to) : EW_OK;
}

static ew_status put_bodies(deck_case *d, const deck_moment *at, body_work *work, ew_case_entry *to)
{
    for (int32_t i = 0; i < d->n_body; i++) {
        double value;
        int32_t amplitude;
        EW_TRY(deck_settle(d, at, &d->body[i].value, &value, &amplitude));
        work->state[i] = d->body[i].value.has && value != 0.0 ? OPEN : DONE;
    }
    for (int with_others = 0; with_others < 2; with_others++) {
        for (int32_t i = 0; i < d->n_body; i++) {
            if (work->state[i] == OPEN) {
                EW_TRY(put_if_whole(d, at, i, with_others != 0, work, to));
            }
        }
    }
    for (int32_t i = 0; i < d->n_body; i++) {
        if (work->state[i] == OPEN && !d->body[i].is_noted) {
            note_part(d, &d->body[i]);
            d->body[i].is_noted = true;
        }
    }
    return EW_OK;
}

ew_status deck_put_bodies(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    body_work work = {NULL, NULL};
    if (d->n_body == 0) {
        return EW_OK;
    }
    ew_status status = ew_new(&work.marked, (size_t)d->mesh.n_tet, sizeof *work.marked);
    status = status ? status : ew_new(&work.state, (size_t)d->n_body, sizeof *work.state);
    status = status ? status : put_bodies(d, at, &work, to);
    ew_release(work.marked);
    ew_release(work.state);
    return status;
}
