/* Quadratic tets in the analysis of a model: loads on edges. */
#include "model/matrices/place.h"

#include <string.h>

/* ---- loads ---------------------------------------------------------------------------- */

static ew_status update_edge_loads(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    const ew_load *line;
    const ew_load_share *share;
    int32_t n;
    EW_TRY(model_reserve_vector(model, &model->force));
    EW_TRY(model_list_forces(model, &n, &line, &share));
    if (q->f_current) { /* rows that an edit touched are among these */
        model_note_edge_rows(model, &q->stale_f.list);
    } else {
        model_forget_row_changes(model);
    }
    EW_TRY(ew_loads_gather_edges(&model->mesh, &model->topology, &model->materials, n, line, share,
                                 &q->rows, q->f_current ? &q->stale_f.list : NULL, false,
                                 model_edges_of(&model->force)));
    ew_set_clear(&q->stale_f);
    q->f_current = true;
    return EW_OK;
}

/* Loads of edges, after those of vertices; curves of sides that fold no tet. */
ew_status model_prepare_edges(ew_model *model)
{
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    EW_TRY(rows ? ew_edge_rows_check_curves(rows, &model->mesh, &model->topology, false) : EW_OK);
    return rows ? update_edge_loads(model) : EW_OK;
}

const ew_edge_values *model_edge_values(const ew_model *model, ew_edge_values *values)
{
    const model_quadratic *q = &model->quadratic;
    *values = (ew_edge_values){.rows = &q->rows,
                               .topology = &model->topology,
                               .u = model_edge_values_of(model, 0),
                               .f = model_edges_of(&model->force),
                               .fixed = model->constraints.fixed + model->mesh.n_vertex,
                               .pull = q->pull_n ? q->pull : NULL};
    return model_has_edges(model) ? values : NULL;
}

ew_status ew_model_put_edge_displacement(ew_model *model, int32_t n, const double *u)
{
    model_quadratic *q = &model->quadratic;
    if (n != q->rows.pattern.n_row) {
        return ew_fail(EW_BAD_ARGUMENT, "model: coefficients of %d edges, it has rows for %d", n,
                       q->rows.pattern.n_row);
    }
    if (n) {
        memcpy(model_edge_values_of(model, 0), u, 3 * (size_t)n * sizeof *u);
        model_forget_row_changes(model);
    }
    return EW_OK;
}

/* ---- verification --------------------------------------------------------------------- */

/* Blocks compared through the edges, whose slots may differ. */
static void compare_blocks(const ew_model *model, const ew_topology *topology,
                           const ew_edge_rows *rows, const ew_matrix *blocks,
                           ew_model_verification *result)
{
    const model_quadratic *q = &model->quadratic;
    result->n_different += q->rows.n_live != rows->n_live;
    for (int32_t row = 0; row < rows->pattern.n_row; row++) {
        const int32_t *end = topology->pattern.pair_row + 2 * (size_t)rows->edge[row];
        const int32_t own = model_row_between(model, end[0], end[1]);
        result->n_different +=
            own < 0 || memcmp(q->blocks.diagonal + 9 * (size_t)own,
                              blocks->diagonal + 9 * (size_t)row, 9 * sizeof(double)) != 0;
    }
}

/* The curves of the mesh by the rows of other tables; null where there are none. */
static ew_status copy_curves(const ew_model *model, const ew_topology *topology,
                             const ew_edge_rows *rows, double **curve)
{
    EW_TRY(model->mesh.n_curve ? ew_new(curve, 3 * (size_t)rows->pattern.n_row, sizeof **curve)
                               : EW_OK);
    for (int32_t row = 0; row < (*curve ? rows->pattern.n_row : 0); row++) {
        const int32_t *end = topology->pattern.pair_row + 2 * (size_t)rows->edge[row];
        model_curve_between(model, end[0], end[1], *curve + 3 * (size_t)row);
    }
    return EW_OK;
}

static ew_status gather_ground_again(ew_model *model, const ew_topology *topology,
                                     const ew_edge_rows *rows, ew_face_ground *ground)
{
    int32_t n_line;
    if (!model->n_spring) {
        return EW_OK;
    }
    EW_TRY(model_make_spring_lines(model, true, &n_line));
    return ew_springs_gather_faces(&model->mesh, topology, rows, n_line, model->spring_line,
                                   model->spring_share, ground);
}

ew_status model_verify_edges(ew_model *model, const ew_topology *topology,
                             ew_model_verification *result)
{
    const ew_order order = model_order(model);
    ew_edge_rows rows = {0};
    ew_matrix blocks = {0};
    ew_face_ground ground = {0};
    ew_edge_blocks from = ew_edge_blocks_of(&model->mesh, topology, &model->materials, &rows);
    const double start = ew_seconds();
    if (!model_keeps_edge_rows(model)) {
        return EW_OK;
    }
    double *curve = NULL;
    ew_status status = ew_edge_rows_build(&rows, topology, &order);
    status = status ? status : copy_curves(model, topology, &rows, &curve);
    rows.curve = curve;
    from.ground = &ground;
    from.internal_force = model_nonlinear_force(model);
    status = status ? status : gather_ground_again(model, topology, &rows, &ground);
    status = status ? status : ew_matrix_build(&blocks, &from.source);
    result->seconds_matrix += ew_seconds() - start;
    status = status ? status : model_place_of(model)->fetch_edge_blocks(model);
    if (!status) {
        compare_blocks(model, topology, &rows, &blocks, result);
    }
    ew_matrix_free(&blocks);
    ew_face_ground_free(&ground);
    ew_edge_rows_free(&rows);
    ew_release(curve);
    return status;
}
