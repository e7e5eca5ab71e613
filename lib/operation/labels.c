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

static int compare_cuts(const void *left, const void *right)
{
    const cut *x = left, *y = right;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static int32_t cut_of(const cut *list, int32_t n, int32_t a, int32_t b)
{
    const cut wanted = {a < b ? a : b, a < b ? b : a, 0};
    const cut *found = bsearch(&wanted, list, (size_t)n, sizeof *list, compare_cuts);
    return found ? found->k : INT32_MAX;
}

/* Cuts the triangle as its tets were: the earliest cut among its edges first, then both halves. */
static ew_status queue_parts(const cut *list, int32_t n, const int32_t v[3], int32_t label,
                             bool is_part, ew_edit *edit)
{
    int32_t first = INT32_MAX, side = 0;
    for (int32_t i = 0; i < 3; i++) {
        const int32_t k = cut_of(list, n, v[i], v[(i + 1) % 3]);
        side = k < first ? i : side;
        first = k < first ? k : first;
    }
    if (first == INT32_MAX) {
        return is_part ? ew_edit_add_face(edit, v, label) : EW_OK;
    }
    const int32_t a = v[side], b = v[(side + 1) % 3], c = v[(side + 2) % 3];
    const int32_t middle = EW_NEW_VERTEX(first);
    EW_TRY(queue_parts(list, n, (int32_t[3]){a, middle, c}, label, true, edit));
    return queue_parts(list, n, (int32_t[3]){middle, b, c}, label, true, edit);
}

ew_status ew_label_parts(const ew_mesh *mesh, ew_edit *edit)
{
    const int32_t n = edit->n_add_vertex, *parent = edit->add_parent;
    bool *live = NULL;
    cut *list = NULL;
    ew_status status = EW_OK;
    if (n == 0 || mesh->n_face == 0) {
        return EW_OK;
    }
    EW_TRY(ew_new(&list, (size_t)n, sizeof *list));
    for (int32_t k = 0; k < n; k++) {
        const int32_t a = parent[2 * (size_t)k], b = parent[2 * (size_t)k + 1];
        list[k] = (cut){a < b ? a : b, a < b ? b : a, k};
    }
    qsort(list, (size_t)n, sizeof *list, compare_cuts);
    EW_TRY_OUT(find_live(mesh, &live));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        if (live[f]) {
            EW_TRY_OUT(
                queue_parts(list, n, mesh->face + 3 * (size_t)f, mesh->face_label[f], false, edit));
        }
    }
out:
    ew_release(live);
    ew_release(list);
    return status;
}
