/* Curved tets that an edit would fold. In: the queue of an edit, with its vertices on curved sides
 * and its own and mapped curves (curves.c, turn_curves.c). Out: EW_BAD_EDIT before anything
 * changed, where a tet that it moves a corner of, or adds, would be folded with the curves that its
 * sides then have (quadratic.c). Parts that `refine` cuts tets into are taken to be as good as
 * these. */
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

typedef struct queued {
    const ew_model *model;
    ew_map moved;  /* slots that the queue moves, to their places in it */
    ew_map side;   /* of added tets, by the names of its ends, to a row of */
    bool *known;   /* [side.n] owned, */
    double *curve; /* [side.n][3] owned: the curve of the side, once it was asked for */
} queued;

static bool is_name(const queued *in, int32_t name)
{
    return name >= 0 ? name < in->model->mesh.n_vertex
                     : name < -1 && -2 - name < in->model->edit.n_add_vertex;
}

static const double *place_of(const queued *in, int32_t name)
{
    const ew_edit *edit = &in->model->edit;
    const int32_t at = name >= 0 ? ew_map_find(&in->moved, name, 0, -1) : -1;
    return name < 0  ? edit->add_vertex + 3 * (size_t)(-2 - name)
           : at >= 0 ? edit->move_to + 3 * (size_t)at
                     : in->model->mesh.xyz + 3 * (size_t)name;
}

/* ---- the curve of a side --------------------------------------------------------- */

static bool find_curve(queued *in, int32_t a, int32_t b, double *c);

/* Between vertices of the mesh: an edge that is new has what the mesh came with. */
static bool find_old(const queued *in, int32_t a, int32_t b, bool is_added, double *c)
{
    const model_quadratic *q = &in->model->quadratic;
    const int32_t edge = ew_pattern_pair_between(&in->model->topology.pattern, a, b);
    const int32_t row = edge >= 0 ? q->rows.row[edge] : -1;
    const double *given = edge < 0 ? model_given_curve(in->model, (int32_t[]){a, b}) : NULL;
    if (row >= 0 || given) {
        memcpy(c, row >= 0 ? q->curve + 3 * (size_t)row : given, 3 * sizeof *c);
    }
    return edge >= 0 || is_added;
}

/* As `inherit` of quadratic.c does it: from the added vertex, between its parents, to another. */
static bool find_inherited(queued *in, int32_t middle, int32_t other, double *c)
{
    const ew_edit *edit = &in->model->edit;
    const int32_t k = -2 - middle, *parent = edit->add_parent + 2 * (size_t)k;
    const double s = ew_edit_fraction(edit, k);
    double of[3], a[3], b[3];
    for (int i = 0; i < 2; i++) { /* one in the queue is of an earlier place */
        if (parent[i] == parent[1 - i] || parent[i] < -1 - k || !is_name(in, parent[i])) {
            return false;
        }
    }
    if (!find_curve(in, parent[0], parent[1], of)) {
        return false;
    }
    if (other == parent[0] || other == parent[1]) {
        const double length = other == parent[0] ? s : 1.0 - s;
        for (int i = 0; i < 3; i++) {
            c[i] = length * length * of[i];
        }
        return true;
    }
    if (!find_curve(in, parent[0], other, a) || !find_curve(in, parent[1], other, b)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        c[i] = (1.0 - s) * a[i] + s * b[i] - s * (1.0 - s) * of[i];
    }
    return true;
}

/* c [3] of the side between two names, as it is after the commit; false: it is not there then, and
 * was not before. */
static bool find_curve(queued *in, int32_t a, int32_t b, double *c)
{
    const int32_t low = a < b ? a : b, high = a < b ? b : a;
    const model_turned *turned = &in->model->quadratic.turned;
    const int32_t mapped = ew_map_find(&turned->edge, low, high, -1);
    const int32_t row = ew_map_find(&in->side, low, high, -1);
    bool found = row >= 0;
    memset(c, 0, 3 * sizeof *c);
    if (mapped >= 0) {
        memcpy(c, turned->value + 3 * (size_t)mapped, 3 * sizeof *c);
        return true;
    }
    if (row >= 0 && in->known[row]) {
        memcpy(c, in->curve + 3 * (size_t)row, 3 * sizeof *c);
        return true;
    }
    if (low >= 0) {
        found = find_old(in, low, high, found, c);
    } else { /* low is the later one */
        found = find_inherited(in, low, high, c) ||
                (high < 0 && find_inherited(in, high, low, c)) || found;
    }
    if (row >= 0) {
        in->known[row] = true;
        memcpy(in->curve + 3 * (size_t)row, c, 3 * sizeof *c);
    }
    return found;
}

/* ---- tets ------------------------------------------------------------------------- */

static ew_status check_tet(queued *in, const int32_t name[4], const char *what, int64_t id)
{
    double x[12], d[18];
    bool curved = false;
    for (int k = 0; k < 4; k++) {
        memcpy(x + 3 * k, place_of(in, name[k]), 3 * sizeof *x);
    }
    for (int e = 0; e < 6; e++) {
        double *c = d + 3 * e;
        find_curve(in, name[ew_edge_vertex[e][0]], name[ew_edge_vertex[e][1]], c);
        curved = curved || c[0] != 0.0 || c[1] != 0.0 || c[2] != 0.0;
    }
    if (!curved || !(ew_tet_volume(x, x + 3, x + 6, x + 9) > 0.0)) { /* the commit refuses these */
        return EW_OK;
    }
    return ew_curved_tet_check(what, id, x, d) ? ew_fail_prefix(EW_BAD_EDIT, "edit") : EW_OK;
}

/* Those that stay, each at its first corner that moves. */
static ew_status check_moved(queued *in)
{
    const ew_model *model = in->model;
    const ew_list *moved = &model->edit.move_vertex, *gone = &model->edit.remove_tet;
    const ew_rows *tets = &model->topology.vertex_to_tet;
    ew_set removed = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < gone->n && moved->n && !status; i++) {
        status = gone->id[i] >= 0 ? ew_set_add(&removed, gone->id[i]) : EW_OK;
    }
    for (int32_t i = 0; i < moved->n && !status; i++) {
        const int32_t v = moved->id[i];
        for (int32_t k = 0; is_name(in, v) && v >= 0 && k < tets->count[v] && !status; k++) {
            const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)k];
            const int32_t *corner = model->mesh.tet + 4 * (size_t)t;
            bool first = !ew_set_has(&removed, t);
            for (int c = 0; c < 4 && first && corner[c] != v; c++) {
                first = ew_map_find(&in->moved, corner[c], 0, -1) < 0;
            }
            char name[40];
            snprintf(name, sizeof name, "tet %lld", (long long)model->mesh.tet_id[t]);
            status = first ? check_tet(in, corner, name, model->mesh.tet_id[t]) : EW_OK;
        }
    }
    ew_set_free(&removed);
    return status;
}

static bool is_named(const queued *in, const int32_t name[4])
{
    bool all = true;
    for (int k = 0; k < 4; k++) {
        all = all && is_name(in, name[k]) && name[k] != name[(k + 1) % 4] &&
              name[k] != name[(k + 2) % 4];
    }
    return all;
}

static ew_status enter_sides(queued *in)
{
    const ew_edit *edit = &in->model->edit;
    for (int32_t k = 0; k < 6 * edit->n_add_tet; k++) {
        const int32_t *name = edit->add_tet + 4 * (size_t)(k / 6);
        const int32_t a = name[ew_edge_vertex[k % 6][0]], b = name[ew_edge_vertex[k % 6][1]];
        int32_t before;
        EW_TRY(ew_map_enter(&in->side, a < b ? a : b, a < b ? b : a, -1, in->side.n, &before));
    }
    EW_TRY(ew_new_zero(&in->known, (size_t)in->side.n, sizeof *in->known));
    return ew_new(&in->curve, 3 * (size_t)in->side.n, sizeof *in->curve);
}

static ew_status check_added(queued *in)
{
    const ew_edit *edit = &in->model->edit;
    for (int32_t k = 0; k < edit->n_add_tet; k++) {
        const int32_t *name = edit->add_tet + 4 * (size_t)k;
        char what[40];
        snprintf(what, sizeof what, "added tet %d of the queue", (int)k);
        EW_TRY(is_named(in, name) ? check_tet(in, name, what, -1) : EW_OK);
    }
    return EW_OK;
}

ew_status model_check_queue_curves(const ew_model *model)
{
    const ew_edit *edit = &model->edit;
    const bool adds = edit->n_add_tet && edit->parts_of != model->mesh.revision;
    queued in = {.model = model};
    ew_status status = EW_OK;
    if (!model_is_curved(model) || (!adds && !edit->move_vertex.n)) {
        return EW_OK;
    }
    for (int32_t i = 0; i < edit->move_vertex.n && !status; i++) {
        int32_t before;
        status = ew_map_enter(&in.moved, edit->move_vertex.id[i], 0, -1, i, &before);
    }
    status = status || !adds ? status : enter_sides(&in);
    status = status ? status : check_moved(&in);
    status = status || !adds ? status : check_added(&in);
    ew_map_free(&in.moved);
    ew_map_free(&in.side);
    ew_release(in.known);
    ew_release(in.curve);
    return status;
}
