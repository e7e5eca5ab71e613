/* Linear equations of a case as those of the model: nodes that the mesh lacks are told at the
 * start, equations that edits take points of in the step after them. */
#include "study/run/run.h"

static ew_status check_node(ew_study *study, const ew_case_equation *of, const ew_case_term *term)
{
    int32_t v[2];
    for (int k = 0; k < 2; k++) {
        v[k] = ew_model_find_vertex(study->model, term->end[k]);
        if (v[k] < 0 || !ew_mesh_vertex_is_active(ew_model_mesh(study->model), v[k])) {
            return ew_fail_at(EW_BAD_INPUT, of->line,
                              "node: the mesh has no vertex %lld in a tet; numbers are those of "
                              "the mesh file, from 0",
                              (long long)term->end[k]);
        }
    }
    const ew_pattern *edges = &ew_model_topology(study->model)->pattern;
    return v[0] == v[1] || ew_pattern_pair_between(edges, v[0], v[1]) >= 0
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, of->line,
                            "node: no tet has a side between the vertices %lld and %lld",
                            (long long)term->end[0], (long long)term->end[1]);
}

ew_status ew_study_check_equations(ew_study *study)
{
    const ew_case *input = study->input;
    for (int32_t i = 0; i < input->n_equation; i++) {
        for (int32_t k = 0; k < input->equation[i].n_term; k++) {
            const ew_case_term *term = &input->equation[i].term[k];
            EW_TRY(term->set < 0 ? check_node(study, &input->equation[i], term) : EW_OK);
        }
    }
    return EW_OK;
}

static ew_status put_term(ew_study *study, const ew_case_equation *of, const ew_case_term *from,
                          ew_model_term *to)
{
    *to = (ew_model_term){.set = from->set, .end = {from->end[0], from->end[1]}};
    for (int c = 0; c < 3; c++) {
        to->factor[c] = from->factor[c];
    }
    if (from->set < 0) {
        return EW_OK;
    }
    EW_TRY(ew_study_require_members(study, from->set, of->line));
    return study->input->set[from->set].kind == EW_SET_OF_VERTICES
               ? EW_OK
               : ew_study_vertices_of(study, from->set, &to->set);
}

ew_status ew_study_set_equations(ew_study *study)
{
    const ew_case *input = study->input;
    ew_model_equation *list = NULL;
    ew_model_term *term = NULL;
    ew_status status = EW_OK;
    int64_t n_term = 0;
    for (int32_t i = 0; i < input->n_equation; i++) {
        n_term += input->equation[i].n_term;
    }
    EW_TRY_OUT(ew_new(&list, (size_t)input->n_equation, sizeof *list));
    EW_TRY_OUT(ew_new(&term, (size_t)n_term, sizeof *term));
    n_term = 0;
    for (int32_t i = 0; i < input->n_equation; i++) {
        const ew_case_equation *from = &input->equation[i];
        list[i] = (ew_model_equation){from->n_term, term + n_term, from->value};
        for (int32_t k = 0; k < from->n_term; k++) {
            EW_TRY_OUT(put_term(study, from, &from->term[k], &term[n_term++]));
        }
    }
    EW_TRY_OUT(ew_model_set_equations(study->model, input->n_equation, list));
out:
    ew_release(list);
    ew_release(term);
    return status;
}

void ew_study_warn_of_equations(ew_study *study)
{
    const ew_model_equation_report report = ew_model_view_equations(study->model);
    if (report.n_lost) {
        ew_study_warn(study, EW_WARNING_LOST_EQUATION,
                      study->input->equation[report.first_lost].line,
                      "%d equation%s left out, for edits took points of %s away, the first in line "
                      "%d; see whether the body is supported as it should be",
                      report.n_lost, report.n_lost > 1 ? "s are" : " is",
                      report.n_lost > 1 ? "them" : "it",
                      study->input->equation[report.first_lost].line);
    }
}
