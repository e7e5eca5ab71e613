/* Curves of a result. In: its steps and probes. Out: groups of curves, each over an axis of its
 * own: energies and probes over time, numbers of the steps over the steps. */
#include "result.h"

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

static cJSON *make_number(double value)
{
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

/* A group with its axis; the array of its curves is returned. */
static cJSON *add_group(cJSON *groups, const char *name, const char *unit, const char *axis,
                        const char *axis_unit, cJSON *value)
{
    cJSON *group = cJSON_CreateObject(), *of = cJSON_AddObjectToObject(group, "axis");
    (void)cJSON_AddStringToObject(group, "name", name);
    (void)cJSON_AddStringToObject(group, "unit", unit);
    (void)cJSON_AddStringToObject(of, "name", axis);
    (void)cJSON_AddStringToObject(of, "unit", axis_unit);
    (void)cJSON_AddItemToObject(of, "value", value);
    (void)cJSON_AddItemToArray(groups, group);
    return cJSON_AddArrayToObject(group, "curves");
}

static cJSON *add_curve(cJSON *curves, const char *name)
{
    cJSON *curve = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(curve, "name", name);
    (void)cJSON_AddItemToArray(curves, curve);
    return cJSON_AddArrayToObject(curve, "value");
}

/* ---- steps ------------------------------------------------------------------------------------
 */

static double number_of(const ew_view_step *step, const char *name)
{
    const double *found = ew_view_find(step->n_number, step->number, name, 1);
    return found ? *found : NAN;
}

static cJSON *make_numbers(const ew_result_view *view, int32_t first, int32_t n, const char *name)
{
    cJSON *list = cJSON_CreateArray();
    for (int32_t k = first; k < first + n; k++) {
        (void)cJSON_AddItemToArray(list, make_number(number_of(&view->step[k], name)));
    }
    return list;
}

/* Outputs of dynamic steps, which stand in a row. */
static bool add_energies(const ew_result_view *view, cJSON *groups)
{
    bool any = false;
    for (int32_t k = 0, n; k < view->n_step; k += n) {
        char title[120];
        for (n = 1; k + n < view->n_step && !strcmp(view->step[k + n].name, view->step[k].name);
             n++) {
        }
        if (strcmp(view->step[k].kind, "dynamic") != 0) {
            continue;
        }
        any = true;
        snprintf(title, sizeof title, "energy, step '%.80s'", view->step[k].name);
        cJSON *curves =
            add_group(groups, title, "", "time", view->time_unit, make_numbers(view, k, n, "time"));
        for (int c = 0; c < N_ENERGY; c++) {
            cJSON *value = add_curve(curves, energies[c].name);
            for (int32_t i = k; i < k + n; i++) {
                const double number = number_of(&view->step[i], energies[c].number);
                (void)cJSON_AddItemToArray(value, make_number(number));
            }
        }
    }
    return any;
}

/* Numbers that tell of the work of the program are left out. */
static bool is_shown(const char *name)
{
    static const char *const hidden[] = {"frame", "time", "mode", "limited_by_rounding"};
    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
        if (!strcmp(name, hidden[k])) {
            return false;
        }
    }
    return strncmp(name, "seconds_", 8) != 0;
}

static bool varies(const ew_result_view *view, const char *name)
{
    double low = INFINITY, high = -INFINITY;
    for (int32_t k = 0; k < view->n_step; k++) {
        const double value = number_of(&view->step[k], name);
        low = isfinite(value) ? fmin(low, value) : low;
        high = isfinite(value) ? fmax(high, value) : high;
    }
    return low < high;
}

/* Of each number that changes one group; those of the first step that has them all. */
static void add_steps(const ew_result_view *view, bool in_time, cJSON *groups)
{
    const ew_view_step *most = NULL;
    for (int32_t k = 0; k < view->n_step; k++) {
        most = !most || view->step[k].n_number > most->n_number ? &view->step[k] : most;
    }
    for (int32_t i = 0; most && i < most->n_number; i++) {
        const char *name = most->number[i].name;
        char title[EW_VIEW_NAME + 16];
        if (most->number[i].n != 1 || !is_shown(name) || !varies(view, name)) {
            continue;
        }
        look_write_name(name, 1, -1, title, sizeof title);
        cJSON *curves =
            add_group(groups, title, "", in_time ? "time" : "step", in_time ? view->time_unit : "",
                      make_numbers(view, 0, view->n_step, "time"));
        cJSON *value = add_curve(curves, "");
        for (int32_t k = 0; k < view->n_step; k++) {
            (void)cJSON_AddItemToArray(value, make_number(number_of(&view->step[k], name)));
        }
    }
}

/* ---- probes -----------------------------------------------------------------------------------
 */

static void write_unit(const ew_result_view *view, int quantity, char unit[160])
{
    const char *length = view->length_unit, *time = *view->time_unit ? view->time_unit : "time";
    unit[0] = '\0';
    if (quantity == 3) {
        snprintf(unit, 160, "%.40s", view->force_unit);
    } else if (*length) {
        snprintf(unit, 160,
                 quantity == 0   ? "%.40s"
                 : quantity == 1 ? "%.40s/%.40s"
                                 : "%.40s/%.40s^2",
                 length, time);
    }
}

static bool has_numbers(const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isfinite(value[i]) && value[i] != 0) {
            return true;
        }
    }
    return false;
}

static void add_probe(const ew_result_view *view, const ew_view_probe *probe, cJSON *groups)
{
    static const char *const names[] = {"displacement", "velocity", "acceleration", "reaction"};
    for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
        char title[200], unit[160];
        if (!has_numbers(probe->value[q], 3 * (size_t)probe->n)) {
            continue;
        }
        write_unit(view, q, unit);
        snprintf(title, sizeof title, "%s of '%.60s', step '%.60s'", names[q], probe->name,
                 probe->step);
        cJSON *curves = add_group(groups, title, unit, "time", view->time_unit,
                                  cJSON_CreateDoubleArray(probe->time, probe->n));
        for (int c = 0; c < 3; c++) {
            cJSON *value = add_curve(curves, (const char *const[]){"x", "y", "z"}[c]);
            for (int32_t i = 0; i < probe->n; i++) {
                (void)cJSON_AddItemToArray(value,
                                           make_number(probe->value[q][3 * (size_t)i + (size_t)c]));
            }
        }
    }
}

ew_status result_do_history(view_result *result, const cJSON *command, cJSON *answer)
{
    const ew_result_view *view = &result->file[0].view;
    int32_t n_probe = 0;
    ew_view_probe *probe = NULL;
    (void)command;
    EW_TRY(ew_result_read_probes(result->file[0].path, &n_probe, &probe));
    cJSON *groups = cJSON_AddArrayToObject(answer, "groups"),
          *frames = cJSON_AddArrayToObject(answer, "frames");
    const bool in_time = add_energies(view, groups);
    for (int32_t k = 0; k < n_probe; k++) {
        add_probe(view, &probe[k], groups);
    }
    ew_view_probes_free(n_probe, probe);
    add_steps(view, in_time, groups);
    for (int32_t k = 0; k < result_n_frame(result); k++) {
        const ew_view_step *step = result_step_of(view, k);
        (void)cJSON_AddItemToArray(frames, make_number(step ? number_of(step, "time") : NAN));
    }
    return EW_OK;
}
