/* A nonlinear body: what its tets answer to the displacement, the records that the tangent is made
 * of, and the state of the laws, which follows edits as a field. */
#include "model/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- which it is --------------------------------------------------------------------- */

static bool has_laws(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_material; i++) {
        any = any || !ew_material_law(&model->material[i].material)->is_linear;
    }
    return any;
}

bool model_is_nonlinear(const ew_model *model)
{
    return model->nonlinear.kinematics != EW_SMALL || has_laws(model);
}

bool ew_model_is_nonlinear(const ew_model *model)
{
    return model_is_nonlinear(model);
}

ew_status ew_model_set_kinematics(ew_model *model, ew_kinematics kinematics)
{
    model_nonlinear *of = &model->nonlinear;
    if (kinematics != EW_SMALL && kinematics != EW_COROTATIONAL) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there are no kinematics of kind %d",
                       (int)kinematics);
    }
    if (of->kinematics != kinematics) {
        of->kinematics = of->response.kinematics = kinematics;
        model_touch_records(model);
        model_matrices_forget(model);
        model->fields_revision = 0;
    }
    return EW_OK;
}

ew_kinematics ew_model_kinematics(const ew_model *model)
{
    return model->nonlinear.kinematics;
}

static bool has_temperature(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_load; i++) {
        any = any || model->load[i].as.kind == EW_LOAD_TEMPERATURE;
    }
    return any;
}

ew_status model_check_nonlinear(const ew_model *model)
{
    const char *what = model->nonlinear.kinematics == EW_COROTATIONAL ? "corotational kinematics"
                                                                      : "laws that are not linear";
    if (model_is_quadratic(model)) {
        return ew_fail(EW_UNSUPPORTED, "model: %s are of linear tets alone; make all tets linear",
                       what);
    }
    if (model->operator_kind == EW_MATRIX_FREE) {
        return ew_fail(EW_UNSUPPORTED, "model: %s need stored blocks; use operator: stored", what);
    }
    if (model->device) {
        return ew_fail(EW_UNSUPPORTED, "model: %s are computed on the host; use --device host",
                       what);
    }
    if (has_temperature(model)) {
        return ew_fail(EW_UNSUPPORTED, "model: %s take no loads of temperature", what);
    }
    return EW_OK;
}

/* ---- state of the laws ----------------------------------------------------------------- */

static ew_status open_state(ew_model *model, int32_t n_state)
{
    model_nonlinear *of = &model->nonlinear;
    if (n_state > of->n_state) {
        const ew_field_def def = {
            .name = "law state", .on_tets = true, .width = n_state, .rule = EW_FIELD_COPY};
        const int32_t before = of->state, width = of->n_state;
        EW_TRY(ew_model_add_field(model, &def, &of->state));
        for (int32_t t = 0; t < model->mesh.n_tet && width; t++) {
            memcpy(model->field[of->state].value + (size_t)n_state * (size_t)t,
                   model->field[before].value + (size_t)width * (size_t)t,
                   (size_t)width * sizeof(double));
        }
        of->n_state = n_state;
        ew_release(of->after); /* its capacity counts tets of the width before */
        of->after = NULL;
        of->after_capacity = 0;
    }
    return ew_grow(&of->after, &of->after_capacity, model->mesh.n_tet,
                   (size_t)(of->n_state ? of->n_state : 1) * sizeof(double));
}

const double *ew_model_law_state(const ew_model *model, int32_t *n_state)
{
    const model_nonlinear *of = &model->nonlinear;
    *n_state = of->n_state;
    return of->n_state ? model->field[of->state].value : NULL;
}

ew_status model_need_unflowed(const ew_model *model, const char *operation)
{
    int32_t width;
    const double *state = ew_model_law_state(model, &width);
    const size_t n = (size_t)width * (size_t)model->mesh.n_tet;
    for (size_t i = 0; i < n && state; i++) {
        if (state[i] != 0.0) {
            return ew_fail(EW_UNSUPPORTED,
                           "model: %s: tet %lld has flowed, and a map of the whole body would not "
                           "turn its plastic strain; do it before the first nonlinear step",
                           operation, (long long)model->mesh.tet_id[i / (size_t)width]);
        }
    }
    return EW_OK;
}

void model_take_state(ew_model *model)
{
    const model_nonlinear *of = &model->nonlinear;
    if (of->n_state) {
        memcpy(model->field[of->state].value, of->after,
               (size_t)of->n_state * (size_t)model->mesh.n_tet * sizeof *of->after);
    }
}

/* ---- what tets answer -------------------------------------------------------------------- */

ew_status model_prepare_response(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    bool forgot;
    EW_TRY(model_check_nonlinear(model));
    EW_TRY(model_assign_materials(model));
    EW_TRY(open_state(model, ew_materials_n_state(&model->materials)));
    of->response.kinematics = of->kinematics;
    EW_TRY(ew_response_prepare(&of->response, &model->materials, of->n_state, &forgot));
    if (forgot) {
        model_matrices_forget(model);
        of->is_current = false;
    }
    return EW_OK;
}

void model_forget_records(ew_model *model)
{
    model_touch_records(model);
    model->nonlinear.response.n_tet = 0; /* all of them are zero again */
    model_matrix_forget_constants(&model->stiffness.matrix);
    ew_solver_forget(&model->stiffness.solver);
}

void model_touch_records(ew_model *model)
{
    model->nonlinear.is_current = false;
}

void model_follow_law(ew_model *model, const ew_material *before, const ew_material *now)
{
    model_touch_records(model);
    if (ew_material_law(before) != ew_material_law(now)) {
        model_matrices_forget(model);
    }
}

ew_moved model_moved(const ew_model *model, const double *u, double dt)
{
    const model_nonlinear *of = &model->nonlinear;
    return (ew_moved){.mesh = &model->mesh,
                      .topology = &model->topology,
                      .materials = &model->materials,
                      .u = u,
                      .state = of->n_state ? model->field[of->state].value : NULL,
                      .dt = dt};
}

ew_status model_internal_force(ew_model *model, const double *u, double dt, double *f)
{
    model_nonlinear *of = &model->nonlinear;
    const ew_moved body = model_moved(model, u, dt);
    EW_TRY(ew_response_find(&of->response, &body, of->n_state ? of->after : NULL));
    ew_response_gather(&of->response, &body, f);
    return EW_OK;
}

ew_status model_body_force(ew_model *model, const double *u, double dt, double *f)
{
    const double *spring = model->constraints.spring;
    EW_TRY(model_internal_force(model, u, dt, f));
    for (int32_t v = 0; v < model->mesh.n_vertex && spring; v++) {
        double force[3];
        if (ew_mesh_vertex_is_active(&model->mesh, v)) {
            ew_spring_force(spring + 6 * (size_t)v, u + 3 * (size_t)v, force);
            for (size_t c = 0; c < 3; c++) {
                f[3 * (size_t)v + c] -= force[c];
            }
        }
    }
    return EW_OK;
}

double model_force_rounding(const ew_model *model)
{
    const double *diagonal = model->stiffness.matrix.host.diagonal, *u = model->field[0].value;
    double sum = 0.0;
    for (int32_t v = 0; v < model->mesh.n_vertex; v++) {
        const double *k = diagonal + 9 * (size_t)v, *at = u + 3 * (size_t)v;
        if (ew_mesh_vertex_is_active(&model->mesh, v)) {
            const double stiffness = k[0] + k[4] + k[8];
            sum += stiffness * stiffness * (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        }
    }
    return 4.0 * DBL_EPSILON * sqrt(sum);
}

ew_status model_reserve_nonlinear(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    for (int k = 0; k < NONLINEAR_N_VECTOR; k++) {
        EW_TRY(ew_grow(&of->vector[k], &of->vector_capacity[k], model->mesh.n_vertex,
                       3 * sizeof(double)));
    }
    return EW_OK;
}

/* Blocks of the tets whose records changed. */
static ew_status touch_changed(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    if (of->changed.n) {
        EW_TRY(ew_tangent_change(&model->mesh, &model->topology, &of->changed, &of->touched));
        EW_TRY(model_stiffness_touch(model, &of->touched));
    }
    return EW_OK;
}

ew_status model_update_records(ew_model *model, const double *u, double dt)
{
    model_nonlinear *of = &model->nonlinear;
    const ew_moved body = model_moved(model, u, dt);
    const double start = ew_seconds();
    ew_status status = ew_response_record(&of->response, &body, of->bound, &of->changed);
    status = status ? status : touch_changed(model);
    if (status) { /* the records are new, but not told to the matrices */
        model_matrices_forget(model);
        return status;
    }
    of->is_current = true;
    model->report.seconds_records += ew_seconds() - start;
    return EW_OK;
}

/* ---- blocks -------------------------------------------------------------------------------- */

ew_tangent model_tangent(const ew_model *model)
{
    ew_tangent from = ew_tangent_of(&model->mesh, &model->topology, &model->materials,
                                    &model->nonlinear.response);
    from.ground = model->has_ground ? model->ground : NULL;
    from.ground_revision = model->ground_revision;
    return from;
}

ew_status model_update_tangent(ew_model *model)
{
    EW_TRY(model_prepare_response(model));
    EW_TRY(model_update_supports_of_matrix(model));
    if (!model->nonlinear.is_current) {
        EW_TRY(model_update_records(model, model->field[0].value, 0.0));
    }
    const ew_tangent from = model_tangent(model);
    const model_blocks blocks = {.source = &from.source, .from = &from};
    return model_system_update(model, &model->stiffness, &blocks);
}

/* With a bound the records that are kept are part of the definition. */
ew_status model_verify_tangent(ew_model *model, const ew_topology *topology,
                               ew_model_verification *result)
{
    model_nonlinear *of = &model->nonlinear;
    ew_response fresh = {.kinematics = of->kinematics, .form = of->response.form};
    const ew_moved body = model_moved(model, model->field[0].value, 0.0);
    ew_matrix matrix = {0};
    ew_list changed = {0};
    double *ground = NULL;
    bool forgot;
    ew_status status = ew_response_prepare(&fresh, &model->materials, of->n_state, &forgot);
    EW_TRY_OUT(status);
    EW_TRY_OUT(ew_response_record(&fresh, &body, 0.0, &changed));
    ew_tangent from = ew_tangent_of(&model->mesh, topology, &model->materials,
                                    of->bound == 0.0 ? &fresh : &of->response);
    if (model->has_ground) {
        EW_TRY_OUT(model_ground_again(model, topology, &ground));
        from.ground = ground;
        from.ground_revision = model->mesh.revision;
    }
    const double start = ew_seconds();
    EW_TRY_OUT(ew_matrix_build(&matrix, &from.source));
    result->seconds_matrix = ew_seconds() - start;
    EW_TRY_OUT(ew_matrix_compare(&model->stiffness.matrix.host, &model->topology.pattern, &matrix,
                                 &topology->pattern, &result->n_different, &result->largest));
out:
    ew_response_free(&fresh);
    ew_matrix_free(&matrix);
    ew_list_free(&changed);
    ew_release(ground);
    return status;
}

/* ---- recovery and memory -------------------------------------------------------------------- */

void model_free_nonlinear(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    ew_response_free(&of->response);
    ew_release(of->after);
    ew_list_free(&of->changed);
    ew_pattern_change_free(&of->touched);
    for (int k = 0; k < NONLINEAR_N_VECTOR; k++) {
        ew_release(of->vector[k]);
    }
    ew_release(of->history);
    *of = (model_nonlinear){0};
}
