/* edgewise help results: what results hold, as tables of Markdown: lib/results/README.md has the
 * same.
 */
#include "tool.h"

static void print_width(const ew_field_type *type)
{
    printf(type->kind == EW_STRETCH_FIELD ? "1 or %d" : "%d", (int)ew_field_kind_width(type->kind));
    for (int32_t c = 0; ew_field_component_name(type->kind, c); c++) {
        printf("%s%s", c ? " " : ": ", ew_field_component_name(type->kind, c));
    }
}

static void print_fields(void)
{
    puts("| field | at | components | unit | in studies | meaning |\n"
         "| --- | --- | --- | --- | --- | --- |");
    for (int32_t k = 0; ew_field_type_at(k); k++) {
        const ew_field_type *type = ew_field_type_at(k);
        printf("| `%s` | %s | ", type->name, type->place == EW_ON_VERTICES ? "points" : "tets");
        print_width(type);
        printf(" | %s | %s | %s |\n", type->unit, ew_field_when_text(type->when), type->help);
    }
}

static void print_warnings(void)
{
    puts("| warning | when |\n| --- | --- |");
    for (int k = 0; k < EW_WARNING_COUNT; k++) {
        printf("| `%s` | %s |\n", ew_warning_kind_name((ew_warning_kind)k),
               ew_warning_kind_help((ew_warning_kind)k));
    }
}

void tool_help_results(void)
{
    puts("Fields of a frame, after an analysis:\n");
    print_fields();
    puts("\nWarnings of a step:\n");
    print_warnings();
}
