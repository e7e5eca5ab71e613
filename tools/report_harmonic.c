/* The part of a report page on harmonic responses: largest values of the body, and amplitude and
 * phase of sets, over frequency. */
#include "page.h"
#include "report_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 12 };

/* The records of a step, ascending by frequency. */
typedef struct curve_step {
    char name[80];
    int32_t n;
    const ew_view_step **record; /* [n] owned */
    double *frequency;           /* [n] owned, as `value` */
    double *value;               /* [3][n] */
} curve_step;

static double frequency_of(const ew_view_step *step)
{
    const double *value = ew_view_find(step->n_number, step->number, "frequency", 1);
    return value ? *value : NAN;
}

static int compare(const void *a, const void *b)
{
    const double x = frequency_of(*(const ew_view_step *const *)a);
    const double y = frequency_of(*(const ew_view_step *const *)b);
    return (x > y) - (x < y);
}

/* "machine 3" of the step 'machine': the third of its records. */
static int32_t place_in_step(const ew_view_step *step)
{
    const char *blank = strrchr(step->name, ' ');
    return blank ? atoi(blank + 1) : 0;
}

static void add_lines(page *to, const ew_result_view *view, const curve_step *of, const char *title,
                      const char *unit, int n_curve)
{
    static const char *const names[] = {"x", "y", "z"};
    char text[240], shown[EW_UNIT_TEXT];
    page_curve curve[3];
    bool any = false;
    for (int c = 0; c < n_curve; c++) {
        curve[c] = (page_curve){.name = n_curve == 1 ? "" : names[c],
                                .value = of->value + (size_t)c * (size_t)of->n,
                                .stride = 1};
        for (int32_t k = 0; k < of->n; k++) {
            any = any || isfinite(curve[c].value[k]);
        }
    }
    if (unit) {
        report_unit_of(view, unit, shown);
    }
    snprintf(text, sizeof text, "%.120s, step '%.80s'", title, of->name);
    const page_lines chart = {.title = text,
                              .unit = unit ? shown : "degrees",
                              .axis = "frequency",
                              .time_unit = !strcmp(view->time_unit, "s") ? "Hz" : "",
                              .n = of->n,
                              .time = of->frequency,
                              .n_curve = n_curve,
                              .curve = curve};
    if (any) {
        page_add_lines(to, &chart);
    }
}

/* A component below this share of the largest at a frequency has a phase of no meaning. */
#define FAINT 1e-3

static void drop_faint(const curve_step *of, int32_t set, const char *amplitude)
{
    for (int32_t k = 0; k < of->n; k++) {
        const ew_view_step *at = of->record[k];
        const double *size = ew_view_find(at->set[set].n_number, at->set[set].number, amplitude, 3);
        const double most = size ? fmax(fabs(size[0]), fmax(fabs(size[1]), fabs(size[2]))) : 0.0;
        for (int c = 0; c < 3 && size; c++) {
            if (fabs(size[c]) < FAINT * most) {
                of->value[(size_t)c * (size_t)of->n + (size_t)k] = NAN;
            }
        }
    }
}

/* Of the body where set is negative; amplitude: of a phase, its number; null otherwise. */
static void add_number(page *to, const ew_result_view *view, const curve_step *of, int32_t set,
                       const char *number, const char *what, const char *unit, int n,
                       const char *amplitude)
{
    char title[160];
    for (int32_t k = 0; k < of->n; k++) {
        const ew_view_step *at = of->record[k];
        const double *found =
            set < 0 ? ew_view_find(at->n_number, at->number, number, n)
                    : ew_view_find(at->set[set].n_number, at->set[set].number, number, n);
        for (int c = 0; c < n; c++) {
            of->value[(size_t)c * (size_t)of->n + (size_t)k] = found ? found[c] : NAN;
        }
    }
    if (amplitude) {
        drop_faint(of, set, amplitude);
    }
    snprintf(title, sizeof title, set < 0 ? "%.60s" : "%.60s of '%.60s'", what,
             set < 0 ? "" : of->record[0]->set[set].name);
    add_lines(to, view, of, title, unit, n);
}

static void add_step(page *to, const ew_result_view *view, const curve_step *of)
{
    add_number(to, view, of, -1, "max_displacement", "largest displacement", "length", 1, NULL);
    add_number(to, view, of, -1, "max_von_mises", "largest von Mises stress", "force/length^2", 1,
               NULL);
    for (int32_t s = 0; s < of->record[0]->n_set && s < MAX_SETS; s++) {
        add_number(to, view, of, s, "mean_displacement", "amplitude", "length", 3, NULL);
        add_number(to, view, of, s, "mean_displacement_phase", "phase", NULL, 3,
                   "mean_displacement");
        add_number(to, view, of, s, "reaction_force", "amplitude of the reaction", "force", 3,
                   NULL);
        add_number(to, view, of, s, "reaction_force_phase", "phase of the reaction", NULL, 3,
                   "reaction_force");
    }
}

static ew_status take_step(const ew_view_step *first, int32_t n, curve_step *of)
{
    const char *blank = strrchr(first->name, ' ');
    snprintf(of->name, sizeof of->name, "%.*s", (int)(blank - first->name), first->name);
    of->n = n;
    EW_TRY(ew_new(&of->record, (size_t)n, sizeof *of->record));
    EW_TRY(ew_new(&of->frequency, (size_t)n, sizeof *of->frequency));
    EW_TRY(ew_new(&of->value, 3 * (size_t)n, sizeof *of->value));
    for (int32_t k = 0; k < n; k++) {
        of->record[k] = first + k;
    }
    qsort(of->record, (size_t)n, sizeof *of->record, compare);
    for (int32_t k = 0; k < n; k++) {
        of->frequency[k] = frequency_of(of->record[k]);
    }
    return EW_OK;
}

ew_status report_add_harmonic(page *to, const ew_result_view *view)
{
    bool any = false;
    for (int32_t k = 0, n; k < view->n_step; k += n) {
        const ew_view_step *step = &view->step[k];
        const bool is_first = place_in_step(step) == 1;
        for (n = 1; is_first && k + n < view->n_step &&
                    !strcmp(view->step[k + n].kind, step->kind) && place_in_step(&step[n]) == n + 1;
             n++) {
        }
        if (strcmp(step->kind, "harmonic") != 0 || n == 1) {
            continue;
        }
        curve_step of = {0};
        const ew_status status = take_step(step, n, &of);
        if (!status) {
            page_add(to, "%s", any ? "" : "<h2>Over frequency</h2>\n");
            any = true;
            add_step(to, view, &of);
        }
        ew_release(of.record);
        ew_release(of.frequency);
        ew_release(of.value);
        EW_TRY(status);
    }
    return EW_OK;
}
