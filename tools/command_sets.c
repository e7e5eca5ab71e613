/* Sets of an editing command. In: the groups of a mesh file, selections of options. Out: sets of
 * the model that makes the edit, and the groups as the edit left them. */
#include "command_sets.h"

ew_status command_sets_begin(command_sets *sets, ew_model *model, ew_groups *groups)
{
    *sets = (command_sets){.model = model, .groups = groups};
    EW_TRY(ew_new(&sets->of_group, (size_t)groups->n, sizeof *sets->of_group));
    return ew_groups_follow(groups, model, sets->of_group);
}

/* ---- what options choose -------------------------------------------------- */

/* kind: of those of the name; -1: whichever there is, if there is one. */
static ew_status find_group(const command_sets *sets, const char *name, int32_t kind, int32_t *g)
{
    int32_t n = 0;
    for (int32_t k = 0; k < 3; k++) {
        const ew_group *group = ew_groups_find(sets->groups, (ew_group_kind)k, name);
        if (group && (kind < 0 || k == kind)) {
            *g = (int32_t)(group - sets->groups->group);
            n++;
        }
    }
    if (n > 1) {
        return ew_fail(EW_BAD_INPUT, "the mesh has several groups with the name '%.60s'", name);
    }
    return n ? EW_OK
             : ew_fail(EW_BAD_INPUT,
                       "the mesh has no group%s with the name '%.60s'; 'edgewise info' lists them",
                       kind == EW_GROUP_TETS ? " of tets" : "", name);
}

/* As in a case, a surface is a set of faces and all else one of vertices. */
ew_status command_sets_choose(command_sets *sets, selection *where, const char *option,
                              int32_t *set)
{
    const ew_model_set_def def = {.kind = where->has_surface ? EW_SET_OF_FACES : EW_SET_OF_VERTICES,
                                  .allow_empty = true};
    int32_t n, g = 0;
    if (where->has_group) {
        EW_TRY(find_group(sets, where->group, -1, &g));
        EW_TRY(sets->of_group[g] < 0
                   ? ew_group_as_set(&sets->groups->group[g], sets->model, &sets->of_group[g])
                   : EW_OK);
        *set = sets->of_group[g];
    } else {
        ew_selector selector;
        EW_TRY(selection_make(where, &selector, &n));
        EW_TRY(ew_model_select_set(sets->model, &def, &selector, set));
    }
    return ew_model_view_set(sets->model, *set).n_active
               ? EW_OK
               : selection_refuse_empty(where, option,
                                        where->has_surface ? "boundary faces" : "vertices");
}

ew_status command_sets_tets(const command_sets *sets, const selection *where, ew_selector *selector)
{
    int32_t g = 0;
    if (where->has_group) {
        EW_TRY(find_group(sets, where->group, EW_GROUP_TETS, &g));
        *selector = ew_group_selector(&sets->groups->group[g]);
    }
    return EW_OK;
}

/* ---- what the edit makes ------------------------------------------------------ */

static bool has_label(const command_sets *sets, int32_t label)
{
    return ew_groups_label_name(sets->groups, EW_GROUP_FACES, label) ||
           ew_faces_have_label(ew_model_mesh(sets->model), label);
}

ew_status command_sets_label(command_sets *sets, const ew_operation *operation,
                             ew_operation_values *values)
{
    const int32_t name = ew_operation_parameter_of(operation, EW_PARAMETER_NAME);
    const int32_t at = ew_operation_parameter(operation, "label");
    if (name < 0 || at < 0 || !values->of[name].given) {
        return EW_OK;
    }
    ew_parameter_value *label = &values->of[at];
    int32_t own = EW_FIRST_NAMED_LABEL;
    while (!label->given && has_label(sets, own)) {
        own++;
    }
    sets->label = label->given ? 0 : own;
    label->whole = label->given ? label->whole : own;
    return ew_groups_check_label(sets->groups, (int32_t)label->whole, values->of[name].text);
}

void command_sets_tell(const command_sets *sets, const ew_operation *operation,
                       const ew_operation_values *values)
{
    const int32_t name = ew_operation_parameter_of(operation, EW_PARAMETER_NAME);
    if (sets->label > EW_FIRST_NAMED_LABEL) {
        printf("%s: the faces of '%.60s' have label %d, since %d is taken\n", operation->name,
               values->of[name].text, (int)sets->label, EW_FIRST_NAMED_LABEL);
    }
}

/* ---- after the edit --------------------------------------------------------- */

ew_status command_sets_end(command_sets *sets, const ew_operation *operation,
                           const ew_operation_values *values)
{
    EW_TRY(ew_groups_take(sets->groups, sets->model, sets->of_group));
    return ew_groups_name_surface(sets->groups, operation, values);
}

void command_sets_free(command_sets *sets)
{
    ew_release(sets->of_group);
    *sets = (command_sets){0};
}
