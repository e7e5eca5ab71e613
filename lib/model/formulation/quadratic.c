/* Quadratic tets of a model: which tets are, the rows of their edges with what stands on them, and
 * all of it carried from edit to edit. A coefficient belongs to the edge between two vertices: it
 * stays with it while the edge is there, whatever the slots. A new edge starts from zero; the
 * halves of a split one take its coefficient over, so that the displacement stays what it was along
 * them. So do curved sides, which are a coefficient of the positions: what an edit makes of one it
 * makes of the other. The mesh owns the curves, also of sides that have no row; sides of tets that
 * are moved or imaged as a whole are mapped as these are (transform_curves.c), and another moved
 * vertex carries the curves of its sides along; and where an edit says what a side becomes
 * (ew_edit_add_curve), it becomes that. What parts of edges and new ones between them start from:
 * queued_edges.c. */
#include "model/internal.h"

#include <string.h>

bool ew_model_tet_is_quadratic(const ew_model *model, int32_t tet)
{
    const ew_order order = model_order(model);
    return tet >= 0 && tet < model->mesh.n_tet && ew_order_is_quadratic(&order, tet);
}

const double *ew_model_edge_displacement(const ew_model *model)
{
    return model_edge_values_of(model, 0);
}

void model_free_quadratic(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    ew_edge_rows_free(&q->rows);
    ew_matrix_free(&q->blocks);
    ew_release(q->has);
    ew_device_edges_free(&q->device_edges);
    ew_device_matrix_free(&q->device_blocks);
    ew_pattern_dirty_free(&q->dirty);
    ew_quadratic_operator_free(&q->op);
    model_free_assembled(q);
    model_free_moving_edges(q);
    model_free_face_ground(q);
    ew_release(q->curve);
    ew_release(q->end);
    ew_map_free(&q->queued.edge);
    ew_release(q->queued.known);
    ew_release(q->queued.value);
    ew_release(q->queued.beyond);
    ew_set_free(&q->stale_f);
    ew_set_free(&q->stale_fixed);
    ew_list_free(&q->edge);
    model_free_transformed(&q->turned);
}

/* ---- what stands on edges ------------------------------------------------------ */

/* Room for n rows; new ones are zero and between no vertices. */
static ew_status make_room(ew_model *model, int32_t n)
{
    model_quadratic *q = &model->quadratic;
    const int32_t before = q->n_room, n_curve = q->curve ? before : 0;
    int32_t room = before, curved = n_curve;
    EW_TRY(ew_grow(&q->end, &room, n, 2 * sizeof *q->end));
    for (size_t i = 2 * (size_t)before; i < 2 * (size_t)room; i++) {
        q->end[i] = -1;
    }
    if (model->mesh.n_curve || q->curve) {
        EW_TRY(ew_grow(&q->curve, &curved, room, 3 * sizeof *q->curve));
        memset(q->curve + 3 * (size_t)n_curve, 0,
               3 * sizeof *q->curve * (size_t)(curved - n_curve));
    }
    return room > before ? model_reserve_rows(model, room) : EW_OK;
}

/* The curve of a row is that of its side of the mesh. */
static void take_curve(ew_model *model, int32_t row)
{
    const model_quadratic *q = &model->quadratic;
    const int32_t *end = q->end + 2 * (size_t)row;
    if (q->curve) {
        model_curve_between(model, end[0], end[1], q->curve + 3 * (size_t)row);
    }
}

static void start_row(ew_model *model, int32_t row, const int32_t *end)
{
    model_quadratic *q = &model->quadratic;
    model_spread_edge(model, row, (const double[EW_ON_EDGE]){0.0});
    q->end[2 * (size_t)row] = end ? end[0] : -1;
    q->end[2 * (size_t)row + 1] = end ? end[1] : -1;
    take_curve(model, row);
}

/* What stands on rows as they were, by the ends of their edges; the caller's, also on failure. */
typedef struct rows_before {
    int32_t n;
    int32_t *end;  /* [n][2] */
    double *value; /* [n][EW_ON_EDGE] */
} rows_before;

static ew_status copy_rows(const ew_model *model, rows_before *to)
{
    const model_quadratic *q = &model->quadratic;
    /* rows that came without memory for what stands on them have nothing */
    to->n = q->rows.pattern.n_row < q->n_room ? q->rows.pattern.n_row : q->n_room;
    EW_TRY(ew_new(&to->end, 2 * (size_t)to->n, sizeof *to->end));
    EW_TRY(ew_new(&to->value, EW_ON_EDGE * (size_t)to->n, sizeof *to->value));
    for (int32_t row = 0; row < to->n; row++) {
        memcpy(to->end + 2 * (size_t)row, q->end + 2 * (size_t)row, 2 * sizeof *to->end);
        model_collect_edge(model, row, to->value + EW_ON_EDGE * (size_t)row);
    }
    return EW_OK;
}

/* Rows from scratch; coefficients move with the ends of their edges, whose vertices `map` renames
 * (null: as they were). */
static ew_status rebuild_rows(ew_model *model, const ew_order *order, const int32_t *map)
{
    model_quadratic *q = &model->quadratic;
    rows_before before = {0};
    ew_edge_rows rows = {.pattern.revision = q->rows.pattern.revision};
    ew_status status = copy_rows(model, &before);
    status = status ? status : ew_edge_rows_build(&rows, &model->topology, order);
    status = status ? status : make_room(model, rows.pattern.n_row);
    if (!status) {
        ew_edge_rows_free(&q->rows);
        q->rows = rows;
        q->rows.curve = q->curve;
        q->curves = (ew_curves){&q->rows, &model->topology};
    } else {
        ew_edge_rows_free(&rows);
    }
    for (int32_t row = 0; row < q->n_room && !status; row++) {
        start_row(model, row,
                  row < q->rows.pattern.n_row
                      ? model->topology.pattern.pair_row + 2 * (size_t)q->rows.edge[row]
                      : NULL);
    }
    for (int32_t i = 0; i < before.n && !status; i++) {
        const int32_t *was = before.end + 2 * (size_t)i;
        const int32_t a = was[0] < 0 ? -1 : map ? map[was[0]] : was[0];
        const int32_t b = was[0] < 0 ? -1 : map ? map[was[1]] : was[1];
        const int32_t row = a < 0 || b < 0 ? -1 : model_row_between(model, a, b);
        if (row >= 0) {
            model_spread_edge(model, row, before.value + EW_ON_EDGE * (size_t)i);
        }
    }
    ew_pattern_dirty_free(&q->dirty);
    ew_device_edges_forget(&q->device_edges);
    q->blocks.revision = q->device_blocks.revision = 0;
    q->f_current = q->constraints_current = q->moving.mass_current = false;
    model->groups_current = false;
    ew_release(before.end);
    ew_release(before.value);
    return status;
}

/* ---- the order of tets ------------------------------------------------------------ */

static ew_status refuse_unsupported(const ew_model *model)
{
    EW_TRY(model_need_blocks(model, "quadratic tets"));
    return model_need_double(model, "model: quadratic tets");
}

/* Solutions, recoveries and preparations belong to other shape functions. */
static void forget_preparations(ew_model *model)
{
    model_forget_recovery(model);
    model->order_revision++;
    model->dynamics.has_changed = true;
    model->dynamics.largest = -1.0;
    model->groups_current = false;
    model->ground_current = model->ground_current && !model->n_spring;
    if (model->mesh.n_curve) { /* an edge that is curved by now curves all tets around it */
        model->quadratic.blocks.revision = model->quadratic.device_blocks.revision = 0;
        model->loads_current = false;
        model->quadratic.constraints_current = model->quadratic.moving.mass_current = false;
        model_forget_frequencies(model);
    }
}

ew_status ew_model_set_order(ew_model *model, bool quadratic)
{
    model_quadratic *q = &model->quadratic;
    EW_TRY(model_need_usable(model));
    EW_TRY(quadratic ? refuse_unsupported(model) : EW_OK);
    EW_TRY(rebuild_rows(model, &(ew_order){.quadratic = quadratic}, NULL));
    if (q->other > 0) {
        memset(model->field[q->other].value, 0,
               (size_t)model->mesh.n_tet * sizeof *model->field[q->other].value);
    }
    q->in_general = quadratic;
    forget_preparations(model);
    return EW_OK;
}

static ew_status list_edges(ew_model *model, const ew_list *tet)
{
    ew_list *edge = &model->quadratic.edge;
    edge->n = 0;
    for (int32_t i = 0; i < 6 * tet->n; i++) {
        EW_TRY(ew_list_push(
            edge, model->topology.tet_to_edge[6 * (size_t)tet->id[i / 6] + (size_t)(i % 6)]));
    }
    ew_list_sort_unique(edge);
    return EW_OK;
}

/* Marks the values on the row of the edge between these two as not current. */
static ew_status touch_row(ew_model *model, int32_t row, const int32_t *end_before)
{
    model_quadratic *q = &model->quadratic;
    EW_TRY(q->f_current ? ew_set_add(&q->stale_f, row) : EW_OK);
    EW_TRY(q->constraints_current ? ew_set_add(&q->stale_fixed, row) : EW_OK);
    return model_touch_moving_edge(model, row, end_before);
}

/* Rows that the update touched: those of other edges than before start again. */
static ew_status start_touched(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    const ew_topology *topology = &model->topology;
    const ew_list *touched = &q->rows.touched.touched_row;
    EW_TRY(make_room(model, q->rows.pattern.n_row));
    q->rows.curve = q->curve;
    for (int32_t i = 0; i < touched->n; i++) {
        const int32_t row = touched->id[i], edge = q->rows.edge[row];
        const int32_t *end = edge < 0 ? NULL : topology->pattern.pair_row + 2 * (size_t)edge;
        EW_TRY(touch_row(model, row, q->end + 2 * (size_t)row));
        if (!end || end[0] != q->end[2 * (size_t)row] || end[1] != q->end[2 * (size_t)row + 1]) {
            start_row(model, row, end);
        }
    }
    return ew_pattern_dirty_add(&q->dirty, &q->rows.touched);
}

/* The rows of the listed edges and what stands on them, once tets have another order. */
static ew_status follow_order(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    const ew_order order = model_order(model);
    EW_TRY(ew_edge_rows_update(&q->rows, &model->topology, &order, &q->edge));
    EW_TRY(start_touched(model));
    return model_update_device_edges(model, NULL);
}

ew_status ew_model_enrich(ew_model *model, const ew_list *tet, bool quadratic)
{
    model_quadratic *q = &model->quadratic;
    static const ew_field_def def = {
        .name = "order", .on_tets = true, .width = 1, .rule = EW_FIELD_COPY};
    EW_TRY(model_need_usable(model));
    EW_TRY(quadratic ? refuse_unsupported(model) : EW_OK);
    for (int32_t i = 0; i < tet->n; i++) {
        const int32_t t = tet->id[i];
        if (t < 0 || t >= model->mesh.n_tet || !ew_mesh_tet_is_live(&model->mesh, t)) {
            return ew_fail(EW_BAD_ARGUMENT, "model: there is no tet %d to enrich", t);
        }
    }
    EW_TRY(q->other > 0 ? EW_OK : ew_model_add_field(model, &def, &q->other));
    const ew_order before = model_order(model);
    EW_TRY(q->rows.mesh_revision == model->mesh.revision ? EW_OK
                                                         : rebuild_rows(model, &before, NULL));
    EW_TRY(list_edges(model, tet));
    for (int32_t i = 0; i < tet->n; i++) {
        model->field[q->other].value[tet->id[i]] = quadratic != q->in_general ? 1.0 : 0.0;
    }
    forget_preparations(model);
    const ew_status status = follow_order(model);
    model->broken = status != EW_OK;
    return status;
}

/* ---- following a commit --------------------------------------------------------------- */

/* A slot that was taken again is another vertex: no edge of the old one is its. */
static void start_at_new_vertices(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    const ew_list *added = &model->change.added_vertex;
    for (int32_t i = 0; i < added->n; i++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(&model->topology.pattern, added->id[i], &n);
        for (int32_t k = 0; k < n; k++) {
            const int32_t edge = item[2 * k + 1], row = q->rows.row[edge];
            if (row >= 0) {
                start_row(model, row, model->topology.pattern.pair_row + 2 * (size_t)edge);
            }
        }
    }
}

ew_status model_follow_quadratic(ew_model *model, bool rebuilt)
{
    model_quadratic *q = &model->quadratic;
    const ew_order order = model_order(model);
    if (!model_keeps_edge_rows(model)) {
        return EW_OK;
    }
    if (rebuilt || q->rows.mesh_revision != model->topology.touched.from_revision) {
        EW_TRY(rebuild_rows(model, &order, NULL));
        start_at_new_vertices(model);
        model_put_queued_edges(model);
        return EW_OK;
    }
    EW_TRY(ew_edge_rows_update(&q->rows, &model->topology, &order, NULL));
    if (model->mesh.n_curve && q->other > 0) { /* a side of a linear tet may be straight by now */
        forget_preparations(model);
    }
    EW_TRY(start_touched(model));
    EW_TRY(model_touch_moving_vertices(model));
    start_at_new_vertices(model);
    model_put_queued_edges(model);
    return EW_OK;
}

void model_follow_curves(ew_model *model)
{
    const ew_edit *edit = &model->edit;
    for (int32_t i = 0; i < (model->quadratic.curve ? edit->n_curve : 0); i++) {
        const int32_t a = model_transformed_slot(model, edit->curve_end[2 * (size_t)i]);
        const int32_t b = model_transformed_slot(model, edit->curve_end[2 * (size_t)i + 1]);
        const int32_t row = model_row_between(model, a, b);
        if (row >= 0) {
            take_curve(model, row);
        }
    }
}

ew_status model_rename_quadratic(ew_model *model, const int32_t *vertex)
{
    const ew_order order = model_order(model);
    model->groups_current = false;
    return model_keeps_edge_rows(model) ? rebuild_rows(model, &order, vertex) : EW_OK;
}
