/* Tets that a surface to cut along meets. In: the mesh, the surface. Out: distances of vertices
 * from it, their sides, and the tets that it meets, opened.
 *
 * Distances say of most tets whether they are met: one with a corner near enough is, and one whose
 * corners are all far away is not. The rest is looked at in full. Vertices that are farther from
 * the surface than any of their tets asks for have the side of those that they share tets with. */
#include "operation/cut/cut.h"

#include <math.h>

#define REACH 0.2 /* of a tet's edges: patches reach so far beyond their rims */
#define COVER                                                                                      \
    0.6124 /* of its longest edge: no point of a tet is farther from all corners (Jung 1901) */
#define CERTAIN 1e-9  /* distances are that exact, relative */
#define EXACT   1e-12 /* of the surface's extent: vertices that near are on it */
#define FLAT    1e-5  /* likewise: corners of a flat patch are that near to its plane */

/* ---- tets ------------------------------------------------------------------------ */

/* Mean and longest edge. */
static double measure_edges(const double *const x[4], double *longest)
{
    double sum = 0.0, most = 0.0;
    for (int k = 0; k < 6; k++) {
        const double *a = x[ew_edge_vertex[k][0]], *b = x[ew_edge_vertex[k][1]];
        const double length = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                                   (a[2] - b[2]) * (a[2] - b[2]));
        sum += length;
        most = length > most ? length : most;
    }
    *longest = most;
    return sum / 6.0;
}

double ew_cut_mean_edge(const double *const x[4])
{
    double longest;
    return measure_edges(x, &longest);
}

/* far [4]: distances of the corners from the triangles; INFINITY: too far to matter. longest: of
 * the edges. */
static bool tet_meets_surface(const ew_triangles *tree, const double *const x[4],
                              const double far[4], double slack, double longest)
{
    const double least = fmin(fmin(far[0], far[1]), fmin(far[2], far[3]));
    if (least < (1.0 - CERTAIN) * slack) {
        return true;
    }
    return least <= (1.0 + CERTAIN) * (COVER * longest + slack) &&
           ew_triangles_meet(tree, 4, x, slack);
}

/* ---- the mesh ---------------------------------------------------------------------- */

enum { UNKNOWN = 2, MIN = 1 << 10 };

int8_t ew_cut_sign(const ew_cutter *c, double off)
{
    const double exact = EXACT * c->patched.extent;
    return (int8_t)((off > exact) - (off < -exact));
}

/* Of the point of weights l of a tet with curves c_ab: 4 sum l_a l_b |c_ab|, and the sum of all six
 * l_a l_b is at most 6 / 16. */
static void find_bulges(ew_cutter *c)
{
    const ew_mesh *mesh = c->mesh;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_tet, MIN))
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double longest = 0.0;
        for (int e = 0; e < 6 && mesh->n_curve && ew_mesh_tet_is_live(mesh, t); e++) {
            const int32_t *v = mesh->tet + 4 * (size_t)t;
            const double *d = ew_mesh_curve(mesh, mesh->vertex_id[v[ew_edge_vertex[e][0]]],
                                            mesh->vertex_id[v[ew_edge_vertex[e][1]]]);
            longest = fmax(longest, d ? hypot(hypot(d[0], d[1]), d[2]) : 0.0);
        }
        c->bulge[t] = 1.5 * longest;
    }
}

/* reach [n_vertex]: beyond it from a vertex no surface meets any of its tets. */
static void find_reach(const ew_cutter *c, double *reach)
{
    const ew_mesh *mesh = c->mesh;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double *x[4];
        double longest;
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        ew_tet_corners(mesh, t, x);
        const double mean = measure_edges(x, &longest);
        const double own = (1.0 + 2.0 * CERTAIN) * (COVER * longest + REACH * mean + c->bulge[t]);
        for (int k = 0; k < 4; k++) {
            double *of = &reach[mesh->tet[4 * (size_t)t + (size_t)k]];
            *of = own > *of ? own : *of;
        }
    }
}

/* far [n_vertex]: reach in, distance out, INFINITY beyond it, where the side is unknown. */
static void find_sides(ew_cutter *c, double *far)
{
    const ew_mesh *mesh = c->mesh;
#pragma omp parallel for schedule(dynamic, 256) num_threads(ew_threads_for(mesh->n_vertex, MIN))
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double off = ew_patched_distance(&c->patched, mesh->xyz + 3 * (size_t)v, far[v]);
        c->side[v] = off < INFINITY ? ew_cut_sign(c, off) : UNKNOWN;
        far[v] = fabs(off);
    }
}

static void find_met(const ew_cutter *c, const double *far, bool *met)
{
    const ew_mesh *mesh = c->mesh;
#pragma omp parallel for schedule(dynamic, 256) num_threads(ew_threads_for(mesh->n_tet, MIN))
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        met[t] = false;
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double *x[4];
            double of[4], longest;
            ew_tet_corners(mesh, t, x);
            const double mean = measure_edges(x, &longest);
            for (int k = 0; k < 4; k++) {
                of[k] = far[mesh->tet[4 * (size_t)t + (size_t)k]];
            }
            met[t] =
                tet_meets_surface(&c->patched.tree, x, of, REACH * mean + c->bulge[t], longest);
        }
    }
}

/* All corners of a tet that is not met are on one side. parent: [n_vertex]. */
static void spread_sides(ew_cutter *c, const bool *met, int32_t *parent)
{
    const ew_mesh *mesh = c->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        parent[v] = v;
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        for (int k = 1; k < 4 && ew_mesh_tet_is_live(mesh, t) && !met[t]; k++) {
            ew_join_parts(parent, v[0], v[k]);
        }
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        int8_t *side = &c->side[ew_root_of(parent, v)];
        *side = *side == UNKNOWN ? c->side[v] : *side;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        int8_t *side = &c->side[ew_root_of(parent, v)];
        if (*side == UNKNOWN) { /* a part of the mesh that is nowhere near */
            *side = ew_cut_sign(c, ew_patched_distance(&c->patched, mesh->xyz + 3 * (size_t)v,
                                                       INFINITY));
        }
        c->side[v] = c->side[v] == UNKNOWN ? *side : c->side[v];
    }
}

static ew_status look_at_all(ew_cutter *c, bool *met)
{
    const size_t n = (size_t)c->mesh->n_vertex;
    double *far;
    int32_t *parent = NULL;
    EW_TRY(ew_new(&c->bulge, (size_t)c->mesh->n_tet, sizeof *c->bulge));
    EW_TRY(ew_new_zero(&far, n, sizeof *far));
    const ew_status status = ew_new(&parent, n, sizeof *parent);
    if (!status) {
        find_bulges(c);
        find_reach(c, far);
        find_sides(c, far);
        find_met(c, far, met);
        spread_sides(c, met, parent);
    }
    ew_release(far);
    ew_release(parent);
    return status;
}

static bool is_crossed(const ew_cutter *c, int32_t t, const double *const x[4])
{
    bool side[2] = {false, false};
    for (int k = 0; k < 4; k++) {
        const int8_t of = c->side[c->mesh->tet[4 * (size_t)t + (size_t)k]];
        side[0] = side[0] || of < 0;
        side[1] = side[1] || of > 0;
    }
    return (side[0] && side[1]) || ew_triangles_meet(&c->patched.tree, 4, x, c->bulge[t]);
}

static ew_status open_tet(ew_local *local, const int32_t v[4])
{
    for (int k = 0; k < 4; k++) {
        int32_t vertex;
        EW_TRY(ew_local_enter(local, v[k], &vertex));
        EW_TRY(ew_local_open(local, vertex));
    }
    return EW_OK;
}

ew_status ew_cut_open_met(ew_cutter *c)
{
    const ew_mesh *mesh = c->mesh;
    bool *met;
    EW_TRY(ew_new(&met, (size_t)mesh->n_tet, sizeof *met));
    ew_status status = look_at_all(c, met);
    for (int32_t t = 0; t < mesh->n_tet && !status; t++) {
        const double *x[4];
        if (met[t]) {
            ew_tet_corners(mesh, t, x);
            const bool crossed = is_crossed(c, t, x);
            c->n_crossed += crossed;
            c->size += crossed ? ew_cut_mean_edge(x) : 0.0;
            status = open_tet(&c->local, mesh->tet + 4 * (size_t)t);
        }
    }
    c->size = c->n_crossed ? c->size / c->n_crossed : 0.0;
    ew_release(met);
    return status;
}

/* ---- a part of it --------------------------------------------------------------------- */

ew_status ew_cut_need_offs(ew_cutter *c)
{
    EW_TRY(ew_grow(&c->off, &c->off_capacity, c->local.n_vertex, sizeof *c->off));
    for (; c->n_off < c->local.n_vertex; c->n_off++) {
        c->off[c->n_off] = ew_cut_unknown();
    }
    return EW_OK;
}

double ew_cut_off(ew_cutter *c, int32_t vertex)
{
    ew_cut_distance *of = &c->off[vertex];
    if (isnan(of->off)) {
        of->off = c->shape.distance(&c->shape, c->local.vertex[vertex].x, NULL);
    }
    return of->off;
}

/* x: the vertex's place. In straight tets the distance of the shape comes with it. */
static double far_from(ew_cutter *c, const ew_patch *patch, int32_t vertex, const double x[3])
{
    ew_cut_distance *of = &c->off[vertex];
    if (isnan(of->far)) {
        const double off = ew_patch_distance(patch, x, &of->far);
        of->off = c->is_bent ? of->off : off;
    }
    return of->far;
}

/* Whether the plane of a flat patch, or the box of any, parts it from a tet by more than slack. */
static bool is_parted(ew_cutter *c, const ew_patch *patch, int32_t t, const double *const x[4],
                      double slack)
{
    const ew_triangle_node *box = patch->tree.node;
    bool parted = false;
    for (int i = 0; i < 3; i++) {
        const double low = fmin(fmin(x[0][i], x[1][i]), fmin(x[2][i], x[3][i]));
        const double high = fmax(fmax(x[0][i], x[1][i]), fmax(x[2][i], x[3][i]));
        parted = parted || low - slack > box->high[i] || high + slack < box->low[i];
    }
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 4 && !parted && patch->shape.is_flat; k++) {
        const double off = c->is_bent ? patch->shape.distance(&patch->shape, x[k], NULL)
                                      : ew_cut_off(c, c->local.tet[t].v[k]);
        low = fmin(low, off);
        high = fmax(high, off);
    }
    return parted || (patch->shape.is_flat && fmax(low, -high) > slack + FLAT * c->patched.extent);
}

bool ew_cut_patch_meets(ew_cutter *c, const ew_patch *patch, int32_t t)
{
    const double *x[4];
    double longest, far[4], room[4][3];
    ew_cut_corners(c, t, room, x);
    const double slack = REACH * measure_edges(x, &longest) + c->bulge[c->local.tet[t].from];
    if (is_parted(c, patch, t, x, slack)) {
        return false;
    }
    if (patch->shape.is_flat) {
        return ew_triangles_meet(&patch->tree, 4, x, slack);
    }
    for (int k = 0; k < 4; k++) {
        far[k] = far_from(c, patch, c->local.tet[t].v[k], x[k]);
    }
    return tet_meets_surface(&patch->tree, x, far, slack, longest);
}
