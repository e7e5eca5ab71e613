/* Couplings of a keyword deck with a reference node: *COUPLING with *KINEMATIC or *DISTRIBUTING,
 * *RIGID BODY, *DISTRIBUTING COUPLING. In: what was read of them, supports and forces at reference
 * nodes. Out: couplings of the case, where supports alone do not prescribe the whole motion
 * (deck_prescribed.c); forces and moments at references as forces on the nodes that they couple,
 *
 *     f = w (F / sum w + (J^-1 M) x r),  r from the centroid, J = sum w (|r|^2 - r r^T),
 *
 * M about the centroid: of a distributing coupling its own, of a rigid one any with the resultant.
 */
#include "scene/deck/deck.h"

#include <math.h>
#include <string.h>

ew_status deck_add_coupling(deck_case *d, const deck_coupling *from, deck_coupling **made)
{
    EW_TRY(ew_grow(&d->coupling, &d->coupling_capacity, (int64_t)d->n_coupling + 1,
                   sizeof *d->coupling));
    *made = &d->coupling[d->n_coupling++];
    **made = *from;
    (*made)->owner = -1;
    for (int32_t i = d->n_coupling - 2; i >= 0; i--) {
        (*made)->owner = d->coupling[i].reference == from->reference ? i : (*made)->owner;
    }
    d->is_tied[from->reference] = d->is_tied[from->rotation] = true;
    return EW_OK;
}

static bool is_joined(const deck_case *d, const deck_coupling *of)
{
    const deck_coupling *to = of->owner >= 0 ? &d->coupling[of->owner] : NULL;
    return to && of->is_rigid && to->is_rigid && of->rotation == to->rotation;
}

ew_status deck_join_coupling(deck_case *d, const deck_coupling *of)
{
    for (int32_t i = 0; is_joined(d, of) && i < of->node.n; i++) {
        EW_TRY(ew_list_push(&d->coupling[of->owner].node, of->node.id[i]));
    }
    if (is_joined(d, of)) {
        ew_list_sort_unique(&d->coupling[of->owner].node);
    }
    return EW_OK;
}

bool deck_is_reference(const deck_case *d, int32_t node)
{
    bool found = false;
    for (int32_t i = 0; i < d->n_coupling && !found; i++) {
        found = d->coupling[i].reference == node || d->coupling[i].rotation == node;
    }
    return found;
}

/* Component 0 to 5 of the reference, in displacements or in forces. */
static deck_value *component(const deck_coupling *of, deck_value *list, deck_value *turns, int c)
{
    return c < 3                           ? &list[3 * (size_t)of->reference + (size_t)c]
           : of->rotation == of->reference ? &turns[3 * (size_t)of->reference + (size_t)c - 3]
                                           : &list[3 * (size_t)of->rotation + (size_t)c - 3];
}

/* ---- weights of nodes --------------------------------------------------------------------------
 */

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

/* x of J x = m; false: J is singular. */
static bool solve(double j[3][3], const double m[3], double x[3])
{
    double minor[3][3];
    for (int c = 0; c < 3; c++) {
        cross(j[(c + 1) % 3], j[(c + 2) % 3], minor[c]);
    }
    const double mean = (j[0][0] + j[1][1] + j[2][2]) / 3.0;
    const double det = j[0][0] * minor[0][0] + j[0][1] * minor[0][1] + j[0][2] * minor[0][2];
    for (int c = 0; c < 3; c++) {
        x[c] = (minor[0][c] * m[0] + minor[1][c] * m[1] + minor[2][c] * m[2]) / det;
    }
    return det > 1e-10 * mean * mean * mean;
}

/* Weights of nodes: of a rigid coupling its corners alike; of others as given, or by the area of
 * faces, whose mean is that of corners, where there are middles of these. */
static void add_area(deck_case *d, int32_t code, double *weight)
{
    int32_t node[6];
    double a[3], b[3], normal[3];
    const int32_t n = deck_face_nodes(d, code, node);
    for (int c = 0; c < 3; c++) {
        const double *x = d->deck.xyz + c;
        a[c] = x[3 * (size_t)node[1]] - x[3 * (size_t)node[0]];
        b[c] = x[3 * (size_t)node[2]] - x[3 * (size_t)node[0]];
    }
    cross(a, b, normal);
    for (int k = 0; k < 3; k++) {
        weight[node[n - 3 + k]] += hypot(hypot(normal[0], normal[1]), normal[2]) / 6.0;
    }
}

static ew_status find_weights(deck_case *d, const deck_coupling *of, double *weight)
{
    const deck_surface *surface;
    if (!of->is_rigid && of->surface >= 0 &&
        !deck_has(d, &d->deck.card[of->surface], "TYPE", "NODE")) {
        EW_TRY(deck_find_surface(d, of->surface, &surface));
        for (int32_t i = 0; i < surface->code.n; i++) {
            add_area(d, surface->code.id[i], weight);
        }
        return EW_OK;
    }
    for (int32_t i = 0; i < of->node.n; i++) {
        weight[of->node.id[i]] = of->weight                     ? of->weight[i]
                                 : d->slot[of->node.id[i]] >= 0 ? 1.0
                                                                : 0.0;
    }
    return EW_OK;
}

/* Weights of the nodes, [deck.n_node]; their sum, centroid and inertia. */
typedef struct mean {
    double *weight; /* owned */
    double sum, center[3], j[3][3];
    bool turns; /* the inertia is regular: the nodes have a rotation */
} mean;

static ew_status find_mean(deck_case *d, const deck_coupling *of, mean *to)
{
    const double none[3] = {0.0};
    double turn[3];
    *to = (mean){0};
    EW_TRY(ew_new_zero(&to->weight, (size_t)d->deck.n_node, sizeof *to->weight));
    EW_TRY(find_weights(d, of, to->weight));
    for (int32_t i = 0; i < of->node.n; i++) {
        const double w = to->weight[of->node.id[i]];
        to->sum += w;
        for (int c = 0; c < 3; c++) {
            to->center[c] += w * d->deck.xyz[3 * (size_t)of->node.id[i] + (size_t)c];
        }
    }
    for (int c = 0; c < 3; c++) {
        to->center[c] /= to->sum;
    }
    for (int32_t i = 0; i < of->node.n; i++) {
        const double *x = d->deck.xyz + 3 * (size_t)of->node.id[i];
        const double r[3] = {x[0] - to->center[0], x[1] - to->center[1], x[2] - to->center[2]};
        const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        for (int c = 0; c < 9; c++) {
            to->j[c / 3][c % 3] +=
                to->weight[of->node.id[i]] * ((c % 4 ? 0.0 : square) - r[c / 3] * r[c % 3]);
        }
    }
    to->turns = solve(to->j, none, turn);
    return EW_OK;
}

/* ---- couplings of the case ---------------------------------------------------------------------
 */

static ew_status put_set(deck_case *d, const deck_coupling *of, ew_case_entry *to)
{
    const char *name;
    ew_list corner = {0};
    ew_status status = EW_OK;
    if (!of->is_rigid && of->surface >= 0) {
        bool is_put;
        EW_TRY(deck_put_surface(d, of->surface, "set", to, &is_put));
        return is_put ? EW_OK
                      : deck_fail(d, &d->deck.card[of->card],
                                  "its surface has no face on the boundary of tets");
    }
    for (int32_t i = 0; i < of->node.n && !status; i++) {
        status = d->slot[of->node.id[i]] >= 0 ? ew_list_push(&corner, of->node.id[i]) : EW_OK;
    }
    status = status ? status : deck_name_vertices(d, &corner, "coupled", &name);
    ew_list_free(&corner);
    EW_TRY(status);
    deck_put_group(to, "set", name, EW_GROUP_VERTICES);
    return EW_OK;
}

/* A case has no weights of vertices. */
static void note_weights(deck_case *d, const deck_coupling *of)
{
    bool differs = false;
    for (int32_t i = 1; of->weight && i < of->node.n; i++) {
        differs = differs || of->weight[i] != of->weight[0];
    }
    if (differs) {
        deck_note(d, &d->deck.card[of->card],
                  "what its reference prescribes is of the mean of its nodes with equal weights");
    }
}

static ew_status put(deck_case *d, deck_coupling *of)
{
    mean by;
    ew_status status = find_mean(d, of, &by);
    ew_release(by.weight);
    EW_TRY(status);
    if (!by.turns) {
        deck_note(d, &d->deck.card[of->card],
                  "left out: it takes three nodes with weights that do not lie on a line");
        return EW_OK;
    }
    ew_case_entry *to =
        ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(d->draft), "couplings"), NULL);
    EW_TRY(put_set(d, of, to));
    if (!of->is_rigid) {
        ew_case_add_text(to, "kind", "distributing");
    }
    ew_case_add_numbers(to, "at", d->deck.xyz + 3 * (size_t)of->reference, 3);
    if (of->bits & 7) {
        ew_case_add_components(to, "displacement", of->value, of->bits & 7);
    }
    if (of->bits >> 3) {
        ew_case_add_components(to, "rotation", of->value + 3, (uint8_t)(of->bits >> 3));
    }
    note_weights(d, of);
    of->is_put = true;
    return EW_OK;
}

/* What supports prescribe of the reference: bits of components, values. A vertex of a tet is in the
 * set of a rigid one, and supports act on it. */
static ew_status find_prescribed(deck_case *d, const deck_moment *at, const deck_coupling *of,
                                 uint8_t *bits, double value[6], bool *is_in_time)
{
    *bits = 0;
    for (int c = 0; c < 6; c++) {
        const deck_value *from = component(of, d->fixed, d->rotation, c);
        int32_t amplitude = -1;
        value[c] = 0.0;
        if (from->has) {
            EW_TRY(deck_settle(d, at, from, &value[c], &amplitude));
            *bits = (uint8_t)(*bits | 1u << c);
            *is_in_time = *is_in_time || amplitude >= 0;
        }
    }
    return EW_OK;
}

static ew_status put_coupling(deck_case *d, const deck_moment *at, deck_coupling *of)
{
    uint8_t bits;
    double value[6];
    bool is_in_time = false;
    EW_TRY(find_prescribed(d, at, of, &bits, value, &is_in_time));
    const bool turns = value[3] != 0.0 || value[4] != 0.0 || value[5] != 0.0;
    const bool by_equations = of->is_rigid && bits == 63 && !of->is_put &&
                              (!d->is_nonlinear || !turns || of->was_supported);
    of->was_supported = of->was_supported || by_equations;
    for (int32_t i = of->first; i < of->first + of->n; i++) {
        d->equation[i].is_active = by_equations || !deck_takes_equations(d);
    }
    if (by_equations || is_joined(d, of)) {
        return EW_OK;
    }
    if (of->owner >= 0 && bits != 63 && !of->is_put) {
        deck_note(d, &d->deck.card[of->card], "left out: another coupling has its reference node");
        return EW_OK;
    }
    if (!of->is_rigid && !bits && !of->is_put) {
        of->was_free = true;
        return EW_OK;
    }
    if (!deck_takes_equations(d)) {
        if (!of->is_rigid) {
            deck_note(d, &d->deck.card[of->card],
                      "what its reference prescribes is left out: steps remove equations");
        }
        return EW_OK;
    }
    if (of->was_free) {
        deck_note(d, &d->deck.card[of->card],
                  "what its reference prescribes after a step where it is free is left out: a "
                  "coupling of a case is of all steps");
        return EW_OK;
    }
    if (!of->is_put) {
        of->bits = of->is_rigid && d->slot[of->reference] >= 0 ? bits & 56 : bits;
        memcpy(of->value, value, sizeof value);
        EW_TRY(put(d, of));
        if (!of->is_put) {
            return EW_OK;
        }
    }
    bool differs = is_in_time;
    for (int c = 0; c < 6; c++) {
        differs = differs || ((of->bits | (d->slot[of->reference] >= 0 ? 0 : bits)) >> c & 1 &&
                              (value[c] != of->value[c] || (of->bits ^ bits) >> c & 1));
    }
    if (differs) {
        deck_note(d, &d->deck.card[of->card],
                  "what its reference prescribes is taken from its first step and without "
                  "amplitudes: a coupling of a case is of all steps");
    }
    return EW_OK;
}

ew_status deck_put_couplings(deck_case *d, const deck_moment *at)
{
    for (int32_t i = 0; i < d->n_coupling; i++) {
        EW_TRY(put_coupling(d, at, &d->coupling[i]));
    }
    return EW_OK;
}

/* ---- forces -------------------------------------------------------------------------------------
 */

/* Force and moment at the reference. */
static ew_status spread(deck_case *d, const deck_coupling *of, const double at[6],
                        int32_t amplitude, mean *by, deck_value *list)
{
    double arm[3], moment[3], turn[3];
    for (int c = 0; c < 3; c++) {
        arm[c] = d->deck.xyz[3 * (size_t)of->reference + (size_t)c] - by->center[c];
    }
    cross(arm, at, moment);
    for (int c = 0; c < 3; c++) {
        moment[c] += at[3 + c];
    }
    if (d->is_nonlinear && (moment[0] != 0.0 || moment[1] != 0.0 || moment[2] != 0.0)) {
        deck_note(d, &d->deck.card[of->card],
                  "NLGEOM: the moment at its reference about the middle of its nodes is of forces "
                  "that keep their directions; it falls as the cosine of the angle by which they "
                  "turn: a prescribed rotation is exact");
    }
    if (!solve(by->j, moment, turn)) {
        deck_note(d, &d->deck.card[of->card],
                  "the force at its reference is left out: it takes three nodes with weights that "
                  "do not lie on a line");
        return EW_OK;
    }
    for (int32_t i = 0; i < of->node.n; i++) {
        const double *x = d->deck.xyz + 3 * (size_t)of->node.id[i];
        const double w = by->weight[of->node.id[i]];
        const double r[3] = {x[0] - by->center[0], x[1] - by->center[1], x[2] - by->center[2]};
        double force[3];
        cross(turn, r, force);
        for (int c = 0; c < 3 && w != 0.0; c++) {
            list[3 * (size_t)of->node.id[i] + (size_t)c] =
                (deck_value){w * (force[c] + at[c] / by->sum), amplitude, d->deck_step, true};
        }
        if (w != 0.0 && d->axes[of->node.id[i]] >= 0) {
            return deck_fail(d, &d->deck.card[of->card],
                             "a force at its reference does not go with the axes of a *TRANSFORM "
                             "at its nodes; leave them out");
        }
    }
    return EW_OK;
}

uint8_t deck_find_forces(deck_case *d, int32_t coupling)
{
    const deck_coupling *of = &d->coupling[coupling];
    uint8_t found = 0;
    for (int c = 0; c < 6 && of->owner < 0; c++) {
        const deck_value *from = component(of, d->force, d->moment, c);
        const bool acts = from->has && from->value != 0.0;
        found = (uint8_t)(found | (acts && (c > 2 || d->slot[of->reference] < 0)) << c);
    }
    return found;
}

ew_status deck_spread_forces(deck_case *d, int32_t coupling, uint8_t *left, deck_value *list)
{
    const deck_coupling *of = &d->coupling[coupling];
    const size_t n = (size_t)d->deck.n_node;
    double at[6] = {0.0};
    int32_t amplitude = -2;
    mean by;
    for (int c = 0; c < 6; c++) {
        const deck_value *from = component(of, d->force, d->moment, c);
        if (*left >> c & 1 && (amplitude == -2 || amplitude == from->amplitude)) {
            amplitude = from->amplitude;
            at[c] = from->value;
            *left = (uint8_t)(*left & ~(1u << c));
        }
    }
    memset(list, 0, 3 * n * sizeof *list);
    ew_status status = find_mean(d, of, &by);
    status = status ? status : spread(d, of, at, amplitude, &by, list);
    ew_release(by.weight);
    return status;
}

void deck_free_couplings(deck_case *d)
{
    for (int32_t i = 0; i < d->n_coupling; i++) {
        ew_list_free(&d->coupling[i].node);
        ew_release(d->coupling[i].weight);
    }
    ew_release(d->coupling);
}
