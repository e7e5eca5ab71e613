/* Combinations of a sweep, or evaluations of a search. In: records, which have the number of their
 * combination and its parameters. Out: numbers of steps and sets by combination. */
#include "report_sweep.h"

#include <math.h>
#include <string.h>

static const char prefix[] = "parameter_";
enum { PREFIX = sizeof prefix - 1 };

/* ---- what varies ----------------------------------------------------------------------------- */

double sweep_value(const ew_view_step *step, const char *name)
{
    const double *value = ew_view_find(step->n_number, step->number, name, 1);
    return value ? *value : NAN;
}

/* Each combination has a record, so that there are no more. */
int32_t sweep_combination(const ew_result_view *view, const ew_view_step *step)
{
    const double value = sweep_value(step, "combination");
    return value >= 1 && value <= view->n_step ? (int32_t)value - 1 : -1;
}

bool report_is_sweep(const ew_result_view *view)
{
    bool any = false;
    for (int32_t s = 0; s < view->n_step && !any; s++) {
        any = sweep_combination(view, &view->step[s]) >= 0;
    }
    return any;
}

static bool varies(const ew_result_view *view, const char *name)
{
    double first = NAN;
    for (int32_t s = 0; s < view->n_step; s++) {
        const double value = sweep_value(&view->step[s], name);
        if (sweep_combination(view, &view->step[s]) >= 0 && isfinite(value)) {
            first = isfinite(first) ? first : value;
            if (value != first) {
                return true;
            }
        }
    }
    return false;
}

static void add_axis(sweep *of, const ew_view_step *step, const char *name)
{
    for (int32_t i = 0; i < step->n_number && of->n_axis < PAGE_MAX_AXES; i++) {
        const char *number = step->number[i].name;
        if (!strncmp(number, prefix, PREFIX) && (!name || !strcmp(number + PREFIX, name)) &&
            varies(of->view, number)) {
            of->axis[of->n_axis++] = number + PREFIX;
        }
    }
}

/* What the case varies, in its order; where the case cannot be read, all that vary. */
static void find_axes(sweep *of)
{
    const ew_result_view *view = of->view;
    const ew_view_step *step = &view->step[0];
    ew_case input;
    while (sweep_combination(view, step) < 0) {
        step++;
    }
    if (!report_read_case(view, NULL, &input)) {
        const ew_case_sweep *from = input.sweep;
        for (int32_t k = 0; from && k < from->n_parameter; k++) {
            add_axis(of, step, input.parameter[from->parameter[k]].name);
        }
        of->is_search = from && from->search;
        of->maximizes = of->is_search && from->search->maximize;
        ew_case_free(&input);
    }
    if (!of->n_axis) {
        add_axis(of, step, NULL);
    }
    of->is_search = of->is_search || varies(view, "objective");
}

/* ---- what it gives --------------------------------------------------------------------------- */

void report_name_step(const ew_view_step *step, char *name, size_t size)
{
    char suffix[24];
    const double *number = ew_view_find(step->n_number, step->number, "combination", 1);
    snprintf(suffix, sizeof suffix, " #%.0f", number ? *number : 0.0);
    const char *at = number ? strstr(step->name, suffix) : NULL;
    const size_t n = at ? (size_t)(at - step->name) : strlen(step->name);
    snprintf(name, size, "%.*s%s", (int)(n < size ? n : size - 1), step->name,
             at ? at + strlen(suffix) : "");
}

/* The series of a record's step; a new one where there is room, else -1. */
static int32_t series_of(sweep *of, const ew_view_step *step)
{
    char name[SWEEP_NAME];
    report_name_step(step, name, sizeof name);
    for (int32_t k = 0; k < of->n_series; k++) {
        if (!strcmp(of->series[k], name)) {
            return k;
        }
    }
    if (of->n_series == SWEEP_MAX_SERIES) {
        return -1;
    }
    memcpy(of->series[of->n_series], name, sizeof name);
    return of->n_series++;
}

/* Of a motion the last of its records. */
static void take_records(sweep *of)
{
    for (int32_t s = 0; s < of->view->n_step; s++) {
        const ew_view_step *step = &of->view->step[s];
        const int32_t c = sweep_combination(of->view, step);
        if (c < 0) {
            continue;
        }
        for (int32_t a = 0; a < of->n_axis; a++) {
            char name[EW_VIEW_NAME];
            snprintf(name, sizeof name, "%s%.*s", prefix, (int)(EW_VIEW_NAME - PREFIX - 1),
                     of->axis[a]);
            of->place[(size_t)c * (size_t)of->n_axis + (size_t)a] = sweep_value(step, name);
        }
        if (!strcmp(step->kind, "failed")) {
            of->failure[c] = step->warnings;
        } else if (report_is_solved(step)) {
            const int32_t k = series_of(of, step);
            if (k >= 0) {
                of->record[(size_t)k * (size_t)of->n + (size_t)c] = s;
            }
        }
    }
}

double sweep_number_of(const sweep_number *number, const ew_view_step *step)
{
    if (number->of) {
        return report_number_of(step, number->of);
    }
    if (number->goal) {
        return sweep_value(step, number->goal);
    }
    const ew_set_number *of = number->of_set;
    const ew_view_set *set = number->set < step->n_set ? &step->set[number->set] : NULL;
    const double *from = set ? ew_view_find(set->n_number, set->number, of->name, of->n) : NULL;
    return !from ? NAN : of->n == 1 ? *from : hypot(hypot(from[0], from[1]), from[2]);
}

void sweep_take_values(const sweep *of, const sweep_number *number, int32_t series, double *value)
{
    for (int32_t c = 0; c < of->n; c++) {
        const int32_t s = of->record[(size_t)series * (size_t)of->n + (size_t)c];
        value[c] = s < 0 ? NAN : sweep_number_of(number, &of->view->step[s]);
    }
}

bool sweep_differs(const sweep *of, const sweep_number *number, int32_t series)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    sweep_take_values(of, number, series, of->value);
    for (int32_t c = 0; c < of->n; c++) {
        if (isfinite(of->value[c])) {
            low = fmin(low, of->value[c]);
            high = fmax(high, of->value[c]);
        }
    }
    return high - low > 1e-9 * fmax(fabs(low), fabs(high));
}

static void add_number(sweep *of, sweep_number *number, const char *unit)
{
    bool any = false;
    for (int32_t k = 0; k < of->n_series && !any; k++) {
        any = sweep_differs(of, number, k);
    }
    if (any && of->n_number < SWEEP_MAX_NUMBER) {
        report_unit_of(of->view, unit, number->unit);
        of->number[of->n_number++] = *number;
    }
}

/* Titles of others say what they are only beside each other. */
static bool has_own_name(const ew_step_number *number)
{
    static const char *const names[] = {"mass", "reaction_force", "strain_energy", "frequency",
                                        "load_factor"};
    bool is = number->curve && strcmp(number->name, "iterations") != 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        is = is || (number->title && !strcmp(number->name, names[k]));
    }
    return is && number->kind != EW_SECONDS_NUMBER;
}

/* goal_NAME, goal_NAME_bound, goal_NAME_by_PARAMETER. */
static void list_goals(sweep *of)
{
    const int32_t *record = of->record, *end = record + of->n * of->n_series;
    while (record < end && *record < 0) {
        record++;
    }
    for (int32_t i = 0; record < end && i < of->view->step[*record].n_number; i++) {
        sweep_number one = {.goal = of->view->step[*record].number[i].name};
        if (!strncmp(one.goal, "goal_", 5)) {
            snprintf(one.title, sizeof one.title, "goal %s", one.goal + 5);
            add_number(of, &one, "");
        }
    }
}

static void list_numbers(sweep *of)
{
    const ew_step_number *number;
    list_goals(of);
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        sweep_number one = {.of = number};
        if (has_own_name(number)) {
            snprintf(one.title, sizeof one.title, "%s",
                     number->curve ? number->curve : number->title);
            add_number(of, &one, number->unit);
        }
    }
    const int32_t first = of->record[0] >= 0 ? of->record[0] : 0;
    for (int32_t s = 0; s < of->view->step[first].n_set; s++) {
        const ew_set_number *of_set;
        for (int32_t k = 0; (of_set = ew_set_number_at(k)); k++) {
            sweep_number one = {.of_set = of_set, .set = s};
            if (of_set->title) {
                snprintf(one.title, sizeof one.title, "%s of %.100s", of_set->title,
                         of->view->step[first].set[s].name);
                add_number(of, &one, of_set->unit);
            }
        }
    }
}

/* As a run names it: the best within the limits, else the one that breaks them least. */
static void find_best(sweep *of)
{
    double best = NAN, worst = NAN;
    for (int32_t s = 0; s < of->view->n_step && of->is_search; s++) {
        const ew_view_step *step = &of->view->step[s];
        const double value = sweep_value(step, "objective"),
                     beyond = sweep_value(step, "violation");
        if (sweep_combination(of->view, step) < 0 || !isfinite(value) || !isfinite(beyond)) {
            continue;
        }
        const bool better = beyond <= 1e-3 && worst <= 1e-3
                                ? (of->maximizes ? value > best : value < best)
                                : beyond < worst;
        if (!of->best || better) {
            of->best = 1 + sweep_combination(of->view, step);
            best = value;
            worst = beyond;
        }
    }
}

static ew_status allocate(sweep *of)
{
    const size_t n = (size_t)of->n, width = of->n_axis > 0 ? (size_t)of->n_axis : 1;
    EW_TRY(ew_new(&of->place, n * width, sizeof *of->place));
    EW_TRY(ew_new_zero(&of->failure, n, sizeof *of->failure));
    EW_TRY(ew_new(&of->record, n * SWEEP_MAX_SERIES, sizeof *of->record));
    EW_TRY(ew_new(&of->value, n, sizeof *of->value));
    EW_TRY(ew_new(&of->row, 3 * n, sizeof *of->row));
    EW_TRY(ew_new(&of->order, n, sizeof *of->order));
    for (size_t i = 0; i < n * SWEEP_MAX_SERIES; i++) {
        of->record[i] = -1;
    }
    for (size_t i = 0; i < n * width; i++) {
        of->place[i] = NAN;
    }
    return EW_OK;
}

ew_status sweep_take(const ew_result_view *view, sweep *out)
{
    sweep own = {.view = view};
    for (int32_t s = 0; s < view->n_step; s++) {
        const int32_t c = sweep_combination(view, &view->step[s]);
        own.n = c + 1 > own.n ? c + 1 : own.n;
    }
    find_axes(&own);
    const ew_status status = allocate(&own);
    if (status) {
        sweep_free(&own);
        return status;
    }
    take_records(&own);
    list_numbers(&own);
    find_best(&own);
    *out = own;
    return EW_OK;
}

void sweep_free(sweep *own)
{
    ew_release(own->place);
    ew_release(own->failure);
    ew_release(own->record);
    ew_release(own->value);
    ew_release(own->row);
    ew_release(own->order);
    *own = (sweep){0};
}
