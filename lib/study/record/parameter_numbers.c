/* Numbers of a record of a sweep or a case with parameters: their values, which combination it is,
 * and what a search looks at. In: a study at a record. Out: numbers with their names. */
#include "study/run/run.h"

#include <stdio.h>

/* goal_NAME, goal_NAME_bound where there is one, goal_NAME_by_PARAMETER. */
static int32_t list_goals(const ew_study *study, study_parameter_names *names,
                          ew_result_number *list)
{
    int32_t n = 0;
    for (int32_t i = 0; i < study->report.n_goal; i++) {
        const ew_goal_report *of = &study->report.goal[i];
        snprintf(names->goal[n], sizeof names->goal[n], "goal_%s", of->goal->name);
        list[n] = (ew_result_number){names->goal[n], 1, &of->value};
        n++;
        if (of->bound > 0.0) {
            snprintf(names->goal[n], sizeof names->goal[n], "goal_%s_bound", of->goal->name);
            list[n] = (ew_result_number){names->goal[n], 1, &of->bound};
            n++;
        }
        for (int32_t k = 0; k < of->goal->n_by; k++) {
            snprintf(names->goal[n], sizeof names->goal[n], "goal_%s_by_%s", of->goal->name,
                     study->input->parameter[of->goal->by[k]].name);
            list[n] = (ew_result_number){names->goal[n], 1, &of->derivative[k]};
            n++;
        }
    }
    return n;
}

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
    return n + list_goals(study, names, list + n);
}
