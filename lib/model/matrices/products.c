/* Products with the stiffness as the solver has it. */
#include "model/matrices/place.h"

ew_status model_prepare_product(ew_model *model, const ew_operator **op)
{
    ew_operator *own = model_system_view(model, &model->stiffness, NULL).op;
    *op = own;
    return own->type->prepare(own, EW_DOUBLE);
}

ew_status model_blocks_product(ew_model *model, const double *x, double *y)
{
    const ew_operator *op;
    if (model->operator_kind == EW_STORED && model_has_host_blocks(model) &&
        !model_has_edges(model)) {
        ew_matrix_product(&model->stiffness.matrix.host, &model->topology.pattern, x, y);
        return EW_OK;
    }
    EW_TRY(model_prepare_product(model, &op));
    return model_place_of(model)->product(model, op, x, y);
}
