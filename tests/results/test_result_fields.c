/* The list of fields: names, words of cases, components, units. */
#define _XOPEN_SOURCE 700
#include "results_fixture.h"

static void test_fields_are_found_by_name_and_place(void)
{
    int32_t n = 0;
    for (; ew_field_type_at(n); n++) {
        const ew_field_type *type = ew_field_type_at(n);
        CU_ASSERT_PTR_EQUAL(ew_field_type_of(type->name, type->place), type); /* none twice */
        CU_ASSERT(*type->help && strlen(type->name) < EW_VIEW_NAME);
        CU_ASSERT(ew_field_kind_width(type->kind) >= 1);
        CU_ASSERT((type->when == EW_FIELD_ALWAYS) == !*ew_field_when_text(type->when));
    }
    CU_ASSERT(n > 0 && n <= 64);
    CU_ASSERT_PTR_NULL(ew_field_type_at(-1));
    CU_ASSERT_PTR_NULL(ew_field_type_of("von_mise", EW_ON_TETS));
    CU_ASSERT_PTR_NULL(ew_field_type_of("displacement", EW_ON_TETS));
}

/* Every field is asked for by some word, and every word asks for some field. */
static void test_fields_of_words(void)
{
    uint64_t all = 0;
    int32_t n = 0, n_field = 0;
    while (ew_field_type_at(n_field)) {
        n_field++;
    }
    for (; ew_field_word(n); n++) {
        const uint64_t found = ew_fields_of_word(ew_field_word(n));
        CU_ASSERT(found != 0);
        all |= found;
        for (int32_t k = 0; k < n; k++) {
            CU_ASSERT(strcmp(ew_field_word(k), ew_field_word(n)) != 0);
        }
    }
    CU_ASSERT_EQUAL(all, (UINT64_C(1) << n_field) - 1);
    CU_ASSERT_EQUAL(n, 21); /* words of released cases stay */
    CU_ASSERT_EQUAL(ew_fields_of_word("von"), 0);
    CU_ASSERT_EQUAL(ew_fields_of_word("stress_region"), 0);
}

static void test_fields_have_components(void)
{
    CU_ASSERT_STRING_EQUAL(ew_field_component_name(EW_VECTOR_FIELD, 2), "z");
    CU_ASSERT_STRING_EQUAL(ew_field_component_name(EW_TENSOR_FIELD, 5), "xz");
    CU_ASSERT_PTR_NULL(ew_field_component_name(EW_VECTOR_FIELD, 3));
    CU_ASSERT_PTR_NULL(ew_field_component_name(EW_VECTOR_FIELD, -1));
    CU_ASSERT_PTR_NULL(ew_field_component_name(EW_SCALAR_FIELD, 0));
    CU_ASSERT_PTR_NULL(ew_field_component_name(EW_VALUES_FIELD, 1));
}

static void test_fields_have_units(void)
{
    char text[EW_UNIT_TEXT];
    ew_unit_text("force/length^2", "mm", "N", "", text);
    CU_ASSERT_STRING_EQUAL(text, "N/mm^2");
    ew_unit_text("(force*length)^0.5", "m", "kN", "", text);
    CU_ASSERT_STRING_EQUAL(text, "(kN*m)^0.5");
    ew_unit_text("length/time^2", "m", "N", "", text); /* a name is missing */
    CU_ASSERT_STRING_EQUAL(text, "");
    ew_unit_text("", "m", "N", "s", text);
    CU_ASSERT_STRING_EQUAL(text, "");
    ew_unit_text("force*length", "length", "a unit whose name is far too long", "", text);
    CU_ASSERT_STRING_EQUAL(text, "a unit whose name is*length");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"fields_found", test_fields_are_found_by_name_and_place},
        {"fields_words", test_fields_of_words},
        {"fields_components", test_fields_have_components},
        {"fields_units", test_fields_have_units},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"fields", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
