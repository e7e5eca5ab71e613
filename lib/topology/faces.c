/* Faces, each once. In: a mesh and its tets by vertex. Out: for one vertex after the other, the
 * faces whose lowest vertex it is, with the tets on both sides. All of them in O(n), with a hash
 * table no larger than the star of a vertex. */
#include "topology/parts/topology.h"

#include <string.h>

void ew_star_faces_free(ew_star_faces *faces)
{
    ew_release(faces->code);
    ew_release(faces->key);
    ew_release(faces->place);
    *faces = (ew_star_faces){0};
}

/* Places of the hash table for the faces of n_tet tets. */
static int64_t places_for(int32_t n_tet)
{
    int64_t room = 16;
    while (room < 6 * (int64_t)n_tet) {
        room *= 2;
    }
    return room;
}

static void clear_places(ew_star_faces *faces)
{
    memset(faces->place, 0, (size_t)faces->place_capacity * sizeof *faces->place);
    faces->before = faces->n = 0;
}

ew_status ew_star_faces_reserve(ew_star_faces *faces, int32_t n_tet)
{
    const int64_t n = 3 * (int64_t)n_tet;
    int32_t capacity = faces->capacity;
    EW_TRY(ew_grow(&faces->code, &capacity, n, 2 * sizeof *faces->code));
    EW_TRY(ew_grow(&faces->key, &faces->capacity, n, sizeof *faces->key));
    const int32_t had = faces->place_capacity;
    EW_TRY(ew_grow(&faces->place, &faces->place_capacity, places_for(n_tet), sizeof *faces->place));
    if (faces->place_capacity != had) {
        clear_places(faces);
    }
    return EW_OK;
}

static void enter(ew_star_faces *faces, int32_t b, int32_t c, int32_t code)
{
    uint64_t key = b < c ? (uint64_t)b << 32 | (uint64_t)c : (uint64_t)c << 32 | (uint64_t)b;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & faces->mask;
    int32_t face = faces->place[at] - faces->before - 1;
    while (face >= 0 && faces->key[face] != key) {
        at = (at + 1) & faces->mask;
        face = faces->place[at] - faces->before - 1;
    }
    if (face >= 0) {
        faces->code[2 * (size_t)face + 1] = code;
        return;
    }
    faces->key[faces->n] = key;
    faces->code[2 * (size_t)faces->n] = code;
    faces->code[2 * (size_t)faces->n + 1] = -1;
    faces->place[at] = faces->before + ++faces->n;
}

/* The faces of a tet whose lowest vertex is v. Half of the tets around a vertex have none. */
static inline void enter_tet(ew_star_faces *faces, const ew_mesh *mesh, int32_t t, int32_t v)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)t;
    int32_t n_higher = 0;
    for (int k = 0; k < 4; k++) {
        n_higher += tet[k] > v;
    }
    for (int f = 0; f < 4 && n_higher >= 2; f++) {
        const int8_t *local = ew_face_vertex[f];
        const int32_t a = tet[local[0]], b = tet[local[1]], c = tet[local[2]];
        if (tet[f] == v || a < v || b < v || c < v) {
            continue; /* face f is opposite to vertex f */
        }
        enter(faces, a == v ? b : a, c == v ? b : c, 4 * t + f);
    }
}

void ew_star_faces_list(ew_star_faces *faces, const ew_topology *topology, const ew_mesh *mesh,
                        int32_t v)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    faces->mask = (uint32_t)places_for(rows->count[v]) - 1;
    faces->before += faces->n; /* which empties the table */
    faces->n = 0;
    if (faces->before > INT32_MAX / 2) {
        clear_places(faces);
    }
    for (int32_t i = 0; i < rows->count[v]; i++) {
        enter_tet(faces, mesh, rows->item[rows->begin[v] + i], v);
    }
}

ew_status ew_star_faces_find(ew_star_faces *faces, const ew_topology *topology, const ew_mesh *mesh,
                             int32_t v)
{
    EW_TRY(ew_star_faces_reserve(faces, topology->vertex_to_tet.count[v]));
    ew_star_faces_list(faces, topology, mesh, v);
    return EW_OK;
}
