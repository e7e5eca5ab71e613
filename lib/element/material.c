/* Materials: a list of elastic constants by region in, checked, with what elements and recovery
 * read of them out: Lame constants lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu)) of
 * isotropic ones, 21 moduli of all (stiffness.c). */
#include "element/stiffness.h"
#include "law.h"
#include "law_elastic.h"

#include <math.h>
#include <string.h>

static ew_status check_isotropic(const ew_material *material)
{
    const double young = material->young, poisson = material->poisson;
    if (!(young > 0.0) || !isfinite(young)) {
        return ew_fail(EW_BAD_ARGUMENT, "young is %g, must be finite and > 0", young);
    }
    if (!(poisson > -1.0 && poisson <= EW_MAX_POISSON)) {
        return ew_fail(EW_BAD_ARGUMENT, "poisson is %.16g, must be > -1 and at most %.8f", poisson,
                       EW_MAX_POISSON);
    }
    if (!isfinite(material->expansion)) {
        return ew_fail(EW_BAD_ARGUMENT, "expansion is %g, must be finite", material->expansion);
    }
    return EW_OK;
}

static ew_status check_expansions(const ew_material *material)
{
    for (int k = 0; k < 6; k++) {
        if (!isfinite(material->expansions[k])) {
            return ew_fail(EW_BAD_ARGUMENT, "expansion %d is %g, must be finite", k + 1,
                           material->expansions[k]);
        }
    }
    return EW_OK;
}

static ew_status check_density(double density)
{
    if (!(density >= 0.0) || !isfinite(density)) {
        return ew_fail(EW_BAD_ARGUMENT, "density is %g, must be finite and >= 0", density);
    }
    return EW_OK;
}

static ew_status check_strengths(const ew_material *material)
{
    const double yield = material->yield_strength, ultimate = material->ultimate_strength;
    if (!(yield >= 0.0 && ultimate >= 0.0) || !isfinite(yield) || !isfinite(ultimate)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "yield_strength is %g, ultimate_strength %g; both must be "
                       "finite and >= 0",
                       yield, ultimate);
    }
    if (yield > 0.0 && ultimate > 0.0 && ultimate < yield) {
        return ew_fail(EW_BAD_ARGUMENT, "ultimate_strength is %g, below the yield_strength %g",
                       ultimate, yield);
    }
    return EW_OK;
}

static ew_status derive_isotropic(ew_materials *made, int32_t i, const ew_material *material)
{
    double *lame = made->lame + 2 * (size_t)i;
    EW_TRY(check_isotropic(material));
    element_lame(material, lame);
    made->deviatoric[2 * (size_t)i + 1] = lame[1];
    ew_law_isotropic_moduli(lame[0], lame[1], made->moduli + EW_MODULI_WIDTH * (size_t)i);
    for (size_t k = 0; k < 3; k++) {
        made->expansion[6 * (size_t)i + k] = material->expansion;
    }
    return EW_OK;
}

static ew_status derive_general(ew_materials *made, int32_t i, const ew_material *material)
{
    const ew_law *law = ew_material_law(material);
    if (!law->is_linear) {
        return ew_fail(EW_BAD_ARGUMENT, "the law '%s' takes isotropic materials alone", law->name);
    }
    made->is_isotropic = false;
    made->lame[2 * (size_t)i] = made->lame[2 * (size_t)i + 1] = (double)NAN;
    EW_TRY(check_expansions(material));
    return ew_moduli_of(material, made->moduli + EW_MODULI_WIDTH * (size_t)i,
                        made->expansion + 6 * (size_t)i);
}

/* The arrays are zero. */
static ew_status derive(ew_materials *made, int32_t i, const ew_material *material)
{
    EW_TRY(check_density(material->density));
    EW_TRY(check_strengths(material));
    EW_TRY(ew_law_check(material));
    EW_TRY(material->kind == EW_ISOTROPIC ? derive_isotropic(made, i, material)
                                          : derive_general(made, i, material));
    made->material[i] = *material;
    ew_material_law(material)->prepare(material,
                                       made->constants + EW_MAX_LAW_CONSTANTS * (size_t)i);
    return EW_OK;
}

ew_status ew_material_check(const ew_material *material)
{
    double lame[2], deviatoric[2] = {0.0}, moduli[EW_MODULI_WIDTH] = {0.0}, expansion[6] = {0.0};
    double constants[EW_MAX_LAW_CONSTANTS] = {0.0};
    ew_material own;
    ew_materials alone = {.n = 1,
                          .material = &own,
                          .lame = lame,
                          .deviatoric = deviatoric,
                          .moduli = moduli,
                          .expansion = expansion,
                          .constants = constants};
    return derive(&alone, 0, material);
}

ew_status ew_materials_init(ew_materials *materials, int32_t n, const ew_material *material)
{
    ew_materials made = {.n = n, .is_isotropic = true};
    ew_status status;
    if (n < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "the number of materials is %d, must be >= 0", n);
    }
    EW_TRY_OUT(ew_new_zero(&made.material, (size_t)n, sizeof *made.material));
    EW_TRY_OUT(ew_new_zero(&made.lame, (size_t)n, 2 * sizeof *made.lame));
    EW_TRY_OUT(ew_new_zero(&made.deviatoric, (size_t)n, 2 * sizeof *made.deviatoric));
    EW_TRY_OUT(ew_new_zero(&made.moduli, (size_t)n, EW_MODULI_WIDTH * sizeof *made.moduli));
    EW_TRY_OUT(
        ew_new_zero(&made.constants, (size_t)n, EW_MAX_LAW_CONSTANTS * sizeof *made.constants));
    EW_TRY_OUT(ew_new_zero(&made.expansion, (size_t)n, 6 * sizeof *made.expansion));
    for (int32_t i = 0; i < n; i++) {
        status = derive(&made, i, material + i);
        EW_TRY_OUT(status ? ew_fail_prefix(status, "material of region %d", i) : EW_OK);
    }
out:
    if (status) {
        ew_materials_free(&made);
        return status;
    }
    *materials = made;
    return EW_OK;
}

void ew_materials_make_mixed(ew_materials *materials)
{
    materials->is_mixed = true;
    for (int32_t i = 0; i < materials->n; i++) {
        ew_material own = materials->material[i];
        if (own.kind == EW_ISOTROPIC) {
            own.young = 2.0 * materials->lame[2 * (size_t)i + 1];
            own.poisson = 0.0;
            ew_material_law(&own)->prepare(&own,
                                           materials->constants + EW_MAX_LAW_CONSTANTS * (size_t)i);
        }
    }
}

void ew_materials_free(ew_materials *materials)
{
    ew_release(materials->material);
    ew_release(materials->lame);
    ew_release(materials->constants);
    ew_release(materials->deviatoric);
    ew_release(materials->moduli);
    ew_release(materials->expansion);
    *materials = (ew_materials){0};
}

/* Where all are isotropic the blocks are made of Lame constants, else of the laws. */
uint64_t ew_materials_revision(const ew_materials *materials, int32_t n)
{
    if (materials->is_mixed) {
        return ew_hash(EW_HASH_START, materials->deviatoric,
                       2 * sizeof *materials->deviatoric * (size_t)n);
    }
    if (materials->is_isotropic) {
        return ew_hash(EW_HASH_START, materials->lame, 2 * sizeof *materials->lame * (size_t)n);
    }
    const uint64_t hash = ew_hash(EW_HASH_START, materials->moduli,
                                  EW_MODULI_WIDTH * sizeof *materials->moduli * (size_t)n);
    return materials->axes ? ew_hash(hash, &materials->axes_revision, sizeof(uint64_t)) : hash;
}

uint64_t ew_materials_density_revision(const ew_materials *materials, int32_t n)
{
    uint64_t hash = EW_HASH_START;
    for (int32_t i = 0; i < n; i++) {
        hash = ew_hash(hash, &materials->material[i].density, sizeof(double));
    }
    return hash;
}

uint64_t ew_materials_response_revision(const ew_materials *materials, int32_t region)
{
    const size_t r = (size_t)region;
    const ew_law *law = ew_material_law(materials->material + r);
    uint64_t hash = ew_hash(EW_HASH_START, materials->moduli + EW_MODULI_WIDTH * r,
                            EW_MODULI_WIDTH * sizeof *materials->moduli);
    hash = ew_hash(hash, materials->expansion + 6 * r, 6 * sizeof *materials->expansion);
    hash = ew_hash(hash, materials->constants + EW_MAX_LAW_CONSTANTS * r,
                   EW_MAX_LAW_CONSTANTS * sizeof *materials->constants);
    return ew_hash(hash, law->name, strlen(law->name));
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

bool ew_material_has_density(const ew_material *material)
{
    return material->density != 0.0;
}

bool ew_material_has_expansion(const ew_material *material)
{
    const bool is_isotropic = material->kind == EW_ISOTROPIC;
    bool has = material->has_expansion || (is_isotropic && material->expansion != 0.0);
    for (int k = 0; k < 6 && !is_isotropic; k++) {
        has = has || material->expansions[k] != 0.0;
    }
    return has;
}

double ew_material_stiffness(const ew_material *material)
{
    const double *d = material->stiffness, *along = material->young_along;
    switch (material->kind) {
    case EW_ORTHOTROPIC:
        return fmax(along[0], fmax(along[1], along[2]));
    case EW_ANISOTROPIC:
        return fmax(d[0], fmax(d[6], d[11]));
    default:
        return material->young;
    }
}
