/* What supports and equations of a keyword deck prescribe together in a step. In: what *BOUNDARY
 * gave each node, equations. Out: prescribed components, displacements along directions, and where
 * equations tie free nodes to one another, those of the case. */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rest of an equation after known values are inserted. */
typedef struct reduced {
    int32_t node;        /* that has unknown components, -1: none */
    bool is_rotation;    /* they are of its rotation */
    bool is_several;     /* several nodes have; or amplitudes or axes differ */
    double direction[3]; /* factors of the unknown components */
    deck_value sum;      /* of what is known */
} reduced;

static deck_value *value_of(const deck_case *d, const deck_term *term)
{
    return term->component < 3 ? &d->fixed[3 * (size_t)term->node + (size_t)term->component]
                               : &d->rotation[3 * (size_t)term->node + (size_t)term->component - 3];
}

static void add_known(const deck_value *value, double factor, reduced *out)
{
    if (value->value == 0.0) {
        return;
    }
    out->is_several = out->is_several || (out->sum.has && out->sum.amplitude != value->amplitude);
    out->sum.value += factor * value->value;
    out->sum.amplitude = value->amplitude;
    out->sum.has = true;
}

static reduced reduce(const deck_case *d, const deck_equation *of)
{
    reduced out = {.node = -1, .sum = {.amplitude = -1}};
    for (int32_t i = of->first; i < of->first + of->n; i++) {
        const deck_term *term = &d->term[i];
        const bool is_rotation = term->component >= 3;
        if (term->factor == 0.0) {
            continue;
        }
        out.is_several = out.is_several || (of->is_global && d->axes[term->node] >= 0);
        if (value_of(d, term)->has) {
            add_known(value_of(d, term), term->factor, &out);
        } else {
            out.is_several =
                out.is_several ||
                (out.node >= 0 && (out.node != term->node || out.is_rotation != is_rotation));
            out.node = term->node;
            out.is_rotation = is_rotation;
            out.direction[term->component % 3] += term->factor;
        }
    }
    return out;
}

/* The component that alone is unknown; -1: there are more, or none. */
static int single_component(const reduced *of)
{
    int found = -1, n = 0;
    for (int c = 0; c < 3 && of->node >= 0 && !of->is_several; c++) {
        n += of->direction[c] != 0.0;
        found = of->direction[c] != 0.0 ? c : found;
    }
    return n == 1 ? found : -1;
}

/* Prescribes what single unknown components are left, over and over, as one may make another known.
 */
static void prescribe(deck_case *d)
{
    for (bool any = true; any;) {
        any = false;
        for (int32_t i = 0; i < d->n_equation; i++) {
            const reduced left = reduce(d, &d->equation[i]);
            const int c = d->equation[i].is_active ? single_component(&left) : -1;
            if (c >= 0) {
                const deck_term at = {left.node, left.is_rotation ? c + 3 : c, 1.0};
                *value_of(d, &at) = (deck_value){0.0 - left.sum.value / left.direction[c],
                                                 left.sum.amplitude, d->deck_step, true};
                any = true;
            }
        }
    }
}

/* ---- displacements along directions --------------------------------------------------------- */

/* One of a node; those with the same are one support. */
typedef struct oblique {
    double unit[3], value;
    int32_t amplitude, node;
} oblique;

static int compare(const void *a, const void *b)
{
    const oblique *x = a, *y = b;
    for (int c = 0; c < 3; c++) {
        if (x->unit[c] != y->unit[c]) {
            return x->unit[c] < y->unit[c] ? -1 : 1;
        }
    }
    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return x->amplitude != y->amplitude ? (x->amplitude < y->amplitude ? -1 : 1)
                                        : (x->node > y->node) - (x->node < y->node);
}

static bool is_same(const oblique *a, const oblique *b)
{
    return !memcmp(a->unit, b->unit, sizeof a->unit) && a->value == b->value &&
           a->amplitude == b->amplitude;
}

static ew_status make_oblique(deck_case *d, const deck_moment *at, const reduced *left,
                              oblique *out)
{
    const double *v = left->direction;
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const deck_value value = {0.0 - left->sum.value / length, left->sum.amplitude, d->deck_step,
                              true};
    out->node = left->node;
    for (int c = 0; c < 3; c++) {
        out->unit[c] = v[c] / length;
    }
    return deck_settle(d, at, &value, &out->value, &out->amplitude);
}

static ew_status put_oblique(deck_case *d, const oblique *list, int32_t n, ew_case_entry *to)
{
    const double *x = list->unit;
    double y[3] = {0.0, 0.0, 0.0};
    ew_list node = {0};
    const char *name;
    ew_status status = EW_OK;
    y[fabs(x[0]) < 0.6 ? 0 : 1] = 1.0;
    for (int32_t i = 0; i < n && !status; i++) {
        status = ew_list_push(&node, list[i].node);
    }
    status = status ? status : deck_name_vertices(d, &node, "fixed", &name);
    ew_list_free(&node);
    EW_TRY(status);
    ew_case_entry *made = ew_case_add_mapping(to, NULL), *axes = ew_case_add_mapping(made, "axes");
    deck_put_group(made, "set", name, EW_GROUP_VERTICES);
    ew_case_add_components(made, "displacement", (const double[]){list->value, 0.0, 0.0}, 1);
    ew_case_add_numbers(axes, "x", x, 3);
    ew_case_add_numbers(axes, "y", y, 3);
    return deck_put_use(d, list->amplitude, made);
}

/* ---- free nodes ----------------------------------------------------------------------------- */

bool deck_takes_equations(const deck_case *d)
{
    bool in_steps = false, takes = true;
    for (int32_t i = 0; i < d->deck.n_card && takes; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        in_steps = in_steps || deck_is(d, card, "STEP");
        takes = !in_steps || !deck_is(d, card, "EQUATION") ||
                (!deck_has(d, card, "REMOVE", NULL) && !deck_has(d, card, "REMOVEALL", NULL));
    }
    return takes;
}

/* Whether it can be one of the case: of all steps, of displacements of nodes of tets along x, y and
 * z. */
static bool is_of_case(const deck_case *d, const deck_equation *of)
{
    bool fits = of->step <= 1;
    for (int32_t i = of->first; i < of->first + of->n && fits; i++) {
        const deck_term *term = &d->term[i];
        fits = term->factor == 0.0 ||
               (term->component < 3 && (d->slot[term->node] >= 0 || d->is_middle[term->node]) &&
                (of->is_global || d->axes[term->node] < 0));
    }
    return fits;
}

static void put_equation(deck_case *d, deck_equation *of)
{
    ew_case_entry *list = ew_case_add_list(ew_case_draft_root(d->draft), "equations");
    ew_case_entry *terms = ew_case_add_list(ew_case_add_mapping(list, NULL), "terms");
    for (int32_t i = of->first; i < of->first + of->n; i++) {
        const deck_term *term = &d->term[i];
        double factor[3] = {0.0, 0.0, 0.0};
        if (term->factor != 0.0) {
            ew_case_entry *made = ew_case_add_mapping(terms, NULL);
            factor[term->component] = term->factor;
            deck_put_node(d, term->node, "node", made);
            ew_case_add_numbers(made, "factor", factor, 3);
        }
    }
    of->is_put = true;
}

/* ---- a step -----------------------------------------------------------------------------------
 */

/* Notes equations of one card that no support stands for, where more are such than before. */
static void note_left(deck_case *d, int32_t card, int32_t n_left)
{
    for (int32_t i = 0; i < d->n_equation; i++) {
        deck_equation *of = &d->equation[i];
        if (of->card == card && n_left > of->n_noted) {
            if (i == 0 || d->equation[i - 1].card != card) {
                deck_note(
                    d, &d->deck.card[card],
                    "%d of its equations are left out: they tie nodes that are free; those of "
                    "a case hold in all steps, for nodes of tets, along x, y and z",
                    (int)n_left);
            }
            of->n_noted = n_left;
        }
    }
}

/* Whether a rotation that is not 0 is put into an equation of a rigid motion. */
static bool is_rotated(const deck_case *d, const deck_equation *of)
{
    bool any = false;
    for (int32_t i = of->first + 2; i < of->first + of->n && of->is_global; i++) {
        const deck_value *value = value_of(d, &d->term[i]);
        any = any || (d->term[i].factor != 0.0 && value->has && value->value != 0.0);
    }
    return any;
}

static void note_rotation(deck_case *d, const deck_equation *of)
{
    if ((of->is_active || !d->is_nonlinear) && !d->is_rotation_noted && is_rotated(d, of)) {
        deck_note(d, &d->deck.card[of->card],
                  "rotations are taken as small: nodes move along the tangent; with 0.1 rad they "
                  "leave the circle by half a percent of its radius");
        d->is_rotation_noted = true;
    }
}

/* Equations of which unknown components are left; *n of them are displacements along a direction,
 * others become those of the case. */
static ew_status gather(deck_case *d, const deck_moment *at, oblique *list, int32_t *n)
{
    const bool takes = deck_takes_equations(d);
    int32_t n_left = 0;
    for (int32_t i = 0; i < d->n_equation; i++) {
        deck_equation *of = &d->equation[i];
        const reduced left = reduce(d, of);
        note_rotation(d, of);
        const bool is_direction = left.node >= 0 && !left.is_several && !left.is_rotation &&
                                  d->slot[left.node] >= 0 && d->axes[left.node] < 0;
        if (of->is_active && is_direction) {
            EW_TRY(make_oblique(d, at, &left, &list[*n]));
            (*n)++;
        } else if (of->is_active && !of->is_put && (left.node >= 0 || left.is_several)) {
            if (takes && left.node >= 0 && is_of_case(d, of)) {
                put_equation(d, of);
            } else {
                n_left++;
            }
        }
        if (i + 1 == d->n_equation || d->equation[i + 1].card != of->card) {
            note_left(d, of->card, n_left);
            n_left = 0;
        }
    }
    return EW_OK;
}

ew_status deck_put_equations(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    oblique *list;
    int32_t n = 0;
    prescribe(d);
    EW_TRY(ew_new(&list, (size_t)d->n_equation, sizeof *list));
    ew_status status = gather(d, at, list, &n);
    if (n) {
        qsort(list, (size_t)n, sizeof *list, compare);
    }
    for (int32_t i = 0, count; i < n && !status; i += count) {
        for (count = 1; i + count < n && is_same(&list[i], &list[i + count]); count++) {
        }
        status = put_oblique(d, &list[i], count, to);
    }
    ew_release(list);
    return status;
}
