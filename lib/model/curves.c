/* Curved sides of a model's tets: what the mesh came with, and vertices that an edit puts into the
 * middle of a curved side, which it thinks straight. */
#include "model/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool model_is_curved(const ew_model *model)
{
    return model->mesh.n_curve > 0 && model_has_edges(model);
}

const double *model_given_curve(const ew_model *model, const int32_t *end)
{
    const ew_mesh *mesh = &model->mesh;
    return mesh->n_curve ? ew_mesh_curve(mesh, mesh->vertex_id[end[0]], mesh->vertex_id[end[1]])
                         : NULL;
}

/* ---- vertices on curved sides -------------------------------------------------------- */

/* What a batch has moved so far: by how much each added vertex, and the curves of the halves of
 * sides that it splits. */
typedef struct bending {
    ew_model *model;
    double *shift; /* [n_add_vertex][3] owned */
    ew_map half;   /* by the names of its ends in the queue, to a row of */
    double *curve; /* [][3] owned */
    int32_t capacity;
} bending;

static const double *place_of(const bending *in, int32_t vertex)
{
    return vertex >= 0 ? in->model->mesh.xyz + 3 * (size_t)vertex
                       : in->model->edit.add_vertex + 3 * (size_t)(-2 - vertex);
}

/* Of the side between two vertices of the mesh or of the queue; null: straight. */
static const double *side_of(const bending *in, int32_t a, int32_t b)
{
    const ew_model *model = in->model;
    const model_quadratic *q = &model->quadratic;
    if (a >= 0 && b >= 0) {
        const int32_t edge = a < model->mesh.n_vertex && b < model->mesh.n_vertex
                                 ? ew_pattern_pair_between(&model->topology.pattern, a, b)
                                 : -1;
        const int32_t row = edge >= 0 ? q->rows.row[edge] : -1;
        return row >= 0 ? q->curve + 3 * (size_t)row : NULL;
    }
    const int32_t at = ew_map_find(&in->half, a < b ? a : b, a < b ? b : a, -1);
    return at >= 0 ? in->curve + 3 * (size_t)at : NULL;
}

static ew_status enter_halves(bending *in, int32_t middle, const int32_t *parent, const double *c)
{
    const double half[3] = {0.25 * c[0], 0.25 * c[1], 0.25 * c[2]}; /* c may stand in what grows */
    for (int k = 0; k < 2; k++) {
        const int32_t n = in->half.n, p = parent[k];
        int32_t old;
        EW_TRY(ew_grow(&in->curve, &in->capacity, (int64_t)n + 1, 3 * sizeof *in->curve));
        for (int i = 0; i < 3; i++) {
            in->curve[3 * (size_t)n + (size_t)i] = half[i];
        }
        EW_TRY(
            ew_map_enter(&in->half, middle < p ? middle : p, middle < p ? p : middle, -1, n, &old));
    }
    return EW_OK;
}

/* A vertex in the middle of two others, as they stand in the queue: where the side between them is
 * curved, or they are moved themselves. */
static ew_status bend(bending *in, int32_t k)
{
    const int32_t *parent = in->model->edit.add_parent + 2 * (size_t)k;
    const int32_t name = EW_NEW_VERTEX(k);
    double *x = in->model->edit.add_vertex + 3 * (size_t)k, *shift = in->shift + 3 * (size_t)k;
    double off = 0.0, length = 0.0;
    if (parent[0] == parent[1]) {
        return EW_OK;
    }
    const double *curve = side_of(in, parent[0], parent[1]);
    for (int c = 0; c < 3; c++) {
        double place[2];
        for (int i = 0; i < 2; i++) {
            const double moved = parent[i] < -1 ? in->shift[3 * (size_t)(-2 - parent[i]) + c] : 0.0;
            place[i] = place_of(in, parent[i])[c];
            shift[c] += 0.5 * moved;
            place[i] -= moved; /* as the edit knows it */
        }
        shift[c] += curve ? curve[c] : 0.0;
        off = fmax(off, fabs(x[c] - 0.5 * (place[0] + place[1])));
        length = fmax(length, fabs(place[1] - place[0]));
    }
    if (off > 1e-9 * length) { /* it was put elsewhere */
        memset(shift, 0, 3 * sizeof *shift);
        return EW_OK;
    }
    for (int c = 0; c < 3; c++) {
        x[c] += shift[c];
    }
    return curve ? enter_halves(in, name, parent, curve) : EW_OK;
}

/* A parent in the queue is one that was queued before, or the commit refuses it. */
static bool is_in_order(const ew_edit *edit, int32_t n_vertex, int32_t k)
{
    const int32_t *parent = edit->add_parent + 2 * (size_t)k;
    bool in_order = parent[0] != -1 && parent[1] != -1;
    for (int i = 0; i < 2; i++) {
        in_order = in_order && parent[i] >= -1 - k && parent[i] < n_vertex;
    }
    return in_order;
}

ew_status model_bend_queue(ew_model *model)
{
    const ew_edit *edit = &model->edit;
    bending in = {.model = model};
    if (!model_is_curved(model) || !edit->n_add_vertex || edit->n_curve) {
        return EW_OK;
    }
    ew_status status = ew_new_zero(&in.shift, 3 * (size_t)edit->n_add_vertex, sizeof *in.shift);
    for (int32_t k = 0; k < edit->n_add_vertex && !status; k++) {
        status = is_in_order(edit, model->mesh.n_vertex, k) ? bend(&in, k) : EW_OK;
    }
    ew_release(in.shift);
    ew_release(in.curve);
    ew_map_free(&in.half);
    return status;
}

/* ---- back into the mesh --------------------------------------------------------------- */

typedef struct stored {
    int64_t end[2]; /* vertex_ids, the lower first */
    double curve[3];
} stored;

static int by_ends(const void *a, const void *b)
{
    const int64_t *x = ((const stored *)a)->end, *y = ((const stored *)b)->end;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Curves of edges that are there: those given to edges that went would not follow edits. */
static int32_t list_curves(const ew_model *model, stored *list)
{
    const ew_mesh *mesh = &model->mesh;
    const model_quadratic *q = &model->quadratic;
    int32_t n = 0;
    for (int32_t row = 0; row < q->rows.pattern.n_row; row++) {
        const double *curve = q->curve + 3 * (size_t)row;
        const int32_t edge = q->rows.edge[row];
        if (edge < 0 || (curve[0] == 0.0 && curve[1] == 0.0 && curve[2] == 0.0)) {
            continue;
        }
        const int32_t *pair = model->topology.pattern.pair_row + 2 * (size_t)edge;
        const int64_t a = mesh->vertex_id[pair[0]], b = mesh->vertex_id[pair[1]];
        list[n] = (stored){.end = {a < b ? a : b, a < b ? b : a}};
        memcpy(list[n++].curve, curve, sizeof list->curve);
    }
    qsort(list, (size_t)n, sizeof *list, by_ends);
    return n;
}

ew_status model_see_curves(const ew_model *model, ew_mesh *view)
{
    stored *list = NULL;
    int64_t *end = NULL;
    double *curve = NULL;
    int32_t n = 0;
    ew_status status = EW_OK;
    *view = model->mesh;
    if (model_is_curved(model)) {
        EW_TRY_OUT(ew_new(&list, (size_t)model->quadratic.rows.pattern.n_row, sizeof *list));
        n = list_curves(model, list);
    }
    EW_TRY_OUT(ew_new(&end, (size_t)n, 2 * sizeof *end));
    EW_TRY_OUT(ew_new(&curve, (size_t)n, 3 * sizeof *curve));
    for (int32_t i = 0; i < n; i++) {
        memcpy(end + 2 * (size_t)i, list[i].end, sizeof list->end);
        memcpy(curve + 3 * (size_t)i, list[i].curve, sizeof list->curve);
    }
out:
    view->curve_end = end;
    view->curve = curve;
    view->n_curve = n;
    view->curve_revision = view->revision;
    if (status) {
        model_forget_view(view);
    }
    ew_release(list);
    return status;
}

void model_forget_view(ew_mesh *view)
{
    ew_release(view->curve_end);
    ew_release(view->curve);
    *view = (ew_mesh){0};
}

ew_status ew_model_store_curves(ew_model *model)
{
    ew_mesh *mesh = &model->mesh, view;
    EW_TRY(model_need_usable(model));
    if (!model_is_curved(model)) {
        return EW_OK;
    }
    EW_TRY(model_see_curves(model, &view));
    ew_release(mesh->curve_end);
    ew_release(mesh->curve);
    *mesh = view; /* but for the curves the arrays of the mesh */
    return EW_OK;
}
