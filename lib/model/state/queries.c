/* What a model is, by its state alone: nothing here calls another file of the model. */
#include "model/internal.h"

#include <string.h>

ew_status model_need_usable(const ew_model *model)
{
    return model->broken ? ew_fail(EW_STALE, "model: an edit failed half-way; rebuild the model")
                         : EW_OK;
}

ew_order model_order(const ew_model *model)
{
    const model_quadratic *q = &model->quadratic;
    return (ew_order){.quadratic = q->in_general,
                      .other = q->other > 0 ? model->field[q->other].value : NULL};
}

bool model_has_edges(const ew_model *model)
{
    return model->quadratic.rows.n_live > 0;
}

const ew_edge_rows *ew_model_edge_rows(const ew_model *model)
{
    return model_has_edges(model) ? &model->quadratic.rows : NULL;
}

bool model_keeps_edge_rows(const ew_model *model)
{
    return model->quadratic.in_general || model->quadratic.other > 0;
}

int32_t model_row_between(const ew_model *model, int32_t a, int32_t b)
{
    return ew_edge_row(&model->quadratic.rows,
                       ew_pattern_pair_between(&model->topology.pattern, a, b));
}

int32_t model_n_row(const ew_model *model)
{
    return model->mesh.n_vertex +
           (model_has_edges(model) ? model->quadratic.rows.pattern.n_row : 0);
}

bool model_is_quadratic(const ew_model *model)
{
    return model_has_edges(model) || model->quadratic.in_general;
}

ew_system model_rows(const ew_model *model)
{
    return (ew_system){.xyz = model->mesh.xyz,
                       .fixed = model->constraints.fixed,
                       .oblique = &model->constraints.oblique,
                       .equations =
                           model_has_equations(&model->equations) ? &model->equations.free : NULL};
}

bool model_is_oblique(const ew_model *model, bool on_edges)
{
    const ew_oblique *oblique = &model->constraints.oblique;
    bool any = false;
    for (int32_t k = 0; k < oblique->n && !any; k++) {
        any = (oblique->row[k] >= model->constraints.n_vertex) == on_edges;
    }
    return any;
}

bool model_is_curved(const ew_model *model)
{
    return model->mesh.n_curve > 0 && model_has_edges(model);
}

bool model_curve_between(const ew_model *model, int32_t a, int32_t b, double curve[3])
{
    const ew_mesh *mesh = &model->mesh;
    const double *found =
        a >= 0 && b >= 0 ? ew_mesh_curve(mesh, mesh->vertex_id[a], mesh->vertex_id[b]) : NULL;
    memcpy(curve, found ? found : (const double[3]){0.0}, 3 * sizeof *curve);
    return found != NULL;
}

ew_status model_refuse_blocks(const char *what)
{
    return ew_refuse(EW_RULE_BLOCKS, "model: a body with %s", what);
}

ew_status model_need_blocks(const ew_model *model, const char *what)
{
    return model->operator_kind == EW_MATRIX_FREE ? model_refuse_blocks(what) : EW_OK;
}

ew_status model_need_double(const ew_model *model, const char *what)
{
    return ew_device_need_double(model->device, what);
}

ew_status model_refuse_mixed(const ew_model *model, const char *what)
{
    return model->mixed.is_on ? ew_refuse(EW_RULE_SADDLE_POINT, "%s", what) : EW_OK;
}

static bool has_laws(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_material; i++) {
        any = any || !ew_material_law(&model->material[i].material)->is_linear;
    }
    return any;
}

bool model_has_large_rotations(const ew_model *model)
{
    return model->nonlinear.kinematics != EW_SMALL;
}

bool model_is_nonlinear(const ew_model *model)
{
    return model_has_large_rotations(model) || has_laws(model);
}

ew_status model_need_linear(const ew_model *model, const char *message)
{
    return model_is_nonlinear(model) ? ew_fail(EW_BAD_ARGUMENT, "%s", message) : EW_OK;
}

ew_status model_need_nonlinear(const ew_model *model, const char *message)
{
    return model_is_nonlinear(model) ? EW_OK : ew_fail(EW_BAD_ARGUMENT, "%s", message);
}

const ew_internal_force *model_nonlinear_force(const ew_model *model)
{
    return model_is_nonlinear(model) ? &model->nonlinear.internal_force : NULL;
}

bool model_answers_there(const ew_model *model)
{
    return !model_has_host_blocks(model) && !model->mixed.is_on;
}

bool model_has_temperature(const ew_model *model)
{
    bool any = model->nonlinear.is_warm;
    for (int32_t i = 0; i < model->n_load; i++) {
        any = any || model->load[i].as.kind == EW_LOAD_TEMPERATURE;
    }
    return any;
}

bool model_has_thermal_strain(const ew_model *model)
{
    return model_is_nonlinear(model) && model_has_temperature(model);
}

static bool has_temperature_line(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_load_line; i++) {
        any = any || model->load_line[i].kind == EW_LOAD_TEMPERATURE;
    }
    return any;
}

bool model_stress_is_local(const ew_model *model)
{
    return !model_has_edges(model) && !model->mixed.is_on && !has_temperature_line(model);
}

bool model_recovers_by_change(const ew_model *model)
{
    return !model->mixed.is_on && !has_temperature_line(model) && !model_is_nonlinear(model);
}

bool model_has_plain_stress(const ew_model *model)
{
    return model_stress_is_local(model) && !model_is_nonlinear(model);
}

int32_t model_n_point(const ew_model *model)
{
    return model_is_quadratic(model) ? EW_QUADRATIC_POINTS : 1;
}

double *model_pressure(const ew_model *model)
{
    return model->mixed.is_on ? model->field[model->mixed.pressure].value : NULL;
}

ew_deformed model_deformed(const ew_model *model, const double *u, double dt)
{
    const model_nonlinear *of = &model->nonlinear;
    return (ew_deformed){.mesh = &model->mesh,
                         .topology = &model->topology,
                         .materials = &model->materials,
                         .rows = model_is_quadratic(model) ? &model->quadratic.rows : NULL,
                         .u = u,
                         .state = of->n_state ? model->field[of->state].value : NULL,
                         .thermal = model_has_temperature(model) ? of->thermal : NULL,
                         .pressure = model_pressure(model),
                         .dt = dt,
                         .state_revision = of->state_revision};
}

const double *model_ground(const ew_model *model)
{
    return model->has_ground ? model->ground : NULL;
}

static uint64_t revision_of(const ew_model *model, const double *ground)
{
    return ground == model->ground ? model->ground_revision : model->mesh.revision;
}

model_source model_stiffness(const ew_model *model, const ew_topology *topology,
                             const double *ground)
{
    ew_stiffness from = ew_stiffness_of(&model->mesh, topology, &model->materials);
    from.ground = ground;
    from.ground_revision = revision_of(model, ground);
    from.source.diagonal_only = model->operator_kind == EW_MATRIX_FREE;
    return (model_source){.stiffness = from};
}

model_source model_tangent(const ew_model *model, const ew_topology *topology, const double *ground)
{
    const model_nonlinear *of = &model->nonlinear;
    ew_tangent from = ew_tangent_of(&model->mesh, topology, &model->materials, &of->internal_force);
    from.ground = ground;
    from.ground_revision = revision_of(model, ground);
    from.follower = of->follower.n ? &of->follower : NULL;
    return (model_source){.tangent = from};
}

ew_status model_check_set_number(const ew_model *model, const char *what, int32_t place,
                                 int32_t set)
{
    return set >= 0 && set < model->n_set && model->set[set].kind != EW_SET_OF_TETS
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "model: %s %d needs a set of vertices or faces, not %d",
                         what, place + 1, set);
}

ew_status model_require_members(const ew_model *model, int32_t number, bool *usable)
{
    const model_set *set = &model->set[number];
    *usable = set->n_active > 0;
    if (set->cut_off) {
        return ew_fail(EW_BAD_INPUT, "set '%.60s' was cut off from the boundary; define it again",
                       set->name);
    }
    if (*usable || set->allow_empty) {
        return EW_OK;
    }
    return ew_fail_about(EW_BAD_INPUT, number, -1,
                         "set '%.60s' has no %s%s; change its selection or allow it to be empty",
                         set->name,
                         set->kind == EW_SET_OF_FACES  ? "faces"
                         : set->kind == EW_SET_OF_TETS ? "tets"
                                                       : "vertices",
                         set->had_members ? " left after the edits" : "");
}

ew_status model_check_amplitude(const ew_model *model, const char *what, int32_t place,
                                int32_t amplitude)
{
    return amplitude >= 0 && amplitude <= model->n_amplitude
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "model: %s %d names amplitude %d of %d", what, place + 1,
                         amplitude, model->n_amplitude);
}

bool model_load_follows(const ew_model *model, const ew_model_load *load)
{
    return load->kind == EW_LOAD_PRESSURE && load->follower &&
           model->nonlinear.kinematics == EW_COROTATIONAL;
}

bool model_has_follower(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_load && !any; i++) {
        any = model_load_follows(model, &model->load[i].as);
    }
    return any;
}
