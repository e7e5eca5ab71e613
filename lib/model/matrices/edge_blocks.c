/* Diagonal blocks of edges, brought up to date. In: rows of edges and what commits touched of them.
 * Out: blocks of all, or of those that a solve asks for. */
#include "model/matrices/place.h"

static ew_edge_blocks source_of(const ew_model *model)
{
    ew_edge_blocks from = ew_edge_blocks_of(&model->mesh, &model->topology, &model->materials,
                                            &model->quadratic.rows);
    from.ground = &model->quadratic.face_ground;
    from.internal_force = model_nonlinear_force(model);
    return from;
}

static bool is_to_build(const ew_model *model, const ew_edge_blocks *from)
{
    const model_quadratic *q = &model->quadratic;
    int32_t n;
    uint64_t constants;
    const uint64_t revision = model_place_of(model)->edge_blocks_revision(q, &n, &constants);
    return !revision || from->source.constants(&from->source, &n) != constants ||
           (!q->dirty.to_revision && revision != q->rows.pattern.revision);
}

void model_forget_edge_blocks(ew_model *model)
{
    model->quadratic.blocks.revision = model->quadratic.device_blocks.revision = 0;
}

ew_status model_add_edge_rows(ew_model *model, const uint64_t *row)
{
    model_quadratic *q = &model->quadratic;
    ew_pattern_change missing = {0};
    ew_status status = EW_OK;
    if (!q->has || !model_has_edges(model)) { /* or they were of a body with quadratic tets */
        return EW_OK;
    }
    for (int32_t e = 0; e < q->rows.pattern.n_row && !status; e++) {
        if (!ew_bit_has(q->has, e) && (!row || ew_bit_has(row, model->mesh.n_vertex + e))) {
            status = ew_list_push(&missing.touched_row, e);
        }
    }
    if (!status) {
        const ew_edge_blocks from = source_of(model);
        status = ew_matrix_compute(&q->blocks, &from.source, &missing);
    }
    for (int32_t i = 0; i < missing.touched_row.n && !status; i++) {
        ew_bit_set(q->has, missing.touched_row.id[i]);
    }
    if (!status && !row) {
        ew_release(q->has);
        q->has = NULL;
    }
    ew_pattern_change_free(&missing);
    return status;
}

/* All of them, or none where a solve asks for rows as of the stiffness. */
static ew_status compute_blocks(ew_model *model, const ew_edge_blocks *from)
{
    model_quadratic *q = &model->quadratic;
    ew_release(q->has);
    q->has = NULL;
    if (!model->stiffness.matrix.takes_rows || !model->stiffness.matrix.has) {
        return model_place_of(model)->compute_edge_blocks(model, from, NULL);
    }
    EW_TRY(ew_new_zero(&q->has, (size_t)q->rows.pattern.n_row / 64 + 1, sizeof *q->has));
    return ew_matrix_begin(&q->blocks, &from->source);
}

ew_status model_update_edge_blocks(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    const model_place *place = model_place_of(model);
    const ew_edge_blocks from = source_of(model);
    if (!model_has_edges(model)) {
        return EW_OK;
    }
    EW_TRY(model_need_device_edges(model));
    if (is_to_build(model, &from)) {
        ew_pattern_dirty_free(&q->dirty);
        q->moving.diagonal_current = false;
        model->report.built_blocks += q->rows.n_live;
        EW_TRY(ew_solver_touch_edges(&model->stiffness.solver, NULL));
        return compute_blocks(model, &from);
    }
    if (!q->dirty.to_revision) {
        return model->stiffness.matrix.takes_rows ? EW_OK : model_add_edge_rows(model, NULL);
    }
    EW_TRY(ew_pattern_dirty_take(&q->dirty, &q->rows.pattern, &model->sum));
    const ew_status status = q->has ? compute_blocks(model, &from)
                                    : place->compute_edge_blocks(model, &from, &model->sum);
    model->report.touched_blocks += model->sum.touched_row.n;
    EW_TRY(ew_solver_touch_edges(&model->stiffness.solver, &model->sum.touched_row));
    for (int32_t i = 0; i < model->sum.touched_row.n && q->moving.diagonal_current; i++) {
        EW_TRY(ew_set_add(&q->moving.stale_diagonal, model->sum.touched_row.id[i]));
    }
    if (status) {
        model_forget_edge_blocks(model);
    }
    return status;
}
