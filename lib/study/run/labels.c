/* Labels of the faces that edits make and name. In: the case, the mesh as it begins. Out: for each
 * such edit without a label of its own the next one from EW_FIRST_NAMED_LABEL on that no face of
 * the mesh has and no edit of the case asks for; what the groups of the mesh refuse. Commands that
 * edit a mesh do the same (tools/command_sets.c). */
#include "study/run/run.h"

#include <string.h>

ew_status ew_groups_check_label(const ew_groups *groups, int32_t label, const char *name)
{
    char clean[EW_GROUP_NAME];
    const char *other = ew_groups_label_name(groups, EW_GROUP_FACES, label);
    ew_group_clean_name(name, clean);
    const ew_group *group = ew_groups_find(groups, EW_GROUP_FACES, clean);
    if (group && group->label != label) {
        return ew_fail(EW_BAD_INPUT,
                       "faces with label %d have the name '%.60s' already; take another name, or "
                       "label %d to add to them",
                       (int)group->label, clean, (int)group->label);
    }
    return other && strcmp(other, clean) != 0
               ? ew_fail(
                     EW_BAD_INPUT,
                     "faces with label %d have the name '%.60s' already; take another label, or "
                     "that name to add to them",
                     (int)label, other)
               : EW_OK;
}

bool ew_faces_have_label(const ew_mesh *mesh, int32_t label)
{
    bool has = false;
    for (int32_t f = 0; f < mesh->n_face && !has; f++) {
        has = mesh->face_label[f] == label;
    }
    return has;
}

/* Of an edit that names what it makes: the value of its label, else null. */
static const ew_parameter_value *label_of(const ew_case_edit *edit)
{
    const int32_t name = ew_operation_parameter_of(edit->operation, EW_PARAMETER_NAME);
    const int32_t at = ew_operation_parameter(edit->operation, "label");
    const bool names = name >= 0 && at >= 0 && edit->values.of[name].given;
    return names ? &edit->values.of[at] : NULL;
}

static bool is_asked_for(const ew_case *input, int32_t label)
{
    bool asked = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            const ew_parameter_value *own = label_of(&input->step[s].edit[e]);
            asked = asked || (own && own->given && own->whole == label);
        }
    }
    return asked;
}

static int32_t count_automatic(const ew_case *input)
{
    int32_t n = 0;
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            const ew_parameter_value *own = label_of(&input->step[s].edit[e]);
            n += own && !own->given;
        }
    }
    return n;
}

int32_t ew_study_label(const ew_study *study, int32_t label)
{
    return study->label[label - EW_FIRST_NAMED_LABEL];
}

ew_operation_values ew_study_values(const ew_study *study, const ew_case_edit *edit)
{
    ew_operation_values values = edit->values;
    const ew_parameter_value *own = label_of(edit);
    if (own && !own->given) {
        values.of[own - edit->values.of].whole = ew_study_label(study, (int32_t)own->whole);
    }
    return values;
}

ew_status ew_study_choose_labels(ew_study *study)
{
    const ew_case *input = study->input;
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const int32_t n = count_automatic(input);
    int32_t next = EW_FIRST_NAMED_LABEL;
    EW_TRY(ew_new(&study->label, (size_t)n, sizeof *study->label));
    for (int32_t k = 0; k < n; k++, next++) {
        while (ew_faces_have_label(mesh, next) || is_asked_for(input, next)) {
            next++;
        }
        study->label[k] = next;
    }
    return EW_OK;
}

void ew_study_tell_label(ew_study *study, const ew_case_edit *edit)
{
    const ew_parameter_value *own = label_of(edit);
    if (own && !own->given && ew_study_label(study, (int32_t)own->whole) != own->whole) {
        const int32_t name = ew_operation_parameter_of(edit->operation, EW_PARAMETER_NAME);
        ew_study_warn(study, EW_WARNING_LABEL, edit->line,
                      "%s: the faces of '%.60s' have label %d, since %d is taken",
                      edit->operation->name, edit->values.of[name].text,
                      (int)ew_study_label(study, (int32_t)own->whole), (int)own->whole);
    }
}

/* ---- beside the names that the mesh has ---------------------------------------------------------
 */

static ew_status check_label(const ew_study *study, const ew_case_edit *edit)
{
    const ew_parameter_value *own = label_of(edit);
    if (!own || !study->def.groups) {
        return EW_OK;
    }
    const int32_t name = ew_operation_parameter_of(edit->operation, EW_PARAMETER_NAME);
    const int32_t label =
        own->given ? (int32_t)own->whole : ew_study_label(study, (int32_t)own->whole);
    return ew_groups_check_label(study->def.groups, label, edit->values.of[name].text);
}

ew_status ew_study_check_labels(const ew_study *study)
{
    const ew_case *input = study->input;
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            const ew_status status = check_label(study, &input->step[s].edit[e]);
            ew_fail_line(status, input->step[s].edit[e].line);
            EW_TRY(status);
        }
    }
    return EW_OK;
}
