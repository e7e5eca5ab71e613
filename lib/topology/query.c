/* Queries of the neighbor tables. In: a mesh and its tables. Out: tets across
 * faces, boundary faces, components; and area vectors of faces. */
#include "topology/internal.h"

static bool has_vertex(const int32_t *vertex, int32_t v)
{
    return vertex[0] == v || vertex[1] == v || vertex[2] == v || vertex[3] == v;
}

/* Only tets around an edge of the face can share it, and of its three edges the one with
 * the fewest tets is looked at. */
int32_t ew_topology_face_neighbor(const ew_topology *topology, const ew_mesh *mesh, int32_t face)
{
    static const int8_t face_edge[4][3] = {{3, 4, 5}, {1, 2, 5}, {0, 2, 4}, {0, 1, 3}};
    const ew_rows *rows = &topology->edge_to_tet;
    int32_t t = face / 4, f = face % 4, edge = -1;
    const int32_t *vertex = mesh->tet + 4 * (size_t)t;
    for (int k = 0; k < 3; k++) {
        int32_t e = topology->tet_to_edge[6 * (size_t)t + (size_t)face_edge[f][k]];
        edge = edge < 0 || rows->count[e] < rows->count[edge] ? e : edge;
    }
    for (int32_t i = 0; i < rows->count[edge]; i++) {
        int32_t other = rows->item[rows->begin[edge] + i];
        const int32_t *corner = mesh->tet + 4 * (size_t)other;
        if (other != t && has_vertex(corner, vertex[ew_face_vertex[f][0]]) &&
            has_vertex(corner, vertex[ew_face_vertex[f][1]]) &&
            has_vertex(corner, vertex[ew_face_vertex[f][2]])) {
            return other;
        }
    }
    return -1;
}

/* ---- all faces ---------------------------------------------------------- */

/* What is done with each face, by several threads at once. code: from both sides, the second -1 on
 * the boundary. */
typedef void (*face_body)(void *user, const int32_t code[2]);

/* A stretch of vertices, with memory of its own. */
typedef struct stretch {
    int32_t begin, end;
    ew_star_faces star;
} stretch;

/* Counts in a copy of the star, where no other thread writes: stretches share lines of the cache.
 */
static void visit_stretch(const stretch *own, const ew_topology *topology, const ew_mesh *mesh,
                          face_body body, void *user)
{
    ew_star_faces star = own->star;
    for (int32_t v = own->begin; v < own->end; v++) {
        ew_star_faces_list(&star, topology, mesh, v);
        for (int32_t i = 0; i < star.n; i++) {
            body(user, star.code + 2 * (size_t)i);
        }
    }
}

/* Every face once, in no order. */
static ew_status visit_faces(const ew_topology *topology, const ew_mesh *mesh, bool together,
                             face_body body, void *user)
{
    enum { MIN_VERTICES = 2000, PARTS = 4 }; /* of a thread */
    const int n_thread = together ? ew_threads_for(mesh->n_vertex, MIN_VERTICES) : 1;
    const int32_t n = n_thread > 1 ? PARTS * n_thread : 1;
    int32_t most = 0;
    stretch *part = NULL;
    ew_status status = EW_OK;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        most = topology->vertex_to_tet.count[v] > most ? topology->vertex_to_tet.count[v] : most;
    }
    EW_TRY_OUT(ew_new_zero(&part, (size_t)n, sizeof *part));
    for (int32_t k = 0; k < n; k++) {
        part[k].begin = (int32_t)((int64_t)mesh->n_vertex * k / n);
        part[k].end = (int32_t)((int64_t)mesh->n_vertex * (k + 1) / n);
        EW_TRY_OUT(ew_star_faces_reserve(&part[k].star, most));
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_thread)
    for (int32_t k = 0; k < n; k++) {
        visit_stretch(&part[k], topology, mesh, body, user);
    }
out:
    for (int32_t k = 0; k < n && part; k++) {
        ew_star_faces_free(&part[k].star);
    }
    ew_release(part);
    return status;
}

/* ---- the boundary ------------------------------------------------------- */

/* user: a byte for each face code. */
static void mark_boundary(void *user, const int32_t code[2])
{
    bool *on_boundary = user;
    if (code[1] < 0) {
        on_boundary[code[0]] = true;
    }
}

ew_status ew_topology_boundary(const ew_topology *topology, const ew_mesh *mesh, ew_list *face)
{
    if (mesh->n_tet > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "%d tets have more than %d faces", mesh->n_tet, INT32_MAX);
    }
    const int32_t n_code = 4 * mesh->n_tet;
    bool *on_boundary = NULL;
    ew_list found = {0};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&on_boundary, (size_t)n_code, sizeof *on_boundary));
    EW_TRY_OUT(visit_faces(topology, mesh, true, mark_boundary, on_boundary));
    for (int32_t code = 0; code < n_code; code++) {
        if (on_boundary[code]) {
            EW_TRY_OUT(ew_list_push(&found, code));
        }
    }
    ew_list_free(face);
    *face = found;
    found = (ew_list){0};
out:
    ew_list_free(&found);
    ew_release(on_boundary);
    return status;
}

void ew_face_area_vector(const ew_mesh *mesh, int32_t face, double area[3])
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)(face / 4);
    const int8_t *local = ew_face_vertex[face % 4];
    const double *x0 = mesh->xyz + 3 * (size_t)vertex[local[0]];
    const double *x1 = mesh->xyz + 3 * (size_t)vertex[local[1]];
    const double *x2 = mesh->xyz + 3 * (size_t)vertex[local[2]];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        area[i] = 0.5 * ((x1[j] - x0[j]) * (x2[k] - x0[k]) - (x1[k] - x0[k]) * (x2[j] - x0[j]));
    }
}

/* ---- components -------------------------------------------------------- */

/* Parents are read and written at once by several threads. Elsewhere there is one. */
#if defined(__GNUC__)
enum { HAS_ATOMICS = 1 };
static inline int32_t read_parent(const int32_t *parent)
{
    return __atomic_load_n(parent, __ATOMIC_RELAXED);
}

static inline bool write_parent(int32_t *parent, int32_t old, int32_t now)
{
    return __atomic_compare_exchange_n(parent, &old, now, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}
#else
enum { HAS_ATOMICS = 0 };
static inline int32_t read_parent(const int32_t *parent)
{
    return *parent;
}

static inline bool write_parent(int32_t *parent, int32_t old, int32_t now)
{
    (void)old;
    *parent = now;
    return true;
}
#endif

/* Trees of tets by parent, a root is its own; roots are the lowest tets of their trees, whoever
 * joined them in whatever order. Paths are halved on the way (Tarjan & van Leeuwen 1984; by several
 * threads at once: Anderson & Woll 1991). */
static int32_t find_root(int32_t *parent, int32_t t)
{
    for (int32_t up = read_parent(&parent[t]); up != t; up = read_parent(&parent[t])) {
        const int32_t next = read_parent(&parent[up]);
        if (next != up) {
            write_parent(&parent[t], up, next);
        }
        t = next;
    }
    return t;
}

/* user: the parents. A root alone gets another parent, and a lower one. */
static void unite(void *user, const int32_t code[2])
{
    int32_t *parent = user, s = code[0] / 4, t = code[1] / 4;
    for (bool done = code[1] < 0; !done;) {
        s = find_root(parent, s);
        t = find_root(parent, t);
        const int32_t low = s < t ? s : t, high = s < t ? t : s;
        done = s == t || write_parent(&parent[high], high, low);
    }
}

ew_status ew_topology_components(const ew_topology *topology, const ew_mesh *mesh,
                                 int32_t *component, int32_t *n_component)
{
    if (mesh->n_tet > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "%d tets have more than %d faces", mesh->n_tet, INT32_MAX);
    }
    int32_t n = 0, *parent = component;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        parent[t] = t;
    }
    EW_TRY(visit_faces(topology, mesh, HAS_ATOMICS, unite, parent));
    /* A parent is never above its child, so numbers are there before they are asked for. */
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const bool live = ew_mesh_tet_is_live(mesh, t);
        component[t] = !live ? -1 : parent[t] == t ? n++ : component[parent[t]];
    }
    *n_component = n;
    return EW_OK;
}
