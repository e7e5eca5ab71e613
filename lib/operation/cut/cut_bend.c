/* A cut through tets with curved sides. In: the cut of the straight tets between the same vertices.
 * Out: its vertices, and the middles of its sides, where they are in the curved ones.
 *
 * All is planned in the straight tets, with distances from the surface of the places that their
 * points have in the curved ones (curved_body.h). Then a vertex goes to its place, and the middle
 * of a side to that of the straight middle: parts of a tet are exactly parts of the curved one. On
 * faces and edges of the body the place is the nearest one there, so that these stay what they are
 * but for what a quadratic side cannot follow; and vertices and middles of the cut's faces come
 * onto the surface, within the face or edge that they are on, by Newton's steps. The middle between
 * a vertex beside the surface, where the cut is welded to it, and another is half as far from it.
 */
#include "operation/cut/cut_bend.h"

#define BESIDE 0.05 /* of the mean edge: a vertex of the cut farther away is welded */
#define GOOD   0.1 /* quality that a vertex may go onto the surface for, in place of a better one */

/* ---- distances -------------------------------------------------------------------- */

/* To first order that in the straight tets. */
static double bent_distance(const ew_cut_shape *shape, const double x[3], double *gradient)
{
    const ew_bent_shape *bent = shape->data;
    ew_curved_place place;
    double g[3];
    ew_curved_find(bent->body, x, EW_HOLD_NONE, NULL, -1, &place);
    const double off = bent->plain->distance(bent->plain, place.x, g);
    ew_curved_pull(bent->body, &place, g);
    const double length = hypot(hypot(g[0], g[1]), g[2]);
    for (int i = 0; i < 3 && gradient; i++) {
        gradient[i] = length > 0.0 ? g[i] / length : 0.0;
    }
    return length > 0.0 ? off / length : off;
}

static bool touches_curved(const ew_cutter *c)
{
    bool curved = false;
    for (int32_t t = 0; t < c->local.n_tet && !curved; t++) {
        const ew_local_tet *tet = &c->local.tet[t];
        const bool changed = !ew_local_is_live(&c->local, t) || ew_local_has_moved(&c->local, t);
        curved = tet->slot >= 0 && (changed || !c->made) && ew_curved_tet(c->mesh, tet->slot);
    }
    return curved;
}

ew_status ew_cut_bend_shape(ew_cutter *c)
{
    c->is_bent = c->mesh->n_curve && (c->is_bent || touches_curved(c));
    if (!c->is_bent) {
        return EW_OK;
    }
    const int32_t n = c->patched.n_patch;
    EW_TRY(ew_new(&c->bent, (size_t)(n ? n : 1), sizeof *c->bent));
    c->plain = c->shape;
    for (int32_t k = 0; k < (n ? n : 1); k++) {
        ew_bent_shape *bent = &c->bent[k];
        bent->body = &c->body;
        bent->plain = n ? &c->patched.patch[k].shape : &c->plain;
        bent->shape = *bent->plain;
        bent->shape.distance = bent_distance;
        bent->shape.is_flat = false;
        bent->shape.data = bent;
    }
    c->shape = c->bent[0].shape;
    return ew_curved_body_init(&c->body, &c->local);
}

bool ew_cut_needs_bending(ew_cutter *c)
{
    c->made = true;
    return c->mesh->n_curve && !c->is_bent && touches_curved(c);
}

/* ---- places ------------------------------------------------------------------------ */

void ew_cut_place(const ew_cutter *c, const double p[3], double x[3])
{
    ew_curved_place place;
    memcpy(place.x, p, sizeof place.x);
    if (c->is_bent) {
        ew_curved_find(&c->body, p, EW_HOLD_NONE, NULL, -1, &place);
    }
    memcpy(x, place.x, sizeof place.x);
}

void ew_cut_corners(const ew_cutter *c, int32_t t, double room[4][3], const double *x[4])
{
    for (int k = 0; k < 4; k++) {
        const int32_t v = c->local.tet[t].v[k];
        x[k] = c->local.vertex[v].x;
        if (c->is_bent && ew_bend_has_moved(&c->local, v)) {
            ew_cut_place(c, x[k], room[k]);
            x[k] = room[k];
        }
    }
}

/* ---- vertices ------------------------------------------------------------------------ */

/* What holds a vertex of a part; n_sharp: how many sharp edges meet there. Faces that have come to
 * bend at a vertex that lies on no sharp edge of the body as it was are one curved face. */
static ew_status hold_of_vertex(const ew_bender *in, ew_local *local, int32_t v, ew_vertex_hold *of)
{
    const ew_curved_body *body = &in->c->body;
    *of = (ew_vertex_hold){.hold = EW_HOLD_NONE, .like = -1};
    EW_TRY(ew_local_neighbors(local, v));
    for (int32_t k = 0; k < local->near.n; k++) {
        const ew_side_faces faces = ew_faces_of_side(local, v, local->near.id[k]);
        for (int i = 0; i < 2; i++) {
            if (faces.cut[i] >= 0) {
                ew_bend_add_target(in, faces.cut[i], &of->cut);
            }
        }
        of->like = of->like < 0 ? faces.record : of->like;
        of->n_sharp += faces.n && faces.is_sharp;
    }
    of->hold = of->like < 0                                        ? EW_HOLD_NONE
               : of->n_sharp && ew_bend_is_on_edge(body, local, v) ? EW_HOLD_EDGE
                                                                   : EW_HOLD_FACE;
    return EW_OK;
}

/* A vertex that the cut is welded to beside the surface goes onto it where its tets let it: not a
 * corner of the body. */
static ew_status unweld(ew_bender *in, int32_t v, double floor)
{
    ew_local *local = in->local, *old = &in->c->body.old;
    const int32_t before = ew_map_find(&old->vertex_of, local->vertex[v].slot, -1, -1);
    ew_vertex_hold of;
    ew_curved_place place;
    double from[3];
    memcpy(from, local->vertex[v].x, sizeof from);
    if (before < 0 || !local->vertex[v].is_open || !local->vertex[v].n_tet ||
        local->vertex[v].sign) {
        return EW_OK;
    }
    EW_TRY(hold_of_vertex(in, old, before, &of));
    if (of.n_sharp > 2) {
        return EW_OK;
    }
    EW_TRY(hold_of_vertex(in, local, v, &of));
    ew_curved_find(&in->c->body, from, EW_HOLD_NONE, NULL, -1, &place);
    if (ew_bend_distance(&of.cut, place.x) < EW_BEND_EXACT * in->c->body.size) {
        return EW_OK;
    }
    const double least = ew_local_min_quality(local, v);
    ew_curved_find(&in->c->body, from, of.hold, local, of.like, &place);
    if (ew_bend_onto_surface(in, of.hold, of.like, &of.cut, &place)) {
        ew_local_move(local, v, place.p);
        if (!(ew_local_min_quality(local, v) >= fmin(least, floor))) {
            ew_local_move(local, v, from);
        }
    }
    return EW_OK;
}

/* In the order of their names. */
static ew_status unweld_all(ew_bender *in, double floor)
{
    const ew_local *local = in->local;
    ew_keyed *list;
    int32_t n = 0;
    EW_TRY(ew_new(&list, (size_t)local->n_vertex, sizeof *list));
    for (int32_t v = 0; v < local->n_vertex; v++) {
        if (local->vertex[v].slot >= 0) {
            list[n++] = (ew_keyed){0.0, local->vertex[v].name, v};
        }
    }
    ew_sort_by_name(list, n);
    ew_status status = EW_OK;
    for (int32_t i = 0; i < n && !status; i++) {
        status = unweld(in, list[i].slot, floor);
    }
    ew_release(list);
    return status;
}

ew_status ew_cut_unweld(ew_cutter *c)
{
    ew_bender in = {.c = c, .local = &c->local};
    return c->is_bent ? unweld_all(&in, fmax(2.0 * c->def->floor, GOOD)) : EW_OK;
}

static ew_status place_vertex(ew_bender *in, int32_t v)
{
    ew_local *local = in->local;
    const ew_curved_body *body = &in->c->body;
    const double *p = local->vertex[v].x;
    ew_vertex_hold of = {.hold = EW_HOLD_NONE, .like = -1};
    ew_curved_place place;
    memcpy(in->x + 3 * (size_t)v, p, sizeof place.x);
    if (!ew_bend_has_moved(local, v)) {
        return EW_OK;
    }
    EW_TRY(local->vertex[v].n_tet ? hold_of_vertex(in, local, v, &of) : EW_OK);
    ew_curved_find(body, p, of.hold, local, of.like, &place);
    const double off = ew_bend_distance(&of.cut, place.x);
    if (off > 0.0 && off < BESIDE * body->size &&
        !ew_bend_onto_surface(in, of.hold, of.like, &of.cut, &place)) {
        ew_curved_find(body, p, of.hold, local, of.like, &place);
        in->c->n_welded++;
        in->c->welded_off = fmax(in->c->welded_off, off);
    }
    memcpy(in->x + 3 * (size_t)v, place.x, sizeof place.x);
    return EW_OK;
}

/* All tets at the vertices of those that are others than before have to be here. */
static ew_status open_changed(ew_local *local)
{
    const int32_t n = local->n_tet;
    for (int32_t t = 0; t < n; t++) {
        const bool changed = ew_local_is_live(local, t) && ew_local_has_moved(local, t);
        const bool made = ew_local_is_live(local, t) && local->tet[t].slot < 0;
        for (int k = 0; k < 4 && (changed || made); k++) {
            EW_TRY(ew_local_open(local, local->tet[t].v[k]));
        }
    }
    return EW_OK;
}

/* ---- all ----------------------------------------------------------------------------------- */

static ew_status bend_part(ew_bender *in, const ew_improve_def *improve)
{
    ew_local *local = in->local;
    EW_TRY(open_changed(local));
    EW_TRY(ew_new(&in->x, 3 * (size_t)local->n_vertex, sizeof *in->x));
    for (int32_t v = 0; v < local->n_vertex; v++) {
        EW_TRY(place_vertex(in, v));
    }
    EW_TRY(ew_bend_sides(in));
    for (int32_t v = 0; v < local->n_vertex; v++) {
        memcpy(local->vertex[v].x, in->x + 3 * (size_t)v, sizeof local->vertex[v].x);
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        if (ew_local_is_live(local, t)) {
            ew_local_measure(local, t);
        }
    }
    EW_TRY(ew_improve_refuse(local, improve, "cut",
                             "refine there first, or move the surface a little"));
    return ew_bend_unfold(in);
}

ew_status ew_cut_bend(ew_cutter *c, const ew_improve_def *improve)
{
    ew_bender in = {.c = c, .local = &c->local};
    const ew_status status = c->is_bent ? bend_part(&in, improve) : EW_OK;
    ew_release(in.x);
    ew_release(in.side);
    ew_release(in.group);
    ew_map_free(&in.row);
    ew_map_free(&in.group_of);
    return status;
}
