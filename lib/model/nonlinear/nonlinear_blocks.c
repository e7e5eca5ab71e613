/* The tangent of a nonlinear body: records of its tets, on the host or on a device, the blocks made
 * of them, and their comparison with those of a body that is found afresh. */
#include "model/internal.h"

#include <float.h>
#include <math.h>

/* ---- records ------------------------------------------------------------------------------- */

/* Rows of edges of the tets whose records changed: after the pairs of these. */
static ew_status touch_edges(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    model_quadratic *q = &model->quadratic;
    ew_pattern_change *change = &of->touched_edges;
    const ew_list *pair = &of->touched.touched_pair;
    if (q->dirty.to_revision && q->dirty.to_revision != q->rows.pattern.revision) {
        model_forget_edge_blocks(model);
        return EW_OK;
    }
    change->touched_row.n = 0;
    change->from_revision = change->to_revision = q->rows.pattern.revision;
    for (int32_t i = 0; i < pair->n; i++) {
        const int32_t row = q->rows.row[pair->id[i]];
        EW_TRY(row >= 0 ? ew_list_push(&change->touched_row, row) : EW_OK);
    }
    ew_list_sort_unique(&change->touched_row);
    return ew_pattern_dirty_add(&q->dirty, change);
}

/* Blocks of the tets whose records changed, and of the pairs that are pressed. */
static ew_status touch_changed(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    if (of->changed.n || of->pressed_pair.n) {
        EW_TRY(ew_tangent_change(&model->mesh, &model->topology, &of->changed, &of->touched));
        for (int32_t i = 0; i < of->pressed_pair.n; i++) {
            EW_TRY(ew_list_push(&of->touched.touched_pair, of->pressed_pair.id[i]));
        }
        ew_list_sort_unique(&of->touched.touched_pair);
        EW_TRY(model_stiffness_touch(model, &of->touched));
        EW_TRY(model_has_edges(model) ? touch_edges(model) : EW_OK);
    }
    return EW_OK;
}

static ew_status find_records(ew_model *model, const ew_deformed *body)
{
    model_nonlinear *of = &model->nonlinear;
    if (model_has_host_blocks(model)) {
        return ew_internal_force_record(&of->internal_force, body, of->bound, &of->changed);
    }
    if (!model_answers_there(model)) {
        EW_TRY(model_need_device_mesh(model));
        EW_TRY(ew_internal_force_record(&of->internal_force, body, of->bound, &of->changed));
        return ew_device_internal_force_send(&of->there, &model->device_mesh, &of->internal_force,
                                             body);
    }
    EW_TRY(model_need_copies(model));
    return ew_device_internal_force_record(&of->there, &model->device_mesh,
                                           model_edges_there(model), &of->internal_force, body,
                                           of->bound, &of->changed);
}

ew_status model_update_records(ew_model *model, const double *u, const double *from, double dt)
{
    model_nonlinear *of = &model->nonlinear;
    ew_deformed body = model_deformed(model, u, dt);
    body.from = from;
    const double start = ew_seconds();
    EW_TRY(model_prepare_mixed_tangent(model, &body));
    ew_status status = find_records(model, &body);
    status = status ? status : model_update_follower(model, u);
    status = status ? status : touch_changed(model);
    if (status) { /* the records are new, but not told to the matrices */
        model_matrices_forget(model);
        model_forget_edge_blocks(model);
        return status;
    }
    of->is_current = true;
    model->report.seconds_records += ew_seconds() - start;
    return EW_OK;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Without fp64 the blocks are the host's. */
static ew_status tangent_on_device(ew_model *model, model_matrix *matrix, const void *from,
                                   const ew_pattern_change *change)
{
    const ew_matrix *host = model_host_blocks(model, matrix);
    const ew_device_internal_force *there = &model->nonlinear.there;
    if (change) {
        return ew_device_tangent_revalidate(&matrix->device, &model->device_mesh, from, there,
                                            change, host);
    }
    EW_TRY(model_need_device_mesh(model));
    return ew_device_tangent_build(&matrix->device, &model->device_mesh, from, there,
                                   model->precision, host);
}

ew_status model_update_tangent(ew_model *model)
{
    EW_TRY(model_prepare_internal_force(model));
    EW_TRY(model_update_supports_of_matrix(model));
    if (!model->nonlinear.is_current) {
        EW_TRY(model_update_records(model, model->field[0].value, NULL, 0.0));
    }
    const model_source from = model_tangent(model, &model->topology, model_ground(model));
    const model_blocks blocks = model_blocks_of(model, &from.source, tangent_on_device);
    EW_TRY(model_system_update(model, &model->stiffness, &blocks));
    const double start = ew_seconds();
    EW_TRY(model_update_edge_blocks(model));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

ew_status model_fetch_blocks(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    EW_TRY(model_answers_there(model)
               ? ew_device_internal_force_download(&of->there, &of->internal_force)
               : EW_OK);
    return model_fetch_stiffness(model);
}

/* On the host, whatever the model computes on. With a bound the records that are kept are part of
 * the definition. */
ew_status model_verify_tangent(ew_model *model, const ew_topology *topology,
                               ew_model_verification *result)
{
    model_nonlinear *of = &model->nonlinear;
    ew_internal_force fresh = {.kinematics = of->kinematics, .form = of->internal_force.form};
    const ew_deformed body = model_deformed(model, model->field[0].value, 0.0);
    ew_matrix matrix = {0};
    ew_follower follower = {0};
    ew_list changed = {0};
    double *ground = NULL;
    bool forgot;
    ew_status status = ew_internal_force_prepare(
        &fresh, &model->materials, of->n_point, of->n_state, model_has_temperature(model), &forgot);
    EW_TRY_OUT(status);
    EW_TRY_OUT(model_fetch_blocks(model));
    EW_TRY_OUT(ew_internal_force_record(&fresh, &body, 0.0, &changed));
    ew_tangent from = ew_tangent_of(&model->mesh, topology, &model->materials,
                                    of->bound == 0.0 ? &fresh : &of->internal_force);
    if (model->has_ground) {
        EW_TRY_OUT(model_ground_again(model, topology, &ground));
        from.ground = ground;
        from.ground_revision = model->mesh.revision;
    }
    if (model_has_follower(model)) {
        EW_TRY_OUT(model_find_turns(model, topology, body.u, &follower));
        from.follower = &follower;
    }
    const double start = ew_seconds();
    EW_TRY_OUT(ew_matrix_build(&matrix, &from.source));
    result->seconds_matrix = ew_seconds() - start;
    EW_TRY_OUT(ew_matrix_compare(&model->stiffness.matrix.host, &model->topology.pattern, &matrix,
                                 &topology->pattern, &result->n_different, &result->largest));
out:
    ew_internal_force_free(&fresh);
    ew_follower_free(&follower);
    ew_matrix_free(&matrix);
    ew_list_free(&changed);
    ew_release(ground);
    return status;
}

/* ---- rounding ------------------------------------------------------------------------------ */

/* The diagonal blocks, [n_vertex][3][3], on the host. */
static ew_status find_diagonal(ew_model *model, const double **diagonal)
{
    model_nonlinear *of = &model->nonlinear;
    const model_matrix *own = &model->stiffness.matrix;
    const size_t size = 9 * sizeof(double);
    *diagonal = own->host.diagonal;
    if (model_has_host_blocks(model)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->diagonal, &of->diagonal_capacity, model->mesh.n_vertex, size));
    *diagonal = of->diagonal;
    return ew_buffer_read(model->device, &own->device.diagonal, 0,
                          size * (size_t)model->mesh.n_vertex, of->diagonal);
}

/* Of a tet that turns, 1 is taken off the stretch: rounded to the last digit of its edges. The
 * square of the longest at a vertex. */
static double turned_size(const ew_model *model, int32_t v)
{
    const ew_rows *rows = &model->topology.pattern.row_to_pair;
    const double *x = model->mesh.xyz;
    double longest = 0.0;
    if (model->nonlinear.kinematics == EW_SMALL) {
        return 0.0;
    }
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        double sum = 0.0;
        for (size_t c = 0; c < 3; c++) {
            const double d = x[3 * (size_t)other + c] - x[3 * (size_t)v + c];
            sum += d * d;
        }
        longest = fmax(longest, sum);
    }
    return longest;
}

static double square_of(const double *x)
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* The sum over the functions of edges, whose force has that of the displacements of their ends. */
static double rounding_of_edges(const ew_model *model)
{
    const model_quadratic *q = &model->quadratic;
    const double *x = model->mesh.xyz, *u = model->field[0].value;
    const bool turns = model->nonlinear.kinematics != EW_SMALL;
    double sum = 0.0;
    for (int32_t row = 0; row < model_n_row(model) - model->mesh.n_vertex; row++) {
        const double *k = q->blocks.diagonal + 9 * (size_t)row;
        const int32_t *end = q->end + 2 * (size_t)row;
        if (q->rows.edge[row] >= 0) {
            const double *a = x + 3 * (size_t)end[0], *b = x + 3 * (size_t)end[1];
            const double side[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
            const double stiffness = k[0] + k[4] + k[8];
            const double moved =
                0.5 * (square_of(u + 3 * (size_t)end[0]) + square_of(u + 3 * (size_t)end[1]));
            sum += stiffness * stiffness * (moved + (turns ? square_of(side) : 0.0));
        }
    }
    return sum;
}

ew_status model_find_rounding(ew_model *model, double *force)
{
    const double *diagonal, *u = model->field[0].value;
    model_quadratic *q = &model->quadratic;
    double sum = 0.0;
    EW_TRY(find_diagonal(model, &diagonal));
    EW_TRY(model_has_edges(model) && model_answers_there(model)
               ? ew_device_matrix_download(&q->device_blocks, &q->blocks)
               : EW_OK);
    for (int32_t v = 0; v < model->mesh.n_vertex; v++) {
        const double *k = diagonal + 9 * (size_t)v, *at = u + 3 * (size_t)v;
        if (ew_mesh_vertex_is_active(&model->mesh, v)) {
            const double stiffness = k[0] + k[4] + k[8];
            const double moved = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
            sum += stiffness * stiffness * (moved + turned_size(model, v));
        }
    }
    *force = 4.0 * DBL_EPSILON * sqrt(sum + rounding_of_edges(model));
    return EW_OK;
}
