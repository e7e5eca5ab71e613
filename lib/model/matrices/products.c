/* Products with the stiffness as the solver has it. */
#include "model/matrices/place.h"

ew_status model_blocks_product(ew_model *model, const double *x, double *y)
{
    EW_TRY(model_complete_stiffness(model));
    if (model->operator_kind == EW_STORED && model_has_host_blocks(model) &&
        !model_has_edges(model)) {
        ew_matrix_product(&model->stiffness.matrix.host, &model->topology.pattern, x, y);
        return EW_OK;
    }
    ew_operator *op = model_system_view(model, &model->stiffness, NULL).op;
    EW_TRY(op->type->prepare(op, EW_DOUBLE));
    return model_place_of(model)->product(model, op, x, y);
}
