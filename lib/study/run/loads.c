/* The loads of a step: those of the case or its own, as loads of the model over the sets as they
 * are; what each of them adds up to, and a warning of those that cannot strain the body. */
#include "study/run/run.h"

#include <string.h>

/* Losses of the edits are counted in the loads of the step, but not where their sets are made after
 * these edits. */
static bool is_remade(const ew_study *study, const ew_case_step *step, int32_t set)
{
    bool remade = set >= 0 && study->input->set[set].step == study->n_done;
    for (int32_t i = 0; i < step->n_definition; i++) {
        remade = remade || step->definition[i].set == set;
    }
    return remade;
}

/* edited: the edits of the step are done. */
ew_status ew_study_set_loads(ew_study *study, const ew_case_step *step, bool edited)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    const int32_t n = step->own_loads ? step->n_load : study->input->n_load;
    EW_TRY(ew_grow(&study->load, &study->load_capacity, (int64_t)n + 2 * study->input->n_tie,
                   sizeof *study->load));
    int32_t n_used = 0;
    for (int32_t i = 0; i < n; i++) {
        ew_model_load *load = &study->load[n_used];
        const int32_t set = list[i].as.set;
        if (!edited && is_remade(study, step, set)) {
            continue;
        }
        memcpy(load, &list[i].as, sizeof *load); /* compared as bytes */
        load->amplitude = list[i].amplitude + 1;
        if (edited && set >= 0) {
            EW_TRY(ew_study_require_members(study, set, list[i].line));
        }
        if (set >= 0 && !ew_case_load_acts_on(load->kind, study->input->set[set].kind)) {
            EW_TRY(ew_study_vertices_of(study, set, &load->set));
        }
        if (list[i].nodes) {
            load->nodes = &study->load_nodes[list[i].nodes - 1];
            load->field = study->load_field[list[i].nodes - 1];
        }
        if (list[i].surface) {
            EW_TRY(ew_study_load_surface(study, &list[i], load));
        }
        n_used++;
    }
    EW_TRY(edited ? ew_study_put_tensions(study, study->load, &n_used) : EW_OK);
    return ew_model_set_loads(study->model, n_used, study->load);
}

/* Errors of a load name its line. */
ew_status ew_study_update_loads(ew_study *study, const ew_case_step *step)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    const int32_t n = step->own_loads ? step->n_load : study->input->n_load;
    int32_t place;
    const ew_status status = ew_model_update_loads(study->model, &place);
    return status && place >= 0 && place < n ? ew_fail_line(status, list[place].line) : status;
}

/* ---- loads on fixed sets -----------------------------------------------------------------------
 */

/* Components in which a load has nodal forces, as bits along the global axes. */
static uint8_t components_of(const ew_model_load *load)
{
    const bool is_vector = load->kind == EW_LOAD_TOTAL_FORCE || load->kind == EW_LOAD_FORCE ||
                           load->kind == EW_LOAD_TRACTION;
    uint8_t bits = 0;
    for (int c = 0; c < 3; c++) {
        bits |= (uint8_t)(load->vector[c] != 0.0 ? 1 << c : 0);
    }
    return is_vector && load->axes.kind == EW_AXES_GLOBAL ? bits : 7;
}

/* Whether the set has all of the listed vertices. */
static ew_status holds_all(const ew_study *study, int32_t set, const ew_list *vertex, bool *holds)
{
    ew_list own = {0};
    const ew_model_set about = ew_model_view_set(study->model, set);
    *holds = vertex->n > 0;
    if (about.kind == EW_SET_OF_VERTICES) {
        for (int32_t k = 0; k < vertex->n && *holds; k++) {
            *holds = ew_set_has(about.member, vertex->id[k]);
        }
        return EW_OK;
    }
    const ew_status status = ew_model_list_vertices(study->model, set, &own);
    for (int32_t k = 0, j = 0; !status && k < vertex->n && *holds; k++) {
        while (j < own.n && own.id[j] < vertex->id[k]) {
            j++;
        }
        *holds = j < own.n && own.id[j] == vertex->id[k];
    }
    ew_list_free(&own);
    return status;
}

/* Components that constraints fix at all of these vertices. A constraint of all of them fixes the
 * edges between them, too. Directions that are no axes are counted where all three are fixed. */
static ew_status find_fixed(const ew_study *study, const ew_case_step *step, const ew_list *vertex,
                            uint8_t *fixed)
{
    const ew_case_constraint *list =
        step->own_constraints ? step->constraint : study->input->constraint;
    const int32_t n = step->own_constraints ? step->n_constraint : study->input->n_constraint;
    *fixed = 0;
    for (int32_t i = 0, place = 0; i < n && *fixed != 7; i++) {
        bool holds = false;
        if (list[i].is_spring) {
            continue;
        }
        const ew_model_constraint *at = &study->constraint[place++];
        if (at->fixed == 7 || at->axes.kind == EW_AXES_GLOBAL) {
            EW_TRY(holds_all(study, at->set, vertex, &holds));
        }
        *fixed |= holds ? at->fixed : 0;
    }
    return EW_OK;
}

static bool acts_on_vertices(const ew_case_load *load)
{
    return load->as.set >= 0 && !load->surface && load->as.kind != EW_LOAD_TEMPERATURE;
}

/* Loads that cannot load the body, because constraints fix all of their set. */
static ew_status warn_of_fixed_sets(ew_study *study, const ew_case_step *step)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    for (int32_t i = 0; i < study->report.n_load; i++) {
        const double *force = study->load_report[i].force;
        const uint8_t needed = components_of(&study->load[i]);
        ew_list vertex = {0};
        uint8_t fixed = 0;
        if (!needed || !acts_on_vertices(&list[i])) {
            continue;
        }
        ew_status status = ew_model_list_vertices(study->model, study->load[i].set, &vertex);
        status = status ? status : find_fixed(study, step, &vertex, &fixed);
        ew_list_free(&vertex);
        EW_TRY(status);
        if ((fixed & needed) == needed) {
            ew_study_warn(study, EW_WARNING_FIXED_LOAD, list[i].line,
                          "the %s on '%.60s' (line %d) acts where 'constraints' fix the body: its "
                          "force (%.4g, %.4g, %.4g) goes straight into the support and strains "
                          "nothing; check the two sets",
                          ew_load_traits_of(list[i].as.kind)->name,
                          study->input->set[list[i].as.set].name, (int)list[i].line, force[0],
                          force[1], force[2]);
        }
    }
    return EW_OK;
}

ew_status ew_study_report_loads(ew_study *study, const ew_case_step *step)
{
    const ew_case_load *list = step->own_loads ? step->load : study->input->load;
    const int32_t n = step->own_loads ? step->n_load : study->input->n_load;
    EW_TRY(
        ew_grow(&study->load_report, &study->load_report_capacity, n, sizeof *study->load_report));
    for (int32_t i = 0; i < n; i++) {
        ew_load_report *load = &study->load_report[i];
        *load =
            (ew_load_report){.line = list[i].line, .kind = list[i].as.kind, .set = list[i].as.set};
        load->surface = list[i].surface ? study->input->surface[list[i].surface - 1].name : NULL;
        EW_TRY(ew_model_load_resultant(study->model, i, load->force, load->moment));
    }
    study->report.n_load = n;
    study->report.load = study->load_report;
    return warn_of_fixed_sets(study, step);
}
