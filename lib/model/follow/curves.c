/* Curved sides of a model's tets: what the mesh came with, and what is given back to it. What an
 * edit makes of them: queued_edges.c. */
#include "model/internal.h"

#include <stdlib.h>
#include <string.h>

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
