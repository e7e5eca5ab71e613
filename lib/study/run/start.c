/* Where a study starts, and starts again: a model of the case's mesh with the materials, surfaces,
 * amplitudes and sets of the case. A study that will start again keeps a copy of the mesh, and one
 * that will do so often of all that models of it begin with. */
#include "study/run/run.h"

#include <string.h>

static bool has_region(const ew_mesh *mesh, int32_t label)
{
    for (int32_t r = 0; r < mesh->n_region; r++) {
        if (mesh->region_label[r] == label) {
            return true;
        }
    }
    return false;
}

static bool brings(const ew_case_edit *edit, int32_t region)
{
    const ew_operation *operation = edit->operation;
    bool found = ew_operation_parameter_of(operation, EW_PARAMETER_MESH) >= 0;
    for (int32_t k = 0; k < operation->n_parameter; k++) {
        found = found || (operation->parameter[k].is_new && edit->values.of[k].given &&
                          edit->values.of[k].whole == region);
    }
    return found;
}

/* An edit that reads a mesh may bring any region that is not there yet. */
static bool brings_region(const ew_case *input, int32_t region)
{
    bool found = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        for (int32_t e = 0; e < step->n_edit; e++) {
            found = found || brings(&step->edit[e], region);
        }
        for (int32_t e = 0; step->dynamic && e < step->dynamic->n_edit; e++) {
            found = found || brings(&step->dynamic->edit[e].edit, region);
        }
    }
    return found;
}

static ew_status set_materials(ew_study *study, const ew_mesh *mesh)
{
    const ew_case *input = study->input;
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_case_material *from = &input->material[i];
        if (!from->all_regions && !has_region(mesh, from->region) &&
            !brings_region(input, from->region)) {
            return ew_fail_at(EW_BAD_INPUT, from->line,
                              "the mesh has no region %d; its regions are listed by 'edgewise "
                              "info'",
                              from->region);
        }
    }
    return ew_study_set_laws(study, true);
}

static ew_status check_regions(const ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    for (int32_t r = 0; r < mesh->n_region; r++) {
        bool found = false;
        for (int32_t i = 0; i < study->input->n_material && !found; i++) {
            found = study->input->material[i].all_regions ||
                    study->input->material[i].region == mesh->region_label[r];
        }
        if (!found) {
            const int32_t label = mesh->region_label[r];
            return ew_fail_at(EW_BAD_INPUT, study->input->material[0].line,
                              "region %d of the mesh has no material; add one with 'region: %d'",
                              label, label);
        }
    }
    return EW_OK;
}

/* Whether all that is to be solved was solved by a thread of the sweep, and nothing but the answer
 * is looked at. */
static bool expects_answers(const ew_study *study)
{
    const ew_case *input = study->input;
    bool all = study->source && !study->def.verify_rebuild && !input->mixed &&
               study->def.preconditioner != EW_CHOLESKY;
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        all = all && !step->dynamic && !step->n_mode && !step->remove && !step->converge &&
              step->preconditioner != EW_CHOLESKY;
    }
    return all;
}

static ew_model_def model_def(const ew_study *study)
{
    return (ew_model_def){.device = study->def.device,
                          .precision = study->def.precision,
                          .reorder = true,
                          .expects_answers = expects_answers(study)};
}

/* What the model refuses of them belongs to the line of the material, where one alone has such. */
static ew_status define_axes(ew_study *study)
{
    const ew_case *input = study->input;
    int32_t n = 0, line = 0;
    for (int32_t i = 0; i < input->n_material; i++) {
        if (input->material[i].axes_file || input->material[i].axes_array) {
            line = input->material[i].line;
            n++;
        }
    }
    const ew_status status = ew_study_define_axes(study);
    return n == 1 ? ew_fail_line(status, line) : status;
}

/* All that the case says of a model, on its mesh as it began. */
static ew_status set_up(ew_study *study)
{
    const ew_case *input = study->input;
    ew_model_set_fill(study->model, study->def.fill);
    EW_TRY(set_materials(study, ew_model_mesh(study->model)));
    EW_TRY(check_regions(study));
    EW_TRY(define_axes(study));
    EW_TRY(study->quadratic ? ew_model_set_order(study->model, true) : EW_OK);
    EW_TRY(ew_model_set_kinematics(study->model, input->kinematics));
    EW_TRY(input->mixed ? ew_model_set_mixed(study->model, true) : EW_OK);
    EW_TRY(study->start ? ew_model_take_blocks(study->model, study->start) : EW_OK);
    EW_TRY(ew_new_zero(&study->lost_members, (size_t)input->n_set, sizeof *study->lost_members));
    EW_TRY(ew_study_define_surfaces(study));
    EW_TRY(ew_study_define_amplitudes(study));
    EW_TRY(ew_study_choose_labels(study));
    EW_TRY(ew_study_define_sets(study));
    EW_TRY(ew_study_check_labels(study));
    EW_TRY(ew_study_follow_groups(study));
    EW_TRY(ew_study_find_load_nodes(study));
    EW_TRY(ew_study_check_equations(study));
    return ew_study_report_sets(study, NULL);
}

ew_status ew_study_start(ew_study *study, ew_mesh *mesh)
{
    const ew_model_def def = model_def(study);
    study->quadratic = ew_study_begins_quadratic(&study->def, study->input, mesh, NULL);
    EW_TRY(ew_progress_report(&study->def.progress, "tables", -1));
    EW_TRY(ew_model_create(&study->model, mesh, &def));
    return set_up(study);
}

/* Releases data of the case that the model was made for. */
static void release_case(ew_study *study)
{
    ew_study_free_surfaces(study);
    ew_study_free_contacts(study);
    ew_study_free_amplitudes(study);
    ew_study_free_motion(study);
    ew_study_free_load_nodes(study);
    ew_release(study->label);
    ew_release(study->lost_members);
    ew_release(study->set);
    ew_release(study->set_report);
    study->label = NULL;
    study->lost_members = NULL;
    study->set = NULL;
    study->set_report = NULL;
    study->fields = NULL;
    study->measured.key = 0;
    study->modes = NULL;
    study->buckling = NULL;
    study->has_wanted_volume = false;
    study->largest_norm = 0.0;
}

void ew_study_release_model(ew_study *study)
{
    ew_model_free(study->model);
    study->model = NULL;
    release_case(study);
}

void ew_study_release_case(ew_study *study)
{
    if (study->start) {
        release_case(study);
    } else {
        ew_study_release_model(study);
    }
}

static ew_status start_from_copy(ew_study *study)
{
    ew_mesh mesh;
    EW_TRY(ew_mesh_copy(&mesh, &study->base));
    const ew_status status = ew_study_start(study, &mesh);
    ew_mesh_free(&mesh); /* where no model took it */
    return status;
}

ew_status ew_study_start_again(ew_study *study, const ew_case *input)
{
    const ew_model_def def = model_def(study);
    ew_study_release_case(study);
    ew_study_forget_preload(study);
    study->input = input;
    if (!study->start) {
        return start_from_copy(study);
    }
    study->quadratic = ew_study_begins_quadratic(&study->def, input, &study->base, NULL);
    EW_TRY(ew_progress_report(&study->def.progress, "tables", -1));
    const ew_status status = ew_model_start_from(&study->model, study->start, &def);
    if (status) {
        ew_study_release_model(study);
        return status;
    }
    return set_up(study);
}

static bool has_face_sets(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_set; s++) {
        any = any || input->set[s].kind == EW_SET_OF_FACES;
    }
    return any;
}

/* Blocks serve linear tets and linear statics on the host, whatever parameters say. */
ew_status ew_study_keep_start(ew_study *study)
{
    const ew_case *input = study->input;
    const bool has_blocks = !study->def.device &&
                            !ew_study_begins_quadratic(&study->def, input, &study->base, NULL) &&
                            !input->mixed && input->kinematics == EW_SMALL;
    const int32_t n = has_blocks ? input->n_material : 0;
    ew_model_template_material *list;
    EW_TRY(ew_new_zero(&list, (size_t)n, sizeof *list));
    for (int32_t i = 0; i < n; i++) {
        const ew_case_material *from = &input->material[i];
        list[i].region = from->all_regions ? EW_ALL_REGIONS : from->region;
        list[i].material = from->material;
        list[i].material.law = NULL; /* as ew_study_set_laws */
        list[i].material.n_hardening = 0;
    }
    const ew_status status =
        ew_model_template_create(&study->start, &study->base, has_face_sets(input), n, list);
    ew_release(list);
    return status;
}

ew_status ew_study_go_on(ew_study *study, const ew_case *input)
{
    EW_TRY(ew_study_keep_load_nodes(study, input));
    ew_study_free_amplitudes(study);
    ew_study_forget_preload(study);
    ew_model_forget_history(study->model);
    study->input = input;
    return ew_study_define_amplitudes(study);
}

ew_status ew_study_keep_answer(const ew_study *study, double **u)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const double *from = ew_model_displacement(study->model);
    const int64_t n_id = study->base.next_vertex_id;
    EW_TRY(ew_new_zero(u, (size_t)n_id, 3 * sizeof **u));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v) && mesh->vertex_id[v] < n_id) {
            memcpy(*u + 3 * (size_t)mesh->vertex_id[v], from + 3 * (size_t)v, 3 * sizeof **u);
        }
    }
    return EW_OK;
}

void ew_study_put_answer(ew_study *study, const double *u)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    double *to = ew_model_field(study->model, 0);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        memcpy(to + 3 * (size_t)v, u + 3 * (size_t)mesh->vertex_id[v], 3 * sizeof *u);
    }
}

void ew_study_free_start(ew_study *study)
{
    ew_study_release_model(study);
    ew_release(study->moves.made);
    ew_model_template_free(study->start);
    ew_mesh_free(&study->base);
}
