/* Whether a batch of edits names what exists. In: mesh, queues,
 * the table of tets by vertex. Out: the first offender with its place in the queue, or what is
 * removed and moved. */
#include "mesh/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names in messages ------------------------------------------------- */

static ew_status fail_dead(const char *kind, int32_t place, const char *what, int32_t slot,
                           int32_t n_slot)
{
    bool hole = slot >= 0 && slot < n_slot;
    return ew_fail_about(EW_BAD_EDIT, slot, -1,
                         "%s, place %d of the queue: %s slot %d %s; name a live one", kind, place,
                         what, slot, hole ? "is a hole" : "does not exist");
}

static ew_status fail_new(const char *kind, int32_t place, int32_t named)
{
    return ew_fail_about(
        EW_BAD_EDIT, named, -1,
        "%s, place %d of the queue: new vertex %d is not in the batch; queue it, or "
        "name a live one",
        kind, place, EW_NEW_VERTEX(named));
}

static ew_status fail_twice(const char *kind, int32_t place, int32_t slot, ew_name n)
{
    return ew_fail_about(EW_BAD_EDIT, slot, -1,
                         "%s, place %d of the queue: %s is named twice; queue it once", kind, place,
                         n.text);
}

static bool is_live_vertex(const ew_mesh *mesh, int32_t v)
{
    return v >= 0 && v < mesh->n_vertex && mesh->valence[v] >= 0;
}

static bool is_finite(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

ew_status ew_batch_tets_of(const ew_batch *batch, int32_t v, const int32_t **tet, int32_t *n)
{
    const ew_rows *rows = batch->vertex_to_tet;
    *n = v < rows->n_row ? rows->count[v] : 0;
    if (*n != batch->mesh->valence[v]) {
        return ew_fail(EW_STALE,
                       "the table of tets by vertex gives %s %d tets, the mesh %d; update the "
                       "table before the commit",
                       ew_vertex_name(batch->mesh, v).text, *n, batch->mesh->valence[v]);
    }
    *tet = *n ? rows->item + rows->begin[v] : NULL;
    return EW_OK;
}

/* Where one fails, threads do not know which was the first: it is looked for in order. */
ew_status ew_batch_check_all(const ew_batch *batch, int32_t n, ew_batch_check check)
{
    enum { MIN_PARALLEL = 8192 };
    bool good = n >= MIN_PARALLEL;
    if (good) {
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(&& : good)
        for (int32_t i = 0; i < n; i++) {
            good = good && !check(batch, i);
        }
    }
    for (int32_t i = 0; i < n && !good; i++) {
        EW_TRY(check(batch, i));
    }
    return EW_OK;
}

/* ---- removals ---------------------------------------------------------- */

static ew_status check_remove_tets(ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_list *queue = &batch->edit->remove_tet;
    ew_set *gone = &batch->change->commit.gone_tet;
    for (int32_t i = 0; i < queue->n; i++) {
        int32_t t = queue->id[i];
        if (t < 0 || t >= mesh->n_tet || !ew_mesh_tet_is_live(mesh, t)) {
            return fail_dead("remove tet", i, "tet", t, mesh->n_tet);
        }
        if (ew_set_has(gone, t)) {
            return fail_twice("remove tet", i, t, ew_tet_name(mesh, t));
        }
        EW_TRY(ew_set_add(gone, t));
    }
    return EW_OK;
}

/* Names a removed vertex that a surviving tet has; there is one. */
static ew_status fail_holding_vertex(const ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_list *queue = &batch->edit->remove_vertex;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int k = 0; ew_mesh_tet_is_live(mesh, t) && k < 4; k++) {
            int32_t v = mesh->tet[4 * (size_t)t + k], place = 0;
            if (ew_set_has(&batch->change->commit.gone_tet, t) ||
                !ew_set_has(&batch->change->commit.gone_vertex, v)) {
                continue;
            }
            while (queue->id[place] != v) {
                place++;
            }
            return ew_fail_about(
                EW_BAD_EDIT, v, t,
                "remove vertex, place %d of the queue: %s still has %s; remove its tets "
                "too",
                place, ew_vertex_name(mesh, v).text, ew_tet_name(mesh, t).text);
        }
    }
    return ew_fail(EW_BAD_EDIT, "remove vertex: the mesh' counts of tets at vertices are wrong; "
                                "check the mesh");
}

/* A removed vertex loses all its tets when the removed tets' corners at removed vertices are
 * as many as those vertices' tets, for no vertex loses more than it has. */
static ew_status check_remove_vertices(ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_list *queue = &batch->edit->remove_vertex;
    const ew_list *tet = &batch->edit->remove_tet;
    ew_set *gone = &batch->change->commit.gone_vertex;
    int64_t left = 0;
    for (int32_t i = 0; i < queue->n; i++) {
        int32_t v = queue->id[i];
        if (!is_live_vertex(mesh, v)) {
            return fail_dead("remove vertex", i, "vertex", v, mesh->n_vertex);
        }
        if (ew_set_has(gone, v)) {
            return fail_twice("remove vertex", i, v, ew_vertex_name(mesh, v));
        }
        EW_TRY(ew_set_add(gone, v));
        left += mesh->valence[v];
    }
    for (int32_t i = 0; left > 0 && i < tet->n; i++) {
        for (int k = 0; k < 4; k++) {
            left -= ew_set_has(gone, mesh->tet[4 * (size_t)tet->id[i] + k]);
        }
    }
    return left ? fail_holding_vertex(batch) : EW_OK;
}

/* ---- vertices ---------------------------------------------------------- */

static ew_status check_moves(ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_list *queue = &batch->edit->move_vertex;
    ew_set *moved = &batch->change->commit.moved_vertex;
    for (int32_t i = 0; i < queue->n; i++) {
        int32_t v = queue->id[i];
        const double *to = batch->edit->move_to + 3 * (size_t)i;
        if (!is_live_vertex(mesh, v)) {
            return fail_dead("move vertex", i, "vertex", v, mesh->n_vertex);
        }
        if (ew_set_has(moved, v)) {
            return fail_twice("move vertex", i, v, ew_vertex_name(mesh, v));
        }
        if (ew_set_has(&batch->change->commit.gone_vertex, v)) {
            return ew_fail_about(
                EW_BAD_EDIT, v, -1,
                "move vertex, place %d of the queue: %s is removed by the same batch; "
                "do one of the two",
                i, ew_vertex_name(mesh, v).text);
        }
        if (!is_finite(to)) {
            return ew_fail_about(
                EW_BAD_EDIT, v, -1,
                "move vertex, place %d of the queue: position (%g, %g, %g) of %s is not "
                "finite; give three numbers",
                i, to[0], to[1], to[2], ew_vertex_name(mesh, v).text);
        }
        EW_TRY(ew_set_add(moved, v));
        if (memcmp(to, mesh->xyz + 3 * (size_t)v, 3 * sizeof *to) != 0) {
            EW_TRY(ew_list_push(&batch->change->moved_vertex, v));
        }
    }
    ew_list_sort(&batch->change->moved_vertex);
    return EW_OK;
}

/* Parents are earlier added vertices, or such as stay in the mesh. */
static ew_status check_parents(const ew_batch *batch, int32_t i)
{
    const ew_mesh *mesh = batch->mesh;
    const int32_t *parent = batch->edit->add_parent + 2 * (size_t)i;
    const bool none = parent[0] == -1 && parent[1] == -1;
    for (int k = 0; k < 2 && !none; k++) {
        const int32_t v = parent[k];
        if (v <= EW_NEW_VERTEX(0) ? EW_NEW_VERTEX(v) >= i : !is_live_vertex(mesh, v)) {
            return v <= EW_NEW_VERTEX(0)
                       ? fail_new("parent of an added vertex", i, v)
                       : fail_dead("parent of an added vertex", i, "vertex", v, mesh->n_vertex);
        }
        if (v >= 0 && ew_set_has(&batch->change->commit.gone_vertex, v)) {
            return ew_fail_about(
                EW_BAD_EDIT, v, -1,
                "parent of an added vertex, place %d of the queue: %s is removed by the "
                "same batch; keep it or name another",
                i, ew_vertex_name(mesh, v).text);
        }
    }
    return EW_OK;
}

static ew_status check_add_vertex(const ew_batch *batch, int32_t i)
{
    const double *x = batch->edit->add_vertex + 3 * (size_t)i;
    if (!is_finite(x)) {
        return ew_fail_about(
            EW_BAD_EDIT, EW_NEW_VERTEX(i), -1,
            "add vertex, place %d of the queue: position (%g, %g, %g) is not finite;"
            " give three numbers",
            i, x[0], x[1], x[2]);
    }
    const double fraction = ew_edit_fraction(batch->edit, i);
    if (!(fraction > 0.0 && fraction < 1.0)) {
        return ew_fail_about(
            EW_BAD_EDIT, EW_NEW_VERTEX(i), -1,
            "add vertex, place %d of the queue: it lies at fraction %g between its "
            "parents; give one between 0 and 1",
            i, fraction);
    }
    return check_parents(batch, i);
}

/* Surviving tets with a moved vertex, found in one pass over the mesh. */
static ew_status scan_moved_tets(ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    ew_change *change = batch->change;
    ew_set *moved = &change->commit.moved_vertex;
    if (change->moved_vertex.n < moved->list.n) { /* some stay where they are */
        ew_set_clear(moved);
        for (int32_t i = 0; i < change->moved_vertex.n; i++) {
            EW_TRY(ew_set_add(moved, change->moved_vertex.id[i]));
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (v[0] >= 0 &&
            (ew_set_has(moved, v[0]) || ew_set_has(moved, v[1]) || ew_set_has(moved, v[2]) ||
             ew_set_has(moved, v[3])) &&
            !ew_set_has(&change->commit.gone_tet, t)) {
            EW_TRY(ew_list_push(&change->moved_tet, t));
        }
    }
    return EW_OK;
}

static ew_status collect_moved_tets(ew_batch *batch)
{
    enum { SHARE = 16 }; /* one vertex in so many tets moves: a pass is cheaper than rows */
    const ew_list *vertex = &batch->change->moved_vertex;
    ew_set *seen = &batch->change->commit.moved_tet;
    if (vertex->n == 0) {
        return EW_OK;
    }
    if (!batch->vertex_to_tet || vertex->n > batch->mesh->n_tet / SHARE) {
        return scan_moved_tets(batch);
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t *tet;
        int32_t n;
        EW_TRY(ew_batch_tets_of(batch, vertex->id[i], &tet, &n));
        for (int32_t k = 0; k < n; k++) {
            if (!ew_set_has(seen, tet[k]) && !ew_set_has(&batch->change->commit.gone_tet, tet[k])) {
                EW_TRY(ew_set_add(seen, tet[k]));
                EW_TRY(ew_list_push(&batch->change->moved_tet, tet[k]));
            }
        }
    }
    ew_list_sort(&batch->change->moved_tet);
    return EW_OK;
}

/* ---- added tets, before moves are in place ----------------------------- */

/* The n vertices of the i-th queued tet or face. */
static ew_status check_corners(const ew_batch *batch, const char *kind, int32_t i, const int32_t *v,
                               int n)
{
    const ew_mesh *mesh = batch->mesh;
    for (int k = 0; k < n; k++) {
        if (v[k] <= EW_NEW_VERTEX(0) ? EW_NEW_VERTEX(v[k]) >= batch->edit->n_add_vertex
                                     : !is_live_vertex(mesh, v[k])) {
            return v[k] <= EW_NEW_VERTEX(0) ? fail_new(kind, i, v[k])
                                            : fail_dead(kind, i, "vertex", v[k], mesh->n_vertex);
        }
        if (ew_set_has(&batch->change->commit.gone_vertex, v[k])) {
            return ew_fail_about(
                EW_BAD_EDIT, v[k], -1,
                "%s, place %d of the queue: %s is removed by the same batch; keep it or "
                "name another",
                kind, i, ew_vertex_name(mesh, v[k]).text);
        }
        for (int j = 0; j < k; j++) {
            if (v[j] == v[k]) {
                return ew_fail_about(
                    EW_BAD_EDIT, v[k], -1,
                    "%s, place %d of the queue: %s is named twice; give %d different "
                    "vertices",
                    kind, i, ew_vertex_name(mesh, v[k]).text, n);
            }
        }
    }
    return EW_OK;
}

static bool has_label(const int32_t *label, int32_t n, int32_t wanted)
{
    int32_t r = 0;
    while (r < n && label[r] != wanted) {
        r++;
    }
    return r < n;
}

static ew_status check_tet_corners(const ew_batch *batch, int32_t i)
{
    return check_corners(batch, "add tet", i, batch->edit->add_tet + 4 * (size_t)i, 4);
}

static ew_status check_add_tets(ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_edit *edit = batch->edit;
    ew_list *added = &batch->change->commit.new_region;
    EW_TRY(ew_batch_check_all(batch, edit->n_add_tet, check_tet_corners));
    for (int32_t i = 0; i < edit->n_add_tet; i++) {
        int32_t label = edit->add_tet_region[i];
        if ((i == 0 || label != edit->add_tet_region[i - 1]) &&
            !has_label(mesh->region_label, mesh->n_region, label) &&
            !has_label(added->id, added->n, label)) {
            EW_TRY(ew_list_push(added, label));
        }
        for (int k = 0; !batch->vertex_to_tet && k < 4; k++) {
            int32_t v = edit->add_tet[4 * (size_t)i + k];
            if (v >= 0) {
                EW_TRY(ew_set_add(&batch->change->commit.corner, v));
            }
        }
    }
    return EW_OK;
}

static ew_status check_add_faces(const ew_batch *batch)
{
    for (int32_t i = 0; i < batch->edit->n_add_face; i++) {
        EW_TRY(check_corners(batch, "add face", i, batch->edit->add_face + 3 * (size_t)i, 3));
    }
    return EW_OK;
}

static ew_status check_face_origins(const ew_batch *batch)
{
    for (int32_t i = 0; i < batch->edit->n_face_origin; i++) {
        const int32_t *origin = batch->edit->face_origin + 6 * (size_t)i;
        EW_TRY(check_corners(batch, "face with an origin", i, origin, 3));
        for (int k = 3; k < 6; k++) {
            if (!is_live_vertex(batch->mesh, origin[k])) {
                return fail_dead("origin of a face", i, "vertex", origin[k], batch->mesh->n_vertex);
            }
        }
    }
    return EW_OK;
}

/* The first is removed, the second stays. */
static ew_status check_merge(const ew_batch *batch, int32_t i)
{
    const int32_t *pair = batch->edit->merge + 2 * (size_t)i;
    const ew_set *gone = &batch->change->commit.gone_vertex;
    if (!ew_set_has(gone, pair[0])) {
        return ew_fail_about(EW_BAD_EDIT, pair[0], -1,
                             "merge, place %d of the queue: vertex slot %d stays; remove it by the "
                             "same batch",
                             i, (int)pair[0]);
    }
    return is_live_vertex(batch->mesh, pair[1]) && !ew_set_has(gone, pair[1])
               ? EW_OK
               : fail_dead("merge", i, "vertex", pair[1], batch->mesh->n_vertex);
}

/* Places ascend, corners stay in the mesh, weights are shares. */
static ew_status check_inside(const ew_batch *batch, int32_t i)
{
    const ew_inside *in = &batch->edit->inside[i];
    const int32_t before = i ? batch->edit->inside[i - 1].place : -1;
    double sum = 0.0;
    bool shares = true;
    for (int k = 0; k < 4; k++) {
        const int32_t v = in->corner[k];
        if (!is_live_vertex(batch->mesh, v) || ew_set_has(&batch->change->commit.gone_vertex, v)) {
            return fail_dead("corner around an added vertex", i, "vertex", v,
                             batch->mesh->n_vertex);
        }
        shares = shares && in->weight[k] >= 0.0 && in->weight[k] <= 1.0;
        sum += in->weight[k];
    }
    if (!shares || !(sum > 0.999 && sum < 1.001) || in->place <= before ||
        in->place >= batch->edit->n_add_vertex) {
        return ew_fail_about(
            EW_BAD_EDIT, EW_NEW_VERTEX(in->place), -1,
            "vertex inside a tet, place %d of the queue: names added vertex %d with "
            "weights %g, %g, %g, %g; places ascend, weights are shares of 1",
            i, in->place, in->weight[0], in->weight[1], in->weight[2], in->weight[3]);
    }
    return EW_OK;
}

ew_status ew_batch_check_ids(ew_batch *batch)
{
    EW_TRY(check_remove_tets(batch));
    EW_TRY(check_remove_vertices(batch));
    EW_TRY(check_moves(batch));
    EW_TRY(ew_batch_check_all(batch, batch->edit->n_add_vertex, check_add_vertex));
    EW_TRY(ew_batch_check_all(batch, batch->edit->n_inside, check_inside));
    EW_TRY(ew_batch_check_all(batch, batch->edit->n_merge, check_merge));
    EW_TRY(check_add_tets(batch));
    EW_TRY(check_add_faces(batch));
    EW_TRY(check_face_origins(batch));
    return collect_moved_tets(batch);
}
