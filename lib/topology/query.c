/* What follows from the neighbor tables. In: a mesh and its tables. Out: tets across
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

static ew_status list_boundary(const ew_topology *topology, const ew_mesh *mesh,
                               ew_star_faces *star, ew_list *face)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        EW_TRY(ew_star_faces_find(star, topology, mesh, v));
        for (int32_t i = 0; i < star->n; i++) {
            if (star->code[2 * (size_t)i + 1] < 0) {
                EW_TRY(ew_list_push(face, star->code[2 * (size_t)i]));
            }
        }
    }
    ew_list_sort(face);
    return EW_OK;
}

ew_status ew_topology_boundary(const ew_topology *topology, const ew_mesh *mesh, ew_list *face)
{
    if (mesh->n_tet > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "%d tets have more than %d faces", mesh->n_tet, INT32_MAX);
    }
    ew_star_faces star = {0};
    ew_list found = {0};
    ew_status status = list_boundary(topology, mesh, &star, &found);
    ew_star_faces_free(&star);
    if (status) {
        ew_list_free(&found);
        return status;
    }
    ew_list_free(face);
    *face = found;
    return EW_OK;
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

/* Trees of tets by parent, a root is its own; roots are the lowest tets of their trees. Paths are
 * halved on the way (Tarjan & van Leeuwen 1984). */
static int32_t find_root(int32_t *parent, int32_t t)
{
    while (parent[t] != t) {
        t = parent[t] = parent[parent[t]];
    }
    return t;
}

static bool unite(int32_t *parent, int32_t s, int32_t t)
{
    s = find_root(parent, s);
    t = find_root(parent, t);
    parent[s < t ? t : s] = s < t ? s : t;
    return s != t;
}

/* Joins tets across faces until all are one or there are no more faces. */
static ew_status join_tets(const ew_topology *topology, const ew_mesh *mesh, int32_t *parent,
                           int32_t *n_root)
{
    ew_star_faces star = {0};
    ew_status status = EW_OK;
    for (int32_t v = 0; v<mesh->n_vertex && * n_root> 1 && !status; v++) {
        status = ew_star_faces_find(&star, topology, mesh, v);
        for (int32_t i = 0; i < star.n && !status; i++) {
            const int32_t *code = star.code + 2 * (size_t)i;
            if (code[1] >= 0) {
                *n_root -= unite(parent, code[0] / 4, code[1] / 4);
            }
        }
    }
    ew_star_faces_free(&star);
    return status;
}

ew_status ew_topology_components(const ew_topology *topology, const ew_mesh *mesh,
                                 int32_t *component, int32_t *n_component)
{
    if (mesh->n_tet > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "%d tets have more than %d faces", mesh->n_tet, INT32_MAX);
    }
    int32_t n = mesh->n_live_tet, *parent = component;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        parent[t] = t;
    }
    EW_TRY(join_tets(topology, mesh, parent, &n));
    /* A parent is never above its child, so numbers are there before they are asked for. */
    n = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        bool live = ew_mesh_tet_is_live(mesh, t);
        component[t] = !live ? -1 : parent[t] == t ? n++ : component[parent[t]];
    }
    *n_component = n;
    return EW_OK;
}
