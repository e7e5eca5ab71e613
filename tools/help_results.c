/* edgewise help results: what results hold, as tables of Markdown: lib/results/README.md has the
 * same.
 */
#include "report.h"

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

/* Records that have it, and the log. */
static void print_numbers(void)
{
    const ew_step_number *number;
    puts("| number | values | unit | in | meaning |\n| --- | --- | --- | --- | --- |");
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        char column[64] = "";
        if (number->column) {
            snprintf(column, sizeof column, " (`%.40s`)", number->column);
        }
        if (number->in) {
            printf("| `%s` | %d | %s | %s%s%s | %s |\n", number->name, (int)number->n,
                   number->kind == EW_SECONDS_NUMBER ? "s" : number->unit,
                   number->in & EW_IN_RECORD         ? "records, "
                   : number->in & EW_IN_RECORD_WHERE ? "records that have it, "
                                                     : "",
                   number->in & EW_IN_LOG ? "log" : "", column, number->help);
        }
    }
}

static void print_columns(ew_number_table table)
{
    const ew_step_number *number;
    puts("| column | unit | meaning |\n| --- | --- | --- |\n| `step` |  | its name |");
    for (int32_t place = 1; (number = report_csv_number(table, place)); place++) {
        printf("| `%s%s` | %s | %s |\n", number->column ? number->column : number->name,
               number->n == 1 ? "" : "_x`, `_y`, `_z",
               number->kind == EW_SECONDS_NUMBER ? "s" : number->unit, number->help);
    }
}

static void print_set_columns(void)
{
    const ew_set_number *number;
    puts("| column | unit | meaning |\n| --- | --- | --- |\n| `step`, `set` |  | names; a set "
         "written "
         "in place of a name, or found by a plane of symmetry, is called by that and its line: "
         "`plane in line 12`, `symmetry in line 13` |\n| `kind` |  | `vertices`, `faces` or `tets` "
         "|");
    for (int32_t k = 0; (number = ew_set_number_at(k)); k++) {
        printf("| `%s%s` | %s | %s |\n", number->name, number->n == 1 ? "" : "_x`, `_y`, `_z",
               number->unit, number->help);
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
    puts("\nNumbers of a step:\n");
    print_numbers();
    puts("\nColumns of NAME.csv:\n");
    print_columns(EW_STEPS_TABLE);
    puts("\nColumns of NAME.sets.csv:\n");
    print_set_columns();
    puts("\nColumns of NAME.energy.csv:\n");
    print_columns(EW_ENERGY_TABLE);
    puts("\nColumns of NAME.removal.csv:\n");
    print_columns(EW_REMOVAL_TABLE);
    puts("\nWarnings of a step:\n");
    print_warnings();
}
