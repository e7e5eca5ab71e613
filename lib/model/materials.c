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

/* Of its elastic constants; fails as its use would. */
static ew_status revision_of(const ew_material *material, uint64_t *revision)
{
    ew_materials alone = {0};
    EW_TRY(ew_materials_init(&alone, 1, material));
    *revision = ew_materials_revision(&alone, 1);
    ew_materials_free(&alone);
    return EW_OK;
}

/* What is in no block. */
static bool has_same_rest(const ew_material *a, const ew_material *b)
{
    bool same = a->density == b->density && a->expansion == b->expansion;
    same = same && a->law == b->law && a->n_hardening == b->n_hardening &&
           !memcmp(a->law_value, b->law_value, sizeof a->law_value) &&
           !memcmp(a->hardening, b->hardening, sizeof a->hardening);
    for (int k = 0; k < 6; k++) {
        same = same && a->expansions[k] == b->expansions[k];
    }
    return same;
}

ew_status ew_model_set_material(ew_model *model, int32_t region_label, const ew_material *material)
{
    uint64_t revision, before_revision = 0;
    EW_TRY(revision_of(material, &revision));
    model_material *found = find_material(model, region_label);
    if (!found) {
        EW_TRY(ew_grow(&model->material, &model->material_capacity, (int64_t)model->n_material + 1,
                       sizeof *model->material));
        found = &model->material[model->n_material++];
        *found = (model_material){.region = region_label};
    } else {
        EW_TRY(revision_of(&found->material, &before_revision));
    }
    const ew_material before = found->material;
    if (before_revision == revision && has_same_rest(&before, material)) {
        return EW_OK;
    }
    found->material = *material;
    ew_materials_free(&model->materials);
    const bool elastic = before_revision != revision;
    const bool density = before.density != material->density;
    model_follow_law(model, &before, material);
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
            for (int32_t i = 0; i < model->n_material; i++) {
                fresh.is_isotropic =
                    fresh.is_isotropic && model->material[i].material.kind == EW_ISOTROPIC;
            }
            fresh.is_mixed = model->mixed.is_on;
            ew_materials_free(&model->materials);
            model->materials = fresh;
        }
    }
    ew_release(list);
    return status;
}
