/* Values at places of a record as its result file takes them: a table of numbers for each path,
 * probe, wall and section, and for the mass. */
#include "study/run/run.h"

typedef void visit(void *to, const ew_place_report *report, ew_place_table table, int32_t place);

static void each(const ew_place_report *report, visit *call, void *to)
{
    for (int k = 0; k < EW_N_PLACE_TABLE; k++) {
        const ew_place_table table = (ew_place_table)k;
        for (int32_t i = 0; i < ew_place_count(report, table); i++) {
            if (ew_place_rows(report, table, i)) {
                call(to, report, table, i);
            }
        }
    }
}

typedef struct listing {
    study_frame_places *made;
    int32_t n_table, n_row; /* so far */
    bool phases;
} listing;

static void count(void *to, const ew_place_report *report, ew_place_table table, int32_t place)
{
    listing *of = to;
    of->n_table++;
    of->n_row += ew_place_rows(report, table, place);
}

/* Rows are as long as the columns of their table. */
static void fill(void *to, const ew_place_report *report, ew_place_table table, int32_t place)
{
    static const char *const groups[EW_N_PLACE_TABLE] = {"Paths", "Walls", "Sections", "Mass"};
    listing *of = to;
    ew_result_table *made = &of->made->table[of->n_table++];
    double *value = of->made->value + (size_t)of->n_row * EW_PLACE_COLUMNS, *next = value;
    *made = (ew_result_table){.group = groups[table],
                              .name = ew_place_name(report, table, place),
                              .columns = ew_place_columns(table, of->phases),
                              .n_row = ew_place_rows(report, table, place),
                              .value = value};
    for (int32_t row = 0; row < made->n_row; row++) {
        made->n_column = ew_place_row(report, table, place, row, of->phases, next);
        next += made->n_column;
    }
    of->n_row += made->n_row;
}

ew_status ew_study_list_places(const ew_study *study, study_frame_places *places,
                               ew_result_frame *frame)
{
    const ew_place_report *report = study->report.places;
    listing of = {.made = places, .phases = ew_case_has_harmonic(study->input)};
    if (!report) {
        return EW_OK;
    }
    each(report, count, &of);
    EW_TRY(ew_new(&places->table, (size_t)of.n_table, sizeof *places->table));
    EW_TRY(ew_new(&places->value, (size_t)of.n_row, EW_PLACE_COLUMNS * sizeof *places->value));
    frame->n_table = of.n_table;
    frame->table = places->table;
    of.n_table = of.n_row = 0;
    each(report, fill, &of);
    return EW_OK;
}

void ew_study_free_frame_places(study_frame_places *places)
{
    ew_release(places->table);
    ew_release(places->value);
    *places = (study_frame_places){0};
}
