/* Materials: a list of elastic constants by region in, checked, with the Lame constants out.
 * lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu)). */
#include "law.h"

#include <math.h>

static ew_status check_material(int32_t region, const ew_material *material)
{
    double young = material->young, poisson = material->poisson, density = material->density;
    if (!(young > 0.0) || !isfinite(young)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "material of region %d: young is %g, must be finite and > 0", region, young);
    }
    if (!(poisson > -1.0 && poisson < 0.5)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "material of region %d: poisson is %g, must be > -1 and < 0.5", region,
                       poisson);
    }
    if (!(density >= 0.0) || !isfinite(density)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "material of region %d: density is %g, must be finite and >= 0", region,
                       density);
    }
    if (!isfinite(material->expansion)) {
        return ew_fail(EW_BAD_ARGUMENT, "material of region %d: expansion is %g, must be finite",
                       region, material->expansion);
    }
    const ew_status status = ew_law_check(material);
    return status ? ew_fail_prefix(status, "material of region %d", region) : EW_OK;
}

ew_status ew_materials_init(ew_materials *materials, int32_t n, const ew_material *material)
{
    if (n < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "the number of materials is %d, must be >= 0", n);
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check_material(i, material + i));
    }
    ew_materials made = {.n = n};
    EW_TRY(ew_new(&made.material, (size_t)n, sizeof *made.material));
    ew_status status = ew_new(&made.lame, (size_t)n, 2 * sizeof *made.lame);
    if (!status) {
        status =
            ew_new_zero(&made.constants, (size_t)n, EW_MAX_LAW_CONSTANTS * sizeof *made.constants);
    }
    if (status) {
        ew_materials_free(&made);
        return status;
    }
    for (int32_t i = 0; i < n; i++) {
        made.material[i] = material[i];
        element_lame(material + i, made.lame + 2 * i);
        ew_material_law(material + i)
            ->prepare(material + i, made.constants + EW_MAX_LAW_CONSTANTS * (size_t)i);
    }
    *materials = made;
    return EW_OK;
}

void ew_materials_free(ew_materials *materials)
{
    ew_release(materials->material);
    ew_release(materials->lame);
    ew_release(materials->constants);
    *materials = (ew_materials){0};
}

uint64_t ew_materials_revision(const ew_materials *materials, int32_t n)
{
    return ew_hash(EW_HASH_START, materials->lame, 2 * sizeof *materials->lame * (size_t)n);
}

uint64_t ew_materials_density_revision(const ew_materials *materials, int32_t n)
{
    uint64_t hash = EW_HASH_START;
    for (int32_t i = 0; i < n; i++) {
        hash = ew_hash(hash, &materials->material[i].density, sizeof(double));
    }
    return hash;
}

bool ew_materials_have_laws(const ew_materials *materials)
{
    bool any = false;
    for (int32_t i = 0; i < materials->n; i++) {
        any = any || !ew_material_law(materials->material + i)->is_linear;
    }
    return any;
}

int32_t ew_materials_n_state(const ew_materials *materials)
{
    int32_t most = 0;
    for (int32_t i = 0; i < materials->n; i++) {
        const int32_t n = ew_material_law(materials->material + i)->n_state;
        most = n > most ? n : most;
    }
    return most;
}
