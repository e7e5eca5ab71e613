/* Materials by region label, and the constants of the regions that the mesh has. */
#include "model/internal.h"

#include <string.h>

static model_material *find_material(const ew_model *model, int32_t label)
{
    for (int32_t i = 0; i < model->n_material; i++) {
        if (model->material[i].region == label) {
            return &model->material[i];
        }
    }
    return NULL;
}

bool model_has_material(const ew_model *model, int32_t label)
{
    return find_material(model, label) || find_material(model, EW_ALL_REGIONS);
}

ew_status ew_model_set_material(ew_model *model, int32_t region_label, const ew_material *material)
{
    ew_materials checked = {0};
    EW_TRY(ew_materials_init(&checked, 1, material));
    ew_materials_free(&checked);
    model_material *found = find_material(model, region_label);
    if (!found) {
        EW_TRY(ew_grow(&model->material, &model->material_capacity, (int64_t)model->n_material + 1,
                       sizeof *model->material));
        found = &model->material[model->n_material++];
        *found = (model_material){.region = region_label};
    } else if (!memcmp(&found->material, material, sizeof *material)) {
        return EW_OK;
    }
    const ew_material before = found->material;
    found->material = *material;
    ew_materials_free(&model->materials);
    const bool elastic = before.young != material->young || before.poisson != material->poisson;
    const bool density = before.density != material->density;
    if (elastic) {
        model_matrix_forget_constants(&model->stiffness.matrix);
    }
    if (density) {
        model_matrix_forget_constants(&model->dynamics.mass);
    }
    if (elastic || density) {
        model_matrix_forget_constants(&model->dynamics.system.matrix);
        model_forget_frequencies(model);
    }
    model->dynamics.has_changed = true;
    model->loads_current = model->ground_current = false;
    model->fields_revision = 0;
    return EW_OK;
}

ew_status model_assign_materials(ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    ew_material *list;
    if (model->materials.n == mesh->n_region && mesh->n_region) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&list, (size_t)mesh->n_region, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t r = 0; r < mesh->n_region && !status; r++) {
        const model_material *found = find_material(model, mesh->region_label[r]);
        found = found ? found : find_material(model, EW_ALL_REGIONS);
        if (found) {
            list[r] = found->material;
        } else {
            status = ew_fail_about(EW_BAD_INPUT, mesh->region_label[r], -1,
                                   "region %d of the mesh has no material; give it one",
                                   mesh->region_label[r]);
        }
    }
    if (!status) {
        ew_materials fresh = {0};
        status = ew_materials_init(&fresh, mesh->n_region, list);
        if (!status) {
            ew_materials_free(&model->materials);
            model->materials = fresh;
        }
    }
    ew_release(list);
    return status;
}
