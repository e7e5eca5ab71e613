/* Materials by region label, and the constants of the regions that the mesh has. */
#include "model/internal.h"

#include <math.h>
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

const ew_material *model_material_of(const ew_model *model, int32_t label)
{
    const model_material *found = find_material(model, label);
    found = found ? found : find_material(model, EW_ALL_REGIONS);
    return found ? &found->material : NULL;
}

bool model_has_material(const ew_model *model, int32_t label)
{
    return model_material_of(model, label);
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
    bool same = a->density == b->density && a->expansion == b->expansion &&
                a->has_expansion == b->has_expansion;
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
    model_forget_recovery(model);
    return EW_OK;
}

/* ---- axes by tet --------------------------------------------------------------------- */

void model_follow_axes(ew_model *model)
{
    model->materials.axes = model->axes ? model->field[model->axes].value : NULL;
    model->materials.axes_revision = model->axes_revision;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void model_square_axes(double axes[6])
{
    for (int k = 0; k < 2; k++) {
        const double part = k ? dot(axes, axes + 3) : 0.0;
        for (int c = 0; c < 3 && k; c++) {
            axes[3 + c] -= part * axes[c];
        }
        const double length = sqrt(dot(axes + 3 * k, axes + 3 * k));
        for (int c = 0; c < 3; c++) {
            axes[3 * k + c] /= length;
        }
    }
}

/* to [2][3] = unit vectors at right angles; where they are not within 1e-6 rad the tet is named. */
static ew_status take_axes(int64_t id, const double *given, double *to)
{
    const double length[2] = {sqrt(dot(given, given)), sqrt(dot(given + 3, given + 3))};
    for (int k = 0; k < 2; k++) {
        const double *axis = given + 3 * k;
        if (!(length[k] > 0.0) || !isfinite(length[k])) {
            return ew_fail_about(EW_BAD_INPUT, id, -1,
                                 "axes of tet %lld: axis %d is (%g, %g, %g), must have a length "
                                 "greater than 0 and finite",
                                 (long long)id, k + 1, axis[0], axis[1], axis[2]);
        }
    }
    for (int c = 0; c < 6; c++) {
        to[c] = given[c] / length[c / 3];
    }
    const double cosine = dot(to, to + 3);
    if (!(fabs(cosine) <= 1e-6)) {
        return ew_fail_about(EW_BAD_INPUT, id, -1,
                             "axes of tet %lld: axes 1 and 2 are at %.6g degrees, must be at right "
                             "angles within 6e-5",
                             (long long)id,
                             acos(fmax(-1.0, fmin(1.0, cosine))) * 57.29577951308232);
    }
    model_square_axes(to);
    return EW_OK;
}

/* Whether the material of a region wants them; one that is not known yet may. */
static bool takes_axes(const ew_model *model, int32_t label)
{
    const ew_material *found = model_material_of(model, label);
    return !found || (found->kind != EW_ISOTROPIC && found->axes.kind == EW_MATERIAL_AXES_FIELD);
}

ew_status ew_model_set_material_axes(ew_model *model, const double *axes)
{
    static const ew_field_def def = {
        .name = "material axes", .on_tets = true, .width = 6, .rule = EW_FIELD_COPY};
    const ew_mesh *mesh = &model->mesh;
    double *taken = NULL;
    ew_status status = EW_OK;
    EW_TRY(model_need_usable(model));
    if (!mesh->n_tet) {
        return ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
    }
    EW_TRY(ew_new_zero(&taken, 6 * (size_t)mesh->n_tet, sizeof *taken));
    for (int32_t t = 0; t < mesh->n_tet && !status; t++) {
        const double *given = axes + 6 * (size_t)t;
        if (ew_mesh_tet_is_live(mesh, t) &&
            takes_axes(model, mesh->region_label[mesh->region[t]])) {
            status = take_axes(mesh->tet_id[t], given, taken + 6 * (size_t)t);
        }
    }
    if (!status && !model->axes) {
        status = ew_model_add_field(model, &def, &model->axes);
    }
    if (!status) {
        memcpy(model->field[model->axes].value, taken, 6 * sizeof *taken * (size_t)mesh->n_tet);
        model->axes_revision++;
        ew_materials_free(&model->materials);
        model_touch_records(model);
        model_matrix_forget_constants(&model->stiffness.matrix);
        model_matrix_forget_constants(&model->dynamics.system.matrix);
        model_forget_frequencies(model);
        model->dynamics.has_changed = true;
        model->loads_current = model->ground_current = false;
        model_forget_recovery(model);
    }
    ew_release(taken);
    return status;
}

const double *ew_model_material_axes(const ew_model *model)
{
    return model->axes ? model->field[model->axes].value : NULL;
}

/* ---- by region ------------------------------------------------------------------------ */

/* Axes that are a field have been given. */
static ew_status check_axes(const ew_model *model)
{
    for (int32_t i = 0; i < model->n_material; i++) {
        const ew_material *material = &model->material[i].material;
        if (material->kind != EW_ISOTROPIC && material->axes.kind == EW_MATERIAL_AXES_FIELD &&
            !model->axes) {
            return ew_fail(EW_BAD_INPUT, "materials: axes are a field of the tets, but no field "
                                         "was given; give one, or axes by region");
        }
    }
    return EW_OK;
}

ew_status model_assign_materials(ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    ew_material *list;
    model_follow_axes(model);
    if (model->materials.n == mesh->n_region && mesh->n_region) {
        return EW_OK;
    }
    EW_TRY(check_axes(model));
    EW_TRY(ew_new_zero(&list, (size_t)mesh->n_region, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t r = 0; r < mesh->n_region && !status; r++) {
        const ew_material *found = model_material_of(model, mesh->region_label[r]);
        if (found) {
            list[r] = *found;
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
            if (model->mixed.is_on) {
                ew_materials_make_mixed(&fresh);
            }
            ew_materials_free(&model->materials);
            model->materials = fresh;
            model_follow_axes(model);
        }
    }
    ew_release(list);
    return status;
}
