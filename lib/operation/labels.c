/* Labelled triangles under operations. In: the mesh's triangles and what became of its vertices or
 * edges. Out: the triangles of the new faces, queued with their labels. */
#include "operation/internal.h"

#include <stdlib.h>

/* Those that still are faces; *live owned by the caller. */
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

/* A cut edge, a < b, and which cut it was. */
typedef struct cut {
    int32_t a, b, k;
} cut;

typedef struct cut_list {
    int32_t n, capacity;
    cut *item; /* [n] owned */
} cut_list;

static int compare_cuts(const void *left, const void *right)
{
    const cut *x = left, *y = right;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static int32_t cut_of(const cut_list *list, int32_t a, int32_t b)
{
    const cut wanted = {a < b ? a : b, a < b ? b : a, 0};
    const cut *found =
        bsearch(&wanted, list->item, (size_t)list->n, sizeof *list->item, compare_cuts);
    return found ? found->k : INT32_MAX;
}

/* Cuts the triangle as its tets were: the earliest cut among its edges first, then both halves. */
static ew_status queue_parts(const cut_list *list, const int32_t v[3], int32_t label, bool is_part,
                             ew_edit *edit)
{
    int32_t first = INT32_MAX, side = 0;
    for (int32_t i = 0; i < 3; i++) {
        const int32_t k = cut_of(list, v[i], v[(i + 1) % 3]);
        side = k < first ? i : side;
        first = k < first ? k : first;
    }
    if (first == INT32_MAX) {
        return is_part ? ew_edit_add_face(edit, v, label) : EW_OK;
    }
    const int32_t a = v[side], b = v[(side + 1) % 3], c = v[(side + 2) % 3];
    const int32_t middle = EW_NEW_VERTEX(first);
    EW_TRY(queue_parts(list, (int32_t[3]){a, middle, c}, label, true, edit));
    return queue_parts(list, (int32_t[3]){middle, b, c}, label, true, edit);
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

/* The cuts of edges between vertices of labelled triangles and the middles of such edges. */
static ew_status list_cuts(const ew_mesh *mesh, const ew_edit *edit, bool *labelled, cut_list *list)
{
    for (int32_t f = 0; f < 3 * mesh->n_face; f++) {
        labelled[mesh->face[f]] = true;
    }
    for (int32_t k = 0; k < edit->n_add_vertex; k++) {
        const int32_t *end = edit->add_parent + 2 * (size_t)k, a = end[0], b = end[1];
        const bool both = labelled[a >= 0 ? a : mesh->n_vertex + EW_NEW_VERTEX(a)] &&
                          labelled[b >= 0 ? b : mesh->n_vertex + EW_NEW_VERTEX(b)];
        labelled[mesh->n_vertex + k] = both;
        if (both) {
            EW_TRY(ew_grow(&list->item, &list->capacity, (int64_t)list->n + 1, sizeof *list->item));
            list->item[list->n++] = (cut){a < b ? a : b, a < b ? b : a, k};
        }
    }
    if (list->n) {
        qsort(list->item, (size_t)list->n, sizeof *list->item, compare_cuts);
    }
    return EW_OK;
}

ew_status ew_label_parts(const ew_mesh *mesh, const ew_topology *topology, ew_edit *edit)
{
    ew_status status;
    cut_list list = {0};
    bool *labelled = NULL; /* vertices, then middles */
    if (edit->n_add_vertex == 0 || mesh->n_face == 0) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&labelled, (size_t)mesh->n_vertex + (size_t)edit->n_add_vertex,
                       sizeof *labelled));
    EW_TRY_OUT(list_cuts(mesh, edit, labelled, &list));
    for (int32_t f = 0; list.n && f < mesh->n_face; f++) {
        if (is_face(mesh, topology, f)) {
            EW_TRY_OUT(
                queue_parts(&list, mesh->face + 3 * (size_t)f, mesh->face_label[f], false, edit));
        }
    }
out:
    ew_release(labelled);
    ew_release(list.item);
    return status;
}
