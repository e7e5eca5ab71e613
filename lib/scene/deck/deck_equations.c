/* Linear equations between displacements of a keyword deck: *EQUATION, *COUPLING, *RIGID BODY,
 * *DISTRIBUTING COUPLING, *MPC of types TIE and PIN. In: the cards. Out, in each step: what they
 * prescribe together with *BOUNDARY. Known components are put into the equations; one with a single
 * unknown component left prescribes it, one with unknown components of a single vertex prescribes
 * the displacement along a direction. Equations that tie free nodes of tets to one another are
 * those of the case (deck_prescribed.c). */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- equations ---------------------------------------------------------------------------- */

static ew_status begin_equation(deck_case *d, const ew_deck_card *card, bool is_global)
{
    EW_TRY(ew_grow(&d->equation, &d->equation_capacity, (int64_t)d->n_equation + 1,
                   sizeof *d->equation));
    d->equation[d->n_equation++] = (deck_equation){.card = (int32_t)(card - d->deck.card),
                                                   .first = d->n_term,
                                                   .step = d->deck_step,
                                                   .is_global = is_global,
                                                   .is_active = true};
    return EW_OK;
}

/* To the last equation. */
static ew_status add_term(deck_case *d, int32_t node, int component, double factor)
{
    EW_TRY(ew_grow(&d->term, &d->term_capacity, (int64_t)d->n_term + 1, sizeof *d->term));
    d->term[d->n_term++] = (deck_term){node, component, factor};
    d->is_tied[node] = true;
    d->equation[d->n_equation - 1].n++;
    return EW_OK;
}

static ew_status read_component(const deck_case *d, const ew_deck_card *card, const deck_line *line,
                                int32_t at, int *component)
{
    double value;
    *component = 0;
    EW_TRY(deck_number(d, line, at, "a component", 0.0, &value));
    if (!(value >= 1.0) || value > 6.0 || value != floor(value)) {
        return deck_fail(d, card, "component %g in line %d; it may be 1 to 6", value,
                         (int)line->field[0].line);
    }
    *component = (int)value - 1;
    return EW_OK;
}

/* ---- *EQUATION ------------------------------------------------------------------------------ */

/* Terms of an equation as they are read: the first may be of a set, an equation for each node. */
typedef struct terms {
    ew_list first; /* owned */
    int32_t n;
    deck_term *term; /* [n] owned; the first without its node */
} terms;

static ew_status read_terms(deck_case *d, const ew_deck_card *card, ew_deck_cursor *c,
                            ew_deck_field *next, bool *has_next, int32_t n, terms *out)
{
    deck_line line = {.n = 0};
    EW_TRY(ew_new(&out->term, (size_t)n, sizeof *out->term));
    for (int32_t at = 0; out->n < n; at += 3, out->n++) {
        ew_list one = {0};
        if (at + 2 >= line.n) {
            if (!deck_next_line(c, next, has_next, &line) || line.n < 3) {
                return deck_fail(d, card, "an equation ends before its last term");
            }
            at = 0;
        }
        deck_term *to = &out->term[out->n];
        EW_TRY(read_component(d, card, &line, at + 1, &to->component));
        EW_TRY(deck_number(d, &line, at + 2, "a coefficient", 0.0, &to->factor));
        ew_status status = deck_nodes(d, card, &line.field[at], out->n ? &one : &out->first);
        if (!status && out->n && one.n != 1) {
            status = deck_fail(d, card, "only the first term of an equation may be of a set");
        }
        to->node = one.n ? one.id[0] : -1;
        ew_list_free(&one);
        EW_TRY(status);
    }
    return EW_OK;
}

static ew_status add_equations(deck_case *d, const ew_deck_card *card, const terms *from)
{
    for (int32_t i = 0; i < from->first.n; i++) {
        EW_TRY(begin_equation(d, card, false));
        for (int32_t k = 0; k < from->n; k++) {
            EW_TRY(add_term(d, k ? from->term[k].node : from->first.id[i], from->term[k].component,
                            from->term[k].factor));
        }
    }
    return EW_OK;
}

static ew_status read_equations(deck_case *d, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    while (deck_next_line(&c, &next, &has_next, &line)) {
        terms read = {.n = 0};
        double n;
        EW_TRY(deck_number(d, &line, 0, "a number of terms", 0.0, &n));
        if (!(n >= 1.0) || n > 1000.0 || n != floor(n)) {
            return deck_fail(d, card, "how many terms it has, from 1 to 1000, stands before them");
        }
        ew_status status = read_terms(d, card, &c, &next, &has_next, (int32_t)n, &read);
        status = status ? status : add_equations(d, card, &read);
        ew_list_free(&read.first);
        ew_release(read.term);
        EW_TRY(status);
    }
    return EW_OK;
}

/* REMOVE: equations by the node and components of their first terms. */
static ew_status remove_equations(deck_case *d, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    while (deck_next_line(&c, &next, &has_next, &line)) {
        ew_list node = {0};
        int first, last;
        EW_TRY(read_component(d, card, &line, 1, &first));
        last = first;
        EW_TRY(line.n > 2 && line.field[2].size ? read_component(d, card, &line, 2, &last) : EW_OK);
        const ew_status status = deck_nodes(d, card, &line.field[0], &node);
        for (int32_t i = 0; i < d->n_equation && !status; i++) {
            const deck_term *term = &d->term[d->equation[i].first];
            for (int32_t k = 0; k < node.n; k++) {
                d->equation[i].is_active = d->equation[i].is_active &&
                                           !(term->node == node.id[k] && term->component >= first &&
                                             term->component <= last);
            }
        }
        ew_list_free(&node);
        EW_TRY(status);
    }
    return EW_OK;
}

/* ---- rigid motion --------------------------------------------------------------------------- */

/* Of a node that moves as a rigid body: u = u(reference) + rotation x (x - x(reference)). The
 * rotation is components 4 to 6 of the reference, or 1 to 3 of a node of its own. */
typedef struct rigid {
    int32_t reference, rotation;
    int components; /* bits of those of the node that follow */
} rigid;

static ew_status add_rigid(deck_case *d, const ew_deck_card *card, const rigid *of, int32_t node)
{
    const double *x = d->deck.xyz + 3 * (size_t)node;
    const double *center = d->deck.xyz + 3 * (size_t)of->reference;
    const int first = of->rotation == of->reference ? 3 : 0;
    for (int c = 0; c < 3 && node != of->reference; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        if (!(of->components >> c & 1)) {
            continue;
        }
        EW_TRY(begin_equation(d, card, true));
        EW_TRY(add_term(d, node, c, 1.0));
        EW_TRY(add_term(d, of->reference, c, -1.0));
        EW_TRY(add_term(d, of->rotation, first + a, center[b] - x[b]));
        EW_TRY(add_term(d, of->rotation, first + b, x[a] - center[a]));
    }
    return EW_OK;
}

/* The node that a parameter names, by its number or a set of one. */
static ew_status find_node(deck_case *d, const ew_deck_card *card, const char *key, int32_t *node)
{
    const char *text = ew_deck_parameter(&d->deck, card, key);
    const ew_deck_field field = {text, (int32_t)strlen(text), card->file, card->line, 0, 0};
    ew_list list = {0};
    ew_status status = deck_nodes(d, card, &field, &list);
    if (!status && list.n != 1) {
        status = deck_fail(d, card, "%s=%.80s is no single node", key, text);
    }
    *node = status ? -1 : list.id[0];
    ew_list_free(&list);
    return status;
}

static ew_status add_rigid_list(deck_case *d, const ew_deck_card *card, const rigid *of,
                                const ew_list *node)
{
    for (int32_t i = 0; i < node->n; i++) {
        EW_TRY(add_rigid(d, card, of, node->id[i]));
    }
    return EW_OK;
}

/* The components of *KINEMATIC: lines of a first and a last one; without lines all. */
static ew_status read_kinematic(const deck_case *d, const ew_deck_card *card, int *components)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false, any = false;
    deck_line line;
    *components = 0;
    while (deck_next_line(&c, &next, &has_next, &line)) {
        int first, last;
        EW_TRY(read_component(d, card, &line, 0, &first));
        last = first;
        EW_TRY(line.n > 1 && line.field[1].size ? read_component(d, card, &line, 1, &last) : EW_OK);
        for (int k = first; k <= last && k < 3; k++) {
            *components |= 1 << k;
        }
        any = true;
    }
    *components = any ? *components : 7;
    return EW_OK;
}

/* The surface of a card's parameter. */
static ew_status find_surface(deck_case *d, const ew_deck_card *card, int32_t *at)
{
    const char *name = ew_deck_parameter(&d->deck, card, "SURFACE");
    *at = name ? deck_find_card(d, card->scope, "SURFACE", name) : -1;
    return *at < 0 ? deck_fail(d, card, "there is no *SURFACE, NAME=%.80s", name ? name : "")
                   : EW_OK;
}

/* The equations of a rigid motion, and where it has all components a coupling. */
static ew_status add_rigid_motion(deck_case *d, int32_t card, const rigid *of, int32_t surface,
                                  const ew_list *node)
{
    deck_coupling *made;
    const int32_t first = d->n_equation;
    deck_coupling add = {.card = card,
                         .surface = surface,
                         .reference = of->reference,
                         .rotation = of->rotation,
                         .is_rigid = true,
                         .first = first};
    EW_TRY(add_rigid_list(d, &d->deck.card[card], of, node));
    if (of->components != 7 || !node->n) {
        return EW_OK;
    }
    EW_TRY(deck_add_coupling(d, &add, &made));
    made->n = d->n_equation - first;
    for (int32_t i = 0; i < node->n; i++) {
        EW_TRY(ew_list_push(&made->node, node->id[i]));
    }
    if (d->slot[of->reference] >= 0) { /* it moves with them */
        EW_TRY(ew_list_push(&made->node, of->reference));
        ew_list_sort_unique(&made->node);
    }
    return deck_join_coupling(d, made);
}

static ew_status read_kinematic_coupling(deck_case *d, int32_t i)
{
    const ew_deck_card *card = &d->deck.card[i];
    ew_list node = {0};
    rigid of;
    int32_t surface;
    EW_TRY(find_node(d, card, "REFNODE", &of.reference));
    EW_TRY(read_kinematic(d, &d->deck.card[i + 1], &of.components));
    EW_TRY(find_surface(d, card, &surface));
    of.rotation = of.reference;
    ew_status status = deck_surface_nodes(d, surface, &node);
    status = status ? status : add_rigid_motion(d, i, &of, surface, &node);
    ew_list_free(&node);
    return status;
}

static ew_status read_distributing(deck_case *d, int32_t i)
{
    const ew_deck_card *card = &d->deck.card[i];
    deck_coupling *made, add = {.card = i};
    EW_TRY(find_node(d, card, "REFNODE", &add.reference));
    EW_TRY(find_surface(d, card, &add.surface));
    add.rotation = add.reference;
    EW_TRY(deck_add_coupling(d, &add, &made));
    return deck_surface_nodes(d, add.surface, &made->node);
}

static ew_status read_coupling(deck_case *d, int32_t i)
{
    const ew_deck_card *card = &d->deck.card[i], *next = card + 1;
    const bool has_next = i + 1 < d->deck.n_card;
    const bool is_kinematic = has_next && deck_is(d, next, "KINEMATIC");
    const bool is_distributing = has_next && deck_is(d, next, "DISTRIBUTING");
    if ((!is_kinematic && !is_distributing) || deck_has(d, card, "ORIENTATION", NULL) ||
        !deck_has(d, card, "REFNODE", NULL)) {
        return EW_OK; /* listed as left out */
    }
    d->is_read[i] = d->is_read[i + 1] = true;
    return is_kinematic ? read_kinematic_coupling(d, i) : read_distributing(d, i);
}

/* ELSET: the element that has the reference node; lines of nodes and weights. */
static ew_status add_weights(deck_case *d, int32_t i, deck_coupling *to)
{
    const ew_deck_card *card = &d->deck.card[i];
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    double *weight;
    int32_t n = 0;
    EW_TRY(ew_new_zero(&weight, (size_t)d->deck.n_node, sizeof *weight));
    ew_status status = EW_OK;
    while (!status && deck_next_line(&c, &next, &has_next, &line)) {
        ew_list node = {0};
        double value = 0.0;
        status = deck_number(d, &line, 1, "a weight", 1.0, &value);
        status = status ? status : deck_nodes(d, card, &line.field[0], &node);
        for (int32_t k = 0; k < node.n && !status; k++) {
            weight[node.id[k]] = value;
            status = ew_list_push(&to->node, node.id[k]);
        }
        ew_list_free(&node);
    }
    ew_list_sort_unique(&to->node);
    status = status ? status : ew_new(&to->weight, (size_t)to->node.n, sizeof *to->weight);
    for (; n < to->node.n && !status; n++) {
        to->weight[n] = weight[to->node.id[n]];
    }
    ew_release(weight);
    return status;
}

static ew_status read_distributing_coupling(deck_case *d, int32_t i)
{
    const ew_deck_card *card = &d->deck.card[i];
    const char *name = ew_deck_parameter(&d->deck, card, "ELSET");
    const ew_deck_set *set =
        name ? ew_deck_find_set(&d->deck, card->scope, true, name, strlen(name)) : NULL;
    const ew_deck_element *at =
        set && set->member.n == 1 ? &d->deck.element[set->member.id[0]] : NULL;
    deck_coupling *made, add = {.card = i, .surface = -1};
    if (!at || at->kind != EW_DECK_OTHER || d->deck.other[at->index] != 1) {
        return deck_fail(d, card, "ELSET=%.80s is no single element of one node, the reference",
                         name ? name : "");
    }
    d->is_read[i] = true;
    add.reference = add.rotation = d->deck.other[at->index + 1];
    EW_TRY(deck_add_coupling(d, &add, &made));
    return add_weights(d, i, made);
}

static ew_status push_element(const deck_case *d, int32_t element, ew_list *node)
{
    const ew_deck_element *at = &d->deck.element[element];
    for (int k = 0; k < 4 && at->kind == EW_DECK_TET; k++) {
        EW_TRY(deck_push_face(d, 4 * at->index + k, node));
    }
    return EW_OK;
}

static ew_status read_rigid_body(deck_case *d, int32_t i)
{
    static const char *const keys[4] = {"NSET", "PINNSET", "TIENSET", "ELSET"};
    const ew_deck_card *card = &d->deck.card[i];
    ew_list node = {0};
    rigid of = {.components = 7};
    if (!deck_has(d, card, "REFNODE", NULL)) {
        return EW_OK; /* it moves freely: listed as left out */
    }
    EW_TRY(find_node(d, card, "REFNODE", &of.reference));
    of.rotation = of.reference;
    EW_TRY(deck_has(d, card, "ROTNODE", NULL) ? find_node(d, card, "ROTNODE", &of.rotation)
                                              : EW_OK);
    ew_status status = EW_OK;
    for (int k = 0; k < 4 && !status; k++) {
        const char *name = ew_deck_parameter(&d->deck, card, keys[k]);
        const ew_deck_set *set =
            name ? ew_deck_find_set(&d->deck, card->scope, k == 3, name, strlen(name)) : NULL;
        if (name && !set) {
            status = deck_fail(d, card, "there is no %s '%.80s'", keys[k], name);
        }
        for (int32_t m = 0; set && m < set->member.n && !status; m++) {
            status = k == 3 ? push_element(d, set->member.id[m], &node)
                            : ew_list_push(&node, set->member.id[m]);
        }
    }
    ew_list_sort_unique(&node);
    d->is_read[i] = true;
    status = status ? status : add_rigid_motion(d, i, &of, -1, &node);
    ew_list_free(&node);
    return status;
}

/* ---- *MPC ------------------------------------------------------------------------------------ */

/* TIE and PIN, a, b: node a moves as node b. */
static ew_status read_mpc(deck_case *d, int32_t i)
{
    const ew_deck_card *card = &d->deck.card[i];
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    while (deck_next_line(&c, &next, &has_next, &line)) {
        ew_list node[2] = {{0}, {0}};
        if (line.n < 3 ||
            (!ew_deck_is(&line.field[0], "TIE") && !ew_deck_is(&line.field[0], "PIN"))) {
            deck_note(d, card,
                      "line %d is left out: TIE and PIN are read; other types tie rotations or are "
                      "not linear",
                      (int)line.field[0].line);
            continue;
        }
        ew_status status = deck_nodes(d, card, &line.field[1], &node[0]);
        status = status ? status : deck_nodes(d, card, &line.field[2], &node[1]);
        if (!status && node[1].n != 1) {
            status = deck_fail(d, card, "line %d: the second field is no single node",
                               (int)line.field[0].line);
        }
        for (int32_t k = 0; k < 3 * node[0].n && !status; k++) {
            status = begin_equation(d, card, true);
            status = status ? status : add_term(d, node[0].id[k / 3], k % 3, 1.0);
            status = status ? status : add_term(d, node[1].id[0], k % 3, -1.0);
        }
        ew_list_free(&node[0]);
        ew_list_free(&node[1]);
        EW_TRY(status);
    }
    d->is_read[i] = true;
    return EW_OK;
}

ew_status deck_read_equation(deck_case *d, int32_t i, bool *is_known)
{
    const ew_deck_card *card = &d->deck.card[i];
    *is_known = true;
    if (deck_is(d, card, "COUPLING")) {
        return read_coupling(d, i);
    }
    if (deck_is(d, card, "DISTRIBUTINGCOUPLING")) {
        return read_distributing_coupling(d, i);
    }
    if (deck_is(d, card, "RIGIDBODY")) {
        return read_rigid_body(d, i);
    }
    if (deck_is(d, card, "MPC")) {
        return read_mpc(d, i);
    }
    if (!deck_is(d, card, "EQUATION")) {
        *is_known = false;
        return EW_OK;
    }
    d->is_read[i] = true;
    if (deck_has(d, card, "REMOVEALL", NULL)) {
        d->n_equation = d->n_term = 0;
        for (int32_t k = 0; k < d->n_coupling; k++) {
            d->coupling[k].n = 0;
        }
        return EW_OK;
    }
    return deck_has(d, card, "REMOVE", NULL) ? remove_equations(d, card) : read_equations(d, card);
}
