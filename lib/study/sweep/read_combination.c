/* A combination of a sweep as a case. In: the case, the number of the combination. Out: the case
 * read again with its values; its values in words. */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The values of combination k for all parameters of the case; NaN: as the case says. */
static void list_values(const ew_case *input, int32_t k, double value[EW_MAX_PARAMETERS_OF_CASE])
{
    const ew_case_sweep *sweep = input->sweep;
    const double *row = sweep->value + (size_t)k * (size_t)sweep->n_parameter;
    for (int32_t i = 0; i < EW_MAX_PARAMETERS_OF_CASE; i++) {
        value[i] = NAN;
    }
    for (int32_t i = 0; i < sweep->n_parameter; i++) {
        value[sweep->parameter[i]] = row[i];
    }
}

/* "hole" of combination 7 is "hole #7". */
static ew_status name_steps(ew_case *input, int32_t k)
{
    ew_arena_block *arena = input->arena;
    ew_status status = EW_OK;
    for (int32_t s = 0; s < input->n_step && !status; s++) {
        char *name;
        const size_t size = strlen(input->step[s].name) + 16;
        status = ew_arena_take(&arena, size, &name);
        if (!status) {
            snprintf(name, size, "%s #%d", input->step[s].name, (int)k + 1);
            input->step[s].name = name;
        }
    }
    input->arena = arena;
    return status;
}

/* *given: the case of combination k, to be freed. */
ew_status ew_study_read_combination(const ew_case *input, int32_t k, ew_case *given)
{
    double value[EW_MAX_PARAMETERS_OF_CASE];
    list_values(input, k, value);
    EW_TRY(ew_case_read_again(input, input->n_parameter, value, given));
    const ew_status status = name_steps(given, k);
    if (status) {
        ew_case_free(given);
    }
    return status;
}

/* In place of a combination that cannot be read: the case as it stands, with those values that are
 * known. */
ew_status ew_study_read_stand_in(const ew_case *input, int32_t k, ew_case *given)
{
    double value[EW_MAX_PARAMETERS_OF_CASE] = {0.0};
    EW_TRY(ew_case_read_again(input, 0, value, given));
    list_values(input, k, value);
    for (int32_t i = 0; i < given->n_parameter; i++) {
        ew_case_parameter *parameter = &given->parameter[i];
        parameter->value = isnan(value[i]) && !parameter->follows ? parameter->value : value[i];
    }
    const ew_status status = name_steps(given, k);
    if (status) {
        ew_case_free(given);
    }
    return status;
}

/* Failures that a combination causes; other failures end the run. */
bool ew_study_blames_combination(ew_status status)
{
    return status != EW_NO_MEMORY && status != EW_IO && status != EW_CANCELED &&
           status != EW_DEVICE;
}

/* "radius = 12, young = 2e+11: why". */
void ew_study_describe_combination(const ew_case *input, int32_t k, const char *why,
                                   char text[STUDY_FAILURE_TEXT])
{
    double value[EW_MAX_PARAMETERS_OF_CASE];
    size_t n = 0;
    text[0] = 0;
    list_values(input, k, value);
    for (int32_t i = 0; i < input->n_parameter && n < STUDY_FAILURE_TEXT / 2; i++) {
        if (!isnan(value[i])) {
            n += (size_t)snprintf(text + n, STUDY_FAILURE_TEXT - n, "%s%s = %.10g", n ? ", " : "",
                                  input->parameter[i].name, value[i]);
        }
    }
    snprintf(text + n, STUDY_FAILURE_TEXT - n, "%s%s", n ? ": " : "", why);
}
