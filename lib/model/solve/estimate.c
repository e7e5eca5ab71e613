/* The estimated error of a model's last recovery. In: its mesh, tables, materials and recovered
 * fields. Out: the estimate, and whether linear tets and a linear theory fit. */
#include "model/internal.h"

ew_status ew_model_estimate(ew_model *model, const ew_estimate **estimate,
                            const ew_adequacy **adequacy)
{
    EW_TRY(model_need_usable(model));
    if (!ew_model_recovered(model)) {
        return ew_fail(EW_STALE,
                       "model: an error is estimated from recovered fields, and the mesh has "
                       "changed since, or nothing was recovered; call ew_model_recover first");
    }
    const double start = ew_seconds();
    EW_TRY(ew_estimate_take_edges(&model->estimate, &model->mesh, &model->topology,
                                  &model->materials, &model->fields,
                                  model_has_edges(model) ? &model->quadratic.rows : NULL));
    if (adequacy) {
        EW_TRY(ew_adequacy_evaluate(&model->adequacy, &model->mesh, &model->topology,
                                    &model->fields, &model->estimate, model->nonlinear.kinematics,
                                    model->field[0].value));
        *adequacy = &model->adequacy;
    }
    model->report.seconds_estimate += ew_seconds() - start;
    if (estimate) {
        *estimate = &model->estimate;
    }
    return EW_OK;
}
