/* Applies a batch of edits, all or nothing. In: mesh, queues, the table of tets by vertex.
 * Out: the mesh one revision on, and the change.
 *
 * Order: check ids, reserve all memory, put moved vertices in place (old positions kept),
 * check shapes and faces, then apply what can no longer fail. A refusal puts the old
 * positions back. */
#include "mesh/internal.h"

#include <string.h>

/* Pushes where room was reserved. */
static void push_reserved(ew_list *list, int32_t id)
{
    EW_ASSERT(list->n < list->capacity);
    list->id[list->n++] = id;
}

static ew_status reserve_list(ew_list *list, int64_t n)
{
    return ew_grow(&list->id, &list->capacity, n, sizeof *list->id);
}

static void clear_change(ew_change *change, const ew_mesh *mesh)
{
    ew_list *lists[] = {&change->added_vertex,     &change->removed_vertex,
                        &change->moved_vertex,     &change->removed_tet,
                        &change->added_tet,        &change->moved_tet,
                        &change->emptied_vertex,   &change->filled_vertex,
                        &change->commit.new_region};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->n = 0;
    }
    ew_set_clear(&change->commit.gone_tet);
    ew_set_clear(&change->commit.gone_vertex);
    ew_set_clear(&change->commit.moved_vertex);
    ew_set_clear(&change->commit.moved_tet);
    ew_set_clear(&change->commit.corner);
    change->n_fraction = change->n_face_origin = change->n_merge = 0;
    change->n_inside = 0;
    change->from_revision = change->to_revision = mesh->revision;
    change->n_vertex_before = mesh->n_vertex;
    change->n_tet_before = mesh->n_tet;
}

/* ---- memory ------------------------------------------------------------ */

/* Parallel arrays share one capacity, so each grows from its own copy of it: when a later
 * one fails, the earlier ones merely have more room than the mesh says. */
static ew_status reserve_vertices(ew_mesh *mesh, int64_t n)
{
    if (n > INT32_MAX) {
        return ew_fail(EW_LIMIT, "edit: %lld vertex slots; at most %d can be named", (long long)n,
                       INT32_MAX);
    }
    int32_t room[3] = {mesh->vertex_capacity, mesh->vertex_capacity, mesh->vertex_capacity};
    EW_TRY(ew_grow(&mesh->xyz, &room[0], n, 3 * sizeof *mesh->xyz));
    EW_TRY(ew_grow(&mesh->valence, &room[1], n, sizeof *mesh->valence));
    EW_TRY(ew_grow(&mesh->vertex_id, &room[2], n, sizeof *mesh->vertex_id));
    mesh->vertex_capacity = room[2];
    return EW_OK;
}

static ew_status reserve_tets(ew_mesh *mesh, int64_t n)
{
    if (n > EW_MAX_TET) {
        return ew_fail(EW_LIMIT, "edit: %lld tet slots; at most %d can be named", (long long)n,
                       EW_MAX_TET);
    }
    int32_t c = mesh->tet_capacity;
    int32_t room[4] = {c, c, c, c};
    EW_TRY(ew_grow(&mesh->tet, &room[0], n, 4 * sizeof *mesh->tet));
    EW_TRY(ew_grow(&mesh->region, &room[1], n, sizeof *mesh->region));
    EW_TRY(ew_grow(&mesh->tet_id, &room[2], n, sizeof *mesh->tet_id));
    EW_TRY(ew_grow(&mesh->born, &room[3], n, sizeof *mesh->born));
    mesh->tet_capacity = room[3];
    return EW_OK;
}

static ew_status reserve_labels(ew_mesh *mesh, const ew_edit *edit)
{
    int64_t n = (int64_t)mesh->n_face + edit->n_add_face;
    int32_t room[2] = {mesh->face_capacity, mesh->face_capacity};
    EW_TRY(ew_grow(&mesh->face, &room[0], n, 3 * sizeof *mesh->face));
    EW_TRY(ew_grow(&mesh->face_label, &room[1], n, sizeof *mesh->face_label));
    mesh->face_capacity = room[1];
    return EW_OK;
}

/* Slots in use after freeing `gone` and taking `added`. */
static int64_t slots_after(const ew_mesh *mesh, int32_t n_slot, const ew_list *hole, int32_t gone,
                           int32_t added)
{
    int64_t opened = mesh->appends ? added : (int64_t)added - hole->n - gone;
    return n_slot + (opened > 0 ? opened : 0);
}

static ew_status reserve_mesh(ew_mesh *mesh, const ew_edit *edit, const ew_change *change)
{
    int32_t gone_vertex = edit->remove_vertex.n, gone_tet = edit->remove_tet.n;
    EW_TRY(reserve_vertices(mesh, slots_after(mesh, mesh->n_vertex, &mesh->vertex_hole, gone_vertex,
                                              edit->n_add_vertex)));
    EW_TRY(reserve_tets(mesh, slots_after(mesh, mesh->n_tet, &mesh->tet_hole, gone_tet,
                                          edit->n_add_tet)));
    EW_TRY(reserve_labels(mesh, edit));
    EW_TRY(reserve_list(&mesh->vertex_hole, (int64_t)mesh->vertex_hole.n + gone_vertex));
    EW_TRY(reserve_list(&mesh->tet_hole, (int64_t)mesh->tet_hole.n + gone_tet));
    return ew_grow(&mesh->region_label, &mesh->region_capacity,
                   (int64_t)mesh->n_region + change->commit.new_region.n,
                   sizeof *mesh->region_label);
}

static int64_t bounded(int64_t n, int64_t bound)
{
    return n < bound ? n : bound;
}

static ew_status reserve_change(ew_change *change, const ew_mesh *mesh, const ew_edit *edit)
{
    int64_t n_vertex = (int64_t)mesh->n_vertex + edit->n_add_vertex;
    int32_t n_gone = edit->remove_tet.n;
    EW_TRY(reserve_list(&change->added_vertex, edit->n_add_vertex));
    EW_TRY(ew_grow(&change->added_parent, &change->parent_capacity, edit->n_add_vertex,
                   2 * sizeof *change->added_parent));
    EW_TRY(ew_grow(&change->added_fraction, &change->fraction_capacity, edit->n_fraction,
                   sizeof *change->added_fraction));
    EW_TRY(ew_grow(&change->face_origin, &change->origin_capacity, edit->n_face_origin,
                   6 * sizeof *change->face_origin));
    EW_TRY(
        ew_grow(&change->merge, &change->merge_capacity, edit->n_merge, 2 * sizeof *change->merge));
    EW_TRY(
        ew_grow(&change->inside, &change->inside_capacity, edit->n_inside, sizeof *change->inside));
    EW_TRY(ew_grow(&change->added_tet_from, &change->from_capacity, edit->n_add_tet,
                   sizeof *change->added_tet_from));
    EW_TRY(reserve_list(&change->removed_vertex, edit->remove_vertex.n));
    EW_TRY(reserve_list(&change->removed_tet, n_gone));
    EW_TRY(ew_grow(&change->removed_tet_vertex, &change->removed_capacity, n_gone,
                   4 * sizeof *change->removed_tet_vertex));
    EW_TRY(reserve_list(&change->added_tet, edit->n_add_tet));
    EW_TRY(reserve_list(&change->emptied_vertex, bounded(4 * (int64_t)n_gone, n_vertex)));
    EW_TRY(reserve_list(&change->filled_vertex, bounded(4 * (int64_t)edit->n_add_tet, n_vertex)));
    return ew_grow(&change->commit.old_position, &change->commit.old_capacity, edit->move_vertex.n,
                   3 * sizeof *change->commit.old_position);
}

/* ---- moved vertices ---------------------------------------------------- */

static void place_moves(ew_mesh *mesh, const ew_edit *edit, double *old_position)
{
    for (int32_t i = 0; i < edit->move_vertex.n; i++) {
        double *x = mesh->xyz + 3 * (size_t)edit->move_vertex.id[i];
        memcpy(old_position + 3 * (size_t)i, x, 3 * sizeof *x);
        memcpy(x, edit->move_to + 3 * (size_t)i, 3 * sizeof *x);
    }
}

static void put_back_moves(ew_mesh *mesh, const ew_edit *edit, const double *old_position)
{
    for (int32_t i = 0; i < edit->move_vertex.n; i++) {
        memcpy(mesh->xyz + 3 * (size_t)edit->move_vertex.id[i], old_position + 3 * (size_t)i,
               3 * sizeof *old_position);
    }
}

/* ---- application, which cannot fail ------------------------------------ */

/* Valence of a vertex that lost its last tet in this batch, until the batch is applied:
 * distinguishes it from one that had none before. */
enum { EMPTIED = -2 };

static void remove_tets(ew_mesh *mesh, const ew_edit *edit, ew_change *change)
{
    const ew_list *queue = &edit->remove_tet;
    ew_list *removed = &change->removed_tet;
    if (queue->n == 0) {
        return;
    }
    memcpy(removed->id, queue->id, (size_t)queue->n * sizeof *queue->id);
    removed->n = queue->n;
    ew_list_sort(removed);
    for (int32_t i = 0; i < removed->n; i++) {
        const int32_t *v = mesh->tet + 4 * (size_t)removed->id[i];
        memcpy(change->removed_tet_vertex + 4 * (size_t)i, v, 4 * sizeof *v);
        for (int k = 0; k < 4; k++) {
            if (--mesh->valence[v[k]] == 0) {
                mesh->valence[v[k]] = EMPTIED;
                mesh->n_active_vertex--;
                push_reserved(&change->emptied_vertex, v[k]);
            }
        }
    }
    for (int32_t i = 0; i < queue->n; i++) {
        int32_t *v = mesh->tet + 4 * (size_t)queue->id[i];
        v[0] = v[1] = v[2] = v[3] = -1;
        push_reserved(&mesh->tet_hole, queue->id[i]);
    }
    mesh->n_live_tet -= queue->n;
}

static void remove_vertices(ew_mesh *mesh, const ew_edit *edit, ew_change *change)
{
    for (int32_t i = 0; i < edit->remove_vertex.n; i++) {
        int32_t v = edit->remove_vertex.id[i];
        mesh->valence[v] = -1;
        push_reserved(&mesh->vertex_hole, v);
        push_reserved(&change->removed_vertex, v);
    }
}

static int32_t take_slot(const ew_mesh *mesh, ew_list *hole, int32_t *n_slot)
{
    return hole->n && !mesh->appends ? hole->id[--hole->n] : (*n_slot)++;
}

/* The slot that a queue names. */
static int32_t slot_of(const ew_change *change, int32_t named)
{
    return named <= EW_NEW_VERTEX(0) ? change->added_vertex.id[EW_NEW_VERTEX(named)] : named;
}

static void add_vertices(ew_mesh *mesh, const ew_edit *edit, ew_change *change)
{
    for (int32_t i = 0; i < edit->n_add_vertex; i++) {
        int32_t v = take_slot(mesh, &mesh->vertex_hole, &mesh->n_vertex);
        memcpy(mesh->xyz + 3 * (size_t)v, edit->add_vertex + 3 * (size_t)i, 3 * sizeof(double));
        mesh->valence[v] = 0;
        mesh->vertex_id[v] = mesh->next_vertex_id++;
        push_reserved(&change->added_vertex, v);
        for (size_t k = 2 * (size_t)i; k < 2 * (size_t)i + 2; k++) {
            change->added_parent[k] = slot_of(change, edit->add_parent[k]);
        }
    }
    change->n_fraction = edit->n_fraction;
    for (int32_t i = 0; i < edit->n_fraction; i++) {
        change->added_fraction[i] = edit->add_fraction[i];
    }
    change->n_inside = edit->n_inside;
    if (edit->n_inside) {
        memcpy(change->inside, edit->inside, (size_t)edit->n_inside * sizeof *edit->inside);
    }
}

static void add_face_origins(const ew_edit *edit, ew_change *change)
{
    change->n_face_origin = edit->n_face_origin;
    for (int32_t i = 0; i < 6 * edit->n_face_origin; i++) {
        const int32_t v = edit->face_origin[i];
        change->face_origin[i] = i % 6 < 3 ? slot_of(change, v) : v;
    }
}

static void add_merges(const ew_edit *edit, ew_change *change)
{
    change->n_merge = edit->n_merge;
    for (int32_t i = 0; i < 2 * edit->n_merge; i++) {
        change->merge[i] = edit->merge[i];
    }
}

/* As ew_mesh_face_is_kept, while vertices whose tets are all replaced are marked. */
static bool stays_labeled(const ew_mesh *mesh, int32_t f)
{
    bool stays = true;
    for (size_t i = 0; i < 3; i++) {
        const int32_t v = mesh->face[3 * (size_t)f + i];
        stays = stays && mesh->valence[v] != -1 && mesh->vertex_id[v] < mesh->face_id_end;
    }
    return stays;
}

/* Triangles with a vertex that is gone are dropped while its slot still tells, for the new ones
 * may name vertices that take such slots. */
static void drop_dead_labels(ew_mesh *mesh)
{
    int32_t n = 0;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        if (stays_labeled(mesh, f)) {
            memmove(mesh->face + 3 * (size_t)n, mesh->face + 3 * (size_t)f, 3 * sizeof *mesh->face);
            mesh->face_label[n++] = mesh->face_label[f];
        }
    }
    mesh->n_face = n;
}

static void add_labels(ew_mesh *mesh, const ew_edit *edit, const ew_change *change)
{
    for (int32_t i = 0; i < edit->n_add_face; i++) {
        int32_t *v = mesh->face + 3 * (size_t)mesh->n_face;
        for (int k = 0; k < 3; k++) {
            v[k] = slot_of(change, edit->add_face[3 * (size_t)i + k]);
        }
        mesh->face_label[mesh->n_face++] = edit->add_face_label[i];
    }
    mesh->face_id_end = mesh->next_vertex_id;
}

static int32_t region_of(const ew_mesh *mesh, int32_t label)
{
    int32_t r = 0;
    while (mesh->region_label[r] != label) {
        r++;
    }
    return r;
}

/* The slot of each added tet, in the order of the queue. */
static void take_tet_slots(ew_mesh *mesh, int32_t n, ew_list *added)
{
    for (int32_t i = 0; i < n; i++) {
        push_reserved(added, take_slot(mesh, &mesh->tet_hole, &mesh->n_tet));
    }
}

/* Into slots of their own, so by all threads. */
static void write_tets(ew_mesh *mesh, const ew_edit *edit, ew_change *change)
{
    enum { MIN = 1 << 14 };
    const int32_t n = edit->n_add_tet;
#pragma omp parallel num_threads(ew_threads_for(n, MIN))
    {
        int32_t region = -1;
#pragma omp for schedule(static)
        for (int32_t i = 0; i < n; i++) {
            const int32_t t = change->added_tet.id[i];
            if (region < 0 || mesh->region_label[region] != edit->add_tet_region[i]) {
                region = region_of(mesh, edit->add_tet_region[i]);
            }
            mesh->region[t] = region;
            mesh->tet_id[t] = mesh->next_tet_id + i;
            mesh->born[t] = mesh->frame;
            change->added_tet_from[i] = edit->add_tet_from[i];
            for (size_t k = 0; k < 4; k++) {
                mesh->tet[4 * (size_t)t + k] = slot_of(change, edit->add_tet[4 * (size_t)i + k]);
            }
        }
    }
    mesh->next_tet_id += n;
}

static void add_tets(ew_mesh *mesh, const ew_edit *edit, ew_change *change)
{
    take_tet_slots(mesh, edit->n_add_tet, &change->added_tet);
    write_tets(mesh, edit, change);
    for (int32_t i = 0; i < edit->n_add_tet; i++) {
        const int32_t *v = mesh->tet + 4 * (size_t)change->added_tet.id[i];
        for (int k = 0; k < 4; k++) {
            int32_t *valence = &mesh->valence[v[k]];
            if (*valence <= 0) {
                if (*valence == 0) {
                    push_reserved(&change->filled_vertex, v[k]);
                }
                mesh->n_active_vertex++;
                *valence = 0;
            }
            ++*valence;
        }
    }
    mesh->n_live_tet += edit->n_add_tet;
}

/* Of the vertices that lost their last tet, those that got none again. A slot that a new
 * vertex took is emptied too as long as it has none. */
static void settle_emptied(ew_mesh *mesh, ew_list *emptied)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < emptied->n; i++) {
        int32_t v = emptied->id[i];
        if (mesh->valence[v] <= 0) {
            mesh->valence[v] = mesh->valence[v] == EMPTIED ? 0 : mesh->valence[v];
            emptied->id[kept++] = v;
        }
    }
    emptied->n = kept;
}

static void apply(ew_mesh *mesh, const ew_edit *edit, ew_change *change)
{
    const ew_list *label = &change->commit.new_region;
    for (int32_t i = 0; i < label->n; i++) {
        mesh->region_label[mesh->n_region++] = label->id[i];
    }
    remove_tets(mesh, edit, change);
    remove_vertices(mesh, edit, change);
    if (edit->n_add_face) {
        drop_dead_labels(mesh);
    }
    add_vertices(mesh, edit, change);
    add_tets(mesh, edit, change);
    add_face_origins(edit, change);
    add_merges(edit, change);
    if (edit->n_add_face) {
        add_labels(mesh, edit, change);
    }
    settle_emptied(mesh, &change->emptied_vertex);
    ew_list_sort(&change->emptied_vertex);
    ew_list_sort(&change->filled_vertex);
    mesh->revision += change->removed_tet.n || change->removed_vertex.n || change->added_vertex.n ||
                      change->added_tet.n || change->moved_vertex.n;
    change->to_revision = mesh->revision;
}

/* ---- the stage --------------------------------------------------------- */

/* Tets alone that were cut up: the operation that did knows their faces. */
static bool are_faces_known(const ew_batch *batch)
{
    return batch->edit->parts_of && batch->edit->parts_of == batch->mesh->revision;
}

static ew_status check_and_place(ew_batch *batch)
{
    double **old_position = &batch->change->commit.old_position;
    const bool known = are_faces_known(batch);
    EW_TRY(ew_batch_check_ids(batch));
    EW_TRY(ew_batch_find_curves(batch));
    EW_TRY(reserve_mesh(batch->mesh, batch->edit, batch->change));
    EW_TRY(reserve_change(batch->change, batch->mesh, batch->edit));
    EW_TRY(known ? EW_OK : ew_batch_reserve_faces(batch));
    place_moves(batch->mesh, batch->edit, *old_position);
    ew_status status = ew_batch_check_shapes(batch);
    if (!status && !known) {
        status = ew_batch_check_faces(batch);
    }
    if (status) {
        put_back_moves(batch->mesh, batch->edit, *old_position);
    }
    return status;
}

ew_status ew_mesh_check_edit(ew_mesh *mesh, const ew_edit *edit, const ew_rows *vertex_to_tet,
                             ew_change *change)
{
    ew_batch batch = {.mesh = mesh, .edit = edit, .vertex_to_tet = vertex_to_tet, .change = change};
    clear_change(change, mesh);
    const ew_status status = check_and_place(&batch);
    if (!status) {
        put_back_moves(mesh, edit, change->commit.old_position);
    }
    ew_release(batch.stays);
    ew_release(batch.side);
    clear_change(change, mesh);
    return status;
}

ew_status ew_mesh_commit(ew_mesh *mesh, const ew_edit *edit, const ew_rows *vertex_to_tet,
                         ew_change *change)
{
    ew_batch batch = {.mesh = mesh, .edit = edit, .vertex_to_tet = vertex_to_tet, .change = change};
    clear_change(change, mesh);
    ew_status status = check_and_place(&batch);
    ew_release(batch.stays);
    if (!status) {
        apply(mesh, edit, change);
    }
    if (!status && change->to_revision != change->from_revision) {
        ew_batch_put_curves(&batch);
    }
    ew_release(batch.side);
    if (status) {
        clear_change(change, mesh);
        return status;
    }
#ifdef EW_VALIDATE
    status = ew_mesh_check(mesh);
    /* Construction lets crowded faces pass, and the checker needs memory. */
    EW_ASSERT(status == EW_OK || status == EW_MESH_FACE || status == EW_NO_MEMORY);
#endif
    return EW_OK;
}
