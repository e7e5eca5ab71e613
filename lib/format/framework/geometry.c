/* Geometry of the labels of a mesh or a surface. In: labeled triangles, and the tets behind them.
 * Out: a face for each label of triangles, a solid for each region. */
#include "format/parts/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ew_geometry_kind_name(ew_geometry_kind kind)
{
    static const char *const name[] = {"plane", "cylinder", "cone", "sphere",
                                       "torus", "curved",   "solid"};
    return name[kind];
}

void ew_geometry_list_free(ew_geometry_list *list)
{
    ew_release(list->of);
    *list = (ew_geometry_list){0};
}

static ew_status add(ew_geometry_list *list, ew_geometry **made)
{
    EW_TRY(ew_grow(&list->of, &list->capacity, (int64_t)list->n + 1, sizeof *list->of));
    *made = &list->of[list->n++];
    **made = (ew_geometry){.label = 0};
    return EW_OK;
}

/* ---- triangles ------------------------------------------------------------------- */

/* A labeled triangle, turned outward. */
typedef struct triangle {
    int32_t v[3], key[3]; /* key: its vertices, ascending */
    int32_t label;
    int32_t n_region, region[2]; /* labels of those that it bounds */
} triangle;

static int by_key(const void *left, const void *right)
{
    const triangle *a = left, *b = right;
    for (int i = 0; i < 3; i++) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    return (a->label > b->label) - (a->label < b->label);
}

static int by_label(const void *left, const void *right)
{
    const triangle *a = left, *b = right;
    return a->label != b->label ? (a->label < b->label ? -1 : 1) : by_key(left, right);
}

static void set_key(triangle *of)
{
    int32_t *k = of->key;
    memcpy(k, of->v, sizeof of->v);
    for (int i = 0; i < 3; i++) {
        const int at = i == 1;
        if (k[at] > k[at + 1]) {
            const int32_t kept = k[at];
            k[at] = k[at + 1];
            k[at + 1] = kept;
        }
    }
}

static void add_region(int32_t label, int32_t region[2], int32_t *n)
{
    if (*n < 2 && (*n == 0 || region[0] != label)) {
        region[(*n)++] = label;
    }
}

/* The first triangle with this key; null: none. */
static triangle *find(triangle *list, int32_t n, const triangle *key)
{
    int32_t low = 0, high = n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (memcmp(list[middle].key, key->key, sizeof key->key) && by_key(&list[middle], key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && !memcmp(list[low].key, key->key, sizeof key->key) ? &list[low] : NULL;
}

/* The tet's side of the triangles that are faces of it. */
static void meet_tet(const ew_mesh *mesh, int32_t t, triangle *list, int32_t n)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)t;
    for (int f = 0; f < 4; f++) {
        triangle side = {.label = INT32_MIN};
        for (int k = 0; k < 3; k++) {
            side.v[k] = tet[ew_face_vertex[f][k]];
        }
        set_key(&side);
        triangle *at = find(list, n, &side);
        for (; at && at < list + n && !memcmp(at->key, side.key, sizeof side.key); at++) {
            if (at->n_region == 0) {
                memcpy(at->v, side.v, sizeof side.v);
            }
            add_region(mesh->region_label[mesh->region[t]], at->region, &at->n_region);
        }
    }
}

/* The labeled triangles that are faces of tets, by label. */
static ew_status take_triangles(const ew_mesh *mesh, triangle **out, int32_t *n_out)
{
    triangle *list;
    uint8_t *is_corner;
    int32_t n = 0, n_kept = 0;
    EW_TRY(ew_new_zero(&is_corner, (size_t)mesh->n_vertex + 1, 1));
    const ew_status status = ew_new(&list, (size_t)mesh->n_face + 1, sizeof *list);
    for (int32_t f = 0; f < mesh->n_face && !status; f++) {
        if (ew_mesh_face_is_kept(mesh, f)) {
            list[n] = (triangle){.label = mesh->face_label[f]};
            memcpy(list[n].v, mesh->face + 3 * (size_t)f, sizeof list[n].v);
            set_key(&list[n]);
            is_corner[list[n].v[0]] = is_corner[list[n].v[1]] = is_corner[list[n].v[2]] = 1;
            n++;
        }
    }
    if (status) {
        ew_release(is_corner);
        return status;
    }
    qsort(list, (size_t)n, sizeof *list, by_key);
    for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0;) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (is_corner[v[0]] + is_corner[v[1]] + is_corner[v[2]] + is_corner[v[3]] >= 3) {
            meet_tet(mesh, t, list, n);
        }
    }
    ew_release(is_corner);
    for (int32_t i = 0; i < n; i++) {
        const bool twice = n_kept && !by_key(&list[i], &list[n_kept - 1]);
        if (list[i].n_region && !twice) {
            list[n_kept++] = list[i];
        }
    }
    qsort(list, (size_t)n_kept, sizeof *list, by_label);
    *out = list;
    *n_out = n_kept;
    return EW_OK;
}

/* ---- faces ----------------------------------------------------------------------- */

/* Vertices and triangles of one label, for the fit. All owned. */
typedef struct patch {
    double *xyz, *normal, *center; /* [3 n][3], [n][3], [n][3] */
} patch;

static void add_triangle(const double *xyz, double scale, const triangle *one, int32_t i,
                         const patch *to, ew_geometry *face)
{
    const double *x[3];
    double u[3], v[3], *normal = to->normal + 3 * (size_t)i, *center = to->center + 3 * (size_t)i;
    for (int k = 0; k < 3; k++) {
        double *at = to->xyz + 9 * (size_t)i + 3 * k;
        for (int c = 0; c < 3; c++) {
            at[c] = scale * xyz[3 * (size_t)one->v[k] + (size_t)c];
        }
        x[k] = at;
    }
    for (int c = 0; c < 3; c++) {
        u[c] = x[1][c] - x[0][c];
        v[c] = x[2][c] - x[0][c];
        center[c] = (x[0][c] + x[1][c] + x[2][c]) / 3;
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        normal[c] = 0.5 * (u[d] * v[e] - u[e] * v[d]);
    }
    const double area = hypot(hypot(normal[0], normal[1]), normal[2]);
    face->size += area;
    for (int c = 0; c < 3; c++) {
        face->centroid[c] += area * center[c];
        face->direction[c] += normal[c];
    }
    for (int32_t r = 0; r < one->n_region; r++) {
        add_region(one->region[r], face->region, &face->n_region);
    }
}

/* Triangles of one label. */
static ew_status add_face(const double *xyz, double scale, const triangle *list, int32_t n,
                          ew_geometry_list *to)
{
    ew_geometry *face;
    patch own;
    double *room;
    EW_TRY(add(to, &face));
    EW_TRY(ew_new(&room, 15 * (size_t)n, sizeof *room));
    own = (patch){room, room + 9 * (size_t)n, room + 12 * (size_t)n};
    face->label = face->number = list->label;
    for (int32_t i = 0; i < n; i++) {
        add_triangle(xyz, scale, &list[i], i, &own, face);
    }
    for (int c = 0; c < 3 && face->size > 0; c++) {
        face->centroid[c] /= face->size;
    }
    ew_geometry_fit(3 * n, own.xyz, n, own.normal, own.center, face);
    ew_release(room);
    if (!(face->size > 0)) {
        to->n--;
    }
    return EW_OK;
}

static ew_status add_faces(const double *xyz, double scale, const triangle *list, int32_t n,
                           ew_geometry_list *to)
{
    for (int32_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && list[j].label == list[i].label; j++) {
        }
        EW_TRY(add_face(xyz, scale, list + i, j - i, to));
    }
    return EW_OK;
}

/* ---- solids ------------------------------------------------------------------------ */

static ew_status add_solids(const ew_mesh *mesh, ew_geometry_list *to)
{
    const int32_t first = to->n;
    ew_geometry *solid;
    for (int32_t r = 0; r < mesh->n_region; r++) {
        EW_TRY(add(to, &solid));
        solid->kind = EW_GEOMETRY_SOLID;
        solid->label = solid->number = mesh->region_label[r];
    }
    for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0;) {
        double center[3];
        const double volume = ew_mesh_tet_volume(mesh, t);
        ew_mesh_tet_centroid(mesh, t, center);
        solid = &to->of[first + mesh->region[t]];
        solid->size += volume;
        for (int c = 0; c < 3; c++) {
            solid->centroid[c] += volume * center[c];
        }
    }
    int32_t n = first;
    for (int32_t i = first; i < to->n; i++) {
        solid = &to->of[i];
        for (int c = 0; c < 3 && solid->size > 0; c++) {
            solid->centroid[c] /= solid->size;
        }
        if (solid->size > 0) { /* regions that lost their tets have none */
            to->of[n++] = *solid;
        }
    }
    to->n = n;
    return EW_OK;
}

/* ---- all --------------------------------------------------------------------------- */

typedef struct box {
    double low[3], high[3];
} box;

static const box empty_box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void add_point(box *to, const double *x)
{
    for (int c = 0; c < 3; c++) {
        to->low[c] = fmin(to->low[c], x[c]);
        to->high[c] = fmax(to->high[c], x[c]);
    }
}

static double diagonal(const box *of)
{
    const double d =
        hypot(hypot(of->high[0] - of->low[0], of->high[1] - of->low[1]), of->high[2] - of->low[2]);
    return isfinite(d) ? d : 0.0;
}

ew_status ew_geometry_measure(const ew_mesh *mesh, ew_geometry_list *list)
{
    triangle *face;
    int32_t n;
    box around = empty_box;
    EW_TRY(take_triangles(mesh, &face, &n));
    ew_status status = add_faces(mesh->xyz, 1.0, face, n, list);
    status = status ? status : add_solids(mesh, list);
    ew_release(face);
    if (status) {
        ew_geometry_list_free(list);
        return status;
    }
    for (int32_t v = -1; (v = ew_mesh_next_vertex(mesh, v)) >= 0;) {
        add_point(&around, mesh->xyz + 3 * (size_t)v);
    }
    list->diagonal = diagonal(&around);
    return EW_OK;
}

ew_status ew_geometry_of_surface(const ew_surface *surface, double scale, ew_geometry_list *list)
{
    triangle *face;
    box around = empty_box;
    const int32_t n = surface->n_triangle;
    EW_TRY(ew_new(&face, (size_t)n + 1, sizeof *face));
    for (int32_t i = 0; i < n; i++) {
        face[i] = (triangle){.label = surface->label[i]};
        memcpy(face[i].v, surface->triangle + 3 * (size_t)i, sizeof face[i].v);
        set_key(&face[i]);
        for (int k = 0; k < 3; k++) {
            add_point(&around, surface->xyz + 3 * (size_t)face[i].v[k]);
        }
    }
    qsort(face, (size_t)n, sizeof *face, by_label);
    const ew_status status = add_faces(surface->xyz, scale, face, n, list);
    ew_release(face);
    if (status) {
        ew_geometry_list_free(list);
        return status;
    }
    list->diagonal = scale * diagonal(&around);
    return EW_OK;
}
