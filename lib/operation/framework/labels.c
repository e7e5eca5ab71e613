/* Labeled triangles under operations. In: the mesh's triangles and what became of its vertices or
 * edges. Out: the triangles of the new faces, queued with their labels. */
#include "operation/framework/internal.h"

/* The labeled triangles that still are faces; *live owned by the caller. */
static ew_status find_live(const ew_mesh *mesh, bool **live)
{
    EW_TRY(ew_new_zero(live, (size_t)mesh->n_face, sizeof **live));
    ew_status status = ew_mesh_live_faces(mesh, *live);
    if (status) {
        ew_release(*live);
        *live = NULL;
    }
    return status;
}

ew_status ew_label_images(const ew_mesh *from, const int32_t *image, bool turn, ew_edit *edit)
{
    bool *live;
    ew_status status;
    EW_TRY(find_live(from, &live));
    status = EW_OK;
    for (int32_t f = 0; f < from->n_face && !status; f++) {
        const int32_t *v = from->face + 3 * (size_t)f;
        if (!live[f]) {
            continue;
        }
        const int32_t to[3] = {image[v[0]], image[v[turn ? 2 : 1]], image[v[turn ? 1 : 2]]};
        if (to[0] < 0 || to[1] < 0 || to[2] < 0) {
            status = ew_edit_add_face(edit, to, from->face_label[f]);
        }
    }
    ew_release(live);
    return status;
}

/* ---- refinement -------------------------------------------------------- */

/* The cuts of edges that triangles may have: both ends, a < b, to which cut it was. Vertices of the
 * mesh that are ends lie in [least, most]. */
typedef struct cut_map {
    ew_map map; /* owned */
    int32_t min, max;
} cut_map;

static int32_t cut_of(const cut_map *cuts, int32_t a, int32_t b)
{
    const int32_t k = ew_map_find(&cuts->map, a < b ? a : b, a < b ? b : a, -1);
    return k < 0 ? INT32_MAX : k;
}

static bool has_cut(const cut_map *cuts, const int32_t v[3])
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += v[i] >= cuts->min && v[i] <= cuts->max;
    }
    return n >= 2 &&
           (cut_of(cuts, v[0], v[1]) != INT32_MAX || cut_of(cuts, v[1], v[2]) != INT32_MAX ||
            cut_of(cuts, v[2], v[0]) != INT32_MAX);
}

/* Cuts the triangle as its tets were: the earliest cut among its edges first, then both halves. */
static ew_status queue_parts(const cut_map *cuts, const int32_t v[3], int32_t label, bool is_part,
                             ew_edit *edit)
{
    int32_t first = INT32_MAX, side = 0;
    for (int32_t i = 0; i < 3; i++) {
        const int32_t k = cut_of(cuts, v[i], v[(i + 1) % 3]);
        side = k < first ? i : side;
        first = k < first ? k : first;
    }
    if (first == INT32_MAX) {
        return is_part ? ew_edit_add_face(edit, v, label) : EW_OK;
    }
    const int32_t a = v[side], b = v[(side + 1) % 3], c = v[(side + 2) % 3];
    const int32_t middle = EW_NEW_VERTEX(first);
    EW_TRY(queue_parts(cuts, (int32_t[3]){a, middle, c}, label, true, edit));
    return queue_parts(cuts, (int32_t[3]){middle, b, c}, label, true, edit);
}

/* Whether the triangle is a face of a tet, of those around its first edge. */
static bool is_face(const ew_mesh *mesh, const ew_topology *topology, int32_t f)
{
    const int32_t *v = mesh->face + 3 * (size_t)f;
    const ew_rows *rows = &topology->edge_to_tet;
    const int32_t e = ew_mesh_face_is_kept(mesh, f)
                          ? ew_pattern_pair_between(&topology->pattern, v[0], v[1])
                          : -1;
    for (int32_t i = 0; e >= 0 && i < rows->count[e]; i++) {
        const int32_t *corner = mesh->tet + 4 * (size_t)rows->item[rows->begin[e] + i];
        if (corner[0] == v[2] || corner[1] == v[2] || corner[2] == v[2] || corner[3] == v[2]) {
            return true;
        }
    }
    return false;
}

/* Whether a vertex, as edits name it, is one of a labeled triangle or the middle of two such. */
static bool *mark_of(bool *labeled, int32_t n_vertex, int32_t v)
{
    return &labeled[v >= 0 ? v : n_vertex + EW_NEW_VERTEX(v)];
}

/* labeled: null, or [vertices of the mesh and of the edit], false; others have no cut triangle. */
static ew_status enter_cuts(const ew_mesh *mesh, const ew_edit *edit, bool *labeled, cut_map *cuts)
{
    *cuts = (cut_map){.min = INT32_MAX, .max = -1};
    for (int32_t f = 0; labeled && f < 3 * mesh->n_face; f++) {
        labeled[mesh->face[f]] = true;
    }
    for (int32_t k = 0; k < edit->n_add_vertex; k++) {
        const int32_t *end = edit->add_parent + 2 * (size_t)k;
        const int32_t a = end[0] < end[1] ? end[0] : end[1], b = end[0] < end[1] ? end[1] : end[0];
        int32_t old;
        if (labeled) {
            const bool both =
                *mark_of(labeled, mesh->n_vertex, a) && *mark_of(labeled, mesh->n_vertex, b);
            labeled[mesh->n_vertex + k] = both;
            if (!both) {
                continue;
            }
        }
        EW_TRY(ew_map_enter(&cuts->map, a, b, -1, k, &old));
        if (a >= 0) {
            cuts->min = a < cuts->min ? a : cuts->min;
            cuts->max = b > cuts->max ? b : cuts->max;
        }
    }
    return EW_OK;
}

/* Where few edges were cut, marks over the mesh would cost more than they save. */
ew_status ew_label_parts(const ew_mesh *mesh, const ew_topology *topology, ew_edit *edit)
{
    ew_status status;
    cut_map cuts = {0};
    bool *labeled = NULL; /* vertices, then middles */
    if (edit->n_add_vertex == 0 || mesh->n_face == 0) {
        return EW_OK;
    }
    if (edit->n_add_vertex > mesh->n_vertex / 16) {
        EW_TRY(ew_new_zero(&labeled, (size_t)mesh->n_vertex + (size_t)edit->n_add_vertex,
                           sizeof *labeled));
    }
    EW_TRY_OUT(enter_cuts(mesh, edit, labeled, &cuts));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        const int32_t *v = mesh->face + 3 * (size_t)f;
        if (has_cut(&cuts, v) && is_face(mesh, topology, f)) {
            EW_TRY_OUT(queue_parts(&cuts, v, mesh->face_label[f], false, edit));
        }
    }
out:
    ew_release(labeled);
    ew_map_free(&cuts.map);
    return status;
}
