/* The oracle for the matrices of dynamics: mass and step matrix of a model against those built from
 * the mesh alone, on the host whatever the model computes on. */
#include "model/dynamics/step_formulation.h"

typedef struct built {
    ew_matrix k, m, a;
    ew_follower follower; /* its pairs are those of other tables, too */
} built;

static ew_status build_all(ew_model *model, const ew_topology *topology, const double *ground,
                           built *to)
{
    const model_dynamics *of = &model->dynamics;
    const ew_mass mass = ew_mass_of(&model->mesh, topology, &model->materials, of->def.mass);
    model_source k = model_formulation_of(model)->source(model, topology, ground);
    if (model_has_follower(model)) {
        EW_TRY(model_find_turns(model, topology, model->field[0].value, &to->follower));
        k.tangent.follower = &to->follower;
    }
    EW_TRY(ew_matrix_build(&to->m, &mass.source));
    if (of->of_stiffness == 0.0) {
        return EW_OK;
    }
    EW_TRY(ew_matrix_build(&to->k, &k.source));
    const ew_combination step =
        ew_combination_of(&k.source, &to->k, of->of_stiffness, &mass, &to->m, of->of_mass);
    return ew_matrix_build(&to->a, &step.source);
}

static ew_status compare(const ew_model *model, const ew_matrix *own, const ew_topology *topology,
                         const ew_matrix *fresh, ew_model_verification *result)
{
    int64_t n_different;
    double largest;
    EW_TRY(ew_matrix_compare(own, &model->topology.pattern, fresh, &topology->pattern, &n_different,
                             &largest));
    result->n_different += n_different;
    result->largest = largest > result->largest ? largest : result->largest;
    return EW_OK;
}

/* Wherever the model has the blocks. */
static ew_status compare_all(ew_model *model, const model_matrix *own, bool on_host,
                             const ew_topology *topology, const ew_matrix *fresh,
                             ew_model_verification *result)
{
    ew_matrix there = {0};
    ew_status status = EW_OK;
    if (on_host) {
        EW_TRY(compare(model, &own->host, topology, fresh, result));
    }
    if (!model_has_host_blocks(model)) {
        EW_TRY_OUT(ew_device_matrix_download(&own->device, &there));
        EW_TRY_OUT(compare(model, &there, topology, fresh, result));
    }
out:
    ew_matrix_free(&there);
    return status;
}

ew_status model_verify_dynamics(ew_model *model, const ew_topology *topology,
                                ew_model_verification *result)
{
    model_dynamics *of = &model->dynamics;
    const bool on_host = model_has_host_blocks(model);
    double *ground = NULL;
    built fresh = {0};
    ew_status status = EW_OK;
    if (!of->is_active || of->step == 0.0) {
        return EW_OK;
    }
    EW_TRY_OUT(model_update_state(model));
    EW_TRY_OUT(model_update_step_matrix(model, of->step));
    EW_TRY_OUT(step_formulation_of(model)->fetch_blocks(model));
    if (model->has_ground) {
        EW_TRY_OUT(model_ground_again(model, topology, &ground));
    }
    EW_TRY_OUT(build_all(model, topology, ground, &fresh));
    EW_TRY_OUT(compare_all(model, &of->mass, true, topology, &fresh.m, result));
    if (of->of_stiffness != 0.0) {
        EW_TRY_OUT(compare_all(model, &of->system.matrix, on_host, topology, &fresh.a, result));
    }
    EW_TRY_OUT(model_has_edges(model) ? model_verify_moving_edges(model, result) : EW_OK);
out:
    ew_release(ground);
    ew_follower_free(&fresh.follower);
    ew_matrix_free(&fresh.k);
    ew_matrix_free(&fresh.m);
    ew_matrix_free(&fresh.a);
    return status;
}
