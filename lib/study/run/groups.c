/* Named groups of a mesh while it is edited. In: groups, by labels or lists of ids. Out: sets of
 * the model that edits it, and the groups as the edits left them. */
#include "study/run/run.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of groups ------------------------------------------------------------------ */

static const ew_set_kind set_kind[] = {EW_SET_OF_VERTICES, EW_SET_OF_FACES, EW_SET_OF_TETS};

ew_status ew_group_as_set(const ew_group *group, ew_model *model, int32_t *set)
{
    const ew_model_set_def def = {.kind = set_kind[group->kind], .allow_empty = true};
    const ew_selector selector = ew_group_selector(group);
    return ew_model_select_set(model, &def, &selector, set);
}

ew_status ew_groups_follow(const ew_groups *groups, ew_model *model, int32_t *set)
{
    for (int32_t g = 0; g < groups->n; g++) {
        const ew_group *group = &groups->group[g];
        set[g] = -1;
        EW_TRY(group->is_label ? EW_OK : ew_group_as_set(group, model, &set[g]));
    }
    return EW_OK;
}

/* ---- after edits ------------------------------------------------------------------------ */

static int by_id(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static ew_status take_ids(ew_group *group, const ew_model *model, int32_t set)
{
    const bool tets = group->kind == EW_GROUP_TETS;
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list member = {0};
    ew_status status = tets ? ew_model_list_tets(model, set, &member)
                            : ew_model_list_vertices(model, set, &member);
    group->n_id = 0;
    for (int32_t i = 0; i < member.n && !status; i++) {
        const int32_t slot = member.id[i];
        status = ew_group_push(group, tets ? mesh->tet_id[slot] : mesh->vertex_id[slot]);
    }
    if (group->n_id) {
        qsort(group->id, (size_t)group->n_id, sizeof *group->id, by_id);
    }
    ew_list_free(&member);
    return status;
}

ew_status ew_groups_take(ew_groups *groups, const ew_model *model, const int32_t *set)
{
    for (int32_t g = 0; g < groups->n; g++) {
        ew_group *group = &groups->group[g];
        EW_TRY(group->is_label ? EW_OK : take_ids(group, model, set[g]));
    }
    return EW_OK;
}

ew_status ew_groups_name_surface(ew_groups *groups, const ew_operation *operation,
                                 const ew_operation_values *values)
{
    const int32_t name = ew_operation_parameter_of(operation, EW_PARAMETER_NAME);
    const int32_t label = ew_operation_parameter(operation, "label");
    if (name < 0 || label < 0 || !values->of[name].given) {
        return EW_OK;
    }
    char clean[EW_GROUP_NAME];
    ew_group_clean_name(values->of[name].text, clean);
    return ew_groups_find(groups, EW_GROUP_FACES, clean)
               ? EW_OK
               : ew_groups_name_label(groups, EW_GROUP_FACES, (int32_t)values->of[label].whole,
                                      clean);
}

/* ---- in a study ----------------------------------------------------------------------------- */

ew_status ew_study_follow_groups(ew_study *study)
{
    const ew_groups *groups = study->def.groups;
    if (!groups) {
        return EW_OK;
    }
    ew_release(study->group_set);
    study->group_set = NULL;
    EW_TRY(ew_new(&study->group_set, (size_t)groups->n, sizeof *study->group_set));
    EW_TRY(ew_groups_follow(groups, study->model, study->group_set));
    for (int32_t g = 0; g < groups->n; g++) { /* so that they change no results */
        if (study->group_set[g] >= 0) {
            ew_model_release_set_boundary(study->model, study->group_set[g]);
        }
    }
    return EW_OK;
}

ew_status ew_study_take_groups(ew_study *study)
{
    const ew_case *input = study->input;
    ew_groups *groups = study->def.groups;
    if (!groups) {
        return EW_OK;
    }
    EW_TRY(ew_groups_take(groups, study->model, study->group_set));
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            const ew_case_edit *edit = &input->step[s].edit[e];
            const ew_operation_values values = ew_study_values(study, edit);
            EW_TRY(ew_groups_name_surface(groups, edit->operation, &values));
        }
    }
    return EW_OK;
}
