/* Mechanisms. In: mesh, tables and constraints. Out: the pieces (tets connected through
 * faces) that could move without deforming, and how.
 *
 * Each piece is a rigid body, tested by the Gram matrix of the directions in which its
 * points are held (rigid.h). A piece that is held holds the points it shares with
 * others, and so on until nothing changes: every incidence of a vertex and a piece is
 * visited a bounded number of times, O(n) in all. Pieces that are left then still may
 * hold one another, as the halves of a three-hinged arch do, so connected groups of them
 * are tried as one system (joint.c); a group of more than EW_JOINED_MOST is left as it
 * is, not held. */
#include "rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEAR_HELD = 8 }; /* bit of `fixed`: a held piece has the vertex */

typedef struct search {
    const ew_mesh *mesh;
    int32_t n_piece;
    int32_t *piece;         /* [n_tet] owned; all below owned too */
    int32_t *vertex_ptr;    /* [n_vertex + 1] into vertex_piece */
    ew_list vertex_piece;   /* distinct pieces at each vertex */
    int32_t *shared_ptr;    /* [n_piece + 1] into shared_vertex */
    int32_t *shared_vertex; /* vertices of each piece that other pieces have too */
    ew_rigid *body;         /* [n_piece] */
    bool *held;             /* [n_piece] */
    int32_t *mark;          /* [n_piece] each stage says what for */
    uint8_t *fixed;         /* [n_vertex] directions that are held, by constraints or pieces */
} search;

static void search_free(search *in)
{
    ew_release(in->piece);
    ew_release(in->vertex_ptr);
    ew_list_free(&in->vertex_piece);
    ew_release(in->shared_ptr);
    ew_release(in->shared_vertex);
    ew_release(in->body);
    ew_release(in->held);
    ew_release(in->mark);
    ew_release(in->fixed);
}

static void set_marks(search *in, int32_t value)
{
    for (int32_t p = 0; p < in->n_piece; p++) {
        in->mark[p] = value;
    }
}

/* The distinct pieces of each vertex; mark: the last vertex that listed the piece. */
static ew_status list_pieces(search *in, const ew_topology *topology)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    set_marks(in, -1);
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        in->vertex_ptr[v] = in->vertex_piece.n;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            int32_t p = in->piece[rows->item[rows->begin[v] + i]];
            if (in->mark[p] != v) {
                in->mark[p] = v;
                EW_TRY(ew_list_push(&in->vertex_piece, p));
            }
        }
    }
    in->vertex_ptr[in->mesh->n_vertex] = in->vertex_piece.n;
    return EW_OK;
}

/* The reverse table, of shared vertices alone: counts, sums, then fills from the back. */
static ew_status list_shared(search *in)
{
    const int32_t *ptr = in->vertex_ptr, *piece = in->vertex_piece.id;
    EW_TRY(ew_new_zero(&in->shared_ptr, (size_t)in->n_piece + 1, sizeof *in->shared_ptr));
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        for (int32_t i = ptr[v]; i < ptr[v + 1] && ptr[v + 1] - ptr[v] > 1; i++) {
            in->shared_ptr[piece[i]]++;
        }
    }
    for (int32_t p = 0; p < in->n_piece; p++) {
        in->shared_ptr[p + 1] += in->shared_ptr[p];
    }
    EW_TRY(
        ew_new(&in->shared_vertex, (size_t)in->shared_ptr[in->n_piece], sizeof *in->shared_vertex));
    for (int32_t v = in->mesh->n_vertex - 1; v >= 0; v--) {
        for (int32_t i = ptr[v]; i < ptr[v + 1] && ptr[v + 1] - ptr[v] > 1; i++) {
            in->shared_vertex[--in->shared_ptr[piece[i]]] = v;
        }
    }
    return EW_OK;
}

/* Centres and radii, then the rows of the constraints. */
static void make_bodies(search *in)
{
    const int32_t *ptr = in->vertex_ptr, *piece = in->vertex_piece.id;
    for (int32_t stage = 0; stage < 3; stage++) {
        for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
            const double *x = in->mesh->xyz + 3 * (size_t)v;
            for (int32_t i = ptr[v]; i < ptr[v + 1]; i++) {
                ew_rigid *body = &in->body[piece[i]];
                body->n_point += stage == 0;
                for (int c = 0; c < 3; c++) {
                    double from = x[c] - body->centre[c];
                    body->centre[c] += stage == 0 ? x[c] : 0.0;
                    body->radius += stage == 1 ? from * from : 0.0;
                }
                if (stage == 2) {
                    ew_rigid_hold(body, x, in->fixed[v]);
                }
            }
        }
        for (int32_t p = 0; p < in->n_piece; p++) {
            ew_rigid *body = &in->body[p];
            for (int c = 0; c < 3 && stage == 0; c++) {
                body->centre[c] /= body->n_point;
            }
            body->radius = stage == 1 ? sqrt(body->radius / body->n_point) : body->radius;
        }
    }
}

/* The held piece fixes what was free of its shared points, for the others that have
 * them; those are to be tested again. */
static void fix_shared(search *in, int32_t held, int32_t *stack, int32_t *n)
{
    for (int32_t k = in->shared_ptr[held]; k < in->shared_ptr[held + 1]; k++) {
        int32_t v = in->shared_vertex[k];
        unsigned missing = 7u & ~(unsigned)in->fixed[v];
        in->fixed[v] = 7;
        for (int32_t i = in->vertex_ptr[v]; i < in->vertex_ptr[v + 1] && missing; i++) {
            int32_t p = in->vertex_piece.id[i];
            if (in->held[p]) {
                continue;
            }
            ew_rigid_hold(&in->body[p], in->mesh->xyz + 3 * (size_t)v, missing);
            if (!in->mark[p]) {
                in->mark[p] = 1;
                stack[(*n)++] = p;
            }
        }
    }
}

/* mark: 1 while the piece waits in the stack, so that the stack holds each once. */
static ew_status spread(search *in)
{
    int32_t *stack, n = 0;
    EW_TRY(ew_new(&stack, (size_t)in->n_piece, sizeof *stack));
    for (int32_t p = in->n_piece - 1; p >= 0; p--) {
        in->mark[p] = 1;
        stack[n++] = p;
    }
    while (n) {
        int32_t p = stack[--n];
        in->mark[p] = 0;
        if (ew_rigid_is_held(&in->body[p])) {
            in->held[p] = true;
            fix_shared(in, p, stack, &n);
        }
    }
    ew_release(stack);
    return EW_OK;
}

/* Pieces that hang on one another through points that are not fixed, from `seed` on; mark:
 * place in the group. No piece at such a point is held. */
static ew_status collect_group(search *in, int32_t seed, ew_list *group)
{
    group->n = 0;
    EW_TRY(ew_list_push(group, seed));
    in->mark[seed] = 0;
    for (int32_t g = 0; g < group->n; g++) {
        int32_t p = group->id[g];
        for (int32_t k = in->shared_ptr[p]; k < in->shared_ptr[p + 1]; k++) {
            int32_t v = in->shared_vertex[k];
            for (int32_t i = in->vertex_ptr[v]; i < in->vertex_ptr[v + 1] && in->fixed[v] != 7;
                 i++) {
                int32_t other = in->vertex_piece.id[i];
                if (in->mark[other] < 0) {
                    in->mark[other] = group->n;
                    EW_TRY(ew_list_push(group, other));
                }
            }
        }
    }
    return EW_OK;
}

/* A point of k pieces makes k - 1 joints, from its first piece to each other. */
static ew_status join_group(search *in, const ew_list *group)
{
    ew_status status = EW_OK;
    ew_joint *joint = NULL;
    int32_t n = 0, capacity = 0;
    for (int32_t g = 0; g < group->n; g++) {
        int32_t p = group->id[g];
        for (int32_t k = in->shared_ptr[p]; k < in->shared_ptr[p + 1]; k++) {
            int32_t v = in->shared_vertex[k], first = in->vertex_ptr[v];
            if (in->fixed[v] == 7 || in->vertex_piece.id[first] != p) {
                continue;
            }
            for (int32_t i = first + 1; i < in->vertex_ptr[v + 1]; i++) {
                EW_TRY_OUT(ew_grow(&joint, &capacity, (int64_t)n + 1, sizeof *joint));
                joint[n++] =
                    (ew_joint){g, in->mark[in->vertex_piece.id[i]], in->mesh->xyz + 3 * (size_t)v,
                               7u & ~(unsigned)in->fixed[v]};
            }
        }
    }
    EW_TRY_OUT(ew_rigid_join(in->body, group->n, group->id, n, joint));
    for (int32_t g = 0; g < group->n; g++) {
        in->held[group->id[g]] = ew_rigid_is_held(&in->body[group->id[g]]);
    }
out:
    ew_release(joint);
    return status;
}

static ew_status try_groups(search *in)
{
    ew_status status = EW_OK;
    ew_list group = {0};
    set_marks(in, -1);
    for (int32_t p = 0; p < in->n_piece; p++) {
        if (in->held[p] || in->mark[p] >= 0) {
            continue;
        }
        EW_TRY_OUT(collect_group(in, p, &group));
        if (group.n > 1 && group.n <= EW_JOINED_MOST) {
            EW_TRY_OUT(join_group(in, &group));
        }
    }
out:
    ew_list_free(&group);
    return status;
}

/* ---- the answer ------------------------------------------------------------- */

/* mark: place in the list of loose pieces, or -1. The vertex named is the first of the
 * piece's tets that no held piece has, so that it lies off the points it hangs on. */
static void name_vertices(search *in, ew_loose_piece *loose)
{
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        for (int32_t i = in->vertex_ptr[v]; i < in->vertex_ptr[v + 1]; i++) {
            bool held = in->held[in->vertex_piece.id[i]];
            in->fixed[v] = (uint8_t)(in->fixed[v] | (held ? NEAR_HELD : 0));
        }
    }
    for (int32_t t = 0; t < in->mesh->n_tet; t++) {
        if (in->piece[t] < 0 || in->mark[in->piece[t]] < 0) {
            continue;
        }
        ew_loose_piece *of = &loose[in->mark[in->piece[t]]];
        of->n_tet++;
        for (int k = 0; k < 4; k++) {
            int32_t v = in->mesh->tet[4 * (size_t)t + k];
            bool better = of->vertex < 0 ||
                          (in->fixed[of->vertex] & NEAR_HELD && !(in->fixed[v] & NEAR_HELD));
            of->vertex = better ? v : of->vertex;
        }
    }
}

static ew_status report(search *in, ew_loose_piece **loose, int32_t *n_loose)
{
    int32_t n = 0;
    ew_loose_piece *list = NULL;
    for (int32_t p = 0; p < in->n_piece; p++) {
        in->mark[p] = in->held[p] ? -1 : n++;
    }
    if (n) {
        EW_TRY(ew_new_zero(&list, (size_t)n, sizeof *list));
    }
    for (int32_t p = 0; p < in->n_piece; p++) {
        if (in->mark[p] >= 0) {
            list[in->mark[p]].piece = p;
            list[in->mark[p]].vertex = -1;
            ew_rigid_describe(&in->body[p], &list[in->mark[p]]);
        }
    }
    if (n) {
        name_vertices(in, list);
    }
    *loose = list;
    *n_loose = n;
    return EW_OK;
}

static ew_status search_init(search *in, const ew_topology *topology,
                             const ew_constraints *constraints)
{
    size_t n_vertex = (size_t)in->mesh->n_vertex;
    EW_TRY(ew_new(&in->piece, (size_t)in->mesh->n_tet, sizeof *in->piece));
    EW_TRY(ew_topology_components(topology, in->mesh, in->piece, &in->n_piece));
    size_t n_piece = (size_t)in->n_piece;
    EW_TRY(ew_new(&in->vertex_ptr, n_vertex + 1, sizeof *in->vertex_ptr));
    EW_TRY(ew_new_zero(&in->body, n_piece, sizeof *in->body));
    EW_TRY(ew_new_zero(&in->held, n_piece, sizeof *in->held));
    EW_TRY(ew_new(&in->mark, n_piece, sizeof *in->mark));
    EW_TRY(ew_new(&in->fixed, n_vertex, sizeof *in->fixed));
    if (n_vertex) {
        memcpy(in->fixed, constraints->fixed, n_vertex * sizeof *in->fixed);
    }
    return EW_OK;
}

ew_status ew_find_loose_pieces(const ew_mesh *mesh, const ew_topology *topology,
                               const ew_constraints *constraints, int32_t *piece,
                               ew_loose_piece **loose, int32_t *n_loose)
{
    if (topology->pattern.revision != mesh->revision || constraints->n_vertex != mesh->n_vertex) {
        return ew_fail(EW_STALE,
                       "loose pieces: the mesh is of revision %llu, the tables of %llu, and "
                       "constraints cover %d of %d vertices; bring them up to date first",
                       (unsigned long long)mesh->revision,
                       (unsigned long long)topology->pattern.revision, constraints->n_vertex,
                       mesh->n_vertex);
    }
    ew_status status;
    search in = {.mesh = mesh};
    EW_TRY_OUT(search_init(&in, topology, constraints));
    EW_TRY_OUT(list_pieces(&in, topology));
    EW_TRY_OUT(list_shared(&in));
    make_bodies(&in);
    EW_TRY_OUT(spread(&in));
    EW_TRY_OUT(try_groups(&in));
    EW_TRY_OUT(report(&in, loose, n_loose));
    if (piece && mesh->n_tet) {
        memcpy(piece, in.piece, (size_t)mesh->n_tet * sizeof *piece);
    }
out:
    search_free(&in);
    return status;
}

ew_status ew_require_held(const ew_mesh *mesh, const ew_topology *topology,
                          const ew_constraints *constraints)
{
    ew_loose_piece *loose = NULL;
    int32_t n = 0;
    char more[80] = "";
    EW_TRY(ew_find_loose_pieces(mesh, topology, constraints, NULL, &loose, &n));
    if (!n) {
        return EW_OK;
    }
    if (n > 1) {
        snprintf(more, sizeof more, "; %d more piece%s not held", n - 1, n > 2 ? "s are" : " is");
    }
    const double *x = mesh->xyz + 3 * (size_t)loose->vertex;
    ew_status status =
        ew_fail(EW_MECHANISM,
                "the piece of %d tet%s with vertex %lld at (%.6g, %.6g, %.6g) %s%s: constrain it, "
                "weld it to the rest, or leave loose pieces out",
                loose->n_tet, loose->n_tet == 1 ? "" : "s",
                (long long)mesh->vertex_id[loose->vertex], x[0], x[1], x[2], loose->text, more);
    ew_release(loose);
    return status;
}
