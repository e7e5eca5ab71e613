/* What follows from the neighbour tables. In: a mesh and its tables. Out: tets across
 * faces, boundary faces, pieces; and area vectors of faces. */
#include "topology/topology.h"

static bool has_vertex(const int32_t *vertex, int32_t v)
{
    return vertex[0] == v || vertex[1] == v || vertex[2] == v || vertex[3] == v;
}

/* Only tets around an edge of the face can share it, and of its three edges the one with
 * the fewest tets is looked at. */
int32_t ew_topology_face_neighbour(const ew_topology *topology, const ew_mesh *mesh, int32_t face)
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

ew_status ew_topology_boundary(const ew_topology *topology, const ew_mesh *mesh, ew_list *face)
{
    if (mesh->n_tet > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "%d tets have more than %d faces", mesh->n_tet, INT32_MAX);
    }
    ew_list found = {0};
    for (int32_t code = 0; code < 4 * mesh->n_tet; code++) {
        if (ew_mesh_tet_is_live(mesh, code / 4) &&
            ew_topology_face_neighbour(topology, mesh, code) < 0) {
            ew_status status = ew_list_push(&found, code);
            if (status) {
                ew_list_free(&found);
                return status;
            }
        }
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

/* Gives `number` to every tet that can be reached from `seed` through faces. A tet enters
 * the stack when it gets its number, so the stack never holds more than all tets. */
static void flood(const ew_topology *topology, const ew_mesh *mesh, int32_t seed, int32_t number,
                  int32_t *piece, int32_t *stack)
{
    int32_t n = 0;
    piece[seed] = number;
    stack[n++] = seed;
    while (n) {
        int32_t t = stack[--n];
        for (int32_t f = 0; f < 4; f++) {
            int32_t other = ew_topology_face_neighbour(topology, mesh, 4 * t + f);
            if (other >= 0 && piece[other] < 0) {
                piece[other] = number;
                stack[n++] = other;
            }
        }
    }
}

ew_status ew_topology_pieces(const ew_topology *topology, const ew_mesh *mesh, int32_t *piece,
                             int32_t *n_piece)
{
    if (mesh->n_tet > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "%d tets have more than %d faces", mesh->n_tet, INT32_MAX);
    }
    int32_t *stack = NULL, n = 0;
    EW_TRY(ew_new(&stack, (size_t)mesh->n_tet, sizeof *stack));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        piece[t] = -1;
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && piece[t] < 0) {
            flood(topology, mesh, t, n++, piece, stack);
        }
    }
    ew_release(stack);
    *n_piece = n;
    return EW_OK;
}
