/* Products of systems from tets: of a matrix-free model, whose matrices are their diagonals then,
 * and of the rows of edges. In: the kind of products asked for. Out: the operator that a solver is
 * given. */
#include "model/matrices/place.h"

ew_status ew_model_set_operator(ew_model *model, ew_operator_kind kind)
{
    const bool from_tets = kind == EW_MATRIX_FREE;
    if (!from_tets && kind != EW_STORED) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no operator of kind %d", (int)kind);
    }
    if (from_tets) {
        EW_TRY(model_need_double(model, "model: operator: matrix-free"));
        EW_TRY(model_is_quadratic(model) ? model_refuse_blocks("quadratic tets") : EW_OK);
    }
    if (model->operator_kind != kind) {
        model->operator_kind = kind;
        model_matrices_forget(model);
    }
    return EW_OK;
}

void model_system_set_tets(model_system *system, double of_k, const ew_mass *mass, double of_m)
{
    system->tet_mass = mass ? *mass : (ew_mass){0};
    system->tets.mass = mass ? &system->tet_mass : NULL;
    system->tets.of_stiffness = of_k;
    system->tets.of_mass = of_m;
}

/* The ground may be elsewhere than before. */
ew_operator *model_system_tets(ew_model *model, model_system *system)
{
    system->tet_stiffness = model_stiffness(model, &model->topology, model_ground(model)).stiffness;
    if (!system->tets.as.type) {
        system->tets = model_place_of(model)->make_tet_operator(model, system);
    }
    return &system->tets.as;
}

const ew_edge_operator *model_edge_operator(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    if (!q->op.mesh) {
        model_place_of(model)->make_edge_operator(model);
    }
    q->op.ground = &q->face_ground;
    q->op.internal_force = model_nonlinear_force(model);
    q->op.device_records = &model->nonlinear.there;
    q->op.follower = q->op.internal_force ? &model->nonlinear.follower : NULL;
    q->op.edges.is_tangent = q->op.internal_force != NULL;
    q->op.stored_is_of_tets = !model->has_ground;
    return &q->op.edges;
}
