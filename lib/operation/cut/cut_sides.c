/* The sides of a cut. In: a part of the mesh, no tet of which has vertices on both sides. Out: what
 * is kept, with the faces of the cut marked; or why not.
 *
 * A tet is on the side of its vertices; one that lies on the surface altogether on that of its
 * centroid. */
#include "operation/cut/cut.h"

#include <string.h>

static int8_t side_of(const ew_cutter *c, int32_t t)
{
    const ew_local_tet *tet = &c->local.tet[t];
    double center[3] = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        if (c->local.vertex[tet->v[k]].sign) {
            return c->local.vertex[tet->v[k]].sign;
        }
        for (int i = 0; i < 3; i++) {
            center[i] += 0.25 * c->local.vertex[tet->v[k]].x[i];
        }
    }
    return c->shape.distance(&c->shape, center, NULL) < 0.0 ? -1 : 1;
}

static bool is_on_surface(const ew_local *local, const ew_local_tet *tet, int corner)
{
    bool on = true;
    for (int i = 0; i < 3; i++) {
        on = on && local->vertex[tet->v[ew_face_vertex[corner][i]]].sign == 0;
    }
    return on;
}

/* Faces between both sides get the record, on both sides where both are kept. */
static int32_t mark_faces(ew_cutter *c, const int8_t *side, int32_t record)
{
    ew_local *local = &c->local;
    int32_t n = 0;
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t) && side[t] < 0; k++) {
            int other = 0;
            const int32_t beyond =
                is_on_surface(local, &local->tet[t], k) ? ew_local_across(local, t, k, &other) : -1;
            if (beyond >= 0 && side[beyond] > 0) {
                local->tet[t].face[k] = local->tet[beyond].face[other] = record;
                n++;
            }
        }
    }
    return n;
}

/* ---- whether what is kept hangs together by faces -------------------------- */

/* Whether the tets of a star do not all hang together by faces at the vertex. */
static ew_status is_pinched_at(ew_local *local, int32_t vertex, bool *pinched)
{
    int32_t n_seen = 1;
    EW_TRY(ew_local_star(local, vertex));
    const ew_list *star = &local->star;
    ew_list *work = &local->work;
    work->n = 0;
    EW_TRY(ew_list_push(work, star->id[0]));
    for (int32_t i = 0; i < work->n; i++) {
        const int32_t t = work->id[i];
        for (int k = 0; k < 4; k++) {
            int other;
            if (local->tet[t].v[k] == vertex) {
                continue;
            }
            const int32_t beyond = ew_local_across(local, t, k, &other);
            bool seen = beyond < 0;
            for (int32_t j = 0; j < work->n && !seen; j++) {
                seen = work->id[j] == beyond;
            }
            if (!seen) {
                EW_TRY(ew_list_push(work, beyond));
                n_seen++;
            }
        }
    }
    *pinched = n_seen < star->n;
    return EW_OK;
}

static ew_status refuse_pinched(ew_cutter *c)
{
    ew_local *local = &c->local;
    for (int32_t v = 0; v < local->n_vertex; v++) {
        const ew_local_vertex *of = &local->vertex[v];
        bool pinched = false;
        if (of->sign || !of->is_open || !of->n_tet) {
            continue;
        }
        EW_TRY(is_pinched_at(local, v, &pinched));
        if (pinched) {
            return ew_fail(EW_BAD_EDIT,
                           "cut: the kept part would be connected by a single vertex at "
                           "(%g, %g, %g); move the surface a little, or refine there first",
                           of->x[0], of->x[1], of->x[2]);
        }
    }
    return EW_OK;
}

/* ---- all ---------------------------------------------------------------------- */

static ew_status refuse_miss(bool has_inside, bool has_outside, int32_t n_face)
{
    if (has_inside && has_outside && n_face) {
        return EW_OK;
    }
    if (has_outside && !has_inside) {
        return ew_fail(EW_BAD_EDIT,
                       "cut: no vertex of the body is inside the surface: it misses the body, or "
                       "is smaller than the tets there; check its place and size, or refine there "
                       "first");
    }
    return ew_fail(EW_BAD_EDIT,
                   "cut: the surface misses the body, which lies %s it; check its place and size",
                   has_inside && has_outside ? "on both sides of" : "inside");
}

static void look_far(const ew_cutter *c, bool *has_inside, bool *has_outside)
{
    for (int32_t v = 0; v < c->mesh->n_vertex && !(*has_inside && *has_outside); v++) {
        if (ew_mesh_vertex_is_active(c->mesh, v) &&
            ew_map_find(&c->local.vertex_of, v, -1, -1) < 0) {
            *has_inside = *has_inside || c->side[v] < 0;
            *has_outside = *has_outside || c->side[v] > 0;
        }
    }
}

static int8_t side_to_drop(const ew_cutter *c)
{
    return c->def->keep == EW_CUT_KEEP_INSIDE ? 1 : c->def->keep == EW_CUT_KEEP_OUTSIDE ? -1 : 0;
}

static void drop(ew_cutter *c, const int8_t *side)
{
    const int8_t gone = side_to_drop(c);
    for (int32_t t = 0; t < c->local.n_tet && gone; t++) {
        if (ew_local_is_live(&c->local, t) && side[t] == gone) {
            ew_local_remove_tet(&c->local, t);
        }
    }
}

static ew_status find_sides(ew_cutter *c, int8_t *side)
{
    if (c->def->kind == EW_CUT_SURFACE) {
        return ew_cut_find_sides(c, side);
    }
    for (int32_t t = 0; t < c->local.n_tet; t++) {
        side[t] = (int8_t)(ew_local_is_live(&c->local, t) ? side_of(c, t) : 0);
    }
    return EW_OK;
}

static ew_status mark_between(ew_cutter *c, const int8_t *side, int32_t *n_face)
{
    if (c->def->kind == EW_CUT_SURFACE) {
        *n_face = ew_cut_mark_patches(c, side);
        return EW_OK;
    }
    EW_TRY(ew_local_cut_record(&c->local, c->def->label, side_to_drop(c) != 0, &c->record));
    *n_face = mark_faces(c, side, c->record);
    return EW_OK;
}

/* New, or not where it was: beside the rim of a patch, too, where no face of the cut is left. */
static bool was_touched(const ew_local *local, int32_t v)
{
    const ew_local_vertex *of = &local->vertex[v];
    return of->slot < 0 ||
           memcmp(of->x, local->mesh->xyz + 3 * (size_t)of->slot, sizeof of->x) != 0;
}

ew_status ew_cut_separate(ew_cutter *c)
{
    ew_local *local = &c->local;
    int8_t *side;
    int32_t n_face = 0;
    bool has_inside = false, has_outside = false;
    EW_TRY(ew_new_zero(&side, (size_t)local->n_tet, sizeof *side));
    ew_status status = find_sides(c, side);
    for (int32_t t = 0; t < local->n_tet; t++) {
        has_inside = has_inside || side[t] < 0;
        has_outside = has_outside || side[t] > 0;
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        local->tet[t].side = side[t];
    }
    look_far(c, &has_inside, &has_outside);
    if (!status) {
        status = mark_between(c, side, &n_face);
    }
    if (!status) {
        status = refuse_miss(has_inside, has_outside, n_face);
    }
    if (!status) {
        drop(c, side);
        status = side_to_drop(c) ? refuse_pinched(c) : EW_OK;
    }
    for (int32_t v = 0; v < local->n_vertex && !status; v++) {
        ew_local_vertex *of = &local->vertex[v];
        const bool touched = of->sign == 0 || was_touched(local, v);
        of->ring = touched && of->is_open && of->n_tet ? 0 : -1;
    }
    ew_release(side);
    return status;
}

/* Tets that never came in have all vertices on one side. */
ew_status ew_cut_remove_far(const ew_cutter *c, ew_edit *edit)
{
    const ew_mesh *mesh = c->mesh;
    const int8_t gone = side_to_drop(c);
    for (int32_t t = 0; t < mesh->n_tet && gone; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && c->side[mesh->tet[4 * (size_t)t]] == gone &&
            ew_map_find(&c->local.tet_of, t, -1, -1) < 0) {
            EW_TRY(ew_edit_remove_tet(edit, t));
        }
    }
    return EW_OK;
}
