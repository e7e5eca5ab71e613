/* Curved sides that an edit maps. In: the queue of an edit. Out: the curves of sides between
 * vertices of tets that it moves as a whole, or whose images it adds: the map that takes the
 * corners of such a tet to their new places takes the curves along, exactly where it is affine. */
#include "model/internal.h"

#include <string.h>

typedef struct turning {
    const ew_model *model;
    ew_map moved; /* slots that the queue moves, to their places in it */
    model_turned *to;
} turning;

/* In the queue: where a vertex will be. */
static const double *new_place(const turning *in, int32_t name)
{
    const ew_edit *edit = &in->model->edit;
    const int32_t at = name >= 0 ? ew_map_find(&in->moved, name, 0, -1) : -1;
    return name < 0  ? edit->add_vertex + 3 * (size_t)(-2 - name)
           : at >= 0 ? edit->move_to + 3 * (size_t)at
                     : in->model->mesh.xyz + 3 * (size_t)name;
}

/* Of the side between two vertices of the mesh; null: straight. */
static const double *curve_between(const ew_model *model, int32_t a, int32_t b)
{
    const model_quadratic *q = &model->quadratic;
    const int32_t edge = ew_pattern_pair_between(&model->topology.pattern, a, b);
    const int32_t row = edge >= 0 && q->is_on ? q->rows.row[edge] : -1;
    return row >= 0 ? q->curve + 3 * (size_t)row
                    : model_given_curve(model, (const int32_t[]){a < b ? a : b, a < b ? b : a});
}

/* to = the curve d in a tet with gradients g whose corners are taken to these places. */
static void map_curve(const turning *in, double g[4][3], const int32_t name[4], const double *d,
                      double to[3])
{
    to[0] = to[1] = to[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        const double *y = new_place(in, name[k]);
        const double part = g[k][0] * d[0] + g[k][1] * d[1] + g[k][2] * d[2];
        for (int c = 0; c < 3; c++) {
            to[c] += y[c] * part;
        }
    }
}

static ew_status enter(turning *in, int32_t a, int32_t b, const double *curve)
{
    model_turned *to = in->to;
    const int32_t n = to->edge.n, low = a < b ? a : b, high = a < b ? b : a;
    int32_t before;
    if (ew_map_find(&to->edge, low, high, -1) >= 0) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&to->curve, &to->capacity, (int64_t)n + 1, 3 * sizeof *to->curve));
    memcpy(to->curve + 3 * (size_t)n, curve, 3 * sizeof *curve);
    int32_t capacity = to->end_capacity;
    EW_TRY(ew_grow(&to->end, &capacity, (int64_t)n + 1, 2 * sizeof *to->end));
    to->end_capacity = capacity;
    to->end[2 * (size_t)n] = low;
    to->end[2 * (size_t)n + 1] = high;
    return ew_map_enter(&to->edge, low, high, -1, n, &before);
}

/* All curved sides of a tet with corners `from`, which become the vertices `name`. */
static ew_status turn_tet(turning *in, const int32_t from[4], const int32_t name[4])
{
    const ew_mesh *mesh = &in->model->mesh;
    double x[12], g[4][3], to[3];
    for (int k = 0; k < 12; k++) {
        x[k] = mesh->xyz[3 * (size_t)from[k / 3] + (size_t)(k % 3)];
    }
    ew_element_gradients(x, g);
    for (int e = 0; e < 6; e++) {
        const int a = ew_edge_vertex[e][0], b = ew_edge_vertex[e][1];
        const double *d = curve_between(in->model, from[a], from[b]);
        const bool maps = name[a] != from[a] || name[b] != from[b] ||
                          ew_map_find(&in->moved, name[a], 0, -1) >= 0;
        if (d && maps) {
            map_curve(in, g, name, d, to);
            EW_TRY(enter(in, name[a], name[b], to));
        }
    }
    return EW_OK;
}

/* Each at its first corner. */
static ew_status turn_moved(turning *in)
{
    const ew_model *model = in->model;
    const ew_list *moved = &model->edit.move_vertex;
    const ew_rows *tets = &model->topology.vertex_to_tet;
    for (int32_t i = 0; i < moved->n; i++) {
        int32_t before;
        EW_TRY(ew_map_enter(&in->moved, moved->id[i], 0, -1, i, &before));
    }
    for (int32_t i = 0; i < moved->n; i++) {
        const int32_t v = moved->id[i];
        for (int32_t k = 0; v >= 0 && v < model->mesh.n_vertex && k < tets->count[v]; k++) {
            const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)k];
            const int32_t *corner = model->mesh.tet + 4 * (size_t)t;
            bool whole = corner[0] == v;
            for (int c = 1; c < 4 && whole; c++) {
                whole = ew_map_find(&in->moved, corner[c], 0, -1) >= 0;
            }
            EW_TRY(whole ? turn_tet(in, corner, corner) : EW_OK);
        }
    }
    return EW_OK;
}

static bool has_corner(const ew_mesh *mesh, int32_t tet, int32_t vertex)
{
    const int32_t *of = mesh->tet + 4 * (size_t)tet;
    return of[0] == vertex || of[1] == vertex || of[2] == vertex || of[3] == vertex;
}

/* The vertex that one of the queue is the image of, or itself; -1: it is neither. */
static int32_t original_of(const ew_edit *edit, int32_t name)
{
    const int32_t added = name < -1 ? -2 - name : -1;
    if (name >= 0 || added < 0 || added >= edit->n_add_vertex) {
        return name >= 0 ? name : -1;
    }
    const int32_t *parent = edit->add_parent + 2 * (size_t)added;
    return parent[0] == parent[1] ? parent[0] : -1;
}

/* A tet that is the image of another: each corner is one of its, or the image of one. */
static ew_status turn_images(turning *in)
{
    const ew_mesh *mesh = &in->model->mesh;
    const ew_edit *edit = &in->model->edit;
    for (int32_t k = 0; k < edit->n_add_tet; k++) {
        const int32_t from = edit->add_tet_from[k], *name = edit->add_tet + 4 * (size_t)k;
        int32_t corner[4];
        bool is_image = from >= 0 && from < mesh->n_tet && ew_mesh_tet_is_live(mesh, from);
        for (int c = 0; c < 4 && is_image; c++) {
            corner[c] = original_of(edit, name[c]);
            is_image = corner[c] >= 0 && has_corner(mesh, from, corner[c]);
        }
        for (int c = 0; c < 4 && is_image; c++) {
            is_image = corner[c] != corner[(c + 1) % 4] && corner[c] != corner[(c + 2) % 4];
        }
        EW_TRY(is_image ? turn_tet(in, corner, name) : EW_OK);
    }
    return EW_OK;
}

ew_status model_turn_queue(ew_model *model)
{
    model_turned *to = &model->quadratic.turned;
    turning in = {.model = model, .to = to};
    ew_map_clear(&to->edge);
    if (!model->mesh.n_curve || (!model->edit.move_vertex.n && !model->edit.n_add_tet)) {
        return EW_OK;
    }
    ew_status status = turn_moved(&in);
    status = status ? status : turn_images(&in);
    ew_map_free(&in.moved);
    return status;
}

static int32_t slot_of(const ew_change *change, int32_t name)
{
    return name >= 0 ? name : change->added_vertex.id[-2 - name];
}

void model_take_turned(ew_model *model)
{
    const model_turned *from = &model->quadratic.turned;
    const model_quadratic *q = &model->quadratic;
    for (int32_t i = 0; i < from->edge.n; i++) {
        const int32_t a = slot_of(&model->change, from->end[2 * (size_t)i]);
        const int32_t b = slot_of(&model->change, from->end[2 * (size_t)i + 1]);
        const double *curve = from->curve + 3 * (size_t)i;
        const int32_t edge = ew_pattern_pair_between(&model->topology.pattern, a, b);
        const int32_t row = edge >= 0 && q->is_on ? q->rows.row[edge] : -1;
        if (row >= 0) {
            memcpy(q->curve + 3 * (size_t)row, curve, 3 * sizeof *curve);
        }
        ew_mesh_replace_curve(&model->mesh, model->mesh.vertex_id[a], model->mesh.vertex_id[b],
                              curve);
    }
    ew_map_clear(&model->quadratic.turned.edge);
}

void model_free_turned(model_turned *turned)
{
    ew_map_free(&turned->edge);
    ew_release(turned->end);
    ew_release(turned->curve);
}
