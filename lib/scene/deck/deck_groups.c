/* Supports and loads of a step as lists of a case. In: what holds at nodes and on faces. Out: named
 * groups of those with the same value, under the name of a set of the deck where they are it, and
 * the entries that act on them. */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 600 };

/* A node or face and what is prescribed there. */
typedef struct entry {
    double value;
    int32_t amplitude, axes, component, id;
} entry;
/* Those with the same. */
typedef struct run {
    double value[3];
    uint8_t bits; /* of components */
    int32_t amplitude, axes;
    ew_list id; /* owned, ascending */
} run;
typedef struct runs {
    int32_t n, capacity;
    run *run; /* owned */
} runs;

static int order(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int32_t xs[4] = {x->axes, x->component, x->amplitude, 0};
    const int32_t ys[4] = {y->axes, y->component, y->amplitude, 0};
    for (int i = 0; i < 3; i++) {
        if (xs[i] != ys[i]) {
            return xs[i] < ys[i] ? -1 : 1;
        }
    }
    return x->value != y->value ? (x->value < y->value ? -1 : 1)
                                : (x->id > y->id) - (x->id < y->id);
}

static bool is_same(const entry *a, const entry *b)
{
    return a->value == b->value && a->amplitude == b->amplitude && a->axes == b->axes &&
           a->component == b->component;
}

static void free_runs(runs *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        ew_list_free(&list->run[i].id);
    }
    ew_release(list->run);
    *list = (runs){0, 0, NULL};
}

/* Components on the same nodes are one entry. */
static bool join(runs *list, const run *made)
{
    for (int32_t i = 0; i < list->n; i++) {
        run *to = &list->run[i];
        if (!(to->bits & made->bits) && to->amplitude == made->amplitude &&
            to->axes == made->axes && to->id.n == made->id.n &&
            !memcmp(to->id.id, made->id.id, (size_t)made->id.n * sizeof *made->id.id)) {
            to->bits |= made->bits;
            for (int c = 0; c < 3; c++) {
                to->value[c] += made->value[c];
            }
            return true;
        }
    }
    return false;
}

static ew_status add_run(runs *list, const entry *from, int32_t n, const char *what)
{
    run made = {
        .bits = (uint8_t)(1u << from->component), .amplitude = from->amplitude, .axes = from->axes};
    ew_status status = EW_OK;
    made.value[from->component] = from->value;
    for (int32_t i = 0; i < n && !status; i++) {
        status = ew_list_push(&made.id, from[i].id);
    }
    if (!status && join(list, &made)) {
        ew_list_free(&made.id);
        return EW_OK;
    }
    if (!status && list->n >= MAX_RUNS) {
        status = ew_fail(EW_LIMIT,
                         "line 1: the deck has more than %d different %s; a case names a set for "
                         "each",
                         MAX_RUNS, what);
    }
    status = status ? status
                    : ew_grow(&list->run, &list->capacity, (int64_t)list->n + 1, sizeof *list->run);
    if (status) {
        ew_list_free(&made.id);
        return status;
    }
    list->run[list->n++] = made;
    return EW_OK;
}

/* Those that one set can have first; the others are a run of their own. */
static ew_status part(deck_middles *middles, entry *from, int32_t *n)
{
    int32_t *id;
    EW_TRY(ew_new(&id, (size_t)*n, sizeof *id));
    for (int32_t i = 0; i < *n; i++) {
        id[i] = from[i].id;
    }
    const int32_t n_kept = deck_middles_part(middles, from->component, *n, id);
    for (int32_t i = 0; i < *n; i++) {
        from[i].id = id[i];
    }
    *n = n_kept;
    ew_release(id);
    return EW_OK;
}

/* all: [n], sorted here. middles: of supports, or null. */
static ew_status make_runs(entry *all, int32_t n, deck_middles *middles, const char *what,
                           runs *list)
{
    ew_status status = EW_OK;
    if (n) {
        qsort(all, (size_t)n, sizeof *all, order);
    }
    for (int32_t i = 0, count; i < n && !status; i += count) {
        for (count = 1; i + count < n && is_same(&all[i], &all[i + count]); count++) {
        }
        status = middles ? part(middles, &all[i], &count) : EW_OK;
        status = status ? status : add_run(list, &all[i], count, what);
    }
    return status;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Labeled triangles for the faces, once. */
static ew_status label_faces(deck_case *d, const ew_list *code, int32_t label)
{
    ew_edit edit = {0};
    ew_change change = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < code->n && !status; i++) {
        int32_t face[3];
        deck_face_vertices(d, code->id[i], face);
        status = ew_edit_add_face(&edit, face, label);
    }
    status = status ? status : ew_mesh_commit(&d->mesh, &edit, NULL, &change);
    ew_edit_free(&edit);
    ew_change_free(&change);
    return status;
}

static ew_status name_faces(deck_case *d, const ew_list *code, const char **name)
{
    for (int32_t i = 0; i < d->n_faces; i++) {
        const ew_list *of = &d->faces[i].code;
        if (of->n == code->n && !memcmp(of->id, code->id, (size_t)of->n * sizeof *of->id)) {
            *name = d->faces[i].name;
            return EW_OK;
        }
    }
    EW_TRY(ew_grow(&d->faces, &d->faces_capacity, (int64_t)d->n_faces + 1, sizeof *d->faces));
    deck_faces *made = &d->faces[d->n_faces];
    *made = (deck_faces){.code = {0}};
    do {
        snprintf(made->name, sizeof made->name, "pressure %d", ++d->n_made);
    } while (ew_groups_find(&d->groups, EW_GROUP_FACES, made->name));
    d->n_faces++;
    for (int32_t i = 0; i < code->n; i++) {
        EW_TRY(ew_list_push(&made->code, code->id[i]));
    }
    const int32_t label = ew_groups_free_label(&d->groups, &d->mesh, EW_GROUP_FACES);
    EW_TRY(ew_groups_name_label(&d->groups, EW_GROUP_FACES, label, made->name));
    *name = made->name;
    return label_faces(d, code, label);
}

/* ---- nodes --------------------------------------------------------------------------------------
 */

static ew_status gather(deck_case *d, const deck_moment *at, const deck_value *from, bool turned,
                        deck_middles *middles, const char *what, runs *list)
{
    entry *all = NULL;
    int32_t n = 0;
    EW_TRY(ew_new(&all, 3 * (size_t)d->deck.n_node, sizeof *all));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < d->deck.n_node && !status; i++) {
        for (int c = 0; c < 3 && d->slot[i] >= 0 && !status; c++) {
            const deck_value *value = &from[3 * (size_t)i + (size_t)c];
            if (value->has) {
                all[n] = (entry){.axes = turned ? d->axes[i] : -1, .component = c, .id = i};
                status = deck_settle(d, at, value, &all[n].value, &all[n].amplitude);
                n++;
            }
        }
    }
    status = status ? status : make_runs(all, n, middles, what, list);
    ew_release(all);
    return status;
}

static ew_status put_run(deck_case *d, const run *from, const char *key, bool is_force,
                         ew_case_entry *to)
{
    const char *name;
    EW_TRY(deck_name_vertices(d, &from->id, is_force ? "force" : "fixed", &name));
    ew_case_entry *made = ew_case_add_mapping(to, NULL);
    deck_put_group(made, "set", name, EW_GROUP_VERTICES);
    if (is_force) {
        ew_case_add_numbers(made, key, from->value, 3);
    } else {
        ew_case_add_components(made, key, from->value, from->bits);
    }
    if (from->axes >= 0) {
        EW_TRY(deck_put_axes(d, &d->deck.card[from->axes], made));
    }
    return deck_put_use(d, from->amplitude, made);
}

static ew_status put_runs(deck_case *d, const runs *list, const char *key, bool is_force,
                          ew_case_entry *to)
{
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(put_run(d, &list->run[i], key, is_force, to));
    }
    return EW_OK;
}

ew_status deck_put_supports(deck_case *d, const deck_moment *at, ew_case_entry *step)
{
    runs list = {0, 0, NULL};
    deck_middles *middles;
    ew_case_entry *to = ew_case_add_list(step, "constraints");
    EW_TRY(deck_put_couplings(d, at));
    EW_TRY(d->n_equation ? deck_put_equations(d, at, to) : EW_OK);
    EW_TRY(deck_middles_begin(d, &middles));
    ew_status status = gather(d, at, d->fixed, true, middles, "supports", &list);
    deck_middles_end(middles);
    status = status ? status : put_runs(d, &list, "displacement", false, to);
    free_runs(&list);
    return status;
}

ew_status deck_put_velocities(deck_case *d, ew_case_entry *dynamic)
{
    const deck_moment at = {true, 1.0};
    runs list = {0, 0, NULL};
    ew_case_entry *to = NULL;
    ew_status status = gather(d, &at, d->velocity, false, NULL, "velocities", &list);
    if (list.n) {
        to = ew_case_add_list(ew_case_add_mapping(dynamic, "initial"), "velocity");
    }
    for (int32_t i = 0; i < list.n && !status; i++) {
        const char *name;
        status = deck_name_vertices(d, &list.run[i].id, "start", &name);
        if (!status) {
            ew_case_entry *made = ew_case_add_mapping(to, NULL);
            deck_put_group(made, "set", name, EW_GROUP_VERTICES);
            ew_case_add_numbers(made, "value", list.run[i].value, 3);
        }
    }
    free_runs(&list);
    return status;
}

/* ---- loads
 * --------------------------------------------------------------------------------------- */

static ew_status put_forces(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    runs list = {0, 0, NULL};
    bool by_node;
    int32_t n = 0;
    EW_TRY(deck_put_node_forces(d, at, to, &by_node));
    if (by_node) {
        return EW_OK;
    }
    ew_status status = gather(d, at, d->force, true, NULL, "forces", &list);
    for (int32_t i = 0; i < list.n; i++) { /* those of 0 are none */
        const run *from = &list.run[i];
        if (from->value[0] == 0.0 && from->value[1] == 0.0 && from->value[2] == 0.0) {
            ew_list_free(&list.run[i].id);
        } else {
            list.run[n++] = *from;
        }
    }
    list.n = n;
    status = status ? status : put_runs(d, &list, "force", true, to);
    free_runs(&list);
    return status;
}

/* Those at references of couplings, too. */
static ew_status put_all_forces(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    deck_value *own = d->force, *spread;
    ew_status status = EW_OK;
    EW_TRY(put_forces(d, at, to));
    EW_TRY(ew_new(&spread, d->n_coupling ? 3 * (size_t)d->deck.n_node : 0, sizeof *spread));
    for (int32_t i = 0; i < d->n_coupling; i++) {
        for (uint8_t left = deck_find_forces(d, i); left && !status; d->force = own) {
            status = deck_spread_forces(d, i, &left, spread);
            d->force = spread;
            status = status ? status : put_forces(d, at, to);
        }
    }
    ew_release(spread);
    return status;
}

/* Of a body whose steps are all NLGEOM pressures turn with the faces. */
static ew_status end_pressure(deck_case *d, const run *from, ew_case_entry *load)
{
    if (d->is_nonlinear) {
        ew_case_entry *pressure = ew_case_add_mapping(load, "pressure");
        ew_case_add_number(pressure, "value", from->value[0]);
        ew_case_add_truth(pressure, "follower", true);
    } else {
        ew_case_add_number(load, "pressure", from->value[0]);
    }
    return deck_put_use(d, from->amplitude, load);
}

/* Faces of one pressure: surfaces by their names, and those that are left. */
static ew_status put_pressure(deck_case *d, run *from, ew_case_entry *to)
{
    const char *name;
    int32_t i, label;
    while (deck_take_surface(d, &from->id, &i)) {
        ew_case_entry *load = ew_case_add_mapping(to, NULL);
        deck_surface_group(d, d->surface[i].card, &name, &label);
        if (name) {
            deck_put_group(load, "set", name, EW_GROUP_FACES);
        } else {
            ew_case_add_integer(ew_case_add_mapping(load, "set"), "surface", label);
        }
        EW_TRY(end_pressure(d, from, load));
    }
    if (!from->id.n) {
        return EW_OK;
    }
    EW_TRY(name_faces(d, &from->id, &name));
    ew_case_entry *load = ew_case_add_mapping(to, NULL);
    deck_put_group(load, "set", name, EW_GROUP_FACES);
    return end_pressure(d, from, load);
}

static ew_status put_pressures(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    entry *all = NULL;
    runs list = {0, 0, NULL};
    int32_t n = 0;
    ew_status status = EW_OK;
    EW_TRY(ew_new(&all, 4 * (size_t)d->mesh.n_tet, sizeof *all));
    for (int32_t i = 0; i < 4 * d->mesh.n_tet && !status; i++) {
        if (d->pressure[i].has && !d->is_inner[i]) {
            all[n] = (entry){.axes = -1, .id = i};
            status = deck_settle(d, at, &d->pressure[i], &all[n].value, &all[n].amplitude);
            n += all[n].value != 0.0;
        }
    }
    status = status ? status : make_runs(all, n, NULL, "pressures", &list);
    ew_release(all);
    for (int32_t i = 0; i < list.n && !status; i++) {
        status = put_pressure(d, &list.run[i], to);
    }
    free_runs(&list);
    return status;
}

/* The change of temperature since the start. */
static ew_status put_temperatures(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    entry *all = NULL;
    runs list = {0, 0, NULL};
    int32_t n = 0;
    bool by_node;
    EW_TRY(deck_put_node_temperatures(d, at, to, &by_node));
    if (by_node) {
        return EW_OK;
    }
    ew_status status = EW_OK;
    EW_TRY(ew_new(&all, (size_t)d->deck.n_node, sizeof *all));
    for (int32_t i = 0; i < d->deck.n_node && !status; i++) {
        if (d->temperature[i].has && d->slot[i] >= 0) {
            all[n] = (entry){.axes = -1, .id = i};
            status = deck_settle(d, at, &d->temperature[i], &all[n].value, &all[n].amplitude);
            all[n].value -= d->initial[i];
            n += all[n].value != 0.0;
        }
    }
    status = status ? status : make_runs(all, n, NULL, "temperatures", &list);
    ew_release(all);
    for (int32_t i = 0; i < list.n && !status; i++) {
        const char *name = NULL;
        const bool whole = list.run[i].id.n == d->mesh.n_active_vertex;
        ew_case_entry *load = ew_case_add_mapping(to, NULL);
        status = whole ? EW_OK : deck_name_vertices(d, &list.run[i].id, "warm", &name);
        if (!whole && !status) {
            deck_put_group(load, "set", name, EW_GROUP_VERTICES);
        }
        ew_case_add_number(load, "temperature", list.run[i].value[0]);
        status = status ? status : deck_put_use(d, list.run[i].amplitude, load);
    }
    free_runs(&list);
    return status;
}

ew_status deck_put_loads(deck_case *d, const deck_moment *at, ew_case_entry *step)
{
    ew_case_entry *to = ew_case_add_list(step, "loads");
    EW_TRY(put_all_forces(d, at, to));
    EW_TRY(put_pressures(d, at, to));
    EW_TRY(deck_put_inner_pressures(d, at, to));
    EW_TRY(deck_put_bodies(d, at, to));
    return put_temperatures(d, at, to);
}
