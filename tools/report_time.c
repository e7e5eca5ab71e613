/* The part of a report page on dynamic steps: energies at the outputs and what the probes saw, over
 * time. */
#include "page.h"
#include "report_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *number, *name;
} energies[] = {{"kinetic_energy", "kinetic"},         {"strain_energy", "strain"},
                {"damping_work", "taken by damping"},  {"external_work", "work of loads"},
                {"edit_work", "brought by edits"},     {"energy_balance", "balance"},
                {"friction_work", "taken by friction"}};
enum { N_ENERGY = sizeof energies / sizeof *energies };

/* The outputs of a step, which stand in a row from `first` on. */
static ew_status add_energies(page *to, const ew_result_view *view, int32_t first, int32_t n)
{
    double *value;
    page_curve curve[N_ENERGY];
    EW_TRY(ew_new(&value, (size_t)n * (N_ENERGY + 1), sizeof *value));
    for (int32_t k = 0; k < n; k++) {
        const ew_view_step *step = &view->step[first + k];
        const double *time = ew_view_find(step->n_number, step->number, "time", 1);
        value[k] = time ? *time : k;
        for (int c = 0; c < N_ENERGY; c++) {
            const double *found = ew_view_find(step->n_number, step->number, energies[c].number, 1);
            value[(size_t)(c + 1) * (size_t)n + (size_t)k] = found ? *found : NAN;
        }
    }
    for (int c = 0; c < N_ENERGY; c++) {
        curve[c] = (page_curve){energies[c].name, value + (size_t)(c + 1) * (size_t)n, 1};
    }
    char title[120], unit[EW_UNIT_TEXT];
    report_unit_of(view, "force*length", unit);
    snprintf(title, sizeof title, "energy, step '%.80s'", view->step[first].name);
    const page_lines chart = {.title = title,
                              .unit = unit,
                              .axis = "time",
                              .time_unit = view->time_unit,
                              .n = n,
                              .time = value,
                              .n_curve = N_ENERGY,
                              .curve = curve};
    page_add_lines(to, &chart);
    ew_release(value);
    return EW_OK;
}

static void add_probe(page *to, const ew_result_view *view, const ew_view_probe *probe)
{
    static const char *const names[] = {"displacement", "velocity", "acceleration", "reaction"};
    const char *length = view->length_unit, *time = view->time_unit;
    char unit[EW_PROBE_QUANTITIES][160] = {"", "", "", ""};
    if (*length) {
        snprintf(unit[0], sizeof unit[0], "%.40s", length);
        snprintf(unit[1], sizeof unit[1], "%.40s/%.40s", length, *time ? time : "time");
        snprintf(unit[2], sizeof unit[2], "%.40s/%.40s^2", length, *time ? time : "time");
    }
    snprintf(unit[3], sizeof unit[3], "%.40s", view->force_unit);
    for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
        const double *value = probe->value[q];
        bool any = false;
        for (size_t i = 0; i < 3 * (size_t)probe->n; i++) {
            any = any || (isfinite(value[i]) && value[i] != 0);
        }
        const page_curve curve[3] = {{"x", value, 3}, {"y", value + 1, 3}, {"z", value + 2, 3}};
        char title[200];
        snprintf(title, sizeof title, "%s of '%.60s', step '%.60s'", names[q], probe->name,
                 probe->step);
        const page_lines chart = {.title = title,
                                  .unit = unit[q],
                                  .axis = "time",
                                  .time_unit = time,
                                  .n = probe->n,
                                  .time = probe->time,
                                  .n_curve = 3,
                                  .curve = curve};
        if (any) {
            page_add_lines(to, &chart);
        }
    }
}

ew_status report_add_time(page *to, const char *path, const ew_result_view *view)
{
    int32_t n_probe = 0;
    ew_view_probe *probe = NULL;
    bool any = false;
    ew_status status = EW_OK;
    for (int32_t k = 0, n; k < view->n_step && !status; k += n) {
        const ew_view_step *step = &view->step[k];
        for (n = 1; k + n < view->n_step && !strcmp(view->step[k + n].name, step->name); n++) {
        }
        if (!strcmp(step->kind, "dynamic")) {
            page_add(to, "%s", any ? "" : "<h2>Over time</h2>\n");
            any = true;
            status = add_energies(to, view, k, n);
        }
    }
    if (!status && any) {
        status = ew_result_read_probes(path, &n_probe, &probe);
    }
    for (int32_t k = 0; k < n_probe; k++) {
        add_probe(to, view, &probe[k]);
    }
    ew_view_probes_free(n_probe, probe);
    return status;
}
