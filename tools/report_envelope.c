/* The envelope of a run in numbers: of each number of a step, and of each set, the smallest and the
 * largest value over the records of the envelope, and the steps and times of both. In: the records,
 * of a run under way or of a result file. Out: entries for NAME.envelope.csv and the page. */
#include "report_envelope.h"
#include "report_page.h"

#include <math.h>
#include <string.h>

/* Forces, displacements, stresses and safety; counts, shares and seconds are no results. */
static bool is_compared(const ew_step_number *number)
{
    return number->kind == EW_REAL_NUMBER && number->in & (EW_IN_RECORD | EW_IN_RECORD_WHERE) &&
           ((*number->unit && strcmp(number->unit, "degree") != 0) ||
            strstr(number->name, "_safety")) &&
           strcmp(number->name, "volume") != 0 && strcmp(number->name, "mass") != 0;
}

/* What stands before it in the list says where the set is. */
static int32_t first_set_result(void)
{
    int32_t k = 0;
    while (ew_set_number_at(k) && strcmp(ew_set_number_at(k)->name, "mean_displacement") != 0) {
        k++;
    }
    return k;
}

static envelope_entry *find(envelope_table *table, const char *set, const char *name, int component)
{
    for (int32_t i = 0; i < table->n; i++) {
        envelope_entry *at = &table->entry[i];
        if (at->component == component && !strcmp(at->name, name) && !strcmp(at->set, set)) {
            return at;
        }
    }
    if (ew_grow(&table->entry, &table->capacity, (int64_t)table->n + 1, sizeof *table->entry)) {
        return NULL;
    }
    envelope_entry *made = &table->entry[table->n++];
    *made = (envelope_entry){.component = component, .low = INFINITY, .high = -INFINITY};
    snprintf(made->name, sizeof made->name, "%s", name);
    snprintf(made->set, sizeof made->set, "%s", set);
    return made;
}

static ew_status add(envelope_table *table, const char *set, const char *name, int32_t n,
                     const double *value, const envelope_record *record)
{
    for (int32_t c = 0; c < n; c++) {
        envelope_entry *at = find(table, set, name, n == 1 ? -1 : c);
        if (!at) {
            return ew_fail(EW_NO_MEMORY, "no memory for the envelope");
        }
        if (value[c] < at->low) {
            at->low = value[c];
            at->low_time = record->time;
            snprintf(at->low_step, sizeof at->low_step, "%s", record->step);
        }
        if (value[c] > at->high) {
            at->high = value[c];
            at->high_time = record->time;
            snprintf(at->high_step, sizeof at->high_step, "%s", record->step);
        }
    }
    return EW_OK;
}

ew_status envelope_take_report(envelope_table *table, const ew_step_report *step)
{
    const envelope_record record = {step->name, step->motion ? step->motion->time : NAN};
    const ew_step_number *number;
    double value[EW_STEP_NUMBER_VALUES];
    for (int32_t k = 0; step->in_envelope && (number = ew_step_number_at(k)); k++) {
        if (is_compared(number) && ew_step_number_of(k, step, value)) {
            EW_TRY(add(table, "", number->name, number->n, value, &record));
        }
    }
    for (int32_t s = 0; s < step->n_set && step->in_envelope; s++) {
        const ew_set_number *of;
        for (int32_t k = first_set_result(); !step->set[s].in_edit && (of = ew_set_number_at(k));
             k++) {
            if (ew_set_number_of(k, &step->set[s], value)) {
                EW_TRY(add(table, step->set[s].name, of->name, of->n, value, &record));
            }
        }
    }
    return EW_OK;
}

static ew_status take_view(envelope_table *table, const ew_view_step *step, bool is_dynamic)
{
    const double *time = ew_view_find(step->n_number, step->number, "time", 1);
    const envelope_record record = {step->name, time && is_dynamic ? *time : NAN};
    const ew_step_number *number;
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        const double *value = ew_view_find(step->n_number, step->number, number->name, number->n);
        if (value && is_compared(number)) {
            EW_TRY(add(table, "", number->name, number->n, value, &record));
        }
    }
    for (int32_t s = 0; s < step->n_set; s++) {
        const ew_view_set *set = &step->set[s];
        const ew_set_number *of;
        for (int32_t k = first_set_result(); (of = ew_set_number_at(k)); k++) {
            const double *value = ew_view_find(set->n_number, set->number, of->name, of->n);
            if (value) {
                EW_TRY(add(table, set->name, of->name, of->n, value, &record));
            }
        }
    }
    return EW_OK;
}

void envelope_free(envelope_table *table)
{
    ew_release(table->entry);
    *table = (envelope_table){0};
}

/* ---- the page ------------------------------------------------------------------------------ */

static void add_value(page *to, double value, const char *step, double time)
{
    page_add(to, "<td>%.5g</td><td class='t'>", value);
    page_add_text(to, step);
    if (isfinite(time)) {
        page_add(to, " at %.5g", time);
    }
    page_add(to, "</td>");
}

static const char *unit_of(const envelope_entry *at)
{
    const ew_step_number *number;
    const ew_set_number *of_set;
    for (int32_t k = 0; !*at->set && (number = ew_step_number_at(k)); k++) {
        if (!strcmp(number->name, at->name)) {
            return number->unit;
        }
    }
    for (int32_t k = 0; *at->set && (of_set = ew_set_number_at(k)); k++) {
        if (!strcmp(of_set->name, at->name)) {
            return of_set->unit;
        }
    }
    return "";
}

static void add_table(page *to, const ew_result_view *view, const envelope_table *table)
{
    static const char axis[3][3] = {" x", " y", " z"};
    char unit[EW_UNIT_TEXT];
    page_add(to, "<h2>Envelope</h2>\n");
    page_open_table(to);
    page_add(to, "<thead><tr><th class='t'>of</th><th class='t'>number</th><th class='t'>unit</th>"
                 "<th>smallest</th><th class='t'>in</th><th>largest</th><th class='t'>in</th></tr>"
                 "</thead>\n");
    for (int32_t i = 0; i < table->n; i++) {
        const envelope_entry *at = &table->entry[i];
        if (at->low == 0.0 && at->high == 0.0) {
            continue;
        }
        page_add(to, "<tr><td class='t'>");
        page_add_text(to, *at->set ? at->set : "the body");
        page_add(to, "</td><td class='t'>%s%s</td>", at->name,
                 at->component < 0 ? "" : axis[at->component]);
        report_unit_of(view, unit_of(at), unit);
        page_add_text_cell(to, unit);
        add_value(to, at->low, at->low_step, at->low_time);
        add_value(to, at->high, at->high_step, at->high_time);
        page_add(to, "</tr>\n");
    }
    page_close_table(to);
}

/* That of the last combination of a sweep. */
ew_status report_add_envelope(page *to, const ew_result_view *view)
{
    int32_t end = view->n_step;
    while (end > 0 && strcmp(view->step[end - 1].kind, "envelope") != 0) {
        end--;
    }
    int32_t begin = end > 0 ? end - 1 : 0;
    while (begin > 0 && strcmp(view->step[begin - 1].kind, "envelope") != 0) {
        begin--;
    }
    envelope_table table = {0};
    ew_status status = EW_OK;
    for (int32_t s = begin; s < end && !status; s++) {
        const ew_view_step *step = &view->step[s];
        if (ew_view_find(step->n_number, step->number, "in_envelope", 1)) {
            status = take_view(&table, step, !strcmp(step->kind, "dynamic"));
        }
    }
    if (!status && table.n) {
        add_table(to, view, &table);
    }
    envelope_free(&table);
    return status;
}
