/* Numbers of a record of a sweep or a case with parameters: their values, which combination it is,
 * and what a search looks at. In: a study at a record. Out: numbers with their names. */
#include "study/run/run.h"

#include <stdio.h>

int32_t ew_study_parameter_numbers(const ew_study *study, const ew_case *input,
                                   study_parameter_names *names, ew_result_number *list)
{
    int32_t n = 0;
    for (; n < input->n_parameter; n++) {
        snprintf(names->name[n], sizeof names->name[n], "parameter_%s", input->parameter[n].name);
        list[n] = (ew_result_number){names->name[n], 1, &input->parameter[n].value};
    }
    names->combination = study->combination;
    if (study->combination) {
        list[n++] = (ew_result_number){"combination", 1, &names->combination};
    }
    if (study->report.is_judged) {
        list[n++] = (ew_result_number){"objective", 1, &study->report.objective};
        list[n++] = (ew_result_number){"violation", 1, &study->report.violation};
    }
    names->goes_on = study->moves.before != NULL;
    if (study->combination && study->sweep_start == EW_SWEEP_CONTINUE) {
        list[n++] = (ew_result_number){"goes_on", 1, &names->goes_on};
    }
    return n;
}
