/* The tables of a run as comma separated values, a row as soon as there is one: NAME.csv has a row
 * for each step, NAME.sets.csv for each set in each step. lib/results/README.md describes the
 * columns. */
#include "report.h"

#include <stdarg.h>
#include <string.h>

typedef struct csv_text {
    ew_text text; /* owned */
    int32_t capacity;
    ew_status status; /* of the first failure */
} csv_text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(csv_text *to, const char *format, ...)
{
    char piece[64];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    if (!to->status) {
        to->status = ew_grow(&to->text.data, &to->capacity, (int64_t)to->text.size + length + 1, 1);
    }
    if (!to->status) {
        memcpy(to->text.data + to->text.size, piece, (size_t)length + 1);
        to->text.size += (size_t)length;
    }
}

/* A name in quotes, its own quotes doubled. */
static void put_name(csv_text *to, const char *name)
{
    put(to, "\"");
    for (; *name; name++) {
        put(to, *name == '"' ? "\"%c" : "%c", *name);
    }
    put(to, "\"");
}

/* A comma, and the numbers where there are any. */
static void put_numbers(csv_text *to, bool any, int digits, int n, const double *value)
{
    for (int i = 0; i < n; i++) {
        put(to, ",");
        if (any) {
            put(to, "%.*g", digits, value[i]);
        }
    }
}

static void put_number(csv_text *to, bool any, int digits, double value)
{
    put_numbers(to, any, digits, 1, &value);
}

/* ---- a row for each step --------------------------------------------------------- */

static const char step_head[] =
    "step,tets,volume,mass,max_displacement,max_von_mises,reaction,iterations,seconds_revalidate,"
    "seconds_rebuild,seconds_solve,lost_force_x,lost_force_y,lost_force_z,error_share,peak_error\n";

static void put_step(csv_text *to, const report_row *row)
{
    put_name(to, row->name);
    put(to, ",%d", (int)row->n_tet);
    put_number(to, true, 17, row->volume);
    put_number(to, true, 17, row->mass);
    put_number(to, row->solved, 17, row->max_displacement);
    put_number(to, row->solved, 17, row->max_von_mises);
    put_number(to, row->solved, 17, row->reaction);
    put_number(to, row->solved, 17, row->iterations);
    put_number(to, row->seconds_revalidate >= 0, 6, row->seconds_revalidate);
    put_number(to, row->seconds_rebuild >= 0, 6, row->seconds_rebuild);
    put_number(to, row->seconds_solve >= 0, 6, row->seconds_solve);
    put_numbers(to, true, 17, 3, row->lost_force);
    put_number(to, row->error_share >= 0, 17, row->error_share);
    put_number(to, row->error_share >= 0, 17, row->peak_error);
    put(to, "\n");
}

/* ---- a row for each set in each step ------------------------------------------------ */

static const char set_head[] =
    "step,set,kind,members,area,volume,centroid_x,centroid_y,centroid_z,low_x,low_y,low_z,high_x,"
    "high_y,high_z,mean_displacement_x,mean_displacement_y,mean_displacement_z,max_displacement,"
    "mean_von_mises,max_von_mises,reaction_force_x,reaction_force_y,reaction_force_z,"
    "reaction_moment_x,reaction_moment_y,reaction_moment_z\n";

static void put_set(csv_text *to, const char *step, const ew_set_report *set)
{
    const ew_set_measure *measure = &set->measure;
    const ew_set_results *results = &set->results;
    const bool any = measure->n_member > 0, tets = set->kind == EW_SET_OF_TETS;
    put_name(to, step);
    put(to, ",");
    put_name(to, set->name);
    put(to, ",%s,%d", ew_set_kind_name(set->kind), (int)measure->n_member);
    put_number(to, !tets, 17, measure->area);
    put_number(to, tets, 17, measure->volume);
    put_numbers(to, any, 17, 3, measure->centroid);
    put_numbers(to, any, 17, 3, measure->low);
    put_numbers(to, any, 17, 3, measure->high);
    put_numbers(to, set->has_results, 17, 3, results->mean_displacement);
    put_number(to, set->has_results, 17, results->max_displacement);
    put_number(to, set->has_results, 17, results->mean_von_mises);
    put_number(to, set->has_results, 17, results->max_von_mises);
    put_numbers(to, set->has_results && set->support, 17, 3, results->reaction_force);
    put_numbers(to, set->has_results && set->support, 17, 3, results->reaction_moment);
    put(to, "\n");
}

static void put_sets(csv_text *to, const ew_case *input, const ew_step_report *step)
{
    for (int32_t s = 0; s < input->n_set; s++) {
        if (!step->set[s].in_edit) {
            put_set(to, step->name, &step->set[s]);
        }
    }
}

/* ---- into the files ------------------------------------------------------------------ */

static ew_status append(ew_result *result, const char *ending, csv_text *text)
{
    ew_status status = text->status;
    if (!status && text->text.size) {
        status = ew_result_append_file(result, ending, text->text.data, text->text.size);
    }
    ew_text_free(&text->text);
    return status;
}

ew_status report_csv_begin(const run_report *report, ew_result *result)
{
    EW_TRY(ew_result_append_file(result, ".csv", step_head, strlen(step_head)));
    return report->input->n_set
               ? ew_result_append_file(result, ".sets.csv", set_head, strlen(set_head))
               : EW_OK;
}

ew_status report_csv_step(const run_report *report, const ew_step_report *step, ew_result *result)
{
    csv_text steps = {0}, sets = {0};
    put_step(&steps, &report->row[report->n_row - 1]);
    put_sets(&sets, report->input, step);
    const ew_status status = append(result, ".csv", &steps);
    const ew_status other = append(result, ".sets.csv", &sets);
    return status ? status : other;
}

ew_status report_csv_text(const run_report *report, char **text)
{
    csv_text all = {0};
    put(&all, "%s", "");
    for (const char *at = step_head; *at; at++) {
        put(&all, "%c", *at);
    }
    for (int32_t i = 0; i < report->n_row; i++) {
        put_step(&all, &report->row[i]);
    }
    if (all.status) {
        ew_text_free(&all.text);
    }
    *text = all.text.data;
    return all.status;
}
