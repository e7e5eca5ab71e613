/* A body cut along a closed surface, patch by patch. In: a part of the mesh with all tets that the
 * surface meets, the patches. Out: a part in which no tet goes through the surface.
 *
 * Each patch goes on beyond its rim, and tets that it meets are cut along it as along a plane.
 * Faces that it leaves are marked, and hold the vertices that the next patch wants to move: so
 * vertices come to lie on the sharp edges, where two patches cross, and on the corners, where three
 * do. Then the parts between marked faces are found, each is inside or outside as most of it is,
 * and faces with the same side on both are forgotten. */
#include "operation/cut/cut.h"

#include <math.h>
#include <string.h>

#define STRAY        0.05 /* of an edge: faces of the cut are so near to a flat patch, and */
#define STRAY_CURVED 0.4  /* to one that bends between their corners */
#define DEEP         0.25 /* of a tet's edges: what is so far from the surface has a certain side */

/* ---- one patch ---------------------------------------------------------------------- */

enum { NOT_NEAR = 2 }; /* sign of a vertex that is none of those around the patch */

static void set_sign(ew_cutter *c, int32_t v)
{
    ew_local_vertex *of = &c->local.vertex[v];
    if (of->sign == NOT_NEAR) {
        of->sign = ew_cut_sign(c, ew_cut_off(c, v));
    }
}

/* Tets that the patch meets; around their vertices all vertices get a sign. Opening vertices brings
 * more tets in, which come last. */
static ew_status list_near(ew_cutter *c, const ew_patch *patch, ew_list *near)
{
    ew_local *local = &c->local;
    near->n = 0;
    for (int32_t t = 0; t < local->n_tet; t++) {
        if (!ew_local_is_live(local, t) || !ew_cut_patch_meets(c, patch, t)) {
            continue;
        }
        EW_TRY(ew_list_push(near, t));
        for (int k = 0; k < 4; k++) {
            const int32_t v = local->tet[t].v[k], n = local->n_vertex;
            EW_TRY(ew_local_open(local, v));
            for (int32_t i = n; i < local->n_vertex; i++) {
                local->vertex[i].sign = NOT_NEAR;
            }
            EW_TRY(ew_cut_need_offs(c));
            for (int32_t at = local->vertex[v].first; at >= 0;
                 at = local->tet[at / 4].next[at % 4]) {
                for (int i = 0; i < 4; i++) {
                    set_sign(c, local->tet[at / 4].v[i]);
                }
            }
        }
    }
    return EW_OK;
}

static int8_t sign_of_tet(const ew_cutter *c, int32_t t)
{
    const ew_local_tet *tet = &c->local.tet[t];
    double center[3] = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const ew_local_vertex *v = &c->local.vertex[tet->v[k]];
        if (v->sign == -1 || v->sign == 1) {
            return v->sign;
        }
        for (int i = 0; i < 3; i++) {
            center[i] += 0.25 * v->x[i];
        }
    }
    return c->shape.distance(&c->shape, center, NULL) < 0.0 ? -1 : 1;
}

/* Faces between both sides of the patch that it reaches, unless they are marked already. */
static void mark_faces(ew_cutter *c, const ew_patch *patch, int32_t record)
{
    ew_local *local = &c->local;
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            double x[3][3];
            bool on = local->tet[t].face[k] < 0;
            for (int i = 0; i < 3 && on; i++) {
                const ew_local_vertex *v = &local->vertex[local->tet[t].v[ew_face_vertex[k][i]]];
                on = v->sign == 0;
                ew_cut_place(c, v->x, x[i]);
            }
            int other = 0;
            const int32_t beyond = on ? ew_local_across(local, t, k, &other) : -1;
            if (beyond < 0 || sign_of_tet(c, t) >= sign_of_tet(c, beyond)) {
                continue;
            }
            const double size = sqrt((x[0][0] - x[1][0]) * (x[0][0] - x[1][0]) +
                                     (x[0][1] - x[1][1]) * (x[0][1] - x[1][1]) +
                                     (x[0][2] - x[1][2]) * (x[0][2] - x[1][2]));
            const double *at[3] = {x[0], x[1], x[2]};
            if (ew_triangles_meet(&patch->tree, 3, at,
                                  (c->shape.is_flat ? STRAY : STRAY_CURVED) * size)) {
                local->tet[t].face[k] = local->tet[beyond].face[other] = record;
            }
        }
    }
}

static ew_status cut_patch(ew_cutter *c, int32_t k, ew_list *near)
{
    const ew_patch *patch = &c->patched.patch[k];
    ew_local *local = &c->local;
    c->shape = *ew_cut_patch_shape(c, k);
    for (int32_t v = 0; v < local->n_vertex; v++) {
        local->vertex[v].sign = NOT_NEAR;
    }
    c->n_off = 0;
    EW_TRY(ew_cut_need_offs(c));
    EW_TRY(list_near(c, patch, near));
    EW_TRY(ew_cut_snap(c));
    EW_TRY(list_near(c, patch, near)); /* vertices have moved */
    c->near = near;
    EW_TRY(ew_cut_split(c));
    c->near = NULL;
    mark_faces(c, patch, c->record + k);
    return EW_OK;
}

ew_status ew_cut_patches(ew_cutter *c)
{
    ew_list near = {0};
    ew_status status = EW_OK;
    for (int32_t k = 0; k < c->patched.n_patch && !status; k++) {
        int32_t record;
        status = ew_local_cut_record(&c->local, c->def->label, false, &record);
        if (!status) {
            c->record = k ? c->record : record;
            c->local.face[record].is_cut = false;
            c->local.face[record].patch = k + 1;
        }
    }
    for (int flat = 1; flat >= 0; flat--) { /* so that rims of curved ones lie on both */
        for (int32_t k = 0; k < c->patched.n_patch && !status; k++) {
            if (c->patched.patch[k].shape.is_flat == (flat == 1)) {
                status = cut_patch(c, k, &near);
            }
        }
    }
    ew_list_free(&near);
    return status;
}

/* ---- sides ---------------------------------------------------------------------------- */

/* Tets that share a face without a mark belong together. */
static void join_parts(const ew_local *local, int32_t *parent)
{
    for (int32_t t = 0; t < local->n_tet; t++) {
        parent[t] = t;
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            int other = 0;
            const int32_t beyond =
                local->tet[t].face[k] < 0 ? ew_local_across(local, t, k, &other) : -1;
            if (beyond >= 0) {
                ew_join_parts(parent, t, beyond);
            }
        }
    }
}

static double center_off(const ew_cutter *c, int32_t t, double center[3])
{
    const int32_t *v = c->local.tet[t].v;
    memset(center, 0, 3 * sizeof *center);
    for (int i = 0; i < 12; i++) {
        center[i % 3] += 0.25 * c->local.vertex[v[i / 3]].x[i % 3];
    }
    ew_cut_place(c, center, center);
    return ew_patched_distance(&c->patched, center, INFINITY);
}

/* The sum at its corners: where the surface bends within a tet, it may pass by its centroid on the
 * wrong side, but not by these. */
static double off_corners(const ew_cutter *c, const double *const x[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        sum += ew_patched_distance(&c->patched, x[k], INFINITY);
    }
    return sum;
}

/* number: [n_tet] zero, of a part at its root: volume times distance, summed; off: [n_tet]. */
static ew_status choose_sides(ew_cutter *c, int32_t *parent, double *number, double *off,
                              int8_t *side)
{
    const ew_local *local = &c->local;
    double x[3], room[4][3];
    const bool flat = ew_patched_is_flat(&c->patched) && !c->is_bent;
    for (int32_t t = 0; t < local->n_tet; t++) {
        if (ew_local_is_live(local, t)) {
            const double *at[4];
            ew_cut_corners(c, t, room, at);
            off[t] = center_off(c, t, x);
            number[ew_root_of(parent, t)] += ew_tet_volume(at[0], at[1], at[2], at[3]) * off[t];
        }
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        if (!ew_local_is_live(local, t)) {
            continue;
        }
        const double *at[4];
        ew_cut_corners(c, t, room, at);
        side[t] = number[ew_root_of(parent, t)] < 0.0 ? -1 : 1;
        const double size = ew_cut_mean_edge((const double *const *)at);
        if (off[t] * side[t] < -DEEP * size &&
            (flat || off_corners(c, at) * side[t] < -DEEP * size)) {
            center_off(c, t, x);
            return ew_fail(EW_BAD_EDIT,
                           "cut: the surface has details finer than the tets at (%g, %g, %g), of "
                           "size %g; refine there first",
                           x[0], x[1], x[2], size);
        }
    }
    return EW_OK;
}

ew_status ew_cut_find_sides(ew_cutter *c, int8_t *side)
{
    int32_t *parent;
    double *number = NULL;
    const size_t n = (size_t)c->local.n_tet;
    EW_TRY(ew_new(&parent, n, sizeof *parent));
    ew_status status = ew_new_zero(&number, 2 * n, sizeof *number);
    if (!status) {
        join_parts(&c->local, parent);
        status = choose_sides(c, parent, number, number + n, side);
    }
    ew_release(parent);
    ew_release(number);
    return status;
}

/* ---- faces ------------------------------------------------------------------------------ */

static bool is_patch(const ew_cutter *c, int32_t record)
{
    return record >= c->record && record < c->record + c->patched.n_patch;
}

/* Records become those of a cut, and vertices of faces between both sides are on the surface. */
static void finish_marks(ew_cutter *c)
{
    ew_local *local = &c->local;
    for (int32_t k = 0; k < c->patched.n_patch; k++) {
        ew_local_face *face = &local->face[c->record + k];
        face->is_cut = true;
        face->is_boundary = c->def->keep < EW_CUT_KEEP_BOTH;
        face->shape = ew_cut_patch_shape(c, k);
    }
    for (int32_t v = 0; v < local->n_vertex; v++) {
        local->vertex[v].sign = 1;
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            for (int i = 0; i < 3 && is_patch(c, local->tet[t].face[k]); i++) {
                local->vertex[local->tet[t].v[ew_face_vertex[k][i]]].sign = 0;
            }
        }
    }
}

/* A face that was marked before the cut now is one of the nearest patch. */
static int32_t nearest_patch(const ew_cutter *c, int32_t t, int k)
{
    double center[3] = {0, 0, 0}, foot[3];
    int32_t part;
    for (int i = 0; i < 9; i++) {
        const int32_t v = c->local.tet[t].v[ew_face_vertex[k][i / 3]];
        center[i % 3] += c->local.vertex[v].x[i % 3] / 3.0;
    }
    ew_cut_place(c, center, center);
    return c->patched
        .patch_of[ew_triangles_nearest(&c->patched.tree, center, INFINITY, foot, &part)];
}

int32_t ew_cut_mark_patches(ew_cutter *c, const int8_t *side)
{
    ew_local *local = &c->local;
    int32_t n = 0;
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            int other = 0;
            int32_t *face = &local->tet[t].face[k];
            const int32_t beyond = *face < 0 ? -1 : ew_local_across(local, t, k, &other);
            if (beyond < 0 || side[t] > side[beyond]) {
                continue;
            }
            if (side[t] < side[beyond]) {
                *face = is_patch(c, *face) ? *face : c->record + nearest_patch(c, t, k);
                n++;
            } else if (is_patch(c, *face)) {
                *face = -1;
            }
            local->tet[beyond].face[other] = *face;
        }
    }
    finish_marks(c);
    return n;
}
