/* Material that an edit turns or reflects. In: the queue of an edit. Out: the axes of materials by
 * tet, turned with their tets; a refusal where plastic strain would have to turn; a remark where
 * axes that are given for a region stay.
 *
 * Tets that an edit changes the shape of keep their axes: it makes another body of the material, it
 * does not strain it. */
#include "model/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- axes by tet, and what flowed --------------------------------------------------- */

/* to [2][3]: axes, zeros being x and y, as r takes them. A reflection r leaves the images of right-
 * handed axes left-handed; the same three against their directions are right-handed, and as a law
 * of second and fourth order tensors has no direction, they are axes of the same material. */
static void turn_axes(const double r[9], const double *axes, double to[6])
{
    const bool none = axes[0] == 0.0 && axes[1] == 0.0 && axes[2] == 0.0;
    const double volume = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                          r[2] * (r[3] * r[7] - r[4] * r[6]);
    for (int c = 0; c < 6; c++) {
        to[c] = 0.0;
        for (int k = 0; k < 3; k++) {
            const double from = none ? (double)(k == c / 3) : axes[3 * (c / 3) + k];
            to[c] += (volume < 0.0 ? -from : from) * r[3 * (c % 3) + k];
        }
    }
    model_square_axes(to);
}

static ew_status turn_tet(void *user, const model_transformed_tet *turned)
{
    ew_model *model = user;
    model_transformed_axes *to = &model->turned_axes;
    double r[9];
    bool turns;
    if (!model_transform_of(model, turned, r, &turns)) {
        return EW_OK;
    }
    EW_TRY(turns ? model_need_unflowed_tet(model, turned->tet) : EW_OK);
    if (!model->axes || (!turns && turned->added < 0)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&to->item, &to->capacity, (int64_t)to->n + 1, sizeof *to->item));
    model_transformed_axes_item *item = &to->item[to->n++];
    const double *axes = model->field[model->axes].value + 6 * (size_t)turned->tet;
    *item = (model_transformed_axes_item){.tet = turned->tet, .added = turned->added};
    if (turns) {
        turn_axes(r, axes, item->axes);
    } else { /* of the tet as it was, which may be turned itself */
        memcpy(item->axes, axes, sizeof item->axes);
    }
    return EW_OK;
}

ew_status model_transform_axes(ew_model *model)
{
    int32_t n_state;
    model->turned_axes.n = 0;
    return model->axes || ew_model_law_state(model, &n_state)
               ? model_visit_transformed(model, turn_tet, model)
               : EW_OK;
}

void model_put_transformed_axes(ew_model *model, bool of_images)
{
    const model_transformed_axes *from = &model->turned_axes;
    for (int32_t i = 0; i < from->n; i++) {
        const model_transformed_axes_item *item = &from->item[i];
        if ((item->added >= 0) == of_images) {
            const int32_t t = of_images ? model->change.added_tet.id[item->added] : item->tet;
            memcpy(model->field[model->axes].value + 6 * (size_t)t, item->axes, sizeof item->axes);
        }
    }
}

/* ---- axes by region --------------------------------------------------------------------- */

typedef struct region_axes {
    const ew_model *model;
    const ew_material *of; /* the last that was looked at, and what it gives: */
    ew_materials alone;    /* owned */
    int32_t n, label;      /* tets with another law than the turned one; the region of the first */
} region_axes;

/* Beside the largest of the numbers. */
static bool is_other(const double *a, const double *b, int n)
{
    double size = 0.0, apart = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
        apart = fmax(apart, fabs(a[i] - b[i]));
    }
    return apart > 1e-5 * size;
}

/* Where the law at the new place is that of the old one turned, nothing has to be said: by axes of
 * a cylinder that is turned about itself, or by a reflection between the two sides of an axis. */
static ew_status compare_tet(void *user, const model_transformed_tet *turned)
{
    region_axes *in = user;
    const ew_mesh *mesh = &in->model->mesh;
    const int32_t label = mesh->region_label[mesh->region[turned->tet]];
    const ew_material *material = model_material_of(in->model, label);
    double r[9], x[12];
    bool turns;
    if (!material || material->kind == EW_ISOTROPIC ||
        material->axes.kind == EW_MATERIAL_AXES_FIELD ||
        !model_transform_of(in->model, turned, r, &turns) || !turns) {
        return EW_OK;
    }
    if (in->of != material) {
        ew_materials_free(&in->alone);
        in->of = NULL;
        EW_TRY(ew_materials_init(&in->alone, 1, material));
        in->of = material;
    }
    ew_elastic before, now, whole;
    for (int k = 0; k < 12; k++) {
        x[k] = mesh->xyz[3 * (size_t)turned->from[k / 3] + (size_t)(k % 3)];
    }
    ew_elastic_of(&before, &in->alone, 0, turned->tet, x);
    ew_elastic_of(&now, &in->alone, 0, turned->tet, turned->to);
    ew_elastic_rotate(&before, r, &whole);
    if (is_other(whole.moduli, now.moduli, 21) || is_other(whole.expansion, now.expansion, 6)) {
        in->label = in->n++ ? in->label : label;
    }
    return EW_OK;
}

ew_status model_remark_on_axes(ew_model *model, const char *operation)
{
    region_axes in = {.model = model};
    bool any = false;
    for (int32_t i = 0; i < model->n_material; i++) {
        const ew_material *of = &model->material[i].material;
        any = any || (of->kind != EW_ISOTROPIC && of->axes.kind != EW_MATERIAL_AXES_FIELD);
    }
    if (!any || model->remark[0]) {
        return EW_OK;
    }
    const ew_status status = model_visit_transformed(model, compare_tet, &in);
    ew_materials_free(&in.alone);
    if (!status && in.n) {
        snprintf(model->remark, sizeof model->remark,
                 "%s: %d tets turn, and the axes of their material do not: those of region %d are "
                 "given for the region and stay where they are; give axes by tet (csv or array) "
                 "to have them turned, too",
                 operation, in.n, in.label);
    }
    return status;
}
