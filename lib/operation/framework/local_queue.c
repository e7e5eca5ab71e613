/* The difference between a part of a mesh and what has become of it, as an edit. */
#include "operation/framework/local.h"

#include <string.h>

typedef struct queuer {
    ew_local *local;
    ew_edit *edit;
    int32_t *name; /* [n_vertex] owned: slot or EW_NEW_VERTEX */
    bool *needed;  /* [n_vertex] owned: a new one that is queued */
} queuer;

/* New vertices with tets, and those without that they came from: fields come by way of them.
 * Parents come before their children. */
static void mark_needed(queuer *q)
{
    const ew_local *local = q->local;
    for (int32_t v = local->n_vertex - 1; v >= 0; v--) {
        const ew_local_vertex *of = &local->vertex[v];
        q->needed[v] = q->needed[v] || of->n_tet;
        for (int i = 0; i < 2 && of->slot < 0 && q->needed[v]; i++) {
            q->needed[of->parent[i]] = true;
        }
    }
}

static ew_status queue_vertices(queuer *q)
{
    const ew_local *local = q->local;
    mark_needed(q);
    for (int32_t v = 0; v < local->n_vertex; v++) {
        const ew_local_vertex *of = &local->vertex[v];
        q->name[v] = of->slot;
        if (of->slot < 0 && q->needed[v]) {
            const int32_t a = q->name[of->parent[0]], b = q->name[of->parent[1]];
            EW_TRY(a == b ? ew_edit_add_vertex_from(q->edit, of->x, a, a, &q->name[v])
                          : ew_edit_add_vertex_between(q->edit, of->x, a, b, of->fraction,
                                                       &q->name[v]));
        } else if (of->slot >= 0 && (of->n_tet || !of->is_open) &&
                   memcmp(of->x, local->mesh->xyz + 3 * (size_t)of->slot, sizeof of->x) != 0) {
            EW_TRY(ew_edit_move_vertex(q->edit, of->slot, of->x));
        }
    }
    return EW_OK;
}

static ew_status queue_tets(queuer *q)
{
    const ew_local *local = q->local;
    for (int32_t t = 0; t < local->n_tet; t++) {
        const ew_local_tet *tet = &local->tet[t];
        const bool live = ew_local_is_live(local, t);
        if (!live && tet->slot >= 0) {
            EW_TRY(ew_edit_remove_tet(q->edit, tet->slot));
        } else if (live && tet->slot < 0) {
            int32_t v[4];
            for (int k = 0; k < 4; k++) {
                v[k] = q->name[tet->v[k]];
            }
            const int32_t label = tet->region < local->mesh->n_region
                                      ? local->mesh->region_label[tet->region]
                                      : local->new_region;
            EW_TRY(ew_edit_add_tet_from(q->edit, v, label, tet->from));
        }
    }
    return EW_OK;
}

static ew_status queue_curves(queuer *q)
{
    const ew_local *local = q->local;
    for (int32_t i = 0; i < local->n_curve; i++) {
        const ew_local_curve *of = &local->curve[i];
        EW_TRY(ew_edit_add_curve(q->edit, q->name[of->a], q->name[of->b], of->curve));
    }
    return EW_OK;
}

/* ---- faces --------------------------------------------------------------- */

static bool is_same(const int32_t v[3], const int32_t corner[3])
{
    int n = 0;
    for (int i = 0; i < 9; i++) {
        n += v[i / 3] == corner[i % 3];
    }
    return n == 3;
}

/* Of the two tets at a marked face inside the body, the first speaks. */
static bool is_first(const ew_local *local, int32_t t, int k, const ew_local_face *record)
{
    int other;
    const int32_t beyond = record->is_boundary ? -1 : ew_local_across(local, t, k, &other);
    return beyond < 0 || t < beyond;
}

static ew_status queue_labels(queuer *q, const int32_t v[3], const ew_local_face *record)
{
    const ew_local *local = q->local;
    for (int32_t f = record->triangle; f >= 0; f = local->label_next[f]) {
        EW_TRY(ew_edit_add_face(q->edit, v, local->mesh->face_label[f]));
    }
    return record->is_cut && record->triangle < 0 ? ew_edit_add_face(q->edit, v, record->label)
                                                  : EW_OK;
}

static ew_status queue_face(queuer *q, int32_t t, int k)
{
    const ew_local *local = q->local;
    const ew_local_tet *tet = &local->tet[t];
    const ew_local_face *record = &local->face[tet->face[k]];
    int32_t v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = q->name[tet->v[ew_face_vertex[k][i]]];
    }
    if (is_same(v, record->corner)) {
        return EW_OK;
    }
    if ((record->is_cut || record->triangle >= 0) && is_first(local, t, k, record)) {
        EW_TRY(queue_labels(q, v, record));
    }
    return record->is_boundary && record->corner[0] >= 0
               ? ew_edit_add_face_origin(q->edit, v, record->corner)
               : EW_OK;
}

static ew_status queue_faces(queuer *q)
{
    const ew_local *local = q->local;
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            if (local->tet[t].face[k] >= 0) {
                EW_TRY(queue_face(q, t, k));
            }
        }
    }
    return EW_OK;
}

ew_status ew_local_queue(ew_local *local, ew_edit *edit)
{
    queuer q = {.local = local, .edit = edit};
    ew_status status;
    EW_TRY_OUT(ew_new(&q.name, (size_t)local->n_vertex, sizeof *q.name));
    EW_TRY_OUT(ew_new_zero(&q.needed, (size_t)local->n_vertex, sizeof *q.needed));
    EW_TRY_OUT(queue_vertices(&q));
    EW_TRY_OUT(queue_tets(&q));
    EW_TRY_OUT(queue_curves(&q));
    EW_TRY_OUT(queue_faces(&q));
out:
    ew_release(q.name);
    ew_release(q.needed);
    return status;
}
