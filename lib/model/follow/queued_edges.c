/* Edges in the queue of an edit. In: the queue, whose vertices between two others stand where they
 * would in straight tets, with its own and mapped curves (transform_curves.c). Out: these vertices
 * where they are in the curved ones; EW_BAD_EDIT before anything changed, where a tet that the
 * queue moves a corner of, or adds, would be folded with the curves that its sides then have; and
 * after the commit, on edges of new vertices and at these, what makes displacement, its rates and
 * curves the functions along the parts of tets that they were in the whole of them, however often
 * the queue cut them. Parts that `refine` cuts tets into fold where these do. */
#include "model/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVE = EW_ON_EDGE - 3, ON_VERTEX = CURVE }; /* of what stands on an edge */

/* So often is an edge cut and its part cut again before no digit of its length is left; other
 * chains of parents are not followed farther. */
enum { MAX_DEPTH = 100 };

/* Whether an edge was looked for. */
typedef enum edge_known { EDGE_UNKNOWN, EDGE_NONE, EDGE_FOUND } edge_known;

typedef struct queued {
    ew_model *model;
    model_queued *edges;
    ew_map moved; /* slots that the queue moves, to their places in it */
    int depth;    /* of the search for parts of parts */
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

/* Whether an added vertex is between two others; one in the queue is of an earlier place, or the
 * commit refuses it. */
static bool is_between(const queued *in, int32_t k)
{
    const int32_t *parent = in->model->edit.add_parent + 2 * (size_t)k;
    bool is_one = parent[0] != parent[1];
    for (int i = 0; i < 2; i++) {
        is_one = is_one && parent[i] >= -1 - k && is_name(in, parent[i]);
    }
    return is_one;
}

/* ---- what stands on an edge --------------------------------------------------------- */

static ew_status find_values(queued *in, int32_t a, int32_t b, double *all, bool *found);

/* Between vertices of the mesh. */
static bool find_old(const queued *in, int32_t a, int32_t b, double *all)
{
    const int32_t edge = ew_pattern_pair_between(&in->model->topology.pattern, a, b);
    const int32_t row = ew_edge_row(&in->model->quadratic.rows, edge);
    if (row >= 0) {
        model_collect_edge(in->model, row, all);
    }
    return edge >= 0;
}

/* From an added vertex, at s between two, to another. An edge's parts of length s and 1 - s have
 * that squared of what stood on it; to a third corner d of the same tet all that is quadratic is
 * bent by (1 - s) c_ad + s c_bd - s (1 - s) c_ab. */
static ew_status find_part(queued *in, int32_t middle, int32_t other, double *all, bool *found)
{
    const int32_t k = -2 - middle, *parent = in->model->edit.add_parent + 2 * (size_t)k;
    const double s = ew_edit_fraction(&in->model->edit, k);
    double of[EW_ON_EDGE], a[EW_ON_EDGE], b[EW_ON_EDGE];
    *found = in->depth < MAX_DEPTH && is_between(in, k);
    in->depth++;
    EW_TRY(*found ? find_values(in, parent[0], parent[1], of, found) : EW_OK);
    const bool halves = other == parent[0] || other == parent[1];
    EW_TRY(*found && !halves ? find_values(in, parent[0], other, a, found) : EW_OK);
    EW_TRY(*found && !halves ? find_values(in, parent[1], other, b, found) : EW_OK);
    in->depth--;
    const double length = other == parent[0] ? s : 1.0 - s;
    for (int i = 0; i < EW_ON_EDGE && *found; i++) {
        all[i] = halves     ? length * length * of[i]
                 : s == 0.5 ? 0.5 * (a[i] + b[i]) - 0.25 * of[i]
                            : (1.0 - s) * a[i] + s * b[i] - s * (1.0 - s) * of[i];
    }
    return EW_OK;
}

/* The place of an edge; a new one is unknown. */
static ew_status enter_edge(model_queued *edges, int32_t low, int32_t high, int32_t *place)
{
    const int32_t n = edges->edge.n;
    EW_TRY(ew_grow(&edges->known, &edges->known_capacity, (int64_t)n + 1, sizeof *edges->known));
    EW_TRY(ew_grow(&edges->value, &edges->value_capacity, (int64_t)n + 1,
                   EW_ON_EDGE * sizeof *edges->value));
    EW_TRY(ew_map_enter(&edges->edge, low, high, -1, n, place));
    if (*place < 0) {
        *place = n;
        edges->known[n] = EDGE_UNKNOWN;
    }
    return EW_OK;
}

/* What was found is known from now on: edges in between are asked for again and again. */
static ew_status find_new(queued *in, int32_t low, int32_t high, bool is_added, double *all,
                          bool *found)
{
    int32_t place;
    if (low >= 0) {
        *found = find_old(in, low, high, all);
    } else { /* low is the later one */
        EW_TRY(find_part(in, low, high, all, found));
        EW_TRY(!*found && high < 0 ? find_part(in, high, low, all, found) : EW_OK);
    }
    *found = *found || is_added;
    if (low >= 0 && !is_added) {
        return EW_OK;
    }
    EW_TRY(enter_edge(in->edges, low, high, &place));
    in->edges->known[place] = *found ? EDGE_FOUND : EDGE_NONE;
    memcpy(in->edges->value + EW_ON_EDGE * (size_t)place, all, EW_ON_EDGE * sizeof *all);
    return EW_OK;
}

/* all [EW_ON_EDGE] of the edge between two names, as it is after the commit or was in between; not
 * found, and zeros: there is none. */
static ew_status find_values(queued *in, int32_t a, int32_t b, double *all, bool *found)
{
    const int32_t low = a < b ? a : b, high = a < b ? b : a;
    const model_transformed *turned = &in->model->quadratic.turned;
    const int32_t mapped = ew_map_find(&turned->edge, low, high, -1);
    const int32_t place = ew_map_find(&in->edges->edge, low, high, -1);
    if (place < 0 || in->edges->known[place] == EDGE_UNKNOWN) {
        memset(all, 0, EW_ON_EDGE * sizeof *all);
        EW_TRY(find_new(in, low, high, place >= 0, all, found));
    } else {
        memcpy(all, in->edges->value + EW_ON_EDGE * (size_t)place, EW_ON_EDGE * sizeof *all);
        *found = in->edges->known[place] == EDGE_FOUND;
    }
    if (mapped >= 0) {
        memcpy(all + CURVE, turned->value + 3 * (size_t)mapped, 3 * sizeof *all);
        *found = true;
    }
    return EW_OK;
}

/* ---- vertices between two others ------------------------------------------------------ */

/* At s between a and b the edge is 4 s (1 - s) c beyond the straight line, and so is what it moves
 * by; and the ends may be beyond where the queue, or the mean of their own ends, has them. */
static ew_status look_beyond(queued *in, int32_t k)
{
    const int32_t *parent = in->model->edit.add_parent + 2 * (size_t)k;
    const double s = ew_edit_fraction(&in->model->edit, k);
    double *own = in->edges->beyond + EW_ON_EDGE * (size_t)k, c[EW_ON_EDGE];
    bool found = is_between(in, k);
    for (int i = 0; i < 2; i++) {
        const int32_t of = -2 - parent[i];
        for (int j = 0; j < EW_ON_EDGE && of >= 0 && of < k; j++) {
            own[j] += (i ? s : 1.0 - s) * in->edges->beyond[EW_ON_EDGE * (size_t)of + (size_t)j];
        }
    }
    EW_TRY(found ? find_values(in, parent[0], parent[1], c, &found) : EW_OK);
    for (int j = 0; j < EW_ON_EDGE && found; j++) {
        own[j] += 4.0 * s * (1.0 - s) * c[j];
    }
    return EW_OK;
}

/* Unless it was put elsewhere than between its ends. */
static void bend(queued *in, int32_t k)
{
    ew_edit *edit = &in->model->edit;
    const int32_t *parent = edit->add_parent + 2 * (size_t)k;
    const double s = ew_edit_fraction(edit, k);
    double *x = edit->add_vertex + 3 * (size_t)k, off = 0.0, length = 0.0;
    double *by = in->edges->beyond + EW_ON_EDGE * (size_t)k + CURVE;
    for (int c = 0; c < 3; c++) {
        double place[2];
        for (int i = 0; i < 2; i++) {
            const size_t of = EW_ON_EDGE * (size_t)(-2 - parent[i]) + CURVE;
            place[i] = place_of(in, parent[i])[c];
            place[i] -= parent[i] < -1 ? in->edges->beyond[of + (size_t)c] : 0.0;
        }
        off = fmax(off, fabs(x[c] - ((1.0 - s) * place[0] + s * place[1])));
        length = fmax(length, fabs(place[1] - place[0]));
    }
    for (int c = 0; c < 3; c++) {
        by[c] = off > 1e-9 * length ? 0.0 : by[c];
        x[c] += by[c];
    }
}

ew_status model_bend_queue(ew_model *model)
{
    model_queued *edges = &model->quadratic.queued;
    const int32_t n = model->edit.n_add_vertex;
    const bool bends = model_is_curved(model) && !model->edit.n_curve;
    queued in = {.model = model, .edges = edges};
    ew_map_clear(&edges->edge);
    ew_map_clear(&model->quadratic.turned.edge); /* of another queue */
    edges->n_beyond = 0;
    if (!model_has_edges(model) || !n) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&edges->beyond, &edges->beyond_capacity, n, EW_ON_EDGE * sizeof(double)));
    memset(edges->beyond, 0, EW_ON_EDGE * (size_t)n * sizeof(double));
    edges->n_beyond = n;
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(look_beyond(&in, k));
        if (bends && is_between(&in, k)) {
            bend(&in, k);
        }
    }
    if (model->mesh.n_curve) { /* what stands on edges may become another one yet */
        ew_map_clear(&edges->edge);
    }
    return EW_OK;
}

/* ---- folds ------------------------------------------------------------------------ */

static ew_status check_tet(queued *in, const int32_t name[4], const char *what, int64_t id)
{
    double x[12], d[18], all[EW_ON_EDGE];
    bool curved = false;
    for (int k = 0; k < 4; k++) {
        memcpy(x + 3 * k, place_of(in, name[k]), 3 * sizeof *x);
    }
    for (int e = 0; e < 6; e++) {
        double *c = d + 3 * e;
        bool found;
        EW_TRY(
            find_values(in, name[ew_edge_vertex[e][0]], name[ew_edge_vertex[e][1]], all, &found));
        memcpy(c, all + CURVE, 3 * sizeof *c);
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
        int32_t place;
        EW_TRY(enter_edge(in->edges, a < b ? a : b, a < b ? b : a, &place));
    }
    return EW_OK;
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

static ew_status check_folds(queued *in)
{
    const ew_edit *edit = &in->model->edit;
    const bool adds = edit->n_add_tet && edit->parts_of != in->model->mesh.revision;
    if (!model_is_curved(in->model) || (!adds && !edit->move_vertex.n)) {
        return EW_OK;
    }
    for (int32_t i = 0; i < edit->move_vertex.n; i++) {
        int32_t before;
        EW_TRY(ew_map_enter(&in->moved, edit->move_vertex.id[i], 0, -1, i, &before));
    }
    EW_TRY(adds ? enter_sides(in) : EW_OK);
    EW_TRY(check_moved(in));
    return adds ? check_added(in) : EW_OK;
}

/* ---- after the commit ---------------------------------------------------------------- */

static bool is_part(const queued *in, int32_t name)
{
    return name < 0 && is_between(in, -2 - name);
}

/* What is to stand on edges of new vertices, while the tables are those before. */
static ew_status find_edges(queued *in)
{
    const ew_edit *edit = &in->model->edit;
    const bool has_any = in->edges->n_beyond > 0;
    for (int32_t k = 0; k < 6 * edit->n_add_tet && has_any; k++) {
        const int32_t *name = edit->add_tet + 4 * (size_t)(k / 6);
        const int32_t a = name[ew_edge_vertex[k % 6][0]], b = name[ew_edge_vertex[k % 6][1]];
        double all[EW_ON_EDGE];
        bool found;
        const bool is_new = is_named(in, name) && (is_part(in, a) || is_part(in, b));
        EW_TRY(is_new ? find_values(in, a, b, all, &found) : EW_OK);
    }
    return EW_OK;
}

ew_status model_read_queue_edges(ew_model *model)
{
    queued in = {.model = model, .edges = &model->quadratic.queued};
    ew_status status = check_folds(&in);
    status = status ? status : find_edges(&in);
    ew_map_free(&in.moved);
    return status;
}

static bool is_on_new_vertex(const model_queued *edges, int32_t i)
{
    return edges->edge.entry[4 * (size_t)i] < 0 && edges->known[i] == EDGE_FOUND;
}

ew_status model_queue_curves(ew_model *model)
{
    const model_transformed *mapped = &model->quadratic.turned;
    const model_queued *edges = &model->quadratic.queued;
    ew_edit *edit = &model->edit;
    for (int32_t i = 0; i < mapped->edge.n; i++) {
        const int32_t *name = mapped->end + 2 * (size_t)i;
        EW_TRY(ew_edit_add_curve(edit, name[0], name[1], mapped->value + 3 * (size_t)i));
    }
    for (int32_t i = 0; i < (model_is_curved(model) ? edges->edge.n : 0); i++) {
        const int32_t *name = edges->edge.entry + 4 * (size_t)i;
        EW_TRY(is_on_new_vertex(edges, i)
                   ? ew_edit_add_curve(edit, name[0], name[1],
                                       edges->value + EW_ON_EDGE * (size_t)i + CURVE)
                   : EW_OK);
    }
    return EW_OK;
}

static void move_on(ew_model *model, int32_t v, const double beyond[ON_VERTEX])
{
    for (int c = 0; c < ON_VERTEX; c++) {
        const int32_t field = model_motion_field(model, c / 3);
        if (field >= 0) {
            model->field[field].value[3 * (size_t)v + (size_t)(c % 3)] += beyond[c];
        }
    }
}

void model_put_queued_edges(ew_model *model)
{
    const model_queued *edges = &model->quadratic.queued;
    for (int32_t i = 0; i < edges->edge.n; i++) {
        const int32_t *name = edges->edge.entry + 4 * (size_t)i;
        if (!is_on_new_vertex(edges, i)) {
            continue;
        }
        const int32_t a = model_transformed_slot(model, name[0]),
                      b = model_transformed_slot(model, name[1]);
        const int32_t row = model_row_between(model, a, b);
        if (row >= 0) {
            model_spread_edge(model, row, edges->value + EW_ON_EDGE * (size_t)i);
        }
    }
    for (int32_t k = 0; k < edges->n_beyond; k++) {
        move_on(model, model->change.added_vertex.id[k], edges->beyond + EW_ON_EDGE * (size_t)k);
    }
}
