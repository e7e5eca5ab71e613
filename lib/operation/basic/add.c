/* Adds another mesh, welded to this one. In: two meshes and a tolerance. Out: the other's
 * vertices that meet none of this mesh's, and its tets. */
#include "operation/framework/internal.h"

#include <stdlib.h>

/* ---- tets and faces that meet ------------------------------------------ */

static void sort_vertices(int32_t *v, int n)
{
    for (int i = 1; i < n; i++) {
        int32_t value = v[i];
        int k = i;
        for (; k > 0 && v[k - 1] > value; k--) {
            v[k] = v[k - 1];
        }
        v[k] = value;
    }
}

static ew_status push(ew_corners_list *list, ew_corners item)
{
    EW_TRY(ew_grow(&list->item, &list->capacity, (int64_t)list->n + 1, sizeof *list->item));
    list->item[list->n++] = item;
    return EW_OK;
}

ew_status ew_corners_push(ew_corners_list *list, const int32_t v[4], int32_t tet)
{
    for (int f = 0; f < 4; f++) {
        const int8_t *local = ew_face_vertex[f];
        ew_corners face = {{v[local[0]], v[local[1]], v[local[2]], -1 - ew_face_side(v, f)}, tet};
        sort_vertices(face.v, 3);
        if (face.v[0] >= 0) {
            EW_TRY(push(list, face));
        }
    }
    ew_corners all = {{v[0], v[1], v[2], v[3]}, tet};
    sort_vertices(all.v, 4);
    return all.v[0] >= 0 ? push(list, all) : EW_OK;
}

static int compare_vertices(const ew_corners *x, const ew_corners *y)
{
    int k = 0;
    while (k < 3 && x->v[k] == y->v[k]) {
        k++;
    }
    return (x->v[k] > y->v[k]) - (x->v[k] < y->v[k]);
}

static int compare_corners(const void *left, const void *right)
{
    const ew_corners *x = left, *y = right;
    int order = compare_vertices(x, y);
    return order ? order : (x->tet > y->tet) - (x->tet < y->tet);
}

const ew_corners *ew_corners_overlap(ew_corners_list *list)
{
    const ew_corners *found = NULL;
    if (list->n == 0) {
        return NULL;
    }
    qsort(list->item, (size_t)list->n, sizeof *list->item, compare_corners);
    for (int32_t i = 0; i + 1 < list->n; i++) {
        const ew_corners *first = list->item + i;
        bool crowd = first->tet < 0 && compare_vertices(first, first + 1) == 0;
        if (crowd && (!found || (found->v[3] < 0 && first->v[3] >= 0))) {
            found = first; /* the other mesh' come first */
        }
    }
    return found;
}

/* ---- welding ----------------------------------------------------------- */

typedef struct weld {
    const ew_mesh *mesh, *other;
    double tolerance;
    ew_points points; /* the mesh's active vertices near the other mesh */
    int32_t *target;  /* [other's n_vertex] owned: slot or EW_NEW_VERTEX */
    int32_t *taken;   /* [n_vertex] owned: the other's vertex welded to it, -1: none */
} weld;

/* Only vertices in the other mesh' bounding box can be welded to. */
static ew_status find_points(weld *w)
{
    ew_mesh_measure box;
    ew_list near = {0};
    ew_status status = EW_OK;
    ew_mesh_take_measure(w->other, &box);
    for (int32_t v = 0; v < w->mesh->n_vertex && !status; v++) {
        const double *x = w->mesh->xyz + 3 * (size_t)v;
        bool inside = ew_mesh_vertex_is_active(w->mesh, v);
        for (int i = 0; i < 3; i++) {
            inside =
                inside && x[i] >= box.low[i] - w->tolerance && x[i] <= box.high[i] + w->tolerance;
        }
        if (inside) {
            status = ew_list_push(&near, v);
        }
    }
    if (!status) {
        status = ew_points_init(&w->points, w->mesh, &near);
    }
    ew_list_free(&near);
    return status;
}

static ew_status fail_double_weld(const weld *w, int32_t v, int32_t to)
{
    return ew_fail(EW_BAD_EDIT,
                   "add: vertices %lld and %lld of the other mesh are both within %g of vertex "
                   "%lld; lower the tolerance",
                   (long long)w->other->vertex_id[w->taken[to]], (long long)w->other->vertex_id[v],
                   w->tolerance, (long long)w->mesh->vertex_id[to]);
}

static ew_status weld_vertices(weld *w, ew_edit *edit)
{
    for (int32_t v = 0; v < w->mesh->n_vertex; v++) {
        w->taken[v] = -1;
    }
    for (int32_t v = 0; v < w->other->n_vertex; v++) {
        const double *x = w->other->xyz + 3 * (size_t)v;
        double distance2;
        if (!ew_mesh_vertex_is_active(w->other, v)) {
            continue;
        }
        int32_t to = ew_points_nearest(&w->points, x, w->tolerance * w->tolerance, &distance2);
        w->target[v] = to;
        if (to < 0) {
            EW_TRY(ew_edit_add_vertex(edit, x, &w->target[v]));
        } else if (w->taken[to] >= 0) {
            return fail_double_weld(w, v, to);
        } else {
            w->taken[to] = v;
        }
    }
    return EW_OK;
}

static ew_status queue_tets(const weld *w, ew_edit *edit, ew_corners_list *met)
{
    const ew_mesh *other = w->other;
    ew_refusal refusal = {0};
    for (int32_t t = 0; t < other->n_tet; t++) {
        const int32_t *v = other->tet + 4 * (size_t)t;
        int32_t to[4];
        const double *x[4];
        if (v[0] < 0) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            to[k] = w->target[v[k]];
            x[k] = to[k] >= 0 ? w->mesh->xyz + 3 * (size_t)to[k] : other->xyz + 3 * (size_t)v[k];
        }
        ew_refusal_note(&refusal, other->tet_id[t], x);
        EW_TRY(ew_edit_add_tet(edit, to, other->region_label[other->region[t]]));
        EW_TRY(ew_corners_push(met, to, -1 - t));
    }
    return ew_refusal_fail(&refusal, "add", "tets of the other mesh, once welded,",
                           "lower the tolerance");
}

/* The mesh' faces and tets all of whose vertices were welded to. */
static ew_status collect_met(const weld *w, ew_corners_list *met)
{
    for (int32_t t = 0; t < w->mesh->n_tet && met->n; t++) {
        const int32_t *v = w->mesh->tet + 4 * (size_t)t;
        int32_t welded[4];
        for (int k = 0; k < 4 && v[0] >= 0; k++) {
            welded[k] = w->taken[v[k]] >= 0 ? v[k] : -1;
        }
        if (v[0] >= 0) {
            EW_TRY(ew_corners_push(met, welded, t));
        }
    }
    return EW_OK;
}

static ew_status check_met(const weld *w, ew_corners_list *met)
{
    const ew_corners *crowd = ew_corners_overlap(met);
    if (!crowd) {
        return EW_OK;
    }
    long long added = (long long)w->other->tet_id[-1 - crowd->tet];
    if (crowd->v[3] >= 0) {
        return ew_fail(EW_BAD_EDIT,
                       "add: tet %lld of the other mesh lies on another tet with the same four "
                       "vertices; remove one of the two, or lower the tolerance",
                       added);
    }
    const int64_t *id = w->mesh->vertex_id;
    int32_t second = crowd[1].tet;
    return ew_fail(
        EW_BAD_EDIT,
        "add: tet %lld of the other mesh and tet %lld of %s would overlap: they share "
        "the face of vertices %lld, %lld and %lld and lie on the same side of it; "
        "remove one of them, or move the other mesh",
        added, (long long)(second < 0 ? w->other->tet_id[-1 - second] : w->mesh->tet_id[second]),
        second < 0 ? "it" : "this one", (long long)id[crowd->v[0]], (long long)id[crowd->v[1]],
        (long long)id[crowd->v[2]]);
}

static ew_status queue(weld *w, ew_edit *edit)
{
    ew_corners_list met = {0};
    EW_TRY(ew_new(&w->target, (size_t)w->other->n_vertex, sizeof *w->target));
    EW_TRY(ew_new(&w->taken, (size_t)w->mesh->n_vertex, sizeof *w->taken));
    EW_TRY(find_points(w));
    EW_TRY(weld_vertices(w, edit));
    ew_status status = queue_tets(w, edit, &met);
    if (!status) {
        status = collect_met(w, &met);
    }
    if (!status) {
        status = check_met(w, &met);
    }
    ew_release(met.item);
    return status ? status : ew_label_images(w->other, w->target, false, edit);
}

ew_status ew_operation_add(const ew_mesh *mesh, const ew_mesh *other, double tolerance,
                           ew_edit *edit)
{
    weld w = {.mesh = mesh, .other = other, .tolerance = tolerance};
    EW_TRY(ew_need_empty("add", edit));
    EW_TRY(ew_need_length("add", "tolerance", tolerance));
    ew_status status = queue(&w, edit);
    ew_points_free(&w.points);
    ew_release(w.target);
    ew_release(w.taken);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { MESH, WELD, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [MESH] = {.key = "mesh",
              .kind = EW_PARAMETER_MESH,
              .need = EW_REQUIRED,
              .argument = "OTHER",
              .help = "the mesh to add"},
    [WELD] = {.key = "weld",
              .kind = EW_PARAMETER_LENGTH,
              .argument = "LENGTH",
              .help = "distance within which vertices are merged (0: equal ones only)"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    return ew_operation_add(in->mesh, in->other, in->values->of[WELD].number[0], edit);
}

const ew_operation ew_add_operation = {
    .name = "add",
    .summary = "weld another mesh on",
    .example = "plate.mesh rib.mesh --weld 1e-6 -o stiffened.mesh",
    .file_code = 5,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .joined = "welded",
    .queue = queue_values,
};
