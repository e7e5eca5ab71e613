/* Matrices of a model and what solves with them. Each keeps a list of what changed since its blocks
 * were used last, and is brought up to date once they are used again: where it must by a build,
 * else by the blocks that were touched. Its preconditioner follows after that. */
#include "model/matrices/place.h"

/* ---- what has changed ---------------------------------------------------------- */

/* Rows and pairs of a matrix that will be built need no list, but it is another pattern then. */
static ew_status touch(model_matrix *matrix, ew_pattern_dirty *solver_dirty,
                       const ew_pattern_change *change)
{
    if (matrix->all_dirty) {
        matrix->only_constants =
            matrix->only_constants && change->from_revision == change->to_revision;
        return EW_OK;
    }
    EW_TRY(solver_dirty ? ew_pattern_dirty_add(solver_dirty, change) : EW_OK);
    return ew_pattern_dirty_add(&matrix->dirty, change);
}

bool model_matrices_follow(const ew_model *model)
{
    return !model->stiffness.matrix.all_dirty || !model->dynamics.mass.all_dirty ||
           !model->dynamics.system.matrix.all_dirty;
}

ew_status model_stiffness_touch(ew_model *model, const ew_pattern_change *change)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(touch(&of->system.matrix, &of->system.solver_dirty, change));
    return touch(&model->stiffness.matrix, &model->stiffness.solver_dirty, change);
}

ew_status model_matrices_touch(ew_model *model, const ew_pattern_change *change)
{
    model->dynamics.has_changed = true;
    model_touch_records(model);
    EW_TRY(touch(&model->dynamics.mass, NULL, change));
    return model_stiffness_touch(model, change);
}

model_blocks model_blocks_of(const ew_model *model, const ew_source *source,
                             model_compute on_device)
{
    return (model_blocks){.source = model_has_host_blocks(model) ? source : NULL,
                          .on_device = model->device ? on_device : NULL,
                          .from = source};
}

/* ---- blocks --------------------------------------------------------------------- */

/* Those of the stiffness are reported; others follow the same changes. */
static bool is_counted(const ew_model *model, const model_matrix *matrix)
{
    return matrix == &model->stiffness.matrix;
}

/* Nobody will use them. */
static bool is_left_out(const ew_model *model, const model_matrix *matrix)
{
    return model->expects_answers && is_counted(model, matrix);
}

static ew_status build_on_host(model_matrix *matrix, const ew_source *source)
{
    if (matrix->takes_rows) {
        return model_matrix_begin_rows(matrix, source);
    }
    ew_release(matrix->has);
    matrix->has = NULL;
    return ew_matrix_build(&matrix->host, source);
}

/* Blocks that are not there cannot follow. */
static ew_status revalidate_on_host(model_matrix *matrix, const ew_source *source,
                                    const ew_pattern_change *change)
{
    return matrix->has ? build_on_host(matrix, source)
                       : ew_matrix_revalidate(&matrix->host, source, change);
}

static ew_status build(ew_model *model, model_matrix *matrix, const model_blocks *blocks)
{
    const bool left_out = is_left_out(model, matrix);
    EW_TRY(blocks->source && !left_out ? build_on_host(matrix, blocks->source) : EW_OK);
    EW_TRY(blocks->on_device ? blocks->on_device(model, matrix, blocks->from, NULL) : EW_OK);
    if (is_counted(model, matrix)) {
        model->report.built_blocks +=
            (int64_t)model->mesh.n_active_vertex + model->topology.pattern.n_live_pair;
    }
    ew_pattern_dirty_free(&matrix->dirty);
    matrix->all_dirty = matrix->only_constants = false;
    return EW_OK;
}

static ew_status revalidate(ew_model *model, model_matrix *matrix, const model_blocks *blocks)
{
    ew_pattern_change *sum = &model->sum;
    EW_TRY(ew_pattern_dirty_take(&matrix->dirty, &model->topology.pattern, sum));
    const bool left_out = is_left_out(model, matrix);
    EW_TRY(blocks->source && !left_out ? revalidate_on_host(matrix, blocks->source, sum) : EW_OK);
    EW_TRY(blocks->on_device ? blocks->on_device(model, matrix, blocks->from, sum) : EW_OK);
    if (is_counted(model, matrix)) {
        model->report.touched_blocks += (int64_t)sum->touched_pair.n + sum->touched_row.n;
    }
    return EW_OK;
}

ew_status model_matrix_update(ew_model *model, model_matrix *matrix, const model_blocks *blocks)
{
    const double start = ew_seconds();
    matrix->is_copied = false;
    if (matrix->all_dirty) {
        EW_TRY(build(model, matrix, blocks));
        model->report.seconds_built += ew_seconds() - start;
    } else if (matrix->dirty.to_revision) {
        const ew_status status = revalidate(model, matrix, blocks);
        matrix->all_dirty = status != EW_OK;
        EW_TRY(status);
    } else if (!matrix->takes_rows && matrix->has) {
        EW_TRY(model_matrix_add_rows(model, matrix, blocks->source, NULL));
    }
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

/* ---- systems ---------------------------------------------------------------------- */

ew_status model_system_update(ew_model *model, model_system *system, const model_blocks *blocks)
{
    const bool built = system->matrix.all_dirty;
    const bool keeps_rows = system->matrix.only_constants && !system->solver_dirty.to_revision;
    EW_TRY(model_matrix_update(model, &system->matrix, blocks));
    if (!built) {
        return EW_OK;
    }
    if (keeps_rows) {
        ew_solver_invalidate(&system->solver);
    } else {
        ew_solver_reset(&system->solver);
    }
    ew_pattern_dirty_free(&system->solver_dirty);
    return EW_OK;
}

ew_system model_system_view(ew_model *model, model_system *system, const double *b)
{
    if (!system->op.type) {
        system->op = model_place_of(model)->make_operator(model, system);
    }
    system->op.demand = model_row_demand(model, system);
    system->op.edges = !model_has_edges(model)       ? NULL
                       : system == &model->stiffness ? model_edge_operator(model)
                                                     : &model->quadratic.moving.op.edges;
    ew_system view = model_rows(model);
    view.op =
        model->operator_kind == EW_MATRIX_FREE ? model_system_tets(model, system) : &system->op;
    view.b = b;
    return view;
}

/* After the constraints: a preconditioner reads them, too. */
ew_status model_system_update_solver(ew_model *model, model_system *system)
{
    const double start = ew_seconds();
    ew_system view = model_system_view(model, system, NULL);
    ew_status status = EW_OK;
    if (system->solver_dirty.to_revision) {
        EW_TRY(model_equip_system(model, &view));
        EW_TRY(view.op->demand ? view.op->demand->need(model, NULL) : EW_OK);
        status =
            ew_pattern_dirty_take(&system->solver_dirty, &model->topology.pattern, &model->sum);
        if (!status) {
            status = ew_solver_update(&system->solver, &view, &model->sum);
        }
    }
    model->report.seconds_preconditioner += ew_seconds() - start;
    return status;
}

/* ---- memory ------------------------------------------------------------------------ */

void model_matrix_free(model_matrix *matrix)
{
    ew_matrix_free(&matrix->host);
    ew_device_matrix_free(&matrix->device);
    ew_pattern_dirty_free(&matrix->dirty);
    ew_release(matrix->has);
    *matrix = (model_matrix){.all_dirty = true};
}

void model_system_free(model_system *system)
{
    ew_solver_free(&system->solver);
    ew_operator_free(&system->op);
    ew_tet_operator_free(&system->tets);
    ew_pattern_dirty_free(&system->solver_dirty);
    model_matrix_free(&system->matrix);
}
