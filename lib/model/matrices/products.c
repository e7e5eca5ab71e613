/* Products with the stiffness as the solver has it. */
#include "model/internal.h"

ew_status model_prepare_product(ew_model *model, const ew_operator **op)
{
    ew_operator *own = model_system_view(model, &model->stiffness, NULL).op;
    *op = own;
    return own->type->prepare(own, EW_DOUBLE);
}

ew_status model_blocks_product(ew_model *model, const double *x, double *y)
{
    const size_t bytes = model_vector_size(model);
    model_dynamics *of = &model->dynamics;
    ew_device *device = model->device;
    const ew_operator *op;
    if (model->operator_kind == EW_STORED && model_has_host_blocks(model) &&
        !model_has_edges(model)) {
        ew_matrix_product(&model->stiffness.matrix.host, &model->topology.pattern, x, y);
        return EW_OK;
    }
    EW_TRY(model_prepare_product(model, &op));
    if (!device) {
        ew_operator_product(op, x, y);
        return EW_OK;
    }
    EW_TRY(ew_buffer_reserve(device, &of->device_input, bytes));
    EW_TRY(ew_buffer_reserve(device, &of->device_output, bytes));
    EW_TRY(ew_buffer_write(device, &of->device_input, 0, bytes, x));
    EW_TRY(op->type->device_product(op, false, &of->device_input, &of->device_output));
    return ew_buffer_read(device, &of->device_output, 0, bytes, y);
}
