/* The case of a result, as it was at one of its records. In: the text that the file has, and the
 * parameters of the record. Out: the case. */
#include "report_page.h"

#include <math.h>
#include <string.h>

static ew_status read_with(const ew_case *first, const ew_view_step *step, const char *text,
                           ew_case *input)
{
    double value[EW_MAX_PARAMETERS_OF_CASE];
    char name[EW_VIEW_NAME];
    for (int32_t k = 0; k < first->n_parameter; k++) {
        snprintf(name, sizeof name, "parameter_%.40s", first->parameter[k].name);
        const double *of = ew_view_find(step->n_number, step->number, name, 1);
        value[k] = of ? *of : NAN;
    }
    const ew_case_def def = {.n_value = first->n_parameter, .value = value};
    return ew_case_read_with(text, strlen(text), &def, input);
}

ew_status report_read_case(const ew_result_view *view, const ew_view_step *step, ew_case *input)
{
    ew_case first;
    EW_TRY(ew_case_read(view->case_text, strlen(view->case_text), &first));
    if (!step || !first.n_parameter) {
        *input = first;
        return EW_OK;
    }
    const ew_status status = read_with(&first, step, view->case_text, input);
    ew_case_free(&first);
    return status;
}
