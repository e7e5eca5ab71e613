/* Mixed tets of a model: the pressure, a field that follows edits, beside the displacement. Blocks
 * are those of 2 mu alone and follow edits as any; what is beside them is taken from the tets as
 * they are in each solve. */
#include "model/internal.h"

#include <string.h>

bool ew_model_is_mixed(const ew_model *model)
{
    return model->mixed.is_on;
}

ew_status model_refuse_mixed(const ew_model *model, const char *what)
{
    return model->mixed.is_on ? ew_fail(EW_UNSUPPORTED,
                                        "%s: mixed tets are of linear static steps alone, by "
                                        "iterations; use linear ones",
                                        what)
                              : EW_OK;
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
    if (mixed && (model->device || model->operator_kind == EW_MATRIX_FREE ||
                  model_is_quadratic(model) || model->dynamics.is_active)) {
        return ew_fail(EW_UNSUPPORTED,
                       "model: mixed tets are linear, static, with stored blocks on "
                       "the host; use --device host, operator: stored");
    }
    EW_TRY(of->pressure ? EW_OK : ew_model_add_field(model, &def, &of->pressure));
    of->is_on = mixed;
    ew_materials_free(&model->materials);
    model_matrix_forget_constants(&model->stiffness.matrix);
    model->fields_revision = 0;
    model->order_revision++;
    return EW_OK;
}

double *ew_model_volumetric_stress(ew_model *model)
{
    return model->mixed.is_on ? model->field[model->mixed.pressure].value : NULL;
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

ew_status model_solve_mixed(ew_model *model, const ew_system *system, const ew_pcg_def *def,
                            const ew_pcg_info *known)
{
    model_mixed *of = &model->mixed;
    if (model_is_quadratic(model) || model->operator_kind == EW_MATRIX_FREE) {
        return ew_fail(EW_UNSUPPORTED, "model: mixed tets are linear, with stored blocks; use "
                                       "operator: stored, and no quadratic tets");
    }
    EW_TRY(check_materials(model));
    if (known) {
        return ew_saddle_accept(&model->stiffness.solver, system, def, known, &model->info);
    }
    EW_TRY(ew_mixed_prepare(&of->tets, &model->mesh, &model->topology, &model->materials));
    const ew_saddle saddle = {
        .user = &of->tets, .add_product = ew_mixed_add_product, .scale = of->tets.scale};
    return ew_saddle_solve(&model->stiffness.solver, system, &saddle, def, model->field[0].value,
                           model->field[of->pressure].value, &model->info);
}

void model_free_mixed(ew_model *model)
{
    ew_mixed_free(&model->mixed.tets);
}
