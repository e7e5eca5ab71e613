/* Named sets of vertices, faces and tets. Members are slots; the image of a member and the middle
 * of two are members, as are the parts and images of a face and of a tet. */
#include "model/internal.h"

#include <string.h>

/* ---- members ------------------------------------------------------------------ */

static bool is_active(const ew_model *model, ew_set_kind kind, int32_t slot)
{
    switch (kind) {
    case EW_SET_OF_VERTICES:
        return ew_mesh_vertex_is_active(&model->mesh, slot);
    case EW_SET_OF_FACES:
        return model->boundary.code[slot] >= 0;
    default:
        return ew_mesh_tet_is_live(&model->mesh, slot);
    }
}

static int32_t count_active(const ew_model *model, const model_set *set)
{
    int32_t n = 0;
    for (int32_t i = 0; i < set->member.set.list.n; i++) {
        n += is_active(model, set->kind, set->member.set.list.id[i]);
    }
    return n;
}

/* The slot of a member as a program names it, or -1. */
static int32_t slot_of(const ew_model *model, ew_set_kind kind, int32_t member)
{
    const ew_mesh *mesh = &model->mesh;
    switch (kind) {
    case EW_SET_OF_VERTICES:
        return member >= 0 && member < mesh->n_vertex && mesh->valence[member] >= 0 ? member : -1;
    case EW_SET_OF_FACES:
        return member >= 0 && member / 4 < mesh->n_tet ? ew_boundary_find(&model->boundary, member)
                                                       : -1;
    default:
        return member >= 0 && member < mesh->n_tet && ew_mesh_tet_is_live(mesh, member) ? member
                                                                                        : -1;
    }
}

static ew_status fill(const ew_model *model, const char *name, ew_set_kind kind,
                      const ew_list *member, model_members *set)
{
    static const char *const what[] = {"vertex slot", "boundary face with code", "tet slot"};
    for (int32_t i = 0; i < member->n; i++) {
        const int32_t slot = slot_of(model, kind, member->id[i]);
        if (slot < 0) {
            return ew_fail_about(EW_BAD_ARGUMENT, member->id[i], -1,
                                 "set '%.60s': there is no %s %d; select again", name, what[kind],
                                 member->id[i]);
        }
        EW_TRY(model_members_add(set, slot));
    }
    return EW_OK;
}

/* ---- definition ----------------------------------------------------------------- */

int32_t ew_model_find_set(const ew_model *model, const char *name)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        if (*model->set[s].name && !strcmp(model->set[s].name, name)) {
            return s;
        }
    }
    return -1;
}

int32_t ew_model_n_set(const ew_model *model)
{
    return model->n_set;
}

ew_status model_need_set(const ew_model *model, int32_t set)
{
    return set >= 0 && set < model->n_set
               ? EW_OK
               : ew_fail_about(EW_BAD_ARGUMENT, set, -1, "model: there is no set %d; there are %d",
                               set, model->n_set);
}

ew_model_set ew_model_view_set(const ew_model *model, int32_t set)
{
    static const ew_set none;
    if (model_need_set(model, set)) {
        return (ew_model_set){.name = "", .member = &none};
    }
    const model_set *from = &model->set[set];
    return (ew_model_set){from->name,     from->kind,   from->allow_empty, &from->member.set,
                          from->n_active, from->n_lost, from->had_members};
}

ew_status ew_model_redefine_set(ew_model *model, int32_t set, const ew_list *member)
{
    model_members fresh = {0};
    EW_TRY(model_need_usable(model));
    EW_TRY(model_need_set(model, set));
    model_set *to = &model->set[set];
    const ew_status status = fill(model, to->name, to->kind, member, &fresh);
    if (status) {
        model_members_free(&fresh);
        return status;
    }
    model_members_free(&to->member);
    to->member = fresh;
    to->n_active = count_active(model, to);
    to->had_members = to->n_active > 0;
    to->cut_off = false;
    model->constraints_current = model->loads_current = false;
    return EW_OK;
}

ew_status ew_model_add_set(ew_model *model, const ew_model_set_def *def, const ew_list *member,
                           int32_t *set)
{
    EW_TRY(model_need_usable(model));
    const char *name = def->name ? def->name : "";
    if (ew_model_find_set(model, name) >= 0) {
        return ew_fail(EW_BAD_ARGUMENT, "model: a set needs a name of its own, '%.60s' is taken",
                       name);
    }
    if (def->kind == EW_SET_OF_FACES) {
        EW_TRY(ew_model_boundary(model, NULL));
    }
    EW_TRY(
        ew_grow(&model->set, &model->set_capacity, (int64_t)model->n_set + 1, sizeof *model->set));
    model_set made = {.kind = def->kind, .allow_empty = def->allow_empty};
    const size_t length = strlen(name) + 1;
    EW_TRY(ew_new(&made.name, length, 1));
    memcpy(made.name, name, length);
    const ew_status status = fill(model, made.name, made.kind, member, &made.member);
    if (status) {
        ew_release(made.name);
        model_members_free(&made.member);
        return status;
    }
    made.n_active = count_active(model, &made);
    made.had_members = made.n_active > 0;
    *set = model->n_set;
    model->set[model->n_set++] = made;
    return EW_OK;
}

void ew_model_release_set_boundary(ew_model *model, int32_t set)
{
    if (!model_need_set(model, set)) {
        model->set[set].may_fray = true;
    }
}

static ew_status list_selected(ew_model *model, ew_set_kind kind, const ew_selector *selector,
                               ew_list *member)
{
    const ew_boundary *boundary;
    if (kind == EW_SET_OF_VERTICES) {
        return ew_mesh_select(&model->mesh, selector, member);
    }
    if (kind == EW_SET_OF_TETS) {
        return ew_mesh_select_tets(&model->mesh, selector, member);
    }
    EW_TRY(ew_model_boundary(model, &boundary));
    return ew_boundary_select(boundary, &model->mesh, selector, NULL, member);
}

ew_status ew_model_select_set(ew_model *model, const ew_model_set_def *def,
                              const ew_selector *selector, int32_t *set)
{
    ew_list member = {0};
    EW_TRY(model_need_usable(model));
    ew_status status = list_selected(model, def->kind, selector, &member);
    status = status ? status : ew_model_add_set(model, def, &member, set);
    ew_list_free(&member);
    return status;
}

void model_free_sets(ew_model *model)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        ew_release(model->set[s].name);
        model_members_free(&model->set[s].member);
    }
    ew_release(model->set);
}

/* ---- following a commit ------------------------------------------------------------ */

/* Active members among the vertices that the queue removes. Their slots may be taken by the same
 * commit, after which the mesh does not know that they were in the body. */
static int32_t count_leaving(const ew_model *model, const model_set *set)
{
    const ew_list *gone = &model->edit.remove_vertex;
    int32_t n = 0;
    for (int32_t i = 0; i < gone->n; i++) {
        n += ew_set_has(&set->member.set, gone->id[i]) &&
             ew_mesh_vertex_is_active(&model->mesh, gone->id[i]);
    }
    return n;
}

ew_status model_reserve_sets(ew_model *model)
{
    const ew_edit *edit = &model->edit;
    const int64_t n_vertex = (int64_t)model->mesh.n_vertex + edit->n_add_vertex;
    const int64_t n_tet = (int64_t)model->mesh.n_tet + edit->n_add_tet;
    for (int32_t s = 0; s < model->n_set; s++) {
        model_set *set = &model->set[s];
        if (set->kind == EW_SET_OF_VERTICES) {
            EW_TRY(model_members_reserve(&set->member, n_vertex,
                                         (int64_t)edit->n_add_vertex + edit->n_merge));
            set->n_leaving = count_leaving(model, set);
        } else if (set->kind == EW_SET_OF_TETS) {
            EW_TRY(model_members_reserve(&set->member, n_tet, edit->n_add_tet));
        } else { /* a face of every tet that is added or laid open */
            const int64_t n_face = 4 * ((int64_t)edit->n_add_tet + edit->remove_tet.n);
            EW_TRY(model_members_reserve(&set->member, model->boundary.n_slot + n_face, n_face));
        }
    }
    return EW_OK;
}

static void drop(model_members *members, const ew_list *gone)
{
    for (int32_t i = 0; i < gone->n; i++) {
        model_members_remove(members, gone->id[i]);
    }
}

static int32_t count_in(const ew_set *set, const ew_list *list)
{
    int32_t n = 0;
    for (int32_t i = 0; i < list->n; i++) {
        n += ew_set_has(set, list->id[i]);
    }
    return n;
}

/* What a commit did to the members in the body. */
static void record(model_set *set, int32_t n_gone, int32_t n_come)
{
    set->n_before = set->n_active;
    set->n_gone = n_gone;
    set->n_lost += n_gone;
    set->n_active += n_come - n_gone;
    set->has_other_members = n_gone || n_come;
}

/* A vertex that another one takes the place of hands its membership on: how many are not lost by
 * that. */
static int32_t hand_on(model_members *members, const ew_change *change)
{
    int32_t n = 0;
    for (int32_t i = 0; i < change->n_merge; i++) {
        const int32_t *pair = change->merge + 2 * (size_t)i;
        if (ew_set_has(&members->set, pair[0]) && !ew_set_has(&members->set, pair[1])) {
            model_members_put(members, pair[1]);
            n++;
        }
    }
    return n;
}

/* An added vertex may take a freed slot, so what leaves goes first. A parent that is added lies
 * before its children. Emptied and filled vertices keep their membership. */
static void follow_vertices(model_set *set, const ew_change *change)
{
    const int32_t n_handed = hand_on(&set->member, change);
    drop(&set->member, &change->removed_vertex);
    const int32_t lost =
        set->n_leaving + count_in(&set->member.set, &change->emptied_vertex) - n_handed;
    for (int32_t k = 0; k < change->added_vertex.n; k++) {
        const int32_t *parent = change->added_parent + 2 * (size_t)k;
        if (ew_set_has(&set->member.set, parent[0]) && ew_set_has(&set->member.set, parent[1])) {
            model_members_put(&set->member, change->added_vertex.id[k]);
        }
    }
    for (int32_t k = 0; k < change->n_inside; k++) {
        const ew_inside *in = &change->inside[k];
        bool all = true;
        for (int i = 0; i < 4; i++) {
            all = all && (in->weight[i] <= 0.0 || ew_set_has(&set->member.set, in->corner[i]));
        }
        if (all) {
            model_members_put(&set->member, change->added_vertex.id[in->place]);
        }
    }
    record(set, lost, count_in(&set->member.set, &change->filled_vertex));
    set->has_other_members = set->has_other_members || n_handed;
}

/* A removed tet may be the origin of added ones that take its slot: those that stay members are
 * known before any leaves, and kept behind the list until then. */
static void follow_tets(model_set *set, const ew_change *change)
{
    const int32_t lost = count_in(&set->member.set, &change->removed_tet);
    const int32_t *aside = set->member.set.list.id + set->member.set.list.n;
    int32_t n = 0;
    for (int32_t k = 0; k < change->added_tet.n; k++) {
        if (ew_set_has(&set->member.set, change->added_tet_from[k])) {
            set->member.set.list.id[set->member.set.list.n + n++] = change->added_tet.id[k];
        }
    }
    drop(&set->member, &change->removed_tet);
    for (int32_t k = 0; k < n; k++) {
        model_members_put(&set->member, aside[k]);
    }
    record(set, lost > n ? lost - n : 0, n > lost ? n - lost : 0);
}

void model_follow_sets(ew_model *model)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        model_set *set = &model->set[s];
        if (set->kind == EW_SET_OF_VERTICES) {
            follow_vertices(set, &model->change);
        } else if (set->kind == EW_SET_OF_TETS) {
            follow_tets(set, &model->change);
        }
    }
}

static void follow_faces(const ew_boundary *boundary, model_set *set)
{
    const int32_t before = set->member.set.list.n;
    for (int32_t k = 0; k < boundary->added.n; k++) {
        if (ew_set_has(&set->member.set, boundary->from.id[k])) {
            model_members_put(&set->member, boundary->added.id[k]);
        }
    }
    const int32_t with_parts = set->member.set.list.n;
    drop(&set->member, &boundary->removed);
    const int32_t gone = with_parts - set->member.set.list.n, gained = with_parts - before;
    record(set, gone > gained ? gone - gained : 0, gained > gone ? gained - gone : 0);
    set->has_other_members = gone || gained;
}

void model_follow_face_sets(ew_model *model, bool valid)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        model_set *set = &model->set[s];
        if (set->kind != EW_SET_OF_FACES) {
            continue;
        }
        if (valid) {
            follow_faces(&model->boundary, set);
        } else {
            ew_set_clear(&set->member.set);
            set->n_active = 0;
            set->cut_off = true;
        }
    }
}

/* ---- renumbering --------------------------------------------------------------------- */

/* Compaction keeps the order of slots, so that no member gets a higher one. */
void model_rename_sets(ew_model *model, const int32_t *vertex, const int32_t *tet)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        model_set *set = &model->set[s];
        if (set->kind == EW_SET_OF_VERTICES) {
            model_members_rename(&set->member, vertex);
        } else if (set->kind == EW_SET_OF_TETS) {
            model_members_rename(&set->member, tet);
        }
    }
}

/* Room for any slot that the boundary has after compaction: it has no holes then. */
ew_status model_reserve_face_sets(ew_model *model)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        if (model->set[s].kind == EW_SET_OF_FACES) {
            EW_TRY(model_members_reserve(&model->set[s].member, model->boundary.n_slot, 0));
        }
    }
    return EW_OK;
}

/* After the boundary was built again. code: of the members, set after set. */
void model_rename_face_sets(ew_model *model, const ew_list *code, const int32_t *tet)
{
    int32_t next = 0;
    for (int32_t s = 0; s < model->n_set; s++) {
        model_set *set = &model->set[s];
        const int32_t n = set->kind == EW_SET_OF_FACES ? set->member.set.list.n : 0;
        if (n) {
            ew_set_clear(&set->member.set);
        }
        for (int32_t i = 0; i < n; i++, next++) {
            const int32_t old = code->id[next], now = 4 * tet[old / 4] + old % 4;
            model_members_put(&set->member, ew_boundary_find(&model->boundary, now));
        }
    }
}
