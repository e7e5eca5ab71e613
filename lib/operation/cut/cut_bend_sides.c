/* Sides of a cut through tets with curved sides. In: the cut of the straight tets, its vertices'
 * places in the curved ones. Out: the curves of its sides.
 *
 * Where a tet would be folded by them, those on a round surface leave it for the place that their
 * straight middle has in the curved tets, of which tets are parts that no curve folds; where that
 * is not enough, those within the body become straight. Those on the body's faces stay. */
#include "operation/cut/cut_bend.h"

#define STRAIGHT 1e-12 /* of its length: a side that is bent by less is straight */
#define STRAY    0.25  /* of the length: the middle of a side is so near to what it lies on */

/* ---- sides ----------------------------------------------------------------------------- */

/* The curve that the mesh has; false: it has no such side. */
static bool find_old(const ew_bender *in, int32_t a, int32_t b, double curve[3])
{
    const ew_mesh *mesh = in->c->mesh;
    const int32_t v = in->local->vertex[a].slot, w = in->local->vertex[b].slot;
    if (ew_bend_has_moved(in->local, a) || ew_bend_has_moved(in->local, b) ||
        ew_pattern_pair_between(&in->local->topology->pattern, v < w ? v : w, v < w ? w : v) < 0) {
        return false;
    }
    const double *found = ew_mesh_curve(mesh, mesh->vertex_id[v], mesh->vertex_id[w]);
    for (int i = 0; i < 3; i++) {
        curve[i] = found ? found[i] : 0.0;
    }
    return true;
}

/* The place of the straight middle, on what the side lies on. */
static ew_curved_hold find_middle(const ew_bender *in, const ew_bent_side *side,
                                  const ew_side_faces *faces, ew_curved_place *place)
{
    const double *a = in->local->vertex[side->a].x, *b = in->local->vertex[side->b].x;
    const double p[3] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
    const double length = ew_bend_length(a, b);
    const ew_curved_body *body = &in->c->body;
    const bool sharp = faces->is_sharp && ew_bend_is_on_edge(body, in->local, side->a) &&
                       ew_bend_is_on_edge(body, in->local, side->b);
    const bool on = faces->is_cut && ew_curved_on_edge(body, p, EW_BEND_EXACT * length);
    ew_curved_hold hold = !faces->n ? EW_HOLD_NONE : sharp || on ? EW_HOLD_EDGE : EW_HOLD_FACE;
    ew_curved_find(body, p, hold, in->local, faces->record, place);
    while (hold != EW_HOLD_NONE && ew_bend_length(place->p, p) > STRAY * length) {
        hold = hold == EW_HOLD_EDGE ? EW_HOLD_FACE : EW_HOLD_NONE;
        ew_curved_find(body, p, hold, in->local, faces->record, place);
    }
    return hold;
}

/* curve = how far the place lies beyond the mean of the ends. */
static void set_curve(const ew_bender *in, const ew_bent_side *side, const double place[3],
                      double curve[3])
{
    const double *a = in->x + 3 * (size_t)side->a, *b = in->x + 3 * (size_t)side->b;
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        curve[i] = place[i] - 0.5 * (a[i] + b[i]);
        most = fmax(most, fabs(curve[i]));
    }
    if (most <= STRAIGHT * ew_bend_length(a, b)) {
        memset(curve, 0, 3 * sizeof *curve);
    }
}

static void find_curve(const ew_bender *in, ew_bent_side *side, const ew_side_faces *faces)
{
    const double *a = in->x + 3 * (size_t)side->a, *b = in->x + 3 * (size_t)side->b;
    ew_curved_place place;
    const ew_curved_hold hold = find_middle(in, side, faces, &place);
    side->is_free = hold == EW_HOLD_NONE;
    side->is_round = false;
    set_curve(in, side, place.x, side->beside);
    if (faces->is_cut && hold != EW_HOLD_EDGE) {
        ew_bend_target target = ew_bend_target_of(in, faces);
        for (int k = 0; k < target.n; k++) {
            const ew_cut_shape *shape = target.shape[k];
            side->is_round = side->is_round || !shape->is_flat;
            target.off[k] =
                0.5 * (shape->distance(shape, a, NULL) + shape->distance(shape, b, NULL));
        }
        const double from[3] = {place.x[0], place.x[1], place.x[2]};
        if (!ew_bend_onto_surface(in, hold, faces->record, &target, &place)) {
            memcpy(place.x, from, sizeof from);
            side->is_round = false;
            in->c->n_beside++;
        }
    }
    set_curve(in, side, place.x, side->curve);
}

/* Tets at a side whose curve changes without a moved vertex change as well. */
static ew_status replace_around(ew_bender *in, int32_t a, int32_t b)
{
    ew_local *local = in->local;
    EW_TRY(ew_local_star(local, a));
    for (int32_t i = 0; i < local->star.n; i++) {
        const int32_t t = local->star.id[i];
        const ew_local_tet tet = local->tet[t];
        int32_t made;
        if (tet.slot >= 0 && ew_local_corner(&tet, b) >= 0 && !ew_local_has_moved(local, t)) {
            EW_TRY(ew_local_add_tet(local, tet.v, tet.face, t, &made));
            ew_local_remove_tet(local, t);
        }
    }
    return EW_OK;
}

/* The vertex that one of a slit's flank was made from. */
static int32_t root_of(const ew_local *local, int32_t v)
{
    while (local->vertex[v].slot < 0 && local->vertex[v].parent[0] == local->vertex[v].parent[1]) {
        v = local->vertex[v].parent[0];
    }
    return v;
}

static ew_status join_group(ew_bender *in, ew_bent_side *side)
{
    const int32_t a = root_of(in->local, side->a), b = root_of(in->local, side->b);
    const int32_t n = in->group_of.n;
    EW_TRY(ew_grow(&in->group, &in->group_capacity, (int64_t)n + 1, sizeof *in->group));
    EW_TRY(ew_map_enter(&in->group_of, a < b ? a : b, a < b ? b : a, -1, n, &side->group));
    if (side->group < 0) {
        side->group = n;
        in->group[n] = (ew_bent_group){.may_leave = true, .may_straighten = true};
    }
    ew_bent_group *group = &in->group[side->group];
    group->may_leave = group->may_leave && side->is_round;
    group->may_straighten = group->may_straighten && side->is_free;
    return EW_OK;
}

static ew_status add_side(ew_bender *in, int32_t a, int32_t b)
{
    ew_bent_side side = {.a = a < b ? a : b, .b = a < b ? b : a};
    double old[3], off = 0.0;
    int32_t before;
    EW_TRY(ew_map_enter(&in->row, side.a, side.b, -1, in->n, &before));
    if (before >= 0) {
        return EW_OK;
    }
    const ew_side_faces faces = ew_faces_of_side(in->local, a, b);
    const bool is_old = find_old(in, side.a, side.b, old);
    if (!is_old || faces.is_cut) {
        find_curve(in, &side, &faces);
    }
    for (int i = 0; i < 3 && is_old && faces.is_cut; i++) {
        off = fmax(off, fabs(side.curve[i] - old[i]));
    }
    if (is_old && off <= EW_BEND_EXACT * in->c->body.size) {
        memcpy(side.curve, old, sizeof old);
        side.is_free = side.is_round = false;
    }
    EW_TRY(join_group(in, &side));
    EW_TRY(ew_grow(&in->side, &in->capacity, (int64_t)in->n + 1, sizeof *in->side));
    in->side[in->n++] = side;
    return off > EW_BEND_EXACT * in->c->body.size ? replace_around(in, side.a, side.b) : EW_OK;
}

/* Of tets that are others than before, and at faces of the cut. */
ew_status ew_bend_sides(ew_bender *in)
{
    const ew_local *local = in->local;
    for (int32_t t = 0; t < local->n_tet; t++) {
        const ew_local_tet tet = local->tet[t];
        bool needed = ew_local_is_live(local, t) && (tet.slot < 0 || ew_local_has_moved(local, t));
        for (int k = 0; k < 4 && ew_local_is_live(local, t) && !needed; k++) {
            needed = tet.face[k] >= 0 && local->face[tet.face[k]].is_cut;
        }
        for (int e = 0; e < 6 && needed; e++) {
            EW_TRY(add_side(in, tet.v[ew_edge_vertex[e][0]], tet.v[ew_edge_vertex[e][1]]));
        }
    }
    return EW_OK;
}

/* ---- folds ------------------------------------------------------------------------------- */

static void take_curve(const ew_bender *in, const ew_bent_side *side, double curve[3])
{
    const ew_bent_group *group = &in->group[side->group];
    for (int i = 0; i < 3; i++) {
        curve[i] = group->is_straight ? 0.0 : group->leaves ? side->beside[i] : side->curve[i];
    }
}

/* The next thing that may be done with the sides of a folded tet. */
static bool ease(ew_bender *in, const int32_t row[6])
{
    bool eased = false;
    for (int k = 0; k < 12 && !(k == 6 && eased); k++) {
        ew_bent_group *group = row[k % 6] < 0 ? NULL : &in->group[in->side[row[k % 6]].group];
        if (group && k < 6 && group->may_leave && !group->leaves) {
            group->leaves = eased = true;
        } else if (group && k >= 6 && group->may_straighten && !group->is_straight) {
            group->is_straight = eased = true;
        }
    }
    return eased;
}

static bool is_folded(ew_bender *in, int32_t t, bool *eased)
{
    double x[12], d[18] = {0.0}, at[4];
    int32_t row[6];
    bool curved = false;
    for (int k = 0; k < 4; k++) {
        memcpy(x + 3 * k, in->x + 3 * (size_t)in->local->tet[t].v[k], 3 * sizeof *x);
    }
    for (int e = 0; e < 6; e++) {
        const int32_t *v = in->local->tet[t].v;
        const int32_t a = v[ew_edge_vertex[e][0]], b = v[ew_edge_vertex[e][1]];
        double *c = d + 3 * e;
        row[e] = ew_map_find(&in->row, a < b ? a : b, a < b ? b : a, -1);
        if (row[e] >= 0) {
            take_curve(in, &in->side[row[e]], c);
        }
        curved = curved || c[0] != 0.0 || c[1] != 0.0 || c[2] != 0.0;
    }
    if (!curved || ew_curved_tet_fold(x, d, at) == INFINITY) {
        return false;
    }
    *eased = ease(in, row) || *eased;
    return true;
}

static ew_status refuse_fold(const ew_bender *in, int32_t t)
{
    const int64_t id = in->local->mesh->tet_id[in->local->tet[t].from];
    const double *x = in->x + 3 * (size_t)in->local->tet[t].v[0];
    return ew_fail_about(EW_BAD_EDIT, id, -1,
                         "cut: a part of tet %lld, at (%g, %g, %g), would be folded by its curved "
                         "sides; refine there first, or move the surface a little",
                         (long long)id, x[0], x[1], x[2]);
}

ew_status ew_bend_unfold(ew_bender *in)
{
    ew_local *local = in->local;
    bool eased = true;
    int32_t folded = -1;
    while (eased) {
        eased = false;
        folded = -1;
        for (int32_t t = 0; t < local->n_tet; t++) {
            const ew_local_tet *tet = &local->tet[t];
            if (ew_local_is_live(local, t) && (tet->slot < 0 || ew_local_has_moved(local, t)) &&
                is_folded(in, t, &eased)) {
                folded = t;
            }
        }
    }
    EW_TRY(folded < 0 ? EW_OK : refuse_fold(in, folded));
    for (int32_t i = 0; i < in->n; i++) {
        double curve[3];
        const ew_bent_group *group = &in->group[in->side[i].group];
        in->c->n_beside += in->side[i].is_round && (group->leaves || group->is_straight);
        take_curve(in, &in->side[i], curve);
        EW_TRY(ew_local_add_curve(local, in->side[i].a, in->side[i].b, curve));
    }
    return EW_OK;
}
