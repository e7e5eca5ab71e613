/* Supports and loads of a result, for the symbols of the page. In: the case that the file holds,
 * and the step of the present frame. Out: the lists of the state, as of a body that is played with.
 */
#include "report_page.h"
#include "result.h"

#include <string.h>

void result_read_case(view_result *result)
{
    const char *text = result->file[0].view.case_text;
    /* A case that names groups of its mesh is not read without that, and has no symbols. */
    result->has_case = text && !ew_case_read(text, strlen(text), &result->input);
}

void result_free_case(view_result *result)
{
    if (result->has_case) {
        ew_case_free(&result->input);
    }
    result->has_case = false;
}

static const ew_case_step *find_step(const view_result *result)
{
    const ew_view_step *shown = result_step_of(&result->file[0].view, result->frame);
    for (int32_t s = 0; shown && s < result->input.n_step; s++) {
        if (report_is_of_step(shown, result->input.step[s].name)) {
            return &result->input.step[s];
        }
    }
    return NULL;
}

static const char *name_of(const ew_case *input, int32_t set)
{
    return set >= 0 ? input->set[set].name : "";
}

static void add_supports(const ew_case *input, int32_t n, const ew_case_constraint *constraint,
                         cJSON *list)
{
    for (int32_t i = 0; i < n; i++) {
        cJSON *one = cJSON_CreateObject(), *fixed = cJSON_CreateArray();
        for (int c = 0; c < 3; c++) {
            const bool is_fixed = constraint[i].is_spring || (constraint[i].fixed >> c & 1);
            (void)cJSON_AddItemToArray(fixed, cJSON_CreateBool(is_fixed));
        }
        (void)cJSON_AddStringToObject(one, "set", name_of(input, constraint[i].set));
        (void)cJSON_AddItemToObject(one, "fixed", fixed);
        (void)cJSON_AddItemToArray(list, one);
    }
}

static void add_loads(const ew_case *input, int32_t n, const ew_case_load *load, cJSON *list)
{
    for (int32_t i = 0; i < n; i++) {
        const ew_model_load *as = &load[i].as;
        const char *type = load[i].surface || load[i].nodes ? NULL : view_load_name(as);
        const bool is_pressure = as->kind == EW_LOAD_PRESSURE;
        if (!type) {
            continue; /* of temperatures, of fine surfaces: no arrow says what they are */
        }
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "type", type);
        (void)cJSON_AddStringToObject(one, "set", name_of(input, as->set));
        (void)cJSON_AddItemToObject(
            one, "value",
            cJSON_CreateDoubleArray(is_pressure ? &as->pressure : as->vector, is_pressure ? 1 : 3));
        (void)cJSON_AddItemToArray(list, one);
    }
}

void result_add_supports(const view_result *result, cJSON *all)
{
    const ew_case *input = &result->input;
    const ew_case_step *step = result->has_case ? find_step(result) : NULL;
    cJSON *supports = cJSON_AddArrayToObject(all, "supports"),
          *loads = cJSON_AddArrayToObject(all, "loads");
    if (!step) {
        return;
    }
    add_supports(input, step->own_constraints ? step->n_constraint : input->n_constraint,
                 step->own_constraints ? step->constraint : input->constraint, supports);
    add_loads(input, step->own_loads ? step->n_load : input->n_load,
              step->own_loads ? step->load : input->load, loads);
}
