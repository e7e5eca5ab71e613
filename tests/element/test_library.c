/* The material library: its constants, and materials in other units. */
#include "element/parts/element.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Every material of the library is one that a body takes, and has a source. */
static void test_library_is_sound(void)
{
    const ew_library_material *of;
    for (int32_t i = 0; (of = ew_library_material_at(i)); i++) {
        must(ew_material_check(&of->material));
        must(ew_law_check(&of->material));
        CU_ASSERT_PTR_EQUAL(ew_library_material_named(of->name), of);
        CU_ASSERT(strlen(of->source) > 20 && strlen(of->help) > 4);
        CU_ASSERT(of->material.density > 100.0 && of->material.density < 2e4);
        CU_ASSERT(of->yield_stress < 0.01 * 210e9);
        CU_ASSERT(!strpbrk(of->name, " ,:#'\""));
    }
    CU_ASSERT_PTR_NULL(ew_library_material_at(-1));
    CU_ASSERT_PTR_NULL(ew_library_material_named("s355"));
}

/* What has no unit is the same number in all: here speeds of waves over those of the units, and
 * ratios of constants. */
static void test_materials_change_units(void)
{
    const double length = 0.0254, force = 4.5, time = 1e-3;
    const ew_library_material *of;
    for (int32_t i = 0; (of = ew_library_material_at(i)); i++) {
        const ew_material *si = &of->material;
        const ew_material other = ew_material_in_units(si, length, force, time);
        const double e = si->kind == EW_ORTHOTROPIC ? si->young_along[0] : si->young,
                     f = si->kind == EW_ORTHOTROPIC ? other.young_along[0] : other.young;
        CU_ASSERT(is_close(sqrt(f / other.density) * length / time, sqrt(e / si->density)));
        CU_ASSERT(is_close(f * force / (length * length), e));
        CU_ASSERT(si->kind != EW_ORTHOTROPIC || is_close(other.shear[2] / f, si->shear[2] / e));
        CU_ASSERT(!si->law || !si->law->n_value ||
                  is_close(other.law_value[1] / f, si->law_value[1] / e));
        must(ew_law_check(&other));
    }
    const ew_material mm =
        ew_material_in_units(&ew_library_material_named("S355")->material, 1e-3, 1.0, 1.0);
    CU_ASSERT(is_close(mm.young, 210e3) && is_close(mm.density, 7.85e-9));
    ew_material flows = ew_library_material_named("S355")->material;
    ew_material_put_law(&flows, &ew_law_creep);
    flows.law_value[EW_CREEP_YIELD] = 0.01;
    flows.law_value[EW_CREEP_RATE] = 5.0;
    CU_ASSERT(
        is_close(ew_material_in_units(&flows, 1.0, 1.0, 1e-3).law_value[EW_CREEP_RATE], 5e-3));
    CU_ASSERT_EQUAL(ew_material_in_units(&flows, 1e-3, 1.0, 1.0).law_value[EW_CREEP_YIELD],
                    flows.law_value[EW_CREEP_YIELD]);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_library_is_sound", test_library_is_sound},
        {"test_materials_change_units", test_materials_change_units},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"library", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
