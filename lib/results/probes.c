/* Samples of probes in, a growing group below /Edgewise/Probes out: one dataset for the times and
 * one for each quantity. */
#include "results/internal.h"

#include <stdio.h>
#include <string.h>

static const char *const quantity[EW_PROBE_QUANTITIES] = {"displacement", "velocity",
                                                          "acceleration", "reaction"};

static void group_of(int32_t number, char group[EW_RESULT_PATH])
{
    snprintf(group, EW_RESULT_PATH, "/Edgewise/Probes/%06d", (int)number);
}

static ew_status add(ew_result *result, const char *step, const char *name)
{
    const int32_t number = result->n_probe;
    char group[EW_RESULT_PATH];
    EW_TRY(ew_grow(&result->probe, &result->probe_capacity, (int64_t)number + 1,
                   sizeof *result->probe));
    ew_probe_series *made = &result->probe[number];
    group_of(number, group);
    EW_TRY(ew_store_group(&result->store, group));
    EW_TRY(ew_store_text(&result->store, group, "name", name));
    EW_TRY(ew_store_text(&result->store, group, "step", step));
    ew_series_init(&made->time, EW_F64, 0, group, "time");
    for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
        ew_series_init(&made->value[q], EW_F64, 3, group, quantity[q]);
    }
    result->n_probe = number + 1;
    return ew_store_check(&result->store);
}

ew_status ew_result_add_probe(ew_result *result, const char *step, const char *name,
                              int32_t *number)
{
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    const ew_status status = ew_store_end(&result->store, &quiet, add(result, step, name));
    if (!status) {
        *number = result->n_probe - 1;
    }
    return status;
}

static ew_status append(ew_result *result, int32_t number, int32_t n, const double *time,
                        const double *value[EW_PROBE_QUANTITIES])
{
    ew_probe_series *to = &result->probe[number];
    EW_TRY(ew_series_append(&result->store, &to->time, time, n));
    for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
        EW_TRY(ew_series_append(&result->store, &to->value[q], value[q], n));
    }
    return ew_store_check(&result->store);
}

ew_status ew_result_append_probe(ew_result *result, int32_t number, int32_t n, const double *time,
                                 const double *value[EW_PROBE_QUANTITIES])
{
    if (number < 0 || number >= result->n_probe) {
        return ew_fail(EW_BAD_ARGUMENT, "probe %d: there are %d", (int)number,
                       (int)result->n_probe);
    }
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    return ew_store_end(&result->store, &quiet, append(result, number, n, time, value));
}

herr_t ew_probes_close(ew_result *result)
{
    herr_t code = 0;
    for (int32_t k = 0; k < result->n_probe; k++) {
        code |= ew_h5_close(&result->probe[k].time.set);
        for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
            code |= ew_h5_close(&result->probe[k].value[q].set);
        }
    }
    return code;
}
