/* The stress of a model's tets. In: a model that was solved. Out: stress and von Mises stress of
 * each tet; by a whole recovery where tets are not plain linear ones. */
#include "model/internal.h"

static ew_status recover(ew_model *model)
{
    const double start = ew_seconds();
    const double *u = model->field[0].value;
    model_forget_recovery(model);
    EW_TRY(ew_field_check_range("displacement", u, 3 * (size_t)model->mesh.n_vertex));
    model->fields.parts = NULL;
    EW_TRY(ew_fields_recover_stress(&model->fields, &model->mesh, &model->materials, u));
    model->fields_revision = model->mesh.revision;
    model->has_stress_alone = true;
    model->report.seconds_recover += ew_seconds() - start;
    return EW_OK;
}

ew_status ew_model_recover_stress(ew_model *model, const ew_fields **fields)
{
    EW_TRY(model_need_usable(model));
    if (!ew_model_recovered_stress(model)) {
        EW_TRY(model_assign_materials(model));
        EW_TRY(model_has_plain_stress(model) ? recover(model)
                                             : ew_model_recover(model, NULL, NULL));
    }
    EW_TRY(ew_fields_complete(&model->fields, ew_model_edge_rows(model) != NULL));
    *fields = &model->fields;
    return EW_OK;
}
