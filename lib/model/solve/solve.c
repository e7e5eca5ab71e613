/* Analysis of a model: matrix, constraints and loads brought up to date, the solve, what is
 * recovered from its displacement, and the comparison with a model built from the mesh alone. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- matrix ----------------------------------------------------------------- */

/* After a build of the tables it starts afresh. */
ew_status model_need_device_mesh(ew_model *model)
{
    return model->device_mesh.pattern.revision == model->mesh.revision
               ? EW_OK
               : ew_device_mesh_build(&model->device_mesh, model->device, &model->mesh,
                                      &model->topology);
}

static ew_status compute_on_device(ew_model *model, model_matrix *matrix, const void *from,
                                   const ew_pattern_change *change)
{
    const ew_matrix *host = model_has_host_blocks(model) ? &matrix->host : NULL;
    EW_TRY(change ? EW_OK : model_need_device_mesh(model));
    EW_TRY(ew_device_mesh_send_axes(&model->device_mesh, &model->mesh, &model->materials));
    if (change) {
        return ew_device_matrix_revalidate(&matrix->device, &model->device_mesh, from, change,
                                           host);
    }
    return ew_device_matrix_build(&matrix->device, &model->device_mesh, from, model->precision,
                                  host);
}

ew_status model_update_supports_of_matrix(ew_model *model)
{
    const double start = ew_seconds();
    EW_TRY(model_has_local_supports(model) ? model_update_supports(model) : EW_OK);
    model->report.seconds_loads += ew_seconds() - start;
    return EW_OK;
}

/* Blocks as they must be. */
ew_status model_update_matrix(ew_model *model)
{
    EW_TRY(model_need_usable(model));
    if (model_is_nonlinear(model)) {
        return model_update_tangent(model);
    }
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports_of_matrix(model));
    const ew_stiffness from = model_stiffness(model);
    const model_blocks blocks = {.source = model_has_host_blocks(model) ? &from.source : NULL,
                                 .on_device = model->device ? compute_on_device : NULL,
                                 .from = &from};
    model_system_set_tets(&model->stiffness, 1.0, NULL, 0.0);
    EW_TRY(model_system_update(model, &model->stiffness, &blocks));
    const double start = ew_seconds();
    EW_TRY(model_update_edge_blocks(model));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

ew_status ew_model_matrix(ew_model *model, const ew_matrix **matrix)
{
    EW_TRY(model_update_matrix(model));
    *matrix = model_has_host_blocks(model) ? &model->stiffness.matrix.host : NULL;
    return EW_OK;
}

/* ---- solve -------------------------------------------------------------------- */

ew_status model_prepare_solve(ew_model *model)
{
    EW_TRY(model_update_matrix(model));
    const double start = ew_seconds();
    EW_TRY(model_update_supports(model));
    const double constrained = ew_seconds();
    EW_TRY(
        ew_support_require(&model->support, &model->mesh, &model->topology, &model->constraints));
    const double checked = ew_seconds();
    EW_TRY(model_update_loads(model));
    EW_TRY(model_has_edges(model) ? model_prepare_edges(model) : EW_OK);
    model->report.seconds_support += checked - constrained;
    model->report.seconds_loads += constrained - start + (ew_seconds() - checked);
    return model_system_update_solver(model, &model->stiffness);
}

/* known: of a solve made before, whose displacement is in place; null: none. */
static ew_status solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info *known)
{
    const double start = ew_seconds();
    const bool direct =
        model_has_edges(model) && !model->device && def->preconditioner == EW_CHOLESKY;
    EW_TRY(direct ? model_update_whole(model) : EW_OK);
    EW_TRY(def->preconditioner == EW_CHOLESKY ? model_refuse_mixed(model, "solver: cholesky")
                                              : EW_OK);
    const ew_system system = direct ? model_whole_system(model) : model_system_with_edges(model);
    ew_solver *solver = direct ? &model->quadratic.whole_solver : &model->stiffness.solver;
    model->fields_revision = 0;
    model->dynamics.has_changed = model->dynamics.is_aside = true;
    ew_status status;
    if (model->mixed.is_on) {
        model_put_prescribed_values(model, model->field[0].value);
        status = model_solve_mixed(model, &system, def, known);
    } else if (known) {
        status = ew_solver_accept(solver, &system, def, known, &model->info);
    } else {
        model_put_prescribed_values(model, model->field[0].value);
        status = ew_solver_solve(solver, &system, def, model->field[0].value, &model->info);
    }
    model->solved_revision = status ? 0 : model->mesh.revision;
    model->report.seconds_solve += ew_seconds() - start;
    model_heat_fully(model);
    return status ? status : model_keep_temperature(model);
}

static ew_status prepare_to_solve(ew_model *model, const ew_pcg_info **info)
{
    if (info) {
        *info = NULL;
    }
    EW_TRY(model_need_usable(model));
    if (!model->mesh.n_live_tet) {
        return ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
    }
    if (model_is_nonlinear(model)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "model: a corotational body, or one with a law that is not linear, needs "
                       "ew_model_solve_nonlinear");
    }
    return model_prepare_solve(model);
}

ew_status ew_model_prepare(ew_model *model)
{
    return prepare_to_solve(model, NULL);
}

ew_status ew_model_solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info **info)
{
    EW_TRY(prepare_to_solve(model, info));
    const ew_status status = solve(model, def, NULL);
    if (info) {
        *info = &model->info;
    }
    return status;
}

void ew_model_expect_no_answers(ew_model *model)
{
    if (model->expects_answers) {
        model->expects_answers = false;
        model_matrices_forget(model);
    }
}

/* Without anything that a solve after it would start from. */
static ew_status take(ew_model *model, const ew_pcg_info *known)
{
    model->fields_revision = 0;
    model->dynamics.has_changed = model->dynamics.is_aside = true;
    model->info = *known;
    model->info.status = EW_OK;
    model->info.reason = "";
    return EW_OK;
}

ew_status ew_model_accept(ew_model *model, const ew_pcg_def *def, const double *displacement,
                          const ew_pcg_info *known, const ew_pcg_info **info)
{
    EW_TRY(prepare_to_solve(model, info));
    memcpy(model->field[0].value, displacement,
           (size_t)model->mesh.n_vertex * 3 * sizeof *displacement);
    const ew_status status = model->expects_answers ? take(model, known) : solve(model, def, known);
    if (info) {
        *info = &model->info;
    }
    return status;
}

/* ---- recovery ------------------------------------------------------------------- */

ew_status ew_model_recover(ew_model *model, const ew_fields **fields, const ew_sums **sums)
{
    const double start = ew_seconds();
    const double *u = model->field[0].value;
    EW_TRY(model_need_usable(model));
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(model_update_loads(model));
    const model_nonlinear *nonlinear = &model->nonlinear;
    const bool is_reached =
        model_is_nonlinear(model) && nonlinear->reached_revision == model->mesh.revision;
    const double *force = is_reached ? nonlinear->vector[NONLINEAR_REACHED] : model->force;
    const ew_load *line = model->load_line;
    const bool moves = model->dynamics.is_active && !model->dynamics.is_aside;
    if (moves) {
        EW_TRY(model_effective_force(model, &force));
        line = model_load_lines_now(model);
    }
    EW_TRY(moves ? model_find_volumetric_stress(model) : EW_OK);
    EW_TRY(model_has_edges(model) && !moves ? model_prepare_edges(model) : EW_OK);
    EW_TRY(model_pull_faces(model, u));
    ew_edge_values edges = model_edge_values(model);
    edges.f = moves ? force + 3 * (size_t)model->mesh.n_vertex : edges.f;
    model->fields.pressure = ew_model_volumetric_stress(model);
    EW_TRY(model_is_nonlinear(model)
               ? model_recover_nonlinear(model, force)
               : ew_fields_recover_edges(&model->fields, &model->mesh, &model->topology,
                                         &model->materials, &model->constraints, model->n_load_line,
                                         line, force, u, model_has_edges(model) ? &edges : NULL));
    ew_sums_take(&model->sums, &model->mesh, &model->materials, &model->constraints, &model->fields,
                 force, u);
    model_sum_states(model, &model->sums);
    if (model_has_edges(model)) {
        ew_sums_add_edges(&model->sums, &model->mesh, &model->materials, &model->fields,
                          model->n_load_line, line, u, &edges);
    }
    EW_TRY(ew_fields_check_range(&model->fields, &model->sums, u));
    model->fields_revision = model->mesh.revision;
    model->report.seconds_recover += ew_seconds() - start;
    if (fields) {
        *fields = &model->fields;
    }
    if (sums) {
        *sums = &model->sums;
    }
    return EW_OK;
}

const ew_fields *ew_model_recovered(const ew_model *model)
{
    return model->fields_revision == model->mesh.revision ? &model->fields : NULL;
}

const ew_sums *ew_model_recovered_sums(const ew_model *model)
{
    return model->fields_revision == model->mesh.revision ? &model->sums : NULL;
}

/* ---- verification ------------------------------------------------------------------ */

/* Built where the model keeps its own, so that the times compare. Without fp64 the host's blocks
 * are the device's source. */
static ew_status compare_blocks(ew_model *model, const ew_topology *topology,
                                ew_model_verification *result)
{
    ew_stiffness from = ew_stiffness_of(&model->mesh, topology, &model->materials);
    model_matrix *own = &model->stiffness.matrix;
    double *ground = NULL;
    ew_matrix matrix = {0};
    from.source.diagonal_only = model->operator_kind == EW_MATRIX_FREE;
    ew_device_mesh copy = {0};
    ew_device_matrix blocks = {0};
    ew_status status = EW_OK;
    if (model->has_ground) {
        EW_TRY_OUT(model_ground_again(model, topology, &ground));
        from.ground = ground;
        from.ground_revision = model->mesh.revision;
    }
    const double start = ew_seconds();
    if (model_has_host_blocks(model)) {
        EW_TRY_OUT(ew_matrix_build(&matrix, &from.source));
        result->seconds_matrix = ew_seconds() - start;
    } else {
        EW_TRY_OUT(ew_device_mesh_build(&copy, model->device, &model->mesh, topology));
        EW_TRY_OUT(ew_device_mesh_send_axes(&copy, &model->mesh, &model->materials));
        EW_TRY_OUT(ew_device_matrix_build(&blocks, &copy, &from, model->precision, NULL));
        result->seconds_matrix = ew_seconds() - start;
        EW_TRY_OUT(ew_device_matrix_download(&blocks, &matrix));
        EW_TRY_OUT(ew_device_matrix_download(&own->device, &own->host));
    }
    status = ew_matrix_compare(&own->host, &model->topology.pattern, &matrix, &topology->pattern,
                               &result->n_different, &result->largest);
out:
    ew_release(ground);
    ew_matrix_free(&matrix);
    ew_device_matrix_free(&blocks);
    ew_device_mesh_free(&copy);
    return status;
}

ew_status ew_model_verify(ew_model *model, ew_model_verification *result)
{
    ew_topology topology = {0};
    *result = (ew_model_verification){0};
    EW_TRY(model_update_matrix(model));
    EW_TRY(ew_topology_check(&model->topology, &model->mesh));
    const double start = ew_seconds();
    ew_status status = ew_topology_build(&topology, &model->mesh);
    result->seconds_tables = ew_seconds() - start;
    if (!status) {
        status = model_is_nonlinear(model) ? model_verify_tangent(model, &topology, result)
                                           : compare_blocks(model, &topology, result);
    }
    if (!status) {
        status = model_verify_dynamics(model, &topology, result);
    }
    if (!status) {
        status = model_verify_edges(model, &topology, result);
    }
    ew_topology_free(&topology);
    return status;
}
