/* Mixed tets of a model: the pressure, a field that follows edits, beside the displacement. Blocks
 * are those of 2 mu alone and follow edits as any; what is beside them is taken from the tets as
 * they are in each solve. A body that moves, or vibrates, has the stiffness 2 mu and B^T C^-1 B
 * (mixed_pressure.c); what is solved with it and a mass has the pressure of the unknown beside it.
 * Heat is on the right-hand side of the pressure; in motion also a force, B^T C^-1 times that,
 * whose work counts. */
#include "model/internal.h"

#include <string.h>

bool ew_model_is_mixed(const ew_model *model)
{
    return model->mixed.is_on;
}

static ew_status check_model(const ew_model *model)
{
    if (model_is_quadratic(model)) {
        return ew_fail(EW_BAD_ARGUMENT, "model: mixed tets are linear; make no tets quadratic");
    }
    EW_TRY(model_need_blocks(model, "mixed tets"));
    return model_need_double(model, "model: mixed tets");
}

ew_status ew_model_set_mixed(ew_model *model, bool mixed)
{
    static const ew_field_def def = {
        .name = "volumetric stress", .width = 1, .rule = EW_FIELD_MEAN};
    model_mixed *of = &model->mixed;
    EW_TRY(model_need_usable(model));
    if (mixed == of->is_on) {
        return EW_OK;
    }
    EW_TRY(mixed ? check_model(model) : EW_OK);
    if (model->dynamics.is_active) {
        return ew_fail(EW_BAD_ARGUMENT, "model: tets become mixed, or not, while nothing moves; "
                                        "stop the dynamics first");
    }
    EW_TRY(of->pressure ? EW_OK : ew_model_add_field(model, &def, &of->pressure));
    of->is_on = mixed;
    model->loads_current = false; /* those of temperature differ */
    ew_materials_free(&model->materials);
    model_matrix_forget_constants(&model->stiffness.matrix);
    model_forget_recovery(model);
    model->order_revision++;
    return EW_OK;
}

double *ew_model_volumetric_stress(ew_model *model)
{
    return model_pressure(model);
}

static ew_status check_materials(const ew_model *model)
{
    for (int32_t r = 0; r < model->mesh.n_region; r++) {
        const ew_material *material = model->materials.material + r;
        if (material->kind != EW_ISOTROPIC || !(material->poisson > 0.0)) {
            return ew_fail_about(EW_BAD_INPUT, model->mesh.region_label[r], -1,
                                 "region %d: mixed tets take isotropic materials with poisson > 0; "
                                 "use linear tets",
                                 model->mesh.region_label[r]);
        }
    }
    return EW_OK;
}

/* q [n_vertex]: ew_mixed_find_expansion, of what the lines warm. */
static ew_status find_thermal_expansion(ew_model *model, int32_t n_line, const ew_load *line,
                                        double *q)
{
    const ew_mesh *mesh = &model->mesh;
    model_mixed *of = &model->mixed;
    EW_TRY(ew_grow(&of->thermal, &of->thermal_capacity, model->mesh.n_tet, sizeof *of->thermal));
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_tet, 4000))
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        of->thermal[t] = ew_mesh_tet_is_live(mesh, t)
                             ? ew_loads_thermal_strain(mesh, &model->materials, n_line, line, t)
                             : 0.0;
    }
    ew_mixed_find_expansion(mesh, &model->topology, of->thermal, q);
    return EW_OK;
}

/* ---- statics ------------------------------------------------------------------- */

/* What is beside the blocks of_k K + of_m M, where these are: of a linear body; and of a nonlinear
 * one, which was prepared together with the records. */
static ew_status prepare_linear(ew_model *model, ew_mixed *tets, double of_k, double of_m,
                                bool is_there)
{
    return is_there ? ew_mixed_prepare_on_device(tets, &model->mesh, &model->materials,
                                                 &model->device_mesh, of_k, of_m)
                    : ew_mixed_prepare(tets, &model->mesh, &model->topology, &model->materials,
                                       of_k, of_m);
}

static ew_status prepare_tangent(ew_model *model, ew_mixed *tets, double of_k, double of_m,
                                 bool is_there)
{
    ew_mixed_scale_step(tets, of_k, of_m);
    return is_there ? ew_mixed_send(tets, &model->device_mesh) : EW_OK;
}

static bool is_on_device(const ew_system *system)
{
    return system->op->device_matrix != NULL;
}

/* p: as x, a start and then the answer. */
static ew_status solve_saddle(ew_mixed *tets, ew_solver *solver, const ew_system *system,
                              const ew_pcg_def *def, const double *g, double *x, double *p,
                              ew_pcg_info *info)
{
    const bool is_there = is_on_device(system);
    const ew_saddle saddle = {
        .user = tets,
        .g = g,
        .add_product = ew_mixed_add_product,
        .scale = tets->scale,
        .device_add_product = is_there ? ew_mixed_add_product_on_device : NULL,
        .device_scale = is_there ? &tets->device_scale : NULL,
    };
    return ew_saddle_solve(solver, system, &saddle, def, x, p, info);
}

/* A step in time and an update of Newton's method are small beside the answer, whose error counts.
 */
static ew_pcg_def to_residual(const ew_pcg_def *def)
{
    ew_pcg_def by = *def;
    by.energy_tolerance = 0.0;
    return by;
}

/* g: null where there are no temperatures. */
static ew_status find_expansion(ew_model *model, const double **g)
{
    model_mixed *of = &model->mixed;
    *g = NULL;
    if (!model_has_temperature(model)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->thermal_stress, &of->thermal_stress_capacity, model->mesh.n_vertex,
                   sizeof *of->thermal_stress));
    EW_TRY(find_thermal_expansion(model, model->n_load_line, model->load_line, of->thermal_stress));
    *g = of->thermal_stress;
    return EW_OK;
}

ew_status model_solve_mixed(ew_model *model, const ew_system *system, const ew_pcg_def *def,
                            const ew_pcg_info *known)
{
    model_mixed *of = &model->mixed;
    const double *g;
    EW_TRY(check_model(model));
    EW_TRY(check_materials(model));
    EW_TRY(find_expansion(model, &g));
    if (known) {
        return ew_saddle_accept(&model->stiffness.solver, system, def, known, &model->info);
    }
    EW_TRY(prepare_linear(model, &of->tets, 1.0, 0.0, is_on_device(system)));
    return solve_saddle(&of->tets, &model->stiffness.solver, system, def, g, model->field[0].value,
                        model->field[of->pressure].value, &model->info);
}

/* ---- the whole stiffness --------------------------------------------------------- */

ew_status model_prepare_mixed(ew_model *model)
{
    model_mixed *of = &model->mixed;
    if (!of->is_on) {
        return EW_OK;
    }
    EW_TRY(check_model(model));
    EW_TRY(check_materials(model));
    EW_TRY(ew_grow(&of->p, &of->capacity, model->mesh.n_vertex, 2 * sizeof *of->p));
    if (model_is_nonlinear(model)) {
        EW_TRY(model_find_mixed_pressure(model, model->field[0].value));
        const ew_deformed body = model_deformed(model, model->field[0].value, 0.0);
        return ew_mixed_prepare_deformed(&of->tets, &model->nonlinear.internal_force, &body);
    }
    return ew_mixed_prepare(&of->tets, &model->mesh, &model->topology, &model->materials, 1.0, 0.0);
}

ew_status model_add_mixed_stiffness(ew_model *model, const double *x, double *y)
{
    model_mixed *of = &model->mixed;
    if (!of->is_on) {
        return EW_OK;
    }
    EW_TRY(ew_mixed_find_pressure(&of->tets, x, NULL, of->p));
    ew_mixed_add_pressure(&of->tets, of->p, y, NULL);
    return EW_OK;
}

ew_status model_mixed_elastic_force(ew_model *model, const double *u, double *f)
{
    EW_TRY(model_prepare_mixed(model));
    EW_TRY(model_blocks_product(model, u, f));
    ew_mixed_add_pressure(&model->mixed.tets, model_pressure(model), f, NULL);
    return EW_OK;
}

ew_status model_find_volumetric_stress(ew_model *model)
{
    model_mixed *of = &model->mixed;
    if (!of->is_on || model_is_nonlinear(model)) { /* its force finds it */
        return EW_OK;
    }
    double *p = model->field[of->pressure].value;
    EW_TRY(model_prepare_mixed(model));
    EW_TRY(ew_mixed_find_pressure(&of->tets, model->field[0].value, NULL, p));
    for (int32_t v = 0; v < model->mesh.n_vertex && of->has_thermal_stress; v++) {
        p[v] -= of->thermal_stress[v];
    }
    return EW_OK;
}

/* ---- temperatures in time ---------------------------------------------------------- */

ew_status model_add_mixed_thermal(ew_model *model, int32_t n_line, const ew_load *line,
                                  model_load_group *group)
{
    model_mixed *of = &model->mixed;
    const int32_t n = model->mesh.n_vertex;
    EW_TRY(model_prepare_mixed(model));
    EW_TRY(ew_grow(&group->thermal_stress, &group->thermal_stress_capacity, n,
                   sizeof *group->thermal_stress));
    EW_TRY(find_thermal_expansion(model, n_line, line, of->p));
    EW_TRY(ew_mixed_find_pressure(&of->tets, NULL, of->p, group->thermal_stress));
    ew_mixed_add_pressure(&of->tets, group->thermal_stress, group->force.value, NULL);
    return EW_OK;
}

ew_status model_update_mixed_thermal(ew_model *model)
{
    model_mixed *of = &model->mixed;
    const int32_t n = model->mesh.n_vertex;
    of->has_thermal_stress = false;
    for (int32_t g = 0; g < model->n_group && of->is_on; g++) {
        const model_load_group *group = &model->group[g];
        if (!group->thermal_stress) {
            continue;
        }
        EW_TRY(ew_grow(&of->thermal_stress, &of->thermal_stress_capacity, n,
                       sizeof *of->thermal_stress));
        for (int32_t v = 0; v < n; v++) {
            of->thermal_stress[v] = (of->has_thermal_stress ? of->thermal_stress[v] : 0.0) +
                                    group->factor * group->thermal_stress[v];
        }
        of->has_thermal_stress = true;
    }
    return EW_OK;
}

void model_subtract_mixed_thermal(ew_model *model, double *force)
{
    model_mixed *of = &model->mixed;
    for (int32_t v = 0; v < model->mesh.n_vertex && of->has_thermal_stress; v++) {
        of->p[v] = -of->thermal_stress[v];
    }
    if (of->has_thermal_stress) {
        ew_mixed_add_pressure(&of->tets, of->p, force, NULL);
    }
}

/* ---- with a mass ------------------------------------------------------------------ */

ew_status model_check_mixed_dynamics(const ew_model *model, const ew_scheme_rule *rule)
{
    return model->mixed.is_on && rule->u[1] == 0.0
               ? ew_refuse(EW_RULE_WAVES, "dynamics: a body of mixed tets")
               : EW_OK;
}

ew_status model_split_mixed_product(ew_model *model, const double *x, double *y)
{
    model_mixed *of = &model->mixed;
    EW_TRY(model_blocks_product(model, x, y));
    if (!of->is_on) {
        return EW_OK;
    }
    double *q = of->p + model->mesh.n_vertex;
    ew_mixed_find_divergence(&of->tets, x, q);
    if (of->has_thermal_stress) {
        ew_mixed_add_pressure(&of->tets, of->thermal_stress, y, q);
    }
    return EW_OK;
}

ew_status model_solve_with_mass(ew_model *model, double of_k, double of_m, ew_solver *solver,
                                const ew_system *system, const ew_pcg_def *def, bool is_split,
                                double *x, ew_pcg_info *info)
{
    model_mixed *of = &model->mixed;
    const size_t n = (size_t)model->mesh.n_vertex;
    if (!of->is_on) {
        return ew_solver_solve(solver, system, def, x, info);
    }
    double *g = of->p + n;
    if (!system->equations) { /* the pressure of another start is not known */
        memset(x, 0, 3 * n * sizeof *x);
    }
    memset(of->p, 0, n * sizeof *of->p);
    for (size_t i = 0; i < n && is_split; i++) {
        g[i] /= -of_k;
    }
    const bool is_tangent = model_is_nonlinear(model);
    ew_mixed *tets = is_tangent ? &of->tets : &of->step;
    EW_TRY((is_tangent ? prepare_tangent : prepare_linear)(model, tets, of_k, of_m,
                                                           is_on_device(system)));
    const ew_pcg_def by = to_residual(def);
    return solve_saddle(tets, solver, system, &by, is_split ? g : NULL, x, of->p, info);
}

/* ---- nonlinear bodies --------------------------------------------------------------- */

ew_status model_find_mixed_pressure_of(ew_model *model, ew_deformed *body, double *p)
{
    body->pressure = p;
    return ew_mixed_find_deformed_pressure(&model->mixed.step, &model->nonlinear.internal_force,
                                           body, p);
}

ew_status model_find_mixed_pressure(ew_model *model, const double *u)
{
    ew_deformed body = model_deformed(model, u, 0.0);
    return body.pressure ? model_find_mixed_pressure_of(model, &body,
                                                        model->field[model->mixed.pressure].value)
                         : EW_OK;
}

ew_status model_prepare_mixed_tangent(ew_model *model, ew_deformed *body)
{
    model_mixed *of = &model->mixed;
    if (!of->is_on) {
        return EW_OK;
    }
    EW_TRY(check_materials(model));
    EW_TRY(ew_grow(&of->p, &of->capacity, model->mesh.n_vertex, 2 * sizeof *of->p));
    if (body->from) {
        body->pressure = of->newton + 2 * (size_t)model->mesh.n_vertex;
    } else {
        EW_TRY(model_find_mixed_pressure(model, body->u));
    }
    return ew_mixed_prepare_deformed(&of->tets, &model->nonlinear.internal_force, body);
}

ew_status model_solve_update(ew_model *model, ew_solver *solver, const ew_system *system,
                             const ew_pcg_def *def, double *update, ew_pcg_info *info)
{
    model_mixed *of = &model->mixed;
    const size_t n = (size_t)model->mesh.n_vertex;
    if (!of->is_on) {
        return ew_solver_solve(solver, system, def, update, info);
    }
    EW_TRY(
        ew_grow(&of->newton, &of->newton_capacity, model->mesh.n_vertex, 3 * sizeof *of->newton));
    memcpy(of->newton, model_pressure(model), n * sizeof *of->newton);
    memset(of->newton + n, 0, n * sizeof *of->newton);
    EW_TRY(prepare_tangent(model, &of->tets, 1.0, 0.0, is_on_device(system)));
    const ew_pcg_def by = to_residual(def);
    return solve_saddle(&of->tets, solver, system, &by, NULL, update, of->newton + n, info);
}

void model_lead_pressure(ew_model *model, double share)
{
    model_mixed *of = &model->mixed;
    const size_t n = (size_t)model->mesh.n_vertex;
    for (size_t v = 0; v < n && of->is_on; v++) {
        of->newton[2 * n + v] = of->newton[v] + share * of->newton[n + v];
    }
}

void model_free_mixed(ew_model *model)
{
    ew_mixed_free(&model->mixed.tets);
    ew_mixed_free(&model->mixed.step);
    ew_release(model->mixed.p);
    ew_release(model->mixed.newton);
    ew_release(model->mixed.thermal_stress);
    ew_release(model->mixed.thermal);
}
