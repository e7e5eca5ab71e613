/* The tables of a run as comma separated values, a row as soon as there is one: NAME.csv has a row
 * for each step, NAME.sets.csv for each set in each step, NAME.energy.csv for each output of a
 * dynamic step, NAME.probes.csv for each probe and time step, NAME.envelope.csv for each number of
 * an envelope, NAME.removal.csv for each round of an element removal. lib/results/README.md
 * describes the columns. */
#include "report.h"
#include "report_places.h"

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

/* A name in quotes, its own quotes doubled; no formula. */
static void put_name(csv_text *to, const char *name)
{
    put(to, "\"%s", ew_cell_prefix(name));
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

/* ---- what all rows have at their end ---------------------------------------------- */

static void put_head(csv_text *to, const ew_case *input, const char *head)
{
    for (; *head; head++) {
        put(to, "%c", *head);
    }
    put(to, "%s", input->sweep ? ",combination" : "");
    for (int32_t k = 0; k < input->n_parameter; k++) {
        put(to, ",parameter_%s", input->parameter[k].name);
    }
}

static void put_parameters(csv_text *to, const ew_case *input, int32_t combination,
                           const double *value)
{
    if (input->sweep) {
        put(to, ",%d", (int)combination);
    }
    for (int32_t k = 0; k < input->n_parameter; k++) {
        put_number(to, value[k] == value[k], 17, value[k]);
    }
}

static void put_parameters_of(csv_text *to, const ew_case *input, const ew_step_report *step)
{
    double value[EW_MAX_PARAMETERS_OF_CASE];
    for (int32_t k = 0; k < step->n_parameter; k++) {
        value[k] = step->parameter[k].value;
    }
    put_parameters(to, input, step->combination, value);
}

/* The head of a number, of the components of a vector. */
static void put_columns(csv_text *to, int32_t n, const char *name)
{
    for (int32_t c = 0; c < n; c++) {
        put(to, n == 1 ? ",%.40s" : ",%.40s_%c", name, "xyz"[c]);
    }
}

/* ---- a row for each step --------------------------------------------------------- */

const ew_step_number *report_csv_number(ew_number_table table, int32_t place)
{
    const ew_step_number *number;
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        if (number->csv[table] == place) {
            return number;
        }
    }
    return NULL;
}

/* The step's name, the numbers of the table and the parameters. */
static void put_table_head(csv_text *to, const ew_case *input, ew_number_table table)
{
    const ew_step_number *number;
    put(to, "step");
    for (int32_t place = 1; (number = report_csv_number(table, place)); place++) {
        put_columns(to, number->n, number->column ? number->column : number->name);
    }
    put_head(to, input, "");
}

static void put_goal_heads(csv_text *to, const ew_case *input)
{
    for (int32_t i = 0; i < input->n_goal; i++) {
        const ew_case_goal *goal = &input->goal[i];
        put(to, ",goal_%s", goal->name);
        put(to, ",goal_%s_bound", goal->name);
        for (int32_t k = 0; k < goal->n_by; k++) {
            put(to, ",goal_%s", goal->name);
            put(to, "_by_%s", input->parameter[goal->by[k]].name);
        }
    }
}

/* A bound of 0 is none. */
static void put_goals(csv_text *to, const ew_case *input, const report_row *row)
{
    int32_t at = 0;
    for (int32_t i = 0; i < input->n_goal; i++) {
        for (int32_t k = 0; k < 2 + input->goal[i].n_by; k++, at++) {
            const double value = row->goal ? row->goal[at] : 0.0;
            put_number(to, row->goal && (k != 1 || value > 0.0), 17, value);
        }
    }
}

static void put_step_head(csv_text *to, const ew_case *input)
{
    put_table_head(to, input, EW_STEPS_TABLE);
    put_goal_heads(to, input);
    put(to, "%s\n",
        !input->sweep          ? ""
        : input->sweep->search ? ",objective,violation,failure"
                               : ",failure");
}

/* Times in as many digits as they are worth. */
static void put_values(csv_text *to, const ew_step_number *number, bool has, const double *value)
{
    put_numbers(to, has, number->kind == EW_SECONDS_NUMBER ? 6 : 17, number->n, value);
}

static void put_step(csv_text *to, const ew_case *input, const report_row *row)
{
    const ew_step_number *number;
    put_name(to, row->name);
    for (int32_t place = 1; (number = report_csv_number(EW_STEPS_TABLE, place)); place++) {
        const struct report_cell *cell = row->cell ? &row->cell[place - 1] : NULL;
        put_values(to, number, cell && cell->has, cell ? cell->value : NULL);
    }
    put_parameters(to, input, row->combination, row->parameter);
    put_goals(to, input, row);
    if (input->sweep && input->sweep->search) {
        put_number(to, row->judged, 17, row->objective);
        put_number(to, row->judged, 17, row->violation);
    }
    if (input->sweep) {
        put(to, ",");
        put_name(to, row->failure ? row->failure : "");
    }
    put(to, "\n");
}

/* ---- a row for each set in each step ------------------------------------------------ */

static void put_set_head(csv_text *to, const ew_case *input)
{
    const ew_set_number *number;
    put(to, "step,set,kind");
    for (int32_t k = 0; (number = ew_set_number_at(k)); k++) {
        put_columns(to, number->n, number->name);
    }
    put_head(to, input, "");
    put(to, "\n");
}

static void put_set(csv_text *to, const ew_case *input, const ew_step_report *step,
                    const ew_set_report *set)
{
    const ew_set_number *number;
    put_name(to, step->name);
    put(to, ",");
    put_name(to, set->name);
    put(to, ",%s", ew_set_kind_name(set->kind));
    for (int32_t k = 0; (number = ew_set_number_at(k)); k++) {
        double value[EW_STEP_NUMBER_VALUES];
        const bool has = ew_set_number_of(k, set, value);
        put_numbers(to, has, 17, number->n, value);
    }
    put_parameters_of(to, input, step);
    put(to, "\n");
}

static void put_sets(csv_text *to, const ew_case *input, const ew_step_report *step)
{
    for (int32_t s = 0; s < input->n_set && !step->failure; s++) {
        if (!step->set[s].in_edit) {
            put_set(to, input, step, &step->set[s]);
        }
    }
}

/* ---- a row for each output of a dynamic step, for each round of an element removal ---- */

static void put_row(csv_text *to, const ew_case *input, const ew_step_report *step,
                    ew_number_table table)
{
    const ew_step_number *number;
    put_name(to, step->name);
    for (int32_t place = 1; (number = report_csv_number(table, place)); place++) {
        int32_t k = 0;
        while (ew_step_number_at(k) != number) {
            k++;
        }
        double value[EW_STEP_NUMBER_VALUES];
        const bool has = ew_step_number_of(k, step, value);
        put_values(to, number, has, value);
    }
    put_parameters_of(to, input, step);
    put(to, "\n");
}

bool report_csv_has_removal(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        any = any || input->step[s].remove;
    }
    return any;
}

/* ---- a row for each probe after each time step ------------------------------------------ */

static const char probe_head[] =
    "step,probe,time,displacement_x,displacement_y,displacement_z,velocity_x,velocity_y,velocity_z,"
    "acceleration_x,acceleration_y,acceleration_z,reaction_x,reaction_y,reaction_z";

/* A set that is empty has no values. */
static void put_samples(csv_text *to, const ew_case *input, const ew_step_report *step)
{
    const ew_motion_report *motion = step->motion;
    const ew_case_probe *probe = input->step[step->step].dynamic->probe;
    for (int32_t i = 0; i < motion->n_sample; i++) {
        for (int32_t p = 0; p < motion->n_probe; p++) {
            const double *value = motion->sample + 12 * (i * (size_t)motion->n_probe + (size_t)p);
            put_name(to, step->name);
            put(to, ",");
            put_name(to, probe[p].name);
            put_number(to, true, 17, motion->sample_time[i]);
            put_numbers(to, value[0] == value[0], 17, 12, value);
            put_parameters_of(to, input, step);
            put(to, "\n");
        }
    }
}

static bool has_probes(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        any = any || (input->step[s].dynamic && input->step[s].dynamic->n_probe);
    }
    return any;
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

/* ---- the envelope ------------------------------------------------------------------------- */

static const char envelope_head[] =
    "set,number,smallest,smallest_step,smallest_time,largest,largest_step,largest_time";

static bool has_envelope(const ew_case *input)
{
    return input->step[input->n_step - 1].is_envelope;
}

static void put_extreme(csv_text *to, double value, const char *step, double time)
{
    put_number(to, true, 17, value);
    put(to, ",");
    put_name(to, step);
    put_number(to, time == time, 17, time);
}

ew_status report_csv_envelope(const run_report *report, const ew_step_report *step,
                              ew_result *result)
{
    csv_text text = {0};
    for (int32_t i = 0; i < report->envelope.n; i++) {
        const envelope_entry *at = &report->envelope.entry[i];
        put_name(&text, at->set);
        put(&text, at->component < 0 ? ",%.60s" : ",%.60s_%c", at->name,
            "xyz"[at->component < 0 ? 0 : at->component]);
        put_extreme(&text, at->low, at->low_step, at->low_time);
        put_extreme(&text, at->high, at->high_step, at->high_time);
        put_parameters_of(&text, report->input, step);
        put(&text, "\n");
    }
    return append(result, ".envelope.csv", &text);
}

static ew_status begin_table(const run_report *report, ew_result *result, const char *ending,
                             ew_number_table table)
{
    csv_text text = {0};
    put_table_head(&text, report->input, table);
    put(&text, "\n");
    return append(result, ending, &text);
}

static ew_status begin_file(const run_report *report, ew_result *result, const char *ending,
                            const char *head)
{
    csv_text text = {0};
    put_head(&text, report->input, head);
    put(&text, "\n");
    return append(result, ending, &text);
}

ew_status report_csv_begin(const run_report *report, ew_result *result)
{
    const ew_case *input = report->input;
    csv_text steps = {0}, sets = {0};
    put_step_head(&steps, input);
    EW_TRY(append(result, ".csv", &steps));
    if (input->n_set) {
        put_set_head(&sets, input);
    }
    EW_TRY(append(result, ".sets.csv", &sets));
    EW_TRY(input->has_dynamics ? begin_table(report, result, ".energy.csv", EW_ENERGY_TABLE)
                               : EW_OK);
    EW_TRY(report_csv_has_removal(input)
               ? begin_table(report, result, ".removal.csv", EW_REMOVAL_TABLE)
               : EW_OK);
    EW_TRY(report_places_begin(input, result));
    EW_TRY(has_envelope(input) ? begin_file(report, result, ".envelope.csv", envelope_head)
                               : EW_OK);
    EW_TRY(report_convergence_begin(input, result));
    return has_probes(input) ? begin_file(report, result, ".probes.csv", probe_head) : EW_OK;
}

ew_status report_csv_output(const run_report *report, const ew_step_report *step, ew_result *result)
{
    csv_text energy = {0}, samples = {0};
    put_row(&energy, report->input, step, EW_ENERGY_TABLE);
    put_samples(&samples, report->input, step);
    const ew_status status = append(result, ".energy.csv", &energy);
    const ew_status other = append(result, ".probes.csv", &samples);
    return status ? status : other;
}

ew_status report_csv_removal(const run_report *report, const ew_step_report *step,
                             ew_result *result)
{
    csv_text text = {0};
    put_row(&text, report->input, step, EW_REMOVAL_TABLE);
    return append(result, ".removal.csv", &text);
}

ew_status report_csv_step(const run_report *report, const ew_step_report *step, ew_result *result)
{
    csv_text steps = {0}, sets = {0};
    put_step(&steps, report->input, &report->row[report->n_row - 1]);
    put_sets(&sets, report->input, step);
    const ew_status status = append(result, ".csv", &steps);
    const ew_status other = append(result, ".sets.csv", &sets);
    EW_TRY(status ? status : other);
    return report_convergence_step(report->input, step, result);
}

ew_status report_csv_text(const run_report *report, char **text)
{
    csv_text all = {0};
    put_step_head(&all, report->input);
    for (int32_t i = 0; i < report->n_row; i++) {
        put_step(&all, report->input, &report->row[i]);
    }
    if (all.status) {
        ew_text_free(&all.text);
    }
    *text = all.text.data;
    return all.status;
}
