/* The table of laws, and the check of a material's constants by the descriptor of its law. */
#include "laws.h"
#include "element/parts/element.h"

#include <math.h>
#include <string.h>

/* In the order of kernels/laws.h. */
#define DECLARE(place, name, call) extern const ew_law ew_law_##name;
#define ENTER(place, name, call)   [EW_NUMBER_##place] = &ew_law_##name,
EW_LAWS(DECLARE)
static const ew_law *const laws[EW_N_LAW] = {EW_LAWS(ENTER)};

const ew_law *ew_law_at(int32_t i)
{
    return i >= 0 && i < EW_N_LAW ? laws[i] : NULL;
}

const ew_law *ew_law_named(const char *name)
{
    const ew_law *law = NULL;
    for (int32_t i = 0; (law = ew_law_at(i)) && strcmp(law->name, name);) {
        i++;
    }
    return law;
}

const ew_law *ew_material_law(const ew_material *material)
{
    return material->law ? material->law : &ew_law_elastic;
}

void ew_material_put_law(ew_material *material, const ew_law *law)
{
    material->law = law;
    material->n_hardening = 0;
    for (int32_t i = 0; i < EW_MAX_LAW_VALUES; i++) {
        material->law_value[i] = i < law->n_value ? law->value[i].preset : 0.0;
    }
}

static ew_status check_value(const ew_law_value *rule, double value)
{
    if (rule->is_truth && value != 0.0 && value != 1.0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s is %g; it must be 0 or 1", rule->name, value);
    }
    /* INFINITY: no bound */
    if (isnan(value) || value < rule->low || (rule->above && value <= rule->low) ||
        (isinf(value) && !isinf(rule->preset))) {
        return ew_fail(EW_BAD_ARGUMENT, "%s is %g; it must be finite and %s %g", rule->name, value,
                       rule->above ? "greater than" : "at least", rule->low);
    }
    return EW_OK;
}

static ew_status check_table(const ew_material *material)
{
    if (material->n_hardening < 0 || material->n_hardening > EW_MAX_HARDENING) {
        return ew_fail(EW_BAD_ARGUMENT, "table has %d points; it may have %d",
                       (int)material->n_hardening, EW_MAX_HARDENING);
    }
    for (int32_t i = 0; i < (int32_t)material->n_hardening; i++) {
        const double *now = material->hardening[i], *last = i ? now - 2 : NULL;
        if (!(now[0] > 0.0) || !isfinite(now[0]) || (last && now[0] < last[0])) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "table: the yield stress of point %d is %g; it must be greater than 0, "
                           "and no less than that before",
                           (int)i + 1, now[0]);
        }
        if (last ? !(now[1] > last[1]) || !isfinite(now[1]) : now[1] != 0.0) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "table: the plastic strain of point %d is %g; it must be %s", (int)i + 1,
                           now[1], last ? "greater than that before" : "0, where yielding begins");
        }
    }
    return EW_OK;
}

ew_status ew_law_check(const ew_material *material)
{
    const ew_law *law = ew_material_law(material);
    if (!law->has_table && material->n_hardening) {
        return ew_fail(EW_BAD_ARGUMENT, "the law '%s' has no table", law->name);
    }
    EW_TRY(check_table(material));
    for (int32_t i = 0; i < law->n_value && !material->n_hardening; i++) {
        EW_TRY(check_value(&law->value[i], material->law_value[i]));
    }
    return law->check ? law->check(material) : EW_OK;
}
