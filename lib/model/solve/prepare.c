/* What a linear static solve needs: matrix, supports and loads brought up to date, a preconditioner
 * that follows them. */
#include "model/formulation/formulation.h"

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
    EW_TRY(model_prepare_edges(model));
    model->report.seconds_support += checked - constrained;
    model->report.seconds_loads += constrained - start + (ew_seconds() - checked);
    return model_system_update_solver(model, &model->stiffness);
}
