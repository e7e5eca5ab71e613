/* edgewise info CASE.yaml: the kind of tets, what the sets of the case catch on its mesh, and what its
 * steps do; nothing is solved. */
#include "study.h"

#include <string.h>

bool case_is_named(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

const char *study_elements(tool_study *study, const char **why_linear)
{
    const ew_study_def def = study_def_of(study);
    return ew_study_begins_quadratic(&def, &study->input, &study->mesh, why_linear) ? "quadratic"
           : study->input.mixed                                                     ? "mixed"
                                                                                    : "linear";
}

void study_print_elements(tool_study *study)
{
    const char *why = NULL;
    const char *kind = study_elements(study, &why);
    printf("elements           %s%s%s\n", kind, why ? ", for " : "", why ? why : "");
}

static void on_sets(void *user, int32_t n_set, const ew_set_report *set)
{
    const tool_study *study = user;
    if (n_set) {
        report_sets(&study->input, set, true);
    } else {
        puts("sets               none");
    }
}

static void print_mesh(tool_study *study)
{
    const ew_case *input = &study->input;
    const ew_mesh *mesh = &study->mesh;
    char tets[32], vertices[32];
    ew_mesh_measure measure;
    ew_mesh as_analyzed = *mesh; /* linear and mixed tets are straight */
    as_analyzed.n_curve = strcmp(study_elements(study, NULL), "quadratic") ? 0 : mesh->n_curve;
    ew_mesh_take_measure(&as_analyzed, &measure);
    printf("%s\n", study->case_path);
    printf("mesh               %s: %s tets, %s vertices, %d %s, volume %.6g\n",
           input->mesh_file ? input->mesh_file : input->surface_file,
           tool_count(mesh->n_live_tet, tets), tool_count(mesh->n_active_vertex, vertices),
           (int)mesh->n_region, mesh->n_region == 1 ? "region" : "regions", measure.volume);
    study_print_elements(study);
    printf("box                (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)\n", measure.low[0],
           measure.low[1], measure.low[2], measure.high[0], measure.high[1], measure.high[2]);
}

static void print_step(const ew_case *input, const ew_case_step *step)
{
    printf("  %s:", step->name);
    for (int32_t e = 0; e < step->n_edit; e++) {
        printf("%s %s", e ? "," : "", step->edit[e].operation->name);
    }
    for (int32_t d = 0; d < step->n_definition; d++) {
        const char *name = input->set[step->definition[d].set].name;
        printf("%s '%.60s'", d ? "," : step->n_edit ? "; sets" : " sets", name);
    }
    const bool first = !step->n_edit && !step->n_definition;
    printf("%s", first ? "" : ";");
    if (step->dynamic) {
        const ew_case_dynamic *of = step->dynamic;
        printf(" dynamic, %s, %d time steps of %.6g from %.6g to %.6g, %d outputs, %d probes",
               ew_scheme_of(of->def.scheme)->name, (int)of->n_step,
               (of->end - step->start) / of->n_step, step->start, of->end,
               (int)ew_case_n_output(step) + 1, (int)of->n_probe);
        for (int32_t e = 0; e < of->n_edit; e++) {
            printf("%s %s at %.6g", e ? "," : ";", of->edit[e].edit.operation->name,
                   of->edit[e].at);
        }
        puts("");
    } else {
        puts(step->has_static    ? " static"
             : step->is_buckling ? " buckling"
             : step->response    ? " response by modes"
             : step->n_mode      ? " modes"
                                 : " edits only");
    }
}

static ew_status print_case(tool_study *study)
{
    ew_text text = {0};
    ew_study *made = NULL;
    ew_study_def def = ew_default_study_def();
    def.user = study;
    def.on_sets = on_sets;
    def.read_text = study_read_text;
    EW_TRY(ew_file_read(study->case_path, &text));
    ew_status status = study_read_case(study, text.data, text.size);
    ew_text_free(&text);
    if (status) {
        return ew_fail_in_file(status, study->case_path);
    }
    EW_TRY(study_read_mesh(study));
    print_mesh(study);
    status = ew_study_create(&made, &study->input, &study->mesh, &def, NULL, NULL);
    ew_study_free(made);
    if (status) {
        return ew_fail_in_file(status, study->case_path);
    }
    report_notes(&study->input);
    puts("steps");
    for (int32_t s = 0; s < study->input.n_step; s++) {
        print_step(&study->input, &study->input.step[s]);
    }
    return EW_OK;
}

int case_info(const char *path)
{
    tool_study study = {.case_path = path, .options = {.operator_kind = -1}};
    const ew_status status = print_case(&study);
    ew_mesh_free(&study.mesh);
    ew_groups_free(&study.groups);
    ew_case_free(&study.input);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
