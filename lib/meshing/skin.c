/* The surface of a body as a closed manifold. In: a mesh. Out: triangles that look outward, each
 * side of which one other has, in the opposite direction; labels of the mesh's labeled triangles.
 *
 * Where tets touch in a vertex or an edge alone, four and more boundary faces meet in an edge, or
 * several fans in a vertex. Faces that bound the same run of tets around an edge are neighbors
 * there; corners that are joined over such neighbors are one vertex, others are copies at the same
 * place. Two pairs of neighbors may still have the same two vertices: all but the first get a
 * vertex of their own in the middle of the edge. Copies are moved apart, each into its own fan, by
 * a hundredth of its sides, so that they stay apart in a file that has places alone (STL); those of
 * labeled triangles within the planes of these, as what is fixed or loaded stays where it is. */
#include "meshing/parts/meshing.h"

#include <math.h>
#include <string.h>

static const double apart = 0.01;

typedef struct skin_side {
    int32_t face[2], a, b; /* of the new vertices, from a to b in face[0] */
} skin_side;

typedef struct skin_work {
    const ew_mesh *mesh;
    ew_map neighbor;     /* of sorted faces: a code */
    int32_t *other;      /* [n_tet][4] owned: code 4 t + k behind a face, -1: boundary */
    int32_t n, capacity; /* boundary faces */
    int32_t *code;       /* [n] owned */
    int32_t *place;      /* [n_tet][4] owned: boundary face of a code */
    int32_t *triangle;   /* [n][3] owned: mesh vertices, outward; then corners' new vertices */
    int32_t *label;      /* [n] owned */
    int32_t *parent;     /* [3 n] owned: of corners, union-find */
    int32_t *pair;       /* [3 n] owned: 3 g + j across side i of face f */
    int32_t n_vertex, vertex_capacity, label_capacity, triangle_capacity, moved_capacity,
        from_capacity;
    double *xyz;    /* [n_vertex][3] owned */
    bool *is_moved; /* [n_vertex] owned: copies and middles */
    int32_t *from;  /* [n_vertex] owned: the mesh's vertex; -1: a middle */
    ew_map side;
    int32_t n_split, split_capacity;
    skin_side *split; /* [n_split] owned */
} skin_work;

/* ---- faces ----------------------------------------------------------------------------------- */

static void sort_three(const int32_t *from, int32_t key[3])
{
    memcpy(key, from, 3 * sizeof *key);
    for (int i = 0; i < 3; i++) {
        const int k = i == 1;
        if (key[k] > key[k + 1]) {
            const int32_t high = key[k];
            key[k] = key[k + 1];
            key[k + 1] = high;
        }
    }
}

static void face_of(const ew_mesh *mesh, int32_t code, int32_t vertex[3])
{
    for (int i = 0; i < 3; i++) {
        vertex[i] = mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][i]];
    }
}

static ew_status find_neighbors(skin_work *w)
{
    const ew_mesh *mesh = w->mesh;
    const size_t n = 4 * (size_t)mesh->n_tet;
    EW_TRY(ew_new(&w->other, n, sizeof *w->other));
    memset(w->other, 0xff, n * sizeof *w->other);
    for (int32_t code = 0; code < 4 * mesh->n_tet; code++) {
        int32_t vertex[3], key[3], old;
        if (!ew_mesh_tet_is_live(mesh, code / 4)) {
            continue;
        }
        face_of(mesh, code, vertex);
        sort_three(vertex, key);
        EW_TRY(ew_map_enter(&w->neighbor, key[0], key[1], key[2], code, &old));
        if (old >= 0) {
            w->other[code] = old;
            w->other[old] = code;
        }
    }
    return EW_OK;
}

/* Whether the tet lies behind the triangle, which then looks outward. */
static bool looks_outward(const ew_mesh *mesh, int32_t tet, const int32_t vertex[3])
{
    const double *a = mesh->xyz + 3 * (size_t)vertex[0];
    double u[3], v[3], volume = 0.0;
    for (int c = 0; c < 3; c++) {
        u[c] = mesh->xyz[3 * (size_t)vertex[1] + (size_t)c] - a[c];
        v[c] = mesh->xyz[3 * (size_t)vertex[2] + (size_t)c] - a[c];
    }
    for (int k = 0; k < 4; k++) {
        const double *d = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)tet + (size_t)k];
        for (int c = 0; c < 3; c++) { /* 0 for the corners of the face */
            volume +=
                (u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3]) * (d[c] - a[c]);
        }
    }
    return volume < 0.0;
}

static ew_status list_boundary(skin_work *w)
{
    const ew_mesh *mesh = w->mesh;
    EW_TRY(ew_new(&w->place, 4 * (size_t)mesh->n_tet, sizeof *w->place));
    for (int32_t code = 0; code < 4 * mesh->n_tet; code++) {
        w->place[code] = -1;
        if (!ew_mesh_tet_is_live(mesh, code / 4) || w->other[code] >= 0) {
            continue;
        }
        EW_TRY(ew_grow(&w->code, &w->capacity, (int64_t)w->n + 1, sizeof *w->code));
        EW_TRY(ew_grow(&w->triangle, &w->triangle_capacity, (int64_t)w->n + 1,
                       3 * sizeof *w->triangle));
        int32_t *vertex = w->triangle + 3 * (size_t)w->n;
        face_of(mesh, code, vertex);
        if (!looks_outward(mesh, code / 4, vertex)) {
            const int32_t last = vertex[2];
            vertex[2] = vertex[1];
            vertex[1] = last;
        }
        w->code[w->n] = code;
        w->place[code] = w->n++;
    }
    return EW_OK;
}

static ew_status find_labels(skin_work *w)
{
    const ew_mesh *mesh = w->mesh;
    ew_map labeled = {0};
    ew_status status = ew_grow(&w->label, &w->label_capacity, w->n, sizeof *w->label);
    for (int32_t f = 0; f < mesh->n_face && !status; f++) {
        int32_t key[3], old;
        if (ew_mesh_face_is_kept(mesh, f)) {
            sort_three(mesh->face + 3 * (size_t)f, key);
            status = ew_map_enter(&labeled, key[0], key[1], key[2], f, &old);
        }
    }
    for (int32_t i = 0; i < w->n && !status; i++) {
        int32_t key[3];
        sort_three(w->triangle + 3 * (size_t)i, key);
        const int32_t f = ew_map_find(&labeled, key[0], key[1], key[2]);
        w->label[i] = f < 0 ? EW_NO_LABEL : mesh->face_label[f];
    }
    ew_map_free(&labeled);
    return status;
}

/* ---- neighbors on the surface ---------------------------------------------------------------- */

/* The other face of a tet with the vertices a and b. */
static int32_t turn_to(const ew_mesh *mesh, int32_t code, int32_t a, int32_t b)
{
    for (int32_t k = 0; k < 4; k++) {
        int32_t vertex[3];
        int n = 0;
        face_of(mesh, 4 * (code / 4) + k, vertex);
        for (int i = 0; i < 3; i++) {
            n += vertex[i] == a || vertex[i] == b;
        }
        if (n == 2 && k != code % 4) {
            return 4 * (code / 4) + k;
        }
    }
    return -1;
}

static int corner_of(const int32_t triangle[3], int32_t vertex)
{
    return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

static int32_t root_of(const skin_work *w, int32_t corner)
{
    while (w->parent[corner] != corner) {
        corner = w->parent[corner];
    }
    return corner;
}

static void join(skin_work *w, int32_t a, int32_t b)
{
    a = root_of(w, a);
    b = root_of(w, b);
    if (a != b) {
        w->parent[a > b ? a : b] = a < b ? a : b;
    }
}

/* Around the edge of side i through the tets to the boundary face on their other end. */
static void pair_side(skin_work *w, int32_t f, int i)
{
    const int32_t *triangle = w->triangle + 3 * (size_t)f;
    const int32_t a = triangle[i], b = triangle[(i + 1) % 3];
    int32_t code = turn_to(w->mesh, w->code[f], a, b);
    while (w->other[code] >= 0) {
        code = turn_to(w->mesh, w->other[code], a, b);
    }
    const int32_t g = w->place[code];
    const int32_t *other = w->triangle + 3 * (size_t)g;
    const int at_a = corner_of(other, a), at_b = corner_of(other, b);
    w->pair[3 * f + i] = 3 * g + at_b; /* it runs from b to a there */
    join(w, 3 * f + i, 3 * g + at_a);
    join(w, 3 * f + (i + 1) % 3, 3 * g + at_b);
}

static ew_status pair_all(skin_work *w)
{
    EW_TRY(ew_new(&w->pair, 3 * (size_t)w->n, sizeof *w->pair));
    EW_TRY(ew_new(&w->parent, 3 * (size_t)w->n, sizeof *w->parent));
    for (int32_t i = 0; i < 3 * w->n; i++) {
        w->parent[i] = i;
    }
    for (int32_t i = 0; i < 3 * w->n; i++) {
        pair_side(w, i / 3, i % 3);
        w->parent[i] = root_of(w, i);
    }
    return EW_OK;
}

/* ---- vertices -------------------------------------------------------------------------------- */

static ew_status add_vertex(skin_work *w, const double *xyz, int32_t from, bool is_moved)
{
    EW_TRY(ew_grow(&w->xyz, &w->vertex_capacity, (int64_t)w->n_vertex + 1, 3 * sizeof *w->xyz));
    EW_TRY(
        ew_grow(&w->is_moved, &w->moved_capacity, (int64_t)w->n_vertex + 1, sizeof *w->is_moved));
    EW_TRY(ew_grow(&w->from, &w->from_capacity, (int64_t)w->n_vertex + 1, sizeof *w->from));
    memcpy(w->xyz + 3 * (size_t)w->n_vertex, xyz, 3 * sizeof *xyz);
    w->from[w->n_vertex] = from;
    w->is_moved[w->n_vertex++] = is_moved;
    return EW_OK;
}

/* Corners by the number of their root; a mesh vertex with several is copied. */
static ew_status number_vertices(skin_work *w, int32_t *n_copy)
{
    int32_t *of_root = NULL, *first = NULL;
    ew_status status = ew_new(&of_root, 3 * (size_t)w->n + 1, sizeof *of_root);
    status = status ? status : ew_new(&first, (size_t)w->mesh->n_vertex, sizeof *first);
    for (int32_t v = 0; v < w->mesh->n_vertex && !status; v++) {
        first[v] = -1;
    }
    for (int32_t i = 0; i < 3 * w->n && !status; i++) {
        const int32_t v = w->triangle[i];
        if (root_of(w, i) != i) {
            continue;
        }
        of_root[i] = w->n_vertex;
        status = add_vertex(w, w->mesh->xyz + 3 * (size_t)v, v, first[v] >= 0);
        if (!status && first[v] >= 0) {
            w->is_moved[first[v]] = true;
            (*n_copy)++;
        } else if (!status) {
            first[v] = of_root[i];
        }
    }
    for (int32_t i = 0; i < 3 * w->n && !status; i++) {
        w->triangle[i] = of_root[root_of(w, i)];
    }
    ew_release(of_root);
    ew_release(first);
    return status;
}

/* ---- sides that two pairs have --------------------------------------------------------------- */

static ew_status find_doubled(skin_work *w)
{
    for (int32_t i = 0; i < 3 * w->n; i++) {
        const int32_t a = w->triangle[i], b = w->triangle[3 * (i / 3) + (i + 1) % 3];
        int32_t old;
        if (w->pair[i] < i) {
            continue; /* once a pair */
        }
        EW_TRY(ew_map_enter(&w->side, a < b ? a : b, a < b ? b : a, -1, i, &old));
        if (old >= 0) {
            EW_TRY(
                ew_grow(&w->split, &w->split_capacity, (int64_t)w->n_split + 1, sizeof *w->split));
            w->split[w->n_split++] = (skin_side){{i / 3, w->pair[i] / 3}, a, b};
        }
    }
    return EW_OK;
}

/* The triangle with the side from a to b becomes those with a, m and m, b; later sides that the
 * new one has got follow. */
static ew_status split_face(skin_work *w, int32_t f, int32_t a, int32_t b, int32_t m, int32_t from)
{
    const int32_t made = w->n++;
    EW_TRY(ew_grow(&w->triangle, &w->triangle_capacity, w->n, 3 * sizeof *w->triangle));
    EW_TRY(ew_grow(&w->label, &w->label_capacity, w->n, sizeof *w->label));
    int32_t *triangle = w->triangle + 3 * (size_t)f;
    const int k = corner_of(triangle, a);
    const int32_t c = triangle[(k + 2) % 3];
    const int32_t rest[3] = {m, b, c};
    triangle[(k + 1) % 3] = m;
    memcpy(w->triangle + 3 * (size_t)made, rest, sizeof rest);
    w->label[made] = w->label[f];
    for (int32_t s = from; s < w->n_split; s++) {
        for (int i = 0; i < 2; i++) {
            const int32_t p = w->split[s].a, q = w->split[s].b;
            if (w->split[s].face[i] == f && ((p == b && q == c) || (p == c && q == b))) {
                w->split[s].face[i] = made;
            }
        }
    }
    return EW_OK;
}

static ew_status split_doubled(skin_work *w)
{
    for (int32_t s = 0; s < w->n_split; s++) {
        const skin_side side = w->split[s];
        double middle[3];
        for (int c = 0; c < 3; c++) {
            middle[c] = 0.5 * (w->xyz[3 * (size_t)side.a + (size_t)c] +
                               w->xyz[3 * (size_t)side.b + (size_t)c]);
        }
        EW_TRY(add_vertex(w, middle, -1, true));
        EW_TRY(split_face(w, side.face[0], side.a, side.b, w->n_vertex - 1, s + 1));
        EW_TRY(split_face(w, side.face[1], side.b, side.a, w->n_vertex - 1, s + 1));
    }
    return EW_OK;
}

/* Directions that a vertex may not move along: normals of its labeled triangles, orthonormal. */
typedef struct fixed {
    int32_t n;
    double normal[3][3];
} fixed;

/* Normals that are nearer to the plane of others than this sine bend a curved face. */
#define SAME_NORMAL 0.2

static void take_off(const fixed *of, double u[3])
{
    for (int32_t i = 0; i < of->n; i++) {
        const double *n = of->normal[i];
        const double along = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
        for (int c = 0; c < 3; c++) {
            u[c] -= along * n[c];
        }
    }
}

static void fix_along(fixed *of, const double normal[3])
{
    double u[3] = {normal[0], normal[1], normal[2]};
    take_off(of, u);
    const double rest = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (of->n < 3 && rest > SAME_NORMAL) {
        for (int c = 0; c < 3; c++) {
            of->normal[of->n][c] = u[c] / rest;
        }
        of->n++;
    }
}

static void normal_of(const skin_work *w, int32_t triangle, double normal[3])
{
    const int32_t *corner = w->triangle + 3 * (size_t)triangle;
    const double *a = w->xyz + 3 * (size_t)corner[0], *b = w->xyz + 3 * (size_t)corner[1];
    const double *d = w->xyz + 3 * (size_t)corner[2];
    double length = 0.0;
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        normal[c] = (b[p] - a[p]) * (d[q] - a[q]) - (b[q] - a[q]) * (d[p] - a[p]);
        length += normal[c] * normal[c];
    }
    for (int c = 0; c < 3; c++) {
        normal[c] /= sqrt(length);
    }
}

/* sum: [n_vertex][4] of the neighbors' places, and their count. */
static void look_around(const skin_work *w, double *sum, fixed *of)
{
    for (int32_t t = 0; t < w->n; t++) {
        double normal[3];
        normal_of(w, t, normal);
        for (int i = 0; i < 3; i++) {
            const int32_t *corner = w->triangle + 3 * (size_t)t;
            double *at = sum + 4 * (size_t)corner[i];
            for (int k = 1; k < 3; k++) {
                for (int c = 0; c < 3; c++) {
                    at[c] += w->xyz[3 * (size_t)corner[(i + k) % 3] + (size_t)c];
                }
            }
            at[3] += 2.0;
            if (w->label[t] != EW_NO_LABEL) {
                fix_along(&of[corner[i]], normal);
            }
        }
    }
}

/* One vertex of a place may stay; others move, off labeled triangles where nothing else parts them.
 */
static void step_off(skin_work *w, int32_t v, const double *sum, const fixed *of, bool *has_one)
{
    double *x = w->xyz + 3 * (size_t)v, free[3], full[3], size[2] = {0, 0};
    for (int c = 0; c < 3; c++) {
        free[c] = full[c] = apart * (sum[c] / sum[3] - x[c]);
    }
    take_off(of, free);
    for (int c = 0; c < 3; c++) {
        size[0] += free[c] * free[c];
        size[1] += full[c] * full[c];
    }
    const bool stays = size[0] <= SAME_NORMAL * SAME_NORMAL * size[1];
    const bool is_first = w->from[v] >= 0 && !has_one[w->from[v]];
    for (int c = 0; c < 3; c++) {
        x[c] += !stays || is_first ? free[c] : full[c];
    }
    if (stays && is_first) {
        has_one[w->from[v]] = true;
    }
}

static ew_status move_apart(skin_work *w)
{
    double *sum = NULL;
    fixed *of = NULL;
    bool *has_one = NULL;
    ew_status status = ew_new_zero(&sum, 4 * (size_t)w->n_vertex, sizeof *sum);
    status = status ? status : ew_new_zero(&of, (size_t)w->n_vertex, sizeof *of);
    status = status ? status : ew_new_zero(&has_one, (size_t)w->mesh->n_vertex, sizeof *has_one);
    if (!status) {
        look_around(w, sum, of);
    }
    for (int32_t v = 0; v < w->n_vertex && !status; v++) {
        if (w->is_moved[v]) {
            step_off(w, v, sum + 4 * (size_t)v, &of[v], has_one);
        }
    }
    ew_release(sum);
    ew_release(of);
    ew_release(has_one);
    return status;
}

/* ---- the surface ----------------------------------------------------------------------------- */

static ew_status make(skin_work *w, ew_skin_report *report)
{
    EW_TRY(find_neighbors(w));
    EW_TRY(list_boundary(w));
    if (w->n == 0) {
        return ew_fail(EW_BAD_INPUT, "the mesh has no tets, and so no surface");
    }
    EW_TRY(find_labels(w));
    EW_TRY(pair_all(w));
    EW_TRY(number_vertices(w, &report->n_copy));
    EW_TRY(find_doubled(w));
    EW_TRY(split_doubled(w));
    report->n_split = w->n_split;
    return move_apart(w);
}

ew_status ew_skin_take(const ew_mesh *mesh, ew_surface *surface, ew_skin_report *report)
{
    skin_work w = {.mesh = mesh};
    ew_skin_report made = {0};
    const ew_status status = make(&w, &made);
    if (!status) {
        *surface = (ew_surface){w.n_vertex, w.xyz, w.n, w.triangle, w.label};
        *report = made;
        w.xyz = NULL;
        w.triangle = w.label = NULL;
    }
    ew_map_free(&w.neighbor);
    ew_map_free(&w.side);
    ew_release(w.other);
    ew_release(w.code);
    ew_release(w.place);
    ew_release(w.triangle);
    ew_release(w.label);
    ew_release(w.parent);
    ew_release(w.pair);
    ew_release(w.xyz);
    ew_release(w.is_moved);
    ew_release(w.from);
    ew_release(w.split);
    return status;
}
